# SPDX-License-Identifier: Apache-2.0
"""What there is in this build: algorithms, bounds, families."""
from __future__ import annotations

from typing import List, NamedTuple, Optional, Tuple

from ._library import library, string, text_of


_NEEDS_EDGES = 4  # DUET_NEEDS_EDGES
_FEATURES = ("precedence", "communication", "moldable", "any-types", "mixed-sets", "releases",
             "busy", "rigid", "fixed")  # the bits of duet_feature


class Algorithm(NamedTuple):
    """A row of the registry; `guarantee` is a formula in m and k, or None. `handles` names what an
    instance may have beyond independent tasks on two processor types, such as "any-types"."""
    name: str
    summary: str
    guarantee: Optional[str]
    reference: str
    handles: Tuple[str, ...] = ()


def _handles(bits: int) -> Tuple[str, ...]:
    return tuple(name for i, name in enumerate(_FEATURES) if bits >> i & 1)


def _rows(what: str) -> List[Algorithm]:
    count = getattr(library, f"duet_{what}_count")()
    entries = (getattr(library, f"duet_{what}_entry")(i).contents for i in range(count))
    return [Algorithm(e.name.decode(), e.summary.decode(), text_of(e.guarantee),
                      text_of(e.reference) or "", _handles(e.handles)) for e in entries]


def algorithms() -> List[Algorithm]:
    """Every algorithm of this build."""
    return _rows("algorithm")


def bounds() -> List[Algorithm]:
    """Every lower bound."""
    return _rows("bound")


def names_of_bounds(edges: bool) -> List[bytes]:
    """The bounds that have something to say; without edges those of graphs are others once more."""
    entries = (library.duet_bound_entry(i).contents for i in range(library.duet_bound_count()))
    return [entry.name for entry in entries if edges or not entry.needs & _NEEDS_EDGES]


def families() -> List[Algorithm]:
    """Every family that generate() knows."""
    return _rows("family")


def features() -> List[str]:
    """What the library was linked with, such as "glpk"."""
    return string(library.duet_features()).split()
