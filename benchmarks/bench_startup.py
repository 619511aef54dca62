"""Measures start-up: a new Python process that runs a 32x32 add from a file."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table
from timing import print_table, show

import ttmlir

IMPORT_ONLY = "import ttmlir"
FROM_FILE = """
import sys, numpy, ttmlir
x = numpy.ones((32, 32), numpy.float32)
assert ttmlir.load(sys.argv[1])(x, x)[0, 0] == 2
"""
COMPILED = """
import numpy, ttmlir
b = ttmlir.Builder()
b.output(b.add(b.input("x", (32, 32)), b.input("y", (32, 32))))
x = numpy.ones((32, 32), numpy.float32)
assert ttmlir.compile(b)(x, x)[0, 0] == 2
"""


def run(console: Console) -> None:
    made = Table(title="Starting, whole process")
    made.add_column("what")
    for column in ("min", "median", "of an empty Python (min)"):
        made.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "add.ttnn"
        b = ttmlir.Builder()
        b.output(b.add(b.input("x", (32, 32)), b.input("y", (32, 32))))
        ttmlir.compile(b).save(path)
        empty = 0.0
        for name, code in (
            ("empty Python", "pass"),
            ("import numpy", "import numpy"),
            ("import ttmlir", IMPORT_ONLY),
            ("import, load, run a 32x32 add", FROM_FILE),
            ("import, build, compile, run a 32x32 add", COMPILED),
        ):
            samples = [_time(code, str(path)) for _ in range(7)]
            empty = empty or min(samples)
            ratio = f"{min(samples) / empty:.1f}x"
            made.add_row(name, show(min(samples)), show(statistics.median(samples)), ratio)
    print_table(console, made)


def _time(code: str, argument: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, argument], check=True)
    return time.perf_counter() - start
