"""Rank 0 and extents of 0: the numbers of every op that takes them, in both backends."""

from __future__ import annotations

import numpy as np
import op_eltwise
import op_sizes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import check
from op_program import draws, draws_of_any_run

import ttmlir

#: Ops of which scalars are inputs or results.
OF_SCALARS = (
    *op_eltwise.CASES,
    *("sum", "mean", "max", "min", "prod", "reduce_and", "reduce_or"),
    *("permute", "reshape", "squeeze", "unsqueeze", "slice", "repeat", "broadcast", "pad"),
    *("full", "fill", "constant", "zeros", "ones", "rand", "dropout", "reverse", "adamw"),
    *("bitcast_convert", "quantize", "dequantize", "requantize"),
    *("quantize_unrolled", "dequantize_unrolled", "requantize_unrolled"),
    *("argmax", "dot_general", "embedding", "embedding_backward", "clamp_tensor", "gelu_bw"),
    *("gather", "gather_dim", "scatter", "scatter_dim", "reduce_window"),
    *("dynamic_slice", "dynamic_update_slice", "slice_dynamic"),
    *("threefry2x32", "rng_bit_generator"),
)
#: Ops of tensors without elements, beside those: all but of layouts, which have elements.
OF_NOTHING = tuple(op for op in CASES if op not in (*OF_SCALARS, "to_layout"))


@pytest.mark.sampled(60)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("op", [*OF_SCALARS, *OF_NOTHING])
@draws(6)
@given(data=st.data())
def test_numbers(op: str, backend: str, data: st.DataObject) -> None:
    with op_sizes.use(op_sizes.EDGES):
        case = data.draw(CASES[op], label="case")
    exe = ttmlir.compile(case.text(), backend=backend)
    actual = np.asarray(exe(*(array for array, _ in case.inputs)))
    check(actual, case.expected(), case.format, case.ulps, case.slack)


def drawn(op: str) -> set[tuple[int, ...]]:
    """The shapes of inputs and results of cases of an op."""
    found: set[tuple[int, ...]] = set()

    @draws_of_any_run(40)
    @given(data=st.data())
    def collect(data: st.DataObject) -> None:
        with op_sizes.use(op_sizes.EDGES):
            case = data.draw(CASES[op])
        found.update([case.shape, *(array.shape for array, _ in case.inputs)])
        found.update(shape for shape, _ in case.results)

    collect()
    return found


@pytest.mark.sampled(16)
@pytest.mark.parametrize("op", [*OF_SCALARS, *OF_NOTHING])
def test_the_edges_are_drawn(op: str) -> None:
    shapes = drawn(op)
    assert () in shapes or op in OF_NOTHING
    assert any(0 in shape for shape in shapes)
