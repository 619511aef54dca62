"""Runs scripts on ranks, as processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

# Beside the interpreter, where the package of MPICH puts it.
MPIRUN = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


def mpirun(
    *command: str | Path, timeout: float = 60, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs mpirun with this Python and variables of the environment; colons separate programs."""
    words = [str(MPIRUN)]
    for word in command:
        words += [sys.executable, "-m", "ttmlir.mpi"] if word == "ttmlir" else [str(word)]
    return subprocess.run(
        words,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def processes_of(script: Path) -> list[int]:
    """Returns the processes that have the script as an argument and have not ended in 5 s."""
    end = time.monotonic() + 5
    while True:
        found = []
        for command in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = command.read_bytes().split(b"\0")
            except OSError:  # It has ended.
                continue
            if str(script).encode() in words:
                found.append(int(command.parent.name))
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)
