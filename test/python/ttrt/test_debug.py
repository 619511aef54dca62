"""`ttrt debug` without a terminal: commands of options, of a script, of the standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ttrt_process import Call

from ttmlir import kernel
from ttrt.common.api import API
from ttrt.common.errors import TTRTError


@kernel.data_movement()
def copy(x: kernel.Tensor, y: kernel.Tensor, page: kernel.CircularBuffer) -> None:
    kernel.cb_reserve_back(page, 1)
    address = kernel.get_write_ptr(page)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
    kernel.noc_async_read_barrier()
    kernel.dprint("copied")
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), address)
    kernel.noc_async_write_barrier()
    kernel.cb_push_back(page, 1)
    kernel.cb_wait_front(page, 1)
    kernel.cb_pop_front(page, 1)


@kernel.data_movement()
def wait(flag: kernel.Semaphore) -> None:
    kernel.noc_semaphore_wait(flag, 1)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    made = kernel.Program("copy")
    x, y = made.input("x", (32, 32), "f32"), made.output("y", (32, 32), "f32")
    made.add(copy, x, y, made.circular_buffer("in0", "f32", pages=1))
    made.save(tmp_path / "copy.ttm")
    return tmp_path / "copy.ttm"


def commands(*lines: str) -> list[str]:
    return [word for line in lines for word in ("--command", line)]


def test_commands(program: Path, ttrt: Call) -> None:
    done = ttrt(
        "debug", program, "--init", "arange", *commands("break copy", "run", "s 4", "c", "help")
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [row for row in lines if row.startswith("(ttrt)")] == [
        *("(ttrt) break copy", "(ttrt) run", "(ttrt) s 4", "(ttrt) c", "(ttrt) help")
    ]
    assert lines.count("0:(x=0,y=0):NC: copied") == 1
    assert "The program has ended" in lines
    (result,) = json.loads((program.parent / "debug_results.json").read_text())
    assert result["result"] == "pass"


def test_script_before_commands(program: Path, ttrt: Call, tmp_path: Path) -> None:
    (tmp_path / "script").write_text("# stops at once\nbreak copy\n\nrun\n")
    done = ttrt("debug", program, "-x", tmp_path / "script", *commands("where"))
    assert done.returncode == 0, done.stderr
    assert "(ttrt) where\ncopy on noc0 of core (0, 0): " in done.stdout
    missing = ttrt("debug", program, "--script", "missing")
    assert missing.returncode == 1
    assert "--script: 'missing' cannot be read: No such file" in missing.stderr


def test_standard_input(program: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ttrt", "debug", str(program)],
        input="run\nquit\nwhere\n",
        cwd=program.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("The program has ended\n(ttrt) quit\n")


def test_quits_before_the_end(program: Path, ttrt: Call) -> None:
    done = ttrt("debug", program, *commands("q", "run"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "(ttrt) q\n"


def test_errors(program: Path, ttrt: Call, files: Path) -> None:
    done = ttrt("debug", program, *commands("stpe", "run"))
    assert done.returncode == 1
    assert "stpe: there is no command 'stpe'; did you mean 'step'?" in done.stderr
    assert "(ttrt) run" not in done.stdout
    done = ttrt("debug", files / "out.ttnn", *commands("run"))
    assert done.returncode == 1
    assert "no kernels to debug: expected a program of the ttmetal backend" in done.stderr


def test_a_fault_is_an_error(tmp_path: Path, ttrt: Call) -> None:
    made = kernel.Program("wait")
    made.output("y", (32, 32), "f32")
    made.add(wait, made.semaphore(0))
    made.save(tmp_path / "wait.ttm")
    done = ttrt("debug", tmp_path / "wait.ttm", *commands("run", "watcher", "c"))
    assert done.returncode == 1
    assert "Deadlock: 1 threads wait forever" in done.stdout
    assert "W, NSW,   W,   W,   W k_ids:0|1|0" in done.stdout
    assert "deadlock: 1 threads wait forever" in done.stderr


def test_from_python(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(program.parent)
    np.savez("inputs.npz", input_0=np.full((32, 32), 7, np.float32))
    API.initialize_apis()
    arguments = {"binary": str(program), "load-inputs": "inputs.npz"}
    (result,) = API.Debug(args={**arguments, "command": ["b copy", "r", "s 5", "cbs in0"]})()
    assert result["result"] == "pass"
    assert "[[7. 7. 7. 7. ... 7. 7. 7. 7.]" in capsys.readouterr().out
    with pytest.raises(TTRTError, match="no command 'x'"):
        API.Debug(args={**arguments, "command": "x"})()
