# SPDX-License-Identifier: Apache-2.0
"""The figures by which papers judge a schedule."""
from __future__ import annotations

import math
from ctypes import POINTER, Structure, byref, c_char, c_double, c_int64, c_size_t, cast, sizeof
from typing import Any, Dict, Mapping, Optional

from ._arguments import checked
from ._library import UsageError, call, string
from ._solution import Solution

_OTHERS = 7  # DUET_OTHER_METRICS


class _Metric(Structure):
    """duet_metric"""
    _fields_ = [("name", c_char * 128), ("value", c_double)]


class _Options(Structure):
    """duet_metrics_options"""
    _fields_ = [("struct_size", c_size_t), ("lower_bound", c_int64), ("watts", POINTER(c_double)),
                ("idle_watts", POINTER(c_double))]


def _by_type(name: str, given: Optional[Mapping[str, float]], types: Any) -> Any:
    if given is None:
        return None
    if sorted(given) != sorted(types):
        raise UsageError(f"{name}: expected a number for each of {', '.join(types)}")
    return (c_double * len(types))(*(given[type] for type in types))


@checked
def metrics(solution: Solution, *, watts: Optional[Mapping[str, float]] = None,
            idle_watts: Optional[Mapping[str, float]] = None) -> Dict[str, Optional[float]]:
    """What papers judge a schedule by: `equivalent_acceleration_TYPE`, `normalised_idle_TYPE` (over the
    solution's bound), `transfers`, `transfer_volume`, `slr`, `speedup`, `ccr`, and with `watts` of a
    processor of each type `peak_power` and `average_power`. None where a figure is not defined.

        >>> s = duet.solve(cpu=[4, 6, 2], gpu=[2, 2, 2], m=1, k=1, algorithm="heft")
        >>> duet.metrics(s)["speedup"]
        1.5
    """
    instance = solution.instance
    types = list(instance.platform)
    busy = _by_type("watts", watts, types)
    idle = _by_type("idle_watts", idle_watts, types)
    options = _Options(struct_size=sizeof(_Options),
                       watts=cast(busy, POINTER(c_double)) if busy is not None else None,
                       idle_watts=cast(idle, POINTER(c_double)) if idle is not None else None)
    found = (_Metric * (2 * len(types) + _OTHERS))()
    count = c_size_t()
    with instance._reading() as problem:
        call("duet_solution_metrics", problem, solution._handle, byref(options), found, byref(count))
    return {string(metric.name): None if math.isnan(metric.value) else metric.value
            for metric in found[:count.value]}
