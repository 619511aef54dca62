"""``parallel="auto"`` beside divisions made by hand, by the modelled time of a call.

The table is in docs/src/parallel.md. Its times are of the clock, the same on every machine, but for
the processor seconds of the search. Parameters are meta tensors: estimates need no values.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from bench_chips import print_rows
from rich.console import Console

import ttmlir
from ttmlir._divisions import division_name, fastest, seconds_on_chip

TARGETS = {"n300": 2, "t3000": 8, "galaxy": 32}
COLUMNS = (
    *("model", "target", "by hand", "ms", '"auto"', "ms", "ratio"),
    *("one chip, ms", "search, processor s"),
)
#: Extents of Llama 3.1 8B and Mixtral 8x7B.
EXTENTS = {
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 1,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 32000,
}


@dataclass(frozen=True)
class Model:
    """A model with its inputs, and a division by hand, by the number of chips."""

    name: str
    build: Callable[[], Any]
    inputs: Callable[[int], tuple[Any, ...]]
    by_hand: Callable[[int], Mapping[str, int]]


def _layer(kind: str, **values: Any) -> Any:
    """A decoder layer, which takes hidden states instead of tokens."""
    import torch
    import transformers

    config = getattr(transformers, f"{kind}Config")(**EXTENTS, **values, dtype="bfloat16")

    class Layer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = getattr(transformers, f"{kind}Model")(config)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.model(inputs_embeds=x, use_cache=False).last_hidden_state
            return result

    return Layer()


def _bert() -> Any:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        hidden_size=1024,
        num_hidden_layers=24,
        num_attention_heads=16,
        intermediate_size=4096,
        return_dict=False,
    )
    return BertModel(config, add_pooling_layer=False)


def _resnet() -> Any:
    from transformers import ResNetConfig, ResNetForImageClassification

    return ResNetForImageClassification(ResNetConfig(num_labels=1000, return_dict=False))


def _hidden(batch: int, tokens: int) -> tuple[Any, ...]:
    import torch

    return (torch.empty(batch, tokens, EXTENTS["hidden_size"], dtype=torch.bfloat16),)


def _sentences(_: int) -> tuple[Any, ...]:
    import torch

    ids = torch.zeros(32, 384, dtype=torch.int64)
    return ids, torch.ones_like(ids)


def _images(chips: int) -> tuple[Any, ...]:
    import torch

    return (torch.empty(16 * chips, 3, 224, 224),)


def _experts(chips: int) -> Mapping[str, int]:
    most = min(chips, 8)
    return {"data": chips // most, "expert": most} if chips > most else {"expert": most}


MODELS = (
    Model(
        "Llama 3.1 8B, a layer, 1x128 tokens",
        lambda: _layer("Llama"),
        lambda _: _hidden(1, 128),
        lambda chips: {"tensor": chips},
    ),
    Model("BERT-large, 32x384 tokens", _bert, _sentences, lambda chips: {"data": chips}),
    Model("ResNet-50, 16 images a chip", _resnet, _images, lambda chips: {"data": chips}),
    Model(
        "Mixtral 8x7B, a layer, 32x1 tokens",
        lambda: _layer("Mixtral", num_local_experts=8, num_experts_per_tok=2),
        lambda _: _hidden(32, 1),
        _experts,
    ),
)


def cells(model: Model, target: str) -> tuple[str, ...]:
    """Returns the row of a model on a target."""
    import torch

    chips = TARGETS[target]
    with torch.device("meta"):
        module, inputs = model.build().eval(), model.inputs(chips)
    with warnings.catch_warnings():
        # Of batches whose samples depend on each other, for pipelines.
        warnings.simplefilter("ignore")
        one = ttmlir.compile(
            module, *inputs, target=target, mesh_shape=(1, 1), precision="performance"
        )
        compiler = one._recompile
        start = time.process_time()
        found = fastest(compiler, compiler.desc)
        seconds = time.process_time() - start
        by_hand = model.by_hand(chips)
        assert prod(by_hand.values()) == chips
        first = seconds_on_chip(compiler.divided(by_hand).estimate())
        second = first
        if found != by_hand:
            second = seconds_on_chip(compiler.divided(found).estimate())
    return (
        model.name,
        target,
        division_name(by_hand),
        f"{first * 1e3:.3g}",
        division_name(found) or "one chip",
        f"{second * 1e3:.3g}",
        f"{second / first:.2f}",
        f"{seconds_on_chip(one.estimate()) * 1e3:.3g}",
        f"{seconds:.0f}",
    )


def rows() -> Iterator[tuple[str, ...]]:
    for model in MODELS:
        for target in TARGETS:
            yield cells(model, target)


def run(console: Console) -> None:
    console.print("Divisions by hand and by parallel='auto', modelled, precision='performance'")
    print_rows(console, COLUMNS, rows())


if __name__ == "__main__":
    run(Console())
