# SPDX-License-Identifier: Apache-2.0
"""What tasks and processors wait for: releases of tasks, and until when processors are busy."""
from __future__ import annotations

import operator
from datetime import date
from decimal import Decimal
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._check import is_flag, shown
from ._library import MAX_WORK, UsageError
from ._table import ids_of, index_of
from ._times import Time, Times, as_list, is_missing, wait_time

When = Union[Time, date]  # also a datetime
# A time for each kind of task, in its place or by id; of a graph also the attribute that it is.
Release = Union[Times, Sequence[When], Mapping[Any, When], str]
# What each kind of task belongs to, in its place or by id; of a graph also the attribute that says it.
Group = Union[Sequence[Any], Mapping[Any, Any], str]
# The times until which processors of a type are busy: {"gpu": [3, 0]}.
Busy = Mapping[str, Union[Times, Sequence[When]]]


class Waits(NamedTuple):
    """In ticks: of each kind, and (type, processor, until)."""
    releases: Optional[List[int]]
    busy: List[Tuple[int, int, int]]


NO_WAITS = Waits(None, [])


def _kind(key: Any, known: Mapping[str, int], kinds: int, what: str) -> int:
    """Of an id, or of a number where no task has that id."""
    if str(key) in known:
        return known[str(key)]
    try:
        number = -1 if is_flag(key) or isinstance(key, str) else operator.index(key)
    except TypeError:
        number = -1
    if not 0 <= number < kinds:
        raise UsageError(f"{what}: expected ids of tasks, got {shown(key)}")
    return number


def column_by_task(what: str, given: Any, ids: Optional[Sequence[str]], kinds: int,
                   columns: Sequence[Any] = ()) -> List[Any]:
    """A value for each kind; `columns` are those of the times, whose index a column of pandas has."""
    if isinstance(given, Mapping):
        known = {name: i for i, name in enumerate(ids if ids is not None else (f"t{i}" for i in range(kinds)))}
        values: List[Any] = [None] * kinds
        for key, value in given.items():
            values[_kind(key, known, kinds, what)] = value
        return values
    if index_of(given) is not None and any(index_of(column) is not None for column in columns):
        ids_of([*columns, given])
    values = as_list(given)
    if len(values) != kinds:
        raise UsageError(f"{what}: expected {kinds}, got {len(values)}")
    return values


def busy_columns(busy: Optional[Busy], machine: Sequence[Tuple[str, int]]) -> Dict[str, List[Any]]:
    """The times of each type that has such, in the order of the types."""
    given = dict(busy or {})
    columns = {}
    for name, count in machine:
        if name not in given:
            continue
        times = given.pop(name)
        columns[name] = as_list(times)
        if len(columns[name]) > count:
            raise UsageError(f"busy[{name}]: expected at most {count}, a time for each processor, got "
                             f"{len(columns[name])}")
    if given:
        raise UsageError(f"busy: expected the types {', '.join(name for name, _ in machine)}, got "
                         f"{shown(next(iter(given)))}")
    return columns


def busy_text(busy: Optional[Busy]) -> Optional[str]:
    """As the library reads it: "gpu=3,0"."""
    parts = []
    for name, times in (busy or {}).items():
        numbers = []
        for i, value in enumerate(as_list(times)):
            coefficient, exponent = wait_time(value, f"busy[{name}][{i}]")
            numbers.append(f"{Decimal((0, tuple(map(int, str(coefficient))), exponent)):f}")
        if numbers:
            parts.append(f"{name}={','.join(numbers)}")
    return ",".join(parts) or None


def waiting_columns(release: Optional[Release], busy: Optional[Busy], names: Sequence[str], counts: Sequence[int],
                    ids: Optional[Sequence[str]], kinds: int, columns: Sequence[Any]) -> Dict[str, List[Any]]:
    """What waits_of() takes, as it was given."""
    waiting = {f"busy[{name}]": times for name, times in busy_columns(busy, list(zip(names, counts))).items()}
    if release is not None:
        waiting["release"] = column_by_task("release", release, ids, kinds, columns)
    return waiting


def _ticks(what: str, column: Sequence[Any]) -> List[int]:
    """Of times that are ticks already."""
    ticks = []
    for i, value in enumerate(column):
        try:
            number = 0 if is_missing(value) else -1 if is_flag(value) else operator.index(value)
        except Exception:
            number = -1
        if not 0 <= number <= MAX_WORK:
            raise UsageError(f"{what}[{i}]: expected a whole number of ticks, 0 to 2^62, got {shown(value)}")
        ticks.append(number)
    return ticks


def _places(names: Sequence[str], busy: Mapping[str, Sequence[int]]) -> List[Tuple[int, int, int]]:
    return [(names.index(name), p, until) for name, column in busy.items() for p, until in enumerate(column)]


def waits_in_ticks(release: Optional[Release], busy: Optional[Busy], names: Sequence[str], counts: Sequence[int],
                   ids: Optional[Sequence[str]], kinds: int) -> Waits:
    """Of an instance whose times are ticks."""
    releases = None if release is None else _ticks("release", column_by_task("release", release, ids, kinds))
    columns = {name: _ticks(f"busy[{name}]", column)
               for name, column in busy_columns(busy, list(zip(names, counts))).items()}
    return Waits(releases, _places(names, columns))


def waits_of(columns: Mapping[str, List[int]], names: Sequence[str]) -> Waits:
    """Of columns in ticks: "release", and "busy[gpu]" of each type that has one."""
    busy = {name: columns[f"busy[{name}]"] for name in names if f"busy[{name}]" in columns}
    return Waits(columns.get("release"), _places(names, busy))
