"""Functions of complex tensors, for ``test_complex.py``.

``python complex_modules.py`` runs all of them in both backends and prints the table of
docs/src/numbers.md.
"""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from graphs import Backend, exported
from torch import nn
from torch.utils import _pytree as pytree

BACKENDS: tuple[Backend, ...] = ("ttnn", "ttmetal")
#: Relative to the greatest number: what roundings of f32 in a few ops explain.
BOUND = 64 * 2.0**-24
C, F, T = torch.complex64, torch.fft, torch.float32
#: Shape and dtype of each argument.
Shapes = tuple[tuple[tuple[int, ...], torch.dtype], ...]


@dataclass(frozen=True)
class Function:
    name: str
    group: str
    function: Callable[..., Any]
    shapes: Shapes

    def arguments(self) -> list[torch.Tensor]:
        torch.manual_seed(len(self.name))
        return [torch.randn(shape, dtype=dtype) for shape, dtype in self.shapes]


_Z = (((5, 7), C),)
_ZZ = (((5, 7), C), ((5, 7), C))
_X = (((5, 7), T),)
_XX = (((5, 7), T), ((5, 7), T))
_UNARY = """
abs acos acosh angle asin asinh atan atanh conj conj_physical cos cosh exp exp2 expm1 imag isfinite
isinf isnan log log10 log1p log2 logical_not neg positive real reciprocal resolve_conj rsqrt sgn
sigmoid sin sinh sqrt square tan tanh view_as_real
"""
_BINARY = "add div eq logical_and mul ne pow sub"


def _elementwise() -> Iterator[Function]:
    for name in _UNARY.split():
        yield Function(name, "elementwise", getattr(torch, name), _Z)
    for name in _BINARY.split():
        function = getattr(torch, name)
        yield Function(name, "elementwise", function, _ZZ)
        yield Function(f"{name}_real", "elementwise", function, (_Z[0], _X[0]))
        yield Function(f"{name}_of_real", "elementwise", function, (_X[0], _Z[0]))
    for name, function, shapes in (
        ("complex", torch.complex, _XX),
        ("polar", lambda x, y: torch.polar(x.abs(), y), _XX),
        ("view_as_complex", lambda x: torch.view_as_complex(x.reshape(5, -1, 2)), (((5, 8), T),)),
        ("scaled", lambda x, y: torch.add(x, y, alpha=2j) + torch.sub(x, y, alpha=3), _ZZ),
        ("numbers", lambda z: (3 - 2j) - z * 2j + z / 2 + 1 / z - 1, _Z),
        ("powers", lambda z: z**3 + z**-2 + z**0.5 + z**0, _Z),
        ("number_power", lambda z: 2**z + z ** (1 + 1j), _Z),
        (
            "where",
            lambda x, y: (torch.where(x.real > 0, x, y), torch.where(x.real > 0, x, 1j)),
            _ZZ,
        ),
        (
            "masked_fill",
            lambda z: (z.masked_fill(z.real > 0, 2.0), z.masked_fill(z.imag > 0, 2j)),
            _Z,
        ),
        ("lerp", lambda x, y: torch.lerp(x, y, 0.3), _ZZ),
        ("addcmul", lambda x, y: torch.addcmul(x, x, y, value=2), _ZZ),
        ("addcdiv", lambda x, y: torch.addcdiv(x, x, y), _ZZ),
        ("isclose", lambda x, y: torch.isclose(x, y), _ZZ),
        ("to", lambda z: (z.to(torch.complex128), z.real.to(C), z.to(C)), _Z),
    ):
        yield Function(name, "elementwise", function, shapes)


def _products() -> Iterator[Function]:
    for name, function, shapes in (
        ("matmul", torch.matmul, (((5, 7), C), ((7, 9), C))),
        ("matmul_real", lambda x, y: x.real @ y.real + (x @ y).imag, (((5, 7), C), ((7, 9), C))),
        ("bmm", torch.bmm, (((2, 5, 7), C), ((2, 7, 3), C))),
        ("mv", torch.mv, (((5, 7), C), ((7,), C))),
        ("dot", torch.dot, (((6,), C), ((6,), C))),
        ("vdot", torch.vdot, (((6,), C), ((6,), C))),
        ("adjoint", lambda z: z.mH @ z, _Z),
        ("outer", torch.outer, (((4,), C), ((5,), C))),
        (
            "einsum",
            lambda x, y: torch.einsum("bij,bkj->bik", x, y.conj()),
            (((2, 3, 4), C), ((2, 5, 4), C)),
        ),
        (
            "addmm",
            lambda x, y, z: torch.addmm(x, y, z, beta=2, alpha=1j),
            (((5, 9), C), ((5, 7), C), ((7, 9), C)),
        ),
        ("linear", nn.functional.linear, (((2, 5, 7), C), ((3, 7), C), ((3,), C))),
        ("conv1d", nn.functional.conv1d, (((2, 3, 9), C), ((4, 3, 3), C), ((4,), C))),
    ):
        yield Function(name, "products", function, shapes)


def _reductions() -> Iterator[Function]:
    for name, function in (
        ("sum", lambda z: (z.sum(), z.sum(0), z.sum(1, keepdim=True))),
        ("mean", lambda z: (z.mean(), z.mean(1))),
        ("prod", lambda z: (z.prod(), z.prod(0))),
        ("cumsum", lambda z: z.cumsum(1)),
        ("cumprod", lambda z: z.cumprod(1)),
        ("var", lambda z: (z.var(0), z.std(1))),
        ("norm", lambda z: (torch.linalg.vector_norm(z), z.norm(dim=1))),
        ("any", lambda z: (z.any(), z.all())),
        ("trace", lambda z: z[:5, :5].trace()),
    ):
        yield Function(name, "reductions", function, _Z)


def _changed(z: torch.Tensor) -> torch.Tensor:
    z = z.clone()
    z[1] = 2j
    z[:, 2] += 1
    z *= 1j
    return z


def _movement() -> Iterator[Function]:
    for name, function in (
        ("views", lambda z: (z.reshape(7, 5), z.T, z[:, 3], z.unsqueeze(0), z[1:3, ::2])),
        ("copies", lambda z: (z.expand(3, 5, 7), z.repeat(2, 1), z.flip(1), z.roll(2, 1))),
        (
            "cat",
            lambda z: (torch.cat([z, z.conj()], 1), torch.stack([z, z]), torch.cat([z, z.real])),
        ),
        ("split", lambda z: (z.split(3, 1), z.chunk(2, 1), z.unbind(0))),
        ("index", lambda z: (z[torch.tensor([3, 1])], z.index_select(1, torch.tensor([2, 0])))),
        ("gather", lambda z: z.gather(1, torch.zeros(5, 2, dtype=torch.long))),
        ("put", lambda z: z.index_put((torch.tensor([1, 1]),), z[:2], accumulate=True)),
        ("scatter", lambda z: z.scatter(1, torch.zeros(5, 1, dtype=torch.long), z[:, 3:4])),
        ("pad", lambda z: (nn.functional.pad(z, (1, 2)), nn.functional.pad(z, (1, 2), value=3.0))),
        ("triangles", lambda z: (torch.tril(z), torch.triu(z, 1), torch.diag_embed(z))),
        ("like", lambda z: (torch.zeros_like(z) + z, torch.full_like(z, 2j) + z)),
        ("in_place", _changed),
    ):
        yield Function(name, "movement", function, _Z)


def _transforms() -> Iterator[Function]:
    for name in ("fft", "ifft", "hfft", "irfft", "fft2", "ifft2", "irfft2", "fftn", "ifftn"):
        for norm in ("backward", "ortho", "forward"):
            function = getattr(F, name)
            yield Function(
                f"{name}_{norm}", "transforms", lambda z, f=function, n=norm: f(z, norm=n), _Z
            )
    for name in ("rfft", "rfft2", "rfftn", "ihfft", "fft", "ifft"):
        yield Function(f"{name}_of_real", "transforms", getattr(F, name), _X)
    for name, function, shapes in (
        ("fft_dim", lambda z: F.fft(z, dim=0), _Z),
        ("fft_longer", lambda z: F.fft(z, n=12), _Z),
        ("fft_shorter", lambda z: F.fft(z, n=4), _Z),
        ("fft_4096", F.fft, (((4096,), C),)),
        ("fft_prime", F.fft, (((1021,), C),)),
        ("fft_4d", F.fftn, (((2, 3, 4, 5), C),)),
        ("shift", lambda z: F.fftshift(F.ifftshift(z)[..., 1:]), _Z),
    ):
        yield Function(name, "transforms", function, shapes)
    window = torch.hann_window(64)

    def stft(x: torch.Tensor, **options: Any) -> torch.Tensor:
        return torch.stft(x, 64, 16, window=window, return_complex=True, **options)

    def istft(z: torch.Tensor, **options: Any) -> torch.Tensor:
        return torch.istft(z, 64, 16, window=window, **options)

    for name, function, shapes in (
        ("stft", stft, (((2, 400), T),)),
        (
            "stft_plain",
            lambda x: stft(x, center=False, onesided=False, normalized=True),
            (((2, 400), T),),
        ),
        ("stft_complex", lambda z: stft(z, onesided=False), (((400,), C),)),
        ("spectrogram", lambda x: stft(x).abs().pow(2), (((2, 400), T),)),
        ("istft", istft, (((33, 25), C),)),
        ("istft_of_stft", lambda x: istft(stft(x), length=400), (((2, 400), T),)),
    ):
        yield Function(name, "transforms", function, shapes)


def rotated(
    xq: torch.Tensor, xk: torch.Tensor, freqs_cis: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rotary positions as products of complex numbers."""
    pairs = [torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) for x in (xq, xk)]
    turns = freqs_cis[None, :, None, :]
    found = [torch.view_as_real(pair * turns).flatten(3) for pair in pairs]
    return found[0].type_as(xq), found[1].type_as(xk)


FUNCTIONS = (
    *_elementwise(),
    *_products(),
    *_reductions(),
    *_movement(),
    *_transforms(),
    Function(
        "rope",
        "transforms",
        rotated,
        (((2, 16, 4, 32), T), ((2, 16, 2, 32), torch.bfloat16), ((16, 16), C)),
    ),
)


def difference(found: Any, expected: Any) -> str:
    """What differs in two pytrees of tensors, relative to the greatest number of each."""
    pairs = zip(pytree.tree_leaves(found), pytree.tree_leaves(expected), strict=True)
    for i, (a, b) in enumerate(pairs):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i}: {tuple(a.shape)} {a.dtype} for {tuple(b.shape)} {b.dtype}"
        wide = torch.complex128
        bound = 2.0**-8 if b.dtype == torch.bfloat16 else BOUND
        error = (a.to(wide) - b.to(wide)).abs().max()
        most = b.to(wide).abs().max()
        if not error <= bound * most:
            return f"result {i}: {float(error / most):.2e} of the greatest number"
    return ""


def run(function: Function, backend: Backend) -> str:
    """Compiles a function, runs it and compares; empty if nothing differs."""
    args = function.arguments()
    with torch.no_grad():
        expected = function.function(*(x.clone() for x in args))
        found = exported(function.function, *args, backend=backend)
        return difference(found, expected)


def main() -> int:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for function in FUNCTIONS:
        for backend in BACKENDS:
            try:
                reason = run(function, backend)
            except Exception as error:
                reason = str(error)
            if reason:
                print(function.name, backend, reason, flush=True)
            counts[function.group]["differ" if reason else "passed"] += 1
    print("| functions | count | cases | passed |\n| --- | --- | --- | --- |")
    for group, found in counts.items():
        names = len([f for f in FUNCTIONS if f.group == group])
        print(f"| {group} | {names} | {found.total()} | {found['passed']} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
