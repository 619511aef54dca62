"""Keys of the optimizer's overrides.

``from ttmlir.overrides import overrides`` imports the same functions.
"""

from ._mlir_libs._ttmlir import overrides as overrides
from ._mlir_libs._ttmlir.overrides import get_ptr

__all__ = ["get_ptr", "overrides"]
