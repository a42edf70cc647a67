#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A laptop without root: quickstart.sh goes on with what is there and says what is lost; the build takes any part for
# missing. $1: the duet command, $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
command -v cmake >/dev/null || { echo "skipped: no cmake"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# ---- quickstart.sh, with commands of ours in front: a user, nothing installed, no sudo; a build that is done at once

mkdir bin source
for tool in bash sh dirname cat grep rm tr nproc cc make uname sed mkdir ln env; do
    ln -s "$(command -v $tool)" bin/$tool
done
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\necho "apt-get $*" >>%s/asked\nexit 100\n' "$tmp" >bin/apt-get
cat >bin/cmake <<END
#!/bin/sh
echo "cmake \$*" >>$tmp/asked
case \$1 in
--preset) echo "-- Left out: GLPK (libglpk-dev)" ;;
--build) mkdir -p build/\$3/bin && ln -sf $duet build/\$3/bin/duet ;;
esac
END
chmod +x bin/*
cp -r "$source/quickstart.sh" "$source/scripts" source/
mkdir -p source/instances/data && cp "$source/instances/data/cholesky-10.json" source/instances/data/
check "quickstart.sh without root" env PATH="$tmp/bin" ./source/quickstart.sh
check "goes on" env -C source PATH="$tmp/bin" sh -c './quickstart.sh >../out 2>&1'
check "asks for no package" bash -c '! grep apt-get asked'
check "says what only root can do" grep -q 'Only root can install these: apt-get install .*libglpk-dev' out
check "says how it goes on" grep -q 'cmake --preset auto && cmake --build --preset auto' out
check "says how without anything" grep -q 'cmake --preset minimal' out
check "says what is lost" grep -q '^-- Left out: GLPK' out
check "builds what is there" grep -q '^cmake --preset auto' asked
check "solves" grep -q '^status  *optimal' out
check "draws" grep -q '<svg' source/build/schedule.svg
check "without git: no hook" test ! -e source/.git
# Where all is there, the usual build; and in a clone the hook of commit subjects.
if command -v git >/dev/null; then
    ln -s "$(command -v git)" "$(command -v chmod)" bin/
    git init -q source
fi
printf '#!/bin/sh\necho install ok installed\n' >bin/dpkg-query
sed -i '/Left out/d' bin/cmake
rm -rf asked source/build
check "with all packages: quickstart.sh" env PATH="$tmp/bin" GIT_CONFIG_GLOBAL=/dev/null ./source/quickstart.sh
check "builds as ever" grep -q '^cmake --preset release' asked
[ ! -e bin/git ] || check "in a clone: the hook of commit subjects" test -x source/.git/hooks/commit-msg

# A step that fails is what is told last: here one that the build takes.
cp bin/cmake cmake.kept
printf '#!/bin/sh\n[ $1 != --build ] || exit 3\n' >bin/cmake
exits 3 "a build that fails" env PATH="$tmp/bin" ./source/quickstart.sh
check "a build that fails: it is told" bash -c 'tail -n 1 exits.err | grep -q "this step failed with exit code 3: building"'
cp cmake.kept bin/cmake
cp bin/apt-get apt-get.kept
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\necho 0\n' >bin/id
printf '#!/bin/sh\n[ $1 != install ]\n' >bin/apt-get
check "packages that cannot be had: quickstart.sh" env PATH="$tmp/bin" sh -c './source/quickstart.sh >out 2>&1'
check "packages that cannot be had: it is told" grep -q '^This failed: .*apt-get install .*libglpk-dev' out
cp apt-get.kept bin/apt-get
printf '#!/bin/sh\necho 1000\n' >bin/id

# Of BLAS and LAPACK any flavour will do, and what is missing is asked for.
flavour() {
    printf '#!/bin/sh\ncat <<END\n%s\nEND\n' "$1" >bin/dpkg-query
    check "${1:-nothing}: needs ${2:-nothing}" test "$(PATH=$tmp/bin bash -c '. source/scripts/common.sh; missing_blas')" = "$2"
}
there="install ok installed ,"
flavour "" libopenblas0-serial
flavour "$there libopenblas0-pthread, libblas.so.3, liblapack.so.3," ""
flavour "$there libopenblas0-openmp, libblas.so.3 (= 3.11), liblapack.so.3," ""
flavour "$there libblas3, libblas.so.3," liblapack3
flavour "$there libblis4-serial, libblas.so.3," liblapack3
flavour "$there liblapack3, liblapack.so.3," ""
flavour "deinstall ok config-files , libopenblas0-pthread, libblas.so.3, liblapack.so.3," libopenblas0-serial
flavour "$there libopenblas-common, ," libopenblas0-serial
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
rm bin/cmake
check "names what it cannot do without" bash -c \
    '! env PATH="$1/bin" ./source/quickstart.sh >out 2>&1 && grep -q "^cmake was not found. Needed are" out' _ "$tmp"

# ---- the build itself: whatever is not found is left out where that was asked for, and else an error

# configures NAME OPTION...: into a folder of its own, on a machine where no library is found.
configures() {
    cmake -S "$source" -B "$tmp/$1" -DCMAKE_FIND_ROOT_PATH="$tmp/nothing" \
        -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON "${@:2}" >"$1.log" 2>&1
}
parts=""
for part in GLPK GSL CAIRO OPENBLAS ZLIB LZMA ZSTD OPENMP MPI; do parts="$parts -DDUET_WITH_$part=AUTO"; done
# shellcheck disable=SC2086 # words
check "AUTO: configures" configures auto -DDUET_BUILD_TESTS=OFF $parts
for part in GLPK GSL; do
    check "AUTO: $part is left out, and that is told" grep -q "^-- Left out: $part (lib" auto.log
done
check "AUTO: cairo is looked for when it runs" bash -c '! grep -i "left out: cairo" auto.log'
if configures on -DDUET_BUILD_TESTS=OFF -DDUET_WITH_GLPK=OFF; then
    check "ON: what is missing is an error" false
else
    check "ON: it names the package and the option" grep -qE 'GSL was not found: install libgsl-dev and pkg-config' on.log
fi

# A fresh clone where the libraries of the tests are not: a build without them, unless they are asked for.
without_test_libraries() {
    PKG_CONFIG_LIBDIR=$tmp/nothing PKG_CONFIG_PATH='' cmake -S "$source" --preset release -B "$tmp/$1" \
        -DDUET_WITH_GLPK=AUTO -DDUET_WITH_GSL=AUTO "${@:2}" >"$1.log" 2>&1
}
check "without cmocka: configures" without_test_libraries fresh
check "without cmocka: that is told" grep -q '^-- Left out: tests (libcmocka-dev' fresh.log
check "without cmocka: no tests are built" bash -c '! cmake --build "$1" --target help | grep plain_tests' _ "$tmp/fresh"
if without_test_libraries wanted -DDUET_BUILD_TESTS=ON; then
    check "without cmocka: tests that are asked for are an error" false
else
    check "without cmocka: the error names the packages" grep -q 'libcmocka-dev' wanted.log
fi
exit "$failed"
