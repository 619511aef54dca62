"""Modelled decode steps of large models on several chips, beside published figures.

Models are configurations of transformers: their weights are nowhere. The table is in
docs/src/speed.md; its times are of the clock, the same on every machine, but for the seconds that
the estimate takes.
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
)


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
        parallel
        if isinstance(parallel, str)
        else " x ".join(f"{k} {n}" for k, n in parallel.items()),
        f"{case.published:.1f}",
        f"{rate:.1f}",
        f"{rate / case.published:.3f}",
        f"{found.step * 1e3:.2f}",
        f"{sum(layer.values()) * 1e6:,.0f}",
        *(f"{layer[part] * 1e6:,.0f}" for part in PARTS),
        f"{found.bytes / 2**30:.1f}",
        f"{seconds:.0f}",
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


def run(console: Console) -> None:
    console.print("Large models on several chips, tokens a second for each user, modelled")
    for row in (COLUMNS, ("---",) * len(COLUMNS), *rows()):
        console.print(f"| {' | '.join(row)} |", highlight=False, soft_wrap=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    console.print(f"memory of this process: at most {peak:.1f} GiB", highlight=False)


if __name__ == "__main__":
    run(Console())
