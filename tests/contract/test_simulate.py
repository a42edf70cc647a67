# SPDX-License-Identifier: Apache-2.0
"""duet simulate: the shape of its JSON and CSV, and runs that one can follow by hand."""
import csv
import unittest
from fractions import Fraction

from test_contract import Contract

CHAIN = """{"format": "duet-instance", "version": 1, "name": "chain", "time_unit": "s",
 "platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 2}],
 "tasks": [{"id": "a", "times": [8, 4]}, {"id": "b", "times": [8, 4]}, {"id": "c", "times": [2, null]}],
 "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]}
"""


class Simulate(Contract):
    def setUp(self):
        super().setUp()
        self.write("chain.json", CHAIN)

    def largest(self, *words, code=0):
        done = self.json("simulate", "chain.json", "--json", "--runs", "1", *words, code=code)
        return done["makespan"]["max"]

    def test_shape(self):
        self.duet("solve chain.json -a heft -o plan.json")
        for words in ("-a eft", "-a heft --keep allocation", "--solution plan.json --keep order"):
            made = self.json(f"simulate chain.json {words} --noise gamma:0.3 --seed 3 --runs 20 --json "
                             "--csv runs.csv --slow gpu:0@2=1.5")
            self.assertEqual(set(made), {
                "instance", "algorithm", "solution", "keep", "noise", "slow", "fail", "runs", "asked", "seed",
                "time_unit", "planned", "makespan", "ratio", "given_up"})
            self.assertEqual((made["planned"], made["runs"], made["seed"], made["noise"], made["slow"]),
                             (10, 20, 3, ["gamma:0.3"], ["gpu:0@2=1.5"]))
            rows = list(csv.DictReader(self.read("runs.csv").splitlines()))
            times = sorted(Fraction(row["makespan"]) for row in rows)
            self.assertEqual([row["run"] for row in rows], [str(i) for i in range(20)])
            self.assertEqual(Fraction(str(made["makespan"]["max"])), times[-1])
            self.assertEqual(Fraction(str(made["makespan"]["median"])), times[9])
            self.assertEqual(Fraction(str(made["makespan"]["q90"])), times[17])
            for row in rows:
                ratio = Fraction(row["makespan"]) / Fraction(row["lower_bound"])
                self.assertGreaterEqual(ratio, 1)
                self.assertAlmostEqual(float(ratio), float(row["ratio"]), places=8)

    def test_by_hand(self):
        """a and b on a GPU, then c on the CPU: 4 + 4 + 2."""
        self.duet("solve chain.json -a heft -o plan.json")
        for words in (["-a", "eft"], ["-a", "heft"], ["--solution", "plan.json", "--keep", "allocation"]):
            self.assertEqual(self.largest(*words), 10)
            self.assertEqual(self.largest("--noise", "none", *words), 10)
            self.assertEqual(self.largest("--noise", "kind:a=1.5,c=2", *words), 14)
            self.assertEqual(self.largest("--noise", "group:a=1.5,c=2", *words), 14)
            # What is left of a at instant 2 takes twice as long, and so does b, which is there too.
            self.assertEqual(self.largest("--slow", "gpu:0@2=2", *words), 2 + 2 * 2 + 4 * 2 + 2)
            # a starts anew at instant 3 on the other GPU, or b goes there at once.
            self.assertEqual(self.largest("--fail", "gpu:0@3", *words), 3 + 4 + 4 + 2)
            self.assertEqual(self.largest("--fail", "gpu:0@4", *words), 10)
            # Without any GPU the CPU is left; without the CPU nothing is left for c.
            self.assertEqual(self.largest("--fail", "gpu:0@3", "--fail", "gpu:1@0", *words), 3 + 8 + 8 + 2)
            self.duet("simulate", "chain.json", "--fail", "cpu:0@9", *words, code=4)

    def test_many_digits(self):
        """Noise needs room, so that times are rounded further than those that the plan's bound was proven of."""
        times = [f"{10 + i * 1.1234567890123:.15f},{4 + i % 7 * 0.9876543210987:.15f}" for i in range(60)]
        self.write("digits.csv", "id,cpu,gpu\n" + "".join(f"t{i},{row}\n" for i, row in enumerate(times)))
        self.duet("solve digits.csv -m 3 -k 2 -a dual-4-3 -o plan.json -q")
        self.duet("simulate digits.csv -m 3 -k 2 --solution plan.json --noise uniform:0.1 --runs 2")

    def test_groups(self):
        """gemm_1 and gemm_2 take twice as long, gemms not: 2 + 6 + 5."""
        self.write("groups.csv", "id,cpu\ngemm_1,1\ngemm_2,3\ngemms,5\n")
        made = self.json("simulate groups.csv -m 1 -a eft --runs 1 --json --noise group:gemm=2")
        self.assertEqual(made["makespan"]["max"], 13)
        self.duet("simulate", "groups.csv", "-m", "1", "-a", "eft", "--noise", "group:gem=2", code=2)
        self.write("of_groups.csv", "id,cpu\ntrain_1,3\ntrain_2,4\n")
        self.assertIn("expected group: for all ids that begin so",
                      self.run_duet("simulate of_groups.csv -m 1 -a eft --noise kind:train=2").stderr)

    def test_same_noise_for_all(self):
        """On one processor every rule and plan takes the sum of the real times."""
        self.write("one.csv", "id,count,cpu\na,20,100\nb,7,30\n")
        def runs(words):
            self.duet(f"simulate one.csv -m 1 {words} --noise lognormal:0.5 --seed 9 --runs 30 --csv r.csv -q")
            return [row["makespan"] for row in csv.DictReader(self.read("r.csv").splitlines())]
        first = runs("-a eft")
        self.assertGreater(len(set(first)), 20)
        for words in ("-a qa", "-a eft -O bind=idle", "-a lpt", "-a lpt --keep allocation"):
            self.assertEqual(runs(words), first)

    def test_chart(self):
        self.duet("simulate chain.json -a eft --noise uniform:0.5 --chart real.svg -q")
        self.assertIn("share of runs (%)", self.read("real.svg"))


if __name__ == "__main__":
    unittest.main()
