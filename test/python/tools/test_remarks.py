"""Every pass that decides says so: the sources, the tests and docs/src/remarks.md have the same
remarks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PASSES = sorted(
    flag
    for path in (ROOT / "cpp").rglob("*Passes.td")
    for flag in re.findall(r'^def \w+\s*: Pass<"([^"]+)"', path.read_text(), re.M)
)
# Passes that decide nothing: each op or kernel has one form, which the pass writes.
SILENT = {
    "check-calls",
    "check-tosa",
    "convert-host-functions-to-ttnn",
    "convert-ttkernel-to-emitc",
    "convert-ttnn-to-emitc",
    "ttir-generic-kernel",
    "ttir-micro-batches",
}
FRONT_ENDS = ("convert-linalg-to-ttir", "convert-tosa-to-ttir")

Remarks = set[tuple[str, str]]


def in_sources() -> Remarks:
    """Pass and name of each remark that the C++ code emits."""
    texts = [p.read_text() for p in (ROOT / "cpp").rglob("*") if p.suffix in (".cpp", ".h")]
    passes: dict[str, tuple[str, ...]] = {"remarks": FRONT_ENDS}  # of who runs the translation
    for text in texts:
        for name, flag in re.findall(
            r'^(?:inline )?constexpr Remarks (\w+)\(\s*"([^"]+)"', text, re.M
        ):
            passes[name] = (flag,)
    found: Remarks = set()
    call = re.compile(r"\b(\w+)\s*\.(?:passed|missed|analysis)\(([^;{]*?)\)\)?\s*[;{\n]")
    for text in texts:
        for emitter, arguments in call.findall(text):
            for flag in passes.get(emitter, ()):
                found |= {(flag, name) for name in re.findall(r'"(\w+)"', arguments)}
    return found


def in_docs() -> Remarks:
    """The rows of the table, in which an empty first cell repeats the passes above."""
    text = (ROOT / "docs" / "src" / "remarks.md").read_text().partition("## All remarks")[2]
    found: Remarks = set()
    passes: list[str] = []
    for first, names in re.findall(r"^\|(.*?)\|(.*?)\|.*\|$", text, re.M):
        passes = re.findall(r"`([\w-]+)`", first) or passes
        found |= {(flag, name) for flag in passes for name in re.findall(r"`(\w+)`", names)}
    return found


def in_tests() -> Remarks:
    """What lit tests expect."""
    texts = [path.read_text() for path in (ROOT / "test" / "ttmlir").rglob("*.mlir")]
    pattern = re.compile(r"\[(?:Passed|Missed|Analysis)\] (\w+) \| Category:([\w-]+)")
    return {(flag, name) for text in texts for name, flag in pattern.findall(text)}


def test_every_pass_decides_or_is_known_not_to() -> None:
    assert len(PASSES) > 15
    assert {flag for flag, _ in in_sources()} == set(PASSES) - SILENT


def test_the_table_has_all_remarks() -> None:
    assert in_docs() == in_sources()


@pytest.mark.parametrize(("flag", "name"), sorted(in_sources()))
def test_a_test_expects_the_remark(flag: str, name: str) -> None:
    assert (flag, name) in in_tests()
