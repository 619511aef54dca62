"""Runs the harnesses that JAX has for its primitives, and compares with JAX on the CPU.

``python harnesses.py --out results.jsonl`` runs all of them and prints a table by primitive; a run
that was interrupted goes on where it was. ``--table`` prints the table of results alone, ``--way``
says how they get onto the chip, and ``--x64`` has the types of 64 bits alone.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import ml_dtypes
import numpy as np
from oracle import run_text
from ways import IMPORTER, NAMES, UnsupportedError, Way

#: Relative and absolute, for results of a type: what rounding and sums of small tensors explain.
TOLERANCES = {"float32": 1e-5, "bfloat16": 2.0**-7, "float16": 2.0**-10}
#: Of sums of products, relative to the sum of their magnitudes.
PRODUCTS = 2.0**-20
_PRODUCTS = frozenset({"conv_general_dilated", "dot_general"})
_WITH_SCALE = frozenset({"float32", "float64", "complex64", "complex128"})
#: Factors of matrices: the errors of both sides grow with the size and the condition.
ALGEBRA = 1e-4
_ALGEBRA = frozenset(
    [
        "cholesky",
        "custom_linear_solve",
        "eig",
        "eigh",
        "lu",
        "qr",
        "svd",
        "triangular_solve",
        "tridiagonal_solve",
    ]
)
OUTCOMES = ("passed", "precision", "unsupported", "error", "crash")
#: The way of ``ttmlir.compile``.
DEFAULT = Way()
_SECONDS = 120


@dataclass
class Outcome:
    """What became of a harness, and why."""

    name: str
    group: str
    dtype: str
    outcome: str
    reason: str = ""
    seconds: float = 0.0


def harnesses() -> list[Any]:
    """The harnesses whose types the device has, and that JAX runs on the CPU itself: with x64
    enabled those of 64 bits, which JAX makes then only, and without those of fewer bits."""
    from jax._src.internal_test_util import test_harnesses

    found = []
    for harness in test_harnesses.all_harnesses:
        is_wide = np.zeros((), harness.dtype).real.dtype.itemsize == 8
        if jax.config.jax_enable_x64:
            # Of several types one may have 64 bits.
            is_wide = is_wide or re.search("(int|float)64|complex128", harness.fullname) is not None
        if is_wide != jax.config.jax_enable_x64:
            continue
        if any(gap.filter(device="cpu", dtype=harness.dtype) for gap in harness.jax_unimplemented):
            continue
        found.append(harness)
    # JAX makes some of sets of types, whose order is another one in each process.
    return sorted(found, key=lambda harness: harness.fullname)


def run(harness: Any, way: Way = DEFAULT) -> Outcome:
    """Compiles and runs a harness, and compares."""
    begin = time.time()
    kind, reason = _run(harness, way)
    dtype = str(np.dtype(harness.dtype))
    seconds = round(time.time() - begin, 2)
    return Outcome(harness.fullname, harness.group_name, dtype, kind, reason, seconds)


def _run(harness: Any, way: Way) -> tuple[str, str]:
    # JAX's harnesses draw by NumPy's old interface.
    args = harness.dyn_args_maker(np.random.RandomState(0))
    tolerance = ALGEBRA if harness.group_name in _ALGEBRA else 0.0
    if harness.group_name == "integer_pow" and dtype_bits(harness) == 16:
        # Each product of 16 bits rounds by half a unit.
        tolerance = 2.0**-8 * abs(harness.params["y"])
    return compare(
        harness.dyn_fun,
        args,
        way,
        tolerance,
        is_product=harness.group_name in _PRODUCTS,
        defined=lambda results: _defined(harness, results),
    )


def compare(
    function: Callable[..., Any],
    args: Any,
    way: Way = DEFAULT,
    tolerance: float = 0.0,
    *,
    is_product: bool = False,
    defined: Callable[[list[Any]], list[Any]] = lambda results: results,
) -> tuple[str, str]:
    """The outcome of a function on a chip, and how its results differ from the CPU's.

    Args:
        function: of JAX.
        args: of the function.
        way: how it gets there.
        tolerance: where it is more than that of the format.
        is_product: whether the magnitudes of the products are what errors are relative to.
        defined: the parts of results that the definition of the function says something about.
    """
    with jax.default_matmul_precision("highest"):
        try:
            want = jax.tree.leaves(jax.jit(function)(*args))
        except Exception as error:
            return "skipped", f"JAX on the CPU: {error}"[:200]
        try:
            got = jax.tree.leaves(way.run(function, args))
        except UnsupportedError as error:
            return "unsupported", str(error)[:1500]
        except Exception:
            return "error", traceback.format_exc()[-1500:]
    got, want = defined(got), defined(want)
    if not (message := _compare(got, want, tolerance)):
        return "passed", ""
    if is_product and all(w.dtype.name in _WITH_SCALE for w in want):
        with jax.default_matmul_precision("highest"):
            scale = jax.tree.leaves(jax.jit(function)(*jax.tree.map(_magnitude, args)))
        near = [
            np.abs(a - b) <= PRODUCTS * np.abs(np.asarray(s))
            for a, b, s in zip(got, want, scale, strict=True)
        ]
        if all(n.all() for n in near):
            return "passed", ""
    # XLA's own sums of 16 bits round each time: the same in 32 bits is nearer to the truth.
    exact = _in_f32(function, args, want)
    if exact is not None and not _compare(got, exact, tolerance):
        return "passed", ""
    return "precision", message


def _magnitude(x: Any) -> Any:
    """Absolute values in the type of the numbers."""
    return np.abs(x).astype(np.asarray(x).dtype)


def dtype_bits(harness: Any) -> int:
    return 8 * int(np.dtype(harness.dtype).itemsize)


def _defined(harness: Any, results: list[Any]) -> list[Any]:
    """The parts of results that the definition of the primitive says something about."""
    if harness.group_name == "cholesky":
        # What they are factors of: single entries depend on the condition of the matrix.
        return [_square(x) for x in results]
    if harness.group_name in ("eigh", "svd"):
        # Signs of vectors, and vectors of equal values, are anybody's.
        return _factored(results)
    if harness.group_name == "sort" and not harness.params["is_stable"]:
        # The order of equal keys is anybody's.
        return results[: harness.params["num_keys"]]
    return results


def wide(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers in the widest type."""
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _adjoint(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return x.swapaxes(-1, -2).conj()


def _factored(results: list[Any]) -> list[Any]:
    """The values of a factorization, and what the factors multiply to."""
    arrays = [np.asarray(x) for x in results]
    values = min(arrays, key=lambda x: x.ndim)
    vectors = [wide(x) for x in arrays if x is not values]
    size = max(1.0, float(np.abs(values).max(initial=0.0)))
    found = [values / values.dtype.type(size)]
    if vectors:
        right = vectors[1] if len(vectors) > 1 else _adjoint(vectors[0])
        count = values.shape[-1]
        product = (vectors[0][..., :count] * values[..., None, :]) @ right[..., :count, :]
        dtype = np.result_type(values.dtype, *(x.dtype for x in arrays))
        found.append((product / size).astype(dtype))
        # Columns of length 1 that are orthogonal, the ones beyond those values too.
        for x in (_adjoint(vectors[0]), right):
            found.append((x @ _adjoint(x)).astype(dtype))
    return found


def _square(x: Any) -> Any:
    lower = np.tril(wide(np.asarray(x)))
    product = lower @ _adjoint(lower)
    return (product / max(1.0, np.abs(product).max(initial=0.0))).astype(np.asarray(x).dtype)


def _compare(got: list[Any], want: list[Any], tolerance: float) -> str:
    for i, (a, b) in enumerate(zip(got, want, strict=True)):
        if message := difference(np.asarray(a), b, tolerance):
            return f"result {i}: {message}"
    return ""


def _in_f32(function: Callable[..., Any], args: Any, like: list[Any]) -> list[Any] | None:
    """What the CPU gives for the same program in 32 bits, rounded once to the 16 bits of the
    results; None where the program depends on the bits of its numbers."""
    text = jax.jit(function, keep_unused=True).lower(*args).as_text()
    if not re.search(r"[x<]b?f16[>,]", text) or "bitcast" in text:
        return None
    text = re.sub(r"0x([0-9A-F]{4})(?=[>,\]])", lambda m: _widened_bits(m[1], "bf16" in text), text)
    text = re.sub(r"(?<=[x<])b?f16(?=[>,])", "f32", text)
    narrow = [np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)]
    arrays = [np.asarray(leaf) for leaf in jax.tree.leaves(args)]
    inputs = [a.astype(np.float32) if a.dtype in narrow else a for a in arrays]
    try:
        found = run_text(text, [canonical(x) for x in inputs])
    except Exception:
        return None
    with np.errstate(over="ignore"):
        return [x.astype(k.dtype) for x, k in zip(found, like, strict=True)]


def _widened_bits(digits: str, is_bfloat16: bool) -> str:
    if is_bfloat16:
        return f"0x{digits}0000"
    bits = np.array([int(digits, 16)], np.uint16).view(np.float16).astype(np.float32)
    return f"0x{int(bits.view(np.uint32)[0]):08X}"


def canonical(array: Any) -> Any:
    """An array in the type that JAX gives it."""
    return array.astype(jax.dtypes.canonicalize_dtype(array.dtype))


def difference(got: np.ndarray[Any, Any], expected: Any, least: float = 0.0) -> str:
    """How an array differs from JAX's; empty if it is the same within its format."""
    if hasattr(expected, "dtype") and jax.dtypes.issubdtype(expected.dtype, jax.dtypes.prng_key):
        got, expected = (np.asarray(jax.random.key_data(x)) for x in (got, expected))
    want = np.asarray(expected)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"expected {want.dtype}{want.shape}, found {got.dtype}{got.shape}"
    if want.dtype.kind in "iub":
        wrong = got != want
        if not wrong.any():
            return ""
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        count = f"{int(wrong.sum())} of {wrong.size} differ"
        return f"{count}, {list(place)}: {got[place]} for {want[place]}"
    tolerance = max(TOLERANCES.get(str(want.dtype), 1e-5), least)
    a, b = wide(got), wide(want)
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(a - b) <= tolerance * np.maximum(np.abs(b), 1.0))
        same = [
            (x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= tolerance * np.abs(y))
            for x, y in ((a.real, b.real), (a.imag, b.imag))
        ]
    wrong &= ~(same[0] & same[1])
    if not wrong.any():
        return ""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size} differ, {list(place)}: {a[place]} for {b[place]}"


# A long run --------------------------------------------------------------------------------------


def _past(path: Path) -> dict[str, dict[str, Any]]:
    """The results so far; what was begun and has none ended the process."""
    found: dict[str, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            found[entry["name"]] = entry
    return found


def _expired(*_: Any) -> None:
    raise TimeoutError(f"longer than {_SECONDS} s")


def _selected(options: argparse.Namespace) -> Iterator[Any]:
    counts: collections.Counter[str] = collections.Counter()
    for harness in harnesses():
        if options.group and harness.group_name not in options.group.split(","):
            continue
        if options.only and options.only not in harness.fullname:
            continue
        counts[harness.group_name] += 1
        if (counts[harness.group_name] - 1) % options.every:
            continue
        if options.most and counts[harness.group_name] > options.most * options.every:
            continue
        yield harness


def table(results: list[dict[str, Any]]) -> str:
    """Counts of outcomes by primitive."""
    rows: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for entry in results:
        rows[entry["group"]][entry["outcome"]] += 1
    lines = [f"| primitive | {' | '.join(OUTCOMES)} |", "| --- |" + " --- |" * len(OUTCOMES)]
    total: collections.Counter[str] = collections.Counter()
    for group, counts in sorted(rows.items()):
        total.update(counts)
        lines.append(f"| {group} | {' | '.join(str(counts[o] or '') for o in OUTCOMES)} |")
    lines.append(f"| all | {' | '.join(str(total[o]) for o in OUTCOMES)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("harnesses.jsonl"))
    parser.add_argument("--group", default="", help="names of primitives, with commas between")
    parser.add_argument("--only", default="", help="part of the names of harnesses")
    parser.add_argument("--every", type=int, default=1, help="every n-th of each primitive")
    parser.add_argument("--most", type=int, default=0, help="so many of each primitive")
    parser.add_argument("--way", default=IMPORTER, choices=NAMES)
    parser.add_argument("--backend", default="ttnn")
    parser.add_argument("--x64", action="store_true", help="those of 64 bits")
    parser.add_argument("--table", action="store_true", help="print the results alone")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", options.x64)
    way = Way(options.way, options.backend)
    past = _past(options.out)
    if not options.table:
        signal.signal(signal.SIGALRM, _expired)
        with options.out.open("a") as file:
            for entry in list(past.values()):
                if entry["outcome"] == "begun":
                    entry["outcome"] = "crash"
                    file.write(json.dumps(entry) + "\n")
            for harness in _selected(options):
                if harness.fullname in past:
                    continue
                begun = Outcome(harness.fullname, harness.group_name, "", "begun")
                file.write(json.dumps(asdict(begun)) + "\n")
                file.flush()
                signal.alarm(_SECONDS)
                # What waits in an extension module hears no signal: the process ends.
                faulthandler.dump_traceback_later(2 * _SECONDS, exit=True)
                try:
                    outcome = run(harness, way)
                except TimeoutError as error:
                    outcome = Outcome(harness.fullname, harness.group_name, "", "error", str(error))
                finally:
                    signal.alarm(0)
                    faulthandler.cancel_dump_traceback_later()
                past[outcome.name] = asdict(outcome)
                file.write(json.dumps(asdict(outcome)) + "\n")
                file.flush()
                if options.verbose and outcome.outcome != "passed":
                    print(outcome.outcome, outcome.name, outcome.reason, flush=True)
    print(table([e for e in past.values() if e["outcome"] in OUTCOMES]))
    return 0


assert ml_dtypes.bfloat16
if __name__ == "__main__":
    sys.exit(main())
