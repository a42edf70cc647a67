# SPDX-License-Identifier: Apache-2.0
"""The page of `duet report`."""
from __future__ import annotations

import csv
import os
import tempfile
from typing import Any, List, Optional, Sequence, Union

from ._arguments import checked
from ._check import Path
from ._command import run
from ._instance import Instance
from ._solution import Solution


def _write_table(path: str, table: Any) -> None:
    """A table as compare() gives it, as the CSV file that the command reads."""
    rows = table.to_dict("records")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table.columns), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: "" if value is None or value != value else value for name, value in row.items()})


@checked
def report(path: Path, solutions: Union[Solution, Sequence[Solution]] = (), *, results: Any = (),
           title: Optional[str] = None) -> str:
    """Writes a page of HTML that needs no network: schedules to look into, and how algorithms compare.
    `solutions` are one or several; `results` are tables of compare(), or CSV files that `duet compare
    --csv` and `duet bench` wrote. Gives the path.

        >>> instance = duet.generate("unif4", 20, 3, 1)
        >>> duet.report("report.html", duet.solve(instance),
        ...             results=duet.compare(instance, ["heft", "lpt"]))  # doctest: +SKIP
        'report.html'
    """
    shown_solutions = [solutions] if isinstance(solutions, Solution) else list(solutions)
    words: List[str] = ["report", "-q", "-o", os.path.abspath(path)]
    words += [] if title is None else ["--title", title]
    with tempfile.TemporaryDirectory() as folder:
        problems: List[Instance] = []  # one file each: schedules of one problem share the best bound
        for i, solution in enumerate(shown_solutions):
            at = next((j for j, known in enumerate(problems) if known._same(solution.instance)), len(problems))
            instance_file, file = f"{folder}/{at}-instance.json", f"{folder}/{i}-{solution.algorithm}.json"
            if at == len(problems):
                problems.append(solution.instance)
                solution.instance.write(instance_file)
            solution.write(file)
            words += ["--solution", file, "--instance", instance_file]
        for i, table in enumerate(results):
            known = isinstance(table, (str, os.PathLike))
            file = os.path.abspath(table) if known else f"table {i + 1}" if len(results) > 1 else "comparison"
            if not known:  # named in the page by a path in the folder
                _write_table(f"{folder}/{file}", table)
            words.append(file)
        run(words, folder=folder)
    return os.fspath(path)
