# SPDX-License-Identifier: Apache-2.0
"""Nothing that is read can write to a terminal: names with every character that a terminal acts on, in every place where
a name can stand, on their way through every command.

Each such character is followed in a name by a mark of its own, as in "\\x1bQ0001b". Of what a command prints, no byte may
be such a character, but for the line feeds that end lines, and no line may begin with a mark: its name would have begun it.
$DUET_TEST_SEED chooses other random changes. With $DUET_TEST_ALL every place gets every character (some ten minutes); else
the characters take turns."""
import copy
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from on_terminal import run_on_terminal  # noqa: E402

DUET = os.environ["DUET_COMMAND"]
ALL = "DUET_TEST_ALL" in os.environ
SEED = int(os.environ.get("DUET_TEST_SEED", "1"))

POINTS = [*range(1, 0x20), 0x7F, *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F),
          *range(0x2066, 0x206A)]
FORBIDDEN = {chr(point) for point in POINTS} - {"\n"}
MARK = re.compile(r"[\n\r]Q[0-9a-f]{5}")
# Bytes that are no UTF-8: alone, cut, too long a form, a surrogate, beyond the last code point.
BROKEN = [b"\xff", b"\x9b8m", b"\xc3", b"\xc0\x8a", b"\xe0\x80\x8a", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
# The characters of one name: what is long is cut in places. Neighbours go to different ones.
PARTS = 10 if ALL else 3
CHUNKS = [POINTS[i::PARTS] for i in range(PARTS)]
SPOOF = "gpu\nmakespan     ok: 9\nlower bound  ok: 9 (exact), certified by the proof p.proof (1234 nodes)\nstatus       ok: optimal\n\x1b[8m"


class Turns:
    """Gives the next few of a list each time, and all of them with $DUET_TEST_ALL."""

    def __init__(self, values):
        self.values = list(values)
        self.next = 0

    def take(self, count=1):
        if ALL:
            return self.values
        taken = [self.values[(self.next + i) % len(self.values)] for i in range(count)]
        self.next += count
        return taken


def name_of(word, points):
    return word + "".join(f"{chr(point)}Q{point:05x}" for point in points)


def instance_of(points, graph):
    """An instance whose every text is hostile."""
    ids = [name_of(word, points) for word in "abc"]
    made = {"format": "duet-instance", "version": 1, "name": name_of("set", points), "time_unit": name_of("u", points[:2]),
            "platform": [{"type": name_of("cpu", points), "count": 2}, {"type": name_of("gpu", points), "count": 1}],
            "tasks": [{"id": ids[0], "count": 3, "times": [4, 1.5]}, {"id": ids[1], "times": [2.25, None]},
                      {"id": ids[2], "times": [3, 3]}]}
    if graph:
        made["tasks"][0]["count"] = 1
        made["edges"] = [[ids[0], ids[1]], [ids[1], ids[2]]]
    return made


def texts_of(value, path=()):
    """The paths of all texts of a JSON document: of each array only the first two elements."""
    if isinstance(value, str):
        yield path
    for key in value if isinstance(value, dict) else range(min(2, len(value))) if isinstance(value, list) else ():
        yield from texts_of(value[key], (*path, key))


def with_text(document, path, text):
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = text
    return changed


class Terminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        content = json.dumps(content) if isinstance(content, dict) else content
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))

    def words_of(self, arguments):
        """The command line of arguments, or of one string of words."""
        words = arguments[0].split() if len(arguments) == 1 and isinstance(arguments[0], str) else arguments
        return [DUET, *(word if isinstance(word, bytes) else os.fsencode(word) for word in words)]

    def run_duet(self, *arguments):
        """No run ends with a bug."""
        words = self.words_of(arguments)
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4, 5), f"{words}: {done.stderr}")
        return done

    def check_clean(self, printed, what):
        try:
            text = printed.decode("utf-8")
        except UnicodeDecodeError as error:
            self.fail(f"{what}: {error}: {printed[:2000]}")
        self.assertEqual(sorted(FORBIDDEN.intersection(text)), [], f"{what}: {text[:2000]!r}")
        self.assertIsNone(MARK.search("\n" + text), f"{what}: {text[:2000]!r}")

    def clean(self, *arguments, code=None):
        """Runs the command; both streams must be clean. Returns standard output."""
        done = self.run_duet(*arguments)
        self.check_clean(done.stdout, (arguments, "standard output"))
        self.check_clean(done.stderr, (arguments, "standard error"))
        if code is not None:
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
        return done.stdout.decode()

    def on_terminal(self, *arguments, stream="stdout"):
        """The same with one stream on a terminal; returns what stands there, and what came through the other."""
        other = "stderr" if stream == "stdout" else "stdout"
        try:
            code, shown, said = run_on_terminal(self.words_of(arguments), stream, cwd=self.folder, stdin=subprocess.DEVNULL)
        except OSError:  # a container without /dev/pts
            self.skipTest("no terminal is to be had")
        self.assertIn(code, (0, 1, 2, 3, 4, 5), f"{arguments}: {shown} {said}")
        # What the line of progress is made of.
        shown = shown.replace(b"\r", b"").replace(b"\x1b[K", b"") if stream == "stderr" else shown
        self.check_clean(shown, (arguments, "the terminal"))
        self.check_clean(said, (arguments, other))
        return shown.decode(), said.decode()


class Names(Terminal):
    """Names in well-formed files."""

    def commands(self):
        """What works on in.json, and its solution s.json."""
        yield from (f"{command} in.json -t 1 {words}".split() for command, words in (
            ("solve", "-a heft --summary -o s.json --gantt s.svg --trace s.paje"), ("solve", "-a eft --json"),
            ("solve", "-o - -q"), ("solve", "-m 1..2 -a eft"), ("solve", "-m 1..2 -a eft --json"),
            ("solve", "-a eft --trace t.json --gantt-by-kind --gantt g.svg"), ("solve", "-a eft --trace t.rec"),
            ("bound", ""), ("bound", "--json"), ("bound", "-m 1..2"), ("bound", "-m 1..2 --json --chart c.svg"),
            ("show", ""), ("show", "s.json"), ("show", "s.json --summary"), ("show", "s.json --json"),
            ("show", "s.json --gantt g2.svg --gantt-beside s.json -o s.csv"), ("show", "s.csv --summary"), ("verify", "s.json"),
            ("verify", "s.json --json"), ("verify", "s.csv"), ("verify", "s.json --strict --deep")))
        yield from (f"simulate in.json {words}".split() for words in (
            "-a eft --runs 3 --noise gamma:0.2", "--solution s.json --runs 3 --keep order", "-a heft --runs 2 --json",
            "-a eft --runs 3 --csv -", "-a eft --slow x:0@1=2"))
        yield from (f"compare in.json -t 1 {words}".split() for words in (
            "-a eft,heft,exact,lpt", "-a eft,heft --json", "-a eft,lpt --format markdown", "-a eft,lpt --format latex",
            "--solution s.json -a eft --chart c2.svg", "in.json -a eft,lpt", "in.json -a eft,lpt --format markdown -q",
            "in.json -a eft -q --format latex", "-a eft -m 1..2", "-a eft -m 1..2 --format markdown"))
        yield from (f"report {words}".split() for words in (
            "--solution s.json --instance in.json", "--solution s.json,s.csv --instance in.json -o r.html"))
        yield ["report", "--solution", "s.json", "--instance", "in.json", "--title", "TITLE"]
        yield from (f"convert in.json {words}".split() for words in ("", "--format json", "-o c.csv", "-o c.dot"))
        yield from (f"compare in.json {words}".split() for words in ("--export lp", "--export mps"))

    def test_every_command(self):
        chunks = Turns(range(len(CHUNKS)))
        for number, points in enumerate(CHUNKS):
            (self.folder / str(number)).mkdir()
            self.write(f"{number}/in.json", instance_of(points, number % 2 == 1))
        for words in self.commands():
            for number in range(len(CHUNKS)) if "-o" in words else chunks.take():
                self.folder = self.folder / str(number)
                self.clean(*(name_of("title", CHUNKS[number]) if word == "TITLE" else word for word in words))
                self.folder = self.folder.parent
        for path in self.folder.glob("*/*"):
            if path.suffix not in (".csv", ".dot"):
                self.check_clean(path.read_bytes(), path)
        self.assertTrue((self.folder / "0" / "s.json").exists())

    def test_spoof(self):
        """The file that forged a verdict: the true lines are the only ones of their kind."""
        document = {"format": "duet-instance", "version": 1, "platform": [{"type": "cpu", "count": 1}, {"type": SPOOF, "count": 1}],
                    "tasks": [{"id": name, "times": [3, 1]} for name in "abc"]}
        self.write("in.json", document)
        self.write("s.csv", "task,type,processor,start,end\n" + "".join(f"{n},cpu,0,{3 * i},{3 * i + 3}\n" for i, n in enumerate("abc")))
        lines = self.clean("verify in.json s.csv", code=0).splitlines()
        self.assertEqual([line.split("  ")[0] for line in lines], ["schedule", "makespan", "lower bound", "status"])
        self.assertEqual(lines[2:], ["lower bound  none claimed", "status       ok: feasible"])
        self.assertIn("gpu\\nmakespan", lines[0])
        self.assertIn("\\x1b[8m", lines[0])

    def test_json_holds_names_exactly(self):
        for points in CHUNKS:
            document = instance_of(points, False)
            self.write("in.json", document)
            read = json.loads(self.clean("convert in.json", code=0))
            self.assertEqual([read[key] for key in ("name", "time_unit", "platform")],
                             [document[key] for key in ("name", "time_unit", "platform")])
            self.assertEqual([task["id"] for task in read["tasks"]], [task["id"] for task in document["tasks"]])
            self.clean("solve in.json -a eft -o s.json", code=0)
            solution = json.loads((self.folder / "s.json").read_text())
            self.assertLessEqual({entry["type"] for entry in solution["schedule"]}, {t["type"] for t in document["platform"]})
            shown = json.loads(self.clean("bound in.json --json", code=0))
            self.assertEqual(shown["instance"], document["name"])

    def test_other_formats(self):
        """CSV and DOT come back as they were, through a pipe, and what reads them says nothing raw."""
        for points in CHUNKS:
            document = instance_of(points, False)
            document["tasks"] = document["tasks"][2:]
            self.write("in.json", document)
            for ending in ("csv", "dot"):
                written = self.run_duet("convert", "in.json", "--format", ending)
                self.assertEqual(written.returncode, 0, written.stderr)
                self.check_clean(written.stderr, ending)
                self.write(f"x.{ending}", written.stdout)
                read = json.loads(self.clean(f"convert x.{ending} -m 2 -k 1", code=0))
                self.assertEqual([t["type"] for t in read["platform"]], [t["type"] for t in document["platform"]], ending)
                self.assertEqual(read["tasks"][0]["id"], document["tasks"][0]["id"], ending)
                for words in ("bound x.{} -m 2 -k 1", "solve x.{} -m 2 -k 1 -a eft --summary", "show x.{}", "bound x.{}"):
                    self.clean(words.format(ending))

    def test_moldable_tasks(self):
        """Their columns are named by types, with something behind the name. Such names are not long."""
        for points in (POINTS[i::8] for i in range(8)):
            types = [name_of(word, points) for word in ("cpu", "gpu")]
            self.write("in.json", {"format": "duet-instance", "version": 1, "platform": [{"type": t, "count": 2} for t in types],
                                   "tasks": [{"id": name_of("a", points), "times": [{"work": 20, "alpha": 0.1}, [4, 3]]},
                                             {"id": "b", "times": [{"work": 4}, [2]]}]})
            self.write("x.csv", self.run_duet("convert in.json --format csv").stdout)
            read = json.loads(self.clean("convert x.csv -m 2 -k 2", code=0))
            self.assertEqual([t["type"] for t in read["platform"]], types)
            shown, _ = self.on_terminal("convert in.json --format csv")
            self.assertEqual(shown.count("\n"), 3, shown)
            for words in ("solve x.csv -m 2 -k 2 --summary", "show x.csv", "solve in.json -a moldable-3-2 -o s.json", "verify in.json s.json"):
                self.clean(words)

    def test_claims(self):
        for points in CHUNKS:
            self.write("in.json", {"format": "duet-instance", "version": 1, "platform": [{"type": name_of("cpu", points), "count": 2}],
                                   "tasks": [{"id": "a", "count": 2, "times": [2]}],
                                   "claim": {"algorithm": name_of("lpt", points), "options": name_of("x=", points),
                                             "optimum": 2, "makespan": 4, "source": name_of("who", points)}})
            for words in ("compare in.json -a lpt", "compare in.json -a lpt --json", "show in.json", "convert in.json",
                          "compare in.json -a lpt --format latex"):
                self.clean(words)


class Forged(Terminal):
    """Texts that the command does not expect, and messages that quote them."""

    def test_every_text_of_a_solution(self):
        self.write("in.json", instance_of([ord("x")], False))
        self.clean("solve in.json -a exact -o s.json -O proof=s.proof", code=0)
        solution = json.loads((self.folder / "s.json").read_text())
        solution.update({"ending": "time", "proof": "s.proof"})
        chunks = Turns(CHUNKS)
        for path in list(texts_of(solution)):
            for points in chunks.take():
                self.write("f.json", with_text(solution, path, name_of("f", points)))
                for words in ("verify in.json f.json", "show in.json f.json --summary", "compare in.json -a lpt --solution f.json",
                              "verify in.json f.json --json", "show in.json f.json --json", "simulate in.json --solution f.json",
                              "report --solution f.json --instance in.json", "solve in.json -a lpt --gantt g.svg --gantt-beside f.json"):
                    self.clean(words)

    def test_every_text_of_an_instance(self):
        for points in CHUNKS[:2]:
            document = instance_of([ord("x")], True)
            for path in texts_of(document):
                self.write("f.json", with_text(document, path, name_of("f", points)))
                self.clean("show f.json")
            document[name_of("key", points)] = 1
            self.write("f.json", document)
            self.clean("bound f.json")

    def test_malformed_files(self):
        """The inputs of tests/invalid, each with a hostile name or broken bytes at some place."""
        draw = random.Random(SEED)
        source = TESTS / "invalid"
        for path in source.iterdir():
            self.write(path.name, path.read_bytes())
        for row in (source / "expected.tsv").read_text().splitlines():
            words = row.split("\t")[0].split()
            files = [word for word in words if (source / word).is_file()]
            if row.startswith("#") or not files or (not ALL and draw.randrange(5) > 0):
                continue
            for _ in range(3 if ALL else 1):
                changed = draw.choice(files)
                content = (source / changed).read_bytes()
                points = draw.sample(POINTS, 3)
                insert = draw.choice((name_of("n", points).encode(), draw.choice(BROKEN), json.dumps(name_of("n", points)).encode()))
                at = draw.randrange(len(content) + 1)
                self.write("changed-" + changed, content[:at] + insert + content[at:])
                with self.subTest(seed=SEED, row=row, at=at, insert=insert):
                    self.clean(*("changed-" + changed if word == changed else word for word in words))

    def test_result_tables(self):
        """Names in the tables that `report` reads, and in a sweep that is gone on with."""
        head = "file,instance,tasks,kinds,platform,best_bound,algorithm,makespan,lower_bound,gap_percent,ratio,guarantee,seconds,status,reason"
        for points in CHUNKS:
            name = name_of("n", points).replace('"', '""')
            self.write("r.csv", head + "\n" + "".join(
                f'"{name}","{name}",3,3,"{name}",3,"{name}{i}",{3 + i},3,0.0,{ratio},4/3,0.1,optimal,"{name}"\n'
                for i, ratio in enumerate(("1.0", "", "0.5"))))
            self.clean("report r.csv")
            self.clean("report", "r.csv", "--title", name_of("t", points))
            self.write("sweep.csv", name_of("family", points) + ",1,2\n")
            self.clean("bench ratios -a lpt --family unif4 -n 4 --platforms 1:1 --instances 1 --csv sweep.csv --resume")


class Words(Terminal):
    """Words of the command line."""

    def hostile(self):
        yield from (name_of("w", points).encode() for points in CHUNKS)
        yield from (b"w" + bad + b"Q00000" for bad in BROKEN)

    def test_commands_and_lists(self):
        words = Turns(self.hostile())
        for arguments in ("W", "help W", "help --man W", "list W", "bench W", "--W", "generate W", "solve W", "bound W W",
                          "verify W W", "show W", "compare W W", "convert W", "report W", "simulate W", "measure W",
                          "complete solve W", "solve -W", "solve --W", "solve --json=W"):
            for word in words.take(2):
                self.clean(*(argument.encode().replace(b"W", word) for argument in arguments.split()))

    def options(self, *command):
        """The long options of a command that take a value."""
        text = self.run_duet(*command, "--help").stdout.decode()
        found = re.findall(r"^ +(?:-\w, )?--([a-z-]+)=", text, re.MULTILINE)
        self.assertTrue(found, command)
        return found

    def test_options(self):
        """Each option of each command with a hostile value. What it writes would go to a folder that is not there."""
        self.write("in.json", instance_of([ord("x")], False))
        self.clean("solve in.json -a lpt -o s.json", code=0)
        small = {"solve": ("in.json", "-a", "lpt"), "bound": ("in.json",), "show": ("in.json", "s.json"), "verify": ("in.json", "s.json"),
                 "generate": ("uniform", "-n", "3"), "simulate": ("in.json", "-a", "eft", "--runs", "1"), "convert": ("in.json",),
                 "compare": ("in.json", "-a", "lpt"), "report": ("--instance", "in.json", "--solution", "s.json"),
                 "measure": ("--tile", "8", "--repeats", "1", "--warmup", "0")}
        words = Turns(self.hostile())
        for command, rest in small.items():
            for option in self.options(command):
                for word in words.take():
                    self.clean(command, *rest, b"--" + option.encode() + b"=" + word)
            for word in words.take():
                self.clean(command, *rest, b"-O", b"x=" + word)
                self.clean(command, *rest, b"-O", word)
                self.clean(command, *rest, b"-O", word + b"=1")

    def test_options_of_studies(self):
        """The same of `duet bench`, where a file in no folder ends the study before it begins."""
        studies = re.findall(r"^  ([a-z-]+) ", self.run_duet("bench", "--help").stdout.decode(), re.MULTILINE)
        self.assertIn("ratios", studies)
        files = ("csv", "chart", "results", "save", "output", "data", "replay", "solutions", "stg")
        words = Turns(self.hostile())
        for study in studies:
            options = self.options("bench", study)
            for option in options:
                for word in words.take():
                    value = b"none-" + word + b"/" + word if option in files else word
                    other = () if option == "csv" or "csv" not in options else (b"--csv=none/none.csv",)
                    self.clean("bench", study, b"--" + option.encode() + b"=" + value, *other)

    def test_names_of_files(self):
        """Files that are there, and are called so."""
        document = instance_of([ord("x")], False)
        for word in Turns(self.hostile()).take(5):
            path = os.path.join(os.fsencode(self.folder), word)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
            self.clean("solve", word, "-a", "lpt", "-o", word + b".s.json", code=0)
            csv_name, proof = word + b".csv", word + b".proof"
            self.clean("show", word, word + b".s.json", "-o", csv_name, code=0)
            self.clean("solve", word, "-a", "exact", "-o", word + b".s.json", b"-O", b"proof=" + proof, code=0)
            for arguments in ((b"bound", word), (b"bound", csv_name), (b"verify", word, word + b".s.json"),
                              (b"verify", word, word + b".s.json", b"--proof", proof), (b"verify", word, csv_name),
                              (b"compare", word, b"-a", b"lpt"), (b"compare", word, b"-a", b"lpt", b"--format", b"latex"),
                              (b"compare", word, word, b"-a", b"lpt", b"--json"), (b"compare", word, b"-a", b"lpt", b"--solution", csv_name),
                              (b"compare", word, b"-a", b"lpt", b"--solution", word + b"=" + csv_name), (b"convert", word),
                              (b"report", b"--solution", csv_name, b"--instance", word), (b"convert", word, b"-o", word + b".odd"),
                              (b"simulate", word, b"--solution", csv_name), (b"show", word, csv_name, b"--trace", word + b".json"),
                              (b"solve", word, b"-a", b"lpt", b"-o", b"none/" + word), (b"solve", word, b"-o", word)):
                self.clean(*arguments)


class Studies(Terminal):
    """Names that `duet bench` reads from files."""

    def test_instances_of_a_folder(self):
        for points in CHUNKS:
            data = self.folder / "data"
            data.mkdir(exist_ok=True)
            self.write(os.path.join("data", "in.json"), instance_of(points, False))
            base = "bench exact --set real --data data --platforms 1:1 -t 0.2 -a lpt,exact"
            for words in ("", " --json", " --csv -"):
                done = self.run_duet(base + words)
                self.check_clean(done.stderr, words)
                if "csv" not in words:
                    self.check_clean(done.stdout, words)


class Exact(Terminal):
    """CSV and DOT have names exactly in a pipe; on a terminal they are escaped, and a note says so."""
    NOTE = "duet: note: names are shown with escapes"

    def test_on_a_terminal(self):
        for points in CHUNKS:
            document = instance_of(points, False)
            self.write("in.json", document)
            self.clean("solve in.json -a lpt -o s.json", code=0)
            for words in ("convert in.json --format csv", "convert in.json --format dot", "compare in.json -a lpt --csv -",
                          "compare in.json -a lpt --format csv", "compare in.json in.json -a lpt --format csv -q"):
                shown, said = self.on_terminal(words)
                quiet = words.endswith("-q")
                self.assertNotEqual(shown, "")
                self.assertEqual(said.count(self.NOTE), 0 if quiet or "in.json in.json" in words else 1, (words, said))
                piped = self.run_duet(words)
                self.assertNotIn(self.NOTE.encode(), piped.stderr)
                if not quiet:
                    self.assertIn(chr(points[0]).encode(), piped.stdout, words)
            for words in ("convert in.json", "solve in.json -a lpt --json", "compare in.json -a lpt", "simulate in.json -a eft --csv -",
                          "bound in.json -m 1..2", "show in.json s.json --summary", "verify in.json s.json", "compare in.json -a lpt --json"):
                self.assertNotIn(self.NOTE, self.on_terminal(words)[1], words)

    def test_fields_are_exact(self):
        """What a pipe gets is read back by another reader of CSV."""
        for points in CHUNKS:
            document = instance_of(points, False)
            self.write("in.json", document)
            for words in ("compare in.json -a lpt --csv -", "compare in.json -a lpt --format csv -q"):
                table = list(csv.reader(io.StringIO(self.run_duet(words).stdout.decode(), newline="")))
                if table[0][0] == "file":
                    row = dict(zip(table[0], table[1]))
                    self.assertEqual(row["instance"], document["name"])
                    self.assertEqual(row["platform"][:20], f"2 {document['platform'][0]['type']}"[:20])
                self.assertEqual({len(row) for row in table}, {len(table[0])}, words)

    def test_a_sweep(self):
        (self.folder / "data").mkdir()
        words = "bench exact --set real --data data --platforms 1:1 -t 0.2 -a lpt --csv -"
        for points in CHUNKS:
            if {10, 13} & set(points):
                continue  # no field of a sweep has a line break
            self.write(os.path.join("data", "in.json"), instance_of(points, False))
            shown, said = self.on_terminal(words)
            self.assertIn(self.NOTE, said)
            self.assertIn(f"Q{points[0]:05x}", shown)
            self.assertIn(chr(points[0]).encode(), self.run_duet(words).stdout)

    def test_progress(self):
        """The line that says how far a search is begins with the file's name, and has the unit in it."""
        name = name_of("n", [0x1B, 0x0D, 0x202E, 0x9B])
        self.write(name, {"format": "duet-instance", "version": 1, "time_unit": name,
                          "platform": [{"type": "cpu", "count": 4}, {"type": "gpu", "count": 3}],
                          "tasks": [{"id": f"t{i}", "times": [1000 + i * i * 37 % 991, 800 + i * i * 53 % 977]} for i in range(90)]})
        self.on_terminal("compare", name, "-a", "ilp", "-t", "1", stream="stderr")


if __name__ == "__main__":
    unittest.main()
