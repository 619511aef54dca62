"""Places where a command writes."""

from __future__ import annotations

from pathlib import Path

from ttrt.common.errors import TTRTError


def fresh(path: Path) -> Path:
    """The path, with nothing there: a link of that name is replaced, and not followed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise TTRTError(f"cannot write to '{path}': {error.strerror}") from None
    return path
