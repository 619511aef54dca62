"""Element formats: names, and the NumPy dtypes that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir._formats import FORMATS, Format

#: Formats by name.
DTYPES = FORMATS


def _border(element: str, numpy: str) -> Format:
    return Format(element, "", numpy, False, "", 0, 0, "")


#: Floats of up to 8 bits, which the device stores as bf16.
SMALL_FLOATS = {
    name.replace("float", "f"): _border(f"f{name[5:].replace('_', '').upper()}", name)
    for name in (
        *("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"),
        *("float8_e4m3b11fnuz", "float8_e4m3", "float8_e3m4", "float8_e8m0fnu"),
        *("float6_e3m2fn", "float6_e2m3fn", "float4_e2m1fn"),
    )
}
#: Integers that the device stores in 8 bits.
SMALL_INTEGERS = {
    "i4": _border("si4", "int4"),
    "u4": _border("ui4", "uint4"),
    "i2": _border("si2", "int2"),
    "u2": _border("ui2", "uint2"),
}
#: Types of arguments and results: the device computes wide ones in fewer bits, and stores small
#: ones in more.
BORDER = {
    "bool": _border("i1", "bool"),
    "i64": _border("si64", "int64"),
    "u64": _border("ui64", "uint64"),
    "f64": _border("f64", "float64"),
    **SMALL_FLOATS,
    **SMALL_INTEGERS,
}
#: All element types of tensors in a program.
ELEMENTS = {**DTYPES, **BORDER}

# Names in the IR, and the long names in NumPy and PyTorch.
_SYNONYMS = {
    **{format.tile: name for name, format in DTYPES.items()},
    **{format.numpy: name for name, format in DTYPES.items() if not format.block},
}
_BORDER_SYNONYMS = {
    spelling: name for name, format in BORDER.items() for spelling in (format.element, format.numpy)
}


def canonical(dtype: Any, border: bool = False) -> str:
    """Returns the key in ``DTYPES``, or in ``ELEMENTS`` with ``border``, of a name or a NumPy or
    PyTorch dtype."""
    if border and isinstance(dtype, str) and dtype.startswith("!quant.uniform"):
        return dtype
    synonyms = {**_SYNONYMS, **(_BORDER_SYNONYMS if border else {})}
    known = ELEMENTS if border else DTYPES
    if isinstance(dtype, str):
        name = dtype
    else:
        # The name of torch.float32 is only available as text.
        name = getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]
        name = name if name in synonyms else np.dtype(dtype).name
    name = synonyms.get(name, name)
    if name not in known:
        raise ValueError(f"unknown dtype {dtype!r}: expected one of {', '.join(known)}")
    return name


def element_dtype(dtype: str) -> str:
    """Returns the dtype of the elements: block floats store bf16 or f16."""
    format = ELEMENTS.get(dtype)
    return format.element if format is not None and format.block else dtype


def quantized(
    scale: float | Sequence[float],
    zero_point: int | Sequence[int] = 0,
    storage: str = "i8",
    axis: int | None = None,
) -> str:
    """The dtype of a quantized tensor, the text of its type in the IR.

    Args:
        scale: of the tensor, or of each place along ``axis``.
        zero_point: likewise.
        storage: ``i8``, ``u8``, ``i16``, ``u16`` or ``i32``.
        axis: the dimension that has a scale for each place.
    """
    scales = np.atleast_1d(np.asarray(scale, np.float64))
    zeros = np.broadcast_to(np.asarray(zero_point), scales.shape)
    # IR has no 1e-05 without a point.
    numbers = ", ".join(
        f"{np.format_float_positional(s, trim='0')}:{int(z)}"
        for s, z in zip(scales, zeros, strict=True)
    )
    if axis is None:
        return f"!quant.uniform<{storage}:f32, {numbers}>"
    return f"!quant.uniform<{storage}:f32:{axis}, {{{numbers}}}>"


def array_dtype(dtype: str) -> np.dtype[Any]:
    """NumPy's dtype of the elements of a constant."""
    name = ELEMENTS[dtype].numpy
    return np.dtype(getattr(ml_dtypes, name, name))


def is_float(dtype: str) -> bool:
    return dtype in ELEMENTS and ELEMENTS[dtype].numpy.startswith(("float", "bfloat"))
