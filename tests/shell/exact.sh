#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# solve -a exact with a proof, and verify --proof, from end to end.
# Usage: exact.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# expect CODE FRAGMENT ARGUMENT...: FRAGMENT is in what is printed, on either stream.
expect() {
    local code=$1 fragment=$2 got
    shift 2
    timeout -s KILL 600 "$duet" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$code" ] && { [ -z "$fragment" ] || cat out err | grep -q -- "$fragment"; }; then
        echo "ok $*"
    else
        echo "FAIL $*: exit code $got, expected $code and '$fragment'; $(cat out err)"
        failed=1
    fi
}

cat >three.json <<'END'
{"format": "duet-instance", "version": 1, "name": "three", "time_unit": "ms",
 "platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 3, "times": [0.6, 0.6]}]}
END
"$duet" generate unif4 -n 12 -m 4 -k 2 --seed 1 -o small.json || failed=1
"$duet" generate unif4 -n 30 -m 8 -k 2 --seed 1 -o middle.json || failed=1
"$duet" generate corr -n 100 -m 20 -k 4 --seed 1 -o large.json || failed=1
# A build without GLPK proves less.
minimal=no
"$duet" bound small.json -b configuration >/dev/null 2>&1 || minimal=yes

files="three small"
[ "$minimal" = yes ] || files="$files middle"
for name in $files; do
    expect 0 "^status  *optimal$" solve $name.json -a exact -O proof=$name.proof -o $name-s.json
    expect 0 "certified by the proof $name.proof" verify $name.json $name-s.json --proof $name.proof
    expect 0 "status  *ok: optimal" verify $name.json $name-s.json --proof $name.proof --strict
done
# The bound of a search has no certificate but its proof.
if [ "$minimal" = no ]; then
    expect 0 "exact, certified" solve middle.json -a exact -o middle-s.json
    expect 0 "certified by its lines certificate" verify middle.json middle-s.json --strict
fi

# A deadline: the bound there is has its proof.
expect 0 "^status  *bounded, time limit reached$" \
    solve large.json -a exact -t 0.1 -O proof=large.proof -o large-s.json
expect 0 "status  *ok: bounded" verify large.json large-s.json --proof large.proof --strict

# Memory ends wherever a search may need it: its best schedule stays, and a word says so. Where none is left for the
# checker either, the certificate is not checked.
short=0
for seed in 1 2 3 4; do
    for words in "unif4 -n 60 -m 8 -k 2" "acc -n 40 -m 5 -k 3" "uniform -n 40 -m 2 -k 2" "mixed -n 30 -m 4 -k 2,3"; do
        # shellcheck disable=SC2086 # a family and its options
        "$duet" generate $words --seed $seed -o tight.json || failed=1
        for mib in 1 2 4; do
            timeout -s KILL 600 "$duet" solve tight.json -a exact -O rounds=2 --memory $mib -o tight-s.json >out 2>err
            got=$?
            grep -q "^duet: note: \(the search ended early\|the certificate was not checked\): " err && short=$((short + 1))
            if [ "$got" != 0 ] || ! "$duet" verify tight.json tight-s.json >out 2>>err; then
                echo "FAIL $words --seed $seed --memory $mib: exit code $got, $(cat out err)"
                failed=1
            fi
        done
    done
done
[ $short -gt 0 ] || { echo "FAIL memory never ended a search" && failed=1; }

# A limit comes before anything was searched, or leaves no room for a search: the schedule is written
# all the same.
for limit in "-t 0.000001" "-t 0.2 --memory 3"; do
    rm -f large-s.json large.proof
    # shellcheck disable=SC2086 # two arguments each
    expect 0 "^status  *bounded, .*limit reached$" solve large.json -a exact $limit \
        -O proof=large.proof -o large-s.json
    expect 0 "status  *ok: bounded" verify large.json large-s.json --strict
    grep -q '"interrupted": true' large-s.json || { echo "FAIL $limit: not interrupted"; failed=1; }
done
# With releases, no more is claimed than the file proves, whatever other bounds and searches say.
cat >released.json <<'END'
{"format": "duet-instance", "version": 1,
 "platform": [{"type": "cpu", "count": 2, "busy": [18, 1]}, {"type": "gpu", "count": 2, "busy": [13, 15]}],
 "tasks": [
  {"id": "t0", "times": [19, 1], "release": 6}, {"id": "t1", "times": [15, 16], "release": 8},
  {"id": "t2", "times": [6, 2], "release": 15}, {"id": "t3", "times": [12, 2], "release": 13},
  {"id": "t4", "times": [10, 9], "release": 14},
  {"id": "t5", "times": [8, 15], "release": 12, "after": ["t0", "t1", "t2"]},
  {"id": "t6", "times": [12, 8], "release": 10},
  {"id": "t7", "times": [8, 14], "release": 7, "after": ["t0", "t6"]},
  {"id": "t8", "times": [19, 12], "release": 4, "after": ["t0", "t2"]},
  {"id": "t9", "times": [8, 9], "release": 4, "after": ["t2"]},
  {"id": "t10", "times": [12, 11], "release": 13, "after": ["t2"]},
  {"id": "t11", "times": [8, 17], "release": 8, "after": ["t2"]},
  {"id": "t12", "times": [15, 4], "release": 13, "after": ["t3", "t9"]},
  {"id": "t13", "times": [15, 11], "release": 8}
]}
END
expect 0 "" solve released.json -a exact -O rounds=1 -O proof=released.proof -o released-s.json
expect 0 "certified by the proof" verify released.json released-s.json --proof released.proof --strict
# Nor is the end of what is given, which the proof knows nothing of.
printf 'task,type,processor,start\nt13,cpu,1,40\n' >fixed.csv
expect 0 "" solve released.json -a exact -O rounds=1 --fix fixed.csv -O proof=fixed.proof -o fixed-s.json
expect 0 "certified by the proof" verify released.json fixed-s.json --fix fixed.csv --proof fixed.proof --strict
# Nothing to prove: the proof has no node.
printf 'id,count,cpu,gpu\na,3,0,0\n' >zero.csv
expect 0 "^status  *optimal$" solve zero.csv -m 1 -k 1 -a exact -O proof=zero.proof -o zero-s.json
expect 0 "ok: optimal" verify zero.csv zero-s.json -m 1 -k 1 --proof zero.proof --strict

# Millions of equal tasks, which no simple schedule is the best for; fewer, so that the file stays small, with their proof.
printf 'id,count,cpu,gpu\na,2000030,7,3\n' >equal.csv
expect 0 "^status  *optimal$" solve equal.csv -m 20 -k 4 -a exact
printf 'id,count,cpu,gpu\na,200030,7,3\n' >fewer.csv
expect 0 "^status  *optimal$" solve fewer.csv -m 20 -k 4 -a exact -O proof=fewer.proof -o fewer-s.json
expect 0 "ok: optimal" verify fewer.csv fewer-s.json -m 20 -k 4 --proof fewer.proof

# It gives up by itself: no limit is named.
printf 'id,count,cpu,gpu\na,10000001,7,3\n' >many.csv
expect 0 "^duet: note: nothing was searched: more than 10,000,000 tasks" solve many.csv -m 20 -k 4 -a exact -t 36000
grep -q '^status  *bounded$' out || { echo "FAIL many.csv: $(cat out)"; failed=1; }
# The proof of its bound is written where areas are enough; where they are not, that is an error, also with -q.
# (With fewer tasks and less memory, since a schedule of ten million takes long to read.)
expect 0 "^duet: note: nothing was searched: " solve fewer.csv -m 20 -k 4 -a exact --memory 5 -O proof=few.proof -o few-s.json
grep -q '^status  *bounded$' out || { echo "FAIL fewer.csv: $(cat out)"; failed=1; }
expect 0 "certified by the proof" verify fewer.csv few-s.json -m 20 -k 4 --proof few.proof --strict
printf 'b,3,5,4\n' >>many.csv
expect 5 "^duet: no proof was written: more than 10,000,000" solve many.csv -m 1 -k 1 -a exact -O proof=no.proof -q
[ ! -e no.proof ] || { echo "FAIL no.proof was written"; failed=1; }
expect 0 "^duet: note: nothing was searched: " solve equal.csv -m 20 -k 4 -a exact --memory 100

# Another instance, another claim, an end that is missing.
expect 1 "small.proof" verify three.json three-s.json --proof small.proof
sed 's/^bound .*/bound 13/' three.proof >more.proof
expect 1 "more.proof" verify three.json three-s.json --proof more.proof
sed '/^end/d' small.proof >open.proof
expect 1 "expected 'end'" verify small.json small-s.json --proof open.proof
sed 's/^bound .*/bound 1/' small.proof >weak.proof
expect 1 "weak.proof" verify small.json small-s.json --proof weak.proof

# A proof that cannot be written: exit 5, and a schedule of that name stays what it was.
cp small-s.json before.json
expect 5 "none/p: cannot write" solve small.json -a exact -O proof="$tmp/none/p" -o small-s.json
cmp -s small-s.json before.json || { echo "FAIL the schedule file was lost"; failed=1; }
expect 5 "it is a folder" solve small.json -a exact -O proof="$tmp" -o small-s.json
cmp -s small-s.json before.json || { echo "FAIL the schedule file was lost"; failed=1; }
[ -z "$(find . -name '*.tmp*' -o -name '.small*')" ] || { echo "FAIL files are left: $(ls -A)"; failed=1; }

# The proof alone on standard output, and nothing else beside it.
"$duet" solve three.json -a exact -O proof=- -o three-s.json 2>err | cmp -s - three.proof || {
    echo "FAIL -O proof=-: $(cat err)"
    failed=1
}
expect 2 "a file beside --json" solve three.json -a exact -O proof=- --json
expect 2 "a file of its own for each output" solve three.json -a exact -O proof=- -o -
expect 2 "a file of its own for each output" solve three.json -a exact -O proof=x -o x
expect 2 "'three.json' is the instance" solve three.json -a exact -O proof=three.json
expect 2 "expected a file, got '-'" compare three.json -a exact -O proof=-

expect 2 "unknown option 'prof'" solve small.json -a exact -O prof=x

# Rounds that two threads share end with what one thread finds. (The seconds differ.)
if [ "$minimal" = no ]; then
    "$duet" generate corr -n 40 -m 10 -k 3 --seed 3 -o rounds.json || failed=1
    expect 0 "bounded" solve rounds.json -a exact -O rounds=1 # else another instance is needed here
    for threads in 1 2 4; do
        expect 0 "optimal" solve rounds.json -a exact -j $threads -o "rounds-$threads.json"
        sed 's/"seconds": *[0-9.e-]*//' "rounds-$threads.json" >"rounds-$threads"
        cmp -s rounds-1 "rounds-$threads" || { echo "FAIL $threads threads: another answer"; failed=1; }
    done
fi

exit $failed
