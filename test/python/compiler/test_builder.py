"""ttmlir.Builder: shapes against NumPy's, IR that verifies, and messages of wrong programs."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ttmlir
from ttmlir import ir, passes
from ttmlir.builder import DTYPES, Tensor

UNARY = ["abs", "exp", "neg", "gelu", "relu", "sigmoid", "log1p"]
BINARY = ["add", "subtract", "multiply", "div", "minimum", "ge", "logical_xor"]


def ops(module: ir.Module) -> list[ir.Operation]:
    return [
        op.operation
        for function in module.body.operations
        for op in function.body.blocks[0].operations
    ]


def built(b: ttmlir.Builder, *outputs: Tensor) -> ir.Module:
    b.output(*outputs)
    assert b.module.operation.verify()
    return b.module


@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str) -> None:
    b = ttmlir.Builder()
    y = getattr(b, op)(b.input("x", (3, 32, 64), "bf16"))
    assert (y.shape, y.dtype) == ((3, 32, 64), "bf16")
    assert f"ttir.{op}" in [o.name for o in ops(built(b, y))]


@given(shapes=hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=4, max_side=70))
def test_binary_broadcasts_like_numpy(shapes: hnp.BroadcastableShapes) -> None:
    b = ttmlir.Builder()
    first, second = (b.input(f"x{i}", s) for i, s in enumerate(shapes.input_shapes))
    y = getattr(b, random.Random(str(shapes)).choice(BINARY))(first, second)
    assert y.shape == shapes.result_shape
    built(b, y)


OPERATORS: list[tuple[str, Callable[[Tensor, Tensor], Tensor]]] = [
    ("ttir.add", lambda x, y: x + y),
    ("ttir.add", lambda x, y: x + 1.5),
    ("ttir.add", lambda x, y: 1 + x),
    ("ttir.subtract", lambda x, y: x - y),
    ("ttir.subtract", lambda x, y: 1 - x),
    ("ttir.multiply", lambda x, y: x * y),
    ("ttir.multiply", lambda x, y: 2 * x),
    ("ttir.div", lambda x, y: x / y),
    ("ttir.div", lambda x, y: 1 / x),
    ("ttir.ge", lambda x, y: x >= y),
    ("ttir.gt", lambda x, y: x > 0),
    ("ttir.le", lambda x, y: x <= y),
    ("ttir.lt", lambda x, y: x < 1.5),
    ("ttir.power", lambda x, y: x**2),
    ("ttir.abs", lambda x, y: abs(x)),
    ("ttir.neg", lambda x, y: -x),
    ("ttir.matmul", lambda x, y: x @ y),
]


@pytest.mark.parametrize(("op", "make"), OPERATORS)
def test_operators(op: str, make: Callable[[Tensor, Tensor], Tensor]) -> None:
    b = ttmlir.Builder()
    y = make(b.input("x", (32, 32)), b.input("y", (32, 32)))
    assert y.shape == (32, 32)
    assert ops(built(b, y))[-2].name == op


@given(
    batch=st.lists(st.integers(1, 4), max_size=2),
    m=st.integers(1, 70),
    k=st.integers(1, 70),
    n=st.integers(1, 70),
)
def test_matmul_is_numpys(batch: list[int], m: int, k: int, n: int) -> None:
    b = ttmlir.Builder()
    left, right = (*batch, m, k), (*batch, k, n)
    y = b.matmul(b.input("a", left), b.input("b", right))
    assert y.shape == (np.zeros(left) @ np.zeros(right)).shape
    built(b, y)


@pytest.mark.parametrize("op", ["sum", "mean", "max"])
@pytest.mark.parametrize("keep_dim", [False, True])
@pytest.mark.parametrize("dim", [0, -1, [0, 2], None])
def test_reductions(op: str, keep_dim: bool, dim: int | list[int] | None) -> None:
    b = ttmlir.Builder()
    y = getattr(b, op)(b.input("x", (2, 32, 64)), dim, keep_dim)
    axis = tuple(dim) if isinstance(dim, list) else dim
    shape = np.zeros((2, 32, 64)).sum(axis=axis, keepdims=keep_dim).shape
    assert y.shape == (shape or (1,))
    built(b, y)


def test_shape_ops() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (2, 3, 32))
    results = {
        b.transpose(x): (2, 32, 3),
        b.transpose(x, 0, 2): (32, 3, 2),
        b.reshape(x, (6, -1)): (6, 32),
        b.unsqueeze(x, -1): (2, 3, 32, 1),
        b.squeeze(b.unsqueeze(x, 1), 1): (2, 3, 32),
        b.concat([x, x, x], 1): (2, 9, 32),
        b.softmax(x, -1): (2, 3, 32),
        b.broadcast(b.input("row", (1, 1, 32)), (2, 3, 32)): (2, 3, 32),
        b.embedding(b.input("i", (4, 5), "u32"), b.input("t", (10, 64), "bf16")): (4, 5, 64),
    }
    assert [t.shape for t in results] == list(results.values())
    built(b, *results)


def test_windows() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, 28, 28, 32))
    y = b.conv2d(x, b.input("w", (64, 32, 3, 3)), b.input("b", (1, 1, 1, 64)), padding=(1, 1))
    assert y.shape == (1, 28, 28, 64)
    z = b.max_pool2d(y, (2, 2))
    assert z.shape == (1, 14, 14, 64)
    built(b, z)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype: str) -> None:
    b = ttmlir.Builder()
    module = built(b, b.input("x", (40, 70), dtype))
    (kind,) = module.body.operations[0].type.inputs
    format = DTYPES[dtype]
    assert str(kind.element_type) == format.element
    if format.block:
        assert f"memref<2x3x!tt.tile<32x32, {format.tile}>, #tt.memory_space<dram>>" in str(kind)
    else:
        assert kind.encoding is None


@pytest.mark.parametrize("space", ["system", "dram", "l1"])
@pytest.mark.parametrize("tiled", [False, True])
@pytest.mark.parametrize("shape", [(64,), (64, 128), (2, 3, 64, 128)])
def test_placement(space: str, tiled: bool, shape: tuple[int, ...]) -> None:
    from ttmlir.dialects import tt

    b = ttmlir.Builder()
    x = b.input("x", shape, "bf16", memory_space=space, tiled=tiled)
    layout = tt.ir.LayoutAttr.getLayout(x.value.type)
    assert str(layout.memory_space) == space
    assert layout.is_tiled == tiled
    built(b, x)


def test_constants() -> None:
    b = ttmlir.Builder()
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    whole, splat = b.constant(table), b.constant(2.5, shape=(3, 4))
    assert (whole.shape, whole.dtype, splat.dtype) == ((3, 4), "f32", "f32")
    text = str(built(b, whole + splat))
    assert "dense<2.500000e+00>" in text
    assert "[8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]" in text


def test_names_and_lines_are_locations() -> None:
    b = ttmlir.Builder()
    y = b.relu(b.input("x", (32, 32)), name="activation")
    location = str(y.value.owner.location)
    assert location.startswith(f'loc("activation"("{__file__}":')
    assert '"x"' in str(built(b, y).operation.get_asm(enable_debug_info=True))


def test_several_functions() -> None:
    b = ttmlir.Builder("first")
    b.output(b.relu(b.input("x", (32, 32))))
    b.function("second")
    x = b.input("x", (64, 32))
    b.output(b.exp(x), b.abs(x))
    functions = [f.name.value for f in b.module.body.operations]
    assert functions == ["first", "second"]
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    assert passes.ttnn_to_flatbuffer_bytes(b.module)[8:12] == b"TTNN"


def test_misuse() -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (32, 64)), b.input("y", (32, 48))
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: b.add(x, y), "add: .*found 32x64, 32x48"),
        (lambda: b.matmul(x, y), "matmul: .*a is 32x64, b is 32x48"),
        (lambda: x + b.input("h", (32, 64), "bf16"), "add: expected one dtype, found bf16, f32"),
        (lambda: b.reshape(x, (5, -1)), "32x64 has 2048, output 5x. has a multiple of 5"),
        (lambda: b.softmax(x, 2), r"expected a dimension in \[-2, 2\), found 2"),
        (lambda: b.input("z", (-1, 2)), r"'z': expected extents of at least 0, found \(-1, 2\)"),
        (lambda: b.input("z", (2, 2), "f8"), "unknown dtype 'f8': expected one of f32"),
        (lambda: b.input("z", (2, 2), memory_space="l2"), "expected memory_space to be one of"),
        (lambda: b.input("z", (2, 2), "bfp8_b", tiled=False), "is stored in tiles"),
        (lambda: b.add(x, ttmlir.Builder().input("x", (32, 64))), "another Builder"),
        (lambda: b.module, "'forward' has no output yet"),
        (lambda: b.function("g"), "'forward' has no output yet"),
        (lambda: b.output(), "expected at least one output"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()
    no_tensors: list[tuple[Callable[[], object], str]] = [
        (lambda: b.relu(3), "relu: x: expected a tensor of a Builder, found int"),  # type: ignore
        (lambda: b.max("a"), "max: x: expected a tensor of a Builder, found str"),  # type: ignore
        (lambda: b.matmul(x, None), "matmul: b: expected a tensor .*, found None"),  # type: ignore
        (lambda: b.concat(x, 0), "concat: tensors: expected a list of tensors"),  # type: ignore
        (lambda: b.concat([x, 3], 0), "concat: tensors: .* found int"),  # type: ignore
        (lambda: b.add(x), "missing 1 required positional argument: 'b'"),  # type: ignore
    ]
    for make, message in no_tensors:
        with pytest.raises(TypeError, match=message):
            make()
    b.output(x)
    with pytest.raises(ValueError, match="has its outputs"):
        b.input("late", (32, 32))
    with pytest.raises(ValueError, match="already has a function 'forward'"):
        b.function("forward")


def test_docstrings_run() -> None:
    import doctest

    import ttmlir.builder
    from ttmlir.dialects import tt

    for module in (ttmlir.builder, ttmlir.passes, tt):
        assert doctest.testmod(module).attempted > 0
        assert doctest.testmod(module).failed == 0


def test_path_of_this_file_is_not_in_the_program_text() -> None:
    b = ttmlir.Builder()
    assert Path(__file__).name not in str(built(b, b.relu(b.input("x", (32, 32)))))
