"""Numbers as MLIR's parser reads them."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable


def f32(value: float) -> str:
    """The float32 nearest to ``value``, bit for bit; also infinities and NaN."""
    if math.isinf(value) or math.isnan(value):
        return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08X} : f32"
    nearest = struct.unpack("<f", struct.pack("<f", value))[0]
    return f"{nearest:.9e} : f32"


def array(kind: str, values: Iterable[int]) -> str:
    """``array<i64: 1, 2>``."""
    text = ", ".join(str(int(v)) for v in values)
    return f"array<{kind}: {text}>" if text else f"array<{kind}>"


def integers(kind: str, values: Iterable[int]) -> str:
    """``[1 : i32, 2 : i32]``."""
    return f"[{', '.join(f'{int(v)} : {kind}' for v in values)}]"


def boolean(value: bool) -> str:
    return "true" if value else "false"
