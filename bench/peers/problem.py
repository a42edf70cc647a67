# SPDX-License-Identifier: Apache-2.0
"""An instance as the models of peers see it: whole numbers, kinds of equal tasks, edges, and a first schedule."""
import decimal
import heapq
import json
import math


class Unable(Exception):
    """A peer has no model of such an instance; the text says why."""


class Problem:
    """Times are whole multiples of `unit`, a Decimal of the file's unit; None where a task cannot run on a type.

    Of moldable tasks `times` are those on one processor, and `sizes[j][q]` pairs of a number of processors and a time.
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
        self.types = [entry["type"] for entry in data["platform"]]
        self.counts = [int(entry["count"]) for entry in data["platform"]]
        self.names, self.times, self.release, ids = [], [], [], {}
        self.busy = [entry.get("busy", []) for entry in data["platform"]]
        for kind in data["tasks"]:
            count = int(kind.get("count", 1))
            for index in range(count):
                name = kind["id"] if count == 1 else f"{kind['id']}#{index}"
                ids[name] = len(self.names)
                self.names.append(name)
                self.times.append(kind["times"])
                self.release.append(kind.get("release", decimal.Decimal(0)))
        edges = [self._edge(edge, ids) for edge in data.get("edges", [])]
        numbers = [t for row in self.times for table in row for t in (table if isinstance(table, list) else [table]) if t is not None]
        numbers += [c for _, _, costs in edges for row in costs for c in row] + self.release + [t for row in self.busy for t in row]
        places = max([0] + [-n.as_tuple().exponent for n in numbers])
        self._scale(10 ** places, edges)

    def _edge(self, edge, ids):
        if isinstance(edge, list):
            cost = edge[2] if len(edge) > 2 else decimal.Decimal(0)
            return ids[edge[0]], ids[edge[1]], [[cost] * len(self.types)] * len(self.types)
        return ids[edge["from"]], ids[edge["to"]], edge["costs"]

    def _scale(self, ticks, edges):
        """In ticks, divided by what divides all of them, so that solvers get no larger numbers than they need."""
        tables = [[table if isinstance(table, list) else [table] for table in row] for row in self.times]
        self.moldable = any(len(table) > 1 for row in tables for table in row)
        tables = [[[None if t is None else int(t * ticks) for t in table] for table in row] for row in tables]
        rows = [[table[0] for table in row] for row in tables]
        costs = [[[int(c * ticks) for c in row] for row in table] for _, _, table in edges]
        release, busy = [int(t * ticks) for t in self.release], [[int(t * ticks) for t in row] for row in self.busy]
        common = math.gcd(*[t for row in tables for table in row for t in table if t], *[c for table in costs for row in table for c in row], *release,
                          *[t for row in busy for t in row]) or 1
        self.release = [t // common for t in release]
        self.busy = [[t // common for t in row] + [0] * (count - len(row)) for row, count in zip(busy, self.counts)]
        self.waits = any(self.release) or any(t for row in self.busy for t in row)
        self.unit = decimal.Decimal(common) / ticks
        self.times = [[None if t is None or self.counts[q] == 0 else t // common for q, t in enumerate(row)] for row in rows]
        self.sizes = [[self._sizes([t and t // common for t in table], q) for q, table in enumerate(row)] for row in tables]
        self.edges = [(a, b, [[c // common for c in row] for row in table]) for (a, b, _), table in zip(edges, costs)]
        self.has_costs = any(c for _, _, table in self.edges for row in table for c in row)
        self.tasks = len(self.times)

    def _sizes(self, table, q):
        """Of a table the sizes that a type has, without those that take no less than a smaller one."""
        found = []
        for size, time in enumerate(table[:self.counts[q]], 1):
            if time is not None and (not found or time < found[-1][1]):
                found.append((size, time))
        return found

    def kinds(self):
        """Classes of equal tasks: pairs of times and task numbers. Tasks of a class have the same release."""
        classes = {}
        for j, row in enumerate(self.times):
            classes.setdefault((tuple(row), self.release[j]), []).append(j)
        return [(row, tasks) for (row, _), tasks in classes.items()]

    def processors(self):
        return [(q, p) for q, count in enumerate(self.counts)
                for p in range(count if self.waits else min(count, self.tasks))]

    def until(self, at):
        """Until when a processor is busy."""
        return self.busy[at[0]][at[1]]

    def least(self, j):
        return min(time for options in self.sizes[j] for _, time in options)

    def takes(self, j, q, p):
        """How long a task takes on processor `p` of a type, or on a list of processors, which need not be all."""
        return [time for size, time in self.sizes[j][q] if size <= (len(p) if isinstance(p, list) else 1)][-1]

    def tails(self):
        """By task, the longest path behind it, by the shortest times."""
        after = [[] for _ in range(self.tasks)]
        before = [0] * self.tasks
        for a, b, _ in self.edges:
            after[a].append(b)
            before[b] += 1
        order = [j for j in range(self.tasks) if before[j] == 0]
        for a in order:
            for b in after[a]:
                before[b] -= 1
                if before[b] == 0:
                    order.append(b)
        tail = [0] * self.tasks
        for a in reversed(order):
            tail[a] = max((self.least(b) + tail[b] for b in after[a]), default=0)
        return tail, order

    def greedy(self):
        """A list schedule, [(type, processor, start)] by task: the longest path first, each where it ends first."""
        tail, _ = self.tails()
        before = [[] for _ in range(self.tasks)]
        after = [[] for _ in range(self.tasks)]
        for a, b, costs in self.edges:
            before[b].append((a, costs))
            after[a].append(b)
        waits = [len(x) for x in before]
        ready = [(-self.least(j) - tail[j], j) for j in range(self.tasks) if waits[j] == 0]
        heapq.heapify(ready)
        free = {at: self.until(at) for at in self.processors()}
        place = [None] * self.tasks
        while ready:
            _, j = heapq.heappop(ready)
            best = None
            for (q, p), idle in free.items():
                if self.times[j][q] is None:
                    continue
                start = max([idle, self.release[j]] + [place[a][2] + self.times[a][place[a][0]] + (0 if place[a][:2] == (q, p) else costs[place[a][0]][q])
                                      for a, costs in before[j]])
                best = min(best or (math.inf,), (start + self.times[j][q], q, p, start))
            end, q, p, start = best
            place[j], free[q, p] = (q, p, start), end
            for b in after[j]:
                waits[b] -= 1
                if waits[b] == 0:
                    heapq.heappush(ready, (-self.least(b) - tail[b], b))
        return place

    def allotted(self):
        """A schedule of moldable tasks: of several guesses of the makespan the best. Each task takes the least area that
        ends within the guess, the longest first, as soon as so many processors are free. With edges, greedy()."""
        best = self.greedy()
        if self.edges:
            return best
        low, high = max(self.least(j) for j in range(self.tasks)), self.makespan(best)
        for step in range(32):
            guess, free, place = low + (high - low) * step // 32, [[0] * count for count in self.counts], [None] * self.tasks
            chosen = [min((size * time / self.counts[q], time, q, size) for q, options in enumerate(self.sizes[j])
                          for size, time in options if time <= guess) for j in range(self.tasks)]
            for j in sorted(range(self.tasks), key=lambda j: -chosen[j][1]):
                _, time, q, size = chosen[j]
                used = sorted(range(self.counts[q]), key=lambda p: free[q][p])[:size]
                place[j] = (q, used, free[q][used[-1]])
                for p in used:
                    free[q][p] = place[j][2] + time
            best = min(best, place, key=self.makespan)
        return best

    def by_load(self, place):
        """The same with the processors of each type in the order of their loads, as models want it."""
        load = dict.fromkeys(self.processors(), 0)
        for j, (q, p, _) in enumerate(place):
            load[q, p] += self.times[j][q]
        number = {}
        for q in range(len(self.types)):
            for rank, at in enumerate(sorted((at for at in load if at[0] == q), key=lambda at: -load[at])):
                number[at] = rank
        return [(q, number[q, p], start) for q, p, start in place]

    def makespan(self, place):
        return max((start + self.takes(j, q, p) for j, (q, p, start) in enumerate(place)), default=0)

    def seat(self, chosen):
        """Processors for [(type, start)], or [(type, start, size)], of which no more run at once than there are."""
        place = [None] * self.tasks
        for q in range(len(self.types)):
            free = []
            running = sorted((until, p) for p, until in enumerate(self.busy[q]))
            for start, j in sorted((task[1], j) for j, task in enumerate(chosen) if task[0] == q):
                while running and running[0][0] <= start:
                    heapq.heappush(free, heapq.heappop(running)[1])
                size = chosen[j][2] if len(chosen[j]) > 2 else 1
                used = [heapq.heappop(free) if free else 0 for _ in range(size)]  # the checker refuses what does not fit
                place[j] = (q, used if self.moldable else used[0], start)
                for p in used:
                    heapq.heappush(running, (start + self.takes(j, q, used), p))
        return place

    def stack(self, loads):
        """A schedule of independent tasks from [(kind's tasks, {(type, processor): number})]."""
        end = {at: self.until(at) for at in self.processors()}
        place = [None] * self.tasks
        for tasks, number in sorted(loads, key=lambda load: self.release[load[0][0]]):  # the earliest release first is best
            left = list(tasks)
            for at, count in number.items():
                for _ in range(count):
                    j = left.pop()
                    start = max(end[at], self.release[j])
                    place[j] = (*at, start)
                    end[at] = start + self.times[j][at[0]]
        return place

    def ticks_of(self, text):
        """The number of units in a time of a file."""
        return int(decimal.Decimal(text) / self.unit)

    def text(self, ticks):
        """In the file's unit, exactly."""
        return format((self.unit * ticks).normalize(), "f")

    def write_schedule(self, place, path):
        entries = [f'{{"task": {json.dumps(self.names[j])}, "type": {json.dumps(self.types[q])}, '
                   + (f'"processors": {[[i, i] for i in sorted(p)]}, ' if isinstance(p, list) else f'"processor": {p}, ') +
                   f'"start": {self.text(start)}}}' for j, (q, p, start) in enumerate(place)]
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"schedule": [' + ",\n ".join(entries) + "]}\n")
