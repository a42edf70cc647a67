# SPDX-License-Identifier: Apache-2.0
"""The C library, as ctypes sees it: structures, prototypes, errors as exceptions."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_int64, c_size_t, c_uint64, c_void_p)
from typing import Any, Dict, List, Optional, Tuple

from ._advice import in_python

FORBIDDEN = 2**63 - 1
FINER_PLACES = 9  # beyond those of ticks, as duet_replan_desc says
MAX_DECIMALS = 18
MAX_TYPES = 64
MAX_WORK = 2**62
MAX_PROCESSORS = 2**31 - 1
_NEEDS = (0, 2)  # major and minor version of the library that this module was written for


class DuetError(Exception):
    """Something failed in the library; the message says what and what was expected."""


class UsageError(DuetError, ValueError):
    """A wrong argument: an unknown name, an option out of range."""


class NoSuchIndexError(UsageError, IndexError):
    """A task or an edge of a number that the instance does not have."""


class InputError(DuetError, ValueError):
    """A file or an instance is unreadable or invalid."""


class InfeasibleError(DuetError):
    """No schedule exists: a task has nowhere to run."""


class LimitError(DuetError):
    """A limit of time or memory came before any answer."""


class OutputError(DuetError, OSError):
    """A result could not be written."""


class UnsupportedError(DuetError):
    """This algorithm or build cannot do that."""


class CancelledError(DuetError):
    """Cancelled before any answer."""


class InternalError(DuetError):
    """A fault in Duet."""


class OutOfMemoryError(DuetError, MemoryError):
    """An allocation failed."""


class Note(UserWarning):
    """What was not used of an input, or rounded; it is also in Instance.notice."""


# In the order of duet_code.
_EXCEPTIONS = (DuetError, UsageError, InputError, InfeasibleError, LimitError, OutOfMemoryError,
               OutputError, UnsupportedError, CancelledError, InternalError)


class Error(Structure):
    """duet_error"""
    _fields_ = [("code", c_int), ("line", c_int), ("column", c_int), ("file", c_char * 256),
                ("message", c_char * 512)]


class Type(Structure):
    """duet_type"""
    _fields_ = [("name", c_char_p), ("count", c_int64)]


class Edge(Structure):
    """duet_edge"""
    _fields_ = [("tail", c_int64), ("head", c_int64), ("cost", c_size_t)]


class Busy(Structure):
    """duet_busy"""
    _fields_ = [("type", c_size_t), ("processor", c_int64), ("until", c_int64)]


class Claim(Structure):
    """duet_claim"""
    _fields_ = [("algorithm", c_char_p), ("options", c_char_p), ("optimum", c_int64),
                ("makespan", c_int64), ("limit", c_char_p), ("source", c_char_p),
                ("refuted", c_bool)]


class Description(Structure):
    """duet_instance_desc"""
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("time_unit", c_char_p),
                ("decimals", c_int),
                ("types", c_size_t), ("platform", POINTER(Type)), ("kinds", c_size_t),
                ("ids", POINTER(c_char_p)), ("counts", POINTER(c_int64)),
                ("times", POINTER(c_int64)), ("claim", POINTER(Claim)), ("edges", c_size_t),
                ("edge", POINTER(Edge)), ("cost_tables", c_size_t), ("costs", POINTER(c_int64)),
                ("moldable", c_void_p), ("releases", POINTER(c_int64)), ("busy_count", c_size_t),
                ("busy", POINTER(Busy))]


class ReadParams(Structure):
    """duet_read_params; nobody asks how far it is."""
    _fields_ = [("struct_size", c_size_t), ("columns", c_char_p), ("exact_times", c_bool),
                ("progress", c_void_p), ("user", c_void_p), ("time_unit", c_char_p),
                ("options", c_void_p), ("memory_limit", c_size_t), ("time_limit", c_double),
                ("cancel", c_void_p), ("strict_input", c_bool), ("types", c_char_p),
                ("edges", c_char_p), ("digits", c_int), ("room", c_int), ("busy", c_char_p),
                ("start", c_char_p)]


class GenerateParams(Structure):
    """duet_generate_params"""
    _fields_ = [("struct_size", c_size_t), ("size", c_int64), ("types", c_size_t),
                ("counts", POINTER(c_int64)), ("seed", c_uint64), ("options", c_void_p)]


class Placement(Structure):
    """duet_placement"""
    _fields_ = [("start", c_int64), ("processor", c_int32), ("type", c_int32)]


class Range(Structure):
    """duet_processor_range"""
    _fields_ = [("type", c_int32), ("first", c_int32), ("last", c_int32)]


class Aborted(Structure):
    """duet_aborted"""
    _fields_ = [("task", c_int64), ("start", c_int64), ("end", c_int64), ("processor", c_int32),
                ("type", c_int32)]


class Progress(Structure):
    """duet_progress"""
    _fields_ = [("phase", c_char_p), ("lower_bound", c_int64), ("best", c_int64),
                ("seconds", c_double)]


class Entry(Structure):
    """duet_entry; the options table is not read."""
    _fields_ = [("name", c_char_p), ("summary", c_char_p), ("guarantee", c_char_p),
                ("reference", c_char_p), ("needs", ctypes.c_uint), ("options", c_void_p),
                ("handles", ctypes.c_uint)]


class Counter(Structure):
    """duet_counter"""
    _fields_ = [("name", c_char_p), ("value", c_int64)]


ProgressFunction = CFUNCTYPE(None, c_void_p, POINTER(Progress))


ChooseFunction = CFUNCTYPE(c_size_t, c_void_p, c_void_p)
ColourTaker = CFUNCTYPE(None, c_void_p, c_size_t, c_char_p, c_char_p, c_char_p)
WorkFunction = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, POINTER(Error))


class Custom(Structure):
    """duet_custom"""
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p),
                ("reference", c_char_p), ("needs", ctypes.c_uint), ("options", c_void_p),
                ("run", WorkFunction), ("user", c_void_p), ("handles", ctypes.c_uint),
                ("choose", ChooseFunction), ("information", c_int)]


class Params(Structure):
    """duet_params"""
    _fields_ = [("struct_size", c_size_t), ("time_limit", c_double), ("threads", c_int),
                ("memory_limit", c_size_t), ("seed", c_uint64), ("options", c_void_p),
                ("cancel", c_void_p), ("progress", ProgressFunction), ("user", c_void_p),
                ("registry", c_void_p), ("deadline", c_int64), ("start_from", c_void_p)]


class Fix(Structure):
    """duet_fix"""
    _fields_ = [("task", c_int64), ("type", ctypes.c_int32), ("range", POINTER(Range)), ("ranges", c_size_t),
                ("start", c_int64), ("end", c_int64)]


class ReplanDescription(Structure):
    """duet_replan_desc"""
    _fields_ = [("struct_size", c_size_t), ("finer", c_int), ("now", c_int64), ("plan", POINTER(Fix)),
                ("plans", c_size_t), ("fix", POINTER(Fix)), ("fixes", c_size_t),
                ("without", POINTER(Range)), ("withouts", c_size_t)]


class SizeDescription(Structure):
    """duet_size_desc"""
    _fields_ = [("struct_size", c_size_t), ("deadline", c_int64), ("least", POINTER(c_int64)),
                ("most", POINTER(c_int64)), ("price", POINTER(c_int64)), ("algorithm", c_char_p),
                ("params", POINTER(Params))]


class Sized(Structure):
    """duet_sized"""
    _fields_ = [("counts", c_int64 * MAX_TYPES), ("price", c_int64), ("feasible", c_int),
                ("makespan", c_int64), ("lower_bound", c_int64), ("solved", c_bool),
                ("smallest", c_bool)]


class SimulationDescription(Structure):
    """duet_simulation_desc"""
    _fields_ = [("struct_size", c_size_t), ("algorithm", c_char_p), ("plan", c_void_p),
                ("keep", c_int), ("noise", POINTER(c_char_p)), ("noises", c_size_t),
                ("slow", POINTER(c_char_p)), ("slows", c_size_t), ("fail", POINTER(c_char_p)),
                ("fails", c_size_t), ("seed", c_uint64), ("params", POINTER(Params)), ("replan", c_char_p),
                ("replan_every", c_int64)]


class Simulated(Structure):
    """duet_simulated"""
    _fields_ = [("makespan", c_int64), ("lower_bound", c_int64), ("lost", c_int64),
                ("instance", c_void_p), ("schedule", c_void_p), ("kept", c_int64), ("plans", c_int64),
                ("reserved", c_int64 * 2)]


class GanttOptions(Structure):
    """duet_gantt_options"""
    _fields_ = [("struct_size", c_size_t), ("width", c_int), ("height", c_int), ("title", c_char_p),
                ("dark", c_bool), ("transparent", c_bool), ("by_kind", c_bool),
                ("beside", c_void_p)]


# Name: (result, arguments). A result of `Error` is a duet_code, which call() turns into exceptions.
_PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "duet_version": (c_char_p, []),
    "duet_features": (c_char_p, []),
    "duet_instance_create": (Error, [POINTER(Description), POINTER(c_void_p)]),
    "duet_instance_free": (None, [c_void_p]),
    "duet_instance_set_counts": (Error, [c_void_p, c_size_t, POINTER(c_int64)]),
    "duet_instance_has_platform": (c_bool, [c_void_p]),
    "duet_instance_name": (c_char_p, [c_void_p]),
    "duet_instance_time_unit": (c_char_p, [c_void_p]),
    "duet_instance_decimals": (c_int, [c_void_p]),
    "duet_instance_types": (c_size_t, [c_void_p]),
    "duet_instance_type_name": (c_char_p, [c_void_p, c_size_t]),
    "duet_instance_type_count": (c_int64, [c_void_p, c_size_t]),
    "duet_instance_processor_name": (c_char_p, [c_void_p, c_size_t, c_int64]),
    "duet_instance_kinds": (c_size_t, [c_void_p]),
    "duet_instance_release": (c_int64, [c_void_p, c_size_t]),
    "duet_instance_start": (c_char_p, [c_void_p, c_char_p]),
    "duet_instance_deadline": (c_int64, [c_void_p, c_size_t]),
    "duet_instance_group": (c_char_p, [c_void_p, c_size_t]),
    "duet_instance_busy": (c_int64, [c_void_p, c_size_t, c_int64]),
    "duet_instance_now": (c_int64, [c_void_p]),
    "duet_instance_is_lost": (c_bool, [c_void_p, c_size_t, c_int64]),
    "duet_instance_tasks": (c_int64, [c_void_p]),
    "duet_instance_kind_of": (c_size_t, [c_void_p, c_int64]),
    "duet_instance_task_id": (c_size_t, [c_void_p, c_int64, c_char_p, c_size_t]),
    "duet_instance_edges": (c_int64, [c_void_p]),
    "duet_instance_edge": (Edge, [c_void_p, c_int64]),
    "duet_instance_transfer": (c_int64, [c_void_p, c_int64, c_size_t, c_size_t]),
    "duet_instance_notice": (c_char_p, [c_void_p]),
    "duet_instance_features": (ctypes.c_uint, [c_void_p]),
    "duet_instance_sizes": (c_int64, [c_void_p, c_size_t, c_size_t]),
    "duet_instance_moldable_time": (c_int64, [c_void_p, c_size_t, c_size_t, c_int64]),
    "duet_instance_redistribution": (c_int64, [c_void_p, c_int64, c_size_t, c_int64, c_size_t,
                                               c_int64]),
    "duet_read_instance": (Error, [c_char_p, POINTER(ReadParams), POINTER(c_void_p)]),
    "duet_write_instance": (Error, [c_char_p, c_char_p, c_void_p]),
    "duet_generate": (Error, [c_char_p, POINTER(GenerateParams), POINTER(c_void_p)]),
    "duet_read_fixes": (Error, [c_char_p, POINTER(ReadParams), c_void_p, POINTER(c_void_p)]),
    "duet_fixes_entries": (POINTER(Fix), [c_void_p, POINTER(c_size_t), POINTER(c_int)]),
    "duet_fixes_free": (None, [c_void_p]),
    "duet_replan": (Error, [c_void_p, POINTER(ReplanDescription), POINTER(c_void_p), POINTER(c_void_p)]),
    "duet_read_solution": (Error, [c_char_p, POINTER(ReadParams), c_void_p, POINTER(c_void_p)]),
    "duet_solution_finer": (c_int, [c_void_p]),
    "duet_solution_refine": (Error, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "duet_solution_to_ticks": (None, [c_void_p, c_void_p]),
    "duet_instance_mixed_sets": (c_bool, [c_void_p]),
    "duet_write_solution": (Error, [c_char_p, c_void_p, c_void_p]),
    "duet_write_gantt": (Error, [c_char_p, c_void_p, c_void_p, POINTER(GanttOptions)]),
    "duet_colour_kinds": (Error, [c_void_p, c_void_p, ColourTaker, c_void_p]),
    "duet_write_trace": (Error, [c_char_p, c_void_p, c_void_p]),
    "duet_field_word": (c_char_p, [c_char_p]),
    "duet_options_create": (Error, [POINTER(c_void_p)]),
    "duet_options_free": (None, [c_void_p]),
    "duet_options_add": (Error, [c_void_p, c_char_p]),
    "duet_algorithm_count": (c_size_t, []),
    "duet_algorithm_entry": (POINTER(Entry), [c_size_t]),
    "duet_bound_count": (c_size_t, []),
    "duet_bound_entry": (POINTER(Entry), [c_size_t]),
    "duet_family_count": (c_size_t, []),
    "duet_family_entry": (POINTER(Entry), [c_size_t]),
    "duet_cancel_create": (c_void_p, []),
    "duet_cancel_free": (None, [c_void_p]),
    "duet_cancel_request": (None, [c_void_p]),
    "duet_registry_create": (Error, [POINTER(c_void_p)]),
    "duet_registry_free": (None, [c_void_p]),
    "duet_registry_add": (Error, [c_void_p, POINTER(Custom)]),
    "duet_work_place": (Error, [c_void_p, c_int64, c_size_t, c_int64, c_int64]),
    "duet_work_start": (Error, [c_void_p, c_int64, c_size_t, c_int64, POINTER(c_int64)]),
    "duet_work_list": (Error, [c_void_p, POINTER(c_int64), POINTER(c_size_t)]),
    "duet_revealed_task": (c_int64, [c_void_p]),
    "duet_revealed_now": (c_int64, [c_void_p]),
    "duet_revealed_processors": (c_int64, [c_void_p, c_size_t]),
    "duet_revealed_time": (c_int64, [c_void_p, c_size_t]),
    "duet_revealed_start": (c_int64, [c_void_p, c_size_t]),
    "duet_revealed_bottom_level": (c_int64, [c_void_p]),
    "duet_revealed_descendants": (c_int64, [c_void_p]),
    "duet_solve": (Error, [c_void_p, c_char_p, POINTER(Params), POINTER(c_void_p)]),
    "duet_size": (Error, [c_void_p, POINTER(SizeDescription), POINTER(c_void_p)]),
    "duet_sizing_free": (None, [c_void_p]),
    "duet_sizing_answer": (c_int, [c_void_p]),
    "duet_sizing_platforms": (c_size_t, [c_void_p]),
    "duet_sizing_platform": (Sized, [c_void_p, c_size_t]),
    "duet_simulator_create": (Error, [c_void_p, POINTER(SimulationDescription),
                                      POINTER(c_void_p)]),
    "duet_simulator_free": (None, [c_void_p]),
    "duet_simulator_plan": (c_void_p, [c_void_p]),
    "duet_simulator_run": (Error, [c_void_p, c_int64, POINTER(Simulated)]),
    "duet_check_solution": (Error, [c_void_p, c_void_p, POINTER(Params), POINTER(c_int)]),
    "duet_verify_proof": (Error, [c_void_p, c_char_p, c_int64, POINTER(Params), c_void_p]),
    "duet_compute_bound": (Error, [c_void_p, c_char_p, POINTER(Params), POINTER(c_void_p)]),
    "duet_bound_free": (None, [c_void_p]),
    "duet_bound_name": (c_char_p, [c_void_p]),
    "duet_bound_value": (c_int64, [c_void_p]),
    "duet_bound_exact": (c_char_p, [c_void_p]),
    "duet_check_bound": (Error, [c_void_p, c_void_p, POINTER(Params), POINTER(c_int)]),
    "duet_solution_free": (None, [c_void_p]),
    "duet_solution_tasks": (c_int64, [c_void_p]),
    "duet_solution_placements": (POINTER(Placement), [c_void_p]),
    "duet_solution_processors": (POINTER(Range), [c_void_p, c_int64, POINTER(c_size_t)]),
    "duet_solution_metrics": (Error, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_size_t)]),
    "duet_solution_end": (c_int64, [c_void_p, c_void_p, c_int64]),
    "duet_solution_aborted": (POINTER(Aborted), [c_void_p, POINTER(c_size_t)]),
    "duet_solution_makespan": (c_int64, [c_void_p]),
    "duet_solution_lower_bound": (c_int64, [c_void_p]),
    "duet_solution_bound_name": (c_char_p, [c_void_p]),
    "duet_solution_status": (c_int, [c_void_p]),
    "duet_solution_meets": (c_int, [c_void_p, c_int64]),
    "duet_status_name": (c_char_p, [c_int]),
    "duet_solution_algorithm": (c_char_p, [c_void_p]),
    "duet_solution_found_by": (c_char_p, [c_void_p]),
    "duet_solution_guarantee": (c_char_p, [c_void_p]),
    "duet_solution_seconds": (c_double, [c_void_p]),
    "duet_solution_interrupted": (c_bool, [c_void_p]),
    "duet_solution_ending": (c_char_p, [c_void_p]),
    "duet_solution_note": (c_char_p, [c_void_p]),
    "duet_solution_counters": (POINTER(Counter), [c_void_p, POINTER(c_size_t)]),
}


_NAME = "libduet.so.0"


def _installed_beside() -> List[str]:
    """What was installed with this module: in its own folder by a wheel, in the library folder of the
    same prefix by `cmake --install`."""
    here = pathlib.Path(__file__).resolve().parent
    folders = [here]
    for prefix in here.parents:
        if str(prefix) not in ("/", "/usr"):  # the system looks there
            folders += [prefix / "lib", prefix / "lib64", *sorted(prefix.glob("lib/*-linux-*"))]
    return [str(folder / _NAME) for folder in folders if (folder / _NAME).exists()]


def _candidates() -> List[str]:
    """Where the library may be: where the user says, then with this module, then where the system
    finds it."""
    named = os.environ.get("DUET_LIBRARY")
    if named:
        return [named]
    found = ctypes.util.find_library("duet")
    return [*_installed_beside(), *([found] if found else []), _NAME, "libduet.so"]


def _load() -> ctypes.CDLL:
    faults = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as fault:
            faults.append(str(fault))
    raise ImportError("libduet cannot be loaded; set DUET_LIBRARY to its path: " +
                      "; ".join(faults))


def _declare(library: ctypes.CDLL) -> None:
    for name, (result, arguments) in _PROTOTYPES.items():
        function = getattr(library, name)
        if result is Error:
            function.restype = c_int
            function.argtypes = arguments + [POINTER(Error)]
        else:
            function.restype = result
            function.argtypes = arguments


library = _load()
_declare(library)
version: str = library.duet_version().decode()
if tuple(int(part) for part in version.split(".")[:2]) != _NEEDS:
    raise ImportError(f"libduet {version} was found, expected {_NEEDS[0]}.{_NEEDS[1]}")


def call(name: str, *arguments: object) -> None:
    """Calls a function that returns a duet_code; what fails is raised."""
    error = Error()
    code = getattr(library, name)(*arguments, byref(error))
    if code != 0:
        where = error.file.decode(errors="replace")
        for number in (error.line, error.column):
            where += f":{number}" if where and number > 0 else ""
        text = in_python(error.message.decode(errors="replace"))
        raise _EXCEPTIONS[code](f"{where}: {text}" if where else text)


def string(value: bytes) -> str:
    """A C string that is never NULL."""
    return value.decode()


def text_of(value: Optional[bytes]) -> Optional[str]:
    """A C string; None for NULL."""
    return None if value is None else value.decode()
