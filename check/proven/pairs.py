# SPDX-License-Identifier: Apache-2.0
"""duet-proven agrees with `duet verify --strict` and duet-check on kept and on generated pairs of files.

    pairs.py DUET DUET_PROVEN [NUMBER [SEED]]

The pairs are those of tests/contract/test_two_checkers.py, solved, changed and forged, and with
proofs of searches. DUET_TEST_KIND chooses one kind of instances: those of KINDS there, or waits, independent tasks with
releases and busy processors, or plans, of whose tasks something is given.
Where duet-proven says "not judged", it has not accepted, and nothing is compared. A disagreement is
printed with its seed.
"""
import collections
import copy
import json
import os
import random
import subprocess
import sys
import tempfile

DUET, PROVEN = (os.path.abspath(word) for word in sys.argv[1:3])
NUMBER = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOT_JUDGED = 6

os.environ["DUET_COMMAND"] = DUET
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "contract"))
import test_two_checkers as made  # noqa: E402

folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
INSTANCE, SOLUTION, PROOF = (os.path.join(folder.name, name) for name in ("instance.json", "solution.json", "proof"))
counts = collections.Counter()
faults = []


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def code_of(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode


def compare(label, instance, solution, proof=None):
    write(INSTANCE, instance)
    write(SOLUTION, solution)
    if proof is not None:
        write(PROOF, proof)
    with_proof = ["--proof", PROOF] if proof is not None else []
    mine = code_of(PROVEN, INSTANCE, SOLUTION, *with_proof)
    theirs = code_of(DUET, "verify", INSTANCE, SOLUTION, "--strict", *with_proof)
    second = made.ours([INSTANCE, SOLUTION, "--strict", *with_proof])[0]
    what = "not judged" if mine == NOT_JUDGED else "limit" if 5 in (mine, theirs, second) else \
        "accepted" if mine == 0 else "refused" if mine in (1, 3) else "fault"
    counts[what] += 1
    if proof is not None:
        counts[f"  {what}: a proof"] += 1
        solution = {}
    try:
        certificate = json.loads(solution if isinstance(solution, str) else json.dumps(solution))["certificate"]
        counts[f"  {what}: {certificate.get('proof', 'no certificate')}"] += 1
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    agreed = what in ("not judged", "limit") or \
        (mine in (0, 1, 3) and (mine == 0) == (theirs == 0) and (mine == 0) == (second == 0))
    if not agreed:
        faults.append(label)
        print(f"FAIL {label}: duet-proven {mine}, duet verify {theirs}, duet-check {second}")
        keep = os.environ.get("DUET_TEST_KEEP")
        if keep:
            os.makedirs(keep, exist_ok=True)
            write(os.path.join(keep, f"{len(faults)}-instance.json"), instance)
            with open(SOLUTION, encoding="utf-8") as file:
                write(os.path.join(keep, f"{len(faults)}-solution.json"), file.read())
            if proof is not None:
                write(os.path.join(keep, f"{len(faults)}.proof"), proof)


def kept():
    """The pairs that the two checkers have been told apart by, as far as they have nothing but the two files."""
    for name in ("agreed", "refused"):
        with open(os.path.join(ROOT, "tests", "contract", name + ".json"), encoding="utf-8") as file:
            for pair in json.load(file):
                flags = pair["flags"] if isinstance(pair["flags"], list) else json.loads(pair["flags"])
                if set(flags) <= {"--strict"}:
                    compare(pair.get("about") or pair["clause"], pair["instance.json"], pair["solution.json"],
                            pair.get("proof"))


def solved(rng, instance, algorithms):
    """A solution by some algorithm, or none."""
    write(INSTANCE, instance)
    done = made.duet("solve", INSTANCE, "-a", rng.choice(algorithms), "-t", "0.2", "-q", "-o", SOLUTION)
    if done.returncode != 0:
        return None
    with open(SOLUTION, encoding="utf-8") as file:
        return json.load(file)


def forged(rng, instance, solution, read):
    """The solution with a random certificate, whose value is as large as it proves, or one more."""
    claim = made.forged_certificate(rng, instance, read)
    if claim["proof"] == "area" and rng.random() < 0.5:
        claim["from"] = round(rng.choice([0] + [float(time) for time in read.wait_times()]), 9)
    if claim["proof"] == "longest":  # a task, not a kind of several
        claim["task"] += "" if read.by_name[claim["task"]].count == 1 else "#0"
    tick = float(read.size)
    most = round(solution["makespan"] / tick)
    value, high = 0, most + 1
    while high - value > 1:
        middle = (value + high) // 2
        value, high = (middle, high) if certifies(read, claim, middle) else (value, middle)
    value = max(0, min(most, value + rng.choice((0, 0, 0, 1, -1))))
    changed = copy.deepcopy(solution)
    changed["certificate"] = {**claim, "lambda": round(value * tick, 9)}
    changed["lower_bound"] = round(value * tick, 9)
    changed["status"] = "optimal" if value == most else "bounded"
    return changed


def certifies(read, claim, value):
    try:
        return made.duet_check.check_certificate(read, {**exact(claim), "lambda": value * read.size}, value, True)
    except (made.duet_check.Refused, made.duet_check.Unreadable, made.duet_check.Limit):
        return False


def exact(claim):
    """A certificate as the second checker reads it from a file."""
    return made.duet_check.parse_json(json.dumps(claim))


def proofs(rng, label, instance, read, given):
    """Proofs of a search: as it is, changed, and forged, but where they are about the rest of what is given."""
    write(INSTANCE, instance)
    if os.path.exists(PROOF):
        os.remove(PROOF)
    done = made.duet("solve", INSTANCE, "-a", "exact", "-t", "0.2", "-q", "-O", "proof=" + PROOF, "-o", SOLUTION)
    if done.returncode != 0 or not os.path.exists(PROOF) or os.path.getsize(PROOF) == 0:
        return
    with open(SOLUTION, encoding="utf-8") as file:
        solution = json.load(file)
    with open(PROOF, encoding="utf-8") as file:
        text = file.read()
    solution["certificate"] = {}
    compare(label + ", proof", instance, solution, text)
    for at in range(5):
        compare(f"{label}, proof {at}", instance, solution, made.change_proof(rng, text))
    most = max(1, round(solution["makespan"] / float(read.size)))
    if given:
        return
    if read.edges:
        solution.update(lower_bound=float(read.size), status="feasible")
        for at in range(3):
            forge_lines(rng, f"{label}, forged lines {at}", instance, solution, read, most)
        return
    for at in range(3):
        bound = max(1, most - rng.choice((0, 0, 1, 2)))
        solution["lower_bound"] = round(bound * float(read.size), 9)
        solution["status"] = "optimal" if bound == most else "bounded"
        compare(f"{label}, forged proof {at}", instance, solution, made.forged_tree(rng, read, bound))


LINES = ("heads", "tails", "path", "ancestors", "descendants", "energy", "gather", "scatter", "lp", "suppose", "end",
         "shift", "twins", "before", "behind", "timed")


def forged_nogoods(rng, read, most):
    """What a search that learned might have found out, of random rules: without literals, or with few."""
    size, types = read.tasks, len(read.types)
    task = lambda: str(rng.randrange(size))
    type_of = lambda: rng.randrange(types)
    time = lambda: str(rng.randint(0, most + 2))
    edge = lambda: str(rng.randrange(len(read.edges)))

    def processor(t):
        return f"{t} {rng.randrange(max(1, min(read.counts[t], size)))}"

    def literal():
        i, j, no = task(), task(), rng.choice(("", "not-"))
        return rng.choice((f"{rng.choice(('on', 'off'))} {i} {type_of()}",
                           f"{rng.choice(('start-by', 'start-after', 'end-by', 'end-after'))} {i} {time()}",
                           f"{no}order {i} {j}", f"{no}at {i} {processor(type_of())}", f"{no}same {edge()}"))

    def rule():
        prices = " ".join(str(rng.randint(0, 2)) for _ in range(types))
        some = rng.sample(range(size), rng.randint(1, size))
        return rng.choice((f"task {task()}", f"edge {edge()}", f"order {task()} {task()}", f"same {edge()}",
                           f"forbidden {type_of()} {len(some)} {' '.join(map(str, some))}",
                           f"share {task()} {task()} {processor(type_of())}", f"number {task()} {processor(type_of())}",
                           f"overload {time()} {time()} {prices}", f"load {time()} {time()} {processor(type_of())}",
                           f"nogood {rng.randint(0, 1)}"))

    lines = []
    for _ in range(rng.randint(4, 12)):
        literals = [literal() for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        steps = [f"{rule()} {literal()}" for _ in range(rng.choice((0, 0, 1)))]
        lines.append(f"nogood {len(literals)} {' '.join(literals)} {len(steps)} {' '.join(steps)} {rule()}")
    return ["learn 0"] + lines


def forged_chains(rng, read):
    """A path of edges, rows between its points, and a tree of cases with small multipliers; at times a wrong number."""
    size, types = read.tasks, len(read.types)
    heads = {}
    for u, v, *_ in read.edges:
        heads.setdefault(u, []).append(v)
    walk = [rng.randrange(size)]
    while walk[-1] in heads and rng.random() < 0.8:
        walk.append(rng.choice(heads[walk[-1]]))
    last = 2 * len(walk) + 1
    words = lambda *all_: " ".join(map(str, all_))
    lines = [words("chains", rng.randrange(types), len(walk), *walk)]
    rows = rng.randint(1, 4)
    for _ in range(rows):
        i = rng.randrange(len(walk))
        k = rng.randrange(i, len(walk))
        a, b = rng.choice((0, 0, 2 * i + 1)), rng.choice((last, last, 2 * k + 2))
        if rng.random() < 0.6:
            lines.append(words("work", a, b, *(rng.randint(0, 2) for _ in range(types))))
        else:
            lines.append(words("path", a, b, k - i + 1, *walk[i:k + 1]))
    sets = rng.randint(0, 2)
    for _ in range(sets):
        several = [rng.randrange(size) for _ in range(rng.randint(1, size))]
        lines.append(words("set", len(several), *several))

    def tree(depth, opened):
        kind = rng.choice(("price", "on", "count") if depth else ("price",))
        if kind == "on":
            lines.append(words("on", rng.randrange(size)))
        elif kind == "count" and sets:
            lines.append(words("count", rng.randrange(sets), rng.randint(0, 2)))
        else:
            pairs = [n for r in range(rows) for n in (r, rng.choice((0, 1, 1, 2)))]
            lines.append(words("price", rows, *pairs, *(rng.randint(0, 2) for _ in range(opened))))
            return
        for _ in range(2):
            tree(depth - 1, opened + (kind == "count"))

    tree(rng.randint(0, 2), 0)
    if rng.random() < 0.2:
        at = rng.randrange(len(lines))
        changed = lines[at].split()
        where = rng.randrange(1, len(changed))
        changed[where] = str(max(0, int(changed[where]) + rng.choice((-1, 1, 2))))
        lines[at] = " ".join(changed)
    return lines


def forge_lines(rng, label, instance, solution, read, most):
    """A proof of random lines that duet-proven reads: at the largest bound that they prove, and one above."""
    kept = []
    if rng.random() < 0.4:
        largest_bounds(label, instance, solution, read, most, forged_chains(rng, read) + ["end"])
        return
    learned = rng.random() < 0.5
    for line in forged_nogoods(rng, read, most) if learned else made.forged_lines(rng, read, most):
        if learned or line.split()[0] in LINES:
            kept.append(line)
    if learned or rng.random() < 0.5:
        kept = made.lines_that_hold(read, rng.randint(1, most + 1), kept)
    largest_bounds(label, instance, solution, read, most, kept + (["end"] if learned else []))


def largest_bounds(label, instance, solution, read, most, kept):
    """A proof of the largest bound that the lines prove, and of one more."""
    text = lambda bound: "\n".join(["duet-proof 1", f"bound {bound}", f"graph {read.tasks} {len(read.edges)}"] + kept +
                                   ["end", ""])
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if proves(read, text(middle)) else (low, middle)
    for bound in {max(low, 1), high}:
        compare(label, instance, solution, text(bound))


def proves(read, text):
    try:
        made.duet_check.check_proof(read, text)
        return True
    except (made.duet_check.Refused, made.duet_check.Unreadable, made.duet_check.Limit):
        return False


def read_back(instance):
    write(INSTANCE, instance)
    read = made.duet_check.read_instance(INSTANCE)
    read.finish(list(read.counts), None, False)
    return read


def waits(rng, instance):
    """Releases and busy processors, in the times of the instance."""
    times = [time for task in instance["tasks"] for time in task.get("times", [3]) if isinstance(time, (int, float))]
    some = lambda: rng.choice((0, rng.choice(times or [1]), rng.choice(times or [1])))
    for task in instance["tasks"]:
        if rng.random() < 0.4:
            task["release"] = some()
    for kind in instance["platform"]:
        if rng.random() < 0.4:
            kind["busy"] = [some() for _ in range(rng.randint(0, kind["count"]))]


def plans(rng, instance):
    """What is given of some tasks, as a schedule of the instance has it or not, and processors that are lost."""
    if any(task.get("count", 1) != 1 for task in instance["tasks"]):
        return False
    solution = solved(rng, instance, ("auto", "heft"))
    if solution is None:
        return False
    entries = sorted(solution["schedule"], key=lambda entry: entry["start"])
    cut = rng.choice(entries)["start"] if entries else 0
    rarely = lambda: rng.random() < 0.1
    fixed = []
    for entry in entries:
        pin = {name: entry[name] for name in ("task", "type", "processor", "start")}
        if entry["start"] >= cut or rarely():
            if rng.random() < 0.8:
                continue
            for name in rng.choice((("start",), ("processor",), ("type", "processor"), ("processor", "start"))):
                del pin[name]
        elif rng.random() < 0.6 or rarely():
            pin["end"] = entry["end"] + rng.choice((0, 0, 0, 1, 2))
        if rarely() and "start" in pin:
            pin["start"] = max(0, pin["start"] + rng.choice((-1, 1, 3)))
        fixed.append(pin)
    instance["fixed"] = fixed
    for kind in instance["platform"]:
        if rng.random() < 0.3 and kind["count"] > 0:
            kind["without"] = rng.sample(range(kind["count"]), rng.randint(0, kind["count"] - 1))
    return True


def generated():
    done, case = 0, 0
    while done < NUMBER:
        case += 1
        rng = random.Random(f"{SEED} {case}")
        kind = os.environ.get("DUET_TEST_KIND") or \
            rng.choice(("independent", "graph") * 3 + ("tables", "laws", "moldable graph"))
        given = kind == "plans" or (kind == "graph" and rng.random() < 0.1)
        kind = "graph" if kind == "plans" else kind
        make, algorithms = made.KINDS["independent" if kind == "waits" else kind]
        instance = make(rng)
        waiting = kind == "waits" or rng.random() < 0.25
        if waiting:
            waits(rng, instance)
            algorithms = "auto heft exact".split() if kind in ("waits", "independent", "graph") else ("auto", "m-heft")
        if given:
            algorithms = ("auto", "heft", "exact")
            if not plans(rng, instance):
                continue
        solution = solved(rng, instance, algorithms)
        if solution is None:
            continue
        label = f"seed {SEED}, case {case}"
        compare(label + ", solved", instance, solution)
        read = read_back(instance)
        tick = float(read.size)
        tick = int(tick) if tick == int(tick) else tick
        for at in range(8):
            changed = copy.deepcopy(solution)
            for _ in range(rng.choice((1, 1, 2))):
                made.change_json(rng, changed, tick)
            compare(f"{label}, change {at}", instance, changed)
        for at in range(0 if given else 6 if kind in ("waits", "independent", "graph") else 10):
            forgery = forged(rng, instance, solution, read)
            if forgery is not None:
                compare(f"{label}, forgery {at}", instance, forgery)
        if rng.random() < 0.6 and kind in ("waits", "independent", "graph"):
            proofs(rng, label, instance, read, given)
        done = sum(n for what, n in counts.items() if not what.startswith(" "))


kept()
if not counts["accepted"] or not counts["refused"]:
    faults.append("the kept pairs are not read")
generated()
for what in sorted(counts):
    print(f"{what} {counts[what]}")
print("ok" if not faults else f"{len(faults)} disagreements")
sys.exit(1 if faults else 0)
