"""A sample of TOSA's conformance tests, which test/tosa/conformance.py took from generated ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tosa_compliance import Array, complies

import ttmlir
from ttmlir.errors import Error

SAMPLE = np.load(Path(__file__).parent / "tosa_sample.npz")
TESTS: list[dict[str, Any]] = json.loads(SAMPLE["tests"].tobytes())


def host(key: str) -> Array:
    """An array of a test; bf16 is stored as plain bytes of two."""
    array = SAMPLE[key]
    return array.view(ml_dtypes.bfloat16) if array.dtype == np.dtype("V2") else array


@pytest.mark.parametrize("number", range(len(TESTS)), ids=[test["name"] for test in TESTS])
def test_sample(number: int) -> None:
    test = TESTS[number]
    if test["negative"]:
        with pytest.raises(Error) as refused:
            ttmlir.compile(test["text"])
        assert test["op"].replace("_", "") in str(refused.value).lower().replace("_", "")
        return
    inputs = [host(f"{number}.input.{i}") for i in range(test["inputs"])]
    results = ttmlir.compile(test["text"])(*inputs)
    results = results if isinstance(results, list | tuple) else [results]
    for i, (result, mode) in enumerate(zip(results, test["modes"], strict=True)):
        bound = f"{number}.bound.{i}"
        assert complies(
            np.asarray(result),
            SAMPLE[f"{number}.reference.{i}"],
            SAMPLE.get(bound),
            mode,
        )
