# SPDX-License-Identifier: Apache-2.0
"""Problems: tasks with a time on each type of processor, and the platform."""
from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char_p, c_int64, c_void_p
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import (FORBIDDEN, MAX_DECIMALS, TYPES, Description, Type, UsageError, call, library,
                       text_of)

if TYPE_CHECKING:
    import numpy

Time = Union[int, float, Decimal, str, None]
Times = Union[Sequence[Time], "numpy.ndarray[Any, Any]"]
Path = Union[str, "os.PathLike[str]"]


def _decimal(value: Any, what: str) -> Optional[Decimal]:
    """An exact time; None where it is forbidden."""
    if value is None:
        return None
    if isinstance(value, bool):
        raise UsageError(f"{what}: expected a time, got {value!r}")
    try:
        if isinstance(value, (int, Decimal)):
            exact = Decimal(value)
        elif isinstance(value, float):
            exact = Decimal(repr(value))
        elif isinstance(value, str):
            exact = Decimal(value)
        elif hasattr(value, "item"):  # a NumPy number
            return _decimal(value.item(), what)
        else:
            raise UsageError(f"{what}: expected a time, got {value!r}")
    except InvalidOperation:
        raise UsageError(f"{what}: expected a time, got {value!r}") from None
    if exact.is_infinite() and exact > 0:
        return None
    if not exact.is_finite() or exact < 0:
        raise UsageError(f"{what}: expected a time >= 0, got {value!r}")
    return exact


def _places(value: Decimal) -> int:
    """Decimal places that a time needs."""
    exponent = value.normalize().as_tuple().exponent
    return max(0, -int(exponent))


def _scaled(columns: Sequence[Sequence[Any]]) -> Tuple[List[List[int]], int]:
    """The columns in ticks, and how many decimals a tick has."""
    names = ("cpu", "gpu")
    exact = [[_decimal(v, f"{names[t]}[{i}]") for i, v in enumerate(column)]
             for t, column in enumerate(columns)]
    decimals = max((_places(v) for column in exact for v in column if v is not None), default=0)
    if decimals > MAX_DECIMALS:
        raise UsageError(f"a time with {decimals} decimal places: expected at most {MAX_DECIMALS}")
    factor = 10**decimals
    ticks = [[FORBIDDEN if v is None else int(Fraction(v) * factor) for v in column]
             for column in exact]
    for t, column in enumerate(ticks):
        for i, v in enumerate(column):
            if v > FORBIDDEN:
                raise UsageError(f"{names[t]}[{i}]: a time beyond 2^63 ticks")
    return ticks, decimals


def _is_ticks(values: Any) -> bool:
    """Whether this is a NumPy array of 64-bit integers."""
    return (hasattr(values, "__array_interface__") and
            getattr(values, "dtype", None) is not None and values.dtype.str in ("<i8", "=i8"))


def _text(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else value.encode()


class Instance:
    """A problem. Made by from_times(), from_ticks(), read() or generate()."""

    def __init__(self, handle: c_void_p):
        """Takes over a handle of the library; not for users."""
        self._handle = handle

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            library.duet_instance_free(handle)

    @classmethod
    def from_times(cls, cpu: Times, gpu: Times, m: int, k: int, *,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None) -> "Instance":
        """One kind of task per entry: its time on a CPU and on a GPU, exactly.

        `counts`: how many equal tasks each stands for (default: 1 each). `ids`: their names.
        """
        if len(cpu) != len(gpu):
            raise UsageError(f"{len(cpu)} CPU times and {len(gpu)} GPU times: expected as many")
        if _is_ticks(cpu) and _is_ticks(gpu):
            import numpy
            return cls.from_ticks(numpy.stack((cpu, gpu), axis=1), m, k, counts=counts, ids=ids,
                                  name=name, unit=unit)
        (first, second), decimals = _scaled((cpu, gpu))
        flat = (c_int64 * (TYPES * len(first)))()
        flat[0::TYPES] = first
        flat[1::TYPES] = second
        return cls._create(flat, len(first), decimals, m, k, counts, ids, name, unit)

    @classmethod
    def from_ticks(cls, times: Any, m: int, k: int, *, decimals: int = 0,
                   counts: Optional[Sequence[int]] = None, ids: Optional[Sequence[str]] = None,
                   name: Optional[str] = None, unit: Optional[str] = None) -> "Instance":
        """`times`: anything with the buffer protocol, n rows of two 64-bit integers, contiguous, which
        the library reads in place; 2^63 - 1 forbids. One tick is 10^-decimals of the unit."""
        view = memoryview(times)
        if view.itemsize != 8 or view.format not in ("l", "q") or not view.c_contiguous:
            raise UsageError("times: expected contiguous 64-bit integers")
        if view.ndim != 2 or view.shape is None or view.shape[1] != TYPES:
            raise UsageError("times: expected rows of two")
        n = view.shape[0]
        if n == 0:
            flat = (c_int64 * 0)()
        elif view.readonly:
            flat = (c_int64 * (TYPES * n)).from_buffer_copy(view)
        else:
            flat = (c_int64 * (TYPES * n)).from_buffer(view)
        return cls._create(flat, n, decimals, m, k, counts, ids, name, unit)

    @classmethod
    def _create(cls, flat: Any, kinds: int, decimals: int, m: int, k: int,
                counts: Optional[Sequence[int]], ids: Optional[Sequence[str]],
                name: Optional[str], unit: Optional[str]) -> "Instance":
        platform = (Type * TYPES)((b"cpu", _count("m", m)), (b"gpu", _count("k", k)))
        for what, given in (("counts", counts), ("ids", ids)):
            if given is not None and len(given) != kinds:
                raise UsageError(f"{len(given)} {what}: expected {kinds}")
        description = Description(name=_text(name), time_unit=_text(unit), decimals=decimals,
                                  types=TYPES, platform=platform, kinds=kinds,
                                  times=ctypes.cast(flat, ctypes.POINTER(c_int64)))
        if counts is not None:
            description.counts = (c_int64 * kinds)(*(_count("counts", c) for c in counts))
        if ids is not None:
            description.ids = (c_char_p * kinds)(*(i.encode() for i in ids))
        handle = c_void_p()
        call("duet_instance_create", byref(description), byref(handle))
        return cls(handle)

    @property
    def name(self) -> str:
        return library.duet_instance_name(self._handle).decode()

    @property
    def unit(self) -> str:
        """The unit of times, "" where it has none."""
        return library.duet_instance_time_unit(self._handle).decode()

    @property
    def decimals(self) -> int:
        """One tick is 10^-decimals of the unit."""
        return library.duet_instance_decimals(self._handle)

    @property
    def platform(self) -> Mapping[str, int]:
        """Processors per type, in the order of the types."""
        types = library.duet_instance_types(self._handle)
        return {library.duet_instance_type_name(self._handle, t).decode():
                library.duet_instance_type_count(self._handle, t) for t in range(types)}

    @property
    def notice(self) -> Optional[str]:
        """What the reader left out, or None."""
        return text_of(library.duet_instance_notice(self._handle))

    def __len__(self) -> int:
        """Number of tasks."""
        return library.duet_instance_tasks(self._handle)

    def __repr__(self) -> str:
        machine = " + ".join(f"{count} {name}" for name, count in self.platform.items())
        return f"<duet.Instance {self.name!r}: {len(self)} tasks on {machine}>"

    def set_platform(self, *counts: int) -> None:
        """Other numbers of processors, one per type."""
        numbers = (c_int64 * len(counts))(*(_count("platform", c) for c in counts))
        call("duet_instance_set_counts", self._handle, len(counts), numbers)

    def time(self, ticks: int) -> Decimal:
        """Ticks in the instance's unit, exactly."""
        return _plain(Decimal(ticks).scaleb(-self.decimals))

    def task_id(self, task: int) -> str:
        """The name of a task, 0 <= task < len(instance)."""
        if not 0 <= task < len(self):
            raise IndexError(f"task {task}: expected 0 to {len(self) - 1}")
        size = library.duet_instance_task_id(self._handle, task, None, 0) + 1
        buffer = ctypes.create_string_buffer(size)
        library.duet_instance_task_id(self._handle, task, buffer, size)
        return buffer.value.decode()

    def write(self, path: Path, format: Optional[str] = None) -> None:
        """Writes the instance; the format follows from the ending where it is not given."""
        call("duet_write_instance", os.fsencode(path), _text(format), self._handle)


def _plain(value: Decimal) -> Decimal:
    """Without trailing zeros and without an exponent."""
    value = value.normalize()
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value


def _count(what: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(f"{what}: expected a whole number, got {value!r}")
    number = value.__index__()
    if not -2**63 <= number < 2**63:
        raise UsageError(f"{what}: {number} is beyond 64 bits")
    return number


def read(path: Path, m: Optional[int] = None, k: Optional[int] = None) -> Instance:
    """Reads an instance of any format the library knows; m and k override its platform."""
    handle = c_void_p()
    call("duet_read_instance", os.fsencode(path), byref(handle))
    instance = Instance(handle)
    if m is not None or k is not None:
        counts = list(instance.platform.values())
        given = (m, k)
        instance.set_platform(*(counts[t] if t >= len(given) or given[t] is None else given[t]
                                for t in range(len(counts))))
    return instance


def generate(family: str, n: int = 0, m: int = 4, k: int = 2, *, seed: int = 0,
             options: Optional[Mapping[str, object]] = None) -> Instance:
    """An instance of a family (see families()); the same arguments give the same instance."""
    from ._solve import Options
    handle = c_void_p()
    with Options(options) as given:
        call("duet_generate", family.encode(), n, m, k, seed, given, byref(handle))
    return Instance(handle)
