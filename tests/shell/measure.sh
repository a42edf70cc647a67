#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# duet measure: what it writes is a table of kernel times that duet generate reads, its figures agree
# with each other, and what is wrong is refused. $1: the duet command, $2: the source folder.
set -u
duet=$(realpath "$1")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
faults=0

fault() {
    echo "FAIL $1"
    faults=$((faults + 1))
}

# check NAME COMMAND...: the command succeeds
check() {
    local name=$1
    shift
    "$@" >out 2>err || fault "$name: exit code $?: $(tail -1 err)"
}

# refused NAME EXIT-CODE FRAGMENT ARGUMENTS...: one line that says so, nothing on standard output
refused() {
    local name=$1 expected=$2 fragment=$3 code
    shift 3
    "$duet" "$@" >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$expected" ] || fault "$name: exit code $code, expected $expected"
    [ "$(wc -l <err)" -eq 1 ] || fault "$name: not one line: $(cat err)"
    grep -qF -- "$fragment" err || fault "$name: expected '$fragment', got '$(cat err)'"
    [ -s out ] && fault "$name: standard output"
}

finish() {
    [ "$faults" -eq 0 ] && echo ok
    exit $((faults > 0))
}

check "--help" "$duet" measure --help
if "$duet" measure --tile 8 2>&1 >/dev/null | grep -q "no BLAS and LAPACK can be opened"; then
    [ "$faults" -eq 0 ] || finish
    echo "skipped: no BLAS and LAPACK"
    exit 77
fi
refused "no OUT folder" "$([[ $("$duet" --version) == *openblas* ]] && echo 5 || echo 2)" "" \
    measure --tile 8 -o no/such/folder.csv
if [[ $("$duet" --version) != *openblas* ]]; then
    refused "without OpenBLAS" 2 "this build has no OpenBLAS" measure --tile 8
    finish
fi

# What comes out goes in again.
check "measure" "$duet" measure --tile 32,40 --precision single,double --repeats 3 --warmup 1 \
    --machine box -o box.csv
grep -q "row box-double-40" out || fault "no table for people: $(cat out)"
for family in chol lu qr; do
    for row in box-single-32 box-double-40; do
        check "generate $family from $row" "$duet" generate $family -n 4 -O timings=box.csv \
            -O row=$row -o $family.json
        check "solve $family from $row" "$duet" solve $family.json -a lpt -o s.json
        check "verify $family from $row" "$duet" verify $family.json s.json
    done
    "$duet" generate $family -n 4 -O timings=- -O row=box-double-40 <box.csv >piped.json ||
        fault "generate $family: from standard input"
    cmp -s $family.json piped.json || fault "generate $family: a pipe gives another instance"
done
refused "two rows of a file" 2 "several rows: expected -O row= one of box-single-{32|40}" \
    generate lu -O timings=box.csv
refused "a row that is not there" 2 "unknown row 'box-double-48'" generate lu -O timings=box.csv \
    -O row=box-double-48

# One row needs no name; without -o the table is standard output, the figures are not.
"$duet" measure --factorization qr --tile 24 --repeats 2 --machine one >one.csv 2>err ||
    fault "measure to standard output: exit code $?"
grep -q "row one-double-24" err || fault "no figures on standard error"
check "generate from the only row" "$duet" generate qr -n 3 -O timings=one.csv -o q.json
grep -q '"qr-3-one-double-24-derived"' q.json || fault "generate: the instance's name"
refused "no kernels of LU" 3 "one.csv: no kernel times of lu" generate lu -O timings=one.csv
grep -v tsqrt one.csv >short.csv
refused "a kernel is missing" 3 \
    "short.csv: the row one-double-24 of qr has no line for tsqrt" generate qr -O timings=short.csv
sed 's/,tsqrt,24,us,/,tsqrt,24,us,-/' one.csv >negative.csv
refused "a negative time" 3 "expected a number of at least 0" generate qr -O timings=negative.csv
grep -qE '^duet: negative\.csv:[0-9]+:27: ' err || fault "place of a fault: $(cat err)"
cp one.csv kept.csv
refused "the instance over its kernel times" 2 "expected another file" generate qr \
    -O timings=one.csv -o one.csv
cmp -s one.csv kept.csv || fault "the kernel times were written over"
refused "no such file" 3 "nowhere.csv: cannot read" generate qr -O timings=nowhere.csv

# JSON and CSV of one run say the same, and the figures fit together.
check "measure --json" bash -c '"$1" measure --tile 48 --repeats 5 --machine j --inner 16 \
    --gpu mirage --json -o j.csv >j.json' _ "$duet"
python3 - <<'END' || fault "figures of --json"
import csv, json
d = json.load(open("j.json"))
rows = {(r["factorisation"], r["kernel"]): r
        for r in csv.DictReader(l for l in open("j.csv") if not l.startswith("#"))}
assert d["machine"] == "j" and d["repeats"] == 5 and d["inner"] == 16, d
assert len(d["kernels"]) == len(rows) == 12
for k in d["kernels"]:
    r = rows[k["factorisation"], k["kernel"]]
    assert r["machine"] == "j" and r["precision"] == k["precision"] == "double"
    assert float(r["cpu"]) == k["cpu"] and float(r["gpu"]) == k["gpu"]
    assert r["cpu_samples"] == "5" and r["gpu_samples"] == "0"
    assert 0 < k["least"] <= k["first_quartile"] <= k["cpu"] <= k["third_quartile"] <= k["most"]
    assert k["gigaflops"] > 0 and k["factor"] > 0
    assert abs(k["cpu"] / k["factor"] - k["gpu"]) <= 0.0011, k
    assert k["factor_row"].startswith("mirage-")
    assert k["factor_stands_in"] == (k["factorisation"] == "qr")
gemm = next(k for k in d["kernels"] if k["factorisation"] == "lu" and k["kernel"] == "gemm")
assert abs(gemm["gigaflops"] * gemm["cpu"] * 1e3 / (2 * 48**3) - 1) < 0.01, gemm
END

# An inner block is cut to its tile, and that is what is told.
check "--inner above the tile" "$duet" measure --factorisation qr --tile 1 --inner 4096 --repeats 1 \
    --machine i -o i.csv
grep -qE '^QR +inner blocks of 1$' out || fault "--inner above the tile: $(grep QR out)"
grep -q '^# QR kernels with inner blocks of 1\.$' i.csv || fault "--inner above the tile: $(head -2 i.csv)"
check "--inner above one of the tiles" "$duet" measure --factorisation lu,qr --tile 8,40,24 --inner 32 \
    --precision single,double --repeats 1 --machine i -o i.csv
blocks="inner blocks of 8 in tiles of 8, 32 in tiles of 40, 24 in tiles of 24"
grep -qE "^QR +$blocks\$" out || fault "--inner above one of the tiles: $(grep QR out)"
grep -q "^# QR kernels with $blocks\.$" i.csv || fault "--inner above one of the tiles: $(head -2 i.csv)"
check "--inner above one of the tiles, as JSON" bash -c '"$1" measure --factorisation lu,qr --tile 8,40 \
    --inner 32 --repeats 1 --machine i --json >i.json' _ "$duet"
python3 -c '
import json
d = json.load(open("i.json"))
assert d["inner"] == 32
assert all(k.get("inner") == (None if k["factorisation"] == "lu" else min(32, k["tile"])) for k in d["kernels"])
' || fault "--inner above one of the tiles: JSON"

# Factors out of the user's own file: its only machine, or the one that is named.
header=machine,factorisation,precision,kernel,tile,unit,cpu,gpu
printf '%s\n' $header a,lu,double,getrf,8,s,6,3 a,lu,double,trsm-ll,8,s,9,3 \
    a,lu,double,trsm-ru,8,s,8,2 a,lu,double,gemm,8,s,100,1 >gpus.csv
check "--gpu-file" "$duet" measure --factorisation lu,qr --tile 16 --repeats 1 --machine g \
    --gpu-file gpus.csv -o g.csv
grep -qE '^#   tsmqr of g-double-16: 100, gemm of a-double-8, which stands in$' g.csv ||
    fault "--gpu-file: the factor of tsmqr: $(grep tsmqr g.csv)"
refused "--gpu-file without Cholesky" 2 "no GPU time of potrf (cholesky) under 'a' in gpus.csv" \
    measure --tile 16 --gpu-file gpus.csv
echo b,lu,double,gemm,8,s,4,1 >>gpus.csv
refused "--gpu-file with two machines" 2 "such as 'a' or 'b'" measure --factorisation lu \
    --tile 16 --gpu-file gpus.csv
check "--gpu-file and --gpu" "$duet" measure --factorisation lu --tile 16 --repeats 1 --machine g \
    --gpu-file gpus.csv --gpu a-double-8 -o g.csv
refused "--gpu nobody" 2 "under 'nobody' in kernel-timings.csv: expected a machine" \
    measure --tile 16 --gpu nobody
cp gpus.csv kept.csv
refused "the output is the input" 2 "expected another file" measure --factorisation lu --tile 16 \
    --gpu-file gpus.csv --gpu a -o gpus.csv
cmp -s gpus.csv kept.csv || fault "the input was written over"

refused "--tile 0" 2 "--tile: expected a whole number from 1 to 16384" measure --tile 0
refused "--tile twice" 2 "--tile: expected each size once" measure --tile 8,8
refused "--tile, too large" 2 "--tile" measure --tile 16385
refused "--repeats 0" 2 "--repeats: expected a whole number from 1" measure --repeats 0
refused "--inner 0" 2 "--inner: expected a whole number from 1" measure --inner 0
refused "--warmup x" 2 "--warmup: expected a whole number from 0" measure --warmup x
refused "--precision half" 2 "--precision: expected a list" measure --precision half
refused "--factorisation svd" 2 "--factorisation: expected a list" measure --factorisation svd
refused "--machine with a comma" 2 "--machine: expected 1 to 63 letters" measure --machine a,b
refused "an argument" 2 "unexpected argument 'file'" measure file
refused "--json to the same place" 2 "-o: expected a file beside --json" measure --json -o -
finish
