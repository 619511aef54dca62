"""Cycles of imports and of links, as ``tools/import_graph.py`` finds them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import ttmlir

ROOT = Path(__file__).parents[3]

#: For type checkers alone: users are told that a tensor's builder is a ``Builder``, which has
#: methods that take tensors.
FOR_TYPES_ONLY = {("ttmlir.builder._tensor", "ttmlir.builder")}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    sys.path.insert(0, str(ROOT / "tools"))
    return importlib.import_module("import_graph")


@pytest.mark.parametrize("types", [False, True])
def test_no_import_cycle(tool: ModuleType, types: bool) -> None:
    """Modules that the build generates included."""
    known = tool.python_modules(built=Path(str(ttmlir.__file__)).parents[1])
    edges = [
        edge
        for edge in tool.python_edges(known, types=types)
        if (edge.source, edge.target) not in FOR_TYPES_ONLY
    ]
    assert len(edges) > len(known) > 250
    cycles = tool.cycles(known, edges)
    assert not cycles, "\n\n".join("\n".join(map(str, cycle)) for cycle in cycles)


def test_no_cycle_of_packages(tool: ModuleType) -> None:
    """The picture of the book has no cycle either."""
    known = tool.python_modules()
    edges = tool.coarse(tool.python_edges(known), 1)
    cycles = tool.cycles({tool.at_depth(name, 1) for name in known}, edges)
    assert not cycles, "\n\n".join("\n".join(map(str, cycle)) for cycle in cycles)


def test_no_link_cycle(tool: ModuleType) -> None:
    libraries, edges = tool.cmake_edges()
    assert len(edges) > len(libraries) > 40
    cycles = tool.cycles(libraries, edges)
    assert not cycles, "\n\n".join("\n".join(map(str, cycle)) for cycle in cycles)


@pytest.fixture
def package(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package ``ttmlir`` that loads the name ``late`` with ``__getattr__``."""
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    folder = tmp_path / "python" / "ttmlir"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("def __getattr__(name): ...\n")
    (folder / "__init__.pyi").write_text("from .lazy import late as late\n")
    (folder / "inner" / "__init__.py").write_text("")
    for name in ("a", "b", "lazy", "inner/c"):
        (folder / f"{name}.py").write_text("")
    return folder


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("import ttmlir.b", {("b", "")}),
        ("from .inner import c", {("inner.c", ""), ("inner", "")}),
        ("from ttmlir import late", {("lazy", "")}),
        ("import ttmlir as t\nx = t.late", {("lazy", "t.late"), ("", "")}),
        ("def f():\n    from ttmlir import b", {("b", "in a function")}),
        ("import ttmlir.b\ndef f():\n    import ttmlir.b", {("b", "")}),
        ("import_module('ttmlir.b')", {("b", "import_module")}),
        ("import_module('ttmlir.b {}')", set()),
        ("if TYPE_CHECKING:\n    import ttmlir.b\nelse:\n    import ttmlir.lazy", {("lazy", "")}),
    ],
)
def test_imports_that_count(
    tool: ModuleType, package: Path, text: str, edges: set[tuple[str, str]]
) -> None:
    (package / "a.py").write_text(f"{text}\n")
    found = {
        (edge.target.removeprefix("ttmlir").removeprefix("."), edge.how)
        for edge in tool.python_edges(tool.python_modules(["ttmlir"]))
        if edge.source == "ttmlir.a"
    }
    assert found - {("", "")} == edges - {("", "")}


def test_imports_of_a_package_are_those_of_what_is_in_it(tool: ModuleType, package: Path) -> None:
    """``ttmlir.inner`` runs before its module ``c``, which ``a`` wants."""
    (package / "a.py").write_text("import ttmlir.inner.c\n")
    (package / "inner" / "__init__.py").write_text("\n\nimport ttmlir.a\n")
    known = tool.python_modules(["ttmlir"])
    [cycle] = tool.cycles(known, tool.python_edges(known))
    assert [str(edge) for edge in cycle] == [
        "python/ttmlir/a.py:1: ttmlir.a -> ttmlir.inner",
        "python/ttmlir/inner/__init__.py:3: ttmlir.inner -> ttmlir.a",
    ]


def test_imports_for_type_checkers_count_on_request(tool: ModuleType, package: Path) -> None:
    (package / "a.py").write_text("if TYPE_CHECKING:\n    import ttmlir.b\n")
    (package / "b.py").write_text("import ttmlir.a\n")
    known = tool.python_modules(["ttmlir"])
    assert tool.cycles(known, tool.python_edges(known)) == []
    [cycle] = tool.cycles(known, tool.python_edges(known, types=True))
    assert tool.shortest(cycle) == ["ttmlir.a", "ttmlir.b", "ttmlir.a"]


def test_links_of_libraries(tool: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "CMakeLists.txt"
    file.write_text(
        "add_library(Base STATIC base.cpp)\n"
        "add_mlir_library(Dialect STATIC\n  Dialect.cpp\n  DEPENDS Gen\n  LINK_LIBS PUBLIC\n"
        "  MLIRIR  # Middle\n  Base)\n"
        "add_library(Middle STATIC middle.cpp)\n"
        "target_link_libraries(Middle PUBLIC Base ${OTHERS} Threads::Threads)\n"
        "target_link_libraries(Base PRIVATE Middle)\n"
    )
    libraries, edges = tool.cmake_edges([file])
    assert libraries == {"Base", "Dialect", "Middle"}
    assert [(e.source, e.target, e.line) for e in edges] == [
        ("Dialect", "Base", 7),
        ("Middle", "Base", 9),
        ("Base", "Middle", 10),
    ]
    [cycle] = tool.cycles(libraries, edges)
    assert {edge.line for edge in cycle} == {9, 10}


def test_pictures(tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for graph, nodes in (("python", {"ttmlir.builder", "ttrt.cli"}), ("libraries", {"TTBinary"})):
        svg, dot = tmp_path / "graph.svg", tmp_path / "graph.dot"
        tool.main([graph, "--depth", "1", "--svg", str(svg), "--dot", str(dot)])
        texts = ElementTree.parse(svg).findall("{http://www.w3.org/2000/svg}text")
        drawn = {text.text for text in texts}
        assert nodes <= drawn
        assert all(f'"{node}";' in dot.read_text() for node in drawn)
    assert "imports among them" in capsys.readouterr().out
