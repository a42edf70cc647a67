#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, and runs all tests. With names, only those steps:
#   release  optimised build, warnings as errors, every test
#   minimal  every optional part off
#   asan     AddressSanitizer and UBSan
#   tsan     ThreadSanitizer (Clang, which knows what OpenMP does; its warnings are errors)
#   fuzz     each fuzz target for some seconds (DUET_FUZZ_SECONDS), on a copy of its kept inputs
#   style    clang-format, and clang-tidy over all but the tests
# and, only by name:
#   clang    Clang's warnings, optimised
#   tidy     clang-tidy over the tests
#   coverage line and branch coverage of the library by all tests but those that time something
#   valgrind memcheck over the unit tests that it gets through in minutes
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh

steps=${*:-release minimal asan tsan fuzz style}
failed=""

# run_tests PRESET [CTEST-OPTION...]
run_tests() {
    local preset=$1
    shift
    ctest --test-dir "build/$preset" --output-on-failure --parallel "$(jobs)" --timeout 900 "$@"
}

# What looks at files, pages, packages and limits of the system more than at the library: once, in the release step, is enough. ThreadSanitizer
# does without those too that start the command hundreds of times.
once='shell\.(completion|disk|dist|install|manual|memory|mpi|package|reference|report|search|simgrid|sizes|starpu)|python\.'
few='|shell\.(contract|docs|invalid|measure|outputs|sizes)'

step_release() {
    configure_and_build release -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON && run_tests release
}

step_minimal() {
    configure_and_build minimal -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON &&
        DUET_TEST_INSTANCES=1000 run_tests minimal -E "$once"
}

# fontconfig keeps its caches until the process ends, which is no leak of ours. Under the sanitizers the
# thousands of random instances are fewer: the release step runs them all.
step_asan() {
    printf 'leak:libfontconfig\n' >build/lsan.supp
    configure_and_build asan -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON &&
        LSAN_OPTIONS="suppressions=$PWD/build/lsan.supp:print_suppressions=0" \
            DUET_TEST_INSTANCES=1000 run_tests asan -E "$once"
}

# Archer tells ThreadSanitizer about OpenMP's own synchronisation.
step_tsan() {
    local archer
    archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | head -n 1)
    configure_and_build tsan -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON &&
        OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1" \
            DUET_TEST_INSTANCES=300 run_tests tsan -E "$once$few"
}

step_clang() {
    configure_and_build clang -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON
}

# New inputs are left in build/fuzz/corpus; what fails is named and kept there too.
step_fuzz() {
    local status=0 target name
    cmake --preset fuzz -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON >/dev/null &&
        cmake --build --preset fuzz --parallel "$(jobs)" --target duet_fuzzers || return 1
    for target in build/fuzz/tests/fuzz_*; do
        name=${target##*/fuzz_}
        [ -d "tests/fuzz/corpus/$name" ] || continue
        mkdir -p "build/fuzz/corpus/$name"
        "$target" -max_total_time="${DUET_FUZZ_SECONDS:-5}" -max_len=3000 -timeout=60 -rss_limit_mb=4000 \
            -artifact_prefix="build/fuzz/corpus/found-$name-" "build/fuzz/corpus/$name" \
            "tests/fuzz/corpus/$name" >"build/fuzz/corpus/$name.log" 2>&1
        if [ $? -eq 0 ]; then
            echo "fuzz_$name: $(grep '^Done' "build/fuzz/corpus/$name.log")"
        else
            echo "fuzz_$name FAILED:"
            grep -vE '^#' "build/fuzz/corpus/$name.log" | tail -n 40
            status=1
        fi
    done
    return $status
}

# Leaves out what is not built where software is not installed.
skip_unbuilt() {
    local file
    while read -r file; do
        case $file in
        tests/starpu/* | tests/simgrid/* | bench/sweep_mpi.c)
            grep -qF "/$file\"" build/release/compile_commands.json || continue
            ;;
        esac
        echo "$file"
    done
}

# clang-tidy over the files that it reads, one at a time: version 14 confuses va_lists when it is given several.
tidy() {
    cmake --preset release -DDUET_BUILD_TESTS=ON >/dev/null &&
        xargs -P "$(jobs)" -n 1 clang-tidy -p build/release --quiet 2>/dev/null
}

step_style() {
    local status=0
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror || status=1
    git ls-files '*.c' | grep -vE '^(tests|examples)/' | tidy || status=1
    return $status
}

step_tidy() {
    git ls-files 'tests/*.c' | grep -v '^tests/install/' | skip_unbuilt | tidy
}

# Ends with an error below 95 % of the lines. DUET_TEST_INSTANCES is small: more of them run the same lines.
step_coverage() {
    configure_and_build coverage -DDUET_BUILD_TESTS=ON || return 1
    find build/coverage -name '*.gcda' -delete
    # As another user a program cannot write its counts, and would say so.
    GCOV_ERROR_FILE=/dev/null DUET_TEST_INSTANCES=500 run_tests coverage -E "shell\.(install|package|dist|docs|exact|memory|signals)"
    scripts/coverage.py build/coverage
}

# The unit tests without the long searches, which take hours in it.
step_valgrind() {
    local quick='acceleration|area_lp|baselines|check|classes|configuration|decimal|dual|fit|gantt|generate|instance|kernel'
    quick="$quick|knapsack|lp|options|output|price|program|proof|read|report|resplit|runs|shelf|table|trace|write"
    install_packages valgrind || return 1
    configure_and_build debug -DDUET_BUILD_TESTS=ON || return 1
    local status=0 test name
    for test in build/debug/tests/test_*; do
        name=${test##*/test_}
        echo "$name" | grep -qE "^($quick)" && [ -x "$test" ] && [ ! -d "$test" ] || continue
        case $name in *truth* | *limits* | *stack* | read_mutated | table_memory) continue ;; esac
        if (cd build/debug/tests && DUET_TEST_INSTANCES=20 timeout 900 valgrind --quiet --leak-check=full \
            --errors-for-leak-kinds=definite,indirect --error-exitcode=9 --suppressions=../../../tests/valgrind.supp \
            "./test_$name" >"test_$name.valgrind" 2>&1); then
            echo "valgrind $name: clean"
        else
            echo "valgrind $name FAILED:"
            grep -E '^==|FAILED|ERROR' "build/debug/tests/test_$name.valgrind" | head -n 60
            status=1
        fi
    done
    return $status
}

# shellcheck disable=SC2086 # lists of words
install_packages $build_packages $test_packages || exit 1
# shellcheck disable=SC2086
install_optional_packages $optional_packages
case $steps in
*asan* | *tsan* | *clang* | *fuzz* | *style* | *tidy*)
    # shellcheck disable=SC2086
    install_packages $matrix_packages || exit 1
    ;;
esac
mkdir -p build

for step in $steps; do
    if ! declare -F "step_$step" >/dev/null; then
        echo "unknown step '$step': expected release, minimal, asan, tsan, clang, fuzz, style, tidy, coverage or valgrind" >&2
        exit 2
    fi
    say "$step"
    begin=$SECONDS
    if "step_$step"; then
        echo "== $step passed in $((SECONDS - begin)) s"
    else
        echo "== $step FAILED after $((SECONDS - begin)) s"
        failed="$failed $step"
    fi
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed"
    exit 1
fi
echo "all steps passed: $steps"
