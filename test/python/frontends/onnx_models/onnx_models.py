"""Small models that tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

F32 = TensorProto.FLOAT
I64 = TensorProto.INT64


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, tuple[int, Sequence[Any] | None]],
    outputs: Sequence[str],
    weights: Mapping[str, Any] | None = None,
    *,
    opset: int = 20,
    kinds: Sequence[int] = (),
    domains: Sequence[str] = (),
    functions: Sequence[onnx.FunctionProto] = (),
    name: str = "small",
) -> onnx.ModelProto:
    """A model of nodes; outputs are f32 unless ``kinds`` says what they are."""
    graph = helper.make_graph(
        list(nodes),
        name,
        [helper.make_tensor_value_info(n, kind, shape) for n, (kind, shape) in inputs.items()],
        [
            helper.make_tensor_value_info(n, kinds[i] if kinds else F32, None)
            for i, n in enumerate(outputs)
        ],
        [numpy_helper.from_array(np.asarray(v), n) for n, v in (weights or {}).items()],
    )
    opsets = [helper.make_opsetid(d, 1) for d in domains]
    opsets.insert(0, helper.make_opsetid("", opset))
    return helper.make_model(graph, opset_imports=opsets, functions=list(functions))


def perceptron(rows: Any = "batch") -> onnx.ModelProto:
    """Two layers of 64 and 128 neurons with weights of seed 0."""
    rng = np.random.default_rng(0)
    weights = {
        "up": rng.standard_normal((64, 128)).astype(np.float32) / 8,
        "offset": rng.standard_normal(128).astype(np.float32),
        "down": rng.standard_normal((128, 64)).astype(np.float32) / 11,
    }
    nodes = [
        helper.make_node("MatMul", ["x", "up"], ["wide"], name="layers.0/product"),
        helper.make_node("Add", ["wide", "offset"], ["shifted"], name="layers.0/bias"),
        helper.make_node("Relu", ["shifted"], ["positive"], name="layers.0/relu"),
        helper.make_node("MatMul", ["positive", "down"], ["y"], name="layers.1/product"),
    ]
    return model(nodes, {"x": (F32, [rows, 64])}, ["y"], weights, name="perceptron")


def expected(source: onnx.ModelProto, inputs: Mapping[str, Any]) -> list[Any]:
    """What onnx's reference computes."""
    from onnx.reference import ReferenceEvaluator

    return list(ReferenceEvaluator(source).run(None, dict(inputs)))
