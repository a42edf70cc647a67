# SPDX-License-Identifier: Apache-2.0
"""Objects that hold something of the library: it is given back once, and never used afterwards."""
from __future__ import annotations

import ctypes
from ctypes import c_void_p
from typing import Any, Type, TypeVar

from ._library import UsageError, library

T = TypeVar("T", bound="Held")


def _by_library(name: str) -> Any:
    """A __del__() that is the library's function, with no line of Python around it: an exception that
    a signal raises within such a line is lost, and so is a Ctrl-C."""
    function = getattr(library, name)
    try:
        method = ctypes.pythonapi.PyInstanceMethod_New
    except AttributeError:  # another Python than CPython
        return lambda self: function(self)
    method.restype = ctypes.py_object
    method.argtypes = [ctypes.py_object]
    return method(function)


# What the library is asked to fill, and is given back when nothing in Python refers to it any more:
# also where an exception comes right after the call.
class InstanceHandle(c_void_p):
    """Of a duet_instance."""
    __del__ = _by_library("duet_instance_free")


class SolutionHandle(c_void_p):
    """Of a duet_solution."""
    __del__ = _by_library("duet_solution_free")


class BoundHandle(c_void_p):
    """Of a duet_bound."""
    __del__ = _by_library("duet_bound_free")


class CancelHandle(c_void_p):
    """Of a duet_cancel."""
    __del__ = _by_library("duet_cancel_free")


class FixesHandle(c_void_p):
    """Of a duet_fixes."""
    __del__ = _by_library("duet_fixes_free")


class SizingHandle(c_void_p):
    """Of a duet_sizing."""
    __del__ = _by_library("duet_sizing_free")


class SimulatorHandle(c_void_p):
    """Of a duet_simulator."""
    __del__ = _by_library("duet_simulator_free")


library.duet_cancel_create.restype = CancelHandle


class Held:
    """What has a handle of the library. Only the module makes one, by _holding(): a number that a
    user hands over is no handle."""
    _owned: Any = None
    _made_by = ""  # for messages

    def __init__(self, *_: object, **__: object) -> None:
        raise UsageError(f"{type(self).__name__}: expected one that was made by {self._made_by}")

    @classmethod
    def _holding(cls: Type[T], handle: Any) -> T:
        """One that has this handle."""
        held = cls.__new__(cls)
        held._owned = handle
        return held

    @property
    def _handle(self) -> Any:
        """The handle, which is there as long as the object: the library would follow NULL."""
        if self._owned is None:
            raise UsageError(f"{type(self).__name__}: this one is empty: expected one that was made "
                             f"by {self._made_by}")
        return self._owned


class Alone:
    """What there is once: a copy would share what it is about, or would be about a call that has
    ended. pickle, copy.copy() and copy.deepcopy() all ask __reduce_ex__()."""
    _instead = ""  # what to do, for messages

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise UsageError(f"{type(self).__name__}: it cannot be copied or pickled; {self._instead}")
