"""Linear algebra, transforms and routing: cases with references in JAX and NumPy."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import op_sizes
from hypothesis import strategies as st
from jax.scipy.linalg import solve_triangular
from op_formats import FORMATS, Array, random
from op_program import Case, Strategy, boolean, dense, edges, generators, i32, or_none
from op_tensors import accumulated

STEP = 2.0**-23
#: Blocks have 32 rows.
SIZES = (1, 2, 5, 16, 31, 32, 33, 64, 70)
BATCHES: tuple[tuple[int, ...], ...] = ((), (2,), (2, 1, 3))


def _batches(draw: st.DrawFn) -> tuple[int, ...]:
    batch: tuple[int, ...] = draw(st.sampled_from((*BATCHES, (0,)) if edges() else BATCHES))
    return batch


def _sizes(draw: st.DrawFn) -> int:
    size: int = draw(st.sampled_from(or_none(*SIZES)))
    if op_sizes.current() is op_sizes.REAL:
        size = draw(st.sampled_from((*SIZES, 100, 129, 256)))
    return size


@st.composite
def triangular_solve(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    batch = _batches(draw)
    size, columns = _sizes(draw), draw(st.sampled_from(or_none(1, 3, 33)))
    flags = {
        name: draw(st.booleans()) for name in ("left_side", "lower", "unit_diagonal", "transpose_a")
    }
    # Off the diagonal so small that the solutions do not grow.
    matrix = rng.uniform(-1, 1, (*batch, size, size)) / max(size, 1) ** 0.5
    matrix[..., np.arange(size), np.arange(size)] = rng.uniform(1, 2, (*batch, size))
    a = matrix.astype(FORMATS[dtype].host)
    triangle = np.tril(a.astype(np.float64)) if flags["lower"] else np.triu(a.astype(np.float64))
    if flags["unit_diagonal"]:
        triangle[..., np.arange(size), np.arange(size)] = 1
    # The other triangle and the diagonal of ones do not count.
    other = np.triu(np.ones((size, size), bool), 1) if flags["lower"] else None
    other = np.tril(np.ones((size, size), bool), -1) if other is None else other
    a[..., other] = np.nan
    if flags["unit_diagonal"]:
        a[..., np.arange(size), np.arange(size)] = 0
    shape = (*batch, size, columns) if flags["left_side"] else (*batch, columns, size)
    b = random(rng, shape, dtype)

    def reference(a: Any, b: Any) -> Any:
        # `solve` of x a = b is that of a^T x^T = b^T.
        if b.size == 0:
            return b
        right = b if flags["left_side"] else jnp.swapaxes(b, -1, -2)
        found = solve_triangular(
            jnp.asarray(triangle),
            right,
            trans=int(flags["transpose_a"] == flags["left_side"]),
            lower=flags["lower"],
        )
        return found if flags["left_side"] else jnp.swapaxes(found, -1, -2)

    attributes = {name: boolean(value) for name, value in flags.items()}
    inputs = [(a, dtype), (b, dtype)]
    # Of what has to be solved: a sum of a row, and the inverse of a block.
    inverse = np.abs(np.linalg.inv(triangle))
    growth = inverse @ np.abs(triangle) @ inverse
    if flags["transpose_a"]:
        growth = np.swapaxes(growth, -1, -2)
    wide = np.abs(b.astype(np.float64))
    magnitude = growth @ wide if flags["left_side"] else wide @ growth
    slack = accumulated(size, magnitude) + 4 * STEP * magnitude
    return Case("triangular_solve", inputs, shape, dtype, reference, attributes, 4, slack)


@st.composite
def cholesky(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    batch = _batches(draw)
    size, lower = _sizes(draw), draw(st.booleans())
    half = rng.uniform(-1, 1, (*batch, size, size))
    matrix = half @ np.swapaxes(half, -1, -2) / max(size, 1) + 0.5 * np.eye(size)
    a = matrix.astype(FORMATS[dtype].host)
    # One triangle counts.
    whole = np.tril(a.astype(np.float64), -1) if lower else np.triu(a.astype(np.float64), 1)
    whole = whole + np.swapaxes(whole, -1, -2) + np.eye(size) * a.astype(np.float64)
    other = np.ones((size, size), bool)
    a[..., np.triu(other, 1) if lower else np.tril(other, -1)] = np.nan
    factor = np.linalg.cholesky(whole)

    def reference(_: Any) -> Any:
        return factor if lower else np.swapaxes(factor, -1, -2)

    # Of what is factored |L| |L^T|, and what that changes in the factor.
    inverse = np.abs(np.linalg.inv(factor))
    size_of = np.abs(factor) @ np.swapaxes(np.abs(factor), -1, -2)
    turned = np.tril(inverse @ size_of @ np.swapaxes(inverse, -1, -2))
    magnitude = np.abs(factor) @ turned
    slack: Array = accumulated(size, magnitude) + 4 * STEP * magnitude
    if not lower:
        slack = np.swapaxes(slack, -1, -2)
    attributes = {"lower": boolean(lower)}
    return Case("cholesky", [(a, dtype)], a.shape, dtype, reference, attributes, 4, slack)


#: Lengths of one product, of several factors, primes that are one product or a convolution.
LENGTHS = (1, 2, 7, 16, 31, 64, 131, 256, 360, 521, 1042)
LONG = (*LENGTHS, 1000, 1021, 2048, 4096, 10000)


@st.composite
def fft(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    kind = draw(st.sampled_from(("fft", "ifft", "rfft", "irfft")))
    dims = draw(st.integers(1, 3))
    lengths = [draw(st.sampled_from((1, 2, 5, 8))) for _ in range(dims - 1)]
    is_small = op_sizes.current() is not op_sizes.REAL
    lengths.append(draw(st.sampled_from(LENGTHS if is_small else LONG)))
    outer = draw(st.sampled_from(((), (3,), (0,)) if edges() else ((), (3,))))
    half = lengths[-1] // 2 + 1
    shape = (*outer, *lengths[:-1], half if kind == "irfft" else lengths[-1])
    result = (*outer, *lengths[:-1], half if kind == "rfft" else lengths[-1])
    inputs = [(random(rng, shape, dtype), dtype) for _ in range(1 + (kind != "rfft"))]
    if kind == "irfft":
        # What a transform of real numbers gives.
        real = np.fft.rfftn(rng.uniform(-1, 1, (*outer, *lengths)), lengths, range(-dims, 0))
        parts = (real.real, real.imag)
        inputs = [(part.astype(FORMATS[dtype].host), dtype) for part in parts]
    several = kind != "irfft"
    picked = draw(st.integers(0, int(several)))
    axes = tuple(range(-dims, 0))

    def reference(real: Any, *imaginary: Any) -> Any:
        x = np.asarray(real) + (1j * np.asarray(imaginary[0]) if imaginary else 0)
        if kind == "irfft":
            # The imaginary parts of numbers that have to be real do not count; those along the
            # other dimensions are complex.
            x = np.fft.ifftn(x, axes=axes[:-1]) if dims > 1 else x
            return np.fft.irfft(x, lengths[-1], axis=-1)
        if kind == "rfft":
            found = np.fft.rfftn(np.real(x), axes=axes)
        else:
            found = (np.fft.ifftn if kind == "ifft" else np.fft.fftn)(x, axes=axes)
        return found.imag if picked else found.real

    # An element is a sum of all along the dimensions; each is a sum of roundings.
    wide = [array.astype(np.float64) for array, _ in inputs]
    power = sum(np.square(array).sum(axes, keepdims=True) for array in wide)
    points = float(np.prod(lengths))
    # Half of the elements stand for two.
    norm = np.sqrt(2 * points * power) / (points if kind.startswith("i") else 1)
    slack = 8 * STEP * (1 + np.log2(points)) * norm
    return Case(
        "fft",
        inputs,
        result,
        dtype,
        reference,
        {"fft_type": f'"{kind}"', "fft_length": dense(lengths)},
        4,
        slack,
        (1, int(kind != "rfft"), 1 + several),
        results=[(result, dtype)] * (1 + several),
        picked=picked,
    )


@st.composite
def topk_router_gpt(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    outer = draw(st.sampled_from(((), (2,), (1, 3))))
    rows, hidden = draw(st.sampled_from(or_none(1, 5, 33))), draw(st.sampled_from((1, 16, 40)))
    experts = draw(st.sampled_from((8, 32, 33, 128)))
    k = draw(st.integers(1, experts // 8 * 8))
    columns = -(-k // 8) * 8
    # Small integers: the logits are exact, so that the places are.
    host = FORMATS[dtype].host
    shapes = ((*outer, rows, hidden), (hidden, experts), (1, experts))
    inputs = [(rng.integers(-2, 3, shape).astype(host), dtype) for shape in shapes]
    result = (*outer, rows, columns)
    picked = draw(st.integers(0, 1))

    def reference(x: Any, weight: Any, bias: Any) -> Any:
        logits = x @ weight + bias
        places = jnp.argsort(-logits, axis=-1, stable=True)[..., :columns]
        return jnp.take_along_axis(logits, places, -1) if picked else places

    return Case(
        "topk_router_gpt",
        inputs,
        result,
        dtype if picked else "si32",
        reference,
        {"k": i32(k), "num_experts": i32(experts)},
        results=[(result, "si32"), (result, dtype)],
        picked=picked,
    )


CASES: dict[str, Strategy] = {
    "triangular_solve": triangular_solve(),
    "cholesky": cholesky(),
    "fft": fft(),
    "topk_router_gpt": topk_router_gpt(),
}
