# SPDX-License-Identifier: Apache-2.0
"""Worst cases of algorithms and rules, by the command's search and its adversaries."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from ._arguments import checked
from ._check import Path
from ._command import named_rules, run_json
from ._fraction import Fraction
from ._frame import frame
from ._instance import Instance
from ._rules import AlgorithmLike, Rule

if TYPE_CHECKING:
    import pandas

Range = Union[int, Tuple[int, int]]


class Worst(NamedTuple):
    """The instance on which an algorithm was found to be farthest from the optimum. `confirmed`: its
    schedule by the checker, and the optimum by exact (of graphs by trying all schedules)."""
    instance: Instance
    algorithm: str
    ratio: Fraction
    makespan: int
    optimum: int
    confirmed: bool
    evaluations: int
    seconds: float
    interrupted: bool


def _range(given: Range) -> str:
    return f"{given[0]}:{given[1]}" if isinstance(given, tuple) else str(given)


@checked
def search_worst(rule: AlgorithmLike, *, m: Range = (1, 4), k: Range = (1, 4), tasks: Range = (1, 10),
                 max_time: int = 100, edges: bool = False, forbidden: bool = False, accelerated: bool = False,
                 time_limit: float = 10.0, evaluations: Optional[int] = None, seed: int = 0, loss: float = 0.5,
                 information: str = "times", path: Optional[Path] = None) -> Worst:
    """Searches for the instance on which a rule of one's own, a function or an algorithm by name, is
    farthest from the optimum: simulated annealing over times, order, platform and, with `edges`, the
    edges of a task graph, each candidate judged by the exact optimum. What is found is made small and
    round, giving up at most `loss` percent of the ratio, confirmed, and written to `path`, if given.

    `m`, `k` and `tasks` are numbers or ranges (from, to) of CPUs, GPUs and tasks (graphs: at most 12
    tasks); `max_time` is the longest time. It ends after `time_limit` seconds, or after so many
    `evaluations`, where that is given, which with `seed` alone decide the result. Ctrl-C gives the worst
    so far.

        >>> worst = duet.search_worst("lpt", m=2, k=0, evaluations=2000)
        >>> worst.ratio
        Fraction(7, 6)
    """
    algorithm = named_rules([rule], information)[0]
    name = algorithm.name if isinstance(algorithm, Rule) else algorithm
    words = ["bench", "search", "-a", name, "-m", _range(m), "-k", _range(k), "-n", _range(tasks), "--max-time",
             str(max_time), "--seed", str(seed), "--loss", f"{loss:.4f}", "-q"]
    words += ["-t", repr(time_limit)] if evaluations is None else ["--evaluations", str(evaluations)]
    words += [f"--{flag}" for flag, on in (("edges", edges), ("forbidden", forbidden), ("accelerated", accelerated))
              if on]
    found = run_json(words, [algorithm] if isinstance(algorithm, Rule) else [])
    instance = Instance.from_dict({**found["instance"], "name": f"worst-{name}"})
    if path is not None:
        instance.write(path)
    return Worst(instance, name, Fraction(found["makespan"], max(found["optimum"], 1)), found["makespan"],
                 found["optimum"], found["confirmed"], found["evaluations"], found["seconds"], found["interrupted"])


@checked
def adversary(rule: Union[AlgorithmLike, Iterable[AlgorithmLike]], adversary: Optional[Union[str, Iterable[str]]] = None,
              *, tau: int = 6, m: int = 4, k: int = 2, n: int = 24, information: str = "times",
              path: Optional[Path] = None) -> "pandas.DataFrame":
    """Online rules against adversaries, which decide what waits for what while the rule runs: a row for
    each, with adversary, algorithm, tasks, makespan, witness (a schedule of the same graph), their ratio,
    the one that is claimed, and whether it holds. `adversary` are some of theorem-1, theorem-2,
    theorem-3, lemma-3, theorem-7, theorem-5, theorem-8, lemma-4 (None: all); `tau` is the square root of CPUs / GPUs, `m` the
    CPUs of lemma-3, `n` how long the graph is. Graphs and witnesses are written to the folder `path`.

        >>> list(duet.adversary("eft", "theorem-1", tau=3, n=6)["holds"])
        [True]
    """
    several = [rule] if isinstance(rule, str) or callable(rule) else list(rule)
    algorithms = named_rules(several, information)
    words = ["bench", "adversaries", "-a", ",".join(a.name if isinstance(a, Rule) else a for a in algorithms),
             "--tau", str(tau), "-m", str(m), "-k", str(k), "-n", str(n)]
    if adversary is not None:
        words += ["--adversary", adversary if isinstance(adversary, str) else ",".join(adversary)]
    if path is not None:
        words += ["--save", str(path)]
    rows: List[Dict[str, Any]] = run_json(words, [a for a in algorithms if isinstance(a, Rule)])
    return frame(rows)
