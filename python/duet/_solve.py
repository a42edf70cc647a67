# SPDX-License-Identifier: Apache-2.0
"""Running an algorithm."""
from __future__ import annotations

import ctypes
import threading
from ctypes import byref, c_void_p
from typing import Any, Callable, List, Mapping, Optional, Sequence

from ._instance import Instance, Times
from ._library import FORBIDDEN, Params, ProgressFunction, UsageError, call, library
from ._solution import Cancel, Progress, Solution


class Options:
    """Options as the library takes them: a context manager that gives the handle."""

    def __init__(self, values: Optional[Mapping[str, object]]):
        self._values = values or {}
        self._handle = c_void_p()

    def __enter__(self) -> c_void_p:
        if self._values:
            call("duet_options_create", byref(self._handle))
        try:
            for key, value in self._values.items():
                shown = str(value).lower() if isinstance(value, bool) else str(value)
                call("duet_options_add", self._handle, f"{key}={shown}".encode())
        except BaseException:
            self.__exit__()
            raise
        return self._handle

    def __exit__(self, *_: object) -> None:
        library.duet_options_free(self._handle)
        self._handle = c_void_p()


def _reporter(instance: Instance, progress: Callable[[Progress], Any], cancel: Cancel,
              faults: List[BaseException]) -> Any:
    """A C callback. What it raises stops the search and is raised again afterwards."""

    def report(_user: Any, given: Any) -> None:
        if faults:
            return
        try:
            now = given.contents
            best = None if now.best == FORBIDDEN else instance.time(now.best)
            progress(Progress(now.phase.decode() if now.phase else "",
                              instance.time(now.lower_bound), best, now.seconds))
        except BaseException as fault:
            faults.append(fault)
            cancel.request()

    return ProgressFunction(report)


def _run(work: Callable[[], None], cancel: Cancel) -> None:
    """Runs `work`. Python hears of Ctrl-C in the main thread alone, and not while that is inside the
    library: there the work is another thread's, which is asked to stop."""
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    faults: List[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        cancel.request()
        thread.join()
        raise
    if faults:
        raise faults[0]


def solve(cpu: Optional[Times] = None, gpu: Optional[Times] = None, m: Optional[int] = None,
          k: Optional[int] = None, algorithm: Optional[str] = None, *,
          instance: Optional[Instance] = None, counts: Optional[Sequence[int]] = None,
          ids: Optional[Sequence[str]] = None, time_limit: float = 10.0, threads: int = 0,
          memory_limit: int = 0, seed: int = 0, options: Optional[Mapping[str, object]] = None,
          progress: Optional[Callable[[Progress], Any]] = None,
          cancel: Optional[Cancel] = None) -> Solution:
    """Schedules tasks with times `cpu` and `gpu` on `m` CPUs and `k` GPUs, or an `instance`.

    Without `algorithm` the best proven schedule within `time_limit` seconds (0: no limit), stopping
    as soon as it is optimal. `options` are the algorithm's, such as {"table": "collapsed"}.
    `progress` is called now and then with a Progress; what it raises ends the search. `threads` 0:
    all processors; `memory_limit` in bytes, 0: half of what is free.
    """
    if instance is None:
        if cpu is None or gpu is None or m is None or k is None:
            raise UsageError("expected cpu, gpu, m and k, or an instance")
        instance = Instance.from_times(cpu, gpu, m, k, counts=counts, ids=ids)
    elif any(given is not None for given in (cpu, gpu, counts, ids)):
        raise UsageError("expected either times or an instance")
    elif m is not None or k is not None:
        raise UsageError("an instance has its platform: change it with set_platform()")
    faults: List[BaseException] = []
    cancel = cancel or Cancel()
    params = Params(struct_size=ctypes.sizeof(Params), time_limit=time_limit, threads=threads,
                    memory_limit=memory_limit, seed=seed, cancel=cancel._handle)
    if progress is not None:
        params.progress = _reporter(instance, progress, cancel, faults)
    handle = c_void_p()
    name = None if algorithm is None else algorithm.encode()
    with Options(options) as given:
        params.options = given
        try:
            _run(lambda: call("duet_solve", instance._handle, name, byref(params), byref(handle)),
                 cancel)
        except BaseException:
            library.duet_solution_free(handle)
            if faults:
                raise faults[0] from None
            raise
    solution = Solution(instance, handle)
    if faults:
        raise faults[0]
    return solution
