#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Page and pictures in a headless browser at 1280x800 and 390x844, light and dark: letters have a contrast of at least
# 4.5:1, boxes, lines and edges of 3:1, nothing is cut off. Then what a finger does, and what is saved.
# Skipped (77) without chromium. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

. "$source/tests/support/browser.sh"

# looks WIDTH HEIGHT FILE LEAST [FILE LEAST]...: puts down that what is in a frame of that size has no fault, and at least so many texts.
frames=()
looks() {
    local width=$1 height=$2
    shift 2
    while [ $# -gt 0 ]; do
        frames+=("$width $height $1 $2")
        shift 2
    done
}

# look_all: looks at what was put down.
look_all() {
    local number width height file least
    {
        echo '<!doctype html>'
        for number in "${!frames[@]}"; do
            read -r width height file least <<<"${frames[number]}"
            frame "$width" "$height" "$file"
        done
        echo '<pre id="out"></pre><script>'
        cat "$source/tests/support/look.js"
        echo 'addEventListener("load", () => { document.getElementById("out").textContent = "\n" + [...document.querySelectorAll("iframe")].map(
            (frame, number) => "frame " + number + "\n" + look(frame.contentWindow)).join("\n") + "\n"; });'
        echo '</script>'
    } >outer.html
    view outer.html | sed -n '/<pre id="out">/,/<\/pre>/p' | sed 's/<[^>]*>//g; /^$/d' >all
    for number in "${!frames[@]}"; do
        read -r width height file least <<<"${frames[number]}"
        awk -v number="$number" '/^frame [0-9]+$/ {on = $2 == number; next} on' all >looked
        check "$file at ${width}x$height: no fault" bash -c '! grep FAIL looked'
        check "$file at ${width}x$height: $(tail -n 1 looked)" awk -v least="$least" \
            '/^looked at/ {exit !($3 >= least && $5 > 3)} END {if (NR == 0) exit 1}' looked
    done
}

# ---- data: 24 algorithms, several sizes; one run each; a graph of kernels; a worst case beside its optimum

python3 - <<'END'
import random
random.seed(11)
with open("many.csv", "w") as file:
    file.write("algorithm,family,n,m,k,makespan,optimum,seconds,status,proven\n")
    for a in range(24):
        for s in range(12):
            n = (10, 40, 160)[s % 3]
            makespan = 1000 + int(random.random() ** 2 * (200 + 30 * a)) * (s % 4 > 0)
            status = "optimal" if makespan == 1000 else "failed" if s == 7 and a == 3 else "bounded"
            file.write(f"algorithm-{a:02d},fam{s % 2},{n},8,2,{makespan},1000,{n * n * 1e-6 * (1 + a):.6f},{status},{'2' if a % 3 == 0 else ''}\n")
with open("one.csv", "w") as file:
    file.write("algorithm,instance,makespan,optimum\nheft,a,150,100\nlpt,a,120,100\nexact,a,100,100\n")
END
"$duet" generate worst-heft -o worst.json
"$duet" solve worst.json -a exact -o optimum.json >out
"$duet" solve worst.json -a heft -o heft.json >out
chol=$source/instances/data/cholesky-10.json
"$duet" solve "$chol" -a heteroprio -o chol.json >out
"$duet" report many.csv --solution heft.json,optimum.json --instance worst.json -o page.html
"$duet" report one.csv --solution chol.json --instance "$chol" -o one.html
"$duet" generate chol -n 6 -m 3 -k 2 -O edges=true -o graph.json
"$duet" solve graph.json -a heteroprio -o plan.json >out
"$duet" report --solution plan.json --instance graph.json -o graph.html

for theme in light dark; do
    for size in "1280 800" "390 844"; do
        # shellcheck disable=SC2086 # width and height
        looks $size "page.html#theme=$theme&idle=1" 300 "one.html#theme=$theme&idle=1" 60 "graph.html#theme=$theme&box=3" 50
    done
done

# ---- pictures

"$duet" generate unif4 -n 5000 -m 16 -k 4 -o many.json
"$duet" generate mixed -n 60 -m 5 -k 2 --seed 3 -O "kinds=60" -o kinds.json
for size in 1280x800 390x844; do
    for look in "" --gantt-dark; do
        name=$size$look
        # shellcheck disable=SC2086 # none or one word
        {
            "$duet" solve "$chol" -a heteroprio --gantt "chol-$name.svg" --gantt-size $size $look >out
            "$duet" solve worst.json -a heft --gantt "worst-$name.svg" --gantt-size $size $look --gantt-beside optimum.json >out
            "$duet" solve kinds.json -a eft --gantt "kinds-$name.svg" --gantt-size $size $look --gantt-by-kind >out
            "$duet" solve many.json -a heteroprio --gantt "many-$name.svg" --gantt-size $size $look >out
            "$duet" solve graph.json -a heteroprio --gantt "graph-$name.svg" --gantt-size $size $look >out
        }
        looks "${size%x*}" "${size#*x}" "chol-$name.svg" 10 "worst-$name.svg" 10 "kinds-$name.svg" 10 "many-$name.svg" 10 "graph-$name.svg" 10
    done
done

look_all

# ---- pages after what is done to them

# act PAGE SCRIPT: the page with the script at its end.
act() {
    sed '$d' "$1" | sed 's#^</body>$##'
    printf '<script>\n%s\n</script></body></html>\n' "$2"
}
# Fingers: pinch, drag, tap, double tap.
act page.html 'const canvas = document.getElementById("gantt-canvas"), box = canvas.getBoundingClientRect(), root = document.documentElement;
canvas.setPointerCapture = () => {};
const finger = (type, id, x, y) => canvas.dispatchEvent(new PointerEvent(type, {pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + y, bubbles: true}));
const zoom = () => (new URLSearchParams(location.hash.slice(1)).get("zoom") || "all");
finger("pointerdown", 1, 400, 60); finger("pointerdown", 2, 600, 60);
finger("pointermove", 1, 300, 60); finger("pointermove", 2, 700, 60);
finger("pointerup", 1, 300, 60); finger("pointerup", 2, 700, 60); root.dataset.pinch = zoom();
finger("pointerdown", 3, 500, 60); finger("pointermove", 3, 450, 60); finger("pointerup", 3, 450, 60); root.dataset.drag = zoom();
finger("pointerdown", 4, 500, 45); finger("pointerup", 4, 500, 45); root.dataset.tap = document.getElementById("gantt-selected").textContent;
finger("pointerdown", 5, 500, 45); finger("pointerup", 5, 500, 45); root.dataset.twice = zoom();
root.dataset.touch = canvas.style.touchAction;' >fingers.html
# What is saved.
act page.html 'const saved = {}, root = document.documentElement;
window.Blob = function (parts) { saved.last = parts[0]; };
URL.createObjectURL = () => "#";
HTMLAnchorElement.prototype.click = function () {};
const texts = [];
for (const button of document.querySelectorAll(".saves .button")) {
  button.click();
  texts.push(root.dataset.saved + "\n" + saved.last);
}
const out = document.createElement("pre");
out.id = "saved";
out.textContent = JSON.stringify(texts);
document.body.append(out);' >saved.html
view_each page.html one.html fingers.html saved.html

check "24 algorithms are told apart by colour and dash" python3 - <<'END'
import re
text = open("view-1.html").read()
chips = re.findall(r'<i class="swatch line[^"]*"( data-dash="[^"]*")? style="background: ([^"]*)"></i>algorithm-\d\d</button>', text)
assert len(chips) == 24, len(chips)
assert len(set(chips)) == 24, "two look alike"
assert all(dash == "" for dash, _ in chips[:12]) and len({colour for _, colour in chips[:12]}) == 12
assert all(dash != "" for dash, _ in chips[12:])
END
check "one run each has one column of ratios" grep -qE '<th scope="col" class="r"[^>]*><button type="button">Ratio</button></th>' view-2.html
check "and no other" bash -c '! grep -qE "<button type=\"button\">(Mean|Median|q90|Max)</button>" view-2.html'

check "two fingers zoom to half of the time around what is between them" python3 - <<'END'
import re
text = open("view-3.html").read()
t0, t1 = map(float, re.search(r'data-pinch="([^"]*)"', text)[1].split(","))
assert abs((t1 - t0) / (2592 * 1.02) - 0.5) < 0.01, (t0, t1)
d0, d1 = map(float, re.search(r'data-drag="([^"]*)"', text)[1].split(","))
assert d0 > t0 and abs((d1 - d0) - (t1 - t0)) < 1, (d0, d1)
assert re.search(r'data-tap="B\d#0 · processor cpu 0', text), "a tap names the task"
assert 'data-twice="all"' in text, "a double tap shows all"
assert 'data-touch="pan-y"' in text, "the page still scrolls"
END

check "charts and tables are saved" python3 - <<'END'
import csv, html, io, json, re
import xml.etree.ElementTree as xml
text = open("view-4.html").read()
files = dict(entry.split("\n", 1) for entry in json.loads(html.unescape(re.search(r'<pre id="saved">(.*?)</pre>', text, re.S)[1])))
for name in ("distribution.svg", "shares.svg", "solved.svg", "scaling.svg"):
    root = xml.fromstring(files[name])
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("width"), name
    assert any(node.get("stroke", "none").startswith("rgb(") for node in root.iter()), name
    assert not any(node.get("class") for node in root.iter()), name
rows = list(csv.reader(io.StringIO(files["ratios.csv"])))
assert rows[0][:3] == ["Algorithm", "Runs", "Mean ↑".replace(" ↑", "")], rows[0]
assert len(rows) == 25 and all(len(row) == len(rows[0]) for row in rows)
assert float(rows[1][2]) >= 1
latex = files["ratios.tex"]
assert latex.count("\\\\\n") == 25 and "\\begin{tabular}{lrr" in latex and "\\bottomrule" in latex
assert list(csv.reader(io.StringIO(files["idle.csv"])))[1][0] == "cpu"
END
exit "$failed"
