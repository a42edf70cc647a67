# SPDX-License-Identifier: Apache-2.0
"""The Python module: what it gives out, what it refuses, and what it leaves behind."""
import doctest
import gc
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duet

try:
    import numpy
except ImportError:
    numpy = None

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
        with self.assertRaisesRegex(duet.UsageError, "decimal places"):
            duet.solve([1e-10], [None], 1, 0)

    def test_refused(self):
        for bad in (-1, math.nan, "x", True, -math.inf, [1]):
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
            if "cairo" in duet.features():
                s.gantt(Path(folder) / "s.svg")
                self.assertIn("<svg", (Path(folder) / "s.svg").read_text())
            with self.assertRaises(duet.OutputError):
                s.write(Path(folder) / "none" / "s.json")
            broken = Path(folder) / "broken.json"
            broken.write_text('{"format": "duet-instance",\n "version": 7}')
            with self.assertRaisesRegex(duet.InputError, r"broken\.json:2"):
                duet.read(broken)
        with self.assertRaises(duet.InputError):
            duet.read("/no/such/file.json")

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
        self.assertEqual(s.status, "bounded")
        self.assertGreater(s.gap, Fraction(0))
        s.verify()

    def test_interrupt(self):
        """Ctrl-C ends a search that has no limit."""
        text = ("import duet\nprint('ready', flush=True)\n"
                "duet.solve(instance=duet.generate('unif4', 100, 20, 4, seed=1), "
                "algorithm='exact', time_limit=0)\n")
        child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, fault = child.communicate()
        self.assertIn(b"KeyboardInterrupt", fault)

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

    def test_out(self):
        s = duet.solve(CPU, GPU, 2, 1)
        array = s.as_array()
        del s
        gc.collect()
        again = duet.solve(CPU, GPU, 2, 1)
        self.assertEqual(sorted(array["start"]), sorted(again.as_array()["start"]))
        with self.assertRaises(ValueError):
            array["start"][0] = 1


class ArraysWithout(unittest.TestCase):
    def test_buffer(self):
        import array
        flat = memoryview(array.array("q", [3, 1, 4, 1])).cast("B").cast("q", (2, 2))
        self.assertEqual(len(duet.Instance.from_ticks(flat, 1, 1)), 2)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(duet))
    tests.addTests(doctest.DocFileSuite("../../README.md"))
    return tests


if __name__ == "__main__":
    unittest.main()
