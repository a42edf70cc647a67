#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command does what its reference says, and its JSON has the promised shape.
# Usage: contract.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
# fontconfig, behind cairo, keeps its cache to the end; a build with AddressSanitizer calls it a leak.
echo 'leak:libfontconfig' >lsan.txt
export LSAN_OPTIONS="suppressions=$tmp/lsan.txt:print_suppressions=0"

# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $what"
    else
        echo "FAIL $what: $(head -c 500 check.out)"
        failed=1
    fi
}
# json WHAT FILE EXPRESSION: a Python expression over the file's content d must hold.
json() {
    check "$1" python3 -c 'import json, sys
from fractions import Fraction
d = json.load(open(sys.argv[1]))
assert eval("(" + sys.argv[2] + ")"), d if len(str(d)) < 400 else "does not hold"' "$2" "$3"
}
has() { check "$1" grep -q -- "$2" "$3"; }

cat >small.json <<'END'
{"format": "duet-instance", "version": 1, "name": "small", "time_unit": "ms",
 "platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 6, "times": [4, 1.5]}, {"id": "b", "times": [2.25, null]}]}
END

# generate
check "generate writes a file" "$duet" generate uniform -n 12 -m 3 -k 2 --seed 5 -o u.json
json "generate: shape" u.json 'd["format"] == "duet-instance" and d["version"] == 1 and
    [t["count"] for t in d["platform"]] == [3, 2] and len(d["tasks"]) == 12'
"$duet" generate uniform -n 12 -m 3 -k 2 --seed 5 >u2.json
check "generate: the same seed gives the same instance" cmp u.json u2.json
"$duet" generate uniform -n 12 -m 3 -k 2 --seed 6 >u3.json
check "generate: another seed gives another" bash -c '! cmp -s u.json u3.json'
"$duet" generate uniform -n 5 >default.json
json "generate: 20 CPUs and 4 GPUs by default" default.json \
    '[t["count"] for t in d["platform"]] == [20, 4]'
"$duet" generate uniform -n 5 --format csv >u.csv
has "generate --format csv" '^id,.*cpu,gpu' u.csv
"$duet" generate uniform -n 5 -o by-name.csv
check "generate: the ending chooses the format" cmp u.csv by-name.csv
"$duet" list families --json >families.json
for family in $(python3 -c 'import json
print(*(f["name"] for f in json.load(open("families.json"))))'); do
    size="-n 4 -m 2 -k 1"
    [[ $family == worst-* ]] && size="" # they have platforms of their own
    # shellcheck disable=SC2016 # the inner shell expands
    check "generate $family: solves and verifies" bash -c \
        '"$1" generate "$2" $3 | "$1" solve - -a heft --json >g.json &&
         "$1" generate "$2" $3 | "$1" verify - g.json' _ "$duet" "$family" "$size"
done
"$duet" generate worst-eft -m 8 -k 2 -o worst.json
json "generate worst-eft: the claim" worst.json 'd["claim"]["algorithm"] == "eft" and
    d["claim"]["optimum"] == 2016 and d["claim"]["makespan"] == 11000 and
    d["claim"]["ratio"] == "1375/252" and {"limit", "source"} < set(d["claim"])'
"$duet" compare worst.json -a eft,exact --json >worst-compare.json
json "compare --json: the claim" worst-compare.json 'd["files"][0]["claim"]["makespan"] == 11000 and
    [r["makespan"] for r in d["files"][0]["results"]] == [11000, 2016]'
"$duet" compare worst.json -a eft >worst-compare.txt
has "compare: the claim" '^claimed: optimum 2016, eft 11000 (ratio 5.4563)$' worst-compare.txt
"$duet" compare worst.json -m 9 -a eft >worst-compare.txt
check "compare: no claim about another platform" bash -c '! grep -q claimed worst-compare.txt'
json "compare --json: a claim that holds" worst-compare.json 'not d["files"][0]["claim"]["contradicted"] and
    d["files"][0]["claim"]["contradictions"] == []'
# claimed OPTIMUM MAKESPAN MORE OPTION...: compares an instance of optimum 2 that claims so, into claim.json and claim.txt.
claimed() {
    cat >claimed.json <<END
{"format": "duet-instance", "version": 1, "platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 2, "times": [2, 2]}],
 "claim": {"algorithm": "heft", "optimum": $1, "makespan": $2$3}}
END
    "$duet" compare claimed.json "${@:4}" --json >claim.json
    "$duet" compare claimed.json "${@:4}" >claim.txt
}
claimed 2 2 "" -a heft,exact
json "compare: a claim that holds" claim.json 'd["files"][0]["claim"]["contradictions"] == []'
check "compare: no word against it" bash -c '! grep -q contradicted claim.txt'
claimed 1 5 "" -a heft,exact
json "compare --json: what contradicts a claim" claim.json 'd["files"][0]["claim"]["contradicted"] and
    len(d["files"][0]["claim"]["contradictions"]) == 2'
has "compare: a bound above the optimum" '^contradicted: the best bound 2 \(.*\) is above the claimed optimum 1$' claim.txt
has "compare: another makespan" '^contradicted: heft takes 2, not 5$' claim.txt
claimed 3 5 "" -a exact
has "compare: a schedule below the optimum" '^contradicted: exact takes 2, less than the claimed optimum 3$' claim.txt
json "compare: another algorithm says nothing of the makespan" claim.json 'len(d["files"][0]["claim"]["contradictions"]) == 1'
claimed 2 5 ', "refuted": true' -a heft
json "compare: a refuted claim is refuted" claim.json 'd["files"][0]["claim"]["contradictions"] == []'
claimed 2 2 ', "refuted": true' -a heft
has "compare: a refuted claim that holds" '^contradicted: heft takes 2, not less than 2$' claim.txt
claimed 2 5 ', "options": "improve=true"' -a heft
json "compare: other options say nothing" claim.json 'd["files"][0]["claim"]["contradictions"] == []'
claimed 2 5 ', "options": "improve=true"' -a heft -O improve=true
has "compare: the claimed options" '^contradicted: heft takes 2, not 5$' claim.txt
claimed 2 5 ', "options": "improve=false"' -a heft
has "compare: options that are the default" '^contradicted: heft takes 2, not 5$' claim.txt
claimed 2 5 ', "options": "no=such"' -a heft
json "compare: options of no algorithm" claim.json 'd["files"][0]["claim"]["contradictions"] == []'

# list
check "list" "$duet" list
check "list -v" "$duet" list -v
for what in algorithms bounds families formats; do
    "$duet" list $what --json >list.json
    json "list $what --json: shape" list.json 'len(d) > 2 and all({"name", "summary", "guarantee",
        "reference", "requires", "options"} <= set(e) for e in d) and
        all({"name", "type", "default", "unit", "text"} <= set(o)
        for e in d for o in e["options"])'
done
"$duet" list algorithms --json >list.json
json "list algorithms: the contract's names" list.json '{"ilp", "dualhp", "eft", "heft", "quickest",
    "ratio", "qa", "er-ls", "mixeft", "heteroprio", "lpt"} <= {e["name"] for e in d}'
"$duet" list bounds --json >list.json
json "list bounds: the contract's names" list.json '{"longest", "area", "area-lp"} <=
    {e["name"] for e in d}'
"$duet" list --json >list.json
json "list --json: all four" list.json \
    'set(d) == {"algorithms", "bounds", "families", "formats"}'

# solve
"$duet" solve small.json -o s.json >block.txt 2>err.txt
json "solve -o: shape" s.json 'd["format"] == "duet-solution" and d["version"] == 1 and
    d["instance"] == "small" and len(d["schedule"]) == 7 and
    {"algorithm", "platform", "status", "makespan", "lower_bound", "bound", "time_unit", "guarantee",
     "seconds", "certificate"} <= set(d) and
    all({"task", "type", "processor", "start", "end"} == set(e) for e in d["schedule"]) and
    d["makespan"] == max(e["end"] for e in d["schedule"])'
for line in instance platform algorithm makespan 'lower bound' gap guarantee status time; do
    has "solve: says its $line" "^$line  *[^ ]" block.txt
done
has "solve: the unit" '^makespan  *[0-9.]* ms$' block.txt
check "solve: nothing on standard error" test ! -s err.txt
"$duet" solve small.json -a heft --json >json.out
json "solve --json: the solution and nothing else" json.out 'd["algorithm"] == "heft"'
"$duet" solve small.json -a heft -o - >dash.out
json "solve -o -: the same" dash.out 'd["algorithm"] == "heft"'
"$duet" solve small.json -a heft -o - --json >both.out
json "solve -o - --json: once" both.out 'd["algorithm"] == "heft"'
"$duet" solve - -a heft --json <small.json >stdin.out
json "solve -: standard input" stdin.out 'len(d["schedule"]) == 7'
"$duet" solve small.json -a heft -m 1 -k 4 --json >counts.out
json "solve -m -k: override the file's counts" counts.out \
    '[t["count"] for t in d["platform"]] == [1, 4]'
"$duet" solve small.json -a heft -m 5 --json >counts.out
json "solve -m: keeps the file's GPUs" counts.out '[t["count"] for t in d["platform"]] == [5, 1]'
"$duet" solve small.json -a heft -k 5 --json >counts.out
json "solve -k: keeps the file's CPUs" counts.out '[t["count"] for t in d["platform"]] == [2, 5]'
check "solve -t -j --memory --seed -q" \
    "$duet" solve small.json -t 1.5 -j 2 --memory 512 --seed 3 -q
check "solve: options of an algorithm" "$duet" solve small.json -a eft -O ties=cpu
check "solve --trace" "$duet" solve small.json -a heft --trace t.json --json
json "solve --trace F.json" t.json 'len(d["traceEvents"]) >= 7'
check "solve --trace F.paje" "$duet" solve small.json -a heft --trace t.paje
has "solve --trace F.paje: events" EventDef t.paje
check "solve --trace F.rec" "$duet" solve small.json -a heft --trace t.rec
has "solve --trace F.rec: records" SpecificWorker t.rec
if "$duet" --version | grep -q cairo; then
    for ending in svg png pdf; do
        check "solve --gantt F.$ending" "$duet" solve small.json -a heft --gantt g.$ending
        check "solve --gantt F.$ending: written" test -s g.$ending
    done
else
    check "solve --gantt without cairo: usage error" bash -c \
        '"$1" solve small.json --gantt g.svg; test $? = 2' _ "$duet"
fi
printf 'id,cpu,gpu\n' >empty.csv
check "solve: no tasks" bash -c '"$1" solve empty.csv -m 1 -k 1 -o e.json &&
    "$1" verify empty.csv e.json' _ "$duet"

# bound
"$duet" bound small.json --json >b.json
json "bound --json: exactly the contract's shape" b.json 'set(d) == {"instance", "bounds"} and
    d["instance"] == "small" and all(set(b) == {"name", "exact", "value"} for b in d["bounds"])'
json "bound --json: value is the ceiling of exact" b.json 'all(
    Fraction(str(b["value"])) * 100 == -(-Fraction(b["exact"]) // 1) for b in d["bounds"])'
json "bound: longest" b.json '[b["value"] for b in d["bounds"] if b["name"] == "longest"] == [2.25]'
"$duet" bound small.json -b area --json >b1.json
json "bound -b" b1.json '[b["name"] for b in d["bounds"]] == ["area"]'
"$duet" bound small.json >b.txt
has "bound: table" '^  area  .* yes$' b.txt
check "bound -b all" "$duet" bound small.json -b all

# verify
check "verify" "$duet" verify small.json s.json
"$duet" verify small.json s.json >v.txt
has "verify: schedule" '^schedule  *ok: 7 tasks' v.txt
has "verify: makespan" '^makespan  *ok' v.txt
has "verify: bound" '^lower bound .*certif' v.txt
"$duet" verify small.json s.json --json >v.json
json "verify --json" v.json 'd["valid"] is True and d["fault"] is None and d["tasks"] == 7 and
    d["bound_check"] in ("certified", "unproven", "none")'
sed 's/"makespan": *[0-9.]*/"makespan": 1/' s.json >lie.json
check "verify: a wrong makespan is a fault" bash -c '"$1" verify small.json lie.json --json >l.json
    test $? = 1' _ "$duet"
json "verify --json: the fault" l.json 'd["valid"] is False and "makespan" in d["fault"]'
check "verify -: solution from standard input" bash -c \
    '"$1" solve small.json -a lpt --json | "$1" verify small.json -' _ "$duet"
check "verify: platform of the solution" bash -c '"$1" solve u.csv -m 2 -k 1 -a eft -o c.json &&
    "$1" verify u.csv c.json && "$1" verify u.csv -m 2 -k 1 c.json' _ "$duet"
check "verify: too few processors are a fault" bash -c \
    '"$1" solve u.csv -m 3 -k 3 -a eft -o c.json && { "$1" verify u.csv c.json -m 1 -k 0
     test $? = 1; }' _ "$duet"

# compare
"$duet" compare small.json u.json -t 1 --csv c.csv >c.txt
has "compare: a line per algorithm" '^  heteroprio ' c.txt
has "compare: summary" '^summary over 2 files' c.txt
check "compare --csv" python3 -c 'import csv
rows = list(csv.DictReader(open("c.csv")))
assert {r["file"] for r in rows} == {"small.json", "u.json"}
assert all(float(r["makespan"]) >= float(r["best_bound"]) for r in rows if r["makespan"])'
"$duet" compare small.json -a eft,heft --json >c.json
json "compare --json" c.json 'len(d["files"]) == 1 and
    [r["algorithm"] for r in d["files"][0]["results"]] == ["eft", "heft"] and
    all(r["makespan"] >= d["files"][0]["best_bound"] for r in d["files"][0]["results"])'
printf 'id,cpu,gpu,npu\na,4,1,3\nb,2,,1\n' >three.csv
"$duet" compare three.csv -m 2 -k 1,2 -a dualhp,eft >c3.txt
has "compare: says what it skips and why" 'dualhp skipped: .*two types' c3.txt
has "compare: and runs the rest" '^  eft ' c3.txt

# a pipe that closes early
check "list | head: quiet" bash -c '"$1" list -v 2>pipe.err | head -1 >/dev/null; test ! -s pipe.err' \
    _ "$duet"

# the progress line, on a terminal only
check "no progress line in a file" bash -c \
    '"$1" generate uniform -n 60 -m 5 -k 3 | "$1" solve - -t 1.5 2>&1 >/dev/null | cmp - /dev/null' \
    _ "$duet"

exit $failed
