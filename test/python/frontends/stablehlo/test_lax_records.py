"""The table of elementwise ops and reductions that JAX tests its own lax with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("absl")

from harnesses import compare
from jax import lax
from jax._src.internal_test_util import lax_test_util
from ways import Way, both

SHAPE = (3, 20)
DTYPES = ("float32", "bfloat16", "float16", "int32", "int8", "uint32", "uint8", "bool")


def _cases() -> Iterator[Any]:
    for record in lax_test_util.lax_ops():
        if not hasattr(lax, record.op) or record.op in ("complex", "conj", "imag", "real"):
            continue
        for dtype in record.dtypes:
            name = np.dtype(dtype).name
            if name in DTYPES:
                yield pytest.param(record, dtype, id=f"{record.op}-{name}")


@pytest.mark.sampled(50)
@pytest.mark.parametrize(("way", "record", "dtype"), both(_cases()))
def test_op(way: Way, record: Any, dtype: Any) -> None:
    draw = record.rng_factory(np.random.RandomState(0))
    args = [draw(SHAPE, dtype) for _ in range(record.nargs)]
    outcome, reason = compare(getattr(lax, record.op), args, way)
    assert outcome in ("passed", "skipped"), reason


def _reductions() -> Iterator[Any]:
    for record in lax_test_util.lax_reduce_ops():
        for dtype in ("float32", "bfloat16", "int32", "uint8"):
            if np.dtype(dtype) in [np.dtype(d) for d in record.dtypes]:
                yield pytest.param(record, dtype, id=f"{record.op.__name__}-{dtype}")


@pytest.mark.parametrize(("way", "record", "dtype"), both(_reductions(), 10))
def test_reduction(way: Way, record: Any, dtype: str) -> None:
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((4, 6, 20)) * 3).astype(dtype)
    start = np.asarray(record.init_val).astype(dtype)
    outcome, reason = compare(lambda x: lax.reduce(x, start, record.op, (0, 2)), [x], way)
    assert outcome == "passed", reason
