"""Modules with the plans that divide them over chips, as PyTorch writes them."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
)

Plan = dict[str, ParallelStyle]


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, key_heads: int, bias: bool = False) -> None:
        super().__init__()
        self.heads, self.key_heads, self.size = heads, key_heads, width // heads
        self.q = nn.Linear(width, width, bias=bias)
        self.k = nn.Linear(width, key_heads * self.size, bias=bias)
        self.v = nn.Linear(width, key_heads * self.size, bias=bias)
        self.o = nn.Linear(width, width, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, rows, _ = x.shape

        def heads(values: torch.Tensor, count: int) -> torch.Tensor:
            return values.view(batch, rows, count, self.size).transpose(1, 2)

        q, k, v = heads(self.q(x), self.heads), self.k(x), self.v(x)
        keys, values = heads(k, self.key_heads), heads(v, self.key_heads)
        y = F.scaled_dot_product_attention(q, keys, values, is_causal=True, enable_gqa=True)
        result: torch.Tensor = self.o(y.transpose(1, 2).reshape(batch, rows, -1))
        return result


class FeedForward(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.down(F.silu(self.gate(x)) * self.up(x))
        return result


class Block(nn.Module):
    def __init__(self, width: int, heads: int, key_heads: int, hidden: int) -> None:
        super().__init__()
        self.attention_norm, self.ffn_norm = nn.RMSNorm(width), nn.RMSNorm(width)
        self.attention = Attention(width, heads, key_heads)
        self.ffn = FeedForward(width, hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.attention_norm(x))
        result: torch.Tensor = x + self.ffn(self.ffn_norm(x))
        return result


class Decoder(nn.Module):
    def __init__(self, vocabulary: int = 512, width: int = 128, layers: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Block(width, 8, 8, 4 * width) for _ in range(layers))
        self.norm = nn.RMSNorm(width)
        self.output = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        result: torch.Tensor = self.output(self.norm(x))
        return result


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 128)).eval()


MLP: Plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
ATTENTION: Plan = {"[qkv]": ColwiseParallel(), "o": RowwiseParallel()}
BLOCK: Plan = {
    **{f"attention.{name}": style for name, style in ATTENTION.items()},
    "ffn.gate": ColwiseParallel(),
    "ffn.up": ColwiseParallel(),
    "ffn.down": RowwiseParallel(),
}
#: With the sequence parallelism of PyTorch's tutorial.
DECODER: Plan = {
    "embedding": ColwiseParallel(output_layouts=Shard(1)),
    **{f"layers.*.{name}": style for name, style in BLOCK.items()},
    "layers.*.attention": PrepareModuleInput(
        input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)
    ),
    "layers.*.*_norm": SequenceParallel(),
    "norm": SequenceParallel(),
    "output": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
}

#: A module, its arguments and its plan.
Divided = tuple[nn.Module, tuple[torch.Tensor, ...], Plan]


def divided(name: str) -> Divided:
    """A module with random weights by its name in ``NAMES``."""
    torch.manual_seed(7)
    x = torch.randn(2, 32, 128)
    made: dict[str, Any] = {
        "mlp": lambda: (mlp(), (x,), MLP),
        "attention": lambda: (Attention(128, 8, 8, bias=True).eval(), (x,), ATTENTION),
        "shared_keys": lambda: (Attention(128, 8, 2).eval(), (x,), ATTENTION),
        "block": lambda: (Block(128, 8, 8, 512).eval(), (x,), BLOCK),
        "decoder": lambda: (Decoder().eval(), (torch.randint(0, 512, (2, 32)),), DECODER),
    }
    found: Divided = made[name]()
    return found


NAMES = ("mlp", "attention", "shared_keys", "block", "decoder")
