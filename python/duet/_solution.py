# SPDX-License-Identifier: Apache-2.0
"""Schedules with what is proven about them."""
from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from contextlib import nullcontext
from ctypes import POINTER, byref, sizeof, c_char, c_int, c_size_t, cast
from datetime import datetime, timedelta
from decimal import Decimal
from typing import (TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, Type, TypeVar, Union)

from ._arguments import checked
from ._check import INT64_MAX, Path, path as _path, row_of, shown, text_or_none, whole, written
from ._clock import moment_at, time_in
from ._fraction import Fraction
from ._held import Held, InstanceHandle, SolutionHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import (DuetError, GanttOptions, InputError, LimitError, OutOfMemoryError,
                       UnsupportedError, UsageError, call, library, string, text_of)
from ._scratch import about, content_of, scratch
from ._times import ticks_until

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy
    import pandas

S = TypeVar("S", bound="Solution")
_MEETS = (False, True, None)  # in the order of duet_feasibility
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


class Solution(Held):
    """A schedule, its makespan, and a proven lower bound. Made by solve() or read_solution().

    It keeps its instance alive. It can be copied and pickled, also into another process; its instance
    comes along (copy.copy() shares it). All that it says of itself is the same; a file that a copy
    writes leaves out the counters."""
    _made_by = "solve() or read_solution()"
    _instance: Instance
    _told: Dict[str, Any]  # what no file says of it, of a copy
    _file: Optional[str]  # where it was read, "" from a file of the user's; None where it was not
    _origin: Optional[Instance]  # of a schedule that was read: what it was read for

    @classmethod
    def _of(cls: Type[S], instance: Instance, handle: SolutionHandle) -> S:
        """Takes over a handle of the library."""
        solution = cls._holding(handle)
        solution._instance = instance
        solution._told = {}
        solution._file = None
        solution._origin = None
        instance._solved = True
        return solution

    def __reduce__(self) -> Tuple[Any, ...]:
        """For copy.copy(), copy.deepcopy() and pickle."""
        handle = self._handle
        with scratch(_KEPT) as file:
            call("duet_write_solution", file.encode(), self._instance._handle, handle)
            text = content_of(file)
        told = {"counters": self.counters, "note": self.note, "seconds": self.seconds, **self._fault()}
        own = {name: value for name, value in vars(self).items() if name not in _OWN}
        return (_restored_solution, (type(self), self._instance, text, told), own or None)

    def _fault(self) -> Dict[str, Any]:
        """What the checker says against a schedule that was read: a copy's file would leave out what
        can be no part of a schedule, such as a task that the instance does not have."""
        if "fault" in self._told:
            return {"fault": self._told["fault"]}
        try:
            if self._file is not None:
                self.verify()
        except DuetError as fault:
            return {"fault": (type(fault), str(fault))}
        return {}

    def __len__(self) -> int:
        """Number of tasks."""
        return int(library.duet_solution_tasks(self._handle))

    def __iter__(self) -> Iterator[Run]:
        """The runs of the schedule, in the order of the tasks."""
        return iter(self.schedule)

    @property
    def instance(self) -> Instance:
        """The problem that this solves."""
        return self._instance

    @property
    def makespan(self) -> Decimal:
        """Latest completion, in the instance's unit."""
        return self.instance._time(self.makespan_ticks)

    @property
    def ends_at(self) -> Optional[datetime]:
        """When the last task ends, where it is known when time 0 is (Instance.start)."""
        begun = self.instance.start
        return None if begun is None else moment_at(begun, self.makespan, self.instance.unit)

    @property
    def makespan_ticks(self) -> int:
        """Latest completion, in ticks of 10^-decimals."""
        return int(library.duet_solution_makespan(self._handle))

    @property
    def lower_bound(self) -> Decimal:
        """No schedule is shorter; 0 where nothing is known."""
        return self.instance._time(self.lower_bound_ticks)

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

    @checked
    def meets(self, deadline: Union[int, float, str, Decimal, timedelta, datetime]) -> Optional[bool]:
        """Whether all tasks can end by `deadline`: True where these do, False where the lower bound is
        above it, None where that is not decided."""
        due = time_in(deadline, self.instance.unit, self.instance.start, "deadline")
        ticks = ticks_until(due, self.instance.decimals, "deadline")
        return _MEETS[library.duet_solution_meets(self._handle, ticks)]

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
        return float(self._told.get("seconds", library.duet_solution_seconds(self._handle)))

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
        note: Optional[str] = self._told.get("note", text_of(library.duet_solution_note(self._handle)))
        return note

    @property
    def counters(self) -> Dict[str, int]:
        """Figures of the algorithm, such as "nodes"."""
        if "counters" in self._told:
            return dict(self._told["counters"])
        count = c_size_t()
        first = library.duet_solution_counters(self._handle, byref(count))
        return {first[i].name.decode(): first[i].value for i in range(count.value)}

    def _placements(self) -> Any:
        placements = library.duet_solution_placements(self._handle)
        if not placements and len(self) > 0:
            raise OutOfMemoryError("no memory for the places of all tasks")
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
            runs.append(Run(instance._task_id(task), names[place.type], place.processor,
                            instance._time(place.start), instance._time(end)))
        return runs

    @property
    def late(self) -> Dict[str, Decimal]:
        """The tasks that end after their deadlines, and by how much. Lateness is not minimised."""
        late = {}
        kinds: List[Dict[str, Any]] = []  # which have deadlines with all their digits
        for task, run in enumerate(self.schedule):
            due = self.instance.deadline(task)
            if due is not None and run.end > due:
                kinds = kinds or self.instance.to_dict()["tasks"]
                kind = library.duet_instance_kind_of(self.instance._handle, task)
                late[run.task] = run.end - Decimal(kinds[kind]["deadline"])
        return late

    @checked
    def processors(self, task: Union[int, str]) -> List[Tuple[str, int, int]]:
        """The processors of a task as ranges (type, first, last); the schedule names the first of
        them. Several types only where the algorithm is "cpa"."""
        number = self.instance._task(task)
        names = list(self.instance.platform)
        count = c_size_t()
        first = library.duet_solution_processors(self._handle, number, byref(count))
        if count.value == 0:
            place = self._placements()[number]
            return [(names[place.type], place.processor, place.processor)]
        return [(names[r.type], r.first, r.last) for r in (first[i] for i in range(count.value))]

    @property
    def aborted(self) -> List[Run]:
        """Runs that were started and given up (spoliated)."""
        count = c_size_t()
        first = library.duet_solution_aborted(self._handle, byref(count))
        instance = self.instance
        names = list(instance.platform)
        return [Run(instance._task_id(a.task), names[a.type], a.processor, instance._time(a.start),
                    instance._time(a.end)) for a in (first[i] for i in range(count.value))]

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
        array: "numpy.ndarray[Any, Any]" = numpy.frombuffer(memoryview(memory).toreadonly(), dtype=fields)
        return array

    @checked
    def verify(self, proof: Optional[Path] = None) -> str:
        """Has the library's independent checker look at schedule, makespan and bound. Raises where it
        finds a fault; else says how the bound stands: "certified", "table" (proven by a table that was
        not computed again), "unproven" or "none". `proof` is the file of a proof by search, which
        solve(..., "exact", options={"proof": "file"}) writes: then the bound is to be proven by it."""
        check = c_int()

        def work(_: Cancel) -> str:
            with self.instance._reading():
                call("duet_check_solution", self.instance._handle, self._handle, None, byref(check))
                if proof is None:
                    return _BOUND_CHECKS[check.value]
                call("duet_verify_proof", self.instance._handle, _path("proof", proof), self.lower_bound_ticks, None, None)
            return "certified"

        if "fault" in self._told:
            kind, text = self._told["fault"]
            raise kind(text)
        with about(self._file, _run_of) if self._file else nullcontext():
            return interruptible(work, leave=True)

    @checked
    def write(self, path: Path) -> None:
        """Writes the solution as JSON."""
        handle = self._handle
        call("duet_write_solution", _path("path", path), self.instance._handle, handle)

    @checked
    def gantt(self, path: Path, *, size: Optional[Tuple[int, int]] = None,
              title: Optional[str] = None, dark: bool = False, transparent: bool = False,
              by_kind: bool = False, beside: "Optional[Solution]" = None) -> None:
        """Draws the schedule: .svg, .png or .pdf. `size` is (width, height) in pixels; `by_kind` draws
        what a processor runs without a break in the order of the tasks' kinds; `beside` is another
        schedule of the same instance, drawn below on the same time axis."""
        if beside is not None and not self.instance._same(beside.instance):
            raise UsageError(f"beside: expected a solution of the same instance, got {shown(beside)}")
        width, height = (0, 0) if size is None else size
        options = GanttOptions(sizeof(GanttOptions), width, height, text_or_none("title", title),
                               dark, transparent, by_kind,
                               None if beside is None else beside._handle)
        call("duet_write_gantt", _path("path", path), self.instance._handle, self._handle,
             byref(options))

    @checked
    def trace(self, path: Path) -> None:
        """Writes a trace: .json (Chrome, Perfetto) or .paje."""
        call("duet_write_trace", _path("path", path), self.instance._handle, self._handle)

    @checked
    def plot(self, ax: "Optional[matplotlib.axes.Axes]" = None) -> "matplotlib.axes.Axes":
        """Draws the schedule by matplotlib into `ax`, or a picture of its own, and gives the axes: a row
        for each processor, tasks in the colours that gantt() gives them; the dashed line is the lower bound. Processors
        are hatched while they are busy, and where they are lost; another line is Instance.now. A figure
        without a layout gets the constrained one, which keeps the legend in it."""
        from ._plot import plot
        axes: "matplotlib.axes.Axes" = plot(self, ax)
        return axes

    def to_pandas(self) -> "pandas.DataFrame":
        """The schedule as a data frame, a row per task: task, type, processor, start and end, and where the
        instance has a start also start_time and end_time. Times are floats; `schedule` has them exactly."""
        import pandas
        runs = self.schedule
        columns: Dict[str, List[Any]] = {
            "task": [r.task for r in runs], "type": [r.type for r in runs], "processor": [r.processor for r in runs],
            "start": [float(r.start) for r in runs], "end": [float(r.end) for r in runs]}
        begun = self.instance.start
        if begun is not None:
            columns["start_time"] = [moment_at(begun, r.start, self.instance.unit) for r in runs]
            columns["end_time"] = [moment_at(begun, r.end, self.instance.unit) for r in runs]
        return pandas.DataFrame(columns)

    def _repr_svg_(self) -> str:
        """What a notebook shows: the schedule as a picture."""
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "schedule.svg")
            self.gantt(picture)
            with open(picture, encoding="utf-8") as file:
                return file.read()

    def __repr__(self) -> str:
        return (f"<duet.Solution {self.algorithm}: {self.status}, makespan {float(self.makespan):.10g}, "
                f"lower bound {float(self.lower_bound):.10g}>")


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


def _table(runs: Iterable[Row], instance: Instance) -> bytes:
    """Runs as the library reads them."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for at, given in enumerate(runs):
        what = f"runs[{at}]"
        run = row_of(_row(at, given))
        if run is None or not 3 <= len(run) <= 5:
            raise UsageError(f"{what}: expected (task, type, processor, start), or without a start "
                             f"to follow the run before it there, got {shown(given)}")
        processors = run[2] if isinstance(run[2], str) else whole(what, run[2], 0, INT64_MAX)
        rows.writerow([written(what, instance._named_task(run[0])), written(what, run[1]), processors,
                       *(written(what, start) for start in run[3:4])] + [""] * (len(run) == 3))
    return lines.getvalue().encode(errors="surrogatepass")


# Runs pass through a file of this name, of which the user knows nothing; so does what is pickled.
_RUNS = "duet-runs.csv"
_KEPT = "duet-solution.json"
# The members of a Solution that are not the user's.
_OWN = ("_owned", "_instance", "_told", "_file", "_origin")


def _restored_solution(kind: Type[Solution], instance: Instance, text: bytes,
                       told: Dict[str, Any]) -> Solution:
    """How pickle makes a solution."""
    handle = SolutionHandle()
    with scratch(_KEPT, text) as file, instance._reading():
        call("duet_read_solution", file.encode(), None, instance._handle, byref(handle))
    solution = kind._of(instance, handle)
    solution._told = told
    return solution


def _run_of(place: "re.Match[str]") -> str:
    """What is wrong with a line of that file is said of the run that it stands for."""
    return f"runs[{int(place.group(1)) - 2}]" if place.group(1) else "runs"


def _in_its_ticks(instance: Instance, problem: Any, handle: SolutionHandle) -> Optional[Instance]:
    """Of a schedule that starts tasks between ticks: the instance in finer ones, or None where it is
    in ticks. Where that instance is none, a valid schedule is rounded down."""
    if library.duet_solution_finer(handle) == 0:
        return None
    finer = InstanceHandle()
    try:
        call("duet_solution_refine", handle, problem, byref(finer))
        made = type(instance)._holding(finer)
        made._begin(instance.start)
        return made
    except (UnsupportedError, LimitError, InputError):
        pass
    try:
        call("duet_check_solution", problem, handle, None, None)
        library.duet_solution_to_ticks(handle, problem)
    except InputError:
        pass  # which verify() says
    return None


@checked
def read_solution(source: Runs, instance: Instance) -> Solution:
    """A schedule of `instance` that any software made: a file (JSON or CSV; see docs/formats.md), or
    runs (task, type, processor, start) such as those of Solution.schedule, or dictionaries with these
    keys; "0-3;6" in the place of the processor for a moldable task; without a start a run
    follows the one before it on its processor. Sums of floats are taken for what they mean. Of a schedule that starts tasks between
    ticks `instance` is the same problem in finer ones. Nothing
    is believed or judged: verify() has the checker look at it, and raises where it is no schedule;
    judge() also computes the bound. An instance without a platform takes that of the file."""
    runs = None if isinstance(source, (str, os.PathLike)) else _table(source, instance)
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""

    def work(_: Cancel) -> Solution:
        handle = SolutionHandle()
        with instance._reading() as problem, (
                nullcontext(path) if runs is None else scratch(_RUNS, runs)) as file:
            with nullcontext() if runs is None else about(file, _run_of):
                call("duet_read_solution", _path("source", file), None, problem, byref(handle))
            finer = _in_its_ticks(instance, problem, handle)
        solution = Solution._of(instance if finer is None else finer, handle)
        solution._origin = instance
        solution._file = "" if runs is None else file
        return solution

    return interruptible(work, leave=True)


def schedule_of(source: Union[Runs, Solution], instance: Instance, what: str) -> Solution:
    """What read_solution() takes, or a solution, of that instance."""
    solution = source if isinstance(source, Solution) else read_solution(source, instance)
    if not (solution._origin or solution.instance)._same(instance):
        raise UsageError(f"{what}: expected a solution of the instance, got {solution!r} of "
                         f"{solution.instance!r}")
    return solution
