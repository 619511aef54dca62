"""Uses an installed ttmlir like a new user: imports it, adds two arrays, runs its commands.

Usage: check_install.py   with the Python of the environment, from a folder outside of a checkout.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import ttmlir


def add() -> ttmlir.Executable:
    """Computes x + y on the emulator, and compares it with numpy."""
    b = ttmlir.Builder("add")
    b.output(b.add(b.input("x", (64, 128)), b.input("y", (64, 128))))
    x, y = np.random.default_rng(0).standard_normal((2, 64, 128), np.float32)
    exe = ttmlir.compile(b, goldens={"input_0": x, "input_1": y, "output_0": x + y})
    np.testing.assert_array_equal(exe(x, y), x + y)
    # Also as C++, compiled with the header and the library of the package.
    np.testing.assert_array_equal(ttmlir.emitc.load(exe.cpp).add(x, y), x + y)
    return exe


def command(folder: Path, *arguments: str) -> str:
    """Runs a console command of the environment, and returns its output."""
    program = Path(sys.executable).parent / arguments[0]
    done = subprocess.run(
        [str(program), *arguments[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def main() -> None:
    source = Path(__file__).resolve().parent.parent
    if Path(ttmlir.__file__).resolve().is_relative_to(source / "python"):
        sys.exit(f"error: expected an installed ttmlir, found {ttmlir.__file__}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        add().save(folder / "add.ttnn")
        command(folder, "ttrt", "run", "add.ttnn")
        text = command(folder, "ttrt", "read", "--section", "mlir", "add.ttnn")
        (folder / "ttnn.mlir").write_text(text.partition("\n")[2])
        command(folder, "ttmlir-opt", "ttnn.mlir", "-o", "again.mlir")
        command(
            folder, "ttmlir-translate", "--ttnn-to-flatbuffer", "again.mlir", "-o", "again.ttnn"
        )
        command(folder, "ttrt", "check", "again.ttnn")
    print(f"ttmlir {ttmlir.__version__} in {Path(ttmlir.__file__).parent}: works")


if __name__ == "__main__":
    main()
