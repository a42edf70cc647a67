# SPDX-License-Identifier: Apache-2.0
"""PyJobShop, which builds models for CP-SAT from tasks and modes, and the list schedulers of SAGA."""
import logging
import time

from problem import Unable


def solve_pyjobshop(problem, seconds, threads):
    """A machine for a type of one processor, else a renewable resource of as many; a mode for each type and size."""
    from pyjobshop import Model, ScheduledTask, Solution
    if problem.waits:
        raise Unable("this model is of tasks and processors that are there from the start")
    if problem.has_costs:
        raise Unable("PyJobShop has no costs of edges that depend on where both tasks run")
    model = Model()
    resources = [model.add_machine() if count == 1 else model.add_renewable(count) for count in problem.counts]
    tasks = [model.add_task() for _ in range(problem.tasks)]
    modes, hint, first = [], problem.allotted() if problem.moldable else problem.greedy(), []
    for j in range(problem.tasks):
        for q, options in enumerate(problem.sizes[j]):
            for size, time_on in options:
                model.add_mode(tasks[j], resources[q], time_on, size if problem.counts[q] > 1 else 0)
                if (q, size) == (hint[j][0], len(hint[j][1]) if isinstance(hint[j][1], list) else 1):
                    first.append(ScheduledTask(len(modes), [q], hint[j][2], hint[j][2] + time_on))
                modes.append((q, size))
    for a, b, _ in problem.edges:
        model.add_end_before_start(tasks[a], tasks[b])
    result = model.solve(time_limit=seconds, display=False, num_workers=threads, initial_solution=Solution(model.data(), first))
    place = None
    if result.status.value in ("Optimal", "Feasible"):
        place = problem.seat([(modes[task.mode][0], task.start, modes[task.mode][1]) for task in result.best.tasks])
    return {"place": place, "bound": int(round(result.lower_bound)), "optimal": result.status.value == "Optimal", "found": []}


def solve_saga(problem, seconds, threads):
    """The best of HEFT, CPoP, MinMin, MaxMin, ETF and MCT: related machines alone, without proofs."""
    from saga import Network, TaskGraph, schedulers
    logging.disable(logging.CRITICAL)
    if problem.waits:
        raise Unable("SAGA knows no releases")
    if problem.moldable:
        raise Unable("SAGA knows no moldable tasks")
    if problem.has_costs:
        raise Unable("SAGA's costs depend on links between nodes, not on types")
    least = min((problem.times[0][q], q) for q in range(len(problem.types)) if problem.times[0][q])[1] if problem.tasks else 0
    base = [row[least] for row in problem.times]
    speed = []
    for q, count in enumerate(problem.counts):
        if count == 0:
            speed.append(1)
            continue
        pairs = {(row[q], row[least]) for row in problem.times}
        if any(t is None or b is None for t, b in pairs) or len({t / b for t, b in pairs if b}) > 1:
            raise Unable("SAGA's nodes have speeds: times must be proportional")
        speed.append(next((b / t for t, b in pairs if t), 1))
    nodes = {f"{q}.{p}": (q, p) for q, p in problem.processors()}
    network = Network.create([(name, speed[q]) for name, (q, _) in nodes.items()], [(a, b, 1.0) for a in nodes for b in nodes if a < b])
    graph = TaskGraph.create([(str(j), base[j]) for j in range(problem.tasks)], [(str(a), str(b)) for a, b, _ in problem.edges])
    best, found, began = None, [], time.monotonic()
    for name in ("Heft", "Cpop", "MinMin", "MaxMin", "ETF", "MCT"):
        if time.monotonic() - began > seconds:
            break
        schedule = getattr(schedulers, name + "Scheduler")().schedule(network, graph)
        order = sorted((run.start, run.end, int(run.name), nodes[node]) for node, runs in schedule.items() for run in runs if run.name.isdigit())
        place = retimed(problem, [(j, at) for _, _, j, at in order])
        if place and (best is None or problem.makespan(place) < problem.makespan(best)):
            best = place
            found.append((time.monotonic() - began, problem.makespan(place)))
    return {"place": best, "bound": None, "optimal": False, "found": found}


def retimed(problem, order):
    """Their schedules are in floating-point numbers: the same order on the same processors, in whole ones."""
    before = [[] for _ in range(problem.tasks)]
    for a, b, _ in problem.edges:
        before[b].append(a)
    end, free, place = {}, {}, [None] * problem.tasks
    for j, at in order:
        if any(a not in end for a in before[j]):
            return None
        start = max([free.get(at, 0)] + [end[a] for a in before[j]])
        place[j] = (*at, start)
        end[j] = free[at] = start + problem.times[j][at[0]]
    return place
