"""Imports StableHLO, such as JAX's lowering of functions, with the bindings of jaxlib.

Needs the extra ``jax``: ``pip install ttmlir[jax]``.
"""

from __future__ import annotations

try:
    import jaxlib.mlir  # noqa: F401
except ImportError as error:
    message = f"ttmlir.frontends.stablehlo needs jaxlib: pip install ttmlir[jax] ({error})"
    raise ImportError(message) from None

from ttmlir.frontends.stablehlo._module import Imported, TensorType, import_module

__all__ = ["Imported", "TensorType", "import_module"]
