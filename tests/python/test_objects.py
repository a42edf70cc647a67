# SPDX-License-Identifier: Apache-2.0
"""The objects of the Python module: what becomes of those that are kept, copied and pickled."""
import copy
import gc
import multiprocessing
import os
import pickle
import random
import re
import tempfile
import threading
import unittest
import unittest.mock
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duet

try:
    import numpy
except ImportError:
    numpy = None

SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
MOLDABLE = {
    "platform": [{"type": "cpu", "count": 4, "speed": 2.5, "bandwidth": 1e9}, {"type": "gpu", "count": 1}],
    "network": {"latency": Decimal("0.0001")},
    "tasks": [{"id": "a", "work": 40, "alpha": 0.1}, {"id": "b", "times": [[9, 5, 4], None]},
              {"id": "c", "count": 2, "times": [[4, 3], 3]}],
    "edges": [{"from": "a", "to": "b", "data": 1e6}, {"from": "a", "to": "c#1"}]}
LAW = {"platform": [{"type": "one", "count": 3, "speed": 2}, {"type": "two", "count": 2}],
       "tasks": [{"id": f"t{i}", "work": 4 + i, "alpha": i / 8} for i in range(5)],
       "edges": [["t0", "t1"], ["t0", "t2"]]}


def written(thing):
    """The file of an instance or of a solution; in memory where there is room, since each is synced."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        path = Path(folder) / "x.json"
        thing.write(path)
        return path.read_bytes()


def what_is(instance):
    """All that can be seen of an instance."""
    types = list(instance.platform)
    edges = range(len(instance.edges))
    seen = [written(instance), instance.name, instance.unit, instance.decimals, instance.platform,
            instance.edges, instance.notice, instance.moldable, instance.now, instance.without, instance.names,
            [(instance.group(j), instance.deadline(j)) for j in range(len(instance))], len(instance), repr(instance),
            [(instance.task_id(j), [instance.times(j, t) for t in types])
             for j in range(len(instance))]]
    if instance.moldable:
        return seen + [[instance.redistribution(e, (a, 1), (b, 1)) for e in edges for a in types
                        for b in types if 0 not in instance.platform.values()]]
    return seen + [[instance.cost(e, a, b) for e in edges for a in types for b in types]]


def what_solves(solution):
    """All that can be seen of a solution, its certificate in its file among it."""
    try:
        checked = solution.verify()
    except duet.InputError as fault:
        checked = str(fault)
    file = re.sub(rb'"counters": {[^}]*}', b"", written(solution))  # a copy has them, its file has not
    return [what_is(solution.instance), file, len(solution), solution.schedule,
            solution.aborted, solution.makespan_ticks, solution.lower_bound_ticks, solution.gap,
            solution.status, solution.algorithm, solution.found_by, solution.guarantee,
            solution.bound_name, solution.seconds, solution.interrupted, solution.ending,
            solution.note, solution.counters, checked, repr(solution),
            [solution.processors(j) for j in range(len(solution))]]


def described():
    """Instances with every feature, by a name for messages."""
    yield "times", duet.Instance.from_times([33, 170, 9.5], [15.6, None, 3], 2, 1, name="four", unit="ms")
    yield "empty", duet.Instance.from_times([], [], 1, 1)
    yield "three types", duet.Instance.from_table({"a": [1, 2], "b": [None, 1], "c d": [3, 4]}, platform={
        "a": 1, "b": 0, "c d": 2}, counts=[3, 1], ids=["x", "y#"])
    yield "one type", duet.Instance.from_table({"core": [3, 3, 2]}, 2)
    yield "odd names", duet.Instance.from_times([1] * 5, [2] * 5, 1, 1, ids=[
        'a"b\\', "line\nbreak", "é\u202e\x1b[8m", "#", "-"], name="a/b\t\u2028", unit="µs")
    yield "rounded", duet.Instance.from_times([1e-20, 0.1 + 0.2], [1e5, 1e-5], 1, 1)
    yield "costs", duet.Instance.from_times([3, 4, 4.5], [1, 2.5, None], 2, 1, ids=["a", "b", "c"], edges=[
        ("a", "b"), (0, "c", 2.25), ("b", 2, [[0, 1], [2, 3]])])
    yield "counts in a graph", duet.Instance.from_times([1, 2], [1, 2], 1, 1, counts=[3, 1], edges=[
        ("t0#1", "t1", 0.5)])
    yield "moldable", duet.Instance.from_dict(MOLDABLE)
    yield "law", duet.Instance.from_dict(LAW)
    import array
    flat = memoryview(array.array("q", [3000, 1000, 4000, 2**63 - 1])).cast("B").cast("q", (2, 2))
    yield "coarse ticks", duet.Instance.from_ticks(flat, 1, 1, decimals=3)
    named = duet.Instance.from_dict({"platform": [{"type": "cpu", "count": 2, "names": ["n1", "n2"]}, {"type": "gpu", "count": 2}],
                                     "tasks": [{"id": "a", "times": [4, 2], "deadline": 3, "group": "x"}, {"id": "b", "times": [6, 3]}]})
    plan = [("a", "gpu", 0, 0), ("b", "gpu", 1, 0)]
    yield "given, in finer ticks", duet.solve(named, start_from=plan, now=Decimal("1.25"), without={"cpu": 1}).instance
    yield "claim", duet.generate("worst-heteroprio-1-1", 0, 1, 1)
    claim = duet.generate("worst-heteroprio-1-1", 0, 1, 1)
    yield "claim in finer ticks", claim._finer(claim.decimals + 11)
    changed = duet.generate("worst-heteroprio-1-1", 0, 1, 1)
    changed.set_platform(3, 2)
    yield "claim given up", changed
    moldable = duet.Instance.from_dict(MOLDABLE)
    moldable.set_platform(2, 2)
    yield "tables cut", moldable


def generated():
    """An instance of each family."""
    for row in duet.families():
        for n in (7, 4, 1, 0):
            try:
                yield row.name, duet.generate(row.name, n, 2, 1, seed=SEED)
                break
            except duet.DuetError:
                continue


def drawn(count):
    """Random instances, with and without edges and their costs, in ticks finer than the times too."""
    for seed in range(SEED, SEED + count):
        rng = random.Random(seed)
        n, types = rng.randint(1, 6), rng.randint(1, 4)
        places = rng.choice([0, 0, 2, 5])

        def number(rng=rng, places=places):
            return Decimal(rng.randint(0, 10**rng.randint(0, 4))).scaleb(-places)
        columns = {f"t{t}": [None if t > 0 and rng.random() < .2 else number() for _ in range(n)]
                   for t in range(types)}
        edges = []
        for j in range(n):
            for i in range(j):
                if rng.random() < .3:
                    cost = rng.choice([None, number(), [[number() for _ in range(types)] for _ in range(types)]])
                    edges.append((i, j) if cost is None else (i, j, cost))
        yield f"seed {seed}", duet.Instance.from_table(
            columns, platform={name: rng.randint(1 if name == "t0" else 0, 3) for name in columns},
            edges=edges, unit=rng.choice([None, "s"]))


def instances():
    yield from described()
    yield from generated()
    yield from drawn(30)


ALGORITHMS = [row.name for row in duet.algorithms()]


def solutions(instance, names):
    """Of those algorithms that handle the instance."""
    for name in names:
        try:
            yield name, duet.solve(instance, algorithm=name, time_limit=1, threads=1)
        except duet.DuetError:
            continue


def copies(thing):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield f"pickle {protocol}", pickle.loads(pickle.dumps(thing, protocol))
    yield "copy", copy.copy(thing)
    yield "deepcopy", copy.deepcopy(thing)


def one_copy(thing, rng):
    """One of them, made in any way."""
    protocol = rng.randint(0, pickle.HIGHEST_PROTOCOL)
    return rng.choice([lambda: pickle.loads(pickle.dumps(thing, protocol)), lambda: copy.copy(thing),
                       lambda: copy.deepcopy(thing)])()


@duet.rule(decides="order")
def of_its_own(instance):
    return range(len(instance))


class Fractions(unittest.TestCase):
    """What is exact is a fraction, and is printed as a number where that is asked."""

    def test_formats(self):
        solution = duet.solve([3, 4, 5], [9, 9, 9], m=2, k=1, algorithm="lpt")
        judged = duet.judge(solution, solution.instance)
        bound = duet.bound(duet.Instance.from_dict({"platform": [{"type": "cpu", "count": 2}], "tasks": [{"id": "a", "times": [3]}]}))
        for number in (judged.gap, judged.solution.gap, bound.exact, duet.search_worst("lpt", k=0, evaluations=50).ratio):
            if number is not None:
                self.assertIsInstance(number, Fraction)
                self.assertEqual(f"{number:.2%} {number:8.3f} {number}", f"{float(number):.2%} {float(number):8.3f} {str(number)}")
                self.assertEqual(repr(number), f"Fraction({number.numerator}, {number.denominator})")
                self.assertEqual(pickle.loads(pickle.dumps(number)), copy.deepcopy(number))


class Copies(unittest.TestCase):
    def test_instances(self):
        rng = random.Random(SEED)
        for name, instance in instances():
            before = what_is(instance)
            with self.subTest(instance=name):
                again = one_copy(instance, rng)
                self.assertIsNot(again, instance)
                self.assertEqual(what_is(again), before)
                self.assertEqual(what_is(instance.copy()), before)
        for how, again in copies(instance):
            with self.subTest(how=how):
                self.assertEqual(what_is(again), before)

    def test_without_platform(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bare.csv"
            path.write_text("id,cpu,gpu\na,1,2\n")
            for how, again in copies(duet.read(path)):
                with self.subTest(how=how):
                    with self.assertRaisesRegex(duet.UsageError, "no counts"):
                        again._named({"cpu": 1})
                    again.set_platform(2, 1)
                    self.assertEqual(duet.solve(again).makespan, 1)

    def test_a_copy_has_no_solution(self):
        instance = duet.Instance.from_times([1, 2], [2, 1], 1, 1)
        duet.solve(instance)
        for how, again in copies(instance):
            with self.subTest(how=how):
                again.set_platform(2, 2)
        self.assertEqual(instance.platform, {"cpu": 1, "gpu": 1})

    def test_solutions(self):
        rng = random.Random(SEED)
        for name, instance in instances():
            every = name in ("times", "costs", "moldable", "law", "coarse ticks")
            names = ALGORITHMS if every else ["auto", *rng.sample(ALGORITHMS, 3)]
            for algorithm, solution in solutions(instance, names):
                before = what_solves(solution)
                with self.subTest(instance=name, algorithm=algorithm):
                    self.assertEqual(what_solves(one_copy(solution, rng)), before)
        for how, again in copies(solution):
            with self.subTest(how=how):
                self.assertEqual(what_solves(again), before)

    def test_a_proof_to_keep(self):
        made = duet.generate("unif4", 15, 3, 2, seed=3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "search.proof")
            s = duet.solve(made, algorithm="exact", options={"proof": path, "rounds": 4})
            self.assertEqual((s.status, s.verify(proof=path)), ("optimal", "certified"))
            other = duet.solve(duet.generate("unif4", 15, 3, 2, seed=4), algorithm="exact", options={"rounds": 4})
            with self.assertRaises(duet.InputError):
                other.verify(proof=path)

    def test_certificates(self):
        """Of every kind: the copy's proves what the solution's does."""
        for proof, algorithm, family, n in (
                ("longest", "exact", "corr", 6), ("shelf", "exact", "unif4", 6), ("prices", "exact", "unif4", 12),
                ("knapsack", "exact", "unif4", 20), ("table", "dual-4-3", "unif4", 12),
                ("lines", "exact", "layered", 6), ("flow", "heft", "layered", 6),
                ("moldable-prices", "moldable-hybrid", "amdahl", 20),
                ("moldable-knapsack", "moldable-hybrid", "amdahl", 6)):
            solution = duet.solve(duet.generate(family, n, 2, 1, seed=1), algorithm=algorithm, time_limit=0, threads=1)
            self.assertIn(f'"proof": "{proof}"'.encode(), written(solution))
            for how, again in copies(solution):
                with self.subTest(proof=proof, how=how):
                    self.assertEqual(what_solves(again), what_solves(solution))

    def test_ended_early(self):
        """With why."""
        instance = duet.generate("unif4", 200, 8, 3, seed=3)
        for more, ending in (({"options": {"table": "published"}, "memory_limit": 65536}, "limit reached"),
                             ({"options": {"gap": "50%"}}, None)):
            solution = duet.solve(instance, algorithm="dual-4-3", **more)
            if ending:
                self.assertEqual(solution.ending, ending)
                self.assertIn("memory", solution.note)
            for how, again in copies(solution):
                with self.subTest(how=how, more=more):
                    self.assertEqual(what_solves(again), what_solves(solution))

    def test_aborted_runs(self):
        found = 0
        for seed in range(SEED, SEED + 60):
            solution = duet.solve(duet.generate("unif4", 12, 2, 1, seed=seed), algorithm="heteroprio")
            found += len(solution.aborted)
            with self.subTest(seed=seed):
                again = one_copy(solution, random.Random(seed))
                self.assertEqual(what_solves(again), what_solves(solution))
        self.assertGreater(found, 0)

    def test_unjudged(self):
        """A schedule that is none is copied as it is."""
        instance = duet.Instance.from_times([2, 3], [1, None], 1, 1)
        for runs in ([("t0", "cpu", 0, 0), ("t1", "cpu", 0, 1)], [("t0", "cpu", 0, 0), ("t1", "gpu", 0, 0)],
                     [("t0", "cpu", 7, 0), ("t1", "cpu", 0, 1)], [("t1", "cpu", 0, 5)],
                     [("t0", "cpu", 0, 0), ("t1", "cpu", 0, 2), ("t0", "gpu", 0, 0)],
                     [("t0", "cpu", 0, 0), ("t1", "cpu", 0, 2), ("nobody", "gpu", 0, 0)]):
            solution = duet.read_solution(runs, instance)
            for how, again in copies(solution):
                with self.subTest(runs=runs, how=how):
                    self.assertEqual(what_solves(again), what_solves(solution))
                    self.assertEqual(what_solves(copy.copy(again)), what_solves(solution))
                    with self.assertRaises(duet.InputError):
                        again.verify()

    def test_the_instance_comes_along(self):
        solution = duet.solve(duet.Instance.from_dict(MOLDABLE), time_limit=0.1)
        self.assertIs(copy.copy(solution).instance, solution.instance)
        both = pickle.loads(pickle.dumps([solution.instance, solution, solution]))
        self.assertIs(both[1].instance, both[0])
        self.assertIs(both[1], both[2])
        with self.assertRaisesRegex(duet.UsageError, r"copy\(\)"):
            both[0].set_platform(1, 1)
        again = copy.deepcopy(solution)
        del solution, both
        gc.collect()
        self.assertEqual(again.verify(), again.verify())
        judged = duet.judge(again, duet.Instance.from_dict(MOLDABLE))
        self.assertEqual(judged.solution, again)

    def test_plain_objects(self):
        """What the functions give out besides, and errors."""
        instance = duet.Instance.from_times([8, 8, 2], [4, 4, None], 1, 2, edges=[(0, 1), (1, 2)])
        things = [duet.bound(instance), duet.simulate(instance, "eft", runs=3), duet.algorithms(),
                  duet.solve(instance).schedule, duet.Progress("x", Decimal(1), None, .5)]
        for how, again in copies(things):
            with self.subTest(how=how):
                self.assertEqual(again, things)
        judged = duet.judge(duet.solve(instance), instance)
        for how, again in copies(judged):
            with self.subTest(how=how):
                self.assertEqual((again.bound, again.gap, again.optimal), (judged.bound, judged.gap, judged.optimal))
        for name in duet.__all__:
            kind = getattr(duet, name)
            if isinstance(kind, type) and issubclass(kind, Exception):
                for how, again in copies(kind("what is wrong")):
                    with self.subTest(how=how, error=name):
                        self.assertEqual((type(again), str(again)), (kind, "what is wrong"))

    def test_without_files_in_memory(self):
        """Where the system has none they are in a folder, and messages are the same."""
        instance = duet.Instance.from_dict(MOLDABLE)
        solution = duet.solve(instance, algorithm="hcpa")
        with unittest.mock.patch.object(os, "memfd_create", side_effect=OSError):
            self.assertEqual(what_solves(copy.deepcopy(solution)), what_solves(solution))
            with self.assertRaisesRegex(duet.InputError, "^description: expected work"):
                duet.Instance.from_dict({"tasks": [{"id": "a", "work": -1}]})
            with self.assertRaisesRegex(duet.InputError, r"^runs\[0\]: unknown task"):
                duet.read_solution([("nobody", "cpu", 0, 0)], instance).verify()

    def test_own_kinds(self):
        """A class of one's own, and what one has written into an object."""
        instance = Named.from_times([1], [2], 1, 1)
        instance.tag = ["mine"]
        solution = duet.solve(instance)
        solution.tag = "solved"
        again = pickle.loads(pickle.dumps(solution))
        self.assertEqual((type(again.instance), again.instance.tag, again.tag), (Named, ["mine"], "solved"))

    def test_none_is_left_out(self):
        """Every public class is either copied above or says that it is not."""
        classes = {name for name in duet.__all__ if isinstance(getattr(duet, name), type) and
                   not issubclass(getattr(duet, name), (Exception, tuple))}
        self.assertEqual(classes, {"Instance", "Solution", "Cancel", "Revealed", "Rule", "Sizing", "Table"})
        sizing = duet.size(duet.Instance.from_times([4], [3], 1, 1), 4, {"cpu": (0, 2)})
        self.assertEqual(pickle.loads(pickle.dumps(sizing)), sizing)
        self.assertEqual(list(sizing.platforms[0]), ["counts", "price", "status", "makespan", "lower_bound", "solved"])
        hours = duet.Instance.from_times([4, 3], [3, 2], 1, 1, unit="h")
        self.assertEqual([duet.solve(hours, deadline=due).meets(due) for due in ("3h", "180 min", "2.5h")], [True, True, False])
        for due in (4, "4h", "3 h 60 min", timedelta(hours=4)):
            self.assertEqual(duet.size(hours, due, {"cpu": (0, 2)}).smallest, [{"cpu": 1, "gpu": 1}])
        with self.assertRaisesRegex(duet.UsageError, "unit of time"):
            duet.size(duet.Instance.from_times([4], [3], 1, 1), "4h", {"cpu": 1})
        table = duet.Table([{"a": 1, "b": None}])
        again = pickle.loads(pickle.dumps([table, of_its_own]))
        self.assertEqual((again[0].to_dict(), again[1]), (table.to_dict(), of_its_own))

    def test_alone(self):
        def asked(task):
            refused(task)
            return 0

        def refused(thing):
            for how in (copy.copy, copy.deepcopy, *(
                    (lambda one, p=protocol: pickle.dumps(one, p)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1))):
                with self.assertRaisesRegex(duet.UsageError, "cannot be copied or pickled; "):
                    how(thing)
        refused(duet.Cancel())
        duet.solve([1, 2], [2, 1], 1, 1, asked)


class Named(duet.Instance):
    """At the top of the module, where pickle finds it."""


def solve_there(pipe):
    """What another process does: it is sent instances and solutions, and sends what it makes."""
    for instance, solution in pipe.recv():
        pipe.send((what_is(instance), what_solves(solution), solution,
                   duet.solve(instance, threads=1, time_limit=0.1)))
    pipe.close()


class Processes(unittest.TestCase):
    def test_spawn(self):
        pairs = [(one, duet.solve(one, threads=1, time_limit=0.1)) for _, one in described()]
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=solve_there, args=(there,))
        process.start()
        there.close()
        here.send(pairs)
        for instance, solution in pairs:
            seen, seen_solution, again, solved = here.recv()
            self.assertEqual((seen, seen_solution), (what_is(instance), what_solves(solution)))
            self.assertEqual(what_solves(again), what_solves(solution))
            self.assertLessEqual(solved.lower_bound, solution.makespan)
            solved.verify()
        process.join()
        self.assertEqual(process.exitcode, 0)


class Kept(unittest.TestCase):
    """Objects that borrow from the library, beyond what they borrow."""

    def ask(self, task):
        for what in (lambda: task.task, lambda: task.now, lambda: task.time("cpu"), lambda: task.start(0),
                     lambda: task.end(0), lambda: task.processors("gpu"), lambda: task.bottom_level, lambda: task.descendants):
            with self.assertRaisesRegex(duet.UsageError, "kept beyond the call of the rule"):
                what()

    def kept_of(self, use):
        kept = []

        def rule(task):
            kept.append(task)
            self.assertIsNotNone(task.start("cpu"))
            return "cpu"
        use(rule)
        self.assertGreater(len(kept), 0)
        return kept

    def test_revealed(self):
        times = {"cpu": [4, 9, 2, 7], "gpu": [3, 1, 2, 2]}
        for use in (lambda rule: duet.solve(times, platform={"cpu": 1, "gpu": 1}, edges=[(0, 2), (1, 3)],
                                            algorithm=rule),
                    lambda rule: duet.simulate(duet.Instance.from_table(times, 1, 1), rule, runs=2)):
            for task in self.kept_of(use):
                self.ask(task)

    def test_revealed_of_a_rule_that_raises(self):
        kept = []

        def rule(task):
            kept.append(task)
            raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError):
            duet.solve([1], [1], 1, 1, rule)
        self.ask(kept[0])

    def test_revealed_in_another_thread(self):
        """It asks while the call lasts and after: a number or the error, whenever the call ends."""
        stop, kept, faults, threads = threading.Event(), [], [], []

        def ask(task):
            while not stop.is_set():
                try:
                    task.start("cpu")
                except duet.UsageError:
                    return
                except BaseException as fault:
                    faults.append(fault)
                    return

        def rule(task):
            if task.task % 50 == 0:
                threads.append(threading.Thread(target=ask, args=(task,)))
                threads[-1].start()
            kept.append(task)
            return task.task % 2
        duet.solve([1] * 1000, [2] * 1000, 1, 1, rule)
        for task in kept:
            self.ask(task)
        for thread in threads:
            thread.join()
        self.assertEqual((faults, len(threads)), ([], 20))

    def test_made_by_hand(self):
        """A number is no handle of the library."""
        for kind in (duet.Instance, duet.Solution, duet.Revealed):
            for arguments in ((), (0,), (12345,), (None, 12345), (duet.Instance, 1, 2)):
                with self.assertRaisesRegex(duet.UsageError, "expected one that"):
                    kind(*arguments)
        for kind in (duet.Instance, duet.Solution):
            empty = kind.__new__(kind)
            for use in (len, repr, copy.copy, pickle.dumps, lambda one: one.write("x.json")):
                with self.assertRaises(duet.UsageError):
                    use(empty)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_arrays(self):
        """One over the library's memory keeps the solution, and nobody writes through it."""
        solution = duet.solve([4, 9, 2, 7], [3, 1, 2, 2], 1, 1)
        before = [tuple(row) for row in solution.as_array()]
        array, column, again = solution.as_array(), solution.as_array()["start"], copy.deepcopy(solution.as_array())
        del solution
        gc.collect()
        others = [duet.solve([4, 9, 2, 7], [3, 1, 2, 2], 1, 1) for _ in range(50)]
        self.assertEqual([tuple(row) for row in array], before)
        self.assertEqual([row[0] for row in before], column.tolist())
        self.assertEqual([tuple(row) for row in again], before)
        self.assertEqual([tuple(row) for row in pickle.loads(pickle.dumps(array))], before)
        self.assertEqual(len(others), 50)
        with self.assertRaises(ValueError):
            array.flags.writeable = True
        with self.assertRaises(ValueError):
            array["type"] = 7

    def test_solutions_of_another_instance(self):
        """What is drawn, simulated or judged together is of one problem."""
        one = duet.Instance.from_times([1, 2, 3], [3, 2, 1], 1, 1)
        other = duet.Instance.from_times([1], [3], 1, 1)
        a, b = duet.solve(one), duet.solve(other)
        with tempfile.TemporaryDirectory() as folder:
            for wrong in (lambda: a.gantt(Path(folder) / "x.svg", beside=b),
                          lambda: duet.simulate(one, plan=b), lambda: duet.judge(b, one)):
                with self.assertRaisesRegex(duet.UsageError, "of the .*instance, got"):
                    wrong()
            again = pickle.loads(pickle.dumps(a))
            a.gantt(Path(folder) / "x.svg", beside=again)
            duet.simulate(one, plan=again, runs=1)
            self.assertEqual(duet.judge(again, one).gap, a.gap)


if __name__ == "__main__":
    unittest.main()
