"""`make` on machines that lack something, and twice at once."""

from __future__ import annotations

import fcntl
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def check_host() -> ModuleType:
    path = ROOT / "cmake" / "check_host.py"
    specification = importlib.util.spec_from_file_location("check_host", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_this_machine_lacks_nothing(
    check_host: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It has built already.
    monkeypatch.setattr(check_host, "GIGABYTES", 0)
    assert check_host.missing() == []


def test_no_compiler(check_host: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    (problem,) = (line for line in check_host.missing() if "C++" in line)
    assert problem == "no C++ compiler was found (Debian and Ubuntu: apt-get install g++)"


def test_an_old_python(check_host: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    monkeypatch.setattr(sys, "version", "3.9.18 (main)")
    assert check_host.missing()[0].startswith("Python 3.10 or newer is needed, found 3.9.18; ")


def test_a_full_disk(check_host: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=2.04e9))
    gigabytes = check_host.GIGABYTES
    expected = f"{gigabytes} GB of disk are needed here, found 2.0 GB free"
    assert check_host.missing()[-1] == expected


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_twice_at_once(tmp_path: Path) -> None:
    """The second one waits for the first, in a folder with a space as well."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    command = ["make", "-C", str(folder), "help"]
    with (folder / ".make.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert second.stdout is not None
        while "Another make" not in (line := second.stdout.readline()):
            assert line, "it ended"
        with pytest.raises(subprocess.TimeoutExpired):
            second.wait(timeout=0.3)
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert "make demo" in second.stdout.read()
        assert second.wait() == 0
