# SPDX-License-Identifier: Apache-2.0
"""How well Duet plans in a running world, on random instances: a line each for independent tasks with and without
releases, large ones, a plan that is half executed, and sizing. `DUET_TEST_SEED` draws others, `DUET_TEST_MEASURES` has
so many of each, and `DUET_TEST_SECONDS` is the time limit of a run. Exit code 1 where a claim is false.
"""
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

DUET = os.environ["DUET_COMMAND"]
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
COUNT = int(os.environ.get("DUET_TEST_MEASURES", "20"))
SECONDS = os.environ.get("DUET_TEST_SECONDS", "10")
FOLDER = tempfile.mkdtemp()


def path(name):
    return os.path.join(FOLDER, name)


def run(*words):
    """What a command prints, and the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([DUET, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def write(name, instance):
    with open(path(name), "w", encoding="utf-8") as file:
        json.dump(instance, file)
    return path(name)


def independent(draw, tasks, counts, largest, relation):
    """Times that are alike on all types ("strong"), somewhat ("weak"), or not at all; later types are faster."""
    found = []
    for j in range(tasks):
        base = draw.randint(largest // 10, largest)
        times = [max(1, round(base * draw.uniform(0.6, 1.6) / (1 + 2 * t)) if relation == "weak" else
                     base // (1 + 2 * t) + draw.randint(0, largest // 20) if relation == "strong" else
                     draw.randint(1, largest)) for t in range(len(counts))]
        found.append({"id": f"j{j}", "times": times})
    return {"platform": [{"type": f"t{t}", "count": count} for t, count in enumerate(counts)], "tasks": found}


def with_waits(draw, instance, releases, busy):
    """A copy with that many different releases, 0 among them, and busy processors."""
    late = json.loads(json.dumps(instance))
    places = [(t, p) for t, entry in enumerate(late["platform"]) for p in range(entry["count"])]
    area = sum(min(task["times"]) for task in late["tasks"]) // len(places)
    known = [0, *(draw.randint(1, area) for _ in range(releases - 1))]
    for task in late["tasks"]:
        task["release"] = draw.choice(known)
    for t, p in draw.sample(places, busy):
        entry = late["platform"][t]
        entry.setdefault("busy", [0] * entry["count"])[p] = draw.randint(1, area)
    return late


def proven(name, instance):
    text, seconds = run("solve", write(name, instance), "-a", "exact", "-t", SECONDS, "--json", "-o", "-")
    solution = json.loads(text)
    return solution["status"] == "optimal", solution["makespan"] / solution["lower_bound"] - 1, seconds


def measure_exact(draw):
    """60 tasks on 8 + 4 + 2 processors, 5 releases, 2 busy processors."""
    found = {"without": [0, 0.0, 0.0], "with": [0, 0.0, 0.0]}
    lost = 0
    for i in range(COUNT):
        plain = independent(draw, 60, [8, 4, 2], draw.choice([100, 200]), draw.choice(["none", "weak", "strong"]))
        late = with_waits(draw, plain, 5, 2)
        solved = {}
        for key, instance in (("without", plain), ("with", late)):
            solved[key], gap, seconds = proven(f"{key}{i}.json", instance)
            found[key][0] += solved[key]
            found[key][1] = max(found[key][1], gap)
            found[key][2] += seconds
        lost += solved["without"] and not solved["with"]
    for key, (solved, gap, seconds) in found.items():
        print(f"60 tasks, {key} releases: {solved} of {COUNT} proven in {SECONDS} s, largest gap {100 * gap:.2f} %, "
              f"{seconds / COUNT:.2f} s of processor time in the mean", flush=True)
    print(f"60 tasks: {lost} of {COUNT} proven without releases alone", flush=True)
    return True


def measure_large(draw):
    gaps = []
    for i in range(max(1, COUNT // 4)):
        plain = independent(draw, 1000, [20, 6, 2], 1000, draw.choice(["none", "weak", "strong"]))
        gaps.append(proven(f"large{i}.json", with_waits(draw, plain, 5, 4))[1])
    print(f"1,000 tasks: gaps of at most {100 * max(gaps):.2f} % in {SECONDS} s ({len(gaps)} instances)", flush=True)
    return True


def measure_replanning(draw):
    """A Cholesky factorisation of 220 tasks, planned by one rule and half executed."""
    run("generate", "chol", "-n", 10, "-m", 8, "-k", 2, "-O", "edges=true", "-o", path("graph.json"))
    fine, longest = True, 0.0
    for rule in ("eft", "heft", "hlp"):
        run("solve", path("graph.json"), "-a", rule, "-o", path("plan.json"))
        with open(path("plan.json"), encoding="utf-8") as file:
            planned = json.load(file)["makespan"]
        text, seconds = run("solve", path("graph.json"), "--start-from", path("plan.json"), "--now", planned // 2, "-t", 0.1, "--json",
                            "-o", "-")
        again = json.loads(text)["makespan"]
        fine, longest = fine and again <= planned, max(longest, seconds)
        print(f"replanning {rule}: {planned} before, {again} after, {seconds:.2f} s of processor time", flush=True)
    return fine


def measure_sizing(draw):
    """The answer of `size` against a solve of each platform, and its time against three of these."""
    equal, quick = 0, 0
    for i in range(COUNT):
        instance = with_waits(draw, independent(draw, 12, [3, 2], 60, draw.choice(["none", "weak", "strong"])), 3, 0)
        name = write(f"size{i}.json", instance)
        deadline = json.loads(run("solve", name, "-a", "exact", "--json", "-o", "-")[0])["makespan"] + draw.randint(0, 40)
        text, taken = run("size", name, "--deadline", deadline, "--platform", "t0=0..4,t1=0..3", "--json")
        makes, times = [], []
        for counts in itertools.product(range(5), range(4)):
            if sum(counts) > 0:
                out, seconds = run("solve", name, "--platform", f"t0={counts[0]},t1={counts[1]}", "-a", "exact", "--json", "-o", "-")
                times.append(seconds)
                makes += [counts] if out and json.loads(out)["makespan"] <= deadline else []
        least = {a for a in makes if not any(b != a and b[0] <= a[0] and b[1] <= a[1] for b in makes)}
        equal += least == {(entry["t0"], entry["t1"]) for entry in json.loads(text)["smallest"]}
        quick += taken <= 3 * sum(times) / len(times)
    print(f"sizing: {equal} of {COUNT} as by brute force, {quick} in less than three solves", flush=True)
    return equal == COUNT


def main():
    good = True
    for measure in (measure_replanning, measure_sizing, measure_large, measure_exact):
        if len(sys.argv) < 2 or measure.__name__[len("measure_"):] in sys.argv[1:]:
            good = measure(random.Random(SEED)) and good
    return 0 if good else 1


sys.exit(main())
