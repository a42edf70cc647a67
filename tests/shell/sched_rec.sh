#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is written for StarPU where the records say what the machine is: the plan, and the way to say it, that a runtime with
# queues carries out first. $1: the duet command, $2: the source folder.
set -u
duet=$(realpath "$1")
run=$(realpath "$2")/instances/data/starpu-run.rec
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
faults=0

fault() {
    echo "FAIL $*"
    faults=$((faults + 1))
}

# write FILE OPTION...
write() {
    "$duet" solve "$run" -q --trace "$@" >/dev/null 2>err || fault "solve --trace $*: $(cat err)"
}

# No plan is written that takes longer on the machine than one that was judged.
for algorithm in heft hoft eft peft; do
    write judged.rec -a $algorithm
    "$duet" simulate "$run" --bus "$run" -a $algorithm --json >run.json 2>err || fault "simulate $algorithm: $(cat err)"
    python3 - <<'EOF' || fault "$algorithm: $(grep '^# on' judged.rec) against $(cat run.json)"
import json, re, sys
judged = float(re.search(r"^# on the bus by (?:types|nodes): ([0-9.]+) us$", open("judged.rec").read(), re.M).group(1))
plan = json.load(open("run.json"))["plans"][0]
sys.exit(judged > min(plan["priorities"]["makespan"], plan["nodes"]["makespan"]))
EOF
done
"$duet" simulate "$run" --bus "$run" -a heft -q >out 2>err && [ ! -s err ] && grep -q '^best' out ||
    fault "-q takes away the table: $(cat out err)"
write alone.rec -a peft
write all.rec
of() { sed -n 's/^# on the bus by [a-z]*: \([0-9.]*\) us$/\1/p' "$1"; }
python3 -c 'import sys; sys.exit(float(sys.argv[1]) > float(sys.argv[2]))' "$(of all.rec)" "$(of alone.rec)" ||
    fault "with all rules $(of all.rec), with peft alone $(of alone.rec)"
grep -q Workerorder all.rec && fault "an order of workers that nobody asked for"

# By nodes: workers of one memory, and no fewer words than StarPU copies.
write nodes.rec -a heft -O sched=nodes
python3 - <<'EOF' || fault "nodes.rec: $(cat nodes.rec)"
import re, sys
lists = [set(words) for line in re.findall(r"^Workers: (.*)$", open("nodes.rec").read(), re.M)
         for words in [line.split()] if len(words) >= 8]
sys.exit(len(lists) != 20 or any(words not in ({"0"}, {"1"}, {"2", "3", "4", "5"}) for words in lists))
EOF

# No lost worker is named, neither by a list nor by the plan that the judge chose.
for form in auto types nodes strict; do
    write lost.rec -a heft --without cpu=0,cuda=1 -O sched=$form
    [ "$(grep '^# workers' lost.rec | tr '\n' ' ')" = '# workers 0 to 0: cuda # workers 3 to 5: cpu ' ] ||
        fault "without, sched=$form: $(grep '^#' lost.rec)"
    sed -n 's/^\(Workers\|SpecificWorker\): //p' lost.rec | grep -w '[12]' && fault "without, sched=$form: a lost worker"
done

# Not judged: what was asked for otherwise, without data, for other machines, from a pipe.
write types.rec -a heft -O sched=types
write plain.rec -a heft -O data=false
write plainer.rec -a heft -O data=false -O sched=types
write strict.rec -a heft -O sched=strict
write other.rec -a heft -m 3
"$duet" solve - -a heft -q --trace piped.rec <"$run" >/dev/null 2>err || fault "from a pipe: $(cat err)"
grep -l '^# on the bus' ./{types,plain,plainer,strict,piped}.rec && fault "judged"
cmp plain.rec plainer.rec || fault "without data: another file"
[ "$(grep -c Workerorder strict.rec)" -eq 20 ] || fault "strict: $(cat strict.rec)"
cmp <(grep -v '^#' types.rec) <(grep -v '^#' piped.rec) || fault "from a pipe: another file"

# StarPU 1.3 says nothing of links: nobody takes them for free.
awk -v RS= -v ORS='\n\n' '!/MemoryNodeSrc/' "$run" >unlinked.rec
"$duet" simulate unlinked.rec --bus unlinked.rec -a heft >out 2>err && fault "a bus without links: $(cat out)"
grep -q 'no memory_performance; expected it' err || fault "a bus without links: $(cat err)"
"$duet" solve unlinked.rec -a heft -q --trace unlinked.out.rec >/dev/null 2>err || fault "unlinked: $(cat err)"
grep '^# on the bus' unlinked.out.rec && fault "judged without links"

# What a bus has no place for is named.
printf '{"nodes": [{"name": "ram", "processors": ["cpu"]}], "lnks": []}' >misspelt.json
"$duet" simulate "$run" --bus misspelt.json -a heft >out 2>err && fault "a misspelt member of a bus: $(cat out)"
grep -q 'expected nodes, links, .*, found member "lnks"' err || fault "a misspelt member of a bus: $(cat err)"

# The way through a schedule's file.
"$duet" solve "$run" -a heft -q -o s.json >/dev/null 2>err || fault "$(cat err)"
"$duet" show "$run" s.json -q --trace shown.rec 2>err >/dev/null || fault "show: $(cat err)"
write judged.rec -a heft
cmp <(grep -v '^# algorithm' judged.rec) <(grep -v '^# algorithm' shown.rec) || fault "show: another file"

# The way through JSON: amounts of data and rates, from which the same costs follow.
"$duet" convert "$run" -q -o app.json 2>err || fault "convert: $(cat err)"
"$duet" convert app.json -q -o again.json 2>err || fault "convert: $(cat err)"
"$duet" convert "$run" -q --format dot >run.dot 2>err || fault "convert: $(cat err)"
"$duet" convert app.json -q --format dot >app.dot 2>err || fault "convert: $(cat err)"
cmp app.json again.json || fault "JSON: another file"
cmp <(sed 1d run.dot) <(sed 1d app.dot) || fault "JSON: other costs"
[ "$(grep -c '"data": 3686400' app.json)" -eq 40 ] && grep -q '"transfer": {"latency": \[\[0, ' app.json ||
    fault "JSON: $(cat app.json)"
[ "$faults" -eq 0 ]
