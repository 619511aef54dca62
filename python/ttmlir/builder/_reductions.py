"""Reductions along dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from ttmlir._mlir_literals import boolean, integers
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor

Dims = int | Sequence[int] | None


class ReductionOps(Functions):
    """Reductions along dimensions."""

    def max(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Maximum along ``dim``, all dimensions if None."""
        return self._reduction("max", x, dim, keep_dim, name)

    def mean(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Mean along ``dim``, all dimensions if None."""
        return self._reduction("mean", x, dim, keep_dim, name)

    def min(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Minimum along ``dim``, all dimensions if None."""
        return self._reduction("min", x, dim, keep_dim, name)

    def prod(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Product along ``dim``, all dimensions if None."""
        return self._reduction("prod", x, dim, keep_dim, name)

    def sum(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Sum along ``dim``, all dimensions if None."""
        return self._reduction("sum", x, dim, keep_dim, name)

    def reduce_and(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """1 if all elements along ``dim`` are nonzero; all dimensions if None."""
        return self._reduction("reduce_and", x, dim, keep_dim, name)

    def reduce_or(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """1 if any element along ``dim`` is nonzero; all dimensions if None."""
        return self._reduction("reduce_or", x, dim, keep_dim, name)

    def _reduction(
        self,
        op: str,
        x: Tensor,
        dim: Dims,
        keep_dim: bool,
        name: str | None,
        dtype: str | None = None,
    ) -> Tensor:
        attributes = {"keep_dim": boolean(keep_dim)}
        if dim is not None:
            dims = dim if isinstance(dim, Sequence) else [dim]
            attributes["dim_arg"] = integers("i32", dims)
        return self._build(op, (x,), attributes, name=name, dtype=dtype)

    def argmax(
        self, x: Tensor, dim: int | None = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Index of the first maximum along ``dim``, in the flattened tensor if None, as i32."""
        return self._reduction("argmax", x, dim, keep_dim, name, dtype="i32")
