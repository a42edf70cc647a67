# SPDX-License-Identifier: Apache-2.0
"""OR-tools' CP-SAT.

Independent tasks: how many tasks of each kind run on each processor, equal processors by load; with releases what is
released at each of them or later fits behind it, on each processor and on each type. Task graphs: optional intervals on
each type, cumulative where it has several processors; where edges cost something, on each processor; what is busy is an
interval. Moldable tasks: an optional interval for each size on each type, cumulative. Heads and tails of paths, the area
of each type, and a list schedule as a hint.
"""
import time

import ortools
from ortools.sat.python import cp_model

from problem import Unable

VERSION = "ortools " + ortools.__version__


class Recorder(cp_model.CpSolverSolutionCallback):
    """When each better schedule was found."""

    def __init__(self):
        super().__init__()
        self.began, self.found = time.monotonic(), []

    def on_solution_callback(self):
        self.found.append((time.monotonic() - self.began, int(self.objective_value)))


def least(problem):
    """A bound that needs no proof: the longest of the tasks' shortest ends."""
    return max((problem.release[j] + problem.least(j) for j in range(problem.tasks)), default=0)


def by_counts(problem, model, span, hint):
    """Counts of kinds by processor; returns what makes a schedule of a solution."""
    kinds, processors = problem.kinds(), problem.processors()
    where = {j: at[:2] for j, at in enumerate(hint)}
    x, load = {}, dict.fromkeys(processors, 0)
    releases = sorted(set(problem.release) | {0})
    late = {(at, r): 0 for at in processors for r in releases}
    for i, (row, tasks) in enumerate(kinds):
        for at in processors:
            if row[at[0]] is not None:
                x[i, at] = model.new_int_var(0, len(tasks), "")
                model.add_hint(x[i, at], sum(where[j] == at for j in tasks))
                load[at] += row[at[0]] * x[i, at]
                for r in releases:
                    if problem.release[tasks[0]] >= r:
                        late[at, r] += row[at[0]] * x[i, at]
        model.add(sum(x[i, at] for at in processors if (i, at) in x) == len(tasks))
    for q, p in processors:
        for r in releases:
            begin = max(r, problem.until((q, p)))
            if begin:
                used = model.new_bool_var("")  # what has no such task may be busy for longer than all takes
                model.add(late[(q, p), r] == 0).only_enforce_if(~used)
                model.add(late[(q, p), r] + begin <= span).only_enforce_if(used)
            else:
                model.add(load[q, p] <= span)
        if (q, p + 1) in load and problem.until((q, p)) == problem.until((q, p + 1)):
            model.add(load[q, p] >= load[q, p + 1])
    for q in range(len(problem.counts)):
        mine = [at for at in processors if at[0] == q]
        for r in releases:
            begin = [max(r, problem.until(at)) for at in mine]
            if mine and max(begin) <= least(problem):
                model.add(sum(late[at, r] for at in mine) + sum(begin) <= len(mine) * span)
    return lambda value: problem.stack([(tasks, {at: value(x[i, at]) for at in processors if (i, at) in x})
                                        for i, (_, tasks) in enumerate(kinds)])


def by_intervals(problem, model, span, hint, horizon):
    """Optional intervals by type, or by processor where edges cost something."""
    places = problem.processors() if problem.has_costs else [(q, None) for q in range(len(problem.types))]
    tail, _ = problem.tails()
    start = [model.new_int_var(problem.release[j], horizon, "") for j in range(problem.tasks)]
    on, intervals, area, end = {}, {at: [] for at in places}, [0] * len(problem.types), []
    for j, row in enumerate(problem.times):
        model.add_hint(start[j], hint[j][2])
        takes = 0
        for at in places:
            if row[at[0]] is None:
                continue
            on[j, at] = model.new_bool_var("")
            model.add_hint(on[j, at], at[0] == hint[j][0] and at[1] in (None, hint[j][1]))
            intervals[at].append(model.new_optional_fixed_size_interval_var(start[j], row[at[0]], on[j, at], ""))
            area[at[0]] += row[at[0]] * on[j, at]
            takes += row[at[0]] * on[j, at]
        model.add_exactly_one(on[j, at] for at in places if (j, at) in on)
        end.append(start[j] + takes)
        model.add(end[j] + tail[j] <= span)
    for q, p in places:
        for number, until in enumerate(problem.busy[q]):
            if until and p in (None, number):
                intervals[q, p].append(model.new_fixed_size_interval_var(0, until, ""))
        if p is None and problem.counts[q] > 1:
            model.add_cumulative(intervals[q, p], [1] * len(intervals[q, p]), problem.counts[q])
        else:
            model.add_no_overlap(intervals[q, p])
    for q, count in enumerate(problem.counts):
        if sum(problem.busy[q]) == 0 or max(problem.busy[q]) <= least(problem):
            model.add(area[q] + sum(problem.busy[q]) <= count * span)
    for a, b, costs in problem.edges:
        model.add(start[b] >= end[a])
        for at in places:
            for to in places:
                cost = costs[at[0]][to[0]] if problem.has_costs and at != to else 0
                if cost and (a, at) in on and (b, to) in on:
                    model.add(start[b] >= end[a] + cost).only_enforce_if(on[a, at], on[b, to])

    def schedule(value):
        chosen = [next((at, value(start[j])) for at in places if (j, at) in on and value(on[j, at])) for j in range(problem.tasks)]
        if problem.has_costs:
            return [(*at, s) for at, s in chosen]
        return problem.seat([(at[0], s) for at, s in chosen])
    return schedule


def by_sizes(problem, model, span, hint, horizon):
    """Optional intervals by type and number of processors."""
    if problem.waits or problem.has_costs:
        raise Unable("this model of moldable tasks knows no releases and no costs")
    tail, _ = problem.tails()
    start = [model.new_int_var(0, horizon, "") for _ in range(problem.tasks)]
    on, intervals, area, end = {}, [[] for _ in problem.types], [0] * len(problem.types), []
    for j in range(problem.tasks):
        model.add_hint(start[j], hint[j][2])
        takes = 0
        for q, options in enumerate(problem.sizes[j]):
            for size, time_on in options:
                chosen = on[j, q, size] = model.new_bool_var("")
                model.add_hint(chosen, (q, size) == (hint[j][0], len(hint[j][1]) if isinstance(hint[j][1], list) else 1))
                intervals[q].append((model.new_optional_fixed_size_interval_var(start[j], time_on, chosen, ""), size))
                area[q] += size * time_on * chosen
                takes += time_on * chosen
        model.add_exactly_one(on[at] for at in on if at[0] == j)
        end.append(start[j] + takes)
        model.add(end[j] + tail[j] <= span)
    for q, count in enumerate(problem.counts):
        model.add_cumulative([interval for interval, _ in intervals[q]], [size for _, size in intervals[q]], count)
        model.add(area[q] <= count * span)
    for a, b, _ in problem.edges:
        model.add(start[b] >= end[a])
    return lambda value: problem.seat([next((q, value(start[j]), size) for i, q, size in on if i == j and value(on[i, q, size]))
                                       for j in range(problem.tasks)])


def solve(problem, seconds, threads):
    model = cp_model.CpModel()
    hint = problem.allotted() if problem.moldable else problem.greedy()
    most = problem.makespan(hint)
    span = model.new_int_var(least(problem), most, "span")
    if problem.moldable:
        schedule = by_sizes(problem, model, span, hint, most)
    else:
        schedule = by_intervals(problem, model, span, hint, most) if problem.edges else by_counts(problem, model, span, hint)
    model.add_hint(span, most)
    model.minimize(span)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = threads
    recorder = Recorder()
    status = solver.solve(model, recorder)
    has = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {"place": schedule(solver.value) if has else None, "bound": int(round(solver.best_objective_bound)),
            "optimal": status == cp_model.OPTIMAL, "found": recorder.found}
