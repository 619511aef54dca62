"""What the values of a reference are."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ttmlir._comparison.programs import is_program, of_program
from ttmlir._comparison.values import Known, Values
from ttmlir.compiler import _is_onnx, _is_torch
from ttmlir.errors import Error, InputError
from ttmlir.executable import Executable, Program
from ttmlir.runtime import get_goldens, to_host_array

F64, GOLDENS = "f64", "goldens"


def values_of(
    exe: Executable, program: Program, reference: Any, args: Sequence[Any], kwargs: Any
) -> Values:
    """What a reference computes for the arguments of a call.

    Raises:
        Error: there is no such reference.
        TypeError: an object that is none.
    """
    if isinstance(reference, str) and reference == F64:
        return _arranged(exe, exe._reference(args, kwargs))
    if isinstance(reference, str) and reference == GOLDENS:
        return _given("goldens of the file", _goldens(exe, program), program)
    if _is_torch(reference):
        from ttmlir.frontends.torch._reference import of_module

        return _arranged(exe, of_module(reference, args, kwargs))
    if _is_onnx(reference):
        return _of_model(reference, args, kwargs)
    if is_program(reference):
        return of_program(exe, reference, exe._call_inputs(args, kwargs))
    if isinstance(reference, str):
        raise Error(f"reference: expected '{F64}', '{GOLDENS}' or an object, found '{reference}'")
    if isinstance(reference, Mapping):
        arrays = {name: to_host_array(value) for name, value in reference.items()}
        return _given("given arrays", arrays, program)
    if callable(reference):
        return _of_function(reference, args, kwargs)
    raise TypeError(
        f"reference: expected '{F64}', '{GOLDENS}', a module of PyTorch, a function of JAX, a "
        "model of ONNX, a program of MLIR or a dictionary of arrays, found "
        f"{type(reference).__name__}"
    )


def _arranged(exe: Executable, values: Values) -> Values:
    """What a module of PyTorch returns, in the order of the executable's outputs."""
    if values.returned is None:
        return values
    from ttmlir.frontends.torch._module import ModuleExecutable
    from ttmlir.frontends.torch._reference import arranged

    return arranged(values, exe) if isinstance(exe, ModuleExecutable) else values


def golden_inputs(exe: Executable, program: Program) -> list[Any]:
    """The inputs that the file has for a program.

    Raises:
        Error: it has no outputs for it, either.
        InputError: one of them is missing.
    """
    found = _goldens(exe, program)
    bound = exe._bound.of(program)
    inputs = []
    for i, info in enumerate(program.inputs):
        if i in bound:
            continue
        golden = found.get(f"input_{i}")
        if golden is None:
            raise InputError(f"{program.name}: the file has no golden of input {i}")
        inputs.append(golden.astype(info.dtype).reshape(info.shape))
    return inputs


def _goldens(exe: Executable, program: Program) -> dict[str, Any]:
    found: dict[str, Any] = get_goldens(exe.binary, program.index)
    if not any(key.startswith("output_") for key in found):
        raise Error(f"{program.name}: the file has no goldens of outputs")
    return found


def _given(title: str, arrays: Mapping[str, Any], program: Program) -> Values:
    """Arrays by the names of ops, and of outputs by ``output_0`` and so on."""
    outputs: list[Known | None] = [arrays.get(f"output_{i}") for i in range(len(program.outputs))]
    ops = {
        name: (np.asarray(value),)
        for name, value in arrays.items()
        if not name.startswith(("input_", "output_"))
    }
    return Values(title, ops, outputs)


def _of_model(source: Any, args: Sequence[Any], kwargs: Any) -> Values:
    try:
        from ttmlir.frontends.onnx._executable import by_name
        from ttmlir.frontends.onnx._model import load_model
        from ttmlir.frontends.onnx._reference import of_model
    except ImportError as error:
        raise Error(str(error)) from None
    model = load_model(source)
    given = args[0] if len(args) == 1 and isinstance(args[0], Mapping) else args
    is_path = isinstance(source, str | os.PathLike)
    folder = os.path.dirname(os.path.abspath(source)) if is_path else ""
    inputs = by_name(given, kwargs, [i.name for i in model.inputs])
    return of_model(model, inputs, folder=folder)


def _of_function(function: Any, args: Sequence[Any], kwargs: Any) -> Values:
    try:
        from ttmlir.frontends.jax_functions import register_platform
        from ttmlir.frontends.jax_reference import of_function
    except ImportError as error:
        raise Error(str(error)) from None
    register_platform()
    return of_function(function, args, kwargs)
