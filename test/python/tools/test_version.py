"""The version: release and commits since, the same wherever it is asked for."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import ttmlir

SCRIPT = Path(__file__).parents[3] / "cmake" / "project_version.py"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project of release 0.3 with the script, and not yet a git repository."""
    (tmp_path / "cmake").mkdir()
    (tmp_path / "cmake" / SCRIPT.name).write_text(SCRIPT.read_text())
    (tmp_path / "pyproject.toml").write_text('[x]\nrelease = "0.3"\n')
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    command = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit(folder: Path, count: int) -> None:
    for _ in range(count):
        git(folder, "commit", "--allow-empty", "-m", "more")


def shown(folder: Path) -> str:
    command = [sys.executable, str(folder / "cmake" / SCRIPT.name)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    return done.stdout.strip()


@needs_git
def test_patch_counts_commits(checkout: Path) -> None:
    assert shown(checkout) == "0.3.0"
    git(checkout, "init")
    assert shown(checkout) == "0.3.0"
    commit(checkout, 3)
    assert shown(checkout) == "0.3.0"
    git(checkout, "tag", "v0.3.0")
    assert shown(checkout) == "0.3.0"
    commit(checkout, 2)
    for tag in ("v0.30.0", "v0.3.1", "v0.2.0"):
        git(checkout, "tag", tag)
    assert shown(checkout) == "0.3.2"
    (checkout / "pyproject.toml").write_text('[x]\nrelease = "0.4"\n')
    assert shown(checkout) == "0.4.0"


@needs_git
def test_an_archive_has_the_version_of_its_commit(checkout: Path, tmp_path: Path) -> None:
    for name in (".gitattributes", "cmake/git_describe.txt"):
        (checkout / name).write_text((SCRIPT.parents[1] / name).read_text())
    git(checkout, "init")
    git(checkout, "add", ".")
    commit(checkout, 1)
    git(checkout, "tag", "v0.3.0")
    commit(checkout, 4)
    git(checkout, "archive", "--prefix=source/", "--output=source.tar", "HEAD")
    with tarfile.open(tmp_path / "source.tar") as archive:
        archive.extractall(tmp_path)
    assert shown(tmp_path / "source") == "0.3.4"


@needs_git
def test_a_shallow_clone_cannot_count(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "init")
    git(checkout, "add", ".")
    commit(checkout, 1)
    git(checkout, "tag", "v0.3.0")
    commit(checkout, 3)
    git(tmp_path, "clone", "--depth", "1", f"file://{checkout}", str(tmp_path / "clone"))
    assert shown(tmp_path / "clone") == "0.3.0"


def test_a_source_distribution_keeps_its_version(checkout: Path) -> None:
    (checkout / "PKG-INFO").write_text("Metadata-Version: 2.2\nName: ttmlir\nVersion: 0.3.17\n")
    assert shown(checkout) == "0.3.17"


def test_a_release_that_cannot_be_read(checkout: Path) -> None:
    (checkout / "pyproject.toml").write_text('release = "next"\n')
    with pytest.raises(subprocess.CalledProcessError) as error:
        shown(checkout)
    assert "expected a line 'release = \"<major>.<minor>\"'" in error.value.stderr


def test_one_version_everywhere() -> None:
    """The tools, the library, the runtime, and the files that are made of them."""
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    for backend in ("ttnn", "ttmetal"):
        exe = ttmlir.compile(b, backend=backend)
        assert exe.binary.version == ttmlir.__version__
        assert exe.binary.ttmlir_git_hash == ttmlir.__git_hash__
    system = ttmlir.runtime.get_default_system_desc("n150")
    assert (system.version, system.ttmlir_git_hash) == (ttmlir.__version__, ttmlir.__git_hash__)
    release, _, patch = ttmlir.__version__.rpartition(".")
    assert f'\nrelease = "{release}"\n' in (SCRIPT.parents[1] / "pyproject.toml").read_text()
    assert patch.isdigit()
