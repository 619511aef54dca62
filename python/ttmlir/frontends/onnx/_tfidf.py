"""N-gram counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._reductions import reduced
from ttmlir.frontends.onnx._types import Array


@handles("TfIdfVectorizer")
def _tf_idf(op: Op, x: Value) -> Result:
    """Counts each n-gram of the pool in each row, with a limited number of skipped positions."""
    b = op.b
    if op.has("pool_strings"):
        raise op.fail("strings are not supported at run time: number the words on the host")
    rows = op.tensor(x)
    is_vector = rows.rank == 1
    rows = op.cast(reshaped(op, rows, (1, -1)) if is_vector else rows, "i32")
    places = np.array(op.integers("ngram_indexes") or [])
    counts: list[Tensor] = []
    for grams in _by_length(op):
        counts += [_counted(op, rows, gram) for gram in grams]
    # Maps the order of the pool to that of the result; indices without an n-gram are 0.
    order = np.zeros((len(counts), int(places.max()) + 1), np.float32)
    order[np.arange(len(counts)), places] = 1
    found = b.matmul(b.concat(counts, 1), op.tensor(order, "f32"))
    mode = op.text("mode")
    weights = np.array(op.numbers("weights") or [1.0] * len(counts), np.float32) @ order
    if mode == "IDF":
        found = op.cast(op.compare("gt", found, op.tensor(0.0, "f32")), "f32")
    if mode != "TF":
        found = b.multiply(found, op.tensor(weights, "f32"))
    return reshaped(op, found, found.shape[1:] if is_vector else found.shape)


def _by_length(op: Op) -> list[list[Array]]:
    """Groups the n-grams of the pool by length."""
    pool = np.array(op.integers("pool_int64s") or [], np.int32)
    starts = [*(op.integers("ngram_counts") or []), len(pool)]
    return [
        list(pool[begin:end].reshape(-1, length))
        for length, (begin, end) in enumerate(pairwise(starts), 1)
    ]


def _counted(op: Op, rows: Tensor, gram: Array) -> Tensor:
    """Counts an n-gram in each row."""
    b, length = op.b, len(gram)
    total = op.tensor(np.zeros((rows.shape[0], 1), np.float32), "f32")
    if not op.integer("min_gram_length") <= length <= op.integer("max_gram_length"):
        return total
    skips = range(1 if length == 1 else op.integer("max_skip_count") + 1)
    for step in (skip + 1 for skip in skips):
        count = rows.shape[1] - (length - 1) * step
        if count < 1:
            continue
        met: Tensor | None = None
        for i, word in enumerate(gram):
            part = sliced(op, rows, 1, i * step, i * step + count)
            same = op.compare("eq", part, op.tensor(int(word), "i32"))
            met = same if met is None else b.logical_and(met, same)
        assert met is not None
        total = b.add(total, reduced(op, "sum", op.cast(met, "f32"), [1]))
    return total
