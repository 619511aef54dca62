"""Searches for compile options that make a program faster, by compiling it with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from ttmlir import _metrics
from ttmlir._options import PipelineOptions
from ttmlir._report import tables
from ttmlir.advice import MIN_GAIN, Advice, Keywords, Suggestion
from ttmlir.errors import Error
from ttmlir.report import OpReport, Report

#: The number of most expensive ops that get individual trials.
MAX_OPS = 4
FIDELITIES = ("lofi", "hifi2", "hifi3", "hifi4")
LAYOUTS = ("l1:block_sharded", "l1:height_sharded", "l1:width_sharded", "l1:interleaved")


class Compiled(Protocol):
    """The part of an executable that trials need."""

    def estimate(self, *, program: int | str = 0) -> Report: ...
    def run_reported(
        self, program: int | str, inputs: Sequence[Any] | None
    ) -> tuple[Report, list[Any]]: ...


class Recompile(Protocol):
    """Compiles the source of an executable with other options."""

    @property
    def options(self) -> PipelineOptions: ...
    def __call__(self, keywords: Keywords) -> Any: ...


@dataclass(frozen=True)
class _Change:
    keywords: Keywords
    reason: str


@dataclass
class Advisor:
    """Searches for faster options.

    Args:
        compile: makes an executable with changed options.
        program: index or name.
        inputs: of the program, to compare results; None to compare only times.
        trials: the maximum number of programs to compile.
    """

    compile: Callable[[Keywords], Compiled]
    program: int | str
    inputs: Sequence[Any] | None
    trials: int
    made: int = 0
    _tried: dict[str, float | None] = field(default_factory=dict)

    def advise(self, executable: Compiled, options: PipelineOptions, limit: int) -> Advice:
        """Tries changes of the options, and returns the best ones."""
        base = self.report(executable)
        before = run_seconds(base)
        found = []
        for change in changes(options, base):
            after = self.time(change.keywords)
            if after is not None and after <= before * (1 - MIN_GAIN):
                found.append(Suggestion(change.keywords, change.reason, before, after))
        found.sort(key=lambda suggestion: suggestion.after)
        found = found[:limit]
        together = self._combine(found, options)
        if self.inputs is not None:
            _, expected = executable.run_reported(self.program, self.inputs)
            found = [s for s in (self._compared(s, expected) for s in found) if s]
            together = together and self._compared(together, expected)
        return Advice(base.program, before, tuple(found), together, self.made)

    def report(self, executable: Compiled) -> Report:
        """Returns the cost, without a run if possible."""
        try:
            return executable.estimate(program=self.program)
        except Error:
            return executable.run_reported(self.program, self.inputs)[0]

    def time(self, keywords: Keywords) -> float | None:
        """Returns the seconds of a run, or None if the program does not compile or run, or no
        trials are left."""
        key = repr(sorted(keywords.items()))
        if key not in self._tried:
            if self.made >= self.trials:
                return None
            self.made += 1
            try:
                self._tried[key] = run_seconds(self.report(self.compile(keywords)))
            except Error:
                self._tried[key] = None
        return self._tried[key]

    def _combine(self, found: Sequence[Suggestion], options: PipelineOptions) -> Suggestion | None:
        """Adds suggestions to the best one as long as each makes the program faster."""
        if not found:
            return None
        chosen, best = [found[0]], found[0].after
        for other in found[1:]:
            keywords = _merged([*chosen, other], options)
            after = keywords and self.time(keywords)
            if after and after <= best * (1 - MIN_GAIN):
                chosen, best = [*chosen, other], after
        keywords = _merged(chosen, options)
        if len(chosen) == 1 or not keywords:
            return None
        reason = (
            "All these changes." if len(chosen) == len(found) else "The changes whose gains add up."
        )
        return Suggestion(keywords, reason, found[0].before, best)

    def _compared(self, suggestion: Suggestion, expected: Sequence[Any]) -> Suggestion | None:
        """Returns the suggestion with its accuracy, or None if the program does not run."""
        try:
            compiled = self.compile(suggestion.keywords)
            _, results = compiled.run_reported(self.program, self.inputs)
        except Error:
            return None
        pairs = zip(expected, results, strict=True)
        correlation = min((_correlation(want, got) for want, got in pairs), default=1.0)
        return replace(suggestion, correlation=correlation)


def run_seconds(report: Report) -> float:
    """Returns the seconds on the chip, without transfers to and from the host."""
    return report.parts("run").total / report.clock_hz


def _correlation(expected: Any, found: Any) -> float:
    """Returns Pearson's correlation; for constants 1 if they are equal, else 0."""
    accuracy = _metrics.compare(np.asarray(expected), np.asarray(found))
    if accuracy.special:
        return 0.0
    if accuracy.correlation is None:
        return float(accuracy.max_error == 0)
    return accuracy.correlation


def _merged(suggestions: Sequence[Suggestion], options: PipelineOptions) -> Keywords | None:
    """Returns the keywords of all, with overrides of several ops as one mapping; None if two
    contradict each other."""
    merged: dict[str, Any] = {}
    for suggestion in suggestions:
        for name, value in suggestion.keywords.items():
            known = merged.setdefault(name, value)
            if isinstance(known, Mapping) and isinstance(value, Mapping):
                present = getattr(options, name) or {}
                own = {op: new for op, new in value.items() if new != present.get(op)}
                if any(known.get(op, new) not in (new, present.get(op)) for op, new in own.items()):
                    return None
                merged[name] = {**known, **own}
            elif known != value:
                return None
    return merged


def changes(options: PipelineOptions, report: Report) -> Iterator[_Change]:
    """Yields changes of the options: for the whole program, then for its most expensive ops."""
    names = set(vars(options))
    for keywords, reason in _WHOLE:
        own = {k: v for k, v in keywords.items() if k in names and getattr(options, k) != v}
        if own and keywords.keys() <= names:
            yield _Change(own, reason)
    ops = [op for op in report.ops if op.phase == "run"]
    used = {op.fidelity for op in ops if op.fidelity}
    for fidelity in FIDELITIES:
        if any(FIDELITIES.index(u) > FIDELITIES.index(fidelity) for u in used):
            text = f"All products take {_phases(fidelity)}."
            yield _Change({"math_fidelity": fidelity}, text)
    ops.sort(key=lambda op: op.cycles, reverse=True)
    # An op may have several rows, since its conversions have the same name.
    named: dict[str, OpReport] = {}
    for op in ops:
        if op.label and " + " not in op.label:
            named.setdefault(op.label, op)
    for op in list(named.values())[:MAX_OPS]:
        yield from _of_op(op, options, report)


def _of_op(op: OpReport, options: PipelineOptions, report: Report) -> Iterator[_Change]:
    share = f"takes {tables.time(op.cycles / report.clock_hz)} on {op.cores} cores"
    if op.fidelity and op.bound == "compute":
        for fidelity in FIDELITIES[: FIDELITIES.index(op.fidelity)]:
            change = {**(getattr(options, "override_compute_config", None) or {})}
            change[op.label] = fidelity
            text = f"The product {op.label} {share}; it then takes {_phases(fidelity)}."
            yield _Change({"override_compute_config": change}, text)
    if not hasattr(options, "override_output_layout"):
        return
    present = options.override_output_layout or {}
    if op.label in present:
        rest = {name: layout for name, layout in present.items() if name != op.label} or None
        text = f"{op.label} {share}, in the layout of the override; the optimizer then chooses."
        yield _Change({"override_output_layout": rest}, text)
    for layout in LAYOUTS:
        if any(_layout_of(use.memory, use.sharding) == layout for use in op.results):
            continue
        text = f"{op.label} {share}; its result then has another layout."
        yield _Change({"override_output_layout": {**present, op.label: layout}}, text)


def _layout_of(memory: str, sharding: str) -> str:
    return f"{memory}:{sharding}"


def _phases(fidelity: str) -> str:
    count = FIDELITIES.index(fidelity) + 1
    return "one multiplier phase" if count == 1 else f"{count} multiplier phases"


#: Changes to the options of a backend, for the whole program.
_WHOLE: tuple[tuple[dict[str, Any], str], ...] = (
    ({"optimization_level": 1}, "Calls are fused, and results stay in L1."),
    ({"default_memory_space": "l1"}, "Results stay in L1 where there is room."),
    ({"weight_dtype": "bfp_bf8"}, "Weights are in 8-bit block floats."),
    (
        {"weight_dtype": "bfp_bf8", "activation_dtype": "bfp_bf8"},
        "Weights and activations are in 8-bit block floats.",
    ),
    (
        {"weight_dtype": "bfp_bf4", "activation_dtype": "bfp_bf8"},
        "Weights are in 4-bit, activations in 8-bit block floats.",
    ),
    ({"math_approx_mode": True}, "The vector engine's functions are approximate."),
)
