"""A comparison as text: a table, and a sparkline of the error along the program."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ttmlir._report.tables import text_table

_LONGEST = 44
_BARS = "▁▂▃▄▅▆▇█"
#: The relative errors of the lowest and the highest bar.
LEAST, GREATEST = 1e-8, 1.0
#: The most bars in a line; each shows the greatest error of its ops.
_WIDTH = 100

_COLUMNS: tuple[tuple[str, Callable[[Any], str]], ...] = (
    ("name", lambda row: _short(row.name)),
    ("op", lambda row: _short(row.op)),
    ("dtype", lambda row: row.dtype),
    ("shape", lambda row: "x".join(map(str, row.shape)) or "scalar"),
    ("PCC", lambda row: _correlation(row.pcc)),
    ("max error", lambda row: _number(row.max_error)),
    ("relative", lambda row: _number(row.relative_error)),
    ("special", lambda row: f"{row.special:,}" if row.special else ""),
    ("note", lambda row: _verdict(row)),
)


def table(title: str, rows: Sequence[Any]) -> str:
    """Formats a line for each row."""
    body = [[column(row) for _, column in _COLUMNS] for row in rows]
    # The last two columns are empty for most rows.
    shown = [i for i in range(len(_COLUMNS)) if i < len(_COLUMNS) - 2 or any(b[i] for b in body)]
    head = [_COLUMNS[i][0] for i in shown]
    return text_table(title, head, [[line[i] for i in shown] for line in body])


def _verdict(row: Any) -> str:
    if row.reason:
        return f"not compared: {row.reason}"
    return "; ".join(filter(None, ["OFF" if row.is_off else "", row.note]))


def _correlation(value: float | None) -> str:
    """Formats a correlation with enough digits to tell it from 1."""
    if value is None:
        return ""
    return f"{value:.7f}" if value < 1 else "1"


def _number(value: float | None) -> str:
    return "" if value is None else "0" if value == 0 else f"{value:.2e}"


def _short(name: str) -> str:
    """Returns the end of a long name, which tells it apart from others."""
    return name if len(name) <= _LONGEST else f"...{name[3 - _LONGEST :]}"


def level(error: float | None) -> float:
    """Maps a relative error to the range from 0 to 1, logarithmically between the least and the
    greatest shown."""
    if not error:
        return 0.0
    span = math.log10(GREATEST / LEAST)
    return min(max(math.log10(max(error, LEAST) / LEAST) / span, 0.0), 1.0)


def sparkline(rows: Sequence[Any]) -> str:
    """Draws a bar for each op, or for several ops if there are too many."""
    levels = [level(row.relative_error) for row in rows]
    if not levels:
        return ""
    step = -(-len(levels) // _WIDTH)
    greatest = [max(levels[i : i + step]) for i in range(0, len(levels), step)]
    return "".join(_BARS[round(value * (len(_BARS) - 1))] for value in greatest)
