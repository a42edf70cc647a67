#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The bound by chains on a node whose GPU dominates: searches begin with it, both checkers take its proof, and agree on
# what changed digits make of it. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
header=machine,factorisation,precision,kernel,tile,unit,cpu,gpu
# Measured on one core and an H200.
printf '%s\n' $header h,cholesky,double,potrf,960,us,9108.0,937.1 h,cholesky,double,trsm,960,us,24577.6,342.2 \
    h,cholesky,double,syrk,960,us,13177.2,46.1 h,cholesky,double,gemm,960,us,24145.4,57.2 >times.csv
exits 0 "generate" "$duet" generate chol -n 10 -m 15 -k 1 -O edges=true -O timings=times.csv -o chol.json

exits 0 "bound" "$duet" bound chol.json -b chains --json
check "bound: what the linear program proves" python3 -c '
import json
value = json.load(open("exits.out"))["bounds"][0]["value"]
assert 30700 <= value <= 32152, value'
exits 0 "graph-search" "$duet" solve chol.json -a graph-search -O rounds=1 -j 1 -o s.json
check "graph-search has the bound" grep -q '"bound": *"chains"' s.json
exits 0 "verify" "$duet" verify chol.json s.json
check "verify: certified" grep -q "certified by its lines certificate" exits.out
exits 0 "the second checker" python3 "$source/scripts/duet_check.py" chol.json s.json

cat >agree.py <<'END'
import json, random, subprocess, sys
sys.path.insert(0, sys.argv[1])
import duet_check
seed = int(sys.argv[2])
rng = random.Random(seed)
solution = json.load(open("s.json"))
texts = solution["certificate"]["lines"] + [""]
instance = duet_check.read_instance("chol.json")
instance.finish([15, 1], None, False)
counts = {True: 0, False: 0}
for turn in range(60):
    changed = list(texts)
    at = rng.randrange(2, len(changed) - 1)
    words = changed[at].split(" ")
    places = [i for i, word in enumerate(words) if word.isdigit()]
    kind = rng.random()
    if kind < 0.8 and places:
        i = rng.choice(places)
        words[i] = str(max(0, int(words[i]) + rng.choice((-1, 1, 2, -int(words[i]) // 2, int(words[i])))))
        changed[at] = " ".join(words)
    elif kind < 0.9:
        del changed[at]
    else:
        changed.insert(at, changed[at])
    text = "\n".join(changed)
    open("p.txt", "w").write(text)
    command = subprocess.run([sys.argv[3], "verify", "chol.json", "s.json", "--proof", "p.txt"], capture_output=True)
    try:
        duet_check.check_proof(instance, text)
        second = True
    except (duet_check.Refused, duet_check.Unreadable):
        second = False
    first = command.returncode == 0
    if first != second:
        sys.exit(f"seed {seed}, turn {turn}: {first} and {second}: {command.stderr.decode()} {changed[at]}")
    counts[first] += 1
print(counts)
assert counts[False] > 10, counts
END
seed=${DUET_TEST_SEED:-1}
check "both checkers say the same of changed proofs" python3 agree.py "$source/scripts" "$seed" "$duet"
cat check.out
exit "$failed"
