"""Runs PyTorch's own samples of its ops (OpInfo), and compares with PyTorch on the CPU.

``python opinfo.py`` runs the core ops in f32, bf16, i32 and bool and prints a table by op;
``--op NAME`` runs some of them, ``--dtype c64`` (``i8``, ``e4m3fn`` ...) those of complex numbers
(small integers, floats of 8 bits), ``--gradients`` their
gradients, ``--modules`` modules made of them by ``ttmlir.compile``, ``--out FILE`` writes each
outcome as a line of JSON. Needs the package expecttest.
"""

from __future__ import annotations

import argparse
import collections
import json
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from graphs import evaluated, exported
from judge import difference
from opinfo_names import CORE
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
)
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

from ttmlir.errors import CompileError

DTYPES = {
    "f32": torch.float32,
    "bf16": torch.bfloat16,
    "i32": torch.int32,
    "i64": torch.int64,
    "bool": torch.bool,
    "c64": torch.complex64,
    "i8": torch.int8,
    "u8": torch.uint8,
    "e4m3fn": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
}
Evaluate = Callable[..., Any]
OUTCOMES = ("passed", "differs", "unsupported", "error")
#: Sums and products of many elements, powers of them and what divides by their differences.
WIDE = {"f32": 20.0, "bf16": 4.0, "c64": 20.0}
#: Ops that order elements, of which equal ones may come in any order.
TIES = ("argsort", "kthvalue", "sort", "topk")
_SECONDS = 120
_SEED = 20261126


@dataclass
class Outcome:
    """What became of a sample, and why."""

    op: str
    dtype: str
    sample: int
    outcome: str
    reason: str = ""


def infos(names: list[str] | None = None) -> list[Any]:
    """The entries of OpInfo; those of some names."""
    return [o for o in op_db if names is None or o.name in names]


def samples(info: Any, dtype: str, gradients: bool = False) -> Iterator[Any]:
    """PyTorch's samples of an op in a dtype."""
    kind = DTYPES[dtype]
    supported = info.supported_dtypes("cpu")
    if kind not in supported or (gradients and kind not in info.supported_backward_dtypes("cpu")):
        return
    torch.manual_seed(_SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from info.sample_inputs("cpu", kind, requires_grad=gradients)


def run(
    info: Any,
    dtype: str,
    number: int,
    sample: Any,
    gradients: bool = False,
    evaluate: Evaluate = evaluated,
) -> Outcome:
    """Compiles one sample, runs it and compares; ``evaluate`` does the former two."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"no result in {_SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(_SECONDS)
    name = info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if gradients:
                outcome, reason = _gradients(info, dtype, sample)
            else:
                outcome, reason = _forward(info, dtype, sample, evaluate)
    except CompileError as error:
        last = error.diagnostics[-1].message if error.diagnostics else str(error)
        outcome, reason = "unsupported", last
    except (DynamicOutputShapeException, DataDependentOutputException) as error:
        outcome, reason = "unsupported", f"the shape depends on values: {error}"
    except Exception as error:
        outcome, reason = "error", f"{type(error).__name__}: {error}".splitlines()[0][:300]
    finally:
        signal.alarm(0)
    return Outcome(name, dtype, number, outcome, reason)


def _function(info: Any, sample: Any) -> tuple[Any, list[torch.Tensor]]:
    """The op as a function of the tensors of a sample."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, x in enumerate(leaves) if isinstance(x, torch.Tensor)]

    def function(*tensors: torch.Tensor) -> Any:
        values = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            values[place] = tensor
        first, args, kwargs = pytree.tree_unflatten(values, spec)
        found = info.op(first, *args, **kwargs)
        return sample.output_process_fn_grad(found)

    return function, [leaves[i] for i in places]


def _forward(info: Any, dtype: str, sample: Any, evaluate: Evaluate) -> tuple[str, str]:
    function, tensors = _function(info, sample)
    tensors = [t.detach() for t in tensors]
    with torch.no_grad():
        expected = function(*(t.clone() for t in tensors))
        found = evaluate(function, *tensors)
        scale = WIDE.get(dtype, 1.0)
        if info.name in TIES:
            found, expected = (_by_values(info, sample, r) for r in (found, expected))
        reason = difference(found, expected, scale=scale)
        if reason and dtype == "bf16":
            # PyTorch rounds within some ops: what is right is f32, rounded once.
            wide = [t.float() if t.is_floating_point() else t for t in tensors]
            rounded = pytree.tree_map(_narrow, function(*wide))
            reason = difference(found, rounded, scale=scale)
    return ("differs", reason) if reason else ("passed", "")


def _narrow(x: Any) -> Any:
    is_float = isinstance(x, torch.Tensor) and x.is_floating_point()
    return x.to(torch.bfloat16) if is_float else x


def _by_values(info: Any, sample: Any, results: Any) -> Any:
    """Results of an op that orders elements: of equal ones either place is right."""
    x = sample.input
    if info.name == "argsort":
        results = (results,)
    *values, places = results
    if not x.dim():
        return results
    named = ("dim", "axis")
    dim = next((sample.kwargs[n] for n in named if n in sample.kwargs), None)
    if dim is None:
        first = {"argsort": 0, "sort": 0, "topk": 1, "kthvalue": 1}[info.name]
        dim = sample.args[first] if len(sample.args) > first else -1
    index = places if places.dim() == x.dim() else places.unsqueeze(dim)
    return [*values, x.gather(dim, index)]


def _gradients(info: Any, dtype: str, sample: Any) -> tuple[str, str]:
    from ttmlir.torch import backend

    function, tensors = _function(info, sample)
    wanted = [t for t in tensors if t.requires_grad]
    expected = _backward(function, tensors, wanted)
    torch._dynamo.reset()
    found = _backward(torch.compile(function, backend=backend, dynamic=False), tensors, wanted)
    reason = difference(found, expected, scale=4 * WIDE.get(dtype, 1.0))
    return ("differs", reason) if reason else ("passed", "")


def _backward(function: Any, tensors: list[torch.Tensor], wanted: list[torch.Tensor]) -> list[Any]:
    """Results and the gradients of a weighted sum of them."""
    results = [r for r in pytree.tree_leaves(function(*tensors)) if isinstance(r, torch.Tensor)]
    floats = [r for r in results if r.is_floating_point() and r.requires_grad]
    total = torch.zeros(())
    for result in floats:
        weights = torch.linspace(0.5, 1.5, result.numel()).reshape(result.shape)
        total = total + (result.float() * weights).sum()
    gradients = torch.autograd.grad(total, wanted, allow_unused=True)
    return [*results, *(g for g in gradients if g is not None)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--op", action="append", help="names of ops; the core ops by default")
    parser.add_argument("--all", action="store_true", help="every op of OpInfo")
    parser.add_argument("--dtype", action="append", choices=list(DTYPES))
    parser.add_argument("--gradients", action="store_true")
    parser.add_argument("--modules", action="store_true")
    parser.add_argument("--most", type=int, default=1000, help="samples of an op and a dtype")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    names = options.op or (None if options.all else CORE)
    evaluate = exported if options.modules else evaluated
    lines: list[Outcome] = []
    out = options.out.open("w") if options.out else None
    for info in infos(names):
        for dtype in options.dtype or (
            ["f32"] if options.gradients else ["f32", "bf16", "i32", "bool"]
        ):
            for number, sample in enumerate(samples(info, dtype, options.gradients)):
                if number >= options.most:
                    break
                outcome = run(info, dtype, number, sample, options.gradients, evaluate)
                lines.append(outcome)
                if out:
                    print(json.dumps(asdict(outcome)), file=out, flush=True)
    _print_table(lines)
    return 0


def _print_table(lines: list[Outcome]) -> None:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for line in lines:
        counts[line.op][line.outcome] += 1
    print("| op | " + " | ".join(OUTCOMES) + " |")
    print("| --- " * (len(OUTCOMES) + 1) + "|")
    for op, found in sorted(counts.items()):
        print(f"| {op} | " + " | ".join(str(found[o] or "") for o in OUTCOMES) + " |")
    total = collections.Counter(line.outcome for line in lines)
    whole = sum(1 for found in counts.values() if set(found) == {"passed"})
    print(f"{len(counts)} ops, {whole} with all samples passed; samples: {dict(total)}")


if __name__ == "__main__":
    sys.exit(main())
