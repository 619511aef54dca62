"""Imports StableHLO, as JAX lowers its functions to it, with the bindings of jaxlib.

Needs the extra ``jax``: ``pip install ttmlir[jax]``.
"""

from __future__ import annotations

from ttmlir.frontends.stablehlo._module import Imported, TensorType, import_module

__all__ = ["Imported", "TensorType", "import_module"]
