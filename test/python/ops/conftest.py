"""The modules of this folder are imported by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttmlir import runtime

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def checked() -> Iterator[runtime.Device]:
    """A chip that runs kernels with every check."""
    opened = runtime.open_system(runtime.get_default_system_desc("n150"))
    runtime.set_device_options(opened, runtime.DeviceOptions(checks=True))
    threads = runtime.get_num_threads()
    yield opened
    runtime.set_num_threads(threads)
    runtime.close_device(opened)
