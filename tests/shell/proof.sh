#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# verify --proof, from end to end: proofs that hold, proofs that do not, files that are none.
# Usage: proof.sh DUET SOURCE_FOLDER
set -u
duet=$1
source=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# verify CODE FRAGMENT ARGUMENT...: FRAGMENT is in what is printed, on either stream.
verify() {
    local code=$1 fragment=$2 got
    shift 2
    "$duet" verify "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$code" ] && { [ -z "$fragment" ] || cat out err | grep -qF -- "$fragment"; }; then
        echo "ok verify $*"
    else
        echo "FAIL verify $*: exit code $got, expected $code and '$fragment'; $(cat out err)"
        failed=1
    fi
}
# json WHAT EXPRESSION: a Python expression over standard output's content d must hold.
json() {
    if python3 -c 'import json, sys
d = json.load(open("out"))
assert eval("(" + sys.argv[1] + ")")' "$2" 2>/dev/null; then
        echo "ok $1"
    else
        echo "FAIL $1: $(cat out)"
        failed=1
    fi
}

# Three tasks of 0.6 on a CPU and a GPU: the optimum is 1.2. "exact" claims it without a certificate.
cat >in.json <<'END'
{"format": "duet-instance", "version": 1, "name": "three", "time_unit": "ms",
 "platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 3, "times": [0.6, 0.6]}]}
END
"$duet" solve in.json -a heft -o solved.json >/dev/null || failed=1
sed 's/"certificate": .*/"certificate": {}}/; s/"bound": "[a-z-]*"/"bound": "exact"/' solved.json >s.json
sed 's/"lower_bound": 1.2/"lower_bound": 1.1/; s/"optimal"/"bounded"/' s.json >less.json

printf 'duet-proof 1\nbound 12\nclasses 1\narea 1 1\nprice 0\nend\n' >one.proof
cat >tree.proof <<'END'
# the same by a tree: one task or none on the GPU, or two, which a GPU cannot run
duet-proof 1
bound 12
classes 1
prices set 2 set 2  1 1
branch 0 1
cover 0 gpu 0 1
cover 0 gpu 0 0
area 1 0
knapsack 1
end
END
sed 's/^bound 12/bound 13/' one.proof >false.proof
sed 's/^cover 0 gpu 0 1/cover 0 gpu 0 2/' tree.proof >children.proof
sed '/^end/d' tree.proof >open.proof
printf 'bound 12\n' >none.proof

verify 0 "lower bound  1.2 ms (exact), not certified" in.json s.json
verify 1 "has no certificate" in.json s.json --strict
verify 0 "lower bound  ok: 1.2 ms (exact), certified by the proof one.proof (1 node)" \
    in.json s.json --proof one.proof
verify 0 "status       ok: optimal" in.json s.json --proof one.proof
verify 0 "lower bound  ok: 1.2 ms (exact), certified by the proof tree.proof (4 nodes)" \
    in.json s.json --proof=tree.proof --strict
verify 0 "lower bound  ok: 1.1 ms (exact), certified by the proof tree.proof (4 nodes)" \
    in.json less.json --proof tree.proof
verify 0 "certified by the proof" --proof one.proof in.json solved.json
verify 0 "" in.json s.json --proof one.proof -q
[ ! -s out ] || { echo "FAIL -q prints: $(cat out)"; failed=1; }

verify 0 '"bound_check": "certified"' in.json s.json --proof tree.proof --json
json "--json: the proof" 'd["valid"] and d["fault"] is None and d["proof"] == {"file": "tree.proof",
    "bound": 1.2, "nodes": 4, "vectors": 2, "depth": 3}'
verify 0 '"bound_check": "unproven"' in.json s.json --json
json "--json: no proof" 'd["proof"] is None'

verify 1 "duet: false.proof:5: price: by vector 0" in.json s.json --proof false.proof
verify 1 "" in.json s.json --proof false.proof --json
json "--json: a proof that is wrong" 'd["valid"] is False and d["proof"] is None and
    d["bound_check"] is None and d["fault"].startswith("false.proof:5: price")'
verify 1 "duet: children.proof:7: cover with 2 children: expected 1" in.json s.json --proof children.proof
verify 1 "duet: open.proof:11: expected 'end'" in.json s.json --proof open.proof
# More GPUs: the proof is about another problem.
verify 1 "duet: one.proof:5: price" in.json less.json --proof one.proof -k 9
# A faulty solution is reported first.
sed 's/"makespan": *[0-9.]*/"makespan": 1/' s.json >lie.json
verify 1 "claimed makespan 1" in.json lie.json --proof none.proof

verify 3 "duet: none.proof:1: expected 'duet-proof'" in.json s.json --proof none.proof
verify 3 "" in.json s.json --proof none.proof --json
[ ! -s out ] || { echo "FAIL --json prints for what is no proof: $(cat out)"; failed=1; }
verify 3 "duet: missing.proof: cannot read" in.json s.json --proof missing.proof
verify 3 "duet: s.json:1:1: this file is a solution" in.json s.json --proof s.json
verify 2 "at most one '-'" - s.json --proof -
verify 2 "--proof" in.json s.json --proof

"$duet" verify in.json s.json --proof - <tree.proof >out 2>err
grep -q 'certified by the proof - (4 nodes)' out || { echo "FAIL --proof -: $(cat out err)"; failed=1; }

# Certificates of the same kinds within a solution.
sed 's/"certificate": .*/"certificate": {"proof": "knapsack", "lambda": 1.2, "weights": [1, 1]}}/' \
    s.json >knapsack.json
verify 0 "certified by its knapsack certificate" in.json knapsack.json --strict
sed 's/"certificate": .*/"certificate": {"proof": "prices", "lambda": 1.2, "modes": ["set", "area"], "limits": [1, 1], "prices": [[1, 1]]}}/' \
    s.json >prices.json
verify 0 "certified by its prices certificate" in.json prices.json --strict
sed 's/"limits": .1/"limits": [0/' prices.json >wrong.json
verify 1 "certificate: CPU limit 0: tasks of 6 ticks are priced above it" in.json wrong.json

# The proof's file fails after the search, exit code 5: the schedule is there all the same, and
# nothing hides that the proof is not.
lost() {
    local what=$1 got=$2 fragment=$3 solution=$4
    if [ "$got" = 5 ] && grep -q "^duet: no proof was written: .*cannot write: $fragment" err &&
        "$duet" verify "${5:-in.json}" "$solution" >check.out 2>&1; then
        echo "ok $what"
    else
        echo "FAIL $what: exit code $got, expected 5; $(cat out err check.out)"
        failed=1
    fi
}
rm -f full.json
"$duet" solve in.json -a exact -O proof=/dev/full -o full.json >out 2>err
lost "a full disk" $? "No space left" full.json
grep -q '^status  *optimal$' out || { echo "FAIL a full disk: $(cat out)"; failed=1; }
"$duet" solve in.json -a exact -O proof=/dev/full -q --json >out 2>err
lost "a full disk, -q --json" $? "No space left" out
"$duet" solve in.json -a exact -O proof=- -o full.json -q >/dev/full 2>err
lost "a full standard output" $? "No space left" full.json
"$duet" compare in.json -a exact -O proof=/dev/full >out 2>err
[ $? = 5 ] || { echo "FAIL compare: a full disk: $(cat out err)"; failed=1; }

# The proof's folder goes away during the search, once the file in it is open.
"$duet" generate acc -n 1000 -m 64 -k 8 --seed 2 -o large.json || failed=1
mkdir gone
"$duet" solve large.json -a exact -t 2 -O proof=gone/p -o large-s.json >out 2>err &
pid=$!
for _ in $(seq 60000); do # ten minutes
    find "/proc/$pid/fd" -lname '*/gone/*' 2>/dev/null | grep -q . && break
    sleep 0.01
done
rm -rf gone
wait $pid
lost "a folder that is gone" $? "No such file" large-s.json large.json
grep -q '^status  *bounded, time limit reached$' out || { echo "FAIL a folder that is gone: $(cat out)"; failed=1; }

# A certificate of a kilobyte that asks for gigabytes, and for minutes: neither proven nor refuted (5).
limited() {
    local what=$1 expected=$2 got
    shift 2
    "$duet" "$@" >out 2>err
    got=$?
    if [ "$got" = 5 ] && grep -q "$expected" err; then
        echo "ok $what"
    else
        echo "FAIL $what: exit code $got, expected 5; $(head -c 800 err)"
        failed=1
    fi
}
hang=$source/tests/regression/lines-hang
for command in verify show; do
    limited "$command: memory of a line" "of the 1024 MiB of memory that are allowed" $command "$hang"/{instance,solution}.json -t 2
    sed 's/50000000/1500000/g' "$hang/instance.json" >short.json
    sed 's/50000001/1500001/g; s/50000000/1500000/g; s/100000000/3000000/g; s/"timed 1 1 0 0"/&, &, &, &, &, &, &, &/g' \
        "$hang/solution.json" >long.json
    limited "$command: time within lines" "the time limit came before" $command short.json long.json -t 0.3
done

# A schedule between ticks, and a proof in ticks.
between=$source/tests/regression/proof-between-ticks
if "$duet" verify "$between"/{instance,solution}.json --proof "$between/bound.proof" >out 2>err &&
    grep -q 'lower bound  ok: 34 .*certified by the proof' out; then
    echo "ok a proof for a schedule between ticks"
else
    echo "FAIL a proof for a schedule between ticks: $(cat out err)"
    failed=1
fi

# Many tasks of few kinds: there the dearest pattern of a node is not always known, and what its
# prices refute is refuted all the same. The proof has those prices, and no others.
few()
{
    rm -f few.proof
    if "$duet" solve few.json -a exact -j 1 -O rounds=1 -O proof=few.proof -o few-solution.json \
        >out 2>err &&
        { [ ! -s few.proof ] || "$duet" verify few.json few-solution.json --proof few.proof -q >out 2>err; }; then
        return
    fi
    echo "FAIL a proof for many tasks of few kinds, $1: $(head -c 400 err)"
    few_failed=1
}
few_failed=0
cp "$source/tests/regression/few-kinds-many-tasks/instance.json" few.json
few "tests/regression"
for row in double-320 double-512 double-960 single-960; do
    for m in 7 15; do
        "$duet" generate chol -n 40 -m $m -k 1 -O row=hopper-$row -o few.json
        few "$row on $m cpu + 1 gpu"
    done
done
if [ $few_failed = 0 ]; then echo "ok proofs for many tasks of few kinds"; else failed=1; fi

# Types of which a kind has no time on one and 0 on the other are not one.
types=$source/tests/regression/types-zero-times
if "$duet" verify "$types"/{instance,solution}.json --proof "$types/types.proof" >out 2>err ||
    ! grep -q 'type 3 as type 2' err; then
    echo "FAIL types with another time of 0: $(cat out err)"
    failed=1
else
    echo "ok types with another time of 0"
fi

# Graphs whose tasks take no time, with busy processors and without: a bound of 0 needs no lines.
for nothing in "$source"/tests/regression/proof-of-nothing/*.json; do
    if "$duet" solve "$nothing" -a exact -q -j 1 -o nothing.json -O proof=nothing.proof >out 2>err &&
        "$duet" verify "$nothing" nothing.json --proof nothing.proof >out 2>err; then
        echo "ok a proof of a bound of 0: $(basename "$nothing")"
    else
        echo "FAIL a proof of a bound of 0, $nothing: $(cat out err)"
        failed=1
    fi
done

exit $failed
