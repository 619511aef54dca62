"""The names that scripts import from the extension module; the package has all of them."""

from __future__ import annotations

from ttrt import binary
from ttrt.binary import *

__all__: list[str] = []
__all__ += binary.__all__
