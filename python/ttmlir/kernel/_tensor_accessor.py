"""Tensors of the program as kernels find their pages."""

from __future__ import annotations

from ttmlir.kernel import _emit, _values
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import Tensor
from ttmlir.kernel._values import Int, Value


def tensor_accessor(tensor: Tensor, base_address: Int | None = None) -> Value:
    """What ``noc_async_read_page`` and its kin find the pages of a tensor with.

    Args:
        tensor: of the program.
        base_address: where the tensor begins, if another one of its form is meant.
    """
    if not isinstance(tensor, Tensor):
        raise BuildError(f"tensor: expected a tensor, found {type(tensor).__name__}")
    _values.own_tensor(tensor, "tensor")
    base = _values.number(tensor.address if base_address is None else base_address)
    return _emit.value(
        "tensor_accessor", [base], {"args": _emit.attribute(tensor.accessor_args)}, "accessor"
    )
