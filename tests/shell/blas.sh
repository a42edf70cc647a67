#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The built command under every flavour of BLAS that Debian has, none of which it was built with: libblas.so.3 and
# liblapack.so.3 of each in front, two that do not fit together, and none. Only `duet measure` looks at them, with one
# thread. Flavours that cannot be downloaded are skipped. $1: the duet command, $2: the source folder, $3: a folder
# where packages are kept.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
source=$(realpath "$2")
mkdir -p "$3/blas"
packages=$(realpath "$3/blas")
tmp=$(mktemp -d)
measured=
trap 'kill $measured 2>/dev/null; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
tasks=$source/instances/data/cholesky-10.json
features=$("$duet" --version)
short=(measure --tile 8 --repeats 1 --warmup 0 --machine here --json -o here.csv)

# with FOLDERS COMMAND...: with libraries of these folders in front.
with() {
    LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "${@:2}"
}

# one_line TEXT: what exits() has run said one line with that text.
one_line() {
    [ "$(wc -l <exits.err)" -eq 1 ] && grep -qF -- "$1" exits.err
}

# ---- no flavour at all: files that are no libraries stand in for it

mkdir none
touch none/libblas.so.3 none/liblapack.so.3 none/libopenblas.so.0
exits 0 "without BLAS: solve" with "$PWD/none" "$duet" solve "$tasks" -a heft -o none.csv
exits 0 "without BLAS: verify" with "$PWD/none" "$duet" verify "$tasks" none.csv
exits 2 "without BLAS: measure" with "$PWD/none" "$duet" "${short[@]}"
case $features in
*openblas*) check "without BLAS: says what is missing" one_line "expected libblas.so.3 and liblapack.so.3" ;;
*)
    check "a build that does not measure says so" one_line "this build has no OpenBLAS"
    exit $failed
    ;;
esac

# ---- the flavours, as their packages have them

# unpack PACKAGE: into $packages/PACKAGE, if it can be had; never beside those that the system has.
unpack() {
    [ -d "$packages/$1" ] && return 0
    mkdir -p download && rm -f download/*.deb
    (cd download && timeout 120 apt-get download -q -o APT::Sandbox::User=root -o Acquire::Retries=0 \
        -o Acquire::http::Timeout=10 "$1") >>download.log 2>&1 &&
        dpkg-deb -x download/*.deb "$tmp/unpacked" >>download.log 2>&1 &&
        mv "$tmp/unpacked" "$packages/$1" 2>>download.log
}

# folder PACKAGE FILE: where the package has it.
folder() {
    local file
    file=$(find "$packages/$1" -name "$2" 2>/dev/null | head -n 1)
    [ -n "$file" ] && dirname "$file"
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "skipped: no apt-get and dpkg-deb for packages of other flavours"
    [ "$failed" = 0 ] && exit 77
    exit 1
fi
# What some of them need of Fortran and OpenMP, where the system has none of it.
support=
for pair in libgfortran5:libgfortran.so.5 libquadmath0:libquadmath.so.0 libgomp1:libgomp.so.1; do
    unpack "${pair%:*}" && support=$support:$(folder "${pair%:*}" "${pair#*:}")
done

# threads PID: the most that it has had while it worked, looked at many times.
threads() {
    local most=0 now
    for _ in $(seq 200); do
        now=("/proc/$1/task/"[0-9]*)
        [ "${#now[@]}" -gt "$most" ] && most=${#now[@]}
    done
    echo "$most"
}

# Measures for long: in the place of the shell that runs it, so that this one's number is the command's.
exec_measure() {
    exec "$duet" measure --factorisation lu --tile 400 --repeats 100000 --machine here -o long.csv >long.out 2>&1 </dev/null
}

# flavour NAME FOLDERS FRAGMENT: all that the command does with it; what is measured has FRAGMENT in its name.
flavour() {
    local name=$1 folders=$2 fragment=$3
    exits 0 "$name: solve" with "$folders" "$duet" solve "$tasks" -a heft -o s.csv
    check "$name: the same schedule" cmp -s s.csv none.csv
    rm -f here.csv
    exits 0 "$name: measure" with "$folders" "$duet" "${short[@]}"
    check "$name: it is measured, not another" grep -q "\"library\": *\"[^\"]*$fragment" exits.out
    exits 0 "$name: its times make an instance" "$duet" generate qr -n 3 -O timings=here.csv -o here.json
    # Threads of its own would be there from when it is opened.
    LD_LIBRARY_PATH=$folders exec_measure &
    measured=$!
    until grep -q 'libblas\.so\|libopenblas' "/proc/$measured/maps" 2>/dev/null || ! kill -0 $measured 2>/dev/null; do
        sleep 0.01
    done
    check "$name: one thread" test "$(threads $measured)" = 1
    check "$name: measures until it is ended" kill $measured
    wait $measured 2>/dev/null
    measured=
}

tried=0
while read -r blas lapack fragment; do
    if ! unpack "$blas" || ! unpack "$lapack"; then
        echo "skipped: $blas or $lapack cannot be had here: $(tail -n 1 download.log)"
        continue
    fi
    tried=$((tried + 1))
    flavour "$blas, $lapack" "$(folder "$blas" libblas.so.3):$(folder "$lapack" liblapack.so.3)$support" "$fragment"
done <<'END'
libblas3 liblapack3 libblas3/.*liblapack3/
libopenblas0-serial libopenblas0-serial OpenBLAS
libopenblas0-pthread libopenblas0-pthread OpenBLAS
libopenblas0-openmp libopenblas0-openmp OpenBLAS
libblis4-pthread liblapack3 libblis4-pthread/.*liblapack3/
libblis4-openmp liblapack3 libblis4-openmp/.*liblapack3/
END

# ---- parts of two flavours: what once ended every command with a symbol that was not found

serial=$(folder libopenblas0-serial libopenblas.so.0)
pthread=$(folder libopenblas0-pthread libopenblas.so.0)
if [ -n "$serial" ] && [ -n "$pthread" ]; then
    mkdir mixed half
    cp "$serial/libopenblas.so.0" mixed/
    touch half/libopenblas.so.0
    for file in libblas.so.3 liblapack.so.3; do
        ln -s "$pthread/$file" mixed/
        ln -s "$pthread/$file" half/
    done
    exits 0 "a mixture: solve" with "$PWD/mixed$support" "$duet" solve "$tasks" -a heft -o mixed.json
    exits 0 "a mixture: measures OpenBLAS itself" with "$PWD/mixed$support" "$duet" "${short[@]}"
    check "a mixture: and names it" grep -q '"library": *"OpenBLAS' exits.out
    exits 0 "half a flavour: solve" with "$PWD/half$support" "$duet" solve "$tasks" -a heft -o half.json
    exits 2 "half a flavour: measure" with "$PWD/half$support" "$duet" "${short[@]}"
    check "half a flavour: one line" one_line "no BLAS and LAPACK can be opened"
fi
if [ "$tried" = 0 ] && [ "$failed" = 0 ]; then
    echo "skipped: no other flavour can be had here"
    exit 77
fi
exit $failed
