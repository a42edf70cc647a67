# SPDX-License-Identifier: Apache-2.0
# A walk through the Python module, in cells: VS Code, Spyder and Jupyter (with jupytext) open
# this file as a notebook, and `python3 walkthrough.py` runs it. The lines "#> ..." are what it
# prints; a test compares them.

# %% [markdown]
# # Tasks, processors, a schedule
# Each task has a time on a CPU and one on a GPU; `None` where it cannot run. Two CPUs and a
# GPU:

# %%
from typing import Optional, Sequence

import duet

solution = duet.solve(cpu=[4.5, 12, 3, 9, 1], gpu=[None, 1.5, 0.5, 2.25, None], m=2, k=1,
                      ids=["decode", "filter", "resize", "encode", "upload"])
print(solution.status, solution.makespan, solution.lower_bound, solution.gap)
#> optimal 4.5 4.5 0

# %% [markdown]
# Times are exact: what goes in as 2.25 is 2.25 ever after, and sums are not rounded.

# %%
for run in solution.schedule:
    print(f"{run.task:7} {run.type} {run.processor}  {run.start:>4} to {run.end}")
#> decode  cpu 0     0 to 4.5
#> filter  gpu 0  2.25 to 3.75
#> resize  gpu 0  3.75 to 4.25
#> encode  gpu 0     0 to 2.25
#> upload  cpu 1     0 to 1

# %% [markdown]
# # Do not trust it: have it checked
# The lower bound has a certificate. An independent checker confirms schedule and bound in
# integers, and raises where either is wrong.

# %%
print(solution.verify(), "by", solution.bound_name)
#> certified by longest

# %% [markdown]
# # Which algorithm?
# Without a name, the fast ones run, then `exact`, until the optimum is proven or the time is
# over. Each has a proven ratio on a platform, or none. Here 30 tasks that no machine has
# measured:

# %%
instance = duet.generate("unif2", n=30, m=4, k=2, seed=7)
for name in ["exact", "dual-4-3", "dualhp", "heft"]:
    s = duet.solve(instance=instance, algorithm=name)
    print(f"{name:9} makespan {s.makespan}, proven ratio {s.guarantee}")
#> exact     makespan 214, proven ratio 1
#> dual-4-3  makespan 215, proven ratio 4/3
#> dualhp    makespan 264, proven ratio 2
#> heft      makespan 238, proven ratio None

# %%
solution = duet.solve(instance=instance, algorithm="heft", options={"improve": True})
print(f"{solution.found_by}: makespan {solution.makespan}")
#> heft, improved: makespan 214

# %% [markdown]
# # Arrays of NumPy
# Not needed; where NumPy is there, a hundred thousand tasks go in by one copy, and the schedule
# comes out as an array over the library's own memory.

# %%
try:
    import numpy
except ImportError:
    print("no NumPy here")
else:
    random = numpy.random.default_rng(1)
    cpu = random.integers(1000, 10000, 10**5)
    gpu = cpu // random.integers(2, 30, 10**5) + 1
    big = duet.solve(cpu, gpu, m=64, k=8, algorithm="lpt")
    where = big.as_array()
    print(len(where), "tasks, fields", *where.dtype.names)
    first = cpu[(where["type"] == 0) & (where["processor"] == 0)]
    print("within the makespan:", first.sum() <= big.makespan_ticks)
#numpy> 100000 tasks, fields start processor type
#numpy> within the makespan: True

# %% [markdown]
# # Stopping
# `time_limit` ends a search with the best schedule so far and a bound for it; so does another
# thread, or a signal, through `duet.Cancel`. `progress` hears of the search meanwhile.

# %%
cancel = duet.Cancel()


def enough(now: duet.Progress) -> None:
    if now.best is not None and now.best <= now.lower_bound * 2:
        cancel.request()


hard = duet.generate("unif4", n=80, m=20, k=4, seed=3)
solution = duet.solve(instance=hard, progress=enough, cancel=cancel)
print(solution.makespan <= 2 * solution.lower_bound, solution.status in ("bounded", "optimal"))
#> True True

# %% [markdown]
# # What goes wrong raises
# Everything is a `duet.DuetError`; its classes say whose fault it is.

# %%
def attempt(cpu_times: Sequence[Optional[int]], gpus: int, algorithm: Optional[str] = None) -> None:
    try:
        duet.solve(cpu_times, [1] * len(cpu_times), m=1, k=gpus, algorithm=algorithm)
    except duet.DuetError as fault:
        print(f"{type(fault).__name__}: {str(fault)[:57]}")


attempt([1, -2], gpus=1)
attempt([None], gpus=0)
attempt([1, 2], gpus=1, algorithm="magic")
#> UsageError: cpu[1]: expected a time >= 0, got -2
#> InfeasibleError: no schedule exists: task 't0' cannot run on any processor
#> UsageError: unknown algorithm 'magic': expected one of auto, dual-4-3

# %% [markdown]
# # Pictures and files
# A Gantt chart (`.svg`, or `.png` and `.pdf` where cairo is installed), a trace for
# chrome://tracing or Perfetto, and the solution for `duet verify`.

# %%
import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    solution.gantt(os.path.join(folder, "schedule.svg"))
    solution.trace(os.path.join(folder, "trace.json"))
    solution.write(os.path.join(folder, "schedule.json"))
    solution.instance.write(os.path.join(folder, "tasks.csv"))
    again = duet.read(os.path.join(folder, "tasks.csv"), m=20, k=4)
    print(len(again), sorted(os.listdir(folder)))
#> 80 ['schedule.json', 'schedule.svg', 'tasks.csv', 'trace.json']
