# SPDX-License-Identifier: Apache-2.0
"""Edges of task graphs as Python gives them."""
from __future__ import annotations

import operator
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from ._check import has_rows, is_whole, row_of, shown, written
from ._fields import tasks_of
from ._library import UsageError
from ._times import as_list

# (from, to) or (from, to, cost): tasks by number or id; cost a time between any two processors, or
# rows of times, one for each processor type.
Edges = Iterable[Sequence[Any]]


class Graph(NamedTuple):
    """Edges by numbers of tasks, and the tables of what they cost."""
    ends: List[Tuple[int, int]]
    table: List[int]  # of each edge
    costs: List[Any]  # tables x types x types values, table 0 is no cost; empty where all are free


class _Tasks:
    """The numbers of tasks by their ids: "a", or "a#7" where there are several."""

    def __init__(self, ids: Optional[Sequence[str]], counts: Optional[Sequence[int]], kinds: int):
        self._kinds: Dict[str, Tuple[int, int]] = {}  # first task and count
        self._count = 0
        self._numbered = ", such as t0, as nothing is called id" if ids is None else ""
        for i in range(kinds):
            count = 1 if counts is None else counts[i]
            self._kinds[f"t{i}" if ids is None else ids[i]] = (self._count, count)
            self._count += count

    def _named(self, name: str, what: str) -> int:
        first, count = self._kinds.get(name, (0, 0))
        if count == 1:
            return first
        if count > 1:
            raise UsageError(f"{what}: {shown(name)} are {count} tasks: expected one of them, such "
                             f"as {shown(name + '#0')}")
        stem, _, digits = name.rpartition("#")
        first, count = self._kinds.get(stem, (0, 0))
        if not digits.isdecimal() or count < 2 or int(digits) >= count:
            raise UsageError(f"{what}: expected the id of a task{self._numbered}, got {shown(name)}")
        return first + int(digits)

    def number(self, value: Any, what: str) -> int:
        """Of a task that is given by number or id."""
        if isinstance(value, str):
            return self._named(value, what)
        try:
            number = operator.index(value)
        except Exception:
            raise UsageError(f"{what}: expected a task's number or id, got {shown(value)}") from None
        if not 0 <= number < self._count:
            raise UsageError(f"{what}: task {number}: expected 0 to {self._count - 1}")
        return number


def _table(cost: Any, what: str, types: int) -> List[Any]:
    """What an edge costs from each type to each other."""
    if not has_rows(cost):
        return [cost] * (types * types)
    rows = [as_list(row) if has_rows(row) else [row] for row in as_list(cost)]
    if len(rows) != types or any(len(row) != types for row in rows):
        raise UsageError(f"{what}: expected a time, or {types} rows of {types} times")
    return [value for row in rows for value in row]


def _cost_of(attributes: Any, what: str) -> Any:
    """What an edge costs by its attributes, as networkx has them in G.edges(data=True)."""
    if not isinstance(attributes, dict):
        return attributes
    if attributes.keys() - {"cost"}:
        raise UsageError(f'{what}: the attributes {shown(attributes)}: expected a cost, as in G.edges(data="weight", default=0)')
    return attributes.get("cost")


def read_edges(edges: Optional[Edges], ids: Optional[Sequence[str]],
               counts: Optional[Sequence[int]], kinds: int, types: int) -> Graph:
    """Edges as the library takes them, but for the scale of their costs."""
    graph = Graph([], [], [])
    known: Dict[str, int] = {}
    given = [] if edges is None else list(edges)
    if not given:
        return graph
    tasks = _Tasks(ids, counts, kinds)
    for i, edge in enumerate(given):
        what = f"edges[{i}]"
        row = row_of(edge)
        if row is None or not 2 <= len(row) <= 3:
            raise UsageError(f"{what}: expected (from, to) or (from, to, cost), got {shown(edge)}")
        tail, head, cost = [*row, None][:3]
        cost = _cost_of(cost, what)
        graph.ends.append((tasks.number(tail, what), tasks.number(head, what)))
        table = 0
        if cost is not None:
            values = _table(cost, what, types)
            key = "; ".join(written(what, value) for value in values)
            if not graph.costs:
                graph.costs.extend([0] * (types * types))
            if key not in known:
                known[key] = len(graph.costs) // (types * types)
                graph.costs.extend(values)
            table = known[key]
        graph.table.append(table)
    return graph


def by_id(edges: Edges) -> List[Any]:
    """Edges between tasks whose ids are numbers: so are their ends."""
    rows = [row_of(edge) for edge in edges]
    return [edge if row is None else (*(str(end) if is_whole(end) else end for end in row[:2]), *row[2:])
            for row, edge in zip(rows, edges)]


def edges_after(after: Sequence[Any], ids: Optional[Sequence[str]], counts: Optional[Sequence[int]], name: str, *,
                before: bool = False) -> List[Tuple[int, int]]:
    """The edges of a column "after", or with `before` of one that names what waits: entries are ids,
    texts such as "a;b", lists, or nothing. `name` is that of the column, for a message."""
    edges: List[Tuple[int, int]] = []
    known = {name: i for i, name in enumerate(ids if ids is not None else (f"t{i}" for i in range(len(after))))}
    tasks = _Tasks(ids, counts, len(after))
    task = 0
    for i, value in enumerate(after):
        count = 1 if counts is None else int(counts[i])
        what = f"{name}[{i}]"
        for other in (tasks.number(end, what) for end in tasks_of(value, known, what)):
            edges.extend((task + c, other) if before else (other, task + c) for c in range(count))
        task += count
    return edges


def edges_of_columns(after: Optional[Sequence[Any]], before: Optional[Sequence[Any]], names: Tuple[str, str],
                     ids: Optional[Sequence[str]], counts: Optional[Sequence[int]]) -> List[Tuple[int, int]]:
    """The edges of a column of what comes before and of one of what waits. Where both say the same edge it is one."""
    edges = [] if after is None else edges_after(after, ids, counts, names[0])
    known = set(edges)
    waiting = [] if before is None else edges_after(before, ids, counts, names[1], before=True)
    return edges + [edge for edge in waiting if edge not in known]
