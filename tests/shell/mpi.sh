#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A sweep among several processes that mpirun starts: the same rows and the same digest as in one, one
# writer, and a file to go on with however it ends. Usage: mpi.sh DUET SOURCE_FOLDER
set -u
duet=$1
if ! "$duet" --version | grep -qw mpi; then
    echo "skipped: a build without MPI"
    exit 77
fi
if ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$2/tests/support/checks.sh"
. "$2/tests/support/ranks.sh"
if ! ranks_start; then
    echo "skipped: mpirun starts no processes of MPI here: $(head -c 300 exits.out)"
    exit 77
fi

digest() { sed -n 's/.* digest \([0-9a-f]*\),.*/\1/p' exits.out; }
rows() { grep -v '^job,' "$1" | sed 's/,[^,]*\(,[^,]*\)$/\1/' | sort; }
same_rows() { cmp <(rows "$1") <(rows "$2"); }

sweep=("$duet" bench ratios --family small -a "lpt,heft" --instances 2000)
exits 0 "alone" "${sweep[@]}" --csv alone.csv
whole=$(digest)
check "alone: a digest" test -n "$whole"

for ranks in 1 2 4; do
    exits 0 "$ranks ranks" ranks $ranks "${sweep[@]}" -j 1 --csv "r$ranks.csv"
    check "$ranks ranks: one report" test "$(grep -c ' digest ' exits.out)" -eq 1
    check "$ranks ranks: the digest" test "$(digest)" = "$whole"
    check "$ranks ranks: the rows" same_rows alone.csv "r$ranks.csv"
done
exits 0 "3 ranks of 2 threads" ranks 3 "${sweep[@]}" -j 2
check "3 ranks of 2 threads: the digest" test "$(digest)" = "$whole"
exits 0 "more ranks than jobs" ranks 4 "$duet" bench ratios --family small -a lpt --instances 2
check "more ranks than jobs: both rows" grep -q "^2 rows" exits.out
exits 0 "a shard" ranks 2 "${sweep[@]}" --shard 1/2 --csv half.csv
exits 0 "a shard alone" "${sweep[@]}" --shard 1/2 --csv half1.csv
check "a shard: the rows" same_rows half.csv half1.csv
cp half.csv rest.csv
exits 0 "the rest" ranks 2 "${sweep[@]}" --csv rest.csv --resume
check "the rest: the digest" test "$(digest)" = "$whole"
check "the rest: half of it was there" grep -q "4000 rows, 2000 of them from rest.csv" exits.out
check "the rest: the rows" same_rows alone.csv rest.csv

# What fails at the writer ends all of them, with its code.
exits 2 "a file that is there" ranks 3 "${sweep[@]}" --csv alone.csv
check "a file that is there: said once" test "$(grep -c '^duet: alone.csv' exits.err)" -eq 1
exits 5 "a full device" ranks 3 "${sweep[@]}" --csv /dev/full
exits 3 "another sweep's file" ranks 2 "${sweep[@]}" --seed 5 --csv alone.csv --resume

# In the middle of it: Ctrl-C, a rank that is killed. Each leaves a file to go on with.
long=("$duet" bench ratios --family small -a "lpt,heft" --instances 40000 -j 1)
exits 0 "the long one alone" "${long[@]}"
whole=$(digest)
wait_for_rows() {
    for _ in $(seq 30000); do # ten minutes
        [ "$(cat "$1" 2>/dev/null | wc -l)" -gt 500 ] && return
        sleep 0.02
    done
}
go_on() {
    local before
    before=$(cat "$2" | wc -l)
    exits 0 "$1: gone on with" ranks 2 "${long[@]}" --csv "$2" --resume
    check "$1: the digest" test "$(digest)" = "$whole"
    check "$1: all rows, none twice" test "$(cut -d, -f1,8 "$2" | sort -u | wc -l)" -eq 80001
    check "$1: what was there was kept ($before lines)" test \
        "$(sed -n 's/.* rows, \([0-9]*\) of them.*/\1/p' exits.out)" -ge $((before - 3))
}
mpirun -n 3 "${long[@]}" --csv int.csv >exits.out 2>exits.err &
child=$!
wait_for_rows int.csv
kill -INT $child
ended $child
go_on "Ctrl-C" int.csv

mpirun -n 3 "${long[@]}" --csv kill.csv >exits.out 2>exits.err &
child=$!
wait_for_rows kill.csv
# The ranks are children of mpirun.
victim=$(pgrep -P $child | tail -n 1)
kill -KILL "${victim:-$child}"
ended $child
go_on "a rank that is killed" kill.csv

# Rank 0, which writes.
mpirun -n 3 "${long[@]}" --csv first.csv >exits.out 2>exits.err &
child=$!
wait_for_rows first.csv
victim=
for process in $(pgrep -P $child); do
    tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=0 && victim=$process
done
check "rank 0 is found" test -n "$victim"
kill -KILL "${victim:-$child}"
ended $child
check "rank 0 is killed: not all was done" test "$(wc -l <first.csv)" -lt 80001
go_on "rank 0 is killed" first.csv

# What is wrong with the command line is said once, and what is no sweep is refused.
exits 2 "an option that is none" ranks 3 "$duet" bench ratios --nonsense
check "an option that is none: said once" test "$(grep -c '^duet: ' exits.err)" -eq 1
exits 2 "no sweep" ranks 3 "$duet" bench search --csv search.csv
check "no sweep: said once" test "$(grep -c '^duet: .*cannot be shared between 3' exits.err)" -eq 1
check "no sweep: nothing written" test ! -e search.csv

exit $failed
