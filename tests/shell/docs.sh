#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command of README.md and docs/ prints what the page says. $1: the duet command, $2: the source.
exec python3 "$2/tests/support/run_docs.py" "$1" "$2"
