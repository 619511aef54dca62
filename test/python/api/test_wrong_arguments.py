"""Every public function with arguments that nobody should give; see wrong_arguments.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import wrong_arguments


@pytest.mark.parametrize("group", wrong_arguments.GROUPS)
@pytest.mark.parametrize("seed", range(3))
def test_calls_end_in_an_error_or_well(group: str, seed: int) -> None:
    assert wrong_arguments.campaign(group, seed, 200) == []
