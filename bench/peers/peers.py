#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Duet beside the solvers that people would otherwise take; `duet bench peers` runs this.

Every run is a process of its own. Every schedule is judged by `duet verify`; every bound is held against the shortest
schedule that was judged, whoever found it.

Usage: peers.py --duet COMMAND [OPTION...]; `duet bench peers --help` says which
"""
import argparse
import decimal
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True # the scripts may lie where nothing else is to be written

import table # noqa: E402
from cases import add_waits, cases
from problem import Problem, Unable

HERE = os.path.dirname(os.path.abspath(__file__))
# Peers: module, function, distribution or program whose version counts, and words for people.
PEERS = {
    "duet": (None, None, "duet", "Duet"),
    "cpsat": ("cpsat", "solve", "ortools", "CP-SAT"),
    "pyjobshop": ("lists", "solve_pyjobshop", "pyjobshop", "PyJobShop"),
    "highs": ("mip", "solve_highs", "highspy", "HiGHS"),
    "scip": ("mip", "solve_scip", "pyscipopt", "SCIP"),
    "cbc": ("mip", "solve_cbc", "cbc", "CBC"),
    "glpk": ("mip", "solve_glpk", "glpsol", "GLPK"),
    "saga": ("lists", "solve_saga", "anrg-saga", "SAGA"),
}
GRACE = 15  # seconds beyond the limit until a run is ended: it may load and write slowly
REFUSED = 2  # exit code: wrong usage, or something is missing


def version(name, duet):
    """The version of a peer, None where it is not there."""
    if name in ("cbc", "glpsol", "duet"):
        words = [duet, "--version"] if name == "duet" else [name, "--version"] if name == "glpsol" else [name, "-quit"]
        try:
            text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout
        except OSError:
            return None
        found = re.search(r"\d+\.\d+(\.\d+)*", text)
        return found[0] if found else "?"
    import importlib.metadata
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


# ---- one run

def work(peer, instance, out, seconds, threads):
    """In a process of its own: what the peer answers, as a file. Where it has no model, the reason."""
    module, function, _, _ = PEERS[peer]
    problem = Problem(instance)
    solve = getattr(importlib.import_module(module), function)
    began = time.monotonic()
    try:
        answer = solve(problem, seconds, threads)
    except Unable as reason:
        answer = {"unable": str(reason)}
    answer["seconds"] = time.monotonic() - began
    with open(out, "w", encoding="utf-8") as file:
        json.dump(answer, file)


def run_peer(peer, instance, folder, args, threads):
    out = os.path.join(folder, "answer.json")
    if os.path.exists(out):
        os.remove(out)
    words = [sys.executable, os.path.abspath(__file__), "--worker", peer, instance, out, str(args.time), str(threads)]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * args.time + GRACE, check=False)
        note = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    except subprocess.TimeoutExpired:
        note = "did not end within its limit"
    if not os.path.exists(out):
        return {"place": None, "bound": None, "optimal": False, "found": [], "seconds": None, "failed": note[:200]}
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def run_duet(problem, instance, folder, args, threads):
    """The command as people run it. What it had found when is read from its line on a terminal, from half a second on."""
    import pty
    out = os.path.join(folder, "duet.json")
    watched, terminal = pty.openpty()
    began, found, text = time.monotonic(), [], ""
    process = subprocess.Popen([args.duet, "solve", instance, "-t", str(args.time), "-j", str(threads), "-o", out, "--json"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    while True:
        try:
            piece = os.read(watched, 4096).decode(errors="replace")
        except OSError:
            break
        text = (text + piece)[-400:]
        best = re.findall(r"best ([\d.]+)", text)
        if best:
            found.append((time.monotonic() - began, round(float(best[-1]) / float(problem.unit))))
    os.close(watched)
    code, seconds = process.wait(), time.monotonic() - began
    if code != 0:
        return {"place": None, "bound": None, "optimal": False, "found": [], "seconds": seconds, "failed": f"exit code {code}"}
    with open(out, encoding="utf-8") as file:
        solution = json.load(file, parse_float=str, parse_int=str)
    exact = problem.ticks_of
    number = {name: j for j, name in enumerate(problem.names)}
    place = [None] * problem.tasks
    for run in solution["schedule"]:
        used = [p for a, b in run["processors"] for p in range(int(a), int(b) + 1)] if "processors" in run else [int(run["processor"])]
        place[number[run["task"]]] = (problem.types.index(run["type"]), used if problem.moldable else used[0], exact(run["start"]))
    return {"place": place, "bound": exact(solution["lower_bound"]), "optimal": solution["status"] == "optimal", "found": found, "seconds": seconds}


# ---- judging

def judge(problem, answer, instance, folder, args):
    """The makespan of a schedule that `duet verify` accepts; what is wrong otherwise."""
    if not answer.get("place"):
        return None, ""
    path = os.path.join(folder, "schedule.json")
    try:
        problem.write_schedule(answer["place"], path)
    except (TypeError, ValueError) as fault:
        return None, f"no schedule: {fault}"
    done = subprocess.run([args.duet, "verify", instance, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if "ok" not in line] or ["refused"]
        return None, lines[0][:160]
    return problem.makespan(answer["place"]), ""


def first(found, limit):
    """When a schedule of at most `limit` was there."""
    return next((seconds for seconds, value in found if value <= limit), None)


def rows_of(case, problem, answers, args):
    """The rows of an instance, when all peers have answered."""
    judged = {key: answer["makespan"] for key, answer in answers.items() if answer["makespan"] is not None}
    best = min(judged.values(), default=None)
    bounds = [a["bound"] for a in answers.values() if a.get("bound") is not None and (best is None or a["bound"] <= best)]
    known = best is not None and best in bounds
    for (peer, threads), answer in answers.items():
        makespan, bound, fault = answer["makespan"], answer.get("bound"), answer["fault"]
        if best is not None and bound is not None and bound > best:
            fault = f"its bound {problem.text(bound)} is above a valid schedule of {problem.text(best)}"
        proven = answer.get("optimal", False) and makespan is not None and not fault
        reached = answer.get("found", []) + ([(answer["seconds"], makespan)] if makespan is not None else [])
        reached = [(s, v) for s, v in reached if makespan is not None and v >= makespan]
        yield {"set": case.group, "instance": case.name, "tasks": problem.tasks, "kinds": len(problem.kinds()), "edges": len(problem.edges),
               "platform": "+".join(f"{c} {t}" for t, c in zip(problem.types, problem.counts)), "peer": peer, "threads": threads,
               "status": "unable" if "unable" in answer else "fault" if fault else "optimal" if proven else "none" if makespan is None else "open",
               "makespan": makespan and problem.text(makespan), "bound": bound is not None and problem.text(bound) or None,
               "best": best and problem.text(best), "optimum_known": "yes" if known else "no",
               "above_best_percent": None if makespan is None or not best else round(100 * (makespan - best) / best, 4),
               "gap_percent": None if makespan is None or not bound or fault else round(100 * (makespan - bound) / bound, 4),
               "seconds": answer.get("seconds") and round(answer["seconds"], 3),
               "to_1_percent": best and first(reached, best * 1.01), "to_optimum": first(reached, best) if known else None,
               "note": answer.get("unable") or fault or answer.get("failed", ""), "version": answer["version"],
               "limit": answer.get("limit", args.time), "cores": answer.get("cores", os.cpu_count())}


def kept(row, problem):
    """The answer that a row of --resume stands for. Of when its schedules were there, a row knows two points."""
    ticks = {c: int(decimal.Decimal(row[c]) / problem.unit) if row[c] else None for c in ("makespan", "bound", "best")}
    marks = ((row["to_1_percent"], ticks["best"] and ticks["best"] * 101 // 100), (row["to_optimum"], ticks["best"]))
    found = [(at, max(limit, ticks["makespan"])) for at, limit in marks if at is not None and ticks["makespan"] is not None]
    answer = {**ticks, "optimal": row["status"] == "optimal", "found": found, "seconds": row["seconds"], "version": row["version"],
              "fault": row["note"] if row["status"] == "fault" else "", "failed": row["note"], "limit": row["limit"], "cores": row["cores"]}
    return {**answer, "unable": row["note"]} if row["status"] == "unable" else answer


class Unmade(Exception):
    """An instance that cannot be made: the others are run all the same."""


def run_case(case, peers, folder, args, rows):
    """All rows of an instance: those that were there, and those of the runs that are asked for beside them."""
    there = {(row["peer"], row["threads"]): row for row in rows}
    if all((peer, threads) in there for peer in peers for threads in args.threads):
        return rows
    instance = os.path.join(folder, "instance.json")
    made = subprocess.run([args.duet, *case.words, "-o", instance], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Unmade(f"{case.name}: {(made.stderr.strip().splitlines() or ['exit code %d' % made.returncode])[-1]}")
    if case.waits:
        add_waits(instance, case.waits)
    problem = Problem(instance)
    answers = {key: kept(row, problem) for key, row in there.items()}
    for threads in args.threads:
        for peer, version_of in peers.items():
            if (peer, threads) in there:
                continue
            if args.progress:
                print(f"\r{case.name}: {peer}, {threads} threads\033[K", end="", file=sys.stderr, flush=True)
            answer = run_duet(problem, instance, folder, args, threads) if peer == "duet" else run_peer(peer, instance, folder, args, threads)
            answer["makespan"], answer["fault"] = judge(problem, answer, instance, folder, args)
            answer["version"] = version_of
            answers[peer, threads] = answer
    order = sorted(answers, key=lambda key: (key[1], list(PEERS).index(key[0])))
    return list(rows_of(case, problem, {key: answers[key] for key in order}, args))


# ---- the command

def arguments():
    parser = argparse.ArgumentParser(prog="duet bench peers", allow_abbrev=False)
    parser.add_argument("--duet", required=True)
    parser.add_argument("--csv")
    parser.add_argument("--from", dest="rows")
    parser.add_argument("--resume")
    parser.add_argument("--markdown")
    parser.add_argument("--chart")
    parser.add_argument("--data")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--sets", default="")
    parser.add_argument("-t", "--time", type=float, default=5)
    parser.add_argument("-j", "--threads", default="1")
    parser.add_argument("-q", "--quiet", action="store_true")
    args = parser.parse_args()
    args.progress = not args.quiet and sys.stderr.isatty()
    try:
        args.threads = [os.cpu_count() if word == "all" else int(word) for word in args.threads.split(",")]
    except ValueError:
        refuse(f"-j: expected numbers and all, got '{args.threads}'")
    if min(args.threads) < 1 or not 0 < args.time <= 86400:
        refuse("-t, -j: expected more than 0")
    return args


def refuse(text):
    print(f"duet: bench peers: {text}", file=sys.stderr)
    sys.exit(REFUSED)


def chosen(args):
    """The peers that are there; those asked for by name must be."""
    asked = args.peers.split(",")
    for name in asked:
        if name not in PEERS:
            refuse(f"--peers: unknown '{name}': expected some of {', '.join(PEERS)}")
    versions = {name: version(PEERS[name][2], args.duet) for name in asked}
    missing = [name for name in asked if versions[name] is None]
    if missing and len(asked) < len(PEERS):
        refuse(f"{', '.join(missing)} not found: expected what bench/peers/requirements.txt lists (pip install -r {HERE}/requirements.txt), "
               "and cbc and glpsol in the PATH")
    if missing and not args.quiet:
        print(f"duet: note: left out, not found: {', '.join(missing)} (pip install -r {HERE}/requirements.txt)", file=sys.stderr)
    return {name: versions[name] for name in asked if versions[name] is not None}


def main():
    args = arguments()
    if args.rows:
        show(table.read_csv(args.rows), args)
    peers = chosen(args)
    folder = tempfile.TemporaryDirectory(prefix="duet-peers-")
    found = cases(HERE, args.data, args.sets, folder.name)
    if not found:
        refuse("--sets: nothing of that name; expected some of " + ", ".join(sorted({case.group for case in cases(HERE, args.data, "", folder.name)})))
    interrupted, unmade = False, []
    done = {}  # Rows by instance: those of --resume all stay, whatever is run now.
    for row in table.read_csv(args.resume) if args.resume else ():
        done.setdefault((row["set"], row["instance"]), []).append(row)
    with folder:
        try:
            for case in found:
                key = case.group, case.name
                try:
                    done[key] = run_case(case, peers, folder.name, args, done.get(key, []))
                except Unmade as fault:
                    unmade.append(str(fault))
                    continue
                if args.csv:
                    table.write_csv(args.csv, in_order(done))
        except KeyboardInterrupt:
            interrupted = True
    if args.progress:
        print("\r\033[K", end="", file=sys.stderr)
    for fault in unmade:
        print(f"duet: bench peers: left out: {fault}", file=sys.stderr)
    show(in_order(done), args, interrupted, bool(unmade))


def in_order(done):
    """All rows, those of a set beside each other."""
    sets = list(dict.fromkeys(group for group, _ in done))
    return [row for group in sets for key, rows in done.items() if key[0] == group for row in rows]


def show(rows, args, interrupted=False, unmade=False):
    """Writes and prints what was asked for; ends with 1 where Duet is at fault, or an instance could not be made."""
    if not rows:
        refuse("no run ended")
    setting = table.setting_of(rows, {name: peer[3] for name, peer in PEERS.items()}, interrupted)
    if args.csv:
        table.write_csv(args.csv, rows)
    for page in args.markdown.split(",") if args.markdown else ():
        table.write_markdown(page, rows, setting)
    if args.chart:
        table.write(args.chart, table.chart(rows, setting))
    print(table.text(rows, setting), end="")
    sys.exit(1 if unmade or any(r["status"] == "fault" and r["peer"] == "duet" for r in rows) else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        work(sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]), int(sys.argv[6]))
    else:
        main()
