"""Memory-maps the tensors of a safetensors file.

The package ``safetensors`` gives NumPy a copy of every tensor. A program whose weights fill most of
the memory has no room for a second copy, so the file is mapped here: eight bytes with the length of
a JSON header, the header, and the elements of the tensors.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from ttmlir._files import opened, shown
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
_MAX_HEADER = 100_000_000  # bytes, the limit of the format's own library


@dataclass(frozen=True)
class _Entry:
    dtype: str
    shape: tuple[int, ...]
    begin: int
    """First byte of the elements, relative to the end of the header."""
    end: int

    @property
    def place(self) -> tuple[int, int]:
        return self.begin, self.end


class SafeTensors(Mapping[str, Array]):
    """The tensors of a file by name, as read-only arrays.

    Raises:
        FileError: the file does not exist or is damaged.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        with opened(path) as descriptor:
            size = os.fstat(descriptor).st_size
            if size < _LENGTH:
                raise self._damaged(f"expected at least {_LENGTH} bytes, found {size}")
            self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(self._map[:_LENGTH], "little")
        if length > size - _LENGTH:
            raise self._damaged(
                f"the header has {length} bytes, the file {size - _LENGTH} after its length"
            )
        if length > _MAX_HEADER:
            raise self._damaged(f"expected a header of at most {_MAX_HEADER} bytes, found {length}")
        self._begin = _LENGTH + length
        header = self._header(self._map[_LENGTH : self._begin])
        header.pop("__metadata__", None)
        self._entries = {name: self._entry(name, e, size) for name, e in header.items()}
        self._check_places(size - self._begin)

    def _damaged(self, why: str) -> FileError:
        return FileError(f"{shown(self._path)} is not a complete safetensors file: {why}")

    def _header(self, text: bytes) -> dict[str, Any]:
        def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            found = dict(pairs)
            if len(found) < len(pairs):
                twice = next(
                    name for name, n in Counter(name for name, _ in pairs).items() if n > 1
                )
                raise self._damaged(f"the header has '{twice}' more than once")
            return found

        try:
            header = json.loads(text.decode("utf-8"), object_pairs_hook=unique)
        except (ValueError, RecursionError) as error:
            raise self._damaged(f"the header is not JSON: {error}") from None
        if not isinstance(header, dict):
            raise self._damaged("the header is not a JSON object")
        return header

    def _entry(self, name: str, entry: Any, size: int) -> _Entry:
        """Checks that the elements are inside the file, and returns the tensor's entry."""
        try:
            dtype, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
            if type(dtype) is not str or any(type(n) is not int for n in (*shape, begin, end)):
                raise TypeError
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
                f"tensor '{name}': {end - begin} bytes are no {dtype} of shape {shape}"
            )
        return _Entry(dtype, tuple(shape), begin, end)

    def _check_places(self, size: int) -> None:
        """Checks that every byte after the header belongs to one tensor."""
        last, last_name = 0, ""
        for name, entry in sorted(self._entries.items(), key=lambda item: item[1].place):
            if entry.begin < last:
                raise self._damaged(f"tensors '{last_name}' and '{name}' share bytes")
            if entry.begin > last:
                raise self._damaged(f"bytes {last} to {entry.begin} belong to no tensor")
            last, last_name = entry.end, name
        if last < size:
            raise self._damaged(f"bytes {last} to {size} belong to no tensor")

    def check_size(self) -> None:
        """Raises FileError if the file has become shorter, since reading unmapped pages would
        crash."""
        now = self._map.size()
        if now < len(self._map):
            raise FileError(
                f"{shown(self._path)} has become shorter since it was opened: expected "
                f"{len(self._map)} bytes, found {now}"
            )

    def __getitem__(self, name: str) -> Array:
        entry = self._entries[name]
        if entry.dtype not in _DTYPES:
            raise FileError(
                f"{shown(self._path)}: tensor '{name}': expected elements of "
                f"{', '.join(_DTYPES)}, found {entry.dtype}"
            )
        dtype, count = _DTYPES[entry.dtype], math.prod(entry.shape)
        if not count:
            return np.empty(entry.shape, dtype)
        array: Array = np.frombuffer(self._map, dtype, count, self._begin + entry.begin)
        return array.reshape(entry.shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<{len(self)} tensors of {shown(self._path)}>"
