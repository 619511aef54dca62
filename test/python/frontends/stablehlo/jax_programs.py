"""Programs of many kinds, as people write them with JAX: name, function, makers of arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn


@dataclass(frozen=True)
class Program:
    """A function and what makes its arguments from a generator; ``tolerance`` is relative to the
    greatest magnitude of a result."""

    function: Callable[..., Any]
    arguments: Callable[[np.random.Generator], tuple[Any, ...]]
    tolerance: float = 1e-5


PROGRAMS: dict[str, Program] = {}


def program(*specs: Any, tolerance: float = 1e-5) -> Callable[[Callable[..., Any]], Any]:
    """Enters a function; a spec is a shape of floats, or a function of the generator."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = Program(
            function, lambda rng: tuple(_value(spec, rng) for spec in specs), tolerance
        )
        return function

    return enter


def _value(spec: Any, rng: np.random.Generator) -> Any:
    if callable(spec):
        return spec(rng)
    if isinstance(spec, dict):
        return {key: _value(value, rng) for key, value in spec.items()}
    if isinstance(spec, list):
        return [_value(value, rng) for value in spec]
    return rng.standard_normal(spec).astype(np.float32)


def ints(shape: tuple[int, ...], below: int) -> Callable[[np.random.Generator], Any]:
    return lambda rng: rng.integers(0, below, shape).astype(np.int32)


def scaled(shape: tuple[int, ...], factor: float) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (rng.standard_normal(shape) * factor).astype(np.float32)


def number(value: Any, kind: Any = np.int32) -> Callable[[np.random.Generator], Any]:
    return lambda _: kind(value)


# Training ----------------------------------------------------------------------------------------

LAYERS = [[scaled((20, 48), 0.2), (48,)], [scaled((48, 10), 0.15), (10,)]]


def dense(layers: Any, x: Any) -> Any:
    for w, b in layers[:-1]:
        x = nn.relu(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def label_loss(layers: Any, x: Any, labels: Any) -> Any:
    logits = nn.log_softmax(dense(layers, x))
    return -jnp.take_along_axis(logits, labels[:, None], axis=1).mean()


@program(LAYERS, (32, 20), ints((32,), 10))
def sgd_step(layers: Any, x: Any, labels: Any) -> Any:
    loss, gradient = jax.value_and_grad(label_loss)(layers, x, labels)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, layers, gradient)


@program(LAYERS, (32, 20), ints((32,), 10), number(3))
def adam_step(layers: Any, x: Any, labels: Any, count: Any) -> Any:
    gradient = jax.grad(label_loss)(layers, x, labels)
    first = jax.tree.map(lambda g: 0.1 * g, gradient)
    second = jax.tree.map(lambda g: 0.001 * g * g, gradient)
    one, two = (1 - jnp.power(b, count.astype(jnp.float32)) for b in (0.9, 0.999))

    def update(p: Any, m: Any, v: Any) -> Any:
        return p - 1e-3 * (m / one) / (jnp.sqrt(v / two) + 1e-8)

    return jax.tree.map(update, layers, first, second), first, second, count + 1


@program(LAYERS, (4, 16, 20), ints((4, 16), 10), tolerance=1e-4)
def training_loop(layers: Any, batches: Any, labels: Any) -> Any:
    def step(layers: Any, batch: Any) -> Any:
        loss, gradient = jax.value_and_grad(label_loss)(layers, *batch)
        return jax.tree.map(lambda p, g: p - 0.1 * g, layers, gradient), loss

    return lax.scan(step, layers, (batches, labels))


CNN = {"a": scaled((3, 3, 3, 8), 0.3), "b": scaled((3, 3, 8, 16), 0.2), "w": scaled((256, 10), 0.1)}


def conv(x: Any, w: Any, stride: int = 1, **options: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=numbers, **options
    )


def cnn(p: Any, x: Any) -> Any:
    x = nn.relu(conv(x, p["a"]))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = nn.relu(conv(x, p["b"], 2))
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    x = (x - mean) * lax.rsqrt(variance + 1e-5)
    return x.reshape(x.shape[0], -1) @ p["w"]


@program(CNN, (4, 16, 16, 3))
def cnn_forward(p: Any, x: Any) -> Any:
    return cnn(p, x)


@program(CNN, (4, 16, 16, 3), (4, 10), tolerance=1e-4)
def cnn_gradient(p: Any, x: Any, y: Any) -> Any:
    return jax.grad(lambda p: jnp.mean((cnn(p, x) - y) ** 2))(p)


@program((2, 8, 8, 4), (3, 3, 1, 8), (3, 3, 2, 6))
def grouped_convolutions(x: Any, depthwise: Any, grouped: Any) -> Any:
    return conv(x, depthwise, feature_group_count=4), conv(x, grouped, feature_group_count=2)


@program((2, 8, 8, 4), (3, 3, 4, 8))
def transposed_convolution(x: Any, w: Any) -> Any:
    return lax.conv_transpose(x, w, (2, 2), "SAME")


@program((2, 4, 16), (8, 4, 3), (1, 2, 8, 8, 8), (4, 2, 3, 3, 3))
def convolutions_of_1_and_3_dimensions(x: Any, w: Any, y: Any, z: Any) -> Any:
    return lax.conv(x, w, (1,), "SAME"), lax.conv(y, z, (2, 1, 1), "VALID")


@program((2, 10, 10, 3))
def pools(x: Any) -> Any:
    window, strides = (1, 3, 3, 1), (1, 2, 2, 1)
    largest = lax.reduce_window(x, -jnp.inf, lax.max, window, strides, "SAME")
    total = lax.reduce_window(x, 0.0, lax.add, window, strides, "SAME")
    least = lax.reduce_window(x, jnp.inf, lax.min, window, strides, "VALID")
    return largest, total, least


# Transformers ------------------------------------------------------------------------------------

WIDTH, HEADS, LENGTH, WORDS = 32, 4, 16, 50
BLOCK = {
    "qkv": scaled((WIDTH, 3 * WIDTH), 0.15),
    "out": scaled((WIDTH, WIDTH), 0.15),
    "up": scaled((WIDTH, 4 * WIDTH), 0.15),
    "down": scaled((4 * WIDTH, WIDTH), 0.1),
    "g": (WIDTH,),
    "h": (WIDTH,),
}


def layer_norm(x: Any, gain: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5) * gain


def transformer(p: Any, x: Any) -> Any:
    def heads(y: Any) -> Any:
        return y.reshape(*y.shape[:-1], HEADS, -1)

    q, k, v = map(heads, jnp.split(layer_norm(x, p["g"]) @ p["qkv"], 3, axis=-1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = nn.softmax(jnp.where(mask, scores, -1e9))
    x = x + jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ p["out"]
    return x + nn.gelu(layer_norm(x, p["h"]) @ p["up"]) @ p["down"]


GPT = {"words": (WORDS, WIDTH), "places": (LENGTH, WIDTH), "block": BLOCK}


def gpt(p: Any, words: Any) -> Any:
    x = p["words"][words] + p["places"][: words.shape[1]]
    return transformer(p["block"], x) @ p["words"].T


@program(BLOCK, (2, LENGTH, WIDTH))
def transformer_block(p: Any, x: Any) -> Any:
    return transformer(p, x)


@program(GPT, ints((2, LENGTH), WORDS), ints((2, LENGTH), WORDS), tolerance=1e-4)
def gpt_gradient(p: Any, words: Any, labels: Any) -> Any:
    def loss(p: Any) -> Any:
        found = nn.log_softmax(gpt(p, words))
        return -jnp.take_along_axis(found, labels[..., None], -1).mean()

    return jax.value_and_grad(loss)(p)


def stacked(spec: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: np.stack([_value(spec, rng) for _ in range(3)])


STACK = {key: stacked(spec) for key, spec in BLOCK.items()}


@program(STACK, (2, LENGTH, WIDTH))
def layers_in_a_scan(stack: Any, x: Any) -> Any:
    return lax.scan(lambda x, p: (transformer(p, x), None), x, stack)[0]


@program(STACK, (2, LENGTH, WIDTH), tolerance=1e-4)
def gradient_of_rematerialized_layers(stack: Any, x: Any) -> Any:
    block = jax.checkpoint(transformer)

    def total(stack: Any) -> Any:
        return jnp.sum(lax.scan(lambda x, p: (block(p, x), None), x, stack)[0] ** 2)

    return jax.grad(total)(stack)


@program((2, 16, 4, 8), (2, 16, 4, 8), (2, 16, 4, 8))
def dot_product_attention(q: Any, k: Any, v: Any) -> Any:
    return nn.dot_product_attention(q, k, v, is_causal=True)


def rotated(x: Any, place: Any) -> Any:
    half = x.shape[-1] // 2
    angle = place / 10000 ** (jnp.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


@program(
    {"q": scaled((32, 32), 0.2), "k": scaled((32, 16), 0.2), "v": scaled((32, 16), 0.2)},
    (1, 1, 32),
    (1, LENGTH, 2, 8),
    (1, LENGTH, 2, 8),
    number(5),
)
def decoding_with_a_cache(p: Any, x: Any, keys: Any, values: Any, place: Any) -> Any:
    q = rotated((x @ p["q"]).reshape(1, 1, 4, 8), place)
    k = rotated((x @ p["k"]).reshape(1, 1, 2, 8), place)
    keys = lax.dynamic_update_slice(keys, k, (0, place, 0, 0))
    values = lax.dynamic_update_slice(values, (x @ p["v"]).reshape(1, 1, 2, 8), (0, place, 0, 0))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, jnp.repeat(keys, 2, 2)) / np.sqrt(8)
    seen = jnp.arange(LENGTH) <= place
    weights = nn.softmax(jnp.where(seen, scores, -1e9))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, jnp.repeat(values, 2, 2)), keys, values


@program(GPT, ints((1, LENGTH), WORDS))
def generation(p: Any, words: Any) -> Any:
    def step(carried: Any) -> Any:
        i, words = carried
        logits = lax.dynamic_index_in_dim(gpt(p, words)[0], i - 1, 0, False)
        word = jnp.argmax(logits).astype(jnp.int32)
        return i + 1, lax.dynamic_update_slice(words, word[None, None], (0, i))

    return lax.while_loop(lambda c: c[0] < LENGTH, step, (jnp.int32(4), words))[1]


@program((24, 32), scaled((32, 4), 0.5), (4, 32, 16))
def experts(x: Any, router: Any, weights: Any) -> Any:
    gates, chosen = lax.top_k(nn.softmax(x @ router), 2)
    share = jnp.sum(nn.one_hot(chosen, 4) * gates[..., None], axis=1)
    return jnp.einsum("te,teh->th", share, jnp.einsum("td,edh->teh", x, weights))


# Loops and conditions ----------------------------------------------------------------------------

LSTM = {"w": scaled((12, 64), 0.3), "u": scaled((16, 64), 0.3), "b": (64,)}


def lstm_states(p: Any, xs: Any) -> Any:
    def step(carried: Any, x: Any) -> Any:
        h, c = carried
        i, f, g, o = jnp.split(x @ p["w"] + h @ p["u"] + p["b"], 4, -1)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((xs.shape[1], 16))
    return lax.scan(step, (zeros, zeros), xs)[1]


@program(LSTM, (9, 4, 12))
def lstm(p: Any, xs: Any) -> Any:
    return lstm_states(p, xs)


@program(LSTM, (9, 4, 12), tolerance=1e-4)
def lstm_gradient(p: Any, xs: Any) -> Any:
    return jax.grad(lambda p: jnp.sum(lstm_states(p, xs) ** 2))(p)


@program(number(True, np.bool_), number(2), (8, 8))
def conditions(flag: Any, which: Any, x: Any) -> Any:
    chosen = lax.switch(which, [jnp.sin, jnp.cos, jnp.exp, jnp.tanh], x)
    return lax.cond(flag, lambda x: x * 2, lambda x: x - 1, x), chosen


@program(number(7), (8, 8))
def loop_of_computed_length(n: Any, x: Any) -> Any:
    return lax.fori_loop(0, n, lambda i, x: x * 0.5 + i, x)


@program((6, 8))
def loop_until_it_is_small(x: Any) -> Any:
    return lax.while_loop(
        lambda c: jnp.max(jnp.abs(c[0])) > 0.1, lambda c: (c[0] / 2, c[1] + 1), (x, 0)
    )


@program((5, 8), (5, 8))
def conditions_in_a_map(x: Any, y: Any) -> Any:
    batched = jax.vmap(lambda a, b: lax.cond(a.sum() > 0, lambda: a + b, lambda: a - b))
    return batched(x, y), lax.map(lambda a: jnp.outer(a, a), x)


@program((12, 3))
def associative_scans(x: Any) -> Any:
    return lax.associative_scan(jnp.maximum, x), lax.associative_scan(jnp.multiply, x, reverse=True)


# Derivatives -------------------------------------------------------------------------------------


@program((4, 8), (16,), (16,))
def derivatives(x: Any, y: Any, v: Any) -> Any:
    jacobians = jax.vmap(jax.jacfwd(lambda v: jnp.tanh(v) ** 2))(x)
    hessian = jax.jvp(jax.grad(lambda y: jnp.sum(jnp.exp(jnp.sin(y)))), (y,), (v,))[1]
    return jacobians, jax.jacrev(jnp.cumsum)(y), hessian


@jax.custom_vjp
def _clipped(x: Any) -> Any:
    return jnp.square(x)


_clipped.defvjp(lambda x: (jnp.square(x), x), lambda x, g: (jnp.clip(2 * x * g, -1, 1),))


@program((8, 8))
def rule_of_ones_own(x: Any) -> Any:
    return jax.grad(lambda x: _clipped(x).sum())(x)
