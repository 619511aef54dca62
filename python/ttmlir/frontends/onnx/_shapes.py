"""Ops that give tensors other shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ttmlir.frontends.moves import permuted, reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, handles, shape_of


@handles("Shape")
def _shape(op: Op, x: Value) -> Result:
    part = slice(op.integer("start"), op.attribute("end"))
    return np.array(shape_of(x)[part], np.int64)


@handles("Size")
def _size(op: Op, x: Value) -> Result:
    return np.array(math.prod(shape_of(x)), np.int64)


def completed(shape: Sequence[int], x: Value, keeps_zeros: bool) -> list[int]:
    """A shape with what 0 and -1 in it stand for."""
    own = shape_of(x)
    found = [own[i] if n == 0 and not keeps_zeros else n for i, n in enumerate(shape)]
    if -1 in found:
        rest = math.prod(n for n in found if n != -1)
        found[found.index(-1)] = math.prod(own) // rest if rest else 0
    return found


@handles("Reshape")
def _reshape(op: Op, x: Value, shape: Value = None) -> Result:
    given = op.integers("shape") if op.since < 5 else op.ints(shape, "the shape")
    return reshaped(op, op.tensor(x), completed(given or [], x, bool(op.integer("allowzero"))))


@handles("Transpose")
def _transpose(op: Op, x: Value) -> Result:
    tensor = op.tensor(x)
    return permuted(op, tensor, op.integers("perm") or list(range(tensor.rank))[::-1])
