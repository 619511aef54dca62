"""Detects file types by content, with magika's network on an emulated n150.

The network comes with the package magika, the files are created here: programs, texts, pictures,
archives and others. The package's own code extracts the features of a file and selects its type,
with onnxruntime and, with weights in f32, bf16 and block floats, with executables in place of its
session.

    python examples/models/file_types.py [file ...]

Exits with status 1 if a file gets another type than with onnxruntime.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import magika
import numpy as np
import onnxruntime
from comparison import (
    FORMATS,
    TARGETS,
    Array,
    Outcome,
    Programs,
    add_dtype,
    show_outcomes,
    show_where_time_goes,
)
from rich.console import Console
from rich.table import Table
from samples import files

import ttmlir

#: Files in a call, and the network's input for one: bytes at its start and its end.
BATCH, FEATURES = 16, 2048
MODEL = Path(magika.__file__).parent / "models" / "standard_v3_3" / "model.onnx"


class Session:
    """Replaces the onnxruntime session of ``magika.Magika``."""

    def __init__(self, compiled: Any) -> None:
        self.programs = Programs[int, Any](compiled)

    def run(self, outputs: Sequence[str], inputs: dict[str, Any]) -> list[Array]:
        """Returns probabilities (n, types) of features (n, FEATURES), in batches of one size."""
        features = np.asarray(inputs["bytes"], np.int32)
        count = len(features)
        padded = np.pad(features, [(0, -count % BATCH), (0, 0)])
        found = [self.programs(BATCH, part) for part in np.split(padded, len(padded) // BATCH)]
        return [np.concatenate(found)[:count]]


def by_ttmlir(dtype: str, target: str, batch: int) -> Any:
    """Compiles the network. Its norms compute the variance as a difference of two means, which bf16
    cancels to zero for an all-zero file: they stay in f32."""
    dtypes = {"*": dtype, "*/LayerNorm_*": "f32"}
    shapes = {"bytes": (batch, FEATURES)}
    return ttmlir.compile(MODEL, shapes=shapes, dtype=dtypes, target=target)


def by_onnxruntime(_: int) -> Any:
    session = onnxruntime.InferenceSession(MODEL)
    return lambda features: session.run(None, {"bytes": features})[0]


@dataclass(frozen=True)
class Found:
    """The type of a file and its score."""

    label: str
    score: float


def identify(paths: list[Path], session: Session) -> list[Found]:
    """Identifies files with the package, with another session in place of its own."""
    detector = magika.Magika()
    detector._onnx_session = session  # type: ignore[assignment]
    results = detector.identify_paths(paths)
    return [Found(str(r.prediction.output.label), r.prediction.score) for r in results]


def write_files(folder: Path) -> list[Path]:
    for name, content in files().items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files()]


def show_types(console: Console, paths: list[Path], found: dict[str, list[Found]]) -> None:
    """Shows a row for each file, with the score of each format that gives the same type."""
    table = Table(title="Types of files, and their scores", box=None, pad_edge=False)
    for column in ("file", "type"):
        table.add_column(column, no_wrap=True)
    for name in found:
        table.add_column(name, justify="right", no_wrap=True)
    for path, *row in zip(paths, *found.values(), strict=True):
        label = row[0].label
        cells = (f"{f.score:.4f}" if f.label == label else f.label for f in row)
        table.add_row(path.name, label, *cells)
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="*", help="files to identify (default: samples)")
    add_dtype(parser)
    options = parser.parse_args()
    dtypes = options.dtype or FORMATS
    for path in options.file:
        if not path.is_file():
            parser.error(f"expected files, found '{path}'")

    console = Console()
    original = Session(by_onnxruntime)
    sessions = {dtype: Session(partial(by_ttmlir, dtype, TARGETS[0])) for dtype in dtypes}
    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = options.file or write_files(Path(folder))
        expected = identify(paths, original)
        found = {dtype: identify(paths, session) for dtype, session in sessions.items()}
    show_types(console, paths, {"onnxruntime": expected, **found})

    outcomes, reports = list[Outcome](), dict[str, dict[str, ttmlir.Report]]()
    for dtype, session in sessions.items():
        pairs = list(zip(found[dtype], expected, strict=True))
        other = sum(f.label != e.label for f, e in pairs)
        off = max(abs(f.score - e.score) for f, e in pairs)
        reports[dtype] = {target: by_ttmlir(dtype, target, BATCH).report() for target in TARGETS}
        modelled = {target: report.seconds for target, report in reports[dtype].items()}
        programs = session.programs
        times = (programs.compile_seconds, programs.call_seconds)
        outcomes.append(Outcome(dtype, (str(other), f"{off:.5f}"), modelled, *times))
    title = f"{len(paths)} files: what differs from onnxruntime; modelled: {BATCH} files"
    seconds = original.programs.call_seconds
    show_outcomes(console, title, ("types", "scores"), outcomes, ("onnxruntime", seconds))
    shown = dtypes[len(dtypes) // 2]
    title = f"Where the time goes, {shown} on {TARGETS[0]}"
    show_where_time_goes(console, title, [reports[shown][TARGETS[0]]])

    failed = [
        f"{dtype}: {path.name}: expected {e.label} as with onnxruntime, found {f.label}"
        for dtype in dtypes
        for path, f, e in zip(paths, found[dtype], expected, strict=True)
        if f.label != e.label
    ]
    for message in failed:
        print(f"error: {message}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
