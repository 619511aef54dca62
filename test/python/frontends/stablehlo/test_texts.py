"""Ops in forms that JAX does not write agree with XLA on the CPU, in both backends."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from oracle import assert_close, run_text
from shlo_texts import TEXTS

import ttmlir
from ttmlir._lowering import Backend
from ttmlir.frontends.stablehlo import Imported, import_module


def arguments(program: Imported) -> list[Any]:
    rng = np.random.default_rng(0)
    made = []
    for shape, dtype in program.inputs:
        if dtype.kind == "f":
            made.append(np.asarray(rng.standard_normal(shape), dtype))
        elif dtype.kind == "b":
            made.append(np.asarray(rng.random(shape) < 0.5))
        else:
            made.append(np.asarray(rng.integers(-9, 10, shape), dtype))
    return made


@pytest.mark.parametrize("backend", get_args(Backend))
@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str, backend: Backend) -> None:
    text = TEXTS[name].module()
    program = import_module(text)
    inputs = arguments(program)
    want = run_text(text, inputs)
    got = ttmlir.compile(program.builder, backend=backend)(*inputs)
    assert_close(list(got) if isinstance(got, tuple) else [got], want)
