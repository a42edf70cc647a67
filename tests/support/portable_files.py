# SPDX-License-Identifier: Apache-2.0
"""Writes what the command makes of a fixed set of questions, to be compared with what it makes elsewhere. Usage:

    DUET=COMMAND portable_files.py FOLDER

Instances of every family in every format, schedules of every algorithm that no clock ends, their verdicts, bounds,
proofs, simulations, traces, pictures and pages: a file for each, and the streams and exit codes of all in `said`.
Times that were measured are struck out, and what the clock ends; nothing else is.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

DUET = os.environ["DUET"]
SIZES = {"chol": 4, "lu": 4, "qr": 3, "worst-heteroprio": 1}  # others: SIZE
SIZE = 14
SMALL = 7  # for `exact`, on three processors; moldable tasks: 5
MOLDABLE = ("amdahl", "downey", "tables", "platform")
# Until the deadline, or as long as a part of it lasts; `exact` has smaller instances.
BY_CLOCK = ("graph-search", "local-search", "ilp", "auto", "exact")
BOUNDS_BY_CLOCK = ("branching", "shaving", "timed", "interval", "chains")
MEASURED = [(re.compile(rb'"(\w*seconds)": [-+.e0-9]+'), rb'"\1": 0'), (re.compile(rb"time   .*"), rb"time"),
            (re.compile(rb" in [0-9.]+ m?s\b"), b""), (re.compile(rb"[0-9]+\.[0-9]+ m?s\b"), b"-")]


# What `show` says of bounds, each of which it gives a second.
JUDGED = [(re.compile(rb"(?m)^(lower bound|gap|status) .*"), rb"\1")]


def strike_out(content, patterns=()):
    for pattern, instead in MEASURED + list(patterns):
        content = pattern.sub(instead, content)
    return content


def ask(said, *arguments, files=(), patterns=()):
    """One command; its exit code."""
    run = subprocess.run([DUET, *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=3000)
    said.append(b"$ duet " + " ".join(arguments).encode() + b"\n" + strike_out(run.stdout + run.stderr, patterns) +
                b"exit code %d\n" % run.returncode)
    for name in files:
        if os.path.exists(name):
            with open(name, "rb") as file:
                content = file.read()
            with open(name, "wb") as file:
                file.write(strike_out(content))
    return run.returncode


def names(what):
    run = subprocess.run([DUET, "list", what, "--json"], capture_output=True, check=True)
    return [entry["name"] for entry in json.loads(run.stdout)]


def solve(said, instance, algorithm):
    base = f"{instance}.{algorithm}"
    if ask(said, "solve", f"{instance}.json", "-a", algorithm, "-j", "1", "-t", "36000", "-q", "-o", f"{base}.solution.json",
           files=[f"{base}.solution.json"]) == 0:
        ask(said, "verify", f"{instance}.json", f"{base}.solution.json")
        ask(said, "show", f"{instance}.json", f"{base}.solution.json", "--summary", "-o", f"{base}.csv",
            patterns=JUDGED)


def prove(said, family, seed):
    small = f"{family}-{seed}-small"
    size = SIZES.get(family, 5 if family in MOLDABLE else 3 if family.startswith("worst-") else SMALL)
    if ask(said, "generate", family, "-n", str(size), "--seed", seed, "-o", f"{small}.json") != 0:
        return
    options = ["-a", "exact", "-j", "1", "-t", "36000", "-q"]
    if size > 4:
        options += ["-m", "2", "-k", "1"]
    solution = f"{small}.solution.json"
    ask(said, "solve", f"{small}.json", *options, "-O", f"proof={small}.proof", "-o", solution, files=[solution])
    if not os.path.exists(solution):
        ask(said, "solve", f"{small}.json", *options, "-o", solution, files=[solution])
    ask(said, "verify", f"{small}.json", solution, *options[7:], "--strict")


def questions_of(family, algorithms, bounds):
    said = []
    for seed in ("0", "1"):
        instance = f"{family}-{seed}"
        size = str(SIZES.get(family, 4 if family.startswith("worst-") else SIZE))
        if ask(said, "generate", family, "-n", size, "--seed", seed, "-o", f"{instance}.json") != 0:
            continue
        for ending in ("csv", "dot"):
            ask(said, "convert", f"{instance}.json", "-o", f"{instance}.{ending}")
        if seed != "0":
            continue
        for algorithm in algorithms:
            solve(said, instance, algorithm)
        for bound in bounds:
            ask(said, "bound", f"{instance}.json", "-b", bound, "-j", "1", "-q", "--json")
        ask(said, "solve", f"{instance}.json", "-a", "heft", "-q", "--gantt", f"{instance}.svg", "--trace", f"{instance}.paje")
        ask(said, "simulate", f"{instance}.json", "-a", "heft", "-j", "1", "--runs", "5", "--noise", "uniform:0.25", "--csv",
            f"{instance}.simulated.csv")
        prove(said, family, seed)
    return b"".join(said)


def main():
    os.chdir(sys.argv[1])
    algorithms = [name for name in names("algorithms") if name not in BY_CLOCK]
    bounds = [name for name in names("bounds") if name not in BOUNDS_BY_CLOCK]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda family: questions_of(family, algorithms, bounds), names("families"))
        with open("said", "wb") as file:
            file.write(b"".join(answers))


main()
