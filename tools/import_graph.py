"""Finds cycles in Python imports and CMake library links, and draws the graphs.

    python tools/import_graph.py                              # all cycles
    python tools/import_graph.py python --depth 1 --svg imports.svg
    python tools/import_graph.py libraries --dot libraries.dot

Reads sources only. Imports inside functions count, as do ``importlib.import_module`` with a literal
name, and names that a package loads lazily; imports for type checkers count with ``--types``. The
nodes are modules, whatever the depth of the picture. The exit status is 1 if there is a cycle.
tools/docs/pictures.py draws the pictures of docs/src/design.md.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ttmlir", "ttrt", "jax_plugins")
#: Modules of MLIR's bindings, which do not import modules of the project.
UPSTREAM = ("_mlir_libs", "dialects", "extras")


@dataclass(frozen=True)
class Edge:
    """``source`` needs ``target``, at ``file:line``."""

    source: str
    target: str
    file: Path
    line: int
    #: The kind of import, if it is not a plain one at the top of a module.
    how: str = ""

    def __str__(self) -> str:
        file = self.file.relative_to(ROOT) if self.file.is_relative_to(ROOT) else self.file
        return f"{file}:{self.line}: {self.source} -> {self.target}" + (
            f" ({self.how})" if self.how else ""
        )


def python_modules(
    packages: Iterable[str] = PACKAGES, built: Path | None = None
) -> dict[str, Path]:
    """Returns the files of the packages by module name. ``built`` is a folder with built packages,
    which contains the generated modules."""
    found: dict[str, Path] = {}
    for package in packages:
        for folder in (ROOT / "python", built):
            for path in sorted((folder / package).rglob("*.py")) if folder else ():
                inside = path.relative_to(folder)
                generated = folder is built
                # A build tree may have dangling links to removed sources.
                if generated and (inside.parts[1] in UPSTREAM or not path.exists()):
                    continue
                if generated and not path.name.startswith("_"):
                    continue
                parts = inside.with_suffix("").parts
                name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                found.setdefault(name, path)
    return found


def lazy_names(module: str, path: Path, known: Mapping[str, Path]) -> dict[str, str]:
    """Returns the modules of names that a package loads with ``__getattr__``, according to its
    stub."""
    stub = path.with_suffix(".pyi")
    if path.stem != "__init__" or not stub.exists():
        return {}
    homes = {}
    for node in ast.parse(stub.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), module)
            for alias in node.names:
                home = f"{base}.{alias.name}"
                homes[alias.asname or alias.name] = home if home in known else base
    return homes


class _Imports(ast.NodeVisitor):
    """Collects the imports of a module."""

    def __init__(
        self,
        module: str,
        path: Path,
        known: Mapping[str, Path],
        lazy: Mapping[str, Mapping[str, str]],
        types: bool,
    ) -> None:
        self.module, self.path, self.known, self.lazy = module, path, known, lazy
        self.types = types
        self.package = module if path.stem == "__init__" else module.rpartition(".")[0]
        self.edges: list[Edge] = []
        self.where: list[str] = []
        #: Local names of lazy packages, such as from ``import ttmlir``.
        self.bound: dict[str, str] = {}

    def add(self, name: str, line: int, *how: str) -> None:
        wanted = name
        while name and name not in self.known:
            name = name.rpartition(".")[0]
        # A module that only a build has; its parents are running if they contain this module.
        if name != wanted and f"{self.module}.".startswith(f"{name}."):
            return
        notes = ", ".join((*how, *dict.fromkeys(self.where)))
        if name and name != self.module:
            self.edges.append(Edge(self.module, name, self.path, line, notes))
        # Parent packages of a module run before it; those of this module are running already.
        while name := name.rpartition(".")[0]:
            if name in self.known and not f"{self.module}.".startswith(f"{name}."):
                self.edges.append(Edge(self.module, name, self.path, line, notes))

    def home(self, package: str, name: str) -> str:
        """Returns the module that defines a name of a package."""
        inside = f"{package}.{name}"
        return inside if inside in self.known else self.lazy.get(package, {}).get(name, package)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.add(alias.name, node.lineno)
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            if name in self.lazy:
                self.bound[alias.asname or name] = name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = resolve_name("." * node.level + (node.module or ""), self.package)
        for alias in node.names:
            self.add(self.home(base, alias.name), node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in ("import_module", "__import__") and node.args:
            match node.args[0]:
                case ast.Constant(value=str(target)):
                    if target.startswith("."):
                        target = resolve_name(target, self.package)
                    # Other functions of this name take other arguments.
                    if target in self.known:
                        self.add(target, node.lineno, name)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        match node.value:
            case ast.Name(id=name) if name in self.bound:
                package = self.bound[name]
                home = self.home(package, node.attr)
                if home != package:
                    self.add(home, node.lineno, f"{name}.{node.attr}")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test).rpartition(".")[2] != "TYPE_CHECKING":
            return self.generic_visit(node)
        if self.types:
            self._inside("for type checkers", node.body)
        for child in node.orelse:
            self.visit(child)
        return None

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for child in (*node.decorator_list, node.args):
            self.visit(child)
        self._inside("in a function", node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _inside(self, where: str, body: list[ast.stmt]) -> None:
        self.where.append(where)
        for child in body:
            self.visit(child)
        self.where.pop()


def python_edges(known: Mapping[str, Path], *, types: bool = False) -> list[Edge]:
    """Returns the imports between modules, with the first line of each."""
    lazy = {m: names for m, path in known.items() if (names := lazy_names(m, path, known))}
    found: dict[tuple[str, str], Edge] = {}
    for module, path in known.items():
        imports = _Imports(module, path, known, lazy, types)
        imports.visit(ast.parse(path.read_text("utf-8"), str(path)))
        # An import at the top of the module takes precedence over one in a function.
        for edge in sorted(imports.edges, key=lambda e: ("in a function" in e.how, e.line)):
            found.setdefault((edge.source, edge.target), edge)
    return list(found.values())


#: CMake commands whose first argument is a library, and the keywords before linked libraries.
LIBRARIES = re.compile(
    r"\b(add_library|add_mlir_library|add_mlir_public_c_api_library|Python_add_library|"
    r"nanobind_add_module|target_link_libraries|add_mlir_python_common_capi_library|"
    r"declare_mlir_python_extension)\s*\(([^()]*)\)"
)
LINKS = {"LINK_LIBS", "EMBED_LIBS", "EMBED_CAPI_LINK_LIBS", "PRIVATE_LINK_LIBS"}
SCOPES = {"PUBLIC", "PRIVATE", "INTERFACE"}
#: Keywords after which a command lists other arguments.
OTHERS = {
    "ADDITIONAL_HEADERS", "ADD_TO_PARENT", "DECLARED_SOURCES", "DEPENDS", "INSTALL_COMPONENT",
    "INSTALL_DESTINATION", "LINK_COMPONENTS", "MODULE_NAME", "OUTPUT_DIRECTORY",
    "RELATIVE_INSTALL_ROOT", "ROOT_DIR", "SOURCES",
}  # fmt: skip


def cmake_edges(files: Iterable[Path] | None = None) -> tuple[set[str], list[Edge]]:
    """Returns the libraries defined in CMakeLists.txt files, and the links between them."""
    if files is None:
        rooms = ("schema", "runtime", "cpp", "python", "tools")
        files = [p for room in rooms for p in sorted((ROOT / room).rglob("CMakeLists.txt"))]
    libraries: set[str] = set()
    links: dict[tuple[str, str], Edge] = {}
    for path in files:
        text = re.sub(r"#[^\n]*", "", path.read_text("utf-8"))
        for command in LIBRARIES.finditer(text):
            kind, begin = command[1], command.start(2)
            words = [(m[0], begin + m.start()) for m in re.finditer(r"[^\s\"]+", command[2])]
            if not words or "$" in words[0][0]:
                continue
            library = words[0][0]
            linking = kind == "target_link_libraries"
            if not linking:
                libraries.add(library)
            for word, at in words[1:]:
                if word in LINKS:
                    linking = True
                elif word in OTHERS:
                    linking = False
                elif linking and word not in SCOPES and word != library:
                    line = text.count("\n", 0, at) + 1
                    links.setdefault((library, word), Edge(library, word, path, line))
    return libraries, [e for e in links.values() if {e.source, e.target} <= libraries]


def components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Returns the strongly connected components in topological order (Tarjan)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in graph:
        work: list[tuple[str, Iterator[str]]] = []
        if root not in number:
            work = [(root, iter(sorted(graph[root])))]
            number[root] = low[root] = len(number)
            stack.append(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in stack:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    del stack[at:]
    return found


def graph_of(nodes: Iterable[str], edges: Iterable[Edge]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {node: set() for node in nodes}
    for edge in edges:
        graph[edge.source].add(edge.target)
    return graph


def cycles(nodes: Iterable[str], edges: list[Edge]) -> list[list[Edge]]:
    """Returns the edges of each component that has more than one node."""
    inside = [set(c) for c in components(graph_of(nodes, edges)) if len(c) > 1]
    return [[e for e in edges if {e.source, e.target} <= members] for members in inside]


def at_depth(name: str, depth: int) -> str:
    """Returns the enclosing module or package ``depth`` levels below the top. The top of
    ``jax_plugins.ttmlir`` has two parts, because ``jax_plugins`` is only a namespace package."""
    parts = name.split(".")
    return ".".join(parts[: depth + (2 if parts[0] == "jax_plugins" else 1)])


def coarse(edges: Iterable[Edge], depth: int) -> list[Edge]:
    """Returns the edges between modules and packages of this depth."""
    found: dict[tuple[str, str], Edge] = {}
    for e in edges:
        source, target = at_depth(e.source, depth), at_depth(e.target, depth)
        if source != target:
            found.setdefault((source, target), Edge(source, target, e.file, e.line, e.how))
    return list(found.values())


def shortest(edges: list[Edge]) -> list[str]:
    """Returns a shortest cycle in a component."""
    graph = graph_of({e.source for e in edges}, edges)
    ways: list[list[str]] = []
    for start in sorted(graph):
        reached, queue = {start}, [[start]]
        for way in queue:
            if start in graph[way[-1]]:
                ways.append([*way, start])
                break
            ahead = sorted(graph[way[-1]] - reached)
            reached.update(ahead)
            queue += [[*way, node] for node in ahead]
    return min(ways, key=len)


def show(what: str, found: list[list[Edge]]) -> None:
    for number, edges in enumerate(found, 1):
        members = {e.source for e in edges}
        print(f"{what} {number} of {len(found)}, of {len(members)}: {' -> '.join(shortest(edges))}")
        for edge in edges:
            print(f"  {edge}")


def dot(graph: Mapping[str, set[str]]) -> str:
    """Formats the graph in the language of Graphviz."""
    lines = ["digraph {", "  rankdir=TB; node [shape=box];"]
    lines += [f'  "{node}";' for node in sorted(graph)]
    lines += [
        f'  "{node}" -> "{other}";' for node in sorted(graph) for other in sorted(graph[node])
    ]
    return "\n".join([*lines, "}\n"])


def picture(graph: Mapping[str, set[str]]) -> str:
    """Draws the graph as SVG."""
    sys.path.append(str(ROOT / "tools" / "docs"))
    from graph_picture import layered

    ordered = {node: graph[node] for node in sorted(graph)}
    return layered(ordered, components(ordered))


def picture_of_packages() -> str:
    """Draws the packages and the modules outside them, from the sources alone."""
    known = python_modules()
    names = {at_depth(name, 1) for name in known}
    return picture(graph_of(names, coarse(python_edges(known), 1)))


def picture_of_libraries() -> str:
    return picture(graph_of(*cmake_edges()))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="?", choices=["python", "libraries"], help="default: both")
    parser.add_argument(
        "--depth", type=int, default=2, help="levels of packages in a picture (default: 2)"
    )
    parser.add_argument("--full", action="store_true", help="draw every module")
    parser.add_argument("--coarse", action="store_true", help="also find cycles at that depth")
    parser.add_argument("--types", action="store_true", help="with `if TYPE_CHECKING:`")
    parser.add_argument(
        "--built", type=Path, help="folder of built packages, for generated modules"
    )
    parser.add_argument("--svg", type=Path, help="writes a picture")
    parser.add_argument("--dot", type=Path, help="write the graph for Graphviz")
    options = parser.parse_args(arguments)
    if (options.svg or options.dot) and not options.graph:
        parser.error("expected python or libraries before --svg and --dot")

    drawn: dict[str, set[str]] = {}
    status = 0
    if options.graph != "libraries":
        known = python_modules(built=options.built)
        edges = python_edges(known, types=options.types)
        found = cycles(known, edges)
        show("import cycle", found)
        status |= bool(found)
        depth = 99 if options.full else options.depth
        rooms = {at_depth(name, depth) for name in known}
        between = coarse(edges, depth)
        if options.coarse:
            show(f"import cycle at depth {depth},", cycles(rooms, between))
        drawn = graph_of(rooms, between)
        print(f"{len(known)} modules, {len(edges)} imports among them, {len(found)} cycles")
    if options.graph != "python":
        libraries, edges = cmake_edges()
        found = cycles(libraries, edges)
        show("link cycle", found)
        status |= bool(found)
        drawn = graph_of(libraries, edges)
        print(f"{len(libraries)} libraries, {len(edges)} links among them, {len(found)} cycles")
    if options.dot:
        options.dot.write_text(dot(drawn), "utf-8")
    if options.svg:
        options.svg.write_text(picture(drawn), "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
