"""Strict comparison of a program's outputs with goldens."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttmlir._formats import DATA_TYPES
from ttmlir._metrics import pearson
from ttrt.common.errors import GoldenMismatch

Array = np.ndarray[Any, Any]

MIN_CORRELATION = 0.99

# Relative rounding error of each format; exact formats are not listed.
_ROUNDING = {
    "BFloat16": 2.0**-8,
    "Float16": 2.0**-10,
    **{name: 2.0 ** (1 - f.mantissa_bits) for name, f in DATA_TYPES.items() if f.block},
}


def tolerances(
    data_type: str, expected: Array, rtol: float | None, atol: float | None
) -> tuple[float, float]:
    """Returns tolerances for an output stored as ``data_type``: the given ones, or else the
    defaults of `ttrt run`, but never less than the rounding error of the format.

    Block floats share an exponent, so the error of an element is relative to its block's maximum.
    """
    rounding = _ROUNDING.get(data_type, 0.0)
    relative = max(1e-5, rounding) if rtol is None else rtol
    absolute = 1e-8 if atol is None else atol
    if atol is None and data_type in DATA_TYPES and DATA_TYPES[data_type].block:
        finite = np.abs(expected[np.isfinite(expected)]) if expected.size else expected
        absolute = max(absolute, rounding * float(finite.max(initial=0.0)))
    return relative, absolute


def check_close(expected: Array, found: Array, rtol: float, atol: float, what: str) -> None:
    """Raises GoldenMismatch unless both have the same shape, NaN and infinity at the same indices,
    and all other values are within ``atol + rtol * |expected|`` and correlated (0.99, for at least
    2).
    """
    if expected.shape != found.shape:
        raise GoldenMismatch(f"{what}: expected shape {expected.shape}, found {found.shape}")
    want, got = expected.astype(np.float64), found.astype(np.float64)
    for name, test in (("NaN", np.isnan), ("+inf", np.isposinf), ("-inf", np.isneginf)):
        wrong = np.argwhere(test(want) != test(got))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            raise GoldenMismatch(
                f"{what}: {name} in different places, first at {list(at)}: "
                f"expected {want[at]}, found {got[at]}"
            )
    finite = np.isfinite(want)
    difference = np.zeros_like(want)
    difference[finite] = np.abs(want[finite] - got[finite])
    allowed = np.full_like(want, atol)
    allowed[finite] += rtol * np.abs(want[finite])
    bad = int(np.count_nonzero(difference > allowed))
    if bad:
        worst = int(np.argmax(difference - allowed))
        at = tuple(int(i) for i in np.unravel_index(worst, want.shape))
        raise GoldenMismatch(
            f"{what}: {bad} of {want.size} values differ by more than rtol={rtol:g} "
            f"atol={atol:g}, worst at {list(at)}: "
            f"expected {want[at]}, found {got[at]}"
        )
    correlation = pearson(want[finite], got[finite])
    if correlation is not None and correlation < MIN_CORRELATION:
        raise GoldenMismatch(
            f"{what}: correlation is {correlation:.4f}, expected at least {MIN_CORRELATION}"
        )
