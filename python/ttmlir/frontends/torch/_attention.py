"""Scaled dot-product attention."""

from __future__ import annotations

import math

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends import attention
from ttmlir.frontends.data_movement import reshaped, spread
from ttmlir.frontends.torch._op import Op, Operand, Result, handles

#: Rank of attention tensors in TTIR: batch, heads, positions, width.
_RANK = 4


def _four(op: Op, x: Tensor) -> Tensor:
    """Reshapes a tensor to rank 4: collapses or adds leading dimensions."""
    if x.rank <= _RANK:
        return reshaped(op, x, (1,) * (_RANK - x.rank) + x.shape)
    return reshaped(op, x, (math.prod(x.shape[:-3]), *x.shape[-3:]))


@handles("aten.scaled_dot_product_attention")
def _attention(
    op: Op,
    query: Operand,
    key: Operand,
    value: Operand,
    attn_mask: Operand | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Result:
    found = attended(op, query, key, value, attn_mask, dropout_p, is_causal, scale)
    return reshaped(op, found, op.shape())


@handles("aten._scaled_dot_product_flash_attention_for_cpu")
def _flash_attention(
    op: Op,
    query: Operand,
    key: Operand,
    value: Operand,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Operand | None = None,
    scale: float | None = None,
) -> Result:
    if op.is_used(1):
        raise op.fail("its gradient is not supported: use torch.nn.attention.SDPBackend.MATH")
    found = attended(op, query, key, value, attn_mask, dropout_p, is_causal, scale)
    return [reshaped(op, found, op.shape()), None]


def attended(
    op: Op,
    query: Operand,
    key: Operand,
    value: Operand,
    attn_mask: Operand | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
) -> Tensor:
    """Attention of queries to keys and values, of rank 4."""
    if dropout_p:
        raise op.fail("dropout within attention is not supported: set dropout_p to 0")
    dtype = op.dtype()
    q, k, v = (op.tensor(x, dtype) for x in (query, key, value))
    batch = q.shape[:-2]
    if q.rank > _RANK or k.shape[:-3] != q.shape[:-3]:
        k = spread(op, k, (*batch[:-1], *k.shape[-3:]))
        v = spread(op, v, (*batch[:-1], *v.shape[-3:]))
    mask = None if attn_mask is None else _mask(op, attn_mask, dtype, q, k)
    return attention.attended(
        op,
        _four(op, q),
        _four(op, k),
        _four(op, v),
        mask,
        is_causal=is_causal,
        scale=scale,
        sees_keys=_sees_keys(attn_mask),
    )


def _sees_keys(mask: Operand | None) -> bool:
    """Whether every query is known to see a key."""
    if not isinstance(mask, torch.Tensor):
        return False
    seen = mask if mask.dtype == torch.bool else mask != -math.inf
    return bool(seen.any(-1).all())


def _mask(op: Op, attn_mask: Operand, dtype: str, q: Tensor, k: Tensor) -> Tensor:
    """Converts a mask to floats of rank 4."""
    if isinstance(attn_mask, torch.Tensor) and attn_mask.dtype == torch.bool:
        own = torch.zeros(attn_mask.shape).masked_fill(~attn_mask, -math.inf)
        x = op.tensor(own, dtype)
    else:
        x = op.tensor(attn_mask)
        if x.dtype == "bool":
            x = attention.masked(op, x, dtype)
    x = op.cast(x, dtype)
    if q.rank > _RANK:
        x = reshaped(op, x, (1,) * (q.rank - x.rank) + x.shape)
        x = spread(op, x, (*q.shape[:-3], *x.shape[-3:]))
    return _four(op, x)
