"""Networks in TOSA that upstream's passes lower to linalg, in several forms, run as linalg."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from models import networks, reference, tosa

import ttmlir

TOOL = Path(sysconfig.get_path("purelib")) / "mlir" / "bin" / "mlir-opt"

LOWER = "func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor)"
GENERALIZE = "func.func(linalg-generalize-named-ops)"
FORMS = {
    "named": [LOWER],
    "generic": [LOWER, GENERALIZE],
    "fused": [LOWER, "linalg-fuse-elementwise-ops"],
    "generic and fused": [LOWER, GENERALIZE, "linalg-fuse-elementwise-ops"],
    "without unit extents": [LOWER, "func.func(linalg-fold-unit-extent-dims)"],
    "generic, without unit extents": [
        LOWER,
        GENERALIZE,
        "func.func(linalg-fold-unit-extent-dims)",
    ],
}


@pytest.mark.skipif(not TOOL.exists(), reason="mlir-opt is not installed")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["resnet_block", "encoder_block"])
def test_networks(name: str, form: str) -> None:
    pipeline = ",".join([*FORMS[form], "canonicalize", "cse"])
    text = getattr(networks, name)(tosa.Writer("f32")).text()
    done = subprocess.run(
        [TOOL, f"--pass-pipeline=builtin.module({pipeline})"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "tosa." not in done.stdout
    shapes = networks.RESNET_SHAPES if name == "resnet_block" else networks.ENCODER_SHAPES
    inputs = networks.random_inputs(shapes, seed=1)
    got = ttmlir.compile(done.stdout)(*inputs.values())
    want = np.asarray(getattr(reference, name)(inputs))
    assert np.abs(got - want).max() <= 2e-5 * want.std()
