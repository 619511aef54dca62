"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Error(Exception):
    """Base of every exception that this package raises itself."""


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler: ``severity`` is error, warning, note or remark."""

    severity: str
    message: str
    location: str

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        return f"{where}{self.severity}: {self.message}"


class CompileError(Error):
    """The program does not parse, verify or lower.

    ``diagnostics`` has the compiler's messages in order; the text of the exception is all of them.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join([message, *map(str, self.diagnostics)]))


class InputError(Error, ValueError):
    """Inputs of a call are wrong in count, shape or dtype."""
