# SPDX-License-Identifier: Apache-2.0
"""Running a rule or a plan while times are not as planned."""
from __future__ import annotations

import ctypes
from contextlib import nullcontext
from ctypes import byref, c_char_p, c_void_p
from decimal import Decimal
from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._check import INT64_MAX, UINT64_MAX, seconds, shown, text, text_or_none, whole
from ._instance import Instance
from ._library import (Params, Simulated, SimulationDescription, UsageError, call, library)
from ._rule import Revealed, Rule
from ._solution import Solution
from ._solve import Options

_KEEPS = ("order", "allocation")


class SimulatedRun(NamedTuple):
    """What came of a run: its makespan, the best lower bound of its real times, and how many runs of
    tasks were given up."""
    makespan: Decimal
    lower_bound: Decimal
    given_up: int


class Simulation(NamedTuple):
    """The makespan if all times are as planned, and what came of each run."""
    planned: Decimal
    runs: List[SimulatedRun]


def _texts(what: str, given: Union[str, Sequence[str]]) -> Any:
    """An array of texts as C takes it, and how many there are."""
    listed = [given] if isinstance(given, str) else list(given)
    return (c_char_p * max(len(listed), 1))(*(text(what, item) for item in listed)), len(listed)


def _keep_of(keep: str) -> int:
    if keep not in _KEEPS:
        raise UsageError(f"keep: expected one of {', '.join(_KEEPS)}, got {shown(keep)}")
    return _KEEPS.index(keep)


def _perform(instance: Instance, description: SimulationDescription, runs: int,
             faults: List[BaseException]) -> Simulation:
    handle = c_void_p()
    result = Simulated()
    found: List[SimulatedRun] = []
    try:
        call("duet_simulator_create", instance._handle, byref(description), byref(handle))
        plan = library.duet_simulator_plan(handle)
        for run in range(runs):
            call("duet_simulator_run", handle, run, byref(result))
            found.append(SimulatedRun(instance.time(result.makespan),
                                      instance.time(result.lower_bound), result.lost))
        return Simulation(instance.time(library.duet_solution_makespan(plan)), found)
    except Exception:
        if faults:
            raise faults[0] from None
        raise
    finally:
        library.duet_simulator_free(handle)


def simulate(instance: Instance,
             algorithm: Union[str, Callable[[Revealed], Union[int, str]], None] = None, *,
             plan: Optional[Solution] = None, keep: str = "order",
             noise: Union[str, Sequence[str]] = (), slow: Union[str, Sequence[str]] = (),
             fail: Union[str, Sequence[str]] = (), runs: int = 100, seed: int = 0,
             information: str = "times", time_limit: float = 0.0,
             options: Optional[Mapping[str, object]] = None) -> Simulation:
    """Runs a rule or a plan while real times differ from planned ones, as `duet simulate` does.

    `algorithm` is a rule that decides while tasks run ("eft", "heteroprio", ... or a function, see
    solve()), or the algorithm that makes the plan; or `plan` is a solution of the instance, of which
    `keep` is the "order" or the "allocation". `noise` is "lognormal:0.2", "gamma:0.3", "uniform:0.5" or
    "kind:potrf=1.3", or several, whose factors multiply; `slow` has processors that become slow, such
    as "gpu:0@10=2", and `fail` those that go, such as "gpu:0@10". `time_limit` is that of the
    algorithm that makes the plan, and of all runs (0: none).

    >>> import duet
    >>> i = duet.Instance.from_times([8], [4], 1, 1)
    >>> duet.simulate(i, "eft", slow="gpu:0@0=3", runs=1).runs[0].makespan
    Decimal('12')
    """
    if not isinstance(instance, Instance):
        raise UsageError(f"instance: expected an Instance, got {shown(instance)}")
    if plan is not None and not isinstance(plan, Solution):
        raise UsageError(f"plan: expected a Solution, got {shown(plan)}")
    faults: List[BaseException] = []
    rule: Any = nullcontext()
    name = None
    if callable(algorithm):
        rule = Rule(instance, algorithm, information, faults)
        name = rule.name
    else:
        name = text_or_none("algorithm", algorithm)
    params = Params(struct_size=ctypes.sizeof(Params), time_limit=seconds("time_limit", time_limit),
                    seed=whole("seed", seed, 0, UINT64_MAX))
    noises, noise_count = _texts("noise", noise)
    slows, slow_count = _texts("slow", slow)
    fails, fail_count = _texts("fail", fail)
    description = SimulationDescription(
        struct_size=ctypes.sizeof(SimulationDescription), algorithm=name,
        plan=None if plan is None else plan._handle, keep=_keep_of(keep), noise=noises,
        noises=noise_count, slow=slows, slows=slow_count, fail=fails, fails=fail_count,
        seed=params.seed)
    with instance._reading(), Options(options) as given, rule as registry:
        params.options = given
        params.registry = registry
        description.params = ctypes.pointer(params)
        return _perform(instance, description, whole("runs", runs, 1, INT64_MAX), faults)
