#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every message that tells what to do is walked: it is provoked, and what it advises is run and works. Which messages there
are the sources say (tests/support/messages.py), so that one that is added without a walk here is a failure."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

DUET = os.environ["DUET_COMMAND"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import messages  # noqa: E402  pylint: disable=wrong-import-position

DATA = os.path.join(ROOT, "instances", "data")
KERNELS = os.path.join(DATA, "kernel-timings.csv")
RUN = os.path.join(DATA, "starpu-run.rec")
CONTRACT = os.path.join(ROOT, "tests", "contract")


def records():
    """Tasks with the models that say their times."""
    texts = []
    for name in ("starpu-tasks.rec", "starpu-models.rec"):
        with open(os.path.join(DATA, name), encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def several_types():
    """A moldable instance, and a schedule that runs a task on two types at once."""
    with open(os.path.join(CONTRACT, "refused.json"), encoding="utf-8") as file:
        return next(case for case in json.load(file) if case["clause"] == "S1 several types")


def moldable(types=1, speed=1):
    platform = [{"type": name, "count": 2, "speed": 1 + i * (speed - 1)} for i, name in enumerate(["cpu", "gpu"][:types])]
    tasks = [{"id": f"t{i}", "work": 3 + i, "alpha": 0.5} for i in range(4)]
    return json.dumps({"platform": platform, "tasks": tasks, "tick": 0.001})


FILES = {
    "jobs.csv": "id,after,cpu,gpu\na,,4,2\nb,,6,3\nc,a,5,1\nd,,8,2\ne,c,3,3\n",
    "free.csv": "id,cpu,gpu\na,4,2\nb,6,3\nc,5,1\n",
    "one.csv": "id,cpu\na,3\nb,4\n",
    "named.csv": "id,cpu,gamma\na,1,2\n",
    "release.csv": "id,cpu,release,ready\na,1,2,3\n",
    "count.csv": "id,cpu,count,copies\na,1,2,3\n",
    "deadline.csv": "id,cpu,deadline,due\na,1,2,3\n",
    "minutes.csv": "id,cpu,deadline-min\na,1,5\n",
    "cores.csv": "id,cpu,cores\na,3,1.5\n",
    "state.csv": "id,cpu,state\na,3,ok\n",
    "two.csv": "id,duration,elapsed\na,1,5\n",
    "gpus.csv": "id,time,cpus,gpus\na,3,2,1\n",
    "vcpus.csv": "id,vcpus,gpus\na,3,2\nb,4,1\n",
    "units.csv": "id,cpu_ms,gpu_s\na,3,4\n",
    "unit.csv": "id,cpu_ms\na,3\n",
    "text.csv": "id,cpu,gpu,site\na,3,2,x1\nb,4,1,x2\n",
    "sites.csv": "nr;site;cpu\n1;x;3\n",
    "no-name.csv": "id,cpu,,gpu\na,1,2,3\n",
    "only.csv": "id,release\na,3\n",
    "rank.csv": "id,priority\na,3\n",
    "three.csv": "id,cpu,gpu,npu\na,1,2,3\n",
    "turned.csv": "id,gpu,cpu\na,1,2\n",
    "edges.json": '{"tasks": [{"id": "a", "times": [1]}, {"id": "b", "times": [2]}], "edges": [{"from": "a", "to": "b", "data": 5}]}',
    "weight.json": '{"tasks": [{"id": "a", "times": [1]}, {"id": "b", "times": [2]}], "edges": [{"from": "a", "to": "b", "weight": 5}]}',
    "types.json": '{"tasks": [{"id": "a", "cpu": 1}, {"id": "b", "cpu": 2, "gpu": 3}]}',
    "rows.json": '{"xeon": {"a": 1}, "knl": {"a": 2}}',
    "batsim.json": '{"jobs": [{"id": "1", "walltime": 9, "profile": "d"}], "profiles": {"d": {"type": "delay", "delay": 4}}}',
    "nodes.json": '{"nodes": [{"id": "a"}, {"id": "b", "cpu": 3}], "links": []}',
    "flow.json": '{"workflow": {"tasks": [{"id": "a"}]}}',
    "x.dag": "JOB A a.sub\nJOB B b.sub\nPARENT A CHILD B\n",
    "x.tgff": "@TASK_GRAPH 0 {\n\tTASK t0\tTYPE 0\n\tTASK t1\tTYPE 0\n\tARC a0 FROM t0 TO t1 TYPE 0\n}\n@COMMUN 0 {\n# type quantity\n 0 100\n}\n",
    "y.tgff": "@TASK_GRAPH 0 {\n\tTASK t0\tTYPE 0\n\tTASK t1\tTYPE 0\n\tARC a0 FROM t0 TO t1 TYPE 0\n}\n@COMMUN 0 {\n# type quantity\n 0 100\n}\n"
              "@PE 0 {\n# type exec_time\n 0 3\n}\n",
    "sized.dax": '<adag><job id="a" runtime="3"><uses file="f" link="output" size="9"/></job><job id="b" runtime="4">'
                 '<uses file="f" link="input" size="9"/></job><child ref="b"><parent ref="a"/></child></adag>',
    "cost.dot": "digraph { a [cpu=1]; b [cpu=2]; a -> b [price=3] }",
    "data.dot": "digraph { a [cpu=1]; b [cpu=2]; a -> b [data=3] }",
    "bytes.dot": "digraph { a [cpu=1]; b [cpu=2]; a -> b [size_mb=3] }",
    "bytes.json": '{"tasks": [{"id": "a", "cpu": 1}, {"id": "b", "cpu": 2}], "edges": [{"from": "a", "to": "b", "bytes": 5}]}',
    "data.csv": "from,to,data\na,b,5\n",
    "weight.dot": "digraph { a [cpu=1]; b [cpu=2]; a -> b [weight=3] }",
    "own.dot": 'digraph { platform="cpu=2"; a [cpu=1]; b [cpu=2]; a -> b }',
    "bare.dot": "digraph { a -> b }",
    "x.xml": "<mxfile/>",
    "x.txt": "lonely\n",
    "x.swf": "; Version: 2.2\n; MaxProcs: 4\n\n1 0 5 3 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n",
    "x.pdf": "%PDF-1.4\n",
    "lists.txt": "3\n5\n7\n7\n6\n6\n5\n",
    "mold.json": moldable(),
    "mold2.json": moldable(2),
    "fast.json": moldable(2, 2),
    "parts.json": several_types()["instance.json"],
    "parts-sol.json": several_types()["solution.json"],
    "all.rec": records(),
    "edgy.csv": "id,count,cpu,after\na,1,1,\nb,100000,1,a\n",
    "many.csv": "id,count,cpu\na,3000000,1\n",
    "links.json": '{"nodes": [{"id": "a", "cpu": 1}, {"id": "b", "cpu": 1}], "links": [{"source": "a", "target": "b", "size": 5}]}',
    "list.json": '[{"id": "a", "cpu": 1}]',
    "words.csv": "job title,site\nx,y\n",
    "unknown.csv": "id,cpu,gpu\na,1,2\nb,3,1\n",
    "bus.json": '{"format": "duet-bus", "version": 1, "nodes": [{"name": "ram", "processors": ["cpu"]}, {"name": "gpu0", '
                '"processors": ["gpu:0"]}], "links": [{"name": "pcie"}]}',
    "kernels.csv": "machine,factorisation,precision,kernel,tile,unit,cpu,gpu\n" + "".join(
        f"{machine},cholesky,double,{kernel},64,us,{4 + i},{2 + i}\n" for machine in ("here", "there")
        for i, kernel in enumerate(("potrf", "trsm", "syrk", "gemm"))),
    "zones.csv": "id,cpu,release\na,1,2026-12-01T08:00Z\nb,2,2026-12-01 09:00\n",
    "zone.csv": "id,cpu,release\na,1,2026-12-01T08:00Z\n",
    "either.csv": "id,cpu,release\na,1,3/4/2026\n",
    "blip.json": '{"time_unit": "blip", "tasks": [{"id": "a", "cpu": 1, "release": "2026-12-01"}]}',
    "days.csv": "id,cpu,release\na,1,2026-12-01T08:00\nb,1,2026-12-01T09:00\n",
    "dues.csv": "id,cpu,deadline\na,1,2026-12-01T08:00\n",
    "started.json": '{"tasks": [{"id": "a", "cpu": 1}], "start": "2026-12-04T09:00"}',
    "ids.csv": "id,job id,cpu,after\na,1,1,\nb,2,1,1\n",
    "x.ninja": "# ninja log v5\n0\t12\t0\ta.o\tabc\n3\t9\t0\tb.o\tdef\n",
    "ends.csv": "task,type,processor,start,end\na,gpu,0,0,9\n",
    "mine.py": "x = 1\n",
    "rule.py": "import duet\n\n\n@duet.rule\ndef mine(view, task):\n    return 0\n",
}
# Made of them first.
MADE = ["convert jobs.csv -m 2 -k 1 -o jobs.json", "convert free.csv -m 2 -k 1 -o free.json",
        "solve jobs.json -a heft -o sol.json -q", "solve jobs.json -a heft -o sol.csv -q",
        "solve jobs.json -a exact -O proof=p.proof -o exact.json -q", "compare jobs.json -a heft --csv results.csv -q",
        "generate uniform -n 40 -m 4 -k 2 --seed 1 -o wide.json", "solve wide.json -a dual-4-3 -o table.json -q",
        "generate mixed -n 60 --platform cpu=4,gpu=2,gpu2=2 --seed 8 -o open.json",
        "solve open.json -a exact -t 20 -j 1 -o open-sol.json -q", "compare free.json --export lp -o x.lp", "compare free.json --export mps -o x.mps",
        "solve jobs.json -a heft --gantt x.svg -q", "report results.csv -o x.html",
        "solve jobs.json -a heft --unit s --trace x.paje --start 2026-11-27T09:00 -q", "solve mold2.json -a hcpa -o mold-sol.json -q",
        "solve days.csv -m 1 --start 2026-12-01T07:00 --unit h -o days-sol.csv -q"]
# What is run, and what its message advises: each has to work. Where the text behind `~` is, the command takes what is wrong.
WALKS = [
    # files of another kind
    ("solve sol.json", "show jobs.json sol.json"),
    ("solve sol.csv -m 1", "show jobs.json sol.csv"),
    ("report jobs.json", "solve jobs.json"),
    ("report sol.json", "show jobs.json sol.json"),
    ("solve bus.json", "simulate jobs.json -a heft --bus bus.json"),
    ("solve p.proof", "verify jobs.json exact.json --proof p.proof"),
    ("verify jobs.json results.csv", "report results.csv -o report.html"),
    ("solve " + KERNELS, "generate chol -O row=sirocco-single-960 -O timings=" + KERNELS),
    ("solve x.pdf", "list formats"), ("solve x.txt", "list formats"), ("solve x.xml -m 2", "list formats"),
    # counts of processors
    ("bound free.csv", "bound free.csv -m 1 -k 1", "bound free.csv --platform cpu=1,gpu=1"),
    ("size one.csv --deadline 9", "size one.csv --deadline 9 -m 1..3", "size one.csv --deadline 9 --platform cpu=1..3"),
    ("bound three.csv", "bound three.csv -m 1 -k 1,1", "bound three.csv --platform cpu=1,gpu=1,npu=1",
     "bound three.csv --columns cpu,gpu -m 1 -k 1"),
    ("bound three.csv -m 1", "bound three.csv --platform cpu=1,gpu=1,npu=1", "bound three.csv --columns cpu,gpu -m 1 -k 1"),
    ("bound three.csv -m 1 -k 1", "bound three.csv --platform cpu=1,gpu=1,npu=1", "bound three.csv --columns cpu,gpu -m 1 -k 1"),
    ("bound one.csv -m 1 -k 1", "bound one.csv -m 1", "bound one.csv -m 1 -k 1 -O gpu=2", "bound vcpus.csv --platform vcpus=2,gpus=1"),
    ("bound jobs.json -m 1 --platform cpu=1", "bound jobs.json --platform cpu=1"),
    ("generate chol -m 1 --platform cpu=1,gpu=1", "generate chol -n 3 --platform cpu=1,gpu=1"),
    ("solve turned.csv -m 1 -k 1", "solve turned.csv -m 1 -k 1 --columns cpu,gpu"),
    # fields
    ("convert state.csv --strict-input", "convert state.csv --strict-input -O ignore=state"),
    ("convert state.csv -O ignore=state", "convert state.csv -O ignore=state"),
    ("convert state.csv -O ignore=x", "convert state.csv -O ignore=state"),
    ("convert one.csv -O time=3", "convert one.csv"), ("convert bare.dot -O time=3", "convert bare.dot -O time=3"),
    ("convert release.csv", "convert release.csv --columns cpu,release"),
    ("convert release.csv --columns cpu", "convert release.csv --columns cpu,release"),
    ("convert count.csv", "convert count.csv --columns cpu,count=copies"),
    ("convert deadline.csv", "convert deadline.csv --columns cpu,deadline"),
    ("convert minutes.csv", "convert minutes.csv -O ignore=deadline-min", "convert minutes.csv --columns cpu,deadline=deadline-min"),
    ("convert cores.csv", "convert cores.csv -O ignore=cores", "bound cores.csv --platform cpu=1,cores=1"),
    ("convert one.csv --columns cpu=time", "convert one.csv --columns cpu"),
    ("solve two.csv -m 1 -k 1", "solve two.csv -m 1 -O ignore=elapsed", "solve two.csv -m 1 --columns cpu=elapsed",
     "solve two.csv --platform duration=1,elapsed=1"),
    ("solve gpus.csv -m 4", "solve gpus.csv -m 4 --columns cpu=time", "solve gpus.csv --platform time=1,cpus=1,gpus=1"),
    ("solve vcpus.csv -m 1 -k 1", "solve vcpus.csv --platform vcpus=1,gpus=1", "solve vcpus.csv -m 4 --columns gpus,cores=vcpus"),
    ("solve units.csv -m 1 -k 1", "solve units.csv --platform cpu_ms=1,gpu_s=1"),
    ("solve unit.csv -m 1 --unit s", "solve unit.csv --platform cpu_ms=1 --unit s"),
    ("solve units.csv -m 1 -k 1 --columns a=cpu_ms,b=gpu_s", "solve units.csv -m 1 -k 1 --columns a=cpu_ms,b=gpu_s --unit ms"),
    ("solve named.csv -m 1 -k 1", "solve named.csv --platform cpu=1,gamma=1", "solve named.csv -m 1 -O ignore=gamma"),
    ("solve named.csv -m 1 -k 1 --strict-input", "solve named.csv --platform cpu=1,gamma=1 --strict-input",
     "solve named.csv -m 1 -O ignore=gamma --strict-input"),
    ("solve text.csv -m 1 -k 1", "solve text.csv -m 1 -k 1 --columns cpu,gpu"),
    ("solve sites.csv -m 1", "solve sites.csv -m 1 --columns cpu,id=nr"),
    ("solve no-name.csv -m 1 -k 1", "solve no-name.csv -m 1 -k 1 --columns cpu,gpu"),
    ("solve only.csv -m 1", "solve only.csv -m 1 --columns cpu=release"),
    ("solve rank.csv -m 1", "solve rank.csv -m 1 --columns cpu=priority"),
    ("convert lists.txt --columns cpu", "convert lists.txt"),
    # dates, and orders by other ids
    ("convert zones.csv -m 1", "convert zones.csv -m 1 --start 2026-12-01T08:00+01:00"),
    ("convert zone.csv -m 1 --start 2026-12-01T07:00", "convert zone.csv -m 1 --start 2026-12-01T07:00:00Z"),
    ("convert either.csv -m 1", "convert either.csv -m 1 -O dates=dmy", "convert either.csv -m 1 -O dates=mdy",
     "convert either.csv -m 1 -O ignore=release"),
    ("convert blip.json -m 1", "convert blip.json -m 1 --unit h"),
    ("solve free.csv -m 1 -k 1 --busy gpu=2h", "solve free.csv -m 1 -k 1 --busy gpu=2h --unit h"),
    ("convert days.csv -m 1", "convert days.csv -m 1 --start 2026-12-01T07:00 --unit h"),
    ("convert dues.csv -m 1", "convert dues.csv -m 1 --start 2026-12-01T00:00:00"),
    ("convert dues.csv -m 1 --start 2026-12-02T00:00", "convert dues.csv -m 1 --start 2026-12-01T08:00"),
    ("convert started.json -m 1", "convert started.json -m 1 --unit h"),
    ("convert started.json -m 1 --unit h --format csv", "convert one.csv --platform cpu=1 --unit h --start 2026-12-04T09:00", "convert started.json --unit h --format json"),
    ("verify days.csv days-sol.csv -m 1 --start 2026-12-01T07:30 --unit h",
     "verify days.csv days-sol.csv -m 1 --start 2026-12-01T07:00 --unit h"),
    ("convert ids.csv -m 1", "convert ids.csv -m 1 --columns 'id=job id,cpu'"),
    ("convert x.ninja -m 1", "convert one.csv -m 1 --unit ms"),
    ("solve jobs.json -a heft --start-from ends.csv", "solve jobs.json -a heft --start-from ends.csv --now 1"),
    ("solve jobs.json -a exact -O proof=", "solve jobs.json -a exact -O proof=x.proof"),
    ("solve jobs.json -O sched=types", "solve all.rec -O sched=types --trace x.rec -t 1", "solve jobs.json"),
    # formats
    ("convert edges.json", "convert edges.json -O per-unit=1", "convert edges.json -O latency=1", "convert edges.json -O edges=false"),
    ("convert links.json", "convert links.json -O per-unit=1", "convert links.json -O latency=1"),
    ("convert list.json --columns cpu=time", "convert list.json --columns cpu"),
    ("convert words.csv", "convert sites.csv --columns cpu"),
    ("convert weight.json", "convert weight.json --columns cost=weight"),
    ("convert types.json", "convert types.json --platform cpu=1,gpu=1"),
    ("convert rows.json", "convert rows.json --platform xeon=1,knl=1", "convert rows.json --columns xeon,knl"),
    ("convert batsim.json", "convert batsim.json -O ignore=profiles"),
    ("convert nodes.json", "convert nodes.json -O time=1"),
    ("convert flow.json", "convert flow.json -O time=1"),
    ("convert x.dag", "convert x.dag -O time=1"), ("convert x.tgff", "convert x.tgff -O time=1"),
    ("convert y.tgff", "convert y.tgff -O per-unit=1", "convert y.tgff -O latency=1"),
    ("convert sized.dax", "convert sized.dax -O per-unit=1", "convert sized.dax -O latency=1"),
    ("convert sized.dax --strict-input", "convert sized.dax --strict-input -O per-unit=1", "convert sized.dax --strict-input -O ignore=size"),
    ("convert cost.dot", "convert cost.dot --columns cpu,cost=price"),
    ("convert bytes.dot", "convert bytes.dot --columns cpu,data=size_mb -O per-unit=1"),
    ("convert bytes.json", "convert bytes.json --columns cpu,data=bytes -O per-unit=1"),
    ("convert one.csv --edges data.csv", "convert one.csv --edges data.csv -O per-unit=1", "convert one.csv --edges data.csv -O latency=1"),
    ("convert data.dot", "convert data.dot -O per-unit=1", "convert data.dot -O latency=1"),
    ("convert weight.dot", "convert weight.dot --columns cpu,cost=weight"),
    ("convert own.dot --columns cpu", "convert own.dot"),
    ("convert cost.dot --columns time", "convert cost.dot --columns cpu"),
    ("convert cost.dot --columns cpu,after=x", "convert cost.dot --columns cpu"),
    ("convert bare.dot", "convert bare.dot -O time=1"),
    ("convert x.swf", "convert one.csv --unit s"),
    ("convert mold2.json -O mixed_sets=true --format csv", "convert mold2.json -O mixed_sets=false --format csv", "convert fast.json -o x.json"),
    ("convert all.rec -o x.csv", "convert all.rec --format json -o x.json", "solve all.rec --trace x.rec -t 1", "bound x.csv --platform cpu=2,cuda=2 --unit us"),
    (f"solve {RUN} -t 1", f"solve {RUN} -O merge=0 -t 1", f"bound {RUN} -b path"),
    (f"bound {RUN} -b path", f"bound {RUN} -O merge=0 -b path"),
    (f"solve {RUN} -a hlp", f"solve {RUN} -a hlp -O data=false", f"solve {RUN} -a heft -O merge=0", f"bound {RUN} -b path"),
    ("bound edgy.csv -m 4 --memory 4", "bound edgy.csv -m 4 --memory 100"),
    ("solve many.csv -m 4 -a heft --memory 16", "solve many.csv -m 4 -a heft --memory 300"),
    # families
    (f"generate chol -O timings={KERNELS}", f"generate chol -O timings={KERNELS} -O row=sirocco-single-960"),
    ("generate nothing", "list families"), ("generate", "list families"),
    # algorithms and checkers
    ("verify wide.json table.json", "verify wide.json table.json --deep"),
    ("verify wide.json table.json --strict", "verify wide.json table.json --strict --deep"),
    ("show wide.json table.json", "verify wide.json table.json --deep"),
    ("verify open.json open-sol.json", "verify jobs.json exact.json --proof p.proof", "solve jobs.json -a exact -O proof=x.proof"),
    ("solve open.json -a exact -t 20", "solve open.json -a exact -j 1 -O proof=x.proof -o x.json",
     "verify open.json open-sol.json --proof x.proof"),
    ("solve wide.json -a dual-4-3", "verify wide.json table.json --deep"),
    ("verify parts.json parts-sol.json", "verify parts.json parts-sol.json -O mixed_sets=true ~"),
    ("solve mold2.json -a cpa", "solve mold2.json -a cpa -O mixed_sets=true", "solve mold2.json -a hcpa"),
    ("compare jobs.json -a hetf", "list algorithms"),
    ("bound jobs.json -b pth", "list bounds"), ("solve jobs.json -a heft,eft", "compare jobs.json -a heft,eft", "solve jobs.json"),
    # what is given
    ("solve jobs.json --now 3", "solve jobs.json --start-from sol.json --now 3"),
    ("bound jobs.json --start-from sol.json", "bound jobs.json --start-from sol.json --now 1", "solve jobs.json --start-from sol.json"),
    ("solve jobs.json --unit s --deadline 2026-11-27T09:00", "solve jobs.json --unit s --start 2026-11-27T08:00 --deadline 2026-11-27T09:00"),
    ("solve jobs.json --unit s --start 2026-11-28T09:00 --deadline 2026-11-27T09:00",
     "solve jobs.json --unit s --start 2026-11-27T08:00Z --deadline 2026-11-27T09:00Z"),
    ("solve jobs.json --deadline 1h", "solve jobs.json --deadline 1h --unit s"),
    ("solve jobs.json --deadline soon", "solve jobs.json --deadline 1h20m --unit s",
     "solve jobs.json --unit s --start 2026-11-27T08:00 --deadline 2026-11-27T09:00"),
    ("solve jobs.json --start 2026-11-27T08:00", "solve jobs.json --start 2026-11-27T08:00 --unit s"),
    ("solve jobs.json --unit fortnight", "solve jobs.json --unit d"),
    # options
    ("solve jobs.json --xyzzy", "solve --help"), ("solve jobs.json --gantt-t", "solve jobs.json --gantt x.svg --gantt-title x --gantt-transparent"), ("solve jobs.json -Z", "solve --help"),
    ("solve jobs.json -", "solve --help"), ("solve jobs.json what else", "solve --help"),
    ("solve jobs.json --gap", "solve --help"),
    ("solve jobs.json -o x.svg", "solve jobs.json --gantt x.svg"), ("solve jobs.json -o x.rec", "solve jobs.json --unit s --trace x.paje"),
    ("solve jobs.json -o x.html", "report --solution sol.json --instance jobs.json -o x.html"),
    ("convert jobs.json -o x.svg", "solve jobs.json --gantt x.svg"), ("convert jobs.json -o x.what", "convert jobs.json --format csv -o x.what"),
    ("convert jobs.json -o x.csv", "bound x.csv --platform cpu=2,gpu=1"),
    ("solve jobs.json --size 800x600", "solve jobs.json -m 1..2 --size 800x600 --chart x.svg", "solve jobs.json --gantt x.svg --gantt-size 800x600 "
     "--gantt-title x --title y -m 1..2 ~"),
    ("size jobs.json --deadline 9 --size 800x600", "size jobs.json --deadline 9 --size 800x600 --title x --chart x.svg -m 1..2"),
    ("solve jobs.json --gantt x.svg --size 800x600", "solve jobs.json --gantt x.svg --gantt-size 800x600 --gantt-title x",
     "solve jobs.json -m 1..2 --chart x.svg --size 800x600 --title x"),
    ("solve jobs.json --gantt-dark", "solve jobs.json --gantt-dark --gantt x.svg"),
    ("jobs.json", "solve jobs.json"), ("heft", "solve jobs.json -a heft", "list algorithms heft"), ("area", "list bounds area"),
    ("gantt", "show jobs.json sol.json --gantt x.svg", "solve jobs.json --gantt x.svg"), ("", "--help", "solve jobs.json"),
    ("solve jobs.json -O proof=x.proof", "solve jobs.json -a exact -O proof=x.proof"),
    ("generate chol -n 3 -m 2 -k 1 -o y.csv", "bound y.csv --platform cpu=2,gpu=1 --unit us"),
    ("generate chol -n 3 -o y.what", "generate chol -n 3 -o y.what --format json"),
    ("solve jobs.json -a exact -O proof=- --json", "solve jobs.json -a exact -O proof=x.proof --json"),
    ("solve jobs.json --trace x.json -o x2.json", "solve jobs.json --unit s --trace x.json"),
    ("show jobs.json --summary", "show jobs.json sol.json --summary --gantt x.svg --trace x.json -o x2.csv", "show jobs.json sol.json --json",
     "solve jobs.json"),
    ("show jobs.json", "show jobs.json --unit s"), ("show jobs.json sol.json --json -o -", "show jobs.json sol.json --json -o x.csv"),
    ("solve jobs.json --price cpu=1,gpu=2", "solve jobs.json --price cpu=1,gpu=2 --unit s"),
    ("solve jobs.json --json --summary", "show jobs.json sol.json --summary --json"),
    ("solve jobs.json -m 1..2 -o x.json", "solve jobs.json -o x.json --gantt x.svg --trace x.paje --unit s --summary",
     "solve jobs.json -m 1..2 --csv x.csv", "solve jobs.json -m 1..2 --chart x.svg", "solve jobs.json -a exact -O proof=x.proof"),
    ("solve jobs.json -m 1..2 --start-from sol.json", "solve jobs.json --start-from sol.json", "solve jobs.json --fix sol.json",
     "solve jobs.json --without cpu=0"),
    ("solve jobs.json -m 1..2 --deadline 9", "size jobs.json -m 1..2 --deadline 9", "solve jobs.json --deadline 9"),
    ("solve jobs.json --chart x.svg", "solve jobs.json --gantt x.svg", "solve jobs.json -m 1..2 --chart x.svg"),
    ("solve jobs.json --csv x.csv", "solve jobs.json -o x.csv"), ("size jobs.json", "size jobs.json --deadline 9"),
    ("solve jobs.json -m 1..2 --json --csv -", "solve jobs.json -m 1..2 --json --csv x.csv"),
    # simulation
    ("simulate jobs.json", "simulate jobs.json -a heft", "simulate jobs.json --solution sol.json"),
    ("simulate jobs.json -a heft --bus bus.json --replan heft", "simulate jobs.json -a heft --bus bus.json", "simulate jobs.json -a heft --replan heft"),
    ("simulate jobs.json -a heft -o x.json", "simulate jobs.json -a heft --bus bus.json -o x.json"),
    ("simulate jobs.json -a heft --bus bus.json --noise gamma:1 --keep order", "simulate jobs.json -a heft --bus bus.json",
     "simulate jobs.json -a heft --noise gamma:1 --keep order --slow gpu:0@1=2 --fail cpu:0@1 --csv x.csv --chart x.svg"),
    ("simulate jobs.json -a heft --replan heft --keep allocation", "simulate jobs.json -a heft --replan heft --keep order"),
    ("simulate jobs.json -a heft --replan heft --fail cpu:0@1", "simulate jobs.json -a heft --fail cpu:0@1"),
    ("simulate jobs.json -a heft --json --csv -", "simulate jobs.json -a heft --json --csv x.csv"),
    ("simulate jobs.json -a heft --replan every=0", "simulate jobs.json -a heft --replan every=1"),
    ("simulate jobs.json -a heft --noise kind:x=2", "show jobs.json", "simulate jobs.json -a heft --noise kind:a=2"),
    ("solve jobs.json --without cpu=0,gpu=0 --gantt y.svg --gantt-beside sol.json",
     "solve jobs.json --fix sol.json --gantt y.svg --gantt-beside sol.json", "solve jobs.json --start-from sol.json --now 1 -q"),
    # tables and pages
    ("report", "report results.csv -o x.html", "report --solution sol.json --instance jobs.json -o x.html"),
    ("report --solution sol.json --instance jobs.json --instance jobs.json",
     "report --solution sol.json --solution exact.json --instance jobs.json --instance jobs.json -o x.html",
     "report --solution sol.json --solution exact.json --instance jobs.json -o x.html"),
    ("report free.csv", "compare free.json -a heft --csv x.csv", "report x.csv -o x.html"),
    ("compare jobs.json -a heft --solution heft=sol.json", "compare jobs.json -a heft --solution mine=sol.json"),
    ("compare jobs.json --json --csv -", "compare jobs.json -a heft --json --csv x.csv"),
    ("compare jobs.json -a exact -O proof=-", "compare jobs.json -a exact -O proof=x.proof"),
    ("compare free.json --export lp -a heft", "compare free.json --export lp", "compare free.json -a heft --csv x.csv --json"),
    ("compare free.json -a heft -o x.csv", "compare free.json --export lp -o x.lp", "compare free.json -a heft --csv x.csv"),
    ("verify jobs.json sol.json", "verify jobs.json sol.json"),
    ("list algorithms hetf", "list algorithms"), ("list algorithms -v", "list"), ("--version", "--version"), ("solve", "solve --help"),
]
# Messages that no walk meets, by a part of their text, and why.
APART = {
    "and %zu more (--csv)": "tables of more than a hundred rows",
    "certificate: a table: expected it": "verify says it in words of its own, above",
    "certificate: a knapsack: expected it": "the same of moldable tasks, tests/unit/check",
    "table takes at least": "memory that is short depends on the machine, tests/conformance",
    "more than %d states at a guess": "takes minutes, tests/unit/solvers",
    "expected a file of Python with functions": "needs the module of Python, tests/python/test_rules.py",
    "the constants of this build cannot change": "a build of another kind",
    "cannot understand '%s'": "what no table of options leads to",
    "the host's name will not do": "the name of this machine",
    "is the --gpu-file": "needs a BLAS, tests/shell/measure.sh",
    "# duet measure, %s": "a line of a file",
    "has kernel times of several machines": "needs a BLAS, tests/shell/measure.sh",
}


class Advice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.said = ""
        for name, text in FILES.items():
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for command in MADE:
            code, said = cls.run_one(command)
            assert code == 0, (command, said)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def run_one(cls, command):
        done = subprocess.run([DUET, *shlex.split(command.rstrip("~"))], cwd=cls.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120)
        return done.returncode, done.stdout.decode(errors="replace")

    def test_walks(self):
        for wrong, *rights in WALKS:
            with self.subTest(wrong=wrong):
                _, said = self.run_one(wrong)
                type(self).said += said + "\n"
                told = [line for line in said.split("\n") if line.startswith("duet: ")]
                for right in rights:
                    code, again = self.run_one(right)
                    type(self).said += again + "\n"
                    self.assertTrue(code == 0 or right.endswith("~"), f"{said}\n{right}:\n{again}")
                used = " ".join(rights)
                for line in told:  # what is advised is run, or it is what was wrong
                    for option in set(re.findall(r"(?<![-\w])(--[a-z][a-z-]*[a-z]|-O [a-z_-]+(?==))", line)):
                        self.assertTrue(option in used or option in wrong, f"{wrong}: {option} is not walked:\n{line}")
                    for command in set(re.findall(r"'duet (\w+)", line)):
                        self.assertTrue(any(right.startswith(command) for right in rights), f"{wrong}: duet {command}:\n{line}")
        literals = list(messages.messages(ROOT))
        for part in APART:
            self.assertTrue(any(part in literal for _, literal in literals), f"no message says {part!r} any more")
        met = sorted(set(self.said.split("\n")))
        left = [f"{where}: {literal!r}" for where, literal in literals
                if not messages.is_met(literal, met) and not any(part in literal for part in APART)]
        self.assertEqual(left, [], f"{len(left)} messages with advice that no walk meets:\n" + "\n".join(left))

    def test_kinds_of_files(self):
        """What Duet writes, in the place of every other kind of file: refused, and what it is is said."""
        kinds = {"jobs.json": "instance", "sol.json": "solution", "sol.csv": "solution", "p.proof": "proof", "results.csv": "results",
                 "bus.json": "bus", "x.lp": "", "x.mps": "", "x.svg": "", "x.html": "", "x.paje": "", KERNELS: "times"}
        places = [("instance", command) for command in (
            "solve {}", "size {} --deadline 9", "bound {}", "show {}", "convert {}", "simulate {} -a heft", "compare {} -a heft",
            "verify {} sol.json", "show {} sol.json", "report --instance {} --solution sol.json")]
        places += [("solution", command) for command in (
            "verify jobs.json {}", "show jobs.json {}", "simulate jobs.json --solution {}", "report --instance jobs.json --solution {} -o r.html",
            "solve jobs.json --start-from {}", "solve jobs.json --fix {}", "solve jobs.json --gantt y.svg --gantt-beside {}",
            "compare jobs.json -a heft --solution mine={}")]
        places += [("proof", "verify jobs.json exact.json --proof {}"), ("results", "report {} -o r.html"), ("edges", "bound jobs.json --edges {}"),
                   ("bus", "simulate jobs.json -a heft --bus {}"),
                   ("times", "generate chol -n 2 -O row=sirocco-single-960 -o g.json -O timings={}")]
        for file, kind in kinds.items():
            for wanted, command in places:
                if file == "x.paje" and command.startswith("show jobs.json"):
                    continue  # where traces of runs are taken
                with self.subTest(file=file, command=command):
                    code, said = self.run_one(command.format(file))
                    self.assertEqual(code, 0 if kind == wanted else 3, said)
                    if kind != wanted:
                        self.assertIn("this file is ", said)
                        self.assertIn("; expected ", said)


if __name__ == "__main__":
    unittest.main()
