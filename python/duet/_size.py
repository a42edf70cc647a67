# SPDX-License-Identifier: Apache-2.0
"""Sizing: the smallest platforms that meet a deadline."""
from __future__ import annotations

import ctypes
from ctypes import byref, c_int64
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._arguments import checked
from ._check import shown
from ._clock import time_in
from ._held import SizingHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import FORBIDDEN, Params, SizeDescription, UsageError, call, library

_STATUS = ("infeasible", "feasible", "unknown")  # in the order of duet_feasibility
_TEN = Decimal(10)


Range = Union[int, str, Sequence[int]]  # 4, "1..4", (1, 4), range(1, 5)
Price = Union[int, float, str, Decimal]


class Sizing(Dict[str, Any]):
    """What duet.size() found, as `duet size --json` has it: a dictionary with "deadline",
    "platforms", "smallest", "undecided" and "decided"."""

    @property
    def smallest(self) -> List[Dict[str, int]]:
        """The smallest platforms that make it; with prices, the cheapest."""
        return list(self["smallest"])

    @property
    def platforms(self) -> List[Dict[str, Any]]:
        """Every platform of the range: counts, price, status, makespan, lower_bound, solved."""
        return list(self["platforms"])

    @property
    def undecided(self) -> List[Dict[str, int]]:
        """The platforms that are not decided and could change the answer."""
        return list(self["undecided"])

    @property
    def decided(self) -> bool:
        """Whether nothing that is open could change the answer."""
        return bool(self["decided"])


def range_of(name: str, given: Any) -> List[int]:
    """The least and the most of one count, of a range, of a pair, or of a text as "1..4"."""
    try:
        if isinstance(given, str):
            first, _, last = given.partition("..")
            ends = [int(first), int(last or first)]
        elif isinstance(given, range):
            ends = [given[0], given[-1]]
        elif isinstance(given, int):
            ends = [given, given]
        else:
            ends = [int(end) for end in given]
    except Exception:  # whatever its items raise
        ends = []
    if len(ends) != 2 or not 0 <= ends[0] <= ends[1] < 2**31:
        raise UsageError(f"platform[{name}]: expected a count, a pair (1, 4), a range or \"1..4\", got {shown(given)}")
    return ends


def _number(what: str, value: Any) -> Decimal:
    number = None
    try:
        number = Decimal(value) if isinstance(value, int) else Decimal(str(value))
    except (ArithmeticError, ValueError):
        pass
    if number is None or isinstance(value, bool) or not number.is_finite() or number < 0:
        raise UsageError(f"{what}: expected a number of at least 0, got {shown(value)}")
    return number


def hourly(names: List[str], price: Mapping[str, Any]) -> Dict[str, Decimal]:
    """The price of a processor of each type."""
    if sorted(price) != sorted(names):
        raise UsageError(f"price: expected a price for each of {', '.join(names)}")
    return {name: _number(f"price[{name}]", price[name]) for name in names}


def _prices(names: List[str], price: Mapping[str, Any]) -> "tuple[List[int], int]":
    numbers = list(hourly(names, price).values())
    places = max(0, *(-int(number.as_tuple().exponent) for number in numbers))
    scaled = [int(number.scaleb(places)) for number in numbers]
    if places > 18 or max(scaled) >= 2**31:
        raise UsageError("price: the prices differ too much: expected fewer digits")
    return scaled, places


@checked
def size(instance: Instance, deadline: Union[int, float, str, Decimal, timedelta, datetime],
         platform: Mapping[str, Range], price: Optional[Mapping[str, Price]] = None, *,
         algorithm: Optional[str] = None, time_limit: float = 30.0, threads: int = 0,
         seed: int = 0) -> Sizing:
    """The smallest platforms of a range on which all tasks can end by `deadline`: those of which no
    other one that does has at most as many processors of every type; with a `price` of a processor of
    each type, the cheapest.

    `deadline` is in the unit of the instance, or a length of time such as "7h" where that is one of time,
    or a day and a time where the instance has a start.
    `platform` has a count, a pair, a range or a text for each type that is not to be as it is; it all
    takes `time_limit` seconds at most.

        >>> import duet
        >>> tasks = duet.Instance.from_times([4, 9, 7], [3, 2, 2], 1, 1)
        >>> duet.size(tasks, 7, {"cpu": "0..3", "gpu": (0, 2)}).smallest
        [{'cpu': 0, 'gpu': 1}]
    """
    own = instance._again()
    names = list(own.platform)
    unknown = [name for name in platform if name not in names]
    if unknown:
        raise UsageError(f"platform: no type '{unknown[0]}': expected {', '.join(names)}")
    ranges = [range_of(name, platform.get(name, library.duet_instance_type_count(own._handle, t)))
              for t, name in enumerate(names)]
    due = _number("deadline", time_in(deadline, own.unit, own.start, "deadline"))
    prices, places = _prices(names, price) if price is not None else ([], 0)
    array = c_int64 * len(names)
    params = Params(struct_size=ctypes.sizeof(Params), time_limit=time_limit, threads=threads, seed=seed)
    most_ticks = min(due.scaleb(own.decimals), Decimal(2**62))
    asked = SizeDescription(struct_size=ctypes.sizeof(SizeDescription), deadline=int(most_ticks),
                            least=array(*(ends[0] for ends in ranges)),
                            most=array(*(ends[1] for ends in ranges)),
                            price=array(*prices) if price is not None else None,
                            algorithm=None if algorithm is None else algorithm.encode())

    def work(cancel: Cancel) -> Sizing:
        params.cancel = cancel._handle
        asked.params = ctypes.pointer(params)
        handle = SizingHandle()
        call("duet_size", own._handle, byref(asked), byref(handle))
        platforms = []
        smallest = []
        for i in range(library.duet_sizing_platforms(handle)):
            found = library.duet_sizing_platform(handle, i)
            counts = dict(zip(names, found.counts))
            platforms.append({
                "counts": counts,
                "price": None if price is None else Decimal(found.price).scaleb(-places),
                "status": _STATUS[found.feasible],
                "makespan": None if found.makespan == FORBIDDEN else own._time(found.makespan),
                "lower_bound": None if found.lower_bound == FORBIDDEN else own._time(found.lower_bound),
                "solved": found.solved})
            if found.smallest:
                smallest.append(counts)
        prices_met = [entry["price"] for entry in platforms if entry["status"] == "feasible"]
        undecided = [entry["counts"] for entry in platforms if entry["status"] == "unknown"
                     and (price is None or not prices_met or entry["price"] <= min(prices_met))]
        return Sizing(deadline=due, platforms=platforms, smallest=smallest, undecided=undecided,
                      decided=_STATUS[library.duet_sizing_answer(handle)] != "unknown")

    return interruptible(work)
