"""Nodes that the host computes before, after and between parts of the device: those of strings and
maps, and ops of ``ai.onnx.ml`` without a form in tensors."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from ttmlir.errors import Error
from ttmlir.frontends.onnx._model import Model
from ttmlir.frontends.onnx._op import HANDLERS

_ML = "ai.onnx.ml"
#: Ops whose first result has the element type of their first operand and that move elements; they
#: follow nodes of the host to the host.
_MOVES = frozenset(
    {
        *("ArrayFeatureExtractor", "Cast", "Concat", "Expand", "Flatten", "Gather"),
        *("GatherElements", "GatherND", "Identity", "Reshape", "Slice", "Split", "Squeeze"),
        *("Tile", "Transpose", "Unsqueeze"),
    }
)
#: Ops of strings and of maps, whatever their operands are.
_HOST = frozenset(
    {
        *("CategoryMapper", "DictVectorizer", "RegexFullMatch", "StringConcat"),
        *("StringNormalizer", "StringSplit", "ZipMap"),
    }
)
#: Classifiers, with the attributes of their labels.
_LABELS = {
    "LinearClassifier": "classlabels_ints",
    "SVMClassifier": "classlabels_ints",
    "TreeEnsembleClassifier": "classlabels_int64s",
}
_STRING = onnx.TensorProto.STRING
#: A string that no vocabulary has and that nodes do not drop, unlike an empty one.
FILLER = "\ue000"


@dataclass(frozen=True)
class Stage:
    """A part that the host computes, possibly nothing, and the part of the device after it."""

    before: _Part
    device: Model


@dataclass(frozen=True)
class HostParts:
    """A model in parts: those of the stages in turn, then one more that the host computes.

    ``names`` are the names of the host's nodes.
    """

    stages: tuple[Stage, ...]
    after: _Part
    names: tuple[str, ...]


class _Part:
    """Nodes that ONNX's reference computes."""

    def __init__(
        self, model: Model, nodes: Sequence[onnx.NodeProto], outputs: Sequence[str]
    ) -> None:
        made = {name for node in nodes for name in node.output}
        self.outputs = [name for name in outputs if name in made]
        read = {name for node in nodes for name in node.input if name}
        self._known = {n: x for n, x in model.initializers.items() if n in read}
        self.inputs = sorted(read - made - set(self._known))
        nothing = onnx.TypeProto()
        graph = onnx.helper.make_graph(
            list(nodes),
            "host",
            [onnx.helper.make_value_info(n, nothing) for n in [*self.inputs, *self._known]],
            [onnx.helper.make_value_info(n, nothing) for n in self.outputs],
        )
        opsets = [onnx.helper.make_opsetid(d, v) for d, v in model.opsets.items()]
        proto = onnx.helper.make_model(graph, opset_imports=opsets, functions=model.proto.functions)
        self._evaluator = ReferenceEvaluator(proto, new_ops=_OWN_OPS) if nodes else None
        self._name = model.name

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Computes the outputs of the part from values by name.

        Raises:
            Error: the reference cannot compute them.
        """
        if self._evaluator is None:
            return {}
        feeds = {**self._known, **{name: values[name] for name in self.inputs}}
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found: Any = self._evaluator.run(self.outputs, feeds)
        except Exception as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise Error(f"{self._name}: the host cannot compute its nodes: {reason}") from error
        return dict(zip(self.outputs, map(_plain, found), strict=True))


def _plain(x: Any) -> Any:
    """Converts scalars to arrays, and strings to Python's."""
    if isinstance(x, (list, dict)):
        return x
    array = np.asarray(x)
    return array.astype(object) if array.dtype.kind in "US" else array


# Where nodes run ---------------------------------------------------------------------------------


def host_parts(model: Model) -> HostParts | None:
    """Splits a model; returns None if the device computes all of it."""
    if not _may_need_host(model):
        return None
    nodes = _with_integer_labels(model.proto.graph.node)
    on_host = _on_host(model, nodes)
    if not any(on_host):
        return None
    known = _known(model, nodes)
    groups, after = _groups(nodes, on_host, known)
    outputs = [o.name for o in model.proto.graph.output]
    parts = [*(part for group in groups for part in group), after]

    def with_constants(numbers: set[int]) -> list[onnx.NodeProto]:
        """Nodes, and those of constants that they read."""
        read = {name for i in numbers for name in _reads(nodes[i])}
        for i in reversed(range(len(nodes))):
            if i in known and i not in numbers and set(nodes[i].output) & read:
                numbers = numbers | {i}
                read |= set(nodes[i].input)
        return [nodes[i] for i in sorted(numbers)]

    # What later parts read of each part.
    wanted: list[list[str]] = []
    later = dict.fromkeys(outputs)
    for numbers in reversed(parts):
        wanted.append([n for i in sorted(numbers) for n in nodes[i].output if n in later])
        later.update((name, None) for i in numbers for name in _reads(nodes[i]))
    wanted.reverse()
    stages, made = [], list[str]()
    for i, (before, device) in enumerate(groups):
        host = _Part(model, with_constants(before), wanted[2 * i])
        made += host.outputs
        # The results of the model come first, in their order.
        own = wanted[2 * i + 1]
        results = [n for n in outputs if n in own] + [n for n in own if n not in outputs]
        stages.append(Stage(host, _device(model, with_constants(device), made, results)))
        made += results
    last = _Part(model, with_constants(after), wanted[-1])
    hosted = sorted(after.union(*(before for before, _ in groups)))
    names = tuple(_name(nodes[i], i) for i in hosted)
    return HostParts(tuple(stages), last, names)


def _may_need_host(model: Model) -> bool:
    graph = model.proto.graph
    kinds = [i.type for i in graph.input]
    return (
        any(node.domain == _ML or node.op_type in _HOST for node in graph.node)
        or any(not _is_of_numbers(kind) for kind in kinds)
        or any(x.dtype.kind == "O" for x in model.initializers.values())
        or any(_attribute(node, "to") == _STRING for node in graph.node)
    )


def _is_of_numbers(kind: onnx.TypeProto) -> bool:
    return not kind.HasField("map_type") and kind.tensor_type.elem_type != _STRING


def _attribute(node: onnx.NodeProto, name: str) -> Any:
    found = next((a for a in node.attribute if a.name == name), None)
    return None if found is None else onnx.helper.get_attribute_value(found)


def _on_host(model: Model, nodes: Sequence[onnx.NodeProto]) -> list[bool]:
    """Returns whether the host must compute each node."""
    strings = {i.name for i in model.proto.graph.input if not _is_of_numbers(i.type)}
    strings |= {name for name, x in model.initializers.items() if x.dtype.kind == "O"}
    found = []
    for node in nodes:
        values = [name for name in node.input if name]
        touches = any(name in strings for name in values)
        if _gives_strings(node, touches):
            strings.update(node.output)
        domain = "" if node.domain == "ai.onnx" else node.domain
        has_no_form = domain == _ML and not _has_form(node)
        touches |= any(name in strings for name in node.output)
        found.append(touches or node.op_type in _HOST or has_no_form)
    return found


def _has_form(node: onnx.NodeProto) -> bool:
    """Whether the device can compute an op of ``ai.onnx.ml``."""
    if node.op_type == "SVMClassifier":
        # Probabilities of more than two classes are found by iteration.
        has_chances = bool(_attribute(node, "prob_a"))
        return not has_chances or len(_attribute(node, "vectors_per_class") or ()) == 2
    return (_ML, node.op_type) in HANDLERS


def _gives_strings(node: onnx.NodeProto, touches: bool) -> bool:
    if node.op_type == "Cast":
        return bool(_attribute(node, "to") == _STRING)
    if node.op_type == "LabelEncoder":
        values = _attribute(node, "values_tensor")
        is_text = values is not None and values.data_type == _STRING
        return is_text or _attribute(node, "values_strings") is not None
    if node.op_type == "CategoryMapper":
        return not touches
    if node.op_type == "Constant":
        value = _attribute(node, "value")
        is_text = value is not None and value.data_type == _STRING
        has_text = any(_attribute(node, n) is not None for n in ("value_string", "value_strings"))
        return is_text or has_text
    same = touches and node.op_type in (*_MOVES, "Where", "Unique", "Compress", "Pad")
    return same or node.op_type in ("StringNormalizer", "StringConcat", "StringSplit")


def _known(model: Model, nodes: Sequence[onnx.NodeProto]) -> set[int]:
    """Returns the nodes that depend on constants only."""
    names = {"", *model.initializers}
    found = set()
    for i, node in enumerate(nodes):
        if all(name in names for name in node.input) and not node.op_type.startswith("Random"):
            found.add(i)
            names.update(node.output)
    return found


def _groups(
    nodes: Sequence[onnx.NodeProto], on_host: Sequence[bool], known: set[int]
) -> tuple[list[tuple[set[int], set[int]]], set[int]]:
    """Returns the nodes of the host and of the device, in stages, and those of the host at the
    end."""
    groups = []
    left = set(range(len(nodes)))
    while True:
        before = _before(nodes, on_host, known, left)
        behind = _behind(nodes, on_host, left - before)
        groups.append((before, left - before - behind))
        left = behind
        if all(on_host[i] or nodes[i].op_type in _MOVES for i in behind):
            return groups, behind


def _before(
    nodes: Sequence[onnx.NodeProto], on_host: Sequence[bool], known: set[int], left: set[int]
) -> set[int]:
    """Returns those of the nodes that the host computes and that need no result of the device among
    them, with moves in front of them."""
    made = {name: i for i in left for name in nodes[i].output if name}
    possible: set[int] = set()
    for i in sorted(left):
        sources = {made[name] for name in nodes[i].input if name in made} - known
        if (on_host[i] or nodes[i].op_type in _MOVES) and sources <= possible:
            possible.add(i)
    found: set[int] = set()
    needed: set[str] = set()
    for i in sorted(possible, reverse=True):
        if on_host[i] or (needed & set(nodes[i].output) and i not in known):
            found.add(i)
            needed.update(nodes[i].input)
    return found


def _behind(nodes: Sequence[onnx.NodeProto], on_host: Sequence[bool], left: set[int]) -> set[int]:
    """Returns those of the nodes that the host computes, and those that need their results."""
    found: set[int] = set()
    names: set[str] = set()
    for i in sorted(left):
        if on_host[i] or names.intersection(_reads(nodes[i])):
            found.add(i)
            names.update(nodes[i].output)
    return found


def _name(node: onnx.NodeProto, number: int) -> str:
    output = next((name for name in node.output if name), str(number))
    return node.name or f"{node.op_type}:{output}"


def _device(
    model: Model, nodes: Sequence[onnx.NodeProto], made: Sequence[str], outputs: Sequence[str]
) -> Model:
    """Returns a part of the device: its inputs are those of the model and results of earlier
    parts, ``made``."""
    own = {name for node in nodes for name in node.output}
    read = {name for node in nodes for name in _reads(node)} - own
    nothing = onnx.TypeProto()
    infos = {o.name: o for o in model.proto.graph.output}
    inputs = [i for i in model.proto.graph.input if i.name in read]
    inputs += [onnx.helper.make_value_info(name, nothing) for name in made if name in read]
    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    del proto.graph.node[:], proto.graph.input[:], proto.graph.output[:]
    proto.graph.node.extend(nodes)
    proto.graph.input.extend(inputs)
    proto.graph.output.extend(
        infos.get(name, onnx.helper.make_value_info(name, nothing)) for name in outputs
    )
    return Model(model.name, proto, model.initializers, model.opsets)


def _reads(node: onnx.NodeProto) -> list[str]:
    """Returns the names that a node reads, also in its bodies."""
    return [*filter(None, node.input), *_captured(node)]


def _captured(node: onnx.NodeProto) -> set[str]:
    found: set[str] = set()
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            for inner in graph.node:
                found |= {*inner.input, *_captured(inner)}
            found |= {o.name for o in graph.output}
    return found


# Labels ------------------------------------------------------------------------------------------


def _with_integer_labels(nodes: Sequence[onnx.NodeProto]) -> list[onnx.NodeProto]:
    """Splits classifiers with labels of strings: the device computes the number of a label, and the
    host its name."""
    found = []
    for node in nodes:
        labels = _attribute(node, "classlabels_strings")
        if node.domain != _ML or node.op_type not in _LABELS or not labels:
            found.append(node)
            continue
        numbers = list(range(len(labels)))
        own = onnx.NodeProto()
        own.CopyFrom(node)
        del own.attribute[:]
        own.attribute.extend(a for a in node.attribute if a.name != "classlabels_strings")
        own.attribute.append(onnx.helper.make_attribute(_LABELS[node.op_type], numbers))
        found.append(own)
        if node.output[0]:
            own.output[0] = f"{node.output[0]} as numbers"
            found.append(
                onnx.helper.make_node(
                    "LabelEncoder",
                    [own.output[0]],
                    [node.output[0]],
                    name=f"{_name(node, 0)}/labels",
                    domain=_ML,
                    keys_int64s=numbers,
                    values_strings=labels,
                )
            )
    return found


# Ops that ONNX's reference lacks -----------------------------------------------------------------


class CategoryMapper(OpRun):  # type: ignore[misc]
    """Numbers of strings, or strings of numbers."""

    op_domain = _ML

    def _run(
        self,
        x: Any,
        cats_int64s: Any = None,
        cats_strings: Any = None,
        default_int64: int = -1,
        default_string: str = "_Unused",
    ) -> tuple[Any]:
        if x.dtype.kind in "OUS":
            table = dict(zip(cats_strings, cats_int64s, strict=True))
            found = [table.get(str(value), default_int64) for value in x.flat]
            return (np.array(found, np.int64).reshape(x.shape),)
        names = dict(zip(cats_int64s, cats_strings, strict=True))
        texts = [names.get(int(value), default_string) for value in x.flat]
        return (np.array(texts, object).reshape(x.shape),)


class DictVectorizer(OpRun):  # type: ignore[misc]
    """A row of the values of a dictionary, or rows of several ones."""

    op_domain = _ML

    def _run(self, x: Any, int64_vocabulary: Any = None, string_vocabulary: Any = None) -> Any:
        names = string_vocabulary or int64_vocabulary
        rows = [x] if isinstance(x, Mapping) else list(x)
        value = next((value for row in rows for value in row.values()), 0.0)
        zero = "" if isinstance(value, str) else type(value)(0)
        found = np.array([[row.get(name, zero) for name in names] for row in rows])
        is_double = found.dtype == np.float64 and not isinstance(value, np.float64)
        return (found.astype(np.float32) if is_double else found,)


class ZipMap(OpRun):  # type: ignore[misc]
    """A dictionary for each row, of labels and their scores."""

    op_domain = _ML

    def _run(self, x: Any, classlabels_int64s: Any = None, classlabels_strings: Any = None) -> Any:
        labels = classlabels_strings or classlabels_int64s
        rows = np.atleast_2d(x)
        return ([dict(zip(labels, map(float, row), strict=True)) for row in rows],)


_OWN_OPS = [CategoryMapper, DictVectorizer, ZipMap]
