"""Detects PRNG keys among the arrays of JAX."""

from __future__ import annotations

from typing import Any

try:
    import jax
except ImportError as error:
    raise ImportError(f"{__name__} needs JAX: pip install ttmlir[jax] ({error})") from None


def is_key(aval: Any) -> bool:
    """Whether it is an array of PRNG keys, or its type."""
    return bool(jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key))
