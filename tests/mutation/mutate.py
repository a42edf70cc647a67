#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes one comparison of the checkers at a time and says whether a test notices.

A mutant is one comparison of check/ with another operator: the boundary moved (< and <=, > and >=) or the answer
turned round (< and >=, == and !=). The smaller of two values (a < b ? a : b) has no boundary to move, nor has what is
above another (a > b ? a - b : 0): where they are equal both ways give the same. These are only turned round. Each
mutant is compiled by itself and linked into the tests of a build that has them (build/release). Then the tests of the
checkers run until one fails. With --sanitized, what survives them is tried again in a build with AddressSanitizer,
for what only reads where it should not. A mutant that no test notices survives, unless equivalent.txt
says why it cannot be noticed. Ends with 1 where one survives.

    tests/mutation/mutate.py --seed 1 --count 50 --sanitized build/asan
    tests/mutation/mutate.py --all --file check/schedule.c
    tests/mutation/mutate.py --list
    tests/mutation/mutate.py --clauses    # each clause of clauses.tsv taken out; the property test runs first
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = sorted(os.path.relpath(f, SOURCE) for f in glob.glob(os.path.join(SOURCE, "check/**/*.c"), recursive=True))
OTHERS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}

# Program, its arguments; quick ones first. {source} is the source folder.
TESTS = [
    ("threaded_tests", ["check"]),
    ("plain_tests", ["proof_pool"]),
    ("plain_tests", ["proof_tree"]),
    ("plain_tests", ["price_certificates"]),
    ("plain_tests", ["proof_nodes"]),
    ("plain_tests", ["proof_files"]),
    ("threaded_tests", ["registry"]),
    ("fuzz_replay", ["certificate", "{source}/tests/fuzz/corpus/certificate"]),
    ("fuzz_replay", ["proof", "{source}/tests/fuzz/corpus/proof"]),
    ("fuzz_replay", ["solution", "{source}/tests/fuzz/corpus/solution"]),
    ("threaded_tests", ["regression"]),
    ("plain_tests", ["truth"]),
    ("plain_tests", ["proof_truth"]),
    ("duet", ["{source}/tests/shell/invalid.sh"]),  # a script that is given the program
]
INSTANCES = "300"  # of the conformance tests
# Of clauses: the property of docs/problem.md first, with its pairs and seed.
CLAUSE_TESTS = [("property_pairs", ["400000", "1"])] + [(program, [name]) for program, name in (
    ("threaded_tests", "check"), ("plain_tests", "check_schedules"), ("plain_tests", "moldable"),
    ("plain_tests", "moldable_steps"), ("plain_tests", "head_tail"), ("plain_tests", "price_certificates"),
    ("plain_tests", "graph_bounds"))]


class Mutant:
    def __init__(self, file, lines, line, column, old, new):
        self.file, self.lines, self.line, self.column, self.old, self.new = file, lines, line, column, old, new
        self.text = lines[line - 1]

    def changed(self):
        lines = list(self.lines)
        lines[self.line - 1] = self.text[:self.column] + self.new + self.text[self.column + len(self.old):]
        return "\n".join(lines)

    def key(self):
        """What equivalent.txt names it by: lines move, so their text stands for them."""
        marked = self.text[:self.column] + "[" + self.old + " -> " + self.new + "]" + self.text[self.column + len(self.old):]
        return self.file + "\t" + " ".join(marked.split())

    def __str__(self):
        return f"{self.file}:{self.line}: {self.old} -> {self.new}: {self.text.strip()}"


class Clause:
    """A clause of docs/problem.md that is taken out: text of a file in whose place other text stands."""

    def __init__(self, name, file, old, new):
        self.name, self.file, self.old, self.new = name, file, old, new

    def changed(self):
        with open(os.path.join(SOURCE, self.file)) as handle:
            text = handle.read()
        pattern = r"\s+".join(re.escape(word) for word in self.old.split())  # wherever its lines break
        found = re.search(pattern, text)
        if found is None:
            sys.exit(f"clauses.tsv: {self.name}: not in {self.file}: {self.old}")
        return text[:found.start()] + self.new + text[found.end():]

    def key(self):
        return self.name

    def __str__(self):
        return f"{self.name} ({self.file})"


def clauses():
    with open(os.path.join(SOURCE, "tests/mutation/clauses.tsv")) as handle:
        return [Clause(*line.rstrip("\n").split("\t")) for line in handle if line.strip() and not line.startswith("#")]


def blank_comments(text):
    """The same text with comments, strings, characters, assertions (off in a release) and lines about stretches of
    work between two looks at the time, which decide no verdict, made of spaces."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\bDUET_ASSERT\([^;]*;|'
                         r'\b(?:units|STRETCH|DUET_WATCH_STRETCH|BLOCK)\b[^;]*;', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


OPERAND = r"(?:\(int64_t\))?(\*?[\w.\[\]]+(?:->[\w.\[\]]+)*)"
CHOICE = re.compile(OPERAND + r"\s*\?\s*" + OPERAND + r"(?: - " + OPERAND + r")?\s*:\s*" + OPERAND + r"\s*[;,)]")


def has_no_boundary(before, after):
    """Whether both ways give the same where both sides are equal: a < b ? a : b, or a > b ? a - b : 0."""
    left = re.search(OPERAND + r"$", before.rstrip())
    right = CHOICE.match(after.lstrip())
    if not left or not right:
        return False
    a, (b, first, less, second) = left.group(1), right.groups()
    return (first, less, second) == (a, b, "0") if less else {a, b} == {first, second}


def mutants_of(file):
    with open(os.path.join(SOURCE, file)) as handle:
        text = handle.read()
    lines = text.split("\n")
    found = []
    codes = blank_comments(text).split("\n")
    for number, code in enumerate(codes, 1):
        if code.lstrip().startswith("#"):
            continue
        for match in re.finditer(r"(?<=\s)(<=|>=|==|!=|<|>)(?=\s|$)", code):
            after = " ".join([code[match.end():]] + codes[number:number + 2])
            before = " ".join(codes[max(number - 2, 0):number - 1] + [code[:match.start()]])
            others = OTHERS[match.group()]
            for new in others[-1:] if has_no_boundary(before, after) else others:
                found.append(Mutant(file, lines, number, match.start(), match.group(), new))
    return found


def read_equivalents():
    path = os.path.join(SOURCE, "tests/mutation/equivalent.txt")
    known = {}
    with open(path) as handle:
        for line in handle:
            if line.strip() and not line.startswith("#"):
                file, code, reason = line.rstrip("\n").split("\t")
                known[file + "\t" + code] = reason
    return known


class Builder:
    """Compiles a mutant and links the tests as the build did, with the mutant before the archive."""

    def __init__(self, build):
        self.build = build
        self.taken = {}
        with open(os.path.join(build, "compile_commands.json")) as handle:
            self.commands = {os.path.relpath(c["file"], SOURCE): c for c in json.load(handle)}

    def compile(self, mutant, folder):
        path = os.path.join(folder, os.path.basename(mutant.file))
        with open(path, "w") as handle:
            handle.write(mutant.changed())
        entry = self.commands[mutant.file]
        words = [w for w in shlex.split(entry["command"]) if w != "-Werror"]
        words[words.index("-o") + 1] = path + ".o"
        words = [path if os.path.realpath(os.path.join(entry["directory"], w)) ==
                 os.path.join(SOURCE, mutant.file) else w for w in words] + ["-w"]
        subprocess.run(words, cwd=entry["directory"], check=True)
        return path + ".o"

    def link(self, program, mutant, changed, folder):
        place = "cli" if program == "duet" else "tests"
        directory = os.path.join(self.build, place)
        script = os.path.join(directory, "CMakeFiles", program + ".dir", "link.txt")
        if not os.path.exists(script):
            return None
        with open(script) as handle:
            words = shlex.split(handle.readline())
        archives = [i for i, w in enumerate(words) if os.path.basename(w) == "libduet_internal.a"]
        if not archives:
            sys.exit(f"{script}: expected libduet_internal.a")
        words.insert(archives[0], changed)  # before the archive, whose own object is then not taken
        out = os.path.join(folder, program)
        words[words.index("-o") + 1] = out
        subprocess.run(words, cwd=directory, check=True)
        return out


def run_test(path, program, arguments, seconds):
    arguments = [a.format(source=SOURCE) for a in arguments]
    line = ["bash", arguments[0], path, SOURCE] if program == "duet" else [path] + arguments
    environment = dict(os.environ, DUET_TEST_INSTANCES=INSTANCES)
    try:
        done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              env=environment, timeout=seconds, cwd=os.path.dirname(path))
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def measure(builder):
    """The seconds that each test takes without a change; all of them must pass."""
    for program, arguments in TESTS:
        path = os.path.join(builder.build, "bin" if program == "duet" else "tests", program)
        if not os.path.exists(path):
            continue
        begin = time.monotonic()
        if not run_test(path, program, arguments, 600):
            sys.exit(f"{path} fails before anything is changed")
        builder.taken[program, arguments[0]] = time.monotonic() - begin


def try_mutant(builder, mutant, scratch):
    """The test that notices the mutant, or None."""
    folder = tempfile.mkdtemp(dir=scratch)
    try:
        changed = builder.compile(mutant, folder)
        linked = {}
        for program, arguments in TESTS:
            if (program, arguments[0]) not in builder.taken:
                continue
            if program not in linked:
                linked[program] = builder.link(program, mutant, changed, folder)
            if not run_test(linked[program], program, arguments, 20 + 20 * builder.taken[program, arguments[0]]):
                return os.path.basename(arguments[0])
        return None
    finally:
        shutil.rmtree(folder)


def judge(builders, mutant, known, scratch):
    """Prints what became of a mutant, in one word and a line."""
    if mutant.key() in known:
        print(f"equivalent {mutant} ({known[mutant.key()]})", flush=True)
        return "equivalent"
    for builder in builders:
        by = try_mutant(builder, mutant, scratch)
        if by is not None:
            print(f"killed by {by}: {mutant}", flush=True)
            return "killed"
    print(f"SURVIVED {mutant}\n         {mutant.key()}", flush=True)
    return "survived"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--count", type=int, default=50, help="mutants in the sample (default: 50)")
    parser.add_argument("--all", action="store_true", help="every mutant, no sample")
    parser.add_argument("--file", action="append", help="only of this file")
    parser.add_argument("--build", default=os.path.join(SOURCE, "build/release"), help="a build with its tests")
    parser.add_argument("--sanitized", help="another one, with AddressSanitizer, for what survives")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default: 1)")
    parser.add_argument("--clauses", action="store_true", help="the clauses of clauses.tsv instead")
    parser.add_argument("--list", action="store_true", help="name the mutants and end; clauses whose text has gone are a fault")
    args = parser.parse_args()

    if args.clauses:
        TESTS[:] = CLAUSE_TESTS
    mutants = clauses() if args.clauses else [m for f in args.file or FILES for m in mutants_of(f)]
    total = len(mutants)
    if not args.all and not args.clauses:
        mutants = random.Random(args.seed).sample(mutants, min(args.count, total))
        mutants.sort(key=lambda m: (m.file, m.line, m.column, m.new))
    if args.list:
        if args.clauses:
            all(m.changed() for m in mutants)  # ends where a text has gone
        print("\n".join(m.key() for m in mutants))
        return 0
    known = read_equivalents()
    builders = [Builder(os.path.abspath(b)) for b in [args.build, args.sanitized] if b]
    with tempfile.TemporaryDirectory(prefix="duet-mutation-") as scratch:
        for builder in builders:
            measure(builder)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(lambda m: judge(builders, m, known, scratch), mutants))
    which = "clauses" if args.clauses else "all" if args.all else f"seed {args.seed}"
    print(f"{len(mutants)} of {total} mutants ({which}): " +
          ", ".join(f"{results.count(what)} {what}" for what in ("killed", "equivalent", "survived")))
    return 1 if "survived" in results else 0


if __name__ == "__main__":
    sys.exit(main())
