"""Planted mistakes: each is found as docs/src/mistakes.md says, and every row has a program."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from mistakes import MISTAKES, Mistake

import ttmlir
from ttmlir import errors, kernel, runtime

for subject in ("transfers", "buffers", "memory", "order", "semaphores", "compute"):
    importlib.import_module(f"mistakes.{subject}")

PAGE = Path(__file__).parents[3] / "docs" / "src" / "mistakes.md"


def run(program: kernel.Program) -> None:
    inputs = {}
    for tensor in program.tensors:
        if tensor.role == "input":
            numbers = np.arange(np.prod(tensor.shape)).reshape(tensor.shape) % 251
            inputs[tensor.name] = numbers.astype("f" if tensor.dtype == "f32" else "bfloat16")
    checks = [*runtime.DeviceOptions().check_kinds, "leftovers"]
    program.run(step_limit=1_000_000, checks=checks, **inputs)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_mistake(mistake: Mistake) -> None:
    if mistake.exception is None:
        run(mistake.build())
        return
    with pytest.raises(ttmlir.Error) as caught:
        run(mistake.build())
    assert type(caught.value).__name__ == mistake.exception, caught.value
    # What is wrong with an output when all is over has no place in a kernel.
    if isinstance(caught.value, errors.Fault) and caught.value.thread != "host":
        assert f"{Path('kernel', 'mistakes')}" in caught.value.location


def rows() -> dict[str, str | None]:
    """What the tables of the page say: mistakes and the exception that finds them."""
    found: dict[str, str | None] = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) != 2 or cells[0] in ("mistake", "---"):
            continue
        exception = re.fullmatch(r"`(\w+)`", cells[1])
        assert cells[0] not in found, cells[0]
        found[cells[0]] = exception[1] if exception else None
    return found


def test_table() -> None:
    """The table and the programs say the same."""
    planted: dict[str, str | None] = {}
    for mistake in MISTAKES:
        assert planted.setdefault(mistake.words, mistake.exception) == mistake.exception
    assert rows() == planted


def test_every_fault_is_in_the_table() -> None:
    # Programs that this module cannot build find the others: see test_faults.py and test_mesh.py.
    elsewhere = {"BufferOverlapFault", "MissingLinkFault"}
    kinds = {f"{cls.kind}Fault" for cls in errors.Fault.__subclasses__()}
    assert kinds - set(rows().values()) == elsewhere
