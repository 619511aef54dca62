"""Elementwise ops."""

from __future__ import annotations

from ttmlir.builder import Tensor
from ttmlir.frontends.onnx._op import Handler, Op, Result, Value, handles

#: Ops of one input that are one op of TTIR.
_UNARY = {
    "Abs": "abs",
    "Acos": "acos",
    "Acosh": "acosh",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atanh": "atanh",
    "Ceil": "ceil",
    "Cos": "cos",
    "Cosh": "cosh",
    "Erf": "erf",
    "Exp": "exp",
    "Floor": "floor",
    "Log": "log",
    "Neg": "neg",
    "Not": "logical_not",
    "Reciprocal": "reciprocal",
    "Relu": "relu",
    "Round": "roundeven",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Sinh": "sinh",
    "Sqrt": "sqrt",
    "Tan": "tan",
    "Tanh": "tanh",
}
#: Ops of two inputs of one type.
_BINARY = {"Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "div"}


def build(op: Op, name: str, *inputs: Value, dtype: str | None = None) -> Tensor:
    """An op of TTIR on inputs in one dtype, that of the first one by default."""
    dtype = dtype or op.dtype_of(inputs[0])
    return op.b._eltwise(name, [op.tensor(x, dtype) for x in inputs], None)


def _unary(name: str) -> Handler:
    return lambda op, x: build(op, name, x)


def _binary(name: str) -> Handler:
    return lambda op, x, y: build(op, name, x, y)


for _name, _op in _UNARY.items():
    handles(_name)(_unary(_op))
for _name, _op in _BINARY.items():
    handles(_name)(_binary(_op))


@handles("Identity")
def _identity(op: Op, x: Value) -> Result:
    return x
