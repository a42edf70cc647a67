# SPDX-License-Identifier: Apache-2.0
"""Times: from what users write to ticks and back, whatever decimal context is set.

As in files: up to nine decimal places a time is exact, or refused. Where one has more, as floats
have, the tick is the finest of which all of the work makes at most 2^62."""
from __future__ import annotations

import re
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._check import shown
from ._library import FORBIDDEN, MAX_DECIMALS, MAX_WORK, UsageError

if TYPE_CHECKING:
    import numpy

Time = Union[int, float, Decimal, Fraction, timedelta, str, None]
Times = Union[Sequence[Time], "numpy.ndarray[Any, Any]"]

# 64 bits have at most 20 digits: nothing is ever rounded here, and it would raise if it were.
_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=-99, Emax=99, capitals=1, clamp=0,
                 flags=[], traps=[InvalidOperation, Inexact])

# Fractions that end nowhere; what is rounded here is far below a tick.
_QUOTIENT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=-99, Emax=99, capitals=1, clamp=0,
                    flags=[], traps=[InvalidOperation])

_ALWAYS_EXACT = 9  # places that are never rounded
_SMALLEST = -36  # what is below 10^-36 counts as that

# A number as coefficient * 10^exponent; the coefficient of a fraction does not end in 0.
_Exact = Tuple[int, int]
_Column = List[Optional[_Exact]]


class Scaled(NamedTuple):
    """Columns in ticks of 10^-decimals, and what the user should know about their rounding."""
    ticks: List[List[int]]
    decimals: int
    notice: Optional[str]


def in_unit(ticks: int, decimals: int) -> Decimal:
    """Ticks of 10^-decimals, within 64 bits, without trailing zeros and without an exponent."""
    while decimals > 0 and ticks % 10 == 0:
        ticks //= 10
        decimals -= 1
    return Decimal(ticks) if decimals == 0 else _EXACT.scaleb(Decimal(ticks), -decimals)


_UNITS: Tuple[Tuple[str, Union[int, Decimal]], ...] = (
    ("w|wks?|weeks?|wochen?", 604800), ("d|days?|tage?", 86400), ("h|hrs?|hours?|std|stunden?", 3600),
    ("m|mins?|minutes?|minuten", 60), ("s|secs?|seconds?|sekunden?", 1),
    ("ms", Decimal("1e-3")), ("us|µs|μs", Decimal("1e-6")), ("ns", Decimal("1e-9")))
_BY_UNITS = re.compile(r"[,\s]*".join(rf"(?:(\d+(?:\.\d+)?)\s*(?:{unit}))?" for unit, _ in _UNITS), re.I | re.ASCII)
_BY_CLOCK = re.compile(r"(?:(\d+)(?:-|\s+days?,?\s+))?(\d{1,4}):([0-5]\d):([0-5]\d(?:\.\d+)?)", re.I | re.ASCII)
_ISO = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.ASCII)
_MISSING = ("", "-", "nan", "na", "n/a", "#n/a", "<na>", "nat", "null", "none")  # in files, too
_COMMA_LENGTH = re.compile(r"\d+,(?!\d{3}(?!\d))\d+\s*[a-zµμ]+", re.I)
_COMMA = re.compile(r"\d*,\d+(?:[eE][-+]?\d+)?")


def length_of_text(text: str) -> Optional[Decimal]:
    """The seconds of a length of time as tools print it, "1h 20m", "00:01:30", "PT1H"; None for others."""
    text = text.strip()
    if re.match(r"[0-9.]+\s*M(?![A-Za-z])", text):  # may be millions
        return None
    if _COMMA_LENGTH.fullmatch(text):  # "3,17 h"; three digits behind the comma may be thousands
        text = text.replace(",", ".")
    forms: Tuple[Tuple["re.Pattern[str]", Sequence[Union[int, Decimal]]], ...] = (
        (_BY_UNITS, [unit for _, unit in _UNITS]), (_BY_CLOCK, [86400, 3600, 60, 1]), (_ISO, [604800, 86400, 3600, 60, 1]))
    for form, seconds in forms:
        found = form.fullmatch(text)
        if found is not None and any(part is not None for part in found.groups()):
            return sum((_EXACT.multiply(Decimal(part), Decimal(unit))
                        for part, unit in zip(found.groups(), seconds) if part is not None), Decimal(0))
    return None


def may_be_time(value: Any) -> bool:
    """Whether a value of a table may be meant as a time: a number, a length of time, or a text that begins like one."""
    if isinstance(value, str):
        return re.match(r"\s*(?:[-+]?[.,]?\d|P[\dT]|[-+]?inf(?:inity)?\s*$)", value, re.I) is not None
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "datetime", "date", "time", "Timestamp", "datetime64"):
        return False
    return isinstance(value, (int, float, Decimal, Fraction, timedelta)) or not (
        hasattr(value, "__len__") or hasattr(value, "__iter__"))


def _decimal(value: Any, what: str) -> Decimal:
    """The number that was given; Decimal(...) never rounds."""
    try:
        if isinstance(value, bool):
            pass
        elif isinstance(value, float):  # also one of NumPy, whose own repr() names its type
            return Decimal(float.__repr__(value))
        elif isinstance(value, str) and not value.strip().isascii():
            raise InvalidOperation  # digits of other scripts, which files do not take either
        elif isinstance(value, (int, Decimal, str)):
            return Decimal(value)
        elif isinstance(value, Fraction):
            return _QUOTIENT.divide(Decimal(value.numerator), Decimal(value.denominator))
        elif isinstance(value, timedelta):  # also one of pandas, which counts nanoseconds
            whole = value.days * 86400 + value.seconds
            nano = value.microseconds * 1000 + getattr(value, "nanoseconds", 0)
            return Decimal(whole) + Decimal(nano).scaleb(-9)
    except InvalidOperation:
        length = length_of_text(value) if isinstance(value, str) else None
        if length is not None:
            return length
        if isinstance(value, str) and _COMMA.fullmatch(value.strip()):
            point = value.strip().replace(",", ".")  # 3,17 h; who writes 1,234 means a thousand
            raise UsageError(f"{what}: expected a time with a decimal point, such as {point!r}, got {shown(value)}; "
                             "pandas.read_csv() takes decimal=','") from None
    raise UsageError(f"{what}: expected a time, got {shown(value)}")


def length_in(value: Any, unit: str, what: str) -> Any:
    """A length of time, "7h" or a timedelta, as a number of a unit of time; all else as it is."""
    if not are_lengths([[value]]):
        return value
    one = length_of_text("1" + unit)
    if one is None:
        raise UsageError(f"{what}: {shown(value)} needs an instance whose times have a unit of time (unit='s'); "
                         "expected a number")
    return _QUOTIENT.divide(_decimal(_plain(value, what), what), Decimal(one))


def _plain(value: Any, what: str) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, (int, float, Decimal, str)) or not hasattr(value, "item"):
        return value
    try:
        return _as_timedelta(value) if type(value).__name__ == "timedelta64" else value.item()
    except Exception:  # an array
        raise UsageError(f"{what}: expected a time, got {shown(value)}") from None


def ticks_until(value: Any, decimals: int, what: str) -> int:
    """The last tick that is not after a time."""
    exact = None if is_missing(value) else exact_time(value, what)
    if exact is None:
        raise UsageError(f"{what}: expected a time, got {shown(value)}")
    coefficient, exponent = exact
    shift = exponent + decimals
    ticks = coefficient * int(10**shift) if shift >= 0 else coefficient // int(10**-shift)
    return min(ticks, MAX_WORK)


def _short_float(value: float) -> Optional[_Exact]:
    """A float that prints as plain digits, as most do: those digits. Others: None."""
    whole, point, fraction = float.__repr__(value).partition(".")
    if not point or not whole.isdigit() or not fraction.isdigit():
        return None
    return (int(whole), 0) if fraction == "0" else (int(whole + fraction), -len(fraction))


def is_missing(value: Any) -> bool:
    """None, a NaN, and what pandas writes where there is no value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float):
        return value != value
    return isinstance(value, Decimal) and value.is_qnan()


def says_nothing(value: Any) -> bool:
    """Whether a text stands in a table where there is no value."""
    return isinstance(value, str) and value.strip().lower() in _MISSING


def exact_time(value: Any, what: str) -> Optional[_Exact]:
    """An exact time; None where it is forbidden."""
    if type(value) is int and 0 <= value < FORBIDDEN:
        return value, 0  # most are such
    if type(value) is float:
        short = _short_float(value)
        if short is not None and short[0] < FORBIDDEN:
            return short
    value = _plain(value, what)
    if is_missing(value) or says_nothing(value):
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
    if number.adjusted() < _SMALLEST:
        return 1, _SMALLEST
    _, digits, places = number.as_tuple()
    exponent = int(places)  # of a finite number it is one
    end = len(digits)
    while exponent < 0 and digits[end - 1] == 0:
        end -= 1
        exponent += 1
    return int("".join(map(str, digits[:end]))), exponent


def exact_fraction(value: Any, what: str) -> Fraction:
    """A time to compare; what is missing is the smallest."""
    exact = exact_time(value, what)
    return Fraction(-1) if exact is None else Fraction(exact[0]) * Fraction(10)**exact[1]


def _round(value: _Exact, decimals: int) -> int:
    """The nearest whole number of ticks; halves go up."""
    coefficient, exponent = value
    surplus = -exponent - decimals
    if surplus <= 0:
        return coefficient * int(10**-surplus)
    unit = int(10**surplus)
    return (2 * coefficient + unit) // (2 * unit)


def _work_fits(columns: Sequence[_Column], counts: Optional[Sequence[int]], costs: _Column, waits: _Column,
               decimals: int) -> bool:
    """Whether all of the work after the longest wait is at most 2^62 ticks. On a much too fine scale the
    first tasks show that it is not."""
    work = sum(_round(v, decimals) for v in costs if v is not None)
    work += max((_round(v, decimals) for v in waits if v is not None), default=0)
    for i, row in enumerate(zip(*columns)):
        longest = max((_round(v, decimals) for v in row if v is not None), default=0)
        work += longest if counts is None else longest * counts[i]
        if work > MAX_WORK:
            return False
    return work <= MAX_WORK


def _error_text(error: Fraction) -> str:
    """Two digits, rounded up: 4.9e-15."""
    exponent = 0
    while error < 10:
        error *= 10
        exponent -= 1
    two = -(-error.numerator // error.denominator)  # 100 where 99 and a bit is rounded up
    digits = str(two).rstrip("0")
    return f"{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{exponent + len(str(two)) - 1}"


def _rounding_notice(columns: Sequence[_Column], decimals: int) -> Optional[str]:
    """Says what becomes of the times that are no whole ticks; None where there are none."""
    times = [v for column in columns for v in column if v is not None]
    cut = [v for v in times if -v[1] > decimals]
    if not cut:
        return None
    places = max(-v[1] for v in cut)
    largest = Fraction(max(
        10**(places + v[1]) * abs(v[0] - _round(v, decimals) * 10**(-v[1] - decimals))
        for v in cut), 10**places)
    return (f"{len(cut)} of {len(times)} times {'is' if len(cut) == 1 else 'are'} rounded to "
            f"{decimals} decimal place{'' if decimals == 1 else 's'}, the finest that "
            f"fit{'s' if decimals == 1 else ''}; the largest error is {_error_text(largest)}")


def _is_length(value: Any) -> bool:
    if isinstance(value, str):
        return not value.strip().isdigit() and length_of_text(value) is not None
    return isinstance(value, timedelta) or type(value).__name__ == "timedelta64"


def are_lengths(columns: Sequence[Any]) -> bool:
    """Whether some time is a length of time, which is in seconds."""
    return any(_is_length(value) for column in columns for value in as_list(column))


class _Nanoseconds(timedelta):
    """A length of time that counts nanoseconds beside microseconds, as that of pandas does."""
    nanoseconds: int


def _as_timedelta(value: Any) -> Optional[timedelta]:
    """That of NumPy, of whatever unit, or of pandas; None where it is not a time."""
    if value != value:
        return None
    if isinstance(value, timedelta):
        return value
    count = int(value.astype("timedelta64[ns]").astype("int64"))
    length = _Nanoseconds(microseconds=count // 1000)
    length.nanoseconds = count % 1000
    return length


def as_list(column: Any) -> List[Any]:
    """The values of a list, a NumPy array or a column of pandas, those of Python where they can be."""
    if getattr(getattr(column, "dtype", None), "kind", None) == "m" and not hasattr(column, "index"):
        return [_as_timedelta(value) for value in column]  # of which tolist() makes whole numbers
    if getattr(getattr(column, "dtype", None), "kind", None) == "M" and not hasattr(column, "index"):
        return list(column)
    if hasattr(column, "tolist"):
        values = column.tolist()
        return values if isinstance(values, list) else [values]
    return list(column)


def _refuse_rounded(names: Sequence[str], exact: Sequence[_Column], decimals: int) -> None:
    for name, column in zip(names, exact):
        for i, v in enumerate(column):
            if v is not None and -v[1] > decimals:
                raise UsageError(f"{name}[{i}]: a time with {-v[1]} decimal places: expected at "
                                 f"most {decimals} where times are to be exact")


def wait_time(value: Any, what: str) -> _Exact:
    """An exact time until which something waits; 0 where nothing is said."""
    value = _plain(value, what)
    exact = (0, 0) if is_missing(value) or says_nothing(value) else exact_time(value, what)
    if exact is None:
        raise UsageError(f"{what}: expected a finite time >= 0, got {shown(value)}")
    return exact


def scaled(names: Sequence[str], columns: Sequence[Any], counts: Optional[Sequence[int]] = None,
           exact_times: bool = False, costs: Sequence[Any] = (),
           waits: Optional[Mapping[str, Sequence[Any]]] = None) -> Scaled:
    """The columns in ticks, those of `waits` (releases, until when processors are busy) behind them and
    the costs of edges at the end, and how many decimals a tick has."""
    waiting: Dict[str, _Column] = {} if waits is None else {
        name: [wait_time(v, f"{name}[{i}]") for i, v in enumerate(column)]
        for name, column in waits.items()}
    cost = [exact_time(v, "edges: a cost") for v in costs]
    if None in cost:
        raise UsageError("edges: expected costs >= 0")
    exact = [[exact_time(v, f"{name}[{i}]") for i, v in enumerate(as_list(column))]
             for name, column in zip(names, columns)]
    everything = [*exact, *waiting.values(), cost]
    named = [*names, *waiting]
    waited = [v for column in waiting.values() for v in column]
    decimals = max((-v[1] for column in everything for v in column if v is not None), default=0)
    decimals = max(0, decimals)
    notice = None
    if decimals > _ALWAYS_EXACT:
        decimals = min(decimals, MAX_DECIMALS)
        while decimals > 0 and not _work_fits(exact, counts, cost, waited, decimals):
            decimals -= 1
        if exact_times:
            _refuse_rounded([*named, "edges: costs"], everything, decimals)
        notice = _rounding_notice(everything, decimals)
    ticks = [[FORBIDDEN if v is None else _round(v, decimals) for v in column]
             for column in everything]
    for t, column in enumerate(ticks):
        for i, v in enumerate(column):
            if v > FORBIDDEN or (v == FORBIDDEN and everything[t][i] is not None):
                what = f"{named[t]}[{i}]" if t < len(named) else "edges"
                raise UsageError(f"{what}: a time beyond 2^63 ticks")
    return Scaled(ticks, decimals, notice)
