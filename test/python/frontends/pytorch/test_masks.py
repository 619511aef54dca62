"""Values that are put where masks hold that a program computes, on both backends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from graphs import Backend, exported
from judge import difference

from ttmlir.errors import CompileError

Case = tuple[Callable[..., Any], tuple[torch.Tensor, ...]]
#: Takes None for a dimension.
index_put = torch.ops.aten.index_put
_generator = torch.Generator().manual_seed(0)


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=_generator)


def _mask(extent: int, count: int) -> torch.Tensor:
    """A mask with as many places."""
    found = torch.zeros(extent, dtype=torch.bool)
    found[torch.randperm(extent, generator=_generator)[:count]] = True
    return found


def _set(x: torch.Tensor, first: torch.Tensor, second: torch.Tensor, v: Any) -> torch.Tensor:
    y = x.clone()
    y[first, second] = v
    return y


MASK = torch.tensor([True, False, True, True, False, False])
THREE = torch.tensor([2, -1, 0])


MASKS: dict[str, Case] = {
    "number": (
        lambda x, v: index_put(x, (x[:, 0, 0] > 0, torch.tensor([1])), v),
        (
            _normal(6, 3, 4),
            torch.tensor(5.0),
        ),
    ),
    "each": (
        lambda x, m, i, v: index_put(x, (m, i), v),
        (
            _normal(6, 3, 4),
            MASK,
            THREE,
            _normal(3, 4),
        ),
    ),
    "apart": (
        lambda x, m, i, v: index_put(x, (m, None, i), v),
        (
            _normal(6, 3, 4),
            MASK,
            THREE,
            _normal(3, 3),
        ),
    ),
    "behind": (
        lambda x, m, i, v: index_put(x, (None, m, i), v),
        (
            _normal(2, 6, 4),
            MASK,
            THREE,
            _normal(2, 3),
        ),
    ),
    "column": (
        lambda x, m, i, v: index_put(x, (None, m, i), v),
        (
            _normal(2, 6, 4),
            MASK,
            torch.tensor([2]),
            _normal(2, 1),
        ),
    ),
    "added": (
        lambda x, m, i, v: index_put(x, (i, m), v, accumulate=True),
        (
            _normal(4, 6, 3),
            MASK,
            torch.tensor([1, 1, 3]),
            _normal(3, 3),
        ),
    ),
    "two_dimensions": (
        lambda x, m, i, v: index_put(x, (i, m), v),
        (
            _normal(4, 2, 3, 2),
            MASK.reshape(2, 3),
            torch.tensor([2]),
            _normal(3, 2),
        ),
    ),
    "three_indices": (
        lambda x, m, i, v: index_put(x, (m, None, i, torch.tensor([1])), v),
        (
            _normal(6, 2, 4, 3),
            MASK,
            THREE,
            _normal(3, 2),
        ),
    ),
    "truths": (
        lambda x, m, i, v: index_put(x, (m, i), v),
        (
            _normal(6, 3, 4) > 0,
            MASK,
            THREE,
            _normal(3, 4) > 0,
        ),
    ),
}
#: Of two dimensions and more: masks of as many places, or of one.
_MANY: tuple[torch.Tensor, ...] = (_mask(37, 9), _mask(45, 9), _mask(5, 1))
MASKS_OF_DIMENSIONS: dict[str, Case] = {
    "number": (lambda x, m, n: _set(x, m, n, 7.0), (_normal(37, 45), *_MANY[:2])),
    "computed": (
        lambda x: _set(x, x[:, 0] > 0, x[0] < 0, -1),
        (torch.tensor([[1.0, -2, 0, -1, 5], [-3, 1, 0, 2, 2], [2, 0, 0, 1, 1]]),),
    ),
    "each": (_set, (_normal(37, 45), *_MANY[:2], _normal(9))),
    "bf16": (_set, (_normal(37, 45).bfloat16(), *_MANY[:2], _normal(9).bfloat16())),
    "integers": (
        lambda x, m, n, v: index_put(x, (m, n), v, accumulate=True),
        (torch.arange(37 * 45).reshape(37, 45), *_MANY[:2], torch.arange(9)),
    ),
    "truths": (_set, (_normal(37, 45) > 0, *_MANY[:2], _normal(9) > 0)),
    "one_and_many": (lambda x, m, n: _set(x, m, n, 7.0), (_normal(5, 45), *_MANY[:0:-1])),
    "many_and_one": (
        lambda x, m, n, v: _set(x, m, n, v),
        (_normal(37, 5), *_MANY[::2], _normal(9)),
    ),
    "nothing": (
        lambda x, m, n: _set(x, m & False, n & False, 7.0),
        (_normal(37, 45), *_MANY[:2]),
    ),
    "rows": (_set, (_normal(37, 45, 3), *_MANY[:2], _normal(9, 3))),
    "a_row": (_set, (_normal(37, 45, 3), *_MANY[:2], _normal(3))),
    "apart": (
        lambda x, m, n, v: index_put(x, (m, None, n), v),
        (_normal(37, 3, 45), *_MANY[:2], _normal(9, 3)),
    ),
    "behind": (
        lambda x, m, n, v: index_put(x, (None, m, n), v, accumulate=True),
        (_normal(3, 37, 45), *_MANY[:2], _normal(3, 1)),
    ),
    "three": (
        lambda x, m, n, o: index_put(x, (m, n, o), torch.tensor(2.0), accumulate=True),
        (_normal(37, 45, 5), *_MANY),
    ),
    "of_two_dimensions": (
        lambda x, m, n, v: index_put(x, (m, n), v),
        (_normal(4, 9, 37), _mask(36, 9).reshape(4, 9), _MANY[0], _normal(9)),
    ),
    "beside_places": (
        lambda x, m, n, i, v: index_put(x, (m, n, i), v),
        (_normal(37, 45, 4), *_MANY[:2], torch.arange(9) % 4, _normal(9)),
    ),
    "beside_one_place": (
        lambda x, m, n, i: index_put(x, (m, n, i), torch.tensor(3.0)),
        (_normal(37, 45, 4), *_MANY[:2], torch.tensor([-1])),
    ),
    "beside_a_constant": (
        lambda x, m: index_put(x, (m, THREE.new_tensor([0, 1] * 4 + [0]) > 0), torch.tensor(3.0)),
        (_normal(5, 9), _MANY[2]),
    ),
    # A mask of one place goes with all of another index; of equal places the values are added.
    "one_beside_places": (
        lambda x, m, i, v: index_put(x, (m, i), v, accumulate=True),
        (_normal(5, 4), _MANY[2], torch.arange(9) % 4, _normal(9)),
    ),
}
_TABLES = {"mask": MASKS, "masks": MASKS_OF_DIMENSIONS}
_CASES = [(table, name) for table, cases in _TABLES.items() for name in cases]


@pytest.mark.sampled(20)
@pytest.mark.parametrize("target", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(("table", "name"), _CASES, ids=["-".join(c) for c in _CASES])
def test_values(table: str, name: str, target: Backend) -> None:
    function, tensors = _TABLES[table][name]
    found = exported(function, *tensors, backend=target)
    assert difference(found, function(*tensors), scale=4) == ""


REFUSED: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...], str]] = {
    "read_twice": (
        lambda x, m, n: x[m, n],
        (_normal(37, 45), *_MANY[:2]),
        "aten.index.Tensor.*depends on values",
    ),
    "read_at_indices": (
        lambda x, m, i: x[m, i] + 1,
        (_normal(6, 6), MASK, THREE),
        "aten.index.Tensor.*depends on values",
    ),
    "two_counts": (
        lambda x, m, i, v: index_put(x, (m, i), v),
        (_normal(6, 6), MASK, THREE, _normal(2)),
        "aten.index_put.*expected indices of the same length, found 2 and 3",
    ),
    "rank_2": (
        lambda x, m, i: index_put(x, (m, i), torch.tensor(1.0)),
        (_normal(6, 6), MASK, THREE.reshape(3, 1)),
        "aten.index_put.*other indices must have one dimension",
    ),
    "no_dimension": (
        lambda x, m, i: index_put(x, (m[0], i), torch.tensor(1.0)),
        (_normal(6, 6), MASK, MASK),
        "aten.index_put.*without dimensions is supported alone",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    function, tensors, message = REFUSED[name]
    with pytest.raises(CompileError, match=f"(?s){message}") as caught:
        exported(function, *tensors)
    assert Path(caught.value.diagnostics[0].location.split(":")[0]).parent == Path(__file__).parent
