"""Draws a session of the debugger."""

from __future__ import annotations

import importlib.util
from html import escape
from pathlib import Path

import numpy as np
from svg import svg

from ttmlir.debugger import Debugger
from ttmlir.debugger._console import Console, run_commands

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "kernels" / "eltwise_add.py"
LEFT, TOP, LINE, CHARACTER = 14, 22, 15, 7.3


def session(commands: list[str]) -> list[str]:
    """Returns the lines of a session with the example that adds tensors."""
    spec = importlib.util.spec_from_file_location("eltwise_add", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program = module.build((64, 128), (1, 2))
    numbers = np.arange(64 * 128).reshape(64, 128).astype("bfloat16")
    lines: list[str] = []

    def write(text: str) -> None:
        lines.extend(text.replace(f"{ROOT}/", "").splitlines())

    debugger: Debugger
    with program.debug(a=numbers, b=numbers) as debugger:
        run_commands(Console(debugger, write), commands, write)
    return lines


def draw() -> str:
    """Draws a stop at a line of a compute kernel, and the state of its core."""
    text = EXAMPLE.read_text(encoding="utf-8").splitlines()
    line = next(i for i, row in enumerate(text, 1) if "tile_regs_commit" in row)
    commands = [f"break {EXAMPLE.name}:{line}", "run", "list", "cbs", "dst 0", "threads"]
    lines = session(commands)
    width = LEFT * 2 + round(CHARACTER * max(map(len, lines)))
    height = TOP + LINE * len(lines)
    parts = [f'<rect width="{width}" height="{height}" rx="6" fill="#1e1e2e"/>']
    for i, row in enumerate(lines):
        colour = "#cdd6f4"
        if row.startswith("(ttrt)"):
            colour = "#89b4fa"
        elif "->" in row[:4] or row.startswith(("Breakpoint", "*")):
            colour = "#f9e2af"
        parts.append(
            f'<text x="{LEFT}" y="{TOP + LINE * i}" fill="{colour}" font-size="12" '
            f'font-family="monospace" xml:space="preserve">{escape(row)}</text>'
        )
    return svg(width, height, parts)
