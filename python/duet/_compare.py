# SPDX-License-Identifier: Apache-2.0
"""Several algorithms on the same instances, and one algorithm on several platforms, as tables."""
from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple, Union

from ._arguments import checked
from ._bound import bound
from ._frame import frame
from ._instance import Instance
from ._judge import judge
from ._library import DuetError, InfeasibleError, LimitError, OutOfMemoryError, UnsupportedError
from ._registry import algorithms as all_algorithms
from ._rules import AlgorithmLike, Rule, rule_of
from ._size import Price, hourly
from ._solution import Solution
from ._solve import solve

if TYPE_CHECKING:
    import pandas

Entrant = Union[AlgorithmLike, Solution]
_COLUMNS = ("instance", "tasks", "platform", "best_bound", "algorithm", "makespan", "lower_bound", "gap_percent",
            "ratio", "guarantee", "seconds", "status", "reason")
_SKIPS = (UnsupportedError, LimitError, InfeasibleError, OutOfMemoryError)
_LONGEST_BOUND = 1.0  # seconds for each bound


def _entrants(given: Union[None, str, Iterable[Entrant], Mapping[str, Entrant]],
              information: str) -> List[Tuple[str, Entrant]]:
    """Names and what they stand for."""
    if given is None:
        given = ["all"]
    if isinstance(given, str):
        given = given.split(",")
    if callable(given) or isinstance(given, Solution):
        given = [given]
    if isinstance(given, Mapping):
        return [(str(name), _entrant(entrant, information)) for name, entrant in given.items()]
    named: List[Tuple[str, Entrant]] = []
    taken: Set[str] = set()
    known: List[Entrant] = [entry.name for entry in all_algorithms() if entry.name != "auto"]
    for item in itertools.chain.from_iterable(known if _is_all(item) else [item] for item in given):
        entrant = _entrant(item, information)
        stem = (entrant.name if isinstance(entrant, Rule) else entrant.found_by or entrant.algorithm or "solution"
                if isinstance(entrant, Solution) else str(entrant))
        name = next(n for n in itertools.chain([stem], (f"{stem}-{i}" for i in itertools.count(2))) if n not in taken)
        taken.add(name)
        named.append((name, entrant))
    return named


def _is_all(item: Any) -> bool:
    return isinstance(item, str) and item == "all"


def _entrant(item: Any, information: str) -> Entrant:
    entrant: Entrant = item if isinstance(item, (str, Solution)) else rule_of(item, None, "type", information)
    return entrant


def _platform(counts: Mapping[str, int]) -> str:
    return " + ".join(f"{count} {name}" for name, count in counts.items())


def _is_interrupted(solution: Solution) -> bool:
    """By Ctrl-C: nothing further is run then."""
    return solution.ending == "interrupted"


class _Contest:
    """What is known of one instance."""

    def __init__(self, instance: Instance, time_limit: float):
        limit = min(time_limit, _LONGEST_BOUND) if time_limit > 0 else _LONGEST_BOUND
        self.instance = instance
        self.best = bound(instance, time_limit=limit).ticks
        self.rows: List[Dict[str, Any]] = []
        self.interrupted = False

    def add(self, name: str, solution: Solution) -> None:
        self.interrupted = self.interrupted or _is_interrupted(solution)
        if solution.verify() == "certified" or solution.status == "optimal":
            self.best = max(self.best, solution.lower_bound_ticks)
        self.rows.append({"algorithm": name, "makespan": float(solution.makespan), "ticks": solution.makespan_ticks,
                          "lower_bound": float(solution.lower_bound), "guarantee": solution.guarantee,
                          "seconds": solution.seconds, "status": solution.status, "reason": solution.ending})

    def skip(self, name: str, fault: DuetError) -> None:
        self.rows.append({"algorithm": name, "makespan": None, "ticks": None, "status": "skipped",
                          "reason": str(fault)})

    def table(self) -> List[Dict[str, Any]]:
        """The rows, the best first, each beside the best bound that is known of the instance."""
        found = []
        for row in sorted(self.rows, key=lambda row: (row["ticks"] is None, row["ticks"] or 0)):
            ticks = row.pop("ticks")
            ratio = None if ticks is None or self.best == 0 else ticks / self.best
            found.append({"instance": self.instance.name, "tasks": len(self.instance),
                          "platform": _platform(self.instance.platform), "best_bound":
                          float(self.instance._time(self.best)), **row, "ratio": ratio,
                          "gap_percent": None if ratio is None else 100 * (ratio - 1)})
        return found


@checked
def compare(instance: Union[Instance, Sequence[Instance]],
            algorithms: Union[None, str, Iterable[Entrant], Mapping[str, Entrant]] = None, *,
            time_limit: float = 1.0, information: str = "times", threads: int = 0, seed: int = 0,
            options: Optional[Mapping[str, object]] = None) -> "pandas.DataFrame":
    """Runs algorithms on an instance, or on several, and gives a row for each: instance, tasks, platform,
    best_bound, algorithm, makespan, lower_bound, gap_percent and ratio to the best bound known, guarantee,
    seconds, status, reason; the best first. A data frame of pandas, or a duet.Table where that is not
    there.

    `algorithms` are names, rules of one's own (see rule()), functions, and solutions that any software
    made; in a list, or a dictionary by the name that they are to have here. None, or "all" among them: all there are. What does
    not handle the instance is "skipped", and `reason` says why. Every schedule passes the checker.
    `time_limit` is that of each run, in seconds (0: none).

        >>> table = duet.compare(duet.generate("unif4", 20, 3, 1), ["heft", "exact"])
        >>> list(table["algorithm"])
        ['exact', 'heft']
    """
    rows: List[Dict[str, Any]] = []
    entrants = _entrants(algorithms, information)
    for one in [instance] if isinstance(instance, Instance) else instance:
        contest = _Contest(one, time_limit)
        for name, entrant in entrants:
            try:
                contest.add(name, judge(entrant, one, time_limit=0.1).solution if isinstance(entrant, Solution) else
                            solve(one, algorithm=entrant, time_limit=time_limit, threads=threads, seed=seed,
                                  options=options))
            except _SKIPS as fault:
                contest.skip(name, fault)
            if contest.interrupted:
                return frame([*rows, *contest.table()], _COLUMNS)
        rows += contest.table()
    return frame(rows, _COLUMNS)


def _platforms(instance: Instance, given: Any) -> List[Dict[str, int]]:
    """Counts by type: of a list of dictionaries, or all combinations of one of counts or lists."""
    if not isinstance(given, Mapping):
        return [dict(item) for item in given]
    ranges = [[count] if isinstance(count, int) else list(count) for count in given.values()]
    return [dict(zip(given, counts)) for counts in itertools.product(*ranges)]


def _carry(rows: List[Dict[str, Any]], types: Sequence[str]) -> None:
    """A schedule for fewer processors is one for more, and a bound for more is one for fewer."""
    known = [row for row in rows if row["makespan"] is not None]
    for more, less in itertools.permutations(known, 2):
        if all(more[name] >= less[name] for name in types):
            if less["makespan"] < more["makespan"]:
                more.update({name: less[name] for name in ("makespan", "algorithm")})
            less["lower_bound"] = max(less["lower_bound"], more["lower_bound"])
    for row in known:
        makespan, least = float(row["makespan"]), float(row["lower_bound"])
        proven = row["makespan"] == row["lower_bound"]
        row.update(makespan=makespan, lower_bound=least, status="optimal" if proven else row["status"],
                   gap_percent=0.0 if proven else 100 * (makespan / least - 1) if least > 0 else None)


@checked
def what_if(instance: Instance, platforms: Union[Mapping[str, object], Iterable[Mapping[str, int]]],
            algorithm: Optional[AlgorithmLike] = None, *, time_limit: float = 1.0, information: str = "times",
            threads: int = 0, seed: int = 0, options: Optional[Mapping[str, object]] = None,
            price: Optional[Mapping[str, Price]] = None) -> "pandas.DataFrame":
    """Solves the instance on other platforms, and gives a row for each: the count of each type, makespan,
    lower_bound, gap_percent, status, algorithm, seconds. A data frame, or a duet.Table without pandas.

    `platforms` are dictionaries such as {"cpu": 8, "gpu": 2}, or one of ranges, all combinations of which
    are tried: {"cpu": 8, "gpu": range(1, 5)}, or "1..4". Types that are left out are as the instance has them.
    No platform has a longer schedule than one with fewer processors, whose schedule it can take.
    `time_limit` is that of each platform, in seconds (0: none). With a `price` of a processor of each type,
    per hour, a column `price` has that of the platform.

        >>> instance = duet.generate("unif4", 20, 3, 1)
        >>> list(duet.what_if(instance, {"gpu": [1, 2]})["gpu"])
        [1, 2]
    """
    rows: List[Dict[str, Any]] = []
    each = {} if price is None else hourly(list(instance.platform), price)
    for counts in _platforms(instance, platforms):
        one = instance._again()
        one.set_platform(*one._named(counts))
        row: Dict[str, Any] = dict(one.platform)
        if price is not None:
            row["price"] = float(sum(each[name] * count for name, count in one.platform.items()))
        stopped = False
        try:
            s = solve(one, algorithm=algorithm, time_limit=time_limit, information=information, threads=threads,
                      seed=seed, options=options)
            row.update(makespan=s.makespan, lower_bound=s.lower_bound, status=s.status,
                       algorithm=s.found_by or s.algorithm, seconds=s.seconds)
            stopped = _is_interrupted(s)
        except _SKIPS as fault:
            row.update(makespan=None, status="infeasible" if isinstance(fault, InfeasibleError) else "none")
        rows.append(row)
        if stopped:
            break
    _carry(rows, list(instance.platform))
    return frame(rows, [*instance.platform, "makespan", "lower_bound", "gap_percent", "status", "algorithm",
                        "seconds", *(["price"] if price is not None else [])])
