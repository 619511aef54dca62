"""Locations of MLIR as text: the names and the places in them."""

from __future__ import annotations

import re

#: A string, with a line behind it if it is a file.
_STRING = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?::(?P<line>\d+))?')
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2}|.)")
#: What a fusion says about itself.
_METADATA = re.compile(r"\bfused<[^\[]*>\[")


def _strings(text: str) -> list[tuple[str, str, bool]]:
    """The strings of a location, or of the one that an operation's text ends with: text, line, and
    whether it is the place of the name before it."""
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
    """``file:line``, the last one of a fused location; empty without one."""
    places = [f"{name}:{line}" for name, line, _ in _strings(text) if line]
    return places[-1] if places else ""


def names(text: str) -> list[str]:
    """The name, or all names of a fused location in their order; the last one is that of the op
    whose value it is."""
    found = [name for name, line, inside in _strings(text) if not line and not inside]
    return list(dict.fromkeys(found))


def label(text: str) -> str:
    """The name, or all names of a fused location with `` + `` between; empty without one."""
    return " + ".join(names(text))
