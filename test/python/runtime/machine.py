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


ROW_MAJOR = {"tiled": False}
L1 = {"space": "DeviceL1"}


def sharded(grid: tuple[int, int], kind: str = "BlockSharded", **options: Any) -> dict[str, Any]:
    return {"space": "DeviceL1", "layout": kind, "grid": grid, **options}
