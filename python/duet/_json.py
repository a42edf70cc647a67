# SPDX-License-Identifier: Apache-2.0
"""Objects of Python as JSON in which every number keeps its digits."""
from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any, Mapping

from ._check import shown
from ._library import UsageError


def _number(value: Any) -> str:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise UsageError(f"expected a number, got {shown(value)}")
        return str(value)
    if isinstance(value, int):
        try:
            return str(int(value))
        except ValueError:  # Python writes out no integer of more than 4300 digits
            raise UsageError(f"expected a number, got {shown(value)}") from None
    if not math.isfinite(value):
        return "null"  # as in columns of times: it cannot run there
    return repr(float(value))


def to_json(value: Any) -> str:
    """Dictionaries, sequences, texts, numbers (decimals and those of NumPy too), None."""
    try:
        return _written(value)
    except RecursionError:
        raise UsageError("expected what JSON can hold, got something too deep, or that contains "
                         "itself") from None


def _written(value: Any) -> str:
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if hasattr(value, "tolist"):  # an array, or a number of NumPy
        return _written(value.tolist())
    if isinstance(value, (int, float, Decimal)):
        return _number(value)
    if isinstance(value, Mapping):
        members = (f"{json.dumps(str(name))}: {_written(member)}" for name, member in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, (bytes, bytearray)):
        raise UsageError(f"expected what JSON can hold, got {shown(value)}")
    if hasattr(value, "__iter__") and not isinstance(value, type):
        return "[" + ", ".join(map(_written, value)) + "]"
    raise UsageError(f"expected what JSON can hold, got {shown(value)}")
