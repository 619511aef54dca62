"""TOSA's variables on both backends: they keep their values from call to call."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime
from ttmlir.errors import CompileError, Fault

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]


def sums(shape: str, initial: str = "") -> str:
    """Adds inputs up; another program reads the sum, a third one sets it."""
    t = f"tensor<{shape}>"
    return f"""tosa.variable @sum{f" = {initial} :" if initial else " :"} {t}
    func.func @add(%a: {t}) -> {t} {{
      %0 = tosa.variable_read @sum : {t}
      %1 = tosa.add %0, %a : ({t}, {t}) -> {t}
      tosa.variable_write @sum, %1 : {t}
      return %1 : {t}
    }}
    func.func @get() -> {t} {{
      %0 = tosa.variable_read @sum : {t}
      return %0 : {t}
    }}
    func.func @set(%a: {t}) {{
      tosa.variable_write @sum, %a : {t}
      return
    }}"""


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> Array:
    return np.random.default_rng(seed).integers(-50, 50, shape).astype(dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("text", "shape", "dtype"),
    [
        ("33x65xf32", (33, 65), "float32"),
        ("1x2x40x50xf32", (1, 2, 40, 50), "float32"),
        ("512x1024xf32", (512, 1024), "float32"),
        ("7xi32", (7,), "int32"),
        ("i32", (), "int32"),
    ],
)
def test_values_stay(backend: str, text: str, shape: tuple[int, ...], dtype: str) -> None:
    exe = ttmlir.compile(sums(text), backend=backend)
    assert [p.variables for p in exe.programs] == [("sum",)] * 3
    assert [len(p.inputs) for p in exe.programs] == [1, 0, 1]
    assert [len(p.outputs) for p in exe.programs] == [1, 1, 0]
    total = np.zeros(shape, dtype)
    np.testing.assert_array_equal(exe(program="get"), total)
    for seed in range(3):
        a = numbers(shape, dtype, seed)
        total = total + a
        np.testing.assert_array_equal(exe(a, program="add"), total)
    np.testing.assert_array_equal(exe(program="get"), total)
    exe(numbers(shape, dtype, 9), program="set")
    np.testing.assert_array_equal(exe(program="get"), numbers(shape, dtype, 9))


@pytest.mark.parametrize("backend", BACKENDS)
def test_initial_values(backend: str) -> None:
    exe = ttmlir.compile(sums("2x2xf32", "dense<[[1.0, 2.0], [3.0, 4.5]]>"), backend=backend)
    first = np.array([[1, 2], [3, 4.5]], np.float32)
    np.testing.assert_array_equal(exe(program="get"), first)
    np.testing.assert_array_equal(exe(first, program="add"), 2 * first)
    exe.reset_variables()
    np.testing.assert_array_equal(exe(program="get"), first)
    splat = ttmlir.compile(sums("40x50xf32", "dense<-1.5>"), backend=backend)
    np.testing.assert_array_equal(splat(program="get"), np.full((40, 50), -1.5, np.float32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("initial", ["", "dense<true>", "dense<[true, false, true]>"])
def test_of_truth_values(backend: str, initial: str) -> None:
    t = "tensor<3xi1>"
    exe = ttmlir.compile(
        f"""tosa.variable @flag{f" = {initial} :" if initial else " :"} {t}
        func.func @flip() -> {t} {{
          %0 = tosa.variable_read @flag : {t}
          %1 = tosa.logical_not %0 : ({t}) -> {t}
          tosa.variable_write @flag, %1 : {t}
          return %0 : {t}
        }}""",
        backend=backend,
    )
    first = {"": [0, 0, 0], "dense<true>": [1, 1, 1]}.get(initial, [1, 0, 1])
    for turn in range(3):
        expected = np.array(first, bool) ^ bool(turn % 2)
        np.testing.assert_array_equal(exe(), expected)


LOOP = """tosa.variable @n = dense<2> : tensor<i32>
tosa.variable @x : tensor<33x65xf32>
func.func @f(%turns: tensor<i32>, %a: tensor<33x65xf32>, %c: tensor<i1>) -> tensor<i32> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r = tosa.while_loop (%i = %zero) : (tensor<i32>) -> tensor<i32> {
    %0 = tosa.greater %turns, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %0 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %0 = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %x = tosa.variable_read @x : tensor<33x65xf32>
    %y = tosa.add %x, %a : (tensor<33x65xf32>, tensor<33x65xf32>) -> tensor<33x65xf32>
    tosa.variable_write @x, %y : tensor<33x65xf32>
    %z = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
      %n = tosa.variable_read @n : tensor<i32>
      %m = tosa.add %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tosa.variable_write @n, %m : tensor<i32>
      tosa.yield %0 : tensor<i32>
    } else {
      tosa.yield %0 : tensor<i32>
    }
    tosa.yield %z : tensor<i32>
  }
  %n = tosa.variable_read @n : tensor<i32>
  return %n : tensor<i32>
}
func.func @get() -> tensor<33x65xf32> {
  %0 = tosa.variable_read @x : tensor<33x65xf32>
  return %0 : tensor<33x65xf32>
}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_in_control_flow(backend: str) -> None:
    exe = ttmlir.compile(LOOP, backend=backend)
    a = numbers((33, 65), "float32", 0)
    n, x = 2, np.zeros_like(a)
    for turns, doubles in [(3, True), (0, True), (2, False), (1, True)]:
        n, x = n * 2 ** (turns * doubles), x + turns * a
        assert exe(np.int32(turns), a, np.bool_(doubles)) == n
        np.testing.assert_array_equal(exe(program="get"), x)


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_device_has_its_own(backend: str) -> None:
    exe = ttmlir.compile(sums("32x32xf32"), backend=backend)
    a = numbers((32, 32), "float32", 0)
    exe(a, program="add")
    other = runtime.open_system(exe.system_desc)
    np.testing.assert_array_equal(exe(program="get", device=other), np.zeros_like(a))
    exe(2 * a, program="set", device=other)
    np.testing.assert_array_equal(exe(program="get"), a)
    np.testing.assert_array_equal(exe(program="get", device=other), 2 * a)
    runtime.close_device(other)


@pytest.mark.parametrize("backend", BACKENDS)
def test_reports_change_nothing(backend: str) -> None:
    exe = ttmlir.compile(sums("32x32xf32", "dense<1.0>"), backend=backend)
    a = numbers((32, 32), "float32", 0)
    exe(a, program="add")
    assert exe.report(program="add").cycles > 0
    np.testing.assert_array_equal(exe(program="get"), 1 + a)


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_executables_have_their_own(backend: str, tmp_path: Path) -> None:
    exe = ttmlir.compile(sums("32x32xf32", "dense<1.0>"), backend=backend)
    a = numbers((32, 32), "float32", 0)
    exe(a, program="add")
    exe.save(tmp_path / "sum.bin")
    for other in (ttmlir.load(tmp_path / "sum.bin"), pickle.loads(pickle.dumps(exe))):
        np.testing.assert_array_equal(other(program="get"), np.ones_like(a))
    np.testing.assert_array_equal(exe(program="get"), 1 + a)


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_that_stay_on_the_device_are_others(backend: str) -> None:
    """Freeing one does not free the variable."""
    options: dict[str, Any] = {"results_on_device": True} if backend == "ttnn" else {}
    exe = ttmlir.compile(sums("32x64xf32"), backend=backend, **options)
    a = numbers((32, 64), "float32", 0)
    kept = exe(a, program="add", keep_on_device=True)
    kept.deallocate()
    np.testing.assert_array_equal(exe(program="get"), a)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_run_that_fails_changes_nothing(backend: str) -> None:
    text = LOOP.replace("tosa.greater %turns, %i", "tosa.greater %i, %turns").replace(
        "tosa.add %i, %one", "tosa.add %i, %zero"
    )
    exe = ttmlir.compile(text, backend=backend)
    device = runtime.open_system(exe.system_desc)
    runtime.set_device_options(device, runtime.DeviceOptions(step_limit=5))
    a = numbers((33, 65), "float32", 0)
    with pytest.raises(Fault):
        exe(np.int32(-1), a, np.bool_(True), device=device)
    runtime.set_device_options(device, runtime.DeviceOptions())
    np.testing.assert_array_equal(exe(program="get", device=device), np.zeros_like(a))
    runtime.close_device(device)


@pytest.mark.parametrize("backend", BACKENDS)
def test_they_are_on_the_device(backend: str) -> None:
    """A run brings neither the variable nor its new value over the border."""
    exe = ttmlir.compile(
        """tosa.variable @x : tensor<512x512xf32>
        func.func @f() {
          %0 = tosa.variable_read @x : tensor<512x512xf32>
          %1 = tosa.tanh %0 : (tensor<512x512xf32>) -> tensor<512x512xf32>
          tosa.variable_write @x, %1 : tensor<512x512xf32>
          return
        }""",
        backend=backend,
    )
    exe()
    assert all(op.parts.host == 0 for op in exe.report().ops)


def test_wrong_programs() -> None:
    t = "tensor<4xf32>"
    for body, message in [
        (f"%0 = tosa.variable_read @y : {t}", "'y' has not been declared by 'tosa.variable'"),
        ("%0 = tosa.variable_read @x : tensor<5xf32>", "require same shapes for 'output1'"),
    ]:
        with pytest.raises(CompileError, match=message):
            ttmlir.compile(
                f"""tosa.variable @x : {t}
                func.func @f(%a: {t}) -> {t} {{
                  {body}
                  return %a : {t}
                }}"""
            )
