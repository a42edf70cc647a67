# SPDX-License-Identifier: Apache-2.0
"""Planning in a running world: a plan that is under way, parts that stay, processors that are lost."""
from __future__ import annotations

import csv
import ctypes
import io
import os
from ctypes import byref, c_int, c_size_t
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._check import row_of, shown, written
from ._clock import time_in
from ._held import FixesHandle, InstanceHandle, SolutionHandle
from ._instance import Instance
from ._library import FINER_PLACES, FORBIDDEN, MAX_PROCESSORS, Fix, Range, ReplanDescription, UsageError, call, library
from ._scratch import about, scratch
from ._solution import Runs, Solution
from ._times import exact_time, is_missing

_COLUMNS = ("task", "type", "processor", "start", "end")
_FILE = "duet-entries.csv"


def _cells(what: str, at: int, entry: Any, instance: Instance) -> List[str]:
    """An entry as a row of a table: nothing where it says nothing."""
    if isinstance(entry, Mapping):
        cells = [entry.get(name) for name in _COLUMNS]
        if cells[2] is None:
            cells[2] = entry.get("processors")
    else:
        row = row_of(entry)
        if row is None or not 1 <= len(row) <= len(_COLUMNS):
            raise UsageError(f"{what}[{at}]: expected (task, type, processor, start, end) or a dictionary with some "
                             f"of these, got {shown(entry)}")
        cells = list(row) + [None] * (len(_COLUMNS) - len(row))
    if cells[0] is None:
        raise UsageError(f"{what}[{at}]: expected a task, got {shown(entry)}")
    cells[0] = instance._named_task(cells[0])
    return ["" if is_missing(cell) or (isinstance(cell, str) and cell == "") else written(f"{what}[{at}]", cell) for cell in cells]


def _table(what: str, entries: Iterable[Any], instance: Instance) -> bytes:
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for at, entry in enumerate(entries):
        rows.writerow(_cells(what, at, entry, instance))
    return lines.getvalue().encode(errors="surrogatepass")


def _read(what: str, source: Any, instance: Instance) -> FixesHandle:
    """Entries of a file, of runs or of a solution."""
    handle = FixesHandle()
    if isinstance(source, (str, os.PathLike)):
        call("duet_read_fixes", os.fsencode(source), None, instance._handle, byref(handle))
        return handle
    entries = source.schedule if isinstance(source, Solution) else source
    with scratch(_FILE, _table(what, entries, instance)) as file:
        with about(file, lambda place: f"{what}[{int(place.group(1)) - 2}]" if place.group(1) else what):
            call("duet_read_fixes", file.encode(), None, instance._handle, byref(handle))
    return handle


def _entries(handle: Optional[FixesHandle]) -> Tuple[Any, int, int]:
    count, finer = c_size_t(0), c_int(0)
    if handle is None:
        return None, 0, 0
    return library.duet_fixes_entries(handle, byref(count), byref(finer)), count.value, finer.value


def _scaled(entries: Any, count: int, scale: int) -> Any:
    copies = (Fix * max(count, 1))()
    for i in range(count):
        copies[i] = entries[i]
        for name in ("start", "end"):
            time = getattr(copies[i], name)
            if time != FORBIDDEN:
                if time * scale >= FORBIDDEN:
                    raise UsageError("a time is too long for finer ticks")
                setattr(copies[i], name, time * scale)
    return copies


def _instant(now: Any, instance: Instance) -> Tuple[int, int]:
    """An instant in ticks, and how many places it needs beyond theirs."""
    decimals = instance.decimals
    exact = None if is_missing(now) else exact_time(time_in(now, instance.unit, instance.start, "now"), "now")
    if exact is None:
        raise UsageError(f"now: expected a time, got {shown(now)}")
    coefficient, exponent = exact
    while coefficient % 10 == 0 and coefficient and exponent < 0:
        coefficient, exponent = coefficient // 10, exponent + 1
    finer = max(-exponent - decimals, 0)
    if finer > FINER_PLACES:
        raise UsageError(f"now: expected at most {FINER_PLACES} places beyond those of the times, got {shown(now)}")
    return coefficient * 10**(exponent + decimals + finer), finer


def _lost(without: Mapping[str, Union[int, Sequence[int]]], instance: Instance) -> List[Range]:
    names = list(instance.platform)
    ranges = []
    for name, processors in without.items():
        if name not in names:
            raise UsageError(f"without: no processor type {shown(name)}: expected one of {', '.join(names)}")
        for processor in [processors] if isinstance(processors, int) else processors:
            if isinstance(processor, bool) or not isinstance(processor, int) or not 0 <= processor <= MAX_PROCESSORS:
                raise UsageError(f"without[{name}]: expected numbers of processors, from 0 on, got {shown(processor)}")
            ranges.append(Range(names.index(name), processor, processor))
    return ranges


def replan(instance: Instance, start_from: Union[Runs, Solution, None], now: Any, fix: Any,
           without: Optional[Mapping[str, Union[int, Sequence[int]]]]) -> Tuple[Instance, Optional[Solution]]:
    """The instance in which that is given, and the plan, continued: None where there is none."""
    if now is not None and start_from is None:
        raise UsageError("now: expected start_from, the plan that is under way")
    plan = None if start_from is None else _read("start_from", start_from, instance)
    parts = None if fix is None else _read("fix", fix, instance)
    planned, plans, plan_places = _entries(plan)
    fixed, fixes, fix_places = _entries(parts)
    ticks, now_places = (FORBIDDEN, 0) if now is None else _instant(now, instance)
    finer = max(plan_places, fix_places, now_places)
    lost = _lost(without or {}, instance)
    ranges = (Range * max(len(lost), 1))(*lost)
    plan_copy = _scaled(planned, plans, 10**(finer - plan_places))
    fix_copy = _scaled(fixed, fixes, 10**(finer - fix_places))
    description = ReplanDescription(
        struct_size=ctypes.sizeof(ReplanDescription), finer=finer,
        now=ticks if now is None else ticks * 10**(finer - now_places), plan=plan_copy, plans=plans, fix=fix_copy,
        fixes=fixes, without=ranges, withouts=len(lost))
    made, continued = InstanceHandle(), SolutionHandle()
    with instance._reading() as problem:
        call("duet_replan", problem, byref(description), byref(made), byref(continued))
    del plan, parts  # which the description points into
    given = type(instance)._holding(made)
    given._begin(instance.start)
    return given, Solution._of(given, continued) if continued else None
