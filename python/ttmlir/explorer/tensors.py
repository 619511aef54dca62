"""Types and attributes as short texts for people."""

from __future__ import annotations

from typing import Any

from ttmlir import ir
from ttmlir.dialects import tt

_LONGEST = 400  # characters of an attribute


def describe(type: Any) -> dict[str, str]:
    """Describes a value: shape and data type of a tensor and, if it has a layout, its memory, grid,
    sharding and shard shape, and the layout in the syntax of ``override-output-layout``."""
    if not hasattr(type, "has_rank"):
        return {"type": shorten(str(type))}
    shape = extents(type.shape) if type.has_rank else "any"
    facts = {"shape": shape, "dtype": _element(type.element_type)}
    layout = getattr(type, "encoding", None)
    if isinstance(layout, tt.ir.LayoutAttr):
        facts |= _placement(layout)
    elif layout is not None:
        facts["encoding"] = shorten(str(layout))
    return facts


def extents(shape: Any) -> str:
    """(64, 128) -> '64x128'."""
    dynamic = ir.ShapedType.get_dynamic_size()
    return "x".join("?" if n == dynamic else str(n) for n in shape) or "scalar"


def attribute(value: ir.Attribute) -> str:
    """Returns the text of an attribute; for a tensor only its type."""
    if isinstance(value, ir.DenseElementsAttr):
        return f"dense {value.type}" if not value.is_splat else shorten(str(value))
    if isinstance(value, ir.StringAttr):
        return shorten(value.value)
    return shorten(str(value))


def shorten(text: str) -> str:
    """Shortens a long text in the middle."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 60]} ... {text[-50:]}"


def _placement(layout: Any) -> dict[str, str]:
    grid, shard = layout.grid_attr.shape, layout.shard_shape
    facts = {
        "dtype": _element(layout.memref.element_type),
        "memory": str(layout.memory_space),
        "grid": extents(grid),
    }
    if (sharding := str(layout.memory_layout)) != "none":
        facts["sharding"] = sharding
    if layout.is_tiled:
        tile = layout.memref.element_type.shape
        facts["layout"] = f"tiles of {extents(tile)}"
        facts["shard"] = f"{extents(shard)} ({extents(layout.memref.shape)} tiles)"
    else:
        facts["layout"] = "row_major"
        facts["shard"] = extents(shard)
    facts["override"] = _override(layout)
    return facts


def _override(layout: Any) -> str:
    """Formats the layout for ``override-output-layout``."""
    form = "tile" if layout.is_tiled else "row_major"
    parts = [extents(layout.grid_attr.shape), str(layout.memory_space), str(layout.memory_layout)]
    return ":".join([*parts, form, _element(layout.memref.element_type)])


def _element(type: Any) -> str:
    """`!tt.tile<32x32, bf16>` -> 'bf16'."""
    text = str(type)
    return text.rpartition(", ")[2].rstrip(">") if isinstance(type, tt.ir.TileType) else text
