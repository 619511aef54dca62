"""Modules that programs are made of, with examples of their inputs, by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

Case = tuple[nn.Module, tuple[Any, ...]]
MODULES: dict[str, Callable[[], Case]] = {}


def module(make: Callable[[], Case]) -> Callable[[], Case]:
    """Enters a function that makes a module into the table, under its own name."""
    MODULES[make.__name__] = make
    return make


class Residual(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outer)
        self.second = nn.Conv2d(outer, outer, 3, 1, 1)
        self.skip = nn.Conv2d(inner, outer, 1, stride, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.norm(self.first(x)), inplace=True)
        return F.relu(self.second(y).add_(self.skip(x)), inplace=True)


@module
def residual_network() -> Case:
    layers = [nn.Conv2d(3, 16, 7, 2, 3), nn.BatchNorm2d(16), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)]
    blocks = [Residual(16, 16, 1), Residual(16, 32, 2)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10)]
    return nn.Sequential(*layers, *blocks, *head).eval(), (torch.randn(2, 3, 32, 32),)


@module
def separable_network() -> Case:
    squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(16, 16, 1), nn.Hardsigmoid())

    class Squeezed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.squeeze = squeeze

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.squeeze(x)

    layers = [
        nn.Conv2d(3, 16, 3, 2, 1),
        nn.Hardswish(),
        nn.Conv2d(16, 16, 3, 1, 1, groups=16),
        nn.ReLU6(),
        Squeezed(),
        nn.PReLU(16),
        nn.GroupNorm(4, 16),
        nn.AdaptiveAvgPool2d((3, 3)),
        nn.Flatten(),
        nn.Linear(144, 10),
    ]
    return nn.Sequential(*layers).eval(), (torch.randn(1, 3, 32, 32),)


class Attention(nn.Module):
    """Grouped heads with rotations, or plain ones."""

    def __init__(self, width: int, heads: int, groups: int) -> None:
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, groups * self.size)
        self.v = nn.Linear(width, groups * self.size)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, places, width = x.shape

        def split(t: torch.Tensor, heads: int) -> torch.Tensor:
            return t.view(batch, places, heads, self.size).transpose(1, 2)

        q, k, v = (
            split(self.q(x), self.heads),
            split(self.k(x), self.groups),
            split(self.v(x), self.groups),
        )
        causal = mask is None
        y = F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal, enable_gqa=True)
        return self.out(y.transpose(1, 2).reshape(batch, places, width))


class Root(nn.Module):
    """The root mean square normalization in pieces."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.to(torch.float32)
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * wide.to(x.dtype)


class Decoder(nn.Module):
    def __init__(self, words: int = 64, width: int = 32) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.norms = nn.ModuleList([Root(width) for _ in range(3)])
        self.attention = Attention(width, 4, 2)
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)
        self.head = nn.Linear(width, words, bias=False)
        # Tied weights.
        self.head.weight = self.embed.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens)
        x = x + self.attention(self.norms[0](x))
        y = self.norms[1](x)
        x = x + self.down(F.silu(self.gate(y)) * self.up(y))
        return self.head(self.norms[2](x))


@module
def decoder() -> Case:
    return Decoder().eval(), (torch.randint(0, 64, (2, 12)),)


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(50, 32, padding_idx=0), nn.Embedding(16, 32)
        self.norm, self.attention = nn.LayerNorm(32, 1e-12), Attention(32, 4, 4)
        self.up, self.down, self.pool = nn.Linear(32, 64), nn.Linear(64, 32), nn.Linear(32, 32)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("order", torch.arange(16)[None])

    def forward(self, tokens: torch.Tensor, seen: torch.Tensor) -> Any:
        x = self.words(tokens) + self.places(self.order[:, : tokens.shape[1]])
        x = self.dropout(self.norm(x))
        mask = (1.0 - seen[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        x = x + self.attention(x, mask)
        x = self.norm(x + self.down(F.gelu(self.up(x))))
        return {"places": x, "pooled": torch.tanh(self.pool(x[:, 0]))}


@module
def encoder() -> Case:
    seen = torch.ones(2, 8, dtype=torch.long)
    seen[1, 5:] = 0
    return Encoder().eval(), (torch.randint(0, 50, (2, 8)), seen)


@module
def vision_transformer() -> Case:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patches = nn.Conv2d(3, 32, 8, 8)
            self.first = nn.Parameter(torch.zeros(1, 1, 32))
            layer = nn.TransformerEncoderLayer(
                32, 4, 64, activation="gelu", batch_first=True, norm_first=True
            )
            self.body = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = self.patches(x).flatten(2).transpose(1, 2)
            x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1)
            return self.body(x)[:, 0]

    return Net().eval(), (torch.randn(2, 3, 16, 16),)


@module
def up_and_down() -> Case:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.down = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), nn.GroupNorm(2, 8), nn.SiLU())
            self.mid = nn.Conv2d(8, 16, 3, 1, 1)
            self.up = nn.ConvTranspose2d(16, 8, 2, 2)
            self.time = nn.Linear(8, 16)

        def forward(self, x: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
            rates = torch.exp(-math.log(10000) * torch.arange(4) / 4)
            angles = step[:, None].float() * rates[None]
            shift = self.time(torch.cat([angles.sin(), angles.cos()], -1))
            fine = self.down(x)
            coarse = self.mid(F.avg_pool2d(F.max_pool2d(fine, 2), 2)) + shift[:, :, None, None]
            y = F.interpolate(self.up(coarse), scale_factor=2, mode="bilinear")
            y = F.interpolate(y, size=(21, 19), mode="bilinear", align_corners=True)
            return torch.cat([y, F.interpolate(fine, size=(21, 19), mode="nearest")], 1)

    return Net().eval(), (torch.randn(1, 3, 16, 16), torch.tensor([10]))


@module
def recurrent() -> Case:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = nn.Embedding(20, 8)
            self.lstm = nn.LSTM(8, 16, 1, batch_first=True, bidirectional=True)
            self.gru = nn.GRU(32, 16, batch_first=True)

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            _, last = self.gru(self.lstm(self.embed(tokens))[0])
            return F.log_softmax(last[-1], -1)

    return Net().eval(), (torch.randint(0, 20, (2, 5)),)


@module
def detection() -> Case:
    class Net(nn.Module):
        def forward(self, boxes: torch.Tensor, scores: torch.Tensor) -> Any:
            chances = scores.softmax(-1)
            best, kind = chances.max(-1)
            top, order = best.topk(5)
            chosen = boxes.gather(1, order[..., None].expand(-1, -1, 4))
            kept = torch.where(best > 0.5, best, torch.zeros_like(best))
            seen = (chances > 0.5).any(-1)
            return top, chosen, kind.gather(1, order), seen, chances.cumsum(-1), kept

    return Net(), (torch.randn(2, 20, 4), torch.randn(2, 20, 7))


@module
def experts() -> Case:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gate, self.weight = nn.Linear(16, 4), nn.Parameter(torch.randn(4, 16, 16) / 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            share, chosen = self.gate(x).softmax(-1).topk(2)
            mask = torch.zeros(x.shape[0], 4).scatter(1, chosen, share)
            each = torch.einsum("td,edh->teh", x, self.weight)
            return torch.einsum("te,teh->th", mask, each)

    return Net().eval(), (torch.randn(8, 16),)


@module
def windows() -> Case:
    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            b, h, w, c = x.shape
            y = torch.roll(x, (-2, -2), (1, 2)).view(b, h // 4, 4, w // 4, 4, c)
            y = y.permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, c)
            image = x.permute(0, 3, 1, 2)
            padded = F.pad(image, (1, 1, 1, 1), mode="reflect")
            return F.normalize(y, dim=-1), F.pixel_shuffle(image, 2), F.unfold(padded, 3)

    return Net(), (torch.randn(1, 8, 8, 8),)


@module
def sound() -> Case:
    layers = [nn.Conv1d(8, 16, 3, 1, 1), nn.GELU("tanh"), nn.Conv1d(16, 16, 3, 2, 1)]
    return nn.Sequential(*layers, nn.InstanceNorm1d(16)).eval(), (torch.randn(1, 8, 32),)


@module
def volumes() -> Case:
    layers = [nn.Conv3d(3, 8, 3, padding=1), nn.BatchNorm3d(8), nn.MaxPool3d(2)]
    return nn.Sequential(*layers).eval(), (torch.randn(1, 3, 6, 6, 6),)


@module
def fused_projection() -> Case:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight, self.bias = (
                nn.Parameter(torch.randn(16, 48) / 4),
                nn.Parameter(torch.zeros(48)),
            )
            self.register_buffer("seen", torch.tril(torch.ones(8, 8, dtype=torch.bool)))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            q, k, v = (
                torch.addmm(self.bias, x.view(-1, 16), self.weight).view(2, 8, 48).split(16, 2)
            )
            scores = q @ k.transpose(-1, -2) / 4
            scores = torch.where(self.seen, scores, torch.finfo(scores.dtype).min)
            return scores.softmax(-1) @ v

    return Net().eval(), (torch.randn(2, 8, 16),)
