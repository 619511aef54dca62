"""Embedding bags with sum, mean or maximum, written with PyTorch functions."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

_SUM, _MEAN, _MAX = 0, 1, 2
Results = tuple[Tensor, Tensor, Tensor, Tensor]


def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Results:
    """Returns the reduced bags, the bag of each index, the number of indices that count in each
    bag, and the index of each maximum."""
    device, count = weight.device, indices.shape[0]
    bags = offsets.shape[0] - include_last_offset
    bag = _bag_of_each(offsets[:bags], count)
    rows = weight[indices]
    wide = rows.float() if rows.dtype in (torch.bfloat16, torch.float16) else rows
    kept = torch.ones(count, dtype=torch.bool, device=device)
    if padding_idx >= 0:
        kept = indices != padding_idx
    zeros = torch.zeros(bags, dtype=torch.int64, device=device)
    counted = zeros.index_add(0, bag, kept.long())
    if mode == _MAX:
        found, chosen = _maxima(wide, bag, kept, counted, indices)
        return found.to(weight.dtype), bag, counted, chosen
    if include_last_offset and padding_idx < 0:
        # PyTorch leaves indices after the last offset out of sums, but counts them.
        kept = torch.arange(count, device=device) < offsets[-1]
    if per_sample_weights is not None:
        wide = wide * per_sample_weights.to(wide.dtype).unsqueeze(1)
    wide = torch.where(kept.unsqueeze(1), wide, 0.0)
    empty = torch.zeros(bags, weight.shape[1], dtype=wide.dtype, device=device)
    total = empty.index_add(0, bag, wide)
    if mode == _MEAN:
        mean = total / counted.clamp(min=1).to(wide.dtype).unsqueeze(1)
        return mean.to(weight.dtype), bag, counted, counted
    is_fast = padding_idx < 0 and weight.dtype != torch.float64
    return total.to(weight.dtype), bag[: 0 if is_fast else count], zeros, zeros


def embedding_bag_forward_only(
    weight: Tensor, indices: Tensor, offsets: Tensor, *options: Any, **named: Any
) -> Results:
    """Like ``embedding_bag``; there are as many counts as offsets."""
    found, bag, counted, chosen = embedding_bag(weight, indices, offsets, *options, **named)
    # With the last offset there is one more offset than bags.
    missing = offsets.shape[0] - counted.shape[0]
    return found, bag, torch.nn.functional.pad(counted, (0, missing)), chosen


def embedding_renorm(self: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Returns the weights, with the rows at ``indices`` scaled to at most the norm ``max_norm``."""
    named = torch.zeros(self.shape[0], dtype=torch.int64, device=self.device)
    named = named.index_fill(0, indices.reshape(-1).long(), 1)
    norm = torch.linalg.vector_norm(self, norm_type, 1, True)
    is_long = (norm > max_norm) & (named > 0).unsqueeze(1)
    return torch.where(is_long, self * (max_norm / (norm + 1e-7)), self)


def _bag_of_each(starts: Tensor, count: int) -> Tensor:
    """Returns the bag of each of ``count`` indices: the last one that starts at it or before."""
    ones = torch.ones(starts.shape, dtype=torch.int64, device=starts.device)
    zeros = torch.zeros(count + 1, dtype=torch.int64, device=starts.device)
    return zeros.index_add(0, starts.long(), ones)[:count].cumsum(0) - 1


def _maxima(
    rows: Tensor, bag: Tensor, kept: Tensor, counted: Tensor, indices: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns the maximum of each bag and the indices of its rows; 0 for an empty bag."""
    bags, (count, width) = counted.shape[0], rows.shape
    place = bag.unsqueeze(1).expand(count, width)
    least = torch.full((bags, width), -math.inf, dtype=rows.dtype, device=rows.device)
    rows = torch.where(kept.unsqueeze(1), rows, -math.inf)
    found = least.scatter_reduce(0, place, rows, "amax")
    numbers = torch.arange(count, device=rows.device).unsqueeze(1).expand(count, width)
    is_most = (rows == found.gather(0, place)) & kept.unsqueeze(1)
    last = torch.full((bags, width), count - 1, dtype=torch.int64, device=rows.device)
    first = last.scatter_reduce(0, place, torch.where(is_most, numbers, count - 1), "amin")
    filled = (counted > 0).unsqueeze(1)
    return torch.where(filled, found, 0.0), torch.where(filled, indices[first].long(), 0)


# Gradients ---------------------------------------------------------------------------------------


def embedding_bag_backward(
    grad: Tensor,
    indices: Tensor,
    offsets: Tensor,
    offset2bag: Tensor,
    bag_size: Tensor,
    maximum_indices: Tensor,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Tensor | None,
    padding_idx: int = -1,
) -> Tensor:
    """Dense gradient of the weights."""
    device, (bags, width) = grad.device, grad.shape
    zeros = torch.zeros(num_weights, width, dtype=grad.dtype, device=device)
    if mode == _MAX:
        seen = torch.where((bag_size[:bags] > 0).unsqueeze(1), grad, 0.0)
        return zeros.scatter_add(0, maximum_indices.long(), seen)
    bag = _bag_of_each(offsets[:bags], indices.shape[0])
    rows = grad[bag]
    if mode == _MEAN:
        rows = rows / bag_size[bag].clamp(min=1).to(grad.dtype).unsqueeze(1)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.to(grad.dtype).unsqueeze(1)
    if scale_grad_by_freq:
        ones = torch.ones(indices.shape, dtype=grad.dtype, device=device)
        often = torch.zeros(num_weights, dtype=grad.dtype, device=device)
        rows = rows / often.index_add(0, indices, ones)[indices].unsqueeze(1)
    if padding_idx >= 0:
        rows = torch.where((indices != padding_idx).unsqueeze(1), rows, 0.0)
    return zeros.index_add(0, indices, rows)


def per_sample_weights_backward(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    offset2bag: Tensor,
    mode: int,
    padding_idx: int = -1,
) -> Tensor:
    """Gradient of the per-sample weights."""
    bag = _bag_of_each(offsets[: grad.shape[0]], indices.shape[0])
    found = (grad[bag] * weight[indices]).sum(1)
    return found if padding_idx < 0 else torch.where(indices != padding_idx, found, 0.0)
