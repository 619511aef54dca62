"""env/: the environment of `make`, entered with `source env/activate`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHELLS = [shell for shell in ("bash", "dash", "zsh") if shutil.which(shell)]
#: Sourced twice, under the strictest settings, from a folder with a blank in its name.
ENTER = """
set -eu
. env/activate
. env/activate
printf '%s\\n' "$VIRTUAL_ENV" "$PATH" "$PYTHONPATH" "$TT_MLIR_HOME" "$TTMLIR_ENV_ACTIVATED"
command -v python
set | grep ^_ttmlir_ || true
"""


def environment(**variables: str) -> dict[str, str]:
    own = ("TTMLIR_", "TT_MLIR_", "PYTHONPATH", "VIRTUAL_ENV")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(own)}
    return kept | variables


def run(
    checkout: Path, text: str, shell: str = "bash", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shell, "-c", text],
        cwd=checkout,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )


def make_venv(folder: Path) -> Path:
    command = [sys.executable, "-m", "venv", "--without-pip", folder]
    subprocess.run(command, check=True)
    (folder / ".toolchain").touch()
    return folder


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("check out")
    (folder / "env").mkdir()
    shutil.copy(ROOT / "env" / "activate", folder / "env")
    make_venv(folder / ".venv")
    return folder


@pytest.mark.parametrize("shell", SHELLS)
def test_activate(checkout: Path, shell: str) -> None:
    done = run(checkout, ENTER, shell, PYTHONPATH="/elsewhere")
    assert done.returncode == 0, done.stderr
    venv, path, python_path, home, activated, python = done.stdout.splitlines()
    assert (venv, home, activated) == (str(checkout / ".venv"), str(checkout), "1")
    assert path.split(":")[:2] == [f"{checkout}/build/bin", f"{checkout}/.venv/bin"]
    assert path.count(f"{checkout}/build/bin:") == 1
    assert python_path == f"{checkout}/build/python_packages:/elsewhere"
    assert python == f"{checkout}/.venv/bin/python"


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "dash"])
def test_activate_from_elsewhere(checkout: Path, tmp_path: Path, shell: str) -> None:
    text = f'. "{checkout}/env/activate" && echo "$TT_MLIR_HOME"'
    assert run(tmp_path, text, shell).stdout == f"{checkout}\n"


def test_a_shell_that_does_not_say_where_the_file_is(checkout: Path, tmp_path: Path) -> None:
    if "dash" not in SHELLS:
        pytest.skip("dash is not installed")
    done = run(tmp_path, f'. "{checkout}/env/activate"', "dash")
    assert done.returncode == 1
    assert done.stderr.endswith("source it from the root of the checkout\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_no_toolchain_yet(tmp_path: Path, shell: str) -> None:
    (tmp_path / "env").mkdir()
    shutil.copy(ROOT / "env" / "activate", tmp_path / "env")
    done = run(tmp_path, '. env/activate || echo "$? ${TT_MLIR_HOME:-unset}"', shell)
    assert done.stdout == "1 unset\n"
    assert done.stderr == (
        f"error: no toolchain in {tmp_path}/.venv: run 'cmake -B env/build env && "
        f"cmake --build env/build' in {tmp_path} first\n"
    )


def test_the_place_is_that_of_make(checkout: Path, tmp_path: Path) -> None:
    show = "show: ; @echo $(abspath $(VENV))"
    make_venv(tmp_path / "venv")
    for variables, place in (
        ({}, None),
        ({"TTMLIR_TOOLCHAIN_DIR": str(tmp_path)}, tmp_path / "venv"),
        ({"TTMLIR_VENV_DIR": str(tmp_path / "venv")}, tmp_path / "venv"),
        ({"TTMLIR_VENV_DIR": ".venv", "TTMLIR_TOOLCHAIN_DIR": "/nowhere"}, None),
    ):
        entered = run(checkout, ENTER, **variables)
        assert entered.stdout.splitlines()[0] == str(place or checkout / ".venv"), entered.stderr
        made = run(ROOT, f"make -s --eval '{show}' show", **variables)
        assert made.stdout.strip() == str(place or ROOT / ".venv"), made.stderr


def test_make_uses_what_is_installed() -> None:
    show = "show: ; @echo path=$$PYTHONPATH"
    made = run(ROOT, f"make -s --eval '{show}' show", PYTHONPATH="/build/tree")
    assert made.stdout == "path=\n", made.stderr


def test_cmake_calls_make(tmp_path: Path) -> None:
    beside = Path(sys.executable).parent / "cmake"
    cmake = str(beside) if beside.exists() else "cmake"
    configure = [cmake, "-G", "Unix Makefiles", "-B", tmp_path, ROOT / "env"]
    subprocess.run(configure, check=True, capture_output=True)
    done = subprocess.run(
        [cmake, "--build", tmp_path, "--", "-n"], capture_output=True, text=True, check=True
    )
    assert f"--no-print-directory -C {ROOT} toolchain" in done.stdout


def test_requirements_of_an_extra_that_names_others() -> None:
    script = ROOT / "cmake" / "build_requirements.py"
    done = subprocess.run(
        [sys.executable, script, "dev"], capture_output=True, text=True, check=True
    )
    names = {line.partition("=")[0].rstrip(">") for line in done.stdout.splitlines()}
    assert {"pytest", "lit", "scikit-learn", "pre-commit", "clang-tidy", "ruff"} <= names
    assert not any(name.startswith("ttmlir") for name in names)
