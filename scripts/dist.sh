#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/dist.sh [FOLDER]: duet-VERSION.tar.gz of the last commit, and its SHA-256. The same commit gives
# the same bytes anywhere: files in git's order with the time of the commit, no owner, no time in gzip.
set -eu -o pipefail
folder=$(cd "${1:-.}" && pwd)
cd "$(dirname "$0")/.."
version=$(awk '/^#define DUET_VERSION_(MAJOR|MINOR|PATCH) / {printf "%s%s", dot, $3; dot = "."}' \
    include/duet/version.h)
name=duet-$version
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
    echo "dist: note: what is not committed is left out" >&2
fi
part=$(mktemp "$folder/.$name.XXXXXX")
trap 'rm -f "$part"' EXIT
# One's own configuration has no say.
git -c tar.umask=0022 -c core.autocrlf=false -c core.eol=lf \
    archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$part"
chmod 644 "$part"
mv "$part" "$folder/$name.tar.gz"
cd "$folder" && sha256sum "$name.tar.gz"
