"""Results whose extent depends on values."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx_models import F32, I64, model

import ttmlir
from ttmlir.errors import CompileError


def test_chosen_elements() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("Compress", ["x", "c"], ["chosen"], axis=0),
        helper.make_node("Compress", ["x", "c"], ["flat"]),
    ]
    inputs = {"x": (F32, [3, 4]), "c": (TensorProto.BOOL, [2])}
    outputs = ["places", "rows", "chosen", "flat"]
    exe = ttmlir.compile(model(nodes, inputs, outputs, kinds=[I64, I64, F32, F32]))
    x = np.maximum(np.random.default_rng(0).standard_normal((3, 4)), 0).astype(np.float32)
    for c in ([True, False], [False, True], [False, False], [True, True]):
        places = np.stack(np.nonzero(x))
        wanted = places, places.T, np.compress(c, x, 0), np.compress(c, x)
        for found, want in zip(exe(x, np.array(c)), wanted, strict=True):
            assert found.dtype == want.dtype
            assert np.array_equal(found, want)


def test_only_results() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Neg", ["places"], ["y"], name="negative"),
    ]
    with pytest.raises(CompileError, match=r"the number of elements.* depends on the values of"):
        ttmlir.compile(model(nodes, {"x": (F32, [30, 40])}, ["y"], kinds=[I64]))
