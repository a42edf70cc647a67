#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A schedule as a step of a pipeline: examples/pipeline/ with Make, and with Snakemake where that is installed.
# $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
command -v make >/dev/null || { echo "skipped: no make"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$source"/examples/pipeline/* "$tmp"
cd "$tmp" || exit 1

check "make" make DUET="$duet"
for file in jobs.schedule.json jobs.checked jobs.svg jobs.plan.csv; do check "$file is there" test -s $file; done
check "the schedule was checked" grep -q '^status *ok: optimal' jobs.checked
check "a line a job" test "$(wc -l <jobs.plan.csv)" -eq 8
check "nothing is left to do" make -q DUET="$duet"
touch -d '1 minute' jobs.csv
exits 1 "a changed table is solved again" make -q DUET="$duet"
check "other machines" make DUET="$duet" MACHINES="-m 4 -k 2"
exits 2 "machines that cannot run it end the pipeline" make -B DUET="$duet" MACHINES="-m 0 -k 1"
check "clean" make clean
check "cleaned" test ! -e jobs.schedule.json

# What is asked for is what the folder has, also by Snakemake, for which no file may be of the future.
if command -v snakemake >/dev/null; then
    touch jobs.csv
    check "snakemake" env HOME="$tmp" snakemake --cores 2 --config duet="$duet"
    check "a schedule for each number of GPUs" grep -q optimal plan/1-gpus.checked
fi
exit $failed
