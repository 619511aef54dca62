"""Ops whose results have as many elements as a mask chooses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.counted import Counted, chosen
from ttmlir.frontends.data_movement import reshaped, spread, taken
from ttmlir.frontends.torch._op import Op, shape_of

_aten = torch.ops.aten


def counted_handler(op: Op, args: Sequence[Any]) -> Callable[..., Counted] | None:
    """Returns the handler of an op with such a result; None for all others."""
    if op.target is _aten.index.Tensor and len(args[1]) == 1 and _is_mask(args[1][0]):
        return _index
    return _HANDLERS.get(op.target)


def _is_mask(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype == "bool"


def _nonzero(op: Op, x: Any) -> Counted:
    found = op.tensor(x)
    if not found.rank:
        raise op.fail("expected a tensor of at least one dimension")
    size = math.prod(found.shape)
    order, count = chosen(op.b, reshaped(op, op.cast(found, "bool"), (size,)))
    places = np.stack(np.unravel_index(np.arange(size), found.shape), 1).astype(np.int32)
    return Counted(taken(op, op.b.constant(places), 0, order), count, 0)


def _masked_select(op: Op, x: Any, mask: Any) -> Counted:
    shape = np.broadcast_shapes(shape_of(x), shape_of(mask))
    values, masks = (spread(op, op.tensor(v), shape) for v in (x, mask))
    return _selected(op, values, masks)


def _index(op: Op, x: Any, indices: Sequence[Any]) -> Counted:
    return _selected(op, op.tensor(x), op.tensor(indices[0]))


def _selected(op: Op, x: Tensor, mask: Tensor) -> Counted:
    size = math.prod(mask.shape)
    order, count = chosen(op.b, reshaped(op, op.cast(mask, "bool"), (size,)))
    rows = reshaped(op, x, (size, *x.shape[mask.rank :]))
    return Counted(taken(op, rows, 0, order), count, 0)


_HANDLERS: dict[Any, Callable[..., Counted]] = {
    _aten.nonzero.default: _nonzero,
    _aten.masked_select.default: _masked_select,
}
