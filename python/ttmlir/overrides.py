"""What overrides of the optimizer are keyed by.

``from ttmlir.overrides import overrides`` gives the same functions.
"""

from ._mlir_libs._ttmlir import overrides as overrides
from ._mlir_libs._ttmlir.overrides import get_ptr

__all__ = ["get_ptr", "overrides"]
