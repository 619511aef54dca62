"""Ops that change a tensor in place, as ops that return what becomes of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

#: Ops that change statistics when they train, which their schemas do not say.
_STATISTICS = ("batch_norm", "instance_norm", "native_batch_norm", "_batch_norm_impl_index")
_TRAINS = ("training", "use_input_stats")
#: Ops in place that change no element.
_KEEPS = ("detach_",)
_DROPOUTS = ("alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout")
#: Composite ops that return new memory; others may return an argument or a view of it.
_COMPOSITE = """
batch_norm conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d cross_entropy
embedding group_norm instance_norm layer_norm linear log_softmax matmul max_pool1d max_pool2d
max_pool3d rms_norm scaled_dot_product_attention softmax
"""
_NEW = frozenset(_COMPOSITE.split())


def changes_in_place(target: Any) -> bool:
    """Whether an op changes an argument."""
    return isinstance(target, torch._ops.OpOverload) and target._schema.is_mutable


def functional(target: Any) -> Any | None:
    """The op that returns what an op like ``add_`` makes of its first argument; None without."""
    name = _name(target)
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


def root(node: torch.fx.Node) -> torch.fx.Node:
    """The tensor that a node is: ops in place return the one that they change, and dropout that
    does not train its argument."""
    while changes_in_place(node.target) or _drops_nothing(node):
        node = node.args[0]  # type: ignore[assignment]
    return node


def _drops_nothing(node: torch.fx.Node) -> bool:
    return (
        isinstance(node.target, torch._ops.OpOverload)
        and _name(node.target) in _DROPOUTS
        and len(node.args) == 3
        and node.args[2] is False
    )


def is_functional(module: torch.fx.GraphModule) -> bool:
    """Whether all changes in place, in a graph and those inside of it, are of tensors that an op
    made and that nothing sees in another way afterwards: no view, and no input. Then the result
    of the functional op stands for the tensor from there on."""
    graphs = (m.graph for m in module.modules() if isinstance(m, torch.fx.GraphModule))
    return all(_is_functional(graph) for graph in graphs)


def _is_functional(graph: torch.fx.Graph) -> bool:
    order = {node: i for i, node in enumerate(graph.nodes)}
    memory: dict[torch.fx.Node, set[int]] = {}
    sharing: dict[int, list[torch.fx.Node]] = defaultdict(list)
    for node, number in order.items():
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            if _trains(node):
                return False
            if changes_in_place(node.target) and _name(node.target) not in _KEEPS:
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
        memory[node] = _memory(node, memory)
        for place in memory[node]:
            sharing[place].append(node)
    return True


def _computes_alike(node: torch.fx.Node, x: torch.fx.Node) -> bool:
    """Whether the functional op computes in the dtype of the tensor that is changed."""
    own = x.meta["val"].dtype
    if str(node.target).startswith("aten.copy_"):
        return True
    metas = [n.meta.get("val") for n in node.all_input_nodes]
    return all(
        m.dtype == own for m in metas if isinstance(m, torch.Tensor) and m.dtype.is_floating_point
    )


def _trains(node: torch.fx.Node) -> bool:
    """Whether it changes statistics of batches."""
    target: Any = node.target
    if _name(target) not in _STATISTICS:
        return False
    names = [a.name for a in target._schema.arguments]
    given = dict(zip(names, node.args, strict=False)) | node.kwargs
    return any(given.get(n) for n in _TRAINS) and given.get("running_mean") is not None


def _memory(node: torch.fx.Node, known: Mapping[torch.fx.Node, set[int]]) -> set[int]:
    """The memory that a node's tensors have, or may have."""
    values = pytree.tree_leaves(node.meta.get("val"))
    strided = [v for v in values if isinstance(v, torch.Tensor) and v.layout == torch.strided]
    found = {t.untyped_storage()._cdata for t in strided}
    target: Any = node.target
    is_new = isinstance(target, torch._ops.OpOverload) and (
        not target._can_decompose() or _name(target) in _NEW
    )
    if node.op == "call_function" and not is_new:
        found |= {place for n in node.all_input_nodes for place in known[n]}
    return found


def _name(target: Any) -> str:
    return str(target._schema.name).rpartition("::")[2]
