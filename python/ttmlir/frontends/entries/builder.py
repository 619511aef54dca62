"""``ttmlir.Builder``, and other objects that have an MLIR module."""

from __future__ import annotations

from ttmlir.frontends import Arguments, FrontEnd, Lowered, Options, Source


class BuilderFrontEnd(FrontEnd):
    """The builder writes TTIR itself."""

    name = "builder"
    noun = "a ttmlir.Builder"

    def recognizes(self, source: Source) -> bool:
        if source.is_text or not hasattr(source.value, "module"):
            return False
        from ttmlir import ir

        return isinstance(source.value.module, ir.Module)

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        from ttmlir._parsing import copied

        return Lowered(
            copied(source.value.module), mesh_shape=getattr(source.value, "mesh_shape", ())
        )


FRONT_ENDS = (BuilderFrontEnd(),)
