"""Names in the chip's kernel library that differ here."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

#: The replacements in this module.
OTHER_NAMES = {
    "ASSERT": "assert_that",
    "DEVICE_PRINT": "dprint",
    "DPRINT": "dprint",
    "InterleavedAddrGen": "tensor_accessor",
    "InterleavedAddrGenFast": "tensor_accessor",
    "TensorAccessor": "tensor_accessor",
    "TensorAccessorArgs": "tensor_accessor",
    "add_bcast_cols_init_short": "init_bcast",
    "add_bcast_rows_init_short": "init_bcast",
    "add_tiles_bcast_cols": "add_tiles_bcast",
    "add_tiles_bcast_rows": "add_tiles_bcast",
    "add_tiles_bcast_scalar": "add_tiles_bcast",
    "copy_init": "copy_tile_init",
    "copy_tile_to_dst_init_short": "copy_tile_init",
    "generate_bcast_unary_scalar": "fill_with_val",
    "generate_reduce_scaler": "fill_with_val",
    "get_absolute_logical_x": "my_logical_x",
    "get_absolute_logical_y": "my_logical_y",
    "matmul_init": "mm_init",
    "matmul_tile": "matmul_tiles",
    "memmove": "tt_memmove",
    "mul_bcast_cols_init_short": "init_bcast",
    "mul_bcast_rows_init_short": "init_bcast",
    "mul_tiles_bcast_cols": "mul_tiles_bcast",
    "mul_tiles_bcast_rows": "mul_tiles_bcast",
    "mul_tiles_bcast_scalar": "mul_tiles_bcast",
    "mul_tiles_bcast_scalar_init_short": "init_bcast",
    "noc_async_read_tile": "noc_async_read_page",
    "noc_async_write_tile": "noc_async_write_page",
    "reduce_init_delta": "reduce_init",
    "reduce_revert_delta": "reduce_uninit",
    "sub_bcast_cols_init_short": "init_bcast",
    "sub_tiles_bcast_cols": "sub_tiles_bcast",
    "sub_tiles_bcast_rows": "sub_tiles_bcast",
    "transpose_wh_init_short": "transpose_wh_init",
}


def missing(name: str, known: Sequence[str]) -> str:
    """Returns the error message for a missing name."""
    text = f"module 'ttmlir.kernel' has no attribute '{name}'"
    near = [OTHER_NAMES[name]] if name in OTHER_NAMES else difflib.get_close_matches(name, known, 3)
    return f"{text}; did you mean {' or '.join(near)}?" if near else text
