#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Imports run one way: every folder includes only what the design lets it use.
# $1: the duet command (unused), $2: the source folder.
set -u
cd "$2" || exit 1
faults=0

# may FOLDER ALLOWED...: the internal headers a folder includes are in the allowed folders.
may() {
    local folder=$1 line
    shift
    local pattern
    pattern=$(printf '%s|' "$@")
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        echo "FAIL $folder includes what it must not: $line"
        faults=$((faults + 1))
    done <<<"$(grep -nH '^#include "' "$folder"/*.[ch] | grep -vE "#include \"(${pattern%|})/")"
}

may core core
may instances core instances
may lp core lp
may dp core dp
may heuristics core heuristics
may solvers core lp dp heuristics solvers
may report core report
may bench core instances lp dp heuristics solvers report bench cli tests/support
may cli core instances lp dp heuristics solvers report bench cli

# The checkers are what an outsider trusts: the core alone, and the public headers.
for file in core/check.c core/certificate.c core/price_list.[ch] core/proof_*.[ch]; do
    if grep -n '#include' "$file" | grep -vE '<(duet/|errno|inttypes|limits|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string)|"core/'; then
        echo "FAIL $file includes more than it should"
        faults=$((faults + 1))
    fi
done

# Public headers include only public and standard ones.
if grep -nH '^#include "' include/duet/*.h; then
    echo "FAIL a public header includes an internal one"
    faults=$((faults + 1))
fi

# The library prints nothing, and ends no process.
if grep -nE '\b(abort|exit|_exit|printf|puts|perror) *\(' \
    core/*.c instances/*.c lp/*.c dp/*.c heuristics/*.c solvers/*.c report/*.c 2>/dev/null |
    grep -vE ':[0-9]+: *//'; then
    echo "FAIL the library prints or exits"
    faults=$((faults + 1))
fi

# A name of a type is given once, so that any two headers can be included together.
twice=$(grep -hoE '^\} duet_\w+;' include/duet/*.h {core,instances,lp,dp,heuristics,solvers,report,cli,bench}/*.h | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "FAIL a type's name stands twice: $twice"
    faults=$((faults + 1))
fi

# Memory is the caller's to give: it goes through core/memory.h. But for the allocator itself, what only asks whether
# there is some, and what getline() and open_memstream() hand over.
if grep -nE '\b(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|strdup|strndup|asprintf) *\(' \
    {core,instances,lp,dp,heuristics,solvers,report,cli,bench}/*.[ch] | grep -vE ':[0-9]+: *//' |
    grep -vE '^(core/(allocator|memory|threads)\.c|bench/(exact_cbc_read|search_report)\.c):'; then
    echo "FAIL memory that does not go through core/memory.h"
    faults=$((faults + 1))
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
