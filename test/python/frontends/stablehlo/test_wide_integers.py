"""With x64 enabled: random numbers, and ops on integers whose upper words matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P
from oracle import assert_close
from ways import Way, both

import ttmlir

ROWS = np.random.default_rng(0).integers(0, 2**32, (2, 9, 2), np.uint32)
# Equal upper words, and numbers at the limits.
ROWS[1, :3, 1] = ROWS[0, :3, 1]
ROWS[:, 3] = [[0, 0], [0xFFFFFFFF, 0xFFFFFFFF]]
ROWS[:, 4] = [[0xFFFFFFFF, 0x7FFFFFFF], [0, 0x80000000]]
ROWS[:, 5] = [[0xFFFFFFFF, 0], [1, 0]]


@pytest.fixture(autouse=True)
def _x64() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def shifted(function: Callable[..., Any], counts: tuple[int, ...]) -> Callable[..., Any]:
    return lambda x, y: [function(x, x.dtype.type(n)) for n in counts]


#: Of two arrays of 64 bits with or without a sign.
OPS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "not": lambda x, y: ~x,
    "constants": lambda x, y: (x + 2**40 + 3, x * (2**33 + 5), x & 0xFF00000000FF, x | 2**62),
    "shift_left": shifted(lax.shift_left, (0, 1, 31, 32, 33, 63, 64)),
    "shift_right": shifted(lax.shift_right_logical, (0, 1, 31, 32, 33, 63, 64)),
    "shift_right_of_signs": shifted(lax.shift_right_arithmetic, (0, 1, 31, 32, 33, 63, 64)),
    "compare": lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y, x == x, x >= x),
    "extremes": lambda x, y: (jnp.maximum(x, y), jnp.minimum(x, y), jnp.clip(x, 5, 2**50)),
    "select": lambda x, y: (jnp.where(x < y, x, y), jnp.where(x < y, x, 7)),
    "integers": lambda x, y: [x.astype(t) for t in ("int64", "uint64", "int32", "uint32", "int8")],
    "floats": lambda x, y: [x.astype(t) for t in ("float64", "float32", "bfloat16", "bool")],
    "move": lambda x, y: (
        x.reshape(3, 3).T,
        x[2:7:2],
        x[::-1],
        jnp.concatenate([x, y[:2], jnp.arange(3, dtype=x.dtype)]),
        jnp.broadcast_to(x[:, None], (9, 4)),
        x[jnp.array([3, 1])],
        lax.dynamic_slice(x, (jnp.int32(2),), (4,)),
    ),
    "sums": lambda x, y: (x.sum(), jnp.cumsum(x), x.prod(), jnp.cumprod(x)),
    "extrema": lambda x, y: (x.max(), x.min(), x.argmax(), x.argmin()),
    "running_extrema": lambda x, y: (lax.cummax(x), lax.cummin(x, reverse=True)),
    "orders": lambda x, y: (jnp.sort(x), jnp.argsort(x), lax.top_k(x, 3)),
    "products": lambda x, y: (x.reshape(3, 3) @ y.reshape(3, 3), jnp.dot(x, y)),
    "scatter": lambda x, y: (x.at[jnp.array([1, 1, 5])].add(y[:3]), x.at[2:4].set(y[2:4])),
    "scatter_of_products": lambda x, y: (
        x.at[jnp.array([1, 1, 5])].multiply(y[:3]),
        x.at[jnp.array([1, 1, 5, 20])].max(y[:4]),
        x.at[jnp.array([0, 2, 2])].min(y[3:6]),
    ),
    "division": lambda x, y: (x // y, x % y, x // 7, x % 1000003, lax.rem(x, y), lax.div(x, y)),
    "counts": lambda x, y: (lax.population_count(x), lax.clz(x)),
    "words": lambda x, y: lax.bitcast_convert_type(x, jnp.uint32),
    "loop": lambda x, y: lax.fori_loop(0, 5, lambda i, x: (x << 3) ^ (x >> 7) ^ y, x),
    "condition": lambda x, y: lax.cond(x[0] < y[0], lambda: (x + y) >> 1, lambda: x),
}
UNSIGNED: dict[str, Callable[[Any, Any], Any]] = {
    "remainder": lambda x, y: [x % np.uint64(n) for n in (1, 7, 65536, 10**6, 2**31, 2**32 - 1)],
    "remainder_of_tensors": lambda x, y: x % ((y >> 40) + 1),
    "remainder_by_many_bits": lambda x, y: x % ((y & 0xFFFFFFFF) | 1),
}


def _cases() -> Iterator[Any]:
    for name, function in (OPS | UNSIGNED).items():
        for dtype in ("uint64", "int64") if name in OPS else ("uint64",):
            yield pytest.param(function, dtype, id=f"{name}-{dtype}")


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("way", "function", "dtype"), both(_cases(), 10))
def test_op(way: Way, function: Callable[[Any, Any], Any], dtype: str) -> None:
    def on_words(rows: Any) -> Any:
        return function(*(lax.bitcast_convert_type(row, jnp.dtype(dtype)) for row in rows))

    assert_close(way.run(on_words, (ROWS,)), jax.jit(on_words)(ROWS))


DRAWS: dict[str, Callable[[Any], Any]] = {
    "bernoulli": lambda key: jax.random.bernoulli(key, 0.3, (50,)),
    "bits": lambda key: jax.random.bits(key, (50,), "uint64"),
    "bits_of_even_extents": lambda key: jax.random.bits(key, (4, 6), "uint64"),
    "bits_of_rank_0": lambda key: jax.random.bits(key, (), "uint64"),
    "categorical": lambda key: jax.random.categorical(key, jnp.zeros((3, 9)), shape=(20, 3)),
    "choice": lambda key: jax.random.choice(key, 10, (4,)),
    "exponential": lambda key: jax.random.exponential(key, (50,)),
    "gamma": lambda key: jax.random.gamma(key, 2.0, (9,)),
    "normal": lambda key: jax.random.normal(key, (50,)),
    "permutation": lambda key: jax.random.permutation(key, 20),
    "randint": lambda key: jax.random.randint(key, (50,), -3, 50257),
    "randint_of_many": lambda key: jax.random.randint(key, (50,), -3, 128256),
    "uniform": lambda key: jax.random.uniform(key, (3, 50), minval=-2.0, maxval=3.0),
    "uniform_f32": lambda key: jax.random.uniform(key, (50,), "float32"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", ["threefry2x32", "rbg"])
@pytest.mark.parametrize(("way", "name"), both((pytest.param(n, id=n) for n in DRAWS), 6))
def test_draw(way: Way, name: str, kind: str) -> None:
    key = jax.random.key(1, impl=kind)
    tolerance = 1e-4 if name == "gamma" else 1e-5
    assert_close(way.run(DRAWS[name], (key,)), jax.jit(DRAWS[name])(key), tolerance)


def test_draw_between_arguments() -> None:
    def draw(key: Any, low: Any, high: Any) -> Any:
        numbers = jax.random.randint(key, (50,), low, high)
        return numbers, jnp.arange(128)[jax.random.randint(key, (4,), 0, 128)]

    args = jax.random.key(2), np.int64(-5), np.int64(2**30)
    assert_close(Way().run(draw, args), jax.jit(draw)(*args))


def test_random_numbers_are_inside() -> None:
    """What is between two numbers of 32 bits becomes none of the limits."""
    words = np.array([[0, 0], [0x1000, 0], [0xFFFFFFFF] * 2, [0, 0x80000000]], np.uint32)

    def unit(words: Any) -> Any:
        bits = lax.bitcast_convert_type(words, jnp.uint64) >> 12
        return lax.bitcast_convert_type(bits | np.uint64(1023 << 52), jnp.float64) - 1.0

    found = Way().run(unit, (words,))
    np.testing.assert_allclose(found, jax.jit(unit)(words), rtol=0, atol=2e-7)
    assert found[0] == 0 < found[1]
    assert found[2] < 1


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_floats_that_become_integers(dtype: str) -> None:
    x = np.array([0.0, -1.5, 3e9, -3e9, 1e15, -1e15, 1e18, 3e19, -1e30, np.inf, -np.inf, np.nan])
    x = x.astype(np.float32)

    def convert(x: Any) -> Any:
        return x.astype(dtype)

    assert_close(Way().run(convert, (x,)), jax.jit(convert)(x))


def test_limits_stand_for_those_of_32_bits() -> None:
    x = np.array([3, -5, 2**31 - 1, -(2**31)])

    def limits(x: Any) -> Any:
        least, most = jnp.iinfo(jnp.int64).min, jnp.iinfo(jnp.int64).max
        return jnp.where(x > 0, x, most).min(), jnp.where(x < 0, x, least).max(), x.argmax()

    assert_close(Way().run(limits, (x,)), jax.jit(limits)(x))


def test_results_are_arguments() -> None:
    pytest.importorskip("ttmlir._pjrt")
    chip = jax.devices("tt")[0]
    with jax.default_device(chip):
        key = jax.random.key(3)
        numbers = jax.random.randint(key, (50,), -3, 128256)
        many = jax.jit(DRAWS["bits"])(key)
        doubled = numbers * 2
    assert (numbers.dtype, many.dtype) == (jnp.int64, jnp.uint64)
    np.testing.assert_array_equal(doubled, 2 * np.asarray(numbers))
    # Whole arrays go from device to device, but none with more than 32 bits into a program.
    np.testing.assert_array_equal(jax.device_put(many, jax.devices("cpu")[0]), many)
    with jax.default_device(chip), pytest.raises(Exception, match="device computes in 32 bits"):
        jax.block_until_ready(many + 1)


def test_donated() -> None:
    """Words have no room in the memory of an argument."""
    x = np.arange(4)
    step = jax.jit(lambda x: x + 2**40, donate_argnums=0)
    assert_close(Way().run(step, (x,)), x + 2**40)


def test_results_of_several_chips() -> None:
    mesh = AbstractMesh((2, 4), ("data", "model"))
    sharding = NamedSharding(mesh, P("data", "model"))

    def draw(x: Any) -> Any:
        numbers = jax.random.randint(jax.random.key(1), x.shape, 0, 128256)
        return x + 2**40, numbers + x

    x = np.arange(32).reshape(4, 8)
    like = jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=sharding)
    placed = jax.jit(draw, out_shardings=(sharding, sharding))
    assert_close(ttmlir.compile(placed, like, target="t3000")(x), jax.jit(draw)(x))
