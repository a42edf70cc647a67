#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the answers of two builds of the command against each other, byte for byte.

    scripts/compare_releases.py BEFORE AFTER [--data ../shared/data] [--sets main,real,...] [--rounds 1] [-j 2]

BEFORE and AFTER are two `duet` commands. Each instance is solved by `exact` with a proof, limited by rounds, so that no
clock decides; schedule, bound, certificate, counters, proof file and what is printed must be the same. All other
algorithms and all bounds are held against each other on the small instances and the regression files. Sets:

  main        the 504 instances of `duet bench exact`
  real        the files of DATA/amaris on (20,4) and (9,3), as independent tasks
  unfamiliar  the files of DATA/unfamiliar
  regression  tests/regression and instances/data
  small       2,000 random instances of every family (--small changes the number)

Ends with 1 where an answer differs, and names it. With --keep FOLDER the answers of BEFORE are taken from there where they
are, and put there where they are not.
"""
import argparse
import atexit
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAIN = {"families": ("unif4", "unif2", "acc", "corr", "chol", "bimod"), "sizes": (10, 20, 50, 100, 200, 500, 1000),
        "platforms": ((2, 1), (4, 1), (4, 2), (8, 2), (20, 4), (64, 8)), "seeds": (1, 2)}
SECONDS = re.compile(r'^ *"seconds": [0-9.e+-]+,?\n|^time .*\n|"seconds": [0-9.e+-]+,?|elapsed .*', re.M)
# Without a limit of their own these may take hours, or leave it to the clock.
BY_CLOCK = ("auto", "ilp", "exact", "local-search")


def run(command, folder, stdin=None):
    done = subprocess.run(command, cwd=folder, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def digest(parts):
    made = hashlib.sha256()
    for part in parts:
        made.update(repr(part).encode())
    return made.hexdigest()[:24]


def without_seconds(data):
    return SECONDS.sub("", data.decode(errors="replace"))


class Case:
    """An instance, from a file or the generator, and what is asked of it."""

    def __init__(self, label, file=None, generate=None, platform=(), everything=False, rounds=1):
        self.label, self.file, self.generate = label, file, generate
        self.platform, self.everything, self.rounds = list(platform), everything, rounds

    def answers(self, duet):
        """A name and a digest for each thing that the command says of it."""
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            file = self.file
            if self.generate:
                file = os.path.join(folder, "instance.json")
                code, _, said = run([duet, "generate", *self.generate, "-o", file], folder)
                if code != 0:
                    return {"generate": digest([code, said])}
                with open(file, "rb") as made:
                    found["instance"] = digest([made.read()])
            code, out, said = run([duet, "solve", file, *self.platform, "-a", "exact", "-j", "1", "-O",
                                   f"rounds={self.rounds}", "-O", "proof=proof", "-o", "solution"], folder)
            found["exact: what is printed"] = digest([code, without_seconds(out), without_seconds(said)])
            for name in ("solution", "proof"):
                path = os.path.join(folder, name)
                text = b""
                if os.path.exists(path):
                    with open(path, "rb") as made:
                        text = made.read()
                found[f"exact: {name}"] = digest([without_seconds(text) if name == "solution" else text])
            if self.everything:
                found.update(self.every_algorithm(duet, file, folder))
        return found

    def every_algorithm(self, duet, file, folder):
        found = {}
        for entry in self.algorithms:
            code, out, said = run([duet, "solve", file, *self.platform, "-a", entry, "-j", "1", "--json"], folder)
            found[entry] = digest([code, without_seconds(out), without_seconds(said)])
        # A bound's work is deterministic, but for those that stop at a deadline: these instances are small.
        found["bounds"] = digest([without_seconds(part) if isinstance(part, bytes) else part for part in
                                  run([duet, "bound", file, *self.platform, "-b", "all", "--json"], folder)])
        return found

    algorithms = ()


def main_cases(rounds):
    for size in MAIN["sizes"]:
        for family in MAIN["families"]:
            for m, k in MAIN["platforms"]:
                for seed in MAIN["seeds"]:
                    n = size
                    if family == "chol":  # `duet bench exact` takes the fewest tiles with that many tasks
                        n = next(t for t in range(1, 100) if t + t * (t - 1) + t * (t - 1) * (t - 2) // 6 >= size)
                    yield Case(f"main {family}-{size} ({m},{k}) seed {seed}",
                               generate=[family, "-n", str(n), "-m", str(m), "-k", str(k), "--seed", str(seed)],
                               rounds=rounds)


def file_cases(kind, files, platforms, everything, rounds):
    for file in files:
        for platform in platforms:
            yield Case(f"{kind} {os.path.basename(file)} {' '.join(platform)}", file=os.path.abspath(file),
                       platform=platform, everything=everything, rounds=rounds)


def independent(after, files):
    """The same files without edges, which releases before task graphs ignored."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    for file in files:
        copy = os.path.join(folder.name, os.path.splitext(os.path.basename(file))[0] + ".json")
        code, _, error = run([after, "convert", os.path.abspath(file), "-q", "-O", "edges=false", "-o", copy], ".")
        if code != 0:
            sys.exit(error.decode())
        yield copy


def small_cases(number, families, rounds):
    random_numbers = random.Random(17)
    for i in range(number):
        family = random_numbers.choice(families)
        m, k = random_numbers.randint(1, 5), random_numbers.randint(1, 4)
        n = random_numbers.randint(1, 5 if family in ("chol", "lu", "qr") else 14)
        seed = random_numbers.randint(1, 10 ** 6)
        yield Case(f"small {i}: {family} -n {n} -m {m} -k {k} --seed {seed}",
                   generate=[family, "-n", str(n), "-m", str(m), "-k", str(k), "--seed", str(seed)], everything=True,
                   rounds=rounds)


def list_cases(options):
    sets = options.sets.split(",")
    listed = json.loads(run([options.before, "list", "--json"], ".")[1])
    Case.algorithms = [a["name"] for a in listed["algorithms"] if a["name"] not in BY_CLOCK]
    families = [f["name"] for f in listed["families"] if not f["name"].startswith("worst-")]
    both = (("-m", "20", "-k", "4"), ("-m", "9", "-k", "3"))
    if "small" in sets:
        yield from small_cases(options.small, families, options.rounds)
    if "regression" in sets:
        files = sorted(glob.glob(f"{SOURCE}/tests/regression/*.json") + glob.glob(f"{SOURCE}/instances/data/*.json"))
        yield from file_cases("regression", files, ((),), True, options.rounds)
    if "unfamiliar" in sets:
        yield from file_cases("unfamiliar", sorted(glob.glob(f"{options.data}/unfamiliar/*.json")), ((),), False, options.rounds)
    if "main" in sets:
        yield from main_cases(options.rounds)
    if "real" in sets:
        files = list(independent(options.after, sorted(glob.glob(f"{options.data}/amaris/*.txt"))))
        yield from file_cases("real", files, both, False, options.rounds)


class Answers:
    """Of the release of before, kept from run to run where a folder is given."""

    def __init__(self, duet, folder):
        self.duet, self.folder = duet, folder
        if folder:
            os.makedirs(folder, exist_ok=True)

    def of(self, case):
        if not self.folder:
            return case.answers(self.duet)
        with open(self.duet, "rb") as program:
            key = digest([program.read(), case.label, case.rounds, case.algorithms if case.everything else ()])
        path = os.path.join(self.folder, key)
        if not os.path.exists(path):
            text = json.dumps(case.answers(self.duet))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--data", default=os.path.join(SOURCE, "..", "shared", "data"))
    parser.add_argument("--sets", default="small,regression,unfamiliar,main,real")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--small", type=int, default=2000)
    parser.add_argument("--keep")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.before, options.after = os.path.abspath(options.before), os.path.abspath(options.after)
    before = Answers(options.before, options.keep)
    cases = list(list_cases(options))
    differing = compared = 0

    def look(case):
        return case, before.of(case), case.answers(options.after)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (case, old, new) in enumerate(pool.map(look, cases), 1):
            wrong = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
            compared += len(old)
            if wrong:
                differing += 1
                print(f"DIFFERS {case.label}: {', '.join(wrong)}", flush=True)
            if done % 100 == 0:
                print(f"{done} of {len(cases)} instances, {differing} differ", file=sys.stderr, flush=True)
    print(f"{len(cases)} instances, {compared} answers compared, {differing} instances differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
