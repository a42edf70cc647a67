# SPDX-License-Identifier: Apache-2.0
"""Online rules in Python: a function that chooses the type of each task that is revealed."""
from __future__ import annotations

import ctypes
from ctypes import byref, c_void_p
from decimal import Decimal
from typing import Any, Callable, List, Optional, Union

from ._check import shown
from ._instance import Instance
from ._library import FORBIDDEN, ChooseFunction, Custom, UsageError, call, library

_INFORMATION = ("times", "bottom", "descendants")  # in the order of duet_information
_SIZE_MAX: int = 2**(8 * ctypes.sizeof(ctypes.c_size_t)) - 1
_NAME = b"python-rule"


class Revealed:
    """A task that a rule is asked about: its predecessors have completed. Types are named or
    numbered. Good during the call alone."""

    def __init__(self, instance: Instance, handle: Any):
        self._instance = instance
        self._handle = handle

    def _type(self, which: Union[int, str]) -> int:
        names = list(self._instance.platform)
        if isinstance(which, str):
            if which not in names:
                raise UsageError(f"type: expected one of {', '.join(names)}, got {shown(which)}")
            return names.index(which)
        if isinstance(which, bool) or not isinstance(which, int) or not 0 <= which < len(names):
            raise UsageError(f"type: expected 0 to {len(names) - 1} or a name, got {shown(which)}")
        return which

    def _ticks(self, value: int) -> Optional[Decimal]:
        return None if value in (FORBIDDEN, -1) else self._instance.time(value)

    @property
    def task(self) -> int:
        """The task's index."""
        return int(library.duet_revealed_task(self._handle))

    @property
    def now(self) -> Decimal:
        """The instant at which it is revealed."""
        return self._instance.time(library.duet_revealed_now(self._handle))

    def time(self, type: Union[int, str]) -> Optional[Decimal]:
        """Its time on a type; None where it may not run."""
        return self._ticks(library.duet_revealed_time(self._handle, self._type(type)))

    def start(self, type: Union[int, str]) -> Optional[Decimal]:
        """When it would start on a type, its data there; None where it may not run."""
        return self._ticks(library.duet_revealed_start(self._handle, self._type(type)))

    def processors(self, type: Union[int, str]) -> int:
        """Processors of a type."""
        return int(library.duet_revealed_processors(self._handle, self._type(type)))

    @property
    def bottom_level(self) -> Optional[Decimal]:
        """The longest way from its start to the end of the graph, each task taking its shortest
        time; None unless information="bottom" or "descendants" was asked for."""
        return self._ticks(library.duet_revealed_bottom_level(self._handle))

    @property
    def descendants(self) -> Optional[Decimal]:
        """The shortest times of all its descendants in sum; None unless
        information="descendants" was asked for."""
        return self._ticks(library.duet_revealed_descendants(self._handle))


class Rule:
    """A function as an algorithm of the library: a context manager that gives the registry which
    holds it under Rule.name. What the function raises ends the run and is put into `faults`."""
    name = _NAME

    def __init__(self, instance: Instance, choose: Callable[[Revealed], Union[int, str]],
                 information: str, faults: List[BaseException]):
        if information not in _INFORMATION:
            raise UsageError(f"information: expected one of {', '.join(_INFORMATION)}, got "
                             f"{shown(information)}")

        def chosen(_user: Any, handle: Any) -> int:
            if faults:
                return _SIZE_MAX
            try:
                task = Revealed(instance, handle)
                return task._type(choose(task))
            except BaseException as fault:
                faults.append(fault)
                return _SIZE_MAX

        self._handle = c_void_p()
        self._row = Custom(struct_size=ctypes.sizeof(Custom), name=_NAME,
                           choose=ChooseFunction(chosen),
                           information=_INFORMATION.index(information))

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
