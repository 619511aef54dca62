"""Generates pages of the book from the docstrings of the Python package, one for each module.

griffe reads the sources and the stubs of the extension modules; nothing is imported. A public
module, class, method or function without a docstring fails the build of the book; attributes are
listed with their types and the class's description of them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import griffe

#: The public modules. ``ttmlir.ir`` and ``ttmlir.dialects`` are MLIR's own.
MODULES = (
    "ttmlir",
    "ttmlir.errors",
    "ttmlir.runtime",
    "ttmlir.kernel",
    "ttmlir.debugger",
    "ttmlir.passes",
    "ttmlir.config",
    "ttmlir.emitc",
    "ttmlir.frontends",
    "ttmlir.frontends.stablehlo",
    "ttmlir.explorer",
    "ttmlir.jax",
    "ttmlir.llm",
    "ttmlir.mpi",
    "ttmlir.onnx.backend",
    "ttmlir.pages",
    "ttmlir.torch",
)

_KINDS = {griffe.Kind.CLASS: "Classes", griffe.Kind.FUNCTION: "Functions"}


@dataclass(frozen=True)
class ApiPage:
    """The page of a module."""

    module: griffe.Object
    members: Sequence[griffe.Object]

    @property
    def file(self) -> str:
        return f"{self.module.path}.md"

    def gaps(self) -> list[str]:
        public = [self.module, *self.members]
        for member in self.members:
            public += _methods(member)
        return [
            f"{self.file}: {thing.kind.value} '{thing.path}' has no docstring"
            for thing in public
            if not thing.docstring
        ]

    def __str__(self) -> str:
        lines = [f"# {self.module.path}", "", *_docstring(self.module)]
        groups = {kind: [m for m in self.members if m.kind is kind] for kind in _KINDS}
        for kind, members in groups.items():
            lines += _table(kind.value, [(f"[`{m.name}`](#{m.name.lower()})", m) for m in members])
        for kind, members in groups.items():
            if members:
                lines += [f"## {_KINDS[kind]}", ""]
            for member in members:
                lines += [f"### {member.name}", "", *_entry(member)]
        return "\n".join(lines)


def _entry(thing: griffe.Object) -> Iterator[str]:
    yield from _signature(thing)
    yield from _docstring(thing)
    attributes = [
        m for m in _of_class(thing) if isinstance(m, griffe.Attribute) and (m.annotation or m.value)
    ]
    if attributes:
        yield from ("| attribute | type | |", "| --- | --- | --- |")
        for a in attributes:
            kind = f"`{a.annotation}`".replace("|", "\\|") if a.annotation else ""
            yield f"| `{a.name}` | {kind} | {_summary(a)} |"
        yield ""
    for method in _methods(thing):
        yield from (f"#### {thing.name}.{method.name}", "", *_signature(method))
        yield from _docstring(method)


def _of_class(thing: griffe.Object) -> list[griffe.Object]:
    """Returns the members of a class: its own, and those inherited from this package."""
    if not isinstance(thing, griffe.Class):
        return []
    members = (m.final_target if m.is_alias else m for m in thing.all_members.values())
    return [m for m in members if not m.name.startswith("_") and _own(m.path)]


def _methods(thing: griffe.Object) -> list[griffe.Object]:
    return [m for m in _of_class(thing) if m.is_function]


def _signature(thing: griffe.Object) -> Iterator[str]:
    if isinstance(thing, griffe.Function):
        # The origin of a stub's name depends on the version of Python.
        text = re.sub(r"\b(?:typing_extensions|typing|types)\.(?=[A-Z])", "", thing.signature())
        if len(text) > 96:
            head, _, rest = text.partition("(")
            inside, _, result = rest.rpartition(")")
            inside = re.sub(r", (?=[*\w]+(?::| =|,|$))", ",\n    ", inside)
            text = f"{head}(\n    {inside},\n){result}"
        yield from ("```python", text, "```", "")


def _summary(thing: griffe.Object) -> str:
    """Returns the first sentence of the docstring, as a line of a table."""
    text = thing.docstring.value if thing.docstring else ""
    first = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", first)[0].replace("|", "\\|")


def _table(title: str, rows: Sequence[tuple[str, griffe.Object]]) -> Iterator[str]:
    if rows:
        yield from (f"| {title} | |", "| --- | --- |")
        for name, thing in rows:
            yield f"| {name} | {_summary(thing)} |"
        yield ""


def _docstring(thing: griffe.Object) -> Iterator[str]:
    if not thing.docstring:
        return
    for section in thing.docstring.parse("google", warnings=False):
        if section.kind is griffe.DocstringSectionKind.text:
            yield from (_blocks(section.value), "")
        elif section.kind is griffe.DocstringSectionKind.examples:
            yield from ("Example:", "")
            for kind, text in section.value:
                fence = kind is griffe.DocstringSectionKind.examples
                yield from (("```pycon", text, "```", "") if fence else (text, ""))
        elif section.kind is griffe.DocstringSectionKind.admonition:
            yield from (f"{section.title}:", "", _blocks(section.value.description), "")
        else:
            yield from (f"{section.kind.value.capitalize()}:", "")
            yield from (_item(section.kind, item) for item in section.value)
            yield ""


def _item(kind: griffe.DocstringSectionKind, item: griffe.DocstringElement) -> str:
    name = getattr(item, "name", "") or (
        "" if kind is griffe.DocstringSectionKind.returns else str(item.annotation)
    )
    text = textwrap.indent(item.description, "  ").strip()
    return f"- `{name}`: {text}" if name else f"- {text}"


def _blocks(text: str) -> str:
    """Converts prose to Markdown: indented code and interpreter sessions become fenced blocks."""
    parts = []
    for part in re.split(r"\n\n", text):
        if part.startswith(">>> "):
            part = f"```pycon\n{part}\n```"
        elif part.startswith("    "):
            part = f"```python\n{textwrap.dedent(part)}\n```"
        parts.append(part)
    return re.sub(r"\n```\n\n```python\n", "\n\n", "\n\n".join(parts))


def reference(packages: Path) -> list[ApiPage]:
    """Returns the pages of the package ``ttmlir`` in the folder ``packages``."""
    package = griffe.load(
        MODULES[0], search_paths=[packages], allow_inspection=False, resolve_aliases=True
    )
    return [_page(package[m.partition(".")[2]] if "." in m else package) for m in MODULES]


def _page(module: griffe.Object) -> ApiPage:
    names = {str(name) for name in module.exports or ()}

    def is_public(member: griffe.Object | griffe.Alias) -> bool:
        if member.is_alias and not _own(member.target_path):
            return False
        home = member.target_path.split(".")[-2] if member.is_alias else ""
        if names:  # a module in the list stands for all that it exports
            return member.name in names or home in names
        return not home or home.startswith("_") or module.path == MODULES[0]

    members = [m for m in module.members.values() if is_public(m)]
    targets = [m.final_target if m.is_alias else m for m in members]
    return ApiPage(module, [m for m in targets if m.kind in _KINDS and not m.name.startswith("_")])


def _own(path: str) -> bool:
    return path.startswith(f"{MODULES[0]}.")
