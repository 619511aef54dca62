"""Modules beside this file are shared by the folders."""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import shutil
import signal
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

sys.path.insert(0, str(Path(__file__).parent))

from kernel_cpp import cpp_errors
from optional_packages import (  # noqa: F401
    pytest_make_collect_report,
    pytest_runtest_call,
    pytest_runtest_setup,
)
from tiers import (
    pytest_collection_modifyitems as pytest_collection_modifyitems,
)
from tiers import (
    pytest_report_header as pytest_report_header,
)
from tiers import (
    pytest_terminal_summary as pytest_terminal_summary,
)

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)

# What fails once fails again; test/soak is there for cases that nobody has seen.
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")
# Hypothesis draws from the constants of all modules that happen to be imported; which they are
# depends on the tests before.
providers.is_local_module_file = lambda path: False

# Tests interrupt calls, and workers of pytest-xdist ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Where tests try what JAX refuses, leaving its own frames out of tracebacks takes most of the time.
os.environ["JAX_TRACEBACK_FILTERING"] = "off"

# env/activate sets it, and tests look for artifacts where they are.
os.environ.pop("TT_MLIR_HOME", None)


# Only glibc has it.
_malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)


def pytest_collection_finish() -> None:
    """Leaves the tests themselves, tens of thousands of objects each with more of them, out of
    garbage collections."""
    gc.collect()
    gc.freeze()


#: Bytes in memory from which a process drops what it keeps: filling the caches again takes seconds.
_MOST_MEMORY = 3 << 29


def _clear_caches() -> None:
    """Drops the programs that JAX and PyTorch keep for the next call, and with them ours."""
    if "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
    if "torch._dynamo" in sys.modules:
        sys.modules["torch._dynamo"].reset()
    if "torch._subclasses.fake_tensor" in sys.modules:
        sys.modules["torch._subclasses.fake_tensor"].FakeTensorMode.cache_clear()
    gc.collect()


@pytest.fixture(scope="module", autouse=True)
def freed_memory() -> Iterator[None]:
    """Returns memory to the system: in a process that has run thousands of programs, the heap is
    fragmented, caches grow to gigabytes, and each garbage collection visits all of them."""
    yield
    if _resident_memory() > _MOST_MEMORY:
        _clear_caches()
    if _malloc_trim is not None:
        _malloc_trim(0)


def _resident_memory() -> int:
    statm = Path("/proc/self/statm")  # only Linux has it
    pages = int(statm.read_text("ascii").split()[1]) if statm.exists() else 0
    return pages * resource.getpagesize()


@pytest.fixture
def package() -> metadata.PackageMetadata:
    """The metadata of the installed package, which a build tree does not have."""
    try:
        return metadata.metadata("ttmlir")
    except metadata.PackageNotFoundError:
        pytest.skip("ttmlir is not installed")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[set[str]]:
    """Takes the C++ of the kernels that a module runs, which must be C++ in the end."""
    sources: set[str] = set()
    yield sources
    assert cpp_errors(sorted(sources), tmp_path_factory.mktemp("kernels")) == ""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a screen."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs a browser: the system's package chromium")
    with api.sync_playwright() as playwright:
        # The sandbox needs rights that containers and root do not have; the pages are ours.
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()
