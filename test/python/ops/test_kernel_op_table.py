"""Every op of kernels and of their programs has all that an op has to have.

The definitions say what the ops are. The example of each is verified, printed, read back, compiled
to instructions and to C++; every rule of an op is broken once.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_cpp import DECLARATIONS, cpp_errors
from kernel_ops import (
    CONFIGS,
    SCHEMA,
    WITHOUT_OPCODE,
    KernelOp,
    dispatch,
    kernel,
    kernel_ops,
    kernels,
    metal_ops,
    program,
    run,
)
from op_definitions import ROOT, Definition, definitions, registered
from op_examples import module_text

from ttmlir import ir

OPS = kernel_ops()
COMPILED = [op for op in OPS if op.mnemonic not in WITHOUT_OPCODE]
LIT = ROOT / "test" / "ttmlir"

#: Instructions that are no op of kernels: of control, and integer ops of `arith`.
OTHER_OPCODES = [
    *("br", "cond_br", "move", "addi", "subi", "muli", "divsi", "divui", "remsi", "remui"),
    *("andi", "ori", "xori", "shli", "shrsi", "shrui", "minsi", "minui", "maxsi", "maxui"),
    *("cmpi", "select", "extsi", "trunci", "load_element", "store_element"),
]

#: C++ names of ops that have others than their mnemonics.
CPP_NAMES = {
    "assert": "ASSERT",
    "builtin": "multiply",
    "dprint": "DPRINT",
    "fill_tile": "fill_tile_bitcast",
    "load_from_l1": "volatile tt_l1_ptr uint32_t",
    "mem_zeros_base": "MEM_ZEROS_BASE",
    "mem_zeros_size": "MEM_ZEROS_SIZE",
    "my_logical_x": "get_absolute_logical_x",
    "my_logical_y": "get_absolute_logical_y",
    "store_to_l1": "volatile tt_l1_ptr uint32_t",
    "tensor_accessor": "TensorAccessorArgs",
    "tensor_accessor_get_noc_addr": "get_noc_addr",
    "unreachable": "__builtin_unreachable",
}

TILES = "!ttkernel.cb<cb_in3, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>"
SCALARS = "!ttkernel.cb<cb_in3, 1024, memref<64x128xf32, #l1_>, 512, 1>"


def by_name(ops: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("op", ops, ids=lambda op: op.name)


def opcodes() -> list[str]:
    """The instructions of the schema."""
    text = (SCHEMA / "TTMetal" / "opcode.fbs").read_text(encoding="utf-8")
    found = re.search(r"enum Opcode : ushort \{(.*?)\n\}", text, re.S)
    assert found is not None
    return re.findall(r"(\w+) = \d+", re.sub(r"//.*", "", found[1]))


def test_definitions_are_those_of_the_registered_ops() -> None:
    assert [op.name for op in OPS] == registered("ttkernel")
    assert [op.name for op in metal_ops()] == registered("ttmetal")
    assert len(OPS) > 150


def test_instructions_are_ops() -> None:
    expected = Counter([*OTHER_OPCODES, *(op.opcode for op in COMPILED)])
    assert Counter(opcodes()) == expected


@by_name([*OPS, *metal_ops()])
def test_is_described(op: Definition) -> None:
    assert op.record["summary"].strip()
    assert op.prose, "expected a description"
    assert op.example, "expected an example in a block of mlir"
    assert bool(op.rules) != op.verifies_nothing


@cache
def compiled() -> dict[str, dict[str, Any]]:
    """The kernel of each op's example in the flatbuffer."""
    text = program([dispatch(kernel(op), CONFIGS[op.thread]) for op in COMPILED])
    found = kernels(text)
    return {op.name: kernel for op, kernel in zip(COMPILED, found, strict=True)}


@by_name(OPS)
def test_example_survives_a_round_trip(op: KernelOp) -> None:
    text = program([dispatch(kernel(op), CONFIGS[op.thread])])
    printed = str(ir.Module.parse(text, ir.Context()))
    assert f'"{op.name}"' in printed
    module = ir.Module.parse(printed, ir.Context())
    assert str(module) == printed
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    assert str(ir.Module.parse(bytecode.getvalue(), ir.Context())) == printed


@by_name(COMPILED)
def test_example_is_an_instruction(op: KernelOp) -> None:
    source = compiled()[op.name]["kernel"]
    names = [i["opcode"] for i in source["program"]["instructions"]]
    assert op.opcode in names
    assert names[-1] in ("ret", "unreachable")


def test_what_is_no_instruction_says_so() -> None:
    for op in OPS:
        if op.mnemonic in WITHOUT_OPCODE:
            text = program([dispatch(kernel(op), CONFIGS[op.thread])])
            done = run(text, "ttmlir-translate", "--ttmetal-to-flatbuffer")
            assert done.returncode != 0
            assert f"'{op.name}' op has no instruction" in done.stderr.decode()


# C++ ----------------------------------------------------------------------------------------------


@cache
def sources() -> dict[str, str]:
    return {name: kernel["kernel"]["source"] for name, kernel in compiled().items()}


@by_name(COMPILED)
def test_cpp_calls_it(op: KernelOp) -> None:
    name = CPP_NAMES.get(op.mnemonic, op.mnemonic)
    assert re.search(rf"\b{re.escape(name)}\b", sources()[op.name]), sources()[op.name]


def test_cpp_of_all_parses(tmp_path: Path) -> None:
    assert cpp_errors(sources().values(), tmp_path) == ""


@pytest.mark.parametrize("name", ["matmul", "softmax", "embedding", "concat", "max_pool2d"])
def test_cpp_of_a_compiled_op_parses(name: str, tmp_path: Path) -> None:
    text = module_text(definitions()[f"ttir.{name}"])
    lowered = run(text, "ttmlir-opt", "--ttir-to-ttmetal-backend-pipeline")
    assert lowered.returncode == 0, lowered.stderr.decode()
    texts = [found["kernel"]["source"] for found in kernels(lowered.stdout.decode())]
    assert texts
    assert cpp_errors(texts, tmp_path) == ""


def test_cpp_of_what_is_not_declared_does_not_parse(tmp_path: Path) -> None:
    assert "not declared" in cpp_errors(["void kernel_main() { no_such_op(1); }"], tmp_path)


def test_every_included_header_is_of_the_kernel_library() -> None:
    included = {h for text in sources().values() for h in re.findall('#include "(.*)"', text)}
    expected = ("dataflow_api.h", "fabric_api.h", "debug/", "compute_kernel_api/")
    assert included
    assert all(header.startswith(expected) for header in included), included
    assert DECLARATIONS.exists()


# Verifiers ----------------------------------------------------------------------------------------


def message(region: list[str], config: str) -> str:
    """What the verifier says of a kernel that breaks a rule."""
    with pytest.raises(ir.MLIRError) as caught:
        ir.Module.parse(program([dispatch(region, config)]), ir.Context())
    return str(caught.value)


@by_name([op for op in OPS if op.thread != "Any"])
def test_runs_on_its_thread_only(op: KernelOp) -> None:
    other = {"Noc": "Compute", "Compute": "Noc"}[op.thread]
    said = message(kernel(op, alone=True), CONFIGS[other])
    assert f"'{op.name}' op" in said
    assert "must be in a kernel of" in said


@pytest.mark.parametrize(("kind", "other"), [("Tiles", SCALARS), ("Scalars", TILES)])
def test_elements_of_buffers(kind: str, other: str) -> None:
    checked = 0
    for op in OPS:
        for index, rule in enumerate(op.operand_rules):
            if rule == kind:
                said = message(kernel(op, types={index: other}), CONFIGS[op.thread])
                assert "element type: found" in said, op.name
                checked += 1
    assert checked > 2


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        ("Dst", 16, "expected a destination register from 0 to 15, found 16"),
        ("Pages", 0, "expected a number of pages from 1 to the 8"),
        ("Pages", 9, "of the circular buffer, found 9"),
    ],
)
def test_numbers(kind: str, number: int, said: str) -> None:
    checked = 0
    for op in OPS:
        for index, rule in enumerate(op.operand_rules):
            if rule == kind:
                region = kernel(op, numbers={index: number})
                assert said in message(region, CONFIGS[op.thread]), op.name
                checked += 1
    assert checked > 3


@by_name(metal_ops())
def test_a_negative_test_breaks_its_rules(op: Definition) -> None:
    if op.verifies_nothing:
        return
    said = set()
    for path in sorted((LIT / "Dialect" / "TTMetal").glob("*errors.mlir")):
        done = run(path.read_text(encoding="utf-8"), "ttmlir-opt", "--split-input-file")
        said |= set(re.findall(rf"error: '{op.name}' op (.*)", done.stderr.decode()))
    assert len(said) >= len(op.rules), said
