"""HLO shardings, in programs that JAX lowers without Shardy."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from jaxlib.mlir import ir

from ttmlir.frontends.stablehlo._types import shape_of
from ttmlir.frontends.stablehlo.spmd.shardings import parse_tiles, prime_sub_axes
from ttmlir.frontends.stablehlo.spmd.sub_axes import Dims, size, used

TILES = "mhlo.sharding"
#: The attribute for the sharding of a value that enters a manual computation.
OUTER_TILES = "ttmlir.outer_sharding"
_MESH = "tiles"


def tiles_text(operation: Any, name: str = TILES) -> str:
    """Returns the sharding attribute of an op."""
    return str(operation.attributes[name].value) if name in operation.attributes else "{replicated}"


def named(attributes: Any) -> dict[str, Any]:
    """Returns attributes by name; releases of jaxlib iterate over names or over pairs."""
    names = [str(getattr(a, "name", a)) for a in attributes]
    return {name: attributes[name] for name in names}


def walk(operation: Any) -> Iterator[Any]:
    """Yields nested ops, those of a region before later ops."""
    for region in operation.regions:
        for block in region.blocks:
            for op in list(block.operations):
                yield from walk(op.operation)
                yield op.operation


def has_tiles(module: Any, main: Any) -> bool:
    """Whether a module has HLO shardings."""
    for name in ("arg_attrs", "res_attrs"):
        if name in main.attributes and any(TILES in own for own in main.attributes[name]):
            return True
    return any(TILES in op.attributes for op in walk(module.operation))


class Translator:
    """Replaces HLO shardings by Shardy's attributes and constraints.

    Args:
        module: is changed.
        count: number of partitions.
    """

    def __init__(self, module: Any, count: int) -> None:
        self.module, self.count = module, count
        self._names: dict[tuple[int, ...], str] = {}

    def run(self, main: Any) -> None:
        """Translates the module.

        Raises:
            ValueError: the form of a sharding is not supported.
        """
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        for name, types in (("arg_attrs", kind.inputs), ("res_attrs", kind.results)):
            if name in main.attributes:
                own = [
                    self._attributes(a, len(shape_of(t)))
                    for a, t in zip(main.attributes[name], types, strict=True)
                ]
                main.attributes[name] = ir.ArrayAttr.get(own)
        for op in walk(self.module.operation):
            if op.name in ("stablehlo.custom_call", "mhlo.custom_call"):
                self._call(op)

    def _attributes(self, own: Any, rank: int) -> Any:
        found = named(own)
        if TILES in found:
            tiles = parse_tiles(str(found.pop(TILES).value), rank, self.count)
            found["sdy.sharding"] = ir.Attribute.parse(f"#sdy.sharding{self._text(tiles.dims)}")
        return ir.DictAttr.get(found)

    def _call(self, op: Any) -> None:
        target = str(op.attributes["call_target_name"].value)
        if target == "SPMDFullToShardShape":
            op.attributes[OUTER_TILES] = ir.StringAttr.get(_cut_by(op))
        if target != "Sharding":
            return
        (operand,), (result,) = op.operands, op.results
        tiles = parse_tiles(tiles_text(op), len(shape_of(result.type)), self.count)
        if size(tiles.manual) == self.count:
            result.replace_all_uses_with(operand)
            op.erase()
            return
        open_dims = _unspecified(op)
        with op.location, ir.InsertionPoint(op):
            constraint = ir.Operation.create(
                "sdy.sharding_constraint",
                results=[result.type],
                operands=[operand],
                attributes={
                    "sharding": ir.Attribute.parse(
                        f"#sdy.sharding{self._text(tiles.dims, open_dims)}"
                    )
                },
            )
        constraint.attributes[TILES] = op.attributes[TILES]
        result.replace_all_uses_with(constraint.results[0])
        op.erase()

    def _text(self, dims: Dims, open_dims: Collection[int] = ()) -> str:
        """Formats a sharding such as ``<@tiles, [{"_0", "_1"}, {}]>``."""
        own = used(dims)
        mesh = self._mesh(own[0].order if own else ())
        atoms = prime_sub_axes(self.count, own[0].order if own else ())
        texts = []
        for d, sub_axes in enumerate(dims):
            names = [
                f'"_{i}"'
                for sub_axis in sub_axes
                for i, a in enumerate(atoms)
                if sub_axis.stride <= a.stride < sub_axis.stride * sub_axis.size
            ]
            texts.append("{" + ", ".join([*names, *["?"] * (d in open_dims)]) + "}")
        return f"<@{mesh}, [{', '.join(texts)}]>"

    def _mesh(self, order: tuple[int, ...]) -> str:
        if order not in self._names:
            name = self._names[order] = f"{_MESH}{len(self._names)}"
            axes = ", ".join(
                f'"_{i}"={d.size}' for i, d in enumerate(prime_sub_axes(self.count, order))
            )
            devices = f", device_ids=[{', '.join(map(str, order))}]" if order else ""
            mesh = ir.Operation.parse(f"sdy.mesh @{name} = <[{axes}]{devices}>")
            ir.InsertionPoint.at_block_begin(self.module.body).insert(mesh)
        return self._names[order]


def _cut_by(op: Any) -> str:
    """Returns the sharding of the constraint that defines an operand."""
    owner = op.operands[0].owner
    return tiles_text(owner) if isinstance(owner, ir.Operation | ir.OpView) else "{replicated}"


def _unspecified(op: Any) -> set[int]:
    """Returns the dimensions that a constraint leaves unspecified."""
    if "backend_config" not in op.attributes:
        return set()
    found = re.search(r"unspecified_dims=\[([\d,]*)\]", str(op.attributes["backend_config"]))
    return {int(n) for n in found[1].split(",") if n} if found else set()
