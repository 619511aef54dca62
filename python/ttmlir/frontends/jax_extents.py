"""Extents of JAX's symbolic shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

try:
    import jax.export
except ImportError as error:
    raise ImportError(f"{__name__} needs JAX: pip install ttmlir[jax] ({error})") from None

from ttmlir.frontends._dynamic import Derived, Extent


def is_symbolic(n: Any) -> bool:
    """Whether an extent is symbolic."""
    return bool(jax.export.is_symbolic_dim(n))


def extent_of(n: Any) -> Extent:
    """Returns an extent of a symbolic shape."""
    if not is_symbolic(n):
        return int(n)
    symbols, text = n._get_vars(), str(n)
    if text in symbols:
        return text
    return Derived(text, lambda extents: int(n._evaluate({s: extents[s] for s in symbols})))


def limits_of(shapes: Sequence[Sequence[Any]]) -> dict[str, tuple[int, int | None]]:
    """Returns the limits of symbols; JAX assumes that extents are at least 1."""
    names = {n for shape in shapes for n in map(extent_of, shape) if isinstance(n, str)}
    return dict.fromkeys(names, (1, None))
