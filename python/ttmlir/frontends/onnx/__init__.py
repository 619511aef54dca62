"""Imports models of ONNX.

Needs the extra ``onnx``: ``pip install ttmlir[onnx]``.

A handler imports nodes of an op type. It is registered with ``handles("Add", "Sub")``, and
``domain=`` if it is not ONNX's own, in a module that ``_handlers`` imports. It is called with the
``Op`` and the inputs of the node; omitted inputs are None. An input is a ``Tensor`` of the builder
or, if it is known, a NumPy array; sequences are lists of them. The handler returns one such value,
or a list of them for several outputs.

``op.tensor(x)`` converts an input to a tensor; ``op.known(x, "the shape")`` and ``op.ints`` request
its value: an input of the model that it depends on is then specialized, and the import starts
again. ``op.since`` is the version of the schema; ``op.integer``, ``op.number``, ``op.integers``,
``op.numbers``, ``op.text`` and ``op.attribute`` return attributes; ``op.is_used(i)`` tells whether
output ``i`` is used.

Nodes whose inputs are all known are evaluated by onnx's reference, unless their handler is
registered with ``folds=False``. ``op.importer.call(graph, values, op.scope)`` imports a graph
attribute. Op types without a handler are expanded to their function bodies, from the model or the
schema.
"""

from __future__ import annotations

try:
    import onnx  # noqa: F401
except ImportError as error:
    message = f"ttmlir.frontends.onnx needs ONNX: pip install ttmlir[onnx] ({error})"
    raise ImportError(message) from None

from ttmlir.frontends.dtype_policy import DTypes
from ttmlir.frontends.onnx._model import Model, load_model
from ttmlir.frontends.onnx._program import Imported, TensorType, import_model

__all__ = ["DTypes", "Imported", "Model", "TensorType", "import_model", "load_model"]
