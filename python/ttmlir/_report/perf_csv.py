"""Writes costs as ``ops_perf_results.csv``, with the columns of TT-Metal's profiler, for
``tt-perf-report``.

A row is an operation on a chip. The file covers the work of the chips on data that they already
have: host transfers and operations that take no time are left out.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from ttmlir._formats import FORMATS
from ttmlir._report.op_costs import PARTS, OperandUse, OpReport

TILE = 32

#: The profiler's names of operations; ops of one name form one category in its reports. An op
#: without a counterpart gets the name of the most similar one.
OP_CODES = {
    "all_gather": "AllGather",
    "all_reduce": "AllReduceAsync",
    "all_to_all": "AllToAllAsync",
    "arange": "FillPad",
    "argmax": "ArgMax",
    "argsort": "ArgMax",
    "avg_pool2d": "Pool2D",
    "bitcast_convert": "ReshapeView",
    "broadcast": "Repeat",
    "collective_broadcast": "Broadcast",
    "collective_permute": "SendAsync",
    "concat": "Concat",
    "concatenate_heads": "NLPConcatHeadsDeviceOperation",
    "constant": "FillPad",
    "conv2d": "Conv2d",
    "conv_transpose2d": "Conv2d",
    "copy": "Copy",
    "cummax": "Accumulation",
    "cummin": "Accumulation",
    "cumprod": "Accumulation",
    "cumsum": "Accumulation",
    "eltwise.typecast": "Typecast",
    "embedding": "Embeddings",
    "embedding_backward": "Embeddings",
    "embedding_bw": "Embeddings",
    "fill": "FillPad",
    "full": "FillPad",
    "gather": "Embeddings",
    "layer_norm": "LayerNorm",
    "linear": "Matmul",
    "matmul": "Matmul",
    "max": "Reduce",
    "max_pool2d": "Pool2D",
    "mean": "Reduce",
    "mesh_partition": "Slice",
    "min": "Reduce",
    "pad": "PadDeviceOperation",
    "permute": "Permute",
    "previous_equal": "Accumulation",
    "prepare_conv2d_weights": "Permute",
    "prod": "Reduce",
    "reduce_scatter": "ReduceScatter",
    "reduction": "Reduce",
    "repeat": "Repeat",
    "reshape": "ReshapeView",
    "rms_norm": "LayerNorm",
    "rotary_embedding": "RotaryEmbedding",
    "scaled_dot_product_attention": "ScaledDotProductAttention",
    "scatter_rows": "SliceWrite",
    "slice": "Slice",
    "softmax": "Softmax",
    "split_query_key_value_and_split_heads": "NlpCreateHeadsDeviceOperation",
    "squeeze": "ReshapeView",
    "sum": "Reduce",
    "transpose": "Transpose",
    "unsqueeze": "ReshapeView",
    "unfold": "Slice",
    "update_slice": "SliceWrite",
    "upsample": "UpSample",
}
#: Operations that change the layout of a tensor.
LAYOUT_OPS = {"to_layout", "to_memory_config", "to_device", "from_device"}
#: Operations that may transfer data from or to the host.
TRANSFERS = {
    *LAYOUT_OPS,
    "constant",
    "enqueue_read_buffer",
    "enqueue_write_buffer",
    "read_output",
    "write_input",
}
_GENERIC = "GenericOp"
_PRODUCTS = ("Matmul", "Conv2d")
_ELTWISE = {1: "Unary", 2: "BinaryNg", 3: "Ternary"}
_FIDELITIES = {"lofi": "LoFi", "hifi2": "HiFi2", "hifi3": "HiFi3", "hifi4": "HiFi4"}
#: Matrix multiplications have a fidelity in that file; this is the engine's default.
_EXACT = "HiFi4"
_BYTES = (
    "dram_read_bytes",
    "dram_write_bytes",
    "l1_read_bytes",
    "l1_write_bytes",
    "noc_bytes",
    "ethernet_bytes",
    "l1_high_water",
)
_AXES = "WZYX"
_TENSOR = (*(f"{axis}_PAD[LOGICAL]" for axis in _AXES), "LAYOUT", "DATATYPE", "MEMORY")
_HEAD = (
    "OP CODE",
    "OP TYPE",
    "GLOBAL CALL COUNT",
    "DEVICE ID",
    "DEVICE ARCH",
    "ATTRIBUTES",
    "MATH FIDELITY",
    "CORE COUNT",
    "AVAILABLE WORKER CORE COUNT",
    "HOST START TS",
    "DEVICE FW START CYCLE",
    "DEVICE FW END CYCLE",
    "OP TO OP LATENCY [ns]",
    "DEVICE FW DURATION [ns]",
    "DEVICE KERNEL DURATION [ns]",
)


def op_code(op: OpReport) -> str:
    """Returns the profiler's name of an operation. Hand-written kernels get the name of a generic
    operation."""
    if op.name in LAYOUT_OPS:
        return _layout_code(op)
    code = OP_CODES.get(op.name, _GENERIC)
    if code == _GENERIC and op.name.startswith("eltwise."):
        return _ELTWISE.get(len(op.operands), "BinaryNg")
    is_product = len(op.operands) > 1 and all(
        len(u.shape) > 1 for u in (*op.operands[:2], *op.results)
    )
    return _GENERIC if code in _PRODUCTS and not is_product else code


def _layout_code(op: OpReport) -> str:
    before, after = op.operands[:1], op.results[:1]
    if not before or not after:
        return "Copy"
    a, b = before[0], after[0]
    if a.layout != b.layout:
        return "Tilize" if b.layout == "tile" else "Untilize"
    if a.dtype != b.dtype:
        return "Typecast"
    sharded = ["sharded" in use.sharding for use in (a, b)]
    return {
        (False, True): "InterleavedToSharded",
        (True, False): "ShardedToInterleaved",
        (True, True): "Reshard",
    }.get((sharded[0], sharded[1]), "Copy")


def _memory(use: OperandUse) -> str:
    sharding = use.sharding if use.sharding not in ("", "none", "single_bank") else "interleaved"
    return f"DEV_0_{use.memory}_{sharding}".upper()


def _extents(shape: Sequence[int], layout: str) -> list[str]:
    """Formats W, Z, Y and X as padded[logical]; further dimensions are folded into W."""
    four = [1] * (4 - len(shape)) + list(shape)
    four = [math.prod(four[:-3]), *four[-3:]]
    padded = list(four)
    if layout == "tile":
        padded[2:] = [-(-extent // TILE) * TILE for extent in four[2:]]
    return [f"{p}[{e}]" for p, e in zip(padded, four, strict=True)]


def _as_product(op: OpReport, code: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Returns the shapes of operands and results as a matrix multiplication: a convolution
    multiplies rows of pixels, and a transposed operand is transposed."""
    inputs = [use.shape for use in op.operands]
    outputs = [use.shape for use in op.results]
    if code == "Conv2d" and len(inputs) > 1 and all(len(s) == 4 for s in (*inputs[:2], *outputs)):
        (n, h, w, c), kernel = inputs[0], inputs[1]
        inputs[0] = (n * h * w, c)
        inputs[1] = (math.prod(kernel[1:]), kernel[0])
        outputs = [(math.prod(shape[:3]), shape[3]) for shape in outputs]
    if code == "Matmul" and len(inputs) > 1 and outputs:
        m, n = outputs[0][-2], outputs[0][-1]
        a, b = inputs[:2]
        if a[-2] != m and a[-1] == m:
            inputs[0] = (*a[:-2], a[-1], a[-2])
        if b[-1] != n and b[-2] == n:
            inputs[1] = (*b[:-2], b[-1], b[-2])
    return inputs, outputs


def _attributes(op: OpReport, code: str) -> str:
    """Returns attributes that the columns do not contain, in the profiler's syntax."""
    found = {"name": op.label, "source": op.source}
    if code == "Conv2d" and len(op.operands) > 1 and len(op.operands[1].shape) == 4:
        height, width = op.operands[1].shape[2:]
        found["sliding_window_config"] = f"SlidingWindowConfig(window_hw=({height};{width}); )"
    quoted = {key: value.replace("'", "") for key, value in found.items() if value}
    return "{" + "; ".join(f"'{key}': '{value}'" for key, value in quoted.items()) + "}"


def _tensors(op: OpReport, code: str) -> dict[str, str]:
    shapes = _as_product(op, code)
    row = {}
    for kind, uses, found in zip(
        ("INPUT", "OUTPUT"), (op.operands, op.results), shapes, strict=True
    ):
        for i, (use, shape) in enumerate(zip(uses, found, strict=True)):
            for axis, text in zip(_AXES, _extents(shape, use.layout), strict=True):
                row[f"{kind}_{i}_{axis}_PAD[LOGICAL]"] = text
            row[f"{kind}_{i}_LAYOUT"] = use.layout.upper()
            row[f"{kind}_{i}_DATATYPE"] = FORMATS[use.dtype].library
            row[f"{kind}_{i}_MEMORY"] = _memory(use)
    return row


def runs_on_device(op: OpReport) -> bool:
    """Whether the file has rows for the operation."""
    return op.cycles > 0 and not (op.host_bytes and op.name in TRANSFERS)


class Run(Protocol):
    """The properties of a report that are written."""

    @property
    def program(self) -> str: ...
    @property
    def arch(self) -> str: ...
    @property
    def clock_hz(self) -> float: ...
    @property
    def worker_cores(self) -> int: ...
    @property
    def ops(self) -> Sequence[OpReport]: ...


class PerfCsv:
    """The rows of programs that run one after the other."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._calls = 0
        self._begin = 0.0  # of the next program, in nanoseconds

    def add(self, run: Run) -> None:
        """Appends a program: a signpost with its name, and its operations."""
        begin, nanoseconds = self._begin, 1e9 / run.clock_hz
        self.rows.append(
            {"OP CODE": run.program, "OP TYPE": "signpost", "HOST START TS": begin - 1}
        )
        devices = sorted({core.device for op in run.ops for core in op.core_use}) or [0]
        for op in filter(runs_on_device, run.ops):
            self._calls += 1
            code = op_code(op)
            common = {
                "OP CODE": code,
                "OP TYPE": "tt_dnn_device",
                "GLOBAL CALL COUNT": self._calls,
                "DEVICE ARCH": run.arch,
                "ATTRIBUTES": _attributes(op, code),
                "MATH FIDELITY": _FIDELITIES.get(op.fidelity, _EXACT),
                "CORE COUNT": max(op.cores, 1),
                "AVAILABLE WORKER CORE COUNT": run.worker_cores,
                "HOST START TS": begin + op.start * nanoseconds,
                **_tensors(op, code),
            }
            own = {"PROGRAM": run.program} | _own(op, nanoseconds)
            self.rows += [common | times | own for times in _times(op, devices, nanoseconds)]
        self._begin += sum(op.cycles for op in run.ops) * nanoseconds + 2

    def columns(self) -> list[str]:
        """The profiler's columns in its order, then those of this project."""
        found = dict.fromkeys(key for row in self.rows for key in row)
        tensors = {key: None for key in found if key.startswith(("INPUT_", "OUTPUT_"))}
        for kind in ("INPUT_0", "INPUT_1", "OUTPUT_0"):  # Required even if all are empty.
            tensors |= dict.fromkeys(f"{kind}_{what}" for what in _TENSOR)
        rest = [key for key in found if key not in tensors and key not in _HEAD]
        return [*_HEAD, *sorted(tensors, key=_tensor_order), *rest]

    def text(self) -> str:
        """Returns the content of the file."""
        file = io.StringIO(newline="")
        writer = csv.DictWriter(file, self.columns(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return file.getvalue()


def _tensor_order(column: str) -> tuple[str, int, int]:
    kind, index, what = column.split("_", 2)
    return kind, int(index), _TENSOR.index(what)


def _times(op: OpReport, devices: Sequence[int], nanoseconds: float) -> Iterator[dict[str, Any]]:
    """Yields the columns that differ between chips: the times when their cores finish."""
    whole = op.cycles - op.parts.dispatch
    threads = {kernel.thread: (kernel.end - kernel.begin) * nanoseconds for kernel in op.kernels}
    for device in devices:
        ends = [core.end for core in op.core_use if core.device == device and core.end > 0]
        cycles = min(max(ends, default=whole), whole)
        begin = op.start + op.parts.dispatch
        yield {
            "DEVICE ID": device,
            "DEVICE FW START CYCLE": round(begin),
            "DEVICE FW END CYCLE": round(begin + cycles),
            "OP TO OP LATENCY [ns]": op.parts.dispatch * nanoseconds,
            "DEVICE FW DURATION [ns]": cycles * nanoseconds,
            "DEVICE KERNEL DURATION [ns]": cycles * nanoseconds,
            "DEVICE KERNEL DURATION PER CORE MIN [ns]": min(ends, default=cycles) * nanoseconds,
            "DEVICE KERNEL DURATION PER CORE MAX [ns]": cycles * nanoseconds,
            "DEVICE KERNEL DURATION PER CORE AVG [ns]": sum(ends or [cycles])
            / max(len(ends), 1)
            * nanoseconds,
            "DEVICE BRISC KERNEL DURATION [ns]": threads.get("noc1", ""),
            "DEVICE NCRISC KERNEL DURATION [ns]": threads.get("noc0", ""),
            "DEVICE TRISC1 KERNEL DURATION [ns]": threads.get("compute", ""),
        }


def _own(op: OpReport, nanoseconds: float) -> dict[str, Any]:
    """Returns ideal times and other values that the profiler has no columns for."""
    whole = max(op.cycles - op.parts.dispatch, 1.0)
    return {
        "PM IDEAL [ns]": max(op.ideal_compute_cycles, op.ideal_memory_cycles) * nanoseconds,
        "PM COMPUTE [ns]": op.ideal_compute_cycles * nanoseconds,
        "PM BANDWIDTH [ns]": op.ideal_memory_cycles * nanoseconds,
        "PM FPU UTIL (%)": 100 * op.ideal_compute_cycles / whole,
        "DRAM BW UTIL (%)": 100 * op.ideal_memory_cycles / whole,
        "NAME": op.label,
        "SOURCE": op.source,
        "OP": op.name,
        "BOUND": op.bound,
        "FLOPS": op.flops,
        **{f"{part.upper()} [ns]": getattr(op.parts, part) * nanoseconds for part in PARTS},
        **{
            f"{name.removesuffix('_bytes').upper().replace('_', ' ')} [bytes]": getattr(op, name)
            for name in _BYTES
        },
    }
