#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python module as a wheel: pip installs it without root and without a network, and it finds the library that
# came with it. $1: the duet command in its build folder, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
build=$(dirname "$(dirname "$(realpath "$1")")")
source=$(realpath "$2")
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: sanitized build"
    exit 77
fi
[ -e "$build/libduet.so" ] || { echo "skipped: a static library"; exit 77; }
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -m pip --version >/dev/null 2>&1 || { echo "skipped: no pip"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
unset DUET_LIBRARY LD_LIBRARY_PATH PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 HOME=$tmp

# works FOLDER: the module there has the library of that folder, solves and draws.
works() {
    PYTHONPATH=$1 "$python" - "$1" <<'END'
import os
import sys
import duet
from duet import _library
assert duet.__file__.startswith(sys.argv[1]), duet.__file__
assert os.path.dirname(_library.library._name).startswith(sys.argv[1]), _library.library._name
solution = duet.solve(cpu=[33, 170, 95, 88], gpu=[15.6, 5.95, 3.65, 8.11], m=2, k=1)
assert solution.makespan == 33, solution.makespan
solution.gantt("picture.svg")
assert "<svg" in open("picture.svg").read()
if "cairo" in duet.features():
    solution.gantt("picture.png")
    assert open("picture.png", "rb").read(4) == b"\x89PNG"
END
}

# From the source alone. Built beside the build folder and with its flags, where ccache has it all already.
before=$(cd "$source" && git status --porcelain 2>/dev/null)
check "pip install ./python" env TMPDIR="$(dirname "$build")" "$python" -m pip install -q --target "$tmp/built" \
    "$source/python" -C cmake-args="-DDUET_WERROR=ON"
check "the module that was built works" works "$tmp/built"
check "nothing is left in the source" test "$before" = "$(cd "$source" && git status --porcelain 2>/dev/null)"

# A library that is there.
check "a wheel with a library of ours" "$python" -m pip wheel -q --no-deps -w "$tmp/wheels" "$source/python" \
    -C library="$build/libduet.so"
check "the same wheel again" "$python" -m pip wheel -q --no-deps -w "$tmp/again" "$source/python" \
    -C library="$build/libduet.so"
check "is the same bytes" cmp "$tmp"/wheels/*.whl "$tmp"/again/*.whl
check "installs" "$python" -m pip install -q --target "$tmp/wheel" "$tmp"/wheels/duet_scheduling-*.whl
check "and works" works "$tmp/wheel"
check "it links neither cairo nor X11" bash -c '! ldd "$1"/duet/libduet.so.0 | grep -iE "cairo|libX|xcb"' _ "$tmp/wheel"

# What cannot be is told.
mkdir "$tmp/alone" && cp -r "$source/python" "$tmp/alone"
check "outside of the source it says what it expected" bash -c \
    '! "$1" -m pip install -q --target "$2/none" "$2/alone/python" >"$2/out" 2>&1 && grep -q "is not Duet.s source" "$2/out"' _ "$python" "$tmp"
exit "$failed"
