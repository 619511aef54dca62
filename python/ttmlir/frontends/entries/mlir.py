"""Modules of MLIR: TOSA, linalg on tensors, and TTIR in both of its forms."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

from ttmlir.errors import CompileError, Error
from ttmlir.frontends import Arguments, FrontEnd, Keyword, Lowered, Options, Source

if TYPE_CHECKING:
    from ttmlir import ir
    from ttmlir._parsing import Form

BYTECODE = b"ML\xefR"
_FORM = Keyword(
    "form",
    "Literal['auto', 'today', '2024']",
    "the form of TTIR in a text: ``2024``, the form of this project; ``today``, the form that "
    "front ends have used since 2025; or ``auto``, which detects it",
    "auto",
)


class MlirFrontEnd(FrontEnd):
    """A text, bytecode, a file with either, or a ``ttmlir.ir.Module``."""

    noun = "MLIR"
    keywords = (_FORM,)
    #: The pipeline that lowers the dialect to TTIR; empty for TTIR.
    pipeline = ""

    def recognizes(self, source: Source) -> bool:
        if not source.is_text and not _is_module(source.value):
            return False
        return self.accepts(_Parsed.of(source))

    @abstractmethod
    def accepts(self, parsed: _Parsed) -> bool:
        """Whether the module is in the dialect of this front end."""

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        form = arguments.keywords.get("form", "auto")
        return Lowered(_Parsed.of(source).take(form), pipeline=self.pipeline)


class TosaFrontEnd(MlirFrontEnd):
    """TOSA, as produced by TensorFlow Lite and others."""

    name = "tosa"
    pipeline = "tosa-to-ttir-pipeline"

    def accepts(self, parsed: _Parsed) -> bool:
        return "tosa" in parsed.dialects


class LinalgFrontEnd(MlirFrontEnd):
    """Linalg on tensors, with ``arith``, ``math`` and ``tensor``."""

    name = "linalg"
    pipeline = "linalg-to-ttir-pipeline"

    def accepts(self, parsed: _Parsed) -> bool:
        found = parsed.dialects
        # In TTIR with control flow, arith computes conditions and bounds.
        has_loops = "scf" in found and "ttir" in found
        return "linalg" in found or (not has_loops and bool(found & {"math", "arith", "tensor"}))


class TtirFrontEnd(MlirFrontEnd):
    """TTIR of this project and of today; also reports errors for all other MLIR."""

    name = "ttir"

    def accepts(self, parsed: _Parsed) -> bool:
        return True


def _is_module(value: Any) -> bool:
    from ttmlir import ir

    is_op = isinstance(value, ir.Operation | ir.OpView)
    return isinstance(value, ir.Module) or (is_op and value.name == "builtin.module")


class _Parsed:
    """A source parsed as a module, shared by all front ends here."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kept: ir.Module | None = None

    @staticmethod
    def of(source: Source) -> _Parsed:
        found: _Parsed = vars(source).setdefault("_parsed", _Parsed(source))
        return found

    def take(self, form: Form) -> ir.Module:
        """Returns the module and transfers ownership to the caller."""
        if form not in get_args(_form()):
            raise Error(f"form '{form}' is unknown, expected one of {', '.join(get_args(_form()))}")
        kept, self._kept = self._kept, None
        return kept if kept is not None and form == "auto" else self._read(form)

    def _read(self, form: Form) -> ir.Module:
        from ttmlir._parsing import copied, parse

        source = self._source
        if not source.is_text:
            return copied(source.value)
        content = source.content
        assert content is not None
        if isinstance(content, str) and not content.strip() and source.path is None:
            raise CompileError("source: expected a program or the path of one, found an empty text")
        is_file = isinstance(source.value, str | os.PathLike)
        if is_file and isinstance(content, bytes) and not content.startswith(BYTECODE):
            raise CompileError(f"'{source.path}' is neither MLIR text nor MLIR bytecode")
        module = parse(content, source.label, form)
        if not len(module.body.operations):
            raise CompileError(
                f"{source.label}: expected a module with functions, found an empty one"
            )
        return module

    @cached_property
    def dialects(self) -> frozenset[str]:
        """The dialects of the ops in the module; empty if it does not parse."""
        try:
            self._kept = self._read("auto")
        except CompileError:
            return frozenset()
        names = set(_names(self._kept.body)) - {"tensor.empty"}
        return frozenset(name.partition(".")[0] for name in names)


def _form() -> Any:
    from ttmlir._parsing import Form

    return Form


def _names(block: ir.Block) -> Iterator[str]:
    """Yields the names of the operations in a block and in their regions."""
    for op in block.operations:
        yield op.operation.name
        for region in op.operation.regions:
            for inner in region.blocks:
                yield from _names(inner)


FRONT_ENDS = (TosaFrontEnd(), LinalgFrontEnd(), TtirFrontEnd())
