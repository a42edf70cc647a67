#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Exit codes, and the one line on standard error that goes with each but 0.
# Usage: exit_codes.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# lists NAME...: the last message expects one of several names, in whatever order; these are among them.
lists() {
    local names=", $(sed -n 's/.*expected one of //p' err),"
    for name in "$@"; do
        case $names in
            *", $name,"*) echo "ok $name is expected" ;;
            *) echo "FAIL $name is not expected: $names"; failed=1 ;;
        esac
    done
}

# expect CODE FRAGMENT ARGUMENT...: runs duet; after a failure standard output is empty and standard
# error is one line that begins with "duet: " and holds FRAGMENT.
expect() {
    local code=$1 fragment=$2 got why=""
    shift 2
    "$duet" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || why="exit code $got, expected $code"
    if [ "$code" != 0 ]; then
        [ -s out ] && why="$why; standard output is not empty"
        [ "$(wc -l <err)" = 1 ] || why="$why; $(wc -l <err) lines on standard error"
        grep -q '^duet: ' err || why="$why; no 'duet: '"
    fi
    [ -z "$fragment" ] || grep -qF -- "$fragment" err ||
        why="$why; expected '$fragment', got '$(cat err)'"
    if [ -z "$why" ]; then
        echo "ok duet $*"
    else
        echo "FAIL duet $*: $why"
        failed=1
    fi
}

cat >good.json <<'END'
{"format": "duet-instance", "version": 1, "name": "good", "time_unit": "ms",
 "platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 3, "times": [4, 1.5]}, {"id": "b", "times": [2, null]}]}
END
printf 'id,cpu,gpu\na,4,1\nb,2,\n' >good.csv
printf 'id,cpu\na,4\nb,2\n' >one.csv
printf 'id,cpu,gpu,npu\na,4,1,3\nb,2,,1\n' >three.csv
printf 'id,cpu,gpu\na,,1\n' >gpu.csv
cat >many.json <<'END'
{"format": "duet-instance", "version": 1,
 "platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 5000000, "times": [4, 1]}]}
END
echo '{"format": ' >bad.json
"$duet" solve good.json -a heft -o good-s.json >/dev/null || failed=1
"$duet" generate unif4 -n 60 -m 6 -k 3 --seed 1 -o unif4.json || failed=1
"$duet" generate unif4 -n 600 -m 2 -k 300 --seed 1 -o wide.json || failed=1

# 0: done
for command in solve bound verify generate simulate compare list; do
    expect 0 "" "$command" --help
    expect 0 "" help "$command"
done
expect 0 "" --help
expect 0 "" help
expect 0 "" --version
expect 0 "" solve good.json -a eft
expect 0 "" solve good.csv -m 2 -k 1 -a eft
expect 0 "" solve good.json -m 3 -a eft
expect 0 "" solve good.json -k 3 -a eft
expect 0 "" solve one.csv -m 2 -a eft
expect 0 "" solve three.csv -m 2 -k 1,3 -a eft
expect 0 "" bound good.json -m 1 -k 0 -b area
expect 0 "" verify good.json good-s.json
expect 0 "" compare --export lp good.json
expect 0 "" compare --export mps good.csv -m 2 -k 1 -o good.mps
expect 0 "" compare three.csv -m 2 -k 1,3 --export lp -o -

# 1: a check said no
sed 's/"makespan": *[0-9.]*/"makespan": 1/' good-s.json >lie.json
expect 1 "lie.json" verify good.json lie.json
sed '0,/"processor": *0/s//"processor": 7/' good-s.json >nowhere.json
expect 1 "nowhere.json" verify good.json nowhere.json
python3 - <<'END'
import json
s = json.load(open("good-s.json"))
del s["schedule"][0]
json.dump(s, open("missing.json", "w"))
s = json.load(open("good-s.json"))
s["certificate"] = {}
s["lower_bound"] = min(1, s["makespan"])
s["status"] = "bounded"
json.dump(s, open("unproven.json", "w"))
END
expect 1 "missing.json" verify good.json missing.json
expect 0 "" verify good.json unproven.json
expect 1 "certificate" verify good.json unproven.json --strict

# 0: a table beyond the memory limit ends the search of dual-4-3, and the schedule it began with stays
expect 0 "note: the search ended early: the published table takes" \
    solve unif4.json -a dual-4-3 -O table=published --memory 1
grep -q '^status  *bounded, limit reached$' out && grep -q '^guarantee  *none$' out || {
    echo "FAIL dual-4-3 beyond the limit: $(cat out)"
    failed=1
}

# 2: wrong usage
expect 2 "no command"
expect 2 "unknown command 'slove'" slove
expect 2 "no help on 'slove'" help slove
expect 2 "did you mean solve?" solv
expect 2 "did you mean heft? heft is an algorithm: 'duet solve FILE -a heft' runs it" heftt
expect 2 "; 'duet list families chol' says what it is" chol
for command in solve bound verify generate simulate compare; do
    expect 2 "$command: expected" "$command"
done
expect 2 "expected two files" verify good.json
expect 2 "unexpected argument 'x'" solve good.json x
expect 2 "expected either -a or --solution" simulate good.json
expect 2 "expected either -a or --solution" simulate good.json -a eft --solution good-s.json
expect 2 "--keep: expected a plan" simulate good.json -a eft --keep order
expect 2 "'good.json' is the instance" simulate good.json -a eft --csv good.json
expect 2 "unknown algorithm 'nope'" simulate good.json -a nope
expect 2 "unexpected argument 'x'" verify good.json good-s.json x
expect 2 "-x: unknown option" solve good.json -x
expect 2 "--frob: unknown option" solve good.json --frob=1
expect 2 "several options begin so" solve good.json --t 3
expect 2 "-t: expected a value" solve good.json -t
expect 2 "--json: expected no value" solve good.json --json=yes
for seconds in abc 0 -1 nan inf 1e999 0x10 "" " 1" 0s 5M; do
    expect 2 "-t: expected a number of seconds greater than 0, or a length such as 2min, got '$seconds'" \
        solve good.json -t "$seconds"
done
for seconds in 1s 2min "1h 20m" 00:00:30 850ms; do # as where times are given
    expect 0 "" solve good.json -t "$seconds"
done
for gap in x -1 1 5 1001 "1 %" "" %; do
    expect 2 "--gap: expected a share below 1 or a percentage, such as 0.01 or 1%, got '$gap'" \
        solve good.json --gap "$gap"
done
for gap in x -1 1001 1e-10 "1 %" 100001%; do
    expect 2 "option gap: expected a share from 0 to 1000, such as 0.01 or 1%" \
        solve good.json -O "gap=$gap"
done
for count in abc -1 1.5 2147483648 "" " 1" 1e3 99999999999999999999999; do
    expect 2 "-m: expected a whole number from 0 to 2147483647, got '$count'" \
        solve good.json -m "$count" -k 1
done
expect 2 "-k: expected a whole number" solve good.json -m 1 -k 1,
expect 2 "-j: expected a whole number" solve good.json -j 0
expect 2 "--memory: expected a whole number" solve good.json --memory 0
expect 2 "--seed: expected a whole number" solve good.json --seed -1
expect 2 "-n: expected a whole number" generate uniform -n 0
expect 2 "at least one processor" solve good.json -m 0 -k 0
expect 2 "at least one processor" generate uniform -m 0 -k 0
expect 2 "expected -m M -k K" solve good.csv
expect 2 "expected -m M -k K" bound good.csv
expect 2 "-m needs -k" solve good.csv -m 2
expect 2 "-k needs -m" solve good.csv -k 2
expect 2 "expected -m without -k" solve one.csv -m 2 -k 1
expect 2 "expected 2 counts" solve three.csv -m 2 -k 1
expect 2 "expected 1 count after -k" solve good.json -k 1,2
expect 2 "two types, CPU and GPU: this one has 3; expected one of " solve three.csv -m 2 -k 1,3 -a dualhp
lists auto lst eft
expect 2 "two types, CPU and GPU: this one has 3; expected one of " bound three.csv -m 2 -k 1,3 -b shelf
lists longest area
expect 2 "unknown algorithm 'nope'" solve good.json -a nope
expect 2 "unknown bound 'nope'" bound good.json -b nope
expect 2 "unknown family 'nope'" generate nope
expect 2 "or a worst case, 'duet list families' has them" generate nope
expect 2 "unknown list 'nope'" list nope
expect 2 "unknown algorithm 'nope'" compare good.json -a eft,nope
expect 2 "key=value" solve good.json -O nope
expect 2 "unknown option 'nope'" solve good.json -a eft -O nope=1
expect 2 "'xml'" generate uniform --format xml
expect 2 "ends in one of .svg .png .pdf, got 'x.gif'" solve good.json --gantt x.gif
expect 2 "ends in one of .json .paje .rec, got 'x'" solve good.json --trace x
expect 2 "file of its own" solve good.json -o x.json --trace x.json
expect 2 "at most one '-'" verify - -
expect 2 "at most one '-'" compare - -
expect 2 "--watts: expected the watts of type gpu, too" show good.json good-s.json --summary --watts cpu=10
expect 2 "expected each type once" show good.json good-s.json --summary --idle-watts cpu=1,gpu=2,npu=3
expect 2 "expected each type once" compare good.json -a eft --watts cpu=x,gpu=2
expect 2 "unknown format 'xls' of a program: expected lp or mps" compare --export xls good.json
expect 2 "--export: expected one file, got 2" compare --export lp good.json good.csv
expect 2 "--export: expected one file, got 0" compare --export lp
expect 2 "expected no -a, --csv or --json" compare --export lp good.json -a eft
expect 2 "expected no -a, --csv or --json" compare --export lp good.json --csv x.csv
expect 2 "expected no -a, --csv or --json" compare --export lp good.json --json
expect 2 "expected --export beside it" compare good.json -o x.lp
expect 2 "'duet list algorithms heft'" heft
expect 2 "--chart F.svg beside them" solve good.json --size 720x480
expect 2 "--chart F.svg beside them" compare good.json --title gpus
expect 2 "WIDTHxHEIGHT in pixels" bound good.json --size 720
expect 2 "expected -m M -k K" compare --export lp good.csv
expect 2 "'good.json' is the instance" compare --export lp good.json -o good.json

# 3: input that is unreadable or invalid
expect 3 "missing.txt" solve missing.txt
expect 3 "bad.json:" solve bad.json
expect 3 "bad.json:" bound bad.json
expect 3 "bad.json:" compare bad.json
expect 3 "bad.json:" compare --export lp bad.json
expect 3 "missing.txt" verify good.json missing.txt
expect 3 "bad.json:" verify good.json bad.json
expect 3 "" solve .
expect 3 "standard input" solve -

# 4: no schedule exists
expect 4 "" solve gpu.csv -m 2 -k 0
expect 4 "" bound gpu.csv -m 2 -k 0
expect 4 "" compare gpu.csv -m 2 -k 0
expect 4 "" compare --export lp gpu.csv -m 2 -k 0

# 5: a limit came before any answer
expect 5 "" solve many.json -a eft --memory 1
expect 5 "collapsed table takes" solve wide.json -a dual-2 -O table=collapsed --memory 1
expect 5 "cannot write" solve good.json -a eft -o "$tmp/none/x.json"
expect 5 "it is a folder" solve good.json -a eft -o "$tmp"
expect 5 "cannot write" compare --export lp good.json -o "$tmp/none/x.lp"
expect 5 "it is a folder" compare --export mps good.json -o "$tmp"
"$duet" generate uniform -n 100000 -m 100000 -k 8 -o large.json || failed=1
expect 5 "is too large: expected at most 2000000 columns" compare --export lp large.json -o large.lp

exit $failed
