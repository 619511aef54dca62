"""Inputs for programs, and the comparison that these tests are about."""

from __future__ import annotations

from typing import Any

import numpy as np

import ttmlir
from ttmlir import emitc, runtime

RNG = np.random.default_rng(5)


def arrays(program: ttmlir.Program) -> list[np.ndarray]:
    """Inputs of a program: normal numbers, or small integers."""
    found = []
    for info in program.inputs:
        dtype = runtime.host_dtype(info.data_type)
        if dtype.kind in "iu":
            found.append(np.asarray(RNG.integers(0, 6, info.shape), dtype))
        else:
            found.append(np.asarray(RNG.standard_normal(info.shape, np.float32)).astype(dtype))
    return found


def as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def assert_same_bits(exe: ttmlir.Executable, library: emitc.Library, name: str) -> None:
    """A function of the C++ and the program of the flatbuffer give the same bits."""
    program = next(p for p in exe.programs if p.name == name)
    inputs = arrays(program)
    # C++ keeps `main` for itself.
    function = getattr(library, "main_" if name == "main" else name)
    found, expected = as_tuple(function(*inputs)), as_tuple(exe(*inputs, program=name))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
