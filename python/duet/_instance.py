# SPDX-License-Identifier: Apache-2.0
"""Problems: tasks with a time on each type of processor, and the platform."""
from __future__ import annotations

import ctypes
import os
import re
import tempfile
import threading
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_int64, c_void_p
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._check import (INT64_MAX, UINT64_MAX, Path, path as _path, shown, text, text_or_none,
                     whole)
from ._graph import Edges, Graph, edges_after, read_edges
from ._json import to_json
from ._library import (MAX_DECIMALS, MAX_PROCESSORS, Description, DuetError, Edge, ReadParams, Type,
                       UsageError, call, library, string, text_of)
from ._table import Counts, ids_of, processors, read_table
from ._times import Times, as_list, in_unit, scaled

_TWO = ("cpu", "gpu")
_MOLDABLE = 4  # DUET_HANDLES_MOLDABLE
_DESCRIPTION = "duet-description.json"  # files of this name are not the user's


def _is_ticks(values: Any) -> bool:
    """Whether this is a NumPy array of 64-bit integers."""
    return (hasattr(values, "__array_interface__") and
            getattr(values, "dtype", None) is not None and values.dtype.str in ("<i8", "=i8"))


def _view(times: Any) -> memoryview:
    """Memory of n rows of two 64-bit integers."""
    try:
        view = memoryview(times)
    except TypeError:
        raise UsageError("times: expected contiguous 64-bit integers") from None
    if view.itemsize != 8 or view.format not in ("l", "q") or not view.c_contiguous:
        raise UsageError("times: expected contiguous 64-bit integers")
    if view.ndim != 2 or view.shape is None or view.shape[1] != len(_TWO):
        raise UsageError("times: expected rows of two")
    return view


class Instance:
    """A problem. Made by from_times(), from_table(), from_ticks(), read() or generate()."""

    def __init__(self, handle: c_void_p):
        """Takes over a handle of the library; not for users."""
        self._handle: Optional[c_void_p] = handle
        self._lock = threading.RLock()  # a signal's handler may come in between
        self._readers = 0  # calls of the library that read it now
        self._solved = False  # whether there was a solution of it
        self._rounding: Optional[str] = None  # what became of times that this module rounded

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            library.duet_instance_free(handle)

    @classmethod
    def from_times(cls, cpu: Times, gpu: Times, m: int, k: int, *,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   exact_times: bool = False, edges: Optional[Edges] = None) -> "Instance":
        """One kind of task per entry: its time on a CPU and on a GPU.

        `counts`: how many equal tasks each stands for (default: 1 each). `ids`: their names; the
        index of columns of pandas, where they are such. Times of more than nine decimal places are
        rounded to the finest tick that fits, and `notice` names the largest error; `exact_times`
        refuses them. `edges` make a task graph: (from, to) or (from, to, cost), tasks by number or
        id, cost a time between any two processors or rows of times by type. Two NumPy arrays of 64-bit integers, in which 2^63 - 1 forbids, are put
        together by one copy.
        """
        if len(cpu) != len(gpu):
            raise UsageError(f"{len(cpu)} CPU times and {len(gpu)} GPU times: expected as many")
        if edges is None and _is_ticks(cpu) and _is_ticks(gpu):
            import numpy
            rows = numpy.stack((numpy.asarray(cpu), numpy.asarray(gpu)), axis=1)
            if ids is None:
                ids = ids_of((cpu, gpu))
            return cls.from_ticks(rows, m, k, counts=counts, ids=ids, name=name, unit=unit)
        return cls.from_table({"cpu": cpu, "gpu": gpu}, m, k, counts=counts, ids=ids, name=name,
                              unit=unit, exact_times=exact_times, edges=edges)

    @classmethod
    def from_table(cls, times: Any, m: Optional[int] = None, k: Optional[Counts] = None, *,
                   platform: Optional[Mapping[str, int]] = None,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None,
                   exact_times: bool = False, edges: Optional[Edges] = None) -> "Instance":
        """Any number of processor types: `times` is a dictionary of columns by type, or a data frame
        of pandas, whose columns id (or task, name), count and after ("a;b": what each waits for)
        are no times. The numbers of processors
        are `platform`, by type, or m of the first type and k of the others. The rest as for
        from_times()."""
        table = read_table(times)
        names = list(table.columns)
        machine = [(text("processor type", name_), count)
                   for name_, count in processors(names, m, k, platform)]
        ids = table.ids if ids is None else ids
        counts = table.counts if counts is None else counts
        kinds = len(next(iter(table.columns.values())))
        repeats = cls._checked_counts(counts, kinds)
        if table.after is not None:
            edges = [*([] if edges is None else edges), *edges_after(table.after, repeats)]
        graph = read_edges(edges, ids, repeats, kinds, len(names))
        columns, decimals, notice = scaled(names, list(table.columns.values()), repeats,
                                           exact_times, graph.costs)
        flat: Any = (c_int64 * (len(names) * kinds))()
        for t, column in enumerate(columns):
            if t < len(names):
                flat[t::len(names)] = column
        instance = cls._create(flat, kinds, decimals, machine, counts, ids, name, unit,
                               graph._replace(costs=columns[-1]))
        instance._rounding = notice
        return instance

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> "Instance":
        """An instance as a JSON file says it (docs/formats.md), in particular of moldable tasks:

            {"platform": [{"type": "cpu", "count": 8, "speed": 2.5, "bandwidth": 1e9}],
             "network": {"latency": 1e-4},
             "tasks": [{"id": "a", "work": 40, "alpha": 0.1},
                       {"id": "b", "times": [[9, 5, 4]]}],
             "edges": [{"from": "a", "to": "b", "data": 1e6}]}

        Numbers may be decimals; None forbids a type."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, _DESCRIPTION)
            with open(file, "w", encoding="utf-8") as out:
                out.write(to_json({"name": "unnamed", **description}))
            try:
                return read(file)
            except DuetError as fault:
                text_ = re.sub(rf"\S*{re.escape(_DESCRIPTION)}(?::\d+)?(?::\d+)?", "description",
                               str(fault))
                raise type(fault)(text_) from None

    @classmethod
    def from_ticks(cls, times: Any, m: int, k: int, *, decimals: int = 0,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None) -> "Instance":
        """`times`: anything with the buffer protocol, n rows of two 64-bit integers, contiguous,
        which the library reads in place (read-only memory is copied before) and not after this
        call; 2^63 - 1 forbids. One tick is 10^-decimals of the unit."""
        view = _view(times)
        n = len(view)
        flat: Any
        if n == 0:
            flat = (c_int64 * 0)()
        elif view.readonly:
            flat = (c_int64 * (len(_TWO) * n)).from_buffer_copy(view)
        else:
            flat = (c_int64 * (len(_TWO) * n)).from_buffer(view)
        machine = [(b"cpu", whole("m", m, 0, MAX_PROCESSORS)),
                   (b"gpu", whole("k", k, 0, MAX_PROCESSORS))]
        return cls._create(flat, n, decimals, machine, counts, ids, name, unit)

    @staticmethod
    def _checked_counts(counts: Optional[Sequence[int]], kinds: int) -> Optional[Sequence[int]]:
        """As whole numbers, one for each kind."""
        if counts is None:
            return None
        if len(counts) != kinds:
            raise UsageError(f"{len(counts)} counts: expected {kinds}")
        return [whole(f"counts[{i}]", c, 1, INT64_MAX) for i, c in enumerate(as_list(counts))]

    @classmethod
    def _create(cls, flat: Any, kinds: int, decimals: int, machine: Sequence[Tuple[bytes, int]],
                counts: Optional[Sequence[int]], ids: Optional[Sequence[str]],
                name: Optional[str], unit: Optional[str],
                graph: Optional[Graph] = None) -> "Instance":
        repeats = cls._checked_counts(counts, kinds)
        if ids is not None and len(ids) != kinds:
            raise UsageError(f"{len(ids)} ids: expected {kinds}")
        description = Description(name=text_or_none("name", name),
                                  time_unit=text_or_none("unit", unit),
                                  decimals=whole("decimals", decimals, 0, MAX_DECIMALS))
        if repeats is not None:
            description.counts = (c_int64 * kinds)(*repeats)
        if ids is not None:
            description.ids = (c_char_p * kinds)(
                *(text(f"ids[{i}]", task) for i, task in enumerate(ids)))
        if graph is not None and graph.ends:
            cls._add_edges(description, graph, len(machine))
        return cls._describe(description, machine, flat, kinds)

    @staticmethod
    def _add_edges(description: Description, graph: Graph, types: int) -> None:
        """Costs in ticks."""
        description.edges = len(graph.ends)
        description.edge = (Edge * len(graph.ends))(
            *(Edge(tail, head, table) for (tail, head), table in zip(graph.ends, graph.table)))
        description.cost_tables = len(graph.costs) // (types * types)
        description.costs = (c_int64 * len(graph.costs))(*graph.costs)

    @classmethod
    def _describe(cls, description: Description, machine: Sequence[Tuple[bytes, int]], flat: Any,
                  kinds: int) -> "Instance":
        """With what every description has: a platform and times."""
        description.struct_size = ctypes.sizeof(Description)
        description.types = len(machine)
        description.platform = (Type * len(machine))(*(Type(*row) for row in machine))
        description.kinds = kinds
        description.times = ctypes.cast(flat, ctypes.POINTER(c_int64))
        handle = c_void_p()
        call("duet_instance_create", byref(description), byref(handle))
        return cls(handle)

    def copy(self, m: Optional[int] = None, k: Optional[Counts] = None) -> "Instance":
        """The same problem once more, on its own platform; m and k override that."""
        if self.moldable:
            other = self._written_and_read()
            other.set_platform(*other._overridden(m, k))
            return other
        with self._reading():
            handle = self._handle
            types = library.duet_instance_types(handle)
            kinds = range(library.duet_instance_kinds(handle))
            machine = [(library.duet_instance_type_name(handle, t),
                        library.duet_instance_type_count(handle, t)) for t in range(types)]
            if not library.duet_instance_has_platform(handle):
                counts = self._overridden(m, k)
                machine = [(name, count) for (name, _), count in zip(machine, counts)]
            description = Description(
                name=library.duet_instance_name(handle),
                time_unit=library.duet_instance_time_unit(handle),
                decimals=library.duet_instance_decimals(handle),
                ids=(c_char_p * len(kinds))(*(library.duet_instance_kind_id(handle, i)
                                              for i in kinds)),
                counts=(c_int64 * len(kinds))(*(library.duet_instance_kind_count(handle, i)
                                                for i in kinds)),
                claim=library.duet_instance_claim(handle))
            flat = (c_int64 * (types * len(kinds)))(
                *(library.duet_instance_time(handle, i, t) for i in kinds for t in range(types)))
            if self.edges:
                self._add_edges(description, self._graph(), types)
            other = self._describe(description, machine, flat, len(kinds))
        other.set_platform(*other._overridden(m, k))
        other._rounding = self._rounding
        return other

    def _written_and_read(self) -> "Instance":
        """The same once more, by way of a file."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, _DESCRIPTION)
            self.write(file)
            return read(file)

    @property
    def moldable(self) -> bool:
        """Whether tasks may run on several processors at once."""
        return bool(library.duet_instance_features(self._handle) & _MOLDABLE)

    def _type(self, name: str) -> int:
        types = list(self.platform)
        if name not in types:
            raise UsageError(f"expected one of the types {', '.join(types)}, got {shown(name)}")
        return types.index(name)

    def times(self, task: int, type: str) -> List[Decimal]:
        """What a task takes on one, two, ... processors of a type; empty where it cannot run. One
        time where it is not moldable."""
        self.task_id(task)  # an IndexError where there is none
        kind = library.duet_instance_kind_of(self._handle, task)
        at = self._type(type)
        sizes = library.duet_instance_sizes(self._handle, kind, at)
        return [self.time(library.duet_instance_moldable_time(self._handle, kind, at, p + 1))
                for p in range(sizes)]

    def redistribution(self, edge: int, source: Tuple[str, int], target: Tuple[str, int]) -> Decimal:
        """How long the data of an edge take from so many processors of a type, ("cpu", 4), to so
        many others."""
        number = whole("edge", edge, 0, INT64_MAX)
        if number >= library.duet_instance_edges(self._handle):
            raise IndexError(f"edge {number}: expected one of the instance's")
        counts = [whole("processors", count, 1, MAX_PROCESSORS) for _, count in (source, target)]
        return self.time(library.duet_instance_redistribution(
            self._handle, number, self._type(source[0]), counts[0], self._type(target[0]),
            counts[1]))

    def _named(self, platform: Mapping[str, int]) -> Sequence[int]:
        """The counts of processors by type, of a platform that may leave out those that are known."""
        counts = dict(self.platform)
        for name, count in platform.items():
            if name not in counts:
                raise UsageError(f"platform: expected the types {', '.join(counts)}, got {shown(name)}")
            counts[name] = whole(f"platform[{shown(name)}]", count, 0, MAX_PROCESSORS)
        missing = [name for name in counts if name not in platform]
        if missing and not library.duet_instance_has_platform(self._handle):
            raise UsageError(f"platform: the file has no counts of processors, expected {', '.join(missing)}, too")
        return list(counts.values())

    def _overridden(self, m: Optional[int], k: Optional[Counts]) -> Sequence[int]:
        """The counts of processors, with m in the place of the first and k of the second (or, where
        it is a sequence, of all others)."""
        counts = list(self.platform.values())
        if m is not None:
            counts[0] = whole("m", m, 0, MAX_PROCESSORS)
        if k is None:
            return counts
        given: Sequence[Any] = as_list(k) if hasattr(k, "__len__") else [k]
        if len(counts) == 1:
            raise UsageError("k: the instance has one type of processor")
        if hasattr(k, "__len__") and len(given) != len(counts) - 1:
            raise UsageError(f"k: {len(counts)} types of processors, expected {len(counts) - 1} "
                             f"numbers, got {len(given)}")
        for t, count in enumerate(given):
            counts[t + 1] = whole("k", count, 0, MAX_PROCESSORS)
        return counts

    def _graph(self) -> Graph:
        """The edges with their costs in ticks."""
        handle = self._handle
        types = range(library.duet_instance_types(handle))
        graph = Graph([], [], [])
        known: Dict[int, int] = {}  # table by the library's number
        for e in range(library.duet_instance_edges(handle)):
            edge = library.duet_instance_edge(handle, e)
            graph.ends.append((edge.tail, edge.head))
            if edge.cost not in known:
                known[edge.cost] = len(known)
                graph.costs.extend(library.duet_instance_transfer(handle, e, a, b)
                                   for a in types for b in types)
            graph.table.append(known[edge.cost])
        return graph

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """While the library reads the instance, its platform stays."""
        with self._lock:
            self._readers += 1
        try:
            yield
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
    def edges(self) -> List[Tuple[int, int]]:
        """Of a task graph, by numbers of tasks: (from, to)."""
        ends = (library.duet_instance_edge(self._handle, e)
                for e in range(library.duet_instance_edges(self._handle)))
        return [(edge.tail, edge.head) for edge in ends]

    def cost(self, edge: int, source: str, target: str) -> Decimal:
        """How long the data of an edge take from a processor of one type to another processor, of
        the same or another type."""
        number = whole("edge", edge, 0, INT64_MAX)
        types = list(self.platform)
        if number >= library.duet_instance_edges(self._handle):
            raise IndexError(f"edge {number}: expected one of the instance's")
        for name in (source, target):
            if name not in types:
                raise UsageError(f"expected one of the types {', '.join(types)}, got {shown(name)}")
        return self.time(library.duet_instance_transfer(self._handle, number, types.index(source),
                                                        types.index(target)))

    @property
    def notice(self) -> Optional[str]:
        """What was left out or rounded, or None."""
        return self._rounding or text_of(library.duet_instance_notice(self._handle))

    def __len__(self) -> int:
        """Number of tasks."""
        return int(library.duet_instance_tasks(self._handle))

    def __repr__(self) -> str:
        machine = " + ".join(f"{count} {name}" for name, count in self.platform.items())
        return f"<duet.Instance {self.name!r}: {len(self)} tasks on {machine}>"

    def set_platform(self, *counts: int) -> None:
        """Other numbers of processors, one per type: only before the first solution, which is about
        this platform, and not during a solve(). See copy()."""
        numbers = (c_int64 * len(counts))(
            *(whole("platform", c, 0, MAX_PROCESSORS) for c in counts))
        with self._lock:
            if self._solved:
                raise UsageError("the instance has a solution, which is about its platform: set "
                                 "that of a copy()")
            if self._readers > 0:
                raise UsageError("the instance is being read, by a solve() for one: set the "
                                 "platform of a copy()")
            call("duet_instance_set_counts", self._handle, len(counts), numbers)

    def time(self, ticks: int) -> Decimal:
        """Ticks in the instance's unit, exactly."""
        return in_unit(whole("ticks", ticks, -INT64_MAX - 1, INT64_MAX), self.decimals)

    def task_id(self, task: int) -> str:
        """The name of a task, 0 <= task < len(instance)."""
        task = whole("task", task, -INT64_MAX - 1, INT64_MAX)
        if not 0 <= task < len(self):
            raise IndexError(f"task {task}: expected 0 to {len(self) - 1}")
        size = library.duet_instance_task_id(self._handle, task, None, 0) + 1
        buffer = ctypes.create_string_buffer(size)
        library.duet_instance_task_id(self._handle, task, buffer, size)
        return buffer.value.decode()

    def write(self, path: Path, format: Optional[str] = None) -> None:
        """Writes the instance; the format follows from the ending where it is not given."""
        with self._reading():
            call("duet_write_instance", _path(path), text_or_none("format", format), self._handle)


def _column_name(name: Any) -> str:
    """A name for the library's list of columns, in quotes where it needs them."""
    if not isinstance(name, str):
        raise UsageError(f"columns: expected names, got {shown(name)}")
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


def read(path: Path, m: Optional[int] = None, k: Optional[Counts] = None, *,
         columns: Union[None, str, Mapping[str, str], Sequence[str]] = None,
         exact_times: bool = False, unit: Optional[str] = None,
         platform: Optional[Mapping[str, int]] = None,
         options: Optional[Mapping[str, object]] = None) -> Instance:
    """Reads an instance of any format the library knows; m and k (of each further type, where it is
    a sequence), or `platform`, {"cpu": 8, "gpu": 2}, override its own. Where the file has no counts of processors both are given, or
    neither, and set_platform() follows.

    `columns` picks and names the columns of a CSV file: {"cpu": "time_cpu", "gpu": "time_gpu"}, or a
    text as the command takes it. Times of more than nine decimal places are rounded to the finest
    tick that fits, and `notice` of the instance names the largest error; `exact_times` refuses them.
    `unit` is that of the times where the file names none, such as a CSV file; a file that names another
    one is refused.

    `options` are those of the command's -O: {"gpu": 15} makes a second type where the file knows one
    time of each task, {"edges": False} takes the tasks of a graph as independent.
    """
    from ._solve import Options
    handle = c_void_p()
    with Options(options) as chosen:
        params = ReadParams(struct_size=ctypes.sizeof(ReadParams),
                            columns=text_or_none("columns", _column_list(columns)),
                            exact_times=bool(exact_times),
                            time_unit=text_or_none("unit", unit), options=chosen)
        call("duet_read_instance_with", _path(path), byref(params), byref(handle))
    instance = Instance(handle)
    if platform is not None:
        if m is not None or k is not None:
            raise UsageError("expected either m and k or a platform")
        instance.set_platform(*instance._named(platform))
    elif m is not None or k is not None:
        if not library.duet_instance_has_platform(handle) and len(instance.platform) > 1:
            for what, given in (("m", m), ("k", k)):
                if given is None:
                    raise UsageError(f"{what}: the file has no counts of processors, expected m and k")
            further = len(instance.platform) - 1
            if further > 1 and not hasattr(k, "__len__"):
                raise UsageError(f"k: {further + 1} types of processors ({', '.join(instance.platform)}), expected "
                                 f"{further} numbers, got one")
        instance.set_platform(*instance._overridden(m, k))
    return instance


def generate(family: str, n: int = 0, m: int = 4, k: int = 2, *, seed: int = 0,
             options: Optional[Mapping[str, object]] = None) -> Instance:
    """An instance of a family (see families()); the same arguments give the same instance."""
    from ._solve import Options
    handle = c_void_p()
    with Options(options) as given:
        call("duet_generate", text("family", family), whole("n", n, 0, INT64_MAX),
             whole("m", m, 0, MAX_PROCESSORS), whole("k", k, 0, MAX_PROCESSORS),
             whole("seed", seed, 0, UINT64_MAX), given, byref(handle))
    return Instance(handle)
