"""An op of the source while it is imported, and the table of what imports it."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import torch

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.diagnostics import UnsupportedError
from ttmlir.frontends.torch._locations import Place
from ttmlir.frontends.torch._types import ELEMENTS, TORCH, Shape

#: A tensor that is built, or one that is known.
Value: TypeAlias = "Tensor | torch.Tensor"
Scalar: TypeAlias = "bool | int | float"
Operand: TypeAlias = "Value | Scalar"
#: What imports an op: a value, or one for each result, None for those that nothing reads.
Result: TypeAlias = "Value | Sequence[Value | None]"
Handler: TypeAlias = "Callable[..., Result]"


class Walk(Protocol):
    """What an op asks of the importer."""

    builder: Builder

    def constant(self, known: torch.Tensor, dtype: str) -> Tensor: ...
    def random_bits(self, shape: Shape) -> Tensor: ...
    def call(self, graph: torch.fx.GraphModule, inputs: Sequence[Value]) -> list[Value]: ...


HANDLERS: dict[str, Handler] = {}


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Enters a function into the table of handlers: under the names of overloads, such as
    ``aten.add.Tensor``, or of ops, for all overloads that have no handler of their own.

    It is called with the op and its arguments, by the names of the schema.
    """

    def enter(handler: Handler) -> Handler:
        for name in names:
            if name in HANDLERS:
                raise KeyError(f"'{name}' has a handler already")
            HANDLERS[name] = handler
        return handler

    return enter


def handler_of(target: Any) -> Handler | None:
    """The handler of an overload."""
    name = str(target)
    return HANDLERS.get(name) or HANDLERS.get(name.rpartition(".")[0])


class Op:
    """One op of the source.

    Args:
        walk: the importer, whose builder is written to.
        node: of the graph; its ``meta["val"]`` has shapes and dtypes of the results.
        place: the line of Python that it comes from.
        kinds: the builder's dtype for one of PyTorch.
        target: what it calls; the node's may do so in place.
        value_of: the value of a node of the graph that comes before.
    """

    def __init__(
        self,
        walk: Walk,
        node: torch.fx.Node,
        place: Place,
        kinds: Callable[[torch.dtype], str],
        target: Any,
        value_of: Callable[[torch.fx.Node], Any],
    ) -> None:
        self.walk, self.node, self.place, self.kind = walk, node, place, kinds
        self.target, self.value_of = target, value_of

    @property
    def b(self) -> Builder:
        return self.walk.builder

    @property
    def name(self) -> str:
        if isinstance(self.target, types.FunctionType):
            return f"{self.target.__module__}.{self.target.__qualname__}"
        return str(self.target)

    def fail(self, reason: str) -> UnsupportedError:
        """An error at this op; the caller raises it."""
        return UnsupportedError(self.name, reason, self.place)

    # Results -------------------------------------------------------------------------------------

    def meta(self, i: int = 0) -> torch.Tensor:
        """Shape and dtype of result ``i``."""
        value = self.node.meta["val"]
        found: torch.Tensor = value[i] if isinstance(value, (list, tuple)) else value
        return found

    def shape(self, i: int = 0) -> Shape:
        return tuple(self.meta(i).shape)

    def dtype(self, i: int = 0) -> str:
        """The builder's dtype of result ``i``."""
        return self.kind(self.meta(i).dtype)

    def is_used(self, i: int) -> bool:
        """Whether something reads result ``i`` of several."""
        return any(
            user.target is operator.getitem and user.args[1] == i for user in self.node.users
        )

    # Operands ------------------------------------------------------------------------------------

    def tensor(self, x: Operand, dtype: str | None = None) -> Tensor:
        """An operand as a tensor of the builder.

        Args:
            x: a number becomes a constant that broadcasts to anything.
            dtype: to cast to; by default that of the tensor, or the op's for a number.
        """
        if isinstance(x, Tensor):
            return x if dtype is None else self.cast(x, dtype)
        if isinstance(x, torch.Tensor):
            return self.walk.constant(x, dtype or self.kind(x.dtype))
        dtype = dtype or self.dtype()
        # A float keeps its digits until it is rounded once.
        own = torch.float64 if isinstance(x, float) else None
        return self.walk.constant(torch.tensor(x, dtype=own), dtype)

    def cast(self, x: Tensor, dtype: str) -> Tensor:
        """The elements in another type; a number is true if it is not 0."""
        if x.dtype == dtype:
            return x
        if dtype == "bool":
            return self.compare("ne", x, self.tensor(0, x.dtype))
        return self.b.typecast(x, dtype)

    def compare(self, name: str, x: Tensor, y: Tensor) -> Tensor:
        """Truth values of a comparison of two tensors of one dtype."""
        return self.b._eltwise(name, (x, y), None, dtype="bool")

    def promoted(self, *operands: Operand) -> str:
        """The dtype that PyTorch compares or combines operands in."""
        metas = [self._meta(x) for x in operands]
        found = metas[0]
        for other in metas[1:]:
            dtype = torch.result_type(found, other)
            rank = max(getattr(found, "ndim", 0), getattr(other, "ndim", 0))
            found = torch.empty((1,) * rank, dtype=dtype, device="meta")
        dtype = found.dtype if isinstance(found, torch.Tensor) else torch.tensor(found).dtype
        return ELEMENTS[dtype]

    def _meta(self, x: Operand) -> Any:
        """What has the rank and the dtype of a tensor; a number as it is."""
        if isinstance(x, Tensor):
            return torch.empty((1,) * x.rank, dtype=TORCH[x.dtype], device="meta")
        if isinstance(x, torch.Tensor):
            dtype = TORCH[self.kind(x.dtype)]
            return torch.empty((1,) * x.ndim, dtype=dtype, device="meta")
        return x


def shape_of(x: Operand) -> Shape:
    """Extents of an operand; none of a number."""
    return tuple(x.shape) if isinstance(x, (Tensor, torch.Tensor)) else ()
