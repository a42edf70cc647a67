#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The data in the page of duet report, read without a browser: which runs count as one instance or algorithm,
# lines that are cut, times beyond 2^53. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# data WHAT CONDITION TABLE...: the page of the tables has data d of which the condition holds.
cat >data.py <<'END'
import json, re, sys
d = json.loads(re.search(r'id="data">\n(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
assert eval("(" + sys.argv[2] + ")"), json.dumps(d, indent=1)[:3000]
END
data() {
    check "$1: page" "$duet" report "${@:3}" -q -o page.html
    check "$1" python3 data.py page.html "$2"
}

# ---- files of one name in two folders

# The optima are 3 and 30. Mixed up, 3 would be the makespan and 30 the bound of one instance.
mkdir a b
printf 'id,count,cpu,gpu\nx,1,3,9\n' >a/tasks.csv
printf 'id,count,cpu,gpu\nx,1,30,90\n' >b/tasks.csv
check "compare of two folders" "$duet" compare a/tasks.csv b/tasks.csv -m 1 -k 1 -a heft,exact --csv folders.csv
check "both are called tasks" test "$(grep -c '^[ab]/tasks.csv,tasks,' folders.csv)" -eq 4
data "two folders, two instances" 'd["instances"] == 2 and d["flagged"] == []' folders.csv

# A ratio that is exceeded: against the optimum 100 of b, not against a bound of a.
cat >hidden.csv <<'END'
file,instance,algorithm,makespan,lower_bound,guarantee
a/t.csv,t,exact,100,100,
a/t.csv,t,dualhp,250,90,2
b/t.csv,t,exact,200,200,
b/t.csv,t,dualhp,300,90,2
END
data "the exceeded ratio is found, and no other" 'd["instances"] == 2 and
    [run[1:4] for run in d["flagged"]] == [["t (a/t.csv)", 2.5, 2]]' hidden.csv
sed 's/^[^,]*,//' hidden.csv >one.csv
data "without the file they are one" 'd["instances"] == 1' one.csv
cut -d, -f1,3- hidden.csv >files.csv
data "the file alone tells them apart" 'd["instances"] == 2 and d["flagged"][0][1] == "a/t.csv"' files.csv
# Tables of a benchmark have no file: m, k and seed count with the instance.
cat >bench.csv <<'END'
instance,m,k,seed,algorithm,makespan,lower_bound
u,2,1,1,heft,10,9
u,2,1,2,heft,10,9
u,4,1,1,heft,10,9
u,2,1,1,lpt,10,9
END
data "instances of a benchmark" 'd["instances"] == 3 and len(d["platforms"]) == 2' bench.csv

# ---- own results beside another table's

cat >known.csv <<'END'
file,instance,platform,algorithm,makespan,lower_bound
set/a.json,a,2 cpu + 1 gpu,exact,100,100
set/a.json,a,4 cpu + 1 gpu,exact,50,50
set/b.json,b,2 cpu + 1 gpu,heft,250,200
END
printf 'file,instance,platform,algorithm,makespan\nset/a.json,a,2 cpu + 1 gpu,mine,110\nset/b.json,b,2 cpu + 1 gpu,mine,300\n' >mine.csv
own='sorted(v for g in d["groups"] if d["series"][g["k"][0]][0] == "mine" for v in g["r"]["v"])'
data "own results have the other table's optimum, or its bound" "$own == [1.1, 1.5] and d['instances'] == 3 and
    d['unreferred'] == []" known.csv mine.csv
tr , ';' <mine.csv >semicolons.csv
data "by semicolons, too" "$own == [1.1, 1.5]" known.csv semicolons.csv
data "whichever comes first" "$own == [1.1, 1.5]" mine.csv known.csv
sed 's/^[^,]*,//' mine.csv >no-file.csv
data "without the file the instance's name tells" "$own == [1.1, 1.5]" known.csv no-file.csv
sed 's/,[^,]*,/,/; s/^set/elsewhere/; s/^file,platform/file,platform/' mine.csv >moved.csv
data "and without that the file's own name" "$own == [1.1, 1.5]" known.csv moved.csv
sed 's/2 cpu/8 cpu/' mine.csv >other.csv
cut -d, -f1,3- mine.csv >file-only.csv
data "an equal file is the instance, whatever its name" "$own == [1.1, 1.5] and d['instances'] == 3" known.csv file-only.csv
sed 's/,a,/,other-a,/; s/,b,/,other-b,/' known.csv >named.csv
data "also where no name tells" "$own == [1.1, 1.5] and d['instances'] == 3" file-only.csv named.csv
sed 's/,mine,/,ours,/' file-only.csv >ours.csv
data "three tables of the same are counted once" "d['instances'] == 3 and $own == [1.1, 1.5] and
    d['unreferred'] == []" no-file.csv known.csv ours.csv

# ---- schedules of one instance

# Each beside the best bound that is known of it; on another platform, or of another file, there is another.
check "an instance" "$duet" generate unif4 -n 30 -m 4 -k 2 --seed 3 -o plans.json
cp plans.json same.json
"$duet" solve plans.json -a exact -t 20 -q -o exact.json >solved
"$duet" solve plans.json -a lpt -q -o lpt.json >/dev/null
"$duet" solve plans.json -a lpt -m 5 -q -o five.json >/dev/null
check "exact has the optimum" grep -q '^status *optimal' solved
shown() { # how many bounds the page has
    grep -o '"boundText":"[^"]*"' shown.html | sort -u | wc -l
}
check "two schedules" "$duet" report --instance plans.json --solution exact.json,lpt.json -q -o shown.html
check "have one bound" test "$(shown)" -eq 1
check "and the other's gap is to it" grep -q '"same":false' shown.html
check "of two files" "$duet" report --instance plans.json --solution exact.json --instance same.json --solution lpt.json -q -o shown.html
check "each has its own" test "$(shown)" -eq 2
sed 's/"lower_bound": [0-9]*/"lower_bound": 999999999/' exact.json >lying.json
check "a bound that does not hold" "$duet" report --instance plans.json --solution lying.json,lpt.json -q -o shown.html
check "is nobody else's" test "$(shown)" -eq 2

# ---- platforms in other words, or told by one table alone

for words in '2+1' '2 CPU + 1 GPU' '"2 cpu, 1 gpu"' '1 gpu + 2 cpu' 'cpu=2 + gpu=1' '2cpu+1gpu' '2 CPUs; 1 GPUs' '02 cpu + 1 gpu + 0 npu'; do
    sed "s/2 cpu + 1 gpu/$words/" mine.csv >words.csv
    data "platform $words" "$own == [1.1, 1.5] and len(d['platforms']) == 2 and d['instances'] == 3" known.csv words.csv
done
printf 'instance,m,k,seed,algorithm,makespan,reference,reference_kind\nset/a.json,2,1,0,heft,150,100,optimum\nset/b.json,2,1,0,heft,250,200,bound\n' >ratios.csv
data "files in the column instance, as bench ratios has them" "$own == [1.1, 1.5] and d['instances'] == 2" ratios.csv mine.csv
printf 'instance,m,k,algorithm,makespan\nset/a.json,2,1,mine,110\nset/b.json,2,1,mine,300\n' >counts.csv
data "and both with m and k" "$own == [1.1, 1.5] and d['instances'] == 2" counts.csv ratios.csv
data "beside a table of compare" "d['instances'] == 3 and len(d['platforms']) == 2" ratios.csv known.csv
printf 'file,algorithm,makespan\nset/a.json,mine,110\nset/b.json,mine,300\n' >bare.csv
data "a missing platform is the only one" "$own == [1.1, 1.5] and d['instances'] == 2" ratios.csv bare.csv
data "also in the first table" "$own == [1.1, 1.5]" bare.csv ratios.csv

# ---- which key differs

# why TEXT TABLE...: the note on standard error ends so, and the page says the same.
why() {
    check "note for ${*:2}" bash -c '"$1" report "${@:3}" -o page.html 2>note; grep -qF -- ": $2" note' _ "$duet" "$@"
    printf '%s' "$1" >why
    check "page for ${*:2}" python3 data.py page.html "open('why').read() in [line[4] for line in d['unreferred']]"
}
data "on another platform there is none" 'd["unreferred"][0][:4] == ["other.csv", 2, "mine", "a (set/a.json) on 8 cpu + 1 gpu"]' known.csv other.csv
why 'the platform differs: "8 cpu + 1 gpu" here, "2 cpu + 1 gpu" and others in known.csv' known.csv other.csv
check "what is left out is counted" grep -q '^duet: note: other.csv: 2 runs without a ratio, the first of mine on a (set/a.json) on 8 cpu + 1 gpu: ' note
why 'its platform is missing, and known.csv has it on "2 cpu + 1 gpu" and others: expected a column platform, or m and k' known.csv bare.csv
sed 's/set.a/x/; s/,a,/,c,/; 3d' mine.csv >third.csv
why 'the instance differs: "c (x.json) on 2 cpu + 1 gpu" here, for example "a (set/a.json) on 2 cpu + 1 gpu" in known.csv' known.csv third.csv
cut -d, -f1,5,6 ratios.csv >nobody.csv
why 'no table has an optimum or a bound of this instance' nobody.csv
why 'no table has an optimum or a bound of this instance' nobody.csv bare.csv

# Two of that name in one table: nobody knows which is meant.
sed 's/^set/a/; s/b.json,b/c.json,a/' known.csv | tail -n +2 | sed 's/a.json,a,2 cpu + 1 gpu,exact,100,100/c.json,a,2 cpu + 1 gpu,exact,90,90/' >twins.csv
{ cat known.csv; cat twins.csv; } >both.csv
data "an alias of two instances counts for none" 'd["unreferred"][0][:2] == ["no-file.csv", 1]' both.csv no-file.csv
why 'more than one instance or optimum answers to its name, for example "a (set/a.json) on 2 cpu + 1 gpu" in both.csv: expected a column file that tells them apart' both.csv no-file.csv

# ---- long names that differ only at their ends

python3 - <<'END'
long = "n" * 5000
with open("long.csv", "w") as file:
    file.write("instance,algorithm,options,platform,makespan\n")
    for end in "xy":
        file.write(f"{long}{end},heft,,p,1\n")        # two instances
        file.write(f"i,heft,o={long}{end},p,1\n")     # two algorithms
        file.write(f"i,heft,,{long}{end},1\n")        # two platforms, so two instances
END
data "names are not cut before they are compared" 'd["runs"] == 6 and d["instances"] == 5 and
    len(d["series"]) == 3 and len(d["platforms"]) == 3' long.csv

# The job of a sweep is a number for each instance, nothing to select by: many jobs make no groups.
python3 - <<'END'
with open("jobs.csv", "w") as file:
    file.write("job,instance,family,n,m,k,seed,algorithm,ratio\n")
    for i in range(30000):
        file.write(f"{i // 2},unif4-10,unif4,10,4,2,{i // 2 + 1},{'heft' if i % 2 else 'lpt'},1.5\n")
END
data "jobs are no sets" 'd["coarseness"] == 0 and len(d["groups"]) == 2 and d["families"] == ["unif4"]' jobs.csv

# ---- a last line without a line break

# cut_table WHAT RUNS TEXT: so many runs are left, and a note names the line.
cut_table() {
    printf '%b' "$3" >cut.csv
    check "$1: page" bash -c '"$1" report cut.csv -o page.html 2>note' _ "$duet"
    check "$1: runs" python3 data.py page.html "d['runs'] == $2"
    check "$1: one note" test "$(grep -c '' note)" -eq 1
    check "$1: the note" grep -qE '^duet: note: cut.csv:[0-9]+: .*no line break' note
}
cut_table "cut between fields" 1 'algorithm,ratio,seconds\na,1.5,0.35\nb,1.'
cut_table "cut within the last field" 1 'algorithm,ratio,seconds\na,1.5,0.35\nb,1.5,0.3'
cut_table "cut before the line break" 1 'algorithm,ratio,seconds\r\na,1.5,0.35\r\nb,1.5,0.35\r'
cut_table "cut within quotes" 1 'algorithm,ratio,reason\na,1.5,\nb,1.5,"too lar'
cut_table "cut within a character" 1 'algorithm,ratio,reason\na,1.5,\nb,1.5,\xc3'
cut_table "cut after two fields" 0 'algorithm,ratio,seconds\nb,1.5'
check "no note with -q" bash -c '"$1" report cut.csv -q -o page.html 2>note && test ! -s note' _ "$duet"
printf 'algorithm,ratio,seconds\na,1.5,0.35\n' >whole.csv
check "no note on a whole table" bash -c '"$1" report whole.csv -o page.html 2>note && test ! -s note' _ "$duet"
printf 'algorithm,ratio,seconds' >head.csv
check "a header alone" bash -c '"$1" report head.csv -o page.html 2>note && test ! -s note' _ "$duet"
# Only the last line is forgiven, and only where it is not ended.
for text in 'algorithm,ratio,seconds\nb,1.5\n' 'algorithm,ratio,seconds\nb,1.5\nc,1,1' \
    'algorithm,ratio,reason\nb,1.5,"open\nc,1.5,\nd,1.5,'; do
    printf '%b' "$text" >fault.csv
    "$duet" report fault.csv -o page.html >fault.out 2>&1
    check "a fault is one still: $text" test $? -eq 3
done

# ---- which tasks go where

"$duet" generate chol -n 6 -m 3 -k 1 -o chol.json
check "a schedule" "$duet" solve chol.json -a heft -o heft.json
check "page of a schedule" "$duet" report --solution heft.json --instance chol.json -o page.html
check "its axis is in the unit of the facts" python3 data.py page.html 'd["solutions"][0]["makespanText"].endswith(" " + d["solutions"][0]["axisUnit"]) and
    d["solutions"][0]["unit"] == "us" and d["solutions"][0]["axisUnit"] == "ms" and
    d["solutions"][0]["axisDecimals"] == d["solutions"][0]["decimals"] + 3'
check "tasks by kind and type" python3 data.py page.html 'sum(sum(row[3]) for row in d["solutions"][0]["summary"]) == 56 and
    all(sum(row[3]) == row[2] for row in d["solutions"][0]["summary"]) and
    [row[0] for row in d["solutions"][0]["summary"]] == ["potrf", "trsm", "syrk", "gemm"]'
"$duet" show chol.json heft.json --json --summary >shown.json
check "as show says" python3 data.py page.html '[[k["by_type"]["cpu"], k["by_type"]["gpu"]] for k in
    json.load(open("shown.json"))["summary"]["kinds"]] == [row[3] for row in d["solutions"][0]["summary"]]'

# ---- times beyond 2^53

printf 'id,cpu,gpu\na,9007199254740993,\nb,,9007199254740992\n' >large.csv
"$duet" solve large.csv -m 1 -k 1 -a heft -o large.json >solve.out
check "page of a long schedule" "$duet" report --solution large.json --instance large.csv -o page.html
check "its facts are exact" python3 data.py page.html 'd["solutions"][0]["makespanText"] == "9.0072e15" and
    d["solutions"][0]["boundText"] == "9.0072e15" and d["solutions"][0]["gap"] == "0 %" and d["solutions"][0]["same"]'
sed -i "s/\"lower_bound\": 9007199254740993/\"lower_bound\": 9007199254740992/" large.json
check "page of a lower bound" "$duet" report -q --solution large.json --instance large.csv -o page.html
check "one tick apart is not the same" python3 data.py page.html 'd["solutions"][0]["boundText"] == "9.0072e15" and
    d["solutions"][0]["gap"] == "0.01 %" and not d["solutions"][0]["same"]'

# ---- what ended a search early is said in one way, and the older word is known

"$duet" generate unif4 -n 400 -m 16 -k 6 -o long.json
"$duet" compare long.json -a exact -t 0.001 --csv ended.csv >out
"$duet" solve long.json -a exact -t 0.001 -o ended.json --gantt ended.svg >block
check "compare" grep -q 'time limit reached$' out
check "its table" grep -q ',time limit reached,' ended.csv
check "solve" grep -q '^status .*, time limit reached$' block
check "the picture" grep -q 'time limit reached</text>' ended.svg
check "the page" "$duet" report ended.csv --solution ended.json --instance long.json -q -o page.html
check "says it of a schedule" python3 data.py page.html 'd["solutions"][0]["ending"] == "time limit reached"'
for word in "time limit reached" "limit reached" interrupted stopped bounded; do
    printf 'algorithm,ratio,status\na,1.5,%s\n' "$word" >word.csv
    check "a table with '$word'" "$duet" report word.csv -q -o page.html
done
printf 'algorithm,ratio,status\na,1.5,ended\n' >word.csv
check "a word that is none is refused" bash -c '! "$1" report word.csv -q -o page.html 2>err && grep -q "time limit reached" err' _ "$duet"
exit "$failed"
