"""The data of the page of a comparison, and its chart."""

from __future__ import annotations

import math
from html import escape
from typing import Any

_WIDTH, _HEIGHT = 960, 260
_LEFT, _TOP, _BOTTOM = 56, 16, 28
#: The range of the chart in powers of ten of the relative error.
LOWEST, HIGHEST = -9, 1
_GRID = "#9a9aa2"
_RIGHT_ONES, _OFF = "#2f7fc1", "#c01818"


def comparison_data(found: Any) -> dict[str, Any]:
    """Returns JSON-compatible values for a ``ttmlir.Comparison``, which imports this module and so
    is not imported."""
    return {
        "title": found.title(),
        "verdict": found.verdict(),
        "rows": [_row(row, is_output=False) for row in found.ops]
        + [_row(row, is_output=True) for row in found.outputs],
        "missing": list(found.missing),
        "lowest": LOWEST,
        "highest": HIGHEST,
    }


def _row(row: Any, *, is_output: bool) -> dict[str, Any]:
    return {
        "index": row.index,
        "name": row.name,
        "label": row.label,
        "op": row.op,
        "source": row.source,
        "dtype": row.dtype,
        "shape": "x".join(map(str, row.shape)) or "scalar",
        "pcc": row.pcc,
        "max_error": row.max_error,
        "relative": _finite(row.relative_error),
        "special": row.special,
        "off": row.is_off,
        "reason": row.reason,
        "note": row.note,
        "part": row.is_part,
        "output": is_output,
    }


def _finite(value: float | None) -> float | None:
    """Replaces infinity, which JSON does not have, by the greatest power of 10."""
    return 10.0**HIGHEST if value is not None and not math.isfinite(value) else value


def picture(found: Any) -> str:
    """Draws the relative error along the program as an SVG image: a dot for each compared op."""
    rows = [*found.compared, *(row for row in found.outputs if row.is_compared)]
    step = (_WIDTH - _LEFT - 16) / max(len(rows), 1)
    points = [(_LEFT + step * (i + 0.5), _y(row.relative_error), row) for i, row in enumerate(rows)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    dots = "\n".join(_dot(x, y, row) for x, y, row in points)
    grid = "\n".join(_grid(power) for power in range(LOWEST, HIGHEST + 1, 2))
    title = escape(f"{found.title()}: {found.verdict()}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="system-ui, sans-serif" font-size="11">\n'
        f"<title>{title}</title>\n{grid}\n"
        f'<polyline fill="none" stroke="{_RIGHT_ONES}" stroke-opacity="0.4" points="{line}"/>\n'
        f"{dots}\n"
        f'<text x="{_LEFT}" y="{_HEIGHT - 8}" fill="{_GRID}">relative error of '
        f"{len(rows)} results, in the order of the program</text>\n</svg>\n"
    )


def _y(error: float | None) -> float:
    power = math.log10(error) if error and math.isfinite(error) else HIGHEST if error else LOWEST
    share = (min(max(power, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
    return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)


def _grid(power: int) -> str:
    y = _y(10.0**power)
    return (
        f'<line x1="{_LEFT}" x2="{_WIDTH - 16}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID}" '
        f'stroke-opacity="0.35"/><text x="8" y="{y + 4:.1f}" fill="{_GRID}">1e{power}</text>'
    )


def _dot(x: float, y: float, row: Any) -> str:
    pcc = "" if row.pcc is None else f", PCC {row.pcc:.6f}"
    title = escape(f"{row.name} ({row.op}): {row.relative_error:.2e}{pcc}")
    colour = _OFF if row.is_off else _RIGHT_ONES
    radius = 4 if row.is_off else 2.5
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}">'
        f"<title>{title}</title></circle>"
    )
