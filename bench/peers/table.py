# SPDX-License-Identifier: Apache-2.0
"""What `duet bench peers` shows: text, Markdown, CSV and a picture, all of the same rows."""
import csv
import decimal
import io
import os
import re
import tempfile
import textwrap

COLUMNS = ["set", "instance", "tasks", "kinds", "edges", "platform", "peer", "threads", "status", "makespan", "bound", "best", "optimum_known",
           "above_best_percent", "gap_percent", "seconds", "to_1_percent", "to_optimum", "note", "version", "limit", "cores"]


def write(path, text):
    """Whole or not at all."""
    if path == "-":
        print(text, end="")
        return
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False, encoding="utf-8", newline="") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def write_csv(path, rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({c: "" if r[c] is None else round(r[c], 3) if isinstance(r[c], float) else r[c] for c in COLUMNS} for r in rows)
    write(path, out.getvalue())


def read_csv(path):
    """The rows of a file that write_csv() wrote."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for c in ("tasks", "kinds", "edges", "threads", "cores"):
            row[c] = int(row[c])
        for c in ("above_best_percent", "gap_percent", "seconds", "to_1_percent", "to_optimum", "limit"):
            row[c] = float(row[c]) if row[c] else None
        for c in ("makespan", "bound", "best"):
            row[c] = row[c] or None
    return rows


def setting_of(rows, names, interrupted=False):
    """What all rows of a table have in common, for its heads."""
    return {"seconds": rows[0]["limit"], "cores": rows[0]["cores"], "versions": {r["peer"]: r["version"] for r in rows}, "names": names,
            "instances": len({(r["set"], r["instance"]) for r in rows}), "interrupted": interrupted}


def number(value, unit):
    return "–" if value is None else f"{value:.2f} {unit}"


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def mean(values):
    return sum(values) / len(values) if values else None


def summary(rows):
    """A row per peer and number of threads: what it ran, proved, and how far it stayed from the best."""
    for key in dict.fromkeys((r["peer"], r["threads"]) for r in rows):
        ran = [r for r in rows if (r["peer"], r["threads"]) == key and r["status"] != "unable"]
        yield {"peer": key[0], "threads": key[1], "ran": len(ran), "proven": sum(r["status"] == "optimal" for r in ran),
               "best": sum(r["above_best_percent"] == 0 for r in ran),
               "above": mean([r["above_best_percent"] for r in ran if r["above_best_percent"] is not None]),
               "gap": mean([r["gap_percent"] for r in ran if r["gap_percent"] is not None]),
               "near": median([r["to_1_percent"] for r in ran if r["to_1_percent"] is not None]),
               "optimum": median([r["to_optimum"] for r in ran if r["to_optimum"] is not None]),
               "faults": sum(r["status"] == "fault" for r in ran)}


HEAD = ["peer", "threads", "ran", "proven", "best", "above best", "gap", "to 1 %", "to optimum", "faults"]


def summary_lines(rows, setting):
    yield HEAD
    for s in summary(rows):
        name = setting["names"][s["peer"]] + ("" if s["peer"] == "duet" else " " + setting["versions"][s["peer"]])
        yield [name, str(s["threads"]), str(s["ran"]), str(s["proven"]), str(s["best"]), number(s["above"], "%"), number(s["gap"], "%"),
               number(s["near"], "s"), number(s["optimum"], "s"), str(s["faults"])]


def outcome(row):
    """Of a run, in a word: proven after how long, or how far its schedule is from its own bound."""
    if row["status"] == "unable":
        return "–"
    if row["status"] in ("none", "fault"):
        return row["status"]
    seconds = f"{row['seconds']:.2f} s" if row["seconds"] is not None else ""
    if row["status"] == "optimal":
        return "= " + seconds
    return f"{row['gap_percent']:.2f} %" if row["gap_percent"] is not None else f"+{row['above_best_percent']:.2f} %"


def instance_lines(rows, setting, threads):
    """A row per instance, a column per peer, of one number of threads."""
    peers = list(dict.fromkeys(r["peer"] for r in rows))
    yield ["instance", "tasks", "best"] + [setting["names"][p] for p in peers]
    for name in dict.fromkeys((r["set"], r["instance"]) for r in rows):
        of = {r["peer"]: r for r in rows if (r["set"], r["instance"]) == name and r["threads"] == threads}
        one = next(iter(of.values()))
        yield [name[1], str(one["tasks"]), (one["best"] or "–") + ("" if one["optimum_known"] == "yes" else " ?")] + \
            [outcome(of[p]) if p in of else "" for p in peers]


def columns(lines):
    lines = list(lines)
    width = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
    return "".join("  ".join(w.ljust(width[c]) if c == 0 else w.rjust(width[c]) for c, w in enumerate(line)).rstrip() + "\n" for line in lines)


def head(setting):
    return (f"{setting['instances']} instance{'s' if setting['instances'] != 1 else ''}, {setting['seconds']:g} s a run, on a machine of {setting['cores']} cores"
            + ("; interrupted" if setting["interrupted"] else ""))


def faults(rows):
    return [f"{r['peer']} on {r['instance']}, {r['threads']} threads: {r['note']}" for r in rows if r["status"] == "fault"]


def standing(rows, setting):
    """How Duet stands beside each peer, on the instances that both ran with as many threads: a sentence each."""
    of = {(r["peer"], r["threads"], r["set"], r["instance"]): r for r in rows if r["status"] != "unable"}
    for peer, threads in dict.fromkeys((r["peer"], r["threads"]) for r in rows if r["peer"] != "duet"):
        both = [(of["duet", *key[1:]], r) for key, r in of.items() if key[:2] == (peer, threads) and ("duet", *key[1:]) in of]
        if not both:
            continue
        name = setting["names"][peer]
        proven = [sum(pair[i]["status"] == "optimal" for pair in both) for i in range(2)]
        best = [sum(pair[i]["above_best_percent"] == 0 for pair in both) for i in range(2)]
        behind = [sum(decimal.Decimal(duet["makespan"] or "Infinity") > decimal.Decimal(other["makespan"] or "Infinity")
                      for duet, other in both if other["status"] != "fault"),
                  sum(decimal.Decimal(duet["bound"] or 0) < decimal.Decimal(other["bound"] or 0)
                      for duet, other in both if other["status"] != "fault")]
        yield (f"On {len(both)} instances ({threads} thread{'s' if threads != 1 else ''}, {setting['seconds']:g} s a run) Duet proves "
               f"{proven[0]} and {name} {proven[1]}; {best[0]} of Duet's schedules are the best of all, and {best[1]} of {name}'s. "
               f"Duet is behind {name} in {behind[0]} schedules and {behind[1]} bounds.")


def text(rows, setting):
    if not rows:
        return "no run ended\n"
    out = head(setting) + "\n\n" + columns(summary_lines(rows, setting))
    for threads in dict.fromkeys(r["threads"] for r in rows):
        out += f"\n{threads} thread{'s' if threads != 1 else ''}; = proven, % gap to its own bound, + above the best schedule without a bound, – no model\n"
        out += columns(instance_lines(rows, setting, threads))
    out += "".join(f"\n{line}\n" for line in standing(rows, setting))
    return out + "".join(f"\nfault: {line}" for line in faults(rows)) + ("\n" if faults(rows) else "")


def markdown_table(lines):
    lines = list(lines)
    rule = ["---"] + ["---:"] * (len(lines[0]) - 1)
    return "".join("| " + " | ".join(line) + " |\n" for line in [lines[0], rule] + lines[1:])


def ahead(rows, setting):
    """Where a peer has a shorter schedule than Duet, proves what Duet does not, or proves it sooner."""
    for duet in [r for r in rows if r["peer"] == "duet"]:
        for r in rows:
            if (r["set"], r["instance"], r["threads"]) != (duet["set"], duet["instance"], duet["threads"]) or r is duet or r["status"] == "fault":
                continue
            where = f"{setting['names'][r['peer']]} on `{r['instance']}`, {r['threads']} thread{'s' if r['threads'] != 1 else ''}"
            if r["status"] == "optimal" and duet["status"] != "optimal":
                yield f"{where}: proves the optimum, Duet does not"
            elif r["makespan"] is not None and duet["makespan"] is not None and float(r["makespan"]) < float(duet["makespan"]):
                yield f"{where}: a schedule of {r['makespan']}, Duet's is {duet['makespan']}"
            elif r["status"] == duet["status"] == "optimal" and r["seconds"] < duet["seconds"]:
                yield f"{where}: proves the optimum in {r['seconds']:.2f} s, Duet in {duet['seconds']:.2f} s"


def markdown(rows, setting):
    """All tables."""
    return head(setting) + ":\n\n" + markdown_table(summary_lines(rows, setting)) + "".join(
        f"\n{threads} thread{'s' if threads != 1 else ''}:\n\n" + markdown_table(instance_lines(rows, setting, threads))
        for threads in dict.fromkeys(r["threads"] for r in rows)) + "\nWhere another is ahead of Duet in this run:\n\n" + "".join(
            f"- {line}.\n" for line in list(ahead(rows, setting)) or ["nowhere"]) + "".join(f"\nFault: {line}.\n" for line in faults(rows))


def short(rows, setting):
    """Of the solvers that prove something, with the fewest threads: what README.md shows."""
    least = min(r["threads"] for r in rows)
    shown = [r for r in rows if r["threads"] == least and any(o["bound"] for o in rows if o["peer"] == r["peer"])]
    words = (f"**Beside other solvers** ([models, instances, judging](docs/peers.md)): {head(setting)}\nthat did other work, "
             f"{least} thread{'s' if least != 1 else ''}:")
    return words + "\n\n" + markdown_table(summary_lines(shown, setting))


def wrapped(rows, setting):
    """How Duet stands, in lines of a page."""
    return "\n\n".join(textwrap.fill(line, 120) for line in standing(rows, setting)) + "\n"


def write_markdown(path, rows, setting):
    """Between the marks of a page that has them, else as a file of its own. Releases alone have marks of their own."""
    old = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    parts = (("releases", wrapped),) if all(r["set"] == "releases" for r in rows) else (("tables", markdown), ("summary", short))
    for name, made in parts:
        mark = re.search(f"(?s)(<!-- peers: {name} -->\n).*?(<!-- end of peers -->)", old)
        if mark:
            write(path, old[:mark.end(1)] + made(rows, setting) + old[mark.start(2):])
            return
    write(path, markdown(rows, setting))


# ---- the picture

COLOURS = ["#0b5fa5", "#d1495b", "#2e8b57", "#b8860b", "#7b52ab", "#008b8b", "#a0522d", "#708090"]
WIDTH, ROW, LEFT, TOP, RIGHT = 720, 26, 150, 66, 150
BANDS = (("optimal", "proven", 1.0), ("open", "schedule, no proof", 0.35), ("fault", "fault", 1.0), ("none", "nothing", 0.12))
FAULT = "#c1121f"


def chart(rows, setting):
    """A bar per peer and threads: of the instances that it has a model of, how many it proved."""
    keys = list(dict.fromkeys((r["peer"], r["threads"]) for r in rows))
    peers = list(dict.fromkeys(k[0] for k in keys))
    most = max(sum((r["peer"], r["threads"]) == k and r["status"] != "unable" for r in rows) for k in keys) or 1
    step = (WIDTH - LEFT - RIGHT) / most
    height = TOP + ROW * len(keys) + 44
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-family="sans-serif" '
           f'font-size="13" role="img" aria-label="Instances proven by each peer">',
           "<style>.t{fill:#1a1a1a}.m{fill:#555}.b{fill:#fff}@media(prefers-color-scheme:dark){.t{fill:#eee}.m{fill:#aaa}.b{fill:#16181c}}</style>",
           f'<rect class="b" width="{WIDTH}" height="{height}"/>',
           f'<text class="t" x="16" y="24" font-size="16" font-weight="bold">Instances proven optimal</text>',
           f'<text class="m" x="16" y="44">{head(setting)}</text>']
    for i, key in enumerate(keys):
        ran = [r for r in rows if (r["peer"], r["threads"]) == key and r["status"] != "unable"]
        y, x, colour = TOP + ROW * i, float(LEFT), COLOURS[peers.index(key[0]) % len(COLOURS)]
        name = setting["names"][key[0]] + (f", {key[1]} threads" if key[1] > 1 else "")
        out.append(f'<text class="t" x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{name}</text>')
        for status, word, opacity in BANDS:
            count = sum(r["status"] == status for r in ran)
            if count:
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{count * step:.1f}" height="{ROW - 7}" fill="{FAULT if status == "fault" else colour}" '
                           f'fill-opacity="{opacity}"><title>{name}: {count} {word}</title></rect>')
                x += count * step
        proven = sum(r["status"] == "optimal" for r in ran)
        wrong = sum(r["status"] == "fault" for r in ran)
        out.append(f'<text class="t" x="{x + 8:.1f}" y="{y + 15}">{proven} of {len(ran)}{f", {wrong} fault" + "s" * (wrong > 1) if wrong else ""}</text>')
    x, y = LEFT, TOP + ROW * len(keys) + 14
    for status, word, opacity in BANDS:
        if any(r["status"] == status for r in rows):
            fill = FAULT if status == "fault" else "#708090"
            out.append(f'<rect x="{x}" y="{y}" width="13" height="13" fill="{fill}" fill-opacity="{opacity}"/>'
                       f'<text class="m" x="{x + 19}" y="{y + 11}">{word}</text>')
            x += 40 + 8 * len(word)
    return "\n".join(out) + "\n</svg>\n"
