"""Compiled programs of one op."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from measurements import Row

import ttmlir
from ttmlir import kernel

#: In bytes.
UPLOAD = 4 << 20
#: Of all cores.
GRIDS = {"n150": "8x8", "p150": "10x13"}


@kernel.data_movement(noc=0)
def nothing() -> None:
    pass


def microseconds(exe: ttmlir.Executable, name: str, *, gap: bool, kernel: str = "") -> float:
    """Returns the time of the op whose name ends in ``name``, or until its kernel of a thread ends,
    with or without the gap before it."""
    report = exe.report()
    op = next(op for op in report.ops if op.name.endswith(name))
    end = next(k.end for k in op.kernels if k.thread == kernel) if kernel else op.cycles
    return (end if gap else end - op.parts.dispatch) / report.clock_hz * 1e6


def products(row: Row) -> float:
    """A matrix product with the second operand in DRAM; the others are in DRAM or sharded in L1."""
    m, k, n = (row.number(name) for name in ("m", "k", "n"))
    dtype = row["dtype"]
    layout = {"bfp8_b": ["bfp_bf8"], "bfp4_b": ["bfp_bf4"]}.get(dtype, [])
    b = ttmlir.Builder()
    a = b.input("a", (m, k), dtype)
    overrides = {}
    if row["memory"] == "l1":
        layout += [GRIDS[row.target], "l1", "block_sharded"]
        a = b.relu(a, name="a_in_l1")
        overrides["a_in_l1"] = overrides["product"] = ":".join(layout)
    elif layout:
        overrides["product"] = ":".join(layout)
    b.output(b.matmul(a, b.input("b", (k, n), dtype), name="product"))
    exe = ttmlir.compile(
        b,
        target=row.target,
        optimization_level=0,  # tensors are where the measurement has them
        math_fidelity=row["fidelity"],
        packer_l1_acc=True,
        override_output_layout=overrides,
    )
    return microseconds(exe, "matmul", gap=True)


def functions(row: Row) -> float:
    """An elementwise op on bf16 in DRAM, without the gap before it; or its compute kernel, which
    starts with the others and waits for the first tile."""
    shape = row.number("rows"), row.number("columns")
    b = ttmlir.Builder()
    b.output(getattr(b, row["op"])(b.input("x", shape, "bf16")))
    kernel = "" if row["part"] == "op" else "compute"
    return microseconds(
        ttmlir.compile(b, target=row.target, optimization_level=0),
        row["op"],
        gap=False,
        kernel=kernel,
    )


def collectives(row: Row) -> float:
    """A collective on tensors in DRAM, over one link between neighbours; without the gap before
    it."""
    op, chips, size = row["op"], row.number("devices"), row.number("bytes")
    shape = size // 2048, 1024  # bf16, on each chip
    b = ttmlir.Builder(mesh_shape=(1, chips))
    x = b.mesh_shard(b.input("x", (shape[0], shape[1] * chips), "bf16"), (None, 1))
    call: dict[str, Callable[[], ttmlir.builder.Tensor]] = {
        "all_gather": lambda: b.all_gather(x, 0, 1),
        "reduce_scatter": lambda: b.reduce_scatter(x, 0, 1),
        "all_reduce": lambda: b.all_reduce(x, 1),
        "all_to_all": lambda: b.all_to_all(x, 0, 1, [list(range(chips))]),
    }
    b.output(b.mesh_gather(call[op](), (None, 1)))
    time = microseconds(ttmlir.compile(b, target=row.target, optimization_level=0), op, gap=False)
    if row.unit == "us":
        return time
    # Over the busiest link, as counted in the report.
    share = {"all_gather": chips - 1, "reduce_scatter": (chips - 1) / chips}
    share["all_reduce"] = 2 * share["reduce_scatter"]
    return share[op] * size / time / 1e3


def launches(row: Row) -> float:
    """Returns the gap before an op."""
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32), "bf16")))
    report = ttmlir.compile(b, target=row.target, optimization_level=0).report()
    op = next(op for op in report.ops if op.name.endswith("relu"))
    return op.parts.dispatch / report.clock_hz * 1e6


def host_launches(row: Row) -> float:
    """Returns what a call of one op takes longer than a replay of its trace."""
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32), "bf16")))
    with ttmlir.compile(b, target=row.target).trace() as trace:
        report = trace.report()
    return (report.call_seconds - report.latency_seconds) * 1e6


def uploads(row: Row) -> float:
    """Returns GB/s of an upload of 4 MB in row-major pages, from the host to DRAM."""
    page = row.number("page")
    program = kernel.Program("uploads", target=row.target)
    program.input("x", (UPLOAD // page, page // 4), "u32", layout="row_major")
    program.output("result", (1, 32), "u32")
    program.add(nothing)
    report = program.run(
        report=True, checks=False, x=np.zeros((UPLOAD // page, page // 4), np.uint32)
    ).report
    assert report is not None
    op = next(op for op in report.ops if op.name == "write_input")
    return UPLOAD / op.parts.host * report.clock_hz / 1e9
