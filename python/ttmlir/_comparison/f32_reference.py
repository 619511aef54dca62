"""A reference: the TTIR program in f32, computed by the emulator's library calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttmlir import ir, runtime
from ttmlir._comparison.f32_modules import return_all, to_f32
from ttmlir._lowering import pipeline_options, to_binary, ttir_of
from ttmlir.errors import InputError
from ttmlir.frontends.reference import Values

if TYPE_CHECKING:
    from ttmlir._runnable import Runnable


def is_file(reference: str) -> bool:
    """Whether a string is a program or a path of one rather than a keyword."""
    return "\n" in reference or reference.endswith((".mlir", ".onnx"))


def of_program(exe: Runnable, source: Any, inputs: Sequence[Any]) -> Values:
    """Computes the values of the named ops of a program, with 16-bit floats as f32 and without
    layouts.

    Args:
        exe: the executable to compare with.
        source: a source that ``ttmlir.compile`` accepts.
        inputs: arrays, one for each argument.

    Raises:
        Error: the program has several functions.
        InputError: its arguments differ.
    """
    module = ttir_of(source)
    names = named_ops(module)
    return_all(module, names)
    to_f32(module)
    options = pipeline_options("ttnn", None, None, {})
    binary, _ = to_binary(module, options, exe.system_desc)
    # ttmlir.Executable depends on this module.
    loaded = runtime.load_binary_from_bytes(binary)
    wide = type(exe)(loaded, exe.system_desc, numerics="fast")
    if len(inputs) != len(wide.inputs):
        raise InputError(f"reference: expected {len(inputs)} inputs, found {len(wide.inputs)}")
    given = [np.asarray(x).astype(i.dtype) for x, i in zip(inputs, wide.inputs, strict=True)]
    results = wide(*given)
    arrays = list(results) if isinstance(results, tuple) else [results]
    count = len(arrays) - len(names)
    ops = {name: (array,) for name, array in zip(names, arrays[count:], strict=True)}
    return Values("the same in f32 on the emulator", ops, arrays[:count])


def named_ops(module: ir.Module) -> list[str]:
    """Returns the names of the first function that belong to exactly one op."""
    function = next(op for op in module.body.operations if op.operation.name == "func.func")
    names = [
        str(op.operation.location.name_str)
        for op in function.regions[0].blocks[0].operations
        if op.operation.location.is_a_name()
        and len(op.results)
        and op.operation.name.startswith("ttir.")
    ]
    counts = Counter(names)
    return [name for name in names if counts[name] == 1]
