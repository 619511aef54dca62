"""Compares results with those of PyTorch on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

#: Relative and absolute, for results of a dtype: what rounding and sums of small tensors explain.
TOLERANCES = {
    torch.float64: 1e-5,
    torch.float32: 1e-5,
    torch.bfloat16: 2.0**-6,
    torch.float16: 2.0**-9,
    torch.complex64: 1e-5,
    torch.complex128: 1e-5,
}


def difference(found: Any, expected: Any, *, scale: float = 1.0) -> str:
    """What differs in two pytrees of tensors; empty if nothing does.

    Args:
        found: tensors of the executable.
        expected: those of PyTorch.
        scale: by which the tolerances are wider.
    """
    ours, theirs = pytree.tree_leaves(found), pytree.tree_leaves(expected)
    if len(ours) != len(theirs):
        return f"expected {len(theirs)} results, found {len(ours)}"
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if reason := _difference(a, b, scale):
            return f"result {i}: {reason}"
    return ""


def _difference(found: Any, expected: Any, scale: float) -> str:
    if not isinstance(expected, torch.Tensor):
        return "" if found == expected else f"expected {expected!r}, found {found!r}"
    if not isinstance(found, torch.Tensor):
        return f"expected a tensor, found {type(found).__name__}"
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return (
            f"expected {tuple(expected.shape)} {expected.dtype}, "
            f"found {tuple(found.shape)} {found.dtype}"
        )
    tolerance = TOLERANCES.get(expected.dtype, 0.0) * scale
    wide = torch.complex128 if expected.is_complex() else torch.float64
    a, b = (x.detach().to(wide).resolve_conj().numpy() for x in (found, expected))
    with np.errstate(invalid="ignore"):
        close = np.isclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
    if close.all():
        return ""
    place = tuple(int(n) for n in np.argwhere(~close)[0])
    return (
        f"element {list(place)} is {a[place]}, expected {b[place]} "
        f"({(~close).sum()} of {close.size} differ)"
    )


def correlation(found: torch.Tensor, expected: torch.Tensor) -> float:
    """Pearson's correlation coefficient of the elements."""
    a, b = (x.detach().to(torch.float64).reshape(-1) for x in (found, expected))
    a, b = a - a.mean(), b - b.mean()
    norm = float(a.norm() * b.norm())
    return float(a @ b) / norm if norm else float(torch.equal(a, b))
