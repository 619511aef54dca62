"""Files as graphs: nodes, edges, names, layouts, regions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import ttmlir
from ttmlir import ir
from ttmlir.explorer.files import read_graphs
from ttmlir.explorer.graphs import Graph, Node, graphs_of

ROOT = Path(__file__).parents[3]
Models = Mapping[str, Path]


def node(graph: Graph, op: str) -> Node:
    [found] = [node for node in graph.nodes if node.op == op]
    return found


def check(graphs: list[Graph]) -> None:
    ids = [graph.id for graph in graphs]
    assert len(set(ids)) == len(ids)
    for graph in graphs:
        outputs = {node.id: len(node.outputs) for node in graph.nodes}
        assert len(outputs) == len(graph.nodes), graph.id
        for found in graph.nodes:
            assert set(found.subgraphs) <= set(ids)
            for number, edge in enumerate(found.inputs):
                assert edge.input == number
                assert edge.output < outputs[edge.source]


def test_every_file_of_the_tests() -> None:
    """What ttmlir-opt reads is shown, and what it does not read is one error with a place."""
    shown, wrong = 0, {}
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        try:
            graphs = read_graphs(str(path))
        except ttmlir.CompileError as error:
            wrong[path] = str(error)
        else:
            check(graphs)
            shown += 1
    for path, message in wrong.items():
        assert str(path) in message
        command = [sys.executable, "-c", "from ttmlir._tools import opt; opt()", str(path)]
        assert subprocess.run(command, capture_output=True, check=False).returncode, path
    assert shown > 200


def test_layouts_edges_and_names(models: Models) -> None:
    [graph] = read_graphs(str(models[".ttnn"]))
    check([graph])
    relu = node(graph, "ttnn.relu")
    assert (relu.label, relu.namespace, relu.name) == ("clip: ttnn.relu", "layer", "layer/clip")
    assert "conftest.py:" in relu.source
    assert relu.inputs[0].source == node(graph, "ttnn.matmul").id
    [result] = relu.outputs
    assert result == {
        "shape": "256x256",
        "dtype": "bf16",
        "memory": "dram",
        "grid": "8x8",
        "sharding": "interleaved",
        "layout": "tiles of 32x32",
        "shard": "32x32 (1x1 tiles)",
        "override": "8x8:dram:interleaved:tile:bf16",
    }


def test_kernels_are_subgraphs(models: Models) -> None:
    graphs = read_graphs(str(models[".ttm"]))
    check(graphs)
    by_id = {graph.id: graph for graph in graphs}
    # The last dispatch leaves rows for the host.
    *_, dispatch = [n for n in by_id["forward"].nodes if n.op == "ttmetal.dispatch"]
    kernels = [by_id[id] for id in dispatch.subgraphs]
    assert [kernel.id.split(" ", 2)[2] for kernel in kernels] == ["0 noc0", "1 compute", "2 noc1"]
    assert any(n.op == "ttkernel.exp_tile" for n in kernels[1].nodes)
    # What is known of a place is in the program that was compiled, not in the text of the file.
    assert all(n.source == "" or "conftest.py:" in n.source for g in graphs for n in g.nodes)


@pytest.mark.parametrize(
    ("location", "name", "namespace", "source"),
    [
        ('"a/b/c"("f.py":3:4)', "a/b/c", "a/b", "f.py:3:4"),
        ('callsite("inner"("f.py":3:4) at "block/one"("g.py":5:6))', "", "block/one", "f.py:3:4"),
        ('fused["f.py":3:4, "x/y"]', "", "x", "f.py:3:4"),
        ('"f.py":3:4', "", "", "f.py:3:4"),
        ("unknown", "", "", ""),
    ],
)
def test_locations(location: str, name: str, namespace: str, source: str) -> None:
    text = f"""
    func.func @f(%a: tensor<1xf32>) {{
      %0 = tosa.abs %a : (tensor<1xf32>) -> tensor<1xf32> loc({location})
      return
    }}"""
    with ir.Context():
        [graph] = graphs_of(ir.Module.parse(text))
    found = node(graph, "tosa.abs")
    assert (found.name, found.namespace, found.source) == (name, namespace, source)


def test_regions_calls_and_values_of_outside() -> None:
    text = """
    func.func @callee(%a: index) { return }
    func.func @f(%a: index, %b: memref<4xf32>, %c: i1) {
      func.call @callee(%a) : (index) -> ()
      %x = memref.load %b[%a] : memref<4xf32>
      %y:2 = scf.if %c -> (f32, f32) {
        scf.yield %x, %x : f32, f32
      } else {
        %z = arith.addf %x, %x : f32
        scf.yield %z, %x : f32, f32
      }
      memref.store %y#1, %b[%a] : memref<4xf32>
      return
    }"""
    with ir.Context():
        graphs = graphs_of(ir.Module.parse(text))
    check(graphs)
    ids = [graph.id for graph in graphs]
    assert ids == ["callee", "f", "f/%1 then", "f/%1 else"]
    assert node(graphs[1], "func.call").subgraphs == ["callee"]
    assert node(graphs[1], "scf.if").subgraphs == ids[2:]
    assert node(graphs[1], "memref.store").inputs[0].output == 1
    assert [e.source for e in node(graphs[3], "arith.addf").inputs] == ["%0", "%0"]
    assert node(graphs[3], "value").id == "%0"


def test_parts_of_a_file_keep_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text("func.func @f() {\n  return\n}\n// -----\nfunc.func @f() {\n  return\n}\n")
    graphs = read_graphs(str(path))
    assert [graph.id for graph in graphs] == ["part 1: f", "part 2: f"]
    assert [graph.nodes[0].source for graph in graphs] == [f"{path}:2:3", f"{path}:6:3"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("broken.mlir", b"func.func @f( {", "broken.mlir:1:14: error: "),
        ("foreign.ttnn", b"\x7fELF" + bytes(64), "foreign.ttnn"),
        ("empty.ttm", b"", "empty.ttm"),
        ("text.txt", b"", "expected .mlir, .mlirbc, .ttnn, .ttm, .ttb"),
    ],
)
def test_one_clear_error(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ttmlir.Error) as error:
        read_graphs(str(path))
    assert message in str(error.value)
