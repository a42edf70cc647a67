# SPDX-License-Identifier: Apache-2.0
"""Optimal or provably bounded schedules for CPUs and GPUs, or any processor types.

Functions (help(duet.solve) and so on say more):

    solve           the best schedule of times, a table, a graph or an instance, with a proven bound
    bound           a lower bound: no schedule is shorter
    judge           a schedule from elsewhere, checked, against the best bound
    metrics         the figures by which papers judge a schedule
    compare         many algorithms on the same instances, as a table
    what_if         one instance on many platforms, as a table
    size            the smallest, or cheapest, platforms that meet a deadline
    simulate        a rule or a plan while times are not as planned
    rule            a function as an algorithm of one's own, which stands wherever the name of one does
    search_worst    the instance on which a rule is farthest from the optimum
    adversary       online rules against adversaries that build the graph while they run
    report          a page of HTML with schedules and comparisons
    command         the command `duet`, with rules of one's own beside its algorithms
    read, generate, read_solution         instances and schedules from files and families
    algorithms, bounds, families, features    what there is

Objects: Instance (from_times(), from_table(), from_graph(), from_dict(), to_dict(), write()), Solution
(schedule, makespan, lower_bound, gap, plot(), gantt(), to_pandas(), verify()), Simulation (mean,
quantile(), statistics). All can be pickled.

    >>> import duet
    >>> s = duet.solve(cpu=[33, 170, 95, 88], gpu=[15.6, 5.95, 3.65, 8.11], m=2, k=1)
    >>> s.status, s.makespan, s.lower_bound
    ('optimal', Decimal('33'), Decimal('33'))

Times are integers, decimals, or floats taken as the decimal they print as, in lists, NumPy arrays or
columns of pandas; None, NaN and infinity forbid a type. They are exact but where they have more than
nine decimal places and too many for 64 bits (Instance.notice says by how much; exact_times=True
refuses). Any number of processor types is a dictionary of columns or a data frame:

    >>> s = duet.solve({"cpu": [4, 9, 7.5], "gpu": [3, 2, None], "npu": [8, 1.25, 2]},
    ...                platform={"cpu": 1, "gpu": 1, "npu": 1})
    >>> s.makespan, s.schedule[1].type
    (Decimal('3.25'), 'npu')

A schedule from elsewhere is judged and drawn like one of Duet's: runs (task, type, processor, start),
rows by these names, as csv.DictReader has them, or a file, JSON or CSV. judge() has it checked and
computes the bound, read_solution() reads alone.

    >>> mine = duet.judge([("t0", "cpu", 0, 0.0), ("t1", "npu", 0, 0.0), ("t2", "npu", 0, 1.25)],
    ...                   s.instance)
    >>> mine.solution.makespan, mine.bound.value, round(float(mine.gap), 4)
    (Decimal('4'), Decimal('3.25'), 0.2308)

A solution shows itself in a notebook, and to_pandas() makes it a data frame. NumPy is not needed.
Where it is there, solve(cpu=, gpu=) puts two arrays of 64-bit integers together by one copy,
Instance.from_ticks() lets the library read an array of n rows of two in place, and Solution.as_array()
gives the schedule as an array over the library's memory.
"""
from __future__ import annotations

from ._bound import Bound, bound
from ._command import command
from ._compare import compare, what_if
from ._frame import Table
from ._instance import Instance
from ._interrupt import Cancel
from ._judge import Judgement, judge
from ._library import (CancelledError, DuetError, InfeasibleError, InputError, InternalError,
                       LimitError, NoSuchIndexError, Note, OutOfMemoryError, OutputError, UnsupportedError,
                       UsageError, version as __version__)
from ._metrics import metrics
from ._read import generate, read
from ._registry import Algorithm, algorithms, bounds, families, features
from ._report import report
from ._rule import Revealed
from ._rules import Rule, rule
from ._search import Worst, adversary, search_worst
from ._simulate import ReplannedRun, SimulatedRun, Simulation, simulate
from ._size import Sizing, size
from ._solution import Progress, Run, Solution, read_solution
from ._solve import solve

__all__ = [
    "adversary", "algorithms", "bound", "bounds", "command", "compare", "families", "features", "generate", "judge",
    "metrics", "read", "read_solution", "report", "rule", "search_worst", "simulate", "size", "solve",
    "what_if",
    "Algorithm", "Bound", "Cancel", "CancelledError", "DuetError", "InfeasibleError", "InputError",
    "Instance", "InternalError", "Judgement", "LimitError", "NoSuchIndexError", "Note", "OutOfMemoryError",
    "OutputError", "Progress", "ReplannedRun", "Revealed", "Rule", "Run", "SimulatedRun", "Simulation", "Sizing",
    "Solution", "Table",
    "UnsupportedError", "UsageError", "Worst", "__version__",
]
