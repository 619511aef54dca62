"""The worked examples of CONTRIBUTING.md apply to the checkout; `make worked-examples` carries them
out."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

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
