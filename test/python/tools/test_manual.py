"""Every command line of the manual that concerns the compiler, the translator and ttrt runs."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from manual import DIALECTS, GROUPS, IDENTITY, TARGETS, lines

import ttmlir
from ttmlir._tools import PROGRAM

ROOT = Path(__file__).parents[3]


def script(path: Path, command: str) -> None:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
    path.chmod(0o755)


def site_packages(relative: str) -> Path:
    found = [Path(p) / relative for p in sys.path if (Path(p) / relative).exists()]
    if not found:
        pytest.skip(f"{relative} is not installed")
    return found[0]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a built checkout, with the files that the manual calls /path/to/...."""
    folder = tmp_path_factory.mktemp("checkout")
    binaries = folder / "build" / "bin"
    binaries.mkdir(parents=True)
    for name in ("ttmlir-opt", "ttmlir-translate"):
        (binaries / name).symlink_to(PROGRAM)
    script(binaries / "ttrt", "-m ttrt")
    script(binaries / "llvm-lit", '-c "import lit.main; lit.main.main()"')
    (folder / "test").symlink_to(ROOT / "test")
    site = (ROOT / "test" / "ttmlir" / "lit.site.cfg.py.in").read_text()
    for name, value in {
        "PROJECT_SOURCE_DIR": ROOT,
        "PROJECT_BINARY_DIR": folder / "build",
        "TTMLIR_LLVM_TOOLS_DIR": site_packages("llvm/bin"),
        "Python3_EXECUTABLE": sys.executable,
        "CMAKE_CURRENT_SOURCE_DIR": ROOT / "test" / "ttmlir",
    }.items():
        site = site.replace(f"@{name}@", str(value))
    (folder / "build" / "test" / "ttmlir").mkdir(parents=True)
    (folder / "build" / "test" / "lit.site.cfg.py").write_text(site)
    (folder / "build" / "test" / "ttmlir" / "lit.site.cfg.py").write_text(site)

    given = folder / "given"
    (given / "flatbuffers" / "deeper").mkdir(parents=True)
    b = ttmlir.Builder("identity")
    b.output(b.input("x", (32, 64)))
    exe = ttmlir.compile(b)
    for name in ("out.ttnn", "test.ttnn", "flatbuffers/a.ttnn", "flatbuffers/deeper/b.ttnn"):
        exe.save(given / name)
    (given / "system_descs").mkdir()
    desc = ttmlir.runtime.get_default_system_desc("n150")
    for name in ("system_desc.ttsys", "system_descs/n150.ttsys"):
        desc.store(str(given / name))
    shutil.copy(given / "system_desc.ttsys", folder)
    return folder


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    given = folder / "given"
    for written, place in {
        "/path/to/dir/of/flatbuffers": given / "flatbuffers",
        "/dir/of/flatbuffers": given / "flatbuffers",
        "/dir/of/system_desc": given / "system_descs",
        "/path/to/": f"{given}/",
    }.items():
        line = line.replace(written, str(place))
    environment = dict(os.environ)
    environment["PATH"] = f"{folder / 'build' / 'bin'}{os.pathsep}{environment['PATH']}"
    environment.pop("TT_MLIR_HOME", None)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


# Later lines read what earlier ones wrote, so a group runs in one test.
@pytest.mark.parametrize("group", GROUPS)
def test_lines(checkout: Path, group: str) -> None:
    if "llvm-lit" in GROUPS[group] and importlib.util.find_spec("lit") is None:
        pytest.skip("lit is not installed")
    failed = []
    for line in lines(GROUPS[group]):
        done = run(checkout, line)
        if done.returncode != 0:
            failed.append(f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        elif not done.stdout and " -o " not in line and "log-file" not in line:
            # What was asked for is printed; `run` and `check` have only messages.
            assert done.stderr, line
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("line", lines(IDENTITY))
def test_identity(checkout: Path, tmp_path: Path, line: str) -> None:
    shutil.copy(checkout / "given" / "out.ttnn", tmp_path)
    (tmp_path / "build").symlink_to(checkout / "build")
    assert run(tmp_path, line).returncode == 0


def test_dialects(checkout: Path) -> None:
    done = run(checkout, "./build/bin/ttmlir-opt --show-dialects")
    found = set(done.stdout.partition("Available Dialects:")[2].strip().split(","))
    assert found == DIALECTS


def test_targets() -> None:
    """`cmake --build build -- <target>` knows each; -n only says what it would do."""
    build = os.environ.get("TTMLIR_BUILD_DIR")
    if not build or not (Path(build) / "CMakeCache.txt").exists():
        pytest.skip("TTMLIR_BUILD_DIR does not name a build tree")
    beside = Path(sys.executable).parent / "cmake"
    cmake = str(beside) if beside.exists() else "cmake"
    for target in TARGETS:
        done = subprocess.run(
            [cmake, "--build", build, "--", "-n", target],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
