"""Einstein's summation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.onnx._elementwise import common
from ttmlir.frontends.onnx._op import Op, Result, Value, handles, shape_of
from ttmlir.frontends.onnx._reductions import reduced

_REST = "..."
#: The name of a dimension: a letter, or a number that counts those of ``...`` from the end.
Label = str


@dataclass(frozen=True)
class _Term:
    """A tensor, and a label for each of its dimensions."""

    x: Tensor
    labels: tuple[Label, ...]

    def extent(self, label: Label) -> int:
        return self.x.shape[self.labels.index(label)]


def _labels(op: Op, text: str, rank: int | None) -> tuple[Label, ...]:
    """Returns the labels of a term; in the result, labels of ``...`` are left unchanged."""
    before, rest, behind = text.partition(_REST)
    letters = before + behind
    if not (letters.isalpha() or not letters):
        raise op.fail(f"expected letters and '...' in the equation, found '{text}'")
    if rank is None:
        return (*before, *((_REST,) if rest else ()), *behind)
    count = rank - len(letters)
    if count < 0 or (count and not rest):
        raise op.fail(f"expected a tensor of rank {len(letters)} for '{text}', found {rank}")
    return (*before, *(str(count - i) for i in range(count)), *behind)


def _diagonal(op: Op, term: _Term) -> _Term:
    """Takes diagonals for repeated labels of a term."""
    x, labels = term.x, term.labels
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            rest = [d for d in range(x.rank) if d not in (first, second)]
            extent = x.shape[first]
            moved = permuted(op, x, (first, second, *rest))
            flat = reshaped(op, moved, (extent * extent, *moved.shape[2:]))
            places = np.arange(extent, dtype=np.int32) * (extent + 1)
            x = taken(op, flat, 0, op.tensor(places))
            labels = (label, *(labels[d] for d in rest))
    return _Term(x, labels)


def _summed(op: Op, term: _Term, kept: set[Label]) -> _Term:
    """Sums over dimensions that no other term has."""
    dims = [d for d, label in enumerate(term.labels) if label not in kept]
    labels = tuple(label for label in term.labels if label in kept)
    return _Term(reduced(op, "sum", term.x, dims, keep=False), labels)


def _without_ones(op: Op, term: _Term, other: _Term) -> _Term:
    """Removes dimensions of extent 1 that broadcast against another term's."""
    kept = [
        d
        for d, label in enumerate(term.labels)
        if term.x.shape[d] != 1 or label not in other.labels or other.extent(label) == 1
    ]
    x = reshaped(op, term.x, [term.x.shape[d] for d in kept])
    return _Term(x, tuple(term.labels[d] for d in kept))


def _contracted(op: Op, x: _Term, y: _Term, kept: set[Label]) -> _Term:
    """Multiplies two terms and sums over labels that no other term has."""
    x, y = _without_ones(op, x, y), _without_ones(op, y, x)
    both = [label for label in x.labels if label in y.labels]
    batch = [label for label in both if label in kept]
    sums = [label for label in both if label not in kept]
    free = [[label for label in t.labels if label not in both] for t in (x, y)]
    # As a batched matrix product of (batch, free, sums) and (batch, sums, free).
    left = permuted(op, x.x, [x.labels.index(n) for n in (*batch, *free[0], *sums)])
    right = permuted(op, y.x, [y.labels.index(n) for n in (*batch, *sums, *free[1])])
    sizes = [
        math.prod(t.extent(label) for label in names)
        for t, names in ((x, batch), (x, free[0]), (x, sums), (y, free[1]))
    ]
    many, rows, inner, columns = sizes
    if inner == 1:
        first = reshaped(op, left, (many, rows, 1))
        found = op.b.multiply(first, reshaped(op, right, (many, 1, columns)))
    else:
        first = reshaped(op, left, (many, rows, inner))
        found = op.b.matmul(first, reshaped(op, right, (many, inner, columns)))
    labels = (*batch, *free[0], *free[1])
    shape = [x.extent(n) if n in x.labels else y.extent(n) for n in labels]
    return _Term(reshaped(op, found, shape), labels)


def _terms(op: Op, equation: str, inputs: Sequence[Value]) -> tuple[list[_Term], list[Label]]:
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = left.split(",")
    if len(texts) != len(inputs):
        raise op.fail(f"expected {len(texts)} inputs for '{equation}', found {len(inputs)}")
    dtype = common(op, *inputs)
    terms = [
        _Term(op.tensor(x, dtype), _labels(op, text, len(shape_of(x))))
        for x, text in zip(inputs, texts, strict=True)
    ]
    rest = sorted({n for t in terms for n in t.labels if n.isdigit()}, key=int, reverse=True)
    if arrow:
        out = [
            n for label in _labels(op, right, None) for n in (rest if label == _REST else [label])
        ]
    else:
        letters = [n for t in terms for n in t.labels if n.isalpha()]
        out = rest + sorted(n for n in set(letters) if letters.count(n) == 1)
    return terms, out


@handles("Einsum")
def _einsum(op: Op, *inputs: Value) -> Result:
    terms, out = _terms(op, op.text("equation"), inputs)
    terms = [_diagonal(op, term) for term in terms]
    extents: dict[Label, int] = {}
    for term in terms:
        for label in term.labels:
            extents[label] = max(extents.get(label, 1), term.extent(label))
    if unknown := [label for label in out if label not in extents]:
        raise op.fail(f"no input has the dimension '{unknown[0]}' of the result")
    found: _Term | None = None
    for i, term in enumerate(terms):
        kept = set(out).union(*(t.labels for t in terms[i + 1 :]))
        own = _summed(op, term, kept | set(found.labels if found else ()))
        found = own if found is None else _contracted(op, found, own, kept)
    assert found is not None
    found = _summed(op, found, set(out))
    y = permuted(op, found.x, [found.labels.index(label) for label in out])
    return spread(op, y, [extents[label] for label in out])
