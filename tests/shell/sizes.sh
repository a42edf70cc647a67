#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sizes that nobody means well with: every algorithm, bound, writer and family answers them or refuses
# them, within the address space of a small machine. Work is bounded by what is refused; `timeout` is there
# for what would never end.
# Usage: sizes.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
runs=0
ulimit -c 0
ulimit -f 4000000 # KiB: a file that never ends is no answer
# Sanitizers take terabytes of address space for themselves.
if (ulimit -v 4000000 && "$duet" list >/dev/null 2>&1); then
    ulimit -v 4000000
fi
# fontconfig, behind cairo, keeps its cache to the end; a build with AddressSanitizer calls it a leak.
printf 'leak:libcairo\nleak:libfontconfig\n' >lsan.txt
export LSAN_OPTIONS="suppressions=$tmp/lsan.txt:print_suppressions=0"

python3 - <<'END' || exit 1
import json
import random

rnd = random.Random(1)


def write(name, platform, tasks):
    json.dump({"format": "duet-instance", "version": 1, "name": name,
               "platform": [{"type": t, "count": c} for t, c in zip(("cpu", "gpu"), platform)], "tasks": tasks},
              open(name + ".json", "w"))


def distinct(n, low, high):
    return [{"id": f"t{i}", "times": [rnd.randint(low, high), rnd.randint(low, high)]} for i in range(n)]


most = 2 ** 62
write("count-10-18", (20, 4), [{"id": "a", "count": 10 ** 18, "times": [1, 1]}])
write("count-10-9", (20, 4), [{"id": "a", "count": 2 * 10 ** 9, "times": [40, 10]},
                              {"id": "b", "count": 10 ** 9, "times": [33, 11]}])
write("no-work", (3, 2), [{"id": "a", "count": 10 ** 18, "times": [0, 1]}])
write("processors-10-5", (10 ** 5, 10 ** 5), distinct(200, 1, 10 ** 6))
write("processors-2-31", (2 ** 31 - 1, 2 ** 31 - 1), distinct(50, 1, 10 ** 6))
write("both", (10 ** 6, 10 ** 6), [{"id": "a", "count": 5 * 10 ** 4, "times": [7, 5]},
                                   {"id": "b", "count": 5 * 10 ** 4, "times": [1000003, 10 ** 6]}])
write("times-2-62", (3, 2), distinct(40, 10 ** 15, most // 100))
write("one-2-62", (3, 2), [{"id": "a", "times": [most - 1, most - 2]}])
write("beyond", (3, 2), [{"id": "a", "times": [most, most]}, {"id": "b", "times": [most, most]}])
write("count-beyond", (3, 2), [{"id": "a", "count": 10 ** 18, "times": [10, 10]}])
END
instances=$(echo ./*.json | sed 's|\./||g')
read -ra algorithms <<<"$("$duet" list algorithms --json |
    python3 -c 'import json, sys
print(*(a["name"] for a in json.load(sys.stdin) if "moldable" not in a["requires"]))')"

# bounded CODES ARGUMENT...: ends with one of the codes, and with one line where it is not 0.
bounded() {
    local codes=$1 code why=""
    shift
    runs=$((runs + 1))
    timeout -k 5 600 "$duet" "$@" >out 2>err </dev/null
    code=$?
    case " $codes " in
    *" $code "*) ;;
    *) why="exit code $code, expected one of $codes" ;;
    esac
    [ $code = 0 ] || [ "$(grep -c '^duet: ' err)" = 1 ] || why="$why; no message"
    if [ -n "$why" ]; then
        echo "FAIL duet $*: $why; $(head -c 300 err)"
        failed=1
    fi
    return $code
}

for instance in $instances; do
    case $instance in
    beyond.json | count-beyond.json) codes=3 ;; # at the door
    *) codes="0 5" ;;
    esac
    for algorithm in "${algorithms[@]}"; do
        [ "$codes" = 3 ] && [ "$algorithm" != auto ] && continue
        # Without GLPK some algorithms are not there: wrong usage.
        needs="$codes"
        "$duet" --version | grep -q glpk || needs="$codes 2"
        bounded "$needs" solve "$instance" -a "$algorithm" -t 0.03
    done
    bounded "$codes" bound "$instance" -b all -t 0.2
    bounded "$codes" bound "$instance" -b all -t 0.2 --json
    bounded "$codes" compare "$instance" -a heft,dualhp,lpt -t 0.2 --csv table.csv
    bounded "$codes" compare --export lp "$instance" -o program.lp
    bounded "$codes" compare --export mps "$instance" -o program.mps
    for output in s.json t.json t.paje t.rec; do
        option=$([ $output = s.json ] && echo -o || echo --trace)
        case $instance in
        both.json) [ $output = s.json ] || continue ;;
        esac
        rm -f $output
        if bounded "$codes" solve "$instance" -a lpt $option $output; then
            [ $output = s.json ] || continue
            bounded 0 verify "$instance" s.json
            [ "$instance" = both.json ] || bounded "$codes" report --instance "$instance" --solution s.json -o r.html
        elif [ -e $output ]; then
            echo "FAIL $instance: $output is there though it was refused"
            failed=1
        fi
    done
    if "$duet" --version | grep -q cairo; then
        for output in g.svg g.pdf g.png; do
            bounded "$codes" solve "$instance" -a lpt --gantt $output
        done
    fi
done

# A solution of other sizes than the instance's.
"$duet" solve one-2-62.json -a lpt -o one.json >/dev/null || failed=1
bounded 1 verify count-10-18.json one.json
bounded "0 1 5" report -q --instance count-10-18.json --solution one.json -o r.html

# What families are asked for.
bounded 2 generate uniform -n 1000000000000000000
bounded 2 generate chol -n 10000000
bounded 2 generate worst-heteroprio -n 100000
for family in worst-qa worst-er-ls worst-dualhp worst-dual-2 worst-shelf-3-2 worst-quickest worst-ratio worst-eft worst-lpt; do
    bounded "0 2 5" generate $family -m 2147483647 -k 2147483647 -o w.json
done
bounded 2 bench ratios --family small --each-option --instances 1000000000000000000

# 10^7 tasks in two lines, where the algorithm makes no schedule of each, and a million lines.
printf 'id,count,cpu,gpu\na,10000000,41,10\nb,7,33,\n' >lines.csv
for algorithm in dualhp dual-4-3 balanced-makespan lpt exact; do
    bounded "0 5" solve lines.csv -m 20 -k 4 -a $algorithm -t 1
done
sed "s/10000000/1000000/" lines.csv >fewer.csv
bounded "0 5" solve fewer.csv -m 20 -k 4 -a eft
bounded "0 5" bound lines.csv -m 20 -k 4 -b all -t 1
"$duet" generate uniform -n 1000000 -m 20 -k 4 --format csv |
    timeout 1800 "$duet" bound - -m 20 -k 4 -b area --json >out 2>err
if [ "${PIPESTATUS[*]}" = "0 0" ] && grep -q '"area"' out; then
    runs=$((runs + 1))
else
    echo "FAIL 10^6 lines through a pipe: $(head -c 300 err)"
    failed=1
fi

echo "$runs runs"
exit $failed
