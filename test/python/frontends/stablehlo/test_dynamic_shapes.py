"""Functions of JAX with symbolic shapes, exported ones, and StableHLO with dynamic ops."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax

import ttmlir
from ttmlir.errors import CompileError, Error, InputError

B, N = export.symbolic_shape("b, n")
RNG = np.random.default_rng(0)


def layer(p: dict[str, Any], x: Any) -> dict[str, Any]:
    y = jnp.tanh(x @ p["w"])
    return {"a": y.reshape(-1, 2), "m": y.mean(0), "i": jnp.arange(x.shape[0]), "s": y.T @ x}


SPECS = (
    {"w": jax.ShapeDtypeStruct((N, 6), jnp.float32)},
    jax.ShapeDtypeStruct((B, N), jnp.float32),
)


def arguments(rows: int, columns: int) -> tuple[dict[str, Any], Any]:
    weights = RNG.standard_normal((columns, 6)).astype(np.float32)
    return {"w": weights}, RNG.standard_normal((rows, columns)).astype(np.float32)


def same(found: Any, wanted: Any) -> None:
    def check(x: Any, y: Any) -> None:
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-5)

    jax.tree_util.tree_map(check, found, jax.tree_util.tree_map(np.asarray, wanted))


def test_function() -> None:
    exe = ttmlir.compile(layer, *SPECS)
    assert exe.extents == ("n", "b")
    for shape in ((3, 4), (5, 4), (5, 7), (3, 4)):
        given = arguments(*shape)
        same(exe(*given), layer(*given))
    assert exe.compilations == 3
    with pytest.raises(InputError, match=r"input 'arg1' \(b, n\): the extent 'n' is 3, but 4 in"):
        exe(arguments(3, 4)[0], arguments(3, 3)[1])
    with pytest.raises(InputError, match="structure"):
        exe(arguments(3, 4)[1])


def test_buckets() -> None:
    exe = ttmlir.compile(layer, *SPECS, buckets={"b": [4, 16], "arg1.1": [8]})
    for shape in ((3, 4), (4, 8), (9, 7)):
        given = arguments(*shape)
        same(exe(*given), layer(*given))
    assert exe.compilations == 2


LOOPS: dict[str, Callable[[Any], Any]] = {
    "last and greatest": lambda x: (
        x[-1],
        jnp.argmax(x),
        jnp.argmax(x.T),
        jnp.argmin(x.T),
        lax.top_k(-x.T, 1),
    ),
    "fori_loop": lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + jnp.tanh(c).mean(0), x),
    "while_loop": lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c + abs(c) + x, x),
    "cond": lambda x: lax.cond(x.sum() > 0, lambda y: jax.nn.softmax(y, 0), lambda y: -y, x),
    "scan": lambda x: lax.scan(
        lambda c, a: (jnp.tanh(c + a), a * c.sum()), jnp.zeros(x.shape[0]), x.T
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_in_buckets(name: str) -> None:
    """Padding is followed through loops, and is never chosen."""
    exe = ttmlir.compile(
        LOOPS[name], jax.ShapeDtypeStruct((B, 4), jnp.float32), buckets={"b": [8, 32]}
    )
    for rows in (1, 3, 8, 9, 20):
        # Zeros would be the greatest.
        x = np.random.default_rng(rows).standard_normal((rows, 4)).astype(np.float32) - 1
        x = abs(x) if name == "while_loop" else x
        found, wanted = (jax.tree.leaves(f(x)) for f in (exe, LOOPS[name]))
        for own, want in zip(found, wanted, strict=True):
            np.testing.assert_allclose(own, want, rtol=1e-5, atol=1e-5)
    assert exe.compilations == 2


def test_loops_along_buckets() -> None:
    exe = ttmlir.compile(
        lambda x: lax.map(jnp.sin, x), jax.ShapeDtypeStruct((B, 4), jnp.float32), buckets={"b": [8]}
    )
    with pytest.raises(CompileError) as error:
        exe(np.ones((3, 4), np.float32))
    reasons = [d.message for d in error.value.diagnostics]
    assert any(
        "'ttir.dynamic_slice'" in x and "at positions that depend on 'b'" in x for x in reasons
    )
    assert any("'arith.constant'" in x and "depends on the extent" in x for x in reasons)


def test_derived_extents() -> None:
    def halves(x: Any, y: Any) -> Any:
        return x.reshape(-1, 2) + y[:, None]

    exe = ttmlir.compile(
        halves, jax.ShapeDtypeStruct((2 * N,), "f4"), jax.ShapeDtypeStruct((N,), "f4")
    )
    x, y = np.arange(6, dtype=np.float32), np.arange(3, dtype=np.float32)
    same(exe(x, y), halves(x, y))
    with pytest.raises(InputError, match=r"found the shape \(5,\), expected 2\*n = 6"):
        exe(x[:5], y)
    with pytest.raises(Error, match="the extent 'n' has to be a dimension of an argument itself"):
        ttmlir.compile(jnp.sin, jax.ShapeDtypeStruct((2 * N,), "f4"))


@pytest.mark.parametrize("form", ["exported", "artifact", "text"])
def test_exported_function(form: str) -> None:
    exported = export.export(jax.jit(layer), platforms=["cpu"])(*SPECS)
    source: Any = {
        "exported": lambda: exported,
        "artifact": lambda: bytes(exported.mlir_module_serialized),
        "text": lambda: str(exported.mlir_module()),
    }[form]()
    exe = ttmlir.compile(source)
    given = arguments(5, 7)
    same(list(exe(given[0]["w"], given[1])), [layer(*given)[k] for k in "aims"])
    error, message = (
        (InputError, "the extent 'n' is 3, but 7") if form == "exported" else (CompileError, "size")
    )
    with pytest.raises(error, match=message):
        exe(given[0]["w"], given[1][:, :3])


def test_constraints_of_symbols() -> None:
    (b,) = export.symbolic_shape("b", constraints=["b >= 3"])
    exported = export.export(jax.jit(jnp.sin), platforms=["cpu"])(jax.ShapeDtypeStruct((b,), "f4"))
    exe = ttmlir.compile(exported)
    assert exe(np.zeros(3, np.float32)).shape == (3,)
    with pytest.raises(CompileError, match=r"Expected.*b.*>= 3|b >= 3"):
        exe(np.zeros(2, np.float32))


DYNAMIC_OPS = """
func.func @main(%x: tensor<?x4xf32>, %w: tensor<2x?xf32>) -> (tensor<?x2xf32>, tensor<?x4xf32>,
    tensor<?xi32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<3x?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m = stablehlo.multiply %n1, %two : tensor<1xi32>
  %s = stablehlo.concatenate %m, %two, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %a = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %whole = stablehlo.concatenate %n1, %four, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %threes = stablehlo.dynamic_broadcast_in_dim %three, %whole, dims = []
    : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %b = stablehlo.add %x, %threes : tensor<?x4xf32>
  %c = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %begin = stablehlo.concatenate %one, %zero, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.concatenate %one, %one, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %d = stablehlo.real_dynamic_slice %x, %begin, %whole, %ones
    : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  %zeros = stablehlo.concatenate %zero, %zero, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %after = stablehlo.concatenate %n1, %zero, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = stablehlo.dynamic_pad %x, %three, %zeros, %after, %zeros
    : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> tensor<?x4xf32>
  %k = stablehlo.get_dimension_size %w, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %k1, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %rows = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %g = "stablehlo.dynamic_gather"(%w, %rows, %sizes) {dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, indices_are_sorted = false}
    : (tensor<2x?xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x?xf32>
  return %a, %b, %c, %d, %e, %g : tensor<?x2xf32>, tensor<?x4xf32>, tensor<?xi32>,
    tensor<?x4xf32>, tensor<?x4xf32>, tensor<3x?xf32>
}
"""


def test_dynamic_ops() -> None:
    exe = ttmlir.compile(DYNAMIC_OPS)
    assert exe.extents == ("arg0.0", "arg1.1")
    for rows, columns in ((3, 5), (4, 2)):
        x = RNG.standard_normal((rows, 4)).astype(np.float32)
        w = RNG.standard_normal((2, columns)).astype(np.float32)
        padding = np.full((rows, 4), 3, np.float32)
        wanted = (
            x.reshape(-1, 2),
            x + 3,
            np.arange(rows),
            x[1:],
            np.concatenate([x, padding]),
            w[[1, 0, 1]],
        )
        for found, want in zip(exe(x, w), wanted, strict=True):
            assert np.array_equal(found, want)
    assert exe.specialize(**{"arg0.0": 3, "arg1.1": 5}).inputs[0].shape == (3, 4)
    with pytest.raises(Error, match=re.escape("specialize(**{'arg0.0': ..., 'arg1.1': ...})")):
        exe.save("x.ttnn")
    with pytest.raises(InputError, match="expected 2 inputs"):
        exe(np.zeros((3, 4), np.float32))


def test_bound_arguments() -> None:
    exe = ttmlir.compile(
        "func.func @main(%x: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {\n"
        "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
        "  %r = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
        "  %f = stablehlo.constant dense<4> : tensor<1xi32>\n"
        "  %s = stablehlo.concatenate %r, %f, dim = 0"
        " : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
        "  %b = stablehlo.dynamic_broadcast_in_dim %w, %s, dims = [1]"
        " : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>\n"
        "  %y = stablehlo.multiply %x, %b : tensor<?x4xf32>\n"
        "  return %y : tensor<?x4xf32>\n}"
    )
    w = np.arange(4, dtype=np.float32)
    exe.bind(arg1=w)
    for rows in (2, 3):
        assert np.array_equal(exe(np.ones((rows, 4), np.float32)), np.tile(w, (rows, 1)))
    with pytest.raises(InputError, match="has a shape that varies"):
        exe.bind(arg0=np.ones((2, 4), np.float32))
    exe.unbind()
    assert exe(np.ones((2, 4), np.float32), w + 1)[0, 0] == 1


# Extents that depend on values -------------------------------------------------------------------


def test_sizes() -> None:
    def chosen(x: jax.Array) -> Any:
        values, inverse = jnp.unique(x, size=6, fill_value=9, return_inverse=True)
        return (
            values,
            inverse,
            *jnp.nonzero(x > 0, size=8),
            *jnp.where(x > 1, size=3, fill_value=-1),
        )

    x = np.random.default_rng(0).integers(-2, 3, (4, 5)).astype(np.int32)
    exe = ttmlir.compile(chosen, x)
    for found, wanted in zip(exe(x), chosen(jnp.asarray(x)), strict=True):
        assert np.array_equal(found, wanted)
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
        ttmlir.compile(lambda x: x[x > 0], x)
    with pytest.raises(jax.errors.ConcretizationTypeError, match="The size argument"):
        ttmlir.compile(lambda x: jnp.where(x > 0), x)
