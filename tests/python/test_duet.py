# SPDX-License-Identifier: Apache-2.0
"""The Python module: what it gives out, what it refuses, and what it leaves behind."""
import copy
import csv
import decimal
import doctest
import gc
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duet

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

CPU = [33, 170, 95, 88]
GPU = [15.6, 5.95, 3.65, 8.11]


def optimum(cpu, gpu, m, k):
    """By trying every assignment; small ones only."""
    best = math.inf
    loads = [0] * (m + k)

    def place(task):
        nonlocal best
        if max(loads, default=0) >= best:
            return
        if task == len(cpu):
            best = max(loads)
            return
        for p in range(m + k):
            cost = cpu[task] if p < m else gpu[task]
            if cost is None:
                continue
            loads[p] += cost
            place(task + 1)
            loads[p] -= cost

    place(0)
    return best


class Solving(unittest.TestCase):
    def test_tour(self):
        s = duet.solve(CPU, GPU, m=2, k=1)
        self.assertEqual((s.status, s.makespan, s.lower_bound, s.gap),
                         ("optimal", Decimal(33), Decimal(33), 0))
        self.assertEqual(s.verify(), "certified")
        self.assertEqual(len(s.schedule), 4)
        self.assertEqual(max(r.end for r in s.schedule), s.makespan)
        self.assertGreaterEqual(s.seconds, 0)
        self.assertFalse(s.interrupted)
        self.assertIsNone(s.ending)

    def test_truth(self):
        seed = int(os.environ.get("DUET_TEST_SEED", "1"))
        for seed in range(seed, seed + 150):
            rng = random.Random(seed)
            n, m, k = rng.randint(1, 6), rng.randint(1, 3), rng.randint(1, 2)
            cpu = [rng.choice([None, 1, 2]) and rng.randint(0, 30) for _ in range(n)]
            gpu = [rng.randint(0, 30) if c is None or rng.random() < 0.9 else None for c in cpu]
            with self.subTest(seed=seed):
                truth = optimum(cpu, gpu, m, k)
                s = duet.solve(cpu, gpu, m, k, algorithm="exact")
                self.assertEqual(s.makespan, truth)
                for name in ("lpt", "eft", "dualhp", "heteroprio"):
                    found = duet.solve(cpu, gpu, m, k, algorithm=name)
                    found.verify()
                    self.assertGreaterEqual(found.makespan, truth)

    def test_every_algorithm(self):
        for row in duet.algorithms():
            with self.subTest(algorithm=row.name):
                try:
                    s = duet.solve(CPU, GPU, 2, 1, row.name)
                except duet.UnsupportedError:
                    continue
                s.verify()
                self.assertEqual(s.algorithm, row.name)
                if row.guarantee is None:
                    self.assertIsNone(s.guarantee)

    def test_counts_and_ids(self):
        s = duet.solve([4, 2], [1, 3], 1, 1, counts=[2, 3], ids=["a", "b"])
        self.assertEqual([r.task for r in s.schedule], ["a#0", "a#1", "b#0", "b#1", "b#2"])
        self.assertEqual(len(s), 5)

    def test_options(self):
        s = duet.solve(CPU, GPU, 2, 1, "dual-4-3", options={"table": "collapsed", "improve": True})
        s.verify()
        with self.assertRaisesRegex(duet.UsageError, "table"):
            duet.solve(CPU, GPU, 2, 1, "dual-4-3", options={"table": "round"})

    def test_empty(self):
        s = duet.solve([], [], 1, 1)
        self.assertEqual((s.makespan, s.gap, s.schedule), (0, 0, []))

    def test_aborted(self):
        """HeteroPrio spoliates here: the CPU gives the long task up for the GPU."""
        s = duet.solve([100, 101], [90, 1], 1, 1, "heteroprio")
        s.verify()
        self.assertTrue(all(r.end > r.start for r in s.aborted))


class Times(unittest.TestCase):
    def test_exact(self):
        s = duet.solve([0.1, "0.2", Decimal("0.3")], [None, math.inf, None], 1, 0)
        self.assertEqual(s.makespan, Decimal("0.6"))
        self.assertEqual(s.makespan_ticks, 6)

    def test_ninth_place(self):
        s = duet.solve(["0.000000001"], [None], 1, 0)
        self.assertEqual(s.makespan, Decimal("0.000000001"))
        s = duet.solve([1e-10], [None], 1, 0)
        self.assertEqual((s.makespan, s.instance.notice), (Decimal("1e-10"), None))

    def test_options_of_reading(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,gpu,after\na,2,\nb,3,a\n")
            instance = duet.read(path, options={"gpu": 1.5})
            self.assertEqual(instance.edges, [(0, 1)])
            self.assertEqual(list(instance.platform), ["cpu", "gpu"])
            instance = duet.read(path, 1, 1, options={"gpu": "gamma:15:15:1", "edges": False})
            self.assertIn("1 edge is left out", instance.notice)
            with self.assertRaisesRegex(duet.UsageError, "option gpu: expected a number above 0"):
                duet.read(path, options={"gpu": 0})
            with self.assertRaisesRegex(duet.UsageError, "unknown option 'edge'"):
                duet.read(path, options={"edge": False})

    def test_every_place_counts(self):
        """Not rounded to the 28 digits that decimal contexts have, but to the finest tick that fits,
        or refused."""
        for bad, ticks, decimals in (("1.00000000000000000000000000000001", 10**18, 18),
                                     ("0.12345678901234567890123456789012", 123456789012345679, 18),
                                     (Decimal("1e-1000000"), 0, 18),
                                     (Decimal("12345678.90000000001234567"), 1234567890000000001,
                                      11)):
            with self.subTest(bad=bad):
                s = duet.solve([bad], [None], 1, 0)
                self.assertEqual((s.makespan_ticks, s.instance.decimals), (ticks, decimals))
                self.assertRegex(s.instance.notice, "1 of 1 times is rounded to .* largest error")
                with self.assertRaisesRegex(duet.UsageError, "decimal places"):
                    duet.solve([bad], [None], 1, 0, exact_times=True)
        for good in ("1.50000000000000000000000000000000", Decimal("15e-1"), "0.15e1"):
            with self.subTest(good=good):
                s = duet.solve([good], [None], 1, 0)
                self.assertEqual((s.makespan_ticks, s.instance.decimals), (15, 1))
        s = duet.solve(["0e1000000", "0e-1000000", "-0", "1e3"], [None] * 4, 1, 0)
        self.assertEqual((s.makespan_ticks, s.instance.decimals), (1000, 0))

    def test_too_long(self):
        for bad in ("1e1000000", Decimal("1e1000000"), 10**5000, -10**5000, 1e300, 2**63 - 1,
                    "9223372036.854775807", "9223372036854775807.1", "1e999999999999999999999"):
            with self.subTest(), self.assertRaises(duet.UsageError):
                duet.solve([bad], [1], 1, 1)

    def test_contexts(self):
        """Whatever the decimal context of the user: the same times in, the same out."""
        cpu, gpu = ["123456789.123456789", 0.1], [None, Decimal("100000000.5")]
        wanted = Decimal("123456789.223456789")
        everything = list(decimal.getcontext().traps)
        for context in (decimal.Context(prec=4), decimal.Context(prec=1, Emax=1, Emin=-1),
                        decimal.Context(prec=4, traps=everything), decimal.Context(traps=[]),
                        decimal.Context(prec=3, traps=[], rounding=decimal.ROUND_UP)):
            with self.subTest(context=context), decimal.localcontext(context):
                s = duet.solve(cpu, gpu, 1, 0)
                self.assertEqual(s.makespan.as_tuple(), wanted.as_tuple())
                self.assertEqual(max(r.end for r in s.schedule).as_tuple(), wanted.as_tuple())
                self.assertEqual(s.instance.time(-25).as_tuple(), (1, (2, 5), -9))
                self.assertEqual(s.instance.time(10**15).as_tuple(), Decimal(1000000).as_tuple())
                self.assertEqual(s.instance.time(2**63 - 1).as_tuple(),
                                 Decimal("9223372036.854775807").as_tuple())
                for bad in ("x", "sNaN", "-1", "1e1000000", "1\0", "\ud800"):
                    with self.assertRaises(duet.UsageError):
                        duet.solve([bad], [1], 1, 1)

    def test_refused(self):
        for bad in (-1, "x", True, -math.inf, [1]):
            with self.subTest(bad=bad), self.assertRaises(duet.UsageError):
                duet.solve([bad], [1], 1, 1)
        with self.assertRaises(duet.UsageError):
            duet.solve([1, 2], [1], 1, 1)
        with self.assertRaises(duet.UsageError):
            duet.solve([2**63], [1], 1, 1)
        with self.assertRaises(duet.InputError):
            duet.solve([2**62, 2**62], [2**62, 2**62], 1, 1)
        with self.assertRaises(duet.InfeasibleError):
            duet.solve([None], [None], 1, 1)
        for m in (-1, 1.5, 2**40, 2**70):
            with self.subTest(m=m), self.assertRaises(duet.DuetError):
                duet.solve([1], [1], m, 1)

    def test_arguments(self):
        with self.assertRaises(duet.UsageError):
            duet.solve(CPU, GPU, 2)
        with self.assertRaisesRegex(duet.UsageError, "quick"):
            duet.solve(CPU, GPU, 2, 1, "quick")
        instance = duet.Instance.from_times(CPU, GPU, 2, 1)
        with self.assertRaises(duet.UsageError):
            duet.solve(CPU, GPU, instance=instance)
        with self.assertRaises(duet.UsageError):
            duet.solve(instance=instance, m=3)
        for wrong in ({"instance": 7}, {"instance": instance, "cancel": 7}):
            with self.subTest(wrong=wrong), self.assertRaises(duet.UsageError):
                duet.solve(**wrong)


class Arguments(unittest.TestCase):
    """What ctypes would have wrapped or cut."""

    def refused(self, function, *arguments, **named):
        def short(value):
            huge = isinstance(value, int) and value.bit_length() > 1000
            return "huge" if huge else repr(value)
        with self.subTest(function=function.__name__, arguments=[short(a) for a in arguments],
                          named={name: short(value) for name, value in named.items()}):
            with self.assertRaises(duet.UsageError):
                function(*arguments, **named)

    def test_numbers(self):
        instance = duet.Instance.from_times(CPU, GPU, 2, 1)
        for wrong in (-1, 2**64, 2**64 + 1, 10**5000, 1.0, "1", True, None, [1]):
            self.refused(duet.solve, instance=instance, seed=wrong)
            self.refused(duet.solve, instance=instance, memory_limit=wrong)
            self.refused(duet.generate, "unif4", 5, seed=wrong)
        for wrong in (-1, 2**31, 2**32, 2**64 + 1, 1.5):
            self.refused(duet.solve, instance=instance, threads=wrong)
            self.refused(duet.solve, CPU, GPU, wrong, 1)
            self.refused(duet.solve, CPU, GPU, 1, wrong)
            self.refused(duet.generate, "unif4", 5, wrong, 1)
            self.refused(duet.generate, "unif4", 5, 1, wrong)
            self.refused(instance.set_platform, 1, wrong)
            self.refused(instance.copy, m=wrong)
        for wrong in (-1, 2**63, 2**64 + 3, 1.5):
            self.refused(duet.generate, "unif4", wrong)
        for wrong in (0, -1, 2**63, 2**64 + 1, 1.5):
            self.refused(duet.solve, [1], [1], 1, 1, counts=[wrong])
        for wrong in (-1, math.nan, math.inf, -math.inf, 10**400, "1", True, None, 1j):
            self.refused(duet.solve, instance=instance, time_limit=wrong)
        for wrong in (-0.1, math.nan, "1 %", "x", True, 1e-10, 1001):
            self.refused(duet.solve, instance=instance, gap=wrong)
        for wrong in (1.0, "1", None, True, 2**64):
            self.refused(instance.task_id, wrong)
        for wrong in (-1, 4):
            with self.assertRaises(IndexError):
                instance.task_id(wrong)
        for wrong in (1.5, 2**63, -2**63 - 1, None):
            self.refused(instance.time, wrong)
        import array
        flat = memoryview(array.array("q", [3, 1])).cast("B").cast("q", (1, 2))
        for wrong in (-1, 19, 2**32, 1.0):
            self.refused(duet.Instance.from_ticks, flat, 1, 1, decimals=wrong)
        self.refused(duet.Instance.from_ticks, [[1, 2]], 1, 1)

    def test_gap(self):
        instance = duet.generate("mixed", 200, seed=5)
        for gap, most in (("20%", Fraction(6, 5)), (0.2, Fraction(6, 5)), (Fraction(1, 4), None),
                          (1000, 1001)):
            if most is None:
                self.refused(duet.solve, instance=instance, gap=gap)
                continue
            s = duet.solve(instance=instance, gap=gap, time_limit=0)
            self.assertLessEqual(Fraction(s.makespan), most * Fraction(s.lower_bound))
            self.assertIn(s.ending, ("gap reached", None))
            self.assertFalse(s.interrupted)
        self.assertIsNone(duet.solve([3], [5], 1, 1, gap=0.5).ending)

    def test_numbers_at_the_ends(self):
        duet.solve(CPU, GPU, 2, 1, "lpt", seed=2**64 - 1, memory_limit=2**64 - 1,
                   time_limit=Fraction(1, 3), threads=1)
        a, b = (duet.generate("unif4", 5, seed=seed) for seed in (2**64 - 1, 2**63))
        self.assertNotEqual(duet.solve(instance=a, algorithm="lpt").makespan,
                            duet.solve(instance=b, algorithm="lpt").makespan)
        self.assertEqual(duet.solve([1], [None], 2**31 - 1, 0, "lpt").makespan, 1)

    def test_texts(self):
        instance = duet.Instance.from_times(CPU, GPU, 2, 1)
        for wrong in ("lpt\0x", "\0", "lpt\ud800", b"lpt", 7):
            self.refused(duet.solve, instance=instance, algorithm=wrong)
            if wrong != 7:  # which is an id, "7"
                self.refused(duet.solve, [1], [1], 1, 1, ids=[wrong])
            self.refused(duet.Instance.from_times, [1], [1], 1, 1, name=wrong)
            self.refused(duet.Instance.from_times, [1], [1], 1, 1, unit=wrong)
            self.refused(duet.generate, wrong)
            self.refused(instance.write, "/no/such/folder/a.json", format=wrong)
            self.refused(duet.solve, instance=instance, options={wrong: 1})
        for wrong in ("collapsed\0", "collapsed\udfff"):
            self.refused(duet.solve, instance=instance, algorithm="dual-4-3",
                         options={"table": wrong})
        self.refused(duet.solve, instance=instance, algorithm="dual-4-3",
                     options={"table=collapsed": ""})
        good = duet.Instance.from_times([1], [1], 1, 1, name="größe", unit="µs", ids=["é"])
        self.assertEqual((good.name, good.unit, good.task_id(0)), ("größe", "µs", "é"))

    def test_paths(self):
        s = duet.solve(CPU, GPU, 2, 1)
        with tempfile.TemporaryDirectory() as folder:
            for wrong in (folder + "/a.json\0.svg", 7, None, folder + "/\ud800"):
                for function in (duet.read, s.instance.write, s.write, s.gantt, s.trace):
                    self.refused(function, wrong)
            self.assertEqual(os.listdir(folder), [])
            odd = os.fsencode(folder) + b"/\xff.json"
            s.instance.write(os.fsdecode(odd))
            self.assertEqual(os.listdir(os.fsencode(folder)), [b"\xff.json"])


class Instances(unittest.TestCase):
    def test_describe(self):
        instance = duet.Instance.from_times(CPU, GPU, 2, 1, name="four", unit="ms")
        self.assertEqual((instance.name, instance.unit, instance.decimals, len(instance)),
                         ("four", "ms", 2, 4))
        self.assertEqual(instance.platform, {"cpu": 2, "gpu": 1})
        self.assertEqual(repr(instance), "<duet.Instance 'four': 4 tasks on 2 cpu + 1 gpu>")
        instance.set_platform(5, 0)
        self.assertEqual(instance.platform["cpu"], 5)
        with self.assertRaises(IndexError):
            instance.task_id(4)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "four.json"
            duet.Instance.from_times(CPU, GPU, 2, 1).write(path)
            again = duet.read(path, k=3)
            self.assertEqual(again.platform, {"cpu": 2, "gpu": 3})
            s = duet.solve(instance=again)
            for name in ("s.json", "t.trace.json", "t.paje"):
                (s.write if name == "s.json" else s.trace)(Path(folder) / name)
                self.assertGreater((Path(folder) / name).stat().st_size, 100)
            s.gantt(Path(folder) / "s.svg")
            self.assertIn("<svg", (Path(folder) / "s.svg").read_text())
            s.gantt(Path(folder) / "d.svg", size=(800, 600), title="Ein Titel", dark=True,
                    by_kind=True, beside=duet.solve(instance=again, algorithm="lpt"))
            picture = (Path(folder) / "d.svg").read_text()
            for part in ('width="800" height="600"', "<title>Ein Titel</title>",
                         "algorithm lpt ", 'fill="#12161a"'):
                self.assertIn(part, picture)
            with self.assertRaisesRegex(duet.UsageError, "at least"):
                s.gantt(Path(folder) / "e.svg", size=(300, 40))
            with self.assertRaises(duet.OutputError):
                s.write(Path(folder) / "none" / "s.json")
            broken = Path(folder) / "broken.json"
            broken.write_text('{"format": "duet-instance",\n "version": 7}')
            with self.assertRaisesRegex(duet.InputError, r"broken\.json:2"):
                duet.read(broken)
        with self.assertRaises(duet.InputError):
            duet.read("/no/such/file.json")

    def test_platform_stays(self):
        """A solution is about the platform that it was found for."""
        instance = duet.Instance.from_times(CPU, GPU, 2, 1)
        instance.set_platform(3, 1)
        with self.assertRaises(duet.UsageError):
            duet.solve(instance=instance, algorithm="no-such-algorithm")
        instance.set_platform(2, 1)
        s = duet.solve(instance=instance)
        before = s.schedule
        with self.assertRaisesRegex(duet.UsageError, r"copy\(\)"):
            instance.set_platform(1, 1)
        with self.assertRaises(AttributeError):
            s.instance = duet.Instance.from_times(CPU, GPU, 1, 1)
        other = instance.copy(m=1)
        self.assertEqual((other.platform, instance.platform),
                         ({"cpu": 1, "gpu": 1}, {"cpu": 2, "gpu": 1}))
        other.set_platform(1, 0)
        self.assertEqual(duet.solve(instance=other).makespan, sum(CPU))
        self.assertEqual((s.verify(), s.schedule), ("certified", before))

    def test_platform_during_search(self):
        instance = duet.generate("unif4", 100, 20, 4, seed=1)
        faults, cancel = [], duet.Cancel()

        def meddle(_):
            if faults:
                return

            def change():
                try:
                    instance.set_platform(1, 1)
                except duet.DuetError as fault:
                    faults.append(fault)
            thread = threading.Thread(target=change)
            thread.start()
            thread.join()
            cancel.request()

        s = duet.solve(instance=instance, algorithm="exact", time_limit=0, progress=meddle,
                       cancel=cancel)
        self.assertIsInstance(faults[0], duet.UsageError)
        self.assertEqual(instance.platform, {"cpu": 20, "gpu": 4})
        s.verify()

    def test_copy(self):
        text = """{"format": "duet-instance", "version": 1, "name": "three", "time_unit": "ms",
            "platform": [{"type": "big", "count": 1}, {"type": "little", "count": 2},
                         {"type": "gpu", "count": 3}],
            "tasks": [{"id": "a", "count": 3, "times": [1.25, null, 3]},
                      {"id": "b", "times": [4, 5, null]}]}"""
        with tempfile.TemporaryDirectory() as folder:
            def content(instance):
                instance.write(Path(folder) / "out.json")
                return (Path(folder) / "out.json").read_text()

            (Path(folder) / "three.json").write_text(text)
            instance = duet.read(Path(folder) / "three.json")
            again = instance.copy()
            self.assertEqual(content(again), content(instance))
            self.assertEqual(instance.copy(m=7, k=0).platform, {"big": 7, "little": 0, "gpu": 3})
            del instance
            gc.collect()
            self.assertEqual((again.name, again.unit, again.task_id(2), len(again)),
                             ("three", "ms", "a#2", 4))

            (Path(folder) / "bare.csv").write_text("id,cpu,gpu\na,1,2\n")
            bare = duet.read(Path(folder) / "bare.csv")
            for one in ({"m": 2}, {"k": 1}):
                with self.subTest(one=one), self.assertRaises(duet.UsageError):
                    duet.read(Path(folder) / "bare.csv", **one)
            self.assertEqual(duet.read(Path(folder) / "bare.csv", 2, 1).platform, {"cpu": 2, "gpu": 1})
            (Path(folder) / "third.csv").write_text("id,cpu,gpu,npu\na,4,3,2\n")
            with self.assertRaisesRegex(duet.UsageError, r"3 types of processors \(cpu, gpu, npu\), expected 2 numbers"):
                duet.read(Path(folder) / "third.csv", 4, 1)
            self.assertEqual(bare.copy(2, 1).platform, {"cpu": 2, "gpu": 1})
            with self.assertRaises(duet.DuetError):
                bare.copy()

            claiming = duet.generate("worst-heteroprio-1-1", 0, 1, 1)
            self.assertIn('"claim"', content(claiming))
            self.assertEqual(content(claiming.copy()), content(claiming))
            self.assertNotIn('"claim"', content(claiming.copy(m=77)))
        self.assertEqual(len(duet.Instance.from_times([], [], 1, 1).copy()), 0)

    def test_generate(self):
        a = duet.generate("unif4", 30, 4, 2, seed=5)
        b = duet.generate("unif4", 30, 4, 2, seed=5)
        self.assertEqual(duet.solve(instance=a, algorithm="lpt").schedule,
                         duet.solve(instance=b, algorithm="lpt").schedule)
        self.assertEqual(len(a), 30)
        with self.assertRaises(duet.UsageError):
            duet.generate("no-such-family")

    def test_lists(self):
        for rows in (duet.algorithms(), duet.bounds(), duet.families()):
            self.assertTrue(all(r.name and r.summary for r in rows))
        self.assertIn("exact", [r.name for r in duet.algorithms()])

    def test_handles(self):
        algorithms = {r.name: r.handles for r in duet.algorithms()}
        self.assertEqual(algorithms["eft"], ("precedence", "communication", "any-types", "releases", "busy"))
        self.assertEqual(algorithms["lst"], ("any-types",))
        self.assertEqual(algorithms["exact"], ("precedence", "communication", "moldable", "any-types",
                                                "releases", "busy", "rigid"))
        self.assertEqual(algorithms["moldable-hybrid"], ("moldable",))
        self.assertEqual(algorithms["shelf-3-2"], ())
        self.assertEqual(algorithms["dual-2"], ("precedence",))
        bounds = {r.name: r.handles for r in duet.bounds()}
        self.assertEqual(bounds["longest"], ("precedence", "communication", "moldable", "any-types", "mixed-sets",
                                             "releases", "busy", "rigid"))
        families = {r.name: r.handles for r in duet.families()}
        for types in ("mixed", "worst-eft"):
            self.assertEqual(families.pop(types), ("any-types",))
        for graphs in ("layered", "daggen", "series-parallel", "fork-join", "chains", "mixed-graph"):
            self.assertEqual(families.pop(graphs), ("precedence", "communication"))
        self.assertEqual(families.pop("adhoc"), ("precedence",))
        for moldable in ("amdahl", "downey", "tables"):
            self.assertEqual(families.pop(moldable), ("moldable",))
        self.assertEqual(families.pop("platform"), ("precedence", "communication", "moldable", "any-types", "mixed-sets"))
        self.assertTrue(all(handles == () for handles in families.values()))


class Search(unittest.TestCase):
    def hard(self):
        return duet.generate("unif4", 100, 20, 4, seed=1)

    def test_progress(self):
        seen = []
        s = duet.solve(instance=self.hard(), algorithm="exact", time_limit=0.5, progress=seen.append)
        self.assertTrue(seen)
        self.assertTrue(all(p.lower_bound <= s.makespan for p in seen))

    def test_progress_raises(self):
        def refuse(_):
            raise KeyError("enough")
        with self.assertRaisesRegex(KeyError, "enough"):
            duet.solve(instance=self.hard(), algorithm="exact", time_limit=0, progress=refuse)

    def test_cancel(self):
        cancel = duet.Cancel()
        timer = threading.Timer(0.2, cancel.request)
        timer.start()
        s = duet.solve(instance=self.hard(), algorithm="exact", time_limit=0, cancel=cancel)
        timer.join()
        self.assertTrue(s.interrupted)
        self.assertEqual(s.ending, "interrupted")
        self.assertEqual(s.status, "bounded")
        self.assertGreater(s.gap, Fraction(0))
        s.verify()

    def test_progress_raises_alone(self):
        """It ends its own search, not what else the user's Cancel is for."""
        cancel = duet.Cancel()

        def refuse(_):
            raise KeyError("enough")
        with self.assertRaisesRegex(KeyError, "enough"):
            duet.solve(instance=self.hard(), algorithm="exact", time_limit=0, progress=refuse,
                       cancel=cancel)
        s = duet.solve(CPU, GPU, 2, 1, "exact", cancel=cancel)
        self.assertEqual((s.status, s.interrupted), ("optimal", False))
        cancel.request()
        self.assertTrue(duet.solve(instance=self.hard(), algorithm="exact", time_limit=0,
                                   cancel=cancel).interrupted)

    def test_cancel_of_many(self):
        """One request ends every search that was given it, from a signal's handler too."""
        cancel, found = duet.Cancel(), []

        def work():
            found.append(duet.solve(instance=self.hard(), algorithm="exact", time_limit=0,
                                    threads=1, cancel=cancel))
        threads = [threading.Thread(target=work) for _ in range(3)]
        before = signal.signal(signal.SIGALRM, lambda *_: cancel.request())
        try:
            for t in threads:
                t.start()
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            work()
        finally:
            for t in threads:
                t.join()
            signal.signal(signal.SIGALRM, before)
        self.assertEqual([s.interrupted for s in found], [True] * 4)

    def test_interrupt(self):
        """Ctrl-C ends a search that has no limit, with its best schedule."""
        text = ("import duet\nprint('ready', flush=True)\n"
                "print(duet.solve(instance=duet.generate('unif4', 100, 20, 4, seed=1), "
                "algorithm='exact', time_limit=0))\n")
        child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.3)  # likely in the middle of it; the search has no end of its own
        child.send_signal(signal.SIGINT)
        found, notes = child.communicate()
        # Before there is any it is raised; the exact algorithm has one as soon as it begins.
        self.assertTrue(b"<duet.Solution exact" in found or b"KeyboardInterrupt" in notes, notes)

    def test_threads(self):
        """Many threads at once, each with its own answer."""
        found = {}

        def work(seed):
            instance = duet.generate("corr", 20, 3, 1, seed=seed)
            found[seed] = duet.solve(instance=instance, threads=1).makespan

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for seed, makespan in found.items():
            instance = duet.generate("corr", 20, 3, 1, seed=seed)
            self.assertEqual(duet.solve(instance=instance).makespan, makespan)


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Arrays(unittest.TestCase):
    def test_in(self):
        times = numpy.array([[3, 1], [4, 1], [5, 9]], dtype=numpy.int64)
        s = duet.solve(instance=duet.Instance.from_ticks(times, 1, 1), algorithm="exact")
        self.assertEqual(s.makespan, duet.solve(times[:, 0], times[:, 1], 1, 1, "exact").makespan)
        times.flags.writeable = False
        self.assertEqual(len(duet.Instance.from_ticks(times, 1, 1)), 3)
        with self.assertRaises(duet.UsageError):
            duet.Instance.from_ticks(times.astype(float), 1, 1)
        with self.assertRaises(duet.UsageError):
            duet.Instance.from_ticks(numpy.zeros((2, 3), numpy.int64), 1, 1)

    def test_own_memory(self):
        """What becomes of the array later is nothing to the instance."""
        times = numpy.array([[3, 1], [4, 1], [5, 9]], dtype=numpy.int64)
        instance = duet.Instance.from_ticks(times, 1, 1)
        before = duet.solve(instance=instance, algorithm="exact").makespan
        times[:] = 100
        self.assertEqual(duet.solve(instance=instance, algorithm="exact").makespan, before)

    def test_numbers(self):
        s = duet.solve(numpy.array([0.1, 0.2]), numpy.array([5, 5], numpy.int32), numpy.int64(1),
                       numpy.uint8(0), time_limit=numpy.float32(1), seed=numpy.uint64(2**64 - 1))
        self.assertEqual(s.makespan, Decimal("0.3"))
        latest = s.instance.time(s.as_array()["start"].max())
        self.assertIn(latest, (Decimal("0.1"), Decimal("0.2")))
        for bad in (numpy.longdouble(1), numpy.array([1, 2]), numpy.bool_(True)):
            with self.subTest(bad=bad), self.assertRaises(duet.UsageError):
                duet.solve([bad], [1], 1, 1)

    def test_out(self):
        s = duet.solve(CPU, GPU, 2, 1)
        array = s.as_array()
        del s
        gc.collect()
        again = duet.solve(CPU, GPU, 2, 1)
        self.assertEqual(sorted(array["start"]), sorted(again.as_array()["start"]))
        with self.assertRaises(ValueError):
            array["start"][0] = 1


class Tables(unittest.TestCase):
    """Columns by processor type, and the files that hold such."""
    TIMES = {"cpu": [4, 9, 7.5], "gpu": [3, 2, None], "npu": [8, 1.25, 2]}

    def test_three_types(self):
        for named in ({"platform": {"npu": 1, "cpu": 2, "gpu": 1}}, {"m": 2, "k": [1, 1]},
                      {"m": 2, "k": (1, 1)}):
            with self.subTest(named=named):
                s = duet.solve(self.TIMES, **named)
                self.assertIn(s.verify(), ("certified", "unproven"))
                self.assertEqual(s.instance.platform, {"cpu": 2, "gpu": 1, "npu": 1})
                self.assertEqual(s.makespan, Decimal("3.25"))

    def test_one_type(self):
        s = duet.solve({"core": [3, 3, 2]}, m=2)
        self.assertEqual((s.makespan, s.instance.platform), (5, {"core": 2}))

    def test_with_the_rest(self):
        s = duet.solve({"cpu": [2, 3], "gpu": [1, 1]}, m=1, k=1, counts=[2, 1], ids=["a", "b"])
        self.assertEqual([r.task for r in s.schedule], ["a#0", "a#1", "b"])
        by_columns = duet.solve([2, 3], [1, 1], platform={"cpu": 1, "gpu": 1}, counts=[2, 1])
        self.assertEqual(by_columns.makespan, s.makespan)

    def test_refused(self):
        for times, named in ((self.TIMES, {}), (self.TIMES, {"m": 1, "k": 1}),
                             (self.TIMES, {"m": 1, "k": [1, 1, 1]}),
                             (self.TIMES, {"platform": {"cpu": 1, "gpu": 1}}),
                             (self.TIMES, {"m": 1, "platform": {"cpu": 1, "gpu": 1, "npu": 1}}),
                             (self.TIMES, {"gpu": [1, 2, 3], "m": 1, "k": 1}),
                             ({}, {"m": 1}), ({1: [2]}, {"m": 1}),
                             ({"cpu": [1, 2], "gpu": [1]}, {"m": 1, "k": 1}),
                             ({"cpu": [1, -2]}, {"m": 1})):
            with self.subTest(times=times, named=named), self.assertRaises(duet.UsageError):
                duet.solve(times, **named)
        with self.assertRaisesRegex(duet.UsageError, r"npu\[1\]: expected a time, got 'x'"):
            duet.solve({"cpu": [1, 2], "npu": [1, "x"]}, m=1, k=1)

    def test_rounding(self):
        """As files are read: the same ticks, the same words."""
        rng = random.Random(int(os.environ.get("DUET_TEST_SEED", "1")))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            for _ in range(200):
                n = rng.randint(1, 8)
                scale = 10.0**rng.randint(-8, 8)
                cpu = [rng.random() * scale * 10.0**rng.randint(0, 4) for _ in range(n)]
                gpu = [rng.choice([None, rng.random() * scale, 0.1 + 0.2]) for _ in range(n)]
                path.write_text("cpu,gpu\n" + "".join(
                    f"{c!r},{'' if g is None else repr(g)}\n" for c, g in zip(cpu, gpu)))
                try:
                    a = duet.read(path, 2, 1)
                except duet.InputError:  # nine places or fewer, and too much work
                    with self.assertRaises((duet.InputError, duet.UsageError)):
                        duet.Instance.from_times(cpu, gpu, 2, 1)
                    continue
                b = duet.Instance.from_times(cpu, gpu, 2, 1)
                with self.subTest(file=path.read_text()):
                    self.assertEqual((a.decimals, a.notice), (b.decimals, b.notice))
                    self.assertEqual(duet.solve(instance=a, algorithm="lpt").schedule,
                                     duet.solve(instance=b, algorithm="lpt").schedule)

    def test_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            path.write_text('job;"time, cpu";time=gpu;note\na;1,5;2;x\nb;;0,25;y\n')
            for columns in ({"id": "job", "cpu": "time, cpu", "gpu": "time=gpu"},
                            'id=job,cpu="time, cpu",gpu="time=gpu"'):
                instance = duet.read(path, 1, 1, columns=columns)
                self.assertEqual((instance.platform, instance.task_id(1)),
                                 ({"cpu": 1, "gpu": 1}, "b"))
                self.assertEqual(duet.solve(instance=instance).makespan, Decimal("1.5"))
            self.assertEqual(list(duet.read(path, columns=["time=gpu"]).platform), ["time=gpu"])
            with self.assertRaisesRegex(duet.InputError, r't\.csv:1: no column "nix" in the header'):
                duet.read(path, columns={"cpu": "nix"})
            path.write_text("cpu,gpu,npu\n1,2,3\n0.12345678901234567890,2,3\n")
            self.assertEqual(duet.read(path, 1, [2, 3]).platform, {"cpu": 1, "gpu": 2, "npu": 3})
            self.assertRegex(duet.read(path).notice, "1 of 6 times is rounded to 17 decimal places")
            with self.assertRaisesRegex(duet.InputError, r"t\.csv:3: .*cannot be exact"):
                duet.read(path, exact_times=True)
            with self.assertRaises(duet.UsageError):
                duet.read(path, 1, [2])

    def test_picture(self):
        s = duet.solve(CPU, GPU, 2, 1)
        self.assertIn("<svg", s._repr_svg_())


class Graphs(unittest.TestCase):
    """Edges between tasks."""

    def made(self, edges, **more):
        return duet.Instance.from_times([3, 4, 4.5], [1, 2.5, None], 2, 1, ids=["a", "b", "c"],
                                        edges=edges, **more)

    def test_edges_and_costs(self):
        instance = self.made([("a", "b"), (0, "c", 2.25), ("b", 2, [[0, 1], [2, 3]])])
        for one in (instance, instance.copy(1, 1)):
            self.assertEqual(one.edges, [(0, 1), (0, 2), (1, 2)])
            self.assertEqual(one.cost(0, "cpu", "gpu"), 0)
            self.assertEqual(one.cost(1, "cpu", "cpu"), decimal.Decimal("2.25"))
            self.assertEqual(one.cost(2, "gpu", "cpu"), 2)
        with self.assertRaises(IndexError):
            instance.cost(3, "cpu", "gpu")
        with self.assertRaises(duet.UsageError):
            instance.cost(0, "cpu", "npu")
        self.assertEqual(self.made(None).edges, [])

    def test_counts(self):
        instance = duet.Instance.from_times([1, 2], [1, 2], 1, 1, counts=[2, 1], ids=["a", "b"],
                                            edges=[("a#1", "b")])
        self.assertEqual(instance.edges, [(1, 2)])
        with self.assertRaisesRegex(duet.UsageError, "such as 'a#0'"):
            duet.Instance.from_times([1, 2], [1, 2], 1, 1, counts=[2, 1], ids=["a", "b"],
                                     edges=[("a", "b")])

    def test_written_and_read(self):
        instance = self.made([("a", "b", 0.125), ("b", "c")])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.json")
            instance.write(path)
            again = duet.read(path)
        self.assertEqual(again.edges, instance.edges)
        self.assertEqual(again.cost(0, "cpu", "gpu"), decimal.Decimal("0.125"))

    def test_refused(self):
        for edges, message in (([("a", "z")], "the id of a task, got 'z'"),
                               ([("a", 7)], "expected 0 to 2"),
                               ([("a", "b"), ("a", "b")], "stands twice"),
                               ([("a", "b"), ("b", "a")], "wait for each other: "),
                               ([("a", "a")], "waits for itself"),
                               (["ab"], r"expected \(from, to\)"),
                               ([("a", "b", -1)], "a time >= 0"),
                               ([("a", "b", float("nan"))], "costs >= 0"),
                               ([("a", 1.5)], "a task's number or id"),
                               ([("a", "b", [[1]])], "2 rows of 2 times")):
            with self.subTest(edges=edges):
                with self.assertRaisesRegex(duet.DuetError, message):
                    self.made(edges)


class Network:
    """What networkx has of a directed graph."""

    def __init__(self, nodes, edges, directed=True, several=False):
        self._nodes, self._edges, self._directed, self._several = nodes, edges, directed, several

    def nodes(self, data):
        return self._nodes

    def edges(self, data):
        return self._edges

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return self._several


class Words(unittest.TestCase):
    """Tables by what their columns mean, as files are read."""

    def noted(self, *arguments, **named):
        """What is noted of an instance, as a warning and as its notice."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = duet.Instance.from_table(*arguments, **named)
        said = [str(warning.message) for warning in caught if issubclass(warning.category, duet.Note)]
        self.assertEqual(said, [] if made.notice is None else [made.notice])
        self.assertTrue(all(warning.filename == __file__ for warning in caught))
        return made

    def test_order(self):
        ends = [(0, 1), (0, 2), (1, 2)]
        for after in ([[], ["a"], ["a", "b"]], [(), ("a",), ("b", "a")], [set(), {"a"}, {"a", "b"}], [None, "a", "a;b"],
                      ["", "a", "a, b"], [math.nan, "['a']", "['a', 'b']"], ["-", "a", "a|b"], [None, 0, [0, 1]],
                      ["[]", "{'a'}", "a b"]):
            for name in ("after", "predecessors", "Depends On", "requires"):
                made = self.noted({"id": ["a", "b", "c"], "cpu": [1, 2, 3], name: after}, m=2, k=[])
                self.assertEqual((sorted(made.edges), made.notice), (ends, None), after)
        made = self.noted({"job": [7, 8, 9], "cpu": [1, 2, 3], "successors": [[8, 9.0], 9, None]}, m=2, k=[])
        self.assertEqual((made.edges, made.task_id(0)), (ends, "7"))
        with self.assertRaisesRegex(duet.UsageError, r"needs\[1\]: .*'x'"):
            duet.solve({"id": ["a", "b"], "cpu": [1, 2], "needs": [None, "x"]}, platform={"cpu": 1})
        both = self.noted({"id": ["a", "b", "c"], "cpu": [1, 2, 3], "parents": [None, "a", None], "children": ["b", "c", None]},
                          m=2, k=[])
        self.assertEqual((both.edges, both.notice), ([(0, 1), (1, 2)], None))
        own = type("Number", (), {"__index__": lambda self: 8})()  # as those of NumPy are
        for given in (own, [own], {own}):
            self.assertEqual(self.noted({"job": [8, 9], "cpu": [1, 2], "after": [None, given]}, m=2, k=[]).edges, [(0, 1)])

    def test_nodes_without_times(self):
        """What nodes have is said where it is not the time that was asked for."""
        graph = Network([("a", {"time": 3}), ("b", {"time": 2})], [("a", "b", {})])
        for named, expected in (({}, "node 'a' has time: expected time=.*as in time=\"time\""),
                                ({"platform": {"cpu": 2}}, "no node has a time on cpu: nodes have time")):
            with self.subTest(named=named), self.assertRaisesRegex(duet.UsageError, expected):
                duet.solve(graph, **named)

    def test_arguments(self):
        """Words for arguments are judged as those for columns, and misspelt ones are told."""
        self.assertEqual(duet.solve([1, 2], [1, 2], 1, 1, releases=[0, 4], kind=["x", "y"]).makespan, 6)
        for name, expected in (("egdes", "did you mean edges="), ("relaese", "did you mean release="), ("priority", "heteroprio"),
                               ("due", 'column "deadline"'), ("depends_on", r"edges=\["), ("weight", "cost="), ("zz", "expected cpu, gpu")):
            with self.subTest(name=name), self.assertRaisesRegex(TypeError, expected):
                duet.solve([1], [1], 1, 1, **{name: [1]})
        with self.assertRaisesRegex(TypeError, "another word"):
            duet.solve([1], [1], 1, 1, ready=[1], release=[2])
        with self.assertRaisesRegex(duet.UsageError, 'column "deadline"'):
            duet.solve([1], [1], 1, 1, deadline=[3])

    def test_no_times(self):
        """Columns of texts, dates and lists are no processor types."""
        for values in (["x", "y"], [True, False], [datetime(2026, 1, 2), datetime(2026, 1, 3)], [[1], [2]]):
            made = self.noted([{"id": i, "cpu": 1, "site": value} for i, value in enumerate(values)], m=1, k=[])
            self.assertEqual((list(made.platform), made.notice), (["cpu"], 'column "site" is not used: it holds no times'))
        for text, seconds in (("1h 20m", "4800"), ("00:01:30.5", "90.5"), ("1-02:03:04", "93784"), ("PT1H2M", "3720"), ("850 ms", "0.85"),
                              ("5Min 3s", "303"), ("5 µs", "0.000005")):
            made = duet.Instance.from_table({"cpu": [text]}, 1, [])
            self.assertEqual((made.unit, made.times(0, "cpu")), ("s", [Decimal(seconds)]))
        for text in ("5M", "5M 3s", "5 M3s", "1h \u0665s", "\u0663"):
            with self.assertRaisesRegex(duet.UsageError, "expected (a time|times)"):
                duet.solve([text], [1], 1, 1)
        s = duet.solve({"cpu": ["", "NaN", 2], "gpu": [1, "3", "-"]}, m=1, k=1, edges=[(0, 2, "1m")])
        self.assertEqual((s.instance.unit, s.makespan), ("s", 63))
        with self.assertRaisesRegex(duet.UsageError, '"gpu" is not used'):
            duet.solve([{"cpu": 1, "gpu": "x"}], m=1, k=1)
        with self.assertRaisesRegex(duet.UsageError, "such as '1.5'"):
            duet.solve({"cpu": ["1,5"]}, m=1)

    def test_fields(self):
        made = self.noted({"id": ["a", "b"], "cpu": [1, 2], "priority": [3, 4], "memory_gb": [1, 2], "release": [0, 0]},
                          platform={"cpu": 1})
        self.assertEqual(list(made.platform), ["cpu"])
        self.assertIn('"priority" is not used', made.notice)
        self.assertIn('"memory_gb" is not used', made.notice)
        self.assertEqual(duet.solve({"cpu": [1, 2], "slots": [3, 4]}, platform={"cpu": 1, "slots": 1}).makespan, 3)
        self.assertEqual(list(duet.solve({"cpus": [1, 2], "gpus": [3, 4]}, m=1, k=1).instance.platform), ["cpus", "gpus"])
        for table, platform in (({"vcpus": [1], "gpus": [2]}, "num_cores"), ({"time": [1], "gpus": [1]}, "platform="),
                                ({"cpu_ms": [1], "gpu_s": [1]}, "different units")):
            with self.assertRaisesRegex(duet.UsageError, platform):
                duet.solve(table, m=1, k=1)
            self.assertEqual(duet.solve(table, platform=dict.fromkeys(table, 1)).makespan, 1)

    def test_columns_of_words(self):
        for team in (["red", 3], [None, "red", "4 s"]):
            with self.assertRaisesRegex(duet.UsageError, "column 'team': expected times .* got 'red'"):
                duet.solve({"cpu": [1, 2, 3][:len(team)], "team": team}, m=1, k=1)
        made = self.noted({"cpu": [1, 2], "gpu": [1, 3], "team": [None, "blue"]}, m=1, k=1)
        self.assertEqual((list(made.platform), made.notice), (["cpu", "gpu"], 'column "team" is not used: it holds no times'))
        self.assertEqual(duet.solve({"id": ["a", "b"], "cpu_s": [4, 4], "gpu_s": [1, 2]}, m=1, k=1).makespan, 3)

    def test_forms(self):
        self.assertEqual(duet.solve({"cpu": {0: 10, 1: 20}, "gpu": {0: 5, 1: 6}}, platform={"cpu": 1, "gpu": 1}).makespan, 10)
        self.assertEqual(duet.solve([{"id": "a", "cpu": 1}, {"id": "b", "cpu": 2, "after": ["a"]}], platform={"cpu": 2}).makespan, 3)
        self.assertEqual(duet.solve(cpu=[1, 2, 3], gpu=[3, 1, 4], m=1, k=1, edges={(0, 1): 2.5, (1, 2): 1}).makespan, 6)
        self.assertEqual(duet.solve(cpu=[1, 2, 3], gpu=[3, 1, 4], m=1, k=1, edges=[(0, 1, {"cost": 2.5}), (1, 2, {})]).makespan, 6)
        with self.assertRaisesRegex(duet.UsageError, 'edges\(data="weight", default=0\)'):
            duet.solve(cpu=[1, 2], gpu=[3, 1], m=1, k=1, edges=[(0, 1, {"weight": 2.5})])
        with self.assertRaises(duet.UsageError):
            duet.solve({"cpu": {0: 1}, "gpu": {1: 2}}, m=1, k=1)
        if numpy is not None:
            self.assertEqual(duet.solve(numpy.array([[1, 9], [9, 1]]), m=1, k=1).makespan, 1)
            self.assertEqual(duet.solve(numpy.ones((2, 3)), platform={"a": 1, "b": 1, "c": 1}).makespan, 1)
        made = duet.Instance.from_table({"cpu": [Fraction(1, 4), timedelta(minutes=1)]}, m=1, k=[])
        self.assertEqual((made.unit, made.times(1, "cpu")), ("s", [60]))
        with self.assertRaises(duet.UsageError):
            duet.solve({"cpu": [timedelta(seconds=1)]}, platform={"cpu": 1}, unit="ms")

    def test_graphs(self):
        nodes = [(0, {"time": 3}), ((1, 2), {"time": 4, "level": 5})]
        edges = [(0, (1, 2), {"weight": 2.5})]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            s = duet.solve(Network(nodes, edges), time="time", cost="weight", platform={"cpu": 2})
        self.assertEqual((s.makespan, s.instance.edges, s.instance.task_id(1)), (7, [(0, 1)], "(1, 2)"))
        self.assertEqual([str(warning.message) for warning in caught], ['attribute "level" of nodes is not used'])
        two = Network([("a", {"cpu": 3, "gpu": 1}), ("b", {"cpu": 1})], [("a", "b", {})])
        self.assertEqual(duet.solve(two, platform={"cpu": 1, "gpu": 1}).makespan, 2)
        listed = Network([("a", {"time": [3, 1]}), ("b", {"time": (1, None)})], [("a", "b", {})])
        self.assertEqual(duet.solve(listed, time="time", platform={"cpu": 1, "gpu": 1}).makespan, 2)
        with self.assertRaisesRegex(duet.UsageError, "node 'a': expected a time for each type"):
            duet.solve(listed, time="time", platform={"cpu": 1})
        told = Network([("a", {"t": 1, "ready": 4, "due": 6}), ("b", {"t": 1})], [("a", "b", {}), ("a", "b", {"c": 2})], several=True)
        with self.assertWarnsRegex(duet.Note, "1 of 2 edges are parallel"):
            s = duet.solve(told, time="t", cost="c", platform={"cpu": 1})
        self.assertEqual((s.makespan, s.instance.deadline(0), s.instance.cost(0, "cpu", "cpu")), (6, 6, 2))
        with self.assertRaisesRegex(duet.UsageError, "got 'x'"):
            duet.solve(told, time="t", cost="x", platform={"cpu": 1})
        for wrong in (Network(nodes, edges, directed=False), Network([("a", {})], [])):
            with self.assertRaises(duet.UsageError):
                duet.solve(wrong, time="time", m=1)
        with self.assertRaises(duet.UsageError):
            duet.solve([1], [1], 1, 1, time="time")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.csv")
            Path(path).write_text("id,cpu,priority\na,1,2\n")
            with self.assertWarns(duet.Note):
                made = duet.read(path, m=1)
            self.assertIn("priority", made.notice)
            with self.assertRaises(duet.InputError):
                duet.read(path, m=1, strict_input=True)
            Path(path).write_text('[{"id": "a", "t": 1, "w": 2}]')
            self.assertEqual(list(duet.read(path, m=1, columns={"cpu": "t"}).platform), ["cpu"])

    def test_own_frames_come_back(self):
        if pandas is not None:
            s = duet.solve(CPU, GPU, 2, 1)
            self.assertTrue(duet.judge(s.to_pandas(), s.instance).optimal)


class Names(unittest.TestCase):
    def test_a_platform_as_elsewhere(self):
        tasks = [{"id": "a", "times": [3, 1]}, {"id": "b", "times": [2, 2]}]
        made = duet.Instance.from_dict({"platform": {"cpu": 2, "gpu": 1}, "tasks": tasks})
        self.assertEqual(made.platform, {"cpu": 2, "gpu": 1})
        with self.assertRaises(duet.InputError):
            duet.Instance.from_dict({"platform": {"cpu": "many", "gpu": 1}, "tasks": tasks})

    def test_names_of_processors(self):
        instance = duet.Instance.from_dict({
            "platform": [{"type": "cpu", "count": 3, "names": ["n1", "n2"]}, {"type": "gpu", "count": 1}],
            "tasks": [{"id": "a", "times": [2, 1]}]})
        self.assertEqual(instance.names, {"cpu": ["n1", "n2"], "gpu": []})
        self.assertEqual(instance.to_dict()["platform"][0]["names"], ["n1", "n2"])
        self.assertEqual(instance.copy(m=1).names, {"cpu": ["n1"], "gpu": []})
        self.assertEqual(pickle.loads(pickle.dumps(instance)).names, instance.names)


class Moldable(unittest.TestCase):
    description = {
        "platform": [{"type": "cpu", "count": 4, "speed": 2.5, "bandwidth": 1e9},
                     {"type": "gpu", "count": 1}],
        "network": {"latency": Decimal("0.0001")},
        "tasks": [{"id": "a", "work": 40, "alpha": 0.1}, {"id": "b", "times": [[9, 5, 4], None]}],
        "edges": [{"from": "a", "to": "b", "data": 1e6}]}

    def test_description(self):
        instance = duet.Instance.from_dict(self.description)
        self.assertTrue(instance.moldable)
        self.assertEqual(instance.times(0, "cpu"),
                         [16, Decimal("8.8"), Decimal("6.4"), Decimal("5.2")])
        self.assertEqual(instance.times(1, "gpu"), [])
        self.assertEqual(instance.redistribution(0, ("cpu", 2), ("cpu", 1)), Decimal("0.0011"))
        self.assertEqual(instance.copy(m=8).times(0, "cpu")[-1], Decimal("3.4"))
        self.assertFalse(duet.Instance.from_times([1], [2], 1, 1).moldable)

    def test_schedule(self):
        instance = duet.Instance.from_dict(self.description)
        solution = duet.read_solution([("a", "cpu", "0-3", 0), ("b", "cpu", "1;3", 10)], instance)
        self.assertEqual(solution.verify(), "none")
        self.assertEqual(solution.processors(0), [("cpu", 0, 3)])
        self.assertEqual(solution.processors(1), [("cpu", 1, 1), ("cpu", 3, 3)])
        self.assertEqual([run.end for run in solution.schedule], [Decimal("5.2"), 15])
        late = duet.read_solution([("a", "cpu", "0-3", 0), ("b", "cpu", "1;3", 5.2)], instance)
        with self.assertRaisesRegex(duet.InputError, "redistributed at 5.20[0-9]+"):
            late.verify()

    def test_faults(self):
        with self.assertRaisesRegex(duet.InputError, "^description: expected work, a number above 0"):
            duet.Instance.from_dict({"platform": [{"type": "cpu", "count": 4}],
                                     "tasks": [{"id": "a", "work": -1}]})
        with self.assertRaisesRegex(duet.UsageError, "what JSON can hold"):
            duet.Instance.from_dict({"tasks": [object()]})


class Rules(unittest.TestCase):
    """Online rules in Python make the schedules of the library's."""
    times = {"cpu": [4, 9, 2, 7, 5, 3, 8], "gpu": [3, 1, None, 2, 4.5, 3, 1]}
    edges = [(0, 2), (0, 3), (1, 3), (2, 4), (3, 5), (4, 6)]

    def solve(self, rule, **more):
        return duet.solve(self.times, platform={"cpu": 2, "gpu": 1}, edges=self.edges,
                          algorithm=rule, **more)

    def same(self, rule, name, **more):
        self.assertEqual(self.solve(rule, **more).schedule, self.solve(name, **more).schedule)

    def test_rules(self):
        seen = []

        def finish(task):
            seen.append(task.task)
            types = [t for t in ("gpu", "cpu") if task.time(t) is not None]
            ends = [task.end(t) for t in types]
            self.assertEqual(ends, [task.start(t) + task.time(t) for t in types])
            self.assertEqual(min(ends), min(task.end(t) for t in ("gpu", "cpu")))
            return types[ends.index(min(ends))]

        def shortest(task):
            return 1 if task.time(1) is not None and task.time(1) <= task.time(0) else 0

        self.same(finish, "eft")
        self.assertEqual(sorted(seen), list(range(7)))
        self.same(finish, "eft", options={"order": "bottom"})
        self.same(shortest, "quickest")
        self.same(shortest, "quickest", options={"bind": "idle"})

    def test_information(self):
        told = {}

        def rule(task):
            told[task.task] = (task.bottom_level, task.descendants)
            self.assertEqual(task.processors("cpu"), 2)
            self.assertGreaterEqual(task.start("cpu"), task.now)
            return 0

        self.solve(rule)
        self.assertEqual(set(told.values()), {(None, None)})
        self.solve(rule, information="bottom")
        self.assertEqual({descendants for _, descendants in told.values()}, {None})
        self.assertEqual([told[j][0] for j in (6, 4, 2, 0)], [1, 5.5, 7.5, 10.5])
        self.solve(rule, information="descendants")
        self.assertEqual([told[j][1] for j in (6, 4, 0, 1)], [0, 1, 12.5, 5])

    def test_faults(self):
        for rule, fault in ((lambda task: 2, duet.UsageError), (lambda task: "npu", duet.UsageError),
                            (lambda task: None, duet.UsageError), (lambda task: 1 // 0, ZeroDivisionError),
                            (lambda task: "gpu", duet.UsageError), (lambda task: task.time(9), duet.UsageError)):
            with self.subTest(fault=fault), self.assertRaises(fault):
                self.solve(rule)
        with self.assertRaisesRegex(duet.UsageError, "information: expected one of times"):
            self.solve(lambda task: 0, information="all")


@unittest.skipIf(pandas is None, "pandas is not installed")
class Frames(unittest.TestCase):
    def frame(self):
        return pandas.DataFrame({"cpu": [4.5, 9, numpy.nan], "gpu": [0.1 + 0.2, 2, 1e-5],
                                 "npu": [numpy.inf, 8, 3]}, index=["x", "y", "z"])

    def test_columns(self):
        frame = self.frame()
        s = duet.solve(frame["cpu"], frame["gpu"], 2, 1)
        self.assertEqual([r.task for r in s.schedule], ["x", "y", "z"])
        self.assertEqual([r.type for r in s.schedule][2], "gpu")
        named = duet.solve(cpu=frame["cpu"], gpu=frame["gpu"], m=2, k=1, ids=["p", "q", "r"])
        self.assertEqual([r.task for r in named.schedule], ["p", "q", "r"])
        minutes = pandas.to_timedelta([3, 4, None], unit="min")
        for column in (minutes, minutes.array, minutes.to_series(), minutes.to_numpy()):
            self.assertEqual(duet.Instance.from_times(column, [1, 1, 1], 1, 1).times(1, "cpu"), [240])
        whole = pandas.Series([3, None, 5], dtype="Int64")
        self.assertEqual(duet.solve({"a": whole, "b": whole + 1, "c": [9, 9, 9]},
                                    m=1, k=[1, 1]).makespan, 9)
        with self.assertRaisesRegex(duet.UsageError, "different indices"):
            duet.solve(frame["cpu"], frame["gpu"][::-1], 2, 1)

    def test_frame(self):
        frame = self.frame()
        for given in (frame, {name: frame[name] for name in frame}):
            s = duet.solve(given, platform={"cpu": 1, "gpu": 1, "npu": 1})
            self.assertEqual([r.task for r in s.schedule], ["x", "y", "z"])
            s.verify()
        frame = frame.reset_index(drop=True).assign(count=[1, 2, 1], Task=["p", "q", "r"])
        s = duet.solve(frame, m=1, k=[1, 1])
        self.assertEqual([r.task for r in s.schedule], ["p", "q#0", "q#1", "r"])
        frame = frame.drop(columns=["count"]).assign(after=[None, "p", "p; q"])
        graph = duet.Instance.from_table(frame, 1, [1, 1])
        self.assertEqual(graph.edges, [(0, 1), (0, 2), (1, 2)])

    def test_files(self):
        """What pandas writes is what it has."""
        frame = self.frame()
        wanted = duet.solve(frame, m=1, k=[1, 1]).schedule
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "frame.csv"
            for how in ({}, {"sep": ";"}, {"sep": "\t"}, {"sep": ";", "decimal": ","},
                        {"na_rep": "NaN"}, {"encoding": "utf-8-sig"}, {"quoting": 1},
                        {"index_label": "Task"}):
                frame.to_csv(path, **how)
                with self.subTest(how=how):
                    s = duet.solve(instance=duet.read(path, 1, [1, 1]))
                    self.assertEqual(s.schedule, wanted)

    def test_to_pandas(self):
        s = duet.solve(CPU, GPU, 2, 1)
        frame = s.to_pandas()
        self.assertEqual(list(frame.columns), ["task", "type", "processor", "start", "end"])
        self.assertEqual(len(frame), 4)
        self.assertEqual(frame["end"].max(), float(s.makespan))
        self.assertEqual(frame["task"].tolist(), [r.task for r in s.schedule])
        self.assertEqual(len(duet.solve([], [], 1, 1).to_pandas()), 0)


class Elsewhere(unittest.TestCase):
    """Schedules of other software."""

    def test_runs(self):
        s = duet.solve(CPU, GPU, 2, 1)
        again = duet.read_solution(s.schedule, s.instance)
        self.assertEqual((again.schedule, again.makespan, again.verify()), (s.schedule, s.makespan, "none"))
        self.assertEqual((again.lower_bound, again.status), (0, "feasible"))
        order = sorted(s.schedule, key=lambda run: run.start)
        packed = duet.read_solution([run[:3] for run in order], s.instance)
        packed.verify()
        self.assertLessEqual(packed.makespan, s.makespan)

    def test_rows_by_name(self):
        s = duet.solve(CPU, GPU, 2, 1)
        for rows in ([run._asdict() for run in s.schedule],
                     list(csv.DictReader(["start,processor,type,task,end", *(
                         f"{r.start},{r.processor},{r.type},{r.task},{r.end}" for r in s.schedule)]))):
            self.assertEqual(duet.read_solution(rows, s.instance).schedule, s.schedule)
        with self.assertRaisesRegex(duet.UsageError, r"runs\[0\]: expected task, type, processor, start, "
                                                     "without type and processor got"):
            duet.read_solution([{"task": "t0", "machine": "cpu", "start": 0}], s.instance)

    def test_judge(self):
        s = duet.solve(CPU, GPU, 2, 1)
        runs = [(f"t{i}", "cpu", 0) for i in range(len(CPU))]
        mine = duet.judge(runs, s.instance)
        self.assertEqual(mine.solution.makespan, sum(map(Decimal, map(str, CPU))))
        self.assertEqual(mine.bound, duet.bound(s.instance))
        self.assertEqual(mine.gap, Fraction(mine.solution.makespan) / Fraction(mine.bound.value) - 1)
        self.assertFalse(mine.optimal)
        again = duet.judge(s, s.instance)
        self.assertEqual((again.bound.ticks, again.gap, again.optimal), (s.lower_bound_ticks, s.gap, s.gap == 0))
        with self.assertRaises(duet.InputError):
            duet.judge(runs[1:], s.instance)

    def test_platform_and_unit(self):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "t.csv"
            table.write_text("id,cpu,gpu,npu\na,1,1,1\n")
            three = duet.read(table, platform={"npu": 3, "cpu": 1, "gpu": 2})
            self.assertEqual(three.platform, {"cpu": 1, "gpu": 2, "npu": 3})
            three.write(Path(folder) / "t.json")
            self.assertEqual(duet.read(Path(folder) / "t.json", platform={"gpu": 5}).platform,
                             {"cpu": 1, "gpu": 5, "npu": 3})
            for wrong in ({"platform": {"cpu": 1}}, {"platform": {"tpu": 1}}, {"m": 1, "platform": {"cpu": 1}}):
                with self.subTest(wrong=wrong), self.assertRaises(duet.UsageError):
                    duet.read(table, **wrong)
        s = duet.solve(CPU, GPU, 2, 1, unit="ms")
        self.assertEqual(s.instance.unit, "ms")
        with self.assertRaises(duet.UsageError):
            duet.solve(s.instance, unit="s")

    def test_files(self):
        s = duet.solve(CPU, GPU, 2, 1)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("s.json", "s.csv"):
                path = Path(folder) / name
                s.write(path)
                self.assertEqual(duet.read_solution(path, s.instance).schedule, s.schedule)
            self.assertTrue((Path(folder) / "s.csv").read_text().startswith("task,type,processor,start,end\n"))
            table = Path(folder) / "t.csv"
            table.write_text("id,cpu,gpu\na,0.1,1\n")
            self.assertEqual(duet.read(table, 1, 1, unit="h").unit, "h")
            json_file = Path(folder) / "i.json"
            duet.Instance.from_times([1], [1], 1, 1, unit="ms").write(json_file)
            with self.assertRaises(duet.UsageError):
                duet.read(json_file, unit="s")

    def test_sums_of_floats(self):
        times = [0.1, 0.2, 0.3, 0.7]
        instance = duet.Instance.from_times(times, times, 1, 1)
        start, runs = 0.0, []
        for i, time in enumerate(times):
            runs.append((f"t{i}", "cpu", 0, start))
            start += time
        solution = duet.read_solution(runs, instance)
        solution.verify()
        self.assertEqual(solution.makespan, Decimal("1.3"))

    def test_faults(self):
        instance = duet.Instance.from_times([1, 1], [1, 1], 1, 1)
        for runs in ([("t0", "cpu", 0, 0)], [("t0", "cpu", 0, 0), ("t1", "cpu", 0, 0)],
                     [("t0", "cpu", 0, 0), ("t1", "tpu", 0, 0)], [("t0", "cpu", 0, 0), ("t1", "gpu", 1, 0)]):
            with self.subTest(runs=runs), self.assertRaises(duet.InputError):
                duet.read_solution(runs, instance).verify()
        for wrong in ([("t0", "cpu")], ["t0,cpu,0"], [("t0", "cpu", -1, 0)]):
            with self.subTest(runs=wrong), self.assertRaises(duet.UsageError):
                duet.read_solution(wrong, instance)
        for wrong in ((0, "soon"), ("x", 0)):
            with self.subTest(run=wrong), self.assertRaises(duet.InputError):
                duet.read_solution([("t0", "cpu", *wrong)], instance)
        with self.assertRaises(duet.UsageError):
            duet.read_solution([], None)


    def test_faults_name_the_run(self):
        s = duet.solve(cpu=[1, 2], gpu=[2, 1], m=1, k=1)
        for runs, text in (([("t0", "cpu", 0, 0), ("nope", "cpu", 0, 1)], 'runs[1]: unknown task "nope"'),
                           ([("t0", "cpu", 0, 0), ("t0", "cpu", 0, 1)], 'runs[1]: task "t0" is placed twice')):
            with self.assertRaises(duet.InputError) as raised:
                duet.read_solution(runs, s.instance).verify()
            self.assertTrue(str(raised.exception).startswith(text), raised.exception)


class Bounds(unittest.TestCase):
    def test_best_and_named(self):
        s = duet.solve(cpu=[33, 170, 95, 88], gpu=[15.6, 5.95, 3.65, 8.11], m=2, k=1)
        best = duet.bound(s.instance)
        self.assertEqual((best.value, best.ticks), (s.lower_bound, s.lower_bound_ticks))
        every = [duet.bound(s.instance, row.name).ticks for row in duet.bounds()
                 if row.name in ("longest", "area", "shelf", "knapsack")]
        self.assertEqual(len(every), 4)
        self.assertLessEqual(max(every), best.ticks)
        with self.assertRaises(duet.UsageError):
            duet.bound(s.instance, "nowhere")
        with self.assertRaises(duet.UsageError):
            duet.bound("tasks.csv")

    def test_several_and_proven(self):
        s = duet.solve(cpu=[33, 170, 95, 88], gpu=[15.6, 5.95, 3.65, 8.11], m=2, k=1)
        area, longest = duet.bound(s.instance, "area"), duet.bound(s.instance, "longest")
        self.assertEqual((area.proven, longest.proven), ("certified", "certified"))
        self.assertTrue(area.value - Decimal("0.01") < area.exact <= area.value, area)
        for several in ("area,longest", ["longest", "area"], ("area", "longest")):
            self.assertEqual(duet.bound(s.instance, several), max(area, longest, key=lambda found: found.ticks))
        for wrong in ("area,nowhere", [], "area,", 7, [7]):
            with self.assertRaises(duet.UsageError):
                duet.bound(s.instance, wrong)
        # Where tasks are given, too: their ends are a bound.
        given = duet.solve(s.instance, fix=[(0, "cpu", 0, 50)]).instance
        self.assertEqual(duet.bound(given, "longest")[1:3], (83, 8300))
        self.assertEqual(duet.bound(given, "longest").proven, "certified")

    def test_an_instance_comes_first(self):
        instance = duet.generate("uniform", 10, 2, 1)
        self.assertEqual(duet.solve(instance).makespan, duet.solve(instance=instance).makespan)
        with self.assertRaises(duet.UsageError):
            duet.solve(instance, m=2)


class Simulating(unittest.TestCase):
    def test_room(self):
        """Times of as many digits as floats have leave no room for longer ones: those of a simulation are rounded."""
        rng = random.Random(5)
        cpu, gpu = ([rng.uniform(1, 30) for _ in range(40)] for _ in range(2))
        instance = duet.Instance.from_times(cpu, gpu, 3, 2)
        self.assertGreater(instance.decimals, 9)
        plan = duet.solve(instance, algorithm="heft")
        for given in (dict(algorithm="eft"), dict(plan=plan), dict(plan=plan, keep="allocation"),
                      dict(plan=plan, replan="heft", every="5")):
            still = duet.simulate(instance, **given, runs=1)
            sim = duet.simulate(instance, **given, noise="uniform:0.1", slow="gpu:0@10=2", runs=3)
            self.assertAlmostEqual(float(sim.planned), float(still.planned), 6)
            self.assertGreater(sim.mean, float(sim.planned))
            self.assertLess(len(repr(sim)), 120)

    def setUp(self):
        self.instance = duet.Instance.from_times([8, 8, 2], [4, 4, None], 1, 2, edges=[(0, 1), (1, 2)])

    def test_rules_and_plans(self):
        plan = duet.solve(instance=self.instance, algorithm="heft")
        for what in ({"algorithm": "eft"}, {"algorithm": "heft"}, {"plan": plan},
                     {"plan": plan, "keep": "allocation"},
                     {"algorithm": lambda task: "gpu" if task.task < 2 else "cpu"}):
            with self.subTest(what=what):
                calm = duet.simulate(self.instance, runs=3, **what)
                self.assertEqual([run.makespan for run in calm.runs], [calm.planned] * 3)
                self.assertEqual(calm.planned, 10)
                lost = duet.simulate(self.instance, fail=["gpu:0@3"], slow="cpu:0@0=2", runs=1, **what)
                self.assertEqual(lost.runs[0], (3 + 4 + 4 + 4, 10, 1))
                noisy = duet.simulate(self.instance, noise="lognormal:0.3", runs=20, seed=4, **what)
                self.assertTrue(all(run.makespan >= run.lower_bound for run in noisy.runs))
                self.assertLess(len(repr(noisy)), 120)
                self.assertEqual(noisy, duet.simulate(self.instance, noise=["lognormal:0.3"], runs=20,
                                                      seed=4, **what))

    def test_faults(self):
        def broken(task):
            raise ZeroDivisionError(task.task)
        with self.assertRaises(ZeroDivisionError):
            duet.simulate(self.instance, broken)
        with self.assertRaises(duet.InfeasibleError):
            duet.simulate(self.instance, "eft", fail="cpu:0@1")
        for wrong in ({}, {"noise": "loud:1"}, {"noise": 3}, {"runs": 0}, {"keep": "all"}, {"seed": -1},
                      {"plan": "heft"}, {"fail": ["gpu:2@1"]}):
            given = {"algorithm": "eft", **wrong} if wrong else {}
            with self.subTest(wrong=wrong), self.assertRaises((duet.UsageError, TypeError)):
                duet.simulate(self.instance, **given)


class ArraysWithout(unittest.TestCase):
    def test_buffer(self):
        import array
        flat = memoryview(array.array("q", [3, 1, 4, 1])).cast("B").cast("q", (2, 2))
        self.assertEqual(len(duet.Instance.from_ticks(flat, 1, 1)), 2)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(duet))
    tests.addTests(doctest.DocTestSuite(sys.modules["duet._simulate"]))
    tests.addTests(doctest.DocFileSuite("../../README.md"))
    return tests


class TheDefinition(unittest.TestCase):
    """docs/problem.md: mixed sets, and starts between ticks."""

    LAW = {"platform": [{"type": "a", "count": 2}, {"type": "b", "count": 2}], "tick": 1e-3,
           "tasks": [{"id": "x", "work": 4, "alpha": 0}]}

    def test_mixed_sets(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "i.json")
            duet.Instance.from_dict(self.LAW).write(file)
            made = [duet.Instance.from_dict(self.LAW, mixed_sets=True), duet.read(file, mixed_sets=True),
                    duet.Instance.from_dict({**self.LAW, "mixed_sets": True})]
        for instance in made + [copy.copy(made[0]), pickle.loads(pickle.dumps(made[0]))]:
            self.assertTrue(instance.mixed_sets)
            solution = duet.solve(instance)
            self.assertEqual((str(solution.makespan), solution.verify()), ("1.001", "certified"))
            with self.assertRaises(duet.UnsupportedError):
                duet.solve(instance, algorithm="exact")
        self.assertFalse(duet.Instance.from_dict(self.LAW).mixed_sets)
        with self.assertRaisesRegex(duet.UnsupportedError, "mixed_sets"):
            duet.solve(duet.Instance.from_dict(self.LAW), algorithm="cpa")

    def test_between_ticks(self):
        instance = duet.Instance.from_times([3, 3], [2, 9], 1, 1)
        runs = [("t0", "gpu", 0, 0.5), ("t1", "cpu", 0, 0.25)]
        solution = duet.read_solution(runs, instance)
        self.assertEqual((solution.makespan, solution.verify()), (Decimal("3.25"), "none"))
        self.assertEqual([run.start for run in solution.schedule], [Decimal("0.5"), Decimal("0.25")])
        judged = duet.judge(runs, instance)
        self.assertEqual((judged.bound.value, judged.gap), (3, Fraction(1, 12)))
        with self.assertRaisesRegex(duet.InputError, "overlap"):
            duet.judge([("t0", "gpu", 0, 0.5), ("t1", "gpu", 0, 2.4)], instance)
        # In finer ticks a law would be another one: there starts are rounded down.
        moldable = duet.Instance.from_dict({**self.LAW, "tick": 1})
        self.assertEqual(duet.read_solution([("x", "a", "0-1", 0.5)], moldable).makespan, 2)


if __name__ == "__main__":
    unittest.main()
