#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Halves and doubles the constants of a room's tuning.h on random task graphs, by counted work, and keeps what came of it.

    cmake -S . -B build/tuned -DCMAKE_BUILD_TYPE=Release -DDUET_TUNING=ON && cmake --build build/tuned
    scripts/tuning.py build/tuned/bin/duet [--room lp/graph/timed] [--constant DUET_TIMED_LOOK] [--set small] [--again]
    scripts/tuning.py --comments   # gives new constants open rows, and writes the verdicts behind the comments, in brackets
    scripts/tuning.py --check      # whether docs/tuning.csv has a row for each constant, and the comments its verdicts

Every run is limited by rounds, so that no clock decides and the table is the same on every machine. A row of docs/tuning.csv is
a constant on a set: how many instances are proven, the mean gap between schedule and bound in percent, and the counted work
in thousands, today and with half and twice the value. Where bounds alone are measured, the gap is what today's have more.
Its verdict is one of

  nothing   no schedule, bound or count changes in either direction: the comment says what the constant guards (time, memory,
            a deadline, the size of numbers), or where it acts that such a run cannot show; a constant without a word goes
  kept      neither direction is better
  halved    half the value is better: less gap by 0.02 points, or as much gap and less work by 5 % (doubled likewise)
  either    both directions are better
  fixed     the constant is the size of an array or stands in a table of the compiler: it needs an edit
  open      nobody has measured it yet

Rows that are there stay, but for open ones; --again measures them anew. The sets of WIDE are for constants that do nothing on
the usual ones of their room: larger graphs, more operations, graphs whose data take time.

    scripts/tuning.py build/tuned/bin/duet --constant DUET_TIMED_LOOK --values 50,200,800 --seeds 100   # keeps nothing

measures other values, or on graphs of fresh seeds (this many above those of the sets), on each instance by itself.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(SOURCE, "docs", "tuning.csv")
COLUMNS = ["room", "constant", "value", "set", "proven", "gap", "work", "half_proven", "half_gap", "half_work", "double_proven",
           "double_gap", "double_work", "verdict"]
# What each set of instances is made of, as arguments of `duet generate`.
SETS = {
    "small": [f"mixed-graph --seed {s} -O n-min=20 -O n-max=45 -m 2 -k 1" for s in range(1, 5)],
    "layers": ["layered -n 80 -m 7 -k 1 --seed 1", "daggen -n 90 -m 4 -k 2 --seed 2"],
    "plain": [f"layered -n 60 -m 7 -k 1 --seed {s}" for s in (1, 2)] + [f"daggen -n 50 -m 4 -k 2 --seed {s}" for s in (1, 2)],
    "costs": [f"mixed-graph --seed {s} -O n-min=30 -O n-max=60 -O cost=40 -m 3 -k 1" for s in (2, 3, 4)],
    "moldable": [f"platform -n 40 --seed {s}" for s in (1, 2)] + [f"daggen -n 150 -m 4 -k 2 --seed {s}" for s in (3, 4)],
    "random": [f"mixed-graph --seed {s} -O n-min=20 -O n-max=150 -m 4 -k 2" for s in range(1, 5)],
    "tiles": [f"mixed-graph --seed {s} -O structure={f} -O n-min=100 -O n-max=220 -m 7 -k 1"
              for s, f in ((1, "chol"), (2, "lu"))],
    "dominated": [f"mixed-graph --seed {s} -O structure=chol -O speedup=400 -O n-min=30 -O n-max=50 -m 9 -k 1" for s in (5, 6)],
    "measured": [f"{f} -n 4 -m 7 -k 1 -O edges=true" for f in ("chol", "lu")],
    "trees": ["layered -n 70 -m 7 -k 1 --seed 11", "daggen -n 110 -m 4 -k 2 --seed 12", "layered -n 320 -m 7 -k 2 --seed 14",
              "mixed-graph --seed 13 -O structure=chol -O n-min=100 -O n-max=150 -m 4 -k 1",
              "mixed-graph --seed 15 -O cost=40 -O n-min=30 -O n-max=50 -m 3 -k 1"],
    "longer": ["mixed-graph --seed 31 -O n-min=25 -O n-max=45 -m 2 -k 1", "layered -n 110 -m 4 -k 1 --seed 32",
               "mixed-graph --seed 33 -O cost=40 -O n-min=25 -O n-max=45 -m 3 -k 1"],
    "large": ["mixed-graph --seed 41 -O n-min=400 -O n-max=500 -m 7 -k 2", "daggen -n 1200 -m 7 -k 2 --seed 42"],
    "varied": ["mixed-graph --seed 21 -O structure=chol -O speedup=400 -O n-min=1200 -O n-max=1500 -m 15 -k 1",
               "mixed-graph --seed 22 -O n-min=1100 -O n-max=1300 -m 7 -k 2",
               "mixed-graph --seed 23 -O cost=40 -O n-min=40 -O n-max=60 -m 4 -k 2",
               "mixed-graph --seed 24 -O cost=40 -O n-min=12 -O n-max=18 -m 2 -k 1"],
}
SOLVE = ["solve", "FILE", "-j", "1", "-q", "--json", "-o", "/dev/null", "-a"]
BOUND = ["bound", "FILE", "-j", "1", "-q", "--json", "-b"]
EXACT, SEARCH = SOLVE + ["exact", "-O", "rounds=2"], SOLVE + ["graph-search", "-O", "rounds=2"]
# A room: the sets on which it is judged, and what is run on each of their instances.
ROOMS = {
    "lp/graph/timed": (("plain", "costs"), [BOUND + ["timed"]]),
    "lp/graph/chains": (("dominated", "measured"), [BOUND + ["chains"]]),
    "lp/graph": (("plain", "costs", "moldable"), [BOUND + [name] for name in ("interval", "graph", "head-tail")]),
    "solvers/graph/propagate": (("plain", "costs"), [BOUND + [name] for name in ("propagation", "shaving")]),
    "solvers/graph/refute": (("small", "layers"), [EXACT]),
    "solvers/graph/bound": (("small", "layers"), [EXACT]),
    "solvers/graph": (("small", "layers"), [EXACT]),
    "solvers/graph/learn": (("small", "layers"), [EXACT]),
    "heuristics/graph_search": (("random", "tiles"), [SEARCH]),
}
# What is run on one set of a room besides: a program that needs fewer rounds shows in the search that calls it.
LONGER, BRIEF = (SOLVE + ["exact", "-O", f"rounds={rounds}"] for rounds in (4, 1))
TREES = BOUND + ["branching", "--tuning", "DUET_BOUND_WORK=60000000"]
BESIDES = {("lp/graph", "plain"): [EXACT], ("solvers/graph/refute", "layers"): [TREES]}
# The further sets of a room, for constants that do nothing on its own, and what is run on them.
WIDE = {
    "lp/graph/timed": {"trees": [TREES]},
    "lp/graph": {"trees": [TREES], "large": [BOUND + ["interval"]]},
    "solvers/graph/propagate": {"trees": [TREES]},
    "solvers/graph/refute": {"trees": [TREES]},
    "solvers/graph/bound": {"trees": [TREES], "large": [BRIEF]},
    "solvers/graph": {"longer": [LONGER]},
    "solvers/graph/learn": {"longer": [LONGER]},
    "heuristics/graph_search": {"varied": [SEARCH]},
}
GAP, WORK = 0.02, 0.05


def sets_of(room):
    return ROOMS[room][0]


def all_sets(room):
    return sets_of(room) + tuple(WIDE.get(room, {}))


def commands(room, which):
    return WIDE[room][which] if which in WIDE.get(room, {}) else ROOMS[room][1] + BESIDES.get((room, which), [])


def needs(room, name, which, rows):
    """Whether a constant is to be measured on a set: on one of WIDE if it does nothing on the usual ones."""
    return which in sets_of(room) or all(rows.get((name, usual), ["open"])[-1] == "nothing" for usual in sets_of(room))


def constants(room):
    """(name, text of its value) of each constant of a room's tuning.h."""
    with open(os.path.join(SOURCE, room, "tuning.h"), encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    found = re.findall(r"\b(DUET_[A-Z0-9_]+)\s*=\s*([^,}]+)|#define (DUET_[A-Z0-9_]+) ([^\n]+)", text)
    return [(a or c, " ".join((b or d).split())) for a, b, c, d in found]


def fixed():
    with open(os.path.join(SOURCE, "cmake", "Tuning.cmake"), encoding="utf-8") as file:
        return set(re.findall(r"DUET_\w+", re.search(r"set\(DUET_TUNING_FIXED(.*?)\)", file.read(), re.S).group(1)))


def number(text):
    text = re.sub(r"INT64_C\((.*)\)", r"\1", text)
    if "0x1p" in text:
        return float.fromhex(text)
    return eval(text, {"__builtins__": {}})  # pylint: disable=eval-used # of our own headers: 1 << 22, 1e-6


def sides(value):
    """Half and twice the value, as text; None where that is the value itself or no such number."""
    if isinstance(value, float):
        return repr(value / 2), repr(value * 2)
    return (str(value // 2) if value > 1 else None), (str(value * 2) if value < 1 << 30 or value > 1 << 31 else None)


class Bench:
    """The instances of all sets, and what a command makes of them."""

    def __init__(self, duet, folder, seeds=0):
        self.duet, self.folder, self.today, self.seeds = duet, folder, {}, seeds

    def files(self, which):
        for i, words in enumerate(SETS[which]):
            path = os.path.join(self.folder, f"{which}-{i}.json")
            words = re.sub(r"--seed (\d+)", lambda found: f"--seed {int(found[1]) + self.seeds}", words)
            if not os.path.exists(path):
                subprocess.run([self.duet, "generate"] + words.split() + ["-o", path], check=True)
            yield path

    def measure(self, room, which, tuning=()):
        """(proven, schedule, bound, counters) of each run on a set, None of one that fails; None where one takes too long."""
        results = []
        for path in self.files(which):
            for command in commands(room, which):
                words = [path if word == "FILE" else word for word in command]
                try:
                    done = subprocess.run([self.duet] + words + list(tuning), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                          timeout=60, check=False)
                except subprocess.TimeoutExpired:
                    return None
                if done.returncode != 0: # such a bound is none of such a graph
                    results.append(None)
                    continue
                said = json.loads(done.stdout)
                if "bounds" in said:
                    results.append((0, 0, said["bounds"][0]["value"], (0,)))
                else:
                    results.append((int(said["status"] == "optimal"), said["makespan"], said["lower_bound"],
                                    tuple(said["counters"].values())))
        return results

    def base(self, room, which):
        if (room, which) not in self.today:
            self.today[room, which] = self.measure(room, which)
        return self.today[room, which]


def figures(results, base):
    """Proven instances, mean gap in percent (of a bound alone: to today's), thousands of counted work."""
    if results is None or any(row is None and today is not None for row, today in zip(results, base)):
        return None
    base = [today for row, today in zip(results, base) if row is not None]
    results = [row for row in results if row is not None]
    gaps = [100 * ((makespan or today[2]) / bound - 1) if bound else 0.0 for (_, makespan, bound, _), today in zip(results, base)]
    return sum(row[0] for row in results), sum(gaps) / len(gaps), sum(sum(row[3]) for row in results) / 1000


def better(side, base):
    if side is None:
        return False
    return side[1] < base[1] - GAP or (side[1] < base[1] + GAP and side[2] < base[2] * (1 - WORK))


def verdict(base, found, sums):
    if all(side is None or side == base for side in found):
        return "nothing"
    half, double = better(sums[1], sums[0]), better(sums[2], sums[0])
    return "either" if half and double else "halved" if half else "doubled" if double else "kept"


def show(side):
    return ["-", "-", "-"] if side is None else [side[0], f"{side[1]:.4f}", f"{side[2]:.1f}"]


def measure(bench, room, name, text, which):
    tuned = [None if side is None else bench.measure(room, which, ("--tuning", f"{name}={side}")) for side in sides(number(text))]
    base = bench.base(room, which)
    sums = [figures(found, base) for found in [base] + tuned]
    return [room, name, text, which] + sum((show(side) for side in sums), []) + [verdict(base, tuned, sums)]


def ratio(values, base):
    """The geometric mean of quotients."""
    logs = [math.log(max(value, 1) / max(today, 1)) for value, today in zip(values, base)]
    return math.exp(sum(logs) / max(len(logs), 1))


def compare(bench, room, name, value, which):
    """One line: how much further schedule and bound are apart with another value, and how much more work that takes."""
    base, found = bench.base(room, which), bench.measure(room, which, ("--tuning", f"{name}={value}"))
    if found is None or base is None:
        return f"{name}={value} {which}: takes too long"
    pairs = [(today, row) for today, row in zip(base, found) if today is not None and row is not None]
    longer = ratio([row[1] for _, row in pairs], [today[1] for today, _ in pairs])
    lower = ratio([row[2] for _, row in pairs], [today[2] for today, _ in pairs])
    work = ratio([sum(row[3]) for _, row in pairs], [sum(today[3]) for today, _ in pairs])
    same = sum(row == today for today, row in pairs)
    return (f"{name}={value} {which}: schedules {100 * (longer - 1):+.3f} %, bounds {100 * (lower - 1):+.3f} %, work {work:.3f}, "
            f"proven {sum(row[0] for _, row in pairs) - sum(today[0] for today, _ in pairs):+d}, {same} of {len(pairs)} the same, "
            f"{len(base) - len(pairs)} fail")


def read():
    if not os.path.exists(TABLE):
        return {}
    with open(TABLE, encoding="utf-8", newline="") as file:
        return {(row[1], row[3]): row for row in list(csv.reader(file))[1:]}


def write(rows):
    """In the order of the headers; rows of constants that are gone go."""
    wanted = [(room, name, text, which) for room in ROOMS for name, text in constants(room) for which in all_sets(room)
              if which in sets_of(room) or (name, which) in rows]
    with open(TABLE, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        out.writerows(rows.get((row[1], row[3])) or row + ["-"] * 9 + ["open"] for row in map(list, wanted))


WORDS = "(?:kept|nothing|halved|doubled|either|fixed|open)"
MARK = re.compile(rf"(?:\n *//)? ?\[{WORDS}(?:,(?:\n *//)? {WORDS})*\]")


def comments(room, rows):
    """The text of a room's tuning.h with the verdicts at the ends of the comments."""
    with open(os.path.join(SOURCE, room, "tuning.h"), encoding="utf-8") as file:
        lines = MARK.sub("", file.read()).split("\n")
    for name, _ in constants(room):
        of = [rows[(name, which)][-1] for which in all_sets(room) if (name, which) in rows]
        of = of if set(of) != {"open"} else []
        at = next(i for i, line in enumerate(lines) if re.search(rf"(#define {name} |\b{name}\s*=)", line.split("//")[0]))
        at += lines[at].rstrip().endswith("=")
        column = lines[at].find("//")
        if column >= 0: # on its line, and the lines below it
            while re.match(rf" {{{column}}}//", lines[at + 1]):
                at += 1
        elif re.match(r" *// ", lines[at - 1]):
            at -= 1
        else:
            lines[at] += " //" if of else ""
        of = of[:1] if len(set(of)) == 1 else of
        lines[at] += f" [{', '.join(of)}]" if of else ""
    return "\n".join(lines)


def comment(room, name):
    """What a tuning.h says of a constant, before its name or behind its value."""
    with open(os.path.join(SOURCE, room, "tuning.h"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    at = next(i for i, line in enumerate(lines) if re.search(rf"(#define {name} |\b{name}\s*=)", line.split("//")[0]))
    first = at
    while re.match(r" *// ", lines[first - 1]):
        first -= 1
    last = at + lines[at].rstrip().endswith("=")
    while re.match(r" {8,}//", lines[last + 1]):
        last += 1
    return " ".join(lines[first:last + 1])


def plain(text):
    """A header as one line, however its comments are wrapped."""
    return " ".join(re.sub(r"//", " ", text).split())


def check(rows):
    faults = []
    known = {name: text for room in ROOMS for name, text in constants(room)}
    for room in ROOMS:
        for name, text in constants(room):
            of = [rows[(name, which)] for which in all_sets(room) if (name, which) in rows]
            if len(of) < len(sets_of(room)):
                faults.append(f"{room}/tuning.h: {name} has no row: scripts/tuning.py build/tuned/bin/duet --constant {name}")
            elif {row[-1] for row in of} == {"nothing"} and not re.search(r"\b(Guards|Acts)\b", comment(room, name)):
                faults.append(f"{room}/tuning.h: {name} does nothing: its comment says what it 'Guards' or where it 'Acts', or it goes")
            elif any(row[2] != text and row[-1] != "open" for row in of):
                faults.append(f"{room}/tuning.h: {name} is {text}, and was measured as {of[0][2]}: --constant {name} --again")
    faults += [f"docs/tuning.csv: there is no constant {row[1]}" for row in rows.values() if row[1] not in known]
    for room in ROOMS:
        with open(os.path.join(SOURCE, room, "tuning.h"), encoding="utf-8") as file:
            if plain(file.read()) != plain(comments(room, rows)):
                faults.append(f"{room}/tuning.h: other verdicts than in docs/tuning.csv: scripts/tuning.py --comments")
    with open(os.path.join(SOURCE, "CONTRIBUTING.md"), encoding="utf-8") as file:
        if f"Task graphs have {len(known)} constants." not in " ".join(file.read().split()):
            faults.append(f"CONTRIBUTING.md: task graphs have {len(known)} constants")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("duet", nargs="?")
    parser.add_argument("--room", choices=ROOMS)
    parser.add_argument("--constant", action="append")
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--values")
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--comments", action="store_true")
    args = parser.parse_args()
    rows, kept = read(), fixed()
    if args.comments:
        write(rows)
        rows = read()
        for room in ROOMS:
            text = comments(room, rows)
            with open(os.path.join(SOURCE, room, "tuning.h"), "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["clang-format", "-i"] + [os.path.join(SOURCE, room, "tuning.h") for room in ROOMS], check=True)
        sys.exit(check(rows))
    if args.check or args.duet is None:
        sys.exit(check(rows))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(args.duet), folder, args.seeds)
        if args.values is not None:
            for room in ROOMS:
                for which in (which for which in all_sets(room) if args.set in (None, which)):
                    for name in (name for name, _ in constants(room) if name in (args.constant or ())):
                        for value in args.values.split(","):
                            print(compare(bench, room, name, value, which), flush=True)
            return
        for room in [args.room] if args.room else ROOMS:
            for name, text in constants(room):
                for which in all_sets(room):
                    wanted = (not args.constant or name in args.constant) and args.set in (None, which) and needs(room, name, which, rows)
                    if not wanted or (rows.get((name, which), ["open"])[-1] != "open" and not args.again):
                        continue
                    if name in kept:
                        rows[(name, which)] = [room, name, text, which] + ["-"] * 9 + ["fixed"]
                    else:
                        rows[(name, which)] = measure(bench, room, name, text, which)
                        print(",".join(map(str, rows[(name, which)])), flush=True)
                        write(rows)
        write(rows)


if __name__ == "__main__":
    main()
