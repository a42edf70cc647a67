#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `duet bench search` as its user meets it: what it finds can be solved again and has the ratio it
# claims; budgets in candidates give the same answer with any number of threads.
# Usage: search.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
support=$2/tests/support
. "$support/checks.sh"
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# Bad usage, in one line.
while IFS='|' read -r words what; do
    # shellcheck disable=SC2086 # words
    exits 2 "$words" "$duet" bench search $words
    check "$words: one line that names it" \
        bash -c 'test "$(wc -l <exits.err)" -eq 1 && grep -q -- "$1" exits.err' _ "$what"
done <<'END'
|-a
-a nonsense|nonsense
-a eft -m 3:2|-m
-a eft -m 1:2:3|-m
-a eft -m 33|-m
-a eft -m 0 -k 0|-k
-a eft -k 1:|-k
-a eft -n 0|-n
-a eft -n 49|-n
-a eft --max-time 0|--max-time
-a eft --evaluations 0|--evaluations
-a eft --restarts x|--restarts
-a eft --loss -1|--loss
-a eft --loss 51|--loss
-a eft -t 0|-t
-a eft -O nonsense=1|nonsense
-a eft -o -|-o
-a eft extra|extra
END
exits 5 "a file in no folder" "$duet" bench search -a eft --evaluations 100 -o none/x.json
check "--help" bash -c '"$1" bench search --help | grep -q -- --evaluations' _ "$duet"

# field FILE KEY
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }
# search NAME AT_LEAST OPTION...: searches into NAME.json and holds what it claims to `solve`.
search() {
    local name=$1 least=$2
    shift 2
    exits 0 "$name" "$duet" bench search "$@" --json -o "$name.instance"
    cp exits.out "$name.json"
    check "$name: a ratio of at least $least, as exact says, confirmed" python3 -c '
import json, sys
from fractions import Fraction
found = json.load(open(sys.argv[1]))
ratio = Fraction(found["makespan"], found["optimum"])
assert Fraction(found["exact"]) == ratio and abs(found["ratio"] - ratio) < 1e-8
assert ratio >= Fraction(sys.argv[2]), ratio
assert found["confirmed"] and not found["exceeded"] and found["fault"] is None
assert found["instance"] == json.load(open(sys.argv[3]))' "$name.json" "$least" "$name.instance"
    local algorithm
    algorithm=$(field "$name.json" algorithm)
    "$duet" solve "$name.instance" -a "$algorithm" --json >solved.json
    "$duet" solve "$name.instance" -a exact --json >best.json
    check "$name: solve says the same" test \
        "$(field solved.json makespan) $(field best.json makespan)" = \
        "$(field "$name.json" makespan) $(field "$name.json" optimum)"
}
search published 151/100 -a accel-published --evaluations 20000 --seed 1
check "published: refuted" test "$(field published.json refuted)" = True
check "published: every task is accelerated" python3 -c '
import json
for task in json.load(open("published.instance"))["tasks"]:
    assert task["times"][1] <= task["times"][0]'
search heteroprio 154/100 -a heteroprio -m 1 -k 1 --evaluations 60000 --seed 1
search lpt 117/105 -a lpt -m 2 -k 0 --evaluations 20000 --seed 1
check "lpt: its proven ratio" test "$(field lpt.json proven)" = 7/6
search dualhp 190/100 -a dualhp --evaluations 40000 --seed 1
search exact 1 -a exact --restarts 1 --evaluations 300 -n 1:5
search improved 1 -a dualhp -O improve=true --restarts 1 --evaluations 500 -n 3:6 --forbidden

# The same with any number of threads, and every time.
same() {
    "$duet" bench search -a er-ls --evaluations 30000 --seed 7 --json "$@" |
        grep -vE '"seconds"'
}
same -j 1 >one.json
same -j 2 >two.json
check "threads change nothing" cmp one.json two.json
check "something was found" grep -q '"ratio": [1-9]' one.json
"$duet" bench search -a er-ls --evaluations 30000 --seed 8 --json | grep -v '"seconds"' >other.json
check "another seed searches elsewhere" bash -c '! cmp -s one.json other.json'

# Moldable tasks: proven ratios hold, whatever the threads, and the instance is what it says.
for a in moldable-2 moldable-3-2 moldable-hybrid; do
    gpus=0
    [ $a = moldable-hybrid ] && gpus=1
    exits 0 "$a" "$duet" bench search -a $a -m 2:4 -k $gpus -n 1:4 --max-time 20 --evaluations 2000 --seed 1 -j 1 \
        --json -o $a.json
    cp exits.out one
    check "$a: a ratio above 1, and not above the proven one" python3 - one <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
assert 1 < found["ratio"] <= found["proven_value"] and found["confirmed"] and found["fault"] is None, found
END
    exits 0 "$a with threads" "$duet" bench search -a $a -m 2:4 -k $gpus -n 1:4 --max-time 20 --evaluations 2000 --seed 1 \
        -j 3 --json
    check "$a: threads change nothing" python3 - one exits.out <<'END'
import json, sys
one, three = (json.load(open(name)) for name in sys.argv[1:])
for found in (one, three):
    del found["seconds"]
assert one == three
END
    check "$a: the file has the ratio" bash -c '"$1" solve $2.json -a $2 --json | grep -q "\"makespan\": $(
        python3 -c "import json; print(json.load(open(\"one\"))[\"makespan\"])"),"' _ "$duet" $a
done
exits 0 "auto on moldable tasks" "$duet" bench search -a auto --moldable -m 1:3 -k 0 -n 1:3 --evaluations 300 -q
check "auto on moldable tasks: nothing to find" grep -q "^auto  *1.0000 " exits.out
# A ratio of independent tasks is none of graphs: the search goes on beyond it.
exits 0 "heteroprio on graphs" "$duet" bench search -a heteroprio --edges -m 1 -k 1 -n 3:6 --evaluations 20000 --seed 1 --json
check "heteroprio on graphs: above 3, nothing proven" python3 -c '
import json
find = json.load(open("exits.out"))
assert find["proven"] is None and find["ratio"] > 3, find'
exits 2 "moldable tasks with edges" "$duet" bench search -a auto --moldable --edges -n 4
exits 2 "moldable tasks for what takes none" "$duet" bench search -a lpt --moldable

# For people.
exits 0 "the table" "$duet" bench search -a lpt -m 3 -k 0 --evaluations 30000
check "the table names the proven ratio" grep -q '11/9 = 1.2222' exits.out
check "without a terminal no progress line" test ! -s exits.err
exits 5 "time for nothing" "$duet" bench search -a eft -t 0.000001

# Ctrl-C shows what is there.
for signal in INT TERM; do
    python3 "$support/signalled.py" $signal "$duet" bench search -a eft -t 36000 --json >out 2>err
    check "$signal: exit code 0" test $? -eq 0
    check "$signal: says so" grep -q '^duet: interrupted' err
    check "$signal: the worst so far" test "$(field out interrupted)" = True
done

# One evaluation of ilp may last for hours: -t and signals end it. The outer limit only keeps a
# failure from hanging; 5: not one candidate was settled, or there is no GLPK.
hard=(bench search -a ilp -n 30:48 -m 8 -k 4 --max-time 1000 --seed 1 -q)
ends() { # WHAT CODE
    check "$1: exit code 0 or 5, not $2" bash -c 'test "$1" -eq 0 -o "$1" -eq 5' _ "$2"
}
timeout -s KILL 600 "$duet" bench search -a ilp -n 30:40 -t 1 --seed 1 -q >out 2>err
ends "ilp, many tasks, -t 1" $?
timeout -s KILL 600 "$duet" "${hard[@]}" -t 1 >out 2>err
ends "ilp, hard, -t 1" $?
for signal in INT TERM; do
    python3 "$support/signalled.py" $signal "$duet" "${hard[@]}" --evaluations 100000000 >out 2>err
    ends "ilp, hard, $signal" $?
done
exit $failed
