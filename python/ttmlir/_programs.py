"""The programs of a compiled module, with their inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ttmlir import runtime
from ttmlir._formats import DATA_TYPES
from ttmlir._host_arrays import Host, hosts, narrow
from ttmlir.errors import Error, InputError, OutOfMemoryError


@dataclass(frozen=True)
class TensorInfo:
    """An input or output: its shape and NumPy dtype on the host, the data type on the device, and
    the device layout as text.

    ``device_shape`` is set if the program's type or shape differs from the source's ``dtype`` and
    ``shape``: int64, uint64 and float64 become 32 bits, bool 8 bits, a scalar has the shape (1,),
    a shape with an extent of 0 has one element, and complex numbers have a first dimension of
    extent 2, real and imaginary parts.

    The ``name`` of an input is that of the source, or ``arg0``, ``arg1`` and so on, and its
    ``argument_type`` is ``input``, ``parameter``, ``constant`` or ``default``. ``aliased_output``
    is the index of the output that reuses its memory if the caller donates the input.

    ``shard_dims`` is set if the chips of a mesh keep shards of the tensor between calls: it lists
    the dimension that each mesh axis shards, or None. Shapes are those of the whole tensor: a call
    shards array arguments and joins results into arrays.
    """

    shape: tuple[int, ...]
    dtype: str
    data_type: str
    layout: str = ""
    device_shape: tuple[int, ...] | None = None
    name: str = ""
    argument_type: str = "input"
    aliased_output: int | None = None
    shard_dims: tuple[int | None, ...] | None = None
    shard_shape: tuple[int, ...] | None = None
    """The shape of a shard in the program."""

    @property
    def is_parameter(self) -> bool:
        """Whether it is usually the same tensor in many calls."""
        return self.argument_type in ("parameter", "constant")

    # Cached, because every call needs the following.

    @cached_property
    def _numpy(self) -> np.dtype[Any]:
        """The NumPy dtype for ``dtype``."""
        return np.dtype(self.dtype)

    @cached_property
    def _type(self) -> runtime.DataType:
        return runtime.DataType[self.data_type]

    @cached_property
    def _own_shape(self) -> list[int]:
        """The shape in the program, in the form in which tensors return theirs."""
        return list(self.shape if self.device_shape is None else self.device_shape)

    @cached_property
    def _source(self) -> Host | None:
        """Type and shape in the source, if the program's differ."""
        return None if self.device_shape is None else Host(self._numpy, self.shape)

    @property
    def host(self) -> Host | None:
        """Type and shape of host arrays, if the program's differ."""
        return self._source

    def accepts(self, tensor: runtime.Tensor) -> bool:
        """Whether the tensor has exactly the type and shape of the program."""
        return tensor.dtype is self._type and self._has_shape(tensor)

    def _has_shape(self, tensor: runtime.Tensor) -> bool:
        shape = tensor.shape
        if shape == self._own_shape or self.shard_shape is None:
            return shape == self._own_shape
        # Shards that the caller has joined.
        return bool(tensor.mesh_shape) and shape == list(self.shard_shape)

    def __str__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        stored = f" as {self.data_type}" if DATA_TYPES[self.data_type].block else ""
        return f"{shape} {self.dtype}{stored}"


@dataclass(frozen=True)
class Program:
    """One function of the compiled module."""

    index: int
    name: str
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    mesh_shape: tuple[int, ...] = (1, 1)
    chip_ids: tuple[int, ...] = ()
    """Chips of the mesh, row-major; empty for the first one of the device."""
    variables: tuple[str, ...] = ()
    """Names of the variables that it reads or writes; they keep their values between calls."""

    def __str__(self) -> str:
        inputs = ", ".join(map(str, self.inputs))
        outputs = ", ".join(map(str, self.outputs))
        mesh = f" on mesh {'x'.join(map(str, self.mesh_shape))}" if len(self.chip_ids) > 1 else ""
        return f"{self.name}({inputs}) -> {outputs}{mesh}"


def run_error(program: Program, error: runtime.RuntimeError) -> Error:
    """Converts an error of the runtime to one that names the program."""
    kind = OutOfMemoryError if isinstance(error, runtime.OutOfMemoryError) else Error
    return kind(f"{program.name}: {error}")


# Arguments ---------------------------------------------------------------------------------------


def to_tensor(value: Any, info: TensorInfo) -> runtime.Tensor:
    """Converts an array or a number to a tensor of the program's type and shape."""
    dtype = info._numpy
    if info.device_shape is None:
        return runtime.from_array(value, dtype)
    array = runtime.to_host_array(value, dtype)
    if array.shape != info.shape or not np.can_cast(array.dtype, dtype, "safe"):
        shape = "x".join(map(str, array.shape)) or "scalar"
        raise ValueError(f"found {shape} {array.dtype.name}")
    if dtype.kind == "c":
        array = array.astype(dtype, copy=False)
    return runtime.from_numpy(narrow(array, runtime.host_dtype(info.data_type), info.device_shape))


def check(where: str, info: TensorInfo, tensor: runtime.Tensor) -> None:
    """Raises InputError unless the program accepts the tensor. Block-float inputs also accept the
    wider formats, which the device converts, and integer inputs accept any integer type of their
    width."""
    if info.accepts(tensor):
        return
    shape, data_type = tuple(tensor.shape), tensor.dtype.name
    accepted = {info.data_type}
    if DATA_TYPES[info.data_type].block:
        accepted |= {"Float32", "BFloat16"}
    for width in ("32", "16", "8"):
        if info.data_type in (f"UInt{width}", f"Int{width}"):
            accepted |= {f"UInt{width}", f"Int{width}"}
    if not info._has_shape(tensor) or data_type not in accepted:
        dtype = runtime.host_dtype(data_type).name
        found = TensorInfo(shape, dtype, data_type)
        raise InputError(f"{where}: expected {info}, found {found}")


# Files -------------------------------------------------------------------------------------------


def program_of(binary: runtime.Binary, index: int) -> Program:
    """Returns the program of that index in a file."""
    mesh_shape, chip_ids = binary.get_program_mesh(index)
    return Program(
        index,
        binary.get_program_name(index),
        _infos(
            binary.get_program_inputs(index),
            binary.get_program_input_layouts(index),
            hosts(binary, index, inputs=True),
            binary.get_program_arguments(index),
        ),
        _infos(
            binary.get_program_outputs(index),
            binary.get_program_output_layouts(index),
            hosts(binary, index, inputs=False),
        ),
        tuple(mesh_shape),
        tuple(chip_ids),
        tuple(binary.get_program_variables(index)),
    )


def _infos(
    descs: Sequence[runtime.TensorDesc],
    layouts: Sequence[str],
    sources: Sequence[Host | None],
    arguments: Sequence[tuple[str, str, int]] = (),
) -> tuple[TensorInfo, ...]:
    """Describes the inputs, if arguments are given, or else the outputs."""
    infos = []
    for i, (d, layout, host) in enumerate(zip(descs, layouts, sources, strict=True)):
        shape = tuple(d.shape)
        info = TensorInfo(shape, runtime.host_dtype(d.dtype).name, d.dtype.name, layout)
        if host is not None:
            info = TensorInfo(host.shape, host.dtype.name, d.dtype.name, layout, shape)
        if d.shard_dims:
            dims = tuple(None if dim < 0 else dim for dim in d.shard_dims)
            info = replace(info, shard_dims=dims, shard_shape=tuple(d.shard_shape))
        if arguments:
            name, kind, output = arguments[i]
            info = replace(
                info,
                name=name or f"arg{i}",
                argument_type=kind,
                aliased_output=output if output >= 0 else None,
            )
        infos.append(info)
    return tuple(infos)
