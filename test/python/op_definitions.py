"""The ops as their TableGen definitions describe them."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILES = {"ttir": "dialects/TTIR/TTIRAllOps.td", "ttnn": "dialects/TTNN/TTNNOps.td"}
#: Kernels and their programs; test_kernel_op_table.py is about them.
KERNEL_FILES = {
    "ttkernel": "dialects/TTKernel/TTKernelOps.td",
    "ttmetal": "dialects/TTMetal/TTMetalOps.td",
}

#: Ops that are in TTIR by design only: each states the work of cores on shards, or an address,
#: which a library call has inside.
ONLY_IN_TTIR = {
    "ttir.alloc": "an address, which the runtime's allocator gives",
    "ttir.dealloc": "the end of such an address",
    "ttir.generic": "the work of a grid of cores, for backends of kernels",
    "ttir.kernel": "a kernel inside of that work",
    "ttir.yield": "the end of that work",
}


def installed(path: str) -> Path:
    """A file of a wheel in site-packages; without it what asks for it is skipped."""
    found = [Path(entry, path) for entry in sys.path if Path(entry, path).exists()]
    if not found:
        pytest.skip(f"needs {path} of the build requirements", allow_module_level=True)
    return found[0]


@cache
def records(dialect: str) -> dict[str, Any]:
    """The records of a dialect's definitions, as llvm-tblgen sees them."""
    command = [installed("llvm/bin/llvm-tblgen"), "--dump-json", f"-I{ROOT / 'cpp'}"]
    command += [f"-I{installed('mlir/include')}", ROOT / "cpp" / (FILES | KERNEL_FILES)[dialect]]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@dataclass(frozen=True, eq=False)
class Definition:
    """An op. ``family`` is what it shares its verifier with: a function of `cpp/dialects/Shapes`
    for both dialects, or a TableGen class."""

    dialect: str
    mnemonic: str
    family: str
    record: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        return f"{self.dialect}.{self.mnemonic}"

    @property
    def text(self) -> str:
        return str(self.record["description"])

    @property
    def traits(self) -> list[str]:
        return [trait["def"] for trait in self.record["traits"]]

    @property
    def is_composite(self) -> bool:
        """Others say the op as well: no backend has it."""
        return not {"TTIR_CompositeOp", "TTIR_QuantOp"}.isdisjoint(self.record["!superclasses"])

    @property
    def prose(self) -> str:
        """The description without rules, numbers and example."""
        return re.split(r"\n *(?:Constraints|Numerics|Example):", self.text)[0].strip()

    @property
    def example(self) -> str:
        found = re.search(r"```mlir\n(.*?)```", self.text, re.S)
        return found[1] if found else ""

    @cached_property
    def rules(self) -> list[str]:
        """The numbered constraints; a TTNN op may refer to those of the TTIR op."""
        own = re.findall(r"^ *- \((C\d+)\)", self.text, re.M)
        if not own and re.search(r"As `ttir\.\w+`, with its constraints", self.text):
            name = re.search(r"As `ttir\.(\w+)`", self.text)
            assert name is not None
            return definitions()[f"ttir.{name[1]}"].rules
        return own

    @property
    def verifies_nothing(self) -> bool:
        return "Nothing to verify." in self.text


#: Classes that say nothing about what an op is.
_GENERAL = {"Op", "LoweringTable", "SchemaTable"}


def _family(record: dict[str, Any], dialect: str, name: str) -> str:
    shared = re.search(r"shapes::(?:verify|infer)(\w+)\(", str(record.get("extraClassDefinition")))
    if shared:
        return shared[1]
    prefix = dialect.upper()
    general = _GENERAL | {f"{prefix}_{kind}" for kind in ("Op", "DPSOp", "SharedOp", "CompositeOp")}
    own = [c for c in record["!superclasses"] if c not in general and c.startswith(prefix)]
    return own[-1] if own else name


@cache
def definitions() -> dict[str, Definition]:
    """Every defined op of both dialects by its name."""
    found = {}
    for dialect in FILES:
        everything = records(dialect)
        for name in everything["!instanceof"][f"{dialect.upper()}_Op"]:
            record = everything[name]
            family = _family(record, dialect, name)
            op = Definition(dialect, record["opName"], family, record)
            found[op.name] = op
    return found


@cache
def eltwise_rows() -> list[dict[str, Any]]:
    """The table of elementwise functions."""
    everything = records("ttir")
    return [everything[name] for name in everything["!instanceof"]["EltwiseRow"]]


def registered(dialect: str) -> list[str]:
    """The ops that the dialect registers, by the classes that its definitions gave Python."""
    module = importlib.import_module(f"ttmlir.dialects._{dialect}_ops_gen")
    return sorted(
        value.OPERATION_NAME
        for value in vars(module).values()
        if isinstance(value, type) and "OPERATION_NAME" in vars(value)
    )
