"""Output paths."""

from __future__ import annotations

from pathlib import Path

from ttrt.common.errors import TTRTError


def fresh(path: Path) -> Path:
    """Returns the path after removing a file or link there; a link is not followed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise TTRTError(f"cannot write to '{path}': {error.strerror}") from None
    return path
