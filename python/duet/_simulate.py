# SPDX-License-Identifier: Apache-2.0
"""Running a rule or a plan while times are not as planned."""
from __future__ import annotations

import ctypes
import math
from contextlib import nullcontext
from ctypes import byref, c_char_p
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._arguments import KEEPS, checked
from ._check import shown
from ._frame import frame
from ._held import SimulatorHandle, SolutionHandle
from ._instance import Instance
from ._interrupt import Cancel, interruptible
from ._library import (LimitError, Params, ReadParams, Simulated, SimulationDescription, UsageError, call,
                       library)
from ._rule import RuleRow
from ._rules import AlgorithmLike
from ._scratch import scratch
from ._solution import Solution
from ._solve import Options, named
from ._times import length_in, ticks_until

if TYPE_CHECKING:
    import pandas


class SimulatedRun(NamedTuple):
    """What came of a run: its makespan, the best lower bound of its real times, and how many runs of
    tasks were given up."""
    makespan: Decimal
    lower_bound: Decimal
    given_up: int


class ReplannedRun(SimulatedRun):
    """A run whose plan was made again on the way: `kept` is the makespan if it is not, and `plans` how often it
    was."""
    kept: Decimal
    plans: int

    def __new__(cls, makespan: Decimal, lower_bound: Decimal, given_up: int, kept: Decimal,
                plans: int) -> "ReplannedRun":
        run = super().__new__(cls, makespan, lower_bound, given_up)
        run.kept, run.plans = kept, plans
        return run

    def __getnewargs__(self) -> Any:
        return (*self, self.kept, self.plans)


class Simulation(NamedTuple):
    """The makespan if all times are as planned, and what came of each run."""
    planned: Decimal
    runs: List[SimulatedRun]

    def __repr__(self) -> str:
        """Few words, however many runs there are."""
        low, high = min(self.makespans), max(self.makespans)
        runs = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        return (f"<duet.Simulation of {runs}: planned {float(self.planned):.10g}, mean {self.mean:.6g}, "
                f"{float(low):.10g} to {float(high):.10g}>")

    @property
    def makespans(self) -> List[Decimal]:
        """Those of the runs, in their order."""
        return [run.makespan for run in self.runs]

    @property
    def mean(self) -> float:
        """The mean makespan."""
        return math.fsum(map(float, self.makespans)) / len(self.runs)

    @property
    def std(self) -> float:
        """The standard deviation of the makespans, that of a sample; 0 of a single run."""
        mean, count = self.mean, len(self.runs)
        squares = math.fsum((float(makespan) - mean)**2 for makespan in self.makespans)
        return math.sqrt(squares / (count - 1)) if count > 1 else 0.0

    @checked
    def quantile(self, share: float) -> Decimal:
        """The least makespan that this share of the runs do not exceed, as the command has it:
        quantile(0.5) is the median, quantile(1) the largest."""
        rank = math.ceil(round(len(self.runs) * share, 9))
        return sorted(self.makespans)[max(rank, 1) - 1]

    @property
    def statistics(self) -> Dict[str, float]:
        """What `duet simulate` prints: planned, mean, std, min, median, q90, q99, max, and the mean
        ratio to the lower bounds of the runs (those that have one)."""
        ratios = [float(run.makespan / run.lower_bound) for run in self.runs if run.lower_bound > 0]
        return {"planned": float(self.planned), "mean": self.mean, "std": self.std,
                **{name: float(self.quantile(share)) for name, share in
                   (("min", 0.0), ("median", 0.5), ("q90", 0.9), ("q99", 0.99), ("max", 1.0))},
                "mean_ratio": math.fsum(ratios) / len(ratios) if ratios else math.nan}

    def to_pandas(self) -> "pandas.DataFrame":
        """A row per run: makespan, lower_bound, given_up, with replan= also kept and plans; a duet.Table where pandas is not there."""
        return frame([{"makespan": float(run.makespan), "lower_bound": float(run.lower_bound), "given_up": run.given_up,
                       **({"kept": float(run.kept), "plans": run.plans} if isinstance(run, ReplannedRun) else {})}
                      for run in self.runs])


_PLAN = "duet-plan.json"
_EXACT_PLACES = 9  # of times that are never rounded
_STRETCHED = 1024  # how many times as long a run may become


def _with_room(instance: Instance, plan: Optional[Solution]) -> Tuple[Instance, Optional[Solution]]:
    """The same, of which rounded times are in ticks so much larger that all may become longer, as the command reads
    what it simulates."""
    if instance.decimals <= _EXACT_PLACES:
        return instance, plan
    params = ReadParams(struct_size=ctypes.sizeof(ReadParams), room=_STRETCHED)
    roomy = Instance._read(None, params, None, instance._state()[0])
    if plan is None or roomy.decimals == instance.decimals:
        return (instance, plan) if roomy.decimals == instance.decimals else (roomy, plan)
    handle = SolutionHandle()
    with scratch(_PLAN) as file:
        plan.write(file)
        with roomy._reading() as problem:
            call("duet_read_solution", file.encode(), byref(params), problem, byref(handle))
    if library.duet_solution_finer(handle) > 0:
        call("duet_check_solution", roomy._handle, handle, None, None)
        library.duet_solution_to_ticks(handle, roomy._handle)
    return roomy, Solution._of(roomy, handle)


def _texts(given: Union[str, Sequence[str]]) -> Any:
    """An array of texts as C takes it, and how many there are."""
    return (c_char_p * max(len(given), 1))(*(item.encode() for item in given)), len(given)


def _perform(instance: Instance, description: SimulationDescription, runs: int,
             faults: List[BaseException], cancel: Cancel) -> Simulation:
    handle = SimulatorHandle()
    result = Simulated()
    found: List[SimulatedRun] = []
    try:
        call("duet_simulator_create", instance._handle, byref(description), byref(handle))
        plan = library.duet_simulator_plan(handle)
        for run in range(runs):
            if cancel._interrupted:  # Ctrl-C, whose exception comes instead of the runs
                break
            try:
                call("duet_simulator_run", handle, run, byref(result))
            except LimitError:
                if not found or description.params.contents.time_limit <= 0:
                    raise
                break
            times = instance._time(result.makespan), instance._time(result.lower_bound)
            found.append(SimulatedRun(*times, result.lost) if description.replan is None else
                         ReplannedRun(*times, result.lost, instance._time(result.kept), result.plans))
        return Simulation(instance._time(library.duet_solution_makespan(plan)), found)
    except Exception:
        if faults:
            raise faults[0] from None
        raise
    finally:
        del handle  # before what it points to


@checked
def simulate(instance: Instance,
             algorithm: Optional[AlgorithmLike] = None, *,
             plan: Optional[Solution] = None, keep: str = "order",
             noise: Union[str, Sequence[str]] = (), slow: Union[str, Sequence[str]] = (),
             fail: Union[str, Sequence[str]] = (), runs: int = 100, seed: int = 0,
             information: str = "times", time_limit: float = 0.0,
             replan: Optional[str] = None, every: Union[int, float, str, Decimal, timedelta, None] = None,
             options: Optional[Mapping[str, object]] = None) -> Simulation:
    """Runs a rule or a plan while real times differ from planned ones, as `duet simulate` does.

    `algorithm` is a rule that decides while tasks run ("eft", "heteroprio", ... or a function, see
    rule()), or the algorithm that makes the plan; or `plan` is a solution of the instance, of which
    `keep` is the "order" or the "allocation". `noise` is "lognormal:0.2", "gamma:0.3", "uniform:0.5" or
    "kind:potrf=1.3", or several, whose factors multiply; `slow` has processors that become slow, such
    as "gpu:0@10=2", and `fail` those that go, such as "gpu:0@10". `time_limit`, in seconds,
    ends it with the runs so far, of which there is at least one (0: none); an algorithm that makes a plan takes at
    most half of it. With `replan`, an algorithm such as "heft", a plan is made again for what has not begun
    whenever a task ends at another time than planned, or at the multiples of `every`, a time or a length such as "10min"; alone, `every` does
    that by `algorithm`, or by "heft" with `plan`. Each run is then a ReplannedRun, which also has `kept` and `plans`.

    >>> import duet
    >>> i = duet.Instance.from_times([8], [4], 1, 1)
    >>> duet.simulate(i, "eft", slow="gpu:0@0=3", runs=1).runs[0].makespan
    Decimal('12')
    """
    if plan is not None and not plan.instance._same(instance):
        raise UsageError(f"plan: expected a solution of the instance, got {shown(plan)}")
    if noise or slow or fail:
        instance, plan = _with_room(instance, plan)
    if every is not None and replan is None:
        replan = algorithm if isinstance(algorithm, str) else "heft"
    period = 0 if every is None else ticks_until(length_in(every, instance.unit, "every"), instance.decimals, "every")
    if every is not None and period == 0:
        raise UsageError(f"every: expected a time of at least a tick, got {shown(every)}")
    faults: List[BaseException] = []
    rule: Any = nullcontext()
    name = named(algorithm, information, instance, faults)
    if isinstance(name, RuleRow):
        rule, name = name, name.name
    params = Params(struct_size=ctypes.sizeof(Params), time_limit=time_limit, seed=seed)
    noises, noise_count = _texts(noise)
    slows, slow_count = _texts(slow)
    fails, fail_count = _texts(fail)
    description = SimulationDescription(
        struct_size=ctypes.sizeof(SimulationDescription), algorithm=name,
        plan=None if plan is None else plan._handle, keep=KEEPS.index(keep), noise=noises,
        noises=noise_count, slow=slows, slows=slow_count, fail=fails, fails=fail_count,
        seed=params.seed, replan=None if replan is None else replan.encode(), replan_every=period)

    def work(cancel: Cancel) -> Simulation:
        if isinstance(rule, RuleRow):
            rule.cancel = cancel
        with instance._reading(), Options(options) as given, rule as registry:
            params.cancel = cancel._handle
            params.options = given
            params.registry = registry
            description.params = ctypes.pointer(params)
            return _perform(instance, description, runs, faults, cancel)

    return interruptible(work)
