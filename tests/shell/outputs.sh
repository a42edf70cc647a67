#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Outputs are written whole or not at all, and the exit code says so.
# Usage: outputs.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# expect CODE FRAGMENT ARGUMENT...
expect() {
    local code=$1 fragment=$2 got
    shift 2
    "$duet" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$code" ] && { [ -z "$fragment" ] || grep -qF -- "$fragment" err; }; then
        echo "ok duet ${*@Q}"
    else
        echo "FAIL duet $*: exit code $got, expected $code; $(cat err)"
        failed=1
    fi
}
# holds WHAT NAME...: the folder w holds exactly these.
holds() {
    local what=$1 names
    shift
    names=$(cd w && echo *)
    if [ "$names" = "$*" ]; then
        echo "ok $what"
    else
        echo "FAIL $what: w holds '$names', expected '$*'"
        failed=1
    fi
}

mkdir w w/folder locked
"$duet" generate uniform -n 40 -m 3 -k 2 -o in.json || failed=1

expect 0 "" solve in.json -a heft -o w/s.json --trace w/t.json
holds "two outputs, no temporary file" folder s.json t.json
cp w/s.json before
expect 0 "" solve in.json -a heft -o w/s.json
holds "an output is replaced" folder s.json t.json
expect 0 "" verify in.json w/s.json
rm w/s.json w/t.json

expect 5 "it is a folder" solve in.json -a heft -o w/folder
expect 5 "no folder" solve in.json -a heft -o w/none/s.json
expect 5 "it is a folder" generate uniform -o w/folder
expect 5 "no folder" generate uniform -o w/none/u.json
expect 5 "it is a folder" compare in.json -a heft --csv w/folder
holds "nothing is left of these" folder

# A full disk: the file cannot be written, the other outputs are.
expect 5 "No space left on device" solve in.json -a heft -o /dev/full --trace w/t.json
holds "the other output is there" folder t.json
rm -f w/t.json

# Standard output that cannot be written.
for arguments in "list" "list --json" "--help" "help solve" "--version" "bound in.json" \
    "bound in.json --json" "solve in.json -a heft" "solve in.json -a heft --json" \
    "generate uniform" "compare in.json -a heft" "compare in.json -a heft --csv -"; do
    # shellcheck disable=SC2086
    "$duet" $arguments >/dev/full 2>err
    code=$?
    if [ $code = 5 ] && [ "$(grep -c '^duet: .*No space left' err)" = 1 ] &&
        [ "$(wc -l <err)" = 1 ]; then
        echo "ok duet $arguments >/dev/full"
    else
        echo "FAIL duet $arguments >/dev/full: exit code $code; $(cat err)"
        failed=1
    fi
done

# A folder without permission to write. It stops nobody who is root.
chmod a-w locked
if ! touch locked/probe 2>/dev/null; then
    expect 5 "cannot write" solve in.json -a heft -o locked/s.json --trace w/t.json
    holds "the other output is there" folder t.json
    rm -f w/t.json
fi
rm -f locked/probe
# Nor does anybody make files here.
expect 5 "cannot write" solve in.json -a heft -o /proc/s.json --trace w/t.json
holds "the other output is there" folder t.json
rm -f w/t.json

# A full standard output does not take the file with it.
"$duet" solve in.json -a heft --json -o w/s.json >/dev/full 2>err
code=$?
[ $code = 5 ] || { echo "FAIL exit code $code, expected 5"; failed=1; }
holds "the file is there though standard output is full" folder s.json
expect 0 "" verify in.json w/s.json
rm -f w/s.json

# An input that fails leaves the old output alone.
echo old >w/old.json
expect 3 "missing" solve missing -o w/old.json
[ "$(cat w/old.json)" = old ] || { echo "FAIL the old output is gone"; failed=1; }
holds "and nothing new" folder old.json

# Links are followed and kept, whether or not anything is there yet.
# link WHAT NAME: NAME is a link still, and what it leads to is a schedule.
link() {
    if [ -L "w/$2" ] && "$duet" verify in.json "w/$2" >/dev/null 2>err; then
        echo "ok $1"
    else
        echo "FAIL $1: $(ls -l "w/$2"), $(cat err)"
        failed=1
    fi
}
rm -f w/old.json
ln -s late.json w/link.json
ln -s folder/far.json w/far.json
ln -s "$PWD/w/link2.json" w/link1.json
ln -s far2.json w/link2.json
for name in link far link1; do
    expect 0 "" solve in.json -a heft -o w/$name.json
    link "a link to what was not there" $name.json
    expect 0 "" solve in.json -a eft -o w/$name.json
    link "a link to what is there" $name.json
done
holds "a file for each link" far.json far2.json folder late.json link.json link1.json link2.json
ln -s none/s.json w/lost.json
expect 5 "w/lost.json: cannot write: there is no folder 'w/none'" solve in.json -a heft -o w/lost.json
expect 5 "w/lost.json: cannot write" generate uniform -o w/lost.json
ln -s loop.json w/loop.json
expect 5 "w/loop.json: cannot write: Too many levels of symbolic links" solve in.json -a heft -o w/loop.json
ln -s /dev/full w/full.json
expect 5 "w/full.json: cannot write: No space left on device" solve in.json -a heft -o w/full.json
ln -s folder w/folder.json
expect 5 "it is a folder" solve in.json -a heft -o w/folder.json
for name in lost loop full folder; do
    [ -L w/$name.json ] || { echo "FAIL w/$name.json is no link any more"; failed=1; }
    rm w/$name.json
done
[ -c /dev/full ] || { echo "FAIL /dev/full is gone"; failed=1; }
rm -f w/*.json w/folder/*

# A named pipe, and standard output by another name.
mkfifo w/pipe.json
cat w/pipe.json >read.json &
expect 0 "" solve in.json -a heft -o w/pipe.json
wait $!
expect 0 "" verify in.json read.json
"$duet" solve in.json -a heft -o /dev/stdout 2>err | sed -n '/^{/,$p' >read.json
grep -q '"format": "duet-solution"' read.json || { echo "FAIL -o /dev/stdout: $(cat err)"; failed=1; }
holds "the pipe is one still" folder pipe.json
rm w/pipe.json

# Who may read an old file may read the new one, whatever the process gives its new files.
(umask 077 && "$duet" solve in.json -a heft -o w/s.json >/dev/null) || failed=1
[ "$(stat -c %a w/s.json)" = 600 ] || { echo "FAIL mode $(stat -c %a w/s.json), expected 600"; failed=1; }
chmod 664 w/s.json
(umask 077 && "$duet" solve in.json -a heft -o w/s.json >/dev/null) || failed=1
[ "$(stat -c %a w/s.json)" = 664 ] || { echo "FAIL mode $(stat -c %a w/s.json), expected 664"; failed=1; }
rm w/s.json

# Names as long as a file system takes; one byte more is refused.
long=$(printf 'é%.0s' {1..125})
expect 0 "" solve in.json -a heft -o "w/$long.json"
holds "a name of 255 bytes" folder "$long.json"
expect 5 "File name too long" solve in.json -a heft -o "w/x$long.json"
holds "nothing of a longer one" folder "$long.json"
rm "w/$long.json"

# Standard error closed: what is for people goes to no file that is open meanwhile.
"$duet" solve in.json -a exact -t 0.05 -O proof=w/p.proof -o w/s.json >out 2>&- <&-
code=$?
case $code in
0) expect 0 "" verify in.json w/s.json ;;
2) ;; # a build without GLPK
*) echo "FAIL closed standard streams: exit code $code"; failed=1 ;;
esac
rm -f w/s.json w/p.proof

# Odd names.
expect 0 "" solve in.json -a heft -o "w/a b'c.json"
expect 0 "" solve in.json -a heft -o "./-x.json"
expect 0 "" verify in.json ./-x.json
expect 3 "duet: no\\nsuch" solve "no
such"

# An instance of which something is given keeps what else is said of it, whether the new ticks are finer or not, and so does
# what its reader has to say: the same file comes of it but for what was given.
cat >said.json <<'EOF'
{"platform": [{"type": "cpu", "count": 3, "watts": 10, "idle_watts": 1.5}, {"type": "gpu", "count": 1, "watts": 90}],
 "tasks": [{"id": "a", "times": [3, 1], "priority": 2, "group": "g", "deadline": 20}, {"id": "b", "times": [4, 2]},
           {"id": "c", "times": [5, 2], "priority": -1.5}],
 "edges": [{"from": "a", "to": "b", "data": 4}, {"from": "b", "to": "c", "data": 8}, ["a", "c"]],
 "transfer": {"latency": [[0, 1], [1, 1]], "per_unit": [[0, 0.5], [0.5, 0.25]]},
 "starpu": {"submit_order": {"a": [3], "b": [1], "c": [2]}}, "odd": 1}
EOF
printf '{"schedule": [{"task": "c", "start": 9.00%d}]}' 0 >even.json
printf '{"schedule": [{"task": "c", "start": 9.00%d}]}' 5 >between.json
expect 0 '"odd"' convert said.json -o said-0.json
expect 0 '"odd"' convert said.json --without cpu=1 -o said-1.json
expect 0 '"odd"' convert said.json --fix even.json -o said-2.json
expect 0 '"odd"' convert said.json --fix between.json -o said-3.json
expect 0 '"odd"' bound said.json -b longest --without cpu=1
grep -q '"watts": 10.*"watts": 90' said-0.json && grep -q '"data": 8' said-0.json || { echo "FAIL said-0.json"; failed=1; }
for i in 1 2 3; do
    tr -d '\n' <said-$i.json | sed 's/, "without": \[1\]//; s/, *"fixed": \[{[^]]*\]//' >kept
    if tr -d '\n' <said-0.json | diff -w - kept >differs; then
        echo "ok what is said stays ($i)"
    else
        echo "FAIL what is said stays ($i): $(cat differs)"
        failed=1
    fi
done

# A proof has a name. Ends of a plan count with --now alone, and nobody thinks otherwise.
expect 2 "-O proof: expected a file, got ''" solve in.json -a exact -O proof=
expect 2 "-O proof: expected a file, got ''" compare in.json -a exact -O proof=
"$duet" convert in.json --without cpu=0 -q -o in-lost.json || failed=1
expect 2 "processors that are left out" simulate in-lost.json -a eft
printf 'id,cpu,gpu\na,4,1\nb,2,3\n' >ends.csv
printf 'task,type,processor,start,end\na,gpu,0,0,1\nb,cpu,0,0,2.5\n' >ends-plan.csv
sed 's/2\.5/2/' ends-plan.csv >ends-right.csv
for what in "" "--without cpu=1"; do
    # shellcheck disable=SC2086
    expect 0 "ends at a wrong time; expected its start + 2" solve ends.csv -m 2 -k 1 --start-from ends-plan.csv $what
    grep -q 'note: ends-plan.csv: .*--now T' err || { echo "FAIL $what: $(cat err)"; failed=1; }
    # shellcheck disable=SC2086
    expect 0 "" solve ends.csv -m 2 -k 1 --start-from ends-right.csv $what
    grep 'ends at' err && failed=1
done

# A platform that is settled by others has no bound of its own, and no 0 in the chart for it.
printf 'id,cpu,gpu\na,4,1\nb,2,3\n' >two.csv
expect 0 "" size two.csv --deadline 5 -m 1..6 -k 0 --chart two.svg
if grep -q '>6</text>' two.svg && ! grep -q '>0' two.svg; then
    echo "ok a chart begins where the values do"
else
    echo "FAIL a chart begins where the values do: $(grep -o '>[0-9.]*</text>' two.svg | tr '\n' ' ')"
    failed=1
fi

exit $failed
