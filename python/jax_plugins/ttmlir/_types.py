"""PJRT element types and NumPy dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

DType = np.dtype[Any]
Array = np.ndarray[Any, DType]
#: The number of the element type, and the extents.
TensorType = tuple[int, tuple[int, ...]]

_NAMES = (
    *("bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"),
)
#: Of ``ml_dtypes``; PJRT has tokens in between.
_SMALL = (
    *("float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e4m3fnuz"),
    *("int4", "uint4", "", "int2", "uint2"),
    *("float8_e4m3", "float8_e3m4", "float8_e8m0fnu", "float4_e2m1fn"),
)
_BY_NUMBER: dict[int, DType] = {
    **{number: np.dtype(name) for number, name in enumerate(_NAMES, 1)},
    len(_NAMES) + 1: np.dtype(ml_dtypes.bfloat16),
    len(_NAMES) + 2: np.dtype(np.complex64),
    len(_NAMES) + 3: np.dtype(np.complex128),
    **{
        number: np.dtype(getattr(ml_dtypes, name))
        for number, name in enumerate(_SMALL, len(_NAMES) + 4)
        if name
    },
}
_BY_DTYPE = {dtype: number for number, dtype in _BY_NUMBER.items()}


def dtype_of(number: int) -> DType:
    """Returns the dtype of a PJRT element type."""
    return _BY_NUMBER[number]


def number_of(dtype: DType) -> int:
    """Returns the PJRT element type of a dtype.

    Raises:
        NotImplementedError: the chips have no such type.
    """
    number = _BY_DTYPE.get(np.dtype(dtype))
    if number is None:
        raise NotImplementedError(
            f"elements of {np.dtype(dtype).name}: expected one of "
            f"{', '.join(d.name for d in _BY_DTYPE)}"
        )
    return number


def tensor_types(tensors: Sequence[tuple[Sequence[int], Any]]) -> list[TensorType]:
    """Converts pairs of a shape and a dtype."""
    return [(number_of(np.dtype(dtype)), tuple(map(int, shape))) for shape, dtype in tensors]


def mlir_type(tensor: TensorType) -> str:
    """Formats extents and element type as MLIR does between the brackets: ``2x3xf32``."""
    number, shape = tensor
    dtype = dtype_of(number)
    extents = "".join(f"{extent}x" for extent in shape)
    if dtype.kind == "c":
        return f"{extents}complex<f{dtype.itemsize * 4}>"
    if dtype.name in _SMALL:
        from ttmlir.builder._dtypes import ELEMENTS, canonical

        return extents + ELEMENTS[canonical(dtype, border=True)].element.removeprefix("s")
    kind = {"b": "i", "i": "i", "u": "ui", "f": "f", "V": "bf"}[dtype.kind]
    bits = 1 if dtype.kind == "b" else dtype.itemsize * 8
    return f"{extents}{kind}{bits}"
