"""Imports models of ONNX.

Needs the extra ``onnx``: ``pip install ttmlir[onnx]``.

A handler imports nodes of one op type. It is entered into the table by ``handles("Add", "Sub")``,
with ``domain=`` where it is not that of ONNX, in a module that ``_handlers`` imports, and is
called with the ``Op`` and the inputs of the node; those that are left out are None. An input is a
``Tensor`` of the builder or, where it is known, an array of NumPy; sequences are lists of them.
It returns one such value, or a list of them for several outputs.

``op.tensor(x)`` makes a tensor of an input, ``op.known(x, "the shape")`` and ``op.ints`` ask for
its value: an input of the model that it depends on is then specialized, and the import begins
again. ``op.since`` is the version of the schema, ``op.integer``, ``op.number``, ``op.integers``,
``op.numbers``, ``op.text`` and ``op.attribute`` give attributes, ``op.is_used(i)`` says whether
output ``i`` is asked for.
Nodes whose inputs are all known are computed by onnx's reference, unless their handler is entered
with ``folds=False``. ``op.walk.call(graph, values, op.scope)`` imports a graph of an attribute.
Op types without a handler are taken apart into their function bodies, of the model or of the
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
