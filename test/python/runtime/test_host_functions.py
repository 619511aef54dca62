"""Functions hoisted to the host, on both backends: what they compute, and that the device has no
part in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir.errors import CompileError

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def hoisted(signature: str, device: str, declaration: str, host: str) -> str:
    """A module of today's form: a program and functions of the host."""
    return f"""module {{
      ttcore.device_module {{ builtin.module {{
        func.func private {declaration} attributes {{tt.function_type = "forward_cpu_declaration"}}
        func.func @main{signature} {{ {device} }}
      }} }}
      ttcore.cpu_module {{ builtin.module {{ {host} }} }}
    }}"""


SOFTMAX = hoisted(
    "(%x: tensor<33x257xf32>, %w: tensor<257x65xf32>) -> tensor<33x65xf32>",
    """%0 = "ttir.relu"(%x) : (tensor<33x257xf32>) -> tensor<33x257xf32>
    %1 = call @head_decl(%0, %w) {ttir.cpu_hoisted_call}
      : (tensor<33x257xf32>, tensor<257x65xf32>) -> tensor<33x65xf32>
    %2 = "ttir.multiply"(%1, %1) : (tensor<33x65xf32>, tensor<33x65xf32>) -> tensor<33x65xf32>
    return %2 : tensor<33x65xf32>""",
    "@head_decl(tensor<33x257xf32>, tensor<257x65xf32>) -> tensor<33x65xf32>",
    """func.func @head(%x: tensor<33x257xf32>, %w: tensor<257x65xf32>) -> tensor<33x65xf32>
        attributes {arg_ranks = [2, 2, 2], tt.function_type = "forward_cpu"} {
      %0 = "ttir.matmul"(%x, %w) : (tensor<33x257xf32>, tensor<257x65xf32>) -> tensor<33x65xf32>
      %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<33x65xf32>) -> tensor<33x65xf32>
      return %1 : tensor<33x65xf32>
    }""",
)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))


@pytest.mark.parametrize("backend", BACKENDS)
def test_ops_of_ttir(backend: str) -> None:
    exe = ttmlir.compile(SOFTMAX, backend=backend)
    x, w = random(33, 257), random(257, 65, seed=1)
    expected = softmax(np.maximum(x, 0).astype(np.float64) @ w) ** 2
    for _ in range(2):
        np.testing.assert_allclose(exe(x, w), expected, rtol=2e-2, atol=1e-4)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_device_has_no_part_in_it(backend: str) -> None:
    report = ttmlir.compile(SOFTMAX, backend=backend).report()
    host = [op for op in report.ops if op.name.startswith("host.")]
    assert [op.name for op in host if op.name not in ("host.empty",)] == [
        "host.matmul",
        "host.softmax",
    ]
    assert all(op.cycles == 0 and op.dram_read_bytes == 0 for op in host)
    assert report.cycles > 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_agree_in_every_bit(backend: str) -> None:
    """The host computes in f32, whatever the device is."""
    text = hoisted(
        "(%x: tensor<4x50xf32>) -> tensor<4x50xf32>",
        """%0 = call @f_decl(%x) {ttir.cpu_hoisted_call} : (tensor<4x50xf32>) -> tensor<4x50xf32>
        return %0 : tensor<4x50xf32>""",
        "@f_decl(tensor<4x50xf32>) -> tensor<4x50xf32>",
        """func.func @f(%x: tensor<4x50xf32>) -> tensor<4x50xf32> {
          %0 = "ttir.add"(%x, %x) : (tensor<4x50xf32>, tensor<4x50xf32>) -> tensor<4x50xf32>
          %1 = "ttir.multiply"(%0, %x) : (tensor<4x50xf32>, tensor<4x50xf32>) -> tensor<4x50xf32>
          return %1 : tensor<4x50xf32>
        }""",
    )
    x = random(4, 50)
    np.testing.assert_array_equal(ttmlir.compile(text, backend=backend)(x), (x + x) * x)


GENERIC = """func.func @f(%x: tensor<20x30xf32>, %n: tensor<20x30xi64>)
        -> (tensor<20x30xf32>, tensor<20x30xi64>) {
      %e = tensor.empty() : tensor<20x30xf32>
      %0 = linalg.generic {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"]
      } ins(%x : tensor<20x30xf32>) outs(%e : tensor<20x30xf32>) {
      ^bb0(%a: f32, %b: f32):
        %t = math.tanh %a : f32
        %s = arith.addf %t, %a : f32
        linalg.yield %s : f32
      } -> tensor<20x30xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %0) -> (tensor<20x30xf32>) {
        %z = func.call @double(%y) : (tensor<20x30xf32>) -> tensor<20x30xf32>
        scf.yield %z : tensor<20x30xf32>
      }
      %2 = arith.addi %n, %n : tensor<20x30xi64>
      return %1, %2 : tensor<20x30xf32>, tensor<20x30xi64>
    }
    func.func @double(%x: tensor<20x30xf32>) -> tensor<20x30xf32> {
      %0 = arith.addf %x, %x : tensor<20x30xf32>
      return %0 : tensor<20x30xf32>
    }"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_ops_of_linalg_with_control_flow(backend: str) -> None:
    text = hoisted(
        "(%x: tensor<20x30xf32>, %n: tensor<20x30xi64>) -> (tensor<20x30xf32>, tensor<20x30xi64>)",
        """%0 = "ttir.neg"(%x) : (tensor<20x30xf32>) -> tensor<20x30xf32>
        %1:2 = call @f_decl(%0, %n) {ttir.cpu_hoisted_call}
          : (tensor<20x30xf32>, tensor<20x30xi64>) -> (tensor<20x30xf32>, tensor<20x30xi64>)
        return %1#0, %1#1 : tensor<20x30xf32>, tensor<20x30xi64>""",
        "@f_decl(tensor<20x30xf32>, tensor<20x30xi64>) -> (tensor<20x30xf32>, tensor<20x30xi64>)",
        GENERIC,
    )
    x = random(20, 30)
    n = np.arange(600, dtype=np.int64).reshape(20, 30) - 300
    y, twice = ttmlir.compile(text, backend=backend)(x, n)
    np.testing.assert_allclose(y, 8 * (np.tanh(-x) - x), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(twice, 2 * n)
    assert twice.dtype == np.int64


@pytest.mark.parametrize("backend", BACKENDS)
def test_called_often_and_with_changed_arguments(backend: str) -> None:
    """A function is compiled once; what it changes of its arguments is changed in the caller."""
    cache, row = "tensor<1x2x8x32xf32>", "tensor<1x2x3x32xf32>"
    text = hoisted(
        f"(%c: {cache}, %r: {row}) -> {cache}",
        f"""call @fill_decl(%c, %r) {{ttir.cpu_hoisted_call}} : ({cache}, {row}) -> ()
        %0 = "ttir.add"(%r, %r) : ({row}, {row}) -> {row}
        %1 = "ttir.add"(%c, %c) : ({cache}, {cache}) -> {cache}
        call @fill_decl(%1, %0) {{ttir.cpu_hoisted_call}} : ({cache}, {row}) -> ()
        return %1 : {cache}""",
        f"@fill_decl({cache}, {row}) -> ()",
        f"""func.func @fill(%c: {cache}, %r: {row}) {{
          "ttir.fill_cache"(%c, %r) <{{batch_offset = 0 : i32}}> : ({cache}, {row}) -> ()
          return
        }}""",
    )
    exe = ttmlir.compile(text, backend=backend)
    assert exe.mlir.count("tt.call(@fill,") == 2
    assert exe.mlir.count("func.func private @fill(") == 1
    c, r = random(1, 2, 8, 32), random(1, 2, 3, 32, seed=1)
    expected = 2 * c
    expected[:, :, :3] = 2 * r
    np.testing.assert_allclose(exe(c, r), expected, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_on_a_mesh(backend: str) -> None:
    t = "tensor<32x64xf32>"
    text = hoisted(
        f"(%x: {t}) -> {t}",
        f"""%0 = "ttir.add"(%x, %x) : ({t}, {t}) -> {t}
        %1 = call @f_decl(%0) {{ttir.cpu_hoisted_call}} : ({t}) -> {t}
        %2 = "ttir.neg"(%1) : ({t}) -> {t}
        return %2 : {t}""",
        f"@f_decl({t}) -> {t}",
        f"""func.func @f(%x: {t}) -> {t} {{
          %0 = "ttir.relu"(%x) : ({t}) -> {t}
          return %0 : {t}
        }}""",
    )
    x = random(32, 64)
    exe = ttmlir.compile(text, backend=backend, target="n300", mesh_shape=(1, 2))
    np.testing.assert_allclose(exe(x), -np.maximum(2 * x, 0), rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_in_own_form(backend: str) -> None:
    """Constants that are made there, and a file that is loaded again."""
    t, any_ = "tensor<8x8xf32>", "#tt.operand_constraint<any_device>"
    exe = ttmlir.compile(
        f"""func.func @main(%x: {t}) -> {t} {{
          %0 = tt.call(@f, [%x]) : ({t}) -> {t}
          return %0 : {t}
        }}
        func.func private @f(%x: {t}) -> {t} attributes {{tt.host, tt.part}} {{
          %c = "ttir.constant"() <{{value = dense<2.5> : {t}}}> : () -> {t}
          %e = tensor.empty() : {t}
          %0 = "ttir.multiply"(%x, %c, %e) <{{operandSegmentSizes = array<i32: 2, 1>,
            operand_constraints = [{any_}, {any_}, {any_}]}}> : ({t}, {t}, {t}) -> {t}
          return %0 : {t}
        }}""",
        backend=backend,
    )
    x = random(8, 8)
    np.testing.assert_array_equal(exe(x), x * np.float32(2.5))
    assert exe.inputs[0].shape == (8, 8)
    assert [p.name for p in exe.programs] == ["main"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_in_a_loop_of_the_device(backend: str) -> None:
    t, any_ = "tensor<33x65xf32>", "#tt.operand_constraint<any_device>"
    exe = ttmlir.compile(
        f"""func.func @main(%x: {t}) -> {t} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> ({t}) {{
            %e = tensor.empty() : {t}
            %z = "ttir.add"(%y, %x, %e) <{{operandSegmentSizes = array<i32: 2, 1>,
              operand_constraints = [{any_}, {any_}, {any_}]}}> : ({t}, {t}, {t}) -> {t}
            %w = tt.call(@f, [%z]) : ({t}) -> {t}
            scf.yield %w : {t}
          }}
          return %r : {t}
        }}
        func.func private @f(%x: {t}) -> {t} attributes {{tt.host, tt.part}} {{
          %e = tensor.empty() : {t}
          %0 = "ttir.tanh"(%x, %e) <{{operandSegmentSizes = array<i32: 1, 1>,
            operand_constraints = [{any_}, {any_}]}}> : ({t}, {t}) -> {t}
          return %0 : {t}
        }}""",
        backend=backend,
    )
    x = random(33, 65) / 4
    expected = x.astype(np.float64)
    for _ in range(3):
        expected = np.tanh(expected + x)
    np.testing.assert_allclose(exe(x), expected, atol=1e-6)
    names = [op.name for op in exe.report().ops]
    assert names.count("host.eltwise.tanh") == 3


def test_what_cannot_be_expressed() -> None:
    t = "tensor<4xf32>"

    def compile_(host: str) -> None:
        ttmlir.compile(
            hoisted(
                f"(%x: {t}) -> {t}",
                f"%0 = call @f_decl(%x) {{ttir.cpu_hoisted_call}} : ({t}) -> {t} return %0 : {t}",
                f"@f_decl({t}) -> {t}",
                host,
            )
        )

    for host, message in [
        ("", "the body of 'f_decl' is not in the program"),
        (
            f'func.func @f(%x: {t}) -> {t} {{ %0 = "stablehlo.add"(%x, %x) : ({t}, {t}) -> {t} '
            f"return %0 : {t} }}",
            "'stablehlo.add' cannot be expressed: expected ops of ttir and func.call, or those of",
        ),
        (
            f"func.func @f(%x: {t}) -> {t} {{ %0 = func.call @f(%x) : ({t}) -> {t} "
            f"return %0 : {t} }}",
            "function 'f' calls itself",
        ),
        (
            f"func.func @f(%x: {t}) -> {t} {{ %0 = func.call @f(%x) : ({t}) -> {t} "
            f"%1 = arith.addf %0, %0 : {t} return %1 : {t} }}",
            "calls a function that is running, 'f'",
        ),
    ]:
        with pytest.raises(CompileError) as caught:
            compile_(host)
        errors = [d for d in caught.value.diagnostics if d.severity == "error"]
        assert len(errors) == 1 and message in str(caught.value)
