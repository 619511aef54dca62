"""``ttmlir.compile``: from MLIR to an executable in one call."""

from __future__ import annotations

import difflib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ttmlir._files import read_file
from ttmlir._options import PipelineOptions, takes_options
from ttmlir._pipelines import BACKENDS as PIPELINES
from ttmlir.errors import CompileError, Diagnostic, Error, to_place

if TYPE_CHECKING:
    from onnx import ModelProto
    from typing_extensions import Unpack

    from ttmlir import ir
    from ttmlir._mlir_libs._ttmlir.passes import Remarks
    from ttmlir._pipelines import Keywords
    from ttmlir._targets import SystemDescLike
    from ttmlir.builder import Builder
    from ttmlir.executable import Executable
    from ttmlir.passes import Goldens

Backend = Literal["ttnn", "ttmetal"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)
Form = Literal["auto", "today", "2024"]
_MLIR_BYTECODE = b"ML\xefR"
#: A protobuf of a model begins with its version of the format.
_ONNX = b"\x08"


@takes_options(*PIPELINES.values())
def compile(
    source: str | bytes | os.PathLike[str] | ir.Module | Builder | Callable[..., Any] | ModelProto,
    *example_args: Any,
    example_inputs: Sequence[Any] | Mapping[str, Any] | None = None,
    example_kwargs: Mapping[str, Any] | None = None,
    shapes: Mapping[str, int | Sequence[int]] | None = None,
    dtype: str | Mapping[str, str] | None = None,
    backend: Backend = "ttnn",
    target: str = "n150",
    system_desc: SystemDescLike | None = None,
    options: PipelineOptions | None = None,
    grid: tuple[int, int] | None = None,
    goldens: Goldens | None = None,
    remarks: bool | str = True,
    form: Form = "auto",
    parameters: Sequence[str | int] = (),
    **keywords: Unpack[Keywords],
) -> Executable:
    """Compiles a program for a chip.

    The program is in TTIR, in TOSA, or in linalg on tensors; or, with the extra ``jax``, in
    StableHLO; or, with the extra ``onnx``, a model of ONNX. TTIR may be in the form of this
    project, that of 2024, or in the one that front ends write since 2025.

    Args:
        source: MLIR text or bytecode, the path of a file with either, a ``ttmlir.ir.Module`` or a
            ``ttmlir.Builder``. A module is not changed. Or a function of JAX, or what JAX has
            lowered or exported. Or a ``torch.nn.Module``, or what ``torch.export.export`` returned.
            Or a model of ONNX: the path of an ``.onnx`` file, its bytes or an ``onnx.ModelProto``.
        example_args: of a function: arrays like those that it will be called with, or
            ``jax.ShapeDtypeStruct``, in pytrees.
        example_inputs: the same for a ``torch.nn.Module``: a tuple of tensors in pytrees. Of a
            model of ONNX, arrays in the order of its inputs, or some of them by name: they say
            what extents that have names are, and the values of inputs that shapes depend on.
        example_kwargs: of a ``torch.nn.Module``, by the names of its keywords.
        shapes: of a model of ONNX, extents by their names, such as ``{"batch": 1}``, or shapes by
            the names of inputs.
        dtype: of a module of PyTorch or a model of ONNX, the format of weights and activations:
            ``f32``, ``bf16`` or ``bfp8_b``, or a mapping from patterns of names to them; those of
            the module by default.
        backend: ``ttnn``, one library call an op; or ``ttmetal``, kernels of the program's own.
        target: the system to compile for; ``ttmlir.targets()`` has the names.
        system_desc: a system descriptor or a ``.ttsys`` file, instead of ``target``.
        options: a ``ttmlir.passes.TTIRToTTNNBackendPipelineOptions`` (``ttnn``) or a
            ``TTIRToTTMetalBackendPipelineOptions`` (``ttmetal``), instead of keywords.
        grid: rows and columns of cores to use of each chip (``ttmetal``), short for
            ``override_device_shape``; all by default.
        goldens: what the programs are to be given and expected to return: arrays by ``input_<i>``
            and ``output_<i>`` (or such mappings by the names of the programs). They go into the
            file, and ``ttrt run`` compares with them.
        remarks: whether the file gets the passes' remarks, which say what they decided and why; or
            a regular expression of the passes whose remarks it gets, such as ``ttir-layout``.
        form: the form of TTIR that a text is in: ``2024``, ``today``, or found out from the text.
        parameters: arguments that are the same tensors in many calls, for a program that does not
            say so itself: by their names, or by their numbers in each function that has them.
            ``Executable.bind`` asks for them, and what depends on them alone is computed once.
        **keywords: the options of the backend's pipeline, by the names of the fields of that class.
            ``mesh_shape`` is by default that of a ``ttmlir.Builder``; ``system_desc_path`` is
            another way to say ``system_desc``.

    Returns:
        An executable, to be called with arrays; that of a function takes and returns its pytrees,
        that of a module of PyTorch too, with tensors of PyTorch; that of a model of ONNX takes
        arrays by name, too.

    Warns:
        UserWarning: what the compiler warns of, such as a name in an override that no op has, or a
            collective along an axis of one chip, which it removes.

    Raises:
        CompileError: a keyword has a wrong value; or the program does not parse, verify or lower,
            and it carries the diagnostics.
        Error: an unknown backend, form or target, a keyword of the other backend, or a source that
            does not exist.
        TypeError: a keyword that there is not, or ``remarks`` or ``parameters`` of another type.

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
    is_torch, is_onnx = _is_torch(source), _is_onnx(source)
    if is_torch or is_onnx or callable(source):
        given = dict(
            backend=backend,
            target=target,
            system_desc=system_desc,
            options=options,
            grid=grid,
            goldens=goldens,
            remarks=remarks,
            form=form,
            parameters=parameters,
            **keywords,
        )
    for name, value, takes in (
        ("example_kwargs", example_kwargs, is_torch),
        ("shapes", shapes, is_onnx),
        ("example_inputs", example_inputs, is_torch or is_onnx),
        ("dtype", dtype, is_torch or is_onnx),
    ):
        if value is not None and not takes:
            kinds = {"example_kwargs": "a module of PyTorch", "shapes": "a model of ONNX"}
            what = kinds.get(name, "a module of PyTorch or a model of ONNX")
            raise TypeError(f"compile() takes {name} for {what}, found {type(source).__name__}")
    if is_torch:
        examples = _examples(example_args, example_inputs)
        return _compile_torch(source, examples, example_kwargs, dtype, given)
    if is_onnx:
        examples = _examples(example_args, example_inputs, (tuple, list, Mapping))
        return _compile_onnx(source, examples, shapes, dtype, given)
    if callable(source):
        return _compile_function(source, example_args, given)
    if example_args:
        raise TypeError(
            f"compile() takes example arguments for a function, found {type(source).__name__}"
        )
    if backend not in BACKENDS:
        raise Error(f"backend '{backend}' is unknown, expected one of {', '.join(BACKENDS)}")
    chosen = _options(backend, options, grid, keywords)
    if not isinstance(remarks, (bool, str)):
        found = type(remarks).__name__
        raise TypeError(
            f"remarks: expected True, False or a regular expression of passes, found {found}"
        )
    from ttmlir import passes, runtime
    from ttmlir._mlir_libs._ttmlir.passes import Remarks
    from ttmlir._targets import resolve
    from ttmlir.executable import Executable
    from ttmlir.passes.passes import run_raw

    if system_desc is None:
        system_desc = chosen.system_desc_path or None
    desc = resolve(target, system_desc)
    mesh_shape = _mesh(tuple(chosen.mesh_shape), source)
    if form not in get_args(Form):
        raise Error(f"form '{form}' is unknown, expected one of {', '.join(get_args(Form))}")
    module = own_module(source, form)
    mark_parameters(module, parameters)
    said = Remarks(all=False) if remarks else None
    remarks_of = remarks if isinstance(remarks, str) else "."
    with tempfile.TemporaryDirectory(prefix="ttmlir-") as folder:
        path = os.path.join(folder, "system_desc.ttsys")
        desc.store(path)
        chosen = replace(chosen, system_desc_path=path, mesh_shape=mesh_shape)
        with _diagnostics(module.context, "compilation failed") as diagnostics:
            lower_front_end(module, said, remarks_of)
            run_raw(module, chosen.pipeline, chosen, said, remarks_of)
            to_bytes = {
                "ttnn": passes.ttnn_to_flatbuffer_bytes,
                "ttmetal": passes.ttmetal_to_flatbuffer_bytes,
            }[backend]
            binary = to_bytes(module, goldens=goldens, remarks=said or ())
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), stacklevel=2)
    try:
        executable = Executable(runtime.load_binary_from_bytes(binary), desc)
    except runtime.RuntimeError as error:
        raise CompileError(f"the program cannot run: {error}") from None
    _warn_of_doubles(executable)
    return executable


def _warn_of_doubles(executable: Executable) -> None:
    """Says which inputs lose digits and range."""
    names = [info.name for info in executable.inputs if info.dtype == "float64"]
    if not names:
        return
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    warnings.warn(
        f"float64 is computed in float32, which has 24 bits and ends at 3.4e38: "
        f"input {', '.join(names[:3])}{more}",
        stacklevel=3,
    )


def _is_torch(source: Any) -> bool:
    """Whether it is a module or an exported program of PyTorch, which nobody else has loaded."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, (torch.nn.Module, torch.export.ExportedProgram))


def _is_onnx(source: Any) -> bool:
    """Whether it is a model of ONNX: a file of that name, a protobuf or its bytes."""
    if isinstance(source, bytes):
        return source.startswith(_ONNX)
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source).endswith(".onnx") and "\n" not in os.fspath(source)
    onnx = sys.modules.get("onnx")
    return onnx is not None and isinstance(source, onnx.ModelProto)


def _examples(args: Sequence[Any], inputs: Any, kinds: tuple[type, ...] = (tuple, list)) -> Any:
    """Example inputs, which are given one way or the other."""
    if inputs is None:
        return args
    if args:
        raise TypeError("compile() takes example arguments or example_inputs, found both")
    if not isinstance(inputs, kinds):
        expected = "a tuple of arguments" if len(kinds) == 2 else "a list or a dictionary of arrays"
        raise TypeError(f"example_inputs: expected {expected}, found {type(inputs).__name__}")
    return inputs


def _compile_torch(
    source: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    dtype: str | Mapping[str, str] | None,
    keywords: Mapping[str, Any],
) -> Executable:
    from ttmlir.frontends.torch._module import compile_module

    return compile_module(compile, source, args, kwargs, dtype, keywords)


def _compile_onnx(
    source: Any,
    examples: Any,
    shapes: Mapping[str, Any] | None,
    dtype: str | Mapping[str, str] | None,
    keywords: Mapping[str, Any],
) -> Executable:
    try:
        from ttmlir.frontends.onnx._executable import compile_model
    except ImportError as error:
        raise Error(str(error)) from None
    return compile_model(compile, source, examples, shapes, dtype, keywords)


def _compile_function(
    function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]
) -> Executable:
    try:
        from ttmlir.frontends.jax_functions import compile_function
    except ImportError as error:
        raise Error(str(error)) from None
    return compile_function(compile, function, args, keywords)


def _options(
    backend: Backend,
    options: PipelineOptions | None,
    grid: tuple[int, int] | None,
    keywords: Mapping[str, Any],
) -> Any:
    """The options of the backend's pipeline, as an object or as keywords."""
    own = PIPELINES[backend]
    names = {f.name for f in fields(own)}
    defaults = {f.name: f.default for cls in PIPELINES.values() for f in fields(cls)}
    for name, value in keywords.items():
        if name not in defaults:
            near = difflib.get_close_matches(name, defaults, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"compile() got an unexpected keyword argument '{name}'{hint}")
        if name not in names and value != defaults[name]:
            raise Error(f"{name}: expected no such keyword with backend '{backend}'")
    given = {name: value for name, value in keywords.items() if name in names}
    if grid is not None:
        if "override_device_shape" not in names:
            raise Error(f"grid: expected no such keyword with backend '{backend}'")
        given["override_device_shape"] = grid
    if options is None:
        try:
            return own(**given)
        except ValueError as error:
            raise CompileError(str(error)) from None
    if not isinstance(options, own):
        raise Error(
            f"options: expected {own.__name__} with backend '{backend}', "
            f"found {type(options).__name__}"
        )
    if given:
        raise Error(f"options: expected them or keywords, found both, {', '.join(given)}")
    return options


def _mesh(found: tuple[int, ...], source: Any) -> tuple[int, ...]:
    """The extents of the mesh, which a builder knows."""
    built_for: tuple[int, ...] = getattr(source, "mesh_shape", ())
    # A mesh of one axis has a second one of one chip.
    if found and built_for and (*found, 1)[: len(built_for)] != built_for:
        raise Error(
            f"mesh_shape: expected {built_for}, which the program was built for, found {found}"
        )
    return found or built_for


def argument_name(argument: Any, number: int) -> str:
    """The name of its location, or ``arg0``, ``arg1`` and so on."""
    location: Any = argument.location
    return str(location.name_str) if location.is_a_name() else f"arg{number}"


def mark_parameters(module: ir.Module, parameters: Sequence[str | int]) -> None:
    """Says in the module which arguments of its public functions are parameters.

    Raises:
        CompileError: no function has such an argument.
    """
    from ttmlir import ir

    if isinstance(parameters, str):
        raise TypeError(f"parameters: expected a list of names or numbers, found '{parameters}'")
    missing: dict[str | int, None] = dict.fromkeys(parameters)
    names: set[str] = set()
    for function in module.body.operations if missing else ():
        op: Any = function.operation
        if op.name != "func.func" or "sym_visibility" in op.attributes or not op.regions[0].blocks:
            continue
        attributes = []
        for i, argument in enumerate(op.regions[0].blocks[0].arguments):
            name = argument_name(argument, i)
            names.add(name)
            own = op.attributes["arg_attrs"][i] if "arg_attrs" in op.attributes else ()
            entries = {own[k].name: own[k].attr for k in range(len(own))}
            chosen = [key for key in (name, i) if key in parameters]
            for key in chosen:
                missing.pop(key, None)
            if chosen:
                entries["tt.argument_type"] = ir.Attribute.parse(
                    "#tt.argument_type<parameter>", module.context
                )
            attributes.append(ir.DictAttr.get(entries, module.context))
        op.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes, module.context)
    if missing:
        raise CompileError(
            f"parameters: expected arguments of the program, {', '.join(sorted(names))}, "
            f"found {', '.join(map(str, missing))}"
        )


def lower_front_end(
    module: ir.Module, remarks: Remarks | None = None, remarks_of: str = "."
) -> None:
    """Turns TOSA and linalg into TTIR; leaves TTIR as it is."""
    from ttmlir import passes
    from ttmlir.passes.passes import run_raw

    lower = ""
    names = set(_names(module.body)) - {"tensor.empty"}
    # Of TTIR with control flow, numbers are what that depends on.
    loops = any(n.startswith("scf.") for n in names) and any(n.startswith("ttir.") for n in names)
    for name in names:
        dialect = name.partition(".")[0]
        if dialect == "tosa":
            lower = passes.TosaToTTIRPipelineOptions.pipeline
            break
        if dialect == "linalg" or (not loops and dialect in ("math", "arith", "tensor")):
            lower = passes.LinalgToTTIRPipelineOptions.pipeline
    if lower:
        run_raw(module, lower, "", remarks, remarks_of)


def _names(block: ir.Block) -> Iterator[str]:
    """Of the operations in a block and in their regions."""
    for op in block.operations:
        yield op.operation.name
        for region in op.operation.regions:
            for inner in region.blocks:
                yield from _names(inner)


def own_module(source: Any, form: Form = "auto") -> ir.Module:
    """A verified module that nobody else holds."""
    from ttmlir import ir

    if isinstance(source, ir.Module):
        return _copy(source)
    if isinstance(source, ir.Operation | ir.OpView) and source.name == "builtin.module":
        return _copy(source)
    if hasattr(source, "module") and isinstance(source.module, ir.Module):
        return _copy(source.module)
    # Of jax.export and jax.stages.
    if hasattr(source, "mlir_module_serialized") or hasattr(source, "compiler_ir"):
        return _of_stablehlo(source)
    text, name = _read(source)
    if _is_stablehlo(text):
        return _of_stablehlo(text)
    module = parse(text, name, form)
    if not len(module.body.operations):
        raise CompileError(f"{name}: expected a module with functions, found an empty one")
    return module


def _is_stablehlo(text: str | bytes) -> bool:
    """Whether it is a portable artifact, or has ops of StableHLO and none of ours."""
    if isinstance(text, bytes):
        return text.startswith(_MLIR_BYTECODE) and b"StableHLO_v" in text[:64]
    return "stablehlo." in text and "ttir." not in text


def _of_stablehlo(source: Any) -> ir.Module:
    try:
        from ttmlir.frontends.stablehlo import import_module
    except ImportError as error:
        raise Error(str(error)) from None
    imported = import_module(source)
    module = imported.builder.module
    if imported.mesh is not None:
        extents = ", ".join(map(str, imported.mesh.shape))
        from ttmlir import ir

        with module.context:
            attribute = ir.Attribute.parse(f"array<i64: {extents}>")
        module.operation.attributes["tt.mesh_shape"] = attribute
    return module


def parse(text: str | bytes, file: str = "", form: Form = "auto") -> ir.Module:
    """A verified module of a new context; ``file`` is in the locations and messages. TTIR of today
    becomes TTIR of this project."""
    from ttmlir import ir
    from ttmlir._mlir_libs import _ttmlir

    name = file or "the program"
    if limit := _ttmlir.find_exceeded_limit(text):
        line, message = limit
        found = Diagnostic("error", message, f"{name}:{line}:1")
        raise CompileError(f"{name} is not a valid module", [found])
    context = ir.Context()
    with _diagnostics(context, f"{name} is not a valid module"):
        # The parser stops the process at the body of a linalg.map without a dialect; the verifier
        # has an error for it.
        context.allow_unregistered_dialects = True
        module = _ttmlir.parse_module(context, text, file, form)
        context.allow_unregistered_dialects = False
        module.operation.verify()
    return module


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
def _diagnostics(context: ir.Context, message: str) -> Iterator[list[Diagnostic]]:
    """Turns what fails inside into a CompileError with the diagnostics of the context, which it
    gives as they come."""
    from ttmlir import ir

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
