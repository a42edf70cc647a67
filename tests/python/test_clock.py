# SPDX-License-Identifier: Apache-2.0
"""Days and times of day from Python: start=, and times after it as datetimes. What they mean is computed here with
datetimes alone."""
import copy
import os
import pickle
import random
import tempfile
import unittest
import warnings
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import duet

try:
    import numpy
    import pandas
except ImportError:
    numpy = pandas = None

SEED = int(os.environ.get("DUET_TEST_SEED", "1"))
NINE = datetime(2026, 11, 27, 9)
SECONDS = {"ms": Decimal("0.001"), "s": 1, "min": 60, "h": 3600, "d": 86400}


def forms(moment):
    """The same moment in all the ways that it may be written."""
    yield moment
    yield moment.isoformat()
    yield moment.strftime("%Y-%m-%d %H:%M:%S")
    if numpy is not None:
        yield numpy.datetime64(moment)
        yield pandas.Timestamp(moment)


class Clock(unittest.TestCase):
    def test_releases_and_deadlines(self):
        rng = random.Random(SEED)
        for unit, seconds in SECONDS.items():
            minutes = [rng.randint(-100, 6000) for _ in range(2)]
            when = [NINE + timedelta(minutes=number) for number in minutes]
            exact = [max(Decimal(60 * number) / seconds, 0) for number in minutes]
            for first, second in zip(forms(when[0]), forms(when[1])):
                with self.subTest(seed=SEED, unit=unit, first=first), warnings.catch_warnings():
                    warnings.simplefilter("ignore", duet.Note)  # 1/60 h has no end
                    made = duet.Instance.from_table({"id": ["a", "b"], "cpu": [3, 2], "release": [first, second]},
                                                    m=1, k=[], unit=unit, start=NINE)
                    for task, time in zip("ab", exact):
                        self.assertAlmostEqual(made.release(task), time, 6)
                    due = NINE + timedelta(days=9)
                    for form in forms(due):
                        s = duet.solve(made, deadline=form)
                        self.assertEqual(s.meets(form), s.ends_at <= due)

    def test_units_of_columns(self):
        """A column says in its name what its times are in, which counts beside dates, a start and lengths."""
        for name in ("cpu_min", "Duration CPU (min)", "cpu [minutes]"):
            for table, given in (({"release": [NINE, NINE + timedelta(minutes=30)]}, {}), ({}, {"start": NINE}),
                                 ({"release": [timedelta(0), timedelta(minutes=30)]}, {}),
                                 ({"deadline": [None, "2026-11-28"]}, {"start": NINE})):
                with self.subTest(name=name, table=table), warnings.catch_warnings():
                    warnings.simplefilter("ignore", duet.Note)
                    s = duet.solve({"id": ["a", "b"], name: [30, 20], **table}, m=1, k=[], **given)
                    self.assertEqual((s.makespan, s.instance.unit), (50, "min"))
                    self.assertEqual(duet.solve({"id": ["a", "b"], name: [30, 20], **table}, m=1, k=[], unit="s",
                                                **given).instance.unit, "s")

    def test_late(self):
        table = {"id": ["a", "b"], "cpu": ["2h", "90 min"], "due": [NINE + timedelta(hours=2), None]}
        s = duet.solve(table, m=1, k=[], start=NINE, fix=[("b", "cpu", 0, 0)])
        self.assertEqual((s.late, s.ends_at), ({"a": 5400}, NINE + timedelta(hours=3, minutes=30)))
        with self.assertRaisesRegex(duet.InputError, "deadline of task 'a' is before the start"):
            duet.solve({**table, "due": [NINE - timedelta(hours=1), None]}, m=1, k=[], start=NINE)

    def test_now_and_busy(self):
        made = duet.Instance.from_times([4, 6], [2, 3], 1, 1, unit="h", start=NINE, busy={"gpu": [NINE + timedelta(hours=1)]})
        self.assertEqual(made.busy, {"gpu": [1]})
        plan = [("t0", "gpu", 0, 1), ("t1", "cpu", 0, 0)]
        for now in (NINE + timedelta(hours=2), "2026-11-27T11:00", 2, "2h", timedelta(hours=2)):
            s = duet.solve(made, start_from=plan, now=now)
            self.assertEqual((s.instance.start, s.makespan, s.ends_at), (NINE, 6, NINE + timedelta(hours=6)))
        self.assertEqual(duet.size(made, NINE + timedelta(hours=7), {"cpu": (0, 2)}).decided, True)

    def test_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tasks.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("id,cpu,gpu\na,4,2\n")
            for busy in (1, "1h", timedelta(hours=1), NINE + timedelta(hours=1), "2026-11-27 10:00"):
                made = duet.read(path, m=1, k=1, unit="h", start=NINE, busy={"gpu": [busy]})
                self.assertEqual((made.busy, made.start, duet.solve(made).ends_at),
                                 ({"gpu": [1]}, NINE, NINE + timedelta(hours=3)))
            with self.assertRaisesRegex(duet.UsageError, r"busy\[gpu\]\[0\]: .* expected start="):
                duet.read(path, m=1, k=1, unit="h", busy={"gpu": [NINE]})
            with self.assertRaisesRegex(duet.UsageError, "unit"):
                duet.read(path, m=1, k=1, busy={"gpu": ["1h"]})

    def test_zones(self):
        here = NINE.replace(tzinfo=timezone(timedelta(hours=5, minutes=30)))
        made = duet.Instance.from_times([4], [2], 1, 1, unit="h", start=here)
        s = duet.solve(made)
        self.assertEqual((s.meets("2026-11-27T05:29:00Z"), s.meets("2026-11-27T05:30:00Z")), (False, True))
        for there in ("2026-11-27T10:59", datetime(2026, 11, 27, 11)):  # in the zone of the start, as in files
            self.assertEqual(s.meets(there), isinstance(there, datetime))
        plain = duet.Instance.from_times([4], [2], 1, 1, unit="h", start=NINE)
        with self.assertRaisesRegex(duet.UsageError, "time zone"):
            duet.solve(plain, deadline=here + timedelta(hours=2))
        for release in (NINE + timedelta(hours=1), here + timedelta(hours=1), "2026-11-27T04:30Z"):
            made = duet.Instance.from_times([4], [2], 1, 1, unit="h", start=here, release=[release])
            self.assertEqual((made.release(0), made.start), (1, here))

    def test_without_start(self):
        """Dates of tasks are told from the earliest, which then is the start, also of what is copied."""
        with self.assertWarnsRegex(duet.Note, r"told from 2026-11-27T09:00:00, the earliest.*start= says another"):
            made = duet.Instance.from_table({"cpu": [3, 2], "release": [NINE + timedelta(hours=2), NINE]}, m=1, k=[], unit="h")
        for again in (made, made.copy(), pickle.loads(pickle.dumps(made))):
            self.assertEqual((again.start, again.release(0)), (NINE, 2))
        self.assertEqual(duet.solve(made).ends_at, NINE + timedelta(hours=5))
        self.assertTrue(duet.solve(made, deadline=NINE + timedelta(hours=5)).meets("2026-11-27T14:00"))

    def test_exactly_late(self):
        """A deadline between ticks has all its digits."""
        table = {"cpu": [7200], "due": [NINE + timedelta(hours=1, microseconds=500000)]}
        self.assertEqual(duet.solve(table, m=1, k=[], unit="s", start=NINE).late, {"t0": Decimal("3599.5")})

    def test_deadlines_in_the_past(self):
        for due in (NINE - timedelta(seconds=1), "2026-11-27 08:59", "27.11.2026 8:59", "Nov 26, 2026"):
            with self.assertRaisesRegex(duet.InputError, "deadline of task 't1' is before the start"):
                duet.solve({"cpu": [1, 1], "due": [NINE, due]}, m=1, k=[], unit="h", start=NINE)

    def test_copies_and_tables(self):
        made = duet.Instance.from_times([4], [2], 1, 1, unit="min", start="2026-11-27T09:00:30.75")
        when = NINE + timedelta(seconds=30)
        for again in (made, copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)), made.copy()):
            self.assertEqual(again.start, when)
        if pandas is not None:
            table = pickle.loads(pickle.dumps(duet.solve(made))).to_pandas()
            self.assertEqual(list(table["end_time"]), [when + timedelta(minutes=2)])
        made.set_start(None)
        self.assertEqual((made.start, duet.solve(made).ends_at), (None, None))

    def test_days_of_spreadsheets(self):
        """Columns of dates that have such numbers are noted, as in files; others are not."""
        for name, values, noted in (("due_date", [46000, 46001], True), ("Due", ["46000", "46000.5"], True), ("eingangsdatum", [46000.5, None], True),
                                    ("deadline", [46000, 46001], False), ("due_date", [46000, 3], False), ("due_date", [None, None], False),
                                    ("due_date", ["2h", 46000], False)):
            with self.subTest(name=name, values=values), warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                duet.Instance.from_table({"cpu": [1, 2], name: values}, 1)
                self.assertEqual(any("spreadsheets number days" in str(note.message) for note in said), noted, [str(n.message) for n in said])

    def test_files_keep_the_start(self):
        made = duet.Instance.from_times([4], [2], 1, 1, unit="min", start="2026-11-27T09:00+01:00")
        again = duet.Instance.from_dict(made.to_dict())
        self.assertEqual((again.start, again.start.utcoffset()), (made.start, timedelta(hours=1)))
        again.set_start(None)
        self.assertNotIn("start", again.to_dict())
        self.assertEqual(duet.solve(made).verify(), duet.solve(again).verify())

    def test_wrong(self):
        hours = duet.Instance.from_times([4], [2], 1, 1, unit="h")
        for wrong in ("tomorrow", 9, "2026-02-30T09:00", "2026-11-27", ["2026-11-27T09:00"], "27.11.2026 09:00", "Nov 27, 2026 9:00 AM",
                      "11/27/2026 09:00", "20261127T090000"):  # files take these, Python has datetimes
            with self.assertRaisesRegex(duet.UsageError, "start: expected a day and a time"):
                hours.set_start(wrong)
        with self.assertRaisesRegex(duet.UsageError, "unit"):
            duet.solve([4], [2], 1, 1, start=NINE)
        with self.assertRaisesRegex(duet.UsageError, "set_start"):
            duet.solve(hours, start=NINE)
        with self.assertRaisesRegex(duet.UsageError, "deadline: .* expected start="):
            duet.solve(hours, deadline=NINE)
        with self.assertRaisesRegex(duet.UsageError, r"busy\[gpu\]\[0\]: .* expected start="):
            duet.solve([4], [2], 1, 1, unit="h", busy={"gpu": [NINE]})
        with self.assertRaisesRegex(duet.UsageError, r"busy\[gpu\]\[0\]: .* expected unit="):
            duet.solve([4], [2], 1, 1, start=NINE, busy={"gpu": [NINE]})


if __name__ == "__main__":
    unittest.main()
