"""References of models that the host computes a part of: the nodes of the device are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ttmlir.frontends.onnx._importer import name_of
from ttmlir.frontends.onnx._model import Model
from ttmlir.frontends.onnx._reference import of_model
from ttmlir.frontends.reference import Known, Values

_ELSEWHERE = "another part of the model computes it"


def of_device(model: Model, device: Model, values: Mapping[str, Any]) -> Values:
    """Computes the device's part of a model in float64.

    Args:
        model: the whole model.
        device: the part of the device.
        values: inputs of the model and results of the host, by name.

    Returns:
        The results, with outputs in the order of the whole model.
    """
    found = of_model(device, {i.name: values[i.name] for i in device.inputs}, in_f64=True)
    names = [o.name for o in device.proto.graph.output]
    outputs = dict(zip(names, found.outputs, strict=True))
    return replace(
        found, outputs=[outputs.get(o.name, _ELSEWHERE) for o in model.proto.graph.output]
    )


def device_outputs(values: Values, model: Model, device: Model) -> Values:
    """Returns the results of a reference with the outputs of the device's part of a model, which
    may be inputs of the host's nodes behind it."""
    own = dict(zip([o.name for o in model.proto.graph.output], values.outputs, strict=True))
    results: dict[str, Known] = {}
    for i, node in enumerate(device.proto.graph.node):
        arrays = values.ops.get(name_of(node, i), ())
        names = [name for name in node.output if name]
        # Without the strings of a classifier, the other results have other places.
        if len(arrays) == len(names):
            results.update(zip(names, arrays, strict=True))
    outputs = [o.name for o in device.proto.graph.output]
    found = [own[name] if name in own else results.get(name) for name in outputs]
    return replace(values, outputs=found)
