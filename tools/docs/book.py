"""Assembles the book: hand-written pages, the generated reference and, at the end, HTML.

``build/docs`` is an ordinary mdbook: ``mdbook serve build/docs`` works on it. With ``--mdbook``
that program writes the HTML, otherwise ``web.py`` does. Errors are an entry of a dialect or a pass
without a summary, a description or an example, a public Python name without a docstring, a page
that ``SUMMARY.md`` does not list, and a dead link.

The generated pages are also in ``docs/src/reference``, for readers of the checkout; ``--refresh``
updates them, and a test compares them.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import api
import pages
import web

_PICTURES = {".svg", ".png"}


def reference(tablegen: pages.TableGen, packages: Path, folder: Path) -> list[str]:
    """Writes the generated pages into ``folder``; returns errors in them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    wrong = []
    for page in [*pages.reference(tablegen), *api.reference(packages)]:
        (folder / page.file).write_text(f"{str(page).strip()}\n", encoding="utf-8")
        wrong += page.gaps()
    return wrong


def dead_links(source: Path) -> list[str]:
    """Returns links between pages whose file or heading does not exist."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.md"))}
    headings = {
        path: {pages.anchor(h) for h in re.findall(r"^#+ (.+)$", text, re.M)}
        for path, text in texts.items()
    }
    found = []
    for path, text in texts.items():
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if "://" in target:
                continue
            file, _, heading = target.partition("#")
            to = (path.parent / file).resolve() if file else path
            if to.suffix in _PICTURES and to.exists():
                continue
            if to not in headings or (heading and heading not in headings[to]):
                found.append(f"{path.relative_to(source)}: no such page or heading: {target}")
    return found


def assemble(tablegen: pages.TableGen, packages: Path, docs: Path, output: Path) -> list[str]:
    """Writes ``book.toml`` and ``src`` into ``output``; returns errors in the book."""
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(docs / "src", output / "src")
    shutil.copy(docs / "book.toml", output)
    summary = (output / "src" / "SUMMARY.md").read_text(encoding="utf-8")
    listed = {file for _, file in web.chapters(summary)}
    wrong = reference(tablegen, packages, output / "src" / "reference")
    there = {
        path.relative_to(output / "src").as_posix()
        for path in (output / "src").rglob("*.md")
        if path.name != "SUMMARY.md"
    }
    wrong += [f"SUMMARY.md: expected a line for {file}, found none" for file in there - listed]
    return sorted(wrong) + dead_links(output.resolve() / "src")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlir-tblgen", type=Path, required=True)
    parser.add_argument("--llvm-tblgen", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True, help="the repository")
    parser.add_argument("--include", type=Path, action="append", default=[])
    parser.add_argument("--packages", type=Path, required=True, help="where ttmlir is")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--refresh", action="store_true", help="only docs/src/reference")
    parser.add_argument("--mdbook", default="", help="the program that writes the HTML")
    options = parser.parse_args()

    tablegen = pages.TableGen(
        options.mlir_tblgen, options.llvm_tblgen, options.source / "cpp", options.include
    )
    docs = options.source / "docs"
    if options.refresh:
        wrong = reference(tablegen, options.packages, docs / "src" / "reference")
    else:
        wrong = assemble(tablegen, options.packages, docs, options.output)
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    if wrong:
        return 1
    if options.refresh:
        return 0
    if options.mdbook:
        return subprocess.run(
            [options.mdbook, "build", str(options.output)], check=False
        ).returncode
    try:
        count = web.render(options.output / "src", options.output / "book", "ttmlir")
    except ModuleNotFoundError as error:
        print(
            f"error: HTML needs mdbook or the Python package markdown-it-py ({error}); "
            f"the pages themselves are in {options.output / 'src'}",
            file=sys.stderr,
        )
        return 1
    print(f"{count} pages: {options.output / 'book' / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
