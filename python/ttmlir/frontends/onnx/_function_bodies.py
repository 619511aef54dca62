"""Function bodies of ONNX ops, from the model or the schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx

from ttmlir.builder import Tensor
from ttmlir.frontends.onnx._op import Op, Value
from ttmlir.frontends.onnx._types import NUMPY


def schema_of(node: onnx.NodeProto, opset: int) -> Any:
    """Returns the schema of a node; None for an unknown op type."""
    try:
        return onnx.defs.get_schema(node.op_type, opset, node.domain)
    except onnx.defs.SchemaError:
        return None


def body_of(
    op: Op, inputs: Sequence[Value], own: Mapping[tuple[str, str, str], onnx.FunctionProto]
) -> onnx.FunctionProto | None:
    """Returns the function that a node calls, with the node's attributes bound.

    Args:
        op: the node.
        inputs: of the node; the function may depend on their types.
        own: the model's functions by domain, name and overload.
    """
    node = op.node
    function = own.get((node.domain, node.op_type, node.overload))
    defaults: dict[str, onnx.AttributeProto] = {}
    if function is not None:
        defaults = {a.name: a for a in function.attribute_proto}
    else:
        domain = "" if node.domain == "ai.onnx" else node.domain
        schema = schema_of(node, op.scope.opsets.get(domain, 1))
        if schema is None:
            return None
        function = _of_schema(schema, node, inputs, op.scope.opsets.get(domain, 1))
        if function is None:
            return None
        defaults = {
            name: a.default_value for name, a in schema.attributes.items() if a.default_value.name
        }
    given = {**defaults, **{a.name: a for a in node.attribute}}
    bound = onnx.FunctionProto()
    bound.CopyFrom(function)
    for inner in bound.node:
        _bind(inner, given)
    return bound


def _of_schema(
    schema: Any, node: onnx.NodeProto, inputs: Sequence[Value], opset: int
) -> onnx.FunctionProto | None:
    if schema.has_function:
        version = _version(schema.function_opset_versions, opset)
        text = schema.get_function_with_opset_version(version)
        return text if isinstance(text, onnx.FunctionProto) else onnx.FunctionProto.FromString(text)
    if schema.has_context_dependent_function:
        version = _version(schema.context_dependent_function_opset_versions, opset)
        types = [_type_of(x).SerializeToString() for x in inputs]
        text = schema.get_context_dependent_function_with_opset_version(
            version, node.SerializeToString(), types
        )
        return onnx.FunctionProto.FromString(text) if text else None
    return None


def _version(versions: Sequence[int], opset: int) -> int:
    """Returns the newest body in an operator set, or one for newer sets, which is equivalent."""
    return int(max((v for v in versions if v <= opset), default=min(versions)))


def _type_of(x: Value) -> onnx.TypeProto:
    if not isinstance(x, (Tensor, np.ndarray)):
        return onnx.TypeProto()
    dtype = NUMPY[x.dtype] if isinstance(x, Tensor) else x.dtype
    kind = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    return onnx.helper.make_tensor_type_proto(kind, x.shape)


def _bind(node: onnx.NodeProto, given: Mapping[str, onnx.AttributeProto]) -> None:
    """Substitutes the call's attributes for references to them."""
    bound = []
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            value = given.get(attribute.ref_attr_name)
            if value is not None:
                copy = onnx.AttributeProto()
                copy.CopyFrom(value)
                copy.name = attribute.name
                bound.append(copy)
            continue
        for graph in [attribute.g, *attribute.graphs]:
            for inner in graph.node:
                _bind(inner, given)
        bound.append(attribute)
    copies = [onnx.AttributeProto.FromString(a.SerializeToString()) for a in bound]
    del node.attribute[:]
    node.attribute.extend(copies)
