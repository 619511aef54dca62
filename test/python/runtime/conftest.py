"""Fixtures of the runtime's tests; they need flatc to make program files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(__file__))

import ttnn_file  # noqa: E402

from ttmlir import _runtime  # noqa: E402


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if ttnn_file.flatc() is None:
        for item in items:
            if str(item.fspath).startswith(os.path.dirname(__file__)):
                item.add_marker(pytest.mark.skip(reason="flatc is not installed"))


@pytest.fixture
def device() -> Iterator[_runtime.Device]:
    opened = _runtime.open_device([0])
    yield opened
    _runtime.close_device(opened)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)
