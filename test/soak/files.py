"""Damaged flatbuffers: a tool of the runtime, best built with sanitizers, loads and runs them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import sanitizers
from engine import Failure, Note

ROOT = sanitizers.ROOT
PYTHON = ROOT / "test" / "python"
TOOL = Path("runtime", "tools", "ttnn-mutate")
#: Files that one run of the tool makes.
COUNT = 500


@cache
def tool() -> Path:
    """The tool with sanitizers if it is built, else that of the build tree."""
    found = [ROOT / build / TOOL for build in ("build-asan-ubsan", "build-asan", "build")]
    for path in found:
        if path.exists():
            return path
    raise FileNotFoundError(f"expected one of {', '.join(map(str, found))}: build ttnn-mutate")


def _make(folder: Path) -> None:
    """Files with every operation, for one chip and for a mesh, and descriptions of systems."""
    import op_examples

    import ttmlir
    from ttmlir import runtime

    for script, name, *rest in (
        ("runtime/everything.py", "everything.ttnn"),
        ("runtime/everything.py", "mesh.ttnn", "mesh"),
        ("ttmetal/mesh_program.py", "mesh.ttm"),
    ):
        command = [sys.executable, str(PYTHON / script), str(folder / name), *rest]
        subprocess.run(command, check=True)
    b = ttmlir.Builder("layers")
    x, w = b.input("x", (33, 64), "bf16"), b.input("w", (64, 40), "bfp8_b")
    placed = b.to_layout(x, memory_space="l1", memory_layout="block_sharded", grid=(2, 2))
    b.output(b.softmax(b.transpose(b.matmul(x, w)), 0), b.relu(placed))
    ttmlir.compile(b, backend="ttmetal", grid=(2, 2)).save(folder / "layers.ttm")
    ttmlir.compile(op_examples.examples()).save(folder / "examples.ttnn")
    for target in ("n150", "n300", "p150"):
        runtime.get_default_system_desc(target).store(str(folder / f"{target}.ttsys"))


class Files:
    name = "files"
    seconds = 120.0
    batch = 20

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="soak-files-")
        _make(Path(self._folder.name))

    def run(self, seed: int, note: Note) -> str:
        with tempfile.TemporaryDirectory() as folder:
            current = Path(folder, "current")
            command = [str(tool()), "--count", str(COUNT), "--seed", str(seed)]
            command += [
                "--current",
                str(current),
                *map(str, sorted(Path(self._folder.name).iterdir())),
            ]
            try:
                done = subprocess.run(
                    command,
                    env=sanitizers.environment(),
                    capture_output=True,
                    timeout=self.seconds - 10,
                )
            except subprocess.TimeoutExpired:
                raise self._failure("hang", " ".join(command), current) from None
            said = (done.stdout + done.stderr).decode("utf-8", "replace")
            if done.returncode:
                kind = sanitizers.finding(said) or f"status {done.returncode}"
                raise self._failure(kind, said[-4000:], current)
        return f"{COUNT} files"

    def _failure(self, kind: str, message: str, current: Path) -> Failure:
        data = current.read_bytes() if current.exists() else b""
        suffix = {b"TTNN": ".ttnn", b"TTM0": ".ttm", b"TTSY": ".ttsys"}.get(data[8:12], ".bin")
        return Failure(kind, message, data.decode("utf-8", "surrogateescape"), suffix)
