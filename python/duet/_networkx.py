# SPDX-License-Identifier: Apache-2.0
"""Graphs of networkx, which need not be there."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Set, Tuple

from ._check import has_rows, shown
from ._fields import WHY, word_of
from ._library import UsageError
from ._times import exact_fraction


# What attributes of nodes say of tasks beside their times, by the words of files.
READ = ("release", "deadline", "cores", "group")


class GraphLike(Protocol):
    """A graph of networkx, for type checkers."""

    @property
    def nodes(self) -> Any: ...
    @property
    def edges(self) -> Any: ...
    def is_directed(self) -> bool: ...


class ReadGraph(NamedTuple):
    """A graph as a table of times and edges by number."""
    times: Dict[str, List[Any]]
    ids: List[str]
    edges: List[Tuple[Any, ...]]
    notes: List[str]
    named: Dict[str, List[Any]]  # what attributes of nodes say that the caller has named, by argument
    more: Dict[str, List[Any]]  # attributes of nodes that tables have, too


def is_graph(value: Any) -> bool:
    """Whether this is a graph of networkx, or looks like one."""
    return hasattr(value, "nodes") and hasattr(value, "edges") and hasattr(value, "is_directed")


def _times(attributes: Mapping[str, Any], what: str, time: Optional[str], types: Sequence[str]) -> Dict[str, Any]:
    """What a node takes by type."""
    if time is None:
        if not types:
            raise UsageError(f"{what} has {', '.join(map(str, attributes)) or 'no attributes'}: expected time=, the "
                             'attribute of nodes that is their time, as in time="time", or platform={"cpu": 4, "gpu": 1}, '
                             "of which each type is an attribute")
        return {name: attributes.get(name) for name in types}
    if time not in attributes:
        raise UsageError(f"{what}: expected the attribute {shown(time)}, which is the time, got "
                         f"{', '.join(map(str, attributes)) or 'none'}")
    given = attributes[time]
    if isinstance(given, Mapping):
        return dict(given)
    if not has_rows(given):
        return {(list(types) or ["cpu"])[0]: given}
    if len(given) != len(types):
        raise UsageError(f"{what}: expected a time for each type of platform={{...}}, got {shown(given)}")
    return dict(zip(types, given))


def read_graph(graph: Any, time: Optional[str], cost: Optional[str], types: Sequence[str],
               named: Optional[Mapping[str, str]] = None, said: Sequence[str] = ()) -> ReadGraph:
    """The nodes as tasks, in the order of the graph, and its edges. What nobody asks for is noted. `named` are
    attributes of nodes by argument, `said` the words of READ that need no attribute."""
    if not graph.is_directed():
        raise UsageError("an undirected graph, whose edges do not say what comes first: expected a DiGraph")
    nodes = list(graph.nodes(data=True))
    number = {node: i for i, (node, _) in enumerate(nodes)}
    rows = [_times(attributes, f"node {shown(node)}", time, types) for node, attributes in nodes]
    names: Dict[str, None] = dict.fromkeys(types if len(types) > 0 else ())
    for row in rows:
        names.update(dict.fromkeys(row))
    used: Set[str] = {time} if time is not None else set(types)
    if time is None and nodes and all(value is None for row in rows for value in row.values()):
        found = dict.fromkeys(str(name) for _, attributes in nodes for name in attributes)
        raise UsageError(f"no node has a time on {', '.join(types)}: nodes have {', '.join(found) or 'no attributes'}; "
                         "time= names the attribute that is their time")
    named = dict(named or {})
    more = _more_attributes(nodes, used, named, said)
    used.update(named.values(), more)
    notes = {_unused(name) for _, attributes in nodes for name in attributes if name not in used}
    edges: List[Tuple[Any, ...]] = []
    for tail, head, attributes in graph.edges(data=True):
        ends = (number[tail], number[head])
        edges.append(ends if cost is None or cost not in attributes else (*ends, attributes[cost]))
        notes.update(f'attribute "{name}" of edges is not used: cost= names the attribute that is a cost'
                     for name in attributes if name != cost)
    if cost is not None and edges and all(len(edge) == 2 for edge in edges):
        found = dict.fromkeys(str(name) for _, _, attributes in graph.edges(data=True) for name in attributes)
        raise UsageError(f"cost: expected an attribute of edges, {', '.join(found) or 'of which there is none'}, got "
                         f"{shown(cost)}")
    if hasattr(graph, "is_multigraph") and graph.is_multigraph():
        edges = _merged(edges, notes)

    def column(name: str) -> List[Any]:
        return [attributes.get(name) for _, attributes in nodes]

    return ReadGraph({name: [row.get(name) for row in rows] for name in names}, [str(node) for node, _ in nodes],
                     edges, sorted(notes), {word: column(name) for word, name in named.items()},
                     {name: column(name) for name in more})


def _more_attributes(nodes: Sequence[Tuple[Any, Mapping[str, Any]]], used: Set[str],
                     named: Mapping[str, str], said: Sequence[str]) -> List[str]:
    """The attributes of nodes that the words of tables call a release and so on, one of each, but for what the
    caller has named."""
    found = dict.fromkeys(name for _, attributes in nodes for name in attributes)
    for word, attribute in named.items():
        if attribute not in found:
            raise UsageError(f"{word}: expected an attribute of nodes, got {shown(attribute)}")
    known = {*named, *said}
    more = []
    for name in found:
        word = word_of(name, [], ()) if isinstance(name, str) and name not in used else ""
        if word in READ and word not in known and name not in named.values():
            known.add(word)
            more.append(name)
    return more


def _unused(name: Any) -> str:
    """The note on an attribute of nodes."""
    word = word_of(name, [], ()) if isinstance(name, str) else ""
    why = "another attribute says so" if word in READ else "the order is that of the edges" if word in (
        "after", "before") else "nodes are named by what they are" if word == "id" else WHY.get(word)
    return f'attribute "{name}" of nodes is not used' + ("" if why is None else f": {why}")


def _merged(edges: Sequence[Tuple[Any, ...]], notes: Set[str]) -> List[Tuple[Any, ...]]:
    """One edge of each several from a node to another: their data are there when the slowest are."""
    merged: Dict[Tuple[int, int], Tuple[Any, ...]] = {}
    for edge in edges:
        other = merged.get((edge[0], edge[1]))
        if other is not None and len(edge) > 2 and len(other) > 2:
            if has_rows(edge[2]) or has_rows(other[2]):
                raise UsageError("edges between the same two nodes with tables of costs: expected one, or numbers")
            edge = max(edge, other, key=lambda item: exact_fraction(item[2], "edges: a cost"))
        merged[(edge[0], edge[1])] = edge if other is None or len(edge) > 2 else other
    if len(merged) < len(edges):
        notes.add(f"{len(edges) - len(merged)} of {len(edges)} edges are parallel to others: the largest cost counts")
    return list(merged.values())
