"""The example that newcomers run first."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

EXAMPLE = Path(__file__).parents[3] / "examples" / "digits.py"


def test_digits(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    command = [sys.executable, str(EXAMPLE), "--epochs", "30", "--output-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same as NumPy" in done.stdout
    assert "100.00%" in done.stdout
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")
    exe = ttmlir.load(tmp_path / "digits.ttnn")
    zeros = [np.zeros(i.shape, np.float32) for i in exe.inputs]
    assert not exe(*zeros).any()


@pytest.fixture(scope="module")
def trained() -> tuple[Any, list[Any]]:
    """The example as a module, and parameters that it has trained."""
    pytest.importorskip("sklearn")
    pytest.importorskip("rich")
    spec = importlib.util.spec_from_file_location("digits", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    digits = importlib.util.module_from_spec(spec)
    # Its dataclasses look their module up.
    sys.modules["digits"] = digits
    spec.loader.exec_module(digits)
    images, labels = digits.split_digits()[:2]
    return digits, digits.train(images, labels, 6, digits.Console(quiet=True))


@pytest.mark.parametrize("variant", range(3))
def test_digits_as_kernels(trained: tuple[Any, list[Any]], variant: int) -> None:
    """The same network as kernels, with every check: every variant gives NumPy's predictions."""
    digits, parameters = trained
    images, labels = digits.split_digits()[2:]
    kind = digits.VARIANTS[variant]
    exe = ttmlir.compile(digits.build(kind, len(images)), backend="ttmetal")
    device = runtime.open_system(exe.system_desc)
    runtime.set_device_options(device, runtime.DeviceOptions(checks=True))
    dtype = np.float32 if kind.activations == "f32" else ml_dtypes.bfloat16
    logits = exe(*(array.astype(dtype) for array in [images, *parameters]), device=device)
    runtime.close_device(device)
    found = logits.astype(np.float32).argmax(axis=1)
    expected = digits.forward(parameters, images)[-1].argmax(axis=1)
    assert (found == expected).mean() >= kind.agreement
    assert (found == labels).mean() >= 0.9
