# SPDX-License-Identifier: Apache-2.0
"""Problems: tasks with a time on each type of processor, and the platform."""
from __future__ import annotations

import ctypes
import html
import itertools
import json
import re
import sys
import threading
import warnings
from contextlib import contextmanager, nullcontext
from ctypes import byref, c_char_p, c_int64
from datetime import datetime
from decimal import Decimal
from typing import (Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type as Type_,
                    TypeVar, Union, overload)

from ._advice import in_python
from ._arguments import checked
from ._check import INT64_MAX, Numbered, Path, is_whole, path as _path, shown, text, text_or_none, whole
from ._clock import Moment, as_moment, column_in, has_moments, is_moment, read_start, with_texts, written
from ._fields import unit_of
from ._graph import Edges, Graph, by_id, edges_of_columns, read_edges
from ._held import Held, InstanceHandle
from ._interrupt import Cancel, interruptible
from ._json import to_json
from ._library import (FORBIDDEN, FINER_PLACES, Busy as BusyUntil, Description, Edge, NoSuchIndexError, Note, ReadParams,
                       ReplanDescription, Type, UsageError, call, library, string, text_of)
from ._more import further_times, more_of
from ._networkx import GraphLike, read_graph
from ._scratch import about, content_of, scratch
from ._table import Counts, TableLike, ids_of, processors, read_table
from ._times import Times, are_lengths, as_list, in_unit, length_of_text, scaled
from ._waits import NO_WAITS, Busy, Group, Release, Waits, column_by_task, waiting_columns, waits_in_ticks, waits_of

T = TypeVar("T", bound="Instance")
_TWO = ("cpu", "gpu")
_MOLDABLE, _BUSY = 4, 64  # of duet_feature
_DESCRIPTION = "duet-description.json"  # files of this name are not the user's


def _is_ticks(values: Any) -> bool:
    """Whether this is a NumPy array of 64-bit integers."""
    return (hasattr(values, "__array_interface__") and
            getattr(values, "dtype", None) is not None and values.dtype.str in ("<i8", "=i8"))


def _view(times: Any) -> memoryview:
    """Memory of n rows of two 64-bit integers."""
    try:
        view = memoryview(times)
    except Exception:  # NumPy has several
        raise UsageError("times: expected contiguous 64-bit integers") from None
    if view.itemsize != 8 or view.format not in ("l", "q") or not view.c_contiguous:
        raise UsageError("times: expected contiguous 64-bit integers")
    if view.ndim != 2 or view.shape is None or view.shape[1] != len(_TWO):
        raise UsageError("times: expected rows of two")
    return view


class Instance(Held):
    """A problem. Made by from_times(), from_table(), from_graph(), from_ticks(), from_dict(), read() or
    generate().

    It can be copied and pickled, also into another process: what a copy says of itself is the same,
    but it has no solution yet, so that its platform may be set. (Of StarPU's records a copy has the
    tasks, and not what a schedule for StarPU needs beside.)"""
    _made_by = ("Instance.from_times(), from_table(), from_ticks() or from_dict(), read() or "
                "generate()")
    _lock: "threading.RLock"  # a signal's handler may come in between
    _readers: int  # calls of the library that read it now
    _solved: bool  # whether there was a solution of it
    _rounding: Optional[str]  # what became of times that this module rounded
    _number: Optional[Dict[str, int]] = None  # of each id, where that was asked for

    @classmethod
    def _holding(cls: Type_[T], handle: Any) -> T:
        instance = super()._holding(handle)
        instance._lock = threading.RLock()
        instance._readers = 0
        instance._solved = False
        instance._rounding = None
        return instance

    @classmethod
    @checked
    def from_times(cls, cpu: Times, gpu: Times, m: Optional[int] = None, k: Optional[Counts] = None, *,
                   platform: Optional[Mapping[str, int]] = None,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   exact_times: bool = False, edges: Optional[Edges] = None,
                   release: Optional[Release] = None, busy: Optional[Busy] = None,
                   group: Optional[Group] = None, start: Optional[Moment] = None) -> "Instance":
        """One kind of task per entry: its time on a CPU and on a GPU, of which there are m and k, or as many
        as `platform` says, such as {"cpu": 20, "gpu": 4}.

        `counts`: how many equal tasks each stands for (default: 1 each). `ids`: their names; the
        index of columns of pandas, where they are such. Times of more than nine decimal places are
        rounded to the finest tick that fits, and `notice` names the largest error; `exact_times`
        refuses them. `edges` make a task graph: (from, to) or (from, to, cost), tasks by number or
        id, cost a time between any two processors or rows of times by type. `release` is the time before
        which each does not start, in the place of its task or by id (nothing: 0); `busy`, such as {"gpu":
        [3, 0]}, until when processors of a type are not free. Both are in the unit of the times. `group` is
        what each belongs to, likewise: pictures and summaries show it. `start` is the day and the time of
        time 0, a datetime or a text such as "2026-11-27T09:00": releases, a column of deadlines and busy
        processors may then be days and times, too (those of tasks also "01.12.2026 14:00" or a day). Without
        `start` those of tasks are told from the earliest of them. Two NumPy
        arrays of 64-bit integers, in which 2^63 - 1 forbids, are put together by one copy.
        """
        if len(cpu) != len(gpu):
            raise UsageError(f"{len(cpu)} CPU times and {len(gpu)} GPU times: expected as many")
        plain = all(given is None for given in (edges, release, busy, group, start))
        if plain and _is_ticks(cpu) and _is_ticks(gpu):
            import numpy
            rows = numpy.stack((numpy.asarray(cpu), numpy.asarray(gpu)), axis=1)
            if ids is None:
                ids = ids_of((cpu, gpu))
            (_, cpus), (_, gpus) = processors(["cpu", "gpu"], m, k, platform)
            return cls.from_ticks(rows, cpus, gpus, counts=counts, ids=ids, name=name, unit=unit)
        return cls.from_table({"cpu": cpu, "gpu": gpu}, m, k, platform=platform, counts=counts, ids=ids, name=name, unit=unit,
                              exact_times=exact_times, edges=edges, release=release, busy=busy, group=group,
                              start=start)

    @classmethod
    @checked
    def from_table(cls, times: Union[TableLike, Times], m: Optional[int] = None, k: Optional[Counts] = None, *,
                   platform: Optional[Mapping[str, int]] = None,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   exact_times: bool = False, edges: Optional[Edges] = None,
                   release: Optional[Release] = None, busy: Optional[Busy] = None,
                   group: Optional[Group] = None, start: Optional[Moment] = None) -> "Instance":
        """Any number of processor types: `times` is a dictionary of columns by type, or a data frame
        of pandas, whose columns id (or task, name, job ...), count and after (or predecessors,
        depends_on ...: "a;b", or a list: what each waits for), release (or arrival ...), cores (on how
        many processors of one type it runs at once), deadline and group are no times, nor are other columns
        whose names mean something in the field; or rows as dictionaries, or an array with a row for
        each task. The numbers of processors
        are `platform`, by type, or m of the first type and k of the others. The rest as for
        from_times()."""
        table = read_table(times, list(platform or ()))
        release = table.release if release is None else release
        names = list(table.columns)
        try:
            machine = [(text("processor type", name_), count)
                       for name_, count in processors(names, m, k, platform)]
        except UsageError as fault:
            raise UsageError("; ".join([str(fault), *table.notes])) from None
        ids = table.ids if ids is None else ids
        counts = table.counts if counts is None else counts
        kinds = len(next(iter(table.columns.values())))
        repeats = cls._checked_counts(counts, kinds)
        cls._check_ids(ids, kinds)
        if group is not None:
            table = table._replace(group=column_by_task("group", group, ids, kinds, list(table.columns.values())))
        if release is not None:
            release = column_by_task("release", release, ids, kinds, list(table.columns.values()))
        begun = as_moment(start)
        given = [] if edges is None else by_id(edges) if isinstance(ids, Numbered) else list(edges)
        edges = [*given, *edges_of_columns(table.after, table.before, table.order_names, ids, repeats)]
        graph = read_edges(edges, ids, repeats, kinds, len(names))
        lengths = are_lengths([*table.columns.values(), graph.costs])
        if lengths and unit not in (None, "s"):
            raise UsageError(f"unit: lengths of time are in seconds, expected 's', got {shown(unit)}")
        further = further_times(table, release)
        lengthy = are_lengths([*(busy or {}).values(), *further])
        if unit is None and not lengths and (lengthy or start is not None or any(map(has_moments, further))):
            unit = unit_of(names)
        if lengths or (unit is None and lengthy):
            unit = "s"
        dated = []  # releases, which the library tells from the start
        if release is not None and has_moments(release):
            dated, release = with_texts(release, unit, "release"), None
        waiting = {name_: column_in(values, unit, begun, name_) for name_, values in waiting_columns(
            release, busy, names, [count for _, count in machine], ids, kinds, list(table.columns.values())).items()}
        if table.deadline is not None:
            table = table._replace(deadline=with_texts(table.deadline, unit, "deadline"))
        columns, decimals, notice = scaled(names, list(table.columns.values()), repeats,
                                           exact_times, graph.costs, waiting)
        flat: Any = (c_int64 * (len(names) * kinds))()
        for t, column in enumerate(columns):
            if t < len(names):
                flat[t::len(names)] = column
        instance = cls._create(flat, kinds, decimals, machine, counts, ids, name, unit,
                               graph._replace(costs=columns[-1]),
                               waits_of(dict(zip(waiting, columns[len(names):])), names))
        more = more_of(table, dated)
        told = None
        if more:
            started = begun if dated or has_moments(table.deadline or ()) else None
            instance = instance._with_members(more, started)
            told = instance.notice
            instance._refuse_past(table.deadline or (), started)
        if begun is not None:
            instance.set_start(begun)
        instance._rounding = "; ".join([*table.notes, *(text for text in (notice, told) if text is not None)]) or None
        instance._warn()
        return instance

    @classmethod
    @checked
    def from_graph(cls, graph: GraphLike, m: Optional[int] = None, *, time: Optional[str] = None,
                   cost: Optional[str] = None, platform: Optional[Mapping[str, int]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   release: Optional[Release] = None, busy: Optional[Busy] = None,
                   group: Optional[Group] = None, start: Optional[Moment] = None) -> "Instance":
        """A directed graph of networkx. `time` is the attribute of nodes that is their time, a number
        or a dictionary by processor type; without it there is an attribute for each type of
        `platform`. `cost` is the attribute of edges that is what their data take. `release` is the
        attribute of nodes before which they do not start, or those times as for from_times(), as `busy`;
        so are `group` and `start`. Where nothing is said, attributes by the words that tables have for release, deadline,
        cores and group are these. Several edges between two nodes are one, of the largest cost. The name
        is that of the graph where none is given."""
        if name is None:
            name = str(getattr(graph, "name", None) or "") or None
        read = read_graph(graph, time, cost, list(platform or ()),
                          {word: given for word, given in (("release", release), ("group", group))
                           if isinstance(given, str)},
                          [word for word, given in (("release", release), ("group", group)) if given is not None])
        instance = cls.from_table({**read.times, **read.more}, m, [] if m is not None else None, platform=platform,
                                  ids=read.ids, name=name, unit=unit, edges=read.edges, busy=busy,
                                  release=read.named.get("release", release), group=read.named.get("group", group),
                                  start=start)
        if read.notes:
            instance._rounding = "; ".join([*read.notes, *([instance._rounding] if instance._rounding else [])])
            instance._warn()
        return instance

    @classmethod
    @checked
    def from_dict(cls, description: Mapping[str, Any], *, mixed_sets: Optional[bool] = None) -> "Instance":
        """An instance as a JSON file says it (docs/formats.md), in particular of moldable tasks:

            {"platform": [{"type": "cpu", "count": 8, "speed": 2.5, "bandwidth": 1e9}],
             "network": {"latency": 1e-4},
             "tasks": [{"id": "a", "work": 40, "alpha": 0.1},
                       {"id": "b", "times": [[9, 5, 4]]}],
             "edges": [{"from": "a", "to": "b", "data": 1e6}]}

        Numbers may be decimals; None forbids a type. {"platform": {"cpu": 8}} is short for the counts alone.
        `mixed_sets` says whether tasks that follow laws may use processors of several types at once; so does {"mixed_sets": True, ...}."""
        if isinstance(description.get("platform"), Mapping):  # as elsewhere in Python
            description = {**description, "platform": [{"type": name, "count": count}
                                                       for name, count in description["platform"].items()]}
        if mixed_sets is not None:
            description = {**description, "mixed_sets": mixed_sets}
        return cls._read(None, ReadParams(struct_size=ctypes.sizeof(ReadParams)), None,
                         to_json({"name": "unnamed", **description}).encode())

    def _with_members(self: T, more: Sequence[Mapping[str, Any]], start: Optional[datetime]) -> T:
        """The same with further members of each task, as a file has them."""
        described = self.to_dict()
        described["tasks"] = [{**task, **members} for task, members in zip(described["tasks"], more)]
        return self._told_from(start, described)

    @classmethod
    def _told_from(cls: Type_[T], start: Optional[datetime], description: Mapping[str, Any]) -> T:
        """A description in which dates may be."""
        params = ReadParams(struct_size=ctypes.sizeof(ReadParams), start=text_or_none("start", written(start)))
        return cls._read(None, params, None, to_json(description).encode())

    def _refuse_past(self, deadlines: Sequence[Any], start: Optional[datetime]) -> None:
        """A deadline before the start, which is 0 for the library, would make it unknown how late a task is."""
        for i, due in enumerate(deadlines):
            if start is not None and is_moment(due) and library.duet_instance_deadline(self._handle, i) == 0:
                alone = self._told_from(start, {"time_unit": "s", "platform": [{"type": "cpu", "count": 1}],
                                                "tasks": [{"id": "t", "times": [1], "deadline": due}]})
                if "before it as 0" in (alone.notice or ""):
                    raise UsageError(f"deadline[{i}]: {shown(due)} is before {start}, when time 0 is")

    def to_dict(self) -> Dict[str, Any]:
        """What from_dict() takes, and a JSON file of the instance has: platform, tasks, edges. Numbers
        with decimal places are Decimals, so that they keep all digits."""
        described: Dict[str, Any] = json.loads(self._state()[0], parse_float=Decimal)
        return described

    @classmethod
    @checked
    def from_ticks(cls, times: Any, m: int, k: int, *, decimals: int = 0,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   release: Optional[Release] = None, busy: Optional[Busy] = None) -> "Instance":
        """`times`: anything with the buffer protocol, n rows of two 64-bit integers, contiguous,
        which the library reads in place (read-only memory is copied before) and not after this
        call; 2^63 - 1 forbids. One tick is 10^-decimals of the unit. `release` and `busy`
        as for from_times(), in ticks."""
        view = _view(times)
        n = len(view)
        flat: Any
        if n == 0:
            flat = (c_int64 * 0)()
        elif view.readonly:
            flat = (c_int64 * (len(_TWO) * n)).from_buffer_copy(view)
        else:
            flat = (c_int64 * (len(_TWO) * n)).from_buffer(view)
        if not isinstance(k, int):
            raise UsageError(f"k: expected a whole number, got {shown(k)}")
        machine = [(b"cpu", m), (b"gpu", k)]
        waits = waits_in_ticks(release, busy, _TWO, (m, k), ids, n)
        return cls._create(flat, n, decimals, machine, counts, ids, name, unit, None, waits)

    @staticmethod
    def _checked_counts(counts: Optional[Sequence[int]], kinds: int) -> Optional[Sequence[int]]:
        """As whole numbers, one for each kind."""
        if counts is None:
            return None
        if len(counts) != kinds:
            raise UsageError(f"counts: expected {kinds}, got {len(counts)}")
        return [whole(f"counts[{i}]", c, 1, INT64_MAX) for i, c in enumerate(as_list(counts))]

    @staticmethod
    def _check_ids(ids: Optional[Sequence[str]], kinds: int) -> None:
        if ids is not None and len(ids) != kinds:
            raise UsageError(f"ids: expected {kinds}, got {len(ids)}")

    @classmethod
    def _create(cls: Type_[T], flat: Any, kinds: int, decimals: int,
                machine: Sequence[Tuple[bytes, int]], counts: Optional[Sequence[int]],
                ids: Optional[Sequence[str]], name: Optional[str], unit: Optional[str],
                graph: Optional[Graph] = None, waits: Waits = NO_WAITS) -> T:
        repeats = cls._checked_counts(counts, kinds)
        cls._check_ids(ids, kinds)
        description = Description(name=text_or_none("name", name),
                                  time_unit=text_or_none("unit", unit),
                                  decimals=decimals)
        if repeats is not None:
            description.counts = (c_int64 * kinds)(*repeats)
        if ids is not None:
            description.ids = (c_char_p * kinds)(
                *(text(f"ids[{i}]", task) for i, task in enumerate(ids)))
        if graph is not None and graph.ends:
            cls._add_edges(description, graph, len(machine))
        cls._add_waits(description, waits)
        return cls._describe(description, machine, flat, kinds)

    @staticmethod
    def _add_edges(description: Description, graph: Graph, types: int) -> None:
        """Costs in ticks."""
        description.edges = len(graph.ends)
        description.edge = (Edge * len(graph.ends))(
            *(Edge(tail, head, table) for (tail, head), table in zip(graph.ends, graph.table)))
        description.cost_tables = len(graph.costs) // (types * types)
        description.costs = (c_int64 * len(graph.costs))(*graph.costs)

    @staticmethod
    def _add_waits(description: Description, waits: Waits) -> None:
        if waits.releases is not None:
            description.releases = (c_int64 * len(waits.releases))(*waits.releases)
        description.busy_count = len(waits.busy)
        description.busy = (BusyUntil * len(waits.busy))(*(BusyUntil(*row) for row in waits.busy))

    @classmethod
    def _describe(cls: Type_[T], description: Description, machine: Sequence[Tuple[bytes, int]],
                  flat: Any, kinds: int) -> T:
        """With what every description has: a platform and times."""
        description.struct_size = ctypes.sizeof(Description)
        description.types = len(machine)
        description.platform = (Type * len(machine))(*(Type(*row) for row in machine))
        description.kinds = kinds
        description.times = ctypes.cast(flat, ctypes.POINTER(c_int64))
        handle = InstanceHandle()
        call("duet_instance_create", byref(description), byref(handle))
        return cls._holding(handle)

    @checked
    def copy(self: T, m: Optional[int] = None, k: Optional[Counts] = None) -> T:
        """The same problem once more, on its own platform; m and k override that."""
        other = self._again()
        other.set_platform(*other._overridden(m, k))
        return other

    def _again(self: T) -> T:
        return self._restored(*self._state(), self.start)

    def _state(self) -> Tuple[bytes, int, Optional[str]]:
        """All that it says of itself: as a file, with what a file does not say."""
        with scratch(_DESCRIPTION) as file, self._reading() as handle:
            call("duet_write_instance", file.encode(), b"json", handle)
            return content_of(file), self.decimals, self.notice

    @classmethod
    def _restored(cls: Type_[T], text: bytes, decimals: int, notice: Optional[str],
                  start: Optional[datetime] = None) -> T:
        """What _state() was taken of."""
        instance = cls._read(None, ReadParams(struct_size=ctypes.sizeof(ReadParams)), None, text)
        if instance.decimals < decimals and library.duet_instance_has_platform(instance._handle):
            instance = instance._finer(decimals)
        instance._rounding = notice
        instance._begin(start)
        return instance

    def __reduce__(self) -> Tuple[Any, ...]:
        """For copy.copy(), copy.deepcopy() and pickle."""
        own = {name: value for name, value in vars(self).items() if name not in _OWN}
        return (_restored_instance, (type(self), *self._state(), self.start), own or None)

    def _same(self, other: "Instance") -> bool:
        """Whether the other is the same problem on the same platform."""
        return self is other or (len(self) == len(other) and self.platform == other.platform and
                                 self._problem() == other._problem())

    def _problem(self) -> Tuple[bytes, int]:
        """What it asks; when its time 0 is on the clock, and what goes on, is none of that."""
        text, decimals, _ = self._state()
        return re.sub(rb', "start": "[^"]*"|,\n "now": [0-9.]+', b"", text), decimals

    def _finer(self: T, decimals: int) -> T:
        """The same with ticks of 10^-decimals: a file does not say that a tick is finer than its
        times are."""
        made = self
        while made.decimals < decimals:
            description = ReplanDescription(struct_size=ctypes.sizeof(ReplanDescription), now=FORBIDDEN,
                                            finer=min(decimals - made.decimals, FINER_PLACES))
            finer = InstanceHandle()
            with made._reading() as problem:
                call("duet_replan", problem, byref(description), byref(finer), None)
            made = self._holding(finer)
        return made

    @property
    def moldable(self) -> bool:
        """Whether tasks may run on several processors at once."""
        return bool(library.duet_instance_features(self._handle) & _MOLDABLE)

    @property
    def mixed_sets(self) -> bool:
        """Whether these may be of several types."""
        return bool(library.duet_instance_mixed_sets(self._handle))

    def _type(self, what: str, which: Union[str, int]) -> int:
        """The place of a type that is named or numbered."""
        types = list(self.platform)
        if isinstance(which, int) and which < len(types):
            return which
        if which not in types:
            raise UsageError(f"{what}: expected one of the types {', '.join(types)}, got "
                             f"{shown(which)}")
        return types.index(str(which))

    def _edge(self, edge: int) -> int:
        count = library.duet_instance_edges(self._handle)
        if not 0 <= edge < count:
            raise NoSuchIndexError(f"edge: expected one of the instance's {count}, from 0, got "
                                   f"{shown(edge)}")
        return edge

    def _numbers(self) -> Dict[str, int]:
        """The number of each id."""
        if self._number is None:
            self._number = {name: number for number, name in enumerate(self.ids)}
        return self._number

    def _named_task(self, task: Any) -> Any:
        """The id of a task, also of one that is numbered where no task has that id; all else as it is."""
        if is_whole(task) and str(task) not in self._numbers() and 0 <= task < len(self):
            return self._task_id(int(task))
        return task

    def _task(self, task: Union[int, str]) -> int:
        """The number of a task that is numbered or named."""
        if isinstance(task, str):
            if task not in self._numbers():
                raise NoSuchIndexError(f"task: expected the id of one, or 0 to {len(self) - 1}, got {shown(task)}")
            return self._numbers()[task]
        if not 0 <= task < len(self):
            raise NoSuchIndexError(f"task {task}: expected 0 to {len(self) - 1}")
        return task

    @overload
    def times(self, task: Union[int, str]) -> Dict[str, List[Decimal]]: ...

    @overload
    def times(self, task: Union[int, str], type: Union[str, int]) -> List[Decimal]: ...

    @checked
    def times(self, task: Union[int, str], type: Union[str, int, None] = None) -> Union[List[Decimal], Dict[str, List[Decimal]]]:
        """What a task takes on one, two, ... processors of a type, which is named or numbered; empty where
        it cannot run. One time where it is not moldable. Without a type those of each, by name."""
        if type is not None:
            return self._times_on(self._task(task), self._type("type", type))
        return {name: self._times_on(self._task(task), at) for at, name in enumerate(self.platform)}

    def _times_on(self, task: int, at: int) -> List[Decimal]:
        kind = library.duet_instance_kind_of(self._handle, task)
        sizes = library.duet_instance_sizes(self._handle, kind, at)
        return [self._time(library.duet_instance_moldable_time(self._handle, kind, at, p + 1))
                for p in range(sizes)]

    @checked
    def redistribution(self, edge: int, source: Tuple[Union[str, int], int],
                       target: Tuple[Union[str, int], int]) -> Decimal:
        """How long the data of an edge take from so many processors of a type, ("cpu", 4), to so
        many others."""
        return self._time(library.duet_instance_redistribution(
            self._handle, self._edge(edge), self._type("source", source[0]), source[1],
            self._type("target", target[0]), target[1]))

    def _named(self, platform: Mapping[str, int]) -> Sequence[int]:
        """The counts of processors by type, of a platform that may leave out those that are known."""
        counts = dict(self.platform)
        for name, count in platform.items():
            if name not in counts:
                raise UsageError(f"platform: expected the types {', '.join(counts)}, got {shown(name)}")
            counts[name] = count
        missing = [name for name in counts if name not in platform]
        if missing and not library.duet_instance_has_platform(self._handle):
            raise UsageError(f"platform: the file has no counts of processors, expected {', '.join(missing)}, too")
        return list(counts.values())

    def _overridden(self, m: Optional[int], k: Optional[Counts]) -> Sequence[int]:
        """The counts of processors, with m in the place of the first and k of the second (or, where
        it is a sequence, of all others)."""
        counts = list(self.platform.values())
        if m is not None:
            counts[0] = m
        if k is None:
            return counts
        given: Sequence[Any] = as_list(k) if hasattr(k, "__len__") else [k]
        if len(counts) == 1:
            raise UsageError("k: the instance has one type of processor")
        if hasattr(k, "__len__") and len(given) != len(counts) - 1:
            raise UsageError(f"k: {len(counts)} types of processors, expected {len(counts) - 1} "
                             f"numbers, got {len(given)}")
        for t, count in enumerate(given):
            counts[t + 1] = count
        return counts

    @checked
    def release(self, task: Union[int, str]) -> Decimal:
        """The time before which a task does not start."""
        return self._time(library.duet_instance_release(
            self._handle, library.duet_instance_kind_of(self._handle, self._task(task))))

    @checked
    def deadline(self, task: Union[int, str]) -> Optional[Decimal]:
        """When a task is to have ended, rounded down to a tick; None where nothing was said."""
        ticks = library.duet_instance_deadline(
            self._handle, library.duet_instance_kind_of(self._handle, self._task(task)))
        return None if ticks == FORBIDDEN else self._time(ticks)

    @checked
    def group(self, task: Union[int, str]) -> Optional[str]:
        """What a task belongs to, as was said; None where nothing was. Pictures, summaries and the noise
        `group:NAME=FACTOR` then go by what its id begins with."""
        group = library.duet_instance_group(
            self._handle, library.duet_instance_kind_of(self._handle, self._task(task)))
        return None if group is None else str(group.decode())

    @property
    def busy(self) -> Dict[str, List[Decimal]]:
        """Until when processors are busy: the times of each type that has such, as far as the last."""
        if not library.duet_instance_features(self._handle) & _BUSY:
            return {}
        busy = {}
        for entry in self.to_dict()["platform"]:
            times = [Decimal(time) for time in entry.get("busy", ())]
            while times and times[-1] == 0:
                times.pop()
            if times:
                busy[entry["type"]] = times
        return busy

    @property
    def without(self) -> Dict[str, List[int]]:
        """The processors that take no more tasks, counted from 0, of each type that has such."""
        lost = {name: [p for p in range(count) if library.duet_instance_is_lost(self._handle, t, p)]
                for t, (name, count) in enumerate(self.platform.items())}
        return {name: processors for name, processors in lost.items() if processors}

    @property
    def now(self) -> Optional[Decimal]:
        """From when on a plan that was under way goes on, None where there is none."""
        ticks = library.duet_instance_now(self._handle)
        return self._time(ticks) if ticks > 0 else None

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        """While the library reads the instance, by the handle that this gives, its platform stays."""
        handle = self._handle
        with self._lock:
            self._readers += 1
        try:
            yield handle
        finally:
            with self._lock:
                self._readers -= 1

    @property
    def name(self) -> str:
        """As in its file, or as given."""
        return string(library.duet_instance_name(self._handle))

    @property
    def unit(self) -> str:
        """The unit of times, "" where it has none."""
        return string(library.duet_instance_time_unit(self._handle))

    @property
    def start(self) -> Optional[datetime]:
        """The day and the time of time 0, None where it is not known."""
        return read_start(library.duet_instance_start(self._handle, ctypes.create_string_buffer(64)))

    @checked
    def set_start(self, start: Optional[Moment]) -> None:
        """Says when time 0 is, a datetime or a text such as "2026-11-27T09:00", in whole seconds. Pictures,
        tables and traces then have days and times of day, and deadline= and now= take such."""
        if start is not None and length_of_text("1" + self.unit) is None:
            raise UsageError("start: expected an instance whose times have a unit of time: unit= (ns, us, ms, s, min, "
                             "h or d)")
        self._begin(as_moment(start))

    def _begin(self, start: Optional[datetime]) -> None:
        call("duet_instance_set_start", self._handle, text_or_none("start", written(start)))

    @property
    def decimals(self) -> int:
        """One tick is 10^-decimals of the unit."""
        return int(library.duet_instance_decimals(self._handle))

    @property
    def platform(self) -> Mapping[str, int]:
        """Processors per type, in the order of the types."""
        types = library.duet_instance_types(self._handle)
        return {library.duet_instance_type_name(self._handle, t).decode():
                library.duet_instance_type_count(self._handle, t) for t in range(types)}

    @property
    def names(self) -> Mapping[str, List[str]]:
        """Names of the processors, such as hosts, of each type; those that have none come last and
        are left out."""
        found: Dict[str, List[str]] = {}
        for t, (type_, count) in enumerate(self.platform.items()):
            named = (library.duet_instance_processor_name(self._handle, t, p) for p in range(count))
            found[type_] = [name.decode() for name in itertools.takewhile(lambda name: name is not None, named)]
        return found

    @property
    def edges(self) -> List[Tuple[int, int]]:
        """Of a task graph, by numbers of tasks: (from, to)."""
        ends = (library.duet_instance_edge(self._handle, e)
                for e in range(library.duet_instance_edges(self._handle)))
        return [(edge.tail, edge.head) for edge in ends]

    @checked
    def cost(self, edge: int, source: Union[str, int], target: Union[str, int]) -> Decimal:
        """How long the data of an edge take from a processor of one type to another processor, of
        the same or another type."""
        return self._time(library.duet_instance_transfer(
            self._handle, self._edge(edge), self._type("source", source),
            self._type("target", target)))

    def _warn(self) -> None:
        """Says what was left out or rounded."""
        notice = self.notice
        if notice is not None:
            level, frame = 1, sys._getframe(0)
            while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
                level, frame = level + 1, frame.f_back  # to the caller of the module
            warnings.warn(notice, Note, stacklevel=level)

    @property
    def notice(self) -> Optional[str]:
        """What was left out or rounded, or None. It was a warning of the class Note, too."""
        said = text_of(library.duet_instance_notice(self._handle))
        return self._rounding or (None if said is None else in_python(said))

    def __len__(self) -> int:
        """Number of tasks."""
        return int(library.duet_instance_tasks(self._handle))

    def __repr__(self) -> str:
        machine = " + ".join(f"{count} {name}" for name, count in self.platform.items())
        return f"<duet.Instance {self.name!r}: {len(self)} tasks on {machine}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        edges = library.duet_instance_edges(self._handle)
        rows = {"instance": self.name, "tasks": len(self), **({"edges": edges} if edges else {}),
                "platform": " + ".join(f"{count} {name}" for name, count in self.platform.items()),
                **({"unit": self.unit} if self.unit else {}), **({"start": self.start} if self.start else {}), **({"note": self.notice} if self.notice else {})}
        return "<table>" + "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>"
                                   for name, value in rows.items()) + "</table>"

    @checked
    def set_platform(self, *counts: int) -> None:
        """Other numbers of processors, one per type: only before the first solution, which is about
        this platform, and not during a solve(). See copy()."""
        handle, numbers = self._handle, (c_int64 * len(counts))(*counts)
        with self._lock:
            if self._solved:
                raise UsageError("the instance has a solution, which is about its platform: set "
                                 "that of a copy()")
            if self._readers > 0:
                raise UsageError("the instance is being read, by a solve() for one: set the "
                                 "platform of a copy()")
            call("duet_instance_set_counts", handle, len(counts), numbers)

    @checked
    def time(self, ticks: int) -> Decimal:
        """Ticks in the instance's unit, exactly."""
        return self._time(ticks)

    def _time(self, ticks: int) -> Decimal:
        return in_unit(ticks, self.decimals)

    @property
    def ids(self) -> List[str]:
        """The names of all tasks."""
        return [self._task_id(task) for task in range(len(self))]

    @checked
    def task_id(self, task: int) -> str:
        """The name of a task, 0 <= task < len(instance)."""
        return self._task_id(self._task(task))

    def _task_id(self, task: int) -> str:
        size = library.duet_instance_task_id(self._handle, task, None, 0) + 1
        buffer = ctypes.create_string_buffer(size)
        library.duet_instance_task_id(self._handle, task, buffer, size)
        return buffer.value.decode()

    @classmethod
    def _read(cls: Type_[T], path: Optional[Path], params: ReadParams, options: Any,
              content: bytes = b"") -> T:
        """A file, or what would be its content. Python is interrupted while the library reads, which
        ends with the file; what it reads is there until then."""
        from ._solve import Options

        def work(_: Cancel) -> T:
            handle = InstanceHandle()
            with Options(options) as chosen, (
                    scratch(_DESCRIPTION, content) if path is None else nullcontext(path)) as file:
                params.options = chosen
                with about(str(file), "description") if path is None else nullcontext():
                    call("duet_read_instance", _path("path", file), byref(params), byref(handle))
            return cls._holding(handle)

        return interruptible(work, leave=True)

    @checked
    def write(self, path: Path, format: Optional[str] = None) -> None:
        """Writes the instance; the format follows from the ending where it is not given."""
        with self._reading():
            call("duet_write_instance", _path("path", path), text_or_none("format", format), self._handle)


# The members of an Instance that are not the user's.
_OWN = ("_owned", "_lock", "_readers", "_solved", "_rounding", "_number")


def _restored_instance(kind: Type_[Instance], text: bytes, decimals: int, notice: Optional[str],
                       start: Optional[datetime] = None) -> Instance:
    """How pickle makes an instance."""
    return kind._restored(text, decimals, notice, start)
