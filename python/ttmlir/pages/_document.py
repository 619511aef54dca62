"""Pages as self-contained HTML documents: template, style, scripts and data in one file.

A page makes no requests: its content security policy allows only its own scripts, by hash, and no
connections unless this process serves the page.
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
    """Returns the text of a page.

    Args:
        title: the title of the document.
        body: the file in this package with the body.
        scripts: the files in this package with its scripts, in order.
        data: the data of the page, as JSON.
        served: whether the page sends requests to its server.
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
    """Formats JSON that is safe in HTML: ``<`` and non-ASCII characters are escaped, so that it
    cannot end its element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def frame(page: str, height: int) -> str:
    """Embeds a page in another one, such as a notebook, as a sandboxed frame."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="ttmlir" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8888; border-radius: 6px">'
        "</iframe>"
    )


def save(page: str, path: str | os.PathLike[str]) -> None:
    """Writes a page atomically.

    Raises:
        FileError: the path cannot be written.
    """
    with written(path) as file:
        file.write(page.encode())


def check_suffix(path: str | os.PathLike[str]) -> None:
    """Checks the suffix of a page's path.

    Raises:
        InputError: it is not that of a page.
    """
    suffix = Path(path).suffix
    if suffix.lower() not in _SUFFIXES:
        raise InputError(
            f"{shown(path)}: expected a suffix of {' or '.join(_SUFFIXES)}, found "
            f"{suffix or 'none'}"
        )


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
