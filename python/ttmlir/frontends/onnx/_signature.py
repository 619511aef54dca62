"""ONNX models: lowered to TTIR, and called with arrays in order or by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx

from ttmlir import runtime
from ttmlir._parsing import copied
from ttmlir.errors import Error, InputError
from ttmlir.frontends import Call, ExecutableLike, Lowered, Signature
from ttmlir.frontends.counted import CUT, CountedNumbers, check_no_counts
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.onnx._host_nodes import FILLER, HostParts, Stage, host_parts
from ttmlir.frontends.onnx._host_reference import device_outputs, of_device
from ttmlir.frontends.onnx._importer import converted
from ttmlir.frontends.onnx._model import Model, dimensions, listed, load_model
from ttmlir.frontends.onnx._program import (
    HostType,
    Imported,
    InputType,
    NothingType,
    Output,
    SequenceType,
    TensorType,
    identifier,
    import_model,
)
from ttmlir.frontends.onnx._reference import of_model
from ttmlir.frontends.onnx._types import ELEMENTS, STATE, Array, Shape, element_of
from ttmlir.frontends.reference import Values

if TYPE_CHECKING:
    from ttmlir._programs import Program

Examples = Mapping[str, Any] | Sequence[Any] | None


@dataclass(frozen=True)
class TypedModel:
    """A model with the types of its inputs and the values of some of them: a source for
    ``ttmlir.compile`` if both are known already."""

    model: Model
    inputs: Sequence[InputType]
    values: Mapping[str, Array] = field(default_factory=dict)


class ModelSignature(Signature):
    """The signature of an ONNX model.

    The executable is called with arrays in the order of the model's inputs, with one dictionary, or
    with keywords named after them, and returns an array, or a tuple in the order of the outputs.
    Weights stay on the device from the first call on.
    """

    def __init__(
        self,
        imported: Sequence[Imported],
        model: Model,
        inputs: Sequence[InputType],
        parts: HostParts | None = None,
    ) -> None:
        """``imported`` are the parts of the device, each of which is a program."""
        self._imported, self._model, self._infos = tuple(imported), model, tuple(inputs)
        self._parts = parts
        self._numbers = np.random.default_rng()

    @property
    def imported(self) -> Imported:
        """The model, or its first part."""
        return self._imported[0]

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("the executable of a model cannot be pickled: save() writes its program")

    def input_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        return tuple(info.name for info in self._infos)

    def output_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        return tuple(o.name for o in self._model.proto.graph.output)

    def host_nodes(self) -> tuple[str, ...]:
        return self._parts.names if self._parts else ()

    def count_parts(self) -> int:
        return len(self._imported)

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        if program.index > 0:
            # Of a part, a program is called with what its inputs are.
            return super().call(exe, program, args, kwargs)
        given = self._given(args, kwargs)
        if self._parts is None:
            return self._part_call(exe, 0, given)
        before = self._parts.stages[0].before
        if any(isinstance(given[name], runtime.Tensor) for name in before.inputs):
            raise InputError("inputs of host nodes cannot be on the device")
        given = self._with_host_values(0, given)
        return _HostedCall(self, self._part_call(exe, 0, given), given, self.output_names(exe))

    def _part_call(self, exe: ExecutableLike, number: int, values: Mapping[str, Any]) -> _ModelCall:
        """Returns the call of a part of the device."""
        imported = self._imported[number]
        inputs = [values[name] for name in imported.kept]
        if imported.is_random:
            inputs.append(self._numbers.integers(0, 1 << 32, STATE, np.uint32))
        return _ModelCall(exe, exe.programs[number], inputs, imported)

    def run_rest(self, call: _HostedCall, values: Mapping[str, Any]) -> dict[str, Any]:
        """Computes what follows the first part of the device, from values by name."""
        assert self._parts is not None
        found = dict(values)
        for number in range(1, len(self._imported)):
            found = self._with_host_values(number, found)
            part = self._part_call(call.exe, number, found)
            found |= part.outputs(call.run(part.program, part.inputs), False)
        return {**found, **self._parts.after.run(found)}

    def parameters(self, program: Program) -> Mapping[str, Callable[[], Any]]:
        """Returns the weights in the program's formats."""
        known = self._imported[program.index].parameters
        return {
            info.name: partial(_weight, known[info.name], info.dtype)
            for info in program.inputs
            if info.name in known
        }

    def reference(
        self, exe: ExecutableLike, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Values:
        check_no_counts(self.imported.counted)
        given = self._given(args, kwargs)
        if self._parts is None:
            return of_model(self._model, given, in_f64=True)
        given = self._with_host_values(0, given)
        return of_device(self._model, self._parts.stages[0].device, given)

    def arranged(self, exe: ExecutableLike, values: Values) -> Values:
        if self._parts is None:
            return values
        return device_outputs(values, self._model, self._parts.stages[0].device)

    def known_results(self) -> Sequence[Any]:
        return [
            v for v in self.imported.outputs.values() if not isinstance(v, Output | CountedNumbers)
        ]

    @property
    def is_known(self) -> bool:
        """Whether the importer has computed all results."""
        return self.imported.is_constant

    def fits(self, values: Mapping[str, Any]) -> bool:
        """Whether named arrays have the values that the model was compiled for."""
        known = self.imported.specialized.items()
        if known and self._parts is not None:
            values = {**values, **self._parts.stages[0].before.run(values)}
        return all(_equal(np.asarray(values[name]), value) for name, value in known)

    def _given(self, args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the inputs of a call by name."""
        infos = self._infos
        given = by_name(args[0] if _is_mapping(args) else args, named, [i.name for i in infos])
        missing = [i for i in infos if i.name not in given and not isinstance(i, NothingType)]
        if missing:
            raise InputError(
                f"expected {len(infos)} inputs, {', '.join(map(str, missing))} missing"
            )
        found: dict[str, Any] = {}
        for info in infos:
            value = given.get(info.name)
            if isinstance(info, TensorType):
                found[info.name] = self._checked(value, info)
            elif isinstance(info, SequenceType):
                if not isinstance(value, (list, tuple)) or len(value) != len(info.items):
                    raise InputError(f"input {info}: found another value")
                for item, x in zip(info.items, value, strict=True):
                    found[item.name] = self._checked(x, item)
            elif isinstance(info, HostType):
                found[info.name] = value
            elif value is not None:
                raise InputError(f"input {info}: found a value, compile the model with one")
        return found

    def _checked(self, value: Any, info: TensorType) -> Any:
        if isinstance(value, runtime.Tensor):
            return value
        array = np.asarray(value)
        if array.shape != info.shape:
            raise InputError(
                f"input {info}: found the shape {_shape(array.shape)}, compile the model for it "
                "with shapes= or example_inputs="
            )
        if info.dtype.kind == "O" and array.dtype.kind in "OUS":
            return array.astype(object)
        if array.dtype != info.dtype:
            if isinstance(value, np.ndarray) or not np.can_cast(
                array.dtype, info.dtype, "same_kind"
            ):
                raise InputError(f"input {info}: found an array of {array.dtype.name}")
            array = array.astype(info.dtype)
        known = self.imported.specialized.get(info.name)
        if known is not None and not _equal(array, known):
            raise InputError(
                f"input {info}: expected {known.tolist()}, which shapes depend on and the model "
                f"was compiled for, found {array.tolist()}"
            )
        return array

    def _with_host_values(self, number: int, values: Mapping[str, Any]) -> dict[str, Any]:
        """Computes the values that the host computes before a part of the device."""
        assert self._parts is not None
        found = self._parts.stages[number].before.run(values)
        for info in self._imported[number].inputs:
            if isinstance(info, TensorType) and info.name in found:
                shape = np.shape(found[info.name])
                if shape != info.shape:
                    raise InputError(
                        f"{info}, computed on the host: found the shape {_shape(shape)}, give "
                        "example_inputs for which it has this shape"
                    )
        return {**values, **found}


class _ModelCall(Call):
    def __init__(
        self, exe: ExecutableLike, program: Program, inputs: Sequence[Any], imported: Imported
    ) -> None:
        super().__init__(exe, program, inputs)
        self._imported = imported

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        found = list(self.outputs(tensors, keep_on_device).values())
        return found[0] if len(found) == 1 else tuple(found)

    def outputs(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> dict[str, Any]:
        """Returns the results by name."""
        outputs, counted = self._imported.outputs, self._imported.counted
        if keep_on_device and counted is not None and counted.any:
            raise InputError(CUT)
        values = list(tensors) if keep_on_device else self.exe.arrays(self.program, tensors)
        extents = {}
        if counted is not None and not keep_on_device:
            extents = counted.extents(values.__getitem__)
            values = [counted.padding.cut(x, i, extents) for i, x in enumerate(values)]
        return {name: _result(v, values, extents) for name, v in outputs.items()}


class _HostedCall(Call):
    """A call of a model that the host computes a part of."""

    def __init__(
        self,
        signature: ModelSignature,
        call: _ModelCall,
        values: Mapping[str, Any],
        names: Sequence[str],
    ) -> None:
        super().__init__(call.exe, call.program, call.inputs)
        self._signature, self._call, self._values, self._names = signature, call, values, names

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        if keep_on_device:
            raise InputError("keep_on_device: the host computes results of the model")
        outputs = self._call.outputs(tensors, keep_on_device)
        values = self._signature.run_rest(self, {**self._values, **outputs})
        found = [values[name] for name in self._names]
        return found[0] if len(found) == 1 else tuple(found)


def _weight(value: Array, dtype: str) -> Array:
    """Returns a weight in the format that the program takes."""
    own = ELEMENTS.get(np.dtype(dtype))
    return converted(value, own) if own and own != "f64" else value


def _equal(x: Array, y: Array) -> bool:
    return np.array_equal(x, y, equal_nan=y.dtype.kind == "f")


def _is_mapping(args: Sequence[Any]) -> bool:
    return len(args) == 1 and isinstance(args[0], Mapping)


def _shape(shape: Shape) -> str:
    return "x".join(map(str, shape)) or "of a scalar"


def _result(value: Any, results: Sequence[Any], extents: Mapping[str, int]) -> Any:
    if isinstance(value, Output):
        return results[value.number]
    if isinstance(value, CountedNumbers):
        return value.value(extents)
    if isinstance(value, list):
        return [_result(x, results, extents) for x in value]
    return value if value is None else np.array(value)


def by_name(given: Any, named: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Maps inputs that are given in order, in a dictionary or as keywords to their names.

    Raises:
        InputError: there are too many, a name does not exist, or one is given twice.
    """
    if isinstance(given, Mapping):
        found = dict(given)
    else:
        if len(given) > len(names):
            raise InputError(f"expected {len(names)} inputs ({listed(names)}), found {len(given)}")
        found = dict(zip(names, given, strict=False))
    for name, value in named.items():
        if name in found:
            raise InputError(f"input '{name}' is given twice")
        found[name] = value
    unknown = [name for name in found if name not in names]
    if unknown:
        raise InputError(f"no input {listed(unknown)}, expected {listed(names)}")
    return found


# Types of inputs ---------------------------------------------------------------------------------


def types_of(
    model: Model, examples: Mapping[str, Any], shapes: Mapping[str, Any]
) -> list[InputType]:
    """Determines shape and dtype of each input.

    Args:
        model: its extents may have names.
        examples: arrays of inputs by name.
        shapes: extents by name, or shapes by input name.

    Raises:
        Error: an extent is not given, is wrong, or does not exist.
    """
    found: list[InputType] = []
    missing: list[str] = []
    used: set[str] = set()
    for info in model.inputs:
        name, kind = info.name, info.type.tensor_type
        if not info.type.HasField("tensor_type"):
            found.append(_nested(name, info.type, examples))
            continue
        declared = dimensions(info)
        used |= {name, *(d for d in declared or () if isinstance(d, str))}
        extents: list[Any]
        if name in examples:
            extents = list(np.shape(examples[name]))
        elif name in shapes:
            extents = [int(n) for n in shapes[name]]
        elif declared is None:
            missing.append(f"the shape of '{name}'")
            continue
        else:
            extents = [shapes.get(d, d) if isinstance(d, str) else d for d in declared]
            for i, n in enumerate(extents):
                if not isinstance(n, (int, np.integer)):
                    missing.append(f"'{n}'" if n else f"dimension {i} of '{name}'")
        if declared is not None and not _fits(declared, extents, shapes):
            text = ", ".join("?" if d is None else str(d) for d in declared)
            raise Error(f"input '{name}': expected a shape like ({text}), found {tuple(extents)}")
        found.append(TensorType(name, tuple(extents), element_of(kind.elem_type)))
    unknown = [name for name in shapes if name not in used]
    if unknown:
        raise Error(
            f"shapes: no extent or input {listed(unknown)}, expected {listed(sorted(used))}"
        )
    if missing:
        what = ", ".join(dict.fromkeys(missing))
        raise Error(
            f"{model.name} has dynamic shapes: give {what} in shapes={{...}}, or inputs in "
            "example_inputs"
        )
    return found


def _nested(name: str, kind: onnx.TypeProto, examples: Mapping[str, Any]) -> InputType:
    """Returns the type of a sequence or of an optional input, taken from its example."""
    if kind.HasField("map_type"):
        return HostType(name)
    if name not in examples:
        raise Error(f"input '{name}' is not a tensor: pass an example in example_inputs")
    value = examples[name]
    while kind.HasField("optional_type"):
        kind = kind.optional_type.elem_type
    if value is None:
        return NothingType(name)
    if kind.HasField("tensor_type"):
        return TensorType(name, np.shape(value), element_of(kind.tensor_type.elem_type))
    if not kind.HasField("sequence_type") or not isinstance(value, (list, tuple)):
        raise Error(f"input '{name}': expected a list of arrays, found {type(value).__name__}")
    element = element_of(kind.sequence_type.elem_type.tensor_type.elem_type)
    items = [TensorType(f"{name}.{i}", np.shape(x), element) for i, x in enumerate(value)]
    return SequenceType(name, tuple(items))


def arrays_of(value: Any) -> Any:
    """Converts an example to an array, a list to a list of arrays; None and maps stay."""
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    is_sequence = isinstance(value, (list, tuple)) and (
        not value or any(isinstance(x, np.ndarray) for x in value)
    )
    if is_sequence:
        return [arrays_of(x) for x in value]
    return value if value is None or isinstance(value, Mapping) else np.asarray(value)


def _fits(declared: Sequence[Any], extents: Sequence[Any], shapes: Mapping[str, Any]) -> bool:
    if len(declared) != len(extents):
        return False
    wanted = [shapes.get(d) if isinstance(d, str) else d for d in declared]
    return all(
        w is None or not isinstance(n, int) or w == n for w, n in zip(wanted, extents, strict=True)
    )


# Lowering ----------------------------------------------------------------------------------------


def lower_model(
    source: str | os.PathLike[str] | bytes | onnx.ModelProto | TypedModel,
    examples: Examples,
    shapes: Mapping[str, Any] | None,
    dtype: Policy,
) -> Lowered:
    """Lowers a model for inputs of fixed shapes.

    Args:
        source: path, content or protobuf; or a model with the types of its inputs.
        examples: arrays in the order of the model's inputs, or some of them by name.
        shapes: extents by name, or shapes by input name.
        dtype: the formats of weights and activations.

    Raises:
        CompileError: the model is damaged or not supported.
        FileError: a file cannot be read.
        Error: shapes or values are missing or wrong.
    """
    if isinstance(source, TypedModel):
        typed = source
    else:
        model = load_model(source)
        given = by_name(examples or (), {}, [i.name for i in model.inputs])
        given = {name: arrays_of(value) for name, value in given.items()}
        typed = TypedModel(model, types_of(model, given, shapes or {}), given)
    for info in typed.inputs:
        known = typed.values.get(info.name)
        if isinstance(info, TensorType) and known is not None and known.dtype != info.dtype:
            raise InputError(f"input {info}: found an array of {known.dtype.name}")
    model, name = typed.model, identifier(typed.model.proto.graph.name or "main")
    parts = host_parts(model)
    if parts is None:
        imported = import_model(model, typed.inputs, values=typed.values, dtype=dtype, name=name)
        signature = ModelSignature([imported], model, typed.inputs)
        return Lowered(copied(imported.builder.module), signature)
    so_far = _Known(typed.inputs, typed.values)
    found: list[Imported] = []
    for number, stage in enumerate(parts.stages):
        so_far.compute(stage)
        found.append(
            import_model(
                stage.device,
                [so_far.type_of(info.name) for info in stage.device.inputs],
                values=so_far.values,
                dtype=dtype,
                name=f"{name}_{number}" if number else name,
                context=found[0].builder.context if found else None,
            )
        )
        so_far.add(found[-1], is_last=number + 1 == len(parts.stages))
    module = copied(found[0].builder.module)
    for other in found[1:]:
        for op in copied(other.builder.module).body:
            module.body.append(op.operation.clone())
    return Lowered(module, ModelSignature(found, model, typed.inputs, parts))


class _Known:
    """Knowledge of a model in parts while it is lowered: the types of inputs and results, some
    values, and examples of all of them, whose results have the right shapes."""

    def __init__(self, inputs: Sequence[InputType], values: Mapping[str, Any]) -> None:
        self.values = dict(values)
        self._types: dict[str, InputType] = {info.name: info for info in inputs}
        self._examples = dict(values)

    def type_of(self, name: str) -> InputType:
        if name in self._types:
            return self._types[name]
        value = self._examples[name]
        if not isinstance(value, np.ndarray):
            raise Error(f"'{name}', which the host computes for the device, is not a tensor")
        return TensorType(name, value.shape, value.dtype)

    def compute(self, stage: Stage) -> None:
        """Computes what the host computes before a part of the device."""
        for name in stage.before.inputs:
            if name not in self._examples:
                info = self._types[name]
                if not isinstance(info, TensorType):
                    raise Error(f"input {info} is not a tensor: pass an example in example_inputs")
                filler: Any = FILLER if info.dtype.kind == "O" else 0
                self._examples[name] = np.full(info.shape, filler, info.dtype)
        made = stage.before.run(self._examples)
        self._examples |= made
        if all(name in self.values for name in stage.before.inputs):
            # Shapes may depend on them.
            self.values |= made

    def add(self, imported: Imported, is_last: bool) -> None:
        """Adds the results of a part of the device.

        Raises:
            Error: a later part needs a result whose shape is not known.
        """
        if is_last:
            return
        for name, value in imported.outputs.items():
            if isinstance(value, Output) and imported.counted is None:
                self._types[name] = imported.types[name]
            elif isinstance(value, np.ndarray):
                self._examples[name] = self.values[name] = value
            else:
                raise Error(
                    f"'{name}': expected a tensor of a known shape from a part of the device that "
                    "nodes of the host follow, before another part of it"
                )
