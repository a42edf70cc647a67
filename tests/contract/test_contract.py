# SPDX-License-Identifier: Apache-2.0
"""Every command does what its reference says, and its JSON has the promised shape.

The command is $DUET_COMMAND. Each test has an empty folder of its own as its working directory.
"""
import csv
import json
import os
import re
import subprocess
import tempfile
import unittest
from fractions import Fraction

DUET = os.environ["DUET_COMMAND"]

SMALL = """{"format": "duet-instance", "version": 1, "name": "small", "time_unit": "ms",
 "platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}],
 "tasks": [{"id": "a", "count": 6, "times": [4, 1.5]}, {"id": "b", "times": [2.25, null]}]}
"""

CLAIMED = """{{"format": "duet-instance", "version": 1,
 "platform": [{{"type": "cpu", "count": 1}}, {{"type": "gpu", "count": 1}}],
 "tasks": [{{"id": "a", "count": 2, "times": [2, 2]}}],
 "claim": {{"algorithm": "heft", "optimum": {}, "makespan": {}{}}}}}
"""


class Contract(unittest.TestCase):
    """What the tests of all commands share."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("small.json", SMALL)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def load(self, name):
        return json.loads(self.read(name))

    def run_duet(self, *arguments, stdin=None):
        """Runs `duet ARGUMENT...`, split at spaces where it is one string."""
        if len(arguments) == 1:
            arguments = arguments[0].split()
        given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
        # AddressSanitizer calls the cache of fontconfig, behind cairo, a leak.
        self.write("lsan.txt", "leak:libcairo\nleak:libfontconfig\n")
        environment = dict(os.environ, LSAN_OPTIONS=f"suppressions={self.path('lsan.txt')}:print_suppressions=0")
        return subprocess.run([DUET, *arguments], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, env=environment, **given)

    def duet(self, *arguments, stdin=None, code=0):
        """The same; must exit with `code`. Returns what it printed."""
        done = self.run_duet(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr[-800:]}{done.stdout[-800:]}")
        return done.stdout

    def json(self, *arguments, stdin=None, code=0):
        return json.loads(self.duet(*arguments, stdin=stdin, code=code))

    def counts(self, document):
        return [t["count"] for t in document["platform"]]


class Generate(Contract):
    def test_shape_and_seeds(self):
        self.duet("generate uniform -n 12 -m 3 -k 2 --seed 5 -o u.json")
        made = self.load("u.json")
        self.assertEqual((made["format"], made["version"], self.counts(made), len(made["tasks"])),
                         ("duet-instance", 1, [3, 2], 12))
        same = self.duet("generate uniform -n 12 -m 3 -k 2 --seed 5")
        self.assertEqual(same, self.read("u.json"))
        self.assertNotEqual(same, self.duet("generate uniform -n 12 -m 3 -k 2 --seed 6"))
        self.assertEqual(self.counts(self.json("generate uniform -n 5")), [20, 4])

    def test_formats(self):
        text = self.duet("generate uniform -n 5 --format csv")
        self.assertRegex(text.splitlines()[0], "^id,.*cpu,gpu")
        self.duet("generate uniform -n 5 -o by-name.csv")
        self.assertEqual(self.read("by-name.csv"), text)

    def test_every_family_solves_and_verifies(self):
        for family in self.json("list families --json"):
            name = family["name"]
            with self.subTest(family=name):
                # Worst cases have platforms of their own.
                size = [] if name.startswith("worst-") else ["-n", "4", "-m", "2", "-k", "1"]
                moldable = name in ("amdahl", "downey", "tables", "platform")
                rule = "hcpa" if moldable else "heft"
                made = self.duet("generate", name, *size)
                self.write("g.json", self.duet("solve", "-", "-a", rule, "--json", stdin=made))
                self.duet("verify", "-", "g.json", stdin=made)


class Claims(Contract):
    def compare(self, optimum, makespan, more, options):
        """The claim of a comparison as JSON, and the comparison as text; the instance's optimum is 2."""
        self.write("claimed.json", CLAIMED.format(optimum, makespan, more))
        claim = self.json(f"compare claimed.json {options} --json")["files"][0]["claim"]
        return claim, self.duet(f"compare claimed.json {options}")

    def test_of_a_family(self):
        self.duet("generate worst-eft -m 8 -k 2 -o worst.json")
        claim = self.load("worst.json")["claim"]
        self.assertEqual((claim["algorithm"], claim["optimum"], claim["makespan"], claim["ratio"]),
                         ("eft", 2016, 11000, "1375/252"))
        self.assertLess({"limit", "source"}, set(claim))
        found = self.json("compare worst.json -a eft,exact --json")["files"][0]
        self.assertEqual(found["claim"]["makespan"], 11000)
        self.assertEqual([r["makespan"] for r in found["results"]], [11000, 2016])
        self.assertFalse(found["claim"]["contradicted"])
        self.assertEqual(found["claim"]["contradictions"], [])
        self.assertRegex(self.duet("compare worst.json -a eft"),
                         r"(?m)^claimed: optimum 2016, eft 11000 \(ratio 5.4563\)$")
        self.assertNotIn("claimed", self.duet("compare worst.json -m 9 -a eft"))

    def test_that_hold(self):
        for optimum, makespan, more, options in (
                (2, 2, "", "-a heft,exact"), (2, 5, ', "refuted": true', "-a heft"),
                (2, 5, ', "options": "improve=true"', "-a heft"), (2, 5, ', "options": "no=such"', "-a heft")):
            with self.subTest(more=more, options=options):
                claim, text = self.compare(optimum, makespan, more, options)
                self.assertEqual(claim["contradictions"], [])
                self.assertNotIn("contradicted", text)

    def test_that_are_contradicted(self):
        claim, text = self.compare(1, 5, "", "-a heft,exact")
        self.assertTrue(claim["contradicted"])
        self.assertEqual(len(claim["contradictions"]), 2)
        self.assertRegex(text, r"(?m)^contradicted: the best bound 2 \(.*\) is above the claimed optimum 1$")
        self.assertRegex(text, "(?m)^contradicted: heft takes 2, not 5$")
        claim, text = self.compare(3, 5, "", "-a exact")
        self.assertEqual(len(claim["contradictions"]), 1)
        self.assertRegex(text, "(?m)^contradicted: exact takes 2, less than the claimed optimum 3$")
        for more, options, said in ((', "refuted": true', "-a heft", None),
                                    (', "options": "improve=true"', "-a heft -O improve=true", 5),
                                    (', "options": "improve=false"', "-a heft", 5)):
            with self.subTest(more=more):
                claim, text = self.compare(2, 5 if said else 2, more, options)
                self.assertRegex(text, "(?m)^contradicted: heft takes 2, not " + ("5$" if said else "less than 2$"))


class Lists(Contract):
    def test_text(self):
        self.duet("list")
        self.duet("list -v")

    def test_shape(self):
        members = {"name", "summary", "guarantee", "reference", "requires", "options"}
        for part in ("algorithms", "bounds", "families", "formats"):
            with self.subTest(part=part):
                entries = self.json(f"list {part} --json")
                self.assertGreater(len(entries), 2)
                for entry in entries:
                    self.assertLessEqual(members, set(entry))
                    for option in entry["options"]:
                        self.assertLessEqual({"name", "type", "default", "unit", "text"}, set(option))
        self.assertEqual(set(self.json("list --json")), {"algorithms", "bounds", "families", "formats"})

    def test_handles(self):
        features = {"precedence", "communication", "moldable", "any-types", "mixed-sets", "releases", "busy",
                    "rigid"}
        for part in ("algorithms", "bounds"):
            for entry in self.json(f"list {part} --json"):
                with self.subTest(entry=entry["name"]):
                    self.assertLessEqual(set(entry["handles"]), features)
                    self.assertNotEqual("any-types" in entry["handles"], "two-types" in entry["requires"])
        for part in ("families", "formats"):
            self.assertFalse(any("handles" in e or e["requires"] for e in self.json(f"list {part} --json")))
        text = self.duet("list -v")
        self.assertRegex(text, "(?m)^  lst(?:\n      .*)*\n      handles: independent tasks, any number of processor types$")
        self.assertRegex(text, "(?m)^  eft(?:\n      .*)*\n      handles: independent tasks, precedence, communication, "
                               "any number of processor types, releases, busy processors$")
        self.assertRegex(text, "(?m)^  shelf\n.*\n      handles: independent tasks, two processor types, precedence")

    def test_names(self):
        self.assertLessEqual({"ilp", "dualhp", "eft", "heft", "quickest", "ratio", "qa", "er-ls", "mixeft",
                              "heteroprio", "lpt"}, {e["name"] for e in self.json("list algorithms --json")})
        self.assertLessEqual({"longest", "area", "area-lp"},
                             {e["name"] for e in self.json("list bounds --json")})

    def test_a_pipe_that_closes_early(self):
        with subprocess.Popen([DUET, "list", "-v"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            run.stdout.readline()
            run.stdout.close()
            self.assertEqual(run.stderr.read(), b"")


class Solve(Contract):
    def test_solution(self):
        done = self.run_duet("solve small.json -o s.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        made = self.load("s.json")
        self.assertEqual((made["format"], made["version"], made["instance"], len(made["schedule"])),
                         ("duet-solution", 1, "small", 7))
        self.assertLessEqual({"algorithm", "platform", "status", "makespan", "lower_bound", "bound", "time_unit",
                              "guarantee", "seconds", "certificate"}, set(made))
        for entry in made["schedule"]:
            self.assertEqual(set(entry), {"task", "type", "processor", "start", "end"})
        self.assertEqual(made["makespan"], max(e["end"] for e in made["schedule"]))
        for line in ("instance", "platform", "algorithm", "makespan", "lower bound", "gap", "guarantee", "status",
                     "time"):
            self.assertRegex(done.stdout, f"(?m)^{line}  *[^ ]")
        self.assertRegex(done.stdout, r"(?m)^makespan  *[0-9.]* ms$")

    def test_where_the_solution_goes(self):
        for options in ("--json", "-o -", "-o - --json"):
            with self.subTest(options=options):
                self.assertEqual(self.json(f"solve small.json -a heft {options}")["algorithm"], "heft")
        self.assertEqual(len(self.json("solve - -a heft --json", stdin=SMALL)["schedule"]), 7)

    def test_platform(self):
        for options, counts in (("-m 1 -k 4", [1, 4]), ("-m 5", [5, 1]), ("-k 5", [2, 5])):
            with self.subTest(options=options):
                self.assertEqual(self.counts(self.json(f"solve small.json -a heft {options} --json")), counts)

    def test_options(self):
        self.duet("solve small.json -t 1.5 -j 2 --memory 512 --seed 3 -q")
        self.duet("solve small.json -a eft -O ties=cpu")
        self.write("empty.csv", "id,cpu,gpu\n")
        self.duet("solve empty.csv -m 1 -k 1 -o e.json")
        self.duet("verify empty.csv e.json")

    def test_traces(self):
        self.duet("solve small.json -a heft --trace t.json --json")
        self.assertGreaterEqual(len(self.load("t.json")["traceEvents"]), 7)
        for ending, fragment in (("paje", "EventDef"), ("rec", "SpecificWorker")):
            self.duet(f"solve small.json -a heft --trace t.{ending}")
            self.assertIn(fragment, self.read(f"t.{ending}"))

    def test_pictures(self):
        endings = ["svg", "png", "pdf"]
        if "cairo" not in self.duet("--version"):
            for ending in endings[1:]:
                self.duet(f"solve small.json --gantt g.{ending}", code=2)
            endings = ["svg"]  # which the library writes itself
        for ending in endings:
            self.duet(f"solve small.json -a heft --gantt g.{ending}")
            self.assertGreater(os.path.getsize(self.path(f"g.{ending}")), 0)

    def test_no_progress_line_in_a_file(self):
        made = self.duet("generate uniform -n 60 -m 5 -k 3")
        self.assertEqual(self.run_duet("solve - -t 1.5", stdin=made).stderr, "")


class Bound(Contract):
    def test_json(self):
        found = self.json("bound small.json --json")
        self.assertEqual((set(found), found["instance"]), ({"instance", "bounds"}, "small"))
        for bound in found["bounds"]:
            self.assertEqual(set(bound), {"name", "exact", "value", "certified"})
            # Ticks are hundredths here; the value is the least whole one not below the bound.
            self.assertEqual(Fraction(str(bound["value"])) * 100, -(-Fraction(bound["exact"]) // 1))
        self.assertEqual([b["value"] for b in found["bounds"] if b["name"] == "longest"], [2.25])
        self.assertEqual([b["name"] for b in self.json("bound small.json -b area --json")["bounds"]], ["area"])

    def test_text(self):
        self.assertRegex(self.duet("bound small.json"), "(?m)^  area  .* yes$")
        self.duet("bound small.json -b all")


class Verify(Contract):
    def test_a_right_solution(self):
        self.duet("solve small.json -o s.json")
        text = self.duet("verify small.json s.json")
        for line in ("schedule  *ok: 7 tasks", "makespan  *ok", "lower bound .*certif"):
            self.assertRegex(text, f"(?m)^{line}")
        found = self.json("verify small.json s.json --json")
        self.assertEqual((found["valid"], found["fault"], found["tasks"]), (True, None, 7))
        self.assertIn(found["bound_check"], ("certified", "unproven", "none"))
        self.duet("verify small.json -", stdin=self.duet("solve small.json -a lpt --json"))

    def test_a_wrong_makespan(self):
        lie = self.json("solve small.json --json")
        lie["makespan"] = 1
        self.write("lie.json", json.dumps(lie))
        found = self.json("verify small.json lie.json --json", code=1)
        self.assertFalse(found["valid"])
        self.assertIn("makespan", found["fault"])

    def test_platform(self):
        self.duet("generate uniform -n 12 --format csv -o u.csv")
        self.duet("solve u.csv -m 2 -k 1 -a eft -o c.json")
        self.duet("verify u.csv c.json")
        self.duet("verify u.csv -m 2 -k 1 c.json")
        self.duet("solve u.csv -m 3 -k 3 -a eft -o c.json")
        self.duet("verify u.csv c.json -m 1 -k 0", code=1)


class Compare(Contract):
    def test_several_files(self):
        self.duet("generate uniform -n 12 -m 3 -k 2 --seed 5 -o u.json")
        text = self.duet("compare small.json u.json -t 1 --csv c.csv")
        self.assertRegex(text, "(?m)^  heteroprio ")
        self.assertRegex(text, "(?m)^summary over 2 files")
        with open(self.path("c.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({r["file"] for r in rows}, {"small.json", "u.json"})
        for row in rows:
            if row["makespan"]:
                self.assertGreaterEqual(float(row["makespan"]), float(row["best_bound"]))

    def test_json(self):
        found = self.json("compare small.json -a eft,heft --json")
        self.assertEqual(len(found["files"]), 1)
        results = found["files"][0]["results"]
        self.assertEqual([r["algorithm"] for r in results], ["eft", "heft"])
        for result in results:
            self.assertGreaterEqual(result["makespan"], found["files"][0]["best_bound"])

    def test_says_what_it_skips(self):
        self.write("three.csv", "id,cpu,gpu,npu\na,4,1,3\nb,2,,1\n")
        text = self.duet("compare three.csv -m 2 -k 1,2 -a dualhp,eft")
        self.assertRegex(text, "dualhp skipped: .*two types.*; expected one of ")
        names = re.search("(?m)expected one of (.*)$", text).group(1).split(", ")
        self.assertLessEqual({"auto", "lst", "eft"}, set(names))
        self.assertRegex(text, "(?m)^  eft ")



class PeoplesFiles(Contract):
    """Tables and numbers as other programs write them: each solves and verifies."""
    ROWS = [("a", "1.5", "0.30000000000000004"), ("b", "", "2"), ("c", "12.123456789012345", "1e-05")]

    def table(self, header, separator=",", change=lambda text: text, ids=True, end="\n"):
        rows = [row if ids else row[1:] for row in self.ROWS]
        lines = [header] + [separator.join(map(change, row)) for row in rows]
        return end.join(lines) + end

    def files(self):
        """Name, content and options of each."""
        comma = lambda text: text.replace(".", ",")
        yield "semicolon.csv", self.table("id;cpu;gpu", ";", comma), ""
        yield "tab.tsv", self.table("\tcpu\tgpu", "\t"), ""
        yield "pandas.csv", self.table(",cpu,gpu"), ""
        yield "exponent.csv", self.table("id,cpu,gpu", change=lambda t: t + "E+00" if "." in t else t), ""
        yield "header.csv", self.table(" Task , CPU (ms) , GPU (ms) "), ""
        yield "no-ids.csv", self.table("cpu,gpu", ids=False), ""
        yield "mark.csv", "\ufeff" + self.table("name,cpu,gpu", end="\r\n"), ""
        yield "picked.csv", self.table("job,time_cpu,time_gpu"), "--columns id=job,cpu=time_cpu,gpu=time_gpu"
        yield "bare.json", json.dumps({"tasks": [
            {"id": row[0], "times": [json.loads(t) if t else None for t in row[1:]]}
            for row in self.ROWS]}), ""
        yield "list.json", ('[{"id": "a", "times": [1.5, 3.0000000000000004E-1]}, {"id": "b", "times": [null, 2]}, '
                            '{"id": "c", "times": [12.123456789012345, 1e-5]}]'), ""

    def test_solve_and_verify(self):
        for name, text, options in self.files():
            with self.subTest(file=name):
                self.write(name, text)
                solved = self.json(f"solve {name} -m 2 -k 1 {options} --json")
                self.write("s.json", json.dumps(solved))
                self.assertEqual(solved["status"], "optimal")
                self.assertEqual(solved["makespan"], 2.00001)
                self.duet(f"verify {name} s.json {options} --strict")
                self.duet(f"bound {name} -m 2 -k 1 {options}")
                self.duet(f"compare {name} -m 2 -k 1 {options} -a heft")
                self.duet(f"report --instance {name} --solution s.json {options} -o r.html")

    def test_rounding(self):
        self.write("t.csv", self.table("id,cpu,gpu"))
        done = self.run_duet("solve t.csv -m 2 -k 1 --json")
        self.assertEqual(done.stderr, "")
        self.write("t.csv", self.table("id,cpu,gpu") + "d,99999,1\n")
        done = self.run_duet("solve t.csv -m 2 -k 1 --json")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^duet: note: 2 of 7 times are rounded to 13 decimal places, the finest that "
                                      r"fit; the largest error is 4.5e-14\n$")
        self.assertEqual(self.run_duet("solve t.csv -m 2 -k 1 --json -q").stderr, "")
        refused = self.run_duet("solve t.csv -m 2 -k 1 --exact-times")
        self.assertEqual(refused.returncode, 3)
        self.assertRegex(refused.stderr, r"^duet: t\.csv:2: time 2 of task 'a' cannot be exact: expected at most 13")

    def test_order_of_types(self):
        """-m counts the first column; where that is the GPUs', a note says so."""
        self.write("turned.csv", "id,gpu,cpu\na,1,2\n")
        note = "duet: note: -m counts 'gpu', the first type, and -k 'cpu': --columns turns them\n"
        self.assertEqual(self.run_duet("bound turned.csv -m 2 -k 1").stderr, note)
        self.assertEqual(self.run_duet("bound turned.csv -m 2 -k 1 -q").stderr, "")
        self.assertEqual(self.run_duet("bound turned.csv -m 2 -k 1 --columns cpu,gpu").stderr, "")


if __name__ == "__main__":
    unittest.main()
