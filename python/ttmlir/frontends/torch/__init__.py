"""Imports PyTorch programs exported by ``torch.export``.

Needs the extra ``torch``: ``pip install ttmlir[torch]``.
"""

from __future__ import annotations

try:
    import torch  # noqa: F401
except ImportError as error:
    message = f"ttmlir.frontends.torch needs PyTorch: pip install ttmlir[torch] ({error})"
    raise ImportError(message) from None

from ttmlir.frontends.dtype_policy import DTypes
from ttmlir.frontends.torch._program import Imported, State, TensorType, import_program

__all__ = ["DTypes", "Imported", "State", "TensorType", "import_program"]
