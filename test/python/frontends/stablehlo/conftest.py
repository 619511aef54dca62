"""Makes the shared modules of the tests importable, and skips them without JAX."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs jax")
sys.path.insert(0, str(Path(__file__).parent))
