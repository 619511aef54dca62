"""What scripts import of the extension itself: the package has it all."""

from __future__ import annotations

from ttrt import binary
from ttrt.binary import *

__all__: list[str] = []
__all__ += binary.__all__
