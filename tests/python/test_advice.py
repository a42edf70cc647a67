# SPDX-License-Identifier: Apache-2.0
"""What messages of the library advise is said as arguments of Python, and works as it is printed."""
import os
import re
import tempfile
import unittest
import warnings

import duet

# A file, the arguments with which it is refused, and those with which it is read in the end.
FILES = [
    ("id,cpu,gpu,site\na,3,2,x1\nb,4,1,x2\n", {}, {"columns": "cpu,gpu"}),
    ("my job;my time;gpu;site\nx;1;2;here\n", {}, {"columns": "id=my job,my time,gpu"}),
    ("id,cpu,Due\na,1,friday\n", {}, {"options": {"ignore": "Due"}}),
    ("id,cpu,Due date\na,1,friday\n", {}, {"options": {"ignore": "Due date"}}),
    ("id,cpu,\"due, date\"\na,1,friday\n", {}, {"options": {"ignore": '"due, date"'}}),
    ("id,cpu,it's due\na,1,friday\n", {}, {"columns": "cpu"}),
    ("digraph { a -> b }", {}, {"options": {"time": "1"}}),
    ("id,cpu,state\na,3,ok\n", {"strict_input": True}, {"options": {"ignore": "state"}}),
    ("id,duration,elapsed\na,1,5\n", {}, {"options": {"ignore": "elapsed"}}),
    ("id,cpu_ms,gpu_s\na,3,4\n", {}, {"platform": {"cpu_ms": 1, "gpu_s": 1}}),
    ("id,priority\na,3\n", {}, {"columns": "cpu=priority"}),
    ('{"nodes": [{"id": "a"}, {"id": "b", "cpu": 3}], "links": []}', {}, {"options": {"time": "1"}}),
]
ARGUMENT = re.compile(r"""(columns="(?:[^"\\]|\\.)*"|options=\{"(?:[^"\\]|\\.)*": "(?:[^"\\]|\\.)*"\}|platform=\{[^}]*\})""")


class Advice(unittest.TestCase):
    def test_followed(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            path = os.path.join(folder, "file")
            for text, given, expected in FILES:
                with self.subTest(text=text):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                    with self.assertRaises(duet.DuetError) as refused:
                        duet.read(path, **given)
                    said = str(refused.exception)
                    self.assertNotRegex(said, r"--columns|--platform|--strict-input|-O ")
                    found = ARGUMENT.search(said)
                    self.assertIsNotNone(found, said)
                    argument = eval(f"dict({found.group()})", {"N": 1, "dict": dict})  # pylint: disable=eval-used
                    self.assertEqual(argument, expected, said)
                    self.assertGreater(len(duet.read(path, **given, **argument)), 0)

    def test_noted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,cpu,gamma\na,1,2\n")
            with self.assertWarnsRegex(duet.Note, r'platform= with .*options=\{"ignore": \.\.\.\}'):
                self.assertIn("platform=", duet.read(path).notice)

    def test_start(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,cpu,due\na,1,2026-12-01T10:00Z\n")
            with self.assertRaisesRegex(duet.InputError, r'expected start="2026-12-01T09:00:00Z" or so'):
                duet.read(path, 1, unit="h", start="2026-12-01T09:00")
            self.assertEqual(duet.read(path, 1, unit="h", start="2026-12-01T09:00:00Z").deadline(0), 1)
            with self.assertRaisesRegex(duet.InputError, r'such as start="2026-12-01T00:00:00Z"'):
                duet.read(path, 1, unit="h")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,cpu,ready\na,1,2026-12-01T10:00Z\n")
            with self.assertWarnsRegex(duet.Note, r"\(start= says another\)"):
                duet.read(path, 1, unit="h")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,cpu\na,1\n")
            with self.assertRaisesRegex(duet.UsageError, "^start: the instance names no unit of time.*expected unit="):
                duet.read(path, 1, start="2026-12-01T09:00")


if __name__ == "__main__":
    unittest.main()
