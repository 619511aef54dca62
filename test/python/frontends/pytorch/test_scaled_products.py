"""Products of 8-bit floats with scales, and with weights of 4 bits packed for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from judge import correlation
from torch import nn

import ttmlir
from ttmlir.errors import CompileError

pytestmark = pytest.mark.torch
BACKENDS = ("ttnn", "ttmetal")
FUNCTIONAL: Any = nn.functional
KINDS, SWIZZLES = FUNCTIONAL.ScalingType, FUNCTIONAL.SwizzleType
ATEN: Any = torch.ops.aten
Array = np.ndarray[Any, Any]


class Call(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        return self.function(*args)


def eighths(*shape: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(torch.float8_e4m3fn)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scales_of_rows(backend: Any) -> None:
    a, b = eighths(16, 64, seed=0), eighths(32, 64, seed=2)
    rows, columns = torch.rand(16, 1), torch.rand(1, 32)

    def product(a: Any, b: Any, rows: Any, columns: Any) -> Any:
        return torch._scaled_mm(a, b.t(), rows, columns, out_dtype=torch.bfloat16)

    exe = ttmlir.compile(Call(product), a, b, rows, columns, backend=backend)
    expected = (a.double() @ b.double().t()) * rows * columns
    torch.testing.assert_close(exe(a, b, rows, columns).double(), expected, rtol=0.01, atol=0.01)


# Scales of blocks --------------------------------------------------------------------------------
#
# PyTorch has no kernels for the CPU: NumPy scales each element and multiplies in float64.


def scaled(x: torch.Tensor, scales: Array, block: tuple[int, int]) -> Array:
    """Multiplies a matrix by the scales of its blocks."""
    whole = np.repeat(np.repeat(scales, block[0], 0), block[1], 1)
    found: Array = x.double().numpy() * whole[: x.shape[0], : x.shape[1]]
    return found


def close(found: torch.Tensor, wanted: Array) -> None:
    """Checks a bf16 result of operands that are rounded to bf16: terms have the relative error
    2^-8, the result too."""
    difference = np.abs(found.double().numpy() - wanted)
    assert difference.max() <= 0.01 * np.abs(wanted).max()
    assert correlation(found.double(), torch.from_numpy(wanted)) > 0.99998


def scales_of(*shape: int, seed: int) -> torch.Tensor:
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) + 0.1


def major(x: torch.Tensor) -> torch.Tensor:
    """Returns a matrix with adjacent elements along its columns."""
    return x.t().contiguous().t()


@pytest.mark.parametrize("backend", BACKENDS)
def test_scales_of_blocks(backend: Any) -> None:
    a, b = eighths(160, 384, seed=0), eighths(256, 384, seed=1)
    one, two = scales_of(160, 3, seed=2), scales_of(3, 256, seed=3)
    large = scales_of(3, 2, seed=4)

    def products(a: Any, b: Any, one: Any, two: Any, large: Any) -> Any:
        rows, blocks = KINDS.BlockWise1x128, KINDS.BlockWise128x128
        padded = major(nn.functional.pad(large, (0, 0, 0, 1)))
        return (
            torch._scaled_mm(a, b.t(), one, two, out_dtype=torch.bfloat16),
            torch._scaled_mm(a, b.t(), one, large, out_dtype=torch.bfloat16),
            FUNCTIONAL.scaled_mm(a, b.t(), major(one), rows, major(two.t()), rows),
            FUNCTIONAL.scaled_mm(a, b.t(), major(one), rows, padded, blocks),
            FUNCTIONAL.scaled_mm(b, a.t(), padded, blocks, major(one), rows),
        )

    given = a, b, one, two, large
    exe = ttmlir.compile(Call(products), *given, backend=backend)
    left = scaled(a, one.numpy(), (1, 128))
    rows = left @ scaled(b, two.numpy().T, (1, 128)).T
    blocks = left @ scaled(b, large.numpy().T, (128, 128)).T
    for found, wanted in zip(exe(*given), (rows, blocks, rows, blocks, blocks.T), strict=True):
        assert found.dtype == torch.bfloat16
        close(found, wanted)


def swizzled(scales: Array) -> Array:
    """Arranges scales in tiles of 128 rows and 4 columns: the one of row r and column c of a tile
    is at 16 (r mod 32) + 4 (r / 32) + c."""
    rows, columns = (-(-n // size) for n, size in zip(scales.shape, (128, 4), strict=True))
    found = np.ones((rows, columns, 512), scales.dtype)
    for r, c in np.ndindex(scales.shape):
        found[r // 128, c // 4, 16 * (r % 32) + 4 * (r % 128 // 32) + c % 4] = scales[r, c]
    return found.reshape(-1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scales_of_mx_blocks(backend: Any) -> None:
    a, b = eighths(160, 192, seed=0), eighths(64, 192, seed=1)
    rng = np.random.default_rng(0)
    powers = [2.0 ** rng.integers(-4, 5, (n, 6)).astype(np.float32) for n in (160, 64)]
    one, two = (torch.from_numpy(swizzled(s)).to(torch.float8_e8m0fnu) for s in powers)
    bias = torch.randn(64, generator=torch.Generator().manual_seed(0)).bfloat16()

    def products(a: Any, b: Any, one: Any, two: Any, bias: Any) -> Any:
        kind, swizzle = KINDS.BlockWise1x32, SWIZZLES.SWIZZLE_32_4_4
        return (
            FUNCTIONAL.scaled_mm(a, b.t(), one, kind, two, kind, swizzle, swizzle),
            torch._scaled_mm(a, b.t(), one, two, bias=bias, out_dtype=torch.bfloat16),
        )

    given = a, b, one, two, bias
    exe = ttmlir.compile(Call(products), *given, backend=backend)
    wanted = scaled(a, powers[0], (1, 32)) @ scaled(b, powers[1], (1, 32)).T
    plain, with_bias = exe(*given)
    # Powers of two are not rounded.
    torch.testing.assert_close(
        plain, torch.from_numpy(wanted).bfloat16(), rtol=2**-7, atol=1e-3 * np.abs(wanted).max()
    )
    close(with_bias, wanted + bias.double().numpy())


def test_refused_scales() -> None:
    a = eighths(128, 128, seed=0)

    def product(a: Any, s: Any) -> Any:
        return torch._scaled_mm(a, a.t(), s, s, out_dtype=torch.bfloat16)

    scales = torch.ones(1024).to(torch.float8_e4m3fn)
    with pytest.raises(CompileError):
        ttmlir.compile(Call(product), a, scales)


# Weights of 4 bits -------------------------------------------------------------------------------


class Packed(nn.Module):
    """A linear layer whose weights are packed for the CPU."""

    def __init__(self, inner: int, outer: int, group: int, dtype: torch.dtype) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(outer)
        self.group = group
        weights = torch.randint(0, 16, (outer, inner), generator=generator, dtype=torch.int32)
        pairs = torch.randn(inner // group, outer, 2, generator=generator).to(dtype)
        self.register_buffer("plain", weights, persistent=False)
        self.register_buffer("packed", ATEN._convert_weight_to_int4pack_for_cpu(weights, 1))
        self.register_buffer("pairs", pairs)

    def forward(self, x: torch.Tensor) -> Any:
        weights = ATEN._convert_weight_to_int4pack_for_cpu(self.plain, 1)
        return (
            ATEN._weight_int4pack_mm_for_cpu(x, self.packed, self.group, self.pairs),
            ATEN._weight_int4pack_mm_for_cpu(x, weights, self.group, self.pairs),
        )


@pytest.mark.parametrize(
    ("inner", "outer", "group", "dtype", "backend"),
    [
        (256, 192, 32, torch.float32, "ttnn"),
        (256, 96, 128, torch.float32, "ttmetal"),
        # Less than a parameter, and outer extents that end in the middle of a vector.
        (64, 48, 64, torch.float32, "ttnn"),
        (128, 16, 32, torch.float32, "ttnn"),
        (512, 160, 64, torch.bfloat16, "ttnn"),
        (1024, 2048, 128, torch.bfloat16, "ttnn"),
    ],
)
def test_packed_weights(
    inner: int, outer: int, group: int, dtype: torch.dtype, backend: Any
) -> None:
    module = Packed(inner, outer, group, dtype).eval()
    x = torch.randn(8, inner, generator=torch.Generator().manual_seed(0)).to(dtype)
    exe = ttmlir.compile(module, x, backend=backend)
    parameters = {i.name: i for i in exe.inputs if i.is_parameter}
    if outer * inner > 8192:
        assert (parameters["packed"].dtype, parameters["packed"].shape) == ("uint8", (outer, inner))
    for found, wanted in zip(exe(x), module(x), strict=True):
        assert found.dtype == dtype
        limit = 1e-5 if dtype == torch.float32 else 0.01
        assert (found.float() - wanted.float()).abs().max() <= limit * wanted.float().abs().max()
    assert exe.compare("f64", x).first_off is None


def test_refused_packed_weights() -> None:
    weights = torch.zeros(64, 64, dtype=torch.int32)
    packed = ATEN._convert_weight_to_int4pack_for_cpu(weights, 1)
    given = torch.zeros(2, 64), packed, torch.zeros(2, 64, 2)

    def product(x: Any, packed: Any, pairs: Any) -> Any:
        return ATEN._weight_int4pack_mm_for_cpu(x, packed, 32, pairs)

    with pytest.raises(CompileError, match="packed weights that are a parameter, a buffer or a"):
        ttmlir.compile(Call(product), *given)
    with pytest.raises(CompileError, match="packed weights are only supported in _weight_int4pack"):
        ttmlir.compile(
            Call(lambda w: ATEN._convert_weight_to_int4pack_for_cpu(w, 1)), weights.repeat(2, 2)
        )
