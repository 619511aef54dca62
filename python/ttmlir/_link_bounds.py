"""Lower bounds of the time that a program's collectives take, from its text: an estimate of large
ones takes long."""

from __future__ import annotations

import re
from math import prod
from typing import Any

#: Bytes a second of an Ethernet link in one direction, by architecture: 100 and 400 Gb/s.
_RATES = {"wormhole_b0": 12.5e9, "blackhole": 50e9}
#: `"ttnn.all_gather"(%6) <{.., num_links = 4 : ui32}> : (tensor<64x64xf32, #l>) -> tensor<..>`
_COLLECTIVE = re.compile(
    r'"ttnn\.(all_gather|all_reduce|reduce_scatter)"\(.*?\) <\{(.*?)\}> : '
    r"\(tensor<((?:\d+x)*)(\w+).*?\) -> tensor<((?:\d+x)*)(\w+)"
)
_LINKS = re.compile(r"num_links = (\d+)")


def link_seconds(executable: Any, arch: str) -> float:
    """Returns the time that the collectives of an executable take at least: a chip has at most two
    neighbours along an axis, and its data arrives at the peak rate of all links to both."""
    rate = _RATES.get(arch)
    if rate is None or getattr(executable, "stages", None):
        return 0.0
    total = 0.0
    for kind, attributes, given, dtype, result, _ in _COLLECTIVE.findall(executable.mlir):
        links = _LINKS.search(attributes)
        before, after = (prod(map(int, text.split("x")[:-1])) for text in (given, result))
        # Values that are not f32 may be block floats on the links.
        size = 4 if dtype in ("f32", "i32", "si32", "ui32") else 1
        # A sum of two chips at least: each gets half of it twice.
        moved = before if kind == "all_reduce" else abs(after - before)
        total += moved * size / (2 * rate * int(links[1] if links else 1))
    return total
