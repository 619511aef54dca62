"""Compares the results of a program's ops with a reference."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ttmlir._files import written
from ttmlir._numerics import Numerics
from ttmlir._report.comparison_tables import sparkline, table
from ttmlir.errors import InputError

#: The reason why an intermediate value of an op is not compared.
PART = "a part of the op"


@dataclass(frozen=True)
class OpComparison:
    """The result of an op, or an output of the program, compared with the reference.

    ``name`` is the name of the op in the source, ``label`` has the names of all ops that were fused
    into it, ``op`` is its kind in the program, ``source`` is ``file:line``. ``dtype`` is the format
    of the result, and ``precision`` the coarsest format it depends on, which determines the limits.

    ``pcc`` is Pearson's correlation, None if undefined; ``max_error`` the greatest absolute
    difference; ``relative_error`` the root mean square of the differences relative to that of the
    expected values; ``special`` counts NaN and infinities in one of the two only. If the result was
    not compared, ``reason`` gives the reason, and these are None. ``note`` describes the order of
    elements in which it was compared, if it differs.
    """

    index: int
    name: str
    label: str
    op: str
    source: str
    dtype: str
    precision: str
    shape: tuple[int, ...]
    pcc: float | None = None
    max_error: float | None = None
    relative_error: float | None = None
    special: int | None = None
    is_off: bool = False
    reason: str = ""
    note: str = ""

    @property
    def is_compared(self) -> bool:
        """Whether there was a reference value."""
        return not self.reason

    @property
    def is_part(self) -> bool:
        """Whether it is an intermediate step of an op of the source."""
        return self.reason == PART


@dataclass(frozen=True)
class Comparison:
    """Results of a program compared with a reference: see ``Executable.compare``.

    ``ops`` are in program order, ``outputs`` are the returned values; ``missing`` names ops of the
    reference without a result in the program: they were fused, folded at compile time, or
    removed. ``numerics`` is the arithmetic of the run.
    """

    program: str
    backend: str
    reference: str
    ops: tuple[OpComparison, ...]
    outputs: tuple[OpComparison, ...]
    missing: tuple[str, ...] = ()
    numerics: Numerics = "fast"

    @property
    def compared(self) -> tuple[OpComparison, ...]:
        """The ops with a reference value."""
        return tuple(op for op in self.ops if op.is_compared)

    @property
    def not_compared(self) -> tuple[OpComparison, ...]:
        """The outputs without a reference value: nothing is known about them."""
        return tuple(row for row in self.outputs if not row.is_compared)

    @property
    def first_off(self) -> OpComparison | None:
        """The first op that is off, or an output if no op is."""
        return next((row for row in (*self.ops, *self.outputs) if row.is_off), None)

    @property
    def min_pcc(self) -> float | None:
        """The least correlation of all comparisons; None if none is defined."""
        rows = (*self.ops, *self.outputs)
        return min((row.pcc for row in rows if row.pcc is not None), default=None)

    def text(self, *, parts: bool = False) -> str:
        """The comparison as a table, as by ``str``: a row for each op of the source that has a
        value in the program, and for each output.

        Args:
            parts: also show intermediate steps of ops, which are not compared.
        """
        rows = [op for op in self.ops if parts or not op.is_part]
        lines = [table(self.title(), [*rows, *self.outputs])]
        if line := sparkline(self.compared):
            lines.append(f"relative error along the program: {line}")
        if hidden := len(self.ops) - len(rows):
            lines.append(f"{hidden:,} more results are parts of these ops")
        if self.missing:
            lines.append(f"{len(self.missing):,} ops of the reference have no result of their own")
        lines.append(self.verdict())
        return "\n".join(lines)

    def title(self) -> str:
        """One line: the program and the reference."""
        exact = ", exact numerics," if self.numerics == "exact" else ""
        return f"{self.program} on {self.backend}{exact} beside {self.reference}"

    def verdict(self) -> str:
        """One line: the outputs that were not compared, and the first op that is off."""
        compared = f"{len(self.compared):,} ops and {len(self._outputs()):,} outputs compared"
        if blind := self.not_compared:
            compared = (
                f"{len(blind):,} of {len(self.outputs):,} outputs not compared "
                f"({blind[0].name}: {blind[0].reason}); {compared}"
            )
        if (first := self.first_off) is None:
            if not self.compared and not self._outputs():
                return compared
            return f"{compared}: none {'of these ' if blind else ''}is off"
        off = sum(row.is_off for row in (*self.ops, *self.outputs))
        place = f" ({first.source})" if first.source else ""
        return f"{compared}, {off:,} off; the first one is {first.name}{place}"

    def __str__(self) -> str:
        return self.text()

    def as_dict(self) -> dict[str, Any]:
        """Returns everything as JSON-compatible values."""
        return {
            "program": self.program,
            "backend": self.backend,
            "numerics": self.numerics,
            "reference": self.reference,
            "first_off": self.first_off and self.first_off.name,
            "ops": [_entry(row) for row in self.ops],
            "outputs": [_entry(row) for row in self.outputs],
            "missing": list(self.missing),
        }

    def to_json(self) -> str:
        """Returns the same as JSON text; an infinite error becomes ``null``."""
        return json.dumps(self.as_dict(), indent=2, allow_nan=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the comparison in the format of the file's suffix: ``.json``; ``.svg``, a chart of
        the error along the program; or ``.html``, a self-contained page with both.

        Raises:
            InputError: the path has another suffix.
            FileError: the file cannot be written.
        """
        from ttmlir.pages import comparison_page, comparison_picture

        writers = {
            ".json": lambda: self.to_json() + "\n",
            ".svg": lambda: comparison_picture(self),
            ".html": lambda: comparison_page(self),
        }
        suffix = Path(path).suffix.lower()
        if suffix not in writers:
            raise InputError(
                f"'{os.fspath(path)}': expected a suffix of {', '.join(writers)}, "
                f"found {suffix or 'none'}"
            )
        content = writers[suffix]().encode()
        with written(path) as file:
            file.write(content)

    def _repr_html_(self) -> str:
        from ttmlir.pages import comparison_frame

        return comparison_frame(self)

    def _outputs(self) -> list[OpComparison]:
        return [row for row in self.outputs if row.is_compared]


def _entry(row: OpComparison) -> dict[str, Any]:
    """Returns a row for JSON, which cannot represent infinity."""
    found = asdict(row)
    return {
        k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in found.items()
    }
