"""The emulated chips as a backend of ``torch.compile``.

Needs the extra ``torch``: ``pip install ttmlir[torch]``. The backend is found by the name ``tt``.
"""

from __future__ import annotations

try:
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError(f"ttmlir.torch needs PyTorch: pip install ttmlir[torch] ({error})") from None

from ttmlir.torch.backend import backend

__all__ = ["backend"]
