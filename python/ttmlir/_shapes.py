"""Shape rules of the ttir ops, for building programs.

Every function takes and returns shapes as tuples and raises ValueError, with what was expected and
what was found, where they do not fit together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index

from ttmlir import _options

Shape = tuple[int, ...]


def text(shape: Sequence[int]) -> str:
    """``64x128``; ``scalar`` for rank 0."""
    return "x".join(map(str, shape)) or "scalar"


def normalize(dim: int, rank: int) -> int:
    """``dim`` counted from the front. Raises TypeError for what is no integer."""
    try:
        dim = index(dim)
    except TypeError:
        raise TypeError(f"expected an integer dimension, found {dim!r}") from None
    if not -rank <= dim < rank:
        raise ValueError(f"dimension out of range: expected one in [{-rank}, {rank}), found {dim}")
    return dim % rank


def mesh(shape: Sequence[int]) -> tuple[int, ...]:
    """The extents of a mesh.

    Raises:
        ValueError: anything but positive integers.
    """
    _options.extents("mesh_shape", shape)
    return tuple(map(index, shape))


def broadcast(*shapes: Shape) -> Shape:
    """The shape that ``shapes`` broadcast to by NumPy's rules."""
    rank = max(map(len, shapes))
    result = []
    for extents in zip(*((1,) * (rank - len(s)) + s for s in shapes), strict=True):
        extent = max(extents)
        if any(e not in (1, extent) for e in extents):
            found = " and ".join(map(text, shapes))
            raise ValueError(
                f"shapes do not broadcast: expected extents that are equal or 1, found {found}"
            )
        result.append(extent)
    return tuple(result)


def matmul(a: Shape, b: Shape) -> Shape:
    """(.., M, K) by (.., K, N) is (.., M, N); leading dimensions broadcast."""
    if len(a) < 2 or len(a) != len(b):
        raise ValueError(
            f"matmul needs two tensors of one rank >= 2: found {text(a)} and {text(b)}"
        )
    if a[-1] != b[-2]:
        raise ValueError(
            f"inner dimensions differ: a is {text(a)}, b is {text(b)}, "
            f"expected b to have {a[-1]} rows"
        )
    return (*broadcast(a[:-2], b[:-2]), a[-2], b[-1]) if len(a) > 2 else (a[0], b[1])


def reduce(shape: Shape, dims: Sequence[int], keep_dim: bool) -> Shape:
    """``shape`` with the extents of ``dims`` (already normalized) 1 or dropped."""
    kept = tuple(1 if i in dims else e for i, e in enumerate(shape))
    if keep_dim:
        return kept
    # The IR has no tensors of rank 0: a full reduction has one element.
    return tuple(e for i, e in enumerate(shape) if i not in dims) or (1,)


def reshape(shape: Shape, new: Sequence[int]) -> Shape:
    """``new`` with its -1, if it has one, replaced by what is left."""
    if list(new).count(-1) > 1:
        raise ValueError(f"a shape has at most one -1: found {tuple(new)}")
    known = prod(e for e in new if e != -1)
    if known == 0:
        raise ValueError(f"expected positive extents, found {tuple(new)}")
    result = tuple(prod(shape) // known if e == -1 else e for e in new)
    if prod(result) != prod(shape) or any(e < 1 for e in result):
        raise ValueError(
            f"cannot reshape {text(shape)} ({prod(shape)} elements) to {tuple(new)}: "
            f"expected the same number of elements"
        )
    return result


def slice(
    shape: Shape, begins: Sequence[int], ends: Sequence[int], step: Sequence[int]
) -> tuple[list[int], list[int], Shape]:
    """Begins and ends counted from the front, and the shape of the slice."""
    rank = len(shape)
    if not len(begins) == len(ends) == len(step) == rank:
        raise ValueError(
            f"slice: expected {rank} begins, ends and steps, "
            f"found {len(begins)}, {len(ends)} and {len(step)}"
        )
    first = [b + e if b < 0 else b for b, e in zip(begins, shape, strict=True)]
    last = [b + e if b < 0 else b for b, e in zip(ends, shape, strict=True)]
    extents = []
    for i, (begin, end, stride) in enumerate(zip(first, last, step, strict=True)):
        if not 0 <= begin < end <= shape[i] or stride < 1:
            raise ValueError(
                f"slice: expected 0 <= begin < end <= {shape[i]} and a positive step in "
                f"dimension {i}, found begin {begin}, end {end}, step {stride}"
            )
        extents.append((end - begin + stride - 1) // stride)
    return first, last, tuple(extents)


def gather(
    indices: Shape,
    offset_dims: Sequence[int],
    dropped: set[int],
    index_vector_dim: int,
    slice_sizes: Sequence[int],
) -> Shape:
    """The shape of StableHLO's gather; ``dropped`` dimensions of the slices are not in it."""
    batch = iter([e for i, e in enumerate(indices) if i != index_vector_dim])
    offset = iter([e for i, e in enumerate(slice_sizes) if i not in dropped])
    kept = len(slice_sizes) - len(dropped)
    if len(offset_dims) != kept:
        raise ValueError(f"gather: expected {kept} offset dimensions, found {len(offset_dims)}")
    rank = len(indices) - (index_vector_dim < len(indices)) + kept
    return tuple(next(offset) if i in offset_dims else next(batch) for i in range(rank)) or (1,)


def concat(shapes: Sequence[Shape], dim: int) -> Shape:
    """The shapes one after the other along ``dim`` (already normalized)."""
    first = shapes[0]
    for shape in shapes[1:]:
        if len(shape) != len(first) or any(
            a != b for i, (a, b) in enumerate(zip(shape, first, strict=False)) if i != dim
        ):
            raise ValueError(
                f"concat needs equal shapes but for dimension {dim}: "
                f"found {text(first)} and {text(shape)}"
            )
    return (*first[:dim], sum(s[dim] for s in shapes), *first[dim + 1 :])


def window(
    extent: int, kernel: int, stride: int, dilation: int, low: int, high: int, ceil: bool
) -> int:
    """Positions of a window that slides over ``extent`` with padding on both sides."""
    span = extent + low + high - dilation * (kernel - 1) - 1
    if span < 0:
        raise ValueError(
            f"window does not fit: extent {extent} with padding {low} and {high}, "
            f"kernel {kernel} with dilation {dilation}"
        )
    if not ceil:
        return span // stride + 1
    positions = -(-span // stride) + 1
    # A window that would begin in the far padding is dropped.
    return positions - ((positions - 1) * stride >= extent + low)


def windows(
    shape: Shape,
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    padding: tuple[int, int, int, int],
    ceil: bool = False,
) -> tuple[int, int]:
    """Positions of a window over the height and width of (N, H, W, C)."""
    top, left, bottom, right = padding
    return (
        window(shape[1], kernel[0], stride[0], dilation[0], top, bottom, ceil),
        window(shape[2], kernel[1], stride[1], dilation[1], left, right, ceil),
    )
