"""Imports all handler modules, and explains why an op has no handler."""

from __future__ import annotations

from typing import Any

import torch

# Each module registers its handlers.
from ttmlir.frontends.torch import (  # noqa: F401
    _activations,
    _attention,
    _cdist,
    _complex_ops,
    _control_flow,
    _convolutions,
    _elementwise,
    _fourier,
    _grouped_mm,
    _indexing,
    _int4_weights,
    _masked_ops,
    _matmul,
    _normalization,
    _pooling,
    _prims,
    _quantization,
    _random,
    _reductions,
    _scaled_mm,
    _shapes,
    _slices,
    _sorting,
    _upsample,
)

COMPUTED = (
    "the shape of the result depends on values: use a mask and torch.where, or compute it outside"
)
#: Reasons by op name.
_ADVICE = {
    "aten._linalg_svd.default": (
        "singular values are not supported; of torch.func, the gradient of det has them: call "
        "backward() instead, or take the gradient of slogdet"
    ),
}


def why_computed(target: Any) -> str:
    """Explains why an extent that depends on values has no bound, and suggests a remedy."""
    if str(target).startswith("aten.repeat_interleave."):
        return "the number of elements depends on values: give it as output_size"
    return COMPUTED


def why_not(target: Any) -> str:
    """Explains why an op without a handler cannot be imported, and suggests a remedy."""
    if getattr(target, "__module__", "").startswith("torch._functorch."):
        return "torch.export does not trace torch.func: import what make_fx makes of the function"
    if not isinstance(target, torch._ops.OpOverload):
        return "expected ops of ATen, found another function: export the module with torch.export"
    if advice := _ADVICE.get(str(target)):
        return advice
    if torch.Tag.data_dependent_output in target.tags or (
        torch.Tag.dynamic_output_shape in target.tags
    ):
        return COMPUTED
    if target.namespace not in ("aten", "prims"):
        return "expected ops of ATen, found one of a library: write it with functions of torch"
    return "the op is not supported: rewrite the line with other functions of torch"
