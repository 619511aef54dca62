"""Random numbers with PyTorch's distributions, but not its sequence of numbers."""

from __future__ import annotations

from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.random_numbers import normal, uniform
from ttmlir.frontends.torch._op import Op, Operand, Result, Value, handles

#: Bits of the f32 significand.
_BITS = 24


@handles("aten.rand", "aten.rand_like")
def _rand(op: Op, *_: object, **__: object) -> Result:
    return uniform(op, op.shape(), op.dtype())


@handles("aten.randn", "aten.randn_like")
def _randn(op: Op, *_: object, **__: object) -> Result:
    return normal(op, op.shape(), op.dtype())


@handles("aten.uniform")
def _uniform(
    op: Op, self: Operand, to_low: float = 0.0, to: float = 1.0, *, generator: object = None
) -> Result:
    b = op.b
    found = b.multiply(uniform(op, op.shape()), op.tensor(float(to - to_low), "f32"))
    return op.cast(b.add(found, op.tensor(float(to_low), "f32")), op.dtype())


@handles("aten.normal_functional", "aten.normal")
def _normal(op: Op, self: Operand, std: Operand = 1.0, *args: Any, **named: Any) -> Result:
    b, dtype, drawn = op.b, op.dtype(), normal(op, op.shape())
    mean: Operand = self
    if "normal_functional" in op.name:
        mean = std
        std = args[0] if args else named.get("std", 1.0)
    found = b.add(b.multiply(drawn, op.tensor(std, "f32")), op.tensor(mean, "f32"))
    return op.cast(found, dtype)


def _integers(op: Op, low: int, high: int) -> Tensor:
    if high - low > 1 << _BITS:
        raise op.fail(f"a range of at most {1 << _BITS} integers is supported")
    b = op.b
    scaled = b.multiply(uniform(op, op.shape()), op.tensor(float(high - low), "f32"))
    whole = b.minimum(b.floor(scaled), op.tensor(float(high - low - 1), "f32"))
    return op.cast(b.add(op.cast(whole, "i32"), op.tensor(low, "i32")), op.dtype())


@handles("aten.randint.default", "aten.randint_like.default")
def _randint(op: Op, first: Any, second: Any = None, *_: object, **__: object) -> Result:
    high = second if "_like" in op.name else first
    return _integers(op, 0, int(high))


@handles("aten.randint.low", "aten.randint_like.low_dtype")
def _randint_low(
    op: Op, first: Any, second: Any, third: Any = None, *_: object, **__: object
) -> Result:
    low, high = (second, third) if "_like" in op.name else (first, second)
    return _integers(op, int(low), int(high))


@handles("aten.randperm")
def _randperm(op: Op, n: int, **_: object) -> Result:
    # For equal bits the first comes first: these are rare with 2^32 values.
    bits = op.importer.random_bits((n,))
    return op.cast(op.b.argsort(bits, 0), op.dtype())


@handles("aten.bernoulli.default", "aten.bernoulli.p", "aten.bernoulli.Tensor")
def _bernoulli(op: Op, self: Operand, p: Operand | None = None, **_: object) -> Result:
    drawn = uniform(op, op.shape())
    chance = op.tensor(self if p is None else p, "f32")
    return op.cast(op.compare("lt", drawn, chance), op.dtype())


def _dropped(op: Op, input: Operand, p: float, train: bool | None) -> tuple[Tensor, Value]:
    """Returns the elements after dropout, scaled, and the mask of kept ones."""
    b, dtype = op.b, op.dtype()
    x = op.tensor(input, dtype)
    if train is False or p == 0:
        return x, torch.ones((), dtype=torch.bool).expand(x.shape)
    kept = op.compare("ge", uniform(op, x.shape), op.tensor(float(p), "f32"))
    scale = 0.0 if p == 1 else 1 / (1 - p)
    found = b.where(kept, b.multiply(x, op.tensor(scale, dtype)), op.tensor(0.0, dtype))
    return found, kept


@handles("aten.native_dropout")
def _native_dropout(op: Op, input: Operand, p: float, train: bool | None = None) -> Result:
    return _dropped(op, input, p, train)


@handles("aten.dropout")
def _dropout(op: Op, input: Operand, p: float, train: bool) -> Result:
    return _dropped(op, input, p, train)[0]


@handles("aten.multinomial")
def _multinomial(
    op: Op, self: Operand, num_samples: int, replacement: bool = False, **_: object
) -> Result:
    raise op.fail("only uniform, normal and Bernoulli distributions are supported: draw outside")
