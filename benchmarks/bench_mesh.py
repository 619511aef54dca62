"""A tensor-parallel Llama block on 1x2 and 1x8 chips: bf16 on the wire against bfp8.

The result is compared with NumPy in float64, and what crosses every Ethernet link is counted. The
table is that of docs/src/mesh.md; its numbers are those of the emulator, the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import llama

COLUMNS = (
    "mesh",
    "sums by",
    "on the wire",
    "correlation",
    "max error",
    "bytes a link",
    "fewer by",
    "modelled time",
)


def rows() -> Iterator[tuple[str, ...]]:
    """Cells of the table; each lowered run after the one that it is compared with."""
    for mesh in llama.TARGETS:
        for collective in llama.COLLECTIVES:
            before = 0.0
            for lowered in (False, True):
                o = llama.run(llama.Config(), mesh, lowered=lowered, collective=collective)
                each = sum(o.links.values()) / len(o.links)
                yield (
                    f"{'x'.join(map(str, mesh))} ({llama.TARGETS[mesh]})",
                    "reduce_scatter, all_gather" if collective != "all_reduce" else collective,
                    "bfp8" if lowered else "bf16",
                    f"{o.correlation:.6f}",
                    f"{o.max_error:.4f}",
                    f"{each:,.0f}",
                    f"{before / each:.2f}" if lowered else "",
                    f"{o.modelled_seconds * 1e6:.0f} us",
                )
                before = each


def run(console: Console) -> None:
    lines = [COLUMNS, ("---",) * len(COLUMNS), *rows()]
    for cells in lines:
        console.print(f"| {' | '.join(cells)} |", soft_wrap=True, highlight=False)
