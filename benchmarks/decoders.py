"""Modelled decode steps of Llama 3.1 8B on one chip, beside published figures; for bench_speed.py.

The module is transformers' own, with a static cache, and takes the token with the largest logit on
the chip. Its parameters are meta tensors: costs are estimates of
the compiler, which need no values.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ttmlir

LAYERS = 32
#: Layers that are compiled; the others cost as much as one of their difference.
FEW, MORE = 1, 2
#: Of a weight's name to its format, as behind the published figures.
FORMATS = {"*": "bf16", "*gate_proj*": "bfp4_b", "*up_proj*": "bfp4_b"}
PRECISIONS: dict[str, dict[str, Any]] = {
    "balanced": {"precision": "balanced"},
    "performance": {"precision": "performance", "dtype": FORMATS},
}

#: Published tokens a second and user, by target and number of users. The positions at which they
#: were measured are not published: CASES has an early and the last one of a cache.
PUBLISHED = {("n150", 32): 26.0, ("n150", 1): 28.3, ("p150", 32): 33.1}
CONTEXT = 1024
#: Targets, users and position of the token in a cache of CONTEXT positions.
CASES = (("n150", 32, 255), ("n150", 32, 1023), ("n150", 1, 255), ("p150", 32, 255))

#: Published seconds to the first token behind a prompt, by target; one user.
FIRST_TOKEN = {"n150": 104e-3}
PROMPT = 128

COLUMNS = (
    "model",
    "users",
    "position",
    "target",
    "precision",
    "published",
    "modelled",
    "ratio",
    "ms a step",
    "us a layer",
    "most expensive in a layer",
)


@dataclass(frozen=True)
class Row:
    """Seconds of a decode step and, by kind of op, of a layer."""

    users: int
    position: int
    target: str
    precision: str
    step: float
    layer: dict[str, float]

    @property
    def ratio(self) -> float:
        """Of the published figure."""
        return 1 / self.step / PUBLISHED[self.target, self.users]

    def cells(self) -> tuple[str, ...]:
        layer = sum(self.layer.values())
        found = sorted(self.layer.items(), key=lambda item: -item[1])[:3]
        return (
            "Llama 3.1 8B",
            str(self.users),
            str(self.position),
            self.target,
            self.precision,
            f"{PUBLISHED[self.target, self.users]:.1f}",
            f"{1 / self.step:.1f}",
            f"{self.ratio:.3f}",
            f"{self.step * 1e3:.2f}",
            f"{layer * 1e6:,.0f}",
            ", ".join(f"{kind} {seconds / layer:.0%}" for kind, seconds in found),
        )


def decoder(users: int, context: int, layers: int, tokens: int = 1) -> tuple[Any, tuple[Any, ...]]:
    """A module that reads some tokens of each user and finds the next one, and its arguments, as
    meta tensors."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

    config = LlamaConfig(
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=layers,
        num_attention_heads=32,
        num_key_value_heads=8,
        vocab_size=128256,
        max_position_embeddings=131072,
        rms_norm_eps=1e-5,
        attn_implementation="sdpa",
    )

    class Decoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = LlamaForCausalLM(config).to(torch.bfloat16)
            self.cache = StaticCache(config=config, max_cache_len=context)
            self.cache.early_initialization(
                users, config.num_key_value_heads, 128, torch.bfloat16, torch.device("meta")
            )
            for i, layer in enumerate(self.cache.layers):
                self.register_buffer(f"keys_{i}", layer.keys)
                self.register_buffer(f"values_{i}", layer.values)
                self.register_buffer(f"length_{i}", layer.cumulative_length)

        def forward(self, ids: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
            for layer in self.cache.layers:
                layer.cumulative_length.copy_(position[0])
            found = self.model(
                input_ids=ids,
                position_ids=position[None],
                past_key_values=self.cache,
                logits_to_keep=1,
            )
            return found.logits.argmax(-1)

    with torch.device("meta"):
        module = Decoder().eval()
        return module, (
            torch.zeros(users, tokens, dtype=torch.long),
            torch.zeros(tokens, dtype=torch.long),
        )


def seconds(exe: Any, position: int) -> dict[str, float]:
    """Seconds on the chip by kind of op, without transfers of the host."""
    report = exe.estimate(position=position)
    kinds: dict[str, float] = defaultdict(float)
    for op in report.ops:
        if op.phase == "run":
            kinds[op.name.removeprefix("eltwise.")] += op.cycles / report.clock_hz
    return kinds


@functools.cache
def compiled(
    target: str, precision: str, users: int, context: int, layers: int, tokens: int
) -> Any:
    module, inputs = decoder(users, context, layers, tokens)
    return ttmlir.compile(module, example_inputs=inputs, target=target, **PRECISIONS[precision])


def runs(
    target: str, users: int, position: int, context: int = CONTEXT, tokens: int = 1
) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Precision, seconds of the whole model and, by kind of op, of a layer; the last of the tokens
    is at the position."""
    for precision in PRECISIONS:
        few, more = (
            seconds(compiled(target, precision, users, context, layers, tokens), position)
            for layers in (FEW, MORE)
        )
        layer = {kind: more[kind] - few.get(kind, 0) for kind in more}
        yield precision, sum(few.values()) + (LAYERS - FEW) * sum(layer.values()), layer


def rows() -> Iterator[Row]:
    for target, users, position in CASES:
        for precision, step, layer in runs(target, users, position):
            yield Row(users, position, target, precision, step, layer)


def first_tokens() -> Iterator[str]:
    """A line for each target and precision."""
    for target, published in FIRST_TOKEN.items():
        for precision, found, _ in runs(target, 1, PROMPT - 1, 2 * PROMPT, PROMPT):
            yield (
                f"first token behind a prompt of {PROMPT}, one user, {target}, {precision}: "
                f"{found * 1e3:.1f} ms on the chip, published {published * 1e3:.0f} ms"
            )
