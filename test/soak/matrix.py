"""Every program of the lit tests for every backend, target and memory space, against the library
calls for an n150."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from corpus import texts
from engine import Failure, Note

import ttmlir
from ttmlir import runtime

PROGRAMS = [
    text
    for text in texts(())
    if text.is_valid and any(name in text.text for name in ("ttir.", "tosa.", "linalg."))
]
TARGETS = ("n150", "p150", "e150")
OPTIONS: list[dict[str, Any]] = [
    *({"backend": "ttnn", "target": target} for target in TARGETS),
    {"backend": "ttnn", "target": "n150", "sharding_pass_enabled": True},
    {"backend": "ttnn", "target": "n150", "enable_optimizer": False},
    *(
        {"backend": "ttmetal", "target": target, "default_memory_space": space}
        for target in TARGETS
        for space in ("dram", "l1")
    ),
    {"backend": "ttmetal", "target": "n150", "grid": (2, 3)},
]
#: Functions that return tensors which nothing writes: zeros in TTNN, an error in TTMetal.
UNWRITTEN = ("destinations",)
#: Larger ones would take their time.
ELEMENTS = 400_000
Array = np.ndarray[Any, np.dtype[Any]]


def inputs(program: Any, rng: np.random.Generator) -> list[Array]:
    """Numbers that every op has results for: integers are indices too."""
    found = []
    for each in program.inputs:
        dtype = runtime.host_dtype(each.data_type)
        whole = dtype.kind in "iu"
        values = rng.integers(0, 2, each.shape) if whole else rng.standard_normal(each.shape)
        found.append(values.astype(dtype))
    return found


def results(exe: ttmlir.Executable, arrays: list[Array], program: str) -> list[Array]:
    found = exe(*arrays, program=program)
    return list(found) if isinstance(found, tuple) else [found]


def agree(actual: Array, expected: Array) -> bool:
    """Within the roundings of bf16 and block floats, which chains of ops have different numbers
    of."""
    a, b = actual.astype(np.float64), expected.astype(np.float64)
    largest = np.abs(np.where(np.isfinite(b), b, 0)).max(initial=1e-6)
    return a.shape == b.shape and np.allclose(a, b, rtol=0.05, atol=0.05 * largest, equal_nan=True)


class Matrix:
    name = "matrix"
    seconds = 120.0
    batch = 50

    def run(self, seed: int, note: Note) -> str:
        text = PROGRAMS[seed // len(OPTIONS) % len(PROGRAMS)]
        options = OPTIONS[seed % len(OPTIONS)]
        words = ", ".join(f"{key}={value!r}" for key, value in options.items())
        reproducer = f"// {text.name}: ttmlir.compile(module, {words})\n{text.text}"
        note(reproducer, ".mlir")
        try:
            reference = ttmlir.compile(text.text)
        except ttmlir.CompileError:
            return "not for this"
        try:
            exe = ttmlir.compile(text.text, **options)
        except ttmlir.CompileError:
            return f"refused by {options['backend']}"
        for program in exe.programs:
            tensors = [*program.inputs, *program.outputs]
            large = sum(prod(tensor.shape) for tensor in tensors) > ELEMENTS
            if large or program.name in UNWRITTEN:
                continue
            arrays = inputs(program, np.random.default_rng(1))
            try:
                expected = results(reference, arrays, program.name)
            except (ttmlir.Error, runtime.RuntimeError):
                continue
            about = f"{text.name}, {program.name}"
            try:
                actual = results(exe, arrays, program.name)
            except (ttmlir.Error, runtime.RuntimeError) as error:
                kind = f"{words}: {type(error).__name__}"
                raise Failure(kind, f"{about}: {error}", reproducer, ".mlir") from None
            if not all(map(agree, actual, expected)):
                raise Failure(f"{words}: other numbers", about, reproducer, ".mlir")
        return "same numbers"
