"""Tensors of a safetensors file, mapped into memory and not read.

The package ``safetensors`` gives NumPy a copy of every tensor. A program whose weights fill most of
the memory has no room for a second copy, so the file is mapped here: eight bytes with the length of
a JSON header, the header, and the elements of the tensors.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Iterator, Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir._files import file_error, shown
from ttmlir.errors import FileError

Array = np.ndarray[Any, np.dtype[Any]]

_DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("float64"),
    "F32": np.dtype("float32"),
    "F16": np.dtype("float16"),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    "I64": np.dtype("int64"),
    "I32": np.dtype("int32"),
    "I16": np.dtype("int16"),
    "I8": np.dtype("int8"),
    "U64": np.dtype("uint64"),
    "U32": np.dtype("uint32"),
    "U16": np.dtype("uint16"),
    "U8": np.dtype("uint8"),
    "BOOL": np.dtype("bool"),
}
_LENGTH = 8  # bytes before the header, a number in little-endian order


class SafeTensors(Mapping[str, Array]):
    """The tensors of a file by name, as arrays that cannot be written to.

    Raises:
        FileError: there is no such file, or it is damaged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < _LENGTH:
                    raise self._damaged(f"expected at least {_LENGTH} bytes, found {size}")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileError:
            raise
        except OSError as error:
            raise file_error(path, "read", error) from None
        except ValueError as error:
            raise FileError(f"{shown(path)} cannot be read: {error}") from None
        length = int.from_bytes(self._map[:_LENGTH], "little")
        if length > size - _LENGTH:
            raise self._damaged(
                f"the header has {length} bytes, the file {size - _LENGTH} after its length"
            )
        self._begin = _LENGTH + length
        try:
            header = json.loads(self._map[_LENGTH : self._begin])
        except ValueError as error:
            raise self._damaged(f"the header is no JSON: {error}") from None
        if not isinstance(header, dict):
            raise self._damaged("the header is no JSON object")
        header.pop("__metadata__", None)
        self._entries = {name: self._entry(name, e, size) for name, e in header.items()}

    def _damaged(self, why: str) -> FileError:
        return FileError(f"{shown(self._path)} is no whole safetensors file: {why}")

    def _entry(self, name: str, entry: Any, size: int) -> tuple[str, tuple[int, ...], int]:
        """Dtype, shape and first byte of a tensor whose elements are in the file."""
        try:
            dtype, shape = str(entry["dtype"]), tuple(map(int, entry["shape"]))
            begin, end = map(int, entry["data_offsets"])
        except (KeyError, TypeError, ValueError):
            raise self._damaged(
                f"tensor '{name}': expected dtype, shape and data_offsets, found {entry}"
            ) from None
        if not 0 <= begin <= end <= size - self._begin:
            raise self._damaged(
                f"tensor '{name}' has bytes {begin} to {end} of {size - self._begin}"
            )
        if any(extent < 0 for extent in shape) or (
            dtype in _DTYPES and math.prod(shape) * _DTYPES[dtype].itemsize != end - begin
        ):
            raise self._damaged(
                f"tensor '{name}': {end - begin} bytes are no {dtype} of shape {list(shape)}"
            )
        return dtype, shape, self._begin + begin

    def __getitem__(self, name: str) -> Array:
        dtype, shape, begin = self._entries[name]
        if dtype not in _DTYPES:
            raise FileError(
                f"{shown(self._path)}: tensor '{name}': expected elements of "
                f"{', '.join(_DTYPES)}, found {dtype}"
            )
        count = math.prod(shape)
        array = np.frombuffer(self._map, _DTYPES[dtype], count, begin) if count else None
        return np.empty(shape, _DTYPES[dtype]) if array is None else array.reshape(shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self)} tensors of {shown(self._path)}>"
