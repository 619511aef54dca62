"""Runs a program and compares what its ops return: ``Executable.compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ttmlir import runtime
from ttmlir._comparison.alignment import Measured, assigned, measure, settled, text
from ttmlir._comparison.instrumentation import instrument
from ttmlir._comparison.op_results import Probe
from ttmlir._comparison.references import GOLDENS, golden_inputs, values_of
from ttmlir._comparison.tolerances import coarsest, limits_of
from ttmlir._formats import FORMATS
from ttmlir._host_arrays import widen
from ttmlir._numerics import OPTIONS, Numerics, name_of
from ttmlir.comparison import Comparison, OpComparison
from ttmlir.frontends.reference import Array, Known, Values

if TYPE_CHECKING:
    from ttmlir._programs import Program
    from ttmlir._runnable import Runnable
    from ttmlir.runtime import Tensor

_FORMATS = {format.data_type: name for name, format in FORMATS.items()}
#: The formats of arrays that are not results of a program.
_STORED = {"float16": "f16", "bfloat16": "bf16"}


def compare(
    exe: Runnable,
    reference: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    program: int | str = 0,
    min_pcc: float | None = None,
    max_relative: float | None = None,
    numerics: Numerics | None = None,
    device: runtime.Device | None = None,
) -> Comparison:
    """Implements ``Executable.compare``."""
    which = exe._find(program)
    if isinstance(reference, str) and reference == GOLDENS and not args and not kwargs:
        args = golden_inputs(exe, which)
    inputs = [_kept(x) for x in exe.signature.call(exe, which, args, kwargs).inputs]
    where = device or exe.device
    arithmetic = name_of(where, exe.numerics if numerics is None else numerics)
    is_same = isinstance(reference, str) and reference in OPTIONS
    # The reference is checked before the program runs.
    values = None if is_same else values_of(exe, which, reference, args, kwargs, inputs)
    instrumented = instrument(exe, which)
    probes = settled(instrumented.probes)
    count = len(which.outputs)

    def computed(numerics: Numerics) -> tuple[list[Tensor], list[Array]]:
        tensors = exe._tensors(which, inputs)
        results = exe._run(where, which, tensors, instrumented.binary, numerics)
        return results[:count], [runtime.to_numpy(result) for result in results[count:]]

    outputs, arrays = computed(arithmetic)
    given = min_pcc, max_relative
    limits = [limits_of(probe.precision, *given) for probe in probes]
    found: list[Measured | str]
    if values is None:
        # The second run must not find what the first one has left.
        instrumented.binary.release_kept()
        instrumented.binary.reset_variables()
        other, expected = computed(reference)
        values = Values(
            f"{reference} numerics",
            {},
            [
                widen(runtime.to_numpy(tensor), info.host)
                for tensor, info in zip(other, which.outputs, strict=True)
            ],
        )
        found = [measure(*pair) for pair in zip(expected, arrays, limits, strict=True)]
    else:
        found = assigned(probes, arrays, values, limits)
    return Comparison(
        which.name,
        exe.backend,
        values.title,
        tuple(
            _row(i, probe, values, result)
            for i, (probe, result) in enumerate(zip(probes, found, strict=True))
        ),
        (
            *_outputs(which, probes, outputs, values, given),
            *_others(count, values, given),
        ),
        _missing(probes, values),
        arithmetic,
    )


def _kept(value: Any) -> Any:
    """Copies an input that the run may donate, because the caller still uses it."""
    return runtime.to_numpy(value) if isinstance(value, runtime.Tensor) else value


def _missing(probes: Sequence[Probe], values: Values) -> tuple[str, ...]:
    found = {values.name(name) for probe in probes for name in probe.names}
    return tuple(name for name in values.ops if name not in found)


def _row(i: int, probe: Probe, values: Values, result: Measured | str) -> OpComparison:
    label = " + ".join(probe.names)
    own = OpComparison(
        i,
        values.name(probe.names[-1]) if probe.names else "",
        label,
        probe.op,
        probe.source,
        probe.dtype,
        probe.precision,
        probe.shape,
    )
    return _filled(own, result)


def _filled(row: OpComparison, result: Measured | str) -> OpComparison:
    if isinstance(result, str):
        return replace(row, reason=result)
    return replace(
        row,
        pcc=result.accuracy.correlation,
        max_error=result.accuracy.max_error,
        relative_error=result.relative,
        special=result.accuracy.special,
        is_off=result.is_off,
        note=result.note,
    )


def _outputs(
    program: Program,
    probes: Sequence[Probe],
    results: Sequence[runtime.Tensor],
    values: Values,
    given: tuple[float | None, float | None],
) -> list[OpComparison]:
    """Compares the outputs, in their own order: nothing moves them."""
    rows = []
    border = [_FORMATS[info.data_type] for info in (*program.inputs, *program.outputs)]
    own = coarsest([*border, *(probe.precision for probe in probes)])
    for i, (info, tensor) in enumerate(zip(program.outputs, results, strict=True)):
        found = widen(runtime.to_numpy(tensor), info.host)
        name = f"output {i}"
        dtype = str(info.dtype)
        row = OpComparison(i, name, name, "output", "", dtype, own, tuple(found.shape))
        expected = values.outputs[i] if i < len(values.outputs) else None
        rows.append(_output(row, expected, found, given))
    return rows


def _others(
    first: int, values: Values, given: tuple[float | None, float | None]
) -> list[OpComparison]:
    """Compares the remaining results of a call, which the host provides, like outputs."""
    rows = []
    for i, (name, (found, expected)) in enumerate(values.others.items(), first):
        dtype = str(found.dtype)
        precision = _STORED.get(dtype, "f32")
        row = OpComparison(i, name, name, "output", "", dtype, precision, tuple(found.shape))
        rows.append(_output(row, expected, found, given))
    return rows


def _output(
    row: OpComparison,
    expected: Known | None,
    found: Array,
    given: tuple[float | None, float | None],
) -> OpComparison:
    """Compares an output with that of the reference; a different shape counts as wrong."""
    if expected is None:
        return _filled(row, "the reference has no such output")
    if isinstance(expected, str):
        return _filled(row, expected)
    if expected.shape != found.shape:
        reason = f"has the shape {text(found.shape)}, the source's {text(expected.shape)}"
        return replace(row, reason=reason, is_off=True)
    return _filled(row, measure(expected, found, limits_of(row.precision, *given)))
