#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Duet's scheduling policy against StarPU's own, on machines that StarPU simulates with SimGrid: sirocco (20 CPUs, 4 K40) and
# mirage (9 CPUs, 3 M2070), whose measured times StarPU ships. Builds StarPU with SimGrid, once, and prints a table of means over
# 8 runs, in ms; the runs differ in whether submitting, pushing and fetching cost time. Planning takes no simulated time.
#
#   scripts/starpu_simulated.sh [--source DIR] [--build DIR] [--policies A,B,...] [ROW...]
#
# A row is APPLICATION-N-MACHINE, as in cholesky-10-sirocco or lu-10-mirage; without any, those of docs/starpu-plugin.md.
# --source: a tree of StarPU with its configure script; without it, Debian's source package is fetched by apt-get source, which
# needs a deb-src line. It takes libsimgrid-dev and half an hour, of which the build of StarPU is two minutes.
set -u
cd "$(dirname "$0")/.." || exit 1
source="" work=$PWD/build/starpu
policies=lws,dm,dmda,dmdar,dmdas,modular-heft,modular-heft2,modular-heteroprio,modular-heteroprio-heft,modular-prio,duet
rows=()
while [ $# -gt 0 ]; do
    case $1 in
    --source) source=$(realpath "$2") && shift 2 || exit 2 ;;
    --build) work=$(realpath -m "$2") && shift 2 || exit 2 ;;
    --policies) policies=$2 && shift 2 || exit 2 ;;
    -*) sed -n '3,14s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) rows+=("$1") && shift ;;
    esac
done
[ ${#rows[@]} -gt 0 ] || rows=(cholesky-{10,14,20}-sirocco cholesky-{10,16,20}-mirage lu-10-{sirocco,mirage})
mkdir -p "$work" || exit 1

fail() {
    echo "$*" >&2
    exit 1
}

fetch_source() {
    (cd "$work" && apt-get source --download-only starpu >source.log 2>&1 && dpkg-source -x starpu_*.dsc starpu-source >>source.log 2>&1) ||
        fail "no source of StarPU: give a tree by --source, or add a deb-src line ($work/source.log)"
}

build_starpu() {
    mkdir -p "$work/starpu" && cd "$work/starpu" || exit 1
    "$source/configure" --enable-simgrid --disable-build-doc --disable-build-tests --disable-mpi --disable-starpufft --disable-socl \
        --disable-starpurm --disable-fortran --disable-opencl --enable-maxcpus=32 --enable-quick-check CFLAGS=-O2 >configure.log 2>&1 ||
        fail "StarPU cannot be configured: $work/starpu/configure.log"
    { make -j"$(nproc)" -C src && make -j"$(nproc)" -C examples cholesky/cholesky_implicit lu/lu_implicit_example_float; } >make.log 2>&1 ||
        fail "StarPU cannot be built: $work/starpu/make.log"
    cd - >/dev/null || exit 1
}

# The policy, against the headers and the library of this StarPU.
build_policy() {
    cmake -S . -B "$work/duet" -DCMAKE_BUILD_TYPE=Release -DDUET_BUILD_TESTS=OFF -DDUET_WITH_STARPU=OFF >"$work/duet.log" 2>&1 &&
        cmake --build "$work/duet" --parallel --target duet_library >>"$work/duet.log" 2>&1 ||
        fail "Duet cannot be built: $work/duet.log"
    library=$(find "$work/starpu/src/.libs" -name 'libstarpu-*.so' | head -n 1)
    gcc -std=gnu17 -O2 -fPIC -shared -fvisibility=hidden -D_GNU_SOURCE -I. -Iinclude -isystem "$source/include" \
        -isystem "$work/starpu/include" -o "$work/libduet_starpu.so" starpu/*.c -L"$work/duet" -lduet "$library" -lm ||
        fail "the policy cannot be built"
}

# run POLICY APPLICATION N MACHINE COSTS: simulated ms.
run() {
    local program size=$((960 * $3)) preload=""
    program=$work/starpu/examples/cholesky/.libs/cholesky_implicit
    [ "$2" != lu ] || program=$work/starpu/examples/lu/.libs/lu_implicit_example_float
    [ -x "$program" ] || program=$work/starpu/examples/$([ "$2" = lu ] && echo lu/lu_implicit_example_float || echo cholesky/cholesky_implicit)
    [ "$1" != duet ] || preload=$work/libduet_starpu.so
    local cpus=20 gpus=4
    [ "$4" != mirage ] || cpus=9 gpus=3
    env LD_LIBRARY_PATH="$work/starpu/src/.libs:$work/duet" LD_PRELOAD="$preload" STARPU_SCHED="$1" STARPU_HOSTNAME="$4" \
        STARPU_PERF_MODEL_DIR="$source/tools/perfmodels/sampling" STARPU_PERF_MODEL_HOMOGENEOUS_CUDA="${HOMOGENEOUS:-1}" \
        STARPU_HOME="$work/home" STARPU_SILENT=1 STARPU_NCPU=$cpus STARPU_NCUDA=$gpus STARPU_NOPENCL=0 DUET_SILENT=1 \
        STARPU_SIMGRID_TASK_SUBMIT_COST=$(($5 & 1)) STARPU_SIMGRID_TASK_PUSH_COST=$(($5 >> 1 & 1)) \
        STARPU_SIMGRID_FETCHING_INPUT_COST=$(($5 >> 2 & 1)) timeout 600 "$program" -size $size -nblocks "$3" 2>>"$work/runs.log" |
        awk '/^ *[0-9]+[ \t]+[0-9.]+[ \t]/ { print $2 }'
}

# mean POLICY ROW: mean and deviation of 8 runs.
mean() {
    local application n machine
    IFS=- read -r application n machine <<<"$2"
    for costs in 0 1 2 3 4 5 6 7; do
        run "$1" "$application" "$n" "$machine" $costs
    done | awk '{ s += $1; q += $1 * $1; n++ }
                END { if (n < 8) { print "none"; exit } m = s / n; v = (q - n * m * m) / (n - 1); v = v > 0 ? v : 0; printf "%.1f ±%.1f\n", m, sqrt(v) }'
}

if [ -z "$source" ]; then
    source=$work/starpu-source
    [ -x "$source/configure" ] || fetch_source
fi
[ -x "$source/configure" ] || fail "no configure in $source"
[ -n "$(find "$work/starpu/src/.libs" -name 'libstarpu-*.so' 2>/dev/null)" ] || build_starpu
build_policy
mkdir -p "$work/home"
version=$(sed -n 's/^PACKAGE_VERSION=.\([0-9.]*\).*/\1/p' "$source/configure" | head -n 1)
echo "StarPU $version with SimGrid, $(git describe --always 2>/dev/null), ms, mean of 8 runs and deviation"
for row in "${rows[@]}"; do
    for policy in ${policies//,/ }; do
        printf '%-22s %-26s %s\n' "$row" "$policy" "$(mean "$policy" "$row")"
    done
done
