# SPDX-License-Identifier: Apache-2.0
"""Instances from files and of families."""
from __future__ import annotations

import ctypes
from ctypes import byref, c_int64
from typing import Any, Mapping, Optional, Sequence, Union

from ._arguments import checked
from ._check import Path, shown, text, text_or_none
from ._clock import Moment, as_moment, column_in, written
from ._held import InstanceHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import GenerateParams, ReadParams, UsageError, call, library
from ._solve import Options
from ._table import Counts
from ._times import are_lengths, as_list
from ._waits import Busy, busy_text


def _column_name(name: str) -> str:
    """A name for the library's list of columns, in quotes where it needs them."""
    if name.startswith('"') or "," in name or "=" in name:
        return '"' + name.replace('"', '""') + '"'
    return name


def _column_list(columns: Any) -> Optional[str]:
    """Columns as the library takes them: "cpu=time_cpu,gpu=time_gpu"."""
    if columns is None or isinstance(columns, str):
        return columns
    if isinstance(columns, Mapping):
        return ",".join(f"{_column_name(name)}={_column_name(column)}"
                        for name, column in columns.items())
    return ",".join(map(_column_name, columns))


@checked
def read(path: Path, m: Optional[int] = None, k: Optional[Counts] = None, *,
         columns: Union[None, str, Mapping[str, str], Sequence[str]] = None,
         exact_times: bool = False, unit: Optional[str] = None,
         platform: Optional[Mapping[str, int]] = None, mixed_sets: Optional[bool] = None,
         options: Optional[Mapping[str, object]] = None, strict_input: bool = False,
         digits: Optional[int] = None, busy: Optional[Busy] = None,
         start: Optional[Moment] = None) -> Instance:
    """Reads an instance of any format the library knows; m and k (of each further type, where it is
    a sequence), or `platform`, {"cpu": 8, "gpu": 2}, override its own. Where the file has no counts of
    processors both are given, or neither, and set_platform() follows.

    `columns` picks and names the columns of a CSV file, members of JSON, or attributes of DOT: {"cpu":
    "time_cpu", "gpu": "time_gpu"}, or a text as the command takes it. What is not used of the file is a
    warning of the class Note, and in `notice`; with `strict_input` it is an InputError. Times of more than
    nine decimal places are rounded to the finest tick that fits, and `notice` of the instance names the
    largest error; `exact_times` refuses them.
    `digits`, 1 to 18, keeps so many significant digits of every time.
    `unit` is that of the times where the file names none, such as a CSV file; a file that names another
    one is refused.

    `options` are those of the command's -O: {"gpu": 15} makes a second type where the file knows one
    time of each task, {"edges": False} takes the tasks of a graph as independent. `mixed_sets` says
    whether moldable tasks may use processors of several types at once, whatever the file says. `busy`,
    such as {"gpu": [3, 0]}, says until when processors are busy, in place of what the file says of a type.
    `start`, a datetime or a text such as "2026-11-27T09:00", is time 0: releases and deadlines that are
    dates are told from it, else from the earliest of them, which a note says. Where deadlines alone
    are dates it is needed.
    """
    if mixed_sets is not None:
        options = {**(options or {}), "mixed_sets": mixed_sets}
    params = ReadParams(
        struct_size=ctypes.sizeof(ReadParams), columns=text_or_none("columns", _column_list(columns)),
        exact_times=exact_times, time_unit=text_or_none("unit", unit), strict_input=strict_input,
        types=text_or_none("platform", ",".join(platform or ()) or None), digits=digits or 0,
        busy=None, start=text_or_none("start", written(start)))
    if busy is not None and (are_lengths(list(busy.values())) or any(
            as_moment(time) is not None for times in busy.values() for time in as_list(times))):
        unit_of = Instance._read(path, params, options).unit
        busy = {name: column_in(times, unit_of, as_moment(start), f"busy[{name}]") for name, times in busy.items()}
    params.busy = text_or_none("busy", busy_text(busy))
    instance = Instance._read(path, params, options)
    instance._warn()
    if platform is not None:
        if m is not None or k is not None:
            raise UsageError("expected either m and k or a platform")
        instance.set_platform(*instance._named(platform))
    elif m is not None or k is not None:
        if not library.duet_instance_has_platform(instance._handle) and len(instance.platform) > 1:
            for what, given in (("m", m), ("k", k)):
                if given is None:
                    raise UsageError(f"{what}: the file has no counts of processors, expected m and k")
            further = len(instance.platform) - 1
            if further > 1 and not hasattr(k, "__len__"):
                raise UsageError(f"k: {further + 1} types of processors ({', '.join(instance.platform)}), expected "
                                 f"{further} numbers, got one")
        instance.set_platform(*instance._overridden(m, k))
    return instance


@checked
def generate(family: str, n: int = 0, m: int = 4, k: int = 2, *, seed: int = 0,
             options: Optional[Mapping[str, object]] = None) -> Instance:
    """An instance of a family (see families()); the same arguments give the same instance."""
    def work(_: Cancel) -> Instance:
        handle = InstanceHandle()
        params = GenerateParams(ctypes.sizeof(GenerateParams), n, 0 if m == k == -1 else 2, (c_int64 * 2)(m, k), seed)
        with Options(options) as given:
            params.options = given
            call("duet_generate", text("family", family), byref(params), byref(handle))
            return Instance._holding(handle)

    if not isinstance(k, int):
        raise UsageError(f"k: expected a whole number, got {shown(k)}")
    return interruptible(work, leave=True)
