# SPDX-License-Identifier: Apache-2.0
"""Running an algorithm."""
from __future__ import annotations

import ctypes
import sys
import warnings
from contextlib import nullcontext
from ctypes import byref, c_void_p
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union, cast

from ._arguments import checked
from ._check import shown, text, text_or_none
from ._clock import Moment, time_in
from ._graph import Edges
from ._held import SolutionHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import FORBIDDEN, Note, Params, ProgressFunction, UsageError, call, library
from ._networkx import GraphLike, is_graph
from ._registry import algorithms
from ._replan import replan
from ._rule import RuleRow
from ._rules import AlgorithmLike, Rule, rule_of
from ._solution import Progress, Runs, Solution, schedule_of
from ._table import Counts, TableLike, is_table
from ._times import Times, ticks_until
from ._waits import Busy, Group, Release

# What solve() takes first: an instance, or what makes one.
Problem = Union[Instance, TableLike, GraphLike, Times]


def _assignment(key: Any, value: Any) -> bytes:
    """An option as the library takes it, "key=value"."""
    name = text("options: a key", key)
    if b"=" in name:
        raise UsageError(f"options: expected a name without '=', got {shown(key)}")
    try:
        given = str(value).lower() if isinstance(value, bool) else str(value)
    except Exception:  # Python writes out no integer of more than 4300 digits, for one
        raise UsageError(f"option {key}: expected a text or a number, got {shown(value)}") from None
    return name + b"=" + text(f"option {key}", given)


class Options:
    """Options as the library takes them: a context manager that gives the handle."""

    def __init__(self, values: Optional[Mapping[str, object]]):
        self._values = values or {}
        self._handle = c_void_p()

    def __enter__(self) -> c_void_p:
        if self._values:
            call("duet_options_create", byref(self._handle))
        try:
            for key, value in self._values.items():
                call("duet_options_add", self._handle, _assignment(key, value))
        except BaseException:
            self.__exit__()
            raise
        return self._handle

    def __exit__(self, *_: object) -> None:
        library.duet_options_free(self._handle)
        self._handle = c_void_p()


def _reporter(instance: Instance, progress: Callable[[Progress], Any], cancel: Cancel,
              faults: List[BaseException]) -> Any:
    """A C callback. What it raises stops the search and is raised again afterwards."""

    def report(_user: Any, given: Any) -> None:
        if faults or cancel._interrupted:
            return
        try:
            now = given.contents
            best = None if now.best == FORBIDDEN else instance._time(now.best)
            progress(Progress(now.phase.decode() if now.phase else "",
                              instance._time(now.lower_bound), best, now.seconds))
        except BaseException as fault:
            faults.append(fault)
            cancel.request()

    return ProgressFunction(report)


def named(algorithm: Optional[AlgorithmLike], information: str, instance: Instance,
          faults: List[BaseException]) -> Union[Optional[bytes], RuleRow]:
    """An algorithm as the library takes it: its name, or the row behind which a function stands."""
    if not callable(algorithm):
        return text_or_none("algorithm", algorithm)
    given = rule_of(algorithm, None, "type", information)
    if given is not algorithm and given.name in {entry.name for entry in algorithms()}:
        given = rule_of(algorithm, "python-rule", "type", information)  # a function that is called like one of these
    return RuleRow(instance, given, faults)


def solve_named(instance: Instance, algorithm: Union[Optional[bytes], RuleRow], params: Params,
           options: Optional[Mapping[str, object]], progress: Optional[Callable[[Progress], Any]],
           asked: Optional[Cancel], faults: List[BaseException]) -> Solution:
    def work(cancel: Cancel) -> Solution:
        handle = SolutionHandle()
        rule: Any = nullcontext()
        name = algorithm
        if isinstance(algorithm, RuleRow):
            rule, name, algorithm.cancel = algorithm, algorithm.name, cancel
        params.cancel = cancel._handle
        if progress is not None:
            params.progress = _reporter(instance, progress, cancel, faults)
        with instance._reading(), Options(options) as given, rule as registry:
            params.options = given
            params.registry = registry
            call("duet_solve", instance._handle, name, byref(params), byref(handle))
            return Solution._of(instance, handle)

    try:
        solution = interruptible(work, asked, keep=True)
    except Exception:
        if faults:
            raise faults[0] from None
        raise
    if faults:
        raise faults[0]
    if solution.ending == "interrupted" and (asked is None or not asked._requested):
        warn("interrupted: this is the best schedule so far")
    return solution


def warn(text: str) -> None:
    """A note to the caller of the module."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Note, stacklevel=level)


def _instance_of(cpu: Any, gpu: Optional[Times], m: Optional[int], k: Optional[Counts],
                 platform: Optional[Mapping[str, int]], time: Optional[str], cost: Optional[str],
                 **more: Any) -> Instance:
    """The problem that solve() was given as times."""
    if is_graph(cpu):
        if gpu is not None or any(more[name] is not None for name in ("counts", "ids", "edges")):
            raise UsageError("a graph has its tasks and edges: expected nothing but a platform beside it")
        return Instance.from_graph(cpu, m, time=time, cost=cost, platform=platform, unit=more["unit"],
                                   name=more["name"], release=more["release"], busy=more["busy"], group=more["group"],
                                   start=more["start"])
    if time is not None or cost is not None:
        raise UsageError("time and cost are attributes of a graph of networkx: expected one")
    for word, expected in (("release", "times"), ("group", "a name for each task")):
        if isinstance(more[word], str):
            raise UsageError(f"{word}: the name of an attribute is for a graph of networkx, expected {expected}")
    if is_table(cpu):
        if gpu is not None:
            raise UsageError("expected either a table of all times or cpu and gpu")
        return Instance.from_table(cpu, m, k, platform=platform, **more)
    if cpu is None or gpu is None:
        dimensions = getattr(cpu, "ndim", 1)
        raise UsageError(f"an array of {dimensions} dimensions: expected a row for each task" if dimensions > 2 else
                         "expected cpu, gpu, m and k, or a table of times and a platform, or an instance")
    one = k is not None and not hasattr(k, "__len__")
    if m is not None and one and platform is None:
        return Instance.from_times(cpu, gpu, m, cast(int, k), **more)
    return Instance.from_table({"cpu": cpu, "gpu": gpu}, m, k, platform=platform, **more)


@checked
def solve(cpu: Optional[Problem] = None, gpu: Optional[Times] = None, m: Optional[int] = None,
          k: Optional[Counts] = None, algorithm: Optional[AlgorithmLike] = None, *,
          information: str = "times",
          platform: Optional[Mapping[str, int]] = None,
          instance: Optional[Instance] = None, counts: Optional[Sequence[int]] = None,
          ids: Optional[Sequence[str]] = None, edges: Optional[Edges] = None,
          exact_times: bool = False, name: Optional[str] = None,
          unit: Optional[str] = None, time: Optional[str] = None,
          cost: Optional[str] = None, time_limit: float = 10.0,
          threads: int = 0, memory_limit: int = 0, seed: int = 0,
          options: Optional[Mapping[str, object]] = None, gap: Union[str, float, None] = None,
          progress: Optional[Callable[[Progress], Any]] = None,
          cancel: Optional[Cancel] = None,
          release: Optional[Release] = None, busy: Optional[Busy] = None,
          group: Optional[Group] = None,
          start_from: Union[Runs, Solution, None] = None,
          now: Union[int, float, str, Decimal, timedelta, datetime, None] = None, fix: Optional[Runs] = None,
          without: Optional[Mapping[str, Union[int, Sequence[int]]]] = None,
          deadline: Union[int, float, str, Decimal, timedelta, datetime, None] = None,
          start: Optional[Moment] = None) -> Solution:
    """Schedules tasks with times `cpu` and `gpu` on `m` CPUs and `k` GPUs; or a table of times, a
    dictionary {"cpu": ..., "gpu": ..., "npu": ...} or a data frame of pandas, on a platform such as
    {"cpu": 8, "gpu": 2, "npu": 1}; or a directed graph of networkx, whose nodes have their time as the
    attribute `time` and whose edges have what their data take as `cost` (see Instance.from_graph()); or
    an instance, first or as `instance`.

    Times are lists, NumPy arrays or columns of pandas, of whole numbers, floats, decimals or texts;
    None, NaN and infinity forbid. `edges` make a task graph: (from, to) or (from, to, cost), tasks by
    number or id, or a dictionary {(from, to): cost}. `release` is the time before which each task does
    not start, in its place or by id, and `busy`, such as {"gpu": [3, 0]}, until when processors are not
    free, both in the unit of the times; `group` is what each belongs to. Without `algorithm` the best proven schedule within `time_limit`
    seconds (0: no limit), stopping as soon as it is optimal, or within `gap` of the proven bound
    ("1%", 0.01). `options` are the algorithm's, such as
    {"table": "collapsed"}. An `algorithm` may be a rule of one's own, see rule(), or a plain function, an
    online rule: it is given each task when it is revealed, as a Revealed, and returns its type;
    `information` ("times", "bottom" or "descendants") is what it is told of the tasks behind it. On
    Ctrl-C the best schedule so far is returned, with a note (a warning); it raises KeyboardInterrupt
    where there is none yet, or when it is pressed again. `progress` is called now and then with a Progress; what it raises ends
    the search. `threads` 0: all processors; `memory_limit` in bytes, 0: half of what is free.
    `start_from` is a schedule to begin with, a Solution or what read_solution() takes: the result is never
    longer. With `now` it is a plan that is under way: what has ended by then stays as it was, what runs
    keeps its processor until its end (that of a fifth entry where a run has one), and the rest is planned
    again from then on. `fix` are entries that stay, a file or (task, type, processor, start, end), of which
    what is None is free, or dictionaries with some of these; `without`, such as {"gpu": [0, 2]}, are
    processors that take no more tasks, counted from 0. The solution's `instance` then has all that in it.
    With a `deadline` the search ends as soon as it is known whether all can end by then, which
    Solution.meets() answers. `start` is the day and the time of time 0; releases, deadlines, `busy` and `now`
    are times in the unit, lengths such as "7h", or, with it, days and times. Without it releases and a column
    of deadlines that are such are told from the earliest of them. `exact_times` refuses times that would have to be rounded; `unit` is theirs,
    such as "ms", and `name` is that of the instance, which pictures and files bear.
    """
    if isinstance(cpu, Instance) and instance is None:
        cpu, instance = None, cpu
    if instance is None:
        instance = _instance_of(cpu, gpu, m, k, platform, time, cost, counts=counts, ids=ids, edges=edges,
                                exact_times=exact_times, unit=unit, name=name, release=release, busy=busy, group=group,
                                start=start)
    elif any(given is not None for given in (cpu, gpu, counts, ids, edges, unit, name, release, busy, group, start)):
        raise UsageError("expected either times or an instance" +
                         ("" if start is None else ", whose start Instance.set_start() sets"))
    elif m is not None or k is not None or platform is not None:
        raise UsageError("an instance has its platform: give a copy(m, k) of it")
    params = Params(struct_size=ctypes.sizeof(Params), time_limit=time_limit, threads=threads,
                    memory_limit=memory_limit, seed=seed)
    if now is not None or fix is not None or without:
        instance, going_on = replan(instance, start_from, now, fix, without)
        params.start_from = None if going_on is None else going_on._handle
    elif start_from is not None:
        begun = schedule_of(start_from, instance, "start_from")
        instance = begun.instance  # that is in finer ticks where the schedule starts tasks between ticks
        params.start_from = begun._handle
    if deadline is not None:
        due = time_in(deadline, instance.unit, instance.start, "deadline")
        params.deadline = ticks_until(due, instance.decimals, "deadline")
        if params.deadline == 0:
            raise UsageError(f"deadline: expected a time of at least a tick, {instance._time(1)}, got "
                             f"{shown(deadline)}")
    if gap is not None:
        options = {**(options or {}), "gap": gap}
    faults: List[BaseException] = []
    row = named(algorithm, information, instance, faults)
    return solve_named(instance, row, params, options, progress, cancel, faults)
