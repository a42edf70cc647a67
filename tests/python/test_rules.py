# SPDX-License-Identifier: Apache-2.0
"""Rules of one's own as algorithms like any other: what they may decide, wherever algorithms are run, in
this process and through the command; comparisons, what-ifs, worst cases, reports, statistics."""
import os
import pickle
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from decimal import Decimal
from fractions import Fraction

import duet

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot
except ImportError:
    matplotlib = None

SEED = int(os.environ.get("DUET_TEST_SEED", "1"))


def column(table, name):
    return list(table[name])


def rows(table):
    return table.to_dict("records")


@duet.rule
def finish(task):
    """Where it ends first."""
    types = [t for t in ("gpu", "cpu") if task.time(t) is not None]
    return min(types, key=lambda t: task.start(t) + task.time(t))


@duet.rule(decides="order")
def in_order(instance):
    return range(len(instance))


@duet.rule(decides="order", name="by-id")
def named(instance):
    return [instance.task_id(task) for task in range(len(instance))]


@duet.rule(decides="allocation")
def shortest(instance):
    def type_of(task):
        times = {t: instance.times(task, t) for t in instance.platform if instance.platform[t]}
        return min((t for t in times if times[t]), key=lambda t: times[t][0])
    return [type_of(task) for task in range(len(instance))]


@duet.rule(decides="list")
def both(instance):
    return in_order(instance), dict(enumerate(shortest(instance)))


@duet.rule(decides="schedule")
def on_processors(instance):
    """The processors of its shortest type in turn."""
    return [(task, t, task % instance.platform[t]) for task, t in enumerate(shortest(instance))]


@duet.rule(decides="schedule")
def copied(instance):
    return duet.solve(instance, algorithm="heft")


ALL = [finish, in_order, named, shortest, both, on_processors, copied]


class Decisions(unittest.TestCase):
    def instances(self):
        rng = random.Random(SEED)
        for _ in range(12):
            seed = rng.randrange(10**6)
            yield seed, duet.generate(rng.choice(["unif4", "layered", "fork-join"]), 8, 2, 1, seed=seed)
        yield 0, duet.Instance.from_times([3, 4, None], [1, None, 2.5], 2, 1, edges=[(0, 2, 1.5), (1, 2)])
        for _ in range(6):  # tasks are released, and processors busy
            seed = rng.randrange(10**6)
            draw = random.Random(seed)
            cpu, gpu, release = ([draw.randint(least, 9) for _ in range(8)] for least in (1, 1, 0))
            busy = {"cpu": [draw.randint(0, 9)], "gpu": [draw.randint(0, 9)]}
            edges = [(0, 3), (1, 4, 2), (3, 6)] if seed % 2 else None
            yield seed, duet.Instance.from_times(cpu, gpu, 2, 1, release=release, busy=busy, edges=edges)

    def test_valid(self):
        for seed, instance in self.instances():
            best = duet.solve(instance).lower_bound
            for rule in ALL:
                with self.subTest(seed=seed, rule=rule.name):
                    solution = duet.solve(instance, algorithm=rule)
                    solution.verify()
                    self.assertGreaterEqual(solution.makespan, best)
                    self.assertEqual(solution.algorithm, rule.name)

    def test_what_was_decided(self):
        for seed, instance in self.instances():
            with self.subTest(seed=seed):
                for rule in (shortest, both):
                    types = [run.type for run in duet.solve(instance, algorithm=rule).schedule]
                    self.assertEqual(types, shortest(instance))
                self.assertEqual(duet.solve(instance, algorithm=in_order).schedule,
                                 duet.solve(instance, algorithm=named).schedule)
                self.assertEqual(duet.solve(instance, algorithm=finish).schedule,
                                 duet.solve(instance, algorithm="eft").schedule)
                self.assertEqual(duet.solve(instance, algorithm=copied).schedule,
                                 duet.solve(instance, algorithm="heft").schedule)

    def test_the_command_decides_the_same(self):
        """Through the socket a rule sees the same instance, and its schedule is the same."""
        with tempfile.TemporaryDirectory() as folder:
            for seed, instance in self.instances():
                file, out = f"{folder}/i.json", f"{folder}/o.json"
                instance.write(file)
                for rule in ALL[:-1]:
                    with self.subTest(seed=seed, rule=rule.name):
                        duet.command("solve", file, "-a", rule.name, "-o", out, "-q", rules=[rule])
                        self.assertEqual(duet.read_solution(out, instance).schedule,
                                         duet.solve(instance, algorithm=rule).schedule)

    def test_what_the_command_tells(self):
        """Names, unit, ticks, edges, costs and what is forbidden all come along."""
        instance = duet.Instance.from_times([3, 4, None], [1, None, 2.5], 2, 1, counts=[2, 1, 1], ids=["a", "b", "ü c"],
                                            name="näme", unit="ms", edges=[("a#0", "b", 1.5), ("b", "ü c")])
        seen, told = [], []

        @duet.rule(decides="order")
        def looks(given):
            seen.append(given.to_dict())
            return range(len(given))

        @duet.rule(information="descendants")
        def listens(task):
            told.append((task.task, task.now, task.processors("cpu"), task.time("cpu"), task.start(1), task.bottom_level,
                         task.descendants))
            return "cpu" if task.time("cpu") is not None else "gpu"
        with tempfile.TemporaryDirectory() as folder:
            instance.write(f"{folder}/i.json")
            duet.command("compare", f"{folder}/i.json", "-a", "looks,listens", rules=[looks, listens])
        self.assertEqual(seen, [instance.to_dict()])
        known, told[:] = told[:], []
        duet.solve(instance, algorithm=listens)
        self.assertEqual(known, told)

    def test_faults(self):
        instance = duet.Instance.from_times([3, 4], [1, None], 1, 1)
        for decides, said, expected in (
                ("order", [0], "every one of the 2 tasks once"), ("order", [0, 0], "every one"), ("order", 5, "expected a list"),
                ("order", ["t0", "t9"], "the id of a task"), ("allocation", ["cpu"], "for each of 2 tasks"),
                ("allocation", ["cpu", "npu"], "expected one of cpu, gpu"), ("allocation", ["cpu", "gpu"], "where it may run"),
                ("list", [0, 1, 2], "expected .order, allocation"), ("schedule", [(0, "cpu", 0)], "placed task 't1' nowhere"),
                ("schedule", [(0, "cpu", 3), (1, "cpu", 0)], "a processor of it"), ("schedule", [(0,)], "expected .task, type"),
                ("schedule", [(0, "cpu", 0, "soon")], "expected a start"), ("schedule", [(0, "cpu", 0, -1)], "a start from 0"),
                ("schedule", [(0, "cpu", 0, 0), (1, "cpu", 0, 1)], "no valid schedule")):
            with self.subTest(said=said), self.assertRaisesRegex(duet.UsageError, expected):
                duet.solve(instance, algorithm=duet.rule(lambda _, s=said: s, name="odd", decides=decides))
        for rule in (duet.rule(lambda _: 1 // 0, name="bad"), duet.rule(lambda _: 1 // 0, name="bad", decides="order")):
            for call in (lambda r=rule: duet.solve(instance, algorithm=r), lambda r=rule: duet.search_worst(r, evaluations=9),
                         lambda r=rule: duet.compare(instance, [r]), lambda r=rule: duet.simulate(instance, r)):
                with self.assertRaises(ZeroDivisionError):
                    call()

    def test_names(self):
        def An_Odd__Name(task):
            return 0
        self.assertEqual(duet.rule(An_Odd__Name).name, "an-odd-name")
        self.assertEqual(duet.rule(lambda task: 0).name, "lambda")
        with self.assertRaisesRegex(duet.UsageError, "there is an algorithm 'heft' already"):
            duet.solve([1], [2], 1, 1, duet.rule(An_Odd__Name, name="heft"))
        again = pickle.loads(pickle.dumps(in_order))
        self.assertEqual((again.name, again.function), (in_order.name, in_order.function))
        self.assertEqual(in_order.summary, "a rule in Python that decides the order")

    def test_rule_of_a_script(self):
        """Its function is found by name in the script, and goes with its code where cloudpickle sends it."""
        script = os.path.join(tempfile.gettempdir(), f"duet-script-{os.getpid()}.py")
        self.addCleanup(os.remove, script)
        with open(script, "w") as file:
            file.write(SCRIPT)
        done = subprocess.run([sys.executable, script], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ("2\n" * 3, 0), done.stderr)
        self.assertEqual(finish(type("Task", (), {"time": lambda s, t: 1, "start": lambda s, t: 0})()), "gpu")


SCRIPT = """
import pickle, subprocess, sys
import duet

@duet.rule(decides="order")
def in_order(instance):
    return range(len(instance))

def makespan(rule):
    return duet.solve([2], [3], 1, 1, rule).makespan

print(makespan(in_order))
print(makespan(pickle.loads(pickle.dumps(in_order))))
try:
    import cloudpickle
except ImportError:  # joblib and dask bring it
    print(makespan(in_order))
else:
    told = "import pickle, sys, duet; rule = pickle.load(sys.stdin.buffer); print(duet.solve([2], [3], 1, 1, rule).makespan)"
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", told], input=cloudpickle.dumps(in_order), check=True)
"""


class Everywhere(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.instance = duet.generate("unif4", 12, 3, 1, seed=2)

    def test_plan_of_many_digits(self):
        """Noise needs room, so that times are rounded: the plan, whose times are not, is of them all the same."""
        rng = random.Random(SEED)
        table, plan = os.path.join(self.folder, "jobs.csv"), os.path.join(self.folder, "plan.json")
        with open(table, "w") as file:
            file.write("id,cpu,gpu\n" + "".join(f"job_{i},{rng.uniform(20, 300):.13f},{rng.uniform(5, 99):.14f}\n"
                                                for i in range(40)))
        read = (table, "-m", "3", "-k", "1", "-q")
        duet.command("solve", *read, "-a", "heft", "-o", plan)
        said = duet.command("simulate", *read, "--solution", plan, "--noise", "uniform:0.1", "--runs", "3", "--json")
        self.assertIn('"runs": 3', said)

    def test_compare(self):
        plan = duet.solve(self.instance, algorithm="heft")
        table = duet.compare(self.instance, ["exact", finish, lambda task: "cpu", plan, "heteroprio", "moldable-2"])
        self.assertEqual(len(table), 6)
        first = rows(table)[0]
        self.assertEqual((first["algorithm"], first["status"], first["gap_percent"]), ("exact", "optimal", 0))
        self.assertEqual(first["makespan"], first["best_bound"])
        by = {row["algorithm"]: row for row in rows(table)}
        self.assertEqual(set(by), {"exact", "finish", "lambda", "heft", "heteroprio", "moldable-2"})
        self.assertEqual(by["heft"]["makespan"], float(plan.makespan))
        self.assertEqual(by["moldable-2"]["status"], "skipped")
        self.assertIn("moldable", by["moldable-2"]["reason"])
        two = duet.compare([self.instance, self.instance.copy(1, 1)], {"mine": finish, "lpt": "lpt"})
        self.assertEqual(column(two, "algorithm").count("mine"), 2)
        self.assertEqual(len(set(column(two, "platform"))), 2)
        every = column(duet.compare(self.instance, time_limit=0.1), "algorithm")
        self.assertEqual(set(every), {a.name for a in duet.algorithms()} - {"auto"})

    def test_what_if(self):
        table = duet.what_if(self.instance, {"cpu": 3, "gpu": range(0, 3)})
        self.assertEqual(column(table, "gpu"), [0, 1, 2])
        self.assertEqual(column(table, "status"), ["optimal"] * 3)
        self.assertEqual(column(table, "makespan"), sorted(column(table, "makespan"), reverse=True))
        self.assertEqual(len(duet.what_if(self.instance, [{"gpu": 2}, {"cpu": 9}], finish)), 2)
        worse = duet.rule(lambda i: [0] * len(i) if sum(i.platform.values()) < 5 else [1] * len(i), decides="allocation")
        table = duet.what_if(duet.Instance.from_times([2] * 9, [7] * 9, 1, 1), [{"cpu": c, "gpu": 1} for c in (5, 3, 4, 1)], worse)
        self.assertEqual(column(table, "makespan"), [6, 6, 6, 18])
        self.assertEqual(column(table, "lower_bound"), [4, 6, 5, 14])
        priced = duet.what_if(self.instance, [{"cpu": 3, "gpu": 2}], "eft", price={"cpu": 0.04, "gpu": 2.5})
        self.assertEqual(column(priced, "price"), [5.12])
        with self.assertRaises(duet.UsageError):
            duet.what_if(self.instance, [{"gpu": 2}], "eft", price={"gpu": 2.5})
        only = duet.Instance.from_times([3, None], [1, 2], 1, 1)
        self.assertEqual(column(duet.what_if(only, {"gpu": [0, 1]}), "status"), ["infeasible", "optimal"])

    def test_search(self):
        path = f"{self.folder}/worst.json"
        for rule, edges in ((finish, False), (in_order, True), (shortest, False), (on_processors, False)):
            with self.subTest(rule=rule.name):
                worst = duet.search_worst(rule, m=(1, 2), k=1, tasks=(2, 4), edges=edges, evaluations=300, path=path)
                self.assertTrue(worst.confirmed)
                self.assertEqual(worst.ratio, Fraction(worst.makespan, worst.optimum))
                kept = duet.read(path)
                self.assertEqual(duet.solve(kept, algorithm=rule).makespan_ticks, worst.makespan)
                self.assertEqual(len(kept), len(worst.instance))
        again = [duet.search_worst(finish, evaluations=300, seed=3)[1:6] for _ in range(2)]
        self.assertEqual(*again)

    def test_adversary(self):
        table = duet.adversary([finish, "eft"], ["theorem-1", "lemma-3"], tau=3, n=6, path=self.folder)
        self.assertEqual(column(table, "holds"), [True] * 4)
        found = [(row["adversary"], row["makespan"]) for row in rows(table)]
        self.assertEqual(found[0::2], found[1::2])
        self.assertTrue(os.path.exists(f"{self.folder}/theorem-1-finish.json"))
        with self.assertRaisesRegex(duet.UsageError, "online rules"):
            duet.adversary(in_order)

    def test_worst_case_again(self):
        """The command that shows a worst case again names the file of the rules, where one has them."""
        def worst(*words, rules=()):
            printed = duet.command("bench", "ratios", *words, "-q", rules=rules)
            line = next(line for line in printed.splitlines() if "duet bench ratios" in line)
            return line.split()[:3], shlex.split(line[line.index("duet bench ratios"):])
        asked = ("-a", "in-order", "--instances", "3", "--family", "unif4", "-n", "6")
        found, again = worst(*asked, rules=[finish, in_order])
        self.assertIn("test_rules.py", again[again.index("--plugin") + 1])
        os.environ.setdefault("DUET_PYTHON", sys.executable)
        self.assertEqual(worst(*again[3:])[0], found)
        found, again = worst("-a", "local", *asked[2:], rules=[duet.rule(lambda task: 0, name="local")])
        self.assertEqual(again[-4:], ["#", "by", "duet.command(...,", "rules=[local])"])

    def test_bench_and_simulate(self):
        printed = duet.command("bench", "ratios", "-a", "finish,in-order,eft", "--instances", "1", "--family", "unif4", "-q",
                               rules=[finish, in_order])
        figures = {line.split()[0]: line.split()[1:] for line in printed.splitlines() if line}
        self.assertEqual(figures["finish"][:6], figures["eft"][:6])
        self.assertIn("Where it ends first.", duet.command("list", "algorithms", "finish", rules=[finish]))
        for rules in ({"finish": finish}, ["finish"], "finish"):
            with self.assertRaisesRegex(duet.UsageError, "^rules: expected functions and rules"):
                duet.command("list", "algorithms", rules=rules)
        mine, theirs = (duet.simulate(self.instance, a, noise="uniform:0.2", runs=20) for a in (finish, "eft"))
        self.assertEqual(mine, theirs)
        duet.simulate(self.instance, in_order, noise="uniform:0.2", runs=2)

    def test_statistics(self):
        s = duet.simulate(self.instance, "heft", noise="uniform:0.3", runs=40)
        makespans = sorted(run.makespan for run in s.runs)
        self.assertEqual((s.quantile(0.5), s.quantile(0.9), s.quantile(1), s.quantile(0)),
                         (makespans[19], makespans[35], makespans[39], makespans[0]))
        self.assertAlmostEqual(s.mean, float(sum(makespans) / 40))
        self.instance.write(f"{self.folder}/i.json")
        printed = duet.command("simulate", f"{self.folder}/i.json", "-a", "heft", "--noise", "uniform:0.3", "--runs", "40")
        figures = {line.split()[0]: float(line.split()[-3]) for line in printed.splitlines()
                   if line.split()[:1] in (["median"], ["largest"])}
        self.assertEqual(figures, {"median": s.statistics["median"], "largest": s.statistics["max"]})
        self.assertEqual(len(s.to_pandas()), 40)
        one = duet.simulate(self.instance, "heft", runs=1)
        self.assertEqual((one.std, one.mean), (0, float(one.planned)))

    def test_report(self):
        path = duet.report(f"{self.folder}/page.html", duet.solve(self.instance), title="Fölks",
                           results=duet.compare(self.instance, ["heft", "lpt"]))
        with open(path, encoding="utf-8") as file:
            page = file.read()
        self.assertIn("Fölks", page)
        self.assertIn("lpt", page)
        self.assertIn('"files":["comparison"]', page)

    @unittest.skipIf(matplotlib is None, "matplotlib is not there")
    def test_a_plot_in_a_figure_of_the_callers(self):
        """The legend beside the axes is in the picture."""
        figure, axes = matplotlib.pyplot.subplots()
        drawn = duet.solve({"id": ["first_1", "second_1"], "cpu": [3, 4]}, m=1, k=[]).plot(ax=axes)
        figure.canvas.draw()
        legend = drawn.get_legend().get_window_extent()
        self.assertLessEqual(legend.x1, figure.bbox.x1)
        matplotlib.pyplot.close(figure)

    @unittest.skipIf(matplotlib is None, "matplotlib is not there")
    def test_a_plot_has_the_colours_of_pictures(self):
        """Of few groups, of many of which some share a grey, and of times where no names tell tasks apart."""
        for ids in ([f"{name}_{i}" for name in ("load", "train", "test") for i in range(9)],
                    [f"{name * 3}_{i}" for name in "abcdefghijklmno" for i in range(3)], None):
            solution = duet.solve([9] * (45 if ids is None else len(ids)), list(range(1, 46 if ids is None else len(ids) + 1)), m=2, k=1,
                                  ids=ids, algorithm="heft")
            axes = solution.plot()
            path = f"{self.folder}/colours.svg"
            solution.gantt(path)
            with open(path, encoding="utf-8") as file:
                picture = file.read()
            boxes = {matplotlib.colors.to_hex(box.get_facecolor()) for box in axes.patches}
            entries = {matplotlib.colors.to_hex(entry.get_facecolor()): text.get_text()
                       for entry, text in zip(axes.get_legend().get_patches(), axes.get_legend().get_texts())}
            matplotlib.pyplot.close(axes.figure)
            self.assertEqual(boxes, set(entries))
            for colour, name in entries.items():
                self.assertIn(f'<g fill="{colour}">', picture)
                self.assertRegex(picture, f">{re.escape(name)}[^<]*</text>")

    @unittest.skipIf(matplotlib is None, "matplotlib is not there")
    def test_a_plot_is_readable(self):
        """Letters stand out from their boxes, and the title from what is said of now."""
        plan = duet.solve([4] * 12, [2] * 12, m=1, k=2, ids=[f"{chr(97 + k)}_1" for k in range(12)])
        axes = duet.solve(plan.instance, start_from=plan, now=1).plot()
        axes.figure.canvas.draw()

        def light(colour):
            parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05
        boxes = [b for b in axes.patches if b.get_hatch() is None]
        letters = [t for t in axes.texts if t.get_text() != "now"]
        self.assertEqual((len(boxes), len(letters)), (12, 12))
        for box, text in zip(boxes, letters):
            one, other = light(box.get_facecolor()), light(text.get_color())
            self.assertGreaterEqual(max(one, other) / min(one, other), 4.5)
        now = [t for t in axes.texts if t.get_text() == "now"][0].get_window_extent()
        self.assertGreaterEqual(axes.title.get_window_extent().y0, now.y1 - 1)
        matplotlib.pyplot.close(axes.figure)

    def test_a_file_of_rules(self):
        """The command starts a Python of its own for it."""
        with open(f"{self.folder}/rules.py", "w", encoding="utf-8") as file:
            file.write("import duet, beside\n\n@duet.rule\ndef mine(task):\n    \"\"\"Mine.\"\"\"\n    return beside.TYPE\n"
                       "\n@duet.rule(decides='order')\ndef other(instance):\n    return range(len(instance))\n")
        with open(f"{self.folder}/beside.py", "w", encoding="utf-8") as file:
            file.write("TYPE = 'cpu'\n")
        environment = {**os.environ, "DUET_PYTHON": sys.executable}

        def run(*words):
            return subprocess.run([duet._command.find_command(), *words], cwd=self.folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        ran = run("list", "algorithms", "--plugin", "rules.py")
        self.assertRegex(ran.stdout, r"\n  mine +Mine\. .*\n  other ")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        ran = run("bench", "search", "--plugin", "rules.py", "-a", "other", "--evaluations", "100", "-q", "-o", "w.json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue(os.path.exists(f"{self.folder}/w.json"))
        with open(f"{self.folder}/none.py", "w", encoding="utf-8") as file:
            file.write("def mine(task):\n    return 0\n")
        for name, status, said in (("none.py", 3, "no algorithm"), ("missing.py", 3, "cannot read"),
                                   ("beside.py", 3, "no algorithm")):
            ran = run("list", "--plugin", name)
            self.assertEqual(ran.returncode, status)
            self.assertIn(said, ran.stderr)

    def test_ctrl_c(self):
        """A search that is interrupted gives the worst so far."""
        asked = []

        @duet.rule
        def presses(task):
            asked.append(True)
            if len(asked) == 2000:
                os.kill(os.getpid(), signal.SIGINT)
            return finish(task)
        worst = duet.search_worst(presses, m=1, k=1, tasks=3, time_limit=600)
        self.assertTrue(worst.interrupted)
        self.assertGreaterEqual(worst.ratio, 1)

    def test_no_command(self):
        with unittest.mock.patch.dict(os.environ, DUET_COMMAND="/nowhere/duet"):
            with self.assertRaisesRegex(duet.UnsupportedError, "DUET_COMMAND"):
                duet.search_worst("eft")

    def test_plain_tables(self):
        table = duet.Table([{"a": 1, "b": "<x>"}, {"a": 2.5, "b": None}])
        self.assertEqual((table["a"], table[1], len(table), list(table)), ([1, 2.5], {"a": 2.5, "b": None}, 2, ["a", "b"]))
        self.assertEqual(repr(table), "  a    b\n  1  <x>\n2.5")
        self.assertIn("&lt;x&gt;", table._repr_html_())

    def test_to_dict(self):
        for instance in (self.instance, duet.Instance.from_times([3.25, None], [1, 2], 2, 1, edges=[(0, 1, 2.5)], unit="s"),
                         duet.generate("amdahl", 5, 8, 0)):
            self.assertEqual(duet.Instance.from_dict(instance.to_dict()).to_dict(), instance.to_dict())
        self.assertEqual(duet.Instance.from_times([3.25], [1], 1, 1).to_dict()["tasks"], [
            {"id": "t0", "times": [Decimal("3.25"), 1]}])


if __name__ == "__main__":
    unittest.main()
