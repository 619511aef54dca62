"""An op during import, and the table of handlers."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import torch

from ttmlir.builder import Builder, Tensor
from ttmlir.builder._dtypes import SMALL_FLOATS
from ttmlir.frontends._op_base import TypedOp, registers
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.counted import Counts
from ttmlir.frontends.quantization import saturated
from ttmlir.frontends.torch._locations import Place
from ttmlir.frontends.torch._types import ELEMENTS, TORCH, Shape

#: A built tensor, a known tensor, or the parts of a complex tensor.
Value: TypeAlias = "Tensor | torch.Tensor | Complex[Tensor]"
VALUES = (Tensor, torch.Tensor, Complex)
Scalar: TypeAlias = "bool | int | float"
Operand: TypeAlias = "Value | Scalar"
#: Returned by a handler: a value, or one for each result, None for unused ones.
Result: TypeAlias = "Value | Sequence[Value | None]"
Handler: TypeAlias = "Callable[..., Result]"


class ImporterLike(Protocol):
    """The methods of the importer that handlers use."""

    builder: Builder
    counts: Counts

    def constant(self, known: torch.Tensor, dtype: str) -> Tensor: ...
    def random_bits(self, shape: Shape) -> Tensor: ...
    def call(self, graph: torch.fx.GraphModule, inputs: Sequence[Value]) -> list[Value]: ...


HANDLERS: dict[str, Handler] = {}


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers a function as the handler of overloads, such as ``aten.add.Tensor``, or of ops, for
    all overloads without a handler of their own.

    It is called with the op and its arguments, named as in the schema.
    """
    return registers(HANDLERS, names)


def handler_of(target: Any) -> Handler | None:
    """Returns the handler of an overload."""
    name = str(target)
    return HANDLERS.get(name) or HANDLERS.get(name.rpartition(".")[0])


class Op(TypedOp):
    """One op of the source.

    Args:
        walk: the importer.
        node: of the graph; its ``meta["val"]`` has shapes and dtypes of the results.
        place: its Python line.
        kinds: maps PyTorch dtypes to the builder's.
        target: the op to import; the node's may be its in-place variant.
        value_of: returns the value of an earlier node of the graph.
    """

    importer: ImporterLike
    place: Place

    def __init__(
        self,
        importer: ImporterLike,
        node: torch.fx.Node,
        place: Place,
        kinds: Callable[[torch.dtype], str],
        target: Any,
        value_of: Callable[[torch.fx.Node], Any],
    ) -> None:
        self.importer, self.node, self.place, self.kind = importer, node, place, kinds
        self.target, self.value_of = target, value_of

    def random_bits(self, shape: Shape) -> Tensor:
        """Builds random u32 numbers."""
        return self.importer.random_bits(shape)

    @property
    def name(self) -> str:
        if isinstance(self.target, types.FunctionType):
            return f"{self.target.__module__}.{self.target.__qualname__}"
        return str(self.target)

    # Results -------------------------------------------------------------------------------------

    def meta(self, i: int = 0) -> torch.Tensor:
        """Returns shape and dtype of result ``i``."""
        value = self.node.meta["val"]
        found: torch.Tensor = value[i] if isinstance(value, (list, tuple)) else value
        return found

    def shape(self, i: int = 0) -> Shape:
        return tuple(self.meta(i).shape)

    def dtype(self, i: int = 0) -> str:
        """Returns the builder's dtype of result ``i``."""
        return self.kind(self.meta(i).dtype)

    def is_used(self, i: int) -> bool:
        """Whether result ``i`` of several is used."""
        return any(
            user.target is operator.getitem and user.args[1] == i for user in self.node.users
        )

    # Operands ------------------------------------------------------------------------------------

    def tensor(self, x: Operand, dtype: str | None = None) -> Tensor:
        """Converts an operand to a tensor of the builder.

        Args:
            x: a number becomes a scalar constant that broadcasts.
            dtype: to cast to; by default that of the tensor, or the op's for a number.
        """
        if isinstance(x, Tensor):
            return x if dtype is None else self.cast(x, dtype)
        if isinstance(x, Complex):
            raise ValueError("complex numbers are not supported: use their real or imaginary part")
        if isinstance(x, torch.Tensor):
            return self.importer.constant(x, dtype or self.kind(x.dtype))
        dtype = dtype or self.dtype()
        # A float is rounded only once.
        own = torch.float64 if isinstance(x, float) else None
        return self.importer.constant(torch.tensor(x, dtype=own), dtype)

    def cast(self, x: Tensor, dtype: str) -> Tensor:
        """Converts the elements; to 8-bit floats like the installed PyTorch."""
        if dtype == "f8_e8m0fnu":
            # PyTorch drops the sign, and maps 0 to the smallest power of two.
            size = self.b.abs(super().cast(x, "f32"))
            least = self.tensor(2.0**-127, "f32")
            size = self.b.where(self.compare("eq", size, self.tensor(0.0, "f32")), least, size)
            return super().cast(size, dtype)
        if dtype in SMALL_FLOATS and x.dtype not in SMALL_FLOATS and _saturates(TORCH[dtype]):
            return saturated(self, x, dtype)
        return super().cast(x, dtype)

    def promoted(self, *operands: Operand) -> str:
        """Returns the dtype in which PyTorch compares or combines operands."""
        metas = [self._meta(x) for x in operands]
        found = metas[0]
        for other in metas[1:]:
            dtype = torch.result_type(found, other)
            rank = max(getattr(found, "ndim", 0), getattr(other, "ndim", 0))
            found = torch.empty((1,) * rank, dtype=dtype, device="meta")
        dtype = found.dtype if isinstance(found, torch.Tensor) else torch.tensor(found).dtype
        return ELEMENTS[dtype]

    def _meta(self, x: Operand) -> Any:
        """Returns a meta tensor with the rank and the dtype of an operand; a number unchanged."""
        if isinstance(x, Tensor):
            return torch.empty((1,) * x.rank, dtype=TORCH[x.dtype], device="meta")
        if isinstance(x, torch.Tensor):
            dtype = TORCH[self.kind(x.dtype)]
            return torch.empty((1,) * x.ndim, dtype=dtype, device="meta")
        return x


@functools.cache
def _saturates(dtype: torch.dtype) -> bool:
    """Whether casts to a type saturate, which depends on the PyTorch version."""
    return bool(torch.tensor(torch.inf).to(dtype).float().isfinite())


def shape_of(x: Operand) -> Shape:
    """Returns the extents of an operand; empty for a number."""
    return tuple(x.shape) if isinstance(x, (Tensor, torch.Tensor)) else ()
