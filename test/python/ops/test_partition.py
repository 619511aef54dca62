"""Every op on parts of its inputs, sharded in any way over a mesh: the right numbers."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from op_cases import CASES
from op_formats import FORMATS, check
from op_program import Case, draws

import ttmlir

#: Ops without inputs, on layouts, and with odd extents only.
OTHERS = {"arange", "constant", "fill", "full", "ones", "rand", "to_layout", "zeros"} | {
    *("clamp_tensor", "gelu_bw"),
}
MESHES = ((1, 2), (2, 2), (2, 4), (4, 2), (1, 8))


@st.composite
def shardings(draw: st.DrawFn, case: Case) -> tuple[tuple[int, ...], dict[str, tuple[int, ...]]]:
    """A mesh, and shardings of inputs that it divides; the dimension of each axis or None."""
    mesh = draw(st.sampled_from(MESHES), label="mesh")
    chosen = {}
    for i, (array, _) in enumerate(case.inputs):
        extents, dims = list(array.shape), []
        for chips in mesh:
            possible = [d for d, n in enumerate(extents) if chips > 1 and n and n % chips == 0]
            dim = draw(st.sampled_from([None, *possible]), label=f"arg{i}")
            if dim is not None:
                extents[dim] //= chips
            dims.append(dim)
        if any(dim is not None for dim in dims):
            chosen[f"arg{i}"] = tuple(dims)
    return mesh, chosen


@pytest.mark.sampled(60)
@pytest.mark.parametrize("op", sorted(CASES.keys() - OTHERS))
@draws(6)
@given(data=st.data())
def test_right_numbers(op: str, data: st.DataObject) -> None:
    case = data.draw(CASES[op], label="case")
    # A layout is one of the whole tensor.
    assume(not any(FORMATS[dtype].space for _, dtype in case.inputs))
    mesh, chosen = data.draw(shardings(case), label="shardings")
    assume(chosen)
    backend = data.draw(st.sampled_from(("ttnn", "ttmetal")), label="backend")
    # Shards of inputs and results that stay on the chips, or whole tensors of the host.
    kept = data.draw(st.booleans(), label="kept")
    exe = ttmlir.compile(
        case.text(),
        target="t3000",
        mesh_shape=mesh,
        parallel=chosen,
        backend=backend,
        inputs_on_device=kept,
        results_on_device=kept,
    )
    found = exe(*(array for array, _ in case.inputs))
    is_reduced = "all_reduce" in exe.mlir
    # Partial sums of narrow formats are rounded to these.
    assume(not is_reduced or case.dtype == "f32" or not case.format.is_float)
    ulps = case.ulps * 4 + 4 if is_reduced else case.ulps
    check(found, case.expected(), case.format, ulps, case.slack)
