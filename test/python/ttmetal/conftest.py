"""The table of ops is in a folder of its own; kernels run with all checks."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttmlir import runtime

sys.path.insert(0, str(Path(__file__).parents[1] / "ops"))


@pytest.fixture(autouse=True)
def checks() -> Iterator[None]:
    """Devices that are open already are told, too."""
    before = runtime.get_default_device_options()
    options = runtime.DeviceOptions(checks=True)
    device = runtime.shared_device(runtime.get_default_system_desc("n150"), "ttmetal")
    runtime.set_default_device_options(options)
    runtime.set_device_options(device, options)
    yield
    runtime.set_default_device_options(before)
    runtime.set_device_options(device, before)
    runtime.set_num_threads(0)
