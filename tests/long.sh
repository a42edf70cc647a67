#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What takes too long for every commit: ./tests/long.sh [STEP...] in a source folder with build/release. Steps:
#   checkers  two checkers agree on 100,000 pairs (DUET_TEST_PAIRS and DUET_TEST_SEED change number and seed)
set -u
cd "$(dirname "$0")/.." || exit 1
duet=$PWD/build/release/bin/duet
[ -x "$duet" ] || { echo "no $duet; build it first: cmake --preset release && cmake --build build/release"; exit 1; }

step_checkers() {
    echo "two checkers agree on 100,000 pairs"
    DUET_COMMAND=$duet DUET_TEST_VERBOSE=1 DUET_TEST_PAIRS=${DUET_TEST_PAIRS:-100000} \
        python3 tests/contract/test_two_checkers.py
}

status=0
for step in "${@:-checkers}"; do
    "step_$step" || status=1
done
exit $status
