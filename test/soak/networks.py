"""What the layers of ResNet-50, BERT-large, Llama 7B and Whisper large compute, at their sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from engine import Failure, Note

import ttmlir
from ttmlir.builder import Tensor

Array = np.ndarray[Any, np.dtype[Any]]
BF16 = np.dtype(ml_dtypes.bfloat16)


@dataclass(frozen=True)
class Layer:
    """A piece of a model in bf16: its inputs, how it is built, what it is in float64, and how many
    roundings lie on the way. An op that only moves elements has none."""

    name: str
    inputs: tuple[tuple[int, ...], ...]
    build: Callable[..., Tensor]
    reference: Callable[..., Array]
    roundings: int = 1

    def arrays(self, rng: np.random.Generator) -> list[Array]:
        first, *rest = self.inputs
        # Weights keep the magnitude of what they multiply.
        found = [rng.standard_normal(first)]
        found += [rng.standard_normal(shape) / np.sqrt(_fan_in(shape)) for shape in rest]
        return [array.astype(BF16) for array in found]


def _fan_in(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape[1:])) if len(shape) == 4 else shape[-2] if len(shape) > 1 else 1


def product(name: str, m: int, k: int, n: int) -> Layer:
    return Layer(name, ((m, k), (k, n)), lambda b, x, w: b.matmul(x, w), lambda x, w: x @ w)


def convolution(
    name: str, size: int, channels: int, filters: int, kernel: int, stride: int
) -> Layer:
    side = kernel // 2

    def reference(x: Array, w: Array) -> Array:
        padded = np.pad(x, ((0, 0), (side, side), (side, side), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))
        windows = windows[:, ::stride, ::stride]
        rows = windows.reshape(-1, channels * kernel * kernel)
        result = rows @ w.reshape(filters, -1).T
        return result.reshape(*windows.shape[:3], filters)

    shapes = ((1, size, size, channels), (filters, channels, kernel, kernel))
    return Layer(
        name,
        shapes,
        lambda b, x, w: b.conv2d(x, w, stride=(stride, stride), padding=(side, side)),
        reference,
    )


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def attention(name: str, heads: int, rows: int, width: int) -> Layer:
    scale = float(np.float32(width**-0.5))

    def build(b: ttmlir.Builder, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = b.matmul(q, k, transpose_b=True) * scale
        return b.matmul(b.softmax(scores), v)

    def reference(q: Array, k: Array, v: Array) -> Array:
        return _softmax(q @ k.swapaxes(-1, -2) * scale) @ v

    shape = (heads, rows, width)
    return Layer(name, (shape,) * 3, build, reference, roundings=4)


def whole(
    name: str,
    shape: tuple[int, ...],
    op: str,
    reference: Callable[[Array], Array],
    roundings: int = 1,
    /,
    **words: Any,
) -> Layer:
    """An op of one tensor."""
    return Layer(
        name, (shape,), lambda b, x: getattr(b, op)(x, **words), reference, roundings=roundings
    )


def _layer_norm(x: Array) -> Array:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def _rms_norm(x: Array) -> Array:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)


LAYERS = [
    # ResNet-50: images of 224 in five stages.
    convolution("ResNet-50 stem", 224, 3, 64, 7, 2),
    convolution("ResNet-50 stage 1", 56, 64, 64, 3, 1),
    convolution("ResNet-50 stage 2, smaller", 56, 128, 128, 3, 2),
    convolution("ResNet-50 stage 3, wider", 14, 256, 1024, 1, 1),
    convolution("ResNet-50 stage 4", 7, 512, 512, 3, 1),
    whole(
        "ResNet-50 mean of the image",
        (1, 7, 7, 2048),
        "mean",
        lambda x: x.mean((1, 2), keepdims=True),
        dim=[1, 2],
        keep_dim=True,
    ),
    product("ResNet-50 classes", 1, 2048, 1000),
    # BERT-large: 24 layers of 16 heads, 1024 wide; 384 tokens as in SQuAD.
    product("BERT-large projection", 384, 1024, 1024),
    product("BERT-large up", 384, 1024, 4096),
    product("BERT-large down", 384, 4096, 1024),
    product("BERT-large vocabulary", 128, 1024, 30522),
    attention("BERT-large attention", 16, 384, 64),
    whole("BERT-large layer norm", (8, 384, 1024), "layer_norm", _layer_norm, 2),
    whole("BERT-large gelu", (384, 4096), "gelu", lambda x: x * _normal(x)),
    # Llama 7B: 32 layers of 32 heads, 4096 wide, 11008 inside.
    product("Llama 7B gate", 128, 4096, 11008),
    product("Llama 7B down", 128, 11008, 4096),
    product("Llama 7B vocabulary", 128, 4096, 32000),
    product("Llama 7B one token", 1, 4096, 11008),
    product("Llama 7B two chips", 128, 512, 5888),
    product("Llama 7B two chips, down", 128, 512, 5632),
    attention("Llama 7B attention", 32, 512, 128),
    attention("Llama 7B attention of a ragged prompt", 32, 197, 128),
    whole("Llama 7B RMS norm", (1, 512, 4096), "rms_norm", _rms_norm, 2),
    whole(
        "Llama 7B heads first",
        (1, 512, 32, 128),
        "permute",
        lambda x: x.transpose(0, 2, 1, 3),
        0,
        permutation=[0, 2, 1, 3],
    ),
    whole(
        "Llama 7B rows of heads",
        (1, 512, 4096),
        "reshape",
        lambda x: x.reshape(1, 512, 32, 128),
        0,
        shape=[1, 512, 32, 128],
    ),
    # Whisper large: 1500 frames of 80 bands, 20 heads of 64.
    product("Whisper projection", 1500, 1280, 1280),
    product("Whisper vocabulary", 4, 1280, 51865),
    attention("Whisper attention", 20, 1500, 64),
    whole("Whisper softmax", (20, 448, 1500), "softmax", _softmax, 2),
    whole("Whisper bands first", (1, 3000, 80), "transpose", lambda x: x.swapaxes(1, 2), 0),
    whole(
        "Whisper sum of the frames",
        (1, 1500, 1280),
        "sum",
        lambda x: x.sum(1, keepdims=True),
        dim=1,
        keep_dim=True,
    ),
    # Others that do not divide over the cores.
    product("Gemma 2B down", 128, 2304, 9216),
    product("square and ragged", 5888, 512, 5888),
    product("wide and short", 5888, 512, 128),
]


def _normal(x: Array) -> Array:
    from scipy import special

    found: Array = special.ndtr(x)
    return found


def difference(actual: Array, expected: Array, layer: Layer) -> str | None:
    """What is wrong with a result. Every rounding on the way is one of the format, of numbers whose
    magnitudes are those of the row."""
    wide = actual.astype(np.float64)
    if wide.shape != expected.shape:
        return f"expected a shape of {expected.shape}, found {wide.shape}"
    row = np.sqrt((expected**2).mean(-1, keepdims=True))
    allowed = 2.0**-8 * layer.roundings * np.maximum(np.abs(expected), 2 * row)
    wrong = ~(np.abs(wide - expected) <= allowed)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{int(wrong.sum())} of {wrong.size} elements are wrong; at {place}: expected "
        f"{expected[place]!r} within {np.broadcast_to(allowed, wrong.shape)[place]:.3g}, "
        f"found {wide[place]!r}"
    )


class Networks:
    name = "networks"
    seconds = 600.0
    batch = 1

    def run(self, seed: int, note: Note) -> str:
        layer = LAYERS[seed % len(LAYERS)]
        arrays = layer.arrays(np.random.default_rng(seed))
        expected = layer.reference(*(array.astype(np.float64) for array in arrays))
        for backend in ("ttnn", "ttmetal"):
            builder = ttmlir.Builder("layer")
            inputs = [builder.input(f"x{i}", array.shape, "bf16") for i, array in enumerate(arrays)]
            builder.output(layer.build(builder, *inputs))
            text = f"// {layer.name}, backend={backend!r}\n{builder.module}\n"
            note(text, ".mlir")
            try:
                actual = ttmlir.compile(builder, backend=backend)(*arrays)
            except ttmlir.Error as error:
                kind = f"{backend} {type(error).__name__}"
                raise Failure(kind, f"{layer.name}: {error}", text, ".mlir") from None
            wrong = difference(actual, expected, layer)
            if wrong is not None:
                raise Failure(f"{backend} wrong numbers", f"{layer.name}: {wrong}", text, ".mlir")
        return "layer"
