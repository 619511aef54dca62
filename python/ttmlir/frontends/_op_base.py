"""Parts shared by importers: registration of handlers, casts and comparisons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.diagnostics import Place, UnsupportedError

KeyT = TypeVar("KeyT")
HandlerT = TypeVar("HandlerT", bound=Callable[..., Any])


def registers(
    table: dict[KeyT, Any],
    names: Iterable[str],
    key: Callable[[str], Any] = str,
    entry: Callable[[Any], Any] = lambda handler: handler,
) -> Callable[[HandlerT], HandlerT]:
    """Returns a decorator that adds a handler to a table.

    Args:
        table: of the importer.
        names: of the ops.
        key: of a name in the table.
        entry: makes the table's entry of a handler.
    """

    def register(handler: HandlerT) -> HandlerT:
        for name in names:
            if key(name) in table:
                raise KeyError(f"'{name}' has a handler already")
            table[key(name)] = entry(handler)
        return handler

    return register


class HasBuilder(Protocol):
    @property
    def builder(self) -> Builder: ...


class TypedOp(ABC):
    """An op during import whose operands become tensors of a given dtype."""

    #: The importer.
    importer: HasBuilder
    #: The location of the op.
    place: Place

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the op in messages."""

    @abstractmethod
    def tensor(self, x: Any, dtype: str | None = None) -> Tensor:
        """Converts an operand to a tensor of the builder, and to ``dtype`` if it is given."""

    @property
    def b(self) -> Builder:
        return self.importer.builder

    def fail(self, reason: str) -> UnsupportedError:
        """Creates an error at this op; the caller raises it."""
        return UnsupportedError(self.name, reason, self.place)

    def cast(self, x: Tensor, dtype: str) -> Tensor:
        """Converts the elements; a nonzero number is true."""
        if x.dtype == dtype:
            return x
        if dtype == "bool":
            return self.compare("ne", x, self.tensor(0, x.dtype))
        return self.b.typecast(x, dtype)

    def compare(self, name: str, x: Tensor, y: Tensor) -> Tensor:
        """Compares two tensors of one dtype element by element."""
        return self.b._eltwise(name, (x, y), None, dtype="bool")
