#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The harness at tiny sizes: exit codes, columns, and that all but the times is the same every run.
# No time limit is asserted. Usage: bench.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $what"
    else
        echo "FAIL $what: $(head -c 500 check.out)"
        failed=1
    fi
}
# exits CODE WHAT COMMAND...: the command must exit with that code.
exits() {
    local code=$1 what=$2
    shift 2
    "$@" >exits.out 2>exits.err
    local got=$?
    check "$what: exit code $code" test "$got" -eq "$code"
}
header() { check "$1: columns" test "$(head -n 1 "$2")" = "$3"; }

# What every measurement refuses, in one line.
exits 2 "bench without a measurement" "$duet" bench
exits 2 "an unknown measurement" "$duet" bench nonsense
exits 0 "bench --help" "$duet" bench --help
for what in speed dp-scaling tables small-ratios; do
    check "bench --help names $what" grep -q "^  $what " exits.out
    check "bench $what --help" "$duet" bench $what --help
done
while read -r measurement option value; do
    exits 2 "$measurement $option $value" "$duet" bench "$measurement" "$option" "$value"
    check "$measurement $option $value: one line that names the option" \
        bash -c 'test "$(wc -l <exits.err)" -eq 1 && grep -q -- "$1" exits.err' _ "$option"
done <<'END'
dp-scaling --n 10,,20
dp-scaling --n 0
dp-scaling --n 10,x
dp-scaling --n 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
dp-scaling --mk 20
dp-scaling --mk 0,0
dp-scaling --mk 4,2:
dp-scaling --families unif4,nonsense
dp-scaling --forms published,
dp-scaling --threads 0
dp-scaling --rounds 0
dp-scaling --chart-format gif
tables --only rates,nonsense
tables --rounds 1000
tables --whole -1
small-ratios -n 0
small-ratios --seed 0
END
exits 2 "an argument too many" "$duet" bench dp-scaling extra

# dp-scaling
small=(--quick --n "6,12" --families "unif4,corr")
exits 0 "dp-scaling" "$duet" bench dp-scaling "${small[@]}" --csv one.csv
check "dp-scaling prints the exponents" grep -q "^exponents of" exits.out
header "dp-scaling" one.csv "family,n,m,k,form,threads,guesses,yes,how,cells,bytes,by_misfit,by_lp,by_rounding,by_list,by_table,seconds,cells_per_second,triad_cells_per_second,of_triad"
check "dp-scaling: one row per form, size, platform and family" \
    test "$(wc -l <one.csv)" -eq $((1 + 3 * 2 * 3 * 2))
exits 0 "dp-scaling again" "$duet" bench dp-scaling "${small[@]}" --csv two.csv
check "dp-scaling: all but the times is the same" \
    bash -c 'cmp <(cut -d, -f1-16 one.csv) <(cut -d, -f1-16 two.csv)'
exits 0 "dp-scaling with threads" "$duet" bench dp-scaling "${small[@]}" --threads 1,2 \
    --csv threads.csv
check "dp-scaling: threads change no answer" bash -c \
    'cmp <(grep ",collapsed,1," threads.csv | cut -d, -f1-5,7-16) \
         <(grep ",collapsed,2," threads.csv | cut -d, -f1-5,7-16)'
exits 0 "dp-scaling by rate" "$duet" bench dp-scaling --n 30 --mk 8,4 --families unif4 \
    --forms published --whole 0 --rounds 1 --threads 1 --csv rate.csv
check "dp-scaling: the published form by rate is called so" grep -q ",by rate," rate.csv
exits 5 "dp-scaling to a place that is none" "$duet" bench dp-scaling "${small[@]}" --csv no/x.csv

# Charts: a note without gnuplot; whole or not at all with one.
PATH=/nonexistent exits 0 "charts without gnuplot" "$duet" bench dp-scaling "${small[@]}" --chart c
check "charts without gnuplot: a note" grep -q "note: .*gnuplot" exits.err
check "charts without gnuplot: no file" bash -c '! ls c-* 2>/dev/null'
mkdir fake
printf '#!/bin/sh\ncat\n' >fake/gnuplot
chmod +x fake/gnuplot
old_path=$PATH
PATH=$tmp/fake:$old_path exits 0 "charts" "$duet" bench dp-scaling "${small[@]}" --chart c
for chart in n m k rate; do
    check "chart over $chart: logarithmic, labelled, with data" bash -c \
        'grep -q "^set logscale xy" "$1" && grep -q "^set xlabel" "$1" && grep -q "EOD" "$1"' _ \
        "c-$chart.svg"
done
printf '#!/bin/sh\necho broken\nexit 1\n' >fake/gnuplot
rm -f c-*
PATH=$tmp/fake:$old_path exits 5 "charts with a broken gnuplot" "$duet" bench dp-scaling \
    "${small[@]}" --chart c
check "charts with a broken gnuplot: nothing is left" bash -c '! ls c-* 2>/dev/null'
if command -v gnuplot >/dev/null; then
    exits 0 "charts by gnuplot" "$duet" bench dp-scaling "${small[@]}" --chart real
    check "charts by gnuplot: SVG" grep -q "<svg" real-n.svg
fi

# small-ratios
exits 0 "small-ratios" "$duet" bench small-ratios -n 150 -j 1 --csv r1.csv
header "small-ratios" r1.csv "subject,kind,option,runs,numerator,denominator,ratio,seed,proven,exceeded,faults,verdict"
for what in algorithm bound; do
    for name in $("$duet" list ${what}s --json |
        python3 -c 'import json, sys; print(*(e["name"] for e in json.load(sys.stdin)))'); do
        check "small-ratios: $what $name" grep -q "^$name,$what,," r1.csv
    done
done
exits 0 "small-ratios with threads" "$duet" bench small-ratios -n 150 -j 3 --csv r3.csv --save worst
check "small-ratios: threads change nothing" cmp r1.csv r3.csv
# The optimum comes from ilp, where the build has it.
"$duet" --version | grep -q glpk &&
    check "small-ratios: the worst instance shows its ratio" bash -c \
    'IFS=, read -r _ _ _ _ makespan optimum _ seed _ < <(grep "^eft,algorithm,," r1.csv) &&
     "$1" solve "worst/eft-$seed.json" -a eft --json >eft.json &&
     "$1" solve "worst/eft-$seed.json" -a ilp --json >ilp.json &&
     grep -q "\"makespan\": $makespan," eft.json && grep -q "\"makespan\": $optimum," ilp.json' _ "$duet"

# tables
exits 0 "tables" "$duet" bench tables --quick --csv t.csv
header "tables" t.csv "part,what,ratio,sense,limit,verdict,how"
for part in "cell rate" "per guess" "whole run" "shelf"; do
    check "tables: $part" grep -q "^$part," t.csv
done
check "tables --quick judges nothing" bash -c '! grep -qE ",(ok|OVER)," t.csv'
exits 0 "tables --only" "$duet" bench tables --quick --only shelf --csv s.csv
check "tables --only measures nothing else" bash -c '! grep -vE "^(shelf|part)," s.csv'

# speed: at this size nothing keeps its limit for certain.
"$duet" bench speed -n 1000 --rounds 1 --csv v.csv >speed.out 2>&1
check "speed: ran" test $? -le 1
header "speed" v.csv "name,tasks,seconds,qsort_seconds,ratio,exponent,bytes_per_task"

exit $failed
