"""Pages for a browser, each one file that loads nothing: what a run cost, how a tensor lies, and
how far results are off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttmlir.pages import _document
from ttmlir.pages._comparison import comparison_data, picture
from ttmlir.pages._layout import TensorLayout
from ttmlir.pages._report import report_data

if TYPE_CHECKING:
    import os

__all__ = [
    "TensorLayout",
    "comparison_frame",
    "comparison_page",
    "comparison_picture",
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


def comparison_page(comparison: Any) -> str:
    """The page of a ``ttmlir.Comparison``, as a text; ``Comparison.save`` writes it."""
    scripts = ("page.js", "comparison.js")
    data = comparison_data(comparison)
    return _document.document(comparison.title(), "comparison.html", scripts, data)


def comparison_picture(comparison: Any) -> str:
    """The relative error along the program as the text of an SVG image."""
    return picture(comparison)


def comparison_frame(comparison: Any) -> str:
    """The page as a part of a notebook."""
    return _document.frame(comparison_page(comparison), 700)
