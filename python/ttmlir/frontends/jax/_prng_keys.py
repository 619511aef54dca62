"""Detects PRNG keys among the arrays of JAX."""

from __future__ import annotations

from typing import Any

import jax


def is_key(aval: Any) -> bool:
    """Whether it is an array of PRNG keys, or its type."""
    return bool(jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key))
