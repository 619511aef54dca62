"""StableHLO with dynamic shapes, refined for the shapes of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jaxlib.mlir import ir, passmanager

from ttmlir._parsing import copied
from ttmlir.errors import CompileError, Diagnostic, InputError, to_place
from ttmlir.frontends import DynamicInput, DynamicProgram, Lowered, Options
from ttmlir.frontends._dynamic import Extent, Shape
from ttmlir.frontends.stablehlo._importer import functions_of
from ttmlir.frontends.stablehlo._loading import copied_module, read
from ttmlir.frontends.stablehlo._locations import place_of
from ttmlir.frontends.stablehlo._module import import_module, main_of
from ttmlir.frontends.stablehlo._passes import register_passes


def dynamic_module(source: Any) -> DynamicModule | None:
    """Returns a program with dynamic shapes; None if all shapes are known.

    Args:
        source: as in ``import_module``.
    """
    module = read(source)
    with module.context:
        main = main_of(functions_of(module))
        kinds = _tensors(main)
        if kinds is None or all(kind.has_static_shape for kind in kinds):
            return None
        return DynamicModule(module, main, kinds, getattr(source, "in_avals", None))


def _tensors(main: Any) -> list[Any] | None:
    """Returns the argument types; None if one is not a ranked tensor."""
    types = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).inputs
    if not all(ir.RankedTensorType.isinstance(t) for t in types):
        return None
    return [ir.RankedTensorType(t) for t in types]


class DynamicModule(DynamicProgram):
    """A program that takes arrays in the order of its arguments."""

    def __init__(self, module: Any, main: Any, kinds: Sequence[Any], avals: Any) -> None:
        self._module, self._kinds = module, kinds
        places = [place_of(a.location) for a in main.regions[0].blocks[0].arguments]
        names = [place.name or f"arg{i}" for i, place in enumerate(places)]
        self.limits = {}
        if avals is not None and len(avals) == len(kinds):
            from ttmlir.frontends.jax_extents import extent_of, limits_of

            shapes = [tuple(map(extent_of, aval.shape)) for aval in avals]
            self.limits = limits_of([aval.shape for aval in avals])
        else:
            shapes = [_shape(kind, name) for kind, name in zip(kinds, names, strict=True)]
        self.inputs = tuple(DynamicInput(*info) for info in zip(names, shapes, strict=True))

    def leaves(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        if kwargs:
            raise InputError(f"expected no keywords, found {', '.join(kwargs)}")
        return list(args)

    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        return leaves, {}

    def lower(self, shapes: Sequence[Shape | None], options: Options) -> Lowered:
        module = refined(self._module, self._kinds, [s or () for s in shapes])
        imported = import_module(module, devices=options.chip_ids or None, system=options.system)
        return Lowered(copied(imported.builder.module), mesh_shape=imported.builder.mesh_shape)


def _shape(kind: Any, name: str) -> tuple[Extent, ...]:
    return tuple(
        f"{name}.{i}" if kind.is_dynamic_dim(i) else int(kind.shape[i]) for i in range(kind.rank)
    )


def refined(module: Any, kinds: Sequence[Any], shapes: Sequence[Shape]) -> Any:
    """Returns a copy of a module for arguments of fixed shapes.

    Raises:
        CompileError: the program does not fit the shapes, or its extents depend on values.
    """
    register_passes()
    found = copied_module(module)
    with found.context, ir.Location.unknown():
        types = [
            str(ir.RankedTensorType.get(list(shape), _in(found.context, kind.element_type)))
            for shape, kind in zip(shapes, kinds, strict=True)
        ]
        pipeline = (
            f"builtin.module(stablehlo-refine-arguments{{types={','.join(types)}}},"
            "stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism))"
        )
        try:
            passmanager.PassManager.parse(pipeline).run(found.operation)
        except ir.MLIRError as error:
            said = [
                Diagnostic("error", str(d.message), to_place(str(d.location)))
                for d in getattr(error, "error_diagnostics", ())
            ]
            text = ", ".join(types)
            message = f"the program cannot be specialized for {text}"
            raise CompileError(message, said or [Diagnostic("error", str(error), "")]) from None
    return found


def _in(context: Any, kind: Any) -> Any:
    """Returns the type in another context."""
    return ir.Type.parse(str(kind), context)
