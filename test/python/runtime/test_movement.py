"""Operations that create and move elements, with and without indices."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import machine
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import BF16, ROW_MAJOR, one_op, sharded
from test_eltwise_ops import SHAPES

from ttmlir import runtime

SEEDS = st.integers(0, 2**32)
PLAIN = st.sampled_from(["Float32", "BFloat16", "UInt8", "UInt16", "UInt32", "Int32"])


def draw(seed, shape, dtype):
    return np.random.default_rng(seed).integers(0, 250, shape).astype(machine.DTYPES[dtype])


@settings(max_examples=12, deadline=None)
@given(shape=SHAPES, dtype=PLAIN, tiled=st.booleans(), seed=SEEDS, data=st.data())
def test_permute(shape, dtype, tiled, seed, data):
    x = draw(seed, shape, dtype)
    order = data.draw(st.permutations(range(len(shape))))
    expected = np.transpose(x, order)
    layout = {"tiled": tiled}
    out = one_op(
        "PermuteOp",
        {"in": x},
        expected.shape,
        layouts={"in": layout},
        out_layout=layout,
        permutation=list(order),
    )
    np.testing.assert_array_equal(out, expected)


@settings(max_examples=12, deadline=None)
@given(shape=SHAPES, dtype=PLAIN, seed=SEEDS, data=st.data())
def test_slice(shape, dtype, seed, data):
    x = draw(seed, shape, dtype)
    begins = [data.draw(st.integers(0, n - 1)) for n in shape]
    ends = [data.draw(st.integers(b + 1, n)) for b, n in zip(begins, shape, strict=True)]
    steps = [data.draw(st.sampled_from([1, 1, 2, 3, 2**40])) for _ in shape]
    expected = x[tuple(slice(*s) for s in zip(begins, ends, steps, strict=True))]
    fields = {"begins": begins, "ends": ends, "step": steps}
    out = one_op("SliceOp", {"in": x}, expected.shape, **fields)
    np.testing.assert_array_equal(out, expected)


@settings(max_examples=12, deadline=None)
@given(shape=SHAPES, dtype=PLAIN, seed=SEEDS, data=st.data())
def test_pad(shape, dtype, seed, data):
    x = draw(seed, shape, dtype)
    padding = [data.draw(st.integers(0, 5)) for _ in range(2 * len(shape))]
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    expected = np.pad(x, pairs, constant_values=7)
    out = one_op("PadOp", {"in": x}, expected.shape, padding=padding, value=7.0)
    np.testing.assert_array_equal(out, expected)


def test_pad_more_in_front():
    x = draw(0, (3, 4), "Float32")
    out = one_op("PadOp", {"in": x}, (6, 7), padding=[2, 1, 3, 0], value=7.0)
    np.testing.assert_array_equal(out, np.pad(x, [(2, 1), (3, 0)], constant_values=7))


@settings(max_examples=12, deadline=None)
@given(shape=SHAPES, dtype=PLAIN, seed=SEEDS, data=st.data())
def test_repeat(shape, dtype, seed, data):
    x = draw(seed, shape, dtype)
    repeats = [data.draw(st.sampled_from([1, 1, 2, 3])) for _ in shape]
    expected = np.tile(x, repeats)
    out = one_op("RepeatOp", {"in": x}, expected.shape, repeat_dims=repeats)
    np.testing.assert_array_equal(out, expected)


def test_block_floats_move():
    """Whole multiples of 16 columns keep their blocks, so that nothing rounds again."""
    x = np.random.default_rng(1).integers(-60, 60, (4, 40, 64)).astype(np.float32)
    options = {"dtypes": {"in": "BFP_BFloat8"}, "dtype": "BFP_BFloat8"}
    out = one_op("PermuteOp", {"in": x}, (40, 4, 64), permutation=[1, 0, 2], **options)
    np.testing.assert_array_equal(out, x.transpose(1, 0, 2))
    fields = {"begins": [1, 3, 16], "ends": [3, 40, 48], "step": [1, 4, 1]}
    out = one_op("SliceOp", {"in": x}, (2, 10, 32), **fields, **options)
    np.testing.assert_array_equal(out, x[1:3, 3:40:4, 16:48])


@pytest.mark.parametrize("layout", [{}, ROW_MAJOR, sharded((2, 2))], ids=["tile", "rows", "l1"])
@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "UInt8", "UInt16", "Int32"])
def test_constant(dtype, layout):
    x = draw(3, (40, 70), dtype)
    program = machine.ttnn_file.Program()
    device = program.get_device()
    on_device, host = program.dram(x.shape, dtype, **layout), program.tensor(x.shape, dtype)
    data = np.frombuffer(x.tobytes(), np.uint8).tolist()
    program.op("ConstantOp", dtype=dtype, data=data, device=device, out=on_device)
    program.op("FromDeviceOp", **{"in": on_device}, out=host)
    program.outputs = [host]
    np.testing.assert_array_equal(machine.run(program)[0], x)


def constant(dtype: str, size: int):
    program = machine.ttnn_file.Program()
    out = program.dram((4, 5), "BFP_BFloat8")
    program.op("ConstantOp", dtype=dtype, data=[0] * size, out=out)
    host = program.tensor((4, 5), "Float32")
    program.op("FromDeviceOp", **{"in": out}, out=host)
    program.outputs = [host]
    return machine.run(program)[0]


def test_constant_of_another_type():
    np.testing.assert_array_equal(constant("BFloat16", 40), np.zeros((4, 5)))
    with pytest.raises(runtime.RuntimeError, match="expected 40 bytes of bf16 in field"):
        constant("BFloat16", 39)
    with pytest.raises(runtime.RuntimeError, match="expected a dtype with a size"):
        constant("BFP_BFloat8", 20)


@pytest.mark.parametrize(
    ("start", "end", "step"),
    [(0, 70, 1), (5, 100, 7), (9, -20, -3), (-(2**31), 2**31 - 1, 2**29), (-(2**62), 2**62, 2**61)],
)
@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "Int32", "UInt32", "UInt8"])
def test_arange(start, end, step, dtype):
    exact = list(range(start, end, step))
    program = machine.ttnn_file.Program()
    device = program.get_device()
    out, host = program.dram((len(exact),), dtype), program.tensor((len(exact),), dtype)
    program.op("ArangeOp", start=start, end=end, step=step, device=device, out=out)
    program.op("FromDeviceOp", **{"in": out}, out=host)
    program.outputs = [host]
    (found,) = machine.run(program)
    if dtype in ("Float32", "BFloat16"):
        np.testing.assert_allclose(found.astype(np.float64), exact, rtol=2**-8, atol=0)
    else:
        bits = 8 * found.dtype.itemsize
        expected = np.array([v % 2**bits for v in exact], f"u{found.dtype.itemsize}")
        np.testing.assert_array_equal(found, expected.view(found.dtype))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"start": 0, "end": 5, "step": 0}, "expected a step other than 0"),
        ({"start": 0, "end": 7, "step": 2}, "expected 4 elements in one row in field out"),
        ({"start": 0, "end": -5, "step": 1}, "expected 0 elements"),
        ({"start": -(2**63), "end": 2**63 - 1, "step": 1}, "expected 18446744073709551615 el"),
    ],
)
def test_arange_malformed(fields, expected):
    program = machine.ttnn_file.Program()
    program.op("ArangeOp", **fields, out=program.dram((5,), "Int32"))
    with pytest.raises(runtime.RuntimeError, match=expected):
        machine.load(program)


# offset_dims, collapsed, operand batching, indices batching, start_index_map, vector dim, slices
GATHERS = {
    "rows": ((10, 6), (4, 1), (1,), (0,), (), (), (0,), 1, (1, 6)),
    "rows, implicit vectors": ((10, 6), (4,), (1,), (0,), (), (), (0,), 1, (1, 6)),
    "columns": ((10, 6), (3, 2, 1), (0,), (1,), (), (), (1,), 2, (10, 1)),
    "elements": ((7, 9), (5, 2), (), (0, 1), (), (), (1, 0), 1, (1, 1)),
    "windows": ((6, 5, 8), (2, 3), (1, 2, 3), (), (), (), (0, 2), 0, (2, 5, 4)),
    "slice": ((6, 5, 8), (3,), (0, 1, 2), (), (), (), (0, 1, 2), 0, (2, 3, 4)),
    "offsets around": ((4, 9, 5), (6, 1), (0, 2), (1,), (), (), (1,), 1, (4, 1, 5)),
    "batches": ((3, 8, 4), (3, 5, 1), (2,), (1,), (0,), (0,), (1,), 2, (1, 1, 4)),
    "two batches": ((2, 3, 8), (3, 6, 2, 1), (), (2,), (0, 1), (2, 0), (2,), 3, (1, 1, 1)),
}


@pytest.mark.parametrize("case", GATHERS)
@pytest.mark.parametrize("index_type", ["UInt32", "Int32", "UInt8", "BFloat16"])
def test_gather(case, index_type):
    """JAX has one form: index vectors last. Others are the same indices transposed."""
    shape, index_shape, offset, collapsed, batch, index_batch, index_map, vector, sizes = GATHERS[
        case
    ]
    rng = np.random.default_rng(5)
    x = rng.normal(size=shape).astype(np.float32)
    indices = np.zeros(index_shape, np.int64)
    rolled = np.moveaxis(indices, vector, -1) if vector < indices.ndim else indices[..., None]
    for c, dim in enumerate(index_map):
        limit = shape[dim] - sizes[dim] + 1
        rolled[..., c] = rng.integers(0, limit, rolled.shape[:-1])
    numbers = jax.lax.GatherDimensionNumbers(
        offset_dims=offset,
        collapsed_slice_dims=collapsed,
        start_index_map=index_map,
        operand_batching_dims=batch,
        start_indices_batching_dims=tuple(d - (d > vector) for d in index_batch),
    )
    expected = jax.lax.gather(jnp.asarray(x), jnp.asarray(rolled, jnp.int32), numbers, sizes)
    out = one_op(
        "GatherOp",
        {"input": x, "start_indices": indices.astype(machine.DTYPES[index_type])},
        expected.shape,
        offset_dims=list(offset),
        collapsed_slice_dims=list(collapsed),
        operand_batching_dims=list(batch),
        start_indices_batching_dims=list(index_batch),
        start_index_map=list(index_map),
        index_vector_dim=vector,
        slice_sizes=list(sizes),
    )
    np.testing.assert_array_equal(out, np.asarray(expected))


def rows(x, indices, **changes):
    fields = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0]}
    fields |= {"index_vector_dim": 1, "slice_sizes": [1, x.shape[1]]} | changes
    shape = (len(indices), x.shape[1])
    return one_op("GatherOp", {"input": x, "start_indices": indices}, shape, **fields)


@pytest.mark.parametrize("bad", [10, -1])
def test_gather_index_out_of_range(bad):
    x, indices = np.zeros((10, 6), np.float32), np.array([0, bad, 9], np.int32)
    message = rf"expected an index in \[0, 10\), found {bad} at position 1"
    with pytest.raises(runtime.ArgumentError, match=message):
        rows(x, indices)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"offset_dims": [2]}, "expected offset_dims to hold different, ascending dimensions"),
        ({"collapsed_slice_dims": [5]}, r"collapsed_slice_dims .* in \[0, 2\), found \[5\]"),
        ({"slice_sizes": [1, 7]}, r"expected a slice size in \[0, 6\] in dimension 1, found 7"),
        ({"slice_sizes": [1]}, "expected 2 slice_sizes, found 1"),
        ({"index_vector_dim": 2}, r"expected index_vector_dim in \[0, 1\], found 2"),
        ({"start_index_map": []}, "expected 1 coordinates in start_index_map, found 0"),
        ({"slice_sizes": [1, 5]}, "expected shape 3x5 in field out, found 3x6"),
    ],
)
def test_gather_malformed(changes, expected):
    with pytest.raises(runtime.RuntimeError, match=expected):
        rows(np.zeros((10, 6), np.float32), np.zeros(3, np.int32), **changes)


@settings(max_examples=10, deadline=None)
@given(
    vocabulary=st.integers(1, 80),
    width=st.integers(1, 70),
    shape=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    dtype=st.sampled_from(["Float32", "BFloat16"]),
    index_type=st.sampled_from(["UInt32", "Int32", "UInt16"]),
    seed=SEEDS,
)
def test_embedding_backward(vocabulary, width, shape, dtype, index_type, seed):
    rng = np.random.default_rng(seed)
    indices = rng.integers(0, vocabulary, shape).astype(machine.DTYPES[index_type])
    gradient = rng.normal(size=(*shape, width)).astype(machine.DTYPES[dtype])
    exact, scale = np.zeros((2, vocabulary, width))
    np.add.at(exact, indices.astype(int), gradient.astype(np.float64))
    np.add.at(scale, indices.astype(int), np.abs(gradient.astype(np.float64)))
    operands = {"input": indices, "weight": np.zeros_like(exact, BF16), "in_gradient": gradient}
    out = one_op("EmbeddingBackwardOp", operands, exact.shape, dtype=dtype)
    tolerance = 2**-8 if dtype == "BFloat16" else 1e-6
    assert (np.abs(out.astype(np.float64) - exact) <= tolerance * scale).all()


def test_embedding_backward_bad_input():
    weight, gradient = np.zeros((10, 4), np.float32), np.zeros((3, 4), np.float32)
    operands = {"input": np.array([1, 10, 2], np.uint32), "weight": weight}
    with pytest.raises(runtime.ArgumentError, match=r"\[0, 10\), found 10"):
        one_op("EmbeddingBackwardOp", operands | {"in_gradient": gradient}, (10, 4))
    with pytest.raises(runtime.RuntimeError, match="expected 3 rows of 4 in field in_gra"):
        one_op("EmbeddingBackwardOp", operands | {"in_gradient": gradient[:2]}, (10, 4))


@pytest.mark.parametrize(
    ("table", "shape", "fields", "expected"),
    [
        ("PermuteOp", (5, 4), {"permutation": [0, 0]}, "expected a permutation of 0 to 1 .* twice"),
        ("PermuteOp", (5, 4), {"permutation": [1, 2]}, "expected a permutation of 0 to 1 .* 2"),
        ("PermuteOp", (5, 4), {"permutation": [1]}, "expected 2 elements in field permutation"),
        ("SliceOp", (2, 5), {"begins": [3, 0], "ends": [5, 5], "step": [1, 1]}, "<= end <= 4"),
        ("SliceOp", (2, 5), {"begins": [0, 0], "ends": [2, 5], "step": [0, 1]}, "found .* step 0"),
        ("SliceOp", (2, 5), {"begins": [0], "ends": [2], "step": [1]}, "expected 2 elements"),
        ("SliceOp", (3, 5), {"begins": [0, 0], "ends": [2, 5], "step": [1, 1]}, "expected shape 2"),
        ("PadOp", (5, 5), {"padding": [1, 0]}, "expected 4 elements in field padding, found 2"),
        ("PadOp", (5, 5), {"padding": [2, -1, 0, 0]}, "expected a padding of at least 0"),
        ("RepeatOp", (8, 5), {"repeat_dims": [1, 1]}, "expected 4x5 repeated 1x1 times"),
        ("RepeatOp", (8, 5), {"repeat_dims": [2]}, "expected 2 elements in field repeat_dims"),
        ("ReshapeOp", (5, 5), {"shape": [5, 5]}, "expected a result of 20 elements"),
    ],
)
def test_malformed(table, shape, fields, expected):
    with pytest.raises(runtime.RuntimeError, match=expected):
        one_op(table, {"in": np.zeros((4, 5), np.float32)}, shape, **fields)


def test_from_device_gives_a_host_tensor():
    program = machine.ttnn_file.Program()
    x, out = program.input(program.tensor((4, 5))), program.dram((4, 5))
    program.op("FromDeviceOp", **{"in": x}, out=out)
    with pytest.raises(runtime.RuntimeError, match="expected a tensor on the host"):
        machine.load(program)
