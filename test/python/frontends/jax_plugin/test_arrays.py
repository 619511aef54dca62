"""Arrays on emulated chips: what goes there comes back."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

DTYPES = (
    *("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32"),
    *("float16", "float32", "bfloat16"),
)
SHAPES = ((), (1,), (7,), (2, 3), (5, 0, 2), (33, 65), (2, 3, 4, 5), (1, 2, 1, 3, 2, 2))


def values(shape: tuple[int, ...], name: str) -> Any:
    dtype = np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)
    rng = np.random.default_rng(0)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return rng.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_round_trip(chip: Any, shape: tuple[int, ...], dtype: str) -> None:
    expected = values(shape, dtype)
    array = jax.device_put(expected, chip)
    assert array.devices() == {chip}
    assert array.shape == shape
    assert array.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(array), expected)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "float32", "bfloat16"])
def test_through_a_program(chip: Any, dtype: str) -> None:
    """In DRAM, and back."""
    expected = values((40, 70), dtype)
    array = jax.device_put(expected, chip)
    moved = jax.jit(lambda x: x.T)(array)
    np.testing.assert_array_equal(np.asarray(moved), expected.T)
    np.testing.assert_array_equal(np.asarray(array), expected)


def test_strides(chip: Any) -> None:
    base = np.arange(2 * 3 * 8, dtype=np.float32).reshape(2, 3, 8)
    for view in (base.T, base[:, ::2], base[..., ::-1], np.broadcast_to(base[:1], (4, 3, 8))):
        np.testing.assert_array_equal(np.asarray(jax.device_put(view, chip)), view)


def test_owner_changes_the_array(chip: Any) -> None:
    """The chip has what was there when it was put."""
    own = np.ones((64, 64), np.float32)
    array = jax.device_put(own, chip)
    own[:] = 2
    assert np.asarray(array).max() == 1
    assert np.asarray(jax.jit(lambda x: x + 0)(array)).max() == 1


def test_to_cpu_and_back(chip: Any) -> None:
    x = jnp.arange(12.0).reshape(3, 4)
    there = jax.device_put(x, chip)
    back = jax.device_put(there, jax.devices("cpu")[0])
    assert back.devices() == {jax.devices("cpu")[0]}
    np.testing.assert_array_equal(back, x)


def test_delete(chip: Any) -> None:
    array = jax.device_put(np.ones(4, np.float32), chip)
    double = jax.jit(lambda x: x * 2)
    result = double(array)
    array.delete()
    assert array.is_deleted()
    np.testing.assert_array_equal(result, np.full(4, 2, np.float32))
    with pytest.raises((RuntimeError, ValueError), match="deleted"):
        double(array)
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(array)


def test_memory_statistics(chip: Any) -> None:
    gc.collect()
    before = chip.memory_stats()
    assert before["bytes_limit"] == 12 * 2**30
    arrays = [jax.device_put(np.ones((256, 256), np.float32), chip) for _ in range(3)]
    during = chip.memory_stats()
    assert during["bytes_in_use"] - before["bytes_in_use"] == 3 * 4 * 256 * 256
    assert during["num_allocs"] - before["num_allocs"] == 3
    assert during["peak_bytes_in_use"] >= during["bytes_in_use"]
    del arrays
    assert chip.memory_stats()["bytes_in_use"] == before["bytes_in_use"]


@pytest.mark.parametrize(
    "dtype", [jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float4_e2m1fn, jnp.int4, jnp.uint4]
)
def test_small_types(chip: Any, dtype: Any) -> None:
    expected = np.arange(-4 if dtype != jnp.uint4 else 0, 4).astype(dtype)
    array = jax.device_put(expected, chip)
    assert array.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(array), expected)
    turned, wide = jax.jit(lambda x: (x[::-1], x.astype(jnp.float32) * 2))(array)
    assert turned.devices() == {chip}
    np.testing.assert_array_equal(np.asarray(turned), expected[::-1])
    np.testing.assert_array_equal(np.asarray(wide), expected.astype(np.float32) * 2)


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0, 2)])
def test_complex_arrays(chip: Any, shape: tuple[int, ...]) -> None:
    z = (values(shape, "float32") * (2 - 1j) + 1j).astype(np.complex64)
    array = jax.device_put(z, chip)
    assert array.dtype == np.complex64
    np.testing.assert_array_equal(np.asarray(array), z)
    doubled = jnp.real(array) + jnp.conj(array) * 2
    assert doubled.devices() == {chip}
    np.testing.assert_allclose(np.asarray(doubled), z.real + z.conj() * 2, rtol=1e-6)


def test_64_bits(python: Callable[..., str]) -> None:
    """They arrive as they are; the chip computes in 32 bits."""
    program = """
        import jax, jax.numpy as jnp, numpy as np
        jax.config.update("jax_enable_x64", True)
        chip = jax.devices("tt")[0]
        for x in (np.arange(6).reshape(2, 3), np.linspace(0, 1, 5), np.array([True, False]),
                  np.array([2**60, -5]), np.uint64(7)):
            y = jax.device_put(x, chip)
            assert y.dtype == x.dtype
            np.testing.assert_array_equal(np.asarray(y), x)
        x = jax.device_put(np.arange(6).reshape(2, 3), chip)
        y = jax.jit(lambda x: x * 2 + 1)(x)
        assert y.dtype == np.int64
        np.testing.assert_array_equal(np.asarray(y), np.arange(6).reshape(2, 3) * 2 + 1)
        z = jax.jit(lambda x: jnp.sin(x))(jax.device_put(np.linspace(0, 1, 5), chip))
        assert z.dtype == np.float64
        np.testing.assert_allclose(np.asarray(z), np.sin(np.linspace(0, 1, 5)), rtol=1e-5)
        b = jax.jit(lambda x: x > 2)(x)
        assert b.dtype == bool
        np.testing.assert_array_equal(np.asarray(b), np.arange(6).reshape(2, 3) > 2)
        try:
            jax.jit(lambda x: x + 1)(jax.device_put(np.array([2**60]), chip)).block_until_ready()
        except (ValueError, jax.errors.JaxRuntimeError) as error:
            print(error)
    """
    assert "expected -2147483648 to 2147483647" in python(program)
