# SPDX-License-Identifier: Apache-2.0
"""Schedules of any origin against the best bound that is computed on the spot."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from ._arguments import checked
from ._bound import Bound, bound
from ._fraction import Fraction
from ._instance import Instance
from ._solution import Runs, Solution, schedule_of


class Judgement(NamedTuple):
    """A schedule that the checker accepts, the best lower bound, and how far it is above."""
    solution: Solution
    bound: Bound
    gap: Optional[Fraction]  # makespan / bound - 1; None where the bound is 0

    @property
    def optimal(self) -> bool:
        """Whether the bound proves that no schedule is shorter."""
        return self.solution.makespan_ticks == self.bound.ticks


@checked
def judge(source: Union[Runs, Solution], instance: Instance, *, time_limit: float = 1.0) -> Judgement:
    """Judges a schedule as `duet show` does: what read_solution() takes, or a Solution. The checker
    looks at it, and InputError says what is wrong where it is no schedule; then the best lower bound
    is computed, each within `time_limit` seconds. A bound that the schedule's own certificate proves
    counts, too."""
    solution = schedule_of(source, instance, "source")
    certified = solution.verify() == "certified"
    best = bound(solution.instance, time_limit=time_limit)
    if certified and solution.lower_bound_ticks > best.ticks:
        best = Bound(solution.bound_name or "", solution.lower_bound, solution.lower_bound_ticks, None, "certified")
    makespan = solution.makespan_ticks
    return Judgement(solution, best, Fraction(makespan - best.ticks, best.ticks) if best.ticks > 0 else None)
