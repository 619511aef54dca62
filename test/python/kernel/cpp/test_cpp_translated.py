"""Planted mistakes and right programs with their kernels in C++: the same is found, and results and
cycles are those of the kernels in Python."""

from __future__ import annotations

import numpy as np
import pytest
from mistakes import MISTAKES, Mistake
from test_mistakes import run
from test_right_programs import RIGHT
from translated import in_cpp

import ttmlir
from ttmlir import errors

#: Programs that are built; the others are rejected before there is C++.
BUILT = [m for m in MISTAKES if m.exception not in ("BuildError", "CompileError")]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("mistake", BUILT, ids=lambda mistake: mistake.name)
def test_mistake(mistake: Mistake) -> None:
    program = in_cpp(mistake.build())
    if mistake.exception is None:
        run(program)
        return
    with pytest.raises(ttmlir.Error) as caught:
        run(program)
    assert type(caught.value).__name__ == mistake.exception, caught.value
    if isinstance(caught.value, errors.Fault) and caught.value.thread != "host":
        assert ".cpp:" in caught.value.location


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RIGHT)
def test_right_program(name: str) -> None:
    shape = RIGHT[name]().tensors[0].shape
    x = (np.arange(np.prod(shape)).reshape(shape) % 251).astype("bfloat16")
    in_python, found = (
        program.run(report=True, x=x) for program in (RIGHT[name](), in_cpp(RIGHT[name]()))
    )
    assert found["y"].tobytes() == in_python["y"].tobytes()
    assert found.report is not None
    assert in_python.report is not None
    assert found.report.cycles == in_python.report.cycles
