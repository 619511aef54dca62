"""The gradient of an embedding as kernels: one-hot rows times gradients, in blocks of the table."""

from __future__ import annotations

import numpy as np

import ttmlir


def test_a_real_vocabulary_is_taken_in_blocks() -> None:
    # All one-hot rows would be 67 million numbers, more than a block has.
    rows, width, tokens = 32000, 32, (3, 700)
    b = ttmlir.Builder()
    indices = b.input("indices", tokens, "i32")
    table = b.input("table", (rows, width))
    b.output(b.embedding_backward(indices, table, b.input("gradient", (*tokens, width))))
    exe = ttmlir.compile(b, backend="ttmetal", target="n150")

    rng = np.random.default_rng(7)
    found = rng.integers(0, rows, tokens).astype(exe.inputs[0].dtype)
    found[0, :4], found[1, :3] = rows - 1, 31935  # of both blocks, more than once
    gradient = rng.integers(-8, 9, (*tokens, width)).astype(np.float32)
    expected = np.zeros((rows, width), np.float32)
    np.add.at(expected, found, gradient)
    actual = exe(found, np.zeros((rows, width), np.float32), gradient)
    np.testing.assert_array_equal(actual, expected)
