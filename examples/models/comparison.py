"""Shared code of the examples with real models: formats, programs by shape, and tables."""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

import ttmlir
from ttmlir.report import TimeParts

Array = np.ndarray[Any, np.dtype[Any]]
Key = TypeVar("Key", bound=Hashable)
Program = TypeVar("Program", bound=Callable[..., Any])
#: Formats of weights; with block floats, activations are bf16.
FORMATS = ("f32", "bf16", "bfp8_b")
#: Chips to model the time for; programs run on the first.
TARGETS = ("n150", "p150")


def add_dtype(parser: argparse.ArgumentParser) -> None:
    """Adds the argument ``--dtype``, which may be given more than once."""
    text = "a format of the weights (default: all three)"
    parser.add_argument("--dtype", action="append", choices=FORMATS, help=text)


@dataclass
class Programs(Generic[Key, Program]):
    """Programs by shape, compiled on first use, with the host's time in seconds."""

    compiled: Callable[[Key], Program]
    programs: dict[Key, Program] = field(default_factory=dict[Key, Program])
    compile_seconds: float = 0.0
    call_seconds: float = 0.0
    calls: Counter[Key] = field(default_factory=Counter[Key])

    def __call__(self, key: Key, *arguments: Any) -> Any:
        if key not in self.programs:
            start = time.perf_counter()
            self.programs[key] = self.compiled(key)
            self.compile_seconds += time.perf_counter() - start
        start = time.perf_counter()
        found = self.programs[key](*arguments)
        self.call_seconds += time.perf_counter() - start
        self.calls[key] += 1
        return found


@dataclass(frozen=True)
class Outcome:
    """Results of a format: the error, the modelled seconds of each target, and the host's seconds
    to compile and to compute."""

    format: str
    accuracy: tuple[str, ...]
    modelled: dict[str, float]
    compile_seconds: float
    call_seconds: float


def show_outcomes(
    console: Console,
    title: str,
    accuracy: Iterable[str],
    outcomes: Iterable[Outcome],
    original: tuple[str, float],
) -> None:
    """Shows a row for each format, and one for the original with its name and its time."""
    table = Table(title=title, box=None, pad_edge=False)
    names = ("weights", *accuracy, *TARGETS, "compile", "call")
    for name in names:
        table.add_column(name, justify="left" if name == "weights" else "right", no_wrap=True)
    for o in outcomes:
        times = [f"{1e3 * o.modelled[t]:.2f} ms" if t in o.modelled else "" for t in TARGETS]
        seconds = (f"{o.compile_seconds:.1f} s", f"{o.call_seconds:.2f} s")
        table.add_row(o.format, *o.accuracy, *times, *seconds)
    name, seconds_of_original = original
    empty = [""] * (len(names) - 2)
    table.add_row(name, *empty, f"{seconds_of_original:.2f} s")
    console.print(table)


def show_where_time_goes(
    console: Console, title: str, reports: Iterable[ttmlir.Report], top: int = 6
) -> None:
    """Shows the kinds of ops that take longest on the chip, and the causes of their time."""
    counts, seconds = defaultdict[str, int](int), defaultdict[str, float](float)
    parts: defaultdict[str, TimeParts] = defaultdict(TimeParts)
    for report in reports:
        for op in report.ops:
            name = op.name if op.phase == "run" else op.phase
            counts[name] += 1
            seconds[name] += op.cycles / report.clock_hz
            parts[name] += op.parts
    whole = sum(seconds.values())
    table = Table(title=title, box=None, pad_edge=False)
    for column in ("op", "number", "time", "of all", "most of it"):
        table.add_column(column, justify="left" if column in ("op", "most of it") else "right")
    for name in sorted(seconds, key=seconds.__getitem__, reverse=True)[:top]:
        time_needed = f"{1e6 * seconds[name]:,.0f} us"
        share = f"{seconds[name] / whole:.1%}"
        table.add_row(name, str(counts[name]), time_needed, share, parts[name].bound)
    console.print(table)
