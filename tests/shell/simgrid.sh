#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Schedules replayed in SimGrid take as long as Duet says, run by run, those given up included.
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
with_aborted=0

# check INSTANCE ALGORITHM WHAT
check() {
    schedules=$((schedules + 1))
    if ! "$duet" solve "$1" -a "$2" -t 0.2 -q -o s.json >/dev/null 2>err; then
        echo "FAIL $3 -a $2: $(cat err)"
        faults=$((faults + 1))
    elif ! "$replay" "$1" s.json >out 2>&1; then
        echo "FAIL $3 -a $2:"
        cat out
        faults=$((faults + 1))
    elif grep -q '"aborted": \[{' s.json; then
        with_aborted=$((with_aborted + 1))
    fi
}

for platform in "3 1" "6 3"; do
    for family in acc unif2 corr bimod chol lu; do
        for seed in 1 2; do
            # shellcheck disable=SC2086 # two numbers
            set -- $platform
            what="generate $family -n 6 -m $1 -k $2 --seed $seed"
            # shellcheck disable=SC2086
            "$duet" $what -o i.json || faults=$((faults + 1))
            for algorithm in heteroprio heft dual-4-3 shelf-3-2 qa; do
                check i.json $algorithm "$what"
            done
        done
    done
done
# Measured times with decimals: many runs are given up here.
cp "$source/instances/data/cholesky-10.json" i.json
for algorithm in auto heteroprio; do
    check i.json $algorithm cholesky-10
done

# The replay does see what is wrong.
sed 's/"makespan": [0-9.]*/"makespan": 35515.4399/' s.json >wrong.json
if "$replay" i.json wrong.json >out 2>&1 || ! grep -q "FAIL makespan" out; then
    echo "FAIL a wrong makespan is not seen: $(cat out)"
    faults=$((faults + 1))
fi
echo "$schedules schedules, $with_aborted with aborted runs, $faults faults"
[ "$with_aborted" -gt 0 ] && [ "$faults" -eq 0 ]
