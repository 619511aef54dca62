"""Inputs that callers give up: an output has their memory, in both backends."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
HOST = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "si32": np.int32}
Array = np.ndarray[Any, Any]


def random(dtype: str, *shape: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    if dtype == "si32":
        return rng.integers(-1000, 1000, shape, np.int32)
    return rng.standard_normal(shape, np.float32).astype(HOST[dtype])


def in_place(exe: ttmlir.Executable) -> int:
    return sum(remark.decision == "InPlace" for remark in exe.remarks)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", HOST)
@pytest.mark.parametrize("shape", [(1, 2, 64, 32), (3, 5, 100, 48), (2, 1, 33, 7)])
def test_cache(backend: Any, dtype: str, shape: tuple[int, ...]) -> None:
    """Rows at computed places, one call after the other, in the memory of the first."""
    users, heads, places, width = shape
    b = ttmlir.Builder()
    cache = b.input("cache", shape, dtype, donated=True)
    rows = b.input("rows", (1, heads, users, width), dtype)
    at = b.input("at", (users,), "si32")
    new = b.update_cache(cache, rows, at, batch_offset=0)
    b.output(b.sum(b.typecast(new, "f32"), [2]), new)
    exe = ttmlir.compile(b, backend=backend)
    # The library writes the rows of all users in one op.
    assert in_place(exe) == (1 if backend == "ttnn" else users)
    expected = random(dtype, *shape)
    state: Any = expected.copy()
    address = None
    for turn in range(3):
        update = random(dtype, 1, heads, users, width, seed=turn + 1)
        index = np.random.default_rng(turn).integers(0, places, users, np.int32)
        total, state = exe(state, update, index, keep_on_device=True)
        for user in range(users):
            expected[user, :, index[user]] = update[0, :, user]
        assert address in (None, state.address)
        address = state.address
        np.testing.assert_allclose(
            ttmlir.runtime.to_numpy(total),
            expected.astype(np.float32).sum(2),
            rtol=1e-3,
            atol=1e-3,
        )
    np.testing.assert_array_equal(ttmlir.runtime.to_numpy(state), expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("count", [1, 31, 32, 40, 64])
def test_fill(backend: Any, count: int) -> None:
    b = ttmlir.Builder()
    cache = b.input("cache", (3, 2, 70, 64), "bf16", donated=True)
    b.output(b.fill_cache(cache, b.input("x", (1, 2, count, 64), "bf16"), batch_offset=1))
    exe = ttmlir.compile(b, backend=backend)
    assert in_place(exe) == 1
    expected, x = random("bf16", 3, 2, 70, 64), random("bf16", 1, 2, count, 64, seed=1)
    found = exe(expected, x)
    expected = expected.copy()
    expected[1, :, :count] = x[0]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(7, 2, 32, 16), (9, 3, 40, 33)])
def test_paged(backend: Any, shape: tuple[int, ...]) -> None:
    """Blocks of three users, one of whom has none: filled, then a place of each user changed."""
    _, heads, size, width = shape
    table = np.array([[3, 0, 6], [5, 1, -1], [-1, -1, -1]], np.int32)
    b = ttmlir.Builder()
    cache = b.input("cache", shape, "bf16", donated=True)
    names = b.input("table", (3, 3), "si32")
    prompt, user = (
        b.input("prompt", (1, heads, 2 * size + 5, width), "bf16"),
        b.input("user", (1,), "si32"),
    )
    filled = b.paged_fill_cache(cache, prompt, names, batch_idx_tensor=user)
    rows, at = b.input("rows", (1, 3, heads, width), "bf16"), b.input("at", (3,), "si32")
    b.output(b.paged_update_cache(filled, rows, at, names))
    exe = ttmlir.compile(b, backend=backend)
    # Whole blocks, the rest of the prompt, and the rows of all users; kernels write each alone.
    assert in_place(exe) == (3 if backend == "ttnn" else 3 + 3)
    found = random("bf16", *shape)
    given = random("bf16", 1, heads, 2 * size + 5, width, seed=1)
    new, places = random("bf16", 1, 3, heads, width, seed=2), [2 * size, size + 3, 0]
    expected = found.copy()
    for place in range(2 * size + 5):
        expected[table[0, place // size], :, place % size] = given[0, :, place]
    for i, place in enumerate(places[:2]):
        expected[table[i, place // size], :, place % size] = new[0, i]
    state: Any = exe(
        found,
        table,
        given,
        np.zeros(1, np.int32),
        new,
        np.array(places, np.int32),
        keep_on_device=True,
    )
    np.testing.assert_array_equal(ttmlir.runtime.to_numpy(state), expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", HOST)
@pytest.mark.parametrize(
    ("shape", "part"),
    [((2, 70, 100), (1, 70, 1)), ((75, 130), (40, 65)), ((64, 96), (32, 32)), ((90,), (41,))],
)
def test_parts_of_rows(
    backend: Any, dtype: str, shape: tuple[int, ...], part: tuple[int, ...]
) -> None:
    """A transposed cache, in which a place is a column; others at any place."""
    b = ttmlir.Builder()
    x = b.input("x", shape, dtype, donated=True)
    y, at = b.input("y", part, dtype), b.input("at", (len(shape),), "si32")
    b.output(b.dynamic_update_slice(x, y, at))
    exe = ttmlir.compile(b, backend=backend)
    assert in_place(exe) == 1
    rng = np.random.default_rng(0)
    state: Any = random(dtype, *shape)
    expected = state.copy()
    for turn in range(6):
        update = random(dtype, *part, seed=turn + 1)
        starts = [
            int(rng.integers(-2, extent - size + 3))
            for extent, size in zip(shape, part, strict=True)
        ]
        if turn == 0:
            starts = [0] * len(shape)
        clamped = [min(max(s, 0), e - n) for s, e, n in zip(starts, shape, part, strict=True)]
        expected[tuple(slice(s, s + n) for s, n in zip(clamped, part, strict=True))] = update
        state = exe(state, update, np.array(starts, np.int32), keep_on_device=True)
        np.testing.assert_array_equal(ttmlir.runtime.to_numpy(state), expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("starts", [(0, 0, 0), (1, 45, 0), (-3, 100, 7), (0, 31, 0), (9, -1, -1)])
@pytest.mark.parametrize("behind", [True, False])
def test_dynamic_update_slice(backend: Any, starts: tuple[int, ...], behind: bool) -> None:
    """Places outside are moved inside; in place, and with a copy where the input is read behind."""
    b = ttmlir.Builder()
    x = b.input("x", (3, 80, 40))
    new = b.dynamic_update_slice(x, b.input("y", (2, 35, 40)), b.input("at", (3,), "si32"))
    b.output(new, *([new - x] if behind else []))
    exe = ttmlir.compile(b, backend=backend)
    assert in_place(exe) == (not behind)
    a, y = random("f32", 3, 80, 40), random("f32", 2, 35, 40, seed=1)
    i, j = np.clip(starts[0], 0, 1), np.clip(starts[1], 0, 45)
    expected = a.copy()
    expected[i : i + 2, j : j + 35] = y
    found = exe(a, y, np.array(starts, np.int32))
    if behind:
        np.testing.assert_allclose(found[1], expected - a, atol=1e-6)
        found = found[0]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_optimizer(backend: Any) -> None:
    """A step of gradient descent with momentum writes over both states."""
    b = ttmlir.Builder()
    w = b.input("w", (100, 70), donated=True)
    v = b.input("v", (100, 70), donated=True)
    g = b.input("g", (100, 70))
    speed = v * 0.5 + g
    b.output(w - speed * 0.125, speed)
    exe = ttmlir.compile(b, backend=backend)
    weights, velocity = random("f32", 100, 70), np.zeros((100, 70), np.float32)
    states: Any = (weights, velocity)
    addresses = set()
    for turn in range(3):
        gradient = random("f32", 100, 70, seed=turn + 1)
        velocity = velocity * 0.5 + gradient
        weights = weights - velocity * 0.125
        states = exe(*states, gradient, keep_on_device=True)
        addresses.add(tuple(state.address for state in states))
    assert len(addresses) == 1 or backend == "ttnn"
    for state, expected in zip(states, (weights, velocity), strict=True):
        np.testing.assert_allclose(ttmlir.runtime.to_numpy(state), expected, atol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("donated", [True, False])
@pytest.mark.parametrize("known", [True, False])
def test_loop(backend: Any, donated: bool, known: bool) -> None:
    """A loop changes in place what it carries, and a copy of what is read behind it."""
    b = ttmlir.Builder()
    cache = b.input("cache", (1, 2, 64, 32), donated=donated)
    row, n = b.input("row", (1, 2, 1, 32)), b.input("n", (1,), "si32")
    (new,) = b.for_loop(
        5 if known else n,
        lambda i, c: b.update_cache(
            c, row + b.typecast(i, "f32"), b.typecast(i, "si32"), batch_offset=0
        ),
        [cache],
    )
    b.output(new, *([] if donated else [new + cache]))
    exe = ttmlir.compile(b, backend=backend)
    a, r = random("f32", 1, 2, 64, 32), random("f32", 1, 2, 1, 32, seed=1)
    for turns in (5,) if known else (0, 1, 5):
        expected = a.copy()
        for i in range(turns):
            expected[:, :, i] = r[:, :, 0] + i
        found = exe(a, r, np.array([turns], np.int32))
        if not donated:
            np.testing.assert_allclose(found[1], expected + a, atol=1e-6)
            found = found[0]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_read_behind(backend: Any) -> None:
    """The old value is read behind the update: the result is a copy, in the memory all the same."""
    b = ttmlir.Builder()
    x = b.input("x", (64, 64), donated=True)
    new = b.dynamic_update_slice(x, b.input("y", (1, 64)), b.input("at", (2,), "si32"))
    b.output(new, new - x)
    exe = ttmlir.compile(b, backend=backend)
    assert in_place(exe) == 0
    a, y = random("f32", 64, 64), random("f32", 1, 64, seed=1)
    new_value, change = exe(a, y, np.array([3, 0], np.int32))
    expected = a.copy()
    expected[3] = y
    np.testing.assert_array_equal(new_value, expected)
    np.testing.assert_allclose(change, expected - a, atol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_block_floats(backend: Any) -> None:
    """A cache of block floats: what is not written keeps its bits."""
    b = ttmlir.Builder()
    cache = b.input("cache", (1, 2, 64, 32), "bfp8_b", donated=True)
    x, at = b.input("x", (1, 2, 1, 32), "bf16"), b.input("at", (1,), "si32")
    b.output(b.update_cache(cache, x, at, batch_offset=0))
    exe = ttmlir.compile(b, backend=backend)
    assert in_place(exe) == 1
    zeros, start = np.zeros((1, 2, 1, 32), HOST["bf16"]), np.zeros(1, np.int32)
    before = exe(random("f32", 1, 2, 64, 32), zeros, start)
    row = np.full((1, 2, 1, 32), 0.75, HOST["bf16"])
    after = exe(before.astype(np.float32), row, np.array([40], np.int32))
    expected = before.copy()
    expected[:, :, 40] = 0.75
    np.testing.assert_array_equal(after, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_wrong_use(backend: Any) -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (32, 32), donated=True), b.input("y", (32, 32))
    b.output(x + y)
    exe = ttmlir.compile(b, backend=backend)
    a = np.ones((32, 32), np.float32)
    first = exe(a, a, keep_on_device=True)
    second = exe(first, a, keep_on_device=True)
    with pytest.raises(ttmlir.InputError, match=r"input 0: the tensor was given up to program"):
        exe(first, a)
    with pytest.raises(ttmlir.runtime.RuntimeError, match=r"given up"):
        ttmlir.runtime.to_numpy(first)
    with pytest.raises(ttmlir.Error, match=r"input 0: expected a tensor to donate"):
        exe(second, second)
    with pytest.raises(ttmlir.InputError, match=r"'x' is donated: each call takes the tensor"):
        exe.bind(x=a)
    # Nothing was lost by the errors.
    np.testing.assert_array_equal(ttmlir.runtime.to_numpy(second), a * 3)
    exe.bind(y=a)
    np.testing.assert_array_equal(exe(second), a * 4)


def test_wrong_program() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 32), donated=True)
    with pytest.raises(ValueError, match=r"memory of the donated input 'x' .*32x32"):
        b.output(b.reshape(x, (1024,)))
    with pytest.raises(ValueError, match=r"input 'z': a donated input must have the argument type"):
        b.input("z", (32, 32), donated=True, argument_type="parameter")


@pytest.mark.parametrize("backend", BACKENDS)
def test_loop_that_exchanges(backend: Any) -> None:
    """What a turn writes to was the other tensor in the turn before, which is read behind."""
    b = ttmlir.Builder()
    x, y, row = b.input("x", (64, 32)), b.input("y", (64, 32)), b.input("row", (1, 32))
    at = b.input("at", (2,), "si32")
    first, second = x + x, y + y
    p, q = b.for_loop(2, lambda i, p, q: (q, b.dynamic_update_slice(p, row, at)), [first, second])
    b.output(p, q, first, second)
    arrays = random("f32", 64, 32), random("f32", 64, 32, seed=1), random("f32", 1, 32, seed=2)
    found = ttmlir.compile(b, backend=backend)(*arrays, np.array([3, 0], np.int32))
    kept = [2 * array for array in arrays[:2]]
    changed = [array.copy() for array in kept]
    for array in changed:
        array[3] = arrays[2]
    for result, expected in zip(found, (*changed, *kept), strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_behind_a_loop(backend: Any) -> None:
    """A loop's result is changed in place; a loop that nobody reads goes away."""
    b = ttmlir.Builder()
    x, row = b.input("x", (64, 32), donated=True), b.input("row", (1, 32))
    at = b.input("at", (2,), "si32")
    b.for_loop(2, lambda i, p: b.neg(p), [x])
    (y,) = b.for_loop(2, lambda i, p: b.dynamic_update_slice(p + p, row, at), [x])
    b.output(b.dynamic_update_slice(y, row * 2.0, at))
    a, r = random("f32", 64, 32), random("f32", 1, 32, seed=1)
    expected = 4 * a
    expected[3] = 2 * r
    found = ttmlir.compile(b, backend=backend)(a, r, np.array([3, 0], np.int32))
    np.testing.assert_array_equal(found, expected)


def test_results_on_device_that_loops_are_given() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (33, 32))
    y = x + x
    b.output(y, *b.for_loop(2, lambda i, p: b.neg(p), [y]))
    a = random("f32", 33, 32)
    for backend in BACKENDS:
        for found in ttmlir.compile(b, backend=backend, results_on_device=True)(a):
            np.testing.assert_array_equal(found, 2 * a)
