#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing of an input is lost without a word. A field that nobody knows is added to every kept input of every format, in
every place that may have fields: it is named in a note or a refusal. Inputs as people have
them are read right, or refused with a way forward that is then followed."""
import copy
import gzip
import itertools
import json
import lzma
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

DUET = os.environ["DUET_COMMAND"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = os.path.join(ROOT, "tests", "fuzz", "corpus", "instance")
NAME = "zzqx"
# What stands for each meaning, and what is said of a value that matters.
WORDS = {"release": "release", "ready": "release", "arrival": "release", "start_after": "release",
         "cores": "\"size\": 3", "ncpus": "\"size\": 3", "procs": "\"size\": 3", "slots": "\"size\": 3",
         "res": "\"size\": 3", "deadline": "\"deadline\": 3", "due": "\"deadline\": 3", "Due date": "\"deadline\": 3", "priority": "not used",
         "memory": "not used", "mem_gb": "not used", "memory_mb": "not used", "group": "\"group\": \"3\"",
         "task_release": "release", "earliest start time": "release", "job_deadline": "\"deadline\": 3", "number of cores": "\"size\": 3",
         "jobPriority": "not used", "memory [MiB]": "not used", "max_mem": "not used", "Timelimit": "not used", "start date": "not used",
         "min_start": "release", "Gewicht": "not used", "Speicher": "not used",
         "readyms": "ignore=", "ready_in_s": "ignore=", "deadline in minutes": "ignore=", "dueTimeMs": "ignore=",
         "Type of task": "\"group\": \"3\"", "kind": "\"group\": \"3\"", "state": "not used"}


def duet(*arguments, stdin=None):
    given = {"stdin": subprocess.DEVNULL} if stdin is None else {
        "input": stdin if isinstance(stdin, bytes) else stdin.encode()}
    return subprocess.run([DUET, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **given)


def convert(text, *options):
    """Exit code, what was written, and what was said."""
    done = duet("convert", "-", *options, stdin=text)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def objects(value, path=()):
    """The paths to all objects of a JSON value."""
    if isinstance(value, dict):
        yield path
        for name, member in value.items():
            yield from objects(member, path + (name,))
    elif isinstance(value, list):
        for i, element in enumerate(value):
            yield from objects(element, path + (i,))


def kind_of(path):
    """One place of each kind: elements of an array are alike."""
    return tuple("*" if isinstance(step, int) else step for step in path)


def with_member(value, path, name, member):
    value = copy.deepcopy(value)
    at = value
    for step in path:
        at = at[step]
    at[name] = member
    return json.dumps(value)


def more_json(text):
    value = json.loads(text)
    seen = set()
    for path in objects(value):
        kind = kind_of(path)
        if kind in seen or (kind and kind[-1] == "times"):  # the times by name are types
            continue
        seen.add(kind)
        for member in (7, "text", [1], {"a": 1}):
            yield "JSON " + "/".join(map(str, path)), with_member(value, path, NAME, member)


def more_csv(text):
    header = next((line for line in text.split("\n") if line and not line.startswith(("#", "sep="))), "")
    separator = max(",;\t|", key=header.count)
    if '"' in text or separator not in header:
        return
    for cell in ("7", "text"):
        lines = []
        for line in text.split("\n"):
            bare = line.rstrip("\r")
            end = line[len(bare):]
            skip = not bare or bare.startswith(("#", "sep="))
            lines.append(line if skip else bare + separator + (NAME if bare == header.rstrip("\r") else cell) + end)
        yield "CSV " + cell, "\n".join(lines)


def more_dot(text):
    for value in ("7", '"a text"'):
        yield "DOT node", re.sub(r"\[", f"[{NAME}={value}, ", text, count=1)
        yield "DOT graph", re.sub(r"\{", f"{{ {NAME}={value}; ", text, count=1)
        yield "DOT edge", re.sub(r"->([^;\n\[\]{}]*)\[", rf"->\1[{NAME}={value}, ", text, count=1)


def more_records(text):
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if re.match(r"[A-Z][A-Za-z]*:", line):
            yield "record", "\n".join(lines[:i + 1] + [f"{NAME}: 7"] + lines[i + 1:])
            return


def more_xml(text):
    for element in sorted(set(re.findall(r"<(\w+)[ >]", text))):
        yield f"XML attribute of {element}", re.sub(rf"<{element}\b", f'<{element} {NAME}="7"', text, count=1)
    yield "XML element", re.sub(r"</(\w+)>\s*$", rf"<{NAME}/></\1>", text)
    yield "XML element of a job", re.sub(r"(<job\b[^>]*[^/]>)", rf"\1<{NAME}/>", text, count=1)


def more_tgff(text):
    yield "TGFF line", re.sub(r"(@TASK_GRAPH[^\n]*\n)", rf"\1\t{NAME} 7\n", text, count=1)
    yield "TGFF block", text + f"@{NAME} 0 {{\n# type exec_time\n  0 1\n}}\n"


def more(name, text):
    """The same file with a field more, in each place."""
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith(("{", "[")):
        yield from more_json(head)
    elif re.match(r"(strict\s+)?digraph\b", head):
        yield from more_dot(text)
    elif name.endswith(".rec"):
        yield from more_records(text)
    elif name.endswith(".csv"):
        yield from more_csv(text)
    elif head.startswith("<"):
        yield from more_xml(text)
    elif head.startswith("@"):
        yield from more_tgff(text)


LUIGI = json.dumps({"response": {  # /api/task_list; the last one has not run
    "A__1": {"name": "A", "status": "DONE", "deps": ["B__2", "C__3"], "start_time": 1.0, "time_running": 13.0, "last_updated": 16.0},
    "B__2": {"name": "B", "status": "DONE", "deps": [], "start_time": 1.0, "time_running": 2.0, "last_updated": 6.0},
    "C__3": {"name": "C", "status": "PENDING", "deps": [], "start_time": 1.0, "time_running": None, "last_updated": 1.0}}})


class Ledger(unittest.TestCase):
    """Fields that are not used are named."""

    def kept(self):
        for name in sorted(os.listdir(KEPT)):
            with open(os.path.join(KEPT, name), "rb") as file:
                data = file.read()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if "\0" not in text and len(text) < 20000 and convert(text)[0] == 0:
                yield name, text

    def test_unknown(self):
        tried = 0
        for name, text in self.kept():
            try:
                changed = list(more(name, text))
            except (ValueError, RecursionError):
                continue  # no JSON to Python
            for where, file in changed:
                if file == text:
                    continue
                code, written, said = convert(file)
                tried += 1
                used = f'"id": "{NAME}"' in written or (where == "TGFF block" and f'"type": "{NAME}' in written)
                self.assertTrue(code != 0 or NAME in said or used, f"{name}, {where}:\n{file}\n{said}")
                code, _, said = convert(file, "--strict-input")
                self.assertTrue(code != 0 or used, f"{name}, {where}, --strict-input:\n{file}")
        self.assertGreater(tried, 200)

    def test_words(self):
        for word, expected in WORDS.items():
            value = "3"
            table = f"id,cpu,gpu,{word}\na,1,2,{value}\nb,2,1,{value}\n"
            records = json.dumps([{"id": "a", "cpu": 1, "gpu": 2, word: 3}, {"id": "b", "cpu": 2, "gpu": 1, word: 3}])
            arrays = json.dumps({"tasks": [{"id": "a", "times": [1, 2], word: 3}]})
            graph = f'digraph {{ a [cpu=1, gpu=2, "{word}"=3]; b [cpu=2, gpu=1]; a -> b }}'
            for text in (table, records, arrays, graph):
                code, written, said = convert(text)
                if expected == "ignore=":  # in another unit than the times, perhaps
                    self.assertEqual((code, expected in said), (3, True), text)
                    continue
                used = expected != "not used"
                self.assertIn('"release": 3' if expected == "release" else expected, written if used else said, text)
                self.assertNotIn(f'"type": "{word}"', written, text)
                self.assertEqual(code, 0, said)
                if text == graph and expected != "\"size\": 3":  # what is read goes back
                    again = convert(convert(text, "--format", "dot", "-q")[1], "-q")[1]
                    self.assertEqual(again, written)
                code, _, said = convert(text, "-O", f"ignore={word}")
                self.assertEqual(code, 0, said)
                self.assertIn("passed over", said)

    def test_names_of_types(self):
        """A name that says nothing of processors is a type with a note, and those that say how many tasks there are do so."""
        for names, said in (("cpu,gpu", 0), ("xeon,a100", 0), ("p0,p1", 0), ("cpu_ms,copro_ms", 0), ("cpu,gamma", 1),
                            ("optimistic,likely", 2)):
            for form, text in (("csv", f"id,{names}\na,1,2\n"), ("json", json.dumps([dict(zip(("id," + names).split(","), "a12"))])),
                               ("dot", "digraph {{ a [{}=1, {}=2] }}".format(*names.split(",")))):
                done = duet("convert", "-", stdin=text)
                note = "" if said == 0 else "gamma" if said == 1 else "and 1 more are taken"
                self.assertEqual((done.returncode, done.stderr == b""), (0, said == 0), done.stderr)
                self.assertIn(note, done.stderr.decode())
                self.assertEqual(duet("convert", "-", "--strict-input", stdin=text).returncode, 3 if said else 0, form)
                self.assertEqual(duet("solve", "-", "--platform", names.replace(",", "=1,") + "=1", stdin=text).stderr, b"")
        for word in ("copies", "Quantity", "qty", "multiplicity"):
            for text in (f"id,cpu,{word}\na,1,3\n", json.dumps([{"id": "a", "cpu": 1, word: 3}])):
                self.assertIn('"count": 3', convert(text, "--strict-input")[1])
                code, _, said = convert(text.replace("3", "2.5"))
                self.assertEqual((code, f"-O ignore={word}" in said), (3, True), said)
            self.assertIn("1 everywhere", convert(f"digraph {{ a [cpu=1, {word}=3] }}")[2])

    def test_kinds_of_edges(self):
        """Edges that say other than that an end comes before a start are refused."""
        for member, code in (('"type": "SS"', 3), ('"lag": 2', 3), ('"lag": 0', 0), ('"type": "FS"', 0), ('"type": "data"', 0)):
            text = '{"tasks": [{"id": "a", "times": [1]}, {"id": "b", "times": [1]}], "edges": [{"from": "a", "to": "b", %s}]}'
            done = convert(text % member)
            self.assertEqual(done[0], code, done[2])
            self.assertIn('ignore=' if code else 'is not used', done[2])
            self.assertEqual(convert(text % member, "-O", "ignore=" + member.split('"')[1])[0], 0)
            with tempfile.TemporaryDirectory() as folder:  # a column of a table of edges likewise
                links, (name, value) = os.path.join(folder, "links"), json.loads("{%s}" % member).popitem()
                with open(links, "w", encoding="utf-8") as file:
                    file.write(f"from,to,{name}\na,b,{value}\n")
                done = convert("id,cpu\na,1\nb,1\n", "--edges", links)
                self.assertEqual((done[0], "ignore=" in done[2]), (code, code != 0), done[2])
                self.assertEqual(convert("id,cpu\na,1\nb,1\n", "--edges", links, "-O", f"ignore={name}")[0], 0)

    def test_repeated_order(self):
        """Jira repeats the column of what comes before a task."""
        name = "Inward issue link (Blocks)"
        made = convert(f"Issue key,cpu,{name},{name}\na,1,,\nb,2,a,\nc,3,a,b\n")[1]
        self.assertEqual(re.findall(r'\["(.)", "(.)"\]', made), [("a", "b"), ("a", "c"), ("b", "c")])

    def test_types_of_tgff(self):
        self.assertIn('"id": "t0_1", "deadline": 300, "group": "type 1"', convert(TGFF)[1])
        code, made, said = convert(TGFF.replace("# type exec_time", "# type power exec_time").replace("0    14", "0 7 14").replace("1    13", "1 7 13"))
        self.assertIn('"power" is not used (2 values)', said)
        self.assertIn('"price" is not used (1 value)', said)
        self.assertIn('"times": [13]', made)
        more = TGFF.replace("\tHARD", "\tSOFT_DEADLINE d1 ON t0_1 AT 7\n\tHARD_DEADLINE d2 ON t0_1 AT 300.5\n\tHARD")
        _, made, said = convert(more)
        self.assertIn('"id": "t0_1", "deadline": 300,', made)
        self.assertIn('"SOFT_DEADLINE" is not used (1 value)', said)
        self.assertIn('"id": "t0_1", "deadline": 7,', convert(more, "-O", "ignore=HARD_DEADLINE")[1])

    def test_what_binds_is_noted_beside_columns(self):
        """Releases and deadlines that --columns does not pick are passed over with a note, in every format. Where their
        unit is in question that is to be said."""
        for word in ("Due Date", "due", "deadline in h", "ready", "earliest start"):
            for text in (f"id,t,{word}\na,3,9\n", json.dumps([{"id": "a", "t": 3, word: 9}]),
                         f"digraph {{ a [t=3, \"{word}\"=9]; }}"):
                code, _, said = convert(text, "--columns", "cpu=t", "-m", "1")
                self.assertEqual(code, 3 if word.endswith(" h") else 0, said)
                self.assertIn(f'"{word}"', said, text)
                if code != 0:
                    self.assertIn(f"ignore={word}", said)

    def test_dates(self):
        """Releases and deadlines that are days, in all forms, in every format: told from --start, or from the earliest."""
        same = ["2026-12-01 14:00", "2026-12-01T14:00", "2026-12-01 14:00:00", "01.12.2026 14:00", "1.12.2026, 14:00", "1-Dec-2026 14:00",
                "Dec 1, 2026 2:00 PM", "1 December 2026 14:00", "2026/12/1 2:00 pm", "Tue 2026-12-01 14:00:00.000", "20261201T140000",
                "Tuesday, Dec. 1 2026 14:00"]
        for unit, due in (("s", "21600"), ("min", "360"), ("h", "6"), ("d", "0.25"), ("week", "0.0357142857")):
            for text in (same if unit == "h" else same[:1]):
                for file in (f"id,cpu,due\na,3,\"{text}\"\n", json.dumps([{"id": "a", "cpu": 3, "due": text}]),
                             f'digraph {{ a [cpu=3, due="{text}"] }}', json.dumps({"tasks": [{"id": "a", "times": [3], "deadline": text}]})):
                    code, made, said = convert(file, "--start", "2026-12-01T08:00", "--unit", unit)
                    self.assertEqual(code, 0, said)
                    self.assertIn(f'"deadline": {due}', made, file)
        made = convert("id,cpu,due,ready\na,1,2026-12-01,2026-11-30\nb,1,,2026-11-30 08:00:01.25\nc,1,NaT,5\n")
        self.assertIn('{"id": "a", "deadline": 172800, "times": [1]}', made[1])  # its end
        self.assertIn('{"id": "b", "release": 28801.25, "times": [1]}', made[1])
        self.assertIn('{"id": "c", "release": 5, "times": [1]}', made[1])
        self.assertIn("3 dates are told from 2026-11-30T00:00:00, the earliest", made[2])
        self.assertIn('"time_unit": "s"', made[1])
        for name in ("due", "Due date", "Fälligkeit", "ready date", "Eingangsdatum"):
            for values, serial in ((("46356", "46357.5"), True), (("46356", ""), True), (("46356", "120"), False), (("12h", "13h"), False),
                                   (("46356", "2026-12-01"), False), (("70000", "46356"), False), (("", ""), False)):
                code, _, said = convert(f"id,cpu,{name}\na,1,{values[0]}\nb,1,{values[1]}\n", "--unit", "s", "--start", "2026-11-01T00:00")
                self.assertEqual((code, "as spreadsheets number days" in said), (0, serial), f"{name} {values}: {said}")
        self.assertNotIn("spreadsheets", convert("id,cpu,deadline\na,1,46356\n")[2])
        zones = "id,cpu,due,ready\na,1,2026-12-01T12:00+02:00,2026-12-01T08:30Z\n"
        self.assertIn('"deadline": 5400', convert(zones)[1])
        self.assertIn('"release": 1800, "deadline": 7200', convert(zones, "--start", "2026-12-01T09:00+01:00")[1])
        self.assertEqual(convert(zones, "--start", "2026-12-01T09:00")[0], 3)
        for order, day in (("dmy", 3), ("mdy", 33)):
            made = convert("id,cpu,due\na,1,4/3/2026 00:00\n", "-O", f"dates={order}", "--start", "2026-03-01T00:00", "--unit", "d")
            self.assertIn(f'"deadline": {day}', made[1], made[2])
        code, _, said = convert("id,cpu,due\na,1,13/12/2026\nb,1,12/14/2026\n")
        self.assertEqual((code, "has the day first" in said), (3, True), said)
        late = convert("id,cpu,due,ready\na,1,2026-12-01,2026-11-30\n", "--start", "2026-12-01T08:00")
        self.assertIn('"deadline": 57600', late[1])
        self.assertIn("1 of them before it", late[2])
        self.assertIn(", a deadline, which is time 0", convert("id,cpu,due,ready\na,1,2026-11-29,2026-11-30\n")[2])
        # no deadline is before the start, and none is the start: what the message says helps
        for due, start in ((("2026-12-05 15:00", "2026-12-05"), "2026-12-06T08:00"), (("2026-12-05T15:00Z", "2026-12-05T12:00-05:00"),
                           "2026-12-06T08:00+01:00"), (("2026-12-05 15:00:00.5", "NaT"), "2026-12-06T08:00+01:00"), (("2026-12-05", ""), None)):
            text, options = f"id,cpu,due\na,1,{due[0]}\nb,1,{due[1]}\n", ("--start", start) if start else ()
            code, _, said = convert(text, "--unit", "h", *options)
            self.assertEqual(code, 3, said)
            code, made, said = convert(text, "--unit", "h", "--start", re.search(r"--start ([^ ,]*[0-9Z])", said).group(1))
            self.assertEqual((code, '"deadline": ' in made), (0, True), said)
        # what a schedule is for stays with it
        with tempfile.TemporaryDirectory() as folder:
            table, plan = os.path.join(folder, "t.csv"), os.path.join(folder, "s.json")
            with open(table, "w", encoding="utf-8") as file:
                file.write("id,h,due,ready\na,2,2026-12-01 10:00,2026-12-01 09:00\n")
            asked = ("-m", "1", "--columns", "cpu=h,deadline=due,release=ready", "--unit", "h", "--start", "2026-12-01T08:00")
            done = duet("solve", table, *asked, "-o", plan)
            self.assertRegex(done.stdout.decode(), r"makespan +3 h\nends at +2026-12-01T11:00:00[^~]*late +a by 1 h")
            self.assertEqual(duet("verify", table, plan, *asked).returncode, 0)
            for command in ("bound", "compare", "show"):
                self.assertEqual(duet(command, table, *asked).returncode, 0, command)

    def test_names_of_a_task(self):
        """The id, else the task or the name, else another word, else the number of the row; what is no id is noted."""
        for members, name, noted in (({"id": "a", "name": "b"}, "a", ["name"]), ({"name": "b", "task": "c", "id": "a"}, "a", ["name", "task"]),
                                     ({"index": 0, "job": "j"}, "j", []), ({"job": "j", "index": 0}, "j", []),
                                     ({"job": "j", "name": "n", "index": 0}, "n", ["job"]), ({"index": 7}, "7", [])):
            for text in (json.dumps([{**members, "cpu": 3}]), json.dumps({"schema": {"fields": []}, "data": [{**members, "cpu": 3}]})):
                code, made, said = convert(text)
                self.assertEqual(code, 0, said)
                self.assertIn(f'"id": "{name}"', made, text)
                for word in members:
                    self.assertEqual(f'"{word}" of tasks' in said, word in noted, said)

    def test_types_that_are_words(self):
        done = duet("solve", "-", "--platform", "cpus=2,slots=1", stdin="id,cpus,slots\na,1,2\nb,2,1\n")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        done = duet("solve", "-", "-m", "1", "-k", "1", stdin="id,cpus,gpus\na,1,2\nb,2,1\n")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        code, _, said = convert('{"platform": [{"type": "slots", "count": 1}], "tasks": [{"id": "a", "times": [1]}]}',
                                "--format", "csv")
        self.assertEqual(code, 2)
        self.assertIn("slots", said)


DAX = """<?xml version="1.0" encoding="UTF-8"?>
<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1" name="tiny"><!-- two jobs -->
  <job id="ID1" name="split" {}><uses file="part" link="output" size="1000000"/>{}</job>
  <job id="ID2" name="map" runtime="60"><uses file="part" link="input" size="1000000"/></job>
  <child ref="ID2"><parent ref="ID1"/></child>
</adag>
"""

PEGASUS_5 = """x-pegasus: {apiLang: python, createdBy: x}
pegasus: "5.0"
name: diamond
jobs:
- type: job
  name: preprocess
  id: ID1
  uses: [{lfn: f, type: output, size: 100}]
  profiles: {pegasus: {runtime: '60', cores: 2}}
- type: job
  name: analyze
  id: ID2
  profiles: {pegasus: {runtime: '30'}}
jobDependencies:
- {id: ID1, children: [ID2]}
"""

TGFF = """@HYPERPERIOD 300
@TASK_GRAPH 0 {
\tPERIOD 300
\tTASK t0_0\tTYPE 0
\tTASK t0_1\tTYPE 1
\tARC a0_0 \tFROM t0_0  TO  t0_1 TYPE 0
\tHARD_DEADLINE d0_0 ON t0_1 AT 300
}
@COMMUN 0 {
# type  quantity
  0     1000
}
@PE 0 {
# price
  3
#------
# type exec_time
  0    14
  1    13
}
"""

# Inputs as people have them: the text, options, and the makespan, or what the refusal says.
INPUTS = [
    ("predecessors", "Task,Duration,Predecessors\nA,4,\nB,3,A\nC,2,A\nD,5,\"B,C\"\n", "-m 2", "12"),
    ("successors", "Task,Duration,successors\nA,4,\"B,C\"\nB,3,D\nC,2,D\nD,5,\n", "-m 2", "12"),
    ("successors as text", '[{"id": "a", "cpu": 4, "children": "b, c"}, {"id": "b", "cpu": 3, "next": "[\'d e\']"}, {"id": "c", "cpu": 2, '
     '"succ": "d e|f"}, {"id": "d e", "cpu": 5, "next": "-"}, {"id": "f", "cpu": 1}]', "-m 2", "12"),
    ("successors of blanks", "id,cpu,next\na,4,b c|d\nb c,3,None\nd,1,[]\n", "-m 2", "7"),
    ("both ends of the order", "id,cpu,parents,children\na,1,,b\nb,2,a,c\nc,1,,\n", "-m 2", "4"),
    ("both ends of members", '[{"id": "a", "cpu": 1, "children": ["b"], "parents": []}, {"id": "b", "cpu": 2, "after": ["a"]}, '
     '{"id": "c", "cpu": 3, "children": [], "parents": ["b"]}]', "-m 2", "6"),
    ("one end each", '[{"name": "a", "cpu": 3, "next": ["b"]}, {"name": "b", "cpu": 4, "after": ["a"]}]', "-m 2", "7"),
    ("a release in seconds", "id,cpu_s,ready (s)\na,1,5\n", "-m 1", "-O 'ignore=ready (s)'"),
    ("a release in seconds, picked", "id,cpu_s,ready_s,start_s\na,1,5,0\n", "--columns cpu=cpu_s,release=ready_s -m 1", "6"),
    ("a deadline in minutes", '[{"id": "a", "cpu": 1, "deadline-min": 5}]', "-m 1", "-O ignore=deadline-min"),
    ("a release in days in DOT", "digraph { a [cpu=1, release_d=5] }", "-m 1", "-O ignore=release_d"),
    ("a start in seconds", "id,cpu_s,start_s\na,3,4\n", "-m 1", "3"),
    ("a type with a comma", '[{"id": "x", "a,b": 4}, {"id": "y", "cpu": 3}]', "--platform 'cpu=1,\"a,b\"=2'", "4"),
    ("a type with a star", "id,cpu,re*,release\na,1,,5\n", "--platform cpu=1,re*=1", "6"),
    ("a type called release", '{"platform": [{"type": "cpu", "count": 1}, {"type": "release", "count": 1}], "tasks": [{"id": "a", '
     '"release": 5, "times": [1, 2]}]}', "", "6"),
    ("a title above", "Plan;;\nid;cpu;gpu\na;1;2\n", "-m 1 -k 1", "delete what stands above"),
    ("empty lines above", ",,\n,,\nid,cpu,gpu\na,1,2\n", "-m 1 -k 1", "1"),
    ("a column without a name", "id,cpu,,gpu\na,1,2,3\n", "-m 1 -k 1", "--columns"),
    ("words of lengths", "id;cpu\na;1 Hour, 20 Min\nb;1W\n", "-m 1", "7 d 1 h 20 min"),
    ("millions or minutes", "id,cpu\na,5M\n", "-m 1", "a decimal number"),
    ("printed lists", "id,cpu,gpu,after\na,1,2,[]\nb,1,2,['a']\nc,1,2,\"['a', 'b']\"\n", "-m 1 -k 1", "3"),
    ("sets", "id,cpu,after\na,1,set()\nb,1,{'a'}\nc,1,\"('a', 'b')\"\n", "-m 2", "3"),
    ("numbers with a fraction", "id,cpu,after\n0,1,\n1,2,0.0\n", "-m 2", "3"),
    ("ids by another name", "job,cpu,gpu\njob1,3,2\njob2,4,1\n", "-m 1 -k 1", "3"),
    ("release", "id,cpu,gpu,release,deadline\na,1,2,0,10\nb,1,1,3,12\n", "-m 1 -k 1", "4"),
    ("no release", "id,cpu,gpu,release,deadline\na,1,2,0,10\nb,1,1,0,12\n", "-m 1 -k 1", "1"),
    ("release in DOT", "digraph { a [cpu=1, arrival=5]; b [cpu=2, release=1]; b -> a }", "-m 1", "6"),
    ("no release in DOT", "digraph { a [cpu=1, ready=soon] }", "-m 1", "-O ignore=ready"),
    ("no due date", "id,cpu,Due\na,1,friday\n", "-m 1", "-O ignore=Due"),
    ("no deadline", '[{"id": "a", "cpu": 1, "deadline": "friday"}]', "-m 1", "-O ignore=deadline"),
    ("two numbers of cores", "id,cpu,cores,ncpus\na,1,2,4\n", "-m 4", "-O ignore=ncpus"),
    ("two numbers of cores in DOT", "digraph { a [cpu=1, cores=2, slots=4] }", "-m 4", "-O ignore=slots"),
    ("all picked", "id,t,r,c,s\na,1,2,2,b\nb,3,,1,\n", "--columns cpu=t,release=r,cores=c,successors=s -m 2", "6"),
    ("all members picked", '[{"id": "a", "t": 1, "r": 2, "c": 2, "s": ["b"]}, {"id": "b", "t": 3}]',
     "--columns cpu=t,release=r,cores=c,successors=s -m 2", "6"),
    ("all attributes picked", "digraph { a [t=1, r=2, c=2]; b [t=3]; a -> b }", "--columns cpu=t,release=r,cores=c -m 2", "6"),
    ("an order of numbers", '[{"id": 1, "cpu": 2}, {"id": 2, "cpu": 3, "after": 1}, {"id": 3, "cpu": 1, "after": 2.0}]', "-m 2", "6"),
    ("release in JSON", '{"platform":[{"type":"cpu","count":1}],"tasks":[{"id":"a","times":[1],"release":5}]}', "", "6"),
    ("bars and clocks", "JobID|JobName|Elapsed|State\n1001|prep|00:01:30|COMPLETED\n1002|train|1-02:03:04|COMPLETED\n", "-m 1",
     "1 d 2 h 4 min 34 s"),
    ("comma", "job;ws;gpu\na;4,5 min;1:30:00\nb;1h 20m;90 s\n", "-m 1 -k 1", "270 s"),
    ("units", "task_id\tname\tstatus\tduration\trealtime\n1\tTRIM (s1)\tCOMPLETED\t1m 2s\t58.3s\n"
              "2\tALIGN (s1)\tCOMPLETED\t1h 2m\t1h 1m\n3\tQC (s1)\tCOMPLETED\t32m 10s\t-\n", "--columns cpu=duration -m 1", "1 h 35 min 12 s"),
    ("seconds in a name", "id,cpu_s,gpu s\na,4,1\nb,4,2\n", "-m 1 -k 1", "3"),
    ("numbers beside units", "id,cpu\na,90\nb,1m\nc,PT1M30S\nd,0 days 00:00:10\n", "-m 1", "250 s"),
    ("text column", "id,cpu,gpu,site\na,3,2,x1\nb,4,1,x2\n", "-m 1 -k 1", "--columns"),
    ("times with a name first", "TP,P_0,P_1\nT_0,14,16\nT_1,13,19\n", "-m 1 -k 1", "--columns"),
    ("NaN", '[{"id":"a","cpu":NaN,"gpu":2},{"id":"b","cpu":1,"gpu":Infinity}]', "-m 1 -k 1", "2"),
    ("numbers as text", '[{"id":"a","cpu":"1.5","gpu":"2"},{"id":"b","cpu":"1","gpu":""}]', "-m 1 -k 1", "2"),
    ("lengths as text", '[{"id":"a","cpu":"1m 2s"},{"id":"b","cpu":60}]', "-m 1", "122 s"),
    ("JSON lines", '{"id":"a","cpu":1,"gpu":2}\n{"id":"b","cpu":2,"gpu":1}\n', "-m 1 -k 1", "1"),
    ("tests", '{"tests/test_a.py::test_x": 1.25, "tests/test_b.py::test_z[1-2]": 3.0}', "-m 1", "4.25"),
    ("node-link", '{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"weight": 2.5, "id": "A"}, {"weight": 4, '
                  '"id": "B"}, {"weight": 1.5, "id": "C"}], "links": [{"weight": 0.5, "source": "A", "target": "B"}, '
                  '{"weight": 1.0, "source": "A", "target": "C"}]}', "-m 2", "6.5"),
    ("parallel links", '{"directed": true, "multigraph": true, "nodes": [{"cpu": 2, "id": "A"}, {"cpu": 3, "id": "B"}, {"cpu": 9, "id": "C"}], '
     '"edges": [{"source": "A", "target": "B", "cost": 2, "key": 0}, {"source": "A", "target": "B", "cost": 4.5, "key": 1}, {"source": "A", '
     '"target": "C", "cost": 3, "key": 0}, {"source": "A", "target": "C", "key": 1}]}', "-m 2", "11"),
    ("parallel links of no multigraph", '{"nodes": [{"cpu": 2, "id": "A"}, {"cpu": 3, "id": "B"}], "links": [["A", "B"], ["A", "B"]]}', "-m 2",
     "stands twice"),
    ("nodes without times", '{"nodes": [{"id": "A"}, {"id": "B", "cpu": 3}], "links": [["A", "B"]]}', "-m 2 -O time=2", "5"),
    ("a column that is left out", "id,cpu,x,after\na,1,5,\nb,2,4,a\n", "-m 2 -O ignore=x,after", "2"),
    ("two lengths", "id,duration,elapsed (s)\na,1,5\n", "-m 1 -k 1", "-O 'ignore=elapsed (s)'"),
    ("two lengths as members", '[{"id": "a", "CPU time": 1, "walltime": 5}]', "-m 1 -k 1", "-O ignore=walltime"),
    ("two lengths as attributes", "digraph { a [duration=1, runtime=5] }", "-m 1 -k 1", "-O ignore="),
    ("processors beside GPUs", "id,vcpus,gpus\na,3,2\nb,4,1\n", "-m 1 -k 1", "--platform vcpus=N,gpus=N"),
    ("processors beside GPUs as members", '[{"id": "a", "gpu": 2}, {"id": "b", "gpu": 2, "cores": 1}]', "-m 1", "--platform cores=N,gpu=N"),
    ("processors beside GPUs as attributes", "digraph { a [gpu=3, cpus=2]; b [gpu=3] }", "-m 4", "--platform cpus=N,gpu=N"),
    ("processors beside GPUs, picked", "id,vcpus,gpus\na,3,2\nb,4,1\n", "-m 4 --columns gpus,cores=vcpus", "3"),
    ("cpus of two nodes", "digraph { a [cpu=3, cpus=2]; b [cpu=3] }", "-m 2", "6"),
    ("cpus with a fraction", "digraph { a [cpu=3, cpus=2.5]; b [cpu=3] }", "-m 2", "-O ignore=cpus"),
    ("GPUs beside a length", "id,time,cpus,gpus\na,3,2,1\nb,4,1,0\n", "-m 4", "--columns cpu=NAME"),
    ("cores with a fraction", "id,cpu,cores\na,3,1.5\n", "-m 4", "-O ignore=cores"),
    ("two units", "id,cpu_ms,gpu_s\na,3,4\n", "-m 1 -k 1", "--platform cpu_ms=N,gpu_s=N"),
    ("two units and blanks", "id,cpu (ms),gpu (s)\na,3,4\n", "-m 1 -k 1", "--platform 'cpu (ms)=N,gpu (s)=N'"),
    ("two units as members", '[{"id": "a", "cpu_ms": 3, "gpu (s)": 4}]', "-m 1 -k 1", "different units"),
    ("two units as attributes", "digraph { a [cpu_ms=3, gpu_h=4] }", "-m 1 -k 1", "--platform cpu_ms=N,gpu_h=N"),
    ("another unit", "id,cpu_ms\na,3\n", "-m 1 --unit s", "--platform cpu_ms=N"),
    ("the same unit", "id,cpu_ms,gpu_ms\na,3,4\n", "-m 1 -k 1 --unit msec", "3 msec"),
    ("another unit in cells", '[{"id": "a", "cpu_ms": "3 s"}]', "-m 1", "--platform cpu_ms=N"),
    ("no job of profiles", '{"tasks": [{"id": "a", "cpu": 3}], "profiles": {"d": 1}}', "-m 1", "3"),
    ("a header that ends in a number", "task_key,gpu,CPU 2\na,3,4\nb,4,9\n", "-m 1 -k 1", "4"),
    ("an index without a name, and tabs", "Unnamed: 0\tname\tcpu\n0\ta\t3\n1\tb\t4\n", "-m 1", "7"),
    ("commas in names between bars", "nr, of the plan|cpu|gpu\na|3|4\nb|4|9\n", "--columns 'id=\"nr, of the plan\",cpu' -m 1", "7"),
    ("commas in ids of text", "a,b 3\nc 4\n", "-m 1", "7 ms"),
    ("a job shop with a line too short", "2 2\n1 4 0 3\n0 2 1\n", "-m 1", "in a job shop"),
    ("lengths in DOT", 'digraph { a [cpu="1m 30s", gpu=nan]; b [cpu=30, gpu=""]; c [gpu="1 min", release="PT1M"] }', "-m 1 -k 1", "120 s"),
    ("a text that --platform calls a time in DOT", "digraph { a [cpu=x, gpu=3]; b [cpu=2, gpu=1] }", "--platform cpu=1,gpu=1", "expected a decimal number"),
    ("links by other names", '{"nodes": [{"id": 0, "value": {"label": "all"}}, {"id": 1}, {"id": 2}, {"id": 3}], "links": [{"u": 1, "v": 0}, {"src": 2, '
     '"dst": 1}, {"parent": 3, "child": 2}]}', "-m 2 -O time=1", "4"),
    ("members of Airflow that are null", '{"tasks": [{"task_id": "a", "end_date": null, "execution_timeout": null}]}', "-m 1", "-O time=1"),
    ("a number of a thread", "key,duration,thread\na,1,7\nb,3,8\n", "-m 1", "4"),
    ("null says nothing of copies", '[{"id": "a", "cpu": 3, "copies": null, "priority": null}, {"id": "b", "cpu": 4, "Quantity": NaN}]', "-m 1 --strict-input", "7"),
    ("a platform behind times by name", '{"tasks": [{"id": "a", "times": {"gpu": 1, "cpu": 6}}, {"id": "b", "times": {"cpu": 6}}], "platform": '
     '[{"type": "cpu", "count": 1, "busy": [2]}, {"type": "gpu", "count": 3}]}', "", "8"),
    ("a platform behind that has no such type", '{"tasks": [{"id": "a", "times": {"gpu": 1}}], "platform": [{"type": "cpu", "count": 1}]}', "",
     "the platform before the tasks"),
    ("a platform behind that has a type less", '{"tasks": [{"id": "a", "cpu": 1, "gpu": 1}], "platform": [{"type": "cpu", "count": 1}]}', "",
     'has no type "gpu"'),
    ("times by name in quotes", '{"tasks": [{"id": "a", "times": {"cpu": "1m 2s", "gpu": "90"}}]}', "-m 1 -k 1", "62 s"),
    ("a text that --platform calls a time", '[{"id": "a", "gpu": "2 apples", "cpu": 3}]', "--platform gpu=1,cpu=1", "expected a time"),
    ("cores beside --columns", "id,t,cores\na,3,2\nb,4,2\n", "--columns cpu=t -m 2", "7"),
    ("cores beside --columns in JSON", '[{"id": "a", "t": 3, "cores": 2}, {"id": "b", "t": 4, "cores": 2}]', "--columns cpu=t -m 2", "7"),
    ("cores beside --columns in DOT", "digraph { a [t=3, cores=2]; b [t=4, cores=2] }", "--columns cpu=t -m 2", "7"),
    ("other words for cores beside --columns", "id,t,ncpus\na,3,2\nb,4,2\n", "--columns cpu=t -m 2 --strict-input", "does not pick it"),
    ("ids in quotes with signs", "id,cpu,after\n\"a,1\",1,\n\"b;c\",2,\"['a,1']\"\nä,3,\"[\"\"b;c\"\", \"\"a,1\"\"]\"\nd,4,\"[\"\"\\u00e4\"\"]\"\n", "-m 2",
     "10"),
    ("milliseconds", "id,cpu\na,1500 Milliseconds\nb,500 msec\nc,250000us\nd,1000 µs\n", "-m 1", "2.251 s"),
    ("null says nothing", '{"multigraph": null, "name": null, "claim": null, "nodes": [{"name": "a", "cpu": 3, "count": null}, {"name": "b", '
     '"cpu": 4}], "edges": [{"from": "a", "to": "b", "cost": null}]}', "-m 2", "7"),
    ("tasks of Airflow", '{"tasks": [{"task_id": "a", "downstream_task_ids": ["b"]}, {"task_id": "b", "downstream_task_ids": []}]}',
     "-m 2 -O time=1", "2"),
    ("profiles of Batsim", '{"jobs": [{"id": "1", "walltime": 9, "profile": "d"}], "profiles": {"d": {"type": "delay", "delay": 4}}}', "-m 1",
     "-O ignore=profiles"),
    ("run time", "id,Run Time (s),state\na,1,ok\nb,4,ok\n", "-m 2", "4"),
    ("run in a unit", "id,run_ms\na,1\nb,4\n", "-m 2", "4"),
    ("user time", "id,average user time,wait time\na,1,5\nb,4,5\n", "-m 2", "4"),
    ("two lengths as types", "id,duration,runtime\na,1,5\n", "--platform duration=1,runtime=1", "1"),
    ("undirected", '{"directed": false, "nodes": [{"weight": 2.5, "id": "A"}], "links": []}', "-m 2", "undirected"),
    ("SAGA", '{"tasks": [{"name": "A", "cost": 2.5}, {"name": "B", "cost": 4}, {"name": "C", "cost": 1.5}], "dependencies": '
             '[{"source": "A", "target": "B", "size": 0.5}, {"source": "A", "target": "C", "size": 1.0}]}', "-m 2", "6.5"),
    ("members picked", '[{"id":"a","t":2,"weight":1,"x":9},{"id":"b","t":1,"weight":4,"needs":["a"]}]', "--columns cpu=t -m 2", "3"),
    ("lists of P||Cmax", "3\n5\n7\n7\n6\n6\n5\n", "", "12"),
    ("lists of P||Cmax, jobs first", "5\n3\n7\n7\n6\n6\n5\n", "", "12"),
    ("a list too short", "3\n5\n7\n7\n6\n6\n", "", "times of jobs"),
    ("a job shop", "3 2\n0 5 1 4\n1 3 0 6\n0 2 1 2\n", "", "13"),
    ("a flexible job shop", "2 3 1.5\n2 2 1 5 2 4 1 3 7\n1 3 1 2 2 3 3 4\n", "", "11"),
    ("Pegasus", DAX.format('runtime="3.5"', ""), "-m 2 -O per-unit=1e-6", "63.5 s"),
    ("Pegasus, by profile", DAX.format("", '<profile namespace="pegasus" key="runtime">3.5</profile>'), "-m 2", "63.5 s"),
    ("Pegasus, no time", DAX.format("", ""), "-m 2", "-O time=1"),
    ("Pegasus, cores", DAX.format('runtime="3.5" cores="4"', ""), "-m 4", "63.5 s"),
    ("Pegasus, cores and files", DAX.format('runtime="3.5" cores="4"', ""), "-m 4 -O per-unit=1e-6", "64.5 s"),
    ("Pegasus, no number of cores", DAX.format('runtime="3.5" cores="1.5"', ""), "-m 4", "cores"),
    ("Pegasus, a document type", "<!DOCTYPE adag><adag/>", "-m 2", "without a document type"),
    ("TGFF", TGFF, "-m 2 -O per-unit=2", "27"),
    ("TGFF, no rate", TGFF, "-m 1", "27"),
    ("TGFF, no times", TGFF[:TGFF.index("@PE")], "-m 1", "-O time=1"),
    ("other XML", "<mxfile/>", "-m 2", "DAX"),
    ("cores", '{"workflow": {"tasks": [{"name":"a","id":"a","runtimeInSeconds":3.5,"cores":4}]}}', "-m 4", "3.5 s"),
    ("cores of two tasks", "id,cpu,cores\na,3,2\nb,2,3\nc,4,1\nd,0,4\n", "-m 4", "5"),
    ("cores in a graph", 'digraph { a [cpu=2, cores=2]; b [cpu=3, cores=2]; a -> b [weight=1] }', "-m 2", "5"),
    ("sizes that are not allowed", '{"platform": [{"type": "cpu", "count": 4}], "tasks": [{"id": "a", "times": [[3, null, 2]]}, '
                                   '{"id": "b", "times": [[null, 2]]}]}', "", "3"),
    ("costs between sizes", '{"platform": [{"type": "cpu", "count": 2}], "tasks": [{"id": "a", "size": 2, "times": [1]}, '
                            '{"id": "b", "times": [1]}], "edges": [["a", "b", 4]]}', "", "6"),
    ("one core", '{"workflow": {"tasks": [{"name":"a","id":"a","runtimeInSeconds":3.5,"cores":1}]}}', "-m 4", "3.5 s"),
    ("empty lists", '{"workflow": {"tasks": [{"id": "1", "runtimeInSeconds": 3, "parents": [], "files": [{"link": "output", '
                    '"name": "t"}]}, {"id": "2", "runtimeInSeconds": 5, "parents": [], "files": [{"link": "input", "name": "t"}]}]}}',
     "-m 2", "8 s"),
    ("weights", 'strict digraph "" { A [weight=2.5]; B [weight=4]; C [weight=4]; A -> B [weight=10]; A -> C [weight=10]; }', "-m 2",
     "10.5"),
    ("weights beside times", "digraph { A [cpu=1]; B [cpu=1]; A -> B [weight=10] }", "-m 2", "2"),
    ("weights picked", "digraph { A [t=1]; B [t=1]; C [t=5]; A -> B [weight=3]; A -> C [weight=3] }",
     "--columns cpu=t,cost=weight -m 2", "6"),
    ("attributes of graphs", "digraph { a [cpu=1,x=100,y=200,level=3]; b [cpu=2,x=1,y=1,level=4]; a -> b; }", "--columns cpu -m 2",
     "3"),
    ("attributes of graphs, not picked", "digraph { a [cpu=1,x=100,y=200,level=3]; b [cpu=2,x=1,y=1,level=4]; a -> b; }", "",
     "--columns"),
    ("a second column of times", "task_id\tduration\trealtime\n1\t1m 2s\t58s\n", "-m 2", "--columns"),
    ("SAGA, with machines", '{"network": {"nodes": [{"name": "n0", "speed": 2}, {"name": "n1", "speed": 4}], "edges": [{"source": '
     '"n0", "target": "n1", "speed": 0.5}]}, "task_graph": {"tasks": [{"name": "A", "cost": 2}, {"name": "B", "cost": 8}], '
     '"dependencies": [{"source": "A", "target": "B", "size": 3}]}}', "", "2.5"),
    ("SAGA, a link too few", '{"network": {"nodes": [{"name": "n0", "speed": 2}, {"name": "n1", "speed": 4}], "edges": []}, '
     '"task_graph": {"tasks": [{"name": "A", "cost": 2}], "dependencies": []}}', "", "0.5"),
    ("rows or columns", '{"xeon": {"a": 1}, "knl": {"a": 2}}', "-m 1 -k 1", "orient"),
    ("rows of types", '{"xeon": {"a": 1}, "knl": {"a": 2}}', "--platform xeon=1,knl=1", "1"),
    ("a table in three parts", '{"index": ["a", "b"], "columns": ["cpu", "after"], "data": [[2, null], [3, ["a"]]]}', "-m 2", "5"),
    ("a table with a schema", '{"schema": {"fields": [{"name": "index"}], "primaryKey": ["index"]}, "data": [{"index": 0, "cpu": 1, '
     '"gpu": 2}, {"index": 1, "cpu": 3, "gpu": 3, "after": [0]}]}', "-m 1 -k 1", "4"),
    ("rows first", '{"data": [[1, 2]], "columns": ["cpu", "gpu"]}', "-m 1 -k 1", "before"),
    ("a column of data", '{"data": [1, 2], "id": ["a", "b"]}', "-m 1", "3"),
    ("an order among columns", '{"cpu": {"a": 2, "b": 3}, "dependencies": {"a": "", "b": "a"}}', "-m 2", "5"),
    ("an order among lists", '{"id": ["a", "b", "c"], "cpu": [2, 3, 1], "dependencies": ["", "a", ["a", "b"]]}', "-m 2", "6"),
    ("an order before lists", '{"dependencies": [[], ["a"]], "id": ["a", "b"], "cpu": [2, 3]}', "-m 2", "5"),
    ("edges before tasks", '{"dependencies": [["a", "b"]], "jobs": [{"id": "a", "cpu": 2}, {"id": "b", "cpu": 3}]}', "-m 2", "5"),
    ("no edges", '{"tasks": [{"id": "a", "cpu": 1}], "links": ["a", ["b"], 3]}', "-m 1", "1"),
    ("rows alone", "[[1, 2], [3, 4]]", "-m 1 -k 1", "records"),
    ("rows too short", '{"columns": ["cpu", "gpu"], "data": [[2]]}', "-m 1 -k 1", "as many as there are columns"),
    ("one column", "seconds\n3\n4\n", "-m 2", "4"),
    ("DAGMan", "# a dag\nJOB A a.sub\njob B b.sub DIR x\nJOB C c.sub\nPARENT A CHILD B C\nRETRY B 3\n", "-m 2 -O time=2", "4"),
    ("DAGMan without times", "CONFIG x\nJOB A a.sub\nJOB B b.sub\nPARENT A CHILD B", "-m 2", "-O time=1"),
    ("DAGMan with a job that is not there", "JOB A a.sub\nPARENT A CHILD Q\n", "-m 2 -O time=1", "unknown task 'Q'"),
    ("DAGMan of several files", "JOB A a.sub\nSPLICE B x.dag\n", "-m 2 -O time=1", "takes in another file"),
    ("tasks called JOB", "JOB 3 4\nx 4 5\n", "-m 2 -k 1", "4 ms"),
    ("a table of jobs", "Job ID,cpu time,gpu time\na,3,5\n", "-m 1 -k 1", "3"),
    ("Jira", "Summary,Issue key,Issue id,Issue Type,Status,Original Estimate,Inward issue link (Blocks)\nDo x,P-1,7,Task,Open,60,\n"
     "Do y,P-2,8,Task,Open,120,P-1\n", "-m 2", "180"),
    ("Jira, the other end", "Summary,Issue key,Original Estimate,Outward issue link (Blocks)\nDo x,P-1,60,P-2\nDo y,P-2,120,\n", "-m 2", "180"),
    ("a plan of a project", "ID,Task Name,Duration,Predecessors,% Complete\n1,Dig,3 days,,0%\n2,Lay,2 days?,1FS,50%\n3,Roof,1 day,\"1FS,2FS\",0%\n",
     "-m 2", "6 d"),
    ("a plan with a lag", "ID,Duration,Predecessors\n1,3 days,\n2,2 days,1FS+1 day\n", "-m 2", "only FS, finish to start"),
    ("a plan with other links", "ID,Duration,Predecessors\n1,3 days,\n2,2 days,1SS\n", "-m 2", "only FS, finish to start"),
    ("a day as a deadline", "id,cpu,deadline\na,3,2026-11-30 10:00\n", "-m 1 --start 2026-11-30T08:00", "3 s"),
    ("deadlines alone as days", "id,cpu,deadline\na,3,2026-11-30 10:00\n", "-m 1", "--start 2026-11-30T00:00:00"),
    ("a day that may be two", "id,cpu,deadline\na,3,3/4/2026\n", "-m 1", "-O dates=dmy"),
    ("a day that is another day of the week", "id,cpu,deadline\na,3,Mon 2026-12-05\n", "-m 1", "-O ignore=deadline"),
    ("days of the week", "id,cpu,ready\na,3,Sat 2026-12-05\nb,3,\"Mon, 29 Feb 2016\"\nc,1,Sun. 1999-12-05\n", "-m 3 --unit d", "9865 d"),
    ("a day of a short year", "id,cpu,deadline\na,3,3-Apr-26\n", "-m 1", "-O ignore=deadline"),
    ("a day that is none", '[{"id": "a", "cpu": 3, "due": "2026-02-30"}]', "-m 1", "-O ignore=due"),
    ("no time of a day", "digraph { a [cpu=3, ready=\"2026-12-01 25:00\"] }", "-m 1", "-O ignore=ready"),
    ("an order in two words", "id,cpu,after,depends_on\na,4,,\nb,3,,\nc,5,a,b;a\n", "-m 2", "9"),
    ("an order in two members", '[{"id": "a", "cpu": 4}, {"id": "b", "cpu": 5}, {"id": "c", "cpu": 3, "after": ["a"], "needs": "b", "prev": []}]',
     "-m 2", "8"),
    ("an order by other ids", "Nr,Task,cpu,Predecessors\n1,a,2,\n2,b,3,1\n", "-m 2", "--columns id=Nr,cpu"),
    ("an order by other members", '[{"name": "a", "index": 0, "my time": 2}, {"name": "b", "index": 1, "my time": 2, "after": [0]}]', "-m 2",
     "--columns 'id=index,my time'"),
    ("an instance in an object", '{"version": 2, "data": {"tasks": [{"id": "a", "cpu": 2}, {"id": "b", "cpu": 3}], "links": '
                                 '[{"source": "a", "target": "b"}]}, "meta": {"by": "x"}}', "-m 2", "5"),
    ("an archive before the tasks", '{"archive": {"jobs": [{"id": "x", "cpu": 9}]}, "nodes": [{"id": "a", "cpu": 1}], "links": []}', "-m 1", "1"),
    ("a history before the tasks", '{"time_unit": "s", "history": {"time_unit": "ms", "tasks": [{"id": "x", "cpu": 9}]}, "old": {"jobs": [{}]}, '
     '"tasks": [{"id": "a", "cpu": 1}]}', "-m 1", "1 s"),
    ("a template before a workflow", '{"templates": {"jobs": [{"id": "x", "cpu": 9}]}, "workflow": {"tasks": [{"name": "a", "runtimeInSeconds": 1}]}}',
     "-m 1", "1 s"),
    ("a history in a file of ours", '{"format": "duet-instance", "version": 1, "platform": [{"type": "cpu", "count": 1}], "history": {"tasks": '
     '[{"id": "x", "times": [9]}]}, "tasks": [{"id": "a", "times": [1]}]}', "", "1"),
    ("a history alone in a file of ours", '{"history": {"tasks": [{"id": "x", "times": [9]}]}, "format": "duet-instance", "version": 1}', "-m 1",
     'no "tasks"'),
    ("two objects of tasks", '{"v1": {"tasks": [{"id": "x", "cpu": 9}]}, "v2": {"jobs": [{"id": "a", "cpu": 1}]}}', "-m 1", "-O ignore=v2"),
    ("two objects of tasks, one ignored", '{"v1": {"tasks": [{"id": "x", "cpu": 9}]}, "v2": {"jobs": [{"id": "a", "cpu": 1}]}}',
     "-m 1 -O ignore=v1", "1"),
    ("no tasks, but nodes", '{"tasks": null, "nodes": [{"id": "a", "cpu": 2}]}', "-m 2", "2"),
    ("lists of nodes", "digraph { a [cpu=1]; b [cpu=2]; c [cpu=3]; d [cpu=1]; a, b -> c, d }", "-m 2", "5"),
    ("attributes of a list of nodes", "digraph { a, b [cpu=1] }", "-m 2", "behind each node"),
    ("a type of no node", "digraph { a [cpu=2]; b [cpu=3] }", "--platform cpu=1,gpu=1", "5"),
    ("times by name, picked", '[{"id": "a", "times": {"t": 2, "u": 9}, "threads": 2}]', "--columns cpu=t,cores=threads -m 2", "2"),
    ("blanks before quotes", "id; cpu; after\na; 3; \"b;c\"\nb;1;\nc;1;\n", "-m 2", "4"),
    ("a table of Markdown", "| id | cpu |\n|----|----:|\n| a | 3 |\n", "-m 1", "bars and dashes"),
    ("a table of a database", "+----+-----+\n| id | cpu |\n+----+-----+\n| a | 3 |\n+----+-----+\n", "-m 1", "bars and dashes"),
    ("a plan in German", "Nr.;Vorgangsname;Dauer;Anfang;Vorgänger\n1;Graben;5 Tage;Die 01.12.26;\n2;Legen;1 Woche;Die 08.12.26;1\n",
     "-m 2 --columns id=Nr.,Dauer", "12 d"),
    ("an order book in German", "Auftrag;Mitarbeiter;Maschine;Eingang;Fälligkeit;Priorität;Vorgänger;Bemerkung\n1;2h;1h;30.11.2026 08:00;;1;;x\n"
     "2;4h;3h;30.11.2026 12:00;01.12.2026;2;1;y\n", "--platform Mitarbeiter=1,Maschine=1", "7 h"),
    ("counts in German", "Auftrag;Anzahl;cpu\n1;3;2\n", "-m 1", "6"),
    ("a job list in German", "Job Nr;Bezeichnung;Laufzeit CPU [min];Laufzeit GPU [min];Fällig am;depends on;Verantwortlich\n1;Import;12,5;;;;M\n\n"
     "2;Training;;35,25;27.11.2026;1;M\n", "-m 1 -k 1 --start 2026-11-27T09:00", "47.75 min"),
    ("a clock beside minutes", "id;cpu [min]\na;12,5\nb;1:30\n", "-m 1", 'expected a decimal number, as the name of column "cpu [min]" says the unit'),
    ("picked types of two units", "id,cpu [min],gpu [s]\na,2,20\nb,3,\n", "-m 1 -k 1 --columns 'cpu=cpu [min],gpu=gpu [s]'", "--unit min if all"),
    ("picked types of two units in one", "id,cpu [min],gpu [s]\na,2,20\nb,3,\n", "-m 2 -k 1 --columns 'cpu=cpu [min],gpu=gpu [s]' --unit s", "3 s"),
    ("types of --platform beside words", "Nummer X;Mitarbeiter;Maschine;Liefertermin;Vorgänger;Rang\na;2;1;3;;4\nb;1;2;;a;5\n",
     "--platform Mitarbeiter=1,Maschine=1", "--columns 'id=Nummer X,Mitarbeiter,Maschine,after=Vorgänger,deadline=Liefertermin'"),
    ("a date where a type is", "id;Dauer Hand, groß;Wann\nA;30;30.11.2026 12:00\n", "--platform 'Dauer Hand=1'", '-O ignore=Wann passes over it'),
    ("minutes in a name, beside dates", "id,cpu_min,due\na,3,2026-12-01\nb,4,2026-12-02\n", "-m 1 --start 2026-12-01T00:00", "7 min"),
    ("minutes in a picked name, beside dates", "id,Lauf (min),ready\na,3,2026-12-01\nb,4,2026-12-01\n", "-m 1 --columns cpu='Lauf (min)',ready",
     "7 min"),
    ("an order and a deadline picked by their words", "id,cpu,gpu,needs,due,stage\na,30,20,,60,x\nb,20,,a,90,y\n",
     "-m 2 -k 1 --columns cpu,gpu,needs,due", "40"),
    ("minutes in a name of --platform, with a start", "id,cpu_min\na,3\nb,4\n", "--platform cpu_min=1 --start 2026-12-01T00:00", "7 min"),
    ("minutes in a picked name, beside lengths", "id,cpu_min,release\na,3,1h\nb,4,2h\n", "-m 1 --columns cpu=cpu_min,release", "--unit s"),
    ("no date", "id,cpu,due\na,3,tomorrow\n", "-m 1", "a number, a length such as 1h 30m or a date"),
    ("a date with a word", "id,cpu,due\na,3,Mo 30.11.2026\n", "-m 1", "a number, a length such as 1h 30m or a date"),
    ("a log of ninja", "# ninja log v5\n0\t1204\t17\tfoo.o\t1a2b\n", "-m 1", "awk"),
    ("columns between blanks", "JOBID PARTITION TIME\n123 gpu 1:02:03\n", "-m 1", "sed -E"),
    ("a member below 0", '[{"task_id": "a", "duration": 3.5, "level": -1}]', "-m 1", "-O ignore=level"),
    ("tasks without times", '[{"id": 1, "name": "build", "started_at": "2026-01-01T00:00:00Z"}]', "-m 1", "-O time=1"),
    ("words of other tools", '[{"task_key": "a", "total_run_time": 3.5, "run_count": 1, "map_index": -1, "nbytes": 28, "ts": 5, "tid": 1}]', "-m 1", "3.5"),
    ("one task on one line", '{"job": 1, "big": 4, "little": 59}\n', "-m 1 -k 1", "may be a task"),
    ("types alone on one line", '{"cpu": 4, "gpu": 59}\n', "-m 1 -k 1", "may be a task"),
    ("times of tests", '{"test_cpu": 4, "test_gpu": 5, "status": 1.5}\n', "-m 1", "10.5"),
    ("a proof as an instance", "duet-proof 1\n", "-m 1", "--proof "),
    ("a hierarchy beside an order", "id,Parent Task,Blocked By,cpu\na,,,1\nb,a,,1\nc,a,b,1\n", "-m 2", "2"),
    ("a hierarchy that is the order", "id,Parent,cpu\na,,1\nb,a,1\n", "-m 2", "2"),
    ("types beside ids", "id,no,ts\na,4,1\nb,5,2\n", "--platform no=1,ts=1", "3"),
    ("a type called seq", "id,seq,gpu\na,4,1\nb,5,2\n", "-m 1 -k 1", "3"),
    ("GEXF", "<?xml version=\"1.0\"?>\n<gexf><graph/></gexf>", "-m 1", "read_gexf"),
    ("Cytoscape", '{"elements": {"nodes": [{"data": {"id": "a", "cpu": 2}}], "edges": []}}', "-m 1", "node_link_data"),
    ("a day as a time", "id,cpu,when\na,3,2026-11-30 10:00\n", "-m 1", "--columns cpu"),
    ("no advice of empty cells", "ID;Dauer;Text\n1;3 Ellen;\n2;2 Ellen;x\n", "-m 1", "--columns NAME=COLUMN"),
    ("no times", "digraph { a -> b; a -> c }", "-m 2 -O time=1", "2"),
    ("no times, no option", "digraph { a -> b; a -> c }", "-m 2", "-O time=1"),
    ("pure dependencies", 'digraph G { a [size="2e9"]; b [size="5e9"]; root -> a [size="1e8"]; a -> b [size="-1"]; }',
     "-m 2 -O time=0", "7000000000"),
]


class Inputs(unittest.TestCase):
    """What people have."""

    def test_edges(self):
        """A table of times with a table of edges: a matrix, or a list."""
        times = "T,P0,P1,P2\nT0,14,16,9\nT1,13,19,18\nT2,11,13,19\n"
        for edges, expected in (("T,T0,T1,T2\nT0,0,18,12\nT1,0,0,4\nT2,0,-1,\n", "38"),
                                ("from,to,cost\nT0,T1,18\nT0,T2,12\nT1,T2,4\n", "38"),
                                ("from,to,data,cost\nT0,T1,18,\nT0,T2,,12\nT1,T2,4,\n", "38"),
                                ("from,to,data,cost\nT0,T1,18,1\n", "links:2:7: a second cost"),
                                ("source;target\nT0;T1\nT1;T2\n", "33"),
                                ("Parent\tChild\nT0\tT1\nT1\tT2\n", "33"),
                                ("a,b\nT0,T1\n", "the columns from, to"),
                                ("T,T0,T9\nT0,0,1\n", 'links:1:6: unknown task "T9"'),
                                ("from,to\nT0,T0\n", "waits for itself"),
                                ("from,to,cost\nT0,T1,x\n", "links:2:7")):
            with self.subTest(edges=edges), tempfile.TemporaryDirectory() as folder:
                links = os.path.join(folder, "links")
                with open(links, "w", encoding="utf-8") as file:
                    file.write(edges)
                done = self.solve(times, f"--columns id=T,P0,P1,P2 -m 1 -k 1,1 -O per-unit=1 --edges {links}")
                if expected.isdigit():
                    found = re.search(r"^makespan +(.*)$", done.stdout.decode(), re.M)
                    self.assertEqual(found and found.group(1), expected, done.stderr.decode())
                else:
                    self.assertEqual(done.returncode, 3)
                    self.assertIn(expected, done.stderr.decode())

    def test_unpacked(self):
        """What this build unpacks is read as it is, or the option that it lacks and the command that unpacks are named."""
        table = b"id,cpu,gpu\n" + b"".join(b"t%d,%d,%d\n" % (i, i % 97 + 1, i % 89 + 1) for i in range(20000))
        plain = convert(table)
        features = duet("--version").stdout.decode()
        for pack, part in ((gzip.compress, "zlib"), (lzma.compress, "lzma")):
            packed = pack(table)
            parts = pack(table[:1000]) + pack(table[1000:])
            if part not in features:
                self.assertIn("WITH_" + part.upper(), convert(packed)[2])
                continue
            self.assertEqual(convert(packed), plain)
            self.assertEqual(convert(parts), plain)
            self.assertEqual(convert(parts + bytes(512 if part == "zlib" else 0)), plain)
            for damaged, said in ((packed[:len(packed) // 2], "end too early"),
                                  (packed[:100] + bytes(200) + packed[300:], "damaged")):
                code, _, words = convert(damaged)
                self.assertEqual((code, said in words), (3, True), words)
            bomb = pack(b"id,cpu\na,1\n" + b"\n" * 70000000)
            code, _, said = convert(bomb, "--memory", "64")
            self.assertEqual((code, "unpack" in said), (5, True), said)

    def test_packed(self):
        """The command that unpacks a file is named, and works."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tasks.csv")
            for tool in ("bzip2",):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("id,cpu\na,3\n")
                try:
                    subprocess.run([tool, "-f", path], check=True)
                except FileNotFoundError:
                    continue
                packed = next(os.path.join(folder, name) for name in os.listdir(folder))
                done = duet("solve", packed, "-m", "1")
                self.assertEqual(done.returncode, 3)
                command = re.search(rf"{tool} -dc \S+", done.stderr.decode()).group()
                text = subprocess.run(command, shell=True, check=True, stdout=subprocess.PIPE).stdout.decode()
                self.assertEqual(duet("solve", "-", "-m", "1", stdin=text).returncode, 0)
                os.remove(packed)
        for start in (b"PK\x03\x04", b"PAR1", b"%PDF-1", b"---\ntasks:\n"):
            done = subprocess.run([DUET, "solve", "-"], input=start, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 3)
            self.assertIn(b"expected", done.stderr)

    def test_texts_of_others(self):
        """What is text of another program is named, and the command that is printed makes of it what is read."""
        graphml = ('<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="node" attr.name="cpu" '
                   'attr.type="long"/><graph edgedefault="directed"><node id="a"><data key="d0">3</data></node><node id="b"><data '
                   'key="d0">4</data></node><edge source="a" target="b"/></graph></graphml>')
        gml = 'graph [\n directed 1\n node [ id 0 cpu 3 ]\n node [ id 1 cpu 4 ]\n edge [ source 0 target 1 ]\n]\n'
        swf = "; Version: 2.2\n; MaxProcs: 4\n\n1 0 5 3 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n2 0 5 4 -1 -1 -1 3 9 -1 1 1 1 1 1 1 -1 -1\n"
        texts = [("YAML", "# a plan\n\ntasks:\n- id: a\n  cpu: 3\n- {id: b, cpu: 4, after: a}\n", "7"),
                 ("YAML", "%YAML 1.2\n---\n- {id: a, cpu: 7}\n", "7"),
                 ("TOML", '[[tasks]]\nid = "a"\ncpu = 3\n[[tasks]]\nid = "b"\ncpu = 4\nafter = ["a"]\n', "7"), ("GraphML", graphml, "7"),
                 ("GML", gml, "7"), ("Standard Workload", swf, "7 s"), ("edges", "a -> b\nb -> c\n", "3"),
                 ("YAML", "name: x\ntasks:\n- {id: a, cpu: 7}\n", "7"), ("a graph in DOT below", "Building DAG of jobs...\ndigraph d {\n a [cpu=7]\n}\n", "7"),
                 ("Luigi", LUIGI, "7 s"), ("Luigi", LUIGI.replace("{", "{\n ", 1), "7 s"), ("Pegasus 5", PEGASUS_5, "90 s"), ("Pegasus 5", PEGASUS_5[PEGASUS_5.index("pegasus:"):], "90 s")]
        ran = 0
        for name, text, expected in texts:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "the file")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                done = duet("solve", path, "-m", "4")
                said = done.stderr.decode()
                self.assertEqual((done.returncode, name in said), (3, True), said)
                command = re.search(r"expected \w+: (.*) writes it", said).group(1)
                made = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
                if b"ModuleNotFoundError" in made.stderr:
                    continue  # no PyYAML, no networkx
                ran += 1
                unit = ["--unit", "s"] if "--unit s" in said else ["-O", "time=1"] if name == "edges" else []
                done = duet("solve", "-", "-m", "4", *unit, stdin=made.stdout)
                self.assertIn("makespan     " + expected + "\n", done.stdout.decode(), done.stderr.decode())
        self.assertGreaterEqual(ran, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "an archive")
            for member, said in (("tasks.csv", "unzip -p"), ("[Content_Types].xml", "read_excel"), ("mimetype", "read_excel")):
                with zipfile.ZipFile(path, "w") as archive:
                    archive.writestr(member, "id,cpu\na,7\n")
                words = duet("solve", path, "-m", "1").stderr.decode()
                self.assertIn(said, words)
                if member == "tasks.csv" and shutil.which("unzip"):
                    command = re.search(r"expected \w+: (.*) writes it", words).group(1)
                    made = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
                    self.assertIn("makespan     7", duet("solve", "-", "-m", "1", stdin=made).stdout.decode())
        for name, text in (("Microsoft Project", '<?xml version="1.0"?>\n<Project xmlns="http://schemas.microsoft.com/project"/>'),
                           ("Mermaid", "graph TD\n A-->B\n"), ("Mermaid", "---\ntitle: DAG\n---\nflowchart TB\n A-->B\n"), ("PlantUML", "@startuml\nA --> B\n@enduml\n"),
                           ("PSPLIB", "****\nfile with basedata: x.bas\n")):
            said = convert(text)[2]
            self.assertTrue(name in said and "expected" in said, said)
        for text in (";cpu;gpu\njob a;3;4\n", "id;cpu;gpu -> cpu\na;3;4\n", ";cpu\njob a;3\n", "a->b 3\nc 4\n", "graph 12 9\nb 3 4\n", "graph 12\nb 3\n"):
            self.assertEqual(convert(text)[0], 0, text)

    def test_name_of_a_pipe(self):
        """What a shell opens as a number is called a pipe."""
        done = subprocess.run(["bash", "-c", "\"$0\" convert <(printf 'id,cpu\\na,3\\n') -m 1", DUET], capture_output=True, check=True)
        self.assertIn(b'"name": "pipe"', done.stdout)

    def test_noted(self):
        for text, said in (("id,cpu\na,3\nTotal,3\n", "called like a sum"),
                           ("id,cpu,ready\na,2,12.05\nb,3,1.5.2026\n", "1 release beside dates is a number"),
                           ("id,cpu,ready\na,2,20261210\nb,3,2026\n", "a day is written as 2026-12-10"),
                           ("id;cpu\na;144,600\nb;12,500\n", "is taken for a decimal mark"),
                           ("id,cpu,Due Date\na,2,46360.5\nb,3,46361\n", '"Due Date" are from 40000 to 60000'),
                           ('[{"id": "a", "cpu": 3, "due_date": 46360.5}]', '"due_date" are from 40000 to 60000'),
                           ("digraph { a [cpu=3, due_date=46360.5] }", '"due_date" are from 40000 to 60000'),
                           ("id,cpu,after,Blocked By\na,3,,\nb,3,a,\n", 'column "after" and column "Blocked By" both say the order'),
                           ("id,cpu,Parent Task,Blocked By\na,3,,\nb,3,a,\n", '"Parent Task" is not used'), ("id,cpu,speedup\na,3,2\n", '"speedup" is not used'),
                           ("digraph { a [cpu=3]; b [cpu=4]; a -> b [dir=back] }", '"dir" of edges is not used'),
                           ('{"tasks": [{"id": "a", "cpu": 3}], "profiles": {"d": 1}}', '"profiles" of the instance is not used')):
            code, _, noted = convert(text)
            self.assertEqual((code, said in noted), (0, True), noted)

    def test_orders_joined(self):
        """Two fields that say the order count together, and one note says so, whatever the format calls them."""
        words = ["after", "depends_on", "successors", "Blocked By", "edges", "links", "dependencies"]
        for one, other in itertools.combinations(words, 2):
            tasks = [{"id": i, "cpu": 1} for i in "abc"]
            file = {"tasks": tasks}
            for at, word in enumerate((one, other)):
                if word in words[4:]:
                    file[word] = [{"source": "a", "target": "bc"[at]}]
                elif word == "successors":
                    tasks[0].setdefault(word, ["bc"[at]])
                else:
                    tasks[1 + at][word] = ["a"]
            code, out, said = convert(json.dumps(file))
            self.assertEqual((code, len(json.loads(out)["edges"]), said.count("both say the order, and count together")), (0, 2, 1), said)
            self.assertEqual("passes over one" in said, one not in words[4:] or other not in words[4:])
            if other not in words[3:]:
                code, _, said = convert(f"id,cpu,{one},{other}\na,1,,\nb,1,{'a' if one != 'successors' else 'c'},\nc,1,,\n")
                self.assertEqual((code, said.count("both say the order, and count together")), (0, 1), said)
        code, _, said = convert('digraph { a [cpu=1]; b [cpu=1, after="a"]; a -> b }')
        self.assertTrue(code == 0 and "a -> b says the order" in said, said)

    def test_orders_said_twice(self):
        """An edge that two fields say is one, with the cost that one of them has; within one field it may stand once."""
        tasks = [{"id": "a", "cpu": 1}, {"id": "b", "cpu": 1, "after": ["a"]}]
        for edges, good in (([["a", "b"]], True), ([["a", "b", 5]], True), ([["a", "b", 5], ["a", "b", 6]], False)):
            for file in ({"tasks": tasks, "edges": edges}, {"edges": edges, "tasks": tasks}):
                code, out, said = convert(json.dumps(file))
                self.assertEqual((code, "both say the order" in said), (0, True) if good else (3, False), said)
                self.assertTrue(not good or json.loads(out)["edges"] == edges, out)
        with tempfile.TemporaryDirectory() as folder:
            links = os.path.join(folder, "links")
            with open(links, "w", encoding="utf-8") as file:
                file.write("from,to,cost\na,b,2\n")
            for text in ("id,cpu,after\na,1,\nb,1,a\n", json.dumps(tasks), "digraph { a [cpu=1]; b [cpu=1]; a -> b }"):
                code, out, said = convert(text, "--edges", links)
                self.assertEqual((code, json.loads(out)["edges"]), (0, [["a", "b", 2]]), said)

    def test_orders_in_other_forms(self):
        """A member of the instance that says the order in a form that is not read is refused, or passed over where that is asked."""
        tasks = [{"id": "a", "cpu": 1}, {"id": "b", "cpu": 1}]
        lists = ("dependencies", "precedence", "edge_list", "edgelist", "dag", "precedences")
        unclear = ("order", "constraints", "relations")  # of a machine's tasks, or who excludes whom
        for name, value in itertools.product((*lists, *unclear, "predecessors", "after", "adjacency", "children"),
                                             ({"b": ["a"]}, [[], ["a"]], ["a->b"], {}, [])):
            if name in lists and value == [[], ["a"]]:
                continue  # a list of edges that are too short
            for file in ({"tasks": tasks, name: value}, {name: value, "tasks": tasks}):
                code, _, said = convert(json.dumps(file))
                self.assertEqual((code, "in a form that is not read" in said), (3, True) if value else (0, False), f"{file}: {said}")
                code, _, said = convert(json.dumps(file), "-O", f"ignore={name}")
                self.assertEqual((code, name in said), (0, True) if value else (0, name in said), f"{file}: {said}")

        for name, value in itertools.product((*lists, "arcs", "links"), ([["a", "b"]], [{"from": "a", "to": "b"}])):
            code, out, said = convert(json.dumps({"tasks": tasks, name: value}))
            self.assertEqual((code, json.loads(out)["edges"]), (0, [["a", "b"]]), f"{name}: {said}")
        for name, value in itertools.product(unclear, ([["a", "b"]], [["a", "b", "a"]], [{"source": "a", "target": "b"}])):
            self.assertEqual(convert(json.dumps({"tasks": tasks, name: value}))[0], 3, f"{name}: {value}")
        words = {"directed": True, "graph": {"keywords": ["demo", "small"]}, "nodes": tasks, "links": []}
        self.assertEqual(convert(json.dumps(words))[0], 0, "where there are links, a list of texts is no order")

    def test_where_tasks_may_run(self):
        """Names of types say where a task may run, before and behind the times; what else may say so is refused, with how to mend it."""
        head = {"platform": [{"type": "cpu", "count": 1}, {"type": "gpu", "count": 1}]}
        for name, (value, made) in itertools.product(
                ("eligible", "AllowedTypes"),
                ((["cpu"], [3, None]), ("cpu", [3, None]), (["gpu"], [None, 1]), (["gpu", "cpu"], [3, 1]), ("2026-01-01", [3, 1]),
                 ("yes", [3, 1]), (True, [3, 1]), (None, [3, 1]), (7, [3, 1]), ([], None), (["npu"], None), ("npu", None), ([3], None), ([["cpu"]], None),
                 ({"cpu": True}, None), ({}, None))):
            for task in ({"times": [3, 1], name: value}, {name: value, "times": [3, 1]}, {name: value, "cpu": 3, "gpu": 1},
                         {"times": {"gpu": 1, "cpu": 3}, name: value}):
                file = json.dumps({**head, "tasks": [{"id": "a", **task}]})
                code, out, said = convert(file)
                self.assertEqual((code, json.loads(out)["tasks"][0]["times"] if code == 0 else None), (4 if value == [] else 3 if made is None else 0, made), f"{task}: {said}")
                self.assertTrue(made is not None or (value == [] or "on which types it may run" in said) and ":1:" in said, said)
                code, out, said = convert(file, "-O", f"ignore={name}")
                self.assertEqual(json.loads(out)["tasks"][0]["times"], [3, 1], said)
        for value, made in ((["cpu"], [None, 1]), ("gpu", [3, None]), ([], [3, 1]), (["cpu", "gpu"], None)):
            code, out, said = convert(json.dumps({**head, "tasks": [{"id": "a", "times": [3, 1], "forbidden": value}]}))
            self.assertEqual((code, json.loads(out)["tasks"][0]["times"] if code == 0 else None), (4 if made is None else 0, made), said)
        for tasks in ([{"id": "a", "times": [3, 1], "eligible": ["cpu"], "allowed": ["cpu"]}], [{"id": "a", "work": 3, "eligible": ["cpu"]}]):
            self.assertEqual(convert(json.dumps({**head, "tasks": tasks}))[0], 3, tasks)
        self.assertEqual(convert(json.dumps({"tasks": [{"id": "a", "times": [3, 1], "eligible": "cpu"}], **head}))[0], 3, "the types are not known")
        table = json.dumps({"platform": [{"type": "cpu", "count": 2}, {"type": "gpu", "count": 1}], "tasks": [{"id": "a", "times": [[3, 2], 1], "eligible": "gpu"}, {"id": "b", "times": [[3, 2], 1]}]})
        self.assertEqual(json.loads(convert(table)[1])["tasks"][0]["times"], [None, 1])
        self.assertEqual(convert(json.dumps([{"id": "a", "times": [3, 1], "allowed_delay": [1]}]))[0], 0)

    def test_orders_of_tasks_in_other_forms(self):
        """A list of a task's own that may say the order is refused, as one of the instance is."""
        for name, value in itertools.product(("order", "constraints", "adjacency"), ([2], ["b"], {"b": 1}, [], {}, 2, "b", None)):
            for task in ({"times": [3]}, {"cpu": 3}):
                for file in ({"tasks": [{"id": "a", **task, name: value}, {"id": "b", **task}]}, {"tasks": [{"id": "a", name: value, **task}, {"id": "b", **task}]}):
                    if value in (2, None) and "cpu" in task:
                        continue  # it may be a type
                    code, _, said = convert(json.dumps(file))
                    good = not value or not isinstance(value, (list, dict))
                    self.assertEqual((code, "may say the order" in said), (0 if good else 3, not good), f"{file}: {said}")
                    self.assertEqual(convert(json.dumps(file), "-O", f"ignore={name}")[0], 0)

    def test_places_of_members(self):
        """What a member of a task says does not depend on whether it stands before or behind the times."""
        for times in ({"times": {"cpu": 5}}, {"times": [5]}, {"work": 5, "alpha": 0}):
            for name, value, said in (("foo", 3, "not used"), ("foo", "7", "not used"), ("speedup", 2, "not used"), ("cpus", 2, ""), ("cores", 2, ""),
                                      ("r_j", 3, ""), ("d_j", 9, ""), ("ready", 3, ""), ("Vorgangsnummer", "7", ""), ("count", 2, "")):
                if "work" in times and name in ("cpus", "cores", "foo"):
                    continue
                made = []
                for task in ({"id": "a", name: value, **times}, {"id": "a", **times, name: value}):
                    if name == "Vorgangsnummer":
                        del task["id"]
                    made.append(convert(json.dumps({"tasks": [task]}), "-m", "4"))
                self.assertEqual(made[0], made[1], f"{name} {times}")
                self.assertTrue(made[0][0] == 0 and (said in made[0][2] if said else made[0][2] == ""), f"{name} {times}: {made[0]}")

    def test_what_is_no_time(self):
        """Members that are no times beside "times": cores are cores, and lengths of nothing say no unit."""
        for times, more in itertools.product(({"times": {"cpu": 5}}, {"times": [5]}, {"times": {"cpus": 5}}),
                                             ({"gpus": 2, "cpus": 4}, {"cpus": 4}, {"foo": "2h"}, {"cpus": "2h"}, {"cpus": "x"}, {"cpus": 2.5})):
            for task in ({"id": "a", **more, **times}, {"id": "a", **times, **more}):
                code, out, said = convert(json.dumps({"time_unit": "min", "tasks": [task]}), "-m", "4")
                if more.get("cpus", 4) == 4:
                    task = json.loads(out)["tasks"][0]
                    self.assertEqual((code, task["times"], task.get("size")), (0, [5], more.get("cpus")), f"{task}: {said}")
                else:
                    self.assertTrue(code == 3 and "no number of processors" in said, f"{task}: {said}")

    def test_vain_options(self):
        """An option of reading that means nothing for a file is named in a note, or refused, whatever the format."""
        files = {"csv": "id,cpu,gpu\na,3,1\nb,4,2\n", "json": '{"tasks": [{"id": "a", "cpu": 3, "gpu": 1}]}',
                 "dot": "digraph { a [cpu=3, gpu=1] }", "stg": "2\n0 0 0\n1 3 1 0\n2 4 1 1\n3 0 1 2\n", "rcmax": "2\n2\n3 5\n4 7\n"}
        values = {"latency": 2, "per-unit": 3, "edges": "false", "data": "false", "merge": "5%", "merged": "least", "dates": "dmy",
                  "mixed_sets": "false", "time": 3, "ignore": "nothing-so", "sched": "types"}
        for (name, text), (option, value) in itertools.product(files.items(), values.items()):
            code, _, said = convert(text, "-O", f"{option}={value}")
            used = name == "stg" and option == "edges"
            self.assertEqual(code == 0 and f"-O {option}" in said, not used, f"{name} {option}: {said}")
        _, _, said = convert("id,cpu,release\na,3,3/4/2026\n", "-O", "dates=dmy")
        self.assertNotIn("-O dates", said)
        code, _, said = convert('{"tasks": [{"id": "a", "work": 3, "alpha": 0}]}', "-m", "2", "-O", "mixed_sets=false")
        self.assertEqual((code, "mixed_sets" in said), (0, False), said)

    def test_moments(self):
        """--start, --deadline and --now take a day and a time in each of the forms that columns of dates do, and files keep the start."""
        text = "id,cpu\na,3\nb,1\n"
        for day in ("2026-12-04 {}", "2026-12-04T{}", "04.12.2026 {}", "4-Dec-2026 {}", "Dec 4, 2026 {}", "Fri 4 December 2026 {}", "12/25/2026 {}"):
            start, due = day.format("08:00"), day.format("2:00 PM")
            said = self.solve(text, f"-m 1 --unit h --start '{start}' --deadline '{due}'")
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn(b"T12:00:00", said.stdout)
            code, out, noted = convert(text, "-m", "1", "--unit", "h", "--start", start)
            self.assertEqual((code, json.loads(out)["start"][10:]), (0, "T08:00:00"), noted)
            self.assertEqual(convert(out)[1], out)
            code, again, noted = convert(out, "--start", day.format("09:00"))
            self.assertEqual((code, json.loads(again)["start"][10:], "another start" in noted), (0, "T09:00:00", True), noted)
        for bad in ("2026-12-04", "03/04/2026 08:00", "04.12.26 08:00", "2026-12-04 08:00:00.5", "soon"):
            self.assertEqual(self.solve(text, f"-m 1 --unit h --start '{bad}'").returncode, 2, bad)

    def test_starts_of_files(self):
        """A start that a file says counts once, in any zone; what is none is named in a note that says why."""
        for start, asked, code, words in (('"2026-12-01T08:00Z"', "2026-12-01T09:00+01:00", 0, ""),
                                          ('"2026-12-01T08:00Z"', "2026-12-01T08:00", 0, "another start"),
                                          ('"2026-12-01T08:00", "start": "2026-12-01T08:00"', "", 3, "a second start"),
                                          ('"2026-12-01T08:00", "time_unit": "shifts"', "", 0, "no unit of time is known"),
                                          ("null", "", 0, ""), ('"2026-12-01"', "", 0, "whole seconds"),
                                          ('"2026-12-01T08:00:00.5"', "", 0, "whole seconds"), ('"2026-13-01T08:00"', "", 0, "whole seconds")):
            unit = "" if "time_unit" in start else '"time_unit": "h", '
            text = '{%s"start": %s, "tasks": [{"id": "a", "cpu": 2}]}' % (unit, start)
            got, _, said = convert(text, "-m", "1", *(["--start", asked] if asked else []))
            self.assertTrue(got == code and (words in said if words else said == ""), f"{start} {asked}: {said}")

    def test_lost(self):
        """What a format has no place for is named in one note, whatever of it there is."""
        words = {"claim": "the claim", "watts": "the watts", "names": "the names of processors", "start": "the start", "data": "the amounts of data",
                 "orders": "the SubmitOrder"}
        for have in itertools.chain.from_iterable(itertools.combinations(words, n) for n in range(len(words) + 1)):
            row = {"type": "cpu", "count": 2}
            row.update({"watts": 3, "idle_watts": 1} if "watts" in have else {})
            row.update({"names": ["x", "y"]} if "names" in have else {})
            file = {"format": "duet-instance", "version": 1, "platform": [row, {"type": "gpu", "count": 1}],
                    "tasks": [{"id": "a", "times": [1, 1]}, {"id": "b", "times": [1, 1]}]}
            if "start" in have:
                file.update(start="2026-12-04T09:00", time_unit="h")
            if "data" in have:
                file.update(edges=[{"from": "a", "to": "b", "data": 4}], transfer={"latency": [[0, 0]] * 2, "per_unit": [[0, 1], [1, 0]]})
            if "claim" in have:
                file["claim"] = {"algorithm": "eft", "optimum": 1, "makespan": 2}
            if "orders" in have:
                file["starpu"] = {"submit_order": {"a": [1], "b": [2]}}
            for form in ("csv", "dot"):
                code, _, said = convert(json.dumps(file), "--format", form)
                if form == "csv" and code != 0:
                    continue
                self.assertEqual(code, 0, said)
                noted = [line for line in said.split("\n") if f"{form.upper()} has no place for" in line]
                self.assertEqual(len(noted), 1 if have else 0, f"{have}: {said}")
                for what, word in words.items():
                    self.assertEqual(what in have, any(word in line for line in noted), f"{have}: {said}")

    def solve(self, text, options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "input")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return duet("solve", path, *shlex.split(options))

    def test_inputs(self):
        for name, text, options, expected in INPUTS:
            with self.subTest(name=name):
                done = self.solve(text, options)
                if re.match(r"\d", expected):
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    found = re.search(r"^makespan +(.*)$", done.stdout.decode(), re.M).group(1)
                    self.assertEqual(found, expected, done.stderr.decode())
                else:
                    self.assertIn(done.returncode, (2, 3), done.stderr.decode())
                    self.assertIn(expected, done.stderr.decode())

    def test_words_about_workflows(self):
        """Limits of jobs, nodes that are no jobs, and the name of a graph are told, or used."""
        limit = '<profile namespace="globus" key="maxwalltime">5</profile><profile namespace="env" key="PATH">x</profile>'
        for text, options, words in (
                (DAX.format('runtime="3.5"', limit), "-m 2", ("maxwalltime",)),
                ("JOB A a.sub\nFINAL Z z.sub\nSERVICE S s.sub\n", "-m 1 -O time=1", ("FINAL", "SERVICE", "is left out")),
                ('{"directed": true, "graph": {"name": "etl", "owner": "x"}, "nodes": [{"id": "a", "cpu": 1}], "links": []}',
                 "-m 1", ("etl", "owner"))):
            done = self.solve(text, options)
            said = done.stdout.decode() + done.stderr.decode()
            self.assertEqual(done.returncode, 0, said)
            for word in words:
                self.assertIn(word, said)
            self.assertNotIn("PATH", said)

    def follow(self, text, options, steps=4):
        """What the messages advise, one after another, until the file is read; None where one says nothing."""
        followed = []
        for _ in range(steps):
            done = self.solve(text, options)
            said = done.stderr.decode()
            if done.returncode == 0:
                return followed
            found = ADVICE.search(said)
            if found is None:
                return None
            advice = re.sub(r"=[NP]\b", "=1", found.group().replace("=NAME", "=cpu"))
            options = (re.sub(r"-[mk] \S+", "", options) if advice.startswith("--platform") else options) + " " + advice
            followed.append(advice)
        self.fail(f"{text}\n{options}\n{said}")

    def test_advice(self):
        """What a refusal says helps, helps as it is printed."""
        followed = set()
        for name, text, options, expected in INPUTS:
            if not re.match(r"\d", expected):
                with self.subTest(name=name):
                    for advice in self.follow(text, options) or []:
                        followed.add(advice.split("=")[0] if advice.startswith("-O") else advice.split(" ")[0])
        self.assertLessEqual({"-O ignore", "-O time", "--columns", "--platform"}, followed)

    def test_advice_on_names(self):
        """Whatever a field is called, what passes over it works: with blanks, commas and quotes, and very long."""
        names = ["due", "Due date", "due, date", 'du"e', "it's due"]
        long = ["memory " + "of the task " * 12, "größe " * 14]
        forms = [("csv", lambda name: 'id,cpu,"%s"\na,1,x\n' % name.replace('"', '""')),
                 ("json", lambda name: json.dumps([{"id": "a", "cpu": 1, name: "x"}])),
                 ("dot", lambda name: 'digraph { a [cpu=1, "%s"=x] }' % name.replace('"', '\\"'))]
        for (form, written), name, strict in itertools.product(forms, names + long, ("", " --strict-input")):
            with self.subTest(form=form, name=name, strict=strict):
                self.assertTrue(duet_says_how(self.follow(written(name), "-m 1" + strict), strict, form))

    def test_summary_without_groups(self):
        """Many tasks whose ids are a word and a number are no groups, and share one row."""
        text = "id,cpu\n" + "".join(f"t{i},1\n" for i in range(60))
        self.assertRegex(duet("solve", "-", "-m", "2", "--summary", stdin=text).stdout.decode(), r"all \(60 kinds\) +60 +60\n")

    def test_advice_of_options(self):
        """Costs, sizes and times that a file does not have."""
        for text, options, advice in (
                ('{"tasks": [{"id": "a", "times": [1]}, {"id": "b", "times": [2]}], "edges": [{"from": "a", "to": "b", "data": 5}]}',
                 "-m 1", "-O per-unit=1"),
                ('[{"id": "a", "cpu": 1}, {"id": "b", "cpu": 2, "gpu": 3}]', "--platform cpu=1,gpu=1", ""),
                ("digraph { a -> b [data=4] }", "-m 1", "-O time=1"),
                (TGFF[:TGFF.index("@PE")], "-m 1", "-O time=1"),
                (DAX.format("", ""), "-m 1", "-O time=1"),
                ("id,cpu,site\na,1,x\n", "-m 1", "--columns cpu"),
                ("my job;my time;gpu\nx;1;2\n", "-m 1 -k 1", "--columns 'id=my job,my time,gpu'"),
                ("id,cpu,,gpu\na,1,2,3\n", "-m 1 -k 1", "--columns cpu,gpu"),
                ("id,my cpu,,gpu\na,1,2,3\n", "-m 1 -k 1", "--columns 'my cpu,gpu'"),
                ("Nr,Task,my cpu,after\n1,a,2,\n2,b,3,1\n", "-m 1", "--columns 'id=Nr,my cpu'"),
                ("id,cpu,due\na,3,12/1/2026\n", "-m 1", "-O dates=dmy --start 2026-01-12T00:00:00"),
                ("id,cpu,due\na,3,2026-12-01\nb,3,2026-12-01T10:00Z\n", "-m 1", "--start 2026-12-01T08:00+01:00"),
                ("digraph { a [cpu=1,x=2]; b [cpu=2,x=1] }", "-m 1", "--platform cpu=1,x=1")):
            with self.subTest(text=text):
                self.assertEqual(" ".join(self.follow(text, options)), advice)
        for command, meant in (("solve - -m 1 --platfrom cpu=1", "--platform"), ("solve - -m 1 -O per_unit=1", "per-unit"),
                               ("solve - -m 1 -a hetf", "heft"), ("bound - -m 1 -b aera", "area"), ("compare - -a eft,hetf", "heft"),
                               ("solve - -m 1 -a heft -O tie=cpu", "ties"), ("bound - -m 1 -O ignor=x", "ignore"),
                               ("generate layerd", "layered"), ("generate layered -O widht=3", "width"), ("list bonds", "bounds"),
                               ("list algorithms hetf", "heft"), ("help heftt", "heft")):
            done = duet(*command.split(), stdin="id,cpu\na,1\n")
            self.assertEqual((done.returncode, f"did you mean {meant}?" in done.stderr.decode()), (2, True), command)
        self.assertNotIn("did you mean", duet("solve", "-", "--xyzzy", stdin="").stderr.decode())
        self.assertNotIn("passes over nothing", convert('id,cpu,"x,y"\na,1,2\n', "-O", 'ignore="x,y"')[2])
        for option, said in (("ignore=x", "passes over nothing"), ("time=3", "-O time= is not used")):
            self.assertIn(said, convert("id,cpu\na,1\n", "-O", option)[2])
        for wrong, right in (("solv", "solve"), ("conver", "convert"), ("verfy", "verify")):
            said = duet(wrong).stderr.decode()
            self.assertEqual(duet(re.search(r"did you mean (\w+)", said).group(1), "--help").returncode, 0)
            self.assertIn(right, said)
        for encoding in ("utf-16-le", "utf-16-be", "latin-1"):
            packed = "id,cpu\nä,1\n".encode(encoding)
            command = re.search(r"iconv -f [-\w]+ -t UTF-8", convert(packed)[2]).group()
            text = subprocess.run(shlex.split(command), input=packed, check=True, stdout=subprocess.PIPE).stdout
            self.assertEqual(convert(text)[0], 0, encoding)

    def test_utf16(self):
        """Behind a byte-order mark text in UTF-16 is read as in UTF-8, by both checkers, also where reads divide characters; cut or broken it is refused."""
        rows = "".join(f"\U0001F600ä{i},{i % 7 + 1},{i % 5 + 1}\r\n" for i in range(9000))
        texts = ("id,cpu,gpu\r\n" + rows, '{"tasks": [{"id": "任务\U00010000", "cpu": 3, "gpu": 1}]}', 'digraph { "ä" [cpu=3, gpu=1] }', "id;cpu;gpu\r\ná;1,5;2\r\n")
        for text, mark in itertools.product(texts, ("utf-16-le", "utf-16-be")):
            wide = ("\ufeff" + text).encode(mark)
            self.assertEqual(convert(wide), convert(text), text[:40])
            for broken in (wide[:-1], wide[:-2] + b"\x3d\xd8" if mark == "utf-16-le" else wide[:-2] + b"\xd8\x3d",
                           wide[:4] + ("\udc00".encode(mark, "surrogatepass")) + wide[4:]):
                code, _, said = convert(broken)
                self.assertEqual((code, "text in UTF-16 that" in said), (3, True), said)
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            for name, text in (("i.csv", "id,cpu,gpu\nä,3,1\nb,4,2\n"), ("s.csv", "task,type,processor,start\nä,cpu,0,0\nb,gpu,0,0\n")):
                with open(path(name), "wb") as file:
                    file.write(text.encode("utf-16"))
            for command in ([DUET, "verify"], [sys.executable, os.path.join(ROOT, "scripts", "duet_check.py")]):
                done = subprocess.run([*command, path("i.csv"), path("s.csv"), "-m", "1", "-k", "1"], capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)


# What a message says on options that help.
ADVICE = re.compile(r"""-O\ (?:'(?:[^']|'\\'')*'|(?:ignore|time|per-unit|edges|dates)=[^\s,;.]+)
                    |--columns\ (?:'[^']*'|[^\s;]+?)(?=,?\ (?:passes|which|says))|--platform\ (?:'[^']*'|[^\s;]+)|--start\ [^\s,;]+""", re.X)


def duet_says_how(followed, strict, form):
    """Whether a field that is no time was passed over by its name, or where it is only noted by nothing."""
    return followed is not None and (bool(followed) or not strict) and all(
        advice.startswith("-O ") or form == "csv" for advice in followed)


class Digits(unittest.TestCase):
    """`--digits`: times are the nearest of so many digits, and the answer is about these, for both checkers."""

    def rounded(self, text, digits):
        value = Decimal(text)
        return Fraction(+value) if value == 0 else Fraction(
            value.quantize(Decimal(1).scaleb(value.adjusted() - digits + 1), ROUND_HALF_UP))

    def test_digits(self):
        draw = random.Random(4901)
        for _ in range(40):
            digits = draw.randint(1, 18)
            texts = [[draw.choice(("%d.%0*d" % (draw.randint(0, 99), draw.randint(1, 9), draw.randint(0, 9)),
                                   "0.00%d5" % draw.randint(1, 99), "%d5" % draw.randint(1, 10**6),
                                   "%d.%d" % (draw.randint(1, 99), draw.randint(10**16, 10**20))))
                      for _ in range(2)] for _ in range(draw.randint(1, 5))]
            table = "cpu,gpu\n" + "\n".join(",".join(row) for row in texts)
            code, written, said = convert(table, "-m", "2", "-k", "1", "--digits", str(digits))
            with self.subTest(table=table, digits=digits):
                self.assertEqual(code, 0, said)
                if "the finest that fit" in said:
                    continue  # rounded again, to ticks
                tasks = json.loads(written, parse_float=Decimal)["tasks"]
                made = [[Fraction(time) for time in task["times"]] for task in tasks for _ in range(task.get("count", 1))]
                expected = [[self.rounded(text, digits) for text in row] for row in texts]
                self.assertEqual(made, expected)
                changed = sum(Fraction(text) != self.rounded(text, digits) for row in texts for text in row)
                self.assertEqual(f"{changed} of {2 * len(texts)} times" in said, changed > 0, said)

    def test_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            table, plan = os.path.join(folder, "t.csv"), os.path.join(folder, "plan.json")
            with open(table, "w", encoding="utf-8") as file:
                file.write("id,cpu,gpu,after\na,1.2345,9.87654,\nb,3.14159,2.71828,a\nc,1.61803,3.3,a\n")
            run = ("-m", "1", "-k", "1", "--digits", "3")
            self.assertEqual(duet("solve", table, *run, "-q", "-o", plan).returncode, 0)
            self.assertEqual(duet("verify", table, plan, *run).returncode, 0)
            self.assertEqual(duet("verify", table, plan, "-m", "1", "-k", "1").returncode, 1)
            check = [sys.executable, os.path.join(ROOT, "scripts", "duet_check.py"), table, plan, "-m", "1", "-k", "1"]
            self.assertEqual(subprocess.run(check + ["--digits", "3"], capture_output=True, check=False).returncode, 0)
            self.assertEqual(subprocess.run(check, capture_output=True, check=False).returncode, 1)


if __name__ == "__main__":
    unittest.main()
