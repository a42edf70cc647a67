# SPDX-License-Identifier: Apache-2.0
"""Rules of the five papers against simulators of our own, read from the papers' words again and
reckoned in exact fractions. No line of the library is used but to ask it for its schedules."""
import json
import math
import os
import random
import tempfile
import unittest
import warnings
from fractions import Fraction
from pathlib import Path

import duet

GRAPHS = int(os.environ.get("DUET_TEST_INSTANCES") or min(300, int(os.environ.get("DUET_TEST_AT_MOST", "300"))))


class Graph:
    """Tasks with a time on each type, and edges from lower to higher numbers."""

    def __init__(self, rng, tasks, counts, longest=12, edges=0.25, forbidden=0.0):
        self.counts = counts
        types = range(len(counts))
        self.times = []
        for _ in range(tasks):
            row = [rng.randint(1, longest) for _ in types]
            kept = rng.choice(types)
            self.times.append([None if t != kept and rng.random() < forbidden else row[t] for t in types])
        self.edges = [(i, j) for j in range(tasks) for i in range(j) if rng.random() < edges * 3 / (j + 1)]
        if edges and not self.edges:
            self.edges = [(0, tasks - 1)]
        self.before = [[i for i, j in self.edges if j == task] for task in range(tasks)]
        self.after = [[j for i, j in self.edges if i == task] for task in range(tasks)]

    def solve(self, algorithm, **options):
        names = [f"t{t}" for t in range(len(self.counts))]
        columns = {name: [row[t] for row in self.times] for t, name in enumerate(names)}
        return duet.solve(columns, platform=dict(zip(names, self.counts)), edges=self.edges or None,
                          algorithm=algorithm, options={**options, "bound": "none"})

    def levels(self, weight):
        level = [Fraction(0)] * len(self.times)
        for j in reversed(range(len(level))):
            level[j] = weight(j) + max((level[i] for i in self.after[j]), default=Fraction(0))
        return level


def places(solution):
    return [(run.start, run.type, run.processor) for run in solution.schedule]


# --- HEFT-NC: Shetti, Fahmy, Bretschneider, as the programs of the authors of HOFT have it ------------------------

def heft_nc(graph, threshold, first):
    """Insertion, no data. Weights are whole numbers of 2^-20, rounded down, as the page of rules says."""
    times, counts = graph.times, graph.counts

    def weigh(a, b):
        a, b = min(a, b), max(a, b)
        return math.floor(Fraction((b - a) * a, b) * 2**20) if b else 0

    def weigh_ends(a, b):
        return math.floor(Fraction((b - a) * b, a) * 2**20) if first and a else weigh(a, b)

    rank = graph.levels(lambda j: weigh(*times[j]))
    busy = {(t, p): [] for t in range(2) for p in range(counts[t])}
    end = [0] * len(times)
    where = [None] * len(times)

    def slot(runs, ready, time):
        start = ready
        for a, b in sorted(runs):
            if start + time <= a:
                break
            start = max(start, b)
        return start

    for j in sorted(range(len(times)), key=lambda j: (-rank[j], j)):
        ready = max((end[i] for i in graph.before[j]), default=0)
        best = [min((slot(busy[t, p], ready, times[j][t]) + times[j][t], p) for p in range(counts[t])) for t in range(2)]
        chosen = 1 if best[1][0] <= best[0][0] else 0
        if times[j][chosen] > times[j][1 - chosen]:
            saved = weigh_ends(best[chosen][0], best[1 - chosen][0])
            if weigh(*times[j]) > threshold * saved:
                chosen = 1 - chosen
        end[j], p = best[chosen]
        where[j] = (end[j] - times[j][chosen], ("t0", "t1")[chosen], p)
        busy[chosen, p].append((end[j] - times[j][chosen], end[j]))
    return where


# --- HeteroPrio on independent tasks with priorities: Beaumont et al., algorithm 1 ---------------------------------

def heteroprio_alone(times, priority, counts):
    """Where each task ran at last. Two types, every task on both."""
    def place_in_queue(j):
        rho = Fraction(times[j][0], times[j][1])
        return (-rho, -priority[j] if rho >= 1 else priority[j], j)

    queue = sorted(range(len(times)), key=place_in_queue)
    running, where, now = {}, [None] * len(times), 0
    order = [(1, p) for p in range(counts[1])] + [(0, p) for p in range(counts[0])]
    idle = list(order)
    while True:
        for spot in sorted(idle, key=order.index):
            while spot is not None:
                t = spot[0]
                victim = None
                if queue:
                    task = queue.pop(0 if t == 1 else -1)
                else:
                    takes = [(-end, j, other) for other, (end, j) in running.items()
                             if other[0] != t and end > now and now + times[j][t] < end]
                    if not takes:
                        break
                    _, task, victim = min(takes)
                    del running[victim]
                running[spot] = (now + times[task][t], task)
                where[task] = (now, ("cpu", "gpu")[t], spot[1])
                spot = victim
        if not running:
            return where
        now = min(end for end, _ in running.values())
        idle = [spot for spot, (end, _) in running.items() if end == now]
        for spot in idle:
            del running[spot]
        idle = [spot for spot in order if spot not in running]


# --- HeteroPrio on graphs: Beaumont et al., algorithm 1, sections 2.2 and 6.2 ------------------------------------

def heteroprio(graph, rank, published):
    """Where each task ran at last, and how many runs were lost. Two types, every task on both."""
    times, (m, k) = graph.times, graph.counts
    if rank == "min":
        level = graph.levels(lambda j: Fraction(min(times[j])))
    else:
        level = graph.levels(lambda j: Fraction(m * times[j][0] + k * times[j][1], m + k))

    def place_in_queue(j):
        rho = Fraction(times[j][0], times[j][1])
        # Highest priority first from acceleration 1 on, lowest first below.
        return (-rho, -level[j], j) if rho >= 1 else (-rho, level[j], -j)

    running = {}  # (type, processor): (end, task)
    done, ready, seen, lost, now = set(), set(), set(), 0, Fraction(0)
    where = [None] * len(times)
    while True:
        for j in range(len(times)):
            if j not in seen and all(i in done for i in graph.before[j]):
                seen.add(j)
                ready.add(j)
        acted = True
        while acted:
            acted = False
            for t, p in [(1, p) for p in range(k)] + [(0, p) for p in range(m)]:
                if (t, p) in running:
                    continue
                task = None
                if ready and published:
                    queue = sorted(ready, key=place_in_queue)
                    task = queue[0] if t == 1 else queue[-1]
                elif ready:
                    sign = -1 if t == 1 else 1
                    task = min(ready, key=lambda j: (sign * Fraction(times[j][0], times[j][1]), -level[j], j))
                if task is not None:
                    ready.remove(task)
                else:
                    victims = [(-level[j], -end, j, at) for at, (end, j) in running.items()
                               if at[0] != t and now + times[j][t] < end]
                    if not victims:
                        continue
                    *_, task, at = min(victims)
                    del running[at]
                    lost += 1
                running[t, p] = (now + times[task][t], task)
                where[task] = (now, f"t{t}", p)
                acted = True
                break
        if not running:
            return where, lost
        now = min(end for end, _ in running.values())
        for at in [at for at, (end, _) in running.items() if end == now]:
            done.add(running.pop(at)[1])


# --- online rules: Canon et al., RR-9150 ------------------------------------------------------------------------

class Online:
    """Tasks revealed by completions, in order of index; bound at once, or when a processor is idle."""

    def __init__(self, graph):
        self.graph = graph
        self.free = [[0] * count for count in graph.counts]
        self.now = 0
        self.where = [None] * len(graph.times)
        self.end = [None] * len(graph.times)

    def spot(self, free, task, t, ready=None):
        ready = self.now if ready is None else ready
        start, p = min((max(ready, f), p) for p, f in enumerate(free[t]))
        return start, p, start + self.graph.times[task][t]

    def earliest(self, free, task):
        """The type where it ends first; of several the last."""
        ends = [(self.spot(free, task, t)[2], -t) for t in range(len(free)) if self.graph.times[task][t] is not None]
        return -min(ends)[1]

    def qa(self, task):
        """The least p / sqrt(m); of several the first."""
        row, counts = self.graph.times[task], self.graph.counts
        return min((Fraction(p * p, counts[t]), t) for t, p in enumerate(row) if p is not None)[1]

    def put(self, free, task, t, spot):
        start, p, end = spot
        free[t][p] = end
        return end

    def run(self, choose, idle):
        while True:
            waiting = [j for j in range(len(self.where)) if self.where[j] is None and all(
                self.end[i] is not None and self.end[i] <= self.now for i in self.graph.before[j])]
            copy = [list(f) for f in self.free] if idle else self.free
            for j in waiting:
                t = choose(self, copy, j)
                spot = self.spot(copy, j, t)
                self.put(copy, j, t, spot)
                if not idle or spot[0] == self.now:
                    self.where[j] = (spot[0], f"t{t}", spot[1])
                    self.end[j] = self.put(self.free, j, t, spot)
            later = [end for end in self.end if end is not None and end > self.now]
            if not later:
                return self.where
            self.now = min(later)


class Mixeft:
    """EFT until a task that is revealed would bring its makespan above lambda times that of the simulated QA."""

    def __init__(self, graph, factor):
        self.factor, self.follows = factor, False
        self.by_eft = set()
        self.free = [[0] * count for count in graph.counts]
        self.end = {}
        self.qa_makespan = self.makespan = 0

    def __call__(self, online, free, task):
        if task in self.by_eft:  # it waits for an idle processor, and is asked for again
            return online.earliest(free, task)
        qa = online.qa(task)
        if self.follows:
            return qa
        eft = online.earliest(free, task)
        end = online.spot(free, task, eft)[2]
        ready = max((self.end[i] for i in online.graph.before[task]), default=0)
        self.end[task] = online.put(self.free, task, qa, online.spot(self.free, task, qa, ready))
        self.qa_makespan = max(self.qa_makespan, self.end[task])
        if max(self.makespan, end) > self.factor * self.qa_makespan:
            self.follows = True
            return qa
        self.makespan = max(self.makespan, end)
        self.by_eft.add(task)
        return eft


# --- tests ------------------------------------------------------------------------------------------------------

def area_bound(tasks, m, k):
    """The least time in which m CPUs and k GPUs can do these (p, q), all divisible."""
    tasks = sorted(tasks, key=lambda t: Fraction(t[0]) / t[1])  # least accelerated first: to the CPUs
    cpu, gpu = Fraction(0), sum((Fraction(q) for _, q in tasks), Fraction(0))
    for p, q in tasks:
        part = min(Fraction(1), (gpu * m - cpu * k) / (p * k + Fraction(q) * m))
        cpu, gpu = cpu + part * p, gpu - part * q
        if part < 1:
            break
    return max(cpu / m, gpu / k)


def lemma_3(tasks, m, k):
    """t + area bound of what is left, at t = T_FirstIdle of HeteroPrio without spoliation."""
    queue = sorted(range(len(tasks)), key=lambda j: -Fraction(*tasks[j]))
    free = [(Fraction(0), 0, p) for p in range(k)] + [(Fraction(0), 1, p) for p in range(m)]
    running = []
    while queue:
        now, cpu, p = free.pop(free.index(min(free)))
        task = tasks[queue.pop(-1 if cpu else 0)]
        free.append((now + task[1 - cpu], cpu, p))
        running.append((now + task[1 - cpu], task, task[1 - cpu]))
    idle = min(free)[0]
    left = [(Fraction(task[0]) * (end - idle) / time, Fraction(task[1]) * (end - idle) / time)
            for end, task, time in running if end > idle]
    return idle, idle + area_bound(left, m, k)


class Rules(unittest.TestCase):
    def test_metrics(self):
        """By their definitions, in fractions, on graphs with costs between types."""
        watts, rest = (100, 250), (10, 20)
        for seed in range(GRAPHS // 3):
            rng = random.Random(seed)
            graph = Graph(rng, rng.randint(3, 12), (rng.randint(1, 3), rng.randint(1, 2)))
            m, k = graph.counts
            costs = [rng.randint(0, 3) for _ in graph.edges]
            solution = duet.solve([t[0] for t in graph.times], [t[1] for t in graph.times], m, k, "heft",
                                  edges=[(i, j, cost) for (i, j), cost in zip(graph.edges, costs)])
            found = duet.metrics(solution, watts=dict(zip(("cpu", "gpu"), watts)),
                                 idle_watts=dict(zip(("cpu", "gpu"), rest)))
            at = [("cpu", "gpu").index(run.type) for run in solution.schedule]
            spot = [(run.type, run.processor) for run in solution.schedule]
            span = Fraction(solution.makespan)
            expected = {}
            for t, name in enumerate(("cpu", "gpu")):
                here = [graph.times[j] for j in range(len(at)) if at[j] == t]
                expected[f"equivalent_acceleration_{name}"] = Fraction(
                    sum(p for p, _ in here), sum(q for _, q in here)) if here else None
                idle = span * graph.counts[t] - sum(row[t] for row in here)
                expected[f"normalised_idle_{name}"] = idle / (graph.counts[t] * Fraction(solution.lower_bound))
            moved = [cost for (i, j), cost in zip(graph.edges, costs) if cost and spot[i] != spot[j]]
            expected.update(transfers=len(moved), transfer_volume=sum(moved))
            expected["slr"] = span / max(graph.levels(lambda j: Fraction(min(graph.times[j]))))
            serial = min(sum(row[t] for row in graph.times) for t in (0, 1))
            expected["speedup"] = Fraction(serial) / span
            work = Fraction(sum(m * p + k * q for p, q in graph.times), m + k)
            pairs = Fraction((m + k) * (m + k - 1), (m + k) ** 2)
            expected["ccr"] = work / (pairs * sum(costs)) if pairs * sum(costs) else None
            busy = [(Fraction(run.start), Fraction(run.end), t) for run, t in zip(solution.schedule, at)]
            base = m * rest[0] + k * rest[1]
            power = [base + sum(watts[t] - rest[t] for start, end, t in busy if start <= now < end)
                     for now, _, _ in busy]
            expected["peak_power"] = max(power)
            expected["average_power"] = base + sum((end - start) * (watts[t] - rest[t]) for start, end, t in busy) / span
            self.assertEqual(sorted(found), sorted(expected))
            for name, value in expected.items():
                if value is None:
                    self.assertIsNone(found[name], f"seed {seed}: {name}")
                else:
                    self.assertAlmostEqual(found[name], float(value), 9, f"seed {seed}: {name}")

    def test_lemma_3_of_heteroprio(self):
        """As printed it holds on one CPU and one GPU, and not on two CPUs."""
        self.assertEqual(lemma_3([(1, 1), (2, 5), (1, 2)], 2, 1), (1, Fraction(17, 12)))
        self.assertEqual(area_bound([(1, 1), (2, 5), (1, 2)], 2, 1), Fraction(7, 5))
        broken = {(1, 1): 0, (2, 1): 0, (1, 2): 0}
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            for m, k in broken:
                tasks = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(rng.randint(2, 7))]
                if len({Fraction(*task) for task in tasks}) < len(tasks) or len(tasks) < m + k:
                    continue  # ties may fall in any way
                idle, total = lemma_3(tasks, m, k)
                bound = area_bound(tasks, m, k)
                broken[m, k] += total != bound
                self.assertLessEqual(idle, bound)  # consequence (ii)
                solution = duet.solve([p for p, _ in tasks], [q for _, q in tasks], m, k, "heteroprio",
                                      options={"spoliation": False, "bound": "none"})
                self.assertEqual(solution.counters["first_idle"], idle, f"seed {seed}, {m} + {k}")
                self.assertEqual(duet.bound(solution.instance, "area").ticks, math.ceil(bound), f"seed {seed}")
        self.assertEqual(broken[1, 1], 0)
        self.assertGreater(broken[2, 1], 0)
        self.assertGreater(broken[1, 2], 0)

    def test_heteroprio_with_both_ties(self):
        differ = lost = 0
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            counts = rng.choice([(1, 1), (2, 2), (3, 1), (1, 3), (6, 2)])  # powers of two: mean times are exact
            graph = Graph(rng, rng.randint(5, 30), counts, longest=rng.choice([3, 4, 8]))
            found = {}
            for ties in "highest", "published":
                rank = rng.choice(["min", "avg"])
                expected, aborted = heteroprio(graph, rank, ties == "published")
                solution = graph.solve("heteroprio", rank=rank, ties=ties)
                self.assertEqual(places(solution), expected, f"seed {seed}: {ties}, {rank}")
                self.assertEqual(solution.counters["spoliations"], aborted, f"seed {seed}")
                found[ties] = expected
                lost += aborted
            differ += found["highest"] != found["published"]
        self.assertGreater(differ, GRAPHS / 10)
        self.assertGreater(lost, 0)

    def test_mixeft(self):
        changed = 0
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            counts = tuple(rng.randint(1, 3) for _ in range(rng.choice([2, 2, 3])))
            graph = Graph(rng, rng.randint(5, 25), counts, forbidden=0.1)
            idle = rng.random() < 0.7
            factor = Fraction(rng.randint(0, 1500), 1000)
            rule = Mixeft(graph, factor)
            expected = Online(graph).run(rule, idle)
            solution = graph.solve("mixeft", bind="idle" if idle else "queue", **{"lambda": str(float(factor))})
            self.assertEqual(places(solution), expected, f"seed {seed}: idle {idle}, lambda {factor}")
            self.assertEqual(solution.counters["followed_qa"], rule.follows, f"seed {seed}")
            changed += rule.follows
        self.assertGreater(changed, GRAPHS / 5)

    def test_mixeft_is_eft_until_it_changes(self):
        for bind in "idle", "queue":
            for seed in range(40):
                instance = duet.generate("adhoc", 300, 20, 2, seed=seed)
                eft = duet.solve(instance, algorithm="eft", options={"bind": bind, "bound": "none"})
                mixeft = duet.solve(instance, algorithm="mixeft",
                                    options={"bind": bind, "lambda": 1000, "bound": "none"})
                self.assertEqual(places(mixeft), places(eft), f"seed {seed}, {bind}")

    def test_heft_nc(self):
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            graph = Graph(rng, rng.randint(4, 25), (rng.randint(1, 4), rng.randint(1, 2)))
            threshold, first = rng.choice(["0", "0.1", "0.3", "1", "5"]), rng.random() < 0.5
            found = graph.solve("heft-nc", threshold=threshold, ends="first" if first else "larger")
            self.assertEqual(places(found), heft_nc(graph, Fraction(threshold), first), f"seed {seed}")

    def test_priorities_of_heteroprio(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "i.json"
            for seed in range(GRAPHS):
                rng = random.Random(seed)
                counts = (rng.randint(1, 3), rng.randint(1, 2))
                scale = [(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(3)]
                times = [[f * side for side in rng.choice(scale)] for f in (rng.randint(1, 3) for _ in range(rng.randint(2, 12)))]
                priority = [rng.choice([-2, -0.5, 0, 0.25, 3, 11]) for _ in times]
                path.write_text(json.dumps({
                    "platform": [{"type": "cpu", "count": counts[0]}, {"type": "gpu", "count": counts[1]}],
                    "tasks": [{"id": f"t{j}", "times": row, "priority": priority[j]} for j, row in enumerate(times)]}),
                    encoding="utf-8")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", category=duet.Note)  # that other algorithms do not use them
                    instance = duet.read(path)
                    solution = duet.solve(instance, algorithm="heteroprio", options={"bound": "none"})
                self.assertEqual(places(solution), heteroprio_alone(times, priority, counts), f"seed {seed}")

    def test_share_rounding_of_lst(self):
        """2 - 1/M times the optimum on M processors, by trying every assignment."""
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            counts = [rng.randint(1, 2) for _ in range(rng.randint(2, 4) if "glpk" in duet.features() else 2)]
            graph = Graph(rng, rng.randint(1, 5 if sum(counts) < 6 else 4), counts, edges=0, longest=9)
            solution = graph.solve("lst", rounding="share")
            processors = sum(counts)
            self.assertEqual(eval(solution.guarantee), 2 - 1 / processors, f"seed {seed}")  # pylint: disable=eval-used
            self.assertLessEqual(solution.makespan_ticks * processors, (2 * processors - 1) * self.optimum(graph), f"seed {seed}")

    def test_heft_is_lpt_on_uniform_processors(self):
        """Tasks of one acceleration: longest first, each where it ends first; 5/3 of the optimum at most (Friesen)."""
        for seed in range(GRAPHS // 3):
            rng = random.Random(seed)
            graph = Graph(rng, rng.randint(2, 6), (rng.randint(1, 2), rng.randint(1, 2)), edges=0)
            paces = [rng.randint(1, 7) for _ in graph.counts]
            works = [rng.randint(1, 12) for _ in graph.times]
            graph.times = [[work * pace for pace in paces] for work in works]
            solution = graph.solve("heft")
            ends = {(f"t{t}", p): 0 for t, count in enumerate(graph.counts) for p in range(count)}
            for task in sorted(range(len(works)), key=lambda j: -works[j]):
                run = solution.schedule[task]
                first = min(end + works[task] * paces[int(name[1:])] for (name, _), end in ends.items())
                self.assertEqual((run.start, run.end), (ends[run.type, run.processor], first), f"seed {seed}: {task}")
                ends[run.type, run.processor] = first
            self.assertLessEqual(3 * solution.makespan_ticks, 5 * self.optimum(graph), f"seed {seed}")

    def test_qa_on_types(self):
        for seed in range(GRAPHS):
            rng = random.Random(seed)
            counts = tuple(rng.randint(1, 4) for _ in range(rng.randint(2, 5)))
            graph = Graph(rng, rng.randint(5, 25), counts, forbidden=0.1)
            expected = Online(graph).run(lambda online, free, task: online.qa(task), False)
            self.assertEqual(places(graph.solve("qa")), expected, f"seed {seed}")

    def test_qa_keeps_theorem_9(self):
        """(sqrt(m_1) + sum sqrt(m_q)) / sqrt(m_Q), against the optimum by trying every assignment."""
        for seed in range(GRAPHS // 3):
            rng = random.Random(seed)
            counts = tuple(rng.choice([1, 1, 1, 2, 2, 3]) for _ in range(3))
            graph = Graph(rng, rng.randint(2, 4), counts, edges=0, longest=9)
            solution = graph.solve("qa")
            claimed = (math.sqrt(max(counts)) + sum(map(math.sqrt, counts))) / math.sqrt(min(counts))
            said = eval(solution.guarantee, {"sqrt": math.sqrt})  # pylint: disable=eval-used
            self.assertGreaterEqual(said, claimed - 1e-9, f"seed {seed}: {counts}")
            self.assertLess(said, claimed + 1e-4, f"seed {seed}: {counts}")
            self.assertLessEqual(solution.makespan_ticks, said * self.optimum(graph), f"seed {seed}")

    def optimum(self, graph):
        best = math.inf
        loads = [[0] * count for count in graph.counts]

        def place(task):
            nonlocal best
            if task == len(graph.times):
                best = min(best, max(max(of) for of in loads))
                return
            for t, of in enumerate(loads):
                for p in range(len(of)):
                    of[p] += graph.times[task][t]
                    place(task + 1)
                    of[p] -= graph.times[task][t]

        place(0)
        return best

    def test_platform_has_the_factor_of_its_costs(self):
        """N'Takpe, Suter: a N^1.5 operations on N doubles, a from 2^6 to 2^9; of the whole part."""
        factors = set()
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(10):
                instance = duet.generate("platform", 50, seed=seed, options={"cost": "root"})
                path = Path(folder) / "platform.json"
                instance.write(path)
                description = json.loads(path.read_text(encoding="utf-8"))
                size = {edge["from"]: edge["data"] // 8 for edge in description["edges"]}
                for task in description["tasks"]:
                    n = size.get(task["id"])
                    if n is not None:
                        a = round(task["work"] / n ** 1.5)
                        self.assertIn(task["work"], [math.isqrt(b * b * n ** 3) for b in (a - 1, a, a + 1)])
                        factors.add(a)
        self.assertTrue(min(factors) >= 64 and max(factors) <= 512 and len(factors) > 100)


if __name__ == "__main__":
    unittest.main()
