"""Attention that stays whole, and its masks."""

from __future__ import annotations

import math

from ttmlir.builder import Tensor
from ttmlir.frontends.arithmetic import Op


def masked(op: Op, seen: Tensor, dtype: str) -> Tensor:
    """What is added to the logits of keys: 0 where they are seen, else minus infinity."""
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
    """The attention of queries to keys and values, all of rank 4; 0 where no key is seen.

    Args:
        op: of the source.
        query: (batch, heads, places, width).
        key: its heads divide those of the queries.
        value: likewise.
        mask: floats of rank 4 that are added to the logits.
        is_causal: whether place i sees the keys up to i; not with a mask.
        scale: of the logits, by default 1 over the root of the width.
        sees_keys: whether it is known that every query sees a key.
    """
    found = op.b.scaled_dot_product_attention(
        query, key, value, attention_mask=mask, is_causal=is_causal, scale=scale
    )
    if mask is None or sees_keys:
        return found
    nothing = op.compare("eq", op.b.max(mask, -1, True), op.tensor(-math.inf, mask.dtype))
    return op.b.where(nothing, op.tensor(0.0, found.dtype), found)
