"""StableHLO element types, with their builder and NumPy names."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder._dtypes import SMALL_FLOATS, SMALL_INTEGERS, array_dtype
from ttmlir.frontends.stablehlo._quantized_types import quantized_of, storage_array

Shape = tuple[int, ...]
Array = np.ndarray[Any, np.dtype[Any]]

#: Builder name and NumPy type by element type.
ELEMENTS: dict[str, tuple[str, np.dtype[Any]]] = {
    "i1": ("bool", np.dtype(np.bool_)),
    "i8": ("i8", np.dtype(np.int8)),
    "i16": ("i16", np.dtype(np.int16)),
    "i32": ("i32", np.dtype(np.int32)),
    "i64": ("i64", np.dtype(np.int64)),
    "ui8": ("u8", np.dtype(np.uint8)),
    "ui16": ("u16", np.dtype(np.uint16)),
    "ui32": ("u32", np.dtype(np.uint32)),
    "ui64": ("u64", np.dtype(np.uint64)),
    "f16": ("f16", np.dtype(np.float16)),
    "bf16": ("bf16", np.dtype(ml_dtypes.bfloat16)),
    "f32": ("f32", np.dtype(np.float32)),
    "f64": ("f64", np.dtype(np.float64)),
    **{format.element: (name, array_dtype(name)) for name, format in SMALL_FLOATS.items()},
    **{
        format.element.removeprefix("s"): (name, array_dtype(name))
        for name, format in SMALL_INTEGERS.items()
    },
}
#: Complex element types: the builder name of the parts, and the NumPy type.
COMPLEX: dict[str, tuple[str, np.dtype[Any]]] = {
    "complex<f32>": ("f32", np.dtype(np.complex64)),
    "complex<f64>": ("f64", np.dtype(np.complex128)),
}
#: NumPy types by builder name.
NUMPY: dict[str, np.dtype[Any]] = dict(ELEMENTS.values())

FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
UNSIGNED = frozenset({"u8", "u16", "u32", "u64"})


def is_token(kind: Any) -> bool:
    """Whether it is a token type, which has no value."""
    return str(kind) == "!stablehlo.token"


def unsupported(kind: Any) -> str:
    """Returns why values of a type are not supported and a remedy; empty if they are."""
    if is_token(kind):
        return ""
    try:
        tensor = ir.RankedTensorType(kind)
    except ValueError:
        text = str(kind)
        if text.startswith(("tuple<", "!stablehlo.future<")):
            return ""
        if text.startswith("tensor<*"):
            return f"{text} has no rank: lower the program for concrete shapes"
        return f"values of type {text} are not supported: pass tensors"
    element = str(tensor.element_type)
    if not tensor.has_static_shape:
        return f"the shape of {kind} is dynamic: lower the program for concrete shapes"
    try:
        if quantized_of(kind) is not None and element in FLOATS:
            return ""
    except ValueError as error:
        return str(error)
    if element in ELEMENTS or element in COMPLEX:
        return ""
    return f"elements of type {element} are not supported: convert to float32 or int32"


def shape_of(kind: Any) -> Shape:
    """Returns the extents of a tensor type."""
    return tuple(ir.RankedTensorType(kind).shape)


def dtype_of(kind: Any) -> str:
    """Returns the builder's name of a tensor's element type; for complex numbers that of the parts,
    and for quantized elements that of the expressed type."""
    return _element(kind)[0]


def numpy_of(kind: Any) -> np.dtype[Any]:
    """Returns the NumPy type of a tensor's elements; for quantized elements that of the stored
    integers."""
    quantized = quantized_of(kind)
    return _element(kind)[1] if quantized is None else storage_array(quantized)


def is_complex(kind: Any) -> bool:
    """Whether it is a complex tensor type."""
    text = str(kind)
    return text.startswith("tensor<") and "complex<" in text


def _element(kind: Any) -> tuple[str, np.dtype[Any]]:
    name = str(ir.RankedTensorType(kind).element_type)
    return COMPLEX[name] if name in COMPLEX else ELEMENTS[name]


def lowest(dtype: str) -> float | int | bool:
    """Returns the lowest number of a type: the maximum of an empty set."""
    if dtype == "bool":
        return False
    return -np.inf if dtype in FLOATS else int(np.iinfo(NUMPY[dtype]).min)


def highest(dtype: str) -> float | int | bool:
    """Returns the highest number of a type: the minimum of an empty set."""
    if dtype == "bool":
        return True
    return np.inf if dtype in FLOATS else int(np.iinfo(NUMPY[dtype]).max)
