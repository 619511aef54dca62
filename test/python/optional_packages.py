"""Skips what imports an optional package that this environment does not have.

A module of tests, or a helper of it, just imports the package. The reason names it: ``needs jax``.
An import by the product is no reason: that fails the test.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
#: Tests, and the scripts that they import.
IMPORTERS = (FOLDER, FOLDER.parents[1] / "benchmarks")
#: What the lists of extras and of tests in pyproject.toml bring, by the names that tests import.
OPTIONAL = frozenset(
    {
        "google",
        "jax",
        "jaxlib",
        "jedi",
        "mpi4py",
        "onnx",
        "perfetto",
        "safetensors",
        "scipy",
        "tokenizers",
        "torch",
        "torchao",
        "transformers",
    }
)


def missing(error: BaseException | None) -> str | None:
    """The optional package that tests import in vain, if that is what the error says."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    package = (error.name or "").partition(".")[0]
    frames = traceback.extract_tb(error.__traceback__)
    files = [f.filename for f in frames if not f.filename.startswith("<frozen importlib")]
    by_tests = bool(files) and any(Path(files[-1]).is_relative_to(path) for path in IMPORTERS)
    return package if by_tests and package in OPTIONAL else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    call: pytest.CallInfo[object] | None = getattr(report, "call", None)
    if report.failed and call and call.excinfo:
        # What pytest raises instead names the file, and has the error as its cause.
        package = missing(call.excinfo.value.__cause__)
        if package is not None:
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 1, f"Skipped: needs {package}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    try:
        return (yield)
    except ModuleNotFoundError as error:
        package = missing(error)
        if package is None:
            raise
        pytest.skip(f"needs {package}")


pytest_runtest_call = pytest_runtest_setup
