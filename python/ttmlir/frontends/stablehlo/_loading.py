"""Reads programs in all supported forms as modules of jaxlib's bindings."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ttmlir._files import read_file
from ttmlir.errors import CompileError, Diagnostic, to_place
from ttmlir.frontends.stablehlo._passes import modernize, new_context
from ttmlir.frontends.stablehlo._quantized_types import readable

_BYTECODE = b"ML\xefR"
_PLATFORM = "tt"


def read(source: Any) -> Any:
    """Reads a verified module owned by the caller.

    Args:
        source: StableHLO as text, as bytecode or as a portable artifact, the path of a file with
            one of these, a ``jax.export.Exported``, also serialized, a function that JAX has traced
            or lowered, or a module of jaxlib's bindings.

    Raises:
        CompileError: it does not parse or verify.
        FileError: the file cannot be read.
        TypeError: the type is not supported.
    """
    if hasattr(source, "mlir_module_serialized"):  # jax.export.Exported
        module = _parse(bytes(source.mlir_module_serialized))
    elif hasattr(source, "compiler_ir"):  # jax.stages.Lowered
        module = copied_module(source.compiler_ir("stablehlo"))
    elif hasattr(source, "lower") and hasattr(source, "jaxpr"):  # jax.stages.Traced
        return read(source.lower(lowering_platforms=(_PLATFORM,)))
    elif hasattr(source, "operation"):
        module = copied_module(source)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        module = _parse(bytes(source))
    elif isinstance(source, str) and ("\n" in source or "{" in source):
        module = _parse(source)
    elif isinstance(source, (str, os.PathLike)):
        module = _parse(read_file(Path(source)))
    else:
        raise TypeError(
            "source: expected StableHLO as text or bytes, a path, a jax.export.Exported, a lowered "
            f"function of JAX or a module of jaxlib, found {type(source).__name__}"
        )
    modernize(module)
    return module


def copied_module(module: Any) -> Any:
    """Copies the module to a new context: that of a lowered function belongs to JAX."""
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return _parse(buffer.getvalue())


def _parse(content: str | bytes) -> Any:
    if isinstance(content, bytes) and not content.startswith(_BYTECODE):
        try:
            return _parse(content.decode("utf-8"))
        except UnicodeDecodeError:
            return _of_export(content)
    context = new_context()
    is_artifact = isinstance(content, bytes) and b"StableHLO_v" in content[:64]
    try:
        if is_artifact:
            # Its messages about a damaged file would go to the terminal.
            context.attach_diagnostic_handler(lambda _: True)
            return stablehlo.deserialize_portable_artifact(context, content)
        if isinstance(content, str):
            content = readable(content)
        return ir.Module.parse(content, context)
    except (ir.MLIRError, ValueError) as error:
        raise CompileError("the source is not a valid module", _diagnostics(error)) from None


def _of_export(content: bytes) -> Any:
    """Reads the module of an artifact that ``Exported.serialize`` of JAX wrote."""
    try:
        from jax import export
    except ImportError:
        raise CompileError(
            "the source is not MLIR; install jax to read artifacts of jax.export"
        ) from None
    try:
        exported = export.deserialize(bytearray(content))
        return _parse(bytes(exported.mlir_module_serialized))
    except CompileError:
        raise
    except Exception as error:
        raise CompileError(
            f"the source is neither StableHLO nor a serialized jax.export.Exported: {error}"
        ) from None


def _diagnostics(error: Exception) -> list[Diagnostic]:
    found = getattr(error, "error_diagnostics", None)
    if not found:
        return [Diagnostic("error", _plain(str(error)), "")]
    return [
        Diagnostic(
            "error",
            _plain(str(d.message)),
            re.sub("^-:", "<string>:", to_place(str(d.location))),
        )
        for d in found
    ]


def _plain(message: str) -> str:
    """Returns MLIR's message without hints for tool developers."""
    if '"quant"' in message:
        return (
            "quantized types are supported only as !quant.uniform in text: jaxlib does not read "
            "them in bytecode"
        )
    return message.partition(" If this is intended, please call")[0]
