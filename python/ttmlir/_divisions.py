"""Divisions of a program over all chips of a system, compared by their modelled time."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from ttmlir import runtime
from ttmlir._link_bounds import link_seconds
from ttmlir._parallel import division
from ttmlir._progress import bar, working
from ttmlir._repeats import Repeats
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
#: The same for programs with stacked weights.
_EXPERT_PAIRS = (("data", "expert"), ("tensor", "expert"))

#: Compiles the program with a division.
Divide = Callable[[Mapping[str, int]], Any]


def divisions(chips: int, has_experts: bool = False) -> list[dict[str, int]]:
    """Returns the empty division, for one chip, and those over all chips, such as ``{"data": 2,
    "tensor": 4}``."""
    found: list[dict[str, int]] = [{}]
    if chips > 1:
        found += [{kind: chips} for kind in (*_SINGLE, *(["expert"] if has_experts else []))]
    for extent in range(2, chips):
        if chips % extent == 0:
            pairs = (*_PAIRS, *(_EXPERT_PAIRS if has_experts else ()))
            found += [{outer: extent, inner: chips // extent} for outer, inner in pairs]
    return found


def has_experts(executable: Any) -> bool:
    """Whether a program has stacked weights, such as those of the experts of a mixture."""
    shapes = [info.shape for info in executable.inputs if info.is_parameter]
    return any(len(shape) == 3 and shape[0] > 1 for shape in shapes)


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


def trials(divide: Divide, parts: Sequence[Mapping[str, int]]) -> Iterator[Trial]:
    """Compiles the program with each division and estimates its time; the first one is for one
    chip.

    Raises:
        Error: the time of the program is only known after a run.
    """
    for parallel in parts:
        try:
            executable = divide(parallel)
        except CompileError as error:
            yield Trial(parallel, error=reason_of(error))
            continue
        try:
            report = executable.estimate()
        except Error as error:
            if not parallel:
                raise
            # No links between the chips of the mesh.
            yield Trial(parallel, error=str(error))
            continue
        yield Trial(parallel, report)


def reason_of(error: CompileError) -> str:
    """Returns the message of the first error."""
    for diagnostic in error.diagnostics:
        if diagnostic.severity == "error":
            return diagnostic.message
    return str(error).splitlines()[0]


@dataclass(frozen=True)
class Dram:
    """The DRAM of a chip for tensors, in bytes of a channel."""

    channels: int
    bytes: int

    @staticmethod
    def of(desc: runtime.SystemDesc) -> Dram:
        """Reads the description of a system."""
        chip = json.loads(desc.as_json())["system_desc"]["chip_descs"][0]
        usable = chip["dram_unreserved_end"] - chip["dram_unreserved_base"]
        return Dram(chip["num_dram_channels"], usable)


@dataclass(frozen=True)
class Cost:
    """A division with the modelled time of a call on the chips, and the most bytes of a DRAM
    channel; infinite if it has no program, with the reason."""

    parallel: Mapping[str, int]
    seconds: float = inf
    bytes: float = inf
    error: str = ""


class Compiler(Protocol):
    """Compiles a program with divisions."""

    def divided(self, parallel: Mapping[str, int]) -> Any: ...
    def fewer_layers(self) -> tuple[Repeats, Compiler, Compiler] | None:
        """The equal layers of the program, and compilers of the program with ``FEW`` and ``MORE``
        of them."""
        ...


class _Search:
    """The search for the fastest division that fits in memory. It begins with one chip.

    Raises:
        CompileError: the program does not compile for one chip.
        Error: the time of the program is only known after a run.
    """

    def __init__(self, compiler: Compiler, desc: runtime.SystemDesc) -> None:
        self._compiler, self._layers = compiler, compiler.fewer_layers()
        self._capacity = Dram.of(desc).bytes
        chip = json.loads(desc.as_json())["system_desc"]["chip_descs"][0]
        self._arch = str(chip["arch"]).lower()
        one = self._compiled({})
        self._one = self._cost({}, one)
        self.costs = [self._one]
        self.parts = divisions(desc.num_chips, has_experts(one[0]))
        calls = [info.shape for info in one[0].inputs if not info.is_parameter and info.shape]
        self._batch = calls[0][0] if calls else 1

    @property
    def best(self) -> Cost:
        """The fastest so far that fits, or if none does, the one with the least memory."""
        fitting = [cost for cost in self.costs if cost.bytes <= self._capacity]
        if fitting:
            return min(fitting, key=lambda cost: cost.seconds)
        return min(self.costs, key=lambda cost: cost.bytes)

    def run(self) -> Iterator[None]:
        """Yields after each division over several chips, also after those that are left out."""
        pipelines = [part for part in self.parts if "pipeline" in part]
        for part in self.parts:
            if part and part not in pipelines:
                self.costs.append(self._measured(part))
                yield
        for part in pipelines:
            if self._may_win(part):
                self.costs.append(self._measured(part))
            yield

    def _may_win(self, part: Mapping[str, int]) -> bool:
        """Whether a pipeline would be the fastest if no stage ever waited for an earlier one but at
        the beginning."""
        stages = part["pipeline"]
        rest = {kind: count for kind, count in part.items() if kind != "pipeline"}
        whole = self._measured(rest) if rest else self._one
        if whole.error:
            return False
        share = (self._batch + stages - 1) / (max(self._batch, 1) * stages)
        best = self.best
        return best.bytes > self._capacity or whole.seconds * share < best.seconds

    def _measured(self, part: Mapping[str, int]) -> Cost:
        try:
            executables = self._compiled(part)
            best = self.best
            if best.bytes <= self._capacity and self._on_links(executables) >= best.seconds:
                return Cost(part, error="links alone take longer than the fastest division")
            return self._cost(part, executables)
        except Error as error:
            reason = reason_of(error) if isinstance(error, CompileError) else str(error)
            return Cost(part, error=reason)

    def _compiled(self, part: Mapping[str, int]) -> list[Any]:
        """Returns the program, or if layers repeat, programs with a few of them."""
        if self._layers is None or "pipeline" in part:
            return [self._compiler.divided(part)]
        return [compiler.divided(part) for compiler in self._layers[1:]]

    def _on_links(self, executables: Sequence[Any]) -> float:
        """Returns the least time of the collectives."""
        times = [link_seconds(executable, self._arch) for executable in executables]
        if self._layers is None or len(times) == 1:
            return times[0]
        return self._layers[0].extrapolated(*times)

    def _cost(self, part: Mapping[str, int], executables: Sequence[Any]) -> Cost:
        reports = [executable.estimate() for executable in executables]
        times = [seconds_on_chip(report) for report in reports]
        sizes = [float(report.dram_high_water) for report in reports]
        if self._layers is None or len(reports) == 1:
            return Cost(part, times[0], sizes[0])
        layers = self._layers[0]
        return Cost(part, layers.extrapolated(*times), layers.extrapolated(*sizes))


def fastest(compiler: Compiler, desc: runtime.SystemDesc) -> Mapping[str, int]:
    """Returns the fastest division that fits in memory. Of layers that repeat, a few are compiled;
    pipelines are left out that would be slower with stages that are always busy. If Ctrl-C ends the
    search after a division that compiles, returns the fastest one so far, with a warning.

    Raises:
        CompileError: the program does not compile for one chip.
        Error: the time of the program is only known after a run.
    """
    with working("parallel='auto': one chip"):
        search = _Search(compiler, desc)
    total = len(search.parts)
    tried = 1
    with bar("parallel='auto'", total) as done:
        try:
            done("one chip")
            for _ in search.run():
                tried += 1
                best = division_name(search.best.parallel) or "one chip"
                done(f"{tried} of {total}, best is {best}")
        except KeyboardInterrupt:
            best = division_name(search.best.parallel) or "one chip"
            warnings.warn(
                f"parallel: 'auto': interrupted, takes the best of {tried} of {total} "
                f"divisions, {best}",
                stacklevel=3,
            )
    return search.best.parallel
