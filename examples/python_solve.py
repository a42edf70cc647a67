#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Schedules tasks from Python: those of a CSV file (header "id,cpu,gpu" or "id,count,cpu,gpu"; an
empty time means that the task cannot run there), or, without one, five stages of a video pipeline.

    python3 python_solve.py
    python3 python_solve.py tasks.csv -m 8 -k 2 -t 5 --gantt schedule.svg

The module is part of Duet: installed, or `PYTHONPATH=python DUET_LIBRARY=build/release/libduet.so`.
"""
import argparse
import sys
from typing import Dict, List, Tuple

import duet

STAGES = ["decode", "filter", "resize", "encode", "upload"]
CPU = [4.5, 12, 3, 9, 1]
GPU = [None, 1.5, 0.5, 2.25, None]  # decode and upload do not run on a GPU


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Schedule tasks on CPUs and GPUs.")
    parser.add_argument("file", nargs="?", help="a CSV file, or any other that duet solve reads")
    parser.add_argument("-m", type=int, help="CPUs")
    parser.add_argument("-k", type=int, help="GPUs")
    parser.add_argument("-a", "--algorithm", help="one of duet.algorithms(); else the best proven")
    parser.add_argument("-t", type=float, default=10, help="seconds at most")
    parser.add_argument("--gantt", help="draw the schedule: .svg, .png or .pdf")
    return parser.parse_args()


def solve(args: argparse.Namespace) -> duet.Solution:
    if args.file is None:
        m = 2 if args.m is None else args.m
        k = 1 if args.k is None else args.k
        return duet.solve(CPU, GPU, m, k, args.algorithm, ids=STAGES, time_limit=args.t)
    instance = duet.read(args.file, args.m, args.k)
    return duet.solve(instance=instance, algorithm=args.algorithm, time_limit=args.t)


def show(solution: duet.Solution) -> None:
    """What every processor does, and how good that is."""
    lanes: Dict[Tuple[str, int], List[duet.Run]] = {}
    for run in solution.schedule:
        lanes.setdefault((run.type, run.processor), []).append(run)
    for (kind, processor), runs in sorted(lanes.items()):
        runs.sort(key=lambda run: run.start)
        done = ", ".join(f"{run.task} {run.start}-{run.end}" for run in runs)
        print(f"{kind} {processor}: {done}")
    gap = "" if solution.gap is None else f", gap {float(solution.gap):.2%}"
    print(f"{solution.status}: makespan {solution.makespan}, at least {solution.lower_bound} "
          f"({solution.bound_name}, {solution.verify()}){gap}")


def main() -> int:
    args = arguments()
    try:
        solution = solve(args)
        show(solution)
        if args.gantt:
            solution.gantt(args.gantt)
            print(f"drawn: {args.gantt}")
    except duet.DuetError as fault:
        print(f"python_solve.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
