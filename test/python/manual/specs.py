"""The specifications of tensor layouts and of devices."""

from __future__ import annotations

from .table import Exists, Listed, Page, Python, Reads, Row, Runs

L1 = "#tt.memory_space<l1>"
TILE = "!tt.tile<32 x 32, bfp_bf8>"
VISUALIZER = "a page of another project about its own layouts"


def tensor(shape: str, linear: str, grid: str, shard: str) -> Row:
    return Reads(
        f"tensor<{shape}xf32,\n  #tt.layout<\n    {linear},\n    undef,\n    <{grid}>,\n"
        f"    memref<{shard}, {L1}>\n  >\n>"
    )


COLLAPSED = "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
LOOK = "from tensor_layout import evaluate, layout, tilize\nfrom ttmlir import ir\n"


def collapse(shape: tuple[int, ...], grid: int, intervals: str, right: str) -> Row:
    """What the page writes with a join of dimensions, in numbers."""
    return Python(
        f"with ir.Context(), ir.Location.unknown():\n"
        f"    linear = layout({shape}, {(1,) * grid}, {intervals}).linear\n"
        f"assert str(linear).endswith(' -> {right}'), linear",
        before=LOOK,
    )


#: The examples that the page of the attribute repeats.
MORE_LAYOUTS = [
    tensor("8x300", "(d0, d1) -> (d0, d1)", "1x2", "8x150xf32"),
    tensor("8x96x32", "(d0, d1, d2) -> (d0 * 96 + d1, d2)", "2x1", "384x32xf32"),
    tensor("8x96x32", "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)", "2x1x2", "384x96x16xf32"),
    tensor(
        "5x3x2x2x7x32x32",
        "(d0, d1, d2, d3, d4, d5, d6)\n"
        "      -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6)",
        "3x2x2x2",
        "4480x4x16x16xf32",
    ),
]

LAYOUT = Page(
    "Tensor Layout",
    {
        "An Example / Walkthrough": [
            Reads("tensor<2x3x64x128xf32>"),
            tensor("2x3x64x128", COLLAPSED, "1x1", "384x128xf32"),
            Runs("test/python/tensor_layout.py", instead="python test/python/tensor_layout.py"),
            Listed("TTNN Interactive Visualizer", VISUALIZER),
        ],
        "Dimension Collapsing": [
            Python(
                "with ir.Context(), ir.Location.unknown():\n"
                "    linear = layout((2, 3, 64, 128), (1, 1)).linear\n"
                f"assert str(linear) == '{COLLAPSED}'\n"
                "assert evaluate(linear, (1, 1, 6, 100)) == (262, 100)",
                before=LOOK,
            ),
            collapse((4, 5, 6), 2, "[(0, -1)]", "(d0 * 5 + d1, d2)"),
            collapse((4, 5, 6, 7), 3, "[(1, -1)]", "(d0, d1 * 6 + d2, d3)"),
            collapse((4, 5, 6, 7), 3, "[(0, 2)]", "(d0 * 5 + d1, d2, d3)"),
            collapse(
                (2, 3, 4, 5, 6, 7, 8),
                4,
                "[(0, 3), (-3, -1)]",
                "(d0 * 12 + d1 * 4 + d2, d3, d4 * 7 + d5, d6)",
            ),
        ],
        "Multi-core": [
            tensor("2x3x64x128", COLLAPSED, "2x4", "192x32xf32"),
            Python(
                "assert evaluate(linear, (1, 2, 63, 127)) == (383, 127)",
                before="with ir.Context(), ir.Location.unknown():\n"
                "    linear = layout((2, 3, 64, 128), (1, 1)).linear",
            ),
            Python(
                "with ir.Context(), ir.Location.unknown():\n"
                "    assert layout((2, 3, 64, 128), (1, 1)).shard_shape == [384, 128]\n"
                "    assert layout((2, 3, 64, 128), (2, 4)).shard_shape == [192, 32]"
            ),
            *MORE_LAYOUTS,
            Reads("#tt.grid<1x64>"),
        ],
        "Tilized": [
            tensor("3x64x128", "(d0, d1, d2) -> (d0 * 64 + d1, d2)", "3x2", "64x64xf32"),
            tensor("3x64x128", "(d0, d1, d2) -> (d0 * 64 + d1, d2)", "3x2", f"2x2x{TILE}"),
        ],
        "Padding": [
            tensor("53x63", "(d0, d1) -> (d0, d1)", "3x2", "18x32xf32"),
            tensor("53x63", "(d0, d1) -> (d0, d1)", "3x2", f"1x1x{TILE}"),
            tensor("2x8x32", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "1x2", "16x16xf32"),
            tensor(
                "2x8x32", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "1x2", "1x1x!tt.tile<32x32, f32>"
            ),
            tensor("2x8x32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x2", "40x16xf32"),
        ],
        "Memory Spaces": [
            Python(
                "for name in ('System', 'SystemMMIO', 'DeviceDRAM', 'DeviceL1'):\n"
                "    assert getattr(tt.MemorySpace, name) in tt.MemorySpace",
                before="from ttmlir.dialects import tt",
            ),
        ],
        "Multi-device": [
            tensor(
                "2x3x64x128", "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)", "2x2x4", f"1x3x1x{TILE}"
            ),
        ],
        "Test Plan": [
            Exists("test/python/tensor_layout.py"),
            Exists("Sweep tests", here="test/python/compiler/test_tensor_layout.py"),
        ],
        "TTNN Tensor Layout": [
            Listed("shape, stride, shard_shape and so on", "terms; no name of the project"),
            Listed("TTNN Interactive Visualizer", VISUALIZER),
        ],
    },
)


def device(grid: str, worker: str, mesh: str, chips: str) -> Row:
    return Reads(
        f"#tt.device<\n  workerGrid = #tt.grid<{grid}, {worker}>,\n  meshShape = {mesh},\n"
        f"  chipIds = [{chips}]\n>"
    )


ONE = device("8x8", "(d0, d1) -> (0, d0, d1)", "1", "0")
FOUR = device(
    "2x8x16",
    "(d0, d1, d2) -> (d0 * 2 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1, d2 mod 8)",
    "2x1x2",
    "0, 1, 2, 3",
)

DEVICE = Page(
    "Device",
    {
        "Examples": [
            ONE,
            Reads("#tt.grid<8x8, (d0, d1) -> (0, d0, d1)>"),
            Runs("test/python/device_attr.py", instead="python test/python/device_attr.py"),
        ],
        "Data Parallel Over Batch": [
            device("2x8x8", "(d0, d1, d2) -> (d0, d1, d2)", "2x1x1", "0, 1"),
            tensor(
                "16x3x64x128",
                "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)",
                "2x2x4",
                f"8x3x1x{TILE}",
            ),
        ],
        "Data Parallel Over 2d": [
            device(
                "8x16",
                "(d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)",
                "1x2",
                "0, 1",
            ),
            tensor("256x1024", "(d0, d1) -> (d0, d1)", "4x16", f"2x2x{TILE}"),
        ],
        "Data Parallel Over 2d and Batch": [
            FOUR,
            Listed(
                "tensor<64x256x1024xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4x16>, ...>>",
                "the map has two dimensions there, the tensor three; as such it is an error",
            ),
            tensor("64x256x1024", "(d0, d1, d2) -> (d0, d1, d2)", "2x4x16", f"32x2x2x{TILE}"),
        ],
        "Pipeline Parallel": [
            FOUR,
            device(
                "16x16",
                "(d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8)",
                "2x2",
                "4, 5, 6, 7",
            ),
            Listed("ttir.pipeline", "announced there, and no op of the manual's dialect either"),
        ],
        "Reinterpreted Grids (Transpose)": [
            Listed("a = exp(a), aT = transpose(a), relu(aT)", "a sketch of a graph"),
            ONE,
            device("8x8", "(d0, d1) -> (0, d1, d0)", "1", "0"),
        ],
        "Reinterpreted Grids (Extra)": [
            device("1x64", "(d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)", "1", "0"),
            device("64x1", "(d0, d1) -> (0, d1 * 8 + d0 floordiv 8, d0 mod 8)", "1", "0"),
            device("8x8", "(d0, d1) -> (0, d0, (d0 + d1) mod 8)", "1", "0"),
        ],
        "Lowering to TTNN": [
            Listed("::ttnn::MeshShape, open_mesh_device and so on", "another project's library"),
        ],
        "Test Plan": [Exists("test/python/device_attr.py")],
    },
)

PAGES = [LAYOUT, DEVICE]
