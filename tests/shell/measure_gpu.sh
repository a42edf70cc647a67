#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# duet measure with a GPU: against tests/cuda/stub.c under the names of CUDA's libraries, which records the calls and
# tells times that are chosen here. What is measured, the arithmetic of a recorded run, and every way to have no GPU.
# $1: the duet command, $2: the source folder, $3: the folder of the tests' programs.
set -u
. "$2/tests/support/checks.sh"
duet=$(realpath "$1")
stub=$(realpath "$3")/libcuda_stub.so
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
if ! "$duet" measure --tile 8 --repeats 1 --warmup 0 --gpu sirocco --machine m -o m.csv >out 2>err; then
    echo "skipped: $(tail -n 1 err)"
    exit 77
fi
if "$duet" --version | grep -q sanitize; then
    echo "skipped: the stub is not sanitized"
    exit 77
fi

# An empty folder in front hides a CUDA that the system may have: files that are no libraries.
mkdir cuda none half
files="libcudart.so.13 libcublas.so.13 libcusolver.so.12 libcudart.so.12 libcublas.so.12 libcusolver.so.11
    libcudart.so.11.0 libcublas.so.11 libcusolver.so.10 libcudart.so libcublas.so libcusolver.so libnvidia-ml.so.1"
for file in $files; do
    touch "none/$file" "half/$file"
done
for file in libcudart.so.12 libcublas.so.12 libcusolver.so.11 libnvidia-ml.so.1; do
    ln -s "$stub" "cuda/$file"
done
for file in libcudart.so.13 libcublas.so.13 libcusolver.so.12; do
    touch "cuda/$file" # newer ones that cannot be opened
done
ln -sf "$stub" half/libcudart.so.12

# with FOLDER COMMAND...: with libraries of this folder in front.
with() {
    LD_LIBRARY_PATH=$tmp/$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "${@:2}"
}

# ---- a recorded run: medians, quartiles, factors, transfers

cat >times <<'END'
potrf 9 9 0.9371 0.9 1.0 0.95 0.93
trsm 9 9 0.3422 0.3421 0.3423 0.3422 0.3422
syrk 9 9 0.0461 0.046 0.047 0.0461 0.0462
gemm 9 9 0.0572 0.0571 0.0573 0.0572 0.0574
getrf 9 9 2 3 1 5 4
copy 9 9 0.004 0.004 0.004 0.004 0.004 9 9 0.005 0.005 0.005 0.005 0.005 9 9 0.3 0.3 0.3 0.3 0.3 9 9 0.28 0.28 0.28 0.28 0.28
END
: >calls
export DUET_STUB_CALLS=$tmp/calls DUET_STUB_TIMES=$tmp/times
exits 0 "a recorded run" with cuda "$duet" measure --tile 40 --repeats 5 --warmup 2 --machine h -o h.csv
cp exits.out text
check "it names the GPU" grep -q '^GPU      Stub GPU: CUDA 12.4, cuBLAS 12.4.5$' text
check "and the clocks" grep -q '^clocks   processors 1980 MHz before and 1980 MHz after, memory 3201 and 3201 MHz$' text
check "kernels are measured" grep -qE '^  potrf .* 937.1 .* measured$' text
check "nothing is wrong with the calls" test "$(grep -c FAULT calls)" = 0
check "gemm of Cholesky" grep -qx 'cublasDgemm 0 1, 40 40 40, -1 1' calls
check "gemm of LU" grep -qx 'cublasDgemm 0 0, 40 40 40, -1 1' calls
check "syrk" grep -qx 'cublasDsyrk 0 0, 40 40, -1 1' calls
check "trsm of Cholesky" grep -qx 'cublasDtrsm 1 0 1 0, 40 40, 1' calls
check "trsm on the left" grep -qx 'cublasDtrsm 0 0 0 1, 40 40, 1' calls
check "trsm on the right" grep -qx 'cublasDtrsm 1 1 0 0, 40 40, 1' calls
check "warm-up and runs" test "$(grep -cx 'cusolverDnDpotrf 40' calls)" = 7
check "clean operands before each" test "$(grep -c '^copy 12800 on device' calls)" = 56
for family in chol lu qr; do
    exits 0 "generate $family" "$duet" generate $family -n 4 -O timings=h.csv -o $family.json
    exits 0 "solve $family" "$duet" solve $family.json -a lpt -o s.json
    exits 0 "verify $family" "$duet" verify $family.json s.json
done
figures() {
    python3 - <<'END'
import csv
rows = {(r["factorisation"], r["kernel"]): r for r in csv.DictReader(l for l in open("h.csv") if not l.startswith("#"))}
gpu = lambda *key: float(rows[key]["gpu"])
assert gpu("cholesky", "potrf") == 937.1, rows
assert gpu("cholesky", "trsm") == gpu("lu", "trsm-ll") == 342.2
assert gpu("cholesky", "syrk") == 46.1 and gpu("cholesky", "gemm") == 57.2
assert gpu("lu", "getrf") == 3000
for (name, kernel), r in rows.items():
    assert r["cpu_samples"] == "5" and r["gpu_samples"] == ("0" if name == "qr" else "5"), r
factor = float(rows["lu", "getrf"]["cpu"]) / 3000
assert abs(float(rows["qr", "geqrt"]["cpu"]) / factor - gpu("qr", "geqrt")) < 0.002, rows
END
}
check "medians go into the table, and LU's factors to QR" figures
exits 0 "the same as JSON" with cuda "$duet" measure --tile 40 --repeats 5 --warmup 2 --factorisation lu --machine h --json
cp exits.out h.json
figures() {
    python3 - <<'END'
import json
d = json.load(open("h.json"))
k = {k["kernel"]: k for k in d["kernels"]}
g = k["getrf"]
assert g["gpu_measured"] and (g["gpu"], g["gpu_least"], g["gpu_most"]) == (3000, 1000, 5000), g
assert (g["gpu_first_quartile"], g["gpu_third_quartile"]) == (2000, 4000)
assert g["factor_row"] == "h-double-40" and abs(g["factor"] - g["cpu"] / 3000) < 1e-5
gpu = d["gpu"]
assert gpu["measured"] and gpu["devices"] == 1 and gpu["name"] == "Stub GPU"
assert [t["bytes"] for t in gpu["transfers"]] == [8, 12800]
assert gpu["transfers"][1] == {"bytes": 12800, "to_gpu": 300, "to_host": 280, "between_gpus": None}
line = gpu["transfer"]
assert line["latency"] == [[0, 4], [5, 9]], line
up, down = 296 / 12792, 275 / 12792
for got, want in zip(sum(line["per_unit"], []), [0, up, down, up + down]):
    assert abs(got - want) < 1e-8, line
END
}
check "quartiles, factors, transfers" figures
export DUET_STUB_DEVICES=2
: >calls
exits 0 "two GPUs" with cuda "$duet" measure --tile 16 --repeats 5 --warmup 2 --factorisation lu --precision single --machine h -o h.csv
check "two GPUs: between them" grep -q ' 500 us between two GPUs (untested)' exits.out
check "two GPUs: nothing is wrong with the calls" test "$(grep -c FAULT calls)" = 0
check "two GPUs: from the first to the second" grep -qx 'peer 1024 from 0 to 1 on 0' calls
unset DUET_STUB_DEVICES

# ---- no GPU: a word, exit 0, CPU times, derived ones for the GPU

# falls_back NAME FRAGMENT FOLDER
falls_back() {
    exits 0 "$1" with "$3" "$duet" measure --tile 8 --repeats 2 --factorisation cholesky --machine n -o n.csv
    check "$1: says so" grep -qF "$2" exits.out
    check "$1: the table is of the CPU" test "$(grep -cE '^n,cholesky,double,[a-z]+,8,us,[0-9.]+,[0-9.]+,2,0$' n.csv)" = 4
    check "$1: what was taken is given back" test "$(grep -c FAULT calls)" = 0
    exits 0 "$1: generate" "$duet" generate chol -n 3 -O timings=n.csv -o n.json
}
: >calls
falls_back "no CUDA" "GPU      none is measured: " none
falls_back "no cuBLAS" "GPU      none is measured: " half
exits 0 "no CUDA, as JSON" with none "$duet" measure --tile 8 --repeats 1 --factorisation lu --machine n --json
check "no CUDA, as JSON: a reason" grep -q '"reason": *"' exits.out
DUET_STUB_DEVICES=0 falls_back "no device" "CUDA finds no device" cuda
DUET_STUB_INFO=3 falls_back "a factorisation that fails" "cuSOLVER gave info = 3" cuda
for function in cudaGetDeviceCount cudaSetDevice cudaMalloc cudaMallocHost cudaMemcpy cudaDeviceSynchronize \
    cudaEventCreate cudaEventRecord cudaEventSynchronize cudaEventElapsedTime cublasCreate_v2 cusolverDnCreate; do
    DUET_STUB_FAIL=$function falls_back "$function fails" "$function gave" cuda
done
DUET_STUB_FAIL=cublasDgemm falls_back "a kernel fails" "gemm gave 13 on the GPU" cuda
DUET_STUB_FAIL=cusolverDnDpotrf_bufferSize falls_back "bufferSize fails" "bufferSize gave 7" cuda
echo "gemm nan" >times
falls_back "times that are none" "events around gemm are no time apart" cuda
DUET_STUB_FAIL=nvmlInit_v2 exits 0 "no NVML" with cuda "$duet" measure --tile 8 --repeats 1 --factorisation cholesky \
    --machine n --gpu mirage -o n.csv
check "--gpu NAME: this machine's is not tried" test "$(grep -c '^GPU  ' exits.out)" = 0
rm times
DUET_STUB_FAIL=nvmlInit_v2 exits 0 "no NVML" with cuda "$duet" measure --tile 8 --repeats 1 --factorisation lu \
    --machine n -o n.csv
check "no NVML: measured without a name and clocks" grep -q '^clocks   not known' exits.out
exit "$failed"
