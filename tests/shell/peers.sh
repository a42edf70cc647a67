#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `duet bench peers`: what it refuses, that the published tables are those of docs/peers.csv, that answers are judged,
# and that peers that are there solve a small instance. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

exits 0 "--help" "$duet" bench peers --help
scripts=(--scripts "$source/bench/peers")
while IFS='|' read -r words what; do
    # shellcheck disable=SC2086 # words
    exits 2 "$words" "$duet" bench peers $words
    check "$words: is named" grep -q -- "$what" exits.err
done <<END2
--python no-such-python|cannot run no-such-python
--scripts $tmp|no peers.py in $tmp
${scripts[*]} --peers duet,none|unknown 'none'
${scripts[*]} --peers duet --sets none -q|nothing of that name
${scripts[*]} -j 0|more than 0
END2

# ---- pages

cp "$source/docs/peers.md" "$source/README.md" .
exits 0 "the published rows" "$duet" bench peers "${scripts[@]}" --from "$source/docs/peers.csv" --markdown peers.md,README.md --chart peers.svg
exits 0 "the published rows with releases" "$duet" bench peers "${scripts[@]}" --from "$source/docs/peers-releases.csv" --markdown peers.md
check "how Duet stands is printed" grep -q '^On 40 instances (1 thread, 10 s a run) Duet proves ' exits.out
check "docs/peers.md is what its rows say" cmp peers.md "$source/docs/peers.md"
check "README.md is what they say" cmp README.md "$source/README.md"
check "so is the picture" cmp peers.svg "$source/docs/images/peers.svg"

# ---- Duet alone, which needs nothing else, and what is judged

exits 0 "Duet on a job shop" "$duet" bench peers "${scripts[@]}" --peers duet --sets ft06 -t 600 -q --csv ft06.csv
check "its row" grep -q '^job-shops,ft06,36,27,30,.*,duet,1,optimal,55,55,55,yes,' ft06.csv
cp ft06.csv resumed.csv
sed -i 's/^job-shops,ft06/elsewhere,other/' resumed.csv
mkdir -p public/rcmax
echo nonsense >public/rcmax/25.txt
exits 1 "an instance that cannot be made" "$duet" bench peers "${scripts[@]}" --peers duet --data public --sets rcmax,ft06 -t 600 -q \
    --resume resumed.csv --csv resumed.csv
check "it is named" grep -q 'left out: rcmax-25: ' exits.err
check "the rows that were there stay" bash -c 'grep -q ^elsewhere,other, resumed.csv && grep -q ^job-shops,ft06, resumed.csv'
sed 's/,duet,1,optimal,55,55,55,yes,0.0,0.0,/,cpsat,1,open,56,50,56,no,0.0,12.0,/' ft06.csv >other.csv
exits 0 "Duet beside a peer's rows" "$duet" bench peers "${scripts[@]}" --peers duet --sets ft06 -t 600 -q --resume other.csv --csv other.csv
check "the peer's row is held against the new best" grep -q ',cpsat,1,open,56,50,55,yes,1.818,12.0,' other.csv
check "Duet has one of its own" grep -q ',duet,1,optimal,55,55,55,yes,' other.csv
check "wrong answers are found" python3 - "$source/bench/peers" "$duet" <<'END2'
import argparse, os, subprocess, sys
sys.path.insert(0, sys.argv[1])
import peers, problem
from cases import Case
args = argparse.Namespace(duet=sys.argv[2], time=1.0)
subprocess.run([args.duet, "convert", os.path.join(sys.argv[1], "data/ft06.txt"), "-o", "ft06.json"], check=True)
one = problem.Problem("ft06.json")
def answer(place, bound, optimal):
    made = {"place": place, "bound": bound, "optimal": optimal, "found": [], "seconds": 1.0, "version": "1"}
    made["makespan"], made["fault"] = peers.judge(one, made, "ft06.json", ".", args)
    return made
good = one.greedy()
moved = [(*at[:2], 0) for at in good] # all at once
rows = list(peers.rows_of(Case("job-shops", "ft06", []), one, {
    ("duet", 1): answer(good, 55, False), ("cpsat", 1): answer(good, one.makespan(good) + 1, True), ("scip", 1): answer(moved, 55, True)}, args))
assert [row["status"] for row in rows] == ["open", "fault", "fault"], rows
assert "above a valid schedule" in rows[1]["note"] and rows[2]["note"], rows
assert one.makespan(good) >= 55
END2

# ---- peers that are there

there=$(python3 -c '
import importlib.util as u
print(",".join(n for n, m in (("cpsat", "ortools"), ("pyjobshop", "pyjobshop"), ("highs", "highspy"), ("scip", "pyscipopt"), ("saga", "saga")) if u.find_spec(m)))')
for program in cbc:cbc glpk:glpsol; do
    command -v "${program#*:}" >/dev/null && there=$there,${program%:*}
done
if [ -n "${there#,}" ]; then
    exits 0 "peers: ${there#,}" "$duet" bench peers "${scripts[@]}" --peers "duet,${there#,}" --sets chol-10 -t 1 -q --csv some.csv
    check "none of them is refused" bash -c '! grep -q ",fault," some.csv'
fi
exit $failed
