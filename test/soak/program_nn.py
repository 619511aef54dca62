"""Rules of reductions, products, norms, windows and collectives, and of where values come from."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import collective_reference as collectives
import intervals as iv
import numpy as np
from intervals import HOST, Array, Interval
from op_formats import quantized
from program_model import Chips, Step
from program_ops import FLOATS, Rule, Scope, each, floating, is_small, shape_of

# Reductions ---------------------------------------------------------------------------------------


def _axes(scope: Scope, rank: int) -> tuple[int, ...]:
    count = int(scope.rng.integers(1, rank + 1)) if scope.chance(0.3) else 1
    return tuple(sorted(int(a) for a in scope.rng.choice(rank, count, replace=False)))


def reduction(name: str) -> Rule:
    function = getattr(np, name)

    def rule(scope: Scope) -> Step | None:
        x = scope.some(floating)
        if x is None:
            return None
        step = scope.steps[x]
        axes, keep = _axes(scope, len(step.shape)), scope.chance(0.6)
        terms = prod(step.shape[a] for a in axes)

        def reduce(values: Array) -> Array:
            # Nothing has a rank of 0.
            return np.atleast_1d(function(values, axis=axes, keepdims=keep))

        def bounds(v: Interval) -> Interval:
            if name in ("max", "min"):
                return v.moved(reduce).rounded(step.dtype)
            result, slack = iv.linear(reduce, v, terms)
            return result.rounded(step.dtype, 2, slack)

        words = {"dim": list(axes), "keep_dim": keep}
        return Step(name, shape_of(reduce, step.shape), step.dtype, (x,), words, each(bounds))

    return rule


def argmax(scope: Scope) -> Step | None:
    x = scope.some(floating)
    if x is None:
        return None
    step = scope.steps[x]
    axis = int(scope.rng.integers(len(step.shape)))
    keep = scope.chance(0.5) or len(step.shape) == 1

    def bounds(v: Interval) -> Interval:
        """From the first to the last element that may be the largest."""
        may = v.high >= v.low.max(axis=axis, keepdims=True)
        count = may.shape[axis]
        low = np.argmax(may, axis=axis, keepdims=keep)
        high = count - 1 - np.argmax(np.flip(may, axis), axis=axis, keepdims=keep)
        if v.is_exact:
            high = low
        return Interval(low.astype(np.float64), high.astype(np.float64))

    shape = shape_of(lambda v: np.max(v, axis=axis, keepdims=keep), step.shape)
    return Step("argmax", shape, "i32", (x,), {"dim": axis, "keep_dim": keep}, each(bounds))


def cumsum(scope: Scope) -> Step | None:
    x = scope.some(floating)
    if x is None:
        return None
    step = scope.steps[x]
    dim = int(scope.rng.integers(len(step.shape)))

    def bounds(v: Interval) -> Interval:
        result, slack = iv.linear(lambda a: np.cumsum(a, axis=dim), v, step.shape[dim])
        return result.rounded(step.dtype, 2, slack)

    return Step("cumsum", step.shape, step.dtype, (x,), {"dim": dim}, each(bounds))


# Products -----------------------------------------------------------------------------------------


def product(name: str) -> Rule:
    def rule(scope: Scope) -> Step | None:
        a = scope.some(lambda s, _: s.dtype in FLOATS and len(s.shape) > 1)
        if a is None:
            return None
        first = scope.steps[a]
        swaps = {"transpose_a": scope.chance(0.2), "transpose_b": scope.chance(0.3)}
        depth = first.shape[-2 if swaps["transpose_a"] else -1]

        def multiply(x: Array, y: Array) -> Array:
            left = np.swapaxes(x, -1, -2) if swaps["transpose_a"] else x
            right = np.swapaxes(y, -1, -2) if swaps["transpose_b"] else y
            return np.matmul(left, right)

        def shape(other: Step) -> tuple[int, ...] | None:
            try:
                return shape_of(multiply, first.shape, other.shape)
            except ValueError:
                return None

        def fits(step: Step, _: Chips) -> bool:
            if step.dtype != first.dtype or len(step.shape) != len(first.shape):
                return False
            result = shape(step)
            return result is not None and is_small(result)

        b = scope.some(fits)
        if b is None:
            return None
        result = shape(scope.steps[b])
        assert result is not None
        operands = [a, b]
        if name == "linear":
            bias = scope.some(
                lambda s, _: (
                    s.dtype == first.dtype
                    and len(s.shape) <= 2
                    and s.shape[-1] == result[-1]
                    and (len(s.shape) == 1 or s.shape[0] in (1, result[-2]))
                )
            )
            operands += [] if bias is None else [bias]

        def bounds(x: Interval, y: Interval, *bias: Interval) -> Interval:
            total, slack = iv.bilinear(multiply, x, y, depth + 1)
            for term in bias:
                total = Interval(total.low + term.low, total.high + term.high)
                slack = slack + 2.0**-23 * np.abs(term.centre)
            return total.rounded(first.dtype, 2, slack)

        words = {key: True for key, value in swaps.items() if value}
        return Step(name, result, first.dtype, tuple(operands), words, each(bounds))

    return rule


# Neural networks ----------------------------------------------------------------------------------


def softmax(scope: Scope) -> Step | None:
    x = scope.some(lambda s, cs: s.dtype in FLOATS and all(c.largest < 80 for c in cs))
    if x is None:
        return None
    step = scope.steps[x]
    axis = int(scope.rng.integers(len(step.shape)))

    def bounds(v: Interval) -> Interval:
        # The difference to the maximum is rounded to f32, and then in the exponent; the sum is
        # rounded with each number.
        return iv.softmax(v, axis).rounded(step.dtype, 8 + step.shape[axis] + 2 * v.largest)

    return Step("softmax", step.shape, step.dtype, (x,), {"dim": axis}, each(bounds))


def norm(name: str) -> Rule:
    def rule(scope: Scope) -> Step | None:
        x = scope.some(floating)
        if x is None:
            return None
        step = scope.steps[x]
        rank = len(step.shape)
        first = int(scope.rng.integers(max(0, rank - 2), rank))
        axes, extents = range(first, rank), step.shape[first:]
        epsilon = float(np.float32(1e-2))
        weight = scope.some(lambda s, _: s.dtype == step.dtype and s.shape == extents)
        operands = (x,) if weight is None else (x, weight)

        def bounds(v: Interval, *weight: Interval) -> Interval:
            centred = name == "layer_norm"
            result = iv.normalized(v, axes, epsilon, centred)
            # The rounding of the mean, divided by the deviation.
            wide = v.centre
            deviation = np.sqrt(wide.var(axis=tuple(axes), keepdims=True) + epsilon)
            slack = 2.0**-20 * (v.largest / deviation if centred else 1.0)
            result = result.widened(slack + 2.0**-20 * np.abs(result.centre))
            for factor in weight:
                result = iv.corners(np.multiply)(result, factor)
            return result.rounded(step.dtype, 8)

        words = {"normalized_shape": extents, "epsilon": epsilon}
        return Step(name, step.shape, step.dtype, operands, words, each(bounds))

    return rule


def embedding(scope: Scope) -> Step | None:
    table = scope.some(lambda s, _: s.dtype in ("f32", "bf16") and len(s.shape) == 2)
    if table is None:
        return None
    rows, width = scope.steps[table].shape
    indices = scope.some(
        lambda s, cs: (
            s.dtype == "i32"
            and len(s.shape) <= 2
            and is_small((*s.shape, width))
            and all(c.is_exact and (c.low >= 0).all() and (c.low < rows).all() for c in cs)
        )
    )
    if indices is None:
        return None
    shape = (*scope.steps[indices].shape, width)
    evaluate = each(lambda i, t: t.moved(lambda v: v[i.low.astype(np.int64)]))
    return Step("embedding", shape, scope.steps[table].dtype, (indices, table), evaluate=evaluate)


def _windows(x: Array, kernel: tuple[int, int], stride: tuple[int, int]) -> Array:
    """(N, H', W', C, KH, KW) of an image (N, H, W, C)."""
    views = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(1, 2))
    return views[:, :: stride[0], :: stride[1]]


def _pair(scope: Scope, low: int, high: int) -> tuple[int, int]:
    height, width = (int(n) for n in scope.rng.integers(low, high + 1, 2))
    return height, width


def conv2d(scope: Scope) -> Step | None:
    w = scope.some(lambda s, _: s.dtype in FLOATS and len(s.shape) == 4)
    if w is None:
        return None
    weight = scope.steps[w]
    _, channels, *kernel = weight.shape
    kernel_size = (kernel[0], kernel[1])
    padding, stride = _pair(scope, 0, 2), _pair(scope, 1, 2)

    def fits(step: Step, _: Chips) -> bool:
        if step.dtype != weight.dtype or len(step.shape) != 4 or step.shape[3] != channels:
            return False
        sides = zip(step.shape[1:3], kernel, padding, strict=True)
        return all(e + 2 * p >= k for e, k, p in sides)

    x = scope.some(fits)
    if x is None:
        return None

    def convolve(image: Array, weights: Array) -> Array:
        sides = ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0))
        windows = _windows(np.pad(image, sides), kernel_size, stride)
        return np.einsum("nhwckl,ockl->nhwo", windows, weights, optimize=True)

    shape = shape_of(convolve, scope.steps[x].shape, weight.shape)
    if not is_small(shape) or prod(shape) * prod(weight.shape[1:]) > 1 << 24:
        return None

    def bounds(v: Interval, weights: Interval) -> Interval:
        total, slack = iv.bilinear(convolve, v, weights, prod(weight.shape[1:]) + 1)
        return total.rounded(weight.dtype, 2, slack)

    words = {"padding": padding, "stride": stride}
    return Step("conv2d", shape, weight.dtype, (x, w), words, each(bounds))


def pool(name: str) -> Rule:
    def rule(scope: Scope) -> Step | None:
        x = scope.some(
            lambda s, _: s.dtype in FLOATS and len(s.shape) == 4 and min(s.shape[1:3]) > 2
        )
        if x is None:
            return None
        step = scope.steps[x]
        kernel, stride = _pair(scope, 1, 3), _pair(scope, 1, 2)

        def apply(v: Array) -> Array:
            windows = _windows(v, kernel, stride)
            return windows.max((-1, -2)) if name == "max_pool2d" else windows.mean((-1, -2))

        def bounds(v: Interval) -> Interval:
            if name == "max_pool2d":
                return v.moved(apply).rounded(step.dtype)
            result, slack = iv.linear(apply, v, prod(kernel))
            return result.rounded(step.dtype, 4, slack)

        words = {"kernel": kernel, "stride": stride}
        return Step(name, shape_of(apply, step.shape), step.dtype, (x,), words, each(bounds))

    return rule


# Collectives --------------------------------------------------------------------------------------


def _both(function: Callable[[list[Array]], list[Array]], chips: Chips) -> Chips:
    low, high = function([c.low for c in chips]), function([c.high for c in chips])
    return [Interval(a, b) for a, b in zip(low, high, strict=True)]


def _carried(scope: Scope, index: int) -> str:
    """The format in which a collective carries a value: that of its tiles, if the program says."""
    step = scope.steps[index]
    while step.method in COLLECTIVES:
        step = scope.steps[step.operands[0]]
    return str(step.arguments.get("format", step.dtype))


def collective(name: str) -> Rule:
    def rule(scope: Scope) -> Step | None:
        if scope.mesh == (1, 1):
            return None
        axis = int(scope.choose([a for a, n in enumerate(scope.mesh) if n > 1]))
        count = scope.mesh[axis]
        x = scope.some(floating)
        if x is None:
            return None
        step = scope.steps[x]
        dim = int(scope.rng.integers(len(step.shape)))
        splits = name in ("reduce_scatter", "mesh_partition")
        if (splits and step.shape[dim] % count) or step.shape[dim] * count > 4096:
            return None
        words: dict[str, Any] = {"cluster_axis": axis}
        if name != "all_reduce":
            words["dim"] = dim
        function = getattr(collectives, name)
        carried = _carried(scope, x)

        def evaluate(chips: Chips) -> Chips:
            result = _both(lambda arrays: function(arrays, scope.mesh, **words), chips)
            if name in ("all_gather", "mesh_partition"):
                # Elements of other blocks beside each other have another exponent.
                is_same = carried == step.dtype
                return result if is_same else [chip.rounded(carried) for chip in result]
            # Sums are rounded wherever they cross a link.
            size = sum(chip.largest for chip in chips)
            slack = iv.EPSILON[carried] * size * count
            return [chip.rounded(carried, 2, slack) for chip in result]

        shape = list(step.shape)
        if name == "all_gather":
            shape[dim] *= count
        elif splits:
            shape[dim] //= count
        if not is_small(shape):
            return None
        return Step(name, tuple(shape), step.dtype, (x,), words, evaluate)

    return rule


# Where values come from ---------------------------------------------------------------------------


def new_shape(scope: Scope, most: int = 1 << 14) -> tuple[int, ...]:
    """A shape of rank 1 to 5; often one that ops of two operands can use with an earlier value."""
    known = [s.shape for s in scope.steps if not s.is_whole]
    if known and scope.chance(0.5):
        shape = list(scope.choose(known))
        if scope.chance(0.3):
            shape[int(scope.rng.integers(len(shape)))] = 1
        if len(shape) > 1 and scope.chance(0.3):
            shape = [*shape[:-2], shape[-1], int(scope.choose(scope.extents))]
    else:
        rank = int(scope.choose((1, 2, 2, 2, 3, 3, 4, 4, 5)))
        shape = [int(scope.choose(scope.extents)) for _ in range(rank)]
    while prod(shape) > most or not is_small(shape):
        largest = int(np.argmax(shape))
        shape[largest] = max(1, shape[largest] // 2)
    return tuple(shape)


def _values(scope: Scope, shape: tuple[int, ...], dtype: str) -> Array:
    if dtype == "i32":
        return scope.rng.integers(0, 9, shape).astype(HOST[dtype])
    kind = scope.rng.integers(3)
    if kind == 0:
        values = scope.rng.uniform(0.1, 2, shape)
    elif kind == 1:
        values = scope.rng.integers(-4, 5, shape).astype(np.float64)
    else:
        values = scope.rng.standard_normal(shape)
    return values.astype(HOST[dtype])


def source(scope: Scope) -> list[Step]:
    """An input or a constant; in a program for a mesh an input and its shards."""
    dtype = str(scope.choose(("f32", "f32", "bf16", "bf16", "bf16", "i32")))
    shape = new_shape(scope)
    if scope.mesh != (1, 1):
        return _sharded(scope, shape, dtype)
    data = _values(scope, shape, dtype)
    if scope.chance(0.15):
        exact = Interval.exact(data)
        words = {"value": data, "dtype": dtype}
        return [Step("constant", shape, dtype, arguments=words, evaluate=lambda: [exact])]
    stored = "bfp8_b" if dtype == "bf16" and scope.chance(0.2) else dtype
    if stored != dtype:
        # Numbers that the block float holds.
        data = quantized(data).astype(np.float32)
    step = Step("input", shape, dtype, arguments={"dtype": stored}, data=data)
    return [step]


def _sharded(scope: Scope, shape: tuple[int, ...], dtype: str) -> list[Step]:
    shard_dims: list[int | None] = []
    whole = list(shape)
    for count in scope.mesh:
        dim = int(scope.rng.integers(len(shape)))
        if count == 1 or dim in shard_dims or scope.chance(0.4):
            shard_dims.append(None)
        else:
            shard_dims.append(dim)
            whole[dim] *= count
    data = _values(scope, tuple(whole), dtype)
    given = Step("input", tuple(whole), dtype, (), {"dtype": dtype}, data=data, is_whole=True)

    def evaluate(chips: Chips) -> Chips:
        def cut(values: Array) -> list[Array]:
            parts = [values] * prod(scope.mesh)
            for axis, dim in enumerate(shard_dims):
                if dim is not None:
                    parts = collectives.mesh_partition(parts, scope.mesh, dim, axis)
            return parts

        return _both(lambda arrays: cut(arrays[0]), chips)

    words = {"shard_dims": tuple(shard_dims)}
    return [given, Step("mesh_shard", shape, dtype, (len(scope.steps),), words, evaluate)]


COMPUTING: dict[str, Rule] = {
    **{name: reduction(name) for name in ("sum", "mean", "max", "min")},
    "argmax": argmax,
    "cumsum": cumsum,
    "matmul": product("matmul"),
    "linear": product("linear"),
    "softmax": softmax,
    "layer_norm": norm("layer_norm"),
    "rms_norm": norm("rms_norm"),
    "embedding": embedding,
    "conv2d": conv2d,
    "max_pool2d": pool("max_pool2d"),
    "avg_pool2d": pool("avg_pool2d"),
}
COLLECTIVES: dict[str, Rule] = {
    name: collective(name)
    for name in ("all_gather", "all_reduce", "reduce_scatter", "mesh_partition")
}
