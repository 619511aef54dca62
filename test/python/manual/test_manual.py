"""The manual's pages, row by row: what they print works, or is listed with the reason."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ttmlir
from ttmlir._tools import PROGRAM
from ttmlir.dialects import tt

from . import building, dialects, project, specs, tools
from .definitions import Enumeration, Op, Parameters, Traits
from .table import (
    ROOT,
    CMakeOption,
    Exists,
    In,
    Listed,
    NotHere,
    Page,
    Python,
    Reads,
    Row,
    Runs,
    Target,
    World,
)

PAGES = building.PAGES + tools.PAGES + project.PAGES + specs.PAGES + dialects.PAGES
#: The pages of the manual in its order. Each has rows, or a reason for having none.
TITLES = """
Introduction
Building
Working with Docker Images
Tools
ttmlir-opt
ttmlir-translate
ttrt
tt-explorer
Flatbuffers
ci
Additional Reading
Contributor Covenant Code of Conduct
Project Structure
Namespaces
Dialects Overview
Adding an Op
Doxygen
Specifications
Runtime Stitching
Tensor Layout
Device
'tt' Dialect
'ttir' Dialect
'ttkernel' Dialect
'ttmetal' Dialect
'ttnn' Dialect
""".strip().splitlines()


#: Rows that could not run on this machine, with what they need.
MISSING: dict[str, str] = {}


def script(path: Path, command: str) -> None:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
    path.chmod(0o755)


def site_packages(relative: str) -> Path:
    found = [Path(p) / relative for p in sys.path if (Path(p) / relative).exists()]
    if not found:
        pytest.skip(f"{relative} is not installed")
    return found[0]


def make_build(build: Path) -> None:
    """A build tree: the tools, and the configuration of lit."""
    (build / "bin").mkdir(parents=True)
    for name in ("ttmlir-opt", "ttmlir-translate"):
        (build / "bin" / name).symlink_to(PROGRAM)
    script(build / "bin" / "ttrt", "-m ttrt")
    script(build / "bin" / "llvm-lit", '-c "import lit.main; lit.main.main()"')
    site = (ROOT / "test" / "ttmlir" / "lit.site.cfg.py.in").read_text()
    for name, value in {
        "PROJECT_SOURCE_DIR": ROOT,
        "PROJECT_BINARY_DIR": build,
        "TTMLIR_LLVM_TOOLS_DIR": site_packages("llvm/bin"),
        "Python3_EXECUTABLE": sys.executable,
        "CMAKE_CURRENT_SOURCE_DIR": ROOT / "test" / "ttmlir",
    }.items():
        site = site.replace(f"@{name}@", str(value))
    (build / "test" / "ttmlir").mkdir(parents=True)
    (build / "test" / "lit.site.cfg.py").write_text(site)
    (build / "test" / "ttmlir" / "lit.site.cfg.py").write_text(site)


def make_files(given: Path) -> None:
    """What the manual calls /path/to/out.ttnn and so on."""
    (given / "flatbuffers" / "deeper").mkdir(parents=True)
    b = ttmlir.Builder("identity")
    b.output(b.input("x", (32, 64)))
    exe = ttmlir.compile(b)
    for name in ("out", "test", "subtract", "flatbuffers/a", "flatbuffers/deeper/b"):
        exe.save(given / f"{name}.ttnn")
    (given / "system_descs").mkdir()
    desc = ttmlir.runtime.get_default_system_desc("n150")
    for name in ("system_desc.ttsys", "system_descs/n150.ttsys"):
        desc.store(str(given / name))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    make_build(folder / "build")
    make_files(folder / "given")
    shutil.copy(folder / "given" / "system_desc.ttsys", folder)
    (folder / "test").symlink_to(ROOT / "test")
    (folder / "env").mkdir()
    for name in ("CMakeLists.txt", "activate"):
        shutil.copy(ROOT / "env" / name, folder / "env")
    command = [sys.executable, "-m", "venv", "--without-pip", folder / ".venv"]
    subprocess.run(command, check=True)
    (folder / ".venv" / ".toolchain").touch()
    shutil.copy(ROOT / ".pre-commit-config.yaml", folder)
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def problem(row: Row, world: World) -> str | None:
    """What is wrong with a row; raises NotHere."""
    try:
        row.check(world)
    except NotHere:
        raise
    except Exception as error:
        return f"{row.text}\n{type(error).__name__}: {error}"
    return None


def test_no_page_is_forgotten() -> None:
    assert [page.title for page in PAGES] == TITLES
    for page in PAGES:
        assert bool(page.rows) != bool(page.why), page.title
        assert all(page.rows.values()), page.title


def test_every_reason_says_something() -> None:
    rows = [row for page in PAGES for rows in page.rows.values() for row in rows]
    for row in rows:
        if isinstance(row, Listed):
            assert len(row.why.split()) >= 2, row
    # Most of the manual works as printed.
    assert sum(isinstance(row, Listed) for row in rows) < len(rows) / 3


@pytest.mark.parametrize(
    "row",
    [
        Runs("ttrt run nowhere.ttnn"),
        CMakeOption("TTMLIR_ENABLE_NOTHING"),
        Reads("tensor<2x3xf32, #tt.layout<(d0, d1) -> (d0), undef, <1x1>, memref<2x3xf32>>>"),
        Exists("nowhere"),
        In("no such name", "Makefile"),
        Python("1 / 0"),
        Op("ttir.matmul", "MatmulOp", "a, c, output -> result"),
        Op("ttir.matmul", "MatmulOp", "a, b*, output -> result"),
        Op("ttir.concat", "ConcatOp", "inputs*, output {dim: i32} -> result"),
        Traits("ttir.matmul", "MatmulOp", "Terminator"),
        Parameters("#tt.tile_size", "TileSizeAttr", "x int64_t, y int64_t"),
        Parameters("#tt.tile_size", "TileSizeAttr", "y int64_t, x int64_t", ("#tt.tile_size<1>",)),
        Enumeration("#tt.arch", tt.Arch, "wormhole_b0:Blackhole"),
    ],
    ids=lambda row: type(row).__name__,
)
def test_a_wrong_row_is_found(checkout: Path, row: Row) -> None:
    assert problem(row, World(checkout))


def test_a_target_that_does_not_exist(checkout: Path) -> None:
    try:
        assert "unknown target" in (problem(Target("nothing"), World(checkout)) or "")
    except NotHere as reason:
        pytest.skip(str(reason))


# Later rows of a page read what earlier ones wrote, so a page is one test.
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_page(checkout: Path, page: Page) -> None:
    world = World(checkout)
    wrong = []
    for heading, rows in page.rows.items():
        for row in rows:
            try:
                found = problem(row, world)
            except NotHere as reason:
                MISSING[f"{page.title}: {row.text}"] = str(reason)
            else:
                wrong += [f"{heading}: {found}"] if found else []
    assert not wrong, "\n\n".join(wrong)


def test_rows_of_every_page_ran() -> None:
    if MISSING:
        pytest.skip("all but " + "; ".join(f"{row} ({why})" for row, why in MISSING.items()))
