#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of the documentation and compares what it prints.

A ```console block holds lines "$ COMMAND" and the output expected of each (both streams). In the
expectation "..." stands for anything within a line, and a line "..." for any lines; figures of time
("0.012 s", "1.5 ms elapsed") are compared as such figures. The blocks of one file run in order in one
scratch folder, beside links to the source folder's instances, examples and shared data.

  ```console               run and compare
  ```console shared        only where ../shared/data is there
  ```console by-hand WHY   not run; check_docs.py looks at its options
  ```console needs-X       only where `duet --version` lists the feature X (openblas: and BLAS is there)

Usage: run_docs.py DUET-COMMAND SOURCE-FOLDER [--update]

With --update, expectations that do not hold and have no "..." are replaced by what was printed: read
the difference before you commit it.
"""

import os
import re
import subprocess
import sys
import tempfile


def blocks(path):
    """The console blocks of a file: (line, words after "console", lines)."""
    found, current = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if current is None:
                match = re.match(r"```console\b(.*)", line)
                if match:
                    current = (number, match.group(1).split(), [])
            elif line.startswith("```"):
                found.append(current)
                current = None
            else:
                current[2].append(line.rstrip("\n"))
    return found


def commands(lines):
    """The commands of a block with their expected output: (offset, command, lines)."""
    found = []
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            found.append([offset, line[2:], []])
        elif found and found[-1][1].endswith("\\"):
            found[-1][1] = found[-1][1][:-1] + line.lstrip("> ")
        elif found:
            found[-1][2].append(line)
    return found


def pattern(expected):
    """A regular expression for expected output."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
            continue
        text = re.escape(line.rstrip())
        text = text.replace(re.escape("..."), r".*")
        text = re.sub(r"\d+\\\.\d{3}(?=(\\ s\b|\\ +\S|$))", r"\\d+\\.\\d{3}", text)
        text = text.replace(r"time\ \(ms\)", r"time\ \((?:ms|s)\)")
        text = re.sub(r",\d+\\\.\d{6},", r",\\d+\\.\\d{6},", text)
        text = re.sub(r"(\\ )+", r"\\s+", text)
        parts.append(text + r" *\n")
    return "".join(parts) + r"\s*\Z"


def run_block(words, duet, source, shared, features):
    if "by-hand" in words:
        return False
    if "shared" in words and not os.path.isdir(shared):
        return False
    return all(word[6:] in features for word in words if word.startswith("needs-"))


def replace(path, start, count, printed):
    """Puts what was printed in the place of an expectation; returns how many lines were added."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("\n")
    text[start:start + count] = printed
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    return len(printed) - count


def run_file(path, duet, source, update):
    shared = os.path.join(os.path.dirname(source), "shared")
    environment = dict(os.environ)
    environment["PATH"] = os.path.dirname(duet) + os.pathsep + environment["PATH"]
    version = subprocess.run([duet, "--version"], capture_output=True, text=True).stdout
    features = re.findall(r"[a-z]+", version)
    measure = [duet, "measure", "--tile", "1", "--repeats", "1", "--machine", "here"]
    if subprocess.run(measure, capture_output=True).returncode != 0 and "openblas" in features:
        features.remove("openblas")  # a build that measures, on a system without BLAS
    ran = faults = moved = 0
    with tempfile.TemporaryDirectory() as scratch:
        work = os.path.join(scratch, "duet")
        os.mkdir(work)
        for folder in ("instances", "examples"):
            os.symlink(os.path.join(source, folder), os.path.join(work, folder))
        if os.path.isdir(shared):
            os.symlink(shared, os.path.join(scratch, "shared"))
        for number, words, lines in blocks(path):
            if not run_block(words, duet, source, shared, features):
                continue
            for offset, command, expected in commands(lines):
                result = subprocess.run(["bash", "-c", command], cwd=work, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        stdin=subprocess.DEVNULL, timeout=300)
                ran += 1
                if re.match(pattern(expected), result.stdout):
                    continue
                faults += 1
                if update and not any("..." in line for line in expected):
                    head = offset + len(command.split("\n"))
                    moved += replace(path, number + moved + head, len(expected),
                                     result.stdout.rstrip("\n").split("\n"))
                else:
                    print(f"FAIL {path}:{number + 1 + offset}: $ {command}")
                    print("  expected:", *expected, sep="\n    ")
                    print("  printed:", *result.stdout.splitlines(), sep="\n    ")
    return ran, faults


def main():
    duet, source = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    files = [os.path.join(source, "README.md")]
    docs = os.path.join(source, "docs")
    files += sorted(os.path.join(folder, name) for folder, _, names in os.walk(docs)
                    for name in names if name.endswith(".md"))
    ran = faults = 0
    for path in files:
        file_ran, file_faults = run_file(path, duet, source, "--update" in sys.argv[3:])
        ran, faults = ran + file_ran, faults + file_faults
    print(f"{ran} commands of the documentation, {faults} faults")
    return 1 if faults or not ran else 0


sys.exit(main())
