"""Programs over meshes: the tests in ``on_t3000`` run in a process that has its eight chips.

JAX makes its devices once in a process, and the other tests have those of an n150.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parent / "on_t3000"
#: Of each test the text of the failure and why it was skipped, or nothing.
Outcomes = dict[str, tuple[str, str]]


def names(path: Path) -> list[str]:
    """The tests in a file."""
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    functions = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    return [name for name in functions if name.startswith("test_")]


TESTS = [
    (path.name, name)
    for path in sorted(FOLDER.glob("*.py"))
    if path.name != "conftest.py"
    for name in names(path)
]


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Of all tests that were asked for, in one process."""
    wanted = [
        f"{FOLDER / item.callspec.params['file']}::{item.callspec.params['name']}"
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.path == Path(__file__)
    ]
    report = tmp_path_factory.mktemp("meshes") / "report.xml"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", "-p", "no:xdist", *wanted],
        env={
            **os.environ,
            "TTMLIR_TARGET": "t3000",
            "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
        },
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    found: Outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        # Those of a test with parameters are one.
        name = case.attrib["name"].partition("[")[0]
        failed, skipped = found.get(name, ("", ""))
        for ending in case:
            text = ending.text or ""
            if ending.tag in ("failure", "error"):
                failed += text
            elif ending.tag == "skipped":
                skipped = ending.attrib.get("message", text)
        found[name] = failed, skipped
    return found


# Nothing else has chips in another order than that of their numbers.
@pytest.mark.sampled(6, always=["programs.py-test_other_orders_of_chips"])
@pytest.mark.parametrize(("file", "name"), TESTS)
def test_on_eight_chips(outcomes: Outcomes, file: str, name: str) -> None:
    failed, skipped = outcomes.get(name, ("the test did not run", ""))
    if failed:
        pytest.fail(failed, pytrace=False)
    if skipped:
        pytest.skip(skipped)
