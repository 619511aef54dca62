"""The eight chips, and eight devices of JAX's CPU to compare with: see ``test_meshes.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

# Behind the folders whose modules have names of tests here.
sys.path.append(str(Path(__file__).parent))


@pytest.fixture(scope="session")
def chips() -> Any:
    """The emulated chips, as devices of JAX."""
    import jax

    devices = jax.devices("tt")
    assert len(devices) == 8
    return devices


@pytest.fixture(scope="session")
def cpus() -> Any:
    """As many devices of JAX's CPU."""
    import jax

    devices = jax.devices("cpu")
    assert len(devices) == 8
    return devices
