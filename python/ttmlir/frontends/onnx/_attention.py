"""Attention and rotary position embeddings."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.attention import attended, masked
from ttmlir.frontends.data_movement import joined, permuted, reshaped, sliced, taken
from ttmlir.frontends.onnx._op import DECLINED, Op, Result, Value, handles, shape_of
from ttmlir.frontends.onnx._types import Array

MICROSOFT = "com.microsoft"


def heads(op: Op, x: Tensor, count: int) -> Tensor:
    """(batch, positions, heads * width) as (batch, heads, positions, width)."""
    batch, places, width = x.shape
    return permuted(op, reshaped(op, x, (batch, places, count, width // count)), (0, 2, 1, 3))


def rows(op: Op, x: Tensor) -> Tensor:
    """(batch, heads, positions, width) as (batch, positions, heads * width)."""
    batch, count, places, width = x.shape
    return reshaped(op, permuted(op, x, (0, 2, 1, 3)), (batch, places, count * width))


def append_to_past(op: Op, past: Value, x: Tensor) -> Tensor:
    """Appends keys or values to those of the past."""
    return x if past is None else op.b.concat([op.tensor(past, x.dtype), x], 2)


def visible(queries: int, keys: int, offset: int, left: int = -1, right: int = -1) -> Array:
    """Returns the mask of visible keys.

    Args:
        queries: number of queries.
        keys: number of keys.
        offset: the position of the first query among the keys.
        left: number of visible keys before a query's position, -1 for all.
        right: number of visible keys after it.
    """
    apart = np.arange(keys)[None, :] - (np.arange(queries)[:, None] + offset)
    seen = np.ones((queries, keys), bool)
    if left >= 0:
        seen &= apart >= -left
    if right >= 0:
        seen &= apart <= right
    return seen


def combined(op: Op, given: Value, seen: Array | None, dtype: str) -> tuple[Tensor | None, bool]:
    """Combines a node's mask with known visibility to a mask of rank 4; also returns whether each
    query is known to see a key."""
    known = None if seen is None or seen.all() else seen
    if isinstance(given, np.ndarray):
        own = given if given.dtype != bool else np.where(given, np.float32(0), -np.inf)
        whole = own if known is None else own + np.where(known, np.float32(0), -np.inf)
        whole = np.broadcast_to(whole, (1,) * (4 - whole.ndim) + whole.shape)
        return op.tensor(whole, dtype), bool((whole > -np.inf).any(-1).all())
    if given is None:
        if known is None:
            return None, True
        hidden = np.where(known, np.float32(0), np.float32(-np.inf))[None, None]
        return op.tensor(hidden, dtype), bool(known.any(-1).all())
    mask = op.tensor(given)
    mask = reshaped(op, mask, (1,) * (4 - mask.rank) + mask.shape)
    if mask.dtype == "bool":
        whole_mask = mask if known is None else op.b.logical_and(mask, op.tensor(known[None, None]))
        return masked(op, whole_mask, dtype), False
    mask = op.cast(mask, dtype)
    if known is not None:
        hidden = np.where(known, np.float32(0), np.float32(-np.inf))[None, None]
        mask = op.b.add(mask, op.tensor(hidden, dtype))
    return mask, False


@handles("Attention")
def _attention(
    op: Op,
    query: Value,
    key: Value,
    value: Value,
    mask: Value = None,
    past_key: Value = None,
    past_value: Value = None,
    lengths: Value = None,
) -> Result:
    if op.number("softcap") or op.is_used(3) or lengths is not None:
        return DECLINED
    dtype = op.dtype_of(query)
    q, k, v = (op.tensor(x, dtype) for x in (query, key, value))
    is_flat = q.rank == 3
    if is_flat:
        q = heads(op, q, op.integer("q_num_heads"))
        k, v = (heads(op, x, op.integer("kv_num_heads")) for x in (k, v))
    new = k.shape[2]
    k, v = append_to_past(op, past_key, k), append_to_past(op, past_value, v)
    queries, keys = q.shape[2], k.shape[2]
    if mask is not None and shape_of(mask)[-1] < keys:
        return DECLINED
    left, right = op.integer("left_window_size", -1), op.integer("right_window_size", -1)
    is_causal = bool(op.integer("is_causal"))
    seen = visible(queries, keys, keys - new, left, 0 if is_causal else right)
    whole = is_causal and left < 0 and mask is None and keys == new
    bias, sees = (None, True) if whole else combined(op, mask, seen, dtype)
    scale = op.number("scale") if op.has("scale") else None
    found = attended(op, q, k, v, bias, is_causal=whole, scale=scale, sees_keys=sees)
    return [rows(op, found) if is_flat else found, k, v]


# Rotary embeddings -------------------------------------------------------------------------------


def rotated(
    op: Op, x: Tensor, cos: Value, sin: Value, positions: Value, width: int, interleaved: bool
) -> Tensor:
    """Rotates pairs of elements by the angles of their positions.

    Args:
        op: the node.
        x: (batch, heads, positions, width).
        cos: of the angles: (positions, width / 2) for all positions or, without positions, (batch,
            positions, width / 2).
        sin: like ``cos``.
        positions: the positions (batch, positions), or the first one (1,).
        width: number of elements to rotate at each position.
        interleaved: whether the elements of a pair are adjacent.
    """
    b = op.b
    batch, count, places, whole = x.shape
    width = width or whole
    tables = [_of_places(op, op.tensor(t, x.dtype), positions, batch, places) for t in (cos, sin)]
    c, s = tables
    turned = sliced(op, x, 3, 0, width)
    half = width // 2
    if interleaved:
        pairs = reshaped(op, turned, (batch, count, places * half, 2))
        flat = (batch, count, places, half)
        first, second = (reshaped(op, sliced(op, pairs, 3, i, i + 1), flat) for i in range(2))
    else:
        first, second = sliced(op, turned, 3, 0, half), sliced(op, turned, 3, half, width)
    real = b.subtract(b.multiply(first, c), b.multiply(second, s))
    imaginary = b.add(b.multiply(first, s), b.multiply(second, c))
    if interleaved:
        column = (batch, count, places * half, 1)
        parts = [reshaped(op, t, column) for t in (real, imaginary)]
        found = reshaped(op, b.concat(parts, 3), (batch, count, places, width))
    else:
        found = b.concat([real, imaginary], 3)
    return found if width == whole else b.concat([found, sliced(op, x, 3, width, whole)], 3)


def _of_places(op: Op, table: Tensor, positions: Value, batch: int, places: int) -> Tensor:
    """Returns the rows of a table for positions: (batch or 1, 1, positions, width)."""
    if positions is None:
        return reshaped(op, table, (table.shape[0], 1, *table.shape[1:]))
    where = op.tensor(positions, "i32")
    if where.rank == 1:
        steps = op.tensor(np.arange(places, dtype=np.int32))
        where = reshaped(op, op.b.add(where, steps), (1, places))
    found = taken(op, table, 0, reshaped(op, where, (where.shape[0] * places,)))
    return reshaped(op, found, (where.shape[0], 1, places, table.shape[1]))


def _rotary(op: Op, x: Value, cos: Value, sin: Value, positions: Value) -> Tensor:
    found = op.tensor(x)
    is_flat = found.rank == 3
    width = op.integer("rotary_embedding_dim")
    if is_flat:
        count = op.integer("num_heads") or found.shape[2] // (2 * shape_of(cos)[-1])
        found = heads(op, found, count)
    found = rotated(op, found, cos, sin, positions, width, bool(op.integer("interleaved")))
    return rows(op, found) if is_flat else found


@handles("RotaryEmbedding")
def _rotary_embedding(op: Op, x: Value, cos: Value, sin: Value, positions: Value = None) -> Result:
    return _rotary(op, x, cos, sin, positions)


@handles("RotaryEmbedding", domain=MICROSOFT)
def _rotary_embedding_of_runtime(
    op: Op, x: Value, positions: Value, cos: Value, sin: Value
) -> Result:
    return _rotary(op, x, cos, sin, positions)


# ONNX Runtime's ----------------------------------------------------------------------------------


def _key_mask(op: Op, mask: Value, batch: int, queries: int, keys: int) -> Value:
    """Boolean mask (batch, 1, 1 or queries, keys) from key lengths or a boolean mask."""
    if mask is None:
        return None
    x = op.tensor(mask)
    if x.rank == 1 and x.shape[0] == batch:
        places = op.tensor(np.arange(keys, dtype=np.int32).reshape(1, 1, 1, keys))
        ends = reshaped(op, op.cast(x, "i32"), (batch, 1, 1, 1))
        return op.compare("lt", places, ends)
    if x.rank == 2:
        return op.cast(reshaped(op, x, (x.shape[0], 1, 1, keys)), "bool")
    if x.rank == 3:
        return op.cast(reshaped(op, x, (x.shape[0], 1, queries, keys)), "bool")
    raise op.fail(
        f"masks of (batch), (batch, keys), (batch, queries, keys) are supported, found {x.shape}"
    )


def _masked_attention(
    op: Op, q: Tensor, k: Tensor, v: Tensor, mask: Value, bias: Value, is_causal: bool
) -> Tensor:
    batch, _, queries, _ = q.shape
    keys = k.shape[2]
    scale = op.number("scale") if op.has("scale") and op.number("scale") else None
    seen = visible(queries, keys, keys - queries, right=0) if is_causal else None
    truths = _key_mask(op, mask, batch, queries, keys)
    whole = is_causal and truths is None and bias is None and queries == keys
    if whole:
        return attended(op, q, k, v, None, is_causal=True, scale=scale)
    total, sees = combined(op, truths, seen, q.dtype)
    if bias is not None:
        more = op.tensor(bias, q.dtype)
        total = more if total is None else op.b.add(total, more)
    return attended(op, q, k, v, total, scale=scale, sees_keys=sees)


@handles("Attention", domain=MICROSOFT)
def _packed_attention(
    op: Op,
    x: Value,
    weights: Value,
    bias: Value = None,
    mask: Value = None,
    past: Value = None,
    extra: Value = None,
    past_length: Value = None,
) -> Result:
    if past_length is not None or op.integer("do_rotary"):
        raise op.fail("past_sequence_length and do_rotary are not supported")
    b, tokens = op.b, op.tensor(x)
    dtype, count = tokens.dtype, op.integer("num_heads")
    batch, places, width = tokens.shape
    flat = reshaped(op, tokens, (batch * places, width))
    found = b.matmul(flat, op.tensor(weights, dtype))
    if bias is not None:
        found = b.add(found, reshaped(op, op.tensor(bias, dtype), (1, -1)))
    whole = found.shape[1]
    sizes = op.integers("qkv_hidden_sizes") or [whole // 3] * 3
    ends = np.cumsum(sizes).tolist()
    q, k, v = (
        heads(op, reshaped(op, sliced(op, found, 1, end - n, end), (batch, places, n)), count)
        for n, end in zip(sizes, ends, strict=True)
    )
    if past is not None:
        both = op.tensor(past, dtype)
        first, second = (
            reshaped(op, sliced(op, both, 0, i, i + 1), both.shape[1:]) for i in range(2)
        )
        k, v = append_to_past(op, first, k), append_to_past(op, second, v)
    output = _masked_attention(op, q, k, v, mask, extra, bool(op.integer("unidirectional")))
    results: list[Value] = [rows(op, output)]
    if op.is_used(1):
        results.append(joined(op, [reshaped(op, t, (1, *t.shape)) for t in (k, v)], 0))
    return results


@handles("MultiHeadAttention", domain=MICROSOFT)
def _multi_head_attention(
    op: Op,
    query: Value,
    key: Value = None,
    value: Value = None,
    bias: Value = None,
    mask: Value = None,
    extra: Value = None,
    past_key: Value = None,
    past_value: Value = None,
) -> Result:
    if key is None or len(shape_of(key)) == 5 or value is None:
        raise op.fail("packed keys and values are not supported: give query, key and value")
    dtype, count = op.dtype_of(query), op.integer("num_heads")
    parts = [op.tensor(x, dtype) for x in (query, key, value)]
    if bias is not None:
        offset = op.tensor(bias, dtype)
        widths = [parts[0].shape[-1]] * 2
        ends = [widths[0], 2 * widths[0], offset.shape[0]]
        begins = [0, *ends[:2]]
        for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            own = reshaped(op, sliced(op, offset, 0, begin, end), (1, 1, end - begin))
            if parts[i].rank == 3:
                parts[i] = op.b.add(parts[i], own)
            else:
                # Keys and values from another input have the head dimension in front already.
                parts[i] = op.b.add(parts[i], heads(op, own, count))
    q, k, v = (heads(op, x, count) if x.rank == 3 else x for x in parts)
    k, v = append_to_past(op, past_key, k), append_to_past(op, past_value, v)
    found = _masked_attention(op, q, k, v, mask, extra, bool(op.integer("unidirectional")))
    return [rows(op, found), k, v]


@handles("GroupQueryAttention", domain=MICROSOFT)
def _group_query_attention(
    op: Op,
    query: Value,
    key: Value = None,
    value: Value = None,
    past_key: Value = None,
    past_value: Value = None,
    last_places: Value = None,
    total: Value = None,
    cos: Value = None,
    sin: Value = None,
    positions: Value = None,
    *others: Value,
) -> Result:
    """Keys and values include the past; all batches have the same length."""
    if op.number("softcap") or op.integer("smooth_softmax") or any(x is not None for x in others):
        raise op.fail("softcap, smooth_softmax, masks and sinks are not supported")
    count, groups = op.integer("num_heads"), op.integer("kv_num_heads")
    q = op.tensor(query)
    if key is None:
        width = q.shape[2] // (count + 2 * groups)
        ends = np.cumsum([count * width, groups * width, groups * width]).tolist()
        q, k, v = (
            sliced(op, q, 2, begin, end) for begin, end in zip([0, *ends], ends, strict=False)
        )
    else:
        k, v = op.tensor(key, q.dtype), op.tensor(value, q.dtype)
    q, k, v = heads(op, q, count), heads(op, k, groups), heads(op, v, groups)
    past = 0 if past_key is None else shape_of(past_key)[2]
    queries, keys = q.shape[2], past + q.shape[2]
    if any(n != keys - 1 for n in op.ints(last_places, "the lengths of the sequences")):
        raise op.fail(
            f"only sequences of {keys} positions, those of the past and the new ones, are supported"
        )
    if op.integer("do_rotary"):
        where = np.array([past], np.int32) if positions is None else positions
        interleaved = bool(op.integer("rotary_interleaved"))
        width = 2 * shape_of(cos)[-1]
        q, k = (rotated(op, x, cos, sin, where, width, interleaved) for x in (q, k))
    k, v = append_to_past(op, past_key, k), append_to_past(op, past_value, v)
    window = op.integer("local_window_size", -1)
    seen = visible(queries, keys, past, window - 1 if window > 0 else -1, 0)
    scale = op.number("scale") or None
    whole = not past and window <= 0
    mask, sees = (None, True) if whole else combined(op, None, seen, q.dtype)
    found = attended(op, q, k, v, mask, is_causal=whole, scale=scale, sees_keys=sees)
    return [rows(op, found), k, v]
