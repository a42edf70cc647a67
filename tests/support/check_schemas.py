# SPDX-License-Identifier: Apache-2.0
"""The JSON schemas of docs/schemas/ hold for every kept file that Duet reads, and for what it writes.

$1: the duet command, $2: the source folder. A file of Duet's own format that Duet reads must be valid; one that Duet
refuses need not be refused by a schema, which knows no sums and no names, but those of REFUSED must be.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
from referencing import Registry, Resource

DUET, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
NAMES = ("instance", "solution", "certificate")
# Malformed files of tests/invalid/ that a schema alone can tell.
REFUSED = {"instance": ["array", "count-0", "count-fraction", "count-negative", "count-text", "edges-negative", "edges-object",
                        "empty-id", "empty-type", "format-number", "fractional-processors", "claim-algorithm-number",
                        "claim-no-optimum", "moldable-alpha", "moldable-zero", "name-number",
                        "negative-processors", "platform-no-type", "platform-number"],
           "solution": ["s-aborted-no-end", "s-entry-number"]}
# What is written: independent tasks, task graphs with and without costs, moldable tasks, each with some rows.
WRITTEN = [("uniform -n 9 -m 2 -k 1", "lpt dual-4-3 heteroprio exact"), ("chol -n 4 -m 2 -k 1 -O edges=true", "heft exact"),
           ("layered -n 12 -m 2 -k 1 -O cost=5", "heft graph-search"), ("amdahl -n 6 -m 4 -k 2", "auto moldable-hybrid"),
           ("tables -n 6 -m 4 -k 2", "auto"), ("mixed -n 9", "exact"), ("worst-eft -m 4 -k 1", "eft")]
faults = []


def check(ok, what):
    if not ok:
        faults.append(what)


def run(*words):
    return subprocess.run([DUET, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, check=False)


def once(pairs):
    """Objects of which no member comes twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a member twice")
    return made


def load(text):
    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, UnicodeDecodeError):
        return None


schemas = {name: json.loads((SOURCE / f"docs/schemas/{name}.schema.json").read_text()) for name in NAMES}
registry = Registry().with_resources([(s["$id"], Resource.from_contents(s)) for s in schemas.values()])
validators = {}
for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[name] = jsonschema.Draft202012Validator(schema, registry=registry)


def valid(name, value, what):
    error = jsonschema.exceptions.best_match(validators[name].iter_errors(value))
    check(error is None, error and f"{what} is no {name}: {error.json_path}: {error.message[:200]}")
    if name == "solution" and isinstance(value, dict) and "certificate" in value:
        valid("certificate", value["certificate"], what)


def kept_files():
    """Kept instances and solutions of Duet's own format, as (kind, text, where); what Duet makes of them is asked later."""
    for folder in ("instances/data", "tests/regression", "tests/invalid", "tests/fuzz/corpus/instance", "tests/fuzz/corpus/graph",
                   "tests/fuzz/corpus/moldable"):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.is_file():
                yield path.read_bytes(), path.relative_to(SOURCE)
    for file in ("agreed", "refused"):
        for number, case in enumerate(json.loads((SOURCE / f"tests/contract/{file}.json").read_text())):
            for name, text in case.items():
                if name.endswith(".json") and case.get("code", 0) == 0:
                    yield text.encode(), f"{file}.json, case {number}, {name}"


def is_read(text, folder):
    path = folder / "kept.json"
    path.write_bytes(text)
    return run("convert", path, "-q", "-o", folder / "out.json").returncode == 0


def check_kept(folder):
    counts = {"instance": 0, "solution": 0}
    for text, where in kept_files():
        value = load(text)
        form = value.get("format") if isinstance(value, dict) else None
        if form == "duet-instance" and is_read(text, folder):
            counts["instance"] += 1
            valid("instance", value, where)
        elif form == "duet-solution" and ("regression" in str(where) or "agreed" in str(where)):
            counts["solution"] += 1
            valid("solution", value, where)
    check(counts["instance"] >= 60 and counts["solution"] >= 4, f"kept files are found: {counts}")
    return counts


def check_refused():
    for kind, names in REFUSED.items():
        for name in names:
            value = load((SOURCE / f"tests/invalid/{name}.json").read_bytes())
            check(value is not None and not validators[kind].is_valid(value), f"the schema of {kind} takes {name}.json")


def check_written(folder):
    for family, rows in WRITTEN:
        instance = folder / "instance.json"
        check(run("generate", *family.split(), "--seed", 3, "-o", instance).returncode == 0, f"generate {family}")
        valid("instance", load(instance.read_bytes()), family)
        for row in rows.split():
            out = run("solve", instance, "-a", row, "-t", 2, "-q", "-o", folder / "solution.json")
            check(out.returncode == 0, f"{family}: {row}: {out.stderr.decode()[:200]}")
            if out.returncode == 0:
                valid("solution", load((folder / "solution.json").read_bytes()), f"{family} by {row}")


with tempfile.TemporaryDirectory() as name:
    found = check_kept(pathlib.Path(name))
    check_refused()
    check_written(pathlib.Path(name))
print("\n".join(f"FAIL {fault}" for fault in faults) or f"ok: kept files {found}, {len(WRITTEN)} families written")
sys.exit(1 if faults else 0)
