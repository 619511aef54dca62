"""Extension for ``model-explorer --extensions=ttmlir.explorer``: an adapter, and a provider of
costs to overlay on the nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

try:
    import model_explorer
except ImportError as error:
    message = f"{__name__} needs Model Explorer: pip install ttmlir[explorer] ({error})"
    raise ImportError(message) from None
from model_explorer import config_editor, node_data_builder
from model_explorer import graph_builder as stock

from ttmlir._files import read_file
from ttmlir._version import __version__
from ttmlir.errors import Error
from ttmlir.executable import load
from ttmlir.explorer.evaluation import Bench, Subject, Trial
from ttmlir.explorer.files import BINARIES, SOURCES, read_graphs
from ttmlir.explorer.graphs import Graph, Node
from ttmlir.explorer.overlays import GRADIENT, Overlays, overlays_of, read_perf


class TTAdapter(model_explorer.Adapter):  # type: ignore[misc]
    """Reads MLIR of this package's dialects, and compiled programs."""

    metadata: ClassVar[Any] = model_explorer.AdapterMetadata(
        id="ttmlir",
        name="ttmlir",
        description=f"TTIR, TTNN, TTMetal, TOSA and linalg, and compiled programs ({__version__})",
        source_repo="",
        fileExts=[suffix.removeprefix(".") for suffix in SOURCES + BINARIES],
    )

    def convert(self, model_path: str, settings: dict[str, Any]) -> dict[str, Any]:
        """Returns the graphs of a file; raises a ``ttmlir.Error`` if it is invalid."""
        return {"graphs": [to_stock(graph) for graph in read_graphs(model_path)]}


class TTCosts(model_explorer.NodeDataProvider):  # type: ignore[misc]
    """Modelled time and memory of each op and, for programs that are not compiled yet, accuracy."""

    metadata: ClassVar[Any] = model_explorer.NodeDataProviderMetadata(
        id="ttmlir_costs",
        name="ttmlir costs",
        description="Time, memory and accuracy of each op on the emulated chip",
        source_repo="",
        icon="timer",
        filter=model_explorer.NodeDataProviderFilter(adapterIds=["ttmlir"]),
    )

    def get_config_editors(self, provider_id: str) -> Any:
        from ttmlir import targets

        editors = [
            config_editor.TextInputConfigEditor(
                id="perf",
                label="perf.json of ttrt perf",
                description="If empty, the program runs on the emulator.",
            ),
            config_editor.DropDownConfigEditor(
                id="target",
                label="System for a program that is not compiled",
                options=[config_editor.OptionItem(name, name) for name in targets()],
                defaultValue="n150",
            ),
        ]
        return model_explorer.GetConfigEditorsResult(editors)

    def run(
        self,
        provider_id: str,
        model_path: str,
        graph_id: str,
        config_values: dict[str, Any],
        graph: Any = None,
    ) -> Any:
        target = config_values.get("target") or "n150"
        try:
            overlays = _costs(model_path, config_values.get("perf") or "", target)
        except Error as error:
            return model_explorer.NodeDataProviderResult(error=str(error))
        found = [
            node_data_builder.GraphNodeData(
                {id: node_data_builder.NodeDataResult(v) for id, v in values[graph_id].items()},
                name=name,
                gradient=[node_data_builder.GradientItem(**stop) for stop in GRADIENT],
            )
            for name, values in overlays.items()
            if graph_id in values
        ]
        if not found:
            return model_explorer.NodeDataProviderResult(error="no costs of this graph's ops")
        return model_explorer.NodeDataProviderResult(found)


def _costs(path: str, perf: str, target: str) -> Overlays:
    graphs = read_graphs(path)
    if perf:
        return overlays_of(graphs, read_perf(perf))
    if Path(path).suffix in BINARIES:
        exe = load(path)
        return overlays_of(graphs, [exe.report(program=program.index) for program in exe.programs])
    bench = Bench(Subject(read_file(path), path, "ttnn", target))
    trial = Trial(each_op=True)
    exe = bench.compile(trial)
    own = bench.graphs()
    if [graph.id for graph in own] == [graph.id for graph in graphs]:
        # The same program with a unique name for every op.
        graphs = own
    return overlays_of(graphs, [exe.report()], bench.accuracy(exe, trial).get("each_op"))


def to_stock(graph: Graph) -> Any:
    """Converts a graph to the classes of Model Explorer."""
    outputs = {node.id: node.outputs for node in graph.nodes}
    return stock.Graph(graph.id, [_node(node, outputs) for node in graph.nodes])


def _node(node: Node, outputs: dict[str, list[dict[str, str]]]) -> Any:
    facts = {"op": node.op, "name": node.name, "source": node.source} | node.attributes
    return stock.GraphNode(
        node.id,
        node.label,
        namespace=node.namespace,
        attrs=_pairs({key: value for key, value in facts.items() if value}),
        incomingEdges=[
            stock.IncomingEdge(edge.source, str(edge.output), str(edge.input))
            for edge in node.inputs
        ],
        inputsMetadata=[
            stock.MetadataItem(str(edge.input), _pairs(outputs[edge.source][edge.output]))
            for edge in node.inputs
        ],
        outputsMetadata=[
            stock.MetadataItem(str(number), _pairs({"__tensor_tag": node.name} | facts))
            for number, facts in enumerate(node.outputs)
        ],
        subgraphIds=node.subgraphs,
    )


def _pairs(facts: dict[str, str]) -> list[Any]:
    return [stock.KeyValue(key, value) for key, value in facts.items()]
