"""Builds TTIR from a StableHLO module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.stablehlo import _handlers
from ttmlir.frontends.stablehlo._chlo import is_chlo, lowered_chlo
from ttmlir.frontends.stablehlo._complex_ops import (
    COMPLEX_HANDLERS,
    complex_handler,
    has_complex,
)
from ttmlir.frontends.stablehlo._constant_folding import fold
from ttmlir.frontends.stablehlo._constants import (
    Known,
    Spread,
    Value,
    is_known_complex,
    resources_of,
)
from ttmlir.frontends.stablehlo._diagnostics import UnsupportedError
from ttmlir.frontends.stablehlo._locations import Place, called_at, place_of
from ttmlir.frontends.stablehlo._op import HANDLERS, Op, is_composite
from ttmlir.frontends.stablehlo._op_names import Names
from ttmlir.frontends.stablehlo._stored_types import computed, is_stored
from ttmlir.frontends.stablehlo._types import NUMPY, numpy_of, shape_of, unsupported
from ttmlir.frontends.stablehlo.spmd.device_mesh import Mesh

_RETURNS = frozenset({"func.return", "stablehlo.return", "sdy.return"})
#: Types at the border of a program, and their function-level replacements.
_SYMBOLS = frozenset({"func.func", "sdy.mesh"})


class Importer:
    """Inlines the functions of a module into one function of a builder.

    Args:
        builder: the builder to write to.
        functions: the functions of the module by name.
        mesh: the chips that run the program together; None for a single chip.
    """

    def __init__(
        self, builder: Builder, functions: dict[str, Any], mesh: Mesh | None = None
    ) -> None:
        self.builder = builder
        self.functions = functions
        self.mesh = mesh
        # By block, because values built in a region are not visible outside.
        self._built: dict[tuple[int, Any], tuple[Value, Tensor]] = {}
        self._calls: list[Place] = []
        self._names = Names()
        self._env: dict[Any, Value] = {}
        self._kept: list[Any] = []
        self._resources: dict[str, bytes] = {}
        self._counts: dict[int, tuple[Value, int, Tensor | None]] = {}

    # Values --------------------------------------------------------------------------------------

    def tensor(self, value: Value) -> Tensor:
        """Converts a value to a tensor of the builder.

        Raises:
            ValueError: the device has no type for a constant, or it is not a tensor.
        """
        if isinstance(value, Tensor):
            return value
        if isinstance(value, Complex) or is_known_complex(value):
            raise ValueError("complex numbers are not supported: use their real or imaginary part")
        if not isinstance(value, Known | Spread):
            raise ValueError(f"expected a tensor, found {value}")
        key = (id(value), self.builder.block)
        if key not in self._built:
            built = (
                self.constant(value)
                if isinstance(value, Known)
                else self.builder.broadcast(value.tensor, value.shape)
            )
            self._built[key] = (value, built)
        return self._built[key][1]

    def part(self, value: Value) -> Tensor:
        """Converts a value to a tensor with extent 1 where all elements are the same."""
        if isinstance(value, Spread):
            return value.tensor
        if not isinstance(value, Known) or is_known_complex(value):
            return self.tensor(value)
        key = (-id(value), self.builder.block)
        if key not in self._built:
            self._built[key] = (value, self.constant(Known(value.compact())))
        return self._built[key][1]

    def value(self, value: Any) -> Value | None:
        """Returns a value of the source if it is computed already."""
        return self._env.get(value)

    def count(self, value: Value, dim: int, begin: Tensor | None = None) -> None:
        """Records that a value counts along a dimension, from 0 or from a computed start, an i32
        tensor of one element."""
        self._counts[id(value)] = (value, dim, begin)

    def counted(self, value: Value) -> tuple[int, Tensor | None] | None:
        """Returns the dimension along which a value is known to count and its start, if any."""
        found = self._counts.get(id(value))
        return None if found is None else found[1:]

    def resource(self, operation: Any, name: str) -> bytes | None:
        """Returns the elements of a resource in the module of an operation."""
        if name not in self._resources:
            self._resources |= resources_of(operation)
        return self._resources.get(name)

    def keep(self, module: Any) -> None:
        """Keeps a module alive as long as the importer."""
        self._kept.append(module)

    def constant(self, known: Known) -> Tensor:
        """Builds a constant from an array."""
        dtype = next(name for name, kind in NUMPY.items() if kind == known.array.dtype)
        splat = known.splat()
        value = known.array if splat is None else splat
        return self.builder.constant(value, shape=known.shape, dtype=dtype)

    # Walking -------------------------------------------------------------------------------------

    def run(self, block: Any, arguments: Sequence[Value]) -> list[Value]:
        """Imports a block with the given arguments, and returns its results."""
        for argument, value in zip(block.arguments, arguments, strict=True):
            self._env[argument] = value
        for op in block.operations:
            operation = op.operation
            if operation.name in _RETURNS:
                return [self._env[v] for v in operation.operands]
            results = self._import(operation)
            for result, value in zip(operation.results, results, strict=True):
                self._env[result] = value
        return []

    def call(self, name: str, arguments: Sequence[Value], place: Place) -> list[Value]:
        """Inlines a function of the module, and returns its results."""
        if name not in self.functions:
            raise UnsupportedError("func.call", f"the module has no function '{name}'", place)
        outer = self._env
        self._env = {}
        self._calls.append(place)
        try:
            return self.run(self.functions[name].regions[0].blocks[0], arguments)
        finally:
            self._calls.pop()
            self._env = outer

    def call_module(self, module: Any, arguments: Sequence[Value], place: Place) -> list[Value]:
        """Inlines the function ``main`` of another module, and returns its results."""
        outer, self.functions = self.functions, functions_of(module)
        self.keep(module)
        try:
            return self.call("main", arguments, place)
        finally:
            self.functions = outer

    def apply(self, name: str, operation: Any, inputs: Sequence[Value]) -> list[Value]:
        """Applies the handler of the op ``name`` to an equivalent operation."""
        op = Op(self, operation, inputs, self.place(operation), name)
        found = complex_handler(op)(op) if has_complex(operation) else HANDLERS[name](op)
        return found if isinstance(found, list) else [found]

    def place(self, operation: Any) -> Place:
        """Returns the Python line of the op, or of the call if the op has none."""
        return called_at(place_of(operation.location), self._calls)

    def _import(self, operation: Any) -> list[Value]:
        inputs = [self._env[v] for v in operation.operands]
        place = self.place(operation)
        name = str(operation.name)
        if name == "func.call":
            with self.builder.located(place.file, place.line, place.column, place.name):
                return self.call(operation.attributes["callee"].value, inputs, place)
        with (
            self._names.of(name, place.name) as own,
            self.builder.located(place.file, place.line, place.column, own),
        ):
            op = Op(self, operation, inputs, place)
            folded = fold(op)
            if folded is not None:
                return list(folded)
            if empty := _empty(operation):
                return empty
            try:
                if name in HANDLERS and is_stored(op):
                    return computed(op, HANDLERS[name])
                if name not in HANDLERS and not has_complex(operation):
                    return self.call_lowered(op)
                found = complex_handler(op)(op) if has_complex(operation) else HANDLERS[name](op)
            except (ValueError, TypeError) as error:
                raise op.fail(str(error)) from error
        return found if isinstance(found, list) else [found]

    def call_lowered(self, op: Op) -> list[Value]:
        """Imports an op of chlo as its StableHLO ops."""
        if not op.name.startswith("chlo."):
            raise op.fail("the op is not supported")
        outer, self._env = self._env, {}
        try:
            return self.run(lowered_chlo(op), op.inputs)
        finally:
            self._env = outer

    # Checks --------------------------------------------------------------------------------------

    def check(self, block: Any) -> Iterator[UnsupportedError]:
        """Yields errors for the unsupported ops in a block, its regions and the functions it
        calls."""
        seen: set[str] = set()
        yield from self._check(block, seen)

    def _check(self, block: Any, seen: set[str]) -> Iterator[UnsupportedError]:
        for op in block.operations:
            operation = op.operation
            name = str(operation.name)
            if reason := reason_against(operation):
                yield UnsupportedError(name, reason, self.place(operation))
            for callee in _callees(operation):
                if callee in self.functions and callee not in seen:
                    seen.add(callee)
                    self._calls.append(self.place(operation))
                    yield from self._check(self.functions[callee].regions[0].blocks[0], seen)
                    self._calls.pop()
            for region in operation.regions:
                for inner in region.blocks:
                    yield from self._check(inner, seen)


def functions_of(module: Any) -> dict[str, Any]:
    """Returns the functions of a module by name."""
    return {
        str(op.operation.attributes["sym_name"].value): op.operation
        for op in module.body.operations
        if op.operation.name == "func.func"
    }


def _empty(operation: Any) -> list[Value]:
    """Returns the results of an op if all are empty, since these are not computed."""
    types = [v.type for v in operation.results]
    if not types or any(not str(t).startswith("tensor<") or 0 not in shape_of(t) for t in types):
        return []
    return [Known(np.empty(shape_of(t), numpy_of(t))) for t in types]


def _callees(operation: Any) -> list[str]:
    """Returns the functions of the module that an op calls."""
    name = operation.name
    if name == "func.call":
        return [operation.attributes["callee"].value]
    if name == "stablehlo.composite":
        if is_composite(str(operation.attributes["name"].value)):
            return []
        return [operation.attributes["decomposition"].value]
    return []


def reason_against(operation: Any) -> str:
    """Explains why an op's types or name are not supported; empty if they are."""
    name = str(operation.name)
    known = name in HANDLERS or name in COMPLEX_HANDLERS or name in _RETURNS or name == "func.call"
    if not known and not is_chlo(name):
        return _handlers.why_not(name)
    for value in [*operation.operands, *operation.results]:
        if found := unsupported(value.type):
            return found
    return ""


def signature(function: Any, results: bool) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
    """Returns shapes and NumPy types of the arguments or results of a function."""
    kind = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    types = kind.results if results else kind.inputs
    return [(shape_of(t), numpy_of(t)) for t in types]
