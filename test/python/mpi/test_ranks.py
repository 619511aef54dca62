"""Programs of several ranks, in threads: the bits and the reports of one process."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from rank_meshes import PROGRAMS, digests, random
from rank_threads import devices, on_ranks

import ttmlir
from ttmlir import _runtime, runtime


def both(
    name: str, size: int, owners: Sequence[int] | None = None
) -> tuple[dict[str, Any], list[Any]]:
    """The digests of one process and those of each rank, on devices that no other program uses:
    the memory in a report includes what other programs keep there. ``owners`` are the ranks of the
    chips."""
    made = [PROGRAMS[name]() for _ in range(size + 1)]
    system = made[0][0].system_desc
    alone = runtime.open_system(system, list(range(system.num_chips)))
    opened = devices(size, system)
    for device in opened if owners else ():
        _runtime.set_chip_owners(device, owners)
    return digests(*made[0], device=alone), on_ranks(
        size, lambda rank: digests(*made[rank], device=opened[rank])
    )


# Calls with an arithmetic of their own wait for each other within a process.
@pytest.mark.parametrize("name", [name for name in PROGRAMS if "exact" not in name])
def test_the_bits_and_the_report_of_one_process(name: str) -> None:
    expected, found = both(name, 4)
    assert found == [expected] * 4


ON_T3000 = [name for name in PROGRAMS if not re.search("exact|galaxy", name)]


@pytest.mark.parametrize("name", ON_T3000)
def test_ranks_that_have_any_chips(name: str) -> None:
    """Neither side by side nor equally many."""
    expected, found = both(name, 3, [2, 0, 1, 0, 0, 2, 1, 0])
    assert found == [expected] * 3


def test_meshes_of_chips_of_one_rank() -> None:
    """A rank runs them alone, and cannot run those of others or of only some ranks."""
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (32, 64)), (None, 1))
    b.output(b.all_reduce(x, cluster_axis=1))
    executables = [ttmlir.compile(b, target="t3000", chip_ids=ids) for ids in ([0, 1], [1, 2])]
    opened = devices(3, executables[0].system_desc)
    for device in opened:
        _runtime.set_chip_owners(device, [0, 0, 1, 1, 2, 2, 2, 2])
    a = random(32, 64)
    np.testing.assert_array_equal(executables[0](a, device=opened[0]), executables[0](a))
    mesh = "expected a mesh of chips of this rank, or of all ranks, found mesh 1x2 of chips of"
    with pytest.raises(ttmlir.Error, match=f"rank 1 of 3: {mesh} rank 0"):
        executables[0](a, device=opened[1])
    with pytest.raises(ttmlir.Error, match=f"rank 0 of 3: {mesh} ranks 0, 1"):
        executables[1](a, device=opened[0])


def test_owners_of_chips() -> None:
    system = runtime.get_default_system_desc("n300")
    device = devices(2, system)[0]
    with pytest.raises(runtime.ArgumentError, match="expected a rank for each of 2 chips, found 3"):
        _runtime.set_chip_owners(device, [0, 1, 1])
    with pytest.raises(runtime.ArgumentError, match="expected ranks below 2, found 2"):
        _runtime.set_chip_owners(device, [0, 2])


def test_tensors_of_the_chips_of_a_rank() -> None:
    system = runtime.get_default_system_desc("n300")
    device = devices(2, system)[1]
    own = runtime.from_array(random(32, 32))
    mesh = _runtime.combine_own_tensors([None, own], [1, 2], device, [0, 1])
    first, second = _runtime.get_own_shards(mesh)
    assert first is None
    np.testing.assert_array_equal(runtime.to_numpy(second), runtime.to_numpy(own))
    assert len(_runtime.get_own_shards(own)) == 1
    for shards, message in (
        ([own, own], "shard 0 of mesh 1x2: expected none, since another rank has the chip"),
        ([None, None], "shard 1 of mesh 1x2: expected a tensor, since this rank has the chip"),
        ([own], "expected 2 shards for mesh 1x2, found 1"),
    ):
        with pytest.raises(runtime.ArgumentError, match=message):
            _runtime.combine_own_tensors(shards, [1, 2], device, [0, 1])


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_shards_that_stay_on_the_chips(backend: Any) -> None:
    """A cache that calls give up and get back, and a result that ranks read together."""

    def compiled() -> ttmlir.Executable:
        b = ttmlir.Builder("step")
        cache = b.input("cache", (2, 8, 64, 32), "bf16", donated=True)
        row, at = b.input("row", (2, 8, 1, 32), "bf16"), b.input("at", (1,), "si32")
        cache = b.update_slice(cache, row, at, dims=[2])
        b.output(b.softmax(b.matmul(row, cache, transpose_b=True), -1), cache)
        return ttmlir.compile(
            b,
            target="t3000",
            backend=backend,
            mesh_shape=(1, 8),
            parallel={"cache": (None, 1), "row": (None, 1)},
            results_on_device=True,
        )

    rows = [random(2, 8, 1, 32, dtype=ml_dtypes.bfloat16) * (i + 1) for i in range(3)]

    def run(exe: ttmlir.Executable, device: runtime.Device | None = None) -> list[Any]:
        cache: Any = np.zeros((2, 8, 64, 32), ml_dtypes.bfloat16)
        found = []
        for i, row in enumerate(rows):
            result, cache = exe(
                cache, row, np.array([i], np.int32), keep_on_device=True, device=device
            )
            found.append(runtime.to_numpy(result))
        found.append(runtime.to_numpy(cache))
        # Shards of other ranks arrive as copies.
        return found + [runtime.to_numpy(shard) for shard in runtime.get_shards(cache)]

    executables = [compiled() for _ in range(4)]
    opened = devices(4, executables[0].system_desc)
    expected = run(compiled())
    for found in on_ranks(4, lambda rank: run(executables[rank], opened[rank])):
        assert not isinstance(found, Exception), found
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_array_equal(x, y)


def test_ranks_that_do_not_divide_the_mesh() -> None:
    exe, arguments = PROGRAMS["ttnn tensor"]()
    opened = devices(3, exe.system_desc)
    for rank, error in enumerate(on_ranks(3, lambda r: exe(*arguments, device=opened[r]))):
        assert isinstance(error, ttmlir.Error)
        assert str(error).endswith(
            f"rank {rank} of 3: expected a mesh of one chip, or of a multiple of 3 chips, found "
            "mesh 1x8 of 8"
        )


def test_a_program_of_one_chip_runs_on_every_rank() -> None:
    b = ttmlir.Builder()
    b.output(b.exp(b.input("x", (32, 32))))
    executables = [ttmlir.compile(b, target="t3000", mesh_shape=(1, 1)) for _ in range(3)]
    opened = devices(3, executables[0].system_desc)
    a = random(32, 32)
    expected = executables[0](a)
    for found in on_ranks(3, lambda rank: executables[rank](a, device=opened[rank])):
        np.testing.assert_array_equal(found, expected)


def test_different_programs() -> None:
    made = [PROGRAMS[name]() for name in ("ttnn tensor", "ttnn data")]
    opened = devices(2, made[0][0].system_desc)
    for error in on_ranks(2, lambda r: made[r][0](*made[r][1], device=opened[r])):
        assert isinstance(error, ttmlir.Error)
        assert re.search(
            r"expected the same program on all ranks, found program 'mlp' of file \w{16} on rank 0 "
            r"and program 'mlp' of file \w{16} on rank 1$",
            str(error),
        )


def test_an_error_of_one_rank_is_one_of_all() -> None:
    b = ttmlir.Builder("rows", mesh_shape=(1, 2))
    indices = b.mesh_shard(b.input("indices", (2, 32), "u32"), (None, 0))
    rows = b.embedding(indices, b.input("table", (8, 64)))
    b.output(b.mesh_gather(b.all_gather(rows, 0, cluster_axis=1), (None, None)))
    executables = [ttmlir.compile(b, target="n300") for _ in range(2)]
    opened = devices(2, executables[0].system_desc)
    table = random(8, 64)

    def run(indices: np.ndarray[Any, Any]) -> list[Any]:
        return on_ranks(2, lambda rank: executables[rank](indices, table, device=opened[rank]))

    wrong = np.zeros((2, 32), np.uint32)
    wrong[1, 7] = 8  # of the chip of rank 1
    with pytest.raises(ttmlir.Error) as error:
        executables[0](wrong, table)
    errors = run(wrong)
    assert str(errors[1]) == str(error.value)
    told = "rows: rank 1 of 2: " + str(error.value).removeprefix("rows: ")
    assert str(errors[0]) == told
    right = np.arange(64, dtype=np.uint32).reshape(2, 32) % 8
    for found in run(right):
        np.testing.assert_array_equal(found, executables[0](right, table))


def test_traces_are_not_captured_on_several_ranks() -> None:
    made = [PROGRAMS["ttnn data"]() for _ in range(2)]
    opened = devices(2, made[0][0].system_desc)
    for rank, error in enumerate(on_ranks(2, lambda r: made[r][0].trace(device=opened[r]))):
        assert f"rank {rank} of 2 cannot capture a trace of mesh 1x8" in str(error)


def test_transports() -> None:
    with pytest.raises(runtime.ArgumentError, match="expected a rank below 2, found 2"):
        _runtime.callback_transport(2, 2, list)
    with pytest.raises(runtime.ArgumentError, match="expected at least one rank"):
        _runtime.local_transports(0)
    assert [t.rank for t in _runtime.local_transports(3)] == [0, 1, 2]
    assert _runtime.gather_texts("a test", "x") == ["x"]
    _runtime.require_same("number", "1")
    _runtime.report_failure("nothing happens in one process")


def test_a_transport_that_fails() -> None:
    def exchange(messages: list[bytes]) -> list[bytes]:
        raise TimeoutError("the other ranks do not answer")

    _runtime.set_transport(_runtime.callback_transport(0, 2, exchange))
    try:
        with pytest.raises(TimeoutError, match="do not answer"):
            _runtime.require_same("number", "1")
        with pytest.raises(runtime.ArgumentError, match="messages between the ranks have ended"):
            _runtime.require_same("number", "1")
    finally:
        _runtime.set_transport(None)
