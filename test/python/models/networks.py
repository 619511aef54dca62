"""Networks, written with either writer; weights are inputs unless they are given as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from models.writer import Value, Writer

Array = np.ndarray[Any, np.dtype[Any]]

#: Shapes of the inputs, in the order of the function's arguments.
RESNET_SHAPES = {
    "x": (2, 16, 16, 8),
    "stem": (32, 3, 3, 8),
    "stem_bias": (32,),
    "first": (32, 3, 3, 32),
    "first_bias": (32,),
    "second": (32, 3, 3, 32),
    "second_bias": (32,),
}

BATCH, TOKENS, WIDTH, HEADS, HIDDEN = 2, 32, 64, 4, 128
ENCODER_SHAPES = {
    "x": (BATCH, TOKENS, WIDTH),
    "norm1": (1, 1, WIDTH),
    "norm1_bias": (1, 1, WIDTH),
    "query": (1, WIDTH, WIDTH),
    "query_bias": (1, 1, WIDTH),
    "key": (1, WIDTH, WIDTH),
    "key_bias": (1, 1, WIDTH),
    "value": (1, WIDTH, WIDTH),
    "value_bias": (1, 1, WIDTH),
    "out": (1, WIDTH, WIDTH),
    "out_bias": (1, 1, WIDTH),
    "norm2": (1, 1, WIDTH),
    "norm2_bias": (1, 1, WIDTH),
    "up": (1, WIDTH, HIDDEN),
    "up_bias": (1, 1, HIDDEN),
    "down": (1, HIDDEN, WIDTH),
    "down_bias": (1, 1, WIDTH),
}

LENET_SHAPES = {
    "conv1": (8, 3, 3, 1),
    "conv1_bias": (8,),
    "conv2": (16, 3, 3, 8),
    "conv2_bias": (16,),
    "dense1": (1, 64, 32),
    "dense1_bias": (1, 1, 32),
    "dense2": (1, 32, 10),
    "dense2_bias": (1, 1, 10),
}


def resnet_block(w: Writer) -> Writer:
    """Convolution, bias, relu and max pool, then two convolutions around which the input goes."""
    v = {name: w.input(name, shape) for name, shape in RESNET_SHAPES.items()}
    x = w.max_pool(w.relu(w.conv2d(v["x"], v["stem"], v["stem_bias"], pad=1)), 2)
    y = w.relu(w.conv2d(x, v["first"], v["first_bias"], pad=1))
    y = w.conv2d(y, v["second"], v["second_bias"], pad=1)
    return w.output(w.relu(w.binary("add", x, y)))


def encoder_block(w: Writer) -> Writer:
    """A Transformer encoder block: attention with softmax, a network of two layers, layer norms."""
    v = {name: w.input(name, shape) for name, shape in ENCODER_SHAPES.items()}
    size = WIDTH // HEADS

    def dense(x: Value, name: str) -> Value:
        return w.dense(x, v[name], v[f"{name}_bias"])

    def heads(x: Value) -> Value:
        x = w.transpose(w.reshape(x, (BATCH, TOKENS, HEADS, size)), (0, 2, 1, 3))
        return w.reshape(x, (BATCH * HEADS, TOKENS, size))

    x = w.layer_norm(v["x"], v["norm1"], v["norm1_bias"])
    query, key, value = (heads(dense(x, name)) for name in ("query", "key", "value"))
    scores = w.matmul(query, w.transpose(key, (0, 2, 1)))
    scores = w.binary("mul", scores, w.scalar(size**-0.5, 3))
    mixed = w.reshape(w.matmul(w.softmax(scores, 2), value), (BATCH, HEADS, TOKENS, size))
    mixed = w.reshape(w.transpose(mixed, (0, 2, 1, 3)), (BATCH, TOKENS, WIDTH))
    x = w.binary("add", v["x"], dense(mixed, "out"))
    y = w.gelu(dense(w.layer_norm(x, v["norm2"], v["norm2_bias"]), "up"))
    return w.output(w.binary("add", x, dense(y, "down")))


def lenet(w: Writer, weights: Mapping[str, Array], batch: int) -> Writer:
    """Two convolutions with pools and two dense layers on 8x8 scans; the weights are constants."""
    x = w.input("x", (batch, 8, 8, 1))
    v = {name: w.constant(weights[name]) for name in LENET_SHAPES}
    x = w.max_pool(w.relu(w.conv2d(x, v["conv1"], v["conv1_bias"], pad=1)), 2)
    x = w.max_pool(w.relu(w.conv2d(x, v["conv2"], v["conv2_bias"], pad=1)), 2)
    x = w.reshape(x, (1, batch, 64))
    x = w.relu(w.dense(x, v["dense1"], v["dense1_bias"]))
    x = w.dense(x, v["dense2"], v["dense2_bias"])
    return w.output(w.reshape(x, (batch, 10)))


def random_inputs(shapes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, Array]:
    """Inputs of variance 1, weights scaled by what flows into an output."""
    rng = np.random.default_rng(seed)
    arrays: dict[str, Array] = {}
    for name, shape in shapes.items():
        array = rng.standard_normal(shape)
        if name.endswith("_bias"):
            array *= 0.1
        elif name.startswith("norm"):
            array = 1 + 0.1 * array
        elif len(shape) == 4 and name != "x":
            array *= np.sqrt(2 / np.prod(shape[1:]))
        elif name != "x":
            array *= np.sqrt(1 / shape[1])
        arrays[name] = array.astype(np.float32)
    return arrays
