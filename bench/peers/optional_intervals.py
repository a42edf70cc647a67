#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CP-SAT's textbook model of a task graph: a start and an end per task, and an optional interval per type between them.

On some graphs CP-SAT 9.15 says OPTIMAL of a longer schedule than there is. The same model takes the shorter one where it
is told the starts, and finds it without presolve. `duet bench peers` uses another model (cpsat.py), which has no end of
its own per task.

Usage: optional_intervals.py INSTANCE.json SOLUTION.json    # of `duet solve INSTANCE.json -o SOLUTION.json`
"""
import json
import sys

import ortools
from ortools.sat.python import cp_model

from problem import Problem


def solve(problem, presolve=True, known=None):
    """The status and the makespan; `known` starts and types are rows of the model."""
    model = cp_model.CpModel()
    horizon = sum(max(t for t in row if t is not None) for row in problem.times)
    span = model.new_int_var(0, horizon, "span")
    start = [model.new_int_var(0, horizon, "") for _ in problem.times]
    end = [model.new_int_var(0, horizon, "") for _ in problem.times]
    intervals = [[] for _ in problem.types]
    for j, row in enumerate(problem.times):
        on = {q: model.new_bool_var("") for q, t in enumerate(row) if t is not None}
        for q, chosen in on.items():
            intervals[q].append(model.new_optional_interval_var(start[j], row[q], end[j], chosen, ""))
        model.add_exactly_one(on.values())
        if known:
            model.add(start[j] == known[j][1])
            model.add(on[known[j][0]] == 1)
    for q, count in enumerate(problem.counts):
        model.add_cumulative(intervals[q], [1] * len(intervals[q]), count)
    for a, b, _ in problem.edges:
        model.add(start[b] >= end[a])
    model.add_max_equality(span, end)
    model.minimize(span)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 60
    solver.parameters.cp_model_presolve = presolve
    return solver.status_name(solver.solve(model)), problem.text(round(solver.objective_value))


def main():
    problem = Problem(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        runs = {run["task"]: run for run in json.load(file, parse_float=str, parse_int=str)["schedule"]}
    known = [(problem.types.index(runs[name]["type"]), problem.ticks_of(runs[name]["start"])) for name in problem.names]
    print("CP-SAT", ortools.__version__)
    print("the model                     ", *solve(problem))
    print("with Duet's schedule as rows  ", *solve(problem, known=known))
    print("without presolve              ", *solve(problem, presolve=False))


if __name__ == "__main__":
    main()
