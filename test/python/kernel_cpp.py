"""The C++ of kernels, as a compiler that knows only their declarations sees it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import ttmlir

DECLARATIONS = Path(ttmlir.__file__).parent / "include" / "ttkernel-declarations.h"


def cpp_errors(sources: Iterable[str], folder: Path) -> str:
    """What g++ says of kernels, all in one file; empty if it has nothing to say."""
    text = "\n".join(
        f"namespace kernel{index} {{\n{re.sub('#include.*', '', source)}\n}}"
        for index, source in enumerate(sources)
    )
    path = folder / "kernels.cpp"
    path.write_text(text, encoding="utf-8")
    # Addresses of a core have the 32 bits of its pointers, not those of this machine.
    command = ["g++", "-std=c++17", "-fsyntax-only", "-Wno-int-to-pointer-cast"]
    command += ["-include", str(DECLARATIONS), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode or done.stderr
    return done.stderr
