#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The harness at tiny sizes: exit codes, columns, and that all but the times is the same every run.
# No time limit is asserted. Usage: bench.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
support=$2/tests/support
. "$support/checks.sh"
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

header() { check "$1: columns" test "$(head -n 1 "$2")" = "$3"; }

# What every study refuses, in one line.
exits 2 "bench without a study" "$duet" bench
exits 2 "an unknown study" "$duet" bench nonsense
exits 0 "bench --help" "$duet" bench --help
for what in speed dp-scaling tables ratios exact parts search papers; do
    check "bench --help names $what" grep -q "^  $what " exits.out
    check "bench $what --help" "$duet" bench $what --help
done
exits 0 "adversaries: those without enough CPUs are left out" "$duet" bench adversaries -k 5,1 -n 2 -a eft
check "adversaries: which" grep -q "^lemma-3: not against eft: it needs more CPUs" exits.out
exits 2 "adversaries: unless one is named" "$duet" bench adversaries -k 5,1 -n 2 -a eft --adversary lemma-3
while read -r study option value; do
    exits 2 "$study $option $value" "$duet" bench "$study" "$option" "$value"
    check "$study $option $value: one line that names the option" \
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
exact --chart-format gif
tables --only rates,nonsense
tables --rounds 1000
tables --whole -1
ratios --instances 0
ratios -n 10..
ratios -n 12..10
ratios -n 10,
ratios -n 1..100000001
ratios --platforms 4..64
ratios --platforms 64..4:0
ratios --platforms 0..4:1
ratios --platforms 4:1:2
ratios --seed -1
parts --graphs -1
parts --sets x
parts --times 0.5
exact --set nonsense
exact --families unif4,nonsense
exact --sizes 0
exact --platforms 20
exact --platforms 0:4
exact --platforms 4:2,
exact --seeds 0
exact -t 0
exact -a nonsense
exact --set graphs --families layered,nonsense
exact -a ilp,ilp
exact --data .
exact --chart-format gif
END
exits 0 "parts of nothing" "$duet" bench parts --graphs 0 --sets 0 --times 0.02
exits 0 "parts: a graph and a set, whatever comes of them" bash -c \
    '"$1" bench parts --graphs 1 --sets 1 --times 0.02 --draws 2 >parts.txt; test $? -le 1 && grep -q "^mixed-graph  *0.02 " parts.txt' _ "$duet"
exits 2 "a set that is no grid" "$duet" bench exact --set small --sizes 10 -a auto
exits 2 "a set without its folder" "$duet" bench exact --set real -a auto
exits 3 "a folder that is none" "$duet" bench exact --set real --data none -a auto
exits 2 "--json and --csv to the same place" "$duet" bench exact -a auto --json --csv -
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

# Every choice of every option, and the bounds. Option bound is every algorithm's: which bound stands beside a schedule.
variants=("$duet" bench ratios --family small --each-option --bounds --instances 150)
exits 0 "each option" "${variants[@]}" -j 1 --csv r1.csv
for what in algorithm bound; do
    for name in $("$duet" list ${what}s --json |
        python3 -c 'import json, sys; print(*(e["name"] for e in json.load(sys.stdin)))'); do
        column=$([ $what = bound ] && echo ",$name,bound," || echo ",$name,,")
        check "each option: $what $name" grep -q -- "$column" r1.csv
    done
done
for option in $("$duet" list algorithms --json | python3 -c 'import json, sys
for entry in json.load(sys.stdin):
    for option in entry["options"]:
        if option["type"] == "choice" and option["name"] != "bound":
            for choice in option["choices"]:
                if choice != option["default"]:
                    print("%s,%s=%s" % (entry["name"], option["name"], choice))'); do
    check "each option: $option" grep -q -- ",$option," r1.csv
done
check "each option: what is slow runs on every tenth" awk -F, '$9 == "table=published" {
    runs += $10 != "skipped" } END { exit runs != 15 }' r1.csv
exits 0 "each option with threads" "${variants[@]}" -j 3 --csv r3.csv --save worst
rows() { sed 1d "$1" | awk -F, -v OFS=, '{ $(NF - 1) = ""; print }' | sort; }
check "each option: threads change nothing" cmp <(rows r1.csv) <(rows r3.csv)
check "each option: a bound is respected" grep -qE '^area bound .* respected$' exits.out
check "each option: accel-published is refuted" grep -qE '^accel-published .* refuted by [1-9]' exits.out
exits 0 "each option as JSON" "${variants[@]}" -a dual-2 --json
check "each option as JSON: names and options" python3 -c 'import json, sys
rows = json.load(open("exits.out"))["algorithms"]
own, bounds = [r for r in rows if r["name"] == "dual-2"], [r for r in rows if r["name"] != "dual-2"]
assert rows[:len(own)] == own and [r["options"] for r in own[:2]] == ["", "table=collapsed"]
assert all(r["options"] == "bound" and r["exceeded"] == 0 and (r["runs"] == 0 or r["max"] >= 1) for r in bounds) and len(bounds) > 2'
exits 2 "each option beside -O" "$duet" bench ratios -a dual-2 --each-option -O table=collapsed
# The optimum comes from ilp, where the build has it.
"$duet" --version | grep -q glpk &&
    check "each option: the worst instance shows its ratio" bash -c \
    'worst=$(ls worst/eft-small-* | head -n 1) &&
     ratio=$("$1" bench ratios -a eft --family small --instances 150 --json |
        python3 -c "import json, sys; print(json.load(sys.stdin)[\"algorithms\"][0][\"max_exact\"])") &&
     "$1" solve "$worst" -a eft --json >eft.json && "$1" solve "$worst" -a ilp --json >ilp.json &&
     python3 -c "
import fractions, json, sys
eft, ilp = (json.load(open(name))[\"makespan\"] for name in (\"eft.json\", \"ilp.json\"))
sys.exit(fractions.Fraction(eft) / fractions.Fraction(ilp) != fractions.Fraction(sys.argv[1]))" "$ratio"' _ "$duet"

# What is written at the end is refused at the beginning.
mkdir busy && touch busy/file
exits 5 "ratios: a file for a folder" "$duet" bench ratios -a lpt --family small --save busy/file
exits 5 "ratios: a folder in none" "$duet" bench ratios -a lpt --family small --save none/x
check "ratios: a folder in none: at once" test ! -s exits.out
exits 5 "exact: charts in no folder" "$duet" bench exact -a lpt --sizes 10 --chart none/c
check "exact: charts in no folder: at once" test ! -s exits.out

# ratios: one that is exceeded, as a row says it; and a reference at fault. -q hides neither.
sweep=("$duet" bench ratios -a "lpt,dualhp" --family unif4 -n 5 --instances 5 --seed 3)
exits 0 "ratios" "${sweep[@]}" --csv good.csv
spoil() { # ALGORITHM COLUMN OLD NEW
    python3 - "$@" <<'END'
import csv, sys
algorithm, column, old, new = sys.argv[1:]
rows = list(csv.reader(open("good.csv", newline="")))
head = rows[0]
row = next(r for r in rows if r[head.index("algorithm")] == algorithm and r[head.index(column)] == old)
row[head.index(column)] = new
csv.writer(open("bad.csv", "w", newline=""), lineterminator="\n").writerows(rows)
print(row[head.index("instance")], row[head.index("seed")], file=open("bad.txt", "w"))
END
    read -r instance seed <bad.txt
}
spoil dualhp respected yes no
exits 1 "ratios: one exceeded" "${sweep[@]}" --csv bad.csv --resume -q
check "ratios: one exceeded: which" \
    grep -q "^duet: dualhp: 1 runs above the proven ratio, the first $instance ([0-9]*,[0-9]*), seed $seed: duet bench ratios -a dualhp " exits.err
check "ratios: one exceeded: the table" grep -q "^dualhp .* EXCEEDED$" exits.out
spoil lpt reference_kind optimum fault
exits 1 "ratios: a reference at fault" "${sweep[@]}" --csv bad.csv --resume -q
check "ratios: a reference at fault: which" \
    grep -q "^duet: reference: 1 instances .*, the first $instance ([0-9]*,[0-9]*), seed $seed: duet bench ratios -a " exits.err
for count in 1 10; do # of ten runs
    python3 - $count <<'END'
import csv, sys
rows = list(csv.DictReader(open("good.csv", newline="")))
out = csv.DictWriter(open("bad.csv", "w", newline=""), rows[0], lineterminator="\n")
out.writeheader()
for row in [r for r in rows if r["algorithm"] == "lpt"][:int(sys.argv[1])]:
    row.update(status="failed", makespan="", lower_bound="", ratio="")
out.writerows(rows)
END
    exits 0 "ratios: $count runs that failed" "${sweep[@]}" --csv bad.csv --resume
    check "ratios: $count runs that failed: counted" bash -c 'grep -q "^algorithm  *runs  *failed " exits.out &&
        grep -q "^lpt  *$((10 - $1))  *$1 " exits.out && grep -q "^dualhp  *10  *0 " exits.out' _ $count
done
check "ratios: all runs failed: said so" grep -q "^lpt .* all runs failed$" exits.out
exits 0 "ratios: a published one" "$duet" bench ratios -a accel-published --family acc
check "ratios: a published one is refuted" grep -qE "^accel-published .* published 3/2: refuted by [1-9][0-9]*$" exits.out
exits 0 "ratios: a published one, elsewhere" "$duet" bench ratios -a accel-published --family unif4
check "ratios: a published one, elsewhere, is not" grep -q "^accel-published .* published 3/2: not refuted$" exits.out

exits 2 "ratios: a range of platforms for a file" "$duet" bench ratios -a lpt --platforms 1..2:1 none.csv

# tables
exits 0 "tables" "$duet" bench tables --quick --csv t.csv
header "tables" t.csv "part,what,ratio,sense,limit,verdict,how"
for part in "cell rate" "per guess" "whole run" "shelf"; do
    check "tables: $part" grep -q "^$part," t.csv
done
check "tables --quick judges nothing" bash -c '! grep -qE ",(ok|OVER)," t.csv'
exits 0 "tables --only" "$duet" bench tables --quick --only shelf --csv s.csv
check "tables --only measures nothing else" bash -c '! grep -vE "^(shelf|part)," s.csv'

# exact: dual-4-3 is fast on everything, and exact on one CPU and one GPU.
grid=(-a "dual-4-3,lpt" --sizes "10,20" --platforms "2:1,4:0" --seeds 1 -t 5)
exits 1 "exact: a promise that is missed" "$duet" bench exact "${grid[@]}" --csv e1.csv
check "exact says which" grep -q "all of at most 50 tasks proven within 3 s .* of 24 .* MISSED" exits.out
check "exact does not judge numbers of a narrowed set" bash -c \
    'test "$(grep -c "not judged" exits.out)" -ge 2'
header "exact" e1.csv "set,name,size,m,k,seed,tasks,kinds,decimals,algorithm,threads,limit,platform,instance,status,makespan,bound,bound_name,gap,optimum,seconds,work,span,proof_bytes,proof_nodes,proof_seconds,note"
check "exact: one row per algorithm, family, size and platform" \
    test "$(wc -l <e1.csv)" -eq $((1 + 2 * 6 * 2 * 2))
exits 1 "exact again" "$duet" bench exact "${grid[@]}" --csv e2.csv
check "exact: all but the times is the same" \
    bash -c 'cmp <(cut -d, -f1-20 e1.csv) <(cut -d, -f1-20 e2.csv)'
exits 1 "exact as JSON" "$duet" bench exact "${grid[@]}" --json
check "exact: the JSON agrees with the CSV" python3 -c '
import csv, json
runs = json.load(open("exits.out"))["runs"]
rows = list(csv.DictReader(open("e1.csv")))
assert len(runs) == len(rows) > 0
for run, row in zip(runs, rows):
    for key in "name", "size", "m", "k", "seed", "tasks", "algorithm", "status", "makespan", "bound":
        assert str(run[key]) == row[key], (key, run, row)'
exits 0 "exact: pairs" "$duet" bench exact --set pair --seeds 30 -a dual-4-3
check "exact: pairs kept" grep -q "30 of 30  *ok" exits.out
exits 1 "exact: small" "$duet" bench exact --set small --seeds 50 -a shelf-3-2,auto
check "exact: a 3/2 algorithm is not exact" grep -q "equal to the exhaustive optimum .* MISSED" exits.out
for set in medium tiles identical; do
    "$duet" bench exact --set $set -a lpt -t 1 --csv $set.csv >/dev/null 2>&1
    check "exact: set $set ran" test $? -le 1
    check "exact: set $set is whole" test "$(wc -l <$set.csv)" -gt 30
done
exits 1 "exact: files" "$duet" bench exact --set real --data "$2/instances/data" -a lpt --csv real.csv \
    --platforms 4:2
check "exact: files with two types" grep -q "^real,$2/instances/data/cholesky-10.json,0,4,2," real.csv
exits 0 "exact: task graphs" "$duet" bench exact --set graphs --families chol,lu,layered --sizes 4 -t 600 \
    --platforms 20:4 -a exact,heft,heteroprio --csv graphs.csv
check "exact: task graphs in the table" grep -q "^graphs,lu,4,20,4,.*,exact,.*,optimal,237074999,237074999,path," \
    graphs.csv
check "exact: all task graphs" test "$(grep -c ^graphs, graphs.csv)" -eq 9
check "exact: the range of the optimum" grep -q "chol-4 (20,4) .* 97.68  path .* 0 %  0.0 to 0.0 %" exits.out
exits 2 "exact: a family without edges" "$duet" bench exact --set graphs --families unif4
exits 2 "exact: a family with edges" "$duet" bench exact --families layered
mkdir -p stg
printf '3\n0 0 0\n1 5 1 0\n2 7 1 1\n3 3 1 1\n4 0 2 2 3\n' >stg/a.stg
printf 'cpu,gpu\n3,1\n' >stg/b.csv
exits 0 "exact: files with edges" "$duet" bench exact --set graph-files --data stg -a exact,heft --csv files.csv \
    -t 600
check "exact: both files ran" test "$(grep -c '^graph-files,stg/.*,0,20,2,.*,optimal,' files.csv)" -ge 2
exits 0 "exact: drawn graphs" "$duet" bench exact --set mixed-graphs --seeds 30 --shard 2/2 -a heft,eft --csv drawn.csv
check "exact: drawn graphs of the shard" test "$(grep -c '^mixed-graphs,mixed-graphs,0,.*,mixed-graph-' drawn.csv)" -eq 30
check "exact: drawn graphs by structure" grep -q "^  series-parallel  *[1-9]" exits.out
check "exact: drawn graphs by costs" grep -q "^  of edges  *[1-9]" exits.out
check "exact: mean, median and largest gap" grep -qE "^  eft  *15( +[0-9.]+ %){3}$" exits.out
exits 2 "exact: drawn graphs have two types" "$duet" bench exact --set mixed-graphs --types 3
exits 5 "exact to a place that is none" "$duet" bench exact "${grid[@]}" --csv no/x.csv
check "exact to a place that is none: at once" test ! -s exits.out
rm -rf c-*
exits 1 "exact: chart" "$duet" bench exact "${grid[@]}" --chart c
check "exact: chart over a linear axis" bash -c \
    'grep -q ">instances proven</text>" c-cactus.svg && grep -q "<title>dual-4-3</title>" c-cactus.svg'
python3 "$support/signalled.py" INT "$duet" bench exact --set hard -a lpt,ilp -t 36000 --csv int.csv >int.out 2>int.err
code=$?
"$duet" --version | grep -q glpk && {
    check "exact, interrupted: exit code 0" test $code -eq 0
    check "exact, interrupted: says so" grep -q "interrupted" int.err
    check "exact, interrupted: the rows so far" test "$(wc -l <int.csv)" -ge 2
    check "exact, interrupted: judges nothing" bash -c '! grep -qE "MISSED|ok$" int.out'
}

# Proofs, where an algorithm writes them.
if "$duet" list algorithms --json | python3 -c '
import json, sys
sys.exit(not any(o["name"] == "proof" for a in json.load(sys.stdin) if a["name"] == "exact"
                 for o in a["options"]))'; then
    mkdir proofs
    TMPDIR=$PWD/proofs exits 0 "exact: proofs" "$duet" bench exact --set small --seeds 100 -a exact --proofs --csv p.csv
    # Two of them have nothing to prove: all their tasks take no time.
    check "exact: proofs accepted" grep -q "all proofs accepted by the checker  *98 of 98  *ok" exits.out
    check "exact: proofs in the CSV" python3 -c 'import csv, sys
sys.exit(sum(row["proof_bytes"].isdigit() for row in csv.DictReader(open("p.csv"))) != 98)'
    check "exact: no temporary proof is left" bash -c '! ls proofs/* 2>/dev/null'
fi

# speed: at this size nothing keeps its limit for certain.
"$duet" bench speed -n 1000 --rounds 1 --csv v.csv >speed.out 2>&1
check "speed: ran" test $? -le 1
header "speed" v.csv "name,tasks,seconds,qsort_seconds,ratio,exponent,bytes_per_task"

exit $failed
