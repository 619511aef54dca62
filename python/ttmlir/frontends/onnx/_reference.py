"""Computes each node of a model with onnxruntime, or in float64 with ONNX's reference.

The original model is run with additional outputs; only the node names are shared with the
importer.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from ttmlir.errors import Error
from ttmlir.frontends.onnx._constant_folding import RANDOM
from ttmlir.frontends.onnx._importer import name_of
from ttmlir.frontends.onnx._model import Model
from ttmlir.frontends.reference import Array, Values

_FLOATS = frozenset({onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16})
_DOUBLE = onnx.TensorProto.DOUBLE
#: Attributes whose values are element types.
_TYPES = frozenset({"dtype", "output_datatype", "stash_type", "to"})
#: The onnxruntime option for the folder of external files.
_FOLDER = "session.model_external_initializers_file_folder_path"
_WHY = "depends on random numbers, which differ on the device"


def of_model(
    model: Model, inputs: Mapping[str, Any], *, in_f64: bool = False, folder: str = ""
) -> Values:
    """Computes the results of the nodes of a model, and its outputs.

    Args:
        model: a loaded model.
        inputs: arrays by input name.
        in_f64: whether to compute floats of at most 32 bits in 64 bits, with ONNX's reference;
            otherwise onnxruntime is used, or ONNX's reference if it is not installed.
        folder: the folder of external files for onnxruntime; without it, the loaded elements are
            passed.

    Raises:
        Error: the model cannot be computed.
    """
    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    own = [output.name for output in proto.graph.output]
    made = [name for node in proto.graph.node for name in node.output if name]
    more = [name for name in made if name not in own]
    proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in more)
    try:
        if in_f64:
            title, found = _in_f64(model, proto, inputs)
        else:
            title, found = _computed(model, proto, inputs, folder)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Error(f"{model.name} cannot be computed by its reference: {reason}") from error
    values = {name: x for name, x in zip([*own, *more], found, strict=True) if _is_tensor(x)}
    return _values(model, title, own, values)


def _values(model: Model, title: str, own: list[str], values: Mapping[str, Array]) -> Values:
    ops: dict[str, tuple[Array, ...]] = {}
    unknown: dict[str, str] = {}
    random: set[str] = set()
    counts = Counter(name_of(node, i) for i, node in enumerate(model.proto.graph.node))
    for i, node in enumerate(model.proto.graph.node):
        name = name_of(node, i)
        # Without the third input a dropout is a no-op.
        is_random = node.op_type in RANDOM and (node.op_type != "Dropout" or len(node.input) > 2)
        if is_random or random.intersection(node.input):
            random.update(node.output)
            unknown[name] = _WHY
        if counts[name] > 1:
            unknown[name] = "several nodes of the model have its name"
        arrays = tuple(values[output] for output in node.output if output in values)
        if arrays:
            ops[name] = arrays
    outputs = [_WHY if name in random else values.get(name) for name in own]
    return Values(title, ops, outputs, unknown, has_bodies=True)


def _computed(
    model: Model, proto: onnx.ModelProto, inputs: Mapping[str, Any], folder: str
) -> tuple[str, list[Any]]:
    try:
        import onnxruntime
    except ImportError:
        onnxruntime = None
    # ONNX's reference does not read external files.
    if onnxruntime is None or not folder:
        for tensor in proto.graph.initializer:
            if tensor.data_location == onnx.TensorProto.EXTERNAL:
                array = np.asarray(model.initializers[tensor.name])
                tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    if onnxruntime is None:
        feeds = {**model.initializers, **inputs}
        return f"{model.name} in ONNX's reference", _evaluated(proto, feeds)
    # The reference rejects two nodes of one name.
    for node in proto.graph.node:
        node.name = ""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    if folder:
        options.add_session_config_entry(_FOLDER, folder)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    read = {i.name for i in session.get_inputs()}
    feeds = {name: np.asarray(value) for name, value in inputs.items() if name in read}
    return f"{model.name} in onnxruntime", session.run(None, feeds)


def _in_f64(
    model: Model, proto: onnx.ModelProto, inputs: Mapping[str, Any]
) -> tuple[str, list[Any]]:
    del proto.graph.initializer[:]
    del proto.graph.sparse_initializer[:]
    _widen(proto.graph)
    for function in proto.functions:
        _widen_nodes(function.node)
    feeds = {k: _wide(np.asarray(v)) for k, v in {**model.initializers, **inputs}.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return f"{model.name} in float64", _evaluated(proto, feeds)


class BatchNormalization(OpRun):  # type: ignore[misc]
    """For opsets 7 to 13, with the given mean and variance: ONNX's reference mixes in those of the
    batch, as in training, or fails."""

    op_schema = onnx.defs.get_schema("BatchNormalization", 7, "")

    def _run(
        self,
        x: Array,
        scale: Array,
        bias: Array,
        mean: Array,
        variance: Array,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        spatial: int = 1,
    ) -> tuple[Array]:
        shape = (-1,) + (1,) * (x.ndim - 2)
        scale, bias, mean, variance = (a.reshape(shape) for a in (scale, bias, mean, variance))
        found = (x - mean) / np.sqrt(variance + epsilon) * scale + bias
        return (found.astype(x.dtype),)


def _evaluated(proto: onnx.ModelProto, feeds: Mapping[str, Any]) -> list[Any]:
    """Computes the outputs of a model with ONNX's reference."""
    versions = [opset.version for opset in proto.opset_import if opset.domain in ("", "ai.onnx")]
    own = [BatchNormalization] if versions and 7 <= versions[0] <= 13 else None
    found: list[Any] = ReferenceEvaluator(proto, new_ops=own).run(None, feeds)
    return found


def _widen(graph: onnx.GraphProto) -> None:
    """Changes the floats of a graph to 64 bits, in place."""
    for info in [*graph.input, *graph.output, *graph.value_info]:
        if info.type.tensor_type.elem_type in _FLOATS:
            info.type.tensor_type.elem_type = _DOUBLE
    for tensor in graph.initializer:
        _widen_tensor(tensor)
    _widen_nodes(graph.node)


def _widen_nodes(nodes: Any) -> None:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                _widen_tensor(attribute.t)
            for graph in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
                _widen(graph)
            if attribute.name in _TYPES and attribute.i in _FLOATS:
                attribute.i = _DOUBLE
            # A constant given as a number has 32 bits.
            if node.op_type == "Constant" and attribute.name in ("value_float", "value_floats"):
                numbers = attribute.f if attribute.name == "value_float" else attribute.floats
                attribute.CopyFrom(
                    onnx.helper.make_attribute(
                        "value", numpy_helper.from_array(np.asarray(numbers, np.float64))
                    )
                )


def _widen_tensor(tensor: onnx.TensorProto) -> None:
    if tensor.data_type in _FLOATS:
        tensor.CopyFrom(numpy_helper.from_array(_wide(numpy_helper.to_array(tensor)), tensor.name))


def _wide(array: Array) -> Array:
    is_float = array.dtype.kind == "f" or array.dtype.name == "bfloat16"
    return array.astype(np.float64) if is_float else array


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (np.ndarray, np.generic)) and np.asarray(x).dtype.kind in "biufV"
