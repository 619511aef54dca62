"""Reports unsupported ops: one error that names the ops, their locations and possible remedies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ttmlir.errors import CompileError, Diagnostic


class Place(Protocol):
    """The location of an op in the source."""

    @property
    def line_text(self) -> str: ...


class UnsupportedError(Exception):
    """An op of the source that TTIR cannot express, found during import."""

    def __init__(self, op: str, reason: str, place: Place) -> None:
        super().__init__(f"'{op}': {reason}")
        self.op, self.reason, self.place = op, reason, place


def refusal(program: str, found: Sequence[UnsupportedError]) -> CompileError:
    """Creates the error of a program with unsupported ops."""
    found = list({(f.op, f.reason, f.place.line_text): f for f in found}.values())
    names = ", ".join(dict.fromkeys(f"'{f.op}'" for f in found))
    count = f"{len(found)} that cannot" if len(found) > 1 else "one that cannot"
    diagnostics = [
        Diagnostic(
            "error",
            f"expected ops that can be expressed, found {count}: {names}",
            found[0].place.line_text,
        )
    ]
    diagnostics += [Diagnostic("note", str(f), f.place.line_text) for f in found]
    return CompileError(f"'{program}' cannot be imported", diagnostics)
