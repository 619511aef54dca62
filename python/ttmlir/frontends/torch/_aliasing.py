"""Finds tensors of a graph that share memory, by the schemas of its ops.

Addresses and storages of the example tensors are no help: in a program loaded from a file each node
has its own storage.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import torch
from torch.utils import _pytree as pytree

_DROPOUTS = ("alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout")
#: Composite ops that return new memory; others may return an argument or a view of it.
_COMPOSITE = """
batch_norm conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d cross_entropy
embedding group_norm instance_norm layer_norm linear log_softmax matmul max_pool1d max_pool2d
max_pool3d rms_norm scaled_dot_product_attention softmax
"""
#: Views whose schemas claim that they change their argument.
_VIEWS = ("prims.as_strided.default",)
_NEW = frozenset(_COMPOSITE.split())


def name_of(target: Any) -> str:
    return str(target._schema.name).rpartition("::")[2]


def changes_in_place(target: Any) -> bool:
    """Whether an op changes an argument."""
    if not isinstance(target, torch._ops.OpOverload) or str(target) in _VIEWS:
        return False
    return bool(target._schema.is_mutable)


def root(node: torch.fx.Node) -> torch.fx.Node:
    """Returns the tensor of a node: in-place ops return the tensor that they change, and dropout
    outside of training returns its argument."""
    while changes_in_place(node.target) or _drops_nothing(node):
        node = node.args[0]  # type: ignore[assignment]
    return node


def _drops_nothing(node: torch.fx.Node) -> bool:
    return (
        isinstance(node.target, torch._ops.OpOverload)
        and name_of(node.target) in _DROPOUTS
        and len(node.args) == 3
        and node.args[2] is False
    )


def sources(node: torch.fx.Node) -> list[torch.fx.Node]:
    """Returns the nodes with whose memory a node's tensors are, or may be, shared."""
    if node.op != "call_function":
        return []
    target: Any = node.target
    if not isinstance(target, torch._ops.OpOverload):
        return list(node.all_input_nodes)
    if is_view(target):
        schema = target._schema
        given = dict(zip((a.name for a in schema.arguments), node.args, strict=False))
        given |= node.kwargs
        shared = [given.get(a.name) for a in schema.arguments if a.alias_info is not None]
        return [x for x in pytree.tree_leaves(shared) if isinstance(x, torch.fx.Node)]
    # Composite ops do not declare aliasing: contiguous() may return its argument.
    is_new = not target._can_decompose() or name_of(target) in _NEW
    return [] if is_new else list(node.all_input_nodes)


def memory_of(node: torch.fx.Node) -> tuple[torch.fx.Node, torch.Tensor]:
    """Returns the node that allocated the memory of a node, and the location of its elements there.

    Returns:
        That node and an int64 tensor of offsets with the shape and strides of the tensor, whose
        storage has as many elements as the memory.

    Raises:
        ValueError: elements overlap, or are not contiguous, in the node that allocated them.
    """
    views: list[torch.fx.Node] = []
    base = node
    while (source := _viewed(base)) is not None:
        views.append(base)
        base = source
    places: Any = _new_places(base)
    for view in reversed(views):
        if changes_in_place(view.target) or _drops_nothing(view):
            continue
        target: Any = view.target
        seen = target(places, *view.args[1:], **view.kwargs)
        if isinstance(seen, torch.Tensor) and _storage(seen) != _storage(places):
            # reshape(), contiguous() or to() has copied.
            base, seen = view, _new_places(view)
        places = seen
    return base, places


def logical(node: torch.fx.Node) -> torch.Tensor:
    """Maps each offset of a node's memory to the index of the element in row-major order."""
    places = _new_places(node)
    found = torch.empty(places.numel(), dtype=torch.int64)
    found[places.reshape(-1)] = torch.arange(places.numel())
    return found


def _viewed(node: torch.fx.Node) -> torch.fx.Node | None:
    """Returns the tensor that a node is a view of, if its op can be evaluated on offsets."""
    source = node.args[0] if node.op == "call_function" and node.args else None
    if not isinstance(source, torch.fx.Node):
        return None
    if changes_in_place(node.target) or _drops_nothing(node):
        return source
    if node.target is operator.getitem:
        return source if _viewed(source) is not None else None
    others = pytree.tree_leaves((node.args[1:], node.kwargs))
    is_known = not any(isinstance(x, torch.fx.Node) for x in others)
    return source if is_known and is_view(node.target) else None


def is_view(target: Any) -> bool:
    """Whether the schema of an op declares that a result aliases an argument."""
    return isinstance(target, torch._ops.OpOverload) and any(
        result.alias_info is not None for result in target._schema.returns
    )


def _new_places(node: torch.fx.Node) -> torch.Tensor:
    meta = node.meta["val"]
    shape, strides = tuple(meta.shape), tuple(meta.stride())
    count = math.prod(shape)
    places = torch.arange(count)
    if not count:
        return places.reshape(shape)
    reach = sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    if reach != count - 1:
        raise ValueError("expected a tensor without gaps: call contiguous() before as_strided()")
    return places.as_strided(shape, strides)


def _storage(x: Any) -> int:
    first = pytree.tree_leaves(x)[0]
    return int(first.untyped_storage().data_ptr())
