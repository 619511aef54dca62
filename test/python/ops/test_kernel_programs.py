"""Kernels as they are compiled: random loops, branches and arithmetic against Python."""

from __future__ import annotations

import pytest
from kernel_fuzz import prints, text_of, write


@pytest.mark.parametrize("seed", range(40))
def test_prints_what_python_computes(seed: int) -> None:
    kernel, expected = write(seed)
    assert prints(kernel) == text_of(expected)


def test_prints_show_what_is_computed_wrongly() -> None:
    different = 0
    for seed in range(10):
        kernel, expected = write(seed)
        wrong = [line.replace("arith.constant 7 ", "arith.constant 9 ") for line in kernel]
        different += prints(wrong) != text_of(expected)
    assert different > 2
