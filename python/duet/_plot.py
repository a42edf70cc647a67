# SPDX-License-Identifier: Apache-2.0
"""Schedules by matplotlib, which need not be there."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from ._library import ColourTaker, UnsupportedError, call, library

if TYPE_CHECKING:
    from ._solution import Solution

_MOST_LABELS = 400  # boxes that bear their names
_MOST_ROWS = 60  # processors that are named each


def _ink(colour: str) -> str:
    """The colour of letters on a ground: black or white, whatever has the higher contrast."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "black" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "white"


class _Colours:
    """Those of Duet's own pictures: the colour of each task, what each colour means, below a heading."""

    def __init__(self, solution: "Solution"):
        instance, kinds = solution.instance, []
        self.heading = ""
        self.named: Dict[str, str] = {}

        def take(_user: Any, _kind: int, heading: bytes, name: bytes, colour: bytes) -> None:
            self.heading = heading.decode()
            self.named[name.decode()] = colour.decode()
            kinds.append(colour.decode())

        call("duet_colour_kinds", instance._handle, solution._handle, ColourTaker(take), None)
        self.of = [kinds[library.duet_instance_kind_of(instance._handle, task)] for task in range(len(instance))]


def _rows(solution: "Solution") -> Dict[Tuple[str, int], int]:
    """The row of each processor, from the top; of those that run nothing none where there are many."""
    platform = solution.instance.platform
    every = [(name, p) for name, count in platform.items() for p in range(count)] if (
        sum(platform.values()) <= _MOST_ROWS) else sorted({(r.type, r.processor) for r in solution.schedule})
    return {processor: i for i, processor in enumerate(every)}


def _closed(solution: "Solution", rows: Dict[Tuple[str, int], int], end: float) -> List[Tuple[int, float, float]]:
    """Where processors take no tasks, (row, from, to): they are busy at first, or lost."""
    instance = solution.instance
    found = [(rows[type, p], 0.0, min(float(until), end)) for type, times in instance.busy.items()
             for p, until in enumerate(times) if until > 0 and (type, p) in rows]
    last: Dict[Tuple[str, int], float] = {}
    for task, run in enumerate(solution.schedule):
        for type, first, to in solution.processors(task):
            for p in range(first, to + 1):
                last[type, p] = max(last.get((type, p), 0.0), float(run.end))
    now = float(instance.now or 0)
    return found + [(rows[type, p], max(now, last.get((type, p), 0.0)), end) for type, lost in instance.without.items()
                    for p in lost if (type, p) in rows]


def plot(solution: "Solution", ax: Any = None) -> Any:
    """What Solution.plot() does."""
    try:
        import matplotlib.pyplot
        from matplotlib.patches import Patch
    except ImportError:
        raise UnsupportedError("plot() needs matplotlib (pip install matplotlib); gantt() draws SVG without it") from None
    rows = _rows(solution)
    runs = solution.schedule
    colours = _Colours(solution)
    if ax is None:
        _, ax = matplotlib.pyplot.subplots(figsize=(9, min(2 + 0.35 * len(rows), 12)), layout="constrained")
    makespan = float(solution.makespan)
    for task, run in enumerate(runs):
        colour = colours.of[task]
        start, length = float(run.start), float(run.end - run.start)
        for type, first, last in solution.processors(task):
            for processor in range(first, last + 1):
                row = rows[type, processor]
                ax.barh(row, length, left=start, height=0.8, color=colour, edgecolor="white", linewidth=0.6)
                if len(runs) <= _MOST_LABELS and length > 0.012 * makespan * len(run.task):
                    ax.text(start + length / 2, row, run.task, ha="center", va="center", fontsize=8,
                            color=_ink(colour), clip_on=True)
    closed = _closed(solution, rows, makespan)
    for row, begin, end in closed:
        ax.barh(row, max(end - begin, 0), left=begin, height=0.8, color="none", edgecolor="0.55", hatch="////", linewidth=0)
    now = solution.instance.now
    if now is not None:
        ax.axvline(float(now), color="0.45", linestyle="-.", linewidth=1)
        ax.text(float(now), -0.5, "now", ha="center", va="bottom", fontsize=8, color="0.45")
    if solution.lower_bound > 0:
        ax.axvline(float(solution.lower_bound), color="0.3", linestyle="--", linewidth=1)
    ax.set_xlim(0, makespan * 1.02 if makespan > 0 else 1)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    if len(rows) <= _MOST_ROWS:
        ax.set_yticks(range(len(rows)), [f"{type} {processor}" for type, processor in rows])
    unit = solution.instance.unit
    ax.set_xlabel(f"time ({unit})" if unit else "time")
    ax.set_title(f"{solution.instance.name}: {solution.algorithm}, makespan {makespan:.6g}, lower bound "
                 f"{float(solution.lower_bound):.6g}", fontsize=10, pad=6 if now is None else 16)  # above "now"
    handles = [Patch(color=colour, label=name) for name, colour in colours.named.items()] if len(colours.named) > 1 else []
    if closed:
        said = [word for word, some in (("busy", solution.instance.busy), ("lost", solution.instance.without)) if some]
        handles.append(Patch(facecolor="none", edgecolor="0.55", hatch="////", label=", ".join(said)))
    if handles:
        if ax.figure.get_layout_engine() is None:  # else the legend beside the axes would be cut off
            ax.figure.set_layout_engine("constrained")
        ax.legend(handles=handles, fontsize=8, title=colours.heading or None, title_fontsize=8,
                  loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return ax
