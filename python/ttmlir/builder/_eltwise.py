"""Elementwise ops: those of the table, and those with additional arguments."""

from __future__ import annotations

from typing import Any

from ttmlir._mlir_literals import f32
from ttmlir.builder._dtypes import ELEMENTS, canonical
from ttmlir.builder._op_table import OpTable
from ttmlir.builder._tensor import Tensor


class EltwiseOps(OpTable):
    """The elementwise ops; all broadcast by NumPy's rules."""

    def where(
        self, condition: Tensor, true: Tensor, false: Tensor, *, name: str | None = None
    ) -> Tensor:
        """``true`` where the condition is nonzero, else ``false``; all three broadcast."""
        self._check_inputs("where", (condition, true, false))
        self._same_dtype("where", (true, false))
        return self._eltwise("where", (condition, true, false), name, dtype=true.dtype)

    def leaky_relu(self, x: Tensor, parameter: float = 0.01, *, name: str | None = None) -> Tensor:
        """Multiplies negative elements by ``parameter``."""
        return self._eltwise("leaky_relu", (x,), name, {"parameter": f32(parameter)})

    def clamp(self, x: Tensor, min: float, max: float, *, name: str | None = None) -> Tensor:
        """Clamps the elements to the range from ``min`` to ``max``."""
        if min > max:
            raise ValueError(f"clamp: expected min <= max, found {min} and {max}")
        return self._eltwise("clamp", (x,), name, {"min": f32(min), "max": f32(max)})

    def selu(
        self,
        x: Tensor,
        scale: float = 1.0507009873554805,
        alpha: float = 1.6732632423543772,
        *,
        name: str | None = None,
    ) -> Tensor:
        """``scale * x`` for positive elements, ``scale * alpha * (exp(x) - 1)`` for negative
        ones."""
        return self._eltwise("selu", (x,), name, {"scale": f32(scale), "alpha": f32(alpha)})

    def typecast(self, x: Tensor, dtype: Any, *, name: str | None = None) -> Tensor:
        """Converts the elements to another format."""
        dtype = canonical(dtype, border=True)
        if dtype in ELEMENTS and ELEMENTS[dtype].block:
            raise ValueError(
                f"typecast: {dtype} is a storage format of {ELEMENTS[dtype].element}: "
                f"use to_layout(x, format='{dtype}')"
            )
        return self._eltwise("typecast", (x,), name, dtype=dtype)
