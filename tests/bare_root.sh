#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Both commands of the README in a bare root of Debian, where nothing is installed: quickstart.sh and tests/run.sh, of
# the last commit.
#
#   tests/bare_root.sh [bookworm|trixie]... [-- STEP...]
#
# STEP... are steps of tests/run.sh (all that it runs by itself). The roots are made by debootstrap in $DUET_ROOTS
# (/var/tmp/duet-roots), and are used again; remove them for new ones. Needs root, debootstrap and the network. What is
# mounted for it is gone with it. Takes an hour or so for each. Not in CI.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
roots=${DUET_ROOTS:-/var/tmp/duet-roots}
mirror=${DUET_MIRROR:-http://deb.debian.org/debian}

suites=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    suites+=("$1")
    shift
done
[ $# -eq 0 ] || shift
steps=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)

for tool in debootstrap unshare chroot git; do
    command -v $tool >/dev/null || { echo "$tool was not found" >&2 && exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo "only root can make a root" >&2 && exit 2; }

# make_root SUITE: as debootstrap makes it, and the source in /src.
make_root() {
    local root=$roots/$1
    if [ ! -e "$root/made" ]; then
        rm -rf "$root"
        mkdir -p "$root"
        debootstrap --variant=minbase "$1" "$root" "$mirror"
        touch "$root/made"
    fi
    cp /etc/resolv.conf "$root/etc/"
    rm -rf "$root/src"
    git -c safe.directory='*' clone -q --no-hardlinks "$source" "$root/src"
}

# in_root SUITE COMMAND...: in /src of it, with a clean environment, and with processes and mounts of its own.
in_root() {
    local root=$roots/$1
    shift
    # shellcheck disable=SC2016 # expanded in there
    unshare --mount --pid --fork --kill-child bash -c '
        root=$1
        shift
        mount --make-rprivate / && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" || exit 1
        exec chroot "$root" env -i -C /src PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"
    ' in_root "$root" "$@"
}

failed=""
for suite in "${suites[@]}"; do
    make_root "$suite"
    for command in ./quickstart.sh "./tests/run.sh ${steps[*]}"; do
        echo "== $suite: $command"
        # shellcheck disable=SC2086 # words
        in_root "$suite" $command || failed="$failed $suite:${command%% *}"
    done
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed"
    exit 1
fi
echo "all passed: ${suites[*]}"
