"""What the generators of tools/tablegen and the C++ compiler say where a description lacks a part.

Each case adds an instruction to the real ones, as its author would write it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from op_definitions import installed

import ttmlir

ROOT = Path(__file__).parents[3]
SCHEMA = Path(ttmlir.__file__).parent / "schema"
INSTRUCTIONS = "dialects/TTKernel/Instructions.td"

#: The first opcode that no instruction has.
NEXT = 1 + max(
    int(number)
    for number in re.findall(r" = (\d+),", (SCHEMA / "TTMetal" / "opcode.fbs").read_text())
)


def run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def records(text: str, folder: Path) -> Path:
    """The records of definitions, as JSON."""
    source, output = folder / "source.td", folder / "records.json"
    source.write_text(text)
    command = [installed("llvm/bin/llvm-tblgen"), "--dump-json", f"-I{ROOT / 'cpp'}"]
    done = run([*command, f"-I{installed('mlir/include')}", source, "-o", output])
    assert done.returncode == 0, done.stderr
    return output


def generate(script: str, table: str, source: Path, output: Path) -> str:
    """What a generator says; empty if it has nothing to say."""
    path = ROOT / "tools" / "tablegen" / script
    done = run([sys.executable, path, table, source, output])
    assert bool(done.returncode) == bool(done.stderr), done.stderr
    assert not output.exists() or not done.returncode
    return done.stderr


def described(definition: str, folder: Path, group: str = "tilize") -> Path:
    where = f'let group = "{group}" in\n' if group else ""
    return records(f'include "{INSTRUCTIONS}"\n{where}def Kernel_Mish : {definition};\n', folder)


def mish(number: int, args: str = "KDst<>", also: str = 'Math<["eltwise"]>') -> str:
    also = f", {also}" if also else ""
    return f'ComputeInstruction<{number}, "mish", "A summary", "A meaning.", [{args}]>{also}'


def test_a_whole_description_is_no_error(tmp_path: Path) -> None:
    source = described(mish(NEXT), tmp_path)
    for table in ("schema", "instructions", "declarations"):
        assert generate("instruction_tables.py", table, source, tmp_path / table) == ""
    assert f"  mish = {NEXT}, // r dst_index\n" in (tmp_path / "schema").read_text()
    assert "/// A summary.\nvoid mish(u32 dst_index);\n" in (tmp_path / "declarations").read_text()


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (mish(91), "mish: expected an opcode of its own, found 91, which is that of add"),
        (mish(NEXT + 1), f"mish: expected {NEXT}, the next opcode that is free, found {NEXT + 1}"),
        (
            mish(NEXT, also=""),
            "mish: expected what it does with tiles, a class such as `Math`, found none",
        ),
        (mish(NEXT, also="Math<[]>"), "mish: expected `cost`, found none"),
        (mish(NEXT, also="Vector<[]>"), "mish: expected `work`, found none"),
        (
            mish(NEXT, also='Math<["eltwise"]>, Needs<"a-", "copy_tile_init">'),
            "mish: expected `formats` of 1 letters of absoABOhr-, one for each operand, found 'a-'",
        ),
        (
            mish(NEXT, also='Math<["eltwise"]>, NeedsVector<"mish_init">'),
            "mish: expected an instruction as `counterpart`, found mish_init",
        ),
        (
            mish(NEXT, 'KernelArg<"x", "I32", "z", "u32", "i32">'),
            "mish: `x`: expected `form` of *, b, c, d, e, f, i, k, m, o, p, r, s, t, w, x, found z",
        ),
        (
            mish(NEXT, 'KAttr<"x", "I32Attr", "i", "u32", "digits", "4 : i32">'),
            "text, value, word, found digits",
        ),
    ],
    ids=lambda value: value if "found" in value else "",
)
def test_what_is_missing_is_named(definition: str, said: str, tmp_path: Path) -> None:
    found = generate(
        "instruction_tables.py", "schema", described(definition, tmp_path), tmp_path / "schema"
    )
    assert found.startswith("instruction_tables.py: mish: ")
    assert found.endswith(f"{said}\n")


def test_a_group_is_needed(tmp_path: Path) -> None:
    source = described(mish(NEXT), tmp_path, group="")
    found = generate("instruction_tables.py", "instructions", source, tmp_path / "output")
    assert found == "instruction_tables.py: mish: expected `group`, found none\n"


def test_an_elementwise_function_takes_time(tmp_path: Path) -> None:
    source = records('include "dialects/Eltwise.td"\n', tmp_path)
    found: dict[str, Any] = json.loads(source.read_text())
    row = next(r for r in found.values() if isinstance(r, dict) and r.get("mnemonic") == "tanh")
    row["work"] = []
    source.write_text(json.dumps(found))
    said = generate("function_tables.py", "functions", source, tmp_path / "output")
    assert said == "function_tables.py: tanh: expected `work`, found none\n"


def steps(definition: str, folder: Path) -> str:
    """What is said of the tables of TTNN's ops and one more."""
    text = (
        'include "dialects/TTNN/TTNNOps.td"\n'
        f'def TTNN_TanhShrinkOp : TTNN_DPSOp<"tanhshrink"> {definition}\n'
    )
    return generate("step_tables.py", "steps", records(text, folder), folder / "steps")


def table(number: int, fields: str, also: str = "") -> str:
    return f"""{{
      let summary = "A summary.";
      let arguments = (ins TT_Tensor:$input, TT_Tensor:$output, I64Attr:$dim, UI64Attr:$count);
      let results = (outs TT_Tensor:$result);
      let schemaTable = "TanhShrinkOp";
      let schemaMember = {number};
      let schemaFields = [{fields}];
      {also}
    }}"""


NEXT_TABLE = 1 + len(
    (SCHEMA / "TTNN" / "operations.fbs").read_text().partition("union OpType")[2].split(",")[:-1]
)


def test_a_whole_table_is_no_error(tmp_path: Path) -> None:
    fields = '"in=input", "out=result", "dim", "count: uint32"'
    assert steps(table(NEXT_TABLE, fields), tmp_path) == ""
    made = (tmp_path / "steps").read_text()
    assert "struct TanhShrinkStep {\n  ValueIndex in{};\n  ValueIndex out{};\n" in made
    assert '  X(TanhShrinkOp, "tanhshrink")' in made


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (table(3, '"in=input"'), "schemaMember is 3, which another table has"),
        (table(NEXT_TABLE + 1, '"in=input"'), f"{NEXT_TABLE} is missing"),
        (
            table(NEXT_TABLE, '"in=inputs"'),
            "TanhShrinkOp: schemaFields name 'inputs', expected one of input, output, dim, count, "
            "result",
        ),
        (
            table(NEXT_TABLE, '"count"'),
            "TanhShrinkOp: attribute 'count' is a UI64Attr, expected one of",
        ),
        (
            table(NEXT_TABLE, '"dim=narrow(dim)"'),
            "TanhShrinkOp: 'narrow(dim)': expected one of wide",
        ),
        (
            table(NEXT_TABLE, '"in=input"', 'let readsPart = ["dim"];'),
            "TanhShrinkOp: 'dim' is not an operand in schemaFields",
        ),
    ],
    ids=["twice", "gap", "source", "type", "conversion", "operand"],
)
def test_what_a_table_lacks_is_named(definition: str, said: str, tmp_path: Path) -> None:
    assert said in steps(definition, tmp_path)


# C++ ----------------------------------------------------------------------------------------------


def headers(definition: str, group: str, folder: Path) -> Path:
    """What the build makes of the schema and of the instructions."""
    source = described(definition, folder, group)
    schema, target = folder / "schema", folder / "include" / "ttmlir" / "Target"
    shutil.copytree(SCHEMA, schema)
    (schema / "TTMetal" / "opcode.fbs").unlink()
    for name in ("Common", "TTMetal"):
        (target / name).mkdir(parents=True)
    other = {}
    for table in ("Eltwise", "Formats"):
        (folder / table).mkdir()
        other[table] = records(f'include "dialects/{table}.td"\n', folder / table)
    made = [
        ("instruction_tables.py", "schema", source, schema / "TTMetal" / "opcode.fbs"),
        ("instruction_tables.py", "instructions", source, target / "TTMetal" / "instructions.inc"),
        ("function_tables.py", "functions", other["Eltwise"], target / "Common" / "functions.inc"),
        ("format_tables.py", "header", other["Formats"], target / "Common" / "formats.h"),
    ]
    for arguments in made:
        assert generate(*arguments) == ""
    for name in ("Common/formats", "Common/types", "TTMetal/opcode", "TTMetal/kernel"):
        command = [installed("flatc/bin/flatc"), "-I", schema, "--cpp", "--cpp-std", "c++17"]
        command += ["--scoped-enums", "--keep-prefix", "-o", (target / name).parent]
        done = run([*command, schema / f"{name}.fbs"])
        assert done.returncode == 0, done.stderr
    return folder / "include"


@cache
def flatbuffers() -> Path:
    return installed("flatc/include")


@pytest.mark.parametrize(
    ("definition", "group", "file", "said"),
    [
        (mish(NEXT), "tilize", "tensix/tilize.cpp", "mish"),
        (mish(NEXT), "dreams", "tensix/compute.cpp", "dreamsHandler"),
        (mish(NEXT, also='Math<["dreams"]>'), "tilize", "clock/compute_time.cpp", "dreams"),
        (mish(NEXT, also='Vector<["dreams"]>'), "tilize", "clock/compute_time.cpp", "dreams"),
    ],
    ids=["function", "group", "cost", "work"],
)
def test_what_the_runtime_lacks_does_not_compile(
    definition: str, group: str, file: str, said: str, tmp_path: Path
) -> None:
    include = headers(definition, group, tmp_path)
    command = ["g++", "-std=c++20", "-fsyntax-only", f"-I{include}"]
    command += [f"-I{include / 'ttmlir' / 'Target'}", f"-I{flatbuffers()}"]
    command += [f"-I{ROOT / 'runtime' / folder}" for folder in ("include", "lib")]
    done = run([*command, ROOT / "runtime" / "lib" / file])
    assert done.returncode != 0
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    assert errors
    assert said in errors[0], done.stderr
