"""The container files: what they name exists, and they install what the documents say.

Containers are built by a workflow; no test needs a container engine.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / ".github").glob("Dockerfile.*"))
WORKFLOW = ROOT / ".github" / "workflows" / "images.yml"
INSTRUCTIONS = {"ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "EXPOSE"}


def instructions(path: Path) -> list[tuple[str, str]]:
    """(instruction, arguments) of each line, without comments and with continuations joined."""
    text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.M).replace("\\\n", " ")
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line]


def packages(command: str) -> set[str]:
    """What a command installs with apt-get."""
    [names] = re.findall(r"apt-get install ([^&\n]*)", command)
    return {name for name in names.split() if not name.startswith("-")}


def test_the_three_files() -> None:
    assert [path.suffix for path in FILES] == [".base", ".ci", ".ird"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.suffix)
def test_instructions(path: Path) -> None:
    found = instructions(path)
    assert {name for name, _ in found} <= INSTRUCTIONS
    declared = {text.partition("=")[0] for name, text in found if name == "ARG"}
    stages = {text.split(" AS ")[-1] for name, text in found if name == "FROM"}
    for name, text in found:
        if name == "FROM":
            assert set(re.findall(r"\$\{(\w+)\}", text)) <= declared
        elif name == "COPY" and text.startswith("--from="):
            assert text.split()[0].removeprefix("--from=") in stages
        elif name == "COPY":
            for source in text.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert not ignored(source), source
        elif name == "RUN":
            for file in re.findall(r"\benv/activate\b|(?<=-B env/build )\S+", text):
                assert (ROOT / file).exists(), file


def ignored(source: str) -> bool:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    return any(fnmatch(f"/{source}", line) for line in lines if not line.startswith("#"))


def test_packages_are_those_of_the_documents() -> None:
    page = (ROOT / "docs" / "src" / "install.md").read_text()
    [base] = [text for name, text in instructions(FILES[0]) if name == "RUN"]
    # A system in a container has no certificates, which pip and git need.
    assert packages(base) - {"ca-certificates"} == packages(page)


def test_the_workflow_builds_each_file() -> None:
    text = WORKFLOW.read_text()
    built = re.findall(r"^ +image (\S+) (\w+)", text, re.M)
    assert {file for _, file in built} == {path.suffix[1:] for path in FILES}
    [published] = re.findall(r"for name in (.*); do", text)
    assert [name for name, _ in built] == published.split()
    watched = re.search(r"paths: \[(.*?)\]", text, re.S)
    assert watched
    for pattern in re.findall(r'"(.*?)"', watched[1]):
        assert list(ROOT.glob(pattern)), pattern
