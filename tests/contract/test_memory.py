#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small files with huge numbers (counts, processors, sizes, work, times) through every command: an answer or a
refusal, exit codes 0 to 5, and no more memory than is allowed. DUET_TEST_SEED and DUET_TEST_HUGE (how many) say which."""
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

DUET = os.environ["DUET_COMMAND"]
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
INSTANCES = int(os.environ.get("DUET_TEST_HUGE", "4"))
MIB = 1 << 20
DEFAULT = 1024  # MiB of what Duet allocates; code, libraries and threads come on top
SLACK = 96
# Without a search: what these take is memory alone. Those that search have -t.
RULES = ("lpt", "eft", "heft", "seq", "moldable-2", "cpa", "hcpa", "dualhp", "balanced-makespan", "min-min")


def peak(arguments, address_space=None):
    """Exit code, MiB at most, standard error."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([DUET, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=errors, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status) if sys.version_info >= (3, 9) else status
        errors.seek(0)
        return process.returncode, usage.ru_maxrss / 1024, errors.read().decode(errors="replace")


def number(rnd, digits):
    form = rnd.randrange(3)
    if form == 0:
        return rnd.choice((1, 2, 7, 100))
    return 10 ** rnd.randint(0, digits) if form == 1 else rnd.randint(1, 10 ** rnd.randint(0, digits))


def csv(rnd):
    types = rnd.randint(1, 3)
    after = rnd.random() < 0.5
    lines = ["id,count," + ",".join("abc"[:types]) + (",after" if after else "")]
    for i in range(rnd.randint(1, 4)):
        cells = [f"t{i}", str(number(rnd, rnd.choice((0, 5, 9))))]
        cells += [str(number(rnd, 6)) for _ in range(types)]
        if after:
            cells.append(";".join(f"t{j}" for j in range(i) if rnd.random() < 0.6))
        lines.append(",".join(cells))
    return "csv", "\n".join(lines) + "\n"


def times(rnd, form, types):
    if form == "law":
        return {"work": number(rnd, 9), "alpha": rnd.choice((0, 0.5, 1, 0.000001, 0.999))}
    if form == "table":
        return {"times": {t: [number(rnd, 6) for _ in range(rnd.randint(1, 3))] for t in types}}
    return {"times": {t: number(rnd, 6) for t in types}}


def instance(rnd):
    if rnd.random() < 0.3:
        return csv(rnd)
    types = "abc"[:rnd.randint(1, 2)]
    form = rnd.choice(("law", "law", "table", "times"))
    tasks = []
    for i in range(rnd.randint(1, 5)):
        tasks.append({"id": f"t{i}", **times(rnd, form, types)})
        if rnd.random() < 0.4:
            tasks[-1]["count"] = number(rnd, 8)
    made = {"platform": [{"type": t, "count": min(2 ** 31 - 1, number(rnd, rnd.choice((2, 9))))} for t in types],
            "tasks": tasks}
    single = [t["id"] for t in tasks if t.get("count", 1) == 1]
    if rnd.random() < 0.4 and len(single) > 1:
        made["edges"] = [[single[i - 1], single[i]] for i in range(1, len(single))]
    if form == "law":
        made["tick"] = rnd.choice((1, 0.001, 0.000001))
    return "json", json.dumps(made)


def solution(rnd):
    entries = []
    if rnd.random() < 0.5:
        entries.append({"task": "t0", "type": "a", "processor": number(rnd, 9), "start": 0, "end": number(rnd, 9)})
    if rnd.random() < 0.5:
        entries.append({"task": "t0", "type": "a", "processors": [[0, number(rnd, 9)]], "start": 0,
                        "end": number(rnd, 9)})
    return json.dumps({"format": "duet-solution", "version": 1, "instance": "x", "algorithm": "x",
                       "platform": [{"type": "a", "count": number(rnd, 9)}], "status": "feasible",
                       "makespan": number(rnd, 12), "lower_bound": 0, "schedule": entries, "certificate": {}})


def commands(rnd, file, schedule, folder, platform):
    yield ["show", file, *platform]
    yield ["show", file, schedule, "-t", "1", *platform]
    yield ["verify", file, schedule, *platform]
    yield ["bound", file, "-b", "all", "-t", "1", *platform]
    yield ["solve", file, "-t", "1", "-j", "2", "-o", folder + "/s.json", *platform]
    yield ["solve", file, "-t", "1", "-j", "2", "-a", rnd.choice(RULES), "-o", folder + "/r.json", *platform]
    yield ["compare", file, "-t", "1", "-a", ",".join(rnd.sample(RULES, 3)), *platform]
    yield ["simulate", file, "-a", rnd.choice(("eft", "lpt")), "--runs", "2", "-t", "1", *platform]
    yield ["convert", file, "-o", folder + "/c.json", *platform]


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Sanitizers take terabytes of address space, and several times the memory.
        if peak(["list"], 4096 * MIB)[0] != 0:
            raise unittest.SkipTest("this build does not start in limited address space")
        cls.base = peak(["list"])[1]

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def bounded(self, arguments, most, text):
        code, used, errors = peak(arguments)
        what = f"duet {' '.join(arguments)}: exit code {code}, {used:.0f} MiB\n{text}\n{errors}"
        self.assertIn(code, range(6), what)
        self.assertLessEqual(used, self.base + most + SLACK, what)
        if code == 5:
            self.assertNotEqual(errors, "", what)
        return code, errors

    def test_numbers(self):
        answered = 0
        for seed in range(SEED, SEED + INSTANCES):
            rnd = random.Random(seed)
            kind, text = instance(rnd)
            file = self.put("i." + kind, text)
            schedule = self.put("given.json", solution(rnd))
            platform = ["-m", str(number(rnd, 6))] if kind == "csv" else []
            # Where nothing is said, and where little is allowed.
            limit, most = ([], DEFAULT) if seed % 2 == 0 else (["--memory", "64"], 64)
            for arguments in commands(rnd, file, schedule, self.folder, platform):
                with self.subTest(seed=seed, command=arguments[0]):
                    code, _ = self.bounded([*arguments, *limit], most, text)
                    answered += code == 0
        self.assertGreater(answered, INSTANCES)

    def test_option_is_named(self):
        wide = "id,count,a,after\nx,1,1,\ny,100000000,1,x\n"
        file = self.put("wide.csv", wide)
        empty = self.put("empty.json", json.dumps({"platform": [{"type": "a", "count": 1}], "schedule": []}))
        for arguments in (["show", file], ["bound", file, "-m", "2"], ["convert", file], ["solve", file, "-m", "2"],
                          ["show", file, empty], ["simulate", file, "-a", "eft", "-m", "2"]):
            code, errors = self.bounded(arguments, 64, wide)
            self.assertEqual(code, 5, errors)
            self.assertIn("--memory", errors)

    def test_empty_schedule_is_judged(self):
        many = "id,count,a\nx,100000000,1\n"
        file = self.put("many.csv", many)
        empty = self.put("empty.json", json.dumps({"platform": [{"type": "a", "count": 1}], "schedule": []}))
        for arguments in (["show", file, empty], ["show", file, empty, "--json"],
                          ["show", file, empty, "--gantt", self.folder + "/g.svg"]):
            code, errors = self.bounded(arguments, 64, many)
            self.assertEqual(code, 1, errors)

    def test_law_on_many_processors(self):
        law = json.dumps({"platform": [{"type": "c", "count": 300000000}],
                          "tasks": [{"id": "a", "work": 1000, "alpha": 0}, {"id": "b", "work": 900, "alpha": 0.3}]})
        file = self.put("law.json", law)
        for arguments in (["show", file], ["bound", file, "-b", "all"], ["convert", file],
                          ["solve", file, "-a", "seq", "-o", self.folder + "/s.json"],
                          ["verify", file, self.folder + "/s.json"]):
            code, errors = self.bounded([*arguments, "--memory", "64"], 64, law)
            self.assertEqual(code, 0, errors)

    def test_lines_that_are_kept(self):
        """What a proof has the checker keep counts: suppositions that are open, nogoods."""
        tasks = [{"id": name, "times": [5, 5]} for name in "abc"]
        text = json.dumps({"platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}],
                           "tasks": tasks, "edges": [["a", "b"]]})
        file = self.put("graph.json", text)
        solution = self.folder + "/s.json"
        self.assertEqual(self.bounded(["solve", file, "-a", "heft", "-o", solution], DEFAULT, text)[0], 0)
        kept = {"suppositions": ("suppose start-after 2 0\n", "end\n"),
                "nogoods": ("learn 0\n", "nogood 2  not-at 0 0 0  not-at 0 1 0  0  task 0\n")}
        for what, lines in kept.items():
            proof = "duet-proof 1\nbound 11\ngraph 3 1\n"
            proof += lines[0] * 200000 + lines[1] if what == "suppositions" else lines[0] + lines[1] * 200000
            with self.subTest(what):
                path = self.put("p.proof", proof)
                for limit, expected in ((8, 5), (512, 1)):
                    code, errors = self.bounded(["verify", file, solution, "--proof", path, "--memory", str(limit)],
                                                limit, proof)
                    self.assertEqual(code, expected, errors)
                    self.assertEqual(what in errors and "more than" in errors, code == 5, errors)


if __name__ == "__main__":
    unittest.main()
