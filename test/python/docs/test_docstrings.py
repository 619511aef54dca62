"""What the docstrings show is run."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "builder",
        "compiler",
        "passes",
        "runtime",
        "captured",
        "explorer.graphs",
        "explorer.overlays",
        "explorer.page",
    ]
    + [f"dialects.{name}" for name in ("tt", "ttnn", "ttkernel", "ttmetal")],
)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(f"ttmlir.{name}")
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
