"""Modelled decode steps of large models on several chips, and images a second of a ResNet-50 that
all chips have, beside published figures.

Models are configurations of transformers: their weights are nowhere. The tables are in
docs/src/speed.md; their times are of the clock, the same on every machine, but for the seconds that
the estimates take.
"""

from __future__ import annotations

import itertools
import math
import resource
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bench_speed
from rich.console import Console

CONTEXT, POSITION = 1024, 255
#: Columns of a layer, and the ops in them; all others are in the last one.
PARTS = {
    "products": ("matmul", "linear"),
    "attention": ("scaled_dot_product_attention", "update_slice", "repeat"),
    "links": ("all_reduce", "all_gather", "reduce_scatter", "all_to_all"),
    "rest": (),
}
COLUMNS = (
    "model",
    "users",
    "target",
    "mesh",
    "division",
    "published",
    "modelled",
    "ratio",
    "ms a step",
    "us a layer",
    *PARTS,
    "GiB a chip",
    "s",
)
LLAMA = {"num_key_value_heads": 8, "vocab_size": 128256, "rope_theta": 500000.0}
FALCON = {"parallel_attn": True, "bias": False, "alibi": False, "vocab_size": 65024}
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "Llama 3.1 8B": (
        "LlamaConfig",
        {
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            **LLAMA,
        },
    ),
    "Llama 3.1 70B": (
        "LlamaConfig",
        {
            "hidden_size": 8192,
            "intermediate_size": 28672,
            "num_hidden_layers": 80,
            "num_attention_heads": 64,
            **LLAMA,
        },
    ),
    "Mixtral 8x7B": (
        "MixtralConfig",
        {
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "num_local_experts": 8,
            "num_experts_per_tok": 2,
            "vocab_size": 32000,
            "rope_theta": 1000000.0,
        },
    ),
    "Falcon 7B": (
        "FalconConfig",
        {
            "hidden_size": 4544,
            "num_hidden_layers": 32,
            "num_attention_heads": 71,
            "multi_query": True,
            **FALCON,
        },
    ),
    "Falcon 40B": (
        "FalconConfig",
        {
            "hidden_size": 8192,
            "num_hidden_layers": 60,
            "num_attention_heads": 128,
            "num_kv_heads": 8,
            "new_decoder_architecture": True,
            **FALCON,
        },
    ),
    "Qwen 2.5 7B": (
        "Qwen2Config",
        {
            "hidden_size": 3584,
            "intermediate_size": 18944,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
            "vocab_size": 152064,
            "rope_theta": 1000000.0,
        },
    ),
}


@dataclass(frozen=True)
class Case:
    """A model on a target, with the published tokens a second for each user."""

    model: str
    users: int
    target: str
    published: float
    parallel: Any = "tensor"


CASES = (
    Case("Llama 3.1 8B", 1, "n300", 44.2),
    Case("Llama 3.1 8B", 1, "t3000", 64.3),
    Case("Llama 3.1 70B", 32, "t3000", 15.9),
    Case("Llama 3.1 70B", 32, "galaxy", 72.5, {"data": 4, "tensor": 8}),
    Case("Llama 3.1 70B", 32, "galaxy", 72.5),
    Case("Mixtral 8x7B", 32, "t3000", 24.9),
    Case("Mixtral 8x7B", 32, "t3000", 24.9, "expert"),
    Case("Falcon 7B", 32, "n150", 18.5, None),
    Case("Falcon 40B", 32, "t3000", 11.9),
    Case("Qwen 2.5 7B", 32, "n300", 22.1),
)

IMAGE_COLUMNS = (
    *("model", "batch", "target", "mesh", "published", "modelled", "ratio"),
    *("published scaling", "modelled scaling", "ms a run", "ms host", "s"),
)
#: Targets with batch and published images a second of ResNet-50; the first is the unit of scaling.
IMAGES = (("n150", 16, 4700), ("n300", 32, 9200), ("t3000", 128, 35800), ("galaxy", 512, 96800))


def cells(case: Case) -> tuple[str, ...]:
    """Returns the row of a case."""
    import transformers

    from ttmlir import llm

    start, parallel = time.perf_counter(), case.parallel
    kind, values = MODELS[case.model]
    config = getattr(transformers, kind)(**values, dtype="bfloat16")
    model = llm.load(
        config,
        target=case.target,
        users=case.users,
        context=CONTEXT,
        prefill_chunk=1,
        parallel=case.parallel,
    )
    found = model.estimate(POSITION)
    seconds = time.perf_counter() - start
    mesh, layer = of_layer(model)
    rate = found.tokens_per_second_and_user
    return (
        case.model,
        str(case.users),
        case.target,
        mesh,
        _text(parallel),
        f"{case.published:.1f}",
        f"{rate:.1f}",
        f"{rate / case.published:.3f}",
        f"{found.step * 1e3:.2f}",
        f"{sum(layer.values()) * 1e6:,.0f}",
        *(f"{layer[part] * 1e6:,.0f}" for part in PARTS),
        f"{found.bytes / 2**30:.1f}",
        f"{seconds:.0f}",
    )


def _text(parallel: Any) -> str:
    if isinstance(parallel, Mapping):
        return " x ".join(f"{kind} {chips}" for kind, chips in parallel.items())
    return parallel or "-"


def image_rows() -> Iterator[tuple[str, ...]]:
    """ResNet-50, ``precision="performance"``, the batch divided over all chips. As in the table of
    one chip, transfers overlap with runs; those of all chips are at the same time."""
    import torch

    import ttmlir

    [model] = [model for model in bench_speed.MODELS if model.name == "ResNet-50"]
    module = model.build(0).eval().to("meta")
    unit: tuple[float, float] | None = None
    for target, batch, published in IMAGES:
        start = time.perf_counter()
        exe = ttmlir.compile(
            module,
            torch.empty(batch, 3, 224, 224, device="meta"),
            target=target,
            precision="performance",
            parallel="data" if unit else None,
        )
        report = exe.estimate()
        on_host = sum(op.cycles for op in report.ops if op.host_bytes) / report.clock_hz
        run = report.seconds - on_host
        rate = batch / max(run, on_host)
        mesh = exe.programs[0].mesh_shape
        chips = math.prod(mesh)
        unit = unit or (published, rate)
        yield (
            model.name,
            str(batch),
            target,
            "x".join(map(str, mesh)),
            f"{published:,.0f}",
            f"{rate:,.0f}",
            f"{rate / published:.3f}",
            f"{published / chips / unit[0]:.2f}",
            f"{rate / chips / unit[1]:.2f}",
            f"{run * 1e3:.2f}",
            f"{on_host * 1e3:.2f}",
            f"{time.perf_counter() - start:.0f}",
        )


def of_layer(model: Any) -> tuple[str, dict[str, float]]:
    """Returns the mesh, and the seconds of a layer by part: the difference of two layers and
    one."""
    kinds: dict[str, float] = defaultdict(float)
    mesh = ()
    for layers, sign in ((2, 1), (1, -1)):
        module, _ = model.settings.exported(model.settings.shapes(model._source, layers), 1)
        executable = model.settings.compiled(module, 1)
        mesh = executable.programs[0].mesh_shape
        report = executable.estimate(position=POSITION)
        for op in report.ops:
            if op.phase == "run" and not op.host_bytes:
                part = next((part for part, names in PARTS.items() if op.name in names), "rest")
                kinds[part] += sign * op.cycles / report.clock_hz
    return "x".join(map(str, mesh)), kinds


def rows() -> Iterator[tuple[str, ...]]:
    for case in CASES:
        yield cells(case)


def print_rows(console: Console, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    """Prints a table of Markdown, row by row."""
    columns = tuple(columns)
    for row in itertools.chain((columns, ("---",) * len(columns)), rows):
        console.print(f"| {' | '.join(row)} |", highlight=False, soft_wrap=True)


def run(console: Console) -> None:
    console.print("Large models on several chips, tokens a second for each user, modelled")
    print_rows(console, COLUMNS, rows())
    console.print("Images a second on several chips, modelled")
    print_rows(console, IMAGE_COLUMNS, image_rows())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    console.print(f"memory of this process: at most {peak:.1f} GiB", highlight=False)


if __name__ == "__main__":
    run(Console())
