"""Pages of the book that come from the TableGen definitions.

``mlir-tblgen`` writes what the definitions say; this module makes pages of a book from that: one
for each dialect, with a table of its entries, and one for all passes. It also finds entries that
say too little, which fails the build of the book. The pages of number formats and of pipelines are
made by the scripts of ``tools/tablegen`` that make the tables of code.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The file that defines each dialect, below ``cpp``.
DIALECTS = {
    "tt": "dialects/TT/TTOps.td",
    "ttir": "dialects/TTIR/TTIRAllOps.td",
    "ttnn": "dialects/TTNN/TTNNOps.td",
    "ttmetal": "dialects/TTMetal/TTMetalOps.td",
    "ttkernel": "dialects/TTKernel/TTKernelOps.td",
}


@dataclass(frozen=True)
class TableGen:
    """How to run ``mlir-tblgen``, and ``llvm-tblgen`` for the records themselves."""

    program: Path
    dump: Path
    source: Path
    include_dirs: Sequence[Path]

    def records(self, definitions: str) -> Any:
        return json.loads(self._run(self.dump, self.source / definitions, "--dump-json"))

    def __call__(self, definitions: Path, *arguments: str) -> str:
        return self._run(self.program, definitions, *arguments)

    def _run(self, program: Path, definitions: Path, *arguments: str) -> str:
        includes = [f"-I{folder}" for folder in (self.source, *self.include_dirs)]
        command = [str(program), *arguments, *includes, str(definitions)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"error: {' '.join(command)}\n{done.stderr}")
        return done.stdout


@dataclass(frozen=True)
class Entry:
    """A documented thing of a page: an op, an attribute, a type, an enumeration or a pass."""

    kind: str
    name: str
    body: str

    @property
    def summary(self) -> str:
        match = re.match(r"\s*_(.+?)_\n", self.body, re.S)
        return " ".join(match[1].split()) if match else ""

    @property
    def description(self) -> str:
        """What the definition says, without summary, syntax and the tables that follow."""
        text = re.split(r"^(?:#### |Traits: |Interfaces: )", self.body, maxsplit=1, flags=re.M)[0]
        text = re.sub(r"\A\s*_.+?_\n", "", text, flags=re.S)
        return re.sub(r"^Syntax:\n+```\n.*?^```\n", "", text, flags=re.S | re.M).strip()

    @property
    def examples(self) -> list[str]:
        return re.findall(r"^```mlir\n(.*?)^```", self.description + "\n", re.S | re.M)

    def gaps(self) -> Iterator[str]:
        """What the entry does not say."""
        if not self.summary:
            yield "no summary"
        if self.kind == "enumeration":
            return
        prose = re.sub(r"^```.*?^```", "", self.description + "\n", flags=re.S | re.M)
        if not re.sub(r"Example:", "", prose).strip():
            yield "no description"
        if not self.examples:
            yield "no example in a block of mlir"
        for option in re.findall(r"^-([\w-]+) *:[ \t]*$", self.body, re.M):
            yield f"no description of the option {option}"


@dataclass(frozen=True)
class TablePage:
    """A page that a script of ``tools/tablegen`` makes."""

    file: str
    text: str

    def gaps(self) -> list[str]:
        return []

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Page:
    """A page of the reference."""

    file: str
    title: str
    introduction: str
    entries: Sequence[Entry]

    def gaps(self) -> list[str]:
        found = [] if self.introduction.strip() else [f"{self.file}: no introduction"]
        return found + [
            f"{self.file}: {entry.kind} '{entry.name}' has {gap}"
            for entry in self.entries
            for gap in entry.gaps()
        ]

    def __str__(self) -> str:
        lines = [f"# {self.title}", "", self.introduction.strip(), ""]
        for kind in dict.fromkeys(entry.kind for entry in self.entries):
            group = [entry for entry in self.entries if entry.kind == kind]
            lines += [f"| {kind} | |", "| --- | --- |"]
            lines += [f"| [`{e.name}`](#{anchor(e.name)}) | {e.summary} |" for e in group]
            lines.append("")
        for kind in dict.fromkeys(entry.kind for entry in self.entries):
            plural = f"{kind}es" if kind.endswith("s") else f"{kind}s"
            lines += [f"## {plural.capitalize()}", ""]
            for entry in self.entries:
                if entry.kind == kind:
                    lines += [f"### {entry.name}", "", entry.body.strip(), ""]
        return "\n".join(lines)


def anchor(heading: str) -> str:
    """The identifier that mdbook gives to a heading."""
    kept = "".join(c for c in heading.lower() if c.isalnum() or c in "-_ ")
    return kept.strip().replace(" ", "-")


_KINDS = {
    "Operations": "operation",
    "Attributes": "attribute",
    "Types": "type",
    "Enums": "enumeration",
}


def dialect_page(tablegen: TableGen, name: str) -> Page:
    text = tablegen(tablegen.source / DIALECTS[name], "-gen-dialect-doc", f"-dialect={name}")
    head, *sections = re.split(r"^## (\w+)\n", text, flags=re.M)
    introduction = re.sub(r"<!--.*?-->|^# .*$|^\[TOC\]$", "", head, flags=re.M).strip()
    entries = [
        Entry(_KINDS[kind], re.sub(r"`| \(.*\)", "", heading), body)
        for kind, section in zip(sections[::2], sections[1::2], strict=True)
        for heading, body in _split(section)
    ]
    return Page(f"{name}.md", f"The {name} dialect", introduction, entries)


def passes_page(tablegen: TableGen) -> Page:
    entries = [
        Entry("pass", heading.strip("`").lstrip("-"), body)
        for definitions in sorted(tablegen.source.rglob("Passes.td"))
        for heading, body in _split(tablegen(definitions, "-gen-pass-doc"))
    ]
    introduction = (
        'Every pass of the project, by name. `ttmlir-opt --<pass>="<option>=<value> ..."` runs '
        "one; the [pipelines](pipelines.md) run them in the order that a backend needs."
    )
    return Page("passes.md", "Passes", introduction, sorted(entries, key=lambda e: e.name))


def _split(text: str) -> Iterator[tuple[str, str]]:
    """(heading, body) of each section of the third level."""
    _, *parts = re.split(r"^### (.+)\n", text, flags=re.M)
    yield from zip(parts[::2], parts[1::2], strict=True)


def reference(tablegen: TableGen) -> list[Page | TablePage]:
    """All pages of the reference."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tablegen"))
    import format_tables
    import pipeline_tables
    import today_tables

    formats = format_tables.rows(tablegen.records("dialects/Formats.td"))
    pipelines = tablegen.records("pipelines/Pipelines.td")
    return [
        *(dialect_page(tablegen, name) for name in DIALECTS),
        passes_page(tablegen),
        TablePage("formats.md", format_tables.page(formats)),
        TablePage("pipelines.md", pipeline_tables.page(pipelines)),
        TablePage(
            "today_ops.md",
            today_tables.page(tablegen.records("conversion/TodayToTTIR/TodayOps.td")),
        ),
    ]
