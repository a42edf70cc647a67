#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of duet report in a headless browser: the numbers it shows, its charts, the schedule, and what
# keys, pointer and address do. Skipped (77) without chromium. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$2/tests/support/browser.sh"

# `look` puts a page down to be viewed with all others; `seen`, `shows` and `hides` put down what is asked of it.
pages=()
asked=()
# seen WHAT COMMAND...: a check of the last page that was put down, which is then in view.html.
seen() { asked+=("${#pages[@]} $(printf '%q ' "$@")"); }
# shows WHAT PATTERN: the page has a line that matches; hides: it has none.
shows() { seen "$1" grep -qE -- "$2" view.html; }
hides() { seen "$1" bash -c '! grep -qE -- "$1" view.html' _ "$2"; }
# look PAGE#STATE: it is viewed, and there is no fault.
look() {
    pages+=("$1")
    shows "$1: ready" '<html[^>]*data-ready="1"'
    hides "$1: no fault of the script" 'data-error='
}
# act PAGE SCRIPT [#STATE]: the same, after the script has run in it.
act() {
    local acted=acted-${#pages[@]}.html
    sed '$d' "$1" | sed 's#^</body>$##' >"$acted"
    printf '<script>\n%s\n</script></body></html>\n' "$2" >>"$acted"
    look "$acted${3:-}"
}
# view_all: views the pages, and asks.
view_all() {
    local question
    view_each "${pages[@]}"
    for question in "${asked[@]}"; do
        ln -sf "view-${question%% *}.html" view.html
        eval "check ${question#* }"
    done
}

# ---- tables

python3 - <<'END'
import random
random.seed(7)
runs = []
for family in ("unif4", "corr"):
    for n in (10, 40, 160):
        for seed in range(1, 8):
            for name, spread, proven in (("heft", 0.5, ""), ("dualhp", 0.3, "2")):
                optimum = 1000
                makespan = optimum + max(0, random.randint(-100, int(1000 * spread)))
                known = "optimum" if seed % 2 else "bound"
                runs.append((family, n, seed, name, makespan, known, proven, n * n * (1e-5 if name == "heft" else 4e-5)))
with open("ratios.csv", "w") as file:
    file.write("job,instance,family,n,m,k,seed,algorithm,options,status,makespan,lower_bound,"
               "reference,reference_kind,ratio,proven,respected,seconds,surplus\n")
    for family, n, seed, name, makespan, known, proven, seconds in runs:
        status = "optimal" if makespan == 1000 else "bounded"
        file.write(f"ratios,{family}-{n},{family},{n},4,2,{seed},{name},,{status},{makespan},1000,1000,{known},"
                   f"{makespan / 1000:.8f},{proven},{'yes' if proven else ''},{seconds:.6f},x\n")

def cells(rows):
    values = sorted(r[4] / 1000 for r in rows)
    rank = lambda q: values[max(0, -(-int(q * 100) * len(values) // 100) - 1)]
    return "".join(f"<td class=\"r\">{v:.6f}</td>" for v in
                   (sum(values) / len(values), rank(0.5), rank(0.9), rank(0.99), values[-1]))
with open("expected", "w") as file:
    for name in ("heft", "dualhp"):
        file.write(cells([r for r in runs if r[3] == name]) + "\n")
    file.write(cells([r for r in runs if r[3] == "heft" and r[0] == "corr" and r[1] == 40]) + "\n")
END
check "report" "$duet" report ratios.csv -o page.html
check "report to standard output" bash -c '"$1" report - <ratios.csv >other.html && sed s/standard.input/ratios.csv/ other.html | cmp - page.html' _ "$duet"
check "the page names no other place" bash -c '! grep -E "(src|href)=\"?[a-z]+:|@import|url\(|https?://" page.html | grep -v "http://www.w3.org/2000/svg"'
look page.html
shows "summary: runs" 'data-tile="runs"><b>84</b>'
shows "summary: instances" 'data-tile="instances"><b>42</b>'
shows "nothing exceeded" '<html[^>]*data-exceeded="0"'
shows "the table of ratios: heft" "<tr data-name=\"heft\">.*$(sed -n 1p expected)"
shows "the table of ratios: dualhp" "<tr data-name=\"dualhp\">.*$(sed -n 2p expected)<td class=\"r\">2.000000</td>"
shows "the reference is told" '57.1.% optimum'
for chart in strips shares cactus-chart scaling-chart; do
    shows "chart $chart" "<svg class=\"chart\" id=\"$chart\""
done
shows "the proven ratio is marked" 'data-proven="2"'
shows "the exponent of the times" '<td>heft</td><td class="r">2.00</td>'
look "page.html#family=corr&n=40&hide=1"
shows "the address chooses runs" "<tr data-name=\"heft\">.*$(sed -n 3p expected)"
hides "the address hides an algorithm" '<tr data-name="dualhp">'
shows "the choice is shown" '<option value="corr" selected'
look "page.html#theme=dark"
shows "dark by address" '<html[^>]*data-theme="dark"'
look "page.html#theme=light"
shows "light by address" '<html[^>]*data-theme="light"'
act page.html 'document.getElementById("theme").click(); document.documentElement.dataset.hash = location.hash;
document.querySelectorAll(".chip")[0].click();
document.querySelectorAll("#ratio-table th button")[0].click();' '#theme=light'
shows "the button changes the theme" '<html[^>]*data-theme="dark"'
shows "and the address" 'data-hash="#theme=dark"'
hides "a name hides its algorithm" '<tr data-name="heft">'
shows "a head sorts" '<th scope="col" aria-sort="ascending"><button type="button">Algorithm'
act page.html 'const chart = document.getElementById("shares"); const box = chart.getBoundingClientRect();
chart.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + 75, clientY: box.top + box.height - 46, bubbles: true}));'
shows "the pointer finds a curve" '<div id="tip"[^>]*><b>(heft|dualhp)</b>.*ratio at most'

# What is wrong is at the top; hostile names stay text.
{
    head -n 1 ratios.csv
    echo 'r,"</script><b id=""evil"">&""'"'"'",f,5,1,1,1,<i>x</i>,,bounded,160,100,100,optimum,1.6,1.5,no,0.1,'
    echo 'r,low,f,5,1,1,1,<i>x</i>,,bounded,90,100,100,optimum,0.9,1.5,yes,0.1,'
    echo 'r,none,f,5,1,1,1,<i>x</i>,,failed,,,100,optimum,,,,9,'
} >bad.csv
check "report of a bad table" "$duet" report bad.csv --title '</title><b id="evil">' -o bad.html
look bad.html
shows "a ratio that is exceeded" '<html[^>]*data-exceeded="1" data-below="1"'
shows "in red at the top" '<div class="alert" role="alert">1 run exceeds its proven ratio; 1 run is below'
shows "a failure" 'data-tile="failed"><b>1</b>'
shows "hostile names are text" '&lt;/script&gt;&lt;b id="evil"&gt;&amp;"'
hides "and no elements" '<b id="evil">|<i>x</i>'

# A proven ratio is judged against the optimum where the table has no verdict.
printf 'algorithm,makespan,optimum,guarantee\na,150,100,4/3\nb,133,100,4/3\nc,180,100,(1+sqrt(5))/2\n' >judge.csv
check "report of guarantees" "$duet" report judge.csv -o judge.html
look judge.html
shows "ratios as formulas are judged" '<html[^>]*data-exceeded="2"'
seen "sections without data say why" bash -c 'test "$(grep -oE "data-absent=\"1\"" view.html | wc -l)" -eq 2'

# Other tables of this command.
"$duet" generate uniform -n 12 -m 2 -k 1 -o small.json
"$duet" compare small.json -a heft,lpt,dualhp,qa --csv compare.csv >compare.out
"$duet" bench dp-scaling --quick --n 6,12 --families unif4 --csv dp.csv >dp.out
"$duet" bench exact --sizes 10 --platforms 4:2 --seeds 1 -a heft,dualhp --csv exact.csv >exact.out 2>&1
check "tables of compare and bench" "$duet" report compare.csv dp.csv exact.csv -o tables.html
look tables.html
shows "all tables count" 'id="subtitle"[^>]*>compare.csv, dp.csv, exact.csv<'
shows "algorithms of both" '<tr data-name="qa">'
look "tables.html#by=m&measure=e"
shows "cells over CPUs" '>cells of the table</text>'

# Two tables of one name, and two families that are shown alike.
mkdir left right
for side in left right; do printf 'algorithm,family,ratio\na,%s%s,1.%d\n' "$(printf 'f%.0s' {1..300})" $side ${#side} >$side/table.csv; done
check "report of names that are shown cut" "$duet" report left/table.csv right/table.csv -o cut.html
family="$(printf 'f%.0s' {1..196})..."
look "cut.html#family=$family%20(2)"
shows "each can be chosen" '<tr data-name="a">.*<td class="r">1.500000</td>'
hides "alone" '1.400000'

# Many runs: no more than the page can hold.
python3 - <<'END'
with open("many.csv", "w") as file:
    file.write("algorithm,family,n,ratio,seconds,status\n")
    for i in range(60000):
        file.write(f"a{i % 3},f{i % 7},{i % 20011 + 1},{1 + (i * 7919 % 60000) / 60000:.8f},0.001,optimal\n")
END
check "report of many runs" "$duet" report many.csv -o many.html
check "many runs make no large page" test "$(wc -c <many.html)" -lt 3000000
look many.html
shows "counts stay exact" 'data-tile="runs"><b>60.000</b>'
shows "the page says what it holds" 'Numbers of tasks are grouped by powers of two'
shows "means and extremes stay exact" '<tr data-name="a0">.*<td class="r">1.499975</td>.*<td class="r">1.999950</td>'

# ---- schedules

printf 'id,count,cpu,gpu\ngemm,12,40,10.5\npotrf,3,8,6\n' >tasks.csv
"$duet" solve tasks.csv -m 3 -k 2 -a heft -o heft.json >solve.out
"$duet" generate corr -n 60 -m 5 -k 2 --seed 3 -o corr.json
"$duet" solve corr.json -a heteroprio -o hp.json >solve.out
boxes=$(python3 -c 'import json; s = json.load(open("hp.json")); print(len(s["schedule"]) + len(s.get("aborted", [])))')
check "report of schedules" "$duet" report --solution heft.json --instance tasks.csv --solution hp.json --instance corr.json -o gantt.html
look gantt.html
shows "a chooser" '<select id="gantt-choice">'
shows "the first schedule" 'id="gantt-facts".*algorithm</span>heft'
look "gantt.html#gantt=1&idle=1"
shows "the other by address" 'id="gantt-facts".*algorithm</span>heteroprio'
shows "every run is a box" "<canvas[^>]*data-boxes=\"$boxes\" data-drawn=\"$boxes\" data-rows=\"7\""
shows "tasks by kind and type" 'id="kinds".*Tasks by kind and type.*Bottleneck: (cpu|gpu), at work'
shows "idle time of types" '<td>cpu</td><td class="r">5</td>'
seen "idle time of each processor" bash -c 'test "$(grep -oE "<td>(cpu|gpu) [0-9]+</td>" view.html | wc -l)" -eq 7'
cat >idle.py <<'END'
import json, re
s = json.load(open("hp.json"))
busy = sum(e["end"] - e["start"] for e in s["schedule"] + s.get("aborted", []) if e["type"] == "cpu")
idle = 5 * s["makespan"] - busy
assert re.search(rf"<td>cpu</td>(<td class=\"r\">[^<]*</td>){{4}}<td class=\"r\">{idle}</td>", open("view.html").read()), idle
END
seen "idle time is what is left" python3 idle.py
makespan=$(python3 -c 'import json; print(json.load(open("hp.json"))["makespan"])')
look "gantt.html#gantt=1&zoom=0,$((makespan / 50))"
seen "zoomed in there is less to draw" bash -c 'n=$(grep -oE "data-boxes=\"[0-9]+" view.html | grep -oE "[0-9]+"); test "$n" -ge 7 -a "$n" -lt "$1"' _ "$boxes"

# Processors that are busy or lost are hatched, and a line is where the plan goes on.
"$duet" convert tasks.csv -m 3 -k 2 --busy cpu=0,20 --without gpu=1 --start-from heft.json --now 30 -o going-on.json 2>convert.err
"$duet" solve going-on.json -o again.json >solve.out
"$duet" report --solution again.json --instance going-on.json -o again.html >report.out
check "what is said of processors" grep -qE '"now":30[0-9]*,' again.html
look again.html
shows "hatched rows" 'data-closed="2"'
shows "their legend" 'busy, lost</span>'

# With --start everything is at times of day, and processors have their names.
printf '%s' '{"time_unit": "h", "platform": [{"type": "cpu", "count": 2, "names": ["n1"]}], ' \
    '"tasks": [{"id": "night", "times": [16.25]}, {"id": "day", "times": [3]}]}' >hosts.json
"$duet" solve hosts.json -o night.json >solve.out
check "report with a start" "$duet" report --solution night.json --instance hosts.json --start 2026-11-27T09:00+01:00 -o clock.html
look "clock.html"
shows "the end is told" 'ends at</span>2026-11-28T01:15:00\+01:00<'
shows "times of day at the axis" 'data-axis="[^"]*11-27 15:00[^"]*11-28 00:00'
look "clock.html#zoom=0,0.001"
shows "down to parts of seconds" 'data-axis="[^"]*11-27 09:00:01\|11-27 09:00:01.5\|11-27 09:00:02'
act clock.html 'document.getElementById("gantt-canvas").dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true}));'
shows "the times of a task, on a processor with a name" \
    'id="gantt-selected"[^>]*>(night · processor n1 · start 11-27 09:00 · end 11-28 01:15 · for 16.25 h|day · processor n1 · start 11-27 09:00 · end 11-27 12:00 · for 3 h)'
check "without a start there are none" grep -q '"clock":null' again.html

# Wheel, keys, drag, double click; the pointer names the task below it.
act gantt.html 'const canvas = document.getElementById("gantt-canvas"), box = canvas.getBoundingClientRect();
const at = (x, y) => ({clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true});
const note = name => { document.documentElement.dataset[name] = new URLSearchParams(location.hash.slice(1)).get("zoom") || "all"; };
canvas.setPointerCapture = () => {};
canvas.dispatchEvent(new WheelEvent("wheel", {...at(300, 60), deltaY: -300})); note("wheel");
canvas.dispatchEvent(new PointerEvent("pointerdown", at(400, 60)));
canvas.dispatchEvent(new PointerEvent("pointermove", at(300, 60)));
canvas.dispatchEvent(new PointerEvent("pointerup", at(300, 60))); note("drag");
canvas.dispatchEvent(new MouseEvent("dblclick", at(300, 60))); note("reset");
canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true})); note("plus");
canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true})); note("right");
canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "0", bubbles: true})); note("zero");
canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true}));
canvas.dispatchEvent(new PointerEvent("pointermove", at(100, 45)));' '#gantt=1'
shows "the wheel zooms" 'data-wheel="[0-9.]+,[0-9.]+"'
seen "dragging moves" bash -c '! grep -q "$(grep -oE "data-wheel=\"[^\"]*" view.html | sed s/wheel/drag/)" view.html && grep -qE "data-drag=\"[0-9.]+,[0-9.]+\"" view.html'
shows "a double click shows all" 'data-reset="all"'
shows "+ zooms" 'data-plus="[0-9.]+,[0-9.]+"'
seen "an arrow moves" bash -c '! grep -q "$(grep -oE "data-plus=\"[^\"]*" view.html | sed s/plus/right/)" view.html && grep -qE "data-right=\"[0-9.]+,[0-9.]+\"" view.html'
shows "0 shows all" 'data-zero="all"'
first=$(python3 -c '
import json
s = json.load(open("hp.json"))
e = min((e for e in s["schedule"] if e["type"] == "cpu" and e["processor"] == 0), key=lambda e: e["start"])
print(e["task"], "\u00b7 processor cpu 0 \u00b7 start", e["start"], "\u00b7 end", e["end"])')
shows "n selects the first task" "id=\"gantt-selected\"[^>]*>$first"
shows "the pointer names its task" "<div id=\"tip\"[^>]*><b>${first%% *}</b>.*<dd>cpu 0</dd>"
act gantt.html 'const choice = document.getElementById("gantt-choice"); choice.value = "1"; choice.dispatchEvent(new Event("change"));'
shows "the chooser changes the schedule" "<canvas[^>]*data-boxes=\"$boxes\""

# A task graph: the critical path; what is pointed at lights what it waits for and what waits for it.
"$duet" generate chol -n 5 -m 1 -k 1 -O edges=true -o graph.json
"$duet" solve graph.json -a heft -o plan.json >solve.out
check "report of a graph" "$duet" report --solution plan.json --instance graph.json -o graph.html
look graph.html
links=$("$duet" show graph.json plan.json --summary --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["summary"]["decided_by"]))')
shows "the critical path is marked" "<canvas[^>]*data-critical=\"$links\" data-lit=\"\""
act graph.html 'const canvas = document.getElementById("gantt-canvas"), box = canvas.getBoundingClientRect(), lit = [];
for (let x = 60; x < box.width; x += 1) {
  for (const y of [45, 80]) {
    canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + x, clientY: box.top + y, bubbles: true}));
    const tip = document.getElementById("tip");
    if (canvas.dataset.lit) {
      lit.push([tip.querySelector("b").textContent, canvas.dataset.lit, ...[...tip.querySelectorAll("dt")].map(function (dt) { return dt.textContent + "=" + dt.nextSibling.textContent; })]);
    }
  }
}
canvas.dispatchEvent(new PointerEvent("pointerleave", {}));
document.documentElement.dataset.after = "lit:" + canvas.dataset.lit;
const out = document.createElement("pre");
out.id = "lit";
out.textContent = JSON.stringify(lit);
document.body.append(out);'
shows "nothing is lit once the pointer has gone" 'data-after="lit:"'
cat >lit.py <<'END'
import html, json, re
found = json.loads(html.unescape(re.search(r'<pre id="lit">(.*?)</pre>', open("view.html").read(), re.S)[1]))
edges = json.load(open("graph.json"))["edges"]
ends = [(e["from"], e["to"]) if isinstance(e, dict) else (e[0], e[1]) for e in edges]
runs = {r["task"]: r for r in json.load(open("plan.json"))["schedule"]}
assert len({row[0] for row in found}) > 20, len(found)
for task, lit, *rows in found:
    before = [a for a, b in ends if b == task]
    after = [b for a, b in ends if a == task]
    assert lit == f"{len(before)} {len(after)}", (task, lit)
    said = dict(row.split("=", 1) for row in rows)
    why = re.fullmatch(r"as (\S+) ends( on its processor)?", said["starts"])
    if why is None:
        assert said["starts"] == ("at once" if runs[task]["start"] == 0 else "after a pause"), said
        continue
    other = runs[why[1]]
    assert other["end"] == runs[task]["start"], (task, said)
    same = (other["type"], other["processor"]) == (runs[task]["type"], runs[task]["processor"])
    assert same if why[2] else why[1] in before, (task, said)
END
seen "neighbours are lit, and why a task starts is said" python3 lit.py

# Equal tasks one after another are one box, times exact in the instance's unit.
look "gantt.html#box=0"
shows "decimals are exact" 'id="gantt-selected"[^>]*>(gemm|potrf)#[0-9]+ · processor cpu 0 · kind (gemm|potrf) · start [0-9.]+ · end [0-9.]+'

# Beyond 2^53 ticks facts have six digits, as all that people read, and what is derived from boxes is marked.
printf 'id,cpu,gpu\na,9007199254740993,\nb,,9007199254740992\n' >large.csv
"$duet" solve large.csv -m 1 -k 1 -a heft -o large.json >solve.out
check "report of long times" "$duet" report --solution large.json --instance large.csv -o large.html
look "large.html#box=0&idle=1"
shows "facts beyond 2^53 are right" 'makespan</span>9.0072e15<.*lower bound</span>9.0072e15 '
shows "times of boxes are marked" 'id="gantt-selected"[^>]*>a · .* · end ≈'
shows "idle time is marked" '<td>cpu</td>.*<td class="r">≈'

# A schedule that is wrong is shown as such.
sed 's/"makespan": [0-9.]*/"makespan": 12/' hp.json >wrong.json
check "report of a wrong schedule" bash -c '"$1" report --solution wrong.json --instance corr.json -o wrong.html 2>note && grep -q "^duet: note: wrong.json: claimed makespan 12" note' _ "$duet"
look wrong.html
shows "the fault is told" 'id="gantt-fault">The checker finds this schedule at fault: claimed makespan 12'

view_all

# Nothing is left of a page that cannot be made.
"$duet" report ratios.csv --solution hp.json,none.json --instance corr.json -o part.html >part.out 2>&1
check "a page that cannot be made: not there" bash -c '! ls part.html* 2>/dev/null'
exit "$failed"
