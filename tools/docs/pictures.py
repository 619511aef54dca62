"""Draws pictures of the book from runs on the emulator, the compiler's layouts and the sources.
Time is modelled, so the pictures are the same on every machine.

python tools/docs/pictures.py docs/src/pictures
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import debugger_picture
import numpy as np
from svg import svg

import ttmlir

sys.path.append(str(Path(__file__).parents[1]))
import import_graph

#: Colour and meaning of a slice, by the instruction's prefix; the first match wins.
COLOURS = (
    (("cb_", "noc_semaphore_wait"), "#d9d9d9", "waits"),
    (("noc_async_read_barrier", "noc_async_write_barrier"), "#c6dbef", "waits for the NoC"),
    (("noc_",), "#3182bd", "moves data"),
    (("matmul", "mm_"), "#31a354", "multiplies tiles"),
    (("tilize", "untilize", "pack", "copy"), "#fd8d3c", "moves tiles"),
    (("",), "#756bb1", "other work on tiles"),
)
LEFT, TOP, WIDTH, LANE = 118, 46, 830, 11


@dataclass(frozen=True)
class Slice:
    """Activity of a core's engine from ``begin`` to ``end``, in microseconds."""

    core: str
    engine: str
    name: str
    begin: float
    end: float

    @property
    def colour(self) -> str:
        return next(
            colour for starts, colour, _ in COLOURS if any(map(self.name.startswith, starts))
        )


def slices(trace: ttmlir.runtime.Trace) -> Iterator[Slice]:
    """Yields the activities of the cores' engines in a timeline."""
    text = io.BytesIO()
    trace.write(text.write, "json")
    events = json.loads(text.getvalue())["traceEvents"]
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    for event in events:
        if event["ph"] == "X" and event["cat"] != "kernel":
            core, _, engine = tracks[event["tid"]].rpartition(" ")
            if core.startswith("core"):
                begin = event["ts"]
                yield Slice(core, engine, event["name"], begin, begin + event["dur"])


def _merged(found: Iterable[Slice]) -> list[Slice]:
    """Merges adjacent slices of the same colour and lane."""
    merged: list[Slice] = []
    for s in sorted(found, key=lambda s: (s.core, s.engine, s.begin)):
        last = merged[-1] if merged else None
        if (
            last
            and (last.core, last.engine, last.colour) == (s.core, s.engine, s.colour)
            and s.begin - last.end < 0.02
        ):
            merged[-1] = Slice(s.core, s.engine, s.name, last.begin, max(last.end, s.end))
        else:
            merged.append(s)
    return merged


def timeline(trace: ttmlir.runtime.Trace, title: str) -> str:
    """Draws the engines of every core over time as SVG."""
    found = _merged(slices(trace))
    start, end = min(s.begin for s in found), max(s.end for s in found)
    scale = WIDTH / (end - start)
    engines = ("noc0", "noc1", "unpack", "math", "pack")
    cores = sorted({s.core for s in found})
    rows = {
        (core, engine): TOP + i * (len(engines) * LANE + 8) + j * LANE
        for i, core in enumerate(cores)
        for j, engine in enumerate(engines)
    }
    bottom = max(rows.values()) + LANE
    parts = [f'<text x="{LEFT}" y="16" font-size="13">{escape(title)}</text>']
    x = LEFT
    for _, colour, meaning in COLOURS:
        parts.append(f'<rect x="{x}" y="26" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="35">{meaning}</text>')
        x += 34 + 6 * len(meaning)
    for core in cores:
        y = rows[core, engines[0]]
        parts.append(f'<text x="4" y="{y + 3 * LANE}" font-weight="bold">{core}</text>')
    for (_, engine), y in rows.items():
        parts.append(f'<text x="{LEFT - 6}" y="{y + 9}" text-anchor="end">{engine}</text>')
    for s in found:
        x0, x1 = LEFT + (s.begin - start) * scale, LEFT + (s.end - start) * scale
        y = rows[s.core, s.engine]
        width = max(x1 - x0, 0.5)
        parts.append(
            f'<rect x="{x0:.1f}" y="{y}" width="{width:.1f}" height="{LANE - 1}" '
            f'fill="{s.colour}"/>'
        )
    step = 10 ** int(np.floor(np.log10(end - start))) / 2
    for i in range(int((end - start) / step) + 1):
        x0 = LEFT + i * step * scale
        parts.append(
            f'<path d="M{x0:.1f} {TOP - 4}V{bottom + 4}" stroke="#999" stroke-width=".4"/>'
        )
        parts.append(
            f'<text x="{x0:.1f}" y="{bottom + 15}" text-anchor="middle">{i * step:g}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{bottom + 29}">microseconds on the modelled chip</text>')
    return svg(LEFT + WIDTH + 16, bottom + 38, parts)


def matmul() -> str:
    """Draws the timeline of a matmul and a relu on four cores."""
    b = ttmlir.Builder("main")
    x = b.input("x", (256, 512), "bf16", memory_space="dram", tiled=True)
    w = b.input("w", (512, 256), "bf16", memory_space="dram", tiled=True)
    b.output(b.relu(b.matmul(x, w)))
    exe = ttmlir.compile(b, backend="ttmetal", target="n150", grid=(2, 2))
    trace = exe.report(trace=True).trace
    assert trace is not None
    return timeline(trace, "relu(x @ w), 256x512 by 512x256 in bf16, on 2x2 cores of an n150")


def places() -> str:
    """Draws the bank or core of each tile of a tensor in four layouts."""
    rows = columns = 8
    b = ttmlir.Builder()
    x = b.input("x", (rows * 32, columns * 32), "bf16")
    system = json.loads(ttmlir.runtime.get_default_system_desc("n150").as_json())["system_desc"]
    banks = system["chip_descs"][0]["num_dram_channels"]
    sharded = (("block_sharded", (2, 4)), ("height_sharded", (4, 1)), ("width_sharded", (1, 4)))
    # The shape of a shard, or None if pages are interleaved over the banks.
    panels: dict[str, list[int] | None] = {"interleaved in DRAM: banks take turns": None}
    for how, grid in sharded:
        placed = b.to_layout(x, memory_space="l1", grid=grid, memory_layout=how)
        panels[f"{how} on {grid[0]}x{grid[1]} cores"] = placed.layout.shard_shape
    side, gap, parts = 24, 30, []
    for panel, (title, shard) in enumerate(panels.items()):
        left = 12 + panel * (columns * side + gap)
        parts.append(f'<text x="{left}" y="16" font-size="11">{title}</text>')
        for i in range(rows * columns):
            y, x0 = i // columns, i % columns
            if shard is None:
                owner, name = i % banks, f"{i % banks}"
            else:
                core = (y * 32 // shard[0], x0 * 32 // shard[1])
                owner, name = core[0] * 5 + core[1] * 2, f"{core[0]},{core[1]}"
            at_x, at_y = left + x0 * side, 24 + y * side
            parts.append(
                f'<rect x="{at_x}" y="{at_y}" width="{side}" height="{side}" stroke="white" '
                f'fill="hsl({owner * 360 // banks},55%,78%)"/>'
            )
            parts.append(
                f'<text x="{at_x + side / 2:g}" y="{at_y + 15}" text-anchor="middle" '
                f'font-size="8">{name}</text>'
            )
    return svg(4 * (columns * side + gap), 24 + rows * side + 12, parts)


PICTURES = {
    "matmul.svg": matmul,
    "places.svg": places,
    "debugger.svg": debugger_picture.draw,
    "python_imports.svg": import_graph.picture_of_packages,
    "libraries.svg": import_graph.picture_of_libraries,
}
#: Pictures that programs of examples/models draw with `--picture`, as their pages describe.
OF_EXAMPLES = ("ocr.png", "sentences.png")
#: Pictures that benchmarks/accuracy/function_errors.py and benchmarks/decoders.py draw.
OF_BENCHMARKS = (
    "errors_16_bits.svg",
    "errors_32_bits.svg",
    "decode_layer.svg",
    "resnet_placement.svg",
)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
