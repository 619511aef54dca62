"""Loops and conditions on both backends, against the same ops without them."""

from __future__ import annotations

import signal
import threading
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime
from ttmlir.errors import StepLimitFault

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]
ANY = "#tt.operand_constraint<any_device>"


def op(name: str, result: str, inputs: list[str], type: str) -> str:
    """``result`` is what the op makes of the inputs, all of one type."""
    constraints = ", ".join([ANY] * (len(inputs) + 1))
    types = ", ".join([type] * (len(inputs) + 1))
    return (
        f"{result}_e = tensor.empty() : {type}\n"
        f'{result} = "ttir.{name}"({", ".join(inputs)}, {result}_e) '
        f"<{{operandSegmentSizes = array<i32: {len(inputs)}, 1>, "
        f"operand_constraints = [{constraints}]}}> : ({types}) -> {type}\n"
    )


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def steps(x: str, result: str, type: str) -> str:
    """What the loops compute in a turn."""
    return op("multiply", f"{result}_p", [x, "%b"], type) + op(
        "add", result, [f"{result}_p", "%a"], type
    )


def unrolled(count: int, type: str) -> str:
    body = "".join(steps("%a" if i == 0 else f"%x{i - 1}", f"%x{i}", type) for i in range(count))
    last = f"%x{count - 1}" if count else "%a"
    return f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n{body}return {last} : {type}\n}}"


def looped(count: int, type: str) -> str:
    return f"""func.func @f(%a: {type}, %b: {type}) -> {type} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant {count} : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> ({type}) {{
        {steps("%x", "%y", type)}
        scf.yield %y : {type}
      }}
      return %r : {type}
    }}"""


def nested(outer: int, inner: int, type: str) -> str:
    return f"""func.func @f(%a: {type}, %b: {type}) -> {type} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = arith.constant {outer} : index
      %n = arith.constant {inner} : index
      %r = scf.for %i = %c0 to %m step %c1 iter_args(%x = %a) -> ({type}) {{
        %s = scf.for %j = %c0 to %n step %c1 iter_args(%z = %x) -> ({type}) {{
          {steps("%z", "%y", type)}
          scf.yield %y : {type}
        }}
        scf.yield %s : {type}
      }}
      return %r : {type}
    }}"""


COUNTED = """func.func @f(%n: tensor<1xi32>, %a: {type}, %b: {type}) -> ({type}, tensor<1xi32>) {{
  %z = arith.constant 0 : index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = tensor.extract %n[%z] : tensor<1xi32>
  %r:2 = scf.while (%i = %c0, %x = %a) : (i32, {type}) -> (i32, {type}) {{
    %lt = arith.cmpi slt, %i, %m : i32
    scf.condition(%lt) %i, %x : i32, {type}
  }} do {{
  ^bb0(%i: i32, %x: {type}):
    %j = arith.addi %i, %c1 : i32
    {body}
    scf.yield %j, %y : i32, {type}
  }}
  %o = tensor.from_elements %r#0 : tensor<1xi32>
  return %r#1, %o : {type}, tensor<1xi32>
}}"""

BRANCH = """func.func @f(%n: tensor<1xi32>, %a: {type}, %b: {type}) -> {type} {{
  %z = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %m = tensor.extract %n[%z] : tensor<1xi32>
  %k = arith.index_cast %m : i32 to index
  %large = arith.cmpi sgt, %m, %c1 : i32
  %r = scf.if %large -> {type} {{
    {body}
    scf.yield %y : {type}
  }} else {{
    scf.yield %a : {type}
  }}
  %s = scf.index_switch %k -> {type}
  case 1 {{
    scf.yield %b : {type}
  }}
  case 4 {{
    {again}
    scf.yield %w : {type}
  }}
  default {{
    scf.yield %r : {type}
  }}
  return %s : {type}
}}"""

SHAPES = ((64, 96), (33, 65), (2, 40, 50))


def tensor(shape: tuple[int, ...], element: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_for_is_the_unrolled_program(backend: Any, shape: tuple[int, ...]) -> None:
    a, b = random(*shape), random(*shape, seed=1)
    for count in (0, 1, 2, 7):
        expected = ttmlir.compile(unrolled(count, tensor(shape)), backend=backend)(a, b)
        found = ttmlir.compile(looped(count, tensor(shape)), backend=backend)(a, b)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_nested_loops(backend: Any) -> None:
    a, b = random(33, 65), random(33, 65, seed=1)
    expected = ttmlir.compile(unrolled(6, tensor((33, 65))), backend=backend)(a, b)
    found = ttmlir.compile(nested(3, 2, tensor((33, 65))), backend=backend)(a, b)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_while_counts_at_run_time(backend: Any) -> None:
    type = tensor((33, 65))
    program = COUNTED.format(type=type, body=steps("%x", "%y", type))
    exe = ttmlir.compile(program, backend=backend)
    a, b = random(33, 65), random(33, 65, seed=1)
    for count in (0, 1, 5, 2**32 - 3):  # the last one is -3
        turns = count if count < 2**31 else 0
        expected = ttmlir.compile(unrolled(turns, type), backend=backend)(a, b)
        found, counted = exe(np.array([count], np.uint32), a, b)
        np.testing.assert_array_equal(found, expected)
        assert counted == turns


@pytest.mark.parametrize("backend", BACKENDS)
def test_branches(backend: Any) -> None:
    type = tensor((33, 65))
    program = BRANCH.format(
        type=type,
        body=op("add", "%y", ["%a", "%b"], type),
        again=op("subtract", "%w", ["%r", "%b"], type),
    )
    exe = ttmlir.compile(program, backend=backend)
    a, b = random(33, 65), random(33, 65, seed=1)
    for number, expected in {0: a, 1: b, 2: a + b, 4: (a + b) - b}.items():
        found = exe(np.array([number], np.uint32), a, b)
        np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_carried_in_l1(backend: Any) -> None:
    """A layout that the program states for what it carries."""
    layout = (
        "#tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, "
        "memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, block_sharded>"
    )
    host = (
        "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
        "memref<64x64xf32, #tt.memory_space<system>>>"
    )
    plain, placed = f"tensor<64x64xf32, {host}>", f"tensor<64x64xf32, {layout}>"
    move = '{0}_e = tensor.empty() : {2}\n{0} = "ttir.to_layout"({1}, {0}_e) : ({3}, {2}) -> {2}\n'
    program = f"""func.func @f(%a: {plain}, %b: {plain}) -> {plain} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 5 : index
      {move.format("%p", "%a", placed, plain)}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> ({placed}) {{
        %y_e = tensor.empty() : {placed}
        %y = "ttir.add"(%x, %x, %y_e) <{{operandSegmentSizes = array<i32: 2, 1>,
          operand_constraints = [{ANY}, {ANY}, {ANY}]}}>
          : ({placed}, {placed}, {placed}) -> {placed}
        scf.yield %y : {placed}
      }}
      {move.format("%o", "%r", plain, placed)}
      return %o : {plain}
    }}"""
    a = random(64, 64)
    found = ttmlir.compile(program, backend=backend)(a, a)
    np.testing.assert_array_equal(found, a * 32)


@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers(backend: Any) -> None:
    """Numbers that a loop computes, and places of tensors that it computes."""
    program = """func.func @f(%t: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %half = arith.constant 0.5 : f32
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t) -> (tensor<4x6xf32>) {
        %v = tensor.extract %x[%i, %c2] : tensor<4x6xf32>
        %w = arith.mulf %v, %half : f32
        %s = math.exp %w : f32
        %u = tensor.insert %s into %x[%i, %i] : tensor<4x6xf32>
        scf.yield %u : tensor<4x6xf32>
      }
      return %r : tensor<4x6xf32>
    }"""
    # Without an op of TTIR the text is one of a front end.
    program = program.replace("return %r", op("abs", "%q", ["%r"], "tensor<4x6xf32>") + "return %q")
    t = random(4, 6)
    expected = t.copy()
    for i in range(4):
        expected[i, i] = np.exp(expected[i, 2] / 2)
    found = ttmlir.compile(program, backend=backend)(t)
    np.testing.assert_allclose(found, np.abs(expected), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_linalg(backend: Any) -> None:
    program = """func.func @f(%x: tensor<32x48xf32>, %w: tensor<48x48xf32>) -> tensor<32x48xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %z = arith.constant 0.0 : f32
      %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> tensor<32x48xf32> {
        %e = tensor.empty() : tensor<32x48xf32>
        %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
        %m = linalg.matmul ins(%a, %w : tensor<32x48xf32>, tensor<48x48xf32>)
          outs(%f : tensor<32x48xf32>) -> tensor<32x48xf32>
        scf.yield %m : tensor<32x48xf32>
      }
      return %r : tensor<32x48xf32>
    }"""
    x, w = random(32, 48), random(48, 48, seed=1) / 7
    expected = x
    for _ in range(5):
        expected = expected @ w
    found = ttmlir.compile(program, backend=backend)(x, w)
    np.testing.assert_allclose(found, expected, atol=2e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_tosa(backend: Any) -> None:
    program = """func.func @f(%n: tensor<i32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %point = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r:2 = tosa.while_loop (%i = %zero, %a = %x)
          : (tensor<i32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4x4xf32>) {
        %c = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tosa.yield %c : tensor<i1>
      } do {
      ^bb0(%i: tensor<i32>, %a: tensor<4x4xf32>):
        %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %b = tosa.add %a, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        tosa.yield %j, %b : tensor<i32>, tensor<4x4xf32>
      }
      %c = tosa.greater %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s = tosa.cond_if %c (%y = %r#1) : tensor<i1> (tensor<4x4xf32>) -> tensor<4x4xf32> {
      ^bb0(%y: tensor<4x4xf32>):
        %q = tosa.negate %y, %point, %point
          : (tensor<4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x4xf32>
        tosa.yield %q : tensor<4x4xf32>
      } else {
      ^bb0(%y: tensor<4x4xf32>):
        tosa.yield %y : tensor<4x4xf32>
      }
      return %s : tensor<4x4xf32>
    }"""
    exe = ttmlir.compile(program, backend=backend)
    x = random(4, 4)
    for n in (0, 1, 3):
        found = exe(np.array(n, np.int32), x)
        np.testing.assert_allclose(found, x * (n + 1) * (-1 if n > 1 else 1), rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_loop_that_does_not_end(backend: Any) -> None:
    type = tensor((32, 32))
    exe = ttmlir.compile(COUNTED.format(type=type, body=steps("%x", "%y", type)), backend=backend)
    a = random(32, 32) / 8
    many = np.array([2**31 - 1], np.uint32)
    runtime.set_device_options(exe.device, runtime.DeviceOptions(step_limit=2000))
    with pytest.raises(StepLimitFault, match="the loop 'while'.* has taken 2000 turns"):
        exe(many, a, a)
    runtime.set_device_options(exe.device, runtime.DeviceOptions())
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        exe(many, a, a)
    timer.join()
    # The device goes on.
    assert exe(np.array([2], np.uint32), a, a)[1] == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_reports_have_the_turns(backend: Any) -> None:
    type = tensor((32, 32))
    exe = ttmlir.compile(COUNTED.format(type=type, body=steps("%x", "%y", type)), backend=backend)
    a = random(32, 32) / 8
    runtime.enable_report(exe.device, True)
    try:
        exe(np.array([3], np.uint32), a, a)
        names = [op.name for op in runtime.get_report(exe.device).ops]
    finally:
        runtime.enable_report(exe.device, False)
    reads = "while" if backend == "ttnn" else "read_condition"
    assert names.count(reads) == 4
