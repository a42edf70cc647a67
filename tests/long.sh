#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What takes too long for every commit: ./tests/long.sh [STEP...], all of these by itself, in a source folder where build/release
# has its tests (./tests/run.sh release). Steps:
#   property     ten million pairs of a schedule and a claim hold the property of docs/problem.md
#   checkers     the two checkers agree on 100,000 pairs
#   proven       the checker that Coq proves is built, and agrees with them on 10,000 pairs; it needs Coq (docs/proven.md)
#   releases     10,000 small instances with releases and busy processors: exact is the optimum, proofs hold, changed ones do not
#   running      figures of planning in a running world, on random instances (tests/contract/measure_running.py)
#   proofs       10,000 changed proofs that claim more than the optimum are refused
#   instances    more random instances of other types, and 2,000 files of all formats that come back as they were written
#   clauses      each clause of the checker is taken out once, and a test fails
#   looks        work between two looks at the clock, in every row and bound on larger instances
#   starpu       200 runs of each application under the policy of StarPU, some of them in valgrind and ThreadSanitizer
#   portability  arm64 and big-endian s390x in an emulator: tests, and files byte for byte the same (tests/portability.sh)
# DUET_TEST_PAIRS and DUET_TEST_SEED change number and seed of pairs. tests/bare_root.sh is apart: it needs root.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$PWD/build/release
[ -x "$build/tests/property_pairs" ] || { echo "no tests in $build: ./tests/run.sh release makes them"; exit 1; }

step_property() {
    "$build/tests/property_pairs" "${DUET_TEST_PAIRS:-10000000}" "${DUET_TEST_SEED:-1}"
}

step_checkers() {
    DUET_COMMAND=$build/bin/duet DUET_TEST_VERBOSE=1 DUET_TEST_PAIRS=${DUET_TEST_PAIRS:-100000} \
        python3 tests/contract/test_two_checkers.py
}

step_releases() {
    DUET_COMMAND="$build/bin/duet" DUET_TEST_INSTANCES="${DUET_TEST_INSTANCES:-10000}" DUET_TEST_ROWS=few \
        python3 tests/contract/test_releases.py
    DUET_COMMAND="$build/bin/duet" DUET_TEST_INSTANCES="${DUET_TEST_INSTANCES:-1000}" \
        python3 tests/contract/test_replan.py
    DUET_TEST_INSTANCES="${DUET_TEST_INSTANCES:-100000}" "$build/tests/plain_tests" fixed
}

step_running() {
    DUET_COMMAND="$build/bin/duet" python3 tests/contract/measure_running.py
}

step_proven() {
    local code=0
    DUET_TEST_PAIRS=${DUET_TEST_PAIRS:-10000} check/proven/test.sh "$build/bin/duet" || code=$?
    [ $code -eq 77 ] || return $code
}

step_proofs() {
    DUET_COMMAND="$build/bin/duet" DUET_TEST_INSTANCES="${DUET_TEST_INSTANCES:-10000}" \
        python3 tests/contract/test_false_proofs.py
}

step_instances() {
    DUET_TEST_INSTANCES=3000 "$build/tests/plain_tests" exact_types && DUET_TEST_INSTANCES=3000 "$build/tests/plain_tests" equal_types &&
        DUET_COMMAND="$build/bin/duet" DUET_TEST_MIXED="${DUET_TEST_MIXED:-2000}" python3 tests/contract/test_mixed.py
}

step_clauses() {
    python3 tests/mutation/mutate.py --clauses
}

step_looks() {
    DUET_TEST_STEPS=400000000 DUET_TEST_LONG_LOOKS=1 "$build/tests/test_looks"
}

# StarPU is not instrumented: what counts are the policy's own threads and memory.
step_starpu() {
    local kind status=0 flags libraries
    DUET_TEST_RUNS=${DUET_TEST_RUNS:-200} bash tests/shell/starpu_policy.sh "$build/bin/duet" . "$build/tests" || return 1
    export STARPU_HOME=$build/starpu_home STARPU_HOSTNAME=duet STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1
    export DUET_TIME=0.05 STARPU_SCHED=duet TSAN_OPTIONS=ignore_noninstrumented_modules=1
    mkdir -p "$STARPU_HOME"
    if command -v valgrind >/dev/null; then
        valgrind -q --leak-check=full --show-leak-kinds=definite --error-exitcode=0 --num-callers=40 \
            "$build/tests/starpu_cholesky" 2>"$build/starpu_valgrind.log" || status=1
        if grep -E 'duet_|libduet' "$build/starpu_valgrind.log"; then
            echo "FAIL valgrind: $build/starpu_valgrind.log"
            status=1
        fi
    fi
    flags=$(pkg-config --cflags starpu-1.4 2>/dev/null || pkg-config --cflags starpu-1.3)
    libraries=$(pkg-config --libs starpu-1.4 2>/dev/null || pkg-config --libs starpu-1.3)
    # shellcheck disable=SC2086 # words
    gcc -std=gnu17 -g -O1 -fsanitize=thread -D_GNU_SOURCE -I. -Iinclude $flags -o "$build/starpu_tsan" \
        tests/starpu/graphs.c starpu/*.c -L"$build" -Wl,-rpath,"$build" -lduet $libraries -lm || return 1
    for kind in stream tags explicit commute redux mixed contexts; do
        for batch in 20 1000; do
            DUET_BATCH=$batch "$build/starpu_tsan" "$kind" || { echo "FAIL ThreadSanitizer: $kind"; status=1; }
        done
    done
    return $status
}

step_portability() {
    tests/portability.sh arm64 s390x
}

status=0
for step in "${@:-property checkers proven releases running proofs instances clauses looks starpu portability}"; do
    # shellcheck disable=SC2086 # words where nothing was said
    for one in $step; do
        printf '\n== %s\n' "$one"
        "step_$one" || { echo "FAILED: $one"; status=1; }
    done
done
exit $status
