# SPDX-License-Identifier: Apache-2.0
"""Values before they go to C: ctypes wraps a number, and a text ends at its first NUL. Each check
takes the name of what it looks at and the value, gives the value as the module uses it, and raises
UsageError, which names both and says what was expected. What parameter is checked by which is the
table of _arguments.py."""
from __future__ import annotations

import math
import numbers
import operator
import os
from collections.abc import Mapping as AnyMapping
from collections.abc import Set as AnySet
from decimal import Decimal
from typing import Any, Callable, Dict, List, Optional, Tuple, Type, Union

from ._library import DuetError, UsageError

Path = Union[str, "os.PathLike[str]"]
Check = Callable[[str, Any], Any]

INT64_MAX = 2**63 - 1
UINT64_MAX = 2**64 - 1


def shown(value: Any) -> str:
    """The value for a message, however long it is, and whatever becomes of its own repr()."""
    try:
        text = repr(value)
    except ValueError:  # Python writes out no integer of more than 4300 digits
        text = "a number too long to write" if isinstance(value, int) else object.__repr__(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= 80 else text[:77] + "..."


def refused(what: str, expected: str, value: Any) -> UsageError:
    """The error for an argument that is something else than was expected."""
    return UsageError(f"{what}: expected {expected}, got {shown(value)}")


def is_flag(value: Any) -> bool:
    """Whether this is True or False, also NumPy's, which is a number to those who ask."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def whole(what: str, value: Any, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    try:
        if is_flag(value):
            raise TypeError
        number = operator.index(value)
    except Exception:
        raise refused(what, "a whole number", value) from None
    if not low <= number <= high:
        raise refused(what, f"{low} to {high}", number)
    return number


def seconds(what: str, value: Any) -> float:
    """A finite number of seconds, at least 0."""
    fault = refused(what, "a finite number of seconds >= 0", value)
    if is_flag(value) or isinstance(value, (str, bytes, bytearray)):
        raise fault
    try:
        number = float(value)
    except Exception:
        raise fault from None
    if not math.isfinite(number) or number < 0:
        raise fault
    return number


def text(what: str, value: Any) -> bytes:
    """A text as C takes it: UTF-8 without NUL."""
    if not isinstance(value, str):
        raise refused(what, "a text", value)
    if "\0" in value:
        raise refused(what, "a text without NUL", value)
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise refused(what, "a text without lone surrogates", value) from None


def text_or_none(what: str, value: Optional[str]) -> Optional[bytes]:
    return None if value is None else text(what, value)


def path(what: str, value: Any) -> bytes:
    """A path as the system takes it. Bytes that are not UTF-8 come from it as lone surrogates, and
    go back to it as those bytes."""
    try:
        given = os.fsencode(value)
    except Exception:
        raise refused(what, "a path", value) from None
    if b"\0" in given:
        raise refused(what, "a path without NUL", value)
    return given


# --- checks of kinds of arguments, for the table of _arguments.py ---------------------------------

def anything(_: str, value: Any) -> Any:
    """For what says more when it is looked at more closely."""
    return value


def whole_of(low: int, high: int) -> Check:
    return lambda what, value: whole(what, value, low, high)


def a_text(what: str, value: Any) -> str:
    text(what, value)
    given: str = value
    return given


def name_or_number(what: str, value: Any) -> Union[str, int]:
    """A processor type: its name, or its place among the types."""
    if isinstance(value, str):
        return a_text(what, value)
    try:
        return whole(what, value, 0, INT64_MAX)
    except UsageError:
        raise refused(what, "a processor type, by its name or from 0", value) from None


def a_path(what: str, value: Any) -> str:
    return os.fsdecode(path(what, value))


def flag(what: str, value: Any) -> bool:
    """True or False, or 1 or 0. A text is none: bool("no") is True."""
    try:
        if is_flag(value) or operator.index(value) in (0, 1):
            return bool(value)
    except Exception:
        pass
    raise refused(what, "True or False", value)


def one_of(names: Tuple[str, ...]) -> Check:
    def check(what: str, value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise refused(what, f"one of {', '.join(names)}", value)
        return value
    return check


def function(what: str, value: Any) -> Any:
    if not callable(value):
        raise refused(what, "a function", value)
    return value


def text_or_function(what: str, value: Any) -> Any:
    if not callable(value) and not isinstance(value, str):
        plan = " (simulate() takes a schedule as plan=)" if type(value).__name__ == "Solution" else ""
        raise refused(what, f"the name of an algorithm, a rule or a function{plan}", value)
    return value if callable(value) else a_text(what, value)


def disturbances(what: str, value: Any) -> List[str]:
    """What makes real times differ, such as "lognormal:0.2"; one or several."""
    if not isinstance(value, str) and not hasattr(value, "__iter__"):
        raise refused(what, "texts, such as \"lognormal:0.2\" for noise", value)
    return texts(what, value)


def text_or_number(what: str, value: Any) -> Any:
    if isinstance(value, str):
        return a_text(what, value)
    if is_flag(value) or not (isinstance(value, (int, float, Decimal)) or hasattr(value, "dtype")):
        raise refused(what, "a text or a number", value)
    return value


def mapping(what: str, value: Any) -> Dict[Any, Any]:
    if not isinstance(value, AnyMapping):
        raise refused(what, "a dictionary", value)
    return dict(value)


def mapping_of_texts(what: str, value: Any) -> Dict[str, Any]:
    """A dictionary whose keys are texts."""
    given = mapping(what, value)
    for key in given:
        a_text(f"{what}: a key", key)
    return given


def has_rows(value: Any) -> bool:
    """Whether this has an order, a length and something to go over, and is no text."""
    if isinstance(value, (str, bytes, AnyMapping, AnySet)) or isinstance(value, type):
        return False
    try:
        len(value)
        iter(value)
    except Exception:
        return False
    return True


def row_of(value: Any) -> Optional[List[Any]]:
    """The items of a row: a list, a tuple, an array; None for what is none."""
    return list(value) if has_rows(value) else None


def written(what: str, value: Any) -> str:
    """The value as str() has it."""
    try:
        return str(value)
    except Exception:  # Python writes out no integer of more than 4300 digits, for one
        raise refused(what, "a text or a number", value) from None


def column(what: str, value: Any) -> Any:
    """One value for each task: a list, an array of NumPy, a column of pandas."""
    if not has_rows(value):
        name = " (an algorithm is named by algorithm=)" if isinstance(value, str) else ""
        raise refused(what, f"a list, an array or a column, with an entry for each kind of task{name}", value)
    return value


def texts(what: str, value: Any) -> List[str]:
    """Several texts, or one."""
    if isinstance(value, str):
        return [a_text(what, value)]
    return [a_text(f"{what}[{i}]", item) for i, item in enumerate(_gone_over(what, "texts", value))]


def edges(what: str, value: Any) -> List[Any]:
    """Edges, (from, to) or (from, to, cost); a dictionary of costs by (from, to) is such, and a data frame of two
    columns or three."""
    if hasattr(value, "columns") and hasattr(value, "itertuples"):
        if len(value.columns) not in (2, 3):
            raise refused(what, "columns from, to and, where edges cost something, cost", value)
        return list(value.itertuples(index=False, name=None))
    if isinstance(value, AnyMapping):
        given = [(row_of(ends), cost) for ends, cost in value.items()]
        if any(ends is None or len(ends) != 2 for ends, _ in given):
            raise refused(what, "edges (from, to) or (from, to, cost), or costs by (from, to)", value)
        return [(*(ends or ()), cost) for ends, cost in given]
    return _gone_over(what, "edges: (from, to) or (from, to, cost)", value)


class Numbered(List[str]):
    """Ids that were whole numbers: where tasks are named by numbers, these are ids, and no places."""


def is_whole(value: Any) -> bool:
    """Whether this is a whole number, of Python or NumPy."""
    return isinstance(value, numbers.Integral) and not is_flag(value)


def names(what: str, value: Any) -> List[str]:
    """A text or a whole number for each task; of a text each of its characters."""
    if isinstance(value, Numbered):
        return value
    given = value if isinstance(value, str) else column(what, value)
    listed = given.tolist() if hasattr(given, "tolist") else list(given)
    listed = listed if isinstance(listed, list) else [listed]
    read = [str(item) if is_whole(item) else a_text(f"{what}[{i}]", item) for i, item in enumerate(listed)]
    return Numbered(read) if read and not any(isinstance(item, str) for item in listed) else read


def _gone_over(what: str, expected: str, value: Any) -> List[Any]:
    """The items of anything that can be gone over once. What a generator raises is the user's."""
    try:
        if isinstance(value, (str, bytes, type)):
            raise TypeError
        items = iter(value)
    except Exception:
        raise refused(what, expected, value) from None
    return list(items)


def items(expected: str) -> Check:
    return lambda what, value: _gone_over(what, expected, value)


def pair_of(expected: str, first: Check, second: Check) -> Check:
    def check(what: str, value: Any) -> Tuple[Any, Any]:
        both = row_of(value)
        if both is None or len(both) != 2:
            raise refused(what, expected, value)
        return first(what, both[0]), second(what, both[1])
    return check


def a(name: str) -> Check:
    """An object of the public class of that name, which is looked up when it is there."""
    def check(what: str, value: Any) -> Any:
        import duet
        kind: Type[Any] = getattr(duet, name)
        if not isinstance(value, kind):
            has = name == "Instance" and isinstance(value, duet.Solution)
            raise refused(what, f"a duet.{name}" + (", which a solution has as .instance" if has else ""), value)
        return value
    return check


def count_or_counts(low: int, high: int) -> Check:
    """A whole number, or a sequence of such."""
    def check(what: str, value: Any) -> Any:
        if not has_rows(value):
            return whole(what, value, low, high)
        return [whole(f"{what}[{i}]", count, low, high) for i, count in enumerate(value)]
    return check


def path_or_items(expected: str) -> Check:
    """A path, or what can be gone over."""
    def check(what: str, value: Any) -> Any:
        if isinstance(value, (str, os.PathLike)):
            return a_path(what, value)
        if hasattr(value, "columns") and hasattr(value, "to_dict"):  # a data frame, as to_pandas() makes it
            return value.to_dict("records")
        return _gone_over(what, expected, value)
    return check


def texts_or_names(what: str, value: Any) -> Any:
    """A text, texts, or a dictionary of texts by text."""
    if isinstance(value, str):
        return a_text(what, value)
    if isinstance(value, AnyMapping):
        return {key: a_text(f"{what}[{shown(key)}]", item)
                for key, item in mapping_of_texts(what, value).items()}
    return texts(what, value)
