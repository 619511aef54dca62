"""Models with named extents, or unknown ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttmlir.errors import InputError
from ttmlir.frontends import DynamicInput, DynamicProgram, Lowered, Options
from ttmlir.frontends._dynamic import Extent, Shape
from ttmlir.frontends.dtype_policy import Policy
from ttmlir.frontends.onnx._host_nodes import FILLER
from ttmlir.frontends.onnx._model import Model, dimensions, load_model
from ttmlir.frontends.onnx._program import TensorType
from ttmlir.frontends.onnx._signature import (
    Examples,
    TypedModel,
    arrays_of,
    by_name,
    lower_model,
    types_of,
)
from ttmlir.frontends.onnx._types import Array, element_of


def dynamic_model(
    source: Any, examples: Examples, shapes: Mapping[str, Any] | None, dtype: Policy
) -> DynamicModel | None:
    """Returns a model whose extents vary; None if its shapes are known or given."""
    if isinstance(source, TypedModel):
        return None
    model = load_model(source)
    given = by_name(examples or (), {}, [i.name for i in model.inputs])
    given = {name: arrays_of(value) for name, value in given.items()}
    known = shapes or {}
    inputs = []
    for info in model.inputs:
        declared = dimensions(info) if info.type.HasField("tensor_type") else None
        if declared is None:
            return None  # Without a shape or not a tensor: examples decide.
        if info.name in given:
            shape: tuple[Extent, ...] = tuple(np.shape(given[info.name]))
        elif info.name in known:
            shape = tuple(int(n) for n in known[info.name])
        else:
            shape = tuple(
                known.get(n, n) if isinstance(n, str) else f"{info.name}.{i}" if n is None else n
                for i, n in enumerate(declared)
            )
        inputs.append(DynamicInput(info.name, shape))
    if all(isinstance(n, int) for info in inputs for n in info.shape or ()):
        return None
    fixed = {n: 1 for info in inputs for n in info.shape or () if isinstance(n, str)}
    # Checks what is given.
    types_of(model, given, {**known, **_without_names(inputs, fixed, given, known)})
    return DynamicModel(model, tuple(inputs), given, dtype)


def _without_names(
    inputs: Sequence[DynamicInput],
    fixed: Mapping[str, int],
    given: Mapping[str, Any],
    known: Mapping[str, Any],
) -> dict[str, Any]:
    """Returns shapes by the names of the inputs that nothing is said about."""
    return {
        info.name: [fixed.get(n, n) if isinstance(n, str) else n for n in info.shape or ()]
        for info in inputs
        if info.name not in given and info.name not in known
    }


@dataclass(frozen=True)
class DynamicModel(DynamicProgram):
    """A model, which is imported with the shapes of each specialization."""

    model: Model
    inputs: tuple[DynamicInput, ...]
    values: Mapping[str, Array]
    dtype: Policy
    limits: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)

    def leaves(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        given: Any = args[0] if len(args) == 1 and isinstance(args[0], Mapping) else args
        names = [info.name for info in self.inputs]
        found = by_name(given, kwargs, names)
        if missing := [str(info) for info in self.inputs if info.name not in found]:
            raise InputError(f"expected {len(names)} inputs, {', '.join(missing)} missing")
        return [found[name] for name in names]

    def padded(self, leaf: Any, shape: Shape) -> Any:
        array = np.asarray(leaf)
        if array.dtype.kind not in "OUS":
            return super().padded(array, shape)
        whole = np.full(shape, FILLER, object)
        whole[tuple(map(slice, array.shape))] = array
        return whole

    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], leaves: Sequence[Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        return leaves, {}

    def lower(self, shapes: Sequence[Shape | None], options: Options) -> Lowered:
        types = []
        for info, shape in zip(self.model.inputs, shapes, strict=True):
            dtype = element_of(info.type.tensor_type.elem_type)
            types.append(TensorType(info.name, shape or (), dtype))
        fits = {n: v for (n, v) in self.values.items() if (n, v.shape) in _pairs(types)}
        return lower_model(TypedModel(self.model, types, fits), None, None, self.dtype)


def _pairs(types: Sequence[TensorType]) -> set[tuple[str, Shape]]:
    return {(t.name, tuple(t.shape)) for t in types}
