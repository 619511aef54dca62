"""Files of another version: what both versions know of them is printed, with a warning."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

import ttmlir

Call = Any
WARNING = f"ttrt: v{ttmlir.__version__} does not match flatbuffer: v9.8.7 for flatbuffer: "


@pytest.mark.parametrize(
    ("name", "same", "sections"),
    [
        ("other_version.ttnn", "out.ttnn", ("system_desc", "mlir", "cpp", "inputs", "outputs")),
        ("other_version.ttm", "out.ttm", ("system_desc", "mlir", "inputs", "outputs")),
        ("system_of_9_8_7.ttsys", "system_desc.ttsys", ("system_desc",)),
    ],
)
def test_read(files: Path, ttrt: Call, name: str, same: str, sections: tuple[str, ...]) -> None:
    done = ttrt("read", "--section", "version", files / name)
    assert done.returncode == 0
    assert done.stdout.startswith("\nversion: 9.8.7\ntt-mlir git hash: ")
    assert done.stderr.count("WARNING") == 1
    assert f"{WARNING}{files / name}" in done.stderr

    whole = json.loads(ttrt("read", files / name).stdout)
    assert whole.pop("version") == {"major": 9, "minor": 8, "patch": 7}
    ours = json.loads(ttrt("read", files / same).stdout)
    del ours["version"]
    assert whole == ours
    for section in sections:
        theirs = ttrt("read", "--section", section, files / name)
        assert (theirs.returncode, theirs.stderr.count("WARNING")) == (0, 1)
        assert theirs.stdout == ttrt("read", "--section", section, files / same).stdout


def test_kernels_of_another_version(files: Path, ttrt: Call) -> None:
    done = ttrt("read", "--section", "cpp", files / "other_version.ttm")
    assert done.returncode == 1
    (error,) = (line for line in done.stderr.splitlines() if "ERROR" in line)
    assert "found 9.8.7; --section all has what the file has" in error


def test_read_a_folder(files: Path, ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "mixed").mkdir()
    for name in ("out.ttnn", "other_version.ttnn"):
        (tmp_path / "mixed" / name).write_bytes((files / name).read_bytes())
    done = ttrt("read", "--section", "version", "mixed")
    assert done.returncode == 0
    assert done.stdout.count("tt-mlir git hash") == 2
    results = json.loads((tmp_path / "read_results.json").read_text())
    assert [r["result"] for r in results] == ["pass", "pass"]


def test_a_schema_of_another_version(files: Path, ttrt: Call, tmp_path: Path) -> None:
    """Version 9.8.7 has another table where this one has the list of programs."""
    data = bytearray((files / "other_version.ttnn").read_bytes())
    table = 4 + struct.unpack_from("<I", data, 4)[0]
    vtable = table - struct.unpack_from("<i", data, table)[0]
    programs = table + struct.unpack_from("<H", data, vtable + 4 + 2 * 3)[0]
    struct.pack_into("<I", data, programs, len(data))
    (tmp_path / "new.ttnn").write_bytes(data)
    for command in ("read", "run"):
        done = ttrt(command, "new.ttnn")
        assert done.returncode == 1
        (error,) = (line for line in done.stderr.splitlines() if "ERROR" in line)
        assert error.endswith(
            "new.ttnn: the file of version 9.8.7 does not fit the schema of version "
            f"{ttmlir.__version__}, or is damaged"
        )
