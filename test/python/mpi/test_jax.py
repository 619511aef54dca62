"""The ranks as processes of ``jax.distributed``: results and costs, and what can go wrong."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mpi4py
import pytest
from rank_processes import MPIRUN, mpirun, processes_of

HERE = Path(__file__).parent
PROGRAMS = HERE / "jax_programs.py"
MISTAKES = HERE / "jax_mistakes.py"

pytest.importorskip("jax")
pytest.importorskip("ttmlir._pjrt")
pytestmark = pytest.mark.skipif(MPIRUN is None, reason="needs mpirun")
assert mpi4py


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one process finds."""
    done = mpirun("-n", "1", "ttmlir", PROGRAMS, TTMLIR_TARGET="t3000", timeout=300)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("size", [2, 4])
def test_the_bits_and_the_cycles_of_one_process(expected: dict[str, Any], size: int) -> None:
    done = mpirun("-n", str(size), "ttmlir", PROGRAMS, TTMLIR_TARGET="t3000", timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected
    assert len(expected) >= 10


def test_the_chips_as_default_devices(expected: dict[str, Any]) -> None:
    """Then JAX also sends what processes tell each other by programs on the chips."""
    names = ("tensor_parallel_product", "process_local_data")
    variables = {"TTMLIR_TARGET": "t3000", "JAX_PLATFORMS": "tt,cpu"}
    done = mpirun("-n", "2", "ttmlir", PROGRAMS, *names, timeout=300, **variables)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: expected[name] for name in names}


DEVICES = """
import jax, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
own, chips = jax.local_devices(backend="tt"), jax.devices("tt")
rank, each = jax.process_index(), len(chips) // jax.process_count()
assert [chip.id for chip in chips] == list(range(8))
assert [chip.process_index for chip in chips] == [chip.id // each for chip in chips]
assert own == chips[rank * each : (rank + 1) * each]
assert [chip.local_hardware_id for chip in own] == list(range(each))

# Programs of one process do not wait for others.
x = jax.device_put(np.ones((32, 32), np.float32), own[-1])
for _ in range(2 * rank):
    x = jax.jit(lambda x: x + x)(x)
assert float(x[0, 0]) == 4**rank
assert own[-1].memory_stats()["bytes_in_use"] > 0
if rank == 1:
    mesh = jax.make_mesh((each,), ("x",), devices=own, axis_types=(AxisType.Auto,))
    rows = np.arange(32 * 8, dtype=np.float32).reshape(8, 32)
    y = jax.device_put(rows, NamedSharding(mesh, P("x")))
    assert float(jax.jit(lambda y: y.sum())(y)) == rows.sum()

# A global array is on its processes, each of which reads its own shards.
mesh = jax.make_mesh((8,), ("x",), devices=chips, axis_types=(AxisType.Auto,))
rows = np.random.default_rng(0).normal(0, 1, (64, 32)).astype(np.float32)
z = jax.device_put(rows, NamedSharding(mesh, P("x")))
assert not z.is_fully_addressable
assert [shard.device for shard in z.addressable_shards] == own
for shard in z.addressable_shards:
    np.testing.assert_array_equal(shard.data, rows[shard.index])
try:
    np.asarray(z)
except RuntimeError as error:
    assert "non-addressable" in str(error)
else:
    raise AssertionError("read shards of other processes")

# pmap takes the rows of a process, and adds up those of all.
total = jax.pmap(lambda x: jax.lax.psum(x, "i"), "i", devices=chips)
sums = total(np.full((each, 4), rank + 1, np.float32))
for shard in sums.addressable_shards:
    np.testing.assert_array_equal(shard.data, np.full((1, 4), each * 10))

gathered = multihost_utils.process_allgather(np.float32(rank + 0.1))
np.testing.assert_array_equal(gathered, np.arange(jax.process_count(), dtype=np.float32) + 0.1)
assert multihost_utils.broadcast_one_to_all(np.float32(rank + 0.3)) == np.float32(0.3)
multihost_utils.sync_global_devices("the end")
print("done")
"""


@pytest.mark.parametrize("platforms", ["", "tt,cpu"])
def test_devices_and_arrays(tmp_path: Path, platforms: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(DEVICES, "utf-8")
    variables = {"TTMLIR_TARGET": "t3000", "JAX_PLATFORMS": platforms}
    done = mpirun("-n", "4", "ttmlir", "--all-output", script, timeout=120, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("done") == 4


def test_all_chips_without_initialization(tmp_path: Path) -> None:
    """Then every rank has all chips, as without MPI."""
    script = tmp_path / "script.py"
    script.write_text(
        "import jax, numpy as np\n"
        "from jax.sharding import AxisType, NamedSharding, PartitionSpec as P\n"
        "chips = jax.devices('tt')\n"
        "assert jax.local_devices(backend='tt') == chips\n"
        "mesh = jax.make_mesh((2,), ('x',), devices=chips, axis_types=(AxisType.Auto,))\n"
        "x = jax.device_put(np.ones((32, 64), np.float32), NamedSharding(mesh, P('x')))\n"
        "print(jax.process_count(), len(chips), float(jax.jit(lambda x: x.sum())(x)))\n",
        "utf-8",
    )
    done = mpirun("-n", "2", "ttmlir", "--all-output", script, TTMLIR_TARGET="n300")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "2", "2048.0"] * 2


SAME = "expected all ranks to run the same script, found rank"
MESSAGES = {
    "other program": (
        r"expected the same program on all ranks, found program 'jit__lambda' of file \w{16} on "
        r"rank 0 and program 'jit__lambda' of file \w{16} on rank 1"
    ),
    "raise": r"ValueError: no luck\nttmlir.mpi: rank 1 of 2 has failed, see above",
    "kill": r"rank 1 of 2: its process \d+ was killed by SIGKILL; all ranks end",
    "end": rf"{SAME} 0 at the comparison of the program \(exchange \d+\) and rank 1 at the end of",
    "number of processes": (
        "ValueError: rank 0 of 2: jax.distributed.initialize: expected num_processes 2, which is "
        "the number of ranks, or no num_processes, found 3"
    ),
    "number of a process": (
        "rank 1 of 2: jax.distributed.initialize: expected process_id 1, which is the rank, or no "
        "process_id, found 0"
    ),
    "addresses": (
        "expected the same coordinator_address of jax.distributed on all ranks, found "
        "127.0.0.1:43210 on rank 0 and 127.0.0.1:43211 on rank 1"
    ),
    "no initialization": (
        rf"{SAME} 0 at the comparison of the coordinator_address of jax.distributed "
        r"\(exchange 2\) and rank 1 at the end of the script"
    ),
    "error before the devices": r"ValueError: no luck\nttmlir.mpi: rank 1 of 2 has failed",
    "end before the devices": rf"{SAME} 0 at the comparison of the program .* and rank 1 at",
    "other system": (
        r"expected the same system of the JAX devices on all ranks, found 't3000' \(\w{16}\) on "
        r"rank 0 and 'galaxy' \(\w{16}\) on rank 1"
    ),
    # The one of rank 1, which the other got from it.
    "failed argument": (
        r"element .* is 1099511627776, expected -2147483648 to 2147483647: the device computes in "
        r"32 bits\nttmlir.mpi: rank 1 of 2 has failed"
    ),
}


@pytest.mark.parametrize("kind", MESSAGES)
def test_mistakes(kind: str, tmp_path: Path) -> None:
    check_mistake(kind, 2, MESSAGES[kind], tmp_path)


def test_chips_that_the_processes_do_not_divide(tmp_path: Path) -> None:
    message = (
        r"process 0 of 3: expected a system whose chips the processes divide, found one of 8 chips"
    )
    check_mistake("chips that are not divided", 3, message, tmp_path)


def test_programs_of_some_processes(tmp_path: Path) -> None:
    message = (
        r"expected devices of process \d, which compiles the program, or of all 4 processes, found "
        r"devices of processes 0, 1"
    )
    check_mistake("chips of some processes", 4, message, tmp_path)


def check_mistake(kind: str, size: int, message: str, folder: Path) -> None:
    """All ranks end with one message, in 10 s."""
    at = folder / "time"
    ranks = ("-n", str(size), "ttmlir", MISTAKES, kind, at)
    done = mpirun(*ranks, TTMLIR_TARGET="t3000", JAX_TRACEBACK_FILTERING="off")
    assert time.time() - float(at.read_text("utf-8")) < 10
    assert done.returncode == 1
    assert re.search(message, done.stderr), done.stderr
    assert len(re.findall("^ttmlir.mpi: ", done.stderr, re.MULTILINE)) == 1, done.stderr
    assert not processes_of(at)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_error_that_scripts_catch(tmp_path: Path, unbuffered: str) -> None:
    """All ranks get it, and they can go on; what they print stays apart, line by line."""
    ranks = ("-n", "2", "ttmlir", "--all-output", MISTAKES, "large integer", tmp_path / "time")
    done = mpirun(*ranks, TTMLIR_TARGET="t3000", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 0, done.stderr
    caught = re.findall("caught .*1099511627776, expected -2147483648 to", done.stdout)
    assert len(caught) == 4, done.stdout
    assert len([line for line in caught if "rank 1 of 2: " in line]) == 2
    assert done.stdout.count("then -63.0") == 2


def test_processes_without_ranks() -> None:
    """Two processes of JAX that mpirun has not started."""
    program = (
        "import sys, jax\n"
        "jax.distributed.initialize('127.0.0.1:43218', 2, int(sys.argv[1]))\n"
        "print(len(jax.devices('cpu')))\n"
        "jax.devices('tt')\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(i)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for i in range(2)
    ]
    for i, process in enumerate(processes):
        out, error = process.communicate(timeout=60)
        assert process.returncode == 1
        assert out == "2\n"
        assert (
            f"process {i} of 2 of jax.distributed is rank 0 of 1 of ttmlir.mpi: run mpirun -n 2 "
            "python -m ttmlir.mpi script.py, and call jax.distributed.initialize() without arg"
        ) in error


def test_scripts_without_jax_do_not_import_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys, ttmlir\nprint('jax' in sys.modules)\n", "utf-8")
    done = mpirun("-n", "1", "ttmlir", script)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr
    assert importlib.util.find_spec("jax")
