"""Formats of elements: names, and what holds them in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes  # noqa: F401  (makes bfloat16 known to NumPy)
import numpy as np

from ttmlir._formats import FORMATS, Format

#: Formats by name.
DTYPES = FORMATS


def _border(element: str, numpy: str) -> Format:
    return Format(element, "", numpy, False, "", 0, 0, "")


#: What programs have at their borders, and the device in fewer bits.
BORDER = {
    "bool": _border("i1", "bool"),
    "i64": _border("si64", "int64"),
    "u64": _border("ui64", "uint64"),
    "f64": _border("f64", "float64"),
}
#: All that a tensor of a program may have.
ELEMENTS = {**DTYPES, **BORDER}

# Names in the IR, and the long names that NumPy and PyTorch use.
_SYNONYMS = {
    **{format.tile: name for name, format in DTYPES.items()},
    **{format.numpy: name for name, format in DTYPES.items() if not format.block},
}
_BORDER_SYNONYMS = {
    spelling: name for name, format in BORDER.items() for spelling in (format.element, format.numpy)
}


def canonical(dtype: Any, border: bool = False) -> str:
    """The key of ``DTYPES``, or of ``ELEMENTS`` with ``border``, for a name or a dtype of NumPy or
    PyTorch."""
    if border and isinstance(dtype, str) and dtype.startswith("!quant.uniform"):
        return dtype
    synonyms = {**_SYNONYMS, **(_BORDER_SYNONYMS if border else {})}
    known = ELEMENTS if border else DTYPES
    if isinstance(dtype, str):
        name = dtype
    else:
        # torch.float32 has no name but a text.
        name = getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]
        name = name if name in synonyms else np.dtype(dtype).name
    name = synonyms.get(name, name)
    if name not in known:
        raise ValueError(f"unknown dtype {dtype!r}: expected one of {', '.join(known)}")
    return name


def element_dtype(dtype: str) -> str:
    """The dtype of the elements: block floats are a way of storing bf16 or f16."""
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
    return np.dtype(ELEMENTS[dtype].numpy)


def is_float(dtype: str) -> bool:
    return dtype in ELEMENTS and ELEMENTS[dtype].numpy.rstrip("0123456789") in ("float", "bfloat")
