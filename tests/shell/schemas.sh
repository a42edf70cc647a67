#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The JSON schemas of docs/schemas/ hold for every kept file and for what the command writes. Skipped without Python's
# jsonschema (Debian: python3-jsonschema). $1: the duet command, $2: the source folder.
set -u
for python in python3 /usr/bin/python3; do
    "$python" -c 'from jsonschema import Draft202012Validator; import referencing' 2>/dev/null || continue
    exec "$python" "$2/tests/support/check_schemas.py" "$1" "$2"
done
echo "skipped: no Python with jsonschema 4.18 or later"
exit 77
