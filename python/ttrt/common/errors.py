"""The exceptions of ttrt."""

from __future__ import annotations

from typing import Any


class TTRTError(Exception):
    """A command could not do what it was asked for.

    ``results`` holds the entries of the JSON report up to then, one for each file.
    """

    def __init__(self, message: str, results: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.results = results or []


class SkipFile(TTRTError):
    """A file does not belong to this version or system: an error if it was named, else a skip."""


class GoldenMismatch(TTRTError):
    """An output is not what the requested check expects."""
