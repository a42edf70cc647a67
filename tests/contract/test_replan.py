# SPDX-License-Identifier: Apache-2.0
"""Plans that are under way: random small instances of every kind against brute force, and every flag on every command.

An instance is planned, the plan is executed up to some instant, with tasks that end early or late, parts that stay and
processors that fail. `exact` finds the optimum of what is left, no row is worse than the plan that goes on, no bound is
above the optimum, and both checkers accept what comes of it about the instance that `convert` writes.
DUET_TEST_INSTANCES says how many, DUET_TEST_SEED which.
"""
import importlib.util
import itertools
import json
import os
import random
import re
import subprocess
import tempfile
import unittest

DUET = os.environ["DUET_COMMAND"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COUNT = int(os.environ.get("DUET_TEST_INSTANCES") or min(6, int(os.environ.get("DUET_TEST_AT_MOST", "6"))))
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
NONE = 10**9


def load_checker():
    spec = importlib.util.spec_from_file_location("duet_check", os.path.join(ROOT, "scripts", "duet_check.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()


def duet(*arguments, text=None):
    return subprocess.run([DUET, *map(str, arguments)], input=text if text is not None else "", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, text=True)


def second_checker(instance, solution):
    """What scripts/duet_check.py says: None where it accepts."""
    try:
        CHECKER.check_files(CHECKER.parse_arguments([instance, solution]))
        return None
    except (CHECKER.Refused, CHECKER.Usage, CHECKER.Unreadable, CHECKER.Limit) as error:
        return str(error)


def random_instance(draw, kind):
    types = draw.choice([1, 2, 2])
    platform = [{"type": f"t{t}", "count": draw.randint(1, 3 if types == 1 else 2)} for t in range(types)]
    tasks = []
    for j in range(draw.randint(2, 5)):
        times = []
        for entry in platform:
            if kind == "moldable":
                work = draw.randint(2, 9)
                times.append([max(1, -(-work // q)) + draw.randint(0, 1) for q in range(1, entry["count"] + 1)])
            else:
                times.append(draw.randint(1, 8))
        task = {"id": f"j{j}", "times": times}
        if draw.random() < 0.2:
            task["release"] = draw.randint(1, 5)
        tasks.append(task)
    instance = {"platform": platform, "tasks": tasks}
    if kind == "graph" or (kind == "moldable" and draw.random() < 0.5):
        edges = [[f"j{i}", f"j{j}"] + ([draw.randint(0, 4)] if kind == "graph" and draw.random() < 0.7 else [])
                 for i, j in itertools.combinations(range(len(tasks)), 2) if draw.random() < 0.4]
        if edges:
            instance["edges"] = edges
    return instance


def set_of(instance, entry):
    """The processors of an entry of a schedule, as pairs."""
    t = next(i for i, kind in enumerate(instance["platform"]) if kind["type"] == entry["type"])
    ranges = entry["processors"] if "processors" in entry else [[entry["processor"]] * 2]
    return tuple((t, p) for first, last in ranges for p in range(first, last + 1))


class Truth:
    """All schedules of what is left, by orders of starts: what has begun is where it is."""

    def __init__(self, instance, done, now, lost, busy=None, fixed=None):
        self.tasks, platform = instance["tasks"], instance["platform"]
        self.done, self.now, self.busy, self.fixed = done, now, busy or {}, fixed or {}
        processors = [(t, p) for t, kind in enumerate(platform) for p in range(kind["count"]) if (t, p) not in lost]
        self.before = {j: [] for j in range(len(self.tasks))}
        for edge in instance.get("edges", []):
            self.before[int(edge[1][1:])].append((int(edge[0][1:]), edge[2] if len(edge) > 2 else 0))
        self.ways = []
        for task in self.tasks:
            found = []
            for t, time in enumerate(task["times"]):
                for q, ticks in enumerate(time if isinstance(time, list) else [time], 1):
                    found += [(chosen, ticks) for chosen in itertools.combinations([p for p in processors if p[0] == t], q)]
            entry = self.fixed.get(len(self.ways), {})
            self.ways.append([(chosen, ticks) for chosen, ticks in found
                              if entry.get("type", f"t{chosen[0][0]}") == f"t{chosen[0][0]}" and
                              ("processor" not in entry and "processors" not in entry or set_of(instance, entry) == chosen)])
        self.best = NONE

    def optimum(self):
        free = dict(self.busy)
        for chosen, _, end in self.done.values():
            for p in chosen:
                free[p] = max(free.get(p, 0), end)
        placed = {j: (chosen, end) for j, (chosen, _, end) in self.done.items()}
        self.extend(placed, free, self.now, max([end for _, _, end in self.done.values()], default=0))
        return self.best

    def extend(self, placed, free, last, end):
        if end >= self.best:
            return
        if len(placed) == len(self.tasks):
            self.best = end
            return
        for j, task in enumerate(self.tasks):
            if j in placed or any(i not in placed for i, _ in self.before[j]):
                continue
            for chosen, ticks in self.ways[j]:
                start = max([last, task.get("release", 0)] + [free.get(p, 0) for p in chosen] +
                            [placed[i][1] + (0 if placed[i][0] == chosen else cost) for i, cost in self.before[j]])
                if start > self.fixed.get(j, {}).get("start", start):
                    continue
                start = self.fixed.get(j, {}).get("start", start)
                changed = dict(free)
                changed.update({p: start + ticks for p in chosen})
                self.extend({**placed, j: (chosen, start + ticks)}, changed, start, max(end, start + ticks))


class Replan(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = {name: os.path.join(self.folder.name, name)
                     for name in ("i.json", "p.json", "plan.csv", "f.json", "s.json", "o.json", "fix.csv", "fix.json")}

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, value):
        with open(self.path[name], "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))

    def read(self, name):
        with open(self.path[name], encoding="utf-8") as file:
            return json.load(file)

    def good(self, *arguments):
        done = duet(*arguments)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def test_given_is_not_annealed(self):
        """exact anneals a schedule that it is given: it does not work longer than without, as counted."""
        if "glpk" not in duet("--version").stdout.lower():
            self.skipTest("without GLPK other searches find the optimum")
        self.good("generate", "mixed", "-n", "100", "--seed", "5", "-m", "12", "-k", "5,3", "-o", self.path["i.json"])
        self.good("solve", self.path["i.json"], "-a", "eft", "-q", "-o", self.path["p.json"])
        work = []
        for flags in ([], ["--start-from", self.path["p.json"]]):
            solution = json.loads(self.good("solve", self.path["i.json"], "-a", "exact", "-O", "rounds=1", "-q", "--json", *flags))
            self.assertEqual(solution["status"], "optimal")
            work.append(solution["counters"]["work"])
        self.assertLess(work[1], 1.5 * work[0])

    def test_random(self):
        draw = random.Random(SEED)
        for number in range(COUNT):
            instance = random_instance(draw, ("independent", "graph", "moldable")[number % 3])
            with self.subTest(seed=SEED, number=number, instance=json.dumps(instance)):
                self.try_instance(draw, instance, number)

    def try_instance(self, draw, instance, number):
        self.write("i.json", instance)
        planner = "m-heft" if number % 3 == 2 else "heft"
        self.good("solve", self.path["i.json"], "-a", planner, "-o", self.path["p.json"], "-q")
        plan = self.read("p.json")
        now = draw.randint(0, int(plan["makespan"]))
        lost = set()
        if draw.random() < 0.3:
            t = draw.randrange(len(instance["platform"]))
            lost.add((t, draw.randrange(instance["platform"][t]["count"])))
        done = {}
        for entry in plan["schedule"]:
            j, chosen = int(entry["task"][1:]), set_of(instance, entry)
            runs = entry["start"] < now < entry["end"]
            if runs and draw.random() < 0.5:
                entry["end"] = draw.randint(now + 1, entry["end"] + 3)
            if entry["end"] <= now or (runs and not lost & set(chosen)):
                done[j] = (chosen, entry["start"], entry["end"])
        del plan["certificate"]
        self.write("p.json", plan)
        flags = ["--start-from", self.path["p.json"], "--now", now]
        for t, p in lost:
            flags += ["--without", f"t{t}={p}"]
        busy = {}
        for t, kind in enumerate(instance["platform"]):
            if draw.random() < 0.25:
                until = [draw.choice([0, draw.randint(0, 12)]) for _ in range(draw.randint(1, kind["count"]))]
                busy.update({(t, p): end for p, end in enumerate(until)})
                flags += ["--busy", f"t{t}=" + ",".join(map(str, until))]
        fixed = {}
        left = [j for j in range(len(instance["tasks"])) if j not in done]
        if left and draw.random() < 0.4:
            fixed = {j: self.random_entry(draw, instance, j, now) for j in draw.sample(left, min(len(left), draw.randint(1, 2)))}
            self.write("fix.json", list(fixed.values()))
            flags += ["--fix", self.path["fix.json"]]
        self.judge(flags, Truth(instance, done, now, lost, busy, fixed).optimum(), done, now)

    @staticmethod
    def random_entry(draw, instance, task, now):
        """A part of the plan that stays, whatever the plan says."""
        entry, what = {"task": f"j{task}"}, draw.choice(["type", "processor", "start", "start", "all"])
        t = draw.randrange(len(instance["platform"]))
        if what != "start":
            entry["type"] = f"t{t}"
        if what in ("processor", "all"):
            p = draw.randrange(instance["platform"][t]["count"])
            entry.update({"processors": [[0, p]]} if isinstance(instance["tasks"][0]["times"][0], list) else {"processor": p})
        if what in ("start", "all"):
            entry["start"] = now + draw.randint(0, 9)
        return entry

    def judge(self, flags, best, done, now):
        if best == NONE:
            refused = (3, 4) if "--fix" in flags else (4,)  # 3: what is fixed breaks a clause by itself
            self.assertIn(duet("solve", self.path["i.json"], *flags).returncode, refused)
            self.assertIn(duet("solve", self.path["i.json"], *flags, "-a", "exact").returncode, (2, *refused))  # 2: moldable edges
            return
        self.good("convert", self.path["i.json"], *flags, "-o", self.path["f.json"])
        for row in ("exact", "auto" if now % 2 else "heft", "m-heft" if now % 2 else "eft"):
            answer = duet("solve", self.path["i.json"], *flags, "-a", row, "-o", self.path["s.json"], "-q", "-t", 10)
            if answer.returncode == 2:
                continue
            self.assertEqual(answer.returncode, 0, (row, answer.stderr))
            solution = self.read("s.json")
            self.assertGreaterEqual(solution["makespan"], best, row)
            self.assertLessEqual(solution["lower_bound"], best, row)
            if row == "exact":
                self.assertEqual((solution["makespan"], solution["status"]), (best, "optimal"))
            entries = {int(entry["task"][1:]): entry for entry in solution["schedule"]}
            for j, (_, start, end) in done.items():
                self.assertEqual((entries[j]["start"], entries[j]["end"]), (start, end))
            self.good("verify", self.path["i.json"], self.path["s.json"], *flags)
            self.good("verify", self.path["f.json"], self.path["s.json"])
            self.assertIsNone(second_checker(self.path["f.json"], self.path["s.json"]), row)
            again = json.loads(self.good("solve", self.path["f.json"], "-a", row, "--json", "-t", 10))
            if row == "exact":
                self.assertEqual(again["makespan"], best)
        for bound in json.loads(self.good("bound", self.path["i.json"], *flags, "--json"))["bounds"]:
            self.assertLessEqual(bound["value"], best, bound["name"])

    def test_checkers_agree(self):
        """Schedules that are changed in one place: both checkers say the same of each."""
        draw = random.Random(SEED)
        verdicts = {True: 0, False: 0}
        for number in range(4 * COUNT):
            instance = random_instance(draw, ("independent", "graph", "moldable")[number % 3])
            self.write("i.json", instance)
            planner = "m-heft" if number % 3 == 2 else "heft"
            self.good("solve", self.path["i.json"], "-a", planner, "-o", self.path["p.json"], "-q")
            plan = self.read("p.json")
            now = draw.randint(0, int(plan["makespan"]))
            late = [entry["task"] for entry in plan["schedule"] if entry["start"] >= now]
            self.write("fix.json", [{"task": name, "start": now + draw.randint(0, 9)} for name in late[:1]])
            flags = ["--start-from", self.path["p.json"], "--now", now, "--fix", self.path["fix.json"]]
            if duet("solve", self.path["i.json"], *flags, "-o", self.path["s.json"], "-q", "-a", "exact").returncode != 0:
                continue
            self.good("convert", self.path["i.json"], *flags, "-o", self.path["f.json"])
            solution = {"schedule": self.read("s.json")["schedule"]}
            for entry in solution["schedule"]:
                del entry["end"]
            for _ in range(3):
                changed = json.loads(json.dumps(solution))
                entry = draw.choice(changed["schedule"])
                what = draw.choice(["start", "start", "processor", "type"])
                if what == "start":
                    entry["start"] = max(0, entry["start"] + draw.choice([-1, 1, 2]))
                elif what == "type":
                    entry["type"] = draw.choice(instance["platform"])["type"]
                elif "processor" in entry:
                    entry["processor"] = draw.randint(0, 1)
                else:
                    entry["processors"] = [[0, draw.randint(0, 1)]]
                self.write("o.json", changed)
                first = duet("verify", self.path["f.json"], self.path["o.json"])
                second = second_checker(self.path["f.json"], self.path["o.json"])
                self.assertIn(first.returncode, (0, 1), first.stderr)
                self.assertEqual(first.returncode == 0, second is None, (first.stderr, second, json.dumps(changed)))
                verdicts[second is None] += 1
        self.assertGreater(min(verdicts.values()), 0, verdicts)

    def small(self):
        self.write("i.json", {"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 2}],
                              "tasks": [{"id": name, "times": times} for name, times in
                                        (("a", [4, 2]), ("b", [6, 3]), ("c", [5, 1]), ("d", [8, 4]), ("e", [3, 3]))],
                              "edges": [["a", "c", 2], ["b", "d", 1]]})
        self.write("plan.csv", "task,type,processor,start,end\na,gpu,0,0,2\nb,gpu,1,0,3.5\nc,gpu,0,2,3\nd,gpu,1,3.5,7.5\n"
                               "e,cpu,0,0,3\n")

    def test_real_times(self):
        """b ends late, between ticks: the new plan is in finer ones, and what is there stays there."""
        self.small()
        flags = ["--start-from", self.path["plan.csv"], "--now", "3"]
        solution = json.loads(self.good("solve", self.path["i.json"], *flags, "--json"))
        entries = {entry["task"]: entry for entry in solution["schedule"]}
        self.assertEqual((entries["b"]["start"], entries["b"]["end"], entries["d"]["start"]), (0, 3.5, 3.5))
        self.assertEqual(solution["makespan"], 7.5)
        self.write("s.json", solution)
        for command in ("verify", "show"):
            self.good(command, self.path["i.json"], self.path["s.json"], *flags)
            self.assertNotEqual(duet(command, self.path["i.json"], self.path["s.json"]).returncode, 0)

    def test_fix(self):
        """What an entry leaves out is free."""
        self.small()
        for text, holds in (("task,type\nc,cpu\n", lambda e: e["c"]["type"] == "cpu"),
                            ("task,start\nc,5\n", lambda e: e["c"]["start"] == 5),
                            ("task,type,processor,start\nc,gpu,1,\n", lambda e: (e["c"]["type"], e["c"]["processor"]) == ("gpu", 1)),
                            ("task,type,processor,start\nc,cpu,1,6\n",
                             lambda e: (e["c"]["type"], e["c"]["processor"], e["c"]["start"]) == ("cpu", 1, 6)),
                            ("task,type,processor,start,end\na,gpu,1,0,5\n", lambda e: e["a"]["end"] == 5)):
            self.write("fix.csv", text)
            header, row = text.splitlines()[0].split(","), text.splitlines()[1].split(",")
            entry = {name: value if name in ("task", "type") else int(value) for name, value in zip(header, row) if value}
            self.write("fix.json", [entry])
            found = []
            for name in ("fix.csv", "fix.json"):
                flags = ["--fix", self.path[name]]
                self.good("solve", self.path["i.json"], *flags, "-o", self.path["s.json"], "-q", "-a", "exact")
                entries = {entry["task"]: entry for entry in self.read("s.json")["schedule"]}
                self.assertTrue(holds(entries), (text, entries))
                self.good("verify", self.path["i.json"], self.path["s.json"], *flags)
                self.good("convert", self.path["i.json"], *flags, "-o", self.path["f.json"])
                self.assertIsNone(second_checker(self.path["f.json"], self.path["s.json"]))
                found.append(self.read("s.json")["makespan"])
            self.assertEqual(*found)

    def test_fix_and_plan(self):
        """What is fixed is not what is planned: d was to begin on gpu at 3.5."""
        self.small()
        plan = ["--start-from", self.path["plan.csv"], "--now", "3"]
        for text, holds in (("task,type\nd,cpu\n", lambda d: d["type"] == "cpu"), ("task,start\nd,9\n", lambda d: d["start"] == 9),
                            ("task,type,start\nd,cpu,8\n", lambda d: (d["type"], d["start"]) == ("cpu", 8))):
            self.write("fix.csv", text)
            for row in ("exact", "heft"):
                solution = json.loads(self.good("solve", self.path["i.json"], *plan, "--fix", self.path["fix.csv"], "--json", "-a", row))
                self.assertTrue(holds({entry["task"]: entry for entry in solution["schedule"]}["d"]), (text, row))
        # On a processor that fails it is nowhere, as if it had not begun; else that contradicts the plan.
        self.write("fix.csv", "task,type,processor\nb,cpu,1\n")
        solution = json.loads(self.good("solve", self.path["i.json"], *plan, "--fix", self.path["fix.csv"], "--without", "gpu=1", "--json"))
        again = {entry["task"]: entry for entry in solution["schedule"]}["b"]
        self.assertEqual((again["type"], again["processor"], again["start"]), ("cpu", 1, 3))
        refused = duet("solve", self.path["i.json"], *plan, "--fix", self.path["fix.csv"])
        self.assertIn("expected its start: it has begun, on another processor than planned", refused.stderr)

    def test_data_of_what_ended(self):
        """Rules place what is left where its data are: at the end of a on another type they would come too late."""
        self.write("i.json", json.dumps({
            "platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}],
            "tasks": [{"id": "a", "times": [1, None]}, {"id": "b", "times": [4, 1]}, {"id": "c", "times": [3, 5]}],
            "edges": [["a", "b", 8], ["a", "c", 7]],
            "fixed": [{"task": "a", "type": "cpu", "processor": 0, "start": 0}]}))
        solution = json.loads(self.good("solve", self.path["i.json"], "-a", "eft", "--json"))
        self.assertEqual(solution["makespan"], 8)

    def test_without(self):
        self.small()
        for without in ("gpu=0,1", "gpu=0-1", "gpu=1,cpu=0"):
            solution = json.loads(self.good("solve", self.path["i.json"], "--without", without, "--json"))
            lost = {"gpu=0,1": {("gpu", 0), ("gpu", 1)}, "gpu=0-1": {("gpu", 0), ("gpu", 1)},
                    "gpu=1,cpu=0": {("gpu", 1), ("cpu", 0)}}[without]
            self.assertFalse(lost & {(entry["type"], entry["processor"]) for entry in solution["schedule"]})
        # What runs on a processor that fails starts anew.
        flags = ["--start-from", self.path["plan.csv"], "--now", "1", "--without", "gpu=0"]
        solution = json.loads(self.good("solve", self.path["i.json"], *flags, "--json"))
        entries = {entry["task"]: entry for entry in solution["schedule"]}
        self.assertGreaterEqual(entries["a"]["start"], 1)
        self.assertEqual((entries["b"]["start"], entries["b"]["end"]), (0, 3.5))

    def test_every_command(self):
        self.small()
        flags = ["--start-from", self.path["plan.csv"], "--now", "3", "--without", "cpu=1", "--busy", "cpu=0,4"]
        self.good("solve", self.path["i.json"], *flags, "-o", self.path["s.json"], "-q")
        self.good("verify", self.path["i.json"], self.path["s.json"], *flags)
        self.good("show", self.path["i.json"], self.path["s.json"], *flags, "--summary")
        self.good("bound", self.path["i.json"], *flags)
        self.good("compare", self.path["i.json"], *flags, "-a", "heft,eft")
        self.good("convert", self.path["i.json"], *flags, "-o", self.path["f.json"])
        self.assertEqual(self.read("f.json")["platform"][0]["without"], [1])
        self.assertEqual(self.read("f.json")["platform"][0]["busy"], [0, 4])
        self.good("verify", self.path["f.json"], self.path["s.json"])
        self.good("simulate", self.path["i.json"], "-a", "heft", "--busy", "cpu=2", "--runs", 2, "--start", "2026-11-27T09:00",
                  "--unit", "h")
        sized = self.good("size", self.path["i.json"], "--deadline", 30, "--platform", "cpu=1..2,gpu=0..2", "--busy", "cpu=2",
                          "--start", "2026-11-27T09:00", "--unit", "h")
        self.assertIn("2026-11-28T15:00", sized)
        for command, extra in (("simulate", ["-a", "heft"]), ("size", ["--deadline", 30])):
            refused = duet(command, self.path["f.json"], *extra)
            self.assertIn("fixed tasks", refused.stderr, command)

    def fixed(self, entries):
        """What solve says of these entries, (task, type, processor, start)."""
        self.path["fixed.csv"] = os.path.join(self.folder.name, "fixed.csv")
        with open(self.path["fixed.csv"], "w", encoding="utf-8") as file:
            file.write("task,type,processor,start\n" + "".join(",".join(map(str, entry)) + "\n" for entry in entries))
        return duet("solve", self.path["i.json"], "--fix", self.path["fixed.csv"], "-a", "exact", "-q")

    def test_what_contradicts_itself(self):
        """Fixed tasks that no schedule keeps are named; none of those named can be left out, and the others do not matter."""
        draw = random.Random(SEED)
        met = 0
        for _ in range(30):
            names = "abcde"
            tasks = [{"id": name, "times": [draw.randint(1, 5)], "after": [other for other in names[:i] if draw.random() < 0.4]}
                     for i, name in enumerate(names)]
            self.write("i.json", json.dumps({"platform": [{"type": "cpu", "count": 2}], "tasks": tasks}))
            entries = [(name, "cpu" if draw.random() < 0.5 else "", "", draw.randint(0, 9)) for name in names if draw.random() < 0.7]
            said = self.fixed(entries) if entries else None
            if said is None or said.returncode != 4:
                continue
            met += 1
            named = re.findall(r"'(\w)' \(start \d+(?: on cpu)?\)", said.stderr)
            self.assertTrue(named, said.stderr)
            self.assertEqual("together" in said.stderr, len(named) > 1, said.stderr)
            these = [entry for entry in entries if entry[0] in named]
            self.assertEqual(self.fixed(these).returncode, 4, (tasks, these))
            for left in these:
                rest = [entry for entry in these if entry != left]
                self.assertNotEqual(self.fixed(rest).returncode if rest else 0, 4, (tasks, these, left))
        self.assertGreater(met, 3)

    def test_few_of_many_that_contradict(self):
        """Four tasks in a row contradict each other, among others that may go anywhere and as many starts behind."""
        tasks = [{"id": f"t{i}", "times": [5, 4]} for i in range(12)]
        self.write("i.json", json.dumps({"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}], "tasks": tasks}))
        said = self.fixed([(f"t{i}", "", "", i) for i in range(4, 12)])
        self.assertEqual(said.returncode, 4, said.stderr)
        self.assertIn("of 't4' (start 4), 't5' (start 5), 't6' (start 6), 't7' (start 7) together", said.stderr)
        parts = [{"type": name, "processors": [[0, 0]]} for name in "ab"]
        fixed = [{"task": "x", "parts": parts, "start": 1}, {"task": "y", "start": 2}]
        mixed = {"platform": [{"type": name, "count": 1} for name in "ab"], "mixed_sets": True, "edges": [["x", "y"]],
                 "tasks": [{"id": name, "work": 4, "alpha": 0} for name in "xy"], "fixed": fixed}
        self.write("i.json", json.dumps(mixed))
        said = duet("solve", self.path["i.json"], "-a", "auto", "-q")
        self.assertIn("of 'x' (start 1 on several types), 'y' (start 2) together", said.stderr)

    def test_size_that_stays_open(self):
        """eft never finds the deadline on two CPUs, and the bounds do not exclude it: exit code 5, and which platforms are open."""
        path = self.path["s.csv"] = os.path.join(self.folder.name, "s.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("id,cpu,gpu\n" + "".join(f"{name},{time},9\n" for name, time in zip("abcde", (3, 3, 2, 2, 2))))
        flags = ["size", path, "--deadline", 6, "--platform", "cpu=1..4,gpu=0..1", "-a", "eft"]
        said = duet(*flags)
        self.assertEqual(said.returncode, 5, said.stderr)
        self.assertIn("smallest     3 cpu + 0 gpu\nnot decided  2 cpu + 0 gpu\nnot decided  2 cpu + 1 gpu\n", said.stdout)
        self.assertIn("each of these platforms could change the answer: '-a exact', or no -a at all, may decide them", said.stdout)
        found = json.loads(duet(*flags, "--json").stdout)
        self.assertEqual((found["smallest"], found["undecided"], found["decided"]),
                         ([{"cpu": 3, "gpu": 0}], [{"cpu": 2, "gpu": 0}, {"cpu": 2, "gpu": 1}], False))
        # Of a price it matters whether it is above the cheapest that is known.
        said = duet(*flags, "--price", "cpu=1,gpu=2")
        self.assertEqual(said.returncode, 5)
        self.assertIn("not decided  2 cpu + 0 gpu\nopen         this platform could change the answer", said.stdout)
        self.assertEqual(json.loads(duet(*flags, "--price", "cpu=0,gpu=2", "--json").stdout)["undecided"], [{"cpu": 2, "gpu": 0}])
        # None of the range makes it so far.
        said = duet("size", path, "--deadline", 6, "--platform", "cpu=1..2,gpu=0", "-a", "eft")
        self.assertEqual(said.returncode, 5)
        self.assertNotIn("smallest", said.stdout)
        # What searches decides.
        self.assertIn("smallest     2 cpu + 0 gpu\nproven", self.good(*flags[:-1], "exact"))
        self.assertTrue(json.loads(self.good(*flags[:-2], "--json"))["decided"])

    def test_bad_input(self):
        self.small()
        plan = ["--start-from", self.path["plan.csv"]]
        self.write("fix.csv", "task,type,processor,start\nc,gpu,0,0\n")
        bad = [(["--now", "3"], 2), (plan + ["--now", "x"], 2), (plan + ["--now=-1"], 2), (["--without", "gpu"], 2),
               (["--without", "npu=1"], 2), (["--without", "gpu=2"], 2), (["--without", "gpu=1,"], 2), (["--busy", "gpu=1,2,3"], 3),
               (["--fix", self.path["fix.csv"]], 4), (["--fix", "nowhere.csv"], 3),
               (["--without", "gpu=0,1,cpu=0,1"], 4)]
        for flags, code in bad:
            answer = duet("solve", self.path["i.json"], *flags)
            self.assertEqual(answer.returncode, code, (flags, answer.stderr))
            self.assertNotEqual(answer.stderr, "")
        self.assertIn("no processor type 'GPU': expected one of cpu, gpu\n",
                      duet("solve", self.path["i.json"], "--without", "GPU=1").stderr)
        for text in ("task,type\nx,cpu\n", "task,type\nc,npu\n", "task,processor\nc,0\n", "task,type,processor\nc,gpu,7\n",
                     "task,end\nc,9\n", "task,type,processor,start,end\nc,gpu,0,3,2\n", "task,type\nc,cpu\nc,gpu\n",
                     "task,start\nc,x\n", "id,cpu,gpu\nc,3,4\n", '[{"task": "c"}]', "type,start\ncpu,3\n", "task,type,processor,start\nc,gpu,0,3\nd,gpu,0,3\n", "[{}]",
                     '[{"task": "c", "start": "x"}]', '{"schedule": 3}', "["):
            self.write("fix.csv", text)
            answer = duet("solve", self.path["i.json"], "--fix", self.path["fix.csv"])
            self.assertEqual(answer.returncode, 3, (text, answer.stderr))
        for command, files in (("verify", ["plan.csv"]), ("show", ["plan.csv"]), ("bound", []), ("convert", [])):
            answer = duet(command, self.path["i.json"], *(self.path[name] for name in files), *plan)
            self.assertEqual(answer.returncode, 2, (command, answer.stderr))
        for twice in (["-", "--fix", "-"], ["-", "--start-from", "-"], [self.path["i.json"], "--start-from", "-", "--now", "1", "--fix", "-"]):
            self.assertIn("standard input is read once", duet("solve", *twice, text='{"tasks": [{"id": "a", "times": {"cpu": 3}}]}').stderr, twice)
        self.assertIn("--now -1: expected a number of at least 0", duet("solve", self.path["i.json"], *plan, "--now", "-1").stderr)
        # A plan that contradicts itself: c has begun, and a, before it, has not.
        self.write("plan.csv", "task,type,processor,start\na,gpu,0,9\nb,gpu,1,0\nc,gpu,0,2\nd,gpu,1,5\ne,cpu,0,0\n")
        answer = duet("solve", self.path["i.json"], *plan, "--now", "3")
        self.assertEqual(answer.returncode, 3, answer.stderr)
        self.assertIn("'c' has begun", answer.stderr)

    def test_bad_instances(self):
        """What is fixed in the instance's file."""
        base = {"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
                "tasks": [{"id": "a", "times": [3, 2]}, {"id": "b", "times": [4, 1]}, {"id": "c", "count": 3, "times": [2, 2]},
                          {"id": "d", "times": [None, 3]}],
                "edges": [["a", "b"]]}
        for fixed in ([{"task": "x"}], [{"type": "cpu"}], [{"task": "a", "type": "npu"}], {"task": "a"}, [3],
                      [{"task": "a", "type": "cpu", "processor": 2}], [{"task": "a", "processor": 0}],
                      [{"task": "a", "start": -1}], [{"task": "a", "start": "1"}], [{"task": "a", "end": 4}],
                      [{"task": "a", "type": "cpu", "processor": 0, "start": 4, "end": 3}],
                      [{"task": "a", "type": "cpu", "processor": 0, "start": 0}, {"task": "c#1", "type": "cpu", "processor": 0, "start": 2}],
                      [{"task": "a", "type": "cpu", "processors": [[0, 1]], "start": 0}],
                      [{"task": "a", "type": "cpu", "processor": 0, "start": 0}, {"task": "b", "type": "gpu", "processor": 0, "start": 1}],
                      [{"task": "b", "type": "gpu", "processor": 0, "start": 1, "end": 3}],
                      [{"task": "d", "type": "cpu", "processor": 0, "start": 4}],
                      [{"task": "a", "start": 1.12345678901234}], [{"task": "a", "type": "cpu"}, {"task": "a", "start": 2}]):
            self.write("i.json", {**base, "fixed": fixed})
            answer = duet("solve", self.path["i.json"])
            self.assertEqual(answer.returncode, 3, (fixed, answer.stderr))
            self.assertIn("i.json", answer.stderr)
        for without in ([2], [-1], ["0"], 0):
            self.write("i.json", {**base, "platform": [{"type": "cpu", "count": 2, "without": without}, base["platform"][1]]})
            self.assertEqual(duet("solve", self.path["i.json"]).returncode, 3, without)
        self.write("i.json", {**base, "fixed": [{"task": "c#1", "type": "gpu", "processor": 0, "start": 0.5}]})
        self.good("solve", self.path["i.json"], "-o", self.path["s.json"], "-q")
        self.good("verify", self.path["i.json"], self.path["s.json"])
        self.assertIsNone(second_checker(self.path["i.json"], self.path["s.json"]))
        self.assertEqual(duet("solve", self.path["i.json"], "-m", 3, "-k", 1).returncode, 2)
        for name in ("csv", "dot"):
            self.assertEqual(duet("convert", self.path["i.json"], "--format", name).returncode, 2)

    def test_all_are_given(self):
        """Nothing is left to prove, which is said."""
        self.write("i.json", {"platform": [{"type": "cpu", "count": 2}], "tasks": [{"id": "a", "times": [3]}],
                              "fixed": [{"task": "a", "type": "cpu", "processor": 1, "start": 4}]})
        answer = duet("solve", self.path["i.json"], "-a", "exact", "-O", f"proof={self.path['f.json']}", "-o", self.path["s.json"], "-q")
        self.assertEqual(answer.returncode, 5, answer.stderr)
        self.assertIn("no proof was written", answer.stderr)
        self.good("verify", self.path["i.json"], self.path["s.json"], "--strict")

    def test_long_times(self):
        """Sums of what is given beyond 2^62 ticks are refused before they are made."""
        self.write("i.json", {"platform": [{"type": "cpu", "count": 1}], "tasks": [{"id": "a", "times": [2**62]}],
                              "fixed": [{"task": "a", "type": "cpu", "processor": 0, "start": 2**62}]})
        answer = duet("solve", self.path["i.json"])
        self.assertEqual((answer.returncode, "times are too long" in answer.stderr), (5, True), answer.stderr)

    def test_auto_to_the_end(self):
        """By its name and without a limit of time it tries all schedules, as exact does."""
        self.write("i.json", {"platform": [{"type": "cpu", "count": 2}],
                              "tasks": [{"id": f"j{j}", "times": [j]} for j in (1, 8, 9)],
                              "fixed": [{"task": "j8", "type": "cpu", "processor": 1}, {"task": "j9", "type": "cpu", "processor": 1}]})
        for row, status in (("auto", "optimal"), ("graph-search", "bounded")):
            self.good("solve", self.path["i.json"], "-a", row, "-o", self.path["s.json"], "-q")
            solution = self.read("s.json")
            self.assertEqual((solution["status"], solution["makespan"]), (status, 17))
            self.assertNotIn("interrupted", solution)
        answer = duet("solve", self.path["i.json"], "-a", "exact", "-O", f"proof={self.path['f.json']}", "-o", self.path["s.json"])
        self.assertIn("no schedule is shorter, but proofs are about what is left", answer.stderr)
        self.good("verify", self.path["i.json"], self.path["s.json"], "--proof", self.path["f.json"])

    def test_auto_ends(self):
        """Where all schedules are too many to try, auto ends without a limit of time all the same."""
        tasks = [{"id": f"t{i}", "times": [500 + 1237 * i % 9001, 500 + 3571 * i % 8999]} for i in range(40)]
        edges = [[f"t{i}", f"t{j}"] for i in range(40) for j in range(i + 1, 40) if (7 * i + 11 * j) % 19 == 0]
        self.write("i.json", {"platform": [{"type": "cpu", "count": 5}, {"type": "gpu", "count": 2}], "tasks": tasks, "edges": edges,
                              "fixed": [{"task": "t5", "type": "gpu", "processor": 0}, {"task": "t9", "type": "cpu", "processor": 1}]})
        self.good("solve", self.path["i.json"], "-a", "auto", "-o", self.path["s.json"], "-q")
        self.good("verify", self.path["i.json"], self.path["s.json"])

    def test_pictures(self):
        """A processor that is lost, and the instant from which the plan goes on."""
        self.small()
        picture = os.path.join(self.folder.name, "p.svg")
        self.good("solve", self.path["i.json"], "--start-from", self.path["plan.csv"], "--now", "3", "--without", "gpu=1", "--gantt",
                  picture, "-q")
        with open(picture, encoding="utf-8") as file:
            text = file.read()
        for word in (">now 3<", ">aborted, lost<", "<title>gpu 1: lost", "<title>b: gpu 1, 0 to 3, aborted"):
            self.assertIn(word, text)
        self.assertNotIn("gpu 0: lost", text)
        self.write("fix.csv", "task,type,processor,start\n" + "".join(f"{task},cpu,0,{6 * i}\n" for i, task in enumerate("abdce")))
        answer = duet("solve", self.path["i.json"], "--without", "cpu=0", "--gantt", picture, "--gantt-beside", self.path["fix.csv"])
        self.assertEqual(answer.returncode, 3)
        self.assertRegex(answer.stderr, "--gantt-beside: .*; with --now, --fix and --without a schedule beside keeps what they say")

    def test_the_old_plan_beside(self):
        """The file of --start-from beside the new plan is the old one, continued; what ran on a lost processor is there, aborted."""
        picture = os.path.join(self.folder.name, "p.svg")
        self.small()
        for command in ("solve", "show"):
            with self.subTest(command=command):
                given = ["--start-from", self.path["plan.csv"], "--now", "3", "--without", "gpu=1"]
                files = [self.path["i.json"]]
                if command == "show":
                    self.good("solve", *files, *given, "-o", self.path["s.json"], "-q")
                    files.append(self.path["s.json"])
                self.good(command, *files, *given, "--gantt", picture, "--gantt-beside", self.path["plan.csv"])
                with open(picture, encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(text.count("algorithm start-from \xa0"), 1)
                self.assertEqual(text.count(">now 3<"), 2)
                self.assertEqual(text.count('width="291.9" height="28"><title>b: gpu 1, 0 to 3, aborted'), 2)
        # A moldable task is one box, what was given up and what is planned.
        self.write("i.json", {"platform": [{"type": "cpu", "count": 4}], "tasks": [{"id": "a", "work": 30}, {"id": "b", "work": 20}]})
        self.write("s.json", [{"task": "a", "type": "cpu", "processors": [[0, 2]], "start": 1}, {"task": "b", "type": "cpu", "processors": [[3, 3]], "start": 0}])
        self.good("solve", self.path["i.json"], "--start-from", self.path["s.json"], "--now", "7", "--without", "cpu=0", "--gantt", picture)
        with open(picture, encoding="utf-8") as file:
            titles = re.findall("<title>(a: [^<]*)", file.read())
        self.assertEqual(titles.count("a: cpu 0-2, 1 to 7, aborted"), 2)
        self.assertEqual(len(titles), 3, titles)

    def test_names_beside_the_line(self):
        """Where the line at --now runs through the middle of a box, its name stands beside it."""
        with tempfile.TemporaryDirectory() as folder:
            def path(name, text=None):
                if text is not None:
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(text)
                return os.path.join(folder, name)
            tasks = path("tasks.csv", "id,cpu,gpu\na,6,9\nb,9,4\n")
            plan = path("plan.csv", "task,type,processor,start\na,cpu,0,0\nb,gpu,0,0\n")
            answer = duet("solve", tasks, "-m", 1, "-k", 1, "--start-from", plan, "--now", 3, "--gantt", path("p.svg"))
            self.assertEqual(answer.returncode, 0, answer.stderr)
            with open(path("p.svg"), encoding="utf-8") as file:
                svg = file.read()
            name, tick = (float(re.search(rf'<text x="([0-9.]+)" y="[0-9.]+">{text}</text>', svg).group(1)) for text in ("a", "3"))
            self.assertGreater(abs(name - tick), 8)

    def test_nothing_is_read_from_the_solution(self):
        self.small()
        flags = ["--start-from", self.path["plan.csv"], "--now", "3"]
        self.good("solve", self.path["i.json"], *flags, "-o", self.path["s.json"], "-q")
        solution = self.read("s.json")
        solution["fixed"] = [{"task": "a", "type": "cpu", "processor": 0, "start": 0, "end": 1}]
        self.write("s.json", solution)
        self.good("verify", self.path["i.json"], self.path["s.json"], *flags)

    def test_simulate(self):
        self.write("i.json", {"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
                              "tasks": [{"id": f"t{j}", "times": [5 + j % 7, 2 + j % 5]} for j in range(24)],
                              "edges": [[f"t{j}", f"t{j + 4}", 1] for j in range(20)]})
        base = ["simulate", self.path["i.json"], "-a", "heft", "--runs", 20, "--json"]
        kept = json.loads(self.good(*base, "--noise", "lognormal:0.4"))
        for how in (["heft"], ["every=5"], ["heft", "every=5"]):
            flags = [word for one in how for word in ("--replan", one)]
            plain = json.loads(self.good(*base, *flags))
            self.assertLessEqual(plain["makespan"]["max"], plain["planned"])  # a new plan is never worse
            noisy = json.loads(self.good(*base, *flags, "--noise", "lognormal:0.4"))
            self.assertEqual(noisy["replan"]["kept_mean"], kept["makespan"]["mean"])
            self.assertGreater(noisy["replan"]["plans_mean"], 1)
        self.good("solve", self.path["i.json"], "-a", "heft", "-o", self.path["i.json"] + ".plan")
        of_file = [*base[:2], "--solution", self.path["i.json"] + ".plan", *base[4:], "--noise", "lognormal:0.4", "--replan", "every=5"]
        self.assertEqual(json.loads(self.good(*of_file))["replan"]["algorithm"], "heft")  # where none is named
        for flags, code in ((["--replan", "exact"], 2), (["--replan", "every=0"], 2), (["--replan", "every=x"], 2),
                            (["--replan", "heft", "--fail", "gpu:0@3"], 2), (["--replan", "heft", "--keep", "allocation"], 2)):
            self.assertEqual(duet(*base, *flags).returncode, code, flags)
        self.assertEqual(duet("simulate", self.path["i.json"], "-a", "eft", "--replan", "heft").returncode, 2)


if __name__ == "__main__":
    unittest.main()
