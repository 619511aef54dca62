"""Idioms of public kernels that are right on the chip: no faults, at most notes. And checks that
are chosen by kind, for a run or by a comment of the kernel."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pytest

from ttmlir import InputError, errors, kernel

HEADER = '#include "api/dataflow/dataflow_api.h"\n'
TENSORS = """
  const auto x = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  const auto y = TensorAccessor(TensorAccessorArgs<1>(), get_arg_val<uint32_t>(1));
"""
COPY = """
  const uint32_t l1 = get_write_ptr(0);
  noc_async_read_page(0, x, l1);
  noc_async_read_barrier();
  noc_async_write_page(0, y, l1);
  noc_async_write_barrier();
"""
USUAL = {"transfers", "buffers", "memory", "races", "init"}


def run(
    body: str, *, checks: bool | Collection[str] = True, comment: str = ""
) -> tuple[kernel.Program, Any]:
    """Runs a kernel that copies the page of x to y."""
    program = kernel.Program("idiom")
    x, y = program.input("x", (32, 32)), program.output("y", (32, 32))
    program.circular_buffer("in0", pages=2)
    program.semaphore(0)
    text = f"{HEADER}{comment}\nvoid kernel_main() {{{TENSORS}{body}}}\n"
    own = kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[x, y], name="own")
    program.add(own, x, y)
    numbers = np.arange(1024).reshape(32, 32).astype("bfloat16")
    result = program.run(checks=checks, x=numbers)
    assert (result["y"] == numbers).all()
    return program, result


def test_a_buffer_as_scratch() -> None:
    """No kernel passes pages through it."""
    _, result = run(COPY)
    assert result.notes == ()
    assert result.checked == USUAL


def test_pages_left_reserved() -> None:
    body = f"cb_reserve_back(0, 1);{COPY}"
    _, result = run(body)
    (note,) = result.notes
    assert note == (
        "kernel 'own' on noc0 ends with 1 pages of circular buffer 0 reserved and not pushed, on "
        "core (0, 0)"
    )
    with pytest.raises(errors.BufferDirtyFault, match="reserved and not pushed; expected cb_push"):
        run(body, checks=[*USUAL, "leftovers"])


def test_pages_left_unpopped() -> None:
    body = f"cb_reserve_back(0, 1); {COPY} cb_push_back(0, 1); cb_wait_front(0, 1);"
    _, result = run(body)
    assert "1 pages of circular buffer 0 waited for and not popped" in result.notes[0]
    assert run(body, checks=False)[1].notes == ()


def test_semaphores_by_pointer() -> None:
    body = """
      auto *flag = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));
      *flag = VALID;
      noc_semaphore_wait(flag, VALID);
      *flag = INVALID;
      ASSERT(*flag == INVALID);
    """
    run(body + COPY)
    # What is no semaphore is none.
    with pytest.raises(errors.OutOfBoundsFault, match="below its first free byte"):
        run(body.replace("*flag = VALID", "flag[1] = VALID") + COPY)


UNRESERVED = (
    f"{COPY} cb_reserve_back(0, 1); cb_push_back(0, 1); cb_wait_front(0, 1); cb_pop_front(0, 1);"
)
# The end of the transfer is not waited for.
PENDING = COPY.replace("noc_async_write_barrier", "noc_async_writes_flushed")


@pytest.mark.parametrize(
    ("kind", "fault", "body"),
    [
        ("buffers", errors.PageNotReservedFault, UNRESERVED),
        ("transfers", errors.OutstandingTransferFault, PENDING),
    ],
)
def test_checks_by_kind(kind: str, fault: type[errors.Fault], body: str) -> None:
    with pytest.raises(fault):
        run(body)
    with pytest.raises(fault):
        run(body, checks={kind})
    _, result = run(body, checks=USUAL - {kind})
    assert result.checked == USUAL - {kind}
    run(body, comment=f"// ttmlir: no {kind}")
    run(body, comment="// ttmlir: no checks")
    with pytest.raises(fault):
        run(body, comment="// ttmlir: no races, no init")


def test_uninitialized_memory() -> None:
    # Earlier programs may have left any number there.
    word = "*reinterpret_cast<volatile tt_l1_ptr uint32_t *>(200000)"
    body = f"[[maybe_unused]] const uint32_t word = {word};{COPY}"
    with pytest.raises(errors.UninitializedReadFault):
        run(body)
    run(body, comment="// ttmlir: no memory")


def test_unknown_kinds() -> None:
    with pytest.raises(InputError, match=r"checks: expected checks of transfers, .* found 'race'"):
        run(COPY, checks={"race"})
    with pytest.raises(kernel.BuildError, match=r"own.cpp:2: expected checks of .*found 'race'"):
        run(COPY, comment="// ttmlir: no race")
    with pytest.raises(kernel.BuildError, match="expected 'no' and a kind of checks"):
        run(COPY, comment="// ttmlir: races")
