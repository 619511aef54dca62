"""The console commands as users call them: good input, bad input, and all of them in a row."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ttmlir
from ttmlir._tools import PROGRAM

ROOT = Path(__file__).parents[3]
MULTIPLY = ROOT / "test" / "ttmlir" / "Dialect" / "TTNN" / "simple_multiply.mlir"
PIPELINE = "--ttir-to-ttnn-backend-pipeline"


def tool(
    name: str, *arguments: str | Path, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command through its entry point."""
    code = f"from ttmlir import _tools; _tools.{name}()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def ttrt(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ttrt", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_from_mlir_to_a_run(tmp_path: Path) -> None:
    lowered = tool("opt", PIPELINE, MULTIPLY)
    assert lowered.returncode == 0, lowered.stderr
    out = tmp_path / "out.ttnn"
    written = tool("translate", "--ttnn-to-flatbuffer", "-o", out, stdin=lowered.stdout)
    assert written.returncode == 0, written.stderr
    assert '"programs"' in ttrt("read", "--section", "all", out, cwd=tmp_path).stdout
    assert ttrt("run", out, cwd=tmp_path).returncode == 0


def test_query_compile_run(tmp_path: Path) -> None:
    assert ttrt("query", "--save-artifacts", cwd=tmp_path).returncode == 0
    desc = tmp_path / "ttrt-artifacts" / "system_desc.ttsys"
    for arguments in (
        [f"--ttir-load-system-desc=path={desc}", PIPELINE],
        [f"{PIPELINE}=system-desc-path={desc}"],
    ):
        lowered = tool("opt", *arguments, MULTIPLY)
        assert lowered.returncode == 0, lowered.stderr
        (tmp_path / "ttnn.mlir").write_text(lowered.stdout)
        out = tmp_path / "out.ttnn"
        assert (
            tool("translate", "--ttnn-to-flatbuffer", tmp_path / "ttnn.mlir", "-o", out).returncode
            == 0
        )
        assert ttrt("run", out, cwd=tmp_path).returncode == 0


def test_same_program_from_python(tmp_path: Path) -> None:
    lowered = tool("opt", PIPELINE, MULTIPLY)
    exe = ttmlir.compile(MULTIPLY)
    assert lowered.stdout.count('"ttnn.multiply"') == exe.mlir.count('"ttnn.multiply"') == 1


@pytest.mark.parametrize("name", ["opt", "translate"])
def test_unknown_flag(name: str) -> None:
    done = tool(name, "--no-such-flag", MULTIPLY)
    assert done.returncode == 1
    assert "no-such-flag" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f( {", "input.mlir:1:"),
        ("func.func @f() { nonsense.op }", "input.mlir:1:"),
        ("\x00\x01\x02", "input.mlir:1:"),
    ],
)
def test_bad_ir(tmp_path: Path, text: str, message: str) -> None:
    file, out = tmp_path / "input.mlir", tmp_path / "out.mlir"
    file.write_text(text)
    done = tool("opt", PIPELINE, file, "-o", out)
    assert done.returncode == 1
    assert message in done.stderr
    assert not out.exists()


def test_missing_file(tmp_path: Path) -> None:
    done = tool("opt", tmp_path / "nowhere.mlir")
    assert done.returncode == 1
    assert "nowhere.mlir" in done.stderr


def test_translate_leaves_no_partial_file(tmp_path: Path) -> None:
    out = tmp_path / "out.ttnn"
    done = tool("translate", "--ttnn-to-flatbuffer", MULTIPLY, "-o", out)  # not lowered
    assert done.returncode == 1
    assert "error" in done.stderr
    assert not out.exists()


def test_dialects() -> None:
    shown = tool("opt", "--show-dialects").stdout.partition("Available Dialects:")[2]
    assert set(shown.strip().split(",")) == {
        *("tt", "ttir", "ttnn", "ttmetal", "ttkernel", "builtin", "arith", "func", "ml_program"),
        *("tensor", "linalg", "memref", "scf", "cf", "tosa", "vector", "emitc", "quant"),
    }


def test_tools_are_one_program(tmp_path: Path) -> None:
    """Its name or, under any other name, its first argument says which tool it is."""
    link, other = tmp_path / "ttmlir-translate", tmp_path / "other"
    link.symlink_to(PROGRAM)
    other.symlink_to(PROGRAM)
    for command in ([link], [other, "ttmlir-translate"], [other, "some/where/ttmlir-translate"]):
        done = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
        assert "OVERVIEW: MLIR Translation Testing Tool" in done.stdout
        assert "USAGE: ttmlir-translate [options] <input file>" in done.stdout
    for arguments in ([], ["--help"], ["ttmlir"]):
        done = subprocess.run([other, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("error: expected the name of a tool, that is ttmlir-opt, ")


def test_versions() -> None:
    version = f"ttmlir {ttmlir.__version__} ({ttmlir.__git_hash__})"
    assert tool("opt", "--version").stdout.startswith(version)
    assert tool("translate", "--version").stdout.startswith(version)
    command = [sys.executable, "-m", "ttmlir"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == version + "\n"
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "targets: n150, n300" in done.stdout


def test_a_reader_that_has_seen_enough() -> None:
    """Python ignores the signal of a broken pipe, and so would what it starts."""
    code = "from ttmlir import _tools; _tools.opt()"
    text = "".join(f"func.func private @f{i}()\n" for i in range(20000))
    command = [sys.executable, "-c", code, "-"]
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdin
    assert server.stdout
    assert server.stderr
    server.stdin.write(text)
    server.stdin.close()
    assert server.stdout.readline() == "module {\n"
    server.stdout.close()
    assert server.stderr.read() == ""
    assert server.wait() == -signal.SIGPIPE
