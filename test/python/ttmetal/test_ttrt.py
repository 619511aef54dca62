"""ttrt on TTMetal files, as users call it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from ttrt_process import Call, ttrt_in

import ttmlir
from ttmlir import kernel


@pytest.fixture
def ttrt(tmp_path: Path) -> Call:
    return ttrt_in(tmp_path)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """out.ttm and out.ttnn of one program, whose output is its input."""
    folder = tmp_path_factory.mktemp("files")
    b = ttmlir.Builder("twice")
    b.output(b.neg(b.neg(b.input("x", (64, 40)))))
    ttmlir.compile(b).save(folder / "out.ttnn")
    ttmlir.compile(b, backend="ttmetal", grid=(1, 2)).save(folder / "out.ttm")
    shutil.copy(folder / "out.ttm", folder / "either.ttb")
    return folder


@pytest.mark.parametrize("name", ["out.ttm", "either.ttb"])
def test_run_and_check(ttrt: Call, files: Path, name: str) -> None:
    # Exact numerics keep the 10 bits of mantissa of tf32.
    exact = ("--numerics", "exact", "--loops", "2", "--rtol", "0.001")
    for options in ((), ("--no-check",), exact):
        done = ttrt("run", files / name, "--identity", *options)
        assert done.returncode == 0, done.stderr
    assert ttrt("check", files / name).returncode == 0
    done = ttrt("run", files / name, "--check", "--no-check")
    assert done.returncode == 1
    assert "expected --check or --no-check, found both" in done.stderr


def test_unchecked_kernels(ttrt: Call, tmp_path: Path) -> None:
    """An error that a chip would not notice."""

    @kernel.data_movement()
    def forgetful(x: kernel.Tensor, page: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(page, 1)
        address = kernel.get_write_ptr(page)
        kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
        kernel.load_from_l1(address, 4)  # no barrier
        kernel.noc_async_read_barrier()

    program = kernel.Program("forgetful")
    x, _ = program.input("x", (32, 32)), program.output("y", (32, 32))
    program.add(forgetful, x, program.circular_buffer("in0", pages=1))
    program.save(tmp_path / "forgetful.ttm")
    for command, options, code in (
        ("run", (), 1),
        ("run", ("--no-check",), 0),
        ("perf", (), 0),
        ("perf", ("--check",), 1),
    ):
        done = ttrt(command, "forgetful.ttm", *options)
        assert done.returncode == code, (command, options, done.stderr)
        assert ("kernel 'forgetful'" in done.stderr) == bool(code)


def test_a_folder_runs_the_library_first(ttrt: Call, files: Path, tmp_path: Path) -> None:
    done = ttrt("run", files, "--identity")
    assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "run_results.json").read_text())
    names = [Path(entry["file_path"]).name for entry in entries]
    assert names[0] == "out.ttnn"
    assert sorted(names[1:]) == ["either.ttb", "out.ttm"]


def test_read(ttrt: Call, files: Path) -> None:
    text = ttrt("read", files / "out.ttm", "--section", "cpp").stdout
    assert "program[0]:twice" in text
    assert text.count("// ttmlir_twice_") >= 3
    assert "ttmetal.dispatch" in ttrt("read", files / "out.ttm", "--section", "mlir").stdout
    content = json.loads(ttrt("read", files / "out.ttm").stdout)
    queue = content["programs"][0]["device_programs"][0]["command_queues"][0]
    kinds = {command["type_type"] for command in queue["commands"]}
    assert "EnqueueProgramCommand" in kinds


def test_perf_has_a_row_for_each_command(ttrt: Call, files: Path, tmp_path: Path) -> None:
    done = ttrt("perf", files / "out.ttm")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "ttrt-artifacts" / "out.ttm" / "perf"
    programs = json.loads((folder / "perf.json").read_text())
    ops = programs[0]["device"]["ops"]
    assert [ops[0]["name"], ops[-1]["name"]] == ["write_input", "read_output"]
    kernels = [op for op in ops if op["phase"] == "run"]
    assert "eltwise.neg+neg" in {op["name"] for op in kernels}
    assert all(op["cores"] in (1, 2) and op["cycles"] > 0 for op in kernels)


def test_kernels_on_disk(ttrt: Call, files: Path, tmp_path: Path) -> None:
    assert ttrt("run", files / "out.ttm", "--save-artifacts").returncode == 0
    saved = sorted((tmp_path / "ttrt-artifacts" / "out.ttm" / "kernels").iterdir())
    assert saved
    assert ttrt("run", files / "out.ttm", "--load-kernels-from-disk").returncode == 0
    saved[0].write_text("void kernel_main() {}")
    done = ttrt("run", files / "out.ttm", "--load-kernels-from-disk")
    assert done.returncode == 1
    assert "does not run C++" in done.stderr or "and not C++" in done.stderr
