#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python examples do and print what they say, with NumPy and without. $1: the folder of examples, $2: a
# Python that finds the module and the library.
set -u
examples=$(realpath "$1")
python=${2:-python3}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export PYTHONDONTWRITEBYTECODE=1
faults=0

fail() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

# walk NAME PATTERN: what the walk-through prints is what its lines "#> " say, and those that match PATTERN.
walk() {
    "$python" "$examples/walkthrough.py" >out 2>err || fail "walkthrough.py $1: $(cat err)"
    sed -nE "s/^#($2)?> //p" "$examples/walkthrough.py" >expected
    grep -vx 'no NumPy here' out | diff expected - >difference ||
        fail "walkthrough.py $1 (<: it says, >: it prints): $(cat difference)"
}
mkdir none
echo 'raise ImportError("none, for a test")' >none/numpy.py
PYTHONPATH=$scratch/none${PYTHONPATH:+:$PYTHONPATH} walk "without NumPy" none
grep -qx 'no NumPy here' out || fail "walkthrough.py has NumPy where there should be none"
if "$python" -c 'import numpy' 2>/dev/null; then
    walk "with NumPy" numpy
fi

# solves STATUS LINE ARGUMENT...: the script ends with STATUS, and prints a line that matches.
solves() {
    local status=$1 line=$2
    shift 2
    "$python" "$examples/python_solve.py" "$@" >out 2>&1
    [ $? -eq "$status" ] || fail "python_solve.py $*: $(cat out)"
    grep -qE -- "^$line\$" out || fail "python_solve.py $*: no '$line' in: $(cat out)"
}
solves 0 'optimal: makespan 4\.5, at least 4\.5 \(longest, certified\), gap 0\.00%'
solves 0 'gpu 0: encode 0-2\.25, filter 2\.25-3\.75, resize 3\.75-4\.25'
printf 'id,cpu,gpu\na,4,1\nb,2,3\n' >tasks.csv
solves 0 'optimal: makespan 2, at least 2 .*' tasks.csv -m 1 -k 1 -a dual-4-3
solves 0 'drawn: schedule\.svg' tasks.csv -m 1 -k 1 --gantt schedule.svg
grep -q '<svg' schedule.svg || fail "no picture"
solves 1 'python_solve\.py: .*' missing.csv -m 1 -k 1

# The script of a notebook, as it is written, where what it imports is there.
if "$python" -c 'import matplotlib, networkx, pandas' 2>/dev/null; then
    "$python" "$examples/notebook.py" >out 2>err || fail "notebook.py: $(tail -3 err)"
    for line in '27 s, at least 27 s: optimal' ' +greedy +27\.75 +2\.7+8' ' *longest-first +29\.75 .*' ' +3 +15\.25 optimal' \
        'longest_first: [0-9]+ instead of [0-9]+ on [2-5] tasks' 'greedy with noise: mean .*' 'in a pool: [0-9]+ 6\.38.*'; do
        grep -qE -- "^$line\$" out || fail "notebook.py: no '$line' in: $(cat out)"
    done
    for file in regions.png regions.html worst.json; do
        [ -s "$file" ] || fail "notebook.py wrote no $file"
    done
else
    echo "notebook.py is left out: it needs matplotlib, networkx and pandas"
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
