"""``ttmlir.compile`` finds out itself what a program is written in."""

from __future__ import annotations

import numpy as np
import pytest

import ttmlir
from ttmlir import ir

X = np.arange(32 * 32, dtype=np.float32).reshape(32, 32)
T = "tensor<32x32xf32>"
HEAD = f"func.func @main(%x: {T}) -> {T} {{"
TOSA = f"{HEAD}\n  %0 = tosa.add %x, %x : ({T}, {T}) -> {T}\n  return %0 : {T}\n}}\n"
ARITH = f"{HEAD}\n  %0 = arith.addf %x, %x : {T}\n  return %0 : {T}\n}}\n"
LINALG = (
    f"{HEAD}\n  %e = tensor.empty() : {T}\n"
    f"  %0 = linalg.add ins(%x, %x : {T}, {T}) outs(%e : {T}) -> {T}\n  return %0 : {T}\n}}\n"
)
MIXED = TOSA.replace("return %0", f"%1 = math.absf %0 : {T}\n  return %1")
CALLS = TOSA.replace("@main", "private @callee") + (
    f"{HEAD}\n  %0 = call @callee(%x) : ({T}) -> {T}\n  return %0 : {T}\n}}\n"
)


@pytest.mark.parametrize("source", [TOSA, LINALG, ARITH, MIXED, CALLS])
def test_sources(source: str) -> None:
    np.testing.assert_array_equal(ttmlir.compile(source)(X), 2 * X)


def test_module_stays_as_it_was() -> None:
    module = ir.Module.parse(TOSA, ir.Context())
    before = str(module)
    np.testing.assert_array_equal(ttmlir.compile(module)(X), 2 * X)
    assert str(module) == before


def test_errors_have_their_place() -> None:
    unknown = '{domain_name = "a", implementation_attrs = "", operator_name = "b"}'
    wrong = f"{HEAD}\n  %0 = tosa.custom %x {unknown} : ({T}) -> {T}\n  return %0 : {T}\n}}\n"
    with pytest.raises(ttmlir.CompileError, match=r"<string>:2:8: error: 'tosa\.custom' op cannot"):
        ttmlir.compile(wrong)


def test_python_has_the_dialects() -> None:
    from ttmlir.dialects import arith, linalg, math, tensor, tosa

    for dialect in (arith, linalg, math, tensor, tosa):
        assert dialect.__name__.startswith("ttmlir.dialects.")
