"""Models between QuantizeLinear and DequantizeLinear, against onnx's reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from nodes import model_of, random, reference

import ttmlir

Array = np.ndarray[Any, Any]
_PRODUCTS = ("Conv", "MatMul")


def quantized(
    nodes: Sequence[onnx.NodeProto], known: dict[str, Array], samples: Sequence[dict[str, Array]]
) -> tuple[list[onnx.NodeProto], dict[str, Array]]:
    """Puts QuantizeLinear and DequantizeLinear in front of products, with observed scales."""
    found: list[onnx.NodeProto] = []
    numbers = dict(known)
    for i, node in enumerate(nodes):
        if node.op_type in _PRODUCTS:
            source, weight = node.input[:2]
            seen = [_value(nodes[:i], known, sample, source) for sample in samples]
            low = min(0.0, *(float(x.min()) for x in seen))
            high = max(0.0, *(float(x.max()) for x in seen))
            scale = (high - low) / 255
            axis = 0 if node.op_type == "Conv" else 1
            others = tuple(d for d in range(known[weight].ndim) if d != axis)
            scales = (np.abs(known[weight]).max(others) / 127).astype(np.float32)
            shape = [-1 if d == axis else 1 for d in range(known[weight].ndim)]
            numbers |= {
                f"s{i}": np.array(scale, np.float32),
                f"z{i}": np.array(np.rint(-low / scale), np.uint8),
                f"w{i}": np.rint(known[weight] / scales.reshape(shape)).astype(np.int8),
                f"t{i}": scales,
                f"y{i}": np.zeros(len(scales), np.int8),
            }
            make = onnx.helper.make_node
            found += [
                make("QuantizeLinear", [source, f"s{i}", f"z{i}"], [f"q{i}"]),
                make("DequantizeLinear", [f"q{i}", f"s{i}", f"z{i}"], [f"x{i}"]),
                make("DequantizeLinear", [f"w{i}", f"t{i}", f"y{i}"], [f"v{i}"], axis=axis),
            ]
            own = onnx.NodeProto()
            own.CopyFrom(node)
            own.input[0], own.input[1] = f"x{i}", f"v{i}"
            node = own
        found.append(node)
    used = {name for node in found for name in node.input}
    return found, {name: x for name, x in numbers.items() if name in used}


def _value(
    nodes: Sequence[onnx.NodeProto], known: dict[str, Array], sample: dict[str, Array], name: str
) -> Array:
    if name in sample:
        return sample[name]
    return np.asarray(reference(model_of(nodes, sample, [name], known=known), sample)[0])


def resnet() -> tuple[list[onnx.NodeProto], dict[str, Array], int]:
    """A residual block between two convolutions, of images of 3x16x16."""
    make = onnx.helper.make_node
    known = {
        "a": random(16, 3, 3, 3, seed=1) / 5,
        "b": random(16, 16, 3, 3, seed=2) / 12,
        "c": random(16, 16, 3, 3, seed=3) / 12,
        "d": random(16, 10, seed=4) / 4,
        "e": random(16, seed=5) / 10,
    }
    pads = {"pads": [1, 1, 1, 1]}
    nodes = [
        make("Conv", ["x", "a", "e"], ["h0"], **pads),
        make("Relu", ["h0"], ["h1"]),
        make("Conv", ["h1", "b"], ["h2"], **pads),
        make("Relu", ["h2"], ["h3"]),
        make("Conv", ["h3", "c", "e"], ["h4"], **pads),
        make("Add", ["h4", "h1"], ["h5"]),
        make("Relu", ["h5"], ["h6"]),
        make("GlobalAveragePool", ["h6"], ["h7"]),
        make("Flatten", ["h7"], ["h8"]),
        make("MatMul", ["h8", "d"], ["y"]),
    ]
    return nodes, known, 4


def encoder() -> tuple[list[onnx.NodeProto], dict[str, Array], int]:
    """Self-attention with one head and two products behind it, of 24 tokens of 64 numbers."""
    make = onnx.helper.make_node
    known = {name: random(64, 64, seed=n) / 8 for n, name in enumerate("qkvo")}
    known |= {
        "u": random(64, 256, seed=7) / 8,
        "d": random(256, 64, seed=8) / 16,
        "g": np.ones(64, np.float32),
        "root": np.array(0.125, np.float32),
    }
    nodes = [
        make("MatMul", ["x", "q"], ["h0"]),
        make("MatMul", ["x", "k"], ["h1"]),
        make("MatMul", ["x", "v"], ["h2"]),
        make("Transpose", ["h1"], ["h3"], perm=[1, 0]),
        make("Gemm", ["h0", "h3"], ["h4"]),
        make("Mul", ["h4", "root"], ["h5"]),
        make("Softmax", ["h5"], ["h6"], axis=-1),
        make("Gemm", ["h6", "h2"], ["h7"]),
        make("MatMul", ["h7", "o"], ["h8"]),
        make("Add", ["h8", "x"], ["h9"]),
        make("LayerNormalization", ["h9", "g"], ["h10"]),
        make("MatMul", ["h10", "u"], ["h11"]),
        make("Gelu", ["h11"], ["h12"]),
        make("MatMul", ["h12", "d"], ["h13"]),
        make("Add", ["h13", "h10"], ["y"]),
    ]
    return nodes, known, 6


@pytest.mark.parametrize(
    ("make", "shape"), [(resnet, (1, 3, 16, 16)), (encoder, (24, 64))], ids=["resnet", "encoder"]
)
def test_model(make: Any, shape: tuple[int, ...]) -> None:
    nodes, known, products = make()
    samples = [{"x": random(*shape, seed=n)} for n in range(20, 23)]
    small, numbers = quantized(nodes, known, samples)
    model = model_of(small, samples[0], ["y"], known=numbers)
    exe = ttmlir.compile(model, remarks="ttir-integer-products")
    assert [r.decision for r in exe.remarks].count("Integers") == products
    sample = {"x": random(*shape, seed=30)}
    found = np.asarray(exe(sample["x"]))
    for expected, least in (
        (reference(model, sample)[0], 0.999),
        (reference(model_of(nodes, sample, ["y"], known=known), sample)[0], 0.99),
    ):
        assert np.corrcoef(found.ravel(), np.asarray(expected).ravel())[0, 1] > least
