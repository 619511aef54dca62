"""Tests of the plugin for JAX; skipped without JAX, or in a build without the plugin."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

for _module in ("jax", "ttmlir._pjrt", "ttmlir.frontends.stablehlo"):
    try:
        _found = find_spec(_module)
    except ModuleNotFoundError:
        _found = None
    if _found is None:
        pytest.skip(f"needs {_module}", allow_module_level=True)


@pytest.fixture(scope="session")
def chip() -> Any:
    """The first emulated chip, as a device of JAX."""
    import jax

    return jax.devices("tt")[0]


@pytest.fixture
def python() -> Callable[..., str]:
    """Runs a program in a process of its own, with variables of the environment; what it prints."""

    def run(program: str, *, fails: bool = False, **variables: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**os.environ, "TTMLIR_TARGET": "n150", **variables},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    return run
