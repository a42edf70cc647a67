#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Applications of StarPU run by Duet's policy: right results, no deadlock, and what the policy says. $1: the duet command
# (unused), $2: the source folder (unused), $3: the folder of the programs. DUET_TEST_RUNS: how often each runs.
set -u
programs=$(realpath "$3")
library=$(realpath -m "$3/../starpu/libduet_starpu.so")
if [ ! -x "$programs/starpu_graphs" ] || [ ! -e "$library" ]; then
    echo "skipped: StarPU is not installed, or the policy is not built"
    exit 77
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
faults=0
mkdir "$tmp/home"
export STARPU_HOME=$tmp/home STARPU_HOSTNAME=duet STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1
# Where the sanitizer is preloaded, it comes first.
preload=${DUET_TEST_PRELOAD:+$DUET_TEST_PRELOAD:}$library

# run NAME COMMAND...: says "right" and ends with 0. A run that hangs is ended after ten minutes, which is a fault.
run() {
    local name=$1
    shift
    timeout 600 env DUET_TIME=0.02 "$@" >"$tmp/out" 2>"$tmp/err"
    local code=$?
    if [ $code -eq 77 ]; then
        echo "skipped: StarPU finds no worker here"
        exit 77
    fi
    if [ $code -ne 0 ] || [ "$(cat "$tmp/out")" != right ] || grep -E 'ThreadSanitizer|Warning' "$tmp/err"; then
        echo "FAIL $name: ended with $code"
        cat "$tmp/out" "$tmp/err"
        faults=$((faults + 1))
    fi
}

says() {
    grep -q "$2" "$tmp/err" || { echo "FAIL $1: nothing says '$2': $(cat "$tmp/err")"; faults=$((faults + 1)); }
}

for seed in $(seq "${DUET_TEST_RUNS:-1}"); do
    run cholesky "$programs/starpu_cholesky"
    says cholesky 'duet: 240 tasks ran in .* ms, .* of them by'
    says cholesky 'duet: workers computed .* of the time, waited for data .*, for tasks'
    for kind in stream tags explicit commute redux mixed contexts; do
        for order in strict ready; do
            run "$kind $seed $order" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_ORDER=$order \
                "$programs/starpu_graphs" "$kind" "$seed"
        done
    done
done
run "plans of few tasks" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_BATCH=20 DUET_DEPART=0 DUET_VERBOSE=1 \
    "$programs/starpu_graphs" stream
says "plans of few tasks" 'duet: plan of .* tasks, .* dependencies, 1 types: .* ms by'
run "another base" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_BASE=eager "$programs/starpu_graphs" mixed
run "no such base" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_BASE=best "$programs/starpu_graphs" stream
says "no such base" 'DUET_BASE=best: StarPU has no such policy, so it is dmdas'
run "wrong settings" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_ALGORITHMS=fastest,heft,lpt DUET_ORDER=x DUET_TIME=-1 DUET_BATCH=1e30 \
    DUET_PREFETCH=no DUET_RELOCTE=0 DUET_LIBRARY=libduet.so DUET_COMMAND=duet "$programs/starpu_graphs" explicit
says "wrong settings" "DUET_ALGORITHMS: nothing that plans task graphs is called 'fastest', so it is left out: there are .*, heft,"
says "wrong settings" "is called 'lpt', so it is left out"
says "wrong settings" 'DUET_ORDER=x: expected strict or ready'
says "wrong settings" 'DUET_TIME=-1: expected a number from 0 to'
says "wrong settings" 'DUET_BATCH=1e30: expected a number from 1 to'
says "wrong settings" 'DUET_PREFETCH=no: expected 0 or 1, so it is 1'
says "wrong settings" 'DUET_RELOCTE is not known: there are DUET_ALGORITHMS'
grep -E 'DUET_(LIBRARY|COMMAND) is not known' "$tmp/err" && { echo "FAIL names of the Python module"; faults=$((faults + 1)); }
run "no such algorithm" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_ALGORITHMS=fastest,hefft "$programs/starpu_graphs" explicit
says "no such algorithm" 'DUET_ALGORITHMS=fastest,hefft names none, so it is hoft,heft-min,peft,graph-search'
says "no such algorithm" 'of them by'
grep 'left out: hoft' "$tmp/err" && { echo "FAIL what nobody named is left out loudly"; faults=$((faults + 1)); }
run "an algorithm that refuses" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_ALGORITHMS=heteroprio,eft "$programs/starpu_graphs" explicit
says "an algorithm that refuses" 'DUET_ALGORITHMS: left out: heteroprio: '
# The first run of an application, whose models know nothing yet.
timeout 600 env LD_PRELOAD="$preload" STARPU_SCHED=duet "$programs/starpu_codelets" measure >/dev/null 2>"$tmp/err" ||
    { echo "FAIL a first run: ended with $?"; faults=$((faults + 1)); }
says "a first run" 'duet: how long [1-9][0-9]* of them take no model knew'
# Tags of tasks that are no more, data that are unregistered while a plan is made, and what is fetched early.
if [ -z "${DUET_TEST_PRELOAD:-}" ] && command -v valgrind >/dev/null; then
    for kind in tags redux mixed; do
        run "memory of $kind" LD_PRELOAD="$preload" STARPU_SCHED=duet DUET_BATCH=30 DUET_DEPART=0 valgrind --leak-check=full \
            --show-leak-kinds=definite,indirect --log-file="$tmp/memory" "$programs/starpu_graphs" "$kind" 7
        grep -E '(at|by) 0x[0-9A-F]+: (duet_starpu|.*libduet)' "$tmp/memory" && { echo "FAIL memory of $kind: $(cat "$tmp/memory")"; faults=$((faults + 1)); }
    done
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
