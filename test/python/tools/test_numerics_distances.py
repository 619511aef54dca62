"""The page about the distance of `fast` from `exact` numerics has that of the ops there are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks" / "accuracy"
sys.path.insert(0, str(FOLDER))

from numerics_distances import (  # noqa: E402
    CHIPS,
    FIDELITIES,
    OPS,
    PAGE,
    is_equal,
    op_row,
    product_row,
)


def lines() -> list[list[list[str]]]:
    """The cells of the three tables."""
    parts = (
        PAGE.read_text(encoding="utf-8")
        .replace("\n## Products", "\nOn Blackhole")
        .split("\nOn Blackhole")
    )
    assert len(parts) == 3
    return [
        [[cell.strip() for cell in line.strip("|").split(" | ")] for line in part.splitlines()]
        for part in parts
    ]


def number(cell: str) -> float:
    return float(cell.strip("<% "))


def check(found: tuple[str, ...], expected: list[str]) -> None:
    """The last bits of sums in f32 depend on the CPU, and so do a few results in 1,000."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        if one != other:
            margin = 2 if one.endswith("%") else 0.05 * number(other)
            assert number(one) == pytest.approx(number(other), abs=margin)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", OPS)
def test_ops(chip: str, name: str) -> None:
    row = op_row(chip, name)
    wormhole, blackhole, _ = lines()
    tables = wormhole if chip == "Wormhole" else [*blackhole, *wormhole]
    expected = next((cells for cells in tables if cells[0] == f"`{name}`"), None)
    if expected is None:
        assert is_equal(row)
        text = PAGE.read_text(encoding="utf-8").partition("These ops have the same bits: ")[2]
        assert f"`{name}`" in text.partition(".")[0]
    else:
        check(row, expected)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_products(fidelity: str, wide: bool) -> None:
    row = product_row("Wormhole", fidelity, wide)
    check(row, next(cells for cells in lines()[2] if cells[:2] == list(row[:2])))
