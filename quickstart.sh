#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a clone to a proven schedule of a real task set and its picture: installs what is needed, builds,
# solves the bundled Cholesky factorisation (kernel times measured on a CPU core and a GPU).
set -eu
cd "$(dirname "$0")"
. scripts/common.sh

# step NAME COMMAND...: where the command fails, that step is what is told last.
step() {
    local name=$1 code=0
    shift
    "$@" || code=$?
    [ "$code" -eq 0 ] && return 0
    printf '\nquickstart.sh: this step failed with exit code %s: %s (%s)\n' "$code" "$name" "$*" >&2
    exit "$code"
}

# Without root, or elsewhere than on Debian and Ubuntu, what is there has to do.
preset=release
# shellcheck disable=SC2086 # lists of words
if ! command -v apt-get >/dev/null || ! install_packages $build_packages $(missing_blas); then
    preset=auto
    for tool in cc cmake make; do
        command -v $tool >/dev/null && continue
        echo "$tool was not found. Needed are a C17 compiler, make and CMake 3.25 or later; CMake is also" \
            "'pip install cmake', which takes no root." >&2
        exit 1
    done
    cat <<END

Building with what is there: cmake --preset auto && cmake --build --preset auto
What that leaves out is named below as "Left out"; docs/packaging.md says what each part brings.
Everything off, whatever is there: cmake --preset minimal && cmake --build --preset minimal
END
fi
install_hook
say "building"
step configuring configure $preset -DDUET_BUILD_TESTS=OFF
step building build_briefly $preset

duet=build/$preset/bin/duet
tasks=instances/data/cholesky-10.json
say "duet solve $tasks"
step solving "$duet" solve "$tasks" -o build/schedule.json --gantt build/schedule.svg
say "duet verify $tasks build/schedule.json"
step verifying "$duet" verify "$tasks" build/schedule.json

cat <<END

The schedule is in build/schedule.json, its picture in build/schedule.svg.
The command is $duet; try
  $duet --help
  $duet compare $tasks
  ./tests/run.sh
END
