"""Conversion of host arrays between the source's types and shapes and those of the program, which
may have narrower types, extents of 1 for scalars and empty tensors, and separate parts of complex
numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from ttmlir._runtime import Binary

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Host:
    """Type and shape of an input or an output in the source."""

    dtype: np.dtype[Any]
    shape: Shape


def hosts(binary: Binary, program: int, inputs: bool) -> list[Host | None]:
    """Returns the host form of each input or output of a program; None if the program's is the
    same."""
    return [
        None if found is None else Host(_dtype(found[0]), tuple(found[1]))
        for found in binary.get_program_hosts(program, inputs)
    ]


def _dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name.lower(), name.lower()))


def _are_pairs(stored: Shape, array: Array) -> bool:
    """Whether the program stores each element as two 32-bit words: first all lower ones, then all
    upper ones."""
    return math.prod(stored) == 2 * array.size and array.dtype.kind in "iu"


def _check(array: Array, least: int, most: int, why: str) -> None:
    own = np.iinfo(array.dtype)
    # Compare in the array's own type: it always satisfies limits outside of its range.
    low, high = max(least, own.min), min(most, own.max)
    if int(array.min()) < low or int(array.max()) > high:
        wrong = np.argwhere((array < low) | (array > high))[0]
        place = tuple(int(i) for i in wrong)
        raise ValueError(
            f"element {list(place)} is {int(array[place])}, expected {least} to {most}: {why}"
        )


def narrow(array: Array, dtype: np.dtype[Any], shape: Shape) -> Array:
    """Converts the elements to the type and shape that the program expects; floats are rounded.

    Raises:
        ValueError: an integer does not fit; the message gives its value.
    """
    if array.size == 0:
        return np.zeros(shape, dtype)
    if array.dtype.kind == "c":
        with np.errstate(over="ignore"):
            return np.stack([array.real, array.imag]).astype(dtype)
    if _are_pairs(shape, array):
        _check(array, -(2**47), 2**47 - 1, "the source has 48 bits")
        words = array.astype("<i8").reshape(-1, 1).view("<i4")
        return np.ascontiguousarray(words.T.reshape(shape))
    if dtype.kind in "iu" and array.dtype.kind in "iu":
        limits = np.iinfo(dtype)
        bits = f"the device computes in {dtype.itemsize * 8} bits"
        _check(array, limits.min, limits.max, bits)
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array.astype(dtype).reshape(shape))


def widen(array: Array, host: Host | None) -> Array:
    """Converts a result of a program to the type and shape of the source."""
    if host is None:
        return array
    if 0 in host.shape:
        return np.empty(host.shape, host.dtype)
    if host.dtype.kind == "c":
        whole = np.empty(host.shape, host.dtype)
        whole.real, whole.imag = array
        return whole
    if array.size == 2 * math.prod(host.shape):
        words = np.ascontiguousarray(array.astype("<i4").reshape(2, -1).T)
        return words.view("<i8").astype(host.dtype).reshape(host.shape)
    return array.astype(host.dtype).reshape(host.shape)
