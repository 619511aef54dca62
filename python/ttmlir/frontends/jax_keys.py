"""Keys of random numbers among the arrays of JAX."""

from __future__ import annotations

from typing import Any

import jax


def is_key(aval: Any) -> bool:
    """Whether it is an array of keys of random numbers, or its type."""
    return bool(jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key))
