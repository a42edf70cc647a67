#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command where outputs cannot be written (a full disk, a limit on files, a folder that is only to be
# read, a standard output that is full, closed or a pipe that nobody reads) and inputs that change while
# they are read.
# Usage: disk.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
mounted=""
trap 'for m in $mounted; do umount "$m"; done; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
ulimit -c 0
# fontconfig, behind cairo, keeps its cache to the end; a build with AddressSanitizer calls it a leak.
printf 'leak:libcairo\nleak:libfontconfig\n' >lsan.txt
export LSAN_OPTIONS="suppressions=$tmp/lsan.txt:print_suppressions=0"

ok() { echo "ok $1"; }
bad() {
    echo "FAIL $1: $(head -c 300 err 2>/dev/null)"
    failed=1
}
# says CODE WHAT: the command that ran ended with CODE and, unless that is 0, one line of its own.
says() {
    if [ "$code" = "$1" ] && { [ "$1" = 0 ] || { [ "$(wc -l <err)" = 1 ] && grep -q '^duet: ' err; }; }; then
        ok "$2"
    else
        bad "$2: exit code $code, expected $1"
    fi
}

"$duet" generate uniform -n 3000 -m 30 -k 5 -o in.json || exit 1
"$duet" generate uniform -n 60 -m 3 -k 2 -o small.json || exit 1
"$duet" solve small.json -a heft -o heft.json >/dev/null || exit 1
"$duet" compare small.json -a heft,eft --csv table.csv >/dev/null || exit 1
features=$("$duet" --version)

# Each line: the ending of the file, and a command that writes FILE.
commands() {
    cat <<'END'
json solve in.json -a heft -o FILE
json solve in.json -a heft --trace FILE
paje solve in.json -a heft --trace FILE
rec solve in.json -a heft --trace FILE
json generate uniform -n 3000 -o FILE
csv generate uniform -n 3000 -o FILE
csv compare in.json -a heft,eft,lpt,qa,dualhp,heteroprio,er-ls --csv FILE
lp compare --export lp small.json -o FILE
mps compare --export mps small.json -o FILE
html report table.csv -o FILE
html report --instance small.json --solution heft.json -o FILE
END
    case $features in *glpk*) echo "proof solve small.json -a exact -t 1 -O proof=FILE" ;; esac
    case $features in *cairo*)
        echo "svg solve in.json -a heft --gantt FILE"
        echo "pdf solve in.json -a heft --gantt FILE"
        echo "png solve in.json -a heft --gantt FILE"
        ;;
    esac
    if "$duet" measure --tile 1 --repeats 1 --machine here >/dev/null 2>&1; then
        echo "csv measure --factorisation cholesky --tile 16 --repeats 1 --warmup 0 -o FILE"
    fi
}

# cannot WHAT FOLDER: no command can write into the folder; each says so, leaves nothing, and leaves alone what
# stood there under the name before.
cannot() {
    local what=$1 folder=$2 ending arguments before after
    before=$(ls -A "$folder")
    while read -r ending arguments; do
        # shellcheck disable=SC2086 # words
        "$duet" ${arguments//FILE/$folder/out.$ending} >out 2>err </dev/null
        code=$?
        says 5 "$what: $arguments"
        after=$(ls -A "$folder")
        [ "$after" = "$before" ] || bad "$what: $arguments left '$after'"
    done < <(commands)
}

# A limit on the size of files acts like a full disk, for whoever runs this: not a byte fits.
no_byte_fits() (
    ulimit -f 0
    exec 2>&1
    while read -r ending arguments; do
        # Through pipes: the files of this script are limited too.
        # shellcheck disable=SC2086
        text=$("$duet" ${arguments//FILE/limited/out.$ending} 2>&1 >/dev/null </dev/null)
        code=$?
        if [ $code != 5 ] || [ "$(grep -c '^duet: ' <<<"$text" 2>/dev/null || echo "$text" | grep -c '^duet: ')" != 1 ]; then
            echo "FAIL ulimit -f: $arguments: exit code $code: $text"
        fi
    done < <(commands)
)
mkdir limited
# ThreadSanitizer itself writes a file before main(), and SIGXFSZ ends it there.
(ulimit -f 0 && "$duet" --version >/dev/null 2>&1)
if [ $? = 153 ]; then
    echo "SKIP ulimit -f 0: the program does not come as far as main()" >limited.log
else
    no_byte_fits | cat >limited.log
    grep -q FAIL limited.log && failed=1 || ok "ulimit -f"
fi
cat limited.log
[ -z "$(ls -A limited)" ] || bad "ulimit -f left $(ls -A limited)"

# Half a file fits, and the old one must stay as it was.
echo old >limited/s.json
(ulimit -f 8 && "$duet" solve in.json -a heft -o limited/s.json 2>&1 >/dev/null) | cat >err
[ "$(cat limited/s.json)" = old ] && [ "$(ls -A limited)" = s.json ] && grep -q 'cannot write' err &&
    ok "half a file: the old one is as it was" || bad "half a file"

# A disk of 16 KiB, and a folder that is only to be read, where mounting is allowed.
mkdir tiny readonly
if mount -t tmpfs -o size=16k,nr_inodes=20 tmpfs tiny 2>/dev/null; then
    mounted=tiny
    dd if=/dev/zero of=tiny/filler bs=4096 count=4 2>/dev/null
    cannot "a full disk" tiny
else
    echo "skipped: no disk can be mounted"
fi
if mount -t tmpfs -o ro tmpfs readonly 2>/dev/null; then
    mounted="$mounted readonly"
    cannot "a read-only disk" readonly
    # As another user, to whom permissions apply.
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        mkdir guarded
        chmod 755 "$tmp" guarded
        if setpriv --reuid=65534 --regid=65534 --clear-groups "$duet" --version >/dev/null 2>&1; then
            setpriv --reuid=65534 --regid=65534 --clear-groups "$duet" solve in.json -a heft -o guarded/s.json >out 2>err
            code=$?
            says 5 "a folder without permission"
            [ -z "$(ls -A guarded)" ] || bad "a folder without permission: something is left"
        fi
    fi
fi

# /dev/full as the file, and as standard output.
while read -r ending arguments; do
    case $arguments in *--trace* | *--gantt* | *proof=*) continue ;; esac # known by the ending of a file
    # shellcheck disable=SC2086
    "$duet" ${arguments//FILE//dev/full} >out 2>err </dev/null
    code=$?
    says 5 "/dev/full: $arguments"
    # shellcheck disable=SC2086
    "$duet" ${arguments//FILE/-} >/dev/full 2>err </dev/null
    code=$?
    grep -q '^duet: .*No space left' err && [ $code = 5 ] && ok ">/dev/full: $arguments" ||
        bad ">/dev/full: $arguments: exit code $code"
done < <(commands)

# What goes to standard output: full, closed, or a pipe whose reader has gone, with SIGPIPE ignored and not.
for arguments in "list algorithms" "list families --json" "--help" "--version" "bound small.json -b area" \
    "solve in.json -a heft --json" "solve small.json -a heft" "generate uniform -n 5000" \
    "verify small.json heft.json" "verify small.json heft.json --json" \
    "compare small.json -a heft --json" "compare --export lp small.json" "report table.csv" \
    "bench ratios --family small --each-option --bounds --instances 3" "bench --help"; do
    # shellcheck disable=SC2086
    "$duet" $arguments >/dev/full 2>err </dev/null
    code=$?
    says 5 "full: $arguments"
    # shellcheck disable=SC2086
    "$duet" $arguments >&- 2>err </dev/null
    code=$?
    says 5 "closed: $arguments"
    for ignored in no yes; do
        python3 - "$ignored" "$duet" $arguments >err 2>&1 <<'END' && ok "gone ($ignored): $arguments" || bad "gone ($ignored): $arguments"
import os
import signal
import subprocess
import sys

read, write = os.pipe()
os.close(read)
ignore = sys.argv[1] == "yes"


def prepare():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignore else signal.SIG_DFL)


run = subprocess.run(sys.argv[2:], stdout=write, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                     preexec_fn=prepare, restore_signals=False)
# It ends like any command at the end of a pipe.
assert run.returncode == -signal.SIGPIPE, (run.returncode, run.stderr)
END
    done
done
"$duet" generate uniform -n 100000 2>err | head -c 10 >/dev/null
[ "${PIPESTATUS[0]}" = 141 ] && [ ! -s err ] && ok "| head" || bad "| head"

# An input that comes slowly, in pieces that end anywhere, is read as a whole.
python3 - "$duet" <<'END' >err 2>&1 && ok "a slow pipe" || bad "a slow pipe"
import subprocess
import sys
import time

text = open("small.json", "rb").read()
run = subprocess.Popen([sys.argv[1], "bound", "-", "-b", "area"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for at in range(0, len(text), 97):
    run.stdin.write(text[at:at + 97])
    run.stdin.flush()
    time.sleep(0.002)
run.stdin.close()
whole = subprocess.run([sys.argv[1], "bound", "small.json", "-b", "area"], stdout=subprocess.PIPE)
assert run.stdout.read() == whole.stdout and run.wait() == 0
END

# A file that is cut off, or replaced, while it is read: what was read by then is all there is.
"$duet" generate uniform -n 20000 --format csv -o big.csv || failed=1
for change in cut grow; do
    python3 - "$change" "$duet" <<'END' >err 2>&1 && ok "a file that changes: $change" || bad "a file that changes: $change"
import os
import subprocess
import sys

change, duet = sys.argv[1:]
text = open("big.csv", "rb").read()
for _ in range(20):
    open("changing.csv", "wb").write(text)
    run = subprocess.Popen([duet, "bound", "changing.csv", "-m", "2", "-k", "1", "-b", "area"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if change == "cut":
        os.truncate("changing.csv", 100001)
    else:
        with open("changing.csv", "ab") as file:
            file.write(b"late,1,")
            file.flush()
            file.write(b"2\n")
    out, said = run.communicate()
    # The whole, a part that is well formed, or a line that breaks off: never anything else.
    assert run.returncode in (0, 3), (run.returncode, said)
    assert run.returncode == 0 or (said.startswith(b"duet: changing.csv:") and said.count(b"\n") == 1), said
END
done

# An input that is its own output: read whole before it is replaced, or refused.
cp small.json self.json
"$duet" compare --export lp self.json -o self.json >out 2>err
[ $? = 2 ] && cmp -s small.json self.json && ok "an input as output" || bad "an input as output"

exit $failed
