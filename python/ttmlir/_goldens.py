"""Goldens on their way into a flatbuffer."""

from __future__ import annotations

from typing import Any

from ttmlir.runtime import data_type_of, to_host_array


def to_golden(key: str, value: Any) -> tuple[tuple[int, ...], int, bytes]:
    """Shape, data type (its number in the schema) and elements of an array."""
    array = to_host_array(value)
    try:
        data_type = data_type_of(array.dtype)
    except TypeError as error:
        raise TypeError(f"golden '{key}': {error}") from None
    return array.shape, int(data_type.value), array.tobytes()
