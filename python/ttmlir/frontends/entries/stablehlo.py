"""StableHLO: text, portable artifacts, and results of ``jax.export`` and ``jax.jit(f).lower``."""

from __future__ import annotations

from ttmlir.frontends import (
    Arguments,
    DynamicProgram,
    FrontEnd,
    Lowered,
    Options,
    Source,
    optional,
)
from ttmlir.frontends.entries.mlir import BYTECODE


class StableHloFrontEnd(FrontEnd):
    """Takes arrays in the order of the arguments. Uses the bindings of jaxlib."""

    name, noun = "stablehlo", "StableHLO"
    extra = "jax"

    def recognizes(self, source: Source) -> bool:
        value = source.value
        # Objects of jax.export and jax.stages.
        if hasattr(value, "mlir_module_serialized") or hasattr(value, "compiler_ir"):
            return True
        content = source.content
        if isinstance(content, bytes):
            return content.startswith(BYTECODE) and b"StableHLO_v" in content[:64]
        return content is not None and "stablehlo." in content and "ttir." not in content

    def dynamic(self, source: Source, arguments: Arguments) -> DynamicProgram | None:
        with optional():
            from ttmlir.frontends.stablehlo._dynamic import dynamic_module
        return dynamic_module(source.value if source.content is None else source.content)

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        with optional():
            from ttmlir.frontends.stablehlo import import_module
        from ttmlir import ir
        from ttmlir._parsing import copied

        given = source.value if source.content is None else source.content
        imported = import_module(given, devices=options.chip_ids or None, system=options.system)
        module = copied(imported.builder.module)
        mesh = imported.mesh
        if mesh is None:
            return Lowered(module)
        with module.context:
            extents = ir.Attribute.parse(f"array<i64: {', '.join(map(str, mesh.shape))}>")
        module.operation.attributes["tt.mesh_shape"] = extents
        return Lowered(
            module, mesh_shape=imported.builder.mesh_shape, chip_ids=tuple(mesh.chips or ())
        )


FRONT_ENDS = (StableHloFrontEnd(),)
