"""What a kernel does wrong is an exception with a class of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ttmlir import errors, kernel

HEADER = Path(__file__).parents[3] / "runtime" / "include" / "tt" / "runtime" / "fault.h"


def test_a_class_for_each_kind() -> None:
    kinds = re.findall(r"^  X\((\w+),", HEADER.read_text(), re.MULTILINE)
    assert len(kinds) > 20
    for kind in kinds:
        found = getattr(errors, f"{kind}Fault")
        assert issubclass(found, errors.Fault)
        assert found.kind == kind
        assert found.__doc__
    assert issubclass(errors.Fault, errors.Error)
    assert issubclass(errors.Fault, RuntimeError)


def program(body: kernel.Kernel) -> kernel.Program:
    built = kernel.Program("wrong", cores=(1, 2))
    y = built.output("y", (1, 32), "i32", layout="row_major")
    row = built.circular_buffer("in0", "i32", pages=1, page_size=128)
    built.add(body, y, row)
    return built


def test_a_deadlock_is_data() -> None:
    @kernel.data_movement(noc=0)
    def waits(y: kernel.Tensor, row: kernel.CircularBuffer) -> None:
        kernel.cb_wait_front(row, 1)

    with pytest.raises(errors.DeadlockFault, match="waits") as caught:
        program(waits).run()
    waiters = caught.value.waiters
    assert [w.core for w in waiters] == [(0, 0), (0, 1)]
    assert all(w.thread == "noc0" and "cb_wait_front" in w.instruction for w in waiters)
    assert all(Path(__file__).name in w.location for w in waiters)
    assert waiters[0].waits_for
