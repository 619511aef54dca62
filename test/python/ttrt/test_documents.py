"""Every command line of the documents, in a folder with out.ttnn, system_desc.ttsys and a folder of
flatbuffers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Call = Any

READ = """
--help
--section mlir out.ttnn
--section cpp out.ttnn
--section version out.ttnn
--section system_desc out.ttnn
--section inputs out.ttnn
--section outputs out.ttnn
--section all out.ttnn
--section all out.ttnn --clean-artifacts
--section all out.ttnn --save-artifacts
--section all flatbuffers
system_desc.ttsys
--section system_desc system_desc.ttsys
system_desc.ttsys --log-file ttrt.log
"""
RUN = """
--help
out.ttnn
out.ttnn --seed 0
out.ttnn --init arange
out.ttnn --clean-artifacts
out.ttnn --save-artifacts
out.ttnn --loops 10
--program-index all out.ttnn
--program-index 0 out.ttnn
flatbuffers
flatbuffers --loops 10
flatbuffers --log-file ttrt.log
"""
QUERY = """
--help
--save-artifacts
--clean-artifacts
--save-artifacts --log-file ttrt.log
"""
CHECK = """
--help
out.ttnn
out.ttnn --system-desc system_desc.ttsys
out.ttnn --clean-artifacts
out.ttnn --save-artifacts
out.ttnn --log-file ttrt.log
flatbuffers --system-desc system_desc.ttsys
"""
PERF = """
--help
out.ttnn
out.ttnn --clean-artifacts
out.ttnn --save-artifacts
out.ttnn --loops 10
--program-index all out.ttnn
--program-index 0 out.ttnn
--host-only out.ttnn
flatbuffers --host-only
flatbuffers --loops 10 --host-only
flatbuffers --log-file ttrt.log --host-only
flatbuffers
"""
COMMANDS = [
    f"{command} {line}"
    for command, lines in (
        ("read", READ),
        ("run", RUN),
        ("query", QUERY),
        ("check", CHECK),
        ("perf", PERF),
    )
    for line in lines.strip().splitlines()
]


@pytest.mark.parametrize("line", ["--help", "--version", *COMMANDS])
def test_command_line(here: Path, ttrt: Call, line: str) -> None:
    done = ttrt(*line.split())
    assert done.returncode == 0, done.stderr
    command = line.split()[0]
    report = here / f"{command}_results.json"
    if "--help" in line or command.startswith("-"):
        assert not report.exists()
        return
    results = json.loads(report.read_text())
    assert results
    assert {r["result"] for r in results} == {"pass"}


def test_identity_of_the_documents(here: Path, ttrt: Call) -> None:
    """`out.ttnn --identity` multiplies two tensors: that is no identity, and says so."""
    done = ttrt("run", "out.ttnn", "--identity", "--rtol", "1", "--atol", "1")
    assert done.returncode == 1
    assert "Failed: identity needs as many outputs as inputs" in done.stderr
