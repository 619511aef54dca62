"""Parses and copies MLIR modules; diagnostics become ``CompileError``."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from ttmlir import ir
from ttmlir._mlir_libs import _ttmlir
from ttmlir.errors import CompileError, Diagnostic, to_place

#: The form of TTIR in a text; ``auto`` detects it.
Form = Literal["auto", "today", "2024"]


def parse(text: str | bytes, file: str = "", form: Form = "auto") -> ir.Module:
    """Parses and verifies a module in a new context; ``file`` appears in locations and messages.
    Today's TTIR is converted to TTIR of this project.

    Raises:
        CompileError: the text does not parse or verify.
    """
    name = file or "the program"
    if limit := _ttmlir.find_exceeded_limit(text):
        line, message = limit
        found = Diagnostic("error", message, f"{name}:{line}:1")
        raise CompileError(f"{name} is not a valid module", [found])
    context = ir.Context()
    with diagnostics(context, f"{name} is not a valid module"):
        # The parser aborts the process at the body of a linalg.map without a dialect; the verifier
        # reports an error instead.
        context.allow_unregistered_dialects = True
        module = _ttmlir.parse_module(context, text, file, form)
        context.allow_unregistered_dialects = False
        module.operation.verify()
    return module


def copied(module: Any) -> ir.Module:
    """Returns a verified copy of a module, or of its operation, in the same context.

    Raises:
        CompileError: it does not verify.
    """
    operation = module.operation
    with diagnostics(operation.context, "the module does not verify"):
        operation.verify()
        buffer = io.BytesIO()
        operation.write_bytecode(buffer)
        return ir.Module.parse(buffer.getvalue(), operation.context)


@contextmanager
def diagnostics(context: ir.Context, message: str) -> Iterator[list[Diagnostic]]:
    """Raises a CompileError with the context's diagnostics if the block fails; yields the
    diagnostics collected so far."""
    found: list[Diagnostic] = []

    def collect(diagnostic: Any) -> bool:
        found.extend(_flatten(diagnostic))
        return True

    handler: Any = context.attach_diagnostic_handler(collect)
    # collect() also gets the errors, in case an error is not raised.
    passes_on, context.emit_error_diagnostics = context.emit_error_diagnostics, True
    try:
        yield found
        if any(d.severity == "error" for d in found):
            raise CompileError(message, found)
    except (ir.MLIRError, RuntimeError, ValueError) as error:  # type: ignore[attr-defined]
        if not found:
            message = f"{message}: {error}"
        raise CompileError(message, found) from None
    finally:
        context.emit_error_diagnostics = passes_on
        handler.detach()


def _flatten(diagnostic: Any) -> list[Diagnostic]:
    """Returns a diagnostic and its notes, with locations as file:line:column."""
    severity = str(diagnostic.severity).rpartition(".")[2].lower()
    place = to_place(str(diagnostic.location))
    # The rest of MLIR's text addresses developers of tools.
    message = str(diagnostic.message).partition(" If this is intended, please call")[0]
    own = Diagnostic(severity, message, place)
    # MLIR appends the operation itself as a note, which may be a whole module.
    notes = [n for n in diagnostic.notes if not str(n.message).startswith("see current operation")]
    return [own, *(d for note in notes for d in _flatten(note))]
