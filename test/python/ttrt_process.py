"""ttrt in a process of its own, as users call it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Call = Callable[..., "subprocess.CompletedProcess[str]"]


def ttrt_in(folder: Path) -> Call:
    """Runs ttrt in a folder."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ttrt", *map(str, arguments)]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    return call
