"""``ttmlir.compile`` of functions and ``ttmlir.jit``: structure of arguments and results."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from oracle import assert_close

import ttmlir
from ttmlir.errors import InputError
from ttmlir.frontends.stablehlo import import_module

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def affine(params: dict[str, Any], x: Any) -> tuple[Any, dict[str, Any]]:
    y = x @ params["w"] + params["b"]
    return y, {"sum": y.sum(), "rows": [y.max(1), y.min(1)]}


PARAMS = {"w": np.ones((4, 2), np.float32), "b": np.array([1, 2], np.float32)}


def test_trees_go_in_and_out() -> None:
    executable = ttmlir.compile(affine, PARAMS, X)
    assert isinstance(executable, ttmlir.Executable)
    assert_close(executable(PARAMS, X), jax.jit(affine)(PARAMS, X))
    assert executable.report(PARAMS, X).seconds > 0


def test_shapes_are_enough_to_compile() -> None:
    like = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), (PARAMS, X))
    assert_close(ttmlir.compile(affine, *like)(PARAMS, X), jax.jit(affine)(PARAMS, X))


def test_arrays_of_jax_are_arguments() -> None:
    args = jax.tree.map(jnp.asarray, (PARAMS, X))
    assert_close(ttmlir.compile(affine, *args)(*args), jax.jit(affine)(*args))


def test_keywords_are_those_of_compile() -> None:
    executable = ttmlir.compile(jnp.tanh, X, backend="ttmetal", target="p150")
    assert executable.backend == "ttmetal"
    assert_close(executable(X), np.tanh(X))


def test_decorator() -> None:
    @ttmlir.jit
    def step(params: Any, x: Any) -> Any:
        return affine(params, x)

    assert step.__name__ == "step"
    assert_close(step(PARAMS, X), jax.jit(affine)(PARAMS, X))
    assert step.report(PARAMS, X).seconds > 0


def test_each_shape_is_compiled_once() -> None:
    double = ttmlir.jit(lambda x: x + x)
    first, second = double.compile(X), double.compile(X[:2])
    assert first is not second
    assert double.compile(X + 1) is first
    assert double(X[:2].astype(ml_dtypes.bfloat16)).dtype == ml_dtypes.bfloat16


@pytest.mark.parametrize("as_name", [True, False])
def test_static_arguments(as_name: bool) -> None:
    @ttmlir.jit(static_argnames="count")
    def repeated(x: Any, count: int) -> Any:
        return jnp.tile(x, count)

    args = {"count": 3} if as_name else {}
    found = repeated(X, **args) if as_name else repeated(X, 3)
    assert found.shape == (3, 12)


def test_unused_arguments() -> None:
    @jax.jit
    def second(x: Any, y: Any, z: Any) -> Any:
        return y * 2

    assert_close(ttmlir.compile(second, X, X + 1, X)(X, X + 1, X), (X + 1) * 2)
    assert_close(ttmlir.jit(second)(X, X + 1, X), (X + 1) * 2)


def test_random_keys_go_in_and_out() -> None:
    def split(key: Any) -> Any:
        first, second = jax.random.split(key)
        return first, jax.random.uniform(second, (4,))

    key = jax.random.key(3)
    got, want = ttmlir.jit(split)(key), split(key)
    assert got[0] == want[0]
    assert_close(got[1], want[1])


def test_parts_of_a_traced_function() -> None:
    inner = ttmlir.jit(lambda x: jnp.sin(x).sum())
    assert_close(np.asarray(jax.grad(inner)(X)), np.cos(X))


def test_numbers_and_scalars() -> None:
    assert_close(ttmlir.jit(lambda x, n: x * n)(X, 2), X * 2)
    assert ttmlir.jit(lambda x: (x.sum() > 3, 7))(X) == (np.array(True), np.array(7))


def test_no_results() -> None:
    assert ttmlir.jit(lambda x: ())(X) == ()


def test_donated_arguments() -> None:
    step = ttmlir.jit(lambda state, x: (state + x, x.sum()), donate_argnums=0)
    state, total = step(X, X)
    assert_close(state, 2 * X)
    assert_close(total, X.sum())


def test_donation_of_a_module() -> None:
    traced = jax.jit(lambda a, b, c: (b + c, a * 2), donate_argnums=(0, 1)).trace(X, X[0], X[0])
    ttmlir.jit(lambda x: x).compile(X)  # JAX knows the platform then.
    program = import_module(traced)
    assert program.donated == (0, 1)
    assert program.aliases == {0: 1, 1: 0}


def test_executables_are_pickled() -> None:
    executable = pickle.loads(pickle.dumps(ttmlir.compile(lambda x: {"y": x + 1}, X)))
    assert_close(executable(X), {"y": X + 1})


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (([X],), "expected arguments of the structure"),
        ((X[:2],), "expected 3x4 float32, found 2x4 float32"),
        ((X.astype(np.int32),), "expected an array of float32, found int32"),
    ],
)
def test_wrong_arguments(args: Any, message: str) -> None:
    executable = ttmlir.compile(lambda x: x + 1, X)
    with pytest.raises(InputError, match=message):
        executable(*args)


def test_examples_without_a_function() -> None:
    with pytest.raises(TypeError, match=r"PyTorch, .* or a function of JAX, found str"):
        ttmlir.compile("func.func @f() {\n}", X)


WITHOUT_JAX = """
import sys
sys.modules["jax"] = sys.modules["jaxlib"] = None
import ttmlir
for source in (None, abs, "stablehlo.add {"):
    try:
        ttmlir.jit if source is None else ttmlir.compile(source)
    except (ImportError, ttmlir.Error) as error:
        print(error)
"""


def test_without_jax() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_JAX], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all("pip install ttmlir[jax]" in line for line in lines)


def test_import_of_the_package_leaves_jax_alone() -> None:
    code = "import sys, ttmlir; ttmlir.Builder; assert not {'jax', 'jaxlib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
