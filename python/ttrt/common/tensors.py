"""Inputs, outputs and golden checks of `ttrt run`, in numpy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ttrt.common.errors import GoldenMismatch

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
        return np.arange(volume).astype(dtype).reshape(shape)
    values = rng.standard_normal(volume, dtype=np.float32)
    if np.issubdtype(dtype, np.unsignedinteger):
        values = np.rint(np.abs(values))
    return values.astype(dtype).reshape(shape)


def check_close(expected: Array, found: Array, rtol: float, atol: float, what: str) -> None:
    """Raises GoldenMismatch unless both have one shape, NaN and infinity in the same places, and
    the rest within ``atol + rtol * |expected|`` and correlated (0.99, for more than one value).
    """
    if expected.shape != found.shape:
        raise GoldenMismatch(f"{what}: expected shape {expected.shape}, found {found.shape}")
    want, got = expected.astype(np.float64), found.astype(np.float64)
    for name, test in (("NaN", np.isnan), ("+inf", np.isposinf), ("-inf", np.isneginf)):
        wrong = np.argwhere(test(want) != test(got))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            raise GoldenMismatch(
                f"{what}: {name} in different places, first at {list(at)}: "
                f"expected {want[at]}, found {got[at]}"
            )
    finite = np.isfinite(want)
    difference = np.zeros_like(want)
    difference[finite] = np.abs(want[finite] - got[finite])
    allowed = np.full_like(want, atol)
    allowed[finite] += rtol * np.abs(want[finite])
    bad = int(np.count_nonzero(difference > allowed))
    if bad:
        worst = int(np.argmax(difference - allowed))
        at = tuple(int(i) for i in np.unravel_index(worst, want.shape))
        raise GoldenMismatch(
            f"{what}: {bad} of {want.size} values differ by more than rtol={rtol:g} "
            f"atol={atol:g}, worst at {list(at)}: "
            f"expected {want[at]}, found {got[at]}"
        )
    correlation = pearson(want[finite], got[finite])
    if correlation is not None and correlation < 0.99:
        raise GoldenMismatch(f"{what}: correlation is {correlation:.4f}, expected at least 0.99")


def pearson(x: Array, y: Array) -> float | None:
    """Pearson's correlation, or None where it says nothing: fewer than 2 values, or constants."""
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / math.sqrt(float(x @ x) * float(y @ y)))


def save(folder: Path, name: str, array: Array) -> Path:
    """Writes ``name``.pt where torch is installed, else ``name``.npy."""
    try:
        import torch
    except ImportError:
        target = folder / f"{name}.npy"
        # numpy's file format has no bfloat16: float32 holds every value of it.
        np.save(target, array.astype(np.float32) if array.dtype.kind == "V" else array)
        return target
    target = folder / f"{name}.pt"
    if array.dtype == ml_dtypes.bfloat16:
        tensor = torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    else:
        tensor = torch.from_numpy(np.ascontiguousarray(array))
    torch.save(tensor, target)
    return target
