# SPDX-License-Identifier: Apache-2.0
"""What the parameters of the public functions take: a table, by name. A public function that is
`checked` has a row here for each of its parameters, or cannot be imported."""
from __future__ import annotations

import ctypes
import difflib
import functools
import inspect
import os
import re
import sys
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, TypeVar, cast

from ._check import (INT64_MAX, UINT64_MAX, Check, a, a_path, a_text, anything, column,
                     count_or_counts, disturbances, edges, flag, function, has_rows, items, mapping,
                     mapping_of_texts, name_or_number, names, one_of,
                     pair_of, path_or_items, refused, seconds, text_or_function, text_or_number,
                     texts, texts_or_names, whole_of)
from ._clock import start_of
from ._fields import WHY, word_of
from ._library import MAX_DECIMALS, MAX_PROCESSORS, OutOfMemoryError
from ._networkx import is_graph
from ._table import is_table

F = TypeVar("F", bound=Callable[..., Any])

INFORMATION = ("times", "bottom", "descendants")  # in the order of duet_information
DECIDES = ("type", "order", "allocation", "list", "schedule")  # what a rule may decide
KEEPS = ("order", "allocation")  # in the order of duet_keep

_INT_MAX: int = 2**(8 * ctypes.sizeof(ctypes.c_int) - 1) - 1
_SIZE_MAX: int = 2**(8 * ctypes.sizeof(ctypes.c_size_t)) - 1
_RUNS = "a file, or runs (task, type, processor, start)"


def _table(what: str, value: Any) -> Any:
    if not is_table(value):
        raise refused(what, "a dictionary of columns by processor type, a data frame, rows, or an array of them", value)
    return value


def _graph(what: str, value: Any) -> Any:
    if not is_graph(value):
        raise refused(what, "a directed graph of networkx", value)
    return value


def _problem(what: str, value: Any) -> Any:
    """What solve() takes first: a column, a table or an instance."""
    from ._instance import Instance
    if isinstance(value, (str, os.PathLike)):
        raise refused(what, "times, a table, a graph or an instance, as duet.read(path) reads one from a file", value)
    return value if is_table(value) or isinstance(value, Instance) or is_graph(value) else column(what, value)


def _platform(what: str, value: Any) -> Dict[str, int]:
    count = whole_of(0, MAX_PROCESSORS)
    return {name: count(f"{what}[{name}]", number)
            for name, number in mapping_of_texts(what, value).items()}


def _solution_or_runs(what: str, value: Any) -> Any:
    from ._solution import Solution
    return value if isinstance(value, Solution) else path_or_items(f"a Solution, {_RUNS}")(what, value)


def _entries(what: str, value: Any) -> Any:
    return path_or_items("a file, or entries (task, type, processor, start, end)")(what, value)


def _without(what: str, value: Any) -> Any:
    """Processors by type."""
    given = mapping_of_texts(what, value)
    for name, processors in given.items():
        if isinstance(processors, str) or not (isinstance(processors, int) or has_rows(processors)):
            raise refused(f"{what}[{name}]", "processors, counted from 0, such as [0, 2]", processors)
    return given


def _instances(what: str, value: Any) -> Any:
    """An instance, or several."""
    from ._instance import Instance
    if is_table(value) or isinstance(value, (str, os.PathLike)):
        raise refused(what, "a duet.Instance or several, which Instance.from_table() and read() make", value)
    given = [value] if isinstance(value, Instance) else items("an Instance, or several")(what, value)
    for i, item in enumerate(given):
        if not isinstance(item, Instance):
            raise refused(what if len(given) == 1 else f"{what}[{i}]", "a duet.Instance", item)
    return value if isinstance(value, Instance) else given


def _range(low: int, high: int) -> Check:
    """A number, or (from, to)."""
    number = whole_of(low, high)

    def check(what: str, value: Any) -> Any:
        if has_rows(value):
            first, last = pair_of("a number or (from, to)", number, number)(what, value)
            if first > last:
                raise refused(what, "(from, to) in this order", value)
            return first, last
        return number(what, value)
    return check


def _share(what: str, value: Any) -> float:
    real = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not real or not 0 <= value <= 1:
        raise refused(what, "a number from 0 to 1", value)
    return float(value)


def _percent(what: str, value: Any) -> float:
    real = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not real or not 0 <= value <= 50:
        raise refused(what, "0 to 50 percent", value)
    return float(value)


def _entrants(what: str, value: Any) -> Any:
    """What compare() takes: algorithms of any kind and solutions, several, one, or by name."""
    from ._solution import Solution

    def one(name: str, item: Any) -> Any:
        if isinstance(item, (str, Solution)) or callable(item):
            return a_text(name, item) if isinstance(item, str) else item
        raise refused(name, "names, functions, rules or solutions", item)
    if isinstance(value, (str, Solution)) or callable(value):
        return one(what, value)
    if isinstance(value, Mapping):
        return {name: one(f"{what}[{name}]", item) for name, item in mapping_of_texts(what, value).items()}
    return [one(f"{what}[{i}]", item)
            for i, item in enumerate(items("names, functions, rules or solutions")(what, value))]


def _results(what: str, value: Any) -> Any:
    """Tables of compare(), or CSV files."""
    def one(name: str, item: Any) -> Any:
        if hasattr(item, "to_dict") and hasattr(item, "columns"):
            return item
        if isinstance(item, (str, os.PathLike)):
            return a_path(name, item)
        raise refused(name, "tables of compare(), or CSV files", item)
    if isinstance(value, (str, os.PathLike)) or hasattr(value, "columns"):
        return [one(what, value)]
    return [one(f"{what}[{i}]", item) for i, item in enumerate(items("tables of compare(), or CSV files")(what, value))]


def _table_rows(what: str, value: Any) -> Any:
    return [mapping_of_texts(f"{what}[{i}]", row) for i, row in enumerate(items("dictionaries")(what, value))]


def _axes(what: str, value: Any) -> Any:
    if not hasattr(value, "barh"):
        raise refused(what, "axes of matplotlib", value)
    return value


def _rule_name(what: str, value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch("[a-z0-9-]{1,31}", value):
        raise refused(what, "1 to 31 of a-z, 0-9 and '-'", value)
    return value


def _rule(what: str, value: Any) -> Any:
    return value if callable(value) else a_text(what, value)


def _rules(what: str, value: Any) -> Any:
    if isinstance(value, str) or callable(value):
        return _rule(what, value)
    return [_rule(f"{what}[{i}]", item) for i, item in enumerate(items("functions, rules or names")(what, value))]


def _platforms(what: str, value: Any) -> Any:
    """Dictionaries of counts, or one of counts or ranges."""
    from ._size import range_of
    count = whole_of(0, MAX_PROCESSORS)
    if isinstance(value, Mapping):
        ends = {name: range_of(name, given) for name, given in mapping_of_texts(what, value).items()
                if isinstance(given, str)}
        value = {**value, **{name: range(least, most + 1) for name, (least, most) in ends.items()}}
        return {name: [count(f"{what}[{name}]", number) for number in given] if hasattr(given, "__iter__") else
                count(f"{what}[{name}]", given) for name, given in mapping_of_texts(what, value).items()}
    return [_platform(f"{what}[{i}]", item)
            for i, item in enumerate(items("dictionaries of counts by type, or one of ranges")(what, value))]


def _solutions(what: str, value: Any) -> Any:
    from ._solution import Solution
    given = [value] if isinstance(value, Solution) else items("a Solution, or several")(what, value)
    return [a("Solution")(what if len(given) == 1 else f"{what}[{i}]", item) for i, item in enumerate(given)]


def _release(what: str, value: Any) -> Any:
    """A time for each task, in its place or by id."""
    return dict(value) if isinstance(value, Mapping) else column(what, value)


def _release_or_attribute(what: str, value: Any) -> Any:
    return a_text(what, value) if isinstance(value, str) else _release(what, value)


def _busy(what: str, value: Any) -> Any:
    """Times by type."""
    given = mapping_of_texts(what, value)
    for name, times in given.items():
        if not has_rows(times):
            raise refused(f"{what}[{name}]", "a time for each processor, such as [3, 0]", times)
    return given


def _task(what: str, value: Any) -> Any:
    """A task by its id, or by its number."""
    return a_text(what, value) if isinstance(value, str) else whole_of(-INT64_MAX - 1, INT64_MAX)(what, value)


def _moment(what: str, value: Any) -> Any:
    """A number, a length of time, or a day and a time."""
    return value if isinstance(value, (timedelta, datetime)) else text_or_number(what, value)


def _deadline(what: str, value: Any) -> Any:
    if isinstance(value, Mapping) or has_rows(value):
        raise refused(what, "one time, by which all tasks are to have ended (those of single tasks are a column "
                      "\"deadline\" of a table)", value)
    return _moment(what, value)


def _watts(what: str, value: Any) -> Dict[str, float]:
    watts = {}
    for name, number in mapping_of_texts(what, value).items():
        real = isinstance(number, (int, float, Decimal)) and not isinstance(number, bool)
        if not real or not 0 <= number <= sys.float_info.max:
            raise refused(f"{what}[{name}]", "a number of watts, at least 0", number)
        watts[name] = float(number)
    return watts


# None is taken where it is the default.
_TAKES: Dict[str, Check] = {
    # An instance
    "cpu": column, "gpu": column, "times": _table, "description": mapping,
    "m": whole_of(0, MAX_PROCESSORS), "k": count_or_counts(0, MAX_PROCESSORS),
    "platform": _platform, "counts": column, "ids": names, "name": a_text, "unit": a_text,
    "exact_times": flag, "digits": whole_of(1, 18), "edges": edges, "strict_input": flag, "graph": _graph, "time": a_text, "cost": a_text,
    "decimals": whole_of(0, MAX_DECIMALS), "family": a_text, "n": whole_of(0, INT64_MAX),
    "release": _release, "busy": _busy, "group": _release,
    "columns": texts_or_names, "instance": a("Instance"), "mixed_sets": flag,
    # What it is asked
    "task": _task, "edge": whole_of(-INT64_MAX - 1, INT64_MAX),
    "type": name_or_number, "source": name_or_number, "target": name_or_number, "ticks": whole_of(-INT64_MAX - 1, INT64_MAX),
    # A run
    "algorithm": text_or_function, "information": one_of(INFORMATION), "options": mapping,
    "time_limit": seconds, "threads": whole_of(0, _INT_MAX), "memory_limit": whole_of(0, _SIZE_MAX),
    "seed": whole_of(0, UINT64_MAX), "gap": text_or_number, "progress": function,
    "cancel": a("Cancel"), "plan": a("Solution"), "keep": one_of(KEEPS), "noise": disturbances,
    "slow": texts, "fail": texts, "runs": whole_of(1, INT64_MAX),
    "deadline": _deadline, "start_from": _solution_or_runs, "now": _moment, "start": start_of,
    "fix": _entries, "without": _without, "replan": a_text, "every": _moment, "price": mapping_of_texts,
    "solution": a("Solution"), "watts": _watts, "idle_watts": _watts,
    # Comparisons and searches
    "algorithms": _entrants, "platforms": _platforms, "rule": _rules, "rules": _rules, "adversary": texts,
    "tau": whole_of(1, 1000), "tasks": _range(1, 48), "max_time": whole_of(1, 1000000), "forbidden": flag,
    "accelerated": flag, "evaluations": whole_of(1, 2**50), "loss": _percent, "arguments": a_text,
    "solutions": _solutions, "results": _results, "ax": _axes,
    "function": function, "decides": one_of(DECIDES), "orient": one_of(("records",)), "rows": _table_rows,
    "share": _share,
    # Files and pictures
    "path": a_path, "proof": a_path, "format": a_text, "title": a_text, "dark": flag, "transparent": flag,
    "by_kind": flag, "beside": a("Solution"),
    "size": pair_of("(width, height)", whole_of(0, _INT_MAX), whole_of(0, _INT_MAX)),
}

_GROUP = pair_of('(type, number of processors), such as ("cpu", 4)', name_or_number,
                 whole_of(1, MAX_PROCESSORS))

# Where a function means something else by the name.
_TAKES_IN: Dict[Tuple[str, str], Check] = {
    ("solve", "cpu"): _problem,
    ("solve", "release"): _release_or_attribute, ("from_graph", "release"): _release_or_attribute,
    ("solve", "group"): _release_or_attribute, ("from_graph", "group"): _release_or_attribute,
    ("from_ticks", "times"): anything,  # memory, which the function looks at
    ("redistribution", "source"): _GROUP,
    ("redistribution", "target"): _GROUP,
    ("compare", "instance"): _instances,
    ("rule", "name"): _rule_name, ("__init__", "columns"): texts, ("adversary", "path"): a_path,
    ("search_worst", "rule"): _rule, ("search_worst", "edges"): flag,
    ("search_worst", "m"): _range(0, 32), ("search_worst", "k"): _range(0, 32),
    ("adversary", "m"): whole_of(2, 1000), ("adversary", "k"): whole_of(1, 1000), ("adversary", "n"): whole_of(1, 100000),
    ("judge", "source"): _solution_or_runs, ("bound", "name"): texts,
    ("read_solution", "source"): path_or_items(_RUNS),
    ("set_start", "start"): lambda what, value: None if value is None else start_of(what, value),
    ("set_platform", "counts"): whole_of(0, MAX_PROCESSORS),
    ("size", "platform"): mapping_of_texts,
    ("size", "algorithm"): a_text,
}


def _row(function_name: str, parameter: inspect.Parameter) -> Check:
    name = parameter.name
    check = _TAKES_IN.get((function_name, name)) or _TAKES[name]
    if parameter.default is not None:
        return check
    return lambda what, value: None if value is None else check(what, value)


# Words of the field that are no argument of their own: what says the same.
_SAID_BY = {"after": "edges=[(from, to), ...], or a column \"after\" of a table",
            "before": "edges=[(from, to), ...], or a column \"successors\" of a table",
            "cores": "a column \"cores\" of a table", "deadline": "a column \"deadline\" of a table",
            "release": "release=", "group": "group=", "id": "ids="}


# What other solvers and tools call arguments.
_ELSEWHERE = {"timeout": "time_limit", "timelimit": "time_limit", "max_time": "time_limit", "max_time_in_seconds": "time_limit",
              "n_jobs": "threads", "num_threads": "threads", "workers": "threads", "num_workers": "threads",
              "solver": "algorithm", "method": "algorithm", "verbose": "progress", "callback": "progress", "rel_gap": "gap",
              "mip_rel_gap": "gap", "hint": "start_from", "warm_start": "start_from", "random_state": "seed"}


def _unknown(function_name: str, name: str, known: Mapping[str, Any]) -> TypeError:
    """The error for an argument that the function does not have, with what may have been meant."""
    word = word_of(name, [], ())
    said = _SAID_BY.get(word, "")
    argument = said.rstrip("=") if said.endswith("=") else "edges" if word in ("after", "before") else "cpu"
    nearest = difflib.get_close_matches(name, list(known), 1, 0.7)
    if _ELSEWHERE.get(name) in known:
        advice = f"did you mean {_ELSEWHERE[name]}=?"
    elif nearest:
        advice = f"did you mean {nearest[0]}=?"
    elif word == "weight" and "cost" in known:
        advice = f"{WHY[word]}; cost= names the attribute of edges that is what their data take"
    elif word in WHY and word not in _SAID_BY:
        advice = f"it would not be used: {WHY[word]}"
    elif said and argument in known:
        advice = f"did you mean {said}?" if said.endswith("=") else f"expected {said}"
    else:
        advice = "expected " + ", ".join(other for other in known if other != "self")
    return TypeError(f"{function_name}() got an unexpected keyword argument {name!r}: {advice}")


def _by_word(function_name: str, named: Dict[str, Any], known: Mapping[str, Any]) -> Dict[str, Any]:
    """The arguments by name, where another word for one may stand: `ready` is `release`, as in files."""
    read: Dict[str, Any] = {}
    for name, value in named.items():
        word = name if name in known else word_of(name, [], ())
        argument = word if word in ("release", "group") and word in known else name
        if argument not in known:
            raise _unknown(function_name, name, known)
        if argument in read or (argument != name and argument in named):
            raise TypeError(f"{function_name}() got {argument!r} and another word for it, {name!r}: expected one")
        read[argument] = value
    return read


def checked(public: F) -> F:
    """The function with its arguments looked at first, and handed on as their checks give them."""
    rows: Dict[str, Check] = {}
    by_place: List[Tuple[str, Check]] = []
    rest: Optional[Tuple[str, Check]] = None  # of *arguments
    open_end = False  # takes arguments of any name
    for parameter in inspect.signature(public).parameters.values():
        if parameter.name in ("self", "cls"):
            by_place.append((parameter.name, anything))
            continue
        row = rows[parameter.name] = _row(public.__name__, parameter)
        open_end = open_end or parameter.kind is parameter.VAR_KEYWORD
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest = (parameter.name, row)
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            by_place.append((parameter.name, row))

    @functools.wraps(public)
    def look(*given: Any, **named: Any) -> Any:
        """Too many arguments are left to the function, as Python words it."""
        named = named if open_end else _by_word(public.__name__, named, rows)
        try:
            placed = [check(name, value) for (name, check), value in zip(by_place, given)]
            for value in given[len(by_place):]:
                placed.append(value if rest is None else rest[1](rest[0], value))
            for name in named:
                if name in rows:
                    named[name] = rows[name](name, named[name])
            return public(*placed, **named)
        except MemoryError as fault:
            if isinstance(fault, OutOfMemoryError):
                raise
            raise OutOfMemoryError(f"{public.__name__}(): no memory for what was given") from None

    return cast(F, look)
