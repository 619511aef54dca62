"""Compiled programs with exact numerics."""

from __future__ import annotations

import numpy as np
import pytest
from matrix_engine import Array

import ttmlir
from ttmlir import runtime

DESTINATIONS = pytest.mark.parametrize("fp32", [False, True], ids=["dst16", "dst32"])


def run_exact(exe: ttmlir.Executable, *arrays: Array) -> Array:
    before = runtime.get_device_options(exe.device)
    exact = runtime.DeviceOptions(numerics=runtime.Numerics.Exact)
    runtime.set_device_options(exe.device, exact)
    try:
        return np.asarray(exe(*arrays))
    finally:
        runtime.set_device_options(exe.device, before)
