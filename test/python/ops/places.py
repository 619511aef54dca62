"""Places of the device that a program may name."""

from __future__ import annotations

from typing import Any

#: Arguments of `Builder.to_layout`.
Place = dict[str, Any]


def l1(layout: str = "interleaved", *grid: int, tiled: bool = True) -> Place:
    return {
        "memory_space": "l1",
        "memory_layout": layout,
        "grid": grid or (1, 1),
        "tiled": tiled,
    }


PAGES: dict[str, Place] = {
    "interleaved": l1(),
    "interleaved on a grid": l1("interleaved", 2, 2),
    "interleaved rows": l1(tiled=False),
    "single bank": l1("single_bank"),
    "rows in a single bank": l1("single_bank", tiled=False),
    "single bank of DRAM": {"memory_space": "dram", "memory_layout": "single_bank"},
    "DRAM on a grid": {"memory_space": "dram", "grid": (2, 2)},
}
SHARDS: dict[str, Place] = {
    "one shard": l1("block_sharded", 1, 1),
    "blocks": l1("block_sharded", 2, 2),
    "column": l1("height_sharded", 5, 1),
    "row": l1("width_sharded", 1, 3),
    "rows in blocks": l1("block_sharded", 2, 2, tiled=False),
}
PLACES = PAGES | SHARDS
