"""Blocks of networks as people profile them: a ResNet bottleneck, a Transformer encoder and a Llama
decoder, on one chip (n150) or divided over the eight of a t3000, with a name for every op.

>>> from models import blocks
>>> executable = blocks.compiled("llama", "t3000", "ttmetal")
>>> report = executable.report()

Images are divided by the batch; the others as tensor parallelism divides them: the projections into
heads and into the MLP by columns, those out of them by rows, and an all_reduce behind these.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np

import ttmlir
from ttmlir.builder import Tensor

#: The chips of each target that the blocks are compiled for.
TARGETS = {"n150": 1, "t3000": 8}
BACKENDS = ("ttnn", "ttmetal")

TOKENS, WIDTH, HEADS, SIZE, MLP = 64, 512, 8, 64, 1024


class _Block:
    """A builder for one chip or for a mesh of them, on which every weight has its share."""

    def __init__(self, name: str, chips: int) -> None:
        self.chips = chips
        self.b = ttmlir.Builder(name, mesh_shape=(1, chips) if chips > 1 else ())

    def input(self, name: str, shape: Sequence[int], split: int | None = None) -> Tensor:
        """An input of the program, of which each chip gets the share along ``split``."""
        x = self.b.input(name, shape, "bf16")
        return self.b.mesh_shard(x, (None, split), name=f"shard_{name}") if self.chips > 1 else x

    def output(self, x: Tensor, split: int | None = None) -> ttmlir.Builder:
        self.b.output(self.b.mesh_gather(x, (None, split), name="gather") if self.chips > 1 else x)
        return self.b

    def total(self, x: Tensor, name: str) -> Tensor:
        """The sum of what the chips have, where each has a summand."""
        return self.b.all_reduce(x, cluster_axis=1, name=name) if self.chips > 1 else x

    def dense(self, x: Tensor, name: str, width: int, split: int) -> Tensor:
        """A projection; along 0 a chip has as many rows of the weight as columns of ``x``."""
        rows = x.shape[-1] * (self.chips if split == 0 else 1)
        return self.b.matmul(x, self.input(f"w_{name}", (rows, width), split), name=name)

    def heads(self, x: Tensor, name: str) -> Tensor:
        """(tokens, heads of a chip * size) to (heads of a chip, tokens, size)."""
        x = self.b.reshape(x, (TOKENS, -1, SIZE), name=f"{name}_split")
        return self.b.permute(x, (1, 0, 2), name=f"{name}_heads")

    def attention(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """What the heads of a chip make, side by side, projected and summed up."""
        b = self.b
        scores = b.matmul(q, k, transpose_b=True, name="scores")
        scale = b.constant(SIZE**-0.5, shape=(1, 1, 1), dtype="bf16", name="root")
        scores = b.multiply(scores, scale, name="scale")
        if mask is not None:
            scores = b.add(scores, mask, name="masked")
        mixed = b.matmul(b.softmax(scores, name="softmax"), v, name="mixed")
        mixed = b.permute(mixed, (1, 0, 2), name="tokens")
        mixed = b.reshape(mixed, (TOKENS, -1), name="merged")
        return self.total(self.dense(mixed, "attention_out", WIDTH, 0), "attention_sum")


def resnet(chips: int = 1) -> ttmlir.Builder:
    """A bottleneck: convolutions of 1x1, 3x3 and 1x1, each with the batch norm folded into weights
    and bias, a relu, and the input added. An image of 14x14 with 64 channels for every chip."""
    block = _Block("resnet", chips)
    b, inner, outer = block.b, 16, 64
    x = residual = block.input("x", (chips, 14, 14, outer), 0)
    sizes = {"reduce": (inner, outer, 1), "spatial": (inner, inner, 3), "expand": (outer, inner, 1)}
    for name, (filters, channels, window) in sizes.items():
        weight = block.input(f"w_{name}", (filters, channels, window, window))
        bias = block.input(f"b_{name}", (1, 1, 1, filters))
        x = b.conv2d(x, weight, bias, padding=(window // 2, window // 2), name=name)
        if name != "expand":
            x = b.relu(x, name=f"{name}_relu")
    return block.output(b.relu(b.add(x, residual, name="residual"), name="out"), 0)


def transformer(chips: int = 1) -> ttmlir.Builder:
    """An encoder: layer norm, attention, layer norm, MLP with gelu; a residual around each half."""
    block = _Block("transformer", chips)
    b = block.b

    def norm(x: Tensor, name: str) -> Tensor:
        weight, bias = block.input(f"w_{name}", (WIDTH,)), block.input(f"b_{name}", (WIDTH,))
        return b.layer_norm(x, weight, bias, name=name)

    x = block.input("x", (TOKENS, WIDTH))
    h = norm(x, "attention_norm")
    q, k, v = (block.heads(block.dense(h, n, HEADS * SIZE, 1), n) for n in ("q", "k", "v"))
    x = b.add(x, block.attention(q, k, v, None), name="attention_residual")
    h = b.gelu(block.dense(norm(x, "mlp_norm"), "up", MLP, 1), name="gelu")
    down = block.total(block.dense(h, "down", WIDTH, 0), "mlp_sum")
    return block.output(b.add(x, down, name="mlp_residual"))


def llama(chips: int = 1) -> ttmlir.Builder:
    """A decoder: RMS norm, attention with rotary embedding and causal mask, RMS norm, SwiGLU; a
    residual around each half."""
    block = _Block("llama", chips)
    b = block.b
    x = block.input("x", (TOKENS, WIDTH))
    cos, sin = (block.input(name, (TOKENS, SIZE)) for name in ("cos", "sin"))

    def norm(x: Tensor, name: str) -> Tensor:
        return b.rms_norm(x, block.input(f"w_{name}", (WIDTH,)), name=name)

    def rotate(x: Tensor, name: str) -> Tensor:
        middle = [*x.shape[:-1], SIZE // 2]
        first = b.slice(x, [0, 0, 0], middle, name=f"{name}_first")
        second = b.slice(x, [0, 0, SIZE // 2], x.shape, name=f"{name}_second")
        turned = b.concat([b.neg(second, name=f"{name}_neg"), first], -1, name=f"{name}_turned")
        straight = b.multiply(x, cos, name=f"{name}_cos")
        return b.add(straight, b.multiply(turned, sin, name=f"{name}_sin"), name=f"{name}_rotary")

    h = norm(x, "attention_norm")
    q, k, v = (block.heads(block.dense(h, n, HEADS * SIZE, 1), n) for n in ("q", "k", "v"))
    mask = block.input("mask", (TOKENS, TOKENS))
    mixed = block.attention(rotate(q, "q"), rotate(k, "k"), v, mask)
    x = b.add(x, mixed, name="attention_residual")
    h = norm(x, "mlp_norm")
    gate = b.silu(block.dense(h, "gate", MLP, 1), name="silu")
    h = b.multiply(gate, block.dense(h, "up", MLP, 1), name="swiglu")
    down = block.total(block.dense(h, "down", WIDTH, 0), "mlp_sum")
    return block.output(b.add(x, down, name="mlp_residual"))


BLOCKS: dict[str, Callable[[int], ttmlir.Builder]] = {
    "resnet": resnet,
    "transformer": transformer,
    "llama": llama,
}


@functools.cache
def compiled(block: str, target: str, backend: str) -> ttmlir.Executable:
    """One of ``BLOCKS`` for one of ``TARGETS``, compiled once in a process."""
    return ttmlir.compile(BLOCKS[block](TARGETS[target]), backend=backend, target=target)


def random_inputs(executable: ttmlir.Executable, seed: int) -> list[np.ndarray]:
    """Normal numbers for the inputs, weights divided by the root of what flows into an output."""
    rng = np.random.default_rng(seed)
    arrays = []
    for info in executable.inputs:
        rows = info.shape[0] if len(info.shape) == 2 else np.prod(info.shape[1:])
        array = rng.standard_normal(info.shape) / (np.sqrt(rows) if arrays else 1)
        arrays.append(array.astype(ml_dtypes.bfloat16))
    return arrays
