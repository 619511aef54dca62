"""Parses names and source positions in MLIR locations."""

from __future__ import annotations

import re

#: A string, followed by a line number if it is a file.
_STRING = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?::(?P<line>\d+))?')
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)")
#: The metadata of a fused location.
_METADATA = re.compile(r"\bfused<[^\[]*>\[")


def _strings(text: str) -> list[tuple[str, str, bool]]:
    """Returns the strings of a location, or of the location at the end of an operation's text: the
    string, its line, and whether it is the position of the preceding name."""
    location = text[text.rfind(" loc(") + 1 :]
    if not location.startswith("loc("):
        return []
    location = _METADATA.sub("fused[", location)
    return [
        (
            _ESCAPE.sub(lambda e: chr(int(e[1], 16)) if len(e[1]) == 2 else e[1], m["text"]),
            m["line"] or "",
            location[: m.start()].endswith('"('),
        )
        for m in _STRING.finditer(location)
    ]


def source(text: str) -> str:
    """Returns ``file:line``, the last one of a fused location; empty if there is none."""
    places = [f"{name}:{line}" for name, line, _ in _strings(text) if line]
    return places[-1] if places else ""


def names(text: str) -> list[str]:
    """Returns the name, or all names of a fused location in order; the last one is the name of the
    op whose value it is."""
    found = [name for name, line, inside in _strings(text) if not line and not inside]
    return list(dict.fromkeys(found))


def label(text: str) -> str:
    """Returns the name, or all names of a fused location joined by `` + ``; empty if there is
    none."""
    return " + ".join(names(text))
