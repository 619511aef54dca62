"""Formats of elements: names, and what holds them in NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes  # noqa: F401  (makes bfloat16 known to NumPy)
import numpy as np

from ttmlir._formats import FORMATS

#: Formats by name.
DTYPES = FORMATS

# Names in the IR, and the long names that NumPy and PyTorch use.
_SYNONYMS = {
    **{format.tile: name for name, format in DTYPES.items()},
    **{format.numpy: name for name, format in DTYPES.items() if not format.block},
}


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


def array_dtype(dtype: str) -> np.dtype[Any]:
    """NumPy's dtype of the elements of a constant."""
    return np.dtype(DTYPES[dtype].numpy)


def is_float(dtype: str) -> bool:
    return DTYPES[dtype].numpy.rstrip("0123456789") in ("float", "bfloat")
