"""Runs ONNX's own tests (onnx.backend.test) through ttmlir.onnx.backend and counts what passes.

python backend_tests.py --kind node --name softmax --verbose
"""

from __future__ import annotations

import argparse
import logging
import os
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import onnx
    from onnx.backend.test.loader import load_model_tests
    from onnx.backend.test.runner import Runner

from ttmlir.errors import CompileError
from ttmlir.onnx import backend

KINDS = ("node", "simple", "pytorch-operator", "pytorch-converted", "light")
_FLOATS = {"float", "float16", "bfloat16"}
_COMMON = _FLOATS | {"int32", "int64", "bool"}
_SMALL = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0"}
_SMALL |= {"float4e2m1", "int4", "uint4", "int2", "uint2"}
_OURS = (
    _COMMON | _SMALL | {"string", "double", "int8", "int16", "uint8", "uint16", "uint32", "uint64"}
)


#: Tests that cannot pass as they are, by how their names begin, and why.
EXPLAINED = {
    "test_bernoulli": "the numbers are random",
    "test_training_dropout": "the numbers are random",
    "test_operator_add": "some doubles are beyond the range of f32",
    "test_dft_inverse": "elements near 0 are compared within 1e-7, a transform rounds to f32",
    "test_attention_4d_causal_fp16": "two elements differ by a step of f16",
}


@dataclass
class Case:
    """A model with inputs and what it gives for them."""

    name: str
    kind: str
    model: onnx.ModelProto
    data: Sequence[tuple[Sequence[Any], Sequence[Any]]]
    rtol: float
    atol: float


@dataclass
class Outcome:
    """What became of a case: passed, wrong, explained (wrong for a known reason), unsupported or
    failed, and why."""

    case: Case
    result: str
    reason: str = ""
    seconds: float = 0.0
    known: bool = False
    ops: list[str] = field(default_factory=list)


def cases(kind: str, names: Sequence[str] = ()) -> Iterator[Case]:
    """The cases of a kind whose names have one of ``names`` in them."""
    if kind == "light":
        yield from _light(names)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = load_model_tests(kind=kind)
    for test in tests:
        if names and not any(name in test.name for name in names):
            continue
        model, data = test.model, test.data_sets
        if model is None:
            model = onnx.load(os.path.join(test.model_dir, "model.onnx"))
            data = list(_stored(test.model_dir, model))
        data = [([_array(x) for x in given], [_array(x) for x in want]) for given, want in data]
        yield Case(test.name, kind, model, data, test.rtol, test.atol)


def _array(x: Any) -> Any:
    """Values that NumPy has no types of its own for are protobufs."""
    return onnx.numpy_helper.to_array(x) if isinstance(x, onnx.TensorProto) else x


def _stored(folder: str, model: onnx.ModelProto) -> Iterator[tuple[list[Any], list[Any]]]:
    for name in sorted(os.listdir(folder)):
        if not name.startswith("test_data_set_"):
            continue
        place = os.path.join(folder, name)
        inputs, outputs = (
            [
                onnx.numpy_helper.to_array(onnx.load_tensor(os.path.join(place, f"{what}_{i}.pb")))
                for i in range(len([f for f in os.listdir(place) if f.startswith(what)]))
            ]
            for what in ("input", "output")
        )
        yield inputs, outputs


def _light(names: Sequence[str]) -> Iterator[Case]:
    """Models whose weights are all the same, with the results that are stored beside them."""
    folder = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light")
    for file in sorted(f for f in os.listdir(folder) if f.endswith(".onnx")):
        if names and not any(name in file for name in names):
            continue
        name = file.removesuffix(".onnx")
        model = onnx.load(os.path.join(folder, file))
        stored = {i.name for i in model.graph.initializer}
        info = next(i for i in model.graph.input if i.name not in stored)
        x = Runner.generate_dummy_data(info, seed=0, name=name, random=False)
        expected = onnx.load_tensor(os.path.join(folder, f"{name}_output_0.pb"))
        yield Case(
            name, "light", model, [([x], [onnx.numpy_helper.to_array(expected)])], 1e-3, 1e-5
        )


# Element types -----------------------------------------------------------------------------------


def _elements(kind: onnx.TypeProto) -> set[str]:
    if kind.HasField("sequence_type"):
        return {"sequence"} | _elements(kind.sequence_type.elem_type)
    if kind.HasField("optional_type"):
        return {"optional"} | _elements(kind.optional_type.elem_type)
    return {onnx.TensorProto.DataType.Name(kind.tensor_type.elem_type).lower()}


def group_of(model: onnx.ModelProto) -> str:
    """Which element types the inputs and outputs of a model have."""
    found: set[str] = set()
    for info in [*model.graph.input, *model.graph.output]:
        found |= _elements(info.type)
    if found <= _FLOATS:
        return "floats"
    if found <= _COMMON:
        return "floats, i32, i64, bool"
    if found <= _OURS:
        return "all that we have"
    if found <= _OURS | {"sequence", "optional"}:
        return "sequences and optionals"
    return "others: " + ", ".join(sorted(found - _OURS - {"sequence", "optional"}))


# Running -----------------------------------------------------------------------------------------


def run(case: Case) -> Outcome:
    """Runs a case and judges what it gives as ONNX's runner does."""
    begin = time.perf_counter()
    outcome = _run(case)
    outcome.seconds = time.perf_counter() - begin
    outcome.ops = sorted({node.op_type for node in case.model.graph.node})
    return outcome


def _items(values: Any) -> list[Any]:
    """The tensors of sequences: ONNX's runner cannot compare scalars in one."""
    if not isinstance(values, (list, tuple)):
        return [values]
    return [x for value in values for x in _items(value)]


def _run(case: Case) -> Outcome:
    prepared = None
    try:
        prepared = backend.prepare(case.model)
        for inputs, expected in case.data:
            found = prepared.run(list(inputs))
            want, have = _items(expected), _items(list(found))
            assert len(want) == len(have), f"{len(have)} tensors, expected {len(want)}"
            Runner.assert_similar_outputs(want, have, case.rtol, case.atol)
    except AssertionError as error:
        reason = " ".join(str(error).split())[:300]
        why = next((why for name, why in EXPLAINED.items() if case.name.startswith(name)), "")
        return Outcome(case, "explained" if why else "wrong", why or reason)
    except CompileError as error:
        notes = [d for d in error.diagnostics if d.severity == "note"] or error.diagnostics
        reason = "; ".join(dict.fromkeys(d.message for d in notes)) or str(error)
        is_refused = "cannot be imported" in str(error)
        return Outcome(case, "unsupported" if is_refused else "failed", reason)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = (
            f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}:{where.lineno})"
        )
        return Outcome(case, "failed", " ".join(reason.split())[:300])
    return Outcome(case, "passed", known=prepared.is_known)


# Report ------------------------------------------------------------------------------------------


def table(outcomes: Sequence[Outcome]) -> str:
    """Counts by kind of test and element types."""
    results = ("passed", "wrong", "explained", "unsupported", "failed")
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        key = (outcome.case.kind, group_of(outcome.case.model))
        counts[key][outcome.result] += 1
        counts[key]["known"] += outcome.known
    lines = [
        f"{'kind':18} {'element types':44} " + " ".join(f"{r:>11}" for r in results) + "  (known)"
    ]
    for (kind, group), found in sorted(counts.items()):
        numbers = " ".join(f"{found[r]:11}" for r in results)
        lines.append(f"{kind:18} {group:44} {numbers}  ({found['known']})")
    ours = [o for o in outcomes if not group_of(o.case.model).startswith("others")]
    passed = sum(o.result == "passed" for o in ours)
    lines.append(f"{passed} of {len(ours)} with element types that we have pass")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", action="append", choices=KINDS, help="all by default")
    parser.add_argument("--name", action="append", default=[], help="a part of names of tests")
    parser.add_argument("--group", help="only tests whose element types begin so")
    parser.add_argument("--verbose", action="store_true", help="list all that do not pass")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    begin = time.perf_counter()
    outcomes = []
    for kind in args.kind or KINDS:
        for case in cases(kind, args.name):
            if args.group and not group_of(case.model).startswith(args.group):
                continue
            outcomes.append(run(case))
    if args.verbose:
        for o in outcomes:
            if o.result != "passed":
                print(f"{o.result}: {o.case.name} [{group_of(o.case.model)}]: {o.reason}")
    print(table(outcomes))
    reasons = Counter((o.result, o.reason[:100]) for o in outcomes if o.result != "passed")
    for (result, reason), count in reasons.most_common(40):
        print(f"{count:5} {result}: {reason}")
    print(f"{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
