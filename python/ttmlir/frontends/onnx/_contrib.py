"""Fused ops of ONNX Runtime that exporters and optimizers write."""

from __future__ import annotations

import math

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, taken
from ttmlir.frontends.onnx._activations import gelu
from ttmlir.frontends.onnx._convolutions import convolution
from ttmlir.frontends.onnx._matmul import product
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._sliding_windows import window_of

MICROSOFT = "com.microsoft"


def _with(op: Op, x: Value, bias: Value) -> Tensor:
    found = op.tensor(x)
    return found if bias is None else op.b.add(found, op.tensor(bias, found.dtype))


# Activations -------------------------------------------------------------------------------------


@handles("Gelu", "BiasGelu", domain=MICROSOFT)
def _gelu(op: Op, x: Value, bias: Value = None) -> Result:
    return gelu(op, _with(op, x, bias), "none")


@handles("FastGelu", domain=MICROSOFT)
def _fast_gelu(op: Op, x: Value, bias: Value = None) -> Result:
    return gelu(op, _with(op, x, bias), "tanh")


@handles("QuickGelu", domain=MICROSOFT)
def _quick_gelu(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    scaled = op.b.multiply(found, op.tensor(op.number("alpha", 1.702), found.dtype))
    return op.b.multiply(found, op.b.sigmoid(scaled))


@handles("BiasSoftmax", domain=MICROSOFT)
def _bias_softmax(op: Op, x: Value, bias: Value) -> Result:
    found = op.tensor(x)
    axis = axis_of(op.integer("axis", 1), found.rank)
    if not op.integer("is_inner_broadcast", 1):
        raise op.fail("only is_inner_broadcast=1 is supported")
    total = op.b.add(found, op.tensor(bias, found.dtype))
    flat = (math.prod(total.shape[:axis]), math.prod(total.shape[axis:]))
    return reshaped(op, op.b.softmax(reshaped(op, total, flat), 1), total.shape)


def _activated(op: Op, x: Tensor) -> Tensor:
    """Applies the activation of a fused op."""
    name = op.text("activation")
    b = op.b
    simple = {"Relu": b.relu, "Sigmoid": b.sigmoid, "Tanh": b.tanh}
    if name in simple:
        return simple[name](x)
    if not name:
        return x
    numbers = op.numbers("activation_params") or []
    if name == "LeakyRelu":
        alpha = numbers[0] if numbers else op.number("activation_alpha", 0.01)
        return b.leaky_relu(x, alpha)
    if name == "Clip" and len(numbers) == 2:
        return b.clamp(x, numbers[0], numbers[1])
    raise op.fail(f"the activation '{name}' is not supported: leave it out of the fusion")


# Products ----------------------------------------------------------------------------------------


def _exchanged(op: Op, x: Tensor) -> Tensor:
    return op.b.transpose(x, -2, -1) if x.rank > 1 else x


@handles("FusedMatMul", "TransposeMatMul", domain=MICROSOFT)
def _fused_matmul(op: Op, x: Value, y: Value) -> Result:
    if op.integer("transBatchA") or op.integer("transBatchB"):
        raise op.fail("transBatchA and transBatchB are not supported: use Transpose")
    left, right = op.tensor(x), op.tensor(y, op.dtype_of(x))
    left = _exchanged(op, left) if op.integer("transA") else left
    right = _exchanged(op, right) if op.integer("transB") else right
    found = product(op, left, right)
    alpha = op.number("alpha", 1.0)
    return found if alpha == 1 else op.b.multiply(found, op.tensor(alpha, found.dtype))


@handles("FusedGemm", domain=MICROSOFT)
def _fused_gemm(op: Op, x: Value, y: Value, c: Value = None) -> Result:
    b, dtype = op.b, op.dtype_of(x)
    found = b.matmul(
        op.tensor(x),
        op.tensor(y, dtype),
        transpose_a=bool(op.integer("transA")),
        transpose_b=bool(op.integer("transB")),
    )
    alpha, beta = op.number("alpha", 1.0), op.number("beta", 1.0)
    found = found if alpha == 1 else b.multiply(found, op.tensor(alpha, dtype))
    if c is not None:
        offset = op.tensor(c, dtype)
        offset = offset if beta == 1 else b.multiply(offset, op.tensor(beta, dtype))
        found = b.add(found, offset)
    return _activated(op, found)


@handles("FusedConv", domain=MICROSOFT)
def _fused_conv(op: Op, x: Value, w: Value, bias: Value = None, z: Value = None) -> Result:
    image = op.tensor(x)
    kernel = op.tensor(w, image.dtype)
    window = window_of(op, image.shape[2:], kernel.shape[2:])
    found = convolution(op, image, kernel, bias, window, op.integer("group", 1))
    return _activated(op, found if z is None else op.b.add(found, op.tensor(z, found.dtype)))


# Norms -------------------------------------------------------------------------------------------


def layer_norm(op: Op, x: Tensor, scale: Value, bias: Value) -> Tensor:
    """Normalizes by mean and deviation of the last dimension."""
    offset = None if bias is None else op.tensor(bias, x.dtype)
    epsilon = op.number("epsilon", 1e-12)
    return op.b.layer_norm(x, op.tensor(scale, x.dtype), offset, epsilon=epsilon)


@handles("SkipLayerNormalization", domain=MICROSOFT)
def _skip_layer_norm(
    op: Op, x: Value, skip: Value, gamma: Value, beta: Value = None, bias: Value = None
) -> Result:
    total = _skipped(op, x, skip, bias)
    return [layer_norm(op, total, gamma, beta), None, None, total]


@handles("SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def _skip_rms_norm(op: Op, x: Value, skip: Value, gamma: Value, bias: Value = None) -> Result:
    total = _skipped(op, x, skip, bias)
    scale = op.tensor(gamma, total.dtype)
    return [op.b.rms_norm(total, scale, epsilon=op.number("epsilon", 1e-12)), None, None, total]


def _skipped(op: Op, x: Value, skip: Value, bias: Value) -> Tensor:
    if op.is_used(1) or op.is_used(2):
        raise op.fail("mean and deviation are not supported as outputs: use LayerNormalization")
    return _with(op, op.b.add(op.tensor(x), op.tensor(skip, op.dtype_of(x))), bias)


def _rms_norm(op: Op, x: Value, scale: Value) -> Result:
    rows = op.tensor(x)
    axis = axis_of(op.integer("axis", -1), rows.rank)
    shape, epsilon = rows.shape[axis:], op.number("epsilon", 1e-5)
    factor = op.tensor(scale, rows.dtype)
    if op.is_used(1):
        raise op.fail("the deviation is not supported as an output")
    if factor.shape == shape:
        return op.b.rms_norm(rows, factor, normalized_shape=shape, epsilon=epsilon)
    return op.b.multiply(op.b.rms_norm(rows, normalized_shape=shape, epsilon=epsilon), factor)


handles("RMSNormalization", "SimplifiedLayerNormalization")(_rms_norm)
handles("SimplifiedLayerNormalization", domain=MICROSOFT)(_rms_norm)


@handles("EmbedLayerNormalization", domain=MICROSOFT)
def _embed_layer_norm(
    op: Op,
    words: Value,
    segments: Value,
    word_table: Value,
    place_table: Value,
    segment_table: Value = None,
    gamma: Value = None,
    beta: Value = None,
    mask: Value = None,
    positions: Value = None,
) -> Result:
    b = op.b
    batch, count = shape_of(words)
    table = op.tensor(word_table)
    dtype, width = table.dtype, table.shape[1]

    def rows(index: Value, source: Tensor) -> Tensor:
        where = reshaped(op, op.tensor(index, "i32"), (math.prod(shape_of(index)),))
        return reshaped(op, taken(op, source, 0, where), (*shape_of(index), width))

    places = np.arange(count, dtype=np.int32)[None] if positions is None else positions
    total = b.add(rows(words, table), rows(places, op.tensor(place_table, dtype)))
    if segments is not None:
        total = b.add(total, rows(segments, op.tensor(segment_table, dtype)))
    results: list[Value] = [layer_norm(op, total, gamma, beta)]
    if mask is None:
        results.append(np.zeros(batch, np.int32))
    else:
        results.append(b.sum(op.tensor(mask, "i32"), 1))
    return [*results, total]
