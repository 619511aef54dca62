"""Number formats, and the ports of circular buffers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ttmlir.builder._dtypes import DTYPES, array_dtype, canonical
from ttmlir.dialects.ttkernel import CBPort
from ttmlir.kernel._errors import BuildError

_PORTS = {"in": "In", "dfl": "DataFlow", "out": "Out", "int": "Intermed"}


def name(dtype: Any) -> str:
    """Returns the name of a format: ``f32``, ``bf16``, ``bfp8_b`` ...

    Raises:
        BuildError: there is no such format.
    """
    try:
        return canonical(dtype)
    except (ValueError, TypeError) as error:
        raise BuildError(f"dtype: {error}") from None


def element(name: str) -> str:
    """Returns the element type in the IR."""
    return DTYPES[name].element


def tile(name: str) -> str:
    """Returns the type of a tile in the IR."""
    return f"!tt.tile<32x32, {DTYPES[name].tile}>"


def is_block(name: str) -> bool:
    """Whether elements share exponents, so that they can only be stored in tiles."""
    return DTYPES[name].block


def element_bytes(name: str) -> int:
    return array_dtype(name).itemsize


def numpy_dtype(name: str) -> np.dtype[Any]:
    return np.dtype(np.float32) if is_block(name) else array_dtype(name)


def tile_bytes(name: str) -> int:
    return DTYPES[name].tile_bytes


def port(name: str) -> CBPort:
    """Returns the port ``in0`` and so on; a prefix ``cb_``, as in the IR, is optional."""
    match = re.fullmatch(r"(?:cb_)?(in|dfl|out|int)([0-7])", name)
    if match is None:
        raise BuildError(f"port: expected in0 to in7, dfl.., out.. or int.., found {name!r}")
    return CBPort[_PORTS[match[1]] + match[2]]


def check_page(dtype: str, page_size: int, pages: int, tiled: bool) -> None:
    """Raises BuildError for invalid pages of a circular buffer."""
    if pages < 1:
        raise BuildError(f"pages: expected at least 1, found {pages}")
    if not tiled and is_block(dtype):
        raise BuildError(f"page_size: expected none, pages of {dtype} are tiles")
    if page_size < 1 or (not tiled and page_size % element_bytes(dtype)):
        raise BuildError(
            f"page_size: expected a multiple of {element_bytes(dtype)} bytes, found {page_size}"
        )
    if page_size % 16:
        raise BuildError(f"page_size: expected a multiple of 16 bytes, found {page_size}")
