# SPDX-License-Identifier: Apache-2.0
"""What a table says of its tasks beside times that only a description has: cores, deadlines, groups."""
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._check import is_whole, shown
from ._clock import is_moment
from ._library import FORBIDDEN, MAX_DECIMALS, MAX_PROCESSORS, UsageError
from ._table import Table
from ._times import exact_time, is_missing, wait_time


def _cores(value: Any, what: str) -> int:
    """Also of a column that missing values have made one of floats, and of texts."""
    if is_missing(value) or (isinstance(value, str) and not value.strip()):
        return 1
    try:
        value = int(value) if is_whole(value) else value
        number = Decimal(value) if isinstance(value, (int, float, str, Decimal)) and value is not True else Decimal(0)
    except ArithmeticError:
        number = Decimal(0)
    if not number.is_finite() or not 1 <= number <= MAX_PROCESSORS or number != int(number):
        raise UsageError(f"{what}: expected a whole number of processors, at least 1, got {shown(value)}")
    return int(number)


def _deadline(value: Any, what: str) -> Union[Decimal, str, None]:
    """None where there is none, a text of a moment; of more digits than 64 bits hold the time before it."""
    if is_moment(value):
        return str(value)
    exact = None if isinstance(value, str) and not value.strip() else exact_time(value, what)
    if exact is None:
        return None
    coefficient, exponent = exact
    while -exponent > MAX_DECIMALS or (coefficient >= FORBIDDEN and exponent < 0):
        coefficient, exponent = coefficient // 10, exponent + 1
    return Decimal((0, tuple(map(int, str(coefficient))), exponent))


def further_times(table: Table, release: Any) -> List[Any]:
    """The columns of times that say nothing of how long a task takes."""
    listed = list(release.values()) if isinstance(release, Mapping) else release
    return [column for column in (listed, table.deadline) if column is not None]


def _release(value: Any, what: str) -> Union[Decimal, str]:
    if is_moment(value):
        return str(value)
    coefficient, exponent = wait_time(value, what)
    return Decimal((0, tuple(map(int, str(coefficient))), exponent))


def more_of(table: Table, dated: Sequence[Any]) -> List[Dict[str, Any]]:
    """The further members of each task of a description; nothing where no task has any. `dated` are releases of which
    some are moments."""
    count = len(next(iter(table.columns.values())))
    more: List[Dict[str, Any]] = [{} for _ in range(count)]
    cores = [_cores(value, f"cores[{i}]") for i, value in enumerate(table.cores or ())]
    if any(number > 1 for number in cores):
        for members, number in zip(more, cores):
            members["size"] = number
    for i, value in enumerate(dated):
        more[i]["release"] = _release(value, f"release[{i}]")
    for i, value in enumerate(table.deadline or ()):
        due = _deadline(value, f"deadline[{i}]")
        if due is not None:
            more[i]["deadline"] = due
    for i, value in enumerate(table.group or ()):
        if not is_missing(value) and str(value):
            more[i]["group"] = str(value)
    return more if any(more) else []
