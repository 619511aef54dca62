"""The page about the errors of functions has those of the functions there are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks" / "accuracy"
sys.path.insert(0, str(FOLDER))

from function_errors import CHIPS, FUNCTIONS, PAGE, row  # noqa: E402

ROWS = [
    (chip, name, approximate)
    for chip in CHIPS
    for name, function in FUNCTIONS.items()
    for approximate in (False, True)[: 1 + function.approximate]
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("chip", "name", "approximate"), ROWS)
def test_lines(chip: str, name: str, approximate: bool) -> None:
    _, wormhole, blackhole = PAGE.read_text(encoding="utf-8").split("\n## ")
    line = " | ".join(row(chip, name, approximate))
    assert line in (wormhole if chip == "Wormhole" else blackhole)
