#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The source archive: the same bytes at each making, and it builds where there is no git.
# $1: the duet command in its build folder, $2: the source folder.
set -u
build=$(dirname "$(dirname "$(realpath "$1")")")
source=$(realpath "$2")
git -C "$source" rev-parse --verify HEAD >/dev/null 2>&1 &&
    [ "$(git -C "$source" rev-parse --show-toplevel)" = "$source" ] ||
    { echo "skipped: not a git repository"; exit 77; }
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: the plain builds try it"
    exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/one" "$scratch/two"

"$source/scripts/dist.sh" "$scratch/one" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
# Another day, another place, another user's ways.
sleep 1
(umask 077 && cd / && TZ=Pacific/Auckland LC_ALL=C GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask \
    GIT_CONFIG_VALUE_0=0077 "$source/scripts/dist.sh" "$scratch/two") >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
tarball=$(cd "$scratch/one" && ls)
grep -qxE 'duet-[0-9.]+\.tar\.gz' <<<"$tarball" || { echo "FAIL the archive's name: $tarball"; exit 1; }
cmp "$scratch/one/$tarball" "$scratch/two/$tarball" || { echo "FAIL the archive differs"; exit 1; }
(cd "$scratch/two" && sha256sum "$tarball") | diff - <(tail -n 1 "$scratch/log") ||
    { echo "FAIL its checksum"; exit 1; }
[ -z "$(find "$scratch/one" "$scratch/two" -type f ! -name "$tarball")" ] || { echo "FAIL leftovers"; exit 1; }

# Built without git in the PATH, and as the minimal build is, so that ccache has it all where that was built: it is told which part of
# the paths is another.
tar xzf "$scratch/one/$tarball" -C "$scratch" || exit 1
folder=$scratch/${tarball%.tar.gz}
mkdir "$scratch/bin"
printf '#!/bin/sh\necho "git was called" >&2\nexit 1\n' >"$scratch/bin/git"
chmod +x "$scratch/bin/git"
(
    PATH=$scratch/bin:$PATH
    [ "${CCACHE_BASEDIR:-/}" = / ] || export CCACHE_BASEDIR=$folder
    cd "$folder" && cmake --preset minimal -DDUET_WERROR=ON -DDUET_BUILD_TESTS=OFF &&
        cmake --build --preset minimal --parallel 2 && cmake --install build/minimal --prefix "$scratch/prefix"
) >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAIL the archive does not build"; exit 1; }
grep -q "git was called" "$scratch/log" && { echo "FAIL the build asks git"; exit 1; }
"$scratch/prefix/bin/duet" solve "$folder/instances/data/cholesky-10.json" -t 5 | grep -q '^makespan ' ||
    { echo "FAIL the command that was built from the archive"; exit 1; }
[ -e "$scratch/prefix/share/man/man1/duet-solve.1" ] || { echo "FAIL no manual"; exit 1; }
echo ok
