#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, and runs all tests. With names, only those steps:
#   release  optimised build, warnings as errors, every test
#   minimal  every optional part off
#   asan     AddressSanitizer and UBSan
#   tsan     ThreadSanitizer (Clang, which knows what OpenMP does)
#   clang    Clang's warnings
#   style    clang-format and clang-tidy
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh

steps=${*:-release minimal asan tsan clang style}
failed=""

# run_tests PRESET [CTEST-OPTION...]
run_tests() {
    local preset=$1
    shift
    ctest --test-dir "build/$preset" --output-on-failure --parallel "$(jobs)" --timeout 900 "$@"
}

step_release() {
    configure_and_build release -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON && run_tests release
}

step_minimal() {
    configure_and_build minimal -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON && run_tests minimal
}

# fontconfig keeps its caches until the process ends, which is no leak of ours. Under the sanitizers the
# thousands of random instances are fewer: the release step runs them all.
step_asan() {
    printf 'leak:libfontconfig\n' >build/lsan.supp
    configure_and_build asan -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON &&
        LSAN_OPTIONS="suppressions=$PWD/build/lsan.supp:print_suppressions=0" \
            DUET_TEST_INSTANCES=1000 run_tests asan
}

# Archer tells ThreadSanitizer about OpenMP's own synchronisation.
step_tsan() {
    local archer
    archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | head -n 1)
    configure_and_build tsan -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON &&
        OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1" \
            DUET_TEST_INSTANCES=300 run_tests tsan -E 'shell\.(install|docs)'
}

step_clang() {
    configure_and_build clang -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON
}

# Leaves out what is not built where software is not installed.
skip_unbuilt() {
    local file
    while read -r file; do
        case $file in
        bench/sweep_mpi.c)
            grep -qF "/$file\"" build/release/compile_commands.json || continue
            ;;
        esac
        echo "$file"
    done
}

# One file at a time: clang-tidy 14 confuses va_lists when it is given several.
step_style() {
    local status=0
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror || status=1
    cmake --preset release -DDUET_BUILD_TESTS=ON >/dev/null || return 1
    git ls-files '*.c' | grep -v '^tests/install/' | skip_unbuilt |
        xargs -P "$(jobs)" -n 1 clang-tidy -p build/release --quiet 2>/dev/null || status=1
    return $status
}

# shellcheck disable=SC2086 # lists of words
install_packages $build_packages $test_packages || exit 1
# shellcheck disable=SC2086
install_optional_packages $optional_packages
case $steps in
*asan* | *tsan* | *clang* | *style*)
    # shellcheck disable=SC2086
    install_packages $matrix_packages || exit 1
    ;;
esac
mkdir -p build

for step in $steps; do
    if ! declare -F "step_$step" >/dev/null; then
        echo "unknown step '$step': expected release, minimal, asan, tsan, clang or style" >&2
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
