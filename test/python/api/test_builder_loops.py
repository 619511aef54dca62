"""Loops and conditions of the builder, on both backends and on meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


@pytest.mark.parametrize("backend", BACKENDS)
def test_for_loop(backend: Any) -> None:
    b = ttmlir.Builder()
    x, w = b.input("x", (33, 48)), b.input("w", (48, 48))
    (y,) = b.for_loop(3, lambda i, y: b.add(y @ w, b.typecast(i, "f32")), [x])
    b.output(y)
    a, weight = random(33, 48), random(48, 48, seed=1) / 7
    expected = a
    for i in range(3):
        expected = expected @ weight + i
    found = ttmlir.compile(b, backend=backend)(a, weight)
    np.testing.assert_allclose(found, expected, atol=2e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts_of_the_run(backend: Any) -> None:
    b = ttmlir.Builder()
    n, x = b.input("n", (1,), "si32"), b.input("x", (32, 40))
    b.output(*b.for_loop(n, lambda i, y, z: (y + x, z * 2.0), [x, x]))
    exe = ttmlir.compile(b, backend=backend)
    a = random(32, 40)
    for count in (0, 1, 4, -2):
        y, z = exe(np.array([count], np.int32), a)
        turns = max(count, 0)
        np.testing.assert_allclose(y, a * (turns + 1), rtol=1e-5)
        np.testing.assert_array_equal(z, a * 2**turns)


@pytest.mark.parametrize("backend", BACKENDS)
def test_while_loop(backend: Any) -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 40))
    low = b.constant(1.0, shape=(1, 1))
    (y,) = b.while_loop(
        lambda y: b.lt(b.max(b.max(y, [1], keep_dim=True), [0], keep_dim=True), low * 100.0),
        lambda y: y * 2.0,
        [x],
    )
    b.output(y)
    a = np.abs(random(32, 40)) + 0.5
    expected = a
    while expected.max() < 100:
        expected = expected * 2
    np.testing.assert_array_equal(ttmlir.compile(b, backend=backend)(a), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cond(backend: Any) -> None:
    b = ttmlir.Builder()
    p, x = b.input("p", (1,)), b.input("x", (32, 40))
    b.output(*b.cond(p, lambda: (b.neg(x), x + x), lambda: (x, b.abs(x))))
    exe = ttmlir.compile(b, backend=backend)
    a = random(32, 40)
    for number, expected in {0.0: (a, np.abs(a)), 0.25: (-a, a + a)}.items():
        for found, right in zip(exe(np.array([number], np.float32), a), expected, strict=True):
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("backend", BACKENDS)
def test_on_a_mesh(backend: Any) -> None:
    """Every chip its own shard, with a collective in the loop: the bits of the unrolled program."""

    def program(loops: bool) -> ttmlir.Executable:
        b = ttmlir.Builder(mesh_shape=(1, 2))
        n, x = b.input("n", (1,), "si32"), b.input("x", (64, 128))
        shard = b.mesh_shard(x, (None, 1))

        def body(_: Any, y: ttmlir.Tensor) -> ttmlir.Tensor:
            return b.all_reduce(b.relu(y), 1) * 0.25 + shard

        if loops:
            (y,) = b.for_loop(n, body, [shard])
        else:
            y = shard
            for _ in range(3):
                y = body(None, y)
        b.output(b.mesh_gather(y, (None, 1)))
        return ttmlir.compile(b, backend=backend, target="n300")

    a, n = random(64, 128), np.array([3], np.int32)
    np.testing.assert_array_equal(program(True)(n, a), program(False)(n, a))


def test_errors() -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (32, 40)), b.input("y", (8, 8))
    with pytest.raises(ValueError, match=r"for_loop: expected a function that returns .*32x40"):
        b.for_loop(2, lambda i, x: y, [x])
    with pytest.raises(ValueError, match=r"while_loop: expected a tensor of one element, .*32, 40"):
        b.while_loop(lambda x: x, lambda x: x, [x])
    with pytest.raises(ValueError, match=r"cond: expected a function that returns .*8x8"):
        b.cond(b.constant(1.0, shape=(1,)), lambda: y, lambda: x)
    with pytest.raises(ValueError, match=r"input 'z': expected outside of loops"):
        b.for_loop(2, lambda i, x: x + b.input("z", (32, 40)), [x])
    with pytest.raises(ValueError, match="for_loop: expected at least one tensor"):
        b.for_loop(2, lambda i: x, [])
    # What failed has left nothing behind.
    b.output(x + x)
    assert "scf" not in str(b)


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_stay_on_the_device(backend: Any) -> None:
    """What a loop and a condition return goes on into the next call without the host."""
    b = ttmlir.Builder()
    x = b.input("x", (40, 70))
    y, z = b.for_loop(3, lambda i, y, z: (b.add(y, z), b.relu(z)), [x, b.exp(x)])
    positive = b.reshape(b.gt(b.sum(x), b.constant([0.0], dtype="f32")), (1,))
    (w,) = b.cond(positive, lambda: (b.relu(x),), lambda: (b.neg(x),))
    b.output(y, z, w)
    exe = ttmlir.compile(b, backend=backend, inputs_on_device=True, results_on_device=True)
    a = random(40, 70)
    results: Any = exe(a, keep_on_device=True)
    assert all(result.is_on_device for result in results)
    total = a + np.exp(a) * 3
    expected = total, np.exp(a), np.maximum(a, 0) if a.sum() > 0 else -a
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(ttmlir.runtime.to_numpy(result), wanted, rtol=1e-5, atol=1e-5)
    report = exe.report(inputs=[results[0]])
    # The host reads the condition.
    assert sum(op.host_bytes for op in report.ops) <= 4096
