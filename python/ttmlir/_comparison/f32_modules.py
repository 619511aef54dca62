"""Converts programs to f32, the baseline for accuracy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir import ir
from ttmlir.errors import Error

_FLOATS = (ir.BF16Type, ir.F16Type)
_NUMPY = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}


def to_f32(module: ir.Module) -> None:
    """Changes the 16-bit floats of a TTIR module to f32 and removes the layouts, in place."""
    with module.context, ir.Location.unknown():
        for op in list(_walk(module.operation)):
            if op.name == "ttir.to_layout":
                # Without layouts it has no effect.
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
                continue
            for name, value in list(op.attributes.items()):
                op.attributes[name] = _attribute(value)
            for value in (*op.results, *_arguments(op)):
                value.set_type(_type(value.type))


def return_all(module: ir.Module, names: Sequence[str]) -> None:
    """Appends the ops of those names to the results of their function, in place.

    Raises:
        Error: the module has several functions.
    """
    with module.context, ir.Location.unknown():
        functions = [op for op in module.body.operations if op.operation.name == "func.func"]
        if len(functions) != 1:
            raise Error(f"accuracy of each op: expected one function, found {len(functions)}")
        [function] = functions
        block = function.regions[0].blocks[0]
        by_name = {
            op.location.name_str: op.results[0]
            for op in block.operations
            if op.operation.location.is_a_name() and len(op.results) and op.name != "tensor.empty"
        }
        end = list(block.operations)[-1]
        values = [*end.operands, *(by_name[name] for name in names)]
        types = [value.type for value in values]
        with ir.InsertionPoint.at_block_terminator(block):
            ir.Operation.create("func.return", operands=values)
        end.operation.erase()
        inputs = [argument.type for argument in block.arguments]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, types))
        if "res_attrs" in function.attributes:
            del function.attributes["res_attrs"]


def _walk(operation: Any) -> Iterator[Any]:
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                yield op.operation
                yield from _walk(op.operation)


def _arguments(op: Any) -> Iterator[Any]:
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def _type(type: Any) -> Any:
    if isinstance(type, ir.FunctionType):
        return ir.FunctionType.get([*map(_type, type.inputs)], [*map(_type, type.results)])
    if isinstance(type, ir.RankedTensorType):
        return ir.RankedTensorType.get(type.shape, _type(type.element_type))
    return ir.F32Type.get() if isinstance(type, _FLOATS) else type


def _attribute(value: Any) -> Any:
    if isinstance(value, ir.TypeAttr):
        return ir.TypeAttr.get(_type(value.value))
    if isinstance(value, ir.FloatAttr) and isinstance(value.type, _FLOATS):
        return ir.FloatAttr.get(ir.F32Type.get(), value.value)
    if isinstance(value, ir.DenseElementsAttr):
        return _elements(value)
    return value


def _elements(value: Any) -> Any:
    element = value.type.element_type
    if not isinstance(element, _FLOATS):
        return value
    text = str(value)
    if digits := re.match(r'dense<"0x([0-9A-F]+)">', text):
        array = np.frombuffer(bytes.fromhex(digits[1]), _NUMPY[str(element)])
        if array.size == 1:  # A splat.
            array = np.full(value.type.shape, array[0])
        floats = array.astype(np.float32).reshape(value.type.shape)
        return ir.DenseElementsAttr.get(floats.data)
    return ir.Attribute.parse(text.replace(f"x{element}", "xf32").replace(f"<{element}", "<f32"))
