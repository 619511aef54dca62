"""Functions of JAX on emulated chips: results, donation, dispatch, errors."""

from __future__ import annotations

import gc
import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import serialize_executable

import ttmlir
import ttmlir.jax


def random(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def mlp(params: Any, x: Any) -> Any:
    return jax.nn.gelu(x @ params["a"]) @ params["b"]


def loss(params: Any, x: Any, y: Any) -> Any:
    return jnp.mean((mlp(params, x) - y) ** 2)


@pytest.fixture
def params(chip: Any) -> Any:
    return jax.device_put({"a": random(32, 64) / 6, "b": random(64, 16) / 8}, chip)


def test_gradients_agree_with_cpu(chip: Any, params: Any) -> None:
    cpu = jax.devices("cpu")[0]
    found, expected = (
        jax.jit(jax.value_and_grad(loss))(
            *jax.device_put((params, random(8, 32), random(8, 16)), device)
        )
        for device in (chip, cpu)
    )
    assert all(leaf.devices() == {chip} for leaf in jax.tree.leaves(found))
    for own, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(own, other, rtol=2e-2, atol=2e-3)


def test_eager_and_random(chip: Any) -> None:
    with jax.default_device(chip):
        key = jax.random.key(0)
        x = jax.random.normal(key, (64,))
        y = jnp.cumsum(jnp.abs(x))[-1] / 64
    assert y.devices() == {chip}
    cpu = jax.random.normal(jax.random.key(0), (64,))
    np.testing.assert_allclose(np.asarray(x), np.asarray(cpu), rtol=1e-2, atol=1e-3)


def test_several_results_and_none(chip: Any) -> None:
    x = jax.device_put(random(4, 4), chip)
    a, (b, c) = jax.jit(lambda x: (x, (x + 1, x.sum())))(x)
    np.testing.assert_array_equal(a, x)
    np.testing.assert_array_equal(b, np.asarray(x) + 1)
    assert c.shape == ()
    assert jax.jit(lambda x: ())(x) == ()


def test_arguments_without_a_use(chip: Any) -> None:
    x = jax.device_put(random(4), chip)
    np.testing.assert_array_equal(jax.jit(lambda x, y: x + 1)(x, x), np.asarray(x) + 1)
    kept = jax.jit(lambda x, y: x + 1, keep_unused=True)
    np.testing.assert_array_equal(kept(x, x), np.asarray(x) + 1)


def test_donation(chip: Any) -> None:
    add = jax.jit(lambda a, b: a + b, donate_argnums=0)
    a, b = jax.device_put((random(32, 32), random(32, 32)), chip)
    expected = np.asarray(a) + np.asarray(b)
    result = add(a, b)
    assert a.is_deleted()
    assert not b.is_deleted()
    np.testing.assert_array_equal(result, expected)
    with pytest.raises((RuntimeError, ValueError), match="deleted or donated"):
        add(a, b)
    with pytest.raises((RuntimeError, ValueError), match="donate"):
        add(b, b)
    assert not b.is_deleted()


def test_donation_in_a_loop(chip: Any) -> None:
    """Each turn has the memory of the last one."""
    add = jax.jit(lambda a, b: a + b, donate_argnums=0)
    total, one = jax.device_put(
        (np.zeros((64, 64), np.float32), np.ones((64, 64), np.float32)), chip
    )
    total = add(total, one)
    before = chip.memory_stats()["bytes_in_use"]
    for _ in range(19):
        total = add(total, one)
    assert np.asarray(total).min() == np.asarray(total).max() == 20
    assert chip.memory_stats()["bytes_in_use"] <= before


def test_donated_where_the_call_says_otherwise(chip: Any) -> None:
    """JAX keeps arguments that others have, such as those of a saved gradient."""
    update = jax.jit(lambda c, x: c.at[1].set(x), donate_argnums=0)
    cache = jax.device_put(np.zeros((4, 32), np.float32), chip)
    row = jax.device_put(np.ones(32, np.float32), chip)
    other = cache + 0
    cache = update(cache, row)
    assert np.asarray(other).max() == 0
    assert np.asarray(cache).sum() == 32


def test_dispatch_is_asynchronous(chip: Any) -> None:
    big = jax.device_put(random(512, 512), chip)
    f = jax.jit(lambda x: jax.lax.fori_loop(0, 20, lambda _, y: jnp.tanh(y @ x), x))
    f(big).block_until_ready()
    result = f(big)
    assert not result.is_ready()
    result.block_until_ready()
    assert result.is_ready()


def test_error_of_a_program_that_does_not_compile(chip: Any) -> None:
    """It names the op and its line."""
    with pytest.raises(jax.errors.JaxRuntimeError, match="UNIMPLEMENTED") as raised:
        jax.jit(lambda x: x.at[jnp.array([1, 1])].apply(jnp.sin))(
            jax.device_put(random(4, 4), chip)
        )
    assert "stablehlo.scatter" in str(raised.value)
    assert "test_programs.py:" in str(raised.value)
    # The process lives on.
    assert float(jnp.sum(jax.device_put(np.ones(4, np.float32), chip))) == 4


def test_error_of_memory(chip: Any) -> None:
    """Larger than the DRAM: an error for the result, and for what is computed of it."""
    x = jax.device_put(np.ones((1, 1024), np.float32), chip)
    huge = jax.jit(lambda x: jnp.broadcast_to(x, (4 * 2**20, 1024)))
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED.*no room"):
        huge(x).block_until_ready()
    failed = huge(x)
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED.*no room"):
        jax.jit(lambda x: x[0] + 1)(failed).block_until_ready()
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED.*no room"):
        np.asarray(failed)
    np.testing.assert_array_equal(jax.jit(lambda x: x + 1)(x), np.full((1, 1024), 2))


def test_error_of_devices(chip: Any) -> None:
    """Of two clients in one call."""
    x = jax.device_put(random(4), chip)
    y = jax.device_put(random(4), jax.devices("cpu")[0])
    with pytest.raises(ValueError, match="incompatible devices"):
        jax.jit(jnp.add)(x, y)


def test_threads(chip: Any) -> None:
    """Many threads that compile, run, transfer and delete."""
    f = jax.jit(lambda x: x * 2 + 1)
    g = jax.jit(lambda a, b: a + b, donate_argnums=0)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            x = jax.device_put(np.full((8, 8), seed, np.float32), chip)
            expected = float(seed)
            own = jax.jit(lambda x: x - seed)
            for turn in range(10):
                x, expected = f(x), expected * 2 + 1
                x = g(x, jax.device_put(np.ones((8, 8), np.float32), chip))
                expected += 1
                if turn % 3 == 0:
                    x, expected = own(x), expected - seed
                    chip.memory_stats()
                assert float(np.asarray(x)[3, 3]) == expected
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_nothing_is_left(chip: Any) -> None:
    f = jax.jit(lambda x: jnp.sin(x) @ x)
    gc.collect()
    before = chip.memory_stats()["bytes_in_use"]
    x = jax.device_put(random(64, 64), chip)
    for _ in range(30):
        x = f(x) * 0.01
    del x
    assert chip.memory_stats()["bytes_in_use"] == before


def test_report(chip: Any) -> None:
    x = jax.device_put(random(64, 64), chip)
    f = jax.jit(lambda x: jnp.tanh(x @ x))
    report = ttmlir.jax.report(f, x)
    assert "matmul" in {op.name for op in report.ops}  # which applies tanh to its result
    assert report.cycles > 0
    assert report.trace is None
    # A plain function, arrays of the host, a timeline.
    traced = ttmlir.jax.report(lambda x: x + 1, np.ones((4, 4), np.float32), trace=True)
    assert traced.trace is not None
    # Donated arguments are gone, as in any call.
    donating = jax.jit(lambda a, b: a + b, donate_argnums=0)
    assert ttmlir.jax.report(donating, x, x + 1).cycles > 0
    assert x.is_deleted()


def test_executable(chip: Any) -> None:
    x = jax.device_put(random(8, 8), chip)

    def triple(x: Any) -> Any:
        return x * 3

    exe = ttmlir.jax.executable(triple, x)
    assert isinstance(exe, ttmlir.Executable)
    assert exe.programs[0].name == "jit_triple"
    np.testing.assert_array_equal(exe(np.asarray(x)), np.asarray(x) * 3)
    on_cpu = jax.device_put(np.ones(3), jax.devices("cpu")[0])
    with pytest.raises(ttmlir.InputError, match="found one on cpu"):
        ttmlir.jax.executable(lambda x: x * 3, on_cpu)


def test_ahead_of_time(chip: Any) -> None:
    x = jax.device_put(random(16, 16), chip)
    compiled = jax.jit(lambda x: x @ x).lower(x).compile()
    np.testing.assert_allclose(compiled(x), np.asarray(x) @ np.asarray(x), rtol=2e-2, atol=2e-2)
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == memory.output_size_in_bytes == 4 * 16 * 16
    assert "f32[16,16]" in compiled.as_text()
    with pytest.raises(TypeError):
        compiled(x[:8])


def test_errors_in_callbacks_of_gradients(chip: Any) -> None:
    """A wrong shape is JAX's error, at the user's line."""
    with pytest.raises(TypeError, match="dot_general"):
        jax.jit(lambda a, b: a @ b)(*jax.device_put((random(2, 3), random(2, 3)), chip))


def test_options(chip: Any) -> None:
    x = jax.device_put(random(64, 64), chip)
    expected = np.tanh(np.asarray(x))
    for options in (
        {"backend": "ttnn"},
        {"backend": "ttmetal"},
        {"enable_optimizer": False},
        {"enable_optimizer": "false", "math_fidelity": "hifi4"},
        {"enable_activation_dtype_lowering": True},
        {"override_grid_sizes": '{"tanh": [2, 2]}'},
    ):
        found = jax.jit(jnp.tanh, compiler_options=options)(x)
        np.testing.assert_allclose(found, expected, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "cuda"}, "backend: expected one of ttmetal, ttnn, found 'cuda'"),
        ({"enable_optimiser": True}, "did you mean 'enable_optimizer'"),
        ({"xla_cpu_enable_fast_math": True}, "not an option of ttmlir"),
        ({"enable_optimizer": "yes"}, "enable_optimizer: expected true or false, found 'yes'"),
        ({"enable_activation_dtype_lowering": 2}, "expected true or false, found 2"),
        ({"math_fidelity": "hifi9"}, "math_fidelity: expected one of"),
        ({"numerics": "slow"}, "numerics: expected one of fast, exact, found 'slow'"),
        ({"numeric": "fast"}, "did you mean 'numerics'"),
        ({"mesh_shape": "2,4"}, "the plugin for JAX sets this option itself"),
        ({"clock_search_limit": "many"}, "clock_search_limit: expected a number"),
        ({"backend": "ttmetal", "enable_optimizer": True}, "with backend 'ttmetal'"),
    ],
)
def test_wrong_options(chip: Any, options: dict[str, Any], message: str) -> None:
    x = jax.device_put(random(4), chip)
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match=message):
        jax.jit(lambda x: x + 1, compiler_options=options)(x)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_numerics(chip: Any, backend: str) -> None:
    """Programs that differ in nothing else have the bits of ``ttmlir.compile``."""
    x, y = random(64, 64), random(64, 64)
    own = ttmlir.compile(jnp.matmul, x, y, backend=backend)
    for numerics in ("fast", "exact", "fast"):
        options = {"backend": backend, "numerics": numerics}
        product = jax.jit(jnp.matmul, compiler_options=options)
        found = np.asarray(product(jax.device_put(x, chip), jax.device_put(y, chip)))
        np.testing.assert_array_equal(found, own(x, y, numerics=numerics))
    exact = own(x, y, numerics="exact")
    assert not np.array_equal(own(x, y), exact)
    # JAX's compilation cache keeps the option.
    a, b = jax.device_put(x, chip), jax.device_put(y, chip)
    options = {"backend": backend, "numerics": "exact"}
    compiled = jax.jit(jnp.matmul, compiler_options=options).lower(a, b).compile()
    parts = serialize_executable.serialize(compiled)
    loaded = serialize_executable.deserialize_and_load(*parts, backend="ttmlir")
    np.testing.assert_array_equal(loaded(a, b), exact)


def test_backends_exchange_arrays(chip: Any) -> None:
    """Each has a machine of its own."""
    x = jax.device_put(random(64, 64), chip)
    expected = np.asarray(x)
    for turn in range(4):
        backend = ("ttnn", "ttmetal")[turn % 2]
        x = jax.jit(lambda x: x + 1, compiler_options={"backend": backend})(x)
        expected = expected + 1
    np.testing.assert_allclose(x, expected, rtol=1e-2)
