"""Number formats, and the ports of circular buffers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ttmlir.builder._dtypes import DTYPES, canonical
from ttmlir.dialects.ttkernel import CBPort
from ttmlir.kernel._errors import BuildError

# Bytes of the mantissas, and of the exponents, of 16 elements of a block float.
_BLOCK_BYTES = {"8": (16, 1), "4": (8, 1), "2": (4, 1)}
_PORTS = {"in": "In", "dfl": "DataFlow", "out": "Out", "int": "Intermed"}


def name(dtype: Any) -> str:
    """The name of a format: ``f32``, ``bf16``, ``bfp8_b`` ...

    Raises:
        BuildError: there is no such format.
    """
    try:
        return canonical(dtype)
    except (ValueError, TypeError) as error:
        raise BuildError(f"dtype: {error}") from None


def element(name: str) -> str:
    """The element type in the IR."""
    return DTYPES[name].element


def tile(name: str) -> str:
    """The type of a tile in the IR."""
    return f"!tt.tile<32x32, {DTYPES[name].tile}>"


def is_block(name: str) -> bool:
    """Whether elements share exponents, so that they are only stored in tiles."""
    return DTYPES[name].block


def element_bytes(name: str) -> int:
    return int(re.sub(r"\D", "", DTYPES[name].numpy)) // 8


def numpy_dtype(name: str) -> np.dtype[Any]:
    from ttmlir.builder._dtypes import numpy_dtype

    return np.dtype(np.float32) if is_block(name) else numpy_dtype(name)


def tile_bytes(name: str) -> int:
    if is_block(name):
        digits = re.search(r"\d", name)
        assert digits is not None
        return sum(_BLOCK_BYTES[digits[0]]) * 64
    return 1024 * element_bytes(name)


def port(name: str) -> CBPort:
    """``in0`` and so on; a prefix ``cb_``, as in the IR, may be there."""
    match = re.fullmatch(r"(?:cb_)?(in|dfl|out|int)([0-7])", name)
    if match is None:
        raise BuildError(f"port: expected in0 to in7, dfl.., out.. or int.., found {name!r}")
    return CBPort[_PORTS[match[1]] + match[2]]


def check_page(dtype: str, page_size: int, pages: int, tiled: bool) -> None:
    """Raises BuildError for pages that a circular buffer cannot have."""
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
