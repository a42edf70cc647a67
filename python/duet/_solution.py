# SPDX-License-Identifier: Apache-2.0
"""Schedules with what is proven about them."""
from __future__ import annotations

import csv
import io
import os
import re
import tempfile
import threading
from contextlib import contextmanager
from ctypes import POINTER, byref, sizeof, c_char, c_int, c_size_t, c_void_p, cast
from decimal import Decimal
from fractions import Fraction
from typing import (TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional,
                    Sequence, Set, Tuple, Union)

from ._check import INT64_MAX, Path, path as _path, shown, whole
from ._instance import Instance
from ._library import (DuetError, GanttOptions, Placement, UsageError, call, library, string, text_of)

if TYPE_CHECKING:
    import numpy
    import pandas  # type: ignore[import]

_BOUND_CHECKS = ("none", "unproven", "certified", "table")


class Run(NamedTuple):
    """A task on a processor, in the instance's unit."""
    task: str
    type: str
    processor: int
    start: Decimal
    end: Decimal


class Progress(NamedTuple):
    """A word on a running search; `best` is None before the first schedule."""
    phase: str
    lower_bound: Decimal
    best: Optional[Decimal]
    seconds: float


class Cancel:
    """A request to stop, which any thread may make, and a signal's handler."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a handler may come in between
        self._requested = False
        self._followers: Set["Cancel"] = set()
        self._handle = library.duet_cancel_create()
        if not self._handle:
            raise MemoryError

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            library.duet_cancel_free(handle)

    def request(self) -> None:
        """Asks every solve() that was or will be given this to stop soon with the best it has."""
        with self._lock:
            self._requested = True
            library.duet_cancel_request(self._handle)
            for follower in tuple(self._followers):
                follower.request()

    @contextmanager
    def _followed(self) -> Iterator["Cancel"]:
        """One that stops with this, while a request of it leaves this alone: what solve() has for
        itself."""
        follower = Cancel()
        with self._lock:
            self._followers.add(follower)
            if self._requested:
                follower.request()
        try:
            yield follower
        finally:
            with self._lock:
                self._followers.discard(follower)
            follower.request()  # a search that an exception left behind ends


class Solution:
    """A schedule, its makespan, and a proven lower bound. Made by solve()."""

    def __init__(self, instance: Instance, handle: c_void_p):
        """Takes over a handle of the library; not for users."""
        self._instance = instance
        self._handle: Optional[c_void_p] = handle
        instance._solved = True

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            library.duet_solution_free(handle)

    def __len__(self) -> int:
        """Number of tasks."""
        return int(library.duet_solution_tasks(self._handle))

    @property
    def instance(self) -> Instance:
        """The problem that this solves."""
        return self._instance

    @property
    def makespan(self) -> Decimal:
        """Latest completion, in the instance's unit."""
        return self.instance.time(self.makespan_ticks)

    @property
    def makespan_ticks(self) -> int:
        """Latest completion, in ticks of 10^-decimals."""
        return int(library.duet_solution_makespan(self._handle))

    @property
    def lower_bound(self) -> Decimal:
        """No schedule is shorter; 0 where nothing is known."""
        return self.instance.time(self.lower_bound_ticks)

    @property
    def lower_bound_ticks(self) -> int:
        """The lower bound in ticks."""
        return int(library.duet_solution_lower_bound(self._handle))

    @property
    def gap(self) -> Optional[Fraction]:
        """(makespan - lower bound) / lower bound, exactly; None without a bound: a schedule that was
        read claims none, and bound() computes one."""
        bound = self.lower_bound_ticks
        if bound == 0:
            return Fraction(0) if self.makespan_ticks == 0 else None
        return Fraction(self.makespan_ticks - bound, bound)

    @property
    def status(self) -> str:
        """"optimal", "bounded" or "feasible"."""
        return string(library.duet_status_name(library.duet_solution_status(self._handle)))

    @property
    def algorithm(self) -> str:
        """The algorithm that was asked, "auto" where none was."""
        return string(library.duet_solution_algorithm(self._handle))

    @property
    def found_by(self) -> Optional[str]:
        """Where the algorithm ran several others: the one whose schedule this is."""
        return text_of(library.duet_solution_found_by(self._handle)) or None

    @property
    def guarantee(self) -> Optional[str]:
        """The algorithm's proven ratio on this platform, or None."""
        return text_of(library.duet_solution_guarantee(self._handle))

    @property
    def bound_name(self) -> Optional[str]:
        """What proved the lower bound."""
        return text_of(library.duet_solution_bound_name(self._handle)) or None

    @property
    def seconds(self) -> float:
        """What solving took."""
        return float(library.duet_solution_seconds(self._handle))

    @property
    def interrupted(self) -> bool:
        """Whether a limit or a cancellation ended the search early."""
        return bool(library.duet_solution_interrupted(self._handle))

    @property
    def ending(self) -> Optional[str]:
        """What ended the search early: "time limit reached", "limit reached", "interrupted" or
        "gap reached"; None where nothing did."""
        return text_of(library.duet_solution_ending(self._handle))

    @property
    def note(self) -> Optional[str]:
        """Why it ended early where that was neither time nor cancellation."""
        return text_of(library.duet_solution_note(self._handle))

    @property
    def counters(self) -> Dict[str, int]:
        """Figures of the algorithm, such as "nodes"."""
        count = c_size_t()
        first = library.duet_solution_counters(self._handle, byref(count))
        return {first[i].name.decode(): first[i].value for i in range(count.value)}

    def _placements(self) -> Any:
        placements = library.duet_solution_placements(self._handle)
        if not placements and len(self) > 0:
            raise MemoryError
        return placements

    @property
    def schedule(self) -> List[Run]:
        """Where and when each task runs, in task order."""
        instance = self.instance
        handle = instance._handle
        placements = self._placements()
        names = list(instance.platform)
        runs = []
        for task in range(len(self)):
            place = placements[task]
            end = library.duet_solution_end(self._handle, handle, task)
            runs.append(Run(instance.task_id(task), names[place.type], place.processor,
                            instance.time(place.start), instance.time(end)))
        return runs

    def processors(self, task: int) -> List[Tuple[str, int, int]]:
        """The processors of a task as ranges (type, first, last); the schedule names the first of
        them. Several types only where the algorithm is "cpa"."""
        self.instance.task_id(task)  # an IndexError where there is none
        names = list(self.instance.platform)
        count = c_size_t()
        first = library.duet_solution_processors(self._handle, task, byref(count))
        if count.value == 0:
            place = self._placements()[task]
            return [(names[place.type], place.processor, place.processor)]
        return [(names[r.type], r.first, r.last) for r in (first[i] for i in range(count.value))]

    @property
    def aborted(self) -> List[Run]:
        """Runs that were started and given up (spoliated)."""
        count = c_size_t()
        first = library.duet_solution_aborted(self._handle, byref(count))
        instance = self.instance
        names = list(instance.platform)
        return [Run(instance.task_id(a.task), names[a.type], a.processor, instance.time(a.start),
                    instance.time(a.end)) for a in (first[i] for i in range(count.value))]

    def as_array(self) -> "numpy.ndarray[Any, Any]":
        """The placements as a NumPy array with the fields start (ticks), processor and type, one row
        per task, over the library's memory: read-only, and good as long as the array lives."""
        import numpy
        fields = numpy.dtype([("start", "<i8"), ("processor", "<i4"), ("type", "<i4")])
        if len(self) == 0:
            return numpy.zeros(0, fields)
        placements = self._placements()
        memory: Any = cast(placements, POINTER(c_char * (16 * len(self)))).contents
        memory._solution = self  # keeps the memory alive with the array
        array: "numpy.ndarray[Any, Any]" = numpy.frombuffer(memory, dtype=fields)
        array.flags.writeable = False
        return array

    def verify(self) -> str:
        """Has the library's independent checker look at schedule, makespan and bound. Raises where it
        finds a fault; else says how the bound stands: "certified", "table" (proven by a table that was
        not computed again), "unproven" or "none"."""
        check = c_int()
        with _about_runs():
            call("duet_check_solution", self.instance._handle, self._handle, byref(check))
        return _BOUND_CHECKS[check.value]

    def write(self, path: Path) -> None:
        """Writes the solution as JSON."""
        call("duet_write_solution", _path(path), self.instance._handle, self._handle)

    def gantt(self, path: Path, *, size: Optional[Tuple[int, int]] = None,
              title: Optional[str] = None, dark: bool = False, transparent: bool = False,
              by_kind: bool = False, beside: "Optional[Solution]" = None) -> None:
        """Draws the schedule: .svg, .png or .pdf. `size` is (width, height) in pixels; `by_kind` draws
        what a processor runs without a break in the order of the tasks' kinds; `beside` is another
        schedule of the same instance, drawn below on the same time axis."""
        width, height = (0, 0) if size is None else size
        options = GanttOptions(sizeof(GanttOptions), width, height,
                               None if title is None else title.encode(), dark, transparent,
                               by_kind, None if beside is None else beside._handle)
        call("duet_write_gantt_with", _path(path), self.instance._handle, self._handle,
             byref(options))

    def trace(self, path: Path) -> None:
        """Writes a trace: .json (Chrome, Perfetto) or .paje."""
        call("duet_write_trace", _path(path), self.instance._handle, self._handle)

    def to_pandas(self) -> "pandas.DataFrame":
        """The schedule as a data frame, a row per task: task, type, processor, start and end. Times
        are floats; `schedule` has them exactly."""
        import pandas
        runs = self.schedule
        return pandas.DataFrame({"task": [r.task for r in runs], "type": [r.type for r in runs],
                                 "processor": [r.processor for r in runs],
                                 "start": [float(r.start) for r in runs],
                                 "end": [float(r.end) for r in runs]})

    def _repr_svg_(self) -> str:
        """What a notebook shows: the schedule as a picture."""
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "schedule.svg")
            self.gantt(picture)
            with open(picture, encoding="utf-8") as file:
                return file.read()

    def __repr__(self) -> str:
        return (f"<duet.Solution {self.algorithm}: {self.status}, makespan {self.makespan}, "
                f"lower bound {self.lower_bound}>")


_COLUMNS = ("task", "type", "processor", "start")
# A run, by place or by name.
Row = Union[Sequence[Any], Mapping[str, Any]]
# A schedule: a file, or runs.
Runs = Union[Path, Iterable[Row]]


def _row(at: int, run: Row) -> Sequence[Any]:
    """A run by place, also where it has names, in any order: columns of other names are passed over."""
    if not isinstance(run, Mapping):
        return run
    missing = [name for name in _COLUMNS[:3] if run.get(name) is None]
    if missing:
        raise UsageError(f"runs[{at}]: expected {', '.join(_COLUMNS)}, without {' and '.join(missing)} "
                         f"got {shown(dict(run))}")
    start = run.get("start")
    return [run[name] for name in _COLUMNS[:3]] + ([] if start is None or start == "" else [start])


def _table(runs: Iterable[Row]) -> str:
    """Runs as the library reads them."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for at, given in enumerate(runs):
        run = _row(at, given)
        if isinstance(run, (str, bytes)) or not 3 <= len(run) <= 5:
            raise UsageError(f"runs[{at}]: expected (task, type, processor, start), or without a start "
                             f"to follow the run before it there, got {shown(run)}")
        processors = (run[2] if isinstance(run[2], str)
                      else whole(f"runs[{at}]", run[2], 0, INT64_MAX))
        rows.writerow([str(run[0]), str(run[1]), processors,
                       *(str(start) for start in run[3:4])] + [""] * (len(run) == 3))
    return lines.getvalue()


# Runs pass through a file of this name, of which the user knows nothing.
_RUNS = "duet-runs.csv"


@contextmanager
def _about_runs() -> Iterator[None]:
    """What is wrong with a line of that file is said of the run that it stands for."""

    def run_of(place: "re.Match[str]") -> str:
        return f"runs[{int(place.group(1)) - 2}]:" if place.group(1) else "runs:"

    try:
        yield
    except DuetError as fault:
        text = re.sub(rf"\S*{re.escape(_RUNS)}(?::(\d+))?(?::\d+)?:", run_of, str(fault))
        raise type(fault)(text) from None


def read_solution(source: Runs, instance: Instance) -> Solution:
    """A schedule of `instance` that any software made: a file (JSON or CSV; see docs/formats.md), or
    runs (task, type, processor, start) such as those of Solution.schedule, or dictionaries with these
    keys; "0-3;6" in the place of the processor for a moldable task; without a start a run
    follows the one before it on its processor. Sums of floats are taken for what they mean. Nothing
    is believed or judged: verify() has the checker look at it, and raises where it is no schedule;
    judge() also computes the bound. An instance without a platform takes that of the file."""
    if not isinstance(instance, Instance):
        raise UsageError(f"instance: expected an Instance, got {shown(instance)}")
    handle = c_void_p()
    with instance._reading():
        if isinstance(source, (str, os.PathLike)):
            call("duet_read_schedule", _path(source), instance._handle, byref(handle))
        else:
            with tempfile.TemporaryDirectory() as folder:
                name = os.path.join(folder, _RUNS)
                with open(name, "w", encoding="utf-8", newline="") as file:
                    file.write(_table(source))
                with _about_runs():
                    call("duet_read_schedule", _path(name), instance._handle, byref(handle))
    return Solution(instance, handle)
