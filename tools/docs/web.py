"""Writes the book as HTML if ``mdbook`` is not installed.

Each page of ``SUMMARY.md`` becomes an HTML file with a list of all pages on the left. Markdown is
rendered by ``markdown-it-py``, a dependency of ``rich``, which the package requires.
"""

from __future__ import annotations

import html
import os
import re
import shutil
from pathlib import Path
from typing import Any

from pages import anchor

STYLE = """
body { margin: 0; display: flex; font: 16px/1.5 system-ui, sans-serif; color: #222; }
nav { flex: 0 0 15em; padding: 1.5em; background: #f4f4f2; min-height: 100vh; }
nav ul { list-style: none; padding: 0; }
nav .here { font-weight: bold; }
main { flex: 1; min-width: 0; max-width: 50em; padding: 1.5em 3em; }
pre { background: #f4f4f2; padding: 0.8em; overflow-x: auto; }
code { font: 0.9em ui-monospace, monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1d; color: #ddd; }
  nav, pre { background: #26262a; }
  a { color: #8ab4f8; }
}
"""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<nav>{nav}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def chapters(summary: str) -> list[tuple[str, str]]:
    """Returns (title, file) of each page of the book, in order."""
    return re.findall(r"\[([^\]]+)\]\(([^)]+)\)", summary)


def render(source: Path, output: Path, title: str) -> int:
    """Writes the pages in ``source`` as HTML into ``output``; returns the number of pages."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    markdown.add_render_rule("heading_open", _heading)
    markdown.add_render_rule("link_open", _link)
    pages = chapters((source / "SUMMARY.md").read_text(encoding="utf-8"))
    for name, file in pages:
        text = (source / file).read_text(encoding="utf-8")
        target = (output / file).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        content = PAGE.format(
            title=html.escape(f"{name} - {title}"),
            style=STYLE,
            nav=_navigation(pages, file),
            body=markdown.render(text),
        )
        target.write_text(content, encoding="utf-8")
    if (source / "pictures").is_dir():
        shutil.copytree(source / "pictures", output / "pictures", dirs_exist_ok=True)
    first = Path(pages[0][1]).with_suffix(".html")
    (output / "index.html").write_text(
        f'<!doctype html><meta http-equiv="refresh" content="0; url={first}">\n', encoding="utf-8"
    )
    return len(pages)


def _navigation(pages: list[tuple[str, str]], here: str) -> str:
    lines = ["<ul>"]
    for name, file in pages:
        path = os.path.relpath(Path(file).with_suffix(".html"), Path(here).parent)
        mark = ' class="here"' if file == here else ""
        lines.append(f'<li{mark}><a href="{path}">{html.escape(name)}</a></li>')
    return "\n".join([*lines, "</ul>"])


def _heading(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    """Renders a heading with mdbook's anchor."""
    tokens[index].attrSet("id", anchor(tokens[index + 1].content))
    return str(renderer.renderToken(tokens, index, options, env))


def _link(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    """Renders a link to another page, which is an HTML file here."""
    target = str(tokens[index].attrGet("href"))
    if "://" not in target:
        tokens[index].attrSet("href", re.sub(r"\.md(?=#|$)", ".html", target))
    return str(renderer.renderToken(tokens, index, options, env))
