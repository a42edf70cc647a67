# SPDX-License-Identifier: Apache-2.0
"""Answers for rules in Python while the command runs them: the other end of console/rule_process.c,
which says what the messages are. The command has main() run by a Python of its own, for the rules of a
file; within a process serve() has those that a caller gives."""
from __future__ import annotations

import os
import runpy
import signal
import socket
import sys
import traceback
from array import array
from ctypes import c_int64
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ._arguments import INFORMATION
from ._graph import Graph
from ._instance import Instance
from ._library import UsageError
from ._rule import Revealed
from ._rules import Rule, answer_of
from ._times import in_unit

_CHOOSE, _RUN = 1, 2
_FAILED, _LIST, _PLACES = -1, 1, 2
_WORD = 8


class _Reader:
    """The words of a message, one after the other."""

    def __init__(self, words: "array[int]"):
        self.words = words
        self.at = 0

    def take(self) -> int:
        self.at += 1
        return self.words[self.at - 1]

    def several(self, count: int) -> "array[int]":
        self.at += count
        return self.words[self.at - count:self.at]

    def text(self) -> str:
        length = self.take()
        return self.several((length + _WORD - 1) // _WORD).tobytes()[:length].decode()


def _text_words(text: str) -> List[int]:
    encoded = text.encode()
    padded = encoded + bytes(-len(encoded) % _WORD)
    return [len(encoded), *array("q", padded)]


class _Types:
    """What a rule that is told of a task knows of the instance: types and ticks."""

    def __init__(self, names: Sequence[str], counts: Sequence[int], decimals: int):
        self.platform: Mapping[str, int] = dict(zip(names, counts))
        self._decimals = decimals

    def _time(self, ticks: int) -> Decimal:
        return in_unit(ticks, self._decimals)


class _Told(Revealed):
    """A Revealed whose facts came with the message."""

    def __init__(self, types: Any, facts: Dict[Any, Any]):
        self._instance = types
        self._facts: Optional[Dict[Any, Any]] = facts

    def _end(self) -> None:
        self._facts = None

    def _ask(self, what: Any, *about: int) -> int:
        if self._facts is None:
            raise UsageError("task: this Revealed was kept beyond the call of the rule that was given it; keep what it "
                             "says, such as task.task, not the object")
        fact = self._facts[what.__name__]
        value: int = fact[about[0]] if about else fact
        return value


def _choose(rule: Rule, message: _Reader) -> List[int]:
    decimals, task, now, bottom, descendants, types = message.several(6)
    rows = message.several(3 * types)
    names = [message.text() for _ in range(types)]
    told = _Told(_Types(names, rows[0::3], decimals),
                 {"duet_revealed_task": task, "duet_revealed_now": now,
                  "duet_revealed_bottom_level": bottom, "duet_revealed_descendants": descendants,
                  "duet_revealed_processors": rows[0::3], "duet_revealed_time": rows[1::3],
                  "duet_revealed_start": rows[2::3]})
    try:
        return [told._type(rule.function(told), f"{rule.name}()")]
    finally:
        told._end()


def _read_instance(message: _Reader, decimals: int) -> Instance:
    types = message.take()
    counts = message.several(types)
    kinds = message.take()
    rows = message.several(kinds * (types + 1))
    edges, costs = message.several(2)
    width = 2 + costs * types * types
    graph_rows = message.several(edges * width)
    name, unit = message.text(), message.text()
    machine = [(message.text().encode(), count) for count in counts]
    ids = [message.text() for _ in range(kinds)]
    repeats = list(rows[0::types + 1])
    flat: Any = (c_int64 * (kinds * types))()
    for t in range(types):
        flat[t::types] = rows[t + 1::types + 1].tolist()
    graph = Graph([], [], [0] * (types * types) if costs else [])
    for e in range(edges):
        row = graph_rows[e * width:(e + 1) * width]
        graph.ends.append((row[0], row[1]))
        graph.table.append(e + 1 if costs else 0)
        graph.costs.extend(row[2:])
    return Instance._create(flat, kinds, decimals, machine, repeats, ids, name, unit or None, graph)


def _run(rule: Rule, message: _Reader) -> List[int]:
    decimals, _seed = message.several(2)
    answer = answer_of(rule, _read_instance(message, decimals))
    if answer.runs is not None:
        return [_PLACES, *(number for run in answer.runs for number in run)]
    said = [_LIST]
    for part in (answer.order, answer.types):
        said += [0] if part is None else [1, *part]
    return said


def _send(peer: socket.socket, words: Sequence[int]) -> None:
    peer.sendall(array("q", [len(words), *words]).tobytes())


def _receive(peer: socket.socket, size: int) -> bytes:
    """So many bytes; fewer where the other end has gone."""
    parts = b""
    while len(parts) < size:
        part = peer.recv(size - len(parts))
        if not part:
            break
        parts += part
    return parts


def _introduce(rules: Sequence[Rule]) -> List[int]:
    words = [len(rules)]
    for rule in rules:
        words += [int(rule.decides != "type"), INFORMATION.index(rule.information)]
        words += _text_words(rule.name) + _text_words(rule.summary)
    return words


def serve(peer: socket.socket, rules: Sequence[Rule], faults: List[BaseException]) -> None:
    """Answers until the other end has gone. What a rule raises is put into `faults`, and is no answer."""
    try:
        _send(peer, _introduce(rules))
        while len(head := _receive(peer, _WORD)) == _WORD:
            words = array("q")
            words.frombytes(_receive(peer, _WORD * array("q", head)[0]))
            message = _Reader(words)
            what, rule = message.take(), rules[message.take()]
            try:
                answer = _choose(rule, message) if what == _CHOOSE else _run(rule, message)
            except BaseException as fault:
                faults.append(fault)
                answer = [_FAILED]
            _send(peer, answer)
    except OSError:
        pass  # it has gone in the middle of a message


def _rules_of(path: str) -> List[Rule]:
    """The rules of a file, in the order in which it defines them."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # what lies beside it can be imported
    names = runpy.run_path(path, run_name="duet_rules")
    found: Dict[str, Rule] = {}
    for value in names.values():
        if isinstance(value, Rule):
            found.setdefault(value.name, value)
    return list(found.values())


class _Shown(List[BaseException]):
    """Faults of a file's rules, of which the first is shown."""

    def append(self, fault: BaseException) -> None:
        if not self:
            traceback.print_exception(type(fault), fault, fault.__traceback__)
        super().append(fault)


def main() -> None:
    """The program: the file of rules and the number of the socket are its arguments."""
    path, number = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command hears it, and ends this
    with socket.socket(fileno=int(number)) as peer:
        serve(peer, _rules_of(path), _Shown())
