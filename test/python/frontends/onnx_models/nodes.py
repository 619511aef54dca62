"""Runs single nodes, and compares what they give with onnx's reference."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from ttmlir.onnx import backend

Arrays = Mapping[str, Any]


def random(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray[Any, Any]:
    """Numbers of the normal distribution, or integers of [-100, 100)."""
    numbers = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return numbers.standard_normal(shape).astype(dtype)
    if np.dtype(dtype).kind == "b":
        return numbers.integers(0, 2, shape).astype(bool)
    return numbers.integers(0 if np.dtype(dtype).kind == "u" else -100, 100, shape).astype(dtype)


def info(name: str, x: Any) -> onnx.ValueInfoProto:
    """Name and type of an array."""
    x = np.asarray(x)
    kind = onnx.helper.np_dtype_to_tensor_dtype(x.dtype)
    return onnx.helper.make_tensor_value_info(name, kind, x.shape)


def model_of(
    nodes: Sequence[onnx.NodeProto],
    inputs: Arrays,
    outputs: Sequence[str],
    *,
    known: Arrays | None = None,
    opset: int | None = None,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    """A model of some nodes.

    Args:
        nodes: in order.
        inputs: examples of its inputs by name.
        outputs: their names.
        known: initializers by name.
        opset: the newest one by default.
        domains: other operator sets.
    """
    nothing = onnx.TypeProto()
    graph = onnx.helper.make_graph(
        list(nodes),
        "test",
        [info(name, x) for name, x in inputs.items()],
        [onnx.helper.make_value_info(name, nothing) for name in outputs],
        [onnx.numpy_helper.from_array(np.asarray(x), name) for name, x in (known or {}).items()],
    )
    version = opset or onnx.defs.onnx_opset_version()
    opsets = [onnx.helper.make_opsetid("", version)]
    opsets += [onnx.helper.make_opsetid(domain, 1) for domain in domains]
    return onnx.helper.make_model(graph, opset_imports=opsets)


def node_model(
    op_type: str,
    inputs: Arrays,
    *,
    known: Arrays | None = None,
    order: Sequence[str] | None = None,
    outputs: int | Sequence[str] = 1,
    opset: int | None = None,
    domain: str = "",
    **attributes: Any,
) -> onnx.ModelProto:
    """A model of one node, whose inputs are ``inputs`` and then ``known``, or in another order."""
    names = list(order) if order is not None else [*inputs, *(known or {})]
    made = [f"y{i}" for i in range(outputs)] if isinstance(outputs, int) else list(outputs)
    node = onnx.helper.make_node(op_type, names, made, domain=domain, **attributes)
    shown = [name for name in made if name]
    domains = [domain] if domain else []
    return model_of([node], inputs, shown, known=known, opset=opset, domains=domains)


def run(model: onnx.ModelProto, inputs: Arrays, **keywords: Any) -> list[Any]:
    """What the chip gives, if there is something to compute at run time."""
    prepared = backend.prepare(model, **keywords)
    found = list(prepared.run(dict(inputs)))
    assert not prepared.is_known
    return found


def reference(model: onnx.ModelProto, inputs: Arrays) -> list[Any]:
    """What onnx's reference gives."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return list(ReferenceEvaluator(model).run(None, dict(inputs)))


def assert_close(found: Any, expected: Any, rtol: float = 1e-5, atol: float = 1e-5) -> None:
    """Arrays, or lists of them, of the same shapes and dtypes with close elements."""
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for x, y in zip(found, expected, strict=True):
            assert_close(x, y, rtol, atol)
        return
    wanted = np.asarray(expected)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(
        np.asarray(found, np.float64), np.asarray(wanted, np.float64), rtol, atol
    )


def check(
    op_type: str,
    inputs: Arrays,
    *,
    expected: Sequence[Any] | None = None,
    rtol: float = 1e-5,
    atol: float = 1e-5,
    **named: Any,
) -> None:
    """Compares a node with onnx's reference, or with what is expected; see ``node_model``."""
    model = node_model(op_type, inputs, **named)
    found = run(model, inputs)
    wanted = reference(model, inputs) if expected is None else list(expected)
    assert_close(found, wanted, rtol, atol)
