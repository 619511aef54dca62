"""What scripts import of the extension itself."""

from __future__ import annotations

from ttrt.binary import (
    Binary,
    Flatbuffer,
    SystemDesc,
    load_binary_from_capsule,
    load_binary_from_path,
    load_from_path,
    load_system_desc_from_path,
)

__all__ = [
    "Binary",
    "Flatbuffer",
    "SystemDesc",
    "load_binary_from_capsule",
    "load_binary_from_path",
    "load_from_path",
    "load_system_desc_from_path",
]
