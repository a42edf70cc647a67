#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cairo is opened when a PNG or PDF is asked for, and by nothing else: without it, and with one that is of no use, all
# else works, and the error says what to install. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
tasks=$(realpath "$2")/instances/data/cholesky-10.json
library=$(dirname "$(dirname "$duet")")/libduet.so
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

for file in "$duet" "$library"; do
    [ -e "$file" ] || continue
    check "$(basename "$file") links neither cairo nor what it brings" bash -c \
        '! ldd "$1" | grep -iE "cairo|libX|xcb|fontconfig|freetype"' _ "$file"
done
"$duet" --version | grep -q cairo || { echo "a build without cairo"; exit "$failed"; }

# without COMMAND...: a file that is no library stands in for cairo.
mkdir none other
touch none/libcairo.so.2
without() {
    LD_LIBRARY_PATH=$tmp/none${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"
}
# told: what exits() has run said in one line what to install, and what works without.
told() {
    [ "$(wc -l <exits.err)" -eq 1 ] && grep -q "Debian's libcairo2" exits.err && grep -q 'ending in \.svg' exits.err
}

exits 0 "without cairo: SVG" without "$duet" solve "$tasks" -a heft --gantt g.svg -o s.json
exits 0 "without cairo: a chart as SVG" without "$duet" bound "$tasks" -k 1..2 --chart c.svg
check "without cairo: both are drawn" grep -q "<svg" g.svg c.svg
for ending in png pdf; do
    exits 2 "without cairo: --gantt to $ending" without "$duet" solve "$tasks" -a exact -t 100 --gantt "g.$ending"
    check "without cairo: --gantt to $ending is told" told
    for command in "solve -a heft -k 1..2" "bound -k 1..2" "compare -a heft,eft" "simulate -a heft --noise gamma:0.1"; do
        # shellcheck disable=SC2086 # words
        exits 2 "without cairo: $command --chart to $ending" without "$duet" ${command%% *} "$tasks" ${command#* } --chart "c.$ending"
        check "without cairo: $command --chart to $ending is told" told
    done
    exits 2 "without cairo: a study's charts to $ending" without "$duet" bench exact --set small --seeds 2 -j 1 -q --chart c --chart-format $ending
    check "without cairo: a study says so before it runs" test ! -s exits.out
    check "without cairo: a study's charts to $ending are told" told
done
check "without cairo: nothing is left" bash -c '! ls | grep -E "[.](png|pdf|tmp)"'

# One that has not what is asked of it.
if command -v cc >/dev/null && cc -shared -fPIC -x c -o other/libcairo.so.2 /dev/null 2>/dev/null; then
    exits 2 "another cairo" env LD_LIBRARY_PATH="$tmp/other" "$duet" show "$tasks" s.json --gantt g.png
    check "another cairo: what it lacks is told" grep -q "undefined symbol: cairo_create" exits.err
fi

# With cairo, all of it.
exits 0 "with cairo" "$duet" show "$tasks" s.json --gantt g.png
exits 0 "with cairo: a PDF" "$duet" show "$tasks" s.json --gantt g.pdf
check "with cairo: a PDF has no date, so that the same picture is the same file" bash -c '! grep -a CreationDate g.pdf'
check "with cairo: a PNG" bash -c 'head -c 4 g.png | grep -q PNG'
exits 0 "with cairo: a study's charts" "$duet" bench exact --set small --seeds 2 -j 1 -q --chart c --chart-format pdf
check "with cairo: PDF" bash -c 'head -c 5 c-cactus.pdf | grep -q "%PDF-"'
exit "$failed"
