# SPDX-License-Identifier: Apache-2.0
"""Every parameter of every public function and method, found by inspect, with values that nobody means:
what comes out is an error of duet, which names the parameter where the value is of no use anywhere, or a
result. Never an AttributeError or a TypeError from inside, and never a crash."""
import array
import inspect
import math
import os
import tempfile
import unittest
import unittest.mock
from collections import OrderedDict, UserDict, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duet

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None


class Raising:
    """Whatever Python asks of it, it raises."""

    def _raise(self, *_):
        raise RuntimeError("asked")
    __repr__ = __str__ = __len__ = __iter__ = __index__ = __float__ = __int__ = __fspath__ = _raise
    __getitem__ = __bool__ = __eq__ = __hash__ = _raise


class Lying:
    """Its length is no length, its items are no items."""

    def __len__(self):
        return -1

    def __iter__(self):
        return self


class Indexed:
    """A number to those who ask for an index."""

    def __index__(self):
        return 2


def cyclic():
    value = [1]
    value.append(value)
    return value


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


# Of no use anywhere: refused by every parameter, which is named.
NEVER = [object(), 1j, Raising(), Lying(), NotImplemented, ...]

ODD = NEVER + [
    None, True, False, 0, -1, 1, 3, 1.5, -0.0, math.nan, math.inf, -math.inf, 10**30, -2**63, 2**63, 10**5000,
    1e300, Decimal("sNaN"), Decimal("1e-400"), Fraction(1, 3), "", "x", "cpu", "1", "a\0b", "\ud800", "\u202e\x1b[8m",
    b"", b"cpu", bytearray(b"ab"), memoryview(b"ab"), array.array("d", [1.5]), array.array("q", [1, 2]), [], [[]], [None],
    ["x"], [1, 2], (1, 2), (1, 2, 3), ("cpu", 1), cyclic(), nested(50000), {}, {"cpu": 1}, {"cpu": [1], "gpu": [2]},
    {1: 2}, {None: None}, {"cpu": object()}, {"tasks": cyclic()}, {"x": 10**5000}, {"\ud800": "\0"}, set(), {1, 2},
    frozenset("ab"), range(3), range(0), deque([1, 2]), OrderedDict(cpu=1), UserDict(cpu=1), iter([1, 2]),
    (x for x in "ab"), {"a": 1}.keys(), {"a": 1}.values(), map(str, [1]), zip([1], [2]), slice(1), Path("x"), Indexed(),
    ValueError("x"), Ellipsis, unittest.mock.MagicMock(), unittest.mock.Mock(spec=[]), [object()], [{}], [Raising()],
    [("a", "b")], [(0, 1)], [(0, 1, "x")], [(0, 1, [[1]])], [("t0", "cpu", 0, 0)], [{"task": "t0"}], os.environ,
]

if numpy is not None:
    ODD += [numpy.int64(2), numpy.float32(1.5), numpy.bool_(True), numpy.str_("x"), numpy.array(3), numpy.array([]),
            numpy.array([1, 2]), numpy.array([[1, 2], [3, 4]]), numpy.array([[1.5, 2]]), numpy.array(["a"]),
            numpy.array([object()]), numpy.array([1, 2]).astype("datetime64[s]"), numpy.ma.masked, numpy.zeros((0, 2), int),
            numpy.zeros(3, [("a", int)]), numpy.matrix([[1, 2]]), pandas.NA, pandas.NaT, pandas.Series([1, 2]),
            pandas.Series([1, 2], index=["a", "a"]), pandas.DataFrame(), pandas.DataFrame({"cpu": [1, 2]}),
            pandas.DataFrame({1: [1]}), pandas.DataFrame([[1, 2]], columns=["a", "a"]), pandas.Index(["a"]),
            pandas.Timestamp(0), pandas.Series([1, None], dtype="Int64"), pandas.Categorical(["a"]),
            pandas.DataFrame({"after": [object()], "cpu": [1]}), pandas.DataFrame({"count": ["x"], "cpu": [1]}),
            pandas.DataFrame({"id": [None], "cpu": [1]})]

# Functions are a use of `algorithm` and `progress`: what they raise is raised.
FUNCTIONS = [len, int, lambda: 0, lambda *a, **k: None, type, object, duet.Instance, duet.solve]


class Graph:
    """What networkx has of a directed graph."""

    @staticmethod
    def nodes(data):
        return [(0, {"time": 3}), ((1, 2), {"time": 4})]

    @staticmethod
    def edges(data):
        return [(0, (1, 2), {"weight": 2.5})]

    @staticmethod
    def is_directed():
        return True


def fastest(task):
    return min(("cpu", "gpu"), key=lambda type: task.start(type) + task.time(type))


def good_arguments():
    """Arguments with which each public function is content, by its qualified name; "self" is the object
    of a method."""
    instance = duet.Instance.from_times([3, 4], [1, 2], 2, 1, edges=[(0, 1, 2)])
    solution = duet.solve(instance, algorithm="heft")
    moldable = duet.Instance.from_dict({
        "platform": [{"type": "cpu", "count": 2}], "tasks": [{"id": "a", "times": [[3, 2]]}, {"id": "b", "times": [4]}],
        "edges": [["a", "b"]]})
    times = {"cpu": [3, 4], "gpu": [1, 2]}
    instance.write("instance.json")
    return {
        "solve": dict(cpu=[3, 4], gpu=[1, 2], m=2, k=1, time_limit=1, threads=1, algorithm="eft"),
        "simulate": dict(instance=instance, algorithm="eft", runs=2),
        "size": dict(instance=instance, deadline=9, platform={"cpu": (1, 2)}, price={"cpu": 1, "gpu": 2}, threads=1,
                     algorithm="eft", time_limit=1, seed=1),
        "bound": dict(instance=instance, name="longest", time_limit=1),
        "judge": dict(source=solution, instance=instance),
        "read": dict(path="instance.json"),
        "read_solution": dict(source=[("t0", "cpu", 0, 0), ("t1", "cpu", 0, 3)], instance=instance),
        "generate": dict(family="unif4", n=5),
        "algorithms": {}, "bounds": {}, "families": {}, "features": {},
        "Instance.from_times": dict(cpu=[3, 4], gpu=[1, 2], m=2, k=1),
        "Instance.from_table": dict(times=times, m=2, k=1),
        "Instance.from_graph": dict(graph=Graph(), platform={"cpu": 2}, time="time", cost="weight"),
        "Instance.from_dict": dict(description={"tasks": [{"id": "a", "times": [1, 2]}]}),
        "Instance.from_ticks": dict(times=memoryview(array.array("q", [3, 1])).cast("B").cast("q", (1, 2)), m=1, k=1),
        "Instance.copy": dict(self=instance),
        "Instance.times": dict(self=instance, task=0, type="cpu"),
        "Instance.cost": dict(self=instance, edge=0, source="cpu", target="gpu"),
        "Instance.redistribution": dict(self=moldable, edge=0, source=("cpu", 1), target=("cpu", 1)),
        "Instance.set_platform": dict(self=duet.Instance.from_times([3], [1], 2, 1), counts=(2, 1)),
        "Instance.set_start": dict(self=duet.Instance.from_times([3], [1], 2, 1, unit="h"), start="2026-11-27T09:00"),
        "Instance.time": dict(self=instance, ticks=3),
        "Instance.task_id": dict(self=instance, task=0),
        "Instance.release": dict(self=instance, task=0), "Instance.deadline": dict(self=instance, task=0),
        "Instance.group": dict(self=instance, task=0),
        "Instance.write": dict(self=instance, path="out.json"),
        "metrics": dict(solution=solution,
                        watts=dict.fromkeys(solution.instance.platform, 1),
                        idle_watts=dict.fromkeys(solution.instance.platform, 1)),
        "Solution.meets": dict(self=solution, deadline=3),
        "Solution.processors": dict(self=solution, task=0),
        "Solution.as_array": dict(self=solution), "Solution.verify": dict(self=solution),
        "Solution.to_pandas": dict(self=solution), "Solution.plot": dict(self=solution),
        "Instance.to_dict": dict(self=instance),
        "Table.to_dict": dict(self=duet.Table([{"a": 1}])),
        "rule": dict(function=fastest),
        "compare": dict(instance=instance, algorithms=["eft"], time_limit=1, threads=1),
        "what_if": dict(instance=instance, platforms=[{"gpu": 1}], algorithm="eft", threads=1),
        "command": dict(arguments=("list", "formats")),
        "report": dict(path="out.html", solutions=[solution]),
        "search_worst": dict(rule="eft", tasks=3, m=1, k=1, evaluations=20),
        "adversary": dict(rule="eft", adversary="theorem-1", tau=3, n=6, k=1),
        "Solution.write": dict(self=solution, path="out.json"),
        "Solution.gantt": dict(self=solution, path="out.svg"),
        "Solution.trace": dict(self=solution, path="out.paje"),
        "Cancel.request": dict(self=duet.Cancel()),
    }


def public_functions():
    """Of the module and its classes, by qualified name. Named tuples and dictionaries hold what they are given, and
    errors too; a Revealed is in test_revealed()."""
    for name in duet.__all__:
        thing = getattr(duet, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing) and not issubclass(thing, (Exception, tuple, dict, duet.Revealed, duet.Rule)):
            for member, value in inspect.getmembers(thing):
                if not member.startswith("_") and callable(value):
                    yield f"{name}.{member}", value


def call(function, arguments):
    arguments = dict(arguments)
    placed = [arguments.pop("self")] if "self" in arguments else []
    placed += arguments.pop("counts", ()) if function.__name__ == "set_platform" else ()
    placed += arguments.pop("arguments", ()) if function.__name__ == "command" else ()
    return function(*placed, **arguments)


def short(value):
    try:
        return f"{type(value).__name__} {repr(value)[:60]}"
    except Exception:
        return type(value).__name__


class Every(unittest.TestCase):
    def setUp(self):
        """In a folder of its own: what is a path there is written to."""
        before = os.getcwd()
        folder = tempfile.TemporaryDirectory()
        os.chdir(folder.name)
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)
        self.good = good_arguments()

    def cases(self):
        for name, function in public_functions():
            for parameter in inspect.signature(function).parameters:
                if parameter != "self":
                    yield name, function, parameter

    def given(self, name, parameter, value):
        if (name, parameter) == ("Instance.set_platform", "counts"):
            value = (value, 1)
        if (name, parameter) == ("command", "arguments"):
            value = ("list", value)
        return {**self.good[name], parameter: value}

    def tried(self, name, function, parameter, value):
        """The error, or None."""
        try:
            call(function, self.given(name, parameter, value))
        except duet.DuetError as fault:
            return fault
        except Exception as fault:
            self.fail(f"{name}({parameter}={short(value)}): {type(fault).__name__}: {fault}")
        return None

    def test_words_of_other_tools(self):
        for other, meant in (("timeout", "time_limit"), ("n_jobs", "threads"), ("verbose", "progress"), ("hint", "start_from")):
            with self.assertRaisesRegex(TypeError, f"did you mean {meant}=[?]"):
                duet.solve([3], [1], m=1, k=1, **{other: 3})
        with self.assertRaisesRegex(duet.UsageError, "did you mean chol[?]"):
            duet.generate("cholesky", 4, 2, 1)
        with self.assertRaisesRegex(duet.UsageError, r"Instance.from_table\(\) and read\(\) make"):
            duet.compare({"cpu": [3, 4]}, ["heft"])

    @unittest.skipIf(pandas is None, "pandas is not there")
    def test_a_frame_of_edges(self):
        ids = {"cpu": [3, 4], "gpu": [1, 2], "m": 1, "k": 1, "ids": ["a", "b"]}
        for frame in (pandas.DataFrame({"from": ["a"], "to": ["b"]}), pandas.DataFrame({"x": [0], "y": [1], "cost": [5]})):
            self.assertEqual(duet.solve(**ids, edges=frame).makespan, 3)
        with self.assertRaisesRegex(duet.UsageError, "columns from, to and"):
            duet.solve(**ids, edges=pandas.DataFrame({"from": ["a"]}))

    def test_good(self):
        """The arguments of which one is changed at a time are good, and none is missing."""
        self.assertEqual({name for name, _ in public_functions()}, set(self.good))
        for name, function in public_functions():
            if numpy is None and name in ("Solution.as_array", "Solution.to_pandas"):
                continue
            if matplotlib is None and name == "Solution.plot":
                continue
            with self.subTest(function=name):
                call(function, self.good[name])

    def test_odd_values(self):
        count = 0
        for name, function, parameter in self.cases():
            with self.subTest(function=name, parameter=parameter):
                for value in ODD:
                    self.tried(name, function, parameter, value)
                    count += 1
                if parameter not in ("algorithm", "progress", "algorithms", "rule", "rules", "function"):
                    for value in FUNCTIONS:
                        self.tried(name, function, parameter, value)
        self.assertGreater(count, 100 * 80)

    def test_named(self):
        """What is of no use anywhere is refused by the name of the parameter."""
        for name, function, parameter in self.cases():
            for value in NEVER:
                with self.subTest(function=name, parameter=parameter, value=type(value).__name__):
                    fault = self.tried(name, function, parameter, value)
                    self.assertIsInstance(fault, duet.UsageError)
                    self.assertRegex(str(fault), rf"^{parameter}\b.*expected")

    def test_several_at_once(self):
        """Two odd values together: what looks at the one must not trip over the other."""
        import random
        rng = random.Random(int(os.environ.get("DUET_TEST_SEED", "1")))
        cases = [*self.cases()]
        for _ in range(2000):
            name, function, parameter = rng.choice(cases)
            other = rng.choice([p for n, _, p in cases if n == name])
            arguments = {**self.given(name, parameter, rng.choice(ODD)), **{
                other: self.given(name, other, rng.choice(ODD))[other]}}
            try:
                call(function, arguments)
            except duet.DuetError:
                pass
            except Exception as fault:
                self.fail(f"{name}({ {a: short(v) for a, v in arguments.items()} }): {fault!r}")

    def test_revealed(self):
        def rule(task):
            for method in (task.time, task.start, task.processors):
                for value in ODD + FUNCTIONS:
                    try:
                        method(value)
                    except duet.UsageError as fault:
                        self.assertIn("type: expected", str(fault))
            return 0
        duet.solve([3], [1], 1, 1, rule)

    def test_what_a_rule_returns(self):
        """Anything but a type is refused; what a function of the user raises is raised as it is."""
        for value in ODD + FUNCTIONS:
            try:
                duet.solve([3], [1], 1, 1, lambda task, value=value: value)
            except duet.UsageError as fault:
                self.assertIn("lambda(): expected one of cpu, gpu", str(fault))
        for function in (len, lambda: 0, duet.Instance):
            with self.assertRaises((TypeError, duet.UsageError)):
                duet.solve([3], [1], 1, 1, function)

    def test_unusual_but_meaningful(self):
        """What is no list, and yet means something."""
        def made(**more):
            return duet.Instance.from_times(**{**dict(cpu=[3, 4], gpu=[1, 2], m=2, k=1), **more})
        for value in ((3, 4), range(3, 5), deque([3, 4]), array.array("q", [3, 4]), {"a": 3, "b": 4}.values(),
                      ["3", Decimal(4)], bytearray([3, 4])):
            self.assertEqual([made(cpu=value).times(j, "cpu") for j in (0, 1)], [[3], [4]])
        self.assertEqual(made(ids="ab").task_id(1), "b")
        self.assertEqual(made(edges=iter([(0, 1)])).edges, [(0, 1)])
        self.assertEqual(made(edges={(0, 1): None}.keys()).edges, [(0, 1)])
        self.assertEqual(made(m=Indexed()).platform["cpu"], 2)
        platform = {"gpu": 1, "cpu": 3}
        for cpu, gpu in (([3, 4], [1, 2]), *(() if numpy is None else ((numpy.array([3, 4]), numpy.array([1, 2])),))):
            self.assertEqual(duet.Instance.from_times(cpu, gpu, platform=platform).platform, {"cpu": 3, "gpu": 1})
            for wrong in (dict(platform=platform, m=1), dict(platform={"cpu": 1}), dict(m=1), {}):
                with self.assertRaises(duet.UsageError):
                    duet.Instance.from_times(cpu, gpu, **wrong)
        self.assertEqual(made(exact_times=1).platform, made(exact_times=False).platform)
        self.assertEqual(duet.solve(made(), gap=Decimal("0.1"), options=UserDict(), time_limit=True + 0).gap, 0)
        self.assertEqual(duet.simulate(made(), "eft", noise=("none" for _ in range(2)), runs=1).planned, 3)
        self.assertEqual(duet.read_solution(iter([("t0", "cpu", "0", 0), ("t1", "cpu", 1, 0)]), made()).makespan, 4)
        if numpy is not None:
            self.assertEqual(made(counts=numpy.array([2, 1]), ids=pandas.Series(["a", "b"], index=[7, 5]),
                                  edges=[("a#1", "b")]).edges, [(1, 2)])
            self.assertEqual(made(exact_times=numpy.bool_(True), m=numpy.uint8(2)).platform["cpu"], 2)
            rule = duet.solve([3, 4], [1, 2], 1, 1, lambda task: numpy.argmin([task.start(0), task.start(1)]))
            rule.verify()

    def test_missing_and_too_many(self):
        """How many arguments there are and what they are called is Python's to say."""
        for wrong in (lambda: duet.read(), lambda: duet.solve(speed=3), lambda: duet.generate("unif4", 5, 2, 1, 7),
                      lambda: duet.bound()):
            with self.assertRaises(TypeError):
                wrong()


if __name__ == "__main__":
    unittest.main()
