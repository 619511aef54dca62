"""Devices, inputs and outputs, chaining of programs, reports, exhausted memory."""

from __future__ import annotations

import gc
import threading

import machine
import numpy as np
import pytest
import ttnn_file
from machine import BF16, L1, ROW_MAJOR, op_program, sharded, to_numpy, to_tensor

from ttmlir import _runtime, runtime


def eltwise(kind):
    return lambda p, ins, out, device: p.op("EltwiseOp", type=kind, ins=ins, out=out)


def add(shape=(64, 128), dtype="Float32"):
    return machine.load(ttnn_file.binary_program("Add", shape, shape, shape, dtype))


def device_program(kind, shape, dtype, layout, inputs=1):
    """Inputs and result live on the device."""
    program = ttnn_file.Program(kind)
    ins = [program.input(program.dram(shape, dtype, **layout)) for _ in range(inputs)]
    program.get_device()
    out = program.dram(shape, dtype, **layout)
    program.op("EltwiseOp", type=kind, ins=ins, out=out)
    program.outputs = [out]
    return program


def test_wrong_inputs(device, rng):
    binary = add()
    good = to_tensor(np.zeros((64, 128), np.float32))
    cases = [
        ([good], "expected 2 inputs, found 1"),
        ([good] * 3, "expected 2 inputs, found 3"),
        (
            [good, to_tensor(np.zeros((64, 127), np.float32))],
            "input 1: expected shape 64x128, found 64x127",
        ),
        (
            [to_tensor(np.zeros((128, 64), np.float32)), good],
            "input 0: expected shape 64x128, found 128x64",
        ),
        (
            [good, to_tensor(np.zeros((64, 128), BF16))],
            "input 1: expected data type Float32, found BFloat16",
        ),
    ]
    for inputs, message in cases:
        with pytest.raises(runtime.ArgumentError, match=message):
            _runtime.run(device, binary, 0, inputs)
    with pytest.raises(runtime.ArgumentError, match="program index below 1, found 1"):
        _runtime.run(device, binary, 1, [good, good])


def test_wrong_outputs(device):
    binary = add()
    good = to_tensor(np.zeros((64, 128), np.float32))
    bad = to_tensor(np.zeros((64, 64), np.float32))
    with pytest.raises(runtime.ArgumentError, match="expected 1 outputs, found 0"):
        _runtime.submit(device, binary, 0, [good, good], [])
    with pytest.raises(runtime.ArgumentError, match="output 0: expected shape"):
        _runtime.submit(device, binary, 0, [good, good], [bad])


def test_create_tensor_errors():
    x = np.zeros((4, 4), np.float32)
    address = x.ctypes.data
    kinds = _runtime.DataType
    for arguments, message in [
        (([4, 4], [4], 4, kinds.Float32), "one stride per dimension"),
        (([4, 4], [4, 1], 2, kinds.Float32), "itemsize 4"),
        (([4, 0], [4, 1], 4, kinds.Float32), "positive extents"),
        (([4, 4], [4, 1], 1, kinds.BFP_BFloat8), "size per element"),
    ]:
        with pytest.raises(runtime.ArgumentError, match=message):
            _runtime.create_tensor(address, *arguments)
    with pytest.raises(runtime.ArgumentError, match="null"):
        _runtime.create_tensor(0, [4], [1], 4, kinds.Float32)


def test_submit_writes_to_outputs(device, rng):
    x, y = rng.normal(size=(2, 64, 128)).astype(np.float32)
    out = np.zeros_like(x)
    event = _runtime.submit(device, add(), 0, [to_tensor(x), to_tensor(y)], [to_tensor(out)])
    _runtime.wait(event)
    np.testing.assert_array_equal(out, x + y)


def test_strided_arrays(device, rng):
    base = rng.normal(size=(128, 64)).astype(np.float32)
    out = np.zeros((128, 64), np.float32)

    def transposed(array):
        return _runtime.create_tensor(
            array.ctypes.data, [64, 128], [1, 64], 4, _runtime.DataType.Float32
        )

    _runtime.submit(device, add(), 0, [transposed(base), transposed(base)], [transposed(out)])
    np.testing.assert_array_equal(out, base + base)


def test_noop_program(device, rng):
    program = ttnn_file.Program()
    program.outputs = [program.input(program.tensor((5, 7)))]
    binary = machine.load(program)
    x = rng.normal(size=(5, 7)).astype(np.float32)
    out = np.zeros_like(x)
    _runtime.submit(device, binary, 0, [to_tensor(x)], [to_tensor(out)])
    np.testing.assert_array_equal(out, x)
    (same,) = _runtime.run(device, binary, 0, [to_tensor(x)])
    np.testing.assert_array_equal(to_numpy(same), x)


def test_inputs_are_never_written(device, rng):
    """A program that writes its result to an input leaves the caller's array alone."""
    program = ttnn_file.Program()
    a = program.input(program.tensor((8, 8)))
    program.op("EltwiseOp", type="Neg", ins=[a], out=a)
    program.outputs = [a]
    x = rng.normal(size=(8, 8)).astype(np.float32)
    before = x.copy()
    (out,) = machine.run(program, x, device=device)
    np.testing.assert_array_equal(out, -before)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("dtype", ["BFloat16", "BFP_BFloat8", "Float16"])
def test_f32_arrays_for_narrow_inputs(device, dtype, rng):
    x = rng.normal(size=(64, 128)).astype(np.float32)
    binary = machine.load(device_program("Neg", (64, 128), dtype, {}))
    (out,) = _runtime.run(device, binary, 0, [to_tensor(x)])
    assert out.is_on_device
    found = to_numpy(_runtime.to_host(out, _runtime.DataType.Float32))
    if dtype == "BFloat16":
        np.testing.assert_array_equal(found, -x.astype(BF16).astype(np.float32))
    elif dtype == "Float16":
        np.testing.assert_array_equal(found, -x.astype(np.float16).astype(np.float32))
    else:
        np.testing.assert_allclose(found, -x, rtol=0, atol=2**-6 * np.abs(x).max())


def test_bf16_arrays_for_block_floats(device, rng):
    x = rng.normal(size=(64, 128)).astype(BF16)
    binary = machine.load(device_program("Abs", (64, 128), "BFP_BFloat8", {}))
    (out,) = _runtime.run(device, binary, 0, [to_tensor(x)])
    wide = np.abs(x.astype(np.float32))
    np.testing.assert_allclose(to_numpy(out), wide, rtol=0, atol=2**-6 * wide.max())


@pytest.mark.parametrize(
    "layout", [{}, ROW_MAJOR, L1, sharded((2, 4))], ids=["dram", "rows", "l1", "sharded"]
)
def test_two_programs_without_the_host(device, layout, rng):
    shape, dtype = (64, 128), "BFloat16"
    first = machine.load(device_program("Exp", shape, dtype, layout))
    second = machine.load(device_program("Maximum", shape, dtype, layout, inputs=2))
    x = rng.normal(size=shape).astype(BF16)
    placed = _runtime.to_layout(to_tensor(x), device, first, 0, 0)
    assert placed.is_on_device
    (middle,) = _runtime.run(device, first, 0, [placed])
    assert middle.is_on_device
    assert _runtime.to_layout(middle, device, second, 0, 0).layout == middle.layout
    _runtime.enable_report(device, True)
    (out,) = _runtime.run(device, second, 0, [middle, placed])
    assert sum(op.host_bytes for op in _runtime.get_report(device).ops) == 0
    e = to_numpy(_runtime.to_host(middle))
    np.testing.assert_array_equal(to_numpy(_runtime.to_host(out)), np.maximum(e, x))


def test_chained_programs_in_other_layouts(device, rng):
    first = machine.load(device_program("Neg", (64, 128), "Float32", {}))
    second = machine.load(device_program("Abs", (64, 128), "Float32", sharded((4, 2))))
    x = rng.normal(size=(64, 128)).astype(np.float32)
    (middle,) = _runtime.run(device, first, 0, [to_tensor(x)])
    (out,) = _runtime.run(device, second, 0, [middle])
    np.testing.assert_array_equal(to_numpy(_runtime.to_host(out)), np.abs(x))


def test_several_programs_in_a_file(device, rng):
    a, b = (device_program(kind, (32, 32), "Float32", {}) for kind in ("Neg", "Abs"))
    binary = machine.load(a, b)
    assert [binary.get_program_name(i) for i in range(2)] == ["Neg", "Abs"]
    x = rng.normal(size=(32, 32)).astype(np.float32)
    for index, expected in ((0, -x), (1, np.abs(x))):
        (out,) = _runtime.run(device, binary, index, [to_tensor(x)])
        np.testing.assert_array_equal(to_numpy(_runtime.to_host(out)), expected)


def test_l1_exhausted(device):
    shape = (4096, 8192)  # 134 MB, L1 has 96

    def emit(program, ins, out, device):
        held = program.dram((256, 8192), **L1)
        program.op("FullOp", device=device, fill_value=1.0, out=held)
        big = program.dram(shape, **L1)
        program.op("EmptyOp", shape=list(shape), dtype="Float32", device=device, out=big)
        program.op("EltwiseOp", type="Relu", ins=ins, out=out)

    program = op_program([(32, 32)], (32, 32), emit)
    with pytest.raises(runtime.OutOfMemoryError) as error:
        machine.run(program, np.zeros((32, 32), np.float32), device=device)
    message = str(error.value)
    assert "L1 exhausted" in message and "requested 2097152 bytes" in message
    assert "available" in message and "256x8192" in message and "operation" in message
    assert isinstance(error.value, MemoryError)


def test_memory_is_freed(device, rng):
    binary = machine.load(device_program("Neg", (2048, 4096), "Float32", L1))
    x = to_tensor(np.zeros((2048, 4096), np.float32))
    for _ in range(5):  # input and result are 2 x 33 of 96 MB
        out = _runtime.run(device, binary, 0, [x])
        del out


def test_closed_device_and_freed_tensors(device, rng):
    binary = machine.load(device_program("Neg", (32, 32), "Float32", {}))
    x = to_tensor(np.zeros((32, 32), np.float32))
    (out,) = _runtime.run(device, binary, 0, [x])
    device.deallocate_buffers()
    for use in (
        lambda: _runtime.to_host(out),
        lambda: _runtime.run(device, binary, 0, [out]),
    ):
        with pytest.raises(runtime.ArgumentError, match="deallocated"):
            use()
    other = _runtime.open_device([0])
    _runtime.close_device(other)
    with pytest.raises(runtime.ArgumentError, match="closed"):
        _runtime.run(other, binary, 0, [x])
    with pytest.raises(runtime.ArgumentError, match="device id from 0 to 0, found 3"):
        _runtime.open_device([3])
    with pytest.raises(runtime.ArgumentError, match="at least one"):
        _runtime.open_device([])


def test_arrays_share_memory():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    tensor = to_tensor(x)
    view = _runtime.to_array(tensor)
    x[0, 0] = 42
    assert view[0, 0] == 42 and view.ctypes.data == x.ctypes.data
    address = x.ctypes.data
    del x, tensor
    gc.collect()
    assert view.ctypes.data == address and view[2, 3] == 11
    np.testing.assert_array_equal(np.from_dlpack(to_tensor(view)), view)


@pytest.mark.parametrize("dtype", sorted(ttnn_file.TILE_BYTES))
def test_tiles_of_every_format(dtype, rng):
    x = rng.integers(0, 100, size=(40, 70)).astype(np.float32)
    kind = _runtime.DataType[dtype]
    packed = _runtime.pack_tiles(x, kind)
    found = _runtime.unpack_tiles(packed, 40, 70, kind)
    bits = {"8": 7, "4": 3, "2": 1}.get(dtype[-1]) if dtype.startswith("BFP") else None
    tolerance = 0 if bits is None else np.abs(x).max() * 2.0**-bits
    np.testing.assert_allclose(found, x, rtol=2**-8 if bits is None else 0, atol=2 * tolerance)


def test_report(device, rng):
    x = rng.normal(size=(256, 256)).astype(np.float32)

    def product(program, ins, out, device):
        program.op("MatmulOp", in0=ins[0], in1=ins[0], out=out)

    binary = machine.load(op_program([x.shape], x.shape, product, dtypes="BFloat16"))
    inputs = [to_tensor(x.astype(BF16))]
    _runtime.enable_report(device, True)
    _runtime.run(device, binary, 0, inputs)
    report = _runtime.get_report(device)
    assert report.arch == "wormhole_b0" and report.clock_hz == 1e9
    names = [op.name for op in report.ops]
    assert names == ["get_device", "to_device", "empty", "matmul", "to_memory_config"]
    ops = dict(zip(names, report.ops, strict=True))
    size = 256 * 256 * 2
    assert ops["to_device"].host_bytes == size and ops["to_device"].dram_write_bytes == size
    assert ops["matmul"].dram_read_bytes == 2 * size
    assert ops["matmul"].dram_write_bytes == size
    # The file says one core: 64 tiles, 8 steps of 16 cycles in two phases, 2.82 more each.
    # The unpackers share 64 bytes a cycle, and for 8 tiles in a row take one tile of the first
    # operand and 8 of the second one, with an instruction of 1.32 cycles for each of these.
    (core,) = ops["matmul"].core_use
    assert core.math == pytest.approx(64 * 8 * (32 + 2.82))
    assert core.unpack == pytest.approx(64 * (9 * 2048 / 64 + 8 * 1.32))
    assert ops["matmul"].compute_cycles == core.unpack
    assert report.seconds == pytest.approx(sum(op.cycles for op in report.ops) / 1e9)
    per_bank = -(-64 // 12) * 2048  # 64 tiles over 12 channels
    assert report.dram_high_water == 2 * per_bank
    _runtime.run(device, binary, 0, inputs)
    assert [op.cycles for op in _runtime.get_report(device).ops] == [op.cycles for op in report.ops]


def test_devices_in_threads(rng):
    binary = add()
    x, y = rng.normal(size=(2, 64, 128)).astype(np.float32)
    failures = []

    def work():
        try:
            for _ in range(20):
                np.testing.assert_array_equal(machine.run(binary, x, y)[0], x + y)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
