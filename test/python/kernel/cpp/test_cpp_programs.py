"""Programs in C++ against NumPy, and against the same programs with kernels in Python: they make
the same calls, so the results have the same bits and the clock the same cycles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cpp_programs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("numerics", ["fast", "exact"])
def test_same_results_and_cycles(name: str, numerics: str) -> None:
    results = []
    for in_cpp in (False, True):
        case = PROGRAMS[name](in_cpp)
        result = case.program.run(report=True, numerics=numerics, **case.inputs)
        expected = np.asarray(case.expected, "f4")
        tolerance = case.tolerance
        np.testing.assert_allclose(result["y"].astype("f4"), expected, tolerance, tolerance)
        results.append(result)
    in_python, in_cpp = results
    assert in_python["y"].tobytes() == in_cpp["y"].tobytes()
    assert in_python.report.cycles == in_cpp.report.cycles


def test_results_do_not_depend_on_host_threads() -> None:
    found = []
    for threads in (1, 2, 4):
        case = PROGRAMS["matmul_multi_core"](True)
        result = case.program.run(report=True, host_threads=threads, **case.inputs)
        found.append((result["y"].tobytes(), result.report.cycles))
    assert found[0] == found[1] == found[2]


def test_runs_again() -> None:
    case = PROGRAMS["vecadd_multi_core"](True)
    first = case.program.run(**case.inputs)["y"]
    assert first.tobytes() == case.program.run(**case.inputs)["y"].tobytes()
    assert first.tobytes() == case.program.run(checks=False, **case.inputs)["y"].tobytes()


def test_trace(tmp_path: Path) -> None:
    case = PROGRAMS["eltwise_sfpu"](True)
    case.program.run(trace=tmp_path / "trace.json", **case.inputs)
    text = (tmp_path / "trace.json").read_text()
    assert "exp_tile" in text
    assert "read_one" in text
