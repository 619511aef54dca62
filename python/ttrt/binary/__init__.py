"""Flatbuffer files: loading, storing and reading them as JSON."""

from __future__ import annotations

import json
from typing import Any

from ttmlir.runtime import (
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
    "as_dict",
    "load_binary_from_capsule",
    "load_binary_from_path",
    "load_from_path",
    "load_system_desc_from_path",
]


def as_dict(flatbuffer: Flatbuffer) -> dict[str, Any]:
    """Returns the content of a loaded file as a dict with the names of the schema."""
    content: dict[str, Any] = json.loads(flatbuffer.as_json())
    return content
