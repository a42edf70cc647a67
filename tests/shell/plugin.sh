#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Algorithms of one's own as a plug-in are rows like any other, in every command that runs algorithms.
# $1: the duet command in its build folder, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
build=$(dirname "$(dirname "$duet")")
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: sanitized build"
    exit 77
fi
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

check "the example compiles" "$cc" -std=c17 -Wall -Wextra -Werror -shared -fPIC -I"$source/include" -o rules.so \
    "$source/examples/plugin.c"
"$duet" generate layered -n 8 -m 2 -k 1 -o graph.json && "$duet" generate unif4 -n 9 -m 2 -k 1 -o tasks.json

# says PATTERN COMMAND...: it succeeds and prints a line that matches.
says() {
    "$duet" "${@:2}" >out 2>&1 && grep -qE -- "$1" out
}
check "list" says '^  mine-order +by index' list algorithms --plugin rules.so
check "list NAME" says 'by index' list algorithms mine-order --plugin rules.so
check "solve" says '^algorithm +mine-processor' solve tasks.json --plugin rules.so -a mine-processor
check "compare" says '^  mine-online +[0-9]+' compare tasks.json --plugin rules.so -a heft,mine-online
check "compare all" says '^  mine-order +[0-9]+' compare graph.json --plugin rules.so -t 0.1
check "simulate" says '^mean ' simulate graph.json --plugin rules.so -a mine-online --noise uniform:0.1 --runs 3
check "simulate a plan" says '^mean ' simulate graph.json --plugin rules.so -a mine-order --noise uniform:0.1 --runs 3
check "its worst case is run again with the plug-in" says 'duet bench ratios --plugin rules.so -a mine-order --family' \
    bench ratios --plugin rules.so -a mine-order --family small --instances 20
check "bench ratios" says '^mine-order +8 ' bench ratios --plugin rules.so -a mine-order,mine-online --instances 1 \
    --family unif4,acc -q
check "bench search" says '^mine-order +[1-9]' bench search --plugin rules.so -a mine-order --evaluations 2000 -q \
    -o worst.json
check "the worst case is saved" says '"makespan"' solve worst.json --plugin rules.so -a mine-order --json
check "bench search of graphs" says '^mine-order +[1-9]' bench search --plugin rules.so -a mine-order --edges -n 2:5 \
    --evaluations 500 -q
check "bench adversaries" says '^theorem-1 +mine-online .*holds' bench adversaries --plugin rules.so --tau 3 -n 6

# By index, each where it ends first, is what min-min and others are not; of tasks in order it is eft with insertion.
"$duet" solve tasks.json -a eft --json | grep '"makespan"' >eft
check "the list is that of eft" bash -c '"$1" solve tasks.json --plugin rules.so -a mine-order --json |
    grep "\"makespan\"" | cmp - eft' _ "$duet"

# refuses STATUS PATTERN COMMAND...
refuses() {
    "$duet" "${@:3}" >out 2>&1
    [ $? -eq "$1" ] && grep -qE -- "$2" out
}
check "what is no shared object" refuses 3 'tasks.json: it cannot be loaded' list --plugin tasks.json
echo 'int nothing;' >nothing.c && "$cc" -shared -fPIC -o nothing.so nothing.c
check "what is no plug-in" refuses 3 'nothing.so: no plug-in: .*duet_plugin' list --plugin nothing.so
"$cc" -shared -fPIC -I"$source/include" -o linked.so "$source/examples/plugin.c" -Wl,--no-as-needed -L"$build" -lduet 2>/dev/null &&
    check "what is linked with the library, which is not found" refuses 3 'libduet.so.*a plug-in needs no -lduet' list --plugin linked.so
check "the same twice" refuses 2 "already" list --plugin rules.so --plugin rules.so
check "an unknown name" refuses 2 "unknown algorithm 'mine'" compare tasks.json --plugin rules.so -a mine
check "a rule that is not online" refuses 2 "online rules of plug-ins, got 'mine-order'" bench adversaries \
    --plugin rules.so -a mine-order
exit "$failed"
