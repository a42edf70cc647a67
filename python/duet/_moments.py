# SPDX-License-Identifier: Apache-2.0
"""Releases and deadlines that are days and times of day: the library reads them, as it does those of files."""
from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, List, Optional, Sequence, Union

from ._check import shown
from ._library import UsageError
from ._times import as_list, is_missing, length_of_text

# The day and the time of day of time 0.
Start = Union[str, datetime]

_DATE = re.compile(r"(?:[a-z]{3,9}[.,]*\s*)?(?:\d{4}[-/.]\d|\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2}|\d{1,2}[-/. ]\s?[a-z]{3}|"
                   r"[a-z]{3,9}\.?\s+\d{1,2},?\s+\d{4}|\d{8}T\d)", re.I | re.ASCII)


def is_moment(value: Any) -> bool:
    """Whether this is a day, perhaps with a time, and no number nor a length of time."""
    if isinstance(value, str):
        return _DATE.match(value.strip()) is not None and length_of_text(value) is None
    no_time = is_missing(value) or (type(value).__name__ == "datetime64" and value != value)
    return not no_time and (isinstance(value, date) or type(value).__name__ == "datetime64")


def _check(value: str, what: str) -> None:
    """A day that may be two is refused: no option says which, as one does of files."""
    found = re.match(r"\s*(\d{1,2})([/-])\s?(\d{1,2})\2\s?\d{4}", value)
    if found is not None and max(int(found[1]), int(found[3])) <= 12 and int(found[1]) != int(found[3]):
        raise UsageError(f"{what}: expected a day that is one, 2026-12-01 or a datetime, as pandas.to_datetime() makes them "
                         f"with or without dayfirst=True, got {shown(value)}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value.isoformat() if isinstance(value, date) else str(value)


def with_texts(column: Sequence[Any], what: str) -> Optional[List[Any]]:
    """The column with a text for each moment; None where there is none. Where all of them are at midnight they are days,
    as pandas writes them."""
    values = as_list(column)
    found = [value for value in values if is_moment(value)]
    if not found:
        return None
    for value in found:
        if isinstance(value, str):
            _check(value, what)
    midnight = all(not isinstance(value, str) and re.search(r"T00:00:00(\.0*)?$", _text(value)) for value in found)
    return [(_text(value).partition("T")[0] if midnight else _text(value)) if is_moment(value) else
            None if type(value).__name__ == "datetime64" else value for value in values]


def start_text(start: Optional[Start]) -> Optional[str]:
    """Time 0 as the library reads it."""
    if start is None or isinstance(start, str):
        return start
    if not isinstance(start, datetime) or is_missing(start):
        raise UsageError(f"start: expected a day and a time such as \"2026-11-27T09:00\", or a datetime, got {shown(start)}")
    return start.replace(microsecond=0).isoformat() if type(start) is datetime else start.floor("s").isoformat()  # type: ignore[attr-defined]
