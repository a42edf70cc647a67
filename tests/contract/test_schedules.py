# SPDX-License-Identifier: Apache-2.0
"""Schedules from elsewhere, platforms by name, units: what people bring and what they ask."""
import csv
import io
import json
import random
import unittest
import xml.etree.ElementTree
from fractions import Fraction

from test_contract import Contract

THREE = "id,small,big,gpu\na,3,2,1\nb,3,4,2\nc,5,,1\n"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Platforms(Contract):
    def setUp(self):
        super().setUp()
        self.write("three.csv", THREE)

    def refused(self, arguments, *words):
        done = self.run_duet(arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_by_name(self):
        named = self.json("solve three.csv -a heft --platform gpu=1,small=2,big=3 --json")
        self.assertEqual([(t["type"], t["count"]) for t in named["platform"]],
                         [("small", 2), ("big", 3), ("gpu", 1)])
        lettered = self.json("solve three.csv -a heft -m 2 -k 3,1 --json")
        self.assertEqual(named["schedule"], lettered["schedule"])
        # What is not named stays the file's.
        self.assertEqual(self.counts(self.json("solve small.json -a heft --platform gpu=3 --json")), [2, 3])
        self.write('odd.csv', 'id,"a,b","c=d"\nx,1,2\n')
        self.assertEqual(self.counts(self.json("solve", "odd.csv", "-a", "heft", "--json", "--platform",
                                               '"a,b"=2,"c=d"=1')), [2, 1])
        made = self.json("generate mixed --platform cpu=3,gpu=2,gpu2=1")
        self.assertEqual(self.counts(made), [3, 2, 1])

    def test_everywhere(self):
        self.duet("solve three.csv --platform small=1,big=1,gpu=1 -a heft -o s.json")
        for command in ("bound three.csv", "compare three.csv -a heft", "verify three.csv s.json",
                        "show three.csv s.json"):
            self.assertIn("1 small + 1 big + 1 gpu",
                          self.duet(command + " --platform small=1,big=1,gpu=1"))

    def test_errors_name_the_types(self):
        self.refused("solve three.csv -m 10", "small=N,big=N,gpu=N", "'big' has none")
        self.refused("solve three.csv --platform small=1,big=2", "'gpu' has none")
        self.refused("solve three.csv --platform small=1,big=2,tpu=1", "'tpu'", "small, big, gpu")
        self.refused("solve three.csv --platform small=1,small=2", "twice")
        self.refused("solve three.csv --platform small=1,big=1,gpu=1 -m 3", "no -m and no -k")
        self.refused("solve three.csv --platform small=0,big=0,gpu=0", "at least one processor")
        for text in ("small", "small=", "=3", "small=x", "small=1,", "small=3..1", "small=1;big=2"):
            self.refused(f"solve three.csv --platform {text}", "--platform: expected counts by type")
        self.refused("solve three.csv", "-m M -k K,L", "small=N,big=N,gpu=N")
        self.refused("generate uniform --platform cpu=1,tpu=1", "'tpu'", "gpu2")
        self.refused("verify small.json small.json -k 1..2", "expected one count")
        self.refused("show small.json --platform gpu=1..2", "expected one count")
        self.refused("solve small.json -m 1..2000", "at most 1000 platforms")


class Units(Contract):
    def events(self, arguments):
        done = self.run_duet(arguments + " --trace t.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = self.load("t.json")
        return [e["dur"] for e in trace["traceEvents"] if e["ph"] == "X"], done.stderr

    def test_traces_in_true_time(self):
        self.write("k.csv", "id,cpu,gpu\na,0.0061,\n")
        expected = {"s": "6100", "ms": "6.1", "us": "0.0061", "ns": "0.0000061", "min": "366000",
                    "h": "21960000", "hours": "21960000", "d": "527040000"}
        for unit, microseconds in expected.items():
            with self.subTest(unit=unit):
                durations, said = self.events(f"solve k.csv -m 1 -k 1 -a heft --unit {unit}")
                self.assertEqual([Fraction(str(d)) for d in durations], [Fraction(microseconds)])
                self.assertEqual(said, "")

    def test_unknown_units_are_said(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        durations, said = self.events("solve k.csv -m 1 -k 1 -a heft")
        self.assertEqual(durations, [0.5])
        self.assertIn("names no unit of time", said)
        self.assertIn("--unit", said)
        self.assertIn("'fortnights' is unknown", self.events("solve k.csv -m 1 -k 1 -a heft --unit fortnights")[1])
        self.assertEqual(self.events("solve k.csv -m 1 -k 1 -a heft -q")[1], "")

    def test_in_the_text(self):
        self.write("k.csv", "id,cpu,gpu\na,0.5,\n")
        for command in ("solve k.csv -a heft", "bound k.csv", "compare k.csv -a heft"):
            self.assertIn("0.5 min", self.duet(command + " -m 1 -k 1 --unit min"))
        self.assertEqual(self.json("solve k.csv -m 1 -k 1 -a heft --unit h --json")["time_unit"], "h")

    def test_another_unit_than_the_files(self):
        self.assertIn("2.25 ms", self.duet("bound small.json --unit ms -b longest"))
        done = self.run_duet("bound small.json --unit s")
        self.assertEqual(done.returncode, 2)
        self.assertIn('"ms"', done.stderr)


class Show(Contract):
    def test_json_and_csv_say_the_same(self):
        self.duet("generate chol -n 6 -m 5 -k 2 -o c.json")
        # heteroprio gives runs up: they come back, too.
        self.duet("solve c.json -a heteroprio -o s.json")
        self.duet("solve c.json -a heteroprio -o s.csv")
        self.assertEqual(set(rows(self.read("s.csv"))[0]),
                         {"task", "type", "processor", "start", "end"} |
                         ({"aborted"} if self.load("s.json").get("aborted") else set()))
        shown = [self.json(f"show c.json {name} --json --summary") for name in ("s.json", "s.csv")]
        for one in shown:
            one.pop("algorithm")
        self.assertEqual(shown[0], shown[1])
        self.assertTrue(shown[0]["valid"] and shown[0]["certified"])
        self.assertIn("none claimed", self.duet("verify c.json s.csv"))
        self.duet("show c.json s.csv -o back.json")
        self.assertEqual(self.load("back.json")["schedule"], self.load("s.json")["schedule"])
        self.duet("show c.json s.json -o again.csv")
        self.assertEqual(self.read("again.csv"), self.read("s.csv"))

    def test_judges_without_claims(self):
        bound = self.json("bound small.json -b configuration --json")["bounds"][0]["value"] \
            if "glpk" in self.duet("--version").lower() else None
        self.write("mine.csv", "task;type;processor;start\n" + "".join(
            f"a#{i};gpu;0;{str(1.5 * i).replace('.', ',')}\n" for i in range(6)) + "b;cpu;0;0\n")
        shown = self.json("show small.json mine.csv --json")
        self.assertEqual((shown["makespan"], shown["valid"]), (9, True))
        self.assertLessEqual(shown["lower_bound"], 9)
        if bound is not None:
            self.assertEqual(shown["lower_bound"], bound)
        self.assertAlmostEqual(shown["gap_percent"], 100 * (9 / shown["lower_bound"] - 1), 4)
        # JSON from elsewhere need not claim anything either; verify asks for what it verifies.
        self.write("mine.json", json.dumps({"schedule": [
            {"task": r["task"], "type": r["type"], "processor": int(r["processor"]),
             "start": float(r["start"].replace(",", "."))}
            for r in csv.DictReader(io.StringIO(self.read("mine.csv")), delimiter=";")]}))
        self.assertEqual(self.json("show small.json mine.json --json")["makespan"], 9)
        self.duet("verify small.json mine.json", code=3)

    def test_without_starts(self):
        self.write("order.csv", "task,type,processor\nb,cpu,0\n" + "".join(f"a#{i},gpu,0\n" for i in range(6)))
        self.duet("show small.json order.csv -o s.csv")
        starts = [r["start"] for r in rows(self.read("s.csv"))]
        self.assertEqual(starts, ["0", "1.5", "3", "4.5", "6", "7.5", "0"])

    def test_times_of_floating_point(self):
        seed = 7
        draw = random.Random(seed)
        for trial in range(20):
            with self.subTest(seed=seed, trial=trial):
                digits = draw.choice([3, 17])
                tasks = [(f"t{i}", *(round(draw.uniform(0.001, 0.02), digits) for _ in range(2)))
                         for i in range(40)]
                self.write("f.csv", "id,cpu,gpu\n" + "".join(f"{t},{c!r},{g!r}\n" for t, c, g in tasks))
                ends = {("cpu", 0): 0.0, ("cpu", 1): 0.0, ("gpu", 0): 0.0}
                lines = []
                for name, c, g in tasks:
                    where = draw.choice(list(ends))
                    start = ends[where]
                    ends[where] = start + (c if where[0] == "cpu" else g)
                    lines.append(f"{name},{where[0]},{where[1]},{start!r},{ends[where]!r}\n")
                draw.shuffle(lines)
                self.write("s.csv", "task,type,processor,start,end\n" + "".join(lines))
                shown = self.json("show f.csv s.csv -m 2 -k 1 --json")
                self.assertTrue(shown["valid"], shown["fault"])
                self.assertAlmostEqual(shown["makespan"], max(ends.values()), 12)

    def test_faults_are_faults(self):
        good = ["a#%d,gpu,0,%s" % (i, 1.5 * i) for i in range(6)] + ["b,cpu,0,0"]
        wrong = {"placed twice": good + ["b,cpu,1,0"], "not scheduled": good[1:],
                 "unknown task": good + ["z,cpu,1,0"], "unknown processor type": good[:-1] + ["b,tpu,0,0"],
                 "forbidden": good[:-1] + ["b,gpu,0,9"], "does not exist": good[:-1] + ["b,cpu,2,0"],
                 "a#1": good[:1] + ["a#1,gpu,0,1.4"] + good[2:]}
        for words, lines in wrong.items():
            with self.subTest(words=words):
                self.write("s.csv", "task,type,processor,start\n" + "\n".join(lines) + "\n")
                done = self.run_duet("show small.json s.csv")
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(words, done.stderr)
                self.assertEqual(self.run_duet("verify small.json s.csv").returncode, 1)
                self.assertFalse(self.json("show small.json s.csv --json", code=1)["valid"])
        for text in ("task,type,start\n", "task,type,processor,start\na,cpu,x,0\n",
                     "task,type,processor,start\nb,cpu,0,soon\n", "task,type,processor,start\nb,cpu\n"):
            self.write("s.csv", text)
            self.duet("show small.json s.csv", code=3)

    def test_ends_are_checked(self):
        self.write("s.csv", "task,type,processor,start,end\n" +
                   "".join(f"a#{i},gpu,0,{1.5 * i},{1.5 * i + 1.5}\n" for i in range(6)) + "b,cpu,0,0,3\n")
        self.assertIn("ends at a wrong time", self.run_duet("show small.json s.csv").stderr)

    def test_pictures(self):
        if "cairo" not in self.duet("--version"):
            self.skipTest("a build without cairo")
        self.duet("solve small.json -a heft -o s.csv")
        self.duet("show small.json s.csv --gantt s.svg --trace s.paje")
        xml.etree.ElementTree.parse(self.path("s.svg"))
        self.assertIn("# time unit: ms", self.read("s.paje"))

    def test_claims_that_nothing_proves(self):
        self.duet("solve small.json -a heft -o s.json")
        made = self.load("s.json")
        made["lower_bound"], made["bound"], made["status"] = made["makespan"], "faith", "optimal"
        del made["certificate"]
        self.write("s.json", json.dumps(made))
        text = self.duet("show small.json s.json")
        if made["makespan"] > self.json("show small.json s.json --json")["lower_bound"]:
            self.assertIn("(faith), which nothing here proves", text)

    def test_an_instance_alone(self):
        self.write("three.csv", THREE)
        text = self.duet("show three.csv")
        self.assertIn("3 tasks in 3 kinds", text)
        self.assertIn("--unit", text)
        self.duet("show three.csv --summary", code=2)
        self.duet("show", code=2)


class Summary(Contract):
    def test_adds_up(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                self.duet(f"generate mixed --seed {seed} -O types=3 -n 60 -o m.json")
                self.duet("solve m.json -a local-search -o s.json")
                shown = self.json("show m.json s.json --json --summary")
                made, summary = self.load("s.json"), shown["summary"]
                self.assertEqual(sum(k["tasks"] for k in summary["kinds"]), shown["tasks"])
                for t in summary["types"]:
                    own = [p for p in made["schedule"] if p["type"] == t["type"]]
                    self.assertEqual(t["tasks"], len(own))
                    self.assertEqual(sum(k["by_type"][t["type"]] for k in summary["kinds"]), len(own))
                    work = sum(Fraction(str(p["end"])) - Fraction(str(p["start"])) for p in own)
                    share = work / (t["processors"] * Fraction(str(made["makespan"])))
                    self.assertAlmostEqual(t["load_percent"], 100 * float(share), 2)
                # The tasks that decide: one after another, up to the makespan.
                placed = {p["task"]: p for p in made["schedule"]}
                chain = [placed[task] for task in summary["decided_by"]]
                self.assertEqual(chain[-1]["end"], made["makespan"])
                for before, after in zip(chain, chain[1:]):
                    self.assertEqual(before["end"], after["start"])
                if chain[0]["start"] != 0:
                    self.assertFalse([p for p in made["schedule"] if p["end"] == chain[0]["start"] and
                                      (p["type"], p["processor"]) == (chain[0]["type"], chain[0]["processor"])])

    def test_kinds_of_one_name_are_one_row(self):
        lines = [f"gemm_{i},4,1" for i in range(30)] + [f"trsm_{i},1,4" for i in range(20)]
        self.write("k.csv", "id,cpu,gpu\n" + "\n".join(lines) + "\n")
        text = self.duet("solve k.csv -m 2 -k 2 -a exact --summary")
        self.assertRegex(text, r"gemm \(30 kinds\) +30 +\S+ +\d+")
        self.assertRegex(text, r"trsm \(20 kinds\) +20 +\d+ +\S+")
        self.assertRegex(text, r"bottleneck   (cpu|gpu): at work \d+\.\d\d %")
        self.assertIn("decided by", text)

    def test_a_task_that_takes_it_all(self):
        self.write("k.csv", "id,cpu,gpu\nlong,9,8\nshort,1,1\n")
        self.assertIn("task long: no processor runs it in less than 8",
                      self.duet("solve k.csv -m 1 -k 1 -a exact --summary"))


class Words(Contract):
    def test_the_command_that_draws(self):
        done = self.run_duet("gantt s.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("duet show FILE SCHEDULE --gantt", done.stderr)

    def test_help_without_noise(self):
        for command in ("solve", "bound", "show", "verify", "generate", "compare", "report", "list",
                        "measure", "bench ratios", "bench exact"):
            text = self.duet(*command.split(), "--help")
            self.assertNotIn("Mandatory or optional arguments", text)
            examples = text[text.index("Examples:"):].split("\n\n")[0].splitlines()[1:]
            for line in examples:
                self.assertTrue(line.startswith("  "), f"{command}: broken example: {line}")

    def test_a_column_that_is_no_type(self):
        self.write("n.csv", "id,cpu,gpu,notes\na,3,4,hello\n")
        self.assertIn('column "notes" is taken for a processor type',
                      self.run_duet("bound n.csv -m 1 -k 1").stderr)

    def test_not_a_number(self):
        self.write("n.txt", "a 3 N/A\n")
        self.assertIn("or -1 where the task cannot run", self.run_duet("bound n.txt -m 1 -k 1").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
