"""Reductions, softmax, data movement, creation, convolution and pooling."""

from __future__ import annotations

import itertools

import machine
import numpy as np
import pytest
from machine import BF16, ROW_MAJOR, op_program, sharded

from ttmlir import runtime

REDUCE = {"Sum": np.sum, "Mean": np.mean, "Max": np.max}


@pytest.mark.parametrize("kind", REDUCE)
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("dims", [(0,), (1,), (-1,), (0, 2), None], ids=str)
def test_reduction(kind, keep, dims, rng):
    x = rng.normal(size=(3, 40, 50)).astype(np.float32)
    expected = REDUCE[kind](x.astype(np.float64), axis=dims, keepdims=keep)
    fields = {} if dims is None else {"dim_arg": list(dims)}

    def emit(program, ins, out, device):
        program.op("ReductionOp", type=kind, **{"in": ins[0]}, out=out, keep_dim=keep, **fields)

    (out,) = machine.run(op_program([x.shape], expected.shape, emit), x)
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("shape", [(3, 50), (3, 1, 50), (150,), (1, 3, 5, 10)])
def test_reduction_of_any_shape(keep, shape, rng):
    """As the dialects allow: only the number of elements counts."""
    x = rng.normal(size=(3, 40, 50)).astype(np.float32)
    fields = {"type": "Max", "dim_arg": [1], "keep_dim": keep}
    out = machine.one_op("ReductionOp", {"in": x}, shape, **fields)
    np.testing.assert_array_equal(out, x.max(axis=1).reshape(shape))


def test_reduction_of_a_wrong_shape():
    x = np.zeros((3, 40, 50), np.float32)
    fields = {"type": "Max", "dim_arg": [1], "keep_dim": True}
    with pytest.raises(runtime.RuntimeError, match="expected shape 3x1x50 in field out"):
        machine.one_op("ReductionOp", {"in": x}, (3, 2, 50), **fields)


def test_reshape_with_an_open_extent(rng):
    x = rng.normal(size=(3, 40, 50)).astype(np.float32)
    out = machine.one_op("ReshapeOp", {"in": x}, (6, 1000), shape=[-1, 1000])
    np.testing.assert_array_equal(out, x.reshape(6, 1000))


def test_reduction_that_keeps_a_tile(rng):
    """The result has 32 columns: the sums in the first, zeros in the others."""
    x = rng.normal(size=(40, 96)).astype(np.float32)

    def emit(program, ins, out, device):
        fields = {"in": ins[0], "dim_arg": [-1], "keep_dim": True}
        program.op("ReductionOp", type="Sum", out=out, **fields)

    (out,) = machine.run(op_program([x.shape], (40, 32), emit), x)
    np.testing.assert_allclose(out[:, 0], x.astype(np.float64).sum(axis=1), rtol=1e-5, atol=1e-5)
    assert (out[:, 1:] == 0).all()


@pytest.mark.parametrize("dtype", ["Float32", "BFloat16"])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_softmax(dtype, dim, rng):
    x = (4 * rng.normal(size=(3, 40, 50))).astype(machine.DTYPES[dtype])

    def emit(program, ins, out, device):
        program.op("SoftmaxOp", **{"in": ins[0]}, out=out, dimension=dim)

    (out,) = machine.run(op_program([x.shape], x.shape, emit, dtypes=dtype), x)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=dim, keepdims=True))
    expected = e / e.sum(axis=dim, keepdims=True)
    tolerance = 1e-6 if dtype == "Float32" else 2**-8
    np.testing.assert_allclose(out.astype(np.float64), expected, rtol=2 * tolerance, atol=1e-7)


@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "UInt32", "UInt8"])
@pytest.mark.parametrize(("dim0", "dim1"), [(0, 1), (1, 2), (-3, -1), (1, 1)])
def test_transpose(dtype, dim0, dim1, rng):
    x = rng.integers(0, 200, size=(3, 40, 50)).astype(machine.DTYPES[dtype])
    expected = np.swapaxes(x, dim0, dim1)

    def emit(program, ins, out, device):
        program.op("TransposeOp", **{"in": ins[0]}, out=out, dim0=dim0, dim1=dim1)

    (out,) = machine.run(op_program([x.shape], expected.shape, emit, dtypes=dtype), x)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    "shape", [(6, 20, 50), (120, 50), (1, 3, 40, 50), (6000,), (3, 2000), (50, 40, 3)], ids=str
)
@pytest.mark.parametrize("layout", [{}, ROW_MAJOR], ids=["tile", "row_major"])
def test_reshape(shape, layout, rng):
    x = rng.normal(size=(3, 40, 50)).astype(np.float32)

    def emit(program, ins, out, device):
        program.op("ReshapeOp", **{"in": ins[0]}, out=out, shape=list(shape))

    program = op_program([x.shape], shape, emit, layouts=[layout], out_layout=layout)
    (out,) = machine.run(program, x)
    np.testing.assert_array_equal(out, x.reshape(shape))


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_concat(dim, rng):
    shapes = [list((3, 40, 50)) for _ in range(3)]
    for i, shape in enumerate(shapes):
        shape[dim] = 5 + i
    arrays = [rng.normal(size=shape).astype(BF16) for shape in shapes]
    expected = np.concatenate(arrays, axis=dim)

    def emit(program, ins, out, device):
        program.op("ConcatOp", inputs=ins, out=out, dim=dim)

    program = op_program([tuple(s) for s in shapes], expected.shape, emit, dtypes="BFloat16")
    (out,) = machine.run(program, *arrays)
    np.testing.assert_array_equal(out, expected)


def embedding(program, ins, out, device):
    program.op("EmbeddingOp", input=ins[0], weight=ins[1], output=out)


def test_embedding(rng):
    table = rng.normal(size=(100, 64)).astype(BF16)
    indices = rng.integers(0, 100, size=(4, 9), dtype=np.uint32)
    program = op_program(
        [indices.shape, table.shape],
        (4, 9, 64),
        embedding,
        dtypes=["UInt32", "BFloat16"],
        out_dtype="BFloat16",
        layouts=[ROW_MAJOR, ROW_MAJOR],
    )
    (out,) = machine.run(program, indices, table)
    np.testing.assert_array_equal(out, table[indices])


def test_embedding_index_out_of_range(rng):
    program = op_program(
        [(3,), (10, 32)], (3, 32), embedding, dtypes=["UInt32", "Float32"], out_dtype="Float32"
    )
    with pytest.raises(runtime.ArgumentError, match="10"):
        machine.run(program, np.array([0, 10, 3], np.uint32), np.zeros((10, 32), np.float32))


@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "BFP_BFloat8", "UInt16"])
@pytest.mark.parametrize("layout", [{}, ROW_MAJOR, sharded((2, 2))], ids=["tile", "rows", "l1"])
def test_full_and_empty(dtype, layout):
    if dtype.startswith("BFP") and layout.get("tiled") is False:
        pytest.skip("block floats exist only in tiles")
    program = machine.ttnn_file.Program()
    device = program.get_device()
    outputs = []
    for table in ("FullOp", "EmptyOp"):
        tensor = program.dram((40, 70), dtype, **layout)
        fields = {"fill_value": 3.5} if table == "FullOp" else {"dtype": dtype}
        program.op(table, device=device, out=tensor, **fields)
        host = program.tensor((40, 70), machine.ttnn_file.host_dtype(dtype))
        program.op("ToMemoryConfigOp", in0=tensor, device=device, out=host)
        outputs.append(host)
    program.outputs = outputs
    full, empty = machine.run(program)
    assert (full == (3 if dtype == "UInt16" else 3.5)).all()
    assert (empty == 0).all()


def conv_reference(x, w, bias, stride, padding, groups):
    n, h, width, c = x.shape
    o, per_group, kh, kw = w.shape
    x = np.pad(x, ((0, 0), (padding,) * 2, (padding,) * 2, (0, 0)))
    oh, ow = (h + 2 * padding - kh) // stride + 1, (width + 2 * padding - kw) // stride + 1
    out = np.zeros((n, oh, ow, o))
    for i, j, k in itertools.product(range(oh), range(ow), range(o)):
        first = k // (o // groups) * per_group
        window = x[:, i * stride : i * stride + kh, j * stride : j * stride + kw]
        window = window[..., first : first + per_group]
        out[:, i, j, k] = np.einsum("nhwc,chw->n", window, w[k])
    return out + bias


@pytest.mark.parametrize(("stride", "padding", "groups"), [(1, 0, 1), (2, 1, 1), (1, 1, 2)])
def test_conv2d(stride, padding, groups, rng):
    x = rng.normal(size=(2, 9, 8, 4)).astype(np.float32)
    w = rng.normal(size=(6, 4 // groups, 3, 3)).astype(np.float32)
    bias = rng.normal(size=(1, 1, 1, 6)).astype(np.float32)
    expected = conv_reference(
        x.astype(np.float64), w.astype(np.float64), bias[0], stride, padding, groups
    )

    def emit(program, ins, out, device):
        program.op(
            "Conv2dOp",
            input=ins[0],
            weight=ins[1],
            bias=ins[2],
            out=out,
            device=device,
            in_channels=4,
            out_channels=6,
            batch_size=2,
            input_height=9,
            input_width=8,
            kernel_height=3,
            kernel_width=3,
            stride_height=stride,
            stride_width=stride,
            padding_height=padding,
            padding_width=padding,
            dilation_height=1,
            dilation_width=1,
            groups=groups,
        )

    program = op_program([x.shape, w.shape, bias.shape], expected.shape, emit)
    (out,) = machine.run(program, x, w, bias)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)


def test_max_pool2d(rng):
    x = rng.normal(size=(1, 1, 2 * 8 * 6, 16)).astype(BF16)
    image = x.reshape(2, 8, 6, 16)
    expected = image.reshape(2, 4, 2, 3, 2, 16).max(axis=(2, 4)).reshape(1, 1, 2 * 4 * 3, 16)

    def emit(program, ins, out, device):
        program.op(
            "MaxPool2dOp",
            **{"in": ins[0]},
            out=out,
            device=device,
            batch_size=2,
            input_height=8,
            input_width=6,
            channels=16,
            kernel_height=2,
            kernel_width=2,
            stride_height=2,
            stride_width=2,
            dilation_height=1,
            dilation_width=1,
        )

    program = op_program(
        [x.shape], expected.shape, emit, "BFloat16", layouts=[ROW_MAJOR], out_layout=ROW_MAJOR
    )
    (out,) = machine.run(program, x)
    np.testing.assert_array_equal(out, expected)
