"""Bad input: one clear message, exit status 1, nothing half-written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import ttmlir

Call = Any


def one_error(done: Any, message: str) -> None:
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    errors = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    assert len(errors) == 1, done.stderr
    assert message in errors[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nonsense"], "--nonsense"),
        (["frobnicate"], "frobnicate"),
        ([], "Missing command"),
        (["run"], "BINARY"),
        (["run", "out.ttnn", "--loop"], "--loop"),
        (["run", "out.ttnn", "--loops", "many"], "many"),
        (["run", "out.ttnn", "--loops", "0"], "expected at least 1, found 0"),
        (["run", "out.ttnn", "--init", "ones"], "ones"),
        (["run", "out.ttnn", "--program-index", "9"], "'9'"),
        (["read", "out.ttnn", "--section", "asm"], "asm"),
        (["read", "nowhere.ttnn"], "'nowhere.ttnn' does not exist"),
    ],
)
def test_command_lines(here: Path, ttrt: Call, arguments: list[str], message: str) -> None:
    one_error(ttrt(*arguments), message)


@pytest.mark.parametrize("command", ["read", "run", "check"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("truncated.ttnn", "truncated.ttnn"),
        ("empty.ttnn", "empty.ttnn"),
        ("foreign.ttnn", "foreign.ttnn"),
        ("text.txt", "has the extension '.txt', expected one of"),
        (
            "other_version.ttnn",
            f"ttrt: v{ttmlir.__version__} does not match flatbuffer: v9.8.7 for flatbuffer: ",
        ),
    ],
)
def test_files(
    files: Path, ttrt: Call, tmp_path: Path, command: str, name: str, message: str
) -> None:
    one_error(ttrt(command, files / name), message)
    results = json.loads((tmp_path / f"{command}_results.json").read_text())
    assert [r["result"] for r in results] == ["error"]
    assert [p.name for p in tmp_path.iterdir()] == [f"{command}_results.json"]


def test_other_system(files: Path, ttrt: Call) -> None:
    one_error(
        ttrt("run", files / "other_system.ttnn"),
        "system desc for device did not match flatbuffer: ",
    )


def test_program_index_too_large(files: Path, ttrt: Call) -> None:
    one_error(
        ttrt("run", files / "out.ttnn", "--program-index", "3"),
        "program index=3 is greater than number of programs in: ",
    )


def test_a_folder_skips_what_does_not_fit(files: Path, ttrt: Call, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("out.ttnn", "other_system.ttnn", "other_version.ttnn", "truncated.ttnn"):
        shutil.copy(files / name, folder)
    done = ttrt("run", folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("skipping this test") == 3
    results = json.loads((tmp_path / "run_results.json").read_text())
    assert sorted(r["result"] for r in results) == ["pass", "skip", "skip", "skip"]


def test_an_empty_folder(ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    done = ttrt("run", "nothing")
    assert done.returncode == 0
    assert "no binaries found to run - returning early" in done.stderr


def test_log_file_that_cannot_be(files: Path, ttrt: Call) -> None:
    one_error(ttrt("read", files / "out.ttnn", "--log-file", "no/such/x.log"), "no/such/x.log")
