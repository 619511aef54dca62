"""Loading: what a file says, and what is wrong with a bad one."""

from __future__ import annotations

import json
import random

import everything
import machine
import numpy as np
import op_examples
import pytest
import ttnn_file

import ttmlir
from ttmlir import _runtime, runtime


@pytest.fixture(scope="module")
def valid() -> bytes:
    return ttnn_file.build(everything.everything())


def add(shape=(64, 128), dtype="Float32"):
    return ttnn_file.binary_program("Add", shape, shape, shape, dtype)


def test_properties(valid, tmp_path):
    binary = _runtime.load_binary_from_bytes(valid)
    assert binary.version == _runtime.__version__
    assert binary.ttmlir_git_hash == "0" * 40
    assert binary.file_identifier == "TTNN"
    assert binary.num_programs == 1
    assert binary.get_program_name(0) == "everything"
    assert [list(i.shape) for i in binary.get_program_inputs(0)] == [[40, 64], [64, 32], [5]]
    path = tmp_path / "copy.ttnn"
    binary.store(path)
    assert path.read_bytes() == valid == binary.to_bytes()
    assert _runtime.load_from_path(path).file_identifier == "TTNN"


def test_everything_is_everything(valid):
    """The files that are mutated have every table that is an operation."""
    schema = (ttnn_file.SCHEMA / "TTNN" / "operations.fbs").read_text(encoding="utf-8")
    body = schema.split("union OpType {")[1].split("}")[0]
    tables = {name.split(":")[0].strip() for name in body.split(",") if name.strip()}
    mesh = ttnn_file.build(everything.mesh(), target="n300")
    examples = ttmlir.compile(op_examples.examples()).binary.to_bytes()
    optimized = ttmlir.compile(op_examples.optimized_examples(), optimization_level=1)
    programs = [
        program
        for file in (valid, mesh, examples, optimized.binary.to_bytes())
        for program in json.loads(_runtime.load_binary_from_bytes(file).as_json())["programs"]
    ]
    assert {op["type_type"] for p in programs for op in p["operations"]} == tables


def test_json_leaves_out_what_has_no_default():
    """Fields that may be absent are not there, unlike those with a default."""
    program = ttnn_file.Program()
    out = program.dram((1,), "UInt32")
    x = program.input(program.tensor((4, 5)))
    program.op("ArgMaxOp", **{"in": x}, out=out)
    (op,) = json.loads(machine.load(program).as_json())["programs"][0]["operations"]
    assert "dim" not in op["type"] and op["type"]["keep_dim"] is False


def test_json_says_what_was_written():
    program = add()
    written = {}
    binary = machine.load(program, edit=lambda document: written.update(document))
    read = json.loads(binary.as_json())
    assert read["system_desc"] == written["system_desc"]

    def covers(found, expected):
        if isinstance(expected, dict):
            assert all(key in found and covers(found[key], expected[key]) for key in expected)
        elif isinstance(expected, list):
            assert len(found) == len(expected)
            assert all(covers(f, e) for f, e in zip(found, expected, strict=True))
        else:
            assert found == expected
        return True

    assert covers(read["programs"], written["programs"])


def test_system_desc(tmp_path):
    for target in _runtime.get_default_targets():
        desc = _runtime.get_default_system_desc(target)
        path = tmp_path / f"{target}.ttsys"
        desc.store(path)
        again = _runtime.load_system_desc_from_path(path)
        assert again.as_json() == desc.as_json()
        assert again.file_identifier == "TTSY"
        assert _runtime.load_system_desc_from_bytes(path.read_bytes()).num_chips == desc.num_chips
        _runtime.close_device(_runtime.open_system(desc, list(range(desc.num_chips))))


def test_default_chip_is_the_documented_one():
    system = json.loads(_runtime.get_default_system_desc("n150").as_json())["system_desc"]
    (chip,) = system["chip_descs"]
    assert chip["arch"] == "Wormhole_b0"
    assert chip["grid_size"] == {"y": 8, "x": 8}
    assert chip["l1_size"] == 1499136
    assert (chip["num_dram_channels"], chip["dram_channel_size"]) == (12, 1 << 30)
    assert len(chip["physical_cores"]["worker"]) == 64
    assert chip["physical_cores"]["dram"][:4] == [
        {"y": 8, "x": 0},
        {"y": 9, "x": 0},
        {"y": 10, "x": 0},
        {"y": 8, "x": 1},
    ]
    assert system["chip_capabilities"] == ["PCIE HostMMIO"]


def test_missing_file(tmp_path):
    path = tmp_path / "missing.ttnn"
    for load in (_runtime.load_from_path, _runtime.load_binary_from_path):
        with pytest.raises(runtime.FileError, match="missing.ttnn"):
            load(path)
    with pytest.raises(OSError):
        _runtime.load_system_desc_from_path(str(path))


def test_store_leaves_nothing_behind(valid, tmp_path):
    target = tmp_path / "folder" / "file.ttnn"
    with pytest.raises(runtime.FileError, match="file.ttnn"):
        _runtime.load_binary_from_bytes(valid).store(target)
    assert not target.exists()


@pytest.mark.parametrize("size", [0, 1, 4, 11, 12, 20, 100, -1, -4])
def test_truncated(valid, size):
    with pytest.raises(runtime.FormatError, match="expected"):
        _runtime.load_binary_from_bytes(valid[:size])


def test_trailing_bytes(valid):
    with pytest.raises(runtime.FormatError, match="size prefix"):
        _runtime.load_binary_from_bytes(valid + b"\0")


def test_foreign_file(tmp_path):
    path = tmp_path / "picture.ttnn"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(runtime.FormatError, match="'TTNN'.*found"):
        _runtime.load_binary_from_path(path)


def test_wrong_kind(valid):
    with pytest.raises(runtime.FormatError, match="expected file identifier 'TTSY'"):
        _runtime.load_system_desc_from_bytes(valid)
    system = _runtime.get_default_system_desc_bytes("n150")
    with pytest.raises(runtime.FormatError, match="expected file identifier 'TTNN'"):
        _runtime.load_binary_from_bytes(system)


def test_other_version_can_be_read_but_not_run(device):
    binary = machine.load(add(), version="99.1.2")
    assert binary.version == "99.1.2"
    assert json.loads(binary.as_json())["programs"][0]["name"] == "main"
    for use in (
        lambda: _runtime.run(device, binary, 0, []),
        lambda: binary.get_program_inputs(0),
        lambda: _runtime.set_compatible_runtime(binary),
        binary.check_version,
    ):
        with pytest.raises(runtime.VersionError, match=r"expected \d+\.\d+\.\d+, found 99\.1\.2"):
            use()


def test_other_system(rng):
    binary = machine.load(add(), target="n150")
    x = machine.to_tensor(rng.normal(size=(64, 128)).astype(np.float32))
    for target in ("n300", "p150", "e150"):
        device = _runtime.open_system(_runtime.get_default_system_desc(target))
        with pytest.raises(runtime.SystemMismatchError, match="expected .*, found"):
            _runtime.run(device, binary, 0, [x, x])
        _runtime.close_device(device)


def edit_operation(index, path, value):
    def edit(document):
        place = document["programs"][0]["operations"][index]["type"]
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value

    return edit


DESC = ("out", "desc")
MEMORY = (*DESC, "layout", "memory_desc")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("out",), None, "field out"),
        (DESC, None, "tensor description"),
        ((*DESC, "shape"), [64, -1], "positive"),
        ((*DESC, "shape"), [64, 0], "positive"),
        ((*DESC, "shape"), [1 << 30, 1 << 30], "more than"),
        ((*DESC, "shape"), [64], "stride per dimension"),
        ((*DESC, "layout", "stride"), [1, 1], "stride"),
        ((*DESC, "layout", "stride"), [128, 2], "stride 1"),
        ((*DESC, "layout", "oob_val"), 9, "out-of-bounds value"),
        ((*MEMORY, "size"), 7, "shard size"),
        ((*MEMORY, "shape"), [1, 1], "shard size"),
        ((*MEMORY, "data_type"), 77, "data type"),
        ((*MEMORY, "memory_space"), 77, "memory space"),
        ((*MEMORY, "memory_layout"), 77, "memory layout"),
        ((*MEMORY, "tile_shape"), {"y": 4, "x": 16}, "tile shape"),
        (("in", "global_id"), 77, "before anything defines it"),
        (("device", "global_id"), 5, "get_device"),
    ],
)
def test_inconsistent_fields(path, value, message):
    with pytest.raises((runtime.FormatError, runtime.UnsupportedError)) as error:
        machine.load(add(), edit=edit_operation(1, path, value))
    assert message in str(error.value)
    assert "operation 1 (to_layout)" in str(error.value)


def test_core_outside_the_grid():
    ranges = [{"loc": {"y": 7, "x": 7}, "size": {"y": 2, "x": 1}}]
    with pytest.raises(runtime.FormatError, match="8x8 grid"):
        machine.load(add(), edit=edit_operation(1, (*DESC, "layout", "core_range_set"), ranges))


def test_shards_that_do_not_fit():
    program = machine.op_program(
        [(512, 512)],
        (512, 512),
        lambda p, ins, out, device: p.op("EltwiseOp", type="Relu", ins=ins, out=out),
        layouts=[machine.sharded((2, 2))],
    )

    def edit(document):
        layout = document["programs"][0]["operations"][1]["type"]["out"]["desc"]["layout"]
        layout["core_range_set"] = [{"loc": {"y": 0, "x": 0}, "size": {"y": 4, "x": 1}}]

    with pytest.raises(runtime.FormatError, match="needs 2x2 cores"):
        machine.load(program, edit=edit)


def test_use_after_dealloc():
    def emit(program, ins, out, device):
        program.op("DeallocOp", **{"in": ins[0]})
        program.op("EltwiseOp", type="Relu", ins=ins, out=out)

    with pytest.raises(runtime.FormatError, match="deallocated"):
        machine.load(machine.op_program([(4, 4)], (4, 4), emit))


def test_random_mutations(valid):
    """Bit flips end in an error or a run; the C++ tool does the same under sanitizers."""
    random.seed(5)
    device = _runtime.open_device([0])
    ran = 0
    for _ in range(2000):
        data = bytearray(valid)
        for _ in range(random.randint(1, 4)):
            position = random.randrange(len(data))
            data[position] ^= 1 << random.randrange(8)
        try:
            binary = _runtime.load_binary_from_bytes(bytes(data))
            inputs = [
                machine.to_tensor(np.zeros(i.shape, machine.DTYPES.get(i.dtype.name, np.float32)))
                for i in binary.get_program_inputs(0)
            ]
            _runtime.run(device, binary, 0, inputs)
            ran += 1
        except runtime.RuntimeError:
            pass
    assert ran < 2000
    _runtime.close_device(device)
