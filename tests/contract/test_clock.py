# SPDX-License-Identifier: Apache-2.0
"""Times of day (--start) and names of processors ("names"): in tables, pictures and traces, across midnight."""
import csv
import json
import os
import re
import subprocess
import sys
import unittest

from test_contract import Contract

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOSTS = {"name": "hosts", "time_unit": "h",
         "platform": [{"type": "cpu", "count": 2, "names": ["n1", "n<2>"]},
                      {"type": "gpu", "count": 2, "names": ["gpu a"]}],
         "tasks": [{"id": "night", "times": [None, 16.25]}, {"id": "late", "times": [None, 16.25]},
                   {"id": "day", "count": 2, "times": [3, 90]}]}
START = "2026-11-27T09:00"


class Clock(Contract):
    def setUp(self):
        super().setUp()
        self.write("hosts.json", json.dumps(HOSTS))

    def content(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def done(self, *arguments, code=0):
        done = self.run_duet(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_names_are_kept(self):
        again = json.loads(self.done("convert hosts.json --format json").stdout)
        self.assertEqual([entry["names"] for entry in again["platform"]], [["n1", "n<2>"], ["gpu a"]])
        fewer = json.loads(self.done("convert hosts.json -m 1 -k 3 --format json").stdout)
        self.assertEqual([entry["names"] for entry in fewer["platform"]], [["n1"], ["gpu a"]])
        unknown = json.loads(json.dumps(HOSTS))
        for entry in unknown["platform"]:
            entry["count"] = None
        self.write("unknown.json", json.dumps(unknown))
        again = json.loads(self.done("convert unknown.json --format json").stdout)
        self.assertEqual([entry["names"] for entry in again["platform"]], [["n1", "n<2>"], ["gpu a"]])

    def test_checkers_take_them(self):
        self.done("solve hosts.json -o plan.json -q")
        self.done("verify hosts.json plan.json")
        checker = os.path.join(ROOT, "scripts", "duet_check.py")
        for names, code in ((["n1", "n2"], 0), (["n1", "n1"], 3), (["n1", "n2", "n3"], 3), ([""], 3), ([1], 3)):
            instance = json.loads(json.dumps(HOSTS))
            instance["platform"][0]["names"] = names
            self.write("other.json", json.dumps(instance))
            judged = subprocess.run([sys.executable, checker, "other.json", "plan.json"], cwd=self.folder, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(judged.returncode, code, judged.stdout)
            self.done("verify other.json plan.json", code=code)

    def test_table(self):
        self.done(f"solve hosts.json -o plan.csv --start {START} -q")
        rows = {row["task"]: row for row in csv.DictReader(self.content("plan.csv").splitlines())}
        self.assertEqual(rows["night"]["start_time"], "2026-11-27T09:00:00")
        self.assertEqual(rows["night"]["end_time"], "2026-11-28T01:15:00")
        self.assertEqual(rows["night"]["end"], "16.25")
        self.assertEqual({rows["night"]["host"], rows["late"]["host"]}, {"gpu a", ""})
        self.assertEqual({rows["day#0"]["host"], rows["day#1"]["host"]}, {"n1", "n<2>"})
        self.done("verify hosts.json plan.csv")  # the columns change nothing
        self.done("show hosts.json plan.csv -o plain.csv -q")
        self.assertEqual(self.content("plain.csv").splitlines()[0], "task,type,processor,start,end,host")

    def test_times_of_day_beside_numbers(self):
        """They may be as spreadsheets write them, and behind the year 9999, but not another instant."""
        self.write("two.csv", "id,cpu\na,2\nb,3\n")
        self.done("solve two.csv -m 1 --unit week --start 9999-12-30T08:00 -o late.csv -q")
        self.assertIn("10000-", self.content("late.csv"))
        self.done("verify two.csv late.csv -m 1 --unit week --start 9999-12-30T08:00")
        for time, code in (("12/1/2026 10:00", 0), ("1/12/2026 10:00", 0), ("2026-12-01 10:00:59", 0), ("12/1/2026 10:01", 3),
                           ("2/1/2026 10:00", 3), ("soon", 3)):
            self.write("plan.csv", f"task,type,processor,start,start_time\na,cpu,0,0,\nb,cpu,0,2,{time}\n")
            self.done("verify two.csv plan.csv -m 1 --unit h --start 2026-12-01T08:00", code=code)

    def test_table_of_sets(self):
        moldable = {"time_unit": "min", "platform": [{"type": "cpu", "count": 3, "names": ["a", "b"]}],
                    "tasks": [{"id": "wide", "times": [[90, 60, 30]]}]}
        self.write("wide.json", json.dumps(moldable))
        self.done("solve wide.json -o wide.csv --start 2024-02-28T23:45+01:00 -q")
        self.assertEqual(self.content("wide.csv").splitlines(),
                         ["task,type,processors,start,end,host,start_time,end_time",
                          "wide,cpu,0-2,0,30,a;b,2024-02-28T23:45:00+01:00,2024-02-29T00:15:00+01:00"])

    def test_picture(self):
        self.done(f"solve hosts.json --gantt plan.svg --start {START} -q")
        texts = re.findall(r"<text[^>]*>([^<]*)<", self.content("plan.svg"))
        for text in ("n1", "n&lt;2&gt;", "gpu a", "1", "11-28 00:00", "time of day (from 2026-11-27T09:00:00)"):
            self.assertIn(text, texts)
        self.assertTrue(any("(11-28 01:15)" in text for text in texts), texts)
        self.assertIn("night: gpu ", self.content("plan.svg"))
        self.assertIn(", 2026-11-27T09:00:00 to 2026-11-28T01:15:00", self.content("plan.svg"))
        # Within a day there is none on the axis, and labels are whole hours.
        self.done("solve hosts.json --gantt plan.svg --start 2026-11-27T00:15 --unit h -q")
        texts = re.findall(r"<text[^>]*>([^<]*)<", self.content("plan.svg"))
        marks = [text for text in texts if re.fullmatch(r"\d\d:\d\d", text)]
        self.assertGreater(len(marks), 3, texts)
        self.assertEqual({text[3:] for text in marks}, {"00"}, marks)

    def test_every_span_has_labels(self):
        for span in ("0.001", "0.5", "7", "333", "86400", "12345678", "4000000000"):
            self.write("span.csv", f"id,cpu\na,{span}\n")
            self.done(f"solve span.csv -m 1 --unit s --gantt span.svg --start {START} -q")
            texts = re.findall(r"<text[^>]*>([^<]*)<", self.content("span.svg"))
            marks = [text for text in texts if re.fullmatch(r"(\d\d-\d\d )?\d\d:\d\d(:\d\d(\.\d+)?)?", text)]
            self.assertGreater(len(marks), 1, (span, texts))
            self.assertLess(len(marks), 30, (span, texts))

    def test_traces(self):
        self.done(f"solve hosts.json --trace plan.json --start {START} -q")
        trace = json.loads(self.content("plan.json"))
        self.assertEqual(trace["otherData"]["start"], "2026-11-27T09:00:00")
        threads = [event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "thread_name"]
        self.assertEqual(threads, ["n1", "n<2>", "gpu a", "processor 1"])
        night = [event["args"] for event in trace["traceEvents"] if event["name"] == "night"][0]
        self.assertEqual((night["start"], night["end"]), ("2026-11-27T09:00:00", "2026-11-28T01:15:00"))
        self.done(f"solve hosts.json --trace plan.paje --start {START} -q")
        trace = self.content("plan.paje")
        for text in ('"cpu n1"', '"gpu gpu a"', '"gpu 1"', "# start: 2026-11-27T09:00:00", "# end: 2026-11-28T01:15:00"):
            self.assertIn(text, trace)

    def test_text(self):
        self.assertIn("names        cpu: n1, n<2>\nnames        gpu: gpu a\n", self.done("show hosts.json").stdout)
        self.assertIn("ends at      2026-11-28T01:15:00Z\n", self.done(f"solve hosts.json --start {START}Z").stdout)

    def test_deadlines(self):
        for words, value in (("--deadline 16h15m", 16.25), ("--deadline 975min", 16.25), ("--deadline 1d", 24),
                             (f"--start {START} --deadline 2026-11-28T01:15", 16.25),
                             (f"--start {START}Z --deadline 2026-11-28T03:15+02:00", 16.25)):
            asked = json.loads(self.done(f"solve hosts.json {words} --json").stdout)["deadline"]
            self.assertEqual(asked, {"value": value, "met": True}, words)
        for words, text in (("5parsec", "a length such as 1h20m"), ("2026-11-28T01:15", "expected --start"),
                            (f"2026-11-27T08:59 --start {START}", "not before --start"),
                            (f"2026-11-28T08:59Z --start {START}", "with Z or +01:00 behind it")):
            self.assertIn(text, self.done(f"solve hosts.json --deadline {words}", code=2).stderr)
        self.write("due.csv", "id,deadline,cpu\na,1h30m,1h\nb,2h,1.5h\nc,30min,2h\n")
        late = "late         a by 3 h (due 1 h 30 min), b by 1 h 30 min (due 2 h), c by 1 h 30 min (due 30 min); lateness is not minimised\n"
        for words in ("solve due.csv -m 1 -a lpt -o due.json", "show due.csv -m 1 due.json", "verify due.csv -m 1 due.json"):
            self.assertIn(late, self.done(words).stdout)
        self.write("due.csv", f"id,deadline,cpu\na,{START},1\n")
        self.assertIn("such as --start 2026-11-27T00:00:00", self.done("solve due.csv -m 1", code=3).stderr)

    def test_busy(self):
        """Until when processors are busy: numbers, lengths and times of day; a type once."""
        for words, busy in (("cpu=2,30min", [2, 0.5]), (f"cpu=2026-11-28T00:30 --start {START}", [15.5]), ("cpu=0,1h30m", [0, 1.5]),
                            (f"cpu={START} --start {START}", [0]), ("cpu=1 --busy gpu=90min", [1])):
            made = json.loads(self.done(f"convert hosts.json --busy {words}").stdout)["platform"]
            self.assertEqual(made[0]["busy"], busy, words)
        self.assertEqual(made[1]["busy"], [1.5])
        self.write("tasks.csv", "id,cpu,release\na,3,inf\n")
        for words, code, text in (("hosts.json --busy cpu=1,cpu=2", 2, "twice"), ("hosts.json --busy cpu=1 --busy cpu=2", 2, "twice"),
                                  ("hosts.json --busy cpu=2026-11-28T00:30", 2, "with a start"),
                                  (f"hosts.json --busy cpu=2026-11-27T08:59 --start {START}", 2, "with a start"),
                                  (f"hosts.json --busy cpu=2026-11-28T00:30Z --start {START}", 2, "with a start"),
                                  ("hosts.json --busy cpu=-1h", 2, "at least 0"), ("hosts.json --busy cpu=,1h", 2, "at least 0"),
                                  ("tasks.csv -m 1 --busy cpu=1h", 3, "never there"),
                                  ("tasks.csv -m 1 --busy cpu=1h -O ignore=release", 2, "no unit of time is known")):
            self.assertIn(text, self.done(f"convert {words}", code=code).stderr)

    def test_refused(self):
        self.assertIn("--start: expected a day and a time", self.done("solve hosts.json --start 9:00", code=2).stderr)
        instance = dict(HOSTS, time_unit="")
        self.write("plain.json", json.dumps(instance))
        self.assertIn("names no unit of time", self.done(f"solve plain.json --start {START}", code=2).stderr)
        self.write("plain.json", json.dumps(dict(HOSTS, time_unit="ticks")))
        self.assertIn("unit 'ticks' is unknown", self.done(f"solve plain.json --start {START}", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
