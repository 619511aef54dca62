"""Modelled throughput of whole models on one chip, beside the published figures of hand-tuned ones.

All columns are of the clock, the same on every machine; the table is that of docs/src/speed.md. The
models are captured as traces, like the published ones: a chip computes a batch while the next one
arrives on a second queue, where the results of the one before leave, too. Weights are random: time
does not depend on them.
"""

from __future__ import annotations

import importlib.util
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import decoders
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

import ttmlir
from ttmlir import runtime

#: Keywords of ttmlir.compile for all rows.
OPTIONS: dict[str, Any] = {"optimization_level": 1}

#: Layers of the two encoders that are compiled; the others cost as much as one of their difference.
FEW, MORE = 2, 4

#: Index of a fidelity in ``Machine.flops_per_second``.
FIDELITIES = ("lofi", "hifi2", "hifi3", "hifi4")

COLUMNS = (
    "model",
    "batch",
    "target",
    "precision",
    "published",
    "modelled",
    "ratio",
    "ms a run",
    "ms host",
    "ms limit",
    "L1 KiB",
    "DRAM GB",
    "NoC GB",
    "most expensive",
)
#: Columns of the tables that are no numbers.
TEXTS = {
    *("model", "target", "precision", "fidelity", "most expensive", "most expensive in a layer"),
    *("product", "weights"),
}


@dataclass(frozen=True)
class Precision:
    """Keywords of ttmlir.compile, and what bounds a run with them: the fidelity of products and the
    bytes of a weight."""

    keywords: dict[str, Any]
    fidelity: str
    weight_bytes: float


PRECISIONS = {
    "balanced": Precision({"precision": "balanced"}, "hifi2", 2),
    "performance": Precision({"precision": "performance"}, "lofi", 1088 / 1024),
}


@dataclass(frozen=True)
class Model:
    """A model with ``layers`` equal ones, or 0; ``build`` makes it with some of them.

    ``published`` has batch and samples a second by target, None where no figure is published.
    ``gflop`` is the work for a sample: its products, two operations for a multiplication and an
    addition.
    """

    name: str
    layers: int
    gflop: float
    published: dict[str, tuple[int, float | None]]
    build: Callable[[int], Any]
    inputs: Callable[[int], tuple[Any, ...]]

    @property
    def compiled(self) -> tuple[int, ...]:
        """How many layers to compile the model with, once for each."""
        return (FEW, MORE) if self.layers else (0,)


def _resnet(_: int) -> Any:
    from transformers import ResNetConfig, ResNetForImageClassification

    return ResNetForImageClassification(ResNetConfig(num_labels=1000, return_dict=False))


def _vit(layers: int) -> Any:
    from transformers import ViTConfig, ViTForImageClassification

    return ViTForImageClassification(ViTConfig(num_labels=1000, num_hidden_layers=layers))


def _bert(layers: int) -> Any:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        hidden_size=1024,
        num_hidden_layers=layers,
        num_attention_heads=16,
        intermediate_size=4096,
        return_dict=False,
    )
    return BertModel(config, add_pooling_layer=False)


def _images(batch: int) -> tuple[Any, ...]:
    import torch

    return (torch.randn(batch, 3, 224, 224),)


def _sentences(batch: int) -> tuple[Any, ...]:
    import torch

    ids = torch.randint(0, 30000, (batch, 384))
    return ids, torch.ones_like(ids)


MODELS = (
    Model("ResNet-50", 0, 8.2, {"n150": (16, 4700), "p150": (16, 12600)}, _resnet, _images),
    Model("ViT-base", 12, 35, {"n150": (8, 1370), "p150": (10, None)}, _vit, _images),
    Model("BERT-large", 24, 246, {"n150": (8, 270), "p150": (8, None)}, _bert, _sentences),
)


@dataclass(frozen=True)
class Cost:
    """Seconds on the chip by kind of op, seconds of PCIe, and bytes: all of a run, but for ``l1``,
    the most that a core held."""

    kinds: dict[str, float]
    host: float
    dram: float
    noc: float
    l1: float

    @property
    def run(self) -> float:
        return sum(self.kinds.values())

    @property
    def throughput(self) -> float:
        """Batches a second of a long stream: the queues run side by side."""
        return 1 / max(self.run, self.host)

    def expensive(self, count: int = 3) -> str:
        """The kinds of ops that take longest, with their share of the run."""
        found = sorted(self.kinds.items(), key=lambda item: -item[1])[:count]
        return ", ".join(f"{kind} {seconds / self.run:.0%}" for kind, seconds in found)


def cost(report: ttmlir.TraceReport) -> Cost:
    kinds: dict[str, float] = defaultdict(float)
    for op in report.run.ops:
        kinds[op.name.removeprefix("eltwise.")] += op.cycles / report.clock_hz
    return Cost(
        kinds,
        report.transfer_seconds,
        sum(op.dram_read_bytes + op.dram_write_bytes for op in report.run.ops),
        sum(op.noc_bytes for op in report.run.ops),
        report.run.l1_high_water,
    )


def captured(module: Any, inputs: tuple[Any, ...], **keywords: Any) -> ttmlir.TraceReport:
    """The report of a module's captured trace."""
    exe = ttmlir.compile(module, example_inputs=inputs, **keywords)
    with exe.trace(*inputs) as trace:
        return trace.report()


def extrapolate(few: float, more: float, layers: int) -> float:
    """Cost of ``layers``, from those of FEW and MORE."""
    return few + (more - few) / (MORE - FEW) * (layers - FEW)


def extrapolated(few: Cost, more: Cost, layers: int) -> Cost:
    kinds = {
        kind: extrapolate(few.kinds.get(kind, 0), more.kinds.get(kind, 0), layers)
        for kind in {**few.kinds, **more.kinds}
    }
    return Cost(
        kinds,
        extrapolate(few.host, more.host, layers),
        extrapolate(few.dram, more.dram, layers),
        extrapolate(few.noc, more.noc, layers),
        max(few.l1, more.l1),
    )


def weights(module: Any) -> int:
    """Parameters that a run reads in full: of an embedding it reads single rows."""
    from torch import nn

    return sum(
        p.numel()
        for part in module.modules()
        if not isinstance(part, nn.Embedding)
        for p in part.parameters(recurse=False)
    )


def limit(arch: str, precision: Precision, gflop: float, parameters: float) -> float:
    """Seconds that no run can beat: the products at the peak of the fidelity, or one read of the
    weights from DRAM."""
    machine = runtime.get_machine(arch)
    peak = machine.flops_per_second[FIDELITIES.index(precision.fidelity)]
    read = parameters * precision.weight_bytes / machine.dram_bytes_per_second
    return max(gflop * 1e9 / peak, read)


def geometric_mean(ratios: Iterable[float]) -> float:
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs))


@dataclass(frozen=True)
class Row:
    """A model on a target, with its cost and the seconds of the limit."""

    model: Model
    target: str
    precision: str
    cost: Cost
    limit: float

    @property
    def batch(self) -> int:
        return self.model.published[self.target][0]

    @property
    def modelled(self) -> float:
        """Samples a second."""
        return self.batch * self.cost.throughput

    @property
    def ratio(self) -> float | None:
        """Of the published figure."""
        published = self.model.published[self.target][1]
        return self.modelled / published if published else None

    def cells(self) -> tuple[str, ...]:
        published = self.model.published[self.target][1]
        return (
            self.model.name,
            str(self.batch),
            self.target,
            self.precision,
            f"{published:,.0f}" if published else "-",
            f"{self.modelled:,.0f}" if self.modelled >= 1000 else f"{self.modelled:.1f}",
            f"{self.ratio:.3f}" if self.ratio else "-",
            f"{self.cost.run * 1e3:.2f}",
            f"{self.cost.host * 1e3:.2f}",
            f"{self.limit * 1e3:.2f}",
            f"{self.cost.l1 / 1024:,.0f}",
            f"{self.cost.dram / 1e9:.2f}",
            f"{self.cost.noc / 1e9:.2f}",
            self.cost.expensive(),
        )


def rows(models: Iterable[Model] = MODELS) -> Iterator[Row]:
    for model in models:
        modules = [model.build(layers).eval() for layers in model.compiled]
        parameters: float = weights(modules[0])
        if model.layers:
            parameters = extrapolate(parameters, weights(modules[1]), model.layers)
        for target, (batch, _) in model.published.items():
            inputs = model.inputs(batch)
            for name, precision in PRECISIONS.items():
                keywords = {**precision.keywords, **OPTIONS}
                reports = [
                    captured(module, inputs, target=target, **keywords) for module in modules
                ]
                total = cost(reports[0])
                if model.layers:
                    total = extrapolated(total, cost(reports[1]), model.layers)
                least = limit(reports[0].arch, precision, batch * model.gflop, parameters)
                yield Row(model, target, name, total, least)


def print_table(
    console: Console,
    title: str,
    caption: str,
    columns: Iterable[str],
    rows: Iterable[tuple[str, ...]],
) -> None:
    """Prints a table in its full width, to paste into a page, whatever the terminal is."""
    made = Table(title=title, caption=caption, box=box.MARKDOWN)
    for column in columns:
        is_text = column in TEXTS
        made.add_column(column, justify="left" if is_text else "right", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    made.width = Measurement.get(console, console.options.update(width=1000), made).maximum
    console.print()
    console.print(made, crop=False)


def run(console: Console) -> None:
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers")):
        console.print("speed: torch and transformers are not installed")
        return
    found = list(rows())
    print_table(
        console,
        "modelled throughput in samples (images, sentences of 384 tokens) a second",
        f"Encoders: all layers extrapolated from {FEW} and {MORE}, by their difference. "
        "A run is what the chip takes for a batch; transfers with the host overlap with it. "
        "Limit: the model's products at the peak of the precision's fidelity, or one read of the "
        "weights from DRAM.",
        COLUMNS,
        (row.cells() for row in found),
    )
    for precision in PRECISIONS:
        ratios = [row.ratio for row in found if row.precision == precision and row.ratio]
        console.print(
            f"geometric mean of the {len(ratios)} ratios, {precision}: "
            f"{geometric_mean(ratios):.3f}",
            highlight=False,
        )
    print_table(
        console,
        "modelled decoding in tokens a second for each user",
        f"All layers extrapolated from {decoders.FEW} and {decoders.MORE}. A step has the "
        f"embedding, the layers, the head and the choice of the token, at one position of a cache "
        f"of {decoders.CONTEXT}.",
        decoders.COLUMNS,
        (row.cells() for row in decoders.rows()),
    )
    print_table(
        console,
        "products of a decode step: 32 users, performance",
        "Reads from DRAM beside the bandwidth of the chip.",
        decoders.PRODUCT_COLUMNS,
        decoders.products(),
    )
    for line in decoders.first_tokens():
        console.print(line, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    run(Console())
