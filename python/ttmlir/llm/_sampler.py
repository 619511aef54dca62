"""Programs that select tokens from logits on the device."""

from __future__ import annotations

import math

from ttmlir.builder import Builder, Tensor

#: The token where logits are NaN.
NOT_A_NUMBER = -1


def greedy(users: int, vocabulary: int, dtype: str, *, is_divided: bool = False) -> Builder:
    """The most likely token of each user.

    Its input is ``logits`` (users, vocabulary) on the device, its output (users), int32.

    Args:
        users: rows of the logits.
        vocabulary: columns of the logits.
        dtype: of the logits.
        is_divided: whether the compiler partitions the program over chips, and therefore chooses
            the layouts of inputs and results.
    """
    b = Builder("greedy")
    if is_divided:
        logits = b.input("logits", (users, vocabulary), dtype)
    else:
        logits = _logits(b, users, vocabulary, dtype)
    # argmax and max of a tensor in DRAM run on a single core. An elementwise op moves the tensor to
    # the L1 of all cores, which then all reduce it: for 32 rows of 128,256 in a tenth of the time.
    numbers = b.where(b.ne(logits, logits), b.constant([[-math.inf]], dtype=dtype), logits)
    is_greatest = b.eq(numbers, b.max(numbers, 1, keep_dim=True))
    tokens = b.arange((1, vocabulary), dtype="i32")
    found = b.min(b.where(is_greatest, tokens, b.constant([[vocabulary]], dtype="i32")), 1)
    if is_divided:
        b.output(_checked(b, logits, found))
    else:
        _output(b, logits, found)
    return b


def sampled(users: int, vocabulary: int, dtype: str) -> Builder:
    """A random token of each user.

    Its inputs are ``logits`` (users, vocabulary) and ``temperature``, ``top_k`` and ``top_p``, each
    (1, 1), on the device, and ``uniform`` (users), f32, random numbers in [0, 1). Its output is
    (users), int32.

    In order of descending probability, the candidates are the first ``top_k`` tokens whose
    preceding probabilities sum to less than ``top_p``. The result is the first token at which the
    cumulative sum exceeds ``uniform`` times the sum of all candidates.
    """
    b = Builder("sampled")
    logits = _logits(b, users, vocabulary, dtype)
    temperature = _scalar(b, "temperature", "f32")
    top_k, top_p = _scalar(b, "top_k", "f32"), _scalar(b, "top_p", "f32")
    given = b.input("uniform", (users,), "f32", memory_space="system", tiled=False)
    # Row-major, like the result.
    uniform = b.reshape(b.to_layout(given, memory_space="dram", tiled=False), (users, 1))
    wide = logits if dtype == "f32" else b.typecast(logits, "f32")
    scaled, tokens = b.sort([b.div(wide, temperature)], 1, descending=True)
    likely = b.softmax(scaled, 1)
    before = b.subtract(b.cumsum(likely, 1), likely)
    is_candidate = b.logical_and(b.lt(b.arange((1, vocabulary)), top_k), b.lt(before, top_p))
    kept = b.where(is_candidate, likely, b.constant([[0.0]], dtype="f32"))
    sums = b.cumsum(kept, 1)
    limit = b.multiply(uniform, b.max(sums, 1, keep_dim=True))
    one, zero = b.constant([[1]], dtype="i32"), b.constant([[0]], dtype="i32")
    index = b.sum(b.where(b.le(sums, limit), one, zero), 1, keep_dim=True)
    # If the product is rounded up to the sum, the last candidate is taken.
    last = b.subtract(b.sum(b.where(is_candidate, one, zero), 1, keep_dim=True), one)
    found = b.gather_dim(tokens, b.minimum(index, last), 1)
    _output(b, logits, b.reshape(found, (users,)))
    return b


def _logits(b: Builder, users: int, vocabulary: int, dtype: str) -> Tensor:
    return b.input("logits", (users, vocabulary), dtype, memory_space="dram", tiled=True)


def _scalar(b: Builder, name: str, dtype: str) -> Tensor:
    return b.input(name, (1, 1), dtype, memory_space="dram", tiled=True)


def _checked(b: Builder, logits: Tensor, tokens: Tensor) -> Tensor:
    """The tokens, or ``NOT_A_NUMBER`` where a logit is NaN."""
    # A maximum, which chips that divide the logits combine by a collective.
    one, zero = b.constant([[1]], dtype="i32"), b.constant([[0]], dtype="i32")
    count = b.max(b.where(b.ne(logits, logits), one, zero), 1)
    is_nan = b.ne(count, b.constant([0], dtype="i32"))
    return b.where(is_nan, b.constant([NOT_A_NUMBER], dtype="i32"), tokens)


def _output(b: Builder, logits: Tensor, tokens: Tensor) -> None:
    # Row-major, since a tile has 4096 bytes.
    tokens = b.to_layout(_checked(b, logits, tokens), memory_space="dram", tiled=False)
    b.output(b.to_layout(tokens, memory_space="system", tiled=False))
