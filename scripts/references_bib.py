#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/references.bib, BibTeX of the papers that docs/references.md names, of CITATION.cff for Duet itself.

With --check it writes nothing, and exits with 1 where the file is not what it would write."""
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
AUTHOR = r"(?:[A-ZÉ]\.[ -]?)+(?:van )?[^\W\d_][\w'-]+"
PAPER = re.compile(rf"(?P<authors>{AUTHOR}(?:, {AUTHOR})*)\. (?P<title>[^.*]+)\. "
                   r"(?:\*(?P<venue>[^*]+)\*|Inria (?P<number>RR-\d+))(?P<where>[^;]*?)(?P<year>\d{4})")
CONFERENCES = {"CCGrid", "Euro-Par", "HCW", "ICCS", "ICPADS", "IPDPS", "PDCAT", "PDP", "SODA"}


def plain(text):
    return re.sub(r"\W", "", unicodedata.normalize("NFKD", text)).lower()


def name(author):
    """Family name, then initials."""
    initials, family = re.fullmatch(r"((?:[A-ZÉ]\.[ -]?)+)(.+)", author).groups()
    return f"{family}, {initials.strip()}"


def entry(paper, taken):
    authors = [name(author) for author in re.findall(AUTHOR, paper["authors"])]
    stem = plain(authors[0].split(",")[0]) + paper["year"]
    key = next(k for k in (stem + end for end in ("", *"bcdef")) if k not in taken)
    taken.add(key)
    volume = re.match(r" (\d+)(?:\((\d+)\))?", paper["where"])
    fields = {"author": " and ".join(authors), "title": "{" + paper["title"] + "}", "year": paper["year"]}
    if paper["number"]:
        kind, fields["institution"], fields["number"] = "techreport", "Inria", paper["number"]
    elif paper["venue"] in CONFERENCES:
        kind, fields["booktitle"] = "inproceedings", paper["venue"]
    else:
        kind, fields["journal"] = "article", paper["venue"]
    if volume:
        fields["volume"] = volume[1]
        fields.update({"number": volume[2]} if volume[2] else {})
    return f"@{kind}{{{key},\n" + "".join(f"  {word} = {{{value}}},\n" for word, value in fields.items()) + "}\n"


def itself():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version = re.search(r"^version: (.+)$", text, re.M)[1]
    year = re.search(r"^date-released: (\d{4})", text, re.M)[1]
    return (f"@software{{duet,\n  author = {{{{The Duet maintainers}}}},\n  title = {{Duet}},\n  version = {{{version}}},\n"
            f"  year = {{{year}}},\n}}\n")


def main():
    text = " ".join((ROOT / "docs/references.md").read_text(encoding="utf-8").split())
    taken = {"duet"}
    papers = [entry(paper, taken) for paper in PAPER.finditer(text)]
    if len(papers) != len(re.findall(r"(?<![-\d.])\d{4}[,;.](?!\d)", text)):
        sys.exit("docs/references.md: expected papers as 'A. Author, B. Author. Title. *Journal* 1(2), 1999.'")
    out = "\n".join([itself(), *sorted(papers)])
    path = ROOT / "docs/references.bib"
    if "--check" in sys.argv[1:]:
        sys.exit(path.read_text(encoding="utf-8") != out and f"{path}: expected what scripts/references_bib.py writes")
    path.write_text(out, encoding="utf-8")


if __name__ == "__main__":
    main()
