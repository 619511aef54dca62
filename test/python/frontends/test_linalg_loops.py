"""linalg inside of scf's control flow, compiled and run on both backends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir.errors import CompileError

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]
SAME = "affine_map<(d0, d1) -> (d0, d1)>"


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def generic(result: str, inputs: str, types: str, body: str, type: str, maps: int) -> str:
    """``result`` is elementwise ``body`` of the inputs, whose elements are %p, %q ..."""
    names = ", ".join(f"%{'pqr'[i]}: f32" for i in range(maps))
    return f"""{result}_e = tensor.empty() : {type}
    {result} = linalg.generic {{
      indexing_maps = [{", ".join([SAME] * (maps + 1))}], iterator_types = ["parallel", "parallel"]
    }} ins({inputs} : {types}) outs({result}_e : {type}) {{
    ^bb0({names}, %out: f32):
      {body}
      linalg.yield %v : f32
    }} -> {type}"""


def matmul(result: str, a: str, b: str, type: str) -> str:
    """Of square matrices."""
    return f"""{result}_z = arith.constant 0.0 : f32
    {result}_e = tensor.empty() : {type}
    {result}_f = linalg.fill ins({result}_z : f32) outs({result}_e : {type}) -> {type}
    {result} = linalg.matmul ins({a}, {b} : {type}, {type}) outs({result}_f : {type}) -> {type}"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [32, 50, 100])
def test_recurrence(backend: str, size: int) -> None:
    """A recurrent cell, a number of times that the host knows."""
    t = f"tensor<{size}x{size}xf32>"
    exe = ttmlir.compile(
        f"""func.func @f(%h: {t}, %w: {t}, %x: {t}) -> {t} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c5 = arith.constant 5 : index
          %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %h) -> ({t}) {{
            {matmul("%m", "%s", "%w", t)}
            {
            generic(
                "%y",
                "%m, %x",
                f"{t}, {t}",
                "%u = arith.addf %p, %q : f32 %v = math.tanh %u : f32",
                t,
                2,
            )
        }
            scf.yield %y : {t}
          }}
          return %r : {t}
        }}""",
        backend=backend,
    )
    h, x = random(size, size), random(size, size, seed=2)
    w = random(size, size, seed=1) / np.float32(size)
    state = h.astype(np.float64)
    for _ in range(5):
        state = np.tanh(state @ w + x)
    np.testing.assert_allclose(exe(h, w, x), state, rtol=1e-2, atol=1e-2)
    assert "tt.for" in exe.mlir


@pytest.mark.parametrize("backend", BACKENDS)
def test_until_the_sum_is_large(backend: str) -> None:
    """A condition that linalg reduces, and numbers beside tensors."""
    t = "tensor<33x65xf32>"
    exe = ttmlir.compile(
        f"""func.func @f(%a: {t}, %limit: tensor<f32>) -> ({t}, tensor<i32>) {{
          %z = arith.constant 0.0 : f32
          %n0 = arith.constant 0 : i32
          %n1 = arith.constant 1 : i32
          %top = tensor.extract %limit[] : tensor<f32>
          %r:2 = scf.while (%x = %a, %n = %n0) : ({t}, i32) -> ({t}, i32) {{
            %e = tensor.empty() : tensor<f32>
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
            %s = linalg.reduce {{ arith.addf }} ins(%x : {t}) outs(%i : tensor<f32>)
              dimensions = [0, 1]
            %sum = tensor.extract %s[] : tensor<f32>
            %go = arith.cmpf olt, %sum, %top : f32
            scf.condition(%go) %x, %n : {t}, i32
          }} do {{
          ^bb0(%x: {t}, %n: i32):
            {generic("%y", "%x", t, "%v = arith.addf %p, %p : f32", t, 1)}
            %m = arith.addi %n, %n1 : i32
            scf.yield %y, %m : {t}, i32
          }}
          %e = tensor.empty() : tensor<i32>
          %c = tensor.from_elements %r#1 : tensor<i32>
          return %r#0, %c : {t}, tensor<i32>
        }}""",
        backend=backend,
    )
    a = np.abs(random(33, 65))
    for limit in (1.0, 2e3, 1e5):
        x, turns = a, 0
        while x.sum() < limit:
            x, turns = x + x, turns + 1
        found, count = exe(a, np.float32(limit))
        np.testing.assert_array_equal(found, x)
        assert count == turns


@pytest.mark.parametrize("backend", BACKENDS)
def test_branches_in_a_loop_of_a_function(backend: str) -> None:
    """A private function with a condition is called from a loop."""
    t = "tensor<40x50xf32>"
    exe = ttmlir.compile(
        f"""func.func private @step(%x: {t}, %i: index) -> {t} {{
          %c1 = arith.constant 1 : index
          %c0 = arith.constant 0 : index
          %odd = arith.andi %i, %c1 : index
          %even = arith.cmpi eq, %odd, %c0 : index
          %r = scf.if %even -> ({t}) {{
            {generic("%y", "%x", t, "%v = math.exp %p : f32", t, 1)}
            scf.yield %y : {t}
          }} else {{
            {generic("%y", "%x", t, "%v = arith.negf %p : f32", t, 1)}
            scf.yield %y : {t}
          }}
          return %r : {t}
        }}
        func.func @f(%a: {t}, %n: tensor<1xi32>) -> {t} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %k = tensor.extract %n[%c0] : tensor<1xi32>
          %turns = arith.index_cast %k : i32 to index
          %r = scf.for %i = %c0 to %turns step %c1 iter_args(%x = %a) -> ({t}) {{
            %y = func.call @step(%x, %i) : ({t}, index) -> {t}
            scf.yield %y : {t}
          }}
          return %r : {t}
        }}""",
        backend=backend,
    )
    a = random(40, 50)
    expected = a.astype(np.float64)
    for turns in range(4):
        np.testing.assert_allclose(exe(a, np.array([turns], np.int32)), expected, rtol=1e-2)
        expected = np.exp(expected) if turns % 2 == 0 else -expected


@pytest.mark.parametrize("backend", BACKENDS)
def test_elements_at_places_known_in_part(backend: str) -> None:
    """One index is known, the other is the number of the turn."""
    exe = ttmlir.compile(
        """func.func @f(%a: tensor<5x7xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c5 = arith.constant 5 : index
          %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %b) -> (tensor<3x5xf32>) {
            %x = tensor.extract %a[%i, %c2] : tensor<5x7xf32>
            %u = tensor.insert %x into %t[%c1, %i] : tensor<3x5xf32>
            scf.yield %u : tensor<3x5xf32>
          }
          return %r : tensor<3x5xf32>
        }""",
        backend=backend,
    )
    a, b = random(5, 7), random(3, 5, seed=1)
    expected = b.copy()
    expected[1] = a[:, 2]
    np.testing.assert_array_equal(exe(a, b), expected)


def test_many_calls_stay_linear() -> None:
    """Each function calls the one before twice: 2^40 ops are refused at once."""
    t = "tensor<4xf32>"
    text = f"""func.func private @f0(%a: {t}) -> {t} {{
      %0 = arith.addf %a, %a : {t} return %0 : {t} }}"""
    for i in range(1, 41):
        text += f"""func.func {"private " if i < 40 else ""}@f{i}(%a: {t}) -> {t} {{
          %0 = func.call @f{i - 1}(%a) : ({t}) -> {t}
          %1 = func.call @f{i - 1}(%0) : ({t}) -> {t}
          return %1 : {t} }}"""
    with pytest.raises(CompileError, match="makes the function too large: expected at most 10485"):
        ttmlir.compile(text)
    # A long chain is no large one.
    chain = f"func.func private @g0(%a: {t}) -> {t} {{ return %a : {t} }}"
    for i in range(1, 2001):
        chain += f"""func.func {"private " if i < 2000 else ""}@g{i}(%a: {t}) -> {t} {{
          %0 = func.call @g{i - 1}(%a) : ({t}) -> {t}
          return %0 : {t} }}"""
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(ttmlir.compile(chain + "")(x), x)
