"""Executable.compare beside JAX: names of ops, calls, loops, float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

import ttmlir  # noqa: E402
from ttmlir.frontends.jax import _reference  # noqa: E402
from ttmlir.frontends.stablehlo._op import HANDLERS  # noqa: E402

RNG = np.random.default_rng(0)
W = RNG.standard_normal((32, 32), np.float32) / 5
X = RNG.standard_normal((16, 32), np.float32)
BACKENDS = ("ttnn", "ttmetal")


def network(w: Any, x: Any) -> Any:
    for _ in range(2):
        x = jax.nn.gelu(x @ w)
        x = jax.nn.softmax(x) + jax.nn.relu(x)
    x = jax.lax.fori_loop(0, 3, lambda i, y: y * 0.5 + x, x)
    return {"erf": jax.scipy.special.erf(x), "mean": x.mean(-1)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("reference", ["f64", network, jax.jit(network)])
def test_a_network(backend: Any, reference: Any) -> None:
    exe = ttmlir.compile(network, W, X, backend=backend)
    found = exe.compare(reference, W, X)
    assert found.first_off is None, str(found)
    names = [op.name for op in found.compared]
    wanted = {"dot_general", "dot_general_1", "while", "erf"}
    # Kernels divide and add in one pass.
    wanted |= {"div", "div_1"} if backend == "ttnn" else {"add_2"}
    assert wanted <= set(names), str(found)
    assert len(found.outputs) == 2
    assert all(output.is_compared for output in found.outputs)
    assert ("float64" in found.reference) == (reference == "f64")


def test_an_op_that_is_wrong_is_found() -> None:
    def wrong(w: Any, x: Any) -> Any:
        x = jax.nn.gelu(x @ w)
        x = jax.nn.softmax(x) + jax.nn.relu(x)
        x = jax.nn.gelu(x @ (w * 1.01))
        x = jax.nn.softmax(x) + jax.nn.relu(x)
        x = jax.lax.fori_loop(0, 3, lambda i, y: y * 0.5 + x, x)
        return {"erf": jax.scipy.special.erf(x), "mean": x.mean(-1)}

    found = ttmlir.compile(network, W, X).compare(wrong, W, X)
    assert found.first_off is not None
    assert found.first_off.name == "dot_general_1"


def test_an_importer_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wave(x: Any) -> Any:
        return jnp.sin(x) + 1

    with monkeypatch.context() as patched:
        patched.setitem(HANDLERS, "stablehlo.sine", HANDLERS["stablehlo.cosine"])
        exe = ttmlir.compile(wave, X)
    for reference in ("f64", wave):
        found = exe.compare(reference, X)
        assert found.first_off is not None
        assert found.first_off.name == "sin"
        assert found.outputs[0].is_off


def test_outputs_are_those_of_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of the program that returns the results of its ops."""
    run = _reference._run
    monkeypatch.setattr(_reference, "_run", lambda *args: [x * 0 for x in run(*args)])
    found = ttmlir.compile(jnp.sin, X).compare("f64", X)
    assert [op.is_off for op in found.ops] == [True]
    assert not found.outputs[0].is_off


def test_donated_arguments_stay() -> None:
    x = jnp.asarray(X)
    step = jax.jit(lambda x: x * 2, donate_argnums=0)
    found = ttmlir.compile(jax.jit(lambda x: x * 2), X).compare(step, x)
    assert found.first_off is None, str(found)
    np.testing.assert_array_equal(np.asarray(x), X)


def test_functions_that_are_called_twice_and_scans() -> None:
    @jax.jit
    def layer(x: Any, w: Any) -> Any:
        return jnp.tanh(x @ w) * 2

    def both(w: Any, x: Any) -> Any:
        y = layer(layer(x, w), w)
        last, rows = jax.lax.scan(lambda c, r: (jnp.sin(c + r), c), y[0], y)
        return last + rows.sum(0) + jnp.sort(y, axis=0)[0]

    found = ttmlir.compile(both, W, X).compare("f64", W, X)
    assert found.first_off is None, str(found)
    names = {op.name for op in found.compared}
    assert {"tanh", "tanh_1", "sort"} <= names, str(found)


def test_bf16_and_integers() -> None:
    def choose(w: Any, x: Any) -> Any:
        y = (x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32)
        best = jnp.argmax(y, -1)
        return jnp.take_along_axis(y, best[:, None], 1), best

    found = ttmlir.compile(choose, W, X).compare(choose, W, X)
    assert found.first_off is None, str(found)
    assert "dot_general" in {op.name for op in found.compared}
    assert found.outputs[1].max_error == 0


def test_random_numbers_of_float64_are_others() -> None:
    def noisy(key: Any, x: Any) -> Any:
        return jnp.sin(x), x + jax.random.normal(key, x.shape)

    key = jax.random.key(3)
    exe = ttmlir.compile(noisy, key, X)
    same = exe.compare(noisy, key, X)
    assert same.first_off is None, str(same)
    assert [output.is_compared for output in same.outputs] == [True, True]
    other = exe.compare("f64", key, X)
    assert other.first_off is None, str(other)
    assert [output.is_compared for output in other.outputs] == [True, False]


def test_other_arguments_are_an_error() -> None:
    exe = ttmlir.compile(network, W, X)
    with pytest.raises(ttmlir.InputError, match="expected arguments of the structure"):
        exe.compare("f64", W)
