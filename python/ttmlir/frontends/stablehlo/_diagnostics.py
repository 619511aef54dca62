"""What cannot be imported: one error that names the op, its line and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ttmlir.errors import CompileError, Diagnostic
from ttmlir.frontends.stablehlo._locations import Place


class UnsupportedError(Exception):
    """An op of the source that TTIR cannot express, found while it is imported."""

    def __init__(self, op: str, reason: str, place: Place) -> None:
        super().__init__(f"'{op}': {reason}")
        self.op, self.reason, self.place = op, reason, place


def refusal(program: str, found: Sequence[UnsupportedError]) -> CompileError:
    """The error of a program with ops that cannot be expressed."""
    # What passes a value on is no more than the value.
    own = [f for f in found if not f.op.startswith("func.")] or list(found)
    found = list({(f.op, f.reason, f.place): f for f in own}.values())
    names = ", ".join(dict.fromkeys(f"'{f.op}'" for f in found))
    count = f"{len(found)} that cannot" if len(found) > 1 else "one that cannot"
    first = found[0]
    diagnostics = [
        Diagnostic(
            "error",
            f"expected ops that can be expressed, found {count}: {names}",
            str(first.place),
        )
    ]
    diagnostics += [Diagnostic("note", str(f), str(f.place)) for f in found]
    return CompileError(f"'{program}' cannot be imported", diagnostics)
