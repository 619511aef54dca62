"""Compares modelled times of the same ops in both backends, and measures the cost of a TTNN report.

The first table is in docs/src/timing.md; its numbers are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np
from rich.console import Console
from timing import add_rows, interleave, print_table, table

import ttmlir
from ttmlir import runtime

Build = Callable[[ttmlir.Builder], object]

#: Separate programs that only change the layout of a tensor.
LAYOUTS = {"to_layout", "to_memory_config", "to_device", "from_device", "reshape", "empty"}
COLUMNS = ("op", "operands", "cores", "TTNN", "of it", "TTMetal", "of it", "cycles", "bytes", "why")


@dataclass(frozen=True)
class Case:
    """An op called ``op`` of bf16 tensors, with its operands in DRAM or sharded in L1."""

    name: str
    build: Build
    why: str = ""  # the reason why the backends differ
    where: str = "DRAM"
    target: str = "n150"
    mesh: tuple[int, int] | None = None
    options: dict[str, dict[str, object]] = field(default_factory=dict)  # by backend

    def ops(self, backend: str) -> list[ttmlir.OpReport]:
        """Returns the programs that compute the op: with kernels there may be several."""
        b = ttmlir.Builder(mesh_shape=self.mesh) if self.mesh else ttmlir.Builder()
        b.output(self.build(b))
        options = dict(self.options.get(backend, {}))
        if not self.mesh:
            options |= {"inputs_on_device": True, "results_on_device": True}
        exe = ttmlir.compile(b, backend=backend, target=self.target, **options)
        found = [o for o in exe.report().ops if o.label == "op" and o.phase == "run" and o.cycles]
        return [o for o in found if o.name not in LAYOUTS]

    def both(self) -> dict[str, list[ttmlir.OpReport]]:
        return {backend: self.ops(backend) for backend in ("ttnn", "ttmetal")}


def cycles(ops: list[ttmlir.OpReport]) -> float:
    """Returns the cycles without gaps between ops."""
    return sum(op.cycles - op.parts.dispatch for op in ops)


def ratio(found: dict[str, list[ttmlir.OpReport]]) -> float:
    """Returns the ratio of the cycles in TTMetal and TTNN."""
    return cycles(found["ttmetal"]) / cycles(found["ttnn"])


def dram_bytes(ops: list[ttmlir.OpReport]) -> int:
    """Returns the bytes transferred by DRAM channels."""
    return sum(use.read_bytes + use.write_bytes for op in ops for use in op.channel_use)


def _operand(
    b: ttmlir.Builder, name: str, shape: tuple[int, ...], grid: int
) -> ttmlir.builder.Tensor:
    x = b.input(name, shape, "bf16")
    if not grid:
        return x
    return b.to_layout(
        x, memory_space="l1", grid=(grid, grid), memory_layout="block_sharded", name="layout"
    )


def _matmul(n: int) -> Build:
    return lambda b: b.matmul(_operand(b, "x", (n, n), 0), _operand(b, "y", (n, n), 0), name="op")


def _unary(op: str, *shape: int, grid: int = 0) -> Build:
    return lambda b: getattr(b, op)(_operand(b, "x", shape, grid), name="op")


def _add(*shape: int, grid: int = 0) -> Build:
    return lambda b: b.add(_operand(b, "x", shape, grid), _operand(b, "y", shape, grid), name="op")


def _transpose(n: int) -> Build:
    return lambda b: b.transpose(_operand(b, "x", (n, n), 0), dim0=0, dim1=1, name="op")


def _row_sum(n: int) -> Build:
    return lambda b: b.sum(_operand(b, "x", (n, n), 0), dim=[-1], keep_dim=True, name="op")


def _layer_norm(*shape: int) -> Build:
    def build(b: ttmlir.Builder) -> object:
        weight, bias = (_operand(b, name, shape[-1:], 0) for name in ("weight", "bias"))
        return b.layer_norm(_operand(b, "x", shape, 0), weight, bias, name="op")

    return build


def _all_gather(chips: int) -> Build:
    def build(b: ttmlir.Builder) -> object:
        x = b.mesh_shard(b.input("x", (1024, 1024 * chips), "bf16"), (None, 1))
        return b.mesh_gather(b.all_gather(x, 0, 1, name="op"), (None, 1))

    return build


def _gathers(target: str, chips: int, why: str) -> Case:
    options: dict[str, dict[str, object]] = {"ttmetal": {"use_all_gather_kernel": True}}
    name = f"all_gather of 1024x1024, {chips} chips"
    return Case(name, _all_gather(chips), why, "DRAM", target, (1, chips), options)


PHASES = (
    "two phases of the multiplier against four; the library writes results over the network of its "
    "reads, on which writes to DRAM are slow"
)
PAGES = "the library reads page by page, kernels up to 8 pages at once"
PROGRAMS = (
    "one program against a program for each step, through DRAM and partly in f32; the tile of a "
    "row's maximum or sum is read again for each tile of the row, from one channel"
)
BLOCKS = "kernels pack when all tiles of a block are done"
PACKETS = "the library sends packets of two pages, kernels eight pages at once"
RING = "the rate at which the library was measured on a ring is 10.4 GB/s a link, kernels use 12"

CASES = (
    Case("matmul 512x512x512", _matmul(512), PHASES),
    Case("matmul 1024x1024x1024", _matmul(1024), PHASES),
    Case("matmul 2048x2048x2048", _matmul(2048), PHASES),
    Case("add 512x512", _add(512, 512), PAGES),
    Case("add 2048x2048", _add(2048, 2048), PAGES),
    Case("gelu 512x512", _unary("gelu", 512, 512), PAGES),
    Case("gelu 2048x2048", _unary("gelu", 2048, 2048), PAGES),
    Case("sum 2048x2048, rows", _row_sum(2048), "kernels fill the tile of the scale"),
    Case("transpose 2048x2048", _transpose(2048), PAGES),
    Case("softmax 512x512", _unary("softmax", 512, 512), PROGRAMS),
    Case("softmax 8x12x384x384", _unary("softmax", 8, 12, 384, 384), PROGRAMS),
    Case("layer_norm 32x1024x1024", _layer_norm(32, 1024, 1024), PROGRAMS),
    Case("add 1024x1024", _add(1024, 1024, grid=8), BLOCKS, "shards 8x8"),
    Case("gelu 1024x1024", _unary("gelu", 1024, 1024, grid=8), BLOCKS, "shards 8x8"),
    Case("add 256x256", _add(256, 256, grid=1), BLOCKS, "shards 1x1"),
    Case("gelu 256x256", _unary("gelu", 256, 256, grid=1), BLOCKS, "shards 1x1"),
    _gathers("n300", 2, PACKETS),
    _gathers("t3000", 8, RING),
)


def _cells(ops: list[ttmlir.OpReport]) -> tuple[str, str, str]:
    """Formats cores, cycles, and the parts that are at least 5 % of them."""
    total = cycles(ops)
    parts = {
        name: sum(getattr(op.parts, name) for op in ops)
        for name in ("compute", "noc", "dram", "ethernet", "waiting")
    }
    shares = [f"{name} {part / total:.0%}" for name, part in parts.items() if part > total / 20]
    cores = max(len(op.core_use) for op in ops)
    return str(cores), f"{total:,.0f}", ", ".join(shares)


def rows() -> Iterator[tuple[str, ...]]:
    for case in CASES:
        found = case.both()
        cells = {backend: _cells(ops) for backend, ops in found.items()}
        cores = " / ".join(sorted({cell[0] for cell in cells.values()}, key=int))
        bytes_ = [dram_bytes(ops) for ops in found.values()]
        yield (
            case.name,
            case.where,
            cores,
            *cells["ttnn"][1:],
            *cells["ttmetal"][1:],
            f"{ratio(found):.2f}",
            f"{bytes_[1] / bytes_[0]:.2f}" if bytes_[0] else "",
            case.why,
        )


def markdown() -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS), *rows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _asking(console: Console) -> None:
    made = table("TTNN with and without a report")
    for name, build in {"matmul 2048": _matmul(2048), "add 4096": _add(4096, 4096)}.items():
        b = ttmlir.Builder()
        b.output(build(b))
        exe = ttmlir.compile(b, backend="ttnn", target="n150")
        args = [np.ones(i.shape, ml_dtypes.bfloat16) for i in exe.programs[0].inputs]

        def call(report: bool, exe: ttmlir.Executable = exe, args: list = args) -> Callable:
            def run() -> None:
                runtime.enable_report(exe.device, report)
                exe(*args)
                runtime.enable_report(exe.device, False)

            return run

        add_rows(made, name, interleave({"off": call(False), "on": call(True)}))
    print_table(console, made)


def run(console: Console) -> None:
    console.print(markdown(), markup=False, soft_wrap=True)
    _asking(console)
