#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks of the documentation that need nothing run but --help: links, names of files, snippets.

- A link within the repository leads to a file, its anchor to a heading.
- What is named in `backticks` like a source file is there.
- A ```c block says where it is from, "```c from PATH", and stands there: its lines in one piece, or
  in several with a line "..." between them, in that order; white space at their beginnings apart.
- A ```json block is JSON, or members of an object.
- A ```console block is run by run_docs.py, or marked "by-hand REASON"; the commands of these, and
  those of the examples of each --help, have only options that the command has.
- CITATION.cff has the version that the command has, and README.md names every algorithm and bound.
- A line of Markdown has at most 120 columns, but for tables, blocks and what cannot be broken.
- A paragraph or item of docs/theory/ has at most eight lines.
- Each term of docs/glossary.md ends with its source: a link, or a name that the page's sources explain. Each of these is used.
- Other blocks: python (run by tests/python), html, text. Indented ones are formulas.

Usage: check_docs.py DUET-COMMAND SOURCE-FOLDER
"""

import functools
import json
import os
import re
import shlex
import subprocess
import sys

LANGUAGES = {"c", "json", "console", "python", "csv", "cmake"}
SOURCE = re.compile(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.(?:c|h|py|sh|js|css|html|supp|cmake|md|in))`")
# Names in the documentation that are no files of ours.
NOT_OURS = {"heur_trivial.c"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def fenced(text):
    """The fenced blocks: (line, words behind the fence, lines without their common indentation)."""
    found, current = [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"( *)```(.*)", line)
        if match and current is None:
            current = (number, match.group(2).split(), [])
        elif match:
            found.append(current)
            current = None
        elif current is not None:
            current[2].append(line.strip())
    return found


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found, inside = set(), False
    for line in read(path).splitlines():
        inside ^= bool(re.match(r" *```", line))
        if line.startswith("#") and not inside:
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(title.replace(" ", "-"))
    return found


def check_links(path, text):
    prose = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(there):
            yield f"a link to {target}, which is not there"
        elif anchor and anchor not in anchors(there):
            yield f"a link to {target}, which has no such heading"


def check_files(path, text, files):
    names = {os.path.basename(name) for name in files}
    for name in sorted(set(SOURCE.findall(text)) - NOT_OURS):
        known = name in names if "/" not in name else any(
            file == name or file.endswith("/" + name) for file in files)
        if not known:
            yield f"`{name}` is named, which is not there"


def check_snippet(source, words, lines):
    if words[:1] != ["from"] or len(words) != 2:
        yield "a block of C that does not say where it is from"
        return
    there = "\n".join(line.strip() for line in read(os.path.join(source, words[1])).splitlines())
    at = 0
    for piece in "\n".join(lines).split("\n...\n"):
        found = there.find(piece, at)
        if found < 0:
            yield f"not in {words[1]} like that:\n{piece}"
            return
        at = found + len(piece)


def check_json(lines):
    text = "\n".join(lines).strip()
    for attempt in (text, "{" + text.rstrip(",") + "}"):
        try:
            json.loads(attempt)
            return
        except ValueError as fault:
            reason = fault
    yield f"no JSON: {reason}"


@functools.lru_cache(None)
def options(duet, *command):
    """The options of a command, as its --help has them; None where there is no such command."""
    result = subprocess.run([duet, *command, "--help"], capture_output=True, text=True)
    if result.returncode != 0:
        return None
    return set(re.findall(r"(?<![\w-])(-[A-Za-z]\b|--[a-z][a-z-]*)", result.stdout))


def check_command(duet, line):
    """Whether the calls of duet in a line have options that there are."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    calls = [[]]
    for word in lexer:
        if set(word) <= set("();<>|&"):
            calls.append([])
        else:
            calls[-1].append(word)
    for call in calls:
        if "duet" not in call or "pkg-config" in call:
            continue
        words = call[call.index("duet") + 1:]
        count = 2 if words[:1] == ["bench"] else 1
        known = options(duet, *words[:count])
        if known is None or not words:
            yield f"no such command: {line}"
            continue
        for word in words[count:]:
            option = word.split("=")[0] if word.startswith("--") else word[:2]
            if re.match(r"-[A-Za-z-]", word) and option not in known:
                yield f"{option} is no option of duet {' '.join(words[:count])}: {line}"


def joined(lines):
    """Commands of a console block, continued lines put together."""
    text = "\n".join(lines).replace("\\\n>", " ").replace("\\\n", " ")
    return [line[2:] for line in text.splitlines() if line.startswith("$ ")]


def check_block(duet, source, words, lines):
    language, rest = words[0] if words else "", words[1:]
    if language not in LANGUAGES:
        yield f"a block of an unknown language '{language}'"
    elif language == "c":
        yield from check_snippet(source, rest, lines)
    elif language == "json":
        yield from check_json(lines)
    elif rest[:1] == ["by-hand"]:
        if len(rest) == 1:
            yield "a block that is not run: expected 'by-hand REASON'"
        for command in joined(lines):
            yield from check_command(duet, command)


def check_help(duet, *command):
    """The examples of a --help."""
    text = subprocess.run([duet, *command, "--help"], capture_output=True, text=True).stdout
    # argp breaks long lines; what goes on does so at the margin.
    examples = re.search(r"(?ms)^Examples:\n(.*?)(?:^$|\Z)", text)
    for line in re.sub(r"\n(?=\S)", " ", examples.group(1) if examples else "").splitlines():
        yield from check_command(duet, line.strip())


def commands(duet):
    overview = subprocess.run([duet, "--help"], capture_output=True, text=True).stdout
    names = re.findall(r"(?m)^  ([a-z]+)  ", overview)
    bench = subprocess.run([duet, "bench", "--help"], capture_output=True, text=True).stdout
    return [(name,) for name in names] + [
        ("bench", name) for name in re.findall(r"(?m)^  ([a-z-]+)  ", bench)]


WIDTH = 120
README_LINES = 250


def check_width(text):
    """The lines of prose that are too wide; a word that is, such as a link, cannot be broken."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        inside ^= bool(re.match(r" *```", line))
        if inside or line.lstrip().startswith(("|", "```")) or len(line) <= WIDTH:
            continue
        if len(line) > WIDTH and " " in line.strip().removeprefix("- ").strip():
            yield number, f"{len(line)} columns: expected at most {WIDTH}"


PARAGRAPH = 8


def check_paragraphs(text):
    """The paragraphs and items of lists that are too long: what a reader takes in at once is short."""
    begin = lines = 0
    inside = False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        inside ^= bool(re.match(r" *```", line))
        prose = not inside and not re.match(r"\s*$|\||#|    |```", line)
        if (not prose or re.match(r" *([-*]|\d+\.) ", line)) and lines:
            if lines > PARAGRAPH:
                yield begin, f"a paragraph of {lines} lines: expected at most {PARAGRAPH}"
            lines = 0
        if prose:
            begin, lines = (begin if lines else number), lines + 1


def check_glossary(source):
    """Every term has a source that can be followed, and every source has a term."""
    text = read(os.path.join(source, "docs", "glossary.md"))
    terms, _, sources = text.partition("\n## Sources\n")
    explained = set(re.findall(r"(?m)^- \*(\w+)\*: ", sources))
    entries = re.findall(r"(?m)^- \*\*(.*?)\*\*((?:.|\n(?=  ))*)", terms)
    used, seen = set(), set()
    for term, rest in entries:
        if term in seen:
            yield f"{term} stands twice"
        seen.add(term)
        named = re.search(r"\*(\w+)\*$", rest)
        if named:
            used.add(named.group(1))
        if not (named and named.group(1) in explained) and not re.search(r"\[[^]]+\]\([^)]+\)$", rest):
            yield f"{term}: expected a source at the end, a link or a name of the sources"
    for name in sorted(explained - used):
        yield f"the source {name} is of no term"
    if len(entries) < 40:
        yield f"{len(entries)} terms: expected a glossary"


def check_citation(duet, source):
    """CITATION.cff is of this version."""
    version = subprocess.run([duet, "--version"], capture_output=True, text=True).stdout.split()[1]
    cited = re.search(r"(?m)^version: (.*)$", read(os.path.join(source, "CITATION.cff")))
    if cited is None or cited.group(1) != version:
        yield f"CITATION.cff: expected version {version}"


def check_names(duet, source):
    """README.md names every algorithm and bound."""
    readme = read(os.path.join(source, "README.md"))
    for what in ("algorithms", "bounds"):
        result = subprocess.run([duet, "list", what, "--json"], capture_output=True, text=True)
        for entry in json.loads(result.stdout):
            if f"`{entry['name']}`" not in readme:
                yield f"README.md: nothing about {entry['name']} of duet list {what}"


def listed(source):
    found = []
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in (".git", "build")]
        found += [os.path.relpath(os.path.join(folder, name), source) for name in names]
    return found


def main():
    duet, source = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    files = listed(source)
    pages = [os.path.join(source, name) for name in files if name.endswith(".md")]
    faults = []
    for path in sorted(pages):
        text = read(path)
        name = os.path.relpath(path, source)
        faults += [f"{name}: {fault}" for fault in check_links(path, text)]
        faults += [f"{name}: {fault}" for fault in check_files(path, text, files)]
        faults += [f"{name}:{number}: {fault}" for number, fault in check_width(text)]
        if name.startswith("docs/theory/"):
            faults += [f"{name}:{number}: {fault}" for number, fault in check_paragraphs(text)]
        if name == "README.md" and len(text.splitlines()) > README_LINES:
            faults.append(f"{name}: {len(text.splitlines())} lines: expected at most {README_LINES}")
        for number, words, lines in fenced(text):
            faults += [f"{name}:{number}: {fault}"
                       for fault in check_block(duet, source, words, lines)]
    faults += [f"docs/glossary.md: {fault}" for fault in check_glossary(source)]
    faults += [*check_citation(duet, source), *check_names(duet, source)]
    known = commands(duet)
    for command in known:
        page = f"duet {' '.join(command)} --help"
        faults += [f"{page}: {fault}" for fault in check_help(duet, *command)]
    for fault in faults:
        print("FAIL", fault)
    print(f"{len(pages)} pages, {len(known)} commands, {len(faults)} faults")
    return 1 if faults or not pages or len(known) < 9 else 0


sys.exit(main())
