"""Every op of the builder: those written by hand are compiled and run, against NumPy in float64;
those made from the table of elementwise ops must verify."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from op_definitions import definitions

import ttmlir
from ttmlir import ir
from ttmlir.builder import Tensor, quantized
from ttmlir.builder._collectives import CollectiveOps
from ttmlir.builder._op_table import OpTable
from ttmlir.dialects import ttir

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(20)
X = RNG.standard_normal((2, 33, 47)).astype(np.float32)
Y = RNG.standard_normal((2, 33, 47)).astype(np.float32)
ROW = RNG.standard_normal((1, 47)).astype(np.float32)
IMAGE = RNG.standard_normal((2, 9, 11, 4)).astype(np.float32)


@dataclass
class Case:
    """What the builder is told, with what inputs, and what is expected."""

    build: Callable[..., Tensor]
    expected: Callable[..., Any]
    inputs: tuple[Array, ...] = (X,)
    rtol: float = 1e-5
    atol: float = 1e-6


def reduction(op: str, expected: Callable[..., Any]) -> Case:
    return Case(
        lambda b, x: getattr(b, op)(x, 1, keep_dim=True),
        lambda x: expected(x, axis=1, keepdims=True),
    )


def _norm(x: Array, weight: Array, bias: Array | float, centre: bool) -> Array:
    x = x - x.mean(-1, keepdims=True) if centre else x
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight + bias


HALVES = (np.arange(-40, 40, dtype=np.float32) / 2).reshape(2, 40)
BYTES = quantized(0.25, 3)


def _stored(x: Array, scale: float, zero: int) -> Array:
    return np.clip(np.round(x / scale) + zero, -128, 127).astype(np.int8)


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _windows(x: Array, kernel: int, stride: int) -> Array:
    view = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (1, 2))
    return view[:, ::stride, ::stride]


def _conv2d(x: Array, w: Array) -> Array:
    return np.einsum("nhwcij,ocij->nhwo", _windows(x, 3, 2), w)


def _conv_transpose2d(x: Array, w: Array) -> Array:
    n, height, width, _ = x.shape
    out = np.zeros((n, 2 * height + 1, 2 * width + 1, w.shape[1]))
    for i in range(height):
        for j in range(width):
            spread = np.einsum("nc,coij->nijo", x[:, i, j], w)
            out[:, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] += spread
    return out


def _scatter_rows(indices: Array, table: Array, gradient: Array) -> Array:
    out = np.zeros(table.shape)
    np.add.at(out, indices, gradient)
    return out


def _pool_places(x: Array, height: int, width: int, left: int) -> Array:
    """Where each window has its maximum, between columns of padding."""
    padded = np.pad(x, ((0, 0), (0, 0), (left, left), (0, 0)), constant_values=-np.inf)
    rows, columns = x.shape[1] // height, padded.shape[2] // width
    cut = padded[:, : rows * height, : columns * width]
    split = cut.reshape(x.shape[0], rows, height, columns, width, x.shape[3])
    windows = split.transpose(0, 1, 3, 5, 2, 4).reshape(x.shape[0], rows, columns, x.shape[3], -1)
    row, column = np.divmod(windows.argmax(-1), width)
    row += np.arange(rows).reshape(-1, 1, 1) * height
    column += np.arange(columns).reshape(-1, 1) * width - left
    return row * x.shape[2] + column


INDICES = RNG.integers(0, 10, (3, 5)).astype(np.uint32)
TABLE = RNG.standard_normal((10, 40)).astype(np.float32)
FIVE = np.array([[3], [0], [9], [2], [2]], np.int32)

CASES: dict[str, Case] = {
    "where": Case(
        lambda b, c, x, y: b.where(c, x, y),
        lambda c, x, y: np.where(c != 0, x, y),
        (np.maximum(X, 0), Y, ROW),
    ),
    "leaky_relu": Case(lambda b, x: b.leaky_relu(x, 0.2), lambda x: np.where(x > 0, x, 0.2 * x)),
    "clamp": Case(lambda b, x: b.clamp(x, -0.5, 1), lambda x: np.clip(x, -0.5, 1)),
    "selu": Case(
        lambda b, x: b.selu(x, 1.25, 1.5),
        lambda x: 1.25 * np.where(x > 0, x, 1.5 * np.expm1(x)),
    ),
    "typecast": Case(lambda b, x: b.typecast(x, "i32"), lambda x: np.trunc(x), (10 * X,)),
    "sum": reduction("sum", np.sum),
    "mean": reduction("mean", np.mean),
    "max": reduction("max", np.max),
    "min": reduction("min", np.min),
    "prod": reduction("prod", np.prod),
    "argmax": Case(lambda b, x: b.argmax(x, 1), lambda x: x.argmax(1)),
    "constant": Case(lambda b, x: b.add(x, b.constant(Y)), lambda x: x + Y),
    "fill": Case(lambda b, x: b.add(x, b.fill(Y)), lambda x: x + Y),
    "full": Case(lambda b, x: b.add(x, b.full(X.shape, 1.5)), lambda x: x + 1.5),
    "arange": Case(
        lambda b, x: b.add(x, b.arange(X.shape, 3, 2, dim=1)),
        lambda x: x + np.arange(3, 69, 2).reshape(1, 33, 1),
    ),
    "transpose": Case(lambda b, x: b.transpose(x, 0, 2), lambda x: x.swapaxes(0, 2)),
    "permute": Case(lambda b, x: b.permute(x, (2, 0, -2)), lambda x: x.transpose(2, 0, 1)),
    "reshape": Case(lambda b, x: b.reshape(x, (47, -1)), lambda x: x.reshape(47, -1)),
    "squeeze": Case(lambda b, x: b.squeeze(x, 0), lambda x: x[0], (X[:1],)),
    "unsqueeze": Case(lambda b, x: b.unsqueeze(x, -1), lambda x: x[..., None]),
    "concat": Case(
        lambda b, x, y: b.concat([x, y], -1), lambda x, y: np.concatenate([x, y], -1), (X, Y)
    ),
    "broadcast": Case(
        lambda b, x: b.broadcast(x, (2, 33, 47)), lambda x: np.broadcast_to(x, (2, 33, 47)), (ROW,)
    ),
    "repeat": Case(lambda b, x: b.repeat(x, (1, 2, 3)), lambda x: np.tile(x, (1, 2, 3))),
    "slice": Case(
        lambda b, x: b.slice(x, (0, 2, -40), (2, 30, 47), (1, 3, 2)), lambda x: x[0:2, 2:30:3, 7::2]
    ),
    "pad": Case(
        lambda b, x: b.pad(x, ((0, 0), (1, 2), (3, 0)), 7.0),
        lambda x: np.pad(x, ((0, 0), (1, 2), (3, 0)), constant_values=7),
    ),
    "gather": Case(
        lambda b, x, i: b.gather(
            x,
            i,
            offset_dims=(1,),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            index_vector_dim=1,
            slice_sizes=(1, 40),
        ),
        lambda x, i: x[i[:, 0].astype(int)],
        (TABLE, FIVE),
    ),
    "to_layout": Case(
        lambda b, x: b.add(
            b.to_layout(x, memory_space="l1", grid=(2, 2), memory_layout="block_sharded"), x
        ),
        lambda x: x + x,
        (RNG.standard_normal((128, 128)).astype(np.float32),),
    ),
    "matmul": Case(
        lambda b, x, y: b.matmul(x, y, transpose_b=True),
        lambda x, y: x @ y.swapaxes(1, 2),
        (X, Y),
        atol=2e-5,
    ),
    "linear": Case(
        lambda b, x, y, z: b.linear(x, y, z, transpose_a=True),
        lambda x, y, z: x.swapaxes(1, 2) @ y + z,
        (X, Y, ROW),
        atol=2e-5,
    ),
    "softmax": Case(lambda b, x: b.softmax(x), _softmax),
    "layer_norm": Case(
        lambda b, x, w, z: b.layer_norm(x, w, z),
        lambda x, w, z: _norm(x, w, z, True),
        (X, ROW[0], ROW[0] + 1),
        atol=2e-5,
    ),
    "rms_norm": Case(
        lambda b, x, w: b.rms_norm(x, w), lambda x, w: _norm(x, w, 0, False), (X, ROW[0]), atol=2e-5
    ),
    "embedding": Case(
        lambda b, i, t: b.embedding(i, t), lambda i, t: t[i.astype(int)], (INDICES, TABLE)
    ),
    "embedding_backward": Case(
        lambda b, i, t, g: b.embedding_backward(i, t, g),
        lambda i, t, g: _scatter_rows(i.astype(int), t, g),
        (INDICES, TABLE, RNG.standard_normal((3, 5, 40)).astype(np.float32)),
    ),
    "conv2d": Case(
        lambda b, x, w: b.conv2d(x, w, stride=(2, 2)),
        _conv2d,
        (IMAGE, RNG.standard_normal((5, 4, 3, 3)).astype(np.float32)),
        atol=2e-5,
    ),
    "conv_transpose2d": Case(
        lambda b, x, w: b.conv_transpose2d(x, w, stride=(2, 2)),
        _conv_transpose2d,
        (IMAGE, RNG.standard_normal((4, 5, 3, 3)).astype(np.float32)),
        atol=2e-5,
    ),
    "update_slice": Case(
        lambda b, x, y, at: b.update_slice(x, y, at, starts=(1, 0), dims=(0,)),
        lambda x, y, at: np.concatenate([x[: at[0] + 1], y, x[at[0] + 3 :]]),
        (TABLE, TABLE[:2] + 1, np.array([4], np.int32)),
    ),
    "prepare_conv2d_weights": Case(
        lambda b, x: b.prepare_conv2d_weights(x),
        lambda x: x.transpose(2, 3, 1, 0).reshape(1, 1, 99 * 4, 2),
        (IMAGE.transpose(0, 3, 1, 2),),
    ),
    "unfold": Case(
        lambda b, x: b.unfold(x, (3, 3), channels=4, stride=(2, 2)),
        lambda x: np.moveaxis(_windows(x.reshape(2, 9, 11, 4), 3, 2), 3, 5).reshape(40, 36),
        (IMAGE.reshape(2, 9, 44),),
    ),
    "max_pool2d": Case(
        lambda b, x: b.max_pool2d(x, (3, 3), stride=(2, 2)),
        lambda x: _windows(x, 3, 2).max((-1, -2)),
        (IMAGE,),
    ),
    "avg_pool2d": Case(
        lambda b, x: b.avg_pool2d(x, (3, 3), stride=(2, 2)),
        lambda x: _windows(x, 3, 2).mean((-1, -2)),
        (IMAGE,),
    ),
    "upsample": Case(
        lambda b, x: b.upsample(x, (2, 3)), lambda x: x.repeat(2, 1).repeat(3, 2), (IMAGE,)
    ),
    "max_pool2d_with_indices": Case(
        lambda b, x: b.max_pool2d_with_indices(x, (2, 3), padding=(0, 1))[1],
        lambda x: _pool_places(x, 2, 3, 1),
        (IMAGE,),
    ),
    "resize": Case(
        lambda b, x: b.resize(x, (2, 18, 22, 4), coordinates="asymmetric", nearest="floor"),
        lambda x: x.repeat(2, 1).repeat(2, 2),
        (IMAGE,),
    ),
}
PLACES = np.array([3, 1, 3], np.int32)
START = np.array([1, -2, 9], np.int32)
WORDS = RNG.integers(0, 2**32, 4, np.uint32)
KEYS = np.sort(RNG.standard_normal((4, 8)).astype(np.float32), -1)[:, ::-1].copy()


def _changed(function: Callable[..., Any]) -> Callable[..., Array]:
    """A copy of the first argument, which the function changes."""

    def change(x: Array, *others: Array) -> Array:
        x = x.copy()
        function(x, *others)
        return x

    return change


def _uniform(shape: tuple[int, ...], seed: int) -> Array:
    import jax

    return np.asarray(jax.random.uniform(jax.random.key(seed), shape, np.float32))


def _draw_bits(state: Array) -> Array:
    from jax import lax

    algorithm = lax.RandomAlgorithm.RNG_PHILOX
    return np.asarray(lax.rng_bit_generator(state, (5, 7), algorithm=algorithm)[1])


def _encipher(key: Array, counts: Array) -> Array:
    from jax.extend.random import threefry_2x32

    return np.asarray(threefry_2x32((key[0], key[1]), counts))


CASES |= {
    "argsort": Case(lambda b, x: b.argsort(x, 1), lambda x: np.argsort(x, 1, "stable")),
    "sort": Case(lambda b, x, y: b.sort([x, y], dim=0)[0], lambda x, _: np.sort(x, 0), (X, Y)),
    "topk": Case(lambda b, x: b.topk(x, 3)[0], lambda x: -np.sort(-x, -1)[..., :3]),
    "topk_router_gpt": Case(
        lambda b, x, w, c: b.topk_router_gpt(x, w, c, 3)[1],
        lambda x, w, c: -np.sort(-(x @ w + c), -1)[..., :8],
        (TABLE, TABLE.T, TABLE[:1, :10]),
    ),
    "gather_dim": Case(
        lambda b, x, i: b.gather_dim(x, i, 0),
        lambda x, i: np.take_along_axis(x, i, 0),
        (TABLE, FIVE.repeat(40, 1)),
    ),
    "scatter": Case(
        lambda b, x, i, y: b.scatter(
            x,
            i,
            y,
            update_window_dims=(1,),
            inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,),
            index_vector_dim=1,
            reduce="add",
        ),
        _changed(lambda x, i, y: np.add.at(x, i[:, 0], y)),
        (TABLE, FIVE, TABLE[:5]),
    ),
    "scatter_dim": Case(
        lambda b, x, i, y: b.scatter_dim(x, i, y, 0),
        _changed(lambda x, i, y: np.put_along_axis(x, i, y, 0)),
        (TABLE, FIVE[:3].repeat(40, 1), TABLE[:3]),
    ),
    "scatter_rows": Case(
        lambda b, x, i, y: b.scatter_rows(x, i, y, "multiply"),
        _changed(lambda x, i, y: np.multiply.at(x, i, y)),
        (TABLE, PLACES, TABLE[:3]),
    ),
    "previous_equal": Case(
        lambda b, x: b.previous_equal(x, 10), lambda _: np.array([0, 1, 0]), (PLACES,)
    ),
    "dynamic_slice": Case(
        lambda b, x, at: b.dynamic_slice(x, at, (1, 20, 30)),
        lambda x, _: x[1:2, :20, 9:39],
        (X, START),
    ),
    "dynamic_update_slice": Case(
        lambda b, x, y, at: b.dynamic_update_slice(x, y, at),
        _changed(lambda x, y, _: x.__setitem__((slice(1, 2), slice(0, 20), slice(9, 39)), y)),
        (X, Y[:1, :20, :30], START),
    ),
    "slice_dynamic": Case(
        lambda b, x, i, j: b.slice_dynamic(x, i, j, (1, 2, 10), (1, 1, 2)),
        lambda x, *_: x[1:2, -2:, 9:29:2],
        (X, START, np.array([2, 33, 29], np.int32)),
    ),
    "index": Case(lambda b, x: b.index(x, -1, 3, 40, 4), lambda x: x[..., 3:40:4]),
    "index_select": Case(lambda b, x: b.index_select(x, 1, -9, 3, 4), lambda x: x[:, 24:33:4]),
    "repeat_interleave": Case(
        lambda b, x: b.repeat_interleave(x, 3, 1), lambda x: np.repeat(x, 3, 1)
    ),
    "reverse": Case(lambda b, x: b.reverse(x, (0, 2)), lambda x: x[::-1, :, ::-1]),
    "get_dimension_size": Case(lambda b, x: b.get_dimension_size(x, 2), lambda _: np.array([47])),
    "bitcast_convert": Case(
        lambda b, x: b.bitcast_convert(x, "u32"), lambda x: x.astype(np.float32).view(np.uint32)
    ),
    "threefry2x32": Case(lambda b, key, x: b.threefry2x32(key, x), _encipher, (WORDS[:2], WORDS)),
    "rng_bit_generator": Case(
        lambda b, state: b.rng_bit_generator(state, (5, 7), "philox")[1], _draw_bits, (WORDS,)
    ),
    "rand": Case(lambda b, x: b.add(x, b.rand(X.shape)), lambda x: x + _uniform(X.shape, 0)),
    "dropout": Case(
        lambda b, x: b.dropout(x, 0.3, 2.0, 5),
        lambda x: np.where(_uniform(X.shape, 5) >= np.float32(0.3), 2 * x, 0),
    ),
    "sampling": Case(
        # The greatest of each row, whatever is drawn.
        lambda b, x, i, k, p, t: b.sampling(x, i, k, p, t, 3),
        lambda x, i, *_: i[:, 0],
        (
            KEYS,
            np.arange(32, dtype=np.int32).reshape(4, 8),
            np.ones(4, np.int32),
            np.ones(4, np.float32),
            np.ones(4, np.float32),
        ),
    ),
    "quantize": Case(lambda b, x: b.quantize(x, BYTES), lambda x: _stored(x, 0.25, 3), (HALVES,)),
    "dequantize": Case(lambda b, x: b.dequantize(b.quantize(x, BYTES)), lambda x: x, (HALVES,)),
    "requantize": Case(
        lambda b, x: b.requantize(b.quantize(x, BYTES), quantized(0.5)),
        lambda x: _stored(x, 0.5, 0),
        (HALVES,),
    ),
    "quantize_unrolled": Case(
        lambda b, x: b.quantize_unrolled(x, b.constant(0.25), b.constant(3, dtype="i32")),
        lambda x: _stored(x, 0.25, 3),
        (HALVES,),
    ),
    "dequantize_unrolled": Case(
        lambda b, x: b.dequantize_unrolled(x, b.constant([0.25, 0.5]), b.constant([3, 0]), axis=0),
        lambda x: (x - [[3], [0]]) * [[0.25], [0.5]],
        (np.arange(-8, 8, dtype=np.int8).reshape(2, 8),),
    ),
    "requantize_unrolled": Case(
        lambda b, x: b.requantize_unrolled(x, *(b.constant(n) for n in (0.25, 3, 0.5, 0))),
        lambda x: _stored((x - 3.0) * 0.25, 0.5, 0),
        (np.arange(-8, 8, dtype=np.int8),),
    ),
}


def dialect_ops() -> set[str]:
    """Names of the ops that are no structure of other ops and no memory of a later stage."""
    classes = inspect.getmembers(ttir, lambda m: inspect.isclass(m) and issubclass(m, ir.OpView))
    names = {cls.OPERATION_NAME.partition(".")[2] for _, cls in classes if cls is not ir.OpView}
    return names - {"alloc", "dealloc", "generic", "kernel", "yield"}


CASES |= {
    "reduce_and": Case(
        lambda b, x: b.reduce_and(x, 1), lambda x: (x != 0).all(1).astype(np.float32)
    ),
    "reduce_or": Case(lambda b, x: b.reduce_or(x, 1), lambda x: (x != 0).any(1).astype(np.float32)),
    "zeros": Case(lambda b, x: b.zeros((3, 5)), lambda x: np.zeros((3, 5))),
    "ones": Case(lambda b, x: b.ones((3, 5)), lambda x: np.ones((3, 5))),
}
TABLE = [name for name in vars(OpTable) if not name.startswith("_")]
#: The methods of composite ops are in test_builder_composites.py.
ELTWISE = [name for name in TABLE if not definitions()[f"ttir.{name}"].is_composite]
# They need a mesh, and are in ops/test_collective_numbers.py. One op gathers what it sharded.
COLLECTIVES = [n for n in vars(CollectiveOps) if not n.startswith("_") and n != "mesh_gather"]


def test_every_op_has_a_method() -> None:
    assert {*CASES, *TABLE, *COLLECTIVES} == dialect_ops()
    assert len(CASES) + len(TABLE) + len(COLLECTIVES) == len(dialect_ops())
    for name in dialect_ops():
        method = getattr(ttmlir.Builder, name)
        assert method.__name__ == name
        assert method.__doc__
        assert "name" in inspect.signature(method).parameters


#: Values of attributes, by the type of the parameter.
VALUES: dict[str, Any] = {"int": 0, "bool": True, "float": 0.5, "Sequence[int]": (0, 1, 2)}


@pytest.mark.parametrize("op", ELTWISE)
def test_table(op: str) -> None:
    parameters = [
        parameter.annotation
        for name, parameter in inspect.signature(getattr(OpTable, op)).parameters.items()
        if name not in ("self", "name")
    ]
    arity = parameters.count("Tensor")
    of_bits = op.startswith("bitwise") or op.endswith("_shift") or op in ("popcount", "clz")
    dtype = "i32" if of_bits else "f32"
    b = ttmlir.Builder()
    inputs = [b.input(f"x{i}", s, dtype) for i, s in enumerate([(2, 1, 40), (33, 40)][:arity])]
    values = [VALUES[kind] for kind in parameters[arity:]]
    result = getattr(b, op)(*inputs, *values, name="here")
    assert (result.shape, result.dtype) == ((2, 33, 40) if arity == 2 else (2, 1, 40), dtype)
    b.output(result)
    assert b.module.operation.verify()
    assert f'"ttir.{op}"' in str(b)
    assert 'loc("here"' in str(result.value.owner.location)


@pytest.mark.parametrize("op", CASES)
def test_runs(op: str) -> None:
    case = CASES[op]
    b = ttmlir.Builder()
    inputs = [b.input(f"x{i}", a.shape, a.dtype) for i, a in enumerate(case.inputs)]
    result = case.build(b, *inputs)
    b.output(result)
    assert f'"ttir.{op}"' in str(b)
    found = ttmlir.compile(b)(*case.inputs)
    wide = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in case.inputs]
    expected = np.asarray(case.expected(*wide))
    assert found.shape == result.shape == (expected.shape or (1,))
    kind = "fc" if expected.dtype.kind == "f" else "biu"
    if kind == "biu" or op == "typecast":
        np.testing.assert_array_equal(found, expected.astype(found.dtype))
    else:
        np.testing.assert_allclose(found, expected, case.rtol, case.atol)
