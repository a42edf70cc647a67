# SPDX-License-Identifier: Apache-2.0
"""What the columns of a table mean, by the words that files are read by."""
from __future__ import annotations

import math
import operator
import re
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple

from ._check import has_rows, is_flag, shown
from ._library import UsageError, library
from ._times import as_list, is_missing, may_be_time, says_nothing

_CORE_IDS = ("id", "task", "name")
_PROCESSORS = ("cpus", "vcpus", "cores", "threads", "procs", "processors", "slots", "nodes", "ranks")
_UNIT = re.compile(r"[ _.,/()\[\]{}%#-](ns|us|ms|msec|s|sec|secs|seconds|milliseconds|m|min|mins|minutes|h|hr|hrs|hours|d|days)\W*$", re.I)
_SAME_UNIT = {"msec": "ms", "milliseconds": "ms", "sec": "s", "secs": "s", "seconds": "s", "m": "min", "mins": "min",
              "minutes": "min", "hr": "h", "hrs": "h", "hours": "h", "days": "d"}
_DATES = re.compile("date|due|datum|termin|eingang|faellig|fällig", re.I)
_MORE = ("release", "cores", "deadline", "group")
WHY = {"id": "another column names the tasks", "count": "another column says how many tasks there are", "after": "the order is read from another column",
       "before": "the order is read from another column",
       "priority": "heteroprio alone takes priorities, and from files",
       "weight": "tasks have no weights, the makespan alone counts", "memory": "memory and other resources are no limit",
       "setup": "set-up times are not known: they are part of the times, or none", "remark": "remarks do not count",
       "run": "how a task was run once does not count",
       "limit": "how long a task may run is no limit, nor is when it may start at the latest"}


class Fields(NamedTuple):
    """The columns of a table by what they mean."""
    times: Dict[str, Any]
    ids: Optional[Any]
    counts: Optional[Any]
    after: Optional[Any]
    before: Optional[Any]
    order_names: Tuple[str, str]  # of the two columns before
    more: Dict[str, Any]  # by the words of _MORE, where there are such
    notes: List[str]


def word_of(name: str, names: Iterable[str], types: Iterable[str]) -> str:
    """What a column says of a task; "" where it is a processor type."""
    lower = [other.lower() for other in names]
    if name in types or (name.lower() == "cpus" and "gpus" in lower) or "\0" in name:
        return ""
    word = library.duet_field_word(name.encode(errors="replace"))
    if word == b"timed":
        raise UsageError(f"{name}: expected a name without a unit, the times being in the unit of all others")
    return "" if word in (None, b"length", b"type") else str(word.decode())


def _check_types(words: Mapping[str, str], times: Iterable[str], types: Iterable[str]) -> None:
    """Of two columns that say how long a task takes one is no processor type; names of processors, or of units, may
    say something else."""
    new = [name for name in times if name not in types]
    lengths = [name for name in new if library.duet_field_word(name.encode(errors="replace")) == b"length"]
    counts = [name for name in new if name.lower() in ("cpus", "gpus")]
    sizes = [name for name, word in words.items() if word == "cores" and name.lower() in _PROCESSORS]
    units = {_UNIT.findall(name)[0].lower(): name for name in new if _UNIT.search(name)}
    if len(lengths) > 1:
        raise UsageError(f"{lengths[0]} and {lengths[1]}: both say how long a task takes, expected one of them, or platform= "
                         "with both, if they are processor types")
    if lengths and counts:
        raise UsageError(f"{counts[0]} beside {lengths[0]}: may be a processor type, or how many of them a task needs; expected "
                         "platform= with all types, or a table without it")
    if sizes and new and all(name.lower().startswith(("gpu", "cuda", "opencl")) for name in times):
        raise UsageError(f"{sizes[0]} beside {new[0]}: may be a processor type, or on how many processors a task runs at once; "
                         "expected platform= with both as types, or num_cores for the latter")
    if len({_SAME_UNIT.get(unit, unit) for unit in units}) > 1:
        raise UsageError(f"{' and '.join(units.values())}: name different units of time, expected one unit everywhere, or "
                         "platform= with all of them, if they are none")


def unit_of(names: Iterable[str]) -> Optional[str]:
    """The unit that names of processor types end in, what the times are in where a unit is needed and none is given."""
    units = [_UNIT.findall(name)[0].lower() for name in names if _UNIT.search(name)]
    return _SAME_UNIT.get(units[0], units[0]) if units else None


def _first(named: List[Tuple[str, Any]], words: List[str], word: str) -> Optional[int]:
    """The first column of that meaning; of ids one called id, task or name, if there is one."""
    found = [i for i, given in enumerate(words) if given == word]
    core = [i for i in found if word == "id" and named[i][0].lower() in _CORE_IDS]
    return next(iter(core or found), None)


def _holds_times(column: Any) -> bool:
    """Whether a column of a table may be one of times: some value may be one, or it has none at all."""
    given = [value for value in as_list(column) if not (is_missing(value) or says_nothing(value))]
    return not given or any(map(may_be_time, given))


def _counts_days(name: str, column: Any) -> bool:
    """Whether a column of dates has numbers alone as spreadsheets number days, as files are read."""
    given = [value for value in as_list(column) if not (is_missing(value) or says_nothing(value))]
    try:
        return bool(given) and _DATES.search(name) is not None and all(40000 <= int(float(value)) <= 60000 for value in given)
    except (TypeError, ValueError, OverflowError):
        return False


def sort_columns(items: Iterable[Tuple[Any, Any]], types: Iterable[str]) -> Fields:
    """The columns of a table; `types` are names that the caller calls processor types."""
    named = [(str(name).strip(), column) for name, column in items]
    names = [name for name, _ in named]
    words = [word_of(name, names, types) for name in names]
    counted = [i for i, word in enumerate(words) if word == "count"]
    counts = next(iter([i for i in counted if names[i].lower() == "count"] or counted), None)
    ids, after, before = (_first(named, words, word) for word in ("id", "after", "before"))

    def values(at: Optional[int]) -> Optional[Any]:
        return None if at is None else named[at][1]

    order = (names[after] if after is not None else "after", names[before] if before is not None else "before")
    fields = Fields({}, values(ids), values(counts), values(after), values(before), order, {}, [])
    for i, (name, column) in enumerate(named):
        if i in (ids, counts, after, before):
            continue
        if words[i] in _MORE:
            if words[i] in fields.more:
                raise UsageError(f"{name}: another column says the {words[i]}, too: expected one")
            fields.more[words[i]] = column
            if words[i] in ("release", "deadline") and _counts_days(name, column):
                fields.notes.append(f'the numbers of "{name}" are from 40000 to 60000, as spreadsheets number days: they are taken as '
                                    "numbers in the unit of the times; pandas.to_datetime() with origin=\"1899-12-30\" and "
                                    "unit=\"D\" makes days of them")
        elif words[i]:
            fields.notes.append(f'column "{name}" is not used: {WHY[words[i]]}')
        elif name not in types and not _holds_times(column):
            fields.notes.append(f'column "{name}" is not used: it holds no times')
        elif name in fields.times:
            raise UsageError(f"two columns are called {shown(name)}: expected distinct names")
        else:
            fields.times[name] = column
    _check_types(dict(zip(names, words)), fields.times, types)
    unknown = [name for name in fields.times if name not in types and
               library.duet_field_word(name.encode(errors="replace")) is None]
    if unknown and not (len(fields.times) == 1 and unknown[0].lower() in ("cost", "work")):
        many = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        fields.notes.append(f'"{unknown[0]}"{many} '
                            f'{"are taken for processor types" if many else "is taken for a processor type"}, as nothing else is known of '
                            "the name: platform= with the name of each type says so")
    return fields


def _number(value: Any) -> Optional[int]:
    """A whole number, also one that a column with missing values has made a float."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value == int(value) else None
    try:
        return None if is_flag(value) else operator.index(value)
    except Exception:  # also of NumPy, and of whoever has numbers of his own
        return None


def _split(value: str, ids: Mapping[str, Any]) -> List[str]:
    """The ids of a text: one, or several with semicolons, commas, bars or blanks between them, also
    as Python prints a list."""
    text = value.strip()
    if text in ids:
        return [text]
    if text.lower() in ("", "nan", "na", "n/a", "<na>", "null", "none", "-", "set()"):
        return []
    if len(text) > 1 and text[0] + text[-1] in ("[]", "()", "{}"):
        return _split(text[1:-1], ids)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        return [text[1:-1]]
    link = re.fullmatch(r"(\d+)FS", text, re.I)
    if link is not None and link[1] in ids:
        return [link[1]]  # as plans of projects have it
    for separator in (";", ",", "|", None):
        parts = [part.strip() for part in text.split(separator)]
        if len(parts) > 1:
            return [name for part in parts if part for name in _split(part, ids)]
    return [text]


def tasks_of(value: Any, ids: Mapping[str, Any], what: str = "after") -> List[Any]:
    """The tasks that an entry of a column of predecessors names: by id, or by number where no task
    has that id. `what` is the column, for a message."""
    if isinstance(value, str):
        return list(_split(value, ids))
    if isinstance(value, (set, frozenset)):
        return [task for item in sorted(value, key=str) for task in tasks_of(item, ids, what)]
    if has_rows(value):
        return [task for item in as_list(value) for task in tasks_of(item, ids, what)]
    number = _number(value)
    if number is not None:
        return [str(number) if str(number) in ids else number]
    if is_missing(value):
        return []
    raise UsageError(f"{what}: expected ids of tasks, a text or a list, got {shown(value)}")
