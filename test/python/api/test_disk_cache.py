"""Compiled programs in a folder."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pytest

import ttmlir
from ttmlir._disk_cache import DiskCache
from ttmlir.errors import FileError

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def doubled(factor: float = 2) -> ttmlir.Builder:
    b = ttmlir.Builder()
    x = b.input("x", (3, 4))
    b.output(x * factor)
    return b


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Counts the programs that are compiled from now on."""
    from ttmlir import compiler

    made: list[object] = []
    original = compiler.to_binary

    def counted(*args: object, **keywords: object) -> object:
        made.append(args)
        return original(*args, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(compiler, "to_binary", counted)
    return made


def test_a_program_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = compiled(monkeypatch)
    folder = tmp_path / "new" / "cache"
    for _ in range(2):
        exe = ttmlir.compile(doubled(), cache=folder)
        assert np.array_equal(exe(X), 2 * X)
    assert len(made) == 1
    [file] = files(folder)
    assert np.array_equal(ttmlir.load(file)(X), 2 * X)
    for other in (
        lambda: ttmlir.compile(doubled(3), cache=folder),
        lambda: ttmlir.compile(doubled(), cache=folder, optimization_level=0),
        lambda: ttmlir.compile(doubled(), cache=folder, target="p150"),
        lambda: ttmlir.compile(doubled(), cache=folder, backend="ttmetal"),
        lambda: ttmlir.compile(doubled(), cache=folder, remarks=False),
    ):
        other()
    assert len(made) == len(files(folder)) == 6


def test_a_damaged_file_stays(tmp_path: Path) -> None:
    ttmlir.compile(doubled(), cache=tmp_path)
    [file] = files(tmp_path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.warns(UserWarning, match=rf"cache: '{file}' is damaged: remove it; the program is"):
        exe = ttmlir.compile(doubled(), cache=tmp_path)
    assert np.array_equal(exe(X), 2 * X)
    assert files(tmp_path) == [file]
    assert file.read_bytes() == content
    file.unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ttmlir.compile(doubled(), cache=tmp_path)
    assert files(tmp_path) == [file]


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="cannot be written: No space left on device; the program"):
        exe = ttmlir.compile(doubled(), cache=tmp_path)
    assert np.array_equal(exe(X), 2 * X)
    assert files(tmp_path) == []


def test_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "below"):
        with pytest.raises(FileError, match="cannot be used as a cache"):
            ttmlir.compile(doubled(), cache=folder)
    assert DiskCache(tmp_path / "a").get("0" * 32) is None
