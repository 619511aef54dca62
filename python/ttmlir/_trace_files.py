"""Saves timelines to files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ttmlir._files import shown, written
from ttmlir.errors import InputError

if TYPE_CHECKING:
    from ttmlir import runtime

#: Trace formats by file suffix.
FORMATS = {".json": "json", ".pftrace": "perfetto", ".perfetto-trace": "perfetto"}


def format_of(path: str | os.PathLike[str]) -> str:
    """Returns the trace format of a file.

    Raises:
        InputError: the suffix is unknown.
    """
    suffix = Path(path).suffix
    if suffix not in FORMATS:
        raise InputError(
            f"{shown(path)}: expected a suffix of a trace, {', '.join(FORMATS)}, "
            f"found {suffix or 'none'}"
        )
    return FORMATS[suffix]


def save(trace: runtime.Trace | None, path: str | os.PathLike[str]) -> None:
    """Writes a timeline in the format of the file's suffix: see ``ttmlir.Report.save_trace``."""
    kind = format_of(path)
    if trace is None:
        raise InputError("the report has no timeline: expected a run with trace=True")
    with written(path) as file:
        trace.write(file.write, kind)
