"""Compares whole models in bf16 with PyTorch in f32 on the CPU: later calls with bound parameters.

ResNet-50 at 224 x 224 and the encoder of MiniLM (6 layers, width 384) on 128 tokens, one image and
one sentence, with random weights, defined by torch and transformers. The table of compile times has
the first and the second compilation of each in the process.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table
from timing import add_rows, interleave, print_table, table

import ttmlir

BACKENDS = ("ttnn", "ttmetal")


def resnet50() -> tuple[Any, tuple[Any, ...]]:
    import torch
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(num_labels=1000, return_dict=False)
    return ResNetForImageClassification(config).eval(), (torch.randn(1, 3, 224, 224),)


def minilm() -> tuple[Any, tuple[Any, ...]]:
    import torch
    from transformers import BertConfig, BertModel

    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        return_dict=False,
    )
    ids = torch.randint(0, config.vocab_size, (1, 128))
    return BertModel(config, add_pooling_layer=False).eval(), (ids, torch.ones_like(ids))


MODELS: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {
    "ResNet-50": resnet50,
    "MiniLM": minilm,
}


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def measure(name: str, model: Any, inputs: tuple[Any, ...], calls: Table, compiled: Table) -> None:
    """Adds the rows of a model to both tables."""
    import torch

    def build(backend: str) -> ttmlir.Executable:
        return ttmlir.compile(model, example_inputs=inputs, dtype="bf16", backend=backend)

    def eager() -> object:
        with torch.no_grad():
            return model(*inputs)

    contestants: dict[str, Callable[[], object]] = {}
    for backend in BACKENDS:
        first, exe = seconds(partial(build, backend))
        second, _ = seconds(partial(build, backend))
        contestants[backend] = partial(exe, *inputs)
        call, _ = seconds(contestants[backend])
        compiled.add_row(name, backend, f"{first:.2f}", f"{second:.2f}", f"{call:.2f}")
    contestants["torch"] = eager
    add_rows(calls, name, interleave(contestants, seconds=8.0))


def run(console: Console) -> None:
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers")):
        console.print("models: torch and transformers are not installed")
        return
    import torch

    torch.manual_seed(0)
    calls = table("one input, weights on the device: PyTorch in f32 on the CPU / ttmlir in bf16")
    compiled = Table(title="seconds of ttmlir.compile")
    for column in ("model", "backend", "first", "second", "first call"):
        compiled.add_column(column, justify="left" if column in ("model", "backend") else "right")
    for name, make in MODELS.items():
        measure(name, *make(), calls, compiled)
    print_table(console, calls)
    print_table(console, compiled)


if __name__ == "__main__":
    run(Console())
