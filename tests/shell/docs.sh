#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of README.md and docs/ prints what the page says; links, names of files and snippets are
# right, and the BibTeX is of the page with references. $1: the duet command, $2: the source.
python3 "$2/scripts/references_bib.py" --check || exit 1
python3 "$2/tests/support/check_docs.py" "$1" "$2" || exit 1
exec python3 "$2/tests/support/run_docs.py" "$1" "$2"
