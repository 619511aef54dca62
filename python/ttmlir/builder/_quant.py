"""Quantization ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttmlir._mlir_literals import integer
from ttmlir.builder._dtypes import canonical
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor


class QuantOps(Functions):
    """Conversion between real numbers and quantized integers. A quantized dtype is the text of its
    type, as returned by ``ttmlir.builder.quantized``."""

    def quantize(self, x: Tensor, dtype: str, *, name: str | None = None) -> Tensor:
        """round(x / scale) + zero point, with the parameters of the quantized ``dtype``."""
        return self._quantization("quantize", (x,), dtype, None, name)

    def dequantize(self, x: Tensor, dtype: Any = "f32", *, name: str | None = None) -> Tensor:
        """(x - zero point) * scale, with the parameters of the quantized type of ``x``."""
        return self._quantization("dequantize", (x,), dtype, None, name)

    def requantize(self, x: Tensor, dtype: str, *, name: str | None = None) -> Tensor:
        """Converts the elements to another quantized ``dtype``."""
        return self._quantization("requantize", (x,), dtype, None, name)

    def quantize_unrolled(
        self,
        x: Tensor,
        scale: Tensor,
        zero_point: Tensor,
        dtype: Any = "i8",
        axis: int | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """round(x / scale) + zero point; scale and zero point have one element, or one for each
        index along ``axis``."""
        inputs = (x, scale, zero_point)
        return self._quantization("quantize_unrolled", inputs, dtype, axis, name)

    def dequantize_unrolled(
        self,
        x: Tensor,
        scale: Tensor,
        zero_point: Tensor,
        dtype: Any = "f32",
        axis: int | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """(x - zero point) * scale."""
        inputs = (x, scale, zero_point)
        return self._quantization("dequantize_unrolled", inputs, dtype, axis, name)

    def requantize_unrolled(
        self,
        x: Tensor,
        in_scale: Tensor,
        in_zero_point: Tensor,
        out_scale: Tensor,
        out_zero_point: Tensor,
        dtype: Any = "i8",
        axis: int | None = None,
        *,
        name: str | None = None,
    ) -> Tensor:
        """Converts the elements to another scale and zero point."""
        inputs = (x, in_scale, in_zero_point, out_scale, out_zero_point)
        return self._quantization("requantize_unrolled", inputs, dtype, axis, name)

    def _quantization(
        self, op: str, inputs: Sequence[Tensor], dtype: Any, axis: int | None, name: str | None
    ) -> Tensor:
        attributes = {} if axis is None else {"axis": integer("i32", axis)}
        return self._build(op, inputs, attributes, name=name, dtype=canonical(dtype, border=True))
