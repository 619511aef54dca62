"""Changes of layout as kernels, under all checks: what comes back is what went in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, prod

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import ir, passes, runtime

NUMPY = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "si32": np.int32, "i8": np.uint8}
TILES = {"i8": "u8"}

#: The rows of a tensor in DRAM, where the host writes and reads.
ROWS = ("rows", "dram", (1, 1), "undef")
Step = tuple[str, str, tuple[int, int], str]


def tiles(padding: str = "undef") -> Step:
    return ("tiles", "dram", (1, 1), padding)


def shards(form: str, rows: int, columns: int) -> Step:
    return (form, "l1", (rows, columns), "undef")


def layout(shape: Sequence[int], step: Step, element: str) -> str:
    """A layout in which every matrix of tiles has tiles of its own."""
    form, space, grid, padding = step
    *leading, height, width = (1, *shape)[-max(len(shape), 2) :]
    padded = ceil(height / 32) * 32 if form == "tiles" else height
    dims = [f"d{i}" for i in range(len(shape))]
    terms, stride = [], 1
    for i in reversed(range(len(shape) - 1)):
        terms.insert(0, f"{dims[i]} * {stride}")
        stride *= padded if i == len(shape) - 2 else shape[i]
    linear = f"({', '.join(dims)}) -> ({' + '.join(terms) or '0'}, {dims[-1]})"
    extents = [ceil(prod(leading) * padded / grid[0]), ceil(width / grid[1])]
    kind = element
    if form == "tiles":
        extents = [ceil(extent / 32) for extent in extents]
        kind = f"!tt.tile<32x32, {TILES.get(element, element)}>"
    memref = f"memref<{extents[0]}x{extents[1]}x{kind}, #tt.memory_space<{space}>>"
    pages = ", interleaved" if space == "dram" else ""
    return f"#tt.layout<{linear}, {padding}, <{grid[0]}x{grid[1]}>, {memref}{pages}>"


def program(shape: Sequence[int], steps: Sequence[Step], elements: Sequence[str]) -> ir.Module:
    """A function that takes its argument through the layouts."""
    dims = "x".join(map(str, shape))
    types = [
        f"tensor<{dims}x{element}, {layout(shape, step, element)}>"
        for step, element in zip(steps, elements, strict=True)
    ]
    body = ""
    for i, (source, target) in enumerate(pairwise(types)):
        body += f"""
  %place{i} = tensor.empty() : {target}
  %v{i + 1} = "ttir.to_layout"(%v{i}, %place{i}) : ({source}, {target}) -> {target}"""
    text = f"""func.func @through(%v0: {types[0]}) -> {types[-1]} {{{body}
  return %v{len(types) - 1} : {types[-1]}
}}"""
    module = ir.Module.parse(text, ir.Context())
    passes.run_pipeline(
        module,
        "ttir-load-system-desc,ttir-implicit-device,ttir-allocate,convert-ttir-to-ttmetal",
    )
    return module


def run(module: ir.Module, value: np.ndarray) -> np.ndarray:
    binary = runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    desc = runtime.get_default_system_desc("n150")
    device = runtime.open_system(desc)
    try:
        runtime.set_device_options(device, runtime.DeviceOptions(checks=True))
        return ttmlir.Executable(binary, desc)(value, device=device)
    finally:
        runtime.close_device(device)


def through(shape: Sequence[int], steps: Sequence[Step], elements: Sequence[str]) -> None:
    numbers = np.random.default_rng(len(shape)).integers(0, 200, shape)
    value = numbers.astype(NUMPY[elements[0]])
    expected = value
    for element in elements[1:]:
        expected = expected.astype(NUMPY[element])
    found = run(program(shape, steps, elements), value)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("element", ["f32", "bf16", "i8"])
@pytest.mark.parametrize("shape", [(7,), (64, 64), (40, 50), (2, 33, 70), (2, 3, 5, 7), (36, 1030)])
def test_tiles(shape: tuple[int, ...], element: str) -> None:
    through(shape, [ROWS, tiles(), ROWS], [element] * 3)


@pytest.mark.parametrize("padding", ["zero", "one", "neginf"])
def test_padding_leaves_the_tensor_alone(padding: str) -> None:
    through((2, 33, 70), [ROWS, tiles("inf"), tiles(padding), tiles(), ROWS], ["f32"] * 5)


@pytest.mark.parametrize(
    ("steps", "elements"),
    [
        ([ROWS, ROWS], ["f32", "bf16"]),
        ([ROWS, ROWS], ["si32", "f32"]),
        ([ROWS, tiles(), ROWS], ["f32", "bf16", "f32"]),
        ([ROWS, tiles(), tiles(), ROWS], ["f32", "f32", "si32", "si32"]),
    ],
)
@pytest.mark.parametrize("shape", [(40, 50), (3, 2100)])
def test_formats(shape: tuple[int, ...], steps: list[Step], elements: list[str]) -> None:
    through(shape, steps, elements)


@pytest.mark.parametrize(
    ("shape", "grids"),
    [
        ((64, 256), [(4, 8), (8, 4), (1, 1)]),
        # Rows of 100 and of 28 bytes, which lie differently in DRAM and in L1.
        ((40, 50), [(2, 2)]),
        ((33, 7), [(1, 1)]),
    ],
)
def test_rows_in_shards(shape: tuple[int, ...], grids: list[tuple[int, int]]) -> None:
    steps = [ROWS, *(shards("rows", *grid) for grid in grids), ROWS]
    through(shape, steps, ["f32"] * len(steps))


@pytest.mark.parametrize("shape", [(96, 160), (40, 50), (2, 33, 128)])
def test_tiles_in_shards(shape: tuple[int, ...]) -> None:
    through(shape, [ROWS, tiles(), shards("tiles", 2, 2), tiles(), ROWS], ["bf16"] * 5)


@pytest.mark.parametrize(
    ("shape", "grid"), [((128, 192), (2, 2)), ((40, 50), (1, 1)), ((2, 33, 20), (1, 1))]
)
def test_tiles_made_in_l1(shape: tuple[int, ...], grid: tuple[int, int]) -> None:
    rows, whole = shards("rows", *grid), shards("tiles", *grid)
    through(shape, [ROWS, rows, whole, rows, ROWS], ["f32"] * 5)
