"""Ops of operands of two dtypes: results have PyTorch's dtypes and values.

All pairs of dtypes that PyTorch takes are one program: each is a result of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from graphs import evaluated
from judge import difference

Op = Callable[..., Any]
DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int32,
    torch.int64,
    torch.bfloat16,
    torch.float32,
)
OPS: dict[str, Op] = {
    "add": torch.add,
    "alpha": lambda x, y: torch.add(x, y, alpha=2),
    "sub": torch.sub,
    "rsub": torch.rsub,
    "mul": torch.mul,
    "div": torch.div,
    "div_trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "div_floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "floor_divide": torch.floor_divide,
    "remainder": torch.remainder,
    "fmod": torch.fmod,
    "maximum": torch.maximum,
    "fmin": torch.fmin,
    "atan2": torch.atan2,
    "copysign": torch.copysign,
    "hypot": torch.hypot,
    "ldexp": torch.ldexp,
    "xlogy": torch.xlogy,
    "logaddexp": torch.logaddexp,
    "where": lambda x, y: torch.where(x > y, x, y),
    "where_number": lambda x, y: torch.where(x > 1, y, 2.5),
    "clamp": lambda x, y: torch.clamp(x, min=y),
    "clamp_number": lambda x, y: torch.clamp(x, 0.5, 1.5) + y,
    "le": torch.le,
    "isclose": torch.isclose,
    "bitwise_or": torch.bitwise_or,
    "shift": torch.bitwise_left_shift,
    "logical_and": torch.logical_and,
    "addcmul": lambda x, y: torch.addcmul(x, y, y),
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "masked_fill": lambda x, y: x.masked_fill(y > 1, 1),
    "copy": lambda x, y: torch.ops.aten.copy(x, y),
    "threshold_backward": lambda x, y: torch.ops.aten.threshold_backward(x, y, 0.5),
    "mse_loss": F.mse_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "sums": lambda x, y: (x.sum(0, dtype=y.dtype), x.cumsum(0, dtype=y.dtype)),
    "products": lambda x, y: (x.prod(0, dtype=y.dtype), x.cumprod(0, dtype=y.dtype)),
    "mean": lambda x, y: x.mean(0, dtype=y.dtype),
    "softmax": lambda x, y: (x.softmax(0, dtype=y.dtype), x.log_softmax(0, dtype=y.dtype)),
    "to": lambda x, y: (x.to(y.dtype), x.type_as(y), torch.full_like(x, 2, dtype=y.dtype)),
    "searchsorted": lambda x, y: torch.searchsorted(x.sort()[0], y),
}


def _pairs(function: Op) -> tuple[list[torch.Tensor], list[Any]]:
    """The pairs that PyTorch takes, behind each other, and what it returns for each."""
    generator = torch.Generator().manual_seed(0)
    tensors, results = [], []
    for dtypes in itertools.product(DTYPES, DTYPES):
        for shape in ((5,), ()):
            x = torch.randint(0, 4, (5,), generator=generator).to(dtypes[0])
            y = torch.randint(1, 4, shape, generator=generator).to(dtypes[1])
            try:
                with torch._subclasses.FakeTensorMode() as mode:
                    fake = function(mode.from_tensor(x), mode.from_tensor(y))
                result = function(x, y)
            except (RuntimeError, TypeError):
                continue
            leaves = (torch.utils._pytree.tree_leaves(r) for r in (fake, result))
            # Where PyTorch contradicts itself there is nothing to compare with.
            if all(a.dtype == b.dtype for a, b in zip(*leaves, strict=True)):
                tensors += [x, y]
                results.append(result)
    return tensors, results


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", OPS)
def test_two_dtypes(name: str) -> None:
    function = OPS[name]
    tensors, expected = _pairs(function)
    assert len(expected) >= 4, "no pairs of dtypes"

    def every(*given: torch.Tensor) -> list[Any]:
        return [function(*pair) for pair in zip(given[::2], given[1::2], strict=True)]

    assert difference(evaluated(every, *tensors), expected, scale=2) == ""
