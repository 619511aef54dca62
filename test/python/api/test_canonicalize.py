"""Canonicalized programs give the same bits: the lit files of the canonicalizations, run."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes  # noqa: F401  (makes bfloat16 known to numpy)
import numpy as np
import pytest

import ttmlir
from ttmlir import ir, passes

FOLDER = Path(__file__).parents[2] / "ttmlir" / "Dialect" / "TTIR" / "canonicalize"
FILES = sorted(path for path in FOLDER.glob("*.mlir") if path.stem != "layouts")
RNG = np.random.default_rng(3)


def random(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype.kind in "iu":
        return RNG.integers(0, 100, shape).astype(dtype)
    values = RNG.standard_normal(shape).astype(dtype)
    values.flat[:4] = [0.0, -0.0, np.inf, -np.inf]
    return values


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_bits(path: Path) -> None:
    module = ir.Module.parse(path.read_text(), ir.Context())
    plain = ttmlir.compile(module)
    passes.run_pipeline(module, "canonicalize")
    passes.run_pipeline(module, "cse")
    canonical = ttmlir.compile(module)
    assert len(canonical.mlir) < len(plain.mlir)
    for program in plain.programs:
        name = program.name
        inputs = [random(tensor.shape, np.dtype(tensor.dtype)) for tensor in program.inputs]
        expected = plain(*inputs, program=name)
        found = canonical(*inputs, program=name)
        assert found.dtype == expected.dtype
        assert found.tobytes() == expected.tobytes(), name


def test_there_are_files() -> None:
    assert len(FILES) >= 6
