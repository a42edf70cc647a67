#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the proven checker and tries it. Ends with 77 where Coq, OCaml or Zarith are missing.
# $1: the duet command (build/release/bin/duet); DUET_TEST_PAIRS: generated pairs (1000); DUET_TEST_SEED: which (1).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
duet=$(realpath "${1:-$root/build/release/bin/duet}")
for program in coqc ocamlfind ocamlopt; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
ocamlfind query zarith >/dev/null 2>&1 || { echo "skipped: no Zarith"; exit 77; }
make -s -C "$here" || exit 1
proven=$here/build/duet-proven

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
faults=0

fail() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

# expect CODE WHAT INSTANCE SOLUTION [--proof PROOF]
expect() {
    local code expected=$1 what=$2
    shift 2
    "$proven" "$@" >"$scratch/out" 2>&1
    code=$?
    [ $code -eq "$expected" ] || fail "$what: expected exit code $expected, got $code: $(cat "$scratch/out")"
}

# The bundled factorisation is optimal, and is not what it is not.
chol=$root/instances/data/cholesky-10.json
"$duet" solve "$chol" -q -o "$scratch/chol.json" >/dev/null || exit 1
expect 0 "the bundled Cholesky" "$chol" "$scratch/chol.json"
grep -q 'ok: optimal, no schedule is shorter' "$scratch/out" || fail "no word of the optimum"
sed 's/35515.44/35515.43/g' "$scratch/chol.json" >"$scratch/shorter.json"
expect 1 "a makespan that it does not have" "$chol" "$scratch/shorter.json"
"$duet" solve "$chol" -a heft -q -o "$scratch/heft.json" >/dev/null || exit 1
sed 's/"status": "bounded"/"status": "optimal"/' "$scratch/heft.json" >"$scratch/said.json"
expect 1 "an optimum that is none" "$chol" "$scratch/said.json"

# A proof of a task graph, and the same without its last line but one.
"$duet" generate layered -n 20 -m 2 -k 1 --seed 3 -o "$scratch/graph.json" >/dev/null || exit 1
"$duet" solve "$scratch/graph.json" -a exact -q -O proof="$scratch/proof" -o "$scratch/graph.sol" >/dev/null || exit 1
expect 0 "a proof of a task graph" "$scratch/graph.json" "$scratch/graph.sol" --proof "$scratch/proof"
tail -n 2 "$scratch/proof" >"$scratch/end"
head -n -3 "$scratch/proof" | cat - "$scratch/end" >"$scratch/cut"
expect 1 "a proof of a task graph without a line" "$scratch/graph.json" "$scratch/graph.sol" --proof "$scratch/cut"

# Two tasks of 3 ticks that are released at 5 do not both end by 10 on one processor.
printf '{"platform": [{"type": "cpu", "count": 1}], "tasks": [{"id": "a", "count": 2, "times": [3], "release": 5}]}' \
    >"$scratch/waits.json"
"$duet" solve "$scratch/waits.json" -q -o "$scratch/waits.sol" >/dev/null || exit 1
printf 'duet-proof 1\nbound 11\nreleased\nclasses 1\nprices set 1  1\nprice 0\nend\n' >"$scratch/waits.proof"
expect 0 "a proof with releases" "$scratch/waits.json" "$scratch/waits.sol" --proof "$scratch/waits.proof"
sed -i '/^released/d' "$scratch/waits.proof"
expect 1 "a proof without its releases" "$scratch/waits.json" "$scratch/waits.sol" --proof "$scratch/waits.proof"

# Moldable tasks, and the same with a bound that is too high.
"$duet" generate amdahl -n 5 -m 3 -k 0 --seed 1 -o "$scratch/moldable.json" >/dev/null || exit 1
"$duet" solve "$scratch/moldable.json" -a moldable-3-2 -q -o "$scratch/moldable.sol" >/dev/null || exit 1
expect 0 "moldable tasks" "$scratch/moldable.json" "$scratch/moldable.sol"
sed 's/"multipliers": \[[0-9]*/"multipliers": [0/' "$scratch/moldable.sol" \
    >"$scratch/less.sol"
expect 1 "moldable tasks without areas" "$scratch/moldable.json" "$scratch/less.sol"

# Two tasks in a row on one processor, of which the first has run longer than it takes. The last processor is lost.
printf '%s' '{"platform": [{"type": "cpu", "count": 2, "without": [1]}], "tasks": [{"id": "a", "times": [3]},' \
    '{"id": "b", "times": [4], "after": "a"}], "fixed": [{"task": "a", "type": "cpu", "processor": 0, "start": 0,' \
    '"end": 5}]}' >"$scratch/plan.json"
"$duet" solve "$scratch/plan.json" -q -o "$scratch/plan.sol" >/dev/null || exit 1
expect 0 "a task that is given" "$scratch/plan.json" "$scratch/plan.sol"
grep -q 'ok: 9, proven by' "$scratch/out" || fail "another bound of what is left"
sed 's/"processor": 0, "start": 5/"processor": 1, "start": 5/' "$scratch/plan.sol" >"$scratch/lost.sol"
expect 1 "a task on a processor that is lost" "$scratch/plan.json" "$scratch/lost.sol"

# What is not proven is said, and never accepted.
sed 's/"tasks"/"mixed_sets": true, "tasks"/' "$scratch/moldable.json" >"$scratch/mixed.json"
expect 6 "mixed sets" "$scratch/mixed.json" "$scratch/moldable.sol"
sed 's/"certificate": {.*/"certificate": {}}/; /"certificate"/q' "$scratch/chol.json" >"$scratch/bare.json"
expect 6 "a bound without a certificate" "$chol" "$scratch/bare.json"
expect 3 "an instance that is a solution" "$scratch/chol.json" "$scratch/chol.json"

python3 "$here/pairs.py" "$duet" "$proven" "${DUET_TEST_PAIRS:-1000}" "${DUET_TEST_SEED:-1}" || fail "pairs"
[ $faults -eq 0 ] || exit 1
echo ok
