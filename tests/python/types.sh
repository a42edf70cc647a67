#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The type hints of the Python module and its examples hold by `mypy --strict`, where that is installed.
# $1: the source folder, $2: Python, $3: a folder for what mypy keeps.
set -u
"$2" -c 'import mypy, numpy' 2>/dev/null || { echo "skipped: no mypy with NumPy"; exit 77; }
cd "$1/python" || exit 1
# The module alone holds as it is; what the examples import may have no type hints.
"$2" -m mypy --strict --cache-dir "$3" duet || exit 1
"$2" -m mypy --strict --ignore-missing-imports --cache-dir "$3" \
    ../examples/python_solve.py ../examples/walkthrough.py ../examples/notebook.py || exit 1

# A script with one wrong argument in each line but those that say "good": each is found.
MYPYPATH=. "$2" -m mypy --strict --cache-dir "$3" ../tests/python/wrong_arguments.py >"$3/wrong"
sed -n 's/^[^:]*wrong_arguments.py:\([0-9]*\): error:.*/\1/p' "$3/wrong" | sort -nu >"$3/found"
grep -nE '^[a-z].*# wrong' ../tests/python/wrong_arguments.py | cut -d: -f1 >"$3/expected"
diff "$3/expected" "$3/found" && echo ok
