"""Ops that are made of others: cases with references in JAX."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax import lax
from op_attributes import i64, text
from op_formats import FORMATS, MOVED, Array, Shape, random
from op_program import (
    Case,
    Strategy,
    boolean,
    dense,
    edges,
    f32,
    generators,
    i32,
    i32_list,
    or_none,
    products,
    shapes,
)
from op_tensors import accumulated, along, magnitude_of, reduced

STEP = 2.0**-23


@st.composite
def dot_general(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    sizes = op_sizes.current()
    extents = {
        "b": [draw(st.sampled_from(or_none(*sizes.outer))) for _ in range(draw(st.integers(0, 2)))],
        "k": [draw(st.sampled_from(products())) for _ in range(draw(st.integers(0, 2)))],
        "m": [draw(st.sampled_from(products())) for _ in range(draw(st.integers(0, 2)))],
        "n": [draw(st.sampled_from(products())) for _ in range(draw(st.integers(0, 2)))],
    }
    # Both operands have a dimension, and products of several extents stay small.
    if not extents["b"] and not extents["k"] and not edges():
        extents["k"] = [draw(st.sampled_from(sizes.product))]
    while prod(e for group in extents.values() for e in group) > min(
        sizes.multiplications, 1 << 21
    ):
        group = max(extents.values(), key=lambda g: max(g, default=0))
        group[group.index(max(group))] = max(1, max(group) * 2 // 5)
    shapes_of, dims = [], []
    for free in ("m", "n"):
        # Batch, free and contracted dimensions in any order.
        labels = [(g, i) for g in ("b", "k", free) for i in range(len(extents[g]))]
        labels = draw(st.permutations(labels))
        shapes_of.append(tuple(extents[g][i] for g, i in labels))
        dims.append({g: [labels.index((g, i)) for i in range(len(extents[g]))] for g in ("b", "k")})
    inputs = [(random(rng, shape, dtype), dtype) for shape in shapes_of]
    numbers = ((dims[0]["k"], dims[1]["k"]), (dims[0]["b"], dims[1]["b"]))

    def reference(a: Any, b: Any) -> Any:
        return lax.dot_general(a, b, numbers)

    magnitude = magnitude_of(reference, inputs)
    shape = magnitude.shape
    if not shape and not edges():
        # A result of one element needs a dimension.
        return draw(dot_general())
    names = {
        f"{kind}_dims_{side}": dense(dims[i][key])
        for kind, key in (("batch", "b"), ("contract", "k"))
        for i, side in enumerate(("lhs", "rhs"))
    }
    slack = accumulated(prod(extents["k"]), magnitude)
    return Case("dot_general", inputs, shape, dtype, reference, names, 2, slack)


def batch_norm_inputs(
    rng: np.random.Generator, shape: Shape, dim: int, dtype: str
) -> list[tuple[Array, str]]:
    """A tensor; scale, offset, mean and variance of its features."""
    features = (shape[dim],)
    arrays = [random(rng, shape, dtype), *(random(rng, features, dtype) for _ in range(3))]
    return [(array, dtype) for array in (*arrays, random(rng, features, dtype, 0.25, 4))]


def batch_norm(
    x: Any, scale: Any, offset: Any, mean: Any, variance: Any, dim: int, epsilon: Any
) -> Any:
    scale, offset, mean, variance = (along(v, dim, x.ndim) for v in (scale, offset, mean, variance))
    return (x - mean) / jnp.sqrt(variance + np.float64(epsilon)) * scale + offset


@st.composite
def batch_norm_inference(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = draw(shapes(empty=True))
    dim = draw(st.integers(0, len(shape) - 1))
    epsilon = np.float32(draw(st.sampled_from((1e-5, 1e-2))))

    def reference(x: Any, *features: Any) -> Any:
        return batch_norm(x, *features, dim, epsilon)

    attributes = {"epsilon": f32(epsilon), "dimension": i32(dim)}
    inputs = batch_norm_inputs(rng, shape, dim, dtype)
    return Case("batch_norm_inference", inputs, shape, dtype, reference, attributes, 8, 64 * STEP)


@st.composite
def rearrange(draw: st.DrawFn) -> Case:
    dtype, rng, shape = draw(st.sampled_from(MOVED)), draw(generators()), draw(shapes(empty=True))
    names = list("abcdefg"[: len(shape)])
    left = [
        "1" if extent == 1 and draw(st.booleans()) else name
        for name, extent in zip(names, shape, strict=True)
    ]
    kept = [name for name in left if name != "1"]
    order = draw(st.permutations(kept))
    groups: list[list[str]] = []
    for name in order:
        if groups and draw(st.booleans()):
            groups[-1].append(name)
        else:
            groups.append([name])
    if not groups or draw(st.booleans()):
        groups.insert(draw(st.integers(0, len(groups))), ["1"])
    extent_of = dict(zip(names, shape, strict=True)) | {"1": 1}
    result = tuple(prod(extent_of[name] for name in group) for group in groups)
    right = [group[0] if len(group) == 1 else f"({' '.join(group)})" for group in groups]
    pattern = f"{' '.join(left)} -> {' '.join(right)}"
    axes = [kept.index(name) for name in order]

    def reference(x: Any) -> Any:
        return x.reshape([extent_of[n] for n in kept]).transpose(axes).reshape(result)

    array = random(rng, shape, dtype)
    attributes = {"pattern": text(pattern)}
    return Case("rearrange", [(array, dtype)], result, dtype, reference, attributes)


@st.composite
def batch_norm_training(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = draw(shapes(empty=True))
    dim = draw(st.integers(0, len(shape) - 1))
    epsilon, momentum = np.float32(1e-2), np.float32(draw(st.sampled_from((0.1, 0.25))))
    inputs = batch_norm_inputs(rng, shape, dim, dtype)
    picked = draw(st.integers(0, 4))

    def reference(x: Any, scale: Any, offset: Any, mean: Any, variance: Any) -> Any:
        others = tuple(i for i in range(len(shape)) if i != dim)
        own_mean, own_variance = jnp.mean(x, axis=others), jnp.var(x, axis=others)
        m = np.float64(momentum)
        return (
            batch_norm(x, scale, offset, own_mean, own_variance, dim, epsilon),
            own_mean,
            own_variance,
            m * own_mean + (1 - m) * mean,
            m * own_variance + (1 - m) * variance,
        )[picked]

    results = [(shape, dtype), *[((shape[dim],), dtype)] * 4]
    return Case(
        "batch_norm_training",
        inputs,
        results[picked][0],
        dtype,
        reference,
        {"epsilon": f32(epsilon), "dimension": i32(dim), "momentum": f32(momentum)},
        8,
        1024 * STEP,
        results=results,
        picked=picked,
    )


@st.composite
def group_norm(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = list(draw(shapes(2, 4, empty=True)))
    dim = draw(st.integers(1, len(shape) - 1))
    groups = draw(st.sampled_from((1, 2, 3)))
    shape[dim] = groups * draw(st.sampled_from((1, 2, 5)))
    has_weight, has_bias = draw(st.booleans()), draw(st.booleans())
    inputs = [(random(rng, tuple(shape), dtype), dtype)]
    inputs += [(random(rng, (shape[dim],), dtype), dtype) for has in (has_weight, has_bias) if has]
    epsilon = np.float32(1e-2)

    def reference(x: Any, *rest: Any) -> Any:
        wide = jnp.moveaxis(x, dim, 1)
        split = wide.reshape(shape[0], groups, prod(wide.shape[1:]) // groups)
        split = split - jnp.mean(split, axis=2, keepdims=True)
        deviation = jnp.sqrt(jnp.mean(split * split, axis=2, keepdims=True) + np.float64(epsilon))
        normal = jnp.moveaxis((split / deviation).reshape(wide.shape), 1, dim)
        if has_weight:
            normal = normal * along(rest[0], dim, len(shape))
        return normal + along(rest[-1], dim, len(shape)) if has_bias else normal

    return Case(
        "group_norm",
        inputs,
        tuple(shape),
        dtype,
        reference,
        {"num_groups": i64(groups), "epsilon": f32(epsilon), "channel_dim": i64(dim)},
        8,
        1024 * STEP,
        (1, int(has_weight), int(has_bias), 1),
    )


@st.composite
def sparse_matmul(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    m, k, n = (min(draw(st.sampled_from(products())), 65) for _ in range(3))
    first, second, experts = (draw(st.sampled_from((1, 2, 3))) for _ in range(3))
    sparse_a, sparse_b = draw(st.sampled_from(((False, True), (True, False), (True, True))))
    if sparse_a:
        first = 1 if sparse_b else first
        a_shape, mask_shape = (first, experts, m, k), (1, 1, first, experts)
        shape: tuple[int, ...] = (first, experts, m, n)
    else:
        a_shape, mask_shape = (first, second, m, k), (first, second, 1, experts)
        shape = (first, second, 1, experts, m, n)
    a, b = random(rng, a_shape, dtype), random(rng, (1, experts, k, n), dtype)
    mask = rng.integers(0, 2, mask_shape).astype(FORMATS[dtype].host)

    def reference(a: Any, b: Any, mask: Any) -> Any:
        if sparse_a:
            return (a @ b) * (mask.reshape(first, experts, 1, 1) != 0)
        product = a[:, :, None] @ b[0][None, None]
        return (product * (mask.reshape(first, second, experts, 1, 1) != 0)).reshape(shape)

    attributes = {
        "is_input_a_sparse": boolean(sparse_a),
        "is_input_b_sparse": boolean(sparse_b),
    }
    inputs = [(a, dtype), (b, dtype), (mask, dtype)]
    slack = accumulated(k, magnitude_of(reference, inputs))
    return Case("sparse_matmul", inputs, shape, dtype, reference, attributes, 2, slack)


@st.composite
def logic_reduction(draw: st.DrawFn, name: str) -> Case:
    dtype = draw(st.sampled_from(("f32", "bf16", "u8", "si32")))
    shape, rng = draw(shapes(scalars=True, empty=True)), draw(generators())
    keep, rank = draw(st.booleans()), len(shape)
    dims = draw(st.sets(st.integers(0, rank - 1)).map(sorted)) if rank else []
    axes = tuple(dims) or tuple(range(rank))
    rare = draw(st.sampled_from((0.02, 0.98)))
    array = (rng.random(shape) < rare).astype(FORMATS[dtype].host)
    attributes = {"keep_dim": boolean(keep)} | ({"dim_arg": i32_list(dims)} if dims else {})
    function: Callable[..., Any] = jnp.all if name == "reduce_and" else jnp.any
    return Case(
        name,
        [(array, dtype)],
        reduced(shape, axes, keep),
        dtype,
        lambda x: function(x != 0, axis=axes, keepdims=keep),
        attributes,
    )


@st.composite
def same_everywhere(draw: st.DrawFn, name: str, number: int) -> Case:
    dtype = draw(st.sampled_from((*MOVED, "u8")))
    shape = draw(shapes(scalars=True, empty=True))
    return Case(
        name,
        [],
        shape,
        dtype,
        lambda: jnp.full(shape, number),
        {"shape": dense(shape, 32)},
    )


@st.composite
def adamw(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    shape = draw(shapes(scalars=True, empty=True))
    has_max, step = draw(st.booleans()), draw(st.integers(1, 50))
    numbers = {
        "lr": draw(st.sampled_from((1e-3, 0.1))),
        "beta1": 0.9,
        "beta2": 0.999,
        "epsilon": 1e-8,
        "weight_decay": draw(st.sampled_from((0.0, 0.01))),
    }
    numbers = {name: float(np.float32(value)) for name, value in numbers.items()}
    for i in (1, 2):
        numbers[f"beta{i}_pow"] = float(np.float32(numbers[f"beta{i}"] ** step))
    inputs = [(random(rng, shape, dtype), dtype) for _ in range(3)]
    inputs += [(random(rng, shape, dtype, 0.25, 4), dtype) for _ in range(1 + has_max)]
    picked = draw(st.integers(0, 2 + has_max))

    def reference(x: Any, grad: Any, mean: Any, square: Any, *most: Any) -> Any:
        n = numbers
        mean = n["beta1"] * mean + (1 - n["beta1"]) * grad
        square = n["beta2"] * square + (1 - n["beta2"]) * grad * grad
        top = jnp.maximum(square, most[0]) if most else square
        divisor = jnp.sqrt(top) / jnp.sqrt(1 - n["beta2_pow"]) + n["epsilon"]
        new = x * (1 - n["lr"] * n["weight_decay"])
        new = new - n["lr"] / (1 - n["beta1_pow"]) * mean / divisor
        return (new, mean, square, top)[picked]

    count = 3 + has_max
    attributes = {name: f32(value) for name, value in numbers.items()}
    return Case(
        "adamw",
        inputs,
        shape,
        dtype,
        reference,
        attributes,
        16,
        64 * STEP,
        (1, 1, 1, 1, int(has_max), count),
        results=[(shape, dtype)] * count,
        picked=picked,
    )


CASES: dict[str, Strategy] = {
    "dot_general": dot_general(),
    "batch_norm_inference": batch_norm_inference(),
    "rearrange": rearrange(),
    "batch_norm_training": batch_norm_training(),
    "group_norm": group_norm(),
    "sparse_matmul": sparse_matmul(),
    **{name: logic_reduction(name) for name in ("reduce_and", "reduce_or")},
    "zeros": same_everywhere("zeros", 0),
    "ones": same_everywhere("ones", 1),
    "adamw": adamw(),
}
