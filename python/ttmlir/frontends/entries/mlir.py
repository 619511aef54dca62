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
    "the form of TTIR that a text is in: ``2024``, the one of this project, ``today``, the one "
    "that front ends write since 2025, or found out from the text",
    "auto",
)


class MlirFrontEnd(FrontEnd):
    """A text, bytecode, a file with either, or a ``ttmlir.ir.Module``."""

    noun = "MLIR"
    keywords = (_FORM,)
    #: What turns the dialect into TTIR; empty for TTIR.
    pipeline = ""

    def recognizes(self, source: Source) -> bool:
        if not source.is_text and not _is_module(source.value):
            return False
        return self.accepts(_Parsed.of(source))

    @abstractmethod
    def accepts(self, parsed: _Parsed) -> bool:
        """Whether the module is in the dialect of the front end."""

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        form = arguments.keywords.get("form", "auto")
        return Lowered(_Parsed.of(source).take(form), pipeline=self.pipeline)


class TosaFrontEnd(MlirFrontEnd):
    """TOSA, as TensorFlow Lite and others write it."""

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
    """TTIR of this project and of today; all that is no other MLIR has its errors from here."""

    name = "ttir"

    def accepts(self, parsed: _Parsed) -> bool:
        return True


def _is_module(value: Any) -> bool:
    from ttmlir import ir

    is_op = isinstance(value, ir.Operation | ir.OpView)
    return isinstance(value, ir.Module) or (is_op and value.name == "builtin.module")


class _Parsed:
    """A source as a module, which all front ends here look at."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kept: ir.Module | None = None

    @staticmethod
    def of(source: Source) -> _Parsed:
        found: _Parsed = vars(source).setdefault("_parsed", _Parsed(source))
        return found

    def take(self, form: Form) -> ir.Module:
        """The module, which the caller owns."""
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
        """Those of the ops in the module; none of one that does not parse."""
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
    """The names of the operations in a block and in their regions."""
    for op in block.operations:
        yield op.operation.name
        for region in op.operation.regions:
            for inner in region.blocks:
                yield from _names(inner)


FRONT_ENDS = (TosaFrontEnd(), LinalgFrontEnd(), TtirFrontEnd())
