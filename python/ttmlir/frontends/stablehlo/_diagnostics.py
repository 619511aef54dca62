"""Reports unsupported ops: one error that names the op, its line and a remedy."""

from __future__ import annotations

from collections.abc import Sequence

from ttmlir.errors import CompileError, Diagnostic
from ttmlir.frontends.stablehlo._locations import Place


class UnsupportedError(Exception):
    """An op of the source that TTIR cannot express, found during import."""

    def __init__(self, op: str, reason: str, place: Place) -> None:
        super().__init__(f"'{op}': {reason}")
        self.op, self.reason, self.place = op, reason, place


def refusal(program: str, found: Sequence[UnsupportedError]) -> CompileError:
    """Creates the error of a program with unsupported ops."""
    # An op that only forwards an unsupported value is not reported again.
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
