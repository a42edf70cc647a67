#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a schedule and what it claims: the second checker, which shares no line with `duet verify`.

    duet-check INSTANCE SOLUTION [--proof P] [--strict] [-m M] [-k K[,L...]] [--platform name=count,...]
               [-O key=value]... [--columns NAME[=COLUMN],...] [--unit U] [--exact-times] [--digits N]

Instances are JSON or CSV, solutions JSON or CSV (docs/formats.md). What is judged is defined in docs/problem.md, whose
clauses the functions name. Every decision is one of whole numbers and fractions. Ends with 0 where all holds, 1 where a
check said no, 2 for wrong usage, 3 where a file is unreadable or invalid, 5 where a limit came first.
"""
import argparse
import csv
import io
import json
import re
import sys
from bisect import bisect_left
from fractions import Fraction
from math import gcd

MOST = 1 << 62      # total work in ticks, a lower bound, a count of a proof
PLACES = 9          # decimal places of a time that is exact; also what a start may have beyond a tick
TYPES = 64          # of processors, with the source's
TASKS = 2_000_000   # tasks, edges and entries of tables that this checker holds at most
WORK = 400_000_000  # steps of one enumeration


class Refused(Exception):
    """A check said no."""
    code = 1


class Usage(Exception):
    """The command line makes no sense, or asks for what this checker does not do."""
    code = 2


class Unreadable(Exception):
    """A file is no instance, no solution or no proof."""
    code = 3


class Limit(Exception):
    """An answer would take more memory or time than this checker takes."""
    code = 5


def require(holds, said, error=Refused):
    if not holds:
        raise error(said)


# Numbers and JSON

NUMBER = re.compile(r"([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?\Z")


def exact(word):
    """The fraction that a decimal number is; None where it is no number. Beyond 400 places all are alike."""
    found = NUMBER.match(word)
    if not found:
        return None
    sign, digits, exponent = found.groups()
    whole, _, part = digits.partition(".")
    require(len(word) <= 4000, "a number of more than 4000 digits", Unreadable)
    exponent = int(exponent or 0) if len(exponent or "") < 19 else (-10**9 if exponent[0] == "-" else 10**9)
    value = int(whole + part or 0)
    exponent -= len(part)
    if value == 0:
        return Fraction(0)
    require(exponent < 400, f"the number {word}: too large", Unreadable)
    if exponent < -4400:
        value, exponent = 1, -4400
    value = -value if sign == "-" else value
    return Fraction(value * 10**exponent) if exponent >= 0 else Fraction(value, 10**-exponent)


def places_of(value):
    """Decimal places of a fraction whose denominator divides a power of ten; 99 where none does."""
    left, twos, fives = value.denominator, 0, 0
    while left % 2 == 0:
        left, twos = left // 2, twos + 1
    while left % 5 == 0:
        left, fives = left // 5, fives + 1
    return max(twos, fives) if left == 1 else 99


def ceiling(value):
    return -((-value.numerator) // value.denominator)


def half_up(value):
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def of_digits(value, digits):
    """The nearest number of so many significant digits, halves up."""
    scale = Fraction(10) ** (digits - 1)
    while value and value * scale >= Fraction(10) ** digits:
        scale /= 10
    while value and value * scale < Fraction(10) ** (digits - 1):
        scale *= 10
    return half_up(value * scale) / scale


def text_of(path):
    """The text of a file: UTF-8, a byte-order mark passed over."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: expected valid {'UTF-16' if wide else 'UTF-8'}") from None


def parse_json(text):
    """JSON with exact numbers, and nothing but JSON: no member twice, no NaN, no lone surrogate."""
    def members(pairs):
        made = dict(pairs)
        require(len(made) == len(pairs), "a member is given twice", Unreadable)
        return made

    def constant(word):
        raise Unreadable(f"expected a value, found {word}")

    depth = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{}]', text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found.group(), 0)
        require(depth <= 256, "nested too deeply", Unreadable)
    try:
        value = json.loads(text, object_pairs_hook=members, parse_float=exact, parse_constant=constant,
                           parse_int=exact)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON: {error}") from None
    require(not re.search(r"(?<!\\)(\\\\)*\\u0000", text), "a string with NUL", Unreadable)
    if re.search(r"\\u[dD][89a-fA-F]", text):
        try:
            json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise Unreadable("a lone surrogate") from None
    return value


def is_number(value):
    return isinstance(value, Fraction)


def number(value, what, least=None):
    require(is_number(value), f"{what}: expected a number", Unreadable)
    require(least is None or value >= least, f"{what}: expected at least {least}", Unreadable)
    return value


def whole(value, what, least=None, most=None, error=Unreadable):
    """A whole number; a number that is none is unreadable, one out of range is `error`."""
    require(is_number(value) and value.denominator == 1, f"{what}: expected a whole number", Unreadable)
    value = value.numerator
    require((least is None or value >= least) and (most is None or value <= most), f"{what}: out of range", error)
    return value


def member(of, name, kind, what):
    """A member that must be there, of a type of Python's."""
    require(name in of, f"{what} has no \"{name}\"", Unreadable)
    require(isinstance(of[name], kind), f"{what}: \"{name}\" is of another type than expected", Unreadable)
    return of[name]


# Instances: I1 to I5

class Law:
    """Amdahl's law: (alpha + (1 - alpha) / q) work / speed on q processors."""

    def __init__(self, work, alpha):
        self.work, self.alpha = significant(number(work, "work")), significant(number(alpha, "alpha"))
        require(self.work > 0, "work: expected above 0", Unreadable)
        require(0 <= self.alpha <= 1, "alpha: expected 0 to 1", Unreadable)

    def __eq__(self, other):
        return isinstance(other, Law) and (self.work, self.alpha) == (other.work, other.alpha)

    def table(self, speed, tick, processors):
        """I2: the least table at or above the law, in ticks, that never increases and whose area never decreases.
        Once there are as many processors as ticks, or only the part that nobody shares is left, it stays as it is."""
        made, unit = [], self.work / speed / tick
        base, rest = self.alpha * unit, (1 - self.alpha) * unit
        common = base.denominator * rest.denominator
        base, rest = base.numerator * rest.denominator, rest.numerator * base.denominator
        for q in range(1, processors + 1):
            value = -(-(base * q + rest) // (common * q))
            if made:
                value = max(value, -(-(q - 1) * made[-1] // q))
            made.append(value)
            if value <= max(q, -(-base // common)):
                break
            require(q <= TASKS, "a law on too many processors for this checker", Limit)
        return Table(made, processors)


class Table:
    """The times of a task on 1, 2, ... processors of a type; the last one goes on to the end. None: not allowed."""

    def __init__(self, times, size):
        self.times, self.size = times[:size], size

    def __len__(self):
        return self.size

    def __getitem__(self, at):
        return self.times[min(at, len(self.times) - 1)]

    def modes(self):
        """Pairs (q, time). Of those that go on with one time the first has the least area."""
        return ((q, time) for q, time in enumerate(self.times, 1) if time is not None)


def significant(value):
    """I2: work, alpha, speeds, bandwidths and data keep 18 digits, and 18 decimal places."""
    if value == 0:
        return value
    shift, top = 0, abs(value)
    while top >= 10**18:
        top, shift = top / 10, shift + 1
    while top < 10**17:
        top, shift = top * 10, shift - 1
    scale = Fraction(10) ** max(shift, -18)
    return half_up(value / scale) * scale if value >= 0 else -half_up(-value / scale) * scale


class Kind:
    """Equal tasks: an id, how many, the number of the first, and per type nothing, a time, a list of times or a law."""

    def __init__(self, name, count, raw, after=()):
        require(isinstance(name, str) and name != "", "a task's id: expected a string", Unreadable)
        self.name, self.count, self.raw, self.after, self.first = name, count, raw, after, 0
        self.tables = []
        self.raw_release = Fraction(0)


class Instance:
    """What the instance's file says, then (finish) in ticks and with counts of processors."""

    def __init__(self):
        self.types, self.counts, self.speeds, self.bandwidths = [], [], [], []
        self.kinds, self.edges, self.unit = [], [], ""
        self.network = self.transfer = self.tick = self.claim = None
        self.priced = False  # edges cost by types, beside moldable tasks
        self.mixed = False
        self.busy = []  # of each type, until when its first processors are busy
        self.lost = []  # of each type, the processors that take no more tasks
        self.fixed = []  # what is given of tasks, as read
        self.pins = {}  # the same in ticks, by task

    # Names

    def number_tasks(self):
        """Numbers the tasks, and finds ids that stand twice."""
        self.by_name, self.tasks = {}, 0
        for kind in self.kinds:
            require(kind.name not in self.by_name, f"task '{kind.name}' stands twice", Unreadable)
            self.by_name[kind.name] = kind
            kind.first = self.tasks
            self.tasks += kind.count
        for kind in self.kinds:
            other = self.kind_of(kind.name)
            require(other is None or other[0] is kind, f"task '{kind.name}' stands twice", Unreadable)
        self.starts = [kind.first for kind in self.kinds]

    def kind_of(self, name):
        """The kind of the task of that name that is one of several, with its number there; None without one."""
        base, mark, index = name.rpartition("#")
        kind = self.by_name.get(base) if mark else None
        if kind and kind.count > 1 and re.fullmatch("0|[1-9][0-9]{0,18}", index) and int(index) < kind.count:
            return kind, int(index)
        return None

    def task(self, name):
        """The number of a task by its name; None where there is none."""
        kind = self.by_name.get(name)
        if kind and kind.count == 1:
            return kind.first
        found = self.kind_of(name)
        return found and found[0].first + found[1]

    def kind(self, task):
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= task else (low, middle)
        return self.kinds[low]

    # Ticks

    def finish(self, counts, mixed, exact_times):
        """I1 to I3: counts of processors, then times in ticks."""
        if None not in self.counts:  # of the file itself, before others cut its tables
            for kind in self.kinds:
                for raw, count in zip(kind.raw, self.counts):
                    require(not isinstance(raw, list) or None in raw or len(raw) <= max(1, count),
                            f"task '{kind.name}': more times than processors", Unreadable)
        self.counts = counts
        self.mixed = self.mixed if mixed is None else mixed
        require(all(isinstance(c, int) for c in counts), "the number of processors is nowhere given", Unreadable)
        require(max(counts, default=0) > 0, "the platform has no processors", Unreadable)
        laws = any(isinstance(raw, Law) for kind in self.kinds for raw in kind.raw)
        if self.mixed:
            self.require_laws()
        if self.moldable:
            self.priced = self.transfer is not None or any(costs is not None for _, _, costs, _ in self.edges)
            require(not self.priced or self.network is None, "a cost or a transfer beside a network", Unreadable)
            require(not self.priced or not self.mixed, "a cost or a transfer beside mixed sets", Unreadable)
            require(all(0 not in raw for kind in self.kinds for raw in kind.raw
                        if isinstance(raw, list) and len(raw) - raw.count(None) > 1), "a time of 0 in a table", Unreadable)
        else:
            require(self.transfer is not None or all(data is None for _, _, _, data in self.edges),
                    "an edge with data, and no word how long they take", Unreadable)
        self.costs = [None if self.moldable and not self.priced else self.raw_costs(edge) for edge in self.edges]
        self.places = self.find_places(laws, exact_times)
        self.size = Fraction(1, 10 ** self.places)
        rounded = ceiling if self.moldable else half_up
        self.finish_waits(rounded)
        for kind in self.kinds:
            kind.tables = [self.table_of(kind, t, rounded) for t in range(len(self.types))]
            require(any(kind.raw[t] is not None for t in range(len(self.types))),
                    f"task '{kind.name}' has nowhere to run", Unreadable)
        self.costs = [costs and [[half_up(c / self.size) for c in row] for row in costs] for costs in self.costs]
        self.require_work()
        self.order_edges()
        self.finish_fixed()

    def finish_waits(self, rounded):
        """I4: releases and ends of busy times in ticks."""
        for name, count, busy in zip(self.types, self.counts, self.busy):
            require(len(busy) <= count, f"more busy processors of type '{name}' than there are", Unreadable)
        for kind in self.kinds:
            kind.release = rounded(kind.raw_release / self.size)
        self.busy_until = [[rounded(until / self.size) for until in busy] for busy in self.busy]

    def wait_times(self):
        return ([kind.raw_release for kind in self.kinds] + [until for busy in self.busy for until in busy] +
                [time for fix in self.fixed for time in (fix.start, fix.end) if time is not None])

    def finish_fixed(self):
        """I6 and I7: what is given, in ticks; of a task that has begun all is, and all before it has ended."""
        for name, count, lost in zip(self.types, self.counts, self.lost):
            require(all(at < count for at in lost), f"a processor of type '{name}' that is left out is none", Unreadable)
        for fix in self.fixed:
            require(fix.task not in self.pins, "a task is fixed twice", Unreadable)
            require(all(last < self.counts[t] for t, _, last in fix.ranges), "a fixed task: no such processor", Unreadable)
            require(fix.end is None or (fix.start is not None and fix.ranges), "an end without start and processors",
                    Unreadable)
            kind = self.kind(fix.task)
            require(kind.count == 1 or not (fix.ranges or fix.start is not None or fix.type is not None) or
                    self.divides, "a fixed task of several", Limit)
            fix.start, fix.end = (time if time is None else half_up(time / self.size) for time in (fix.start, fix.end))
            require(fix.end is None or fix.end >= fix.start, "a fixed task ends before it starts", Unreadable)
            self.pins[fix.task] = fix
        self.pins = {task: fix for task, fix in self.pins.items() if fix.ranges or fix.start is not None}  # types are in the kinds
        for u, v, _, _ in self.edges if self.pins else ():
            if self.begun(v):
                before = self.pins.get(u)
                require(before is not None and before.given and self.pin_end(u) <= self.pins[v].start,
                        "a task has begun before its predecessor has ended", Unreadable)

    divides = False  # kinds of several tasks have been divided into single ones where something is fixed

    def begun(self, task):
        return task in self.pins and self.pins[task].end is not None

    def pin_end(self, task):
        """When a task ends whose start and processors are given."""
        pin = self.pins[task]
        time = None if pin.end is not None else self.mode_time(task, pin.parts)
        require(pin.end is not None or time is not None, "a fixed task has no time there", Unreadable)
        return pin.end if pin.end is not None else pin.start + time

    def available(self, task, ranges):
        """S4: when a task and processors are there."""
        times = [until for t, first, last in ranges for until in self.busy_until[t][first:last + 1]]
        return max(times + [self.kind(task).release])

    def earliest(self, kind, t):
        """S4: when a task of a kind can start on a type that has a processor."""
        busy = self.busy_until[t]
        return max(kind.release, min(busy) if len(busy) == self.counts[t] and busy else 0)

    def room(self, t, start, end):
        """What the processors of a type have between two times, where they are not busy."""
        busy = self.busy_until[t]
        return ((self.counts[t] - len(busy)) * max(0, end - start) +
                sum(max(0, end - max(start, until)) for until in busy))

    def keep_digits(self, digits):
        """Times, costs and latencies of so many significant digits, halves up; the claim is of the exact ones."""
        def kept(value):
            if isinstance(value, (list, tuple)):
                return [kept(one) for one in value]
            return value if value is None or isinstance(value, Law) else of_digits(Fraction(value), digits)

        for kind in self.kinds:
            kind.raw = kept(kind.raw)
        self.edges = [(u, v, kept(costs), data) for u, v, costs, data in self.edges]
        if self.transfer:
            self.transfer = (kept(self.transfer[0]), self.transfer[1])
        for kind in self.kinds:
            kind.raw_release = kept(kind.raw_release)
        self.busy = kept(self.busy)
        self.claim = None

    def require_laws(self):
        """I5."""
        require(sum(self.counts) < 2**31, "with mixed sets expected at most 2^31 - 1 processors in all", Unreadable)
        for kind in self.kinds:
            laws = [raw for raw in kind.raw if raw is not None]
            require(all(isinstance(raw, Law) and raw == laws[0] for raw in laws),
                    f"task '{kind.name}': with mixed sets a task follows one law on all its types", Unreadable)

    def plain_times(self):
        for kind in self.kinds:
            for raw in kind.raw:
                if raw is not None and not isinstance(raw, Law):
                    yield from (time for time in raw if time is not None) if isinstance(raw, list) else (raw,)

    def find_places(self, laws, exact_times):
        """The size of a tick, in decimal places of the file's unit."""
        if self.tick is not None:
            return self.tick
        if laws:
            return 6
        times = list(self.plain_times())
        times += [cost for costs in self.costs if costs for row in costs for cost in row]
        places = max(map(places_of, times + self.wait_times() + list(self.claim or ())), default=0)
        if places <= PLACES or self.moldable:
            return min(places, 18)
        total = sum(kind.count * max(raw for raw in map(longest_of, kind.raw) if raw is not None)
                    for kind in self.kinds)
        total += sum(max(map(max, costs)) for costs in self.costs if costs)
        total += max(self.wait_times(), default=0)
        finest = max((d for d in range(min(places, 18) + 1) if total * 10**d <= MOST), default=0)
        require(not exact_times or finest >= places, "times of more digits than can be exact", Unreadable)
        return finest

    def table_of(self, kind, t, rounded):
        raw, count = kind.raw[t], self.counts[t]
        if raw is None or count == 0:
            return None
        if isinstance(raw, Law):
            return raw.table(self.speeds[t], self.size, count)
        times = raw if isinstance(raw, list) else [raw]
        times = [time if time is None else rounded(time / self.size) for time in times]
        if None in times[:count] and set(times[:count]) == {None}:
            return None
        return Table(times, min(len(times), count))

    def require_work(self):
        """The sum of the longest times (of moldable tasks the largest areas) and costs is at most 2^62 ticks."""
        total = 0
        for kind in self.kinds:
            areas = [0]
            for t, raw in enumerate(kind.raw):
                table = kind.tables[t]
                if table:
                    last = table[len(table) - 1]
                    areas.append(max(max(q * time for q, time in table.modes()), len(table) * (last or 0)))
                elif raw is not None and not isinstance(raw, Law):
                    areas.append(half_up(longest_of(raw) / self.size))
            total += kind.count * max(areas)
        total += sum(max(map(max, costs)) for costs in self.costs if costs)
        total += max([kind.release for kind in self.kinds] + [at for busy in self.busy_until for at in busy], default=0)
        require(total <= MOST, "more than 2^62 ticks of work", Unreadable)

    def raw_costs(self, edge):
        _, _, costs, data = edge
        size = range(len(self.types))
        if data is not None and self.moldable and self.transfer is None:
            return None
        if data is not None:
            latency, per_unit = self.transfer or (None, None)
            costs = [[(latency[t][u] if latency else 0) + data * (per_unit[t][u] if per_unit else 0) for u in size]
                     for t in size]
        return costs and [[Fraction(cost) for cost in row] for row in costs]

    # Edges

    def order_edges(self):
        """I3: no edge twice, none to itself, no cycle. A topological order, and depths, the most edges before."""
        seen = set()
        self.before, self.behind = {}, {}
        for e, (u, v, _, _) in enumerate(self.edges):
            require(u != v, "an edge from a task to itself", Unreadable)
            require((u, v) not in seen, "an edge stands twice", Unreadable)
            seen.add((u, v))
            self.behind.setdefault(u, []).append(e)
            self.before.setdefault(v, []).append(e)
        left = {v: len(edges) for v, edges in self.before.items()}
        ready = [u for u in self.behind if u not in left]
        self.order, self.depth = [], {}
        for u in ready:
            self.order.append(u)
            for e in self.behind.get(u, ()):
                v = self.edges[e][1]
                self.depth[v] = max(self.depth.get(v, 0), self.depth.get(u, 0) + 1)
                left[v] -= 1
                if left[v] == 0:
                    ready.append(v)
        require(all(n == 0 for n in left.values()), "the edges have a cycle", Unreadable)

    # Modes

    def mode_time(self, task, parts):
        """S1: how long a task takes on parts, pairs of a type and a number of processors; None where it has no mode."""
        kind = self.kind(task)
        if len(parts) == 1:
            (t, q), = parts
            table = kind.tables[t]
            return table[q - 1] if table and q <= len(table) else None
        if any(kind.raw[t] is None for t, _ in parts):
            return None
        speed = min(self.speeds[t] for t, _ in parts)
        return self.mixed_time(kind, speed, sum(q for _, q in parts))

    def mixed_time(self, kind, speed, q):
        """S1: what the law of a kind says of q processors of a speed, of however many there are."""
        law = next(raw for raw in kind.raw if raw is not None)
        return law.table(speed, self.size, q)[q - 1]

    def modes(self, kind):
        """I2: all modes of a kind, as (type, processors, time); of equal times the fewest processors."""
        for t, table in enumerate(kind.tables):
            if table:
                for q, time in table.modes():
                    yield t, q, time

    def data_time(self, e, i, j):
        """S3: how long the data of an edge take between two runs on different processors."""
        u, _, _, data = self.edges[e]
        if not self.moldable or self.priced:
            costs = self.costs[e]
            return costs[i.parts[0][0]][j.parts[0][0]] if costs else 0
        if data is None or self.network is None:
            return 0
        latency, inter_latency, inter_bandwidth = self.network
        types = {t for t, _ in i.parts} | {t for t, _ in j.parts}
        rates = []
        for run in (i, j):
            q = sum(q for _, q in run.parts)
            rates += [q * self.bandwidths[t] for t, _ in run.parts if self.bandwidths[t] is not None]
        if len(types) > 1 and inter_bandwidth is not None:
            rates.append(inter_bandwidth)
        time = max((data / rate for rate in rates), default=Fraction(0))
        return ceiling((time + (inter_latency if len(types) > 1 else latency)) / self.size)


class Fix:
    """What is given of a task: what is None, or no range, is not. Its type is None where it is not said alone."""

    def __init__(self, task, type_of, ranges, start, end):
        self.task, self.type, self.ranges, self.start, self.end = task, type_of, ranges, start, end
        sizes = {}
        for t, first, last in ranges:
            sizes[t] = sizes.get(t, 0) + last - first + 1
        self.parts = sorted(sizes.items())

    @property
    def given(self):
        return self.start is not None and bool(self.ranges)


def longest_of(raw):
    return max(time for time in raw if time is not None) if isinstance(raw, list) else raw


def sized(raw, cores):
    """A task of one size: a table with that size alone."""
    require(all(not isinstance(time, (list, Law)) for time in raw), "a size beside a table or a law", Unreadable)
    return [time if time is None else [None] * (cores - 1) + [time] for time in raw] if cores > 1 else raw


# Instances in JSON

def read_instance(path, columns=None, options=None):
    """An instance as its file says it, its counts None where they are not given."""
    text = text_of(path)
    require("\0" not in text, f"{path}: a binary file", Unreadable)
    start = text.lstrip()[:1]
    require(start != "", f"{path}: the file is empty", Unreadable)
    options = options or {}
    if start in "{[":
        instance = json_instance(parse_json(text))
    else:
        instance = csv_instance(text, columns)
    if options.get("edges") == "false":
        instance.edges = []
    if "latency" in options or "per-unit" in options:
        size = range(len(instance.types))
        instance.transfer = tuple([[options.get(name, Fraction(0)) for _ in size] for _ in size]
                                  for name in ("latency", "per-unit"))
    instance.moldable = instance.network is not None or any(isinstance(raw, (list, Law)) for kind in instance.kinds
                                                            for raw in kind.raw)
    return instance


SIZES = ("size", "cores")
TASK_MEMBERS = ("id", "task", "name", "index", "count", "after", "times", "work", "alpha") + SIZES
# What `duet` calls a field by the words in its name. Of an order and of a size this checker reads "after" and SIZES alone.
WORDS = {
    "release": """
        release releasedate releasetime released releases releasedates releasetimes ready readytime readyat arrival
        arrivaltime arrive arrivals startafter notbefore startsafter startnotbefore availablefrom earlieststart
        subtime available availableat earliest startsnotbefore noearlierthan startnoearlierthan notearlierthan
        startfrom
    """.split(),
    "deadline": """
        deadline deadlines due duedate duedates duetime harddeadline softdeadline latestend dueby finishby endby
        notafter latestcompletion latestfinish latest nolaterthan finishnolaterthan endnolaterthan mustfinishby
        mustfinishon finishbefore endbefore completeby mustend mustendby
    """.split(),
    "group": """
        group groups kind tasktype typeoftask type jobtype issuetype stage category
    """.split(),
    "order": """
        after predecessor predecessors pred preds dependson depends depend dependency dependencies dep deps require
        requires required need needs prev previous parent parents waitsfor upstream blockedby waitfor waitson
        runafter prerequisite prerequisites prereq prereqs prior precededby follows afterok afterany isblockedby
        dependenton waitsuntil inwardissuelinkblocks before successor successors succ succs child children next followers downstream
        dependents follower blocks precedes unblocks triggers isblocking outwardissuelinkblocks
    """.split(),
    "cores": """
        cores corecount numcores ncores cpus ncpu ncpus cpucount reqprocs numprocs numprocessors numcpus alloccpus
        reqcpus cpuspertask nproc nprocs procs processors res slots threads nthreads numthreads vcpus nodes
        nodecount nnodes processorcount ntasks poolslots ranks mpiranks size
    """.split(),
}
# Parts of a name that change nothing of what the word behind or before them means, if that is one of these.
AT = ("release", "deadline")
AROUND = ("release", "deadline", "order", "cores", "group")
BEFORE_WORDS = {**dict.fromkeys(("task", "job", "activity"), AROUND), "process": AROUND[:4], "earliest": AT[:1], "latest": AT[1:],
                **dict.fromkeys(("planned", "scheduled", "expected", "actual", "target", "hard", "soft"), AT),
                **dict.fromkeys(("cpu", "of", "number", "num", "nb", "no", "n", "req", "request", "requested", "required",
                                 "reserved", "alloc", "allocated", "total", "used"), ("cores",))}
BEHIND_WORDS = {**dict.fromkeys(("time", "times", "date", "dates", "at", "by", "on", "in", "stamp", "timestamp", "value"), AT),
                **dict.fromkeys(("used", "req", "requested", "required", "needed", "allocated", "count", "number"), ("cores",)),
                **dict.fromkeys(("ids", "names", "key", "keys", "list", "task", "tasks", "job", "jobs"), ("order",)),
                **dict.fromkeys(("id", "name"), ("order", "group"))}
UNITS = ("milliseconds millisecond millis msecs msec microseconds nanoseconds seconds second secs sec ms us ns minutes minute mins "
         "min hours hour hrs hr days day weeks week s m h d").split()
OTHER_LISTS = ("nodes", "jobs", "links", "dependencies", "arcs", "precedence")


def said(members, kept=()):
    """The members of an object without those that are null, which say nothing."""
    return {name: value for name, value in members.items() if value is not None or name in kept}


def json_instance(top):
    require(not isinstance(top, dict) or "workflow" not in top,
            "a workflow; `duet convert` makes a duet-instance of it", Unreadable)
    if isinstance(top, list):
        top = {"tasks": top}
    require(isinstance(top, dict), "expected an object", Unreadable)
    top = said(top, ["tasks"])
    require(not any(isinstance(top.get(name), list) and top[name] for name in OTHER_LISTS),
            "tasks or edges by names that this checker does not read; `duet convert` makes a duet-instance of it", Unreadable)
    require(top.get("format", "duet-instance") == "duet-instance", "expected the format \"duet-instance\"", Unreadable)
    require(top.get("version", 1) == 1, "expected version 1", Unreadable)
    instance = Instance()
    instance.unit = top.get("time_unit", "")
    require(isinstance(instance.unit, str), "time_unit: expected a string", Unreadable)
    require(isinstance(top.get("mixed_sets", False), bool), "mixed_sets: expected true or false", Unreadable)
    instance.mixed = top.get("mixed_sets", False)
    if "platform" in top:
        json_platform(instance, top["platform"])
    tasks = member(top, "tasks", list, "the instance")
    names = list(top)
    known = "platform" in top and names.index("platform") < names.index("tasks")
    for index, task in enumerate(tasks):
        json_task(instance, task, index, known)
    instance.number_tasks()
    require(instance.tasks <= 1 << 40, "too many tasks", Limit)
    if "tick" in top:
        instance.tick = json_tick(top["tick"])
    if "network" in top:
        instance.network = json_network(top["network"])
    if "transfer" in top:
        instance.transfer = json_transfer(instance, top["transfer"])
    edges_of(instance, top.get("edges", []), "edges" in top and names.index("edges") < names.index("tasks"))
    json_fixed(instance, top.get("fixed", []))
    if "claim" in top:
        require(isinstance(top["claim"], dict), "claim: expected an object", Unreadable)
        claim = said(top["claim"])
        instance.claim = [number(claim.get(name, Fraction(0)), name) for name in ("optimum", "makespan")]
    return instance


def json_platform(instance, platform):
    require(isinstance(platform, list) and platform, "platform: expected an array of types", Unreadable)
    for entry in platform:
        require(isinstance(entry, dict), "platform: expected a type", Unreadable)
        entry = said(entry, ["count"])
        name = member(entry, "type", str, "a processor type")
        require(name != "" and name not in instance.types, f"the type '{name}' stands twice", Unreadable)
        require("count" in entry, "a processor type without a count, or null", Unreadable)
        count = entry["count"]
        instance.types.append(name)
        instance.counts.append(None if count is None else whole(count, "count", 0, (1 << 31) - 1))
        speed = significant(number(entry.get("speed", Fraction(1)), "speed"))
        require(speed > 0, "speed: expected above 0", Unreadable)
        instance.speeds.append(speed)
        bandwidth = entry.get("bandwidth")
        require(bandwidth is None or number(bandwidth, "bandwidth") > 0, "bandwidth: expected above 0", Unreadable)
        instance.bandwidths.append(bandwidth and significant(bandwidth))
        busy = entry.get("busy", [])
        require(isinstance(busy, list), "busy: expected an array of times", Unreadable)
        instance.busy.append([number(until, "busy", 0) for until in busy])
        check_names(entry.get("names", []), count)
        lost = entry.get("without", [])
        require(isinstance(lost, list), "without: expected an array of processors", Unreadable)
        instance.lost.append(sorted({whole(at, "without", 0, (1 << 31) - 1) for at in lost}))


def json_fixed(instance, entries):
    """I6: entries of a schedule, of which each may leave out what is free."""
    require(isinstance(entries, list), "fixed: expected an array", Unreadable)
    for entry in entries:
        require(isinstance(entry, dict), "fixed: expected an entry", Unreadable)
        task = member(entry, "task", str, "what is fixed")
        number_of = instance.task(task)
        require(number_of is not None, f"fixed: unknown task '{task}'", Unreadable)
        ways = [name for name in ("processor", "processors", "parts") if name in entry]
        require(len(ways) < 2, "fixed: processors in several ways", Unreadable)
        name = entry.get("type", instance.types[0] if len(instance.types) == 1 else None)
        require(name is None or name in instance.types, "fixed: unknown type", Unreadable)
        ranges = []
        for part in entry["parts"] if "parts" in entry else [{**entry, "type": name}] if ways else []:
            require(part.get("type") in instance.types, "fixed: a processor without its type", Unreadable)
            t = instance.types.index(part["type"])
            ranges += [(t, first, last) for first, last in json_ranges(part, ways == ["processor"])]
        start, end = (None if word not in entry else number(entry[word], word, 0) for word in ("start", "end"))
        type_of = None if name is None or ways else instance.types.index(name)
        instance.fixed.append(Fix(number_of, type_of, tuple(ranges), start, end))
    narrow_kinds(instance)


def narrow_kinds(instance):
    """A task whose type is given has no time on others."""
    if not instance.fixed:
        return
    known = {fix.task: fix for fix in instance.fixed}
    if any(instance.kind(task).count > 1 for task in known):
        kinds = []
        for kind in instance.kinds:
            if kind.count > 1 and any(task in known for task in range(kind.first, kind.first + kind.count)):
                for i in range(kind.count):
                    kinds.append(Kind(f"{kind.name}#{i}", 1, list(kind.raw), ()))
                    kinds[-1].raw_release = kind.raw_release
            else:
                kinds.append(kind)
        instance.kinds = kinds
        instance.number_tasks()
    instance.divides = True
    for task, fix in known.items():
        types = {t for t, _, _ in fix.ranges} or ({fix.type} if fix.type is not None else None)
        if types is not None:
            kind = instance.kind(task)
            kind.raw = [raw if t in types else None for t, raw in enumerate(kind.raw)]


def check_names(names, count):
    """Names of processors, which change nothing."""
    require(isinstance(names, list) and all(isinstance(name, str) and name for name in names),
            "names: expected an array of names", Unreadable)
    require(len(set(names)) == len(names), "names: expected distinct ones", Unreadable)
    require(count is None or len(names) <= count, "names: expected at most one for each processor", Unreadable)


def json_task(instance, task, index, known):
    """A task, whose times are an array, or by name, or members, or one law on every type."""
    require(isinstance(task, dict), "tasks: expected a task", Unreadable)
    task = said(task, [name for name in task if name not in TASK_MEMBERS])
    check_members(instance, task)
    times, named = task.get("times"), False
    if "work" in task:
        require("times" not in task, "work beside times", Unreadable)
        law = Law(task["work"], task.get("alpha", Fraction(0)))
        if not instance.types:
            new_type(instance, "cpu")
        raw = [law] * len(instance.types)
    elif isinstance(times, list):
        if not instance.types:
            raise Unreadable("times before a platform: expected it first, or times by name")
        require(len(times) == len(instance.types), "times: expected one for each type", Unreadable)
        raw = [json_time(time) for time in times]
    else:
        named = True
        if times is None:
            times = {name: value for name, value in task.items() if name not in TASK_MEMBERS
                     and (name in instance.types or not (is_release(name) or says_nothing(name)))}
        require(isinstance(times, dict), "times: expected an array or an object", Unreadable)
        if not known and index == 0:
            for name in times:
                if name not in instance.types:
                    new_type(instance, name)
        require("times" not in task or all(name in instance.types for name in times),
                "times of a type that the platform does not have", Unreadable)
        raw = [json_time(times.get(name)) for name in instance.types]
    name = next((task[word] for word in ("id", "task", "name", "index") if task.get(word) is not None), None)
    if named and is_number(name):
        require(name.denominator == 1, "a task's id: expected a string", Unreadable)
        name = str(name.numerator)
    if name is None and named:
        name = f"t{index}"
    after = task.get("after", [])
    if isinstance(after, str):
        after = [after]
    require(isinstance(after, list) and all(isinstance(word, str) for word in after), "after: expected ids", Unreadable)
    count = whole(task.get("count", Fraction(1)), "count", 1, MOST)
    cores = [whole(task[word], word, 1, (1 << 31) - 1) for word in SIZES if word in task]
    instance.kinds.append(Kind(name, count, sized(raw, cores[0]) if cores else raw, after))
    words = [word for word in task if ("times" in task or word not in instance.types) and is_release(word)]
    if words and task[words[0]] is not None:
        instance.kinds[-1].raw_release = number(task[words[0]], "release", 0)


def check_members(instance, task):
    """No member says an order or a size of the task by a word that this checker does not read."""
    for word, value in task.items():
        if "times" not in task and word in instance.types:
            continue
        where = re.fullmatch(r"(eligible|allowed|forbidden|compatible)[_ ]?(types?|machines|resources|processors|devices)?", word, re.IGNORECASE)
        require(where is None or not isinstance(value, (str, list, dict)), f"where a task may run in \"{word}\", which this "
                "checker does not read; `duet convert` makes a duet-instance of it", Unreadable)
        require(word == "after" or not is_order(word), f"the order of a task in \"{word}\", which this checker does not "
                "read; `duet convert` makes a duet-instance of it", Unreadable)
        require(word in SIZES or value is None or value == 1 or meaning(word) != "cores"
                or ("times" not in task and word.lower() == "cpus"),
                f"the processors of a task in \"{word}\", which this checker does not read; `duet convert` makes a "
                "duet-instance of it", Unreadable)


def meaning_between(parts):
    """What the parts of a name mean, of which those may be left out that change nothing; "": nothing."""
    joined = "".join(parts)
    for meaning, words in WORDS.items():
        if joined in words:
            return meaning
    if len(parts) < 2:
        return ""
    digits = AT + ("order",) if parts[-1].isdigit() else ()
    for allowed, rest in ((BEHIND_WORDS.get(parts[-1], digits), parts[:-1]), (BEFORE_WORDS.get(parts[0], ()), parts[1:])):
        meaning = meaning_between(rest) if allowed else ""
        if meaning and meaning in allowed:
            return meaning
    return ""


def meaning(name):
    """What `duet` takes a field of that name for, of what a schedule depends on: a key of WORDS, "timed" (a release or a
    deadline in a unit of its own), or ""."""
    signs = r" _\-.,/()\[\]{}%#"
    name = re.sub(f"(?<=[a-z])(?=[A-Z][^{signs}])", " ", name)
    parts = [part.lower() for part in re.split(f"[{signs}]+", name) if part]
    if not parts or len(parts) > 8 or sum(map(len, parts)) > 63:
        return ""
    if len(parts) > 1 and parts[-1] in UNITS:
        rest = parts[:-2] if len(parts) > 2 and parts[-2] == "in" else parts[:-1]
        return "timed" if meaning_between(rest) in AT else ""
    found = meaning_between(parts)
    unit = next((unit for unit in UNITS if len(unit) > 1 and parts[-1].endswith(unit) and parts[-1] != unit), "")
    if found == "" and unit:
        return "timed" if meaning_between(parts[:-1] + [parts[-1][:-len(unit)]]) in AT else ""
    return found


def is_order(name):
    """Whether `duet` reads a member or a column of that name as tasks before or behind a task."""
    return meaning(name) == "order"


def is_release(name):
    """Whether a member or a column of that name is the release of a task."""
    require(meaning(name) != "timed", f"a release or a deadline whose name says a unit, '{name}'", Unreadable)
    return meaning(name) == "release"


def says_nothing(name):
    """Whether it is a deadline or a group: neither is in a clause."""
    return meaning(name) in ("deadline", "group")


def new_type(instance, name, count=None):
    require(name != "" and name not in instance.types, f"the type '{name}' stands twice", Unreadable)
    instance.types.append(name)
    instance.counts.append(count)
    instance.speeds.append(Fraction(1))
    instance.bandwidths.append(None)
    instance.busy.append([])
    instance.lost.append([])


def json_time(value):
    if value is None:
        return None
    if isinstance(value, dict):
        require("work" in value, "a law without work", Unreadable)
        return Law(value["work"], value.get("alpha", Fraction(0)))
    if isinstance(value, list):
        require([time for time in value if time is not None] != [], "an empty table of times", Unreadable)
        return [time if time is None else number(time, "a time", 0) for time in value]
    return number(value, "a time", 0)


def json_tick(value):
    value = number(value, "tick")
    places = places_of(value)
    require(0 < value <= 1 and places <= 18 and value * 10**places == 1, "tick: expected a power of ten up to 1",
            Unreadable)
    return places


def json_network(network):
    require(isinstance(network, dict), "network: expected an object", Unreadable)
    network = said(network)
    latency = number(network.get("latency", Fraction(0)), "latency", 0)
    inter = network.get("inter_latency")
    inter = latency if inter is None else number(inter, "inter_latency", 0)
    bandwidth = network.get("inter_bandwidth")
    require(bandwidth is None or number(bandwidth, "inter_bandwidth") > 0, "inter_bandwidth: expected above 0",
            Unreadable)
    return latency, inter, bandwidth and significant(bandwidth)


def json_transfer(instance, transfer):
    require(isinstance(transfer, dict), "transfer: expected an object", Unreadable)
    return tuple(square(instance, transfer[name], name) if transfer.get(name) is not None else None
                 for name in ("latency", "per_unit"))


def square(instance, rows, what):
    """A table with a row and a column for each type."""
    size = len(instance.types)
    require(isinstance(rows, list) and len(rows) == size, f"{what}: expected a row for each type", Unreadable)
    for row in rows:
        require(isinstance(row, list) and len(row) == size, f"{what}: expected a column for each type", Unreadable)
        for value in row:
            number(value, what, 0)
    return rows


def edges_of(instance, edges, before_tasks):
    """Edges in the order of the file, where those that tasks name in `after` stand with the tasks."""
    require(isinstance(edges, list), "edges: expected an array", Unreadable)

    def task(name):
        require(isinstance(name, str), "an edge: expected ids of tasks", Unreadable)
        found = instance.task(name)
        require(found is not None, f"an edge names the unknown task '{name}'", Unreadable)
        return found

    for edge in edges:
        costs = data = None
        if isinstance(edge, list):
            require(2 <= len(edge) <= 3, "an edge: expected two tasks and perhaps a cost", Unreadable)
            u, v, cost = edge[0], edge[1], edge[2] if len(edge) > 2 else None
        else:
            require(isinstance(edge, dict) and "from" in edge and "to" in edge, "an edge: expected from and to",
                    Unreadable)
            u, v, cost = edge["from"], edge["to"], edge.get("cost")
            costs, data = edge.get("costs"), edge.get("data")
            require((cost is not None) + (costs is not None) + (data is not None) <= 1,
                    "an edge: expected one of cost, costs and data", Unreadable)
        if cost is not None:
            costs = [[number(cost, "cost", 0)] * len(instance.types)] * len(instance.types)
        elif costs is not None:
            costs = square(instance, costs, "costs")
        elif data is not None:
            data = significant(number(data, "data", 0))
        instance.edges.append((task(u), task(v), costs, data))
    after = []
    for kind in instance.kinds:
        for name in predecessors(instance, kind.after):
            require(len(after) + kind.count <= TASKS, "too many edges for this checker", Limit)
            after += [(name, kind.first + index, None, None) for index in range(kind.count)]
    instance.edges = instance.edges + after if before_tasks else after + instance.edges


NOTHING = ("", "nan", "na", "n/a", "null", "none", "-")


def predecessors(instance, words):
    """The tasks that `after` names: ids between semicolons; what is no id is a list with commas, bars or blanks."""
    found = []
    for word in (part.strip() for text in words for part in text.split(";")):
        if instance.task(word) is None and word.lower() in NOTHING:
            continue
        if instance.task(word) is not None:
            found.append(instance.task(word))
            continue
        for part in filter(None, re.split(r"[,|\s]+", word)):
            if instance.task(part) is None and part.lower() in NOTHING:
                continue
            require(instance.task(part) is not None, f"after: unknown task '{part}'", Unreadable)
            found.append(instance.task(part))
    return found


# Instances in CSV

def marked_quote(found):
    """A field in quotes, with a mark where it begins with `#` or has a blank at an end: quotes keep these."""
    text = found.group(1)
    return '"' + "\1" * (text[0] in "# \t") + text + "\1" * (text[-1] in " \t") + '"'


def csv_rows(text, separator=None):
    """Rows of fields (RFC 4180) and whether each was a comment unless it has as many fields as the header."""
    lines = text.replace("\r\n", "\n")
    if separator is None:
        found = re.match(r'"?sep=(.)"?[ \t]*\n', lines, re.I)
        if found:
            separator, lines = found.group(1), lines[found.end():]
        else:
            header = next((line for line in lines.split("\n")
                           if line.strip(" \t,;") and not line.startswith("#")), "")
            bare = re.sub(r'"[^"]*"', "", header)
            separator = max(",;\t", key=bare.count)
    rows, header, quoted = [], None, set()
    # What stood in quotes is lost in the reader, so that a quoted "#1" and quoted blanks at an end are marked before it.
    marked = re.sub(r'"((?:[^"]|"")+)"', marked_quote, lines)
    try:
        for row in csv.reader(io.StringIO(marked, newline=""), delimiter=separator, strict=True):
            row = [field.strip(" \t") for field in row]
            while header is not None and len(row) > len(header) and row[-1] == "":
                row.pop()
            if not any(row):
                continue
            comment = row[0].startswith("#")
            row = [field.strip("\1") for field in row]
            if header is None:
                if comment:
                    continue
                while row[-1] == "":
                    row.pop()
                header = row
            elif comment and len(row) != len(header):
                continue
            require(len(row) <= len(header), "a line of more fields than the header", Unreadable)
            rows.append(row + [""] * 0)
    except csv.Error as error:
        raise Unreadable(f"CSV: {error}") from None
    require(rows != [], "the file has no header", Unreadable)
    return rows, separator


def split_quoted(text, mark):
    """Parts between marks, where what stands in double quotes is kept whole."""
    require(text.count('"') % 2 == 0, f"'{text}': an open quote", Usage)
    found, quoted = [""], False
    for character in text:
        quoted = quoted != (character == '"')
        if character == mark and not quoted:
            found.append("")
        else:
            found[-1] += character
    return [part.strip() for part in found]


def bare(word):
    word = word.strip()
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word


def picked_columns(text):
    """--columns: pairs of a name and the column that it is read from."""
    found = []
    for part in split_quoted(text, ","):
        sides = split_quoted(part, "=")
        require(len(sides) <= 2 and all(bare(side) for side in sides), "--columns: expected NAME or NAME=COLUMN", Usage)
        found.append((bare(sides[0]), bare(sides[-1])))
    require(len({name for name, _ in found}) == len(found), "--columns: a name stands twice", Usage)
    return found


FORBIDDEN = ("", "nan", "na", "n/a", "null", "none", "inf")


def csv_instance(text, columns):
    require(re.match(r"\s*(strict\s+)?(di)?graph\b|%rec:", text) is None, "a format that this checker does not read; `duet convert` makes a duet-instance of it", Unreadable)
    rows, separator = csv_rows(text)
    header, rows = rows[0], rows[1:]
    roles = column_roles(header, picked_columns(columns) if columns else None)
    require(len(header) > 1 or separator in text, "a format that this checker does not read; `duet convert` makes a "
            "duet-instance of it", Unreadable)
    numbers = Numbers(separator, [row[at] for row in rows for at in roles["times"].values() if at < len(row)])
    instance = Instance()
    sizes = {}  # type: {number of processors, "work" or "alpha": column}
    for name, at in roles["times"].items():
        base, mark, size = name.rpartition(":")
        if name in ("work", "alpha") and {"work", "alpha"} <= set(roles["times"]):
            base, size = "cpu", name
        elif not (mark and base and re.fullmatch("work|alpha|[1-9][0-9]*", size)):
            base, size = name, None
        require(size not in sizes.get(base, {}), f"the column '{name}' stands twice", Unreadable)
        sizes.setdefault(base, {})[size] = at
    for name, parts in sizes.items():
        new_type(instance, name)
        require(None not in parts or len(parts) == 1, f"times of '{name}' in two ways", Unreadable)
        require(not {"work", "alpha"} & set(parts) or set(parts) <= {"work", "alpha"}, "a law beside times", Unreadable)
        require("alpha" not in parts or "work" in parts, "an alpha without work", Unreadable)
    for index, row in enumerate(rows):
        cell = lambda at: row[at] if at is not None and at < len(row) else ""
        require(len(row) == len(header), "a line of fewer fields than the header", Unreadable)
        name = cell(roles["id"]) if roles["id"] is not None else f"t{index}"
        count = exact(cell(roles["count"])) if roles["count"] is not None else Fraction(1)
        count = whole(count, "count", 1, MOST)
        raw = [csv_time(parts, cell, numbers) for parts in sizes.values()]
        if roles["cores"] is not None and cell(roles["cores"]) != "":
            raw = sized(raw, whole(exact(cell(roles["cores"])), "cores", 1, (1 << 31) - 1))
        instance.kinds.append(Kind(name, count, raw, [cell(roles["after"])]))
        if roles["release"] is not None:
            instance.kinds[-1].raw_release = numbers(cell(roles["release"])) or Fraction(0)
    instance.number_tasks()
    edges_of(instance, [], True)
    return instance


INDEX_NAMES = ("", "index", "unnamed: 0", "row.names")  # of a column that numbers the rows


def column_roles(header, picked):
    """Which column has the ids, the counts, what a task waits for, and which are times (in order)."""
    lower = [name.lower() for name in header]
    require(lower[0] in INDEX_NAMES or not any(re.fullmatch(r"[-+]?[0-9]*[.,]?[0-9]+(e[-+]?[0-9]+)?", name) for name in lower),
            "a number in the first line, which names the columns", Unreadable)
    roles = {"id": None, "count": None, "after": None, "release": None, "cores": None, "times": {}}
    if "" not in header[1:]:
        require(len(set(header)) == len(header), "a column stands twice", Unreadable)
    special = {}
    for at, name in enumerate(lower):
        role = {"id": "id", "task": "id", "name": "id", "count": "count", "after": "after",
                "cores": "cores", "size": "cores"}.get(name)
        if role and role not in special:
            special[role] = at
        release = name == "release" if picked else is_release(name)
        if release and "release" not in special:
            special["release"] = at
    if "id" not in special and lower[0] in INDEX_NAMES:
        special["id"] = 0
    if picked is None:
        for at, name in enumerate(header):
            if at in special.values() or says_nothing(name):
                continue
            require(name != "", "a column without a name", Unreadable)
            roles["times"][name] = at
    else:
        for name, column in picked:
            require(column in header, f"--columns: no column '{column}'", Unreadable)
            at = header.index(column)
            if name.lower() in ("id", "task", "name", "count", "after", "release", "cores"):
                special[{"task": "id", "name": "id"}.get(name.lower(), name.lower())] = at
            elif name.lower() not in ("deadline", "group", "priority"):
                roles["times"][name] = at
    check_order(header, picked, special.get("after"))
    roles.update(special)
    require(roles["times"] != {}, "no column of times", Unreadable)
    return roles


def check_order(header, picked, after):
    """No column says an order beside the one that is read; where one is picked, others are passed over."""
    names = header if picked is None or "after" not in (name.lower() for name, _ in picked) else []
    taken = [column for _, column in picked or []]
    names = [name for at, name in enumerate(names) if at != after and name not in taken]
    for name in names + [name for name, _ in picked or [] if name.lower() != "after"]:
        require(not is_order(name), f"the order of tasks in the column '{name}', which this checker does not read; "
                "`duet convert` makes a duet-instance of it", Unreadable)


class Numbers:
    """How a table writes numbers: with points, or with commas where these do not separate columns."""

    def __init__(self, separator, cells):
        with_comma = [cell for cell in cells if "," in cell and exact(cell.replace(",", ".")) is not None]
        points = any("." in cell and exact(cell) is not None for cell in cells)
        require(not with_comma or not points, "points and commas in one file", Unreadable)
        require(not with_comma or separator != "\t" or
                not all(re.search(r",[0-9]{3}\Z", cell) for cell in with_comma), "commas before three digits",
                Unreadable)
        self.comma = bool(with_comma)

    def __call__(self, cell, least=0):
        """A time, or None where the task cannot run."""
        if cell.lower() in FORBIDDEN:
            return None
        value = exact(cell.replace(",", ".") if self.comma and cell.count(",") == 1 else cell)
        require(value is not None, f"a time '{cell}': expected a decimal number", Unreadable)
        require(least is None or value >= least, f"a time '{cell}': expected at least {least}", Unreadable)
        return value


def csv_time(parts, cell, numbers):
    """What the columns of a type say of a task: nothing, a time, a list of times or a law."""
    if None in parts:
        return numbers(cell(parts[None]))
    if "work" in parts:
        work, alpha = numbers(cell(parts["work"])), numbers(cell(parts["alpha"])) if "alpha" in parts else Fraction(0)
        if work is None:
            require(alpha is None or "alpha" not in parts, "an alpha without work", Unreadable)
            return None
        require(alpha is not None or cell(parts["alpha"]) == "", "alpha: expected a number", Unreadable)
        return Law(work, Fraction(0) if alpha is None else alpha)
    found = {size: numbers(cell(at)) for size, at in ((int(size), at) for size, at in parts.items())}
    found = {size: time for size, time in found.items() if time is not None}
    if not found:
        return None
    require(1 in found, "no time on one processor", Unreadable)
    require(max(found) <= TASKS, "a table on too many processors", Limit)
    times = []
    for size in range(1, max(found) + 1):
        times.append(found.get(size, times[-1] if times else None))
    return times


# Solutions

class Run:
    """A run of a task, or of one that was given up (`aborted`), as the file says it."""

    def __init__(self, task, ranges, start, end, aborted, index):
        self.task, self.ranges, self.start, self.end = task, ranges, start, end
        self.aborted, self.index = aborted, index
        sizes = {}
        for t, first, last in ranges:
            sizes[t] = sizes.get(t, 0) + last - first + 1
        self.parts = sorted(sizes.items())


class Solution:
    """What a solution's file claims, in the file's unit."""

    def __init__(self):
        self.runs, self.native, self.unit, self.platform = [], False, None, {}
        self.makespan = self.status = None
        self.bound, self.certificate = Fraction(0), {}
        self.beside, self.certified = Fraction(0), {}  # the best bound with a certificate, where that has none


def read_solution(path, instance):
    text = text_of(path)
    if text.lstrip()[:1] in "{[" and text.strip():
        return json_solution(parse_json(text), instance)
    require("\n" in text or "," in text, f"{path}: expected a solution", Unreadable)
    return csv_solution(text, instance)


def json_solution(top, instance):
    solution = Solution()
    require(isinstance(top, dict), "expected a solution, an object", Unreadable)
    solution.native = native = "format" in top
    if native:
        require(top["format"] == "duet-solution", "expected the format \"duet-solution\"", Unreadable)
        require(member(top, "version", Fraction, "the solution") == 1, "expected version 1", Unreadable)
        require(is_number(top.get("makespan")), "expected the makespan, a number", Unreadable)
    solution.unit = top.get("time_unit")
    require(solution.unit is None or isinstance(solution.unit, str), "time_unit: expected a string", Unreadable)
    if top.get("platform") is not None:
        counted = Instance()
        json_platform(counted, top["platform"])
        solution.platform = dict(zip(counted.types, counted.counts))
    solution.status = top.get("status")
    require(solution.status in (None, "optimal", "bounded", "feasible") and ("status" not in top or solution.status),
            "status: expected optimal, bounded or feasible", Unreadable)
    for name, kind in (("interrupted", bool), ("ending", str), ("algorithm", str), ("found_by", str)):
        require(name not in top or isinstance(top[name], kind), f"{name}: of another type than expected", Unreadable)
    require(all(isinstance(top.get(name), (str, type(None))) for name in ("guarantee", "bound")),
            "guarantee and bound: expected text or null", Unreadable)
    require("seconds" not in top or number(top["seconds"], "seconds") >= 0, "seconds: expected at least 0", Unreadable)
    require(top.get("ending") in (None, "time limit reached", "limit reached", "interrupted", "gap reached",
                                  "deadline decided"),
            "ending: an unknown word", Unreadable)
    for name in ("makespan", "lower_bound"):
        require(name not in top or number(top[name], name) <= MOST, f"{name}: too large", Unreadable)
    solution.makespan, solution.bound = top.get("makespan"), top.get("lower_bound", Fraction(0))
    solution.certificate = top.get("certificate", {})
    require(isinstance(solution.certificate, dict), "certificate: expected an object", Unreadable)
    if "certified" in top:
        beside = member(top, "certified", dict, "the solution")
        require(isinstance(beside.get("bound", 0), (str, type(None))), "the certified bound: expected its name or null", Unreadable)
        solution.certified = member(beside, "certificate", dict, "the certified bound")
        solution.beside = number(beside.get("value"), "the certified bound")
    member(top, "schedule", list, "the solution")
    require(isinstance(top.get("aborted", []), list), "aborted: expected an array", Unreadable)
    entries = [(entry, name == "aborted") for name in top if name in ("schedule", "aborted") for entry in top[name]]
    solution.runs = [json_run(instance, entry, aborted, native, index)
                     for index, (entry, aborted) in enumerate(entries)]
    return solution


def json_run(instance, entry, aborted, native, index):
    require(isinstance(entry, dict), "schedule: expected an entry", Unreadable)
    task = member(entry, "task", str, "an entry")
    start, end = entry.get("start"), entry.get("end")
    require("start" in entry or not (native or aborted or instance.moldable), "an entry without a start", Unreadable)
    require("end" in entry or not aborted, "an aborted run without an end", Unreadable)
    for name in ("start", "end"):
        require(name not in entry or number(entry[name], name) <= MOST, f"{name}: too large", Unreadable)
    ways = [name for name in ("processor", "processors", "parts") if name in entry]
    sets = instance.moldable and not aborted
    require(len(ways) == 1 and (sets or ways == ["processor"]), "an entry: expected one way to say the processors",
            Unreadable)
    require("parts" not in entry or "type" not in entry, "parts beside a type", Unreadable)
    ranges = []
    for part in member(entry, "parts", list, "an entry") if "parts" in entry else [entry]:
        require(isinstance(part, dict), "parts: expected types and processors", Unreadable)
        ranges.append((member(part, "type", str, "an entry or a part"), json_ranges(part, ways == ["processor"])))
    require(ranges != [], "parts: expected at least one", Unreadable)
    return make_run(instance, task, ranges, start, end, aborted, index)


def json_ranges(entry, one):
    """The ranges of processors of an entry or a part: `one` processor, or `processors`."""
    if one:
        at = whole(entry["processor"], "processor")
        return [(at, at)]
    ranges = []
    for item in member(entry, "processors", list, "an entry or a part"):
        require(isinstance(item, list) and len(item) == 2, "processors: expected pairs", Unreadable)
        ranges.append((whole(item[0], "a processor"), whole(item[1], "a processor")))
    require(ranges != [], "processors: expected at least one range", Unreadable)
    return ranges


def make_run(instance, task, ranges, start, end, aborted, index):
    """S1, as far as names go: known tasks and types, processors that are there, ascending and disjoint."""
    number_of = instance.task(task)
    require(number_of is not None, f"unknown task '{task}'")
    of_type = {}
    for name, items in ranges:
        require(name in instance.types, f"unknown type '{name}'")
        of_type.setdefault(instance.types.index(name), []).extend(items)
    found = []
    for t, items in sorted(of_type.items()):
        last_of = -1
        for first, last in items:
            require(last_of < first <= last, f"task '{task}': processors that are not disjoint and ascending")
            if found and found[-1][0] == t and last_of + 1 == first and last_of >= 0:
                found[-1] = (t, found[-1][1], last)
            else:
                found.append((t, first, last))
            last_of = last
    return Run(number_of, tuple(found), start, end, aborted, index)


def csv_solution(text, instance):
    rows, separator = csv_rows(text)
    header, rows = [name.lower() for name in rows[0]], rows[1:]
    at = {name: header.index(name) for name in header}
    for names in (("task", "id", "name"), ("processor", "processors")):  # the first of these counts
        at[names[0]] = min((at[name] for name in names if name in at), default=None)
        require(at[names[0]] is not None, f"a schedule without a column `{names[0]}`", Unreadable)
    require("type" in at or len(instance.types) == 1, "a schedule without a column `type`", Unreadable)
    known = ("task", "id", "name", "type", "processor", "processors", "start", "end", "aborted")
    require(all(header.count(name) < 2 for name in known), "a column stands twice", Unreadable)
    wanted = max(at[name] for name in ("task", "type", "processor", "start", "end", "aborted") if name in at)
    require(all(len(row) > wanted for row in rows), "a line of fewer fields than the header", Unreadable)
    cells = [row[at[name]] for row in rows for name in ("start", "end") if name in at and at[name] < len(row)]
    numbers = Numbers(separator, cells)
    solution = Solution()
    for index, row in enumerate(rows):
        cell = lambda name: row[at[name]] if name in at and at[name] < len(row) else ""
        name = cell("type") if "type" in at else instance.types[0]
        ranges = []
        for part in cell("processor").split(";") if instance.moldable else [cell("processor")]:
            sides = [exact(side) for side in (part.split("-", 1) if instance.moldable else [part])]
            require(all(side is not None and side >= 0 and side.denominator == 1 for side in sides),
                    f"a processor '{part}': expected a number", Unreadable)
            ranges.append((sides[0].numerator, sides[-1].numerator))
        start, end = (None if cell(word) == "" else numbers(cell(word), None) for word in ("start", "end"))
        require(all(cell(word) == "" or value is not None for word, value in (("start", start), ("end", end))),
                "a start or end: expected a number", Unreadable)
        aborted = cell("aborted").lower() not in ("", "no")
        require(not aborted or (start is not None and end is not None), "an aborted run without start and end",
                Unreadable)
        require(start is not None or not instance.moldable, "a moldable task without a start", Unreadable)
        solution.runs.append(make_run(instance, cell("task"), [(name, ranges)], start, end, aborted, index))
    return solution


# Schedules: S1 to S6

NANO = 10**9


def judge(instance, solution):
    """Between ticks, then S1 to S6. The makespan and the tolerance, in ticks, or Refused."""
    runs = solution.runs
    clause_every_task(instance, runs)
    clause_modes(instance, runs)
    if runs and all(run.start is None for run in runs):
        tolerance = start_as_soon_as_possible(instance, runs)
    else:
        tolerance = say_starts(instance, runs)
        tolerance = Fraction(0) if solution.native else tolerance
        snap(runs, tolerance)
        push_right(instance, runs, tolerance)
    makespan = judge_exactly(instance, runs)
    for run in runs:
        if run.end is not None and not run.aborted:
            require(abs(nine_more(run.end / instance.size) - run.ends) <= tolerance,
                    f"task {run.task} ends at a wrong time")
    return makespan, tolerance


def clause_every_task(instance, runs):
    """S1: every task has one start."""
    placed = [run.task for run in runs if not run.aborted]
    require(len(set(placed)) == len(placed), "a task is placed twice")
    require(len(placed) == instance.tasks, "a task is not placed")


def clause_modes(instance, runs):
    """S1: a mode of the task, on processors that there are."""
    for run in runs:
        require(instance.mixed or len(run.parts) == 1, f"task {run.task}: parts of several types are no schedule")
        require(all(last < instance.counts[t] for t, _, last in run.ranges), f"task {run.task}: no such processor")
        run.ticks = instance.mode_time(run.task, run.parts)
        run.begun = instance.begun(run.task) and not run.aborted
        if run.begun:
            run.ticks = instance.pins[run.task].end - instance.pins[run.task].start
        require(run.ticks is not None, f"task {run.task} cannot run there")


def say_starts(instance, runs):
    """Between ticks, step 1: said starts, in ticks of nine more places. The tolerance."""
    segments, ends, latest = segments_of(runs), {}, Fraction(0)
    for run in runs:
        if run.start is None:
            run.said = max(ends.get(segments[run][0], Fraction(0)), ready_at(instance, run))
        else:
            run.said = nine_more(run.start / instance.size)
        if run.aborted:
            run.said_end = nine_more(run.end / instance.size)
        else:
            run.said_end = run.said + run.ticks
            latest = max(latest, run.said_end)
        for segment in segments[run]:
            ends[segment] = run.said_end
    return latest / NANO


def ready_at(instance, run):
    """S4; a task that has begun is exempt."""
    return 0 if run.begun else instance.available(run.task, run.ranges)


def nine_more(ticks):
    return Fraction(half_up(ticks * NANO), NANO)


def snap(runs, tolerance):
    """Step 2: all starts, and the ends of aborted runs, to whole ticks where each is near one; else none."""
    said = [run.said for run in runs] + [run.said_end for run in runs if run.aborted]
    near = all(abs(at - half_up(at)) <= tolerance for at in said)
    for run in runs:
        run.starts = half_up(run.said) if near else run.said
        run.ends = run.starts + run.ticks
        if run.aborted:
            run.ends = half_up(run.said_end) if near else run.said_end


def push_right(instance, runs, tolerance):
    """Step 3: moves runs to the right by at most the tolerance, to where S2, S3 and S6 allow them."""
    segments = segments_of(runs)
    free, passed, given_up = {}, {}, {}
    for run in sorted(runs, key=lambda run: (run.starts, run.ends, instance.depth.get(run.task, 0), run.task,
                                             not run.aborted)):
        own = 0 if run.aborted else given_up.get(run.task, 0)
        at = max([run.starts, own, ready_at(instance, run)] + [free.get(segment, 0) for segment in segments[run]])
        for e in instance.before.get(run.task, ()):
            other = passed.get(instance.edges[e][0])
            at = max(at, arrival(instance, e, other, run)) if other else at
        if at - run.said <= tolerance:
            run.ends += at - run.starts
            run.starts = at
        for segment in segments[run]:
            free[segment] = max(free.get(segment, 0), run.ends)
        if run.aborted:
            given_up[run.task] = max(given_up.get(run.task, 0), run.ends)
        else:
            passed[run.task] = run


def segments_of(runs):
    """For each run the pieces of its processors: between two bounds of ranges all processors of a type are alike."""
    bounds = {}
    for run in runs:
        for t, first, last in run.ranges:
            bounds.setdefault(t, set()).update((first, last + 1))
    index = {t: {at: i for i, at in enumerate(sorted(of))} for t, of in bounds.items()}
    return {run: [(t, i) for t, first, last in run.ranges for i in range(index[t][first], index[t][last + 1])]
            for run in runs}


def arrival(instance, e, i, j):
    """S3: when the data of an edge from run i are there for run j; where that has begun, they were."""
    return i.ends if i.ranges == j.ranges or j.begun else i.ends + instance.data_time(e, i, j)


def judge_exactly(instance, runs):
    """S1 to S6 of starts and ends as they are now. The makespan (S5)."""
    require(all(run.starts >= 0 for run in runs), "a start below 0")
    clause_no_overlap(runs)
    clause_edges(instance, runs)
    clause_available(instance, runs)
    clause_aborted(instance, runs)
    clause_given(instance, runs)
    return max((run.ends for run in runs if not run.aborted), default=0)


def clause_no_overlap(runs):
    """S2."""
    on = {}
    for run, segments in segments_of(runs).items():
        for segment in segments:
            on.setdefault(segment, []).append((run.starts, run.ends))
    for spans in on.values():
        latest = min(spans)[0]
        for start, end in sorted(spans):
            require(start >= latest, "two tasks overlap on a processor")
            latest = max(latest, end)


def clause_edges(instance, runs):
    """S3, of aborted runs as well."""
    done = {run.task: run for run in runs if not run.aborted}
    for run in runs:
        for e in instance.before.get(run.task, ()):
            require(run.starts >= arrival(instance, e, done[instance.edges[e][0]], run),
                    f"task {run.task} starts before its data are there")


def clause_available(instance, runs):
    """S4, of aborted runs as well."""
    for run in runs:
        ready = ready_at(instance, run)
        require(ready == 0 or run.starts >= ready,
                f"task {run.task} starts before its release, or while its processor is busy")


def clause_aborted(instance, runs):
    """S6."""
    done = {run.task: run for run in runs if not run.aborted}
    for run in runs:
        if run.aborted:
            require(not instance.moldable, "an aborted run of a moldable task")
            require(run.starts <= run.ends < run.starts + run.ticks, "an aborted run as long as its task")
            require(run.ends <= done[run.task].starts, "an aborted run ends after its task starts again")


def clause_given(instance, runs):
    """I6 and I7."""
    for run in runs:
        pin = None if run.aborted else instance.pins.get(run.task)
        if pin is not None:
            require(pin.start is None or run.starts == pin.start, f"task {run.task}: its start is fixed at another time")
            require(not pin.ranges or run.ranges == pin.ranges, f"task {run.task}: its processors are fixed")
        require(run.begun or not any(first <= at <= last for t, first, last in run.ranges for at in instance.lost[t]),
                f"task {run.task}: its processor is not there any more")


class Rest:
    """What is left where tasks are given: an instance from the origin on, before which none of it can start."""

    def __init__(self, whole):
        self.end = max((whole.pin_end(task) for task, pin in whole.pins.items() if pin.given), default=0)
        left = [task for task in range(whole.tasks) if not (task in whole.pins and whole.pins[task].given)]
        self.tasks = len(left)
        releases = {task: self.release(whole, task) for task in left}
        self.origin = min(releases.values(), default=0)
        self.number = {task: i for i, task in enumerate(left)}
        self.instance = None if not left else self.make(whole, left, releases)

    @staticmethod
    def release(whole, task):
        """The earliest start as far as releases, fixed starts and the data of given tasks are concerned; data are on
        the type that they come from as soon as they are there at all."""
        kind, pin = whole.kind(task), whole.pins.get(task)
        release = max(kind.release, pin.start if pin is not None and pin.start is not None else 0)
        found = []
        for t in allowed(whole, kind):
            if kind.tables[t] is None:
                continue
            there = 0
            for e in whole.before.get(task, ()):
                u = whole.edges[e][0]
                if u in whole.pins and whole.pins[u].given:
                    source = whole.pins[u].ranges[0][0]
                    costs = whole.costs[e]
                    cost = 0 if whole.moldable or source == t or not costs else costs[source][t]
                    there = max(there, whole.pin_end(u) + cost)
            found.append(there)
        return max([release] + ([min(found)] if found else []))

    def make(self, whole, left, releases):
        rest = Instance()
        rest.types, rest.speeds, rest.bandwidths = whole.types, whole.speeds, whole.bandwidths
        rest.unit, rest.network, rest.transfer = whole.unit, whole.network, whole.transfer
        rest.moldable, rest.tick = whole.moldable, whole.places
        for i, task in enumerate(left):
            kind = Kind(f"t{i}", 1, whole.kind(task).raw)
            kind.raw_release = (releases[task] - self.origin) * whole.size
            rest.kinds.append(kind)
        rest.number_tasks()
        rest.task = lambda name: self.number.get(whole.task(name))
        rest.edges = [(self.number[u], self.number[v], costs, data) for u, v, costs, data in whole.edges
                      if u in self.number and v in self.number]
        zeros = any(time == 0 for task in left for _, _, time in whole.modes(whole.kind(task)))
        rest.lost = [[] for _ in whole.types]
        counts = []
        for t, count in enumerate(whole.counts):
            until = self.busy_of(whole, t, zeros)
            kept = [max(0, until[p] - self.origin) for p in range(len(until)) if p not in set(whole.lost[t])]
            while kept and kept[-1] == 0:
                kept.pop()
            rest.busy.append([at * whole.size for at in kept])
            counts.append(count - len(whole.lost[t]))
        rest.counts = [None] * len(counts)  # tables may have more sizes than processors are left
        rest.finish(counts, whole.mixed, False)
        return rest

    def busy_of(self, whole, t, zeros):
        """Until when processors are busy, also with given tasks that begin before anything else can be there."""
        spans = {}
        for task, pin in whole.pins.items():
            for u, first, last in pin.ranges if pin.given else ():
                for p in range(first, last + 1) if u == t else ():
                    spans.setdefault(p, []).append((pin.start, whole.pin_end(task)))
        until = whole.busy_until[t] + [0] * (max(spans, default=-1) + 1 - len(whole.busy_until[t]))
        for p, list_of in spans.items():
            for start, end in sorted(list_of):
                if start < self.origin or (start <= until[p] and not zeros):
                    until[p] = max(until[p], end)
        return until


def start_as_soon_as_possible(instance, runs):
    """A schedule without any start: as soon as S2 to S4 allow, in the order that each processor has in the file."""
    waits, behind, last, by_task = {}, {}, {}, {run.task: run for run in runs}
    for run in runs:
        before = [by_task[instance.edges[e][0]] for e in instance.before.get(run.task, ())]
        before += [last[run.ranges]] if run.ranges in last else []
        last[run.ranges] = run
        waits[run] = len(before)
        for other in before:
            behind.setdefault(other, []).append(run)
    ready, free = [run for run in runs if waits[run] == 0], {}
    for run in ready:
        run.starts = max([ready_at(instance, run)] + [arrival(instance, e, by_task[instance.edges[e][0]], run)
                          for e in instance.before.get(run.task, ())] + [free.get(run.ranges, 0)])
        run.ends = free[run.ranges] = run.starts + run.ticks
        for other in behind.get(run, ()):
            waits[other] -= 1
            if waits[other] == 0:
                ready.append(other)
    require(len(ready) == len(runs), "the orders of the processors contradict the edges")
    return Fraction(max(run.ends for run in runs), NANO)


# Claims: C1 and C2

def check_claims(instance, solution, strict, proven=None):
    """Judges schedule, makespan, lower bound, certificate and status; `proven` is what a proof's file proves."""
    makespan, tolerance = judge(instance, solution)
    if solution.makespan is not None:
        require(abs(nine_more(solution.makespan / instance.size) - makespan) <= tolerance, "the makespan is another one")
    bound = claimed_bound(instance, solution.bound, makespan, tolerance)
    require(0 <= bound <= makespan, "the lower bound is not between 0 and the makespan")
    certified = is_certified(instance, solution.certificate, bound, solution.native)
    if solution.certified:
        beside = claimed_bound(instance, solution.beside, makespan, tolerance)
        is_certified(instance, solution.certified, beside, solution.native)
    if proven is not None:
        require(proven >= bound, f"the proof proves {proven} ticks only")
        certified = True
    require(certified or bound == 0 or not strict, "the lower bound is not certified")
    require(solution.status != "optimal" or bound == makespan, "claimed optimal: the lower bound is below the makespan")
    return makespan, bound, certified


def is_certified(instance, certificate, bound, native):
    """Where tasks are given, their ends are a bound, and so is the origin: a certificate is about the rest."""
    if not instance.pins and not any(instance.lost):
        return check_certificate(instance, certificate, bound, native)
    rest = Rest(instance)
    if 0 < bound <= rest.end or (rest.tasks > 0 and 0 < bound <= rest.origin):
        return True
    return rest.instance is not None and check_certificate(rest.instance, certificate, bound - rest.origin, native)


def claimed_bound(instance, value, makespan, tolerance):
    """Step 4: a lower bound is the makespan or a tick where it is near one, else the next tick above."""
    value = nine_more(value / instance.size)
    if abs(value - makespan) <= tolerance:
        return makespan
    return half_up(value) if abs(value - half_up(value)) <= tolerance else ceiling(value)


def check_certificate(instance, certificate, bound, native):
    """Whether the lower bound is certified; Refused where the certificate is wrong or proves less."""
    if not certificate:
        return False
    proof = member(certificate, "proof", str, "the certificate")
    require(proof in CERTIFICATES, f"the certificate's proof '{proof}': unknown", Unreadable)
    read, check, handles = CERTIFICATES[proof]
    ticks = {}
    times = {"head-tail": ("head", "tail"), "area": ("from",) if "from" in certificate else ()}
    for name in ("lambda",) + times.get(proof, ()):
        require(name in certificate, f"the certificate has no \"{name}\"", Unreadable)
        time = nine_more(number(certificate[name], name) / instance.size)
        require(time.denominator == 1 or not native, f"{name}: expected whole ticks")
        ticks[name] = half_up(time)
    value = ticks["lambda"]
    require(value >= bound, f"the certificate proves {value} ticks only")
    try:
        numbers = read(instance, {**certificate, **ticks})
        require(value == 0 or handles != "sequential" or not instance.moldable or (proof == "area" and instance.mixed),
                f"{proof}: not of moldable tasks")
        require(value == 0 or handles != "moldable" or instance.moldable, f"{proof}: of moldable tasks alone")
        require(value == 0 or not instance.mixed or proof in ("longest", "area", "flow"), f"{proof}: not with mixed sets")
        require(value == 0 or check(instance, value, *numbers), f"the {proof} certificate does not prove {value} ticks")
    except Refused:
        if value > 0 or proof != "flow":  # 0 needs no proof: the indices of a flow are not looked at
            raise
    return proof not in ("table", "moldable-knapsack")


def numbers_of(instance, certificate, name, count=None, least=None, most=MOST):
    """An array of whole numbers of the certificate, one for each type where nothing else is said."""
    values = member(certificate, name, list, "the certificate")
    require(len(values) == (len(instance.types) if count is None else count), f"{name}: another number expected", Unreadable)
    values = [whole(value, name, -most, most) for value in values]
    require(least is None or all(value >= least for value in values), f"{name}: expected at least {least}")
    return values


def pairs_of(certificate, name, count, needed=False):
    """An array of pairs of an index and a number."""
    require(name in certificate or not needed, f"the certificate has no \"{name}\"", Unreadable)
    pairs = certificate.get(name, [])
    require(isinstance(pairs, list) and len(pairs) <= count, f"{name}: expected pairs", Unreadable)
    found = {}
    for pair in pairs:
        require(isinstance(pair, list) and len(pair) == 2, f"{name}: expected pairs", Unreadable)
        index = whole(pair[0], name)
        require(0 <= index < count and index not in found, f"{name}: an index that is none, or stands twice")
        found[index] = whole(pair[1], name, -MOST, MOST)
    return found


INFINITE = None  # the least over nothing: of a task that fits nowhere, which proves a bound alone


def total_exceeds(instance, cost, right, start=0):
    """Whether the sum over all tasks that are released at `start` or later of the least cost of a mode (None: there is
    none) is above the right side."""
    total = 0
    for kind in instance.kinds:
        if kind.release < start:
            continue
        least = min((value for value in cost(kind)), default=INFINITE)
        if least is INFINITE:
            return True
        total += kind.count * least
    return total > right


# longest

def read_longest(instance, certificate):
    task = instance.task(member(certificate, "task", str, "the certificate"))
    require(task is not None, "the certificate's task is unknown")
    return (task,)


def check_longest(instance, value, task):
    """The task ends so late wherever it may run; with mixed sets it takes as long."""
    return all(time >= value for time in least_ends(instance, instance.kind(task)))


def least_ends(instance, kind):
    """When a task of the kind ends in each mode at the earliest; with mixed sets what it takes."""
    if instance.mixed:
        return least_times(instance, kind)
    return [instance.earliest(kind, t) + time for t, _, time in instance.modes(kind)]


def least_times(instance, kind):
    """The times of all modes; with mixed sets those of the best mixes (C4)."""
    if not instance.mixed:
        return [time for _, _, time in instance.modes(kind)]
    types = allowed(instance, kind)
    return [instance.mixed_time(kind, instance.speeds[t], sum(instance.counts[u] for u in types
                                                              if instance.speeds[u] >= instance.speeds[t]))
            for t in types]


def allowed(instance, kind):
    """The types with processors on which a kind may run."""
    return [t for t, raw in enumerate(kind.raw) if raw is not None and instance.counts[t] > 0]


# area

def read_area(instance, certificate):
    return numbers_of(instance, certificate, "weights", least=0), certificate.get("from", 0)


def check_area(instance, value, weights, start):
    """The weighted work that is released at `start` or later is more than what the processors have from then on to
    L = value - 1, where they are not busy."""
    require(any(weights), "weights: expected one above 0")
    require(start >= 0 and (start == 0 or not instance.mixed), "from: expected at least 0, and no mixed sets")
    limit = value - 1
    if instance.mixed:
        right = sum(w * m * limit for w, m in zip(weights, instance.counts))
        return total_exceeds(instance, lambda kind: mixed_weights(instance, kind, weights), right)
    right = sum(w * instance.room(t, start, limit) for t, w in enumerate(weights))
    return total_exceeds(instance, lambda kind: [weights[t] * q * time for t, q, time in instance.modes(kind)
                                                 if instance.earliest(kind, t) + time <= limit], right, start)


def mixed_weights(instance, kind, weights):
    """C4: whatever its set, a task weighs at least its time on one processor of some type, times the weight of that."""
    return [instance.mixed_time(kind, instance.speeds[t], 1) * weights[t] for t in allowed(instance, kind)]


# shelf

def read_shelf(instance, certificate):
    values = member(certificate, "counts", list, "the certificate")
    values = [Fraction(int(v)) if isinstance(v, str) and re.fullmatch("-?[0-9]{1,40}", v) else v for v in values]
    counts = numbers_of(instance, {"counts": values}, "counts", least=0, most=(1 << 124) - 1)
    require("parts" in certificate, "the certificate has no \"parts\"", Unreadable)
    return numbers_of(instance, certificate, "weights", least=0), counts, whole(certificate["parts"], "parts", 2, 3)


def check_shelf(instance, value, weights, counts, parts):
    """Work and long tasks together do not fit into L = value - 1."""
    limit = value - 1

    def long(time):
        if parts == 2:
            return 1 if 2 * time > limit else 0
        return 2 if 3 * time > 2 * limit else 1 if 3 * time > limit else 0

    right = sum(m * (w * limit + a * (parts - 1)) for w, a, m in zip(weights, counts, instance.counts))
    return total_exceeds(instance, lambda kind: [weights[t] * time + counts[t] * long(time)
                                                 for t, _, time in instance.modes(kind) if time <= limit], right)


# table and moldable-knapsack: nothing in the file proves them

def read_table(instance, certificate):
    name = member(certificate, "rounded", str, "the certificate")
    whole(member(certificate, "grid", Fraction, "the certificate"), "grid", 0, MOST)
    require(name in instance.types, "rounded: an unknown type")
    return ()


def believe(_instance, _value):
    return True


# knapsack and prices: nodes of a proof at its root

def read_knapsack(instance, certificate):
    return (numbers_of(instance, certificate, "weights"),)


def check_knapsack(instance, value, weights):
    if any(kind.release for kind in instance.kinds) or any(map(any, instance.busy_until)):
        if released_allocation_fails(instance, value - 1, weights):
            return True
        if len(instance.types) != 2:  # of two it may hold without releases, where loads are multiples of a common divisor
            return False
    require(len(instance.types) == 2, "knapsack: expected two types")
    tree = tree_of(instance, value - 1, value - 1)
    vector = tree.area_vector(weights)
    return tree.allocation_fails(tree.root(), vector)


def released_allocation_fails(instance, limit, weights):
    """No allocation gives each type at most, from each release on, what it has room for. Kinds by falling releases."""
    require(all(0 <= w < 2**31 for w in weights), "weights: expected 0 to 2^31 - 1")
    ways = {}
    for i, kind in enumerate(instance.kinds):
        ways[i] = {t: p for t, _, p in instance.modes(kind) if instance.earliest(kind, t) + p <= limit}
        if not ways[i] and kind.count:
            return True
    least = [min((weights[t] * p for t, p in ways[i].items()), default=0) for i in ways]
    to_come = sum(cost * kind.count for cost, kind in zip(least, instance.kinds))
    most = sum(w * instance.room(t, 0, limit) for t, w in enumerate(weights))
    types = range(len(weights))
    works = [(0,) * len(weights)]
    for i in sorted(ways, key=lambda i: -instance.kinds[i].release):
        room = [instance.room(t, instance.kinds[i].release, limit) for t in types]
        count = left = instance.kinds[i].count
        while left:  # any numbers that add up to the tasks so far can be made of lumps of these sizes
            size = min((count - left) // max(len(types) - 1, 1) + 1, left)
            to_come -= least[i] * size
            moved = sorted({work[:t] + (work[t] + p * size,) + work[t + 1:] for t, p in ways[i].items() for work in works})
            works = []
            for work in moved:
                if all(work[t] <= room[t] for t in types) and to_come + sum(weights[t] * work[t] for t in types) <= most and \
                        not any(all(kept[t] <= work[t] for t in types) for kept in works[:-33:-1]):
                    works.append(work)
            require(len(works) * len(weights) <= 1 << 25, "knapsack: too many works")
            left -= size
    return not works


def read_prices(instance, certificate):
    types = len(instance.types)
    modes = member(certificate, "modes", list, "the certificate")
    require(len(modes) == types and all(mode in ("set", "area") for mode in modes), "modes: expected set or area for "
            "each type", Unreadable)
    limits = numbers_of(instance, certificate, "limits")
    rows = member(certificate, "prices", list, "the certificate")
    require(all(isinstance(row, list) and len(row) == types for row in rows), "prices: expected one for each type",
            Unreadable)
    return modes, limits, [[whole(price, "prices", -MOST, MOST) for price in row] for row in rows]


def check_prices(instance, value, modes, limits, prices):
    tree = tree_of(instance, value - 1, value - 1)
    require(len(prices) == len(tree.classes), "prices: expected a row for each class")
    vector = tree.price_vector(modes, limits, prices, [])
    return tree.slack(tree.root(), vector) < 0


# flow

def read_flow(instance, certificate):
    edges = len(instance.edges)
    return (numbers_of(instance, certificate, "weights", least=0), pairs_of(certificate, "flow", edges, True),
            pairs_of(certificate, "tasks", instance.tasks), pairs_of(certificate, "cross", edges))


def check_flow(instance, value, weights, flow, more, cross):
    """What processors at these prices and paths have within value - 1 is less than the tasks cost."""
    require(all(f >= 0 for f in flow.values()), "flow: expected at least 0")
    require(not instance.mixed or not any(weights), "flow: with mixed sets expected weights of 0")
    through = Counts()
    into, out = Counts(), Counts()
    for e, f in flow.items():
        out[instance.edges[e][0]] += f
        into[instance.edges[e][1]] += f
    for task in set(into) | set(out):
        through[task] = max(into[task], out[task])
    for task, passing in more.items():
        require(passing >= through[task], "tasks: expected at least what flows in and out")
        through[task] = passing
    extra = sum(passing - into[task] for task, passing in through.items())
    charges = cross_charges(instance, flow, cross)
    special = {}
    for task in set(through) | set(charges):
        special.setdefault(id(instance.kind(task)), []).append(task)
    total = 0
    for kind in instance.kinds:
        tasks = special.get(id(kind), [])
        total += (kind.count - len(tasks)) * flow_cost(instance, kind, weights, 0, 0, 0)
        total += sum(flow_cost(instance, kind, weights, through[task], through[task] - into[task], charges.get(task, 0))
                     for task in tasks)
    return total > sum(a * instance.room(t, 0, value - 1) for t, a in enumerate(weights)) + extra * (value - 1)


class Counts(dict):
    """Numbers that are 0 where nothing is said."""

    def __missing__(self, key):
        return 0


def flow_cost(instance, kind, weights, passing, begins, charge):
    """The least of a mode: time (processors a + flow), the start of what begins, and on the first type what edges charge."""
    if instance.mixed:
        return passing * min(least_times(instance, kind)) + begins * kind.release
    return min(time * (q * weights[t] + passing) + begins * instance.earliest(kind, t) + (charge if t == 0 else 0)
               for t, q, time in instance.modes(kind))


def cross_charges(instance, flow, cross):
    """What edges charge tasks on the first of two types, with -f c[1][0] <= g <= f c[0][1]."""
    charges = {}
    require(not cross or (len(instance.types) == 2 and not instance.moldable), "cross: expected two types, and no "
            "moldable tasks")
    for e, g in cross.items():
        u, v = instance.edges[e][:2]
        costs = instance.costs[e] or [[0, 0], [0, 0]]
        f = flow.get(e, 0)
        require(-f * costs[1][0] <= g <= f * costs[0][1], "cross: expected no more than the flow times the cost")
        charges[u] = charges.get(u, 0) + g
        charges[v] = charges.get(v, 0) - g
    return charges


# head-tail

def read_head_tail(instance, certificate):
    return numbers_of(instance, certificate, "weights", least=0), certificate["head"], certificate["tail"]


def check_head_tail(instance, value, weights, head, tail):
    """The work of the tasks that start at `head` or later and end `tail` before the end does not fit in between."""
    require(any(w * m for w, m in zip(weights, instance.counts)), "weights: expected one above 0 of a type with processors")
    require(head >= 0 and tail >= 0, "head and tail: expected at least 0")
    least = Counts()
    for task in instance.order:
        least[task] = min(time for _, _, time in instance.modes(instance.kind(task)))
    heads, tails = Counts(), Counts()
    own = [min(instance.earliest(kind, t) for t, _, _ in instance.modes(kind)) for kind in instance.kinds]
    for kind, start in zip(instance.kinds, own):
        for task in instance.order:
            if kind.first <= task < kind.first + kind.count:
                heads[task] = start
    for task in instance.order:
        for e in instance.behind.get(task, ()):
            v = instance.edges[e][1]
            heads[v] = max(heads[v], heads[task] + least[task])
    for task in reversed(instance.order):
        for e in instance.before.get(task, ()):
            u = instance.edges[e][0]
            tails[u] = max(tails[u], tails[task] + least[task])
    work = members = longest = 0
    for kind, start in zip(instance.kinds, own):
        inside = sum(heads[task] >= head and tails[task] >= tail for task in instance.order
                     if kind.first <= task < kind.first + kind.count)
        outside = kind.count - sum(kind.first <= task < kind.first + kind.count for task in instance.order)
        inside += outside if start >= head and tail == 0 else 0
        members += inside
        longest = max(longest, min(time for _, _, time in instance.modes(kind))) if inside else longest
        work += inside * min(weights[t] * time for t, _, time in instance.modes(kind))
    require(members > 0, "no task is between head and tail")
    end = value - 1 - tail
    return end - head < longest or work > sum(w * instance.room(t, head, end) for t, w in enumerate(weights))


# moldable-prices and moldable-steps

def read_moldable_prices(instance, certificate):
    numbers = numbers_of(instance, certificate, "multipliers", max(4, 2 * len(instance.types)))
    numbers = numbers[:2 * len(instance.types)]
    require(all(number >= 0 for number in numbers), "multipliers: expected at least 0")
    return numbers[0::2], numbers[1::2]


def check_moldable_prices(instance, value, areas, longs):
    """Areas, and the processors of modes longer than half of L = value - 1, do not fit together."""
    limit = value - 1
    right = sum(m * (y * limit + z) for y, z, m in zip(areas, longs, instance.counts))
    return total_exceeds(instance, lambda kind: [q * (areas[t] * time + (longs[t] if 2 * time > limit else 0))
                                                 for t, q, time in instance.modes(kind) if time <= limit], right)


def read_moldable_steps(instance, certificate):
    limits = numbers_of(instance, certificate, "weights", least=0)
    lines = member(certificate, "lines", list, "the certificate")
    require(len(lines) == len(instance.types) and all(isinstance(line, str) for line in lines),
            "lines: expected one for each type", Unreadable)
    steps = []
    for line in lines:
        require(re.fullmatch("([0-9]+ [0-9]+( [0-9]+ [0-9]+)*)?", line, re.ASCII), "lines: expected pairs of whole numbers")
        numbers = [int(word) for word in line.split()]
        steps.append(list(zip(numbers[0::2], numbers[1::2])))
    require(sum(map(len, steps)) <= 4096, "lines: expected at most 4096 pairs")
    return limits, steps


def check_moldable_steps(instance, value, limits, steps):
    """Tasks, each with the least processors times value of its time, are worth more than all processors may be."""
    limit = value - 1
    for t, pairs in enumerate(steps):
        require(limits[t] <= 65536, "weights: expected limits up to 65536")
        require(all(a[0] < b[0] and a[1] < b[1] for a, b in zip(pairs, pairs[1:])) and
                all(0 < time <= limit and 0 < worth <= limits[t] for time, worth in pairs),
                "lines: expected rising pairs of a time below lambda and a value of at most the limit")
        require(dearest_fits(pairs, limits[t], limit), "weights: times that fit are worth more")

    def worth(t, time):
        return max((gain for step, gain in steps[t] if step <= time), default=0)

    return total_exceeds(instance, lambda kind: [q * worth(t, time) for t, q, time in instance.modes(kind)
                                                 if time <= limit],
                         sum(m * v for m, v in zip(instance.counts, limits)))


def dearest_fits(pairs, most, limit):
    """Whether times of at most the limit in sum, each any number of times, are worth at most `most`."""
    least = [0]  # the least time that is worth at least so much
    for gain in range(1, most + 2):
        least.append(min((least[max(0, gain - worth)] + time for time, worth in pairs), default=limit + 1))
    return least[most + 1] > limit


# lines

def read_lines(_instance, certificate):
    lines = member(certificate, "lines", list, "the certificate")
    require(all(isinstance(line, str) for line in lines), "lines: expected strings", Unreadable)
    return ("\n".join(lines),)


def check_lines(instance, value, text):
    return check_proof(instance, text) >= value


CERTIFICATES = {
    "longest": (read_longest, check_longest, "all"),
    "area": (read_area, check_area, "sequential"),
    "shelf": (read_shelf, check_shelf, "sequential"),
    "table": (read_table, believe, "sequential"),
    "knapsack": (read_knapsack, check_knapsack, "sequential"),
    "prices": (read_prices, check_prices, "sequential"),
    "flow": (read_flow, check_flow, "all"),
    "head-tail": (read_head_tail, check_head_tail, "sequential"),
    "lines": (read_lines, check_lines, "sequential"),
    "moldable-prices": (read_moldable_prices, check_moldable_prices, "moldable"),
    "moldable-knapsack": (lambda _instance, _certificate: (), believe, "moldable"),
    "moldable-steps": (read_moldable_steps, check_moldable_steps, "moldable"),
}


# Proofs: words and lines

class Words:
    """The words of a proof, line by line; comments and empty lines mean nothing."""

    def __init__(self, text):
        self.lines = [(at, line.split()) for at, line in enumerate(text.split("\n"), 1)
                      if line.strip() and not line.startswith("#")]
        self.at, self.words = 0, []

    def next_line(self):
        """The first word of the next line."""
        require(not self.words, f"{self.where()}: more words than expected")
        require(self.at < len(self.lines), "the proof has no end")
        self.words = self.lines[self.at][1][::-1]
        self.at += 1
        return self.words.pop()

    def where(self):
        return f"the proof's line {self.lines[max(0, self.at - 1)][0]}" if self.lines else "the proof"

    def word(self):
        require(self.words, f"{self.where()}: fewer words than expected")
        return self.words.pop()

    def number(self, most=MOST, least=0):
        word = self.word()
        require(re.fullmatch("[0-9]{1,40}", word), f"{self.where()}: '{word}': expected a whole number")
        value = int(word)
        require(least <= value <= most, f"{self.where()}: {value} is out of range")
        return value

    def numbers(self, count, most=MOST):
        require(count <= len(self.words), f"{self.where()}: fewer words than expected")
        return [self.number(most) for _ in range(count)]

    def optional(self, name):
        """Whether the next word is this one, which is then passed."""
        if self.words and self.words[-1] == name:
            self.words.pop()
            return True
        return False

    def type(self, types):
        """A type: `cpu` or `gpu` of two, else a number."""
        if types == 2:
            word = self.word()
            require(word in ("cpu", "gpu"), f"{self.where()}: '{word}': expected cpu or gpu")
            return int(word == "gpu")
        return self.number(types - 1)


def check_proof(instance, text, as_file=False):
    """The bound in ticks that a proof proves. A file must begin as one does (else it is unreadable)."""
    words = Words(text)
    try:
        require(words.next_line() == "duet-proof" and words.number() == 1, "expected 'duet-proof 1'")
    except Refused as error:
        raise Unreadable(str(error)) if as_file else error from None
    require(words.next_line() == "bound", f"{words.where()}: expected the bound")
    bound = words.number()
    what = words.next_line()
    require(not instance.moldable, "a proof of moldable tasks")
    if bound == 0:
        require(what == "end" and not words.words, f"{words.where()}: expected end")
    elif what in ("types", "released", "classes"):
        own = list(range(len(instance.types)))
        count, into = len(own), own
        if what == "released":
            require(not words.words, f"{words.where()}: expected the end of the line")
            if (word := words.next_line()) == "graph":
                prove_moved(instance, bound, words)
                require(words.at == len(words.lines), f"{words.where()}: more after the end")
                return bound
            require(word == "classes", f"{words.where()}: expected classes")
        if what == "types":
            count = words.number(least=1)
            into = words.numbers(len(own))
            require(words.next_line() == "classes", f"{words.where()}: expected classes")
        classes = words.number()
        within = words.number(least=bound - 1) if words.optional("within") else bound - 1
        tree = released_tree(instance, bound - 1, within) if what == "released" else \
            tree_of(instance, bound - 1, within, count, into)
        require(classes == len(tree.classes), f"{words.where()}: expected {len(tree.classes)} classes")
        prove_tree(tree, words)
        word = words.next_line()
        while word in ("area", "prices"):
            read_vector(tree, words, word, tree.root())
            word = words.next_line()
        require(word == "end" and not words.words, f"{words.where()}: expected end")
    else:
        require(what == "graph", f"{words.where()}: expected classes or graph")
        prove_graph(instance, bound, words)
    require(words.at == len(words.lines), f"{words.where()}: more after the end")
    return bound


# Proofs by a tree of cases

class State:
    """Processors left of each type, tasks left of each class, and how many of them go to each type."""

    def __init__(self, processors, tasks, low, high):
        self.processors, self.tasks, self.low, self.high = processors, tasks, low, high
        self.above = None  # the state of the node above
        self.pools = {}    # the patterns of the innermost list of a type
        self.counts = []   # the open counts, outermost first
        self.covers = 0    # how many covers are above

    def copy(self):
        made = State(list(self.processors), list(self.tasks), list(self.low), list(self.high))
        made.above, made.pools, made.counts, made.covers = self, self.pools, self.counts, self.covers
        return made

    def narrow(self, c):
        """Ranges as narrow as they follow from each other."""
        n, low, high = self.tasks[c], self.low[c], self.high[c]
        self.low[c] = tuple(max(0, a, n - (sum(high) - b)) for a, b in zip(low, high))
        self.high[c] = tuple(min(b, n - (sum(low) - a)) for a, b in zip(low, high))

    def impossible(self, c):
        return self.tasks[c] > 0 and any(a > b for a, b in zip(self.low[c], self.high[c]))


class Count:
    """An open count: of a type, of some classes, with `h`, saying at most or at least `bound`."""

    def __init__(self, t, h, classes, bound, at_most, covers):
        self.type, self.h, self.classes, self.bound, self.at_most = t, h, frozenset(classes), bound, at_most
        self.covers = covers

    def of(self, pattern):
        held = sum(pattern[c] for c in self.classes)
        return held if self.h == 0 else int(held >= self.h)


class Vector:
    """Prices of classes by type, limits by type, how these are checked, and prices of counts."""

    def __init__(self, prices, limits, modes, counts, weights=None):
        self.prices, self.limits, self.modes, self.counts, self.weights = prices, limits, modes, counts, weights
        self.state = None  # of a limit of mode `here`: where the vector stands

    def check_state(self, state):
        """Limits of mode `here` hold for the state that the vector stands at, and below it."""
        while self.state is not None and state is not self.state:
            require(state is not None, "limits of another state")
            state = state.above


class Tree:
    """What a tree of cases is about: processors by type, and classes of equal tasks, whose usable times are at most L.
    With releases, one of each class, a time is usable where the task ends by L that starts at its release or when
    processors of the type are no more busy (`busy`)."""

    def __init__(self, counts, limit, classes, sizes, releases=None, busy=None):
        self.counts, self.limit, self.types, self.sizes = counts, limit, range(len(counts)), sizes
        self.releases, self.busy = releases, busy or [0] * len(counts)
        self.classes = [tuple(time if time is not None and self.start(c, t) + time <= limit else None
                              for t, time in enumerate(times)) for c, times in enumerate(classes)]
        self.capacity = []
        for t in self.types:
            unit = gcd(*(times[t] for times in self.classes if times[t] is not None))
            room = max(0, self.limit - self.busy[t])
            self.capacity.append(room // unit * unit if unit else room)

    def start(self, c, t):
        """When a processor of type t can start the tasks of class c."""
        return max(self.releases[c], self.busy[t]) if self.releases else 0

    def fits_releases(self, t, pattern):
        """Whether for each task of the pattern what is released then or later fits between its start and L."""
        held = [(c, a) for c, a in enumerate(pattern) if a]
        return not self.releases or all(
            self.start(c, t) + sum(a * self.classes[other][t] for other, a in held
                                   if self.releases[other] >= self.releases[c]) <= self.limit for c, _ in held)

    def root(self):
        state = State(list(self.counts), list(self.sizes), [(0,) * len(self.types)] * len(self.classes),
                      [tuple(n if time is not None else 0 for time in times)
                       for times, n in zip(self.classes, self.sizes)])
        for c in range(len(self.classes)):
            state.narrow(c)
        return state

    # Vectors

    def area_vector(self, weights):
        require(all(0 <= w < 1 << 31 for w in weights) and any(weights), "weights: expected below 2^31, one above 0")
        prices = [[w * time if time is not None else 0 for w, time in zip(weights, times)] for times in self.classes]
        return Vector(prices, [w * capacity for w, capacity in zip(weights, self.capacity)], ["area"] * len(self.types),
                      [], weights)

    def price_vector(self, modes, limits, prices, counts, state=None):
        for t in self.types:
            require(0 <= limits[t] < 1 << 31, "limits: expected below 2^31")
            for times, row in zip(self.classes, prices):
                require(0 <= row[t] < 1 << 31, "prices: expected below 2^31")
                require(row[t] == 0 or times[t] is not None, "a price where the class has no time")
            if modes[t] == "area":
                self.limit_by_density(t, limits[t], prices)
            elif modes[t] == "set":
                self.limit_of_sets(t, limits[t], prices, self.sizes)
            elif modes[t] == "here":
                require(state is not None, "limits of a state without one")
                self.limit_of_sets(t, limits[t], prices, [high[t] for high in state.high])
        require(all(0 <= g < 1 << 31 for g in counts), "prices of counts: expected below 2^31")
        vector = Vector(prices, limits, modes, counts)
        vector.state = state if "here" in modes else None
        return vector

    def limit_by_density(self, t, limit, prices):
        """A limit of mode `area`: price times capacity is at most limit times time, for each class."""
        require(all(row[t] * self.capacity[t] <= limit * times[t] for times, row in zip(self.classes, prices)
                    if times[t] is not None), "a price above what the limit allows by area")

    def limit_of_sets(self, t, limit, prices, sizes):
        """A limit of mode `set`: no tasks that fit a processor are priced above it (a knapsack over all sets). `sizes`: so
        many tasks of each class may be in a set."""
        require(limit <= 1 << 26 and limit * len(self.classes) <= 1 << 36, "a limit of sets that is too large")
        if self.releases:
            self.limit_with_releases(t, limit, prices, sizes)
            return
        items = []
        for times, row, n in zip(self.classes, prices, sizes):
            if times[t] is not None and row[t] > 0 and times[t] <= self.capacity[t]:
                n, size = min(n, self.capacity[t] // times[t]), 1
                while n > 0:
                    items.append((size * times[t], size * row[t]) if size <= n else (n * times[t], n * row[t]))
                    n, size = n - size, 2 * size
        rest = sum(price for _, price in items)
        items.sort(key=lambda item: Fraction(item[1], item[0]), reverse=True)
        front = [(0, 0)]  # pairs (time, price), both rising: no other set is shorter and dearer
        for at, (time, price) in enumerate(items):
            rate = items[at]
            added = [(a + time, b + price) for a, b in front if a + time <= self.capacity[t]]
            rest -= price
            merged, best = [], -1
            for a, b in sorted(front + added, key=lambda pair: (pair[0], -pair[1])):
                if b > best:
                    best = b
                    require(b <= limit, "a set of tasks is priced above the limit")
                    if b + rest > limit and b * rate[0] + rate[1] * (self.capacity[t] - a) > limit * rate[0]:
                        merged.append((a, b))
            front = merged
            require(len(front) <= 1 << 24, "a knapsack of too many sets", Limit)

    def limit_with_releases(self, t, limit, prices, sizes):
        """The same where tasks have releases: they come by falling release, and each joins sets of those before that end
        with it in time."""
        items = []
        for c, (times, row, n) in enumerate(zip(self.classes, prices, sizes)):
            room = self.limit - self.start(c, t)
            for _ in range(min(n, room // times[t]) if times[t] is not None and row[t] > 0 else 0):
                items.append((self.releases[c], room, times[t], row[t]))
        items.sort(key=lambda item: (item[0], Fraction(item[3], item[2])), reverse=True)
        rests, rates = [0], [(0, 1)]  # of the items from each one on: all prices, the best price per time
        for _, _, time, price in reversed(items):
            rests.append(rests[-1] + price)
            rates.append(max(rates[-1], (price, time), key=lambda rate: Fraction(*rate)))
        front, most = [(0, 0)], self.limit - self.busy[t]
        for at, (_, room, time, price) in enumerate(items):
            rest, rate = rests[len(items) - at - 1], rates[len(items) - at - 1]
            added = [(a + time, b + price) for a, b in front if a + time <= room]
            merged, best = [], -1
            for a, b in sorted(front + added, key=lambda pair: (pair[0], -pair[1])):
                if b > best:
                    best = b
                    require(b <= limit, "a set of tasks with releases is priced above the limit")
                    if b + rest > limit and b * rate[1] + rate[0] * (most - a) > limit * rate[1]:
                        merged.append((a, b))
            front = merged
            require(len(front) <= 1 << 24, "a knapsack of too many sets", Limit)

    # Prices at a state

    def term(self, state, vector):
        """The prices of open counts as they are used here: pairs of a count and its price. A limit of mode `listed` is
        checked against the patterns of the innermost list."""
        require(len(vector.counts) <= len(state.counts), "prices of more counts than are open")
        terms = [(count, g) for count, g in zip(state.counts, vector.counts) if g]
        for count, _ in terms:
            require(vector.modes[count.type] == "listed" or count.h == 0, "a price of a count without a listed limit")
            require(count.covers == state.covers, "a cover between the count and the node")
        for t in self.types:
            if vector.modes[t] == "listed":
                require(t in state.pools, "a listed limit without a list")
                require(all(self.priced(t, vector, terms, pattern) <= vector.limits[t] for pattern in state.pools[t]
                            if self.fits_state(state, t, pattern)), "a pattern of the list is priced above the limit")
        return terms

    def fits_state(self, state, t, pattern):
        """Whether the state has tasks for a pattern."""
        return all(a <= high[t] for a, high in zip(pattern, state.high))

    def priced(self, t, vector, terms, pattern):
        """What a pattern of a type is worth, with counts where the limit is listed."""
        price = sum(a * row[t] for a, row in zip(pattern, vector.prices) if a)
        if vector.modes[t] == "listed":
            for count, g in terms:
                if count.type == t:
                    price += -g * count.of(pattern) if count.at_most else g * count.of(pattern)
        return price

    def slack(self, state, vector):
        """Supply less demand; below 0 the state has no schedule."""
        terms = self.term(state, vector)
        supply = sum(m * limit for m, limit in zip(state.processors, vector.limits))
        for count, g in terms:
            supply += g * count.bound if count.at_most else -g * count.bound
        demand = 0
        for c, n in enumerate(state.tasks):
            if state.impossible(c):
                continue
            prices = list(vector.prices[c])
            for count, g in terms:
                if c in count.classes and vector.modes[count.type] != "listed":
                    prices[count.type] += g if count.at_most else -g
            demand += sum(low * price for low, price in zip(state.low[c], prices))
            left = n - sum(state.low[c])
            for price, t in sorted((price, t) for t, price in enumerate(prices)):
                taken = min(left, state.high[c][t] - state.low[c][t])
                demand, left = demand + taken * price, left - taken
        return supply - demand

    # Nodes

    def patterns(self, state, vector, t, slack, must=None):
        """Patterns of a processor of type t, of at most what may go there, whose reduced cost is at most the slack, in
        the order of the format. `must`: a class of which they have a task."""
        if slack < 0:
            return []
        terms = self.term(state, vector)
        need = vector.limits[t] - slack
        if t in state.pools and must is None:
            found = [p for p in state.pools[t] if self.fits_state(state, t, p)]
            found = [p for p in found if self.priced(t, vector, terms, p) >= need]
        else:
            found = self.enumerate(state, vector, t, need, must)
        found.sort(key=lambda p: (self.priced(t, vector, terms, p), p), reverse=True)
        return found

    def enumerate(self, state, vector, t, need, must):
        """All of them, depth first by falling price per time, as long as what follows may make up the price."""
        items = [(row[t], times[t], state.high[c][t], c) for c, (times, row) in
                 enumerate(zip(self.classes, vector.prices)) if times[t] is not None and state.high[c][t] > 0]
        items.sort(key=lambda item: (item[3] != must, -Fraction(item[0], item[1])))
        sums, rates = [0], [(0, 1)]  # of the items from each one on: all prices, the best price per time
        for price, time, n, _ in reversed(items):
            sums.append(sums[-1] + price * n)
            rates.append(max(rates[-1], (price, time), key=lambda rate: Fraction(*rate)))
        sums.reverse()
        rates.reverse()
        found, pattern, work = [], [0] * len(self.classes), 0

        def extend(at, room, price):
            nonlocal work
            work += 1
            require(work <= WORK // 100, "too many patterns", Limit)
            if price + sums[at] < need or (need - price) * rates[at][1] > rates[at][0] * room:
                return
            if at == len(items):
                if any(pattern) and self.fits_releases(t, pattern):
                    found.append(tuple(pattern))
                return
            gain, time, n, c = items[at]
            for a in range(min(n, room // time), -1 if c != must else 0, -1):
                pattern[c] = a
                extend(at + 1, room - a * time, price + a * gain)
            pattern[c] = 0

        if must is None or (items and items[0][3] == must):
            extend(0, self.capacity[t], 0)
        return found

    def without(self, state, t, pattern):
        """The state of a child of a cover: one processor and the pattern's tasks are gone."""
        child = state.copy()
        child.processors[t] -= 1
        child.covers += 1
        for c, a in enumerate(pattern):
            if a:
                child.tasks[c] -= a
                low, high = list(child.low[c]), list(child.high[c])
                low[t], high[t] = max(0, low[t] - a), high[t] - a
                child.low[c], child.high[c] = tuple(low), tuple(high)
                child.narrow(c)
        return child

    def branched(self, state, t, c, low=None, high=None):
        child = state.copy()
        lows, highs = list(child.low[c]), list(child.high[c])
        lows[t], highs[t] = lows[t] if low is None else low, highs[t] if high is None else high
        child.low[c], child.high[c] = tuple(lows), tuple(highs)
        child.narrow(c)
        return child

    def allocation_fails(self, state, vector):
        """The node `knapsack`: no numbers of tasks for the CPUs have work of both types within the capacities."""
        rooms = [m * capacity for m, capacity in zip(state.processors, self.capacity)]
        weights = vector.weights
        most = sum(w * room for w, room in zip(weights, rooms))
        classes = [c for c, n in enumerate(state.tasks) if n > 0]
        if any(state.impossible(c) for c in classes):
            return True
        steps = []
        for c in classes:
            (p, q), n = self.classes[c], state.tasks[c]
            steps.append([(x * (p or 0), (n - x) * (q or 0)) for x in range(state.low[c][0], state.high[c][0] + 1)])
        steps.sort(key=len)
        least = [0]  # the least weighted work of the steps from each one on
        for step in reversed(steps):
            least.append(least[-1] + min(weights[0] * a + weights[1] * b for a, b in step))
        least.reverse()
        front = [(0, 0)]
        for at, step in enumerate(steps):
            require(len(front) * len(step) <= WORK, "too many pairs of works", Limit)
            pairs = sorted((a + x, b + y) for a, b in front for x, y in step)
            front, best = [], None
            for a, b in pairs:
                if (best is None or b < best) and a <= rooms[0] and b <= rooms[1] and \
                        weights[0] * a + weights[1] * b + least[at + 1] <= most:
                    best = b
                    front.append((a, b))
        return not front


def tree_of(instance, limit, within, types=None, into=None):
    """The tree of an instance: kinds with equal times of at most `within` are a class. Type t of the platform is type
    into[t] of the tree, which has `types`, or none of them."""
    types = len(instance.types) if types is None else types
    into = range(types) if into is None else into
    found, counts, first = {}, [0] * types, [None] * types
    for t, (number, count) in enumerate(zip(into, instance.counts)):
        require(number < types or (number == types and count == 0), f"type {t}: no such type of the proof")
        if number < types and count > 0:
            counts[number] += count
            first[number] = t if first[number] is None else first[number]
    for kind in instance.kinds:
        own = [table[0] if table and table[0] is not None and table[0] <= within else None for table in kind.tables]
        times = tuple(None if t is None else own[t] for t in first)
        for t, count in enumerate(instance.counts):
            require(count == 0 or own[t] == times[into[t]], f"type {t} has other times than the first that it is one with")
        if 0 not in times:
            found[times] = found.get(times, 0) + kind.count
    return Tree(counts, limit, list(found), list(found.values()))


def released_tree(instance, limit, within):
    """The tree of an instance with releases and busy processors. Its types are those of the platform, each with one of
    the times until which some of its processors are busy."""
    types = []
    for t, count in enumerate(instance.counts):
        until = instance.busy_until[t]
        free = count - len(until) + until.count(0)
        types += [(t, 0, free)] * (free > 0) + [(t, busy, until.count(busy)) for busy in sorted(set(until) - {0})]
    require(len(types) <= 64, "too many types with busy processors")
    found = {}
    for kind in instance.kinds:
        times = tuple(kind.tables[t][0] if kind.tables[t] and kind.tables[t][0] is not None and
                      max(kind.release, busy) + kind.tables[t][0] <= within else None for t, busy, _ in types)
        if 0 not in times:
            key = (times, kind.release)
            found[key] = found.get(key, 0) + kind.count
    return Tree([count for _, _, count in types], limit, [times for times, _ in found], list(found.values()),
                [release for _, release in found], [busy for _, busy, _ in types])


def prove_tree(tree, words, alone=False):
    """Reads vectors and the nodes of the tree in preorder; each node proves that its state has no schedule. Ends after
    the last node."""
    vectors, left = [], [iter([tree.root()])]
    while True:
        while left and (state := next(left[-1], None)) is None:
            left.pop()
        if not left:
            return
        word = words.next_line()
        while word in ("area", "prices"):
            vectors.append(read_vector(tree, words, word, state))
            word = words.next_line()
        require(word in NODES and not (alone and word == "alone"), f"{words.where()}: '{word}': expected a node")
        try:
            children = NODES[word](tree, state, words, vectors)
        except Refused as error:
            raise Refused(f"{words.where()}: {word}: {error}") from None
        left.append(iter(children))


def read_vector(tree, words, word, state):
    types = len(tree.types)
    if word == "area":
        return tree.area_vector(words.numbers(types))
    modes, limits = [], []
    for _ in tree.types:
        modes.append(words.word())
        require(modes[-1] in ("set", "here", "area", "listed"), f"{words.where()}: expected set, here, area or listed")
        limits.append(words.number())
    prices = [words.numbers(types) for _ in tree.classes]
    counts = words.numbers(words.number()) if words.optional("counts") else []
    require(len(counts) <= len(state.counts), f"{words.where()}: prices of more counts than are open")
    return tree.price_vector(modes, limits, prices, counts, state)


def vector_of(words, vectors):
    index = words.number()
    require(index < len(vectors), "no such vector")
    return vectors[index]


def class_of(tree, words):
    c = words.number()
    require(c < len(tree.classes), "no such class")
    return c


def node_nowhere(tree, state, words, _vectors):
    require(state.impossible(class_of(tree, words)), "the class has no tasks, or somewhere to go")
    return ()


def node_price(tree, state, words, vectors):
    vector = vector_of(words, vectors)
    vector.check_state(state)
    require(tree.slack(state, vector) < 0, "the slack is not below 0")
    return ()


def node_knapsack(tree, state, words, vectors):
    vector = vector_of(words, vectors)
    require(len(tree.types) == 2 and vector.weights is not None, "expected two types and a vector of areas")
    require(tree.allocation_fails(state, vector), "an allocation fits")
    return ()


def node_branch(tree, state, words, _vectors):
    t = 0 if len(tree.types) == 2 else words.type(len(tree.types))
    c, a = class_of(tree, words), words.number()
    require(state.low[c][t] <= a < state.high[c][t], "expected lo <= a < hi")
    return ordered(words, (tree.branched(state, t, c, high=a), tree.branched(state, t, c, low=a + 1)))


def ordered(words, children):
    """The two children of a node, that with more first where it says so."""
    return children[::-1] if words.optional("more") else children


def node_count(tree, state, words, _vectors):
    t, h, a = words.type(len(tree.types)), words.number(), words.number()
    classes = words.numbers(words.number(len(tree.classes)))
    require(all(c < len(tree.classes) for c in classes) and len(set(classes)) == len(classes), "no such classes")
    children = []
    for bound, at_most in ((a, True), (a + 1, False)):
        child = state.copy()
        child.counts = state.counts + [Count(t, h, classes, bound, at_most, state.covers)]
        children.append(child)
    return ordered(words, children)


def node_list(tree, state, words, vectors):
    vector, t, n = vector_of(words, vectors), words.type(len(tree.types)), words.number()
    require(vector.state is None, "limits of a state")
    found = tree.patterns(state, vector, t, tree.slack(state, vector))
    require(len(found) == n, f"{n} patterns: expected {len(found)}")
    child = state.copy()
    child.pools = {**state.pools, t: found}
    return (child,)


def node_cover(tree, state, words, vectors):
    vector, t, c, n = vector_of(words, vectors), words.type(len(tree.types)), class_of(tree, words), words.number()
    require("listed" not in vector.modes and vector.state is None and not any(vector.counts),
            "expected a vector without listed limits, limits of a state and counts")
    require(state.low[c][t] >= 1, "no task of the class must go to the type")
    slack = tree.slack(state, vector)
    found = tree.patterns(state, vector, t, slack, c) if state.processors[t] > 0 else []
    require(len(found) == n, f"{n} patterns: expected {len(found)}")
    return (tree.without(state, t, pattern) for pattern in found)


def alone_of(tree, state, t, limit):
    """The tree of what type t must run, within `limit`."""
    found = {}
    for c, times in enumerate(tree.classes):
        if state.low[c][t] > 0:
            found[times[t]] = found.get(times[t], 0) + state.low[c][t]
    return Tree([state.processors[t]], limit, [(time,) for time in found], list(found.values()))


def node_alone(tree, state, words, _vectors):
    require(not tree.releases, "one type by itself in a proof with releases")
    t, limit = words.type(len(tree.types)), words.number(least=tree.limit)
    prove_tree(alone_of(tree, state, t, limit), words, alone=True)
    return ()


NODES = {name[5:]: take for name, take in list(globals().items()) if name.startswith("node_")}


# Proofs of a task graph

class Graph:
    """The tasks of a proof, their times by type (of types with processors) and edges with costs by types."""

    def __init__(self, counts, times, edges, kinds):
        self.counts, self.times, self.edges, self.size = counts, times, edges, len(times)
        self.kinds = kinds  # the times of each task on all types, those without processors included
        self.before, self.behind = [[] for _ in times], [[] for _ in times]
        for e, (u, v, _) in enumerate(edges):
            self.behind[u].append(e)
            self.before[v].append(e)
        depth, left = [0] * self.size, [len(of) for of in self.before]
        ready = [j for j in range(self.size) if left[j] == 0]
        for u in ready:
            for e in self.behind[u]:
                v = edges[e][1]
                depth[v], left[v] = max(depth[v], depth[u] + 1), left[v] - 1
                if left[v] == 0:
                    ready.append(v)
        self.order = sorted(range(self.size), key=lambda j: (depth[j], j))
        self.costly = any(any(map(any, costs)) for _, _, costs in edges if costs)
        self.timeless = any(0 in of.values() for of in times)

    def cost(self, e, t, u):
        costs = self.edges[e][2]
        return costs[t][u] if costs else 0

    def move(self, e, t, u):
        """The least time that data take from a type to a type; none where both tasks may be on one processor."""
        return 0 if t == u else self.cost(e, t, u)

    def part(self, tasks):
        """The graph of some tasks, which count from 0 in this order, as its edges do by their first tasks."""
        index = {j: i for i, j in enumerate(tasks)}
        edges = [(index[u], index[v], costs) for u, v, costs in self.edges if u in index and v in index]
        edges.sort(key=lambda edge: edge[0])
        return Graph(self.counts, [self.times[j] for j in tasks], edges, [self.kinds[j] for j in tasks])

    def reach(self, j, forward):
        """The tasks behind (or before) a task."""
        found, left = set(), [j]
        while left:
            for e in (self.behind if forward else self.before)[left.pop()]:
                other = self.edges[e][1 if forward else 0]
                if other not in found:
                    found.add(other)
                    left.append(other)
        return found


class Windows:
    """What is known of each task, for every schedule of at most `limit` ticks."""

    def __init__(self, graph, limit, starts=None, tails=None):
        self.graph, self.limit, self.refuted = graph, limit, False
        size = graph.size
        self.start, self.end = list(starts or [0] * size), [0] * size
        self.rest, self.tail = [0] * size, list(tails or [0] * size)
        self.types = [tuple(of) for of in graph.times]
        self.released = starts   # of a part: the starts that it begins with
        self.part = starts is not None or tails is not None
        self.twin_before, self.twin_behind = {}, {}
        for j in range(size):
            self.conclude(j)

    def copy(self):
        made = Windows.__new__(Windows)
        made.__dict__.update(self.__dict__)
        for name in ("start", "end", "rest", "tail", "types"):
            setattr(made, name, list(getattr(self, name)))
        return made

    def conclude(self, j):
        """The conclusions for one task, until there are no more."""
        times, limit, types = self.graph.times[j], self.limit, self.types[j]
        start, end, rest, tail = self.start[j], self.end[j], self.rest[j], self.tail[j]
        while True:
            left = tuple(t for t in types if max(start, end - times[t]) + max(rest, tail + times[t]) <= limit)
            if not left:
                self.refuted = True
                return
            p, q = min(times[t] for t in left), max(times[t] for t in left)
            after = (max(start, end - q), max(end, start + p), max(rest, tail + p), max(tail, rest - q))
            if after == (start, end, rest, tail) and left == types:
                break
            types, (start, end, rest, tail) = left, after
        self.types[j], self.start[j], self.end[j], self.rest[j], self.tail[j] = types, start, end, rest, tail

    def raise_to(self, what, j, value):
        """Raises `start`, `end`, `rest` or `tail` of a task."""
        values = getattr(self, what)
        if not self.refuted and value > values[j]:
            values[j] = value
            self.conclude(j)

    def keep_types(self, j, types):
        if not self.refuted and set(types) < set(self.types[j]):
            self.types[j] = tuple(types)
            if not types:
                self.refuted = True
            else:
                self.conclude(j)

    def time(self, j, t):
        return self.graph.times[j][t]

    def shortest(self, j):
        return min(self.graph.times[j][t] for t in self.types[j])

    def earliest(self, j, t):
        """The earliest start of a task on a type; the latest one is `limit` - behind()."""
        return max(self.start[j], self.end[j] - self.time(j, t))

    def behind(self, j, t):
        return max(self.rest[j], self.tail[j] + self.time(j, t))

    def arrival(self, e):
        """When the data of an edge may arrive first: the least over the types of both tasks."""
        i, j, _ = self.graph.edges[e]
        return min(self.earliest(i, t) + self.time(i, t) + self.graph.move(e, t, u)
                   for t in self.types[i] for u in self.types[j])

    def departure(self, e):
        """The same backward in time: how long before the end data must leave."""
        i, j, _ = self.graph.edges[e]
        return min(self.behind(j, u) + self.graph.move(e, t, u) for t in self.types[i] for u in self.types[j])

    def overlap(self, j, t, a, b):
        """How much of a task on a type is within [a, limit - b] at least."""
        d = self.time(j, t)
        return max(0, min(d, self.limit - a - b, self.earliest(j, t) + d - a, self.behind(j, t) - b))

    def distances(self, j, forward):
        """The longest path between a task and each one behind (before) it, by the shortest times of those between."""
        graph, found = self.graph, {j: 0}
        for i in graph.order if forward else reversed(graph.order):
            if i in found:
                length = found[i] + (self.shortest(i) if i != j else 0)
                for e in (graph.behind if forward else graph.before)[i]:
                    other = graph.edges[e][1 if forward else 0]
                    found[other] = max(found.get(other, 0), length)
        del found[j]
        return found


class Prover:
    """Reads the lines of a proof of a task graph, and draws what each of them concludes."""

    def __init__(self, counts, words):
        self.counts, self.words, self.types = counts, words, range(len(counts))

    def task(self, state, beyond=0):
        return self.words.number(state.graph.size - 1 + beyond)

    def type(self):
        """A type by its number, whatever they are called."""
        return self.words.number(len(self.types) - 1)

    def prices(self, state):
        """Prices of the types, which add up, times the processors, to something above 0 and below 2^60."""
        prices = self.words.numbers(len(self.types))
        require(state.refuted or 0 < self.supply(prices) < 1 << 60, "prices: expected a sum above 0 and below 2^60")
        return prices

    def interval(self, state):
        """An interval from `a` to `b` before the end."""
        a, b = self.words.number(), self.words.number()
        require(state.refuted or a + b <= state.limit, "an interval that is not within the limit")
        return a, b

    def supply(self, prices):
        return sum(w * m for w, m in zip(prices, self.counts))

    def run(self, graph, limit):
        """Lines up to the `end` that closes the proof, which has refuted `limit` by then."""
        words, state = self.words, Windows(graph, limit)
        stack = []
        while True:
            word = words.next_line()
            try:
                if word == "suppose":
                    said, j, value = self.supposition(state)
                    stack.append((state, (NEGATION[said], j, value)))
                    state = state.copy()
                    suppose(state, said, j, value)
                elif word in ("before", "behind"):
                    require(not state.part, "a part within a part")
                    part, conclusion = self.part(state, word)
                    stack.append((state, conclusion))
                    state = part
                elif word == "end":
                    require(state.refuted, "not refuted")
                    if not stack:
                        return
                    state, conclusion = stack.pop()
                    suppose(state, *conclusion)
                else:
                    require(word in LINES, f"'{word}': expected a line")
                    require(word != "twins" or not stack, "within a supposition or a part")
                    LINES[word](self, state)
                require(not words.words, "more words than expected")
            except Refused as error:
                raise Refused(f"{words.where()}: {word}: {error}") from None

    def supposition(self, state):
        word = self.words.word()
        require(word in NEGATION, f"'{word}': expected a supposition")
        j = self.task(state)
        return word, j, self.words.type(len(self.types)) if word in ("on", "off") else self.words.number()

    def part(self, state, word):
        """`before` and `behind`: some ancestors (descendants) as a problem of their own."""
        j, y = self.task(state), self.words.number(MOST - 1)
        n = self.words.number(least=1)
        numbers = self.words.numbers(2 * n)
        tasks, values = numbers[0::2], numbers[1::2]
        require(all(i < state.graph.size for i in tasks), "no such task")
        require(all(a < b for a, b in zip(tasks, tasks[1:])), "expected rising tasks")
        forward = word == "behind"
        require(set(tasks) <= state.graph.reach(j, forward), "a task that is not on that side")
        known = state.tail if forward else state.start
        require(state.refuted or all(known[i] >= value for i, value in zip(tasks, values)), "more than is known")
        graph = state.graph.part(tasks)
        part = Windows(graph, y, None if forward else values, values if forward else None)
        return part, ("tail-after" if forward else "start-after", j, y)

    # Lines

    def line_heads(self, state):
        for j in [self.task(state) for _ in range(self.words.number())]:
            self.head(state, j)

    def line_tails(self, state):
        for j in [self.task(state) for _ in range(self.words.number())]:
            self.tail(state, j)

    def head(self, state, j):
        if state.refuted:
            return
        at = max((state.arrival(e) for e in state.graph.before[j]), default=0)
        if j in state.twin_before:
            at = max(at, state.start[state.twin_before[j]])
        state.raise_to("start", j, at)

    def tail(self, state, j):
        if state.refuted:
            return
        state.raise_to("tail", j, max((state.departure(e) for e in state.graph.behind[j]), default=0))
        if j in state.twin_behind:
            state.raise_to("rest", j, state.rest[state.twin_behind[j]])

    def line_path(self, state):
        for j in state.graph.order:
            self.head(state, j)
        for j in reversed(state.graph.order):
            self.tail(state, j)

    def line_ancestors(self, state, forward=False):
        j, (a, b), prices = self.task(state), self.interval(state), self.prices(state)
        if state.refuted:
            return
        known = state.tail if forward else state.start
        tasks = [i for i, length in state.distances(j, forward).items() if known[i] >= a and length >= b]
        if tasks:
            work = sum(min(prices[t] * state.time(i, t) for t in state.types[i]) for i in tasks)
            state.raise_to("tail" if forward else "start", j, a + b + -(-work // self.supply(prices)))

    def line_descendants(self, state):
        self.line_ancestors(state, True)

    def line_energy(self, state):
        (a, b), prices = self.interval(state), self.prices(state)
        if state.refuted:
            return
        room = state.limit - a - b
        work = sum(min(prices[t] * state.overlap(j, t, a, b) for t in state.types[j]) for j in range(state.graph.size))
        require(work > room * self.supply(prices), "the work fits")
        state.refuted = True

    def line_gather(self, state, forward=False):
        """Data that take time: what j waits for must have run on its processor, one after another."""
        j, y = self.task(state), self.words.number()
        if state.refuted:
            return
        require(state.graph.costly, "no edge has a cost")
        for t in state.types[j]:
            latest = state.limit - (state.behind(j, t) if not forward else state.earliest(j, t) + state.time(j, t))
            require(gathered_contradict(state, j, t, min(y, latest), forward), "the data may be there in time")
        state.raise_to("tail" if forward else "start", j, y + 1)

    def line_scatter(self, state):
        self.line_gather(state, True)

    def line_twins(self, state):
        tasks = [self.task(state) for _ in range(self.words.number())]
        require(all(a < b for a, b in zip(tasks, tasks[1:])), "expected rising tasks")
        graph = state.graph

        def alike(j):
            return (graph.kinds[j], {graph.edges[e][0]: self.costs(graph, e) for e in graph.before[j]},
                    {graph.edges[e][1]: self.costs(graph, e) for e in graph.behind[j]})

        for i, j in zip(tasks, tasks[1:]):
            require(alike(i) == alike(j), "tasks that are not alike")
            state.twin_before[j], state.twin_behind[i] = i, j

    def costs(self, graph, e):
        return [[graph.cost(e, t, u) for u in self.types] for t in self.types]

    def line_shift(self, state):
        """A task that does not start at 0 starts when something ends or arrives."""
        for j in [self.task(state) for _ in range(self.words.number())]:
            if state.refuted or state.start[j] == 0 or (state.part and state.graph.timeless) or \
                    (state.released and state.start[j] == state.released[j]):
                continue
            at = next_time(state.start[j], self.reasons(state, j))
            if at is not None and state.graph.timeless:
                at = next_time(at, self.long_reasons(state, j))
            state.raise_to("start", j, state.limit + 1 if at is None else at)

    def reasons(self, state, j):
        """When a task that shares a type with j or is before it may end, or data for j may arrive."""
        graph = state.graph
        for i in range(graph.size):
            if i != j and set(state.types[i]) & set(state.types[j]):
                yield ending(state, i)
        for e in graph.before[j]:
            yield ending(state, graph.edges[e][0])
            yield from arriving(state, e)

    def long_reasons(self, state, j):
        """When any task that may take time may end, or data that take time may arrive on an edge not from j."""
        graph = state.graph
        for i in range(graph.size):
            if i != j and any(state.time(i, t) > 0 for t in state.types[i]):
                yield ending(state, i)
        for e, (u, _, _) in enumerate(graph.edges):
            if u != j:
                yield from arriving(state, e)

    # Multipliers

    def line_lp(self, state):
        """Multipliers of edges, starts, tails and intervals, then of rows."""
        words, size = self.words, state.graph.size
        into, out, cost = [0] * size, [0] * size, [{} for _ in range(size)]
        left = right = 0
        for _ in range(words.number()):
            e, f = words.number(len(state.graph.edges) - 1), words.number()
            u, v, _ = state.graph.edges[e]
            out[u], into[v] = out[u] + f, into[v] + f
        for _ in range(words.number()):
            j, alpha = self.task(state), words.number()
            into[j], left = into[j] + alpha, left + alpha * state.start[j]
        for _ in range(words.number()):
            j, beta = self.task(state), words.number()
            out[j], left, right = out[j] + beta, left + beta * state.tail[j], right + beta
        intervals = []
        for _ in range(words.number()):
            (a, b), prices = self.interval(state), words.numbers(len(self.types))
            intervals.append((a, b, prices))
            left, right = left + (a + b) * self.supply(prices), right + self.supply(prices)
        if words.optional("mix"):
            for u, v, h, adds, g in self.rows(state):
                left += g * h
                if u < size:
                    out[u] += g
                if v < size:
                    into[v] += g
                else:
                    right += g
                for j, t, c in adds:
                    for other in state.types[j]:
                        if state.time(j, other) >= state.time(j, t):
                            cost[j][other] = cost[j].get(other, 0) + g * c
        if words.optional("cross"):
            for e, t, k, g in self.crossings(state):
                u, v, _ = state.graph.edges[e]
                out[u], into[v] = out[u] + g, into[v] + g
                cost[u][t], cost[v][t] = cost[u].get(t, 0) + g * k, cost[v].get(t, 0) - g * k
        if state.refuted:
            return
        require(into == out, "what flows in is not what flows out")
        for j in range(size):
            left += min(into[j] * state.time(j, t) + cost[j].get(t, 0) +
                        sum(prices[t] * state.overlap(j, t, a, b) for a, b, prices in intervals)
                        for t in state.types[j])
        require(left > state.limit * right, "the multipliers refute nothing")
        state.refuted = True

    def rows(self, state):
        """Rows between two tasks, each of which must hold: (u, v, h, [(j, t, c), ...], g)."""
        words, found = self.words, []
        for _ in range(words.number()):
            u, v, g, h = self.task(state, 1), self.task(state, 1), words.number(), words.number()
            adds = [(self.task(state), self.type(), words.number()) for _ in range(words.number())]
            if not state.refuted:
                require(u != v, "a row from a task to itself")
                require(all(t in state.graph.times[j] for j, t, _ in adds), "a type on which the task may not run")
                require_row(state, u, v, h, adds)
                found.append((u, v, h, adds, g))
        return found

    def crossings(self, state):
        words, found = self.words, []
        for _ in range(words.number()):
            e, t, k, g = words.number(len(state.graph.edges) - 1), self.type(), words.number(), words.number()
            v = state.graph.edges[e][1]
            if not state.refuted:
                require(state.graph.costly and all(state.graph.cost(e, t, u) >= k for u in state.types[v] if u != t),
                        "data that take less")
                found.append((e, t, k, g))
        return found

    def line_timed(self, state):
        """Prices of processors and edges that change over time."""
        words = self.words
        width, unit = words.number(least=1), words.number()
        prices, edges, rows = [{} for _ in self.types], {}, []
        for _ in range(words.number()):
            t, k, u = self.type(), words.number(), words.number()
            require(k not in prices[t], "a cell stands twice")
            prices[t][k] = u
        for _ in range(words.number()):
            e, n = words.number(len(state.graph.edges) - 1), words.number()
            require(e not in edges, "an edge stands twice")
            edges[e] = {}
            for _ in range(n):
                k, v = words.number(), words.number()
                require(k not in edges[e], "a cell stands twice")
                edges[e][k] = v * unit
        if words.optional("mix"):
            rows = self.rows(state)
        if not state.refuted:
            cells = -(-state.limit // width)
            require(all(k < cells for of in prices + list(edges.values()) for k in of), "a cell beyond the end")
            Timed(self, state, width, prices, edges, rows).conclude()

    def line_learn(self, state):
        """What a search learned: facts and nogoods up to an `end`, by which the state is refuted."""
        Learned(self, state).run()

    def line_ideals(self, state):
        """A dynamic program over ideals, with at most so many states of a number of tasks, which finds no schedule."""
        most, prices = self.words.number(), self.words.numbers(len(self.types))
        if state.refuted:
            return
        require(not state.part, "ideals of a part")
        require(state.graph.size <= 256, "more than 256 tasks")
        require(self.supply(prices) < 1 << 60, "prices: expected a sum below 2^60")
        Ideals(state, self.counts, prices).refute(most)
        state.refuted = True

    def line_chains(self, state):
        """Windows between the tasks of a path, and a tree of cases up to an `end`, by which the state is refuted."""
        Chains(self, state).run()


LINES = {name[5:]: take for name, take in vars(Prover).items() if name.startswith("line_")}


NEGATION = {"on": "off", "off": "on", "start-by": "start-after", "start-after": "start-by", "end-by": "end-after",
            "end-after": "end-by"}


def suppose(state, word, j, value):
    """What a supposition, or a conclusion, says of the window of a task."""
    if word == "on":
        state.keep_types(j, [t for t in state.types[j] if t == value])
    elif word == "off":
        state.keep_types(j, [t for t in state.types[j] if t != value])
    elif word == "start-by":
        state.raise_to("rest", j, state.limit - value)
    elif word == "start-after":
        state.raise_to("start", j, value + 1)
    elif word == "end-by":
        state.raise_to("tail", j, state.limit - value)
    elif word == "end-after":
        state.raise_to("end", j, value + 1)
    elif word == "tail-after":
        state.raise_to("tail", j, value + 1)


class Ideals:
    """Tasks are appended in the order of their starts. A state is the set of those that were, as bits, with times: until
    when each processor is not idle; then, of each task that waits (a predecessor was appended) and of each place where
    data may be read, when those that are known of are there."""

    def __init__(self, state, counts, prices):
        self.graph = graph = state.graph
        self.never, self.prices = state.limit + 1, prices
        self.slots, self.first = [], []   # the type of each processor, and the first one of each type
        for t, count in enumerate(counts):
            self.first.append(len(self.slots))
            self.slots += [t] * min(count, graph.size)
        require(len(self.slots) <= 64, "more than 64 processors")
        self.first.append(len(self.slots))
        several = [self.first[t + 1] - self.first[t] > 1 for t in range(len(counts))]
        self.placed = [more and any(graph.cost(e, t, t) for e in range(len(graph.edges))) for t, more in enumerate(several)]
        self.columns, self.column = [None], [0] * len(self.slots)
        if graph.costly:
            self.columns = []
            for slot, t in enumerate(self.slots):
                if slot == self.first[t] or self.placed[t]:
                    self.columns.append(t)
                self.column[slot] = len(self.columns) - 1
        self.enters = [sum(1 << graph.edges[e][0] for e in of) for of in graph.before]
        self.needs = [of | (1 << state.twin_before[j] if j in state.twin_before else 0)
                      for j, of in enumerate(self.enters)]
        self.tail, self.sent, self.behind = [{} for _ in graph.times], [{} for _ in graph.times], [self.never] * graph.size
        for j in reversed(graph.order):
            for t in graph.times[j]:
                self.measure(j, t)
        self.urgent = sorted(range(graph.size), key=lambda j: -self.behind[j])
        self.work = [min(prices[t] * time for t, time in of.items()) for of in graph.times]

    def measure(self, j, t):
        """What is left from the start of a task on a type, and how long its data may take."""
        behind = sent = 0
        for e in self.graph.behind[j]:
            v = self.graph.edges[e][1]
            for u in self.graph.times[v]:
                if u != t or self.placed[u]:
                    sent = max(sent, self.graph.cost(e, t, u))
            behind = max(behind, min(self.graph.move(e, t, u) + self.tail[v][u] for u in self.graph.times[v]))
        self.tail[j][t] = min(self.graph.times[j][t] + behind, self.never)
        self.sent[j][t] = sent
        self.behind[j] = min(behind, self.behind[j])

    def refute(self, most):
        level = {0: [(0,) * len(self.slots)]}
        for _ in range(self.graph.size):
            found = {}
            for done, states in level.items():
                wait = self.waiting(done)
                for times in states:
                    for j, slot, start in self.steps(done, wait, times):
                        made = self.append(done, wait, times, j, slot, start)
                        if made is not None:
                            keep(found.setdefault(done | 1 << j, []), made)
            level = found
            require(sum(map(len, level.values())) <= most, "more states than it says")
        require(not level, "a state of all tasks is left")

    def waiting(self, done):
        wait = [j for j in range(self.graph.size) if self.enters[j] & done and not done >> j & 1]
        return {j: len(self.slots) + i * len(self.columns) for i, j in enumerate(wait)}

    def start(self, wait, times, j, slot):
        return max(times[slot], times[wait[j] + self.column[slot]] if j in wait else 0)

    def look(self, wait, times, slot):
        """All that matters of a processor."""
        return (times[slot],) + tuple(times[at + self.column[slot]] for at in wait.values())

    def steps(self, done, wait, times):
        """How a task may come next: none if another one could be done, and its data sent, before it starts."""
        found, least = [], None
        for j, of in enumerate(self.graph.times):
            if done >> j & 1 or self.needs[j] & ~done:
                continue
            for t, time in of.items():
                for slot in range(self.first[t], self.first[t + 1] if self.placed[t] else self.first[t] + 1):
                    if slot > self.first[t] and self.look(wait, times, slot - 1) == self.look(wait, times, slot):
                        continue
                    at = self.start(wait, times, j, slot)
                    found.append((j, slot, at))
                    if time > 0:
                        end = min(at + time + self.sent[j][t], self.never)
                        least = end if least is None else min(least, end)
        return [step for step in found if least is None or step[2] < least]

    def append(self, done, wait, times, j, slot, start):
        """The times with a task more; none if the rest does not end within the limit."""
        graph, own, slots = self.graph, self.slots[slot], len(self.slots)
        if start + self.tail[j][own] >= self.never:
            return None
        end = start + graph.times[j][own]
        idle = [end if i == slot else max(times[i], start) for i in range(slots)]
        now = self.waiting(done | 1 << j)
        arrival = {graph.edges[e][1]: e for e in graph.behind[j]}
        data = []
        for i in now:
            row = list(times[wait[i]:wait[i] + len(self.columns)]) if i in wait else [0] * len(self.columns)
            for c, t in enumerate(self.columns):
                if i in arrival:
                    here = t is None or (t == own and (not self.placed[t] or c == self.column[slot]))
                    row[c] = max(row[c], min(self.never, end + (0 if here else graph.cost(arrival[i], own, t))))
                first = min(at for at, column in zip(idle, self.column) if column == c)
                row[c] = max(row[c], first) if t is None or t in graph.times[i] else 0
            data.append(row)
        for t, first in enumerate(self.first[:-1]):
            order = sorted(range(first, self.first[t + 1]),
                           key=lambda s: (idle[s], [row[self.column[s]] for row in data] if self.placed[t] else ()))
            idle[first:self.first[t + 1]] = [idle[s] for s in order]
            if self.placed[t]:
                for row in data:
                    row[self.column[first]:self.column[first] + len(order)] = [row[self.column[s]] for s in order]
        made = tuple(idle) + tuple(time for row in data for time in row)
        return made if self.may_end(done | 1 << j, now, made) else None

    def may_end(self, done, wait, times):
        """Whether each task's path ends within the limit, and the work of those with as much behind them, or more."""
        work = 0
        for i, j in enumerate(self.urgent):
            if done >> j & 1:
                continue
            if all(self.start(wait, times, j, slot) + self.tail[j][t] >= self.never for t in self.graph.times[j]
                   for slot in range(self.first[t], self.first[t + 1] if self.placed[t] else self.first[t] + 1)):
                return False
            work += self.work[j]
            if i + 1 == len(self.urgent) or self.behind[self.urgent[i + 1]] < self.behind[j]:
                end = self.never - 1 - self.behind[j]
                if work > sum(self.prices[t] * max(0, end - at) for t, at in zip(self.slots, times)):
                    return False
        return True


def keep(states, made):
    """Adds a state that none is no later than in all its times; those go that it is no later than."""
    if not any(all(a <= b for a, b in zip(other, made)) for other in states):
        states[:] = [other for other in states if not all(a <= b for a, b in zip(made, other))]
        states.append(made)


class Chains:
    """Rows between points of a path, sets whose tasks are counted, and cases that multipliers refute."""

    def __init__(self, prover, state):
        self.prover, self.words, self.state, self.graph = prover, prover.words, state, state.graph
        self.rows, self.sets, self.cases, self.done = [], [], [], False

    def run(self):
        words = self.words
        self.type = self.prover.type()
        self.path = [self.prover.task(self.state) for _ in range(words.number())]
        require(not words.words, f"{words.where()}: more words than expected")
        self.last = 2 * len(self.path) + 1
        self.find_points()
        lines = {"work": self.work, "path": self.path_row, "set": self.set, "on": self.on, "count": self.count,
                 "price": self.price}
        while True:
            word = words.next_line()
            if word == "end":
                break
            require(word in lines, f"{words.where()}: '{word}': expected a line of chains")
            require(not self.done, f"{words.where()}: the tree is complete")
            lines[word]()
            require(not words.words, f"{words.where()}: more words than expected")
        require(self.done, f"{words.where()}: the tree is not complete")
        self.state.refuted = True

    def find_points(self):
        """Which tasks start at a point or later, and which end by it."""
        everything = set(range(self.graph.size))
        self.after, self.by = {0: everything}, {self.last: everything}
        require(len(set(self.path)) == len(self.path), "a path: expected each task once")
        for k, j in enumerate(self.path):
            behind, before = self.graph.reach(j, True), self.graph.reach(j, False)
            require(k == 0 or self.path[k - 1] in before, "expected the tasks of a path in its order")
            self.after[2 * k + 1], self.after[2 * k + 2] = behind | {j}, behind
            self.by[2 * k + 1], self.by[2 * k + 2] = before, before | {j}
        # Nothing starts after the end, and nothing ends by the beginning.
        self.after[self.last] = self.by[0] = set()

    def points(self):
        a, b = self.words.number(self.last), self.words.number(self.last)
        require(a < b, "expected a point before another one")
        return a, b

    def work(self):
        a, b = self.points()
        prices = self.words.numbers(len(self.prover.types))
        supply = self.prover.supply(prices)
        require(supply < 1 << 60, "prices of 2^60 or more")
        self.rows.append((a, b, supply, prices, self.after[a] & self.by[b]))

    def path_row(self):
        a, b = self.points()
        tasks = [self.prover.task(self.state) for _ in range(self.words.number())]
        heads = [{self.graph.edges[e][1] for e in self.graph.behind[j]} for j in tasks]
        require(tasks and tasks[0] in self.after[a] and tasks[-1] in self.by[b] and
                all(j in of for j, of in zip(tasks[1:], heads)), "expected a path between the points")
        self.rows.append((a, b, 1, [1] * len(self.prover.types), tasks))

    def set(self):
        self.sets.append([self.prover.task(self.state) for _ in range(self.words.number())])

    def on(self):
        self.cases.append(["on", self.prover.task(self.state), None, False])

    def count(self):
        require(self.sets, "no set")
        self.cases.append(["count", self.words.number(len(self.sets) - 1), self.words.number((1 << 60) - 1), False])

    def left(self, j):
        """The types of a task in the innermost case."""
        types = set(self.state.types[j])
        for word, what, _, second in self.cases:
            if word == "on" and what == j:
                types = types & {self.type} if second else types - {self.type}
        return types

    def price(self):
        total, allowed = 0, 0
        passes, cost = [0] * (self.last + 1), [{} for _ in range(self.graph.size)]
        for _ in range(self.words.number()):
            require(self.rows, "no row")
            r, y = self.words.number(len(self.rows) - 1), self.words.number()
            a, b, supply, prices, tasks = self.rows[r]
            total += y * max(supply, 1)
            passes[b], passes[a] = passes[b] + y * supply, passes[a] - y * supply
            for j in tasks:
                for t in self.state.types[j]:
                    cost[j][t] = cost[j].get(t, 0) + y * prices[t] * self.state.time(j, t)
        for word, what, most, second in self.cases:
            if word == "count":
                h = self.words.number()
                total += h
                allowed += -h * (most + 1) if second else h * most
                for j in self.sets[what]:
                    cost[j][self.type] = cost[j].get(self.type, 0) + (-h if second else h)
        require(total < 1 << 60, "multipliers of 2^60 or more in sum")
        allowed += sum(f * self.time(p, f > 0) for p, f in enumerate(passes))
        self.compare(cost, allowed)
        while self.cases and self.cases[-1][3]:
            self.cases.pop()
        if self.cases:
            self.cases[-1][3] = True
        self.done = not self.cases

    def time(self, p, latest):
        """The latest, or the earliest, time of a point."""
        state, j = self.state, self.path[(p - 1) // 2] if 0 < p < self.last else None
        if j is None:
            return 0 if p == 0 else state.limit
        if p % 2 == 1:
            return state.limit - state.rest[j] if latest else state.start[j]
        return state.limit - state.tail[j] if latest else state.end[j]

    def compare(self, cost, allowed):
        if self.state.refuted:
            return
        narrowed = {what for word, what, _, _ in self.cases if word == "on"}
        demanded = 0
        for j, of in enumerate(cost):
            types = self.left(j) if j in narrowed else self.state.types[j]
            if not types:
                return
            demanded += min(of.get(t, 0) for t in types)
        require(demanded > allowed, "the multipliers refute nothing")


OPPOSITE = {"order": "not-order", "not-order": "order", "at": "not-at", "not-at": "at", "same": "not-same",
            "not-same": "same", **NEGATION}


class Learned:
    """Facts beside windows, and nogoods: each follows where the opposite contradicts a rule."""

    def __init__(self, prover, state):
        self.words, self.graph, self.outer, self.state = prover.words, state.graph, state, state
        self.counts = [min(m, state.graph.size) for m in prover.counts]
        self.facts, self.nogoods, self.rank = {}, [], list(range(state.graph.size))

    def run(self):
        words, size = self.words, self.graph.size
        count = words.number()
        require(count in (0, size), "expected the order of all tasks or none")
        order = [self.task() for _ in range(count)]
        require(len(set(order)) == count, "expected each task once")
        for i, j in enumerate(order):
            self.rank[j] = i
        while True:
            word = words.next_line()
            require(word in ("fact", "nogood", "end"), f"'{word}': expected fact, nogood or end")
            if word == "end":
                break
            if word == "fact":
                self.step()
            else:
                self.nogood()
            require(not words.words, f"{words.where()}: more words than expected")
        require(self.state.refuted, f"{words.where()}: not refuted")
        self.outer.__dict__.update(self.state.__dict__)

    # Words

    def task(self):
        return self.words.number(self.graph.size - 1)

    def edge(self):
        return self.words.number(len(self.graph.edges) - 1)

    def type(self):
        return self.words.number(len(self.counts) - 1)

    def processor(self):
        t = self.type()
        return t, self.words.number(self.counts[t] - 1)

    def literal(self):
        word = self.words.word()
        require(word in OPPOSITE, f"'{word}': expected a literal")
        if word in ("order", "not-order"):
            i, j = self.task(), self.task()
            require(i != j, "the order of a task and itself")
            return word, (i, j)
        if word in ("at", "not-at"):
            return word, (self.task(), *self.processor())
        if word in ("same", "not-same"):
            return word, (self.edge(),)
        return word, (self.task(), self.type() if word in ("on", "off") else self.words.number())

    def rule(self):
        """A rule with its arguments, as a function that says whether the state contradicts it."""
        words, word = self.words, self.words.word()
        if word in ("task", "twin"):
            arguments = (self.task(),)
        elif word in ("edge", "same"):
            arguments = (self.edge(),)
        elif word == "order":
            arguments = (self.task(), self.task())
        elif word == "forbidden":
            arguments = (self.type(), [self.task() for _ in range(words.number())])
        elif word == "share":
            arguments = (self.task(), self.task(), *self.processor())
        elif word == "number":
            arguments = (self.task(), *self.processor())
        elif word == "overload":
            arguments = (words.number(), words.number(), words.numbers(len(self.counts)))
        elif word == "load":
            arguments = (words.number(), words.number(), *self.processor())
        else:
            require(word == "nogood", f"'{word}': expected a rule")
            arguments = (words.number(len(self.nogoods) - 1),)
        return lambda: self.state.refuted or getattr(self, "contradicts_" + word)(*arguments)

    # Lines

    def take(self, literal):
        word, what = literal
        if word in NEGATION:
            suppose(self.state, word, *what)
            return
        key, holds = (OPPOSITE[word], what) if word.startswith("not-") else (word, what), not word.startswith("not-")
        if self.facts.setdefault(key, holds) != holds:
            self.state.refuted = True

    def supposing(self, literals):
        """Supposes literals; returns what there was before."""
        before = self.state, self.facts
        self.state, self.facts = self.state.copy(), dict(self.facts)
        for word, what in literals:
            self.take((word, what))
        return before

    def step(self):
        contradicts, literal = self.rule(), self.literal()
        if self.state.refuted:
            return
        before = self.supposing([(OPPOSITE[literal[0]], literal[1])])
        require(contradicts(), f"{self.words.where()}: a step that does not follow")
        self.state, self.facts = before
        self.take(literal)

    def nogood(self):
        literals = [self.literal() for _ in range(self.words.number())]
        before = self.supposing((OPPOSITE[word], what) for word, what in literals)
        for _ in range(self.words.number()):
            self.step()
        require(self.rule()(), f"{self.words.where()}: a nogood that does not follow")
        self.state, self.facts = before
        self.nogoods.append(literals)
        if len(literals) == 1:
            self.take(literals[0])
        elif not literals:
            self.state.refuted = True

    # Rules

    def fact(self, *key):
        return self.facts.get((key[0], key[1:]))

    def last_start(self, j, t):
        return self.state.limit - self.state.behind(j, t)

    def first_end(self, j, t):
        return self.state.earliest(j, t) + self.state.time(j, t)

    def work(self, j, t, a, b):
        return max(0, min(self.state.time(j, t), b - a, self.first_end(j, t) - a, b - self.last_start(j, t)))

    def contradicts_task(self, j):
        """Two processors, one of a type that it is not on, or none of its only type."""
        types = self.state.types[j]
        places = [t for t, count in enumerate(self.counts) for q in range(count) if self.fact("at", j, t, q)]
        none = len(types) == 1 and all(self.fact("at", j, types[0], q) is False for q in range(self.counts[types[0]]))
        return len(places) > 1 or any(t not in types for t in places) or none

    def contradicts_twin(self, j):
        state = self.state
        return j in state.twin_before and state.start[state.twin_before[j]] > state.limit - state.rest[j]

    def contradicts_edge(self, e):
        i, j, _ = self.graph.edges[e]
        apart = self.fact("same", e) is False

        def data(t, u):
            return self.graph.cost(e, t, u) if t != u or (apart and self.counts[t] > 1) else 0
        return all(self.first_end(i, t) + data(t, u) > self.last_start(j, u)
                   for t in self.state.types[i] for u in self.state.types[j])

    def contradicts_order(self, i, j):
        state = self.state
        late = state.end[i] > state.limit - state.rest[j]
        both = self.fact("order", j, i) and state.shortest(i) + state.shortest(j) > 0
        return bool(self.fact("order", i, j) and (late or both))

    def overlap(self, i, j):
        return self.fact("order", i, j) is False and self.fact("order", j, i) is False

    def contradicts_forbidden(self, t, tasks):
        return (len(tasks) > self.counts[t] and all(self.state.types[j] == (t,) for j in tasks)
                and all(self.overlap(i, j) for at, j in enumerate(tasks) for i in tasks[:at]))

    def contradicts_share(self, i, j, t, q):
        return bool(self.fact("at", i, t, q) and self.fact("at", j, t, q) and self.overlap(i, j))

    def contradicts_same(self, e):
        i, j, _ = self.graph.edges[e]
        same = self.fact("same", e)
        for t, count in enumerate(self.counts):
            for q in range(count):
                both = (self.fact("at", i, t, q), self.fact("at", j, t, q))
                if (same is True and set(both) == {True, False}) or (same is False and both == (True, True)):
                    return True
        return False

    def contradicts_number(self, j, t, q):
        return bool(q > 0 and self.fact("at", j, t, q) and all(
            self.fact("at", i, t, q - 1) is False or t not in self.state.types[i]
            for i in range(self.graph.size) if self.rank[i] < self.rank[j]))

    def contradicts_overload(self, a, b, prices):
        supply = sum(w * m for w, m in zip(prices, self.counts))
        demand = sum(min(prices[t] * self.work(j, t, a, b) for t in self.state.types[j])
                     for j in range(self.graph.size))
        return a < b and 0 < supply < 1 << 60 and demand > (b - a) * supply

    def contradicts_load(self, a, b, t, q):
        tasks = [j for j in range(self.graph.size) if self.fact("at", j, t, q)]
        return a < b and (any(t not in self.state.types[j] for j in tasks)
                          or sum(self.work(j, t, a, b) for j in tasks) > b - a)

    def contradicts_nogood(self, number):
        return all(self.fails(*literal) for literal in self.nogoods[number])

    def fails(self, word, what):
        state = self.state
        if word in ("on", "off"):
            j, t = what
            return t not in state.types[j] if word == "on" else state.types[j] == (t,)
        if word in NEGATION:
            j, y = what
            return {"start-by": state.start[j] > y, "start-after": state.limit - state.rest[j] <= y,
                    "end-by": state.end[j] > y, "end-after": state.limit - state.tail[j] <= y}[word]
        return self.fact(OPPOSITE[word] if word.startswith("not-") else word, *what) is word.startswith("not-")


def gathered_contradict(state, j, t, s, forward):
    """Whether what must have run on the processor of j, if that starts by s on type t, cannot have."""
    graph, latest = state.graph, {j: s}
    work = []
    for x in graph.order if forward else reversed(graph.order):
        if x not in latest:
            continue
        if x != j:
            d = state.graph.times[x].get(t)
            if t not in state.types[x] or before_of(state, x, t, forward) > latest[x]:
                return True
            work.append((before_of(state, x, t, forward), d))
        for e in (graph.behind if forward else graph.before)[x]:
            i = graph.edges[e][1 if forward else 0]
            others = [u for u in state.types[i] if u != t or state.graph.counts[t] > 1]
            arrives = [before_of(state, i, u, forward) + state.time(i, u) +
                       (graph.cost(e, t, u) if forward else graph.cost(e, u, t)) for u in others]
            if all(at > latest[x] for at in arrives):
                by = latest[x] - state.graph.times[i].get(t, 0)
                latest[i] = min(latest.get(i, by), by)
    work.sort(reverse=True)
    total = 0
    for h, d in work:
        total += d
        if total > s - h:
            return True
    return False


def before_of(state, i, u, forward):
    """The least start of a task on a type; backward in time what is behind its end."""
    return state.behind(i, u) - state.time(i, u) if forward else state.earliest(i, u)


def next_time(at, spans):
    """The first time from `at` on that is in one of the spans."""
    return min((max(at, first) for first, last in spans if last >= at), default=None)


def ending(state, i):
    """From when to when a task may end."""
    return state.end[i], state.limit - state.tail[i]


def arriving(state, e):
    """From when to when the data of an edge may arrive that take time, for each time that they may take."""
    u, v, _ = state.graph.edges[e]
    first, last = ending(state, u)
    costs = {state.graph.cost(e, t, other) for t in state.types[u] for other in state.types[v]}
    return [(first + cost, last + cost) for cost in costs if cost > 0]


def require_row(state, u, v, h, adds):
    """A row between two tasks must hold, for any tasks that take so long."""
    size, most = state.graph.size, state.limit + 1
    after = state.distances(u, True) if u < size else {j: state.start[j] for j in range(size)}
    ahead = state.distances(v, False) if v < size else {j: state.tail[j] for j in range(size)}
    if v < size:
        require(v in after, "no path between the two tasks")
        whole_path = after[v]
    else:
        whole_path = ahead[u] if u < size else 0
    require(h <= min(most, whole_path), "a row that says more than the longest path")
    total = h
    for j, t, c in adds:
        require(j in after and j in ahead and j not in (u, v), "a task that is not between the two")
        total += c
        times = [state.time(j, other) for other in state.types[j] if state.time(j, other) >= state.time(j, t)]
        length = min(most, after[j] + min(times) + ahead[j]) if times else most
        require(total <= length, "a row that says more than the longest path through a task")


class Timed:
    """Prices over time: each task costs at least the least of its bracket over its types and starts."""

    def __init__(self, prover, state, width, prices, edges, rows):
        self.prover, self.state, self.width, self.rows = prover, state, width, rows
        self.prices = [Sums(width, of, state.limit) for of in prices]
        self.edges = {e: Sums(width, of, state.limit) for e, of in edges.items()}

    def conclude(self):
        state, limit = self.state, self.state.limit
        right = sum(m * prices.upto(limit) for m, prices in zip(self.prover.counts, self.prices))
        size = state.graph.size
        self.leaves, self.enters, self.adds = [0] * size, [0] * size, [[] for _ in range(size)]
        total = 0
        for u, v, h, adds, g in self.rows:
            total += g * h
            if u < size:
                self.leaves[u] += g
            else:
                total -= g * limit
            if v < size:
                self.enters[v] += g
            for j, t, c in adds:
                self.adds[j].append((state.time(j, t), g * c))
        options = []
        for j in range(size):
            options.append([(t, self.points(j, t)) for t in state.types[j]])
            total += min(value for _, points in options[j] for _, value in points)
        if total > right:
            state.refuted = True
            return
        for j, of in enumerate(options):
            self.narrow(j, of, min(value for _, points in of for _, value in points) + right - total)

    def narrow(self, j, options, most):
        """Keeps the types and starts that cost at most so much."""
        state, kept, first, last = self.state, [], None, None
        for t, points in options:
            good = [s for s, value in points if value <= most]
            if not good:
                continue
            kept.append(t)
            low, high = affordable(points, most), affordable(points[::-1], most)
            first = low if first is None else min(first, low)
            end = high + state.time(j, t)
            last = end if last is None else max(last, end)
        state.keep_types(j, kept)
        if kept:
            state.raise_to("start", j, first)
            state.raise_to("tail", j, state.limit - last)

    def points(self, j, t):
        """Pairs (start, cost), rising, between which the cost is linear in the start."""
        state, d = self.state, self.state.time(j, t)
        first, last = state.earliest(j, t), state.limit - state.behind(j, t)
        starts = {first, last}
        starts.update(range(-(-first // self.width) * self.width, last + 1, self.width))
        starts.update(range(-(-(first + d) // self.width) * self.width - d, last + 1, self.width))
        return [(s, self.cost(j, t, s)) for s in sorted(starts)]

    def cost(self, j, t, s):
        state, graph, e = self.state, self.state.graph, s + self.state.time(j, t)
        value = self.prices[t].upto(e) - self.prices[t].upto(s)
        value += sum(self.edges[i].after(s) for i in graph.before[j] if i in self.edges)
        value -= sum(self.edges[i].after(e) for i in graph.behind[j] if i in self.edges)
        value += self.enters[j] * (state.limit - s) - self.leaves[j] * (state.limit - e)
        return value + sum(add for least, add in self.adds[j] if e - s >= least)


def affordable(points, most):
    """The first start from the front of the points on that costs at most so much; between points cost is linear."""
    for (s, value), (before, other) in zip(points, [points[0]] + points):
        if value <= most:
            if s == before:
                return s
            # From `other` > most at `before` the cost falls to `value` at s.
            steps, gap = abs(s - before), other - value
            back = (most - value) * steps // gap
            return s - back if s > before else s + back
    return None


class Sums:
    """Prices that are constant within cells, added up over ticks."""

    def __init__(self, width, prices, limit):
        self.width, self.prices, self.limit = width, prices, limit
        self.cells = sorted(prices)
        self.sums = [0]
        for k in self.cells:
            self.sums.append(self.sums[-1] + prices[k] * width)

    def upto(self, x):
        """The sum of the prices of the ticks from 0 to x."""
        cell, part = divmod(x, self.width)
        at = bisect_left(self.cells, cell)
        return self.sums[at] + self.prices.get(cell, 0) * part

    def after(self, x):
        return self.upto(self.limit) - self.upto(x)


def prove_moved(instance, bound, words):
    """A proof about the moved instance: releases and busy times are costs of edges from a source, which takes a tick.
    A schedule of the instance that starts a tick later, behind the source, is one of it: so a bound there, less the
    tick, is one here."""
    places = []  # type and until when: its processors
    for t, (count, busy) in enumerate(zip(instance.counts, instance.busy_until)):
        until = busy + [0] * min(1, count - len(busy))
        free = count - len(busy)
        places += [(t, at, busy.count(at) + (free if at == 0 else 0)) for at in sorted(set(until))]
    require(len(places) < TYPES, "too many types", Limit)
    require(bound < MOST and instance.tasks < TASKS, "too many tasks", Limit)
    last, none = len(places), [[0] * (len(places) + 1)] * (len(places) + 1)
    times, kinds, edges, source = [], [], [], []
    for kind in instance.kinds:
        raw = [kind.raw[t] for t, _, _ in places]
        times += [{c: kind.tables[t][0] for c, (t, _, _) in enumerate(places) if kind.tables[t]}] * kind.count
        kinds += [[time if time is None else half_up(time / instance.size) for time in raw] + [None]] * kind.count
        data = none[:last] + [[max(kind.release, until) for _, until, _ in places] + [0]]
        source += [data] * kind.count
    for (u, v, _, _), costs in zip(instance.edges, instance.costs):
        edges.append((u, v, costs and [[costs[t][w] for w, _, _ in places] + [0] for t, _, _ in places] + [none[last]]))
    edges += [(instance.tasks, j, data) for j, data in enumerate(source)]
    graph = Graph([count for _, _, count in places] + [1], times + [{last: 1}], edges, kinds + [[None] * last + [1]])
    size = words.number()
    require(size == graph.size and words.number() == len(edges), f"{words.where()}: expected the numbers of tasks and "
            "edges of the instance, with a source")
    Prover(graph.counts, words).run(graph, bound)


def prove_graph(instance, bound, words):
    size = words.number()
    require(size == instance.tasks and words.number() == len(instance.edges), f"{words.where()}: expected the numbers of "
            "tasks and edges of the instance")
    require(size <= TASKS, "too many tasks", Limit)
    times, kinds = [], []
    for kind in instance.kinds:
        of = {t: table[0] for t, table in enumerate(kind.tables) if table}
        times += [of] * kind.count
        kinds += [[raw if raw is None else half_up(raw / instance.size) for raw in kind.raw]] * kind.count
    edges = [(u, v, costs) for (u, v, _, _), costs in zip(instance.edges, instance.costs)]
    Prover(instance.counts, words).run(Graph(instance.counts, times, edges, kinds), bound - 1)


# The command

def counts_of(instance, arguments, solution):
    """I1: counts of processors by -m and -k or --platform, else the instance, else the solution."""
    counts = list(instance.counts)
    for t, name in enumerate(instance.types):
        if counts[t] is None:
            counts[t] = solution.platform.get(name)
    if arguments.platform:
        require(arguments.m is None and arguments.k is None, "--platform: expected no -m and no -k beside it", Usage)
        for name, count in named_counts(arguments.platform):
            require(name in instance.types, f"--platform: no type '{name}'", Usage)
            counts[instance.types.index(name)] = count
        return counts
    given = [arguments.m] if arguments.m is not None else [None]
    if arguments.k is not None:
        require(len(instance.types) > 1, "-k: there is one type", Usage)
        given += [whole_word(word, "-k") for word in arguments.k.split(",")]
        require(len(given) <= len(instance.types), "-k: more counts than types", Usage)
        require(len(given) == len(instance.types), "-k: expected a count for each type after the first", Usage)
    for t, count in enumerate(given):
        counts[t] = counts[t] if count is None else count
    return counts


def whole_word(word, what):
    require(re.fullmatch(" *[0-9]{1,10} *", word) and int(word) < 1 << 31, f"{what}: expected a whole number", Usage)
    return int(word)


def named_counts(texts):
    found = []
    for text in texts:
        for part in split_quoted(text, ","):
            sides = split_quoted(part, "=")
            require(len(sides) == 2 and bare(sides[0]), "--platform: expected name=count", Usage)
            found.append((bare(sides[0]), whole_word(sides[1], "--platform")))
    require(len({name for name, _ in found}) == len(found), "--platform: a type is counted twice", Usage)
    return found


def take_busy(instance, texts):
    """I4: --busy gpu=3,0 in place of what the instance says of a type."""
    at = None
    for word in ",".join(texts).split(",") if texts else []:
        name, mark, time = word.rpartition("=")
        if mark:
            require(name in instance.types, f"--busy: no type '{name}'", Usage)
            at = instance.types.index(name)
            instance.busy[at] = []
        until = exact(time)
        require(at is not None and until is not None and until >= 0, f"--busy: expected times such as gpu=3,0", Usage)
        instance.busy[at].append(until)


def options_of(texts):
    """-O: how the instance is read."""
    found = {}
    for text in texts:
        key, mark, value = text.partition("=")
        require(mark and key not in found, f"-O {text}: expected key=value, each key once", Usage)
        if key in ("mixed_sets", "edges"):
            require(value in ("true", "false"), f"-O {key}: expected true or false", Usage)
        elif key in ("latency", "per-unit"):
            value = exact(value)
            require(value is not None and value >= 0, f"-O {key}: expected a number", Usage)
        else:
            raise Usage(f"-O {key}: this checker knows mixed_sets, edges, latency and per-unit")
        found[key] = value
    return found


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)


def parse_arguments(words):
    parser = Arguments(prog="duet-check", allow_abbrev=False,
                       description="Checks a schedule and what it claims, sharing no line with `duet verify`.")
    add = parser.add_argument
    add("instance", metavar="INSTANCE", help="JSON (duet-instance) or CSV; `duet convert` makes one of other formats")
    add("solution", metavar="SOLUTION", help="JSON (duet-solution) or a CSV schedule")
    add("--proof", metavar="P", help="a proof of the lower bound, from `duet solve -O proof=P`")
    add("--strict", action="store_true", help="a lower bound that is not certified is a fault")
    add("-m", metavar="M", type=lambda word: whole_word(word, "-m"), help="processors of the first type")
    add("-k", metavar="K[,L...]", help="processors of the other types")
    add("--platform", metavar="NAME=COUNT,...", action="append", help="processors by type")
    add("-O", metavar="KEY=VALUE", action="append", default=[], dest="options",
        help="how the instance is read: mixed_sets, edges, latency, per-unit")
    add("--busy", metavar="NAME=TIME,...", action="append", default=[],
        help="until when the processors of a type are busy, in the unit of the instance")
    add("--columns", metavar="NAME[=COLUMN],...", help="columns of a CSV instance")
    add("--unit", metavar="U", help="unit of the times where the instance has none")
    add("--exact-times", action="store_true", help="refuse times of more digits than fit")
    add("--digits", metavar="N", type=lambda word: whole_word(word, "--digits"),
        help="significant digits of every time that are kept")
    add("-q", "--quiet", action="store_true", help="print faults alone")
    return parser.parse_args(words)


def check_files(arguments):
    """The whole check: what is printed where all holds."""
    options = options_of(arguments.options)
    require([arguments.instance, arguments.solution, arguments.proof].count("-") <= 1, "expected at most one '-'", Usage)
    instance = read_instance(arguments.instance, arguments.columns, options)
    solution = read_solution(arguments.solution, instance)
    require(not arguments.unit or not instance.unit or arguments.unit == instance.unit, "--unit: the file has another "
            "unit", Unreadable)
    unit = instance.unit or arguments.unit or ""
    require(not solution.unit or not unit or solution.unit == unit, f"times in {solution.unit}: expected {unit}", Unreadable)
    take_busy(instance, arguments.busy)
    mixed = options.get("mixed_sets")
    if arguments.digits is not None:
        require(1 <= arguments.digits <= 18, "--digits: expected 1 to 18", Usage)
        instance.keep_digits(arguments.digits)
    instance.finish(counts_of(instance, arguments, solution), None if mixed is None else mixed == "true",
                    arguments.exact_times)
    proven = None
    if arguments.proof:
        given = instance.pins or any(instance.lost)
        rest = Rest(instance) if given else None
        proven = (check_proof(rest.instance, proof_text(arguments.proof), True) + rest.origin if given and rest.instance
                  else check_proof(instance, proof_text(arguments.proof), True))
    makespan, bound, certified = check_claims(instance, solution, arguments.strict, proven)
    return (f"schedule     ok: {instance.tasks} tasks\nmakespan     ok: {makespan} ticks of 10^-{instance.places}\n"
            f"lower bound  {'ok: ' if certified or bound == 0 else ''}{bound} ticks"
            f"{', certified' if certified else ', not certified' if bound else ', none'}\n"
            f"status       {solution.status or 'none'}")


def proof_text(path):
    try:
        return text_of(path)
    except Unreadable as error:
        if "UTF-8" not in str(error):
            raise
    with open(path, "rb") as file:  # a proof with other bytes is a wrong one, unless it does not begin as one
        return file.read().decode("latin-1")


def main(words):
    try:
        arguments = parse_arguments(words)
        said = check_files(arguments)
        if not arguments.quiet:
            print(said)
        return 0
    except (Refused, Usage, Unreadable, Limit) as error:
        print(f"duet-check: {error}", file=sys.stderr)
        return error.code
    except (MemoryError, RecursionError):
        print("duet-check: the memory is not enough", file=sys.stderr)
        return 5


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
