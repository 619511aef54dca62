"""The worked examples of CONTRIBUTING.md apply to the checkout; `make worked-examples` carries them
out."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from op_definitions import installed

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "test" / "worked_examples" / "run.py"
specification = importlib.util.spec_from_file_location("worked_examples", SCRIPT)
assert specification is not None
assert specification.loader is not None
worked = importlib.util.module_from_spec(specification)
specification.loader.exec_module(worked)


@pytest.mark.parametrize("op", worked.EXAMPLES)
def test_it_applies(op: str) -> None:
    command = ["git", "apply", "--check", SCRIPT.with_name(f"{op}.patch")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("op", worked.EXAMPLES)
def test_contributing_lists_its_files(op: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(rf"test/worked_examples/{op}\.patch.*?\n\n(\|.*?)\n\n", text, re.S)
    assert found, f"expected a table of the files of {op}"
    listed = re.findall(r"^\| `([^`]+)` \|", found[1], re.M)
    assert listed == worked.files(op)
    assert len(listed) <= worked.EXAMPLES[op]


#: Generators of tables that check the numbers of ops, with their definitions.
TABLES = {
    "instruction_tables": "dialects/TTKernel/Instructions.td",
    "step_tables": "dialects/TTNN/TTNNOps.td",
}


@pytest.mark.parametrize("generator", TABLES)
def test_its_numbers_are_free(generator: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "cpp" / "dialects", tmp_path / "cpp" / "dialects")
    for op in worked.EXAMPLES:
        patch = SCRIPT.with_name(f"{op}.patch")
        command = ["git", "apply", "--include=cpp/dialects/*", patch]
        subprocess.run(command, cwd=tmp_path, check=True)
    source, records = tmp_path / "cpp", tmp_path / "records.json"
    tblgen = [installed("llvm/bin/llvm-tblgen"), "--dump-json", f"-I{source}"]
    tblgen += [f"-I{installed('mlir/include')}", source / TABLES[generator], "-o", records]
    subprocess.run(tblgen, check=True)
    script = ROOT / "tools" / "tablegen" / f"{generator}.py"
    command = [sys.executable, script, "schema", records, tmp_path / "table.fbs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
