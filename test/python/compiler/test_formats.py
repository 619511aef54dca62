"""The number formats: every place that knows them has those of the table, by the same names."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import ttmlir
from ttmlir import _runtime, ir, kernel, runtime
from ttmlir._formats import FORMATS
from ttmlir._mlir_libs._ttmlir import overrides
from ttmlir.builder._dtypes import canonical
from ttmlir.dialects import tt

SCHEMA = Path(ttmlir.__file__).parent / "schema" / "Common" / "formats.fbs"
#: All ways to name a format, and which one it is.
NAMES = {
    **{name: name for name in FORMATS},
    **{format.tile: name for name, format in FORMATS.items()},
    **{format.numpy: name for name, format in FORMATS.items() if not format.block},
}


def test_enumerators_agree() -> None:
    """Of files, of the runtime, of the compiler, and of the C++ of library calls."""
    enumerators = [(f.data_type, number) for number, f in enumerate(FORMATS.values())]
    of_files = re.findall(r"^  (\w+) = (\d+),$", SCHEMA.read_text(), re.M)
    assert [(name, int(number)) for name, number in of_files] == enumerators
    assert [(d.name, d.value) for d in runtime.DataType] == enumerators
    assert [(d.name, d.value) for d in tt.DataType] == enumerators
    assert [str(d) for d in tt.DataType] == [f.tile for f in FORMATS.values()]


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_of_a_tile_agree(name: str) -> None:
    """In the compiler, in the kernel language and in the runtime."""
    with ir.Context() as context:
        ttmlir.dialects.tt.register_dialect(context)
        tile = tt.ir.TileType(ir.Type.parse(f"!tt.tile<32x32, {FORMATS[name].tile}>"))
    program = kernel.Program("p")
    buffer = program.circular_buffer("in0", name)
    expected = FORMATS[name].tile_bytes
    assert (tile.storage_size_bytes, buffer.page_size) == (expected, expected)
    packed = _runtime.pack_tiles(
        np.ones((32, 32), np.float32), runtime.DataType[FORMATS[name].data_type]
    )
    assert len(packed) == expected


@pytest.mark.parametrize("name", NAMES)
def test_builder_and_overrides_take_the_same_names(name: str) -> None:
    assert canonical(name) == NAMES[name]
    assert overrides.check_layout("op", f"dram:tile:{name}") == ""


def test_an_override_by_either_name_is_one_program() -> None:
    programs = []
    for name in ("bfp8_b", "bfp_bf8"):
        b = ttmlir.Builder()
        b.output(b.abs(b.input("x", (64, 64), "bf16"), name="abs"))
        exe = ttmlir.compile(b, override_output_layout={"abs": f"dram:interleaved:tile:{name}"})
        programs.append(exe.mlir)
    assert "!tt.tile<32x32, bfp_bf8>" in programs[0]
    assert programs[0] == programs[1]


def test_a_wrong_name_is_told_all() -> None:
    listed = ", ".join(FORMATS)
    with pytest.raises(ValueError, match=f"unknown dtype 'bf8': expected one of {listed}"):
        canonical("bf8")
    assert f"one of the data types {listed})" in overrides.check_layout("op", "bf8")
