"""Compiled programs with exact numerics."""

from __future__ import annotations

import numpy as np
import pytest
from matrix_engine import Array

import ttmlir

DESTINATIONS = pytest.mark.parametrize("fp32", [False, True], ids=["dst16", "dst32"])


def run_exact(exe: ttmlir.Executable, *arrays: Array) -> Array:
    return np.asarray(exe(*arrays, numerics="exact"))
