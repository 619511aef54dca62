"""The served page over HTTP: tries, what is wrong with them, and two people at it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explorer.page_client import Client

import ttmlir

SETTINGS = {"grow": {"grid": "1x1", "memory": "l1", "sharding": "block_sharded", "dtype": "f32"}}


@pytest.fixture(scope="module")
def page(program: ttmlir.Builder) -> Iterator[Client]:
    with ttmlir.explorer.serve(program) as server:
        client = Client(server.url)
        client.settled()
        yield client


def serve_text(tmp_path: Path, text: str, **options: Any) -> Any:
    path = tmp_path / "model.mlir"
    path.write_text(text)
    return ttmlir.explorer.serve(path, **options)


def relu(name: str, shape: str = "32x32") -> str:
    b = ttmlir.Builder()
    extents = tuple(map(int, shape.split("x")))
    b.output(b.relu(b.input("x", extents, "bf16"), name=name))
    return str(b.module.operation.get_asm(enable_debug_info=True))


def test_the_program(page: Client) -> None:
    _, program = page.get("api/program")
    [graph] = program["graphs"]
    choosable = [n["name"] for n in graph["nodes"] if n["choosable"]]
    assert choosable == program["ops"]
    assert {"layer/product", "layer/clip", "grow"} < set(choosable)
    assert not any(n["op"] == "tensor.empty" for n in graph["nodes"])
    assert program["settings"]["memory"] == ["dram", "l1"]


def test_old_and_new(page: Client, program: ttmlir.Builder) -> None:
    """The choice of the compiler, and one of ours: what the compiler says of both."""
    _, old = page.get("api/result?id=0")
    assert old["result"]["cycles"] == ttmlir.compile(program).report().cycles
    # All bits of the operands, and sums in f32.
    found = page.attempt(
        overrides=SETTINGS | {"layer/product": {"fidelity": "hifi4", "fp32_dest_acc_en": "true"}},
        each_op=True,
    )
    assert found["status"] == "done", found["message"]
    _, new = page.get(f"api/result?id={found['id']}")
    assert new["result"]["layouts"]["grow"] == "1x1:l1:block_sharded:tile:f32"
    exe = ttmlir.compile(
        program,
        override_output_layout={"grow": "1x1:l1:block_sharded:tile:f32"},
        override_compute_config={"layer/product": "hifi4:fp32_dest_acc_en"},
    )
    assert new["result"]["cycles"] == exe.report().cycles != old["result"]["cycles"]
    errors = new["result"]["accuracy"]
    assert errors["outputs"][0]["correlation"] > 0.999
    assert set(errors["each_op"]) == set(page.get("api/program")[1]["ops"])
    # bf16 rounds the product; relu of it rounds nothing more.
    assert 0 < errors["each_op"]["layer/product"]["max_error"] < 0.01 * 80
    for part in old["result"]["parts"].values():
        assert set(part) == {
            *("compute", "noc", "dram", "ethernet", "host", "dispatch", "waiting"),
        }


def test_fidelity_is_time_and_accuracy(page: Client) -> None:
    """With the bits of every phase of the multiplier, fewer phases are less time and more error."""
    tries = {
        fidelity: page.attempt(overrides={"layer/product": {"fidelity": fidelity}})
        for fidelity in ("lofi", "hifi4")
    }
    low, high = tries["lofi"], tries["hifi4"]
    assert low["cycles"] <= high["cycles"]
    assert low["outputs"][0]["max_error"] > high["outputs"][0]["max_error"]
    _, texts = page.get(f"api/export?id={low['id']}")
    assert texts["text"] == "optimization-level=1 override-compute-config=layer/product=lofi"


def test_what_is_exported_compiles(page: Client, tmp_path: Path) -> None:
    found = page.attempt(overrides=SETTINGS, options={"sharding_pass_enabled": "true"})
    _, texts = page.get(f"api/export?id={found['id']}")
    (tmp_path / "named.mlir").write_text(texts["mlir"])
    option = f"--ttir-to-ttnn-backend-pipeline={texts['text']}"
    command = [sys.executable, "-c", "from ttmlir._tools import opt; opt()", option, "named.mlir"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "memref<8x8x!tt.tile<32x32, f32>, #l1" in done.stdout
    call = texts["python"].replace("'named.mlir'", repr(str(tmp_path / "named.mlir")))
    exe = eval(call, {"ttmlir": ttmlir})
    _, new = page.get(f"api/result?id={found['id']}")
    assert exe.report().cycles == new["result"]["cycles"]


def test_back_to_a_try(page: Client) -> None:
    version = page.state()["version"]
    assert page.post("api/select", version=version, id=0) == (200, {"id": 0})
    assert page.state()["current"] == 0
    status, answer = page.post("api/select", version=version + 1, id=12345)
    assert (status, answer["error"]) == (400, "there is no try 12345")


def test_two_people(page: Client) -> None:
    version = page.state()["version"]
    assert page.post("api/try", version=version, overrides={})[0] == 200
    status, answer = page.post("api/try", version=version, overrides=SETTINGS)
    assert status == 409
    assert "another user changed the page" in answer["error"]
    page.settled()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"overrides": {"grwo": {}}},
            "no op has the name 'grwo'; did you mean 'grow'?",
        ),
        ({"overrides": {"grow": {"grid": "1"}}}, "grow: grid: expected such as 8x8, found '1'"),
        ({"overrides": {"grow": {"gird": "1x1"}}}, "no setting 'gird'; did you mean 'grid'?"),
        ({"overrides": {"grow": {"memory": "l2"}}}, "memory: expected dram, l1, found 'l2'"),
        ({"overrides": {"grow": []}}, "grow: expected an object of settings, found []"),
        ({"overrides": []}, "expected an object by the names of ops, found []"),
        ({"options": {"grid": "8x8"}}, "options: there is no setting 'grid'"),
        ({"numerics": "slow"}, "numerics: expected one of fast, exact, found 'slow'"),
        ({"each_op": 1}, "each_op: expected true or false, found 1"),
    ],
)
def test_wrong_choices(page: Client, body: dict[str, Any], message: str) -> None:
    status, answer = page.post("api/try", version=page.state()["version"], **body)
    assert status == 400
    assert message in answer["error"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"grid": "100x100", "memory": "l1"}, "expected one inside #tt.grid<8x8>"),
        ({"memory": "dram", "sharding": "block_sharded"}, "expected memory space l1"),
    ],
)
def test_what_does_not_compile(page: Client, settings: dict[str, str], message: str) -> None:
    found = page.attempt(overrides={"grow": settings})
    assert found["status"] == "failed"
    assert message in found["message"]
    assert page.attempt()["status"] == "done"


def test_what_does_not_fit_l1(tmp_path: Path) -> None:
    with serve_text(tmp_path, relu("clip", "2048x2048")) as server:
        client = Client(server.url)
        settings = {"grid": "1x1", "memory": "l1", "sharding": "block_sharded"}
        found = client.attempt(overrides={"clip": settings})
        assert found["status"] == "failed"
        assert "L1" in found["message"]
        assert "8388608" in found["message"]


def test_a_program_that_does_not_compile(tmp_path: Path) -> None:
    """Once it does, reading it again is enough."""
    with serve_text(tmp_path, "func.func @f( {") as server:
        client = Client(server.url)
        state = client.settled()
        assert "model.mlir:1:14: error: " in state["error"]
        assert state["tries"][0]["status"] == "failed"
        assert client.get("api/program")[0] == 400
        (tmp_path / "model.mlir").write_text(relu("clip"))
        client.post("api/reload", version=state["version"])
        state = client.until(lambda s: s["tries"][-1]["status"] == "done")
        assert state["error"] == ""


def test_a_renamed_op(tmp_path: Path) -> None:
    with serve_text(tmp_path, relu("clip")) as server:
        client = Client(server.url)
        assert client.attempt(overrides={"clip": {"grid": "1x1"}})["status"] == "done"
        (tmp_path / "model.mlir").write_text(relu("clips"))
        client.post("api/reload", version=client.state()["version"])
        state = client.until(lambda s: len(s["tries"]) == 3 and s["tries"][2]["status"] == "done")
        body = {"overrides": state["tries"][1]["overrides"], "version": state["version"]}
        status, answer = client.post("api/try", **body)
        assert status == 400
        assert answer["error"] == "no op has the name 'clip'; did you mean 'clips'?"
        # A file that is gone changes nothing.
        (tmp_path / "model.mlir").unlink()
        client.post("api/reload", version=client.state()["version"])
        state = client.until(lambda s: s["error"])
        assert "cannot be read" in state["error"]
        assert client.attempt()["status"] == "done"


def test_ops_without_names_get_some(tmp_path: Path) -> None:
    text = """
    func.func @f(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %0 = tosa.exp %a : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %1 = tosa.exp %0 : (tensor<32x32xf32>) -> tensor<32x32xf32>
      return %1 : tensor<32x32xf32>
    }"""
    with serve_text(tmp_path, text) as server:
        client = Client(server.url)
        found = client.attempt(overrides={"exp_2": {"grid": "1x1"}})
        assert found["status"] == "done"
        _, program = client.get("api/program")
        assert program["ops"] == ["exp_1", "exp_2"]
        assert [n["source"].rpartition("/")[2] for n in program["graphs"][0]["nodes"][1:3]] == [
            "model.mlir:3:12",
            "model.mlir:4:12",
        ]
        _, texts = client.get(f"api/export?id={found['id']}")
        assert 'loc("exp_2"' in texts["mlir"]


def test_names_that_are_not_unique_or_do_not_fit(tmp_path: Path) -> None:
    b = ttmlir.Builder()
    x = b.input("x", (32, 32))
    for name in ("twice", "a=b, {c}", "twice_1", "twice"):
        x = b.exp(x, name=name)
    b.output(x)
    with ttmlir.explorer.serve(b) as server:
        client = Client(server.url)
        settings = {"twice_3": {"grid": "1x1"}, "a_b_c__1": {"grid": "1x1"}}
        found = client.attempt(overrides=settings)
        assert found["status"] == "done", found["message"]
        assert client.get("api/program")[1]["ops"] == ["twice_2", "a_b_c__1", "twice_1", "twice_3"]
        layouts = client.get(f"api/result?id={found['id']}")[1]["result"]["layouts"]
        assert {name: text.partition(":")[0] for name, text in layouts.items()} == {
            "twice_2": "1x1",  # of one tile
            "a_b_c__1": "1x1",
            "twice_1": "1x1",
            "twice_3": "1x1",
        }


def test_cancel_and_the_limit_of_time(tmp_path: Path) -> None:
    text = relu("clip", "4096x4096")
    with serve_text(tmp_path, text, time_limit=0.001) as server:
        client = Client(server.url)
        state = client.settled()
        assert "stopped: it took longer than 0.001 seconds" in state["error"]
    with serve_text(tmp_path, text) as server:
        client = Client(server.url)
        client.until(lambda s: s["tries"][0]["status"] == "running")
        version = client.state()["version"]
        client.post("api/try", version=version)
        client.post("api/cancel", id=1)
        client.post("api/cancel", id=0)
        state = client.settled()
        assert [found["status"] for found in state["tries"]] == ["cancelled", "cancelled"]
        assert client.attempt()["status"] == "done"


def test_the_worker_dies(page: Client, program: ttmlir.Builder) -> None:
    with ttmlir.explorer.serve(program) as server:
        client = Client(server.url)
        client.settled()
        process = server._session._worker._process
        assert process is not None
        process.send_signal(signal.SIGSEGV)
        process.wait()
        found = client.attempt()
        assert found["status"] == "failed"
        assert found["message"] == "the process that compiles and runs died of SIGSEGV"
        assert client.attempt()["status"] == "done"


def test_given_inputs_and_ttmetal(program: ttmlir.Builder) -> None:
    zeros = [np.zeros((256, 256), "bfloat16")] * 2
    with ttmlir.explorer.serve(program, backend="ttmetal", inputs=zeros) as server:
        client = Client(server.url)
        found = client.attempt(options={"override_device_shape": "2x2"})
        assert found["status"] == "done", found["message"]
        # exp(0)
        assert found["outputs"][0]["max_value"] == 1.0
        low = client.attempt(overrides={"layer/product": {"fidelity": "lofi"}})
        assert low["cycles"] < client.state()["tries"][0]["cycles"]
        status, answer = client.post(
            "api/try", version=client.state()["version"], overrides=SETTINGS
        )
        assert status == 400
        assert "there is no setting 'grid'" in answer["error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "ttxx"}, "backend 'ttxx' is unknown"),
        ({"target": "n151"}, "no target 'n151'"),
        ({"port": 70000}, "cannot listen on 127.0.0.1 port 70000: no such port"),
    ],
)
def test_wrong_arguments(program: ttmlir.Builder, options: Any, message: str) -> None:
    with pytest.raises(ttmlir.Error, match=message):
        ttmlir.explorer.serve(program, **options)


def test_the_command(tmp_path: Path) -> None:
    """It prints the address, says what is wrong with a port in use, and ends with Ctrl-C."""
    (tmp_path / "model.mlir").write_text(relu("clip"))
    command = [sys.executable, "-m", "ttrt", "explore", "model.mlir"]
    first = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert first.stdout is not None
        client = Client(first.stdout.readline())
        assert client.settled()["tries"][0]["status"] == "done"
        port = client.host.partition(":")[2]
        second = subprocess.run(
            [*command, "--port", port], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert second.returncode == 1
        assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in second.stderr
        missing = subprocess.run(
            [*command[:-1], "none.mlir"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert missing.returncode == 1
        assert "'none.mlir' cannot be read: No such file or directory" in missing.stderr
    finally:
        first.send_signal(signal.SIGINT)
        assert first.wait(30) == 0
    assert os.listdir(tmp_path) == ["model.mlir"]
