# SPDX-License-Identifier: Apache-2.0
"""Proofs of searches that claim one tick more than the optimum, and are changed elsewhere too, are refused.

Independent tasks on two and more types and on unrelated machines: exact writes the proof of the optimum, which is
accepted. Then the claim is raised by one tick, or a task is made shorter so that the optimum is below the claim: there
is no such proof. Some numbers and lines are changed, too. Whatever that makes, it must not be accepted beside a
schedule that is longer. DUET_TEST_INSTANCES says how many are changed in all, DUET_TEST_SEED which.
"""
import json
import os
import random
import re
import subprocess
import tempfile
import unittest

DUET = os.environ["DUET_COMMAND"]
COUNT = int(os.environ.get("DUET_TEST_INSTANCES") or min(60, int(os.environ.get("DUET_TEST_AT_MOST", "60"))))
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
EACH = 20  # changed proofs of an instance


def duet(*arguments):
    return subprocess.run([DUET, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, text=True)


def random_instance(draw):
    types = draw.randint(2, 6)
    machines = draw.random() < 0.3
    platform = [{"type": f"t{t}", "count": 1 if machines else draw.randint(1, 4)} for t in range(types)]
    longest = draw.choice([20, 100, 1000])
    tasks = [{"id": f"a{j}", "times": [draw.randint(longest // 10 + 1, longest) for _ in range(types)]}
             for j in range(draw.randint(5, 24))]
    return {"format": "duet-instance", "version": 1, "platform": platform, "tasks": tasks}


def change(draw, lines):
    """One number, or one line."""
    if len(lines) < 4:
        return
    at = draw.randrange(3, len(lines))
    kind = draw.random()
    numbers = list(re.finditer(r"\d+", lines[at]))
    if kind < 0.7 and numbers:
        number = draw.choice(numbers)
        value = int(number.group())
        value = max(0, draw.choice([value - 1, value + 1, value + 1, 0, 2 * value, draw.randint(0, 2 * value + 2)]))
        lines[at] = lines[at][:number.start()] + str(value) + lines[at][number.end():]
    elif kind < 0.8:
        del lines[at]
    elif kind < 0.9:
        lines.insert(at, draw.choice(lines[2:]))
    else:
        lines[at] = draw.choice(lines[2:])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class FalseProofs(unittest.TestCase):
    def solve(self, files, instance):
        """The instance's solution, and its proof in a.proof."""
        write(files["in.json"], json.dumps(instance))
        ran = duet("solve", files["in.json"], "-a", "exact", "-O", "rounds=2", "-O", "proof=" + files["a.proof"], "-q", "-o",
                   files["best.json"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        ran = duet("verify", files["in.json"], files["best.json"], "--proof", files["a.proof"])
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return json.loads(read(files["best.json"]))

    def check(self, draw, folder):
        """Changed proofs of one instance; how many they were."""
        files = {name: os.path.join(folder, name) for name in ("in.json", "best.json", "longer.json", "a.proof", "b.proof")}
        instance = random_instance(draw)
        solution = self.solve(files, instance)
        claim = solution["lower_bound"] + 1
        false = read(files["a.proof"]).replace(f"bound {claim - 1}\n", f"bound {claim}\n", 1)
        if draw.random() < 0.7:  # the same proof of an instance with a shorter task
            claim -= 1
            false = read(files["a.proof"])
            task = draw.choice(instance["tasks"])
            task["times"] = [max(1, time // 2) for time in task["times"]]
            solution = self.solve(files, instance)
        if solution["status"] != "optimal" or solution["makespan"] >= claim:
            return 0
        wait = claim - solution["makespan"] + 4
        for task in solution["schedule"]:
            task["start"] += wait
            task["end"] += wait
        solution["makespan"] += wait
        solution["status"] = "bounded"
        solution["bound"] = "exact"
        solution["lower_bound"] = claim
        solution.pop("certificate", None)
        solution.pop("guarantee", None)
        write(files["longer.json"], json.dumps(solution))
        for which in range(EACH):
            lines = false.splitlines()
            for _ in range(0 if which == 0 else draw.randint(1, 4)):
                change(draw, lines)
            write(files["b.proof"], "\n".join(lines) + "\n")
            ran = duet("verify", files["in.json"], files["longer.json"], "--proof", files["b.proof"])
            self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
            self.assertIn("b.proof", ran.stdout + ran.stderr)
        return EACH

    def test_none_is_accepted(self):
        done = 0
        seed = SEED
        while done < COUNT and seed < SEED + 10 * COUNT:
            with tempfile.TemporaryDirectory() as folder, self.subTest(seed=seed):
                done += self.check(random.Random(seed), folder)
            seed += 1
        self.assertGreaterEqual(done, COUNT)


if __name__ == "__main__":
    unittest.main()
