"""Pictures of errors: a small plot for each function, in units in the last place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

WIDTH, HEIGHT, MARGIN = 200, 110, 28
COLUMNS = 4
#: The logarithms of the least and the greatest error that are drawn.
LOW, HIGH = -2.0, 6.0
STYLES = (("accurate", "#1f5fa8"), ("approximate", "#d9822b"))


class Curve(NamedTuple):
    x: Array
    units: Array


class Plot(NamedTuple):
    name: str
    low: float
    high: float
    curves: Sequence[Curve]  # in the order of STYLES


def _points(plot: Plot, curve: Curve) -> str:
    """The greatest error of every two pixels."""
    steps = WIDTH // 2
    position = (curve.x - plot.low) / (plot.high - plot.low) * steps
    found = []
    for step in range(steps):
        inside = (position >= step) & (position < step + 1)
        if inside.any():
            worst = math.log10(max(float(curve.units[inside].max()), 10**LOW))
            share = (min(worst, HIGH) - LOW) / (HIGH - LOW)
            found.append(f"{2 * step + 1},{HEIGHT * (1 - share):.1f}")
    return " ".join(found)


def _lines(plot: Plot) -> list[str]:
    lines = [f'<text x="0" y="-6" font-size="11">{plot.name}</text>']
    for power in range(int(LOW), int(HIGH) + 1):
        y = HEIGHT * (1 - (power - LOW) / (HIGH - LOW))
        lines.append(f'<path d="M0 {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        lines.append(f'<text x="-4" y="{y + 3:.1f}" text-anchor="end">{10.0**power:g}</text>')
    lines.append(f'<text x="0" y="{HEIGHT + 11}">{plot.low:g}</text>')
    lines.append(f'<text x="{WIDTH}" y="{HEIGHT + 11}" text-anchor="end">{plot.high:g}</text>')
    for curve, (_, color) in zip(plot.curves, STYLES, strict=False):
        lines.append(f'<polyline points="{_points(plot, curve)}" fill="none" stroke="{color}"/>')
    return lines


def picture(plots: Sequence[Plot]) -> str:
    """Returns an SVG with all plots."""
    across, down = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    width, height = COLUMNS * across, -(-len(plots) // COLUMNS) * down + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="8">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for index, (name, color) in enumerate(STYLES):
        lines.append(f'<text x="{MARGIN + 90 * index}" y="14" fill="{color}">{name}</text>')
    for index, plot in enumerate(plots):
        left = index % COLUMNS * across + 1.4 * MARGIN
        top = index // COLUMNS * down + MARGIN + 14
        lines += [f'<g transform="translate({left:.0f} {top:.0f})">', *_lines(plot), "</g>"]
    return "\n".join([*lines, "</svg>", ""])
