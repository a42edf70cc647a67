# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, at any moment of any call: it is raised, and leaves no search and no handler behind.

Signals come at every line that the main thread runs (by sys.settrace()), and at random times in bursts. The
searches have no end of their own: one that is left behind is counted."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import duet

SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
GENEROUS = 600  # seconds for what takes some milliseconds: only what never ends takes as long


def hard():
    return duet.generate("unif4", 100, 20, 4, seed=1)


def interrupt(number=signal.SIGINT):
    signal.raise_signal(number)


class Everything(unittest.TestCase):
    def setUp(self):
        """Three signals whose handlers raise; Ctrl-C is neither the first nor the last."""
        self.signals = [signal.SIGHUP, signal.SIGINT, signal.SIGUSR1]
        for number in self.signals:
            self.addCleanup(signal.signal, number, signal.getsignal(number))
            # One of the test's own: on Python's, the first Ctrl-C of a search asks for what there is (Kept).
            signal.signal(number, lambda *_: signal.default_int_handler(signal.SIGINT, None))
        self.handlers = [signal.getsignal(number) for number in self.signals]
        self.hard = hard()
        self.graph = duet.generate("layered", 3000, 10, 4, seed=1)
        self.small = duet.Instance.from_times([3, 4], [1, 2], 2, 1, edges=[(0, 1, 2)])
        self.solution = duet.solve(self.small, algorithm="heft")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = str(Path(folder.name) / "small.json")
        self.small.write(self.file)

    def endless(self, progress=None, cancel=None):
        return duet.solve(self.hard, algorithm="exact", time_limit=0, threads=1, progress=progress, cancel=cancel)

    def left(self):
        """Threads of calls that are still there, once they have had time to end."""
        others = [t for t in threading.enumerate() if t is not threading.main_thread()]
        for thread in others:
            thread.join(GENEROUS)
        return [t for t in others if t.is_alive()]

    def clean(self):
        self.assertEqual(self.left(), [])
        self.assertEqual([signal.getsignal(number) for number in self.signals], self.handlers)

    def at_line(self, wanted, call):
        """Runs a call with an interrupt at the wanted line of those that the main thread runs in duet and in
        threading. Gives how many lines there were, and what became of it."""
        seen = 0

        def trace(frame, event, _):
            nonlocal seen
            name = frame.f_code.co_filename
            if f"{os.sep}duet{os.sep}" not in name and not name.endswith("threading.py"):
                return None
            if frame.f_code.co_name == "__del__":
                raise AssertionError("what is raised in __del__() is lost")
            if event == "line":
                seen += 1
                if seen == wanted:
                    interrupt(self.signals[wanted % len(self.signals)])
            return trace
        sys.settrace(trace)
        try:
            try:
                call()
            finally:
                sys.settrace(None)
        except KeyboardInterrupt:
            return seen, True
        return seen, False

    def every_line(self, call, stride=1):
        """With an interrupt at each line in turn, until a call has fewer. It is raised, and all is as before."""
        wanted, raised, there = random.Random(SEED).randint(1, stride), True, 0
        while raised:
            _, raised = self.at_line(wanted, call)
            self.clean()
            wanted += stride
            there += raised
        return there

    def test_every_line_of_a_search(self):
        """One that nothing else ends. Where the interrupt comes at no line, since the main thread waits, the
        search itself asks for it, and that is the last one."""
        def call():
            asked = []

            def ask(_):
                if not asked:
                    asked.append(True)
                    while sys._current_frames()[main].f_code.co_name != "_wait":
                        time.sleep(0.001)  # however slow the main thread is, it comes to that
                    waiting.append(True)
                    os.kill(os.getpid(), signal.SIGINT)
            self.endless(ask)

        stride = 1 if "DUET_TEST_ALL" in os.environ else 6  # all take a minute
        wanted, waiting, main, seen = -random.Random(SEED).randrange(stride), [], threading.get_ident(), 0
        while wanted <= seen:
            wanted += stride
            waiting.clear()
            with self.subTest(line=wanted):
                seen, raised = self.at_line(wanted, call)
                self.assertTrue(raised)
                self.clean()
        self.assertTrue(waiting)
        self.assertGreater(wanted, 50)

    def test_every_line_of_the_rest(self):
        """Of calls that end: the interrupt is raised wherever it comes, and what the call used can be used
        again."""
        for name, call in self.calls().items():
            with self.subTest(call=name):
                self.assertGreater(self.every_line(call, 2), 5)
                call()
        self.small.copy(3, 1)
        self.small._same(self.small.copy())

    def calls(self):
        def rule(task):
            return "cpu"
        return {"solve": lambda: duet.solve(self.small, algorithm="heft"),
                "a rule": lambda: duet.solve(self.small, algorithm=rule),
                "bound": lambda: duet.bound(self.small, "longest"),
                "read": lambda: duet.read(self.file),
                "generate": lambda: duet.generate("unif4", 5),
                "runs": lambda: duet.read_solution([("t0", "cpu", 0, 0), ("t1", "cpu", 0, 3)], self.small),
                "verify": self.solution.verify,
                "simulate": lambda: duet.simulate(self.small, "eft", runs=2)}

    def test_within_the_start_of_a_thread(self):
        """Where join() or start() of a thread would take the exception of a handler."""
        start, at = threading.Thread.start, []

        def interrupted(thread):
            for moment in ("before", "after", "after"):
                if moment == at[0]:
                    interrupt()
                if moment == "before":
                    start(thread)
        for call in (self.endless, lambda: duet.bound(self.graph, "branching", time_limit=0),
                     lambda: duet.simulate(self.graph, "heft", noise="gamma:0.3", runs=10**12),
                     *self.calls().values()):
            for at in (["before"], ["after"]):
                threading.Thread.start = interrupted
                try:
                    with self.assertRaises(KeyboardInterrupt):
                        call()
                finally:
                    threading.Thread.start = start
                self.clean()

    def test_handlers_of_the_user(self):
        """Any signal whose handler raises ends the search, by what it raises; one that raises nothing does not."""
        class Enough(Exception):
            pass
        heard = []

        def raises(*_):
            raise Enough

        def ask(_):
            if not heard:
                os.kill(os.getpid(), signal.SIGUSR1)
            elif not asked:
                asked.append(True)
                os.kill(os.getpid(), signal.SIGTERM)
        asked = []
        before = {n: signal.signal(n, h) for n, h in (
            (signal.SIGUSR1, lambda *_: heard.append(True)), (signal.SIGTERM, raises))}
        try:
            ours = {n: signal.getsignal(n) for n in before}
            with self.assertRaises(Enough):
                self.endless(ask)
            self.assertGreaterEqual(len(heard), 1)
            self.assertEqual({n: signal.getsignal(n) for n in before}, ours)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.clean()

    def test_a_handler_that_is_changed_meanwhile(self):
        """What a handler sets is left alone: here Ctrl-C cancels at first."""
        cancel, another = duet.Cancel(), lambda *_: None

        def cancels(*_):
            cancel.request()
            signal.signal(signal.SIGINT, another)
        before = signal.signal(signal.SIGINT, cancels)
        asked = []

        def ask(_):
            if not asked:
                asked.append(True)
                os.kill(os.getpid(), signal.SIGINT)
        try:
            self.assertTrue(self.endless(ask, cancel).interrupted)
            self.assertIs(signal.getsignal(signal.SIGINT), another)
        finally:
            signal.signal(signal.SIGINT, before)
        self.clean()

    def test_what_does_not_stop(self):
        """A rule that does not return: a second Ctrl-C, a second later, leaves it."""
        go, inside = threading.Event(), threading.Event()

        def stuck(_):
            inside.set()
            go.wait()
            return 0

        def press():
            inside.wait()
            while not done.is_set():
                os.kill(os.getpid(), signal.SIGINT)
                done.wait(0.3)
        done = threading.Event()
        presses = threading.Thread(target=press)
        presses.start()

        def stuck_call():
            duet.solve(self.small, algorithm=stuck)

        def heard(_, frame):
            while frame is not None:  # as Python does, but within the call alone
                if frame.f_code is stuck_call.__code__:
                    raise KeyboardInterrupt
                frame = frame.f_back
        before = signal.signal(signal.SIGINT, heard)
        try:
            with self.assertRaises(KeyboardInterrupt):
                stuck_call()
        finally:
            done.set()
            presses.join()
            signal.signal(signal.SIGINT, before)
        go.set()
        self.clean()

    def test_a_rule_is_not_asked_any_more(self):
        """Of many tasks that would be left; so is progress."""
        calls, heard = [], threading.Event()

        def rule(_):
            calls.append(True)
            if len(calls) == 1:
                os.kill(os.getpid(), signal.SIGINT)
            heard.wait()
            return 0

        def hears(*_):
            heard.set()
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGINT, hears)
        many = duet.generate("layered", 20000, 4, 2)
        try:
            for call in (lambda: duet.solve(many, algorithm=rule), lambda: duet.simulate(many, rule, runs=9)):
                with self.assertRaises(KeyboardInterrupt):
                    call()
                self.assertLess(len(calls), 20000)
                calls.clear()
                heard.clear()
        finally:
            signal.signal(signal.SIGINT, before)
        self.clean()

    def test_a_pipe_that_nobody_writes(self):
        """Reading what never comes ends with Ctrl-C, too."""
        pipe = self.file + ".fifo"
        os.mkfifo(pipe)
        start = threading.Thread.start

        def interrupted(thread):
            start(thread)
            interrupt()
        threading.Thread.start = interrupted
        try:
            with self.assertRaises(KeyboardInterrupt):
                duet.read(pipe)
        finally:
            threading.Thread.start = start
        with open(pipe, "w", encoding="utf-8"):
            pass  # the reader that was left sees the end of the file
        self.clean()


class Kept(unittest.TestCase):
    """Where Ctrl-C has the handler that Python comes with, solve() returns the best schedule so far."""

    def press(self, times=1):
        """A progress function that presses Ctrl-C so often, once there is a schedule."""
        pressed = []

        def ask(now):
            if now.best is not None and not pressed:
                for _ in range(times):
                    pressed.append(True)
                    os.kill(os.getpid(), signal.SIGINT)
                    time.sleep(0.05)
        return ask

    def endless(self, ask):
        return duet.solve(hard(), algorithm="exact", time_limit=0, threads=1, progress=ask)

    def test_the_best_so_far(self):
        with self.assertWarnsRegex(duet.Note, "^interrupted: this is the best schedule so far$"):
            solution = self.endless(self.press())
        self.assertEqual((solution.interrupted, solution.ending), (True, "interrupted"))
        solution.verify()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_pressed_again(self):
        with self.assertRaises(KeyboardInterrupt):
            self.endless(self.press(2))

    def test_rows_so_far(self):
        """Nothing is run behind the one that was interrupted."""
        def solve(instance, **given):
            return duet.solve(instance, **{**given, "time_limit": 0, "progress": self.press()})

        with unittest.mock.patch("duet._compare.solve", solve), self.assertWarnsRegex(duet.Note, "^interrupted: "):
            compared = duet.compare([hard()] * 2, ["exact"] * 2)
            table = duet.what_if(hard(), {"gpu": [4, 5]}, "exact", threads=1)
        self.assertEqual((list(compared["algorithm"]), list(table["gpu"])), (["exact"], [4]))

    def test_nothing_yet(self):
        """A call that is cancelled before it has anything raises."""
        with self.assertRaises(KeyboardInterrupt):
            duet.simulate(duet.generate("layered", 3000, 10, 4, seed=1), self.rule, runs=10**9)

    def rule(self, task):
        if task.task == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return 0


# What a process of its own does while it is sent signals: round after round a call that only Ctrl-C ends, or one
# that ends, until it is told to stop. It says how often it was interrupted, and which threads are left.
CHILD = """
import random, signal, sys, threading, duet
rng = random.Random(int(sys.argv[1]))
hard = duet.generate("unif4", 100, 20, 4, seed=1)
graph = duet.generate("layered", 3000, 10, 4, seed=1)
small = duet.Instance.from_times([3, 4] * 50, [1, 2] * 50, 2, 1, edges=[(0, 1, 2)])
plan = duet.solve(small, algorithm="heft")
runs = plan.schedule
calls = [lambda: duet.solve(hard, algorithm="exact", time_limit=0, threads=1)] * 3 + [
    lambda: duet.simulate(small, "eft", noise="lognormal:0.3", runs=10**9),
    lambda: [duet.read_solution(runs, small) for _ in range(10**9)],
    lambda: [plan.verify() for _ in range(10**9)],
    lambda: [duet.bound(hard, "area") for _ in range(10**9)],
    lambda: duet.bound(graph, "branching", time_limit=0),
    lambda: duet.simulate(graph, "heft", noise="gamma:0.3", runs=10**12),
    lambda: [duet.generate("unif4", 500, seed=i) for i in range(10**9)],
    lambda: [small.copy() for _ in range(10**9)],
    lambda: [duet.solve(small, algorithm="heft", threads=1) for _ in range(10**9)]]

def ready():
    print("ready", flush=True)
    rng.choice(calls)()

def interrupted(number, frame):
    # As Python does, but within a call alone: what comes while this script counts is passed over.
    while frame is not None:
        if frame.f_code is ready.__code__:
            raise KeyboardInterrupt
        frame = frame.f_back

signal.signal(signal.SIGINT, interrupted)
heard = 0
while heard < int(sys.argv[2]):
    try:
        ready()
    except KeyboardInterrupt:
        heard += 1
others = [t for t in threading.enumerate() if t is not threading.main_thread()]
for t in others:
    t.join(600)
print("left", sum(t.is_alive() for t in others), flush=True)
sys.stdin.read()
"""


class Bursts(unittest.TestCase):
    def test_random_times(self):
        """Up to five signals within 50 ms, from some time after a call began; several often hit one call."""
        rng = random.Random(SEED)
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(SEED), "40"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        pause = threading.Event()
        lines = iter(child.stdout.readline, b"")
        for line in lines:
            if line.startswith(b"left"):
                break
            pause.wait(rng.choice([0, 0.001, 0.01, 0.05]) * rng.random())
            for _ in range(rng.randint(1, 5)):
                child.send_signal(signal.SIGINT)
                pause.wait(0.012 * rng.random())
        _, fault = child.communicate(b"")
        self.assertEqual((line, fault, child.returncode), (b"left 0\n", b"", 0))


if __name__ == "__main__":
    unittest.main()
