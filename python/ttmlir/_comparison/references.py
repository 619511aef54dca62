"""References: goldens of the file, CPU runs of the source, or given arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttmlir._comparison.f32_reference import is_file, of_program
from ttmlir._numerics import OPTIONS
from ttmlir.errors import Error, InputError
from ttmlir.frontends import Source, any_of, find, front_ends
from ttmlir.frontends.reference import Known, Values
from ttmlir.runtime import get_goldens, to_host_array

if TYPE_CHECKING:
    from ttmlir._programs import Program
    from ttmlir._runnable import Runnable

F64, GOLDENS = "f64", "goldens"
_NAMES = [f"'{name}'" for name in (F64, *OPTIONS, GOLDENS)]


def values_of(
    exe: Runnable,
    program: Program,
    reference: Any,
    args: Sequence[Any],
    kwargs: Any,
    inputs: Sequence[Any],
) -> Values:
    """Computes the reference for a call whose arguments are the program's ``inputs``.

    Raises:
        Error: there is no such reference.
        TypeError: an object of an unsupported type.
    """
    if isinstance(reference, str) and reference == F64:
        found = exe.signature.reference(exe, args, kwargs)
        return exe.signature.arranged(exe, found)
    if isinstance(reference, str) and reference == GOLDENS:
        return _given("goldens of the file", _goldens(exe, program), program)
    if isinstance(reference, str) and not is_file(reference):
        raise Error(f"reference: expected {any_of([*_NAMES, 'an object'])}, found '{reference}'")
    if isinstance(reference, Mapping):
        arrays = {name: to_host_array(value) for name, value in reference.items()}
        return _given("given arrays", arrays, program)
    source = Source(reference)
    try:
        entry = find(source)
    except TypeError:
        nouns = [*_NAMES, *(entry.noun for entry in front_ends())]
        raise TypeError(
            f"reference: expected {any_of([*nouns, 'a dictionary of arrays'])}, found "
            f"{type(reference).__name__}"
        ) from None
    values = entry.reference(source, args, kwargs)
    if values is None:
        return of_program(exe, reference, inputs)
    return exe.signature.arranged(exe, values)


def golden_inputs(exe: Runnable, program: Program) -> list[Any]:
    """Returns the inputs that the file stores for a program.

    Raises:
        Error: the file does not have its outputs either.
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


def _goldens(exe: Runnable, program: Program) -> dict[str, Any]:
    found: dict[str, Any] = get_goldens(exe.binary, program.index)
    if not any(key.startswith("output_") for key in found):
        raise Error(f"{program.name}: the file has no goldens of outputs")
    return found


def _given(title: str, arrays: Mapping[str, Any], program: Program) -> Values:
    """Returns values from arrays named after ops, and ``output_0`` and so on for outputs."""
    outputs: list[Known | None] = [arrays.get(f"output_{i}") for i in range(len(program.outputs))]
    ops = {
        name: (np.asarray(value),)
        for name, value in arrays.items()
        if not name.startswith(("input_", "output_"))
    }
    return Values(title, ops, outputs)
