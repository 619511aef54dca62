"""Exceptions of ttrt."""

from __future__ import annotations

from typing import Any


class TTRTError(Exception):
    """A command failed.

    ``results`` holds the entries of the JSON report so far, one for each file.
    """

    def __init__(self, message: str, results: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.results = results or []


class SkipFile(TTRTError):
    """A file is for another version or system: an error if it was named itself, else a skip."""


class GoldenMismatch(TTRTError):
    """An output differs from its golden."""
