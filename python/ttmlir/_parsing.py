"""Modules of MLIR: parsed, copied, and with what their contexts say as ``CompileError``."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from ttmlir import ir
from ttmlir._mlir_libs import _ttmlir
from ttmlir.errors import CompileError, Diagnostic, to_place

#: The form of TTIR that a text is in: ``auto`` finds it out.
Form = Literal["auto", "today", "2024"]


def parse(text: str | bytes, file: str = "", form: Form = "auto") -> ir.Module:
    """A verified module of a new context; ``file`` is in the locations and messages. TTIR of today
    becomes TTIR of this project.

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
        # The parser stops the process at the body of a linalg.map without a dialect; the verifier
        # has an error for it.
        context.allow_unregistered_dialects = True
        module = _ttmlir.parse_module(context, text, file, form)
        context.allow_unregistered_dialects = False
        module.operation.verify()
    return module


def copied(module: Any) -> ir.Module:
    """A verified copy of a module, or of its operation, in the same context.

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
    """Turns what fails inside into a CompileError with the diagnostics of the context, which it
    gives as they come."""
    found: list[Diagnostic] = []

    def collect(diagnostic: Any) -> bool:
        found.extend(_flatten(diagnostic))
        return True

    handler: Any = context.attach_diagnostic_handler(collect)
    # Errors go to collect() too, so that one that nobody returned is not lost.
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
    """A diagnostic and its notes, with the location as file:line:column."""
    severity = str(diagnostic.severity).rpartition(".")[2].lower()
    place = to_place(str(diagnostic.location))
    # What MLIR says behind it is for who writes a tool.
    message = str(diagnostic.message).partition(" If this is intended, please call")[0]
    own = Diagnostic(severity, message, place)
    # MLIR adds the operation itself as a note, which may be a whole module.
    notes = [n for n in diagnostic.notes if not str(n.message).startswith("see current operation")]
    return [own, *(d for note in notes for d in _flatten(note))]
