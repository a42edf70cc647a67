# SPDX-License-Identifier: Apache-2.0
"""Sends signals to a command at a moment that no clock decides. Usage:

    signalled.py [--when WHEN] SIGNAL[,SIGNAL...] COMMAND...

WHEN is what is waited for before the first signal:
  caught     (default) the command has a handler for the last of the signals: its search has begun
  caught=SIG the same of another signal
  ignores=SIG the same as caught, and the command then ignores that other signal, or it is a fault
  started    it runs; a pause makes it likely that it is at work, and nothing depends on that
  rows=FILE  the file has a row below its header
  says=TEXT  TEXT stands on its terminal, where its standard error then is; 77 where there is no terminal
A command that ends before is a fault. So is one that has not ended 600 seconds after its signals; nothing else depends on the time.
Exit code: the command's, 128 + N where signal N ended it, 125 for a fault.
"""
import os
import pty
import signal
import subprocess
import sys
import time

LIMIT = 600


def fault(run, text):
    run.kill()
    sys.stderr.write(f"signalled.py: {text}\n")
    sys.exit(125)


def catches(run, number, what="SigCgt:"):
    with open(f"/proc/{run.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(what):
                return int(line.split()[1], 16) >> (number - 1) & 1 == 1
    return False


def has_rows(path):
    try:
        with open(path, "rb") as file:
            return file.read().count(b"\n") >= 2
    except FileNotFoundError:
        return False


def wait_until(run, holds):
    while not holds():
        if run.poll() is not None:
            fault(run, f"the command ended by itself: {run.returncode}")
        time.sleep(0.02)


def read_until(run, terminal, text):
    seen = b""
    while text not in seen:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            part = b""
        if not part:
            fault(run, f"the command ended and had not said {text!r}: {seen[-400:]!r}")
        seen += part


def main(arguments):
    when = "caught"
    if arguments[0] == "--when":
        when = arguments[1]
        arguments = arguments[2:]
    numbers = [getattr(signal, "SIG" + name) for name in arguments[0].split(",")]

    def as_usual():  # a shell has its background jobs ignore SIGINT
        for number in numbers:
            if signal.getsignal(number) == signal.SIG_IGN and number != signal.SIGHUP:
                signal.signal(number, signal.SIG_DFL)

    terminal, stream = None, None
    if when.startswith("says="):
        try:
            terminal, stream = pty.openpty()
        except OSError:  # a container without /dev/pts
            sys.exit(77)
    run = subprocess.Popen(arguments[1:], stdin=subprocess.PIPE, stderr=stream, preexec_fn=as_usual)
    if when == "started":
        time.sleep(0.3)
        wait_until(run, lambda: True)
    elif when.startswith("rows="):
        wait_until(run, lambda: has_rows(when[5:]))
    elif when.startswith("says="):
        os.close(stream)
        read_until(run, terminal, when[5:].encode())
    else:
        awaited = getattr(signal, "SIG" + when[7:]) if when.startswith("caught=") else numbers[-1]
        wait_until(run, lambda: catches(run, awaited))
        time.sleep(0.3)  # likely in the middle of it
    if when.startswith("ignores=") and not catches(run, getattr(signal, "SIG" + when[8:]), "SigIgn:"):
        fault(run, f"the command does not ignore SIG{when[8:]}")
    if run.poll() is not None:
        fault(run, f"the command ended by itself: {run.returncode}")
    for number in numbers:
        run.send_signal(number)
    if terminal is not None:
        os.set_blocking(terminal, False)
    limit = time.monotonic() + LIMIT
    while run.poll() is None:
        if time.monotonic() > limit:
            fault(run, f"still running {LIMIT} seconds after {arguments[0]}")
        if terminal is not None:
            try:
                sys.stderr.buffer.write(os.read(terminal, 4096))
            except OSError:
                pass
        time.sleep(0.02)
    if terminal is not None:
        try:
            sys.stderr.buffer.write(os.read(terminal, 65536))
        except OSError:
            pass
    sys.exit(run.returncode if run.returncode >= 0 else 128 - run.returncode)


main(sys.argv[1:])
