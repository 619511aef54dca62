"""Imports all handler modules, and explains why a node has no handler."""

from __future__ import annotations

import onnx

# Each module registers its handlers.
from ttmlir.frontends.onnx import (  # noqa: F401
    _activations,
    _attention,
    _contrib,
    _control_flow,
    _convolutions,
    _deform_conv,
    _einsum,
    _elementwise,
    _fft,
    _grid_sample,
    _indexing,
    _matmul,
    _ml_linear,
    _ml_ops,
    _ml_trees,
    _non_max_suppression,
    _normalization,
    _optimizers,
    _padding,
    _pooling,
    _quantization,
    _random,
    _reductions,
    _resize,
    _rnn,
    _roi_pooling,
    _sequences,
    _shapes,
    _sorting,
    _tfidf,
)
from ttmlir.frontends.onnx._op import Op


def why_not(op: Op) -> str:
    """Explains why a node without a handler cannot be imported, and suggests a remedy."""
    domain = "" if op.node.domain == "ai.onnx" else op.node.domain
    if domain not in op.scope.opsets:
        return f"the model does not import the operator set of '{domain or 'ai.onnx'}'"
    if domain not in {schema.domain for schema in onnx.defs.get_all_schemas()}:
        return (
            f"the domain '{domain}' is unknown, and the model has no such function: export the "
            "model with ops of ONNX"
        )
    known = onnx.defs.has(op.node.op_type, domain)
    if not known:
        return "ONNX has no such op: correct the name, or update onnx"
    return "the op is not supported: express it in other ops"
