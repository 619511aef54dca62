"""A StableHLO program with calls inlined, whose function also returns the results of its ops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._importer import functions_of
from ttmlir.frontends.stablehlo._locations import place_of
from ttmlir.frontends.stablehlo._op_names import Names
from ttmlir.frontends.stablehlo._types import shape_of, unsupported

_CALL = "func.call"
_SHARDING = "sdy."
#: Kind and result shapes of an op.
Kind = tuple[str, tuple[tuple[int, ...], ...]]


def is_divided(module: Any) -> bool:
    """Whether it is a program of several devices."""
    attributes = module.operation.attributes
    key = "mhlo.num_partitions"
    return key in attributes and int(ir.IntegerAttr(attributes[key]).value) > 1


class Flat:
    """The function ``main`` of a module, which is changed.

    ``ops`` has its ops by the importer's names, in order, and ``bases`` maps these names to JAX's
    names of the ops.
    """

    def __init__(self, module: Any) -> None:
        # Ops do not keep their module alive.
        self.module = module
        self.main = functions_of(module)["main"]
        self.block = self.main.regions[0].blocks[0]
        with module.context, ir.Location.unknown():
            _inline(list(self.block.operations), functions_of(module))
        self.ops: dict[str, Any] = {}
        self.bases: dict[str, list[str]] = defaultdict(list)
        names = Names()
        for op in self.block.operations:
            operation = op.operation
            base = place_of(operation.location).name
            name = names.unique(str(operation.name), base)
            if name and len(operation.results) and not _unfit(operation):
                self.ops[name] = operation
                self.bases[base].append(name)
        _drop_shardings(module, self.block)

    @property
    def outputs(self) -> list[Any]:
        """The values that the function returns."""
        return list(list(self.block.operations)[-1].operation.operands)

    def kinds(self, base: str) -> list[Kind]:
        """Returns the kinds of the ops of a name, in order."""
        ops = [self.ops[name] for name in self.bases.get(base, ())]
        return [(str(op.name), tuple(shape_of(v.type) for v in op.results)) for op in ops]

    def return_also(self, values: Sequence[Any]) -> None:
        """Appends values to the results of the function."""
        end = list(self.block.operations)[-1].operation
        all_values = [*end.operands, *values]
        with self.main.context, ir.Location.unknown():
            with ir.InsertionPoint(end):
                ir.Operation.create("func.return", operands=all_values)
            end.erase()
            inputs = [argument.type for argument in self.block.arguments]
            kind = ir.FunctionType.get(inputs, [value.type for value in all_values])
            self.main.attributes["function_type"] = ir.TypeAttr.get(kind)
            for name in ("arg_attrs", "res_attrs"):
                if name in self.main.attributes:
                    del self.main.attributes[name]

    def depending(self, names: Sequence[str]) -> set[Any]:
        """Returns the values that depend on the results of ops."""
        found = {result for name in names for result in self.ops[name].results}
        for op in self.block.operations:
            if any(value in found for value in _read(op.operation)):
                found.update(op.operation.results)
        return found


def _unfit(operation: Any) -> bool:
    """Whether an op only concerns shardings, or has a result that a host cannot represent."""
    is_sharding = str(operation.name).startswith(_SHARDING)
    return is_sharding or any(unsupported(value.type) for value in operation.results)


def _drop_shardings(module: Any, block: Any) -> None:
    """Removes shardings, which have no meaning on one chip."""
    for op in list(block.operations):
        if op.operation.name == f"{_SHARDING}sharding_constraint":
            op.operation.results[0].replace_all_uses_with(op.operation.operands[0])
            op.operation.erase()
    for op in list(module.body.operations):
        if op.operation.name == f"{_SHARDING}mesh":
            op.operation.erase()


def _read(operation: Any) -> Iterator[Any]:
    """Yields the operands of an op and of those in its regions."""
    yield from operation.operands
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                yield from _read(op.operation)


def _inline(operations: Sequence[Any], functions: Mapping[str, Any]) -> None:
    """Inlines calls of functions."""
    for op in operations:
        operation = op.operation
        if str(operation.name) != _CALL:
            continue
        callee = functions[operation.attributes["callee"].value].regions[0].blocks[0]
        values = dict(zip(callee.arguments, operation.operands, strict=True))
        copies = []
        for inner in callee.operations:
            if str(inner.operation.name) == "func.return":
                results = [values.get(v, v) for v in inner.operation.operands]
                break
            copy = inner.operation.clone(ir.InsertionPoint(operation))
            _replace(copy.operation, values)
            values.update(zip(inner.operation.results, copy.operation.results, strict=True))
            copies.append(copy)
        for old, new in zip(operation.results, results, strict=True):
            old.replace_all_uses_with(new)
        operation.erase()
        _inline(copies, functions)


def _replace(operation: Any, values: Mapping[Any, Any]) -> None:
    """Replaces operands of an op and of those in its regions."""
    for i, operand in enumerate(operation.operands):
        if operand in values:
            operation.operands[i] = values[operand]
    for region in operation.regions:
        for block in region.blocks:
            for op in block.operations:
                _replace(op.operation, values)
