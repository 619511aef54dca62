"""Makes the shared modules of the tests importable, and skips them without ONNX."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="needs onnx")
sys.path.insert(0, str(Path(__file__).parent))
