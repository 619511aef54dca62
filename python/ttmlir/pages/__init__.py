"""Self-contained HTML pages: the cost of a run, the memory layout of a tensor, the errors of
results."""

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
    """Returns the page of a ``ttmlir.Report`` as text."""
    return _document.document(report.title(), "report.html", _SCRIPTS, report_data(report))


def save_report_page(report: Any, path: str | os.PathLike[str]) -> None:
    """Writes the page of a report, like ``Report.save``.

    Raises:
        InputError: the path does not end in ``.html``.
        FileError: the file cannot be written.
    """
    _document.check_suffix(path)
    _document.save(report_page(report), path)


def report_frame(report: Any) -> str:
    """Returns the page as HTML for a notebook."""
    return _document.frame(report_page(report), 900)


def layout_page(layout: TensorLayout) -> str:
    """Returns the page of a tensor's layout as text.

    Raises:
        InputError: the compiler does not support the layout, or a page cannot draw it.
    """
    data = layout.data()
    scripts = ("page.js", "layout.js")
    return _document.document(data["title"], "layout.html", scripts, {"layout": data})


def save_layout_page(layout: TensorLayout, path: str | os.PathLike[str]) -> None:
    """Writes the page of a tensor's layout: a self-contained ``.html`` file.

    >>> layout = TensorLayout((2, 3, 64, 128), "bf16", grid=(2, 4))
    >>> save_layout_page(layout, "layout.html")

    Raises:
        InputError: the compiler does not support the layout, or the path has another suffix.
        FileError: the file cannot be written.
    """
    _document.check_suffix(path)
    _document.save(layout_page(layout), path)


def comparison_page(comparison: Any) -> str:
    """Returns the page of a ``ttmlir.Comparison`` as text; ``Comparison.save`` writes it."""
    scripts = ("page.js", "comparison.js")
    data = comparison_data(comparison)
    return _document.document(comparison.title(), "comparison.html", scripts, data)


def comparison_picture(comparison: Any) -> str:
    """Returns the relative error along the program as an SVG image."""
    return picture(comparison)


def comparison_frame(comparison: Any) -> str:
    """Returns the page as HTML for a notebook."""
    return _document.frame(comparison_page(comparison), 700)
