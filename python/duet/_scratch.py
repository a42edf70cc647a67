# SPDX-License-Identifier: Apache-2.0
"""Files by which Python and the library hand each other what has no other way, in memory where the
system has such."""
from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from typing import Callable, Iterator, Match, Union

from ._library import DuetError


def _in_memory(name: str) -> int:
    """A file without a place on a disk that has a path all the same; -1 where there is none."""
    try:
        descriptor = os.memfd_create(name)
    except (AttributeError, OSError):
        return -1
    if os.path.exists(f"/proc/self/fd/{descriptor}"):
        return descriptor
    os.close(descriptor)
    return -1


@contextmanager
def scratch(name: str, content: bytes = b"") -> Iterator[str]:
    """The path of a file of that content, for as long as this is entered. Its name in a message
    means nothing to the user."""
    descriptor = _in_memory(name)
    if descriptor < 0:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            yield path
        return
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        yield f"/proc/self/fd/{descriptor}"


@contextmanager
def about(path: str, said: "Union[str, Callable[[Match[str]], str]]") -> Iterator[None]:
    """An error that names that file, with line (group 1) and column where it has them, says what it
    is about instead."""
    try:
        yield
    except DuetError as fault:
        text = re.sub(rf"{re.escape(path)}(?::(\d+))?(?::\d+)?", said, str(fault))
        raise type(fault)(text) from None


def content_of(path: str) -> bytes:
    """What the library has written there."""
    with open(path, "rb") as file:
        return file.read()
