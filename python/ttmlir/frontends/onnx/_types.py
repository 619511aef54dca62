"""ONNX element types, with their builder and NumPy names."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import onnx

from ttmlir.builder._dtypes import SMALL_FLOATS, SMALL_INTEGERS, array_dtype
from ttmlir.frontends.dtype_policy import FLOATS as FLOATS

Shape = tuple[int, ...]
Array = np.ndarray[Any, np.dtype[Any]]

#: Builder names by ONNX element type.
ELEMENTS: dict[np.dtype[Any], str] = {
    np.dtype("bool"): "bool",
    np.dtype("int8"): "i8",
    np.dtype("int16"): "i16",
    np.dtype("int32"): "i32",
    np.dtype("int64"): "i64",
    np.dtype("uint8"): "u8",
    np.dtype("uint16"): "u16",
    np.dtype("uint32"): "u32",
    np.dtype("uint64"): "u64",
    np.dtype("float16"): "f16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype("float32"): "f32",
    np.dtype("float64"): "f64",
    **{array_dtype(name): name for name in (*SMALL_FLOATS, *SMALL_INTEGERS)},
}
#: ONNX element types by builder name.
NUMPY: dict[str, np.dtype[Any]] = {name: dtype for dtype, name in ELEMENTS.items()}
UNSIGNED = frozenset({"u8", "u16", "u32", "u64"})
#: Words of the random state.
STATE = 4


def element_of(kind: int) -> np.dtype[Any]:
    """Returns NumPy's dtype of an ONNX element type."""
    found: np.dtype[Any] = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(kind))
    return found


def dense_of(values: Array, indices: Array, shape: Shape) -> Array:
    """Converts a sparse tensor with ``values`` at ``indices`` to a dense one."""
    found = np.zeros(math.prod(shape), values.dtype)
    places = np.ravel_multi_index(tuple(indices.T), shape) if indices.ndim > 1 else indices
    found[places] = values
    return found.reshape(shape)


def known_tensor(tensor: onnx.TensorProto | onnx.SparseTensorProto) -> Array:
    """Returns the elements of a tensor attribute."""
    to_array = onnx.numpy_helper.to_array
    if isinstance(tensor, onnx.SparseTensorProto):
        values, indices = to_array(tensor.values), to_array(tensor.indices)
        return dense_of(values, indices, tuple(tensor.dims))
    found: Array = to_array(tensor)
    return found


def kind_name(kind: int) -> str:
    """Returns ONNX's name of an element type."""
    return str(onnx.TensorProto.DataType.Name(kind)).lower()


def unsupported(dtype: np.dtype[Any]) -> str:
    """Returns why a dtype is not supported and a remedy; empty if it is."""
    if dtype in ELEMENTS:
        return ""
    if dtype.kind in "OUS":
        return "strings are not supported at run time: compute with them on the host"
    if dtype.kind == "c":
        return "complex numbers are not supported: compute with the real and the imaginary part"
    return (
        f"elements of type {dtype.name} are supported in constants only: convert them to float32 "
        "or int8 on the host"
    )


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
