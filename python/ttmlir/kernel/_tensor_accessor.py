"""Access to pages of tensors in kernels."""

from __future__ import annotations

from ttmlir.kernel import _emit, _values
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import Tensor
from ttmlir.kernel._values import Int, Value


def tensor_accessor(tensor: Tensor, base_address: Int | None = None) -> Value:
    """Returns an accessor with which ``noc_async_read_page`` and similar functions address pages.

    Args:
        tensor: of the program.
        base_address: overrides the tensor's address, for another tensor with the same layout.
    """
    if not isinstance(tensor, Tensor):
        raise BuildError(f"tensor: expected a tensor, found {type(tensor).__name__}")
    _values.own_tensor(tensor, "tensor")
    base = _values.number(tensor.address if base_address is None else base_address)
    return _emit.value(
        "tensor_accessor", [base], {"args": _emit.attribute(tensor.accessor_args)}, "accessor"
    )
