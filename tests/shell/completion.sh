#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Completion: what bash and zsh would show for a line. $1: the duet command, $2: the source folder.
set -u
duet=$(realpath "$1")
source=$(realpath "$2")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
touch tasks.csv "two words.csv" other.json
mkdir folder
PATH=$(dirname "$duet"):$PATH
faults=0

# expect WHAT EXPECTED...: the candidates in COMPREPLY, all of them in any order; "*" where more may be there.
expect() {
    local what=$1 line
    shift
    printf '%s\n' "$@" | grep -vx '\*' | sort >expected
    printf '%s\n' "${COMPREPLY[@]}" | sort >got
    if [ "${!#}" = "*" ]; then
        line=$(comm -23 expected got)
    else
        line=$(diff expected got)
    fi
    if [ -n "$line" ]; then
        echo "FAIL $what: $line"
        faults=$((faults + 1))
    fi
}

# shellcheck source=/dev/null
. "$source/cli/completion/duet.bash"
complete -p duet | grep -q -- '-F _duet duet' || { echo "FAIL nothing is registered"; exit 1; }

# line WORD...: completes the last word, parted at '=' as bash does.
line() {
    local word
    COMP_WORDS=()
    for word; do
        while [[ $word == *=* ]]; do
            [ -n "${word%%=*}" ] && COMP_WORDS+=("${word%%=*}")
            COMP_WORDS+=("=")
            word=${word#*=}
            [ -n "$word" ] || continue 2
        done
        COMP_WORDS+=("$word")
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _duet duet "${COMP_WORDS[COMP_CWORD]}" ""
}

line duet so
expect "a command" solve
line duet ""
expect "all commands" solve bound verify generate simulate compare bench list help --version "*"
line duet help ver
expect "help" verify
line duet bench ex
expect "a measurement" exact
line duet solve --al
expect "an option with a value" --algorithm=
line duet solve tasks.csv --js
expect "an option without" --json
line duet solve tasks.csv -a hef
expect "an algorithm" heft heft-lookahead heft-min heft-nc heft-wm
line duet solve --algorithm=suff
expect "an algorithm behind =" sufferage
line duet solve --algorithm=
# shellcheck disable=SC2046 # the names are words
expect "every algorithm" $("$duet" list algorithms --json |
    python3 -c 'import json, sys; print(*(e["name"] for e in json.load(sys.stdin)))')
line duet compare tasks.csv -a heft,dualh
expect "an algorithm behind a comma" heft,dualhp
line duet bound tasks.csv -b are
expect "a bound" area area-lp
line duet solve -a dual-4-3 -O t
expect "an option of the algorithm" table= time=
line duet solve -a dual-4-3 -O table=
expect "its values" published collapsed adaptive
line duet solve -a heft -O table=
expect "none of another algorithm's" ""
line duet solve -a heft -O improve=t
expect "an option of all" true
line duet generate cho
expect "a family" chol
line duet generate chol -O r
expect "its option" row=
line duet generate --format=c
expect "a choice" csv
line duet list fo
expect "a list" formats
line duet solve ta
expect "a file" tasks.csv
line duet solve two
expect "a file with a space" "two words.csv"
line duet solve tasks.csv -o o
expect "a file behind -o" other.json
line duet solve tasks.csv --output=fold
expect "a folder behind =" folder
line duet solve tasks.csv -t 1
expect "nothing for a number" ""
line duet nonsense --
expect "nothing for no command" ""

"$duet" complete >out 2>&1
[ $? -eq 2 ] && grep -q "^duet: complete: expected" out || { echo "FAIL no line: $(cat out)"; faults=1; }

# Each command completes each of its options.
for command in solve bound verify generate simulate measure compare report list "bench exact" "bench tables"; do
    # shellcheck disable=SC2086 # two words
    line duet $command --
    # shellcheck disable=SC2046,SC2086
    expect "$command --" $("$duet" $command --help | grep -oE -- '^.{6}--[a-z-]+=?' | grep -oE -- '--.*')
done

# zsh: the function with stand-ins for what only its line editor has.
cat >ask.zsh <<'END'
compadd() { local -a named; named=(${(P)@[-1]}); print -rl -- $named }
compset() { compset_called=yes }
_files() { print -r -- ":files$compset_called" }
functions[_duet]=$(<$1)
shift
words=("$@")
CURRENT=$#
_duet
END
zline() {
    mapfile -t COMPREPLY < <(zsh -f ask.zsh "$source/cli/completion/_duet" "$@" 2>&1)
}
if command -v zsh >/dev/null; then
    zline duet so
    expect "zsh: a command" solve
    zline duet solve tasks.csv --al
    expect "zsh: an option" --algorithm=
    zline duet solve --algorithm=suff
    expect "zsh: an algorithm behind =" --algorithm=sufferage
    zline duet compare -a heft,dualh
    expect "zsh: an algorithm behind a comma" heft,dualhp
    zline duet solve -a dual-4-3 -O table=
    expect "zsh: values of an option" table=published table=collapsed table=adaptive
    zline duet solve --gantt ta
    expect "zsh: a file" :filesyes
    zline duet solve tasks.csv -t 1
    expect "zsh: nothing for a number" ""
else
    echo "zsh is not there: its function is not tried"
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
