"""Linear algebra and transforms: cases with references in NumPy."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from jax.scipy.linalg import solve_triangular
from op_formats import FORMATS, random
from op_program import Case, Strategy, boolean, dense, generators

STEP = 2.0**-23
SIZES = (1, 2, 5, 16, 33, 64)


@st.composite
def triangular_solve(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    batch = draw(st.sampled_from(((), (2,), (2, 1, 3))))
    size, columns = draw(st.sampled_from(SIZES)), draw(st.sampled_from((1, 3, 33)))
    flags = {
        name: draw(st.booleans()) for name in ("left_side", "lower", "unit_diagonal", "transpose_a")
    }
    # Off the diagonal so small that the solutions do not grow.
    matrix = rng.uniform(-1, 1, (*batch, size, size)) / size
    matrix[..., np.arange(size), np.arange(size)] = rng.uniform(1, 2, (*batch, size))
    a = matrix.astype(FORMATS[dtype].host)
    shape = (*batch, size, columns) if flags["left_side"] else (*batch, columns, size)
    b = random(rng, shape, dtype)

    def reference(a: Any, b: Any) -> Any:
        # `solve` of x a = b is that of a^T x^T = b^T.
        right = b if flags["left_side"] else jnp.swapaxes(b, -1, -2)
        found = solve_triangular(
            jnp.broadcast_to(a, (*batch, size, size)),
            right,
            trans=int(flags["transpose_a"] == flags["left_side"]),
            lower=flags["lower"],
            unit_diagonal=flags["unit_diagonal"],
        )
        return found if flags["left_side"] else jnp.swapaxes(found, -1, -2)

    attributes = {name: boolean(value) for name, value in flags.items()}
    inputs = [(a, dtype), (b, dtype)]
    return Case("triangular_solve", inputs, shape, dtype, reference, attributes, 16, 256 * STEP)


@st.composite
def cholesky(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    batch = draw(st.sampled_from(((), (2,), (1, 2))))
    size, lower = draw(st.sampled_from((1, 2, 5, 16, 33))), draw(st.booleans())
    half = rng.uniform(-1, 1, (*batch, size, size))
    matrix = half @ np.swapaxes(half, -1, -2) / size + 2 * np.eye(size)
    a = matrix.astype(FORMATS[dtype].host)

    def reference(a: Any) -> Any:
        # One triangle counts.
        kept = jnp.tril(a) if lower else jnp.swapaxes(jnp.triu(a), -1, -2)
        whole = kept + jnp.swapaxes(jnp.tril(kept, -1), -1, -2)
        found = jnp.linalg.cholesky(whole)
        return found if lower else jnp.swapaxes(found, -1, -2)

    attributes = {"lower": boolean(lower)}
    return Case("cholesky", [(a, dtype)], a.shape, dtype, reference, attributes, 16, 64 * STEP)


@st.composite
def fft(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    kind = draw(st.sampled_from(("fft", "ifft", "rfft", "irfft")))
    dims = draw(st.integers(1, 3))
    lengths = [draw(st.sampled_from((1, 2, 5, 8))) for _ in range(dims - 1)]
    lengths.append(draw(st.sampled_from((1, 2, 7, 16, 31, 64, 131, 256, 360))))
    outer = draw(st.sampled_from(((), (3,))))
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
        found = getattr(np.fft, kind + "n")(x, axes=axes)
        return found.imag if picked else found.real

    total = float(sum(np.abs(array.astype(np.float64)).sum() for array, _ in inputs))
    slack = total * STEP * 16 / (np.prod(lengths) if kind.startswith("i") else 1)
    return Case(
        "fft",
        inputs,
        result,
        dtype,
        reference,
        {"fft_type": f'"{kind}"', "fft_length": dense(lengths)},
        8,
        slack,
        (1, int(kind != "rfft"), 1 + several),
        results=[(result, dtype)] * (1 + several),
        picked=picked,
    )


CASES: dict[str, Strategy] = {
    "triangular_solve": triangular_solve(),
    "cholesky": cholesky(),
    "fft": fft(),
}
