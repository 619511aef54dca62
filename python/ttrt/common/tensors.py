"""Inputs and outputs of `ttrt run`, in numpy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ttrt.common.paths import fresh

Array = np.ndarray[Any, Any]


def describe(ref: dict[str, Any]) -> tuple[tuple[int, ...], str]:
    """Shape and data type of a TensorRef of the flatbuffer."""
    desc = ref["desc"]
    return tuple(desc["shape"]), desc["layout"]["memory_desc"]["data_type"]


def initialize(
    init: str, shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator
) -> Array:
    """A tensor for `--init`; unsigned integers get randn's absolute value, rounded."""
    volume = math.prod(shape)
    if init == "zeros":
        return np.zeros(shape, dtype)
    if init == "arange":
        numbers = np.arange(volume)
        return (numbers % 2 if dtype == np.bool_ else numbers).astype(dtype).reshape(shape)
    values = rng.standard_normal(volume, dtype=np.float32)
    if dtype == np.bool_:
        return (values > 0).reshape(shape)
    if np.issubdtype(dtype, np.unsignedinteger):
        values = np.rint(np.abs(values))
    return values.astype(dtype).reshape(shape)


def save(folder: Path, name: str, array: Array) -> Path:
    """Writes ``name``.pt where torch is installed, else ``name``.npy."""
    try:
        import torch
    except ImportError:
        target = fresh(folder / f"{name}.npy")
        # numpy's file format has no bfloat16: float32 holds every value of it.
        np.save(target, array.astype(np.float32) if array.dtype.kind == "V" else array)
        return target
    target = fresh(folder / f"{name}.pt")
    if array.dtype == ml_dtypes.bfloat16:
        tensor = torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.ascontiguousarray(array))
    torch.save(tensor, target)
    return target
