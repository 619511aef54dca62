"""The location of an op in the source: the Python line and JAX's name of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: A string in a location, followed by line and column if it is a file.
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?::(\d+):(\d+))?')
#: A file of an installed package.
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
#: The transformations at the start of JAX's names.
_JITS = re.compile(r"^(?:(?:jit|pjit|jvp|vmap|transpose)\([^/]*\)/)+")


@dataclass(frozen=True)
class Place:
    """A line of the user's program, and the op's name in it."""

    name: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.file else self.name


def place_of(location: Any) -> Place:
    """Returns the innermost line of a location in the user's code: JAX omits its own frames, and
    those of other installed packages count only if there are no others.

    Args:
        location: a location of jaxlib's bindings, whose text is the same in all releases.
    """
    found = _STRING.findall(str(location))
    name = next((text for text, line, _ in found if not line), "")
    if not found or found[0][0] != name or found[0][1]:
        name = ""
    frames = [(text, int(line), int(column)) for text, line, column in found if line]
    own = [frame for frame in frames if not _INSTALLED.search(frame[0])]
    file, line, column = next(iter(own or frames), ("", 0, 0))
    short = _JITS.sub("", name)
    return Place(short or name, file, line, column)


def called_at(own: Place, calls: Sequence[Place]) -> Place:
    """Returns the location of an op, or of the innermost call of its function if the op has no
    line; ``calls`` end with the innermost."""
    if own.file:
        return own
    outer = next((p for p in reversed(calls) if p.file), None)
    return Place(own.name, outer.file, outer.line, outer.column) if outer else own
