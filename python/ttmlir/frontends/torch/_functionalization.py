"""Replaces in-place ops by functional ones."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import torch

from ttmlir.frontends.torch._aliasing import changes_in_place, is_view, name_of, root, sources

#: Ops that update statistics in training, which their schemas do not declare.
_STATISTICS = ("batch_norm", "instance_norm", "native_batch_norm", "_batch_norm_impl_index")
_TRAINS = ("training", "use_input_stats")
#: In-place ops that change no element.
_KEEPS = ("detach_",)


def functional(target: Any) -> Any | None:
    """Returns the functional variant of an op like ``add_``; None if there is none."""
    name = name_of(target)
    written = [a.alias_info is not None and a.alias_info.is_write for a in target._schema.arguments]
    if (
        not name.endswith("_")
        or name.endswith("__")
        or written != [True] + [False] * (len(written) - 1)
    ):
        return None
    packet = getattr(getattr(torch.ops, target.namespace), name[:-1], None)
    found = getattr(packet, target._overloadname, None)
    if found is None or found._schema.is_mutable:
        return None
    same = len(found._schema.arguments) == len(written)
    return found if same else None


def is_functional(module: torch.fx.GraphModule) -> bool:
    """Whether all in-place ops in a graph and nested ones change tensors that the graph allocated
    and that are not seen through a view or input afterwards. Then the result of the functional op
    replaces the tensor from there on."""
    graphs = (m.graph for m in module.modules() if isinstance(m, torch.fx.GraphModule))
    return all(_is_functional(graph) for graph in graphs)


def _is_functional(graph: torch.fx.Graph) -> bool:
    order = {node: i for i, node in enumerate(graph.nodes)}
    #: The nodes that allocated, or may have allocated, a node's memory, and the nodes that share
    #: it.
    memory: dict[torch.fx.Node, set[torch.fx.Node]] = {}
    sharing: dict[torch.fx.Node, list[torch.fx.Node]] = defaultdict(list)
    for node, number in order.items():
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            if _trains(node):
                return False
            if changes_in_place(node.target) and name_of(node.target) not in _KEEPS:
                x: Any = node.args[0]
                if functional(node.target) is None or not _computes_alike(node, x):
                    return False
                own = root(x)
                for other in (o for place in memory[x] for o in sharing[place]):
                    is_seen = any(order[user] > number for user in other.users)
                    if other.op != "call_function" or (is_seen and root(other) is not own):
                        return False
            elif functional(node.target) is None and changes_in_place(node.target):
                return False
        memory[node] = set().union(*(memory[source] for source in sources(node)))
        if not memory[node] or not is_view(node.target):
            memory[node].add(node)
        for place in memory[node]:
            sharing[place].append(node)
    return True


def _computes_alike(node: torch.fx.Node, x: torch.fx.Node) -> bool:
    """Whether the functional op computes in the dtype of the changed tensor."""
    own = x.meta["val"].dtype
    if str(node.target).startswith("aten.copy_"):
        return True
    metas = [n.meta.get("val") for n in node.all_input_nodes]
    return all(
        m.dtype == own for m in metas if isinstance(m, torch.Tensor) and m.dtype.is_floating_point
    )


def _trains(node: torch.fx.Node) -> bool:
    """Whether it updates batch statistics."""
    target: Any = node.target
    if name_of(target) not in _STATISTICS:
        return False
    names = [a.name for a in target._schema.arguments]
    given = dict(zip(names, node.args, strict=False)) | node.kwargs
    return any(given.get(n) for n in _TRAINS) and given.get("running_mean") is not None
