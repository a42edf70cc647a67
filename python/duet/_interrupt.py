# SPDX-License-Identifier: Apache-2.0
"""Calls of the library that Ctrl-C ends, and requests to stop.

Python hears of a signal in the main thread alone, and not while that is inside the library: there
the work is another thread's, which is asked to stop. From before that thread starts until it has
ended no handler raises in the main thread: what a handler raises is kept, and raised at the end. So
there is no instant at which an exception could leave a search behind that nobody stops."""
from __future__ import annotations

import contextvars
import inspect
import signal
import threading
import time
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, TypeVar

from ._held import Alone, Held
from ._library import CancelledError, OutOfMemoryError, library

T = TypeVar("T")

# Without the names that Python gives to the numbers of signals, which take longer than all else here.
_handler_of = inspect.unwrap(signal.getsignal)
_set_handler = inspect.unwrap(signal.signal)
_set_mask = inspect.unwrap(signal.pthread_sigmask)
_SIGNALS = tuple(int(number) for number in signal.valid_signals())

_PATIENCE = 1.0  # seconds after which one more Ctrl-C leaves a thread behind that does not stop


class Cancel(Alone, Held):
    """A request to stop, which any thread may make, and a signal's handler. It cannot be copied or
    pickled: all that is to stop at once is given the same."""
    _instead = "hand the same one on, or make another by Cancel()"

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a handler may come in between
        self._requested = False
        self._interrupted = False  # by an exception, which comes instead of any result
        self._followers: Set["Cancel"] = set()
        self._owned = library.duet_cancel_create()
        if not self._owned:
            raise OutOfMemoryError("no memory for a Cancel")

    def request(self) -> None:
        """Asks every solve() that was or will be given this to stop soon with the best it has."""
        with self._lock:
            self._requested = True
            library.duet_cancel_request(self._handle)
            for follower in tuple(self._followers):
                follower.request()

    def _interrupt(self) -> None:
        """A request that also ends what a user's functions do for the call."""
        self._interrupted = True
        self.request()

    @contextmanager
    def _led_by(self, leader: Optional["Cancel"]) -> Iterator[None]:
        """While this is entered a request of `leader` is one of this, too, but not the other way
        round: what a call has for itself."""
        if leader is None:
            yield
            return
        with leader._lock:
            leader._followers.add(self)
            if leader._requested:
                self.request()
        try:
            yield
        finally:
            with leader._lock:
                leader._followers.discard(self)


class _Signals:
    """The handlers of signals, of which none raises between begin() and end(): what one raises is
    kept in `fault`, `cancel` is requested, and `told` is called."""

    def __init__(self, cancel: Cancel, told: Callable[[], None], keep: bool):
        self.fault: Optional[BaseException] = None
        self.kept: Optional[BaseException] = None  # a first Ctrl-C, which asks for what there is
        self._keep = keep
        self._cancel = cancel
        self._told = told
        self._over = False
        self._before: Dict[int, Any] = {}
        self._ours = self._heard  # one object, to be known again

    def _heard(self, number: int, frame: Any) -> None:
        try:
            self._before[number](number, frame)
        except BaseException as fault:
            if self._over:  # one that end() did not come to
                raise
            first = self.kept is None and self.fault is None
            if self._keep and first and self._before[number] is signal.default_int_handler:
                self.kept = fault
                self._cancel.request()
                return
            self.fault = fault
            self._cancel._interrupt()
            self._told()

    def begin(self) -> None:
        """Where Python cannot change handlers (in an interpreter beside the main one) it does not
        run any either."""
        for number in _SIGNALS:
            handler = _handler_of(number)
            if callable(handler):
                self._before[number] = handler
                try:
                    _set_handler(number, self._ours)
                except ValueError:
                    return

    def end(self) -> None:
        """The handlers are as before, but for those that a handler has changed meanwhile. Signals
        wait until all are: after the first of them an exception would leave the others behind."""
        mask = _set_mask(signal.SIG_BLOCK, _SIGNALS)
        try:
            for number, handler in self._before.items():
                if _handler_of(number) is self._ours:
                    _set_handler(number, handler)
            del self._ours, self._told  # they refer to what refers to this
        finally:
            self._over = True
            _set_mask(signal.SIG_SETMASK, mask)


class _Call:
    """A piece of work in a thread of its own, for which the main thread waits."""

    def __init__(self, work: Callable[[Cancel], Any], asked: Optional[Cancel], leave: bool, keep: bool):
        self._work = work
        self._asked = asked
        self._patience = 0.0 if leave else _PATIENCE
        self._cancel = Cancel()
        self._found: List[Any] = []
        self._faults: List[BaseException] = []
        self._told_at: Optional[float] = None  # when an interruption came first
        self._left = False
        self._ended = threading.Lock()  # free once nobody has to wait any more
        self._ended.acquire()
        self._signals = _Signals(self._cancel, self._told, keep)

    def _end(self) -> None:
        try:
            self._ended.release()
        except RuntimeError:
            pass  # it is free already

    def _told(self) -> None:
        now = time.monotonic()
        if self._told_at is None:
            self._told_at = now
        if now - self._told_at >= self._patience:
            self._left = True
            self._end()

    def _perform(self) -> None:
        try:
            with self._cancel._led_by(self._asked):
                self._found.append(self._work(self._cancel))
        except BaseException as fault:
            self._faults.append(fault)
        finally:
            self._end()

    def _wait(self) -> None:
        while not (self._found or self._faults or self._left):
            try:
                self._ended.acquire()
            except BaseException as fault:  # from elsewhere than a handler
                self._signals.fault = fault
                self._cancel._interrupt()
                self._told()

    def _start(self) -> None:
        """Nobody but itself refers to the thread afterwards: when one goes, threading runs lines of
        Python in which an exception is lost."""
        context = contextvars.copy_context()  # that of decimals among others
        try:
            threading.Thread(target=context.run, args=(self._perform,), daemon=True).start()
        except RuntimeError:  # no thread can be had, as at the end of the interpreter
            self._perform()

    def run(self) -> Any:
        try:
            self._signals.begin()
            self._start()
            self._wait()
        finally:
            self._signals.end()
        fault = self._signals.fault or (self._faults[0] if self._faults else None)
        if fault is None:
            return self._found[0]
        if isinstance(fault, CancelledError) and self._signals.kept is not None:
            fault = self._signals.kept  # there is nothing yet
        try:
            raise fault
        finally:
            del fault, self  # what it is raised from refers to it otherwise


def interruptible(work: Callable[[Cancel], T], asked: Optional[Cancel] = None,
                  leave: bool = False, keep: bool = False) -> T:
    """What `work` gives. It is handed a Cancel, which is requested on Ctrl-C and with `asked`, and
    keeps all that the library works on: a call that does not stop may be left behind. That is done
    on the second Ctrl-C, should the work not have stopped within a second of the first one, or on
    the first one if it is to `leave`: where the library has no way to stop it, and it ends by
    itself. With `keep` the first Ctrl-C, where Python's own handler is there to raise on it, asks for
    what there is by then: it is raised if that is nothing, and the next one is."""
    if threading.current_thread() is threading.main_thread():
        result: T = _Call(work, asked, leave, keep).run()
        return result
    cancel = Cancel()
    with cancel._led_by(asked):
        return work(cancel)
