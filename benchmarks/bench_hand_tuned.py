"""The clock against hand-tuned models: their layouts, as programs, beside the published figures.

Nothing but layouts and formats is different from what ``speed`` measures: the programs are compiled
and captured as traces. The table shows which engine the time of a run belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

import hand_tuned
import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
from bench_speed import Cost, cost, print_table
from rich.console import Console

import ttmlir

TARGET = "n150"

#: The reports have products in one or two phases.
FIDELITIES = ("lofi", "hifi2")

#: Parts of the time of a run, as in ``ttmlir.TimeParts``, that these programs have.
PARTS = ("compute", "noc", "dram", "waiting", "dispatch")

COLUMNS = (
    "model",
    "batch",
    "fidelity",
    "published",
    "modelled",
    "ratio",
    "ms published",
    "ms a run",
    *(f"ms {part}" for part in PARTS),
    "most expensive",
)


@dataclass(frozen=True)
class Row:
    """A model in one fidelity, with its cost and the seconds of each part."""

    model: hand_tuned.Model
    fidelity: str
    cost: Cost
    parts: dict[str, float]

    @property
    def modelled(self) -> float:
        """Samples a second."""
        return self.model.batch * self.cost.throughput

    def cells(self) -> tuple[str, ...]:
        batch, published = self.model.batch, self.model.published
        return (
            self.model.name,
            str(batch),
            self.fidelity,
            f"{published:,.0f}",
            f"{self.modelled:,.0f}",
            f"{self.modelled / published:.3f}",
            f"{batch / published * 1e3:.2f}",
            f"{self.cost.run * 1e3:.2f}",
            *(f"{self.parts[part] * 1e3:.2f}" for part in PARTS),
            self.cost.expensive(),
        )


def parts(report: ttmlir.TraceReport) -> dict[str, float]:
    """Seconds of a run by what the busiest core does or waits for."""
    found: Counter[str] = Counter()
    for op in report.run.ops:
        for part in fields(op.parts):
            found[part.name] += getattr(op.parts, part.name) / report.clock_hz
    return dict(found)


def row(model: hand_tuned.Model, fidelity: str) -> Row:
    program = model.build()
    exe = program.compiled(TARGET, math_fidelity=fidelity)
    # Time does not depend on values.
    exe.bind({name: np.zeros(shape, "bfloat16") for name, shape in program.weights.items()})
    with exe.trace() as trace:
        report = trace.report()
    return Row(model, fidelity, cost(report), parts(report))


def rows(models: Iterable[hand_tuned.Model] = hand_tuned.MODELS) -> Iterator[Row]:
    for model in models:
        for fidelity in FIDELITIES:
            yield row(model, fidelity)


def run(console: Console) -> None:
    print_table(
        console,
        "hand-tuned layouts: modelled throughput in samples a second",
        "Parts of the time of a run are what the busiest core of each op does or waits for.",
        COLUMNS,
        (row.cells() for row in rows()),
    )


if __name__ == "__main__":
    run(Console())
