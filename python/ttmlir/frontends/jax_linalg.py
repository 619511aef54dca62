"""Matrix factorizations that JAX leaves to a platform, as functions of JAX.

``register`` makes them known to JAX. All accept any number of leading dimensions.
"""

from __future__ import annotations

import functools
from typing import Any

try:
    import jax
except ImportError as error:
    raise ImportError(f"{__name__} needs JAX: pip install ttmlir[jax] ({error})") from None
import jax.numpy as jnp
from jax import lax

#: Sweeps of Jacobi's methods, which converge quadratically: about ten are enough for f32.
_SWEEPS = 20


def _square(x: jax.Array) -> jax.Array:
    """The square of the absolute value, without a root."""
    if jnp.iscomplexobj(x):
        return jnp.square(jnp.real(x)) + jnp.square(jnp.imag(x))
    return jnp.square(x)


def _adjoint(x: jax.Array) -> jax.Array:
    return jnp.conj(jnp.swapaxes(x, -1, -2))


# Householder's method ----------------------------------------------------------------------------


def reflectors(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """LAPACK's geqrf.

    Args:
        a: matrices (.., M, N).

    Returns:
        The triangle R with the vectors of the reflectors below (.., M, N), and their factors
        (.., min(M, N)).
    """
    m, n = a.shape[-2:]
    rows, columns = jnp.arange(m), jnp.arange(n)
    count = min(m, n)

    def step(j: Any, carried: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        a, factors = carried
        x = lax.dynamic_index_in_dim(a, j, a.ndim - 1, keepdims=False)
        head = lax.dynamic_index_in_dim(x, j, x.ndim - 1, keepdims=True)
        below = jnp.where(rows > j, x, 0)
        # Scaled, so that the squares stay in range.
        size = jnp.max(jnp.abs(jnp.where(rows >= j, x, 0)), axis=-1, keepdims=True)
        unit = jnp.where(size > 0, size, 1)
        rest = jnp.sum(_square(below / unit), axis=-1, keepdims=True)
        norm = unit * jnp.sqrt(_square(head / unit) + rest)
        end = jnp.where(jnp.real(head) < 0, norm, -norm)
        is_zero = (rest == 0) & (jnp.imag(head) == 0)
        factor = jnp.where(is_zero, 0, (end - head) / jnp.where(is_zero, 1, end))
        v = below / jnp.where(is_zero, 1, head - end)
        v = jnp.where(rows == j, 1, v)
        product = jnp.einsum("...m,...mn->...n", jnp.conj(v), a, precision="highest")
        changed = a - (jnp.conj(factor) * v)[..., :, None] * product[..., None, :]
        own = jnp.where(rows == j, jnp.where(is_zero, head, end), jnp.where(rows > j, v, x))
        behind = jnp.where(columns > j, changed, a)
        a = jnp.where(columns == j, own[..., :, None], behind)
        return a, jnp.where(jnp.arange(count) == j, factor, factors)

    start = jnp.zeros((*a.shape[:-2], count), a.dtype)
    found: tuple[jax.Array, jax.Array] = lax.fori_loop(0, count, step, (a, start))
    return found


def product_of_reflectors(a: jax.Array, factors: jax.Array) -> jax.Array:
    """LAPACK's orgqr: the first N columns of the product of reflectors.

    Args:
        a: vectors of reflectors below the diagonal, (.., M, N).
        factors: of the reflectors, (.., K).
    """
    m, n = a.shape[-2:]
    rows = jnp.arange(m)
    count = factors.shape[-1]

    def step(i: Any, q: jax.Array) -> jax.Array:
        j = count - 1 - i
        x = lax.dynamic_index_in_dim(a, j, a.ndim - 1, keepdims=False)
        factor = lax.dynamic_index_in_dim(factors, j, factors.ndim - 1, keepdims=True)
        v = jnp.where(rows == j, 1, jnp.where(rows > j, x, 0))
        product = jnp.einsum("...m,...mn->...n", jnp.conj(v), q, precision="highest")
        return q - (factor * v)[..., :, None] * product[..., None, :]

    unit = jnp.broadcast_to(jnp.eye(m, n, dtype=a.dtype), a.shape)
    found: jax.Array = lax.fori_loop(0, count, step, unit)
    return found


def _orthonormal(a: jax.Array, columns: int) -> jax.Array:
    """Normalizes the columns of ``a``, which are orthogonal, and completes them to a basis where
    they are zero or missing."""
    n = a.shape[-1]
    packed, factors = reflectors(a)
    if columns > n:
        packed = jnp.concatenate(
            [packed, jnp.zeros((*a.shape[:-1], columns - n), a.dtype)], axis=-1
        )
    q = product_of_reflectors(packed, factors)
    diagonal = jnp.sum(packed[..., :n, :n] * jnp.eye(n, dtype=a.dtype), axis=-1)
    sign = jnp.where(jnp.real(diagonal) < 0, -1, 1).astype(a.dtype)
    ones = jnp.ones((*a.shape[:-2], columns - n), a.dtype)
    return q * jnp.concatenate([sign, ones], axis=-1)[..., None, :]


# Jacobi's methods --------------------------------------------------------------------------------


def _next_round(left: jax.Array, right: jax.Array, axis: int) -> tuple[jax.Array, jax.Array]:
    """Returns the two halves of pairs for the next round of a round-robin tournament."""
    half = left.shape[axis]
    if half == 1:
        return left, right

    def part(x: jax.Array, begin: int, end: int) -> jax.Array:
        return lax.slice_in_dim(x, begin, end, axis=axis)

    first = jnp.concatenate([part(left, 0, 1), part(right, 0, 1), part(left, 1, half - 1)], axis)
    second = jnp.concatenate([part(right, 1, half), part(left, half - 1, half)], axis)
    return first, second


def _rotation(p: jax.Array, q: jax.Array, r: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Cosine and sine that diagonalize the symmetric 2x2 matrices [[p, r], [r, q]]."""
    is_zero = r == 0
    slope = (q - p) / jnp.where(is_zero, 1, 2 * r)
    sign = jnp.where(slope < 0, -1, 1).astype(p.dtype)
    # For a large slope, the root of 1 + slope^2 is the slope.
    great = jnp.abs(slope) > 1e10
    root = jnp.where(great, jnp.abs(slope), jnp.sqrt(1 + jnp.square(jnp.where(great, 0, slope))))
    tangent = jnp.where(is_zero, 0, sign / (jnp.abs(slope) + root))
    cosine = lax.rsqrt(1 + jnp.square(tangent))
    return cosine, tangent * cosine


def _made_positive(r: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns factors of absolute value 1 that make ``r`` positive, and the products. Numbers too
    small for an accurate angle become 0."""
    size = jnp.abs(r)
    is_zero = size < jnp.finfo(jnp.float32).tiny  # Chips compute in f32.
    factor = jnp.where(is_zero, 1, jnp.conj(r) / jnp.where(is_zero, 1, size))
    return factor, jnp.where(is_zero, 0, size)


def symmetric_eigen(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns eigenvectors (.., N, N), in columns, and eigenvalues (.., N) in ascending order.

    Args:
        a: symmetric or Hermitian matrices (.., N, N).
    """
    n = a.shape[-1]
    if n == 1:
        return jnp.ones_like(a), jnp.real(a[..., 0])
    scale = jnp.max(jnp.abs(a), axis=(-2, -1), keepdims=True)
    unit = jnp.where(scale > 0, scale, 1)
    a = a / unit
    # A matrix of odd size is padded with the greatest eigenvalue.
    size = n + n % 2
    if size > n:
        border = [(0, 0)] * (a.ndim - 2) + [(0, 1), (0, 1)]
        corner = jnp.zeros((size, size), a.dtype).at[n, n].set(2.0 * n)
        a = jnp.pad(a, border) + corner
    half = size // 2
    eye = jnp.eye(half, dtype=a.dtype)
    total = jnp.sum(_square(a), axis=(-2, -1))

    def diagonal(x: jax.Array) -> jax.Array:
        return jnp.sum(x * eye, axis=-1)

    def body(_: Any, carried: Any) -> Any:
        (tl, tr, bl, br), (vl, vr) = carried
        r = diagonal(tr)
        if jnp.iscomplexobj(a):
            # Rows and columns are first multiplied by phases, so that the elements to eliminate are
            # positive.
            turned, r = _made_positive(r)
            row_factor, factor = jnp.conj(turned)[..., :, None], turned[..., None, :]
            bl, br = row_factor * bl, row_factor * br * factor
            tr, vr = tr * factor, vr * factor
        c, s = _rotation(jnp.real(diagonal(tl)), jnp.real(diagonal(br)), r)
        cr, sr = c[..., :, None], s[..., :, None]
        tl, bl = cr * tl - sr * bl, sr * tl + cr * bl
        tr, br = cr * tr - sr * br, sr * tr + cr * br
        cc, sc = c[..., None, :], s[..., None, :]
        tl, tr = cc * tl - sc * tr, sc * tl + cc * tr
        bl, br = cc * bl - sc * br, sc * bl + cc * br
        vl, vr = cc * vl - sc * vr, sc * vl + cc * vr
        row, column = tl.ndim - 2, tl.ndim - 1
        (tl, bl), (tr, br) = _next_round(tl, bl, row), _next_round(tr, br, row)
        (tl, tr), (bl, br) = _next_round(tl, tr, column), _next_round(bl, br, column)
        return (tl, tr, bl, br), _next_round(vl, vr, column)

    def off(blocks: Any) -> jax.Array:
        tl, tr, bl, br = blocks
        inner = _square(tl * (1 - eye)) + _square(br * (1 - eye))
        return jnp.sum(inner + _square(tr) + _square(bl), axis=(-2, -1))

    def goes_on(carried: Any) -> jax.Array:
        sweep, blocks, _ = carried
        least = jnp.square(jnp.finfo(a.dtype).eps * 0.1) * total
        return (sweep < _SWEEPS) & jnp.any(off(blocks) > least)

    def sweep(carried: Any) -> Any:
        count, blocks, vectors = carried
        blocks, vectors = lax.fori_loop(0, size - 1, body, (blocks, vectors))
        return count + 1, blocks, vectors

    identity = jnp.broadcast_to(jnp.eye(size, dtype=a.dtype), (*a.shape[:-2], size, size))
    blocks = (
        a[..., :half, :half],
        a[..., :half, half:],
        a[..., half:, :half],
        a[..., half:, half:],
    )
    vectors = (identity[..., :half], identity[..., half:])
    _, blocks, vectors = lax.while_loop(goes_on, sweep, (0, blocks, vectors))
    values = jnp.real(jnp.concatenate([diagonal(blocks[0]), diagonal(blocks[3])], axis=-1))
    found = jnp.concatenate(vectors, axis=-1)
    order = jnp.argsort(values, axis=-1)[..., :n]
    values = jnp.take_along_axis(values, order, axis=-1)
    found = jnp.take_along_axis(found, order[..., None, :], axis=-1)
    return found[..., :n, :], values * unit[..., 0]


def singular_values(a: jax.Array, full_matrices: bool, compute_uv: bool) -> tuple[jax.Array, ...]:
    """Singular values (.., min(M, N)) in descending order and, with ``compute_uv``, the left
    singular vectors in columns and the right ones in rows.

    Args:
        a: matrices (.., M, N).
        full_matrices: whether to return all M columns and N rows of vectors.
        compute_uv: whether to return vectors.
    """
    m, n = a.shape[-2:]
    if m < n:
        found = singular_values(_adjoint(a), full_matrices, compute_uv)
        if not compute_uv:
            return found
        s, u, vt = found
        return s, _adjoint(vt), _adjoint(u)
    scale = jnp.max(jnp.abs(a), axis=(-2, -1), keepdims=True)
    unit = jnp.where(scale > 0, scale, 1)
    x = a / unit
    size = max(n + n % 2, 2)
    half = size // 2
    x = jnp.pad(x, [(0, 0)] * (a.ndim - 1) + [(0, size - n)])
    eps = jnp.finfo(a.dtype).eps

    def body(_: Any, carried: Any) -> Any:
        (left, right), (vl, vr), worst = carried
        p, q = (jnp.sum(_square(y), axis=-2) for y in (left, right))
        r = jnp.sum(jnp.conj(left) * right, axis=-2)
        if jnp.iscomplexobj(a):
            turned, r = _made_positive(r)
            factor = turned[..., None, :]
            right, vr = right * factor, vr * factor
        size_of = jnp.sqrt(p) * jnp.sqrt(q)
        angle = jnp.where(size_of > 0, jnp.abs(r) / jnp.where(size_of > 0, size_of, 1), 0)
        c, s = _rotation(p, q, jnp.where(angle > eps, r, 0))
        c, s = c[..., None, :], s[..., None, :]
        left, right = c * left - s * right, s * left + c * right
        vl, vr = c * vl - s * vr, s * vl + c * vr
        axis = left.ndim - 1
        pairs = _next_round(left, right, axis), _next_round(vl, vr, axis)
        return (*pairs, jnp.maximum(worst, jnp.max(angle)))

    def goes_on(carried: Any) -> jax.Array:
        count, _, _, worst = carried
        return (count < _SWEEPS) & (worst > 4 * eps)

    def sweep(carried: Any) -> Any:
        count, columns, vectors, _ = carried
        none = jnp.zeros((), scale.dtype)
        found = lax.fori_loop(0, size - 1, body, (columns, vectors, none))
        return (count + 1, *found)

    identity = jnp.broadcast_to(jnp.eye(size, dtype=a.dtype), (*a.shape[:-2], size, size))
    columns = (x[..., :half], x[..., half:])
    vectors = (identity[..., :half], identity[..., half:])
    start = (0, columns, vectors, jnp.ones((), scale.dtype))
    _, columns, vectors, _ = lax.while_loop(goes_on, sweep, start)
    x = jnp.concatenate(columns, axis=-1)
    s = jnp.sqrt(jnp.sum(_square(x), axis=-2))
    # An added column is 0 and last: its vector does not belong to the matrix.
    v = jnp.concatenate(vectors, axis=-1)
    added = jnp.sum(_square(v[..., n:, :]), axis=-2) > 0.5
    order = jnp.argsort(jnp.where(added, 1, -s), axis=-1)[..., :n]
    s = jnp.take_along_axis(s, order, axis=-1)
    values = s * unit[..., 0]
    if not compute_uv:
        return (values,)
    v = jnp.take_along_axis(v, order[..., None, :], axis=-1)[..., :n, :]
    x = jnp.take_along_axis(x, order[..., None, :], axis=-1)
    u = _orthonormal(x, m if full_matrices else n)
    return values, u, _adjoint(v)


# Triangles of complex matrices ------------------------------------------------------------------


def complex_cholesky(a: jax.Array, lower: bool) -> jax.Array:
    """Returns the Cholesky factor of a positive definite matrix, or its adjoint; NaN for other
    matrices.

    Args:
        a: Hermitian matrices (.., N, N); only the lower or the upper triangle is read.
        lower: whether to read and return the lower triangle.
    """
    a = jnp.tril(a if lower else _adjoint(a))
    n = a.shape[-1]
    rows = jnp.arange(n)

    def step(j: Any, found: jax.Array) -> jax.Array:
        own = lax.dynamic_index_in_dim(found, j, found.ndim - 2, keepdims=False)
        column = lax.dynamic_index_in_dim(a, j, a.ndim - 1, keepdims=False)
        product = jnp.einsum("...mn,...n->...m", found, jnp.conj(own), precision="highest")
        rest = column - product
        head = jnp.real(lax.dynamic_index_in_dim(rest, j, rest.ndim - 1, keepdims=True))
        column = jnp.where(rows >= j, rest / jnp.sqrt(head), 0)
        column = jnp.where(rows == j, jnp.real(column), column)
        return jnp.where(rows == j, column[..., :, None], found)

    found = lax.fori_loop(0, n, step, jnp.zeros_like(a))
    is_positive = jnp.all(jnp.isfinite(found), axis=(-2, -1), keepdims=True)
    found = jnp.where(is_positive, found, jnp.nan)
    return found if lower else _adjoint(found)


def complex_triangular_solve(
    a: jax.Array, b: jax.Array, *, left_side: bool, lower: bool, unit: bool, transpose: str
) -> jax.Array:
    """Solves A X = B, or X A = B, by substitution.

    Args:
        a: matrices (.., N, N); only one triangle is read.
        b: right-hand sides (.., N, M), or (.., M, N) for X A = B.
        left_side: whether A is on the left.
        lower: whether the lower triangle is read.
        unit: whether the diagonal is assumed to be 1.
        transpose: ``TRANSPOSE`` or ``ADJOINT`` to solve with that of the matrix.
    """
    if transpose in ("TRANSPOSE", "ADJOINT"):
        a, lower = jnp.swapaxes(a, -1, -2), not lower
        a = jnp.conj(a) if transpose == "ADJOINT" else a
    if not left_side:
        a, b, lower = jnp.swapaxes(a, -1, -2), jnp.swapaxes(b, -1, -2), not lower
    if not lower:
        a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
    n = a.shape[-1]
    rows = jnp.arange(n)

    def step(j: Any, x: jax.Array) -> jax.Array:
        own = lax.dynamic_index_in_dim(a, j, a.ndim - 2, keepdims=False)
        head = lax.dynamic_index_in_dim(own, j, own.ndim - 1, keepdims=True)
        side = lax.dynamic_index_in_dim(b, j, b.ndim - 2, keepdims=False)
        before = jnp.where(rows < j, own, 0)
        product = jnp.einsum("...n,...nm->...m", before, x, precision="highest")
        rest = side - product
        row = rest if unit else rest / head
        return jnp.where((rows == j)[:, None], row[..., None, :], x)

    x = lax.fori_loop(0, n, step, jnp.zeros_like(b))
    x = x if lower else x[..., ::-1, :]
    return x if left_side else jnp.swapaxes(x, -1, -2)


# Rules for the platform --------------------------------------------------------------------------


def _eigen_rule(x: jax.Array, **options: Any) -> list[jax.Array]:
    lower = options.get("lower", True)
    triangle = jnp.tril(x) if lower else jnp.triu(x)
    strict = jnp.tril(x, -1) if lower else jnp.triu(x, 1)
    vectors, values = symmetric_eigen(triangle + _adjoint(strict))
    if (subset := options.get("subset_by_index")) is not None:
        begin, end = subset
        vectors, values = vectors[..., begin:end], values[..., begin:end]
    return [vectors, values]


def _singular_rule(x: jax.Array, **options: Any) -> list[jax.Array]:
    found = singular_values(x, options["full_matrices"], options["compute_uv"])
    subset = options.get("subset_by_index")
    if subset is None or tuple(subset) == (0, min(x.shape[-2:])):
        return list(found)
    begin, end = subset
    parts = [found[0][..., begin:end]]
    if options["compute_uv"]:
        parts += [found[1][..., begin:end], found[2][..., begin:end, :]]
    return parts


def _without_elements(rule: Any) -> Any:
    """Wraps a rule so that JAX handles matrices without elements."""

    @functools.wraps(rule)
    def checked(x: jax.Array, **options: Any) -> list[jax.Array]:
        if x.size:
            return list(rule(x, **options))
        m, n = x.shape[-2:]
        if rule is _eigen_rule:
            return [x, jnp.zeros(x.shape[:-1], jnp.finfo(x.dtype).dtype)]
        few = min(m, n)
        s = jnp.zeros((*x.shape[:-2], few), jnp.finfo(x.dtype).dtype)
        if not options["compute_uv"]:
            return [s]
        left, right = (m, n) if options["full_matrices"] else (few, few)
        u = jnp.broadcast_to(jnp.eye(m, left, dtype=x.dtype), (*x.shape[:-2], m, left))
        v = jnp.broadcast_to(jnp.eye(right, n, dtype=x.dtype), (*x.shape[:-2], right, n))
        return [s, u, v]

    return checked


@functools.cache
def register() -> None:
    """Registers the eigenvalues and the singular values of this module for platforms that have no
    rule for them. For reflectors JAX has a custom call that the importer supports."""
    from jax._src.lax import linalg
    from jax.interpreters import mlir

    rules = {"eigh_p": _eigen_rule, "svd_p": _singular_rule}
    for name, rule in rules.items():
        primitive = getattr(linalg, name, None)
        if primitive is not None:
            lowering = mlir.lower_fun(_without_elements(rule), multiple_results=True)
            mlir.register_lowering(primitive, lowering)
