#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The proven checker agrees with the other two, where it has been built: make -C check/proven (docs/proven.md).
# $1: the duet command; $2: the source folder.
[ -x "$2/check/proven/build/duet-proven" ] || { echo "skipped: check/proven is not built"; exit 77; }
DUET_TEST_PAIRS=${DUET_TEST_PAIRS:-100} exec bash "$2/check/proven/test.sh" "$1"
