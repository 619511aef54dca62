"""Divisions of a program over all chips of a system, compared by their modelled time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttmlir._parallel import division
from ttmlir._progress import bar
from ttmlir.errors import CompileError, Error

if TYPE_CHECKING:
    from ttmlir.report import Report

#: Kinds of parallelism on one axis of the mesh, and on two.
_SINGLE = ("data", "tensor", "sequence", "pipeline")
_PAIRS = (
    ("data", "tensor"),
    ("data", "sequence"),
    ("sequence", "tensor"),
    ("data", "pipeline"),
    ("pipeline", "tensor"),
)

#: Compiles the program with a division.
Divide = Callable[[Mapping[str, int]], Any]


def divisions(chips: int) -> list[dict[str, int]]:
    """Returns the empty division, for one chip, and those over all chips, such as ``{"data": 2,
    "tensor": 4}``."""
    found: list[dict[str, int]] = [{}]
    if chips > 1:
        found += [{kind: chips} for kind in _SINGLE]
    for extent in range(2, chips):
        if chips % extent == 0:
            found += [{outer: extent, inner: chips // extent} for outer, inner in _PAIRS]
    return found


def division_name(parallel: Mapping[str, int]) -> str:
    """Returns a short name of a division, such as ``data 2 x tensor 4``; empty for one chip."""
    return " x ".join(f"{kind} {count}" for kind, count in parallel.items())


@dataclass(frozen=True)
class Trial:
    """A division with the report of its program, or the reason why it has none."""

    parallel: Mapping[str, int]
    report: Report | None = None
    error: str = ""

    @property
    def name(self) -> str:
        """A short name of the division."""
        return division_name(self.parallel) or "one chip"

    @property
    def seconds(self) -> float:
        """The time of a call on the chips, without transfers to and from the host."""
        return float("inf") if self.report is None else seconds_on_chip(self.report)


def seconds_on_chip(report: Report) -> float:
    """The time of a call without host transfers."""
    if report.pipeline:
        return report.pipeline.seconds
    return sum(op.cycles for op in report.ops if not op.host_bytes) / report.clock_hz


def options_of(parallel: Mapping[str, int], chips: int) -> dict[str, Any]:
    """Returns the pipeline options of a division."""
    if not parallel:
        return {"mesh_shape": (), "parallelism": ()}
    chosen = division(parallel, (), chips)
    return {"mesh_shape": chosen.mesh_shape, "parallelism": chosen.kinds}


def trials(divide: Divide, chips: int) -> Iterator[Trial]:
    """Compiles the program with each division and estimates its time.

    Raises:
        Error: the time of the program is only known after a run.
    """
    for parallel in divisions(chips):
        try:
            executable = divide(parallel)
        except CompileError as error:
            yield Trial(parallel, error=reason_of(error))
            continue
        yield Trial(parallel, executable.estimate())


def reason_of(error: CompileError) -> str:
    """Returns the message of the first error."""
    for diagnostic in error.diagnostics:
        if diagnostic.severity == "error":
            return diagnostic.message
    return str(error).splitlines()[0]


def fastest(divide: Divide, chips: int) -> Mapping[str, int]:
    """Returns the fastest division. If Ctrl-C ends the search after a
    division that compiles, returns the fastest one so far, with a warning.

    Raises:
        Error: no division compiles, or the time of the program is only known after a run.
    """
    total = len(divisions(chips))
    found: list[Trial] = []
    with bar("parallel='auto'", total) as done:
        try:
            for trial in trials(divide, chips):
                found.append(trial)
                best = min(found, key=lambda other: other.seconds)
                done(f"{len(found)} of {total}, best is {best.name}")
        except KeyboardInterrupt:
            if all(trial.report is None for trial in found):
                raise
            warnings.warn(
                f"parallel: 'auto': interrupted, takes the best of {len(found)} of {total} "
                f"divisions, {best.name}",
                stacklevel=3,
            )
    if best.report is None:
        raise Error(f"parallel: 'auto': the program does not compile: {best.error}")
    return best.parallel
