"""A node during import, and the table of handlers."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
import onnx

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends._op_base import TypedOp, registers
from ttmlir.frontends.counted import Counts
from ttmlir.frontends.counted_slices import Span
from ttmlir.frontends.onnx._types import ELEMENTS, Array, Shape, unsupported

#: A built tensor, a known array, a sequence of values, or nothing.
Value: TypeAlias = "Tensor | Array | list[Any] | None"
Scalar: TypeAlias = "bool | int | float"
#: Imports a node: returns a value, or one for each output.
Result: TypeAlias = "Value | Sequence[Value]"
Handler: TypeAlias = "Callable[..., Result]"


@dataclass(frozen=True)
class Place:
    """The location of a node: its name after those of the enclosing nodes."""

    name: str

    @property
    def line_text(self) -> str:
        return self.name


@dataclass(frozen=True)
class Scope:
    """The environment of a node: values by name, the versions of operator sets by domain, and the
    name of the enclosing node."""

    values: ChainMap[str, Any]
    opsets: Mapping[str, int]
    prefix: str = ""

    def inner(self, name: str) -> Scope:
        """Returns the scope of a graph in the node ``name``."""
        return replace(self, values=self.values.new_child(), prefix=name)


class ImporterLike(Protocol):
    """The methods of the importer that handlers use."""

    builder: Builder
    counts: Counts
    counted_sources: set[str]

    def constant(self, known: Array, dtype: str) -> Tensor: ...
    def random_bits(self, shape: Shape, seed: float | None) -> Tensor: ...
    def call(self, graph: onnx.GraphProto, inputs: Sequence[Value], scope: Scope) -> list[Any]: ...
    def attempt(self, build: Callable[[], list[Any]]) -> list[Any] | None: ...
    def sources(self, x: Value) -> frozenset[str]: ...


class NeedsValueError(Exception):
    """A value is required that depends on the inputs ``sources`` of the model."""

    def __init__(self, what: str, sources: frozenset[str]) -> None:
        super().__init__(f"{what} depends on values of {', '.join(sorted(sources))}")
        self.what, self.sources = what, sources


class AbandonedError(Exception):
    """A nested graph cannot be imported, for reasons already recorded."""


@dataclass(frozen=True)
class Entry:
    """A handler, and whether onnx's reference evaluates nodes with known inputs instead."""

    handler: Handler
    folds: bool = True


#: Returned by handlers for nodes to be expanded to their function bodies.
DECLINED: list[Any] = []

HANDLERS: dict[tuple[str, str], Entry] = {}


def handles(*names: str, domain: str = "", folds: bool = True) -> Callable[[Handler], Handler]:
    """Registers a function as the handler of op types.

    It is called with the op and the inputs of the node.
    """
    return registers(
        HANDLERS,
        names,
        key=lambda name: (domain, name),
        entry=lambda handler: Entry(handler, folds),
    )


class Op(TypedOp):
    """One node of a model.

    Args:
        walk: the importer.
        node: of the graph.
        scope: the environment of the node.
        place: the location of the node.
        since: the operator set version that last changed the op type.
        kinds: maps a builder dtype to another one, by the dtype policy.
    """

    importer: ImporterLike
    place: Place

    def __init__(
        self,
        importer: ImporterLike,
        node: onnx.NodeProto,
        scope: Scope,
        place: Place,
        since: int,
        kinds: Callable[[str], str],
    ) -> None:
        self.importer, self.node, self.scope, self.place = importer, node, scope, place
        self.since, self.kind = since, kinds
        self._attributes = {a.name: a for a in node.attribute}
        self.inputs: list[Value] = []

    @property
    def name(self) -> str:
        """The op type, with the domain in front if it is not ONNX's."""
        node = self.node
        own = node.domain not in ("", "ai.onnx")
        return f"{node.domain}.{node.op_type}" if own else str(node.op_type)

    def is_used(self, i: int) -> bool:
        """Whether output ``i`` is used."""
        return len(self.node.output) > i and bool(self.node.output[i])

    # Attributes ----------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        return name in self._attributes

    def attribute(self, name: str, default: Any = None) -> Any:
        """Returns the value of an attribute: numbers, bytes, lists, tensors or graphs."""
        found = self._attributes.get(name)
        return default if found is None else onnx.helper.get_attribute_value(found)

    def integer(self, name: str, default: int = 0) -> int:
        return int(self.attribute(name, default))

    def number(self, name: str, default: float = 0.0) -> float:
        """Returns a float attribute, as the shortest decimal of the 32-bit value."""
        return float(str(np.float32(self.attribute(name, default))))

    def text(self, name: str, default: str = "") -> str:
        found = self.attribute(name, default)
        return found.decode() if isinstance(found, bytes) else str(found)

    def integers(self, name: str) -> list[int] | None:
        """Returns a list of integers; None if it is omitted."""
        found = self.attribute(name)
        return None if found is None else [int(n) for n in found]

    def numbers(self, name: str) -> list[float] | None:
        found = self.attribute(name)
        return None if found is None else [float(n) for n in found]

    def random_bits(self, shape: Shape) -> Tensor:
        """Builds random u32 words: the same in each call if the node has a seed."""
        return self.importer.random_bits(shape, self.attribute("seed"))

    def counted(self, most: int, count: Tensor, *values: tuple[Tensor, int]) -> list[Tensor]:
        """Returns values of which the first ``count`` (1,) of at most ``most`` elements along a
        dimension exist."""
        self.importer.counted_sources.update(*map(self.importer.sources, self.inputs))
        name = self._extent_name()
        self.importer.counts.bound(name, most)
        return self.importer.counts.marked(self.b, name, count, values)

    def sliced(self, x: Tensor, spans: Mapping[int, Span]) -> tuple[Tensor, set[int]]:
        """Slices a tensor along those dimensions whose extents depend on values.

        Args:
            x: the tensor to slice.
            spans: the bounds by dimension.

        Returns:
            The result and these dimensions.
        """
        counts = self.importer.counts
        counts.sliced_shapes[self.place.name] = x.shape
        sources = counts.sources.get(self.place.name, {})
        done = {d for d, span in spans.items() if d in sources and span.step > 0}
        for d in sorted(done):
            if not spans[d].is_whole:
                name = counts.slice_extent(self._extent_name(), sources[d], spans[d])
                x = counts.sliced(self, name, sources[d], x, d, spans[d])
        return x, done

    def _extent_name(self) -> str:
        """Returns a new name of an extent."""
        name = self.place.name
        while name in self.importer.counts.bounds:
            name += "'"
        return name

    # Inputs --------------------------------------------------------------------------------------

    def known(self, x: Value, what: str) -> Array:
        """Returns the elements of an input.

        Args:
            x: an input, or a value derived from one.
            what: names the value in the error, such as ``the shape``.

            Raises:
            NeedsValueError: it is computed at run time.
        """
        if isinstance(x, np.ndarray):
            return x
        raise NeedsValueError(what, self.importer.sources(x))

    def ints(self, x: Value, what: str) -> list[int]:
        """Returns the elements of an input as integers."""
        return [int(n) for n in self.known(x, what).reshape(-1)]

    def dtype_of(self, x: Value) -> str:
        """Returns the builder's dtype of an input."""
        if isinstance(x, Tensor):
            return x.dtype
        if isinstance(x, np.ndarray):
            if reason := unsupported(x.dtype):
                raise self.fail(reason)
            return self.kind(ELEMENTS[x.dtype])
        raise self.fail("expected a tensor, found a sequence or nothing")

    def tensor(self, x: Value | Scalar, dtype: str | None = None) -> Tensor:
        """Converts an input to a tensor of the builder.

        Args:
            x: a known array becomes a constant or a parameter, a number a scalar constant.
            dtype: to cast to, by default that of the input; required for a number.
        """
        if isinstance(x, Tensor):
            return x if dtype is None else self.cast(x, dtype)
        if isinstance(x, np.ndarray):
            own = self.dtype_of(x) if dtype is None or x.dtype.kind == "O" else dtype
            return self.importer.constant(x, own)
        if x is None or isinstance(x, list):
            raise self.fail("expected a tensor, found a sequence or nothing")
        if dtype is None:
            raise TypeError("tensor: a number requires a dtype")
        return self.importer.constant(np.asarray(x), dtype)


def shape_of(x: Value) -> Shape:
    """Returns the extents of an input."""
    if not isinstance(x, (Tensor, np.ndarray)):
        raise ValueError("expected a tensor, found a sequence or nothing")
    return tuple(int(n) for n in x.shape)


def axis_of(axis: int, rank: int) -> int:
    """Returns a dimension; a negative one counts from the end."""
    if not -max(rank, 1) <= axis < max(rank, 1):
        raise ValueError(f"expected an axis in [-{rank}, {rank}), found {axis}")
    return axis % rank if rank else 0
