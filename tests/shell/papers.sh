#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `duet bench papers`: what it refuses, that threads, shards and files change nothing, and that slices
# of its runs give the lines of docs/results.md again. Usage: papers.sh DUET SOURCE_FOLDER
# shellcheck disable=SC2016 # the inner shell expands $1
set -u
duet=$1
page=$2/docs/results.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

check() {
    local what=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $what"
    else
        echo "FAIL $what: $(head -c 800 check.out)"
        failed=1
    fi
}
exits() {
    local code=$1 what=$2
    shift 2
    "$@" >exits.out 2>exits.err
    local got=$?
    check "$what: exit code $code" test "$got" -eq "$code"
}

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

# Charts and the page: a note without gnuplot, both with one.
PATH=/nonexistent exits 0 "papers: charts without gnuplot" "$duet" bench papers "${small[@]}" --chart c
check "papers: charts without gnuplot: a note" grep -q "note: .*gnuplot" exits.err
mkdir fake sub
printf '#!/bin/sh\ncat\n' >fake/gnuplot
chmod +x fake/gnuplot
PATH=$tmp/fake:$PATH exits 0 "papers: a page" "$duet" bench papers all "${small[@]:2}" --chart sub/c \
    --results sub/page.md --memory 900
check "papers: charts" bash -c 'grep -q "^set logscale y$" sub/c-figure3.svg &&
    grep -q "^set yrange \[1:\*\]$" sub/c-figure6-lu.svg && ! grep -q logscale sub/c-figure6-lu.svg'
check "papers: the page names the charts from its folder" grep -q "(c-figure3.svg)" sub/page.md
check "papers: the page says how" grep -q '^\$ duet bench papers table1 --every 40 --sizes 10,30 --memory 900$' sub/page.md

# Exact with a limit of rounds ends without a limit of time.
exits 0 "exact with one round" bash -c '"$1" generate unif4 -n 100 --seed 1 | "$1" solve - -a exact -O rounds=1' _ "$duet"
check "exact with one round: the same again" bash -c \
    '"$1" generate unif4 -n 100 --seed 1 | "$1" solve - -a exact -O rounds=1 -j 2 | grep -E "^(makespan|lower)" |
     cmp - <(grep -E "^(makespan|lower)" exits.out)' _ "$duet"

# Slices of docs/results.md; its exact column needs the linear programs of GLPK.
if "$duet" --version | grep -q glpk; then
    "$duet" bench papers table1 --sizes 120 -q >t1.txt 2>&1
    "$duet" bench papers figure3 --sizes 10,50 -q >f3.txt 2>&1
    "$duet" bench papers figure6 --tiles 4,8,12,16 -q >f6.txt 2>&1
    check "papers: slices give the lines of docs/results.md again" python3 - "$page" <<'END'
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()

def lines(text, wanted):
    """The rows of the tables whose first word is wanted, in order, as words."""
    rows = [line.split() for line in text.splitlines()]
    return [row for row in rows if row and row[0] in wanted and len(row) > 7]

for name, file, wanted, tables in (("table1", "t1.txt", {"120"}, 3), ("figure3", "f3.txt", {"10", "50"}, 2),
                                   ("figure6", "f6.txt", {"4", "8", "12", "16"}, 4)):
    block = re.search(r"\$ duet bench papers %s\n(.*?)```" % name, page, re.S).group(1)
    mine, theirs = lines(open(file).read(), wanted), lines(block, wanted)
    assert len(mine) >= tables * len(wanted), (name, mine)
    assert mine == theirs, "%s:\n%s\n%s" % (name, mine, theirs)
END
fi
exit $failed
