"""Finds the reference value for each op's result, and the order of elements to compare them in.

A name stands for the value of the source's op. Of the ops of a program with this name, the last one
has the value, if the name is the last one in its location. If the op was fused into another one,
its value does not exist. An op that only moves elements, behind an op with the name and in front of
an op of another name, moves the value of the first. The order of elements of a stored result is the
one in which it agrees with the reference or, if it is wrong in every order, the most similar one;
if no order is similar, the result has no figure.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ttmlir._comparison.op_results import Probe
from ttmlir._comparison.tolerances import Limits
from ttmlir._metrics import Accuracy, compare
from ttmlir.comparison import PART
from ttmlir.frontends.reference import Array, Values

#: Further reasons why a value is not compared.
_NAMELESS = "its location has no name"
_WORDS = "the device stores its 64-bit integers in two words"
#: Ops that only reorder elements.
_MOVES = frozenset({"permute", "reshape", "to_layout", "transpose"})
#: The order of elements is certain from this correlation on.
_ALIKE = 0.5
#: At most this many orders are tried.
_MOST_DIMENSIONS = 5


@dataclass(frozen=True)
class Measured:
    """The error of a result; ``note`` describes the order in which it was compared."""

    accuracy: Accuracy
    relative: float
    is_off: bool
    note: str = ""


def settled(probes: Sequence[Probe]) -> list[Probe]:
    """Returns the ops by the names of their values.

    If a convolution is followed by a permutation and a normalization, both are computed in the
    convolution. The permutation behind it still has the convolution's name but moves the value of
    the normalization; the same holds for a permutation that a pass puts behind other ops. Such an
    op is recognized by its name, from which its input was already computed.
    """
    found: list[Probe] = []
    before: list[frozenset[str]] = []
    for probe in probes:
        moved = found[probe.reads[0]] if probe.op in _MOVES and len(probe.reads) == 1 else None
        earlier = frozenset().union(*(before[i] for i in probe.reads))
        own = probe
        if moved and probe.names and moved.names:
            name = probe.names[-1]
            if name != moved.names[-1] and name in earlier:
                own = replace(probe, names=moved.names)
        found.append(own)
        before.append(earlier.union(own.names))
    return found


def _goes_on(probes: Sequence[Probe], name: str, last: int, values: Values) -> int | None:
    """Returns the op before the last one of a name that also computes later ops of the source, so
    that results after it are not the value of the name."""
    waiting, seen = list(probes[last].reads), set[int]()
    while waiting:
        i = waiting.pop()
        if i in seen:
            continue
        seen.add(i)
        names = [values.name(n) for n in probes[i].names]
        if name in names and names[-1] != name:
            return i
        waiting += probes[i].reads
    return None


def assigned(
    probes: Sequence[Probe], found: Sequence[Array], values: Values, limits: Sequence[Limits]
) -> list[Measured | str]:
    """Returns the comparison of each op's result, or the reason why there is none.

    Args:
        taps: the ops, by the names of their values.
        found: their results.
        values: of the reference.
        limits: for each op.
    """
    results: list[Measured | str] = [PART if probe.names else _NAMELESS for probe in probes]
    own: dict[str, list[int]] = defaultdict(list)
    for i, probe in enumerate(probes):
        if probe.names:
            own[values.name(probe.names[-1])].append(i)
    mentions = {values.name(name): i for i, probe in enumerate(probes) for name in probe.names}
    for name, steps in own.items():
        last = steps[-1]
        expected = [array for array in values.ops.get(name, ()) if array.size]
        if name in values.unknown:
            results[last] = values.unknown[name]
        elif not expected:
            results[last] = "the reference has no op of this name"
        elif len(expected) > 1:
            several = _several(steps, found, expected, limits)
            results[last] = "one of several results"
            for i, measured in several.items():
                results[i] = measured
        elif mentions[name] > last:
            # A missing bias may be too small for the limits to detect.
            results[last] = f"its last step is fused into {probes[mentions[name]].names[-1]}"
        elif (other := _goes_on(probes, name, last, values)) is not None:
            results[last] = f"a step of it is fused into {probes[other].names[-1]}"
        else:
            is_move = all(probes[i].op in _MOVES for i in steps)
            results[last] = matched(expected[0], found[last], limits[last], is_move=is_move)
    return results


def _several(
    steps: Sequence[int],
    found: Sequence[Array],
    expected: Sequence[Array],
    limits: Sequence[Limits],
) -> dict[int, Measured]:
    """Assigns results of an op with several: the last steps that agree with them, and the final
    step if only one result remains that it can be."""
    results: dict[int, Measured] = {}
    left = []
    for array in expected:
        for i in reversed(steps):
            if i in results or (found[i].dtype.kind in "iub") != (array.dtype.kind in "iub"):
                continue
            measured = matched(array, found[i], limits[i])
            if isinstance(measured, Measured) and not measured.is_off:
                results[i] = measured
                break
        else:
            left.append(array)
    last = steps[-1]
    fitting = [array for array in left if array.shape == found[last].shape]
    if last not in results and len(fitting) == 1:
        results[last] = measure(fitting[0], found[last], limits[last])
    return results


def measure(expected: Array, found: Array, limits: Limits) -> Measured:
    """Compares arrays of one shape; complex ones by their parts."""
    if np.iscomplexobj(expected) or np.iscomplexobj(found):
        expected, found = (np.stack([x.real, x.imag]) for x in (expected, found))
    accuracy = compare(expected, found)
    relative = relative_error(expected, found)
    correlation = accuracy.correlation
    is_off = (
        accuracy.special > 0
        or not relative <= limits.max_relative
        or (correlation is not None and correlation < limits.min_pcc and not _is_flat(expected))
    )
    return Measured(accuracy, relative, is_off)


def relative_error(expected: Array, found: Array) -> float:
    """Returns the root mean square of the differences relative to that of the expected values, over
    finite values."""
    want, got = expected.astype(np.float64).ravel(), found.astype(np.float64).ravel()
    finite = np.isfinite(want) & np.isfinite(got)
    want, got = want[finite], got[finite]
    error, norm = float(np.linalg.norm(want - got)), float(np.linalg.norm(want))
    return error / norm if norm else math.inf if error else 0.0


def _is_flat(expected: Array) -> bool:
    """Whether the values differ only in their last bits, so that a correlation would be one of
    rounding errors."""
    finite = expected[np.isfinite(expected)].astype(np.float64)
    return bool(np.ptp(finite) <= 1e-5 * np.abs(finite).max()) if finite.size else True


def _is_word(expected: Array, found: Array) -> bool:
    """Whether a result is one of the two words of the source's 64-bit integers."""
    if found.dtype != np.uint32 or expected.dtype not in (np.int64, np.uint64):
        return False
    return expected.dtype == np.int64 or bool((expected > np.iinfo(np.uint32).max).any())


def matched(
    expected: Array, found: Array, limits: Limits, *, is_move: bool = False
) -> Measured | str:
    """Returns the comparison of a result with the op of its name, or the reason why there is none;
    a result of an op that moves elements is compared as it is."""
    if _is_word(expected, found):
        return _WORDS
    if _squeezed(expected.shape) == _squeezed(found.shape):
        found = found.reshape(expected.shape)
        first = measure(expected, found, limits)
        if not first.is_off or is_move:
            return first
    else:
        if expected.size != found.size:
            return f"has the shape {text(found.shape)}, the source's {text(expected.shape)}"
        first = None
    best, greatest = first, _ALIKE
    for order, other in _orders(found, expected.shape):
        measured = replace(measure(expected, other, limits), note=order)
        if not measured.is_off:
            return measured
        # It is off in every order: report the most similar one.
        correlation = measured.accuracy.correlation
        if correlation is not None and correlation > greatest:
            best, greatest = measured, correlation
    if best is not None:
        return best
    return f"in another order, {text(found.shape)} instead of {text(expected.shape)}"


def _squeezed(shape: Sequence[int]) -> list[int]:
    """Returns the extents that are not 1."""
    return [extent for extent in shape if extent != 1]


def _orders(found: Array, shape: tuple[int, ...]) -> Iterator[tuple[str, Array]]:
    """Yields the elements in the given shape: as stored, and for other orders of its dimensions,
    some of which may be collapsed."""
    if _squeezed(found.shape) != _squeezed(shape):
        yield f"as {text(found.shape)}", found.reshape(shape)
    dims = [d for d, extent in enumerate(shape) if extent > 1]
    if not 2 <= len(dims) <= _MOST_DIMENSIONS:
        return
    own = _ends(found.shape)
    for order in itertools.permutations(dims):
        extents = [shape[d] for d in order]
        if list(order) != dims and own <= _ends(extents):
            back = [order.index(d) for d in dims]
            yield f"dimensions {order}", found.reshape(extents).transpose(back).reshape(shape)


def _ends(shape: Sequence[int]) -> set[int]:
    """Returns the number of elements of each leading group of dimensions."""
    return set(itertools.accumulate(_squeezed(shape), operator.mul))


def text(shape: Sequence[int]) -> str:
    """(2, 3) -> '2x3'."""
    return "x".join(map(str, shape)) or "scalar"
