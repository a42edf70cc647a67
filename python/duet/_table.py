# SPDX-License-Identifier: Apache-2.0
"""Tables of times: a dictionary of columns or a data frame of pandas, which need not be there."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._check import column, shown, whole
from ._library import MAX_PROCESSORS, UsageError
from ._times import as_list

_ID_NAMES = ("id", "task", "name")


class Table(NamedTuple):
    """Times by processor type, with what else a data frame says of its tasks."""
    columns: Dict[str, Any]
    ids: Optional[List[str]]
    counts: Optional[List[Any]]
    after: Optional[List[Any]] = None  # what each waits for


def is_table(value: Any) -> bool:
    """Whether this holds the columns of several types."""
    return isinstance(value, Mapping) or _is_frame(value)


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "index") and hasattr(value, "items")


def _index_of(value: Any) -> Any:
    """The index of a column of pandas; None for anything else (lists have a method index())."""
    index = getattr(value, "index", None)
    return None if index is None or callable(index) else index


def ids_of(columns: Sequence[Any]) -> Optional[List[str]]:
    """The ids that columns of pandas have: their common index. None where none has one."""
    indices = [index for index in map(_index_of, columns) if index is not None]
    if not indices:
        return None
    if any(len(index) != len(indices[0]) or not index.equals(indices[0]) for index in indices[1:]):
        raise UsageError("the columns have different indices: expected one row per task, in the "
                         "same order")
    return [str(label) for label in indices[0].tolist()]


def _of_frame(frame: Any) -> Table:
    """The columns of a data frame, by the rules of CSV files."""
    ids: Optional[List[str]] = None
    counts: Optional[List[Any]] = None
    after: Optional[List[Any]] = None
    columns: Dict[str, Any] = {}
    for name, column in frame.items():
        key = str(name).strip()
        if ids is None and key.lower() in _ID_NAMES:
            ids = [str(label) for label in column.tolist()]
        elif counts is None and key.lower() == "count":
            counts = column.tolist()
        elif after is None and key.lower() == "after":
            after = column.tolist()
        elif key in columns:
            raise UsageError(f"two columns are called {shown(key)}: expected distinct names")
        else:
            columns[key] = column
    return Table(columns, ids, counts, after)


def read_table(value: Any) -> Table:
    """What is_table() takes, as columns."""
    table = _of_frame(value) if _is_frame(value) else Table(
        {_type_name(name): column(f"times[{shown(name)}]", values) for name, values in value.items()},
        None, None)
    if not table.columns:
        raise UsageError("no column of times: expected one per processor type")
    lengths = {name: len(column) for name, column in table.columns.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError("columns of different lengths: " +
                         ", ".join(f"{count} of {name}" for name, count in lengths.items()))
    if table.ids is None:
        return table._replace(ids=ids_of(list(table.columns.values())))
    return table


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
        raise UsageError(f"{len(names)} processor types: expected platform={{{wanted}}}, or m and "
                         f"{len(names) - 1} numbers as k")
    return [(names[0], whole("m", m, 0, MAX_PROCESSORS))] + [
        (name, whole("k", count, 0, MAX_PROCESSORS)) for name, count in zip(names[1:], rest)]
