# SPDX-License-Identifier: Apache-2.0
# What quickstart.sh and tests/run.sh share. Sourced, with the source folder as the working directory.

# To build, and to draw PNG and PDF; to test; to test under every compiler and sanitizer.
build_packages="gcc libc6-dev make cmake pkg-config libglpk-dev libgsl-dev libcairo2"
test_packages="libcmocka-dev libjansson-dev python3 git"
# What some tests compare with; they are skipped where it cannot be had.
optional_packages="chromium starpu-tools libstarpu-dev libsimgrid-dev libopenmpi-dev openmpi-bin doxygen
    ccache lld ninja-build groff mandoc man-db zsh dpkg-dev python3-numpy python3-pandas python3-networkx python3-matplotlib python3-pip mypy"
matrix_packages="clang libclang-rt-dev clang-format clang-tidy libomp-dev"

say() {
    printf '\n== %s\n' "$*"
}

# update_lists AS_ROOT: the lists of packages, once in a run. AS_ROOT is none or two words.
update_lists() {
    [ -z "${lists_are_new:-}" ] || return 0
    # shellcheck disable=SC2086
    $1 apt-get update -q && lists_are_new=yes
}

# Installs the named Debian packages that are missing; elsewhere names them and goes on, since the
# same libraries may be there under other names: cmake says what is really missing.
install_packages() {
    local missing="" package as_root=""
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This is not Debian or Ubuntu. Needed are the equivalents of:" $*
        return 0
    fi
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        if ! command -v sudo >/dev/null; then
            echo "Only root can install these: apt-get install$missing" >&2
            return 1
        fi
    fi
    say "installing$missing"
    if ! update_lists "$as_root"; then
        echo "This failed: ${as_root:+$as_root }apt-get update" >&2
        return 1
    fi
    # shellcheck disable=SC2086 # the names are words
    if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; then
        echo "This failed: ${as_root:+$as_root }apt-get install$missing" >&2
        return 1
    fi
}

# install_quietly AS_ROOT PACKAGE...: AS_ROOT is none or two words.
install_quietly() {
    local as_root=$1
    shift
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >/dev/null 2>&1
}

# Installs those of the named Debian packages that can be had, and never fails.
install_optional_packages() {
    local missing="" package as_root=""
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
    say "installing, for tests that are skipped without:$missing"
    if update_lists "$as_root" >/dev/null 2>&1; then
        # All at once, which is quicker; or one by one, where one of them cannot be had.
        # shellcheck disable=SC2086 # the names are words
        install_quietly "$as_root" $missing && return 0
        for package in $missing; do
            install_quietly "$as_root" "$package" || echo "$package cannot be had here"
        done
    else
        echo "they cannot be had here"
    fi
    return 0
}

# provided NAME: whether an installed package is called that or provides it.
provided() {
    dpkg-query -W -f '${Status} , ${Package}, ${Provides},\n' 2>/dev/null |
        grep '^install ok installed' | grep -qE "[ ,]$(printf %s "$1" | sed 's/[.+]/\\&/g')( \([^)]*\))?,"
}

# The packages that BLAS and LAPACK take, which `duet measure` opens: none where any flavour of both is there.
missing_blas() {
    if provided liblapack.so.3 || provided liblapack3; then
        return 0 # it needs a BLAS, which is there then
    elif provided libblas.so.3 || provided libblas3; then
        echo liblapack3
    else
        echo libopenblas0-serial
    fi
}

# In a clone has git judge the subjects of commits by scripts/commit-msg, unless there is a hook of that name, or a
# folder of the user's own hooks. The hook is a line that runs the script of the branch at hand, where it has one.
install_hook() {
    local hooks
    command -v git >/dev/null && [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || return 0
    [ -z "$(git config core.hooksPath)" ] && hooks=$(git rev-parse --git-path hooks) || return 0
    [ ! -e "$hooks/commit-msg" ] && [ ! -L "$hooks/commit-msg" ] && mkdir -p "$hooks" 2>/dev/null || return 0
    { printf '#!/bin/sh\n[ ! -x scripts/commit-msg ] || exec scripts/commit-msg "$1"\n' >"$hooks/commit-msg"; } 2>/dev/null &&
        chmod +x "$hooks/commit-msg" &&
        echo "Subjects of commits are judged from now on: $hooks/commit-msg runs scripts/commit-msg."
    return 0
}

jobs() {
    nproc 2>/dev/null || echo 2
}

# configure PRESET [CMAKE-OPTION...]: what is to be built in build/PRESET.
configure() {
    local preset=$1
    shift
    cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 ||
        { cat "build-$preset.log"; rm -f "build-$preset.log"; return 1; }
    grep '^-- Left out' "build-$preset.log" || true
    rm -f "build-$preset.log"
}

# build PRESET [BUILD-OPTION...]
build() {
    local preset=$1
    shift
    cmake --build --preset "$preset" --parallel "$(jobs)" "$@"
}

# build_briefly PRESET: a line for every tenth of it; where it fails, all that it said.
build_briefly() {
    local log="build-$1.log" tenth=0 code=0 line
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [[ $line =~ ^"failed with exit code "([0-9]+)$ ]]; then
            code=${BASH_REMATCH[1]}
        elif [[ $line =~ ^\[\ *([0-9]+)%\] ]] && ((BASH_REMATCH[1] / 10 > tenth)); then
            tenth=$((BASH_REMATCH[1] / 10))
            echo "${tenth}0 %"
        fi
    done < <(build "$1" 2>&1 || echo "failed with exit code $?")
    [ "$code" -eq 0 ] || cat "$log"
    rm -f "$log"
    return "$code"
}

# configure_and_build PRESET [CMAKE-OPTION...]
configure_and_build() {
    configure "$@" && build "$1"
}
