"""The stock Model Explorer with our adapter: its classes, its files and its server."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import ttmlir
from ttmlir.explorer.files import read_graphs
from ttmlir.explorer.overlays import ACCURACY, overlays_of, read_perf, save_overlays

Models = Mapping[str, Path]
TIME = "time in cycles"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    pytest.importorskip("model_explorer", reason="needs the extra 'explorer'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = "from model_explorer.cmdline import main; main()"
    options = ["--host=127.0.0.1", f"--port={port}", "--no_open_in_browser", "--skip_health_check"]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *options, "--extensions=ttmlir.explorer"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/check_health", timeout=5)
                break
            except OSError:
                assert process.poll() is None, "the server has ended"
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


def ask(server: str, **command: Any) -> Any:
    request = urllib.request.Request(
        f"{server}/apipost/v1/send_command",
        json.dumps(command | {"deleteAfterConversion": False}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def convert(server: str, path: Path) -> Any:
    return ask(server, cmdId="convert", extensionId="ttmlir", modelPath=str(path), settings={})


def test_the_server_knows_the_adapter(server: str) -> None:
    with urllib.request.urlopen(f"{server}/api/v1/get_extensions") as answer:
        found = {e["id"]: e for e in json.load(answer)}
    assert {"mlir", "ttnn", "ttm"} <= set(found["ttmlir"]["fileExts"])
    assert found["ttmlir_costs"]["type"] == "node_data_provider"


@pytest.mark.parametrize("suffix", [".mlir", ".ttnn", ".ttm"])
def test_the_server_converts(server: str, models: Models, suffix: str) -> None:
    graphs = convert(server, models[suffix])["graphs"]
    assert [g["id"] for g in graphs] == [g.id for g in read_graphs(str(models[suffix]))]
    spaces = {n["label"].partition(": ")[0]: n["namespace"] for n in graphs[0]["nodes"]}
    assert (spaces["product"], spaces["grow"]) == ("layer", "")
    last = graphs[0]["nodes"][-1]
    assert {e["sourceNodeId"] for e in last["incomingEdges"]} <= {
        n["id"] for n in graphs[0]["nodes"]
    }


def test_the_server_says_what_is_wrong(server: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text("func.func @f( {")
    assert "broken.mlir:1:14: error: " in convert(server, path)["error"]


@pytest.mark.parametrize("suffix", [".mlir", ".ttm"])
def test_the_server_lays_costs_over_nodes(server: str, models: Models, suffix: str) -> None:
    found = ask(
        server,
        cmdId="run",
        extensionId="ttmlir_costs",
        modelPath=str(models[suffix]),
        graphId="forward",
        configValues={},
    )
    assert found["error"] == ""
    names = {data["name"]: data["results"] for data in found["result"]}
    assert TIME in names
    assert (ACCURACY in names) == (suffix == ".mlir")


def test_every_cycle_is_on_a_node(models: Models) -> None:
    exe = ttmlir.load(models[".ttnn"])
    report = exe.report()
    overlays = overlays_of(read_graphs(str(models[".ttnn"])), [report])
    assert sum(overlays[TIME]["forward"].values()) == pytest.approx(report.cycles)


def test_costs_are_on_the_ops_they_come_from(program: ttmlir.Builder, models: Models) -> None:
    report = ttmlir.compile(program).report()
    [graph] = read_graphs(str(models[".mlir"]))
    times = overlays_of([graph], [report])[TIME]["forward"]
    labels = {node.id: node.label for node in graph.nodes}
    found = {labels[id] for id, cycles in times.items() if cycles}
    # The product is part of the call that applies relu to it.
    assert {"clip: ttir.relu", "grow: ttir.exp"} <= found


def test_overlays_of_ttrt_perf(models: Models, tmp_path: Path) -> None:
    command = ["perf", str(models[".ttnn"]), "--artifact-dir", "saved", "--save-artifacts"]
    subprocess.run([sys.executable, "-m", "ttrt", *command], cwd=tmp_path, check=True)
    [perf] = tmp_path.rglob("perf.json")
    paths = save_overlays(str(models[".ttnn"]), str(perf), str(tmp_path))
    assert [path.name for path in paths] == [
        f"model.ttnn.{name}.json" for name in ("time", "dram", "l1")
    ]
    report = ttmlir.load(models[".ttnn"]).report()
    graphs = read_graphs(str(models[".ttnn"]))
    assert overlays_of(graphs, read_perf(str(perf)))[TIME] == overlays_of(graphs, [report])[TIME]
    stock = json.loads(paths[0].read_text())["forward"]
    assert all(set(value) == {"value"} for value in stock["results"].values())


@pytest.mark.parametrize(
    "content", ["", "{}x", "[1]", '[{"program": "f", "device": {"ops": [{}]}}]']
)
def test_what_is_no_perf_json(tmp_path: Path, content: str) -> None:
    path = tmp_path / "perf.json"
    path.write_text(content)
    with pytest.raises(ttmlir.Error, match=r"expected the perf.json of ttrt perf"):
        read_perf(str(path))
