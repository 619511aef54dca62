"""Evaluates nodes whose inputs are known with onnx's reference."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from ttmlir.builder import Tensor
from ttmlir.frontends.onnx._op import Op, Value
from ttmlir.frontends.onnx._types import NUMPY

#: Op types with different results in each call.
RANDOM = frozenset(
    {
        "Bernoulli",
        "Dropout",
        "Multinomial",
        "RandomNormal",
        "RandomNormalLike",
        "RandomUniform",
        "RandomUniformLike",
    }
)

#: Op types whose result shapes depend on the values of inputs after the first.
_BY_VALUE = frozenset(
    {
        "CenterCropPad",
        "Compress",
        "Expand",
        "OneHot",
        "Pad",
        "Reshape",
        "Resize",
        "Slice",
        "Split",
        "Squeeze",
        "Tile",
        "TopK",
        "Unsqueeze",
    }
)


def _says_shape(op: Op, i: int) -> bool:
    """Whether the shapes of outputs depend on the value of input ``i``."""
    name = op.node.op_type
    return i > 0 and (name.startswith("Reduce") or name in _BY_VALUE)


def evaluated(op: Op, inputs: Sequence[Value]) -> list[Any] | None:
    """Returns the outputs of a node, None if onnx's reference cannot compute them."""
    node = op.node
    given = {name: x for name, x in zip(node.input, inputs, strict=False) if name}
    nothing = onnx.TypeProto()
    graph = onnx.helper.make_graph(
        [node],
        "node",
        [onnx.helper.make_value_info(name, nothing) for name in given],
        [onnx.helper.make_value_info(name, nothing) for name in node.output if name],
    )
    opsets = [onnx.helper.make_opsetid(d, v) for d, v in op.scope.opsets.items()]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            model = onnx.helper.make_model(graph, opset_imports=opsets)
            found: Any = ReferenceEvaluator(model).run(None, given)
    except Exception:
        # The reference is incomplete; the node is then imported like one with unknown inputs.
        return None
    results = iter(found)
    outputs = [_array(next(results)) if name else None for name in node.output]
    return outputs


def _array(x: Any) -> Any:
    """Converts a value of the reference, whose scalars are not arrays."""
    if isinstance(x, list):
        return [_array(e) for e in x]
    return x if x is None else np.asarray(x)


def emptied(op: Op, inputs: Sequence[Value]) -> list[Any] | None:
    """Returns the outputs of a node if all are empty, which happens if an input is empty; None
    otherwise."""
    if not any(isinstance(x, np.ndarray) and x.size == 0 for x in inputs):
        return None
    if any(isinstance(x, Tensor) and _says_shape(op, i) for i, x in enumerate(inputs)):
        return None
    zeros = [np.zeros(x.shape, NUMPY[x.dtype]) if isinstance(x, Tensor) else x for x in inputs]
    found = evaluated(op, zeros)
    if found is None or any(not isinstance(x, np.ndarray) or x.size for x in found):
        return None
    return found
