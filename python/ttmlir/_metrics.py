"""Measures the accuracy of results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Accuracy:
    """``correlation`` is Pearson's, None if undefined; ``max_error`` the greatest absolute
    difference, and ``max_value`` the greatest expected magnitude, both over finite values;
    ``special`` counts NaN and infinities that only one of the arrays has."""

    correlation: float | None
    max_error: float
    max_value: float
    special: int


def compare(expected: Array, found: Array) -> Accuracy:
    """Compares arrays of one shape."""
    want, got = expected.astype(np.float64).ravel(), found.astype(np.float64).ravel()
    finite = np.isfinite(want) & np.isfinite(got)
    same = finite | (want == got) | (np.isnan(want) & np.isnan(got))
    want, got = want[finite], got[finite]
    return Accuracy(
        pearson(want, got),
        float(np.abs(want - got).max(initial=0.0)),
        float(np.abs(want).max(initial=0.0)),
        int(np.count_nonzero(~same)),
    )


def pearson(x: Array, y: Array) -> float | None:
    """Returns Pearson's correlation, or None if undefined: fewer than 2 values, or constants."""
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / math.sqrt(float(x @ x) * float(y @ y)))
