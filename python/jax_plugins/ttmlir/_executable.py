"""Compiled programs."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jax_plugins.ttmlir._buffers import Place
from jax_plugins.ttmlir._devices import System
from jax_plugins.ttmlir._errors import Code, PluginError
from jax_plugins.ttmlir._mesh import Mesh
from jax_plugins.ttmlir._options import Options
from jax_plugins.ttmlir._options import read as read_options
from jax_plugins.ttmlir._sharded_hlo import Sharded, optimized_program
from jax_plugins.ttmlir._types import DType, TensorType, dtype_of, tensor_types
from ttmlir import CompileError, Executable, runtime
from ttmlir import compile as compile_ttir
from ttmlir._host_arrays import Host
from ttmlir._version import __version__

_MAGIC = b"TTJX"
_FORMAT = 1


@dataclass(frozen=True, eq=False)
class Program:
    """A program of JAX and its executable.

    ``code`` is the program that JAX sees: the StableHLO that it passed in or, for several chips, an
    ``optimized_program``. ``inputs`` and ``outputs`` are the types of one chip's shards;
    ``donated`` are the indices of the donated inputs.
    """

    system: System
    executable: Executable
    name: str
    code: bytes
    options: Options
    inputs: Sequence[TensorType]
    outputs: Sequence[TensorType]
    donated: Sequence[int]

    @cached_property
    def mesh(self) -> Mesh:
        """The chips of the program."""
        return Mesh.of(self.executable, self.options.chips, self.system.division)

    @cached_property
    def device(self) -> runtime.Device:
        """The device that it runs on. Used by the worker only, like all properties below."""
        chips = self.options.chips
        return self.system.device(self.executable.backend, chips[0] if len(chips) == 1 else None)

    @cached_property
    def places(self) -> list[list[Place]]:
        """The destination of each input on each chip of this process, in the order of the device
        assignment."""
        return [
            [Place(self.executable, i, info, self.device, p) for p in self.mesh.positions]
            for i, info in enumerate(self.executable.inputs)
        ]

    @cached_property
    def binary(self) -> bytes:
        return self.executable.binary.to_bytes()

    @cached_property
    def fingerprint(self) -> str:
        """Equal for programs that do the same on the same chips."""
        found = hashlib.sha256(self.binary)
        own = (self.name, self.options.chips, self.donated, self.executable.numerics)
        found.update(repr(own).encode())
        if len(self.options.chips) > 1:  # Then the code has the shardings.
            found.update(self.code)
        return found.hexdigest()

    @cached_property
    def results(self) -> list[tuple[DType, tuple[int, ...], Host | None]]:
        """Type, shape and host form of each output."""
        return [
            (dtype_of(number), shape, info.host)
            for (number, shape), info in zip(self.outputs, self.executable.outputs, strict=False)
        ]

    def described(self) -> tuple[Any, ...]:
        """The properties of the program that the extension module reports to JAX."""
        options = self.options
        return (
            self.name,
            self.fingerprint,
            self.code,
            options.serialized,
            options.assignment,
            options.replicas,
            options.partitions,
            list(self.inputs),
            list(self.outputs),
            list(self.donated),
            list(options.chips),
            len(self.binary),
        )

    def serialize(self) -> bytes:
        """Serializes the program for JAX's compilation cache; ``load_program`` reads it."""
        header = json.dumps(
            {
                "version": __version__,
                "system": hashlib.sha256(_system_text(self.executable).encode()).hexdigest(),
                "name": self.name,
                "inputs": self.inputs,
                "outputs": self.outputs,
                "donated": self.donated,
                "chips": self.options.chips,
            }
        ).encode()
        parts = (header, self.options.serialized, self.code, self.binary)
        sizes = struct.pack("<I4Q", _FORMAT, *map(len, parts))
        return b"".join((_MAGIC, sizes, *parts))


def _system_text(executable: Executable) -> str:
    content = json.loads(executable.system_desc.as_json())["system_desc"]
    return json.dumps(content, sort_keys=True)


def compile_program(code: bytes, options: Options, system: System) -> Program:
    """Compiles StableHLO for chips of the system.

    Raises:
        PluginError: an op is not supported, the program has both partitions and replicas, or it is
            for another number of chips than the options.
        CompileError: it does not parse, verify or lower.
        Error: an option has a wrong value.
    """
    from ttmlir.frontends.stablehlo import import_module

    name = _module_name(code)
    system.division.check(name, options.chips)
    try:
        imported = import_module(
            code, name=name, whole=False, devices=options.chips, system=system.desc
        )
    except CompileError as error:
        raise PluginError(Code.UNIMPLEMENTED, str(error)) from None
    inputs, outputs = tensor_types(imported.local_inputs), tensor_types(imported.local_outputs)
    mesh = imported.mesh
    if (len(mesh.chips) if mesh else 1) != len(options.chips):
        raise PluginError(
            Code.INVALID_ARGUMENT,
            f"{name}: expected a program for {len(options.chips)} chips, which the options have, "
            f"found one for {len(mesh.chips) if mesh else 1}",
        )
    executable = compile_ttir(
        imported.builder,
        system_desc=system.desc,
        chip_ids=mesh.chips if mesh else options.chips,
        inputs_on_device=True,
        results_on_device=True,
        **options.keywords,
    )
    if mesh and options.partitions > 1:
        code = optimized_program(
            name,
            len(options.chips),
            Sharded(inputs, [sharding.hlo() for sharding in imported.input_shardings]),
            Sharded(outputs, [sharding.hlo() for sharding in imported.output_shardings]),
        )
    return Program(system, executable, name, code, options, inputs, outputs, list(imported.donated))


def _module_name(code: bytes) -> str:
    """JAX's name of the program, such as ``jit_step``; ``main`` for one without a name."""
    from jaxlib.mlir import ir

    from ttmlir.frontends.stablehlo._loading import read

    try:
        attributes = read(code).operation.attributes
    except CompileError:  # The importer reports the error.
        return "main"
    if "sym_name" not in attributes:
        return "main"
    return str(ir.StringAttr(attributes["sym_name"]).value)


def load_program(serialized: bytes, options: bytes | None, system: System) -> Program:
    """Loads the result of ``Program.serialize``, for the devices of ``options`` or its own.

    Raises:
        PluginError: it is damaged, or was made by another version or for another system.
    """
    begin = len(_MAGIC) + struct.calcsize("<I4Q")
    if not serialized.startswith(_MAGIC) or len(serialized) < begin:
        raise _damaged("its header is missing")
    number, *sizes = struct.unpack("<I4Q", serialized[len(_MAGIC) : begin])
    if number != _FORMAT:
        raise _other(f"its format is {number}, expected {_FORMAT}")
    if begin + sum(sizes) != len(serialized):
        raise _damaged(f"expected {begin + sum(sizes)} bytes, found {len(serialized)}")
    parts = []
    for size in sizes:
        parts.append(serialized[begin : begin + size])
        begin += size
    header, own_options, code, binary = parts
    try:
        found = json.loads(header)
        inputs, outputs = (
            [(int(number), tuple(map(int, dims))) for number, dims in found[key]]
            for key in ("inputs", "outputs")
        )
        name, donated = str(found["name"]), [int(i) for i in found["donated"]]
        version, of_system = found["version"], found["system"]
        chips = tuple(map(int, found["chips"]))
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(f"its header does not parse: {error}") from None
    if version != __version__:
        raise _other(f"it was compiled by version {version}, expected {__version__}")
    if of_system != hashlib.sha256(system.text.encode()).hexdigest():
        raise _other(f"it was compiled for a system other than {system.name}")
    chosen = read_options(options or own_options)
    if chips != chosen.chips:
        raise _other(f"it was compiled for the chips {chips}, expected {chosen.chips}")
    system.division.check(name, chips)
    executable = Executable(
        runtime.load_binary_from_bytes(binary),
        system.desc,
        numerics=chosen.keywords.get("numerics"),
    )
    if sorted(executable.programs[0].chip_ids or chips) != sorted(chips):
        raise _damaged(f"expected a program for the chips {chips}")
    return Program(system, executable, name, code, chosen, inputs, outputs, donated)


def _damaged(why: str) -> PluginError:
    return PluginError(Code.INVALID_ARGUMENT, f"not a compiled program of ttmlir: {why}")


def _other(why: str) -> PluginError:
    return PluginError(Code.FAILED_PRECONDITION, f"the compiled program cannot be used: {why}")
