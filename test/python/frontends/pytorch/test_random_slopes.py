"""Leaky ReLUs whose slopes are drawn: their range, their distribution, and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from graphs import Backend, exported
from judge import difference
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

import ttmlir
from ttmlir.torch import backend

LOWER, UPPER = 0.1, 0.7
SHAPE = (3, 37, 45)


def _drawn(x: torch.Tensor) -> torch.Tensor:
    return F.rrelu(x, LOWER, UPPER, training=True)


def _compiled(function: Callable[..., Any], target: Backend) -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(function, backend=backend, options={"backend": target}, dynamic=False)


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_slopes(dtype: torch.dtype, target: Backend) -> None:
    x = torch.randn(SHAPE).to(dtype)
    x[0, 0, :3] = torch.tensor([0.0, -0.0, torch.nan])
    y = exported(_drawn, x, backend=target)
    assert y.dtype == dtype
    assert torch.equal(y[x > 0], x[x > 0])
    assert y[0, 0, :2].tolist() == [0, 0]
    assert y[0, 0, 2].isnan()
    # Powers of two are multiplied exactly: their results are the slopes, rounded once.
    slopes = exported(_drawn, torch.full(SHAPE, -1.0, dtype=dtype), backend=target).neg()
    assert slopes.min() >= torch.tensor(LOWER, dtype=dtype)
    assert slopes.max() <= torch.tensor(UPPER, dtype=dtype)
    assert slopes.float().mean().item() == pytest.approx((LOWER + UPPER) / 2, abs=0.01)
    assert slopes.float().var().item() == pytest.approx((UPPER - LOWER) ** 2 / 12, abs=0.002)
    # Of a uniform distribution, a tenth is in each tenth of the range.
    counts = torch.histc(slopes.float(), 10, LOWER, UPPER) / slopes.numel()
    assert counts.sub(0.1).abs().max().item() < 0.02


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_gradients_have_the_slopes(dtype: torch.dtype, target: Backend) -> None:
    x = torch.full(SHAPE, -1.0, dtype=dtype)
    x[1] = 2
    x.requires_grad_()
    # Powers of two, of which products are exact.
    weights = torch.randint(-3, 4, SHAPE).to(dtype).exp2()
    y = _compiled(_drawn, target)(x)
    (gradient,) = torch.autograd.grad(y, x, weights)
    slopes = (y / x).detach()
    assert slopes[::2].unique().numel() > 50
    assert torch.equal(gradient, weights * slopes)


def test_calls_draw_again() -> None:
    module = nn.RReLU(LOWER, UPPER)
    x = torch.full(SHAPE, -1.0)
    executable = ttmlir.compile(module, x)
    torch.manual_seed(1)
    first, second = executable(x), executable(x)
    torch.manual_seed(1)
    assert torch.equal(executable(x), first)
    assert not torch.equal(first, second)


@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
def test_slopes_that_are_not_drawn(target: Backend) -> None:
    """In evaluation, and where both bounds are one number."""

    def function(x: torch.Tensor) -> torch.Tensor:
        fixed = F.rrelu(x, 0.25, 0.25, training=True)
        return F.rrelu(x, LOWER, UPPER, training=False) * fixed

    x = torch.randn(SHAPE)
    x[0, 0, 0] = 0
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    found, expected = _compiled(function, target)(ours), function(theirs)
    assert difference(found, expected) == ""
    found.sum().backward()
    expected.sum().backward()
    assert difference(ours.grad, theirs.grad) == ""


def test_in_place() -> None:
    """The result stands for the tensor, and its gradient has the slopes."""

    def function(x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        F.rrelu(y, LOWER, UPPER, training=True, inplace=True)
        return y * 4

    x = torch.full(SHAPE, -0.125)
    slopes = exported(function, x).neg()
    assert slopes.min() >= LOWER
    assert slopes.max() <= UPPER
    x.requires_grad_()
    y = _compiled(function, "ttnn")(x)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(gradient, -8 * y.detach())


class Keeps(nn.Module):
    """Has the slopes in a buffer, as the op wants it."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("slopes", torch.zeros(SHAPE))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.aten.rrelu_with_noise(x, self.slopes, LOWER, UPPER, True)


def test_slopes_in_a_buffer() -> None:
    x = torch.randn(SHAPE)
    executable = ttmlir.compile(Keeps(), x)
    y = executable(x)
    slopes = executable.buffers()["slopes"]
    assert torch.equal(y, x * slopes)
    assert slopes.min() >= LOWER
    assert slopes[x > 0].unique().tolist() == [1]


def test_gradients_of_torch_func() -> None:
    x = torch.randn(SHAPE)
    module = make_fx(torch.func.grad(lambda x: _drawn(x).sum()))(x)
    slopes = ttmlir.compile(module, example_inputs=(x,))(x)
    assert slopes[x > 0].unique().tolist() == [1]
    assert slopes[x < 0].min() >= LOWER
    assert slopes[x < 0].max() <= UPPER
