#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call that writes fails once, in every command: the n-th open, write, fsync, naming, rename or close.

After each the outputs are whole, the new ones or the old, no other file is left, the exit code is 0 only where all was
written, and standard error names the file and the cause. Every command also runs with a stack of 64 KiB, to links that
lead nowhere yet, to names of 255 bytes, and with standard streams that are closed or full.

Usage: test_writes.py DUET LIBRARY [NAME]...    LIBRARY is failing_writes.c; only the commands of these names
"""
import concurrent.futures
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile

DUET, LIBRARY = map(os.path.abspath, sys.argv[1:3])
FEATURES = subprocess.run([DUET, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout

# What is made first, in the folder above the one that a command runs in.
INPUTS = """\
generate uniform -n 12 -m 3 -k 2 --seed 1 -o small.json
generate layered -n 8 -m 2 -k 1 --seed 1 -o graph.json
solve small.json -a heft -o heft.json
compare small.json -a heft,eft --csv table.csv
"""

# A name, what it needs, how far its text is the same every time ("-": it is, "~": but for numbers, "~~": but for
# words), and the command. What is in brackets is a file that it writes whole, in braces one that it appends rows to;
# what it prints is an output, too.
COMMANDS = """\
solve           -        ~  solve ../small.json -a heft -o [s.json]
solve.csv       -        ~  solve ../small.json -a heft -o [s.csv] --json
solve.quiet     -        ~  solve ../small.json -a heft --summary
solve.stdout    -        ~  solve ../small.json -a heft -o -
solve.many      -        ~  solve ../small.json -a heft -o [s.json] --gantt [g.svg] --trace [t.json]
solve.png       cairo    ~  solve ../small.json -a heft --gantt [g.png]
solve.pdf       cairo    ~  solve ../small.json -a heft --gantt [g.pdf]
solve.paje      -        ~  solve ../small.json -a heft --trace [t.paje]
solve.rec       -        ~  solve ../small.json -a heft --trace [t.rec]
solve.chart     -        ~  solve ../small.json -a heft -m 3 -k 1..2 --chart [c.svg]
solve.chartpng  cairo    ~  solve ../small.json -a heft -m 3 -k 1..2 --chart [c.png]
solve.proof     glpk     ~  solve ../small.json -a exact -j 1 -O proof=[p.proof] -o [s.json]
solve.graph     glpk     ~  solve ../graph.json -a exact -j 1 -O proof=[p.proof] -o [s.json]
show            -        ~  show ../small.json ../heft.json -o [s.json]
show.json       -        ~  show ../small.json ../heft.json --json
bound           -        ~  bound ../small.json -b area -m 3 -k 1..2 --chart [c.svg]
bound.json      -        ~  bound ../small.json -b area --json
verify          -        -  verify ../small.json ../heft.json
generate        -        -  generate uniform -n 12 -m 3 -k 2 -o [i.json]
generate.csv    -        -  generate uniform -n 12 -m 3 -k 2 -o [i.csv]
generate.stdout -        -  generate uniform -n 200 -m 3 -k 2
convert.json    -        -  convert ../graph.json -o [i.json]
convert.csv     -        -  convert ../graph.json -O edges=false -o [i.csv]
convert.dot     -        -  convert ../graph.json -o [i.dot]
simulate        -        -  simulate ../small.json -a heft --noise gamma:0.1 --runs 3 --csv [r.csv] --chart [c.svg]
simulate.json   -        -  simulate ../small.json -a heft --noise gamma:0.1 --runs 3 --json
compare         -        ~  compare ../small.json -a heft,eft --csv [c.csv] --chart [c.svg]
compare.json    -        ~  compare ../small.json -a heft,eft --json
compare.lp      -        -  compare --export lp ../small.json -o [p.lp]
compare.mps     -        -  compare --export mps ../small.json -o [p.mps]
report          -        ~  report ../table.csv --instance ../small.json --solution ../heft.json -o [p.html]
measure         openblas ~~ measure --factorisation cholesky --tile 16 --repeats 1 --warmup 0 -o [m.csv]
list            -        -  list families --json
list.text       -        -  list algorithms -v
help            -        -  help solve
help.man        -        -  help --man duet-solve.1
version         -        -  --version
complete        -        -  complete -- solve --
search.json     glpk     ~~ bench search -a heft -n 1:3 --restarts 1 -j 1 --json
ratios          glpk     ~  bench ratios -a heft,eft --family small --instances 2 -j 1 --csv {r.csv}
ratios.stdout   glpk     ~  bench ratios -a heft,eft --family small --instances 2 -j 1 --csv -
exact           glpk     ~~ bench exact --set small --seeds 2 -a exact,heft -j 1 --csv {e.csv}
search          glpk     ~~ bench search -a heft -n 1:3 --restarts 1 -j 1 -o [w.json]
dp-scaling      -        ~~ bench dp-scaling --n 10 --mk 2,1 --families unif4 --rounds 1 --csv [d.csv]
ratios.save     glpk     ~  bench ratios -a heft,eft --family small --instances 2 -j 1 --save worst
adversaries     -        -  bench adversaries -a eft --adversary theorem-1 -n 3 --save games
tables          -        ~~ bench tables --quick --only shelf --csv [t.csv]
papers          glpk     ~~ bench papers table1 --sizes 10 --every 84000 --csv {p.csv} --results [p.md]
"""

# Whole files that the command names itself.
OWN = {"ratios.save": ["worst/eft-small-2-3-2.json", "worst/heft-small-1-2-2.json"],
       "adversaries": ["games/theorem-1-eft.json", "games/theorem-1-eft.witness.json"]}

# Kinds of calls, the cause, and whether all calls of the kind that follow fail, too.
ONCE = [("open", errno.EMFILE, False), ("write", errno.EIO, False), ("short", 0, True), ("sync", errno.EIO, False),
        ("name", errno.EIO, False), ("rename", errno.EACCES, False), ("close", errno.EIO, False)]
# The same for whole files where the file system has none without names, and nothing comes right again.
NAMED = [("open", errno.ENOSPC, True), ("write", errno.ENOSPC, True), ("rename", errno.EACCES, True),
         ("close", errno.EDQUOT, True)]
# For what grows by rows: a row that is half there when the disk is full.
PART = [("part", errno.ENOSPC, True)]
OLD = b"old\n"
MARK = ".mark"
LONGEST = 255  # bytes of a name
MOST = 5  # calls of a kind that fail one by one

MASKS = {"-": lambda text: text,
         "~": lambda text: re.sub(rb" +", b" ", re.sub(rb"[0-9][-+0-9.e]*", b"#", text)),
         "~~": lambda text: re.sub(rb"[^\n,]+", b"x", text)}


def counted(mark):
    """The counts in the library's mark."""
    return {kind: int(count) for kind, count in (line.split() for line in mark.decode().splitlines())}


class Command:
    """A line of COMMANDS, run in folders of its own."""

    def __init__(self, line, base):
        self.name, self.needs, mask, text = line.split(None, 3)
        self.mask = MASKS[mask]
        self.base = base
        self.whole = re.findall(r"\[(.*?)\]", text) + OWN.get(self.name, [])
        self.rows = re.findall(r"\{(.*?)\}", text)
        self.arguments = re.sub(r"[\[\]{}]", "", text).split()
        self.code = 0
        self.out = b""
        self.made = {}
        self.counts = {}

    def run(self, folder, more=(), before="", **fault):
        """One process in a folder, of a shell that does something before: exit code, standard output and error."""
        environment = {**os.environ, "TMPDIR": os.path.join(folder, "tmp"),
                       "PATH": self.base + "/bin:" + os.environ["PATH"]}
        if fault:
            environment |= {"LD_PRELOAD": LIBRARY, "DUET_FAULT_FOLDER": folder,
                            "DUET_FAULT_MARK": os.path.join(folder, MARK), **fault}
            environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        command = [DUET, *self.arguments, *more]
        if before:
            environment.pop("LD_PRELOAD", None)
            command = ["/bin/bash", "-c", before + '; LD_PRELOAD=$0 exec "$@"', LIBRARY, *command]
        out = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        return out.returncode, out.stdout, out.stderr.decode(errors="replace")

    def folder(self, old=False):
        """A folder, with old files where outputs will be."""
        folder = tempfile.mkdtemp(prefix="run-", dir=self.base)
        os.mkdir(os.path.join(folder, "tmp"))
        for name in self.whole:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            if old:
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(OLD)
        return folder

    @staticmethod
    def files(folder):
        """What the folder holds, temporary files included, and the mark of the library."""
        found = {}
        for path, _, names in os.walk(folder):
            for name in (name for name in names if os.path.exists(os.path.join(path, name))):
                with open(os.path.join(path, name), "rb") as file:
                    found[os.path.relpath(file.name, folder)] = file.read()
        mark = found.pop(MARK, None)
        return found, mark

    def learn(self):
        """What the command writes when nothing fails, and how many calls that takes."""
        folder = self.folder()
        self.code, self.out, error = self.run(folder, DUET_FAULT="count")
        self.made, counts = self.files(folder)
        if self.code not in (0, 1) or sorted(self.made) != sorted(self.whole + self.rows):
            raise RuntimeError(f"{self.name}: rc {self.code}, {sorted(self.made)}: {error}")
        self.counts = counted(counts)
        shutil.rmtree(folder)

    def is_new(self, text, wanted):
        """Whether a text is what the command writes."""
        return text is not None and self.mask(text) == self.mask(wanted)

    def fail(self, kind, turn, number, lasting, named):
        """What is wrong after one fault."""
        old = turn % 2 == 1
        folder = self.folder(old)
        fault = {"DUET_FAULT": f"{kind}:{turn}:{number}" + (":on" if lasting else "")}
        if named:
            fault["DUET_FAULT_NAMED"] = "1"
        code, out, said = self.run(folder, **fault)
        files, mark = self.files(folder)
        wrong = list(self.judge(kind, number, code, out, said, files, old))
        if mark is None:
            wrong.append("the call did not come")
        if self.rows and code == 5 and not wrong:
            wrong = list(self.resume(folder))
        shutil.rmtree(folder)
        return [f"{self.name}: {fault['DUET_FAULT']}{' named' if named else ''}: {w}: rc {code}: {said}" for w in wrong]

    def judge(self, kind, number, code, out, said, files, old):
        """What is wrong about a run."""
        if code not in (self.code, 5):
            yield "exit code"
            return
        missing = not self.is_new(out, self.out)
        for name in files:
            if name not in self.whole + self.rows:
                yield f"{name} is left"
        for name in self.whole:
            new = self.is_new(files.get(name), self.made[name])
            missing = missing or not new
            if not new and files.get(name) != (OLD if old else None):
                yield f"{name} is neither the new file nor the old one"
        for name in self.rows:
            text = files.get(name, b"")
            missing = missing or not self.is_new(text, self.made[name])
            if not self.mask(self.made[name]).startswith(self.mask(text)) or text[-1:] not in (b"", b"\n"):
                yield f"{name} has other rows"
        if code == self.code and missing:
            yield "something was not written, and nobody says so"
        elif code == 5 and kind != "close" and not missing:
            yield "all was written, and it says that it was not"
        # Without a nameless file there is one with a name.
        if code == self.code and kind not in ("short", "open"):
            yield "the failure is not told"
        if code == 5 and kind == "short":
            yield "a short or interrupted write is no failure"
        if code == 5:
            yield from self.judge_message(number, said)

    def judge_message(self, number, said):
        """What is wrong with the message of a failure."""
        lines = [line for line in said.splitlines() if line.startswith("duet: ")]
        lines = [line for line in lines if not re.search("note:|digest", line)]
        causes = (os.strerror(number), "an earlier write failed")
        targets = self.whole + self.rows + ["standard output", "temporary file"]
        if not lines or not all(any(c in line for c in causes) and any(t in line for t in targets) for line in lines):
            yield "the message does not name the file and the cause"
        if len(lines) > len(self.whole) + len(self.rows) + 1:
            yield "more lines than outputs"

    def resume(self, folder):
        """Goes on with rows: the file must become what it would have been."""
        code, _, said = self.run(folder, ["--resume"])
        files, _ = self.files(folder)
        if code != self.code or not self.is_new(files.get(self.rows[0]), self.made[self.rows[0]]):
            yield f"it cannot be resumed: {code}: {said}"

    def surrounded(self):
        """What is wrong where the surroundings are odd, but all can be written or is said not to be."""
        odd = [("ulimit -s 64; exec <&- 2>&-", 0)]
        odd += [("exec >/dev/full", errno.ENOSPC), ("exec >&-", errno.EBADF)] if self.out else []
        for before, cause in odd:
            folder = self.folder()
            code, out, said = self.run(folder, before=before, DUET_FAULT="count")
            files, mark = self.files(folder)
            wrong = list(self.judge_message(cause, said)) if cause else []
            if code != (5 if cause and self.code == 0 else self.code):
                wrong.append("exit code")
            if not cause and not self.is_new(out, self.out):
                wrong.append("standard output is not as it was")
            if sorted(files) != sorted(self.made) or \
                    not all(self.is_new(files[name], text) for name, text in self.made.items()):
                wrong.append(f"the files are not as they were: {sorted(files)}")
            if mark is None or counted(mark)["low"] > 0:
                wrong.append("a file got the number of a standard stream")
            yield from (f"{self.name}: {before}: {w}: rc {code}: {said}" for w in wrong)
            shutil.rmtree(folder)

    def linked(self):
        """What is wrong where outputs are links to what is not there yet, both with the longest names."""
        names = [name for name in self.whole + self.rows if "/" not in name]
        folder = self.folder()
        arguments = self.arguments
        for name in names:
            link = "l" * (LONGEST - len(name)) + name
            self.arguments = [re.sub(rf"\b{re.escape(name)}$", link, argument) for argument in self.arguments]
            os.symlink("t" * (LONGEST - len(name)) + name, os.path.join(folder, link))
        code, _, said = self.run(folder)
        self.arguments = arguments
        files, _ = self.files(folder)
        for name in names:
            link, target = ("%s%s" % (letter * (LONGEST - len(name)), name) for letter in "lt")
            if not os.path.islink(os.path.join(folder, link)):
                yield f"{self.name}: {link} is no link any more: rc {code}: {said}"
            elif not self.is_new(files.get(target), self.made[name]):
                yield f"{self.name}: {target} is not written: rc {code}: {said}"
        if names and (code != self.code or len(files) != 2 * len(names)):
            yield f"{self.name}: through links: rc {code}, {sorted(files)}: {said}"
        shutil.rmtree(folder)

    def check(self):
        """All faults of this command: how many, and what is wrong after them."""
        self.learn()
        faults = [(*fault, False) for fault in ONCE + (PART if self.rows else [])]
        faults += [(*fault, True) for fault in NAMED if self.whole]
        # A test that reaches nothing tests nothing.
        wanted = {"write"} | (set(self.counts) - {"low"} if self.whole else set())
        wrong = [f"{self.name}: no {kind} is ever called" for kind in sorted(wanted) if self.counts[kind] == 0]
        count = 0
        for kind, number, lasting, named in faults:
            # One run in which all writes are short.
            for turn in range(1, 1 + min(self.counts[kind], 1 if kind == "short" else MOST)):
                wrong += self.fail(kind, turn, number, lasting, named)
                count += 1
        wrong += [*self.surrounded(), *self.linked()]
        return self.name, count, wrong


def prepare(base):
    """The inputs."""
    for line in INPUTS.splitlines():
        subprocess.run([DUET, *line.split()], cwd=base, check=True, stdout=subprocess.DEVNULL)


def main():
    """Prints a line for each command."""
    base = os.path.realpath(tempfile.mkdtemp(prefix="duet-writes-"))
    failed = False
    try:
        prepare(base)
        commands = [Command(line, base) for line in COMMANDS.splitlines()]
        commands = [c for c in commands if c.needs == "-" or c.needs in FEATURES]
        commands = [c for c in commands if len(sys.argv) == 3 or c.name in sys.argv[3:]]
        with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
            for name, count, wrong in pool.map(Command.check, commands):
                print(f"{'FAIL' if wrong else 'ok'} {name}: {count} faults")
                for w in wrong:
                    print("    " + w.strip().replace("\n", "\n      "))
                failed = failed or bool(wrong)
    finally:
        shutil.rmtree(base)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
