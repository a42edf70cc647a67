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
        return str(int(value))
    if not math.isfinite(value):
        return "null"  # as in columns of times: it cannot run there
    return repr(float(value))


def to_json(value: Any) -> str:
    """Dictionaries, sequences, texts, numbers (decimals and those of NumPy too), None."""
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if hasattr(value, "tolist"):  # an array, or a number of NumPy
        return to_json(value.tolist())
    if isinstance(value, (int, float, Decimal)):
        return _number(value)
    if isinstance(value, Mapping):
        members = (f"{json.dumps(str(name))}: {to_json(member)}" for name, member in value.items())
        return "{" + ", ".join(members) + "}"
    if hasattr(value, "__iter__"):
        return "[" + ", ".join(map(to_json, value)) + "]"
    raise UsageError(f"expected what JSON can hold, got {shown(value)}")
