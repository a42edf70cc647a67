# SPDX-License-Identifier: Apache-2.0
"""Releases and busy processors: random small instances of every kind against the optimum by brute force.

Each is independent, a graph or moldable, with releases, busy processors or both. Every algorithm that handles it
makes a schedule that both checkers accept, and that is no shorter than the optimum; exact makes the optimum; no bound is
above it; both checkers accept what proves the bounds. The proofs that exact writes are accepted; of proofs that were
changed both checkers say the same, and none that they accept claims more than the optimum. DUET_TEST_INSTANCES says how
many, DUET_TEST_SEED which, DUET_TEST_ROWS=few leaves out all rows but exact, and one in turn.
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
COUNT = int(os.environ.get("DUET_TEST_INSTANCES") or min(18, int(os.environ.get("DUET_TEST_AT_MOST", "18"))))
FEW = os.environ.get("DUET_TEST_ROWS") == "few"
CHANGES = 3  # of each proof
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))


def load_checker():
    spec = importlib.util.spec_from_file_location("duet_check", os.path.join(ROOT, "scripts", "duet_check.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()


def duet(*arguments):
    return subprocess.run([DUET, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True)


def random_instance(draw, kind, releases, busy):
    types = draw.choice([1, 2, 2, 3])
    platform = [{"type": f"t{t}", "count": draw.randint(1, 3 if types == 1 else 2)} for t in range(types)]
    if busy:
        for entry in platform:
            if draw.random() < 0.7:
                entry["busy"] = [draw.randint(0, 6) for _ in range(draw.randint(1, entry["count"]))]
    tasks = []
    step = draw.choice([1, 1, 1, 2, 3])  # times with a common divisor, which releases have not
    for j in range(draw.randint(1, 4)):
        times = []
        for entry in platform:
            if kind == "moldable":
                work = draw.randint(2, 9)
                times.append([max(1, -(-work // q)) + draw.randint(0, 1) for q in range(1, entry["count"] + 1)])
            else:
                least = 0 if draw.random() < 0.1 else 1
                times.append(None if types > 1 and draw.random() < 0.15 else step * draw.randint(least, 7))
        if all(time is None for time in times):
            times[0] = step * draw.randint(1, 7)
        task = {"id": f"j{j}", "times": times}
        if releases and draw.random() < 0.7:
            task["release"] = draw.randint(0, 8)
        tasks.append(task)
    instance = {"platform": platform, "tasks": tasks}
    if kind == "graph" or (kind == "moldable" and draw.random() < 0.5):
        edges = []
        for i, j in itertools.combinations(range(len(tasks)), 2):
            if draw.random() < 0.4:
                cost = [draw.randint(0, 3)] if kind == "graph" and draw.random() < 0.6 else []
                edges.append([f"j{i}", f"j{j}"] + cost)
        if edges:
            instance["edges"] = edges
    if draw.random() < 0.3:
        give(draw, instance)
    return instance


def give(draw, instance):
    """Types of tasks that are fixed, and processors that are left out: one of each type stays."""
    for entry in instance["platform"]:
        if entry["count"] > 1 and draw.random() < 0.4:
            entry["without"] = [draw.randrange(entry["count"])]
    task = draw.choice(instance["tasks"])
    types = [t for t, time in enumerate(task["times"]) if time is not None]
    if draw.random() < 0.7:
        instance["fixed"] = [{"task": task["id"], "type": f"t{draw.choice(types)}"}]


def optimum(instance):
    """The least makespan, over all orders of starts, types and sets of processors."""
    tasks, platform = instance["tasks"], instance["platform"]
    processors = [(t, p) for t, entry in enumerate(platform) for p in range(entry["count"]) if p not in entry.get("without", [])]
    fixed = {entry["task"]: entry["type"] for entry in instance.get("fixed", [])}
    until = {(t, p): (platform[t].get("busy", []) + [0] * platform[t]["count"])[p] for t, p in processors}
    before = {j: [] for j in range(len(tasks))}
    for edge in instance.get("edges", []):
        before[int(edge[1][1:])].append((int(edge[0][1:]), edge[2] if len(edge) > 2 else 0))
    ways = []
    for task in tasks:
        found = []
        for t, time in enumerate(task["times"]):
            mine = [p for p in processors if p[0] == t and fixed.get(task["id"], f"t{t}") == f"t{t}"]
            table = time if isinstance(time, list) else [] if time is None else [time]
            for q, ticks in enumerate(table, 1):
                found += [(chosen, ticks) for chosen in itertools.combinations(mine, q)]
        ways.append(found)
    best = [2**80]

    def extend(placed, free, last, end):
        if end >= best[0]:
            return
        if len(placed) == len(tasks):
            best[0] = end
            return
        for j in range(len(tasks)):
            if j in placed or any(i not in placed for i, _ in before[j]):
                continue
            for chosen, ticks in ways[j]:
                start = max([last, tasks[j].get("release", 0)] + [free[p] for p in chosen] +
                            [placed[i][1] + (0 if placed[i][0] == chosen else cost) for i, cost in before[j]])
                changed = dict(free)
                changed.update({p: start + ticks for p in chosen})
                extend({**placed, j: (chosen, start + ticks)}, changed, start, max(end, start + ticks))

    extend({}, until, 0, 0)
    return best[0]


def second_checker(instance, solution, proof=None):
    """What scripts/duet_check.py says: None where it accepts."""
    words = [instance, solution, "--strict"] + (["--proof", proof] if proof else [])
    try:
        CHECKER.check_files(CHECKER.parse_arguments(words))
        return None
    except (CHECKER.Refused, CHECKER.Usage, CHECKER.Unreadable, CHECKER.Limit) as error:
        return str(error)


class Releases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "instance.json")
        self.out = os.path.join(self.folder.name, "solution.json")

    def tearDown(self):
        self.folder.cleanup()

    def judge(self, instance, name, best):
        """A row's schedule: valid by both checkers, and no shorter than the optimum. Its makespan; None: refused."""
        done = duet("solve", self.path, "-a", name, "-o", self.out, "-q", "-t", "5")
        if done.returncode == 2:  # not for such an instance
            return None
        self.assertEqual(done.returncode, 0, (name, done.stderr, json.dumps(instance)))
        checked = duet("verify", self.path, self.out, "--strict")
        second = second_checker(self.path, self.out)
        if "certified" not in checked.stderr + (second or ""):  # some rows prove what only a deep check accepts
            self.assertEqual((checked.returncode, second), (0, None), (name, checked.stderr, json.dumps(instance)))
        with open(self.out, encoding="utf-8") as file:
            solution = json.load(file)
        self.assertGreaterEqual(solution["makespan"], best, (name, json.dumps(instance)))
        self.assertLessEqual(solution["lower_bound"], best, (name, json.dumps(instance)))
        if solution["status"] == "optimal":
            self.assertEqual(solution["makespan"], best, (name, json.dumps(instance)))
        return solution

    def test_random(self):
        names = [entry["name"] for entry in json.loads(duet("list", "algorithms", "--json").stdout)]
        draw = random.Random(SEED)
        for number in range(COUNT):
            kind = ("independent", "graph", "moldable")[number % 3]
            releases, busy = ((True, True), (True, False), (False, True))[number // 3 % 3]
            instance = random_instance(draw, kind, releases, busy)
            with self.subTest(seed=SEED, number=number, instance=json.dumps(instance)):
                self.try_instance(instance, names, number)

    def try_instance(self, instance, names, number):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(instance, file)
        best = optimum(instance)
        bounds = json.loads(duet("bound", self.path, "--json").stdout)["bounds"]
        for bound in bounds:
            self.assertLessEqual(bound["value"], best, bound["name"])
        # Exact and auto always, of the others a few each time.
        for name in ["exact", names[number % len(names)]] if FEW else ["exact", "auto"] + names[number % 4::4]:
            solution = self.judge(instance, name, best)
            if solution and name in ("exact", "auto"):
                self.assertEqual((solution["makespan"], solution["lower_bound"]), (best, best), name)
        if not any(isinstance(time, list) for task in instance["tasks"] for time in task["times"]):
            self.try_proof(best, random.Random(number))

    def test_many_busy(self):
        """Tables over time that processors which are busy until different times share: what they prove is accepted."""
        proof = os.path.join(self.folder.name, "p.proof")
        for seed in range(3):
            draw = random.Random(seed)
            instance = {"platform": [{"type": f"t{t}", "count": 6, "busy": [draw.randint(0, 400) for _ in range(6)]} for t in range(2)],
                        "tasks": [{"id": f"k{j}", "count": 8, "times": [draw.randint(20, 400) for _ in range(2)],
                                   "release": draw.choice([0, 0, 150, 600])} for j in range(12)]}
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(instance, file)
            for words in (["-O", f"proof={proof}"], []):
                done = duet("solve", self.path, "-a", "exact", "-O", "rounds=1", *words, "-o", self.out, "-q")
                there = os.path.exists(proof) and bool(words)
                self.assertEqual(done.returncode, 0 if there or not words else 5, (seed, done.stderr))
                found = duet("verify", self.path, self.out, "--strict", *(["--proof", proof] if there else []))
                second = second_checker(self.path, self.out, proof if there else None)
                self.assertEqual((found.returncode, second), (0, None), (seed, found.stderr))

    def test_long_knapsack(self):
        """Certificates of many tasks with few releases: what the bound divides the check divides, too, by lists as short."""
        draw = random.Random(1)
        late = [0, *sorted(draw.randint(1, 4000) for _ in range(4))]
        tasks = [{"id": f"j{j}", "times": [draw.randint(50, 999) for _ in range(3)], "release": draw.choice(late)}
                 for j in range(400)]
        platform = [{"type": "a", "count": 20, "busy": [8000]}, {"type": "b", "count": 6, "busy": [300]},
                    {"type": "c", "count": 2, "busy": [3000]}]
        path = os.path.join(self.folder.name, "long.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"platform": platform, "tasks": tasks}, file)
        answer = duet("bound", path, "-b", "knapsack")
        self.assertRegex(answer.stdout, r"knapsack +5472 +5472 +yes", answer.stderr)

    def test_late(self):
        """All of an instance later by so many ticks: schedules and bounds are later by as many."""
        if "glpk" not in duet("--version").stdout.lower():
            self.skipTest("it is solved by columns, which need GLPK")
        proof = os.path.join(self.folder.name, "p.proof")
        for seed in (1, 2):
            draw = random.Random(seed)
            instance = {"platform": [{"type": f"t{t}", "count": 3 - t} for t in range(3)],
                        "tasks": [{"id": f"j{j}", "times": [draw.randint(5, 100) for _ in range(3)],
                                   "release": draw.choice([0, 0, 20, 50, 90])} for j in range(24)]}
            found = set()
            for later in (0, 10**6, 10**15):
                moved = {"platform": [{**entry, "busy": [later + 7]} for entry in instance["platform"]],
                         "tasks": [{**task, "release": task["release"] + later} for task in instance["tasks"]]}
                with open(self.path, "w", encoding="utf-8") as file:
                    json.dump(moved, file)
                done = duet("solve", self.path, "-a", "exact", "-O", "rounds=2", "-O", f"proof={proof}", "-o", self.out, "-q")
                self.assertEqual(done.returncode, 0, (seed, later, done.stderr))
                second = second_checker(self.path, self.out, proof)
                self.assertEqual((duet("verify", self.path, self.out, "--proof", proof, "--strict").returncode, second), (0, None))
                with open(self.out, encoding="utf-8") as file:
                    solution = json.load(file)
                found.add((solution["makespan"] - later, solution["lower_bound"] - later))
            self.assertEqual(len(found), 1, (seed, found))

    def test_ends(self):
        """A graph with a busy processor and more schedules than can be tried: so many rounds end, the same each time."""
        made = duet("generate", "mixed-graph", "--seed", "771", "-m", "4", "-k", "2", "-O", "n-min=50", "-O", "n-max=50",
                    "-O", "cost=0", "-O", "structure=layered", "-o", self.path)
        self.assertEqual(made.returncode, 0, made.stderr)
        found = set()
        for _ in range(2):
            done = duet("solve", self.path, "-a", "exact", "-O", "rounds=1", "--busy", "gpu=37,5", "-q", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            solution = json.loads(done.stdout)
            self.assertEqual(solution["status"], "bounded")
            found.add((solution["makespan"], solution["lower_bound"]))
        self.assertEqual(len(found), 1, found)

    def test_online(self):
        """What an online rule decides before an instant is the same without the tasks that are released then or later."""
        for seed in range(4):
            draw = random.Random(seed)
            instance = random_instance(draw, "independent", True, True)
            while len(instance["platform"]) != 2 or "fixed" in instance:
                instance = random_instance(draw, "independent", True, True)
            instance["tasks"] += [{"id": f"k{j}", "times": [draw.randint(1, 9), draw.randint(1, 9)], "release": draw.randint(0, 9)}
                                  for j in range(6)]
            early = {**instance, "tasks": [task for task in instance["tasks"] if task.get("release", 0) < 5]}
            for rule in ("er-ls", "eft", "quickest", "ratio", "imreh", "mixeft"):
                decided = []
                for some in (instance, early):
                    with open(self.path, "w", encoding="utf-8") as file:
                        json.dump(some, file)
                    done = duet("solve", self.path, "-a", rule, "-q", "--json", "-o", "-")
                    self.assertEqual(done.returncode, 0, (rule, done.stderr))
                    decided.append({(run["task"], run["type"], run["processor"], run["start"])
                                    for run in json.loads(done.stdout)["schedule"] if run["start"] < 5})
                self.assertEqual(decided[0], decided[1], (rule, json.dumps(instance)))

    def test_extremes(self):
        """Processors that are busy and tasks that are released far beyond all else, one processor, no tasks."""
        for number in range(12):
            draw = random.Random(number)
            kind = ("independent", "graph", "moldable")[number % 3]
            instance = random_instance(draw, kind, True, True)
            never = draw.choice([10**6, 10**12, 2**60])
            entry = draw.choice(instance["platform"])
            if number % 4 == 0:
                entry["busy"] = [never] + [0] * (entry["count"] - 1)
            elif number % 4 == 1:
                draw.choice(instance["tasks"])["release"] = never
            elif number % 4 == 2:
                for entry in instance["platform"]:
                    entry["busy"] = [never + draw.choice([0, 1, 5]) for _ in range(entry["count"])]
            else:
                instance = {"platform": [{"type": "t0", "count": 1, "busy": [never]}], "tasks": []}
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(instance, file)
            with self.subTest(instance=json.dumps(instance)):
                best = optimum(instance) if instance["tasks"] else 0
                for bound in json.loads(duet("bound", self.path, "--json").stdout)["bounds"]:
                    self.assertLessEqual(bound["value"], best, bound["name"])
                for name in ("exact", "auto", "heft", "eft"):
                    solution = self.judge(instance, name, best)
                    if solution and name in ("exact", "auto"):
                        self.assertEqual((solution["makespan"], solution["lower_bound"]), (best, best), name)

    def test_long_times(self):
        """Graphs of times near 2^60: the proof is written without releases, and with them where the moved instance holds them."""
        proof = os.path.join(self.folder.name, "long.proof")
        for bits, release, code in ((59, 0, 0), (57, 1, 0), (58, 2**40, 0), (58, 2**59, 5), (59, 1, 5)):
            long = 2**bits
            tasks = [{"id": "a", "times": [long // 3, long // 7]}, {"id": "b", "times": [long // 2, long // 4], "after": ["a"]},
                     {"id": "c", "times": [long // 5, long // 6], "release": release}, {"id": "d", "times": [long - 3, long - 1]}]
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump({"platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}], "tasks": tasks}, file)
            done = duet("solve", self.path, "-a", "exact", "-O", f"proof={proof}", "-o", self.out, "-q")
            self.assertEqual(done.returncode, code, (bits, release, done.stderr))
            if code == 0:
                accepted = duet("verify", self.path, self.out, "--proof", proof, "--strict")
                self.assertEqual((accepted.returncode, second_checker(self.path, self.out, proof)), (0, None), accepted.stderr)
                os.remove(proof)
            else:  # the schedule is written and optimal all the same
                self.assertIn("it takes shorter times: work of at most 2^60 ticks", done.stderr)
                with open(self.out, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["status"], "optimal")
                self.assertFalse(os.path.exists(proof))

    def refuse(self, proof, text):
        """Both checkers refuse this text."""
        with open(proof, "w", encoding="utf-8") as file:
            file.write(text)
        one = duet("verify", self.path, self.out, "--proof", proof, "--strict")
        self.assertTrue(one.returncode != 0 and second_checker(self.path, self.out, proof) is not None, text)

    def try_proof(self, best, draw):
        """The proof of exact, as it is and with numbers changed."""
        proof = os.path.join(self.folder.name, "p.proof")
        done = duet("solve", self.path, "-a", "exact", "-O", f"proof={proof}", "-o", self.out, "-q")
        if done.returncode == 5 and "glpk" not in duet("--version").stdout.lower():
            self.assertIn("no proof was written", done.stderr)
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        accepted = duet("verify", self.path, self.out, "--proof", proof, "--strict")
        self.assertEqual((accepted.returncode, second_checker(self.path, self.out, proof)), (0, None), accepted.stderr)
        with open(proof, encoding="utf-8") as file:
            text = file.read()
        # Where something is given, the proof is about what is left of the instance, from when that can begin on.
        self.refuse(proof, re.sub(r"(?m)^bound (\d+)$", lambda found: f"bound {int(found[1]) + 1}", text, count=1))
        if "\nreleased\ngraph " in text:
            self.refuse(proof, text.replace("released\n", ""))
        words = text.split(" ")
        numbers = [at for at, word in enumerate(words) if any(c.isdigit() for c in word)]
        for _ in range(CHANGES):
            changed = list(words)
            for at in draw.sample(numbers, min(len(numbers), draw.choice([1, 1, 2]))):
                changed[at] = "".join(str(max(0, int(part) + draw.choice([-1, 1, 5]))) if part.isdigit() else part
                                      for part in re.split(r"(\d+)", changed[at]))
            with open(proof, "w", encoding="utf-8") as file:
                file.write(" ".join(changed))
            one = duet("verify", self.path, self.out, "--proof", proof, "--strict")
            two = second_checker(self.path, self.out, proof)
            self.assertEqual(one.returncode == 0, two is None, (one.stderr, two, " ".join(changed)))
            if two is None:
                bound = int(" ".join(changed).split("bound ")[1].split()[0])
                self.assertLessEqual(bound, best, " ".join(changed))


if __name__ == "__main__":
    unittest.main()
