"""``mpirun python -m ttmlir.mpi``: results, and everything that can go wrong with a rank."""

from __future__ import annotations

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

pytestmark = pytest.mark.skipif(MPIRUN is None, reason="needs mpirun")
assert mpi4py

# A program that goes on until something ends it; `act` happens on a rank after some calls.
ENDLESS = """
import os, signal, sys, time
import numpy as np
import ttmlir
from ttmlir import mpi

def act(kind):
    if kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "kill parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if kind == "raise":
        raise ValueError("no luck")
    if kind == "status":
        sys.exit(3)

b = ttmlir.Builder("endless", mesh_shape=(1, 8))
x = b.mesh_shard(b.input("x", (32, 512)), (None, 1))
b.output(b.all_reduce(b.exp(x), cluster_axis=1))
exe = ttmlir.compile(b, target="t3000")
begin = time.monotonic()
for turn in range(10**9):
    exe(np.ones((32, 512), np.float32))
    if turn == 3 and mpi.rank() == 2:
        if sys.argv[1] == "leave":
            break
        act(sys.argv[1])
    assert time.monotonic() - begin < 60
"""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS, "utf-8")
    return script


def test_the_bits_and_the_reports_of_one_process() -> None:
    script = HERE / "rank_meshes.py"
    one = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    expected: dict[str, Any] = json.loads(one.stdout)
    for backend in ("ttnn", "ttmetal"):
        assert len([name for name in expected if name.startswith(backend)]) == 10
    done = mpirun("-n", "8", "ttmlir", script)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("kill", r"rank 2 of 4: its process \d+ was killed by SIGKILL; all ranks end"),
        ("kill parent", "rank 2 of 4: the process that mpirun started was killed"),
        ("raise", r"ValueError: no luck\nttmlir.mpi: rank 2 of 4 has failed, see above"),
        ("status", r"the script ended with status 3\nttmlir.mpi: rank 2 of 4 has failed"),
        (
            "leave",
            r"expected all ranks to run the same script, found rank 0 at the comparison of the "
            r"program \(exchange \d+\) and rank 2 at the end of the script",
        ),
    ],
)
def test_a_rank_that_ends(endless: Path, kind: str, message: str) -> None:
    begin = time.monotonic()
    done = mpirun("-n", "4", "ttmlir", endless, kind)
    assert time.monotonic() - begin < 10
    assert done.returncode == 1
    assert re.search(message, done.stderr), done.stderr
    # One message, and nothing is left.
    assert len(re.findall(r"^(?:ttmlir|\w+Error|endless)\b.*", done.stderr, re.MULTILINE)) <= 2
    assert not processes_of(endless)


def test_a_rank_that_never_starts(endless: Path) -> None:
    ranks = ("-n", "3", "ttmlir", "--start-timeout", "1.5", endless, "no")
    done = mpirun(*ranks, ":", "-n", "1", "sleep", "30")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "ttmlir.mpi: rank 0 of 4: the ranks have not all started within 1.5 s; not on this host: "
        "rank 3"
    )


def test_ranks_that_do_not_divide_the_mesh(endless: Path) -> None:
    done = mpirun("-n", "3", "ttmlir", endless, "no")
    assert done.returncode == 1
    message = "expected a mesh of one chip, or of a multiple of 3 chips, found mesh 1x8 of 8"
    assert re.search(rf"rank \d of 3: {message}\nttmlir.mpi: rank \d of 3 has failed", done.stderr)
    assert done.stderr.count(message) == 1


def test_ranks_with_different_programs() -> None:
    first = ("-n", "1", "ttmlir", HERE / "rank_meshes.py", "ttnn tensor")
    done = mpirun(*first, ":", "-n", "1", "ttmlir", HERE / "rank_meshes.py", "ttnn data")
    assert done.returncode == 1
    assert re.search(
        r"expected the same program on all ranks, found program 'mlp' of file \w{16} on rank 0 and "
        r"program 'mlp' of file \w{16} on rank 1",
        done.stderr,
    )


def test_ranks_with_different_versions(endless: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    # Runs when the interpreter starts.
    (other / "sitecustomize.py").write_text(
        "import ttmlir._version\nttmlir._version.__version__ = '9.9'\n", "utf-8"
    )
    first = ("-n", "1", "ttmlir", endless, "no")
    done = mpirun(*first, ":", "-n", "1", "env", f"PYTHONPATH={other}", "ttmlir", endless, "no")
    assert done.returncode == 1
    message = (
        r"expected the same version of ttmlir on all ranks, found \S+ .* on rank 0 and 9\.9 .*"
    )
    assert re.search(f"{message} on rank 1", done.stderr), done.stderr
    assert not processes_of(endless)


# A product of 6 rows on the eight chips of a t3000.
BAD = """
import sys
import numpy as np
import ttmlir

b = ttmlir.Builder("bad")
b.output(b.matmul(b.input("x", (6, 256)), b.input("w", (256, 256))))
exe = ttmlir.compile(b, target="t3000", parameters=["w"], **eval(sys.argv[1]))
exe(np.ones((6, 256), np.float32), np.ones((256, 256), np.float32))
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"parallel": "data"},
            r"'data': 8 chips do not divide dimension 0 of the input 'tensor<6x256xf32>'",
        ),
        (
            {"parallel": {"x": (None, 0)}, "mesh_shape": (1, 8)},
            "'x': 8 chips along axis 1 of the mesh 1x8 do not divide dimension 0 of 'x', 6x256",
        ),
        (
            {"parallel": {"x": (None, 2)}, "mesh_shape": (1, 8)},
            "'x': expected a dimension of 'x', 6x256, below 2, or None, for axis 1 of the mesh "
            "1x8, found 2",
        ),
        (
            {"parallel": {"x": (None, None, 0)}, "mesh_shape": (1, 8)},
            "'x': expected an entry for each axis of the mesh 1x8, found 3",
        ),
        ({"parallel": {"tensor": 32}}, "32 chips in the mesh 1x32, the target has 8"),
        (
            {"parallel": "tensor", "mesh_shape": (4, 8)},
            "expected a mesh of at most 8 chips, the chips of the system, found 4x8",
        ),
    ],
)
def test_divisions_that_do_not_fit(keywords: dict[str, Any], message: str, tmp_path: Path) -> None:
    script = tmp_path / "bad.py"
    script.write_text(BAD, "utf-8")
    begin = time.monotonic()
    done = mpirun("-n", "4", "ttmlir", script, repr(keywords))
    assert time.monotonic() - begin < 10
    assert done.returncode == 1
    assert done.stderr.count(message) == 1, done.stderr
    assert re.search(r"^ttmlir.mpi: rank \d of 4 has failed", done.stderr, re.MULTILINE)
    assert not processes_of(script)


def test_output_and_files(tmp_path: Path) -> None:
    """Rank 0 prints, or all do; each rank writes whole files, which are the same."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, ttmlir\n"
        "from pathlib import Path\n"
        "from ttmlir import mpi\n"
        "print(f'rank {mpi.rank()} of {mpi.size()}', sys.argv[1:])\n"
        "b = ttmlir.Builder(mesh_shape=(1, 2))\n"
        "x = b.mesh_shard(b.input('x', (32, 64)), (None, 1))\n"
        "b.output(b.mesh_gather(b.all_gather(x, 1, cluster_axis=1), (None, None)))\n"
        "report = ttmlir.compile(b, target='n300').report(trace=True)\n"
        "folder = Path(sys.argv[1])\n"
        "report.save(folder / 'report.html')\n"
        "report.save_trace(folder / 'trace.json')\n"
        "report.save_trace(folder / f'trace{mpi.rank()}.json')\n"
        "sys.exit(0)\n",
        "utf-8",
    )
    done = mpirun("-n", "2", "ttmlir", script, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"rank 0 of 2 ['{tmp_path}']\n"
    traces = [(tmp_path / f"trace{name}.json").read_bytes() for name in ("", "0", "1")]
    assert traces == [traces[0]] * 3
    json.loads(traces[0])
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "report.html",
        "script.py",
        "trace.json",
        "trace0.json",
        "trace1.json",
    ]
    done = mpirun("-n", "2", "ttmlir", "--all-output", script, tmp_path)
    assert sorted(re.findall(r"rank \d of 2", done.stdout)) == ["rank 0 of 2", "rank 1 of 2"]


def test_without_mpirun(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from ttmlir import mpi\nprint(mpi.rank(), mpi.size())\n", "utf-8")
    command = [sys.executable, "-m", "ttmlir.mpi", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "0 1\n"), done.stderr
    done = subprocess.run([*command[:-1], "no.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "FileNotFoundError: [Errno 2] No such file or directory" in done.stderr


def test_kernels_that_send_to_chips_of_other_ranks() -> None:
    script = HERE / "rank_kernels.py"
    one = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert one.stdout.startswith("device 0 (0, 0) noc0: chip 0\ndevice 1 (0, 0) noc0: chip 1\n")
    two = mpirun("-n", "2", "ttmlir", script)
    assert (two.returncode, two.stdout) == (0, one.stdout), two.stderr


def test_a_fault_on_a_chip_of_one_rank() -> None:
    done = mpirun("-n", "2", "ttmlir", HERE / "rank_kernels.py", "fault")
    assert done.returncode == 1
    assert "device 1 (chip 1)" in done.stderr
    assert done.stderr.strip().endswith(
        "ttmlir.mpi: rank 1 of 2 has failed, see above; all ranks end"
    )
