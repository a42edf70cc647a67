# SPDX-License-Identifier: Apache-2.0
"""Tables of times: a dictionary of columns or a data frame of pandas, which need not be there."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

from ._check import Numbered, column, is_whole, shown, whole
from ._fields import sort_columns, word_of
from ._library import MAX_PROCESSORS, UsageError
from ._times import as_list, exact_time, is_missing, may_be_time


class FrameLike(Protocol):
    """A data frame of pandas, for type checkers."""

    @property
    def columns(self) -> Any: ...
    @property
    def index(self) -> Any: ...
    def items(self) -> Iterable[Tuple[Any, Any]]: ...


# Columns by type, rows, a data frame; an array of NumPy is among Times.
TableLike = Union[Mapping[str, Any], Sequence[Mapping[str, Any]], FrameLike]


class Table(NamedTuple):
    """Times by processor type, with what else a table says of its tasks."""
    columns: Dict[str, Any]
    ids: Optional[List[str]]
    counts: Optional[List[Any]]
    after: Optional[List[Any]] = None  # what each waits for
    before: Optional[List[Any]] = None  # what waits for each
    notes: Sequence[str] = ()
    release: Optional[List[Any]] = None  # the time before which each does not start
    cores: Optional[List[Any]] = None  # on how many processors each runs at once
    deadline: Optional[List[Any]] = None  # when each is to have ended
    group: Optional[List[Any]] = None  # what each belongs to
    order_names: Tuple[str, str] = ("after", "before")


def is_table(value: Any) -> bool:
    """Whether this holds the columns of several types."""
    return (isinstance(value, Mapping) or _is_frame(value) or _is_matrix(value) or _is_rows(value) or
            _is_nested(value))


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "index") and hasattr(value, "items")


def _is_matrix(value: Any) -> bool:
    """An array of NumPy with a row for each task."""
    return getattr(value, "ndim", None) == 2 and hasattr(value, "T") and not _is_frame(value)


def _is_rows(value: Any) -> bool:
    """A list of dictionaries, as json.load() and csv.DictReader have tables."""
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(row, Mapping) for row in value)


def _is_nested(value: Any) -> bool:
    """A list of lists of one length, a row for each task."""
    rows = isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(row, (list, tuple)) for row in value)
    return rows and len({len(row) for row in value}) == 1 and len(value[0]) > 0


def index_of(value: Any) -> Any:
    """The index of a column of pandas; None for anything else (lists have a method index())."""
    index = getattr(value, "index", None)
    return None if index is None or callable(index) else index


def ids_of(columns: Sequence[Any]) -> Optional[List[str]]:
    """The ids that columns of pandas have: their common index. None where none has one."""
    indices = [index for index in map(index_of, columns) if index is not None]
    if not indices:
        return None
    if any(len(index) != len(indices[0]) or not index.equals(indices[0]) for index in indices[1:]):
        raise UsageError("the columns have different indices: expected one row per task, in the "
                         "same order")
    labels = indices[0].tolist()
    return _labels(labels) if labels != list(range(len(labels))) else [str(label) for label in labels]


def _labels(values: Sequence[Any]) -> List[str]:
    """Ids, which may be whole numbers."""
    read = [str(value) for value in values]
    return Numbered(read) if read and all(map(is_whole, values)) else read


def _of_matrix(matrix: Any, types: Sequence[str]) -> List[Tuple[str, Any]]:
    """The columns of an array; without names of types they are cpu, gpu, gpu2, ..."""
    width = int(matrix.shape[1]) if hasattr(matrix, "shape") else len(matrix[0])
    names = list(types) or ["cpu", "gpu", *(f"gpu{i}" for i in range(2, width))][:width]
    if len(names) != width:
        raise UsageError(f"an array of {width} columns: expected as many types of processors, got {', '.join(names)}")
    return list(zip(names, matrix.T if hasattr(matrix, "T") else map(list, zip(*matrix))))


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> List[Tuple[str, Any]]:
    """The columns of dictionaries; what one does not have is missing."""
    names: Dict[Any, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return [(name, [row.get(name) for row in rows]) for name in names]


def _unsplit(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What DataFrame.to_dict("split") has, by column; of labels of rows that are no numbers of rows, too."""
    if not {"columns", "data"} <= set(value) <= {"columns", "data", "index", "index_names", "column_names"}:
        return value
    labels = list(value.get("index", ()))
    columns = {name: [row[i] for row in value["data"]] for i, name in enumerate(value["columns"])}
    named = any(word_of(str(name), [], ()) == "id" for name in columns)
    return columns if named or labels == list(range(len(labels))) else {"id": labels, **columns}


def _turned(value: Mapping[str, Any], types: Sequence[str]) -> Mapping[str, Any]:
    """Columns of dictionaries, by column: DataFrame.to_dict("index") has them by row."""
    if not value or not all(isinstance(row, Mapping) for row in value.values()):
        return value
    inner = list(dict.fromkeys(name for row in value.values() for name in row))

    def columns_among(names: Sequence[Any]) -> int:
        return sum(isinstance(name, str) and (name in types or word_of(name, [], ()) != "" or
                                              name.lower().startswith(("cpu", "gpu"))) for name in names)

    outer_columns, inner_columns = columns_among(list(value)), columns_among(inner)
    if (outer_columns > 0) == (inner_columns > 0):
        if not all(isinstance(name, str) for name in inner):
            return value
        if all(isinstance(name, str) for name in value):
            raise UsageError("a table of which nothing says whether its rows or its columns come first: expected "
                             "to_dict(\"records\"), or platform={...} with the names of the columns")
    elif outer_columns > 0:
        return value
    turned: Dict[str, Any] = {name: {label: row.get(name) for label, row in value.items()} for name in inner}
    return turned


def _of_mapping(columns: Mapping[str, Any]) -> Tuple[List[Tuple[str, Any]], Optional[List[str]]]:
    """Columns that are dictionaries, as DataFrame.to_dict() has them, go by value: their keys are ids."""
    if not any(isinstance(column, Mapping) for column in columns.values()):
        return list(columns.items()), None
    keys = next(list(column) for column in columns.values() if isinstance(column, Mapping))
    for name, values in columns.items():
        if not isinstance(values, Mapping) or set(values) != set(keys):
            raise UsageError(f"times[{shown(name)}]: expected a dictionary with the keys of the other columns")
    return [(name, [column[key] for key in keys]) for name, column in columns.items()], list(map(str, keys))


def _refuse_texts(times: Mapping[str, Any]) -> None:
    """Columns of words, such as names of teams, are no times."""
    for name, values in times.items():
        for given in as_list(values):
            if isinstance(given, str) and not may_be_time(given):  # of others more is said where they are read
                try:
                    exact_time(given, name)
                except UsageError:
                    raise UsageError(f"column {shown(name)}: expected times of a processor type of that name, got {shown(given)}; "
                                     "a table without it passes over what is no time") from None
            if not is_missing(given):
                break


def read_table(value: Any, types: Sequence[str] = ()) -> Table:
    """What is_table() takes, as columns. `types` are names that the caller calls processor types."""
    keys: Optional[List[str]] = None
    if _is_frame(value):
        columns = list(value.items())
    elif _is_matrix(value) or _is_nested(value):
        columns = _of_matrix(value, types)
    elif _is_rows(value):
        columns = _of_rows(value)
    else:
        columns, keys = _of_mapping(_turned(_unsplit(value), types))
        columns = [(_type_name(name), column(f"times[{shown(name)}]", values)) for name, values in columns]
    fields = sort_columns(columns, types)
    if not fields.times:
        raise UsageError("no column of times: expected one per processor type")
    _refuse_texts(fields.times)
    single = {"ids": fields.ids, "counts": fields.counts, "after": fields.after, "before": fields.before}
    every = {**fields.times, **fields.more, **{word: given for word, given in single.items() if given is not None}}
    lengths = {name: len(column) for name, column in every.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError("columns of different lengths: " +
                         ", ".join(f"{count} of {name}" for name, count in lengths.items()))
    ids = keys if fields.ids is None else _labels(as_list(fields.ids))

    def listed(given: Optional[Any]) -> Optional[List[Any]]:
        return None if given is None else as_list(given)

    return Table(fields.times, ids if ids is not None else ids_of(list(fields.times.values())), listed(fields.counts),
                 listed(fields.after), listed(fields.before), tuple(fields.notes),
                 order_names=fields.order_names, **{word: as_list(given) for word, given in fields.more.items()})


def _type_name(name: Any) -> str:
    if not isinstance(name, str):
        raise UsageError(f"times: a processor type: expected its name, a text, got {shown(name)}")
    return name


Counts = Union[int, Sequence[int]]


def processors(names: Sequence[str], m: Optional[int], k: Optional[Counts],
               platform: Optional[Mapping[str, int]]) -> List[Tuple[str, int]]:
    """How many processors of each type there are: by name, or as m and k of the command."""
    if platform is not None:
        if m is not None or k is not None:
            raise UsageError("expected either a platform or m and k")
        if sorted(platform) != sorted(names):
            raise UsageError(f"platform: expected the number of processors of {', '.join(names)}, "
                             f"got {', '.join(map(str, platform)) or 'none'}")
        return [(name, whole(f"platform[{name}]", platform[name], 0, MAX_PROCESSORS))
                for name in names]
    rest: List[Any] = [] if k is None else as_list(k) if hasattr(k, "__len__") else [k]
    if m is None or len(rest) != len(names) - 1:
        wanted = ", ".join(f"{name!r}: ..." for name in names)
        others = "" if len(names) == 1 else " and k" if len(names) == 2 else f" and k=[...], {len(names) - 1} numbers"
        types = "1 processor type" if len(names) == 1 else f"{len(names)} processor types"
        got = " and ".join(f"{name}={value!r}" for name, value in (("m", m), ("k", k)) if value is not None)
        raise UsageError(f"{types}: expected platform={{{wanted}}}, or m{others}" + (f", got {got}" if got else ""))
    return [(names[0], whole("m", m, 0, MAX_PROCESSORS))] + [
        (name, whole("k", count, 0, MAX_PROCESSORS)) for name, count in zip(names[1:], rest)]
