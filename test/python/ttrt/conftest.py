"""Files that ttrt reads and runs, and a way to call it as users do."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest
from ttrt_process import Call, ttrt_in

import ttmlir


@pytest.fixture
def ttrt(tmp_path: Path) -> Call:
    """Runs ttrt in a folder of the test's own."""
    return ttrt_in(tmp_path)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with one, two and seven programs, of both runtimes, and files that are wrong."""
    folder = tmp_path_factory.mktemp("files")

    b = ttmlir.Builder("multiply")
    b.output(b.multiply(b.input("x", (64, 128)), b.input("y", (64, 128))))
    ttmlir.compile(b).save(folder / "out.ttnn")
    ttmlir.compile(b, target="p150").save(folder / "other_system.ttnn")

    b = ttmlir.Builder("identity")
    b.output(b.abs(b.abs(b.input("x", (64, 128)))))
    ttmlir.compile(b).save(folder / "identity.ttnn")

    b = ttmlir.Builder("zero")
    x = b.input("x", (32, 32))
    b.output(b.subtract(x, x))
    ttmlir.compile(b).save(folder / "zero.ttnn")

    b = ttmlir.Builder("first")
    b.output(b.relu(b.input("x", (32, 32), "bf16")))
    b.function("second")
    b.output(b.exp(b.input("x", (32, 64))))
    ttmlir.compile(b).save(folder / "two.ttnn")

    b = ttmlir.Builder("p0")
    for i in range(7):
        if i:
            b.function(f"p{i}")
        b.output(b.relu(b.input("x", (32, 32 * (i + 1)))))
    ttmlir.compile(b).save(folder / "seven.ttnn")

    b = ttmlir.Builder("kernels")
    b.output(b.relu(b.input("x", (32, 32))))
    ttmlir.compile(b, backend="ttmetal").save(folder / "out.ttm")

    ttmlir.runtime.get_default_system_desc("n150").store(str(folder / "system_desc.ttsys"))
    ttmlir.runtime.get_default_system_desc("p150").store(str(folder / "p150.ttsys"))

    data = (folder / "out.ttnn").read_bytes()
    (folder / "truncated.ttnn").write_bytes(data[: len(data) // 2])
    (folder / "empty.ttnn").write_bytes(b"")
    (folder / "foreign.ttnn").write_bytes(b"\x7fELF" + bytes(4096))
    (folder / "text.txt").write_text("not a flatbuffer")
    for name in ("out.ttnn", "out.ttm", "system_desc.ttsys"):
        target = folder / name.replace("out.", "other_version.").replace("desc", "of_9_8_7")
        target.write_bytes(other_version((folder / name).read_bytes()))
    return folder


def other_version(data: bytes) -> bytes:
    """The same file as if version 9.8.7 had written it."""
    # The root table begins at the offset behind the size prefix; its first field is the version.
    table = 4 + struct.unpack_from("<I", data, 4)[0]
    vtable = table - struct.unpack_from("<i", data, table)[0]
    version = table + struct.unpack_from("<H", data, vtable + 4)[0]
    found = ".".join(map(str, struct.unpack_from("<HHI", data, version)))
    assert found == ttmlir.__version__
    return data[:version] + struct.pack("<HHI", 9, 8, 7) + data[version + 8 :]


@pytest.fixture
def here(files: Path, tmp_path: Path) -> Path:
    """The test's folder with a copy of the good files."""
    for name in ("out.ttnn", "system_desc.ttsys"):
        shutil.copy(files / name, tmp_path)
    folder = tmp_path / "flatbuffers"
    (folder / "deeper").mkdir(parents=True)
    shutil.copy(files / "out.ttnn", folder / "a.ttnn")
    shutil.copy(files / "two.ttnn", folder / "deeper" / "b.ttnn")
    return tmp_path
