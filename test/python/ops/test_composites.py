"""What the cases of composite ops do not draw: integers."""

from __future__ import annotations

import numpy as np

import ttmlir


def test_dot_general_of_integers() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(-40, 40, (3, 4, 17)).astype(np.int32)
    b = rng.integers(-40, 40, (17, 5, 3)).astype(np.int32)
    builder = ttmlir.Builder()
    x, y = builder.input("a", a.shape, "i32"), builder.input("b", b.shape, "i32")
    builder.output(builder.dot_general(x, y, (0,), (2,), (2,), (0,)))
    found = ttmlir.compile(builder)(a, b)
    np.testing.assert_array_equal(found.astype(np.int64), np.einsum("bmk,knb->bmn", a, b))
