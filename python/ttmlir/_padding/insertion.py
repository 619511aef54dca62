"""Builds ops in an existing module."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ttmlir import ir
from ttmlir.builder import Builder, Tensor
from ttmlir.builder._dtypes import ELEMENTS


class Insertion(Builder):
    """A builder that inserts in front of an op of a function."""

    def __init__(self, module: ir.Module, function: Any) -> None:
        super().__init__(context=module.context)
        self._module, self._function = module, function
        self._before: Any = None

    def is_inside(self, operation: Any) -> bool:
        """Whether an op is in the body of a loop or a conditional."""
        return bool(operation.parent != self._function)

    @property
    def block(self) -> ir.Block:
        block: ir.Block = self._function.regions[0].blocks[0]
        return block

    def before(self, operation: Any) -> None:
        """Inserts in front of an op from now on, with its location."""
        # An insertion point is made of a block or of an op.
        self._block = operation
        self._located = operation.location

    @contextmanager
    def at(self, operation: Any) -> Iterator[Insertion]:
        """Inserts in front of another op for now."""
        outer = self._block, self._located
        self.before(operation)
        try:
            yield self
        finally:
            self._block, self._located = outer

    def of(self, value: Any) -> Tensor:
        """Returns a value of the module as a tensor."""
        kind = ir.RankedTensorType(value.type)
        element = str(kind.element_type)
        names = (n for n, f in ELEMENTS.items() if f.element == element and not f.block)
        return self._tensor(value, tuple(kind.shape), next(names))

    def argument(self, name: str, extent: int) -> Tensor:
        """Adds an argument of truth values to the function."""
        with self.context:
            location = ir.Location.name(name, ir.Location.unknown())
            kind = ir.RankedTensorType.get((extent,), self._element_type("bool"), None, location)
            value = self.block.add_argument(kind, location)
            old = ir.FunctionType(ir.TypeAttr(self._function.attributes["function_type"]).value)
            new = ir.FunctionType.get([*old.inputs, kind], old.results)
            self._function.attributes["function_type"] = ir.TypeAttr.get(new)
            if "arg_attrs" in self._function.attributes:
                own = list(ir.ArrayAttr(self._function.attributes["arg_attrs"]))
                self._function.attributes["arg_attrs"] = ir.ArrayAttr.get(
                    [*own, ir.DictAttr.get({})]
                )
        return self._tensor(value, (extent,), "bool")
