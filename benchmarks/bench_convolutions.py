"""Measures ResNet-50's convolutions of one 224 x 224 image in bf16: later calls on both backends.

Weights are bound parameters; images and results are numpy arrays. The peer is numpy in f32, which
copies the windows and multiplies matrices. The second table is modelled: the report of a bottleneck
block, with the weights rearranged once or in every call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from rich.console import Console
from rich.table import Table
from timing import Timing, add_rows, interleave, print_table, table

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
BF16 = np.dtype(ml_dtypes.bfloat16)
#: The first block of each stage: height and width, channels in, width, stride, channels out.
STAGES = (
    (56, 64, 64, 1, 256),
    (56, 256, 128, 2, 512),
    (28, 512, 256, 2, 1024),
    (14, 1024, 512, 2, 2048),
)


@dataclass(frozen=True)
class Convolution:
    """One image of ``extent`` x ``extent`` pixels, padded so that a stride of 1 keeps them."""

    extent: int
    channels: int
    filters: int
    kernel: int = 1
    stride: int = 1

    def __str__(self) -> str:
        step = f"/{self.stride}" if self.stride > 1 else ""
        size = f"{self.extent}x{self.extent}"
        return f"{self.kernel}x{self.kernel}{step} {self.channels}>{self.filters} {size}"

    @property
    def padding(self) -> int:
        return self.kernel // 2

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(0)
        x = rng.standard_normal((1, self.extent, self.extent, self.channels), np.float32)
        w = rng.standard_normal((self.filters, self.channels, self.kernel, self.kernel), np.float32)
        return x, w

    def compile(self, backend: str) -> ttmlir.Executable:
        x, w = (a.astype(BF16) for a in self.arrays())
        b = ttmlir.Builder("convolution")
        b.output(self.build(b, b.input("x", x.shape, "bf16"), "w"))
        exe = ttmlir.compile(b, backend=backend)
        exe.bind(w=w)
        return exe

    def build(self, b: ttmlir.Builder, x: ttmlir.Tensor, name: str) -> ttmlir.Tensor:
        shape = (self.filters, self.channels, self.kernel, self.kernel)
        stride, padding = (self.stride, self.stride), (self.padding, self.padding)
        return b.conv2d(x, b.parameter(name, shape, "bf16"), stride=stride, padding=padding)

    def with_numpy(self, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        pad = (self.padding, self.padding)
        padded = np.pad(x[0], (pad, pad, (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(0, 1))
        return np.tensordot(windows[:: self.stride, :: self.stride], w, ((2, 3, 4), (1, 2, 3)))


def convolutions() -> list[Convolution]:
    """Returns every distinct convolution of ResNet-50."""
    found = {Convolution(224, 3, 64, 7, 2): None}
    for extent, before, width, stride, after in STAGES:
        reduced = extent // stride
        for made in (
            Convolution(extent, before, width),
            Convolution(extent, width, width, 3, stride),
            Convolution(reduced, width, after),
            Convolution(extent, before, after, 1, stride),
            Convolution(reduced, after, width),
            Convolution(reduced, width, width, 3),
        ):
            found[made] = None
    return list(found)


def contestants(work: Convolution) -> dict[str, Callable[[], object]]:
    x, w = work.arrays()
    narrow = x.astype(BF16)
    found: dict[str, Callable[[], object]] = {}
    for backend in BACKENDS:
        exe = work.compile(backend)
        found[backend] = lambda exe=exe: exe(narrow)  # type: ignore[misc]
    found["numpy f32"] = lambda: work.with_numpy(x, w)
    for call in found.values():
        call()
    return found


def block(backend: str, stage: int, **options: bool) -> float:
    """Returns the modelled cycles of the second bottleneck block of a stage, without its norms."""
    extent, _, width, stride, channels = STAGES[stage]
    extent //= stride
    b = ttmlir.Builder("bottleneck")
    x = b.input("x", (1, extent, extent, channels), "bf16")
    inner = b.relu(Convolution(extent, channels, width).build(b, x, "reduce"))
    inner = b.relu(Convolution(extent, width, width, 3).build(b, inner, "mix"))
    b.output(b.relu(x + Convolution(extent, width, channels).build(b, inner, "expand")))
    exe = ttmlir.compile(b, backend=backend, **options)
    zeros = {i.name: np.zeros(i.shape, BF16) for i in exe.inputs}
    image = zeros.pop("x")
    exe.bind(zeros)
    exe(image)
    return exe.report().cycles


def blocks() -> Table:
    made = Table(title="Modelled cycles of a bottleneck block, a call with bound weights")
    for column in ("block", "by", "rearranged in every call", "once", "share of the weights"):
        made.add_column(column, justify="left" if column in ("block", "by") else "right")
    for stage, (extent, _, width, stride, _) in enumerate(STAGES):
        for backend in BACKENDS:
            every = block(backend, stage, enable_const_eval=False)
            once = block(backend, stage)
            made.add_row(
                f"{width} channels {extent // stride}x{extent // stride}",
                backend,
                f"{every:,.0f}",
                f"{once:,.0f}",
                f"{1 - once / every:.0%}",
            )
    return made


def run(console: Console) -> None:
    made = table("Convolutions of ResNet-50, bf16, whole calls (above 1: TTNN is faster)")
    totals: dict[str, list[float]] = {}
    for work in convolutions():
        timings = interleave(contestants(work), seconds=2.0)
        add_rows(made, str(work), timings)
        for t in timings:
            sums = totals.setdefault(t.name, [0.0, 0.0])
            sums[0] += t.minimum
            sums[1] += t.median
    add_rows(made, "all", [Timing(name, *sums) for name, sums in totals.items()])
    print_table(console, made)
    print_table(console, blocks())
