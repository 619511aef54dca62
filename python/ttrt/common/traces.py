"""The timeline of `ttrt perf`: options, and the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrt.common.errors import TTRTError

if TYPE_CHECKING:
    from ttmlir.runtime import TraceFilter

#: File suffixes by --trace-format.
SUFFIXES = {"json": ".json", "perfetto": ".pftrace"}


def filter_of(options: Mapping[str, Any]) -> TraceFilter:
    """Returns the trace filter of the options; raises TTRTError if they are invalid."""
    from ttmlir import runtime

    begin, end = _window(options["trace-window"])
    try:
        return runtime.TraceFilter(
            tracks=_list(options["trace-tracks"]),
            ops=_list(options["trace-ops"]),
            devices=[d for x in _list(options["trace-devices"]) for d in _range(x, "devices")],
            cores=[core for item in options["trace-cores"].split() for core in _cores(item)],
            window=(begin, end),
            limit=options["trace-limit"],
        )
    except (ValueError, TypeError) as error:
        raise TTRTError(f"options of the trace: {error}") from None


def save(
    write: Callable[[Path], None], folder: Path, program: int, kind: str, what: str = "trace"
) -> str:
    """Writes ``<program>.trace.json`` or ``.pftrace``; returns the reason if it cannot."""
    try:
        write(folder / f"{program}.{what}{SUFFIXES[kind]}")
    except ValueError as error:
        return f"program {program} has no {what}: {error}"
    return ""


def _list(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _range(text: str, name: str) -> range:
    """Parses ``3`` or ``0-3``."""
    match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text)
    if not match:
        raise TTRTError(
            f"argument 'trace-{name}': expected a number or a range such as 0-3, found {text!r}"
        )
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _cores(text: str) -> list[tuple[int, int]]:
    """Parses ``0,0`` or ``0-3,0-7``: rows and columns."""
    rows, comma, columns = text.partition(",")
    if not comma:
        raise TTRTError(
            f"argument 'trace-cores': expected rows,columns such as 0,0 or 0-3,0-7, found {text!r}"
        )
    return [(y, x) for y in _range(rows, "cores") for x in _range(columns, "cores")]


def _window(text: str) -> tuple[float, float]:
    """Parses ``BEGIN:END`` in cycles; both are optional."""
    begin, colon, end = text.partition(":")
    try:
        if text and not colon:
            raise ValueError
        return float(begin or 0), float(end or "inf")
    except ValueError:
        raise TTRTError(
            f"argument 'trace-window': expected cycles as BEGIN:END, found {text!r}"
        ) from None
