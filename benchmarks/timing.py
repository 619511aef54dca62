"""Paired timing: the contestants alternate, so that a busy machine slows all of them equally."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

# OpenBLAS keeps its workers spinning the longest: 2^26 ticks of the CPU clock, some 30 ms.
SETTLE_SECONDS = 0.1


@dataclass(frozen=True)
class Timing:
    """Seconds for one call."""

    name: str
    minimum: float
    median: float


def interleave(
    contestants: dict[str, Callable[[], object]], seconds: float = 4.0, rounds: int = 30
) -> list[Timing]:
    """Runs all in turn until ``seconds`` or ``rounds`` are over, with three timed calls in each
    turn.

    Worker threads of a library spin for some milliseconds after a call and would take CPUs from the
    next contestant: each turn waits for them to sleep and wakes its own with an untimed
    call.
    """
    samples: dict[str, list[float]] = {name: [] for name in contestants}
    end = time.perf_counter() + seconds
    for turn in range(rounds):
        for name, call in contestants.items():
            time.sleep(SETTLE_SECONDS)
            call()
            for _ in range(3):
                start = time.perf_counter()
                call()
                samples[name].append(time.perf_counter() - start)
        if turn >= 2 and time.perf_counter() > end:
            break
    return [Timing(name, min(s), statistics.median(s)) for name, s in samples.items()]


def table(title: str) -> Table:
    made = Table(title=title)
    made.add_column("work", no_wrap=True)
    made.add_column("by", no_wrap=True)
    for column in ("min", "median"):
        made.add_column(column, justify="right", no_wrap=True)
    # Above 1: ttmlir is faster.
    for column in ("theirs/ours min", "median"):
        made.add_column(column, justify="right")
    return made


def add_rows(made: Table, work: str, timings: list[Timing]) -> None:
    """Adds rows for a task; the first timing is ours."""
    ours = timings[0]
    for i, t in enumerate(timings):
        made.add_row(
            work if i == 0 else "",
            t.name,
            show(t.minimum),
            show(t.median),
            "" if i == 0 else f"{t.minimum / ours.minimum:.2f}",
            "" if i == 0 else f"{t.median / ours.median:.2f}",
            end_section=i == len(timings) - 1,
        )


def show(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


def print_table(console: Console, made: Table) -> None:
    console.print()
    console.print(made)
