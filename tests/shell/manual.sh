#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The manual: every command has a page with every option of its --help, every entry of the registry and
# every public function is told about, and the pages are sound. $1: the duet command, $2: the source folder.
set -u
duet=$1
source=$(realpath "$2")
build=$(dirname "$(dirname "$(realpath "$1")")")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
faults=0

fail() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

cmake -DDUET="$duet" -DSOURCE="$source" -DOUT="$tmp/man" -P "$source/cmake/ManPages.cmake" ||
    { echo "FAIL the pages cannot be made"; exit 1; }

# plain PAGE: without fonts and escapes.
plain() {
    sed -e 's/\\f[BIR]//g; s/\\-/-/g; s/\\&//g; s/\\(aq/'"'"'/g; s/\\(ga/`/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\e/\\/g' \
        "$tmp/man/$1"
}

# Commands and studies, as the command itself names them.
commands=$("$duet" --help | sed -n '/^$/,/^$/s/^  \([a-z]*\)  .*/\1/p')
studies=$("$duet" bench --help | sed -n 's/^  \([a-z-]*\)  .*/bench \1/p')
[ "$(wc -w <<<"$commands")" -ge 9 ] || fail "commands in --help: $commands"
[ "$(wc -l <<<"$studies")" -ge 6 ] || fail "studies in bench --help: $studies"
while read -r command; do
    page=duet-${command// /-}.1
    [ -s "$tmp/man/$page" ] || { fail "no page $page"; continue; }
    plain "$page" >"$tmp/page"
    # shellcheck disable=SC2086 # two words for a measurement
    "$duet" $command --help | sed -n '/^  *-/{s/^  *//; s/  .*//; p}' | grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z-]*' |
        tr -d ' ,' | sort -u >"$tmp/options"
    [ -s "$tmp/options" ] || fail "$command --help has no options"
    while read -r option; do
        grep -qE -- "(^|[ ,])$option([ =,]|\$)" "$tmp/page" || fail "$page has no $option"
    done <"$tmp/options"
    grep -q '^\.SH DESCRIPTION' "$tmp/man/$page" || fail "$page has no description"
done <<<"$(grep -v '^bench$' <<<"$commands" && echo "$studies")"
for command in $commands; do
    grep -q "^\.BR duet-$command (1)" "$tmp/man/duet.1" || fail "duet.1 does not name $command"
done

# The examples of duet(1) work; those of the others have options that are there (tests/support/check_docs.py).
plain duet.1 | sed -n '/^\.SH EXAMPLES/,/^\.EE/{/^duet /p}' >"$tmp/examples"
[ "$(wc -l <"$tmp/examples")" -ge 3 ] || fail "examples of duet.1: $(cat "$tmp/examples")"
if "$duet" --version | grep -q cairo; then
    mkdir "$tmp/tour"
    (PATH=$(dirname "$(realpath "$duet")"):$PATH && cd "$tmp/tour" && bash -e "$tmp/examples") >"$tmp/out" 2>&1 ||
        fail "the examples of duet.1: $(cat "$tmp/out")"
fi

# The registry: each entry a heading, each option of it told.
for list in algorithms bounds families formats; do
    plain "duet-$list.7" >"$tmp/page"
    "$duet" list $list --json | python3 -c 'import json, sys
for entry in json.load(sys.stdin):
    print(".SS", entry["name"])
    for option in entry["options"]:
        print("-O %s=" % option["name"])
    print(entry["reference"] or entry["summary"])' >"$tmp/expected" || fail "list $list --json"
    [ -s "$tmp/expected" ] || fail "list $list is empty"
    while IFS= read -r text; do
        grep -qF -- "$text" "$tmp/page" || fail "duet-$list.7 has no '$text'"
    done <"$tmp/expected"
done

# The library: every function that the headers declare; the policy of StarPU is another library.
plain libduet.3 >"$tmp/page"
find "$source/include/duet" -name '*.h' ! -name starpu.h -exec cat {} + | tr '\n' ' ' | grep -oE 'DUET_API [^;]*' |
    grep -oE '\bduet_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$tmp/functions"
[ "$(wc -l <"$tmp/functions")" -ge 60 ] || fail "functions in the headers: $(wc -l <"$tmp/functions")"
while read -r name; do
    grep -A 1 '^\.TP' "$tmp/page" | grep -q "[ *]$name(" || fail "libduet.3 has no $name()"
done <"$tmp/functions"
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
sed -n '/^#include <stdio.h>/,/^}/p' "$tmp/page" >"$tmp/example.c"
"$cc" -std=c17 -Wall -Wextra -Werror -I "$source/include" -c -o "$tmp/example.o" "$tmp/example.c" ||
    fail "the example of libduet.3 does not compile"

# A page is the same at each making, with the day that a packager gives.
page=$(SOURCE_DATE_EPOCH=86400 "$duet" help --man duet-solve.1)
grep -q '^\.TH DUET-SOLVE 1 1970-01-02 ' <<<"$page" || fail "SOURCE_DATE_EPOCH: $(head -n 1 <<<"$page")"
"$duet" help --man nothing >"$tmp/out" 2>&1
[ $? -eq 2 ] || fail "an unknown page: exit code"
grep -q "unknown page 'nothing'" "$tmp/out" || fail "an unknown page: $(cat "$tmp/out")"

for page in "$tmp"/man/*; do
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" >"$tmp/out" 2>&1 || fail "mandoc: $(cat "$tmp/out")"
    fi
    if command -v groff >/dev/null && groff -man -Tutf8 /dev/null >/dev/null 2>&1; then
        groff -man -Tutf8 -Kutf8 -ww "$page" 2>"$tmp/out" >/dev/null
        [ -s "$tmp/out" ] && fail "groff: $(cat "$tmp/out")"
    fi
done
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
