"""``ttmlir.compile``: from MLIR to an executable in one call."""

from __future__ import annotations

import io
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ttmlir._files import read_file
from ttmlir.errors import CompileError, Diagnostic, Error, Remark, to_place

if TYPE_CHECKING:
    from ttmlir import ir
    from ttmlir._targets import SystemDescLike
    from ttmlir.builder import Builder
    from ttmlir.executable import Executable
    from ttmlir.passes import Goldens

Backend = Literal["ttnn", "ttmetal"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)
# Keywords that only one backend has, with their defaults.
_ONLY_TTNN: dict[str, Any] = {
    "enable_optimizer": True,
    "override_grid_sizes": None,
    "override_output_layout": None,
    "sharding_pass_enabled": False,
    "resharding_enabled": False,
    "enable_deallocate": None,
    "enable_activation_dtype_lowering": False,
    "activation_dtype_lowering_f32": False,
    "results_on_device": False,
}
_ONLY_TTMETAL: dict[str, Any] = {
    "grid": None,
    "default_memory_space": "dram",
    "use_all_gather_kernel": False,
    "all_gather_swizzle": 0,
}
_MLIR_BYTECODE = b"ML\xefR"


def compile(
    source: str | bytes | os.PathLike[str] | ir.Module | Builder,
    *,
    backend: Backend = "ttnn",
    target: str = "n150",
    system_desc: SystemDescLike | None = None,
    enable_optimizer: bool = True,
    override_grid_sizes: Mapping[str, tuple[int, int]] | None = None,
    override_output_layout: Mapping[str, str] | None = None,
    sharding_pass_enabled: bool = False,
    resharding_enabled: bool = False,
    enable_deallocate: bool | None = None,
    enable_activation_dtype_lowering: bool | str = False,
    activation_dtype_lowering_f32: bool | str = False,
    mesh_shape: Sequence[int] = (),
    chip_ids: Sequence[int] = (),
    results_on_device: bool = False,
    grid: tuple[int, int] | None = None,
    default_memory_space: str = "dram",
    use_all_gather_kernel: bool = False,
    all_gather_swizzle: int = 0,
    goldens: Goldens | None = None,
) -> Executable:
    """Compiles a program for a chip.

    The program is in TTIR, in TOSA, or in linalg on tensors.

    Args:
        source: MLIR text or bytecode, the path of a file with either, a ``ttmlir.ir.Module`` or a
            ``ttmlir.Builder``. A module is not changed.
        backend: ``ttnn``, one library call an op; or ``ttmetal``, kernels of the program's own.
        target: the system to compile for; ``ttmlir.targets()`` has the names.
        system_desc: a system descriptor or a ``.ttsys`` file, instead of ``target``.
        enable_optimizer: let the optimizer choose grids and layouts.
        override_grid_sizes: grid (rows, columns) by the name of an op's location.
        override_output_layout: layout of an op's result by the name of its location: any of grid,
            memory space, memory layout, ``tile`` or ``row_major`` and data type, joined by colons,
            such as ``"4x4:l1:block_sharded"``.
        sharding_pass_enabled: keep chains of ops in shards in the cores' L1.
        resharding_enabled: also bring the first input of each chain into shards.
        enable_deallocate: free tensors on the device after their last use instead of at the end.
            By default in functions that have tensors in L1, which has no room for all results of a
            program.
        enable_activation_dtype_lowering: send activations between chips as ``bfp_bf8``, 1088 bytes
            a tile instead of 2048, where a projection or a gated MLP ends in a sum. It changes
            numbers. Also the words true, 1, yes, on, false, 0, no and off.
        activation_dtype_lowering_f32: with it, lower activations of f32 too, not only of bf16.
        mesh_shape: chips along each axis of the mesh: (2, 4) is eight chips in two rows. By default
            that of a ``ttmlir.Builder``, or one chip.
        chip_ids: chips of the system for the mesh, row-major. By default the first ones, or others
            where links do not join those that are neighbours in the mesh.
        results_on_device: let the program leave its results in the device's DRAM, in tiles. A call
            copies them to the host unless it is told to keep them, so that programs chain without
            a round trip.
        grid: rows and columns of cores to use of each chip (``ttmetal``); all by default.
        default_memory_space: where tensors lie between the kernels of ``ttmetal``: ``dram``, or
            ``l1``, where the op has kernels for it and there is room; a remark says where not.
        use_all_gather_kernel: turn all_gather, reduce_scatter and all_reduce into kernels
            (``ttmetal``) instead of calls of the library.
        all_gather_swizzle: rows of tiles that such an all_gather goes through column by column
            before the next ones; 0 for all tiles row by row.
        goldens: what the programs are to be given and expected to return: arrays by ``input_<i>``
            and ``output_<i>`` (or such mappings by the names of the programs). They go into the
            file, and ``ttrt run`` compares with them.

    Returns:
        An executable, to be called with arrays.

    Warns:
        UserWarning: what the compiler warns of, such as a name in an override that no op has, or a
            collective along an axis of one chip, which it removes.

    Raises:
        CompileError: the program does not parse, verify or lower; it carries the diagnostics.
        Error: an unknown backend or target, a keyword of the other backend or a wrong value of
            one, or a source that does not exist.

    Example:
        >>> import numpy as np, ttmlir
        >>> exe = ttmlir.compile('''
        ... func.func @double(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
        ...   %0 = tensor.empty() : tensor<32x32xf32>
        ...   %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>,
        ...        operand_constraints = [#tt.operand_constraint<any_device>,
        ...        #tt.operand_constraint<any_device>, #tt.operand_constraint<any_device>]}>
        ...        : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
        ...   return %1 : tensor<32x32xf32>
        ... }''')
        >>> float(exe(np.ones((32, 32), np.float32))[0, 0])
        2.0
    """
    given = dict(locals())
    if backend not in BACKENDS:
        raise Error(f"backend '{backend}' is unknown, expected one of {', '.join(BACKENDS)}")
    own, other = (_ONLY_TTNN, _ONLY_TTMETAL) if backend == "ttnn" else (_ONLY_TTMETAL, _ONLY_TTNN)
    for name, default in other.items():
        if given[name] != default:
            raise Error(f"{name}: expected no such keyword with backend '{backend}'")
    from ttmlir import runtime
    from ttmlir._targets import resolve
    from ttmlir.executable import Executable
    from ttmlir.passes.options import to_bool

    for name in ("enable_activation_dtype_lowering", "activation_dtype_lowering_f32"):
        try:
            given[name] = to_bool(name, given[name])
        except ValueError as error:
            raise Error(str(error)) from None
    desc = resolve(target, system_desc)
    mesh_shape, chip_ids = _mesh(mesh_shape, source), _chips(chip_ids)
    module, name = _own_module(source)
    keywords = {key: given[key] for key in own}
    with tempfile.TemporaryDirectory(prefix="ttmlir-") as folder:
        path = os.path.join(folder, "system_desc.ttsys")
        desc.store(path)
        lower = _to_ttnn if backend == "ttnn" else _to_ttmetal
        with _diagnostics(module.context, "compilation failed", rename=name) as said:
            _lower_front_end(module)
            device = {"system_desc_path": path, "mesh_shape": mesh_shape, "chip_ids": chip_ids}
            binary, found = lower(module, device, goldens, **keywords)
    for diagnostic in said:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), stacklevel=2)
    remarks = tuple(
        replace(r, location=name + r.location[1:]) if name and r.location.startswith("-:") else r
        for r in found
    )
    try:
        return Executable(runtime.load_binary_from_bytes(binary), desc, remarks)
    except runtime.RuntimeError as error:
        raise CompileError(f"the program cannot run: {error}") from None


def _mesh(given: Sequence[int] | None, source: Any) -> tuple[int, ...]:
    """The extents of the mesh, which a builder knows."""
    from ttmlir import _shapes

    built_for: tuple[int, ...] = getattr(source, "mesh_shape", ())
    try:
        found = _shapes.mesh(() if given is None else given)
    except ValueError as error:
        raise Error(str(error)) from None
    # A mesh of one axis has a second one of one chip.
    if found and built_for and (*found, 1)[: len(built_for)] != built_for:
        raise Error(
            f"mesh_shape: expected {built_for}, which the program was built for, found {found}"
        )
    return found or built_for


def _chips(given: Sequence[int]) -> tuple[int, ...]:
    try:
        if isinstance(given, str):
            raise TypeError
        return tuple(map(index, given))
    except TypeError:
        raise Error(
            f"chip_ids: expected chips of the system, such as (0, 1), found {given!r}"
        ) from None


def _to_ttnn(
    module: ir.Module,
    device: dict[str, Any],
    goldens: Goldens | None,
    *,
    override_grid_sizes: Mapping[str, tuple[int, int]] | None,
    override_output_layout: Mapping[str, str] | None,
    results_on_device: bool,
    **options: Any,
) -> tuple[bytes, list[Remark]]:
    """The flatbuffer of a module of TTIR, which becomes one of TTNN, and what passes remarked."""
    from ttmlir import passes
    from ttmlir._placement import leave_results_on_device

    if results_on_device:
        leave_results_on_device(module)
    remarks: list[Remark] = []
    passes.run_pipeline(
        module,
        passes.TTIRToTTNNBackendPipelineOptions.pipeline,
        passes.TTIRToTTNNBackendPipelineOptions(
            override_grid_sizes=override_grid_sizes or {},
            override_output_layout=override_output_layout or {},
            **device,
            **options,
        ),
        remarks=remarks,
    )
    return passes.ttnn_to_flatbuffer_bytes(module, goldens=goldens), remarks


def _to_ttmetal(
    module: ir.Module,
    device: dict[str, Any],
    goldens: Goldens | None,
    *,
    grid: tuple[int, int] | None,
    **options: Any,
) -> tuple[bytes, list[Remark]]:
    """The flatbuffer of a module of TTIR, which becomes one of kernels; what passes remarked."""
    from ttmlir import passes

    remarks: list[Remark] = []
    passes.run_pipeline(
        module,
        passes.TTIRToTTMetalBackendPipelineOptions.pipeline,
        passes.TTIRToTTMetalBackendPipelineOptions(
            override_device_shape=grid or (),
            **device,
            **options,
        ),
        remarks=remarks,
    )
    return passes.ttmetal_to_flatbuffer_bytes(module, goldens=goldens), remarks


def _lower_front_end(module: ir.Module) -> None:
    """Turns TOSA and linalg into TTIR; leaves TTIR as it is."""
    from ttmlir import passes

    lower = None
    for name in _names(module.body):
        dialect, _, op = name.partition(".")
        if dialect == "tosa":
            return passes.tosa_to_ttir_pipeline(module)
        if dialect in ("linalg", "math", "arith") or (dialect == "tensor" and op != "empty"):
            lower = passes.linalg_to_ttir_pipeline
    if lower:
        lower(module)


def _names(block: ir.Block) -> Iterator[str]:
    """Of the operations in a block and in their regions."""
    for op in block.operations:
        yield op.operation.name
        for region in op.operation.regions:
            for inner in region.blocks:
                yield from _names(inner)


def _own_module(source: Any) -> tuple[ir.Module, str]:
    """A verified module that nobody else holds, and what its text is called in messages."""
    from ttmlir import ir
    from ttmlir._mlir_libs import _ttmlir

    if isinstance(source, ir.Module):
        return _copy(source), ""
    if isinstance(source, ir.Operation | ir.OpView) and source.name == "builtin.module":
        return _copy(source), ""
    if hasattr(source, "module") and isinstance(source.module, ir.Module):
        return _copy(source.module), ""
    text, name = _read(source)
    if limit := _ttmlir.find_exceeded_limit(text):
        line, message = limit
        found = Diagnostic("error", message, f"{name}:{line}:1")
        raise CompileError(f"{name} is not a valid module", [found])
    context = ir.Context()
    with _diagnostics(context, f"{name} is not a valid module", rename=name):
        # The parser stops the process at the body of a linalg.map without a dialect; the verifier
        # has an error for it.
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text, context)
        context.allow_unregistered_dialects = False
        module.operation.verify()
    if not len(module.body.operations):
        raise CompileError(f"{name}: expected a module with functions, found an empty one")
    return module, name


def _copy(module: Any) -> ir.Module:
    from ttmlir import ir

    operation = module.operation
    with _diagnostics(operation.context, "the module does not verify"):
        operation.verify()
        buffer = io.BytesIO()
        operation.write_bytecode(buffer)
        return ir.Module.parse(buffer.getvalue(), operation.context)


def _read(source: Any) -> tuple[str | bytes, str]:
    """The program and what to call it in messages."""
    if isinstance(source, bytes):
        return source, "<bytes>"
    if isinstance(source, str):
        if not source.strip():
            raise CompileError("source: expected a program or the path of one, found an empty text")
        if _looks_like_text(source):
            return source, "<string>"
        source = Path(source)
    if isinstance(source, os.PathLike):
        path = Path(source)
        content = read_file(path)
        if content.startswith(_MLIR_BYTECODE):
            return content, str(path)
        try:
            return content.decode("utf-8"), str(path)
        except UnicodeDecodeError:
            raise CompileError(f"'{path}' is neither MLIR text nor MLIR bytecode") from None
    raise TypeError(
        "source: expected MLIR text, a path, a ttmlir.ir.Module or a ttmlir.Builder, "
        f"found {type(source).__name__}"
    )


def _looks_like_text(source: str) -> bool:
    """Whether it is MLIR, maybe cut off, and not the path of a file, maybe a missing one."""
    if "\n" in source:
        return True
    if os.path.splitext(source)[1] in (".mlir", ".mlirbc", ".bc"):
        return False
    return any(c in source for c in '%{}="@#!') and not os.path.exists(source)


@contextmanager
def _diagnostics(context: ir.Context, message: str, rename: str = "") -> Iterator[list[Diagnostic]]:
    """Turns what fails inside into a CompileError with the diagnostics of the context, which it
    gives as they come."""
    from ttmlir import ir

    found: list[Diagnostic] = []

    def collect(diagnostic: Any) -> bool:
        found.extend(_flatten(diagnostic, rename))
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


def _flatten(diagnostic: Any, rename: str) -> list[Diagnostic]:
    """A diagnostic and its notes, with the location as file:line:column."""
    severity = str(diagnostic.severity).rpartition(".")[2].lower()
    place = to_place(str(diagnostic.location), rename)
    # What MLIR says behind it is for who writes a tool.
    message = str(diagnostic.message).partition(" If this is intended, please call")[0]
    own = Diagnostic(severity, message, place)
    # MLIR adds the operation itself as a note, which may be a whole module.
    notes = [n for n in diagnostic.notes if not str(n.message).startswith("see current operation")]
    return [own, *(d for note in notes for d in _flatten(note, rename))]
