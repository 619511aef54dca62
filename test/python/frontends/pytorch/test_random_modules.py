"""Random modules: the same computation by several ways, which all give what PyTorch gives."""

from __future__ import annotations

import pytest
import random_modules


@pytest.mark.sampled(24)
@pytest.mark.parametrize("seed", range(100))
def test_ways_agree(seed: int) -> None:
    end = random_modules.check(seed)
    if end.startswith("not exported"):
        pytest.skip(end)


def test_faults_are_found() -> None:
    """A way that loses a change in place is told from the others."""
    drawn = random_modules.Drawn(
        0,
        ["x0 = a0.clone()", "x0[1:].add_(2)"],
        ["x0.clone()"],
        [random_modules.torch.arange(4.0)],
        [],
    )
    (expected,) = drawn.module()(*drawn.inputs())
    assert random_modules.difference(expected, expected, expected) == ""
    found = random_modules.difference(*drawn.inputs(), expected, expected)
    assert found == "has 1.0 at [1], expected 3.0"
