"""Converts programs over meshes to programs of one chip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxlib.mlir import ir, passmanager

from ttmlir.frontends.stablehlo._importer import functions_of
from ttmlir.frontends.stablehlo._passes import register_passes
from ttmlir.frontends.stablehlo._types import Shape, is_complex, shape_of
from ttmlir.frontends.stablehlo.spmd import gspmd
from ttmlir.frontends.stablehlo.spmd.captured_constants import copy_constants
from ttmlir.frontends.stablehlo.spmd.device_mesh import Mesh, choose
from ttmlir.frontends.stablehlo.spmd.partitioner import Partitioner
from ttmlir.frontends.stablehlo.spmd.shardings import Meshes, Sharding
from ttmlir.frontends.stablehlo.spmd.sub_axes import (
    Dims,
    SubAxis,
    disjoint,
    legal,
    merged,
    of_axes,
    used,
    whole,
)

_SHARDING = "sdy.sharding"
#: Argument attributes that also apply to a part.
_KEPT = ("jax.buffer_donor", "tf.aliasing_output")


@dataclass(frozen=True)
class Partitioned:
    """A partitioned module, whose function ``main`` is now that of one chip.

    Attributes:
        main: the function.
        functions: the functions it calls, by name.
        mesh: the positions of the partitions.
        inputs: the shardings of the arguments.
        outputs: the shardings of the results.
    """

    main: Any
    functions: dict[str, Any]
    mesh: Mesh
    inputs: tuple[Sharding, ...]
    outputs: tuple[Sharding, ...]


def partition(
    module: Any,
    main: Any,
    count: int,
    *,
    whole_arrays: bool,
    devices: Sequence[int] | None,
    links: set[tuple[int, int]] | None,
) -> Partitioned:
    """Converts the main function of a module to that of one chip.

    Args:
        module: is changed.
        main: its main function.
        count: number of partitions.
        whole_arrays: whether the host splits arguments and joins results, which restricts their
            shardings to those that it supports.
        devices: the chip of each partition.
        links: linked pairs of chips.

        Raises:
        ValueError: shardings are not supported, or the chips do not form a mesh.
        UnsupportedError: an op cannot be partitioned.
    """
    has_tiles = gspmd.has_tiles(module, main)
    if has_tiles:
        gspmd.Translator(module, count).run(main)
    name = str(main.attributes["sym_name"].value)
    before = Meshes(module, count)
    given = _borders(main, before)
    axes = _divisors(module, before, given) if has_tiles else before.sub_axes()
    _propagate(module)
    copy_constants(module, {*_SCOPES, "builtin.module"})
    functions = functions_of(module)
    main = functions[name]
    meshes = Meshes(module, count)
    mesh = _placed(meshes, devices, links)
    source = main.regions[0].blocks[0]
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    borders = [
        [_padded(own, d, shape_of(t)) for own, d, t in zip(*each, strict=True)]
        for each in zip(given, _borders(main, meshes), (kind.inputs, kind.results), strict=True)
    ]
    inputs = [d or whole(len(shape_of(t))) for d, t in zip(borders[0], kind.inputs, strict=True)]
    if whole_arrays:
        inputs = [
            mesh.at_border(legal(d, shape_of(t)))[1]
            for d, t in zip(inputs, kind.inputs, strict=True)
        ]
    shardings = [Sharding(d, count) for d in inputs]
    with main.location:
        local: list[Any] = [
            ir.RankedTensorType.get([*s.local(shape_of(t))], ir.RankedTensorType(t).element_type)
            for s, t in zip(shardings, kind.inputs, strict=True)
        ]
    function = ir.Operation.create(
        "func.func",
        attributes={
            "sym_name": ir.StringAttr.get(_LOCAL),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(local, [])),
        },
        regions=1,
        ip=ir.InsertionPoint(module.body),
        loc=main.location,
    )
    block: Any = function.regions[0].blocks.append(
        *local, arg_locs=[a.location for a in source.arguments]
    )
    with ir.InsertionPoint(block), main.location:
        partitioner = Partitioner(functions, meshes)
        emitter = partitioner.emitter
        parts = [
            emitter.border_in(value, shape_of(t), s.dims)
            for value, t, s in zip(block.arguments, kind.inputs, shardings, strict=True)
        ]
        found = partitioner.run(source, parts)
        outputs: list[Dims] = []
        for part, border, own in zip(found, borders[1], given[1], strict=True):
            dims = part.dims if border is None else border
            if whole_arrays:
                dims = mesh.at_border(legal(dims, part.shape or ()))[1]
            elif own is None:
                # JAX has no arrays whose parts need padding or are divided by a part of an axis.
                even = legal(dims, part.shape or ())
                dims = tuple(of_axes(sub_axes, axes) for sub_axes in even)
            outputs.append(dims)
        results = [emitter.border_out(p, d) for p, d in zip(found, outputs, strict=True)]
        ir.Operation.create("func.return", operands=[p.value for p in results])
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(local, [p.value.type for p in results])
    )
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(
        [
            ir.DictAttr.get({n: a[n] for n in _KEPT if n in a})
            for a in _attributes(main, "arg_attrs", len(local))
        ]
    )
    return Partitioned(
        function, functions, mesh, tuple(shardings), tuple(Sharding(d, count) for d in outputs)
    )


_LOCAL = "ttmlir.local"


def _attributes(main: Any, name: str, count: int) -> list[Any]:
    return list(main.attributes[name]) if name in main.attributes else [{}] * count


def _borders(main: Any, meshes: Meshes) -> tuple[list[Dims | None], list[Dims | None]]:
    """Returns the shardings of the arguments and of the results; None where there is none."""
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    found = []
    for name, types in (("arg_attrs", kind.inputs), ("res_attrs", kind.results)):
        own = _attributes(main, name, len(types))
        found.append([meshes.dims(a[_SHARDING]) if _SHARDING in a else None for a in own])
    return found[0], found[1]


def _divisors(
    module: Any, meshes: Meshes, borders: Sequence[Sequence[Dims | None]]
) -> list[SubAxis]:
    """Returns the sub-axes of shardings that name no axes."""
    given = [dims for side in borders for dims in side if dims is not None]
    for op in gspmd.walk(module.operation):
        if op.name in _CONSTRAINTS:
            given.append(meshes.dims(op.attributes["sharding"]))
    return [sub_axis for dims in given for sub_axes in dims for sub_axis in sub_axes]


def _padded(given: Dims | None, found: Dims | None, shape: Shape) -> Dims | None:
    """Returns Shardy's sharding of an argument or a result, which never needs padding, with the
    dimensions of the given sharding that do."""
    if given is None or found is None or legal(given, shape) == given:
        return found
    uneven = [merged(d) != e for d, e in zip(given, legal(given, shape), strict=True)]
    padded = used(tuple(d for d, is_uneven in zip(given, uneven, strict=True) if is_uneven))
    return tuple(
        own if is_uneven else disjoint(other, padded)
        for own, other, is_uneven in zip(given, found, uneven, strict=True)
    )


def _placed(
    meshes: Meshes, devices: Sequence[int] | None, links: set[tuple[int, int]] | None
) -> Mesh:
    """Chooses a mesh for the program's axes."""
    sub_axes = meshes.sub_axes()
    strides = sorted({d.stride for d in sub_axes if d.stride > 1 and d.size > 1})
    orders = {d.order for d in sub_axes}
    order = orders.pop() if len(orders) == 1 else ()
    if not order:
        return choose(meshes.count, strides, devices, links)
    # All meshes permute the devices in the same way, so positions are permuted, too.
    turned = None if devices is None else [devices[p] for p in order]
    mesh = choose(meshes.count, strides, turned, links)
    return replace(mesh, partitions=tuple(order[i] for i in mesh.partitions))


def _propagate(module: Any) -> None:
    """Propagates shardings to all values with Shardy."""
    register_passes()
    pipeline = "builtin.module(sdy-propagation-pipeline)"
    passmanager.PassManager.parse(pipeline).run(module.operation)
    for op in gspmd.walk(module.operation):
        with op.location:
            if op.name == "sdy.constant":
                found = _constant(op)
                op.results[0].replace_all_uses_with(found.results[0])
                op.erase()
            elif op.name in _CONSTRAINTS and op.parent.name not in _SCOPES:
                # It has no meaning in the body of a reduction or similar op.
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()


def _constant(op: Any) -> Any:
    """Creates a StableHLO constant before a Shardy constant."""
    point = ir.InsertionPoint(op)
    if not is_complex(op.results[0].type):
        return ir.Operation.create(
            "stablehlo.constant",
            results=[op.results[0].type],
            attributes=gspmd.named(op.attributes),
            ip=point,
        )
    # The bindings cannot return complex elements.
    text = op.get_asm(print_generic_op_form=True, use_local_scope=True)
    found = ir.Operation.parse(text.replace('"sdy.constant"', '"stablehlo.constant"', 1))
    point.insert(found)
    return found


_CONSTRAINTS = frozenset({"sdy.reshard", "sdy.sharding_constraint"})
_SCOPES = frozenset(
    {
        "func.func",
        "sdy.manual_computation",
        "sdy.named_computation",
        "stablehlo.case",
        "stablehlo.if",
        "stablehlo.while",
    }
)
