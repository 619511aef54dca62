"""Imports whole modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxlib.mlir import ir

from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Diagnostic
from ttmlir.frontends.complex_numbers import Complex, joined, separated
from ttmlir.frontends.stablehlo._constants import Known, Value, components
from ttmlir.frontends.stablehlo._diagnostics import UnsupportedError, refusal
from ttmlir.frontends.stablehlo._importer import Importer, functions_of, signature
from ttmlir.frontends.stablehlo._loading import read
from ttmlir.frontends.stablehlo._locations import Place, place_of
from ttmlir.frontends.stablehlo._types import COMPLEX, ELEMENTS, unsupported
from ttmlir.frontends.stablehlo.spmd.device_mesh import Mesh, links_of
from ttmlir.frontends.stablehlo.spmd.partitioned_program import Partitioned, partition
from ttmlir.frontends.stablehlo.spmd.shardings import Sharding, mesh_size


class TensorType(NamedTuple):
    """Shape and NumPy type (of ``ml_dtypes`` for bfloat16) of an argument or a result."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Imported:
    """A StableHLO program converted to TTIR.

    ``builder`` is finished and can be passed to ``ttmlir.compile``. ``inputs`` and ``outputs`` are
    those of the program, in order. ``donated`` has the indices of the donated inputs. If the source
    pairs an output with a donated input, the program is built with this pairing (see
    ``ttmlir.Builder.input``), and ``aliases`` maps the input's index to the output.

    ``name`` is that of the module, such as ``jit_step``; empty if it has none.

    A program of several devices has a ``mesh``, whose chips are to be passed to ``ttmlir.compile``
    as ``chip_ids``. ``input_shardings`` and ``output_shardings`` describe the parts of ``inputs``
    and ``outputs`` on each chip; ``local_inputs`` and ``local_outputs`` are the types of these
    parts.

    A program without outputs has a dummy output of one element.
    """

    builder: Builder
    inputs: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]
    donated: tuple[int, ...]
    aliases: dict[int, int]
    name: str = ""
    mesh: Mesh | None = None
    input_shardings: tuple[Sharding, ...] = ()
    output_shardings: tuple[Sharding, ...] = ()

    @property
    def local_inputs(self) -> tuple[TensorType, ...]:
        """The types of one chip's inputs."""
        return _local(self.inputs, self.input_shardings)

    @property
    def local_outputs(self) -> tuple[TensorType, ...]:
        """The types of one chip's outputs."""
        return _local(self.outputs, self.output_shardings)


def _local(types: Sequence[TensorType], shardings: Sequence[Sharding]) -> tuple[TensorType, ...]:
    if not shardings:
        return tuple(types)
    return tuple(
        TensorType(s.local(t.shape), t.dtype) for t, s in zip(types, shardings, strict=True)
    )


def import_module(
    source: Any,
    *,
    name: str = "main",
    whole: bool = True,
    devices: Sequence[int] | None = None,
    system: Any = None,
) -> Imported:
    """Imports a StableHLO program.

    Args:
        source: text, MLIR bytecode, a portable artifact, the path of a file with one of these, a
            ``jax.export.Exported``, also serialized, the result of ``jax.jit(f).trace(...)`` or its
            ``lower(lowering_platforms=("tt",))``, or a module of jaxlib's bindings, which is
            not changed.
        name: of the function to build.
        whole: for a program of several devices, whether arguments and results are whole host
            arrays, which the program splits and joins; otherwise they are the parts of each chip.
        devices: the chip id of each partition; by default chips that suit the program.
        system: the ``ttmlir.runtime.SystemDesc`` of the chips, which describes their links;
            without it, ``ttmlir.compile`` rejects a mesh that the system does not have.

    Raises:
        CompileError: the source does not parse, or has unsupported ops or types, listed with the
            Python line of each; or the chips do not form a mesh.
        FileError: the file cannot be read.
        TypeError: the type of the source is not supported.

    Example:
        >>> import ttmlir
        >>> from ttmlir.frontends.stablehlo import import_module
        >>> program = import_module('''
        ... func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
        ...   %0 = stablehlo.add %x, %x : tensor<32xf32>
        ...   return %0 : tensor<32xf32>
        ... }''')
        >>> program.inputs
        (TensorType(shape=(32,), dtype=dtype('float32')),)
        >>> ttmlir.compile(program.builder)
        <ttmlir.Executable main(32 float32) -> 32 float32>
    """
    module = read(source)
    with module.context:
        return _import(module, name, whole, devices, system)


def _import(
    module: Any,
    name: str,
    whole: bool,
    devices: Sequence[int] | None,
    system: Any,
) -> Imported:
    functions = functions_of(module)
    own = _module_name(module)
    program = own or name
    main = main_of(functions)
    count = _partitions(module, program, whole)
    _check_signature(main, program)
    inputs = [TensorType(*kind) for kind in signature(main, results=False)]
    outputs = [TensorType(*kind) for kind in signature(main, results=True)]
    divided = None
    if count > 1:
        divided = _divide(module, main, program, count, whole, devices, system)
        main, functions = divided.main, divided.functions
    mesh = divided.mesh if divided else None
    builder = Builder(name, mesh_shape=mesh.shape if mesh else ())
    importer = Importer(builder, functions, mesh)
    block = main.regions[0].blocks[0]
    if found := list(importer.check(block)):
        raise refusal(program, found)
    shardings = (divided.inputs, divided.outputs) if divided else ((), ())
    locals_ = [_local(t, s) for t, s in zip((inputs, outputs), shardings, strict=True)]
    donated, aliases = _donations(main, *locals_)
    if divided and whole:
        aliases = {}  # The arrays are on the host.
    cuts = [_cuts(divided, s) if whole else None for s in shardings]
    arguments: list[Value] = []
    for i, (argument, kind) in enumerate(
        zip(block.arguments, inputs if whole else locals_[0], strict=True)
    ):
        place = place_of(argument.location)
        is_complex, (shape, dtype) = kind.dtype.kind == "c", _stored(kind)
        with builder.located(place.file, place.line, place.column):
            x = builder.input(
                _argument_name(place, i), shape, dtype, donated=i in aliases, is_complex=is_complex
            )
            x = builder.mesh_shard(x, _cut(cuts[0][i], is_complex)) if cuts[0] else x
            arguments.append(separated(builder, x) if is_complex else x)
    try:
        values = importer.run(block, arguments)
        results = [_result(importer, value) for value in values]
    except UnsupportedError as error:
        raise refusal(program, [error]) from error.__cause__
    except ValueError as error:
        raise refusal(program, [UnsupportedError("func.return", str(error), Place())]) from error
    complex_results = [i for i, kind in enumerate(outputs) if kind.dtype.kind == "c"]
    if cuts[1]:
        results = [
            builder.mesh_gather(x, _cut(dims, i in complex_results))
            for i, (x, dims) in enumerate(zip(results, cuts[1], strict=True))
        ]
    if not results:
        results = [importer.tensor(Known(np.zeros((), np.float32)))]
    builder.output(*results, complex_results=complex_results)
    return Imported(builder, tuple(inputs), tuple(outputs), donated, aliases, own, mesh, *shardings)


def _stored(kind: TensorType) -> tuple[tuple[int, ...], str]:
    """Returns shape and dtype in the program, where complex numbers have a dimension for their
    parts."""
    elements = [*ELEMENTS.values(), *COMPLEX.values()]
    dtype = next(own for own, numpy in elements if numpy == kind.dtype)
    return ((2, *kind.shape) if kind.dtype.kind == "c" else kind.shape), dtype


def _cut(dims: Sequence[int | None], is_complex: bool) -> list[int | None]:
    """Returns the dimensions to split along each mesh axis, after the dimension of the parts."""
    return [None if d is None else d + is_complex for d in dims]


def _result(importer: Importer, value: Value) -> Tensor:
    tensors = [importer.tensor(part) for part in components(value)]
    if len(tensors) == 1:
        return tensors[0]
    with importer.builder.located("", 0):
        return joined(importer.builder, Complex(*tensors))


def _divide(
    module: Any,
    main: Any,
    program: str,
    count: int,
    whole: bool,
    devices: Sequence[int] | None,
    system: Any,
) -> Partitioned:
    """Converts to the program of one chip."""
    if devices is not None and len(set(devices)) != count:
        raise CompileError(
            f"'{program}' cannot be imported: expected {count} different devices, found "
            f"{list(devices)}"
        )
    try:
        return partition(
            module,
            main,
            count,
            whole_arrays=whole,
            devices=devices,
            links=None if system is None else links_of(system),
        )
    except UnsupportedError as error:
        raise refusal(program, [error]) from error.__cause__
    except (ValueError, ir.MLIRError) as error:
        raise CompileError(f"'{program}' cannot be divided among {count} chips: {error}") from error


def _cuts(divided: Partitioned | None, shardings: Sequence[Sharding]) -> list[Any] | None:
    """Returns how the host splits or joins each tensor: the dimension along each mesh axis."""
    if divided is None:
        return None
    return [divided.mesh.at_border(s.dims)[0] for s in shardings]


def _module_name(module: Any) -> str:
    attributes = module.operation.attributes
    return str(attributes["sym_name"].value) if "sym_name" in attributes else ""


def main_of(functions: dict[str, Any]) -> Any:
    """Returns the entry function."""
    if "main" in functions:
        return functions["main"]
    public = [f for f in functions.values() if not _is_private(f)]
    if len(public) != 1:
        raise CompileError(
            f"expected a module with a function 'main' or with one public function, found "
            f"{len(public)} public functions"
        )
    return public[0]


def _is_private(function: Any) -> bool:
    attributes = function.attributes
    return "sym_visibility" in attributes and attributes["sym_visibility"].value == "private"


def _partitions(module: Any, program: str, whole: bool) -> int:
    """Returns the number of devices that run the program together."""
    attributes = module.operation.attributes
    partitions, replicas = (
        int(attributes[name].value) if name in attributes else 1
        for name in ("mhlo.num_partitions", "mhlo.num_replicas")
    )
    if replicas == 1:
        # An abstract mesh, if no argument of the function is on a device.
        return mesh_size(module) if partitions == 1 and whole else partitions
    if partitions > 1 or whole:
        raise CompileError(
            f"'{program}' cannot be imported: expected one replica, found {replicas}: use jax.jit "
            "over a mesh instead of jax.pmap"
        )
    return replicas


def _check_signature(main: Any, program: str) -> None:
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    found = [
        Diagnostic("error", f"{what} {i}: {reason}", "")
        for what, types in (("argument", kind.inputs), ("result", kind.results))
        for i, t in enumerate(types)
        if (
            reason := unsupported(t)
            or ("" if str(t).startswith("tensor<") else "expected a tensor")
        )
    ]
    if found:
        raise CompileError(f"'{program}' cannot be imported", found)


def _argument_name(place: Place, i: int) -> str:
    return place.name or f"arg{i}"


def _donations(
    main: Any, inputs: Sequence[TensorType], outputs: Sequence[TensorType]
) -> tuple[tuple[int, ...], dict[int, int]]:
    """Returns the donated inputs, and the outputs that reuse the memory of some of them."""
    donated, said = [], {}
    for i in range(len(inputs)):
        own: Any = main.attributes["arg_attrs"][i] if "arg_attrs" in main.attributes else {}
        if "tf.aliasing_output" in own:
            said[i] = int(own["tf.aliasing_output"].value)
        if i in said or ("jax.buffer_donor" in own and own["jax.buffer_donor"].value):
            donated.append(i)
    # The builder must pair them in the same way; another pairing is left to the caller.
    taken: dict[int, int] = {}
    for i in said:
        own_type = _stored(inputs[i])
        place = next(
            (
                o
                for o, k in enumerate(outputs)
                if _stored(k) == own_type and o not in taken.values()
            ),
            None,
        )
        if place is not None:
            taken[i] = place
    return tuple(donated), said if taken == said else {}
