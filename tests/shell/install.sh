#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed package, shared and static, used in three ways: find_package, pkg-config, a plain cc line; and the
# exported symbols are the public ones. $1: the duet command in its build folder, $2: the source folder.
set -u
build=$(dirname "$(dirname "$(realpath "$1")")")
source=$(realpath "$2")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
faults=0

fail() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

# A sanitized library needs a sanitized program: this test is for the plain builds.
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: sanitized build"
    exit 77
fi
[ -e "$build/libduet.so" ] || { echo "skipped: a static library"; exit 77; }
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

cmake --install "$build" --prefix "$prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
libdir=$(dirname "$(find "$prefix" -name 'libduet.so' -o -name 'libduet.a' | head -n 1)")

for file in share/man/man1/duet-solve.1 share/man/man3/libduet.3 share/man/man7/duet-algorithms.7 \
    share/bash-completion/completions/duet share/zsh/site-functions/_duet \
    share/doc/duet/examples/custom_algorithm.c share/doc/duet/examples/pipeline/Snakefile \
    share/duet/schemas/instance.schema.json; do
    cat "$prefix"/$file >/dev/null || fail "$file is not installed"
done
# What is linked to on an installed page is there.
python3 - "$prefix/share/doc/duet" >"$scratch/links" <<'END' || fail "links of installed pages: $(cat "$scratch/links")"
import pathlib, re, sys
pages = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
dead = [f"{page}: {link}" for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
        if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()]
print("\n".join(dead))
assert len(pages) > 12 and not dead
END

if command -v python3 >/dev/null; then
    says_python=$(PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$libdir \
        PYTHONPATH=$prefix/lib/python3/dist-packages python3 -c 'import duet
print(duet.__file__, duet.__version__)' 2>&1)
    "$prefix/bin/duet-check" "$source/tests/invalid/base.json" "$source/tests/invalid/base-solution.json" --strict \
        >/dev/null || fail "duet-check"
    # It looks for the library in its own prefix first.
    own=$(env -u LD_LIBRARY_PATH -u DUET_LIBRARY PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH=$prefix/lib/python3/dist-packages python3 -c 'from duet import _library
print(_library.library._name)' 2>&1)
    [ "$own" = "$libdir/libduet.so.0" ] || fail "the Python module loads: $own"
    grep -q "^$prefix/.*$("$prefix/bin/duet" --version | sed -n '1s/^duet \([0-9.]*\).*/\1/p')" \
        <<<"$says_python" || fail "the Python module: $says_python"
    LD_LIBRARY_PATH=$libdir PYTHONPATH=$prefix/lib/python3/dist-packages \
        bash "$source/tests/support/python_examples.sh" "$prefix/share/doc/duet/examples" python3 ||
        fail "the Python examples"
fi

expected="duet $("$prefix/bin/duet" --version | sed -n '1s/^duet \([0-9.]*\).*/\1/p'): makespan"
run() {
    (cd "$scratch" && LD_LIBRARY_PATH=$libdir "$2") >"$scratch/out" 2>&1 || fail "$1: $(cat "$scratch/out")"
    grep -q "^$expected" "$scratch/out" || fail "$1: $(cat "$scratch/out")"
}

cmake -S "$source/tests/install" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/cmake" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail find_package; }
run find_package "$scratch/cmake/consumer"

export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -o "$scratch/with-pkg-config" "$source/tests/install/consumer.c" \
    $(pkg-config --cflags --libs duet) || fail "pkg-config"
run pkg-config "$scratch/with-pkg-config"

"$cc" -std=c17 -I "$prefix/include" -o "$scratch/plain" "$source/tests/install/consumer.c" \
    -L "$libdir" -lduet || fail "plain cc"
run "plain cc" "$scratch/plain"

# As packaging.md has it: with a run-time path nothing else tells the loader.
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -o "$scratch/rpath" "$source/tests/install/consumer.c" "-Wl,-rpath,$libdir" \
    $(pkg-config --cflags --libs duet) || fail "a run-time path"
(cd "$scratch" && env -u LD_LIBRARY_PATH ./rpath) | grep -q "^$expected" || fail "run-time path"
# StarPU's policy is loaded by its path, and finds libduet beside it.
[ ! -e "$libdir/libduet_starpu.so" ] || env -u LD_LIBRARY_PATH ldd "$libdir/libduet_starpu.so" | grep -q "libduet.so.* => $libdir/" ||
    fail "the policy of StarPU does not find libduet"

# A static library: built beside the build folder and with its options, where ccache has its objects already; alone in
# a prefix, where nothing but it is found.
static=$scratch/static
beside=$(mktemp -d -p "$(dirname "$build")") || exit 1
trap 'rm -rf "$scratch" "$beside"' EXIT
options=()
while IFS= read -r option; do
    options+=("-D$option")
done < <(grep -E '^(DUET_WITH_[A-Z]*|DUET_WERROR|CMAKE_BUILD_TYPE|CMAKE_C_COMPILER|CMAKE_C_COMPILER_LAUNCHER|CMAKE_C_FLAGS(_[A-Z]*)?):' "$build/CMakeCache.txt")
cmake -S "$source" -B "$beside" "${options[@]}" -DBUILD_SHARED_LIBS=OFF -DDUET_BUILD_TESTS=OFF >"$scratch/log" 2>&1 &&
    cmake --build "$beside" --target duet_library -j 2 >>"$scratch/log" 2>&1 &&
    cmake --install "$beside" --prefix "$static" --component dev >>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "a static library"; }
[ -n "$(find "$static" -name libduet.a)" ] || fail "libduet.a is not installed"
[ -z "$(find "$static" -name 'libduet.so*')" ] || fail "a static installation has a shared library"
staticdir=$(dirname "$(find "$static" -name libduet.a)")
# links_static NAME PROGRAM: it works, and asks the loader for no libduet.
links_static() {
    (cd "$scratch" && env -u LD_LIBRARY_PATH "$2") >"$scratch/out" 2>&1 || fail "$1: $(cat "$scratch/out")"
    grep -q "^$expected" "$scratch/out" || fail "$1: $(cat "$scratch/out")"
    ! ldd "$2" | grep -E 'libduet|cairo' || fail "$1: a shared library"
}
cmake -S "$source/tests/install" -B "$scratch/cmake-static" -DCMAKE_PREFIX_PATH="$static" -DCMAKE_C_COMPILER="$cc" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/cmake-static" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package, static"; }
links_static "find_package, static" "$scratch/cmake-static/consumer"
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -o "$scratch/static-pkg-config" "$source/tests/install/consumer.c" \
    $(PKG_CONFIG_PATH=$staticdir/pkgconfig pkg-config --static --cflags --libs duet) || fail "pkg-config --static"
links_static "pkg-config --static" "$scratch/static-pkg-config"

# The examples, built in the three ways in turn; their answers do not depend on the machine.
cmake -S "$source/examples" -B "$scratch/examples" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/examples" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "examples"; }
# shellcheck disable=SC2046
"$cc" -std=c17 -o "$scratch/examples/with-pkg-config" "$source/examples/custom_algorithm.c" \
    $(pkg-config --cflags --libs duet) || fail "custom_algorithm with pkg-config"
"$cc" -std=c17 -I "$prefix/include" -o "$scratch/examples/plain" "$source/examples/scheduler_loop.c" \
    -L "$libdir" -lduet || fail "scheduler_loop with plain cc"
says() {
    local program=$1
    shift
    LD_LIBRARY_PATH=$libdir "$scratch/examples/$program" >"$scratch/out" 2>&1 ||
        fail "$program: $(cat "$scratch/out")"
    for line; do
        grep -q -- "$line" "$scratch/out" || fail "$program: expected '$line' in: $(cat "$scratch/out")"
    done
}
says solve_arrays '^optimal: makespan 56.83 ms, at least 56.83 ms$' '^  gemm  *gpu 0 from '
for program in custom_algorithm with-pkg-config; do
    says $program '^sides  *makespan 33442,' '^sides  *factor=2  *makespan 31230,' '^exact  *makespan '
done
for program in scheduler_loop plain; do
    says $program '^364 tasks in 34 rounds' '^all rounds: [0-9.]* ms, at least [0-9.]* ms$'
done
says memory_budget '^makespan [1-9][0-9]*$' '^within 16 KiB: out of memory$'
[ "$(grep -c "$(grep -m 1 '^makespan' "$scratch/out")" "$scratch/out")" = 2 ] ||
    fail "memory_budget: with and without an allocator: $(cat "$scratch/out")"

# Every exported symbol is declared in a public header, and every declared one is exported. The
# policy of StarPU is a library of its own.
if [ -e "$libdir/libduet.so" ]; then
    nm -D --defined-only "$libdir/libduet.so" | awk '$2 ~ /[TDBR]/ {print $3}' | sort >"$scratch/exported"
    find "$prefix/include/duet" -name '*.h' ! -name starpu.h -exec cat {} + | tr '\n' ' ' | grep -oE 'DUET_API [^;]*' |
        grep -oE '\bduet_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$scratch/declared"
    diff "$scratch/declared" "$scratch/exported" >"$scratch/diff" ||
        fail "exported symbols (<: declared only, >: exported only): $(grep '^[<>]' "$scratch/diff")"
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
