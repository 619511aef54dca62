"""Decompositions of PyTorch ops, except for those that TTIR has."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch._decomp import get_decompositions

#: Op packets that are not decomposed, with all their overloads.
_WHOLE = (
    "_adaptive_avg_pool2d",
    "_log_softmax",
    "_native_batch_norm_legit_functional",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_softmax",
    "_unsafe_index",
    "_upsample_nearest_exact1d",
    "_upsample_nearest_exact2d",
    "_upsample_nearest_exact3d",
    "adaptive_avg_pool1d",
    "addmm",
    "baddbmm",
    "clamp_max",
    "clamp_min",
    "convolution",
    "embedding",
    "floor_divide",
    "gelu",
    "gelu_backward",
    "hardsigmoid",
    "hardtanh",
    "index_add",
    "index_copy",
    "index_fill",
    "index_select",
    "linear",
    "masked_fill",
    "mish",
    "native_batch_norm",
    "native_group_norm",
    "native_layer_norm",
    "rms_norm",
    "scaled_dot_product_attention",
    "select_scatter",
    "silu",
    "slice_scatter",
    "split_with_sizes",
    "stack",
    "threshold_backward",
    "upsample_bicubic2d",
    "upsample_bilinear2d",
    "upsample_linear1d",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_trilinear3d",
    "var_mean",
)
#: Core ops that are nevertheless decomposed.
_TAKEN_APART = (
    "col2im",
    "embedding_dense_backward",
    "grid_sampler_2d",
    "native_group_norm_backward",
    "native_layer_norm_backward",
    "native_batch_norm_backward",
    "reflection_pad1d",
    "reflection_pad2d",
    "reflection_pad3d",
    "replication_pad1d",
    "replication_pad2d",
    "replication_pad3d",
    "upsample_bilinear2d_backward",
)
Table = dict[Any, Callable[..., Any]]


def _overloads(name: str) -> list[Any]:
    packet = getattr(torch.ops.aten, name, None)
    return [getattr(packet, o) for o in packet.overloads()] if packet is not None else []


@functools.cache
def _kept() -> frozenset[Any]:
    return frozenset(op for name in _WHOLE for op in _overloads(name))


def decompositions() -> Table:
    """Returns the table for ``ExportedProgram.run_decompositions`` and for AOTAutograd."""
    return dict(_decompositions())


@functools.cache
def _decompositions() -> Table:
    table: Any = torch.export.default_decompositions()
    apart = [op for name in _TAKEN_APART for op in _overloads(name)]
    for op, function in get_decompositions(apart).items():
        table[op] = function
    for op in _kept():
        table.pop(op, None)
    return table  # type: ignore[no-any-return]


def portable() -> AbstractContextManager[None]:
    """Prevents decompositions into ops of CPU libraries in the block."""
    return torch.backends.mkldnn.flags(enabled=False)  # type: ignore[no-untyped-call, no-any-return]
