"""Single ops on shapes that ONNX's own tests do not have, against onnx's reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx_models import expected, model

import ttmlir
from ttmlir.errors import CompileError

Case = tuple[str, Sequence[Any], Mapping[str, Any], int]


def _numbers(*shape: int, low: float = -2, high: float = 2) -> Any:
    rng = np.random.default_rng(sum(shape) + len(shape))
    return rng.uniform(low, high, shape).astype(np.float32)


def _integers(*shape: int, dtype: Any = np.int32, low: int = -9, high: int = 9) -> Any:
    return np.random.default_rng(sum(shape)).integers(low, high, shape).astype(dtype)


def _truths(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).random(shape) > 0.5


def _run(name: str, inputs: Sequence[Any], opset: int, **attributes: Any) -> tuple[Any, Any]:
    """What we and what the reference give; vectors of 64-bit integers are known."""
    count = attributes.pop("results", 1)
    node = helper.make_node(
        name,
        ["" if x is None else f"x{i}" for i, x in enumerate(inputs)],
        [f"y{i}" for i in range(count)],
        **attributes,
    )
    given = {f"x{i}": np.asarray(x) for i, x in enumerate(inputs) if x is not None}
    known = {n: x for n, x in given.items() if x.dtype == np.int64 and x.ndim < 2 and n != "x0"}
    kinds = {n: helper.np_dtype_to_tensor_dtype(x.dtype) for n, x in given.items()}
    types = {n: (kinds[n], x.shape) for n, x in given.items() if n not in known}
    names = [f"y{i}" for i in range(count)]
    source = model([node], types, names, known, opset=opset)
    want = expected(source, {n: given[n] for n in types})
    for output, value in zip(source.graph.output, want, strict=True):
        output.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(value.dtype)
    found = ttmlir.compile(source)({n: given[n] for n in types})
    return found if count > 1 else (found,), want


CASES: dict[str, Case] = {
    # Elementwise.
    "Add of integers": ("Add", [_integers(5, 1, 7), _integers(3, 7)], {}, 14),
    "Max of three": ("Max", [_numbers(4, 5), _numbers(5), _numbers(4, 1)], {}, 13),
    "Mean of three": ("Mean", [_numbers(4, 5), _numbers(5), _numbers(4, 1)], {}, 13),
    "Mod of integers": ("Mod", [_integers(40), _integers(40, low=1)], {}, 13),
    "Mod of floats": ("Mod", [_numbers(40), _numbers(40, low=0.5)], {"fmod": 1}, 13),
    "Pow of integers": ("Pow", [_integers(6), _integers(6, low=0, high=5)], {}, 15),
    "Pow of an integer and a float": ("Pow", [_integers(6, low=0), _numbers(6, low=0)], {}, 15),
    "Equal of truths": ("Equal", [_truths(4, 6), _truths(6)], {}, 19),
    "Where": (
        "Where",
        [_truths(4, 1), _integers(6, dtype=np.int16), _integers(4, 6, dtype=np.int16)],
        {},
        16,
    ),
    "Clip of integers": ("Clip", [_integers(30), np.int32(-3), np.int32(4)], {}, 13),
    "Clip by attributes": ("Clip", [_numbers(30)], {"min": -0.5, "max": 1.5}, 6),
    "Sign of bytes": ("Sign", [_integers(9, dtype=np.int8)], {}, 13),
    "Abs of unsigned": ("Abs", [_integers(9, dtype=np.uint8, low=0)], {}, 13),
    "Round": ("Round", [_numbers(50, low=-4, high=4).round(1)], {}, 11),
    "Erf": ("Erf", [_numbers(50)], {}, 13),
    "BitwiseXor": ("BitwiseXor", [_integers(9), _integers(9, low=0)], {}, 18),
    # Activations.
    "Softmax of rank 0": ("Softmax", [np.float32(3)], {}, 13),
    "LogSoftmax in front": ("LogSoftmax", [_numbers(5, 6)], {"axis": 0}, 13),
    "Softplus of large numbers": ("Softplus", [_numbers(40, low=-60, high=60)], {}, 22),
    "Selu": ("Selu", [_numbers(40)], {"alpha": 2.0, "gamma": 3.0}, 22),
    "HardSigmoid": ("HardSigmoid", [_numbers(40)], {"alpha": 0.3, "beta": 0.4}, 22),
    "Celu": ("Celu", [_numbers(40)], {"alpha": 0.7}, 12),
    "Shrink": ("Shrink", [_numbers(40)], {"lambd": 0.9, "bias": 0.4}, 9),
    # Shapes.
    "Reshape with 0 and -1": ("Reshape", [_numbers(4, 5, 6), np.array([0, -1, 2])], {}, 21),
    "Slice backwards": (
        "Slice",
        [
            _numbers(7, 9),
            np.array([-1, 8]),
            np.array([-9, 0]),
            np.array([0, 1]),
            np.array([-2, -3]),
        ],
        {},
        13,
    ),
    "Slice of nothing": ("Slice", [_numbers(7, 9), np.array([5]), np.array([2])], {}, 13),
    "Slice by attributes": ("Slice", [_numbers(7, 9)], {"starts": [1, -4], "ends": [5, 99]}, 9),
    "Pad around": (
        "Pad",
        [_numbers(3, 4), np.array([2, 3]), None, np.array([1])],
        {"mode": "wrap"},
        19,
    ),
    "Pad by reflection": ("Pad", [_numbers(3, 5), np.array([1, 2, 1, 3])], {"mode": "reflect"}, 19),
    "Tile": ("Tile", [_numbers(3, 1, 2), np.array([2, 3, 1])], {}, 13),
    "Split unevenly": ("Split", [_numbers(7, 2)], {"num_outputs": 3, "results": 3}, 18),
    "Trilu": ("Trilu", [_integers(2, 5, 7), np.array(2)], {"upper": 1}, 14),
    "OneHot in front": (
        "OneHot",
        [_integers(5, low=-4, high=4), np.array(4), _numbers(2)],
        {"axis": 0},
        11,
    ),
    "SpaceToDepth": ("SpaceToDepth", [_numbers(2, 3, 4, 6)], {"blocksize": 2}, 13),
    "ReverseSequence": (
        "ReverseSequence",
        [_numbers(4, 3, 2), np.array([1, 4, 2])],
        {"time_axis": 0, "batch_axis": 1},
        10,
    ),
    # Reductions.
    "ReduceMean in bf16 of integers": (
        "ReduceMean",
        [_integers(3, 4, 5), np.array([1, -1])],
        {},
        18,
    ),
    "ReduceProd": ("ReduceProd", [_numbers(3, 4), np.array([0])], {"keepdims": 0}, 18),
    "ReduceMin of truths": ("ReduceMin", [_truths(3, 4)], {}, 20),
    "ReduceLogSumExp": (
        "ReduceLogSumExp",
        [_numbers(3, 400, low=60, high=99), np.array([1])],
        {},
        18,
    ),
    "CumSum of integers": (
        "CumSum",
        [_integers(4, 5), np.array(0)],
        {"exclusive": 1, "reverse": 1},
        14,
    ),
    # Products.
    "MatMul of a vector": ("MatMul", [_numbers(5), _numbers(2, 3, 5, 4)], {}, 13),
    "MatMul of two vectors": ("MatMul", [_numbers(5), _numbers(5)], {}, 13),
    "MatMul of integers": ("MatMul", [_integers(3, 5), _integers(5, 4)], {}, 13),
    "MatMul that broadcasts": ("MatMul", [_numbers(2, 1, 3, 5), _numbers(4, 5, 2)], {}, 13),
    "Gemm of a row": ("Gemm", [_numbers(3, 5), _numbers(4, 5), _numbers(4)], {"transB": 1}, 13),
    "Gemm of a column": (
        "Gemm",
        [_numbers(5, 3), _numbers(5, 4), _numbers(3, 1)],
        {"transA": 1, "alpha": 0.5, "beta": 2.0},
        13,
    ),
    "Det": ("Det", [_numbers(2, 5, 5)], {}, 22),
    # Windows.
    "Conv of three dimensions": (
        "Conv",
        [_numbers(1, 4, 5, 6, 7), _numbers(6, 2, 3, 2, 3), _numbers(6)],
        {"group": 2, "pads": [1, 0, 1, 0, 1, 1], "strides": [2, 1, 2]},
        11,
    ),
    "Conv of one dimension": (
        "Conv",
        [_numbers(2, 4, 19), _numbers(6, 4, 3)],
        {"dilations": [3], "auto_pad": "SAME_LOWER"},
        11,
    ),
    "MaxPool of one dimension": (
        "MaxPool",
        [_numbers(2, 3, 17)],
        {"kernel_shape": [4], "strides": [3], "pads": [1, 2], "ceil_mode": 1},
        12,
    ),
    "AveragePool with a border": (
        "AveragePool",
        [_numbers(1, 3, 9, 8)],
        {"kernel_shape": [3, 2], "pads": [1, 0, 1, 1], "strides": [2, 2]},
        19,
    ),
    "DeformConv": (
        "DeformConv",
        [
            _numbers(2, 4, 9, 8),
            _numbers(6, 2, 3, 3),
            _numbers(2, 36, 5, 4),
            _numbers(6),
            _numbers(2, 18, 5, 4),
        ],
        {"group": 2, "offset_group": 2, "strides": [2, 2], "pads": [1, 1, 1, 1]},
        19,
    ),
    # Normalizations.
    "LayerNormalization": (
        "LayerNormalization",
        [_numbers(2, 3, 4), _numbers(3, 4)],
        {"axis": 1, "results": 3},
        17,
    ),
    "GroupNormalization by group": (
        "GroupNormalization",
        [_numbers(2, 6, 3), _numbers(3), _numbers(3)],
        {"num_groups": 3},
        18,
    ),
    "InstanceNormalization": (
        "InstanceNormalization",
        [_numbers(2, 3, 4, 5), _numbers(3), _numbers(3)],
        {"epsilon": 0.1},
        6,
    ),
    "LRN": ("LRN", [_numbers(7, 7, 2, 2)], {"size": 4, "alpha": 0.5, "beta": 0.6}, 13),
}


def _pooled_bytes(x: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 3), (2, 3))
    return windows.max((-2, -1))


_X, _BYTES = _numbers(2, 3, 4, 5), _integers(1, 2, 7, 8, dtype=np.int8)
#: What the reference cannot compute, or has wrong.
BY_HAND: dict[str, tuple[str, Sequence[Any], Mapping[str, Any], int, Any]] = {
    "Add along an axis": (
        "Add",
        [_X, _numbers(3, 4)],
        {"axis": 1, "broadcast": 1},
        6,
        _X + _numbers(3, 4)[:, :, None],
    ),
    "Pad with a number": (
        "Pad",
        [_integers(3, 4), np.array([1, 0, 2, -1]), np.int32(2**30 + 1)],
        {},
        19,
        np.pad(_integers(3, 4)[:, :3], ((1, 2), (0, 0)), constant_values=2**30 + 1),
    ),
    "MaxPool of bytes": (
        "MaxPool",
        [_BYTES],
        {"kernel_shape": [2, 3]},
        12,
        _pooled_bytes(_BYTES),
    ),
    "AveragePool with a border on some sides": (
        "AveragePool",
        [_X],
        {"kernel_shape": [2, 2], "pads": [1, 0, 0, 1], "count_include_pad": 1},
        19,
        np.lib.stride_tricks.sliding_window_view(
            np.pad(_X, ((0, 0), (0, 0), (1, 0), (0, 1))), (2, 2), (2, 3)
        ).mean((-2, -1)),
    ),
    "GlobalLpPool": (
        "GlobalLpPool",
        [_X],
        {"p": 3},
        22,
        (np.abs(_X) ** 3).sum((2, 3), keepdims=True) ** (1 / 3),
    ),
    "ReduceL2 of no dimension": (
        "ReduceL2",
        [_numbers(3, 4), np.array([], np.int64)],
        {"noop_with_empty_axes": 1},
        18,
        np.abs(_numbers(3, 4)),
    ),
    "MaxRoiPool": (
        "MaxRoiPool",
        [_numbers(1, 2, 8, 8), np.float32([[0, 2, 1, 5, 4]])],
        {"pooled_shape": [2, 2]},
        22,
        _numbers(1, 2, 8, 8)[:, :, 1:5, 2:6].reshape(1, 2, 2, 2, 2, 2).max((3, 5)),
    ),
    "LpNormalization": (
        "LpNormalization",
        [_numbers(4, 5)],
        {"p": 1, "axis": 0},
        22,
        _numbers(4, 5) / np.abs(_numbers(4, 5)).sum(0),
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_op_by_hand(name: str) -> None:
    op, inputs, attributes, opset, want = BY_HAND[name]
    node = helper.make_node(op, [f"x{i}" for i in range(len(inputs))], ["y"], **attributes)
    known = {f"x{i}": x for i, x in enumerate(inputs) if i}
    kind = helper.np_dtype_to_tensor_dtype(inputs[0].dtype)
    types = {"x0": (kind, inputs[0].shape)}
    found = ttmlir.compile(model([node], types, ["y"], known, opset=opset, kinds=[kind]))(inputs[0])
    assert found.shape == want.shape
    np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5)


def test_transposed_convolution_in_groups() -> None:
    """Each group is a convolution of its own."""
    x, w = _numbers(1, 4, 5, 6), _numbers(4, 3, 3, 3)
    attributes = {"strides": [2, 3], "output_padding": [1, 2], "pads": [1, 0, 0, 2]}
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], group=2, **attributes)
    single = helper.make_node("ConvTranspose", ["x", "w"], ["y"], **attributes)
    parts = [slice(0, 2), slice(2, 4)]
    kind = onnx.TensorProto.FLOAT
    want = [
        expected(model([single], {"x": (kind, [1, 2, 5, 6])}, ["y"], {"w": w[p]}), {"x": x[:, p]})
        for p in parts
    ]
    found = ttmlir.compile(model([node], {"x": (kind, x.shape)}, ["y"], {"w": w}))(x)
    together = np.concatenate([y for (y,) in want], 1)
    np.testing.assert_allclose(found, together, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_op(name: str) -> None:
    op, inputs, attributes, opset = CASES[name]
    found, want = _run(op, inputs, opset, **attributes)
    for x, y in zip(found, want, strict=True):
        assert x.shape == y.shape
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)


def test_batch_normalization_of_one_channel_each() -> None:
    """Before operator set 9 with statistics of each element."""
    x, rest = _numbers(4, 3, 2), [_numbers(3, 2, low=0.5) for _ in range(4)]
    node = helper.make_node(
        "BatchNormalization", ["x", "a", "b", "c", "d"], ["y"], spatial=0, epsilon=1e-3
    )
    weights = dict(zip("abcd", rest, strict=True))
    source = model([node], {"x": (onnx.TensorProto.FLOAT, x.shape)}, ["y"], weights, opset=7)
    scale, offset, mean, variance = rest
    want = (x - mean) / np.sqrt(variance + 1e-3) * scale + offset
    np.testing.assert_allclose(ttmlir.compile(source)(x), want, rtol=1e-4, atol=1e-5)


def test_softmax_before_operator_set_13() -> None:
    """All dimensions from the axis on are one."""
    x = _numbers(3, 4, 5)
    node = helper.make_node("Softmax", ["x"], ["y"])
    source = model([node], {"x": (onnx.TensorProto.FLOAT, x.shape)}, ["y"], opset=11)
    found = ttmlir.compile(source)(x)
    np.testing.assert_allclose(found.reshape(3, -1).sum(1), np.ones(3), rtol=1e-5)


@pytest.mark.parametrize(
    ("op", "inputs", "attributes", "what"),
    [
        ("Transpose", [_numbers(2, 3)], {"perm": [0, 2]}, "expected the dimensions of"),
        ("Concat", [_numbers(2, 3), _numbers(3, 2)], {"axis": 0}, "concat"),
        ("Softmax", [_numbers(2, 3)], {"axis": 2}, r"expected an axis in \[-2, 2\), found 2"),
        ("Squeeze", [_numbers(2, 3), np.array([0])], {}, "expected extents of 1"),
        ("Reshape", [_numbers(2, 3), np.array([4, 2])], {}, "expected a shape of 6 elements"),
        ("MatMul", [_numbers(2, 3), _numbers(4, 2)], {}, "matmul"),
        ("Split", [_numbers(6, 2), np.array([1, 2])], {"results": 2}, "with the sum 6"),
        ("MaxPool", [_numbers(1, 1, 2, 2)], {"kernel_shape": [3, 3]}, "expected extents of at"),
    ],
)
def test_what_does_not_fit(
    op: str, inputs: Sequence[Any], attributes: dict[str, Any], what: str
) -> None:
    count = attributes.pop("results", 1) if "results" in attributes else 1
    given = {f"x{i}": x for i, x in enumerate(inputs)}
    known = {n: x for n, x in given.items() if x.dtype == np.int64}
    types = {n: (onnx.TensorProto.FLOAT, x.shape) for n, x in given.items() if n not in known}
    names = [f"y{i}" for i in range(count)]
    node = helper.make_node(op, list(given), names, name="the node", **attributes)
    with pytest.raises(CompileError, match=what) as caught:
        ttmlir.compile(model([node], types, names, known))
    assert any(d.location == "the node" for d in caught.value.diagnostics)
