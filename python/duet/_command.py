# SPDX-License-Identifier: Apache-2.0
"""The command beside the module, run with rules in Python as algorithms like any other."""
from __future__ import annotations

import functools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence

from ._arguments import checked
from ._check import shown
from ._library import (DuetError, InfeasibleError, InputError, InternalError, LimitError, UnsupportedError, UsageError,
                       library, version)
from ._rules import AlgorithmLike, Rule, rule_of
from ._serve import serve

_EXITS = {2: UsageError, 3: InputError, 4: InfeasibleError, 5: LimitError, 70: InternalError}


class Ran(NamedTuple):
    """What the command printed, and how it ended: 0, or 1 where a check said no."""
    output: str
    notes: str
    status: int
    interrupted: bool


def _candidates() -> List[str]:
    """Where the command may be: where the user says, in the wheel, beside the library, on the path."""
    named = os.environ.get("DUET_COMMAND")
    if named:
        return [named]
    here = pathlib.Path(__file__).resolve().parent
    beside = pathlib.Path(os.path.realpath(library._name)).parent
    found = [here / "bin" / "duet", beside / "bin" / "duet", beside.parent / "bin" / "duet",
             beside.parent.parent / "bin" / "duet"]
    on_path = shutil.which("duet")
    return [str(path) for path in found if path.is_file()] + ([on_path] if on_path else [])


@functools.lru_cache(maxsize=None)
def _is_ours(path: str) -> bool:
    """Whether it is a command of the library's version."""
    try:
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False).stdout
    except OSError:
        return False
    return said.startswith(f"duet {version}")


def find_command() -> str:
    """The command of the library's version."""
    for path in _candidates():
        if _is_ours(path):
            return path
    raise UnsupportedError(f"the command duet {version} was not found beside the module or on the path; set "
                           "DUET_COMMAND to its path")


def _end_of(interrupted: bool, status: int, notes: str) -> BaseException:
    """What is raised where the command gave no result."""
    if interrupted:
        return KeyboardInterrupt()
    lines = [line for line in notes.strip().splitlines() if line.startswith("duet: ")]
    text = lines[-1][len("duet: "):] if lines else notes.strip() or f"the command ended with {status}"
    return _EXITS.get(status, DuetError)(text)


def run(arguments: Sequence[str], rules: Sequence[Rule] = (), text: str = "", folder: Optional[str] = None) -> Ran:
    """Runs the command, in a folder, which asks the rules of this process. What one of them raises ends it, and is
    raised. Ctrl-C goes on to the command, whose results so far are then the result."""
    faults: List[BaseException] = []
    words = [find_command(), *arguments]
    with ExitStack() as stack:
        given: List[int] = []
        if rules:
            ours, theirs = socket.socketpair()
            stack.enter_context(ours)
            given = [theirs.fileno()]
            words[_place_of(arguments):_place_of(arguments)] = ["--plugin", f"fd:{theirs.fileno()}{_file_of(rules)}"]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, pass_fds=given, cwd=folder)
        if rules:
            theirs.close()
            served = threading.Thread(target=_serve_until, args=(ours, rules, faults, process), daemon=True)
            served.start()
        output, notes, interrupted = _await(process, text)
    if faults:
        raise faults[0]
    if process.returncode not in (0, 1):
        raise _end_of(interrupted, process.returncode, notes)
    return Ran(output, notes, process.returncode, interrupted)


def _file_of(rules: Sequence[Rule]) -> str:
    """Behind the socket, the file that has these rules, for commands that run them again: ":rules.py"; nothing
    where there is no such file."""
    modules = {sys.modules.get(getattr(rule, "__module__", "")) for rule in rules}
    module = modules.pop()
    path = getattr(module, "__file__", None) or ""
    has_all = all(any(value is rule for value in vars(module).values()) for rule in rules) if path else False
    if not has_all or modules or not path.endswith(".py"):
        return ""
    near = os.path.relpath(path)
    return f":{os.path.abspath(path) if near.startswith(os.pardir) else near}"


def _place_of(arguments: Sequence[str]) -> int:
    """Where options of the command may come: behind its name, `bench STUDY` being two words."""
    return min(len(arguments), 2 if arguments[:1] == ["bench"] else 1) + 1


def _serve_until(peer: socket.socket, rules: Sequence[Rule], faults: List[BaseException], process: Any) -> None:
    """Serves the rules; the first fault ends the command, too."""
    class Ending(List[BaseException]):
        def append(self, fault: BaseException) -> None:
            faults.append(fault)
            process.kill()
    serve(peer, rules, Ending())


def _await(process: Any, text: str) -> Any:
    interrupted = False
    given: Optional[str] = text
    while True:
        try:
            output, notes = process.communicate(given)
            return output, notes, interrupted
        except KeyboardInterrupt:
            if interrupted:
                process.kill()
                process.communicate()
                raise
            interrupted, given = True, None
            process.send_signal(signal.SIGINT)
        except BaseException:
            process.kill()
            process.communicate()
            raise


def run_json(arguments: Sequence[str], rules: Sequence[Rule] = ()) -> Any:
    """What the command prints with --json."""
    ran = run([*arguments, "--json"], rules)
    try:
        return json.loads(ran.output)
    except ValueError:
        raise _end_of(ran.interrupted, ran.status, ran.notes) from None


def named_rules(given: Iterable[AlgorithmLike], information: str = "times") -> List[Any]:
    """Functions as rules, names as they are."""
    return [item if isinstance(item, str) else rule_of(item, None, "type", information) for item in given]


@checked
def command(*arguments: str, rules: Iterable[AlgorithmLike] = ()) -> str:
    """Runs the command `duet` with these arguments and gives what it prints. `rules` are functions or
    rules (see rule()), which are rows like any other there, by their names, in `compare`, `simulate`,
    `solve`, `list`, `bench ratios`, `bench search` and `bench adversaries`:

        >>> def mine(task):
        ...     return min(("cpu", "gpu"), key=lambda type: task.start(type) + task.time(type))
        >>> print(duet.command("bench", "ratios", "-a", "mine,heft", "--instances", "2", "-q",
        ...                    rules=[mine]))  # doctest: +SKIP

    An exit code other than 0 and 1 (a check said no) raises. The command is the one of the wheel, or
    beside the library, on the path, or $DUET_COMMAND.
    """
    several = [rules] if isinstance(rules, str) or callable(rules) else rules
    several = list(several)
    names = [rule for rule in several if isinstance(rule, str)]
    if names:
        raise UsageError(f"rules: expected functions and rules, as in [mine], got {shown(names[0])}")
    return run(list(arguments), named_rules(several)).output
