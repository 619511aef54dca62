"""Pages as one HTML document each: template, style, scripts and data in one file.

A page loads nothing and sends nothing: its policy allows the scripts that are in it, by their
hashes, and no connection unless the page is served by this process.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ttmlir._files import shown, written
from ttmlir.errors import InputError

_SUFFIXES = (".html", ".htm")
_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def document(
    title: str, body: str, scripts: tuple[str, ...], data: dict[str, Any], *, served: bool = False
) -> str:
    """The text of a page.

    Args:
        title: what the tab shows.
        body: the file of this package with the body.
        scripts: the files of this package that run in it, in this order.
        data: what they show, as JSON.
        served: whether the page asks the server that it came from.
    """
    script = "\n".join(map(_asset, scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"connect-src {chr(39)}{'self' if served else 'none'}{chr(39)}; base-uri 'none'; "
        "form-action 'none'"
    )
    return _DOCUMENT.format(
        policy=policy,
        title=escape(title),
        style=_asset("page.css"),
        body=_asset(body),
        data=to_json(data),
        script=script,
    )


def to_json(data: Any) -> str:
    """JSON that HTML takes for text: no ``<`` can end the element that holds it, and what is not
    ASCII is escaped."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def frame(page: str, height: int) -> str:
    """A page inside of another one, such as a notebook: it runs apart from it."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="ttmlir" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8888; border-radius: 6px">'
        "</iframe>"
    )


def save(page: str, path: str | os.PathLike[str]) -> None:
    """Writes a page: the whole file or nothing.

    Raises:
        FileError: the path cannot be written.
    """
    with written(path) as file:
        file.write(page.encode())


def check_suffix(path: str | os.PathLike[str]) -> None:
    """Before a page is made for the path.

    Raises:
        InputError: it has not the suffix of a page.
    """
    suffix = Path(path).suffix
    if suffix.lower() not in _SUFFIXES:
        raise InputError(
            f"{shown(path)}: expected a suffix of {' or '.join(_SUFFIXES)}, found "
            f"{suffix or 'none'}"
        )


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
