#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Schedules replayed in SimGrid take as long as Duet says, run by run, those given up included; of task graphs with
# data that travel through its network.
# $1: the duet command, $2: the source folder, $3: the folder of simgrid_replay.
set -u
duet=$(realpath "$1")
source=$(realpath "$2")
replay=$3/simgrid_replay
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
instances=0

# instance WHAT: puts down the instance that `duet WHAT` makes, under the name $instance.
instance() {
    instances=$((instances + 1))
    instance=i-$instances.json
    # shellcheck disable=SC2086 # words
    "$duet" $1 -o $instance || faults=$((faults + 1))
    echo "$1" >$instance.what
}

# check ALGORITHM [asap]: puts down its schedule of $instance to be replayed with all others, since to start SimGrid takes longer.
check() {
    schedules=$((schedules + 1))
    if "$duet" solve "$instance" -a "$1" -t 0.2 -q -o s-$schedules.json >/dev/null 2>err; then
        echo "$instance s-$schedules.json ${2:-}" >>lines
        echo "$1" >s-$schedules.json.what
    else
        echo "FAIL $(cat "$instance.what") -a $1: $(cat err)"
        faults=$((faults + 1))
    fi
}

for platform in "3 1" "6 3"; do
    for family in acc unif2 corr bimod chol lu; do
        for seed in 1 2; do
            instance "generate $family -n 6 -m ${platform% *} -k ${platform#* } --seed $seed"
            for algorithm in heteroprio heft dual-4-3 shelf-3-2 qa; do
                check $algorithm
            done
        done
    done
done
# Measured times with decimals: many runs are given up here.
instance=cholesky.json
cp "$source/instances/data/cholesky-10.json" $instance
echo cholesky-10 >$instance.what
for algorithm in auto heteroprio; do
    check $algorithm
done

# Task graphs. What lists make starts as soon as it can; events make tasks wait for others that decide.
for seed in 1 2 3; do
    for what in "chol -n 5 -O edges=true" "qr -n 4 -O edges=true" "layered -n 40" "layered -n 40 -O cost=300" \
        "fork-join -n 30" "series-parallel -n 30 -O cost=200" "adhoc -n 40"; do
        instance "generate $what -m 3 -k 2 --seed $seed"
        for algorithm in heft hoft peft cpop heft-lookahead eft qa; do
            check $algorithm asap
        done
        if ! grep -q '"cost' $instance; then
            for algorithm in heteroprio dualhp list mixeft; do
                check $algorithm
            done
        fi
    done
done
"$replay" <lines >out 2>&1
if [ "$(grep -cE '^(ok|FAIL) [^ ]*\.json s-' out)" -ne "$(wc -l <lines)" ]; then
    echo "FAIL not all schedules were replayed: $(tail -n 3 out)"
    faults=$((faults + 1))
fi
# What was said of a schedule stands before its line.
while read -r line; do
    read -r _ instance schedule mode <<<"$line"
    echo "FAIL $(cat "$instance.what") -a $(cat "$schedule.what") $mode: $(grep -B 4 -F "$line" out)"
    faults=$((faults + 1))
done < <(grep -E '^FAIL [^ ]*\.json s-' out)
with_aborted=$(grep -l '"aborted": \[{' s-*.json | wc -l)

# The replay does see what is wrong: data that would have to travel faster, a task before its predecessor.
"$duet" generate layered -n 20 -O cost=100 -m 2 -k 1 -o i.json
"$duet" solve i.json -a heft -q -o s.json >/dev/null
grep -q '"cost' i.json || faults=$((faults + 1))
for change in 's/"costs": \[\[\([0-9]*\), \([1-9][0-9]*\)/"costs": [[\1, 1\2/g' \
    's/"edges": \[/"edges": [["t19", "t0"], /'; do
    sed "$change" i.json >slower.json
    if cmp -s i.json slower.json || "$replay" slower.json s.json >out 2>&1; then
        echo "FAIL a schedule that comes too early is not seen: $change: $(cat out)"
        faults=$((faults + 1))
    fi
done
cp "$source/instances/data/cholesky-10.json" i.json
"$duet" solve i.json -a heteroprio -q -o s.json >/dev/null
sed 's/"makespan": [0-9.]*/"makespan": 35515.4399/' s.json >wrong.json
if "$replay" i.json wrong.json >out 2>&1 || ! grep -q "FAIL makespan" out; then
    echo "FAIL a wrong makespan is not seen: $(cat out)"
    faults=$((faults + 1))
fi
echo "$schedules schedules, $with_aborted with aborted runs, $faults faults"
[ "$with_aborted" -gt 0 ] && [ "$faults" -eq 0 ]
