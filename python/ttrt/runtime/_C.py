"""The names that scripts import from the extension module; it has more than the package."""

from __future__ import annotations

from ttmlir.runtime import get_available_runtimes
from ttrt import runtime
from ttrt.runtime import *

__all__ = ["get_available_runtimes"]
__all__ += runtime.__all__
