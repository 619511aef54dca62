"""The elements of a buffer."""

from __future__ import annotations

import numpy as np

from jax_plugins.ttmlir._types import Array, DType
from ttmlir import Executable, InputError, runtime
from ttmlir._host import Host, widen
from ttmlir.executable import TensorInfo


class Value:
    """An array of JAX on a chip: a tensor in its DRAM, or, until a program takes it, an array of
    the host that nobody changes. At least one of both is there. Used by the worker only."""

    __slots__ = ("_array", "_backend", "_host", "_tensor", "dtype", "shape")

    def __init__(
        self,
        dtype: DType,
        shape: tuple[int, ...],
        *,
        array: Array | None = None,
        tensor: runtime.Tensor | None = None,
        host: Host | None = None,
        backend: str = "",
    ) -> None:
        self.dtype, self.shape = dtype, shape
        self._array, self._tensor, self._host = array, tensor, host
        # Each backend has a machine of its own.
        self._backend = backend

    def array(self) -> Array:
        """The elements on the host, not to be changed."""
        if self._array is not None:
            return self._array
        assert self._tensor is not None
        array = widen(runtime.to_numpy(self._tensor), self._host)
        return array.astype(self.dtype, copy=False).reshape(self.shape)

    def tensor(
        self, executable: Executable, index: int, info: TensorInfo, device: runtime.Device
    ) -> runtime.Tensor:
        """The elements as an input of a program on this chip."""
        tensor = self._tensor
        if tensor is not None and self._backend == executable.backend and info.accepts(tensor):
            # Itself, but for tensors that a program has left in another layout.
            return runtime.to_layout(tensor, device, executable.binary, 0, index)
        placed = self.copy(executable, index, device)
        # An array that the chip has rounded stays on the host.
        if _is_exact(self.dtype, info):
            self._tensor, self._host, self._array = placed, info.host, None
            self._backend = executable.backend
        return placed

    def copy(self, executable: Executable, index: int, device: runtime.Device) -> runtime.Tensor:
        """The elements as an input of a program that may change them."""
        try:
            return executable.place(index, self.array(), device=device)
        except InputError as error:
            raise InputError(str(error).replace("input ", "argument ", 1)) from None


def _is_exact(dtype: DType, info: TensorInfo) -> bool:
    """Whether the chip has the very elements. Integers of 64 bits are checked before they are
    narrowed."""
    if dtype.kind in "iub":
        return True
    return runtime.host_dtype(info.data_type) == dtype and dtype == np.dtype(info.dtype)
