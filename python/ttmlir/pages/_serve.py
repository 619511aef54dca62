"""Serves the page of a layout with editable fields; this process computes the data."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from ttmlir._http_server import Response, Server
from ttmlir._targets import targets
from ttmlir.builder._dtypes import DTYPES
from ttmlir.errors import Error, InputError
from ttmlir.pages import _document
from ttmlir.pages._layout import MEMORY_LAYOUTS, MEMORY_SPACES, TensorLayout

_JSON = "application/json"
_SCRIPTS = ("page.js", "layout.js", "serve.js")
#: Longer fields are rejected.
_LONGEST = 200


def layout_server(start: TensorLayout, port: int = 0) -> Server:
    """Creates a server of the page with ``start`` as the initial layout; call ``serve_forever``."""
    return Server({"/": lambda _: _page(start), "/layout": _layout}, port)


def _page(start: TensorLayout) -> Response:
    data = {"layout": start.data(), "fields": _fields(start)}
    return Response(_document.document("layout", "layout.html", _SCRIPTS, data, served=True))


def _layout(fields: dict[str, str]) -> Response:
    try:
        return Response(_document.to_json(parse(fields).data()), _JSON)
    except Error as error:
        text = _document.to_json({"error": str(error)})
        return Response(text, _JSON, HTTPStatus.BAD_REQUEST)


def _fields(start: TensorLayout) -> list[dict[str, Any]]:
    """Returns name, value and, if there are few, the possible values of each field."""
    intervals = " ".join(f"{begin},{end}" for begin, end in start.collapse_intervals)
    choices = {
        "dtype": list(DTYPES),
        "memory_space": list(MEMORY_SPACES),
        "memory_layout": ["", *MEMORY_LAYOUTS],
        "target": targets(),
    }
    values = {
        "shape": _extents(start.shape),
        "dtype": start.dtype,
        "grid": _extents(start.grid),
        "collapse_intervals": intervals,
        "tile": _extents(start.tile or ()),
        "memory_space": start.memory_space,
        "memory_layout": start.memory_layout,
        "target": start.target,
        "address": "" if start.address is None else str(start.address),
    }
    return [{"name": n, "value": v, "choices": choices.get(n, [])} for n, v in values.items()]


def _extents(extents: tuple[int, ...]) -> str:
    return "x".join(map(str, extents))


def parse(fields: dict[str, str]) -> TensorLayout:
    """Parses a layout from fields of the page, or options of the command.

    Raises:
        InputError: a field is unknown, or has a wrong form.
    """
    values: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in _PARSERS:
            raise InputError(f"unknown field '{name[:_LONGEST]}', expected {', '.join(_PARSERS)}")
        if len(text) > _LONGEST:
            raise InputError(f"{name}: expected at most {_LONGEST} characters, found {len(text)}")
        if text or name in ("tile", "collapse_intervals"):
            values[name] = _PARSERS[name](name, text.strip())
    if "shape" not in values:
        raise InputError("expected a shape, such as 64x128")
    return TensorLayout(**values)


def _parse_extents(name: str, text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,15}(x\d{1,15})*", text):
        raise InputError(f"{name}: expected extents such as 64x128, found {text!r}")
    return tuple(map(int, text.split("x")))


def _parse_tile(name: str, text: str) -> tuple[int, ...] | None:
    if not text:
        return None
    extents = _parse_extents(name, text)
    if len(extents) != 2:
        raise InputError(f"{name}: expected two extents such as 32x32, or none, found {text!r}")
    return extents


def _parse_intervals(name: str, text: str) -> tuple[tuple[int, int], ...]:
    pairs = re.findall(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})", text)
    if re.sub(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})|[\s()\[\];]", "", text).strip(","):
        raise InputError(f"{name}: expected pairs such as 0,-1 or 0,3 -3,-1, found {text!r}")
    return tuple((int(begin), int(end)) for begin, end in pairs)


def _parse_number(name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise InputError(f"{name}: expected a number, found {text!r}") from None


def _parse_word(_: str, text: str) -> str:
    return text


_PARSERS = {
    "shape": _parse_extents,
    "dtype": _parse_word,
    "grid": _parse_extents,
    "collapse_intervals": _parse_intervals,
    "tile": _parse_tile,
    "memory_space": _parse_word,
    "memory_layout": _parse_word,
    "target": _parse_word,
    "address": _parse_number,
}
