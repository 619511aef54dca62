"""Decomposes single ops with PyTorch's decompositions."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ttmlir.frontends.torch._aliasing import changes_in_place
from ttmlir.frontends.torch._custom_decompositions import COMPOSED
from ttmlir.frontends.torch._decompositions import decompositions, portable
from ttmlir.frontends.torch._factors import NotFactoredError

#: Metadata about the origin of an op.
_PLACE = ("stack_trace", "nn_module_stack")


def decomposition_of(node: torch.fx.Node, target: Any) -> torch.fx.GraphModule | None:
    """Returns the graph that an op decomposes to; None if it has no decomposition.

    Its placeholders are the tensor arguments in order, and it returns the op's results in a list.

    Args:
        node: the op, with example arguments.
        target: the op to decompose; the node's may be its in-place variant.
        target: what it calls.

    Raises:
        NotFactoredError: it would have too many ops.
    """
    from torch.fx.experimental.proxy_tensor import make_fx

    if not isinstance(target, torch._ops.OpOverload):
        return None
    examples = torch.fx.node.map_arg((node.args, node.kwargs), lambda n: n.meta["val"])
    leaves, spec = pytree.tree_flatten(examples)
    places = [i for i, x in enumerate(leaves) if isinstance(x, torch.Tensor)]
    mode = next((leaves[i].fake_mode for i in places if hasattr(leaves[i], "fake_mode")), None)
    if mode is None:
        return None

    table = decompositions()
    made = COMPOSED.get(target) or table.get(target, target.decompose)

    def function(*tensors: torch.Tensor) -> list[Any]:
        values = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            values[place] = tensor
        args, kwargs = pytree.tree_unflatten(values, spec)
        return list(pytree.tree_leaves(made(*args, **kwargs)))

    whole = torch.func.functionalize(function, remove="mutations")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with portable(), mode:
                traced = make_fx(whole, decomposition_table=table)
                module = traced(*(leaves[i] for i in places))
    except NotFactoredError:
        raise
    except Exception:
        # Ops that PyTorch cannot decompose are rejected later.
        return None
    place = {key: node.meta[key] for key in _PLACE if key in node.meta}
    for part in module.graph.nodes:
        if part.op == "call_function" and (part.target is target or changes_in_place(part.target)):
            return None
        part.meta.update(place)
    return module  # type: ignore[no-any-return]
