"""The blocks that tests of reports, traces and pages run."""

from __future__ import annotations

import numpy as np
import pytest

from models import blocks
from ttmlir import ir


@pytest.mark.parametrize("block", blocks.BLOCKS)
@pytest.mark.parametrize("target", blocks.TARGETS)
def test_backends_agree(block: str, target: str) -> None:
    """Backends and shares of eight chips differ by rounding only."""
    inputs = blocks.random_inputs(blocks.compiled(block, target, "ttnn"), seed=1)
    found = [
        blocks.compiled(block, target, backend)(*inputs).astype(np.float64)
        for backend in blocks.BACKENDS
    ]
    assert np.isfinite(found[0]).all()
    assert np.corrcoef(found[0].ravel(), found[1].ravel())[0, 1] > 0.999


@pytest.mark.parametrize("block", ["transformer", "llama"])
def test_chips_divide_one_program(block: str) -> None:
    """A tensor-parallel block computes what one chip does."""
    runs = [blocks.compiled(block, target, "ttnn") for target in blocks.TARGETS]
    inputs = blocks.random_inputs(runs[0], seed=2)
    assert [run.inputs for run in runs[1:]] == [runs[0].inputs]
    one, many = (run(*inputs).astype(np.float64).ravel() for run in runs)
    assert np.corrcoef(one, many)[0, 1] > 0.999


@pytest.mark.parametrize("block", blocks.BLOCKS)
def test_every_op_has_a_name(block: str) -> None:
    names = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith("ttir."):
            assert op.location.is_a_name(), op
            names.append(op.location.name_str)
        return ir.WalkResult.ADVANCE

    blocks.BLOCKS[block](1).module.operation.walk(collect)
    assert len(names) == len(set(names)) > 5
