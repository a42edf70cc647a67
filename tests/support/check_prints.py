# SPDX-License-Identifier: Apache-2.0
"""Holds that the command prints text by duet_cli_print() (console/print.h), which shows what a terminal would act on as
escapes. Usage: check_prints.py SOURCE_FOLDER. In cli/, console/ and bench/ no other call writes a text that is not a literal
of the program: no printf() or fprintf() with %s or %c, no fputs(), puts(), fputc() or putchar() of a variable, nothing raw."""
import re
import sys
from pathlib import Path

# Writers of a format, which have the characters in their own way: they are read when they are changed.
WRITERS = {"console/csv.c", "console/json.c", "console/print.c", "console/roff.c", "console/table.c"}
CALL = re.compile(r"(?<![\w>.])(v?f?printf|dprintf|fputs|puts|fputc|putc|putchar|fwrite|perror|psignal|write|writev)\(")
LITERAL = r'"((?:[^"\\]|\\.)*)"'
TEXT = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]*)?[sc]")


def calls_of(source):
    """Each call with its arguments: (where, name, text)."""
    source = re.sub(r"//[^\n]*", lambda comment: " " * len(comment.group()), source)
    for match in CALL.finditer(source):
        end, depth = match.end(), 1
        while depth > 0:
            literal = re.compile(LITERAL + r"|'(?:[^'\\]|\\.)'").match(source, end)
            end = literal.end() if literal else end + 1
            depth += 0 if literal else {"(": 1, ")": -1}.get(source[end - 1], 0)
        yield match.start(), match.group(1), source[match.end():end - 1].strip()


def is_own_text(name, arguments):
    """Whether all that the call writes stands in the source, but for numbers."""
    if name in ("printf", "fprintf"):
        literals = re.findall(LITERAL, arguments)
        return bool(literals) and not TEXT.search("".join(literals))
    if name in ("fputs", "puts"):
        return arguments.startswith('"')
    return name in ("fputc", "putc", "putchar") and arguments.startswith("'")


def main(root):
    faults = 0
    checked = 0
    for folder in ("cli", "console", "bench"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = path.relative_to(root).as_posix()
            source = path.read_text(encoding="utf-8")
            for at, called, arguments in calls_of(source):
                checked += 1
                # A sweep's file is written by lines, for a terminal by write_shown(); deadline.c has one text of its own.
                own = name in ("bench/run/file.c", "console/deadline.c") and called == "write"
                if name not in WRITERS and not own and not is_own_text(called, arguments):
                    line = source.count("\n", 0, at) + 1
                    print(f"FAIL {name}:{line}: {called}() writes a text: duet_cli_print() is for that")
                    faults += 1
    if checked < 100:
        print(f"FAIL only {checked} calls were found")
        faults += 1
    return faults


sys.exit(main(Path(sys.argv[1])) > 0)
