"""Host to device and back is the identity, for any layout."""

from __future__ import annotations

import machine
import numpy as np
import ttnn_file
from hypothesis import given, settings
from hypothesis import strategies as st

PLAIN = sorted(machine.DTYPES)

# Three tensors of any of these shapes, padded to tiles of Float32, fit into the L1 of one core
# (3 x 1600 x 64 x 4 bytes): where they do not, the run ends with an error of its own.
SHAPES = st.one_of(
    st.lists(st.integers(1, 70), min_size=1, max_size=2).map(tuple),
    st.lists(st.integers(1, 40), min_size=3, max_size=3).map(tuple),
)


@st.composite
def layouts(draw: st.DrawFn) -> dict:
    kind = draw(
        st.sampled_from(
            ["Interleaved", "SingleBank", "BlockSharded", "HeightSharded", "WidthSharded", "None"]
        )
    )
    space = draw(st.sampled_from(["DeviceDRAM", "DeviceL1"]))
    options = {"layout": kind, "space": space, "tiled": draw(st.booleans())}
    if space == "DeviceL1" and kind.endswith("Sharded"):
        high = 1 if kind == "WidthSharded" else 8
        wide = 1 if kind == "HeightSharded" else 8
        options["grid"] = (draw(st.integers(1, high)), draw(st.integers(1, wide)))
    return options


def round_trip(program: ttnn_file.Program, shape, dtype, chain, array) -> np.ndarray:
    value = program.input(program.tensor(shape, dtype))
    device = program.get_device()
    for options in chain:
        moved = program.dram(shape, dtype, **options)
        program.op("ToLayoutOp", **{"in": value}, layout="Tile", device=device, out=moved)
        value = moved
    host = program.tensor(shape, dtype)
    program.op("ToMemoryConfigOp", in0=value, device=device, out=host)
    program.outputs = [host]
    return machine.run(program, array)[0]


@settings(max_examples=60, deadline=None)
@given(
    shape=SHAPES,
    dtype=st.sampled_from(PLAIN),
    chain=st.lists(layouts(), min_size=1, max_size=3),
    seed=st.integers(0, 1 << 30),
)
def test_round_trip(shape, dtype, chain, seed):
    rng = np.random.default_rng(seed)
    array = rng.integers(0, 250, size=shape).astype(machine.DTYPES[dtype])
    found = round_trip(ttnn_file.Program(), shape, dtype, chain, array)
    np.testing.assert_array_equal(found, array)


@settings(max_examples=30, deadline=None)
@given(
    shape=st.lists(st.integers(1, 20), min_size=2, max_size=4).map(tuple),
    extra=st.integers(1, 5),
    tiled=st.booleans(),
)
def test_collapsed_dimensions_with_holes(shape, extra, tiled):
    """Strides that leave rows unused between the blocks of an outer dimension."""
    stride = [1]
    for extent in reversed(shape[1:]):
        stride.insert(0, stride[0] * extent)
    stride[0] += extra * shape[-1] if len(shape) > 2 else 0
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    chain = [
        {"stride": tuple(stride), "tiled": tiled},
        {"tiled": not tiled},
        {"stride": tuple(stride), "space": "DeviceL1"},
    ]
    found = round_trip(ttnn_file.Program(), shape, "Float32", chain, array)
    np.testing.assert_array_equal(found, array)
