#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `duet bench papers`: what it refuses, that threads, shards and files change nothing, and that slices
# of its runs give the lines of docs/results.md again. Usage: papers.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
. "$2/tests/support/checks.sh"
duet=$1
page=$2/docs/results.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

check "bench --help names papers" bash -c '"$1" bench --help | grep -q "^  papers "' _ "$duet"
exits 0 "papers --help" "$duet" bench papers --help
while read -r option value; do
    exits 2 "papers $option $value" "$duet" bench papers "$option" "$value"
    check "papers $option $value: one line that names it" \
        bash -c 'test "$(wc -l <exits.err)" -eq 1 && grep -q -- "$1" exits.err' _ "${option#--}"
done <<'END'
--every 0
--every 84001
--sizes 5
--sizes 10,x
--tiles 3
--tiles 65
--parts 0
--round down
--rounds x
--rounds 0
--row nonsense
--chart-format gif
END
exits 2 "papers nonsense" "$duet" bench papers nonsense
exits 2 "papers: a size that is not in the sweep" "$duet" bench papers table1 --sizes 15
exits 5 "papers: a page in no folder" "$duet" bench papers table1 --sizes 10 --results none/x.md
check "papers: a page in no folder: at once" test ! -s exits.out

# The same rows by any way of running.
small=(table1 figure6 --sizes "10,30" --every 40 --tiles "4,6" -q)
exits 0 "papers" "$duet" bench papers "${small[@]}" -j 1 --csv one.csv
cp exits.out one.txt
check "papers: columns" test "$(head -n 1 one.csv)" = \
    "job,instance,family,n,m,k,seed,algorithm,options,status,makespan,lower_bound,reference,reference_kind,ratio,proven,respected,seconds,settings"
check "papers: a row per instance and algorithm" \
    bash -c 'test "$(tail -n +2 one.csv | wc -l)" -eq $((8 * (2 * 21 + 2 * $1)))' _ \
    "$("$duet" list families | grep -cE "^ *(chol|lu|qr) ")"
check "papers: nothing is at fault" bash -c '! grep -qE ",(fault|failed)," one.csv'
exits 0 "papers with threads" "$duet" bench papers "${small[@]}" -j 3 --csv three.csv
check "papers: threads change no row" bash -c \
    'cmp <(cut -d, -f1-17,19 one.csv | sort) <(cut -d, -f1-17,19 three.csv | sort)'
check "papers: nor a word" cmp one.txt exits.out
head -n 100 one.csv >part.csv
exits 0 "papers resumed" "$duet" bench papers "${small[@]}" -j 1 --csv part.csv --resume
check "papers resumed: the same" cmp one.txt exits.out
check "papers resumed: the same rows" bash -c \
    'cmp <(cut -d, -f1-17,19 one.csv | sort) <(cut -d, -f1-17,19 part.csv | sort)'
exits 2 "papers: a page of a shard" "$duet" bench papers "${small[@]}" --shard 1/2 --results page.md
exits 5 "papers: charts in no folder" "$duet" bench papers "${small[@]}" --chart none/c
check "papers: charts in no folder: at once" test ! -s exits.out
# A ratio that is exceeded, as a row says it; -q does not hide which.
python3 - <<'END'
import csv
rows = list(csv.reader(open("one.csv", newline="")))
head = rows[0]
row = next(r for r in rows if r[head.index("algorithm")] == "dual-4-3" and r[head.index("respected")] == "yes")
row[head.index("respected")] = "no"
csv.writer(open("bad.csv", "w", newline=""), lineterminator="\n").writerows(rows)
print(row[head.index("instance")], row[head.index("seed")], file=open("bad.txt", "w"))
END
read -r instance seed <bad.txt
exits 1 "papers: a ratio exceeded" "$duet" bench papers "${small[@]}" --csv bad.csv --resume
check "papers: a ratio exceeded: which" \
    grep -q "^duet: dual-4-3: 1 runs above the proven ratio, the first $instance ([0-9]*,[0-9]*), seed $seed: duet generate " exits.err
exits 0 "papers as JSON" "$duet" bench papers "${small[@]}" --json
check "papers: the JSON agrees with the text and the CSV" python3 - <<'END'
import csv, json
data = json.load(open("exits.out"))
rows = list(csv.DictReader(open("one.csv")))
search = {r["job"]: float(r["lower_bound"]) for r in rows if r["algorithm"] == "dual-2"}
text = open("one.txt").read()
for size in data["bleuse2015"]["sizes"]:
    for name, figures in size.items():
        if name == "n":
            continue
        mine = [r for r in rows if r["algorithm"] == name and r["family"] == "bleuse" and int(r["n"]) == size["n"]]
        assert len(mine) == figures["runs"] == 21
        far = [100 * (float(r["makespan"]) / search[r["job"]] - 1) for r in mine]
        off = [100 * (float(r["ratio"]) - 1) for r in mine]
        assert abs(max(far) - figures["max_from_search"]) < 1e-5, (name, max(far), figures)
        assert abs(sum(far) / 21 - figures["mean_from_search"]) < 1e-5
        assert abs(max(off) - figures["max_from_optimum"]) < 1e-5
        assert abs(sum(off) / 21 - figures["mean_from_optimum"]) < 1e-5
        assert "%.2f" % figures["max_from_search"] in text
for run in data["beaumont2017"]["runs"]:
    row = next(r for r in rows if r["algorithm"] == "heft" and r["family"] == run["family"] and int(r["n"]) == run["tiles"])
    assert abs(float(row["ratio"]) - run["heft"]["to_optimum"]) < 1e-8
    assert "%.4f" % run["heft"]["to_area"] in text
END

# Every row of the CSV can be had from the command line alone.
check "papers: a row by hand" bash -c '
    IFS=, read -r _ _ family n m k seed algorithm _ _ makespan _ < <(grep ",accel-published," one.csv | tail -n 30 | head -n 1)
    "$1" generate "$family" -n "$n" -m "$m" -k "$k" --seed "$seed" -o i.json &&
    "$1" solve i.json -a "$algorithm" -o s.json >/dev/null && grep -q "\"makespan\": $makespan," s.json' _ "$duet"

# Charts and the page.
mkdir sub
exits 0 "papers: a page" "$duet" bench papers all "${small[@]:2}" --chart sub/c --results sub/page.md --memory 900
check "papers: charts" bash -c 'grep -q ">tasks</text>" sub/c-figure3.svg && grep -q "<title>DualHP</title>" sub/c-figure6-lu.svg'
check "papers: one axis from the least, the other logarithmic" bash -c \
    'grep -q ">2.2</text>" sub/c-figure6-lu.svg && ! grep -q ">0\.[0-9]*</text>" sub/c-figure6-lu.svg && ! grep -q ">0</text>" <(sed -n "/text-anchor=.end/,/<.g>/p" sub/c-figure3.svg)'
check "papers: the page names the charts from its folder" grep -q "(c-figure3.svg)" sub/page.md
check "papers: the page says how" grep -q '^\$ duet bench papers table1 --every 40 --sizes 10,30 --memory 900$' sub/page.md

# Papers about task graphs. Without the Standard Task Graph Set they say what is left out.
exits 2 "papers: a paper that is none" "$duet" bench papers --paper nonsense
exits 2 "papers: a paper and a part" "$duet" bench papers table1 --paper canon2018
exits 2 "papers: rows of several papers" "$duet" bench papers --paper canon2018,mcsweeney2020 --csv -
exits 3 "papers: no folder of graphs" "$duet" bench papers --paper canon2018 --stg none
exits 3 "papers: a folder without graphs" "$duet" bench papers --paper canon2018 --stg sub
mkdir stg
printf '3\n0 0 0\n1 8 1 0\n2 4 1 1\n3 6 1 1\n4 0 2 2 3\n# Precedence constraints generator : samepred\n' >stg/a.stg
if "$duet" generate unif4 -n 5 -O distribution=gamma --seed 1 >/dev/null 2>&1; then
    exits 0 "papers: graphs of a folder" "$duet" bench papers --paper canon2018 --stg stg --tiles 4 -j 1 -q
    check "papers: graphs of a folder: in their row" grep -q "^samepred  *1.0" exits.out
    check "papers: no other tiles than asked for" grep -q "best at 1 of 1;" exits.out
    exits 0 "papers: all five groups of statements as JSON" "$duet" bench papers --paper canon2018 --tiles 4 --shard 1/500 -q --json
    check "papers: the JSON has each under its name" python3 -c \
        'import json; p = json.load(open("exits.out"))["canon2018"]; assert sum(n.startswith("statements") for n in p) == 5, list(p)'
fi
exits 0 "papers: a paper whole as JSON" "$duet" bench papers --paper beaumont2017 --all --tiles 4 -q --json
check "papers: tasks of graphs and independent ones under their names" python3 -c \
    'import json; p = json.load(open("exits.out")); assert p["beaumont2017"]["cases"] and p["independent"]["beaumont2017"]["runs"]'
hoft=(--paper mcsweeney2020 --tiles "5,10,15,20" -q)
exits 0 "papers on graphs" "$duet" bench papers "${hoft[@]}" -j 1 --csv hoft.csv
cp exits.out hoft.txt
check "papers on graphs: what is left out" grep -q "left out; expected --stg FOLDER" hoft.txt
check "papers on graphs: published makespans" grep -q "60 of 64 (HEFT [0-9]*, .*holds$" hoft.txt
check "papers on graphs: a part refutes no statement" bash -c '! grep -q "does not hold" hoft.txt && grep -q "not in this part$" hoft.txt'
check "papers on graphs: no fault" bash -c '! grep -qE ",(fault|failed)," hoft.csv'
exits 0 "papers on graphs with threads" "$duet" bench papers "${hoft[@]}" -j 3
check "papers on graphs: threads change no word" cmp hoft.txt exits.out
head -n 40 hoft.csv >hoft-part.csv
exits 0 "papers on graphs resumed" "$duet" bench papers "${hoft[@]}" -j 2 --csv hoft-part.csv --resume
check "papers on graphs resumed: the same" cmp hoft.txt exits.out
exits 0 "papers on graphs as JSON" "$duet" bench papers "${hoft[@]}" --json
check "papers on graphs: the JSON agrees with the CSV" python3 - <<'END'
import csv, json
cases = json.load(open("exits.out"))["mcsweeney2020"]["cases"]
rows = list(csv.DictReader(open("hoft.csv")))
assert len(rows) == 4 * len(cases) == 64
for case in cases:
    for row in (r for r in rows if r["instance"] == case["instance"] and int(r["m"]) == case["cpus"]):
        assert float(row["makespan"]) == float(case[row["algorithm"]]["makespan"]), row
END
exits 0 "papers on graphs: a row by hand" bash -c '"$1" generate chol -n 10 -m 20 -k 4 -O row=canon2018-960 -O edges=true |
    "$1" solve - -a heteroprio -O ties=published -O bound=graph' _ "$duet"
"$duet" bench papers --paper beaumont2017 --tiles 10 -q --csv hp.csv >hp.txt
check "papers on graphs: makespan and bound as the command has them" python3 - <<'END'
import csv
out = dict(line.split(None, 1) for line in open("exits.out") if len(line.split()) > 1)
row = next(r for r in csv.DictReader(open("hp.csv")) if r["instance"] == "chol-10" and r["options"] == "rank=min ties=published")
assert out["makespan"].split()[0] == row["makespan"], (out, row)
assert float(row["lower_bound"]) == 287.38, row
END
check "papers on graphs: HeteroPrio at N = 10" grep -qE "^10 +1\.297 +1\.361 " hp.txt
mkdir pages
exits 0 "papers on graphs: a page" "$duet" bench papers "${hoft[@]}" --chart pages/c --results pages/page.md
check "papers on graphs: the page" bash -c 'grep -q "(c-hoft-single-128.svg)" pages/page.md && test -s pages/c-hoft-single-128.svg &&
    grep -q "^\$ duet bench papers --paper mcsweeney2020 --tiles 5,10,15,20$" pages/page.md'

# A paper whole: pictures and rows of both of its parts.
mkdir whole
exits 0 "papers whole" "$duet" bench papers --paper beaumont2017 --all --tiles 4 --chart whole/c --csv whole.csv -q
check "papers whole: pictures of both parts" bash -c 'test "$(ls whole/c-*.svg | wc -l)" -ge 17'
check "papers whole: rows" bash -c 'grep -q "^0,chol-4," whole.csv && grep -q ",chol," whole-independent.csv'
exits 0 "papers on ready tasks" "$duet" bench papers --paper bleuse2015 --tiles 4,8 -q --csv ready.csv
check "papers on ready tasks: no fault" bash -c '! grep -qE ",(fault|failed)," ready.csv'
check "papers on ready tasks: what moves" python3 -c 'import csv
assert any(int(r["blocks_moved"]) > 0 and int(r["cells"]) > 0 for r in csv.DictReader(open("ready.csv")))'

# The paper about moldable tasks: any way of running gives the same, and a larger study begins with
# the rows of a smaller one.
hcpa=(--paper ntakpe2006 -q)
exits 2 "papers on moldable tasks: none" "$duet" bench papers "${hcpa[@]}" --instances 0
exits 2 "papers on moldable tasks: too many" "$duet" bench papers "${hcpa[@]}" --instances 259201
exits 0 "papers on moldable tasks" "$duet" bench papers "${hcpa[@]}" --instances 60 -j 1 --csv hcpa.csv
cp exits.out hcpa.txt
check "papers on moldable tasks: five runs a pair" test "$(tail -n +2 hcpa.csv | wc -l)" -eq 300
check "papers on moldable tasks: no fault" bash -c '! grep -qE ",(fault|failed)," hcpa.csv'
check "papers on moldable tasks: CPA is HCPA on one cluster" grep -q "equal makespans on \([1-9][0-9]*\) of \1 .*holds$" hcpa.txt
exits 0 "papers on moldable tasks with threads" "$duet" bench papers "${hcpa[@]}" --instances 60 -j 3
check "papers on moldable tasks: threads change no word" cmp hcpa.txt exits.out
exits 0 "papers on moldable tasks, fewer" "$duet" bench papers "${hcpa[@]}" --instances 20 --csv hcpa-part.csv
exits 0 "papers on moldable tasks, then more" "$duet" bench papers "${hcpa[@]}" --instances 60 --csv hcpa-part.csv --resume
check "papers on moldable tasks, then more: the same" cmp hcpa.txt exits.out
for shard in 1 2; do
    exits 0 "papers on moldable tasks: shard $shard" "$duet" bench papers "${hcpa[@]}" --instances 60 --shard $shard/2 \
        --csv hcpa-$shard.csv
done
cat hcpa-1.csv <(tail -n +2 hcpa-2.csv) >hcpa-both.csv
exits 0 "papers on moldable tasks: both shards" "$duet" bench papers "${hcpa[@]}" --instances 60 --csv hcpa-both.csv --resume
check "papers on moldable tasks: both shards: the same" cmp hcpa.txt exits.out
# Replays by another program: one that takes twice as long as planned, one that fails, none.
cat >twice <<'END'
#!/bin/sh
sed -n 's/.*"makespan": \([0-9.]*\).*/\1/p' "$2" | awk '{ printf "claimed %.6f, simulated %.6f, ratio 2\n", $1, 2 * $1 }'
END
printf '#!/bin/sh\nexit 3\n' >never
chmod +x twice never
simulated=(--paper ntakpe2006-simulated -q --replays 20)
exits 0 "papers simulated" "$duet" bench papers "${simulated[@]}" --replay ./twice --csv twice.csv
check "papers simulated: twice as long" grep -q "^ *all  *20  2.000  2.000   2.000   2.000$" exits.out
cp exits.out twice.txt
check "papers simulated: the statements" grep -q "equal makespans on \([1-9][0-9]*\) of \1 .*holds$" exits.out
check "papers simulated: the rows" test "$(python3 -c 'import csv; print(sum(abs(float(r["simulated"]) - 2 * float(r["makespan"])) < 1e-5 for r in csv.DictReader(open("twice.csv"))))')" -eq 100
exits 0 "papers simulated, resumed" "$duet" bench papers "${simulated[@]}" --replay ./twice --csv twice.csv --resume
check "papers simulated, resumed: the same" cmp twice.txt exits.out
exits 0 "papers simulated by what fails" "$duet" bench papers "${simulated[@]}" --replay ./never
check "papers simulated by what fails: nothing is" grep -q "^ *all  *0  *-  *-  *-  *-$" exits.out
exits 5 "papers simulated by what is not there" "$duet" bench papers "${simulated[@]}" --replay ./nobody
exits 0 "papers simulated by nothing" "$duet" bench papers "${simulated[@]}"
check "papers simulated by nothing: said so" grep -q "^not simulated: " exits.out
mkdir replays
TMPDIR=$PWD/replays exits 0 "papers simulated as JSON" "$duet" bench papers "${simulated[@]}" --replay ./twice --json
check "papers simulated as JSON: twice" python3 -c 'import json; c = json.load(open("exits.out"))["ntakpe2006-simulated"]["clusters"]
assert all(abs(c[3]["simulated_over_planned"][a] - 2) < 1e-6 for a in ("cpa", "hcpa", "s-hcpa", "m-heft"))'
check "papers simulated: nothing is left behind" test -z "$(ls replays)"

exits 0 "papers on moldable tasks as JSON" "$duet" bench papers "${hcpa[@]}" --instances 60 --json
check "papers on moldable tasks: the metrics by hand, from the rows" python3 - <<'END'
import collections, csv, json
clusters = json.load(open("exits.out"))["ntakpe2006"]["clusters"]
cases = collections.defaultdict(dict)
for row in csv.DictReader(open("hcpa.csv")):
    cases[row["job"]][row["algorithm"]] = row
for there in clusters:
    mine = [c for c in cases.values() if c["seq"]["family"].startswith("%d-" % there["clusters"])]
    assert len(mine) == there["pairs"] > 0
    for name in ("cpa", "hcpa", "s-hcpa", "m-heft"):
        runs = [(c[name], float(c[name]["makespan"]), c["seq"]) for c in mine]
        values = {"makespan": [m for _, m, _ in runs],
                  "peak": [m * int(r["peak"]) / 1e9 for r, m, _ in runs],
                  "average": [m * int(r["power"]) / int(r["tasks"]) / 1e9 for r, m, _ in runs],
                  "speedup": [float(s["makespan"]) / m for _, m, s in runs]}
        for metric, list_ in values.items():
            mean = sum(list_) / len(list_)
            assert abs(mean - there[name][metric]) <= 1e-5 * mean, (there["clusters"], name, metric)
END
# What a row says of a schedule, from the schedule itself.
row=$(grep ",m-heft," hcpa.csv | grep ",8-clusters," | head -n 1)
check "papers on moldable tasks: peak, power and area of a schedule" python3 - "$duet" "$row" <<'END'
import json, subprocess, sys
from fractions import Fraction
field = sys.argv[2].split(",")
n, platform, sample, seed = field[3:7]
graph = (int(seed) - 1) // 3
digits = []
for radix in (3, 2, 2, 3, 4, 3):
    digits.append(graph % radix)
    graph //= radix
options = {"jump": "124"[digits[0]], "density": ("0.2", "0.8")[digits[1]], "regularity": ("0.2", "0.8")[digits[2]],
           "width": ("0.1", "0.2", "0.8")[digits[3]], "cost": ("linear", "nlogn", "root", "mixed")[digits[4]],
           "number": platform, "sample": sample}
command = [sys.argv[1], "generate", "platform", "-n", n, "--seed", seed, "-o", "hcpa.json"]
for item in options.items():
    command += ["-O", "%s=%s" % item]
subprocess.run(command, check=True)
subprocess.run([sys.argv[1], "solve", "hcpa.json", "-a", "m-heft", "-o", "hcpa-s.json"], check=True,
               stdout=subprocess.DEVNULL)
types = json.load(open("hcpa.json"), parse_float=Fraction)["platform"]
speed = {t["type"]: Fraction(t["speed"]) for t in types}
solution = json.load(open("hcpa-s.json"), parse_float=Fraction)
events, area, power = [], 0, 0
for task in solution["schedule"]:
    sizes = [(task["type"], last - first + 1) for first, last in task["processors"]]
    use = sum(speed[t] * p for t, p in sizes)
    events += [(task["end"], -use), (task["start"], use)]
    area += sum(p for _, p in sizes) * (task["end"] - task["start"])
    power += use
used = peak = 0
for _, use in sorted(events):
    used += use
    peak = max(peak, used)
assert Fraction(field[11]) == max(e for e, _ in events), (field, max(events))
assert Fraction(field[13]) == area and int(field[14]) == peak and int(field[15]) == power, (field, area, peak, power)
END

# Slices of docs/results.md, those that take least time; its exact column needs the linear programs of GLPK.
if "$duet" --version | grep -q glpk; then
    "$duet" bench papers figure3 --sizes 10,30 -q >f3.txt 2>&1
    "$duet" bench papers figure6 --tiles 4,8 -q >f6.txt 2>&1
    check "papers: slices give the lines of docs/results.md again" python3 - "$page" <<'END'
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()

def lines(text, wanted):
    """The rows of the tables whose first word is wanted, in order, as words."""
    rows = [line.split() for line in text.splitlines()]
    return [row for row in rows if row and row[0] in wanted and len(row) > 7]

for name, file, wanted, tables in (("figure3", "f3.txt", {"10", "30"}, 2), ("figure6", "f6.txt", {"4", "8"}, 4)):
    block = re.search(r"\$ duet bench papers %s\n(.*?)```" % name, page, re.S).group(1)
    mine, theirs = lines(open(file).read(), wanted), lines(block, wanted)
    assert len(mine) >= tables * len(wanted), (name, mine)
    assert mine == theirs, "%s:\n%s\n%s" % (name, mine, theirs)
END
fi
exit $failed
