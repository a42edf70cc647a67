# SPDX-License-Identifier: Apache-2.0
"""Runs a command with standard error on a terminal and prints what it says there. Usage: on_terminal.py COMMAND...
Exit code: the command's; 77 where no terminal is to be had."""
import os
import pty
import subprocess
import sys
import tempfile
import tty


def run_on_terminal(command, stream, **others):
    """Runs a command with "stdout" or "stderr" on a terminal that changes nothing of what is written. Returns its exit code,
    what came to the terminal, and what was written to the other stream."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    with tempfile.TemporaryFile() as other:
        streams = {"stdout": other, "stderr": other, stream: slave}
        with subprocess.Popen(command, **streams, **others) as run:
            os.close(slave)
            printed = b""
            while True:
                try:
                    part = os.read(master, 4096)
                except OSError:
                    break
                if not part:
                    break
                printed += part
        os.close(master)
        other.seek(0)
        return run.returncode, printed, other.read()


if __name__ == "__main__":
    try:
        code, shown, _ = run_on_terminal(sys.argv[1:], "stderr")
    except OSError:  # a container without /dev/pts
        sys.exit(77)
    sys.stdout.buffer.write(shown)
    sys.exit(code)
