"""Compiles a TTIR module to a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Literal, get_args

from ttmlir import ir, passes, runtime
from ttmlir._mlir_libs._ttmlir.passes import Remarks
from ttmlir._options import PipelineOptions
from ttmlir._parsing import diagnostics
from ttmlir._pipelines import BACKENDS as PIPELINES
from ttmlir.errors import CompileError, Diagnostic, Error
from ttmlir.frontends import Arguments, Options, Source, find
from ttmlir.passes import Goldens
from ttmlir.passes.passes import run_raw

Backend = Literal["ttnn", "ttmetal"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)


def ttir_of(source: Any) -> ir.Module:
    """Converts any source to a new TTIR module owned by the caller.

    Raises:
        CompileError: it does not parse, verify or lower.
        FileError: the file cannot be read.
        TypeError: no front end recognizes it.
    """
    found = Source(source)
    lowered = find(found).lower(found, Arguments(), Options())
    if lowered.pipeline:
        passes.run_pipeline(lowered.module, lowered.pipeline)
    return lowered.module


def to_binary(
    module: ir.Module,
    options: Any,
    desc: runtime.SystemDesc,
    *,
    pipeline: str = "",
    goldens: Goldens | None = None,
    remarks: bool | str = False,
) -> tuple[bytes, list[Diagnostic]]:
    """Compiles a module in place.

    Args:
        module: TTIR, or a module that ``pipeline`` lowers to it.
        options: options of the backend's pipeline.
        desc: the system to compile for.
        pipeline: a pipeline to run first; may be empty.
        goldens: values to store in the file.
        remarks: whether to store remarks in the file, or a regular expression of passes.

    Returns:
        The content of the file, and the compiler's warnings.

    Raises:
        CompileError: lowering failed.
    """
    said = Remarks(all=False) if remarks else None
    remarks_of = remarks if isinstance(remarks, str) else "."
    backend = next(name for name, own in PIPELINES.items() if isinstance(options, own))
    with tempfile.TemporaryDirectory(prefix="ttmlir-") as folder:
        path = os.path.join(folder, "system_desc.ttsys")
        desc.store(path)
        chosen = replace(options, system_desc_path=path)
        with diagnostics(module.context, "compilation failed") as found:
            if pipeline:
                run_raw(module, pipeline, "", said, remarks_of)
            run_raw(module, chosen.pipeline, chosen, said, remarks_of)
            to_bytes = getattr(passes, f"{backend}_to_flatbuffer_bytes")
            binary = to_bytes(module, goldens=goldens, remarks=said or ())
    return binary, [d for d in found if d.severity == "warning"]


def pipeline_options(
    backend: str,
    options: PipelineOptions | None,
    grid: tuple[int, int] | None,
    keywords: Mapping[str, Any],
) -> Any:
    """Returns the backend's pipeline options, given as an object or as keywords.

    Raises:
        CompileError: a keyword has a wrong value.
        Error: a keyword belongs to the other backend, or both an object and keywords are given.
    """
    if backend not in BACKENDS:
        raise Error(f"backend '{backend}' is unknown, expected one of {', '.join(BACKENDS)}")
    own = PIPELINES[backend]
    names = {f.name for f in fields(own)}
    defaults = {f.name: f.default for cls in PIPELINES.values() for f in fields(cls)}
    for name, value in keywords.items():
        if name not in names and value != defaults[name]:
            raise Error(f"{name}: not an option of backend '{backend}'")
    given = {name: value for name, value in keywords.items() if name in names}
    if grid is not None:
        if "override_device_shape" not in names:
            raise Error(f"grid: not an option of backend '{backend}'")
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
        raise Error(f"options: expected options or keywords, found both, {', '.join(given)}")
    return options


def mark_parameters(module: ir.Module, parameters: Any) -> None:
    """Marks arguments of public functions as parameters.

    Raises:
        CompileError: no function has such an argument.
        TypeError: a string is given instead of a list.
    """
    if isinstance(parameters, str):
        raise TypeError(f"parameters: expected a list of names or numbers, found '{parameters}'")
    missing: dict[str | int, None] = dict.fromkeys(parameters)
    if not missing:
        return
    names: set[str] = set()
    parameter = ir.Attribute.parse("#tt.argument_type<parameter>", module.context)

    def marks(name: str, argument: ir.BlockArgument[Any]) -> dict[str, ir.Attribute]:
        names.add(name)
        chosen = [key for key in (name, argument.arg_number) if key in parameters]
        for key in chosen:
            missing.pop(key, None)
        return {"tt.argument_type": parameter} if chosen else {}

    mark_arguments(module, marks)
    if missing:
        raise CompileError(
            f"parameters: expected arguments of the program, {', '.join(sorted(names))}, "
            f"found {', '.join(map(str, missing))}"
        )


def mark_arguments(
    module: ir.Module, marks: Callable[[str, ir.BlockArgument[Any]], Mapping[str, ir.Attribute]]
) -> None:
    """Adds the attributes that ``marks`` returns for an argument and its name to the arguments of
    public functions."""
    for function in module.body.operations:
        op: Any = function.operation
        if op.name != "func.func" or "sym_visibility" in op.attributes or not op.regions[0].blocks:
            continue
        attributes = []
        for i, argument in enumerate(op.regions[0].blocks[0].arguments):
            own = op.attributes["arg_attrs"][i] if "arg_attrs" in op.attributes else ()
            entries = {own[k].name: own[k].attr for k in range(len(own))}
            entries.update(marks(argument_name(argument), argument))
            attributes.append(ir.DictAttr.get(entries, module.context))
        op.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes, module.context)


def argument_name(argument: Any) -> str:
    """Returns the name in the argument's location, or ``arg0``, ``arg1`` and so on."""
    location: Any = argument.location
    return str(location.name_str) if location.is_a_name() else f"arg{argument.arg_number}"
