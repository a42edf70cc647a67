# SPDX-License-Identifier: Apache-2.0
"""Times: from what users write to ticks and back, exactly, whatever decimal context is set."""
from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple, Union

from ._check import shown
from ._library import FORBIDDEN, MAX_DECIMALS, UsageError

if TYPE_CHECKING:
    import numpy

Time = Union[int, float, Decimal, str, None]
Times = Union[Sequence[Time], "numpy.ndarray[Any, Any]"]

# 64 bits have at most 20 digits: nothing is ever rounded here, and it would raise if it were.
_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=-99, Emax=99, capitals=1, clamp=0,
                 flags=[], traps=[InvalidOperation, Inexact])

# A number as coefficient * 10^exponent; the coefficient of a fraction does not end in 0.
_Exact = Tuple[int, int]


def in_unit(ticks: int, decimals: int) -> Decimal:
    """Ticks of 10^-decimals, within 64 bits, without trailing zeros and without an exponent."""
    while decimals > 0 and ticks % 10 == 0:
        ticks //= 10
        decimals -= 1
    return Decimal(ticks) if decimals == 0 else _EXACT.scaleb(Decimal(ticks), -decimals)


def _decimal(value: Any, what: str) -> Decimal:
    """The number that was given; Decimal(...) never rounds."""
    try:
        if isinstance(value, bool):
            pass
        elif isinstance(value, float):  # also one of NumPy, whose own repr() names its type
            return Decimal(float.__repr__(value))
        elif isinstance(value, (int, Decimal, str)):
            return Decimal(value)
    except InvalidOperation:
        pass
    raise UsageError(f"{what}: expected a time, got {shown(value)}")


def _plain(value: Any, what: str) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, (int, float, Decimal, str)) or not hasattr(value, "item"):
        return value
    try:
        return value.item()
    except (TypeError, ValueError, RuntimeError):  # an array
        raise UsageError(f"{what}: expected a time, got {shown(value)}") from None


def _exact(value: Any, what: str) -> Optional[_Exact]:
    """An exact time; None where it is forbidden."""
    if type(value) is int and 0 <= value < FORBIDDEN:
        return value, 0  # most are such
    value = _plain(value, what)
    if value is None:
        return None
    number = _decimal(value, what)
    if number.is_infinite() and not number.is_signed():
        return None
    if not number.is_finite() or (number.is_signed() and not number.is_zero()):
        raise UsageError(f"{what}: expected a time >= 0, got {shown(value)}")
    if number.is_zero():
        return 0, 0
    # By its exponent, before anything of that length is made: 1e1000000 is a short text.
    if number.adjusted() >= len(str(FORBIDDEN)):
        raise UsageError(f"{what}: a time beyond 2^63 ticks: {shown(value)}")
    _, digits, places = number.as_tuple()
    exponent = int(places)  # of a finite number it is one
    end = len(digits)
    while exponent < 0 and digits[end - 1] == 0:
        end -= 1
        exponent += 1
    if exponent < -MAX_DECIMALS:
        raise UsageError(f"{what}: a time with {-exponent} decimal places: expected at most "
                         f"{MAX_DECIMALS}")
    return int("".join(map(str, digits[:end]))), exponent


def scaled(columns: Sequence[Any]) -> Tuple[List[List[int]], int]:
    """The columns in ticks, and how many decimals a tick has."""
    names = ("cpu", "gpu")
    exact = [[_exact(v, f"{names[t]}[{i}]") for i, v in enumerate(column)]
             for t, column in enumerate(columns)]
    decimals = max((-v[1] for column in exact for v in column if v is not None), default=0)
    decimals = max(0, decimals)
    ticks = [[FORBIDDEN if v is None else v[0] * 10**(v[1] + decimals) for v in column]
             for column in exact]
    for t, column in enumerate(ticks):
        for i, v in enumerate(column):
            if v > FORBIDDEN or (v == FORBIDDEN and exact[t][i] is not None):
                raise UsageError(f"{names[t]}[{i}]: a time beyond 2^63 ticks")
    return ticks, decimals
