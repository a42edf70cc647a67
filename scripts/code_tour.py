#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of files in docs/code-tour.md from the files' heads.

Between the lines

    <!-- files of FOLDER -->
    <!-- end of files -->

stands a table of what is in FOLDER and in the folders below it, but for those that have a table of
their own. A row is a file, or a .c with the header of its name, and the first sentence of the comment
at its head (of a Python module, of its docstring); the one of the .c counts where both have one. What
stands around the tables is written by hand, and stays.

Usage: code_tour.py [--check] [SOURCE-FOLDER]

With --check nothing is written: exit code 1 where the page is not what it would be, where a file has
no head, or where a folder with files has no table. After files were added or moved, run it without.
"""

import ast
import os
import re
import sys

PAGE = os.path.join("docs", "code-tour.md")
BEGIN = re.compile(r"<!-- files of (\S+) -->")
END = "<!-- end of files -->"
# Folders with sources that the page tells of otherwise.
ELSEWHERE = {"cmake", "docs", "examples", "include", "scripts", "tests"}
# Folders of what is made of sources; besides, those in which CMake builds.
MADE = {"build", "__pycache__"}
# What a head says after its first sentence.
LABEL = re.compile(r"(Method|Guarantee|Types|Cost|Memory|Reference|Usage|Options|Example): ")
# Words with a full stop that ends no sentence.
ABBREVIATION = re.compile(r"\b(al|cf|e\.g|i\.e|vs|etc|J)\.$")
LONG = 200  # characters: a longer row ends at its first colon or semicolon


def comment(path):
    """The lines of the comment at the head of a C file, or of the docstring of a Python module."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".py"):
        return (ast.get_docstring(ast.parse(text)) or "").splitlines()
    lines = []
    for line in text.splitlines():
        if line.startswith("// SPDX") or (not lines and not line.strip()):
            continue
        if not line.startswith("//"):
            break
        lines.append(line.lstrip("/").strip())
    return lines


def first_sentence(lines):
    """The first sentence of a head; None where there is none."""
    kept = []
    for line in lines:
        if (not line or LABEL.match(line)) and kept:
            break
        kept.append(line)
    words = re.sub(r"^Algorithm: ", "", " ".join(kept)).split()
    sentence = []
    for word in words:
        sentence.append(word)
        if re.search(r"[.!?]$", word) and not ABBREVIATION.search(word):
            break
    text = " ".join(sentence).rstrip(".:,;")
    if len(text) > LONG:
        text = re.split(r"(?<=.{20})(?:: |; )", text)[0]
    return text or None


def escaped(text):
    """As a cell of a table: what Markdown takes for itself stands for itself, but for `code`."""
    pieces = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    pieces[::2] = [re.sub(r"([*_<\[\]])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def modules(source, folder, others):
    """The files below a folder without those of other tables: (name from there, paths) in order."""
    found = {}
    for place, folders, names in os.walk(os.path.join(source, folder)):
        here = os.path.relpath(place, source)
        folders[:] = [name for name in folders if os.path.join(here, name) not in others and name not in MADE]
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending in (".c", ".h", ".py"):
                found.setdefault((os.path.relpath(here, folder), stem), []).append(os.path.join(place, name))
    # A folder's own files first, .c before .h.
    for (place, stem), paths in sorted(found.items(), key=lambda item: ("" if item[0][0] == "." else item[0][0], item[0][1])):
        paths.sort()
        name = os.path.basename(paths[0])
        yield name if place == "." else f"{place}/{name}", paths


def table(source, folder, others, faults):
    rows = []
    for name, paths in modules(source, folder, others):
        sentence = next(filter(None, (first_sentence(comment(path)) for path in paths)), None)
        if sentence is None:
            faults.append(f"{os.path.relpath(paths[0], source)}: no comment at its head that says what it is")
        rows.append(f"| `{name}` | {escaped(sentence or '')} |")
    if not rows:
        faults.append(f"{PAGE}: no files in {folder}")
    return ["<details>", f"<summary>Files of <code>{folder}/</code></summary>", "", "| file | what it is |", "|---|---|",
            *rows, "", "</details>"]


def made(source, text, faults):
    """The page with its tables anew."""
    folders = set(BEGIN.findall(text))
    lines, inside = [], False
    for line in text.splitlines():
        begin = BEGIN.fullmatch(line)
        if begin and inside:
            faults.append(f"{PAGE}: no '{END}' before '{line}'")
        if line == END:
            inside = False
        if not inside:
            lines.append(line)
        if begin:
            inside = True
            lines += table(source, begin.group(1), folders, faults)
    if inside:
        faults.append(f"{PAGE}: no '{END}' at its end")
    for name in sorted(os.listdir(source)):
        path = os.path.join(source, name)
        if name in ELSEWHERE | MADE | folders or name.startswith(".") or not os.path.isdir(path):
            continue
        if os.path.exists(os.path.join(path, "CMakeCache.txt")):
            continue
        for place, inner, names in os.walk(path):
            here = os.path.relpath(place, source)
            inner[:] = [each for each in inner if os.path.join(here, each) not in folders and each not in MADE]
            if any(each.endswith((".c", ".h")) for each in names):
                faults.append(f"{PAGE}: no table has the files of {here}")
    return "\n".join(lines) + "\n"


def main():
    check = "--check" in sys.argv[1:]
    given = [word for word in sys.argv[1:] if word != "--check"]
    source = given[0] if given else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    path = os.path.join(source, PAGE)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    faults = []
    page = made(source, text, faults)
    if check and not faults and page != text:
        old, new = set(text.splitlines()), page.splitlines()
        line = next((each for each in new if each not in old), "rows that are too many, or in another order")
        faults.append(f"{PAGE} is not what scripts/code_tour.py makes of the files; run it. First: {line}")
    for fault in faults:
        print("FAIL", fault)
    if not check and not any(fault.startswith(PAGE) for fault in faults):
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
