# SPDX-License-Identifier: Apache-2.0
"""Planning again: what has begun stays, parts that stay, processors that fail."""
import copy
import os
import pickle
import tempfile
import unittest
from decimal import Decimal

import duet
from duet._plot import _closed


class Replan(unittest.TestCase):
    def setUp(self):
        self.instance = duet.Instance.from_times([4, 6, 5, 8], [2, 3, 1, 2], 2, 1, ids=["a", "b", "c", "d"],
                                                 edges=[("a", "c", 2)])
        self.plan = [("a", "gpu", 0, 0), ("b", "cpu", 0, 0), ("c", "gpu", 0, 4), ("d", "gpu", 0, 2, 3.5)]

    def runs(self, solution):
        return {run.task: run for run in solution.schedule}

    def test_now(self):
        s = duet.solve(self.instance, start_from=self.plan, now=3)
        runs = self.runs(s)
        self.assertEqual((runs["a"].start, runs["b"].start, runs["d"].start), (0, 0, 2))
        self.assertGreaterEqual(runs["c"].start, Decimal("3.5"))
        self.assertEqual(s.makespan, 6)
        s.verify()
        self.assertEqual(s.instance.decimals, 1)
        for other in (copy.copy(s), pickle.loads(pickle.dumps(s))):
            other.verify()
            self.assertEqual(other.makespan, s.makespan)

    def test_plans_that_go_on(self):
        """A solution, a file and rows say the same; and a plan that was made again is made again."""
        first = duet.solve(self.instance, algorithm="heft")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            first.write(path)
            rows = [(run.task, run.type, run.processor, run.start) for run in first.schedule]
            found = {duet.solve(self.instance, algorithm="heft", start_from=plan, now=1).makespan
                     for plan in (first, path, rows)}
        self.assertEqual(len(found), 1)
        second = duet.solve(self.instance, start_from=first, now=1)
        third = duet.solve(self.instance, start_from=second, now=2)
        self.assertLessEqual(third.makespan, second.makespan)
        third.verify()

    def test_fix(self):
        for fix, holds in (([("c", "cpu")], lambda run: run.type == "cpu"),
                           ([("c", None, None, 5)], lambda run: run.start == 5),
                           ([{"task": "c", "type": "cpu", "processor": 1}], lambda run: (run.type, run.processor) == ("cpu", 1)),
                           ([{"task": "c", "start": 6, "type": "cpu", "processor": 0}], lambda run: run.start == 6)):
            s = duet.solve(self.instance, algorithm="exact", fix=fix)
            self.assertTrue(holds(self.runs(s)["c"]), fix)
            s.verify()

    def test_without(self):
        s = duet.solve(self.instance, without={"cpu": [0]})
        self.assertNotIn(("cpu", 0), {(run.type, run.processor) for run in s.schedule})
        s = duet.solve(self.instance, start_from=self.plan, now=1, without={"gpu": 0})
        self.assertEqual({run.type for run in s.schedule}, {"cpu"})
        self.assertGreaterEqual(self.runs(s)["a"].start, 1)

    def test_closed(self):
        """What plot() hatches: busy and lost processors, these from now on and behind what has begun there."""
        instance = duet.Instance.from_times([4, 6, 5], [2, 3, 5], 1, 2, busy={"cpu": [1]})
        solution = duet.solve(instance, start_from=[(0, "gpu", 0, 0), (1, "gpu", 1, 0), (2, "gpu", 0, 2)], now=Decimal("2.5"),
                              without={"gpu": 0})
        self.assertEqual((solution.instance.now, solution.instance.without), (Decimal("2.5"), {"gpu": [0]}))
        rows = {("cpu", 0): 0, ("gpu", 0): 1, ("gpu", 1): 2}
        self.assertEqual(_closed(solution, rows, 9.0), [(0, 0.0, 1.0), (1, 2.5, 9.0)])

    def test_deadline_between_ticks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "late.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,deadline,cpu\na,3,3\n")
            instance = duet.read(path, m=1)
        solution = duet.read_solution([("a", "cpu", 0, 0.5)], instance)
        self.assertEqual((solution.instance.decimals, solution.instance.deadline(0)), (1, 3))
        self.assertEqual(solution.late, {"a": Decimal("0.5")})
        self.assertEqual(duet.solve(instance).late, {})
        given = duet.solve(instance, start_from=[("a", "cpu", 0, 0, 2.5)], now=1).instance
        self.assertEqual((given.decimals, given.deadline(0)), (1, 3))

    def test_wrong(self):
        for error, words in ((duet.UsageError, {"now": 3}), (duet.UsageError, {"now": "x", "start_from": self.plan}),
                             (duet.UsageError, {"without": {"npu": [0]}}), (duet.InputError, {"without": {"gpu": [1]}}),
                             (duet.UsageError, {"without": {"gpu": ["0"]}}), (duet.UsageError, {"fix": [()]}),
                             (duet.UsageError, {"fix": [{"type": "cpu"}]}), (duet.InputError, {"fix": [("x", "cpu")]}),
                             (duet.InputError, {"fix": [("c", "gpu", 3)]}),
                             (duet.InputError, {"fix": [("a", "gpu", 0, 3), ("b", "gpu", 0, 3)]})):
            with self.assertRaises(error, msg=words):
                duet.solve(self.instance, **words)
        with self.assertRaises(duet.InfeasibleError):
            duet.solve(self.instance, without={"gpu": [0], "cpu": [0, 1]})

    def test_simulate(self):
        instance = duet.Instance.from_times([5 + j % 7 for j in range(20)], [2 + j % 5 for j in range(20)], 2, 1)
        plain = duet.simulate(instance, "heft", replan="heft", runs=2)
        self.assertEqual([run.makespan for run in plain.runs], [plain.planned] * 2)
        for words in ({"replan": "heft"}, {"every": 4}, {"replan": "eft", "every": "2.5"}):
            noisy = duet.simulate(instance, "heft", noise="lognormal:0.5", runs=5, **words)
            self.assertTrue(any(run.plans > 0 for run in noisy.runs))
            self.assertEqual([(*run, run.kept) for run in pickle.loads(pickle.dumps(noisy)).runs],
                             [(*run, run.kept) for run in noisy.runs])
            kept = duet.simulate(instance, "heft", noise="lognormal:0.5", runs=5)
            self.assertEqual([run.kept for run in noisy.runs], [run.makespan for run in kept.runs])
        with self.assertRaises(duet.UsageError):
            duet.simulate(instance, "heft", replan="exact")
        with self.assertRaises(duet.UsageError):
            duet.simulate(instance, "heft", every=0)


if __name__ == "__main__":
    unittest.main()
