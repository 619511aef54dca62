"""Formats of elements: names, types in the IR, and what holds them in NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np


class Format(NamedTuple):
    """``element``: the type in the IR. ``tile``: the format of its tiles, ``block`` for those that
    are always stored in tiles, of another format than the element type's own."""

    element: str
    tile: str
    numpy: str
    block: bool = False


#: Formats by name.
DTYPES: dict[str, Format] = {
    "f32": Format("f32", "f32", "float32"),
    "f16": Format("f16", "f16", "float16"),
    "bf16": Format("bf16", "bf16", "bfloat16"),
    "i32": Format("si32", "si32", "int32"),
    "u32": Format("i32", "u32", "uint32"),
    "u16": Format("i16", "u16", "uint16"),
    "u8": Format("i8", "u8", "uint8"),
    "bfp8": Format("f16", "bfp_f8", "float16", True),
    "bfp4": Format("f16", "bfp_f4", "float16", True),
    "bfp2": Format("f16", "bfp_f2", "float16", True),
    "bfp8_b": Format("bf16", "bfp_bf8", "bfloat16", True),
    "bfp4_b": Format("bf16", "bfp_bf4", "bfloat16", True),
    "bfp2_b": Format("bf16", "bfp_bf2", "bfloat16", True),
}

# Long names that NumPy and PyTorch use.
_SYNONYMS = {format.numpy: name for name, format in DTYPES.items() if not format.block}


def canonical(dtype: Any) -> str:
    """The key of ``DTYPES`` for a name or a dtype of NumPy or PyTorch."""
    if isinstance(dtype, str):
        name = dtype
    else:
        # torch.float32 has no name but a text.
        name = getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]
        name = name if name in _SYNONYMS else np.dtype(dtype).name
    name = _SYNONYMS.get(name, name)
    if name not in DTYPES:
        raise ValueError(f"unknown dtype {dtype!r}: expected one of {', '.join(DTYPES)}")
    return name


def element_dtype(dtype: str) -> str:
    """The dtype of the elements: block floats are a way of storing bf16 or f16."""
    format = DTYPES[dtype]
    return format.element if format.block else dtype


def numpy_dtype(dtype: str) -> np.dtype[Any]:
    """NumPy's dtype of the elements of a constant."""
    name = DTYPES[dtype].numpy
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def is_float(dtype: str) -> bool:
    return DTYPES[dtype].numpy.rstrip("0123456789") in ("float", "bfloat")
