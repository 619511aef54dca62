"""Console commands that are C++: each replaces the Python process by the program of the package,
which does what the tool of the name that it is called by does."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

#: All tools in one; called by this name, its first argument is the name of a tool.
PROGRAM = Path(__file__).parent / "bin" / "ttmlir-tools"


def run(name: str) -> NoReturn:
    try:
        os.execv(PROGRAM, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {PROGRAM} cannot be run: {error.strerror}")


def opt() -> NoReturn:
    """ttmlir-opt: runs passes on MLIR files."""
    run("ttmlir-opt")


def translate() -> NoReturn:
    """ttmlir-translate: MLIR to flatbuffers and C++."""
    run("ttmlir-translate")
