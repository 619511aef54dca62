"""The optimizer asks the clock: blocks of networks take less time, and compute the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttmlir
from models import blocks


@pytest.mark.sampled(4)
@pytest.mark.parametrize("resharding", [False, True], ids=["", "resharding"])
@pytest.mark.parametrize("target", blocks.TARGETS)
@pytest.mark.parametrize("block", blocks.BLOCKS)
def test_blocks_are_not_slower(block: str, target: str, resharding: bool) -> None:
    def compiled(limit: int, sharding: bool = True) -> ttmlir.Executable:
        return ttmlir.compile(
            blocks.BLOCKS[block](blocks.TARGETS[target]),
            target=target,
            sharding_pass_enabled=sharding,
            resharding_enabled=resharding,
            clock_search_limit=limit,
        )

    in_dram, by_rules, by_clock = compiled(0, sharding=False), compiled(0), compiled(1_000)
    assert not any(r.decision == "Timed" for r in by_rules.remarks)
    assert any(r.decision == "Timed" and r.kind == "passed" for r in by_clock.remarks)
    inputs = blocks.random_inputs(by_rules, seed=5)
    np.testing.assert_array_equal(by_rules(*inputs), in_dram(*inputs))
    np.testing.assert_array_equal(by_clock(*inputs), in_dram(*inputs))
    assert by_clock.report().cycles <= by_rules.report().cycles


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"math_fidelity": "hifi4"},
        {"math_fidelity": "lofi", "override_compute_config": {"second": "hifi4:fp32_dest_acc_en"}},
    ],
    ids=["defaults", "all", "override"],
)
def test_remarks_say_what_runs_take(options: dict[str, Any]) -> None:
    """Chains that are all of a program: their modelled times are those of its run, with the compute
    configurations of its ops."""
    b = ttmlir.Builder()
    x, w = b.input("x", (64, 512), "bf16"), b.input("w", (512, 512), "bf16")
    names = ["first", "second"]
    b.output(*[b.exp(b.relu(b.matmul(x, w, name=name))) for name in names])
    exe = ttmlir.compile(b, optimization_level=0, sharding_pass_enabled=True, **options)
    remarks = [r for r in exe.remarks if r.decision == "Timed"]
    assert [r.name for r in remarks] == names
    exe(np.ones((64, 512), "bfloat16"), np.ones((512, 512), "bfloat16"))
    cycles = [op.cycles for op in exe.report().ops if op.phase == "run" and op.cycles]
    first, second = sum(cycles[:3]), sum(cycles[3:])
    assert len(cycles) == 6
    assert (first != second) == ("override_compute_config" in options)
    for total, remark in zip((first, second), remarks, strict=True):
        assert f" takes {total:.0f} cycles " in remark.reason
