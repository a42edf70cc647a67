#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Duet reads what StarPU writes, and StarPU runs what Duet writes: files made here by an application and
# by StarPU's own tools. $1: the duet command, $2: the source folder, $3: the folder of starpu_codelets.
set -u
duet=$(realpath "$1")
codelets=$3/starpu_codelets
if [ ! -x "$codelets" ] || ! command -v starpu_perfmodel_recdump >/dev/null ||
    ! command -v starpu_tasks_rec_complete >/dev/null; then
    echo "skipped: StarPU or its tools are not installed"
    exit 77
fi
codelets=$(realpath "$codelets")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
faults=0

# The models of this run alone; a slow moment does not make StarPU throw its samples away.
mkdir home
export STARPU_HOME=$tmp/home STARPU_HOSTNAME=duet STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1
export STARPU_CALIBRATE=1 STARPU_HISTORY_MAX_ERROR=1000000000

fault() {
    echo "FAIL $*"
    faults=$((faults + 1))
}

"$codelets" measure >tasks.rec 2>err
case $? in
0) ;;
77)
    echo "skipped: StarPU finds no worker here"
    exit 77
    ;;
*)
    cat err
    exit 1
    ;;
esac
starpu_perfmodel_recdump -o all.rec 2>err || fault "starpu_perfmodel_recdump: $(cat err)"
starpu_perfmodel_recdump tasks.rec -o perfmodel.rec 2>err || fault "with tasks: $(cat err)"
starpu_tasks_rec_complete tasks.rec complete.rec 2>err || fault "complete: $(cat err)"
cat all.rec tasks.rec >both.rec

# compare SOLUTION TYPE MODE: each run on that type is as long as the model says, read here without Duet;
# one task of each kind (MODE models) or as many as the application had (MODE tasks).
compare() {
    python3 - "$@" <<'EOF'
import json, sys
from decimal import Decimal

def records(path):
    for block in open(path).read().split("\n\n"):
        lines = [line.split(":", 1) for line in block.split("\n") if line and line[0] not in "%#"]
        if lines:
            yield {name: value.strip() for name, value in lines}

def kernel(record):
    return record["Model"] + ":" + record["Footprint"].rjust(8, "0")

means = {(kernel(r), r["Architecture"]): Decimal(r["Mean"]) for r in records("all.rec") if "Mean" in r}
tasks = [kernel(r) for r in records("tasks.rec")]
solution = json.load(open(sys.argv[1]), parse_float=Decimal, parse_int=Decimal)
seen = []
for run in solution["schedule"]:
    kind = run["task"].split("#")[0]
    seen.append(kind)
    arch = {"cpu": "cpu0", "cuda": "cuda1"}[run["type"]]
    if run["end"] - run["start"] != means[kind, arch]:
        sys.exit(f"{run} is not {means[kind, arch]} long")
    if sys.argv[2] not in ("any", run["type"]):
        sys.exit(f"{run} is not on {sys.argv[2]}")
expected = sorted(set(kind for kind, _ in means)) if sys.argv[3] == "models" else sorted(tasks)
if sorted(seen) != expected:
    sys.exit(f"tasks {sorted(seen)}, expected {expected}")
EOF
}

# check FILE TYPE MODE OPTION...
check() {
    local file=$1 type=$2 mode=$3
    shift 3
    if ! "$duet" solve "$file" -a heft -q -o s.json "$@" >/dev/null 2>err; then
        fault "solve $file $*: $(cat err)"
    elif ! "$duet" verify "$file" s.json "$@" >/dev/null 2>err; then
        fault "verify $file $*: $(cat err)"
    elif ! compare s.json "$type" "$mode" 2>err; then
        fault "$file $*: $(cat err)"
    else
        echo "ok $file $*"
    fi
}

check all.rec cpu models
check all.rec any models -m 1 -k 2
check perfmodel.rec cpu models
check both.rec cpu tasks
check complete.rec cpu tasks -O edges=false
check complete.rec cpu tasks -m 5
check both.rec any tasks -m 3 -k 2

# What the application said, on CPUs and on GPUs: exact.
grep -q 'Mean: 1.234500e+03' all.rec || fault "StarPU did not take the times it was told"
awk -v RS= -v ORS='\n\n' '/Model: duet_told/' tasks.rec | cat all.rec - >told.rec
for counts in "1 0 1234.5" "0 2 12.25"; do
    # shellcheck disable=SC2086 # three numbers
    set -- $counts
    "$duet" bound told.rec -m "$1" -k "$2" -b longest --json >out 2>err
    python3 -c 'import json, sys; sys.exit(json.load(open("out"))["bounds"][0]["value"] != float(sys.argv[1]))' \
        "$3" || fault "told.rec -m $1 -k $2: $(cat out err)"
done

# StarPU runs each task on the worker and in the place that we wrote. Without the edges there is no place: what
# it waits for might come later.
grep -v '^DependsOn' both.rec >free.rec
tasks=$(grep -c '^SubmitOrder' tasks.rec)
for edges in free.rec both.rec "both.rec -O edges=false"; do
    file=${edges%% *}
    # shellcheck disable=SC2086 # an option of two words
    "$duet" solve $edges -a heft -q -O sched=strict --trace sched.rec >/dev/null 2>err || fault "$edges: $(cat err)"
    # StarPU waits for ever for an order that cannot be.
    timeout 300 "$codelets" replay "$tasks" <sched.rec >ran 2>err || fault "replay: $(cat err)"
    awk -v RS= '/SubmitOrder/ { for (i = 1; i <= NF; i++) { f[$i] = $(i + 1) }
        print f["SubmitOrder:"], f["SpecificWorker:"], f["Workerorder:"] }' sched.rec |
        sort -n >planned
    if [ "$file" != "$edges" ]; then
        grep -q '^Workerorder' sched.rec && fault "an order though tasks wait for others"
        cut -d' ' -f1,2 ran >ran.workers
        mv ran.workers ran
        sed -i 's/ *$//' planned
    fi
    if [ "$(wc -l <planned)" -eq "$tasks" ] && cmp -s planned ran; then
        echo "ok $edges: StarPU ran what was planned"
    else
        fault "$edges: planned and run: $(diff planned ran)"
    fi
done
[ "$(cut -d' ' -f2 ran | sort -u | wc -l)" -eq 2 ] || fault "the workers: $(cut -d' ' -f2 ran | sort -u)"
[ "$faults" -eq 0 ]
