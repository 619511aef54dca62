"""Folders of tests have no names of packages.

They land on ``sys.path``: where the package is not installed, a folder of its name is found as a
namespace package, and nothing is skipped.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "test" / "python"
#: What tests import under these names are helpers of tests and tools.
OF_TESTS = {"explorer", "mistakes", "models", "onnx_models", "pages"}
#: Installed whenever tests run.
OURS = {"ttmlir", "ttrt"}
BY_NAME = {"find_spec", "import_module", "importorskip"}


def imported(source: str) -> Iterator[str]:
    """The top-level packages that a source imports, or looks for."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            called = called.id if isinstance(called, ast.Name) else called
            first = node.args[0]
            if called in BY_NAME and isinstance(first, ast.Constant):
                names = [str(first.value)]
        yield from (name.partition(".")[0] for name in names)


def clashes(folder: Path, packages: Iterable[str]) -> list[str]:
    """The folders inside of one, at any depth, that have the name of a package."""
    names = set(packages)
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_dir() and path.name in names
    )


def test_what_a_source_imports() -> None:
    source = (
        "import a.b, c\nfrom d.e import f\nfrom . import g\n"
        "pytest.importorskip('h.i')\nfind_spec('j')\nopen('k')\n"
    )
    assert sorted(imported(source)) == ["a", "c", "d", "h", "j"]


def test_a_folder_that_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "frontends" / "torch").mkdir(parents=True)
    assert clashes(tmp_path, {"torch", "onnx"}) == ["frontends/torch"]


def test_no_folder_has_the_name_of_a_package() -> None:
    sources = [*TESTS.rglob("*.py"), *(ROOT / "python").rglob("*.py")]
    packages = {name for path in sources for name in imported(path.read_text("utf-8"))}
    assert {"jax", "numpy", "onnx", "torch"} <= packages
    assert clashes(TESTS, packages - OF_TESTS - OURS) == []
