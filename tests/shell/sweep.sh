#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sweeps, by `bench ratios`: killed at any moment and resumed, in shards, interrupted, without room on
# the disk. Usage: sweep.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$2/tests/support/checks.sh"
seed=${DUET_TEST_SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed"

digest() { sed -n 's/.* digest \([0-9a-f]*\),.*/\1/p' exits.out; }
# The rows of files, without seconds, in order.
rows() { cat "$@" | grep -v '^job,' | sed 's/,[^,]*\(,[^,]*\)$/\1/' | sort; }
same_rows() { cmp <(rows "$1") <(rows "$2"); }
none_twice() { test -z "$(cut -d, -f1,8 "$1" | grep -v '^job' | sort | uniq -d)"; }

small=("$duet" bench ratios --family small -a "lpt,heft")
some=("${small[@]}" --instances 200)

# What is refused.
exits 2 "--resume without a file" "${some[@]}" --resume
exits 2 "--resume of standard output" "${some[@]}" --csv - --resume
for shard in 0/2 3/2 1 1/0 /2 2/ x/2 1/2/3 -1/2; do
    exits 2 "--shard $shard" "${some[@]}" --shard "$shard"
    check "--shard $shard: one line that names it" bash -c \
        'test "$(wc -l <exits.err)" -eq 1 && grep -q -- --shard exits.err'
done
exits 5 "a place that is none" "${some[@]}" --csv no/x.csv
exits 5 "a full device" "${some[@]}" --csv /dev/full

# The whole, in one piece; the columns; threads change nothing.
exits 0 "in one piece" "${some[@]}" --csv one.csv -j 1
whole=$(digest)
check "the digest is one" test "${#whole}" -eq 16
check "the columns" test "$(head -n 1 one.csv)" = \
    "job,instance,family,n,m,k,seed,algorithm,options,status,makespan,lower_bound,reference,reference_kind,ratio,proven,respected,seconds,settings"
check "all rows" test "$(wc -l <one.csv)" -eq 401
for threads in 2 3; do
    exits 0 "$threads threads" "${some[@]}" -j $threads --csv "t$threads.csv"
    check "$threads threads: digest" test "$(digest)" = "$whole"
    check "$threads threads: rows" same_rows one.csv "t$threads.csv"
done
exits 0 "as JSON" "${some[@]}" --json
check "as JSON: the digest" grep -q "\"digest\": \"$whole\"" exits.out
exits 0 "rows to standard output" "${some[@]}" --csv -
check "rows to standard output, and nothing else" same_rows one.csv exits.out

# Work is not lost: a file is not written over, nor taken for another sweep's.
cp one.csv before.csv
exits 2 "a file that is there" "${some[@]}" --csv one.csv
check "a file that is there: says what to do" grep -q -- "--resume" exits.err
exits 3 "another sweep's file" "${small[@]}" --instances 200 --seed 2 --csv one.csv --resume
check "another sweep's file: file and line" grep -q "^duet: one.csv:2: the file belongs to another sweep" exits.err
check "the file is what it was" cmp one.csv before.csv
for other in "--rounds 5" "-t 100" "--memory 300"; do
    # shellcheck disable=SC2086 # two words
    exits 3 "rows of other settings: $other" "${some[@]}" $other --csv one.csv --resume
    check "rows of other settings: $other: says so" grep -q "^duet: one.csv:2: the file was made with other settings than .*$other" exits.err
    check "rows of other settings: $other: the file is what it was" cmp one.csv before.csv
done
printf 'my notes, no newline' >notes.txt
cp notes.txt notes.before
exits 3 "a file of notes" "${some[@]}" --csv notes.txt --resume
check "a file of notes: says so" grep -q "^duet: notes.txt:1: the file belongs to another sweep" exits.err
check "a file of notes is what it was" cmp notes.txt notes.before
(cat one.csv && printf '0,my notes') >tail.csv
cp tail.csv tail.before
exits 3 "notes after the rows" "${some[@]}" --csv tail.csv --resume
check "notes after the rows are what they were" cmp tail.csv tail.before
exits 0 "nothing left to do" "${some[@]}" --csv one.csv --resume
check "nothing left to do: says so" grep -q "400 rows, 400 of them from one.csv, digest $whole" exits.out
check "nothing left to do: nothing written" cmp one.csv before.csv

# Shards: their digests add up, their files are the whole.
sum=0
for i in 1 2 3; do
    exits 0 "shard $i/3" "${some[@]}" --shard $i/3 --csv "s$i.csv"
    sum=$(printf '%x' $((0x$sum + 0x$(digest))))
done
check "the digests of shards add up" test "$(printf '%016x' "0x$sum")" = "$whole"
cat s1.csv s2.csv s3.csv >shards.csv
exits 0 "the shards as one file" "${some[@]}" --csv shards.csv --resume
check "the shards as one file: the digest" grep -q "400 of them from shards.csv, digest $whole" exits.out
check "the shards as one file: the rows" same_rows one.csv shards.csv
cat s1.csv s3.csv >two.csv
exits 0 "two shards of three" "${some[@]}" --csv two.csv --resume
check "two shards of three: digest" test "$(digest)" = "$whole"
check "two shards of three: rows" same_rows one.csv two.csv
exits 3 "a shard in another's file" "${some[@]}" --shard 2/3 --csv s1.csv --resume
cat s1.csv s1.csv >twice.csv
exits 3 "rows twice" "${some[@]}" --csv twice.csv --resume
check "rows twice: says so" grep -q "twice" exits.err

# Killed at any moment: what was whole stays, and nothing is there twice.
many=("${small[@]}" --instances 20000 -j 2)
exits 0 "the long one" "${many[@]}" --csv long.csv
long=$(digest)
kills=0
for _ in $(seq 12); do
    cp kill.csv kill.before 2>/dev/null || : >kill.before
    "${many[@]}" --csv kill.csv --resume >exits.out 2>exits.err &
    child=$!
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill -KILL $child 2>/dev/null && kills=$((kills + 1))
    wait $child 2>/dev/null
    # What was there is there but for the last job, whose two rows go together where a kill cut the second one; nothing was
    # there, where it was killed before it had a file.
    [ ! -s kill.before ] || check "killed: no job is lost" cmp -n "$(head -n -2 kill.before | wc -c)" kill.before kill.csv
done
check "it was killed in the middle of it at least once" test $kills -gt 0
held=$(($(wc -l <kill.csv) - 1)) # whole lines but the header
exits 0 "after $kills kills" "${many[@]}" --csv kill.csv --resume
check "after kills: the digest" test "$(digest)" = "$long"
check "after kills: the rows" same_rows long.csv kill.csv
check "after kills: none twice" none_twice kill.csv
taken=$(sed -n 's/.* rows, \([0-9]*\) of them from.*/\1/p' exits.out)
check "after kills: all whole rows were taken (${taken:-0} of $held)" test "${taken:-0}" -ge $((held - 1))

# Ctrl-C: the rows so far, exit code 0; a second process is kept away meanwhile.
"$duet" bench ratios -a dual-4-3,local-search --family unif4 -n 200 --platforms 20:4 --instances 3000 \
    --rounds 1 --csv int.csv -j 1 >int.out 2>int.err &
child=$!
for _ in $(seq 12000); do # ten minutes
    [ "$(cat int.csv 2>/dev/null | wc -l)" -ge 3 ] && break
    sleep 0.05
done
exits 5 "a second process" "$duet" bench ratios -a dual-4-3,local-search --family unif4 -n 200 \
    --platforms 20:4 --instances 3000 --rounds 1 --csv int.csv --resume
check "a second process: says why" grep -q "another process" exits.err
kill -INT $child
wait $child
check "interrupted: exit code 0" test $? -eq 0
check "interrupted: says so" grep -q "interrupted.*--resume" int.err
check "interrupted: figures so far" grep -q "^dual-4-3 " int.out
check "interrupted: whole rows" test -z "$(tail -c 1 int.csv)"

# No room on the disk: exit 5, whole rows, and it can be gone on with. (ThreadSanitizer's own start maps a file that
# such a limit cuts off.)
if ! grep -qa __tsan_init "$duet"; then
    rm -f full.csv
    (
        trap '' XFSZ
        ulimit -f 20
        exec "${small[@]}" --instances 2000 --csv full.csv >exits.out 2>exits.err
    )
    check "a full disk: exit code 5" test $? -eq 5
    check "a full disk: says so" grep -q "^duet: full.csv: cannot write" exits.err
    check "a full disk: whole rows" bash -c 'test "$(grep -c "^[0-9].*,[0-9.]*,[0-9a-f]\{8\}$" full.csv)" -eq $(($(wc -l <full.csv) - 1))'
    exits 0 "room again" "${small[@]}" --instances 2000 --csv full.csv --resume
    full=$(digest)
    exits 0 "the same in one piece" "${small[@]}" --instances 2000
    check "room again: the digest" test "$(digest)" = "$full"
    check "room again: none twice" none_twice full.csv
fi

# A named pipe: what comes is what a file would hold, and a reader that goes ends the sweep.
mkfifo pipe
cat pipe >piped.csv &
reader=$!
exits 0 "to a pipe" "${some[@]}" --csv pipe
wait $reader
check "to a pipe: the rows" same_rows one.csv piped.csv
head -n 1 pipe >first &
reader=$!
"${small[@]}" --instances 200000 -j 1 --csv pipe >exits.out 2>exits.err &
child=$!
wait $reader
wait $child # for ever, if it were its own reader
check "a pipe whose reader goes: ended as by any pipe" test $? -eq $((128 + $(kill -l PIPE)))

# What mpirun would start several times: one speaks, and what is no sweep is refused.
rank() { env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK="$1" "$duet" bench "${@:2}"; }
for what in speed dp-scaling tables search; do
    exits 2 "$what as rank 0 of 3" rank 0 $what --csv rank.csv
    check "$what as rank 0 of 3: one line that says why" bash -c \
        'test "$(wc -l <exits.err)" -eq 1 && grep -q "cannot be shared between 3 processes" exits.err'
    exits 2 "$what as rank 1 of 3" rank 1 $what --csv rank.csv
    check "$what as rank 1 of 3: silent" test ! -s exits.err
done
check "what is refused writes nothing" test ! -e rank.csv
for what in ratios papers exact; do
    for wrong in --nonsense "--shard x" "--resume"; do
        # shellcheck disable=SC2086 # two words
        exits 2 "$what $wrong as rank 0" rank 0 $what $wrong
        check "$what $wrong as rank 0: one line" test "$(wc -l <exits.err)" -eq 1
        # shellcheck disable=SC2086
        exits 2 "$what $wrong as rank 2" rank 2 $what $wrong
        check "$what $wrong as rank 2: silent" test ! -s exits.err
    done
    exits 0 "$what --help as rank 0" rank 0 $what --help
    check "$what --help as rank 0: there" test -s exits.out
    exits 0 "$what --help as rank 2" rank 2 $what --help
    check "$what --help as rank 2: silent" test ! -s exits.out
done

# srun says so in its own words, and no MPI brings these together; with a share for each all is well.
step() { env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID="$1" "$duet" bench "${@:2}"; }
exits 2 "srun: speed" step 0 speed --csv rank.csv
check "srun: speed: says so" grep -q "cannot be shared between 3 processes: expected one, without srun" exits.err
for rank in 0 1; do
    exits 2 "srun: ratios as rank $rank" step $rank ratios -a lpt --family small --instances 20 --csv rank.csv
    check "srun: ratios as rank $rank: said once" test "$(wc -l <exits.err)" -eq $((1 - rank))
    exits 0 "srun: shard $rank" step $rank ratios -a lpt --family small --instances 20 --shard $((rank + 1))/2 --csv part$rank.csv
    check "srun: shard $rank: said" grep -q "rows of shard $((rank + 1))/2" exits.out
done
check "srun: what is refused writes nothing" test ! -e rank.csv
SLURM_NTASKS=3 SLURM_PROCID=0 exits 0 "a batch script is no step" "$duet" bench ratios -a lpt --family small --instances 5

# What does not fit is no fault, of the algorithm or of the reference.
exits 0 "too little memory" "$duet" bench ratios -a lpt --family unif4 -n 20000 --platforms 4:2 --instances 1 --memory 1
check "too little memory: what it says" grep -q "^lpt  *0  *1 .* all runs failed$" exits.out

# A file that changed is another one, and the rows of the old one are not its.
printf 'id,cpu,gpu\na,4,2\nb,3,3\n' >file.csv
exits 0 "a file" "$duet" bench ratios -a lpt file.csv --platforms 1:1 --csv file-rows.csv
exits 0 "a file, as it was" "$duet" bench ratios -a lpt file.csv --platforms 1:1 --csv file-rows.csv --resume
printf 'id,cpu,gpu\na,4,2\nb,3,4\n' >file.csv
exits 3 "a file that changed" "$duet" bench ratios -a lpt file.csv --platforms 1:1 --csv file-rows.csv --resume
check "a file that changed: says so" grep -q "files with the digest" exits.err

# On a terminal there is a bar, and it is taken away again; none with -q.
bar=(python3 "$2/tests/support/on_terminal.py" "${small[@]}" --instances 100000 -j 1)
"${bar[@]}" >bar.txt
case $? in
77) echo "skipped: no terminal to be had here" ;;
0)
    check "a bar on a terminal" python3 -c '
lines = open("bar.txt", "rb").read().split(b"\r")
assert any(b"[#" in line and b"/100000" in line and b"/s" in line and b"left" in line for line in lines), lines
assert lines[-1] == b"\x1b[K" and not any(b"\n" in line for line in lines), lines'
    exits 0 "no bar with -q" "${bar[@]}" -q
    check "no bar with -q: nothing at all" test ! -s exits.out
    ;;
*) check "a bar on a terminal" false ;;
esac

# ratios: what it says and saves.
exits 0 "ratios" "$duet" bench ratios -a lpt,dualhp --instances 3 --by family --save worst
check "ratios: the algorithms" bash -c 'grep -q "^lpt  *72 " exits.out && grep -q "^dualhp .* respected$" exits.out'
check "ratios: by family" bash -c 'grep -q "^bimod  *12 " exits.out'
check "ratios: the worst are saved" bash -c 'ls worst/lpt-*.json worst/dualhp-*.json'
# again WHAT: each command that exits.out has beside a worst ratio gives that ratio again, alone.
again() {
    local what=$1 lines line ratio command
    mapfile -t lines < <(sed -n '/^worst/,$s/^ .* duet bench/&/p' exits.out)
    check "$what: there are commands" test "${#lines[@]}" -gt 0
    for line in "${lines[@]}"; do
        read -r -a ratio <<<"$line"
        read -r -a command <<<"${line##* duet }"
        "$duet" "${command[@]}" --save again >again.out 2>again.err
        check "$what: ${command[*]}" bash -c 'grep -A 1 "^worst" again.out | tail -n 1 |
            awk -v name="$1" -v ratio="$2" "{ exit !(\$1 == name && \$3 == ratio) }"' _ \
            "${ratio[0]}" "${ratio[2]}"
    done
}
again "ratios"
check "ratios: with --save it has the instance too" bash -c 'cat worst/lpt-*.json | cmp - again/lpt-*.json'
exits 0 "ratios of a file" "$duet" bench ratios -a lpt "$2/instances/data/cholesky-10.json" --platforms 2:1,4:2
check "ratios of a file: two runs" grep -q "^lpt  *2 " exits.out
printf 'id,cpu,gpu\n"a,b",1,2\n' >"with,comma.csv"
exits 2 "a file without a platform" "$duet" bench ratios -a lpt with,comma.csv
exits 0 "a name with a comma" "$duet" bench ratios -a lpt with,comma.csv --platforms 1:1 --csv comma.csv
exits 0 "a name with a comma, again" "$duet" bench ratios -a lpt with,comma.csv --platforms 1:1 --csv comma.csv --resume
check "a name with a comma: resumed" grep -q "1 rows, 1 of them" exits.out
exits 3 "a file that is none" "$duet" bench ratios -a lpt none.json
exits 2 "an algorithm that is none" "$duet" bench ratios -a nonsense
exits 2 "an option of several" "$duet" bench ratios -a eft,heft -O ties=cpu
exits 2 "an option that is none" "$duet" bench ratios -a eft -O nonsense=1
exits 2 "a family that is none" "$duet" bench ratios --family nonsense
exits 0 "an option of one" "$duet" bench ratios -a eft -O ties=cpu --instances 1 --csv ties.csv
check "an option of one: in its column" grep -q ",eft,ties=cpu," ties.csv
again "an option of one"
check "an option of one: in its command" grep -q "duet bench ratios -a eft -O ties=cpu --family " exits.out
exits 0 "options on small instances" "$duet" bench ratios -a local-search -O effort=2 -O improve=true --family small,unif2 \
    -n 12 --platforms 3:1 --instances 40 --seed 3 --rounds 1
again "options on small instances"
exits 0 "small instances" "$duet" bench ratios -a lpt,eft --family small --instances 100
again "small instances"
check "small instances: the command names its algorithm" \
    grep -q "duet bench ratios -a lpt --family small --instances 1 --seed [0-9]*$" exits.out
for option in "-n 5" "--platforms 1:1"; do
    # shellcheck disable=SC2086 # two words
    exits 2 "small alone with $option" "$duet" bench ratios -a lpt --family small $option
    check "small alone with $option: says so" grep -q -- "^duet: ${option% *}: expected no .* small" exits.err
done
exits 0 "small graphs" "$duet" bench ratios --family small-graph --instances 60 --bounds
check "small graphs: what handles them alone" bash -c 'grep -q "^hoft  *60 " exits.out &&
    ! grep -vE "^algorithm|all runs failed$" exits.out | grep -q "failed" && grep -q "^graph bound  *5[0-9] .* 0  respected$" exits.out'
exits 0 "small instances of several types" "$duet" bench ratios -a qa,eft --family small-types --instances 200
check "small instances of several types: theorem 9" grep -qE "^qa +200 .* 0 +respected$" exits.out
"$duet" generate worst-eft -m 4 -k 2,1 -o types.json
exits 0 "a file of three types" "$duet" bench ratios -a eft types.json
check "a file of three types: 95 % of sum m_q / m_Q" \
    bash -c 'test "$(awk "\$1 == \"eft\" && \$2 == 1 { print (\$3 >= 6.65) }" exits.out)" = 1'
check "a file of three types: all their processors" grep -q "types.json (4,2,1)" exits.out
exits 2 "a file of three types with --platforms" "$duet" bench ratios -a eft types.json --platforms 4:2
exits 0 "graphs of families" "$duet" bench ratios -a qa,lpt --family layered -n 30 --platforms 4:2 --instances 3
check "graphs of families: against the bound" grep -qE "^qa +3 .* [0-3] +respected$" exits.out
check "graphs of families: others are left out" grep -q "^1 more do not handle what these instances have$" exits.out
exits 2 "small graphs with -n" "$duet" bench ratios -a qa --family small-graph -n 5
exits 2 "a file with -n" "$duet" bench ratios -a lpt "$2/instances/data/cholesky-10.json" -n 5
exits 0 "small and a file with --platforms" "$duet" bench ratios -a lpt --family small --instances 2 \
    --platforms 1:1 "$2/instances/data/cholesky-10.json"
exits 0 "a worst case" "$duet" bench ratios --family worst-dualhp -a dualhp --platforms 2:1
check "a worst case: once, with its command" grep -q "duet bench ratios -a dualhp --family worst-dualhp --platforms 2:1$" exits.out
again "a worst case"
exits 0 "a factorisation" "$duet" bench ratios --family qr -n 3 -a heft --platforms 2:1
check "a factorisation: once, with its command" grep -q "duet bench ratios -a heft --family qr -n 3 --platforms 2:1$" exits.out
again "a factorisation"
exits 0 "-a all" "$duet" bench ratios -a all --family small --instances 20 --json
check "-a all: every algorithm, none above its ratio" python3 -c '
import json, subprocess, sys
run = json.load(open("exits.out"))
rows = json.loads(subprocess.check_output([sys.argv[1], "list", "algorithms", "--json"]))
names = [a["name"] for a in rows]
runs = [0 if "moldable" in a["requires"] else 20 for a in rows]
assert [a["name"] for a in run["algorithms"]] == names, run
assert run["rows"] == 20 * len(names)
assert all(a["exceeded"] == a["faults"] == 0 for a in run["algorithms"])
assert [a["runs"] + a["failed"] for a in run["algorithms"]] == runs' "$duet"

exit $failed
