# SPDX-License-Identifier: Apache-2.0
"""Days and times of day. Those of tasks the library reads, as it does those of files; single ones are times from time 0
of an instance on, where that is known."""
from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, List, Optional, Sequence, Union

from ._check import refused, shown
from ._library import UsageError
from ._times import as_list, is_missing, length_in, length_of_text

Moment = Union[datetime, str]

# As the library reads a start, and fractions of a second.
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?\s*([Zz]|[+-]\d\d:?\d\d)?", re.ASCII)

# How a text begins that is a day, with a time or without.
_DATE = re.compile(r"(?:[a-z]{3,9}[.,]*\s*)?(?:\d{4}[-/.]\d|\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2}|\d{1,2}[-/. ]\s?[a-z]{3}|"
                   r"[a-z]{3,9}\.?\s+\d{1,2},?\s+\d{4}|\d{8}T\d)", re.I | re.ASCII)


def _parsed(text: str) -> Optional[datetime]:
    """A day and a time of ISO 8601; None for other texts."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    day, minute, second, fraction, zone = found.groups()
    if zone is not None:
        zone = "+00:00" if zone in "Zz" else zone[:3] + ":" + zone[-2:]
    try:
        return datetime.fromisoformat(f"{day}T{minute}{second or ':00'}{((fraction or '.') + '000000')[:7]}{zone or ''}")
    except ValueError:  # no such day
        return None


def as_moment(value: Any) -> Optional[datetime]:
    """A day and a time: a datetime, also of pandas and NumPy, or a text of ISO 8601. None for anything else."""
    if isinstance(value, datetime):
        return None if value != value else value  # pandas has one that is no time
    if type(value).__name__ == "datetime64":
        plain = value.astype("datetime64[us]").item()
        return plain if isinstance(plain, datetime) else None
    return _parsed(value) if isinstance(value, str) else None


def is_moment(value: Any) -> bool:
    """Whether this is a day, perhaps with a time, and no number nor a length of time."""
    if isinstance(value, str):
        return _DATE.match(value.strip()) is not None and length_of_text(value) is None
    no_time = is_missing(value) or (type(value).__name__ == "datetime64" and value != value)
    return not no_time and (isinstance(value, date) or type(value).__name__ == "datetime64")


def has_moments(column: Any) -> bool:
    """Whether some of a column are such."""
    return any(is_moment(value) for value in as_list(column))


def _check(value: str, what: str) -> None:
    """A day that may be two is refused: no option says which, as one does of files."""
    found = re.match(r"\s*(\d{1,2})([/-])\s?(\d{1,2})\2\s?\d{4}", value)
    if found is not None and max(int(found[1]), int(found[3])) <= 12 and int(found[1]) != int(found[3]):
        raise UsageError(f"{what}: expected a day that is one, 2026-12-01 or a datetime, as pandas.to_datetime() makes them "
                         f"with or without dayfirst=True, got {shown(value)}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value.isoformat() if isinstance(value, date) else str(value)


def with_texts(column: Sequence[Any], unit: Optional[str], what: str) -> List[Any]:
    """The times of a column of tasks, of which moments are texts for the library and, where the unit is known, lengths
    are numbers of it. Where all moments are at midnight they are days, as pandas writes them."""
    values = as_list(column)
    found = [value for value in values if is_moment(value)]
    for value in found:
        if isinstance(value, str):
            _check(value, what)
    midnight = all(not isinstance(value, str) and re.search(r"T00:00:00(\.0*)?$", _text(value)) for value in found)
    read: List[Any] = []
    for i, value in enumerate(values):
        if is_moment(value):
            read.append(_text(value).partition("T")[0] if midnight else _text(value))
        elif is_missing(value) or type(value).__name__ == "datetime64":
            read.append(None)
        else:
            read.append(value if unit is None else length_in(value, unit, f"{what}[{i}]"))
    return read


def start_of(what: str, value: Any) -> datetime:
    """The instant of time 0, in whole seconds."""
    moment = as_moment(value)
    if moment is None:
        raise refused(what, "a day and a time: a datetime, or a text such as \"2026-11-27T09:00\"", value)
    return datetime(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second,
                    tzinfo=moment.tzinfo, fold=moment.fold)  # also of pandas, whose own has nanoseconds


def written(start: Optional[Moment]) -> Optional[str]:
    """Time 0 as the library takes it."""
    if start is None:
        return None
    start = start_of("start", start)
    text = start.strftime("%Y-%m-%dT%H:%M:%S")
    offset = start.utcoffset()
    if offset is None:
        return text.rjust(19, "0")
    minutes = abs(offset) // timedelta(minutes=1)
    return f"{text.rjust(19, '0')}{'-' if offset < timedelta(0) else '+'}{minutes // 60:02}:{minutes % 60:02}"


def read_start(text: Optional[bytes]) -> Optional[datetime]:
    """Time 0 as the library has it."""
    return None if text is None else _parsed(text.decode())


def _since(start: Optional[datetime], moment: datetime, what: str, value: Any) -> timedelta:
    """From the start on. Without a zone a moment is in that of the start, as in files."""
    if start is None:
        raise UsageError(f"{what}: {shown(value)} is a day and a time: expected start=, the instant of time 0, with it")
    if start.utcoffset() is None and moment.utcoffset() is not None:
        raise UsageError(f"{what}: {shown(value)}: expected a time zone with start, too, or with none")
    if moment.utcoffset() is None:
        moment = moment.replace(tzinfo=start.tzinfo)
    passed = moment - start
    return timedelta(days=passed.days, seconds=passed.seconds, microseconds=passed.microseconds)  # also of pandas


def time_in(value: Any, unit: str, start: Optional[datetime], what: str) -> Any:
    """A time as a number of the unit, where it is a length or a moment after `start`; all else as it is."""
    moment = as_moment(value)
    if moment is None:
        return length_in(value, unit, what)
    passed = _since(start, moment, what, value)
    if passed < timedelta(0):
        raise UsageError(f"{what}: {shown(value)} is before {start}, when time 0 is")
    return length_in(passed, unit, what)


def column_in(values: Any, unit: Optional[str], start: Optional[datetime], what: str) -> List[Any]:
    """The times of a column, of which moments and, where the unit is known, lengths are numbers of it. What is
    before the start is 0."""
    read = []
    for i, value in enumerate(as_list(values)):
        moment = as_moment(value)
        if moment is not None:
            value = max(_since(start, moment, f"{what}[{i}]", value), timedelta(0))
            if unit is None:
                raise UsageError(f"{what}[{i}]: a day and a time: expected unit=, that of the times")
        read.append(value if unit is None or is_missing(value) else length_in(value, unit, f"{what}[{i}]"))
    return read


def moment_at(start: datetime, time: Decimal, unit: str) -> datetime:
    """When a time of an instance is, to the microsecond."""
    one = length_of_text("1" + unit)
    assert one is not None
    return start + timedelta(microseconds=int(round(time * one * 1000000)))
