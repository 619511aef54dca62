"""How the files of the project stand to each other: names that differ, layers of the runtime."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def near(a: str, b: str) -> bool:
    """Whether two names are one letter apart."""
    if len(a) > len(b):
        a, b = b, a
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b, strict=True)) == 1
    return any(b[:i] + b[i + 1 :] == a for i in range(len(b)))


def test_no_two_files_differ_by_one_letter() -> None:
    """What differs in digits, such as versions, may."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout of git")
    folders = defaultdict(set)
    for path in map(Path, listed.stdout.splitlines()):
        stem = path.name.partition(".")[0].strip("_").lower()
        folders[path.parent].add(stem.rstrip("0123456789"))
    assert [
        f"{folder}{os.sep}: {a}, {b}"
        for folder, stems in folders.items()
        for a, b in itertools.combinations(sorted(stems), 2)
        if near(a, b)
    ] == []


#: The folders of the runtime: a file includes those of its own folder and of the ones before it.
ROOMS = (
    "numerics", "tensix", "common", "clock", "emulator", "kernels", "collectives", "ttnn",
    "ttmetal", "api",
)  # fmt: skip


def test_rooms_of_the_runtime_build_on_each_other() -> None:
    library = ROOT / "runtime" / "lib"
    assert set(ROOMS) == {path.name for path in library.iterdir() if path.is_dir()}
    wrong = []
    for file in sorted([*library.rglob("*.h"), *library.rglob("*.cpp")]):
        room = file.relative_to(library).parts[0]
        for other in re.findall(r'^#include "(\w+)/', file.read_text(), re.M):
            if other in ROOMS and ROOMS.index(other) > ROOMS.index(room):
                wrong.append(f"{file.relative_to(library)}: {other}")
    assert wrong == []
