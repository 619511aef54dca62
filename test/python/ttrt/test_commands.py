"""What the commands print, save and report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir

Call = Any


def test_read_sections(files: Path, ttrt: Call) -> None:
    file = files / "out.ttnn"
    version = ttrt("read", "--section", "version", file).stdout
    assert version.startswith(f"\nversion: {ttmlir.__version__}\ntt-mlir git hash: ")
    assert len(version.split()[-1]) == 40
    mlir = ttrt("read", "--section", "mlir", file).stdout
    assert mlir.startswith("program[0]:multiply-ttnn\n")
    assert '"ttnn.multiply"' in mlir
    cpp = ttrt("read", "--section", "cpp", file).stdout
    assert cpp.startswith("program[0]:multiply\n")
    assert "ttnn::multiply(" in cpp
    for section, count in (("inputs", 2), ("outputs", 1)):
        text = ttrt("read", "--section", section, file).stdout
        assert text.startswith("program:multiply\n[\n  {")
        tensors = json.loads(text.partition("\n")[2])
        assert [t["desc"]["shape"] for t in tensors] == [[64, 128]] * count
    desc = json.loads(ttrt("read", "--section", "system_desc", file).stdout)
    assert desc["chip_descs"][0]["arch"] == "Wormhole_b0"
    whole = json.loads(ttrt("read", file).stdout)
    assert whole["programs"][0]["name"] == "multiply"


def test_log_file_takes_everything(files: Path, ttrt: Call, tmp_path: Path) -> None:
    done = ttrt("read", "--section", "version", files / "out.ttnn", "--log-file", "ttrt.log")
    assert (done.stdout, done.stderr) == ("", "")
    assert ttmlir.__version__ in (tmp_path / "ttrt.log").read_text()


def test_query_saves_what_the_compiler_reads(ttrt: Call, tmp_path: Path) -> None:
    done = ttrt("query", "--save-artifacts")
    assert json.loads(done.stdout)["system_desc"]["chip_descs"]
    saved = tmp_path / "ttrt-artifacts" / "system_desc.ttsys"
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32))))
    ttmlir.compile(b, system_desc=saved).save(tmp_path / "relu.ttnn")
    assert ttrt("run", "relu.ttnn", "--non-zero").returncode == 0


def test_run_artifacts(files: Path, ttrt: Call, tmp_path: Path) -> None:
    done = ttrt("run", files / "two.ttnn", "--save-artifacts", "--artifact-dir", "saved")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "saved" / "two.ttnn"
    assert (folder / "two.ttnn").read_bytes() == (files / "two.ttnn").read_bytes()
    assert (folder / "system_desc.ttsys").exists()
    names = {
        p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("run/*/program_*")
    }
    assert names == {
        f"run/program_{i}/program_{i}_{kind}_0" for i in (0, 1) for kind in ("input", "output")
    }
    pytest.importorskip("numpy")
    arrays = list(folder.rglob("program_1_*.npy"))
    if arrays:  # without torch
        values = {p.stem: np.load(p) for p in arrays}
        np.testing.assert_allclose(
            values["program_1_output_0"], np.exp(values["program_1_input_0"]), rtol=1e-4
        )


def test_same_seed_same_run(files: Path, ttrt: Call, tmp_path: Path) -> None:
    def run(seed: int, where: str) -> list[bytes]:
        ttrt(
            "run",
            files / "out.ttnn",
            "--seed",
            str(seed),
            "--save-artifacts",
            "--artifact-dir",
            where,
        )
        found = sorted((tmp_path / where).rglob("program_0_*"))
        return [p.read_bytes() for p in found if p.is_file()]

    first = run(1, "a")
    assert first
    assert first == run(1, "b")
    assert first != run(2, "c")


def test_clean_artifacts(files: Path, ttrt: Call, tmp_path: Path) -> None:
    assert ttrt("query", "--save-artifacts").returncode == 0
    assert (tmp_path / "ttrt-artifacts").exists()
    assert ttrt("query", "--clean-artifacts").returncode == 0
    assert not (tmp_path / "ttrt-artifacts").exists()


def test_clean_leaves_other_folders_alone(ttrt: Call, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    done = ttrt("query", "--clean-artifacts", "--artifact-dir", "mine")
    assert done.returncode == 1
    assert "was not made by ttrt" in done.stderr
    assert (mine / "thesis.tex").exists()


@pytest.mark.parametrize("init", ["arange", "zeros"])
def test_identity(files: Path, ttrt: Call, init: str) -> None:
    # abs is the identity on what is not negative.
    assert ttrt("run", files / "identity.ttnn", "--identity", "--init", init).returncode == 0


def test_identity_fails(files: Path, ttrt: Call, tmp_path: Path) -> None:
    done = ttrt("run", files / "identity.ttnn", "--identity", "--init", "randn")
    assert done.returncode == 1
    assert "Failed: inputs and outputs do not match in binary" in done.stderr
    (result,) = json.loads((tmp_path / "run_results.json").read_text())
    assert result["result"] == "fail"
    assert result["program_index"] == "all"
    assert "do not match" in result["exception"]


def test_identity_of_another_program(files: Path, ttrt: Call) -> None:
    """The documents' out.ttnn multiplies two tensors."""
    done = ttrt("run", files / "out.ttnn", "--identity", "--rtol", "1", "--atol", "1")
    assert done.returncode == 1
    assert "Failed: identity needs as many outputs as inputs" in done.stderr


def test_non_zero(files: Path, ttrt: Call) -> None:
    assert ttrt("run", files / "out.ttnn", "--non-zero").returncode == 0
    done = ttrt("run", files / "zero.ttnn", "--non-zero")
    assert done.returncode == 1
    assert "Failed: output tensor all zero" in done.stderr


def test_check(files: Path, ttrt: Call) -> None:
    assert "matched" in ttrt("check", files / "out.ttnn").stderr
    done = ttrt("check", files / "out.ttnn", "--system-desc", files / "p150.ttsys")
    assert done.returncode == 1
    assert "did not match" in done.stderr


def test_piping_into_head(files: Path, tmp_path: Path) -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m ttrt read {files / 'out.ttnn'} | head -1"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


@pytest.mark.parametrize("index", ["all", *map(str, range(7))])
def test_programs_of_a_file(files: Path, ttrt: Call, tmp_path: Path, index: str) -> None:
    done = ttrt("run", files / "seven.ttnn", "--program-index", index, "--save-artifacts")
    assert done.returncode == 0, done.stderr
    ran = sorted(p.name for p in (tmp_path / "ttrt-artifacts").rglob("run/program_*") if p.is_dir())
    assert ran == [f"program_{i}" for i in (range(7) if index == "all" else [int(index)])]
    (result,) = json.loads((tmp_path / "run_results.json").read_text())
    assert result["program_index"] == index
