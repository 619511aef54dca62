"""Reductions along dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, overload

from ttmlir import _shapes
from ttmlir._literals import boolean, integers
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor

Dims = int | Sequence[int] | None


class ReductionMethod(Protocol):
    def __call__(
        self, x: Tensor, dim: Dims = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor: ...


class _Reduction:
    """Stands for the method of a reduction, of the name that it is assigned to."""

    def __init__(self, meaning: str) -> None:
        self.meaning = meaning

    def __set_name__(self, owner: type[ReductionOps], op: str) -> None:
        def method(
            self: ReductionOps,
            x: Tensor,
            dim: Dims = None,
            keep_dim: bool = False,
            *,
            name: str | None = None,
        ) -> Tensor:
            return self._reduction(op, x, dim, keep_dim, name)

        # An ordinary method in the place of the table's entry, for help() and debuggers.
        method.__name__ = op
        method.__qualname__ = f"{owner.__qualname__}.{op}"
        method.__doc__ = f"{self.meaning} along ``dim``, all dimensions if None."
        setattr(owner, op, method)

    if TYPE_CHECKING:

        @overload
        def __get__(self, builder: None, owner: Any) -> _Reduction: ...
        @overload
        def __get__(self, builder: ReductionOps, owner: Any) -> ReductionMethod: ...
        def __get__(self, builder: Any, owner: Any) -> Any: ...


class ReductionOps(Functions):
    """The reductions."""

    max = _Reduction("Maximum")
    mean = _Reduction("Mean")
    min = _Reduction("Minimum")
    prod = _Reduction("Product")
    sum = _Reduction("Sum")

    def _reduction(
        self,
        op: str,
        x: Tensor,
        dim: Dims,
        keep_dim: bool,
        name: str | None,
        dtype: str | None = None,
    ) -> Tensor:
        dims = range(x.rank) if dim is None else [dim] if isinstance(dim, int) else dim
        axes = [_shapes.normalize(d, x.rank) for d in dims]
        attributes = {"keep_dim": boolean(keep_dim)}
        if dim is not None:
            attributes["dim_arg"] = integers("i32", axes)
        shape = _shapes.reduce(x.shape, axes, keep_dim)
        return self._build(op, (x,), shape, attributes, name=name, dtype=dtype)

    def argmax(
        self, x: Tensor, dim: int | None = None, keep_dim: bool = False, *, name: str | None = None
    ) -> Tensor:
        """Index of the first maximum along ``dim``, in the flattened tensor if None, as i32."""
        return self._reduction("argmax", x, dim, keep_dim, name, dtype="i32")
