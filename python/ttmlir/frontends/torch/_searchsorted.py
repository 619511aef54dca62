"""Binary search in sorted sequences, written with PyTorch functions."""

from __future__ import annotations

from typing import Any

import torch


def searched(
    sorted_sequence: torch.Tensor,
    self: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: torch.Tensor | None = None,
) -> torch.Tensor:
    """The indices of ``torch.searchsorted``.

    The steps are PyTorch's own, so that the results for NaN and unsorted values match as well.
    """
    right = right or side == "right"
    sequence = sorted_sequence if sorter is None else sorted_sequence.gather(-1, sorter.long())
    kind = torch.result_type(sorted_sequence, self)
    if isinstance(self, torch.Tensor):
        wanted = self.to(kind)
    else:
        wanted = torch.full((), self, dtype=kind, device=sequence.device)
    is_shared = sequence.dim() == 1
    # An index without dimensions would be interpreted as a number.
    values = wanted.reshape(-1) if is_shared else wanted
    sequence, extent = sequence.to(kind), sequence.shape[-1]
    begin = torch.zeros(values.shape, dtype=torch.int64, device=sequence.device)
    end = torch.full_like(begin, extent)
    for _ in range(extent.bit_length()):
        middle = (begin + end) // 2
        inside = middle.clamp(max=extent - 1)
        seen = sequence.index_select(0, inside) if is_shared else sequence.gather(-1, inside)
        is_behind = torch.logical_not(seen > values if right else seen >= values)
        is_open = begin < end
        begin = torch.where(is_open & is_behind, middle + 1, begin)
        end = torch.where(is_open & ~is_behind, middle, end)
    begin = begin.reshape(wanted.shape)
    return begin.to(torch.int32) if out_int32 else begin


def bucketized(
    self: Any, boundaries: torch.Tensor, *, out_int32: bool = False, right: bool = False
) -> torch.Tensor:
    """The indices of ``torch.bucketize``."""
    return searched(boundaries, self, out_int32=out_int32, right=right)
