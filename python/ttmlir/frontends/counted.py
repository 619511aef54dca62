"""Results whose extent depends on values: computed up to a bound, with the number of elements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttmlir.builder import Builder, Tensor
from ttmlir.errors import Error

#: Why such a value cannot be an operand, and a remedy.
ONLY_RESULT = (
    "its operand has an extent that depends on values: only a result of the program may have one; "
    "use a mask instead"
)
#: Why such a result cannot stay on the device.
CUT = "keep_on_device: a result whose extent depends on values is cut to size on the host"


@dataclass(frozen=True)
class Counted:
    """A value of which only the first elements along ``dim`` exist: as many as ``count`` (1,)."""

    value: Tensor
    count: Tensor
    dim: int


@dataclass(frozen=True)
class CountedOutput:
    """A result of a program that the host cuts to size: the indices of its outputs with the
    elements and with their number."""

    number: int
    count: int
    dim: int


def chosen(b: Builder, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the places of the true elements of a mask (n,) in order, followed by the others, and
    the number of the former, of shape (1,)."""
    order = b.argsort(b.typecast(b.logical_not(mask), "i32"), 0)
    return order, b.sum(b.typecast(mask, "i32"), (0,), True)


def check_no_counts(outputs: Iterable[object]) -> None:
    """Raises Error if a result is cut to size by the host."""
    if any(isinstance(output, CountedOutput) for output in outputs):
        raise Error("results whose extents depend on values cannot be compared")
