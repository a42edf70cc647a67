# SPDX-License-Identifier: Apache-2.0
"""Lower bounds: no schedule is shorter."""
from __future__ import annotations

import time
from ctypes import byref, c_int, sizeof
from decimal import Decimal
from typing import List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._arguments import checked
from ._check import text
from ._fraction import Fraction
from ._held import BoundHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import LimitError, Params, UnsupportedError, UsageError, call, library, string
from ._registry import names_of_bounds
from ._solve import Options


BOUND_CHECKS = ("none", "unproven", "certified", "table")  # in the order of duet_bound_check
_CHECKING = 1.0  # seconds at least for the check of a certificate


class Bound(NamedTuple):
    """A lower bound on the makespan of every schedule. `exact` is what `value` is rounded up from, None where
    it comes from a linear program; `proven` says how it stands: "certified" (the independent checker has
    seen its certificate), "table" (proven by a table that was not computed again), "unproven" or "none"."""
    name: str
    value: Decimal
    ticks: int
    exact: Optional[Fraction] = None
    proven: str = "unproven"


def _value(handle: BoundHandle) -> int:
    return int(library.duet_bound_value(handle))


def _compute(instance: Instance, name: bytes, params: Params) -> BoundHandle:
    handle = BoundHandle()
    call("duet_compute_bound", instance._handle, name, byref(params), byref(handle))
    return handle


def _proven(instance: Instance, handle: BoundHandle, params: Params) -> str:
    """What the checker says of it; what it cannot decide in time is not proven."""
    check = c_int()
    try:
        call("duet_check_bound", instance._handle, handle, byref(params), byref(check))
    except LimitError:
        return "unproven"
    return BOUND_CHECKS[check.value]


def _told(instance: Instance, handle: BoundHandle, proven: str) -> Bound:
    ticks = _value(handle)
    exact = string(library.duet_bound_exact(handle))
    return Bound(string(library.duet_bound_name(handle)), instance._time(ticks), ticks,
                 Fraction(Fraction(exact) / 10**instance.decimals) if exact else None, proven)


def _names(given: Union[str, Sequence[str]]) -> List[bytes]:
    """The bounds of a list, or of a text such as "area,longest"."""
    listed = [part.strip() for one in ([given] if isinstance(given, str) else given) for part in one.split(",")]
    if not listed:
        raise UsageError("name: expected the name of a bound, or several")
    return [text("name", one) for one in listed]


def _best(instance: Instance, names: Sequence[bytes], asked: bool, params: Params,
          time_limit: float) -> Optional[BoundHandle]:
    """The largest of them, which share the time. One that cannot be computed is left out where nobody asked for it."""
    end = time.monotonic() + time_limit
    best: Optional[BoundHandle] = None
    for i, row in enumerate(names):
        if time_limit > 0:
            params.time_limit = max((end - time.monotonic()) / (len(names) - i), 1e-3)
        try:
            found = _compute(instance, row, params)
        except (LimitError, UnsupportedError):
            if asked:
                raise
            continue
        best = found if best is None or _value(found) > _value(best) else best
    return best


@checked
def bound(instance: Instance, name: Union[str, Sequence[str], None] = None, *, time_limit: float = 10.0,
          options: Optional[Mapping[str, object]] = None) -> Bound:
    """The lower bound of that name (see bounds()), or the best of several, ["area", "longest"]; without
    one the best of all that there are for this instance. They share `time_limit` seconds (0: no limit).

        >>> duet.bound(duet.read("tasks.csv", m=2, k=1), "area").value  # doctest: +SKIP
        Decimal('33')
    """
    names = names_of_bounds(library.duet_instance_edges(instance._handle) > 0) if name is None else _names(name)

    def work(cancel: Cancel) -> Tuple[BoundHandle, str]:
        params = Params(struct_size=sizeof(Params), time_limit=time_limit, cancel=cancel._handle)
        end = time.monotonic() + time_limit
        with instance._reading(), Options(options) as given:
            params.options = given
            best = _best(instance, names, name is not None, params, time_limit)
            if best is None:
                raise UnsupportedError("no bound handles this instance")
            if time_limit > 0:
                params.time_limit = max(end - time.monotonic(), _CHECKING)
            return best, _proven(instance, best, params)

    return _told(instance, *interruptible(work))
