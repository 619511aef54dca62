"""Weights that several programs keep on the device: one tensor for those computed in one way."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np

import ttmlir


def product(name: str, order: Sequence[int]) -> ttmlir.Executable:
    """The host moves and rounds the weight."""
    b = ttmlir.Builder(name)
    x, w = b.input("x", (32, 64), "bf16"), b.parameter("w", (4, 16, 64), "bf16")
    b.output(b.matmul(x, b.reshape(b.permute(w, order), (64, 64))))
    exe = ttmlir.compile(b, weight_dtype="bfp_bf8")
    assert "tt.call(@" in exe.mlir
    return exe


def test_names_make_no_difference() -> None:
    kept = [product(name, (2, 1, 0)).binary.get_program_kept(0) for name in ("decode", "prefill")]
    assert kept[0]
    assert kept[0] == kept[1]


def test_functions_of_one_name_and_type_are_told_apart() -> None:
    orders = ((2, 1, 0), (2, 0, 1))
    exes = [product("product", order) for order in orders]
    first, second = (exe.binary.get_program_kept(0) for exe in exes)
    assert [size for _, size in first] == [size for _, size in second]
    assert first != second
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(32, 64)), rng.normal(size=(4, 16, 64))
    for exe, order in zip(exes, orders, strict=True):
        found = np.asarray(exe(x.astype("bfloat16"), w.astype("bfloat16")), np.float64)
        expected = x @ w.transpose(order).reshape(64, 64)
        assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.999
