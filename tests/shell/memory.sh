#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Address space that ends (ulimit -v): an answer that holds or exit code 5 with its one line, never half a
# file, whatever the library behind (GLPK, OpenMP, OpenBLAS, cairo) makes of it.
# Usage: memory.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
runs=0
ulimit -c 0

# Where fontconfig has no room to read fonts it writes caches that know none. They are this test's own, not the system's.
export FONTCONFIG_FILE=$tmp/fonts/fonts.conf
mkdir "$tmp/fonts"
printf '<?xml version="1.0"?>\n<fontconfig><dir>/usr/share/fonts</dir><cachedir>%s</cachedir></fontconfig>\n' \
    "$tmp/fonts" >"$FONTCONFIG_FILE"

# The least at which the command starts at all, in KiB: below it the loader says no. None under the
# sanitizers, which take terabytes of it for themselves.
least=""
for kib in 20000 30000 40000 50000 60000 64000 68000 72000 80000 90000 100000 150000 200000 400000; do
    if (ulimit -v $kib && "$duet" list algorithms >/dev/null 2>&1); then
        least=$kib
        break
    fi
done
if [ -z "$least" ]; then
    echo "skipped: this build does not start in limited address space"
    exit 77
fi

"$duet" generate unif4 -n 150 -m 8 -k 4 --seed 5 -o tasks.json || exit 1
"$duet" generate uniform -n 20000 -m 40 -k 8 --seed 3 -o many.json || exit 1
"$duet" generate amdahl -n 150 -m 12 --seed 5 -o moldable.json || exit 1
"$duet" generate amdahl -n 150 -m 8 -k 4 --seed 5 -o hybrid.json || exit 1
"$duet" solve tasks.json -a heft -o heft.json >/dev/null || exit 1
"$duet" solve tasks.json -a exact -t 2 -O proof=exact.proof -o exact.json >/dev/null || exit 1
"$duet" compare tasks.json -a heft,eft --csv results.csv >/dev/null || exit 1
mkdir w

# limited KIB ARGUMENT...: 0, or 5 with one line and nothing in w.
limited() {
    local kib=$1 code why=""
    shift
    runs=$((runs + 1))
    rm -f w/*
    (ulimit -v "$kib" && exec timeout 600 "$duet" "$@") >out 2>said </dev/null
    code=$?
    grep -v '^Fontconfig ' said >err # the library behind the charts, which says its own
    case $code in
    0) ;;
    5)
        [ "$(wc -l <err)" = 1 ] || why="$(wc -l <err) lines on standard error"
        grep -q '^duet: ' err || why="no 'duet: '"
        [ -z "$(ls -A w)" ] || why="w holds $(ls -A w)"
        ;;
    2) grep -q 'this build ' err || why="wrong usage" ;; # an optional part is left out of it
    *) why="exit code $code" ;;
    esac
    if [ -n "$why" ]; then
        echo "FAIL $kib KiB: duet $*: $why; $(head -c 300 err)"
        failed=1
    fi
    return $code
}

# Each algorithm with a file that it handles, a line each.
"$duet" list algorithms --json | python3 -c '
import json, sys
for a in json.load(sys.stdin):
    moldable, two = "moldable" in a["requires"], "two-types" in a["requires"]
    print(a["name"], "tasks.json" if not moldable else "hybrid.json" if two else "moldable.json")' >algorithms
for more in 0 3000 10000 30000 1000000; do
    kib=$((least + more))
    while read -r algorithm file; do
        if limited $kib solve $file -a "$algorithm" -t 0.1 -j 4 -o w/s.json; then
            "$duet" verify $file w/s.json >/dev/null 2>&1 ||
                { echo "FAIL $kib KiB: $algorithm: the schedule does not hold"; failed=1; }
        fi
    done <algorithms
    while read -r arguments; do
        # shellcheck disable=SC2086 # words
        limited $kib $arguments
    done <<'END'
solve many.json -t 1 -j 8 -o w/s.json
solve many.json -a dual-4-3 -t 1 -j 8 -o w/s.json
bound tasks.json -b all -t 1
bound many.json -b all --json -t 1
verify tasks.json heft.json
verify tasks.json exact.json
generate uniform -n 100000 -o w/u.json
compare tasks.json -a heft,lst,ilp -t 0.1 --csv w/c.csv
compare tasks.json --export lp -o w/p.lp
measure --factorisation cholesky --tile 32 --repeats 1 --warmup 0 -o w/k.csv
report results.csv -o w/r.html
report --solution heft.json --instance tasks.json -o w/r.html
solve tasks.json -a heft --gantt w/g.svg
solve tasks.json -a heft --gantt w/g.pdf
solve tasks.json -a heft --gantt w/g.png
solve many.json -a heft --trace w/t.json
bench ratios --family small --each-option --bounds --instances 20 -j 4
END
done
echo "$runs runs from $least KiB on"
exit $failed
