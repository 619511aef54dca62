"""The emulated chips as a backend of ``torch.compile`` with the name ``tt``.

Needs the extra ``torch``: ``pip install ttmlir[torch]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttmlir.torch._backend import backend

__all__ = ["backend"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'ttmlir.torch' has no attribute '{name}'")
    from ttmlir.torch import _backend

    return _backend.backend
