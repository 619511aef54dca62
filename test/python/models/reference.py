"""The networks in JAX, in f32."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from models.networks import BATCH, HEADS, LENET_SHAPES, TOKENS, WIDTH

Array = np.ndarray[Any, np.dtype[Any]]


def conv(x: Any, kernel: Any, bias: Any) -> Any:
    numbers = ("NHWC", "OHWI", "NHWC")
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=numbers) + bias


def pool(x: Any) -> Any:
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


def resnet_block(v: Mapping[str, Any]) -> Any:
    x = pool(jax.nn.relu(conv(v["x"], v["stem"], v["stem_bias"])))
    y = jax.nn.relu(conv(x, v["first"], v["first_bias"]))
    return jax.nn.relu(x + conv(y, v["second"], v["second_bias"]))


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * weight + bias


def encoder_block(v: Mapping[str, Any]) -> Any:
    def dense(x: Any, name: str) -> Any:
        return x @ v[name] + v[f"{name}_bias"]

    def heads(x: Any) -> Any:
        return x.reshape(BATCH, TOKENS, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

    x = layer_norm(v["x"], v["norm1"], v["norm1_bias"])
    query, key, value = (heads(dense(x, name)) for name in ("query", "key", "value"))
    scores = query @ key.transpose(0, 1, 3, 2) * (WIDTH // HEADS) ** -0.5
    mixed = (jax.nn.softmax(scores, -1) @ value).transpose(0, 2, 1, 3)
    x = v["x"] + dense(mixed.reshape(BATCH, TOKENS, WIDTH), "out")
    y = jax.nn.gelu(dense(layer_norm(x, v["norm2"], v["norm2_bias"]), "up"), approximate=False)
    return x + dense(y, "down")


def lenet(v: Mapping[str, Any], x: Any) -> Any:
    x = pool(jax.nn.relu(conv(x, v["conv1"], v["conv1_bias"])))
    x = pool(jax.nn.relu(conv(x, v["conv2"], v["conv2_bias"])))
    x = x.reshape(1, -1, 64)
    x = jax.nn.relu(x @ v["dense1"] + v["dense1_bias"])
    return (x @ v["dense2"] + v["dense2_bias"])[0]


def digits() -> tuple[Array, Array, Array, Array]:
    """Training and test images (n, 8, 8, 1) in [0, 1] with their labels."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    order = np.random.default_rng(0).permutation(len(images))
    test, train = order[:448], order[448:]
    return images[train], labels[train], images[test], labels[test]


def train_lenet(images: Array, labels: Array, epochs: int = 12) -> dict[str, Array]:
    """Weights by Adam on the cross entropy."""
    rng = np.random.default_rng(1)
    weights = {}
    for name, shape in LENET_SHAPES.items():
        fan_in = np.prod(shape[1:]) if len(shape) == 4 else shape[1] if len(shape) == 3 else 1
        scale = 0.0 if name.endswith("_bias") else np.sqrt(2 / fan_in)
        weights[name] = (scale * rng.standard_normal(shape)).astype(np.float32)

    def loss(v: Mapping[str, Any], x: Any, y: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(lenet(v, x)), y[:, None], 1).mean()

    @jax.jit
    def step(v: Any, mean: Any, square: Any, count: Any, x: Any, y: Any) -> Any:
        gradient = jax.grad(loss)(v, x, y)
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
        rate = 3e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        v = jax.tree.map(lambda p, m, s: p - rate * m / (jnp.sqrt(s) + 1e-8), v, mean, square)
        return v, mean, square

    state: Any = weights
    mean = square = jax.tree.map(np.zeros_like, weights)
    count = 0
    for _ in range(epochs):
        order = rng.permutation(len(images))
        for start in range(0, len(order) - 63, 64):
            batch = order[start : start + 64]
            count += 1
            state, mean, square = step(state, mean, square, count, images[batch], labels[batch])
    return {name: np.asarray(array) for name, array in state.items()}
