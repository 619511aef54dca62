"""Runs programs of kernels."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir._numerics import Numerics, option_of
from ttmlir._trace_files import format_of, save
from ttmlir.debugger._logs import print_line
from ttmlir.errors import InputError
from ttmlir.executable import Executable
from ttmlir.kernel._declarations import Declarations
from ttmlir.kernel._resources import Array
from ttmlir.report import Report
from ttmlir.runtime import TraceFilter


@dataclass(frozen=True)
class Print:
    """A line that ``kernel.dprint`` printed on a core (row, column) of the chip at the position
    ``device`` of the mesh, which is None for one chip."""

    core: tuple[int, int]
    thread: str
    text: str
    device: int | None = None

    def __str__(self) -> str:
        where = "" if self.device is None else f"device {self.device} "
        return f"{where}({self.core[0]}, {self.core[1]}) {self.thread}: {self.text}"

    @property
    def dprint(self) -> str:
        """The line as tt-metal's debug print server prints it: ``0:(x=0,y=0):BR: text``."""
        return print_line(self.core, self.thread, self.text, self.device or 0)


@dataclass(frozen=True)
class Result:
    """The results of a run: arrays by output name (on a mesh a tuple with one for each chip),
    printed lines by chip, core and thread, and the report if requested. ``checked`` has the kinds
    of checks that were enabled, and ``notes`` findings that may be intended: pages that a kernel
    leaves in a circular buffer."""

    outputs: Mapping[str, Any]
    prints: tuple[Print, ...]
    report: Report | None
    checked: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.outputs[name]


def run(
    program: Declarations,
    executable: Executable,
    inputs: Mapping[str, Any],
    *,
    checks: bool | Collection[str],
    numerics: Numerics,
    step_limit: int | None,
    report: bool,
    trace: str | os.PathLike[str] | None,
    trace_filter: TraceFilter | None,
    host_threads: int | None,
) -> Result:
    """See ``Program.run``."""
    arithmetic = option_of(numerics)
    if trace is not None:
        format_of(trace)
    names = [t.name for t in program.tensors if t.role == "input"]
    if set(inputs) != set(names):
        raise InputError(
            f"{program.name}: expected the inputs {', '.join(names) or '(none)'}, "
            f"found {', '.join(inputs) or '(none)'}"
        )
    device = executable.device
    options = runtime.get_device_options(device)
    options.checks = bool(checks)
    if not isinstance(checks, bool):
        try:
            options.check_kinds = list(checks)
        except runtime.ArgumentError as error:
            raise InputError(f"checks: {error}") from None
    options.numerics = arithmetic
    if step_limit is not None:
        options.step_limit = step_limit
    timeline = trace is not None and (trace_filter or True)
    with _configured(device, options, report, timeline, host_threads):
        results = executable(
            *(_given(program, name, inputs[name]) for name in names),
            device=device,
            keep_on_device=True,
        )
        prints = runtime.get_debug_prints(device)
        notes = tuple(runtime.get_notes(device))
        found = Report.from_runtime(runtime.get_report(device)) if report else None
        if trace is not None:
            save(runtime.get_report(device).trace, trace)
    return Result(
        _named(program, results),
        tuple(
            Print(
                (line.core[0], line.core[1]),
                line.thread,
                line.text,
                line.device if program.chips > 1 else None,
            )
            for line in prints
        ),
        found,
        frozenset(options.check_kinds if options.checks else ()),
        notes,
    )


def _given(program: Declarations, name: str, value: Any) -> Any:
    """Converts an input for the executable: a list becomes a tensor of the mesh."""
    if program.chips == 1 or not isinstance(value, (list, tuple)):
        return value
    mesh = "x".join(map(str, program.mesh))
    if len(value) != program.chips:
        raise InputError(
            f"{program.name}: expected {program.chips} arrays for '{name}', one for each chip of "
            f"mesh {mesh}, found {len(value)}"
        )
    shards = [runtime.from_numpy(np.ascontiguousarray(array)) for array in value]
    return runtime.create_multi_device_host_tensor(shards, list(program.mesh))


def _named(program: Declarations, results: Any) -> dict[str, Any]:
    names = [t.name for t in program.tensors if t.role == "output"]
    values = results if isinstance(results, tuple) else (results,)
    return {name: _taken(program, value) for name, value in zip(names, values, strict=True)}


def _taken(program: Declarations, value: runtime.Tensor) -> Array | tuple[Array, ...]:
    arrays = tuple(map(runtime.to_numpy, runtime.get_shards(value)))
    return arrays if program.chips > 1 else arrays[0]


@contextmanager
def _configured(
    device: runtime.Device,
    options: runtime.DeviceOptions,
    report: bool,
    trace: bool | TraceFilter,
    host_threads: int | None,
) -> Iterator[None]:
    """Yields the shared device, configured with the options of one run."""
    before, threads = runtime.get_device_options(device), runtime.get_num_threads()
    runtime.set_device_options(device, options)
    if host_threads is not None:
        runtime.set_num_threads(host_threads)
    if report or trace:
        runtime.enable_report(device, True, trace=trace)
    try:
        yield
    finally:
        runtime.set_device_options(device, before)
        runtime.set_num_threads(threads)
        if report or trace:
            runtime.enable_report(device, False)
