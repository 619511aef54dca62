"""Samples of JAX's own harnesses; ``harnesses.py`` runs all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("absl")

from harnesses import harnesses, run
from ways import IMPORTER, PLUGIN, Way, through


def _parameters() -> list[Any]:
    """By the importer the last one of each primitive in f32, or in what it has instead; by the
    plugin every 50th."""
    everyone = harnesses()
    found: dict[str, Any] = {}
    for harness in everyone:
        if np.dtype(harness.dtype) == np.float32 or harness.group_name not in found:
            found[harness.group_name] = harness
    return [
        *through(IMPORTER, (pytest.param(h, id=h.group_name) for h in found.values())),
        *through(PLUGIN, (pytest.param(h, id=h.fullname) for h in everyone), 50),
    ]


@pytest.mark.sampled(30)
@pytest.mark.parametrize(("way", "harness"), _parameters())
def test_primitive(way: Way, harness: Any) -> None:
    outcome = run(harness, way)
    if outcome.outcome == "unsupported" and outcome.group == "eig":
        pytest.skip("JAX has it on the CPU only")
    assert outcome.outcome in ("passed", "skipped"), outcome.reason
