"""The declarations of the PJRT C API against the official header, where there is one: in
tensorflow-cpu, or at $TTMLIR_PJRT_HEADER."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[4] / "runtime" / "pjrt" / "check_abi.py"


@pytest.fixture(scope="module")
def header() -> Path:
    found = os.environ.get("TTMLIR_PJRT_HEADER", "")
    tensorflow = find_spec("tensorflow")
    if not found and tensorflow is not None and tensorflow.origin is not None:
        found = str(Path(tensorflow.origin).parent / "include/xla/pjrt/c/pjrt_c_api.h")
    if not found or not Path(found).exists():
        pytest.skip("needs the official header: tensorflow-cpu, or $TTMLIR_PJRT_HEADER")
    if shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("needs a compiler of C++")
    return Path(found)


def check(header: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(header)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_declarations_agree(header: Path) -> None:
    done = check(header)
    assert done.returncode == 0, done.stderr
    assert "abi.h agrees with version" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "  PJRT_HostBufferSemantics host_buffer_semantics;",
            "  int64_t host_buffer_semantics;",
            "host_buffer_semantics differs",
        ),
        (
            "  _PJRT_API_STRUCT_FIELD(PJRT_Client_Compile);",
            "",
            "the place of Client_DefaultDeviceAssignment differs",
        ),
        (
            "  PJRT_Error_Code_INTERNAL = 13,",
            "  PJRT_Error_Code_INTERNAL = 33,",
            "Internal differs",
        ),
    ],
)
def test_differences_are_found(
    header: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = header.read_text()
    assert old in text
    changed = tmp_path / "pjrt_c_api.h"
    changed.write_text(text.replace(old, new))
    done = check(changed)
    assert done.returncode != 0
    assert message in done.stderr
