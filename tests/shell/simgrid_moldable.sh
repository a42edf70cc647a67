#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Schedules of moldable tasks replayed in SimGrid: without a network the makespan is Duet's to 10^-5.
# With one, transfers share links there, so that it may take longer: at most six times, and not less, but
# where data go to or come from a set on several clusters: the slowest link is taken for all of them here.
# $1: the duet command, $2: the source folder, $3: the folder of simgrid_moldable.
set -u
duet=$(realpath "$1")
replay=$3/simgrid_moldable
if [ ! -x "$replay" ]; then
    echo "skipped: built without SimGrid"
    exit 77
fi
replay=$(realpath "$replay")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
faults=0
schedules=0
: >ratios

# check INSTANCE ALGORITHM LOW HIGH: the ratio of the simulated to the claimed makespan.
check() {
    schedules=$((schedules + 1))
    if ! "$duet" solve "$1" -a "$2" -q -o s.json >/dev/null 2>err; then
        echo "FAIL $1 -a $2: $(cat err)"
        faults=$((faults + 1))
    elif ! "$replay" "$1" s.json >out 2>&1; then
        echo "FAIL $1 -a $2: $(cat out)"
        faults=$((faults + 1))
    elif ! awk -v low="$3" -v high="$4" '/ratio/ { r = $NF } END { exit !(r >= low && r <= high) }' out; then
        echo "FAIL $1 -a $2: $(tail -n 1 out)"
        faults=$((faults + 1))
    else
        sed -n "s/.*ratio /$2 /p" out >>ratios
    fi
}

for number in 1 6 18 30; do
    "$duet" generate platform -n 12 --seed 1 -O number=$number -O cost=mixed -O mixed_sets=true -o network.json ||
        faults=$((faults + 1))
    sed 's/, "network": {[^}]*}//' network.json >alone.json
    for algorithm in cpa hcpa s-hcpa m-heft seq; do
        check alone.json $algorithm 0.99999 1.00001
        check network.json $algorithm $([ $algorithm = cpa ] && echo 0.98 || echo 0.99999) 6
    done
done
# Independent tasks with tables.
"$duet" generate downey -n 20 -m 8 -o tables.json || faults=$((faults + 1))
for algorithm in moldable-2 moldable-3-2; do
    check tables.json $algorithm 0.99999 1.00001
done

# The paper's study, simulated.
if ! "$duet" bench papers --paper ntakpe2006-simulated --replay "$replay" --replays 6 -q >out 2>err ||
    ! awk '/^ *all/ && $2 == 6 && $4 >= 0.99999 && $6 >= 0.99999 { found = 1 } END { exit !found }' out; then
    echo "FAIL bench papers: $(cat out err)"
    faults=$((faults + 1))
fi

# The replay does see what is wrong.
sed 's/"makespan": [0-9.]*/"makespan": 1/' s.json >wrong.json
if ! "$replay" tables.json wrong.json >out 2>&1 || grep -q "ratio 1.0000" out; then
    echo "FAIL a wrong makespan is not seen: $(cat out)"
    faults=$((faults + 1))
fi
awk '{ sum[$1] += log($2); n[$1]++ } END { for (a in n) printf "%s: %.4f times as long in the mean\n", a, exp(sum[a] / n[a]) }' ratios
echo "$schedules schedules, $faults faults"
[ "$faults" -eq 0 ]
