"""What passes decided: asked for by compile(), kept in the file, shown by reports and ttrt."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ttmlir
from ttmlir import ir, passes, runtime

BACKENDS = ("ttnn", "ttmetal")
MOST = 10_000


def built() -> ttmlir.Builder:
    b = ttmlir.Builder()
    x, w = b.input("x", (64, 128), "bf16"), b.input("w", (128, 64), "bf16")
    b.output(b.relu(b.matmul(x, w, name="scores"), name="clip"))
    return b


def scores(*names: str) -> str:
    """The same as MLIR, once for each name of a function."""
    text = str(built().module)
    first, last = text.index("  func.func"), text.rindex("}")
    functions = [text[first:last].replace("@forward", f"@{name}") for name in names or ("forward",)]
    return text[:first] + "".join(functions) + text[last:]


@pytest.mark.parametrize("backend", BACKENDS)
def test_fields(backend: Any) -> None:
    exe = ttmlir.compile(built(), backend=backend)
    assert all(
        r.kind in ("passed", "missed", "analysis") and r.pass_name and r.decision and r.op
        for r in exe.remarks
    )
    named = [r for r in exe.remarks if r.name == "scores"]
    assert named
    assert all(r.function == "forward" and Path(__file__).name in r.location for r in named)
    (device,) = (r for r in exe.remarks if r.decision == "Placed" and "device" in r.pass_name)
    assert (device.op, device.function) == ("builtin.module", "")
    assert device.reason.startswith("mesh 1x1 on chips 0, the first ones of the system")


def test_values_of_a_remark() -> None:
    exe = ttmlir.compile(built(), backend="ttmetal", remarks="convert-ttir-to-ttmetal")
    blocks, dispatch = (r for r in exe.remarks if r.op == "ttir.matmul")
    assert (blocks.decision, dispatch.decision) == ("Blocks", "Dispatch")
    assert blocks.reason.startswith("blocks of 1x1 tiles of the result in steps of 4 of 4 tiles")
    assert "runs on 2x2 of 8x8 cores: noc0, noc1, compute in hifi4 into f32" in dispatch.reason
    assert dispatch.rejected == "other cores: data or blocks are on these"
    assert "out0 1x1 pages of 2048" in dispatch.args["Buffers"]
    assert str(dispatch) == (
        f"{dispatch.location}: ttir.matmul 'scores': convert-ttir-to-ttmetal passed: "
        f"{dispatch.reason}; "
        f"not {dispatch.rejected}"
    )


def test_places_in_files(tmp_path: Path) -> None:
    path = tmp_path / "scores.mlir"
    path.write_text(scores())
    line = 1 + next(i for i, text in enumerate(scores().splitlines()) if '"ttir.relu"' in text)
    places = {r.location for r in ttmlir.compile(path).remarks if r.op == "ttir.relu"}
    assert {place.rpartition(":")[0] for place in places} == {f"{path}:{line}"}
    texts = {r.location for r in ttmlir.compile(scores()).remarks if r.op == "ttir.relu"}
    assert {place.rpartition(":")[0] for place in texts} == {f"<string>:{line}"}


def test_who_asks_gets_them() -> None:
    assert ttmlir.compile(built(), remarks=False).remarks == ()
    everything = ttmlir.compile(built())
    assert {"ttir-layout", "ttir-optimizer"} < {r.pass_name for r in everything.remarks}
    some = ttmlir.compile(built(), remarks="layout|device$").remarks
    assert {r.pass_name for r in some} == {"ttir-layout", "ttir-implicit-device"}
    assert list(some) == [r for r in everything.remarks if r in some]
    assert ttmlir.compile(built()).remarks == everything.remarks
    wrong: Any = 3
    with pytest.raises(TypeError, match=r"remarks: expected True, False or a regular expr.*int"):
        ttmlir.compile(built(), remarks=wrong)
    with pytest.raises(ttmlir.Error, match=r"expected a regular expression.*found 'ttir-\('"):
        ttmlir.compile(built(), remarks="ttir-(")


def test_front_ends() -> None:
    text = """
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
                     outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}"""
    found = [r for r in ttmlir.compile(text).remarks if r.op == "linalg.matmul"]
    (remark,) = found
    assert remark.decision == "Translated"
    assert remark.reason.endswith("ttir.matmul")


@pytest.mark.parametrize("backend", BACKENDS)
def test_files_have_them(backend: Any, tmp_path: Path) -> None:
    exe = ttmlir.compile(scores("first", "second"), backend=backend)
    programs = [r.function for r in exe.remarks]
    assert set(programs) == {"", "first", "second"}
    assert programs == sorted(programs)
    path = tmp_path / ("scores.ttnn" if backend == "ttnn" else "scores.ttm")
    exe.save(path)
    for copy in (ttmlir.load(path), pickle.loads(pickle.dumps(exe))):
        assert copy.remarks == exe.remarks
    done = subprocess.run(
        [sys.executable, "-m", "ttrt", "read", "--section", "remarks", path],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    first = programs.count("") + programs.count("first")
    assert f"program[0]:first, {first} remarks\n" in done.stdout
    assert f"program[1]:second, {programs.count('second')} remarks\n" in done.stdout
    assert all(str(remark) in done.stdout for remark in exe.remarks)


def test_a_file_has_the_first_ones() -> None:
    module = ir.Module.parse(scores(), ir.Context())
    remarks: list[ttmlir.Remark] = []
    passes.run_pipeline(module, "ttir-to-ttnn-backend-pipeline", remarks=remarks)
    many = [replace(remarks[-1], reason=str(i)) for i in range(MOST + 7)]
    exe = ttmlir.Executable(
        runtime.load_binary_from_bytes(passes.ttnn_to_flatbuffer_bytes(module, remarks=many))
    )
    assert list(exe.remarks) == many[:MOST]
    report = exe.report()
    assert (len(report.remarks), report.num_remarks) == (MOST, MOST + 7)
    assert f"and {MOST - 13:,} more of {MOST + 7:,} remarks" in str(report)
    assert len(str(report).splitlines()) < 60


def test_remarks_that_are_not_kept_are_counted() -> None:
    b = ttmlir.Builder()
    x = y = b.input("x", (32, 32))
    for _ in range(MOST // 2):
        y = b.add(y, x)
    b.output(y)
    remarks: list[ttmlir.Remark] = []
    options = passes.TTIRToTTNNBackendPipelineOptions()
    passes.run_pipeline(
        ir.Module.parse(str(b.module), ir.Context()), options.pipeline, options, remarks=remarks
    )
    exe = ttmlir.compile(str(b.module), remarks="ttir-")
    report = exe.report()
    wanted = [r.reason for r in remarks if "ttir-" in r.pass_name and r.function]
    assert len(wanted) > MOST
    modules = sum("ttir-" in r.pass_name and not r.function for r in remarks)
    assert report.num_remarks == len(wanted) + modules
    assert [r.reason for r in report.remarks[modules:]] == wanted[: MOST - modules]


def test_reports_show_what_was_missed_first() -> None:
    b = ttmlir.Builder()
    x = b.relu(b.input("x", (64, 64)), name="shared")
    b.output(b.add(b.exp(x), b.reshape(b.neg(x), (64, 64))))
    exe = ttmlir.compile(b, sharding_pass_enabled=True)
    lines = [line for line in str(exe.report()).splitlines() if "ttir-optimizer" in line]
    assert "'shared': ttir-optimizer missed: begins no chain in l1" in lines[0]
    assert exe.report().remarks == exe.remarks


def test_passes_alone() -> None:
    module = ir.Module.parse(scores(), ir.Context())
    found: list[ttmlir.Remark] = []
    pipeline = "ttir-to-ttmetal-backend-pipeline"
    passes.run_pipeline(module, pipeline, remarks=found, remarks_of="allocate")
    assert {r.pass_name for r in found} == {"ttir-allocate"}
    with pytest.raises(ValueError, match="expected a regular expression"):
        passes.run_pipeline(module, "canonicalize", remarks=found, remarks_of="*")
