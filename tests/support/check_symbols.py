#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls run one way, as imports do: judged by the symbols of the objects, since public headers are no hole.

    check_symbols.py BUILD FOLDER=ALLOWED,... ...      in the source folder

The objects of FOLDER, among those of the build, name symbols of the ALLOWED folders alone, each a folder or a file
without its ending. Symbols of other libraries are of no matter. Nor do files call each other in a circle, but for the
algorithms that run others by the registry. Ends with 1 where a call breaks this, with 77 where there are no objects or
no nm.
"""
import collections
import os
import re
import shutil
import subprocess
import sys


def objects(build):
    """Objects, and the source files that they are made from, without their endings."""
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            found = re.search(r"^(?:(\w+)/)?CMakeFiles/\w+\.dir/(.+)\.c\.o$", os.path.relpath(path, build))
            source = found and os.path.join(found.group(1) or "", found.group(2))
            if found and found.group(1) != "tests" and os.path.exists(source + ".c"):  # no object of a file that is gone
                yield path, source


def symbols(sources):
    """Of all objects, by paths: (source, name, whether it defines it; else it takes it from another)."""
    paths = sorted(sources)
    for at in range(0, len(paths), 200):
        told = subprocess.run(["nm", "-g", "-A"] + paths[at:at + 200], stdout=subprocess.PIPE, check=True, text=True).stdout
        for line in told.splitlines():
            path, _, rest = line.partition(".o:")
            words = rest.split()
            yield sources[path + ".o"], words[-1], words[-2] != "U"


def circles(calls):
    """The sets of files that reach each other, by Tarjan's algorithm without recursion."""
    number, low, stack, open_ones = {}, {}, [], set()
    for start in sorted(calls):
        path = [] if start in number else [(start, iter(sorted(calls[start])))]
        while path:
            file, rest = path[-1]
            if file not in number:
                number[file] = low[file] = len(number)
                stack.append(file)
                open_ones.add(file)
            for other in rest:
                if other not in number:
                    path.append((other, iter(sorted(calls[other]))))
                    break
                if other in open_ones:
                    low[file] = min(low[file], number[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[file])
                if low[file] == number[file]:
                    at = stack.index(file)
                    yield stack[at:]
                    open_ones.difference_update(stack[at:])
                    del stack[at:]


def main():
    if shutil.which("nm") is None:
        sys.exit(77)
    allowed = {folder: folders.split(",") for folder, _, folders in (word.partition("=") for word in sys.argv[2:])}
    home, taken = {}, collections.defaultdict(set)
    for source, name, defines in symbols(dict(objects(sys.argv[1]))):
        if defines:
            home[name] = source
        else:
            taken[source].add(name)
    if not taken:
        sys.exit(77)
    faults = 0
    for source in sorted(taken):
        for name in sorted(taken[source]):
            there = home.get(name)
            folders = allowed.get(source.split("/")[0])
            if there and folders and not any((there + "/").startswith(folder + "/") for folder in folders):
                print(f"FAIL {source}.c calls {name}() of {there}.c")
                faults += 1
    calls = {source: {home[name] for name in names if name in home} - {source} for source, names in taken.items()}
    for source in list(home.values()):
        calls.setdefault(source, set())
    for circle in circles(calls):
        if len(circle) > 1 and "solvers/registry" not in circle:
            print(f"FAIL files that call each other in a circle: {' '.join(sorted(circle))}")
            faults += 1
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
