# SPDX-License-Identifier: Apache-2.0
"""Runs a command with standard error on a terminal and prints what it says there. Usage:
on_terminal.py COMMAND... Exit code: the command's; 77 where no terminal is to be had."""
import os
import pty
import subprocess
import sys

try:
    master, slave = pty.openpty()
except OSError:  # a container without /dev/pts
    sys.exit(77)
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
while True:
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    sys.stdout.buffer.write(part)
sys.exit(run.wait())
