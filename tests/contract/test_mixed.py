#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A generator that knows the truth writes instances as people and programs write them: the formats, separators, encodings,
names, times, orders, sizes, releases, deadlines, counts, and columns that --columns has to name. Each file comes back through
`convert` as the same instance, or is refused; none is read as another.

DUET_TEST_SEED is the first seed, DUET_TEST_MIXED how many files, DUET_TEST_UNITS how many with units."""
import collections
import datetime
import gzip
import json
import lzma
import os
import random
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction

DUET = os.environ["DUET_COMMAND"]
NAMES = [lambda i: f"t{i}", lambda i: str(i), lambda i: str(i + 1), lambda i: f"job-{i}", lambda i: f"step {i}", lambda i: f"aufgabe_ä{i}",
         lambda i: f"k.{i}:x", lambda i: "abcdefgh"[i], lambda i: f"tests/t.py::f[{i}-2]", lambda i: f"任务{i}", lambda i: f"x{i}#0",
         lambda i: f"a,{i}", lambda i: f'say "{i}"', lambda i: f"{i}.0", lambda i: f"o'{i}", lambda i: f"p|{i}", lambda i: f"{i}FS",
         lambda i: ["NA", "-", "None", "nan", "null", "[]"][i], lambda i: f"a;{i}", lambda i: f"TRIM ({i})", lambda i: f"0{i}",
         lambda i: f"1e{i}", lambda i: f"=sum({i})", lambda i: f"{i}:00:01", lambda i: f"2026-12-0{i + 1}"]
WORDS = {"id": ["id", "ID", "Task", "name", "job", "Job ID", "JobName", "process", "task_id"],
         "after": ["after", "predecessors", "depends_on", "Depends On", "requires", "parents", "prev", "needs", "dependencies", "Vorgänger"],
         "before": ["successors", "children", "next", "downstream"],
         "release": ["release", "ready", "arrival", "r_j", "start_after", "available_from"],
         "deadline": ["deadline", "due", "Due Date", "d_j", "latest_end"],
         "size": ["cores", "ncpus", "procs", "size", "threads"],
         "count": ["count", "copies", "Quantity"],
         "group": ["group", "kind", "stage", "Type of task", "category"]}
TYPES = ["cpu", "gpu", "npu", "xeon", "a100", "time_gpu", "CPU 2", "cpu,fast", "knl=0", "größe_gpu", "p1"]
EXTRA = ["priority", "memory_gb", "status", "Bemerkung", "timeout", "setup", "exit code"]


class Truth:
    """What an instance is: of each task its times, and what else is said of it; and the edges with their costs."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.types = rnd.sample(TYPES, rnd.choice((1, 2, 2, 3)))
        self.ids = [rnd.choice(NAMES[:8])(i) for i in range(6)] if rnd.random() < 0.1 else [*map(rnd.choice(NAMES), range(6))]
        self.ids = list(dict.fromkeys(self.ids))[:rnd.randint(1, 6)]
        self.lengths = rnd.random() < 0.25  # times are lengths of time, so that the unit is the second
        self.unit, self.start, self.tables = "", None, {}
        self.noted, self.hidden = None, None  # a field that --columns does not pick, and what it would say
        self.times = {name: {kind: self.draw() for kind in self.types} for name in self.ids}
        for row in self.times.values():
            if all(value is None for value in row.values()):
                row[self.types[0]] = Fraction(3)
        self.count = self.some(0.1, lambda: rnd.randint(1, 3))
        ends = [(a, b) for i, a in enumerate(self.ids) for b in self.ids[i + 1:]]
        self.edges = dict.fromkeys(sorted(rnd.sample(ends, rnd.randint(0, min(5, len(ends)))), key=ends.index) if rnd.random() < 0.7 else (), 0)
        self.costs = rnd.random() < 0.3
        if self.costs:
            self.edges = {edge: Fraction(rnd.randint(0, 40), 4) for edge in self.edges}
        self.release = self.some(0.2, lambda: Fraction(rnd.randint(0, 40), 2))
        self.deadline = self.some(0.15, lambda: Fraction(rnd.randint(1, 90000), 2))
        self.group = self.some(0.3, lambda: rnd.choice(("map", "reduce step", "7", "größer")))
        self.size = self.some(0.15, lambda: rnd.randint(1, 4))

    def some(self, chance, draw):
        """What some tasks have, in some instances."""
        return {name: draw() for name in self.ids if self.rnd.random() < 0.7} if self.rnd.random() < chance else {}

    def without(self, *what):
        """Forgets what a format has no place for."""
        for member in what:
            setattr(self, member, {})
        return self

    def draw(self):
        if self.rnd.random() < 0.15 and len(self.types) > 1:
            return None
        if self.lengths:
            return Fraction(self.rnd.randint(1, 400000), self.rnd.choice((1, 1, 2)))
        return Fraction(self.rnd.randint(1, 90000), self.rnd.choice((1, 1, 10, 100, 10**4)))

    def whole(self):
        """Times of formats that have whole numbers alone."""
        for row in self.times.values():
            row.update({kind: Fraction(value.__ceil__()) for kind, value in row.items() if value is not None})
        return self

    def copies(self, name):
        """The ids of the tasks that an entry stands for."""
        return [name] if self.count.get(name, 1) == 1 else [f"{name}#{i}" for i in range(self.count[name])]

    def before(self, name):
        return [copy for tail, head in self.edges if head == name for copy in self.copies(tail)]

    def behind(self, name):
        return [copy for tail, head in self.edges if tail == name for copy in self.copies(head)]

    # How people write numbers, lengths of time and lists.

    def number(self, value):
        plain = str(value) if value.denominator == 1 else format(Decimal(value.numerator) / value.denominator, "f")
        forms = [plain] * 6 + [plain + "e0", format(Decimal(plain), "e"), plain + ("0" if "." in plain else ".0"), "0" + plain]
        forms += ["+" + plain] if value != 0 else []
        return self.rnd.choice(forms)

    def length(self, value):
        whole, part = divmod(value, 1)
        days, rest = divmod(int(whole), 86400)
        hours, rest = divmod(rest, 3600)
        minutes, seconds = divmod(rest, 60)
        end = str(seconds) + (".5" if part else "")
        clock = f"{hours:02}:{minutes:02}:{'0' * (seconds < 10)}{end}"
        total = f"{int(whole)}{'.5' if part else ''}"
        inside = f"{hours + 24 * days}h {minutes}m {end}s"
        forms = [f"{days}-{clock}", f"{days} days {clock}", f"P{days}DT{hours}H{minutes}M{end}S", f"PT{hours + 24 * days}H{minutes}M{end}S",
                 inside, inside.replace(" ", ""), f"{days}d {hours}h {minutes}m {end}s", total + "s", total + " sec", total + " Seconds", total,
                 f"{hours + 24 * days:02}{clock[2:]}", f"{int(value * 1000)}ms", f"{int(value * 1000)} Milliseconds",
                 f"{days} day{'s' * (days != 1)}, {clock.lstrip('0') if hours > 9 else clock[1:]}"]
        if value % 60 == 0:
            forms += [f"{int(value / 60)} min", f"{int(value / 60)}m", f"{hours + 24 * days}:{minutes:02}:00"]
        form = self.rnd.choice(forms)
        self.unit = self.unit if form == total else "s"
        return form

    def time(self, value):
        return self.length(value) if self.lengths else self.number(value)

    def order(self, names, separator=None):
        if not names:
            return "" if "NA" in self.ids else self.rnd.choice(("", "[]", "nan", "None", "-", "set()", " "))
        forms = [";".join(names), "; ".join(names), ", ".join(names), repr(names), repr(tuple(names)), json.dumps(names), "{" + repr(names)[1:-1] + "}",
                 ",".join(names), " ".join(names), ";".join(names) + ";", json.dumps(names, ensure_ascii=False)]
        forms += ["|".join(names)] if separator != "|" else []
        forms += [",".join(name + "FS" for name in names)] if all(re.fullmatch(r"[1-9]\d*", name) for name in names) else []
        forms += [str(float(names[0]))] if len(names) == 1 and re.fullmatch(r"\d", names[0]) else []
        return self.rnd.choice(forms)

    def blank(self):
        return self.rnd.choice(("", "nan", "NA", "None", "inf", "-", "NaN", "N/A", "null"))

    # The formats. Each gives the text, and the options with which it is read.

    def fields(self, order=("after", "before")):
        """What tasks have beside ids and times, by the name of the column, and what --columns has to say then."""
        rnd = self.rnd
        known = [("id", self.ids)] + [(word, getattr(self, word)) for word in ("count", "release", "deadline", "group", "size")]
        known = [(word, what) for word, what in known if what] + ([(rnd.choice(order), self.edges)] if self.edges else [])
        picked = rnd.random() < 0.3
        names = {}
        for word, _ in known:
            names[word] = rnd.choice(WORDS[word])
            if picked and rnd.random() < 0.6 and word != "group":
                names[word] = rnd.choice((f"my {word}", f"{word[0]}_x", f"x={word}", f"{word}, of the plan", f"Spalte ä{word[0]}"))
        columns = {kind: rnd.choice((f"t_{i}", f"col {i}", f"time ({i})", f"Laufzeit,{i}")) if picked else kind for i, kind in enumerate(self.types)}
        words = {"before": "successors", "size": "cores"}
        quoted = lambda name: '"' + name.replace('"', '""') + '"' if re.search(r'[,="]', name) else name
        picks = [f"{quoted(kind)}={quoted(columns[kind])}" for kind in self.types]
        picks += [f"{words.get(word, word)}={quoted(name)}" for word, name in names.items()]
        if picked:
            left = rnd.choice(("release", "deadline", "size", "")) if rnd.random() < 0.3 else ""
            if left in names:  # what binds and is not picked is noted, unless it is called by its very name
                names[left] = rnd.choice(WORDS[left])
                picks = [pick for pick in picks if not pick.startswith(words.get(left, left) + "=")]
                if names[left] != words.get(left, left):
                    self.noted, self.hidden = names[left], left
            return names, columns, ["--columns", ",".join(picks)]
        return names, columns, ["--platform", ",".join(quoted(kind) + "=4" for kind in self.types)] if rnd.random() < 0.4 or self.odd() else []

    def odd(self):
        """Whether names of types say nothing of processors, so that --platform has to name them."""
        return any(kind in ("cpu,fast", "knl=0") for kind in self.types)

    def cell(self, word, name, separator=None):
        if word == "id":
            return name
        if word in ("after", "before"):
            return self.order(self.before(name) if word == "after" else self.behind(name), separator)
        value = getattr(self, word).get(name)
        if value is None:
            return "1" if word == "count" else ""
        return self.time(value) if word in ("release", "deadline") else str(value)

    def csv(self):
        rnd = self.rnd
        self.edges = dict.fromkeys(self.edges, 0)
        separator = rnd.choice(",;\t|")
        comma = separator in ";|" and not self.lengths and rnd.random() < 0.3
        end = rnd.choice(("\n", "\r\n"))
        names, columns, options = self.fields()
        table = {names[word]: [self.cell(word, name, separator) for name in self.ids] for word in names}
        for kind, column in columns.items():
            table[column] = [self.blank() if self.times[name][kind] is None else self.time(self.times[name][kind]) for name in self.ids]
            table[column] = [cell.replace(".", ",") for cell in table[column]] if comma else table[column]
        for word in ("release", "deadline"):
            if comma and word in names:
                table[names[word]] = [cell.replace(".", ",") for cell in table[names[word]]]
        for extra in rnd.sample(EXTRA, rnd.randint(0, 2)):
            table[extra] = ["7"] * len(self.ids)
        self.dates(table, names)
        if "after" in names and rnd.random() < 0.15:  # the order once more, by its other end
            table["successors"] = [self.order(self.behind(name), separator) for name in self.ids]
        header = list(table)
        if rnd.random() < 0.3:
            rnd.shuffle(header)
        if rnd.random() < 0.15:  # an index, as pandas and R write it
            first = rnd.choice(("", "Unnamed: 0", "row.names"))
            table = {first: [str(i) for i in range(len(self.ids))], **table}
            header = [first, *header]
        always = rnd.random() < 0.2
        pad = rnd.choice(("", "", "", " "))

        def quote(cell):
            bare = not always and not any(c in cell for c in separator + '"\n') and cell == cell.strip()
            return pad + cell if bare else pad + '"' + cell.replace('"', '""') + '"'
        lines = [separator.join(map(quote, header))] + [separator.join(quote(table[column][i]) for column in header) for i in range(len(self.ids))]
        if rnd.random() < 0.1:
            lines = [line + separator * 2 for line in lines] + [separator * len(header), ""]
        head = rnd.choice(("", "", "", "# made" + end, f"sep={separator}{end}", end))
        return head + end.join(lines) + rnd.choice(("", end, end + end)), self.started(options)

    def dates(self, table, names):
        """Deadlines and releases as days, told from a start, where the unit is the second."""
        words = [word for word in ("release", "deadline") if word in names]
        if not words or self.rnd.random() < 0.6:
            return
        self.start, self.unit = datetime.datetime(2026, 12, 1, 8), "s"
        for word in words:
            for i, name in enumerate(self.ids):
                if name in getattr(self, word):
                    value = getattr(self, word)[name] = Fraction(int(getattr(self, word)[name]) + 1)
                    at = self.start + datetime.timedelta(seconds=int(value))
                    form = self.rnd.choice(("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S", "%b %d, %Y %I:%M:%S %p", "%Y%m%dT%H%M%S",
                                            "%d %B %Y %H:%M:%S", "%a %Y-%m-%d %H:%M:%S.000", "%Y/%m/%d %H:%M:%S", "%A, %d-%b-%Y %H:%M:%S"))
                    table[names[word]][i] = at.strftime(form)

    def started(self, options):
        return options + ["--start", self.start.isoformat()] if self.start else options

    def value(self, value):
        if value is None:
            return self.rnd.choice((None, None, float("nan"), float("inf")))
        if self.lengths:
            return self.length(value)
        number = int(value) if value.denominator == 1 else float(value)
        return self.number(value) if self.rnd.random() < 0.1 else number

    def rows(self):
        """Records of tasks."""
        rnd = self.rnd
        self.edges = dict.fromkeys(self.edges, 0)
        names, columns, options = self.fields()
        extra = rnd.choice(EXTRA) if rnd.random() < 0.3 else None
        rows = []
        for name in self.ids:
            row = {column: self.value(self.times[name][kind]) for kind, column in columns.items()}
            for word, column in names.items():
                if word in ("after", "before"):
                    others = self.before(name) if word == "after" else self.behind(name)
                    row[column] = others if rnd.random() < 0.7 else self.order(others)
                elif word == "id" or getattr(self, word).get(name) is not None:
                    value = name if word == "id" else getattr(self, word)[name]
                    row[column] = self.value(value) if isinstance(value, Fraction) else value
            if extra:
                row[extra] = rnd.choice((7, "text", None, [1], {"a": 1}))
            if rnd.random() < 0.3:
                row = dict(rnd.sample(list(row.items()), len(row)))
            rows.append(row)
        for word in ("release", "deadline"):
            if word in names and rnd.random() < 0.3:
                table = {names[word]: ["" for _ in rows]}
                self.dates(table, {word: names[word]})
                for row, cell in zip(rows, table[names[word]]):
                    row.update({names[word]: cell} if cell else {})
        return rows, names["id"], self.started(options)

    def records(self):
        rows, _, options = self.rows()
        if self.rnd.random() < 0.3 and len(rows) > 1:
            return "\n".join(map(json.dumps, rows)) + "\n", options
        file = {self.rnd.choice(("tasks", "jobs", "nodes")): rows}
        return json.dumps(self.rnd.choice((rows, file, {"version": "2.1", "data": file}, {**file, "meta": {"by": "x"}})),
                          ensure_ascii=self.rnd.random() < 0.5, indent=self.rnd.choice((None, 2))), options

    def pandas(self):
        """As pandas writes tables: split, columns, lists, index."""
        rnd = self.rnd
        rows, name_of, options = self.rows()
        form = rnd.choice(("split", "columns", "lists", "index", "table"))
        header = list(dict.fromkeys(name for row in rows for name in row))
        label = rnd.random() < 0.5 and form not in ("lists", "table") and "id=" not in " ".join(options)
        columns = [name for name in header if not (label and name == name_of)]
        index = [row[name_of] if label else i for i, row in enumerate(rows)]
        if form == "split":
            head = {"columns": columns, "index": index}
            return json.dumps({**dict(rnd.sample(list(head.items()), 2)), "data": [[row.get(name) for name in columns] for row in rows]}), options
        if form == "columns":
            return json.dumps({name: {str(i): row.get(name) for i, row in zip(index, rows)} for name in columns}), options
        if form == "table":
            schema = {"fields": [{"name": "index", "type": "integer"}, *({"name": name} for name in header)], "primaryKey": ["index"]}
            return json.dumps({"schema": schema, "data": [{"index": i, **row} for i, row in enumerate(rows)]}), options
        if form == "lists":
            return json.dumps({name: [row.get(name) for row in rows] for name in columns}), options
        return json.dumps({str(i): {name: row[name] for name in columns if name in row} for i, row in zip(index, rows)}), options

    def decimal(self, value):
        return None if value is None else float(value)

    def native(self):
        """The native form, with what it may leave out left out."""
        rnd = self.rnd
        self.unit = rnd.choice(("", "ms", "h"))
        tasks, counted, listed = [], self.count, rnd.random() < 0.6
        for name in self.ids:
            times = [self.decimal(self.times[name][kind]) for kind in self.types]
            task = {"id": name, "times": times if listed else {kind: time for kind, time in zip(self.types, times) if time is not None}}
            for word in ("count", "release", "deadline", "group", "size"):
                if name in getattr(self, word):
                    value = getattr(self, word)[name]
                    task[word] = float(value) if isinstance(value, Fraction) else value
            tasks.append(dict(rnd.sample(list(task.items()), len(task))))
        file = {"platform": [{"type": kind, "count": 4} for kind in self.types], "tasks": tasks}
        if self.unit:
            file["time_unit"] = self.unit
        edges = []
        for (a, b), cost in self.edges.items():
            if counted:  # an edge for each of the tasks, by "after"
                self.edges[a, b] = 0
                task = next(task for task in tasks if task["id"] == b)
                task.setdefault("after", []).extend(self.copies(a))
            elif cost:
                table = [[0, float(cost)], [float(cost), float(cost)]]
                edges.append([a, b, float(cost)] if rnd.random() < 0.5 else {"from": a, "to": b, "cost": float(cost)})
                if len(self.types) == 2 and rnd.random() < 0.3:
                    edges[-1] = {"source": a, "target": b, "costs": table}
                    self.edges[a, b] = table
            else:
                edges.append([a, b] if rnd.random() < 0.5 else {"from": a, "to": b})
        if edges:
            file[rnd.choice(("edges", "links", "dependencies"))] = edges
        if rnd.random() < 0.3:
            file = {"format": "duet-instance", "version": 1, **file}
        return json.dumps(dict(rnd.sample(list(file.items()), len(file))) if rnd.random() < 0.5 else file), []

    def nodes(self):
        """networkx, node-link."""
        self.without("count")
        nodes = [{"id": name, **{kind: self.decimal(time) for kind, time in self.times[name].items() if time is not None},
                  **{word: float(getattr(self, word)[name]) for word in ("release", "deadline") if name in getattr(self, word)},
                  **({"cores": self.size[name]} if name in self.size else {}), **({"group": self.group[name]} if name in self.group else {})}
                 for name in self.ids]
        weight = self.rnd.choice(("weight", "cost", "w"))
        links = [{"source": a, "target": b, **({weight: float(cost)} if self.costs else {})} for (a, b), cost in self.edges.items()]
        pick = ["cost=" + weight] if self.costs and self.edges and weight != "cost" else []
        quoted = lambda name: '"' + name + '"' if re.search("[,=]", name) else name
        options = ["--columns", ",".join([*map(quoted, self.types), *pick])] if pick else ["--platform", ",".join(quoted(kind) + "=4" for kind in self.types)]
        return json.dumps({"directed": True, "multigraph": False, "graph": {}, "nodes": nodes, self.rnd.choice(("links", "edges")): links}), options

    def dot(self):
        rnd = self.rnd
        self.without("count")
        quoted = lambda text: '"' + text.replace('"', '\\"') + '"'
        lines = [rnd.choice(("digraph {", "strict digraph x {", 'digraph "a b" {'))]
        for name in self.ids:
            cells = [f"{quoted(kind)}={quoted(self.blank() if time is None else self.time(time))}" for kind, time in self.times[name].items()
                     if time is not None or rnd.random() < 0.4]
            cells += [f'{word}="{self.time(getattr(self, word)[name])}"' for word in ("release", "deadline") if name in getattr(self, word)]
            cells += [f"cores={self.size[name]}"] if name in self.size else []
            cells += [f'group="{self.group[name]}"'] if name in self.group else []
            lines.append(f'  {quoted(name)} [{rnd.choice((", ", "; ", " ")).join(cells + ["color=red", "label=x"][:rnd.randint(0, 2)])}];')
        if rnd.random() < 0.3:
            lines[1:] = ["  node [shape=box];", "  /* the tasks */", "  subgraph cluster_0 { // one group", *lines[1:], "  }"]
        weight = rnd.choice(("cost", "weight"))
        simple = lambda name: name if re.fullmatch(r"[a-z]\w*", name) and rnd.random() < 0.5 else quoted(name) + rnd.choice(("", "", ":n"))
        for (a, b), cost in self.edges.items():
            said = f" [{weight}={float(cost)}]" if self.costs else rnd.choice(("", " [label=x]", ";"))
            lines.append(f"  {simple(a)} -> {simple(b)}{said}")
        columns = ",".join(['"' + kind + '"' if re.search("[,=]", kind) else kind for kind in self.types] + ["cost=weight"])
        picked = self.costs and weight == "weight" and self.edges
        return "\n".join(lines + ["}"]), ["--columns", columns] if picked else []

    def one(self, name="cpu", unit=None):
        """One time of each task, whole, and nothing but an order."""
        self.without("count", "release", "deadline", "group", "size").whole()
        self.times = {task: {name: next(time for time in row.values() if time is not None)} for task, row in self.times.items()}
        self.types, self.edges = [name], dict.fromkeys(self.edges, 0)
        self.unit = unit if unit is not None else ""
        return self

    def called(self, name_of):
        """Other ids, by the place of a task."""
        new = {name: name_of(i) for i, name in enumerate(self.ids)}
        self.times = {new[name]: row for name, row in self.times.items()}
        self.edges = {(new[a], new[b]): cost for (a, b), cost in self.edges.items()}
        self.size = {new[name]: size for name, size in self.size.items()}
        self.ids = list(new.values())
        return self

    def stg(self):
        self.one().called(lambda i: str(i + 1))
        last = len(self.ids) + 1
        heads = {name: [int(a) for a in self.before(name)] or [0] for name in self.ids}
        ends = [int(name) for name in self.ids if not self.behind(name)]
        lines = [str(len(self.ids)), "0 0 0"]
        lines += [f"{name} {self.times[name]['cpu']} {len(heads[name])} {' '.join(map(str, heads[name]))}" for name in self.ids]
        return "\n".join(lines + [f"{last} 0 {len(ends)} {' '.join(map(str, ends))}", ""]), []

    def workflow(self):
        """WfFormat of WfCommons, 1.4 or 1.5."""
        sizes = self.size
        self.one(unit="s").called(lambda i: f"job_{i:07}")
        self.size = {f"job_{i:07}": size for i, size in enumerate(sizes.values())}
        later = self.rnd.random() < 0.5
        parent = {name: self.before(name) for name in self.ids}
        child = {name: self.behind(name) for name in self.ids}
        times = {name: float(self.times[name]["cpu"]) for name in self.ids}
        if later:
            tasks = [{"name": name, "id": name, "parents": parent[name], "children": child[name], "inputFiles": [], "outputFiles": []} for name in self.ids]
            runs = [{"id": name, "runtimeInSeconds": times[name], **({"coreCount": self.size[name]} if name in self.size else {})} for name in self.ids]
            flow = {"specification": {"tasks": tasks, "files": []}, "execution": {"makespanInSeconds": 9, "tasks": runs}}
        else:
            flow = {"makespanInSeconds": 9, "tasks": [
                {"name": name, "id": name, "type": "compute", "runtimeInSeconds": times[name], "parents": parent[name], "children": child[name],
                 **({"cores": self.size[name]} if name in self.size else {}), "files": []} for name in self.ids]}
        return json.dumps({"name": "w", "schemaVersion": "1.5" if later else "1.4", "workflow": flow}), []

    def dax(self):
        self.one(unit="s").called(lambda i: f"ID{i:05}")
        jobs = [f'  <job id="{name}" namespace="n" name="split" version="1.0" runtime="{self.times[name]["cpu"]}.00"/>' for name in self.ids]
        child = [f'  <child ref="{name}">' + "".join(f'<parent ref="{a}"/>' for a in self.before(name)) + "</child>" for name in self.ids if self.before(name)]
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', '<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1" count="1" index="0" '
                          f'name="t" jobCount="{len(jobs)}">', *jobs, *child, "</adag>", ""]), []

    def typed(self):
        self.without("count", "release", "deadline", "group", "size").called(str)
        self.edges, self.unit = dict.fromkeys(self.edges, 0), "ms"
        if len(self.types) == 1:
            for row in self.times.values():
                row["more"] = row[self.types[0]] + 1
        kinds = ["cpu", "gpu", "gpu2"][:max(2, len(self.types))]
        self.times = {name: dict(zip(kinds, row.values())) for name, row in self.times.items()}
        self.types = kinds
        return "\n".join(" ".join([name] + ["-1" if row[kind] is None else repr(float(row[kind])) for kind in kinds] +
                                  ([",".join(self.before(name))] if self.before(name) else [])) for name, row in self.times.items()) + "\n", []

    def dagman(self):
        self.one().called(lambda i: f"j{i}")
        for row in self.times.values():
            row["cpu"] = Fraction(5, 2)
        return "\n".join([f"JOB {name} x.sub" for name in self.ids] + [f"PARENT {a} CHILD {b}" for a, b in self.edges]) + "\n", ["-O", "time=2.5"]

    def saga(self):
        """Tasks with a cost, and sizes of data at a rate."""
        costs = self.edges
        self.one("cost")
        self.edges = {edge: 2 * cost for edge, cost in costs.items()}
        return json.dumps({"tasks": [{"name": name, "cost": float(row["cost"])} for name, row in self.times.items()], "dependencies": [
            {"source": a, "target": b, "size": float(cost)} for (a, b), cost in costs.items()]}), ["-O", "per-unit=2"] if any(costs.values()) else []

    def rcmax(self):
        """Unrelated machines: equal ones become one type."""
        self.whole().without("count", "release", "deadline", "group", "size", "edges").called(lambda i: f"t{i + 1}")
        machines = [self.rnd.choice(self.types) for _ in range(self.rnd.randint(1, 4))]
        rows = [[row[kind] or Fraction(1) for kind in machines] for row in self.times.values()]
        columns = list(zip(*rows))
        first = sorted({columns.index(column) for column in columns})
        self.types = [f"m{i + 1}" for i in first]
        self.times = {name: {f"m{i + 1}": row[i] for i in first} for name, row in zip(self.ids, rows)}
        return "\n".join([str(len(rows)), str(len(machines))] + [" ".join(map(str, row)) for row in rows]) + "\n", []

    def jobshop(self):
        """Jobs of operations, each on one machine."""
        self.without("count", "release", "deadline", "group", "size")
        jobs, machines = self.rnd.randint(2, 4), self.rnd.randint(2, 3)
        plan = [[(machine, self.rnd.randint(1, 50)) for machine in self.rnd.sample(range(machines), machines)] for _ in range(jobs)]
        self.types = [f"m{i + 1}" for i in range(machines)]
        self.times = {f"j{j + 1}.{i + 1}": {f"m{machine + 1}": Fraction(time)} for j, job in enumerate(plan) for i, (machine, time) in enumerate(job)}
        self.edges = {(f"j{j + 1}.{i + 1}", f"j{j + 1}.{i + 2}"): 0 for j in range(jobs) for i in range(machines - 1)}
        self.ids = list(self.times)
        return "\n".join([f"{jobs} {machines}"] + [" ".join(f"{machine} {time}" for machine, time in job) for job in plan]) + "\n", []

    def tgff(self):
        """Tasks and arcs of types, which tables explain."""
        costs = self.edges
        self.one("pe0").called(lambda i: f"t0_{i}")
        self.edges = {edge: Fraction(int(cost)) for edge, cost in zip(self.edges, costs.values())}
        self.group = {name: f"type {i}" for i, name in enumerate(self.ids)}
        lines = ["@TASK_GRAPH 0 {", "\tPERIOD 300"] + [f"\tTASK {name}\tTYPE {i}" for i, name in enumerate(self.ids)]
        lines += [f"\tARC a0_{i} \tFROM {a}  TO  {b} TYPE {i}" for i, (a, b) in enumerate(self.edges)] + ["}"]
        if any(self.edges.values()):
            lines += ["@COMMUN 0 {", "# type  quantity"] + [f"  {i}  {cost}" for i, cost in enumerate(self.edges.values())] + ["}"]
        lines += ["@PE 0 {", "# type exec_time"] + [f"  {i}    {self.times[name]['pe0']}" for i, name in enumerate(self.ids)] + ["}", ""]
        return "\n".join(lines), ["-O", "per-unit=1"] if any(self.edges.values()) else []

    def sizes(self):
        """Tables of times of moldable tasks, where a size may be missing."""
        self.without("count", "size").whole()
        self.tables = {name: {kind: self.rnd.choice(([time + 4], [time + 8, time + 4], [None, time + 3], [time + 9, None, time + 2], [time + 1, time]))
                              for kind, time in row.items() if time is not None} for name, row in self.times.items()}
        floats = lambda times: [None if time is None else int(time) for time in times]
        tasks = [{"id": name, "times": [floats(row[kind]) if kind in row else None for kind in self.types],
                  **{word: float(getattr(self, word)[name]) for word in ("release", "deadline") if name in getattr(self, word)},
                  **({"group": self.group[name]} if name in self.group else {})} for name, row in self.tables.items()]
        edges = [[a, b, float(cost)] if cost else [a, b] for (a, b), cost in self.edges.items()]
        return json.dumps({"platform": [{"type": kind, "count": 3} for kind in self.types], "tasks": tasks, "edges": edges}), []

    def same(self, written):
        """Whether what convert wrote is this instance."""
        if self.hidden:
            self.without(self.hidden)
        made = json.loads(written, parse_float=Fraction, parse_int=Fraction)
        types = [entry["type"] for entry in made.get("platform", [{"type": kind} for kind in ("cpu", "gpu", "gpu2")])]
        found, true = {}, {}
        for task in made["tasks"]:
            times = {kind: value for kind, value in zip(types, task["times"]) if value is not None}
            size = int(task.get("size", 1))
            if self.tables:  # one size may be written so, too
                times = {kind: value if isinstance(value, list) else [None] * (size - 1) + [value] for kind, value in times.items()}
                size = 1
            for i in range(int(task.get("count", 1))):
                name = task["id"] if task.get("count", 1) == 1 else f"{task['id']}#{i}"
                found[name] = [times, size, task.get("release", 0), task.get("deadline"), task.get("group")]
        copies = {name: self.copies(name) for name in self.ids}
        for name, row in self.times.items():
            size = self.size.get(name, 1)
            for copy in copies[name]:
                true[copy] = [self.tables.get(name) or {kind: value for kind, value in row.items() if value is not None}, size, self.release.get(name, 0),
                              self.deadline.get(name), self.group.get(name)]
                if not self.group:
                    true[copy][4] = found.get(copy, true[copy])[4]
        edges = {}
        for edge in made.get("edges", []):
            (a, b), cost = (edge[:2], (edge[2:] or [0])[0]) if isinstance(edge, list) else ((edge["from"], edge["to"]), edge.get("cost", edge.get("costs", 0)))
            edges[a, b] = cost
        expected = {(tail, head): cost for (a, b), cost in self.edges.items() for tail in copies[a] for head in copies[b]}
        return (found, edges, made.get("time_unit")) == (true, expected, self.unit)


def encoded(rnd, text, form):
    """The bytes, and what is done to them."""
    how = rnd.choice(("plain",) * 24 + ("bom", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "gzip", "xz"))
    if how in ("gzip", "xz"):
        return (gzip.compress if how == "gzip" else lzma.compress)(text.encode()), how
    if how == "bom":
        return b"\xef\xbb\xbf" + text.encode(), how
    if how == "latin-1":
        text = text if form == "dax" else text.replace("任务", "tä")
    try:
        return text.encode("utf-8" if how == "plain" else how), how
    except UnicodeEncodeError:
        return text.encode(), "plain"


class Mixed(unittest.TestCase):
    """Files come back as what they say."""

    FORMS = ("csv",) * 6 + ("records",) * 4 + ("pandas", "dot") * 3 + ("native", "nodes") * 2 + ("sizes", "rcmax", "jobshop", "tgff", "stg", "workflow", "dax",
                                                              "typed", "dagman", "saga")

    def test_mixed(self):
        first = int(os.environ.get("DUET_TEST_SEED", "1"))
        done = collections.Counter()
        for seed in range(first, first + int(os.environ.get("DUET_TEST_MIXED", "100"))):
            rnd = random.Random(seed)
            truth, form = Truth(rnd), rnd.choice(self.FORMS)
            text, options = getattr(truth, form)()
            data, how = encoded(rnd, text, form)
            ran = subprocess.run([DUET, "convert", "-", "--format", "json", *options], input=data, capture_output=True, check=False)
            said = f"seed {seed}, {form}, {how}, {options}:\n{text}\n{ran.stdout.decode()}{ran.stderr.decode()}"
            done["read" if ran.returncode == 0 else "refused"] += 1
            with self.subTest(seed=seed):
                self.assertIn(ran.returncode, (0, 2, 3), said)
                self.assertTrue(ran.returncode != 0 or truth.same(ran.stdout.decode()), said)
                self.assertTrue(ran.returncode != 0 or truth.noted is None or f'"{truth.noted}"' in ran.stderr.decode(), said)
            if ran.returncode != 0 and os.environ.get("DUET_TEST_VERBOSE"):
                print(f"seed {seed} {form} {how} {options}: {ran.stderr.decode().strip()}")
        if os.environ.get("DUET_TEST_VERBOSE"):
            print(dict(done))
        self.assertGreater(done["read"], done["refused"])


class Units(unittest.TestCase):
    """Columns that say units, each its own: what is read is what they say, or the file is refused; a wrong unit never goes unnoticed."""

    SECONDS = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)}
    HEADS = ("{}_{}", "{} ({})", "{} [{}]", "{}-{}", "{} in {}", "{}.{}")

    def table(self, rnd):
        """A task, times in seconds by field; and what is written: names and texts, with the unit that name or text says, or none."""
        fields = ["cpu", "gpu"] + [name for name in ("release", "deadline") if rnd.random() < 0.5]
        units = [None] * 3 + list(self.SECONDS)
        shared = rnd.choice(units)
        written = {}
        for field in fields:
            number = Fraction(rnd.randint(1, 40), rnd.choice((1, 1, 2)))
            unit = shared if rnd.random() < 0.6 else rnd.choice(units)
            in_name = unit is not None and rnd.random() < 0.6
            name = rnd.choice(self.HEADS).format(field, unit) if in_name else field
            text = f"{float(number):g}" + (unit if unit is not None and not in_name else "")
            written[field] = name, text, number, unit
        return written

    def as_form(self, form, written):
        if form == "csv":
            return "id," + ",".join(name for name, *_ in written.values()) + "\na," + ",".join(text for _, text, *_ in written.values()) + "\n"
        if form == "records":
            return json.dumps([{"id": "a", **{name: float(number) if text.replace(".", "").isdigit() else text
                                             for name, text, number, _ in written.values()}}])
        return "digraph { a [" + ", ".join(f'"{name}"="{text}"' for name, text, *_ in written.values()) + "] }"

    def test_units(self):
        first = int(os.environ.get("DUET_TEST_SEED", "1"))
        done = collections.Counter()
        for seed in range(first, first + int(os.environ.get("DUET_TEST_UNITS", "200"))):
            rnd = random.Random(seed)
            written, form = self.table(rnd), rnd.choice(("csv", "csv", "records", "dot"))
            asked = rnd.choice([None] * 2 + list(self.SECONDS))
            platform = rnd.random() < 0.3
            names = {field: written[field][0] for field in ("cpu", "gpu")}
            options = ([] if asked is None else ["--unit", asked]) + (["--platform", ",".join(f'"{name}"=1' for name in names.values())] if platform else [])
            text = self.as_form(form, written)
            ran = subprocess.run([DUET, "convert", "-", "--format", "json", *options], input=text.encode(), capture_output=True, check=False)
            said = f"seed {seed}, {form}, {options}:\n{text}\n{ran.stdout.decode()}{ran.stderr.decode()}"
            done[ran.returncode == 0] += 1
            with self.subTest(seed=seed):
                self.assertIn(ran.returncode, (0, 2, 3), said)
                if ran.returncode != 0:
                    continue
                made = json.loads(ran.stdout, parse_float=Fraction)
                unit, task = made.get("time_unit", ""), made["tasks"][0]
                types = [entry["type"] for entry in made["platform"]] if "platform" in made else list(names.values())
                times = dict(zip(types, task["times"]))
                got = {field: Fraction(times[name]) if name in times else None for field, name in names.items()}
                got.update({field: Fraction(task[field]) if field in task else None for field in ("release", "deadline") if field in written})
                if platform:  # which names a type so, whatever its name may say of a unit
                    written.update({field: written[field][:3] + (None,) for field in names if written[field][0] != field})
                known = {own for _, _, _, own in written.values() if own is not None} | ({asked} - {None})
                for field, (name, _, number, own) in written.items():
                    if got[field] is None:  # passed over, which a note says
                        self.assertIn(name, ran.stderr.decode(), said)
                    elif unit == "":
                        self.assertTrue(got[field] == number and len(known) <= 1, said)
                    else:
                        in_seconds = number * self.SECONDS[own or asked or unit]
                        self.assertEqual(got[field] * self.SECONDS[unit], in_seconds, said)
        self.assertGreater(done[True], 20, done)
        self.assertGreater(done[False], 20, done)


if __name__ == "__main__":
    unittest.main()
