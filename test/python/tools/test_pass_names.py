"""A pass has one name: its flag, its class, its file and the folder of its tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "test" / "ttmlir"


class Pass(NamedTuple):
    name: str
    flag: str
    passes: Path

    @property
    def folder(self) -> Path:
        """What belongs to the dialect's passes, or to the conversion."""
        return self.passes.parent

    @property
    def stem(self) -> str:
        """The class without what its folder says."""
        return self.name.removeprefix("Convert").removeprefix(self.folder.parent.name)


def passes() -> list[Pass]:
    return [
        Pass(name, flag, path)
        for path in sorted((ROOT / "cpp").rglob("*Passes.td"))
        for name, flag in re.findall(r'^def (\w+)\s*: Pass<"([^"]+)"', path.read_text(), re.M)
    ]


def test_all_passes_are_looked_at() -> None:
    texts = [path.read_text() for path in (ROOT / "cpp").rglob("*.td")]
    assert len(passes()) == sum(text.count(": Pass<") for text in texts) > 15


@pytest.mark.parametrize("found", passes(), ids=lambda found: found.flag)
def test_a_pass_has_one_name(found: Pass) -> None:
    assert found.flag.replace("-", "") == found.name.lower()

    macro = re.compile(rf"^#define GEN_PASS_DEF_{found.name.upper()}$", re.M)
    sources = [p for p in found.folder.rglob("*.cpp") if macro.search(p.read_text())]
    assert [path.stem for path in sources] == [found.stem]
    base = r"^(?:class|struct) (\w+)\s*:\s*public impl::(\w+)Base<"
    bases = re.findall(base, sources[0].read_text(), re.M)
    assert bases == [(found.name, found.name)]

    if "conversion" in found.folder.parts:
        tests = TESTS / "Conversion" / found.stem
    else:
        dialect = found.folder.parent.name
        tests = TESTS / "Dialect" / dialect / found.flag.partition("-")[2].replace("-", "_")
    assert any(found.flag in path.read_text() for path in tests.glob("*.mlir"))
