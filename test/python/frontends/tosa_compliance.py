"""What TOSA's conformance asks of a result: the specification's modes, as ``tosa_verify`` has them.

References and bounds are in double precision. A bound of the mode EXACT is 0; others allow some
units in the last place of the reference, or a share of a bound that the reference model computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Format:
    """A floating-point format: bits of the fraction, the least and the greatest normal number."""

    fraction: int
    least: float
    greatest: float


FORMATS = {
    "FP32": Format(23, 2.0**-126, float(np.finfo(np.float32).max)),
    "FP16": Format(10, 2.0**-14, 65504.0),
    "BF16": Format(7, 2.0**-126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
}


def ulp(reference: Array, kind: Format) -> Array:
    """The distance of a format's numbers at a reference; that of its least normal number below."""
    _, exponent = np.frexp(np.abs(reference))
    power = np.maximum(np.ldexp(1.0, exponent - 1), kind.least)
    return np.asarray(power * 2.0**-kind.fraction)


def inside(result: Array, reference: Array, bound: Array | float, kind: Format) -> Array:
    """Whether each result is as close as its bound; overflow and flushed subnormals count as the
    numbers that they stand for."""
    sign = np.where(reference < 0, -1.0, 1.0)
    found, expected = result * sign, np.abs(reference)
    # No bound at all, such as infinity times 0, is none to make use of.
    error = np.where(np.isfinite(expected) & ~np.isnan(bound), bound, 0.0)
    high, low = expected + error, expected - error
    high = np.where(high > kind.greatest, np.inf, high)
    low = np.where(low > kind.greatest, np.inf, low)
    close = (found >= low) & (found <= high) | (found == 0) & (low < kind.least)
    return np.where(np.isnan(reference), np.isnan(result), close)


def dot_product(result: Array, reference: Array, bound: Array, info: Any, kind: Format) -> bool:
    """The error of each sum of products, and the mean of their squares."""
    unit = np.maximum(bound * 2.0 ** -(kind.fraction + 1), kind.least)
    if bool(np.any((bound == 0) & ((result != 0) | (reference != 0)))):
        return False
    error = (result - reference) / unit
    if not bool(np.all(np.abs(error) <= info["abs_bound"])):
        return False
    return bool(np.sum(error**2) <= info["variance_error_bound"] * error.size)


def complies(result: Array, reference: Array, bound: Array | None, mode: dict[str, Any]) -> bool:
    """Whether a result complies with ``mode``, a tensor's entry in the description of a test."""
    if result.shape != reference.shape:
        return False
    name, kind = mode["mode"], FORMATS.get(mode["data_type"])
    if kind is None:
        return name == "EXACT" and bool(np.array_equal(result, reference))
    found = np.asarray(result, np.float64)
    if name == "DOT_PRODUCT":
        assert bound is not None
        return dot_product(found, reference, bound, mode["dot_product_info"], kind)
    unit = 2.0**-kind.fraction
    error: Any = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        if name == "ULP":
            error = ulp(reference, kind) * mode["ulp_info"]["ulp"] * (reference != 0)
        elif name == "REDUCE_PRODUCT":
            factors = mode["reduce_product_info"]["n"]
            least = np.maximum(np.abs(reference), kind.least)
            error = least * ((1 + unit / 2) ** factors - 1)
        elif name == "MAX_RELATIVE":
            info = mode["max_relative_info"]
            error = float(info["max"]) * max(info["scale"], info["ulp_bound"] * unit)
        elif name == "ABS_ERROR":
            assert bound is not None
            info = mode.get("abs_error_info", {})
            if info.get("bound_as_magnitude"):
                least = info.get("max_compare", 1.0)
                error = np.maximum(np.abs(bound), least) * info["base_bound"]
                error = error * 2.0 ** -(kind.fraction / info["normal_divisor"])
            else:
                error = np.abs(reference) * (bound + info.get("base_bound", 0)) * unit
                error = np.maximum(error, info.get("lower_bound", 0) * unit)
        elif name == "PRECOMPUTED":
            assert bound is not None
            # An infinite bound is none.
            return bool(np.all(inside(found, reference, bound, kind) | np.isinf(bound)))
        elif name == "FP_SPECIAL":
            assert bound is not None
            finite = np.isfinite(found) & (found * np.where(reference < 0, -1, 1) >= 0)
            special = (found == reference) | (np.isnan(found) & np.isnan(bound))
            special |= np.isnan(found) & np.isnan(reference)
            return bool(np.all(np.where(np.isfinite(reference), finite, special)))
        else:
            assert name == "EXACT", name
    return bool(np.all(inside(found, reference, error, kind)))
