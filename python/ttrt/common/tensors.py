"""Inputs and outputs of `ttrt run` in numpy."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ttrt.common.errors import TTRTError
from ttrt.common.paths import fresh

Array = np.ndarray[Any, Any]


def initialize(
    init: str, shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator
) -> Array:
    """Creates a tensor for `--init`; unsigned integers get randn's absolute value, rounded."""
    volume = math.prod(shape)
    if init == "zeros":
        return np.zeros(shape, dtype)
    if init == "arange":
        numbers = np.arange(volume)
        return (numbers % 2 if dtype == np.bool_ else numbers).astype(dtype).reshape(shape)
    values = rng.standard_normal(volume, dtype=np.float32)
    if dtype == np.bool_:
        return (values > 0).reshape(shape)
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * rng.standard_normal(volume, dtype=np.float32)
    if np.issubdtype(dtype, np.unsignedinteger):
        values = np.rint(np.abs(values))
    return values.astype(dtype).reshape(shape)


def loaded(path: str) -> dict[str, Array]:
    """Loads the arrays of an ``.npz`` file by name; none without a path."""
    if not path:
        return {}
    try:
        with np.load(path, allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except OSError as error:
        raise TTRTError(f"'{path}' cannot be read: {error.strerror or error}") from None
    except (ValueError, AttributeError, zipfile.BadZipFile):
        raise TTRTError(f"'{path}' is not an .npz file of arrays") from None


def fitting(given: Array, like: Array, where: str) -> Array:
    """Converts an array given for an input to its type."""
    if given.shape != like.shape:
        raise TTRTError(f"{where}: expected the shape {like.shape}, found {given.shape}")
    same = given.dtype == like.dtype or like.dtype.kind == "V"
    if not same and not np.can_cast(given.dtype, like.dtype, "same_kind"):
        raise TTRTError(f"{where}: expected {like.dtype.name}, found {given.dtype.name}")
    return given.astype(like.dtype)


def save(folder: Path, name: str, array: Array) -> Path:
    """Writes ``name``.pt if torch is installed, else ``name``.npy."""
    try:
        import torch
    except ImportError:
        target = fresh(folder / f"{name}.npy")
        # numpy's file format does not support bfloat16: float32 holds all its values.
        np.save(target, array.astype(np.float32) if array.dtype.kind == "V" else array)
        return target
    target = fresh(folder / f"{name}.pt")
    if array.dtype == ml_dtypes.bfloat16:
        tensor = torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.ascontiguousarray(array))
    torch.save(tensor, target)
    return target
