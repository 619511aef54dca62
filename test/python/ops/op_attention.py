"""Attention and its caches: cases with references in JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st
from op_attributes import ui32
from op_formats import FORMATS, MOVED, Array, random
from op_program import Case, Strategy, boolean, edges, f32, generators, i32, least, or_none

INF = float("inf")
STEP = 2.0**-23


def softmax_of(scores: Any, sink: Any = None) -> Any:
    """Along the last dimension; ``sink`` is one more logit of each head (dimension 1)."""
    if sink is None:
        return jax.nn.softmax(scores, axis=-1)
    logit = jnp.broadcast_to(sink.reshape(1, -1, 1, 1), (*scores.shape[:-1], 1))
    return jax.nn.softmax(jnp.concatenate([scores, logit], -1), axis=-1)[..., :-1]


def attention(q: Any, k: Any, v: Any, scale: float, seen: Any, added: Any, sink: Any) -> Any:
    """(B, H, S, D), (B, G, T, D), (B, G, T, E); ``seen`` and ``added`` broadcast."""
    groups = q.shape[1] // k.shape[1]
    k, v = jnp.repeat(k, groups, axis=1), jnp.repeat(v, groups, axis=1)
    scores = q @ jnp.swapaxes(k, -1, -2) * scale + added
    scores = jnp.where(seen, scores, -INF)
    return softmax_of(scores, sink) @ v


def table_of(rng: np.random.Generator, blocks: int, users: int, count: int) -> Array:
    """The numbers of ``count`` blocks for each user, all different."""
    return rng.permutation(blocks)[: users * count].reshape(users, count).astype(np.int32)


def side_by_side(cache: Any, table: Any) -> Any:
    """The keys or values of each user, which blocks (B, G, size, width) hold."""
    found = jnp.moveaxis(cache[table], 2, 1)
    users, groups, count, size, width = found.shape
    return found.reshape(users, groups, count * size, width)


def slack_of(inputs: list[tuple[Array, str]], width: int, scale: float, keys: int) -> float:
    """Scores are rounded, and the softmax multiplies what they are off."""
    q, k, v = (np.abs(array.astype(np.float64)).max(initial=0) for array, _ in inputs[:3])
    score = q * k * width * scale
    return float(v) * STEP * (16 + 4 * float(score) + 2 * keys**0.5) * 2


@st.composite
def sdpa(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    batch, kv, group = draw(st.integers(least(), 2)), *(draw(st.integers(1, 2)) for _ in range(2))
    heads = kv * group
    places = draw(st.sampled_from(or_none(1, 7, 32, 33, 70, 130)))
    paged = draw(st.booleans())
    size, count = draw(st.sampled_from((8, 32, 48, 128))), draw(st.integers(1, 3))
    keys = size * count if paged else draw(st.sampled_from(or_none(places, 5, 32, 50, 97, 260)))
    blocks = batch * count + 1
    lead = (blocks, kv, size) if paged else (batch, kv, keys)
    width, out = draw(st.sampled_from((16, 32, 40, 64))), draw(st.sampled_from(or_none(8, 32, 65)))
    kind = draw(
        st.sampled_from(("causal", "mask", "boolean", "none", "window", "sink", "positions"))
    )
    inputs = [
        (random(rng, (batch, heads, places, width), dtype, -2, 2), dtype),
        (random(rng, (*lead, width), dtype, -2, 2), dtype),
        (random(rng, (*lead, out), dtype), dtype),
    ]
    causal = kind in ("causal", "window", "positions") or (kind == "sink" and draw(st.booleans()))
    attributes = {"is_causal": boolean(causal)}
    scale = float(np.float32(1 / np.sqrt(width)))
    if draw(st.booleans()):
        scale = 0.25
        attributes["scale"] = f32(scale)
    at, to = np.arange(keys)[None], np.arange(places)[:, None]
    has_positions = int(kind == "positions")
    if has_positions:
        extents = (draw(st.sampled_from((1, batch))), draw(st.sampled_from((1, places))))
        # At -1 a query sees no key.
        positions = rng.integers(-1, keys + 1, extents).astype(np.int32)
        to = positions[:, None, :, None]
    seen = at <= to if causal else np.ones((1, 1), bool)
    if kind == "window" or (has_positions and draw(st.booleans())):
        window = draw(st.integers(1, 40))
        # Behind the last key a window may see none, which gives 0 with positions alone.
        window = window if has_positions else max(window, places - keys + 1)
        attributes["sliding_window_size"] = ui32(window)
        seen = seen & (at > to - window)
    masked = kind in ("mask", "boolean") or (has_positions and draw(st.booleans()))
    if masked:
        shape = (
            draw(st.sampled_from((1, batch))),
            draw(st.sampled_from((1, heads))),
            draw(st.sampled_from((1, places))),
            keys,
        )
        hidden = rng.random(shape) < (0.0 if has_positions else 0.3)
        hidden[..., :1] = False
        mask = np.where(hidden, -INF, rng.uniform(-1, 1, shape)).astype(FORMATS[dtype].host)
        inputs.append(((~hidden).astype(np.uint8), "u8") if kind == "boolean" else (mask, dtype))
    if kind == "sink":
        shape_of_sink = (heads, draw(st.sampled_from((1, 32))))
        inputs.append((random(rng, shape_of_sink, dtype), dtype))
    if has_positions:
        inputs.append((positions, "si32"))
    if paged:
        inputs.append((table_of(rng, blocks, batch, count), "si32"))

    def reference(q: Any, k: Any, v: Any, *rest: Any) -> Any:
        if paged:
            k, v = side_by_side(k, rest[-1]), side_by_side(v, rest[-1])
        added = rest[0] if masked and kind != "boolean" else 0.0
        visible = rest[0] != 0 if kind == "boolean" else seen
        sink = rest[0][:, 0] if kind == "sink" else None
        found = attention(q, k, v, scale, visible, added, sink)
        return jnp.where(visible.any(-1, keepdims=True), found, 0) if has_positions else found

    return Case(
        "scaled_dot_product_attention",
        inputs,
        (batch, heads, places, out),
        dtype,
        reference,
        attributes,
        16,
        slack_of(inputs, width, scale, keys),
        (1, 1, 1, int(masked), int(kind == "sink"), has_positions, int(paged), 1),
    )


@st.composite
def decode(draw: st.DrawFn, name: str) -> Case:
    """One query of each user, to keys side by side or in blocks."""
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    paged, latent = name.startswith("paged"), "latent" in name
    users, kv = draw(st.integers(least(), 3)), 1 if latent else draw(st.integers(1, 2))
    heads, width = kv * draw(st.integers(1, 3)), draw(st.sampled_from((16, 32, 40)))
    out = draw(st.sampled_from((8, width))) if latent else draw(st.sampled_from((8, 33)))
    own_values = latent and draw(st.booleans())
    size, count = draw(st.sampled_from((8, 32))), draw(st.integers(1, 3))
    keys = size * count if paged else draw(st.sampled_from((5, 32, 70)))
    blocks = users * count + 1
    shape = (blocks, kv, size) if paged else (users, kv, keys)
    inputs = [
        (random(rng, (1, users, heads, width), dtype, -2, 2), dtype),
        (random(rng, (*shape, width), dtype, -2, 2), dtype),
    ]
    segments = [1, 1]
    if not latent or own_values:
        inputs.append((random(rng, (*shape, out), dtype), dtype))
    segments.append(int(own_values or not latent))
    if paged:
        table = table_of(rng, blocks, users, count)
        inputs.append((table, "si32"))
        segments.append(1)
    causal, masked = draw(st.booleans()), draw(st.booleans())
    attributes = {"is_causal": boolean(causal)}
    scale = float(np.float32(1 / np.sqrt(width)))
    if latent:
        attributes["head_dim_v"] = ui32(out)
    if masked:
        mask_shape = (draw(st.sampled_from((1, users))), 1, draw(st.sampled_from((1, heads))), keys)
        inputs.append((random(rng, mask_shape, dtype), dtype))
    segments.append(int(masked))
    places = rng.integers(0, keys, users).astype(np.int32)
    if causal:
        inputs.append((places, "si32"))
    segments.append(int(causal))
    has_sink = draw(st.booleans())
    if has_sink:
        inputs.append((random(rng, (heads, 32), dtype), dtype))
    segments += [int(has_sink), 1]
    window = draw(st.none() | st.integers(1, 20)) if causal and paged and not latent else None
    if window:
        attributes["sliding_window_size"] = ui32(window)

    def reference(q: Any, k: Any, *rest: Any) -> Any:
        values = list(rest)
        v = k[..., :out] if latent and not own_values else values.pop(0)
        if paged:
            rows = values.pop(0)
            k, v = side_by_side(k, rows), side_by_side(v, rows)
        added: Any = 0.0
        if masked:
            added = jnp.swapaxes(values.pop(0), 1, 2)
        seen: Any = np.ones((1, 1, 1, keys), bool)
        if causal:
            last = values.pop(0).reshape(users, 1, 1, 1)
            at = np.arange(keys).reshape(1, 1, 1, keys)
            seen = at <= last
            if window:
                seen = seen & (at > last - window)
        sink = values.pop(0)[:, 0] if has_sink else None
        query = q.reshape(users, heads, 1, width)
        found = attention(query, k, v, scale, seen, added, sink)
        return found.reshape(1, users, heads, out)

    bounds = [inputs[0], inputs[1], inputs[2] if not latent or own_values else inputs[1]]
    return Case(
        name,
        inputs,
        (1, users, heads, out),
        dtype,
        reference,
        attributes,
        16,
        slack_of(bounds, width, scale, keys),
        segments,
    )


@st.composite
def chunked(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    users, kv = draw(st.integers(least(), 2)), draw(st.integers(1, 2))
    places = draw(st.integers(least(), 40))
    heads, width, size = kv * draw(st.integers(1, 2)), 32, draw(st.sampled_from((8, 32)))
    start = draw(st.integers(0, 40))
    count = -(-(start + places) // size)
    blocks = users * count + 1
    keys = count * size
    table = table_of(rng, blocks, users, count)
    inputs = [
        (random(rng, (users, heads, places, width), dtype, -2, 2), dtype),
        (random(rng, (blocks, kv, size, width), dtype, -2, 2), dtype),
        (random(rng, (blocks, kv, size, width), dtype), dtype),
        (table, "si32"),
        (np.array([start], np.int32), "si32"),
    ]
    scale = float(np.float32(1 / np.sqrt(width)))

    def reference(q: Any, k: Any, v: Any, rows: Any, first: Any) -> Any:
        seen = np.arange(keys)[None] <= np.arange(places)[:, None] + first
        k, v = side_by_side(k, rows), side_by_side(v, rows)
        return attention(q, k, v, scale, seen, 0.0, None)

    return Case(
        "chunked_scaled_dot_product_attention",
        inputs,
        (users, heads, places, width),
        dtype,
        reference,
        {},
        16,
        slack_of(inputs, width, scale, keys),
    )


# Heads --------------------------------------------------------------------------------------------


@st.composite
def split_heads(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    batch, places, width = (
        draw(st.integers(least(), 2)),
        draw(st.sampled_from((0, 1, 40)) if edges() else st.integers(1, 40)),
        draw(st.sampled_from((1, 16, 33))),
    )
    heads, kv = draw(st.integers(1, 4)), draw(st.none() | st.integers(1, 3))
    apart, turned = draw(st.booleans()), draw(st.booleans())
    others = 2 * (kv or heads)
    other_places = draw(st.integers(least(), 40)) if apart else places
    x = random(rng, (batch, places, (heads + others * (not apart)) * width), dtype)
    inputs = [(x, dtype)]
    if apart:
        inputs.append((random(rng, (batch, other_places, others * width), dtype), dtype))
    attributes = {"num_heads": ui32(heads), "transpose_key": boolean(turned)}
    if kv:
        attributes["num_kv_heads"] = ui32(kv)
    key = (batch, others // 2, other_places, width)
    results = [
        ((batch, heads, places, width), dtype),
        ((*key[:2], key[3], key[2]) if turned else key, dtype),
        (key, dtype),
    ]
    picked = draw(st.integers(0, 2))

    def reference(x: Any, *rest: Any) -> Any:
        def split(part: Any) -> Any:
            heads_of = (*part.shape[:2], part.shape[2] // width, width)
            return jnp.moveaxis(part.reshape(heads_of), 2, 1)

        if rest:
            query, (key, value) = x, jnp.split(rest[0], 2, axis=2)
        else:
            query = x[..., : heads * width]
            key, value = jnp.split(x[..., heads * width :], 2, axis=2)
        key = split(key)
        found = (split(query), jnp.swapaxes(key, 2, 3) if turned else key, split(value))
        return found[picked]

    return Case(
        "split_query_key_value_and_split_heads",
        inputs,
        results[picked][0],
        dtype,
        reference,
        attributes,
        segments=(1, int(apart), 3),
        results=results,
        picked=picked,
    )


@st.composite
def concatenate_heads(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    b, h, s, d = (draw(st.sampled_from(or_none(1, 2, 5, 33))) for _ in range(4))
    return Case(
        "concatenate_heads",
        [(random(rng, (b, h, s, d), dtype), dtype)],
        (b, s, h * d),
        dtype,
        lambda x: jnp.moveaxis(x, 1, 2).reshape(b, s, h * d),
    )


@st.composite
def rotary_embedding(draw: st.DrawFn) -> Case:
    dtype, rng = draw(st.sampled_from(("f32", "bf16"))), draw(generators())
    b, h, s, d = (draw(st.sampled_from(or_none(1, 2, 5, 33))) for _ in range(4))
    shape, half = (b, h, s, 2 * d), d
    table = (draw(st.sampled_from((1, b))), 1, draw(st.sampled_from((1, s))), 2 * d)
    inputs = [(random(rng, which, dtype), dtype) for which in (shape, table, table)]

    def reference(x: Any, cos: Any, sin: Any) -> Any:
        return x * cos + jnp.concatenate([-x[..., half:], x[..., :half]], -1) * sin

    x, cos, sin = (np.abs(array.astype(np.float64)).max(initial=0) for array, _ in inputs)
    # Taken apart, products are rounded to the format before they are added.
    step = STEP if dtype == "f32" else 2.0**-8
    return Case(
        "rotary_embedding",
        inputs,
        shape,
        dtype,
        reference,
        slack=float(2 * step * x * (cos + sin)),
    )


# Caches -------------------------------------------------------------------------------------------


def of_a_cache(
    draw: st.DrawFn, fewest: int, most: int
) -> tuple[str, np.random.Generator, int, int, int]:
    """Format, generator of the elements, users, heads and width."""
    dtype, rng = draw(st.sampled_from(MOVED)), draw(generators())
    users, heads = draw(st.integers(fewest, most)), draw(st.integers(1, 3))
    return dtype, rng, users, heads, draw(st.sampled_from(or_none(1, 16, 40)))


@st.composite
def fill_cache(draw: st.DrawFn) -> Case:
    dtype, rng, users, heads, width = of_a_cache(draw, 1, 4)
    places = draw(st.sampled_from((5, 32, 70)))
    filled, new = draw(st.integers(least(), places)), draw(st.integers(least(), users))
    first = draw(st.integers(0, users - new))
    inputs = [
        (random(rng, (users, heads, places, width), dtype), dtype),
        (random(rng, (new, heads, filled, width), dtype), dtype),
    ]
    return Case(
        "fill_cache",
        inputs,
        inputs[0][0].shape,
        dtype,
        lambda cache, x: cache.at[first : first + new, :, :filled].set(x),
        {"batch_offset": i32(first)},
    )


@st.composite
def update_cache(draw: st.DrawFn) -> Case:
    dtype, rng, users, heads, width = of_a_cache(draw, 1, 4)
    places, new = draw(st.sampled_from((5, 32, 70))), draw(st.integers(1, users))
    first = draw(st.integers(0, users - new))
    count = draw(st.sampled_from((1, new)))
    at = rng.integers(0, places, count).astype(np.int32)
    inputs = [
        (random(rng, (users, heads, places, width), dtype), dtype),
        (random(rng, (1, heads, new, width), dtype), dtype),
        (at, "si32"),
    ]

    def reference(cache: Any, x: Any, index: Any) -> Any:
        rows = np.arange(new) + first
        return cache.at[rows, :, jnp.broadcast_to(index, (new,))].set(jnp.swapaxes(x[0], 0, 1))

    return Case(
        "update_cache",
        inputs,
        inputs[0][0].shape,
        dtype,
        reference,
        {"batch_offset": i32(first)},
    )


@st.composite
def paged_fill_cache(draw: st.DrawFn) -> Case:
    dtype, rng, users, heads, width = of_a_cache(draw, 1, 3)
    size, count = draw(st.sampled_from((4, 32))), draw(st.integers(1, 3))
    blocks = users * count + draw(st.integers(0, 2))
    table = table_of(rng, blocks, users, count)
    filled = draw(st.integers(least(), size * count))
    inputs = [
        (random(rng, (blocks, heads, size, width), dtype), dtype),
        (random(rng, (1, heads, filled, width), dtype), dtype),
        (table, "si32"),
    ]
    user = draw(st.none() | st.integers(0, users - 1))
    if user is not None:
        inputs.append((np.array([user], np.int32), "si32"))

    def reference(cache: Any, x: Any, rows: Any, *_: Any) -> Any:
        at = np.arange(filled)
        return cache.at[rows[user or 0][at // size], :, at % size].set(jnp.swapaxes(x[0], 0, 1))

    return Case("paged_fill_cache", inputs, inputs[0][0].shape, dtype, reference)


@st.composite
def paged_update_cache(draw: st.DrawFn) -> Case:
    dtype, rng, users, heads, width = of_a_cache(draw, least(), 3)
    size, count = draw(st.sampled_from((4, 7, 32))), draw(st.integers(1, 3))
    blocks = users * count + draw(st.integers(0, 2))
    table = table_of(rng, blocks, users, count)
    at = rng.integers(0, size * count, users).astype(np.int32)
    inputs = [
        (random(rng, (blocks, heads, size, width), dtype), dtype),
        (random(rng, (1, users, heads, width), dtype), dtype),
        (at, "si32"),
        (table, "si32"),
    ]

    def reference(cache: Any, x: Any, index: Any, rows: Any) -> Any:
        block = rows[np.arange(users), index // size]
        return cache.at[block, :, index % size].set(x[0])

    return Case("paged_update_cache", inputs, inputs[0][0].shape, dtype, reference)


CASES: dict[str, Strategy] = {
    "scaled_dot_product_attention": sdpa(),
    **{
        name: decode(name)
        for name in (
            "scaled_dot_product_attention_decode",
            "paged_scaled_dot_product_attention_decode",
            "paged_flash_multi_latent_attention_decode",
        )
    },
    "chunked_scaled_dot_product_attention": chunked(),
    "split_query_key_value_and_split_heads": split_heads(),
    "concatenate_heads": concatenate_heads(),
    "rotary_embedding": rotary_embedding(),
    "fill_cache": fill_cache(),
    "update_cache": update_cache(),
    "paged_fill_cache": paged_fill_cache(),
    "paged_update_cache": paged_update_cache(),
}
