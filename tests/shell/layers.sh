#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Imports and calls run one way: every folder includes, and calls, only what the design lets it use.
# $1: the duet command (unused), $2: the source folder, $3: a folder of the build.
set -u
build=$(cd "$3/.." && pwd) || exit 1
cd "$2" || exit 1
faults=0

# of FOLDER...: every C file and header below these.
of() {
    find "$@" -name '*.[ch]'
}

# may FOLDER ALLOWED...: the internal headers that a folder includes are in the allowed folders (or are the allowed headers).
may() {
    local folder=$1 line
    shift
    local pattern
    pattern=$(printf '%s[/"]|' "$@")
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        echo "FAIL $folder includes what it must not: $line"
        faults=$((faults + 1))
    done <<<"$(of "$folder" | xargs grep -nH '^#include "' | grep -vE "#include \"(${pattern%|})")"
}

# may_call FOLDER ALLOWED...: the same of symbols in the objects of the build, which public headers hide from the above.
calls=()
may_call() {
    local folder=$1
    shift
    calls+=("$folder=$(IFS=, && echo "$*")")
}

library="core check instances lp dp heuristics solvers report"
product="$library console cli bench"
may core core
may check core check
may instances core instances
may lp core lp
may dp core dp
may heuristics core heuristics
may solvers core lp dp heuristics solvers
may report core report
may console core console report/canvas
# The rest of these two see the whole library. Of the harness the command knows one header, of the command the harness none.
# shellcheck disable=SC2086 # words
may bench $library console bench
# shellcheck disable=SC2086
may cli $library console cli bench/bench.h

# The policy of StarPU is a program of the public headers, beside the library.
may starpu starpu

# What claims something asks the checkers first; `list` reads the schedule that it follows; the console calls the library
# as any program does.
may_call core core
may_call check core check
may_call instances core instances
may_call lp core lp
may_call dp core dp check
may_call heuristics core heuristics
may_call solvers core lp dp heuristics solvers check instances/formats/solution/io
may_call report core report
may_call console core console check instances/families instances/formats report/canvas report/gantt solvers
if command -v python3 >/dev/null; then
    python3 tests/support/check_symbols.py "$build" "${calls[@]}"
    case $? in
    0) ;;
    77) echo "calls are not judged: no nm, or no objects in $build" ;;
    *) faults=$((faults + 1)) ;;
    esac
fi

# The checkers are what an outsider trusts: the core alone, and the standard and public headers.
for file in $(of check); do
    if grep -n '#include' "$file" | grep -vE '<(duet/|errno|inttypes|limits|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string)|"(core|check)/'; then
        echo "FAIL $file includes more than it should"
        faults=$((faults + 1))
    fi
done

# Public headers include only public and standard ones.
if grep -nH '^#include "' include/duet/*.h; then
    echo "FAIL a public header includes an internal one"
    faults=$((faults + 1))
fi

# The library prints nothing, and ends no process, but for an invariant that does not hold (core/system/assert.c).
# shellcheck disable=SC2086
if of $library | xargs grep -nE '\b(abort|exit|_exit|printf|puts|perror) *\(' |
    grep -vE '^core/system/assert\.c:|:[0-9]+: *//'; then
    echo "FAIL the library prints or exits"
    faults=$((faults + 1))
fi

# What the command prints of names goes through one function.
if command -v python3 >/dev/null && ! python3 tests/support/check_prints.py .; then
    faults=$((faults + 1))
fi

# A name of a type is given once, so that any two headers can be included together.
# shellcheck disable=SC2086
twice=$(find include $product -name '*.h' -exec grep -hoE '^\} duet_\w+;' {} + | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "FAIL a type's name stands twice: $twice"
    faults=$((faults + 1))
fi

# What a header says of a field or a function is a sentence of its own: it names the number or the case that it means, and
# does not run on into the next field.
# shellcheck disable=SC2086
vague=$(find include $product -name '*.h' -exec awk '
    /\/\/.*([Ss]o many|where there is none)/ { print FILENAME ": " $0 }
    open != "" && !/^ *\/\// { print open }
    { open = /[;,] +\/\/.*,$/ ? FILENAME ": " $0 : "" }' {} +)
if [ -n "$vague" ]; then
    echo "FAIL a comment of a header is no sentence of its own: $vague"
    faults=$((faults + 1))
fi

# A file is at most 600 lines long, one of the tests 900.
# shellcheck disable=SC2086 # words
long=$(of include $product starpu examples python | xargs wc -l | awk '$2 != "total" && $1 > 600' &&
    of tests | xargs wc -l | awk '$2 != "total" && $1 > 900')
if [ -n "$long" ]; then
    echo "FAIL a file is longer than it should be: $long"
    faults=$((faults + 1))
fi

# Functions are short, structs have few flags, and nothing spells out the larger of two numbers.
# shellcheck disable=SC2086 # words
if command -v python3 >/dev/null && ! python3 tests/support/check_shapes.py $(of include $product starpu examples); then
    faults=$((faults + 1))
fi

# Each clause that the mutation of the checkers takes out still stands where it is looked for.
if command -v python3 >/dev/null && ! python3 tests/mutation/mutate.py --clauses --list >/dev/null; then
    faults=$((faults + 1))
fi

# What each constant of a room's tuning.h is worth was measured.
if command -v python3 >/dev/null && ! python3 scripts/tuning.py --check; then
    faults=$((faults + 1))
fi

# Memory is the caller's to give: it goes through core/system/memory.h. But for the allocator itself, what only asks whether
# there is some, and what getline() and open_memstream() hand over.
# shellcheck disable=SC2086
if of $product | xargs grep -nE '\b(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|strdup|strndup|asprintf) *\(' | grep -vE ':[0-9]+: *//' |
    grep -vE '^(core/system/(allocator|memory|threads)\.c|bench/search/report\.c):'; then
    echo "FAIL memory that does not go through core/system/memory.h"
    faults=$((faults + 1))
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
