# SPDX-License-Identifier: Apache-2.0
"""Functions of Python as algorithms of the library: what an online rule is told, and the row of the
registry behind which a rule of any kind stands (_rules.py)."""
from __future__ import annotations

import ctypes
import operator
import threading
from ctypes import byref, c_int64, c_void_p
from decimal import Decimal
from typing import Any, Callable, List, Optional, Union

from ._arguments import INFORMATION
from ._check import is_flag, shown
from ._held import Alone
from ._instance import Instance
from ._interrupt import Cancel
from ._library import (FORBIDDEN, ChooseFunction, Custom, UsageError, WorkFunction, call, library)
from ._rules import Answer, Rule, answer_of

_SIZE_MAX: int = 2**(8 * ctypes.sizeof(ctypes.c_size_t)) - 1
_USAGE = 1  # DUET_E_USAGE
_HANDLES = 99  # DUET_FEATURE_PRECEDENCE, _COMMUNICATION, _RELEASES and _BUSY


class Revealed(Alone):
    """A task that a rule is asked about: its predecessors have completed. Types are named or
    numbered. It knows of the task during the call of the rule alone: one that was kept raises
    UsageError. Keep what it says, such as task.task, not the object."""
    _instead = "keep what it says, such as task.task and task.time(\"cpu\")"
    _asked: Any = None  # the library's, during the call
    _instance: Instance
    _lock: "threading.RLock"

    def __init__(self, *_: object, **__: object) -> None:
        raise UsageError("Revealed: expected one that a rule is given")

    @classmethod
    def _during(cls, instance: Instance, handle: Any) -> "Revealed":
        """One that lasts until _end()."""
        task = cls.__new__(cls)
        task._instance = instance
        task._lock = threading.RLock()  # the rule may hand it to other threads
        task._asked = handle
        return task

    def _end(self) -> None:
        with self._lock:
            self._asked = None

    def _ask(self, what: Callable[..., int], *about: int) -> int:
        """What a function of the library says of the task."""
        with self._lock:
            if self._asked is not None:
                return what(self._asked, *about)
        raise UsageError("task: this Revealed was kept beyond the call of the rule that was given "
                         "it, and the library has moved on; keep what it says, such as task.task "
                         "and task.time(\"cpu\"), not the object")

    def _type(self, which: Union[int, str], what: str = "type") -> int:
        names = list(self._instance.platform)
        if isinstance(which, str):
            if which not in names:
                raise UsageError(f"{what}: expected one of {', '.join(names)}, got {shown(which)}")
            return names.index(which)
        try:
            number = -1 if is_flag(which) else operator.index(which)
        except Exception:
            number = -1
        if not 0 <= number < len(names):
            raise UsageError(f"{what}: expected one of {', '.join(names)}, or 0 to {len(names) - 1}, got {shown(which)}")
        return number

    def _ticks(self, value: int) -> Optional[Decimal]:
        return None if value in (FORBIDDEN, -1) else self._instance._time(value)

    @property
    def task(self) -> int:
        """The task's index."""
        return self._ask(library.duet_revealed_task)

    @property
    def now(self) -> Decimal:
        """The instant at which it is revealed."""
        return self._instance._time(self._ask(library.duet_revealed_now))

    def time(self, type: Union[int, str]) -> Optional[Decimal]:
        """Its time on a type; None where it may not run."""
        return self._ticks(self._ask(library.duet_revealed_time, self._type(type)))

    def start(self, type: Union[int, str]) -> Optional[Decimal]:
        """When it would start on a type, its data there; None where it may not run."""
        return self._ticks(self._ask(library.duet_revealed_start, self._type(type)))

    def end(self, type: Union[int, str]) -> Decimal:
        """When it would end on a type; infinity where it may not run, so that min() and max() know."""
        start, time = self.start(type), self.time(type)
        return Decimal("Infinity") if start is None or time is None else start + time

    def processors(self, type: Union[int, str]) -> int:
        """Processors of a type."""
        return self._ask(library.duet_revealed_processors, self._type(type))

    @property
    def bottom_level(self) -> Optional[Decimal]:
        """The longest way from its start to the end of the graph, each task taking its shortest
        time; None unless information="bottom" or "descendants" was asked for."""
        return self._ticks(self._ask(library.duet_revealed_bottom_level))

    @property
    def descendants(self) -> Optional[Decimal]:
        """The shortest times of all its descendants in sum; None unless
        information="descendants" was asked for."""
        return self._ticks(self._ask(library.duet_revealed_descendants))


class RuleRow:
    """A rule as an algorithm of the library: a context manager that gives the registry which holds
    it under `name`. What the rule raises ends the run and is put into `faults`."""

    def __init__(self, instance: Instance, rule: Rule, faults: List[BaseException]):
        def stopped() -> bool:
            return bool(faults) or (self.cancel is not None and self.cancel._interrupted)

        def chosen(_user: Any, handle: Any) -> int:
            if stopped():
                return _SIZE_MAX
            try:
                task = Revealed._during(instance, handle)
                try:
                    return task._type(rule.function(task), f"{rule.name}()")
                finally:
                    task._end()
            except BaseException as fault:
                faults.append(fault)
                return _SIZE_MAX

        def scheduled(_user: Any, _instance: Any, work: Any, _error: Any) -> int:
            if stopped():
                return _USAGE
            try:
                _place(answer_of(rule, instance), work)
                return 0
            except BaseException as fault:
                faults.append(fault)
                return _USAGE

        self.cancel: Optional[Cancel] = None  # of the call that asks it
        self.name = rule.name.encode()
        self._handle = c_void_p()
        self._row = Custom(struct_size=ctypes.sizeof(Custom), name=self.name, summary=rule.summary.encode(),
                           handles=_HANDLES, information=INFORMATION.index(rule.information))
        if rule.decides == "type":
            self._row.choose = ChooseFunction(chosen)
        else:
            self._row.run = WorkFunction(scheduled)

    def __enter__(self) -> c_void_p:
        call("duet_registry_create", byref(self._handle))
        try:
            call("duet_registry_add", self._handle, byref(self._row))
        except BaseException:
            self.__exit__()
            raise
        return self._handle

    def __exit__(self, *_: object) -> None:
        library.duet_registry_free(self._handle)
        self._handle = c_void_p()


def _place(answer: Answer, work: Any) -> None:
    """Tells the library what a rule decided."""
    if answer.runs is None:
        order = None if answer.order is None else (c_int64 * len(answer.order))(*answer.order)
        types = None if answer.types is None else (ctypes.c_size_t * len(answer.types))(*answer.types)
        call("duet_work_list", work, order, types)
        return
    for task, type, processor, start in answer.runs:
        at = c_int64(start)
        if start < 0:
            call("duet_work_start", work, task, type, processor, byref(at))
        call("duet_work_place", work, task, type, processor, at)
