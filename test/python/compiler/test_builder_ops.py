"""Every op of the builder: those written by hand are compiled and run, against NumPy in float64;
those made from the table of elementwise ops must verify."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import ir
from ttmlir.builder import Tensor
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
}


def dialect_ops() -> set[str]:
    """Names of the ops that are no structure of other ops and no memory of a later stage."""
    classes = inspect.getmembers(ttir, lambda m: inspect.isclass(m) and issubclass(m, ir.OpView))
    names = {cls.OPERATION_NAME.partition(".")[2] for _, cls in classes if cls is not ir.OpView}
    return names - {"alloc", "dealloc", "generic", "kernel", "yield"}


TABLE = [name for name in vars(OpTable) if not name.startswith("_")]
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


@pytest.mark.parametrize("op", TABLE)
def test_table(op: str) -> None:
    parameters = [
        parameter.annotation
        for name, parameter in inspect.signature(getattr(OpTable, op)).parameters.items()
        if name not in ("self", "name")
    ]
    arity = parameters.count("Tensor")
    dtype = "i32" if op.startswith("bitwise") else "f32"
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
