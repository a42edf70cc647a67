# SPDX-License-Identifier: Apache-2.0
"""Arguments before they go to C: ctypes wraps a number, and a text ends at its first NUL."""
from __future__ import annotations

import math
import operator
import os
from typing import Any, Optional, Union

from ._library import UsageError

Path = Union[str, "os.PathLike[str]"]

INT64_MAX = 2**63 - 1
UINT64_MAX = 2**64 - 1


def shown(value: Any) -> str:
    """The value for a message, however long it is."""
    try:
        text = repr(value)
    except ValueError:  # Python writes out no integer of more than 4300 digits
        return "a number too long to write"
    return text if len(text) <= 80 else text[:77] + "..."


def whole(what: str, value: Any, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"{what}: expected a whole number, got {shown(value)}") from None
    if not low <= number <= high:
        raise UsageError(f"{what}: expected {low} to {high}, got {shown(number)}")
    return number


def seconds(what: str, value: Any) -> float:
    """A finite number of seconds, at least 0."""
    fault = f"{what}: expected a finite number of seconds >= 0, got {shown(value)}"
    if isinstance(value, (bool, str, bytes, bytearray)):
        raise UsageError(fault)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(fault) from None
    if not math.isfinite(number) or number < 0:
        raise UsageError(fault)
    return number


def text(what: str, value: Any) -> bytes:
    """A text as C takes it: UTF-8 without NUL."""
    if not isinstance(value, str):
        raise UsageError(f"{what}: expected a text, got {shown(value)}")
    if "\0" in value:
        raise UsageError(f"{what}: expected a text without NUL, got {shown(value)}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what}: expected a text without lone surrogates, "
                         f"got {shown(value)}") from None


def text_or_none(what: str, value: Optional[str]) -> Optional[bytes]:
    return None if value is None else text(what, value)


def path(value: Any) -> bytes:
    """A path as the system takes it. Bytes that are not UTF-8 come from it as lone surrogates, and
    go back to it as those bytes."""
    try:
        given = os.fsencode(value)
    except (TypeError, UnicodeEncodeError):
        raise UsageError(f"expected a path, got {shown(value)}") from None
    if b"\0" in given:
        raise UsageError(f"expected a path without NUL, got {shown(value)}")
    return given
