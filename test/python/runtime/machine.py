"""Runs programs of ttnn_file on the emulated n150 with NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

import ttnn_file
from ttmlir import _runtime

BF16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {
    "Float32": np.dtype(np.float32),
    "Float16": np.dtype(np.float16),
    "BFloat16": BF16,
    "UInt32": np.dtype(np.uint32),
    "UInt16": np.dtype(np.uint16),
    "UInt8": np.dtype(np.uint8),
    "Int32": np.dtype(np.int32),
    "Int8": np.dtype(np.int8),
    "Int16": np.dtype(np.int16),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def to_tensor(array: np.ndarray) -> _runtime.Tensor:
    name = NAMES[array.dtype]
    if array.dtype == BF16:
        array = array.view(np.uint16)
    return _runtime.create_tensor_from_array(array, _runtime.DataType[name])


def to_numpy(tensor: _runtime.Tensor) -> np.ndarray:
    array = _runtime.to_array(tensor)
    return array.view(BF16) if tensor.dtype == _runtime.DataType.BFloat16 else array


def load(*programs: ttnn_file.Program, **options: Any) -> _runtime.Binary:
    return _runtime.load_binary_from_bytes(ttnn_file.build(*programs, **options))


def run(
    program: ttnn_file.Program | _runtime.Binary,
    *arrays: np.ndarray,
    device: _runtime.Device | None = None,
    index: int = 0,
) -> list[np.ndarray]:
    """Loads, runs and brings the results back."""
    binary = program if isinstance(program, _runtime.Binary) else load(program)
    opened = device or _runtime.open_device([0])
    try:
        outputs = _runtime.run(opened, binary, index, [to_tensor(a) for a in arrays])
        return [np.array(to_numpy(output)) for output in outputs]
    finally:
        if device is None:
            _runtime.close_device(opened)


Tensor = dict[str, Any]


def op_program(
    shapes: Sequence[tuple[int, ...]],
    out_shape: tuple[int, ...],
    emit: Callable[[ttnn_file.Program, list[Tensor], Tensor, Tensor], None],
    dtypes: Sequence[str] | str = "Float32",
    out_dtype: str | None = None,
    layouts: Sequence[dict[str, Any]] | None = None,
    out_layout: dict[str, Any] | None = None,
) -> ttnn_file.Program:
    """Host inputs, moved to the device, one operation there, result to the host.

    `emit(program, inputs, out, device)` adds the operation.
    """
    if isinstance(dtypes, str):
        dtypes = [dtypes] * len(shapes)
    out_dtype = out_dtype or dtypes[0]
    program = ttnn_file.Program()
    host = [
        program.input(program.tensor(shape, ttnn_file.host_dtype(dtype)))
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]
    device = program.get_device()
    moved = []
    for i, (value, shape, dtype) in enumerate(zip(host, shapes, dtypes, strict=True)):
        tensor = program.dram(shape, dtype, **(layouts[i] if layouts else {}))
        program.op("ToDeviceOp", **{"in": value}, device=device, out=tensor)
        moved.append(tensor)
    out = program.dram(out_shape, out_dtype, **(out_layout or {}))
    program.op("EmptyOp", shape=list(out_shape), dtype=out_dtype, device=device, out=out)
    emit(program, moved, out, device)
    result = program.tensor(out_shape, ttnn_file.host_dtype(out_dtype))
    program.op("ToMemoryConfigOp", in0=out, device=device, out=result)
    program.outputs = [result]
    return program


def one_op(
    table: str,
    operands: dict[str, np.ndarray],
    out_shape: tuple[int, ...],
    *,
    dtype: str | None = None,
    out: str = "out",
    dtypes: dict[str, str] | None = None,
    layouts: dict[str, dict[str, Any]] | None = None,
    out_layout: dict[str, Any] | None = None,
    **fields: Any,
) -> np.ndarray:
    """Runs one operation; `operands` are by field, their types those of the arrays unless `dtypes`
    says otherwise, and the result has the type `dtype`, or that of the first operand."""
    types = {name: (dtypes or {}).get(name, NAMES[a.dtype]) for name, a in operands.items()}

    def emit(program: ttnn_file.Program, ins: list[Tensor], result: Tensor, device: Tensor) -> None:
        program.op(table, **dict(zip(operands, ins, strict=True)), **{out: result}, **fields)

    program = op_program(
        [a.shape for a in operands.values()],
        out_shape,
        emit,
        dtypes=list(types.values()),
        out_dtype=dtype or next(iter(types.values())),
        layouts=[(layouts or {}).get(name, {}) for name in operands],
        out_layout=out_layout,
    )
    return run(program, *operands.values())[0]


def close(found: np.ndarray, exact: np.ndarray, dtype: str, rtol: float = 4e-6) -> None:
    """Within the tolerance of the format; NaN and infinity in the same places."""
    assert found.shape == exact.shape
    wide, exact = found.astype(np.float64), np.asarray(exact, np.float64)
    if dtype.startswith("BFP"):
        # 2^-6 of the greatest of 16 neighbours in a row.
        cols = exact.shape[-1]
        padded = np.pad(np.abs(exact).reshape(-1, cols), ((0, 0), (0, -cols % 16)))
        most = padded.reshape(len(padded), -1, 16).max(axis=2).repeat(16, axis=1)
        bound = 2**-6 * most[:, :cols].reshape(exact.shape)
        assert (np.abs(wide - exact) <= bound).all()
        return
    if dtype == "BFloat16":
        rtol = max(rtol, 2**-8)
        # What rounds beyond the largest bf16 is infinity there.
        exact = np.where(np.abs(exact) > 3.39e38, np.copysign(np.inf, exact), exact)
    np.testing.assert_allclose(wide, exact, rtol=rtol, atol=1e-38)


ROW_MAJOR = {"tiled": False}
L1 = {"space": "DeviceL1"}


def sharded(grid: tuple[int, int], kind: str = "BlockSharded", **options: Any) -> dict[str, Any]:
    return {"space": "DeviceL1", "layout": kind, "grid": grid, **options}
