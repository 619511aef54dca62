"""Sample values to find out the semantics of a comparator or the body of a reduction."""

from __future__ import annotations

import numpy as np

from ttmlir.frontends.stablehlo._types import FLOATS, NUMPY, Array, highest, lowest


def samples(dtype: str, with_nan: bool = True) -> Array:
    """Returns a few numbers of a type, including limits and special values, in ascending order."""
    kind = NUMPY[dtype]
    if dtype == "bool":
        return np.array([False, True])
    if dtype in FLOATS:
        numbers = [-np.inf, -2.5, -1, -0.0, 0.0, 1, 2.5, np.inf] + [np.nan] * with_nan
        return np.array(numbers).astype(kind)
    least, most = int(lowest(dtype)), int(highest(dtype))
    numbers = sorted({least, least + 1, max(-1, least), 0, 1, 2, most - 1, most})
    return np.array(numbers, kind)
