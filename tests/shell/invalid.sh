#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every malformed input of tests/invalid: the exit code and the message that expected.tsv states, in
# one line on standard error that starts with "duet: ", and nothing on standard output.
# $1: the duet command, $2: the source folder.
set -u
duet=$(realpath "$1")
cd "$2/tests/invalid" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
rows=0
faults=0

fault() {
    printf 'duet %s: %s\n' "$1" "$2"
    faults=$((faults + 1))
}

# check ARGUMENTS EXIT-CODE FRAGMENT, with the command's standard input as ours
check() {
    local arguments=$1 expected=$2 fragment=$3 code said
    # shellcheck disable=SC2086 # the arguments are words
    "$duet" $arguments >"$scratch/out" 2>"$scratch/err"
    code=$?
    rows=$((rows + 1))
    IFS= read -r -d '' said <"$scratch/err"
    [ "$code" -eq "$expected" ] || fault "$arguments" "exit code $code, expected $expected"
    [[ $said == *$'\n' && ${said%$'\n'} != *$'\n'* ]] || fault "$arguments" "not one line on standard error: '$said'"
    [ ! -s "$scratch/out" ] || fault "$arguments" "standard output, expected none"
    [[ $said == 'duet: '* ]] || fault "$arguments" "no line starts with 'duet: '"
    [[ $said == *"$fragment"* ]] || fault "$arguments" "expected '$fragment', got '$said'"
}

while IFS=$'\t' read -r arguments code fragment; do
    case $arguments in
    '#'* | '') continue ;;
    esac
    check "$arguments" "$code" "$fragment" </dev/null
done <expected.tsv

check "bound - -m 2 -k 1" 3 "standard input: the file is empty" </dev/null
check "bound - -m 2 -k 1" 3 "standard input:3:19: expected a value" <bare-word.json
check "verify base.json -" 1 "standard input:7:3: task \"a\" is placed twice" <s-task-twice.json

# No permission to read: not testable for root, who may read all.
if [ "$(id -u)" -ne 0 ]; then
    cp base.json "$scratch/secret.json"
    chmod 000 "$scratch/secret.json"
    check "bound $scratch/secret.json" 3 "cannot read: Permission denied" </dev/null
fi

# A failed solve leaves no output file behind, not even a part.
check "solve text-nan.txt -m 2 -k 1 -o $scratch/solution.json" 3 "text-nan.txt:1: time" </dev/null
[ -z "$(find "$scratch" -name 'solution.json*')" ] || fault "solve -o" "left an output file"

# What is not malformed must pass: an empty set of tasks is valid.
printf '{"format": "duet-instance", "version": 1, "tasks": []}' >"$scratch/none.json"
"$duet" bound "$scratch/none.json" -m 2 -k 1 >"$scratch/out" 2>"$scratch/err" ||
    fault "bound none.json" "exit code $?, expected 0: $(cat "$scratch/err")"

echo "$rows malformed inputs, $faults faults"
[ "$rows" -ge 70 ] && [ "$faults" -eq 0 ]
