"""Every code block of the README and of the book runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from optional_packages import OPTIONAL

from . import pages

PAGES = [
    pages.ROOT / "README.md",
    pages.ROOT / "CONTRIBUTING.md",
    *sorted((pages.ROOT / "docs" / "src").glob("*.md")),
]


@pytest.mark.parametrize("page", [str(path.relative_to(pages.ROOT)) for path in PAGES])
def test_page(page: str) -> None:
    command = [sys.executable, pages.__file__, page]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    missing = re.search(r"^ModuleNotFoundError: No module named '(\w+)", done.stderr, re.MULTILINE)
    if missing and missing[1] in OPTIONAL:
        pytest.skip(f"needs {missing[1]}")
    assert done.returncode == 0, done.stderr


def test_blocks_and_their_output() -> None:
    page = (
        "a\n```python\nprint(1)\nprint(2)\n```\n\n```text\n2\n```\n"
        "<!-- not run: slow -->\n```sh\nx\n```\n"
    )
    first, second = pages.blocks(page)
    assert (first.language, first.code, first.line) == ("python", "print(1)\nprint(2)\n", 3)
    assert (first.output, first.why, second.why) == ("2\n", "", "slow")


@pytest.mark.parametrize(
    ("expected", "printed", "lacking"),
    [
        ("a\nb\n", "x\na\ny\nb\n", None),
        ("b\na\n", "a\nb\n", "a"),
        ("cost ... us\n", "cost of add: 3 us\n", None),
        ("cost ... us\n", "cost of add: 3 ms\n", "cost ... us"),
    ],
)
def test_lines_of_output(expected: str, printed: str, lacking: str | None) -> None:
    assert pages.lacks(expected, printed) == lacking


def test_a_page_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("text\n```python\n1 / 0\n```\n")
    assert "page.md:3: does not run" in (pages.run_page(page) or "")
    page.write_text("```sh\necho one\n```\n```text\ntwo\n```\n")
    assert "expected the output 'two', found\none" in (pages.run_page(page) or "")
    page.write_text("```sh\necho one\n```\nIn words:\n```cpp\none\n```\n")
    assert "page.md:6: expected the block that prints it" in (pages.run_page(page) or "")
