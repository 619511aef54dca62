"""Programs that several tests of the Python API share."""

from __future__ import annotations

import pytest

import ttmlir


@pytest.fixture(scope="session")
def add() -> ttmlir.Executable:
    """Adds two 64x128 f32 tensors."""
    b = ttmlir.Builder("add")
    b.output(b.add(b.input("x", (64, 128)), b.input("y", (64, 128)), name="sum"))
    return ttmlir.compile(b)
