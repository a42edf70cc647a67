#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `bench exact` as a sweep: killed and resumed, in shards, among the processes of mpirun. The table is the
# same as of a run in one piece, but for the times. Usage: exact_sweep.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$2/tests/support/checks.sh"
seed=${DUET_TEST_SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed"

# Rows of files without times (seconds, proof_seconds), in order.
rows() { cat "$@" | grep -v '^set,' | cut -d, -f1-20,22,23,25- | sort; }
same_rows() { cmp <(rows "$1") <(rows "$2"); }
none_twice() { test -z "$(cut -d, -f2-6,10 "$1" | grep -v '^name' | sort | uniq -d)"; }
digest() { sed -n 's/.* digest \([0-9a-f]*\),.*/\1/p' exits.out; }
# The text without times, and without the list of the slowest.
table() { grep -E '^(set|dual-4-3|lpt|all|  [a-z0-9]* +[0-9]|small)' "$1"; }

# These end by themselves: no clock decides what is found.
grid=("$duet" bench exact -a "dual-4-3,lpt" --sizes "10,20,50" --seeds 2 -t 60)

# In one piece, and what is refused.
exits 1 "in one piece" "${grid[@]}" --csv one.csv # a target is missed
cp exits.out one.txt
check "all rows" test "$(wc -l <one.csv)" -eq $((1 + 2 * 6 * 3 * 6 * 2))
check "no line about the sweep" test -z "$(digest)"
cp one.csv before.csv
exits 2 "a file that is there" "${grid[@]}" --csv one.csv
check "a file that is there: says what to do" grep -q -- "--resume" exits.err
exits 2 "--resume without a file" "${grid[@]}" --resume
exits 2 "--shard 3/2" "${grid[@]}" --shard 3/2
for other in "-t 59" "-j 2" "-a lpt,eft" "--set pair"; do
    # shellcheck disable=SC2086 # two words
    exits 3 "rows of other settings: $other" "$duet" bench exact -a "dual-4-3,lpt" -t 60 $other --csv one.csv --resume
    check "rows of other settings: $other: file and line" grep -q "^duet: one.csv:[0-9]*: the file belongs to another sweep" exits.err
done
exits 3 "rows of the sizes left out" "${grid[@]}" --sizes 10 --csv one.csv --resume
printf 'my notes, no newline' >notes.txt
cp notes.txt notes.before
exits 3 "a file of notes" "${grid[@]}" --csv notes.txt --resume
check "a file of notes is what it was" cmp notes.txt notes.before
(cat one.csv && printf 'main,my notes') >tail.csv
cp tail.csv tail.before
exits 3 "notes after the rows" "${grid[@]}" --csv tail.csv --resume
check "notes after the rows are what they were" cmp tail.csv tail.before
cat one.csv <(sed -n 2p one.csv) >twice.csv
exits 3 "a row twice" "${grid[@]}" --csv twice.csv --resume
check "a row twice: says so" grep -q "there twice" exits.err
sed '3s/bounded\|optimal/excellent/' one.csv >word.csv
exits 3 "a status that is none" "${grid[@]}" --csv word.csv --resume
exits 1 "nothing left to do" "${grid[@]}" --csv one.csv --resume
whole=$(digest)
check "nothing left to do: nothing written" cmp one.csv before.csv
check "nothing left to do: says so" grep -q "^432 rows, 432 of them from one.csv, digest" exits.out
check "nothing left to do: the same figures" cmp <(table one.txt) <(table exits.out)

# Cut anywhere: the table is the same.
size=$(wc -c <one.csv)
for _ in $(seq 8); do
    head -c $((RANDOM * 32768 % size + RANDOM % 100)) one.csv >cut.csv
    cp cut.csv cut.before
    exits 1 "cut at $(wc -c <cut.csv)" "${grid[@]}" --csv cut.csv --resume
    check "cut at $(wc -c <cut.before): the rows" same_rows one.csv cut.csv
    check "cut at $(wc -c <cut.before): the figures" cmp <(table one.txt) <(table exits.out)
    check "cut at $(wc -c <cut.before): the digest" test "$(digest)" = "$whole"
done

# Killed at any moment.
many=("$duet" bench exact --set small --seeds 3000 -a "lpt,heft" -t 60)
exits 1 "the long one" "${many[@]}" --csv long.csv
kills=0
for _ in $(seq 8); do
    written=$(stat -c %s kill.csv 2>/dev/null || echo 0)
    "${many[@]}" --csv kill.csv --resume >exits.out 2>exits.err &
    child=$!
    # It writes row by row: once there is a new one, it is in the middle.
    while kill -0 $child 2>/dev/null && [ "$(stat -c %s kill.csv 2>/dev/null || echo 0)" -le "$written" ]; do
        sleep 0.01
    done
    kill -KILL $child 2>/dev/null && kills=$((kills + 1))
    wait $child 2>/dev/null
done
check "it was killed in the middle of it at least once" test $kills -gt 0
exits 1 "after $kills kills" "${many[@]}" --csv kill.csv --resume
check "after kills: the rows" same_rows long.csv kill.csv
check "after kills: none twice" none_twice kill.csv
check "after kills: the known optima" grep -q "equal to the exhaustive optimum .* of 3000 .*MISSED" exits.out

# Ctrl-C: the rows so far, exit code 0, and it can be gone on with.
ended=("$duet" bench exact --sizes 1000 --families unif4 -a "lpt,dual-4-3,local-search" -t 60)
"${ended[@]}" --csv int.csv >int.out 2>int.err &
child=$!
for _ in $(seq 400); do
    [ "$(cat int.csv 2>/dev/null | wc -l)" -ge 4 ] && break
    sleep 0.02
done
kill -INT $child
wait $child
check "interrupted: exit code" test $? -le 1
if grep -q "interrupted" int.err; then
    check "interrupted: says how to go on" grep -q -- "--resume goes on" int.err
    check "interrupted: whole rows" test -z "$(tail -c 1 int.csv)"
fi
"${ended[@]}" --csv int.csv --resume >exits.out 2>exits.err
check "interrupted: gone on with" test $? -le 1
check "interrupted: all rows, none twice" test "$(cut -d, -f2-6,10 int.csv | sort -u | wc -l)" -eq $((1 + 6 * 2 * 3))

# Shards: their files are the whole, and their digests add up.
sum=0
for i in 1 2 3; do
    "${grid[@]}" --shard $i/3 --csv "s$i.csv" >exits.out 2>exits.err
    check "shard $i/3" test $? -le 1
    check "shard $i/3: says so" grep -q "^144 rows of shard $i/3, digest" exits.out
    check "shard $i/3: is no whole set" grep -q "^set main (narrowed): 72 instances" exits.out
    sum=$(printf '%x' $((0x$sum + 0x$(digest))))
done
check "the digests of shards add up" test "$(printf '%016x' "0x$sum")" = "$whole"
cat s2.csv s3.csv s1.csv >shards.csv
exits 1 "the shards as one file" "${grid[@]}" --csv shards.csv --resume
check "the shards as one file: nothing is run" grep -q "432 of them from shards.csv, digest $whole" exits.out
check "the shards as one file: the rows" same_rows one.csv shards.csv
check "the shards as one file: the figures" cmp <(table one.txt) <(table exits.out)
exits 3 "a shard in another's file" "${grid[@]}" --shard 2/3 --csv s1.csv --resume
exits 0 "a shard as JSON" "$duet" bench exact --set pair --seeds 30 -a dual-4-3 --shard 1/2 --json
check "a shard as JSON: says so" python3 -c '
import json
run = json.load(open("exits.out"))
assert (run["shard"], run["shards"], len(run["runs"]), run["narrowed"]) == (1, 2, 15, True), run'

# Files with proofs hold no runs without one, and the other way round.
if "$duet" list algorithms | grep -qw exact; then
    proofs=("$duet" bench exact --set small --seeds 20 -a "exact,lpt")
    "${proofs[@]}" --proofs --csv p.csv >exits.out 2>&1
    "${proofs[@]}" --csv none.csv >exits.out 2>&1
    exits 3 "proofs, without --proofs" "${proofs[@]}" --csv p.csv --resume
    check "proofs, without --proofs: says so" grep -q "made with --proofs" exits.err
    exits 3 "no proofs, with --proofs" "${proofs[@]}" --proofs --csv none.csv --resume
    "${proofs[@]}" --proofs --csv p.csv --resume >exits.out 2>&1
    check "proofs, with --proofs: nothing is run" grep -q "40 rows, 40 of them from p.csv" exits.out
fi

# Several processes: those that MPI brings together share the instances, others have a shard each.
rank() { env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK="$1" "$duet" bench exact "${@:2}"; }
step() { env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID="$1" "${grid[@]}" "${@:2}"; }
exits 2 "an option that is none as rank 0" rank 0 --nonsense
check "an option that is none as rank 0: one line" test "$(wc -l <exits.err)" -eq 1
exits 2 "an option that is none as rank 2" rank 2 --nonsense
check "an option that is none as rank 2: silent" test ! -s exits.err
for rank in 0 1; do
    exits 2 "srun without MPI as rank $rank" step $rank --csv rank.csv
    check "srun without MPI as rank $rank: said once" test "$(wc -l <exits.err)" -eq $((1 - rank))
done
check "what is refused writes nothing" test ! -e rank.csv
step 1 --shard 2/3 --csv part.csv >exits.out 2>exits.err
check "srun with a shard each" same_rows s2.csv part.csv

. "$2/tests/support/ranks.sh"
if ! "$duet" --version | grep -qw mpi || ! ranks_start; then
    echo "skipped: mpirun, which is not there or starts no processes of MPI here"
else
    for ranks in 1 3; do
        exits 1 "$ranks ranks" ranks $ranks "${grid[@]}" --csv "r$ranks.csv"
        check "$ranks ranks: one report" test "$(grep -c '^set main ' exits.out)" -eq 1
        check "$ranks ranks: the rows" same_rows one.csv "r$ranks.csv"
        check "$ranks ranks: the figures" cmp <(table one.txt) <(table exits.out)
    done
    cp s1.csv rest.csv
    exits 1 "ranks go on with a file" ranks 2 "${grid[@]}" --csv rest.csv --resume
    check "ranks go on with a file: the rows" same_rows one.csv rest.csv
    exits 2 "ranks and a file that is there" ranks 3 "${grid[@]}" --csv one.csv
    check "ranks and a file that is there: said once" test "$(grep -c '^duet: one.csv' exits.err)" -eq 1
fi
exit $failed
