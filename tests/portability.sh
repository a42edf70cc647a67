#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The minimal build on other processors, emulated: its unit, conformance and contract tests pass, and schedules, proofs
# and files are byte for byte those of this machine. arm64 is like most machines of today, s390x is big-endian.
#
#   tests/portability.sh [arm64|s390x]...
#
# Needs Debian's cross compilers and emulators:
#   apt-get install gcc-aarch64-linux-gnu gcc-s390x-linux-gnu qemu-user-static
# cmocka and jansson for these processors are downloaded and unpacked into build/portability; nothing is installed.
# Takes an hour or so for each. DUET_TEST_AT_MOST is how many random instances a test takes at most (20).
# DUET_TESTS=files compares files alone. Not in CI.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh
source=$PWD
here=build/portability
mkdir -p $here
export DUET_TEST_AT_MOST=${DUET_TEST_AT_MOST:-20}

# triplet ARCHITECTURE; emulator ARCHITECTURE: what names them elsewhere.
triplet() {
    case $1 in
    arm64) echo aarch64-linux-gnu ;;
    s390x) echo s390x-linux-gnu ;;
    *) echo "unknown architecture '$1': expected arm64 or s390x" >&2 && return 2 ;;
    esac
}

# unpack_libraries ARCHITECTURE ROOT: what the tests link with, out of a list of packages of its own.
unpack_libraries() {
    local lists=$2/apt package
    local -a apt=(apt-get -q -o "Dir::State=$lists" -o "Dir::Cache=$lists" -o "Dir::State::status=$lists/status"
        -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o APT::Sandbox::User=root -o Acquire::Languages=none)
    [ -e "$2/done" ] && return
    rm -rf "$2"
    mkdir -p "$lists/lists/partial" "$lists/archives/partial"
    touch "$lists/status"
    "${apt[@]}" update
    for package in libcmocka0 libcmocka-dev libjansson4 libjansson-dev; do
        (cd "$lists" && "${apt[@]}" download "$package" && dpkg-deb -x "$package"_*.deb "$2")
    done
    touch "$2/done"
}

# write_toolchain ARCHITECTURE ROOT FOLDER: a toolchain of CMake's, and the command as other programs start it.
write_toolchain() {
    local name emulator
    name=$(triplet "$1")
    emulator=$(command -v "qemu-${name%%-*}-static")
    cat >"$3/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${name%%-*})
set(CMAKE_C_COMPILER $name-gcc)
set(CMAKE_FIND_ROOT_PATH $2 /usr/$name)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR "$emulator;-L;/usr/$name")
END
    printf '#!/bin/sh\nexec %s -L %s %s "$@"\n' "$emulator" "/usr/$name" "$3/build/bin/duet" >"$3/duet"
    chmod +x "$3/duet"
}

# build_for ARCHITECTURE TARGET...
build_for() {
    local folder=$source/$here/$1 root=$source/$here/root-$1 name
    name=$(triplet "$1")
    mkdir -p "$folder"
    unpack_libraries "$1" "$root" >"$folder/packages.log" 2>&1 || { tail -n 5 "$folder/packages.log" && return 1; }
    write_toolchain "$1" "$root" "$folder"
    PKG_CONFIG_LIBDIR=$root/usr/lib/$name/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
        cmake --preset minimal -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" \
        -DDUET_BUILD_TESTS=ON '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG' >"$folder/configure.log" 2>&1 ||
        { tail -n 20 "$folder/configure.log" && return 1; }
    cmake --build "$folder/build" --parallel "$(jobs)" --target "${@:2}"
}

# write_files DUET FOLDER: what the command makes of the same questions, each in a file: instances of all families in all
# formats, schedules of all algorithms that no clock ends, bounds, proofs, verdicts, tables and pictures.
write_files() {
    rm -rf "$2" && mkdir -p "$2"
    DUET=$1 python3 tests/support/portable_files.py "$2"
}

run_tests_of() {
    local folder=$source/$here/$1 status=0
    ctest --test-dir "$folder/build" --output-on-failure --parallel "$(jobs)" --timeout 7200 -L 'unit|conformance' || status=1
    for part in contract schedules simulate; do
        if DUET_COMMAND=$folder/duet PYTHONDONTWRITEBYTECODE=1 python3 tests/contract/test_$part.py \
            >"$folder/contract-$part.log" 2>&1; then
            echo "contract.$part passed"
        else
            tail -n 40 "$folder/contract-$part.log"
            echo "contract.$part FAILED"
            status=1
        fi
    done
    return $status
}

architectures=${*:-arm64 s390x}
for tool in cmake python3 apt-get dpkg-deb; do
    command -v $tool >/dev/null || { echo "$tool was not found" >&2 && exit 2; }
done
for architecture in $architectures; do
    name=$(triplet "$architecture")
    for tool in "$name-gcc" "qemu-${name%%-*}-static"; do
        command -v "$tool" >/dev/null ||
            { echo "$tool was not found: apt-get install gcc-$name qemu-user-static" >&2 && exit 2; }
    done
done
if [ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] && command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
fi
if [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
fi

say "this machine"
cmake --preset minimal -B $here/native -DDUET_BUILD_TESTS=OFF -DDUET_WERROR=ON >$here/native.log 2>&1 || { cat $here/native.log && exit 1; }
cmake --build $here/native --parallel "$(jobs)" --target duet
write_files "$source/$here/native/bin/duet" $here/files
failed=""
for architecture in $architectures; do
    say "$architecture"
    build_for "$architecture" duet
    write_files "$source/$here/$architecture/duet" "$here/$architecture/files"
    if diff -rq $here/files "$here/$architecture/files"; then
        echo "$(find $here/files -type f | wc -l) files are the same, byte for byte"
    else
        failed="$failed $architecture:files"
    fi
    [ "${DUET_TESTS:-}" = files ] && continue
    if ! build_for "$architecture" all || ! run_tests_of "$architecture"; then
        failed="$failed $architecture:tests"
    fi
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed"
    exit 1
fi
echo "all the same: $architectures"
