"""Sorting and top-k."""

from __future__ import annotations

import math
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced
from ttmlir.frontends.torch._op import Op, Operand, Result, Value, handles
from ttmlir.frontends.torch._types import FLOATS


def _ordered(op: Op, x: Tensor) -> Tensor:
    return op.cast(x, "u8") if x.dtype == "bool" else x


def _results(op: Op, values: Tensor, places: Tensor, dtype: str) -> list[Value | None]:
    return [
        reshaped(op, op.cast(values, dtype), op.shape()),
        op.cast(reshaped(op, places, op.shape(1)), op.dtype(1)) if op.is_used(1) else None,
    ]


@handles("aten.sort.default")
def _sort(op: Op, self: Operand, dim: int = -1, descending: bool = False) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return [x, torch.zeros((), dtype=torch.int64)]
    values, places = op.b.sort([_ordered(op, x)], dim % x.rank, descending)
    return _results(op, values, places, x.dtype)


@handles("aten.sort.stable")
def _stable_sort(
    op: Op, self: Operand, *, stable: bool | None, dim: int = -1, descending: bool = False
) -> Result:
    return _sort(op, self, dim, descending)


@handles("aten.argsort.default", "aten.argsort.stable")
def _argsort(op: Op, self: Operand, dim: int = -1, descending: bool = False, **_: object) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return torch.zeros((), dtype=torch.int64)
    return op.cast(op.b.argsort(_ordered(op, x), dim % x.rank, descending), op.dtype())


@handles("aten.topk")
def _topk(
    op: Op, self: Operand, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return [x, torch.zeros((), dtype=torch.int64)]
    values, places = op.b.topk(_ordered(op, x), k, dim % x.rank, largest)
    return _results(op, values, places, x.dtype)


@handles("aten.median.default")
def _median(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    count = math.prod(x.shape)
    ordered, _ = op.b.sort([reshaped(op, x, (count,))], 0)
    middle = reshaped(op, sliced(op, ordered, 0, (count - 1) // 2, (count - 1) // 2 + 1), ())
    if x.dtype not in FLOATS:
        return middle
    # NaN if there is one: NaN sorts last.
    last = reshaped(op, sliced(op, ordered, 0, count - 1, count), ())
    return op.b.where(op.compare("ne", last, last), last, middle)


@handles("aten.kthvalue", "aten.median.dim")
def _kth(op: Op, self: Operand, *args: Any, **named: Any) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return [x, torch.zeros((), dtype=torch.int64)]
    if "median" in op.name:
        dim = int(named.get("dim", args[0] if args else -1)) % x.rank
        place = (x.shape[dim] - 1) // 2
    else:
        dim = int(named.get("dim", args[1] if len(args) > 1 else -1)) % x.rank
        place = int(named.get("k", args[0] if args else 1)) - 1
    values, places = op.b.sort([_ordered(op, x)], dim)
    one = [sliced(op, t, dim, place, place + 1) for t in (values, places)]
    return _results(op, one[0], one[1], x.dtype)
