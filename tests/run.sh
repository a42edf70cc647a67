#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, and runs all tests. With names, only those steps:
#   release  optimised build, warnings as errors, every test
#   minimal  every optional part off
#   asan     AddressSanitizer and UBSan (Clang, whose warnings are errors)
#   fuzz     each fuzz target for a second or DUET_FUZZ_SECONDS, on a copy of its kept inputs; the build is that of asan
#   tsan     ThreadSanitizer (Clang, which knows what OpenMP does) over what has several threads
#   style    clang-format, and clang-tidy over all but the tests, with its static analyzer over core and checkers
# and, only by name:
#   clang    Clang's warnings, optimised
#   tidy     clang-tidy with its static analyzer, as far as it goes, over everything
#   coverage line and branch coverage of the library by all tests but those that time something
#   valgrind memcheck over the unit and conformance tests, the kept inputs of the fuzz targets, and the command
# asan leaves out what starts the command hundreds of times, and tsan what has one thread; with DUET_TEST_ALL=1 they run that too.
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/common.sh

steps=${*:-release minimal asan fuzz tsan style}
failed=""

# scratch: where tests make their folders. What they write is forced to a disk file by file, which takes most of their time there, so in
# memory where there is enough of it and programs may run from it.
scratch() {
    local probe room ran=false
    if [ -z "${TMPDIR:-}" ] && probe=$(mktemp -d -p /dev/shm 2>/dev/null); then
        room=$(df --output=avail -k /dev/shm | tail -n 1)
        printf '#!/bin/sh\n' >"$probe/run" && chmod +x "$probe/run" && "$probe/run" 2>/dev/null && ran=true
        rm -rf "$probe"
        if $ran && [ "$room" -gt 4000000 ]; then
            echo /dev/shm
            return
        fi
    fi
    echo "${TMPDIR:-/tmp}"
}

# How many tests run at once: two and more for each processor, since many wait for files, for limits of time and for each other's ends.
# Under the sanitizers fewer do: LeakSanitizer has crashed once, at the end of a test that had passed, where five ran at once.
at_once=$((2 * $(jobs) + 1))

# run_tests PRESET [CTEST-OPTION...]
run_tests() {
    local preset=$1
    shift
    TMPDIR=$(scratch) ctest --test-dir "build/$preset" --output-on-failure --parallel "$at_once" --timeout 3600 "$@"
}

# What looks at files, pages, packages and limits of the system more than at the library: once, in the release step, is enough.
once='shell\.(blas|code_tour|commit_msg|completion|disk|dist|docs|install|look|manual|memory|mpi|no_root|package|reference|report|search|simgrid|sizes|starpu|wheel)|python\.|faults\.writes'
# What takes a sanitizer minutes, and every other build seconds: the harness, whose parts the unit tests and fuzz targets see there, and
# programs that are started hundreds of times; and what counts work between looks, which is not theirs to slow down.
slow='|shell\.(bench|exact|exact_sweep|invalid|papers|signals|sweep)|contract\.(checkers|commands|inputs|replan|schedules|terminal)|conformance\.auto|faults\.looks'
# What no sanitizer looks into: other builds, other programs, limits on the address space or the stack, preloaded libraries.
never='shell\.(blas|dist|install|memory|mpi|no_root|package|reference|simgrid|starpu|wheel)|python\.|faults\.writes'

# Some 150 programs are linked in each build, by LLVM's linker, where it is there, in half of the time, and what a sanitizer makes
# ten times as large in a third; by one thread each, since several are linked at once. What the tests build outside these folders,
# archive and wheel, is linked by the default one.
fast_linker() {
    if command -v ld.lld >/dev/null; then
        echo "-fuse-ld=lld -Wl,--threads=1"
    fi
}

# What a build may do besides: `flags` is a word of cmake's, or none.
flags=

# build_tests PRESET [BUILD-OPTION...]
build_tests() {
    local preset=$1 linker
    shift
    linker=$(fast_linker)
    configure "$preset" -DDUET_WERROR=ON -DDUET_BUILD_TESTS=ON "-DCMAKE_EXE_LINKER_FLAGS=$linker" "-DCMAKE_SHARED_LINKER_FLAGS=$linker" \
        ${flags:+"$flags"} && build "$preset" "$@"
}

step_release() {
    build_tests release && run_tests release
}

# Most files are compiled as in the release step, which ccache remembers; without it half of the optimisation takes half of the time. And
# without the studies of the harness, which know nothing of what is left out.
step_minimal() {
    local left_out='|shell\.(bench|exact_sweep|papers|sweep)|contract\.(proofs|replan|schedules|terminal)' fewer='-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG'
    [ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] || fewer=
    flags=$fewer build_tests minimal &&
        DUET_TEST_AT_MOST=200 run_tests minimal -E "$once$left_out"
}

# sanitized BUILD_TESTS-ARGUMENT...: without ccache, which no other build has given these files, and which takes a third of a
# compiler's time for each.
sanitized() {
    CMAKE_C_COMPILER_LAUNCHER='' build_tests "$@"
}

# The preset leaves out what costs much and finds little here: checks of each pointer before it is used, since AddressSanitizer ends a
# program at a null one too, and this processor reads at any address; a quarter of the time of a build. DUET_TEST_ALL=1 has them. Where
# the fuzz targets search for long, they are told what is compared. Tests would take as much time again for that.
build_asan() {
    local without=
    [ -z "${DUET_FUZZ_SECONDS:-}" ] || without=-DDUET_SANITIZE_WITHOUT=-fno-sanitize=pointer-overflow,null,alignment
    [ -z "${DUET_TEST_ALL:-}" ] || without=-DDUET_SANITIZE_WITHOUT=-fno-sanitize=pointer-overflow
    flags=$without sanitized asan
}

# fontconfig keeps its caches until the process ends, and libomp its threads, which is no leak of ours. Under the sanitizers the
# thousands of random instances are fewer: the release step runs them all.
step_asan() {
    local left_out=$once$slow
    [ -z "${DUET_TEST_ALL:-}" ] || left_out=$never
    printf 'leak:libcairo\nleak:libfontconfig\nleak:libomp\n' >build/lsan.supp
    build_asan &&
        at_once=$(($(jobs) + 1)) LSAN_OPTIONS="suppressions=$PWD/build/lsan.supp:print_suppressions=0" \
            DUET_TEST_AT_MOST=30 run_tests asan -E "$left_out"
}

# Archer tells ThreadSanitizer about OpenMP's own synchronisation.
step_tsan() {
    local archer target=duet_threaded_tests tests=(-L threads) several=1
    archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | head -n 1)
    if [ -n "${DUET_TEST_ALL:-}" ]; then
        target=all tests=(-E "$never") several=0
    fi
    sanitized tsan --target "$target" &&
        at_once=$(($(jobs) + 1)) OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1" \
            DUET_TEST_THREADS=$several DUET_TEST_AT_MOST=60 run_tests tsan "${tests[@]}"
}

step_clang() {
    build_tests clang
}

# fuzz_one TARGET: for some seconds. New inputs are left in build/fuzz/corpus; what fails is named and kept there too.
fuzz_one() {
    local target=$1 name=${1##*/fuzz_}
    mkdir -p "build/fuzz/corpus/$name"
    if "$target" -max_total_time="${DUET_FUZZ_SECONDS:-1}" -max_len=3000 -timeout=60 -rss_limit_mb=4000 \
        -artifact_prefix="build/fuzz/corpus/found-$name-" "build/fuzz/corpus/$name" \
        "tests/fuzz/corpus/$name" >"build/fuzz/corpus/$name.log" 2>&1; then
        echo "fuzz_$name: $(grep '^Done' "build/fuzz/corpus/$name.log")"
    else
        echo "fuzz_$name FAILED:"
        grep -vE '^#' "build/fuzz/corpus/$name.log" | tail -n 40
        return 1
    fi
}

step_fuzz() {
    build_asan || return 1
    mkdir -p build/fuzz
    export -f fuzz_one
    for target in build/asan/tests/fuzz_*; do
        if [ -d "tests/fuzz/corpus/${target##*/fuzz_}" ]; then echo "$target"; fi
    done | xargs -P $((2 * $(jobs))) -I{} bash -c 'fuzz_one "$1"' fuzz {}
}

# Leaves out what is not built where software is not installed.
skip_unbuilt() {
    local file
    while read -r file; do
        case $file in
        tests/starpu/* | tests/simgrid/* | bench/run/mpi/*)
            grep -qF "/$file\"" build/release/compile_commands.json || continue
            ;;
        esac
        echo "$file"
    done
}

# tidy FILES [OPTION...]: clang-tidy over the files that it reads, so many at a time. That saves a third of the time, but the static
# analyzer of version 14 confuses va_lists where it is given several.
tidy() {
    local files=$1
    shift
    xargs -P "$(jobs)" -n "$files" clang-tidy -p build/release --quiet "$@" 2>/dev/null
}

# What everything rests on.
trusted='^(core|check)/'
# The static analyzer leaves a function after so many states. By its own limit, twenty times as many, it takes ten times as long: step_tidy.
shallow='--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=10000'

# judges TOOL: whether its version is the one that the files are made for; others like other things.
judges() {
    command -v "$1" >/dev/null && "$1" --version | grep -q 'version 14\.' && return 0
    echo "skipped: $1 is judged by version 14, this is $("$1" --version 2>&1 | grep -o 'version [0-9.]*' | head -n 1)"
    return 1
}

step_style() {
    local status=0
    if ! judges clang-format && ! judges clang-tidy; then return 0; fi
    cmake --preset release -DDUET_BUILD_TESTS=ON >/dev/null || return 1
    if judges clang-format >/dev/null; then
        git ls-files '*.c' '*.h' | xargs -P "$(jobs)" -n 100 clang-format --dry-run -Werror || status=1
    fi
    judges clang-tidy >/dev/null || return $status
    # shellcheck disable=SC2086 # options
    git ls-files '*.c' | grep -E "$trusted" | tidy 1 $shallow || status=1
    git ls-files '*.c' | grep -vE '^(tests|examples)/' | grep -vE "$trusted" | tidy 20 --checks='-clang-analyzer-*' || status=1
    return $status
}

step_tidy() {
    cmake --preset release -DDUET_BUILD_TESTS=ON >/dev/null || return 1
    git ls-files '*.c' | grep -vE "^examples/" | grep -v '^tests/install/' | skip_unbuilt | tidy 1
}

# Ends with an error below 95 % of the lines. DUET_TEST_AT_MOST is small: more of them run the same lines.
step_coverage() {
    configure_and_build coverage -DDUET_BUILD_TESTS=ON || return 1
    find build/coverage -name '*.gcda' -delete
    # As another user a program cannot write its counts, and would say so.
    GCOV_ERROR_FILE=/dev/null DUET_TEST_AT_MOST=500 run_tests coverage -E "shell\.(install|package|dist|docs|exact|memory|signals)"
    scripts/coverage.py build/coverage
}

# memcheck COMMAND...: what is found is an error, whatever the command says of itself.
memcheck='valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect'
memcheck="$memcheck --error-exitcode=99 --suppressions=$PWD/tests/valgrind.supp"

# under_memcheck NAME COMMAND...: runs it in build/valgrind and says what came of it.
under_memcheck() {
    local name=$1
    shift
    if (cd build/valgrind && DUET_TEST_AT_MOST=20 timeout 3000 "$@" >"$name.log" 2>&1 </dev/null) &&
        ! grep -lE 'Invalid|uninitialised|definitely lost|indirectly lost' build/valgrind/"$name".duet.* 2>/dev/null; then
        echo "valgrind $name: clean"
    else
        echo "valgrind $name FAILED:"
        cat build/valgrind/"$name".duet.* 2>/dev/null | head -n 60
        grep -E '^==|FAIL|ERROR' "build/valgrind/$name.log" | head -n 60
        return 1
    fi
}

# Every unit and conformance test but those whose searches take hours in it, the fuzz targets' kept inputs, and
# the command in the shell tests that ask for many short runs of it.
step_valgrind() {
    install_packages valgrind || return 1
    build_tests release || return 1
    rm -rf build/valgrind
    mkdir -p build/valgrind
    local status=0 name command
    while read -r name command; do
        # shellcheck disable=SC2086 # words
        under_memcheck "$name" $memcheck $command || status=1
    done < <(ctest --test-dir build/release --show-only=json-v1 |
        python3 -c 'import json, sys
for test in json.load(sys.stdin)["tests"]: print(test["name"], *test.get("command", []))' |
        grep -E '^(unit|conformance|fuzz)\.' | grep -vE '\.template_|^unit\.(check_alone|exact_truth|exact_stack|exact_limits|table_memory) ')
    for name in exit_codes invalid outputs; do
        printf '#!/bin/sh\nexec %s --log-file=%s.duet.%%p %s "$@"\n' "$memcheck" "$PWD/build/valgrind/$name" \
            "$PWD/build/release/bin/duet" >build/valgrind/duet
        chmod +x build/valgrind/duet
        under_memcheck "$name" bash "$PWD/tests/shell/$name.sh" "$PWD/build/valgrind/duet" "$PWD" || status=1
    done
    return $status
}

# shellcheck disable=SC2086 # lists of words
install_packages $build_packages $test_packages $(missing_blas) || exit 1
# shellcheck disable=SC2086
install_optional_packages $optional_packages
case $steps in
*asan* | *tsan* | *clang* | *fuzz* | *style* | *tidy*)
    # shellcheck disable=SC2086
    install_packages $matrix_packages || exit 1
    ;;
esac
mkdir -p build

# The tests of archive and wheel build again what the other builds have: with ccache that takes no time. Paths below the source folder
# count from the folder of the build; all others are the same everywhere. The compiler says what it has read: asking the
# preprocessor took ccache a sixth of the time of a build from an empty cache.
if [ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] && command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
fi
# make spends as long on finding out that there is nothing to do as ccache on doing it. A build folder that is there keeps its own.
if [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
fi

# The python3 of pyenv is a script that looks for the real one each time, five times as long as that takes to start.
if python=$(python3 -c 'import sys; print(sys.executable)'); then
    mkdir -p build/bin
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >"build/bin/new.$$" && chmod +x "build/bin/new.$$" &&
        mv "build/bin/new.$$" build/bin/python3
    export PATH=$PWD/build/bin:$PATH
fi

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
