"""What a program may be given as, and what cannot be imported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import ttmlir
from ttmlir.errors import CompileError, FileError
from ttmlir.frontends.stablehlo import TensorType, import_module
from ttmlir.frontends.stablehlo._locations import place_of

X = np.ones((4, 8), np.float32)
TEXT = """
func.func @main(%x: tensor<4xbf16>, %n: tensor<i1>) -> (tensor<4xbf16>, tensor<i1>) {
  %0 = stablehlo.add %x, %x : tensor<4xbf16>
  return %0, %n : tensor<4xbf16>, tensor<i1>
}
"""


def top(x: Any) -> Any:
    return jax.lax.top_k(jnp.sinh(x), 2)


def exported() -> Any:
    return export.export(jax.jit(top), platforms=["tt"])(X)


def lowered() -> Any:
    return jax.jit(top).trace(X).lower(lowering_platforms=("tt",))


SOURCES = {
    "exported": exported,
    "portable artifact": lambda: exported().mlir_module_serialized,
    "text of an export": lambda: exported().mlir_module(),
    "traced": lambda: jax.jit(top).trace(X),
    "lowered": lowered,
    "module": lambda: lowered().compiler_ir("stablehlo"),
    "text": lambda: lowered().as_text(),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_source(kind: str) -> None:
    program = import_module(SOURCES[kind](), name="top")
    assert program.name == "jit_top"
    kinds = [((4, 2), "float32"), ((4, 2), "int32")]
    assert program.outputs == tuple(TensorType(s, np.dtype(d)) for s, d in kinds)
    values, places = ttmlir.compile(program.builder)(
        np.arange(32, dtype=np.float32).reshape(4, 8) / 32
    )
    assert places.tolist() == [[7, 6]] * 4
    assert values[0, 0] == pytest.approx(np.sinh(7 / 32), rel=1e-6)


def test_serialized_export() -> None:
    pytest.importorskip("flatbuffers")
    assert import_module(exported().serialize()).inputs == (
        TensorType((4, 8), np.dtype("float32")),
    )


def test_files(tmp_path: Path) -> None:
    text, artifact = tmp_path / "p.mlir", tmp_path / "p.mlirbc"
    text.write_text(TEXT)
    artifact.write_bytes(exported().mlir_module_serialized)
    program = import_module(text)
    assert [str(k.dtype) for k in program.inputs] == ["bfloat16", "bool"]
    assert import_module(str(artifact)).inputs[0].shape == (4, 8)


def test_programs_go_to_compile_at_once(tmp_path: Path) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(TEXT)
    x, n = np.ones(4, jnp.bfloat16), np.array(True)
    for source in (TEXT, path):
        assert ttmlir.compile(source)(x, n)[0].tolist() == [2.0] * 4
    for found in (exported(), exported().mlir_module_serialized, lowered()):
        assert ttmlir.compile(found).outputs[0].shape == (4, 2)


def test_a_module_is_not_changed() -> None:
    module = lowered().compiler_ir("stablehlo")
    before = str(module)
    import_module(module)
    assert str(module) == before


def test_locations_are_lines_of_python() -> None:
    line = top.__code__.co_firstlineno + 1
    program = import_module(jax.jit(top).trace(X))
    text = program.builder.module.operation.get_asm(enable_debug_info=True)
    assert f'{Path(__file__).name}":{line}:' in text
    executable = ttmlir.compile(program.builder)
    assert any(f":{line}" in row.source for row in executable.report().ops)


@pytest.mark.parametrize("with_shardy", [True, False])
def test_a_mesh_of_one_device(with_shardy: bool) -> None:
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))

    def total(x: Any) -> Any:
        return jax.lax.psum(x, "x") * 2 + jax.lax.axis_index("x")

    def sharded(x: Any) -> Any:
        x = jax.lax.with_sharding_constraint(x, rows)
        spec = jax.sharding.PartitionSpec("x")
        return jax.shard_map(total, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)(x)

    before = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", with_shardy)
    try:
        program = import_module(jax.jit(sharded, in_shardings=rows).lower(X))
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)
    assert np.array_equal(ttmlir.compile(program.builder)(X), X * 2)


def test_lines_of_installed_packages_are_not_the_users() -> None:
    location = (
        'loc("jit(f)/enc/dot"(callsite("g"("/x/site-packages/flax/linear.py":9:11 to :21) at '
        'callsite("f"("/home/me/net.py":12:15 to :19) at "<module>"("/home/me/net.py":3:2)))))'
    )
    place = place_of(location)
    assert (str(place), place.name) == ("/home/me/net.py:12:15", "enc/dot")
    assert str(place_of('loc("/x/site-packages/a.py":1:2)')) == "/x/site-packages/a.py:1:2"
    assert str(place_of("loc(unknown)")) == ""


# What cannot be imported -------------------------------------------------------------------------


def callback(x: Any) -> Any:
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def printing(x: Any) -> Any:
    jax.debug.print("{}", x)
    return x


def eigenvalues(x: Any) -> Any:
    return jnp.linalg.eig(x[:4, :4])


def meeting(x: Any) -> Any:
    return x.at[jnp.array([1, 1])].apply(jnp.sin)


REFUSED = {
    callback: "'pure_callback': callbacks to Python cannot run on the device: take jax.debug",
    printing: "callbacks to Python cannot run on the device: take jax.debug, io_callback",
    eigenvalues: "'eig': JAX has it for some platforms only",
    meeting: "'stablehlo.scatter': only updates by set, add, subtract, multiply",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_refused_functions(function: Any) -> None:
    with pytest.raises(CompileError, match=re.escape(REFUSED[function])) as caught:
        ttmlir.compile(function, X)
    first = function.__code__.co_firstlineno
    places = [d.location for d in caught.value.diagnostics]
    lines = [int(p.rpartition(Path(__file__).name + ":")[2].partition(":")[0]) for p in places]
    assert set(lines) <= {first + 1, first + 2}


REFUSED_TEXTS = {
    "module attributes {mhlo.num_replicas = 2 : i32} {\n" + TEXT + "}": (
        "expected one replica, found 2: use jax.jit over a mesh instead of jax.pmap"
    ),
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.ad %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}": (
        "<string>:2:8: error: custom op 'stablehlo.ad' is unknown"
    ),
    "func.func @main() -> tensor<2xf32> {\n"
    "  %0 = stablehlo.custom_call @own() : () -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}": (
        "the custom call 'own' is not known"
    ),
    "func.func @main(%x: tensor<2x!quant.any<i8:f32>>) { return }": (
        "quantized types are supported only as !quant.uniform in text"
    ),
    "func.func @a() { return }\nfunc.func @b() { return }": "found 2 public functions",
    "module {\n}": "found 0 public functions",
}


@pytest.mark.parametrize("text", REFUSED_TEXTS)
def test_refused_texts(text: str) -> None:
    with pytest.raises(CompileError, match=re.escape(REFUSED_TEXTS[text])):
        import_module(text)


@pytest.mark.parametrize("content", [b"\x00\x01\xff\xfe", b"ML\xefR\rStableHLO_v1.0.0 damaged"])
def test_damaged_bytes(content: bytes) -> None:
    with pytest.raises(CompileError, match=r"is not a valid module|neither StableHLO nor"):
        import_module(content)


def test_a_missing_file() -> None:
    with pytest.raises(FileError, match=r"missing\.mlir"):
        import_module("missing.mlir")


def test_another_type() -> None:
    with pytest.raises(TypeError, match="found int"):
        import_module(3)
