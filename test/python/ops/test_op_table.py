"""Every op of both dialects has all that an op has to have.

The ops are those that the dialects register. Their definitions say what they are; the example of
each description is parsed, verified, printed and read back, lowered, serialized and run.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
import test_collective_numbers
import test_distributed_norms
from op_cases import CASES
from op_definitions import FILES, ONLY_IN_TTIR, ROOT, Definition, definitions, registered
from op_examples import (
    ALIASES,
    OPTIMIZED,
    as_printed,
    as_written,
    default_system,
    device_text,
    module_text,
)
from op_formats import BF16

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir._tools import PROGRAM

OPS = sorted(definitions().values(), key=lambda op: op.name)
TTIR = [op for op in OPS if op.dialect == "ttir"]
TTNN = [op for op in OPS if op.dialect == "ttnn"]
LIT = ROOT / "test" / "ttmlir"

#: The same in TTNN: what other compilers' output may hold and no file can.
ONLY_IN_TTNN = {"ttnn.alloc": "an address, which the runtime's allocator gives"}

#: C++ functions that have another name than their op.
CPP_NAMES = {"get_device": "DeviceGetter::getInstance"}

#: TTNN ops that no lowering of a single op makes.
BY_HAND = """
func.func @copies(%a: tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout> {
  %0 = "ttnn.get_device"() : () -> !tt.device<#device>
  %1 = "ttnn.to_device"(%a, %0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}>
    : (tensor<64x128xf32, #layout>, !tt.device<#device>) -> tensor<64x128xf32, #layout1>
  %2 = "ttnn.from_device"(%1)
    : (tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout>
  "ttnn.dealloc"(%1) : (tensor<64x128xf32, #layout1>) -> ()
  return %2 : tensor<64x128xf32, #layout>
}
"""


#: Ops that run on several chips.
ON_MESHES = test_collective_numbers.NAMES | test_distributed_norms.NAMES


def by_name(ops: list[Definition]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("op", ops, ids=lambda op: op.name)


def test_definitions_are_those_of_the_registered_ops() -> None:
    assert [op.name for op in OPS] == sorted(name for d in FILES for name in registered(d))
    assert len(TTIR) > 30
    assert len(TTNN) > 30


def test_exceptions_exist() -> None:
    assert set(ONLY_IN_TTIR) <= {op.name for op in TTIR}
    assert set(ONLY_IN_TTNN) <= {op.name for op in TTNN}


# Documents ----------------------------------------------------------------------------------------


@by_name(OPS)
def test_is_described(op: Definition) -> None:
    assert op.record["summary"].strip()
    assert op.prose, "expected a description"
    assert op.example, "expected an example in a block of mlir"


# Verifiers ----------------------------------------------------------------------------------------


@by_name(OPS)
def test_has_rules_or_nothing_to_verify(op: Definition) -> None:
    assert bool(op.rules) != op.verifies_nothing, (
        "expected numbered constraints, or the words 'Nothing to verify.' in the description"
    )


@cache
def diagnostics() -> dict[str, set[str]]:
    """What the verifier says of the ops of a family in all negative lit tests."""
    families = {op.name: op.family for op in OPS}
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(LIT.rglob("*-errors.mlir")):
        command = [PROGRAM, "ttmlir-opt", "-split-input-file", file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for name, message in re.findall(r"error: '([\w.]+)' op (.*)", done.stderr):
            if name in families:
                found[families[name]].add(message)
    return found


@by_name([op for op in OPS if op.rules])
def test_each_rule_has_a_negative_test(op: Definition) -> None:
    messages = diagnostics()[op.family]
    own = re.findall(r"^ *- \((C\d+)\)", op.text, re.M)
    # Rules that a TTNN op takes over are tested one by one for the TTIR op.
    assert len(messages) >= max(1, len(own)), f"{len(own)} rules, tests of {sorted(messages)}"


@by_name([op for op in OPS if op.rules])
def test_messages_say_what_was_expected_or_found(op: Definition) -> None:
    # The number or the type that is wrong stands in the message.
    words = re.compile(r"found|provided|\d", re.I)
    assert [m for m in diagnostics()[op.family] if not words.search(m)] == []


# Round trips --------------------------------------------------------------------------------------


@by_name(OPS)
def test_example_is_what_is_printed(op: Definition) -> None:
    assert as_written(op)[0] in as_printed(op)


@by_name(OPS)
def test_example_survives_a_round_trip(op: Definition) -> None:
    module = ir.Module.parse(module_text(op), ir.Context())
    assert module.operation.verify()
    printed = str(module)
    assert f'"{op.name}"' in printed
    assert str(ir.Module.parse(printed, ir.Context())) == printed
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    assert str(ir.Module.parse(bytecode.getvalue(), ir.Context())) == printed


# Lowering, serialization, execution ---------------------------------------------------------------

LOWERED = [op for op in TTIR if op.name not in ONLY_IN_TTIR]


def mesh_of(op: Definition) -> tuple[int, ...]:
    """The mesh that the example of a collective is for; 1x2 where it goes on any."""
    found = re.search(r"Example: a mesh of (\d+)x(\d+)", op.text)
    return tuple(map(int, found.groups())) if found else (1, 2)


#: Functions that are infinite at 1.
INPUTS = {"ttir.atanh": 0.5, "ttir.erfinv": 0.5}


def run(exe: ttmlir.Executable, value: float = 1) -> list[np.ndarray]:
    """The results of a program for inputs that are ``value`` everywhere."""
    dtypes = [BF16 if i.dtype == "bfloat16" else i.dtype for i in exe.inputs]
    results = exe(*(np.full(i.shape, value, d) for i, d in zip(exe.inputs, dtypes, strict=True)))
    return list(results) if isinstance(results, tuple) else [results]


@cache
def compiled(op: Definition) -> ttmlir.Executable:
    if op.mnemonic in ON_MESHES:
        return ttmlir.compile(module_text(op), target="t3000", mesh_shape=mesh_of(op))
    return ttmlir.compile(module_text(op), optimization_level=int(op.name in OPTIMIZED))


@by_name(LOWERED)
def test_example_compiles_and_runs(op: Definition) -> None:
    exe = compiled(op)
    results = run(exe, INPUTS.get(op.name, 1))
    for result, output in zip(results, exe.outputs, strict=True):
        assert result.shape == output.shape
        assert np.isfinite(result.astype(np.float64)).all()


@by_name([op for op in TTIR if op.name in ONLY_IN_TTIR])
def test_what_is_in_ttir_only_says_so(op: Definition) -> None:
    with pytest.raises(ttmlir.CompileError) as caught:
        ttmlir.compile(module_text(op))
    messages = [d.message for d in caught.value.diagnostics]
    assert any(name in message for message in messages for name in ONLY_IN_TTIR), messages


def ttnn_module(functions: str) -> ir.Module:
    """A module of TTNN for the default system."""
    context = ir.Context()
    aliases = [f"#{name} = {text}" for name, text in ALIASES.items()]
    aliases.append(f"#device = {device_text()}")
    attributes = f"tt.system_desc = {default_system(context)}, tt.device = #device"
    head = "\n".join(aliases)
    return ir.Module.parse(f"{head}\nmodule attributes {{{attributes}}} {{{functions}}}", context)


@cache
def programs() -> list[ttmlir.Executable]:
    """Programs that have run, with all ops of TTNN."""
    data = passes.ttnn_to_flatbuffer_bytes(ttnn_module(BY_HAND))
    found = [ttmlir.Executable(runtime.load_binary_from_bytes(data))]
    run(found[0])
    for op in LOWERED:
        # An example that fails has a test of its own.
        with contextlib.suppress(ttmlir.Error):
            run(compiled(op))
            found.append(compiled(op))
    return found


@cache
def executed() -> set[str]:
    """The ops of these programs."""
    return {name for exe in programs() for name in re.findall(r'"(ttnn\.\w+)"', exe.mlir)}


@cache
def in_cpp() -> set[str]:
    """The functions that the C++ of these programs calls."""
    return {name for exe in programs() for name in re.findall(r"\bttnn::([\w:]+)\(", exe.cpp)}


@by_name([op for op in TTNN if op.name not in ONLY_IN_TTNN])
def test_a_program_with_it_is_serialized_and_runs(op: Definition) -> None:
    assert op.name in executed()


@by_name([op for op in TTNN if op.name not in ONLY_IN_TTNN])
def test_cpp_calls_it(op: Definition) -> None:
    # That the C++ compiles and gives the same bits is tested for each op in test/python/emitc.
    assert CPP_NAMES.get(op.mnemonic, op.mnemonic) in in_cpp()


@by_name([op for op in TTNN if op.name in ONLY_IN_TTNN])
def test_what_is_in_ttnn_only_is_not_serialized(op: Definition) -> None:
    body = re.sub(r"\n#.*|^#.*", "", module_text(op), flags=re.M)
    with pytest.raises((ir.MLIRError, RuntimeError), match=op.mnemonic):
        passes.ttnn_to_flatbuffer_bytes(ttnn_module(body))


# Numbers ------------------------------------------------------------------------------------------


def test_every_op_has_a_test_of_its_numbers() -> None:
    names = {*CASES, *ON_MESHES}
    assert {f"ttir.{name}" for name in names} == {op.name for op in LOWERED}
