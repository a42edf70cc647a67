# SPDX-License-Identifier: Apache-2.0
"""Rules of papers that plan with data or with sets of processors, against simulators of our own, read from the papers'
words again and reckoned in exact fractions: HEFT, HEFT-WM, HOFT, HOFT-WM; HCPA, S-HCPA."""
import math
import os
import random
import unittest
from fractions import Fraction

import duet

GRAPHS = int(os.environ.get("DUET_TEST_INSTANCES") or min(300, int(os.environ.get("DUET_TEST_AT_MOST", "300"))))


def draw_edges(rng, tasks, density=0.3):
    return [(i, j) for j in range(tasks) for i in range(j) if rng.random() < density]


# --- McSweeney, Walton, Zounon: sections 4 to 6 -------------------------------------------------------------------

class Costs:
    """Times (CPU, GPU) of tasks, and for each edge a table of costs by the types of its ends."""

    def __init__(self, rng, tasks, counts):
        self.counts = counts
        self.times = [(rng.randint(1, 60), rng.randint(1, 20)) for _ in range(tasks)]
        self.edges = {edge: [[0, rng.randint(0, 15)], [rng.randint(0, 15), rng.randint(0, 15)]]
                      for edge in draw_edges(rng, tasks)}
        self.before = [[i for i, j in self.edges if j == task] for task in range(tasks)]
        self.after = [[j for i, j in self.edges if i == task] for task in range(tasks)]

    def instance(self):
        return duet.Instance.from_dict({
            "platform": [{"type": name, "count": count} for name, count in zip(("cpu", "gpu"), self.counts)],
            "tasks": [{"id": f"t{j}", "times": list(row)} for j, row in enumerate(self.times)],
            "edges": [{"from": f"t{i}", "to": f"t{j}", "costs": table} for (i, j), table in self.edges.items()]})

    def ranks(self, weight, cost):
        rank = [Fraction(0)] * len(self.times)
        for i in reversed(range(len(rank))):
            rank[i] = weight(i) + max((cost(i, j) + rank[j] for j in self.after[i]), default=0)
        return rank

    def mean(self, accelerated):
        """Formulas (1) and (2), or (6) and (7), of which the former are the case r = 1."""
        m, k = self.counts
        r = [Fraction(p, q) if accelerated else Fraction(1) for p, q in self.times]

        def weight(i):
            p, q = self.times[i]
            return (p * m + r[i] * q * k) / (m + r[i] * k)

        def cost(i, j):
            (cc, cg), (gc, gg) = self.edges[i, j]
            total = m * (m - 1) * cc + m * k * (r[i] * gc + r[j] * cg) + r[i] * r[j] * k * (k - 1) * gg
            return total / ((r[i] * k + m) * (r[j] * k + m))
        return self.ranks(weight, cost)

    def optimistic(self):
        """Formula (8), with data between different types."""
        finish = []
        for i, row in enumerate(self.times):
            finish.append([row[t] + max((min(finish[j][s] + (self.edges[j, i][s][t] if s != t else 0) for s in (0, 1))
                                         for j in self.before[i]), default=0) for t in (0, 1)])
        return finish

    def schedule(self, rule):
        oft = self.optimistic()
        if rule == "hoft":
            rank = self.ranks(lambda i: Fraction(max(oft[i]), min(oft[i])), lambda i, j: 0)
        else:
            rank = self.mean(rule != "heft")
        busy = [[[] for _ in range(count)] for count in self.counts]
        where = [None] * len(rank)  # (end, type, processor, start)

        def earliest(i, t):
            found = []
            for p, runs in enumerate(busy[t]):
                start = max((where[j][0] + (self.edges[j, i][where[j][1]][t] if where[j][1:3] != (t, p) else 0)
                             for j in self.before[i]), default=0)
                for begin, end in sorted(runs):
                    if start + self.times[i][t] <= begin:
                        break
                    start = max(start, end)
                found.append((start + self.times[i][t], t, p, start))
            return min(found)

        def children(i, t):
            best = [0 if oft[j][0] < oft[j][1] else 1 for j in range(len(rank))]
            return max((self.edges[i, j][t][best[j]] + self.times[j][best[j]] for j in self.after[i]), default=0)

        for i in sorted(range(len(rank)), key=lambda i: (-rank[i], i)):
            ends = [earliest(i, 0), earliest(i, 1)]
            t = 1 if ends[1][0] <= ends[0][0] else 0
            fast = 1 if self.times[i][1] <= self.times[i][0] else 0
            if rule.startswith("hoft") and t != fast:
                saved = ends[fast][0] - ends[t][0]
                if saved <= children(i, t) - children(i, fast):
                    t = fast
            where[i] = ends[t]
            busy[t][ends[t][2]].append((ends[t][3], ends[t][0]))
        return [(start, ("cpu", "gpu")[t], p) for _, t, p, start in where]


# --- N'Takpe, Suter: sections 3.2 and 4 ---------------------------------------------------------------------------

class Clusters:
    """Clusters (processors, speed) and tasks (work, alpha) without data."""

    def __init__(self, rng):
        speeds = rng.sample([10, 20, 30, 40], rng.randint(1, 3))
        self.clusters = [(rng.randint(2, 8), speed) for speed in speeds]
        self.tasks = [(rng.randint(1000, 99999), Fraction(rng.randint(0, 200), 1000)) for _ in range(rng.randint(3, 10))]
        self.edges = draw_edges(rng, len(self.tasks))
        self.before = [[i for i, j in self.edges if j == task] for task in range(len(self.tasks))]
        self.after = [[j for i, j in self.edges if i == task] for task in range(len(self.tasks))]
        self.slowest = min(speeds)
        self.sizes = self.allocate()

    def instance(self):
        return duet.Instance.from_dict({
            "platform": [{"type": f"c{c}", "count": count, "speed": speed}
                         for c, (count, speed) in enumerate(self.clusters)], "tick": 1e-6,
            "tasks": [{"id": f"t{j}", "work": work, "alpha": float(alpha)} for j, (work, alpha) in enumerate(self.tasks)],
            "edges": [[f"t{i}", f"t{j}"] for i, j in self.edges]})

    def time(self, task, size, speed):
        work, alpha = self.tasks[task]
        return (alpha + (1 - alpha) / size) * Fraction(work, speed)

    def wanted(self, task, size, cluster):
        """The function f of section 4.1, rounded up; endless where no number of processors is enough."""
        alpha, alone = self.tasks[task][1], self.time(task, 1, self.clusters[cluster][1])
        left = self.time(task, size, self.slowest) - alpha * alone
        return math.ceil((1 - alpha) * alone / left) if left > 0 else math.inf

    def levels(self, size):
        level = [Fraction(0)] * len(size)
        for j in reversed(range(len(level))):
            level[j] = self.time(j, size[j], self.slowest) + max((level[i] for i in self.after[j]), default=0)
        return level

    def allocate(self):
        """Algorithm 1 on the reference cluster."""
        reference = math.ceil(sum(Fraction(count * speed, self.slowest) for count, speed in self.clusters))
        size = [1] * len(self.tasks)
        while True:
            level = self.levels(size)
            area = sum(self.time(j, n, self.slowest) * n for j, n in enumerate(size)) / reference
            if max(level) <= area:
                return size
            top = []
            for j in range(len(size)):
                top.append(max((top[i] + self.time(i, size[i], self.slowest) for i in self.before[j]), default=0))
            grow = [j for j in range(len(size)) if top[j] + level[j] == max(level) and any(
                self.wanted(j, size[j], c) < count for c, (count, _) in enumerate(self.clusters))]
            if not grow:
                return size

            def gain(j):
                return self.time(j, size[j], self.slowest) / size[j] - self.time(
                    j, size[j] + 1, self.slowest) / (size[j] + 1)
            size[max(grow, key=gain)] += 1

    def makespan(self, by_sufferage):
        level = self.levels(self.sizes)
        free = [[Fraction(0)] * count for count, _ in self.clusters]
        placed = {}  # of a task: its end, cluster and processors

        def trials(j):
            found = []
            for c, (count, speed) in enumerate(self.clusters):
                size = min(count, self.wanted(j, self.sizes[j], c))
                start = max([sorted(free[c])[size - 1]] + [placed[i][0] for i in self.before[j]])
                found.append((start + self.time(j, size, speed), c, size, start))
            return sorted(found)

        def urgency(j):
            ends = trials(j)
            suffers = ends[1][0] - ends[0][0] if by_sufferage and len(ends) > 1 else 0
            return suffers, level[j], -j

        while len(placed) < len(self.tasks):
            ready = [j for j in range(len(self.tasks)) if j not in placed and all(i in placed for i in self.before[j])]
            j = max(ready, key=urgency)
            end, c, size, start = trials(j)[0]
            # Those of a predecessor, where its set is as good; else those that were free last.
            use = next((placed[i][2] for i in self.before[j] if placed[i][1] == c and len(placed[i][2]) == size and
                        max(free[c][p] for p in placed[i][2]) <= start), None)
            if use is None:
                use = sorted((p for p in range(len(free[c])) if free[c][p] <= start), key=lambda p: free[c][p])[-size:]
            placed[j] = end, c, use
            for p in use:
                free[c][p] = end
        return max(end for end, _, _ in placed.values())


class Plans(unittest.TestCase):
    def test_heft_and_hoft_with_costs(self):
        for seed in range(GRAPHS // 2):
            rng = random.Random(seed)
            graph = Costs(rng, rng.randint(4, 14), (rng.randint(1, 4), rng.randint(1, 3)))
            instance = graph.instance()
            for rule in "heft", "heft-wm", "hoft", "hoft-wm":
                solution = duet.solve(instance, algorithm=rule, options={"ties": "gpu", "bound": "none"})
                found = [(run.start, run.type, run.processor) for run in solution.schedule]
                self.assertEqual(found, graph.schedule(rule), f"seed {seed}: {rule}")

    def test_hcpa_and_s_hcpa(self):
        for seed in range(GRAPHS // 2):
            plan = Clusters(random.Random(seed))
            instance = plan.instance()
            for rule in "hcpa", "s-hcpa":
                solution = duet.solve(instance, algorithm=rule, options={"bound": "none"})
                self.assertAlmostEqual(float(solution.makespan), float(plan.makespan(rule == "s-hcpa")), 4,
                                       f"seed {seed}: {rule}")


if __name__ == "__main__":
    unittest.main()
