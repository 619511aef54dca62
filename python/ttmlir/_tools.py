"""Console commands implemented in C++: each replaces the Python process by the package's
executable, which acts as the tool under whose name it is called."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

#: All tools in one executable; called by this name, it takes the tool's name as first argument.
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
    """ttmlir-translate: translates MLIR to flatbuffers and C++."""
    run("ttmlir-translate")
