"""Formats numbers as MLIR literals."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from operator import index
from typing import Any


def f32(value: float) -> str:
    """Formats the float32 nearest to ``value`` exactly, including infinities and NaN."""
    if math.isinf(value) or math.isnan(value):
        return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08X} : f32"
    nearest = struct.unpack("<f", struct.pack("<f", value))[0]
    return f"{nearest:.9e} : f32"


def integer(kind: str, value: Any) -> str:
    """``1 : i64``.

    Raises:
        TypeError: not an integer.
        ValueError: the integer does not fit into ``kind``.
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"expected an integer, found {value!r}") from None
    bits, least = int(kind.lstrip("usi")), 0 if kind[0] == "u" else -1
    if not least << bits - 1 <= number < 1 << bits - (least != 0):
        raise ValueError(f"expected an integer of {kind}, found {number}")
    return f"{number} : {kind}"


def array(kind: str, values: Iterable[int]) -> str:
    """``array<i64: 1, 2>``."""
    text = ", ".join(integer(kind, v).partition(" ")[0] for v in values)
    return f"array<{kind}: {text}>" if text else f"array<{kind}>"


def integers(kind: str, values: Iterable[int]) -> str:
    """``[1 : i32, 2 : i32]``."""
    return f"[{', '.join(integer(kind, v) for v in values)}]"


def boolean(value: bool) -> str:
    return "true" if value else "false"
