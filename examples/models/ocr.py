"""Reads the text of a page on an emulated n150: detection, direction and recognition.

The three networks come with the package rapidocr-onnxruntime, the page is drawn here. The package's
own pipeline runs with onnxruntime and, with weights in f32, bf16 and block floats, with executables
in place of its sessions. A picture shows the page, the boxes and the recognized text.

    python examples/models/ocr.py [--picture ocr.png] [--page photo.png]

Exits with status 1 if the text differs from onnxruntime's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import rapidocr_onnxruntime
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
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table

import ttmlir

#: The page, in pixels.
WIDTH, HEIGHT = 480, 288
#: Lines in a call of the networks for direction and recognition.
LINES = 4
#: Lines for the recognition are padded to multiples of this many columns, to limit the number of
#: programs. A result has a row for each eight columns.
COLUMNS, STEP = 320, 8
MODELS = {
    "detection": "ch_PP-OCRv4_det_infer.onnx",
    "direction": "ch_ppocr_mobile_v2.0_cls_infer.onnx",
    "recognition": "ch_PP-OCRv4_rec_infer.onnx",
}
#: Name patterns of products in the recognition network, and of their weights.
PRODUCTS = ("*.Conv.*", "*.MatMul.*", "conv2d*.w_0", "linear*.w_0")
MODEL_FOLDER = Path(rapidocr_onnxruntime.__file__).parent / "models"
#: Makes a function of images from a network's file and the shape of the images.
Make = Callable[[Path, tuple[int, ...]], Any]
#: The calls of each network.
Reports = dict[str, list[ttmlir.Report]]


# The page ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A line of text to draw: its position, the height of its letters, and its colours."""

    text: str
    x: int
    y: int
    size: int
    ink: str = "black"
    paper: str = "white"
    upside_down: bool = False


PAGE = (
    Line("Field notes", 20, 12, 44),
    Line("November 26", 20, 88, 26),
    Line("white on blue", 250, 84, 28, ink="white", paper="steelblue"),
    Line("rain and wind", 20, 140, 26, ink="navy"),
    Line("17.50 EUR", 250, 142, 30, ink="firebrick"),
    Line("small print", 20, 190, 17),
    Line("n150, p150", 250, 206, 36, ink="darkgreen"),
    Line("upside down", 20, 232, 34, upside_down=True),
)


def draw_line(line: Line) -> Image.Image:
    """Draws the line on its own background."""
    font = ImageFont.load_default(size=line.size)
    _, _, right, bottom = font.getbbox(line.text)
    image = Image.new("RGB", (int(right) + 12, int(bottom) + 12), line.paper)
    ImageDraw.Draw(image).text((6, 4), line.text, fill=line.ink, font=font)
    return image.rotate(180) if line.upside_down else image


def draw_page() -> Image.Image:
    page = Image.new("RGB", (WIDTH, HEIGHT), "white")
    for line in PAGE:
        page.paste(draw_line(line), (line.x, line.y))
    return page


# The networks ------------------------------------------------------------------------------------


def by_onnxruntime(model: Path, shape: tuple[int, ...]) -> Callable[[Array], Array]:
    """Returns the network as a function of images, run by onnxruntime."""
    session = onnxruntime.InferenceSession(model)
    return lambda images: session.run(None, {"x": images})[0]


def by_ttmlir(dtype: str, target: str, model: Path, shape: tuple[int, ...]) -> Any:
    """Compiles the network for images of a shape. With every result in bf16, the recognition
    network loses blanks, or finds some after a line: only its products are in bf16."""
    dtypes: str | dict[str, str] = dtype
    if model.name == MODELS["recognition"]:
        dtypes = {"*": "f32", **dict.fromkeys(PRODUCTS, dtype)}
    return ttmlir.compile(model, shapes={"x": shape}, dtype=dtypes, target=target)


class Session:
    """Replaces a session of the pipeline: called with an array (n, 3, rows, columns), it returns a
    list of one.

    Lines are padded to shapes of existing programs.
    """

    def __init__(self, name: str, make: Make) -> None:
        self.name = name
        self.programs = Programs(partial(make, MODEL_FOLDER / MODELS[name]))

    def __call__(self, images: Array) -> list[Array]:
        count, _, _, columns = images.shape
        more = -columns % COLUMNS if self.name == "recognition" else 0
        lines = count if self.name == "detection" else LINES
        padded = np.pad(images, [(0, lines - count), (0, 0), (0, 0), (0, more)])
        found = self.programs(padded.shape, padded)[:count]
        return [found[:, : columns // STEP] if self.name == "recognition" else found]

    def reports(self, make: Make) -> list[ttmlir.Report]:
        """Returns reports of all calls, with executables from ``make``."""
        found = []
        for shape, calls in self.programs.calls.items():
            found += [make(MODEL_FOLDER / MODELS[self.name], shape).report()] * calls
        return found


@dataclass(frozen=True)
class Reading:
    """The text read on a page: corners (4, 2) of each line, its text and its score."""

    boxes: list[Array]
    texts: list[str]
    scores: list[float]


class Reader:
    """The pipeline, with its own sessions or with functions from ``make``."""

    def __init__(self, make: Make | None = None) -> None:
        self.pipeline = rapidocr_onnxruntime.RapidOCR(
            det_limit_side_len=32, cls_batch_num=LINES, rec_batch_num=LINES
        )
        self.sessions: dict[str, Session] = {}
        if make is not None:
            self.sessions = {name: Session(name, make) for name in MODELS}
            self.pipeline.text_det.infer = self.sessions["detection"]
            self.pipeline.text_cls.infer = self.sessions["direction"]
            self.pipeline.text_rec.session = self.sessions["recognition"]

    def read(self, page: Image.Image) -> Reading:
        # The pipeline expects BGR.
        found, _ = self.pipeline(np.asarray(page)[:, :, ::-1])
        boxes, texts, scores = zip(*found, strict=True) if found else ((), (), ())
        return Reading([np.array(b) for b in boxes], list(texts), list(map(float, scores)))

    @property
    def compile_seconds(self) -> float:
        return sum(session.programs.compile_seconds for session in self.sessions.values())

    @property
    def call_seconds(self) -> float:
        return sum(session.programs.call_seconds for session in self.sessions.values())

    def reports(self, make: Make) -> Reports:
        return {name: session.reports(make) for name, session in self.sessions.items()}


# Output ------------------------------------------------------------------------------------------


def picture(page: Image.Image, reading: Reading) -> Image.Image:
    """Draws the page with boxes, and the recognized text beside it."""
    found = Image.new("RGB", (2 * page.width, page.height), "white")
    found.paste(page, (0, 0))
    draw = ImageDraw.Draw(found)
    for box, text in zip(reading.boxes, reading.texts, strict=True):
        corners = [(float(x), float(y)) for x, y in box]
        draw.polygon(corners, outline="red", width=2)
        (left, top), (_, bottom) = box.min(axis=0), box.max(axis=0)
        font = ImageFont.load_default(size=max(10, 0.72 * float(bottom - top)))
        middle = (page.width + float(left), float(top + bottom) / 2)
        draw.text(middle, text, fill="black", font=font, anchor="lm")
    draw.line([(page.width, 0), (page.width, page.height)], fill="gray")
    return found


def show_texts(console: Console, expected: Reading, readings: dict[str, Reading]) -> None:
    """Shows the lines, and the score of each format that reads the same text."""
    table = Table(title="Lines, with their scores", box=None, pad_edge=False)
    table.add_column("onnxruntime reads", no_wrap=True)
    for name in ("score", *readings):
        table.add_column(name, justify="right", no_wrap=True)
    for i, text in enumerate(expected.texts):
        shown = (
            f"{r.scores[i]:.4f}" if text in r.texts[i : i + 1] else "" for r in readings.values()
        )
        table.add_row(text, f"{expected.scores[i]:.4f}", *shown)
    console.print(table)


def difference(found: Reading, expected: Reading) -> tuple[str, str, str]:
    """Returns the number of lines that differ and, for the others, the greatest distance of a
    corner in pixels along x or y, and the greatest difference of scores."""
    other, boxes, scores = 0, 0.0, 0.0
    for i, text in enumerate(expected.texts):
        if text not in found.texts[i : i + 1]:
            other += 1
        else:
            boxes = max(boxes, float(np.abs(found.boxes[i] - expected.boxes[i]).max()))
            scores = max(scores, abs(found.scores[i] - expected.scores[i]))
    return str(other), f"{boxes:.0f} px", f"{scores:.4f}"


def total(reports: Iterable[list[ttmlir.Report]]) -> float:
    return sum(report.seconds for of_network in reports for report in of_network)


def show_networks(console: Console, dtype: str, reports: dict[str, Reports]) -> None:
    """Shows the modelled time of each network, given reports by target and network."""
    title = f"Modelled time of the networks, {dtype}"
    table = Table(title=title, box=None, pad_edge=False)
    for column in ("network", "calls", *reports):
        table.add_column(column, justify="left" if column == "network" else "right")
    for name in MODELS:
        calls = [found[name] for found in reports.values()]
        times = (f"{1e3 * total([found]):.2f} ms" for found in calls)
        table.add_row(name, str(len(calls[0])), *times)
    console.print(table)


def characters(texts: Iterable[str]) -> str:
    """Removes blanks, which the recognition network often omits."""
    return "".join("".join(texts).split())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--page", type=Path, help="a picture to read instead of the drawn page")
    parser.add_argument("--picture", type=Path, default=Path("ocr.png"), help="the file to write")
    add_dtype(parser)
    options = parser.parse_args()
    console = Console()
    page = draw_page() if options.page is None else Image.open(options.page).convert("RGB")

    expected, other = Reader().read(page), Reader(by_onnxruntime)
    # Padding changes the scores of lines.
    padded = other.read(page)
    dtypes = options.dtype or FORMATS
    shown = dtypes[len(dtypes) // 2]
    readers = {dtype: Reader(partial(by_ttmlir, dtype, TARGETS[0])) for dtype in dtypes}
    readings = {dtype: reader.read(page) for dtype, reader in readers.items()}
    show_texts(console, padded, readings)
    if options.page is None:
        drawn = characters(line.text for line in PAGE)
        found = characters(expected.texts)
        console.print(f"Drawn: {len(drawn)} characters, read: {len(found)}.")

    outcomes, reports = list[Outcome](), dict[str, dict[str, Reports]]()
    for dtype, reader in readers.items():
        reports[dtype] = {t: reader.reports(partial(by_ttmlir, dtype, t)) for t in TARGETS}
        modelled = {target: total(found.values()) for target, found in reports[dtype].items()}
        accuracy = difference(readings[dtype], padded)
        times = (reader.compile_seconds, reader.call_seconds)
        outcomes.append(Outcome(dtype, accuracy, modelled, *times))
    title = f"A page of {page.width}x{page.height} pixels: what differs from onnxruntime, and times"
    columns = ("lines", "boxes", "scores")
    show_outcomes(console, title, columns, outcomes, ("onnxruntime", other.call_seconds))
    show_networks(console, shown, reports[shown])
    calls = [report for found in reports[shown][TARGETS[0]].values() for report in found]
    show_where_time_goes(console, f"Where the time goes, {shown} on {TARGETS[0]}", calls)
    picture(page, readings[shown]).save(options.picture, optimize=True)
    console.print(f"Wrote {options.picture}")

    failed = [dtype for dtype in dtypes if readings[dtype].texts != expected.texts]
    for dtype in failed:
        print(
            f"error: {dtype}: expected the text that onnxruntime reads, {expected.texts}, found "
            f"{readings[dtype].texts}",
            file=sys.stderr,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
