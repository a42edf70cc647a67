#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a build computes on a kept set, one line a result: to see that a change of the code changes none.

    tests/kept.py build/release/bin/duet >before    # then change the code, build, and again
    tests/kept.py build/release/bin/duet >after; diff before after

Each line has a digest and the command that it is of: schedules of every algorithm that takes the instance, bounds with
their certificates, proofs, tables of `compare`, and files of every format, without seconds and versions. Nothing here
depends on the clock: there is no -t, one thread, and instances are small. Not in CI: libraries of other versions give
other vertices of a linear program.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SEEDS = range(1, 4)
# Families with what makes them small: independent tasks, task graphs, moldable tasks.
FAMILIES = [
    "uniform -n 12 -m 3 -k 2", "unif2 -n 10 -m 2 -k 1", "corr -n 14 -m 3 -k 2", "bimod -n 12 -m 2 -k 2", "acc -n 16 -m 4 -k 2",
    "chol -n 5 -m 3 -k 1", "lu -n 4 -m 2 -k 2", "qr -n 4 -m 3 -k 1", "mixed -n 12",
    "mixed -n 14 --platform cpu=2,gpu=2,gpu2=1", "mixed -n 10 --platform cpu=1,gpu=1,gpu2=1,gpu3=1",
    "layered -n 12 -m 2 -k 1", "daggen -n 14 -m 3 -k 1", "series-parallel -n 12 -m 2 -k 1", "fork-join -n 12 -m 2 -k 2",
    "chains -n 10 -m 2 -k 1", "mixed-graph -n 12", "chol -n 4 -m 2 -k 1 -O edges=true",
    "amdahl -n 8 -m 6 -k 2", "downey -n 8 -m 5", "tables -n 8 -m 4 -k 2", "platform -n 8",
]
FORMATS = ("json", "csv", "dot", "plain")


def run(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def timeless(text):
    """The same without what the clock and the version say."""
    text = re.sub(r'"(seconds|time|version|threads)": *("[^"]*"|[-+.e0-9]+)', r'"\1": 0', text)
    return text.replace(os.getcwd(), ".")


def say(words, text):
    print(hashlib.sha256(timeless(text).encode()).hexdigest()[:16], " ".join(words), flush=True)


def algorithms(duet):
    listed = json.loads(run([duet, "list", "--json"])[1])
    return [row["name"] for row in listed["algorithms"]], [row["name"] for row in listed["bounds"]]


def keep(duet, label, file, rows, bounds):
    """All results on one instance."""
    for row in rows:
        words = ["solve", file, "-a", row, "-j", "1", "-o", "-", "-q"] + (["-O", "proof=proof.txt"] if row == "exact" else [])
        code, text = run([duet] + words)
        say([label, "solve", row, str(code)], text if code == 0 else "")
        if code == 0 and row == "exact" and os.path.exists("proof.txt"):
            with open("proof.txt", encoding="utf-8") as proof:
                say([label, "proof"], proof.read())
            os.remove("proof.txt")
    for bound in bounds:
        code, text = run([duet, "bound", file, "-b", bound, "-j", "1", "--json", "-q"])
        say([label, "bound", bound, str(code)], text if code == 0 else "")
    for form in FORMATS:
        code, text = run([duet, "convert", file, "--format", form, "-q"])
        say([label, "convert", form, str(code)], text if code == 0 else "")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/kept.py COMMAND")
    duet = os.path.abspath(sys.argv[1])
    rows, bounds = algorithms(duet)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for family in FAMILIES:
            for seed in SEEDS:
                code, text = run([duet, "generate"] + family.split() + ["--seed", str(seed), "-o", "kept.json"])
                if code != 0:
                    sys.exit(f"{family}: {text}")
                keep(duet, f"{family} seed {seed}:", "kept.json", rows, bounds)
        data = os.path.join(ROOT, "instances", "data", "cholesky-10.json")
        keep(duet, "cholesky-10:", data, [row for row in rows if row not in ("exact", "graph-search")], bounds)


if __name__ == "__main__":
    main()
