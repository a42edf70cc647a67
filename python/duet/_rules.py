# SPDX-License-Identifier: Apache-2.0
"""Rules of one's own: what a function decides, and its decisions as the library takes them."""
from __future__ import annotations

import functools
import operator
import re
import sys
from decimal import Decimal
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Literal, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, Union, cast, overload)

from ._arguments import checked
from ._check import is_flag, row_of, shown, written
from ._instance import Instance
from ._library import MAX_WORK, UsageError

if TYPE_CHECKING:
    from ._rule import Revealed
    from ._solution import Solution

# What stands where an algorithm is expected: a name, a rule, or a function that is an online rule.
Online = Callable[["Revealed"], Union[int, str]]
AlgorithmLike = Union[str, "Rule", Online]
# What rules of all tasks return.
Order = Iterable[Union[int, str]]
Allocation = Union[Iterable[Union[int, str]], Mapping[Any, Union[int, str]]]

_LONGEST = 31  # letters of a name


class Rule:
    """A function as an algorithm, which stands wherever the name of one does: solve(), compare(),
    simulate(), search_worst(), adversary(), command(). Made by rule(). It can be called like its
    function, and pickled where its function can."""

    def __init__(self, function: Callable[..., Any], name: str, decides: str, information: str):
        self.function = function
        self.name = name
        self.decides = decides
        self.information = information
        functools.update_wrapper(cast(Any, self), function, updated=())

    @property
    def summary(self) -> str:
        """The first line of what the function says of itself."""
        lines = (self.function.__doc__ or "").strip().splitlines()
        return lines[0][:200] if lines else f"a rule in Python that decides the {self.decides}"

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __reduce__(self) -> Union[str, Tuple[Any, ...]]:
        """By name where that leads here, as for functions; else with its function. That of a script is
        known by the name in other processes of the script, and goes with its code where cloudpickle
        (joblib, dask) sends it to others."""
        module = getattr(self, "__module__", "")
        found: Any = sys.modules.get(module)
        name = getattr(self, "__qualname__", "")
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self and module != "__main__":
            return str(name)
        if found is self:
            self.function.__qualname__ = f"{name}.function"  # where it is, since the name is the rule's
        return Rule, self._parts()

    def __eq__(self, other: object) -> bool:
        """Whether the same function decides the same, as that of a copy does."""
        return isinstance(other, Rule) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> Tuple[Any, ...]:
        return self.function, self.name, self.decides, self.information

    def __repr__(self) -> str:
        return f"<duet.Rule {self.name!r}: decides the {self.decides}>"


def _name_of(function: Callable[..., Any]) -> str:
    """What the function is called, in the letters that names of algorithms have."""
    given = re.sub("[^a-z0-9]+", "-", getattr(function, "__name__", "rule").lower()).strip("-")
    return given[:_LONGEST] or "rule"


@overload
def rule(function: Online) -> Rule: ...
@overload
def rule(*, name: Optional[str] = None, decides: Literal["type"] = "type",
         information: str = "times") -> Callable[[Online], Rule]: ...
@overload
def rule(*, decides: Literal["order"], name: Optional[str] = None) -> Callable[[Callable[[Instance], Order]], Rule]: ...
@overload
def rule(*, decides: Literal["allocation"],
         name: Optional[str] = None) -> Callable[[Callable[[Instance], Allocation]], Rule]: ...
@overload
def rule(*, decides: Literal["list"], name: Optional[str] = None) -> Callable[
        [Callable[[Instance], Tuple[Optional[Order], Optional[Allocation]]]], Rule]: ...
@overload
def rule(*, decides: Literal["schedule"], name: Optional[str] = None) -> Callable[
        [Callable[[Instance], "Union[Iterable[Sequence[Any]], Solution]"]], Rule]: ...
@checked
def rule(function: Optional[Callable[..., Any]] = None, *, name: Optional[str] = None, decides: str = "type",
         information: str = "times") -> Union[Rule, Callable[[Callable[..., Any]], Rule]]:
    """Makes a function an algorithm, as a decorator: @duet.rule, or @duet.rule(decides=...). What it
    `decides`, and is given:

    - "type": an online rule. It is given a Revealed and returns the type of this task, by name or number.
    - "order": it is given the Instance and returns its tasks, by number or id, the most urgent first. The
      next one whose predecessors are placed goes where it ends first, also into gaps.
    - "allocation": it is given the Instance and returns the type of each task, a list or {id: type}. Tasks
      of the highest bottom level come first.
    - "list": it is given the Instance and returns both, (order, allocation).
    - "schedule": it is given the Instance and returns runs (task, type, processor, start), or without a
      start as early as it can be behind those before it: a choice of processors. A Solution will do.

    `name` is at most 31 of a-z, 0-9 and "-", else that of the function; `information` is what an online
    rule is told of the tasks behind one: "times", "bottom" or "descendants".

        >>> @duet.rule(decides="order")
        ... def longest_first(instance):
        ...     return sorted(range(len(instance)), key=lambda task: -instance.times(task, "cpu")[0])
        >>> duet.solve(cpu=[3, 9, 4], gpu=[2, 2, 3], m=1, k=1, algorithm=longest_first).makespan
        Decimal('4')
    """
    if function is None:
        return lambda given: rule_of(given, name, decides, information)
    return rule_of(function, name, decides, information)


def rule_of(function: Any, name: Optional[str] = None, decides: str = "type", information: str = "times") -> Rule:
    """A function as a rule; a rule is one already."""
    if isinstance(function, Rule):
        return function
    if not callable(function):
        raise UsageError(f"function: expected a function, got {shown(function)}")
    return Rule(function, _name_of(function) if name is None else name, decides, information)


class Answer(NamedTuple):
    """What a rule decided of all tasks: an order and an allocation, one of them None where it is the
    library's to decide; or runs (task, type, processor, start in ticks, -1: as early as can be)."""
    order: Optional[List[int]]
    types: Optional[List[int]]
    runs: Optional[List[Tuple[int, int, int, int]]] = None


class _Names:
    """The numbers of tasks and types, by number or name."""

    def __init__(self, instance: Instance):
        self._instance = instance
        self._types = list(instance.platform)
        self._tasks: Dict[str, int] = {}

    def task(self, what: str, value: Any) -> int:
        if isinstance(value, str):
            if not self._tasks:
                self._tasks = {self._instance._task_id(i): i for i in range(len(self._instance))}
            if value not in self._tasks:
                raise UsageError(f"{what}: expected the id of a task, got {shown(value)}")
            return self._tasks[value]
        return self._number(what, value, len(self._instance), "a task")

    def type(self, what: str, value: Any) -> int:
        if isinstance(value, str):
            if value not in self._types:
                raise UsageError(f"{what}: expected one of {', '.join(self._types)}, got {shown(value)}")
            return self._types.index(value)
        return self._number(what, value, len(self._types), "a type")

    @staticmethod
    def _number(what: str, value: Any, end: int, meant: str) -> int:
        try:
            number = -1 if is_flag(value) else operator.index(value)
        except Exception:
            raise UsageError(f"{what}: expected the number or name of {meant}, got {shown(value)}") from None
        if not 0 <= number < end:
            raise UsageError(f"{what}: expected {meant}, 0 to {end - 1}, got {number}")
        return number

    def order(self, what: str, given: Any) -> List[int]:
        tasks = [self.task(f"{what}[{i}]", value) for i, value in enumerate(_listed(what, given))]
        if sorted(tasks) != list(range(len(self._instance))):
            raise UsageError(f"{what}: expected every one of the {len(self._instance)} tasks once, got {shown(tasks)}")
        return tasks

    def allocation(self, what: str, given: Any) -> List[int]:
        if isinstance(given, Mapping):
            given = {self.task(what, task): type for task, type in given.items()}
            given = [given.get(task) for task in range(len(self._instance))]
        types = [self.type(f"{what}[{i}]", value) for i, value in enumerate(_listed(what, given))]
        if len(types) != len(self._instance):
            raise UsageError(f"{what}: expected a type for each of {len(self._instance)} tasks, got {len(types)}")
        return types

    def runs(self, what: str, given: Any) -> List[Tuple[int, int, int, int]]:
        rows = getattr(given, "schedule", given)
        return [self._run(f"{what}[{i}]", row) for i, row in enumerate(_listed(what, rows))]

    def _run(self, what: str, given: Any) -> Tuple[int, int, int, int]:
        row = row_of(given)
        if row is None or not 3 <= len(row) <= 5:
            raise UsageError(f"{what}: expected (task, type, processor) or (task, type, processor, start), got "
                             f"{shown(given)}")
        processor = self._number(what, row[2], 2**31, "a processor")
        start = -1 if len(row) == 3 or row[3] is None else self._ticks(what, row[3])
        return self.task(what, row[0]), self.type(what, row[1]), processor, start

    def _ticks(self, what: str, value: Any) -> int:
        try:
            ticks = Decimal(written(what, value)).scaleb(self._instance.decimals)
        except ArithmeticError:
            raise UsageError(f"{what}: expected a start, got {shown(value)}") from None
        if not 0 <= ticks <= MAX_WORK:
            raise UsageError(f"{what}: expected a start from 0, got {shown(value)}")
        return round(ticks)


def _listed(what: str, given: Any) -> Sequence[Any]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise UsageError(f"{what}: expected a list, got {shown(given)}")
    listed: Sequence[Any] = given.tolist() if hasattr(given, "tolist") else list(given)
    return listed


def answer_of(given: Rule, instance: Instance) -> Answer:
    """Asks a rule that decides of all tasks at once."""
    said = given.function(instance)
    names = _Names(instance)
    what = f"{given.name}()"
    if given.decides == "order":
        return Answer(names.order(what, said), None)
    if given.decides == "allocation":
        return Answer(None, names.allocation(what, said))
    if given.decides == "list":
        if not isinstance(said, (tuple, list)) or len(said) != 2:
            raise UsageError(f"{what}: expected (order, allocation), got {shown(said)}")
        return Answer(None if said[0] is None else names.order(what + "[0]", said[0]),
                      None if said[1] is None else names.allocation(what + "[1]", said[1]))
    return Answer(None, None, names.runs(what, said))
