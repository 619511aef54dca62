"""Random numbers, and bits of numbers."""

from __future__ import annotations

import math

from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo._elementwise import bits
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._types import FLOATS, NUMPY

_ALGORITHMS = {"DEFAULT": "philox", "THREE_FRY": "three_fry", "PHILOX": "philox"}


@handles("stablehlo.bitcast_convert")
def _bitcast_convert(op: Op) -> Result:
    source, target = op.input_dtype(), op.dtype()
    if source == target:
        return op.inputs[0]
    sizes = {NUMPY[source].itemsize, NUMPY[target].itemsize}
    if 8 in sizes and not sizes <= {4, 8}:
        raise op.fail("of 64 bits only words of 32 bits can be made: use uint32")
    if "bool" in (source, target):
        raise op.fail("a truth value has no bits: use convert")
    x = op.tensor()
    if x.rank == 0 and NUMPY[source].itemsize > NUMPY[target].itemsize:
        return reshaped(op, op.b.bitcast_convert(reshaped(op, x, (1,)), target), op.shape())
    if NUMPY[source].itemsize < NUMPY[target].itemsize and x.rank == 1:
        row = reshaped(op, x, (1, *x.shape))
        return reshaped(op, op.b.bitcast_convert(row, target), op.shape())
    return reshaped(op, op.b.bitcast_convert(x, target), op.shape())


@handles("stablehlo.rng_bit_generator")
def _rng_bit_generator(op: Op) -> Result:
    name = op.text("rng_algorithm")
    algorithm = _ALGORITHMS.get(name)
    if algorithm is None:
        raise op.fail(f"the algorithm {name} is not known: use THREE_FRY or PHILOX")
    has_wide_state = op.input_dtype() == "u64"
    state = op.b.bitcast_convert(op.tensor(), "u32") if has_wide_state else op.tensor()
    shape, dtype = op.shape(1), op.dtype(1)
    size = NUMPY[dtype].itemsize
    # The two words of 64 bits are drawn separately, whatever the shape.
    drawn = (2 * math.prod(shape),) if size == 8 else shape or (1,)
    words = reshaped(op, state, (math.prod(state.shape),))
    following, found = op.b.rng_bit_generator(words, drawn, algorithm)
    following = reshaped(op, following, state.shape)
    after = op.b.bitcast_convert(following, "u64") if has_wide_state else following
    if size == 8:
        words = op.b.bitcast_convert(reshaped(op, found, (math.prod(shape), 2)), dtype)
        return [after, reshaped(op, words, shape)]
    if size < 4:
        # The lower bits of each word.
        found = op.b.typecast(found, dtype)
    return [after, reshaped(op, bits(op, found, dtype), shape)]


@handles("stablehlo.rng")
def _rng(op: Op) -> Result:
    low, high = op.splat(0), op.splat(1)
    name = op.text("rng_distribution")
    if name != "UNIFORM" or op.dtype() not in FLOATS:
        raise op.fail("only uniform floats are supported: use jax.random with a key")
    shape = op.shape()
    if low is not None and high is not None:
        return op.b.rand(shape, float(low), float(high), dtype=op.dtype())
    unit = op.b.rand(shape, dtype=op.dtype())
    a, b = op.part(0), op.part(1)
    return op.result(op.b.add(a, op.b.multiply(unit, op.b.subtract(b, a))), shape)
