"""Attention, rotations and the fusions of ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nodes import assert_close, check, node_model, random, run

from ttmlir.errors import CompileError
from ttmlir.onnx import backend

MICROSOFT = "com.microsoft"
Array = np.ndarray[Any, Any]


def softmax(x: Array) -> Array:
    with np.errstate(all="ignore"):
        raised = np.exp(x - np.maximum(x.max(-1, keepdims=True), -1e30))
    total = raised.sum(-1, keepdims=True)
    found: Array = raised / np.where(total == 0, 1, total)
    return found


def attention(q: Array, k: Array, v: Array, bias: Any = 0.0) -> Array:
    """Of rank 4."""
    logits = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]) + bias
    return np.asarray(softmax(logits) @ v, np.float32)


def split(x: Array, heads: int) -> Array:
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def merged(x: Array) -> Array:
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("mask", ["none", "floats", "truths", "heads"])
def test_masks(causal: int, mask: str) -> None:
    inputs = {
        "q": random(2, 4, 5, 8),
        "k": random(2, 2, 6, 8, seed=1),
        "v": random(2, 2, 6, 4, seed=2),
    }
    if mask == "floats":
        inputs["m"] = random(5, 6, seed=3)
    if mask == "truths":
        inputs["m"] = random(2, 1, 5, 6, dtype=np.bool_, seed=3)
    if mask == "heads":
        inputs["m"] = random(1, 4, 5, 6, seed=3)
    check("Attention", inputs, is_causal=causal, atol=1e-4)


def test_attention_stays_whole() -> None:
    inputs = {n: random(1, 2, 4, 8, seed=i) for i, n in enumerate("qkv")}
    prepared = backend.prepare(node_model("Attention", inputs, is_causal=1))
    text = str(prepared.executable(inputs).signature.imported.builder)
    assert "ttir.scaled_dot_product_attention" in text
    assert "ttir.softmax" not in text


def test_flat_inputs_behind_a_past() -> None:
    inputs = {
        "q": random(2, 3, 16),
        "k": random(2, 3, 8, seed=1),
        "v": random(2, 3, 8, seed=2),
        "pk": random(2, 2, 4, 4, seed=3),
        "pv": random(2, 2, 4, 4, seed=4),
    }
    order = ["q", "k", "v", "", "pk", "pv"]
    named = {"q_num_heads": 4, "kv_num_heads": 2, "is_causal": 1, "scale": 0.3}
    check("Attention", inputs, order=order, outputs=3, atol=1e-4, **named)


def test_causal_window() -> None:
    """Only the nearest keys before a query count."""
    inputs = {n: random(1, 2, 6, 8, seed=i) for i, n in enumerate("qkv")}
    distance = np.arange(6)[:, None] - np.arange(6)
    with np.errstate(divide="ignore"):
        bias = np.log(((distance >= 0) & (distance <= 2)).astype(np.float32))
    named: dict[str, Any] = {"is_causal": 1, "left_window_size": 2}
    check("Attention", inputs, expected=[attention(*inputs.values(), bias)], atol=1e-4, **named)


def test_capped_logits() -> None:
    inputs = {n: 3 * random(1, 2, 4, 8, seed=i) for i, n in enumerate("qkv")}
    check("Attention", inputs, softcap=2.0, atol=1e-4)


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("width", [0, 4])
@pytest.mark.parametrize("flat", [False, True])
def test_rotary_embedding(interleaved: int, width: int, flat: bool) -> None:
    half = (width or 8) // 2
    inputs = {
        "x": random(2, 3, 16) if flat else random(2, 2, 3, 8),
        "c": random(50, half, seed=1),
        "s": random(50, half, seed=2),
        "p": np.array([[0, 1, 2], [7, 8, 49]], np.int64),
    }
    named = {"interleaved": interleaved, "rotary_embedding_dim": width}
    check("RotaryEmbedding", inputs, **(named | ({"num_heads": 2} if flat else {})))
    if not flat and not width:
        order = ["x", "p", "c", "s"]
        expected = run(node_model("RotaryEmbedding", inputs, interleaved=interleaved), inputs)
        named = {"order": order, "domain": MICROSOFT, "expected": expected}
        check("RotaryEmbedding", inputs, interleaved=interleaved, **named)


@pytest.mark.parametrize("axis", [-1, 1])
def test_rms_norm(axis: int) -> None:
    x, scale = random(2, 3, 4), random(*((4,) if axis == -1 else (3, 4)), seed=1)
    check("RMSNormalization", {"x": x, "s": scale}, axis=axis, atol=1e-4)


# ONNX Runtime's ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", ["none", "lengths", "keys", "pairs"])
@pytest.mark.parametrize("causal", [0, 1])
def test_packed_attention(mask: str, causal: int) -> None:
    x, w, bias = random(2, 5, 8), random(8, 24, seed=1), random(24, seed=2)
    inputs: dict[str, Array] = {"x": x}
    seen = np.ones((2, 1, 5, 5), bool)
    if mask == "lengths":
        inputs["m"] = np.array([3, 5], np.int32)
        seen &= (np.arange(5) < inputs["m"][:, None])[:, None, None]
    if mask == "keys":
        inputs["m"] = np.array([[1, 1, 0, 1, 1], [1, 1, 1, 0, 0]], np.int32)
        seen &= inputs["m"].astype(bool)[:, None, None]
    if mask == "pairs":
        inputs["m"] = np.tril(np.ones((2, 5, 5), np.int32), 1)
        seen &= inputs["m"].astype(bool)[:, None]
    if causal:
        seen &= np.tril(np.ones((5, 5), bool))
    q, k, v = (split(part, 2) for part in np.split(x @ w + bias, 3, -1))
    with np.errstate(divide="ignore"):
        expected = merged(attention(q, k, v, np.log(seen.astype(np.float32))))
    order = ["x", "w", "b", "m" if "m" in inputs else ""]
    named = {"known": {"w": w, "b": bias}, "order": order, "domain": MICROSOFT}
    more = {"num_heads": 2, "unidirectional": causal, "expected": [expected]}
    check("Attention", inputs, atol=1e-4, **named, **more)


def test_packed_attention_behind_a_past() -> None:
    x, w = random(1, 2, 8), random(8, 24, seed=1)
    past = random(2, 1, 2, 3, 4, seed=2)
    q, k, v = (split(part, 2) for part in np.split(x @ w, 3, -1))
    k, v = np.concatenate([past[0], k], 2), np.concatenate([past[1], v], 2)
    seen = np.tril(np.ones((2, 5), np.float32), 3)
    with np.errstate(divide="ignore"):
        expected = [merged(attention(q, k, v, np.log(seen))), np.stack([k, v])]
    inputs = {"x": x, "p": past}
    named = {"known": {"w": w}, "order": ["x", "w", "", "", "p"], "domain": MICROSOFT}
    more = {"num_heads": 2, "unidirectional": 1, "outputs": 2, "expected": expected}
    check("Attention", inputs, atol=1e-4, **named, **more)


def test_multi_head_attention() -> None:
    inputs = {n: random(2, 5 - i % 2, 8, seed=i) for i, n in enumerate("qk")}
    inputs["v"] = random(2, 4, 12, seed=3)
    bias = random(28, seed=4)
    extra = random(2, 2, 5, 4, seed=5)
    parts = np.split(bias, [8, 16])
    q, k, v = (split(inputs[n] + part, 2) for n, part in zip("qkv", parts, strict=True))
    expected = merged(attention(q, k, v, extra))
    inputs["e"] = extra
    named = {"known": {"b": bias}, "order": ["q", "k", "v", "b", "", "e"], "domain": MICROSOFT}
    check("MultiHeadAttention", inputs, num_heads=2, expected=[expected], atol=1e-4, **named)


@pytest.mark.parametrize("window", [-1, 2])
@pytest.mark.parametrize("past", [0, 3])
@pytest.mark.parametrize("packed", [False, True])
def test_group_query_attention(window: int, past: int, packed: bool) -> None:
    parts = [random(2, 2, n, seed=i) for i, n in enumerate((32, 16, 16))]
    q, k, v = split(parts[0], 4), split(parts[1], 2), split(parts[2], 2)
    inputs = dict(zip("qkv", parts, strict=True))
    if packed:
        inputs = {"q": np.concatenate(parts, -1)}
    if past:
        inputs |= {"pk": random(2, 2, past, 8, seed=3), "pv": random(2, 2, past, 8, seed=4)}
        k, v = np.concatenate([inputs["pk"], k], 2), np.concatenate([inputs["pv"], v], 2)
    known = {"n": np.full(2, past + 1, np.int32), "t": np.array(past + 2, np.int32)}
    apart = np.arange(past + 2)[None] - (np.arange(2)[:, None] + past)
    seen = (apart <= 0) & ((apart > -window) | (window < 0))
    with np.errstate(divide="ignore"):
        bias = np.log(seen.astype(np.float32))
    output = merged(attention(q, k.repeat(2, 1), v.repeat(2, 1), bias))
    order = [n if n in inputs or n in known else "" for n in ("q", "k", "v", "pk", "pv", "n", "t")]
    named = {"known": known, "order": order, "outputs": 3, "domain": MICROSOFT, "atol": 1e-4}
    more = {"num_heads": 4, "kv_num_heads": 2, "local_window_size": window}
    check("GroupQueryAttention", inputs, expected=[output, k, v], **named, **more)


def test_group_query_attention_of_other_lengths() -> None:
    inputs = {n: random(2, 3, 16, seed=i) for i, n in enumerate("qkv")}
    known = {"n": np.array([2, 1], np.int32), "t": np.array(3, np.int32)}
    named = {"known": known, "order": ["q", "k", "v", "", "", "n", "t"], "domain": MICROSOFT}
    model = node_model("GroupQueryAttention", inputs, num_heads=2, kv_num_heads=2, **named)
    with pytest.raises(CompileError, match="only sequences of 3 positions"):
        run(model, inputs)


def gelu(x: Array) -> Array:
    from math import erf

    found: Array = x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return found.astype(np.float32)


def test_activations() -> None:
    x, bias = random(4, 8), random(8, seed=1)
    total = x + bias
    inner = np.sqrt(2 / np.pi) * (total + 0.044715 * total**3)
    named: dict[str, Any] = {"domain": MICROSOFT, "atol": 1e-4}
    check("Gelu", {"x": x}, expected=[gelu(x)], **named)
    check("BiasGelu", {"x": x, "b": bias}, expected=[gelu(total)], **named)
    fast = 0.5 * total * (1 + np.tanh(inner))
    check("FastGelu", {"x": x, "b": bias}, expected=[fast.astype(np.float32)], **named)
    check("QuickGelu", {"x": x}, expected=[x / (1 + np.exp(np.float32(-1.702) * x))], **named)


def test_products() -> None:
    x, y, c = random(3, 4), random(5, 4, seed=1), random(5, seed=2)
    named: dict[str, Any] = {"domain": MICROSOFT, "atol": 1e-4}
    expected = np.float32(0.5) * (x @ y.T)
    check("FusedMatMul", {"x": x, "y": y}, alpha=0.5, transB=1, expected=[expected], **named)
    relu = np.maximum(expected + c, 0)
    more = {"alpha": 0.5, "transB": 1, "activation": "Relu"}
    check("FusedGemm", {"x": x, "y": y, "c": c}, expected=[relu], **more, **named)
    image, w = random(1, 2, 4, 4), random(3, 2, 1, 1, seed=1)
    found = np.einsum("nchw,oc->nohw", image, w[:, :, 0, 0])
    check("FusedConv", {"x": image, "w": w}, activation="Tanh", expected=[np.tanh(found)], **named)


def norm(x: Array, gamma: Array, beta: Any = 0.0, epsilon: float = 1e-12) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    found: Array = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
    return np.asarray(found * gamma + beta, np.float32)


def test_norms_of_sums() -> None:
    x, skip, gamma, beta, bias = (
        random(2, 3, 8),
        random(2, 3, 8, seed=1),
        *(random(8, seed=i) for i in (2, 3, 4)),
    )
    total = x + skip + bias
    named: dict[str, Any] = {"domain": MICROSOFT, "atol": 1e-4, "outputs": ["y", "", "", "sum"]}
    inputs = {"x": x, "k": skip, "g": gamma, "b": beta, "c": bias}
    expected = [norm(total, gamma, beta), total]
    check("SkipLayerNormalization", inputs, expected=expected, **named)
    del inputs["b"]
    root = np.sqrt((total**2).mean(-1, keepdims=True) + 1e-12)
    expected = [total / root * gamma, total]
    check("SkipSimplifiedLayerNormalization", inputs, expected=expected, **named)


def test_embedding_norm() -> None:
    words, segments = (
        np.array([[3, 0, 9], [1, 1, 5]], np.int32),
        np.array([[0, 0, 1], [0, 1, 1]], np.int32),
    )
    tables = {"w": random(10, 8), "p": random(5, 8, seed=1), "t": random(2, 8, seed=2)}
    known = {**tables, "g": random(8, seed=3), "b": random(8, seed=4)}
    mask = np.array([[1, 1, 0], [1, 1, 1]], np.int32)
    total = tables["w"][words] + tables["p"][:3] + tables["t"][segments]
    expected = [norm(total, known["g"], known["b"]), np.array([2, 3], np.int32)]
    inputs = {"i": words, "s": segments, "m": mask}
    order = ["i", "s", "w", "p", "t", "g", "b", "m"]
    named = {"known": known, "order": order, "outputs": 2, "domain": MICROSOFT}
    check("EmbedLayerNormalization", inputs, expected=expected, atol=1e-4, **named)


def test_unknown_activation() -> None:
    inputs = {"x": random(3, 4), "y": random(4, 5)}
    model = node_model("FusedGemm", inputs, domain=MICROSOFT, activation="Cube")
    with pytest.raises(CompileError, match="the activation 'Cube' is not supported"):
        run(model, inputs)


def test_op_of_runtime_that_is_not_supported() -> None:
    inputs = {"x": random(3, 4)}
    with pytest.raises(CompileError, match=r"com\.microsoft\.Sampling"):
        run(node_model("Sampling", inputs, domain=MICROSOFT), inputs)


def test_shapes_of_results() -> None:
    inputs = {n: random(2, 3, 4, 8, seed=i) for i, n in enumerate("qkv")}
    (found,) = run(node_model("Attention", inputs), inputs)
    assert_close(found, attention(*inputs.values()), atol=1e-4)
