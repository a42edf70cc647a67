# SPDX-License-Identifier: Apache-2.0
"""Days and times of day: where time 0 of an instance is known, others are times from there."""
from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, List, Optional, Union

from ._check import refused, shown
from ._library import UsageError
from ._times import as_list, is_missing, length_in, length_of_text

Moment = Union[datetime, str]

# As the library reads a start, and fractions of a second.
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?\s*([Zz]|[+-]\d\d:?\d\d)?", re.ASCII)


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


def start_of(what: str, value: Any) -> datetime:
    """The instant of time 0, in whole seconds."""
    moment = as_moment(value)
    if moment is None:
        raise refused(what, "a day and a time: a datetime, or a text such as \"2026-11-27T09:00\"", value)
    return moment.replace(microsecond=0)


def written(start: datetime) -> str:
    """As the library takes it."""
    text = start.strftime("%Y-%m-%dT%H:%M:%S")
    offset = start.utcoffset()
    if offset is None:
        return text.rjust(19, "0")
    minutes = abs(offset) // timedelta(minutes=1)
    return f"{text.rjust(19, '0')}{'-' if offset < timedelta(0) else '+'}{minutes // 60:02}:{minutes % 60:02}"


def _since(start: Optional[datetime], moment: datetime, what: str, value: Any) -> timedelta:
    if start is None:
        raise UsageError(f"{what}: {shown(value)} is a day and a time: expected start=, the instant of time 0, with it")
    if (start.utcoffset() is None) != (moment.utcoffset() is None):
        raise UsageError(f"{what}: {shown(value)}: expected a time zone with both this and start, or with none")
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


def column_in(values: Any, unit: Optional[str], start: Optional[datetime], what: str, past: bool = True) -> List[Any]:
    """The times of a column, of which moments and, where the unit is known, lengths are numbers of it. What is
    before the start is 0 where that is as good (`past`)."""
    listed = as_list(values)
    read = []
    for i, value in enumerate(listed):
        moment = as_moment(value)
        if moment is not None:
            passed = _since(start, moment, f"{what}[{i}]", value)
            if passed < timedelta(0) and not past:
                raise UsageError(f"{what}[{i}]: {shown(value)} is before {start}, when time 0 is")
            value = max(passed, timedelta(0))
            if unit is None:
                raise UsageError(f"{what}[{i}]: a day and a time: expected unit=, that of the times")
        read.append(value if unit is None or is_missing(value) else length_in(value, unit, f"{what}[{i}]"))
    return read


def moment_at(start: datetime, time: Decimal, unit: str) -> datetime:
    """When a time of an instance is, to the microsecond."""
    one = length_of_text("1" + unit)
    assert one is not None
    return start + timedelta(microseconds=int(round(time * one * 1000000)))
