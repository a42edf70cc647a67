# SPDX-License-Identifier: Apache-2.0
"""Releases, busy processors, cores and deadlines from Python; a schedule to start from. Optima are those of
every order of the tasks on every assignment to processors."""
import array
import contextlib
import copy
import io
import itertools
import os
import pickle
import random
import tempfile
import unittest
import warnings
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duet

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None

FORBIDDEN = 2**63 - 1
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))


def shortest(times, free, release):
    """The optimum of tasks with times by type: `free` has, for each processor, its type and until when it is
    busy. On a processor tasks by their releases are best."""
    best = None
    order = sorted(range(len(release)), key=lambda j: release[j])
    for places in itertools.product(range(len(free)), repeat=len(release)):
        end = [until for _, until in free]
        makespan = 0
        for j in order:
            time = times[free[places[j]][0]][j]
            if time is None:
                break
            end[places[j]] = max(end[places[j]], release[j]) + time
            makespan = max(makespan, end[places[j]])
        else:
            best = makespan if best is None else min(best, makespan)
    return best


def shortest_rigid(times, cores, processors):
    """The optimum of tasks that take several of so many equal processors: lists by every order."""
    best = None
    for order in itertools.permutations(range(len(times))):
        end = [0] * processors
        for j in order:
            end.sort()
            end[:cores[j]] = [end[cores[j] - 1] + times[j]] * cores[j]
        best = max(end) if best is None else min(best, max(end))
    return best


class Waits(unittest.TestCase):
    def test_optima(self):
        rng = random.Random(SEED)
        for trial in range(25):
            n, m, k = rng.randint(1, 4), rng.randint(1, 2), rng.randint(1, 2)

            def drawn(most):
                return Decimal(rng.randint(0, most)).scaleb(-rng.randint(0, 1))
            times = [[drawn(30) for _ in range(n)] for _ in range(2)]
            release = [drawn(40) for _ in range(n)]
            busy = {name: [drawn(20) for _ in range(rng.randint(0, count))] for name, count in (("cpu", m), ("gpu", k))}
            free = [(t, until) for t, (name, count) in enumerate((("cpu", m), ("gpu", k)))
                    for until in [*busy[name], *[0] * (count - len(busy[name]))]]
            expected = shortest(times, free, release)
            for given in (release, dict(enumerate(release)), {f"t{j}": time for j, time in enumerate(release)},
                          list(map(float, release))):
                with self.subTest(seed=SEED, trial=trial):
                    s = duet.solve(*times, m, k, release=given, busy=busy, threads=1)
                    self.assertEqual((s.makespan, s.status), (expected, "optimal"))
                    s.verify()
                    for run, least in zip(s.schedule, release):
                        self.assertGreaterEqual(run.start, least)

    def test_ticks(self):
        times = memoryview(array.array("q", [30, 20, FORBIDDEN, 25])).cast("B").cast("q", (2, 2))
        made = duet.Instance.from_ticks(times, 1, 1, decimals=3, ids=["a", "b"], release={"b": 5}, busy={"gpu": [7]})
        self.assertEqual((made.release(1), made.release(0), made.busy), (Decimal("0.005"), 0, {"gpu": [Decimal("0.007")]}))
        self.assertEqual(duet.solve(made).makespan, Decimal("0.032"))
        for wrong in (dict(release=[1.5, 0]), dict(release=[True, 0]), dict(release=[-1, 0]), dict(release=[2**62 + 1, 0]),
                      dict(busy={"gpu": ["3"]}), dict(release=[1]), dict(busy={"npu": [1]})):
            with self.assertRaises(duet.UsageError):
                duet.Instance.from_ticks(times, 1, 1, **wrong)
        if numpy is not None:
            column = numpy.array([3, 4])
            made = duet.Instance.from_times(column, column, 1, 1, release=numpy.array([1, 2]))
            self.assertEqual([made.release(j) for j in (0, 1)], [1, 2])

    def test_scale(self):
        """Releases and busy processors have a part in how fine a tick is."""
        made = duet.Instance.from_times([3], [2], 1, 2, release=["0.125"], busy={"gpu": [None, Fraction(1, 2)]})
        self.assertEqual((made.decimals, made.release(0), made.busy), (3, Decimal("0.125"), {"gpu": [0, Decimal("0.5")]}))
        with self.assertRaises(duet.UsageError):
            duet.Instance.from_times([3], [2], 1, 1, release=[Fraction(1, 3)], exact_times=True)
        with self.assertWarns(duet.Note):
            made = duet.Instance.from_times([10**10], [2], 1, 1, release=[Fraction(1, 3)])
        self.assertIn("rounded", made.notice)
        made = duet.Instance.from_times([3], [2], 1, 1, release=[timedelta(minutes=1)])
        self.assertEqual((made.unit, made.release(0)), ("s", 60))

    def test_graph_with_waits(self):
        class Graph:
            def nodes(self, data):
                return [("a", {"time": 3, "at": 2}), ("b", {"time": 4})]

            def edges(self, data):
                return [("a", "b", {})]

            def is_directed(self):
                return True
        for release, expected in (("at", 9), ([0, 6], 10), ({"b": 7}, 11), (None, 7)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", duet.Note)  # that "at" is not used
                made = duet.Instance.from_graph(Graph(), time="time", platform={"cpu": 2}, release=release)
            self.assertEqual(duet.solve(made).makespan, expected)
        self.assertEqual(duet.solve(Graph(), time="time", platform={"cpu": 2}, release="at", busy={"cpu": [9, 4]}).makespan,
                         11)
        with self.assertRaisesRegex(duet.UsageError, "release: expected an attribute"):
            duet.solve(Graph(), time="time", m=1, release="when")

    def test_graph_with_a_name(self):
        class Graph:
            name = "etl"

            def nodes(self, data):
                return [("a", {"time": 3})]

            def edges(self, data):
                return []

            def is_directed(self):
                return True
        self.assertEqual(duet.solve(Graph(), time="time", m=1).instance.name, "etl")
        self.assertEqual(duet.solve(Graph(), time="time", m=1, name="own").instance.name, "own")

    def test_copies(self):
        made = duet.Instance.from_table({"id": ["a", "b"], "count": [1, 2], "cpu": [3, 2], "arrival": [1.5, None],
                                         "due": [4, "2.25"]}, m=2, k=[], busy={"cpu": [0, 1]})
        for again in (copy.copy(made), pickle.loads(pickle.dumps(made)), duet.Instance.from_dict(made.to_dict())):
            self.assertEqual([again.release(j) for j in range(3)], [Decimal("1.5"), 0, 0])
            self.assertEqual([again.deadline(j) for j in range(3)], [4, Decimal("2.2"), Decimal("2.2")])
            self.assertEqual((again.busy, again.decimals), ({"cpu": [0, 1]}, 1))
        ticks = memoryview(array.array("q", [3, 2])).cast("B").cast("q", (1, 2))
        again = copy.copy(duet.Instance.from_ticks(ticks, 1, 2, decimals=2, release=[100], busy={"gpu": [0, 200]}))
        self.assertEqual((again.decimals, again.release(0), again.busy), (2, 1, {"gpu": [0, 2]}))

    def test_many_processors(self):
        made = duet.Instance.from_times([1], [2], 2**31 - 1, 2, release=[3], busy={"cpu": [0, 1]})
        self.assertEqual((copy.copy(made).busy, duet.solve(made, algorithm="eft").makespan), ({"cpu": [0, 1]}, 4))

    def test_wrong(self):
        for word, wrong in (("release", [1]), ("release", [-1, 0]), ("release", [float("inf"), 0]), ("release", {"x": 1}),
                            ("release", {7: 1}), ("release", "at"), ("release", 5), ("release", ["x", 0]),
                            ("release", {True: 1}), ("busy", {"gpu": 3}), ("busy", {"npu": [3]}),
                            ("busy", {"gpu": [1, 2]}), ("busy", [3]), ("busy", {"gpu": ["x"]}), ("busy", {"gpu": [-1]}),
                            ("busy", {0: [1]}), ("deadline", 0), ("deadline", -1), ("deadline", "x"),
                            ("deadline", float("nan")), ("start_from", 3)):
            with self.subTest(word=word, wrong=wrong):
                with self.assertRaisesRegex(duet.UsageError, rf"^{word}\b.*expected"):
                    duet.solve([1, 2], [2, 3], 1, 1, **{word: wrong})
        instance = duet.generate("unif4", 3)
        for more in (dict(release=[1, 2, 3]), dict(busy={"gpu": [1]})):
            with self.assertRaises(duet.UsageError):
                duet.solve(instance, **more)

    @unittest.skipIf(pandas is None, "no pandas")
    def test_frames(self):
        frame = pandas.DataFrame({"cpu": [3, 2], "ready": [5, None]}, index=["a", "b"])
        s = duet.solve(frame, platform={"cpu": 1}, busy={"cpu": pandas.Series([1])})
        self.assertEqual((s.makespan, s.instance.task_id(1)), (8, "b"))
        times = pandas.DataFrame({"cpu": [3, 2]}, index=["a", "b"])
        release = pandas.Series([0, 6], index=["a", "b"])
        self.assertEqual(duet.solve(times, platform={"cpu": 1}, release=release).makespan, 8)
        with self.assertRaisesRegex(duet.UsageError, "indices"):
            duet.solve(times, platform={"cpu": 1}, release=release[::-1])
        self.assertEqual(duet.solve([3, 2], [3, 2], 1, 1, release=release).makespan, 8)

    def test_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.csv")
            with open(path, "w") as file:
                file.write("id,release,cpu,gpu\na,5,3,2\nb,,4,1.5\n")
            made = duet.read(path, 1, 2, busy={"gpu": [Decimal("3.5"), 0], "cpu": [1e1]})
        self.assertEqual((made.release(0), made.busy), (5, {"gpu": [Decimal("3.5")], "cpu": [10]}))


class MoreOfTables(unittest.TestCase):
    def test_cores(self):
        rng = random.Random(SEED)
        for trial in range(25):
            n, m = rng.randint(1, 4), rng.randint(2, 3)
            times = [rng.randint(1, 9) for _ in range(n)]
            cores = [rng.randint(1, m) for _ in range(n)]
            with self.subTest(seed=SEED, trial=trial):
                word = rng.choice(["cores", "ncpus", "size", "slots"])
                s = duet.solve({"cpu": times, word: [float(c) for c in cores]}, platform={"cpu": m}, threads=1)
                s.verify()
                self.assertEqual(s.makespan, shortest_rigid(times, cores, m))
                for j in range(n):
                    self.assertEqual(sum(last - first + 1 for _, first, last in s.processors(j)), cores[j])

    def test_one_core(self):
        made = duet.Instance.from_table({"cpu": [1, 2], "cores": [1, None]}, m=1, k=[])
        self.assertFalse(made.moldable)
        with self.assertRaises(duet.InfeasibleError):
            duet.solve({"cpu": [1, 2], "cores": [1, 3]}, platform={"cpu": 2})

    def test_wrong_columns(self):
        for more in ({"cores": [1, 0]}, {"cores": [1, "x"]}, {"cores": [1, 1.5]}, {"cores": [True, 1]},
                     {"release": [1, "x"]}, {"release": [0, 0], "arrival": [0, 1]}, {"deadline": ["x", 1]},
                     {"deadline": [-1, 1]}, {"release": [1]}):
            with self.subTest(more=more):
                with self.assertRaises(duet.UsageError):
                    duet.solve({"cpu": [1, 2], **more}, platform={"cpu": 2})

    def test_dates(self):
        """Releases and deadlines that are days, with or without times: told from `start`, else from the earliest."""
        first, second = datetime(2026, 12, 1, 8), datetime(2026, 12, 1, 9, 30)
        rows = [{"id": "a", "h": 2, "ready": first, "due": second}, {"id": "b", "h": 1, "ready": None, "due": date(2026, 12, 2)}]
        for ready, due in ((first, second), (str(first), second.isoformat()), ("01.12.2026 08:00", "Dec 1, 2026 9:30 AM")):
            rows[0].update(ready=ready, due=due)
            s = duet.solve(rows, platform={"h": 1}, unit="h", start="2026-12-01T07:00")
            due = [task["deadline"] for task in s.instance.to_dict()["tasks"]]
            self.assertEqual([s.instance.release(0), *due], [1, Decimal("2.5"), 41])
            self.assertEqual(s.late, {"a": Decimal("0.5")})
            self.assertEqual(duet.Instance.from_table(rows, platform={"h": 1}, unit="h", start=datetime(2026, 12, 1, 7)).release(0), 1)
        with self.assertWarnsRegex(duet.Note, "the earliest"):
            found = duet.Instance.from_times([1, 2], [3, 4], 1, 1, ids=["a", "b"], release={"b": second})
        self.assertEqual((found.release(1), found.unit), (0, "s"))
        for start in (None, "2026-12-02T00:00"):
            with self.assertRaisesRegex((duet.UsageError, duet.InputError), 'start.{1,2}2026-12-01T0'):
                duet.solve([{"cpu": 3, "due": second}], platform={"cpu": 1}, start=start, unit="s")
        utc = datetime(2026, 12, 1, 8, tzinfo=timezone.utc)
        with self.assertWarns(duet.Note):
            s = duet.solve({"cpu": [1, 1]}, platform={"cpu": 1}, unit="h", release=[utc, utc.astimezone(timezone(timedelta(hours=5))) + timedelta(hours=3)])
        self.assertEqual(s.makespan, 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.csv")
            Path(path).write_text("id,cpu,due\na,1,3/4/2026\n", encoding="utf-8")
            read = duet.read(path, m=1, unit="d", start=datetime(2026, 4, 1), options={"dates": "dmy"})
            self.assertEqual(read.deadline(0), 3)
            with self.assertRaisesRegex(duet.InputError, r'options=\{"dates": "dmy"\}'):
                duet.read(path, m=1)
        for wrong, start in (("3/4/2026", None), ("2026-02-30", None), (utc, "2026-12-01T07:00"), (7, "tomorrow"), (7, 5)):
            with self.assertRaises((duet.UsageError, duet.InputError), msg=f"{wrong} {start}"):
                duet.solve([{"cpu": 3, "due": wrong}], platform={"cpu": 1}, start=start, unit="s")
        if pandas is not None:
            days = pandas.DataFrame({"cpu": [1, 2], "due": pandas.to_datetime(["2026-12-01", None]),
                                     "ready": pandas.to_datetime(["2026-12-01 06:00", "2026-12-01 07:00:00.5"])})
            for frame in (days, days.to_dict("list"), days.to_dict("records")):
                found = duet.Instance.from_table(frame, platform={"cpu": 1}, start="2026-12-01T06:00", unit="s")
                self.assertEqual([found.deadline(0), found.deadline(1), found.release(1)], [18 * 3600, None, Decimal("3600.5")])
            array_of_days = numpy.array(["2026-12-01T06", "NaT"], dtype="datetime64[ns]")
            found = duet.Instance.from_table({"cpu": [1, 2]}, platform={"cpu": 1}, start="2026-12-01T05:00", unit="h", release=array_of_days)
            self.assertEqual([found.release(0), found.release(1)], [1, 0])

    def test_lengths_with_commas(self):
        self.assertEqual(duet.solve([{"cpu": "3,17 h"}], platform={"cpu": 1}).makespan, 11412)
        self.assertRaises(duet.UsageError, duet.solve, [{"cpu": "3,170 h"}], platform={"cpu": 1})

    def test_deadlines(self):
        rows = [{"id": "a", "cpu": 3, "deadline": "2.5"}, {"id": "b", "cpu": 4}]
        s = duet.solve(rows, platform={"cpu": 1}, unit="ms")
        self.assertEqual((s.makespan, s.instance.unit, s.instance.deadline(1)), (7, "ms", None))
        self.assertEqual(s.instance.to_dict()["tasks"][0]["deadline"], Decimal("2.5"))


class Starts(unittest.TestCase):
    cpu, gpu = [10, 8, 5, 4, 7], [2, 3, 5, 1, 2]

    def test_start_from(self):
        instance = duet.Instance.from_times(self.cpu, self.gpu, 2, 1)
        best = duet.solve(instance)
        for start in (best, copy.deepcopy(best), best.schedule, [run._asdict() for run in best.schedule]):
            s = duet.solve(instance, start_from=start, algorithm="eft", threads=1)
            self.assertEqual(s.makespan, best.makespan)
            s.verify()
        self.assertEqual(duet.solve(self.cpu, self.gpu, 2, 1, start_from=best, algorithm="heft").makespan, best.makespan)
        other = duet.solve([1], [1], 1, 1)
        for wrong in (other, 3, object()):
            with self.assertRaisesRegex(duet.UsageError, "^start_from: expected"):
                duet.solve(instance, start_from=wrong)
        with self.assertRaises(duet.InputError):
            duet.solve(instance, start_from=[("t0", "cpu", 0, 0)])

    def test_between_ticks(self):
        instance = duet.Instance.from_times([3], [4], 1, 1)
        s = duet.solve(instance, start_from=[("t0", "cpu", 0, 0.5)], algorithm="heft")
        self.assertEqual((s.makespan, s.instance.decimals), (3, 1))

    def test_deadline(self):
        instance = duet.Instance.from_times(self.cpu, self.gpu, 2, 1)
        for deadline, expected in ((7.5, True), (Decimal(7), True), ("6", False), (10**17, True)):
            s = duet.solve(instance, deadline=deadline)
            self.assertEqual(s.meets(deadline), expected)
            s.verify()
        late = duet.solve(instance, algorithm="eft", deadline=7)
        self.assertIn(late.meets(7), (True, None))
        with self.assertRaises(duet.UsageError):
            late.meets(-1)


class Page(unittest.TestCase):
    def test_page(self):
        """What docs/python.md says that its example prints."""
        page = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
        section = page.split("## When tasks and processors are there")[1]
        example = section.split("```python\n")[1].split("```")[0]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example, {})
        said = [line.partition("  # ")[2] for line in example.splitlines() if line.startswith("print(")]
        self.assertEqual(printed.getvalue().splitlines(), said)


class Groups(unittest.TestCase):
    """What tasks belong to, however it is said; and tables by row, by column and by number."""

    def groups(self, instance):
        return [instance.group(task) for task in range(3)]

    def test_said(self):
        table = {"id": ["a", "b", "c"], "cpu": [1, 2, 3], "gpu": [2, 1, 1], "Type of task": ["x", None, 7]}
        made = [duet.Instance.from_table(table, 1, 1),
                duet.Instance.from_times([1, 2, 3], [2, 1, 1], 1, 1, ids=["a", "b", "c"], group={"a": "x", "c": 7}),
                duet.solve([1, 2, 3], [2, 1, 1], 1, 1, ids=["a", "b", "c"], group=["x", None, 7]).instance]
        for instance in made:
            self.assertEqual(self.groups(instance), ["x", None, "7"])
            self.assertIsNone(instance.notice)
            self.assertEqual(self.groups(pickle.loads(pickle.dumps(instance))), ["x", None, "7"])
            self.assertEqual(self.groups(duet.Instance.from_dict(instance.to_dict())), ["x", None, "7"])
        with self.assertRaisesRegex(duet.UsageError, "group: expected 3"):
            duet.solve([1, 2, 3], [2, 1, 1], 1, 1, group=["x"])

    def test_noise(self):
        instance = duet.Instance.from_times([4, 4], [9, 9], 1, 1, group=["x", "y"])
        made = duet.simulate(instance, "eft", noise="group:x=2")
        self.assertEqual(max(run.makespan for run in made.runs), 12)

    def test_tables(self):
        """By row or by column, whatever is first."""
        rows = {"a": {"cpu": 1, "gpu": 2}, "b": {"cpu": 3, "gpu": 1}}
        columns = {"cpu": {"a": 1, "b": 3}, "gpu": {"a": 2, "b": 1}}
        split = {"index": ["a", "b"], "columns": ["cpu", "gpu"], "data": [[1, 2], [3, 1]]}
        made = [duet.Instance.from_table(table, 1, 1).to_dict() for table in (rows, columns, split)]
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0], made[2])
        self.assertEqual(duet.solve([[1, 2], [3, 1]], m=1, k=1).makespan, 1)
        with self.assertRaisesRegex(duet.UsageError, "rows or its columns"):
            duet.solve({"xeon": {"a": 1}, "knl": {"a": 2}}, m=1, k=1)
        named = duet.solve({"a": {"xeon": 1, "knl": 2}}, platform={"xeon": 1, "knl": 1}).instance
        self.assertEqual(named.to_dict()["tasks"], [{"id": "a", "times": [1, 2]}])

    def test_numbered(self):
        """Where ids are numbers, numbers of tasks are ids."""
        made = duet.Instance.from_times([1, 2], [2, 1], 1, 1, ids=[2, 1], edges=[(2, 1)])
        self.assertEqual(list(made.edges), [(0, 1)])
        with self.assertRaisesRegex(duet.UsageError, "expected the id of a task"):
            duet.Instance.from_times([1, 2], [2, 1], 1, 1, ids=[2, 1], edges=[(0, 1)])
        made = duet.Instance.from_times([1, 2], [2, 1], 1, 1, ids=["2", "1"], edges=[(0, 1)])
        self.assertEqual(list(made.edges), [(0, 1)])


if __name__ == "__main__":
    unittest.main()
