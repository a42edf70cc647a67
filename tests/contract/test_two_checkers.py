# SPDX-License-Identifier: Apache-2.0
"""The two checkers agree: scripts/duet_check.py, which was written from the pages alone, and `duet verify`.

On generated instances of every kind, with schedules, claims, certificates and proofs that were made, changed and forged,
either both accept a pair of files or both refuse it. DUET_TEST_PAIRS says how many pairs (default 300), DUET_TEST_SEED
which; a failure names the seed of its case and keeps its files where DUET_TEST_KEEP says. The command is $DUET_COMMAND.
"""
import copy
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from types import ModuleType

from clauses import CLAUSES

DUET = os.environ["DUET_COMMAND"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAIRS = int(os.environ.get("DUET_TEST_PAIRS", "300")) // 2  # half of them changed, half of them forged
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
PER_CASE = 12  # changed pairs of one solved instance

CHECKER = os.path.join(ROOT, "scripts", "duet_check.py")
REFUSED = os.path.join(ROOT, "tests", "contract", "refused.json")
AGREED = os.path.join(ROOT, "tests", "contract", "agreed.json")
found = importlib.util.spec_from_file_location("duet_check", CHECKER)
duet_check = importlib.util.module_from_spec(found)
found.loader.exec_module(duet_check)


def ours(words, checker=duet_check):
    """Exit code and message of the second checker."""
    try:
        return 0, checker.check_files(checker.parse_arguments(words))
    except (checker.Refused, checker.Usage, checker.Unreadable, checker.Limit) as error:
        return error.code, str(error)


def without(text, changed):
    """The second checker without a clause."""
    with open(CHECKER, encoding="utf-8") as file:
        source = file.read()
    if source.count(text) != 1:
        raise AssertionError(f"a clause that stands {source.count(text)} times: {text}")
    module = ModuleType("duet_check")
    exec(compile(source.replace(text, changed), "without", "exec"), module.__dict__)
    return module


def theirs(words):
    done = subprocess.run([DUET, "verify", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, (done.stderr or done.stdout).decode(errors="replace")


def duet(*words):
    return subprocess.run([DUET, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)


# Instances

def some_times(rng, types, most, zeros, forbidden):
    """A time for each type, at least one of them."""
    times = [0 if zeros and rng.random() < 0.2 else rng.randint(1, most) for _ in types]
    kept = rng.choice(types)
    return [time if t == kept or rng.random() >= forbidden else None for t, time in enumerate(times)]


def platform(rng, types):
    counts = [rng.choice((0, 1, 1, 2, 2, 3)) for _ in types]
    counts[rng.choice(types)] += 1
    return [{"type": ("cpu", "gpu", "x", "y")[t], "count": counts[t]} for t in types]


def some_edges(rng, names, costs, types):
    edges = []
    chance = rng.choice((0.1, 0.3, 0.6))
    for v in range(len(names)):
        for u in range(v):
            if rng.random() < chance:
                edge = {"from": names[u], "to": names[v]}
                if costs == "cost":
                    edge["cost"] = rng.randint(0, 6)
                elif costs == "costs":
                    edge["costs"] = [[rng.randint(0, 6) for _ in types] for _ in types]
                elif costs == "data":
                    edge["data"] = rng.randint(0, 4)
                edges.append(edge)
    return edges


def sequential_instance(rng, graph):
    types = range(rng.choice((1, 2, 2, 2, 2, 3)))
    machine = platform(rng, types)
    most, zeros, forbidden = rng.choice((3, 9, 30)), rng.random() < 0.2, rng.choice((0, 0, 0.2))
    usable = [t for t in types if machine[t]["count"] > 0]
    tasks, names = [], []
    for j in range(rng.randint(1, 8)):
        times = some_times(rng, types, most, zeros, forbidden)
        if all(times[t] is None for t in usable):
            times[usable[0]] = rng.randint(1, most)
        count = rng.randint(2, 4) if rng.random() < 0.2 else 1
        tasks.append({"id": f"a{j}", "times": times, **({"count": count} if count > 1 else {})})
        names += [f"a{j}"] if count == 1 else [f"a{j}#{i}" for i in range(count)]
    made = {"format": "duet-instance", "version": 1, "name": "x", "platform": machine, "tasks": tasks}
    if graph:
        costs = rng.choice(("", "", "cost", "costs", "data"))
        made["edges"] = some_edges(rng, names, costs, types)
        if costs == "data":
            made["transfer"] = {"latency": [[rng.randint(0, 2) for _ in types] for _ in types],
                                "per_unit": [[rng.randint(0, 2) for _ in types] for _ in types]}
    if rng.random() < 0.2:
        scale_down(made, rng.choice((10, 10, 1000, 10**6)))
    return made


def scale_down(made, by):
    """All times and costs of a sequential instance in decimals."""
    less = lambda value: [less(item) for item in value] if isinstance(value, list) else value and value / by
    for holder, names in [(task, ("times",)) for task in made["tasks"]] + \
            [(edge, ("cost", "costs")) for edge in made.get("edges", ())] + \
            [(made.get("transfer", {}), ("latency", "per_unit"))]:
        for name in names:
            if name in holder:
                holder[name] = less(holder[name])


def moldable_instance(rng, laws, graph):
    types = range(rng.choice((1, 1, 2, 2, 3)))
    machine = platform(rng, types)
    for entry in machine:
        if laws:
            entry["speed"] = rng.choice((1, 1, 2, 0.5, 3))
        if rng.random() < 0.3:
            entry["bandwidth"] = rng.choice((1, 2, 5))
    usable = [t for t in types if machine[t]["count"] > 0]
    tasks = []
    for j in range(rng.randint(1, 6)):
        if laws and rng.random() < 0.7:
            tasks.append({"id": f"a{j}", "work": rng.randint(1, 12), "alpha": rng.choice((0, 0.1, 0.25, 1))})
            continue
        times = [None] * len(types)
        for t in types:
            if rng.random() < 0.8 or t == usable[0]:
                size = rng.randint(1, max(1, machine[t]["count"]))
                times[t] = sorted((rng.randint(1, 12) for _ in range(size)), reverse=rng.random() < 0.9)
                times[t] = times[t] if rng.random() < 0.9 else times[t][0]
        tasks.append({"id": f"a{j}", "times": times})
    made = {"format": "duet-instance", "version": 1, "name": "x", "platform": machine, "tasks": tasks}
    if laws and rng.random() < 0.7:
        made["tick"] = rng.choice((1, 0.1, 0.001))
    if graph:
        made["edges"] = some_edges(rng, [task["id"] for task in tasks], rng.choice(("", "data")), types)
        if rng.random() < 0.7:
            made["network"] = {"latency": rng.randint(0, 2), "inter_latency": rng.randint(0, 3),
                               "inter_bandwidth": rng.choice((1, 2, 4))}
    return made


def mixed_instance(rng, graph):
    """One law for each task, which may use processors of several types at once."""
    while True:
        made = moldable_instance(rng, True, graph)
        for task in made["tasks"]:
            if "work" not in task:
                task.update(work=rng.randint(1, 12), alpha=rng.choice((0, 0.1, 0.5)))
                del task["times"]
                if rng.random() < 0.3:
                    law = {"work": task.pop("work"), "alpha": task.pop("alpha")}
                    task["times"] = [law if rng.random() < 0.7 or at == 0 else None for at in range(len(made["platform"]))]
        if all("times" not in task or any(time and entry["count"] for time, entry in zip(task["times"], made["platform"]))
               for task in made["tasks"]):
            made["mixed_sets"] = True
            return made


def elsewhere(rng, solution):
    """The solution as other software may write it: a table or JSON without a format, rounded, without some numbers."""
    made = copy.deepcopy(solution)
    for name in ("format", "version", "guarantee", "seconds", "counters", "bound"):
        made.pop(name, None)
    runs = made["schedule"] + made.get("aborted", [])
    span = max([run["end"] for run in runs] + [0])
    noise = span * rng.choice((0, 1e-12, 3e-10, 0.9e-9, 1.1e-9, 5e-9, 0.3))
    for run in runs:
        for name in ("start", "end"):
            if name in run and rng.random() < 0.5:
                run[name] += noise * rng.choice((-1, 1, 0.5))
    if rng.random() < 0.5:
        late = rng.choice((0, 0.25, 0.3, 1 / 3))
        for run in runs:
            for name in ("start", "end"):
                run[name] += late
    kept = rng.choice(("all", "all", "no end", "no start", "some"))
    for run in made["schedule"]:
        if kept == "no start" or (kept == "some" and rng.random() < 0.5):
            run.pop("start", None)
        if kept != "all" and rng.random() < 0.8:
            run.pop("end", None)
    for name in ("makespan", "lower_bound", "certificate", "status", "platform"):
        if name in made and rng.random() < 0.5:
            del made[name]
    for name in ("makespan", "lower_bound"):
        if name in made and rng.random() < 0.3:
            made[name] += noise * rng.choice((-1, 1))
    if "lower_bound" not in made and made.get("status") == "optimal":
        del made["status"]
    simple = all("parts" not in run for run in runs)
    return as_table(rng, made) if simple and rng.random() < 0.5 else json.dumps(made)


def as_table(rng, made):
    mark = rng.choice(",;\t")
    columns = ["task", "type", "processor", "start", "end", "aborted"]
    rng.shuffle(columns)
    lines = [mark.join(columns)]
    for aborted, runs in (("", made["schedule"]), ("yes", made.get("aborted", []))):
        for run in runs:
            ranges = run.get("processors") or [[run["processor"], run["processor"]]]
            on = ";".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
            fields = {**{name: str(run.get(name, "")) for name in columns}, "aborted": aborted, "processor": on}
            lines.append(mark.join(f'"{fields[name]}"' if mark in fields[name] else fields[name] for name in columns))
    return "\n".join(lines) + "\n"


KINDS = {
    "independent": (lambda rng: sequential_instance(rng, False),
                    "auto exact heft eft lpt dualhp heteroprio shelf-3-2 dual-4-3 dual-2 lst balanced-estimate exact".split()),
    "graph": (lambda rng: sequential_instance(rng, True),
              "auto exact heft eft hlp heteroprio peft list exact exact".split()),
    "tables": (lambda rng: moldable_instance(rng, False, False), "auto moldable-2 moldable-3-2 moldable-hybrid m-heft seq".split()),
    "laws": (lambda rng: moldable_instance(rng, True, False), "auto moldable-2 moldable-3-2 hcpa m-heft seq".split()),
    "mixed sets": (lambda rng: mixed_instance(rng, rng.random() < 0.5), "auto cpa cpa hcpa m-heft seq".split()),
    "moldable graph": (lambda rng: moldable_instance(rng, rng.random() < 0.5, True), "auto hcpa m-heft s-hcpa seq".split()),
}


# Changes

def places(value, path=()):
    """The paths of all numbers in a JSON value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, path + (key,))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from places(item, path + (at,))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def at_path(value, path):
    for step in path:
        value = value[step]
    return value


def set_at(value, path, item):
    at_path(value, path[:-1])[path[-1]] = item


def changed_number(rng, value, tick):
    change = rng.choice(("up", "down", "twice", "zero", "much"))
    value = {"up": value + tick, "down": value - tick, "twice": 2 * value, "zero": 0,
             "much": value + rng.randint(2, 20) * tick}[change]
    return round(value, 9) if isinstance(value, float) else value


INNER = ("weights", "counts", "prices", "limits", "multipliers", "flow", "tasks", "cross", "processor",
         "processors", "version", "count", "parts", "grid")


def change_json(rng, made, tick):
    """One change of a solution (or an instance): of a number, of an entry, of a claim, of a type."""
    paths = list(places(made))
    schedule = made["schedule" if "schedule" in made else "tasks"]
    kind = rng.choice(("number",) * 5 + ("swap", "drop", "double", "swap entries", "shift", "bound", "type", "lambda",
                                         "certificate", "certificate", "end"))
    certificate = made.get("certificate", {})
    if kind == "certificate" and certificate:
        paths = [path for path in paths if path[0] == "certificate"] or paths
    if kind in ("number", "certificate") and paths:
        path = rng.choice(paths)
        set_at(made, path, changed_number(rng, at_path(made, path), 1 if set(path) & set(INNER) else tick))
    elif kind == "swap" and len(paths) > 1:
        a, b = rng.sample(paths, 2)
        first, second = at_path(made, a), at_path(made, b)
        set_at(made, a, second)
        set_at(made, b, first)
    elif kind == "drop" and schedule:
        del schedule[rng.randrange(len(schedule))]
    elif kind == "double" and schedule:
        schedule.append(copy.deepcopy(rng.choice(schedule)))
    elif kind == "swap entries" and len(schedule or ()) > 1:
        a, b = rng.sample(schedule, 2)
        name = rng.choice(("task", "start", "type", "processor", "processors", "id", "times"))
        if name in a and name in b:
            a[name], b[name] = b[name], a[name]
            if rng.random() < 0.5:
                a.pop("end", None)
                b.pop("end", None)
    elif kind == "shift" and "schedule" in made:
        by = rng.choice((-tick, tick))
        for entry in schedule:
            for name in ("start", "end"):
                if name in entry:
                    entry[name] = round(entry[name] + by, 9)
        made["makespan"] = round(made["makespan"] + by, 9)
        if made.get("status") == "optimal":
            made["status"] = "bounded"
    elif kind == "bound" and "lower_bound" in made:
        made["lower_bound"] = round(made["lower_bound"] + tick, 9)
        if "lambda" in certificate:
            certificate["lambda"] = round(certificate["lambda"] + tick, 9)
        if made["lower_bound"] == made["makespan"]:
            made["status"] = "optimal"
    elif kind == "lambda" and "lambda" in certificate:
        certificate["lambda"] = round(certificate["lambda"] + rng.choice((-tick, tick)), 9)
        made["lower_bound"] = min(made["lower_bound"], certificate["lambda"])
        made["status"] = "bounded"
    elif kind == "type" and schedule:
        names = [entry["type"] for entry in made.get("platform", ()) if "type" in entry]
        entry = rng.choice(schedule)
        if "type" in entry and names:
            entry["type"] = rng.choice(names)
            if rng.random() < 0.7:
                entry.pop("end", None)
    elif kind == "end" and "schedule" in made:
        for entry in schedule:
            entry.pop("end", None)
        late = max(schedule, key=lambda entry: entry.get("start", 0), default=None)
        if late:
            late["start"] = round(late.get("start", 0) + rng.choice((-tick, tick)), 9)


def change_proof(rng, text):
    """One change of a proof: of a number, of a line, of the bound, of a type."""
    lines = text.split("\n")
    kind = rng.choice(("number",) * 5 + ("drop", "drop", "double", "swap", "bound", "type", "word"))
    at = rng.randrange(len(lines))
    if kind == "number":
        numbers = [(i, m) for i in range(1, len(lines)) for m in re.finditer(r"\b[0-9]+\b", lines[i])]
        if numbers:
            i, found_number = rng.choice(numbers)
            value = changed_number(rng, int(found_number.group()), 1)
            lines[i] = lines[i][:found_number.start()] + str(max(0, value)) + lines[i][found_number.end():]
    elif kind == "drop":
        del lines[at]
    elif kind == "double":
        lines.insert(at, lines[at])
    elif kind == "swap":
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "bound":
        lines[1] = re.sub("[0-9]+", lambda m: str(int(m.group()) + 1), lines[1])
    elif kind == "type":
        lines[at] = re.sub("cpu|gpu", lambda m: "gpu" if m.group() == "cpu" else "cpu", lines[at])
    elif kind == "word":
        words = lines[at].split()
        if words:
            del words[rng.randrange(len(words))]
            lines[at] = " ".join(words)
    return "\n".join(lines)


# Forgeries: certificates and proofs with random numbers

def forged_certificate(rng, instance, read):
    """A certificate without its lambda, of random small numbers, and the kind that it is."""
    types, edges, tasks = len(read.types), read.edges, read.tasks
    most = rng.choice((1, 3, 10, 40))
    numbers = lambda count: [rng.choice((0, rng.randint(0, most), rng.randint(1, most))) for _ in range(count)]
    proofs = ["longest", "area", "flow"]
    if read.mixed and rng.random() < 0.8:
        proofs.append("area")
    else:
        proofs += ["moldable-prices", "moldable-steps"] * 2 if read.moldable else ["shelf", "knapsack", "prices", "prices", "head-tail"]
    if edges:
        proofs += ["flow", "flow"]
    proof = rng.choice(proofs)
    made = {"proof": proof}
    if proof == "longest":
        made["task"] = rng.choice(read.kinds).name
    if proof in ("area", "shelf", "flow", "head-tail", "knapsack"):
        made["weights"] = [0] * types if read.mixed and proof == "flow" and rng.random() < 0.8 else numbers(types)
    if proof == "shelf":
        made.update(counts=numbers(types), parts=rng.choice((2, 3)))
    if proof == "head-tail":
        made.update({end: float(read.size * rng.choice((0, 0, rng.randint(0, 9)))) for end in ("head", "tail")})
    if proof == "flow":
        forge_flow(rng, made, read, most)
    if proof == "prices":
        classes = len(duet_check.tree_of(read, 1 << 40, 1 << 40).classes)
        made.update(modes=[rng.choice(("set", "area")) for _ in range(types)], limits=numbers(types),
                    prices=[numbers(types) for _ in range(classes)])
    if proof == "moldable-prices":
        made["multipliers"] = numbers(max(4, 2 * types))
    if proof == "moldable-steps":
        scale = max(1, 10 ** read.places)
        lines = []
        for _ in range(types):
            times = sorted(rng.sample(range(1, 15), rng.randint(0, 3)))
            worths = sorted(rng.sample(range(1, 9), len(times)))
            lines.append(" ".join(f"{time * scale} {worth}" for time, worth in zip(times, worths)))
        made.update(weights=numbers(types), lines=lines)
    return made


def forge_flow(rng, made, read, most):
    """Flow along random paths; more where tasks let more pass; charges of data."""
    flow = {}
    for _ in range(rng.randint(0, 3)):
        if read.edges:
            e, amount = rng.randrange(len(read.edges)), rng.randint(1, most)
            while e is not None:
                flow[e] = flow.get(e, 0) + amount
                behind = read.behind.get(read.edges[e][1])
                e = rng.choice(behind) if behind and rng.random() < 0.9 else None
    made["flow"] = [list(pair) for pair in flow.items()]
    if rng.random() < 0.5:
        made["tasks"] = [[j, rng.randint(0, 2 * most)] for j in rng.sample(range(read.tasks), min(2, read.tasks))]
    if flow and rng.random() < 0.5 and len(read.types) == 2 and not read.moldable:
        made["cross"] = [[e, rng.randint(-6 * f, 6 * f)] for e, f in flow.items() if rng.random() < 0.6]


def forged_lines(rng, read, makespan):
    """Lines about a task graph, most of them with small random numbers."""
    lines, size, types = [], read.tasks, len(read.types)
    name = lambda t: ("cpu", "gpu")[t] if types == 2 else str(t)
    some = lambda: rng.choice((0, rng.randint(0, makespan), rng.randint(0, 6)))
    prices = lambda: " ".join(str(rng.choice((0, 1, 1, 2, rng.randint(0, 9)))) for _ in range(types))
    task = lambda: rng.randrange(size)
    edge = lambda: rng.randrange(len(read.edges))
    type_of = lambda: rng.randrange(types)

    def listed():
        chosen = rng.sample(range(size), rng.randint(1, size))
        return f"{len(chosen)} " + " ".join(map(str, chosen))

    def rows():
        found = []
        for _ in range(rng.randint(1, 2)):
            u, v = (task() if rng.random() < 0.7 else size for _ in range(2))
            adds = [f"{task()} {type_of()} {rng.randint(0, 8)}" for _ in range(rng.randint(0, 2))]
            found.append(f"{u} {v} {rng.randint(1, 3)} {some()} {len(adds)} " + " ".join(adds))
        return f"mix {len(found)} " + " ".join(found)

    def linear():
        into, out, parts = [0] * size, [0] * size, [[], [], [], []]
        for _ in range(rng.randint(0, 4)):
            if read.edges:
                e, f = edge(), rng.randint(1, 4)
                parts[0].append(f"{e} {f}")
                out[read.edges[e][0]] += f
                into[read.edges[e][1]] += f
        extra = ""
        if rng.random() < 0.3:
            u, v, g = task(), task(), rng.randint(1, 3)
            out[u] += g
            into[v] += g
            adds = [f"{task()} {type_of()} {rng.randint(0, 5)}" for _ in range(rng.randint(0, 2))]
            extra += f" mix 1 {u} {v} {g} {rng.randint(0, 9)} {len(adds)} " + " ".join(adds)
        if rng.random() < 0.3 and read.edges:
            e, g = edge(), rng.randint(1, 3)
            out[read.edges[e][0]] += g
            into[read.edges[e][1]] += g
            extra += f" cross 1 {e} {type_of()} {rng.randint(0, 6)} {g}"
        for j in range(size):
            more = rng.choice((0, 0, 1))
            a, b = max(0, out[j] - into[j]) + more, max(0, into[j] - out[j]) + more
            parts[1] += [f"{j} {a}"] if a else []
            parts[2] += [f"{j} {b}"] if b else []
        for _ in range(rng.randint(0, 2)):
            parts[3].append(f"{some()} {some()} {prices()}")
        return "lp " + " ".join(f"{len(part)} " + " ".join(part) for part in parts) + extra

    def timed():
        width = rng.randint(1, 8)
        cells = sorted({(rng.randrange(types), rng.randrange(makespan // width + 1)) for _ in range(rng.randint(0, 6))})
        edges = sorted({edge() for _ in range(rng.randint(0, 3))}) if read.edges else []
        text = f"timed {width} {rng.randint(1, 3)} {len(cells)} "
        text += " ".join(f"{t} {k} {rng.randint(1, 5)}" for t, k in cells) + f" {len(edges)} "
        for e in edges:
            over = sorted({rng.randrange(makespan // width + 1) for _ in range(rng.randint(0, 3))})
            text += f" {e} {len(over)} " + " ".join(f"{k} {rng.randint(0, 4)}" for k in over)
        return text + (" " + rows() if rng.random() < 0.3 else "")

    def supposition():
        word = rng.choice(("on", "off", "start-by", "start-after", "end-by", "end-after"))
        return f"suppose {word} {task()} {name(type_of()) if word in ('on', 'off') else some()}"

    def part():
        word = rng.choice(("before", "behind"))
        j = task()
        near, left = set(), [j]
        while left:
            i = left.pop()
            for e in (read.before if word == "before" else read.behind).get(i, ()):
                other = read.edges[e][0 if word == "before" else 1]
                if other not in near:
                    near.add(other)
                    left.append(other)
        if not near:
            return []
        chosen = sorted(rng.sample(sorted(near), rng.randint(1, len(near))))
        head = f"{word} {j} {some()} {len(chosen)} " + " ".join(f"{i} {rng.choice((0, 0, 1, 3))}" for i in chosen)
        return [head, "path", f"energy 0 0 {prices()}", "end"]

    choices = {
        "heads": lambda: "heads " + listed(), "tails": lambda: "tails " + listed(), "path": lambda: "path",
        "ancestors": lambda: f"ancestors {task()} {some()} {some()} {prices()}",
        "descendants": lambda: f"descendants {task()} {some()} {some()} {prices()}",
        "energy": lambda: f"energy {some()} {some()} {prices()}",
        "gather": lambda: f"gather {task()} {some()}", "scatter": lambda: f"scatter {task()} {some()}",
        "shift": lambda: "shift " + listed(), "lp": linear, "timed": timed,
        "twins": lambda: "twins 2 " + " ".join(map(str, sorted(rng.sample(range(size), 2)))) if size > 1 else "path",
    }
    for _ in range(rng.randint(1, 7)):
        if rng.random() < 0.15:
            lines += [supposition()] + [choices[rng.choice(list(choices))]() for _ in range(rng.randint(0, 2))] + ["end"]
        elif rng.random() < 0.1:
            lines += part()
        else:
            lines.append(choices[rng.choice(list(choices))]())
    if rng.random() < 0.15:
        lines.append(f"ideals {rng.choice((1 << 20, 1 << 20, rng.randint(0, 12)))} {prices()}")
    return lines


def lines_that_hold(read, bound, lines):
    """Those lines that hold one after another, as far as the second checker can say."""
    kept = []
    for line in lines:
        text = "\n".join(["duet-proof 1", f"bound {bound}", f"graph {read.tasks} {len(read.edges)}"] + kept + [line])
        try:
            duet_check.check_proof(read, text)
        except duet_check.Refused as error:
            if "no end" in str(error):
                kept.append(line)
    return kept


def merged_tree(rng, read, bound):
    """A proof of a tree in which two types are one, which they may not be: often within so little that times of 0 decide."""
    bound = rng.choice((1, 1, 2, bound))
    numbers = list(range(len(read.types)))
    a, b = sorted(rng.sample(numbers, 2))
    into = [number - (number > b) if number != b else a for number in numbers]
    try:
        tree = duet_check.tree_of(read, bound - 1, bound - 1, len(numbers) - 1, into)
    except duet_check.Refused:
        tree = duet_check.tree_of(read, bound - 1, bound - 1)
    head = [f"types {len(numbers) - 1} " + " ".join(map(str, into)), f"classes {len(tree.classes)}"]
    return "\n".join(["duet-proof 1", f"bound {bound}", *head, *forged_cases(rng, tree, False), "end", ""])


def forged_tree(rng, read, bound):
    """A proof of such a tree, sometimes of longer times that tell classes apart, or of releases and busy processors."""
    if len(read.types) > 1 and rng.random() < 0.1:
        return merged_tree(rng, read, bound)
    within = bound - 1 + rng.choice((0, 0, 0, 1, 5))
    waits = any(kind.release for kind in read.kinds) or any(any(times) for times in read.busy_until)
    released = waits and rng.random() < 0.7
    tree = (duet_check.released_tree if released else duet_check.tree_of)(read, bound - 1, within)
    head = f"classes {len(tree.classes)}" + (f" within {within}" if within >= bound or rng.random() < 0.1 else "")
    one = ["released"] if released else [] if rng.random() < 0.8 else ["types " + " ".join(map(str, [len(tree.types), *tree.types]))]
    return "\n".join(["duet-proof 1", f"bound {bound}", *one, head, *forged_cases(rng, tree, False), "end", ""])


def forged_cases(rng, tree, alone):
    """A tree of cases with random vectors, whose leaves hold where one of them does."""
    types, classes = len(tree.types), len(tree.classes)
    name = lambda t: ("cpu", "gpu")[t] if types == 2 else str(t)
    lines, vectors = [], []

    def add(line, make):
        try:
            vectors.append(make())
            lines.append(line)
        except duet_check.Refused:
            pass

    def some_vectors(opened, state=None):
        weights = [rng.randint(0, 4) for _ in range(types)]
        add("area " + " ".join(map(str, weights)), lambda: tree.area_vector(weights))
        modes = [rng.choice(("set", "area", "listed", "here")) for _ in range(types)]
        prices = [[rng.randint(0, 6) if tree.classes[c][t] is not None else 0 for t in range(types)] for c in range(classes)]
        limits = [rng.randint(0, 12) for _ in range(types)]
        counts = [rng.randint(0, 3) for _ in range(rng.randint(0, opened))]
        add("prices " + " ".join(f"{mode} {limit}" for mode, limit in zip(modes, limits)) + " " +
            " ".join(str(price) for row in prices for price in row) +
            (f" counts {len(counts)} " + " ".join(map(str, counts)) if counts else ""),
            lambda: tree.price_vector(modes, limits, prices, counts, state))

    for _ in range(rng.randint(1, 4)):
        some_vectors(rng.random() < 0.05, tree.root())
    words = lambda text: duet_check.Words(text)

    def try_node(state, line):
        """The children of a node, None where it does not hold."""
        reader = words(line)
        word = reader.next_line()
        try:
            return list(duet_check.NODES[word](tree, state, reader, vectors))
        except duet_check.Refused:
            return None

    def build(state, depth):
        if len(lines) > 60:
            return
        for _ in range(rng.randint(0, 2) if state.counts or state.pools or rng.random() < 0.3 else 0):
            some_vectors(len(state.counts), state)
        for c in range(classes):
            if state.impossible(c):
                lines.append(f"nowhere {c}")
                return
        for v in rng.sample(range(len(vectors)), len(vectors)):
            if try_node(state, f"price {v}") == []:
                lines.append(f"price {v}")
                return
            if types == 2 and vectors[v].weights and rng.random() < 0.5 and try_node(state, f"knapsack {v}") == []:
                lines.append(f"knapsack {v}")
                return
        if depth == 0 or not classes or not vectors:
            lines.append(rng.choice(("price 0", "knapsack 0", "nowhere 0")))
            return
        for _ in range(12):
            c, t, v = rng.randrange(classes), rng.randrange(types), rng.randrange(len(vectors))
            kind = rng.choice(("branch", "cover", "cover", "list", "count", "alone"))
            order = rng.choice(("", "", " more"))
            if kind == "alone":
                if alone or not any(low[t] > 0 for low in state.low):
                    continue
                limit = tree.limit + rng.choice((0, 0, 1))
                lines.append(f"alone {name(t)} {limit}")
                lines.extend(forged_cases(rng, duet_check.alone_of(tree, state, t, limit), True))
                return
            if kind == "branch":
                t = 0 if types == 2 else t
                low, high = state.low[c][t], state.high[c][t]
                if low >= high:
                    continue
                line = f"branch {'' if types == 2 else str(t) + ' '}{c} {rng.randint(low, high - 1)}{order}"
            elif kind == "count":
                chosen = sorted(rng.sample(range(classes), rng.randint(1, classes)))
                line = f"count {name(t)} {rng.choice((0, 0, 1, 2))} {rng.randint(0, 3)} {len(chosen)} " + \
                    " ".join(map(str, chosen)) + order
            else:
                try:
                    slack = tree.slack(state, vectors[v])
                    found = tree.patterns(state, vectors[v], t, slack, c if kind == "cover" else None)
                except duet_check.Refused:
                    continue
                n = len(found) if kind == "list" or state.processors[t] > 0 else 0
                line = f"list {v} {name(t)} {n}" if kind == "list" else f"cover {v} {name(t)} {c} {n}"
            children = try_node(state, line)
            if children is None or len(children) > 8:
                continue
            lines.append(line)
            for child in children:
                build(child, depth - 1)
            return
        lines.append("price 0")

    build(tree.root(), rng.randint(0, 3))
    return lines


def load_pairs(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# Ways to write a solution, and the exit code for each: 0 it is one, 1 it is none, 3 it is no way.

ALONE = {"platform": [{"type": "a", "count": 4}], "tasks": [{"id": "x", "times": [3]}]}
MIXED = {"platform": [{"type": "a", "count": 4}, {"type": "b", "count": 4}], "mixed_sets": True,
         "tasks": [{"id": "x", "work": 3}]}
BIG = {"platform": [{"type": "a", "count": 1 << 30}, {"type": "b", "count": 1 << 30}], "mixed_sets": True,
       "tasks": [{"id": "x", "work": 3}]}
FAR = {"platform": [{"type": "a", "count": 1}], "tasks": [{"id": "x", "times": [10000000000]}]}
LONG = {"platform": [{"type": "a", "count": 1}],
        "tasks": [{"id": "x", "times": [4000000000]}, {"id": "y", "times": [3000000000]}]}

X = {"task": "x", "type": "a", "processor": 0, "start": 0}
ABORTED = [dict(X, end=2)]
LATE = [dict(X, start=0.5)]


def of_parts(*parts, **more):
    return {"schedule": [dict({"task": "x", "start": 0, "parts": [{"type": t, "processors": p} for t, p in parts]}, **more)]}


def claims(bound, value):
    return {"schedule": [X, {"task": "y", "type": "a", "processor": 0, "start": 4000000000}], "lower_bound": bound,
            "certificate": {"proof": "longest", "lambda": value, "task": "x"}}


def far(end):
    return f'{{"schedule": [{{"task": "x", "type": "a", "processor": 0, "start": 2, "end": {end}}}]}}'


def some(entry, *left_out):
    return {"schedule": [{name: value for name, value in entry.items() if name not in left_out}]}


SHAPES = [
    (ALONE, some(X), 0), (ALONE, [X], 3), (ALONE, [], 3), (ALONE, {}, 3), (ALONE, {"schedule": []}, 1),
    (ALONE, {"schedule": {}}, 3), (ALONE, some(X, "type"), 3), (ALONE, some(X, "start"), 0),
    (ALONE, some(X, "processor"), 3), (ALONE, some(dict(X, start=None)), 3), (ALONE, some(dict(X, end=None)), 3),
    (ALONE, some(dict(X, processors=[[0, 0]])), 3), (ALONE, some(dict(X, processors=[[0, 0]]), "processor"), 3),
    (ALONE, some(dict(X, processor=0.5)), 3), (ALONE, some(dict(X, processor=-1)), 1), (ALONE, of_parts(("a", [[0, 0]])), 3),
    (ALONE, dict(some(X), makespan=None), 3), (ALONE, dict(some(X), lower_bound=None), 3),
    (ALONE, dict(some(X), certificate=None), 3), (ALONE, dict(some(X), status=None), 3),
    (ALONE, dict(some(X), aborted=None), 3), (ALONE, dict(some(X, "start"), aborted=ABORTED), 1),
    (ALONE, dict({"aborted": ABORTED}, **some(X, "start")), 0),  # after the run before it in the file
    (ALONE, {"schedule": LATE, "lower_bound": 3}, 0), (ALONE, {"schedule": LATE, "lower_bound": 3.5}, 0),
    (ALONE, {"schedule": LATE, "lower_bound": 3.6}, 1),
    (MIXED, of_parts(("a", [[0, 0]]), ("b", [[0, 0]])), 0), (MIXED, of_parts(("b", [[0, 0]]), ("a", [[0, 0]])), 0),
    (MIXED, of_parts(("a", [[0, 0]]), ("a", [[1, 1]])), 0), (MIXED, of_parts(("a", [[1, 1]]), ("a", [[0, 0]])), 1),
    (MIXED, of_parts(("a", [[0, 0]]), ("a", [[0, 0]])), 1), (MIXED, of_parts(("a", [[1, 1], [0, 0]])), 1),
    (MIXED, of_parts(("a", [])), 3), (MIXED, of_parts(), 3), (MIXED, of_parts(("a", [[0, 0]]), type="a"), 3),
    (MIXED, {"schedule": [{"task": "x", "start": 0, "parts": [{"type": "a", "processor": 1}]}]}, 3),
    (MIXED, {"schedule": [{"task": "x", "start": 0, "parts": [{"processors": [[0, 0]]}]}]}, 3),
    (MIXED, some(dict(X, processors=[[0, 0]])), 3), (MIXED, some(X), 0), (MIXED, some(X, "start"), 3),
    (MIXED, some(dict(X, processors=[[0, 9]]), "processor"), 1), (MIXED, some(dict(X, processors=[0]), "processor"), 3),
    (BIG, some(X), 3),  # 2^31 processors
    # Numbers at nine more places than a tick has, halves up, whatever their length and sign.
    (FAR, far("9999999991.999999998"), 0), (FAR, far("9999999991.999999997"), 1),
    (FAR, far("10000000012.000000002"), 0), (FAR, far("10000000012.000000003"), 1),
    (ALONE, some(dict(X, start=-0.0000000025)), 0), (ALONE, some(dict(X, start=-0.0000000026)), 1),
    ({"platform": ALONE["platform"], "tasks": []}, {"schedule": [], "makespan": 0}, 0),
    (LONG, claims(4000000000, 4000000000), 0), (LONG, claims(3999999999.9, 3999999999), 1),  # that claims 4000000000
    (LONG, claims(3999999999.9, 4000000000), 0), (LONG, claims(4000000000.1, 4000000000), 0),
]


class Pairs(unittest.TestCase):
    """Agreement on one pair of files after the other."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.pairs = self.accepted = 0
        self.faults = []
        # With DUET_TEST_COLLECT=FILE: pairs that only one clause refuses, for clauses that have none yet.
        self.collect = os.environ.get("DUET_TEST_COLLECT")
        self.missing = []
        if self.collect:
            known = {pair["clause"] for pair in load_pairs(self.collect)}
            self.missing = [(name, without(text, changed)) for name, text, changed in CLAUSES if name not in known]

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, value):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return self.path(name)

    def write_pair(self, pair):
        """The files of a kept pair, as the words of a command."""
        words = [self.write(name, pair[name]) for name in ("instance.json", "solution.json")] + pair["flags"]
        return words + (["--proof", self.write("proof", pair["proof"])] if "proof" in pair else [])

    def agree(self, label, words):
        """Both checkers accept, or both refuse."""
        mine, said = ours(words)
        code, reason = theirs(words)
        self.pairs += 1
        self.accepted += code == 0
        if 5 in (mine, code):
            return code
        if mine == code == 1 and self.missing:
            self.keep_refused(words)
        if (mine == 0) != (code == 0) or code not in (0, 1, 2, 3):
            keep = os.environ.get("DUET_TEST_KEEP")
            if keep:
                target = os.path.join(keep, re.sub("[^a-z0-9]+", "-", label))
                shutil.copytree(self.folder, target, dirs_exist_ok=True)
            self.differ(f"{label}: duet-check {mine} ({said!r}), duet verify {code} ({reason!r}): {' '.join(words)}")
        return code

    def keep_refused(self, words):
        """Keeps a pair for each clause without which it would be taken."""
        for name, checker in list(self.missing):
            try:
                if ours(words, checker)[0] != 0:
                    continue
            except Exception:  # what a checker without a clause does is of no matter
                continue
            self.missing = [pair for pair in self.missing if pair[0] != name]
            pair = {"clause": name, "flags": [word for word in words[2:] if word == "--strict"]}
            for part in ("instance.json", "solution.json", "proof"):
                if self.path(part) in words:
                    with open(self.path(part), encoding="utf-8") as file:
                        pair[part] = file.read()
            kept = load_pairs(self.collect) + [pair]
            with open(self.collect, "w", encoding="utf-8") as file:
                json.dump(kept, file, indent=1)
                file.write("\n")

    def differ(self, said):
        """A disagreement; all are told at the end."""
        self.faults.append(said)
        self.assertLess(len(self.faults), 20, "\n".join(self.faults))

    def solved(self, rng, kind):
        """An instance of a kind with a solution and perhaps a proof, all three written and read back."""
        while True:
            make, algorithms = KINDS[kind]
            instance = make(rng)
            self.write("instance.json", instance)
            algorithm = rng.choice(algorithms)
            for name in ("solution.json", "proof"):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))
            words = ["solve", self.path("instance.json"), "-a", algorithm, "-o", self.path("solution.json"), "-j", "1",
                     "-t", "2", "-q"]
            if algorithm == "exact":
                words += ["-O", "proof=" + self.path("proof")]
            done = duet(*words)
            if done.returncode == 0:
                with open(self.path("solution.json"), encoding="utf-8") as file:
                    solution = json.load(file)
                proof = None
                if os.path.exists(self.path("proof")):
                    with open(self.path("proof"), encoding="utf-8") as file:
                        proof = file.read()
                return instance, solution, proof
            self.assertIn(done.returncode, (2, 3, 4, 5), done.stderr)

    def tick(self, instance, solution):
        """The size of a tick, as a number that JSON can have."""
        read = duet_check.read_instance(self.path("instance.json"))
        read.finish([entry["count"] for entry in instance["platform"]], None, False)
        return 1 if read.places == 0 else 10.0 ** -read.places

    def compare(self, kind, rng, label):
        instance, solution, proof = self.solved(rng, kind)
        words = [self.path("instance.json"), self.path("solution.json")]
        with_proof = ["--proof", self.path("proof")] if proof else []
        strict = ["--strict"] if rng.random() < 0.5 else []
        self.assertEqual(self.agree(label, words + with_proof), 0, label)
        self.agree(label, words + strict)
        tick = self.tick(instance, solution)
        for index in range(PER_CASE):
            changed = copy.deepcopy(solution)
            if proof and rng.random() < 0.6:
                text = proof
                for _ in range(rng.choice((1, 1, 1, 2))):
                    text = change_proof(rng, text)
                self.write("proof", text)
                self.write("solution.json", changed)
                self.agree(f"{label} change {index}", words + with_proof + strict)
                self.write("proof", proof)
            elif rng.random() < 0.15:
                other = copy.deepcopy(instance)
                change_json(rng, other, 1)
                self.write("instance.json", other)
                self.write("solution.json", changed)
                self.agree(f"{label} change {index}", words + (with_proof if rng.random() < 0.5 else []) + strict)
                self.write("instance.json", instance)
            elif rng.random() < 0.3:
                self.write("solution.json", elsewhere(rng, changed))
                self.agree(f"{label} change {index}", words + strict)
            else:
                for _ in range(rng.choice((1, 1, 1, 2))):
                    change_json(rng, changed, tick)
                self.write("solution.json", changed)
                self.agree(f"{label} change {index}", words + strict)
        return solution

    def forge(self, kind, rng, label):
        """Forged certificates at the largest lambda that the second checker takes, and one above; forged proofs likewise."""
        instance, solution, _ = self.solved(rng, kind)
        read = duet_check.read_instance(self.path("instance.json"))
        read.finish([entry["count"] for entry in instance["platform"]], None, False)
        words = [self.path("instance.json"), self.path("solution.json")]
        makespan = int(round(solution["makespan"] * 10 ** read.places))
        for index in range(6):
            solution["certificate"] = forged_certificate(rng, instance, read)
            for value in self.sharp(makespan, lambda value: self.claim(solution, value, read, words)):
                self.claim(solution, value, read, words)
                self.agree(f"{label} certificate {index} {value}", words)
        solution.update(certificate={}, lower_bound=1, status="feasible")
        self.write("solution.json", solution)
        if read.moldable:
            return
        words += ["--proof", self.path("proof")]
        for index in range(6):
            lines = forged_lines(rng, read, makespan)
            lines = lines_that_hold(read, rng.randint(1, makespan + 1), lines) if rng.random() < 0.5 else lines
            head = f"graph {read.tasks} {len(read.edges)}"
            write = lambda value: self.write("proof", "\n".join(["duet-proof 1", f"bound {value}", head] + lines + ["end"]))
            for value in self.sharp(makespan, lambda value: write(value) and ours(words)[0] == 0):
                write(value)
                self.agree(f"{label} lines {index} {value}", words)
        for index in range(6):
            bound = max(1, makespan + rng.randint(-3, 1))
            self.write("proof", forged_tree(rng, read, bound))
            self.agree(f"{label} tree {index}", words)

    def claim(self, solution, value, read, words):
        scaled = value if read.places == 0 else value / 10 ** read.places
        solution["certificate"]["lambda"] = solution["lower_bound"] = scaled
        solution["status"] = "bounded"
        self.write("solution.json", solution)
        return ours(words)[0] == 0

    def sharp(self, makespan, holds):
        """The largest value up to the makespan that holds, by bisection, and the next one; a random one, too."""
        low, high = 0, makespan + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if holds(middle) else (low, middle)
        return [value for value in (low, high) if value > 0]

    def test_forged(self):
        """Certificates and proofs that nobody has found."""
        rng = random.Random(SEED + 1)
        while self.pairs < PAIRS:
            seed = rng.getrandbits(32)
            kind = rng.choice(list(KINDS))
            self.forge(kind, random.Random(seed), f"forged {kind} seed {seed}")
        if os.environ.get("DUET_TEST_VERBOSE"):
            print(f"{self.pairs} pairs, {self.accepted} accepted")
        self.assertEqual(self.faults, [], "\n" + "\n".join(self.faults))

    def test_changed(self):
        """What Duet makes, as it is and changed."""
        rng = random.Random(SEED)
        used = {}
        while self.pairs < PAIRS:
            seed = rng.getrandbits(32)
            kind = rng.choice(list(KINDS))
            solution = self.compare(kind, random.Random(seed), f"kind {kind} seed {seed}")
            used[solution["certificate"].get("proof")] = used.get(solution["certificate"].get("proof"), 0) + 1
        if os.environ.get("DUET_TEST_VERBOSE"):
            print(f"{self.pairs} pairs, {self.accepted} accepted, certificates {used}")
        self.assertEqual(self.faults, [], "\n" + "\n".join(self.faults))

    def test_kept(self):
        """Files that are kept: malformed solutions and proofs, small instances on which something was wrong once."""
        folder = os.path.join(ROOT, "tests", "invalid")
        with open(os.path.join(folder, "expected.tsv"), encoding="utf-8") as file:
            lines = [line.split("\t")[0].split() for line in file if line.startswith("verify ")]
        self.assertGreater(len(lines), 100)
        for words in lines:
            if "-" not in words:
                words = [os.path.join(folder, word) if word[0] != "-" and not word.isdigit() else word for word in words[1:]]
                self.agree("kept " + " ".join(words), words)
        regression = os.path.join(ROOT, "tests", "regression")
        files = [os.path.join(regression, name) for name in sorted(os.listdir(regression))]
        for source in files + [os.path.join(ROOT, "instances", "data", "cholesky-10.json")]:
            if source.endswith((".json", ".csv")):
                for algorithm in ("heft", "dualhp"):
                    done = duet("solve", source, "-a", algorithm, "-o", self.path("solution.json"))
                    if done.returncode == 0:
                        self.agree(f"kept {source} {algorithm}", [source, self.path("solution.json")])
        self.assertEqual(self.faults, [], "\n" + "\n".join(self.faults))

    def test_shapes(self):
        """Every way to write a solution has one exit code, with both checkers."""
        for instance, solution, code in SHAPES:
            words = [self.write("instance.json", instance), self.write("solution.json", solution)]
            with self.subTest(instance=instance, solution=solution):
                self.assertEqual((theirs(words)[0], ours(words)[0]), (code, code), (theirs(words), ours(words)))

    def test_orders(self):
        """What says an order or a size by words that are not of this format is read by one checker, refused by the other."""
        solution = self.write("solution.json", {"schedule": [dict(X, task=name, processor=at)
                                                                 for at, name in enumerate("xy")]})
        for word, value in (("successors", ["y"]), ("Depends_On", []), ("next", "y"), ("n-cores", 2), ("after", [])):
            task = {"id": "x", "times": [3], word: value}
            listed = {"platform": [{"type": "a", "count": 2}], "tasks": [task, {"id": "y", "times": [3]}]}
            with self.subTest(word=word):
                code, said = ours([self.write("instance.json", listed), solution])
                self.assertEqual((code, "duet convert" in said), (0, False) if word == "after" else (3, True), said)
        listed["links"] = [["x", "y"]]
        self.assertEqual(ours([self.write("instance.json", listed), solution])[0], 3)
        table = self.write("instance.csv", "id,a,Next\nx,3,4\ny,3,4\n")
        for words, code in ((["-k", "1"], 3), (["--columns", "a"], 3), (["--columns", "a,b=Next", "-k", "1"], 0)):
            self.assertEqual(ours([table, solution, "-m", "2"] + words)[0], code, words)

    def test_beside_the_command(self):
        """The second checker is called as where it is installed."""
        beside = os.path.join(os.path.dirname(DUET), "duet-check")
        self.assertTrue(os.access(beside, os.X_OK), beside)
        with open(beside, encoding="utf-8") as file, open(CHECKER, encoding="utf-8") as source:
            self.assertEqual(file.read(), source.read())

    def test_agreed(self):
        """Pairs on which the two checkers were of two minds once; `code` is what both say now."""
        for pair in load_pairs(AGREED):
            words = self.write_pair(pair)
            with self.subTest(about=pair["about"]):
                self.assertEqual((theirs(words)[0], ours(words)[0]), (pair["code"], pair["code"]), (theirs(words), ours(words)))

    def test_tables(self):
        """Schedules as tables, instances as tables, and the options that say how they are read."""
        whole = "task,type,processor,start,end\n"
        sets = "task,type,processors,start\n"
        times, laws = "id,a,b\nx,3,4\n", "id,work,alpha\nx,9,0.5\n"
        counted = "-m 1 -k 1".split()
        for instance, solution, words, code in (
                (times, whole + "x,a,0,0,3\n", counted, 0), (times, whole + "x,a,0,0,NA\n", counted, 3),
                (times, whole + "x,a,0,-5e-12,3\n", counted, 0), (times, whole + "x,a,0,-1,2\n", counted, 1),
                (times, whole + "x,a,0,0\n", counted, 3), (times, whole + "x,a,0,0,3,\n", counted, 0),
                (times, whole + "x,a,0,0,3,2\n", counted, 3), (times, whole + "x,a,1,0,3\n", counted, 1),
                (times, "task,type,processor,task\nx,a,0,x\n", counted, 3), (times, "name,type,processor\nx,b,0\n", counted, 0),
                ("id,1,2\nx,3,4\n", whole + "x,1,0,0,3\n", counted, 3), ("id,a,b\nx,3\n", whole + "x,a,0,0,3\n", counted, 3), (laws, sets + "x,cpu,0-1,0\n", ["-m", "2"], 0),
                (laws, sets + "x,cpu,0-1;,0\n", ["-m", "2"], 3), (laws, sets + "x,cpu,0;1,0\n", ["-m", "2"], 0),
                (laws, sets + "x,cpu,0-2,0\n", ["-m", "2"], 1), ("id,work,alpha\nx,9,inf\n", sets + "x,cpu,0,0\n", ["-m", "2"], 3),
                (times, whole + "x,a,0,0,3\n", ["--platform", "b=1,a=1"], 0),
                ('id,a,b\n" x",3,4\n', whole + '" x",a,0,0,3\n', counted, 0), ('id,a,b\n" x",3,4\n', whole + " x,a,0,0,3\n", counted, 1),
                ('id,a,b\n x ,3,4\n', whole + "x,a, 0,0,3\n", counted, 0), (times, whole + 'x,a," 0",0,3\n', counted, 3),
                (times, whole + "x,c,0,0,4\n", ["--columns", "d=a,c=b"] + counted, 0),
                (times, whole + "x,c,0,0,4\n", ["--columns", "d=a,c=e"] + counted, 3)):
            words = [self.write("instance.csv", instance), self.write("solution.csv", solution)] + words
            with self.subTest(instance=instance, solution=solution, words=words[2:]):
                self.assertEqual((theirs(words)[0], ours(words)[0]), (code, code), (theirs(words), ours(words)))

    def test_clauses(self):
        """Each clause is missed where it is left out: a kept pair, refused by both, would then be taken."""
        pairs = load_pairs(REFUSED)
        self.assertEqual(sorted(pair["clause"] for pair in pairs), sorted(name for name, _, _ in CLAUSES),
                         "each clause of clauses.py has a pair in refused.json, written by hand, or by this program with "
                         "DUET_TEST_COLLECT=tests/contract/refused.json DUET_TEST_PAIRS=10000")
        for name, text, changed in CLAUSES:
            with self.subTest(clause=name):
                pair = next(pair for pair in pairs if pair["clause"] == name)
                words = self.write_pair(pair)
                self.assertNotEqual(self.agree(f"clause {name}", words), 0)
                self.assertEqual(ours(words, without(text, changed))[0], 0)


if __name__ == "__main__":
    unittest.main()
