"""Values of a program under construction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttmlir import ir
    from ttmlir.builder import Builder

Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of a program under construction.

    Python's arithmetic operators, ``@`` and ``< <= > >=`` build the ops of that name; a Python
    number on either side becomes a constant of this tensor's dtype. (``==`` compares identity;
    ``Builder.eq`` compares elements.)
    """

    builder: Builder = field(repr=False)
    value: ir.Value[ir.Type] = field(repr=False)
    shape: Shape
    dtype: str

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def layout(self) -> ir.Attribute | None:
        """The ``#tt.layout`` of the tensor, None if the compiler chooses it."""
        from ttmlir import ir

        return ir.RankedTensorType(self.value.type).encoding

    def _other(self, other: Tensor | float) -> Tensor:
        if isinstance(other, Tensor):
            return other
        return self.builder.constant(other, shape=(1,) * self.rank, dtype=self.dtype)

    def __add__(self, other: Tensor | float) -> Tensor:
        return self.builder.add(self, self._other(other))

    def __radd__(self, other: float) -> Tensor:
        return self.builder.add(self._other(other), self)

    def __sub__(self, other: Tensor | float) -> Tensor:
        return self.builder.subtract(self, self._other(other))

    def __rsub__(self, other: float) -> Tensor:
        return self.builder.subtract(self._other(other), self)

    def __mul__(self, other: Tensor | float) -> Tensor:
        return self.builder.multiply(self, self._other(other))

    def __rmul__(self, other: float) -> Tensor:
        return self.builder.multiply(self._other(other), self)

    def __truediv__(self, other: Tensor | float) -> Tensor:
        return self.builder.div(self, self._other(other))

    def __rtruediv__(self, other: float) -> Tensor:
        return self.builder.div(self._other(other), self)

    def __pow__(self, other: Tensor | float) -> Tensor:
        return self.builder.power(self, self._other(other))

    def __lt__(self, other: Tensor | float) -> Tensor:
        return self.builder.lt(self, self._other(other))

    def __le__(self, other: Tensor | float) -> Tensor:
        return self.builder.le(self, self._other(other))

    def __gt__(self, other: Tensor | float) -> Tensor:
        return self.builder.gt(self, self._other(other))

    def __ge__(self, other: Tensor | float) -> Tensor:
        return self.builder.ge(self, self._other(other))

    def __matmul__(self, other: Tensor) -> Tensor:
        return self.builder.matmul(self, other)

    def __neg__(self) -> Tensor:
        return self.builder.neg(self)

    def __abs__(self) -> Tensor:
        return self.builder.abs(self)
