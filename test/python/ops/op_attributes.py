"""Attributes as text that few of the ops have."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def i64(value: int) -> str:
    return f"{value} : i64"


def si64(value: int) -> str:
    return f"{value} : si64"


def ui32(value: int) -> str:
    return f"{value} : ui32"


def text(value: str) -> str:
    return f'"{value}"'


def dense_f32(values: Iterable[float]) -> str:
    return f"array<f32: {', '.join(repr(float(np.float32(v))) for v in values)}>"
