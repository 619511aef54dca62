"""Reports to show on pages."""

from __future__ import annotations

from typing import Any

from ttmlir.errors import Remark
from ttmlir.report import (
    ChannelUse,
    CoreUse,
    EthernetUse,
    KernelUse,
    LinkUse,
    MemoryRequest,
    MemoryUse,
    OperandUse,
    OpReport,
    Report,
    TimeParts,
)

#: What a name must not do to a page.
HOSTILE = "</script><img src=x onerror='window.hacked=1'><b>&amp;\u2028`${1}"


def op(index: int, name: str, label: str, parts: TimeParts, **values: Any) -> OpReport:
    """An op of 1000 cycles a piece, one after the other."""
    return OpReport(
        name=name,
        location=f'loc("{label}"("model.py":{10 + index}:1))',
        cycles=parts.total,
        compute_cycles=parts.compute,
        memory_cycles=parts.dram,
        cores=2,
        dram_read_bytes=4096 * (index + 1),
        dram_write_bytes=2048,
        l1_read_bytes=0,
        l1_write_bytes=0,
        noc_bytes=8192,
        host_bytes=0,
        l1_high_water=65536,
        dram_high_water=4096,
        start=1000.0 * index,
        parts=parts,
        **values,
    )


def example(first: str = "first", failed: MemoryRequest | None = None) -> Report:
    """Three ops on two chips; ``first`` is what the user called the first one."""
    cores = tuple(
        CoreUse(y, x, 100.0, 50.0, 300.0, 500.0 - 100 * x, 200.0, 800.0, device)
        for device in range(2)
        for y in range(2)
        for x in range(2)
    )
    matmul = op(
        0,
        "matmul",
        first,
        TimeParts(compute=700, dram=200, dispatch=100),
        core_use=cores,
        link_use=(LinkUse(0, 1, 1, False, 4096, 130.0), LinkUse(1, 0, 0, True, 2048, 65.0)),
        channel_use=(ChannelUse(3, 4096, 2048, 400.0),),
        kernels=(
            KernelUse(f"reader {first}", "noc0", "", 2, 0, 400, 300, TimeParts(dram=400)),
            KernelUse("matmul", "compute", "", 2, 50, 800, 700, TimeParts(compute=750)),
        ),
        flops=2.0e6,
        fidelity="hifi2",
        ideal_compute_cycles=350.0,
        operands=(OperandUse((64, 128), "bf16", "tile", "dram", "interleaved", "12", 16384),),
    )
    add = op(
        1, "eltwise.add", "second", TimeParts(compute=50, noc=900, waiting=50), core_use=cores[:1]
    )
    gather = op(
        2,
        "all_gather",
        "third",
        TimeParts(ethernet=1000),
        phase="download",
        ethernet_bytes=4096,
        ethernet_use=(EthernetUse(0, 1, 5, 4096, 4300, 2, 900.0),),
    )
    return Report(
        program="main",
        arch="wormhole_b0",
        clock_hz=1e9,
        cycles=3000.0,
        seconds=3e-6,
        l1_high_water=65536,
        dram_high_water=4096,
        ops=(matmul, add, gather),
        ethernet_bytes=4096,
        remarks=(
            Remark("passed", "ttir-layout", "ttir.matmul", f"because of {first}", "model.py:10:1"),
        ),
        memory=(
            MemoryUse(0, "dram", 1024, 4096, first, 0, 3000),
            MemoryUse(0, "dram", 5120, 2048, "result", 1000, 3000),
            MemoryUse(0, "l1", 2048, 65536, "shards", 0, 1000, 0, 0, 7, 7),
        ),
        failed=failed,
    )
