"""Activations that travel between chips as block floats: options and remarks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ttmlir
from ttmlir import ir, passes

PASS = "ttnn-ccl-activation-dtype-lowering"
LIT = Path(__file__).parents[2] / "ttmlir/Dialect/TTNN/ccl_activation_dtype_lowering"
NAMES = ("enable_activation_dtype_lowering", "activation_dtype_lowering_f32")
WRONG = ("maybe", "", "true", "off", "1", 1, 0, None, 1.0, [True])


def relu() -> ttmlir.Builder:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    return b


@pytest.mark.parametrize(
    "name", ["enable_activation_dtype_lowering", "activation_dtype_lowering_f32"]
)
def test_values_of_the_options(name: str) -> None:
    options: Any = passes.TTIRToTTNNBackendPipelineOptions
    compile: Any = ttmlir.compile
    for value in (True, False):
        text = f"{name.replace('_', '-')}=true" if value else ""
        assert str(options(**{name: value})) == text
        assert compile(relu(), remarks=PASS, **{name: value}).remarks == ()
    for wrong in WRONG:
        message = f"{name}: expected True or False, found "
        with pytest.raises(ValueError, match=message):
            options(**{name: wrong})
        with pytest.raises(ttmlir.Error, match=message):
            compile(relu(), **{name: wrong})
    with pytest.raises(ttmlir.Error, match=f"{name}: not an option of backend 'ttmetal'"):
        compile(relu(), backend="ttmetal", **{name: True})


def test_remarks_of_a_pass() -> None:
    module = ir.Module.parseFile(str(LIT / "half_match.mlir"), ir.Context())
    remarks: list[ttmlir.Remark] = []
    passes.run_pipeline(module, PASS, remarks=remarks)
    assert {r.pass_name for r in remarks} == {PASS}
    assert [r.kind for r in remarks].count("passed") == 3
    assert [r.kind for r in remarks].count("missed") == 5
    first = remarks[0]
    assert (first.kind, first.op, first.function) == (
        "missed",
        "ttnn.all_reduce",
        "gate_has_two_uses",
    )
    assert first.reason == "the result of ttnn.all_reduce has 2 uses, expected 1"
    line = int(first.location.split(":")[-2])
    text = (LIT / "half_match.mlir").read_text().splitlines()
    assert '%r1 = "ttnn.all_reduce"(%m1)' in text[line - 1]
    assert str(first) == f"{first.location}: ttnn.all_reduce: {PASS} missed: {first.reason}"
    # What is lowered already is not lowered again.
    again: list[ttmlir.Remark] = []
    passes.run_pipeline(module, PASS, remarks=again)
    assert {r.kind for r in again} == {"missed"}
    assert again[-1].reason == "the result of ttnn.matmul is bfp_bf8, expected bf16"
    passes.run_pipeline(module, "canonicalize", remarks=remarks)
    assert len(remarks) == 8
