"""Heads of attention: their split, which has three results, and their concatenation."""

from __future__ import annotations

from typing import Any

import machine
import numpy as np
import pytest
from machine import L1, ROW_MAJOR, one_op, sharded

from ttmlir import runtime

SPLIT = "SplitQueryKeyValueAndSplitHeadsOp"
NAMES = ("query", "key", "value")


def split(
    arrays: list[np.ndarray],
    shapes: list[tuple[int, ...]],
    layout: dict[str, Any] | None = None,
    outs: list[dict[str, Any]] | None = None,
    dtype: str = "Float32",
    **fields: Any,
) -> list[np.ndarray]:
    """Runs a split of one or two inputs."""
    program = machine.ttnn_file.Program()
    host = [program.input(program.tensor(a.shape, dtype)) for a in arrays]
    device = program.get_device()
    operands = {}
    for name, tensor, array in zip(("input_tensor", "kv_input_tensor"), host, arrays, strict=False):
        operands[name] = program.dram(array.shape, dtype, **(layout or {}))
        program.op("ToDeviceOp", **{"in": tensor}, device=device, out=operands[name])
    results = [
        program.dram(shape, dtype, **(outs[i] if outs else layout or {}))
        for i, shape in enumerate(shapes)
    ]
    for tensor, shape in zip(results, shapes, strict=True):
        program.op("EmptyOp", shape=list(shape), dtype=dtype, device=device, out=tensor)
    program.op(SPLIT, **operands, **dict(zip(NAMES, results, strict=True)), **fields)
    for tensor, shape in zip(results, shapes, strict=True):
        out = program.tensor(shape, dtype)
        program.op("ToMemoryConfigOp", in0=tensor, device=device, out=out)
        program.outputs.append(out)
    return machine.run(program, *arrays)


def expected(
    x: np.ndarray, y: np.ndarray | None, heads: int, kv_heads: int, turned: bool
) -> list[np.ndarray]:
    width = x.shape[2] // (heads if y is not None else heads + 2 * kv_heads)
    rest = x[:, :, heads * width :] if y is None else y

    def part(of: np.ndarray, first: int, count: int) -> np.ndarray:
        some = of[:, :, first * width : (first + count) * width]
        return some.reshape(*of.shape[:2], count, width).transpose(0, 2, 1, 3)

    key = part(rest, 0, kv_heads)
    return [
        part(x, 0, heads),
        key.transpose(0, 1, 3, 2) if turned else key,
        part(rest, kv_heads, kv_heads),
    ]


def draw(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 99, shape).astype(machine.DTYPES[dtype])


@pytest.mark.parametrize("layout", [{}, ROW_MAJOR, L1], ids=["tile", "rows", "l1"])
@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "UInt8", "UInt16", "Int32"])
@pytest.mark.parametrize(
    ("heads", "kv_heads", "turned"), [(4, 4, False), (4, 2, True), (3, 1, True)]
)
def test_split(heads: int, kv_heads: int, turned: bool, dtype: str, layout: dict[str, Any]) -> None:
    x = draw((2, 37, (heads + 2 * kv_heads) * 24), dtype)
    exact = expected(x, None, heads, kv_heads, turned)
    fields = {"num_heads": heads, "num_kv_heads": kv_heads, "transpose_key": turned}
    found = split([x], [a.shape for a in exact], layout, dtype=dtype, **fields)
    for a, b in zip(found, exact, strict=True):
        np.testing.assert_array_equal(a, b)


def test_split_of_two_inputs_into_shards() -> None:
    x, y = draw((2, 33, 128), "BFloat16"), draw((2, 70, 128), "BFloat16")
    exact = expected(x, y, 4, 2, False)
    outs = [sharded((4, 1)), {}, sharded((2, 1))]
    fields = {"num_heads": 4, "num_kv_heads": 2}
    with pytest.raises(runtime.RuntimeError, match="of one width"):
        split([x, y], [a.shape for a in exact], dtype="BFloat16", num_heads=4)
    found = split([x, y], [a.shape for a in exact], None, outs, "BFloat16", **fields)
    for a, b in zip(found, exact, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["Float32", "BFloat16", "BFP_BFloat8", "Int32"])
def test_concatenate(dtype: str) -> None:
    plain = "Float32" if dtype.startswith("BFP") else dtype
    x = draw((2, 4, 37, 32), plain)
    options = {"dtypes": {"in": dtype}, "dtype": dtype}
    out = one_op("ConcatenateHeadsOp", {"in": x}, (2, 37, 128), **options)
    np.testing.assert_array_equal(out, x.transpose(0, 2, 1, 3).reshape(2, 37, 128))


GOOD = [(2, 4, 37, 8)] * 3


@pytest.mark.parametrize(
    ("shape", "shapes", "fields", "message"),
    [
        ((74, 96), GOOD, {}, "expected inputs of rank 3 and of one batch"),
        ((2, 37, 96), GOOD, {"num_heads": 0}, "expected positive numbers of heads, found 0"),
        (
            (2, 37, 96),
            GOOD,
            {"num_kv_heads": 0},
            "expected positive numbers of heads, found 4 and 0",
        ),
        ((2, 37, 97), GOOD, {}, "expected heads of one width"),
        ((2, 37, 96), [(2, 4, 37, 9), *GOOD[1:]], {}, "query"),
        ((2, 37, 96), GOOD, {"transpose_key": True}, "key"),
        ((2, 37, 96), [*GOOD[1:], (2, 4, 38, 8)], {}, "value"),
    ],
)
def test_malformed_split(
    shape: tuple[int, ...], shapes: list[tuple[int, ...]], fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(runtime.RuntimeError, match=message):
        split([np.zeros(shape, np.float32)], shapes, **{"num_heads": 4, **fields})


def test_results_are_three_tensors() -> None:
    program = machine.ttnn_file.Program()
    x, out = program.input(program.tensor((2, 37, 96))), program.dram(GOOD[0])
    program.op(SPLIT, input_tensor=x, query=out, key=out, value=out, num_heads=4)
    with pytest.raises(runtime.RuntimeError, match="expected three tensors"):
        machine.load(program)


@pytest.mark.parametrize(
    ("shape", "out", "message"),
    [((4, 37, 8), (37, 32), "of rank 4 in field in"), ((2, 4, 37, 8), (2, 37, 64), "2x37x32")],
)
def test_malformed_concatenation(
    shape: tuple[int, ...], out: tuple[int, ...], message: str
) -> None:
    with pytest.raises(runtime.RuntimeError, match=message):
        one_op("ConcatenateHeadsOp", {"in": np.zeros(shape, np.float32)}, out)
