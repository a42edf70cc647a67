#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line and branch coverage of the library, after the tests have run in a build with DUET_COVERAGE.

    scripts/coverage.py build/coverage              the folders of the library, and its files below 95 %
    scripts/coverage.py build/coverage check/schedule.c the lines of a file that nothing ran
"""
import collections
import json
import os
import subprocess
import sys

FOLDERS = ("core", "instances", "lp", "dp", "heuristics", "solvers", "report")
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def gcda_files(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcda"):
                yield os.path.join(folder, name)


def read(build):
    """Per source file: how often each line ran, and each branch of it."""
    lines = collections.defaultdict(collections.Counter)
    branches = collections.defaultdict(collections.Counter)
    for data in gcda_files(build):
        text = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", data], check=True,
                              capture_output=True, cwd=os.path.dirname(data)).stdout
        for document in map(json.loads, text.splitlines()):
            for file in document["files"]:
                place = os.path.join(document["current_working_directory"], file["file"])
                path = os.path.relpath(os.path.normpath(place), SOURCE)
                for line in file["lines"]:
                    lines[path][line["line_number"]] += line["count"]
                    for i, branch in enumerate(line["branches"]):
                        branches[path][line["line_number"], i] += branch["count"]
    return lines, branches


def share(counters):
    total = sum(len(c) for c in counters)
    ran = sum(1 for c in counters for n in c.values() if n > 0)
    return ran, total, 100.0 * ran / total if total else 0.0


def main():
    build = os.path.abspath(sys.argv[1])
    lines, branches = read(build)
    for path in sys.argv[2:]:
        print(path, *(n for n in sorted(lines[path]) if lines[path][n] == 0))
    if len(sys.argv) > 2:
        return 0
    files = sorted(p for p in lines if p.split(os.sep)[0] in FOLDERS)
    print(f"{'':14}{'lines':>22}{'branches':>24}")
    for name in FOLDERS + ("library",):
        inside = [p for p in files if name in ("library", p.split(os.sep)[0])]
        ran, total, percent = share([lines[p] for p in inside])
        taken, ways, way_percent = share([branches[p] for p in inside])
        print(f"{name:12}{ran:8} of {total:6} {percent:5.1f} %{taken:8} of {ways:6} {way_percent:5.1f} %")
    for path in files:
        ran, total, percent = share([lines[path]])
        if percent < 95:
            print(f"  {path:36}{ran:5} of {total:5} {percent:5.1f} %")
    return 0 if share([lines[p] for p in files])[2] >= 95 else 1


if __name__ == "__main__":
    sys.exit(main())
