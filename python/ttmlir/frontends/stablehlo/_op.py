"""An op during import, and the table of handlers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends._op_base import registers
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.stablehlo._constants import Known, Spread, Value
from ttmlir.frontends.stablehlo._diagnostics import UnsupportedError
from ttmlir.frontends.stablehlo._locations import Place
from ttmlir.frontends.stablehlo._types import Array, Shape, dtype_of, shape_of
from ttmlir.frontends.stablehlo.spmd.device_mesh import Mesh


class ImporterLike(Protocol):
    """The methods of the importer that handlers use."""

    builder: Builder
    functions: dict[str, Any]
    mesh: Mesh | None

    def tensor(self, value: Value) -> Tensor: ...
    def part(self, value: Value) -> Tensor: ...
    def constant(self, known: Known) -> Tensor: ...
    def value(self, value: Any) -> Value | None: ...
    def count(self, value: Value, dim: int, begin: Tensor | None = None) -> None: ...
    def counted(self, value: Value) -> tuple[int, Tensor | None] | None: ...
    def keep(self, module: Any) -> None: ...
    def resource(self, operation: Any, name: str) -> bytes | None: ...
    def run(self, block: Any, arguments: Sequence[Value]) -> list[Value]: ...
    def call(self, name: str, arguments: Sequence[Value], place: Place) -> list[Value]: ...
    def call_lowered(self, op: Op) -> list[Value]: ...
    def call_module(self, module: Any, arguments: Sequence[Value], place: Place) -> list[Value]: ...
    def apply(self, name: str, operation: Any, inputs: Sequence[Value]) -> list[Value]: ...


#: Imports an op: returns a value, or one for each result.
Result: TypeAlias = "Value | list[Value]"
Handler: TypeAlias = "Callable[[Op], Result]"

HANDLERS: dict[str, Handler] = {}
_ENUMERATOR = re.compile(r"#\w+<\w+ (\w+)>")


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers a function as the handler of ops."""
    return registers(HANDLERS, names)


def is_composite(name: str) -> bool:
    """Whether a composite is an op of TTIR; others are expanded to their bodies."""
    return name.startswith("chlo.") and name in HANDLERS


class Op:
    """One op of the source with the values of its operands.

    Args:
        importer: the importer.
        operation: an operation of jaxlib's bindings.
        inputs: the values of its operands.
        place: its Python line.
        name: overrides that of the operation.
    """

    def __init__(
        self,
        importer: ImporterLike,
        operation: Any,
        inputs: Sequence[Value],
        place: Place,
        name: str = "",
    ) -> None:
        self.importer = importer
        self.operation = operation
        self.inputs = list(inputs)
        self.place = place
        self.name = name or operation.name

    @property
    def b(self) -> Builder:
        return self.importer.builder

    def fail(self, reason: str) -> UnsupportedError:
        """Creates an error at this op; the caller raises it."""
        return UnsupportedError(self.name, reason, self.place)

    # Operands and results ------------------------------------------------------------------------

    def tensor(self, i: int = 0) -> Tensor:
        """Returns operand ``i`` as a tensor of the builder."""
        return self.importer.tensor(self.inputs[i])

    def tensors(self) -> list[Tensor]:
        return [self.importer.tensor(value) for value in self.inputs]

    def part(self, i: int = 0) -> Tensor:
        """Returns operand ``i`` with extent 1 in dimensions along which all elements are the
        same."""
        return self.importer.part(self.inputs[i])

    def result(self, tensor: Tensor, shape: Shape | None = None) -> Value:
        """Converts a tensor, possibly with extents of 1, to a value of ``shape``, by default that
        of the operands: bodies of reductions run on more elements than their types have."""
        if shape is None:
            shape = np.broadcast_shapes(*(shape_of_value(value) for value in self.inputs))
        if tensor.shape == shape:
            return tensor
        if tensor.rank != len(shape):
            raise self.fail(f"expected the shape {shape}, found {tensor.shape}")
        return Spread(tensor, shape)

    def known(self, i: int) -> Array | None:
        """Returns the elements of operand ``i`` if they are known."""
        value = self.inputs[i]
        return value.array if isinstance(value, Known) else None

    def splat(self, i: int) -> Any:
        """Returns the value of all elements of operand ``i``, None if unknown or not the same."""
        value = self.inputs[i]
        return value.splat() if isinstance(value, Known) else None

    def shape(self, i: int = 0) -> Shape:
        """Returns the extents of result ``i``."""
        return shape_of(self.operation.results[i].type)

    def dtype(self, i: int = 0) -> str:
        """Returns the builder's dtype of result ``i``, or of its parts."""
        return dtype_of(self.operation.results[i].type)

    def input_shape(self, i: int = 0) -> Shape:
        return shape_of(self.operation.operands[i].type)

    def input_dtype(self, i: int = 0) -> str:
        return dtype_of(self.operation.operands[i].type)

    # Attributes ----------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        return name in self.operation.attributes

    def attribute(self, name: str) -> Any:
        return self.operation.attributes[name]

    def ints(self, name: str, default: Sequence[int] = ()) -> list[int]:
        """Returns a list of integers; ``default`` if the op does not have it."""
        if not self.has(name):
            return list(default)
        found = self.attribute(name)
        if hasattr(found, "get_splat_value") or "dense<" in str(found):
            return [int(n) for n in np.array(ir.DenseElementsAttr(found)).reshape(-1)]
        return [int(n) for n in found]

    def bools(self, name: str, count: int) -> list[bool]:
        """Returns a list of booleans, all false if the op does not have it."""
        return [bool(n) for n in self.attribute(name)] if self.has(name) else [False] * count

    def pairs(self, name: str, count: int) -> list[tuple[int, int]]:
        """Returns ``count`` pairs of integers, zeros if the op does not have them."""
        if not self.has(name):
            return [(0, 0)] * count
        rows: Array = np.array(ir.DenseElementsAttr(self.attribute(name))).reshape(-1)
        if rows.size == 1:  # A splat.
            rows = np.broadcast_to(rows, (2 * count,))
        return [(int(a), int(b)) for a, b in rows.reshape(count, 2)]

    def integer(self, name: str, default: int = 0) -> int:
        return int(self.attribute(name).value) if self.has(name) else default

    def real(self, name: str) -> float:
        return float(self.attribute(name).value)

    def flag(self, name: str) -> bool:
        return bool(self.attribute(name).value) if self.has(name) else False

    def text(self, name: str) -> str:
        """Returns a string, or the name of a symbol or an enumerator; empty if the op has none."""
        if not self.has(name):
            return ""
        found = self.attribute(name)
        if match := _ENUMERATOR.fullmatch(str(found)):
            return match[1]
        return str(found.value) if hasattr(found, "value") else str(found).strip('"@')

    # Regions -------------------------------------------------------------------------------------

    def block(self, i: int = 0) -> Any:
        return self.operation.regions[i].blocks[0]

    def run(self, region: int, arguments: Sequence[Value]) -> list[Value]:
        """Imports a region with the given arguments at the insertion point, and returns its
        results."""
        return self.importer.run(self.block(region), arguments)

    def body_name(self, region: int = 0) -> str:
        """Returns the op that a region of two scalars consists of; empty if it has several."""
        block = self.block(region)
        operations = [op.operation for op in block.operations]
        arguments = list(block.arguments)
        if len(operations) != 2 or len(operations[0].operands) != len(arguments):
            return ""
        if list(operations[1].operands) != list(operations[0].results):
            return ""
        given = list(operations[0].operands)
        name = str(operations[0].name)
        if given == arguments:
            return name
        commutes = {"add", "multiply", "maximum", "minimum", "and", "or", "xor"}
        same = given == arguments[::-1] and name.rpartition(".")[2] in commutes
        return name if same else ""


def shape_of_value(value: Value) -> Shape:
    """Returns the extents of a value."""
    if isinstance(value, Tensor | Known | Spread):
        return tuple(value.shape)
    if isinstance(value, Complex):
        return shape_of_value(value.real)
    raise ValueError(f"expected a tensor, found {value}")
