"""Makes the shared modules of the tests importable, and skips them without PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch")
sys.path.insert(0, str(Path(__file__).parent))
