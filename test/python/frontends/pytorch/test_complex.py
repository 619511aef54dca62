"""Complex tensors of PyTorch: values against PyTorch's, and how they go in and out."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from complex_modules import BACKENDS, FUNCTIONS, Backend, Function, difference, rotated, run
from torch import nn

import ttmlir
import ttmlir.torch

pytestmark = pytest.mark.torch


@pytest.mark.sampled(30)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("function", [pytest.param(f, id=f.name) for f in FUNCTIONS])
def test_function(function: Function, backend: Backend) -> None:
    assert run(function, backend) == ""


class Attention(nn.Module):
    """With rotary positions in complex form, from a buffer."""

    freqs_cis: torch.Tensor

    def __init__(self, heads: int = 4, size: int = 32, tokens: int = 24) -> None:
        super().__init__()
        self.heads = heads
        self.wqkv = nn.Linear(heads * size, 3 * heads * size, bias=False)
        powers = 10000.0 ** -(torch.arange(0, size, 2).float() / size)
        angles = torch.outer(torch.arange(tokens).float(), powers)
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.wqkv(x).unflatten(-1, (3, self.heads, -1)).unbind(2)
        q, k = rotated(q, k, self.freqs_cis)
        found = nn.functional.scaled_dot_product_attention(*(t.transpose(1, 2) for t in (q, k, v)))
        return found.transpose(1, 2).flatten(2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_rotary_positions(backend: Backend) -> None:
    torch.manual_seed(0)
    module, x = Attention().eval(), torch.randn(2, 24, 128)
    exe = ttmlir.compile(module, x, backend=backend)
    torch.testing.assert_close(exe(x), module(x), rtol=1e-4, atol=1e-5)


class Filter(nn.Module):
    """A complex parameter, and a complex buffer that calls change."""

    last: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(65, 80, dtype=torch.complex64))
        self.register_buffer("last", torch.zeros(65, dtype=torch.complex64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        spectrum = torch.fft.rfft(x) @ self.weight
        self.last.mul_(0.5j).add_(self.weight.sum(1))
        return spectrum.conj()


@pytest.mark.parametrize("backend", BACKENDS)
def test_state(backend: Backend) -> None:
    torch.manual_seed(0)
    module, x = Filter().eval(), torch.randn(3, 128)
    exe = ttmlir.compile(module, x, backend=backend)
    assert [i.dtype for i in exe.inputs if i.is_parameter] == ["complex64"]
    with torch.no_grad():
        for _ in range(2):
            assert difference(exe(x), module(x).resolve_conj()) == ""
    assert difference(exe.buffers()["last"], module.last) == ""


def test_arguments(tmp_path: Path) -> None:
    class Product(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return x * y

    z = torch.randn(3, 4, dtype=torch.complex64)
    exe = ttmlir.compile(Product(), z, z.clone())
    info = exe.inputs[0]
    assert (info.shape, info.dtype, info.device_shape) == ((3, 4), "complex64", (2, 3, 4))
    # A lazily conjugated tensor, and an array of NumPy.
    assert difference(exe(z.conj(), z), (z.conj() * z)) == ""
    assert difference(exe(z.numpy(), z.numpy()), z * z) == ""
    exe.save(tmp_path / "product.ttnn")
    loaded = ttmlir.load(tmp_path / "product.ttnn")
    np.testing.assert_array_equal(loaded(z, z), exe(z, z).numpy())
    with pytest.raises(ttmlir.InputError):
        exe(z.T, z)


def test_double_precision() -> None:
    class Roots(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.sqrt(x)

    z = torch.randn(3, 4, dtype=torch.complex128)
    found = ttmlir.compile(Roots(), z)(z)
    assert found.dtype == torch.complex128
    torch.testing.assert_close(found, torch.sqrt(z), rtol=1e-6, atol=1e-6)


def test_compiled() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda z: torch.fft.ifft(z).angle(), backend=ttmlir.torch.backend)
    z = torch.randn(3, 16, dtype=torch.complex64)
    torch.testing.assert_close(compiled(z), torch.fft.ifft(z).angle(), rtol=1e-4, atol=1e-5)


def test_compared() -> None:
    class Spectrum(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.fft.rfft(x) * 2j

    x = torch.randn(3, 64)
    comparison = ttmlir.compile(Spectrum(), x).compare("f64", x)
    assert [row.is_off for row in comparison.outputs] == [False]
    assert comparison.outputs[0].pcc > 0.99999
    assert not any(row.is_off for row in comparison.compared)


def test_linear_systems() -> None:
    class Systems(nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
            solved = torch.linalg.solve_triangular(a, b, upper=True)
            return torch.linalg.det(a), torch.linalg.inv(a), torch.linalg.solve(a, b), solved

    torch.manual_seed(0)
    a, b = (torch.randn(5, n, dtype=torch.complex64) for n in (5, 2))
    a = a + 5 * torch.eye(5)
    assert difference(ttmlir.compile(Systems(), a, b)(a, b), Systems()(a, b)) == ""


def test_refused() -> None:
    class Ordered(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.qr(x).Q

    with pytest.raises(ttmlir.CompileError) as caught:
        ttmlir.compile(Ordered(), torch.randn(4, 4, dtype=torch.complex64))
    assert re.search("linalg_qr", str(caught.value))
