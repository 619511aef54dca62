"""Files that fit their schema and are bad all the same: texts, parts that are named too often, what
is no file, and what would be written elsewhere."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import machine
import pytest
import ttnn_file

import ttmlir
from ttmlir import _runtime, runtime

ROOT = 4  # behind the size prefix
PROGRAMS = 3  # slot of the field in the root table of both kinds of files


def follow(data: bytes, at: int) -> int:
    return at + struct.unpack_from("<I", data, at)[0]


def entry(data: bytes, table: int, slot: int) -> int:
    """Where the vtable has the place of a field."""
    return table - struct.unpack_from("<i", data, table)[0] + 4 + 2 * slot


def field(data: bytes, table: int, slot: int) -> int:
    """The table, vector or text in a field."""
    offset = struct.unpack_from("<H", data, entry(data, table, slot))[0]
    assert offset
    return follow(data, table + offset)


def element(data: bytes, vector: int, index: int) -> int:
    return follow(data, vector + 4 + 4 * index)


def name_first_only(data: bytes, vector: int) -> bytes:
    """The file with a vector all of whose elements are the first one."""
    changed = bytearray(data)
    first = element(data, vector, 0)
    for i in range(struct.unpack_from("<I", data, vector)[0]):
        at = vector + 4 + 4 * i
        struct.pack_into("<I", changed, at, first - at)
    return bytes(changed)


def program(name: str, ops: int = 0) -> ttnn_file.Program:
    result = ttnn_file.Program()
    result.name = name
    for _ in range(ops):
        result.get_mesh((1, 200), list(range(200)))
    return result


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (b"everythin\xff", "expected text in UTF-8, found byte 0xff at 9"),
        (b"\xed\xa0\x80rything", "expected text in UTF-8, found byte 0xed at 0"),
        (b"every\x1b[2Jg", "expected text without control characters, found character 0x1b at 5"),
        (b"everyth\xe2\x80\xae", "without control characters, found character 0x202e at 7"),
        (b"ever\nERROR", "without control characters, found character 0xa at 4"),
        (b"everyth\xe2\x80\xa8", "without control characters, found character 0x2028 at 7"),
        (b"everythin\0", "without control characters, found character 0x0 at 9"),
    ],
)
def test_texts(found: bytes, message: str) -> None:
    data = ttnn_file.build(program("everything"))
    assert data.count(b"everything") == 1
    with pytest.raises(runtime.FormatError, match=r"programs\[0\]\.name: .*" + message):
        _runtime.load_binary_from_bytes(data.replace(b"everything", found))


def test_texts_of_people() -> None:
    """Any language will do, and so do tabs."""
    binary = machine.load(program("größe 大小\t𝛼"))
    assert binary.get_program_name(0) == "größe 大小\t𝛼"


def test_a_name_that_is_a_text_of_lines() -> None:
    """Looked at for each of its uses."""
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    data = ttmlir.compile(b).binary.to_bytes()
    at = element(data, field(data, follow(data, ROOT), PROGRAMS), 0)
    cpp = field(data, field(data, at, 4), 1)
    name = at + struct.unpack_from("<H", data, entry(data, at, 0))[0]
    changed = bytearray(data)
    struct.pack_into("<I", changed, name, cpp - name)
    with pytest.raises(runtime.FormatError, match=r"\]\.name: .*found character 0xa at"):
        _runtime.load_binary_from_bytes(bytes(changed))


def test_parts_that_are_named_too_often() -> None:
    """Thousands of programs, all of them one, of a hundred operations, all of them one."""
    others = (program("p") for _ in range(3000))
    data = ttnn_file.build(program("first", ops=100), *others, version="9.8.7")
    assert _runtime.load_binary_from_bytes(data).num_programs == 3001
    programs = field(data, follow(data, ROOT), PROGRAMS)
    bomb = name_first_only(data, programs)
    bomb = name_first_only(bomb, field(bomb, element(bomb, programs, 0), 3))
    limit = (64 << 20) + 64 * len(data)
    message = rf"programs\[\d+\].*at most {limit} bytes, found one that names the same parts"
    with pytest.raises(runtime.FormatError, match=message):
        _runtime.load_binary_from_bytes(bomb)


def test_a_program_that_is_named_often_is_decoded_once() -> None:
    first = program("first")
    for _ in range(20):
        first.get_mesh((1, 1), [0])
    data = ttnn_file.build(first, *(program("p") for _ in range(20_000)))
    programs = field(data, follow(data, ROOT), PROGRAMS)
    bomb = name_first_only(data, programs)
    code = (
        "import resource, sys\n"
        "from ttmlir import _runtime\n"
        "data = sys.stdin.buffer.read()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert _runtime.load_binary_from_bytes(data).num_programs == 20_001\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=bomb, capture_output=True, check=True)
    assert int(done.stdout) < 20 << 10  # KiB


def test_text_of_a_file_has_a_bound() -> None:
    """A long name is named by all programs."""
    long = "x" * 200_000
    data = ttnn_file.build(program(long), *(program("p") for _ in range(1500)), version="9.8.7")
    bomb = name_first_only(data, field(data, follow(data, ROOT), PROGRAMS))
    file = _runtime.load_binary_from_bytes(bomb)
    with pytest.raises(runtime.UnsupportedError, match="whose text has at most"):
        file.as_json()
    assert len(_runtime.load_binary_from_bytes(data).as_json()) > len(long)


def test_a_kernel_without_configuration() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 32))
    b.output(b.relu(x))
    data = ttmlir.compile(b, backend="ttmetal").binary.to_bytes()
    at = element(data, field(data, follow(data, ROOT), PROGRAMS), 0)
    at = element(data, field(data, at, 3), 0)  # device program
    queue = element(data, field(data, at, 2), 0)
    commands = field(data, queue, 1)
    for i in range(struct.unpack_from("<I", data, commands)[0]):
        command = element(data, commands, i)
        kind = data[command + struct.unpack_from("<H", data, entry(data, command, 0))[0]]
        if kind == 1:  # EnqueueProgramCommand
            break
    at = element(data, field(data, field(data, field(data, command, 1), 1), 0), 0)
    source = field(data, at, 1)
    changed = bytearray(data)
    struct.pack_into("<H", changed, entry(data, source, 2), 0)
    with pytest.raises(runtime.FormatError, match=r"kernel 0: expected a table in field config"):
        _runtime.load_binary_from_bytes(bytes(changed))


def test_cores_have_places_of_their_own() -> None:
    def edit(document):
        cores = document["system_desc"]["chip_descs"][0]["physical_cores"]
        cores["worker"][5] = dict(cores["dram"][2])

    with pytest.raises(
        runtime.FormatError,
        match=r"physical_cores\.worker\[5\]: expected a place of its own, found \(10, 0\)",
    ):
        machine.load(program("p"), edit=edit)


def test_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.ttnn"
    os.mkfifo(pipe)
    for path, kind in (("/", "a folder"), (pipe, "a pipe"), ("/dev/zero", "a device")):
        expected = f"{re.escape(str(path))}: expected a regular file, found {kind}"
        with pytest.raises(runtime.FileError, match=expected):
            _runtime.load_from_path(path)
        with pytest.raises(ttmlir.Error, match=expected):
            ttmlir.load(path)


def test_a_file_that_no_flatbuffer_can_be(tmp_path: Path) -> None:
    path = tmp_path / "huge.ttnn"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(
        runtime.FormatError, match=f"expected at most 2147483651 bytes, .* {1 << 40}"
    ):
        _runtime.load_from_path(path)


def test_store_follows_no_link(tmp_path: Path) -> None:
    binary = machine.load(program("p"))
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "out.ttnn.partial").symlink_to(other)
    (tmp_path / "out.ttnn").symlink_to(other)
    binary.store(tmp_path / "out.ttnn")
    assert other.read_text() == "mine"
    assert (tmp_path / "out.ttnn").read_bytes() == binary.to_bytes()


def test_kernels_have_names_of_files() -> None:
    b = ttmlir.Builder("../../a b")
    b.output(b.relu(b.input("x", (32, 32))))
    b.function("..%2f..%2fa b")
    b.output(b.relu(b.input("x", (32, 32))))
    binary = ttmlir.compile(b, backend="ttmetal").binary
    names = [{name for name, _ in binary.get_program_kernels(i)} for i in range(2)]
    assert names[0] and not names[0] & names[1]
    for name in names[0] | names[1]:
        assert re.fullmatch(r"ttmlir_[\w%.-]+\.cpp", name)


def test_no_tensor_is_beyond_counting() -> None:
    for rows, columns in ((1 << 59, 65536), (1 << 62, 4), ((1 << 30) + 1, 1), (0, 1)):
        with pytest.raises(runtime.ArgumentError, match=r"expected extents from 1 to 1073741824"):
            _runtime.unpack_tiles(b"", rows, columns, _runtime.DataType.UInt8)
    with pytest.raises(runtime.ArgumentError, match="found 0"):
        _runtime.unpack_tiles(b"", 1 << 30, 1 << 30, _runtime.DataType.Float32)


def test_a_fidelity_that_there_is_not() -> None:
    relu = ttnn_file.Program()
    x, y = relu.input(relu.tensor((32, 32))), relu.tensor((32, 32))
    relu.op("EltwiseOp", type="Relu", ins=[x], out=y)
    relu.outputs.append(y)
    relu.operations[-1]["compute_config"] = {"math_fidelity": 3, "packer_l1_acc": True}
    machine.load(relu)
    relu.operations[-1]["compute_config"] = {"math_fidelity": 1}
    message = r"operation 0 \(eltwise.relu\): expected a math fidelity in .*compute_config, found 1"
    with pytest.raises(runtime.FormatError, match=message):
        machine.load(relu)
