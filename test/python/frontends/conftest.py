"""Makes the shared modules of the tests importable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
# The table of integers has ONNX, too.
sys.path.append(str(Path(__file__).parent / "onnx_models"))
