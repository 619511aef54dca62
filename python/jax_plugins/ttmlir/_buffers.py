"""Buffers of JAX on the chips."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jax_plugins.ttmlir._devices import System
from jax_plugins.ttmlir._types import Array, DType
from ttmlir import Executable, InputError, runtime
from ttmlir._host_arrays import Host, widen
from ttmlir.executable import TensorInfo


@dataclass(frozen=True, slots=True)
class Place:
    """Destination of a program input: the chip at a position of the mesh."""

    executable: Executable
    index: int
    info: TensorInfo
    device: runtime.Device
    position: int


class Value:
    """An array of JAX on a chip: a tensor in its DRAM or, until a program takes it, an immutable
    array on the host. At least one of the two exists. Used by the worker only.

    ``stored`` is its size on the chip in bytes, or a lower bound if it is not there yet.
    """

    __slots__ = ("_array", "_backend", "_host", "_tensor", "dtype", "shape", "stored")

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
        self.stored = dtype.itemsize * math.prod(shape) if tensor is None else tensor.device_bytes

    def array(self) -> Array:
        """Returns the elements as an array on the host, which must not be changed."""
        if self._array is not None:
            return self._array
        assert self._tensor is not None
        array = widen(runtime.to_numpy(self._tensor), self._host)
        return array.astype(self.dtype, copy=False).reshape(self.shape)

    def tensor(self, place: Place) -> runtime.Tensor:
        """Returns the elements as an input of a program on this chip."""
        tensor, executable = self._tensor, place.executable
        is_of = tensor is not None and self._backend == executable.backend
        if tensor is not None and is_of and place.info.accepts(tensor):
            # The tensor itself, unless a program has left it in another layout.
            return runtime.to_layout(
                tensor, place.device, executable.binary, 0, place.index, place.position
            )
        placed = self.copy(place)
        # An array that the chip has rounded also stays on the host.
        if _is_exact(self.dtype, place.info):
            self._tensor, self._host, self._array = placed, place.info.host, None
            self._backend = executable.backend
            self.stored = placed.device_bytes or self.stored
        return placed

    def copy(self, place: Place) -> runtime.Tensor:
        """Returns the elements as an input that the program may overwrite."""
        try:
            return place.executable.place(
                place.index, self.array(), device=place.device, position=place.position
            )
        except InputError as error:
            raise InputError(str(error).replace("input ", "argument ", 1)) from None

    def moved(self, system: System, chip: int) -> Value:
        """Copies the elements to another chip, without going through the host."""
        if self._tensor is None or not self._tensor.is_on_device:
            return Value(self.dtype, self.shape, array=self.array())
        device = system.device(self._backend)
        tensor = runtime.copy_to_chip(self._tensor, device, chip)
        return Value(self.dtype, self.shape, tensor=tensor, host=self._host, backend=self._backend)


def _is_exact(dtype: DType, info: TensorInfo) -> bool:
    """Whether the chip stores the elements exactly. 64-bit integers are checked before they are
    narrowed."""
    if dtype.kind in "iub":
        return True
    return runtime.host_dtype(info.data_type) == dtype and dtype == np.dtype(info.dtype)
