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
# A proof, which the command that came along verifies; a comparison; a worst case of a rule of one's own.
instance = duet.generate("unif4", 14, 3, 1, seed=3)
proven = duet.solve(instance, algorithm="exact", options={"proof": "w.proof"})
instance.write("w.json")
proven.write("w.sol.json")
assert "certified by the proof" in duet.command("verify", "w.json", "w.sol.json", "--proof", "w.proof")
assert len(duet.compare(instance, ["heft", "exact"])) == 2
first = duet.rule(lambda task: 0 if task.time(0) is not None else 1, name="first")
assert duet.search_worst(first, k=1, evaluations=200).ratio > 1
assert duet._command.find_command().startswith(sys.argv[1])
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
licence=Apache-2.0
ldd "$build/libduet.so" | grep -qE 'libglpk|libgsl' && licence=GPL-3.0-or-later
check "its metadata say $licence" bash -c 'python3 -m zipfile -e "$1"/wheels/*.whl "$1"/opened && cat "$1"/opened/*.dist-info/METADATA | grep -qx "License-Expression: $2"' _ "$tmp" "$licence"
check "installs" "$python" -m pip install -q --target "$tmp/wheel" "$tmp"/wheels/duet_scheduling-*.whl
check "and works" works "$tmp/wheel"
check "it links neither cairo nor X11" bash -c '! ldd "$1"/duet/libduet.so.0 | grep -iE "cairo|libX|xcb"' _ "$tmp/wheel"

# In an environment of its own, without a compiler, the command is there, too.
check "an environment" "$python" -m venv --without-pip "$tmp/env"
check "takes the wheel" "$python" -m pip --python "$tmp/env/bin/python" install -q "$tmp"/wheels/duet_scheduling-*.whl
check "and has the command" bash -c '"$1/env/bin/duet" --version | grep -q "^duet [0-9]"' _ "$tmp"
python=$tmp/env/bin/python PATH=/nowhere check "all of it works there" works "$(
    "$tmp/env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"

# The archive of the source holds all that a wheel is built of.
check "python -m build makes an archive" bash -c 'cd "$1/python" && "$2" -c "import build_backend as b
print(b.build_sdist(\"$3\"))"' _ "$source" "$python" "$tmp"
check "with the source below it" bash -c 'tar tzf "$1"/duet_scheduling-*.tar.gz >list && for file in pyproject.toml \
    build_backend.py duet/_solve.py source/CMakeLists.txt source/core/heap.h source/include/duet/custom.h; do
    grep -q "^duet_scheduling-[0-9.]*/$file\$" list || exit 1; done' _ "$tmp"

# What cannot be is told.
mkdir "$tmp/alone" && cp -r "$source/python" "$tmp/alone"
check "outside of the source it says what it expected" bash -c \
    '! "$1" -m pip install -q --target "$2/none" "$2/alone/python" >"$2/out" 2>&1 && grep -q "is not Duet.s source" "$2/out"' _ "$python" "$tmp"
exit "$failed"
