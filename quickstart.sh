#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a clone to a proven schedule of a real task set and its picture: installs what is needed, builds,
# solves the bundled Cholesky factorisation (kernel times measured on a CPU core and a GPU).
set -eu
cd "$(dirname "$0")"
. scripts/common.sh

# shellcheck disable=SC2086 # lists of words
install_packages $build_packages
say "building"
configure_and_build release -DDUET_BUILD_TESTS=OFF

duet=build/release/bin/duet
tasks=instances/data/cholesky-10.json
say "duet solve $tasks"
"$duet" solve "$tasks" -o build/schedule.json --gantt build/schedule.svg
say "duet verify $tasks build/schedule.json"
"$duet" verify "$tasks" build/schedule.json

cat <<END

The schedule is in build/schedule.json, its picture in build/schedule.svg.
The command is $duet; try
  $duet --help
  $duet compare $tasks
  ./tests/run.sh
END
