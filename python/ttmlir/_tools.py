"""Console commands that are C++ programs inside the package: each replaces the Python process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def tool_path(name: str) -> Path:
    """Where the package has a program."""
    return Path(__file__).parent / "bin" / name


def _run(name: str) -> NoReturn:
    program = tool_path(name)
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {program} cannot be run: {error.strerror}")


def opt() -> NoReturn:
    """ttmlir-opt: runs passes on MLIR files."""
    _run("ttmlir-opt")


def translate() -> NoReturn:
    """ttmlir-translate: MLIR to flatbuffers and C++."""
    _run("ttmlir-translate")


def lsp_server() -> NoReturn:
    """ttmlir-lsp-server: the language server for editors."""
    _run("ttmlir-lsp-server")
