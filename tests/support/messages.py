# SPDX-License-Identifier: Apache-2.0
"""The messages of the sources that give advice: string literals which name an option or a command. What tells a user to
do something has to work as it stands, and so a test walks all of them (tests/contract/test_advice.py)."""
import os
import re

FOLDERS = ("core", "instances", "check", "lp", "dp", "heuristics", "solvers", "report", "console", "cli")
# Texts that describe rather than advise: what help, manual and completion print.
APART = ("cli/completion", "cli/manual", "cli/topics", "cli/main.c:print_help")
ADVICE = re.compile(r"-O [a-z\0%]|--[a-z]|\bduet [a-z%]")
CONVERSION = re.compile(r"%[-+ 0#]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[diouxXeEfgGcsp]")


def literals(text):
    """Where each string literal of a C file begins, and its text: neighbours are one, a macro between them is NUL."""
    found = []
    begin, joined = 0, None
    tokens = re.finditer(r"""//[^\n]*|/\*.*?\*/|"((?:[^"\\]|\\.)*)"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\s+|\\\n|.""", text, re.S)
    for token in tokens:
        word = token.group()
        if word.isspace() or word.startswith(("//", "/*", "\\\n")):
            continue
        if word.startswith('"'):
            begin, joined = (token.start(), "") if joined is None else (begin, joined)
            joined += token.group(1)
        elif joined is not None and re.fullmatch(r"[A-Z][A-Z0-9_a-z]*", word) and word.upper() == word:
            joined += "\0"
        elif joined is not None:
            found.append((begin, joined))
            joined = None
    return found


def is_described(before, literal):
    """Whether this is the text of an option, a family and so on, or an example."""
    return (re.search(r"\.(text|summary|fallback|reference|preset)\s*=\s*$", before) is not None or "Examples:" in literal
            or re.search(r"DUET_OPTION_\w+,[^}]*$", before[-400:]) is not None)


def messages(root):
    """(file:line, literal) of every message with advice."""
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                file = os.path.relpath(os.path.join(path, name), root)
                if not name.endswith((".c", ".h")) or file.startswith(APART):
                    continue
                with open(os.path.join(root, file), encoding="utf-8") as stream:
                    text = stream.read()
                for at, literal in literals(text):
                    literal = literal.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\").replace("\\'", "'")
                    body = re.sub(r"^--[a-z-]+( [A-Z%]\S*)?:", "", literal)  # the option that it is about
                    if ADVICE.search(body) and not re.fullmatch(r"\s*-?-?[-a-z]+=?\s*", literal) and not is_described(
                            text[:at].rstrip(), literal):
                        yield f"{file}:{text.count(chr(10), 0, at) + 1}", literal


def is_met(literal, lines):
    """Whether one of these lines is the message, whatever stands for its conversions."""
    parts = [part.replace("%%", "%") for part in re.split(r"\0|" + CONVERSION.pattern, literal.strip("\n").split("\n")[0])]
    for line in lines:
        at = 0
        for part in parts:
            at = line.find(part, at)
            if at < 0:
                break
            at += len(part)
        else:
            return True
    return False
