"""JAX in 64 bits, by the name that its release has for it."""

from __future__ import annotations

from contextlib import AbstractContextManager

import jax
import jax.experimental


def x64() -> AbstractContextManager[None]:
    """Inside of it 64 bits are 64 bits."""
    enable = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
    found: AbstractContextManager[None] = enable(True)
    return found
