"""Pages for a browser, each one file that loads nothing: what a run cost, and how a tensor lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttmlir.pages import _document
from ttmlir.pages._layout import TensorLayout
from ttmlir.pages._report import report_data

if TYPE_CHECKING:
    import os

__all__ = [
    "TensorLayout",
    "layout_page",
    "report_frame",
    "report_page",
    "save_layout_page",
    "save_report_page",
]

_SCRIPTS = (
    "page.js",
    "table.js",
    "timeline.js",
    "heatmap.js",
    "memory.js",
    "roofline.js",
    "report.js",
)


def report_page(report: Any) -> str:
    """The page of a ``ttmlir.Report``, as a text."""
    return _document.document(report.title(), "report.html", _SCRIPTS, report_data(report))


def save_report_page(report: Any, path: str | os.PathLike[str]) -> None:
    """Writes the page of a report; ``Report.save`` is the same.

    Raises:
        InputError: the path does not end in ``.html``.
        FileError: it cannot be written.
    """
    _document.check_suffix(path)
    _document.save(report_page(report), path)


def report_frame(report: Any) -> str:
    """The page as a part of a notebook."""
    return _document.frame(report_page(report), 900)


def layout_page(layout: TensorLayout) -> str:
    """The page of a tensor's layout, as a text.

    Raises:
        InputError: the compiler has no such layout, or a page cannot draw it.
    """
    data = layout.data()
    scripts = ("page.js", "layout.js")
    return _document.document(data["title"], "layout.html", scripts, {"layout": data})


def save_layout_page(layout: TensorLayout, path: str | os.PathLike[str]) -> None:
    """Writes the page of a tensor's layout: a ``.html`` file that loads nothing.

    >>> layout = TensorLayout((2, 3, 64, 128), "bf16", grid=(2, 4))
    >>> save_layout_page(layout, "layout.html")

    Raises:
        InputError: the compiler has no such layout, or the path has another suffix.
        FileError: the file cannot be written.
    """
    _document.check_suffix(path)
    _document.save(layout_page(layout), path)
