"""The extents that shapes are drawn from: small ones, or those of real models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod


@dataclass(frozen=True)
class Sizes:
    """Extents of the leading and of the last two dimensions, of products, of images and their
    channels and of tables; and the elements of a tensor and the multiplications of a product at
    most."""

    outer: tuple[int, ...]
    inner: tuple[int, ...]
    product: tuple[int, ...]
    image: tuple[int, ...]
    channels: tuple[int, ...]
    filters: tuple[int, ...]
    rows: tuple[int, ...]
    elements: int
    multiplications: int
    #: Rank 0 and extents of 0, of ops that take them.
    edges: bool = False


SMALL = Sizes(
    outer=(1, 2, 3),
    inner=(1, 2, 3, 5, 16, 31, 32, 33, 40, 64, 65, 70),
    product=(1, 2, 17, 31, 32, 33, 65, 100),
    image=tuple(range(6, 15)),
    channels=(1, 2, 3, 4, 5, 16),
    filters=(1, 2, 3, 4, 5, 17),
    rows=(1, 9, 33, 100),
    elements=1 << 20,
    multiplications=1 << 24,
)

#: Powers of two and their multiples, primes, ragged ones, 1; more tiles than a core, a row of
#: cores, the grid or L1 has room for. Among them those of ResNet-50, BERT-large, Llama 7B and
#: Whisper.
_INNER = """
    1 2 7 8 31 32 33 49 64 80 96 100 127 128 129 196 197 224 255 256 257 384 500 512 577 768 1000
    1024 1500 2047 2048 3000 3072 4096 11008 32000
"""
_PRODUCT = """
    1 2 31 32 33 64 80 97 100 127 128 129 196 197 255 256 257 384 512 577 768 1000 1024 1500 2048
    2304 3072 4096 5632 5888 9216 11008 32000
"""
REAL = Sizes(
    outer=(1, 2, 3, 4, 7, 8, 12, 16, 20, 32, 33),
    inner=tuple(map(int, _INNER.split())),
    product=tuple(map(int, _PRODUCT.split())),
    image=(6, 7, 14, 28, 31, 32, 33, 56, 65, 112, 224),
    channels=(1, 3, 16, 31, 32, 33, 64, 80, 96, 128, 256, 384, 512, 1024, 2048),
    filters=(1, 3, 16, 31, 32, 33, 64, 96, 128, 256, 512, 1000, 1024),
    rows=(1, 33, 512, 1000, 4096, 30522, 32000),
    elements=1 << 22,
    multiplications=1 << 30,
)

EDGES = replace(SMALL, outer=(1, 2), inner=(1, 2, 5, 32, 33), product=(1, 2, 33), edges=True)

_chosen = [SMALL]


def current() -> Sizes:
    """The sizes that cases are drawn with."""
    return _chosen[-1]


@contextmanager
def use(sizes: Sizes) -> Iterator[None]:
    """Draws cases of other sizes."""
    _chosen.append(sizes)
    try:
        yield
    finally:
        _chosen.pop()


def fits(extents: Sequence[int]) -> bool:
    """Whether a tensor may have so many elements."""
    return prod(extents) <= current().elements


def bounded(extents: Sequence[int], limit: int | None = None) -> tuple[int, ...]:
    """A shape with as many elements as allowed at most: large extents become smaller ones."""
    limit = current().elements if limit is None else limit
    shape = list(extents)
    while prod(shape) > limit:
        largest = max(range(len(shape)), key=lambda d: shape[d])
        # Not a half, which would often be a multiple of a tile.
        shape[largest] = max(1, shape[largest] * 2 // 5)
    return tuple(shape)
