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
        (["run", "out.ttnn", "--program-index", "first"], "from 0, found 'first'"),
        (["run", "out.ttnn", "--program-index", "-1"], "expected all or the index of a program"),
        (["perf", "out.ttnn", "--program-index", "1.5"], "expected all or the index of a program"),
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
    ],
)
def test_files(
    files: Path, ttrt: Call, tmp_path: Path, command: str, name: str, message: str
) -> None:
    one_error(ttrt(command, files / name), message)
    results = json.loads((tmp_path / f"{command}_results.json").read_text())
    assert [r["result"] for r in results] == ["error"]
    assert [p.name for p in tmp_path.iterdir()] == [f"{command}_results.json"]


@pytest.mark.parametrize("command", ["run", "perf", "check"])
def test_other_version(files: Path, ttrt: Call, tmp_path: Path, command: str) -> None:
    one_error(
        ttrt(command, files / "other_version.ttnn"),
        f"ttrt: v{ttmlir.__version__} does not match flatbuffer: v9.8.7 for flatbuffer: ",
    )
    results = json.loads((tmp_path / f"{command}_results.json").read_text())
    assert [r["result"] for r in results] == ["error"]


def test_other_system(files: Path, ttrt: Call) -> None:
    one_error(
        ttrt("run", files / "other_system.ttnn"),
        "system desc for device did not match flatbuffer: ",
    )


@pytest.mark.parametrize(
    ("name", "index", "expected"),
    [
        ("out.ttnn", "3", "expected all or 0"),
        ("two.ttnn", "2", "expected all or 0 to 1"),
        ("seven.ttnn", "7", "expected all or 0 to 6"),
        ("seven.ttnn", "9" * 30, "expected all or 0 to 6"),
    ],
)
def test_program_index_too_large(
    files: Path, ttrt: Call, name: str, index: str, expected: str
) -> None:
    file = files / name
    message = f"program index={index} is greater than number of programs in: {file}: {expected}"
    done = ttrt("run", file, "--program-index", index)
    one_error(done, message)
    assert done.stderr.rstrip().endswith(message)


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


def test_artifacts_stay_in_their_folder(files: Path, ttrt: Call, tmp_path: Path) -> None:
    """Names in a file lead nowhere else, and links that somebody put there are not followed."""
    b = ttmlir.Builder("../../../outside")
    b.output(b.relu(b.input("x", (32, 32))))
    ttmlir.compile(b, backend="ttmetal").save(tmp_path / "x.ttm")
    before = {p for p in tmp_path.parent.rglob("*") if "ttrt-artifacts" not in p.parts}
    assert ttrt("run", "x.ttm", "--save-artifacts").returncode == 0
    after = {p for p in tmp_path.parent.rglob("*") if "ttrt-artifacts" not in p.parts}
    assert after - before == {tmp_path / "run_results.json"}
    folder = tmp_path / "ttrt-artifacts" / "x.ttm"
    saved = sorted(p for p in folder.rglob("*") if p.is_file())
    assert any((folder / "kernels").iterdir())

    other = tmp_path / "other"
    other.write_text("mine")
    for path in saved:
        path.unlink()
        path.symlink_to(other)
    assert ttrt("run", "x.ttm", "--save-artifacts").returncode == 0
    assert ttrt("perf", "x.ttm").returncode == 0
    assert other.read_text() == "mine"
    assert not any(path.is_symlink() for path in saved)

    shutil.rmtree(folder / "kernels")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "kernels").symlink_to(elsewhere)
    one_error(ttrt("run", "x.ttm", "--save-artifacts"), "is a symbolic link: expected a folder of")
    assert not list(elsewhere.iterdir())
    shutil.rmtree(tmp_path / "ttrt-artifacts")
    (tmp_path / "ttrt-artifacts").symlink_to(elsewhere)
    one_error(ttrt("query", "--save-artifacts"), "pass its target with --artifact-dir")
    assert ttrt("query", "--save-artifacts", "--artifact-dir", "ttrt-artifacts").returncode == 0


def test_names_do_not_drive_the_terminal(files: Path, ttrt: Call, tmp_path: Path) -> None:
    name = "a\x1b]0;title\x07\u202e.ttnn"
    shutil.copy(files / "truncated.ttnn", tmp_path / name)
    shutil.copy(files / "truncated.ttnn", tmp_path / "b\udcff.ttnn")
    done = ttrt("read", ".")
    assert done.returncode == 0
    for character in "\x1b\x07\u202e":
        assert character not in done.stdout + done.stderr
    assert r"a\x1b]0;title\x07\u202e.ttnn" in done.stderr
    assert r"b\udcff.ttnn" in done.stderr
    one_error(ttrt("run", tmp_path / name), r"a\x1b]0;title\x07\u202e.ttnn")


def test_names_do_not_forge_lines(files: Path, ttrt: Call, tmp_path: Path) -> None:
    """Neither names of programs, which have no lines, nor names of files, which may have."""
    data = (files / "out.ttnn").read_bytes()
    # The name of the program, and what its remarks and operations are called.
    assert b"\x08\0\0\0multiply" in data
    data = data.replace(b"\x08\0\0\0multiply", b"\x08\0\0\0mu\nERROR")
    (tmp_path / "forged.ttnn").write_bytes(data)
    one_error(ttrt("run", "forged.ttnn"), "without control characters, found character 0xa at 2")
    shutil.copy(files / "out.ttnn", tmp_path / "a\nERROR.ttnn")
    shutil.copy(files / "truncated.ttnn", tmp_path / "b\nERROR.ttnn")
    for command in ("run", "read", "perf"):
        done = ttrt(command, ".")
        assert "\n    ERROR" in done.stderr
        assert "\nERROR" not in done.stdout + done.stderr
