"""Runs a tensor-parallel Llama block on 1x2 and 1x8 chips: bf16 or bfp8 over the links, and library
calls or kernels.

The result is compared with NumPy in float64, and the bytes on every Ethernet link are counted. The
table is in docs/src/mesh.md; its numbers are modelled, the same on every machine.
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
    "way",
    "correlation",
    "at least",
    "error",
    "at most",
    "bytes a link",
    "fewer by",
    "time",
    "collectives",
)


def rows(collective: str) -> Iterator[tuple[str, ...]]:
    """Yields rows of the table; ``fewer by`` compares with the first way on the same mesh."""
    for mesh in llama.TARGETS:
        before: dict[tuple[int, int, int], int] = {}
        for way in llama.WAYS:
            o = llama.run(llama.Config(), mesh, way=way, collective=collective)
            before = before or o.links
            sizes = sorted({min(o.links.values()), max(o.links.values())})
            fewer = sorted({f"{count / o.links[link]:.2f}" for link, count in before.items()})
            yield (
                "x".join(map(str, mesh)),
                way,
                f"{o.correlation:.6f}",
                f"{o.least_correlation:.6f}",
                f"{o.max_error:.4f}",
                f"{o.most_error:.4f}",
                " to ".join(f"{size:,}" for size in sizes),
                " to ".join(fewer),
                f"{o.seconds * 1e6:.0f} us",
                f"{o.collective_seconds * 1e6:.0f} us",
            )


def table(collective: str) -> str:
    """Returns the results in Markdown."""
    lines = [COLUMNS, ("---",) * len(COLUMNS), *rows(collective)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def run(console: Console) -> None:
    for collective in llama.COLLECTIVES:
        console.print(f"\nSums by {collective}:\n", highlight=False)
        console.print(table(collective), soft_wrap=True, highlight=False)
