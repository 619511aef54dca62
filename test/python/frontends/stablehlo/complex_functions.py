"""Functions of complex numbers with their references in NumPy, for ``test_complex.py``.

``python complex_functions.py`` runs all of them in both backends and types and prints the table of
docs/src/numbers.md.
"""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax_x64 import x64

import ttmlir

Array = np.ndarray[Any, Any]
Backend = Literal["ttnn", "ttmetal"]
BACKENDS: tuple[Backend, ...] = ("ttnn", "ttmetal")
DTYPES = ("complex64", "complex128")
SHAPES = ((), (7,), (5, 7), (2, 33, 40), (0, 3))
#: Relative to each number: what roundings of f32 in a few ops explain.
EACH = 16 * 2.0**-24
#: Relative to the greatest number: sums of many roundings.
ALL = 32 * 2.0**-24


@dataclass(frozen=True)
class Function:
    """A function of JAX with the same one of NumPy.

    Args:
        name: of the function.
        group: in the table.
        ours: of JAX.
        theirs: of NumPy, computed in complex128.
        shapes: one case each has; the arguments of a case have these shapes.
        of_each: whether errors are relative to each number, not to the greatest one.
    """

    name: str
    group: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    shapes: tuple[tuple[tuple[int, ...], ...], ...]
    of_each: bool = False


@dataclass(frozen=True)
class Case:
    function: Function
    shapes: tuple[tuple[int, ...], ...]
    dtype: str
    backend: Backend

    @property
    def id(self) -> str:
        sizes = "_".join("x".join(map(str, shape)) or "scalar" for shape in self.shapes)
        return f"{self.function.name}-{sizes}-{self.dtype}-{self.backend}"


def _same(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return getattr(jnp, name), getattr(np, name)


_ONE = tuple((shape,) for shape in SHAPES)
_TWO = (*((shape, shape) for shape in SHAPES), ((4, 1), (5,)), ((), (3, 2)))
_UNARY = """
abs angle arccos arccosh arcsin arcsinh arctan arctanh conj cos cosh exp exp2 expm1 imag isfinite
log log10 log1p log2 negative real reciprocal sign sin sinh sqrt square tan tanh
"""
_BINARY = "add subtract multiply divide power equal not_equal"


def _logistic(z: Array) -> Array:
    return 1 / (1 + np.exp(-z))


def _elementwise() -> Iterator[Function]:
    for name in _UNARY.split():
        yield Function(name, "elementwise", *_same(name), _ONE, of_each=True)
    for name in _BINARY.split():
        # The logarithm's error grows with the exponent.
        yield Function(name, "elementwise", *_same(name), _TWO, of_each=name != "power")
    for name, ours, theirs in (
        ("rsqrt", lax.rsqrt, lambda z: 1 / np.sqrt(z)),
        ("logistic", jax.nn.sigmoid, _logistic),
        ("cube", lambda z: z**3, lambda z: z**3),
        ("inverse_square", lambda z: z**-2, lambda z: z**-2.0),
        ("times_i", lambda z: z * 1j, lambda z: z * 1j),
    ):
        yield Function(name, "elementwise", ours, theirs, _ONE, of_each=True)
    yield Function(
        "complex",
        "elementwise",
        lambda x, y: lax.complex(jnp.real(x), jnp.imag(y)),
        lambda x, y: x.real + 1j * y.imag,
        (((5, 7), (5, 7)),),
    )
    yield Function(
        "where",
        "elementwise",
        lambda x, y: jnp.where(jnp.real(x) > 0, x, y),
        lambda x, y: np.where(x.real > 0, x, y),
        (((5, 7), (5, 7)), ((4, 1), (5,))),
    )


def _products() -> Iterator[Function]:
    matrices = (((5, 7), (7, 9)), ((2, 40, 33), (2, 33, 3)), ((4,), (4,)), ((1, 1), (1, 64)))
    yield Function("matmul", "products", *_same("matmul"), matrices)
    yield Function("vdot", "products", *_same("vdot"), (((6,), (6,)), ((3, 2), (3, 2))))
    yield Function("outer", "products", *_same("outer"), (((4,), (5,)),))
    yield Function("kron", "products", *_same("kron"), (((2, 3), (3, 2)),))
    yield Function("convolve", "products", *_same("convolve"), (((9,), (4,)), ((40,), (7,))))
    yield Function(
        "einsum",
        "products",
        lambda x, y: jnp.einsum("bij,bkj->bik", x, y.conj()),
        lambda x, y: np.einsum("bij,bkj->bik", x, y.conj()),
        (((2, 3, 4), (2, 5, 4)),),
    )


def _reductions() -> Iterator[Function]:
    shapes = (((7,),), ((5, 7),), ((2, 33, 40),))
    for name in ("sum", "mean", "var", "std"):
        yield Function(name, "reductions", *_same(name), shapes)
    for name in ("cumsum", "cumprod", "sum", "prod", "mean", "sort", "max", "min"):
        ours, theirs = _same(name)
        yield Function(
            f"{name}_last",
            "reductions",
            lambda z, f=ours: f(z, axis=-1),
            lambda z, f=theirs: f(z, axis=-1),
            (((7,),), ((5, 7),), ((3, 2, 12),)),
        )
    yield Function("norm", "reductions", jnp.linalg.norm, np.linalg.norm, (((5, 7),), ((64,),)))
    yield Function("trace", "reductions", *_same("trace"), (((5, 5),),))


def _transforms() -> Iterator[Function]:
    lines = (((1,),), ((12,),), ((3, 64),), ((509,),), ((1021,),), ((4096,),))
    for name in ("fft", "ifft", "hfft"):
        ours, theirs = getattr(jnp.fft, name), getattr(np.fft, name)
        yield Function(name, "transforms", ours, theirs, lines if name != "hfft" else lines[1:])
    for name in ("rfft", "ihfft"):
        own, other = getattr(jnp.fft, name), getattr(np.fft, name)
        yield Function(
            name,
            "transforms",
            lambda z, f=own: f(jnp.real(z)),
            lambda z, f=other: f(z.real),
            lines[1:],
        )
    yield Function("irfft", "transforms", jnp.fft.irfft, np.fft.irfft, lines[1:])
    for name in ("fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn"):
        ours, theirs = getattr(jnp.fft, name), getattr(np.fft, name)
        yield Function(name, "transforms", ours, theirs, (((5, 7),), ((3, 4, 6),)))
    for name in ("rfft2", "rfftn"):
        own, other = getattr(jnp.fft, name), getattr(np.fft, name)
        yield Function(
            name,
            "transforms",
            lambda z, f=own: f(jnp.real(z)),
            lambda z, f=other: f(z.real),
            (((5, 7),), ((3, 4, 6),)),
        )
    yield Function(
        "fftshift",
        "transforms",
        lambda z: jnp.fft.fftshift(jnp.fft.fft(z, norm="ortho")),
        lambda z: np.fft.fftshift(np.fft.fft(z, norm="ortho")),
        (((12,),), ((3, 65),)),
    )


def _put(z: Array) -> Array:
    found = z.copy()
    found[1] = 3j
    found[2, 3] += 1 + 2j
    found[0] *= 2j
    return found


def _movement() -> Iterator[Function]:
    one, square = (((5, 7),),), (((5, 5),),)
    for name, ours, theirs, shapes in (
        ("transpose", jnp.transpose, np.transpose, one),
        ("reshape", lambda z: z.reshape(7, 5), lambda z: z.reshape(7, 5), one),
        ("slice", lambda z: z[1:4, ::-2], lambda z: z[1:4, ::-2], one),
        ("roll", lambda z: jnp.roll(z, 2, 1), lambda z: np.roll(z, 2, 1), one),
        ("flip", jnp.flip, np.flip, one),
        ("tile", lambda z: jnp.tile(z, (2, 3)), lambda z: np.tile(z, (2, 3)), one),
        ("triu", jnp.triu, np.triu, square),
        ("diag", jnp.diag, np.diag, square),
        ("take", lambda z: z[jnp.array([3, 1])], lambda z: z[[3, 1]], one),
        ("compress", lambda z: z[:, np.arange(7) % 2 == 0], lambda z: z[:, ::2], one),
        (
            "update",
            lambda z: z.at[1].set(3j).at[2, 3].add(1 + 2j).at[0].multiply(2j, unique_indices=True),
            _put,
            one,
        ),
        (
            "pad",
            lambda z: jnp.pad(z, ((1, 2), (0, 3)), constant_values=2 + 1j),
            lambda z: np.pad(z, ((1, 2), (0, 3)), constant_values=2 + 1j),
            one,
        ),
    ):
        yield Function(name, "movement", ours, theirs, shapes)
    for name in ("concatenate", "stack"):
        own, other = _same(name)
        yield Function(
            name,
            "movement",
            lambda *z, f=own: f(z),
            lambda *z, f=other: f(z),
            (((5, 7), (5, 7)), ((0, 3), (0, 3)), ((4,), (4,), (4,))),
        )


def _scanned(z: Array) -> Array:
    found, total = [], np.zeros_like(z[0])
    for row in z:
        total = total * 0.5j + row
        found.append(total)
    return np.stack(found)


def _grown(z: Array) -> Array:
    while np.abs(z).max() < 100:
        z = z * (1 + 1j)
    return z


def _control() -> Iterator[Function]:
    one = (((5, 7),),)
    for name, ours, theirs in (
        (
            "scan",
            lambda z: lax.scan(lambda c, r: (c * 0.5j + r,) * 2, jnp.zeros_like(z[0]), z)[1],
            _scanned,
        ),
        (
            "while",
            lambda z: lax.while_loop(lambda s: jnp.abs(s).max() < 100, lambda s: s * (1 + 1j), z),
            _grown,
        ),
        (
            "cond",
            lambda z: lax.cond(z[0, 0].real > 0, lambda s: s * 1j, lambda s: s + 1, z),
            lambda z: z * 1j if z[0, 0].real > 0 else z + 1,
        ),
    ):
        yield Function(name, "control flow", ours, theirs, one)


def _positive(z: Any, xp: Any) -> Any:
    eye = 4 * xp.eye(z.shape[-1])
    return z @ xp.conj(xp.swapaxes(z, -1, -2)) + eye


def _regular(z: Any, xp: Any) -> Any:
    return z + 6 * xp.eye(z.shape[-1])


def _from_eigh(z: Any) -> Any:
    values, vectors = jnp.linalg.eigh(_positive(z, jnp))
    return (vectors * values[..., None, :]) @ jnp.conj(jnp.swapaxes(vectors, -1, -2))


def _from_svd(z: Any) -> Any:
    u, s, vt = jnp.linalg.svd(z, full_matrices=False)
    return (u * s[..., None, :]) @ vt


def _from_qr(z: Any) -> Any:
    q, r = jnp.linalg.qr(z)
    return q @ jnp.triu(r)


def _algebra() -> Iterator[Function]:
    square = (((4, 4),), ((2, 7, 7),))
    wide = (((6, 4),), ((3, 5),), ((4, 4),))
    for name, ours, theirs, shapes in (
        (
            "cholesky",
            lambda z: jnp.linalg.cholesky(_positive(z, jnp)),
            lambda z: np.linalg.cholesky(_positive(z, np)),
            square,
        ),
        (
            "eigvalsh",
            lambda z: jnp.linalg.eigvalsh(_positive(z, jnp)),
            lambda z: np.linalg.eigvalsh(_positive(z, np)),
            square,
        ),
        ("eigh", _from_eigh, lambda z: _positive(z, np), square),
        ("svd", _from_svd, lambda z: z, wide),
        (
            "svdvals",
            lambda z: jnp.linalg.svd(z, compute_uv=False),
            lambda z: np.linalg.svd(z, compute_uv=False),
            wide,
        ),
        ("qr", _from_qr, lambda z: z, wide),
        (
            "det",
            lambda z: jnp.linalg.det(_regular(z, jnp)),
            lambda z: np.linalg.det(_regular(z, np)),
            square,
        ),
        (
            "inv",
            lambda z: jnp.linalg.inv(_regular(z, jnp)),
            lambda z: np.linalg.inv(_regular(z, np)),
            square,
        ),
        (
            "pinv",
            lambda z: jnp.linalg.pinv(z),
            lambda z: np.linalg.pinv(z),
            (((6, 4),),),
        ),
    ):
        yield Function(name, "linear algebra", ours, theirs, shapes)
    yield Function(
        "solve",
        "linear algebra",
        lambda x, y: jnp.linalg.solve(_regular(x, jnp), y),
        lambda x, y: np.linalg.solve(_regular(x, np), y),
        (((4, 4), (4, 2)),),
    )
    for transpose, change in (("N", lambda a: a), ("T", np.transpose), ("C", lambda a: a.conj().T)):
        for lower in (True, False):
            part = np.tril if lower else np.triu
            yield Function(
                f"solve_triangular_{transpose}{'L' if lower else 'U'}",
                "linear algebra",
                lambda x, y, t=transpose, u=lower: jax.scipy.linalg.solve_triangular(
                    _regular(x, jnp), y, trans=t, lower=u
                ),
                lambda x, y, f=change, p=part: np.linalg.solve(f(p(_regular(x, np))), y),
                (((5, 5), (5, 3)),),
            )


FUNCTIONS = (
    *_elementwise(),
    *_products(),
    *_reductions(),
    *_transforms(),
    *_movement(),
    *_control(),
    *_algebra(),
)


def cases() -> Iterator[Case]:
    for function in FUNCTIONS:
        for shapes in function.shapes:
            for dtype in DTYPES:
                for backend in BACKENDS:
                    yield Case(function, shapes, dtype, backend)


def run(case: Case) -> str:
    """Compiles a case, runs it and compares; returns what differs, empty if nothing does."""
    rng = np.random.default_rng(len(case.id))
    args = [
        # The chip computes with numbers of 32 bits.
        (rng.standard_normal(s) + 1j * rng.standard_normal(s)).astype(np.complex64)
        for s in case.shapes
    ]
    wide_types = x64() if case.dtype == "complex128" else nullcontext()
    with wide_types, jax.default_matmul_precision("highest"):
        own = [np.asarray(x).astype(case.dtype) for x in args]
        executable = ttmlir.compile(case.function.ours, *own, backend=case.backend)  # type: ignore[arg-type]
        found = np.asarray(executable(*own))
    wide = [np.asarray(x).astype(np.complex128) for x in args]
    want = np.asarray(case.function.theirs(*wide))
    return _difference(case, found, want)


def _difference(case: Case, found: Array, want: Array) -> str:
    if found.shape != want.shape or (found.dtype.kind, want.dtype.kind) == ("f", "c"):
        return f"expected {want.dtype}{want.shape}, found {found.dtype}{found.shape}"
    expected = {"c": case.dtype, "f": "float64" if case.dtype == "complex128" else "float32"}
    if found.dtype.name != expected.get(want.dtype.kind, found.dtype.name):
        return f"found {found.dtype.name}"
    if not want.size:
        return ""
    if want.dtype.kind == "b":
        return "" if (found == want).all() else "truth values differ"
    error, size = np.abs(found - want), np.abs(want)
    bound = EACH * size if case.function.of_each else np.full_like(size, ALL * size.max())
    if (error <= bound).all():
        return ""
    i = np.unravel_index(int(np.argmax(error / np.maximum(bound, 1e-300))), error.shape)
    return f"{[int(n) for n in i]}: {found[i]} for {want[i]}, {error[i] / bound[i]:.2f} x the bound"


def main() -> int:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for case in cases():
        try:
            reason = run(case)
        except Exception as error:
            reason = str(error)
        if reason:
            print(case.id, reason, flush=True)
        counts[case.function.group]["differ" if reason else "passed"] += 1
    print("| functions | count | cases | passed |\n| --- | --- | --- | --- |")
    for group, found in counts.items():
        names = len([f for f in FUNCTIONS if f.group == group])
        print(f"| {group} | {names} | {found.total()} | {found['passed']} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
