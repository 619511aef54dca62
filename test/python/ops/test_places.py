"""Orders, scatters and slices at computed places at the sizes of real models, their gradients, and
what kernels say of what they cannot."""

from __future__ import annotations

import time

import numpy as np
import pytest
import torch

import ttmlir

BACKENDS = ("ttnn", "ttmetal")


def compiled(b: ttmlir.Builder, backend: str = "ttnn") -> ttmlir.Executable:
    return ttmlir.compile(b, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_topk_of_a_vocabulary(backend: str) -> None:
    b = ttmlir.Builder()
    b.output(*b.topk(b.input("logits", (2, 50257)), 50))
    logits = np.random.default_rng(0).standard_normal((2, 50257)).astype(np.float32)
    values, places = compiled(b, backend)(logits)
    expected = torch.topk(torch.from_numpy(logits), 50)
    np.testing.assert_array_equal(values, expected.values.numpy())
    np.testing.assert_array_equal(places, expected.indices.numpy())


def test_a_million_elements_are_sorted_fast() -> None:
    b = ttmlir.Builder()
    b.output(*b.sort([b.input("x", (1, 1 << 20))]))
    x = np.random.default_rng(1).standard_normal((1, 1 << 20)).astype(np.float32)
    exe = compiled(b)
    begin = time.perf_counter()
    values, places = exe(x)
    # A sort takes a tenth of a second; one of n^2 would take minutes.
    assert time.perf_counter() - begin < 20
    np.testing.assert_array_equal(values, np.sort(x))
    np.testing.assert_array_equal(places, np.argsort(x, kind="stable"))


@pytest.mark.parametrize("backend", BACKENDS)
def test_order_of_zeros_and_nan(backend: str) -> None:
    x = np.array([[0.0, -np.nan, -0.0, np.inf, np.nan, -np.inf, 0.0]], np.float32)
    for descending in (False, True):
        b = ttmlir.Builder()
        b.output(b.argsort(b.input("x", x.shape), descending=descending))
        order = torch.argsort(torch.from_numpy(x), stable=True, descending=descending)
        np.testing.assert_array_equal(compiled(b, backend)(x), order.numpy())


def test_rows_that_kernels_cannot_sort() -> None:
    b = ttmlir.Builder()
    b.output(b.argsort(b.input("x", (1, 1 << 18))))
    with pytest.raises(ttmlir.CompileError, match=r"at most .* elements in a row.*found 262144"):
        compiled(b, "ttmetal")


def test_bits_that_kernels_cannot_move() -> None:
    b = ttmlir.Builder()
    b.output(b.bitcast_convert(b.input("x", (4, 8)), "u16"))
    x = np.random.default_rng(2).standard_normal((4, 8)).astype(np.float32)
    np.testing.assert_array_equal(compiled(b)(x), x.view(np.uint16).reshape(4, 8, 2))
    with pytest.raises(ttmlir.CompileError, match="expected elements of one size"):
        compiled(b, "ttmetal")


def test_bits_of_two_elements_make_one() -> None:
    b = ttmlir.Builder()
    b.output(b.bitcast_convert(b.input("x", (4, 8, 2), "u16"), "f32"))
    x = np.random.default_rng(2).standard_normal((4, 8)).astype(np.float32)
    np.testing.assert_array_equal(compiled(b)(x.view(np.uint16).reshape(4, 8, 2)), x)


@pytest.mark.parametrize(
    ("backend", "rows", "width"), [("ttnn", 32000, 4096), ("ttmetal", 3000, 256)]
)
def test_gradient_of_an_embedding(backend: str, rows: int, width: int) -> None:
    count = 256
    b = ttmlir.Builder()
    table, places = b.full((rows, width), 0.0), b.input("tokens", (count,), "i32")
    b.output(b.scatter_rows(table, places, b.input("gradient", (count, width)), "add"))
    rng = np.random.default_rng(3)
    tokens = rng.integers(0, rows // 16, count).astype(np.int32)
    gradient = rng.standard_normal((count, width)).astype(np.float32)
    expected = torch.zeros(rows, width, dtype=torch.float64)
    expected.index_add_(0, torch.from_numpy(tokens), torch.from_numpy(gradient).double())
    result = compiled(b, backend)(tokens, gradient)
    np.testing.assert_allclose(result, expected.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradient_of_a_label_loss(backend: str) -> None:
    """-1 at the label of each row, as the gradient of a look-up of log probabilities."""
    rows, classes = 64, 1000
    b = ttmlir.Builder()
    labels = b.input("labels", (rows, 1), "i32")
    source = b.full((rows, 1), -1.0)
    b.output(b.scatter_dim(b.full((rows, classes), 0.0), labels, source, 1))
    given = np.random.default_rng(4).integers(0, classes, (rows, 1)).astype(np.int32)
    expected = torch.zeros(rows, classes)
    expected.scatter_(1, torch.from_numpy(given).long(), -1.0)
    np.testing.assert_array_equal(compiled(b, backend)(given), expected.numpy())


def test_a_million_updates() -> None:
    count, rows = 1 << 20, 1 << 18
    b = ttmlir.Builder()
    table, places = b.input("x", (rows, 1), "i32"), b.input("places", (count,), "i32")
    b.output(b.scatter_rows(table, places, b.input("updates", (count, 1), "i32"), "add"))
    rng = np.random.default_rng(5)
    x, updates = (rng.integers(-9, 9, (n, 1)).astype(np.int32) for n in (rows, count))
    at = rng.integers(0, rows, count).astype(np.int32)
    expected = x.copy()
    np.add.at(expected, at, updates)
    np.testing.assert_array_equal(compiled(b)(x, at, updates), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_cache_takes_a_position(backend: str) -> None:
    shape, part = (1, 4, 128, 64), (1, 4, 1, 64)
    b = ttmlir.Builder()
    cache, new = b.input("cache", shape, "bf16"), b.input("new", part, "bf16")
    b.output(b.dynamic_update_slice(cache, new, b.input("at", (4,), "i32")))
    rng = np.random.default_rng(6)
    x, y = (rng.standard_normal(s).astype("bfloat16") for s in (shape, part))
    result = compiled(b, backend)(x, y, np.array([0, 0, 77, 0], np.int32))
    expected = x.copy()
    expected[:, :, 77:78] = y
    np.testing.assert_array_equal(result.view(np.uint16), expected.view(np.uint16))


@pytest.mark.parametrize("backend", BACKENDS)
def test_gather_clamps(backend: str) -> None:
    b = ttmlir.Builder()
    x, starts = b.input("x", (6, 8)), b.input("starts", (4, 1), "i32")
    b.output(
        b.gather(
            x,
            starts,
            offset_dims=(1, 2),
            start_index_map=(0,),
            index_vector_dim=1,
            slice_sizes=(3, 8),
            clamp=True,
        )
    )
    data = np.arange(48, dtype=np.float32).reshape(6, 8)
    result = compiled(b, backend)(data, np.array([[-5], [1], [3], [100]], np.int32))
    np.testing.assert_array_equal(result, [data[s : s + 3] for s in (0, 1, 3, 3)])
