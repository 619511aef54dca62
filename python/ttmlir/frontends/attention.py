"""Scaled dot-product attention as one op, and its masks."""

from __future__ import annotations

import math

from ttmlir.builder import Tensor
from ttmlir.frontends.arithmetic import Op


def masked(op: Op, seen: Tensor, dtype: str) -> Tensor:
    """Returns the additive mask of logits: 0 for visible keys, minus infinity for others."""
    return op.b.where(seen, op.tensor(0.0, dtype), op.tensor(-math.inf, dtype))


def attended(
    op: Op,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    sees_keys: bool = False,
) -> Tensor:
    """Scaled dot-product attention with all tensors of rank 4; 0 for queries that see no key.

    Args:
        op: of the source.
        query: (batch, heads, positions, width).
        key: the number of its heads divides that of the queries.
        value: like ``key``.
        mask: floats of rank 4 to add to the logits.
        is_causal: whether position i sees only the keys up to i; not with a mask.
        scale: factor of the logits, by default 1 over the square root of the width.
        sees_keys: whether every query is known to see a key.
    """
    found = op.b.scaled_dot_product_attention(
        query, key, value, attention_mask=mask, is_causal=is_causal, scale=scale
    )
    if mask is None or sees_keys:
        return found
    nothing = op.compare("eq", op.b.max(mask, -1, True), op.tensor(-math.inf, mask.dtype))
    return op.b.where(nothing, op.tensor(0.0, found.dtype), found)
