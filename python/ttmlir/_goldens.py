"""Encodes goldens for a flatbuffer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttmlir._host_arrays import narrow
from ttmlir.runtime import data_type_of, to_host_array

#: Types that the device computes in fewer bits.
_NARROWED = {"int64": "int32", "uint64": "uint32", "float64": "float32"}


def to_golden(key: str, value: Any) -> tuple[tuple[int, ...], int, bytes]:
    """Returns shape, data type (its number in the schema) and elements of an array."""
    array = to_host_array(value)
    try:
        if array.dtype.name in _NARROWED:
            array = narrow(array, np.dtype(_NARROWED[array.dtype.name]), array.shape)
        data_type = data_type_of(array.dtype)
    except (TypeError, ValueError) as error:
        raise type(error)(f"golden '{key}': {error}") from None
    return array.shape, int(data_type.value), array.tobytes()
