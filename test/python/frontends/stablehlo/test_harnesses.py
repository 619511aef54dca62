"""A sample of JAX's own harnesses; ``harnesses.py`` runs all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("absl")

from harnesses import harnesses, run

#: What differs, and why.
KNOWN = {
    # XLA on the CPU orders by bits: -NaN is the least number. Here all NaN are the greatest.
    "top_k_sort_inf_nan_inshape_float32_5_k_5",
}


def _sample() -> list[Any]:
    """The last one of each primitive in f32, or in what it has instead."""
    found: dict[str, Any] = {}
    for harness in harnesses():
        dtype = np.dtype(harness.dtype)
        if dtype == np.float32 or harness.group_name not in found:
            found[harness.group_name] = harness
    return [h for h in found.values() if h.fullname not in KNOWN]


@pytest.mark.parametrize("harness", _sample(), ids=lambda h: h.group_name)
def test_primitive(harness: Any) -> None:
    outcome = run(harness)
    if outcome.outcome == "unsupported" and "complex" in outcome.reason:
        pytest.skip("complex numbers")
    if outcome.outcome == "unsupported" and outcome.group == "eig":
        pytest.skip("JAX has it on the CPU only")
    assert outcome.outcome in ("passed", "skipped"), outcome.reason
