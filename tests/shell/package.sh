#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian packages: built by cpack, unpacked, and what they hold used. $1: the duet command in its build
# folder, $2: the source folder.
set -u
build=$(dirname "$(dirname "$(realpath "$1")")")
for tool in cpack dpkg-deb dpkg-shlibdeps file; do # cpack asks file which ones are programs
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
# A sanitized library needs a sanitized program: this test is for the plain builds.
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: sanitized build"
    exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
faults=0

fail() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

# Another generator's name keeps cpack from building everything once more: what is tested is built.
(cd "$build" && cpack -G DEB -D CPACK_CMAKE_GENERATOR=Ninja -B "$scratch/deb") >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; echo "FAIL cpack"; exit 1; }
version=$("$1" --version | sed -n 's/^duet \([0-9.]*\).*/\1/p')
architecture=$(dpkg --print-architecture)
root=$scratch/root

# package NAME ARCHITECTURE FILE...: unpacks it; each file, a pattern, is in it, and it is told about.
package() {
    local name=$1 deb=$scratch/deb/$1_${version}_$2.deb file text
    shift 2
    [ -e "$deb" ] || { fail "no $deb: $(ls "$scratch/deb")"; return; }
    dpkg-deb -x "$deb" "$root" || fail "$name cannot be unpacked"
    dpkg-deb -c "$deb" | awk '{print $6}' >"$scratch/files"
    text=usr/share/doc/$name
    for file in "$@" $text/copyright $text/changelog.gz; do
        grep -qE "^\./$file\$" "$scratch/files" || fail "$name has no $file"
    done
    [ "$(dpkg-deb -f "$deb" Package Version | tr '\n' ' ')" = "Package: $name Version: $version " ] ||
        fail "$name: $(dpkg-deb -f "$deb")"
    grep -q 'License: Apache-2.0' "$root/$text/copyright" || fail "$name: licence"
    if "$build/bin/duet" --version | grep -qE 'glpk|gsl'; then
        grep -q 'GNU General Public License' "$root/$text/copyright" || fail "$name: licence of the whole"
    else
        grep -q 'GNU General' "$root/$text/copyright" && fail "$name: a licence that it does not have"
    fi
}
# depends NAME PATTERN
depends() {
    dpkg-deb -f "$scratch"/deb/"$1"_*.deb Depends | grep -qE "$2" ||
        fail "$1 depends on: $(dpkg-deb -f "$scratch"/deb/"$1"_*.deb Depends)"
}

major=${version%%.*}
lib='usr/lib/([a-z0-9_-]*/)?'
package "libduet$major" "$architecture" "${lib}libduet\.so\.$major" "${lib}libduet\.so\.$version"
package duet "$architecture" usr/bin/duet usr/bin/duet-check 'usr/share/man/man1/duet\.1\.gz' \
    'usr/share/man/man1/duet-solve\.1\.gz' 'usr/share/man/man7/duet-algorithms\.7\.gz' \
    usr/share/bash-completion/completions/duet usr/share/zsh/site-functions/_duet
package libduet-dev "$architecture" 'usr/include/duet/duet\.h' "${lib}libduet\.so" \
    "${lib}pkgconfig/duet\.pc" "${lib}cmake/duet/duet-config\.cmake" 'usr/share/man/man3/libduet\.3\.gz' \
    'usr/share/doc/duet/examples/solve_arrays\.c'
package python3-duet all 'usr/lib/python3/dist-packages/duet/__init__\.py' \
    'usr/lib/python3/dist-packages/duet/py\.typed' usr/share/doc/duet/examples/walkthrough.py
package duet-doc all usr/share/doc/duet/README.md usr/share/doc/duet/docs/commands.md \
    usr/share/doc/duet/docs/images/report.png
grep -q __pycache__ "$scratch/files" && fail "python3-duet has compiled files"
depends "libduet$major" 'libc6'
depends duet 'libc6'
depends libduet-dev "libduet$major \(= $version\)"
depends python3-duet "libduet$major \(= $version\)"
[ "$(ls "$scratch"/deb/*.deb | wc -l)" -eq 5 ] || fail "packages: $(ls "$scratch/deb")"

# What was unpacked works.
libdir=$(dirname "$(find "$root" -name "libduet.so.$version")")
export LD_LIBRARY_PATH=$libdir
"$root/usr/bin/duet" --version | grep -q "^duet $version " || fail "duet --version"
printf 'id,cpu,gpu\na,4,1\nb,2,3\n' >"$scratch/tasks.csv"
"$root/usr/bin/duet" solve "$scratch/tasks.csv" -m 1 -k 1 -o "$scratch/s.json" >/dev/null &&
    "$root/usr/bin/duet" verify "$scratch/tasks.csv" "$scratch/s.json" >/dev/null || fail "duet solve, verify"
gzip -dc "$root/usr/share/man/man1/duet-solve.1.gz" | grep -q '^\.TH DUET-SOLVE 1 ' || fail "duet-solve.1"
if command -v python3 >/dev/null; then
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/usr/lib/python3/dist-packages python3 -c '
import duet, sys
assert duet.__file__.startswith(sys.argv[1]), duet.__file__
solution = duet.solve([4, 2], [1, 3], 1, 1)
assert solution.makespan == 2, solution.makespan' "$root" >"$scratch/out" 2>&1 ||
        fail "the Python module: $(cat "$scratch/out")"
    PYTHONPATH=$root/usr/lib/python3/dist-packages bash "$2/tests/support/python_examples.sh" \
        "$root/usr/share/doc/duet/examples" python3 || fail "the Python examples"
fi
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -o "$scratch/example" "$root/usr/share/doc/duet/examples/solve_arrays.c" \
    $(PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config --cflags --libs duet) &&
    "$scratch/example" | grep -q '^optimal: ' || fail "an example of the package"

# Lintian's errors are faults, but for the address that whoever passes the packages on has to give.
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --suppress-tags \
        bogus-mail-host,bogus-mail-host-in-debian-changelog "$scratch"/deb/*.deb >"$scratch/log" 2>&1 ||
        fail "lintian: $(grep '^E' "$scratch/log")"
fi
[ "$faults" -eq 0 ] && echo ok
exit $((faults > 0))
