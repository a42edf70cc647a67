#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Duet's scheduling policy against StarPU's own, on machines that StarPU simulates with SimGrid: sirocco (20 CPUs, 4 K40) and
# mirage (9 CPUs, 3 M2070), whose measured times StarPU ships. Builds StarPU with SimGrid, once, and prints a table of means over
# 8 runs, in ms; the runs differ in whether submitting, pushing and fetching cost time. Planning takes no simulated time.
#
#   scripts/starpu_simulated.sh [--source DIR] [--build DIR] [--policies A,B,...] [--replay] [ROW...]
#
# A row is APPLICATION-N-MACHINE, as in cholesky-10-sirocco or lu-10-mirage; without any, those of docs/starpu-plugin.md.
# --source: a tree of StarPU with its configure script; without it, Debian's source package is fetched by apt-get source, which
# needs a deb-src line. It takes libsimgrid-dev and half an hour, of which the build of StarPU is two minutes.
#
# --replay: the table of docs/formats.md instead, which takes libfxt-dev, too. StarPU's dmdas runs the application and leaves its
# tasks; starpu_replay runs them by dmdas alone, and by what "duet solve --trace sched.rec" writes in DUET_TIME seconds (3).
set -u
cd "$(dirname "$0")/.." || exit 1
source="" work=$PWD/build/starpu replay=""
policies=lws,dm,dmda,dmdar,dmdas,modular-heft,modular-heft2,modular-heteroprio,modular-heteroprio-heft,modular-prio,duet
rows=()
while [ $# -gt 0 ]; do
    case $1 in
    --source) source=$(realpath "$2") && shift 2 || exit 2 ;;
    --build) work=$(realpath -m "$2") && shift 2 || exit 2 ;;
    --policies) policies=$2 && shift 2 || exit 2 ;;
    --replay) replay=yes && shift ;;
    -*) sed -n '3,17s/^# \{0,1\}//p' "$0"; exit 2 ;;
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
    local trace=""
    pkg-config --exists fxt && trace=--with-fxt
    mkdir -p "$work/starpu" && cd "$work/starpu" || exit 1
    "$source/configure" --enable-simgrid $trace --disable-build-doc --disable-build-tests --disable-mpi --disable-starpufft --disable-socl \
        --disable-starpurm --disable-fortran --disable-opencl --enable-maxcpus=32 --enable-quick-check CFLAGS=-O2 >configure.log 2>&1 ||
        fail "StarPU cannot be configured: $work/starpu/configure.log"
    { make -j"$(nproc)" -C src && make -j"$(nproc)" -C examples cholesky/cholesky_implicit lu/lu_implicit_example_float &&
        { [ -z "$trace" ] || make -j"$(nproc)" -C tools starpu_replay starpu_perfmodel_recdump starpu_fxt_tool; }; } >make.log 2>&1 ||
        fail "StarPU cannot be built: $work/starpu/make.log"
    cd - >/dev/null || exit 1
}

# The policy, against the headers and the library of this StarPU.
build_policy() {
    cmake -S . -B "$work/duet" -DCMAKE_BUILD_TYPE=Release -DDUET_BUILD_TESTS=OFF -DDUET_WITH_STARPU=OFF >"$work/duet.log" 2>&1 &&
        cmake --build "$work/duet" --parallel "$(nproc)" --target duet_library duet >>"$work/duet.log" 2>&1 ||
        fail "Duet cannot be built: $work/duet.log"
    library=$(find "$work/starpu/src/.libs" -name 'libstarpu-*.so' | head -n 1)
    gcc -std=gnu17 -O2 -fPIC -shared -fvisibility=hidden -D_GNU_SOURCE -I. -Iinclude -isystem "$source/include" \
        -isystem "$work/starpu/include" -o "$work/libduet_starpu.so" starpu/*.c -L"$work/duet" -lduet "$library" -lm ||
        fail "the policy cannot be built"
}

# program FOLDER NAME: libtool leaves a script of that name where the program itself is hidden.
program() {
    if [ -x "$work/starpu/$1/.libs/$2" ]; then
        echo "$work/starpu/$1/.libs/$2"
    else
        echo "$work/starpu/$1/$2"
    fi
}

application() {
    if [ "$1" = lu ]; then
        program examples/lu lu_implicit_example_float
    else
        program examples/cholesky cholesky_implicit
    fi
}

# on MACHINE COMMAND...: its workers, with the times that StarPU ships.
on() {
    local cpus=20 gpus=4
    [ "$1" != mirage ] || cpus=9 gpus=3
    env LD_LIBRARY_PATH="$work/starpu/src/.libs:$work/duet" STARPU_HOSTNAME="$1" STARPU_HOME="$work/home" STARPU_SILENT=1 \
        STARPU_PERF_MODEL_DIR="$source/tools/perfmodels/sampling" STARPU_PERF_MODEL_HOMOGENEOUS_CUDA="${HOMOGENEOUS:-1}" \
        STARPU_NCPU=$cpus STARPU_NCUDA=$gpus STARPU_NOPENCL=0 STARPU_FXT_TRACE=0 timeout 900 "${@:2}"
}

# run POLICY APPLICATION N MACHINE COSTS: simulated ms.
run() {
    local preload=""
    [ "$1" != duet ] || preload=$work/libduet_starpu.so
    on "$4" env LD_PRELOAD="$preload" STARPU_SCHED="$1" DUET_SILENT=1 STARPU_SIMGRID_TASK_SUBMIT_COST=$(($5 & 1)) \
        STARPU_SIMGRID_TASK_PUSH_COST=$(($5 >> 1 & 1)) STARPU_SIMGRID_FETCHING_INPUT_COST=$(($5 >> 2 & 1)) \
        "$(application "$2")" -size $((960 * $3)) -nblocks "$3" 2>>"$work/runs.log" | awk '/^ *[0-9]+[ \t]+[0-9.]+[ \t]/ { print $2 }'
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

# links MACHINE: what StarPU 1.4 says of its links, from the files that 1.3 has them in.
links() {
    local file=$source/tools/perfmodels/sampling/bus/$1
    paste -d '\n' "$file.bandwidth" "$file.latency" | grep -v '^#' | awk '
        { for (i = 1; i <= NF; i++) value[NR % 2, int((NR - 1) / 2), i - 1] = $i; n = int((NR + 1) / 2) }
        END { for (i = 0; i < n; i++) for (j = 0; j < n; j++) if (i != j && value[1, i, j] != "nan") printf \
            "\nMemoryNodeSrc: %d\nMemoryNodeDst: %d\nBandwidth: %f\nLatency: %f\n", i, j, value[1, i, j], value[0, i, j] }'
}

# record APPLICATION N MACHINE: tasks.rec and app.rec, in the current folder.
record() {
    on "$3" env USER=duet STARPU_SCHED=dmdas STARPU_FXT_TRACE=1 STARPU_GENERATE_TRACE=0 STARPU_FXT_PREFIX="$PWD/" \
        "$(application "$1")" -size $((960 * $2)) -nblocks "$2" >run.log 2>&1 &&
        on "$3" "$(program tools starpu_fxt_tool)" -i prof_file_*0 >fxt.log 2>&1 &&
        on "$3" "$(program tools starpu_perfmodel_recdump)" tasks.rec -o models.rec >models.log 2>&1 || return 1
    rm -f prof_file_*
    : >links.rec
    grep -q MemoryNodeSrc models.rec || links "$3" >links.rec
    { cat models.rec links.rec && echo && cat tasks.rec; } >app.rec
}

# replay MACHINE [FILE]: simulated ms of tasks.rec, by dmdas alone or as the file says.
replay() {
    on "$1" env STARPU_SCHED=dmdas "$(program tools starpu_replay)" tasks.rec "${@:2}" 2>>"$work/runs.log" | sed -n 's/ ms.*//p' | tail -n 1
}

replay_row() {
    local application n machine
    IFS=- read -r application n machine <<<"$1"
    mkdir -p "$work/replay/$1" && cd "$work/replay/$1" || exit 1
    [ -s app.rec ] || record "$application" "$n" "$machine" || fail "no tasks of $1: $PWD"
    printf '%-22s %-26s %s\n' "$1" dmdas "$(replay "$machine")"
    for form in types auto; do
        "$work/duet/bin/duet" solve app.rec -q -t "${DUET_TIME:-3}" -O sched=$form --trace $form.rec >/dev/null 2>$form.log ||
            fail "$1: $(cat $form.log)"
        printf '%-22s %-26s %s\n' "$1" "sched=$form" "$(replay "$machine" $form.rec)"
    done
    cd - >/dev/null || exit 1
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
of="mean of 8 runs and deviation"
[ -z "$replay" ] || of="one run of starpu_replay"
[ -z "$replay" ] || [ -x "$(program tools starpu_replay)" ] || fail "this StarPU was built without libfxt-dev: remove $work/starpu"
echo "StarPU $version with SimGrid, $(git describe --always 2>/dev/null), ms, $of"
for row in "${rows[@]}"; do
    [ -z "$replay" ] || { replay_row "$row" && continue; }
    for policy in ${policies//,/ }; do
        printf '%-22s %-26s %s\n' "$row" "$policy" "$(mean "$policy" "$row")"
    done
done
