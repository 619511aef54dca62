"""Functions of ``ttmlir.passes``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttmlir._mlir_libs._ttmlir import passes as _passes
from ttmlir._mlir_libs._ttmlir.passes import PassError, Remarks, SharedVoidPtr
from ttmlir._options import PipelineOptions
from ttmlir._pipelines import (
    LinalgToTTIRPipelineOptions,
    TosaToTTIRPipelineOptions,
    TTIRToTTMetalBackendPipelineOptions,
    TTIRToTTNNBackendPipelineOptions,
)
from ttmlir.errors import Remark

if TYPE_CHECKING:
    from ttmlir import ir

__all__ = [
    "Goldens",
    "PassError",
    "SharedVoidPtr",
    "linalg_to_ttir_pipeline",
    "run_pipeline",
    "tosa_to_ttir_pipeline",
    "ttir_to_ttmetal_backend_pipeline",
    "ttir_to_ttnn_backend_pipeline",
    "ttmetal_to_flatbuffer_binary",
    "ttmetal_to_flatbuffer_bytes",
    "ttmetal_to_flatbuffer_file",
    "ttnn_to_flatbuffer_binary",
    "ttnn_to_flatbuffer_bytes",
    "ttnn_to_flatbuffer_file",
]

# The public name of the exception.
PassError.__module__ = "ttmlir.passes"

#: Arrays by ``input_<i>`` and ``output_<i>``; or such mappings by program name.
Goldens = Mapping[str, Any]


def run_pipeline(
    module: ir.Module | ir.Operation,
    pipeline: str,
    options: str | PipelineOptions = "",
    *,
    remarks: list[Remark] | None = None,
    remarks_of: str = ".",
) -> None:
    """Runs a pipeline or a pass on a module, in place.

    Args:
        module: the module to change.
        pipeline: its name without leading dashes, such as ``ttir-layout``.
        options: as on the command line, or an object of the pipeline's options class.
        remarks: a list to which the passes' remarks are appended.
        remarks_of: a regular expression that selects passes by name.

    Raises:
        PassError: the name or the options are wrong, or the pipeline fails.
        ValueError: ``remarks_of`` is not a valid regular expression.
    """
    found = None if remarks is None else Remarks(all=True)
    run_raw(module, pipeline, options, found, remarks_of)
    if remarks is not None and found is not None:
        remarks.extend(Remark.from_raw(found[i]) for i in range(len(found)))


def run_raw(
    module: ir.Module | ir.Operation,
    pipeline: str,
    options: str | PipelineOptions,
    remarks: Remarks | None,
    remarks_of: str,
) -> None:
    """Like ``run_pipeline``, with raw remarks."""
    if isinstance(options, PipelineOptions) and pipeline not in (
        options.pipeline,
        *options.aliases,
    ):
        raise TypeError(
            f"expected options of {pipeline}, found {type(options).__name__} of {options.pipeline}"
        )
    _passes.run_pipeline(module, pipeline, str(options), remarks, remarks_of)


def ttir_to_ttnn_backend_pipeline(
    module: ir.Module | ir.Operation, options: str | TTIRToTTNNBackendPipelineOptions = ""
) -> None:
    """Lowers a module of the ttir dialect to ttnn, in place.

    Args:
        module: of the ttir dialect.
        options: as on the command line, such as "enable-optimizer=false
            system-desc-path=n150.ttsys", or a ``TTIRToTTNNBackendPipelineOptions``.

    Raises:
        PassError: the options are wrong, or the module cannot be lowered.
    """
    run_pipeline(module, TTIRToTTNNBackendPipelineOptions.pipeline, options)


def ttir_to_ttmetal_backend_pipeline(
    module: ir.Module | ir.Operation, options: str | TTIRToTTMetalBackendPipelineOptions = ""
) -> None:
    """Lowers a module of the ttir dialect to kernels, in the ttmetal and ttkernel dialects, in
    place.

    Args:
        module: of the ttir dialect.
        options: as on the command line, such as "override-device-shape=2,3", or a
            ``TTIRToTTMetalBackendPipelineOptions``.

    Raises:
        PassError: the options are wrong, or the module cannot be lowered.
    """
    run_pipeline(module, TTIRToTTMetalBackendPipelineOptions.pipeline, options)


def tosa_to_ttir_pipeline(
    module: ir.Module | ir.Operation, options: str | TosaToTTIRPipelineOptions = ""
) -> None:
    """Lowers a module in TOSA to the ttir dialect, in place.

    Raises:
        PassError: the options are wrong, or TTIR does not support the program.
    """
    run_pipeline(module, TosaToTTIRPipelineOptions.pipeline, options)


def linalg_to_ttir_pipeline(
    module: ir.Module | ir.Operation, options: str | LinalgToTTIRPipelineOptions = ""
) -> None:
    """Lowers a module in linalg on tensors to the ttir dialect, in place.

    Raises:
        PassError: the options are wrong, or TTIR does not support the program.
    """
    run_pipeline(module, LinalgToTTIRPipelineOptions.pipeline, options)


def ttnn_to_flatbuffer_binary(
    module: ir.Module | ir.Operation,
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> object:
    """Serializes a module of the ttnn dialect to a flatbuffer, as a capsule for
    ``ttmlir.runtime.load_binary_from_capsule``.

    Args:
        module: of the ttnn dialect.
        goldens: inputs and expected outputs for ``ttrt run``, see ``Goldens``.
        remarks: remarks of passes to store in the file; at most 10,000 for each program.

    Raises:
        PassError: the module cannot be serialized, or a golden does not fit it.
    """
    return _passes.ttnn_to_flatbuffer_binary(module, _flatten(module, goldens), _raw(remarks))


def ttnn_to_flatbuffer_bytes(
    module: ir.Module | ir.Operation,
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> bytes:
    """Returns the bytes of a ``.ttnn`` file."""
    return _passes.ttnn_to_flatbuffer_bytes(module, _flatten(module, goldens), _raw(remarks))


def ttnn_to_flatbuffer_file(
    module: ir.Module | ir.Operation,
    filepath: str | os.PathLike[str],
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> None:
    """Writes a ``.ttnn`` file atomically; on failure there is no file.

    Raises:
        PassError: the module cannot be serialized, a golden does not fit it, or the file cannot
            be written.
    """
    _passes.ttnn_to_flatbuffer_file(module, filepath, _flatten(module, goldens), _raw(remarks))


def ttmetal_to_flatbuffer_binary(
    module: ir.Module | ir.Operation,
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> object:
    """Serializes a module of the ttmetal dialect to a flatbuffer, as a capsule for
    ``ttmlir.runtime.load_binary_from_capsule``. See ``ttnn_to_flatbuffer_binary``."""
    return _passes.ttmetal_to_flatbuffer_binary(module, _flatten(module, goldens), _raw(remarks))


def ttmetal_to_flatbuffer_bytes(
    module: ir.Module | ir.Operation,
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> bytes:
    """Returns the bytes of a ``.ttm`` file."""
    return _passes.ttmetal_to_flatbuffer_bytes(module, _flatten(module, goldens), _raw(remarks))


def ttmetal_to_flatbuffer_file(
    module: ir.Module | ir.Operation,
    filepath: str | os.PathLike[str],
    goldens: Goldens | None = None,
    remarks: Sequence[Remark] | Remarks = (),
) -> None:
    """Writes a ``.ttm`` file atomically; on failure there is no file.

    Raises:
        PassError: the module cannot be serialized, a golden does not fit it, or the file cannot
            be written.
    """
    _passes.ttmetal_to_flatbuffer_file(module, filepath, _flatten(module, goldens), _raw(remarks))


def _flatten(
    module: ir.Module | ir.Operation, goldens: Goldens | None
) -> list[tuple[str, str, tuple[int, ...], int, bytes]]:
    """Converts goldens for the extension; those without a program name belong to the only
    program."""
    from ttmlir._goldens import to_golden

    result = []
    if goldens is not None and not isinstance(goldens, Mapping):
        raise TypeError(f"goldens: expected a dict of arrays, found {type(goldens).__name__}")
    for name, value in (goldens or {}).items():
        if isinstance(value, Mapping):
            result += [(name, key, *to_golden(key, array)) for key, array in value.items()]
        else:
            result.append((_only_program(module), name, *to_golden(name, value)))
    return result


def _raw(remarks: Sequence[Remark] | Remarks) -> Remarks:
    return remarks if isinstance(remarks, Remarks) else Remarks([r.to_raw() for r in remarks])


def _only_program(module: ir.Module | ir.Operation) -> str:
    from ttmlir import ir
    from ttmlir.dialects import func

    if not isinstance(module, (ir.Module, ir.Operation)):
        raise TypeError(f"expected a ttmlir.ir.Module or Operation, found {type(module).__name__}")
    body = module.operation.regions[0].blocks[0]
    names = [str(op.sym_name.value) for op in body.operations if isinstance(op, func.FuncOp)]
    if len(names) != 1:
        raise ValueError(
            "expected goldens by program name, such as "
            "{'forward': {'output_0': array}}, for a module with the programs " + ", ".join(names)
        )
    (name,) = names
    return name
