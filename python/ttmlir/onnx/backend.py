"""Runs ONNX models through ``onnx.backend.base``, the interface of ONNX's own tests.

>>> import numpy as np, onnx
>>> from ttmlir.onnx import backend
>>> node = onnx.helper.make_node("Add", ["x", "y"], ["z"])
>>> backend.run_node(node, [np.float32([1, 2]), np.float32([3, 4])])[0].tolist()
[4.0, 6.0]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

try:
    import onnx
except ImportError as error:
    raise ImportError(f"{__name__} needs ONNX: pip install ttmlir[onnx] ({error})") from None
from onnx.backend.base import Backend, BackendRep, namedtupledict

import ttmlir
from ttmlir.errors import InputError
from ttmlir.frontends.onnx import Model, load_model
from ttmlir.frontends.onnx._host_nodes import host_parts
from ttmlir.frontends.onnx._importer import is_expressible
from ttmlir.frontends.onnx._signature import (
    ModelSignature,
    TypedModel,
    arrays_of,
    by_name,
    types_of,
)

__all__ = [
    "PreparedModel",
    "TTBackend",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]


class PreparedModel(BackendRep):  # type: ignore[misc]
    """A model, compiled on call: once for each combination of input shapes, and of values of inputs
    that shapes depend on."""

    def __init__(self, model: Model, keywords: Mapping[str, Any]) -> None:
        self._model, self._keywords = model, dict(keywords)
        self._dtype = self._keywords.pop("dtype", None)
        self._compiled: dict[Any, list[ttmlir.Executable]] = {}

    def run(self, inputs: Any, **kwargs: Any) -> Any:
        """Runs the model.

        Args:
            inputs: arrays in the order of the model's inputs, a dictionary of them by name, or one.
            kwargs: more arrays by name.

        Returns:
            A named tuple of arrays, in the order of the model's outputs.

        Raises:
            CompileError: the model is not supported for these inputs.
            InputError: a name, shape or dtype is wrong.
        """
        if not isinstance(inputs, (Mapping, list, tuple)):
            inputs = (inputs,)
        names = [info.name for info in self._model.inputs]
        given = by_name(inputs, kwargs, names)
        if missing := [name for name in names if name not in given]:
            raise InputError(f"expected {len(names)} inputs, '{missing[0]}' is missing")
        values = {name: arrays_of(value) for name, value in given.items()}
        found = self.executable(values)(values)
        results = found if len(self._model.proto.graph.output) > 1 else (found,)
        return namedtupledict("Outputs", [o.name for o in self._model.proto.graph.output])(*results)

    @property
    def is_known(self) -> bool:
        """Whether the importer has computed all results, so that there is nothing to
        run."""
        made = [e for found in self._compiled.values() for e in found]
        return bool(made) and all(_signature(e).is_known for e in made)

    def executable(self, values: Mapping[str, Any]) -> ttmlir.Executable:
        """Returns the executable for named inputs, compiled if their types and values are new."""
        types = types_of(self._model, values, {})
        key = tuple(types)
        for candidate in self._compiled.get(key, ()):
            if _signature(candidate).fits(values):
                return candidate
        typed = TypedModel(self._model, types, values)
        made = ttmlir.compile(typed, dtype=self._dtype, **self._keywords)
        self._compiled.setdefault(key, []).append(made)
        return made


def _signature(executable: ttmlir.Executable) -> ModelSignature:
    signature = executable.signature
    assert isinstance(signature, ModelSignature)
    return signature


class TTBackend(Backend):  # type: ignore[misc]
    """The emulated chips as a backend of ONNX.

    ``device`` is ``CPU``, for the default target of ``ttmlir.compile``, or one of
    ``ttmlir.targets()``. Keywords are those of ``ttmlir.compile``.
    """

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether the model has no op types or element types that are never supported."""
        if not cls.supports_device(device):
            return False
        loaded = load_model(model)
        parts = host_parts(loaded)
        return all(map(is_expressible, [s.device for s in parts.stages] if parts else [loaded]))

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        """Loads a model and returns it ready for calls.

        Raises:
            CompileError: it is damaged, or its operator set is too old or too new.
            Error: the device is unknown.
        """
        if not cls.supports_device(device):
            targets = ", ".join(ttmlir.targets())
            raise ttmlir.Error(f"device: expected CPU or one of {targets}, found {device!r}")
        target = {} if device == "CPU" else {"target": device}
        return PreparedModel(load_model(model), {**target, **kwargs})

    @classmethod
    def run_model(
        cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> Any:
        """Compiles a model and runs it: see ``prepare`` and ``PreparedModel.run``."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Compiles a single node and runs it.

        Args:
            node: of the newest operator set, or of ``opset_version`` in the keywords.
            inputs: arrays in its order, or by name.
            device: see above.
            outputs_info: dtype and shape of each output; ignored, because they are inferred.
            kwargs: of ``ttmlir.compile``.
        """
        names = [name for name in node.input if name]
        given = by_name(
            inputs if isinstance(inputs, (Mapping, list, tuple)) else [inputs], {}, names
        )
        arrays = {name: arrays_of(value) for name, value in given.items()}
        version = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        nothing = onnx.TypeProto()
        graph = onnx.helper.make_graph(
            [node],
            "node",
            [
                onnx.helper.make_tensor_value_info(
                    name, onnx.helper.np_dtype_to_tensor_dtype(x.dtype), x.shape
                )
                for name, x in arrays.items()
            ],
            [onnx.helper.make_value_info(name, nothing) for name in node.output if name],
        )
        domains = {"": version, **({node.domain: 1} if node.domain else {})}
        opsets = [onnx.helper.make_opsetid(d, v) for d, v in domains.items()]
        model = onnx.helper.make_model(graph, opset_imports=opsets)
        return cls.run_model(model, arrays, device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether it is CPU or a target."""
        return device == "CPU" or device in ttmlir.targets()


is_compatible = TTBackend.is_compatible
prepare = TTBackend.prepare
run_model = TTBackend.run_model
run_node = TTBackend.run_node
supports_device = TTBackend.supports_device
