"""`ttrt run` compares with the goldens of a file, strictly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttrt.common.errors import GoldenMismatch
from ttrt.common.golden import check_close, tolerances

Call = Any
X = np.linspace(-4, 4, 64 * 64, dtype=np.float32).reshape(64, 64)
NAN, INF = np.nan, np.inf


def save(path: Path, op: str, dtype: str = "f32", **goldens: Any) -> None:
    b = ttmlir.Builder()
    b.output(getattr(b, op)(b.input("x", X.shape, dtype)))
    ttmlir.compile(b, goldens=goldens).save(path)


def result(folder: Path) -> dict[str, Any]:
    (entry,) = json.loads((folder / "run_results.json").read_text())
    return dict(entry)


def test_match(tmp_path: Path, ttrt: Call) -> None:
    save(tmp_path / "out.ttnn", "exp", input_0=X, output_0=np.exp(X))
    done = ttrt("run", "out.ttnn")
    assert done.returncode == 0, done.stderr
    assert "golden matches output 0" in done.stderr
    assert result(tmp_path)["result"] == "pass"


@pytest.mark.parametrize("scale", [10.0, -1.0, 1.001])
def test_mismatch(tmp_path: Path, ttrt: Call, scale: float) -> None:
    save(tmp_path / "out.ttnn", "exp", input_0=X, output_0=np.exp(X) * np.float32(scale))
    done = ttrt("run", "out.ttnn")
    assert done.returncode == 1
    assert "Failed: golden and output do not match in binary out.ttnn" in done.stderr
    assert result(tmp_path)["result"] == "fail"


def test_tolerances_of_the_command_line(tmp_path: Path, ttrt: Call) -> None:
    save(tmp_path / "out.ttnn", "exp", input_0=X, output_0=np.exp(X) * np.float32(1.001))
    assert ttrt("run", "out.ttnn", "--rtol", "0.01").returncode == 0
    assert ttrt("run", "out.ttnn", "--rtol", "1e-05").returncode == 1


def test_bf16_is_compared_as_bf16(tmp_path: Path, ttrt: Call) -> None:
    import ml_dtypes

    half = X.astype(ml_dtypes.bfloat16)
    exact = np.exp(half.astype(np.float64)).astype(np.float32)
    save(tmp_path / "out.ttnn", "exp", "bf16", input_0=half, output_0=exact)
    assert ttrt("run", "out.ttnn").returncode == 0
    assert ttrt("run", "out.ttnn", "--rtol", "1e-05").returncode == 1


def test_special_values(tmp_path: Path, ttrt: Call) -> None:
    x = X.copy()
    x[0, :3] = NAN, INF, -INF
    save(tmp_path / "out.ttnn", "relu", input_0=x, output_0=np.maximum(x, 0))
    assert ttrt("run", "out.ttnn").returncode == 0
    wrong = np.maximum(x, 0)
    wrong[0, 0] = 0
    save(tmp_path / "out.ttnn", "relu", input_0=x, output_0=wrong)
    done = ttrt("run", "out.ttnn")
    assert done.returncode == 1
    assert "NaN in different places, first at [0, 0]" in done.stderr


def test_output_without_input(tmp_path: Path, ttrt: Call) -> None:
    save(tmp_path / "out.ttnn", "exp", output_0=np.ones_like(X))
    done = ttrt("run", "out.ttnn", "--init", "zeros")
    assert done.returncode == 0, done.stderr
    assert "has goldens but none of input 0: it is initialized by --init zeros" in done.stderr


def test_all_of_a_folder_are_compared(tmp_path: Path, ttrt: Call) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    save(folder / "a.ttnn", "abs", input_0=X, output_0=X)
    save(folder / "b.ttnn", "abs", input_0=X, output_0=abs(X))
    assert ttrt("run", "files").returncode == 1
    results = json.loads((tmp_path / "run_results.json").read_text())
    assert [r["result"] for r in results] == ["fail", "pass"]


def test_json_with_and_without_elements(tmp_path: Path, ttrt: Call) -> None:
    save(tmp_path / "out.ttnn", "abs", output_0=abs(X))
    binary = ttmlir.load(tmp_path / "out.ttnn").binary

    def golden(text: str) -> dict[str, Any]:
        (program,) = json.loads(text)["programs"]
        (entry,) = program["debug_info"]["golden_info"]["golden_map"]
        assert entry["key"] == "output_0"
        return dict(entry["value"])

    full, short = golden(binary.as_json()), golden(binary.as_json(elements=False))
    assert (full["shape"], full["stride"], full["dtype"]) == ([64, 64], [64, 1], "Float32")
    assert bytes(full["data"]) == abs(X).tobytes()
    assert short == full | {"data": []}
    assert golden(ttrt("read", "out.ttnn").stdout) == full


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ([5.0], [-100.0]),
        (5.0, -100.0),
        ([1.0, NAN, 3.0], [1.0, 2.0, 3.0]),
        ([1.0, 2.0, 3.0], [1.0, NAN, 3.0]),
        ([1.0, INF, 3.0], [1.0, -INF, 3.0]),
        ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]),
        ([1.0, 2.0, 3.0], [13.0, 23.0, 33.0]),
        ([1.0, 2.0, 3.0], [[1.0, 2.0, 3.0]]),
        ([0.0, 0.0], [1.0, 0.0]),
    ],
)
def test_strict(expected: Any, found: Any) -> None:
    with pytest.raises(GoldenMismatch):
        check_close(np.array(expected), np.array(found), 1e-5, 1e-8, "test")


def test_both_checks_must_hold() -> None:
    """Every value within the tolerance, and yet nothing alike."""
    rng = np.random.default_rng(0)
    expected, found = rng.uniform(-1, 1, (2, 1000))
    with pytest.raises(GoldenMismatch, match="correlation"):
        check_close(expected, found, 0, 2, "test")


def test_same_values() -> None:
    values = np.array([1.0, NAN, INF, -INF, 0.0, -2.5])
    check_close(values, values.copy(), 0, 0, "test")


def test_tolerances() -> None:
    ones = np.ones(4)
    assert tolerances("Float32", ones, None, None) == (1e-5, 1e-8)
    assert tolerances("BFloat16", ones, None, None) == (2**-8, 1e-8)
    assert tolerances("BFloat16", ones, 0.0, 0.5) == (0.0, 0.5)
    assert tolerances("BFP_BFloat8", 4 * ones, None, None) == (2**-6, 2**-4)
