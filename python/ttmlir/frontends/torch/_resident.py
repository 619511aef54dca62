"""Parameters that stay on the device from call to call."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ttmlir import runtime
from ttmlir.executable import Executable
from ttmlir.frontends.torch._types import array_of

#: Integers of as many bytes as an element has.
_WORDS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@dataclass
class _Kept:
    """A parameter as it was seen last; from the second call on with its elements, and where the
    program has them."""

    parameter: weakref.ref[torch.Tensor]
    version: int
    elements: torch.Tensor | None = None
    placed: runtime.Tensor | None = None


class Resident:
    """Tensors on the device for parameters that are as they were in the call before.

    A change in place counts the version of a tensor up, as the steps of optimizers do, but not
    one of its ``data`` or of an array that shares its memory. So a parameter whose version is the
    same is compared with what is on the device, bit by bit; that reads its memory, which is less
    than to bring it there. One that changes between calls is neither kept nor compared.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}

    def tensor(self, executable: Executable, index: int, value: Any) -> runtime.Tensor | None:
        """What input ``index`` of the executable has on the device, None if nothing is kept."""
        if not isinstance(value, nn.Parameter) or value.is_inference():
            return None
        parameter: torch.Tensor = value
        kept = self._kept.get(index)
        if kept is None or kept.parameter() is not value or kept.version != parameter._version:
            self._kept[index] = _Kept(
                weakref.ref(parameter, self._forget(index)), parameter._version
            )
            return None
        own: torch.Tensor = parameter.detach()
        if kept.elements is None or not _equal(kept.elements, own):
            kept.elements = own.clone()
            array = array_of(kept.elements)
            array.flags.writeable = False
            kept.placed = executable.place(index, array)
        return kept.placed

    def _forget(self, index: int) -> Callable[[weakref.ref[torch.Tensor]], None]:
        """Frees what is kept of a parameter that is gone."""
        kept = self._kept

        def gone(reference: weakref.ref[torch.Tensor]) -> None:
            if index in kept and kept[index].parameter is reference:
                del kept[index]

        return gone


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether tensors have the same bits."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    words = _WORDS[a.element_size()]
    return bool(torch.equal(a.view(words), b.view(words)))
