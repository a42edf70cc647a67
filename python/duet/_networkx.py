# SPDX-License-Identifier: Apache-2.0
"""Graphs of networkx, which need not be there."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Set, Tuple

from ._check import shown
from ._fields import word_of
from ._library import UsageError


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
    named: Dict[str, List[Any]]  # what attributes of nodes say that the caller has named, or a group


def is_graph(value: Any) -> bool:
    """Whether this is a graph of networkx, or looks like one."""
    return hasattr(value, "nodes") and hasattr(value, "edges") and hasattr(value, "is_directed")


def _times(attributes: Mapping[str, Any], what: str, time: Optional[str], types: Sequence[str]) -> Dict[str, Any]:
    """What a node takes by type."""
    if time is None:
        if not types:
            raise UsageError("expected time=, the attribute of nodes that is their time, or platform={...}, of which "
                             "each type is an attribute")
        return {name: attributes.get(name) for name in types}
    if time not in attributes:
        raise UsageError(f"{what}: expected the attribute {shown(time)}, which is the time, got "
                         f"{', '.join(map(str, attributes)) or 'none'}")
    given = attributes[time]
    return dict(given) if isinstance(given, Mapping) else {(list(types) or ["cpu"])[0]: given}


def read_graph(graph: Any, time: Optional[str], cost: Optional[str], types: Sequence[str],
               named: Optional[Mapping[str, str]] = None) -> ReadGraph:
    """The nodes as tasks, in the order of the graph, and its edges. What nobody asks for is noted."""
    if not graph.is_directed():
        raise UsageError("an undirected graph, whose edges do not say what comes first: expected a DiGraph")
    nodes = list(graph.nodes(data=True))
    number = {node: i for i, (node, _) in enumerate(nodes)}
    rows = [_times(attributes, f"node {shown(node)}", time, types) for node, attributes in nodes]
    names: Dict[str, None] = dict.fromkeys(types if len(types) > 0 else ())
    for row in rows:
        names.update(dict.fromkeys(row))
    used: Set[str] = {time} if time is not None else set(types)
    named = dict(named or {})
    found = {name: None for _, attributes in nodes for name in attributes}
    for word, attribute in named.items():
        if attribute not in found:
            raise UsageError(f"{word}: expected an attribute of nodes, got {shown(attribute)}")
    groups = [name for name in found if name not in used and isinstance(name, str)
              and word_of(name, [], ()) == "group"]
    if groups and "group" not in named:
        named["group"] = groups[0]
    used.update(named.values())
    notes = {f'attribute "{name}" of nodes is not used' for _, attributes in nodes for name in attributes
             if name not in used}
    edges: List[Tuple[Any, ...]] = []
    for tail, head, attributes in graph.edges(data=True):
        ends = (number[tail], number[head])
        edges.append(ends if cost is None or cost not in attributes else (*ends, attributes[cost]))
        notes.update(f'attribute "{name}" of edges is not used: cost= names the attribute that is a cost'
                     for name in attributes if name != cost)
    return ReadGraph({name: [row.get(name) for row in rows] for name in names}, [str(node) for node, _ in nodes],
                     edges, sorted(notes),
                     {word: [attributes.get(name) for _, attributes in nodes] for word, name in named.items()})
