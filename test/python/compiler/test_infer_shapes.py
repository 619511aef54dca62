"""Shapes of outputs, which the builder asks the compiler for: the rules of the verifiers, for an op
that is not there yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import ttmlir
from ttmlir import ir
from ttmlir.builder import Tensor
from ttmlir.dialects import ttir


def infer(
    op: str, inputs: Sequence[Tensor], attributes: str, mesh_shape: Sequence[int] = ()
) -> list[tuple[int, ...]]:
    with inputs[0].builder.context:
        attrs = ir.DictAttr(ir.Attribute.parse(attributes))
    shapes: list[tuple[int, ...]] = ttir.ir.infer_shapes(
        op, [t.value for t in inputs], attrs, mesh_shape
    )
    return shapes


@pytest.mark.parametrize(
    ("op", "shapes", "attributes", "expected"),
    [
        ("add", [(2, 1, 40), (33, 40)], "{operandSegmentSizes = array<i32: 2, 1>}", (2, 33, 40)),
        ("matmul", [(5, 1, 4), (5, 3, 4)], "{transpose_b = true}", (5, 1, 3)),
        ("linear", [(2, 4), (4, 3), (3,)], "{}", (2, 3)),
        ("sum", [(2, 3, 4)], "{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}", (3,)),
        ("mean", [(2, 3)], "{keep_dim = false}", (1,)),
        ("reshape", [(4, 6)], "{shape = [3 : i32, -1 : i32]}", (3, 8)),
        ("slice", [(9,)], "{begins = [-7 : i32], ends = [9 : i32], step = [3 : i32]}", (3,)),
        ("unsqueeze", [(2, 3)], "{dim = -1 : si32}", (2, 3, 1)),
        ("squeeze", [(2, 1, 3)], "{dim = -2 : si32}", (2, 3)),
    ],
)
def test_shapes(
    op: str, shapes: list[tuple[int, ...]], attributes: str, expected: tuple[int, ...]
) -> None:
    b = ttmlir.Builder()
    inputs = [b.input(f"x{i}", shape) for i, shape in enumerate(shapes)]
    assert infer(f"ttir.{op}", inputs, attributes) == [expected]


@pytest.mark.parametrize(
    ("op", "mesh_shape", "message"),
    [
        ("ttir.broadcast", (), "expected an op whose inputs decide on the shape of its output"),
        ("ttir.nothing", (), "expected an op whose inputs decide .* found 'ttir.nothing'"),
        ("ttir.mesh_partition", (2, 3), "'ttir.mesh_partition' op .* an extent that 6 chips"),
        ("ttir.mesh_partition", (1 << 40, 1 << 40), "expected a mesh of 1 to 65536 chips"),
        ("ttir.mesh_partition", (0, 1), "expected a mesh of 1 to 65536 chips, found 0x1"),
    ],
)
def test_no_shapes(op: str, mesh_shape: tuple[int, ...], message: str) -> None:
    b = ttmlir.Builder()
    with pytest.raises(ValueError, match=message):
        infer(op, [b.input("x", (4, 32))], "{dim = 0 : si32}", mesh_shape)


def test_a_failure_leaves_nothing_behind() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (4, 5))
    with pytest.raises(ValueError, match="matmul: Input A and B"):
        b.matmul(x, x)
    b.output(b.relu(x))
    assert b.module.operation.verify()
    assert "matmul" not in str(b)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda b, x: b.cumsum(x, 2), r"cumsum: .* expected a dimension in \[-2, 2\), found 2"),
        (lambda b, x: b.softmax(x, 1 << 40), "softmax: expected an integer of si32, found 1099"),
        (lambda b, x: b.broadcast(x, (3, 5)), r"expected a shape that \(4, 5\) fits"),
        (lambda b, x: b.arange((4, 5), dim=2), r"arange: expected a dimension in \[-2, 2\)"),
        (lambda b, x: b.upsample(b.full((1, 2, 2, 1), 0.0), 0), "upsample: scale_factor must be"),
        (lambda b, x: b.layer_norm(x, normalized_shape=(4,)), "layer_norm: normalized_shape must"),
        (lambda b, x: b.conv2d(x, x), "conv2d: Input must be at least a 3D tensor"),
        (lambda b, x: b.max_pool2d(x, (2, 2)), "max_pool2d: Input tensor rank must be 4"),
    ],
)
def test_what_the_builder_says(
    build: Callable[[ttmlir.Builder, Tensor], Tensor], message: str
) -> None:
    b = ttmlir.Builder()
    with pytest.raises(ValueError, match=message):
        build(b, b.input("x", (4, 5)))
