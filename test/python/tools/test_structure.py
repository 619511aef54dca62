"""How the files of the project stand to each other: no circles of imports, names that differ."""

from __future__ import annotations

import ast
import itertools
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

#: For type checkers alone: users are told that a tensor's builder is a ``Builder``, which has
#: methods that take tensors.
FOR_TYPES_ONLY = {("ttmlir.builder._tensor", "ttmlir.builder")}


def modules(package: str) -> dict[str, Path]:
    """The files of a package by the names of their modules, those that the build generates
    included; without MLIR's own."""
    sources, built = ROOT / "python" / package, Path(str(import_module(package).__file__)).parent
    files = {path.relative_to(sources): path for path in sources.rglob("*.py")}
    for path in built.rglob("_*.py"):
        inside = path.relative_to(built)
        # A build tree may have links to sources that are gone.
        if inside.parts[0] not in ("_mlir_libs", "dialects") and path.exists():
            files.setdefault(inside, path)
    names = {path: [package, *inside.with_suffix("").parts] for inside, path in files.items()}
    return {
        ".".join(parts[:-1] if path.stem == "__init__" else parts): path
        for path, parts in names.items()
    }


def imports(module: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports, wherever in it. That of a module's package is none: it comes
    before everything in the package."""
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [n if (n := f"{base}.{a.name}") in known else base for a in node.names]
        yield from (name for name in names if name in known)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """One of the circles of a graph."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert sorted(set(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}))) == ["b", "c"]


@pytest.mark.parametrize("package", ["ttmlir", "ttrt"])
def test_no_circle_of_imports(package: str) -> None:
    """Those in functions and for type checkers count as well."""
    known = modules(package)
    assert len(known) > 20
    graph = {
        module: {name for name in imports(module, path, known) if name != module}
        for module, path in known.items()
    }
    for module, name in FOR_TYPES_ONLY & {(m, n) for m, names in graph.items() for n in names}:
        graph[module].remove(name)
    assert circle(graph) == []


def near(a: str, b: str) -> bool:
    """Whether two names are one letter apart."""
    if len(a) > len(b):
        a, b = b, a
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b, strict=True)) == 1
    return any(b[:i] + b[i + 1 :] == a for i in range(len(b)))


def test_no_two_files_differ_by_one_letter() -> None:
    """What differs in digits, such as versions, may."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout of git")
    folders = defaultdict(set)
    for path in map(Path, listed.stdout.splitlines()):
        stem = path.name.partition(".")[0].strip("_").lower()
        folders[path.parent].add(stem.rstrip("0123456789"))
    assert [
        f"{folder}{os.sep}: {a}, {b}"
        for folder, stems in folders.items()
        for a, b in itertools.combinations(sorted(stems), 2)
        if near(a, b)
    ] == []


#: The folders of the runtime: a header includes those of its own folder and of the ones before it.
ROOMS = ("numerics", "tensix", "common", "clock", "emulator", "collectives", ("ttnn", "ttmetal"))


def test_rooms_of_the_runtime_build_on_each_other() -> None:
    """Headers alone: a file is decoded by the runtime that it is for."""
    rank = {
        room: number
        for number, rooms in enumerate(ROOMS)
        for room in ([rooms] if isinstance(rooms, str) else rooms)
    }
    library = ROOT / "runtime" / "lib"
    assert set(rank) == {path.name for path in library.iterdir() if path.is_dir()}
    wrong = []
    for header in sorted(library.rglob("*.h")):
        room = header.relative_to(library).parts[0]
        for other in re.findall(r'^#include "(\w+)/', header.read_text(), re.M):
            if other in rank and other != room and rank[other] >= rank[room]:
                wrong.append(f"{header.relative_to(library)}: {other}")
    assert wrong == []
