"""ttmlir.compile(backend="ttmetal"): the same programs as kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ttmlir
from ttmlir import passes, runtime

SHAPES = ((64, 96), (96, 40))


def product() -> ttmlir.Builder:
    b = ttmlir.Builder("product")
    x, w = (b.input(name, shape) for name, shape in zip("xw", SHAPES, strict=True))
    b.output(b.relu(b.matmul(x, w)))
    return b


@pytest.fixture(scope="module")
def exe() -> ttmlir.Executable:
    return ttmlir.compile(product(), backend="ttmetal", grid=(2, 2))


def inputs() -> list[np.ndarray]:
    numbers = np.random.default_rng(0)
    return [numbers.standard_normal(shape).astype(np.float32) for shape in SHAPES]


def test_numbers(exe: ttmlir.Executable) -> None:
    x, w = inputs()
    expected = np.maximum(x.astype(np.float64) @ w, 0)
    # The matrix engine takes f32 as tf32, with 10 bits of mantissa.
    assert (np.abs(exe(x, w) - expected) <= 2.0**-9 * (np.abs(x) @ np.abs(w))).all()


def test_what_it_consists_of(exe: ttmlir.Executable, tmp_path: Path) -> None:
    assert "ttmetal.dispatch" in exe.mlir
    assert "matmul" in exe.cpp
    report = exe.report()
    assert report.cycles > 0
    assert max(op.cores for op in report.ops) <= 4
    path = tmp_path / "product.ttm"
    exe.save(path)
    x, w = inputs()
    assert (ttmlir.load(path)(x, w) == exe(x, w)).all()
    assert str(ttmlir.load(path).programs[0]) == str(exe.programs[0])


def test_goldens_go_into_the_file() -> None:
    x, w = inputs()
    exe = ttmlir.compile(
        product(), backend="ttmetal", grid=(1, 1), goldens={"input_0": x, "output_0": x @ w}
    )
    found = runtime.get_goldens(exe.binary, 0)
    assert sorted(found) == ["input_0", "output_0"]
    assert (found["input_0"] == x).all()


def test_wrong_options() -> None:
    with pytest.raises(ttmlir.CompileError, match=r"from 1,1 to 8,8.* found 9,9"):
        ttmlir.compile(product(), backend="ttmetal", grid=(9, 9))
    with pytest.raises(ttmlir.CompileError, match="expected one of dram, l1, found 'disk'"):
        ttmlir.compile(product(), backend="ttmetal", default_memory_space="disk")


def test_passes(tmp_path: Path) -> None:
    module = product().module
    options = passes.TTIRToTTMetalBackendPipelineOptions(override_device_shape=(1, 2))
    assert str(options) == "override-device-shape=1,2"
    passes.ttir_to_ttmetal_backend_pipeline(module, options)
    assert "grid<1x2" in str(module)
    path = tmp_path / "product.ttm"
    passes.ttmetal_to_flatbuffer_file(module, path)
    content = passes.ttmetal_to_flatbuffer_bytes(module)
    assert path.read_bytes() == content
    assert content[8:12] == b"TTM0"
    capsule = passes.ttmetal_to_flatbuffer_binary(module)
    assert runtime.load_binary_from_capsule(capsule).get_program_name(0) == "product"
    pointer = passes.SharedVoidPtr()
    pointer.from_ttmetal(module)
    assert runtime.load_binary_from_capsule(pointer.capsule).num_programs == 1
    with pytest.raises(passes.PassError, match="Failed to translate the module"):
        passes.ttmetal_to_flatbuffer_bytes(product().module)


@pytest.mark.parametrize("target", ["p150", "e150"])
def test_rows_keep_the_alignment_of_the_chip(target: str) -> None:
    # Blackhole reads DRAM at multiples of 64 bytes, where the others take 32; the checks see it.
    b = ttmlir.Builder("rows")
    x = b.input("x", (10, 13))
    b.output(b.permute(b.concat([x, b.slice(x, [1, 0], [9, 13], [1, 1])], 0), [1, 0]))
    exe = ttmlir.compile(b, backend="ttmetal", target=target)
    device = runtime.open_system(exe.system_desc)
    runtime.set_device_options(device, runtime.DeviceOptions(checks=True))
    rows = np.arange(130, dtype=np.float32).reshape(10, 13)
    result = exe(rows, device=device)
    runtime.close_device(device)
    assert (result == np.concatenate([rows, rows[1:9]]).T).all()
