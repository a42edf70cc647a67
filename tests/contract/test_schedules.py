# SPDX-License-Identifier: Apache-2.0
"""Schedules from elsewhere, platforms by name, units: what people bring and what they ask."""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree
from fractions import Fraction

from test_contract import Contract

THREE = "id,small,big,gpu\na,3,2,1\nb,3,4,2\nc,5,,1\n"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def places(run):
    """The processors of a task, each with its type."""
    ranges = run.get("processors") or [[run["processor"]] * 2]
    return [(run["type"], p) for first, last in ranges for p in range(first, last + 1)]


class Early(Contract):
    def test_no_task_waits_for_nothing(self):
        """Schedules of searches: each task begins with the end of what it waits for, its release, or when its processor is free."""
        for seed in range(1, 13):
            draw = random.Random(seed)
            count = draw.randint(8, 40)
            edges = [(a, b) for b in range(count) for a in range(max(0, b - 8), b) if draw.random() < 0.12]
            release = [draw.choice([0, 0, 0, 40, 90]) if seed % 2 else 0 for _ in range(count)]
            after = ["|".join(f"t{a}" for a, to in edges if to == b) for b in range(count)]
            cpu = [draw.randint(5, 60) for _ in range(count)]
            gpu = [max(1, time // draw.choice([1, 2, 4, 8])) for time in cpu]
            self.write("early.csv", "id,cpu,gpu,release,after\n" + "".join(
                f"t{j},{cpu[j]},{gpu[j]},{release[j]},{after[j]}\n" for j in range(count)))
            for row in ("exact", "auto", "graph-search -O rounds=1") + (() if seed % 2 else ("heft -O improve=true",)):
                placed = sorted(self.json(f"solve early.csv -m 3 -k 2 -t 1 --json -a {row}")["schedule"], key=lambda r: r["start"])
                end, free = {}, {}
                for run in placed:
                    task, place = int(run["task"][1:]), (run["type"], run["processor"])
                    least = max([free.get(place, 0), release[task]] + [end[a] for a, to in edges if to == task])
                    self.assertEqual(run["start"], least, (seed, row, run))
                    end[task] = free[place] = run["end"]

    def test_no_run_is_given_up(self):
        """What heteroprio aborts is no part of a plan of auto, which takes its schedule here."""
        self.write("flow.csv", "id,cpu,gpu,after\na,30,,\nb,25,,\nc,90,20,a\nd,80,18,b\ne,600,75,c;d\nf,60,20,e\ng,15,,f\n")
        self.run_duet("solve flow.csv -m 2 -k 1 -a heteroprio -o h.csv")
        self.assertIn("yes", self.read("h.csv"))
        self.assertIn("schedule by heteroprio", self.run_duet("solve flow.csv -m 2 -k 1 -o a.csv").stdout)
        self.assertNotIn("yes", self.read("a.csv"))

    def test_nor_does_one_on_several_processors(self):
        """The same of moldable tasks, with edges and without, and of independent tasks: each begins when all its processors are free."""
        for seed in range(1, 19):
            draw = random.Random(seed)
            counts = [draw.randint(2, 5), draw.randint(1, 3)]
            count, moldable, release = draw.randint(6, 20), seed % 3 > 0, {}
            edges = [[f"t{a}", f"t{b}"] for b in range(count) for a in range(max(0, b - 6), b) if draw.random() < 0.12] if seed % 3 == 2 else []
            busy = [[draw.choice([0, 0, 20]) for _ in range(n)] if seed % 2 else [] for n in counts]
            tasks = []
            for j in range(count):
                work = [draw.randint(10, 60), draw.randint(5, 40)]
                times = [[max(1, w // q + draw.randint(0, 2)) for q in range(1, n + 1)] if moldable else w for w, n in zip(work, counts)]
                tasks.append({"id": f"t{j}", "times": times})
                release[f"t{j}"] = tasks[-1]["release"] = draw.choice([0, 0, 25, 60]) if seed % 2 else 0
            self.write("early.json", json.dumps({"platform": [{"type": t, "count": n, "busy": b} for t, n, b in zip("ab", counts, busy)],
                                                 "tasks": tasks, "edges": edges}))
            for row in ("auto",) if edges else ("auto", "exact") if moldable else ("local-search", "exact", "auto"):
                found = self.json(f"solve early.json -t 0.2 --json -a {row}")
                end, free = {}, {(t, p): until for t, b in zip("ab", busy) for p, until in enumerate(b)}
                for run in sorted(found["schedule"], key=lambda r: (r["start"], r["end"])):
                    at = places(run)
                    before = [end[a] for a, to in edges if to == run["task"]]
                    least = max([release[run["task"]]] + before + [free.get(place, 0) for place in at])
                    self.assertEqual(run["start"], least, (seed, row, run))
                    end[run["task"]] = run["end"]
                    free.update(dict.fromkeys(at, run["end"]))


class Platforms(Contract):
    def setUp(self):
        super().setUp()
        self.write("three.csv", THREE)

    def refused(self, arguments, *words):
        done = self.run_duet(arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_by_name(self):
        named = self.json("solve three.csv -a heft --platform gpu=1,small=2,big=3 --json")
        self.assertEqual([(t["type"], t["count"]) for t in named["platform"]],
                         [("small", 2), ("big", 3), ("gpu", 1)])
        lettered = self.json("solve three.csv -a heft -m 2 -k 3,1 --json")
        self.assertEqual(named["schedule"], lettered["schedule"])
        # What is not named stays the file's.
        self.assertEqual(self.counts(self.json("solve small.json -a heft --platform gpu=3 --json")), [2, 3])
        self.write('odd.csv', 'id,"a,b","c=d"\nx,1,2\n')
        self.assertEqual(self.counts(self.json("solve", "odd.csv", "-a", "heft", "--json", "--platform",
                                               '"a,b"=2,"c=d"=1')), [2, 1])
        made = self.json("generate mixed --platform cpu=3,gpu=2,gpu2=1")
        self.assertEqual(self.counts(made), [3, 2, 1])

    def test_several_add_up(self):
        counts = lambda *words: self.counts(self.json("solve", "three.csv", "-a", "heft", "--json", *words))
        self.assertEqual(counts("--platform", "small=10", "--platform", "big=4", "--platform", "gpu=2"), [10, 4, 2])
        self.assertEqual(counts("--platform", "small=10, big=4", "--platform", " gpu = 2 "), [10, 4, 2])
        self.assertEqual(counts("--platform", "small = 10 , big=4,gpu=2"), [10, 4, 2])
        self.refused("solve three.csv --platform small=1,big=1,gpu=1 --platform small=2", "'small' is counted twice")
        self.refused("generate uniform --platform cpu=1 --platform cpu=2", "each once")
        self.assertIn("9 small + 1 big + 1 gpu",
                      self.duet("bound three.csv --platform small=8..9 --platform big=1,gpu=1"))

    def test_ranges_that_are_none(self):
        for words in ("-m 4..1 -k 1,1", "-m 2 -k 4..1,1", "-m 2 -k 1,4..1", "--platform small=1,big=4..1,gpu=1"):
            self.refused("bound three.csv " + words, "from the smaller to the larger")
        for words in ("-m 1-4 -k 1,1", "-m 2 -k 1-4,1", "--platform small=1-4,big=1,gpu=1"):
            self.refused("bound three.csv " + words, "a range is written 1..4")
        self.assertNotIn("a range is", self.run_duet("bound three.csv -m x -k 1,1").stderr)

    def test_everywhere(self):
        self.duet("solve three.csv --platform small=1,big=1,gpu=1 -a heft -o s.json")
        for command in ("bound three.csv", "compare three.csv -a heft", "verify three.csv s.json",
                        "show three.csv s.json"):
            self.assertIn("1 small + 1 big + 1 gpu",
                          self.duet(command + " --platform small=1,big=1,gpu=1"))

    def test_errors_name_the_types(self):
        self.refused("solve three.csv -m 10", "small=N,big=N,gpu=N", "'big' has none")
        self.refused("solve three.csv --platform small=1,big=2", "'gpu' has none")
        self.refused("solve three.csv --platform small=1,big=2,tpu=1", "'tpu'", "small, big, gpu")
        self.refused("solve three.csv --platform small=1,small=2", "twice")
        self.refused("solve three.csv --platform small=1,big=1,gpu=1 -m 3", "no -m and no -k")
        self.refused("solve three.csv --platform small=0,big=0,gpu=0", "at least one processor")
        for text in ("small", "small=", "=3", "small=x", "small=1,", "small=3..1", "small=1;big=2"):
            self.refused(f"solve three.csv --platform {text}", "--platform: expected counts by type")
        self.refused("solve three.csv", "-m M -k K,L", "small=N,big=N,gpu=N")
        self.refused("generate uniform --platform cpu=1,tpu=1", "'tpu'", "gpu2")
        self.refused("verify small.json small.json -k 1..2", "expected one count")
        self.refused("show small.json --platform gpu=1..2", "expected one count")
        self.refused("solve small.json -m 1..2000", "at most 1000 platforms")


class Units(Contract):
    def events(self, arguments):
        done = self.run_duet(arguments + " --trace t.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = self.load("t.json")
        return [e["dur"] for e in trace["traceEvents"] if e["ph"] == "X"], done.stderr

    def test_traces_in_true_time(self):
        self.write("k.csv", "id,cpu,gpu\na,0.0061,\n")
        expected = {"s": "6100", "ms": "6.1", "us": "0.0061", "ns": "0.0000061", "min": "366000",
                    "h": "21960000", "hours": "21960000", "d": "527040000", "week": "3689280000",
                    "Minutes": "366000", "H": "21960000", "msec": "6.1", "USEC": "0.0061"}
        for unit, microseconds in expected.items():
            with self.subTest(unit=unit):
                durations, said = self.events(f"solve k.csv -m 1 -k 1 -a heft --unit {unit}")
                self.assertEqual([Fraction(str(d)) for d in durations], [Fraction(microseconds)])
                self.assertEqual(said, "")

    def test_unknown_units_are_said(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        durations, said = self.events("solve k.csv -m 1 -k 1 -a heft")
        self.assertEqual(durations, [0.5])
        self.assertIn("names no unit of time", said)
        self.assertIn("--unit", said)
        self.assertIn("'fortnights' is unknown", self.events("solve k.csv -m 1 -k 1 -a heft --unit fortnights")[1])
        self.assertEqual(self.events("solve k.csv -m 1 -k 1 -a heft -q")[1], "")

    def test_in_the_text(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        for command in ("solve k.csv -a heft", "bound k.csv", "compare k.csv -a heft"):
            self.assertIn("0.5 min", self.duet(command + " -m 1 -k 1 --unit min"))
        self.assertEqual(self.json("solve k.csv -m 1 -k 1 -a heft --unit h --json")["time_unit"], "h")

    def test_another_unit_than_the_files(self):
        self.assertIn("2.25 ms", self.duet("bound small.json --unit ms -b longest"))
        done = self.run_duet("bound small.json --unit s")
        self.assertEqual(done.returncode, 2)
        self.assertIn('"ms"', done.stderr)

    def test_other_names_of_the_files_unit(self):
        self.write("hours.json", '{"time_unit": "hours", "platform": [{"type": "cpu", "count": 1}], '
                                 '"tasks": [{"id": "a", "times": [3]}]}')
        for unit in ("h", "H", "Hours", "hr", " h "):
            done = self.run_duet("solve", "hours.json", "-a", "heft", "--unit", unit, "-o", "s.json")
            self.assertEqual((done.returncode, done.stderr), (0, ""), unit)
            self.assertIn("makespan     3 hours", done.stdout)
        self.write("s.json", self.read("s.json").replace('"hours"', '"h"'))
        self.duet("verify hours.json s.json")
        self.write("s.json", self.read("s.json").replace('"h"', '"min"'))
        self.duet("verify hours.json s.json", code=3)

    def test_of_the_solution(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        self.duet("solve k.csv -m 1 -k 1 -a heft --unit s -o k.json")
        self.assertIn("makespan     0.5 s", self.duet("show k.csv k.json --trace t.json"))
        self.assertEqual([e["dur"] for e in self.load("t.json")["traceEvents"] if e["ph"] == "X"], [500000])
        self.assertIn("0.5 s", self.duet("verify k.csv k.json"))
        self.assertIn("0.5 s", self.duet("compare k.csv -m 1 -k 1 -a heft --solution a=k.json"))
        self.assertEqual(self.json("show k.csv k.json --json")["time_unit"], "s")
        self.assertIn("makespan     0.5 sec", self.duet("show k.csv k.json --unit sec"))
        self.assertIn('"s"', self.run_duet("show k.csv k.json --unit ms").stderr)
        # What cannot be read leaves nothing behind.
        self.write("wrong.json", self.read("k.json").replace('"schedule"', '"shedule"'))
        self.duet("solve k.csv -m 1 -k 1 -a heft -o none.json")
        text = self.duet("compare k.csv -m 1 -k 1 -a heft --solution a=wrong.json --solution b=none.json",
                         code=3)
        self.assertNotIn("0.5 s", text)

    def test_what_is_no_unit_is_said_at_once(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        for unit in ("1h", "s,ms", "fortnights"):
            for command in ("solve k.csv -a heft", "bound k.csv", "compare k.csv k.csv -a heft", "convert k.csv -o c.json"):
                done = self.run_duet(f"{command} -m 1 -k 1 --unit {unit}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count(f"note: --unit: '{unit}' only stands beside"), 1)
        self.assertEqual(self.run_duet("solve k.csv -a heft -m 1 -k 1 --unit 1h -q").stderr, "")
        self.assertEqual(self.run_duet("solve k.csv -a heft -m 1 -k 1 --unit d").stderr, "")

    def test_a_unit_that_is_unknown(self):
        self.write("odd.json", '{"time_unit": "jiffies", "platform": [{"type": "cpu", "count": 1}], '
                               '"tasks": [{"id": "a", "times": [3]}]}')
        self.assertIn("makespan     3 ms", self.duet("solve odd.json --unit ms"))


class Show(Contract):
    def test_json_and_csv_say_the_same(self):
        self.duet("generate chol -n 6 -m 5 -k 2 -o c.json")
        # heteroprio gives runs up: they come back, too.
        self.duet("solve c.json -a heteroprio -o s.json")
        self.duet("solve c.json -a heteroprio -o s.csv")
        self.assertEqual(set(rows(self.read("s.csv"))[0]),
                         {"task", "type", "processor", "start", "end"} |
                         ({"aborted"} if self.load("s.json").get("aborted") else set()))
        shown = [self.json(f"show c.json {name} --json --summary") for name in ("s.json", "s.csv")]
        for one in shown:
            one.pop("algorithm")
        self.assertEqual(shown[0], shown[1])
        self.assertTrue(shown[0]["valid"] and shown[0]["certified"])
        self.assertIn("none claimed", self.duet("verify c.json s.csv"))
        self.duet("show c.json s.csv -o back.json")
        self.assertEqual(self.load("back.json")["schedule"], self.load("s.json")["schedule"])
        lines = [(r["type"] == "gpu", int(r["processor"]), float(r["start"])) for r in rows(self.read("s.csv"))]
        self.assertEqual(lines, sorted(lines))
        self.duet("show c.json s.json -o again.csv")
        self.assertEqual(self.read("again.csv"), self.read("s.csv"))

    def test_certified_beside(self):
        """A bound that has a certificate, beside one that has none, is judged, too."""
        self.duet("solve small.json -a eft -o s.json")
        solution = self.load("s.json")
        solution["certified"] = {"value": solution["lower_bound"], "bound": solution["bound"],
                                 "certificate": solution.pop("certificate")}
        solution["bound"] = "elsewhere"
        second = os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "duet_check.py")
        for more, above, code in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1000, 0, 1)):
            solution["certified"]["certificate"]["lambda"] += more
            solution["certified"]["value"] = solution["lower_bound"] + above
            self.write("mine.json", json.dumps(solution))
            said = self.duet("verify small.json mine.json", code=code)
            self.assertIn("not certified" if code == 0 else "", said)
            done = subprocess.run([sys.executable, second, "small.json", "mine.json"], cwd=self.folder, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, code, done.stdout)

    def test_judges_without_claims(self):
        bound = self.json("bound small.json -b configuration --json")["bounds"][0]["value"] \
            if "glpk" in self.duet("--version").lower() else None
        self.write("mine.csv", "task;type;processor;start\n" + "".join(
            f"a#{i};gpu;0;{str(1.5 * i).replace('.', ',')}\n" for i in range(6)) + "b;cpu;0;0\n")
        shown = self.json("show small.json mine.csv --json")
        self.assertEqual((shown["makespan"], shown["valid"]), (9, True))
        self.assertLessEqual(shown["lower_bound"], 9)
        if bound is not None:
            self.assertEqual(shown["lower_bound"], bound)
        self.assertAlmostEqual(shown["gap_percent"], 100 * (9 / shown["lower_bound"] - 1), 4)
        # JSON from elsewhere need not claim anything either.
        self.write("mine.json", json.dumps({"schedule": [
            {"task": r["task"], "type": r["type"], "processor": int(r["processor"]),
             "start": float(r["start"].replace(",", "."))}
            for r in csv.DictReader(io.StringIO(self.read("mine.csv")), delimiter=";")]}))
        self.assertEqual(self.json("show small.json mine.json --json")["makespan"], 9)
        self.assertIn("none claimed", self.duet("verify small.json mine.json"))

    def test_without_starts(self):
        self.write("order.csv", "task,type,processor\nb,cpu,0\n" + "".join(f"a#{i},gpu,0\n" for i in range(6)))
        self.duet("show small.json order.csv -o s.csv")
        starts = [r["start"] for r in rows(self.read("s.csv"))]
        self.assertEqual(starts, ["0", "0", "1.5", "3", "4.5", "6", "7.5"])

    def test_times_of_floating_point(self):
        seed = 7
        draw = random.Random(seed)
        for trial in range(20):
            with self.subTest(seed=seed, trial=trial):
                digits = draw.choice([3, 17])
                tasks = [(f"t{i}", *(round(draw.uniform(0.001, 0.02), digits) for _ in range(2)))
                         for i in range(40)]
                self.write("f.csv", "id,cpu,gpu\n" + "".join(f"{t},{c!r},{g!r}\n" for t, c, g in tasks))
                ends = {("cpu", 0): 0.0, ("cpu", 1): 0.0, ("gpu", 0): 0.0}
                lines = []
                for name, c, g in tasks:
                    where = draw.choice(list(ends))
                    start = ends[where]
                    ends[where] = start + (c if where[0] == "cpu" else g)
                    lines.append(f"{name},{where[0]},{where[1]},{start!r},{ends[where]!r}\n")
                draw.shuffle(lines)
                self.write("s.csv", "task,type,processor,start,end\n" + "".join(lines))
                shown = self.json("show f.csv s.csv -m 2 -k 1 --json")
                self.assertTrue(shown["valid"], shown["fault"])
                self.assertAlmostEqual(shown["makespan"], max(ends.values()), 12)

    def test_faults_are_faults(self):
        good = ["a#%d,gpu,0,%s" % (i, 1.5 * i) for i in range(6)] + ["b,cpu,0,0"]
        wrong = {"placed twice": good + ["b,cpu,1,0"], "not scheduled": good[1:],
                 "unknown task": good + ["z,cpu,1,0"], "unknown processor type": good[:-1] + ["b,tpu,0,0"],
                 "forbidden": good[:-1] + ["b,gpu,0,9"], "does not exist": good[:-1] + ["b,cpu,2,0"],
                 "a#1": good[:1] + ["a#1,gpu,0,1.4"] + good[2:]}
        for words, lines in wrong.items():
            with self.subTest(words=words):
                self.write("s.csv", "task,type,processor,start\n" + "\n".join(lines) + "\n")
                done = self.run_duet("show small.json s.csv")
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(words, done.stderr)
                self.assertEqual(self.run_duet("verify small.json s.csv").returncode, 1)
                self.assertFalse(self.json("show small.json s.csv --json", code=1)["valid"])
        for text in ("task,type,start\n", "task,type,processor,start\na,cpu,x,0\n",
                     "task,type,processor,start\nb,cpu,0,soon\n", "task,type,processor,start\nb,cpu\n"):
            self.write("s.csv", text)
            self.duet("show small.json s.csv", code=3)

    def judged(self, instance, lines, expected, arguments=""):
        """Every command judges the schedule alike, as a table and as JSON without a format."""
        self.write("s.csv", "task,type,processor,start,end\n" + "".join(
            f"{task},{kind},{number},{start!r},{end!r}\n" for task, kind, number, start, end in lines))
        self.write("s.json", json.dumps({"schedule": [
            {"task": task, "type": kind, "processor": number, "start": start, "end": end}
            for task, kind, number, start, end in lines]}))
        for file in ("s.csv", "s.json"):
            codes = [self.run_duet(f"{command} {instance} {file} {arguments}").returncode for command in ("verify", "show")]
            self.assertEqual(codes, [expected] * 2, file)

    def test_overlaps_are_no_tolerance(self):
        # Ten tasks of 2 a tick apart; a start between ticks elsewhere in the table changes nothing.
        self.write("i.csv", "id,cpu,gpu\n" + "".join(f"t{i},9,2\n" for i in range(10)) + "x,3,9\n")
        for x in (0, 0.5):
            for step, expected in ((1, 1), (2, 0), (1.999, 1), (2 - 1e-12, 0)):
                with self.subTest(x=x, step=step):
                    lines = [(f"t{i}", "gpu", 0, step * i, step * i + 2) for i in range(10)]
                    self.judged("i.csv", lines + [("x", "cpu", 0, x, x + 3)], expected, "-m 1 -k 1")

    def test_noise_of_a_billionth(self):
        seed = 11
        draw = random.Random(seed)
        for trial in range(5):
            with self.subTest(seed=seed, trial=trial):
                tasks = [(f"t{i}", draw.randint(1, 50), draw.randint(1, 20)) for i in range(15)]
                edges = [(i, j) for j in range(15) for i in range(j) if draw.random() < 0.15]
                self.write("i.csv", "id,cpu,gpu,after\n" + "".join(
                    f"{t},{c},{g},{';'.join(f't{i}' for i, k in edges if k == j)}\n"
                    for j, (t, c, g) in enumerate(tasks)))
                free, ends, lines = {("cpu", 0): 0, ("cpu", 1): 0, ("gpu", 0): 0}, {}, []
                gap = draw.choice([0, 0.25, 1 / 3])  # the machine waits, also between ticks
                for j, (task, c, g) in enumerate(tasks):
                    where = draw.choice(list(free))
                    start = max([free[where]] + [ends[i] for i, k in edges if k == j]) + draw.choice([0, gap])
                    free[where] = ends[j] = start + (c if where[0] == "cpu" else g)
                    lines.append((task, *where, start, ends[j]))
                makespan = max(ends.values())
                for size, expected in ((0, 0), (0.4e-9, 0)):
                    noise = [makespan * size * draw.uniform(-1, 1) for _ in lines]
                    self.judged("i.csv", [(t, k, p, abs(s + n), e + n) for (t, k, p, s, e), n in zip(lines, noise)],
                                expected, "-m 2 -k 1")
                early = max(range(15), key=lambda j: lines[j][3])  # starts before what it waits for has ended
                moved = lines[:early] + [lines[early][:3] + (0, lines[early][4] - lines[early][3])] + lines[early + 1:]
                if lines[early][3] > 0 and any(line[1:3] == lines[early][1:3] and line[3] == 0 for line in lines):
                    self.judged("i.csv", moved, 1, "-m 2 -k 1")
                late = [(t, k, p, s, e + makespan * 1e-8) for t, k, p, s, e in lines]
                self.judged("i.csv", late, 1, "-m 2 -k 1")

    def test_between_ticks(self):
        self.write("i.csv", "id,cpu,gpu\na,3,2\nb,3,9\n")
        self.write("s.csv", "task,type,processor,start\na,gpu,0,0.5\nb,cpu,0,0.25\n")
        self.assertEqual(self.json("verify i.csv s.csv -m 1 -k 1 --json")["makespan"], 3.25)
        shown = self.json("show i.csv s.csv -m 1 -k 1 --json -o s.json --gantt s.svg --trace t.json")
        self.assertEqual((shown["makespan"], shown["lower_bound"], shown["status"]), (3.25, 3, "bounded"))
        self.assertEqual(self.json("verify i.csv s.json --json -m 1 -k 1")["makespan"], 3.25)
        self.duet("verify --strict i.csv s.json -m 1 -k 1")
        # What goes on with such a schedule takes it in ticks, which makes it no longer.
        self.assertIn("makespan", self.duet("simulate i.csv --solution s.csv -m 1 -k 1"))
        self.assertEqual(rows(self.duet("compare i.csv -m 1 -k 1 --solution s=s.csv -a lpt --format csv"))[-1]["makespan"],
                         "3")

    def test_duets_own_format_is_exact(self):
        self.write("i.csv", "id,cpu\na,3\nb,4\n")
        for start, makespan, expected in ((3, 7, 0), (3 - 1e-9, 7, 1), (3 + 1e-9, 7, 1), (3 + 1e-9, 7 + 1e-9, 0)):
            self.write("s.json", json.dumps({
                "format": "duet-solution", "version": 1, "makespan": makespan, "platform": [{"type": "cpu", "count": 1}],
                "schedule": [{"task": "a", "type": "cpu", "processor": 0, "start": 0},
                             {"task": "b", "type": "cpu", "processor": 0, "start": start, "end": start + 4}]}))
            for command in ("verify", "show"):
                self.assertEqual(self.run_duet(f"{command} i.csv s.json").returncode, expected, (command, start, makespan))

    def test_ends_are_checked(self):
        self.write("s.csv", "task,type,processor,start,end\n" +
                   "".join(f"a#{i},gpu,0,{1.5 * i},{1.5 * i + 1.5}\n" for i in range(6)) + "b,cpu,0,0,3\n")
        self.assertIn("ends at a wrong time", self.run_duet("show small.json s.csv").stderr)

    def test_pictures(self):
        if "cairo" not in self.duet("--version"):
            self.skipTest("a build without cairo")
        self.duet("solve small.json -a heft -o s.csv")
        self.duet("show small.json s.csv --gantt s.svg --trace s.paje")
        xml.etree.ElementTree.parse(self.path("s.svg"))
        self.assertIn("# time unit: ms", self.read("s.paje"))

    def test_claims_that_nothing_proves(self):
        self.duet("solve small.json -a heft -o s.json")
        made = self.load("s.json")
        made["lower_bound"], made["bound"], made["status"] = made["makespan"], "faith", "optimal"
        del made["certificate"]
        self.write("s.json", json.dumps(made))
        text = self.duet("show small.json s.json")
        if made["makespan"] > self.json("show small.json s.json --json")["lower_bound"]:
            self.assertIn("(faith), which nothing here proves", text)

    def test_a_certificate_of_another_instance(self):
        """The tasks on one processor each, where they are moldable: a schedule all the same, which verify does not take."""
        self.write("one.csv", "id,cpu\na,4\nb,4\nc,3\n")
        self.write("many.csv", "id,cpu:1,cpu:2\na,4,2\nb,4,3\nc,3,2\n")
        self.duet("solve one.csv -m 2 -o one.json")
        shown = self.run_duet("show many.csv one.json -m 2")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("the bound that it claims is set aside", shown.stderr)
        self.assertEqual(self.run_duet("show many.csv one.json -m 2 -q").stderr, "")
        self.duet("verify many.csv one.json -m 2", code=1)
        self.assertTrue(self.json("show many.csv one.json -m 2 --json")["valid"])

    def test_what_is_false(self):
        """A certificate that proves too little is set aside, and another false number is a fault, whatever the words."""
        self.write("t.csv", "id,cpu\na,4\nb,4\nc,3\n")  # 7, and by its area at least 6
        made = json.loads(self.duet("solve t.csv -m 2 -a lpt --json"))
        self.write("weak.json", json.dumps(dict(made, lower_bound=made["makespan"], status="optimal")))
        shown = self.run_duet("show t.csv weak.json")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("its certificate proves only 6; the bound that it claims is set aside", shown.stderr)
        self.duet("verify t.csv weak.json", code=1)
        self.write("high.json", json.dumps(dict(made, lower_bound=made["makespan"] + 1)))
        self.duet("show t.csv high.json", code=1)
        self.duet("verify t.csv high.json", code=1)

    def test_an_instance_alone(self):
        self.write("three.csv", THREE)
        text = self.duet("show three.csv")
        self.assertIn("3 tasks in 3 kinds", text)
        self.assertIn("--unit", text)
        self.duet("show three.csv --summary", code=2)
        self.duet("show", code=2)



class MixedSets(Contract):
    """A task on processors of several types: a feature of the instance, with bounds of its own."""

    INSTANCE = {"platform": [{"type": "a", "count": 2}, {"type": "b", "count": 2}], "tick": 1e-3,
                "tasks": [{"id": "x", "work": 4, "alpha": 0}]}

    def solution(self, **members):
        solution = {"format": "duet-solution", "version": 1, "algorithm": "elsewhere", "status": "feasible",
                    "platform": self.INSTANCE["platform"], "lower_bound": 0, "bound": None, **members}
        self.write("s.json", json.dumps(solution))

    def mixed(self, parts, end):
        return {"makespan": end, "schedule": [{"task": "x", "start": 0, "end": end, "parts": [
            {"type": name, "processors": [[0, count - 1]]} for name, count in parts]}]}

    def setUp(self):
        super().setUp()
        self.write("one.json", json.dumps(self.INSTANCE))
        self.write("mixed.json", json.dumps({**self.INSTANCE, "mixed_sets": True}))

    def test_a_false_optimum(self):
        # A bound of sets of one type beside a schedule on several: accepted once, though two processors of each type do better.
        self.solution(**{**self.mixed([("a", 2), ("b", 1)], 1.334), "status": "optimal", "lower_bound": 1.334,
                         "bound": "longest", "certificate": {"proof": "longest", "lambda": 2, "task": "x"}})
        for instance in ("one.json", "mixed.json"):
            for options in ("", "--strict"):
                self.assertEqual(self.run_duet(f"verify {instance} s.json {options}").returncode, 1)
        self.duet("show one.json s.json", code=1)
        shown = self.json("show mixed.json s.json --json")
        self.assertEqual((shown["valid"], shown["status"]), (True, "bounded"))
        self.assertLessEqual(shown["lower_bound"], 1.001)

    def test_only_where_the_instance_says_so(self):
        self.solution(**self.mixed([("a", 2), ("b", 2)], 1.001))
        self.assertIn("mixed_sets", self.run_duet("verify one.json s.json").stderr)
        self.duet("verify one.json s.json", code=1)
        self.duet("show one.json s.json", code=1)
        for instance, option in (("mixed.json", ""), ("one.json", "-O mixed_sets=true")):
            self.duet(f"verify --strict {instance} s.json {option}")
            shown = self.json(f"show {instance} s.json {option} --json --summary --gantt g.svg -o again.json")
            self.assertEqual((shown["valid"], shown["makespan"], shown["status"]), (True, 1.001, "optimal"))
        self.duet("verify mixed.json s.json -O mixed_sets=false", code=1)

    def test_rows_and_bounds(self):
        self.assertIn("mixed_sets", self.run_duet("solve one.json -a cpa").stderr)
        self.duet("solve one.json -a cpa", code=2)
        self.assertEqual(self.json("solve mixed.json --json -o s.json")["makespan"], 1.001)
        self.duet("verify --strict mixed.json s.json")
        self.duet("solve mixed.json -a exact", code=2)
        self.duet("solve mixed.json -a moldable-2", code=2)
        names = [bound["name"] for bound in self.json("bound mixed.json --json")["bounds"]]
        self.assertEqual(names, ["longest", "area"])
        for name in ("longest", "area", "path"):
            value = self.json(f"bound mixed.json -b {name} --json")["bounds"][0]["value"]
            self.assertLessEqual(value, 1.001)
        for name in ("prices", "steps", "graph"):
            self.duet(f"bound mixed.json -b {name}", code=2)
        table = rows(self.duet("compare mixed.json -a all --format csv"))
        makespans = {row["algorithm"]: row["makespan"] for row in table if row["makespan"]}
        self.assertEqual(makespans["cpa"], "1.001")
        self.assertEqual(makespans["seq"], "4")
        self.assertNotIn("exact", makespans)

    def test_no_type_for_all(self):
        """seq has no way where the others have one: it refuses, and a comparison goes on without it."""
        self.write("parted.json", json.dumps({"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 2}],
                                              "tasks": [{"id": "a", "times": [[4, 2], None]}, {"id": "b", "times": [None, [3, 2]]}]}))
        self.duet("solve parted.json -a seq", code=2)
        table = rows(self.duet("compare parted.json -a all --format csv"))
        self.assertEqual({row["makespan"] for row in table if row["algorithm"] in ("hcpa", "exact")}, {"2"})

    def test_what_cannot_be_mixed(self):
        for tasks in ([{"id": "x", "times": [[4, 3], 2]}], [{"id": "x", "times": [4, 2]}],
                      [{"id": "x", "times": [{"work": 4}, {"work": 5}]}],
                      [{"id": "y", "work": 4}, {"id": "x", "times": [{"work": 4}, 3]}]):
            self.write("i.json", json.dumps({**self.INSTANCE, "mixed_sets": True, "tasks": tasks}))
            self.assertIn("'x'", self.run_duet("bound i.json").stderr)
            self.duet("bound i.json", code=3)
            self.write("i.json", json.dumps({**self.INSTANCE, "tasks": tasks}))
            self.duet("bound i.json -O mixed_sets=true", code=3)
        self.write("i.json", json.dumps({**self.INSTANCE, "mixed_sets": "yes"}))
        self.assertIn("true or false", self.run_duet("bound i.json").stderr)

    def test_it_is_written(self):
        self.duet("convert mixed.json -o again.json")
        self.assertIs(json.loads(self.read("again.json"))["mixed_sets"], True)
        self.duet("convert mixed.json -o again.csv", code=2)  # which has no place for it
        self.write("jobs.csv", "id,work,alpha\na,40,0.1\nb,6,1\n")
        self.duet("convert jobs.csv -m 4 -O mixed_sets=true -o jobs.json")
        self.assertIs(json.loads(self.read("jobs.json"))["mixed_sets"], True)

    def test_graphs(self):
        # Data between mixed sets take the slowest link of both.
        self.write("g.json", json.dumps({
            **self.INSTANCE, "mixed_sets": True, "network": {"latency": 0.1, "inter_latency": 0.2, "inter_bandwidth": 10},
            "tasks": [{"id": "x", "work": 4, "alpha": 0.1}, {"id": "y", "work": 3}],
            "edges": [{"from": "x", "to": "y", "data": 5}]}))
        for row in ("cpa", "hcpa", "s-hcpa", "m-heft", "seq", "auto"):
            self.duet(f"solve g.json -a {row} -o s.json")
            self.duet("verify --strict g.json s.json")
            self.duet("show g.json s.json --summary --gantt g.svg")

class Endings(Contract):
    def test_in_capitals(self):
        self.duet("solve small.json -a heft -o s.CSV")
        self.assertTrue(self.read("s.CSV").startswith("task,"))
        self.duet("show small.json s.CSV -o t.Csv --gantt g.SVG")
        self.assertEqual(self.read("t.Csv"), self.read("s.CSV"))
        self.assertEqual(self.run_duet("convert small.json -o d.DOT").stderr, "")
        self.assertTrue(self.read("d.DOT").startswith("digraph"))

    def refused(self, arguments, *words):
        done = self.run_duet(arguments)
        self.assertEqual(done.returncode, 2, arguments)
        for word in words:
            self.assertIn(word, done.stderr)
        for name in arguments.split():
            self.assertFalse(name.startswith("out.") and os.path.exists(self.path(name)), name)

    def test_another_kind_of_file(self):
        self.duet("solve small.json -a heft -o s.json")
        for ending in ("svg", "PDF", "png"):
            for command in ("solve small.json -t 60", "show small.json s.json"):
                self.refused(f"{command} -o out.{ending}", "expected --gantt F.svg")
            for command in ("generate uniform", "convert small.json"):
                self.refused(f"{command} -o out.{ending}", "duet solve FILE --gantt")
            self.refused(f"bench search -a eft -o out.{ending}", "--gantt")
        self.refused("solve small.json -o out.rec", "--trace")
        self.refused("solve small.json -o out.html", "duet report")
        self.refused("report small.json -o out.pdf", "expected F.html")
        self.refused("solve small.json -o out.xlsx", ".csv")
        self.refused("convert small.json -o out.xlsx", ".csv")
        # Who names a format means it, and an ending that is nobody's stays.
        self.duet("convert small.json --format dot -o a.svg")
        self.duet("solve small.json -a heft -o s.out")
        self.assertEqual(self.read("s.out")[0], "{")

    def test_two_files_for_one_option(self):
        self.refused("solve small.json --gantt out.svg --gantt out.pdf", "--gantt: expected one file, got 'out.pdf'")
        self.refused("solve small.json -o out.json -o out.csv", "--output: expected one file")


class WhatLimits(Contract):
    def test_the_longest_path(self):
        self.duet("generate chol -n 4 -m 20 -k 4 -O edges=true -o path.json")
        self.assertIn("bottleneck   the longest path", self.duet("solve path.json --summary"))

    def test_orders_of_starpu_are_written(self):
        self.write("app.rec", "%rec: worker_count\n\nArchitecture: cpu0\nNbWorkers: 2\n\n%rec: task\n\n"
                   "Name: a\nModel: a\nFootprint: 1\nJobId: 1\nSubmitOrder: 11\nEstimatedTime: 5 5\n")
        done = self.run_duet("convert app.rec -o orders.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "orders.json"), encoding="utf-8") as file:
            self.assertIn("11", str(json.load(file)["starpu"]))


class PicturesBefore(Contract):
    """What no picture can show is said before the search."""

    def refused(self, arguments, word):
        done = self.run_duet(arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(self.path("s.json")))

    def test_size(self):
        self.duet("generate chol -n 12 -m 20 -k 4 -o c.json")
        self.refused("solve c.json -t 100 -o s.json --gantt g.svg --gantt-size 800x150", "at least 280 by")
        self.duet("solve c.json -a heft -o s.json --gantt g.svg --gantt-size 800x600")
        self.duet("show c.json s.json --gantt g.svg --gantt-beside s.json --gantt-size 800x900")

    def test_kinds_of_a_graph(self):
        self.duet("generate chol -n 12 -m 20 -k 4 -O edges=true -o c.json")
        self.refused("solve c.json -t 100 -o s.json --gantt g.svg --gantt-by-kind", "expected independent ones")


class Graphs(Contract):
    def setUp(self):
        super().setUp()
        self.duet("generate chol -n 5 -m 4 -k 1 -O edges=true -o g.json")
        self.duet("solve g.json -a heft -o s.csv")

    def test_an_order_without_starts(self):
        """Each processor runs its tasks in the order of the file, as soon as their data are there."""
        made = sorted(rows(self.read("s.csv")), key=lambda row: float(row["start"]))
        self.write("order.csv", "task,type,processor\n" + "".join(
            f'{row["task"]},{row["type"]},{row["processor"]}\n' for row in made))
        planned = self.duet("show g.json s.csv").split("makespan")[1].split()[0]
        self.assertLessEqual(float(self.duet("show g.json order.csv").split("makespan")[1].split()[0]),
                             float(planned))
        self.write("back.csv", "task,type,processor\n" + "".join(
            f'{row["task"]},{row["type"]},{row["processor"]}\n' for row in reversed(made)))
        done = self.run_duet("show g.json back.csv")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"back.csv:\d+:1: task .* never starts in this order; expected starts, or")

    def test_two_files_that_were_mixed_up(self):
        self.duet("generate uniform -n 12 -m 2 -k 1 -o u.json")
        self.duet("solve u.json -o us.json")
        done = self.run_duet("show g.json us.json")
        self.assertIn('; the file is about the instance "uniform-12-0", and this one is "chol-5', done.stderr)

    def test_what_a_table_cannot_hold(self):
        done = self.run_duet("convert g.json -o g.csv")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--platform cpu=4,gpu=1 and --unit us", done.stderr)
        self.assertEqual(self.json("show g.csv s.csv --platform cpu=4,gpu=1 --unit us --json")["makespan"],
                         self.json("show g.json s.csv --json")["makespan"])
        self.assertIn("so this is JSON", self.run_duet("convert g.json -o g.txt").stderr)
        for name in ("g2.json", "g.dot", "g.gv"):
            self.assertEqual(self.run_duet("convert g.json -o " + name).stderr, "")


class Summary(Contract):
    def test_adds_up(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                self.duet(f"generate mixed --seed {seed} -O types=3 -n 60 -o m.json")
                self.duet("solve m.json -a local-search -o s.json")
                shown = self.json("show m.json s.json --json --summary")
                made, summary = self.load("s.json"), shown["summary"]
                self.assertEqual(sum(k["tasks"] for k in summary["kinds"]), shown["tasks"])
                for t in summary["types"]:
                    own = [p for p in made["schedule"] if p["type"] == t["type"]]
                    self.assertEqual(t["tasks"], len(own))
                    self.assertEqual(sum(k["by_type"][t["type"]] for k in summary["kinds"]), len(own))
                    work = sum(Fraction(str(p["end"])) - Fraction(str(p["start"])) for p in own)
                    share = work / (t["processors"] * Fraction(str(made["makespan"])))
                    self.assertAlmostEqual(t["load_percent"], 100 * float(share), 2)
                # The tasks that decide: one after another, up to the makespan.
                placed = {p["task"]: p for p in made["schedule"]}
                chain = [placed[task] for task in summary["decided_by"]]
                self.assertEqual(chain[-1]["end"], made["makespan"])
                for before, after in zip(chain, chain[1:]):
                    self.assertEqual(before["end"], after["start"])
                if chain[0]["start"] != 0:
                    self.assertFalse([p for p in made["schedule"] if p["end"] == chain[0]["start"] and
                                      (p["type"], p["processor"]) == (chain[0]["type"], chain[0]["processor"])])

    def test_kinds_of_one_name_are_one_row(self):
        lines = [f"gemm_{i},4,1" for i in range(30)] + [f"trsm_{i},1,4" for i in range(20)]
        self.write("k.csv", "id,cpu,gpu\n" + "\n".join(lines) + "\n")
        text = self.duet("solve k.csv -m 2 -k 2 -a exact --summary")
        self.assertRegex(text, r"gemm \(30 kinds\) +30 +\S+ +\d+")
        self.assertRegex(text, r"trsm \(20 kinds\) +20 +\d+ +\S+")
        self.assertRegex(text, r"bottleneck   (cpu|gpu): at work \d+\.\d\d %")
        self.assertIn("decided by", text)

    def test_a_task_that_takes_it_all(self):
        self.write("k.csv", "id,cpu,gpu\nlong,9,8\nshort,1,1\n")
        self.assertIn("task long: no processor runs it in less than 8",
                      self.duet("solve k.csv -m 1 -k 1 -a exact --summary"))


class Compare(Contract):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("set"))
        os.mkdir(self.path("found"))
        for seed in range(1, 6):
            self.duet(f"generate uniform -n 12 -m 2 -k 1 --seed {seed} -o set/u{seed}.json")
            self.duet(f"solve set/u{seed}.json -a heft -o found/u{seed}.{'csv' if seed % 2 else 'json'}")
        self.files = " ".join(f"set/u{seed}.json" for seed in range(1, 6))

    def test_solutions_of_a_folder(self):
        found = self.json(f"compare {self.files} --solution mine=found -a heft,exact --json")
        for file in found["files"]:
            by = {r["algorithm"]: r for r in file["results"]}
            self.assertEqual(by["mine"]["makespan"], by["heft"]["makespan"])
            self.assertEqual(by["mine"]["ratio"], by["heft"]["ratio"])
        sums = {s["algorithm"]: s for s in found["summary"]}
        self.assertEqual(sums["mine"]["mean_gap_percent"], sums["heft"]["mean_gap_percent"])
        gaps = sorted(r["gap_percent"] for f in found["files"] for r in f["results"] if r["algorithm"] == "mine")
        self.assertEqual(sums["mine"]["median_gap_percent"], gaps[2])
        self.assertEqual(sums["mine"]["q90_gap_percent"], gaps[4])

    def test_solutions_of_files(self):
        by_file = self.json("compare set/u1.json set/u2.json --solution a=found/u1.csv --solution a=found/u2.json "
                            "-a heft --json")
        for file in by_file["files"]:
            self.assertEqual(file["results"][0]["makespan"], file["results"][1]["makespan"])
        self.duet("compare set/u1.json set/u2.json --solution a=found/u1.csv", code=2)
        one = self.json("compare set/u1.json --solution found/u1.csv -a heft --json")["files"][0]["results"]
        self.assertEqual([r["algorithm"] for r in one], ["heft", "u1"])
        self.duet("compare set/u1.json --solution =found/u1.csv", code=2)
        self.duet("compare set/u1.json -k 1..2 --solution a=found/u1.csv", code=2)
        # Without -a it is held against what solve finds.
        alone = self.json("compare set/u1.json --solution a=found/u1.csv --json")["files"][0]
        self.assertEqual([r["algorithm"] for r in alone["results"]], ["auto", "a"])

    def test_names_of_folders_and_files(self):
        own = self.json(f"compare {self.files} --solution found -a heft --json")
        self.assertEqual([r["algorithm"] for r in own["files"][0]["results"]], ["heft", "found"])
        # What is called like the instance, or has another ending, is found, too.
        name = json.loads(self.read("set/u1.json"))["name"]
        self.assertNotEqual(name, "u1")
        for other in (f"{name}.csv", "u1.sol.csv"):
            os.rename(self.path("found/u1.csv"), self.path("found/" + other))
            for command in (f"compare {self.files} --solution found/ -a heft --csv r.csv -q",
                            f"bench ratios {self.files} --solutions found --csv r.csv -q"):
                self.duet(*command.split())
                self.assertEqual(len([r for r in rows(self.read("r.csv"))
                                      if r["algorithm"] == "found" and r["makespan"]]), 5, (other, command))
                os.remove(self.path("r.csv"))
            os.rename(self.path("found/" + other), self.path("found/u1.csv"))
        self.duet(*f"bench ratios {self.files} --solutions mine=found --csv r.csv -q".split())
        self.assertEqual({r["algorithm"] for r in rows(self.read("r.csv"))}, {"mine"})
        done = self.run_duet(f"compare {self.files} --solution mine=nosuch")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "duet: --solution: there is no file or folder 'nosuch'\n"))
        self.assertIn("set: cannot read: it is a folder; expected a file, such as those of set/*",
                      self.run_duet("compare set").stderr)

    def test_rows_have_names_of_their_own(self):
        for words, name in (("--solution heft=found -a heft", "heft"), ("--solution auto=found", "auto")):
            done = self.run_duet(f"compare {self.files} {words}")
            self.assertEqual((done.returncode, done.stderr), (
                2, f"duet: --solution: '{name}' is the name of an algorithm that runs, too: expected another, "
                   "as in --solution mine=found\n"))
        self.assertIn("-a: 'heft' is given twice", self.run_duet("compare set/u1.json -a heft,heft").stderr)
        self.duet("compare set/u1.json --solution auto=found/u1.csv -a heft")

    def test_a_folder_without_any_of_them(self):
        os.mkdir(self.path("empty"))
        done = self.run_duet(f"compare {self.files} --solution empty -a heft -q")
        name = json.loads(self.read("set/u1.json"))["name"]
        self.assertEqual((done.returncode, done.stderr), (
            3, f"duet: set/u1.json: empty: no solution of this instance in empty: expected u1 or {name}, .json or .csv\n"))

    def test_ratios(self):
        files = self.files.split()
        self.duet("bench", "ratios", *files, "--solutions", "found/", "-a", "heft", "--csv", "r.csv", "-q")
        table = rows(self.read("r.csv"))
        for mine, theirs in zip([r for r in table if r["algorithm"] == "found"],
                                [r for r in table if r["algorithm"] == "heft"]):
            self.assertEqual((mine["instance"], mine["ratio"]), (theirs["instance"], theirs["ratio"]))
        self.assertEqual(len(table), 10)
        # Without -a they are judged alone; another schedule is another study.
        alone = self.duet("bench", "ratios", *files, "--solutions", "found")
        self.assertRegex(alone, r"found +5 ")
        self.assertNotIn("lpt", alone)
        lines = self.read("found/u3.csv").splitlines()
        self.write("found/u3.csv", "\n".join(lines[:-1]) + "\n")
        os.remove(self.path("found/u1.csv"))
        self.duet("bench", "ratios", *files, "--solutions", "found", "-a", "heft", "--csv", "r.csv", "--resume",
                  code=3)
        done = self.run_duet("bench", "ratios", *files, "--solutions", "found", "--csv", "s.csv")
        self.assertEqual(done.returncode, 1)
        # Rows stand in the order in which their jobs end.
        made = [r["status"] for r in sorted(rows(self.read("s.csv")), key=lambda row: int(row["job"]))]
        self.assertEqual((made[0], made[2], made[4]), ("failed", "fault", "feasible"))
        self.assertLessEqual({made[1], made[3]}, {"bounded", "optimal"})  # JSON has certificates
        self.duet("bench ratios --solutions found", code=2)
        self.duet("bench", "ratios", *files, "--solutions", "nowhere", code=2)

    def test_what_is_left_out_is_said(self):
        os.remove(self.path("found/u4.json"))
        lines = self.read("found/u5.csv").splitlines()
        self.write("found/u5.csv", "\n".join(lines[:-1]) + "\n")
        done = self.run_duet(f"compare {self.files} --solution mine=found -a heft --summary")
        self.assertEqual(done.returncode, 1)
        self.assertIn("set/u5.json: mine: no valid schedule", done.stderr)
        self.assertRegex(done.stdout, r"mine +3 ")
        self.assertIn("mine: no schedule of 2 of the 5 files", done.stdout)
        table = rows(self.duet(f"compare {self.files} --solution mine=found -a heft --format csv", code=1))
        self.assertEqual([r["status"] in ("bounded", "optimal") for r in table if r["algorithm"] == "mine"],
                         [True, True, True, False, False])
        self.assertEqual([r["status"] for r in table if r["algorithm"] == "mine"][3:], ["skipped", "fault"])

    def test_what_cannot_be_read_is_no_judgement(self):
        for path in ("nowhere.json", "broken.json"):
            self.write("broken.json", '{"schedule": [')
            done = self.run_duet(f"compare set/u1.json --solution mine={path} -a heft --json")
            self.assertEqual(done.returncode, 3)
            self.assertIn("mine: unreadable: " + path, done.stderr)
        # Another's schedule need not prove a bound nor say how long it took.
        self.write("bare.csv", "\n".join(line.rsplit(",", 1)[0] for line in
                                         self.read("found/u3.csv").splitlines()) + "\n")
        mine = rows(self.duet("compare set/u3.json --solution mine=bare.csv -a heft --format csv"))[1]
        self.assertEqual((mine["lower_bound"], mine["seconds"]), ("", ""))
        told = self.json("compare set/u3.json --solution mine=bare.csv -a heft --json")["files"][0]["results"][1]
        self.assertEqual((told["lower_bound"], told["seconds"]), (None, None))

    def test_sorted_and_short(self):
        text = self.duet(f"compare {self.files} -a heft,eft,exact,lpt")
        makespans = []
        for line in text.split("best bound")[1].splitlines()[2:6]:
            makespans.append(float(line.split()[1]))
        self.assertEqual(makespans, sorted(makespans))
        self.assertIn("time (ms)", text)
        for brief in ("-q", "--summary"):
            text = self.duet(f"compare {self.files} -a heft,eft {brief}")
            self.assertLess(len(text.splitlines()), 6)
            self.assertRegex(text, "mean gap +median +q90 +max gap")

    def test_skipped_algorithms_share_a_line(self):
        self.write("three.csv", THREE)
        text = self.duet("compare three.csv -m 1 -k 1,1 -t 1")
        skipped = [line for line in text.splitlines() if "skipped" in line]
        self.assertLess(len(skipped), 5)
        self.assertRegex(text, r"algorithms skipped \(needs a platform of two types.*\): .*dual-4-3, .*dualhp")

    def test_formats(self):
        latex = self.duet("compare set/u1.json -a heft,eft --format latex")
        self.assertEqual(latex.count(r"\begin{tabular}{lrrrrrl}"), 1)
        self.assertRegex(latex, r"heft & \d+ & [0-9.]+ \\% & ")
        for line in latex.splitlines():
            self.assertTrue(line.startswith(("%", "\\")) or line.endswith("\\\\"), line)
        markdown = self.duet(f"compare {self.files} -a heft,eft --format markdown --summary")
        table = [line for line in markdown.splitlines() if line.startswith("|")]
        self.assertEqual(len(table), 4)
        self.assertEqual({line.count("|") for line in table}, {9})
        made = rows(self.duet(f"compare {self.files} -a heft,eft --format csv"))
        self.assertEqual(len(made), 10)
        self.assertEqual(len(rows(self.duet(f"compare {self.files} -a heft,eft --format csv --summary"))), 2)

    def test_chart(self):
        self.duet(f"compare {self.files} -a heft,eft,exact --chart gaps.svg -q")
        texts = self.texts("gaps.svg")
        for word in ("heft", "eft", "exact", "gap (%)"):
            self.assertIn(word, texts)
        self.duet("compare set/u1.json -a heft --chart gaps.txt", code=2)
        self.duet(f"compare {self.files} -a all -t 0.05 --chart all.svg -q")
        texts = self.texts("all.svg")
        self.assertIn("exact", texts)  # a best one, whatever its place in the list
        self.assertTrue(any(text.startswith("Gap to the best bound, the best 12 of ") for text in texts), texts)

    def texts(self, name):
        root = xml.etree.ElementTree.parse(self.path(name)).getroot()
        return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]


class WhatIf(Contract):
    def test_bound(self):
        for pick in ("-m 1..3 -k 2", "--platform cpu=1..3,gpu=2"):
            found = self.json(f"bound small.json {pick} -b area --json")["platforms"]
            self.assertEqual([p["platform"] for p in found], [{"cpu": m, "gpu": 2} for m in (1, 2, 3)])
            for p in found:
                alone = self.json(f"bound small.json -m {p['platform']['cpu']} -k 2 -b area --json")
                self.assertEqual(p["lower_bound"], alone["bounds"][0]["value"])

    def test_solve(self):
        found = self.json("solve small.json -m 1..2 -k 0..3 -a exact --json")["platforms"]
        self.assertEqual(len(found), 8)
        best = {}
        for p in found:
            m, k = p["platform"]["cpu"], p["platform"]["gpu"]
            best[m, k] = p["makespan"]
            alone = self.json(f"solve small.json -m {m} -k {k} -a exact --json")
            self.assertEqual(p["makespan"], alone["makespan"])
            self.assertEqual(p["lower_bound"], p["makespan"])
        text = self.duet("solve small.json -m 1..2 -k 0..3 -a exact")
        self.assertIn("one more cpu", text)
        lines = [line for line in text.splitlines() if line.startswith("  1 cpu + ")]
        for k, line in enumerate(lines[:-1]):
            change = 100 * (best[1, k + 1] / best[1, k] - 1)
            self.assertTrue(line.endswith("0 %" if change == 0 else f"{change:+.2f} %"), line)

    def test_platforms_without_a_schedule_are_rows(self):
        self.write("only-gpu.csv", "id,cpu,gpu\na,,3\n")
        text = self.duet("solve only-gpu.csv -m 1 -k 0..1 -a heft")
        self.assertRegex(text, r"1 cpu \+ 0 gpu .*nowhere|1 cpu \+ 0 gpu .*run")
        self.assertRegex(text, r"1 cpu \+ 1 gpu +3 ")
        self.assertRegex(self.duet("bound only-gpu.csv -m 1 -k 0..1"), r"1 cpu \+ 1 gpu +3 ")

    def test_csv(self):
        found = self.json("solve small.json -k 0..2 -a exact --json")["platforms"]
        text = self.duet("solve small.json -k 0..2 -a exact --price cpu=1,gpu=2.5 --csv t.csv")
        rows = list(csv.DictReader(self.read("t.csv").splitlines()))
        self.assertEqual([(int(r["cpu"]), int(r["gpu"]), float(r["makespan"]), float(r["lower_bound"]), r["algorithm"], r["bound"])
                          for r in rows],
                         [(*p["platform"].values(), p["makespan"], p["lower_bound"], p["algorithm"], p["bound"]) for p in found])
        self.assertEqual(float(rows[2]["price"]), float(rows[2]["cpu"]) + 5)
        self.assertEqual(len(text.splitlines()), 5)
        text = self.duet("bound small.json -k 0..2 -b area --csv -")
        self.assertEqual(text.splitlines()[0], "instance,cpu,gpu,lower_bound,bound,reason")
        self.write("only-gpu.csv", "id,cpu,gpu\na,,3\n")
        self.assertRegex(self.duet("solve only-gpu.csv -m 1 -k 0..1 -a heft --csv -"),
                         r"(?s)\nonly-gpu,1,0,,,,,,.+\nonly-gpu,1,1,3,3,0.000000,heft,\w+,\n")
        for words in ("solve small.json --csv t.csv", "bound small.json --csv t.csv", "solve small.json -k 1..2 --csv small.json",
                      "solve small.json -k 1..2 --csv t.svg --chart t.svg",
                      "solve small.json -k 1..2 --json --csv -"):
            self.duet(words, code=2)

    def test_more_processors_are_never_worse(self):
        """A list rule has anomalies of Graham's: what it makes of fewer processors is taken then, and bounds of more."""
        taken = 0
        for seed in range(4):
            self.duet(f"generate daggen -n {60 if seed == 0 else 20} -m 4 -k 1 --seed {seed} -o g.json")
            alone = {m: self.json(f"solve g.json -m {m} -k 1 -a eft -o - -q")["makespan"] for m in range(1, 7)}
            for words in ("solve g.json -a eft", "bound g.json -b area", "compare g.json -a eft")[:2 + (seed == 1)]:
                options = "--json" if words[0] != "c" else "--chart c.svg"
                found = self.duet(f"{words} -m 1..6 -k 1 -q {options}")
                if words[0] == "c":
                    best = [float(line.split()[5]) for line in found.splitlines()[-6:]]
                else:
                    points = json.loads(found)["platforms"]
                    best = [p["lower_bound"] for p in points] if words[0] == "b" else [p["makespan"] for p in points]
                self.assertEqual(best, sorted(best, reverse=True))
                if words[0] != "b":
                    self.assertEqual(best, [min(alone[n] for n in range(1, m + 1)) for m in range(1, 7)])
                    taken += sum(alone[m] > best[m - 1] for m in alone)
        self.assertGreater(taken, 0)

    def test_compare(self):
        text = self.duet("compare small.json -k 1..3 -a heft,exact -q")
        self.assertEqual(len(text.splitlines()), 4)
        self.assertIn("one more gpu", text)
        found = self.json("compare small.json -k 1..3 -a exact --json")
        self.assertEqual([f["platform"][1]["count"] for f in found["files"]], [1, 2, 3])

    def test_charts_in_the_unit_of_tables(self):
        self.duet("generate chol -n 8 -m 4 -k 2 -O edges=true -o c.json")
        for words in ("solve c.json -a heft -k 1..2", "simulate c.json -a eft --runs 4"):
            self.duet(f"{words} --chart c.svg")
            self.assertRegex(self.read("c.svg"), r">(time|at most) \(ms\)<")

    def test_letters_are_not_crossed(self):
        """Letters come behind the lines of the critical path, on ground of their box where one would cross them."""
        self.duet("generate chol -n 8 -m 6 -k 2 -O edges=true -o c.json")
        self.duet("solve c.json -a heft --gantt g.svg -o s.json")
        text = self.read("g.svg")
        first = re.search(r'<g stroke="[^"]*" stroke-width="1.3">', text).end()
        lines = [(at.end(), *map(float, at.groups())) for at in
                 re.compile(r'<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/>').finditer(text, first, text.index("</g>", first))]
        crossed = 0
        for at in re.finditer(r'(<rect [^>]*/>\s*</g>\s*<g [^>]*>\s*)?<text x="([\d.]+)" y="([\d.]+)">(?:potrf#)?\d+</text>', text):
            x, y = float(at[2]), float(at[3])
            over = [line for line in lines if abs(line[1] - x) < 3 and line[1] == line[3] and sorted((line[2], line[4]))[0] < y - 4
                    < sorted((line[2], line[4]))[1]]
            crossed += len(over) > 0
            self.assertTrue(not over or at[1], at[0])
            self.assertTrue(all(line[0] < at.start() for line in over))
        self.assertGreater(crossed, 0)

    def test_charts(self):
        for command in ("bound small.json", "solve small.json -a exact", "compare small.json -a exact"):
            self.duet(command + " -k 1..4 --chart c.svg")
            root = xml.etree.ElementTree.parse(self.path("c.svg")).getroot()
            texts = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]
            self.assertIn("gpu", texts)
            self.assertIn("time (ms)", texts)
            self.assertIn("lower bound", texts)
            os.remove(self.path("c.svg"))
        if "cairo" in self.duet("--version"):
            for ending, first in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
                self.duet(f"bound small.json -k 1..4 --chart c.{ending}")
                with open(self.path(f"c.{ending}"), "rb") as file:
                    self.assertEqual(file.read(4), first)

    def test_one_platform_for_one_schedule(self):
        for option in ("-o s.json", "--gantt s.svg", "--trace t.json", "--summary"):
            self.duet(f"solve small.json -k 1..2 {option}", code=2)
        self.duet("solve small.json -a heft --chart c.svg", code=2)
        self.duet("bound small.json --chart c.svg", code=2)
        for command in ("bound", "compare", "simulate"):
            self.assertIn("PNG need cairo", " ".join(self.duet(f"{command} --help").split()))
        self.duet("solve small.json -k 2..1", code=2)


class Words(Contract):
    def test_the_command_that_draws(self):
        done = self.run_duet("gantt s.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("duet show FILE SCHEDULE --gantt", done.stderr)

    def test_help_without_noise(self):
        for command in ("solve", "bound", "show", "verify", "generate", "simulate", "compare", "report",
                        "list",
                        "measure", "bench ratios", "bench exact"):
            text = self.duet(*command.split(), "--help")
            self.assertNotIn("Mandatory or optional arguments", text)
            examples = text[text.index("Examples:"):].split("\n\n")[0].splitlines()[1:]
            for line in examples:
                self.assertTrue(line.startswith("  "), f"{command}: broken example: {line}")

    def test_a_column_that_is_no_type(self):
        self.write("n.csv", "id,cpu,gpu,colour\na,3,4,hello\n")
        self.assertIn('column "colour" is taken for a processor type',
                      self.run_duet("bound n.csv -m 1 -k 1").stderr)

    def test_names_of_tasks_in_another_column(self):
        for separator in (",", ";"):
            self.write("k.csv", "kernel,cpu,gpu\npotrf,3,4\ngemm,3,1\n".replace(",", separator))
            self.assertIn("--columns id=kernel,cpu,gpu", self.run_duet("bound k.csv -m 1 -k 1").stderr)
            made = self.json("solve k.csv -m 1 -k 1 -a heft --json --columns id=kernel,cpu,gpu")
            self.assertEqual({p["task"] for p in made["schedule"]}, {"potrf", "gemm"})
        # Not where the ids are known, and with names that would need quotes.
        self.write("n.csv", "kernel,id,cpu\nx,a,3\n")
        self.assertIn("--columns cpu passes over", self.run_duet("bound n.csv -m 1 -k 1").stderr)
        self.write("n.csv", 'kernel,"a,b",cpu\nx,4,3\n')
        self.assertIn("--columns NAME=COLUMN,... picks", self.run_duet("bound n.csv -m 1 -k 1,1").stderr)

    def test_a_header_between_blanks(self):
        self.write("n.txt", "id cpu gpu\na 3 4\n")
        self.assertIn("have no header", self.run_duet("bound n.txt -m 1 -k 1").stderr)

    def test_not_a_number(self):
        self.write("n.txt", "a 3 N/A\n")
        self.assertIn("or -1 where the task cannot run", self.run_duet("bound n.txt -m 1 -k 1").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
