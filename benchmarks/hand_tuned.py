"""Models laid out as Tenstorrent's hand-tuned ones: the program says where every tensor is.

Encoders have block shards, a row of cores for some samples, and a core has whole heads in
attention. ResNet-50 begins in height shards, and its last two stages, with few pixels of many
channels, have block shards. All tensors are in bfp8_b and products have one phase.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ttmlir
from ttmlir.builder import Tensor

#: The format of all tensors but inputs.
FORMAT = "bfp8_b"


@dataclass
class Program:
    """A builder, the layout of the result of each op that has a name, and the shapes of weights."""

    b: ttmlir.Builder = field(default_factory=ttmlir.Builder)
    layouts: dict[str, str] = field(default_factory=dict)
    weights: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def at(self, name: str, layout: str) -> str:
        """The name of an op, whose result gets a layout."""
        self.layouts[name] = f"{layout}:tile:{FORMAT}"
        return name

    def weight(self, name: str, *shape: int) -> Tensor:
        self.weights[name] = shape
        return self.b.parameter(name, shape, "bf16")

    def compiled(self, target: str = "n150", **keywords: Any) -> ttmlir.Executable:
        """The compiler places what has no layout here: weights, heads, and what the chip computes
        once in a run."""
        return ttmlir.compile(
            self.b,
            target=target,
            precision="performance",
            optimization_level=1,
            override_output_layout=self.layouts,
            **keywords,
        )


def block(rows: int, columns: int) -> str:
    return f"{rows}x{columns}:l1:block_sharded"


def height(cores: int) -> str:
    return f"{cores}x1:l1:height_sharded"


# ===-- Encoders


@dataclass(frozen=True)
class Encoder:
    """Sizes of an encoder and the cores that have its tensors: ``grid`` those of block shards,
    ``head_cores`` those among which the heads of all samples are divided."""

    batch: int
    tokens: int
    width: int
    heads: int
    hidden: int
    layers: int
    grid: tuple[int, int]
    head_cores: int

    @property
    def layout(self) -> str:
        return block(*self.grid)


def linear(p: Program, x: Tensor, outputs: int, name: str, layout: str | None) -> Tensor:
    weight = p.weight(f"{name}.weight", 1, x.shape[-1], outputs)
    bias = p.weight(f"{name}.bias", outputs)
    return p.b.linear(x, weight, bias, name=p.at(name, layout) if layout else name)


def norm(p: Program, x: Tensor, name: str, layout: str) -> Tensor:
    scale, shift = (p.weight(f"{name}.{part}", x.shape[-1]) for part in ("weight", "bias"))
    return p.b.layer_norm(x, scale, shift, name=p.at(name, layout))


def attention(p: Program, e: Encoder, x: Tensor, mask: Tensor, name: str) -> Tensor:
    """Scores, softmax and context are on the cores that have the heads. The scale of the scores is
    in the weights of the queries."""
    heads = height(e.head_cores)
    qkv = linear(p, x, 3 * e.width, f"{name}.qkv", e.layout)
    q, k, v = p.b.split_query_key_value_and_split_heads(
        qkv, e.heads, transpose_key=True, name=f"{name}.heads"
    )
    scores = p.b.matmul(q, k, name=p.at(f"{name}.scores", heads))
    masked = p.b.add(scores, mask, name=p.at(f"{name}.masked", heads))
    weights = p.b.softmax(masked, name=p.at(f"{name}.softmax", heads))
    context = p.b.matmul(weights, v, name=p.at(f"{name}.context", heads))
    joined = p.b.concatenate_heads(context, name=p.at(f"{name}.joined", e.layout))
    return linear(p, joined, e.width, f"{name}.out", e.layout)


def feed_forward(p: Program, e: Encoder, x: Tensor, name: str) -> Tensor:
    up = linear(p, x, e.hidden, f"{name}.up", None)
    gelu = p.b.gelu(up, name=p.at(f"{name}.gelu", e.layout))
    return linear(p, gelu, e.width, f"{name}.down", e.layout)


def bert_layer(p: Program, e: Encoder, x: Tensor, mask: Tensor, name: str) -> Tensor:
    y = attention(p, e, x, mask, name)
    y = p.b.add(y, x, name=p.at(f"{name}.sum1", e.layout))
    y = norm(p, y, f"{name}.norm1", e.layout)
    z = feed_forward(p, e, y, name)
    z = p.b.add(z, y, name=p.at(f"{name}.sum2", e.layout))
    return norm(p, z, f"{name}.norm2", e.layout)


def vit_layer(p: Program, e: Encoder, x: Tensor, mask: Tensor, name: str) -> Tensor:
    y = attention(p, e, norm(p, x, f"{name}.norm1", e.layout), mask, name)
    y = p.b.add(y, x, name=p.at(f"{name}.sum1", e.layout))
    z = feed_forward(p, e, norm(p, y, f"{name}.norm2", e.layout), name)
    return p.b.add(z, y, name=p.at(f"{name}.sum2", e.layout))


def bert(e: Encoder) -> Program:
    """Tokens to hidden states."""
    p = Program()
    ids = p.b.input("ids", (e.batch, e.tokens), "si32")
    mask = p.b.input("mask", (e.batch, 1, 1, e.tokens), "bf16")
    words = p.weight("words", 30522, e.width)
    places = p.weight("places", 1, e.tokens, e.width)  # with the type of the only sentence
    x = p.b.embedding(ids, words, name=p.at("words", e.layout))
    x = p.b.add(x, places, name=p.at("embedded", e.layout))
    x = norm(p, x, "norm", e.layout)
    for i in range(e.layers):
        x = bert_layer(p, e, x, mask, f"layer{i}")
    p.b.output(x)
    return p


def vit(e: Encoder, patch: int = 16, classes: int = 1000) -> Program:
    """Patches, which the host has folded, to classes. The first token and the padding behind the
    others come as patches of zeros, and their embeddings with those of the positions."""
    p = Program()
    patches = p.b.input("patches", (e.batch, e.tokens, 3 * patch * patch), "bf16")
    mask = p.b.input("mask", (1, 1, 1, e.tokens), "bf16")
    x = linear(p, patches, e.width, "patch", e.layout)
    x = p.b.add(x, p.weight("places", 1, e.tokens, e.width), name=p.at("embedded", e.layout))
    for i in range(e.layers):
        x = vit_layer(p, e, x, mask, f"layer{i}")
    x = norm(p, x, "norm", e.layout)
    first = p.b.slice(x, (0, 0, 0), (e.batch, 1, e.width), (1, 1, 1))
    p.b.output(linear(p, p.b.reshape(first, (1, e.batch, e.width)), classes, "classes", None))
    return p


# ===-- ResNet-50


@dataclass(frozen=True)
class Stage:
    """Blocks of one number of channels and one layout. The first block reads pixels with a
    ``stride``."""

    blocks: int
    channels: int
    stride: int
    layout: str


@dataclass(frozen=True)
class ResNet:
    """Sizes of a residual network, and the layouts of its first convolution and of each stage."""

    batch: int
    size: int
    stem: str
    stages: tuple[Stage, ...]
    classes: int = 1000


def conv(
    p: Program,
    x: Tensor,
    filters: int,
    kernel: int,
    name: str,
    layout: str,
    *,
    stride: int = 1,
    padding: int = 0,
    relu: bool = True,
) -> Tensor:
    """A convolution with the batch norm in its weights."""
    weight = p.weight(f"{name}.weight", filters, x.shape[-1], kernel, kernel)
    bias = p.weight(f"{name}.bias", 1, 1, 1, filters)
    own = f"{name}.conv" if relu else p.at(name, layout)
    options: dict[str, Any] = {"stride": (stride, stride), "padding": (padding, padding)}
    y = p.b.conv2d(x, weight, bias, name=own, **options)
    return p.b.relu(y, name=p.at(name, layout)) if relu else y


def bottleneck(p: Program, x: Tensor, stage: Stage, name: str, before: str, stride: int) -> Tensor:
    """A residual block; ``before`` is the layout of its input."""
    y = conv(p, x, stage.channels, 1, f"{name}.1", before)
    y = conv(p, y, stage.channels, 3, f"{name}.2", stage.layout, stride=stride, padding=1)
    y = conv(p, y, 4 * stage.channels, 1, f"{name}.3", stage.layout, relu=False)
    if x.shape != y.shape:
        x = conv(p, x, y.shape[-1], 1, f"{name}.0", stage.layout, stride=stride, relu=False)
    return p.b.relu(p.b.add(y, x, name=f"{name}.sum"), name=p.at(name, stage.layout))


def resnet(r: ResNet) -> Program:
    """Images to classes. The host has padded the image by three pixels and folded it: 2x2 pixels of
    3 channels are one of 12, with 4 of zeros. The first convolution has 4x4 instead of 7x7 taps and
    stride 1."""
    p = Program()
    side = r.size // 2 + 3
    x = p.b.input("image", (r.batch, side, side, 16), "bf16")
    x = p.b.to_layout(x, memory_space="dram", tiled=True)
    x = conv(p, x, 64, 4, "stem", r.stem)
    windows: dict[str, Any] = {"kernel": (3, 3), "stride": (2, 2), "padding": (1, 1)}
    before = r.stages[0].layout
    x = p.b.max_pool2d(x, **windows)
    for i, stage in enumerate(r.stages):
        for j in range(stage.blocks):
            stride = stage.stride if j == 0 else 1
            x = bottleneck(p, x, stage, f"stage{i}.{j}", before, stride)
            before = stage.layout
    x = p.b.mean(p.b.reshape(x, (r.batch, x.shape[1] * x.shape[2], x.shape[3])), (1,))
    x = p.b.reshape(x, (1, r.batch, x.shape[-1]))
    p.b.output(linear(p, x, r.classes, "classes", None))
    return p


# ===-- The models, on an n150


@dataclass(frozen=True)
class Model:
    """A model with the published samples a second; ``build`` makes the program."""

    name: str
    batch: int
    published: float
    build: Callable[[], Program]


RESNET_50 = ResNet(
    batch=16,
    size=224,
    stem=height(64),
    stages=(
        Stage(3, 64, 1, height(56)),
        Stage(4, 128, 2, height(56)),
        Stage(6, 256, 2, block(7, 8)),
        Stage(3, 512, 2, block(7, 8)),
    ),
)
VIT_BASE = Encoder(8, 224, 768, 12, 3072, layers=12, grid=(8, 8), head_cores=48)
BERT_LARGE = Encoder(8, 384, 1024, 16, 4096, layers=24, grid=(8, 8), head_cores=64)

MODELS = (
    Model("ResNet-50", 16, 4700, lambda: resnet(RESNET_50)),
    Model("ViT-base", 8, 1370, lambda: vit(VIT_BASE)),
    Model("BERT-large", 8, 270, lambda: bert(BERT_LARGE)),
)
