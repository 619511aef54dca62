"""Every function of the page in the docs, in kernels that call it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ttmlir

ROOT = Path(__file__).parents[4]
HEADERS = Path(ttmlir.__file__).parent / "include" / "kernel_api"


def test_page_of_functions() -> None:
    script = ROOT / "tools" / "kernel_functions_page.py"
    page = ROOT / "docs" / "src" / "kernel_functions.md"
    done = subprocess.run(
        [sys.executable, script, HEADERS, page, "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
