# SPDX-License-Identifier: Apache-2.0
"""Lower bounds: no schedule is shorter."""
from __future__ import annotations

import time
from ctypes import byref, sizeof
from decimal import Decimal
from typing import Mapping, NamedTuple, Optional

from ._arguments import checked
from ._check import text_or_none
from ._held import BoundHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import LimitError, Params, UnsupportedError, call, library, string
from ._registry import names_of_bounds
from ._solve import Options


class Bound(NamedTuple):
    """A lower bound on the makespan of every schedule."""
    name: str
    value: Decimal
    ticks: int


def _compute(instance: Instance, name: bytes, params: Params) -> Bound:
    handle = BoundHandle()
    call("duet_compute_bound", instance._handle, name, byref(params), byref(handle))
    ticks = int(library.duet_bound_value(handle))
    return Bound(string(library.duet_bound_name(handle)), instance._time(ticks), ticks)


@checked
def bound(instance: Instance, name: Optional[str] = None, *, time_limit: float = 10.0,
          options: Optional[Mapping[str, object]] = None) -> Bound:
    """The lower bound of that name (see bounds()); without one the best of all that there are for
    this instance, which share `time_limit` seconds (0: no limit).

        >>> duet.bound(duet.read("tasks.csv", m=2, k=1), "area").value  # doctest: +SKIP
        Decimal('33')
    """
    one = text_or_none("name", name)
    names = [one] if one is not None else names_of_bounds(library.duet_instance_edges(instance._handle) > 0)

    def work(cancel: Cancel) -> Bound:
        params = Params(struct_size=sizeof(Params), time_limit=time_limit, cancel=cancel._handle)
        end = time.monotonic() + time_limit
        best: Optional[Bound] = None
        with instance._reading(), Options(options) as given:
            params.options = given
            for i, row in enumerate(names):
                if time_limit > 0:
                    params.time_limit = max((end - time.monotonic()) / (len(names) - i), 1e-3)
                try:
                    found = _compute(instance, row, params)
                except (LimitError, UnsupportedError):
                    if one is not None:
                        raise
                    continue
                best = found if best is None or found.ticks > best.ticks else best
        if best is None:
            raise UnsupportedError("no bound handles this instance")
        return best

    return interruptible(work)
