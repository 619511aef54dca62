"""Integers of every type by every front end: the framework's, beyond 32 bits as well."""

from __future__ import annotations

import integer_table
import pytest


@pytest.mark.sampled(60)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("case", integer_table.cases(), ids=str)
def test_integers(case: integer_table.Case, backend: str) -> None:
    found = integer_table.outcome(case, backend)
    if found.startswith("none"):
        pytest.skip(f"the framework has no such op: {found}")
    assert found == "right"
