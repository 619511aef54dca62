"""All handlers, and what is said of ops that have none."""

from __future__ import annotations

from typing import Any

import torch

from ttmlir.frontends.torch import (
    _activations,
    _attention,
    _control,
    _convolutions,
    _distances,
    _elementwise,
    _groups,
    _indexing,
    _masks,
    _normalization,
    _orders,
    _pooling,
    _prims,
    _products,
    _random,
    _reductions,
    _resampling,
    _shapes,
)

MODULES = (
    _activations,
    _attention,
    _control,
    _convolutions,
    _distances,
    _elementwise,
    _groups,
    _indexing,
    _masks,
    _normalization,
    _orders,
    _pooling,
    _prims,
    _products,
    _random,
    _reductions,
    _resampling,
    _shapes,
)

COMPUTED = (
    "the shape of the result depends on values: use a mask and torch.where, or compute it outside"
)
#: By name.
_ADVICE = {
    "aten._linalg_svd.default": (
        "singular values are not supported; of torch.func, the gradient of det has them: call "
        "backward() instead, or take the gradient of slogdet"
    ),
}


def why_not(target: Any) -> str:
    """Why an op without a handler cannot be imported and what to do."""
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
