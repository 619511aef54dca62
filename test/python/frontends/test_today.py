"""TTIR as front ends write it since 2025: numbers of every op, and all that the form has."""

from __future__ import annotations

import contextlib
import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import today_cases
import today_composites
from op_definitions import installed
from today_form import Case
from today_programs import PROGRAMS, WHOLE, Program

import ttmlir
from ttmlir._lowering import Backend
from ttmlir.errors import CompileError

BACKENDS = get_args(Backend)
CASES = [*today_cases.CASES, *today_composites.CASES]
ROOT = Path(__file__).parents[3]


def ids(case: Case) -> str:
    return f"{case.op}-{'-'.join(case.inputs)}"


def results(found: Any) -> list[Any]:
    return list(found) if isinstance(found, (tuple, list)) else [found]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES, ids=ids)
def test_op(case: Case, backend: Backend) -> None:
    """The numbers of the same program in the form of 2024, and those of NumPy."""
    inputs = case.arrays()
    found = results(ttmlir.compile(case.text(), backend=backend)(*inputs))
    if case.own is not None:
        expected = results(ttmlir.compile(case.build(), backend=backend)(*inputs))
        for f, e in zip(found, expected, strict=True):
            np.testing.assert_array_equal(f, e)
    if case.numpy is not None:
        expected = results(case.numpy(*(np.asarray(x, np.float64) for x in inputs)))
        for f, e in zip(found, expected, strict=True):
            f, e = (np.asarray(a, dtype=np.float64) for a in (f, e))
            scale = max(1.0, float(np.max(np.abs(e), initial=0)))
            np.testing.assert_allclose(f, e, rtol=0, atol=case.tolerance * scale)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.about)
def test_program(program: Program, backend: Backend) -> None:
    """The same numbers as in the form of 2024."""
    options: dict[str, Any] = {"target": "n300"} if program.mesh else {}
    options["backend"] = backend
    found = results(ttmlir.compile(program.text, form="today", **options)(*program.inputs))
    expected = results(ttmlir.compile(program.build(), **options)(*program.inputs))
    for f, e in zip(found, expected, strict=True):
        assert f.dtype == e.dtype
        np.testing.assert_array_equal(f, e)


def test_every_op_of_the_table_has_a_program() -> None:
    """And each a program of the form of 2024 beside it."""
    command = [installed("llvm/bin/llvm-tblgen"), "--dump-json", f"-I{ROOT / 'cpp'}"]
    command += [ROOT / "cpp/conversion/TodayToTTIR/TodayOps.td"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    table = json.loads(done.stdout)
    rows = [table[name] for name in table["!instanceof"]["TodayOp"]]
    expressed = {row["name"] for row in rows if not row["refused"]}
    programs = {case.op for case in CASES if case.own is not None}
    programs |= {op for program in PROGRAMS for op in program.ops}
    assert expressed <= programs
    assert {case.op for case in CASES} <= expressed


CACHE = """
func.func @main(%cache: tensor<2x3x8x4xf32>, %x: tensor<1x3x5x4xf32>) -> tensor<2x3x8x4xf32> {
  %0 = "ttir.neg"(%cache) : (tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  "ttir.fill_cache"(%0, %x) <{batch_offset = 1 : i32}>
      : (tensor<2x3x8x4xf32>, tensor<1x3x5x4xf32>) -> ()
  %1 = "ttir.add"(%0, %cache) : (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %1 : tensor<2x3x8x4xf32>
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_changed_is_seen_behind(backend: Backend) -> None:
    rng = np.random.default_rng(0)
    cache = rng.standard_normal((2, 3, 8, 4)).astype(np.float32)
    x = rng.standard_normal((1, 3, 5, 4)).astype(np.float32)
    expected = -cache
    expected[1:2, :, :5] = x
    found = ttmlir.compile(CACHE, backend=backend)(cache, x)
    np.testing.assert_array_equal(found, expected + cache)


def with_destinations(case: Case, segments: bool) -> str:
    """The program as it was written in 2025."""
    text = case.text()
    empties = "".join(f"  %e{i} = ttir.empty() : tensor<{t}>\n" for i, t in enumerate(case.results))
    count = len(case.inputs)
    outs = [f"%e{i}" for i in range(len(case.results))]
    types = [f"tensor<{t}>" for t in case.results]
    line = next(line for line in text.splitlines() if f'"ttir.{case.op}"' in line)
    operands = ", ".join([*(f"%arg{i}" for i in range(count)), *outs])
    head, rest = line.split(f'"ttir.{case.op}"(')
    _, rest = rest.split(")", 1)
    attributes = re.match(r" <\{(.*)\}>", rest)
    given = [attributes.group(1)] if attributes else []
    if segments:
        given.append(f"operandSegmentSizes = array<i32: {count}, {len(outs)}>")
    signature = ", ".join([*(f"tensor<{t}>" for t in case.inputs), *types])
    results = f"({', '.join(types)})" if len(types) > 1 else types[0]
    made = f'{head}"ttir.{case.op}"({operands}) {{{", ".join(given)}}} : ({signature}) -> {results}'
    return text.replace(line, empties + made)


@pytest.mark.parametrize("segments", [False, True])
@pytest.mark.parametrize(
    "case",
    [
        case
        for case in CASES
        if "operandSegmentSizes" not in case.attributes
        and not case.is_changed
        and case.op != "chunked_scaled_dot_product_attention"  # It has one.
    ],
    ids=ids,
)
def test_destinations(case: Case, segments: bool) -> None:
    """Destinations of 2025, with and without segments: the same module."""
    from ttmlir._parsing import parse

    made = str(parse(with_destinations(case, segments)))
    assert made == str(parse(case.text()))


@pytest.mark.parametrize("backend", BACKENDS)
def test_shape_of_a_module(backend: Backend) -> None:
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    w = np.random.default_rng(1).standard_normal(8).astype(np.float32)
    exe = ttmlir.compile(WHOLE, backend=backend)
    np.testing.assert_allclose(exe(x, w), -(x + np.exp(w)), rtol=1e-6)
    assert len(exe.programs) == 1


def test_names_of_arguments_are_places() -> None:
    from ttmlir._parsing import parse

    module = parse(WHOLE)
    text = str(module.operation.get_asm(enable_debug_info=True))
    assert '"x"' in text
    assert '"w"' in text
    assert "ttcore" not in text
    assert "mhlo" not in text


MADE = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0 = "ttir.constant"() <{value = dense<[1.5, 2.5, 3.5]> : tensor<3xf32>}> : () -> tensor<3xf32>
  %1 = "ttir.full"() <{shape = array<i32: 3>, fill_value = 3.0 : f32}> : () -> tensor<3xf32>
  %2 = "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
  %3 = "ttir.zeros"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
  %4 = "ttir.arange"() <{start = 1 : si64, end = 7 : si64, step = 2 : si64,
      arange_dimension = 0 : i64}> : () -> tensor<3xf32>
  %5 = arith.constant dense<0.25> : tensor<3xf32>
  %6 = "ttir.add"(%x, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %7 = "ttir.add"(%6, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %8 = "ttir.add"(%7, %2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %9 = "ttir.add"(%8, %3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %10 = "ttir.add"(%9, %4) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %11 = "ttir.add"(%10, %5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %12 = "ttir.full"() <{shape = array<i32: 3>, fill_value = -2147483647 : i32}>
      : () -> tensor<3xi32>
  %13 = "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xi32>
  %14 = "ttir.add"(%12, %13) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %11, %14 : tensor<3xf32>, tensor<3xi32>
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_tensors_of_numbers(backend: Backend) -> None:
    x = np.zeros(3, np.float32)
    made, whole = ttmlir.compile(MADE, backend=backend)(x)
    np.testing.assert_array_equal(made, [6.75, 9.75, 12.75])
    np.testing.assert_array_equal(whole, [-2147483646] * 3)


MESH = """
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  func.func @main(%arg0: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %0 = "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: -1, 1>,
        shard_direction = #ttcore.shard_direction<full_to_shard>,
        shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}>
        : (tensor<8x64xf32>) -> tensor<8x32xf32>
    %1 = "ttir.all_reduce"(%0) <{cluster_axis = 1 : ui32,
        reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %2 = "ttir.all_gather"(%1) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}>
        : (tensor<8x32xf32>) -> tensor<8x64xf32>
    %3 = "ttir.reduce_scatter"(%2) <{cluster_axis = 1 : ui32, scatter_dim = 1 : si32,
        reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x64xf32>) -> tensor<8x32xf32>
    %4 = "ttir.mesh_shard"(%3) <{shard_dims = array<i64: -1, 1>,
        shard_direction = #ttcore.shard_direction<shard_to_full>,
        shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}>
        : (tensor<8x32xf32>) -> tensor<8x64xf32>
    return %4 : tensor<8x64xf32>
  }
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_mesh_of_the_module(backend: Backend) -> None:
    x = np.arange(8 * 64, dtype=np.float32).reshape(8, 64) / 64
    found = ttmlir.compile(MESH, backend=backend, target="n300")(x)
    half = x[:, :32] + x[:, 32:]
    np.testing.assert_allclose(found, 2 * np.concatenate([half, half], 1), rtol=1e-6)


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("i32", np.int32), ("si32", np.int32), ("ui32", np.uint32), ("ui8", np.uint8)],
)
def test_signs(element: str, dtype: Any) -> None:
    """An integer without a sign is signed."""
    exe = ttmlir.compile(
        f"func.func @main(%a: tensor<4x{element}>) -> tensor<4x{element}> {{\n"
        f'  %0 = "ttir.maximum"(%a, %a) : (tensor<4x{element}>, tensor<4x{element}>)'
        f" -> tensor<4x{element}>\n  return %0 : tensor<4x{element}>\n}}"
    )
    values = np.array([0, 1, 2, 200]).astype(dtype)
    if dtype is np.int32:
        values[3] = -200
    found = exe(values)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, values)


def test_both_forms_are_told_apart() -> None:
    from ttmlir._parsing import parse

    both = """func.func @f() -> tensor<2xi32> {
      %0 = "ttir.full"() <{shape = array<i32: 2>, fill_value = 3 : i32}> : () -> tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    assert "tensor<2xi32>" in str(parse(both))
    assert "tensor<2xsi32>" in str(parse(both, form="today"))
    marked = both.replace("module", "").replace(
        "@f()", "@f(%a: tensor<2xi32> {ttcore.argument_type = #ttcore.argument_type<input>})"
    )
    assert "tensor<2xsi32>" in str(parse(marked))
    # Strings and comments say nothing.
    assert "tensor<2xi32>" in str(parse("// ttcore.device_module\n" + both))
    with pytest.raises(CompileError, match="operandSegmentSizes"):
        parse(CASES[0].text(), form="2024")
    with pytest.raises(ttmlir.errors.Error, match="expected one of auto, today, 2024"):
        ttmlir.compile(both, form="2026")  # type: ignore[arg-type]


SEVERAL = """func.func @main(%a: tensor<4x4xf32>, %b: tensor<2xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.ad"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "ttir.exp"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "ttir.moe_gpt"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "ttir.softmax"(%a) <{dimension = "x"}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "ttir.exp"(%a, %b, %b)
      : (tensor<4x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}"""


def test_one_error_names_all() -> None:
    with pytest.raises(CompileError) as caught:
        ttmlir.compile(SEVERAL)
    found = caught.value.diagnostics
    assert [d.severity for d in found].count("error") == 1
    text = str(caught.value)
    assert "found 4 that cannot: 'ttir.ad', 'ttir.moe_gpt', 'ttir.softmax', 'ttir.exp'" in text
    for line, message in [
        (2, "did you mean 'add'?"),
        (4, "it is made for one library's kernels"),
        (5, "attribute 'dimension': expected si32"),
        (6, "expected 1 operands, found 3"),
    ]:
        assert any(f":{line}:" in str(d) and message in str(d) for d in found), (line, text)


@pytest.mark.parametrize("seed", range(60))
def test_garbage_is_an_error(seed: int) -> None:
    """Texts with pieces lost, exchanged and doubled: an error, or a module."""
    from ttmlir._parsing import parse

    rng = random.Random(seed)
    sources = [WHOLE, MESH, SEVERAL, *(case.text() for case in CASES)]
    for _ in range(20):
        text = rng.choice(sources)
        pieces = re.findall(r"\w+|\s+|.", text)
        for _ in range(rng.randint(1, 6)):
            if not pieces:
                break
            at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
            kind = rng.randrange(5)
            if kind == 0:
                del pieces[at]
            elif kind == 1:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            elif kind == 2:
                pieces.insert(at, pieces[other])
            elif kind == 3 and (numbers := [i for i, p in enumerate(pieces) if p.isdigit()]):
                pieces[rng.choice(numbers)] = rng.choice(["0", "-1", "2", "7", "4294967296"])
            else:
                pieces = pieces[: max(1, at)] if rng.random() < 0.1 else pieces
        form: Any = rng.choice(["auto", "today"])
        with contextlib.suppress(CompileError):
            parse("".join(pieces), form=form)


NARROWED = """
func.func @main(%a: tensor<4x8xf32>, %n: tensor<8xi64>) -> (tensor<4x8xf32>, tensor<8xi64>) {
  %0 = "ttir.mean"(%a) <{keep_dim = false}> : (tensor<4x8xf32>) -> tensor<f32>
  %1 = "ttir.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %2 = "ttir.multiply"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = "ttir.gt"(%a, %2) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi1>
  %4 = "ttir.where"(%3, %a, %2)
      : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %5 = "ttir.constant"() <{value = dense<-3> : tensor<i64>}> : () -> tensor<i64>
  %6 = "ttir.add"(%n, %5) : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  return %4, %6 : tensor<4x8xf32>, tensor<8xi64>
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_scalars_truth_and_wide_integers(backend: Backend) -> None:
    a = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    n = np.arange(-4, 4, dtype=np.int64)
    found, whole = ttmlir.compile(NARROWED, backend=backend)(a, n)
    twice = 2 * a.astype(np.float64).mean()
    np.testing.assert_allclose(found, np.where(a > twice, a, twice), rtol=1e-6)
    assert whole.dtype == np.int64
    np.testing.assert_array_equal(whole, n - 3)
