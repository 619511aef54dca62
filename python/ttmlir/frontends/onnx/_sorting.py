"""Sorting and top-k."""

from __future__ import annotations

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles
from ttmlir.frontends.scatter_gather import first_place

PLACES = "i64"


@handles("TopK")
def _topk(op: Op, x: Value, k: Value = None) -> Result:
    tensor = op.tensor(x)
    count = op.integer("k") if op.since < 10 else op.ints(k, "the number of elements")[0]
    dim = axis_of(op.integer("axis", -1), tensor.rank)
    is_largest = bool(op.integer("largest", 1))
    if not 0 < count <= tensor.shape[dim]:
        raise op.fail(f"expected k in [1, {tensor.shape[dim]}], found {count}")
    values, places = op.b.topk(tensor, count, dim, is_largest)
    shape = [count if d == dim else n for d, n in enumerate(tensor.shape)]
    return [reshaped(op, values, shape), op.cast(reshaped(op, places, shape), PLACES)]


def _last_place(op: Op, x: Tensor, dim: int, is_greatest: bool) -> Tensor:
    turned = first_place(op, op.b.reverse(x, [dim]), dim, is_greatest)
    return op.b.subtract(op.tensor(x.shape[dim] - 1, turned.dtype), turned)


@handles("ArgMax", "ArgMin")
def _arg(op: Op, x: Value) -> Result:
    tensor = op.tensor(x)
    dim = axis_of(op.integer("axis"), tensor.rank)
    find = _last_place if op.integer("select_last_index") else first_place
    keeps = op.integer("keepdims", 1)
    shape = [1 if d == dim else n for d, n in enumerate(tensor.shape) if keeps or d != dim]
    found = find(op, tensor, dim, op.node.op_type == "ArgMax")
    return op.cast(reshaped(op, found, shape), PLACES)
