# SPDX-License-Identifier: Apache-2.0
"""Which instances `duet bench peers` runs: generated ones, two job shops, and files of public sets where --data says."""
import collections
import glob
import json
import os
import random
import tarfile

# `waits`: the instance gets releases and busy processors, drawn with that seed; 0: none.
Case = collections.namedtuple("Case", "group name words waits", defaults=[0])

GENERATED = {
    "random": ["uniform -n 40 -m 4 -k 2", "unif4 -n 60 -m 8 -k 2", "corr -n 40 -m 4 -k 2", "bimod -n 200 -m 20 -k 4",
               "mixed -n 60 -m 8 -k 4,2", "acc -n 80 -m 8 -k 2"],
    "kernels": ["chol -n 10 -m 20 -k 4", "lu -n 8 -m 9 -k 3", "qr -n 6 -m 6 -k 1 -O row=epyc-double-960",
                "chol -n 12 -m 16 -k 1 -O row=hopper-double-960"],
    "graphs": ["layered -n 60 -m 4 -k 2", "daggen -n 40 -m 4 -k 1", "series-parallel -n 40 -m 4 -k 2", "chol -n 6 -m 4 -k 2 -O edges=true",
               "layered -n 24 -m 3 -k 1 -O cost=20", "chains -n 40 -m 4 -k 0", "fork-join -n 30 -m 2 -k 1 -O speedup=2.5 -O width=6",
               "lu -n 5 -m 6 -k 2 -O edges=true", "qr -n 5 -m 6 -k 1 -O edges=true"],
    "moldable": ["tables -n 12 -m 8 -k 0", "tables -n 30 -m 16 -k 0", "tables -n 20 -m 8 -k 2", "tables -n 25 -m 12 -k 0 -O shape=any"],
}
SEED = {"fork-join": 7123}
# Words of the set `releases`: of each so many instances.
RELEASED = [("uniform -n 40 -m 4 -k 2", 5), ("mixed -n 60 -m 8 -k 4,2", 5), ("unif4 -n 60 -m 8 -k 2", 5), ("corr -n 40 -m 4 -k 2", 5),
            ("bimod -n 200 -m 20 -k 4", 4), ("chol -n 10 -m 20 -k 4", 2), ("layered -n 60 -m 4 -k 2", 5), ("daggen -n 40 -m 4 -k 1", 4),
            ("layered -n 24 -m 3 -k 1 -O cost=20", 5)]
# Files of public sets below --data, which are not this project's to give; the words are options of reading.
PUBLIC = {
    "rcmax": [("rcmax/25.txt", ""), ("rcmax/625.txt", ""), ("rcmax/325.txt", ""), ("rcmax/925.txt", "")],
    "stg": [("stg/rand0000.stg", "-m 4 -k 2 -O gpu=5"), ("stg/rand0090.stg", "-m 4 -k 2 -O gpu=5"),
            ("stg/rand0045.stg", "-m 8"), ("stg/rand0135.stg", "-m 8")],
    "measured": [("amaris/spotrf-320-10.txt", "-m 8 -k 2 -O edges=false"), ("amaris/sgetrf_nopiv-960-5.txt", "-m 4 -k 1"),
                 ("amaris/spotrf-512-5.txt", "-m 4 -k 1")],
    "workflows": [("wf/epigenomics-chameleon-hep-1seq-100k-001.json", "-m 4 -k 1 -O gpu=5"), ("wf/seismology-chameleon-100p-001.json", "-m 8")],
}
ARCHIVES = {"stg": "stg/stg-300.tar.xz"}


def generated(group):
    for text in GENERATED[group]:
        words = text.split()
        seed = SEED.get(words[0], 1)
        yield Case(group, "-".join([words[0], words[2]] + (["edges"] if "edges=true" in text else ["costs"] if "cost=" in text else [])),
                   ["generate", *words, "--seed", str(seed)])


def released():
    for text, count in RELEASED:
        words = text.split()
        for seed in range(1, count + 1):
            name = "-".join(["late", words[0], words[2], words[6].replace(",", "-"), str(seed)] + (["costs"] if "cost=" in text else []))
            yield Case("releases", name, ["generate", *words, "--seed", str(seed)], seed)


def add_waits(path, seed):
    """Gives an instance four releases, up to a third of its area, and a busy time to each fifth processor."""
    draw = random.Random(seed)
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    count = sum(entry["count"] for entry in data["platform"])
    work = sum(min(t for t in kind["times"] if t is not None) * kind.get("count", 1) for kind in data["tasks"])
    third = max(1, round(work / count / 3))
    for kind in data["tasks"]:
        kind["release"] = draw.choice([0, 0, third // 3, 2 * third // 3, third])
    for entry in data["platform"]:
        entry["busy"] = [draw.randint(1, third) if draw.random() < 0.2 else 0 for _ in range(entry["count"])]
    data.pop("claim", None)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)


def unpacked(data, path, scratch):
    """The file, from the archive ARCHIVES[folder] where it is packed."""
    name, archive = os.path.join(data, path), os.path.join(data, ARCHIVES.get(path.split("/")[0], ""))
    if os.path.exists(name) or not os.path.isfile(archive):
        return name
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.isfile() and os.path.basename(member.name) == os.path.basename(path):
                member.name = os.path.basename(path)
                packed.extract(member, scratch)
                return os.path.join(scratch, member.name)
    return name


def files(group, data, scratch):
    for path, options in PUBLIC[group]:
        name = unpacked(data, path, scratch)
        if os.path.exists(name):
            stem = os.path.splitext(os.path.basename(path))[0]
            yield Case(group, f"{group}-{stem}" if stem.isdigit() else stem, ["convert", name, *options.split()])


def cases(here, data, sets, scratch):
    """Of the groups named by `sets`, of all where it is empty."""
    found = []
    for group in GENERATED:
        found += generated(group)
    for path in sorted(glob.glob(os.path.join(here, "data", "*.txt"))):
        found.append(Case("job-shops", os.path.splitext(os.path.basename(path))[0], ["convert", path]))
    wanted = [word for word in sets.split(",") if word]
    found += [case for case in released() if case.waits == 1 or "all-releases" in wanted or case.name in wanted]
    for group in PUBLIC if data else ():
        found += files(group, data, scratch)
    return [case for case in found if not wanted or case.group in wanted or case.name in wanted or f"all-{case.group}" in wanted]
