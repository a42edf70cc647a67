#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shapes that the house holds: functions of at most 50 lines, structs of at most three flags.

    check_shapes.py FILE...      C files and headers

A function's lines are those from its name to the closing brace. A flag is a member of type bool; arrays of them and
pointers are data. Ends with 1 where a file breaks this, or spells out the larger or smaller of two numbers
(core/number/minmax.h; kernels of one width and what includes public headers alone may), and names the place.
"""
import re
import sys

FUNCTION, FLAGS = 50, 3
SPELLED = re.compile(r"^(core/number/minmax\.h|dp/table/kernel|heuristics/improve/pair_table\.c|starpu/|examples/)")
STRUCT = re.compile(r"\bstruct\b\s*\w*\s*\{")
LARGER = re.compile(r"(?:= |return |[(,:?] ?)([\w.>\[\]-]+) [<>]=? ([\w.>\[\]-]+) \? ([\w.>\[\]-]+) : ([\w.>\[\]-]+)(?=[;,)])")


def functions(lines):
    """The first line and the length of each function."""
    at = 0
    while at < len(lines):
        if lines[at] == "{":
            first = at - 1
            while first >= 0 and lines[first].strip() and not re.match(r"[}#/]|.*;$", lines[first]):
                first -= 1
            end = lines.index("}", at) if "}" in lines[at:] else at
            yield first + 2, end - first
            at = end
        at += 1


def structs(text):
    """The first line of each struct, and its members, with those of the structs in it."""
    for found in STRUCT.finditer(text):
        end, depth = found.end(), 1
        while depth > 0 and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield text[:found.start()].count("\n") + 1, text[found.end():end]


def flags(body):
    members = [name for line in re.findall(r"\bbool\b\s+([^;(]*);", body) for name in line.split(",")]
    return [name.strip() for name in members if "*" not in name and "[" not in name]


def faults(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    lines = [line.rstrip() for line in text.split("\n")]
    for line, length in functions(lines):
        if length > FUNCTION:
            yield line, f"a function of {length} lines: expected at most {FUNCTION}"
    for line, body in structs(text):
        if len(flags(body)) > FLAGS:
            yield line, f"a struct of {len(flags(body))} flags, {', '.join(flags(body))}: expected at most {FLAGS}, or an enum"
    for number, line in enumerate([] if SPELLED.match(path) else lines, 1):
        for found in LARGER.finditer(line):
            if {found.group(1), found.group(2)} == {found.group(3), found.group(4)}:
                yield number, f"{found.group(0)}: expected duet_min() or duet_max()"


def main():
    count = 0
    for path in sys.argv[1:]:
        for line, what in faults(path):
            print(f"FAIL {path}:{line}: {what}")
            count += 1
    sys.exit(count > 0)


if __name__ == "__main__":
    main()
