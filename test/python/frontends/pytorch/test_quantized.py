"""Quantized programs of PyTorch against PyTorch's, and how their products are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.ao.quantization.fx._decomposed  # registers the ops
from judge import correlation, difference
from quantized_models import Encoder, quantized, resnet
from torch import nn

import ttmlir

pytestmark = pytest.mark.torch
BACKENDS = ("ttnn", "ttmetal")
Q: Any = torch.ops.quantized_decomposed


class Call(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> Any:
        return self.function(*args)


def check(function: Callable[..., Any], *args: torch.Tensor, backend: Any = "ttnn") -> None:
    exe = ttmlir.compile(Call(function), *args, backend=backend)
    assert difference(exe(*args), function(*args)) == ""


def floats(*shape: int, seed: int = 0, scale: float = 3.0) -> torch.Tensor:
    return scale * torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def bytes_(*shape: int, dtype: torch.dtype = torch.int8) -> torch.Tensor:
    limits = torch.iinfo(dtype)
    generator = torch.Generator().manual_seed(1)
    return torch.randint(limits.min, limits.max + 1, shape, generator=generator, dtype=dtype)


I8 = (-128, 127, torch.int8)
U8 = (0, 255, torch.uint8)
CHANNELS = torch.tensor([0.02, 0.5, 0.11]), torch.tensor([0, 3, -7])
ROWS = torch.rand(2, 5, 1) / 9 + 0.01, torch.randint(-9, 9, (2, 5, 1))
GROUPS = torch.rand(6, 4) / 9 + 0.01, torch.randint(-4, 4, (6, 4)).to(torch.int32)
#: Each op with its arguments.
OPS: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...]]] = {
    "quantize_per_tensor": (
        lambda x: Q.quantize_per_tensor(x, 0.037, 12, *U8),
        (floats(40, 50),),
    ),
    "quantize_per_tensor_narrow": (
        lambda x: Q.quantize_per_tensor(x, 0.05, 0, -127, 127, torch.int8),
        (floats(40, 50),),
    ),
    "quantize_per_tensor_i16": (
        lambda x: Q.quantize_per_tensor(x, 0.0005, -3, -32768, 32767, torch.int16),
        (floats(40, 50),),
    ),
    "quantize_per_tensor_halves": (
        lambda x: Q.quantize_per_tensor(x, 1.0, 1, *I8),
        (torch.arange(-9.0, 9.0) / 2,),
    ),
    "quantize_per_tensor_computed": (
        lambda x, s, z: Q.quantize_per_tensor(x, s, z, *U8),
        (floats(9, 5), torch.tensor([0.07], dtype=torch.float64), torch.tensor([9])),
    ),
    "dequantize_per_tensor": (
        lambda x: Q.dequantize_per_tensor(x, 0.037, 12, *U8),
        (bytes_(40, 50, dtype=torch.uint8),),
    ),
    "dequantize_per_tensor_bf16": (
        lambda x: Q.dequantize_per_tensor(x, 0.037, -12, *I8, out_dtype=torch.bfloat16),
        (bytes_(40, 50),),
    ),
    "quantize_per_channel": (
        lambda x, s, z: Q.quantize_per_channel(x, s, z, 1, *I8),
        (floats(4, 3, 7), *CHANNELS),
    ),
    "dequantize_per_channel": (
        lambda x, s, z: Q.dequantize_per_channel(x, s, z, 1, *I8),
        (bytes_(4, 3, 7), *CHANNELS),
    ),
    "dequantize_per_channel_symmetric": (
        lambda x, s: Q.dequantize_per_channel(x, s, None, -2, *I8),
        (bytes_(4, 3, 7), CHANNELS[0]),
    ),
    "fake_quant_per_channel": (
        lambda x, s, z: Q.fake_quant_per_channel(x, s, z.to(torch.int32), 1, -128, 127),
        (floats(4, 3, 7), *CHANNELS),
    ),
    "quantize_per_token": (
        lambda x, s, z: Q.quantize_per_token(x, s, z, *I8),
        (floats(2, 5, 8), *ROWS),
    ),
    "dequantize_per_token": (
        lambda x, s, z: Q.dequantize_per_token(x, s, z, *I8, torch.float32),
        (bytes_(2, 5, 8), *ROWS),
    ),
    "quantize_per_channel_group": (
        lambda x, s, z: Q.quantize_per_channel_group(x, s, z, -8, 7, torch.int8, 16),
        (floats(6, 64, scale=0.2), *GROUPS),
    ),
    "dequantize_per_channel_group": (
        lambda x, s, z: Q.dequantize_per_channel_group(
            x, s, z, -8, 7, torch.int8, 16, torch.float32
        ),
        (bytes_(6, 64), *GROUPS),
    ),
    "choose_qparams": (lambda x: Q.choose_qparams(x, 0, 255, 1e-5, torch.uint8), (floats(9, 9),)),
    "choose_qparams_symmetric": (
        lambda x: Q.choose_qparams_symmetric(x, -127, 127, 1e-5, torch.int8),
        (floats(9, 9),),
    ),
    "choose_qparams_per_token": (
        lambda x: [n.double() for n in Q.choose_qparams_per_token(x, torch.int8)],
        (floats(2, 9, 8),),
    ),
    "choose_qparams_per_token_asymmetric": (
        lambda x: Q._choose_qparams_per_token_asymmetric_impl(x, torch.int8),
        (floats(2, 9, 8),),
    ),
    "int_mm": (torch._int_mm, (bytes_(32, 64), bytes_(64, 24))),
    "weight_int8pack_mm": (
        torch.ops.aten._weight_int8pack_mm,
        (floats(3, 64).bfloat16(), bytes_(32, 64), torch.rand(32).bfloat16() / 99),
    ),
}


@pytest.mark.sampled(16)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", OPS)
def test_op(name: str, backend: Any) -> None:
    function, args = OPS[name]
    check(function, *args, backend=backend)


class Quantized(nn.Module):
    """A linear layer between quantized tensors, as PT2E writes it."""

    def __init__(self, inner: int = 64, outer: int = 24) -> None:
        super().__init__()
        self.register_buffer("weight", bytes_(outer, inner))
        self.register_buffer("scale", torch.rand(outer) / 500 + 0.001)
        self.register_buffer("zero", torch.zeros(outer, dtype=torch.int64))
        self.bias = nn.Parameter(torch.randn(outer))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        w = Q.dequantize_per_channel(self.weight, self.scale, self.zero, 0, *I8)
        stored = Q.quantize_per_tensor(x, 0.02, 128, *U8)
        y = nn.functional.linear(Q.dequantize_per_tensor(stored, 0.02, 128, *U8), w, self.bias)
        return Q.quantize_per_tensor(y, 0.05, 100, *U8)


@pytest.mark.parametrize("backend", BACKENDS)
def test_products_of_integers(backend: Any) -> None:
    module, x = Quantized().eval(), floats(8, 64, scale=1.0)
    exe = ttmlir.compile(module, x, backend=backend, remarks="ttir-integer-products")
    assert [r.decision for r in exe.remarks] == ["Integers"]
    steps = (exe(x).to(torch.int32) - module(x)).abs()
    # Sums of floats may be rounded to the other side of a half.
    assert steps.max() <= 1
    assert (steps > 0).float().mean() < 0.01


def test_products_of_floats() -> None:
    module, x = Quantized().eval(), floats(8, 64, scale=1.0)
    exe = ttmlir.compile(module, x, enable_integer_products=False, remarks="ttir-integer-products")
    assert exe.remarks == ()
    assert (exe(x).to(torch.int32) - module(x)).abs().max() <= 1


def test_zero_point_outside_of_its_type() -> None:
    with pytest.raises(ttmlir.CompileError) as caught:
        check(lambda x: Q.quantize_per_tensor(x, 0.1, 200, *I8), floats(4))
    text = str(caught.value)
    assert "quantize_per_tensor" in text
    assert "zero points of int8, -128 to 127, found 200" in text
    assert "test_quantized.py" in text


FLOAT8 = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", FLOAT8)
def test_casts_of_float8(dtype: torch.dtype, backend: Any) -> None:
    x = torch.cat([floats(1000, scale=n) for n in (1e-3, 1.0, 300.0, 1e5)])
    x = torch.cat([x, torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan])])
    exe = ttmlir.compile(Call(lambda x: (x.to(dtype), x.to(dtype).float())), x, backend=backend)
    small, wide = exe(x)
    assert small.dtype == dtype
    torch.testing.assert_close(wide, x.to(dtype).float(), rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(small.float(), wide, rtol=0, atol=0, equal_nan=True)


class Weights8(nn.Module):
    """Weights of floats of 8 bits."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", floats(64, 256, scale=0.2).to(torch.float8_e4m3fn))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight.to(x.dtype).t()


def test_weights_of_float8() -> None:
    module, x = Weights8().eval(), floats(4, 256)
    exe = ttmlir.compile(module, x)
    assert [i.dtype for i in exe.inputs if i.is_parameter] == ["float8_e4m3fn"]
    assert correlation(exe(x), module(x)) > 0.99999


def _images(count: int) -> list[tuple[torch.Tensor, ...]]:
    return [(floats(1, 3, 32, 32, seed=n, scale=1.0),) for n in range(count)]


def _sentences(count: int) -> list[tuple[torch.Tensor, ...]]:
    generator = torch.Generator().manual_seed(0)
    return [(torch.randint(0, 100, (1, 32), generator=generator),) for _ in range(count)]


@pytest.mark.parametrize(
    ("make", "samples", "products"),
    [(resnet, _images, 8), (Encoder, _sentences, 8)],
    ids=["resnet", "encoder"],
)
def test_model(make: Callable[[], nn.Module], samples: Any, products: int) -> None:
    torch.manual_seed(0)
    model = make().eval()
    drawn = samples(6)
    small = quantized(model, drawn[:4])
    exe = ttmlir.compile(small, *drawn[0], remarks="ttir-integer-products")
    assert [r.decision for r in exe.remarks].count("Integers") == products
    with torch.no_grad():
        for sample in drawn[4:]:
            found = exe(*sample)
            assert correlation(found, small(*sample)) > 0.999
            assert correlation(found, model(*sample)) > 0.99
