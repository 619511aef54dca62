"""Index computations: argmax and argmin, and scatters."""

from __future__ import annotations

from collections.abc import Sequence

from ttmlir.builder import Tensor
from ttmlir.frontends.arithmetic import Op

_FLOATS = frozenset({"f32", "bf16", "f16", "f64"})


def first_place(op: Op, x: Tensor, dim: int | None, is_greatest: bool) -> Tensor:
    """Index of the first maximum or minimum along a dimension, in i32."""
    ordered = op.cast(x, "u8") if x.dtype == "bool" else x
    if not is_greatest:
        ordered = op.b.neg(ordered) if x.dtype in _FLOATS else op.b.bitwise_not(ordered)
    return op.b.argmax(ordered, dim)


def scattered(
    op: Op,
    x: Tensor,
    vectors: Tensor,
    updates: Tensor,
    *,
    window: Sequence[int],
    inserted: Sequence[int],
    reduce: str,
) -> Tensor:
    """Scatters updates at index vectors along the last dimension."""
    (x_, updates_), reduce = _as_numbers(op, (x, updates), reduce)
    found = op.b.scatter(
        x_,
        vectors,
        updates_,
        update_window_dims=window,
        inserted_window_dims=inserted,
        scatter_dims_to_operand_dims=inserted,
        index_vector_dim=vectors.rank - 1,
        reduce=reduce,
    )
    return op.cast(found, x.dtype)


def scattered_along(
    op: Op, x: Tensor, index: Tensor, updates: Tensor, dim: int, reduce: str
) -> Tensor:
    """Scatters updates at the indices ``index``, of the same shape, along a dimension."""
    (x_, updates_), reduce = _as_numbers(op, (x, updates), reduce)
    return op.cast(op.b.scatter_dim(x_, index, updates_, dim, reduce), x.dtype)


def _as_numbers(op: Op, tensors: Sequence[Tensor], reduce: str) -> tuple[list[Tensor], str]:
    """Converts booleans to numbers, and their reduction: a sum is true if any of them is."""
    if tensors[0].dtype != "bool":
        return list(tensors), reduce
    return [op.cast(x, "u8") for x in tensors], "max" if reduce == "add" else reduce
