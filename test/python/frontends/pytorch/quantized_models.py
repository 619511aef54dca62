"""Quantizes modules after training as PT2E does: products read integers with observed scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.ao.quantization.fx._decomposed  # registers the ops
from torch import nn

_Q: Any = torch.ops.quantized_decomposed
_PRODUCTS = (torch.ops.aten.linear.default, torch.ops.aten.conv2d.default)
_U8, _I8 = (0, 255, torch.uint8), (-128, 127, torch.int8)


class _Observer(torch.fx.Interpreter):
    """Records the range of the input of each product."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.ranges: dict[torch.fx.Node, tuple[float, float]] = {}

    def run_node(self, node: torch.fx.Node) -> Any:
        if node.target in _PRODUCTS:
            x = self.env[node.args[0]]
            low, high = self.ranges.get(node, (0.0, 0.0))
            self.ranges[node] = min(low, float(x.min())), max(high, float(x.max()))
        return super().run_node(node)


def quantized(
    module: nn.Module, samples: Sequence[tuple[torch.Tensor, ...]]
) -> torch.fx.GraphModule:
    """Returns a graph whose linear layers and convolutions read dequantized integers.

    Args:
        module: in evaluation mode.
        samples: arguments from which the scales of activations are taken.
    """
    graph = torch.export.export(module, samples[0]).module()
    observer = _Observer(graph)
    with torch.no_grad():
        for sample in samples:
            observer.run(*sample)
    for number, (node, (low, high)) in enumerate(observer.ranges.items()):
        scale = max(high - low, 1e-6) / 255
        point = round(-low / scale)
        weight = _tensor(graph, node.args[1].target).detach()
        scales = weight.abs().flatten(1).amax(1).clamp(min=1e-6) / 127
        zeros = torch.zeros(len(scales), dtype=torch.int64)
        stored = _Q.quantize_per_channel(weight, scales, zeros, 0, *_I8)
        for name, tensor in (("stored", stored), ("scales", scales), ("zeros", zeros)):
            graph.register_buffer(f"{name}{number}", tensor)
        with graph.graph.inserting_before(node):
            x = graph.graph.call_function(
                _Q.quantize_per_tensor.default, (node.args[0], scale, point, *_U8)
            )
            x = graph.graph.call_function(_Q.dequantize_per_tensor.default, (x, scale, point, *_U8))
            given = [graph.graph.get_attr(f"{n}{number}") for n in ("stored", "scales", "zeros")]
            w = graph.graph.call_function(_Q.dequantize_per_channel.default, (*given, 0, *_I8))
        node.args = (x, w, *node.args[2:])
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return graph


def _tensor(module: nn.Module, name: str) -> torch.Tensor:
    for part in name.split("."):
        module = getattr(module, part)
    return module  # type: ignore[return-value]


class Block(nn.Module):
    """Two convolutions around which the input goes."""

    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inner, outer, 3, stride, 1)
        self.second = nn.Conv2d(outer, outer, 3, 1, 1)
        self.around = nn.Conv2d(inner, outer, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.second(torch.relu(self.first(x)))
        return torch.relu(y + self.around(x))


def resnet() -> nn.Module:
    """Residual blocks, of 3x32x32 images."""
    stem = nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2))
    blocks = nn.Sequential(Block(16, 32, 1), Block(32, 64, 2))
    head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    return nn.Sequential(stem, blocks, head).eval()


class Encoder(nn.Module):
    """Two layers of a sentence encoder, whose results are means over the tokens."""

    def __init__(self, size: int = 128, heads: int = 4) -> None:
        super().__init__()
        self.table = nn.Embedding(100, size)
        self.heads = heads
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    "qkv": nn.Linear(size, 3 * size),
                    "out": nn.Linear(size, size),
                    "up": nn.Linear(size, 4 * size),
                    "down": nn.Linear(4 * size, size),
                    "first": nn.LayerNorm(size),
                    "second": nn.LayerNorm(size),
                }
            )
            for _ in range(2)
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.table(ids)
        for layer in self.layers:
            parts = layer["qkv"](x).unflatten(-1, (3, self.heads, -1)).unbind(2)
            mixed = nn.functional.scaled_dot_product_attention(
                *(part.transpose(1, 2) for part in parts)
            )
            x = layer["first"](x + layer["out"](mixed.transpose(1, 2).flatten(2)))
            x = layer["second"](x + layer["down"](nn.functional.gelu(layer["up"](x))))
        return x.mean(1)
