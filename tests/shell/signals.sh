#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C and SIGTERM: the best schedule so far is written, and the exit code is 0.
# Usage: signals.sh DUET SOURCE_FOLDER
set -u
duet=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
source=$2
. "$source/tests/support/checks.sh"

if ! "$duet" --version | grep -q glpk; then
    echo "ok skipped: without GLPK nothing runs long enough"
    exit 0
fi
# Nothing here may end by itself: about three tasks on each of 72 processors, with times of nine
# digits. The optimum is far from what averages prove, tables over such lengths do not fit into
# memory, and the last ticks would take a search among 200 distinct tasks.
"$duet" generate uniform -n 200 -m 64 -k 8 --seed 1 -O cpu-min=200000000 -O cpu-max=999999999 \
    -O gpu-min=20000000 -O gpu-max=999999999 -o hard.json || exit 1

# signalled [--when WHEN] SIGNALS COMMAND...: see tests/support/signalled.py; its streams are in exits.out and exits.err.
signalled() {
    python3 "$source/tests/support/signalled.py" "$@" >exits.out 2>exits.err
}

for signal in INT TERM; do
    for algorithm in auto exact ilp; do
        name="$signal during $algorithm"
        rm -f s.json
        signalled $signal "$duet" solve hard.json -a $algorithm -t 36000 -o s.json
        code=$?
        check "$name: exit code $code" test $code = 0
        check "$name: says so" grep -q '^duet: interrupted' exits.err
        check "$name: the block says so" grep -q '^status .*interrupted' exits.out
        check "$name: the file is complete and right" "$duet" verify hard.json s.json
        check "$name: no temporary file" test "$(echo s.json*)" = s.json
    done
done

# Under nohup the terminal may close: the command ignores that, and takes other signals as ever.
nohup python3 "$source/tests/support/signalled.py" --when ignores=HUP HUP,TERM "$duet" solve hard.json -a ilp -t 36000 \
    >exits.out 2>exits.err
check "nohup: exit code" test $? = 0
check "nohup: the block says so" grep -q '^status .*interrupted' exits.out
signalled HUP "$duet" solve hard.json -a ilp -t 36000 -o hup.json
check "HUP: exit code" test $? = 0
check "HUP: the block says so" grep -q '^status .*interrupted' exits.out

# `timeout` signals its child and then the group: the same signal twice is one request.
signalled TERM,TERM "$duet" solve hard.json -a ilp -t 36000 -o twice.json
check "a signal twice at once: exit code" test $? = 0
check "a signal twice at once: verified" "$duet" verify hard.json twice.json

# The reader of a pipe gets the whole of it.
signalled INT "$duet" solve hard.json -a ilp -t 36000 --json
check "--json: exit code" test $? = 0
check "--json: complete" "$duet" verify hard.json exits.out

# While it reads, there is nothing to keep: the signal ends it as it ends any other command.
signalled --when started TERM "$duet" solve - -o s3.json
check "while reading: ends" test $? = 143
check "while reading: no file" test ! -e s3.json

# The time limit ends a search in the same way.
"$duet" solve hard.json -a ilp -t 0.3 -o s4.json >exits.out 2>exits.err
check "time limit: exit code" test $? = 0
check "time limit: verified" "$duet" verify hard.json s4.json
check "time limit: the block says so" grep -q '^status .*time limit' exits.out
check "time limit: no word of an interruption" test ! -s exits.err

# compare shows what it has. Its progress line names the algorithm that runs.
signalled --when "says= ilp:" INT "$duet" compare hard.json -a eft,ilp,heft -t 36000
code=$?
if [ $code = 77 ]; then
    echo "skipped: no terminal to be had here"
else
    check "compare: exit code $code" test $code = 0
    check "compare: shows what was done" grep -q '^  eft ' exits.out
    check "compare: says so" grep -q 'duet: interrupted' exits.err
fi

# What has no part of a result to keep ends like any other command, and leaves no file behind.
mkdir left
for signal in INT:130 TERM:143; do
    while read -r arguments; do
        # shellcheck disable=SC2086 # words
        signalled --when started ${signal%:*} "$duet" $arguments
        check "${signal%:*}: $arguments: ends" test $? = ${signal#*:}
        check "${signal%:*}: $arguments: no file" test -z "$(ls -A left)"
    done <<'END'
generate uniform -n 50000000 -o left/u.json --memory 16000
generate chol -n 10 -O timings=- -o left/c.json
bound - -b all
verify - hard.json
report - -o left/r.html
compare --export lp - -o left/p.lp
END
done

# A pipe that nobody reads yet is waited for; the signal ends that, and a reader that comes gets all.
mkfifo unread late
"$duet" generate uniform -n 30 -m 3 -k 2 -o small.json || exit 1
for signal in INT TERM; do
    for arguments in "solve small.json -a heft -o unread" "compare small.json -a heft --csv unread"; do
        # shellcheck disable=SC2086 # words
        python3 - $signal "$duet" $arguments <<'END' >out 2>err
import signal
import subprocess
import sys
import time

number = getattr(signal, "SIG" + sys.argv[1])
# A signal during the search would end that instead, and the pipe is waited for after that. It does not sleep for
# long; what waits is mostly found asleep. Where it was the search all the same, later is tried.
for often in (10, 40, 160):
    run = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    asleep = 0
    while asleep < often:
        time.sleep(0.05)
        assert run.poll() is None, "ended by itself"
        with open(f"/proc/{run.pid}/stat") as status:
            asleep += status.read().rsplit(")", 1)[1].split()[0] == "S"
    run.send_signal(number)
    try:
        _, said = run.communicate(timeout=10 if often < 160 else 600)
        break
    except subprocess.TimeoutExpired:
        run.kill()
        _, said = run.communicate()
assert run.returncode == 5, run.returncode
assert b"unread: cannot write: interrupted before anybody read the pipe" in said, said
END
        check "$signal: a pipe without a reader: $arguments" test $? = 0
    done
done
"$duet" solve small.json -a heft -o late >out 2>err &
pid=$!
sleep 0.5 # likely, and not more: the reader may come first
cat late >late.json
wait $pid
check "a late reader: exit code" test $? = 0
check "a late reader: complete" "$duet" verify small.json late.json

# On a terminal there is a progress line, and it is taken away again. A busy machine may take all of the time for the
# first one.
for seconds in 1.5 15 150; do
    python3 "$source/tests/support/on_terminal.py" "$duet" solve hard.json -a ilp -t $seconds >line.txt
    code=$?
    grep -q gap line.txt && break
    [ $code = 0 ] || break
done
case $code in
77) echo "skipped: no terminal to be had here" ;;
0)
    check "a progress line on a terminal" python3 -c '
import sys
lines = open("line.txt", "rb").read().split(b"\r")
assert any(b"bound" in line and b"best" in line and b"gap" in line for line in lines), lines
assert len(lines) < 25 * float(sys.argv[1]), len(lines)
assert lines[-1] == b"\x1b[K" and not any(b"\n" in line for line in lines), lines' $seconds
    ;;
*) check "a progress line on a terminal" false ;;
esac

exit $failed
