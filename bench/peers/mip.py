# SPDX-License-Identifier: Apache-2.0
"""One mixed-integer program over kinds for HiGHS, SCIP, CBC and GLPK: how many tasks of each kind run on each processor.

Of independent tasks only: programs for task graphs, time-indexed or with big constants, are not what these are for.
Loads of equal processors are ordered, the area of each type is a row, and a list schedule is the cutoff and the start.
"""
import math
import os
import re
import subprocess
import tempfile
import time

from problem import Unable


class Program:
    """min c x, lo <= A x <= hi, whole variables but the first, which is the makespan."""

    def __init__(self, problem):
        if problem.edges or problem.waits or problem.moldable:
            raise Unable("a program over kinds is of independent sequential tasks that are there from the start")
        self.problem, self.kinds, self.at = problem, problem.kinds(), problem.processors()
        hint = problem.by_load(problem.greedy())
        self.hint = problem.makespan(hint)
        # Solvers have tolerances of about 1e-6: the makespan is a number of at most some thousands.
        self.scale = 1 if self.hint <= 10000 else self.hint / 10000
        self.column, self.upper, self.start = [None], [math.inf], [self.hint / self.scale]
        index = {}
        for i, (row, tasks) in enumerate(self.kinds):
            for at in self.at:
                if row[at[0]] is not None:
                    index[i, at] = len(self.column)
                    self.column.append((i, at))
                    self.upper.append(len(tasks))
                    self.start.append(sum(hint[j][:2] == at for j in tasks))
        self.rows = []  # (lo, {column: coefficient}, hi)
        for i, (_, tasks) in enumerate(self.kinds):
            self.rows.append((len(tasks), {index[i, at]: 1 for at in self.at if (i, at) in index}, len(tasks)))
        load = {at: {index[i, at]: row[at[0]] / self.scale for i, (row, _) in enumerate(self.kinds) if (i, at) in index} for at in self.at}
        for q, p in self.at:
            self.rows.append((-math.inf, {**load[q, p], 0: -1}, 0))
            if (q, p + 1) in load:
                self.rows.append((0, {**load[q, p], **{c: -v for c, v in load[q, p + 1].items()}}, math.inf))
        for q, count in enumerate(problem.counts):
            area = {c: v for at in self.at if at[0] == q for c, v in load[at].items()}
            self.rows.append((-math.inf, {**area, 0: -count}, 0))

    def place(self, values):
        number = [{} for _ in self.kinds]
        for c, key in enumerate(self.column[1:], 1):
            number[key[0]][key[1]] = int(round(values[c]))
        if any(sum(n.values()) != len(tasks) for n, (_, tasks) in zip(number, self.kinds)):
            return None
        return self.problem.stack([(tasks, n) for n, (_, tasks) in zip(number, self.kinds)])

    def bound(self, value):
        """A bound in whole units; the solver's tolerance is given to it."""
        return None if value is None or not math.isfinite(value) else max(0, math.ceil(value * self.scale * (1 - 1e-6) - 1e-6))

    def ticks(self, value):
        return int(round(value * self.scale))

    def answer(self, values, bound, optimal, found=()):
        return {"place": self.place(values) if values is not None else None, "bound": self.bound(bound), "optimal": optimal,
                "found": [(s, self.ticks(v)) for s, v in found]}

    def mps(self, path):
        """As an MPS file, for the programs: in columns, which both the fixed and the free form take."""
        def sense(row):
            return "E" if row[0] == row[2] else "G" if row[2] == math.inf else "L"

        of_column = [[] for _ in self.column]
        for i, row in enumerate(self.rows):
            for c, value in row[1].items():
                if value:
                    of_column[c].append(f"    x{c:<7}  r{i:<7}  {value!r}")
        whole = [line for lines in of_column[1:] for line in lines]
        right = [f"    rhs       r{i:<7}  {r[2] if r[2] != math.inf else r[0]}" for i, r in enumerate(self.rows)]
        upper = [f" UP bound     x{c:<7}  {u}" for c, u in enumerate(self.upper) if c]
        with open(path, "w", encoding="utf-8") as file:
            print("NAME          kinds", "ROWS", " N  span", *(f" {sense(r)}  r{i}" for i, r in enumerate(self.rows)), "COLUMNS",
                  "    x0        span      1", *of_column[0], "    M1        'MARKER'                 'INTORG'", *whole,
                  "    M2        'MARKER'                 'INTEND'", "RHS", *right, "BOUNDS", *upper, "ENDATA", sep="\n", file=file)


def solve_highs(problem, seconds, threads):
    import highspy
    program, found = Program(problem), []
    highs = highspy.Highs()
    for name, value in (("output_flag", False), ("time_limit", float(seconds)), ("threads", threads), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0)):
        highs.setOptionValue(name, value)
    inf = highspy.kHighsInf
    for c, upper in enumerate(program.upper):
        highs.addVar(0, min(upper, inf))
        if c:
            highs.changeColIntegrality(c, highspy.HighsVarType.kInteger)
    highs.changeColCost(0, 1)
    for low, row, high in program.rows:
        highs.addRow(max(low, -inf), min(high, inf), len(row), list(row), list(row.values()))
    start = highspy.HighsSolution()
    start.col_value = [float(v) for v in program.start]
    highs.setSolution(start)
    began = time.monotonic()
    highs.cbMipImprovingSolution += lambda e: found.append((time.monotonic() - began, e.data_out.objective_function_value))
    highs.solve()
    info, status = highs.getInfo(), highs.getModelStatus()
    values = list(highs.getSolution().col_value) if info.primal_solution_status == 2 else None
    return program.answer(values, info.mip_dual_bound, status == highspy.HighsModelStatus.kOptimal, found)


def solve_scip(problem, seconds, threads):
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr, Model, quicksum
    program, found = Program(problem), []
    model = Model()
    model.hideOutput()
    model.setParam("limits/time", seconds)
    x = [model.addVar(vtype="I" if c else "C", lb=0, ub=None if u == math.inf else u, obj=0 if c else 1) for c, u in enumerate(program.upper)]
    for low, row, high in program.rows:
        left = quicksum(v * x[c] for c, v in row.items())
        model.addCons(left == low if low == high else left >= low if high == math.inf else left <= high)
    start = model.createSol()
    for c, value in enumerate(program.start):
        model.setSolVal(start, x[c], value)
    model.addSol(start)
    began = time.monotonic()

    class Better(Eventhdlr):
        def eventinit(self):
            self.model.catchEvent(SCIP_EVENTTYPE.BESTSOLFOUND, self)

        def eventexec(self, event):
            found.append((time.monotonic() - began, self.model.getPrimalbound()))
    model.includeEventhdlr(Better(), "better", "when each better schedule was found")
    model.optimize()
    values = [model.getVal(v) for v in x] if model.getNSols() else None
    return program.answer(values, model.getDualbound(), model.getStatus() == "optimal", found)


def run(words, seconds):
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds * 2 + 10, check=False).stdout
    except subprocess.TimeoutExpired:
        return ""


def solve_cbc(problem, seconds, threads):
    program = Program(problem)
    with tempfile.TemporaryDirectory() as folder:
        model, out = os.path.join(folder, "kinds.mps"), os.path.join(folder, "out.txt")
        program.mps(model)
        log = run(["cbc", model, "sec", str(seconds), "timeMode", "elapsed", "ratio", "0", "allow", "0", *(["threads", str(threads)] if threads > 1 else []),
                   "solve", "printingOptions", "all", "solution", out], seconds)
        values = [0.0] * len(program.column)
        lines = open(out, encoding="utf-8").read().splitlines() if os.path.exists(out) else []
        for line in lines[1:]:
            words = line.replace("**", "").split()
            if len(words) >= 3 and words[1].startswith("x"):
                values[int(words[1][1:])] = float(words[2])
    optimal = bool(lines) and lines[0].startswith("Optimal")
    bound = re.findall(r"Lower bound: +([-\d.e+]+)", log)
    objective = re.findall(r"objective value +([-\d.e+]+)", lines[0]) if lines else []
    low = float(objective[0]) if optimal and objective else float(bound[-1]) if bound else None
    return program.answer(values if lines and "infeasible" not in lines[0].lower() else None, low, optimal)


def solve_glpk(problem, seconds, threads):
    program = Program(problem)
    with tempfile.TemporaryDirectory() as folder:
        model, out = os.path.join(folder, "kinds.mps"), os.path.join(folder, "out.txt")
        program.mps(model)
        log = run(["glpsol", "--freemps", model, "--tmlim", str(max(1, int(seconds))), "--cuts", "-w", out], seconds)
        rows = [line.split() for line in open(out, encoding="utf-8")] if os.path.exists(out) else []
    status = next((r for r in rows if r[0] == "s"), None)
    if status is None or status[4] not in "of":
        return program.answer(None, None, False)
    values = [float(r[2]) for r in rows if r[0] == "j"]
    bound = re.findall(r">= +([-\d.e+]+)", log)
    return program.answer(values, float(status[5]) if status[4] == "o" else float(bound[-1]) if bound else None, status[4] == "o")
