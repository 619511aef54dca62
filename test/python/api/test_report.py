"""Reports: how rows are named, sorted and summed up."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from models import blocks

import ttmlir
from ttmlir import _locations, runtime
from ttmlir._report import tables
from ttmlir.report import KernelUse


def chain() -> ttmlir.Builder:
    b = ttmlir.Builder("chain")
    x, w = b.input("x", (64, 64)), b.input("w", (64, 64))
    h = b.relu(b.add(x, w, name="sum"), name="act")
    b.output(b.matmul(h, w, name="product"))
    return b


@pytest.mark.parametrize(
    ("text", "label", "source"),
    [
        ('loc("x"("/a/b.py":4:0))', "x", "/a/b.py:4"),
        ('%0 = "ttnn.add"() : () -> () loc("x"("b.py":4:0))', "x", "b.py:4"),
        ('loc(fused["a"("f":1:2), "b"("g":3:4), "a"("f":9:1)])', "a + b", "f:9"),
        ('loc(fused<"pass">["f":1:2, "b"("f":2:1)])', "b", "f:2"),
        ('loc("outer"("inner"("f.py":3:1)))', "outer", "f.py:3"),
        ('loc(callsite("n"("f":1:1) at "g":2:2))', "n", "g:2"),
        ('loc("a \\22b\\22")', 'a "b"', ""),
        ('%0 = "op"() {text = "x":1}', "", ""),
        ("loc(unknown)", "", ""),
        ("", "", ""),
    ],
)
def test_locations(text: str, label: str, source: str) -> None:
    assert (_locations.label(text), _locations.source(text)) == (label, source)


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_rows_are_named_by_the_source(backend: str) -> None:
    options = {"optimization_level": 0} if backend == "ttnn" else {}
    report = ttmlir.compile(chain(), backend=backend, **options).report()
    timed = [op for op in report.ops if op.cycles]
    found = {(op.phase, op.label) for op in timed}
    ops = ["sum", "act"] if backend == "ttnn" else ["sum + act"]
    assert {("upload", "x"), ("upload", "w"), ("download", "product")} <= found
    assert {("run", name) for name in [*ops, "product"]} <= found
    assert {op.source.rpartition(":")[0] for op in timed if op.label} == {__file__}
    assert "enqueue_program" not in str(report)


def test_programs_of_kernels_say_what_they_compute() -> None:
    report = ttmlir.compile(chain(), backend="ttmetal").report()
    names = {(op.label, op.name) for op in report.ops}
    assert {("sum + act", "eltwise.add+relu"), ("product", "matmul")} <= names


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_places_in_text(backend: str, tmp_path: Path) -> None:
    """Without names, lines of the text or of the file."""
    text = """\
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints =
    [#tt.operand_constraint<any_device_tile>, #tt.operand_constraint<any_device_tile>]}>
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
"""
    report = ttmlir.compile(text, backend=backend).report()
    (op,) = [op for op in report.ops if op.name == "eltwise.exp"]
    assert (op.label, op.source) == ("", "<string>:3")
    (upload,) = [op for op in report.ops if op.phase == "upload" and op.cycles]
    assert upload.source == "<string>:1"
    rows = [line.split()[:3] for line in str(report).splitlines()]
    assert ["eltwise.exp", "eltwise.exp", "<string>:3"] in rows
    path = tmp_path / "exp.mlir"
    path.write_text(text)
    report = ttmlir.compile(path, backend=backend).report()
    assert [op.source for op in report.ops if op.name == "eltwise.exp"] == [f"{path}:3"]


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_memory_is_held_by_names_of_the_source(backend: str) -> None:
    options = {"optimization_level": 0} if backend == "ttnn" else {}
    exe = ttmlir.compile(chain(), backend=backend, **options)
    # Of its own: the shared one has what other tests have left there.
    report = exe.report(device=runtime.open_system(exe.system_desc))
    names = {use.name.partition(" (")[0] for use in report.memory if use.space == "dram"}
    assert {"'x'", "'w'", "'product'"} <= names
    tensors = [use for use in report.memory if "tensor" in use.name]
    assert all(re.fullmatch(r"'.+' \(tensor \d+, 64x64 f32, .+\)", use.name) for use in tensors)
    buffers = [use for use in report.memory if use.name.startswith("'product' (matmul): circular")]
    assert len(buffers) == (3 if backend == "ttmetal" else 0)
    (product,) = (op for op in report.ops if op.name == "matmul")
    for use in buffers:
        assert (use.space, (use.y1 - use.y0 + 1) * (use.x1 - use.x0 + 1)) == ("l1", product.cores)
        assert product.start < use.begin < use.end == product.start + product.cycles


def test_memory_without_names_is_held_by_places() -> None:
    text = str(chain().module)  # without locations
    report = ttmlir.compile(text).report()
    (product,) = [op for op in report.ops if op.name == "matmul"]
    place = re.escape(product.source)
    assert any(re.match(rf"tensor \d+ at {place}:\d+ \(64x64", use.name) for use in report.memory)


def test_what_there_was_no_room_for() -> None:
    b = ttmlir.Builder("large")
    row = b.reshape(b.input("x", (32, 32)), (1, 1024))
    b.output(b.sum(b.broadcast(row, (4 * 1024 * 1024, 1024), name="big"), dim=-1))
    with pytest.raises(ttmlir.OutOfMemoryError, match=r"'big'.*held by") as caught:
        ttmlir.compile(b, optimization_level=0).report()
    failed = caught.value.report.failed
    assert failed.name.startswith("'big' (tensor ")
    assert (failed.space, failed.bytes > failed.available) == ("dram", True)
    assert any(use.name.startswith("'x' (") for use in caught.value.report.memory)


@pytest.mark.parametrize("backend", blocks.BACKENDS)
@pytest.mark.parametrize("target", blocks.TARGETS)
@pytest.mark.parametrize("block", blocks.BLOCKS)
def test_every_row_of_a_block_has_a_name(block: str, target: str, backend: str) -> None:
    """Also what the compiler adds: changes of layout, parts of a norm, transfers."""
    report = blocks.compiled(block, target, backend).report()
    assert [op.name for op in report.ops if op.cycles and not op.label] == []
    assert {op.phase for op in report.ops} == {"upload", "run", "download"}
    assert report.worker_cores == 64


def test_sorting() -> None:
    report = blocks.compiled("transformer", "n150", "ttnn").report()
    rows = tables.rows(report.ops, report.clock_hz, report.cycles)
    by_time = tables.choose(rows, "time", 5, kernels=False)
    assert [row.seconds for row in by_time] == sorted((r.seconds for r in rows), reverse=True)[:5]
    by_name = tables.choose(rows, "name", None, kernels=False)
    assert [row.name for row in by_name] == sorted(row.name for row in rows)
    assert tables.choose(rows, "start", None, kernels=False) == rows
    for key in tables.SORT_KEYS:
        assert len(tables.choose(rows, key, 3, kernels=False)) == 3


def test_kernels_stand_below_their_op() -> None:
    report = ttmlir.compile(chain()).report()
    (op,) = [op for op in report.ops if op.name == "matmul"]
    kernels = [
        KernelUse(n, t, "", 64, begin, 10, 9)
        for n, t, begin in (("reader", "noc0", 0), ("mm", "compute", 4))
    ]
    rows = tables.rows([replace(op, kernels=tuple(kernels))], report.clock_hz, report.cycles)
    # In the time of the program, as those of the ops.
    starts = [row.start * report.clock_hz for row in rows[0].kernels]
    assert starts == pytest.approx([op.start, op.start + 4])
    shown = tables.choose(rows, "start", None)
    assert [row.op for row in shown] == ["matmul", "  reader (noc0)", "  mm (compute)"]
    assert [row.name for row in shown] == ["product", "", ""]
    alone = tables.choose(rows, "start", None, ops=False)
    assert [(row.name, row.op) for row in alone] == [
        ("product", "reader (noc0)"),
        ("product", "mm (compute)"),
    ]
    assert tables.choose(rows, "start", None, kernels=False) == rows


def test_what_cannot_be_shown() -> None:
    report = blocks.compiled("resnet", "n150", "ttnn").report()
    with pytest.raises(
        ValueError, match=r"expected a column to sort by, one of start, name, .*'ti'"
    ):
        report.text(sort="ti")
    with pytest.raises(ValueError, match="top: expected at least 1, found 0"):
        report.text(top=0)


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_phases_add_up(backend: str) -> None:
    report = blocks.compiled("llama", "n150", backend).report()
    parts = [report.parts(phase).total for phase in ("upload", "run", "download")]
    assert sum(parts) == pytest.approx(report.cycles)
    assert min(parts) > 0
    lines = str(report).partition("\nPhases\n")[2].splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["upload", "run", "download"]


def test_a_dict_for_json() -> None:
    report = blocks.compiled("llama", "t3000", "ttnn").report()
    found = json.loads(json.dumps(report.as_dict()))
    assert len(found["ops"]) == len(report.ops)
    for entry, op in zip(found["ops"], report.ops, strict=True):
        assert (entry["label"], entry["source"], entry["bound"]) == (op.label, op.source, op.bound)


def test_a_csv_that_cannot_be_written(tmp_path: Path) -> None:
    report = blocks.compiled("resnet", "n150", "ttnn").report()
    with pytest.raises(ttmlir.FileError, match=r"cannot be written"):
        report.save_csv(tmp_path / "missing" / "ops.csv")


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_bytes_between_host_and_device(backend: str) -> None:
    b = ttmlir.Builder("product")
    b.output(b.matmul(b.input("x", (64, 64)), b.input("w", (64, 64)), name="product"))
    report = ttmlir.compile(b, backend=backend).report()
    tensor = 64 * 64 * 4
    assert report.host_to_device_bytes == 2 * tensor
    assert report.device_to_host_bytes == tensor
    values = report.as_dict()
    assert values["host_to_device_bytes"] == 2 * tensor
    assert values["device_to_host_bytes"] == tensor
    assert "32,768 bytes to the device, 16,384 to the host" in report.title()
    text = report.text(sort="host_bytes", top=3, kernels=False)
    assert text.count("16,384") >= 3
    assert "product" in text


def test_what_is_on_the_device_crosses_nothing() -> None:
    b = ttmlir.Builder("next")
    state = b.input("state", (64, 64), memory_space="dram", tiled=True)
    b.output(b.add(state, b.input("x", (64, 64))))
    step = ttmlir.compile(b, results_on_device=True)
    x = np.ones((64, 64), np.float32)
    kept = step(np.zeros((64, 64), np.float32), x, keep_on_device=True)
    report = step.report(inputs=[kept, x])
    assert (report.host_to_device_bytes, report.device_to_host_bytes) == (x.nbytes, 0)
    with pytest.raises(ttmlir.InputError, match="expected 2 inputs"):
        step.report(inputs=[x])


@pytest.mark.parametrize("backend", blocks.BACKENDS)
def test_report_of_as_many_turns_as_the_inputs_say(backend: str) -> None:
    b = ttmlir.Builder("loop")
    x = b.input("x", (1, 1))
    b.output(*b.while_loop(lambda y: b.lt(y, b.constant(8.0, shape=(1, 1))), lambda y: y + y, [x]))
    exe = ttmlir.compile(b, backend=backend)
    reports = [exe.report(inputs=[np.full((1, 1), value, np.float32)]) for value in (9, 4, 1)]
    conditions = [
        [op.host_bytes for op in report.ops if op.name in ("while", "read_condition")]
        for report in reports
    ]
    assert [len(read) for read in conditions] == [1, 2, 4]
    # The host reads each of them, and the result.
    results = {r.device_to_host_bytes - sum(c) for r, c in zip(reports, conditions, strict=True)}
    assert len(results) == 1
    assert min(results) > 0
